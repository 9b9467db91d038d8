//! Dice notation: faults, and dice as they fell.

use super::number_error;
use adjutant_dice::handful::HandfulError;
use adjutant_dice::notation::{
    DieRecord, Expected, FormulaError, LONGEST_TEXT, NotationError, NotationErrorKind,
};
use adjutant_dice::{MOST_DICE, MOST_SIDES, Number};

/// Why a text is no dice notation, and where.
pub fn notation_error(text: &str, error: &NotationError) -> String {
    use NotationErrorKind as Kind;
    let what = match error.kind {
        Kind::Expected(expected) => expected_here(expected).to_owned(),
        Kind::Count(count) => format!("{count} dice cannot be rolled, 1 to {MOST_DICE} can"),
        Kind::Sides(sides) => {
            format!("there is no die with {sides} sides, a die has 2 to {MOST_SIDES}")
        }
        Kind::Number => "this number is too large".to_owned(),
        Kind::TooLong => format!("the text is longer than {LONGEST_TEXT} characters"),
        Kind::TooComplex => "this is too much for one roll".to_owned(),
        Kind::CountInParentheses => {
            "the number of dice must be a plain number, as in 2d6".to_owned()
        }
        Kind::Penetrating => "penetrating dice (!p) are not supported, write ! or !!".to_owned(),
        Kind::Twice => "only one rule of this kind can be given".to_owned(),
        Kind::BothExplosions => "write either ! (extra dice) or !! (added up)".to_owned(),
        Kind::Endless => "this holds for every face, so it would never end".to_owned(),
        Kind::Never => "this holds for no face of the die".to_owned(),
        Kind::DropsAll => "this drops all dice".to_owned(),
        Kind::TotalTested => "no single die can show this. A condition after dice counts the dice that meet it; for a total, read the column “at least” of the odds".to_owned(),
    };
    let place = match text.get(error.at..).map(str::trim_start) {
        Some(rest) if !rest.is_empty() => {
            let shown: String = rest.chars().take(20).collect();
            format!("at `{shown}`")
        }
        _ => "at the end".to_owned(),
    };
    let text: String = text.chars().take(60).collect();
    format!("in the dice `{text}`, {place}: {what}")
}

fn expected_here(expected: Expected) -> &'static str {
    match expected {
        Expected::Value => "a number or dice such as 2d6 is expected here",
        Expected::Sides => "the number of sides is expected here, or % or F",
        Expected::Number => "a number is expected here",
        Expected::Test => "a condition is expected here, such as >=5",
        Expected::Close => "a closing parenthesis is expected here",
        Expected::OperatorOrRule => {
            "this cannot be read. After dice comes + - * / or one of kh kl dh dl r rr ! !! cs cf >= <="
        }
    }
}

/// Why notation has no odds.
pub fn formula_error(error: &FormulaError) -> String {
    match error {
        FormulaError::Handful(HandfulError::TooLarge { cells }) => format!(
            "these dice are too large for exact odds: they need {cells} steps or more. Roll fewer dice, or dice with fewer sides"
        ),
        FormulaError::TooLarge { pairs } => format!(
            "these dice are too large for exact odds: they have {pairs} pairs of numbers. Roll fewer dice, or dice with fewer sides"
        ),
        FormulaError::Number(error) | FormulaError::Handful(HandfulError::Number(error)) => {
            number_error(*error)
        }
        FormulaError::Handful(_) => {
            "one of these dice has too many outcomes for exact odds".to_owned()
        }
    }
}

/// Said below the odds of dice that explode.
pub fn explosions_stop(most: u32) -> String {
    format!("A die stops after {most} explosions, here and when it is rolled.")
}

/// One die: `6`, `3 (was 1)`, `11 (8 + 3)`, `2 (extra, dropped)`.
pub fn die_record(die: &DieRecord, counts: bool) -> String {
    let list = |faces: &[Number], between: &str| {
        faces.iter().map(Number::to_string).collect::<Vec<_>>().join(between)
    };
    let mut notes = Vec::new();
    if die.faces.len() > 1 {
        notes.push(list(&die.faces, " + "));
    }
    if die.extra {
        notes.push("extra".to_owned());
    }
    if !die.rerolled.is_empty() {
        notes.push(format!("was {}", list(&die.rerolled, ", ")));
    }
    if !die.kept {
        notes.push("dropped".to_owned());
    } else if counts && die.worth != Number::ZERO {
        let minus = if die.worth < Number::ZERO { " −1" } else { "" };
        notes.push(format!("counts{minus}"));
    }
    if notes.is_empty() {
        die.value.to_string()
    } else {
        format!("{} ({})", die.value, notes.join(", "))
    }
}

/// Which value a table leaves out, and where to find it.
pub fn left_out(values: usize) -> String {
    let (noun, verb) = if values == 1 { ("value", "is") } else { ("values", "are") };
    format!("{values} {noun} below 0.01 % {verb} left out. --json has all.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_dice::notation::parse;

    #[test]
    fn faults_name_the_place_and_the_remedy() {
        let say = |text: &str| notation_error(text, &parse(text).unwrap_err());
        assert_eq!(say("4d6k"), "in the dice `4d6k`, at the end: a number is expected here");
        assert_eq!(
            say("2d6 x"),
            "in the dice `2d6 x`, at `x`: this cannot be read. After dice comes + - * / or one of kh kl dh dl r rr ! !! cs cf >= <="
        );
        assert_eq!(
            say("2d1"),
            "in the dice `2d1`, at `1`: there is no die with 1 sides, a die has 2 to 1000"
        );
    }
}
