//! The cases that test a pack.

use super::chart::Row;
use super::{Flag, Formula, Named, OneOrMore};
use schemars::JsonSchema;
use serde_json::Value;

/// Examples that test a pack.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct CasesFile {
    case: Option<Vec<Case>>,
    grid: Option<Vec<Grid>>,
    /// Invented tables for cases with tables = true.
    table: Option<Named<Table>>,
    /// Invented cards for the decks that a player supplies.
    deck: Option<Named<UserDeck>>,
}

/// The cards of a deck that a player supplies.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct UserDeck {
    /// The lines of its CSV file.
    cards: String,
}

macro_rules! case {
    ($(#[$about:meta])* $name:ident { $($(#[$what:meta])* $key:ident: $kind:ty,)* }) => {
        $(#[$about])*
        #[derive(JsonSchema)]
        #[schemars(deny_unknown_fields)]
        struct $name {
            /// A sentence.
            name: String,
            chart: String,
            /// Answers to questions, values of units.
            given: Option<Named<Value>>,
            option: Option<Named<Value>>,
            memory: Option<Named<Value>>,
            /// The faces, in the order rolled.
            dice: Option<OneOrMore<Formula>>,
            /// The cards drawn.
            cards: Option<OneOrMore<Formula>>,
            /// The cards drawn before.
            gone: Option<OneOrMore<Formula>>,
            /// The cards in the hand.
            hand: Option<OneOrMore<Formula>>,
            /// Answers in the middle of the chart.
            answer: Option<Named<Value>>,
            /// Uses the invented tables.
            tables: Option<Flag>,
            $($(#[$what])* $key: $kind,)*
        }
    };
}

case!(
    /// With these inputs and faces, this is the outcome.
    Case {
        expect: Option<Expect>,
        /// Part of the sentence with which it is refused.
        refused: Option<String>,
    }
);
case!(
    /// Many cases as a table.
    Grid {
        /// What changes from line to line.
        down: String,
        /// What changes from column to column, with its values.
        across: Option<Named<Value>>,
        /// Values down, each with its cells.
        rows: Named<OneOrMore<Formula>>,
    }
);

/// What is compared.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Expect {
    result: Option<String>,
    on: Option<String>,
    column: Option<String>,
    score: Option<Formula>,
    value: Option<Formula>,
    totals: Option<Named<Formula>>,
    effects: Option<Vec<String>>,
    next: Option<Vec<String>>,
    also: Option<Vec<String>>,
    order: Option<Vec<OneOrMore<String>>>,
    results: Option<Named<String>>,
    needs: Option<String>,
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Table {
    rows: Vec<Row>,
    score: Option<Formula>,
    column: Option<Formula>,
}
