//! The sections of `pack.toml` other than charts and games.

use super::chart::{Chart, Effect, FollowUp, Instead};
use super::field::{Attribute, Choice, Memory, OptionField};
use super::game::{Ending, Fight, Start, Template, Turn};
use super::{Flag, Formula, Named, Number, OneOrMore};
use schemars::JsonSchema;

/// The quick-reference sheet of a game.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct PackFile {
    pack: Head,
    /// Words of the game, explained once.
    term: Option<Named<Term>>,
    /// Switches that players set before the game.
    option: Option<Named<OptionField>>,
    /// What the game remembers between charts.
    memory: Option<Named<Memory>>,
    /// Kinds of units.
    unit: Option<Named<Unit>>,
    /// What a unit can be.
    status: Option<Named<Status>>,
    /// What was decided where the sheet is unclear.
    reading: Option<Named<Reading>>,
    turn: Option<Turn>,
    /// Dice with faces of their own.
    die: Option<Named<Die>>,
    /// Lists of words for choices and sets.
    list: Option<Named<List>>,
    deck: Option<Named<Deck>>,
    /// What charts can say.
    result: Option<Named<Outcome>>,
    /// Tables that players fill in from their rule book.
    user_table: Option<Named<UserTable>>,
    /// Decks whose cards the players supply.
    user_deck: Option<Named<UserDeck>>,
    /// The charts of the sheet.
    chart: Option<Named<Chart>>,
    /// Charts repeated until something is decided.
    fight: Option<Named<Fight>>,
    /// Ready units.
    template: Option<Named<Template>>,
    /// Games to start with.
    start: Option<Named<Start>>,
    /// When a game is over.
    ending: Option<Named<Ending>>,
}

/// About the pack itself.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Head {
    /// Small letters, digits and hyphens.
    id: String,
    title: String,
    version: Option<String>,
    /// The author of the game.
    by: Option<String>,
    /// Where the facts come from.
    source: Option<String>,
    /// A line to show, such as "unofficial; the rule book prevails".
    notice: Option<String>,
    about: Option<String>,
    /// The version of the pack format: 2.
    format: Option<f64>,
    /// An SPDX id or expression.
    license: Option<String>,
    url: Option<String>,
    /// The language of the texts, such as "en".
    language: Option<String>,
}

/// A word of the game.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Term {
    /// As the sheet writes it.
    title: String,
    /// A sentence or two.
    text: String,
}

/// How certain an option or a reading is.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub(super) enum Standing {
    Reading,
    Derived,
    Public,
    House,
}

/// A kind of unit.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Unit {
    title: String,
    /// The name of a symbol, or the data of an SVG path.
    symbol: Option<String>,
    /// Its values.
    has: Option<Named<Attribute>>,
}

/// Something that a unit can be.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Status {
    title: String,
    /// The kind of unit, or several.
    of: OneOrMore<String>,
    means: Option<String>,
    /// How bad it is: 0 to 3.
    harm: Option<f64>,
    /// The phase at whose end it is lifted.
    ends: Option<String>,
    /// A unit that has it takes no further part.
    out: Option<Flag>,
    /// Charts that a unit that has it does not roll.
    stops: Option<OneOrMore<String>>,
}

/// A decision where the sheet is unclear.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Reading {
    text: String,
    standing: Option<Standing>,
}

/// A die with faces of its own.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Die {
    title: Option<String>,
    /// Words, numbers or a range such as "0-9".
    faces: Faces,
    /// What a face is called, its symbol and its numbers.
    face: Option<Named<Named<Formula>>>,
}

#[derive(JsonSchema)]
#[schemars(untagged)]
enum Faces {
    Range(String),
    Each(Vec<Formula>),
}

/// Words for choices: a list of words, or a title and numbers for each.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum List {
    Set(Vec<String>),
    Words(Named<Word>),
}

#[derive(JsonSchema)]
#[schemars(untagged)]
enum Word {
    Title(String),
    Fields(Named<Formula>),
}

macro_rules! deck {
    ($(#[$about:meta])* $name:ident { $($(#[$what:meta])* $key:ident: $kind:ty,)* }) => {
        $(#[$about])*
        #[derive(JsonSchema)]
        #[schemars(deny_unknown_fields)]
        struct $name {
            title: String,
            $($(#[$what])* $key: $kind,)*
            /// side: each side has one of its own.
            per: Option<String>,
            /// The text on the backs.
            back: Option<String>,
            /// The columns.
            field: Option<Named<DeckField>>,
            /// The width and height of a card in millimetres.
            card: Option<(Number, Number)>,
            /// Where things are on a card.
            place: Option<Vec<Place>>,
            /// The hands that hold its cards.
            hand: Option<Hand>,
            /// The names of its piles.
            piles: Option<OneOrMore<String>>,
            /// When the last card is drawn.
            empty: Option<Empty>,
            /// When cards go back.
            reshuffled: Option<Reshuffled>,
        }
    };
}

deck! {
    /// A deck of cards, from a CSV file, or a bag of chits.
    Deck {
        /// The CSV file with a line for each card.
        file: Option<String>,
        /// Makes it a bag without cards: the units that have a chit in it.
        chits: Option<Chits>,
    }
}

deck! {
    /// A deck whose cards the players supply.
    UserDeck {
        /// Where the cards are found.
        #[schemars(rename = "where")]
        found: Option<String>,
    }
}

/// The units that have a chit in a bag.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Chits {
    /// The kind of the units.
    of: String,
    /// A condition on each unit, which is called unit.
    when: Option<Formula>,
}

/// Hands of cards.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Hand {
    /// side or unit
    of: String,
    /// How many cards a full hand has.
    size: Number,
}

/// What happens when the last card is drawn.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Empty {
    effects: Option<Vec<Effect>>,
    next: Option<Vec<FollowUp>>,
    /// false: the deck stays empty.
    reshuffle: Option<Flag>,
}

/// What happens when cards go back.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Reshuffled {
    effects: Option<Vec<Effect>>,
    next: Option<Vec<FollowUp>>,
}

/// A column of a deck: one of number, choice, text, numbers.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct DeckField {
    number: Option<String>,
    choice: Option<Choice>,
    text: Option<String>,
    numbers: Option<String>,
    label: Option<String>,
    from: Option<Number>,
    to: Option<Number>,
    /// The mark of an empty cell.
    blank: Option<String>,
}

/// A place on a card: one of show, text, draw.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Place {
    show: Option<OneOrMore<String>>,
    text: Option<String>,
    draw: Option<String>,
    at: (Number, Number),
    size: (Number, Number),
    letters: Option<Number>,
    align: Option<String>,
    ink: Option<String>,
    bold: Option<Flag>,
    serif: Option<Flag>,
    bare: Option<Flag>,
    unusual: Option<Flag>,
}

/// Something that a chart can say.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Outcome {
    title: String,
    means: Option<String>,
    /// How bad it is: 0 to 3.
    harm: Option<f64>,
    /// The kind of unit it falls on.
    of: Option<String>,
    effects: Option<Vec<Effect>>,
    /// Charts that follow.
    next: Option<Vec<FollowUp>>,
    /// Results that replace it.
    instead: Option<Vec<Instead>>,
}

/// A table that is only in the rule book.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct UserTable {
    title: String,
    /// Where it is printed.
    #[schemars(rename = "where")]
    place: Option<String>,
    /// The question to the player while it is empty.
    ask: Option<String>,
    /// All results that it can give.
    results: Vec<String>,
    score: Option<Formula>,
    column: Option<Formula>,
}
