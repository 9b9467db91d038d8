//! What can be wrong with a pack, as data. Each kind of problem has a short code that does not
//! change when a variant is renamed. The sentences in the crate `wording` (`en/diagnostic`) say
//! what the names and fields mean.
#![allow(missing_docs, reason = "the sentences in `wording` say what each variant means")]

/// Defines an enum with a code for each variant.
macro_rules! problems {
    ($(#[$meta:meta])* $name:ident { $($variant:ident $(($($inner:ty),+))? $({ $($field:ident: $type:ty),+ $(,)? })? = $code:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $($variant $(($($inner),+))? $({ $($field: $type),+ })?),+
        }

        impl $name {
            /// A short code for the kind of problem. It is the same in every version.
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
mod die;
mod expression;
mod field;
mod file;
mod game;
mod head;
mod keys;
mod read;
mod result;
mod term;

pub use chart::{CanNeverHold, ChainProblem, ChartProblem, Lapse, StepProblem};
pub use deck::{CellProblem, CsvProblem, DeckProblem, LayoutProblem};
pub use die::{DieProblem, RollProblem};
pub use expression::{ExprProblem, ExprSlip, ValueKind};
pub use field::{FieldProblem, NameProblem};
pub use file::{CaseProblem, FileProblem, NewToml, TomlProblem, TomlSlip};
pub use game::{FightProblem, TurnProblem};
pub use head::HeadProblem;
pub use keys::{Counted, KeyProblem, Owner, Part, TomlType, Unused, Wanted};
pub use read::{ReadProblem, RowProblem, Scores, TablePart};
pub use result::EffectProblem;
pub use term::TermProblem;

use crate::unknown_name::UnknownName;
use std::fmt;

/// What is wrong with a pack.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// A name that is not defined.
    UnknownName(UnknownName),
    /// More items than the limit allows.
    TooMany { what: Counted, most: usize, found: usize },
    /// An item that is defined but not used.
    Unused { what: Unused, name: adjutant_dice::Text },
    /// The pack defines no chart.
    NoChart,
    /// A file cannot be read.
    File(FileProblem),
    /// A TOML syntax error.
    Toml(TomlProblem),
    /// A key, or the type of its value.
    Key(KeyProblem),
    /// The section `[pack]`.
    Head(HeadProblem),
    /// A name or an id.
    Name(NameProblem),
    /// A field: an input, attribute, option or memory.
    Field(FieldProblem),
    /// An expression.
    Expr(ExprProblem),
    /// A chart as a whole.
    Chart(ChartProblem),
    /// Charts that look up or follow each other.
    Chain(ChainProblem),
    /// A step of a chart.
    Step(StepProblem),
    /// A die or a list.
    Die(DieProblem),
    /// A roll of dice.
    Roll(RollProblem),
    /// How a chart is read.
    Read(ReadProblem),
    /// Rows that miss a score, or that no score reaches.
    Row(RowProblem),
    /// An effect or a follow-up of a result.
    Effect(EffectProblem),
    /// A term of the glossary.
    Term(TermProblem),
    /// A deck or a data file.
    Deck(DeckProblem),
    /// A card file without a pack.
    Csv(CsvProblem),
    /// The layout of a card.
    Layout(LayoutProblem),
    /// A fight.
    Fight(FightProblem),
    /// A phase, a template, a start or an ending.
    Turn(TurnProblem),
    /// A test case in `cases.toml`.
    Case(CaseProblem),
}

impl Problem {
    /// A short code for the kind of problem. It is the same in every version.
    pub fn code(&self) -> &'static str {
        match self {
            Problem::UnknownName(_) => "unknown-name",
            Problem::TooMany { .. } => "too-many",
            Problem::Unused { .. } => "unused",
            Problem::NoChart => "no-chart",
            Problem::File(problem) => problem.code(),
            Problem::Toml(problem) => problem.code(),
            Problem::Key(problem) => problem.code(),
            Problem::Head(problem) => problem.code(),
            Problem::Name(problem) => problem.code(),
            Problem::Field(problem) => problem.code(),
            Problem::Expr(problem) => problem.code(),
            Problem::Chart(problem) => problem.code(),
            Problem::Chain(problem) => problem.code(),
            Problem::Step(problem) => problem.code(),
            Problem::Die(problem) => problem.code(),
            Problem::Roll(problem) => problem.code(),
            Problem::Read(problem) => problem.code(),
            Problem::Row(problem) => problem.code(),
            Problem::Effect(problem) => problem.code(),
            Problem::Term(problem) => problem.code(),
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

/// Converts each group of problems into a [`Problem`].
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
    Head(HeadProblem),
    Name(NameProblem),
    Field(FieldProblem),
    Expr(ExprProblem),
    Chart(ChartProblem),
    Chain(ChainProblem),
    Step(StepProblem),
    Die(DieProblem),
    Roll(RollProblem),
    Read(ReadProblem),
    Row(RowProblem),
    Effect(EffectProblem),
    Term(TermProblem),
    Deck(DeckProblem),
    Csv(CsvProblem),
    Layout(LayoutProblem),
    Fight(FightProblem),
    Turn(TurnProblem),
    Case(CaseProblem),
);
