//! Problems of how a chart is read: rows, bands, columns, cells, user tables.

use super::expression::ValueKind;
use super::keys::TomlType;
use crate::unknown_name::UnknownName;
use adjutant_dice::{Number, Text};

problems!(
    /// A problem of how a chart is read.
    ReadProblem {
        NotSaid = "read-missing",
        SaysWithoutValue = "says-without-value",
        SumInSentence { name: Text } = "sum-in-sentence",
        NoRows = "no-rows",
        TableWithoutRows = "table-without-rows",
        RowsAndTable = "rows-and-user-table",
        YieldsNothing = "yields-nothing",
        BadIs { found: TomlType } = "bad-is",
        NotACell { column: UnknownName, found: TomlType } = "not-a-cell",
        NoScore { steps: Vec<Text> } = "no-score",
        ColumnByNumber = "column-by-number",
        NotAHeading { part: TablePart, heading: Text } = "heading-is-a-word",
        HeadingGap { part: TablePart, numbers: Scores } = "heading-gap",
        HeadingOverlap { part: TablePart, heading: Text } = "heading-overlap",
        HeadingMissing { part: TablePart, words: Vec<Text> } = "heading-missing",
        HeadingTwice { part: TablePart, heading: Text } = "heading-twice",
        NoPage = "no-page",
        TableTooNarrow { wanted: usize } = "table-too-narrow",
        TableTooWide { found: usize, most: usize } = "table-too-wide",
        SeveralColumns { found: usize } = "table-of-several-columns",
        TableLine { found: usize, wanted: usize } = "table-line",
        BadTableCell { cell: UnknownName } = "table-cell",
        CodeUnused { code: Text } = "code-unused",
        CodeHasValue { code: Text } = "code-has-value",
        OnlyWithFile { key: &'static str } = "only-with-file",
        ShiftWithoutColumn = "shift-without-column",
        ShiftTimes = "shift-times",
        ResultColumn = "result-as-column",
        OnBesideResultOf = "on-beside-result-of",
        RowGivesNothing = "row-gives-nothing",
        NoCell { column: Text } = "no-cell",
        NotALookUp { step: Text } = "result-of-other-step",
        ResultOfSeries { step: Text } = "series-passed-on",
        CellGivesNothing = "cell-gives-nothing",
        FixedByPack { key: &'static str } = "fixed-by-pack",
        NotListed { result: Text, listed: Vec<Text> } = "result-not-listed",
    }
);

problems!(
    /// Rows that miss a score, or that no score reaches.
    RowProblem {
        WordOfNumber = "word-of-number",
        WordOfYesNo = "word-of-yes-no",
        BandOfOther { kind: ValueKind } = "band-of-other-than-number",
        EndTwice = "band-end-twice",
        NoRowForWords { words: Vec<Text> } = "no-row-for-words",
        NoLastRow = "no-last-row",
        AfterLast = "row-after-last",
        SameWord = "row-of-same-word",
        AfterOpenEnd = "row-after-open-end",
        Unreachable { limits: Option<(Option<Number>, Option<Number>)> } = "row-unreachable",
        OutsideScore { from: Option<Number>, to: Option<Number> } = "row-outside-score",
        BandBackwards { from: Number, to: Number } = "band-backwards",
        BandOrder { to: Number } = "band-order",
        NoRowBelow { from: Number } = "no-row-below",
        NoRowBeyond { scores: Scores } = "no-row-beyond",
        Gap { scores: Scores } = "band-gap",
        Overlap { at: Number } = "band-overlap",
    }
);

/// Which headings of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablePart {
    /// Those of its rows.
    Row,
    /// Those of its columns.
    Column,
    /// Those of its pages.
    Page,
}

/// A set of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scores {
    /// A single score.
    Only(Number),
    /// From the first to the last, both included.
    To(Number, Number),
    /// From the first, up to but not including the last.
    UpTo(Number, Number),
    /// From this score on.
    From(Number),
    /// Above this score.
    Above(Number),
    /// Below this score.
    Below(Number),
}
