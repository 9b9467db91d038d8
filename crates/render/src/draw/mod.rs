//! Drawings for screen, paper and other programs. A drawing is a list of marks, in millimetres from
//! its upper left corner. Layouts make drawings and know no format; SVG, PDF and PNG writers know
//! no layout.

mod ink;
mod low_ink;
mod svg;
mod tag;

pub use ink::Ink;
pub(crate) use svg::escaped;
pub use tag::Tag;

use std::sync::Arc;

/// A size in millimetres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    pub width: f64,
    pub height: f64,
}

/// 210 × 297 mm.
pub const A4: Size = Size { width: 210.0, height: 297.0 };
/// 8½ × 11 inches.
pub const LETTER: Size = Size { width: 215.9, height: 279.4 };

/// How a text is aligned to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// The style of letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Style {
    pub bold: bool,
    pub italic: bool,
    pub serif: bool,
}

impl Style {
    pub const PLAIN: Style = Style { bold: false, italic: false, serif: false };
    pub const BOLD: Style = Style { bold: true, italic: false, serif: false };
    pub const ITALIC: Style = Style { bold: false, italic: true, serif: false };
}

/// One mark. All numbers are millimetres from the upper left corner of the drawing.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    Box {
        /// The upper left corner.
        at: (f64, f64),
        size: (f64, f64),
        /// The radius of the corners.
        round: f64,
        fill: Option<Ink>,
        /// The width and ink of the edge.
        edge: Option<(f64, Ink)>,
    },
    Line {
        from: (f64, f64),
        to: (f64, f64),
        /// The line width.
        wide: f64,
        ink: Ink,
    },
    Disc {
        /// The centre.
        at: (f64, f64),
        radius: f64,
        ink: Ink,
    },
    /// A filled shape from a square of 100 × 100, scaled to a side.
    Shape {
        /// In SVG path syntax.
        path: &'static str,
        /// The upper left corner of the square.
        at: (f64, f64),
        /// The side of the square.
        side: f64,
        ink: Ink,
    },
    /// The outline of such a shape.
    Outline {
        /// In SVG path syntax.
        path: &'static str,
        /// The upper left corner of the square.
        at: (f64, f64),
        /// The side of the square.
        side: f64,
        /// The line width.
        wide: f64,
        ink: Ink,
    },
    /// A text on its baseline.
    Text {
        at: (f64, f64),
        /// The font size.
        size: f64,
        anchor: Anchor,
        style: Style,
        ink: Ink,
        words: String,
    },
    /// Draws nothing. It says what the texts after it are, up to the next tag.
    Tag(Tag),
    /// Another drawing inside this one: a card on a sheet of cards.
    Inset {
        /// The upper left corner.
        at: (f64, f64),
        /// Whether it is rotated by 180° about its own centre.
        turned: bool,
        drawing: Arc<Drawing>,
    },
}

/// A drawing: one side of a card, or one page.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    pub size: Size,
    /// Alternative text for screen readers.
    pub says: String,
    /// The marks, back to front.
    pub marks: Vec<Mark>,
}

impl Drawing {
    /// The drawing scaled to another size of the same proportions, by its width.
    pub fn scaled(self, to: Size) -> Drawing {
        let by = to.width / self.size.width.max(0.1);
        let p = |(x, y): (f64, f64)| (x * by, y * by);
        let one = |mark| match mark {
            Mark::Box { at, size, round, fill, edge } => Mark::Box {
                at: p(at),
                size: p(size),
                round: round * by,
                fill,
                edge: edge.map(|(wide, ink)| (wide * by, ink)),
            },
            Mark::Line { from, to, wide, ink } => {
                Mark::Line { from: p(from), to: p(to), wide: wide * by, ink }
            }
            Mark::Disc { at, radius, ink } => Mark::Disc { at: p(at), radius: radius * by, ink },
            Mark::Shape { path, at, side, ink } => {
                Mark::Shape { path, at: p(at), side: side * by, ink }
            }
            Mark::Outline { path, at, side, wide, ink } => {
                Mark::Outline { path, at: p(at), side: side * by, wide: wide * by, ink }
            }
            Mark::Text { at, size, anchor, style, ink, words } => {
                Mark::Text { at: p(at), size: size * by, anchor, style, ink, words }
            }
            Mark::Tag(tag) => Mark::Tag(tag),
            Mark::Inset { at, turned, drawing } => {
                let size =
                    Size { width: drawing.size.width * by, height: drawing.size.height * by };
                Mark::Inset {
                    at: p(at),
                    turned,
                    drawing: Arc::new(Drawing::clone(&drawing).scaled(size)),
                }
            }
        };
        Drawing { size: to, says: self.says, marks: self.marks.into_iter().map(one).collect() }
    }
}

/// The estimated width of a text, in the unit of its size, for an unknown screen font. It rather
/// overestimates. Where the font is known, on paper, `paper::Fonts` measures.
pub fn text_width(words: &str, size: f64, bold: bool) -> f64 {
    let letter = |c: char| match c {
        'i' | 'l' | 'j' | 'f' | 't' | 'I' | '.' | ',' | ':' | ';' | '!' | '\'' | '|' | ' '
        | '(' | ')' => 0.34,
        'm' | 'w' | 'M' | 'W' | '–' | '—' => 0.88,
        'r' => 0.47,
        's' | 'z' | 'c' => 0.57,
        c if c.is_ascii_uppercase() => 0.68,
        c if (c as u32) > 0x2e80 => 1.05,
        c if c.is_ascii_digit() => 0.64,
        _ => 0.6,
    };
    words.chars().map(letter).sum::<f64>() * size * if bold { 1.08 } else { 1.0 }
}
