//! A chart as plain tables: the rows and columns it is read on, the modifiers of its rolls, and the
//! table as printed; and what is in none of these tables.

use crate::reference::{Held, Part, beside};
use adjutant_pack::{Chart, InputId, Pack};
use adjutant_wording::en::page::sheet::{AT_LEAST, AT_MOST, COLUMNS_TO_THE_RIGHT};
use adjutant_wording::en::{ChartText, LineText};

/// Column heads, and rows of the same length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextTable {
    pub heads: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// The table that a chart is read on, with a last column that says when a row counts. A cell for
/// all columns is repeated in each. `None` if there is no table.
pub(super) fn results(text: &ChartText<'_>) -> Option<TextTable> {
    let table = text.table.as_ref()?;
    let score = match (&table.score, table.by_conditions) {
        (_, true) => "Row".to_owned(),
        (Some(score), false) => score.clone(),
        (None, false) => "Score".to_owned(),
    };
    let unit = table.unit.map_or(String::new(), |unit| format!(" ({unit})"));
    let columns: Vec<String> = match table.heads.as_slice() {
        [] => vec!["Result".to_owned()],
        heads => heads.iter().map(|head| format!("{head}{unit}")).collect(),
    };
    let rows = table.rows.iter().map(|row| {
        let cell = |column| row.cell(column).map_or(String::new(), |cell| plain(cell.text()));
        std::iter::once(plain(row.text.clone()))
            .chain((0..columns.len()).map(cell))
            .chain(std::iter::once(row.when.clone().unwrap_or_default()))
            .collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let heads = std::iter::once(score).chain(columns).chain(["When".to_owned()]).collect();
    Some(TextTable { heads, rows })
}

/// A spreadsheet knows a number by its plain sign.
fn plain(text: String) -> String {
    let number = text.strip_prefix('−').filter(|rest| rest.parse::<f64>().is_ok());
    number.map_or(text.clone(), |number| format!("-{number}"))
}

/// The table as printed, if the sheet prints one by two numbers.
pub(super) fn printed(chart: &Chart) -> Option<TextTable> {
    let printed = chart.printed.as_ref()?;
    let label = |input: InputId| chart.inputs[input].field.label.to_string();
    let corner = format!("{} \\ {}", label(printed.down), label(printed.across));
    let heads =
        std::iter::once(corner).chain(printed.heads.iter().map(ToString::to_string)).collect();
    let rows = printed.rows.iter().map(|(down, cells)| {
        std::iter::once(down.to_string()).chain(cells.iter().cloned()).collect()
    });
    Some(TextTable { heads, rows: rows.collect() })
}

/// What is rolled and what is added, one line each, and what moves the column. The first column
/// names the roll, the last says when the line counts. `None` if there is nothing.
pub(super) fn rolls(text: &ChartText<'_>) -> Option<TextTable> {
    let mut rows = Vec::new();
    let row = |of: &str, what: String, amount: &str, when: Option<&String>| {
        vec![of.to_owned(), what, plain(amount.to_owned()), when.cloned().unwrap_or_default()]
    };
    // Paper leaves a condition out that is the label; in a spreadsheet an empty cell means always.
    let added = |of: &str, line: &LineText<'_>| {
        let conditional = line.modifier.when.is_some() && line.amount.said.is_none();
        let when = line.when.clone().or_else(|| conditional.then(|| line.label()));
        row(of, line.label(), &line.in_line, when.as_ref())
    };
    for step in &text.steps {
        let of = step.title.as_str();
        rows.push(row(of, step.does.clone(), "", step.when.as_ref()));
        rows.extend(step.lines.iter().map(|line| added(of, line)));
        let again = step.again.iter();
        rows.extend(
            again.map(|again| row(of, format!("again: {}", again.text), "", Some(&again.when))),
        );
        for (word, limit) in [(AT_MOST, &step.most), (AT_LEAST, &step.least)] {
            rows.extend(limit.iter().map(|limit| row(of, word.to_owned(), limit, None)));
        }
    }
    rows.extend(text.shifts.iter().map(|line| added(COLUMNS_TO_THE_RIGHT, line)));
    (!rows.is_empty()).then(|| TextTable {
        heads: ["Roll", "What", "Amount", "When"].map(str::to_owned).to_vec(),
        rows,
    })
}

/// What the other tables of a chart do not hold: what results change, what follows, and notes.
/// `None` if there is nothing.
pub(super) fn notes(pack: &Pack, chart: &Chart) -> Option<TextTable> {
    let held = Held { steps: &|_| true, table: true };
    let rows: Vec<Vec<String>> = beside(pack, chart, &held)
        .into_iter()
        .flat_map(|section| {
            let title = section.title;
            section.parts.into_iter().flat_map(move |part| lines_of(&title, part))
        })
        .collect();
    (!rows.is_empty())
        .then(|| TextTable { heads: ["Of", "What", "Text"].map(str::to_owned).to_vec(), rows })
}

/// The paragraphs and items of a part. What it has as tables is in the other files.
fn lines_of(title: &str, part: Part) -> Vec<Vec<String>> {
    let line = |what: String, text: String| vec![title.to_owned(), what, text];
    match part {
        Part::Text(_, text) => vec![line(String::new(), text)],
        Part::Items(items) => items
            .into_iter()
            .map(|item| {
                let what = [item.mark, item.term].into_iter().filter(|part| !part.is_empty());
                line(what.collect::<Vec<_>>().join(" "), item.text)
            })
            .collect(),
        Part::Step { .. } | Part::Amounts(_) | Part::Table(_) | Part::Figures(_) => Vec::new(),
    }
}
