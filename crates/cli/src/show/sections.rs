//! The end of a sheet: what is not a chart, a table for each kind of thing.

use super::ready;
use crate::paint::{HEAD, NAME, Table, in_style};
use adjutant_dice::Answer;
use adjutant_pack::{DeckSheet, Pack};
use adjutant_wording::en;
use anstyle::Style;

/// All sections that are not empty. `own_tables` names the player's tables as theirs.
pub fn sections(pack: &Pack, own_tables: bool) -> String {
    let tables_title = if own_tables {
        "Your tables"
    } else {
        "Tables that the rule book keeps (adjutant tables)"
    };
    let sections = [
        ("Terms", terms(pack)),
        ("Dice", dice(pack)),
        ("Units", units(pack)),
        ("Ready units", ready::templates(pack)),
        ("Ways to begin", ready::starts(pack)),
        ("It is over when", ready::endings(pack)),
        ("What the game remembers", memory(pack)),
        ("Statuses", statuses(pack)),
        ("Decks", decks(pack)),
        ("Options", options(pack)),
        (tables_title, tables(pack)),
        ("Readings", readings(pack)),
    ];
    let shown = sections.into_iter().map(|(title, table)| (title, table.print()));
    shown
        .filter(|(_, text)| !text.is_empty())
        .map(|(title, text)| format!("{}\n{text}\n", in_style(HEAD, title)))
        .collect()
}

/// Names, each with a text.
fn named(rows: impl Iterator<Item = (String, String)>) -> Table {
    let mut table = Table::new(2);
    for (name, text) in rows {
        table.row([(name, NAME), (text, Style::new())]);
    }
    table
}

fn terms(pack: &Pack) -> Table {
    named(pack.terms().iter().map(|term| (term.title.to_string(), term.text.to_string())))
}

fn dice(pack: &Pack) -> Table {
    let dice = pack.dice().iter().filter(|die| die.has_words());
    named(dice.map(|die| (die.title.to_string(), en::faces_of(die))))
}

fn units(pack: &Pack) -> Table {
    named(pack.kinds().iter().map(|kind| {
        let has: Vec<String> =
            kind.has.iter().map(|field| format!("{} ({})", field.id, field.label)).collect();
        (kind.title.to_string(), has.join(", "))
    }))
}

fn memory(pack: &Pack) -> Table {
    named(pack.memory().iter().map(|field| {
        let (accepted, default) =
            (en::accepted(&field.accepts), default_text(field.default.as_ref()));
        (field.id.to_string(), format!("{}: {accepted} ({default})", field.label))
    }))
}

fn statuses(pack: &Pack) -> Table {
    named(pack.statuses().iter().map(|status| {
        let ends = status.ends.map_or(String::new(), |phase| {
            format!(" Ends with the phase {}.", pack.phases()[phase].title)
        });
        (status.title.to_string(), format!("{}{ends}", status.means))
    }))
}

fn decks(pack: &Pack) -> Table {
    let text = |deck: &DeckSheet| match &deck.user {
        _ if deck.chits.is_some() => {
            format!("{}, a bag with a chit for each unit it covers", deck.title)
        }
        Some(user) if deck.is_missing() => {
            let missing = format!("{}, {}. {}", deck.title, en::USER_DECK_MISSING, user.place);
            missing.trim_end().to_owned()
        }
        _ => format!(
            "{}, {} cards (adjutant draw {} {})",
            deck.title,
            deck.cards.len(),
            pack.id(),
            deck.id
        ),
    };
    named(pack.decks().iter().map(|deck| (deck.id.to_string(), text(deck))))
}

/// A default, in words.
pub fn default_text(default: Option<&Answer>) -> String {
    default.map_or_else(|| "required".to_owned(), |default| format!("default {default}"))
}

fn options(pack: &Pack) -> Table {
    named(pack.options().iter().map(|option| {
        let text = format!(
            "{} ({}; {}). {}",
            option.field.label,
            option.standing.name(),
            default_text(option.field.default.as_ref()),
            option.origin
        );
        (option.field.id.to_string(), text)
    }))
}

fn tables(pack: &Pack) -> Table {
    named(pack.user_tables().iter().map(|table| {
        let state = if table.filled { "filled in by you" } else { "yours to fill in" };
        (table.id.to_string(), format!("{} – {state}. {}", table.title, table.place))
    }))
}

fn readings(pack: &Pack) -> Table {
    let readings = pack.readings().iter();
    named(readings.map(|reading| (reading.standing.name().to_owned(), reading.text.to_string())))
}
