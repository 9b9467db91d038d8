//! Names of values that a unit has by a word (`by` in the pack).

use std::borrow::Cow;

/// The id of the value for a word: `armour` for `left-arm` is `armour_left_arm`.
pub fn by_word(value: &str, word: &str) -> String {
    format!("{value}_{}", word.replace('-', "_"))
}

/// The name of a value as a player may write it: `tank.armour[left-arm]` is `tank.armour_left_arm`.
/// A name without brackets stays as it is.
pub fn value_name(name: &str) -> Cow<'_, str> {
    let inside = || name.trim_end().strip_suffix(']')?.split_once('[');
    match inside() {
        Some((value, word)) if !value.trim().is_empty() => {
            Cow::Owned(by_word(value.trim_end(), word.trim().trim_matches(['\'', '"'])))
        }
        _ => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_name_the_value_for_a_word() {
        for (written, id) in [
            ("target.armour[front]", "target.armour_front"),
            ("armour['left-arm']", "armour_left_arm"),
            ("armour[ front ]", "armour_front"),
            ("figure.2.armour[\"front\"]", "figure.2.armour_front"),
            ("armour_front", "armour_front"),
            ("[front]", "[front]"),
            ("armour]", "armour]"),
            ("", ""),
        ] {
            assert_eq!(value_name(written), id);
        }
    }
}
