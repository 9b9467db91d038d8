//! Tables from bands of scores to results, with one column or several: headings in `heads`, the band of
//! a row in `line` (in words: `relation`), columns and their texts in `cells`.

mod cells;
mod heads;
mod line;
mod margin;
mod relation;

use super::{Context, Pieces, Taken};
use crate::amount::Amount;
use crate::band::Band;
use crate::model::{BandRow, BandTable, Content, GuessKind, Modifier, PrintedCell};
use crate::num::Num;
use crate::source::SheetRow;
use crate::token::tokens;
use std::ops::Range;

pub(crate) use heads::score_head;
pub(crate) use line::Mended;
pub(crate) use margin::read as read_margins;
pub(crate) use relation::read as read_relations;

type Guesses = Vec<(GuessKind, u32, Range<usize>, String)>;

pub(crate) fn read(rows: &[SheetRow], context: &Context, pieces: &mut Pieces) -> Option<Taken> {
    let heads = heads::count(rows)?;
    let mut guesses = Guesses::new();
    let mut left_out = Vec::new();
    let body = body(rows, heads, &mut guesses, &mut left_out)?;
    let bands: Vec<Band> = body.iter().map(|line| line.band).collect();
    if !plausible(&body, rows, heads, context) {
        return None;
    }
    let taken = body.iter().map(|line| line.rows.end).max()?;
    let used: Vec<&SheetRow> = body.iter().map(|line| &rows[line.rows.start]).collect();
    let mut table = if used.iter().all(|row| row.filled().len() <= 1) {
        let table = cells::single(&body, rows, heads);
        cells::doubt_columns(table, &mut guesses)
    } else {
        cells::several(&body, rows, heads, &used, &mut guesses)?
    };
    if bands.len() > 1 && descends(&bands) {
        table.rows.reverse();
    }
    // "ODDS   1-1  2-1" above "DIE 1   AE  AR": the heading names the columns, the row the score.
    if let Some((word, _)) =
        used.iter().find_map(|row| line::score_word(&row.filled().first()?.text))
    {
        table.score = word;
    } else if let Some(word) = used.iter().rev().find_map(|row| line::difference_word(row))
        && table.score.is_empty()
    {
        table.score = word;
    }
    let measured =
        |row: &&SheetRow| row.filled().first().is_some_and(|cell| is_distance(&cell.text));
    if table.score.is_empty() && used.iter().all(measured) {
        table.score = "Distance".to_owned();
    }
    cells::shared_ends(&mut table, &mut guesses);
    pieces.leave_out(rows, &left_out);
    for (kind, line, at, printed) in guesses {
        pieces.guess(kind, line, at, &printed);
    }
    if context.listed
        && let Some(list) = as_modifiers(&table, pieces)
    {
        return Some((Content::Modifiers(list), taken));
    }
    Some((Content::Bands(table), taken))
}

/// The number of rows of a table that starts here.
pub(crate) fn extent(rows: &[SheetRow]) -> usize {
    let lines = heads::count(rows)
        .and_then(|heads| body(rows, heads, &mut Guesses::new(), &mut Vec::new()));
    lines.and_then(|lines| lines.iter().map(|line| line.rows.end).max()).unwrap_or(0)
}

/// "0-2   0", "3-4   +1" among modifiers: a modifier for each band of a number, of which one holds.
fn as_modifiers(table: &BandTable, pieces: &mut Pieces) -> Option<Vec<Modifier>> {
    let amount = |row: &BandRow| {
        let [cell] = row.cells.as_slice() else { return None };
        let zero = (cell.text == "0").then_some(Amount::Plus(Num::whole(0)));
        crate::amount::whole(&cell.text).map(|labelled| labelled.amount).or(zero)
    };
    let amounts: Option<Vec<Amount>> = table.rows.iter().map(amount).collect();
    // The line above says what the number is.
    let group = match pieces.list.last().map(|piece| &piece.content) {
        _ if !table.score.is_empty() => table.score.clone(),
        Some(Content::Note(text)) if text.split_whitespace().count() <= 5 => text.clone(),
        _ => String::new(),
    };
    let mut list = Vec::new();
    for (row, amount) in table.rows.iter().zip(amounts?) {
        let at = row.cells.first().map(|cell| cell.at.clone()).unwrap_or_default();
        let text = format!("{group} {}", row.band).trim().to_owned();
        pieces.guess(GuessKind::OneOf, row.line, at.clone(), &text);
        let label = PrintedCell { text, at };
        list.push(Modifier { label, amount, line: row.line, guessed: true });
    }
    Some(list)
}

/// One row of the table in the source.
struct BandLine {
    band: Band,
    /// Where the words start in the first cell, if band and words share it.
    words: Option<usize>,
    rows: Range<usize>,
    guessed: bool,
    /// A spreadsheet took the band for a date.
    date: bool,
    numbered: bool,
    /// The condition beside the band.
    when: Option<String>,
}

/// Tells if a row of a table with markup stands between rows with bands.
fn is_row_between(rows: &[SheetRow], place: usize) -> bool {
    let row = &rows[place];
    let same = |next: &&SheetRow| next.table == row.table && !next.gap;
    row.table.is_some()
        && !row.gap
        && row.filled().len() >= 2
        && rows[place + 1..]
            .iter()
            .take(3)
            .take_while(same)
            .any(|next| line::of_row(next).is_some())
}

fn body(
    rows: &[SheetRow],
    first: usize,
    guesses: &mut Guesses,
    left_out: &mut Vec<usize>,
) -> Option<Vec<BandLine>> {
    let mut lines: Vec<BandLine> = Vec::new();
    let mut way: Option<bool> = None;
    let mut place = first;
    while let Some(row) = rows.get(place) {
        if row.head || row.furniture || (place > first && row.table != rows[first].table) {
            break;
        }
        if is_below_words(row, lines.last().map(|line| &rows[line.rows.start])) {
            if let Some(last) = lines.last_mut() {
                last.rows.end = place + 1;
            }
            place += 1;
            continue;
        }
        let on_condition = line::conditional(row);
        let ten = ten(row, lines.last()).inspect(|_| {
            let kind = GuessKind::Repaired { read: "10".into() };
            guesses.push((kind, row.line, row.at(), row.text()));
        });
        if let Some(line) = ten {
            lines.push(BandLine { rows: place..place + 1, ..line });
            break;
        }
        let dashed = lost_dash(rows, place, lines.last());
        let read = line::of_row(row)
            .map(|(band, words, numbered)| match dashed {
                Some(dashed) => {
                    let read = format!("{}-{}", dashed.low_shown(), dashed.high_shown());
                    (dashed, words, false, Some(GuessKind::Repaired { read }))
                }
                None => (band, words, numbered, None),
            })
            .or_else(|| on_condition.as_ref().map(|(band, _)| (*band, None, false, None)))
            .or_else(|| {
                line::single_bracketed(row, lines.last().map(|line| &rows[line.rows.start]))
                    .map(|band| (band, None, false, None))
            })
            .or_else(|| line::tied(rows, place).map(|band| (band, None, false, None)))
            .or_else(|| line::mended(row));
        if let Some((band, from, ..)) = read
            && is_tie(row, band)
            && lines.first().is_some_and(|line| line.band.low() > Some(Num::whole(0)))
        {
            // "Draw: …" after the rows of the winner.
            lines.insert(0, BandLine::tie(band, from, place));
            break;
        }
        // "Natural 2: guns jam. Clear a jam on 5 or 6 of a D6" is read as sentences.
        if !lines.is_empty() && read.as_ref().is_some_and(|read| read.0.natural) && rolls_on(row) {
            break;
        }
        let read = misread(rows, place, lines.last(), read);
        if let Some((band, words, numbered, mended)) = read {
            let above = lines.last().filter(|line| !line.is_same(band));
            let Some(up) = follows(above.map(|line| line.band), band, way) else { break };
            way = up.or(way);
            let date = matches!(mended, Some(GuessKind::Date { .. }));
            if let Some(kind) = mended {
                guesses.push((kind, row.line, row.at(), row.text()));
            }
            lines.push(BandLine {
                band,
                words,
                rows: place..place + 1,
                guessed: mended_flag(guesses, row),
                date,
                numbered,
                when: on_condition.and_then(|(_, when)| when),
            });
        } else if goes_on(rows, place, first, lines.last()) {
            if let Some(last) = lines.last_mut() {
                last.rows.end = place + 1;
            }
        } else if !lines.is_empty() && is_row_between(rows, place) {
            left_out.push(place);
        } else {
            break;
        }
        place += 1;
    }
    left_out.retain(|out| lines.last().is_some_and(|line| line.rows.start > *out));
    // A row on a condition needs one for when it does not hold.
    let closed = |place: usize| {
        let band = lines[place].band;
        lines[place + 1..].iter().any(|line| line.when.is_none() && line.band.from == band.from)
    };
    let all = (0..lines.len()).all(|place| lines[place].when.is_none() || closed(place));
    (!lines.is_empty() && all).then_some(lines)
}

/// Tells if the only cell of a row has a second sentence, with a roll of its own.
fn rolls_on(row: &SheetRow) -> bool {
    let text = row.text();
    let later = text.split_once(". ").map(|(_, later)| later.to_owned());
    row.filled().len() == 1
        && later.is_some_and(|later| crate::dice::find(&tokens(&later)).is_some())
}

/// A single score that does not follow the one above, between 4 and 6: it can only be 5.
fn misread(
    rows: &[SheetRow],
    place: usize,
    last: Option<&BandLine>,
    read: Option<Mended>,
) -> Option<Mended> {
    let (band, words, numbered, mended) = read?;
    let wanted = || {
        let above = last.filter(|line| line.band.is_single() && line.when.is_none())?;
        let (next, ..) = line::of_row(rows.get(place + 1)?)?;
        let wanted = above.band.high()?.plus(1);
        let fits = band.is_single()
            && next.is_single()
            && !band.natural
            && band.low() != Some(wanted)
            && !above.band.is_before(&band)
            && next.low() == Some(wanted.plus(1));
        fits.then_some(wanted)
    };
    match wanted() {
        Some(number) => {
            let kind = GuessKind::Repaired { read: number.to_string() };
            Some((Band::exactly(number), words, false, Some(kind)))
        }
        None => Some((band, words, numbered, mended)),
    }
}

/// "46" between "2-3" and "7 or more": 4-6 without its dash.
fn lost_dash(rows: &[SheetRow], place: usize, last: Option<&BandLine>) -> Option<Band> {
    let (band, ..) = line::of_row(&rows[place])?;
    let number = band.low().filter(|_| band.is_single())?.as_whole()?;
    let (low, high) = (number / 10, number % 10);
    let before = last?.band.high()?.as_whole()?;
    let (next, ..) = rows.get(place + 1..)?.iter().take(2).find_map(line::of_row)?;
    let after = next.low()?.as_whole()?;
    (before + 1 == low && low < high && high + 1 == after && number < 100)
        .then(|| Band::between(Num::whole(low), Num::whole(high)))
}

/// A 0 after a 9, which is how a d10 shows its 10.
fn ten(row: &SheetRow, last: Option<&BandLine>) -> Option<BandLine> {
    let (band, words, _) = line::of_row(row)?;
    let zero = band == Band::exactly(Num::whole(0));
    let nine = last?.band.high() == Some(Num::whole(9)) && last?.when.is_none();
    (zero && nine && row.text().starts_with('0')).then(|| BandLine {
        band: Band::exactly(Num::whole(10)),
        words,
        rows: 0..0,
        guessed: true,
        date: false,
        numbered: false,
        when: None,
    })
}

/// Tells if a line of plain text starts under the words of the row above it and not under its
/// score.
fn is_below_words(row: &SheetRow, above: Option<&SheetRow>) -> bool {
    let (Some(above), Some(cell)) = (above, row.cells.first()) else { return false };
    let (Some(band), Some(words)) = (above.cells.first(), above.cells.get(1)) else { return false };
    row.table.is_none()
        && !row.gap
        && row.cells.len() == 1
        && cell.x.0.abs_diff(words.x.0) <= 1
        && words.x.0 > band.x.0 + 2
}

impl BandLine {
    /// Tells if a row of these scores may follow this row on a condition.
    fn is_same(&self, band: Band) -> bool {
        self.when.is_some() && self.band.from == band.from
    }

    fn tie(band: Band, words: Option<usize>, place: usize) -> BandLine {
        BandLine {
            band,
            words,
            rows: place..place + 1,
            guessed: false,
            date: false,
            numbered: false,
            when: None,
        }
    }
}

fn is_tie(row: &SheetRow, band: Band) -> bool {
    band == Band::exactly(Num::whole(0)) && !row.text().starts_with(|c: char| c.is_ascii_digit())
}

fn mended_flag(guesses: &Guesses, row: &SheetRow) -> bool {
    guesses.last().is_some_and(|(_, line, at, _)| *line == row.line && *at == row.at())
}

/// Tells if a band may follow another, and which way the table goes if that is now known.
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
    let scores: Vec<&Band> = bands.iter().filter(|band| !band.natural).collect();
    scores.windows(2).any(|pair| pair[1].is_before(pair[0]))
}

/// Tells if a row without a band goes on with the cells above it.
fn goes_on(rows: &[SheetRow], place: usize, first: usize, last: Option<&BandLine>) -> bool {
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
    // The unit of the score below it: "0" above "passed".
    if is_unit(&cell.text) && !row.gap && start.abs_diff(band.0) <= 1 && words.is_some() {
        return true;
    }
    let lower = cell.text.chars().next().is_some_and(|c| c.is_lowercase() || c == '(');
    // The condition of a row goes on below it.
    if last.when.is_some() && lower && !row.gap && start.abs_diff(band.0) <= 1 {
        return true;
    }
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

/// Tells if a band has a unit of length: "500-1000 yds".
pub(crate) fn is_distance(text: &str) -> bool {
    const UNITS: [&str; 12] = [
        "yds", "yards", "yd", "m", "km", "cm", "inches", "inch", "hexes", "hex", "paces", "metres",
    ];
    tokens(text).iter().any(|t| t.is_any(&UNITS) || t.sign('"'))
}

/// Tells if a heading names what is measured across a table: "Range", "Odds".
pub(crate) fn names_scale(text: &str) -> bool {
    const SCALES: [&str; 10] = [
        "range", "ranges", "distance", "odds", "die", "roll", "score", "speed", "strength",
        "points",
    ];
    tokens(text).iter().any(|t| t.is_any(&SCALES))
}

/// Tells if a line starts with the unit of a score that is wrapped.
fn is_unit(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or_default();
    ["passed", "passes", "successes", "hits"].contains(&first)
}

/// Tells if this is a table and not a numbered list or some figures.
fn plausible(body: &[BandLine], rows: &[SheetRow], heads: usize, context: &Context) -> bool {
    // Dates that follow each other as bands do are sure enough.
    let chained = body.windows(2).all(|pair| {
        pair[0].band.high().zip(pair[1].band.low()).is_some_and(|(to, from)| to.plus(1) == from)
    });
    let sure = |line: &&BandLine| !line.guessed || (line.date && chained);
    if body.iter().filter(sure).count() < 2 && !context.forced {
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
    // Calibres and distances are names of rows, not scores: 15", 12 inch, 6".
    let measured = |line: &BandLine| {
        rows[line.rows.start].filled().first().is_some_and(|cell| {
            (single && cell.text.ends_with(['"', '”']))
                || cell.text.rsplit(' ').next().is_some_and(|unit| {
                    ["inch", "mm", "cm", "pdr", "pounder"].contains(&unit.to_lowercase().as_str())
                })
        })
    };
    if !headed && !context.forced && body.iter().all(measured) {
        return false;
    }
    // "120mm   2   3   4" above "Heavy ATGM   1   -   4": names of weapons.
    let next = body.last().and_then(|line| rows.get(line.rows.end));
    let width = body.first().map_or(0, |line| rows[line.rows.start].filled().len());
    let named = heads > 0 && !headed && width >= 3 && single;
    if named
        && !context.forced
        && next.is_some_and(|next| {
            next.filled().len() == width
                && !next.gap
                && next.filled()[0].text.chars().filter(|c| c.is_alphabetic()).count() >= 2
        })
    {
        return false;
    }
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
    let signed = |row: &SheetRow| {
        row.filled().first().is_some_and(|c| {
            if row.filled().len() > 1 {
                crate::amount::whole(&c.text).is_some()
            } else {
                crate::amount::leading(&c.text).is_some()
            }
        })
    };
    let any = together && body.iter().any(|line| signed(&rows[line.rows.start]));
    if (any || body.iter().all(|line| signed(&rows[line.rows.start]))) && !context.forced {
        return false;
    }
    // Headings that look like a band.
    let head_word = |row: &SheetRow| {
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
