//! Why dice, cards, answers and numbers are not accepted, and what a run lacks.

use adjutant_dice::{
    Accepts, AnswerError, ChoiceWord, DeckError, DiceError, LARGEST, MOST_DICE, MOST_SIDES,
    Missing, Number, NumberError, SourceError, Text, Unused, Wanted, WaysError,
};

/// What is wrong with a number or a sum.
pub fn number_error(error: NumberError) -> String {
    match error {
        NumberError::TooLarge => {
            format!("the number is larger than Adjutant can hold exactly (limit {LARGEST})")
        }
        NumberError::DivisionByZero => "division by zero".into(),
        NumberError::NotANumber => "not a number: write it as 3, -1, 2.5 or 1/2".into(),
    }
}

/// Why a text names no dice that can be rolled.
pub fn dice_error(error: &DiceError) -> String {
    match error {
        DiceError::Form => "dice are written as 2d6, 1d10 or d6".into(),
        DiceError::Count(count) => format!("{count} dice cannot be rolled: 1 to {MOST_DICE} can"),
        DiceError::Sides(sides) => {
            format!(
                "there is no die with {sides} sides here: 2 to {MOST_SIDES} sides can be rolled"
            )
        }
    }
}

/// Why the outcomes of a roll cannot be listed.
pub fn ways_error(error: WaysError) -> String {
    let WaysError::TooMany { count, sides } = error;
    format!("{count}d{sides} have too many outcomes to list one by one")
}

/// Why a card cannot be drawn or put back.
pub fn deck_error(error: DeckError) -> String {
    match error {
        DeckError::NoSuchCard { card, size } => {
            format!("there is no card {card}: the deck has cards 1 to {size}")
        }
        DeckError::Here { card } => format!("card {card} is in the deck already"),
        DeckError::Gone { card } => {
            format!("card {card} has been drawn already and is not in the deck")
        }
    }
}

/// The answers that are accepted: `yes or no`, `soft, hard or none`, `a whole number from 1 to 6`.
pub fn accepted(accepts: &Accepts) -> String {
    accepted_as(accepts, |word| word.id.as_str())
}

/// The same for a player, who chooses words by their labels.
pub fn accepted_labels(accepts: &Accepts) -> String {
    accepted_as(accepts, |word| word.label.as_str())
}

fn accepted_as(accepts: &Accepts, name: fn(&ChoiceWord) -> &str) -> String {
    match accepts {
        Accepts::YesNo => "yes or no".into(),
        Accepts::Choice { words } => match words.split_last() {
            None => String::new(),
            Some((last, [])) => name(last).to_owned(),
            Some((last, first)) => {
                let first: Vec<&str> = first.iter().map(name).collect();
                format!("{} or {}", first.join(", "), name(last))
            }
        },
        Accepts::Number { from, to, step } if *step == Number::ONE => {
            format!("a whole number from {from} to {to}")
        }
        Accepts::Number { from, to, step } => {
            format!("a number from {from} to {to} in steps of {step}")
        }
    }
}

/// Why a text is not an answer.
pub fn answer_error(error: &AnswerError) -> String {
    match error {
        AnswerError::Number { text, error } => format!("`{text}`: {}", number_error(*error)),
        AnswerError::NotAccepted { text, accepts } => {
            format!("`{text}` is not accepted: {}", accepted(accepts))
        }
    }
}

/// What a roll or a question is for, with the unit if the chart runs for several.
pub fn what_for(missing: &Missing) -> String {
    match &missing.member {
        Some(member) => format!("{member}: {}", missing.what_for),
        None => missing.what_for.clone(),
    }
}

/// What a run lacks to go on.
pub fn missing(missing: &Missing) -> String {
    let Missing { key, wanted, .. } = missing;
    let what_for = what_for(missing);
    match wanted {
        Wanted::Dice { count, faces, .. } if !faces.is_empty() => {
            let dice = if *count == 1 { "die" } else { "dice" };
            format!("{count} {dice} ({}) for {key} ({what_for})", distinct(faces).join(", "))
        }
        Wanted::Dice { count, sides, .. } => format!("{count}d{sides} for {key} ({what_for})"),
        Wanted::Card { deck } => format!("a card of the deck {deck} for {key} ({what_for})"),
        Wanted::Answer { accepts } | Wanted::Input { accepts } => {
            format!("{key}: {} – {what_for}", accepted(accepts))
        }
    }
}

/// All that a run lacks to go on.
pub fn needed(needs: &[Missing]) -> String {
    format!("needed: {}", list(needs))
}

pub(super) fn list(needs: &[Missing]) -> String {
    needs.iter().map(missing).collect::<Vec<_>>().join("; ")
}

/// Why a source gave no dice, card or answer.
pub fn source_error(error: &SourceError) -> String {
    match error {
        SourceError::Missing(need) => needed(std::slice::from_ref(need)),
        SourceError::BadFace { face, sides, what_for } => {
            format!("{face} is not a face of a d{sides}, which has 1 to {sides} ({what_for})")
        }
        SourceError::BadFaceName { face, known, what_for } => format!(
            "`{face}` is not a face of the die, which has {} ({what_for})",
            distinct(known).join(", ")
        ),
        SourceError::BadCard(error) => deck_error(*error),
        SourceError::NotAccepted { key, error } => format!("{key}: {}", answer_error(error)),
        SourceError::Unused(rest) => unused(rest),
        SourceError::Mismatch(asked) => mismatch(asked),
        SourceError::SealedOnly => {
            "rolls are sealed in this game: call the roll, or ask to remove a player from the sealed group"
                .into()
        }
        SourceError::Cancelled => "stopped; nothing is recorded".into(),
        SourceError::Unreachable { why } => format!("the terminal cannot be asked: {why}"),
        SourceError::NoEntropy { why } => {
            format!("the operating system gives no random numbers: {why}")
        }
        SourceError::Paused => "paused".into(),
    }
}

/// Each name once, in order.
fn distinct(names: &[Text]) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for name in names {
        if !found.contains(&name.as_str()) {
            found.push(name);
        }
    }
    found
}

/// That questions were answered and cannot come up, or did not.
pub fn unasked<T: AsRef<str>>(keys: &[T]) -> String {
    let names: Vec<String> = keys.iter().map(|key| format!("`{}`", key.as_ref())).collect();
    match names.as_slice() {
        [one] => format!("the question {one} does not come up here: leave its answer out"),
        _ => format!(
            "the questions {} do not come up here: leave their answers out",
            names.join(", ")
        ),
    }
}

fn unused(unused: &Unused) -> String {
    let (list, one, many) = match unused {
        Unused::Faces(faces) => {
            (faces.iter().map(Text::to_string).collect::<Vec<_>>(), "die face", "die faces")
        }
        Unused::Cards(cards) => (cards.iter().map(u32::to_string).collect(), "card", "cards"),
        Unused::Answers(keys) => return unasked(keys),
        Unused::Recorded(1) => {
            return "a face, card or answer is recorded that the chart does not ask for".into();
        }
        Unused::Recorded(rest) => {
            return format!(
                "{rest} faces, cards or answers are recorded that the chart does not ask for"
            );
        }
    };
    let (what, was) = if list.len() == 1 { (one, "was") } else { (many, "were") };
    format!("{} {what} too many: {} {was} not asked for", list.len(), list.join(","))
}

/// The run asks for one thing, and another is recorded.
fn mismatch(asked: &Missing) -> String {
    let what_for = &asked.what_for;
    match &asked.wanted {
        Wanted::Dice { count, sides, .. } => {
            format!("{what_for} asks for {count}d{sides}, and that is not what is recorded")
        }
        Wanted::Card { .. } => format!("{what_for} asks for a card, and none is recorded"),
        Wanted::Answer { .. } | Wanted::Input { .. } => {
            format!("`{what_for}` is asked, and no answer is recorded")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_dice::{Accepts, CardRequest, Deck, DiceRequest, EnteredInput, InputSource};

    #[test]
    fn faces_and_cards_that_do_not_fit() {
        let two = DiceRequest::new("dr", "check", 2, 6);
        let bad = EnteredInput::new().with_dice([7, 2]).dice(&two).unwrap_err();
        assert_eq!(source_error(&bad), "7 is not a face of a d6, which has 1 to 6 (check)");
        let mut typed = EnteredInput::new().with_dice([6]);
        assert_eq!(source_error(&typed.dice(&two).unwrap_err()), "needed: 2d6 for dr (check)");
        let rest = typed.finish().unwrap_err();
        assert_eq!(source_error(&rest), "1 die face too many: 6 was not asked for");
        let deck = Deck::without(60, [23]).unwrap();
        let gone = EnteredInput::new()
            .with_cards([23])
            .card(&CardRequest::new("card", "", "action", &deck))
            .unwrap_err();
        assert_eq!(source_error(&gone), "card 23 has been drawn already and is not in the deck");
    }

    #[test]
    fn a_record_that_does_not_fit() {
        let SourceError::Missing(asked) = DiceRequest::new("d", "Fire", 1, 6).missing() else {
            panic!("expected a need")
        };
        assert_eq!(
            source_error(&SourceError::Mismatch(asked)),
            "Fire asks for 1d6, and that is not what is recorded"
        );
    }

    #[test]
    fn an_answer_that_is_not_accepted() {
        let error = Accepts::YesNo.read("maybe").unwrap_err();
        assert_eq!(answer_error(&error), "`maybe` is not accepted: yes or no");
    }
}
