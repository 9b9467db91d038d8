//! A chart as plain tables: the rows and columns it is read on, the modifiers of its rolls, and the
//! table as printed; and what is in none of these tables.

use crate::reference::{Held, Part, beside};
use adjutant_pack::{
    Chart, Column, ColumnId, IdVec, InputId, Modifier, Pack, RowId, Step, StepKind, capital,
};
use adjutant_wording::en::{self, ChartWords};

/// Column heads, and rows of the same length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextTable {
    pub heads: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// The columns of a chart, if its rows distinguish them.
pub(super) fn columns(chart: &Chart) -> Option<&Column> {
    chart.read.column.as_ref().filter(|_| chart.read.rows.iter().any(|row| row.cells.len() > 1))
}

/// The head above the bands.
fn score_head(pack: &Pack, chart: &Chart) -> String {
    match ChartWords::for_players(pack, chart).score() {
        _ if chart.read.by_conditions() => "Row".to_owned(),
        Some(score) => capital(&score),
        None => "Score".to_owned(),
    }
}

/// The table that a chart is read on, with a last column that says when a row counts. Where rows
/// have conditions alone, the first column is their label. A cell for all columns is repeated in
/// each. `None` if there is no table.
pub(super) fn results(pack: &Pack, chart: &Chart) -> Option<TextTable> {
    let say = ChartWords::for_players(pack, chart);
    let say_role = !chart.one_role();
    let columns: IdVec<ColumnId, String> = columns(chart)
        .map_or_else(|| vec!["Result".to_owned()].into(), |column| column.heads.clone());
    let row = |(place, row): (RowId, &adjutant_pack::Row)| {
        let cell = |column: ColumnId| {
            row.cells
                .get(column)
                .or(row.cells.first())
                .map_or(String::new(), |cell| say.cell(cell, say_role))
        };
        let when = row.own_when.as_ref().map_or(String::new(), |when| say.formula(when));
        std::iter::once(say.row(row, place))
            .chain(columns.ids().map(cell))
            .chain(std::iter::once(when))
            .collect()
    };
    let rows: Vec<Vec<String>> = chart.read.rows.iter_enumerated().map(row).collect();
    let heads = || std::iter::once(score_head(pack, chart)).chain(columns.iter().cloned());
    (!rows.is_empty())
        .then(|| TextTable { heads: heads().chain(["When".to_owned()]).collect(), rows })
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

/// Whether a step is shown: sums without modifiers and without words of their own are not.
fn is_shown(step: &Step) -> bool {
    let quiet = matches!(step.kind, StepKind::WorkOut(_)) && step.add.is_empty();
    step.on_sheet && (!quiet || !step.text.is_empty())
}

/// A modifier's label, with the choice it is for and whether only the best counts.
pub(super) fn label(pack: &Pack, chart: &Chart, modifier: &Modifier) -> String {
    let choice = ChartWords::for_players(pack, chart)
        .choice(modifier)
        .map_or(String::new(), |choice| format!(" ({choice})"));
    let best = if modifier.best_of.is_some() { " (only the best counts)" } else { "" };
    format!("{}{choice}{best}", modifier.label)
}

/// What is rolled and what is added, one line each, and what moves the column. The first column
/// names the roll, the last says when the line counts. `None` if there is nothing.
pub(super) fn rolls(pack: &Pack, chart: &Chart) -> Option<TextTable> {
    let say = ChartWords::for_players(pack, chart);
    let mut rows = Vec::new();
    let told = |of: &str, what: String, amount: String, when: Option<String>| {
        vec![of.to_owned(), what, amount, when.unwrap_or_default()]
    };
    let added = |of: &str, modifier: &Modifier, die: &str| {
        let when = modifier.when.as_ref().map(|when| say.formula(when));
        let amount = say.amount_in_line(modifier, die);
        // A spreadsheet knows a number by its plain sign.
        let number = amount.strip_prefix('−').filter(|rest| rest.parse::<f64>().is_ok());
        let amount = number.map_or(amount.clone(), |number| format!("-{number}"));
        told(of, label(pack, chart, modifier), amount, when)
    };
    for step in chart.steps.iter().filter(|step| is_shown(step)) {
        let line = |what: String, amount: String| told(&step.title, what, amount, None);
        rows.push(told(&step.title, say.step(step), String::new(), say.when_of_step(step)));
        let die = en::die_of(step);
        rows.extend(step.add.iter().map(|modifier| added(&step.title, modifier, &die)));
        let again = |again| line(format!("again: {}", say.again(again)), String::new());
        rows.extend(step.again.iter().map(again));
        rows.extend(step.most.iter().map(|most| line("at most".to_owned(), say.formula(most))));
        rows.extend(step.least.iter().map(|least| line("at least".to_owned(), say.formula(least))));
    }
    if let Some(column) = &chart.read.column {
        let shifts = column.shift.iter();
        rows.extend(shifts.map(|shift| added(en::page::sheet::COLUMNS_TO_THE_RIGHT, shift, "")));
    }
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
