//! One drawing for screen, paper and other programs. A drawing is a list of marks, in millimetres from its upper left corner;
//! SVG and PDF are two ways of writing it down. Layouts make drawings and know no format; formats write drawings and know no
//! layout.

mod low_ink;
mod svg;

pub(crate) use svg::escaped;

use std::sync::Arc;

/// A size in millimetres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// The width in millimetres.
    pub width: f64,
    /// The height in millimetres.
    pub height: f64,
}

/// 210 × 297 mm.
pub const A4: Size = Size { width: 210.0, height: 297.0 };
/// 8½ × 11 inches.
pub const LETTER: Size = Size { width: 215.9, height: 279.4 };

/// What a mark is drawn with. There are few, so that black and white serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Text and lines.
    Black,
    /// Hairlines and what matters less.
    Grey,
    /// The red suits, and what interrupts.
    Red,
    /// The card itself.
    Paper,
    /// A tint behind heads.
    Tint,
    /// What is read just now.
    Highlight,
}

impl Ink {
    /// Red, green and blue.
    pub fn colour(self) -> [u8; 3] {
        match self {
            Ink::Black => [0x1d, 0x1f, 0x1a],
            Ink::Grey => [0x6d, 0x67, 0x5a],
            Ink::Red => [0x9c, 0x24, 0x15],
            Ink::Paper => [0xff, 0xfd, 0xf7],
            Ink::Tint => [0xee, 0xe9, 0xdc],
            Ink::Highlight => [0xff, 0xd7, 0x5e],
        }
    }
}

/// Where a text stands in relation to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// How letters look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Style {
    /// Bold or not.
    pub bold: bool,
    /// Slanted or not.
    pub italic: bool,
    /// With serifs or without.
    pub serif: bool,
}

impl Style {
    /// Upright and light.
    pub const PLAIN: Style = Style { bold: false, italic: false, serif: false };
    /// Bold.
    pub const BOLD: Style = Style { bold: true, italic: false, serif: false };
    /// Slanted.
    pub const ITALIC: Style = Style { bold: false, italic: true, serif: false };
}

/// One mark; all numbers are millimetres from the upper left corner of its drawing.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A box.
    Box {
        /// Its upper left corner.
        at: (f64, f64),
        /// Its size.
        size: (f64, f64),
        /// The radius of its corners.
        round: f64,
        /// What fills it.
        fill: Option<Ink>,
        /// The width and ink of its edge.
        edge: Option<(f64, Ink)>,
    },
    /// A line.
    Line {
        /// From here.
        from: (f64, f64),
        /// To here.
        to: (f64, f64),
        /// How wide.
        wide: f64,
        /// With what.
        ink: Ink,
    },
    /// A disc.
    Disc {
        /// Its middle.
        at: (f64, f64),
        /// Its radius.
        radius: f64,
        /// With what.
        ink: Ink,
    },
    /// A shape in a square of 100, set at a place and so large.
    Shape {
        /// The path, as SVG writes it.
        path: &'static str,
        /// The upper left corner of its square.
        at: (f64, f64),
        /// The side of its square.
        side: f64,
        /// With what.
        ink: Ink,
    },
    /// The outline of such a shape.
    Outline {
        /// The path, as SVG writes it.
        path: &'static str,
        /// The upper left corner of its square.
        at: (f64, f64),
        /// The side of its square.
        side: f64,
        /// How wide the line is.
        wide: f64,
        /// With what.
        ink: Ink,
    },
    /// A text on its base line.
    Text {
        /// Where.
        at: (f64, f64),
        /// The height of its letters' body.
        size: f64,
        /// Where it stands in relation to the place.
        anchor: Anchor,
        /// How its letters look.
        style: Style,
        /// With what.
        ink: Ink,
        /// The words.
        words: String,
    },
    /// Another drawing, set into this one: a card on a sheet of cards.
    Inset {
        /// Where its upper left corner is.
        at: (f64, f64),
        /// Whether it stands on its head, turned about its own middle.
        turned: bool,
        /// What is set in.
        drawing: Arc<Drawing>,
    },
}

/// A drawing: one side of a card, one page of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Its size.
    pub size: Size,
    /// What it shows, for those who cannot see it.
    pub says: String,
    /// The marks, those behind first.
    pub marks: Vec<Mark>,
}

impl Drawing {
    /// The same drawing in another size of the same proportions: everything grows or shrinks with the width.
    pub fn scaled(self, to: Size) -> Drawing {
        let by = to.width / self.size.width.max(0.1);
        let p = |(x, y): (f64, f64)| (x * by, y * by);
        let one = |mark| match mark {
            Mark::Box { at, size, round, fill, edge } => {
                Mark::Box { at: p(at), size: p(size), round: round * by, fill, edge: edge.map(|(wide, ink)| (wide * by, ink)) }
            }
            Mark::Line { from, to, wide, ink } => Mark::Line { from: p(from), to: p(to), wide: wide * by, ink },
            Mark::Disc { at, radius, ink } => Mark::Disc { at: p(at), radius: radius * by, ink },
            Mark::Shape { path, at, side, ink } => Mark::Shape { path, at: p(at), side: side * by, ink },
            Mark::Outline { path, at, side, wide, ink } => Mark::Outline { path, at: p(at), side: side * by, wide: wide * by, ink },
            Mark::Text { at, size, anchor, style, ink, words } => Mark::Text { at: p(at), size: size * by, anchor, style, ink, words },
            Mark::Inset { at, turned, drawing } => {
                let size = Size { width: drawing.size.width * by, height: drawing.size.height * by };
                Mark::Inset { at: p(at), turned, drawing: Arc::new(Drawing::clone(&drawing).scaled(size)) }
            }
        };
        Drawing { size: to, says: self.says, marks: self.marks.into_iter().map(one).collect() }
    }
}

/// About how wide a text is, in the unit of its size, whatever font a screen has for it; rather too wide than cut off. Where
/// the font is known, on paper, `paper::Fonts` measures it.
pub fn text_width(words: &str, size: f64, bold: bool) -> f64 {
    let letter = |c: char| match c {
        'i' | 'l' | 'j' | 'f' | 't' | 'I' | '.' | ',' | ':' | ';' | '!' | '\'' | '|' | ' ' | '(' | ')' => 0.34,
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
