//! Lines of text. A word wider than a line, or a script without spaces, is broken between letters.

use super::{Strip, Typesetter};
use crate::draw::{Anchor, Ink, Mark, Style};

/// A piece of text in one style.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    pub words: String,
    pub style: Style,
    pub ink: Ink,
}

/// A piece in black.
pub(crate) fn plain_piece(words: &str, style: Style) -> Piece {
    Piece { words: words.to_owned(), style, ink: Ink::Black }
}

/// One line: its pieces, each with its distance from the left.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Line {
    pub pieces: Vec<(f64, Piece)>,
    pub wide: f64,
}

/// The words of a text, separated where a line may be broken: not at a no-break space.
pub(crate) fn spaced(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() && c != '\u{a0}').filter(|word| !word.is_empty())
}

impl Typesetter<'_> {
    /// The width of a text.
    pub fn wide(&self, words: &str, letters: f64, style: Style) -> f64 {
        self.fonts.width(words, letters, style)
    }

    /// The width of the widest word.
    pub fn widest_word(&self, words: &str, letters: f64, style: Style) -> f64 {
        spaced(words).map(|word| self.wide(word, letters, style)).fold(0.0, f64::max)
    }

    /// Wraps pieces, with a space between each two, into lines of at most this width.
    pub fn lines(&self, pieces: &[Piece], letters: f64, width: f64) -> Vec<Line> {
        let mut lines = vec![Line::default()];
        for piece in pieces {
            for word in spaced(&piece.words) {
                for part in self.broken(word, letters, piece.style, width) {
                    self.put(&mut lines, &part, piece, letters, width);
                }
            }
        }
        lines.retain(|line| !line.pieces.is_empty());
        lines
    }

    fn put(&self, lines: &mut Vec<Line>, word: &str, piece: &Piece, letters: f64, width: f64) {
        let Some(line) = lines.last_mut() else { return };
        let fresh = |x: f64| (x, Piece { words: word.to_owned(), ..piece.clone() });
        if let Some((x, last)) = line.pieces.last_mut() {
            if last.style == piece.style && last.ink == piece.ink {
                let joined = format!("{} {word}", last.words);
                let wide = *x + self.wide(&joined, letters, piece.style);
                if wide <= width {
                    last.words = joined;
                    line.wide = wide;
                    return;
                }
            } else {
                let x = line.wide + self.wide(" ", letters, piece.style);
                let wide = x + self.wide(word, letters, piece.style);
                if wide <= width {
                    line.pieces.push(fresh(x));
                    line.wide = wide;
                    return;
                }
            }
            lines.push(Line::default());
        }
        if let Some(line) = lines.last_mut() {
            line.wide = self.wide(word, letters, piece.style);
            line.pieces.push(fresh(0.0));
        }
    }

    /// Breaks a word into parts that are no wider than a line.
    fn broken(&self, word: &str, letters: f64, style: Style, width: f64) -> Vec<String> {
        if self.wide(word, letters, style) <= width {
            return vec![word.to_owned()];
        }
        let mut parts = vec![String::new()];
        for letter in word.chars() {
            let longer = parts.last().map_or(letter.to_string(), |last| format!("{last}{letter}"));
            let fits = self.wide(&longer, letters, style) <= width;
            match parts.last_mut() {
                Some(last) if fits || last.is_empty() => *last = longer,
                _ => parts.push(letter.to_string()),
            }
        }
        parts
    }

    /// The marks of lines, from this position down.
    pub fn marks_of(&self, lines: &[Line], letters: f64, (x, y): (f64, f64)) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (place, line) in lines.iter().enumerate() {
            let base = y + self.leading(letters) * place as f64 + letters * 0.98;
            for (from, piece) in &line.pieces {
                marks.push(text((x + from, base), letters, piece, Anchor::Start));
            }
        }
        marks
    }

    /// A paragraph as strips of one line each. It may be broken after any line except the first and
    /// the last but one.
    pub fn paragraph(&self, pieces: &[Piece], letters: f64, width: f64, x: f64) -> Vec<Strip> {
        let lines = self.lines(pieces, letters, width);
        let count = lines.len();
        let strip = |(place, line): (usize, &Line)| Strip {
            height: self.leading(letters),
            marks: self.marks_of(std::slice::from_ref(line), letters, (x, 0.0)),
            keep: place == 0 && count > 1 || place + 2 == count,
            over: None,
        };
        lines.iter().enumerate().map(strip).collect()
    }
}

/// A piece on its baseline.
pub(crate) fn text(at: (f64, f64), size: f64, piece: &Piece, anchor: Anchor) -> Mark {
    Mark::Text { at, size, anchor, style: piece.style, ink: piece.ink, words: piece.words.clone() }
}
