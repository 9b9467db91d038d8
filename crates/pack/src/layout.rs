//! Where things stand on a card: a list of places, in millimetres. A pack may give one for a deck; the press works one out
//! for all others. Either way it is data, and one routine draws it.

/// The size of a card when the pack does not say: 63 × 88 mm, which sleeves are made for.
pub const CARD: (f64, f64) = (63.0, 88.0);
/// The least and the greatest side of a card, in millimetres.
pub const CARD_SIDES: (f64, f64) = (20.0, 300.0);
/// The least and the greatest size of letters, in millimetres.
pub const LETTER_SIZES: (f64, f64) = (1.0, 60.0);
/// The most places of a card.
pub const MOST_PLACES: usize = 60;

/// Where things stand on the cards of a deck.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The size of the card that the places are measured on, in millimetres.
    pub card: (f64, f64),
    /// The places; none if the press is to find them.
    pub places: Vec<Placed>,
}

/// One place of a card.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// What stands there.
    pub what: Shown,
    /// The upper left corner, in millimetres.
    pub at: (f64, f64),
    /// Width and height, in millimetres.
    pub size: (f64, f64),
    /// The greatest size of letters, in millimetres; none for what suits the thing.
    pub letters: Option<f64>,
    /// To which side.
    pub align: Align,
    /// Bold letters.
    pub bold: bool,
    /// Letters with serifs.
    pub serif: bool,
    /// A field without its label.
    pub bare: bool,
    /// Only fields that tell something: not what nearly all cards say, nor what the title says.
    pub unusual: bool,
    /// With what.
    pub tone: Tone,
}

/// What stands in a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// Things of the card, one below the other.
    Things(Vec<Thing>),
    /// A text that is the same on all cards.
    Text(String),
    /// A line across the place, in its middle; down it if it is higher than wide.
    Line,
    /// A frame around the place.
    Box,
}

/// A thing that a card carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// Rank and suit; the title where a card has none.
    Corner,
    /// The title, where the corner is not the title.
    Title,
    /// The card's number.
    Number,
    /// The deck's name.
    Deck,
    /// What charts read with this card.
    Tables,
    /// What the card interrupts.
    Interrupts,
    /// A field, by its place.
    Field(crate::ids::FieldId),
}

/// To which side of its place a text stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Left.
    #[default]
    Left,
    /// In the middle.
    Middle,
    /// Right.
    Right,
}

/// What a place is drawn with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Black.
    #[default]
    Black,
    /// Grey, for what matters less.
    Grey,
    /// Red.
    Red,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout { card: CARD, places: Vec::new() }
    }
}

impl Placed {
    /// A place with nothing special about it.
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

    /// Whether two places cover each other.
    pub fn covers(&self, other: &Placed) -> bool {
        let apart = |a: f64, long: f64, b: f64, wide: f64| a + long <= b + 0.01 || b + wide <= a + 0.01;
        !apart(self.at.0, self.size.0, other.at.0, other.size.0) && !apart(self.at.1, self.size.1, other.at.1, other.size.1)
    }
}
