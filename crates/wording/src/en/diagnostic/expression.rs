//! Faults inside an expression.

use super::{Sentence, no_such_name, quoted, said, suggestion, unknown};
use adjutant_pack::Func;
use adjutant_pack::expr::{DEEPEST, LONGEST};
use adjutant_pack::problem::{ExprProblem, ExprSlip, ValueKind};

/// A fault in an expression.
pub fn expression(problem: &ExprProblem) -> Sentence {
    match problem {
        ExprProblem::TooLong { length } => said(
            format!("the expression is {length} characters long: at most {LONGEST} are allowed"),
            "split it with a work_out step",
        ),
        ExprProblem::TooDeep => said(
            format!("the expression is nested more than {DEEPEST} deep"),
            "split it with work_out steps",
        ),
        ExprProblem::BadNumber { text, error } => said(
            format!("`{text}`: {}", crate::en::number_error(*error)),
            "numbers are written as 3, 2.5 or 1/2",
        ),
        ExprProblem::OpenQuote => {
            said("this quotation mark is never closed", "close the choice with a second '")
        }
        ExprProblem::SingleEquals => {
            said("a single = does not compare", "write == for `is the same as`")
        }
        ExprProblem::UnknownSign { sign } => {
            said(format!("`{}` has no meaning here", sign.escape_debug()), sign_help(*sign))
        }
        ExprProblem::Extra { slip } => said(
            "this does not belong here",
            match slip {
                Some(ExprSlip::DecimalComma) => "write decimals with a point: 0.5, or as 1/2",
                Some(ExprSlip::TimesMissing) => "put a * between them: 2 * x",
                Some(ExprSlip::IfWithoutBrackets) => "write if(condition, then, otherwise)",
                None => "join two parts with and, or, +, - or a comparison",
            },
        ),
        ExprProblem::LeadingPlus => {
            said("a number needs no plus before it", "write 1 instead of +1")
        }
        ExprProblem::OrMore => said(
            "a number needs no plus after it",
            "write 4; the key says whether more or less counts too: pass_at_least, pass_at_most",
        ),
        ExprProblem::DiceInExpression { dice } => said(
            format!("`{dice}` is a roll, and an expression rolls no dice"),
            format!(
                "roll in a step before: {{ roll = \"{dice}\", as = \"die\" }}, then name it: die"
            ),
        ),
        ExprProblem::ChainedComparison => {
            said("comparisons cannot be chained", "write a < b and b < c")
        }
        ExprProblem::Unfinished => {
            said("something is missing at the end", "finish the expression, or leave the key out")
        }
        ExprProblem::OperandMissing => {
            said("a name or a number is expected here", "put one in, or take this out")
        }
        ExprProblem::BracketMissing => {
            said("a closing bracket is expected here", "close the bracket, or take this out")
        }
        ExprProblem::OpenBracket => said("this bracket is never closed", "add a closing bracket"),
        ExprProblem::ListMissing => {
            said("a list is expected here", "write x in ['a', 'b'], or x in list.name")
        }
        ExprProblem::FaceOutside { name } => said(
            format!("`{name}` is one die, which only a roll has"),
            "use it in each, tally, reroll, explode, extra or choose; elsewhere name the roll: die.dice",
        ),
        ExprProblem::WorkedOutFromItself { name } => {
            said(format!("`{name}` is worked out from itself"), "work it out from other values")
        }
        ExprProblem::CannotWorkOut { name } => said(
            format!("`{name}` cannot be worked out here"),
            "look at its work_out, in the kind of the unit",
        ),
        ExprProblem::WordsSummed { name } => said(
            format!("`{name}` shows words, and words cannot be added"),
            format!(
                "count a face with {name}.face, add a tally, or say what a die is worth with each"
            ),
        ),
        ExprProblem::UnknownFunction(function) => {
            let help = match (&function.nearest, function.name.as_str()) {
                (_, "round") => "floor(x + 1/2) rounds to the nearest, halves up".to_owned(),
                (Some(close), _) => format!("did you mean {close}(…)?"),
                (None, _) => suggestion(function),
            };
            said(no_such_name(function), help)
        }
        ExprProblem::PartCount { function, found } => said(
            format!("`{}` is given {found} parts", function.name()),
            format!("write {}", form(*function)),
        ),
        ExprProblem::WrongPart { found, wanted } => said(
            format!("this is {}, but {} is expected here", value_kind(*found), value_kind(*wanted)),
            turned(*found, *wanted),
        ),
        ExprProblem::WrongKind { found, wanted } => said(
            format!("this is {}, but {} is wanted here", value_kind(*found), value_kind(*wanted)),
            turned(*found, *wanted),
        ),
        ExprProblem::DivisionByZero => {
            said("nothing can be divided by 0", "divide by something else")
        }
        ExprProblem::NeverSame { words, known } => said(
            format!(
                "these can never be the same: {} is not one of the choice's words",
                quoted(words)
            ),
            format!("its words are {}", quoted(known)),
        ),
        ExprProblem::NotComparable { left, right } => said(
            format!("{} cannot be compared with {}", value_kind(*left), value_kind(*right)),
            "compare two numbers, two choices or two yes/no values",
        ),
        ExprProblem::IfOfTwoKinds { then, otherwise } => said(
            format!(
                "one side of this `if` is {}, the other {}",
                value_kind(*then),
                value_kind(*otherwise)
            ),
            "both sides must be of one kind",
        ),
        ExprProblem::Wordless => said(
            "this formula is hard to read on a sheet",
            "say it in plain words beside it: text = \"…\"; or hide a step with sheet = false",
        ),
        ExprProblem::NoTally { step, name } => said(
            format!("the roll `{step}` has nothing called `{name}`"),
            format!(
                "count it in the roll: tally = {{ {name} = \"face == 6\" }}, then {step}.{name} is how many"
            ),
        ),
        ExprProblem::NotTaken { name, given, kind, words } => {
            let takes = if *kind == ValueKind::Choice {
                quoted(words)
            } else {
                value_kind(*kind).to_owned()
            };
            said(format!("`{name}` does not take {given}"), format!("it takes {takes}"))
        }
        ExprProblem::UnknownName(name) => unknown(name),
        ExprProblem::UnquotedWord { word } => said(
            format!("there is no name `{word}`"),
            format!("a choice's word stands in single quotes: '{word}'"),
        ),
        ExprProblem::LaterStep { name } => said(
            format!("`{name}` is not known yet at this point"),
            "it comes from a later step: put that step first",
        ),
        ExprProblem::LandsOnNoUnit { name } => said(
            format!("`{name}`: this result applies to no role here"),
            "give the row or the chart `on` or `lands_on`, or take `it` out",
        ),
        ExprProblem::NotKeyed { name } => said(
            format!("`{name}` is not a value by a word"),
            "leave the brackets out, or add by = \"…\" to the value of the unit",
        ),
        ExprProblem::KeyMissing { name, words } => said(
            format!("`{name}` has a value for each of: {}", words.join(", ")),
            match words.first() {
                Some(word) => format!(
                    "say which: {name}['{word}'], or {name}[…] with a name whose word it is"
                ),
                None => format!("say which: {name}['…']"),
            },
        ),
        ExprProblem::KeyOpen => said("the bracket `[` is not closed", "add `]` after the word"),
        ExprProblem::OtherOutside => said(
            "`other` can only be named in the `when` of a follow-up for others",
            "add for = \"group\" and role = \"…\" to the follow-up",
        ),
        ExprProblem::CardNotANumber { name } => said(
            format!("`{name}` is a card, and the number to read is not named"),
            format!(
                "add read = \"…\" to the draw, or name a field of the card: {name}.…, for rows as score = \"{name}.…\""
            ),
        ),
        ExprProblem::WholeChart { name } => said(
            format!("`{name}` is a whole chart"),
            format!("write {name}.value or {name}.result"),
        ),
        ExprProblem::ResultOfSeries { name } => said(
            format!("`{name}` runs its chart several times and has no single result"),
            format!("write {name}.value, the sum of the values"),
        ),
        ExprProblem::RowOfNumbers { name } => said(
            format!("`{name}` is a row of numbers"),
            "read it with read = … and by = … in the draw",
        ),
        ExprProblem::TextField { name } => {
            said(format!("`{name}` is a text and cannot be compared"), "make the field a choice")
        }
    }
}

fn sign_help(sign: char) -> &'static str {
    match sign {
        '"' => "write choices in single quotes: 'ap'",
        '−' | '–' => "write a plain hyphen for minus",
        '½' => "write 1/2",
        '?' => "write if(condition, then, otherwise)",
        '%' => "for 65 % write 65; for a remainder, n - 2 * floor(n / 2) is 1 for an odd n",
        '×' | '·' => "write * for times",
        '÷' | ':' => "write / for divided by",
        '≥' => "write >= for at least",
        '≤' => "write <= for at most",
        '≠' => "write != for not equal",
        '^' | '²' => "write x * x",
        _ => "an expression holds names, numbers, 'choices', + - * / and comparisons",
    }
}

/// The syntax of a function.
fn form(function: Func) -> String {
    match function {
        Func::If => "if(condition, then, otherwise)".to_owned(),
        Func::Min | Func::Max => format!("{}(a, b, …)", function.name()),
        Func::Floor | Func::Ceil | Func::Abs => format!("{}(number)", function.name()),
    }
}

/// How an author converts one kind of value into another.
fn turned(found: ValueKind, wanted: ValueKind) -> &'static str {
    match (found, wanted) {
        (ValueKind::Choice, ValueKind::YesNo) => "compare it with one of its words: name == 'word'",
        (ValueKind::Number, ValueKind::YesNo) => "compare it with a number: name > 0",
        (ValueKind::YesNo, ValueKind::Number) => "turn it into a number: if(name, 1, 0)",
        (ValueKind::Choice, ValueKind::Number) => "turn it into a number: if(name == 'word', 1, 0)",
        _ => "put something of that kind here",
    }
}

/// The kind of value that an expression yields.
pub(super) fn value_kind(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Number => "a number",
        ValueKind::YesNo => "yes or no",
        ValueKind::Choice => "a choice",
    }
}
