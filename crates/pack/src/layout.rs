//! The layout of a card: a list of places, in millimetres. A pack may define one for a deck; the
//! crate `render` computes one for all others. Either way it is data, and one routine draws it.

/// The default size of a card: 63 × 88 mm, the size of common sleeves.
pub const CARD: (f64, f64) = (63.0, 88.0);
/// The minimum and maximum side of a card, in millimetres.
pub const CARD_SIDES: (f64, f64) = (20.0, 300.0);
/// The minimum and maximum letter size, in millimetres.
pub const LETTER_SIZES: (f64, f64) = (1.0, 60.0);
/// The maximum number of places on a card.
pub const MOST_PLACES: usize = 60;

/// The layout of the cards of a deck.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The size of the card, in millimetres.
    pub card: (f64, f64),
    /// The places; empty if `render` is to compute them.
    pub places: Vec<Placed>,
}

/// A rectangle on a card and what is drawn in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// What is drawn there.
    pub what: Shown,
    /// The upper left corner, in millimetres.
    pub at: (f64, f64),
    /// Width and height, in millimetres.
    pub size: (f64, f64),
    /// The maximum letter size, in millimetres; `None` for a size that suits the content.
    pub letters: Option<f64>,
    /// The alignment of the text.
    pub align: Align,
    /// Bold letters.
    pub bold: bool,
    /// Serif letters.
    pub serif: bool,
    /// Fields without their labels.
    pub bare: bool,
    /// Only informative fields: not those that are the same on nearly all cards, nor those that
    /// repeat the title.
    pub unusual: bool,
    /// The colour.
    pub tone: Tone,
}

/// What is drawn in a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// Parts of the card, one below the other.
    Things(Vec<Thing>),
    /// A text that is the same on all cards.
    Text(String),
    /// A line through the middle: across, or down if the place is higher than wide.
    Line,
    /// A frame around the place.
    Box,
}

/// A part of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// Rank and suit, or the title if the card has neither.
    Corner,
    /// The title, unless the corner already shows it.
    Title,
    /// The number of the card.
    Number,
    /// The name of the deck.
    Deck,
    /// What charts read from this card.
    Tables,
    /// What the card interrupts.
    Interrupts,
    /// A field of the deck.
    Field(crate::ids::FieldId),
}

/// The horizontal alignment of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Aligned to the left edge.
    #[default]
    Left,
    /// Centred.
    Middle,
    /// Aligned to the right edge.
    Right,
}

/// The colour of a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Black ink.
    #[default]
    Black,
    /// Grey, for what matters less.
    Grey,
    /// Red ink.
    Red,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout { card: CARD, places: Vec::new() }
    }
}

impl Placed {
    /// A place with default settings.
    pub fn new(what: Shown, at: (f64, f64), size: (f64, f64)) -> Placed {
        Placed {
            what,
            at,
            size,
            letters: None,
            align: Align::Left,
            bold: false,
            serif: false,
            bare: false,
            unusual: false,
            tone: Tone::Black,
        }
    }

    /// Whether two places overlap.
    pub fn covers(&self, other: &Placed) -> bool {
        let apart =
            |a: f64, long: f64, b: f64, wide: f64| a + long <= b + 0.01 || b + wide <= a + 0.01;
        !apart(self.at.0, self.size.0, other.at.0, other.size.0)
            && !apart(self.at.1, self.size.1, other.at.1, other.size.1)
    }
}
