//! Dice, lists and rolls.

use super::{Sentence, quoted, said};
use adjutant_pack::problem::{DieProblem, RollProblem};

pub(super) fn die(problem: &DieProblem) -> Sentence {
    match problem {
        DieProblem::NoFaces { die } => said(
            format!("the die `{die}` has no faces"),
            "add faces = [\"hit\", \"hit\", \"miss\"], numbers, or \"0-9\"",
        ),
        DieProblem::BadFaces { die } => said(
            format!("the faces of `{die}` are neither all words nor all numbers"),
            "write faces = [\"hit\", \"miss\"], faces = [0, 1, 1, 2], or faces = \"0-9\"",
        ),
        DieProblem::FaceCount { die, found, most } => said(
            format!("the die `{die}` has {found} faces"),
            format!("a die has 2 to {most} faces"),
        ),
        DieProblem::FieldNotANumber { field } => {
            said(format!("`{field}` is not a number"), "fields of a face or a word are numbers")
        }
        DieProblem::UnknownFace { die, face, known } => said(
            format!("the die `{die}` has no face `{face}`"),
            format!("its faces are {}", quoted(known)),
        ),
        DieProblem::ListWords { list, found } => said(
            format!("the list `{list}` has {found} words"),
            "a list has 1 to 100 words: wood = \"Wood\", or rough = [\"wood\", \"town\"]",
        ),
    }
}

pub(super) fn roll(problem: &RollProblem) -> Sentence {
    match problem {
        RollProblem::CountBeforeDie { die } => said(
            "the number of dice does not belong here",
            format!("write roll = \"{die}\" and count = …"),
        ),
        RollProblem::SidesMissing { dice } => said(
            format!("`{dice}` does not say how many sides the die has"),
            "add sides = \"unit.skill\", or write roll = \"1d6\"",
        ),
        RollProblem::SidesTwice { dice } => said(
            format!("`{dice}` says already how many sides the die has"),
            "take sides out, or write roll = \"1d\"",
        ),
        RollProblem::CountOfKinds => said(
            "each kind of die has its own number here",
            "write it beside the die: roll = { red = 2, black = \"guns\" }",
        ),
        RollProblem::BadSides { least, most } => said(
            "such a die cannot be rolled",
            format!("the number of sides lies between {least} and {most}"),
        ),
        RollProblem::MixedDice => said(
            "dice with words and dice with numbers cannot be one roll",
            "use two steps, or give the words a number field and use numbers as faces",
        ),
        RollProblem::ExplodeWords => said(
            "a die with words cannot be rolled again and added",
            "use extra: each such face brings another die",
        ),
        RollProblem::AlwaysRule { key } => said(
            format!("this `{key}` rule holds for every face"),
            "name some faces: \"face == 1\"",
        ),
        RollProblem::NeverRule { key } => said(
            format!("this `{key}` rule holds for no face"),
            "compare with a face of the die, or take it out",
        ),
        RollProblem::WordsKept => said(
            "words have no order, so none is the highest or lowest",
            "say what a die is worth: each = \"face.good\"",
        ),
        RollProblem::EachTwice { key } => {
            said(format!("`{key}` and `each` both say what a die is worth"), "keep one of them")
        }
        RollProblem::EachIsAWord { key } => said(
            format!("`{key}` is a word here, and words cannot be added"),
            "write a number or a condition: \"face == 'hit'\"",
        ),
        RollProblem::NameTaken { name } => said(
            format!("`{name}` is a face, a field or a value of the roll already"),
            "choose another name for the tally",
        ),
        RollProblem::FillOfWords => {
            said("words cannot fill a box", "say what a die is worth: each = \"face.harm\"")
        }
        RollProblem::FillSize => {
            said("a box of this size cannot be filled", "give it a size above 0")
        }
        RollProblem::ChooseNothing => said(
            "this does not say which die counts",
            "add by = \"role\" for the player who picks, or best = \"face\" for the best die",
        ),
        RollProblem::ChooseBy { known } => said(
            "a role picks the die, and this is not one",
            match known.is_empty() {
                true => "the chart has no roles: write best = \"face\" for the best die".into(),
                false => format!("the roles are {}", quoted(known)),
            },
        ),
        RollProblem::AssumeWithoutAsk => said(
            "nothing is asked, so nothing can be assumed",
            "add ask = \"Re-roll?\", or take assume out",
        ),
        RollProblem::KeptAndChosen => said(
            "one die is chosen, so none can be kept or put into boxes",
            "take keep_highest, keep_lowest and fill out, or choose",
        ),
    }
}
