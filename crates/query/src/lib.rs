//! Answers a request about one pack: rolls, odds, tables over inputs, fights, samples, cards, and
//! the pack itself as data. The server, the command, the Python package and the npm package are
//! thin layers around it, so that they cannot give different answers.
//!
//! Each function takes a pack and a typed request of `adjutant_api`. What it returns can be written
//! as the JSON of `adjutant_api` with `data()`. A [`QueryError`] is data as well; its sentences and
//! its JSON are made in `error`. [`Library`] does the same for text: JSON in, JSON out.
//!
//! The layer has no clock and no luck of its own: [`Work`] brings both.

#[cfg(doctest)]
#[doc = include_str!("../../../docs/libraries.md")]
mod documents {}

mod cards;
mod error;
mod fight;
mod given;
mod idle;
mod library;
mod odds;
mod parallel;
mod plot;
mod roll;
mod sample;
mod vary;
mod work;

pub use cards::{DrawError, drawn};
pub use error::{InvalidInput, QueryError, StoppedRun};
pub use fight::{
    FightAnswer, FightBudget, FightGrid, PlayTime, fight, fight_situation, outlook, vary_fight,
};
pub use given::{RefusedInput, refuse_answers, situation};
pub use idle::Asked;
pub use library::{Library, LoadError, PackSource, check_json, load, load_files};
pub use odds::{
    ModifiersAnswer, OddsAnswer, Question, SeriesAnswer, modifiers, odds, question, times,
};
pub use roll::roll;
pub use sample::{MeanLine, Sampled, Subject, sample};
pub use vary::{Axis, Followed, OddsGrid, VaryError, outcome_name, vary};
pub use work::{Clock, Luck, Progress, Work};
