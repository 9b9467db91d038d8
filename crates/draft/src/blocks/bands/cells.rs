//! The texts of a table: one beside each band, or several under headings.

use super::super::columns::Columns;
use super::super::extend;
use super::{BandLine, Guesses};
use crate::band;
use crate::model::{BandRow, BandTable, GuessKind, PrintedCell};
use crate::source::{RowCell, SheetRow};
use crate::token::rest;

/// Headings of columns that explain the result instead of standing beside it.
const EXPLAINS: [&str; 14] = [
    "effect",
    "effects",
    "description",
    "notes",
    "note",
    "meaning",
    "explanation",
    "comment",
    "comments",
    "remarks",
    "details",
    "what happens",
    "what it means",
    "in detail",
];

/// A table whose bands and words share a cell.
pub(crate) fn single(body: &[BandLine], rows: &[SheetRow], heads: usize) -> BandTable {
    let lines = body.iter().map(|line| {
        let row = &rows[line.rows.start];
        let first = row.filled()[0].clone();
        let mut words =
            PrintedCell { text: rest(&first.text, line.words.unwrap_or(0)), at: first.at.clone() };
        for more in &rows[line.rows.start + 1..line.rows.end] {
            for each in more.filled() {
                extend(&mut words, each);
            }
        }
        let kept = words.text.trim_end_matches([',', ';']).len();
        words.text.truncate(kept);
        BandRow {
            band: line.band,
            cells: vec![words],
            line: row.line,
            guessed: line.guessed,
            when: line.when.clone(),
        }
    });
    let score = rows[..heads].iter().map(SheetRow::text).collect::<Vec<_>>().join(" ");
    BandTable { score, columns: vec![String::new()], rows: lines.collect(), ..BandTable::default() }
}

/// Marks rows whose text may be several cells: "Push Push Break" is hardly one result.
pub(crate) fn doubt_columns(mut table: BandTable, guesses: &mut Guesses) -> BandTable {
    let twice = |row: &BandRow| {
        let words: Vec<&str> = row.cells[0].text.split(' ').collect();
        words.windows(2).any(|pair| pair[0] == pair[1] && pair[0].starts_with(char::is_uppercase))
    };
    if table.rows.iter().any(twice) {
        for row in &mut table.rows {
            row.guessed = true;
            let cell = &row.cells[0];
            guesses.push((GuessKind::Joined, row.line, cell.at.clone(), cell.text.clone()));
        }
    }
    table
}

/// A table with cells.
pub(crate) fn several(
    body: &[BandLine],
    rows: &[SheetRow],
    heads: usize,
    used: &[&SheetRow],
    guesses: &mut Guesses,
) -> Option<BandTable> {
    let mut widths: Vec<&SheetRow> = used.to_vec();
    if used.iter().all(|row| row.table.is_some()) {
        widths.extend(rows[..heads].iter());
    }
    let columns = Columns::of(&widths);
    let mut titles = vec![PrintedCell::default(); columns.count()];
    let mut across: Vec<String> = Vec::new();
    for (place, row) in rows[..heads].iter().enumerate() {
        // One heading over several columns names them all.
        let filled = row.filled();
        // "Suffered" above "damage": the beginning of one heading.
        let begins = |cell: &RowCell| {
            let goes_on = |below: &&&RowCell| {
                below.x.0.abs_diff(cell.x.0) <= 1 && below.text.starts_with(char::is_lowercase)
            };
            rows[place + 1..heads]
                .first()
                .is_some_and(|next| next.filled().iter().any(|c| goes_on(&c)))
        };
        if filled.len() == 1
            && heads > 1
            && !begins(filled[0])
            && filled[0].x.0 >= columns.start(1).min(filled[0].x.0 + 1)
        {
            across.push(filled[0].text.clone());
            continue;
        }
        // The same heading over all columns but the first, as `colspan` makes it.
        let over: Vec<&str> = row.cells.iter().skip(1).map(|cell| cell.text.as_str()).collect();
        let mut own = row.unread_copy();
        if row.table.is_some()
            && place + 1 < heads
            && over.len() >= 2
            && !over[0].is_empty()
            && over.iter().all(|text| *text == over[0])
        {
            across.push(over[0].to_owned());
            own.cells.truncate(1);
        }
        // "Odds (attacker : defender)" above several columns says what they are.
        if row.table.is_none() && place + 1 < heads {
            let wide = |cell: &RowCell| {
                let over = (1..columns.count())
                    .filter(|at| (cell.x.0..cell.x.1).contains(&columns.start(*at)))
                    .count();
                over >= 2
            };
            across.extend(own.cells.iter().filter(|cell| wide(cell)).map(|cell| cell.text.clone()));
            own.cells.retain(|cell| !wide(cell));
        }
        for (title, more) in titles.iter_mut().zip(columns.heads(&own)) {
            if !more.text.is_empty() && more.text != title.text {
                extend(title, &RowCell { text: more.text, at: more.at, x: (0, 0) });
            }
        }
    }
    let mut made: Vec<BandRow> = Vec::new();
    for line in body {
        let row = &rows[line.rows.start];
        let mut cells = columns.place(row);
        if let (Some(from), 1, true) = (line.words, row.filled().len(), cells.len() >= 2) {
            // The gap between the columns is lost in this row.
            let only = row.filled()[0];
            cells[1] = PrintedCell { text: rest(&only.text, from), at: only.at.clone() };
        }
        let mut when = line.when.clone();
        for more in &rows[line.rows.start + 1..line.rows.end] {
            for each in more.filled() {
                if let Some(when) = when.as_mut().filter(|_| columns.of_cell(each) == 0) {
                    when.push(' ');
                    when.push_str(&each.text);
                    continue;
                }
                let unit = super::is_unit(&each.text) && each.x.0.abs_diff(columns.start(0)) <= 1;
                let each = &if unit { without_first_word(each) } else { each.clone() };
                let column = columns.of_cell(each).max(1).min(cells.len().saturating_sub(1));
                extend(&mut cells[column], each);
            }
        }
        if cells.len() < 2 {
            return None;
        }
        cells.remove(0);
        let (band, guessed) = (line.band, line.guessed);
        made.push(BandRow { band, cells, line: row.line, guessed, when });
    }
    // "1   - horses stampede": the dash only parts the score from its text.
    let dashed = |row: &BandRow| row.cells.first().is_some_and(|c| c.text.starts_with(['-', '–']));
    if made.iter().all(|row| dashed(row) && row.cells[0].text.len() > 2) {
        for row in &mut made {
            row.cells[0].text = row.cells[0].text.trim_start_matches(['-', '–', ' ']).to_owned();
        }
    }
    let mut heads: Vec<String> = titles
        .iter()
        .map(|title| title.text.trim_end_matches(['.', '…', ':']).to_owned())
        .collect();
    let score = heads.remove(0);
    drop_repeated(&mut heads, &mut made);
    explained(&mut heads, &mut made, guesses);
    blanks(&mut made, &heads, guesses);
    Some(BandTable {
        score,
        columns: heads,
        across: across.join(" "),
        rows: made,
        ..BandTable::default()
    })
}

/// A cell without its first word: "down" of "passed down".
fn without_first_word(cell: &RowCell) -> RowCell {
    let (first, rest) = cell.text.split_once(' ').unwrap_or((&cell.text, ""));
    let cut = (first.len() + 1).min(cell.text.len());
    RowCell {
        text: rest.to_owned(),
        at: (cell.at.start + cut).min(cell.at.end)..cell.at.end,
        x: ((cell.x.0 + first.chars().count() + 1).min(cell.x.1), cell.x.1),
    }
}

/// A last column that repeats the bands, as at the right edge of a wide table.
fn drop_repeated(heads: &mut Vec<String>, rows: &mut [BandRow]) {
    if heads.len() < 2 {
        return;
    }
    let last = heads.len() - 1;
    if rows.iter().all(|row| band::whole(&row.cells[last].text) == Some(row.band)) {
        heads.pop();
        for row in rows {
            row.cells.pop();
        }
    }
}

/// Joins columns that explain the result with it. Without headings, the first column is the result.
fn explained(heads: &mut Vec<String>, rows: &mut [BandRow], guesses: &mut Guesses) {
    let nameless = heads.iter().all(String::is_empty);
    if nameless && heads.len() > 1 {
        for row in rows
            .iter_mut()
            .filter(|row| row.cells.iter().filter(|c| !c.text.is_empty()).count() > 1)
        {
            row.guessed = true;
            guesses.push((
                GuessKind::Joined,
                row.line,
                row.cells[0].at.clone(),
                row.cells[0].text.clone(),
            ));
        }
    }
    let mut column = heads.len();
    while column > 1 {
        column -= 1;
        let explains = EXPLAINS.contains(&heads[column].to_lowercase().as_str());
        if !explains && !nameless && !heads[column].is_empty() {
            continue;
        }
        if !nameless
            && heads[column].is_empty()
            && rows.iter().any(|row| !row.cells[column].text.is_empty())
            && !explains
        {
            continue;
        }
        heads.remove(column);
        for row in rows.iter_mut() {
            let more = row.cells.remove(column);
            let into = &mut row.cells[column - 1];
            if !more.text.is_empty() {
                into.text = if into.text.is_empty() {
                    more.text
                } else {
                    format!("{}: {}", into.text.trim_end_matches(['.', ':']), more.text)
                };
                into.at.end = into.at.end.max(more.at.end);
            }
        }
    }
}

/// A row with one text in several columns is one merged cell. Other blanks have no result.
fn blanks(rows: &mut [BandRow], heads: &[String], guesses: &mut Guesses) {
    if heads.len() < 2 {
        return;
    }
    for row in rows.iter_mut() {
        let filled: Vec<PrintedCell> =
            row.cells.iter().filter(|c| !c.text.is_empty()).cloned().collect();
        let [only] = filled.as_slice() else {
            for cell in row.cells.iter().filter(|c| c.text.is_empty()) {
                guesses.push((GuessKind::Blank, row.line, cell.at.clone(), String::new()));
            }
            continue;
        };
        guesses.push((
            GuessKind::Merged { read: only.text.clone() },
            row.line,
            only.at.clone(),
            only.text.clone(),
        ));
        row.guessed = true;
        for cell in &mut row.cells {
            *cell = only.clone();
        }
    }
}

/// Ranges that share an end: it belongs to the nearer one.
pub(crate) fn shared_ends(table: &mut BandTable, guesses: &mut Guesses) {
    for place in 1..table.rows.len() {
        let (before, after) = table.rows.split_at_mut(place);
        let (Some(low), Some(high)) = (before.last(), after.first_mut()) else { continue };
        if let (Some((to, true)), Some((from, true))) = (low.band.to, high.band.from)
            && to == from
            && !low.band.natural
            && !high.band.natural
            && low.when.is_none()
        {
            high.band.from = Some((from, false));
            high.guessed = true;
            let at = high.cells.first().map(|c| c.at.clone()).unwrap_or_default();
            guesses.push((GuessKind::SharedEnd, high.line, at, from.to_string()));
        }
    }
}
