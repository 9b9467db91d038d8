//! Markdown: headings, bars, lists, emphasis. What is not marked up is plain text.

use super::{COLUMN, RowCell, SheetRow, SourceLine, cell_text, lines, plain};
use std::borrow::Cow;

/// "# Passed   Regulars   Irregulars" heads a table: the sign is for a number.
fn is_counted(text: &str) -> bool {
    text.trim_start_matches('#').trim().contains("   ")
}

pub(crate) fn looks_like_one(text: &str) -> bool {
    let page = lines(text);
    let heads = page
        .iter()
        .filter(|line| {
            let text = line.text.trim_end();
            let marked = ["# ", "## ", "### "].iter().any(|mark| text.starts_with(mark));
            marked && !is_counted(text)
        })
        .count();
    // A box drawn with bars on a page of plain text does not make the page Markdown.
    let filled = page.iter().filter(|line| !line.text.trim().is_empty()).count();
    let marked = page
        .iter()
        .filter(|line| {
            let text = line.text.trim_start();
            text.starts_with('|') || text.starts_with("- ") || text.starts_with("* ")
        })
        .count();
    let tabs = page.iter().filter(|line| line.text.contains('\t')).count();
    let bars = page.iter().any(|line| is_rule(line.text) && line.text.contains('|'));
    bars || (heads >= 1 && tabs == 0)
        || page
            .iter()
            .filter(|line| line.text.trim_start().starts_with('|') && bar_cells(**line).is_some())
            .count()
            >= 3
            && marked * 2 >= filled
}

/// The line under the heads of a table: `|---|:--|`.
fn is_rule(text: &str) -> bool {
    let text = text.trim();
    text.len() >= 3
        && text.contains(['-', '='])
        && text.chars().all(|c| "|-: +=".contains(c))
        && (text.contains('|')
            || text.contains("  ")
            || text.starts_with("---")
            || text.starts_with("===")
            || (text.starts_with("+--") || text.starts_with("+==")) && text.ends_with('+'))
}

/// The cells of a row with bars; the closing bar may be missing.
fn bar_cells(line: SourceLine<'_>) -> Option<Vec<RowCell>> {
    let text = line.text.trim_end();
    let lead = text.len() - text.trim_start().len();
    let inner = &text[lead..];
    let (inner, from) = match inner.strip_prefix('|') {
        Some(rest) => (rest, line.start + lead + 1),
        None if inner.matches('|').count() >= 1 && inner.contains(" | ") => {
            (inner, line.start + lead)
        }
        None => return None,
    };
    let inner = inner.strip_suffix('|').filter(|rest| !rest.ends_with('\\')).unwrap_or(inner);
    let mut cells = Vec::new();
    let mut start = from;
    let mut cell_start = start;
    let mut text = String::new();
    let mut escaped = false;
    for c in inner.chars().chain(['|']) {
        if c == '|' && !escaped && cells.len() < 200 {
            let shown = if text.contains('<') {
                cell_text(&plain_text(
                    &text.replace("<br>", " ").replace("<br/>", " ").replace("<br />", " "),
                ))
            } else {
                cell_text(&plain_text(&text))
            };
            let column = cells.len();
            cells.push(RowCell {
                text: shown,
                at: trimmed(&text, cell_start),
                x: (column * COLUMN, column * COLUMN + 1),
            });
            start += 1;
            cell_start = start;
            text.clear();
        } else {
            start += c.len_utf8();
            escaped = c == '\\' && !escaped;
            text.push(c);
        }
    }
    Some(cells)
}

fn trimmed(text: &str, start: usize) -> std::ops::Range<usize> {
    let lead = text.len() - text.trim_start().len();
    start + lead..start + lead + text.trim().len()
}

/// Text without emphasis, links and escapes.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    let marks = ["**", "__", "<", "](", "[^"];
    if marks.iter().any(|mark| text.contains(mark)) {
        return plain_text(text);
    }
    Cow::Borrowed(text)
}

fn plain_text(text: &str) -> Cow<'_, str> {
    // Every cell of a page comes here, and most have none of the marks.
    let has = |mark: u8| text.bytes().any(|byte| byte == mark);
    let marked = |byte| matches!(byte, b'*' | b'_' | b'=' | b'`' | b'<' | b']' | b'\\' | b'&');
    if !text.bytes().any(marked) {
        return Cow::Borrowed(text);
    }
    let mut shown = text.to_owned();
    for (mark, part) in [(b'*', "**"), (b'_', "__"), (b'=', "=="), (b'`', "`")] {
        if has(mark) {
            shown = shown.replace(part, "");
        }
    }
    if has(b'<') && has(b'>') {
        for tag in TAGS {
            // For the few bytes of a cell, this is faster than the search of the standard library.
            if shown.as_bytes().windows(tag.len()).any(|part| part == tag.as_bytes()) {
                shown = shown.replace(tag, "");
            }
        }
        shown = without(&shown, "<sup>", "</sup>", usize::MAX);
    }
    if has(b']') {
        shown = without_links(&without(&shown, "[^", "]", 12));
    }
    if has(b'\\') {
        for mark in ["|", ".", "-", "+", "*", "<"] {
            shown = shown.replace(&format!("\\{mark}"), mark);
        }
    }
    if has(b'&') {
        for (name, c) in [("&nbsp;", " "), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")] {
            shown = shown.replace(name, c);
        }
    }
    Cow::Owned(shown)
}

/// A text without the parts from one mark to another, up to the first that is not closed nearby.
fn without(text: &str, open: &str, close: &str, near: usize) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(from) = rest.find(open) {
        let Some(to) = rest[from..].find(close).filter(|to| *to <= near) else { break };
        kept.push_str(&rest[..from]);
        rest = &rest[from + to + close.len()..];
    }
    kept.push_str(rest);
    kept
}

/// A text with the names of its links: "rules" of "[rules](docs/rules.md)".
fn without_links(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(middle) = rest.find("](") {
        let Some(close) = rest[middle..].find(')') else { break };
        let before = kept.len();
        kept.push_str(&rest[..middle]);
        let Some(open) = kept.rfind('[') else {
            kept.truncate(before);
            break;
        };
        kept.remove(open);
        rest = &rest[middle + close + 1..];
    }
    kept.push_str(rest);
    kept
}

/// Tags that only say how a text looks.
const TAGS: [&str; 12] = [
    "<i>",
    "</i>",
    "<b>",
    "</b>",
    "<em>",
    "</em>",
    "<strong>",
    "</strong>",
    "<u>",
    "</u>",
    "<sub>",
    "</sub>",
];

/// Emphasis with single stars: `*carrying on*`.
fn unstarred(text: &str) -> String {
    let mut shown = String::new();
    let parts: Vec<&str> = text.split('*').collect();
    if parts.len() < 3 || parts.len().is_multiple_of(2) {
        return text.to_owned();
    }
    for part in parts {
        shown.push_str(part);
    }
    shown
}

pub(crate) fn rows(text: &str) -> Vec<SheetRow> {
    let lines: Vec<SourceLine<'_>> = lines(text).into_iter().map(unquoted).collect();
    let mut reader = Reader::default();
    let mut place = front_matter(&lines);
    for line in &lines[..place] {
        reader.push_text(*line, line.start, line.text.trim(), false);
        if let Some(row) = reader.rows.last_mut() {
            row.furniture = true;
        }
    }
    while place < lines.len() {
        // Every line is read once at most.
        place = reader.read(&lines, place).max(place + 1);
    }
    reader.flush();
    reader.rows
}

/// The number of lines of settings before the text: "tags: [wargame]" between two lines of dashes.
fn front_matter(lines: &[SourceLine<'_>]) -> usize {
    let fence = |line: &SourceLine<'_>| line.text.trim_end() == "---";
    if !lines.first().is_some_and(fence) {
        return 0;
    }
    let Some(end) = lines.iter().take(40).skip(1).position(fence).map(|at| at + 1) else {
        return 0;
    };
    let setting = |line: &SourceLine<'_>| {
        let key = line.text.split(':').next().unwrap_or_default();
        let named = key.len() < line.text.len() && !key.is_empty() && !key.contains(' ');
        named || line.text.trim_start().starts_with("- ")
    };
    if lines[1..end].iter().all(setting) { end + 1 } else { 0 }
}

/// A line of a quotation without its mark.
fn unquoted(line: SourceLine<'_>) -> SourceLine<'_> {
    // ">5" is a number that is exceeded; ">" alone is an empty line.
    let rest = match line.text.trim_start().strip_prefix("> ") {
        Some(rest) => rest.trim_start(),
        None if line.text.trim() == ">" => "",
        None => return line,
    };
    SourceLine { start: line.start + line.text.len() - rest.len(), text: rest, ..line }
}

/// Where the meaning of a term stands across the page.
const MEANING: usize = 60;

/// The meaning of the term above: "6 or more" of ":   6 or more".
fn meaning(text: &str) -> Option<&str> {
    let rest = text.trim_start().strip_prefix(':')?;
    let blank = rest.starts_with([' ', '\t']);
    Some(rest.trim()).filter(|rest| blank && !rest.is_empty() && !rest.starts_with(['-', ':']))
}

/// "Both sides roll 1d6" as the title of a box says what is done, not what the box is.
fn tells_to_roll(title: &str) -> bool {
    let verb = ["roll ", "throw "];
    let lower = title.to_lowercase();
    crate::dice::roll_line(title)
        .is_some_and(|line| line.who.is_some() || verb.iter().any(|verb| lower.starts_with(verb)))
}

#[derive(Default)]
struct Reader {
    rows: Vec<SheetRow>,
    table: u32,
    gap: bool,
    strip: u32,
    /// Lines without markup, which are read as plain text.
    plain: Vec<(u32, usize, String)>,
}

impl Reader {
    fn read(&mut self, lines: &[SourceLine<'_>], place: usize) -> usize {
        let line = lines[place];
        let text = line.text.trim();
        if text.is_empty() {
            self.flush();
            self.gap = true;
            return place + 1;
        }
        // "> [!tip] Dice modifiers": the title of a box.
        if let Some((kind, title)) = text.strip_prefix("[!").and_then(|rest| rest.split_once(']'))
            && kind.chars().all(char::is_alphanumeric)
            && !title.trim().is_empty()
        {
            self.flush();
            let title = title.trim_start_matches(['-', '+', ' ']);
            self.push_text(line, line.start, title, !tells_to_roll(title));
            return place + 1;
        }
        let level = text.chars().take_while(|c| *c == '#').count();
        if (1..=6).contains(&level) && text[level..].starts_with(' ') && !is_counted(text) {
            self.flush();
            let shown = text[level..].trim().trim_end_matches('#').trim_end();
            let at = line.start + line.text.len() - line.text.trim_start().len() + level;
            self.push_text(line, at, shown, true);
            return place + 1;
        }
        // The title of a part that can be folded away.
        if let Some(from) = text.find("<summary>")
            && let Some(to) = text.find("</summary>")
            && from < to
        {
            self.flush();
            self.push_text(line, line.start, &text[from + "<summary>".len()..to], true);
            return place + 1;
        }
        let next_rule =
            lines.get(place + 1).is_some_and(|next| is_rule(next.text) && !next.text.contains('|'));
        if next_rule
            && !text.contains("  ")
            && !text.contains('|')
            && !is_rule(text)
            && lines[place + 1].text.trim().chars().all(|c| c == '-' || c == '=')
        {
            self.flush();
            self.push_text(line, line.start, text, true);
            return place + 2;
        }
        let table =
            lines.get(place + 1).is_some_and(|next| is_rule(next.text) && next.text.contains('|'));
        if bar_cells(line).is_some()
            && (table
                || text.starts_with('|')
                || lines.get(place + 1).is_some_and(|next| bar_cells(*next).is_some()))
        {
            self.flush();
            return self.bars(lines, place);
        }
        // "+-----+-----+" above "| Gun | Range |": a table drawn as a grid.
        let drawn = is_rule(text)
            && text.starts_with('+')
            && lines.get(place + 1).is_some_and(|next| next.text.trim_start().starts_with('|'));
        if drawn {
            self.flush();
            return self.bars(lines, place + 1);
        }
        if is_rule(text) {
            self.flush();
            self.gap = true;
            return place + 1;
        }
        let opens = place == 0 || lines[place - 1].text.trim().is_empty();
        if opens && let Some(next) = self.definition(lines, place) {
            return next;
        }
        self.plain.push((line.number, line.start, line.text.to_owned()));
        place + 1
    }

    /// "Old Guard" above ":   4+": a term and its meaning, which may be wrapped.
    fn definition(&mut self, lines: &[SourceLine<'_>], place: usize) -> Option<usize> {
        let line = lines[place];
        let term = line.text.trim();
        let first = lines.get(place + 1)?;
        meaning(first.text).filter(|_| term.split_whitespace().count() <= 6)?;
        let mut words = String::new();
        let (mut at, mut next) = (first.start..first.start, place + 1);
        while let Some(line) = lines.get(next) {
            let indented = line.text.starts_with([' ', '\t']) && next > place + 1;
            let Some(more) = meaning(line.text).or_else(|| indented.then(|| line.text.trim()))
            else {
                break;
            };
            if more.is_empty() {
                break;
            }
            words.push(' ');
            words.push_str(more);
            at.end = line.start + line.text.trim_end().len();
            next += 1;
        }
        self.flush();
        let text = |text: &str| cell_text(&unstarred(&plain_text(text)));
        let own = line.start..line.start + line.text.trim_end().len();
        let cells = vec![
            RowCell { text: text(term), at: own, x: (0, term.chars().count()) },
            RowCell { text: text(&words), at, x: (MEANING, MEANING + words.chars().count()) },
        ];
        // Blank lines between terms do not part them.
        let goes_on = self.rows.last().is_some_and(|row| {
            row.table.is_none() && row.cells.get(1).is_some_and(|cell| cell.x.0 == MEANING)
        });
        let (line, gap, strip) = (line.number, self.gap && !goes_on, self.strip);
        self.rows.push(SheetRow { cells, line, gap, strip, ..SheetRow::default() });
        self.gap = false;
        Some(next)
    }

    fn bars(&mut self, lines: &[SourceLine<'_>], mut place: usize) -> usize {
        self.table += 1;
        while let Some(line) = lines.get(place) {
            if is_rule(line.text) {
                place += 1;
                continue;
            }
            let Some(cells) = bar_cells(*line) else { break };
            if cells.iter().any(|cell| !cell.text.is_empty()) {
                self.rows.push(SheetRow {
                    cells,
                    line: line.number,
                    gap: self.gap,
                    strip: self.strip,
                    table: Some(self.table),
                    ..SheetRow::default()
                });
            }
            self.gap = false;
            place += 1;
        }
        self.gap = true;
        place
    }

    fn push_text(&mut self, line: SourceLine<'_>, at: usize, shown: &str, head: bool) {
        let text = cell_text(&unstarred(&plain_text(shown)));
        let lead = line.text.len() - line.text.trim_start().len();
        let cell = RowCell {
            text,
            at: at.min(line.start + line.text.len())..line.start + line.text.trim_end().len(),
            x: (lead, lead + shown.chars().count()),
        };
        let bold = shown.strip_prefix("**").and_then(|rest| rest.split_once("**"));
        let lead = bold.filter(|_| !head).map(|(bold, _)| plain_text(bold).chars().count());
        self.rows.push(SheetRow {
            cells: vec![cell],
            line: line.number,
            gap: self.gap || head,
            strip: self.strip,
            head,
            lead,
            ..SheetRow::default()
        });
        self.gap = false;
    }

    /// Reads lines without bars: items of lists, and text that is wrapped.
    fn flush(&mut self) {
        for (number, start, text) in std::mem::take(&mut self.plain) {
            let cells = plain::split_cells(&text);
            if cells.len() > 1 && !text.trim_start().starts_with(['-', '*', '+']) {
                self.layout(number, start, &text);
                continue;
            }
            let lead = text.len() - text.trim_start().len();
            let shown = text.trim();
            let bold = shown.starts_with("**")
                && shown.ends_with("**")
                && shown.matches("**").count() == 2;
            let line = SourceLine { number, start, text: &text, page: false };
            let item = shown
                .strip_prefix("- ")
                .or_else(|| shown.strip_prefix("* "))
                .or_else(|| {
                    shown.strip_prefix("+ ").filter(|rest| {
                        rest.starts_with(|c: char| c.is_alphabetic() || "+-−–(*".contains(c))
                            && !rest.starts_with("or ")
                    })
                })
                .or_else(|| shown.strip_prefix("• "));
            match item {
                Some(rest) => {
                    self.push_text(
                        line,
                        start + lead + shown.len() - rest.len(),
                        rest.trim_start(),
                        false,
                    );
                    if let Some(row) = self.rows.last_mut() {
                        row.bullet = true;
                    }
                }
                None => self.push_text(line, start + lead, shown, bold),
            }
        }
    }

    fn layout(&mut self, number: u32, start: usize, text: &str) {
        let places: Vec<usize> =
            text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let cells = plain::split_cells(text)
            .into_iter()
            .map(|(from, to, shown)| RowCell {
                text: cell_text(&plain_text(&shown)),
                at: start + places[from.min(places.len() - 1)]
                    ..start + places[to.min(places.len() - 1)],
                x: (from, to),
            })
            .collect();
        self.rows.push(SheetRow {
            cells,
            line: number,
            gap: self.gap,
            strip: self.strip,
            ..SheetRow::default()
        });
        self.gap = false;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn bars_heads_and_items() {
        let text = "# Fire\n\n| Roll | Result\n|---|:--\n| 1-2 | *Miss*<br>again |\n| 3+ | Hit\n\n- +1 **close**\n";
        let read = rows(text);
        assert!(read[0].head && read[0].text() == "Fire");
        assert_eq!(read[2].cells[0].text, "1-2");
        assert_eq!(&text[read[3].cells[1].at.clone()], "Hit");
        assert_eq!(read[4].text(), "+1 close");
        assert!(looks_like_one(text));
    }

    #[test]
    fn a_table_in_a_quotation() {
        let text = "> Both roll 1d6.\n>\n> | Lead | Loser |\n> |------|-------|\n> | 1-2  | Falls back |\n> | 3+   | Breaks |\n";
        let read = rows(text);
        let cells: Vec<&str> = read[2..].iter().map(|row| row.cells[1].text.as_str()).collect();
        assert_eq!(cells, ["Falls back", "Breaks"]);
        assert_eq!(&text[read[3].cells[0].at.clone()], "3+");
    }
}
