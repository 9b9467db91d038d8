//! Tables from bands of scores to results, with one column or several.

use super::columns::Columns;
use super::{Context, Pieces, Taken, extend};
use crate::band::{self, Band};
use crate::dice;
use crate::model::{BandRow, BandTable, Cell, Content, GuessKind};
use crate::num::Num;
use crate::source::{Row, RowCell};
use crate::token::{Token, rest, tokens};
use std::ops::Range;

type Guesses = Vec<(GuessKind, u32, Range<usize>, String)>;

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

pub(crate) fn read(rows: &[Row], context: &Context, found: &mut Pieces) -> Option<Taken> {
    let heads = heads(rows)?;
    let mut guesses = Guesses::new();
    let body = body(rows, heads, &mut guesses)?;
    let bands: Vec<Band> = body.iter().map(|line| line.band).collect();
    if !plausible(&body, rows, heads, context) {
        return None;
    }
    let taken = body.last().map(|line| line.rows.end)?;
    let used: Vec<&Row> = body.iter().map(|line| &rows[line.rows.start]).collect();
    let mut table = if used.iter().all(|row| row.filled().len() <= 1) {
        single(&body, rows, heads)
    } else {
        several(&body, rows, heads, &used, &mut guesses)?
    };
    if bands.len() > 1 && descends(&bands) {
        table.rows.reverse();
    }
    // "ODDS   1-1  2-1" above "DIE 1   AE  AR": the heading names the columns, the row the score.
    if let Some((word, _)) = used.iter().find_map(|row| score_word(&row.filled().first()?.text)) {
        table.score = word;
    }
    shared_ends(&mut table, &mut guesses);
    for (kind, line, at, printed) in guesses {
        found.guess(kind, line, at, &printed);
    }
    Some((Content::Bands(table), taken))
}

/// One row of the table in the source.
struct Line {
    band: Band,
    /// Where the words start in the first cell, if band and words share it.
    words: Option<usize>,
    rows: Range<usize>,
    guessed: bool,
    numbered: bool,
}

/// How many rows of headings stand before the first band.
fn heads(rows: &[Row]) -> Option<usize> {
    let limit = rows.len().min(4);
    let genuine = |place: usize| of_row(&rows[place]).is_some();
    let spoilt = |place: usize| {
        let end = (place..rows.len())
            .find(|at| mended(&rows[*at]).is_none() || genuine(*at))
            .unwrap_or(rows.len());
        end > place && end < rows.len() && genuine(end)
    };
    let first = (0..limit).find(|place| genuine(*place) || spoilt(*place))?;
    for (place, row) in rows[..first].iter().enumerate() {
        let cells = row.filled();
        let named = score_head(&cells.first().map(|c| c.text.clone()).unwrap_or_default());
        let short = cells.iter().all(|c| {
            c.text.split_whitespace().count() <= 8 && !c.text.ends_with('.')
                || c.text.ends_with("...")
        });
        let several = cells.len() >= 2 || row.table.is_some();
        // What is rolled and what is added stands before a table, but is not its head.
        let listed = crate::amount::leading(&row.text()).is_some()
            || cells.iter().any(|c| crate::amount::whole(&c.text).is_some());
        if listed || (dice::roll_line(&row.text()).is_some() && cells.len() == 1) {
            return None;
        }
        // A title above the first row of a spreadsheet.
        if row.table.is_some()
            && cells.len() == 1
            && place + 1 < first
            && rows[place + 1].filled().len() >= 2
            && !rows[place + 1].cells[0].text.is_empty()
            && !named
        {
            return None;
        }
        // A title stands apart from the table.
        if !several && rows[place + 1].gap {
            return None;
        }
        // "By how much" above "the loser lost   Attacker   Defender"
        let two_lines = !several
            && place + 1 < first
            && rows[place + 1].filled().len() >= 2
            && cells[0].text.split_whitespace().count() <= 6;
        if row.head
            || !short
            || (!several && !named && !two_lines)
            || (place > 0 && row.gap)
            || (several && row.table.is_some() && row.table != rows[first].table)
        {
            return None;
        }
        // A row with the same cells as the rows below it is one of them, with a label that was not
        // understood.
        let below = rows[first..].iter().take(8).flat_map(Row::filled);
        let below: Vec<&str> = below.map(|cell| cell.text.as_str()).collect();
        let same = cells.iter().skip(1).filter(|cell| below.contains(&cell.text.as_str())).count();
        if place > 0 && same >= 2 {
            return None;
        }
        // A title in the table's own row is not a head.
        if row.table.is_some() && cells.len() == 1 && !named && first - place > 1 {
            return None;
        }
    }
    Some(first)
}

/// Whether a heading says that the column holds scores.
pub(crate) fn score_head(text: &str) -> bool {
    let lower = text.to_lowercase();
    let found = tokens(text);
    if dice::find(&found).is_some_and(|(dice, _, _)| dice.named) && found.len() <= 8 {
        return true;
    }
    let words = [
        "roll",
        "die",
        "dice",
        "score",
        "total",
        "result",
        "by how much",
        "lose by",
        "win by",
        "beaten by",
        "difference",
        "passed",
        "successes",
        "#",
        "d6",
        "margin",
        "number",
        "dr",
        "points",
    ];
    words.iter().any(|word| {
        lower.split(|c: char| !c.is_alphanumeric() && c != '#').any(|part| part == *word)
            || (word.contains(' ') && lower.contains(word))
    }) && found.len() <= 8
}

/// The band of a row, and where the words start if they share its first cell.
fn of_row(row: &Row) -> Option<(Band, Option<usize>, bool)> {
    let filled = row.filled();
    let first = *filled.first()?;
    // "9 or more → Damage" says what follows a row.
    if row.text().contains('→') {
        return None;
    }
    if row.table.is_some()
        && row.cells.first().is_some_and(|c| c.text.is_empty())
        && row.cells.len() > 1
    {
        return None;
    }
    if filled.len() > 1 {
        let cell = first.text.as_str();
        // A label before its band in brackets: "A tie (0 or less)".
        let band = band::whole(cell)
            .or_else(|| passes(cell))
            .or_else(|| score_word(cell).map(|(_, band)| band))
            .or_else(|| bracketed(cell).filter(|b| !b.is_single()))?;
        return Some((band, None, false));
    }
    let found = tokens(&first.text);
    let at = band::prefix(&found)?;
    let next = found.get(at.next)?;
    let letters = found[at.next..].iter().any(|t| t.word().is_some());
    let unit = next.is_any(&[
        "d", "st", "nd", "rd", "th", "x", "cm", "mm", "inches", "inch", "points", "turns", "hexes",
        "figures", "or", "and", "in", "of", "to", "per", "phase",
    ]);
    let glued = next.start == found[at.next - 1].end && next.word().is_some();
    if !letters || unit || glued || next.sign('/') || next.sign('(') && found.len() < at.next + 3 {
        return None;
    }
    let numbered = next.sign('.') || next.sign(')');
    Some((at.band, Some(found[at.next - 1].end), numbered))
}

/// A band after the word for the score: "DIE 1", "Roll 2-3".
fn score_word(cell: &str) -> Option<(String, Band)> {
    let (word, rest) = cell.trim().split_once(' ')?;
    let word = word.trim_end_matches(':');
    let known = ["die", "dice", "roll", "score", "total", "dr"];
    let band =
        known.contains(&word.to_lowercase().as_str()).then(|| band::whole(rest.trim()))??;
    Some((word.to_owned(), band))
}

/// A band in brackets after a label: "A tie (0 or less)".
fn bracketed(cell: &str) -> Option<Band> {
    let open = cell.strip_suffix(')')?.rfind('(').filter(|at| *at > 0)?;
    band::whole(&cell[open + 1..cell.len() - 1])
}

/// One score in brackets, between rows with bands in brackets: "Both the same (0)".
fn single_bracketed(row: &Row, last: Option<&Row>) -> Option<Band> {
    let filled = row.filled();
    let above = last?.filled();
    let known = |cells: &[&RowCell]| cells.first().and_then(|c| bracketed(&c.text));
    known(&above)?;
    (filled.len() > 1).then(|| known(&filled)).flatten()
}

/// "Pass 2D6", "2 passed"
fn passes(text: &str) -> Option<Band> {
    let found = tokens(text);
    let first = found.first()?;
    if first.is_any(&["pass", "passed", "passes"]) {
        let n = found.get(1)?.num()?;
        let rest: &[Token] = &found[2..];
        return (rest.is_empty() || rest[0].is("d")).then_some(Band::exactly(n));
    }
    None
}

fn body(rows: &[Row], first: usize, guesses: &mut Guesses) -> Option<Vec<Line>> {
    let mut lines: Vec<Line> = Vec::new();
    let mut way: Option<bool> = None;
    let mut place = first;
    while let Some(row) = rows.get(place) {
        if row.head || row.furniture || (place > first && row.table != rows[first].table) {
            break;
        }
        let read = of_row(row)
            .map(|(band, words, numbered)| (band, words, numbered, None))
            .or_else(|| {
                single_bracketed(row, lines.last().map(|line| &rows[line.rows.start]))
                    .map(|band| (band, None, false, None))
            })
            .or_else(|| mended(row));
        if let Some((band, words, numbered, mended)) = read {
            let Some(up) = follows(lines.last().map(|line| line.band), band, way) else { break };
            way = up.or(way);
            if let Some(kind) = mended {
                guesses.push((kind, row.line, row.at(), row.text()));
            }
            lines.push(Line {
                band,
                words,
                rows: place..place + 1,
                guessed: mended_flag(guesses, row),
                numbered,
            });
        } else if goes_on(rows, place, first, lines.last()) {
            if let Some(last) = lines.last_mut() {
                last.rows.end = place + 1;
            }
        } else {
            break;
        }
        place += 1;
    }
    (!lines.is_empty()).then_some(lines)
}

fn mended_flag(guesses: &Guesses, row: &Row) -> bool {
    guesses.last().is_some_and(|(_, line, at, _)| *line == row.line && *at == row.at())
}

/// A row whose band OCR or a spreadsheet spoilt.
#[allow(clippy::type_complexity)]
fn mended(row: &Row) -> Option<(Band, Option<usize>, bool, Option<GuessKind>)> {
    let filled = row.filled();
    let first = *filled.first()?;
    if filled.len() < 2 {
        // Band and words share the cell: only its first word is mended.
        let read = band::repaired(first.text.split(' ').next()?)?;
        let (_, words) = first.text.split_once(' ')?;
        let mut changed = row.clone();
        let cell = changed.cells.iter_mut().find(|c| c.at == first.at)?;
        cell.text = format!("{read} {words}");
        let (band, _, numbered) = of_row(&changed)?;
        let from = tokens(&cell_text(&changed))
            .get(band::prefix(&tokens(&cell_text(&changed)))?.next - 1)?
            .end;
        return Some((band, Some(from), numbered, Some(GuessKind::Repaired { read })));
    }
    if let Some(band) = date(&first.text) {
        let read = format!("{}-{}", band.low()?, band.high()?);
        return Some((band, None, false, Some(GuessKind::Date { read })));
    }
    let read = band::repaired(&first.text)?;
    let band = band::whole(&read)?;
    Some((band, None, false, Some(GuessKind::Repaired { read })))
}

fn cell_text(row: &Row) -> String {
    row.filled().first().map(|c| c.text.clone()).unwrap_or_default()
}

/// A band that a spreadsheet took for a date: `4-Feb`, `02-Apr`, `Feb-4`.
pub(crate) fn date(text: &str) -> Option<Band> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let found = tokens(text);
    let [first, dash, second] = found.as_slice() else { return None };
    (dash.sign('-') || dash.sign('/') || dash.sign('.')).then_some(())?;
    let month = |t: &Token| MONTHS.iter().position(|m| t.is(m)).map(|m| m as i32 + 1);
    let day = |t: &Token| t.num().and_then(Num::as_whole).filter(|n| (1..=31).contains(n));
    let (a, b) = match (month(first), month(second)) {
        (Some(m), None) => (m, day(second)?),
        (None, Some(m)) => (day(first)?, m),
        _ => return None,
    };
    Some(Band::between(Num::whole(a.min(b)), Num::whole(a.max(b))))
}

/// Whether a band may follow another, and which way the table goes if that is now known.
#[allow(clippy::option_option)]
fn follows(last: Option<Band>, band: Band, way: Option<bool>) -> Option<Option<bool>> {
    let Some(last) = last else { return Some(None) };
    if band.natural || last.natural {
        return Some(None);
    }
    let touch = |low: &Band, high: &Band| match (low.to, high.from) {
        // Ranges that share an end: 0-6, 6-12.
        (Some((to, true)), Some((from, true))) => {
            to == from && !low.is_single() && !high.is_single()
        }
        _ => false,
    };
    let up = last.is_before(&band) || touch(&last, &band);
    let down = band.is_before(&last) || touch(&band, &last);
    match (up, down, way) {
        (true, _, None | Some(true)) => Some(Some(true)),
        (_, true, None | Some(false)) => Some(Some(false)),
        _ => None,
    }
}

fn descends(bands: &[Band]) -> bool {
    bands.windows(2).any(|pair| pair[1].is_before(&pair[0]))
}

/// Whether a row without a band goes on with the cells above it.
fn goes_on(rows: &[Row], place: usize, first: usize, last: Option<&Line>) -> bool {
    let (Some(last), row) = (last, &rows[place]) else { return false };
    if place != last.rows.end || row.bullet {
        return false;
    }
    let above = &rows[last.rows.start];
    if row.table.is_some() {
        return row.cells.first().is_some_and(|c| c.text.is_empty()) && !row.gap;
    }
    let Some(cell) = row.cells.first() else { return false };
    let start = cell.x.0;
    let (band, words) = (above.cells[0].x, above.cells.get(1).map(|c| c.x));
    let lower = cell.text.chars().next().is_some_and(|c| c.is_lowercase() || c == '(');
    match words {
        Some(words) => {
            let indented =
                start > band.0 + 1
                    && (start + 2 >= words.0
                        || above.cells.iter().skip(1).any(|c| {
                            start.abs_diff(c.x.0) <= 2 || (start > c.x.0 && start < c.x.1)
                        }));
            // The band itself may be wrapped: "Below the kill\nnumber".
            indented && (!row.gap || lower || rows[first].strip > 0 && row.cells.len() > 1)
        }
        None => !row.gap && (lower || start > band.0 + 2),
    }
}

/// Whether this is a table and not a numbered list or some figures.
fn plausible(body: &[Line], rows: &[Row], heads: usize, context: &Context) -> bool {
    if body.iter().filter(|line| !line.guessed).count() < 2 && !context.forced {
        return false;
    }
    if body.iter().all(|line| line.band.natural) && body.len() < 2 {
        return false;
    }
    let headed = heads > 0
        && rows[..heads]
            .iter()
            .any(|row| row.filled().first().is_some_and(|c| score_head(&c.text)));
    let single = body.iter().all(|line| line.band.is_single());
    let together = body.iter().all(|line| line.words.is_some());
    if single
        && body.iter().all(|line| line.numbered)
        && !context.rolled
        && !headed
        && !context.forced
    {
        return false;
    }
    if single && together && !context.rolled && !headed && !context.forced {
        return false;
    }
    // Signed figures are modifiers, not scores.
    let signed = |row: &Row| {
        row.filled().first().is_some_and(|c| {
            if row.filled().len() > 1 {
                crate::amount::whole(&c.text).is_some()
            } else {
                crate::amount::leading(&c.text).is_some()
            }
        })
    };
    if body.iter().all(|line| signed(&rows[line.rows.start])) && !context.forced {
        return false;
    }
    // Headings that look like a band.
    let head_word = |row: &Row| {
        row.filled().iter().skip(1).any(|c| {
            ["result", "results", "effect", "effects"].contains(&c.text.to_lowercase().as_str())
        })
    };
    if body.iter().any(|line| head_word(&rows[line.rows.start])) {
        return false;
    }
    // A numbered list of modifiers.
    if single
        && body.iter().all(|line| {
            rows[line.rows.start]
                .filled()
                .last()
                .is_some_and(|c| crate::amount::whole(&c.text).is_some())
        })
        && !context.forced
    {
        return false;
    }
    // Two axes of numbers are a grid.
    if heads > 0
        && let Some(head) = rows[..heads].last()
    {
        let cells = head.filled();
        let figures = cells.iter().filter(|c| c.text.parse::<i32>().is_ok()).count();
        if figures >= 3 && figures + 1 >= cells.len() && single {
            return false;
        }
    }
    // Every row must say something.
    body.iter().all(|line| {
        let row = &rows[line.rows.start];
        line.words.is_some() || row.filled().len() >= 2
    })
}

/// A table whose bands and words share a cell.
fn single(body: &[Line], rows: &[Row], heads: usize) -> BandTable {
    let lines = body.iter().map(|line| {
        let row = &rows[line.rows.start];
        let first = row.filled()[0].clone();
        let mut words =
            Cell { text: rest(&first.text, line.words.unwrap_or(0)), at: first.at.clone() };
        for more in &rows[line.rows.start + 1..line.rows.end] {
            for each in more.filled() {
                extend(&mut words, each);
            }
        }
        BandRow { band: line.band, cells: vec![words], line: row.line, guessed: line.guessed }
    });
    let score = rows[..heads].iter().map(Row::text).collect::<Vec<_>>().join(" ");
    BandTable { score, columns: vec![String::new()], rows: lines.collect() }
}

/// A table with cells.
fn several(
    body: &[Line],
    rows: &[Row],
    heads: usize,
    used: &[&Row],
    guesses: &mut Guesses,
) -> Option<BandTable> {
    let mut widths: Vec<&Row> = used.to_vec();
    if used.iter().all(|row| row.table.is_some()) {
        widths.extend(rows[..heads].iter());
    }
    let columns = Columns::of(&widths);
    let mut titles = vec![Cell::default(); columns.count()];
    for row in &rows[..heads] {
        // One heading over several columns names them all.
        let filled = row.filled();
        if filled.len() == 1
            && heads > 1
            && filled[0].x.0 >= columns.start(1).min(filled[0].x.0 + 1)
        {
            continue;
        }
        for (title, more) in titles.iter_mut().zip(columns.heads(row)) {
            if !more.text.is_empty() {
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
            cells[1] = Cell { text: rest(&only.text, from), at: only.at.clone() };
        }
        for more in &rows[line.rows.start + 1..line.rows.end] {
            for each in more.filled() {
                let column = columns.of_cell(each).max(1).min(cells.len().saturating_sub(1));
                extend(&mut cells[column], each);
            }
        }
        if cells.len() < 2 {
            return None;
        }
        cells.remove(0);
        made.push(BandRow { band: line.band, cells, line: row.line, guessed: line.guessed });
    }
    let mut heads: Vec<String> = titles
        .iter()
        .map(|title| title.text.trim_end_matches(['.', '…', ':']).to_owned())
        .collect();
    let score = heads.remove(0);
    drop_repeated(&mut heads, &mut made);
    explained(&mut heads, &mut made, guesses);
    blanks(&mut made, &heads, guesses);
    Some(BandTable { score, columns: heads, rows: made })
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
        let filled: Vec<Cell> = row.cells.iter().filter(|c| !c.text.is_empty()).cloned().collect();
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
fn shared_ends(table: &mut BandTable, guesses: &mut Guesses) {
    for place in 1..table.rows.len() {
        let (before, after) = table.rows.split_at_mut(place);
        let (Some(low), Some(high)) = (before.last(), after.first_mut()) else { continue };
        if let (Some((to, true)), Some((from, true))) = (low.band.to, high.band.from)
            && to == from
            && !low.band.natural
            && !high.band.natural
        {
            high.band.from = Some((from, false));
            high.guessed = true;
            let at = high.cells.first().map(|c| c.at.clone()).unwrap_or_default();
            guesses.push((GuessKind::SharedEnd, high.line, at, from.to_string()));
        }
    }
}
