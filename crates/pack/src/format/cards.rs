//! Decks, bags and how cards look.

use super::Kind::{Flag, Formula, Keys, List, Named, Number, Pair, Text};
use super::*;

sections! {
    /// What a deck of the pack and a deck of the player have in common.
    AnyDeck "a deck" {
        /// What it is called.
        "title" required: Text => "Deck of Fate";
        /// Who has a deck of its own.
        "per": Text => "side";
        /// The text on the backs.
        "back": Text => "Fate";
        /// The columns: the fields of a card.
        "field": Named(&Keys(&DeckField::SECTION)) => toml r#"{ move = { number = "Move" } }"#;
        /// The width and height of a card in millimetres.
        "card": Pair => toml "[63, 88]";
        /// Where things are on a card.
        "place": List(&Keys(&CardPlace::SECTION))
            => toml r#"[ { show = "title", at = [4, 4], size = [55, 8] } ]"#;
        /// The hands that hold its cards.
        "hand": Keys(&Hand::SECTION) => toml r#"{ of = "side", size = 5 }"#;
        /// The names of its piles.
        "piles": TEXTS => toml r#"["reserve"]"#;
        /// What happens when the last card is drawn.
        "empty": Keys(&Empty::SECTION) => toml r#"{ reshuffle = false }"#;
        /// What happens when cards go back.
        "reshuffled": Keys(&Reshuffled::SECTION)
            => toml r#"{ effects = [ { remember = "alarm", to = "no" } ] }"#;
    }

    /// A deck of cards from a CSV file, or a bag of chits.
    Deck "`[deck.x]`": AnyDeck {
        /// The CSV file with a line for each card. A bag has none.
        "file": Text => "fate.csv";
        /// Makes it a bag without cards: the units that have a chit in it.
        "chits": Keys(&Chits::SECTION) => toml r#"{ of = "squad" }"#;
    }

    /// A deck whose cards the players supply.
    UserDeck "`[user_deck.x]`": AnyDeck {
        /// Where the cards are found.
        "where": Text => "The event cards of the box";
    }

    /// The units that have a chit in a bag.
    Chits "`chits` of a deck" {
        /// The kind of unit.
        "of" required: Text => "squad";
        /// Only units for which this is true; each is `unit`.
        "when": Formula => "not unit.broken";
    }

    /// Hands of cards.
    Hand "`hand` of a deck" {
        /// Who holds a hand: side or unit.
        "of" required: Text => "side";
        /// How many cards a full hand has.
        "size" required: Number => 5;
    }

    /// What happens when the last card is drawn.
    Empty "`empty` of a deck" {
        /// What changes.
        "effects": List(&Keys(&Effect::SECTION)) => toml r#"[ { remember = "turn", by = 1 } ]"#;
        /// The charts that follow.
        "next": List(&Keys(&FollowUp::SECTION)) => toml r#"[ { chart = "weather" } ]"#;
        /// Whether the deck is reshuffled; false: it stays empty.
        "reshuffle": Flag => toml "false";
    }

    /// What happens when cards go back.
    Reshuffled "`reshuffled` of a deck" {
        /// What changes.
        "effects": List(&Keys(&Effect::SECTION)) => toml r#"[ { remember = "turn", by = 1 } ]"#;
        /// The charts that follow.
        "next": List(&Keys(&FollowUp::SECTION)) => toml r#"[ { chart = "weather" } ]"#;
    }

    /// A column of a deck: a field of its cards.
    DeckField "`field` of a deck" {
        /// The label of a number.
        "number" one: Text => "Move";
        /// The label of a row of numbers, one for each number from `from` to `to`.
        "numbers" one: Text => "Which man";
        /// The words, each with what is shown; a list of words; or the name of a list.
        "choice" one: field::CHOICE => toml r#"{ none = "Nothing", storm = "Storm" }"#;
        /// The label of a text, which is only shown.
        "text" one: Text => "Saying";
        /// The label of a choice.
        "label": Text => "Event";
        /// The mark of an empty cell.
        "blank": Text => "-";
        /// The least number, or the first of a row of numbers.
        "from": Number => 0;
        /// The greatest number, or the last of a row of numbers.
        "to": Number => 10;
    }

    /// A place on a card and what is there.
    CardPlace "`place` of a deck" {
        /// The field, or several, whose value is shown.
        "show": TEXTS => "title";
        /// A text that is the same on all cards.
        "text": Text => "Move";
        /// A shape: line or box.
        "draw": Text => "box";
        /// The upper left corner: millimetres from the left and from the top.
        "at" required: Pair => toml "[4, 4]";
        /// Width and height in millimetres.
        "size" required: Pair => toml "[55, 8]";
        /// The largest height of the letters.
        "letters": Number => 3;
        /// Where the text stands: left, middle or right.
        "align": Text => "middle";
        /// The colour: black, grey or red.
        "ink": Text => "red";
        /// Whether the letters are bold.
        "bold": Flag => toml "true";
        /// Whether the letters have serifs.
        "serif": Flag => toml "true";
        /// Whether the label of a field is left out.
        "bare": Flag => toml "true";
        /// Whether a choice is left out that nearly all cards share or that the title already says.
        "unusual": Flag => toml "true";
    }
}
