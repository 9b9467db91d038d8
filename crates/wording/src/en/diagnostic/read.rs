//! How a chart is read: rows, bands, columns, cells, user tables.

use super::expression::value_kind;
use super::keys::toml_type;
use super::{Sentence, said, suggestion};
use adjutant_dice::Number;
use adjutant_pack::problem::{ReadProblem, RowProblem, Scores, ValueKind};

pub(super) fn read(problem: &ReadProblem) -> Sentence {
    match problem {
        ReadProblem::NotSaid => {
            said("the chart does not say how it is read", "add [chart.….read] with rows or value")
        }
        ReadProblem::SaysWithoutValue => said(
            "`says` does not say the number",
            "put {value} where the number should stand: says = \"Soldier {value}\"",
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
                "`{}` is {}, but a result, a number or a cell should stand here",
                column.name,
                toml_type(*found)
            ),
            suggestion(column),
        ),
        ReadProblem::NoScore => {
            said("it is not said which number these bands are for", "add score = \"…\"")
        }
        ReadProblem::ColumnByNumber => said(
            "a column is chosen by a choice or a yes/no, not by a number",
            "make bands of the number: if(n > 3, 'far', 'near')",
        ),
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
        RowProblem::WordOfNumber => said("the score is a number, not a choice", "write is = 3"),
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

fn scores(scores: Scores) -> String {
    match scores {
        Scores::Only(n) => format!("of {n}"),
        Scores::To(from, to) => format!("from {from} to {to}"),
        Scores::UpTo(from, to) => format!("from {from} up to {to}"),
        Scores::From(from) => format!("from {from} up"),
        Scores::Above(from) => format!("above {from}"),
    }
}

fn end(n: Option<Number>) -> String {
    n.map_or("no limit".into(), |n| n.to_string())
}
