//! Small signs in heads: the number of a phase in a box, as in the list of phases. It is clear in
//! grey, too.

use super::Typesetter;
use super::part::harm_width;
use super::text::{Piece, plain_piece, text};
use crate::draw::{Anchor, Ink, Mark, Style};

impl Typesetter<'_> {
    /// The sign of a phase, counted from 1.
    pub fn phase_sign(&self, phase: u8, (x, y): (f64, f64), side: f64) -> Vec<Mark> {
        let (fill, edge, ink) = match self.low_ink {
            true => (None, Some((0.2, Ink::Black)), Ink::Black),
            false => (Some(Ink::Paper), None, Ink::Phase(phase.saturating_sub(1))),
        };
        let piece = Piece { words: phase.to_string(), style: Style::BOLD, ink };
        let letters = side * 0.86;
        vec![
            Mark::Box { at: (x, y), size: (side, side), round: side * 0.18, fill, edge },
            text((x + side / 2.0, y + side * 0.8), letters, &piece, Anchor::Middle),
        ]
    }

    /// What the bars beside results mean.
    pub fn harm_legend(&self, letters: f64) -> (Vec<Mark>, f64) {
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
