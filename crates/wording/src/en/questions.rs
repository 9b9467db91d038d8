//! Questions that charts ask.

use super::unknown_name::did_you_mean;
use adjutant_pack::UnknownName;

/// `title` is the chart or fight for which the answer was given.
pub fn unknown_question(title: &str, unknown: &UnknownName) -> String {
    let help = did_you_mean(unknown, |keys| match keys {
        [] => "it asks none".to_owned(),
        keys => format!("it may ask: {}", keys.join(", ")),
    });
    format!("{title} asks no question `{}`: {help}", unknown.name)
}
