//! A card, drawn. What a card carries is laid out once, in millimetres, as a list of marks ([`Face`]); the screen shows them
//! as SVG, and paper can print the same. Nothing here knows a game: a suit is a word that players know, a die is a row that
//! some chart reads as one, a table beside the rank is a chart that adds the rank to one number, turned round.

mod layout;
mod read;
mod suit;

pub use read::{Told, table_of};

use sheet::{DeckSheet, Pack};
use std::fmt::Write;

/// The size of a card and how it is printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Format {
    /// Its width in millimetres.
    pub width: f64,
    /// Its height in millimetres.
    pub height: f64,
}

/// 63 × 88 mm, which sleeves are made for.
pub const POKER: Format = Format { width: 63.0, height: 88.0 };

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
    Lit,
}

impl Ink {
    fn colour(self) -> &'static str {
        match self {
            Ink::Black => "#1d1f1a",
            Ink::Grey => "#6d675a",
            Ink::Red => "#9c2415",
            Ink::Paper => "#fffdf7",
            Ink::Tint => "#eee9dc",
            Ink::Lit => "#ffd75e",
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

/// One mark on a card; all numbers are millimetres from its upper left corner.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A box: place, size, radius of its corners, what fills it, and the width and ink of its edge.
    Box {
        /// Its upper left corner.
        at: (f64, f64),
        /// Its size.
        size: (f64, f64),
        /// The radius of its corners.
        round: f64,
        /// What fills it.
        fill: Option<Ink>,
        /// Its edge.
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
    /// A text on its base line.
    Text {
        /// Where.
        at: (f64, f64),
        /// The height of its letters' body.
        size: f64,
        /// Where it stands in relation to the place.
        anchor: Anchor,
        /// Whether it is bold.
        bold: bool,
        /// Whether it is set with serifs.
        serif: bool,
        /// With what.
        ink: Ink,
        /// The words.
        words: String,
    },
}

/// One side of a card.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Its size.
    pub format: Format,
    /// What it shows, for those who cannot see it.
    pub says: String,
    /// The marks, those behind first.
    pub marks: Vec<Mark>,
}

/// What is read of a card just now: a field, and which of several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The field, by its place.
    pub field: usize,
    /// Which number, where it has several.
    pub by: Option<u32>,
}

/// The front of a card. What is read is lit.
///
/// ```
/// let pack = sheet::read_pack(&packs::files("combat-leader").unwrap(), None).unwrap();
/// let front = press::card::front(&pack, pack.deck("action").unwrap(), 20, press::card::POKER, None);
/// assert!(front.svg().contains("No. 20"));
/// ```
pub fn front(pack: &Pack, deck: &DeckSheet, number: u32, format: Format, reading: Option<Reading>) -> Face {
    layout::front(pack, deck, number, format, reading)
}

/// The back of all cards of a deck.
pub fn back(deck: &DeckSheet, format: Format) -> Face {
    layout::back(deck, format)
}

/// About how wide a text is, in the unit of its size; rather too wide than cut off.
pub(crate) fn text_width(words: &str, size: f64, bold: bool) -> f64 {
    let letter = |c: char| match c {
        'i' | 'l' | 'j' | 'f' | 't' | 'I' | '.' | ',' | ':' | ';' | '!' | '\'' | '|' | ' ' | '(' | ')' => 0.34,
        'm' | 'w' | 'M' | 'W' | '–' | '—' => 0.88,
        c if c.is_ascii_uppercase() => 0.68,
        c if (c as u32) > 0x2e80 => 1.05,
        _ => 0.56,
    };
    words.chars().map(letter).sum::<f64>() * size * if bold { 1.08 } else { 1.0 }
}

impl Face {
    /// As SVG, so large as what is around it allows.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        let Format { width, height } = self.format;
        let _ = write!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"card-face\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">",
            escaped(&self.says)
        );
        for mark in &self.marks {
            draw(&mut svg, mark);
        }
        svg + "</svg>"
    }
}

fn draw(svg: &mut String, mark: &Mark) {
    let _ = match mark {
        Mark::Box { at, size, round, fill, edge } => {
            let fill = fill.map_or("none", Ink::colour);
            let edge = edge.map_or(String::new(), |(wide, ink)| format!(" stroke=\"{}\" stroke-width=\"{wide}\"", ink.colour()));
            write!(
                svg,
                "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" rx=\"{round:.2}\" fill=\"{fill}\"{edge}/>",
                at.0, at.1, size.0, size.1
            )
        }
        Mark::Line { from, to, wide, ink } => write!(
            svg,
            "<line x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\" stroke=\"{}\" stroke-width=\"{wide}\"/>",
            from.0,
            from.1,
            to.0,
            to.1,
            ink.colour()
        ),
        Mark::Disc { at, radius, ink } => {
            write!(svg, "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{radius:.2}\" fill=\"{}\"/>", at.0, at.1, ink.colour())
        }
        Mark::Shape { path, at, side, ink } => write!(
            svg,
            "<path d=\"{path}\" fill=\"{}\" transform=\"translate({:.2} {:.2}) scale({:.4})\"/>",
            ink.colour(),
            at.0,
            at.1,
            side / 100.0
        ),
        Mark::Text { at, size, anchor, bold, serif, ink, words } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let family = if *serif { "Georgia, 'DejaVu Serif', serif" } else { "'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif" };
            let weight = if *bold { " font-weight=\"bold\"" } else { "" };
            write!(
                svg,
                "<text x=\"{:.2}\" y=\"{:.2}\" font-size=\"{size:.2}\" font-family=\"{family}\"{weight} text-anchor=\"{anchor}\" fill=\"{}\">{}</text>",
                at.0,
                at.1,
                ink.colour(),
                escaped(words)
            )
        }
    };
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
