//! One chart as a sheet: what is asked, what is rolled, what is added, and the table it is read on.

use super::default_text;
use crate::paint::{DIM, HEAD, NAME, Table, WARN, in_style, paragraph, width};
use adjutant_engine::{printed_cells, questions};
use adjutant_pack::{Chart, Field, FilledFrom, Modifier, OptionId, Pack, Step};
use adjutant_wording::en::{self, AmountText, AmountValue, ChartWords};
use anstyle::Style;
use unicode_width::UnicodeWidthStr;

/// The longest formula that is shown as an amount. A longer one is shown beside it.
const LONGEST_AMOUNT: usize = 20;

/// The whole chart; with `full` also its inputs and its printed table.
pub fn chart(pack: &Pack, chart: &Chart, full: bool) -> String {
    let mut out = opening(pack, (&chart.title, &chart.id, &chart.about), chart.needs_option);
    if let Some(each) = &chart.each {
        let role = &chart.roles[each.role].id;
        let who = adjutant_wording::en::page::sheet::for_each(role, each.random.is_some());
        let who = who.trim_end_matches('.');
        out.push_str(&paragraph(2, DIM, &format!("{who}: give {role}.1.…, {role}.2.… and so on.")));
    }
    if full {
        out.push_str(&inputs(pack, chart));
    }
    for step in chart.steps.iter().filter(|step| step.on_sheet) {
        out.push_str(&step_text(pack, chart, step));
    }
    for event in ChartWords::as_written(pack, chart).deck_events() {
        out.push_str(&paragraph(2, DIM, &event));
    }
    out.push_str(&table(pack, chart));
    out.push_str(&super::results::results(pack, chart));
    for note in en::chart_notes(chart) {
        out.push_str(&paragraph(2, DIM, &note));
    }
    for reading in &chart.all_readings() {
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

fn step_text(pack: &Pack, chart: &Chart, step: &Step) -> String {
    let say = ChartWords::as_written(pack, chart);
    let what = say.step(step);
    let when =
        say.when_of_step(step).map_or(String::new(), |when| in_style(DIM, format!("  if {when}")));
    let mut out = format!("  {}  {what}{when}\n", in_style(HEAD, format!("{}:", step.title)));
    let mut table = Table::new(4);
    let unit = en::die_of(step);
    for modifier in &step.add {
        modifier_row(&mut table, modifier, &say.amount(modifier, &unit));
    }
    for again in &step.again {
        table.row([
            ("again".to_owned(), WARN),
            (say.again(again), Style::new()),
            (format!("if {}", again.when.text), DIM),
        ]);
    }
    for (word, limit) in [("at most", &step.most), ("at least", &step.least)] {
        if let Some(limit) = limit {
            table.row([
                (word.to_owned(), HEAD),
                (limit.text.to_string(), Style::new()),
                (String::new(), DIM),
            ]);
        }
    }
    out.push_str(&table.print());
    out
}

fn modifier_row(table: &mut Table, modifier: &Modifier, text: &AmountText) {
    let (amount, spelt) = match (&text.said, &text.value) {
        (Some(said), _) => (text.figure(""), Some(said.clone())),
        (None, AmountValue::Formula(formula)) if formula.chars().count() > LONGEST_AMOUNT => {
            (text.figure("…"), Some(format!("… = {formula}")))
        }
        (None, AmountValue::Formula(formula)) => (text.figure(formula), None),
        (None, _) => (text.figure(""), None),
    };
    let amount = amount.replace('−', "-");
    let best = modifier.best_of.as_ref().map_or(String::new(), |_| " (only the best)".to_owned());
    let when = modifier.when.as_ref().filter(|_| modifier.text.is_empty());
    let when = when.map(|when| format!("if {}", when.text));
    let when = [when, spelt].into_iter().flatten().collect::<Vec<_>>().join("; ");
    table.row([(amount, HEAD), (format!("{}{best}", modifier.label), Style::new()), (when, DIM)]);
}

/// The table the score is read on.
fn table(pack: &Pack, chart: &Chart) -> String {
    let say = ChartWords::as_written(pack, chart);
    let read = &chart.read;
    let mut out = String::new();
    if let Some(user) =
        read.user_table.map(|table| &pack.user_tables()[table]).filter(|table| !table.filled)
    {
        out.push_str(&paragraph(
            2,
            WARN,
            &format!(
                "Read on: {}, which is yours to fill in (adjutant tables {}). {}",
                user.title,
                pack.id(),
                user.place
            ),
        ));
    }
    if !read.rows.is_empty() {
        let mut score =
            say.score().filter(|_| !read.by_conditions()).unwrap_or_else(|| "when".to_owned());
        if score.width() > 24 {
            out.push_str(&paragraph(2, Style::new(), &format!("score = {score}")));
            score = "score".to_owned();
        }
        if let Some(column) = &read.column {
            out.push_str(&paragraph(2, DIM, &format!("Columns: {}", say.column(column))));
            if let Some(shifts) = say.shifts(column) {
                out.push_str(&paragraph(2, DIM, &shifts));
            }
        }
        let same = chart.one_role();
        let mut table = Table::new(2);
        match &read.column {
            Some(column) if read.rows.iter().any(|row| row.cells.len() > 1) => {
                table.head(std::iter::once(score).chain(column.heads.iter().cloned()))
            }
            _ => table.head([score, "result".to_owned()]),
        }
        for (place, row) in read.rows.iter_enumerated() {
            let cells = row.cells.iter().map(|cell| (say.cell(cell, !same), Style::new()));
            table.row(std::iter::once((say.row(row, place), HEAD)).chain(cells));
        }
        let columns = read.column.as_ref().map_or(1, |column| column.ids.len());
        let turned = table.natural_width() > width() && columns > read.rows.len();
        out.push_str(&if turned { table.turned().print() } else { table.print() });
    }
    if let Some(value) = say.value() {
        let unit = if read.unit.is_empty() { String::new() } else { format!(" {}", read.unit) };
        out.push_str(&paragraph(2, HEAD, &format!("= {value}{unit}")));
    }
    for change in say.changes_of_reading() {
        out.push_str(&paragraph(2, Style::new(), &format!("Always: {change}")));
    }
    for also in &read.also {
        let landing = &chart.landings[also.landing];
        let when = say.when_of_also(also).map_or(String::new(), |when| format!(" if {when}"));
        out.push_str(&paragraph(
            2,
            Style::new(),
            &format!("Also {}{when}", pack.results()[landing.result].title),
        ));
    }
    for tally in chart.each.iter().flat_map(|each| &each.tally) {
        let result = &pack.results()[chart.landings[tally.landing].result].title;
        out.push_str(&paragraph(
            2,
            Style::new(),
            &format!(
                "{}: {result} if {} or more: {}",
                tally.label, tally.at_least, tally.count.text
            ),
        ));
    }
    out
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
