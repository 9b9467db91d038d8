//! The file `pack.toml` and its sections other than charts, decks and games.

use super::Kind::{Either, Flag, Formula, Keys, List, Name, Named, OneOrMore, Plain, Text, Word};
use super::*;

/// How certain an option or a reading is.
pub(super) const STANDING: Kind = Word(&["reading", "derived", "public", "house"]);

/// A list of words, or a title or more for each.
const WORDS: Kind = Either(&[List(&Text), Named(&Either(&[Text, Keys(&ListWord::SECTION)]))]);

sections! {
    /// The quick-reference sheet of a game.
    PackFile "`pack.toml`" {
        /// About the pack itself.
        "pack" required: Keys(&Head::SECTION) => toml r#"{ id = "my-game", title = "My game" }"#;
        /// Words of the game, explained once.
        "term": Named(&Keys(&Term::SECTION))
            => toml r#"{ los = { title = "LOS", text = "Line of sight." } }"#;
        /// Switches that players set before the game.
        "option": Named(&Keys(&OptionField::SECTION))
            => toml r#"{ fog = { yes_no = "Fog", standing = "public", origin = "Rule 7" } }"#;
        /// What the game remembers between charts.
        "memory": Named(&Keys(&Memory::SECTION)) => toml r#"{ alarm = { yes_no = "Alarm" } }"#;
        /// Kinds of units.
        "unit": Named(&Keys(&Unit::SECTION)) => toml r#"{ squad = { title = "Squad" } }"#;
        /// Statuses that a unit can have.
        "status": Named(&Keys(&Status::SECTION))
            => toml r#"{ pinned = { title = "Pinned", of = "squad" } }"#;
        /// Decisions where the sheet is unclear.
        "reading": Named(&Keys(&Reading::SECTION))
            => toml r#"{ ties = { text = "A tie goes to the defender." } }"#;
        /// The phases of a turn.
        "turn": Keys(&Turn::SECTION) => toml r#"{ phase = [ { id = "fire", title = "Fire" } ] }"#;
        /// Dice with faces of their own.
        "die": Named(&Keys(&Die::SECTION)) => toml r#"{ hit = { faces = ["hit", "miss"] } }"#;
        /// Lists of words for choices and sets.
        "list": Named(&WORDS) => toml r#"{ part = ["head", "legs"] }"#;
        /// Decks of cards and bags of chits.
        "deck": Named(&Keys(&Deck::SECTION))
            => toml r#"{ fate = { title = "Fate", file = "fate.csv" } }"#;
        /// Results: what charts can say.
        "result": Named(&Keys(&Outcome::SECTION)) => toml r#"{ hit = { title = "Hit" } }"#;
        /// Tables that players fill in from their rule book.
        "user_table": Named(&Keys(&UserTable::SECTION))
            => toml r#"{ wounds = { title = "Wounds", results = ["light", "serious"] } }"#;
        /// Decks whose cards the players supply.
        "user_deck": Named(&Keys(&UserDeck::SECTION))
            => toml r#"{ events = { title = "Events" } }"#;
        /// The charts of the sheet.
        "chart": Named(&Keys(&Chart::SECTION))
            => toml r#"{ march = { title = "March", read = { value = 6 } } }"#;
        /// Charts repeated until something is decided.
        "fight": Named(&Keys(&Fight::SECTION))
            => toml r#"{ duel = { title = "Duel", side = { ours = { unit = "gun" } }, action = [ { chart = "shot" } ] } }"#;
        /// Ready units.
        "template": Named(&Keys(&Template::SECTION))
            => toml r#"{ veteran = { kind = "squad", title = "Veteran squad" } }"#;
        /// Games to start with.
        "start": Named(&Keys(&Start::SECTION))
            => toml r#"{ ambush = { title = "Ambush", side = { red = { title = "Red" } } } }"#;
        /// When a game is over.
        "ending": Named(&Keys(&Ending::SECTION))
            => toml r#"{ rout = { title = "Rout", none = [ { of = "squad" } ] } }"#;
    }

    /// About the pack itself.
    Head "`[pack]`" {
        /// The name of the pack for programs: small letters, digits and hyphens.
        "id" required: Text => "my-game";
        /// The name of the pack for people.
        "title" required: Text => "My game";
        /// The version of the pack.
        "version": Text => "1.0";
        /// The author of the game.
        "by": Text => "A. Gamer";
        /// Where the facts come from.
        "source": Text => "Quick-reference sheet, second edition";
        /// A line to show with the pack.
        "notice": Text => "Unofficial; the rule book prevails.";
        /// What the pack is about.
        "about": Text => "Small actions of the last century.";
        /// The version of the pack format.
        "format": Plain => 2;
        /// The licence: an SPDX id or expression.
        "license": Text => "CC-BY-4.0";
        /// The web page of the pack.
        "url": Text => "https://example.org/my-game";
        /// The language of the texts.
        "language": Text => "en";
    }

    /// A word of the game.
    Term "`[term.x]`" {
        /// The word as the sheet writes it.
        "title" required: Text => "LOS";
        /// What it means, in a sentence or two.
        "text" required: Text => "Line of sight: a line that nothing blocks.";
    }

    /// A kind of unit.
    Unit "`[unit.x]`" {
        /// What it is called.
        "title" required: Text => "Squad";
        /// The name of a symbol, or the data of an SVG path.
        "symbol": Text => "infantry";
        /// Its values.
        "has": Named(&Keys(&Attribute::SECTION))
            => toml r#"{ skill = { number = "Skill", from = 0, to = 3 } }"#;
    }

    /// A status that a unit can have.
    Status "`[status.x]`" {
        /// What it is called.
        "title" required: Text => "Pinned";
        /// What it means for the unit.
        "means": Text => "It cannot move.";
        /// How bad it is: 0 to 3.
        "harm": Plain => 1;
        /// The kind of unit, or several.
        "of" required: OneOrMore(&Name("unit")) => "squad";
        /// The phase at whose end it is lifted.
        "ends": Text => "rally";
        /// Whether a unit that has it takes no further part.
        "out": Flag => toml "true";
        /// Charts that a unit that has it does not roll.
        "stops": OneOrMore(&Name("chart")) => toml r#"["shoot"]"#;
        /// Statuses that no result puts on a unit that has it.
        "keeps_off": OneOrMore(&Name("status")) => toml r#"["shaken"]"#;
    }

    /// A decision where the sheet is unclear.
    Reading "`[reading.x]`" {
        /// The decision.
        "text" required: Text => "A tie goes to the defender.";
        /// How certain it is.
        "standing": STANDING => "derived";
    }

    /// A die with faces of its own.
    Die "`[die.x]`" {
        /// What it is called.
        "title": Text => "Hit die";
        /// The faces: words, numbers or a range such as "0-9".
        "faces" required: Either(&[Text, List(&Formula)])
            => toml r#"["hit", "hit", "miss", "miss", "miss", "star"]"#;
        /// What a face is called, its symbol and its numbers.
        "face": Named(&Either(&[Text, Keys(&ListWord::SECTION)]))
            => toml r#"{ hit = { title = "Hit", damage = 2 } }"#;
    }

    /// A word of a list or the face of a die, with numbers that it stands for.
    ListWord "a word of `[list.x]`, a `face`" _ = Formula; {
        /// What is shown.
        "title": Text => "Head";
        /// The sign that is drawn for it.
        "symbol": Text => "*";
    }

    /// A result: what a chart can say.
    Outcome "`[result.x]`" {
        /// What it is called.
        "title" required: Text => "Hit";
        /// What it means for the unit.
        "means": Text => "The squad takes a loss.";
        /// How bad it is: 0 to 3.
        "harm": Plain => 2;
        /// The kind of unit that it falls on.
        "of": Name("unit") => "squad";
        /// What it changes.
        "effects": List(&Keys(&Effect::SECTION)) => toml r#"[ { status = "pinned" } ]"#;
        /// The charts that follow.
        "next": List(&Keys(&FollowUp::SECTION))
            => toml r#"[ { chart = "nerve", why = "Hit" } ]"#;
        /// Results that replace it.
        "instead": List(&Keys(&Instead::SECTION))
            => toml r#"[ { when = "it.pinned", result = "broken" } ]"#;
    }

    /// A result that replaces another.
    Instead "`instead` of a result" {
        /// When it does.
        "when" required: Formula => "it.pinned";
        /// The result that falls instead.
        "result" required: Name("result") => "broken";
        /// The reason that players are told.
        "because": Text => "It is pinned already.";
        /// Plain words for the sheet, instead of the condition.
        "text": Text => "a pinned squad breaks";
    }

    /// A table that is only in the rule book.
    UserTable "`[user_table.x]`" {
        /// What it is called.
        "title" required: Text => "Wounds";
        /// Where it is printed.
        "where": Text => "Rule book, page 12";
        /// The question to the player while it is empty.
        "ask": Text => "Which wound does the table give?";
        /// All results that it can give.
        "results" required: List(&Text) => toml r#"["light", "serious"]"#;
        /// What is looked for in its rows.
        "score": Formula => "die";
        /// What selects its column.
        "column": Formula => "target.cover";
    }
}
