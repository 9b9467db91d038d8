//! A card for each unit, 63 × 88 mm. A unit with more text than fits on a card continues on a
//! second one.

use super::{RosterSheet, tick, value, written};
use crate::card::POKER;
use crate::draw::{Drawing, Ink, Mark, Style};
use crate::paper::Fonts;
use crate::reference::{Amount, Part, Tone};
use crate::report::plain;
use crate::typeset::{HAIR, Piece, SMALLEST, Spacing, Strip, Typesetter, moved};
use adjutant_game::Unit;
use std::sync::Arc;

/// Lines for notes at the foot of a card.
const LINES: usize = 2;

/// The cards of all units in play, unit by unit.
pub fn cards(roster: &RosterSheet<'_>, low_ink: bool, fonts: &Fonts) -> Vec<Arc<Drawing>> {
    roster
        .units
        .iter()
        .filter(|unit| super::out(roster.pack, unit).is_none())
        .flat_map(|unit| of_unit(roster, unit, low_ink, fonts))
        .map(Arc::new)
        .collect()
}

/// The cards of one unit, with letters as large as one card allows; with closer lines if they do
/// not fit otherwise.
fn of_unit(roster: &RosterSheet<'_>, unit: &Unit, low_ink: bool, fonts: &Fonts) -> Vec<Drawing> {
    let parts = parts(roster, unit);
    let (mut size, mut spacing) = (3.0, Spacing::Usual);
    loop {
        let typesetter = Typesetter { fonts, size, least: SMALLEST, spacing, low_ink };
        let made = dealt(&typesetter, roster, unit, &parts);
        match (made.len() <= 1, size <= SMALLEST, spacing) {
            (true, ..) | (_, true, Spacing::Tight) => return made,
            (_, true, Spacing::Usual) => spacing = Spacing::Tight,
            _ => size = (size - 0.1_f64).max(SMALLEST),
        }
    }
}

fn parts(roster: &RosterSheet<'_>, unit: &Unit) -> Vec<Part> {
    let (pack, kind) = (roster.pack, &roster.pack.kinds()[unit.kind]);
    let amounts = kind.has.iter_enumerated().map(|(place, field)| Amount {
        label: field.label.to_string(),
        amount: written(pack, unit.kind, field, value(pack, unit, place)),
        ..Amount::default()
    });
    let amounts: Vec<Amount> = amounts.collect();
    let statuses =
        pack.statuses().iter_enumerated().filter(|(_, status)| status.of.contains(&unit.kind));
    // Boxes side by side; a no-break space keeps a box with its words.
    let statuses: Vec<String> = statuses
        .map(|(place, status)| {
            let title = status.title.replace(" ", "\u{a0}");
            format!("{}\u{a0}{title}\u{a0}\u{a0}", tick(unit.statuses.contains(&place)))
        })
        .collect();
    let mut parts = Vec::new();
    if !amounts.is_empty() {
        parts.push(Part::Amounts(amounts));
    }
    if !statuses.is_empty() {
        parts.push(Part::Text(Tone::Plain, statuses.join(" ")));
    }
    if !unit.notes.is_empty() {
        parts.push(Part::Text(Tone::Note, plain(&unit.notes)));
    }
    parts
}

/// Puts the strips of a unit on as many cards as needed.
fn dealt(
    typesetter: &Typesetter<'_>,
    roster: &RosterSheet<'_>,
    unit: &Unit,
    parts: &[Part],
) -> Vec<Drawing> {
    let inside = 2.5;
    let width = POKER.width - 2.0 * inside;
    let strips: Vec<Strip> =
        parts.iter().filter_map(|part| typesetter.part(part, width)).flatten().collect();
    let head = head(typesetter, roster, unit, width);
    let foot = LINES as f64 * 5.5 + 1.5;
    let bottom = POKER.height - inside - foot;
    let mut cards = Vec::new();
    let mut open = strips.as_slice();
    loop {
        let mut marks = vec![Mark::Box {
            at: (0.0, 0.0),
            size: (POKER.width, POKER.height),
            round: 0.0,
            fill: None,
            edge: Some((HAIR, Ink::Grey)),
        }];
        marks.extend(head.marks.iter().map(|mark| moved(mark, (inside, inside))));
        let mut y = inside + head.height;
        let mut taken = 0;
        for strip in open {
            if y + strip.height > bottom + 1e-6 && taken > 0 {
                break;
            }
            marks.extend(strip.marks.iter().map(|mark| moved(mark, (inside, y))));
            y += strip.height;
            taken += 1;
        }
        for line in 1..=LINES {
            let y = POKER.height - inside - (LINES - line) as f64 * 5.5;
            marks.push(Mark::Line {
                from: (inside, y),
                to: (POKER.width - inside, y),
                wide: HAIR,
                ink: Ink::Grey,
            });
        }
        cards.push(Drawing { size: POKER, says: plain(&unit.name), marks });
        open = &open[taken..];
        if open.is_empty() {
            return cards;
        }
    }
}

/// The unit's name in a bar, and its side, kind and group below.
fn head(typesetter: &Typesetter<'_>, roster: &RosterSheet<'_>, unit: &Unit, width: f64) -> Strip {
    let ink = if typesetter.low_ink { Ink::Black } else { Ink::Paper };
    let letters = 3.9;
    let serif = Style { bold: true, italic: false, serif: true };
    let lines = typesetter.lines(
        &[Piece { words: plain(&unit.name), style: serif, ink }],
        letters,
        width - 3.0,
    );
    let lines = &lines[..lines.len().min(4)];
    let high = typesetter.leading(letters) * lines.len().max(1) as f64 + 1.6;
    let side = u8::try_from(unit.side).map_or(Ink::Black, Ink::Side);
    let fill = (!typesetter.low_ink).then_some(side);
    let mut marks = vec![Mark::Box {
        at: (0.0, 0.0),
        size: (width, high),
        round: 0.8,
        fill,
        edge: Some((0.3, Ink::Black)),
    }];
    marks.extend(typesetter.marks_of(lines, letters, (1.5, 0.6)));
    let side = roster.sides.get(unit.side).cloned().unwrap_or_default();
    let of = [side, roster.pack.kinds()[unit.kind].title.to_string(), unit.group.clone()];
    let of: Vec<String> =
        of.into_iter().filter(|part| !part.is_empty()).map(|part| plain(&part)).collect();
    let small = typesetter.letters(0.95);
    let below = typesetter.lines(
        &[Piece { words: of.join(" · "), style: Style::ITALIC, ink: Ink::Black }],
        small,
        width - 1.0,
    );
    marks.extend(typesetter.marks_of(&below, small, (0.6, high + 0.4)));
    Strip {
        height: high + 0.4 + typesetter.leading(small) * below.len() as f64 + 0.8,
        marks,
        ..Strip::default()
    }
}
