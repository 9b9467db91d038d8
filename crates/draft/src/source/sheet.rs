//! Spreadsheets: CSV and TSV, with quotes. A sheet is cut into tables at empty rows and columns.

use super::{COLUMN, RowCell, SheetRow, cell_text};

/// The most columns that are read.
const WIDEST: usize = 200;

pub(crate) fn looks_like_one(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(200).collect();
    if lines.len() < 2 {
        return false;
    }
    for mark in ['\t', ';', ','] {
        let with = lines.iter().filter(|line| line.contains(mark)).count();
        let all = text.matches(mark).count();
        // In sentences, a comma is followed by a blank.
        let spaced = text.matches(&format!("{mark} ")).count();
        let least = if mark == '\t' { 8 } else { 6 };
        if with * 10 >= lines.len() * least && with >= 2 && spaced * 5 < all * 2 {
            return true;
        }
    }
    false
}

fn delimiter(text: &str) -> char {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(200).collect();
    let score = |mark: char| lines.iter().filter(|line| line.contains(mark)).count();
    let tabs = score('\t');
    if tabs * 3 >= lines.len() {
        return '\t';
    }
    if score(';') > score(',') { ';' } else { ',' }
}

/// One record: its cells with their bytes, and its line.
pub(crate) type Record = (u32, Vec<(String, std::ops::Range<usize>)>);

fn records(text: &str, mark: char) -> Vec<Record> {
    let mut records = Vec::new();
    let mut cells = Vec::new();
    let (mut cell, mut start) = (String::new(), 0);
    let (mut line, mut first, mut quoted) = (1, 1, false);
    // The cell so far is blank.
    let mut blank = true;
    let end_cell = |cell: &mut String,
                    start: usize,
                    end: usize,
                    cells: &mut Vec<(String, std::ops::Range<usize>)>| {
        if cells.len() < WIDEST {
            cells.push((std::mem::take(cell), start..end));
        } else {
            cell.clear();
        }
    };
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' if quoted && chars.peek().is_some_and(|(_, next)| *next == '"') => {
                chars.next();
                cell.push('"');
                blank = false;
            }
            '"' if quoted => quoted = false,
            '"' if blank && closes(&text[at + 1..], mark) => {
                quoted = true;
                cell.clear();
            }
            '\n' => {
                line += 1;
                if quoted {
                    cell.push(' ');
                    continue;
                }
                end_cell(&mut cell, start, at, &mut cells);
                records.push((first, std::mem::take(&mut cells)));
                (first, start, blank) = (line, at + 1, true);
            }
            c if c == mark && !quoted => {
                end_cell(&mut cell, start, at, &mut cells);
                (start, blank) = (at + 1, true);
            }
            c => {
                cell.push(c);
                blank &= c.is_whitespace();
            }
        }
    }
    if !cell.is_empty() || !cells.is_empty() {
        end_cell(&mut cell, start, text.len(), &mut cells);
        records.push((first, cells));
    }
    records
}

/// Tells if a quote that opens here is closed before a mark or the end of a line, so that a stray
/// inch mark does not swallow the sheet.
fn closes(rest: &str, mark: char) -> bool {
    let mut chars = rest.chars().take(5000).peekable();
    while let Some(c) = chars.next() {
        if c == '"' {
            match chars.peek() {
                None | Some('\n' | '\r') => return true,
                Some('"') => drop(chars.next()),
                Some(next) if *next == mark => return true,
                Some(_) => return false,
            }
        }
    }
    false
}

pub(crate) fn rows(text: &str) -> Vec<SheetRow> {
    let mark = delimiter(text);
    let records: Vec<Record> = records(text, mark)
        .into_iter()
        .map(|(line, cells)| {
            (line, cells.into_iter().map(|(text, at)| (cell_text(&text), at)).collect())
        })
        .collect();
    let mut rows = Vec::new();
    let (mut strip, mut table) = (0, 0);
    let mut block: Vec<&Record> = Vec::new();
    for record in records.iter().chain([&(0, Vec::new())]) {
        if record.1.iter().any(|(text, _)| !text.is_empty()) {
            block.push(record);
            continue;
        }
        cut(&block, &mut strip, &mut table, &mut rows);
        block.clear();
    }
    rows
}

/// Cuts a block of records at its empty columns.
pub(crate) fn cut(block: &[&Record], strip: &mut u32, table: &mut u32, found: &mut Vec<SheetRow>) {
    let width = block.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    let used = |column: usize| {
        block.iter().any(|(_, cells)| cells.get(column).is_some_and(|cell| !cell.0.is_empty()))
    };
    let mut column = 0;
    let mut parts = Vec::new();
    while column < width {
        if !used(column) {
            column += 1;
            continue;
        }
        let from = column;
        while column < width && used(column) {
            column += 1;
        }
        for (from, to) in titled(block, from, column) {
            parts.extend(repeated(block, from, to));
        }
    }
    // The first column of a table may be blank in all rows but is still its head: not cut there.
    for columns in joined(block, &parts) {
        *table += 1;
        *strip += 1;
        let mut first = true;
        for (line, cells) in block {
            let part: Vec<RowCell> = columns
                .iter()
                .enumerate()
                .filter_map(|(column, place)| Some((column, cells.get(*place)?)))
                .map(|(column, cell)| RowCell {
                    text: cell.0.clone(),
                    at: cell.1.clone(),
                    x: (column * COLUMN, column * COLUMN + 1),
                })
                .collect();
            if part.iter().all(|cell| cell.text.is_empty()) {
                continue;
            }
            let row = SheetRow {
                cells: part,
                line: *line,
                gap: first,
                strip: *strip,
                table: Some(*table),
                ..SheetRow::default()
            };
            found.push(row);
            first = false;
        }
    }
}

/// The columns of each table. Columns of figures without heads of their own rows, right of an empty
/// column, belong to the table at their left.
fn joined(block: &[&Record], parts: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let text =
        |row: usize, column: usize| block[row].1.get(column).map_or("", |cell| cell.0.as_str());
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (from, to) in parts {
        let columns: Vec<usize> = (*from..*to).collect();
        let rows: Vec<usize> = (0..block.len())
            .filter(|row| columns.iter().any(|column| !text(*row, *column).is_empty()))
            .collect();
        let bare = |row: &usize| {
            columns.iter().all(|column| {
                let cell = text(*row, *column);
                cell.chars().count() <= 4 && !cell.chars().any(|c| c.is_lowercase())
            })
        };
        let words = |row: usize| {
            columns.iter().all(|column| text(row, *column).chars().any(char::is_alphabetic))
        };
        let beside = groups.last().is_some_and(|left| {
            left.len() >= 2
                && rows.iter().all(|row| {
                    left.iter().filter(|column| !text(*row, **column).is_empty()).count() >= 2
                })
        });
        let same = rows.len() >= 3
            && words(rows[0])
            && rows[1..].iter().all(bare)
            && rows.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        match groups.last_mut() {
            Some(left) if beside && same && !crate::score_head(text(rows[0], *from)) => {
                left.extend(columns);
            }
            _ => groups.push(columns),
        }
    }
    groups
}

/// Parts columns where each of two charts without a column between has a title, and below the titles
/// a line that says what is rolled: "Damage, , Boarding" above "Roll 1D10, , Each side rolls 1D6".
fn titled(block: &[&Record], from: usize, to: usize) -> Vec<(usize, usize)> {
    let cell = |row: usize, column: usize| {
        let cells = block.get(row).map_or(&[][..], |(_, cells)| cells.as_slice());
        cells.get(column).map_or("", |cell| cell.0.as_str())
    };
    let filled = |row: usize| (from..to).filter(move |at| !cell(row, *at).is_empty());
    let titles: Vec<usize> = filled(0).collect();
    let named = |at: &usize| cell(0, *at).chars().filter(|c| c.is_alphabetic()).count() >= 3;
    let rolls = |at: usize| crate::dice::roll_line(cell(1, at)).is_some();
    let apart = titles.len() >= 2
        && titles[0] == from
        && titles.windows(2).all(|pair| pair[1] > pair[0] + 1)
        && titles.last().is_some_and(|last| last + 1 < to)
        && titles.iter().all(named)
        && filled(1).all(|at| titles.contains(&at))
        && filled(1).any(rolls)
        && filled(2).count() == to - from;
    if !apart {
        return vec![(from, to)];
    }
    let ends = titles.iter().skip(1).copied().chain([to]);
    titles.iter().copied().zip(ends).collect()
}

/// Parts columns at a heading of scores that stands there again: two tables without a column between.
fn repeated(block: &[&Record], from: usize, to: usize) -> Vec<(usize, usize)> {
    let cell = |cells: &[(String, std::ops::Range<usize>)], column: usize| {
        cells.get(column).map(|cell| cell.0.to_lowercase()).filter(|text| !text.is_empty())
    };
    for (_, cells) in block.iter().take(3) {
        let Some(head) = cell(cells, from).filter(|text| crate::score_head(text)) else { continue };
        let again =
            (from + 2..to).find(|column| cell(cells, *column).as_deref() == Some(head.as_str()));
        if let Some(again) = again.filter(|again| again + 1 < to) {
            let mut parts = vec![(from, again)];
            parts.extend(repeated(block, again, to));
            return parts;
        }
    }
    vec![(from, to)]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn quotes_and_a_second_table_to_the_right() {
        let text = "Roll,Result,,Mod,Why\n1-2,\"Miss,\nagain\",,+1,Close\n3+,Hit,,-1,Smoke\n";
        let read: Vec<(u32, String)> =
            rows(text).iter().map(|row| (row.line, row.text())).collect();
        let read: Vec<(u32, &str)> =
            read.iter().map(|(line, text)| (*line, text.as_str())).collect();
        assert_eq!(
            read,
            [
                (1, "Roll Result"),
                (2, "1-2 Miss, again"),
                (4, "3+ Hit"),
                (1, "Mod Why"),
                (2, "+1 Close"),
                (4, "-1 Smoke")
            ]
        );
        let text = "Supply,,Air,\n2d6,Trucks,2d6,Planes\n2-4,None,2-5,None\n5+,Full,6+,One\n";
        let read: Vec<String> = rows(text).iter().map(|row| row.text()).collect();
        assert_eq!(
            read,
            [
                "Supply",
                "2d6 Trucks",
                "2-4 None",
                "5+ Full",
                "Air",
                "2d6 Planes",
                "2-5 None",
                "6+ One"
            ]
        );
        assert!(looks_like_one("a;b;c\n1;2;3\n"));
        assert!(!looks_like_one("Roll a die, then add.\nOn a 6, it runs.\n"));
    }
}
