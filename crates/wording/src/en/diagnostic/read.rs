//! How a chart is read: rows, bands, columns, cells, user tables.

use super::expression::value_kind;
use super::keys::toml_type;
use super::{Sentence, said, suggestion};
use adjutant_dice::Number;
use adjutant_pack::problem::{ReadProblem, RowProblem, Scores, TablePart, ValueKind};

pub(super) fn read(problem: &ReadProblem) -> Sentence {
    match problem {
        ReadProblem::NotSaid => {
            said("the chart does not say how it is read", "add [chart.….read] with rows or value")
        }
        ReadProblem::SaysWithoutValue => said(
            "`says` does not say the number",
            "put {value} where the number belongs: says = \"Soldier {value}\"",
        ),
        ReadProblem::SumInSentence { name } => said(
            format!("`{{{name}}}` is not a name"),
            "write a name such as {value} or {card.title}; work a sum out in a step before",
        ),
        ReadProblem::NoRows => {
            said("the chart has no rows", "add rows = [ { to = 4, all = \"…\" }, { all = \"…\" } ]")
        }
        ReadProblem::TableWithoutRows => {
            said("the table has no rows", "add rows = [ { to = 1, all = \"…\" }, … ]")
        }
        ReadProblem::RowsAndTable => {
            said("a chart has either rows or a user table", "take one of them out")
        }
        ReadProblem::YieldsNothing => {
            said("the chart yields nothing", "add rows, a value or a user_table")
        }
        ReadProblem::BadIs { found } => {
            said(format!("`is` is {}", toml_type(*found)), "write is = 3 or is = \"word\"")
        }
        ReadProblem::NotACell { column, found } => said(
            format!(
                "`{}` is {}, but a result, a number or a cell is expected here",
                column.name,
                toml_type(*found)
            ),
            suggestion(column),
        ),
        ReadProblem::NoScore { steps } => {
            let one = steps.last().map_or("…", |step| step.as_str());
            let among = match steps.len() {
                0 | 1 => String::new(),
                _ => format!(" (the steps are {})", steps.join(", ")),
            };
            said(
                "it is not said what these rows are read by",
                format!("add score = \"{one}\"{among}"),
            )
        }
        ReadProblem::ColumnByNumber => said(
            "a number chooses the column, but no row names a column",
            "write headings for numbers in the rows, \"0-2\" = … and \"3+\" = …, or make words of the number: if(n > 3, 'far', 'near')",
        ),
        ReadProblem::NotAHeading { part, heading } => said(
            format!("a number chooses the {}, but the heading `{heading}` is a word", one(*part)),
            "write headings such as 4, 6-8, 12+, <=3 or 3:1, or make words of the number: if(n > 3, 'far', 'near')",
        ),
        ReadProblem::HeadingGap { part, numbers } => said(
            match numbers {
                Scores::Only(n) => format!("the number {n} has no {}", one(*part)),
                _ => format!("numbers {} have no {}", scores(*numbers), one(*part)),
            },
            match part {
                TablePart::Row => "add a row, or give a heading an open end: <=3, 12+",
                _ => {
                    "add a heading, give one an open end (<=3, 12+), or keep the number within the table: max(1/2, …)"
                }
            },
        ),
        ReadProblem::HeadingOverlap { part, heading } => said(
            format!(
                "the {} `{heading}` is for numbers of another {} as well",
                one(*part),
                one(*part)
            ),
            "change one of the two headings",
        ),
        ReadProblem::HeadingMissing { part, words } => said(
            format!("the table has no {} for {}", one(*part), words.join(", ")),
            format!("add a {} with this heading for each", one(*part)),
        ),
        ReadProblem::HeadingTwice { part, heading } => said(
            format!("the table has two {}s `{heading}`", one(*part)),
            "take one of them out, or change its heading",
        ),
        ReadProblem::NoPage => said(
            "the first row of the table names no page",
            "write the page in the first column; rows below it may leave it blank",
        ),
        ReadProblem::TableTooNarrow { wanted } => said(
            format!("a table like this has at least {wanted} columns"),
            "the first line has the headings: the page if there are pages, the score, then the columns",
        ),
        ReadProblem::TableTooWide { found, most } => said(
            format!("the table has {found} columns, and {most} are allowed"),
            "split it into several tables",
        ),
        ReadProblem::SeveralColumns { found } => said(
            format!("the table has {found} columns, but it is not said which one is read"),
            "add column = \"…\" beside rows",
        ),
        ReadProblem::TableLine { found, wanted } => said(
            format!("the line has {found} cells, but the first line has {wanted}"),
            "give every line as many cells",
        ),
        ReadProblem::BadTableCell { cell } if cell.name.is_empty() => said(
            "the cell is empty",
            "write a number, a result or a code, such as - with cells = { \"-\" = \"…\" }",
        ),
        ReadProblem::BadTableCell { cell } => said(
            format!("the cell `{}` is not a number, a result or a code", cell.name),
            match &cell.nearest {
                Some(close) => format!("did you mean `{close}`?"),
                None => {
                    "explain the code beside rows: cells = { A = { result = \"…\", on = \"…\" } }"
                        .to_owned()
                }
            },
        ),
        ReadProblem::CodeUnused { code } => {
            said(format!("no cell of the table has the code `{code}`"), "take it out of cells")
        }
        ReadProblem::CodeHasValue { code } => said(
            format!("the cell gives a number, and so does the code `{code}`"),
            "take the value out of cells",
        ),
        ReadProblem::OnlyWithFile { key } => said(
            format!("`{key}` is for tables from a CSV file"),
            "write rows = \"….csv\", or take it out",
        ),
        ReadProblem::ShiftWithoutColumn => {
            said("`shift` moves the column, but the table has none", "add column = \"…\"")
        }
        ReadProblem::ShiftTimes => {
            said("a shift moves the column by a number of places", "write plus = …")
        }
        ReadProblem::ResultColumn => {
            said("there is no column `result`", "the row's result is written all = \"…\"")
        }
        ReadProblem::OnBesideResultOf => said(
            "`on` does nothing beside `result_of`: the chart that is looked up says which role its result applies to",
            "take `on` out",
        ),
        ReadProblem::RowGivesNothing => said("the row gives nothing", "add all = \"result\""),
        ReadProblem::NoCell { column } => said(
            format!("the row has no cell for the column `{column}`"),
            format!("add {column} = \"…\", or all = \"…\" for every column"),
        ),
        ReadProblem::NotALookUp { step } => {
            said(format!("`{step}` looks nothing up"), "name a look_up step")
        }
        ReadProblem::ResultOfSeries { step } => said(
            format!("`{step}` runs its chart several times and has no single result"),
            "take `times` out, or read its value",
        ),
        ReadProblem::CellGivesNothing => {
            said("the cell gives nothing", "give it a result, a value or result_of")
        }
        ReadProblem::FixedByPack { key } => {
            said(format!("the pack fixes the {key} of this table"), format!("take {key} out"))
        }
        ReadProblem::NotListed { result, listed } => said(
            format!("this table cannot give the result `{result}`"),
            format!("it can give: {}", listed.join(", ")),
        ),
    }
}

pub(super) fn row(problem: &RowProblem) -> Sentence {
    let mend = "move the end of one of the rows";
    let column = "make it the column, or write when = \"…\" in the row";
    match problem {
        RowProblem::WordOfYesNo => said("the score is a yes or no, not a choice", column),
        RowProblem::WordOfNumber => said(
            "the score is a number, and this is not one",
            "write a number or a heading such as 2-6, 12+ or <=3; a spreadsheet may have made a date of it",
        ),
        RowProblem::BandOfOther { kind } => {
            let help = if *kind == ValueKind::YesNo { column } else { "write is = \"word\"" };
            said(format!("the score is {}, not a number", value_kind(*kind)), help)
        }
        RowProblem::EndTwice => said(
            "the band has the same end twice",
            "keep one of from and above, one of to and below, or `is` alone",
        ),
        RowProblem::NoRowForWords { words } => said(
            format!("there is no row for {}", words.join(", ")),
            "add a row is = \"…\" for each, or a last row without one",
        ),
        RowProblem::NoLastRow => said(
            "it is not said what holds when none of these conditions does",
            "add a last row without `when`",
        ),
        RowProblem::AfterLast => said(
            "no input can reach this row: the row before it always holds",
            "put the row without a condition last",
        ),
        RowProblem::SameWord => said(
            "no input can reach this row: an earlier row is for the same word",
            "take one of them out",
        ),
        RowProblem::AfterOpenEnd => said(
            "no input can reach this row: the row before it has no upper end",
            "give that row `to`, or put this row before it",
        ),
        RowProblem::Unreachable { limits } => {
            let help = match limits {
                Some((from, to)) => format!(
                    "the score lies between {} and {}, and earlier rows come first",
                    end(*from),
                    end(*to)
                ),
                None => "its condition is never true, or earlier rows always hold".to_owned(),
            };
            said("no input can reach this row", help)
        }
        RowProblem::OutsideScore { from, to } => said(
            "no input can reach this row",
            format!("the score lies between {} and {}", end(*from), end(*to)),
        ),
        RowProblem::BandBackwards { from, to } => said(
            format!("the band ends at {to}, before it begins at {from}"),
            "put the lower number first",
        ),
        RowProblem::BandOrder { to } => said(
            format!(
                "the bands are in the wrong order: this one ends at {to}, where the one before has ended already"
            ),
            "list the bands from the lowest score to the highest",
        ),
        RowProblem::NoRowBelow { from } => {
            said(format!("scores below {from} have no row"), "leave `from` out of the first row")
        }
        RowProblem::NoRowBeyond { scores } => said(
            format!("scores {} have no row", self::scores(*scores)),
            "add a last row without `to`",
        ),
        RowProblem::Gap { scores } => {
            said(format!("there is a gap: scores {} have no row", self::scores(*scores)), mend)
        }
        RowProblem::Overlap { at } => {
            said(format!("the bands overlap: {at} belongs to the row before as well"), mend)
        }
    }
}

fn one(part: TablePart) -> &'static str {
    match part {
        TablePart::Row => "row",
        TablePart::Column => "column",
        TablePart::Page => "page",
    }
}

fn scores(scores: Scores) -> String {
    match scores {
        Scores::Only(n) => format!("of {n}"),
        Scores::To(from, to) => format!("from {from} to {to}"),
        Scores::UpTo(from, to) => format!("from {from} up to {to}"),
        Scores::From(from) => format!("from {from} up"),
        Scores::Above(from) => format!("above {from}"),
        Scores::Below(from) => format!("below {from}"),
    }
}

fn end(n: Option<Number>) -> String {
    n.map_or("no limit".into(), |n| n.to_string())
}
