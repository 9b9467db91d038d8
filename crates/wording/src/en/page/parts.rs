//! Texts of the parts that several screens share.

use adjutant_dice::{Number, Text};
use adjutant_engine::RollKind;
use adjutant_pack::{Pack, Relation};

pub const YES: &str = "Yes";
pub const NO: &str = "No";
pub const WHAT_HOLDS: &str = "Modifiers";
pub const MISSING: &str = "needed";
pub const CHANGE: &str = "change";
pub const FACES: &str = "Faces";
pub const TAKE_BACK: &str = "Undo the last face";
pub const STEP_BACK: &str = "Go back one step";
pub const NOT_NOW: &str = "Not now";
pub const DRAW_YOURSELF: &str = "Draw your card";
pub const CARD_NUMBER: &str = "Number on the card";
pub const USE_CARD: &str = "Use this card";
pub const USE_NUMBER: &str = "Use this number";
pub const NOT_A_CARD: &str = "Enter the number on the card, such as 23.";
pub const ODDS_WAIT: &str = "Odds need these inputs:";
pub const ODDS_IF: &str = "If";
pub const MEAN: &str = "On average";
pub const NOTHING_CAME: &str = "No result";
pub const ORDER: &str = "Order:";
pub const AND: &str = " and ";
pub const THEN: &str = ", then ";
pub const SCORE: &str = "Score";
pub const NO_DICE: &str = "no dice";
pub const RESHUFFLED: &str = "the deck is reshuffled";
pub const TOTAL: &str = "total";
pub const TOGETHER: &str = "Results of simultaneous attacks are applied together.";
pub const AT_ONCE: &str = "Immediately:";
pub const NEXT: &str = "Then:";
pub const RESTS_ON: &str = "Options and readings used";
pub const OPTION: &str = "Option";

/// A role as a heading.
pub fn role(pack: &Pack, id: &str) -> String {
    adjutant_pack::capital(&role_within(pack, id))
}

/// A role within a sentence. A role with the name of a kind of unit that is an abbreviation is
/// written as on the sheet: PEF.
pub fn role_within(pack: &Pack, id: &str) -> String {
    let words =
        pack.kinds().iter().flat_map(|kind| kind.title.split(|c: char| !c.is_alphanumeric()));
    let letters = words
        .filter(|word| word.len() > 1 && !word.chars().any(char::is_lowercase))
        .find(|word| word.eq_ignore_ascii_case(id));
    letters.map_or_else(|| id.replace(['_', '-'], " "), str::to_owned)
}

/// The modifiers of a roll that did not apply.
pub fn not_applied(n: usize) -> String {
    if n == 1 { "1 other did not apply".to_owned() } else { format!("{n} others did not apply") }
}

pub fn member(pack: &Pack, role: &str, member: &str) -> String {
    format!("{} {member}", self::role(pack, role))
}

pub fn add_member(pack: &Pack, role: &str) -> String {
    format!("Add a {}", role_within(pack, role))
}

pub fn drop_member(pack: &Pack, role: &str, member: &str) -> String {
    format!("Remove {} {member}", role_within(pack, role))
}

/// The button that decreases a number.
pub fn less(label: &str) -> String {
    format!("{label}: one less")
}

/// The button that increases a number.
pub fn more(label: &str) -> String {
    format!("{label}: one more")
}

/// The button that overrides a unit's value.
pub fn change(label: &str) -> String {
    format!("Change {label} for this roll")
}

/// The source of a value.
pub fn from_unit(unit: &str) -> String {
    format!("from {unit}")
}

pub fn dice_more(n: Number) -> String {
    let word = if n.abs() == Number::ONE { "die" } else { "dice" };
    format!("{} {word}", n.signed())
}

/// The description of a die for screen readers.
pub fn die(face: u32, sides: u32, counts: bool) -> String {
    let out = if counts { "" } else { ", not counted" };
    format!("{face} on a d{sides}{out}")
}

/// A face on the dice pad.
pub fn face(face: u32) -> String {
    face.to_string()
}

/// The heading of the dice pad.
pub fn roll_yourself(count: u32, sides: u32, named: bool) -> String {
    match (named, count) {
        (false, _) => format!("Roll {count}d{sides}"),
        (true, 1) => "Roll a die".to_owned(),
        (true, _) => format!("Roll {count} dice"),
    }
}

/// What a roll is for, if a chart runs for several units.
pub fn for_unit(unit: &str, what_for: &str) -> String {
    format!("{unit} – {what_for}")
}

/// Which face is entered next.
pub fn face_of(next: usize, count: u32) -> String {
    if count == 1 { "tap the face".to_owned() } else { format!("face {next} of {count}") }
}

/// Why a card is drawn, or dice are rolled, again.
pub fn again(because: &str, reshuffled: bool, cards: bool) -> String {
    let shuffled = if reshuffled { "deck reshuffled, " } else { "" };
    format!("{because}: {shuffled}{} again.", if cards { "draw" } else { "roll" })
}

/// A result that also holds, with its label if the name alone is ambiguous.
pub fn also(name: &str, label: Option<&Text>) -> String {
    label.map_or_else(|| format!("also: {name}"), |label| format!("also: {name} – {label}"))
}

pub const SEVERAL_ENDS: &str =
    "One roll can give several of these, so the chances need not add up to 100 %.";

/// The role that a result applies to.
pub fn lands_on(role: &str) -> String {
    format!("on the {role}")
}

pub fn more_values(n: usize) -> String {
    format!("and {n} more numbers")
}

/// Numbers with equal probability.
pub fn even(first: &str, last: &str, n: usize) -> String {
    format!("{n} numbers from {first} to {last}, each")
}

pub fn card(n: u32) -> String {
    format!("card {n}")
}

/// The name of a roll's unmodified number.
pub fn natural(kind: RollKind, test: bool) -> &'static str {
    match kind {
        RollKind::Dice if test => "dice that count",
        RollKind::Dice => "on the dice",
        RollKind::Card => "on the card",
        RollKind::Sum => "base value",
    }
}

/// The other units that a follow-up is for.
pub fn for_others(relation: Relation, of: &str) -> String {
    match relation {
        Relation::All => "for all units".to_owned(),
        Relation::Joined => format!("for the units with the {of}"),
        Relation::Group | Relation::Side | Relation::Enemy => {
            format!("for the {} of the {of}", relation.name())
        }
    }
}

pub const COUNT_FACES: &str = "How often did each face come up?";
pub const USE_COUNTS: &str = "Use these counts";

pub fn how_often(face: &str) -> String {
    format!("How often {face}")
}

/// The counts of faces do not add up to the number of dice.
pub fn count_wrong(found: usize, wanted: u32) -> String {
    format!("The counts add up to {found}. There are {wanted} dice.")
}

pub const TERMS: &str = "What do the words mean?";

/// A choice that was made for a roll, after who took part in it.
pub fn choice(label: &str, word: &str) -> String {
    format!(" · {label}: {word}")
}
