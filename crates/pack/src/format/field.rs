//! Fields: questions, values of units, options and memory.

use super::Kind::{Either, Flag, Formula, Keys, List, Name, Named, Number, Text, Word};
use super::*;

/// The name of a list, words, or words with what is shown.
pub(super) const CHOICE: Kind = Either(&[Text, List(&Text), Named(&Text)]);

/// Which units are meant, seen from a role.
pub(super) const RELATION: Kind = Word(&["group", "joined", "side", "enemy", "all"]);

sections! {
    /// A box to tick, a choice or a number.
    Field "a field" {
        /// The label of a box to tick.
        "yes_no" one: Text => "Target in cover";
        /// The words, each with what is shown; a list of words; or the name of a list.
        "choice" one: CHOICE => toml r#"{ road = "Road", wood = "Wood" }"#;
        /// The label of a number.
        "number" one: Text => "Range";
        /// The label of a choice.
        "label": Text => "Ground";
        /// The least number; -1000 without it.
        "from": Number => 0;
        /// The greatest number; 1000 without it.
        "to": Number => 12;
        /// How fine a number is: 1 without it, "1/2" for halves.
        "step": Number => "1/2";
        /// The value if the player gives none; for a value by a word, one for each word.
        "default": Either(&[Formula, Named(&Formula)]) => "yes";
        /// Small print.
        "note": Text => "Count half hours.";
    }

    /// A question of a chart: a field, or a count of units.
    Question "a question: `[chart.x.ask]`, `[fight.x.ask]`": Field {
        /// Counts units on the roster of a game instead of asking.
        "count": Keys(&Count::SECTION)
            => toml r#"{ of = "squad", for = "enemy", from = "target" }"#;
    }

    /// A value of a unit: a field, or a value that is worked out from others.
    Attribute "a value: `[unit.x.has]`": Field {
        /// A label of at most 8 characters.
        "short": Text => "Skl";
        /// Whether it matters on a card.
        "on_card": Flag => toml "true";
        /// The unit's symbol by the word of a choice.
        "symbols": Named(&Text) => toml r#"{ road = "infantry" }"#;
        /// Labels of at most 8 characters for the words of a choice.
        "shorts": Named(&Text) => toml r#"{ road = "Rd" }"#;
        /// A value for each word of this list, or for each result of this chart.
        "by": CHOICE => "part";
        /// How it is worked out from other values of the `unit`. Such a value has a label only.
        "work_out" one: Formula => "unit.men * 2";
    }

    /// What the game remembers between charts: a field.
    Memory "`[memory.x]`": Field {
        /// Who has a value of its own.
        "per": Word(&["side"]) => "side";
    }

    /// A switch that players set before the game: a field.
    OptionField "`[option.x]`": Field {
        /// How certain it is.
        "standing": pack::STANDING => "house";
        /// Where it comes from.
        "origin": Text => "Rule 7";
    }

    /// Units that are counted on the roster.
    Count "`count` of a question" {
        /// The kind of unit.
        "of" required: Name("unit") => "squad";
        /// Which units, seen from the role.
        "for" required: RELATION => "enemy";
        /// The role they are seen from.
        "from" required: Text => "target";
        /// Only units for which this is true; each is `other`.
        "when": Formula => "not other.pinned";
        /// What each of them adds, instead of one.
        "sum": Formula => "other.men";
        /// The least of this over all of them.
        "least": Formula => "other.distance";
        /// The greatest of this over all of them.
        "most": Formula => "other.skill";
        /// How many there must be for a yes.
        "at_least": Number => 2;
        /// Leaves the unit in the role out.
        "others": Flag => toml "true";
        /// Counts the units that are lost instead.
        "lost": Flag => toml "true";
    }
}
