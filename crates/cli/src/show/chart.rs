//! One chart as a sheet: what is asked, what is rolled, what is added, and the table it is read on.

use super::default_text;
use crate::paint::{DIM, HEAD, NAME, Table, WARN, in_style, paragraph, width};
use adjutant_engine::{printed_cells, questions};
use adjutant_pack::{Chart, Field, FilledFrom, OptionId, Pack};
use adjutant_wording::en::page::sheet::{AGAIN, AT_LEAST, AT_MOST, COLUMNS_TO_THE_RIGHT};
use adjutant_wording::en::{
    AmountValue, ChartText, ChartWords, LineText, StepText, TableText, not_shown, phrases,
};
use anstyle::Style;
use unicode_width::UnicodeWidthStr;

/// The longest formula that is shown as an amount. A longer one is shown beside it.
const LONGEST_AMOUNT: usize = 20;

/// The whole chart; with `full` also its inputs and its printed table.
pub fn chart(pack: &Pack, chart: &Chart, full: bool) -> String {
    let mut out = opening(pack, (&chart.title, &chart.id, &chart.about), chart.needs_option);
    let text = ChartWords::as_written(pack, chart).text();
    if let (Some(each), Some(who)) = (&chart.each, &text.each) {
        let (role, who) = (&chart.roles[each.role].id, who.trim_end_matches('.'));
        out.push_str(&paragraph(2, DIM, &format!("{who}: give {role}.1.…, {role}.2.… and so on.")));
    }
    if full {
        out.push_str(&inputs(pack, chart));
    }
    for step in &text.steps {
        out.push_str(&step_text(step));
    }
    for event in &text.deck_events {
        out.push_str(&paragraph(2, DIM, event));
    }
    out.push_str(&read_on(pack, &text));
    out.push_str(&results(&text));
    for note in &text.notes {
        out.push_str(&paragraph(2, DIM, note));
    }
    if !text.not_shown.is_empty() {
        let left_out = format!("Not on the sheet: {}.", not_shown(&text.not_shown));
        out.push_str(&paragraph(2, DIM, &left_out));
    }
    for reading in &text.readings {
        out.push_str(&paragraph(
            2,
            DIM,
            &format!(
                "{}: {}",
                pack.readings()[*reading].standing.name(),
                pack.readings()[*reading].text
            ),
        ));
    }
    if chart.printed.is_some() {
        out.push_str(&printed(pack, chart, full));
    }
    out
}

/// What a chart or a fight opens with: its name, its id, the option it is behind, what it is about.
pub fn opening(
    pack: &Pack,
    (title, id, about): (&str, &str, &str),
    needs_option: Option<OptionId>,
) -> String {
    let mut out = format!("{}  {}\n", in_style(HEAD, title), in_style(NAME, id));
    if let Some(option) = needs_option.map(|option| &pack.options()[option]) {
        let text = format!(
            "{}, off unless --option {}=yes ({})",
            option.standing.name(),
            option.field.id,
            option.origin
        );
        out.push_str(&paragraph(2, WARN, &text));
    }
    if !about.is_empty() {
        out.push_str(&paragraph(2, Style::new(), about));
    }
    out
}

/// An input in words: its label, what it accepts, its default, its note.
pub fn field_text(field: &Field, from: &str) -> String {
    let note = if field.note.is_empty() { String::new() } else { format!(". {}", field.note) };
    format!(
        "{}{from}: {} ({}){note}",
        field.label,
        adjutant_wording::en::accepted(&field.accepts),
        default_text(field.default.as_ref())
    )
}

fn inputs(pack: &Pack, chart: &Chart) -> String {
    let mut table = Table::new(2);
    for input in &chart.inputs {
        let from = match input.source {
            FilledFrom::Situation => "",
            FilledFrom::Attribute(_) => " [unit]",
            FilledFrom::Status(_) => " [status]",
            FilledFrom::SideMemory(_) => " [side]",
        };
        table.row([(input.name.to_string(), NAME), (field_text(&input.field, from), Style::new())]);
    }
    for question in questions(pack, chart) {
        table.row([
            (format!("--answer {}", question.key), NAME),
            (
                format!(
                    "{} ({})",
                    question.prompt,
                    adjutant_wording::en::accepted(&question.accepts)
                ),
                Style::new(),
            ),
        ]);
    }
    table.print()
}

fn step_text(step: &StepText<'_>) -> String {
    let when =
        step.when.as_ref().map_or(String::new(), |when| in_style(DIM, format!("  if {when}")));
    let title = in_style(HEAD, format!("{}:", step.title));
    let mut out = format!("  {title}  {}{when}\n", step.does);
    let mut table = Table::new(4);
    for line in &step.lines {
        line_row(&mut table, line);
    }
    for again in &step.again {
        table.row([
            (AGAIN.to_owned(), WARN),
            (again.text.clone(), Style::new()),
            (format!("if {}", again.when), DIM),
        ]);
    }
    for (word, limit) in [(AT_MOST, &step.most), (AT_LEAST, &step.least)] {
        if let Some(limit) = limit {
            table.row([
                (word.to_owned(), HEAD),
                (limit.clone(), Style::new()),
                (String::new(), DIM),
            ]);
        }
    }
    out.push_str(&table.print());
    out
}

fn line_row(table: &mut Table, line: &LineText<'_>) {
    let (amount, spelt) = match (&line.amount.said, &line.amount.value) {
        (Some(said), _) => (line.amount.figure(""), Some(said.clone())),
        (None, AmountValue::Formula(formula)) if formula.chars().count() > LONGEST_AMOUNT => {
            (line.amount.figure("…"), Some(format!("… = {formula}")))
        }
        (None, AmountValue::Formula(formula)) => (line.amount.figure(formula), None),
        (None, _) => (line.amount.figure(""), None),
    };
    let amount = amount.replace('−', "-");
    let when = line.when.as_ref().map(|when| format!("if {when}"));
    let when = [when, spelt].into_iter().flatten().collect::<Vec<_>>().join("; ");
    table.row([(amount, HEAD), (line.label(), Style::new()), (when, DIM)]);
}

/// The table that the score is read on, and what counts besides.
fn read_on(pack: &Pack, text: &ChartText<'_>) -> String {
    let plain = |text: &str| paragraph(2, Style::new(), text);
    let mut out = String::new();
    if let Some(user) =
        text.user_table.map(|table| &pack.user_tables()[table]).filter(|table| !table.filled)
    {
        let own = format!(
            "Read on: {}, which is yours to fill in (adjutant tables {}). {}",
            user.title,
            pack.id(),
            user.place
        );
        out.push_str(&paragraph(2, WARN, &own));
    }
    if let Some(rows) = &text.table {
        out.push_str(&table(rows));
    }
    if !text.shifts.is_empty() {
        out.push_str(&paragraph(2, DIM, &format!("{COLUMNS_TO_THE_RIGHT}:")));
        let mut table = Table::new(4);
        text.shifts.iter().for_each(|line| line_row(&mut table, line));
        out.push_str(&table.print());
    }
    if let Some(value) = &text.value {
        let unit = text.chart.read.unit.as_str();
        out.push_str(&paragraph(2, HEAD, format!("= {value} {unit}").trim_end()));
    }
    for change in phrases(&text.always) {
        out.push_str(&plain(&format!("Always: {change}")));
    }
    text.also.iter().for_each(|also| out.push_str(&plain(&also.text(""))));
    text.tallies.iter().for_each(|tally| out.push_str(&plain(tally)));
    out
}

fn table(text: &TableText<'_>) -> String {
    let mut out = String::new();
    let mut score = match &text.score {
        Some(score) => score.clone(),
        None => "when".to_owned(),
    };
    if score.width() > 24 {
        out.push_str(&paragraph(2, Style::new(), &format!("score = {score}")));
        score = "score".to_owned();
    }
    if !text.across.is_empty() {
        let unit = text.unit.map_or(String::new(), |unit| format!(" ({unit})"));
        out.push_str(&paragraph(2, DIM, &format!("Columns: {}{unit}", text.across)));
    }
    let mut table = Table::new(2);
    match text.heads.as_slice() {
        [] => table.head([score, "result".to_owned()]),
        heads => table.head(std::iter::once(score).chain(heads.iter().cloned())),
    }
    for row in &text.rows {
        let cells = row.cells.iter().map(|cell| (cell.text(), Style::new()));
        table.row(std::iter::once((row.text.clone(), HEAD)).chain(cells));
    }
    let turned = table.natural_width() > width() && text.heads.len() > text.rows.len();
    out.push_str(&if turned { table.turned().print() } else { table.print() });
    out
}

/// What results and rows mean and change, each once, in the order of the chart.
fn results(text: &ChartText<'_>) -> String {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for result in &text.results {
        let changes = phrases(&result.changes).join("; ");
        let words = match (result.means, changes.as_str()) {
            (means, "") => means.to_owned(),
            ("", changes) => format!("[{changes}]"),
            (means, changes) => format!("{means} [{changes}]"),
        };
        let line = (result.title, words);
        if !line.1.is_empty() && !lines.contains(&line) {
            lines.push(line);
        }
    }
    let then = text.then.iter().map(|then| (then.of.as_str(), phrases(&then.changes).join("; ")));
    let together = text.together.iter().map(|together| ("Together", together.clone()));
    let mut table = Table::new(2);
    for (of, words) in lines.into_iter().chain(then).chain(together) {
        table.row([(of.to_owned(), HEAD), (words, Style::new())]);
    }
    table.print()
}

/// The table as printed, with the cells marked that depart from the rule.
fn printed(pack: &Pack, chart: &Chart, full: bool) -> String {
    let Some(sheet) = &chart.printed else { return String::new() };
    let cells = printed_cells(pack, chart);
    let departs = cells.iter().filter(|cell| cell.departs()).count();
    let summary = format!(
        "As printed: {departs} of {} cells depart from the rule and are marked *.",
        cells.len()
    );
    if !full {
        return paragraph(2, DIM, &format!("{summary} (adjutant show {} {})", pack.id(), chart.id));
    }
    let (down, across) =
        (&chart.inputs[sheet.down].field.label, &chart.inputs[sheet.across].field.label);
    let mut out = format!(
        "\n  {}\n  {}\n",
        in_style(HEAD, &summary),
        in_style(DIM, format!("{down} down, {across} across"))
    );
    let columns = sheet.heads.len();
    let cell_width = cells.iter().map(|cell| cell.printed.width()).max().unwrap_or(1).max(2) + 1;
    let fit = (width().saturating_sub(6) / (cell_width + 1)).clamp(1, columns);
    for start in (0..columns).step_by(fit) {
        let end = (start + fit).min(columns);
        let heads: String =
            sheet.heads[start..end].iter().map(|head| format!(" {head:>cell_width$}")).collect();
        out.push_str(&format!("    {}\n", in_style(HEAD, heads)));
        for (row, (value, _)) in sheet.rows.iter().enumerate() {
            out.push_str(&in_style(HEAD, format!("  {value:>2}")));
            for cell in &cells[row * columns + start..row * columns + end] {
                let shown = if cell.printed.is_empty() { "–" } else { &cell.printed };
                let text = format!(
                    "{:>cell_width$}",
                    format!("{shown}{}", if cell.departs() { "*" } else { " " })
                );
                out.push_str(&format!(
                    " {}",
                    if cell.departs() { in_style(WARN, text) } else { text }
                ));
            }
            out.push('\n');
        }
        out.push('\n');
    }
    let list: Vec<String> = cells
        .iter()
        .filter(|cell| cell.departs())
        .map(|cell| {
            format!(
                "{} v {} {} → {}",
                cell.down,
                cell.across,
                if cell.printed.is_empty() { "blank" } else { &cell.printed },
                cell.computed
            )
        })
        .collect();
    out.push_str(&paragraph(
        2,
        Style::new(),
        &format!("Printed → by the rule: {}.", list.join("; ")),
    ));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare(text: &str) -> String {
        text.chars().filter(|c| !c.is_whitespace()).collect()
    }

    /// The law of the model: what it says is shown, as far as one line holds it; a table breaks the
    /// lines of its cells.
    #[test]
    fn all_of_the_model_is_shown() {
        let mut compared = 0;
        for id in adjutant_bundled_packs::IDS {
            let files = adjutant_bundled_packs::files(id).expect("a bundled pack");
            let pack = adjutant_pack::read_pack(&files, None).expect("a good pack");
            for known in pack.charts() {
                let shown = anstream::adapter::strip_str(&chart(&pack, known, true)).to_string();
                let (words, shown) = (shown.clone(), bare(&shown));
                let says = ChartWords::as_written(&pack, known).text();
                let mut all: Vec<String> = Vec::new();
                let mut of_cells: Vec<String> = Vec::new();
                for step in &says.steps {
                    all.extend([step.title.clone(), step.does.clone()]);
                    of_cells.extend(step.lines.iter().map(LineText::label));
                    of_cells.extend(step.again.iter().map(|again| again.text.clone()));
                    of_cells.extend(step.most.iter().chain(&step.least).cloned());
                }
                of_cells.extend(says.shifts.iter().map(LineText::label));
                for row in says.table.iter().flat_map(|table| &table.rows) {
                    of_cells.push(row.text.clone());
                    of_cells.extend(row.cells.iter().map(|cell| cell.text()));
                }
                for result in &says.results {
                    of_cells.push(result.means.to_owned());
                    of_cells.extend(phrases(&result.changes));
                }
                of_cells.extend(says.then.iter().flat_map(|then| phrases(&then.changes)));
                all.extend(phrases(&says.always));
                all.extend(says.also.iter().map(|also| also.text("")));
                all.extend(says.tallies.iter().chain(&says.deck_events).cloned());
                all.extend(says.notes.iter().map(ToString::to_string));
                for text in all {
                    assert!(shown.contains(&bare(&text)), "{id} {}: {text}\n{words}", known.id);
                    compared += 1;
                }
                for word in of_cells.iter().flat_map(|text| text.split_whitespace()) {
                    assert!(shown.contains(word), "{id} {}: {word}\n{words}", known.id);
                    compared += 1;
                }
            }
        }
        assert!(compared > 500, "{compared}");
    }
}
