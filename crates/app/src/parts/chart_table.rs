//! A chart as it is on a sheet: the roll, every modifier with its amount, the table, and what each
//! result means. It is readable at arm's length; conditions are in the labels, and formulas are
//! shown only if there is no label.

use super::term::explained;
use adjutant_engine::Resolution;
use adjutant_pack::{Chart, ColumnId, Pack, ResultId, RowId, Step, StepKind};
use adjutant_wording::en::page::sheet as text;
use adjutant_wording::en::{self, ChartWords};
use maud::{Markup, html};

/// The whole chart.
pub fn chart(pack: &Pack, chart: &Chart) -> Markup {
    html! {
        @if !chart.about.is_empty() { p.printed-about { (explained(pack, &chart.about)) } }
        @if let Some(option) = chart.needs_option { p.printed-option { (text::behind(&pack.options()[option].field.label)) } }
        @if let Some(each) = &chart.each { p.hint { (text::for_each(&adjutant_wording::en::page::parts::role_within(pack, &chart.roles[each.role].id), each.random.is_some())) } }
        div.printed-steps { @for step in chart.steps.iter().filter(|step| step.on_sheet) { (step_view(pack, chart, step)) } }
        @for event in ChartWords::for_players(pack, chart).deck_events() { p.printed-note { (event) "." } }
        (rows(pack, chart, None))
        (meanings(pack, chart))
        @for note in en::chart_notes(chart) { p.printed-note { (explained(pack, &note)) } }
        (readings(pack, chart))
    }
}

fn step_view(pack: &Pack, chart: &Chart, step: &Step) -> Markup {
    let say = ChartWords::for_players(pack, chart);
    let die = en::die_of(step);
    // How a sum or a look-up is calculated is for pack authors; the modifiers are for players.
    let quiet =
        matches!(step.kind, StepKind::WorkOut(_)) && step.add.is_empty() && step.text.is_empty();
    html! {
        @if !quiet {
            section.printed-step {
                h3.printed-roll { (explained(pack, &step.title)) " " span.roll-dice { (rolled(pack, chart, step)) } }
                @if !step.add.is_empty() || !step.again.is_empty() || step.most.is_some() || step.least.is_some() {
                    table.sum {
                        @for modifier in &step.add {
                            @let amount = say.amount(modifier, &die);
                            tr {
                                td.sum-n { (amount.figure("")) }
                                td {
                                    (explained(pack, &modifier.label))
                                    @if let Some(choice) = say.choice(modifier) { " " span.sum-why { "(" (choice) ")" } }
                                    @if modifier.best_of.is_some() { " " span.sum-why { (text::ONLY_BEST) } }
                                    @if let Some(formula) = amount.words() { span.printed-formula { (explained(pack, &formula)) } }
                                }
                            }
                        }
                        @for again in &step.again { tr { td.sum-n { (text::AGAIN) } td { (say.again(again)) } } }
                        @if let Some(most) = &step.most { tr { td.sum-n { (text::AT_MOST) } td { (say.formula(most)) } } }
                        @if let Some(least) = &step.least { tr { td.sum-n { (text::AT_LEAST) } td { (say.formula(least)) } } }
                    }
                }
            }
        }
    }
}

/// What is rolled or drawn, unless the title says so: “Rep d6, each 1 to 3 a success”.
fn rolled(pack: &Pack, chart: &Chart, step: &Step) -> String {
    ChartWords::for_players(pack, chart).rolled(step).unwrap_or_default()
}

/// The cell that a resolution read.
pub fn cell_read(chart: &Chart, resolution: &Resolution) -> Option<(RowId, ColumnId)> {
    let read = &chart.read;
    let row = read.rows.position(|row| Some(&row.shown) == resolution.row.as_ref())?;
    let place = |id| read.column.as_ref()?.ids.position(|known| known == id);
    let (column, _) = read.rows[row].cell(resolution.column.as_ref().and_then(place))?;
    Some((row, column))
}

/// The table of scores, with the cell marked that was read.
pub fn rows(pack: &Pack, chart: &Chart, marked: Option<(RowId, ColumnId)>) -> Markup {
    let say = ChartWords::for_players(pack, chart);
    let read = &chart.read;
    let same = chart.one_role();
    let several = read.rows.iter().any(|row| row.cells.len() > 1);
    let score = match say.score() {
        Some(words) if !read.by_conditions() => {
            if words.chars().count() <= 24 {
                words
            } else {
                text::SCORE.to_owned()
            }
        }
        _ => text::WHEN.to_owned(),
    };
    let column = read.column.as_ref().filter(|_| several).map(|column| say.column(column));
    let caption = column.filter(|caption| !caption.is_empty());
    html! {
        @if let Some(own) = read.user_table.map(|table| &pack.user_tables()[table]).filter(|table| !table.filled) { p.printed-option { (text::read_on(&own.title)) } }
        @if !read.rows.is_empty() {
            div.printed-scroll tabindex="0" role="group" aria-label=(chart.title) {
                table.printed-table {
                    @if let Some(caption) = caption { caption { (caption) } }
                    thead {
                        tr {
                            th scope="col" { (score) }
                            @match read.column.as_ref().filter(|_| several) {
                                Some(column) => { @for head in &column.heads { th scope="col" { (head) } } },
                                None => { th scope="col" { (text::RESULT) } },
                            }
                        }
                    }
                    tbody {
                        @for (place, row) in read.rows.iter_enumerated() {
                            @let wide = read.column.as_ref().filter(|_| several && row.cells.len() == 1).map(|column| column.heads.len());
                            tr {
                                th scope="row" { (explained(pack, &say.row(row, place))) }
                                @for (column, cell) in row.cells.iter_enumerated() {
                                    @let read = marked == Some((place, column));
                                    td class=[read.then_some("cell-read")] aria-current=[read.then_some("true")] colspan=[wide] { (explained(pack, &say.cell(cell, !same))) }
                                }
                            }
                        }
                    }
                }
            }
        }
        @if let Some(shifts) = read.column.as_ref().filter(|_| marked.is_none()).and_then(|column| say.shifts(column)) { p.printed-note { (shifts) } }
        @if marked.is_none() { (below(pack, chart)) }
    }
}

/// What stands below the table.
fn below(pack: &Pack, chart: &Chart) -> Markup {
    let (say, read) = (ChartWords::for_players(pack, chart), &chart.read);
    html! {
        @if let Some(value) = say.value() { p.printed-value { "= " span.printed-formula { (value) } @if !read.unit.is_empty() { " " (read.unit) } } }
        @for change in say.changes_of_reading() { p.printed-note { (adjutant_pack::capital(&change)) "." } }
        @for also in &read.also {
            p.printed-note { (text::also(&pack.results()[chart.landings[also.landing].result].title, &say.when_of_also(also).unwrap_or_default())) }
        }
        @for tally in chart.each.iter().flat_map(|each| &each.tally) {
            p.printed-note { (text::tally(&tally.label, &pack.results()[chart.landings[tally.landing].result].title, tally.at_least)) }
        }
    }
}

/// What each result means and changes, each once.
fn meanings(pack: &Pack, chart: &Chart) -> Markup {
    let mut shown: Vec<(ResultId, Vec<String>)> = Vec::new();
    for landing in &chart.landings {
        let entry =
            (landing.result, ChartWords::for_players(pack, chart).changes_of_result(landing));
        let says = !pack.results()[landing.result].means.is_empty() || !entry.1.is_empty();
        if says && !shown.contains(&entry) {
            shown.push(entry);
        }
    }
    html! {
        @if !shown.is_empty() {
            dl.printed-meanings {
                @for (result, changes) in shown {
                    dt { (pack.results()[result].title) }
                    dd {
                        (explained(pack, &pack.results()[result].means))
                        @if !changes.is_empty() { ul { @for change in changes { li { (change) } } } }
                    }
                }
            }
        }
    }
}

fn readings(pack: &Pack, chart: &Chart) -> Markup {
    let all = chart.all_readings();
    html! {
        @if !all.is_empty() {
            details.printed-readings {
                summary { (text::READINGS_HERE) }
                @for reading in all { p { i { (pack.readings()[reading].standing.name()) ": " } (pack.readings()[reading].text) } }
            }
        }
    }
}

/// Whether a chart contains a text: in its name, modifiers, rows or results.
pub fn speaks_of(pack: &Pack, chart: &Chart, wanted: &str) -> bool {
    let has = |text: &str| text.to_lowercase().contains(wanted);
    let results = chart.results.iter().map(|result| &pack.results()[*result]);
    has(&chart.title)
        || has(&chart.id)
        || has(&chart.about)
        || chart.notes.iter().any(|note| has(note))
        || chart
            .steps
            .iter()
            .any(|step| has(&step.title) || step.add.iter().any(|modifier| has(&modifier.label)))
        || chart.inputs.iter().any(|input| has(&input.field.label))
        || chart.read.rows.iter().any(|row| has(&row.shown))
        || results.into_iter().any(|result| has(&result.title) || has(&result.means))
}
