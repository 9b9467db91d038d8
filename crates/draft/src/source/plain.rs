//! Plain text: columns made of blanks or tabs, as OCR and `pdftotext -layout` write it.

use super::gutter::{self, LONGEST_PAGE, PageLine};
use super::{COLUMN, RowCell, SheetRow, SourceLine, cell_text, furniture, lines};

pub(crate) fn rows(text: &str) -> Vec<SheetRow> {
    let lines = lines(text);
    let furniture = furniture::find(&lines);
    let forum = ["[/b]", "[/size]", "[/c]", "[/i]", "[/list]"].iter().any(|tag| text.contains(tag));
    let mut reader = Reader { forum, ..Reader::default() };
    for (line, furniture) in lines.iter().zip(furniture) {
        if line.page {
            reader.end_page();
        }
        reader.line(*line, furniture);
    }
    reader.end_page();
    super::ocr_marks::remove(&mut reader.rows);
    super::viewer::fold(reader.rows, reader.table)
}

#[derive(Default)]
struct Reader {
    rows: Vec<SheetRow>,
    page: Vec<PageLine>,
    strip: u32,
    table: u32,
    in_table: bool,
    /// The first row of the table with tabs.
    tabbed_from: usize,
    gap: bool,
    /// The text has tags of a forum: `[size=14]`.
    forum: bool,
}

impl Reader {
    fn line(&mut self, line: SourceLine<'_>, furniture: bool) {
        if furniture {
            self.end_page();
            let cells = vec![one_cell(line)];
            self.rows.push(SheetRow {
                cells,
                line: line.number,
                furniture: true,
                ..SheetRow::default()
            });
            return;
        }
        if line.text.trim_end().contains('\t') && line.text.trim().contains('\t')
            || (line.text.contains('\t') && self.in_table && !line.text.trim().is_empty())
        {
            if !self.in_table {
                self.gap |= self.page.last().is_some_and(|line| line.chars.is_empty());
                self.end_page();
                self.table += 1;
                self.in_table = true;
                self.tabbed_from = self.rows.len();
            }
            self.tabbed(line);
            return;
        }
        if self.in_table {
            self.end_table();
            self.in_table = false;
            self.gap = line.text.trim().is_empty();
        }
        let bold = line.text.trim().strip_prefix("[b]").and_then(|rest| rest.strip_suffix("[/b]"));
        if let Some(rest) = bold
            && !rest.contains("[b]")
            && (1..=60).contains(&without_tags(rest).trim().chars().count())
        {
            self.end_page();
            let skipped = line.text.find("[b]").unwrap_or(0) + "[b]".len();
            let title = SourceLine { start: line.start + skipped, text: rest, ..line };
            let mut cell = one_cell(title);
            cell.text = without_tags(&cell.text);
            self.rows.push(SheetRow {
                cells: vec![cell],
                line: line.number,
                gap: true,
                strip: self.strip,
                head: true,
                ..SheetRow::default()
            });
            return;
        }
        let heading = line.text.strip_prefix('#').map(|rest| rest.trim_start_matches('#'));
        if let Some(rest) = heading
            && rest.starts_with(' ')
            && !rest.trim().is_empty()
            && !rest.to_lowercase().contains("passed")
        {
            self.end_page();
            let skipped = line.text.len() - rest.trim_start().len();
            let title = SourceLine { start: line.start + skipped, text: rest.trim_start(), ..line };
            self.rows.push(SheetRow {
                cells: vec![one_cell(title)],
                line: line.number,
                gap: true,
                strip: self.strip,
                head: true,
                ..SheetRow::default()
            });
            return;
        }
        let mut chars: Vec<(usize, char)> =
            line.text.trim_end().char_indices().map(|(at, c)| (line.start + at, c)).collect();
        if self.forum && line.text.contains('[') {
            drop_tags(&mut chars);
            // A line of tags alone is nothing, not even a gap.
            if chars.iter().all(|(_, c)| c.is_whitespace()) {
                return;
            }
        }
        self.page.push(PageLine { number: line.number, chars });
        if self.page.len() >= LONGEST_PAGE {
            self.end_page();
        }
    }

    /// Parts tables that stand beside each other with an empty column between them.
    fn end_table(&mut self) {
        let rows = self.rows.split_off(self.tabbed_from.min(self.rows.len()));
        let records: Vec<super::sheet::Record> = rows
            .iter()
            .map(|row| {
                let cells = row.cells.iter().map(|cell| (cell.text.clone(), cell.at.clone()));
                (row.line, cells.collect())
            })
            .collect();
        let (mut strip, mut table) = (self.strip, self.table);
        let mut parted = Vec::new();
        let block: Vec<&super::sheet::Record> = records.iter().collect();
        super::sheet::cut(&block, &mut strip, &mut table, &mut parted);
        if table <= self.table + 1 || rows.len() < 3 {
            self.rows.extend(rows);
            return;
        }
        (self.strip, self.table) = (strip + 1, table);
        self.rows.extend(parted);
    }

    fn tabbed(&mut self, line: SourceLine<'_>) {
        let mut cells = Vec::new();
        let mut start = line.start;
        for (column, part) in line.text.split('\t').enumerate().take(200) {
            let lead = part.len() - part.trim_start().len();
            let at = start + lead..start + lead + part.trim().len();
            cells.push(RowCell {
                text: cell_text(&super::markdown::plain(part)),
                at,
                x: (column * COLUMN, column * COLUMN + 1),
            });
            start += part.len() + 1;
        }
        if cells.iter().all(|cell| cell.text.is_empty()) {
            self.gap = true;
            return;
        }
        let row = SheetRow {
            cells,
            line: line.number,
            gap: self.gap,
            strip: self.strip,
            table: Some(self.table),
            ..SheetRow::default()
        };
        self.gap = false;
        self.rows.push(row);
    }

    /// Cuts the page into strips and makes rows of them.
    fn end_page(&mut self) {
        if self.in_table {
            self.end_table();
            self.in_table = false;
        }
        let mut page = std::mem::take(&mut self.page);
        blank_bars(&mut page);
        super::ocr_marks::drop_bars(&mut page);
        super::spacing::close(&mut page);
        part_glued(&mut page);
        if page.iter().all(|line| line.chars.is_empty()) {
            self.gap |= !page.is_empty();
            return;
        }
        let strips = gutter::strips(&page);
        let several = strips.len() > 1;
        for strip in strips {
            let mut gap = true;
            // The lines of the gap, and whether another column has text on all of them.
            let (mut lines, mut beside) = (0, true);
            if several {
                self.strip += 1;
            }
            let first = self.rows.len();
            for part in strip {
                let line = &page[part.line];
                let to = part.to.min(line.chars.len());
                let chars = if part.from < to { &line.chars[part.from..to] } else { &[] };
                let cells = cells_of(chars, part.from);
                if cells.is_empty() {
                    // A rule below headings does not part them from their rows.
                    let ruled = chars.iter().any(|(_, c)| !c.is_whitespace());
                    let headed = self.rows[first..].last().is_some_and(|row| row.cells.len() >= 2);
                    gap |= !(ruled && headed);
                    lines += 1;
                    beside &= line.chars.iter().any(|(_, c)| !c.is_whitespace());
                    continue;
                }
                let cells = split_bracketed(cells);
                let mut row = SheetRow {
                    cells,
                    line: line.number,
                    gap,
                    beside: lines == 1 && beside,
                    strip: self.strip,
                    ..SheetRow::default()
                };
                mark_bullet(&mut row);
                self.rows.push(row);
                (gap, lines, beside) = (false, 0, true);
            }
            super::align::mend(&mut self.rows, first);
            super::capitals::part(&mut self.rows[first..]);
            if several {
                close_gaps(&mut self.rows[first..]);
            }
        }
        if several {
            self.strip += 1;
        }
        self.gap = page.last().is_some_and(|line| line.chars.is_empty());
    }
}

/// Where columns stand side by side, one blank line may be the height of a line in another column: rows
/// of the same table stay together.
fn close_gaps(rows: &mut [SheetRow]) {
    for place in 1..rows.len() {
        let (before, after) = rows.split_at_mut(place);
        let (Some(above), row) = (before.last(), &mut after[0]) else { continue };
        let cells = row.cells.len();
        let starts = above.cells.iter().zip(&row.cells);
        let aligned = starts.filter(|(one, two)| one.x.0 < two.x.1 && two.x.0 < one.x.1).count();
        let figures = |row: &SheetRow| {
            let last = row.cells.last().map_or("", |cell| &cell.text);
            let bare = last.trim_end_matches(['"', '+', '″']);
            bare.parse::<i32>().is_ok() || crate::link::is_nothing(last)
        };
        let same = above.cells.len() == cells && aligned + 1 >= cells && figures(row);
        // Headings of two lines, or headings above their rows.
        let wide = cells >= 4 && above.cells.len() >= 4 && cells.abs_diff(above.cells.len()) <= 1;
        row.gap &= !(row.line == above.line + 2 && cells >= 2 && (same || wide));
    }
}

/// Tags of a forum that only say how a text looks.
const TAGS: [&str; 14] = [
    "b", "i", "u", "s", "c", "size", "color", "list", "*", "table", "center", "q", "quote", "code",
];

/// Takes the tags of a forum out of a line.
fn drop_tags(chars: &mut Vec<(usize, char)>) {
    let mut kept = Vec::with_capacity(chars.len());
    let mut at = 0;
    while let Some(c) = chars.get(at) {
        at += 1;
        if c.1 == '['
            && let Some(close) = chars[at..].iter().take(30).position(|(_, c)| *c == ']')
        {
            let name: String = chars[at..at + close].iter().map(|(_, c)| *c).collect();
            let name = name.trim_start_matches('/').split('=').next().unwrap_or_default();
            if TAGS.contains(&name.to_lowercase().as_str()) {
                at += close + 1;
                continue;
            }
        }
        kept.push(*c);
    }
    *chars = kept;
}

/// A text without the tags of a forum.
fn without_tags(text: &str) -> String {
    let mut chars: Vec<(usize, char)> = text.char_indices().collect();
    drop_tags(&mut chars);
    chars.into_iter().map(|(_, c)| c).collect()
}

/// Bars that stand under each other only part columns: they count as blanks.
fn blank_bars(page: &mut [PageLine]) {
    let is_bar = |c: char| matches!(c, '|' | '│' | '¦' | '║');
    let mut bars: std::collections::BTreeMap<usize, usize> = Default::default();
    for line in page.iter() {
        for (x, _) in line.chars.iter().enumerate().filter(|(_, (_, c))| is_bar(*c)) {
            *bars.entry(x).or_default() += 1;
        }
    }
    for line in page.iter_mut() {
        let mut blanked = false;
        for (x, (_, c)) in line.chars.iter_mut().enumerate() {
            if is_bar(*c) && bars.get(&x).is_some_and(|count| *count >= 3) {
                *c = ' ';
                blanked = true;
            }
        }
        while blanked && line.chars.last().is_some_and(|(_, c)| c.is_whitespace()) {
            line.chars.pop();
        }
    }
}

/// Puts a blank between a band and its words where at least three lines in a row lack it, as lists
/// copied from a web page do: "3-5Leak".
fn part_glued(page: &mut [PageLine]) {
    let mut place = 0;
    while place < page.len() {
        let run: Vec<usize> =
            page[place..].iter().map_while(|line| glued_at(&line.chars)).collect();
        if run.len() >= 3 && rises(&page[place..place + run.len()]) {
            for (line, at) in page[place..].iter_mut().zip(&run) {
                let byte = line.chars[*at].0;
                line.chars.insert(*at, (byte, ' '));
            }
        }
        place += run.len() + 1;
    }
}

/// Where the words start in "3-5Leak".
fn glued_at(chars: &[(usize, char)]) -> Option<usize> {
    let figure = |c: &char| c.is_ascii_digit() || matches!(c, '-' | '–' | '+');
    let end = chars.iter().take(8).position(|(_, c)| !figure(c))?;
    let word: Vec<char> = chars[end..].iter().take(3).map(|(_, c)| *c).collect();
    let capital = matches!(word.as_slice(), [a, b, c] if a.is_uppercase() && b.is_lowercase() && c.is_lowercase());
    (chars.first()?.1.is_ascii_digit() && capital).then_some(end)
}

/// Tells if the first figures of the lines rise.
fn rises(lines: &[PageLine]) -> bool {
    let first = |line: &PageLine| {
        let digits: String =
            line.chars.iter().map(|(_, c)| *c).take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().unwrap_or(0)
    };
    lines.windows(2).all(|pair| first(&pair[0]) < first(&pair[1]))
}

fn one_cell(line: SourceLine<'_>) -> RowCell {
    let lead = line.text.len() - line.text.trim_start().len();
    let shown = line.text.trim();
    RowCell {
        text: cell_text(&super::markdown::plain(shown)),
        at: line.start + lead..line.start + lead + shown.len(),
        x: (lead, lead + shown.chars().count()),
    }
}

/// Parts a first cell that holds a band in brackets and the next cell: "A tie (0 or less) No effect".
fn split_bracketed(mut cells: Vec<RowCell>) -> Vec<RowCell> {
    let Some(first) = cells.first() else { return cells };
    let (Some(open), Some(close)) = (first.text.find('('), first.text.find(')')) else {
        return cells;
    };
    if open > close
        || close + 1 == first.text.len()
        || crate::band::whole(&first.text[open + 1..close]).is_none_or(|band| band.is_single())
    {
        return cells;
    }
    let (label, more) =
        (first.text[..=close].to_owned(), first.text[close + 1..].trim_start().to_owned());
    let alone = cells.len() == 1
        && (!more.starts_with(|c: char| c.is_uppercase()) || label.split_whitespace().count() > 8);
    if more.is_empty() || alone || more.contains('→') {
        return cells;
    }
    let start = first.at.end.saturating_sub(more.len()).max(first.at.start);
    let x = first.x.1 - more.chars().count().min(first.x.1 - first.x.0);
    let second = RowCell { text: more, at: start..first.at.end, x: (x, first.x.1) };
    let first = RowCell { text: label, at: first.at.start..start, x: (first.x.0, x) };
    cells[0] = second;
    cells.insert(0, first);
    cells
}

/// Takes the mark off an item of a list. A dash before a figure is a minus.
pub(crate) fn mark_bullet(row: &mut SheetRow) {
    let Some(first) = row.cells.first_mut() else { return };
    for mark in ["• ", "● ", "▪ ", "◦ ", "o ", "* ", "- ", "– ", "· "] {
        if let Some(rest) = first.text.strip_prefix(mark)
            && !(rest.len() <= 2 && crate::band::repaired(rest).is_some())
            && rest
                .trim_start()
                .chars()
                .next()
                .is_some_and(|c| c.is_alphabetic() || matches!(mark, "• " | "* " | "· "))
        {
            first.text = rest.trim_start().to_owned();
            row.bullet = true;
            return;
        }
    }
}

/// The cells of a line: where each starts and ends in characters, and its text.
pub(crate) fn split_cells(line: &str) -> Vec<(usize, usize, String)> {
    let chars: Vec<(usize, char)> = line.chars().enumerate().collect();
    cells_of(&chars, 0).into_iter().map(|cell| (cell.x.0, cell.x.1, cell.text)).collect()
}

/// Cells parted by two blanks or more. Dots as leaders part them too.
fn cells_of(chars: &[(usize, char)], from: usize) -> Vec<RowCell> {
    let mut cells = Vec::new();
    let mut start = None;
    let mut blanks = 0;
    let push = |start: usize, end: usize, cells: &mut Vec<RowCell>| {
        let text: String = chars[start..end].iter().map(|(_, c)| *c).collect();
        let shown = cell_text(&super::markdown::plain(&text));
        let shown = shown
            .trim_end_matches(['|', '│', '¦'])
            .trim_start_matches(['|', '│', '¦'])
            .trim()
            .to_owned();
        if shown.is_empty()
            || shown.chars().all(|c| ".…_-=·~".contains(c) && c != '-')
            || (shown.len() > 2 && shown.chars().all(|c| "-+=".contains(c)) && shown.contains("--"))
        {
            return;
        }
        let (last, c) = chars[end - 1];
        cells.push(RowCell {
            text: shown,
            at: chars[start].0..last + c.len_utf8(),
            x: (from + start, from + end),
        });
    };
    let leader = |at: usize| {
        let c = chars[at].1;
        (c == '.' || c == '·' || c == '_')
            && (chars.get(at + 1).is_some_and(|n| n.1 == c)
                && (chars.get(at + 2).is_some_and(|n| n.1 == c))
                || at > 1 && chars[at - 1].1 == c && chars[at - 2].1 == c
                || (at > 0 && chars[at - 1].1 == c && chars.get(at + 1).is_some_and(|n| n.1 == c)))
    };
    // From here on there are only dots and blanks.
    let tail =
        chars.iter().rposition(|(_, c)| *c != '.' && !c.is_whitespace()).map_or(0, |x| x + 1);
    let ends_sentence = |at: usize| at >= tail;
    let mut at = 0;
    let mut spaces = 0;
    while at < chars.len() {
        let bar = matches!(chars[at].1, '|' | '│' | '¦')
            && (at == 0 || chars[at - 1].1 == ' ')
            && chars.get(at + 1).is_none_or(|n| n.1 == ' ');
        // A note mark that stands alone ends a cell.
        let mark = super::is_raised(chars[at].1)
            && start.is_some()
            && at > 0
            && chars[at - 1].1 == ' '
            && chars.get(at + 1).is_some_and(|n| n.1 == ' ')
            && chars.get(at + 2).is_some_and(|n| n.1 != ' ' && !super::is_raised(n.1))
            && spaces < 8;
        spaces += usize::from(chars[at].1 == ' ');
        if mark {
            blanks += 1;
        }
        if chars[at].1.is_whitespace() || mark || bar || (leader(at) && !ends_sentence(at)) {
            blanks += if bar || leader(at) { 2 } else { 1 };
            if blanks >= 2
                && !(blanks == 2 && start.is_some_and(|first| is_sentence_end(chars, first, at)))
                && let Some(first) = start.take()
            {
                let end = (first..at)
                    .rev()
                    .find(|x| !chars[*x].1.is_whitespace())
                    .map_or(first + 1, |x| x + 1);
                push(first, end, &mut cells);
            }
        } else {
            if start.is_none() {
                start = Some(at);
            }
            blanks = 0;
        }
        at += 1;
    }
    if let Some(first) = start {
        let end = (first..chars.len())
            .rev()
            .find(|x| !chars[*x].1.is_whitespace())
            .map_or(first + 1, |x| x + 1);
        push(first, end, &mut cells);
    }
    cells
}

/// Tells if two blanks stand after a sentence, as typists write it: "It fires.  On a 2 it jams."
fn is_sentence_end(chars: &[(usize, char)], first: usize, at: usize) -> bool {
    let before = &chars[first..at.saturating_sub(1)];
    let stop = before.last().is_some_and(|(_, c)| matches!(c, '.' | '!' | '?'));
    let letters =
        before.iter().rev().skip(1).take(3).take_while(|(_, c)| c.is_alphabetic()).count();
    let next = chars.get(at + 1).is_some_and(|(_, c)| c.is_uppercase());
    stop && letters >= 3 && next
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn cells(line: &str) -> Vec<String> {
        split_cells(line).into_iter().map(|cell| cell.2).collect()
    }

    #[test]
    fn cells_are_parted_by_two_blanks_or_leaders() {
        assert_eq!(
            cells("  0 or less   No effect  Fall-back"),
            ["0 or less", "No effect", "Fall-back"]
        );
        assert_eq!(cells("Uphill ........ +1"), ["Uphill", "+1"]);
        assert_eq!(cells("adds the following..."), ["adds the following..."]);
        assert_eq!(cells("1 | Miss | -"), ["1", "Miss", "-"]);
    }

    #[test]
    fn a_lost_gap_is_found_by_the_row_above() {
        let text = "9 to 11    Graze        Miss\n12 or more Wound        Graze\n13         Dead, buried Wound\n";
        let cells: Vec<Vec<String>> = rows(text)
            .iter()
            .map(|row| row.cells.iter().map(|cell| cell.text.clone()).collect())
            .collect();
        assert_eq!(cells[1], ["12 or more", "Wound", "Graze"]);
        assert_eq!(cells[2], ["13", "Dead, buried", "Wound"]);
    }

    #[test]
    fn charts_side_by_side_are_cut() {
        let text = "MORALE            RANGE\n1-2   Rout        +1  Close\n3-5   Shaken      -1  Long\n6     Stand       -2  Smoke\n";
        let texts: Vec<String> = rows(text).iter().map(|row| row.text()).collect();
        assert_eq!(
            texts,
            [
                "MORALE",
                "1-2 Rout",
                "3-5 Shaken",
                "6 Stand",
                "RANGE",
                "+1 Close",
                "-1 Long",
                "-2 Smoke"
            ]
        );
    }

    #[test]
    fn the_columns_of_one_table_stay_together() {
        let text = "        Road  Open  Wood\nFoot    8     6     4\nHorse   12    10    4\nGuns    8     4     0\n";
        assert_eq!(rows(text).iter().map(|row| row.cells.len()).collect::<Vec<_>>(), [3, 4, 4, 4]);
    }
}
