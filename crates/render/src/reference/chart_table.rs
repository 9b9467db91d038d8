//! The table that a chart is read on: rows and cells in words, forms to fill in, and tables as
//! printed.

use super::chart::Numbers;
use super::model::{Part, Section, Table, Tone};
use adjutant_engine::printed_cells;
use adjutant_pack::{Chart, Pack, UserTable, capital};
use adjutant_wording::en::{CellText, TableText};

/// The longest score that heads a column. A longer one is above the table.
const LONGEST_HEAD: usize = 26;
/// The number of rows of a form to fill in by hand.
const FORM_LINES: usize = 7;

pub(super) fn table(text: &TableText<'_>, numbers: &mut Numbers, parts: &mut Vec<Part>) {
    let mut head = match &text.score {
        Some(score) => score.clone(),
        None if text.by_conditions => "When".to_owned(),
        None => "Score".to_owned(),
    };
    if head.chars().count() > LONGEST_HEAD {
        parts.push(Part::Text(Tone::Plain, format!("Score = {head}")));
        head = "Score".into();
    }
    let mut made = Table { heads: vec![head], ..Table::default() };
    if text.heads.is_empty() || text.in_force.is_some() {
        made.heads.push("Result".into());
    } else {
        made.across = match (text.unit, text.across.as_str()) {
            (None, across) => across.to_owned(),
            (Some(unit), "") => capital(unit),
            (Some(unit), across) => format!("{across} ({unit})"),
        };
        made.heads.extend(text.heads.iter().cloned());
    }
    for row in &text.rows {
        let marked = |cell: &CellText<'_>| {
            cell.marked(cell.result.map_or("", |result| numbers.dagger(result)))
        };
        let shown = row.cells_in_force(text.in_force);
        let cells: Vec<String> = shown.iter().map(marked).collect();
        made.harm.push(std::iter::once(0).chain(shown.iter().map(|cell| cell.harm)).collect());
        let head = format!("{}{}", row.text, numbers.mark(row.row.reading));
        made.rows.push(std::iter::once(head).chain(cells).collect());
    }
    // A single row that always applies is a sentence.
    if let [only] = made.rows.as_slice()
        && let ([_, cell], true) = (only.as_slice(), text.by_conditions)
    {
        parts.push(Part::Text(Tone::Strong, format!("= {cell}")));
    } else {
        parts.push(Part::Table(made));
    }
}

/// A table that is only in the rule book: a form to copy it into.
pub(super) fn form(pack: &Pack, user: &UserTable) -> Vec<Part> {
    let results: Vec<&str> =
        user.results.iter().map(|result| pack.results()[*result].title.as_str()).collect();
    let heads = match user.columns.as_slice() {
        [] => vec!["Score".to_owned(), "Result".to_owned()],
        columns => std::iter::once("Score".to_owned())
            .chain(columns.iter().map(|column| capital(column)))
            .collect(),
    };
    let place = if user.place.is_empty() { String::new() } else { format!(" {}", user.place) };
    let note = format!("It may say: {}.{place}", results.join(", "));
    let rows = vec![vec![String::new(); heads.len()]; FORM_LINES];
    let caption = format!("{}: yours to fill in", user.title);
    vec![
        Part::Table(Table { caption, heads, rows, form: true, ..Table::default() }),
        Part::Text(Tone::Note, note),
    ]
}

/// The table as printed, computed by the rule. A star marks where the print differs.
pub(super) fn printed(pack: &Pack, chart: &Chart) -> Option<Section> {
    let sheet = chart.printed.as_ref()?;
    let cells = printed_cells(pack, chart);
    let columns = sheet.heads.len();
    let (down, across) =
        (&chart.inputs[sheet.down].field.label, &chart.inputs[sheet.across].field.label);
    let departs = cells.iter().filter(|cell| cell.departs()).count();
    let shown = |cell: &adjutant_engine::PrintedCell| {
        format!("{}{}", cell.computed, if cell.departs() { "*" } else { "" })
    };
    let rows = sheet.rows.iter().enumerate().map(|(place, (value, _))| {
        let row = cells.get(place * columns..(place + 1) * columns).unwrap_or(&[]);
        std::iter::once(value.to_string()).chain(row.iter().map(shown)).collect()
    });
    let heads =
        std::iter::once(String::new()).chain(sheet.heads.iter().map(ToString::to_string)).collect();
    let mut parts = vec![Part::Text(
        Tone::About,
        format!("{down} down, {across} across; by the rule of the chart."),
    )];
    parts.push(Part::Table(Table { heads, rows: rows.collect(), grid: true, ..Table::default() }));
    if departs > 0 {
        let note = format!(
            "* {departs} of {} cells stand otherwise in the printed table, against its own rule.",
            cells.len()
        );
        parts.push(Part::Text(Tone::Note, note));
    }
    Some(Section { title: format!("{}: the table", chart.title), parts, ..Section::default() })
}
