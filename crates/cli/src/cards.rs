//! `adjutant draw`: cards from a deck, to look at or to use as the players like.

use crate::args::Draw;
use crate::error::{CommandError, CommandResult, Said};
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use crate::paint::{DIM, HEAD, RESULT, Table, in_style};
use crate::setup::numbers;
use adjutant_api::{CardData, DrawnCards, is_blank};
use adjutant_dice::{CardRequest, Deck, InputSource, RandomInput};
use adjutant_pack::{CardCell, DeckFieldKind, DeckSheet, Noun, Pack, UnknownName};
use adjutant_wording::en;
use adjutant_wording::en::unknown_name::did_you_mean;
use anstyle::Style;

pub fn draw(shelf: &PackRegistry, draw: &Draw) -> CommandResult {
    let opened = shelf.open(&draw.pack)?;
    let pack = &opened.pack;
    let sheet = pack.deck(&draw.deck).filter(|deck| deck.chits.is_none());
    let Some(sheet) = sheet else {
        let unknown = UnknownName::new(
            Noun::Deck,
            &draw.deck,
            pack.card_decks().map(|deck| deck.id.as_str()),
        );
        let help = did_you_mean(&unknown, |known| match known {
            [] => "it has none".into(),
            known => format!("it has: {}", known.join(", ")),
        });
        return Err(CommandError::usage([format!(
            "{} has no deck `{}`: {help}",
            pack.title(),
            unknown.name
        )]));
    };
    if sheet.is_missing() {
        let (title, id) = (&sheet.title, pack.id());
        return Err(CommandError::usage([format!(
            "the cards of {title} are yours to supply: see adjutant tables {id}"
        )]));
    }
    if draw.count == 0 || draw.count > 1000 {
        return Err(CommandError::usage([format!(
            "{} cards cannot be drawn: 1 to 1000 can",
            draw.count
        )]));
    }
    let gone = numbers("--gone", draw.gone.as_deref())?;
    let (cards, left, reshuffled) = pick(sheet, draw, &gone)?;
    if draw.json {
        let cards = cards.iter().map(|card| CardData::explained(pack, sheet, *card)).collect();
        return Ok(CommandOutput::done(crate::json::pretty(&DrawnCards {
            pack: pack.id(),
            deck: &sheet.id,
            cards,
            left,
            reshuffled,
        })));
    }
    let mut out: String = cards.iter().map(|card| card_text(pack, sheet, *card)).collect();
    let word = if reshuffled { "; it was reshuffled on the way" } else { "" };
    out.push_str(&in_style(
        DIM,
        format!("{left} of {} cards are left in {}{word}\n", sheet.cards.len(), sheet.title),
    ));
    Ok(CommandOutput::done(out))
}

fn pick(sheet: &DeckSheet, draw: &Draw, gone: &[u32]) -> anyhow::Result<(Vec<u32>, u32, bool)> {
    let mut deck = Deck::without(sheet.cards.len() as u32, gone.iter().copied()).said()?;
    let mut luck = match draw.seed {
        Some(seed) => RandomInput::seeded(seed),
        None => RandomInput::from_system().said()?,
    };
    let (mut cards, mut shuffled) = (Vec::new(), false);
    for _ in 0..draw.count {
        if deck.is_empty() {
            deck.reshuffle();
            shuffled = true;
        }
        let ask = CardRequest::new("card", &sheet.title, &sheet.id, &deck);
        let card = luck.card(&ask).said()?;
        deck.take(card).said()?;
        cards.push(card);
    }
    Ok((cards, deck.left(), shuffled))
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
