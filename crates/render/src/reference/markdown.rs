//! A sheet in Markdown: every table a table, every modifier with its amount and condition.

use super::model::{Amount, Item, Part, Section, Sheet, Table, Tone};
use crate::report::markdown::{escaped, table};
use std::fmt::Write;

/// The sheet as Markdown.
pub fn markdown(sheet: &Sheet) -> String {
    let mut out = format!("# {}\n\n", escaped(&sheet.title));
    let by =
        if sheet.by.is_empty() { String::new() } else { format!(" – {}", escaped(&sheet.by)) };
    let _ = writeln!(out, "*{}{by}*\n", escaped(&sheet.kind));
    for text in [&sheet.about, &sheet.source].into_iter().filter(|text| !text.is_empty()) {
        let _ = writeln!(out, "{}\n", escaped(text));
    }
    sheet.sections.iter().for_each(|section| self::section(&mut out, section));
    let notice = if sheet.notice.is_empty() {
        String::new()
    } else {
        format!(" {}", escaped(&sheet.notice))
    };
    let facts =
        if sheet.facts.is_empty() { String::new() } else { format!(" {}.", escaped(&sheet.facts)) };
    let _ = writeln!(out, "---\n\nAdjutant · {}.{facts}{notice}", escaped(&sheet.pack));
    out
}

fn section(out: &mut String, section: &Section) {
    let _ = writeln!(out, "## {}\n", escaped(&section.title));
    if !section.tag.is_empty() {
        let _ = writeln!(out, "**{}**\n", escaped(&section.tag));
    }
    for part in &section.parts {
        match part {
            Part::Text(Tone::About | Tone::Note, text) => {
                let _ = writeln!(out, "*{}*\n", escaped(text));
            }
            Part::Text(Tone::Strong, text) => drop(writeln!(out, "**{}**\n", escaped(text))),
            Part::Text(Tone::Plain, text) => drop(writeln!(out, "{}\n", escaped(text))),
            Part::Step { title, roll } if roll.is_empty() => {
                let _ = writeln!(out, "### {}\n", escaped(title));
            }
            Part::Step { title, roll } => {
                let _ = writeln!(out, "### {}: {}\n", escaped(title), escaped(roll));
            }
            Part::Amounts(lines) => amounts(out, lines),
            Part::Table(made) => chart_table(out, made),
            Part::Items(list) => items(out, list),
            Part::Figures(list) => {
                for figure in list {
                    let _ = writeln!(
                        out,
                        "- **{}** {}",
                        escaped(&figure.value),
                        escaped(&figure.label)
                    );
                }
                out.push('\n');
            }
        }
    }
}

fn amounts(out: &mut String, lines: &[Amount]) {
    let row = |line: &Amount| {
        let when = [line.spelt.as_str(), line.when.as_str()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("; ");
        vec![escaped(&line.label), escaped(&line.amount), escaped(&when)]
    };
    table(out, &["Modifier", "Amount", "When"], &lines.iter().map(row).collect::<Vec<_>>());
}

fn chart_table(out: &mut String, made: &Table) {
    let caption = made.full_caption();
    if !caption.is_empty() {
        let _ = writeln!(out, "**{}**\n", escaped(&caption));
    }
    let heads: Vec<String> = made.heads.iter().map(|head| escaped(head)).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let row = |cells: &Vec<String>| {
        let wide = cells.len() == 2 && heads.len() > 2;
        let place = |place: usize| {
            cells
                .get(if wide { place.min(1) } else { place })
                .map_or(String::new(), |cell| escaped(cell))
        };
        (0..heads.len()).map(place).collect::<Vec<_>>()
    };
    table(out, &heads, &made.rows.iter().map(row).collect::<Vec<_>>());
}

fn items(out: &mut String, list: &[Item]) {
    for item in list {
        let mark =
            if item.mark.is_empty() { String::new() } else { format!("{} ", escaped(&item.mark)) };
        let term = if item.term.is_empty() {
            String::new()
        } else {
            format!("**{}** ", escaped(&item.term))
        };
        let _ = writeln!(out, "- {mark}{term}{}", escaped(&item.text));
        for line in &item.lines {
            let _ = writeln!(out, "  - {}", escaped(line));
        }
    }
    out.push('\n');
}
