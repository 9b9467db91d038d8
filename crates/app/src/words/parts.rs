//! What the parts say that several screens are made of.

use adjutant_dice::{Number, Text};
use adjutant_engine::RollKind;
use adjutant_pack::{Pack, Relation};

/// Yes.
pub const YES: &str = "Yes";
/// No.
pub const NO: &str = "No";
/// Above the toggles.
pub const WHAT_HOLDS: &str = "What holds?";
/// A value that must be given.
pub const MISSING: &str = "needed";
/// Overrules what a unit says.
pub const CHANGE: &str = "change";
/// The pad of faces.
pub const FACES: &str = "Faces";
/// Takes the last face back.
pub const TAKE_BACK: &str = "Take the last face back";
/// Takes back the die, card or answer before this question.
pub const STEP_BACK: &str = "Go back one step";
/// Leaves what is asked.
pub const NOT_NOW: &str = "Not now";
/// A real card.
pub const DRAW_YOURSELF: &str = "Draw your card";
/// Its number.
pub const CARD_NUMBER: &str = "Number on the card";
/// Sends the number of a card.
pub const USE_CARD: &str = "Use this card";
/// Sends a number.
pub const USE_NUMBER: &str = "Use this number";
/// Not a card.
pub const NOT_A_CARD: &str = "A card is named by its number, a whole number such as 23.";
/// No odds yet.
pub const ODDS_WAIT: &str = "The odds show as soon as these are known:";
/// Odds that depend on an answer.
pub const ODDS_IF: &str = "If";
/// The mean of a number.
pub const MEAN: &str = "On average";
/// A run without a result.
pub const NOTHING_CAME: &str = "No result";
/// The order of several.
pub const ORDER: &str = "Order:";
/// Equals.
pub const AND: &str = " and ";
/// Then.
pub const THEN: &str = ", then ";
/// The score.
pub const SCORE: &str = "Score";
/// The row.
pub const ROW: &str = "row";
/// The column.
pub const COLUMN: &str = "column";
/// A throw without dice.
pub const NO_DICE: &str = "no dice";
/// The deck was reshuffled.
pub const RESHUFFLED: &str = "the deck is reshuffled";
/// The total.
pub const TOTAL: &str = "total";
/// A modifier that did not count.
pub const DID_NOT_COUNT: &str = "did not count";
/// Attacks declared together.
pub const TOGETHER: &str = "Effects of attacks declared together land together.";
/// A follow-up that cannot wait.
pub const AT_ONCE: &str = "At once:";
/// A follow-up.
pub const NEXT: &str = "Then:";
/// Options and readings behind a result.
pub const RESTS_ON: &str = "What this rests on";
/// An option.
pub const OPTION: &str = "Option";

/// A role as a heading.
pub fn role(pack: &Pack, id: &str) -> String {
    adjutant_pack::capital(&role_within(pack, id))
}

/// A role within a sentence. One that is called like a kind of unit by its letters is written as the sheet writes them: PEF.
pub fn role_within(pack: &Pack, id: &str) -> String {
    let words = pack.kinds().iter().flat_map(|kind| kind.title.split(|c: char| !c.is_alphanumeric()));
    let letters = words.filter(|word| word.len() > 1 && !word.chars().any(char::is_lowercase)).find(|word| word.eq_ignore_ascii_case(id));
    letters.map_or_else(|| id.replace(['_', '-'], " "), str::to_owned)
}

/// One of several units.
pub fn member(pack: &Pack, role: &str, member: &str) -> String {
    format!("{} {member}", self::role(pack, role))
}

/// One more unit.
pub fn add_member(pack: &Pack, role: &str) -> String {
    format!("One more {}", role_within(pack, role))
}

/// One unit less.
pub fn drop_member(pack: &Pack, role: &str, member: &str) -> String {
    format!("Without {} {member}", role_within(pack, role))
}

/// The button that lessens a number.
pub fn less(label: &str) -> String {
    format!("{label}: one less")
}

/// The button that raises a number.
pub fn more(label: &str) -> String {
    format!("{label}: one more")
}

/// The button that overrules a unit.
pub fn change(label: &str) -> String {
    format!("Change {label} for this throw")
}

/// Who says so.
pub fn from_unit(unit: &str) -> String {
    format!("from {unit}")
}

/// So many dice more or fewer.
pub fn dice_more(n: Number) -> String {
    let word = if n.abs() == Number::ONE { "die" } else { "dice" };
    format!("{} {word}", n.signed())
}

/// A die for those who cannot see it.
pub fn die(face: u32, sides: u32, counts: bool) -> String {
    let out = if counts { "" } else { ", does not count" };
    format!("{face} on a d{sides}{out}")
}

/// A face on the pad.
pub fn face(face: u32) -> String {
    face.to_string()
}

/// The head of the pad.
pub fn throw_yourself(count: u32, sides: u32) -> String {
    format!("Throw {count}d{sides}")
}

/// Which face is awaited.
pub fn face_of(next: usize, count: u32) -> String {
    if count == 1 { "tap the face".to_owned() } else { format!("face {next} of {count}") }
}

/// Why a card is drawn, or dice are thrown, again.
pub fn again(because: &str, reshuffled: bool, cards: bool) -> String {
    let shuffled = if reshuffled { "deck reshuffled, " } else { "" };
    format!("{because}: {shuffled}{} again.", if cards { "draw" } else { "throw" })
}

/// A result that holds in addition, with its label where the result alone does not tell it from others.
pub fn also(name: &str, label: Option<&Text>) -> String {
    label.map_or_else(|| format!("also: {name}"), |label| format!("also: {name} – {label}"))
}

/// More than one chart follows from a result.
pub const SEVERAL_ENDS: &str = "Several of these can come of one throw, so the chances need not add up to 100 %.";

/// Whom a result lands on.
pub fn lands_on(role: &str) -> String {
    format!("on the {role}")
}

/// Numbers that are not listed.
pub fn more_values(n: usize) -> String {
    format!("and {n} more numbers")
}

/// Numbers that are all as likely.
pub fn even(first: &str, last: &str, n: usize) -> String {
    format!("{n} numbers from {first} to {last}, each")
}

/// A card.
pub fn card(n: u32) -> String {
    format!("card {n}")
}

/// What a throw begins with.
pub fn natural(kind: RollKind, test: bool) -> &'static str {
    match kind {
        RollKind::Dice if test => "dice that count",
        RollKind::Dice => "on the dice",
        RollKind::Card => "on the card",
        RollKind::Sum => "to begin with",
    }
}

/// Other units that take a follow-up.
pub fn for_others(relation: Relation, of: &str) -> String {
    match relation {
        Relation::All => "for everybody".to_owned(),
        Relation::Group | Relation::Side | Relation::Enemy => format!("for the {} of the {of}", relation.name()),
    }
}
