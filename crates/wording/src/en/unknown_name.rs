//! Unknown names, with the known name that was most likely meant.

use adjutant_dice::Text;
use adjutant_pack::{MOST_LISTED, Noun, UnknownName, with_article};
use std::borrow::Cow;

/// How many names are listed if the list is too long.
const SAID: usize = 10;

/// A name that does not exist, and the nearest name or all that there are.
pub fn unknown_name(unknown: &UnknownName) -> String {
    format!("{}: {}", no_such_name(unknown), nearest_or_all(unknown))
}

/// A name that does not exist.
pub fn no_such_name(unknown: &UnknownName) -> String {
    let name = &unknown.name;
    match &unknown.noun {
        Noun::CardPart => format!("a card has nothing called `{name}`"),
        Noun::DataFile => format!("there is no data file `{name}` in the pack's folder"),
        Noun::Name => format!("there is no name `{name}` here"),
        Noun::Side if name.is_empty() => "the side is missing".to_owned(),
        Noun::Role(chart) => format!("chart `{chart}` has no role `{name}`"),
        noun => format!("there is no {} `{name}`", self::noun(noun)),
    }
}

/// `did you mean …?`, or the list of known names.
pub fn suggestion(unknown: &UnknownName) -> String {
    if let Some(close) = &unknown.nearest {
        return format!("did you mean `{close}`?");
    }
    let known = &unknown.known;
    match unknown.count {
        0 => "none is defined yet".into(),
        1..=MOST_LISTED => format!("there are: {}", known.join(", ")),
        n => format!("there are {n}: {}, …", known[..SAID.min(known.len())].join(", ")),
    }
}

/// `did you mean …?`, or the caller's own text about the known names.
pub fn did_you_mean(unknown: &UnknownName, otherwise: impl FnOnce(&[Text]) -> String) -> String {
    match &unknown.nearest {
        Some(close) => format!("did you mean `{close}`?"),
        None => otherwise(&unknown.known),
    }
}

/// `did you mean …?`, or `there are: …` with all known names.
pub fn nearest_or_all(unknown: &UnknownName) -> String {
    did_you_mean(unknown, |known| match known {
        [] => "there is none".to_owned(),
        known => format!("there are: {}", known.join(", ")),
    })
}

/// What the name was looked up as.
fn noun(noun: &Noun) -> Cow<'static, str> {
    Cow::Borrowed(match noun {
        Noun::WordOf(choice) => return format!("word of `{choice}`").into(),
        Noun::AttributeOf(kind) => return format!("attribute of {}", with_article(kind)).into(),
        Noun::StatusOf(kind) => return format!("status of {}", with_article(kind)).into(),
        Noun::Align => "way to align",
        Noun::Attribute => "attribute",
        Noun::CardPart => "part of a card",
        Noun::Chart => "chart",
        Noun::ChartOrFight => "chart or fight",
        Noun::Column => "column",
        Noun::DataFile => "data file",
        Noun::Decision => "decision",
        Noun::Deck => "deck",
        Noun::Die => "die",
        Noun::List => "list",
        Noun::DeckField => "field of this deck",
        Noun::DeckKeeping => "way to keep decks",
        Noun::DeckOrChart => "deck or chart",
        Noun::Drawing => "drawing",
        Noun::Due => "way to fall due",
        Noun::Fight => "fight",
        Noun::Function => "function",
        Noun::Ink => "ink",
        Noun::Input => "input",
        Noun::InputOfChart => "input of that chart",
        Noun::Key => "key",
        Noun::Memory => "memory",
        Noun::Name => "name",
        Noun::NumberAttribute => "number that such a unit has",
        Noun::Option => "option",
        Noun::Order => "order",
        Noun::Pack => "pack",
        Noun::PendingTest => "pending test",
        Noun::Phase => "phase",
        Noun::Question => "question",
        Noun::Reading => "reading",
        Noun::Relation => "relation",
        Noun::Result => "result",
        Noun::Role(_) => "role",
        Noun::RoleOfChart => "role in that chart",
        Noun::RoleOfPlay => "role in this chart",
        Noun::RoleOrInput => "role or input",
        Noun::ScoreWord => "word of the score",
        Noun::Page => "page",
        Noun::NewSide => "side of new units",
        Noun::Winner => "winner",
        Noun::Owner => "owner of a memory",
        Noun::SealedMember => "member of the sealed group",
        Noun::Side => "side",
        Noun::Sides => "word for sides",
        Noun::Standing => "standing",
        Noun::Symbol => "symbol",
        Noun::Start => "way to begin",
        Noun::Status => "status",
        Noun::Step => "step",
        Noun::Table => "table",
        Noun::Template => "template",
        Noun::Unit => "unit",
        Noun::UnitKind => "kind of unit",
        Noun::UserTable => "user table",
        Noun::UserDeck => "user deck",
    })
}
