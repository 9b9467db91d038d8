//! Writes the pack: `pack.toml` in the order of the sheet.

mod chart;
mod grid;
mod modifiers;
mod pen;
mod results;
mod rolls;
mod rows;
mod table;
mod targets;
pub(crate) mod toml;
mod total;

use crate::ids::{Ids, Style, slug};
use crate::link::{Chart, Sheet};
use crate::model::{Definition, Guess};
use results::Results;
use std::fmt::Write;
use std::ops::Range;
use toml::{clip, quoted};

/// The longest note, in bytes.
const LONGEST_NOTE: usize = 1800;
/// The most text in the notes of a pack, so that a long rule book stays a pack.
const MOST_NOTES: usize = 300_000;
/// The charts of a pack.
pub(crate) const MOST_CHARTS: usize = 150;
/// The terms of a pack.
const MOST_TERMS: usize = 100;

/// A written pack: its text, where each chart stands in it, and the guesses made on the way.
pub(crate) struct Written {
    pub text: String,
    pub charts: Vec<(usize, Range<usize>)>,
    /// Where the terms and the turn stand.
    pub front: Range<usize>,
    pub guesses: Vec<Guess>,
    pub id: String,
}

pub(crate) fn pack(sheet: &Sheet, id: Option<&str>) -> Written {
    let title = clip(&sheet.title, 120);
    let id = id.map_or_else(
        || slug(&title, Style::Hyphen, "sheet"),
        |id| slug(id, Style::Hyphen, "sheet"),
    );
    let mut text =
        String::from("# Drafted from a sheet. Look through the guesses and the notes.\n\n[pack]\n");
    let _ = writeln!(text, "id     = {}\ntitle  = {}\nformat = 2", quoted(&id), quoted(&title));
    let mut budget = MOST_NOTES;
    let about = notes(&sheet.about, &mut budget);
    let mut front = about.into_iter();
    if let Some(about) = front.next() {
        let _ = writeln!(text, "about  = {}", quoted(&about));
    }
    let loose: Vec<String> = front.collect();
    let mut results = Results::new(&sheet.terms);
    let mut guesses = Vec::new();
    let mut charts = Vec::new();
    let mut body = String::new();
    let kept: Vec<(usize, &Chart)> = sheet
        .charts
        .iter()
        .enumerate()
        .filter(|(_, chart)| !chart.refused)
        .take(MOST_CHARTS)
        .collect();
    let mut lost: Vec<String> = loose;
    for (place, chart) in sheet.charts.iter().enumerate() {
        if chart.refused || !kept.iter().any(|(known, _)| *known == place) {
            lost.extend(kept_notes(chart));
        }
    }
    for (number, (place, chart)) in kept.iter().enumerate() {
        let mut own = (*chart).clone();
        if number == 0 {
            own.notes.append(&mut lost);
        }
        own.notes = notes(&own.notes, &mut budget);
        let start = body.len();
        body.push_str(&chart::write(&own, &mut results, &mut guesses));
        charts.push((*place, start..body.len()));
    }
    if kept.is_empty() {
        let all = notes(&lost, &mut budget);
        body.push_str(&format!(
            "\n[chart.notes]\ntitle = \"Notes\"\nnotes = {}\nread  = {{ value = \"0\" }}\n",
            toml::list(&all)
        ));
    }
    let front = text.len();
    write_terms(&sheet.terms, &results, &mut text);
    write_phases(&sheet.phases, &mut text);
    let shift = text.len();
    for (_, span) in &mut charts {
        *span = span.start + shift..span.end + shift;
    }
    let front = front..text.len();
    text.push_str(&body);
    text.push_str(&results.write());
    Written { text, charts, front, guesses, id }
}

/// The notes that a chart that is not written leaves.
fn kept_notes(chart: &Chart) -> Vec<String> {
    chart.notes.iter().map(|note| format!("{}: {note}", chart.title)).collect()
}

/// Notes of a length that a pack may have.
fn notes(all: &[String], budget: &mut usize) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for note in all {
        let note = toml::clean(note);
        let mut rest = note.as_str();
        while !rest.is_empty() {
            let cut = cut_at(rest, LONGEST_NOTE.min(*budget));
            if cut == 0 {
                return notes;
            }
            *budget -= cut;
            notes.push(rest[..cut].trim().to_owned());
            rest = rest[cut..].trim_start();
        }
    }
    notes.retain(|note| !note.is_empty());
    notes
}

/// The length of the longest start that ends at a blank.
fn cut_at(text: &str, most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    let mut end = most;
    while end > 0 && !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].rfind(' ').filter(|at| *at > 0).unwrap_or(end)
}

fn write_terms(terms: &[Definition], results: &Results, text: &mut String) {
    let mut ids = Ids::default();
    let mut lines = String::new();
    let mut seen = std::collections::BTreeSet::new();
    for term in terms.iter().filter(|term| !results.explains(&term.term.text)).take(MOST_TERMS) {
        let id = ids.take(slug(&term.term.text, Style::Hyphen, "term"), None, Style::Hyphen);
        let meaning = toml::clean(&term.text);
        let cut = cut_at_chars(&meaning, 395);
        let shown = if cut < meaning.len() {
            format!("{} …", meaning[..cut].trim_end())
        } else {
            meaning.clone()
        };
        if shown.is_empty()
            || term.term.text.is_empty()
            || !seen.insert(clip(&term.term.text, 40).to_lowercase())
        {
            continue;
        }
        let _ = writeln!(
            lines,
            "{id} = {{ title = {}, text = {} }}",
            quoted(&clip(&term.term.text, 40)),
            quoted(&shown)
        );
    }
    if !lines.is_empty() {
        text.push_str("\n[term]\n");
        text.push_str(&lines);
    }
}

fn cut_at_chars(text: &str, most: usize) -> usize {
    match text.char_indices().nth(most) {
        None => text.len(),
        Some((end, _)) => text[..end].rfind(' ').filter(|at| *at > 0).unwrap_or(end),
    }
}

fn write_phases(phases: &[Definition], text: &mut String) {
    if phases.is_empty() {
        return;
    }
    let mut ids = Ids::default();
    text.push_str("\n[turn]\nphase = [\n");
    for phase in phases.iter().take(40) {
        let id = ids.take(slug(&phase.term.text, Style::Hyphen, "phase"), None, Style::Hyphen);
        let more = if phase.text.is_empty() {
            String::new()
        } else {
            format!(", text = {}", quoted(&clip(&phase.text, 1000)))
        };
        let _ = writeln!(
            text,
            "  {{ id = {}, title = {}{more} }},",
            quoted(&id),
            quoted(&clip(&phase.term.text, 80))
        );
    }
    text.push_str("]\n");
}
