//! LaTeX: sections, lists and tables with `&` and `\\`.

use super::{Copy, Count, bytes};
use crate::source::SourceLine;
use std::ops::Range;

pub(super) fn is_one(count: Count<'_>) -> bool {
    count(&|text| text.starts_with("\\begin{") || text.starts_with("\\section")) >= 1
        && count(&|text| text.starts_with('\\')) >= 3
}

/// Tables, by the names of their environments.
const TABLES: [&str; 5] = ["tabular", "tabularx", "longtable", "array", "tabulary"];

/// The longest row of a table, in bytes; a longer one is cut.
const LONGEST: usize = 4000;

pub(super) fn copy(lines: &[SourceLine<'_>]) -> Copy {
    let mut made = Copy::markdown();
    let mut place = 0;
    while let Some(line) = lines.get(place) {
        place += 1;
        let text = uncommented(line.text).trim();
        let opens = text.strip_prefix("\\begin{").and_then(|rest| rest.split('}').next());
        if opens.is_some_and(|name| TABLES.contains(&name.trim_end_matches('*'))) {
            made.skip(*line);
            place += table(&lines[place..], &mut made);
        } else if let Some((level, name)) = heading(text) {
            made.line(&format!("{} {name}", "#".repeat(level)), bytes(*line));
        } else if let Some(item) = text.strip_prefix("\\item") {
            let item = match item.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
                Some((term, said)) => format!("{}: {}", shown(term), shown(said)),
                None => shown(item),
            };
            made.line(&format!("- {item}"), bytes(*line));
        } else if let Some(caption) = argument(text, "\\caption") {
            made.line(&shown(caption), bytes(*line));
        } else if is_setting(text) {
            made.skip(*line);
        } else {
            made.line(&shown(text), bytes(*line));
        }
    }
    made
}

/// A line without its remark.
fn uncommented(text: &str) -> &str {
    let remark = text.match_indices('%').find(|(at, _)| !text[..*at].ends_with('\\'));
    remark.map_or(text, |(at, _)| &text[..at])
}

/// The text in the first pair of braces after a command: "Fire" of "\section*{Fire}".
fn argument<'t>(text: &'t str, command: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(command)?.trim_start_matches('*');
    let inner = rest.strip_prefix('{')?;
    let mut depth = 1;
    let end = inner.char_indices().find(|(_, c)| {
        depth += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        depth == 0
    });
    end.map(|(end, _)| &inner[..end])
}

fn heading(text: &str) -> Option<(usize, String)> {
    let commands = [
        ("\\title", 1),
        ("\\chapter", 1),
        ("\\section", 2),
        ("\\subsection", 3),
        ("\\subsubsection", 4),
        ("\\paragraph", 4),
    ];
    commands.iter().find_map(|(command, level)| Some((*level, shown(argument(text, command)?))))
}

/// A line that only sets something up.
fn is_setting(text: &str) -> bool {
    const KEPT: [&str; 8] =
        ["\\textbf", "\\textit", "\\emph", "\\underline", "\\textsc", "\\(", "\\frac", "\\pm"];
    text.starts_with('\\') && !KEPT.iter().any(|kept| text.starts_with(kept))
}

/// A text without its commands.
fn shown(text: &str) -> String {
    let text = text.replace("---", "–").replace("--", "-").replace("``", "\"").replace("''", "\"");
    let text = text.replace("\\times", "×").replace("\\pm", "±").replace("\\leq", "≤");
    let text = text.replace("\\geq", "≥").replace("\\le ", "≤ ").replace("\\ge ", "≥ ");
    let mut kept = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let name = chars.peek().is_some_and(char::is_ascii_alphabetic);
                if !name {
                    // "\%" is a sign, "\\" the end of a line.
                    kept.extend(chars.next().map(|c| if c == '\\' { ' ' } else { c }));
                    continue;
                }
                while chars.next_if(char::is_ascii_alphabetic).is_some() {}
                if kept.ends_with(char::is_alphanumeric) && chars.peek() != Some(&'{') {
                    kept.push(' ');
                }
            }
            '{' | '}' | '$' => {}
            '~' => kept.push(' '),
            c => kept.push(c),
        }
    }
    kept.trim().to_owned()
}

/// Reads a table up to its end and returns how many lines it took.
fn table(lines: &[SourceLine<'_>], made: &mut Copy) -> usize {
    let mut text = String::new();
    let mut from: Option<Range<usize>> = None;
    let (mut taken, mut rows) = (0, 0);
    made.blank();
    while let Some(line) = lines.get(taken) {
        taken += 1;
        let own = uncommented(line.text).trim();
        if own.starts_with("\\end{") {
            made.skip(*line);
            break;
        }
        if without_lines(own).is_empty() {
            made.left_out.push(bytes(*line));
            continue;
        }
        let at = bytes(*line);
        from = Some(from.map_or(at.clone(), |known| known.start..at.end));
        text.push(' ');
        text.push_str(own);
        if text.len() > LONGEST {
            text.push_str("\\\\");
        }
        while let Some((row, rest)) = text.split_once("\\\\") {
            let cells = cells(row);
            if cells.iter().any(|cell| !cell.is_empty()) {
                rows += 1;
                made.row(&cells, from.clone().unwrap_or_default());
                if rows == 1 {
                    made.rule(cells.len());
                }
            }
            text = rest.to_owned();
            from = (!without_lines(&text).is_empty()).then(|| bytes(*line));
        }
    }
    let last = cells(&text);
    if last.iter().any(|cell| !cell.is_empty()) {
        made.row(&last, from.unwrap_or_default());
    }
    made.blank();
    taken
}

/// A row without the commands that draw lines.
fn without_lines(row: &str) -> String {
    const LINES: [&str; 5] = ["\\hline", "\\toprule", "\\midrule", "\\bottomrule", "\\endhead"];
    let mut row = row.trim().to_owned();
    for line in LINES {
        row = row.replace(line, "");
    }
    // "\cline{2-3}", "[2pt]" after the end of the row above
    while let Some(at) = row.find("\\cline{").or_else(|| row.find("\\cmidrule")) {
        let Some(end) = row[at..].find('}') else { break };
        row.replace_range(at..=at + end, "");
    }
    let row = row.trim();
    match row.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((space, rest)) if space.len() <= 8 => rest.trim().to_owned(),
        _ => row.to_owned(),
    }
}

/// The cells of a row. One over several columns is repeated.
fn cells(row: &str) -> Vec<String> {
    let row = without_lines(row).replace("\\&", "\u{1}");
    let mut cells = Vec::new();
    for cell in row.split('&') {
        let cell = cell.trim().replace('\u{1}', "&");
        let wide = argument(&cell, "\\multicolumn").and_then(|n| n.trim().parse::<usize>().ok());
        let last = cell.rfind('{').map(|at| cell[at + 1..].trim_end_matches('}').to_owned());
        match (wide, last) {
            (Some(columns), Some(text)) => {
                cells.extend(std::iter::repeat_n(shown(&text), columns.clamp(1, 50)));
            }
            _ => cells.push(shown(&cell)),
        }
    }
    cells.truncate(100);
    cells
}
