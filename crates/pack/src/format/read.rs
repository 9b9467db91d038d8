//! How a chart is read: rows, cells, effects and follow-ups.

use super::Kind::{Either, Flag, Formula, Keys, List, Name, Named, Plain, Text, Word};
use super::*;

/// A result, a number, or more.
const CELL: Kind = Either(&[Name("result"), Plain, Keys(&Cell::SECTION)]);
const EFFECTS: Kind = List(&Keys(&Effect::SECTION));
const NEXT: Kind = List(&Keys(&FollowUp::SECTION));

sections! {
    /// How the score becomes a result or a number.
    Read "`[chart.x.read]`" {
        /// What is looked for in the rows; the only roll, draw or sum without it.
        "score": Formula => "die - range";
        /// What selects the column.
        "column": Formula => "target.cover";
        /// What selects the page of a table from a CSV file.
        "page": Formula => "weapon";
        /// Modifiers that move the column.
        "shift": List(&Keys(&Modifier::SECTION)) => toml r#"[ { label = "Flank", plus = 1 } ]"#;
        /// What the codes in a CSV file stand for.
        "cells": Named(&CELL) => toml r#"{ K = "killed", "-" = "miss" }"#;
        /// The rows, or a CSV file with them.
        "rows": Either(&[Text, List(&Keys(&Row::SECTION))])
            => toml r#"[ { to = 3, all = "miss" }, { all = "hit" } ]"#;
        /// A number that the chart gives.
        "value": Formula => "die * 2";
        /// The unit of the value.
        "unit": Text => "miles";
        /// A sentence with {value} and other names.
        "says": Text => "Man number {value}";
        /// Plain words for the sheet, instead of the formula of the value or the score.
        "text": Text => "the dice, less the range";
        /// The table of the rule book that is used instead of rows.
        "user_table": Name("user_table") => "wounds";
        /// Additional results.
        "also": List(&Keys(&Also::SECTION))
            => toml r#"[ { result = "jam", when = "die.natural == 1" } ]"#;
        /// Changes whatever row is read.
        "effects": EFFECTS => toml r#"[ { note = "The gun has fired." } ]"#;
        /// Charts that follow whatever row is read.
        "next": NEXT => toml r#"[ { chart = "nerve" } ]"#;
    }

    /// A row: its band or condition, and a cell for each column or for all. The cells have the names
    /// of the columns; `yes` and `no` for a yes-or-no.
    Row "a row: `rows`" _ = CELL; {
        /// The least score of the row.
        "from": Formula => 5;
        /// The greatest score of the row.
        "to": Formula => 8;
        /// The score is below this.
        "below": Formula => "target.morale";
        /// The score is above this.
        "above": Formula => "target.morale";
        /// A number, a word, or a heading such as "6-8" or "12+".
        "is": Formula => "6-8";
        /// When the row counts.
        "when": Formula => "range <= 2";
        /// What the sheet calls the row.
        "label": Text => "Point blank";
        /// Plain words for the sheet, instead of the condition.
        "text": Text => "at close range";
        /// The role that the result falls on.
        "on": Text => "target";
        /// The reading that the row depends on.
        "reading": Name("reading") => "ties";
        /// What the row changes.
        "effects": EFFECTS => toml r#"[ { status = "pinned" } ]"#;
        /// The charts that follow.
        "next": NEXT => toml r#"[ { chart = "nerve" } ]"#;
        /// The cell for all columns.
        "all": CELL => "hit";
    }

    /// A result, a number, or both.
    Cell "a cell" {
        /// The result.
        "result": Name("result") => "hit";
        /// A number that the chart gives.
        "value": Formula => 3;
        /// The look-up step whose result is passed on.
        "result_of": Text => "odds";
        /// The role that the result falls on.
        "on": Text => "target";
        /// What the sheet shows in the cell.
        "label": Text => "2 hits";
        /// What the cell changes.
        "effects": EFFECTS => toml r#"[ { add = "men", by = -1 } ]"#;
        /// The charts that follow.
        "next": NEXT => toml r#"[ { chart = "nerve" } ]"#;
    }

    /// An additional result.
    Also "`also`" {
        /// When it falls; always without it.
        "when": Formula => "die.natural == 1";
        /// The result.
        "result" required: Name("result") => "jam";
        /// The role that the result falls on.
        "on": Text => "firer";
        /// What the sheet calls it.
        "label": Text => "The weapon jams";
        /// Plain words for the sheet, instead of the condition.
        "text": Text => "on a natural 1";
        /// The reading that it depends on.
        "reading": Name("reading") => "jams";
        /// What it changes.
        "effects": EFFECTS => toml r#"[ { status = "jammed" } ]"#;
        /// The charts that follow.
        "next": NEXT => toml r#"[ { chart = "repair" } ]"#;
    }

    /// A change of a unit, a number, a deck or the memory.
    Effect "an effect: `effects`" {
        /// The status that the unit gets.
        "status" one: Name("status") => "pinned";
        /// The status that the unit loses.
        "lift" one: Name("status") => "pinned";
        /// The value that is set; with `to`.
        "set" one: Text => "rank";
        /// The new value.
        "to": Formula => "private";
        /// The number that is changed; with `by`.
        "add" one: Text => "men";
        /// What is added; less than zero takes away.
        "by": Formula => -1;
        /// The memory that is set or changed; with `to` or `by`.
        "remember" one: Name("memory") => "alarm";
        /// The unit leaves the game: why.
        "leaves" one: Text => "killed";
        /// Units appear: their kind; with `count`.
        "appear" one: Name("unit") => "squad";
        /// How many units appear.
        "count": Formula => "value";
        /// The ready unit that the new units are like.
        "template": Name("template") => "veteran";
        /// Values of the new units.
        "has": Named(&Formula) => toml r#"{ men = 4 }"#;
        /// The unit beside which the new units stand: a role, or `it`.
        "where": Text => "it";
        /// New units join the enemy.
        "side": Word(&["enemy"]) => "enemy";
        /// The deck that is reshuffled.
        "reshuffle" one: Name("deck") => "fate";
        /// A sentence for the players.
        "note" one: Text => "Place a smoke marker.";
        /// When it happens.
        "when": Formula => "it.men > 1";
        /// The role that it falls on.
        "on": Text => "target";
        /// Also on every unit of its side that takes part.
        "all": Flag => toml "true";
        /// On the unit with this number in the group, in the order of the roster.
        "nth": Formula => 1;
        /// Plain words for the sheet, instead of the formulas.
        "text": Text => "loses half its men";
    }

    /// A chart that becomes due.
    FollowUp "`next`" {
        /// The chart.
        "chart" required: Name("chart") => "nerve";
        /// The reason that players are told.
        "why": Text => "A friend has fallen";
        /// Answers to its questions.
        "with": WITH => toml r#"{ losses = "value" }"#;
        /// Its roles, each with the role here, or `it`.
        "who": WHO => toml r#"{ crew = "it" }"#;
        /// Before all other pending tests.
        "now": Flag => toml "true";
        /// When it becomes due.
        "when": Formula => "it.men > 0";
        /// Which other units take it.
        "for": field::RELATION => "group";
        /// The unit from which `for` is seen; `it` without it.
        "of": Text => "target";
        /// The role that those units take.
        "role": Text => "squad";
        /// Whether all of them fill a role of several units.
        "all": Flag => toml "true";
        /// How many tests follow, or a list to go through. In `with`, `nth` is the place in the
        /// series.
        "times": Formula => "value";
        /// Plain words for the sheet, instead of the formulas.
        "text": Text => "each friend within 3 inches";
    }
}
