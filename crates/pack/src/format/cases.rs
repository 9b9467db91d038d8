//! The file `cases.toml`, and the tables and cards that a player supplies.

use super::Kind::{Any, Flag, Formula, Keys, List, Name, Named, OneOrMore, Text};
use super::*;

/// Faces or cards: one or several.
const FACES: Kind = OneOrMore(&Formula);

sections! {
    /// Examples that test a pack.
    CasesFile "`cases.toml`" {
        /// Single cases.
        "case": List(&Keys(&TestCase::SECTION))
            => toml r#"[ { name = "A six hits", chart = "shoot", dice = [6], expect = { result = "hit" } } ]"#;
        /// Many cases as tables.
        "grid": List(&Keys(&TestGrid::SECTION))
            => toml r#"[ { name = "Sums", chart = "sums", down = "x", rows = { 1 = 2 } } ]"#;
        /// Invented tables for cases with tables = true.
        "table": Named(&Keys(&PlayersTable::SECTION))
            => toml r#"{ wounds = { rows = [ { all = "light" } ] } }"#;
        /// Invented cards for the decks that a player supplies.
        "deck": Named(&Keys(&PlayersDeck::SECTION)) => toml r#"{ events = { cards = "title\nRain" } }"#;
    }

    /// The tables and cards that a player supplies.
    TablesFile "the player's tables" {
        /// The tables.
        "table": Named(&Keys(&PlayersTable::SECTION))
            => toml r#"{ wounds = { rows = [ { all = "light" } ] } }"#;
        /// The decks.
        "deck": Named(&Keys(&PlayersDeck::SECTION)) => toml r#"{ events = { cards = "title\nRain" } }"#;
    }

    /// What a case and a grid have in common.
    Given "a case" {
        /// A sentence that describes it.
        "name" required: Text => "A six hits";
        /// The chart.
        "chart" required: Name("chart") => "shoot";
        /// Answers to questions, values of units.
        "given": Named(&Any) => toml r#"{ range = 2, target = { cover = true } }"#;
        /// Options with values that are not the default.
        "option": Named(&Any) => toml r#"{ fog = true }"#;
        /// Memory with values that are not the default.
        "memory": Named(&Any) => toml r#"{ alarm = true }"#;
        /// The faces, in the order rolled.
        "dice": FACES => toml "[3, 6]";
        /// The cards drawn.
        "cards": FACES => toml "[5, 2]";
        /// The cards drawn before.
        "gone": FACES => toml "[1]";
        /// The cards in the hand.
        "hand": FACES => toml "[4, 7]";
        /// Answers in the middle of the chart; a list for several.
        "answer": Named(&Any) => toml r#"{ jam = ["no", "yes"] }"#;
        /// Uses the invented tables.
        "tables": Flag => toml "true";
    }

    /// With these inputs and faces, this is the outcome.
    TestCase "`[[case]]`": Given {
        /// The expected outcome.
        "expect": Keys(&ExpectKeys::SECTION) => toml r#"{ result = "hit" }"#;
        /// Part of the sentence with which it is refused.
        "refused": Text => "road, field or wood";
    }

    /// Many cases as a table.
    TestGrid "`[[grid]]`": Given {
        /// What changes from column to column, with its values.
        "across": Named(&Any) => toml r#"{ ammo = ["he", "ap"] }"#;
        /// What changes from line to line.
        "down" required: Text => "range";
        /// The values down, each with its cells: a value, a result or "again".
        "rows" required: Named(&FACES) => toml r#"{ 1 = ["hit", "miss"] }"#;
    }

    /// The expected outcome of a case. Only what is written is compared.
    ExpectKeys "`expect` of a case" {
        /// The result; "none" for none.
        "result": Name("result") => "hit";
        /// The role that it falls on.
        "on": Text => "target";
        /// The column that is read.
        "column": Text => "soft";
        /// The score: a number or a word.
        "score": Formula => 7;
        /// The number that the chart gives.
        "value": Formula => 6;
        /// Totals of steps.
        "totals": Named(&Formula) => toml r#"{ firer = 13 }"#;
        /// All changes except notes.
        "effects": List(&Text) => toml r#"["target: status pinned", "remember alarm +1"]"#;
        /// The charts that follow; those with `for` are left out.
        "next": List(&Text) => toml r#"["nerve"]"#;
        /// The additional results, tallies too.
        "also": List(&Text) => toml r#"["jam"]"#;
        /// The order of several units; equal ones are together.
        "order": List(&OneOrMore(&Text)) => toml r#"[["anne"], ["ben", "carl"]]"#;
        /// What each of several units got.
        "results": Named(&Text) => toml r#"{ anne = "hit" }"#;
        /// What the run stops for: a question, a step or a table of the player.
        "needs": Text => "range";
    }

    /// A table of the player.
    PlayersTable "`[table.x]`" {
        /// What is looked for in its rows, where the pack leaves it open.
        "score": Formula => "die";
        /// What selects its column, where the pack leaves it open.
        "column": Formula => "target.cover";
        /// The rows.
        "rows" required: List(&Keys(&Row::SECTION)) => toml r#"[ { all = "light" } ]"#;
    }

    /// The cards of a deck that a player supplies.
    PlayersDeck "`[deck.x]` of the player" {
        /// The lines of its CSV file.
        "cards" required: Text => "title\nRain";
    }
}
