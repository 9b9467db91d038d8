//! The table that a chart is read on: rows and cells in words, forms to fill in, and tables as
//! printed.

use super::chart::{Numbers, amount, harm_of, signed};
use super::model::{Amount, Part, Section, Table, Tone};
use adjutant_engine::printed_cells;
use adjutant_pack::{
    Cell, Chart, ColumnId, NameSource, Pack, RoleId, Row, RowId, UserTable, capital,
};
use adjutant_wording::en::ChartWords;
use adjutant_wording::en::page::sheet::COLUMNS_TO_THE_RIGHT;

/// The longest score that heads a column. A longer one is above the table.
const LONGEST_HEAD: usize = 26;
/// The number of rows of a form to fill in by hand.
const FORM_LINES: usize = 7;

/// The column chosen by an option, if an option chooses: only that one applies.
fn column_in_force(pack: &Pack, chart: &Chart) -> Option<ColumnId> {
    let column = chart.read.column.as_ref()?;
    let [slot] = column.by.slots().try_into().ok()?;
    let NameSource::Option(option) = chart.names.get(slot)?.origin else { return None };
    column.place(pack.options()[option].field.start?)
}

/// Whether a table of several columns holds nothing but numbers of one unit, which then stands above
/// it and not in every cell.
fn numbers_alone(chart: &Chart) -> bool {
    let cells = || chart.read.rows.iter().flat_map(|row| &row.cells);
    let number = |cell: &Cell| cell.landing.is_none() && cell.label.is_empty();
    !chart.read.unit.is_empty()
        && chart.read.rows.iter().any(|row| row.cells.len() > 2)
        && cells().all(number)
}

pub(super) fn table(pack: &Pack, chart: &Chart, numbers: &mut Numbers, parts: &mut Vec<Part>) {
    let read = &chart.read;
    let forced = column_in_force(pack, chart);
    let several = forced.is_none() && read.rows.iter().any(|row| row.cells.len() > 1);
    let mut head = match ChartWords::for_players(pack, chart).score() {
        Some(score) if !read.by_conditions() => capital(&score),
        _ if read.by_conditions() => "When".to_owned(),
        _ => "Score".to_owned(),
    };
    if head.chars().count() > LONGEST_HEAD {
        parts.push(Part::Text(Tone::Plain, format!("Score = {head}")));
        head = "Score".into();
    }
    let mut made = Table { heads: vec![head], ..Table::default() };
    match read.column.as_ref().filter(|_| several) {
        Some(column) => {
            made.across = ChartWords::for_players(pack, chart).column(column);
            if numbers_alone(chart) {
                made.across = match made.across.as_str() {
                    "" => capital(&read.unit),
                    across => format!("{across} ({})", read.unit),
                };
            }
            made.heads.extend(column.heads.iter().map(|head| capital(head)));
        }
        None => made.heads.push("Result".into()),
    }
    let say_role = !chart.one_role();
    for (place, row) in read.rows.iter_enumerated() {
        let mut cells =
            vec![format!("{}{}", row_words(pack, chart, row, place), numbers.mark(row.reading))];
        match forced.filter(|_| row.cells.len() > 1).and_then(|forced| row.cells.get(forced)) {
            Some(cell) => cells.push(cell_words(pack, chart, cell, say_role, numbers)),
            None => cells.extend(row.cells.iter().enumerate().map(|(place, cell)| {
                let head = made.heads.get(place + 1).filter(|_| row.cells.len() > 1);
                let say_role = say_role && !names_role(chart, cell, head);
                cell_words(pack, chart, cell, say_role, numbers)
            })),
        }
        let harm = |cell: &Cell| {
            cell.landing.map_or(0, |landing| harm_of(pack, chart.landings[landing].result))
        };
        let shown = forced.filter(|_| row.cells.len() > 1).and_then(|forced| row.cells.get(forced));
        made.harm.push(match shown {
            Some(cell) => vec![0, harm(cell)],
            None => std::iter::once(0).chain(row.cells.iter().map(harm)).collect(),
        });
        made.rows.push(cells);
    }
    // A single row that always applies is a sentence.
    if let [only] = made.rows.as_slice()
        && let ([_, cell], true) = (only.as_slice(), read.by_conditions())
    {
        parts.push(Part::Text(Tone::Strong, format!("= {cell}")));
    } else {
        parts.push(Part::Table(made));
    }
}

/// The modifiers that move the column.
pub(super) fn shifts(pack: &Pack, chart: &Chart, numbers: &mut Numbers) -> Vec<Part> {
    let among = chart.read.column.as_ref().map_or(&[][..], |column| column.shift.as_slice());
    let lines: Vec<Amount> =
        among.iter().map(|shift| amount(pack, chart, among, shift, "", numbers)).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let head = Part::Step { title: COLUMNS_TO_THE_RIGHT.into(), roll: String::new() };
    vec![head, Part::Amounts(lines)]
}

/// A row's condition: its label with its band, or the word.
pub(super) fn row_words(pack: &Pack, chart: &Chart, row: &Row, place: RowId) -> String {
    if !row.text.is_empty() {
        return row.text.to_string();
    }
    let say = ChartWords::for_players(pack, chart);
    let band = row.ends_in_words(&|formula| say.formula(formula)).map(|ends| signed(&ends));
    if let Some(page) = &row.page {
        let heading = row.is_word.map(|word| say.word_of_row(word)).or(band);
        return format!("{}: {}", capital(page), heading.unwrap_or_default());
    }
    if !row.label.is_empty() {
        return match band {
            Some(band) if !row.label.contains(band.as_str()) => format!("{} ({band})", row.label),
            _ => row.label.to_string(),
        };
    }
    if let Some(word) = row.is_word {
        return capital(&say.word_of_row(word));
    }
    let when = row.own_when.as_ref().map(|when| say.formula(when));
    match (band, when) {
        (Some(band), Some(when)) => format!("{band}, if {when}"),
        (Some(band), None) => band,
        (None, Some(when)) => capital(&when),
        (None, None) if place > RowId::FIRST => "Otherwise".into(),
        (None, None) => "Always".into(),
    }
}

/// Whether the heading of a column names the role that the cell is about: “Attacker lost”.
fn names_role(chart: &Chart, cell: &Cell, head: Option<&String>) -> bool {
    let role = cell.landing.and_then(|landing| chart.landings[landing].on);
    let named = |head: &String, role: RoleId| {
        let id = chart.roles[role].id.to_lowercase();
        head.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| word == id)
    };
    head.zip(role).is_some_and(|(head, role)| named(head, role))
}

fn cell_words(
    pack: &Pack,
    chart: &Chart,
    cell: &Cell,
    say_role: bool,
    numbers: &Numbers,
) -> String {
    let mut parts = Vec::new();
    if let Some(landing) = cell.landing.map(|landing| &chart.landings[landing]) {
        let on = landing
            .on
            .filter(|_| say_role)
            .map_or(String::new(), |role| format!(" ({})", chart.roles[role].id));
        parts.push(format!("{}{on}", numbers.title(pack, landing.result)));
    }
    if !cell.label.is_empty() {
        parts.push(cell.label.to_string());
    } else if let Some(value) = &cell.value {
        let fixed = value.constant().is_some() && !parts.is_empty();
        let value = signed(&ChartWords::for_players(pack, chart).formula(value));
        // “kill {value}” goes with the result: “1-2 (kill 4)”.
        if chart.read.says.contains("{value}") && fixed {
            return format!(
                "{} ({})",
                parts.join(", "),
                chart.read.says.replace("{value}", &value)
            );
        }
        // What a result found by a sum says is in its meaning.
        if !chart.read.says.is_empty() && !parts.is_empty() {
            return parts.join(", ");
        }
        parts.push(match chart.read.unit.as_str() {
            "" => value,
            _ if numbers_alone(chart) => value,
            unit => format!("{value} {unit}"),
        });
    }
    if let Some(step) = cell.result_of {
        parts.push(format!("as {}", chart.steps[step].title));
    }
    parts.join(", ")
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
