//! reStructuredText: directives, tables of lists, fields. Its other tables and headings are read as
//! Markdown.

use super::{Copy, Count, bytes};
use crate::source::SourceLine;

pub(super) fn is_one(count: Count<'_>) -> bool {
    let rules = |text: &str| text.len() >= 4 && text.chars().all(|c| c == '=' || c == ' ');
    let directive = |text: &str| {
        text.strip_prefix(".. ").is_some_and(|rest| rest.contains("::") || rest.starts_with('_'))
    };
    count(&directive) >= 1
        || count(&|text| rules(text) && text.contains(' ')) >= 3
            && count(&|t| t.contains("::")) >= 1
}

pub(super) fn copy(lines: &[SourceLine<'_>]) -> Copy {
    let mut made = Copy::markdown();
    let mut place = 0;
    while let Some(line) = lines.get(place) {
        let text = line.text.trim_end();
        let shown = text.trim_start();
        place += 1;
        if let Some(said) = shown.strip_prefix(".. ") {
            let (name, rest) = said.split_once("::").unwrap_or((said, ""));
            let name = name.trim();
            if !rest.trim().is_empty() && ["list-table", "table", "csv-table"].contains(&name) {
                made.line(rest.trim(), bytes(*line));
            }
            made.skip(*line);
            if name == "list-table" {
                place += list_table(&lines[place..], &mut made);
            }
        } else if let Some((name, rest)) = field(shown) {
            // ":header-rows: 1" below a directive, or a row such as ":Tie: Fight on".
            if text.starts_with(' ') {
                made.skip(*line)
            } else {
                made.line(&format!("{name}: {rest}"), bytes(*line))
            }
        } else if text.starts_with("+--") && text.ends_with('+') {
            place += drawn(&lines[place..], &mut made);
        } else if let Some(item) = shown.strip_prefix("#. ") {
            made.line(&format!("1. {item}"), bytes(*line));
        } else {
            made.same(*line);
        }
    }
    made
}

/// Name and text of a line ":Tie: Fight on".
fn field(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.strip_prefix(':')?.split_once(": ")?;
    (!name.is_empty() && !name.contains(':')).then(|| (name, rest.trim()))
}

/// "* - Sloop" above "- 9": the rows of a table as a list of lists. Returns how many lines it took.
fn list_table(lines: &[SourceLine<'_>], made: &mut Copy) -> usize {
    let mut row: Vec<String> = Vec::new();
    let mut from = 0..0;
    let (mut taken, mut rows) = (0, 0);
    while let Some(line) = lines.get(taken) {
        let text = line.text.trim();
        if !text.is_empty() && !line.text.starts_with([' ', '\t']) {
            break;
        }
        taken += 1;
        if text.is_empty() || text.starts_with(':') {
            made.left_out.push(bytes(*line));
            continue;
        }
        if let Some(first) = text.strip_prefix("* - ").or((text == "* -").then_some("")) {
            end_row(&mut row, &from, &mut rows, made);
            row.push(first.to_owned());
            from = bytes(*line);
        } else if let Some(next) = text.strip_prefix("- ").or((text == "-").then_some("")) {
            row.push(next.to_owned());
            from.end = bytes(*line).end;
        } else if let Some(last) = row.last_mut() {
            last.push(' ');
            last.push_str(text);
            from.end = bytes(*line).end;
        }
    }
    end_row(&mut row, &from, &mut rows, made);
    made.blank();
    taken
}

fn end_row(row: &mut Vec<String>, from: &std::ops::Range<usize>, rows: &mut u32, made: &mut Copy) {
    if row.is_empty() {
        return;
    }
    made.row(row, from.clone());
    *rows += 1;
    if *rows == 1 {
        made.rule(row.len());
    }
    row.clear();
}

/// A table drawn with bars, whose cells may have several lines. Returns how many lines it took.
fn drawn(lines: &[SourceLine<'_>], made: &mut Copy) -> usize {
    let mut row: Vec<String> = Vec::new();
    let mut from = 0..0;
    let (mut taken, mut rows) = (0, 0);
    made.blank();
    while let Some(line) = lines.get(taken) {
        let text = line.text.trim();
        if text.starts_with('+') && text.ends_with('+') {
            end_row(&mut row, &from, &mut rows, made);
        } else if let Some(inner) = text.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')) {
            let own = bytes(*line);
            from = if row.is_empty() { own } else { from.start..own.end };
            for (at, cell) in inner.split('|').enumerate() {
                match row.get_mut(at) {
                    Some(known) => {
                        known.push(' ');
                        known.push_str(cell.trim());
                    }
                    None => row.push(cell.trim().to_owned()),
                }
            }
        } else {
            break;
        }
        taken += 1;
    }
    end_row(&mut row, &from, &mut rows, made);
    made.blank();
    taken
}
