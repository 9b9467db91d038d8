//! Text of OCR with a blank line after every line: there, a blank line says nothing unless a title
//! follows it.

use super::gutter::PageLine;
use super::plain::split_cells;

/// So many lines in a row, each with a blank line before it, are written with double spacing.
const LEAST: usize = 6;

/// Drops the blank lines between lines with double spacing.
pub(super) fn close(page: &mut Vec<PageLine>) {
    let blank: Vec<bool> =
        page.iter().map(|line| line.chars.iter().all(|(_, c)| c.is_whitespace())).collect();
    let mut dropped = vec![false; page.len()];
    let mut place = 0;
    while place < page.len() {
        let lines = doubled(&blank, place);
        if lines >= LEAST && is_tabular(&page[place..place + 2 * lines - 1]) {
            for at in (place + 1..place + 2 * lines - 1).step_by(2) {
                dropped[at] = !is_title(page, at + 1);
            }
        }
        place += (2 * lines).max(1);
    }
    let mut at = 0;
    page.retain(|_| {
        at += 1;
        !dropped[at - 1]
    });
}

/// The number of lines from here on that have exactly one blank line between them.
fn doubled(blank: &[bool], place: usize) -> usize {
    let mut lines = usize::from(!blank[place]);
    while lines > 0
        && blank.get(place + 2 * lines - 1) == Some(&true)
        && blank.get(place + 2 * lines) == Some(&false)
    {
        lines += 1;
    }
    lines
}

/// Tells if at least half of the lines have cells or start with a figure. Paragraphs do not.
fn is_tabular(page: &[PageLine]) -> bool {
    let lines = page.iter().filter(|line| !line.chars.is_empty());
    let (mut all, mut cells) = (0, 0);
    for line in lines {
        let text: String = line.chars.iter().map(|(_, c)| *c).collect();
        let figure = |c: char| c.is_ascii_digit() || "+-–−".contains(c);
        all += 1;
        cells += usize::from(text.starts_with(figure) || split_cells(&text).len() >= 2);
    }
    cells * 2 >= all
}

/// Tells if a line names what follows: in capitals, or a few words above a sentence.
fn is_title(page: &[PageLine], at: usize) -> bool {
    let text = |at: usize| -> String {
        page.get(at).map(|line| line.chars.iter().map(|(_, c)| *c).collect()).unwrap_or_default()
    };
    let own = text(at);
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
    let shouts = |text: &str| letters(text) >= 5 && text == text.to_uppercase();
    let cells = split_cells(&own);
    if cells.iter().any(|(_, _, cell)| shouts(cell)) {
        return true;
    }
    let [(_, _, only)] = cells.as_slice() else { return false };
    let below = [at + 1, at + 2].map(text).into_iter().find(|text| !text.trim().is_empty());
    let sentence = below.is_some_and(|text| {
        text.split_whitespace().count() >= 4 && text.trim_end().ends_with(['.', ':'])
    });
    sentence
        && only.starts_with(char::is_uppercase)
        && only.split(' ').count() <= 4
        && !only.contains(|c: char| c.is_ascii_digit() || ".:,".contains(c))
}
