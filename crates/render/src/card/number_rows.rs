//! A row of numbers: the head above, the card's number below. If charts read one of them as a die,
//! a die is drawn as its head, and its pips show the value.

use super::chart_data::is_die;
use super::draw_card::Card;
use super::text_fit::{fitting, minus, text, width};
use crate::draw::{Ink, Mark, Style};
use adjutant_dice::Number;
use adjutant_pack::{Align, CardCell, DeckFieldKind, FieldId, Placed};

/// How a row is broken into lines.
struct RowLayout {
    across: usize,
    lines: usize,
    letters: f64,
}

/// The number of lines that makes the numbers largest. One line is preferred to two if there is
/// little difference.
fn row_layout(all: usize, longest: &str, most: f64, (w, h): (f64, f64)) -> RowLayout {
    let mut best = RowLayout { across: all.max(1), lines: 1, letters: 0.0 };
    for lines in 1..=all.clamp(1, 12) {
        let across = all.div_ceil(lines).max(1);
        let fits = fitting(longest, most, w / across as f64 - 0.4, Style::BOLD);
        let letters = fits.min(h / lines as f64 * if lines > 1 { 0.6 } else { 0.44 });
        if letters > best.letters * 1.05 {
            best = RowLayout { across, lines, letters };
        }
    }
    best
}

impl Card<'_> {
    pub(super) fn numbers(&mut self, place: &Placed, field: FieldId) {
        let own = &self.deck.fields[field];
        let DeckFieldKind::Numbers { from, to } = own.kind else { return };
        let (label, blank) = (own.label.to_string(), own.blank.clone());
        let cell = |by: u32| match self.deck.cell(self.number, field, Some(Number::from(by))) {
            Some(CardCell::Value(found)) => found.number(),
            _ => None,
        };
        let cells: Vec<(u32, Option<Number>)> = (from..=to).map(|by| (by, cell(by))).collect();
        let shown =
            |number: Option<Number>| number.map_or(blank.clone(), |n| minus(&n.to_string()));
        let texts = cells.iter().map(|(_, number)| shown(*number)).chain([to.to_string()]);
        let longest = texts
            .max_by(|a, b| width(a, 1.0, Style::BOLD).total_cmp(&width(b, 1.0, Style::BOLD)))
            .unwrap_or_default();
        let strip = if place.bare {
            0.0
        } else {
            (place.size.1 * 0.24).min(if place.letters.is_some_and(|letters| letters > 5.0) {
                4.4
            } else {
                3.6
            })
        };
        let ((left, top), (w, h)) =
            ((place.at.0, place.at.1 + strip), (place.size.0, place.size.1 - strip));
        let row_layout = row_layout(cells.len(), &longest, place.letters.unwrap_or(4.6), (w, h));
        let (wide, high) = (w / row_layout.across as f64, h / row_layout.lines as f64);
        let head = high * if row_layout.lines > 1 { 0.38 } else { 0.42 };
        if strip > 0.0 {
            let size = fitting(&label, strip * 0.76, w, Style::PLAIN);
            self.marks.push(text(
                (left, top - strip * 0.34),
                size,
                Align::Left,
                Style::PLAIN,
                Ink::Grey,
                &label,
            ));
        }
        for line in 0..row_layout.lines {
            let count = cells.len().saturating_sub(line * row_layout.across).min(row_layout.across);
            let at = (left, top + high * line as f64);
            self.marks.push(Mark::Box {
                at,
                size: (wide * count as f64, head),
                round: 0.0,
                fill: Some(Ink::Tint),
                edge: None,
            });
        }
        let small = (row_layout.letters * 0.66).min(head * 0.76);
        for (n, (by, number)) in cells.iter().enumerate() {
            let (x, y) = (
                left + wide * (n % row_layout.across) as f64,
                top + high * (n / row_layout.across) as f64,
            );
            if self.reads(field) && self.reading.is_some_and(|reading| reading.by == Some(*by)) {
                self.highlight((x + 0.2, y + 0.2), (wide - 0.4, high - 0.4));
            }
            let middle = x + wide / 2.0;
            match number
                .and_then(Number::as_whole)
                .filter(|_| is_die(self.pack, self.deck, field, *by))
            {
                Some(face) => {
                    self.die((middle, y + head / 2.0), (head * 0.85).min(wide * 0.85), face)
                }
                None => {
                    let at = (middle, y + head / 2.0 + small * 0.36);
                    self.marks.push(text(
                        at,
                        small,
                        Align::Middle,
                        Style::PLAIN,
                        Ink::Grey,
                        &by.to_string(),
                    ));
                }
            }
            let at = (middle, y + head + (high - head) / 2.0 + row_layout.letters * 0.36);
            self.marks.push(text(
                at,
                row_layout.letters,
                Align::Middle,
                Style::BOLD,
                Ink::Black,
                &shown(*number),
            ));
        }
        for line in 0..=row_layout.lines {
            let y = top + high * line as f64;
            self.marks.push(Mark::Line {
                from: (left, y),
                to: (left + w, y),
                wide: 0.35,
                ink: Ink::Black,
            });
        }
        let spoken: Vec<String> =
            cells.iter().map(|(by, number)| format!("{by}: {}", shown(*number))).collect();
        self.says.push(format!("{label}: {}", spoken.join(", ")));
    }

    /// Draws a die that shows a face.
    fn die(&mut self, (x, y): (f64, f64), side: f64, face: i64) {
        let half = side / 2.0;
        let (at, size) = ((x - half, y - half), (side, side));
        self.marks.push(Mark::Box {
            at,
            size,
            round: side * 0.18,
            fill: Some(Ink::Paper),
            edge: Some((0.35, Ink::Black)),
        });
        let pips: &[(f64, f64)] = match face {
            1 => &[(0.0, 0.0)],
            2 => &[(-1.0, -1.0), (1.0, 1.0)],
            3 => &[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)],
            4 => &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)],
            5 => &[(-1.0, -1.0), (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
            _ => &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
        };
        for (across, down) in pips {
            self.marks.push(Mark::Disc {
                at: (x + across * side * 0.27, y + down * side * 0.27),
                radius: side * 0.105,
                ink: Ink::Black,
            });
        }
    }
}
