//! Problems of keys and the types of their values.

use crate::unknown_name::UnknownName;
use adjutant_dice::{Number, Text};

problems!(
    /// A key that is unknown, missing or of the wrong type.
    KeyProblem {
        Unknown { owner: Owner, key: UnknownName } = "unknown-key",
        Misplaced { owner: Owner, key: Text } = "misplaced-key",
        NoPackSection = "no-pack-section",
        MissingText { owner: Owner, key: Text } = "missing-key",
        Missing { key: Text } = "missing-key-here",
        Empty { key: Text } = "empty-text",
        WrongType { key: Text, found: TomlType, wanted: Wanted } = "wrong-type",
        InexactNumber { key: Text } = "inexact-number",
        NotWhole { key: Text, found: Number, most: i64 } = "not-a-whole-number",
        NotAnExpression { key: Text } = "not-an-expression",
        NotAValue { key: Text } = "not-a-value",
        AmongQuestions { key: Text } = "key-among-questions",
        BelongsAbove { key: Text, part: &'static str, section: &'static str } = "key-belongs-above",
        ControlCharacter { character: char } = "control-character",
        TextTooLong { bytes: usize } = "text-too-long",
    }
);

/// The table that a key belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A whole file.
    File(&'static str),
    /// The player's own tables.
    TablesFile,
    /// A section, with its dotted path.
    Section(Text),
    /// An item with its own name, such as an attribute or a question.
    Named(Text),
    /// A field of a deck.
    DeckField(Text),
    /// The table under this key.
    Key(&'static str),
    /// An item of a list, or a table with a name in [`Part`].
    Part(Part),
}

/// What a table within a section describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Action,
    AgainRule,
    AlsoLine,
    Attributes,
    Case,
    Cell,
    Count,
    DeckFields,
    Due,
    Effect,
    Enemies,
    Joined,
    FollowUp,
    Grid,
    GridRows,
    InsteadLine,
    Modifier,
    Phase,
    PhaseLift,
    Place,
    PrintedTable,
    Question,
    RerollRule,
    Roles,
    Row,
    StartUnit,
    Step,
    Symbols,
    Shorts,
    Tally,
    UnitsLeft,
}

impl From<Part> for Owner {
    fn from(part: Part) -> Owner {
        Owner::Part(part)
    }
}

/// The type of a TOML value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TomlType {
    Text,
    Number,
    YesNo,
    Date,
    List,
    Table,
}

/// What the value of a key must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    Text,
    Number,
    YesNo,
    Expression,
    Table,
    Tables,
}

/// Items whose number is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    CardColumns,
    CardPlaces,
    Charts,
    Endings,
    Fights,
    Inputs,
    Modifiers,
    Options,
    Rows,
    Starts,
    Steps,
    Templates,
    Terms,
}

/// Items that a pack defines but does not use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unused {
    Result,
    Option,
    Memory,
    Reading,
    Input,
}
