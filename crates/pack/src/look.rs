//! How things of a pack look, in the same way in every game: how bad a result or status is, the
//! symbol of a kind of unit, and the short label of an attribute.

use crate::value::Word;
use adjutant_dice::Text;
use serde::{Serialize, Serializer};

/// How bad a result or a status is for the unit it applies to: `harm = 0` to `3` in a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Harm {
    /// Nothing bad happens.
    None,
    /// The unit is hindered.
    Slight,
    /// The unit can do little until it recovers, or is reduced for good.
    Serious,
    /// The unit is out, or close to it.
    Severe,
}

impl Harm {
    /// All of them, from 0 to 3.
    pub const ALL: [Harm; 4] = [Harm::None, Harm::Slight, Harm::Serious, Harm::Severe];

    /// The number in the pack.
    pub fn level(self) -> u8 {
        self as u8
    }
}

impl Serialize for Harm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.level())
    }
}

/// A sign that a pack names. Pages draw it in a frame, as on maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Sign {
    Aircraft,
    AntiTank,
    Armour,
    Artillery,
    Cavalry,
    Engineers,
    Headquarters,
    Infantry,
    Leader,
    MachineGun,
    Medical,
    Mortar,
    Recon,
    Ship,
    Transport,
    Unit,
    Unknown,
    Vehicle,
}

impl Sign {
    /// All of them, by name.
    pub const ALL: [Sign; 18] = [
        Sign::Aircraft,
        Sign::AntiTank,
        Sign::Armour,
        Sign::Artillery,
        Sign::Cavalry,
        Sign::Engineers,
        Sign::Headquarters,
        Sign::Infantry,
        Sign::Leader,
        Sign::MachineGun,
        Sign::Medical,
        Sign::Mortar,
        Sign::Recon,
        Sign::Ship,
        Sign::Transport,
        Sign::Unit,
        Sign::Unknown,
        Sign::Vehicle,
    ];

    /// The name in a pack.
    pub fn name(self) -> &'static str {
        match self {
            Sign::Aircraft => "aircraft",
            Sign::AntiTank => "anti-tank",
            Sign::Armour => "armour",
            Sign::Artillery => "artillery",
            Sign::Cavalry => "cavalry",
            Sign::Engineers => "engineers",
            Sign::Headquarters => "headquarters",
            Sign::Infantry => "infantry",
            Sign::Leader => "leader",
            Sign::MachineGun => "machine-gun",
            Sign::Medical => "medical",
            Sign::Mortar => "mortar",
            Sign::Recon => "recon",
            Sign::Ship => "ship",
            Sign::Transport => "transport",
            Sign::Unit => "unit",
            Sign::Unknown => "unknown",
            Sign::Vehicle => "vehicle",
        }
    }

    /// The sign of a name.
    pub fn read(name: &str) -> Option<Sign> {
        Sign::ALL.into_iter().find(|sign| sign.name() == name)
    }
}

/// The maximum length of a symbol's path.
pub const LONGEST_PATH: usize = 1000;

/// The symbol of a kind of unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A sign that pages know.
    Named(Sign),
    /// The data of an SVG path in a square of 24 by 24.
    Path(Text),
}

impl Symbol {
    /// The name or the path, as the pack writes it.
    pub fn as_str(&self) -> &str {
        match self {
            Symbol::Named(sign) => sign.name(),
            Symbol::Path(path) => path,
        }
    }
}

/// Whether a text is meant as a path: it has numbers, and no name has.
pub(crate) fn is_meant_as_path(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// Whether a text can stand in the `d` of an SVG path: it starts with a move and holds nothing but
/// commands and numbers.
pub(crate) fn is_path(text: &str) -> bool {
    text.len() <= LONGEST_PATH
        && text.starts_with(['M', 'm'])
        && text.chars().all(|c| "MmLlHhVvCcSsQqTtAaZz0123456789.,+- ".contains(c))
}

/// How an attribute is shown where there is little room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttributeLook {
    /// A label of a few letters; empty if the full label serves.
    pub short: Text,
    /// Whether the attribute matters enough to stand on the unit's card.
    pub on_card: bool,
    /// The symbols of units by the value of this attribute.
    pub symbols: Vec<(Word, Symbol)>,
    /// Words with a label of a few letters for cards.
    pub shorts: Vec<(Word, Text)>,
}

impl AttributeLook {
    /// The label of a word where there is little room, if the pack has one.
    pub fn short_of(&self, word: Word) -> Option<&Text> {
        self.shorts.iter().find(|(known, _)| *known == word).map(|(_, short)| short)
    }
}

/// The maximum number of characters of a short label.
pub const LONGEST_SHORT: usize = 8;

#[cfg(test)]
mod tests {
    use super::{Harm, Sign, is_meant_as_path, is_path};

    #[test]
    fn paths_hold_commands_and_numbers_only() {
        assert!(is_path("M2 4h20v16H2z m0,0 L22 20 M22-4.5 2 20"));
        for wrong in
            ["h20", "M0 0\"/><script>", "M0 0 url(#a)", "", &format!("M{}", "1".repeat(1000))]
        {
            assert!(!is_path(wrong), "{wrong}");
        }
    }

    #[test]
    fn no_name_of_a_symbol_looks_like_a_path() {
        assert!(Sign::ALL.iter().all(|sign| !is_meant_as_path(sign.name())));
        assert!(Sign::ALL.is_sorted_by_key(|sign| sign.name()));
        assert!(Sign::ALL.iter().all(|sign| Sign::read(sign.name()) == Some(*sign)));
    }

    #[test]
    fn levels_are_the_places_in_the_list() {
        assert!((0..).zip(Harm::ALL).all(|(level, harm)| harm.level() == level));
    }
}
