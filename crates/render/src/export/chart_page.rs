//! A chart as a page in old and plain HTML. VASSAL shows charts with Java's renderer, which knows
//! HTML 3.2, no `thead` and `tbody`, and fails on a declared character set. So the page uses a few
//! plain elements, and every letter beyond ASCII is a numeric reference. It is the chart's sheet:
//! what stands on paper stands here.

use crate::reference::{Amount, Held, Item, Part, Section, Table, Tone, beside};
use adjutant_pack::{Chart, Pack};
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
    html_page(&chart.title, sections(&beside(pack, chart, &Held::NOTHING), &chart.title))
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

/// Sections in a few plain elements, the first under a title that is there already.
pub(super) fn sections(sections: &[Section], title: &str) -> Markup {
    html! {
        @for section in sections {
            @if section.title != title { h2 { (section.title) } }
            @if !section.tag.is_empty() { p { b { (section.tag) } } }
            @for part in &section.parts { (self::part(part)) }
        }
    }
}

fn part(part: &Part) -> Markup {
    match part {
        Part::Text(Tone::About | Tone::Note, text) => html! { p { i { (text) } } },
        Part::Text(Tone::Strong, text) => html! { p { b { (text) } } },
        Part::Text(Tone::Plain, text) => html! { p { (text) } },
        Part::Step { title, roll } => {
            html! { h2 { (title) } @if !roll.is_empty() { p { (roll) } } }
        }
        Part::Amounts(lines) => html! {
            table border="0" cellspacing="0" cellpadding="3" { @for line in lines { (amount(line)) } }
        },
        Part::Table(made) => table(made),
        Part::Items(list) => html! { ul { @for item in list { (self::item(item)) } } },
        Part::Figures(list) => html! {
            ul { @for figure in list { li { b { (figure.value) } " " (figure.label) } } }
        },
    }
}

fn amount(line: &Amount) -> Markup {
    html! {
        tr {
            td align="right" valign="top" width="90" { b { (line.amount) } }
            td valign="top" {
                (line.label)
                @for more in [&line.spelt, &line.when] { @if !more.is_empty() { " " i { "(" (more) ")" } } }
            }
        }
    }
}

fn item(item: &Item) -> Markup {
    html! {
        li {
            @if !item.mark.is_empty() { b { (item.mark) } " " }
            @if !item.term.is_empty() { b { (item.term) } " " }
            (item.text)
            @for line in &item.lines { " " (line) }
        }
    }
}

fn table(made: &Table) -> Markup {
    let caption = made.full_caption();
    html! {
        @if !caption.is_empty() { p { b { (caption) } } }
        table border="1" cellspacing="0" cellpadding="4" {
            tr bgcolor=(HEAD) { @for head in &made.heads { th align="left" { (head) } } }
            @for row in &made.rows {
                @let span = (row.len() == 2 && made.heads.len() > 2).then(|| made.heads.len() - 1);
                tr {
                    @for (place, cell) in row.iter().enumerate() {
                        @if place == 0 { td valign="top" { b { (cell) } } }
                        @else { td valign="top" colspan=[span] { (cell) } }
                    }
                }
            }
        }
    }
}
