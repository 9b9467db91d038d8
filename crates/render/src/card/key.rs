//! The key to the cards of a deck: what each thing on a card is, and what its words and marks mean.

use super::chart_data::{draws, is_die, tables};
use super::suit;
use crate::reference::{Item, Part, Section, Sheet, Tone};
use adjutant_pack::{DeckField, DeckFieldKind, DeckSheet, FieldId, Pack, Term, capital};
use adjutant_wording::en::ChartWords;

/// A page that explains the cards.
///
/// ```
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
/// let key = adjutant_render::card::key(&pack, pack.deck("action").unwrap());
/// assert_eq!(key.sections[0].title, "On a card");
/// ```
pub fn key(pack: &Pack, deck: &DeckSheet) -> Sheet {
    let on_card = Section {
        title: "On a card".into(),
        loose: true,
        parts: vec![Part::Items(fields(pack, deck))],
        ..Section::default()
    };
    let sections = [Some(on_card), interrupts(pack, deck), terms(pack)];
    Sheet {
        title: deck.title.to_string(),
        kind: "Key to the cards".into(),
        by: pack.by().to_owned(),
        notice: pack.notice().to_owned(),
        pack: crate::edition(pack.id(), pack.version()),
        facts: adjutant_wording::en::license_and_address(pack),
        sections: sections.into_iter().flatten().collect(),
        ..Sheet::default()
    }
}

fn item(term: impl Into<String>, text: impl Into<String>) -> Item {
    Item { term: term.into(), text: text.into(), ..Item::default() }
}

fn fields(pack: &Pack, deck: &DeckSheet) -> Vec<Item> {
    let count = deck.cards.len();
    let mut items = Vec::new();
    let corner = suit::fields(deck);
    if corner.is_some() {
        items.push(item("Corner", "The rank and the suit of the card."));
    }
    items.push(item("No.", format!("The number of the card, from 1 to {count}.")));
    let shown = (1..=count as u32).map(|card| tables(pack, deck, card));
    for table in shown.into_iter().find(|tables| !tables.is_empty()).unwrap_or_default() {
        let text = format!("The result by {}, with the rank already counted.", table.by);
        items.push(item(table.chart, text));
    }
    let in_corner =
        |place: FieldId| corner.is_some_and(|(suit, rank)| place == suit || place == rank);
    for (place, field) in deck.fields.iter_enumerated().filter(|(place, _)| !in_corner(*place)) {
        items.push(item(field.label.as_str(), field_text(pack, deck, place, field)));
    }
    items
}

fn field_text(pack: &Pack, deck: &DeckSheet, place: FieldId, field: &DeckField) -> String {
    match &field.kind {
        DeckFieldKind::Choice { .. } => {
            let words = field.kind.words().unwrap_or(&[]);
            let labels: Vec<&str> = words.iter().map(|word| word.label.as_str()).collect();
            let text = labels.join(", ");
            if text.ends_with(['!', '?', '.']) { text } else { format!("{text}.") }
        }
        DeckFieldKind::Numbers { from, to } => {
            let mut text = format!("One number for each of {from} to {to}.");
            for row in (*from..=*to).filter(|row| is_die(pack, deck, place, *row)) {
                text.push_str(&format!(" The die stands for {row}: read it as a d{row}."));
            }
            if !field.blank.is_empty() {
                text.push_str(&format!(" {} where there is none.", field.blank));
            }
            text
        }
        DeckFieldKind::Number { .. } => "A number.".into(),
        DeckFieldKind::Text => "What the card says.".into(),
    }
}

/// What cards such as Jam! interrupt.
fn interrupts(pack: &Pack, deck: &DeckSheet) -> Option<Section> {
    let mut items: Vec<Item> = Vec::new();
    for (chart, step, _) in draws(pack, deck) {
        for again in &step.again {
            let words = ChartWords::for_players(pack, chart).again(again);
            // Without words of the author the rule is to draw another card.
            let rest = if again.text.is_empty() { ": draw again" } else { "" };
            let text = capital(&format!("{words}{rest}."));
            match items.iter_mut().find(|known| known.text == text) {
                Some(known) => known.term.push_str(&format!(", {}", chart.title)),
                None => items.push(item(chart.title.as_str(), text)),
            }
        }
    }
    (!items.is_empty()).then(|| Section {
        title: "Cards that interrupt".into(),
        loose: true,
        parts: vec![
            Part::Text(Tone::Note, "In these charts they are not read, but do this:".into()),
            Part::Items(items),
        ],
        ..Section::default()
    })
}

fn terms(pack: &Pack) -> Option<Section> {
    let item = |term: &Term| item(term.title.as_str(), term.text.as_str());
    let items: Vec<Item> = pack.terms().iter().map(item).collect();
    (!items.is_empty()).then(|| Section {
        title: "Terms".into(),
        loose: true,
        parts: vec![Part::Items(items)],
        ..Section::default()
    })
}
