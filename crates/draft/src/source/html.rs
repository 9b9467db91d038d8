//! HTML: tables with spans, headings, lists and paragraphs. Scripts and styles are left out.

mod entities;
pub(super) mod positioned;

use super::{COLUMN, RowCell, SheetRow, cell_text};
use entities::decode;
pub use entities::read_entities;
use std::collections::BTreeSet;
use std::ops::Range;

/// The most columns and rows that one span may fill.
const WIDEST: usize = 100;

/// The farthest that the end of a raised mark may be away, in characters.
const RAISED: usize = 200;

/// The farthest that the end of an attribute's value may be away, in bytes.
const LONGEST_VALUE: usize = 4096;

/// The most cells that spans may fill in one source.
const MOST_CELLS: usize = 50_000;

/// The most bytes that one cell may fill by its spans, and all cells of a source. A longer text is
/// no heading, and ten thousand copies of it are no table.
const MOST_COPIED: (usize, usize) = (64 << 10, 1 << 20);

pub(crate) fn rows(text: &str) -> Vec<SheetRow> {
    let mut reader = Reader { source: text, layouts: layouts(text), ..Reader::default() };
    reader.read();
    reader.end_text();
    reader.rows
}

/// Where tables start that hold other tables in their cells: they only lay out the page.
fn layouts(text: &str) -> BTreeSet<usize> {
    let mut outer_tables = BTreeSet::new();
    // Each open table: where it starts, and whether one of its cells is open.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (at, _) in text.match_indices('<') {
        let rest = &text.as_bytes()[at + 1..];
        let starts = |name: &[u8]| {
            rest.len() > name.len()
                && rest[..name.len()].eq_ignore_ascii_case(name)
                && !rest[name.len()].is_ascii_alphanumeric()
        };
        if starts(b"table") {
            if let Some((outer, true)) = open.last() {
                outer_tables.insert(*outer);
            } else {
                open.pop();
            }
            open.push((at, false));
        } else if starts(b"/table") {
            open.pop();
        } else if let Some((_, in_cell)) = open.last_mut() {
            *in_cell |= starts(b"td") || starts(b"th");
            *in_cell &= !(starts(b"/td") || starts(b"/th") || starts(b"tr") || starts(b"/tr"));
        }
    }
    outer_tables
}

#[derive(Default)]
struct Reader<'t> {
    source: &'t str,
    rows: Vec<SheetRow>,
    text: String,
    at: Option<Range<usize>>,
    head: bool,
    bullet: bool,
    /// The number of lists that are open: one inside the item of another.
    lists: usize,
    bold: bool,
    /// The number of characters of the text that are bold, from its start.
    lead: Option<usize>,
    gap: bool,
    tables: u32,
    table: Option<HtmlTable>,
    /// Where tables start that only lay out the page.
    layouts: BTreeSet<usize>,
    line: u32,
    counted: usize,
    /// Cells so far. Beyond a limit, spans are not filled.
    cells: usize,
    /// Bytes that spans have filled so far.
    copied: usize,
    /// The number of a row, and if that row is a definition; asked at each term.
    defines: (usize, bool),
    /// Set if the text so far is more than blanks.
    filled: bool,
}

#[derive(Default)]
struct HtmlTable {
    number: u32,
    row: Vec<RowCell>,
    line: u32,
    start: usize,
    in_cell: bool,
    spans: (usize, usize),
    /// Cells that reach down: column, text, bytes, rows left.
    down: Vec<(usize, String, Range<usize>, usize)>,
    first: bool,
}

impl Reader<'_> {
    fn read(&mut self) {
        let source = self.source;
        let mut at = 0;
        while at < source.len() {
            let rest = &source[at..];
            if let Some(comment) = rest.strip_prefix("<!--") {
                at += 4 + comment.find("-->").map_or(comment.len(), |end| end + 3);
            } else if rest.starts_with('<')
                && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!')
            {
                let end = tag_end(rest).map_or(rest.len(), |end| end + 1);
                at += self.tag(&rest[..end], at, end);
            } else {
                let end = rest
                    .char_indices()
                    .skip(1)
                    .find(|(_, c)| *c == '<')
                    .map_or(rest.len(), |(end, _)| end);
                self.push_text(&rest[..end], at);
                at += end;
            }
        }
    }

    /// Handles a tag and returns how many bytes were read.
    fn tag(&mut self, tag: &str, at: usize, length: usize) -> usize {
        let inner = tag.trim_start_matches('<').trim_end_matches('>');
        let name: String = inner
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_lowercase();
        let closes = inner.starts_with('/');
        match name.as_str() {
            "script" | "style" | "sup" if !closes => {
                let after = &self.source[at + length..];
                // A raised mark is short: its end is looked for nearby, however often one is left open.
                let near = after.char_indices().nth(RAISED).map_or(after.len(), |(near, _)| near);
                let after = if name == "sup" { &after[..near] } else { after };
                let end = find_ignoring_case(after, &format!("</{name}"));
                let Some(end) = end else {
                    return length + if name == "sup" { 0 } else { after.len() };
                };
                let close = after[end..].find('>').map_or(after.len(), |close| end + close + 1);
                // A raised text that is longer than a mark is text.
                if name == "sup" && decode(&without_tags(&after[..end])).chars().count() > 4 {
                    return length;
                }
                return length + close;
            }
            "table" if closes => self.end_table(),
            "table" if self.layouts.contains(&at) => {
                self.end_table();
                self.end_text();
            }
            "table" => self.start_table(),
            // Cells of a table that lays out the page are parts of the page.
            "tr" | "td" | "th" if self.table.is_none() && !self.layouts.is_empty() => {
                self.end_text();
                self.gap = true;
            }
            "tr" => self.end_row(),
            "td" | "th" if closes => self.end_cell(),
            "td" | "th" => self.start_cell(inner, at),
            "br" if self.in_cell() => self.text.push(' '),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "caption" | "title" | "summary"
            | "legend" => {
                self.end_text();
                self.head = !closes;
                self.gap = true;
                self.lists = 0;
            }
            "li" if self.in_cell() => self.text.push(' '),
            "li" => {
                self.end_text();
                self.bullet = !closes;
            }
            "ul" | "ol" if !self.in_cell() => {
                self.end_text();
                self.bullet = false;
                // A list inside another goes on with it.
                self.gap |= self.lists == usize::from(closes);
                self.lists = if closes { self.lists.saturating_sub(1) } else { self.lists + 1 };
            }
            // A term and its meaning are one line: "AE = Attacker eliminated".
            "dt" if !closes && !self.in_cell() => {
                self.end_text();
                if self.defines.0 != self.rows.len() {
                    let defines = self.rows.last().is_some_and(|row| row.text().contains(" = "));
                    self.defines = (self.rows.len(), defines);
                }
                self.gap |= !self.defines.1;
            }
            "dd" if !closes && !self.in_cell() && self.at.is_some() => {
                self.text.push_str(" = ");
                self.filled = true;
            }
            "dt" if closes && !self.in_cell() => {}
            // A browser copies a document of Google in bold that is not bold.
            "b" if find_ignoring_case(inner, "font-weight:normal").is_some() => {}
            "b" | "strong" if !self.in_cell() => {
                self.bold |= !closes && !self.filled;
                if closes && self.bold && self.lead.is_none() {
                    self.lead = Some(cell_text(&self.text).chars().count());
                }
            }
            "p" | "div" | "ul" | "ol" | "br" | "dl" | "dd" | "dt" | "section" | "tbody"
            | "thead" | "header" | "footer" | "hr" | "pre" => {
                if self.in_cell() {
                    self.text.push(' ');
                } else {
                    self.end_text();
                    // "<li><p>Move</p></li>" is one item.
                    self.gap |= !matches!(name.as_str(), "br" | "dd") && self.lists == 0;
                }
            }
            _ => {}
        }
        length
    }

    fn in_cell(&self) -> bool {
        self.table.as_ref().is_some_and(|table| table.in_cell)
    }

    fn push_text(&mut self, text: &str, at: usize) {
        let shown = decode(text);
        if !shown.trim().is_empty() {
            self.filled = true;
            let lead = text.len() - text.trim_start().len();
            let (start, end) = (at + lead, at + text.trim_end().len());
            self.at = Some(self.at.as_ref().map_or(start..end, |known| known.start..end));
        }
        self.text.push_str(&shown);
    }

    fn line_of(&mut self, at: usize) -> u32 {
        if at >= self.counted {
            self.line +=
                self.source.as_bytes()[self.counted..at].iter().filter(|b| **b == b'\n').count()
                    as u32;
            self.counted = at;
        }
        self.line + 1
    }

    fn end_text(&mut self) {
        let mut text = cell_text(&self.text);
        let parts = apart(&self.text);
        self.text.clear();
        self.filled = false;
        let at = self.at.take();
        let (head, bullet, bold) = (self.head, self.bullet, self.bold);
        let lead = self.lead.take();
        self.bold = false;
        let Some(at) = at.filter(|_| !text.is_empty()) else { return };
        self.bullet = false;
        let line = self.line_of(at.start);
        if head && let Some(cut) = text.rfind('[').filter(|cut| is_edit_link(&text[*cut..])) {
            text.truncate(cut);
        }
        // A short bold line of its own is a title.
        let titled = head
            || (bold
                && text.chars().count() <= 50
                && !text.contains(". ")
                && !text.ends_with('.')
                && !text.contains(':'));
        let cells = match parts {
            Some(parts) if !titled => parts
                .into_iter()
                .map(|(x, text)| RowCell { x: (x, x + text.chars().count()), text, at: at.clone() })
                .collect(),
            _ => {
                // Items of an inner list stand further in.
                let x = 4 * self.lists.saturating_sub(1).min(9);
                vec![RowCell { x: (x, x + text.chars().count()), text, at }]
            }
        };
        let gap = self.gap || titled;
        let lead = lead.filter(|_| !titled);
        let mut row =
            SheetRow { cells, line, gap, head: titled, bullet, lead, ..SheetRow::default() };
        if !titled && !bullet {
            super::plain::mark_bullet(&mut row);
        }
        self.rows.push(row);
        self.gap = false;
    }

    fn start_table(&mut self) {
        self.end_table();
        self.end_text();
        self.lists = 0;
        self.tables += 1;
        self.gap = true;
        self.table = Some(HtmlTable { number: self.tables, first: true, ..HtmlTable::default() });
    }

    fn end_table(&mut self) {
        self.end_row();
        self.table = None;
        self.gap = true;
    }

    fn start_cell(&mut self, tag: &str, at: usize) {
        self.end_cell();
        let line = self.line_of(at);
        if self.table.is_none() {
            self.start_table();
        }
        let Some(table) = &mut self.table else { return };
        if table.row.is_empty() {
            table.line = line;
        }
        let span = |key: &str| {
            attribute(tag, key).and_then(|n| n.parse::<usize>().ok()).unwrap_or(1).clamp(1, WIDEST)
        };
        table.spans = (span("colspan"), span("rowspan"));
        table.in_cell = true;
        table.start = at;
        table.fill();
        self.text.clear();
        self.filled = false;
        self.at = None;
    }

    fn end_cell(&mut self) {
        let Some(table) = &mut self.table else { return };
        self.filled = false;
        if !table.in_cell {
            self.text.clear();
            return;
        }
        table.in_cell = false;
        let text = cell_text(&self.text);
        self.text.clear();
        let at = self.at.take().unwrap_or(table.start..table.start);
        let (across, down) = table.spans;
        let columns = across.min((WIDEST * 2).saturating_sub(table.row.len()));
        let copied = text.len() * (columns * down).saturating_sub(1);
        let too_many = self.cells > MOST_CELLS
            || copied > MOST_COPIED.0
            || self.copied + copied > MOST_COPIED.1;
        let (across, down) = if too_many { (1, 1) } else { (across, down) };
        self.copied += if too_many { 0 } else { copied };
        for _ in 0..across {
            self.cells += 1;
            if table.row.len() >= WIDEST * 2 {
                break;
            }
            let column = table.row.len();
            if down > 1 {
                table.down.push((column, text.clone(), at.clone(), down));
            }
            table.row.push(RowCell {
                text: text.clone(),
                at: at.clone(),
                x: (column * COLUMN, column * COLUMN + 1),
            });
        }
    }

    fn end_row(&mut self) {
        self.end_cell();
        let Some(table) = &mut self.table else { return };
        if table.row.is_empty() {
            return;
        }
        table.fill();
        self.cells += table.row.len();
        if self.cells > MOST_CELLS {
            table.down.clear();
        }
        let mut cells = std::mem::take(&mut table.row);
        // One cell over all columns below the first row names the rows under it.
        let whole = |pair: &[RowCell]| pair[0].at == pair[1].at && pair[0].text == pair[1].text;
        if !table.first && cells.windows(2).all(whole) {
            cells.iter_mut().skip(1).for_each(|cell| cell.text.clear());
        }
        for cell in &mut table.down {
            cell.3 -= 1;
        }
        table.down.retain(|cell| cell.3 > 0);
        if cells.iter().all(|cell| cell.text.is_empty()) {
            return;
        }
        let row = SheetRow {
            cells,
            line: table.line,
            gap: table.first,
            table: Some(table.number),
            ..SheetRow::default()
        };
        table.first = false;
        self.rows.push(row);
    }
}

impl HtmlTable {
    /// Puts in the cells that reach down into this row at the next column.
    fn fill(&mut self) {
        while let Some((_, text, at, _)) =
            self.down.iter().find(|cell| cell.0 == self.row.len() && cell.3 > 0).cloned()
        {
            // Those of this very row have all their rows left; they were pushed already.
            let column = self.row.len();
            if column >= WIDEST * 2 {
                break;
            }
            self.row.push(RowCell { text, at, x: (column * COLUMN, column * COLUMN + 1) });
        }
    }
}

/// The text of a piece of HTML without its tags.
fn without_tags(text: &str) -> String {
    let (mut shown, mut rest) = (String::new(), text);
    while let Some(start) = rest.find('<') {
        shown.push_str(&rest[..start]);
        let Some(end) = tag_end(&rest[start..]) else { return shown };
        rest = &rest[start + end + 1..];
    }
    shown + rest
}

/// The place of the `>` that ends a tag. One in a value, as in `title="a > b"`, does not end it. The
/// end of a value is looked for nearby, however often one is left open.
pub fn tag_end(tag: &str) -> Option<usize> {
    let bytes = tag.as_bytes();
    let (mut at, mut value) = (0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'>' => return Some(at),
            b'"' | b'\'' if value => {
                let mut near = bytes[at + 1..].iter().take(LONGEST_VALUE);
                at += near.position(|other| other == byte).map_or(0, |end| end + 1);
                value = false;
            }
            b'=' => value = true,
            byte => value &= byte.is_ascii_whitespace(),
        }
        at += 1;
    }
    None
}

/// "[edit]" beside a heading of a wiki.
fn is_edit_link(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.ends_with(']')
        && ["edit", "bearbeiten", "modifier"].iter().any(|word| lower.contains(word))
}

/// The parts of a text that long runs of fixed blanks hold apart, each with its place across the page.
fn apart(text: &str) -> Option<Vec<(usize, String)>> {
    let chars: Vec<char> = text.chars().collect();
    let mut parts = Vec::new();
    let mut from = 0;
    let mut at = 0;
    let mut push = |from: usize, to: usize| {
        let shown = cell_text(&chars[from..to].iter().collect::<String>());
        if !shown.is_empty() {
            parts.push((from, shown));
        }
    };
    while at < chars.len() {
        let end = at + chars[at..].iter().take_while(|c| c.is_whitespace()).count();
        if chars[at..end].iter().filter(|c| **c == '\u{a0}').count() >= 3 {
            push(from, at);
            from = end;
        }
        at = end.max(at + 1);
    }
    push(from, chars.len());
    // "·    the shooters moved": the mark of an item stands before its text.
    if let [(_, mark), ..] = parts.as_slice()
        && !mark.chars().any(char::is_alphanumeric)
        && mark.chars().count() == 1
        && parts.len() >= 2
    {
        let (_, mark) = parts.remove(0);
        parts[0].1 = format!("{mark} {}", parts[0].1);
    }
    (parts.len() >= 2 || parts.first().is_some_and(|(_, text)| text.starts_with(['•', '·'])))
        .then_some(parts)
}

fn find_ignoring_case(text: &str, wanted: &str) -> Option<usize> {
    let (text, wanted) = (text.as_bytes(), wanted.as_bytes());
    text.windows(wanted.len()).position(|part| part.eq_ignore_ascii_case(wanted))
}

fn attribute(tag: &str, key: &str) -> Option<String> {
    let at = find_ignoring_case(tag, &format!("{key}="))?;
    let value = &tag[at + key.len() + 1..];
    Some(value.trim_start_matches(['"', '\'']).chars().take_while(char::is_ascii_digit).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_table_that_lays_out_the_page_is_no_table() {
        let text = "<table><tr><td><b>Moves</b><table><tr><td>Foot<td>6</tr></table></td><td><p>Cover&nbsp;&nbsp;&nbsp;&nbsp;+1</p></td></tr></table>";
        let texts: Vec<String> = rows(text)
            .iter()
            .map(|row| row.cells.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join("|"))
            .collect();
        assert_eq!(texts, ["Moves", "Foot|6", "Cover|+1"]);
    }

    #[test]
    fn spans_entities_and_marks() {
        let text = "<h2>Fire</h2>\n<table><tr><th>Roll<th>A<th>B</tr>\n<tr><td>&le;2<td colspan=2>Miss<sup>1</sup></tr><tr><td rowspan=\"2\">3<td>x<td>y</tr>\n<tr><td>p<td>q</tr></table><p>Note&nbsp;here.";
        let texts: Vec<String> = rows(text)
            .iter()
            .map(|row| row.cells.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join("|"))
            .collect();
        assert_eq!(texts, ["Fire", "Roll|A|B", "≤2|Miss|Miss", "3|x|y", "3|p|q", "Note here."]);
        let table = rows(text);
        assert_eq!(table[1].line, 2);
        assert_eq!(&text[table[1].cells[1].at.clone()].trim(), &"A");
    }
}
