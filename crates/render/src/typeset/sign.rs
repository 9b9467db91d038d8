//! Small signs in heads: a phase of the turn as the face of a die, so that it is clear in grey.

use super::Typesetter;
use super::part::harm_width;
use crate::draw::{Ink, Mark};

/// The pips of the faces 1 to 9, on a grid of three by three.
const PIPS: [&[u8]; 9] = [
    &[4],
    &[0, 8],
    &[0, 4, 8],
    &[0, 2, 6, 8],
    &[0, 2, 4, 6, 8],
    &[0, 2, 3, 5, 6, 8],
    &[0, 2, 3, 4, 5, 6, 8],
    &[0, 1, 2, 3, 5, 6, 7, 8],
    &[0, 1, 2, 3, 4, 5, 6, 7, 8],
];

impl Typesetter<'_> {
    /// The sign of a phase, counted from 1.
    pub fn phase_sign(&self, phase: u8, (x, y): (f64, f64), side: f64) -> Vec<Mark> {
        let Some(pips) = usize::from(phase).checked_sub(1).and_then(|place| PIPS.get(place)) else {
            return Vec::new();
        };
        let (fill, edge, ink) = match self.low_ink {
            true => (None, Some((0.2, Ink::Black)), Ink::Black),
            false => (Some(Ink::Paper), None, Ink::Phase(phase - 1)),
        };
        let mut marks =
            vec![Mark::Box { at: (x, y), size: (side, side), round: side * 0.18, fill, edge }];
        marks.extend(pips.iter().map(|place| {
            let (column, row) = (f64::from(place % 3), f64::from(place / 3));
            let at = (x + side * (0.24 + 0.26 * column), y + side * (0.24 + 0.26 * row));
            Mark::Disc { at, radius: side * 0.1, ink }
        }));
        marks
    }

    /// What the bars beside results mean.
    pub fn harm_legend(&self, letters: f64) -> (Vec<Mark>, f64) {
        use super::text::{plain_piece, text};
        use crate::draw::{Anchor, Style};
        let (mut marks, mut x) = (Vec::new(), 0.0);
        let words = [
            (0, "A bar beside a result:"),
            (1, "slight"),
            (2, "serious"),
            (3, "out or close to it"),
        ];
        for (level, words) in words {
            if level > 0 {
                let wide = harm_width(level, self.size * 0.3 * 1.2);
                let (at, size) = ((x, letters * 0.15), (wide, letters));
                let fill = Some(Ink::Harm(level));
                marks.push(Mark::Box { at, size, round: 0.0, fill, edge: None });
                x += wide + 0.6;
            }
            let piece = plain_piece(words, Style::PLAIN);
            marks.push(text((x, letters * 0.98), letters, &piece, Anchor::Start));
            x += self.wide(words, letters, Style::PLAIN) + self.size * 0.7;
        }
        (marks, x)
    }
}
