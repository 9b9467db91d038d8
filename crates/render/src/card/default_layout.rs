//! The layout of a deck whose pack gives none, derived from its fields. From top to bottom: the
//! corner with rank and suit, or the title; what the card interrupts, its tables and its texts; its
//! words and numbers, one line each, at the same height on every card; its rows of numbers at the
//! foot.

use super::chart_data::{draws, tables};
use super::{CardStyle, suit};
use adjutant_pack::{
    Align, DeckFieldKind, DeckSheet, FieldId, Layout, Pack, Placed, Shown, Thing, Tone,
};

/// The distance of the frame from the edge, in millimetres.
const FRAME: f64 = 1.6;
/// A text up to this length is on one line with its label.
const SHORT: usize = 24;

/// The lower end of the head.
fn head_end(style: CardStyle) -> f64 {
    if style.large { 13.4 } else { 17.0 }
}

fn margin(style: CardStyle) -> f64 {
    if style.large { 3.0 } else { 4.0 }
}

/// The fields of a deck, by how they are shown.
struct Kinds {
    rows: Vec<FieldId>,
    lines: Vec<FieldId>,
    flow: Vec<Thing>,
}

/// The layout for a card 63 mm wide, scaled to the width of the card.
pub(super) fn layout(pack: &Pack, deck: &DeckSheet, card: (f64, f64), style: CardStyle) -> Layout {
    let by = card.0 / 63.0;
    let height = card.1 / by;
    let mut places = vec![frame(height)];
    places.extend(head(deck, style));
    let (head, left) = (head_end(style), margin(style));
    let wide = 63.0 - 2.0 * left;
    let kinds = kinds(pack, deck);
    let mut foot = height - left;
    for field in kinds.rows.iter().rev() {
        let high =
            row_height(deck, *field, style).min((height - head) * 0.6 / kinds.rows.len() as f64);
        foot -= high;
        let mut place =
            Placed::new(Shown::Things(vec![Thing::Field(*field)]), (left, foot), (wide, high));
        place.letters = Some(if style.large { 5.4 } else { 4.6 });
        places.push(place);
        foot -= if style.large { 0.8 } else { 1.4 };
    }
    let top = head + if style.large { 0.8 } else { 1.6 };
    // Without anything between, the first line is directly below the head.
    let top = if kinds.flow.is_empty() { head + 0.25 } else { top };
    let middle = foot - top;
    let most = if kinds.flow.is_empty() { middle } else { middle * 0.5 };
    let wanted = match (kinds.flow.is_empty(), style.large) {
        (true, _) => 9.5,
        (false, true) => 6.6,
        (false, false) => 6.8,
    };
    let line = (most / kinds.lines.len().max(1) as f64).min(wanted);
    let begin = if kinds.flow.is_empty() { top } else { foot - line * kinds.lines.len() as f64 };
    for (n, field) in kinds.lines.iter().enumerate() {
        let mut place = Placed::new(
            Shown::Things(vec![Thing::Field(*field)]),
            (left, begin + line * n as f64),
            (wide, line),
        );
        place.letters = Some((line * 0.68).min(if style.large { 5.6 } else { 4.8 }));
        places.push(place);
    }
    if !kinds.flow.is_empty() {
        let tables = kinds.flow.contains(&Thing::Tables);
        let mut place = Placed::new(
            Shown::Things(kinds.flow),
            (left, top),
            (wide, (begin - top - 0.8).max(1.0)),
        );
        place.unusual = true;
        place.letters = Some(match (tables, style.large) {
            (true, false) => 3.4,
            (true, true) | (false, false) => 4.4,
            (false, true) => 5.6,
        });
        places.push(place);
    }
    super::draw_card::scaled(Layout { card: (63.0, height), places }, card)
}

/// A thin frame, far enough from the edge that a cut half a millimetre off does not touch it.
fn frame(height: f64) -> Placed {
    let mut frame =
        Placed::new(Shown::Box, (FRAME, FRAME), (63.0 - 2.0 * FRAME, height - 2.0 * FRAME));
    frame.tone = Tone::Grey;
    frame
}

fn head(deck: &DeckSheet, style: CardStyle) -> Vec<Placed> {
    let (left, suits) = (margin(style), suit::fields(deck).is_some());
    let beside = suits && !style.large;
    let mut corner = Placed::new(
        Shown::Things(vec![Thing::Corner]),
        (left, left - 0.6),
        (if beside { 37.5 } else { 43.0 }, head_end(style) - left - 0.2),
    );
    let letters = if suits { head_end(style) - left } else { 7.4 };
    (corner.letters, corner.bold, corner.serif) = (Some(letters), true, true);
    let mut number =
        Placed::new(Shown::Things(vec![Thing::Number]), (51.5 - left, left + 0.4), (11.5, 4.4));
    (number.letters, number.bold, number.align, number.tone) =
        (Some(if style.large { 4.0 } else { 3.2 }), true, Align::Right, Tone::Grey);
    let rule = Placed::new(Shown::Line, (left, head_end(style)), (63.0 - 2.0 * left, 0.5));
    vec![corner, number, rule]
}

fn row_height(deck: &DeckSheet, field: FieldId, style: CardStyle) -> f64 {
    let DeckFieldKind::Numbers { from, to } = deck.fields[field].kind else { return 0.0 };
    let all = (to - from + 1) as usize;
    match style.large {
        true => 4.4 + all.div_ceil(7) as f64 * 9.2,
        false => 4.2 + all.div_ceil(12) as f64 * 11.0,
    }
}

fn kinds(pack: &Pack, deck: &DeckSheet) -> Kinds {
    let cards = 1..=deck.cards.len() as u32;
    let corner = suit::fields(deck).map_or(vec![], |(suit, rank)| vec![suit, rank]);
    let mut kinds = Kinds { rows: Vec::new(), lines: Vec::new(), flow: Vec::new() };
    if draws(pack, deck).any(|(_, step, _)| !step.again.is_empty()) {
        kinds.flow.push(Thing::Interrupts);
    }
    if cards.clone().any(|card| !tables(pack, deck, card).is_empty()) {
        kinds.flow.push(Thing::Tables);
    }
    for (place, field) in deck.fields.iter_enumerated().filter(|(place, _)| !corner.contains(place))
    {
        let longest = || {
            let long = |card| match deck.cell(card, place, None) {
                Some(adjutant_pack::CardCell::Text(text)) => {
                    text.chars().count() + if text.contains('\n') { SHORT } else { 0 }
                }
                _ => 0,
            };
            cards.clone().map(long).max().unwrap_or(0)
        };
        match &field.kind {
            DeckFieldKind::Numbers { .. } => kinds.rows.push(place),
            DeckFieldKind::Text if field.id == "text" || longest() > SHORT => {
                kinds.flow.push(Thing::Field(place))
            }
            DeckFieldKind::Choice { .. }
                if cards.clone().any(|card| ordinary(deck, card, place)) =>
            {
                kinds.flow.push(Thing::Field(place))
            }
            _ => kinds.lines.push(place),
        }
    }
    kinds
}

/// Whether nearly all cards have the same value as this one.
pub(super) fn ordinary(deck: &DeckSheet, card: u32, field: FieldId) -> bool {
    let own = deck.cell(card, field, None);
    let same =
        (1..=deck.cards.len() as u32).filter(|other| deck.cell(*other, field, None) == own).count();
    same * 5 > deck.cards.len() * 4
}
