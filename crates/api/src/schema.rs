//! Schemas of types from the crates below, which do not know schemas themselves. Each type here
//! stands in for the one of the same name; none is ever made.

#![allow(dead_code)]

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use std::collections::BTreeMap;

macro_rules! plain {
    ($name:ident, $schema:tt) => {
        pub struct $name;

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

plain!(Answer, { "type": ["string", "number", "boolean"], "description": "A text as players write it, a number, true or false." });
plain!(Answers, { "type": ["string", "number", "boolean", "array"], "items": { "type": ["string", "number", "boolean"] }, "description": "An answer, or a list of answers to a question that comes up several times." });
plain!(Number, { "type": ["integer", "string"], "description": "A whole number, or a fraction as text, such as 7/2." });
plain!(Resolution, { "type": "object", "description": "Every roll, modifier, score, row, result, effect and follow-up of a chart." });

/// What an input or a question accepts.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case", tag = "kind")]
pub enum Accepts {
    YesNo,
    Choice { words: Vec<ChoiceWord> },
    Number { from: Number, to: Number, step: Number },
}

#[derive(JsonSchema)]
pub struct ChoiceWord {
    /// What is given and stored.
    id: String,
    /// What is shown.
    label: String,
}

/// An exact chance.
#[derive(JsonSchema)]
pub struct Chance {
    /// As a fraction, such as `9/25`.
    exact: String,
    percent: f64,
}

/// A result with its chance.
#[derive(JsonSchema)]
pub struct OutcomeChance {
    /// The chart that gives it, if that is not the first of the chain.
    #[schemars(skip_serializing_if = "Option::is_none")]
    chart: Option<String>,
    /// The unit, where there are several.
    #[schemars(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    id: String,
    title: String,
    /// The role that it is for.
    on: Option<String>,
    #[schemars(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    chance: Chance,
}

/// The chance to act before all others.
#[derive(JsonSchema)]
pub struct FirstChance {
    /// The unit; null if several act first together.
    of: Option<String>,
    chance: Chance,
}

/// Whether all sides draw from the same decks.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
pub enum Decks {
    Shared,
    PerSide,
}

/// What consent is asked for.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
pub enum ConsentFor {
    Undo,
    Redo,
    Withdraw,
    Release,
}

plain!(Event, { "type": "object", "description": "An event of the log: docs/log-format.md." });

/// A player's part in a game.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
pub enum Seat {
    Player { side: String },
    Umpire,
    Spectator,
}

/// Whose move it is.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
pub enum WhoseMove {
    Unknown,
    Yours,
    /// The caller is asked to allow something.
    Asked,
    /// The side with the test to roll.
    Side(String),
    Any,
    /// An ending was reached.
    Over,
}

/// Something that a roll needs.
#[derive(JsonSchema)]
pub struct Missing {
    /// The name of the step, question or input.
    key: String,
    what_for: String,
    /// The unit that it is for, if the chart runs for several.
    #[schemars(default)]
    member: Option<String>,
    #[schemars(flatten)]
    wanted: Wanted,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case", tag = "wanted")]
pub enum Wanted {
    Dice {
        count: u32,
        sides: u32,
        /// The names of the faces, if they have names.
        #[schemars(default)]
        faces: Vec<String>,
    },
    Card {
        deck: String,
    },
    Answer {
        accepts: Accepts,
    },
    Input {
        accepts: Accepts,
    },
}

/// One unit, or several.
#[derive(JsonSchema)]
#[schemars(untagged)]
pub enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

plain!(RecordedInput, { "type": "object", "description": "Dice, a card or an answer, as in the log: docs/log-format.md." });
plain!(AnyEvent, {
    "type": "object",
    "minProperties": 1,
    "maxProperties": 1,
    "description": "An event as in the log: docs/log-format.md. What the server can work out may be left out."
});

/// A chart to roll.
#[derive(JsonSchema)]
pub struct PlayRequest {
    #[schemars(default)]
    chart: String,
    /// The units that take part, by role.
    #[schemars(default)]
    units: BTreeMap<String, OneOrMany>,
    /// The inputs.
    #[schemars(default)]
    given: BTreeMap<String, Answer>,
    /// The pending test that this settles.
    #[schemars(default)]
    pending: Option<String>,
    /// The side of units that appear.
    #[schemars(default)]
    new_units_side: Option<String>,
    /// The side whose deck is drawn from.
    #[schemars(default)]
    deck_side: Option<String>,
    /// Units that stay out although they could join one in a role.
    #[schemars(default)]
    left_out: Vec<String>,
    /// Roll although a status of a unit rules it out. The log records that.
    #[schemars(default)]
    anyway: bool,
}
