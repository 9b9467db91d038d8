//! A chart as plain tables: the rows and columns it is read on, the modifiers of its rolls, and the
//! table as printed. CSV files and HTML pages use the same cells.

use adjutant_pack::{
    Amount, Chart, Column, ColumnId, IdVec, InputId, Modifier, Pack, RowId, Step, StepKind,
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
pub(super) fn score_head(chart: &Chart) -> String {
    match &chart.read.score {
        Some(score) if !chart.read.by_conditions() && score.text.chars().count() <= 24 => {
            score.text.to_string()
        }
        Some(_) if !chart.read.by_conditions() => "Score".to_owned(),
        _ => "When".to_owned(),
    }
}

/// The table that a chart is read on. A cell for all columns is repeated in each. `None` if there
/// is no table.
pub(super) fn results(pack: &Pack, chart: &Chart) -> Option<TextTable> {
    let say = ChartWords::as_written(pack, chart);
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
        std::iter::once(say.row(row, place)).chain(columns.ids().map(cell)).collect()
    };
    let rows: Vec<Vec<String>> = chart.read.rows.iter_enumerated().map(row).collect();
    (!rows.is_empty()).then(|| TextTable {
        heads: std::iter::once(score_head(chart)).chain(columns.clone()).collect(),
        rows,
    })
}

/// The same with a last column that says when a row counts, for files whose reader cannot ask: the
/// condition of each row, in words. Where rows have conditions alone, the first column is their
/// label without it.
pub(super) fn results_with_conditions(pack: &Pack, chart: &Chart) -> Option<TextTable> {
    let say = ChartWords::for_players(pack, chart);
    let TextTable { mut heads, mut rows } = results(pack, chart)?;
    let by_conditions = chart.read.by_conditions();
    if by_conditions {
        heads[0] = "Row".to_owned();
    }
    heads.push("When".to_owned());
    for (cells, (place, row)) in rows.iter_mut().zip(chart.read.rows.iter_enumerated()) {
        if by_conditions {
            cells[0] = say.row(row, place);
        }
        cells.push(row.own_when.as_ref().map_or(String::new(), |when| say.formula(when)));
    }
    Some(TextTable { heads, rows })
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
pub(super) fn is_shown(step: &Step) -> bool {
    let quiet = matches!(step.kind, StepKind::WorkOut(_)) && step.add.is_empty();
    step.on_sheet && (!quiet || !step.text.is_empty())
}

/// The amount of a modifier, with its formula.
pub(super) fn amount(step: &Step, modifier: &Modifier) -> String {
    let (amount, formula) = en::amount_of(modifier, &en::die_of(step));
    match (&modifier.amount, formula) {
        (_, Some(text)) if !modifier.text.is_empty() => text,
        (Amount::Plus(_), Some(formula)) => formula.trim_start_matches("… = ").to_owned(),
        (_, Some(formula)) => format!("{amount} ({})", formula.trim_start_matches("… = ")),
        (_, None) => amount,
    }
}

/// The amount of a modifier beside its label: a number, or only the sign if the label names the
/// value; and the formula, if it is more than a value.
pub(super) fn sign(step: &Step, modifier: &Modifier) -> (String, Option<String>) {
    let formula = modifier.amount.formula();
    if formula.constant().is_some() || !modifier.text.is_empty() {
        let (amount, said) = en::amount_of(modifier, &en::die_of(step));
        return (amount, said.filter(|_| !modifier.text.is_empty()));
    }
    let sign = en::sign_of(modifier);
    let plain = formula.text.trim_start_matches('-');
    let value = plain.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'));
    (sign.to_owned(), (!value).then(|| plain.to_owned()))
}

/// A modifier's label, with the choice it is for and whether only the best counts.
pub(super) fn label(pack: &Pack, chart: &Chart, modifier: &Modifier) -> String {
    let choice = ChartWords::for_players(pack, chart)
        .choice(modifier)
        .map_or(String::new(), |choice| format!(" ({choice})"));
    let best = if modifier.best_of.is_some() { " (only the best counts)" } else { "" };
    format!("{}{choice}{best}", modifier.label)
}

/// What is rolled and what is added, one line each. The first column names the roll, the last says
/// when the line counts. `None` if there is nothing.
pub(super) fn rolls(pack: &Pack, chart: &Chart) -> Option<TextTable> {
    let say = ChartWords::as_written(pack, chart);
    let players = ChartWords::for_players(pack, chart);
    let mut rows = Vec::new();
    for step in chart.steps.iter().filter(|step| is_shown(step)) {
        let told = |what: String, amount: String, when: Option<String>| {
            vec![step.title.to_string(), what, amount, when.unwrap_or_default()]
        };
        let line = |what: String, amount: String| told(what, amount, None);
        rows.push(told(say.step(step), String::new(), say.when_of_step(step)));
        for modifier in &step.add {
            let when = modifier.when.as_ref().map(|when| players.formula(when));
            rows.push(told(label(pack, chart, modifier), amount(step, modifier), when));
        }
        rows.extend(
            step.again
                .iter()
                .map(|again| line(format!("again: {}", say.again(again)), String::new())),
        );
        rows.extend(step.most.iter().map(|most| line("at most".to_owned(), most.text.to_string())));
        rows.extend(
            step.least.iter().map(|least| line("at least".to_owned(), least.text.to_string())),
        );
    }
    (!rows.is_empty()).then(|| TextTable {
        heads: ["Roll", "What", "Amount", "When"].map(str::to_owned).to_vec(),
        rows,
    })
}
