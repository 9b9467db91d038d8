//! The raw form of a card's layout.

use crate::format;
use crate::problem::LayoutProblem;
use crate::tree::{Keys, Located, number_of};
use adjutant_dice::Number;
use toml::de::DeValue;

pub(crate) struct RawPlace {
    pub at: crate::tree::Place,
    pub show: Vec<Located<String>>,
    pub text: Option<Located<String>>,
    pub draw: Option<Located<String>>,
    pub corner: Option<Located<(Number, Number)>>,
    pub size: Option<Located<(Number, Number)>>,
    pub letters: Option<Located<Number>>,
    pub align: Option<Located<String>>,
    pub ink: Option<Located<String>>,
    pub bold: bool,
    pub serif: bool,
    pub bare: bool,
    pub unusual: bool,
}

/// Reads one place. The check decides whether it is complete and makes sense.
pub(super) fn read_place(keys: Keys<'_>) -> RawPlace {
    let place = RawPlace {
        at: keys.at.clone(),
        show: keys.texts("show"),
        text: keys.text("text"),
        draw: keys.text("draw"),
        corner: needed(&keys, "at"),
        size: needed(&keys, "size"),
        letters: keys.number("letters"),
        align: keys.text("align"),
        ink: keys.text("ink"),
        bold: keys.flag("bold"),
        serif: keys.flag("serif"),
        bare: keys.flag("bare"),
        unusual: keys.flag("unusual"),
    };
    keys.done(format::CardPlace::KEYS);
    place
}

fn needed(keys: &Keys<'_>, key: &str) -> Option<Located<(Number, Number)>> {
    if !keys.has(key) {
        keys.faults().add(&keys.at, LayoutProblem::MissingKey { key: key.into() });
    }
    pair(keys, key)
}

/// A list of two numbers.
pub(super) fn pair(keys: &Keys<'_>, key: &str) -> Option<Located<(Number, Number)>> {
    let found = keys.take(key)?;
    let numbers = match found.it {
        DeValue::Array(list) => {
            list.iter().map(|item| number_of(item.get_ref())).collect::<Option<Vec<Number>>>()
        }
        _ => None,
    };
    match numbers.as_deref() {
        Some([a, b]) => Some(Located { it: (*a, *b), at: found.at }),
        _ => {
            keys.faults().add(&found.at, LayoutProblem::NotAPair { key: key.into() });
            None
        }
    }
}
