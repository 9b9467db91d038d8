//! Problems of dice, lists and rolls.

use adjutant_dice::Text;

problems!(
    /// A problem of a die or a list.
    DieProblem {
        NoFaces { die: Text } = "die-without-faces",
        BadFaces { die: Text } = "bad-faces",
        FaceCount { die: Text, found: usize, most: usize } = "face-count",
        FieldNotANumber { field: Text } = "face-field-not-a-number",
        UnknownFace { die: Text, face: Text, known: Vec<Text> } = "unknown-face",
        ListWords { list: Text, found: usize } = "list-word-count",
    }
);

problems!(
    /// A problem of a roll of dice.
    RollProblem {
        CountBeforeDie { die: Text } = "count-before-die",
        SidesMissing { dice: Text } = "sides-missing",
        SidesTwice { dice: Text } = "sides-twice",
        CountOfKinds = "count-of-kinds",
        BadSides { least: u32, most: u32 } = "sides-beyond-limits",
        MixedDice = "words-and-numbers-rolled-together",
        ExplodeWords = "explode-words",
        AlwaysRule { key: &'static str } = "rule-for-every-face",
        NeverRule { key: &'static str } = "rule-for-no-face",
        WordsKept = "words-kept-without-each",
        EachTwice { key: &'static str } = "each-twice",
        EachIsAWord { key: &'static str } = "each-is-a-word",
        NameTaken { name: Text } = "tally-name-taken",
        FillOfWords = "fill-of-words",
        FillSize = "fill-size",
        ChooseNothing = "choose-without-best",
        ChooseBy { known: Vec<Text> } = "choose-by-unknown-role",
        AssumeWithoutAsk = "assume-without-ask",
        KeptAndChosen = "kept-and-chosen",
    }
);
