//! What a chart's results mean, what they change and what follows from them.

use crate::paint::{DIM, HEAD, Table};
use adjutant_pack::{Chart, Pack, ResultBinding};
use adjutant_wording::en::ChartWords;
use anstyle::Style;

/// One line for each result of the chart, in the order in which the sheet names them first.
pub fn results(pack: &Pack, chart: &Chart) -> String {
    let mut table = Table::new(2);
    let mut seen = Vec::new();
    for landing in &chart.landings {
        let outcome = &pack.results()[landing.result];
        let text = landing_text(pack, chart, landing);
        if text.is_empty() || seen.contains(&(landing.result, text.clone())) {
            continue;
        }
        seen.push((landing.result, text.clone()));
        table.row([(outcome.title.to_string(), HEAD), (text, Style::new())]);
    }
    for row in &chart.read.rows {
        let Some(cell) =
            row.cells.iter().find(|cell| !cell.effects.is_empty() || !cell.next.is_empty())
        else {
            continue;
        };
        let label =
            if row.label.is_empty() { "This row".to_owned() } else { row.label.to_string() };
        table.row([
            (label, HEAD),
            (ChartWords::as_written(pack, chart).changes_of_cell(cell).join("; "), Style::new()),
        ]);
    }
    if let Some(together) = &chart.together {
        table.row([
            ("Together".to_owned(), DIM),
            (
                format!(
                    "the results of simultaneous attacks are applied together if {}",
                    together.text
                ),
                DIM,
            ),
        ]);
    }
    table.print()
}

fn landing_text(pack: &Pack, chart: &Chart, landing: &ResultBinding) -> String {
    let outcome = &pack.results()[landing.result];
    let lines = ChartWords::as_written(pack, chart).changes_of_result(landing);
    let means = Some(outcome.means.to_string()).filter(|means| !means.is_empty());
    let changes = (!lines.is_empty()).then(|| format!("[{}]", lines.join("; ")));
    means.into_iter().chain(changes).collect::<Vec<_>>().join(" ")
}
