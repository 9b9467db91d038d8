//! Unknown names in a pack.

use adjutant_dice::Text;
use adjutant_pack::{MOST_LISTED, Noun, UnknownName};

/// How many names are listed if the list is too long.
const SAID: usize = 10;

/// A name that does not exist.
pub fn unknown_name(unknown: &UnknownName) -> String {
    let name = &unknown.name;
    match &unknown.noun {
        Noun::CardPart => format!("a card has nothing called `{name}`"),
        Noun::DataFile => format!("there is no data file `{name}` in the pack's folder"),
        Noun::Name => format!("there is no name `{name}` here"),
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
    did_you_mean(unknown, |known| format!("there are: {}", known.join(", ")))
}

/// What the name was looked up as.
pub fn noun(noun: &Noun) -> &'static str {
    match noun {
        Noun::Align => "way to align",
        Noun::Attribute => "attribute",
        Noun::CardPart => "part of a card",
        Noun::Chart => "chart",
        Noun::ChartOrFight => "chart or fight",
        Noun::Column => "column",
        Noun::DataFile => "data file",
        Noun::Decision => "decision",
        Noun::Deck => "deck",
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
        Noun::Phase => "phase",
        Noun::Question => "question",
        Noun::Reading => "reading",
        Noun::Relation => "relation",
        Noun::Result => "result",
        Noun::Role(_) => "role",
        Noun::RoleOfChart => "role in that chart",
        Noun::RoleOrInput => "role or input",
        Noun::ScoreWord => "word of the score",
        Noun::Side => "side",
        Noun::Sides => "word for sides",
        Noun::Standing => "standing",
        Noun::Status => "status",
        Noun::Step => "step",
        Noun::Table => "table",
        Noun::Template => "template",
        Noun::Unit => "unit",
        Noun::UnitKind => "unit kind",
        Noun::UserTable => "user table",
    }
}
