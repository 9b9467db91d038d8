//! A card for each unit, 63 × 88 mm, nine to a page with marks to cut along. A unit with more to say than a card holds goes on with
//! a second one.

use super::{tick, value, written};
use crate::draw::{Drawing, Ink, Mark, Size, Style};
use crate::paper::Fonts;
use crate::reference::{Amount, Item, Part, Tone};
use crate::report::plain;
use crate::set::{HAIR, Piece, Setter, Strip, moved};
use std::sync::Arc;
use table::{Table as Game, Unit};

/// The size of a roster card.
pub const CARD: Size = Size { width: 63.0, height: 88.0 };
/// Lines for remarks at the foot of a card.
const LINES: usize = 2;

/// The pages with a card for each unit that is on the table.
pub fn roster(game: &Game, paper: Size, low_ink: bool, fonts: &Fonts) -> Vec<Drawing> {
    let cards: Vec<Arc<Drawing>> = game.state().here().flat_map(|unit| cards(game, unit, low_ink, fonts)).map(Arc::new).collect();
    let (columns, rows) = ((paper.width / CARD.width) as usize, (paper.height / CARD.height) as usize);
    let left = (paper.width - CARD.width * columns as f64) / 2.0;
    let top = (paper.height - CARD.height * rows as f64) / 2.0;
    let pages = cards.chunks((columns * rows).max(1)).map(|cards| {
        let mut marks = Vec::new();
        for (place, card) in cards.iter().enumerate() {
            let at = (left + CARD.width * (place % columns) as f64, top + CARD.height * (place / columns) as f64);
            marks.push(Mark::Inset { at, turned: false, drawing: card.clone() });
        }
        marks.extend(cut_marks(paper, (left, top), (columns, rows)));
        let names: Vec<&str> = cards.iter().map(|card| card.says.as_str()).collect();
        Drawing { size: paper, says: names.join("; "), marks }
    });
    pages.collect()
}

/// Short lines in the margin.
fn cut_marks(paper: Size, (left, top): (f64, f64), (columns, rows): (usize, usize)) -> Vec<Mark> {
    let line = |from, to| Mark::Line { from, to, wide: HAIR, ink: Ink::Black };
    let reach = |margin: f64| (margin - 1.5 - 4.0_f64).max(0.5)..(margin - 1.5);
    let (beside, above) = (reach(left), reach(top));
    let mut marks = Vec::new();
    for column in 0..=columns {
        let x = left + CARD.width * column as f64;
        marks.push(line((x, above.start), (x, above.end)));
        marks.push(line((x, paper.height - above.end), (x, paper.height - above.start)));
    }
    for row in 0..=rows {
        let y = top + CARD.height * row as f64;
        marks.push(line((beside.start, y), (beside.end, y)));
        marks.push(line((paper.width - beside.end, y), (paper.width - beside.start, y)));
    }
    marks
}

/// The cards of one unit, in letters as large as one card allows.
fn cards(game: &Game, unit: &Unit, low_ink: bool, fonts: &Fonts) -> Vec<Drawing> {
    let parts = parts(game, unit);
    let mut size = 3.0;
    loop {
        let setter = Setter { fonts, size, least: 2.12, low_ink };
        let made = dealt(&setter, game, unit, &parts);
        if made.len() <= 1 || size <= 2.12 {
            return made;
        }
        size = (size - 0.1_f64).max(2.12);
    }
}

fn parts(game: &Game, unit: &Unit) -> Vec<Part> {
    let (pack, kind) = (game.pack(), &game.pack().kinds[unit.kind]);
    let amounts = kind.has.iter().enumerate().map(|(place, field)| Amount {
        label: field.label.to_string(),
        amount: written(pack, unit.kind, field, value(pack, unit, place)),
        ..Amount::default()
    });
    let amounts: Vec<Amount> = amounts.collect();
    let statuses = pack.statuses.iter().enumerate().filter(|(_, status)| status.of.contains(&unit.kind));
    let statuses: Vec<Item> = statuses
        .map(|(place, status)| Item {
            mark: tick(unit.statuses.contains(&place)).into(),
            term: String::new(),
            text: status.title.to_string(),
        })
        .collect();
    let mut parts = Vec::new();
    if !amounts.is_empty() {
        parts.push(Part::Amounts(amounts));
    }
    if !statuses.is_empty() {
        parts.push(Part::Items(statuses));
    }
    if !unit.notes.is_empty() {
        parts.push(Part::Text(Tone::Note, plain(&unit.notes)));
    }
    parts
}

/// The strips of a unit, on as many cards as they take.
fn dealt(setter: &Setter<'_>, game: &Game, unit: &Unit, parts: &[Part]) -> Vec<Drawing> {
    let inside = 2.5;
    let width = CARD.width - 2.0 * inside;
    let strips: Vec<Strip> = parts.iter().filter_map(|part| setter.part(part, width)).flatten().collect();
    let head = head(setter, game, unit, width);
    let foot = LINES as f64 * 5.5 + 1.5;
    let bottom = CARD.height - inside - foot;
    let mut cards = Vec::new();
    let mut open = strips.as_slice();
    loop {
        let mut marks =
            vec![Mark::Box { at: (0.0, 0.0), size: (CARD.width, CARD.height), round: 0.0, fill: None, edge: Some((HAIR, Ink::Grey)) }];
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
            let y = CARD.height - inside - (LINES - line) as f64 * 5.5;
            marks.push(Mark::Line { from: (inside, y), to: (CARD.width - inside, y), wide: HAIR, ink: Ink::Grey });
        }
        cards.push(Drawing { size: CARD, says: plain(&unit.name), marks });
        open = &open[taken..];
        if open.is_empty() {
            return cards;
        }
    }
}

/// The unit's name in a bar, its side, kind and group under it.
fn head(setter: &Setter<'_>, game: &Game, unit: &Unit, width: f64) -> Strip {
    let ink = if setter.low_ink { Ink::Black } else { Ink::Paper };
    let letters = 3.9;
    let serif = Style { bold: true, italic: false, serif: true };
    let lines = setter.lines(&[Piece { words: plain(&unit.name), style: serif, ink }], letters, width - 3.0);
    let lines = &lines[..lines.len().min(4)];
    let high = setter.leading(letters) * lines.len().max(1) as f64 + 1.6;
    let fill = (!setter.low_ink).then_some(Ink::Black);
    let mut marks = vec![Mark::Box { at: (0.0, 0.0), size: (width, high), round: 0.8, fill, edge: Some((0.3, Ink::Black)) }];
    marks.extend(setter.marks_of(lines, letters, (1.5, 0.6)));
    let side = game.sides().get(unit.side).cloned().unwrap_or_default();
    let of = [side, game.pack().kinds[unit.kind].title.to_string(), unit.group.clone()];
    let of: Vec<String> = of.into_iter().filter(|part| !part.is_empty()).map(|part| plain(&part)).collect();
    let small = setter.letters(0.95);
    let below = setter.lines(&[Piece { words: of.join(" · "), style: Style::ITALIC, ink: Ink::Black }], small, width - 1.0);
    marks.extend(setter.marks_of(&below, small, (0.6, high + 0.4)));
    Strip { height: high + 0.4 + setter.leading(small) * below.len() as f64 + 0.8, marks, ..Strip::default() }
}
