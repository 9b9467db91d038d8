//! A chart as a page in old and plain HTML. VASSAL shows charts with Java's renderer, which knows
//! HTML 3.2, no `thead` and `tbody`, and fails on a declared character set. So the page uses a few
//! plain elements, and every letter beyond ASCII is a numeric reference.

use super::text_tables::{self, TextTable};
use adjutant_pack::{Chart, Pack, ResultId};
use adjutant_wording::en::ChartWords;
use maud::{Markup, html};

const STYLE: &str = "body { font-family: sans-serif; font-size: 12pt; margin: 12px; color: #1d1f1a; background-color: #fffdf7; }
h1 { font-size: 18pt; margin-top: 0; margin-bottom: 4px; }
h2 { font-size: 13pt; margin-top: 14px; margin-bottom: 4px; }
p { margin-top: 4px; margin-bottom: 4px; }
td, th { padding: 4px; }";

/// The background of a table's head.
const HEAD: &str = "#eee9dc";

/// A chart as an HTML page.
///
/// ```
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
/// let page = adjutant_render::export::page(&pack, pack.chart("fire").unwrap());
/// assert!(page.is_ascii() && page.contains("Out of Action"));
/// ```
pub fn page(pack: &Pack, chart: &Chart) -> String {
    html_page(
        &chart.title,
        html! {
            @if !chart.about.is_empty() { p { i { (chart.about) } } }
            @if let Some(option) = chart.needs_option { p { b { "Optional: " } (pack.options()[option].field.label) } }
            @if let Some(each) = &chart.each { p { (adjutant_wording::en::page::sheet::for_each(&chart.roles[each.role].id, each.random.is_some())) } }
            (steps(pack, chart))
            (table(pack, chart))
            (meanings(pack, chart))
            (remarks(pack, chart))
        },
    )
}

/// A page with a title, in ASCII.
pub(super) fn html_page(title: &str, body: Markup) -> String {
    let page = html! {
        html {
            head { title { (title) } style type="text/css" { (maud::PreEscaped(STYLE)) } }
            body { h1 { (title) } (body) }
        }
    };
    ascii(&page.into_string())
}

/// Replaces letters beyond ASCII by numeric references.
pub(super) fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_ascii() && (!c.is_ascii_control() || c == '\n') => out.push(c),
            c if c.is_ascii() => out.push(' '),
            c => out.push_str(&format!("&#{};", u32::from(c))),
        }
    }
    out
}

/// What is rolled, and the modifiers.
fn steps(pack: &Pack, chart: &Chart) -> Markup {
    let say = ChartWords::as_written(pack, chart);
    html! {
        @for step in chart.steps.iter().filter(|step| text_tables::is_shown(step)) {
            h2 { (step.title) }
            p { (say.step(step)) }
            @if !step.add.is_empty() {
                table border="0" cellspacing="0" cellpadding="3" {
                    @for modifier in &step.add {
                        @let (sign, formula) = text_tables::sign(step, modifier);
                        tr {
                            td align="right" valign="top" width="30" { b { (sign) } }
                            td valign="top" {
                                (text_tables::label(pack, chart, modifier))
                                @if let Some(formula) = formula { i { " " (formula) } }
                            }
                        }
                    }
                }
            }
            @for again in &step.again { p { b { "Again: " } (say.again(again)) } }
            @if let Some(most) = &step.most { p { b { "At most: " } (most.text) } }
            @if let Some(least) = &step.least { p { b { "At least: " } (least.text) } }
        }
    }
}

fn grid_table(grid: &TextTable, caption: Option<&str>) -> Markup {
    html! {
        @if let Some(caption) = caption { p { b { (caption) } } }
        table border="1" cellspacing="0" cellpadding="4" {
            tr bgcolor=(HEAD) { @for head in &grid.heads { th align="left" { (head) } } }
            @for row in &grid.rows {
                tr { @for (place, cell) in row.iter().enumerate() { td valign="top" { @if place == 0 { b { (cell) } } @else { (cell) } } } }
            }
        }
    }
}

/// The table that the score is read on.
fn table(pack: &Pack, chart: &Chart) -> Markup {
    let read = &chart.read;
    let unfilled =
        read.user_table.map(|table| &pack.user_tables()[table]).filter(|table| !table.filled);
    html! {
        @if let Some(own) = unfilled { p { "Read on the " b { (own.title) } " of your rule book. " (own.place) } }
        @if let Some(rows) = text_tables::results(pack, chart) {
            h2 { "Result" }
            (grid_table(&rows, text_tables::columns(chart).map(|column| ChartWords::for_players(pack, chart).column(column)).filter(|caption| !caption.is_empty()).as_deref()))
        }
        @if let Some(printed) = text_tables::printed(chart) { h2 { "As printed" } (grid_table(&printed, None)) }
        @if let Some(value) = &read.value { p { "= " (value.text) @if !read.unit.is_empty() { " " (read.unit) } } }
        @for also in &read.also {
            p { b { (pack.results()[chart.landings[also.landing].result].title) } @if let Some(when) = &also.when { " also if " (when.text) } }
        }
        @for tally in chart.each.iter().flat_map(|each| &each.tally) {
            p { (tally.label) ": " b { (pack.results()[chart.landings[tally.landing].result].title) } }
        }
    }
}

/// What each result means and changes, each once.
fn meanings(pack: &Pack, chart: &Chart) -> Markup {
    let mut shown: Vec<(ResultId, Vec<String>)> = Vec::new();
    for landing in &chart.landings {
        let entry =
            (landing.result, ChartWords::as_written(pack, chart).changes_of_result(landing));
        if (!pack.results()[landing.result].means.is_empty() || !entry.1.is_empty())
            && !shown.contains(&entry)
        {
            shown.push(entry);
        }
    }
    html! {
        @if !shown.is_empty() {
            h2 { "What it means" }
            @for (result, changes) in shown {
                p { b { (pack.results()[result].title) ": " } (pack.results()[result].means) @if !changes.is_empty() { i { " (" (changes.join("; ")) ")" } } }
            }
        }
    }
}

fn remarks(pack: &Pack, chart: &Chart) -> Markup {
    let readings = chart.all_readings();
    html! {
        @if !chart.notes.is_empty() || !readings.is_empty() {
            h2 { "Notes" }
            ul {
                @for note in &chart.notes { li { (note) } }
                @for reading in readings { li { i { (pack.readings()[reading].standing.name()) ": " } (pack.readings()[reading].text) } }
            }
        }
    }
}
