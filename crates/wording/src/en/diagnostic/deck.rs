//! Decks, their data files, and the places of a card.

use super::{Sentence, said};
use adjutant_dice::NumberError;
use adjutant_pack::problem::{CellProblem, CsvProblem, DeckProblem, LayoutProblem};
use adjutant_pack::{CARD_SIDES, LETTER_SIZES, MOST_CARDS};

pub(super) fn deck(problem: &DeckProblem) -> Sentence {
    let numbered = "number the cards from 1, in order";
    match problem {
        DeckProblem::PileTaken { pile } => said(
            format!("`{pile}` cannot be the name of a pile here"),
            "take a name that is not left, hand, discard, removed or deck, and no other pile's",
        ),
        DeckProblem::HandOwner { of } => {
            said(format!("`{of}` has no hand of cards"), "write of = \"side\" or of = \"unit\"")
        }
        DeckProblem::HandWithoutSize => {
            said("the hand has no size", "add size: how many cards a full hand has")
        }
        DeckProblem::NoHand { deck } => said(
            format!("no one has a hand of `{deck}`"),
            "add hand = { of = \"side\", size = 4 } to the deck",
        ),
        DeckProblem::NoPile { deck, pile, piles } => said(
            format!("`{deck}` has no place called `{pile}`"),
            match piles.as_slice() {
                [] => {
                    "take discard, hand, removed or deck, or add piles = [\"…\"] to the deck".into()
                }
                _ => format!("take discard, hand, removed, deck or a pile: {}", piles.join(", ")),
            },
        ),
        DeckProblem::AgainKept => said(
            "a card that is drawn again goes to the discards or back into the deck",
            "leave `to` out, or draw without again",
        ),
        DeckProblem::UserDeckTwice { deck } => {
            said(format!("there is a deck `{deck}` already"), "give the user deck another name")
        }
        DeckProblem::UserDeckKey { key } => said(
            format!("a user deck has no `{key}`: the player supplies its cards"),
            format!(
                "leave it out, or write [deck.…] if the pack has the cards; `{key}` goes there"
            ),
        ),
        DeckProblem::UserDeckEmpty => said(
            "the deck has no cards",
            "write a line for each card below the line with the columns, or leave the deck out",
        ),
        DeckProblem::NotAUserDeck { deck } => said(
            format!("the cards of the deck `{deck}` come with the pack"),
            "only the cards of a user deck ([user_deck.…] in pack.toml) can be supplied",
        ),
        DeckProblem::CardWithoutValue { card, field } => said(
            format!("card {card} has no `{field}`, which is read when it is drawn"),
            "fill in the cell",
        ),
        DeckProblem::BadCopies { card, count } => said(
            format!("card {card}: the count `{count}` is not a whole number from 0 to 1000"),
            "write how many copies of the card there are",
        ),
        DeckProblem::BagOfCards { key } => said(
            format!("a bag holds chits, so it has no `{key}`"),
            "leave it out: chits says which units have one",
        ),
        DeckProblem::BagDraw { key } => said(
            format!("a chit is drawn without `{key}`"),
            "a bag has no state and its chits no fields: leave it out",
        ),
        DeckProblem::BagReshuffled { deck } => said(
            format!("`{deck}` is a bag and cannot be reshuffled"),
            "change what its units have, for example lift a status",
        ),
        DeckProblem::BagNeverEmpties { deck } => said(
            format!("no effect takes a chit out of `{deck}`"),
            "let when name a status or an attribute that an effect of a chart changes",
        ),
        DeckProblem::NumbersWithoutRange { field } => {
            said(format!("`{field}` does not say which numbers it has"), "add from = 2, to = 12")
        }
        DeckProblem::NumbersRange { field, from, to } => said(
            format!("`{field}` goes from {from} to {to}"),
            "from must not be above to, and at most 100 columns are allowed",
        ),
        DeckProblem::FieldWithoutKind { field } => said(
            format!("`{field}` does not say what kind of field it is"),
            "give it one of number, numbers, choice or text",
        ),
        DeckProblem::MissingColumn { column } => {
            said(format!("the file has no column `{column}`"), "add the column to the first line")
        }
        DeckProblem::UnknownColumn { column, nearest } => {
            let help = match nearest {
                Some(close) => format!("did you mean `{close}`?"),
                None => "add it to [deck.….field], or take it out".into(),
            };
            said(format!("the column `{column}` is no field of the deck"), help)
        }
        DeckProblem::CardCount { found } => {
            said(format!("the deck has {found} cards"), "a deck has 1 to 1000 cards, one line each")
        }
        DeckProblem::CardTwice { card } => {
            said(format!("card {card} is there a second time"), numbered)
        }
        DeckProblem::CardOrder { found, wanted } => {
            said(format!("card `{found}` stands where card {wanted} should be"), numbered)
        }
        DeckProblem::CellCount { card, found, wanted } => said(
            format!("card {card} has {found} cells, but the first line has {wanted}"),
            "give each card one cell for each column",
        ),
        DeckProblem::BadCell { card, column, cell, problem } => said(
            format!("card {card}, `{column}`: `{cell}` {}", self::cell(problem)),
            "mend the cell, or leave it empty",
        ),
    }
}

/// Faults in a file of cards, without a pack.
pub(super) fn csv(problem: &CsvProblem) -> Sentence {
    let columns = "the first line names the columns, each with a name of its own: title,text,count";
    match problem {
        CsvProblem::EmptyFile => said(
            "the file is empty",
            "the first line names the columns, each further line is a card: title,text",
        ),
        CsvProblem::NoCards => said("the file has no cards", "each line after the first is a card"),
        CsvProblem::CardCount { found } => {
            said(format!("the deck has {found} cards"), "a deck has 1 to 1000 cards")
        }
        CsvProblem::CellCount { card, found, wanted } => said(
            format!("card {card} has {}, but the first line has {}", cells(*found), cells(*wanted)),
            "give each line one cell for each column; a text with a comma stands in quotation marks",
        ),
        CsvProblem::ColumnWithoutName { column } => {
            said(format!("column {column} has no name"), columns)
        }
        CsvProblem::ColumnIsNumber { column, name } => {
            said(format!("column {column} is called `{name}`, which is a number"), columns)
        }
        CsvProblem::ColumnTwice { name } => {
            said(format!("two columns are called `{name}`"), columns)
        }
        CsvProblem::NoTitle { card } => {
            said(format!("card {card} has no title"), "fill in its title")
        }
        CsvProblem::BadCount { card, count } => said(
            format!(
                "card {card}: the count `{count}` is not a whole number from 0 to {MOST_CARDS}"
            ),
            "say how many there are of the card",
        ),
    }
}

fn cell(problem: &CellProblem) -> String {
    match problem {
        CellProblem::Number(NumberError::NotANumber) => {
            "is not a number: write it as 3, -1, 2.5 or 1/2".into()
        }
        CellProblem::Number(error) => {
            format!("cannot be read: {}", crate::en::number_error(*error))
        }
        CellProblem::OutOfRange => "is outside what the field allows".into(),
        CellProblem::NotAWord(words) => format!("is not one of {}", words.join(", ")),
    }
}

fn cells(n: usize) -> String {
    if n == 1 { "1 cell".into() } else { format!("{n} cells") }
}

pub(super) fn layout(problem: &LayoutProblem) -> Sentence {
    match problem {
        LayoutProblem::MissingKey { key } => said(
            format!("the place has no `{key}`"),
            format!("add {key} = [4, 20], in millimetres"),
        ),
        LayoutProblem::NotAPair { key } => said(
            format!("`{key}` should be two numbers, in millimetres"),
            format!("write {key} = [4, 20]"),
        ),
        LayoutProblem::CardSize { width, height } => said(
            format!("a card of {width} × {height} mm cannot be printed"),
            format!("each side has {} to {} mm: card = [63, 88]", CARD_SIDES.0, CARD_SIDES.1),
        ),
        LayoutProblem::Overlap { other } => said(
            format!("this place lies over place {other}, and both hold text"),
            "move one of them, or make it smaller",
        ),
        LayoutProblem::TooSmall { width, height } => said(
            format!("a place of {width} × {height} mm holds nothing"),
            "make it at least 1 mm wide and high",
        ),
        LayoutProblem::OffCard { from, to, card } => said(
            format!(
                "the place reaches from {}, {} to {}, {}: off the card",
                from.0, from.1, to.0, to.1
            ),
            format!("the card is {} × {} mm", card.0, card.1),
        ),
        LayoutProblem::LetterSize { height } => said(
            format!("letters of {height} mm cannot be set"),
            format!("letters have {} to {} mm: 3.5 is 10 points", LETTER_SIZES.0, LETTER_SIZES.1),
        ),
        LayoutProblem::HoldsNothing => {
            said("the place does not say what stands there", one_thing())
        }
        LayoutProblem::HoldsSeveral => said("the place holds two kinds of things", one_thing()),
    }
}

fn one_thing() -> &'static str {
    "give it exactly one of show = \"title\", text = \"…\" or draw = \"line\""
}
