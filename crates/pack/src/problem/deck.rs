//! Problems of decks, their data files, and the layout of cards.

use adjutant_dice::{Number, NumberError, Text};

problems!(
    /// A problem of a deck, or of a file with one line for each card.
    DeckProblem {
        PileTaken { pile: Text } = "pile-taken",
        HandOwner { of: Text } = "hand-owner",
        HandWithoutSize = "hand-without-size",
        NoHand { deck: Text } = "no-hand",
        NoPile { deck: Text, pile: Text, piles: Vec<Text> } = "no-pile",
        AgainKept = "again-with-place",
        UserDeckTwice { deck: Text } = "user-deck-twice",
        UserDeckKey { key: &'static str } = "user-deck-key",
        UserDeckEmpty = "user-deck-empty",
        NotAUserDeck { deck: Text } = "not-a-user-deck",
        CardWithoutValue { card: u32, field: Text } = "card-without-value",
        BadCopies { card: usize, count: Text } = "bad-card-copies",
        BagOfCards { key: &'static str } = "bag-of-cards",
        BagDraw { key: &'static str } = "bag-draw",
        BagReshuffled { deck: Text } = "bag-reshuffled",
        BagNeverEmpties { deck: Text } = "bag-never-empties",
        NumbersWithoutRange { field: Text } = "numbers-without-range",
        NumbersRange { field: Text, from: u32, to: u32 } = "numbers-range",
        FieldWithoutKind { field: Text } = "deck-field-without-kind",
        MissingColumn { column: Text } = "missing-column",
        UnknownColumn { column: Text, nearest: Option<Text> } = "unknown-column",
        CardCount { found: usize } = "card-count",
        CardTwice { card: usize } = "card-twice",
        CardOrder { found: Text, wanted: usize } = "card-order",
        CellCount { card: usize, found: usize, wanted: usize } = "cell-count",
        BadCell { card: usize, column: Text, cell: Text, problem: CellProblem } = "bad-cell",
    }
);

problems!(
    /// A problem of a card file without a pack.
    CsvProblem {
        EmptyFile = "empty-file",
        NoCards = "no-cards",
        CardCount { found: usize } = "plain-card-count",
        CellCount { card: usize, found: usize, wanted: usize } = "plain-cell-count",
        ColumnWithoutName { column: usize } = "column-without-name",
        ColumnIsNumber { column: usize, name: Text } = "column-is-a-number",
        ColumnTwice { name: Text } = "column-twice",
        NoTitle { card: usize } = "card-without-title",
        BadCount { card: usize, count: Text } = "bad-card-count",
    }
);

/// Why a cell of a card cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellProblem {
    /// Not a valid number.
    Number(NumberError),
    /// Outside the range of its field.
    OutOfRange,
    /// Not one of these words.
    NotAWord(Vec<Text>),
}

problems!(
    /// A problem of a place on a card.
    LayoutProblem {
        MissingKey { key: Text } = "place-missing-key",
        NotAPair { key: Text } = "not-a-pair",
        CardSize { width: Number, height: Number } = "card-size",
        Overlap { other: usize } = "places-overlap",
        TooSmall { width: f64, height: f64 } = "place-too-small",
        OffCard { from: (f64, f64), to: (f64, f64), card: (f64, f64) } = "place-off-card",
        LetterSize { height: f64 } = "letter-size",
        HoldsNothing = "place-holds-nothing",
        HoldsSeveral = "place-holds-several",
    }
);
