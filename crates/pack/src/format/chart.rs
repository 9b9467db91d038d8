//! Charts: roles, questions, steps.

use super::Kind::{Either, Formula, Keys, List, Name, Named, Number, OneOrMore, Text};
use super::*;

/// Questions, those of a role in a table of their own.
pub(super) const ASK: Kind =
    Named(&Either(&[Keys(&Question::SECTION), Named(&Keys(&Question::SECTION))]));

sections! {
    /// A chart of the sheet.
    Chart "`[chart.x]`" {
        /// What it is called.
        "title" required: Text => "Shooting";
        /// What it decides.
        "about": Text => "How far a column gets.";
        /// The roles: who takes part, and the kind of each.
        "who": WHO => toml r#"{ firer = "squad", target = "squad" }"#;
        /// Pairs of roles whose units are on different sides.
        "enemies": WHO => toml r#"{ target = "firer" }"#;
        /// Roles that units of the same group take together, each with the condition on those
        /// units: each is `other`.
        "joined": Named(&Formula) => toml r#"{ attacker = "other.fp > 0" }"#;
        /// The units that a role is for; others are ruled out.
        "only": Named(&Keys(&Only::SECTION))
            => toml r#"{ firer = { when = "firer.men > 0", label = "squads with men" } }"#;
        /// The role that gets the results.
        "lands_on": Text => "target";
        /// The option without which the chart is not used.
        "needs_option": Name("option") => "fog";
        /// The readings that it depends on.
        "readings": OneOrMore(&Name("reading")) => toml r#"["ties"]"#;
        /// Small print.
        "notes": TEXTS => toml r#"["Stragglers arrive an hour later."]"#;
        /// The role for whose units it is run one after another.
        "each": Text => "figure";
        /// The title of a roll that picks one of several units: the chart is run for that one only.
        "random": Text => "Who it is";
        /// Which score comes first: highest or lowest.
        "order": Text => "highest";
        /// Results that depend on how many of the units meet a condition.
        "tally": List(&Keys(&Tally::SECTION))
            => toml r#"[ { count = "die.natural == 1", at_least = 2, result = "confusion" } ]"#;
        /// When attacks are resolved at the same time.
        "together": Formula => "not surprise";
        /// The table as the sheet prints it, to compare it.
        "printed": Keys(&Printed::SECTION)
            => toml r#"{ file = "grid.csv", down = "attacker", across = "defender" }"#;
        /// Questions to the player.
        "ask": ASK => toml r#"{ range = { number = "Range", from = 1, to = 3 } }"#;
        /// What happens, in order.
        "step": List(&Keys(&Step::SECTION)) => toml r#"[ { roll = "1d6" } ]"#;
        /// How the score becomes a result.
        "read" required: Keys(&Read::SECTION) => toml r#"{ value = "die" }"#;
    }

    /// The units that a role is for.
    Only "`only` of a chart" {
        /// The condition on the unit.
        "when" required: Formula => "firer.men > 0";
        /// The units in words, after "only for".
        "label" required: Text => "squads with men";
    }

    /// A result that depends on how many units meet a condition.
    Tally "`tally` of a chart" {
        /// What the sheet calls it.
        "label": Text => "Two or more ones";
        /// The condition on each unit.
        "count" required: Formula => "die.natural == 1";
        /// How many units must meet it; 1 without it.
        "at_least": Number => 2;
        /// The result.
        "result" required: Name("result") => "confusion";
        /// The role that the result falls on.
        "on": Text => "leader";
    }

    /// The table as the sheet prints it.
    Printed "`printed` of a chart" {
        /// The CSV file.
        "file" required: Text => "grid.csv";
        /// The question whose values go down.
        "down" required: Text => "attacker";
        /// The question whose values go across.
        "across" required: Text => "defender";
        /// The option with which the printed cells count.
        "option": Name("option") => "as_printed";
    }
}
