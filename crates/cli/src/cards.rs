//! `adjutant draw`: cards from a deck, to look at or to use as the players like.

use crate::args::Draw;
use crate::error::{CommandError, CommandResult};
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use crate::paint::{DIM, HEAD, RESULT, Table, in_style};
use crate::setup::numbers;
use adjutant_api::{DrawQuery, is_blank};
use adjutant_pack::{CardCell, DeckFieldKind, DeckSheet, Pack};
use adjutant_query::{DrawError, QueryError};
use adjutant_wording::en;
use adjutant_wording::en::unknown_name::did_you_mean;
use anstyle::Style;

pub fn draw(shelf: &PackRegistry, draw: &Draw) -> CommandResult {
    let opened = shelf.open(&draw.pack)?;
    let pack = &opened.pack;
    let gone = numbers("--gone", draw.gone.as_deref())?;
    let query = DrawQuery { deck: draw.deck.clone(), count: draw.count, gone, seed: draw.seed };
    let drawn = adjutant_query::drawn(pack, &query, &crate::work::at_once())
        .map_err(|why| CommandError::usage([sentence(pack, why)]))?;
    if draw.json {
        return Ok(CommandOutput::done(crate::json::pretty(&drawn)));
    }
    let Some(sheet) = pack.deck(drawn.deck) else { return Ok(CommandOutput::done(String::new())) };
    let cards = drawn.cards.iter().flatten();
    let mut out: String = cards.map(|card| card_text(pack, sheet, card.card)).collect();
    let word = if drawn.reshuffled { "; it was reshuffled on the way" } else { "" };
    let (left, all) = (drawn.left, sheet.cards.len());
    out.push_str(&in_style(
        DIM,
        format!("{left} of {all} cards are left in {}{word}\n", sheet.title),
    ));
    Ok(CommandOutput::done(out))
}

/// Why no cards were drawn, and what to do.
fn sentence(pack: &Pack, why: QueryError) -> String {
    let QueryError::Draw(why) = why else { return why.to_string() };
    match *why {
        DrawError::Unknown { unknown, .. } => {
            let help = did_you_mean(&unknown, |known| match known {
                [] => "it has none".into(),
                known => format!("it has: {}", known.join(", ")),
            });
            format!("{} has no deck `{}`: {help}", pack.title(), unknown.name)
        }
        why @ DrawError::Unsupplied { .. } => {
            format!("{why}: see adjutant tables {}", pack.id())
        }
        other => other.to_string(),
    }
}

/// What a card's cell shows.
fn shown(pack: &Pack, cell: Option<&CardCell>, kind: &DeckFieldKind, blank: &str) -> String {
    match cell {
        None => blank.to_owned(),
        Some(CardCell::Text(text)) => text.clone(),
        Some(CardCell::Value(value)) => {
            let text = value.to_answer(pack.words()).to_string();
            match kind {
                DeckFieldKind::Choice { words } => {
                    words.iter().find(|w| w.id == text).map_or(text, |w| w.label.to_string())
                }
                _ => text,
            }
        }
    }
}

fn card_text(pack: &Pack, sheet: &DeckSheet, number: u32) -> String {
    let Some(card) = sheet.card(number) else { return String::new() };
    let mut out =
        format!("{}  {}\n", in_style(RESULT, &card.title), in_style(DIM, format!("card {number}")));
    let mut table = Table::new(2);
    for field in &sheet.fields {
        match field.kind {
            DeckFieldKind::Numbers { from, to } => {
                let heads: Vec<String> = (from..=to).map(|n| format!("{n:>2}")).collect();
                let cells: Vec<String> = (0..=(to - from) as usize)
                    .map(|n| {
                        format!(
                            "{:>2}",
                            shown(
                                pack,
                                card.cells.get(field.first_cell + n).and_then(Option::as_ref),
                                &field.kind,
                                &field.blank
                            )
                        )
                    })
                    .collect();
                table.row([(field.label.to_string(), HEAD), (heads.join(" "), DIM)]);
                table.row([(String::new(), HEAD), (cells.join(" "), Style::new())]);
                if is_blank(card, field) {
                    table.row([(String::new(), HEAD), (en::blank_field(pack, field), DIM)]);
                }
            }
            _ => {
                let text = shown(
                    pack,
                    card.cells.get(field.first_cell).and_then(Option::as_ref),
                    &field.kind,
                    &field.blank,
                );
                let (text, style) = match text.is_empty() {
                    true => (en::blank_field(pack, field), DIM),
                    false => (text, Style::new()),
                };
                table.row([(field.label.to_string(), HEAD), (text, style)]);
            }
        }
    }
    out.push_str(&table.print());
    out.push('\n');
    out
}
