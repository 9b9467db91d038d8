//! What can be wrong with a pack, as data. Each kind of fault has a short code that does not change when a variant is renamed.
//! What names and fields mean is said by the sentences, which are in the crate `wording` (`en/diagnostic`).
#![allow(missing_docs, reason = "the sentences in `wording` say what each variant means")]

/// Defines an enum whose variants each have a code.
macro_rules! problems {
    ($(#[$meta:meta])* $name:ident { $($variant:ident $(($($inner:ty),+))? $({ $($field:ident: $type:ty),+ $(,)? })? = $code:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $($variant $(($($inner),+))? $({ $($field: $type),+ })?),+
        }

        impl $name {
            /// A short name for the kind of fault, the same in every version.
            pub fn code(&self) -> &'static str {
                match self {
                    $($name::$variant { .. } => $code),+
                }
            }
        }
    };
}

mod chart;
mod deck;
mod expression;
mod field;
mod file;
mod game;
mod keys;
mod read;
mod result;

pub use chart::{CanNeverHold, ChainProblem, ChartProblem, Lapse, StepProblem};
pub use deck::{CellProblem, CsvProblem, DeckProblem, LayoutProblem};
pub use expression::{ExprProblem, ValueKind};
pub use field::{FieldProblem, NameProblem};
pub use file::{CaseProblem, FileProblem, TomlProblem};
pub use game::{FightProblem, TurnProblem};
pub use keys::{Counted, KeyProblem, Owner, Part, TomlType, Unused, Wanted};
pub use read::{ReadProblem, RowProblem, Scores};
pub use result::EffectProblem;

use crate::unknown_name::UnknownName;
use std::fmt;

/// What is wrong with a pack.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// A name that nothing has.
    UnknownName(UnknownName),
    /// More of something than is allowed.
    TooMany { what: Counted, most: usize, found: usize },
    /// Something that is defined and not used.
    Unused { what: Unused, name: adjutant_dice::Text },
    /// The pack defines no chart.
    NoChart,
    /// Files that cannot be read.
    File(FileProblem),
    /// A file that is not TOML.
    Toml(TomlProblem),
    /// Keys and the types of their values.
    Key(KeyProblem),
    /// Names and ids.
    Name(NameProblem),
    /// Fields: inputs, attributes, options, memory.
    Field(FieldProblem),
    /// Expressions.
    Expr(ExprProblem),
    /// Charts as a whole.
    Chart(ChartProblem),
    /// Charts that look each other up or follow each other.
    Chain(ChainProblem),
    /// Steps of a chart.
    Step(StepProblem),
    /// How a chart is read.
    Read(ReadProblem),
    /// Rows that leave a score out, or that no score reaches.
    Row(RowProblem),
    /// Effects and follow-ups of results.
    Effect(EffectProblem),
    /// Decks and data files.
    Deck(DeckProblem),
    /// A file of cards without a pack.
    Csv(CsvProblem),
    /// The places of a card.
    Layout(LayoutProblem),
    /// Fights.
    Fight(FightProblem),
    /// Phases, templates, starts and endings.
    Turn(TurnProblem),
    /// `cases.toml`.
    Case(CaseProblem),
}

impl Problem {
    /// A short name for the kind of fault, the same in every version.
    pub fn code(&self) -> &'static str {
        match self {
            Problem::UnknownName(_) => "unknown-name",
            Problem::TooMany { .. } => "too-many",
            Problem::Unused { .. } => "unused",
            Problem::NoChart => "no-chart",
            Problem::File(problem) => problem.code(),
            Problem::Toml(problem) => problem.code(),
            Problem::Key(problem) => problem.code(),
            Problem::Name(problem) => problem.code(),
            Problem::Field(problem) => problem.code(),
            Problem::Expr(problem) => problem.code(),
            Problem::Chart(problem) => problem.code(),
            Problem::Chain(problem) => problem.code(),
            Problem::Step(problem) => problem.code(),
            Problem::Read(problem) => problem.code(),
            Problem::Row(problem) => problem.code(),
            Problem::Effect(problem) => problem.code(),
            Problem::Deck(problem) => problem.code(),
            Problem::Csv(problem) => problem.code(),
            Problem::Layout(problem) => problem.code(),
            Problem::Fight(problem) => problem.code(),
            Problem::Turn(problem) => problem.code(),
            Problem::Case(problem) => problem.code(),
        }
    }
}

/// For developers: the code and the data.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {self:?}", self.code())
    }
}

impl From<UnknownName> for Problem {
    fn from(unknown: UnknownName) -> Problem {
        Problem::UnknownName(unknown)
    }
}

/// Each group of problems is a problem.
macro_rules! groups {
    ($($variant:ident($group:ty)),+ $(,)?) => {
        $(impl From<$group> for Problem {
            fn from(problem: $group) -> Problem {
                Problem::$variant(problem)
            }
        })+
    };
}

groups!(
    File(FileProblem),
    Toml(TomlProblem),
    Key(KeyProblem),
    Name(NameProblem),
    Field(FieldProblem),
    Expr(ExprProblem),
    Chart(ChartProblem),
    Chain(ChainProblem),
    Step(StepProblem),
    Read(ReadProblem),
    Row(RowProblem),
    Effect(EffectProblem),
    Deck(DeckProblem),
    Csv(CsvProblem),
    Layout(LayoutProblem),
    Fight(FightProblem),
    Turn(TurnProblem),
    Case(CaseProblem),
);
