//! Problems of names, ids and fields.

use super::keys::TomlType;
use adjutant_dice::{Accepts, AnswerError, Number, Text};

problems!(
    /// A name or an id that cannot be used.
    NameProblem {
        NotAName { name: Text } = "not-a-name",
        Reserved { name: Text } = "reserved-name",
        ReservedOnCard { name: Text } = "reserved-on-card",
        NotAnId { name: Text } = "not-an-id",
        NotAWord { word: Text } = "not-a-word",
        ResultIsNumber { name: Text } = "result-is-a-number",
        WordIsNumber { word: Text } = "word-is-a-number",
        TwoPhases { name: Text } = "two-phases",
        AttributeTaken { name: Text } = "attribute-taken",
        StepTaken { name: Text } = "step-name-taken",
        LookUpTaken { name: Text } = "look-up-name-taken",
        IsARole { name: Text } = "name-of-a-role",
        IsAChart { name: Text } = "name-of-a-chart",
        IsARowKey { name: Text } = "name-of-a-row-key",
        KnownFromUnit { role: Text, name: Text } = "known-from-unit",
        AskedTwice { name: Text } = "asked-twice",
        TwoSides { title: Text } = "two-sides-of-one-title",
    }
);

problems!(
    /// An invalid input, attribute, option or memory.
    FieldProblem {
        NoKind { name: Text } = "field-without-kind",
        TwoKinds { name: Text, kinds: Vec<&'static str> } = "field-of-two-kinds",
        BadDefault { name: Text, accepts: Accepts } = "default-not-accepted",
        NotAccepted { name: Text, error: AnswerError, accepts: Accepts } = "value-not-accepted",
        NoWords { found: TomlType } = "choice-without-words",
        WordWithFields { word: Text } = "choice-word-with-fields",
        WordCount { found: usize } = "choice-word-count",
        Backwards { name: Text, from: Number, to: Number } = "range-backwards",
        BadBy = "bad-by",
        ByWithoutResults { chart: Text } = "by-without-results",
        BadStep { name: Text, step: Number } = "bad-step",
        OptionWithoutDefault { name: Text } = "option-without-default",
        OptionWithoutStanding { name: Text } = "option-without-standing",
        OptionWithoutOrigin { name: Text } = "option-without-origin",
        MemoryWithoutDefault { name: Text } = "memory-without-default",
        ChartOptionNotYesNo { name: Text } = "chart-option-not-yes-no",
        PhaseOptionNotYesNo { name: Text } = "phase-option-not-yes-no",
        StatusWithoutUnits { name: Text } = "status-without-units",
        Harm { found: Number } = "harm-out-of-range",
        SymbolPath { found: Text } = "bad-symbol-path",
        ShortLength { found: usize } = "short-label-length",
        ShortTaken { short: Text } = "short-label-taken",
        UserTableWithoutResults { name: Text } = "user-table-without-results",
    }
);
