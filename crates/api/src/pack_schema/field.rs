//! Fields: questions, attributes, options and memory.

use super::{Flag, Formula, Named, Number};
use schemars::JsonSchema;

/// A value, or one for each word of a value by a word.
#[derive(JsonSchema)]
#[schemars(untagged)]
pub(super) enum Default {
    One(Formula),
    ByWord(Named<Formula>),
}

/// A field and the keys that only this use of it has.
macro_rules! field {
    ($(#[$about:meta])* $name:ident { $($(#[$what:meta])* $key:ident: $kind:ty,)* }) => {
        $(#[$about])*
        #[derive(JsonSchema)]
        #[schemars(deny_unknown_fields)]
        pub(super) struct $name {
            /// The label of a box to tick.
            yes_no: Option<String>,
            /// The words, each with what is shown; a list of words; or the name of a [list.x].
            choice: Option<Choice>,
            /// The label of a number.
            number: Option<String>,
            /// The label of a choice.
            label: Option<String>,
            /// The least number; -1000 without it.
            from: Option<Number>,
            /// The greatest number; 1000 without it.
            to: Option<Number>,
            /// How fine a number is: 1 without it, "1/2" for halves.
            step: Option<Number>,
            /// The value if the player gives none.
            default: Option<Default>,
            /// Small print.
            note: Option<String>,
            $($(#[$what])* $key: Option<$kind>,)*
        }
    };
}

field!(
    /// A box to tick, a choice or a number: one of yes_no, choice, number.
    Field {}
);
field!(
    /// A question of a chart: one of yes_no, choice, number.
    Question {
        /// Counts units on the roster of a game instead of asking.
        count: Count,
    }
);
field!(
    /// What the game remembers: one of yes_no, choice, number.
    Memory {
        /// Who has a value of its own.
        per: Owner,
    }
);
field!(
    /// A value of a unit: one of yes_no, choice, number, work_out.
    Attribute {
        /// How it is worked out from other values of the `unit`.
        work_out: Formula,
        /// A label of at most 8 characters.
        short: String,
        /// Whether it matters on a card.
        on_card: Flag,
        /// The unit's symbol by the word of a choice.
        symbols: Named<String>,
        /// Labels of at most 8 characters for the words of a choice.
        shorts: Named<String>,
        /// A value for each word of this list, or for each result of this chart.
        by: Choice,
    }
);
field!(
    /// A switch that players set before the game: one of yes_no, choice, number.
    OptionField {
        /// How certain it is.
        standing: super::pack::Standing,
        /// Where it comes from.
        origin: String,
    }
);

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub(super) enum Owner {
    Side,
}

/// The words of a choice.
#[derive(JsonSchema)]
#[schemars(untagged)]
pub(super) enum Choice {
    List(String),
    Words(Vec<String>),
    Shown(Named<String>),
}

/// Units that are counted on the roster.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(super) struct Count {
    /// The kind of unit.
    of: String,
    #[schemars(rename = "for")]
    whose: Relation,
    /// The role they are seen from.
    from: String,
    /// Only units for which this is true; each is `other`.
    when: Option<Formula>,
    /// What each of them adds, instead of one.
    sum: Option<Formula>,
    /// The least of this over all of them.
    least: Option<Formula>,
    /// The greatest of this over all of them.
    most: Option<Formula>,
    /// How many there must be for a yes.
    at_least: Option<Number>,
    /// Leaves the unit in the role out.
    others: Option<Flag>,
    /// Counts the units that are lost instead.
    lost: Option<Flag>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub(super) enum Relation {
    Group,
    Joined,
    Side,
    Enemy,
    All,
}
