//! A sheet as one HTML file: no script, nothing fetched, light or dark as the reader prefers, in as
//! many columns as fit.

use super::model::{Amount, Item, Part, Section, Sheet, Table, Tone};
use crate::html_file::html_file;
use crate::report::plain;
use maud::{Markup, html};

const STYLE: &str = include_str!("sheet.css");

/// The sheet as one HTML file.
pub fn html(sheet: &Sheet) -> String {
    let body = html! {
        header {
            p.kicker { (plain(&sheet.kind)) @if !sheet.by.is_empty() { " · " (plain(&sheet.by)) } }
            h1 { (plain(&sheet.title)) }
            @for text in [&sheet.about, &sheet.source] { @if !text.is_empty() { p { (plain(text)) } } }
        }
        main { @for section in &sheet.sections { (self::section(section)) } }
        footer { p { "Adjutant · " (plain(&sheet.pack)) @if !sheet.facts.is_empty() { " · " (plain(&sheet.facts)) } @if !sheet.notice.is_empty() { " · " (plain(&sheet.notice)) } } }
    };
    html_file(&format!("{} – {}", plain(&sheet.title), plain(&sheet.kind)), STYLE, &body)
}

fn section(section: &Section) -> Markup {
    let wide =
        |part: &Part| matches!(part, Part::Table(table) if table.grid || table.heads.len() > 6);
    let class = match (section.parts.iter().any(wide), section.loose) {
        (true, _) => "wide",
        (_, true) => "loose",
        _ => "chart",
    };
    html! {
        section class=(class) {
            h2 { (plain(&section.title)) }
            @if !section.tag.is_empty() { p.tag { (plain(&section.tag)) } }
            @for part in &section.parts { (self::part(part)) }
        }
    }
}

fn part(part: &Part) -> Markup {
    match part {
        Part::Text(tone, text) => {
            let class = match tone {
                Tone::Plain => "plain",
                Tone::About => "about",
                Tone::Note => "note",
                Tone::Strong => "strong",
            };
            html! { p class=(class) { (plain(text)) } }
        }
        Part::Step { title, roll } => {
            html! { h3 { (plain(title)) @if !roll.is_empty() { " " span.roll { (plain(roll)) } } } }
        }
        Part::Amounts(lines) => {
            html! { table.amounts { tbody { @for line in lines { (amount(line)) } } } }
        }
        Part::Table(made) => table(made),
        Part::Figures(list) => html! {
            ul.items { @for figure in list { li { b { (plain(&figure.value)) } " " (plain(&figure.label)) } } }
        },
        Part::Items(list) => html! { ul.items { @for item in list { (self::item(item)) } } },
    }
}

fn amount(line: &Amount) -> Markup {
    html! {
        tr {
            th scope="row" {
                (plain(&line.label))
                @for more in [&line.spelt, &line.when] { @if !more.is_empty() { span.when { (plain(more)) } } }
            }
            td { (plain(&line.amount)) }
        }
    }
}

fn item(item: &Item) -> Markup {
    html! {
        li {
            @if !item.mark.is_empty() { span.mark { (plain(&item.mark)) } " " }
            @if !item.term.is_empty() { b { (plain(&item.term)) } " " }
            (plain(&item.text))
            @if !item.lines.is_empty() { ul { @for line in &item.lines { li { (plain(line)) } } } }
        }
    }
}

fn table(made: &Table) -> Markup {
    let class = match (made.form, made.grid) {
        (true, _) => "form",
        (_, true) => "grid",
        _ => "bands",
    };
    html! {
        div.scroll tabindex="0" {
            table class=(class) {
                @let caption = made.full_caption();
                @if !caption.is_empty() { caption { (plain(&caption)) } }
                thead { tr { @for head in &made.heads { th scope="col" { (plain(head)) } } } }
                tbody {
                    @for row in &made.rows {
                        @let span = (row.len() == 2 && made.heads.len() > 2).then(|| made.heads.len() - 1);
                        tr {
                            @for (place, cell) in row.iter().enumerate() {
                                @if place == 0 { th scope="row" { (plain(cell)) } } @else { td colspan=[span] { (plain(cell)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
