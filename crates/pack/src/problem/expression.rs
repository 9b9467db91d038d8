//! Problems of expressions.

use crate::expr::Func;
use crate::unknown_name::UnknownName;
use crate::value::Type;
use adjutant_dice::{NumberError, Text};

problems!(
    /// A syntax error in an expression, an unknown name or a wrong type.
    ExprProblem {
        TooLong { length: usize } = "expression-too-long",
        TooDeep = "expression-too-deep",
        NotKeyed { name: Text } = "value-not-by-word",
        KeyMissing { name: Text, words: Vec<Text> } = "value-by-word-without-key",
        KeyOpen = "expression-open-key",
        BadNumber { text: Text, error: NumberError } = "expression-number",
        OpenQuote = "expression-open-quote",
        SingleEquals = "expression-single-equals",
        UnknownSign { sign: char } = "expression-unknown-sign",
        Extra { slip: Option<ExprSlip> } = "expression-extra",
        ChainedComparison = "expression-chained-comparison",
        Unfinished = "expression-unfinished",
        OperandMissing = "expression-operand-missing",
        LeadingPlus = "expression-leading-plus",
        OrMore = "expression-or-more",
        DiceInExpression { dice: Text } = "dice-in-expression",
        BracketMissing = "expression-bracket-missing",
        OpenBracket = "expression-open-bracket",
        ListMissing = "expression-list-missing",
        UnknownFunction(UnknownName) = "unknown-function",
        PartCount { function: Func, found: usize } = "expression-part-count",
        WrongPart { found: ValueKind, wanted: ValueKind } = "expression-wrong-part",
        WrongKind { found: ValueKind, wanted: ValueKind } = "expression-wrong-kind",
        DivisionByZero = "expression-division-by-zero",
        NeverSame { words: Vec<Text>, known: Vec<Text> } = "expression-never-same",
        NotComparable { left: ValueKind, right: ValueKind } = "expression-not-comparable",
        IfOfTwoKinds { then: ValueKind, otherwise: ValueKind } = "expression-if-of-two-kinds",
        UnknownName(UnknownName) = "unknown-name-in-expression",
        UnquotedWord { word: Text } = "unquoted-word",
        LaterStep { name: Text } = "name-of-later-step",
        LandsOnNoUnit { name: Text } = "it-without-unit",
        OtherOutside = "other-outside-follow-up",
        CardNotANumber { name: Text } = "card-not-a-number",
        WholeChart { name: Text } = "name-of-whole-chart",
        ResultOfSeries { name: Text } = "result-of-series",
        RowOfNumbers { name: Text } = "name-of-row-of-numbers",
        TextField { name: Text } = "name-of-text-field",
        FaceOutside { name: Text } = "face-outside-roll",
        WorkedOutFromItself { name: Text } = "worked-out-from-itself",
        CannotWorkOut { name: Text } = "cannot-work-out",
        WordsSummed { name: Text } = "words-summed",
        Wordless = "formula-without-text",
        NotTaken { name: Text, given: Text, kind: ValueKind, words: Vec<Text> } = "value-not-taken",
        NoTally { step: Text, name: Text } = "no-tally-of-this-name",
    }
);

/// What an author of an expression most likely had in mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExprSlip {
    /// `0,5` for `0.5`.
    DecimalComma,
    /// `2x` for `2 * x`.
    TimesMissing,
    /// `if x then …`.
    IfWithoutBrackets,
}

/// The type of an expression, without the words of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    Number,
    YesNo,
    Choice,
}

impl From<&Type> for ValueKind {
    fn from(kind: &Type) -> ValueKind {
        match kind {
            Type::Number => ValueKind::Number,
            Type::YesNo => ValueKind::YesNo,
            Type::Choice(_) => ValueKind::Choice,
        }
    }
}
