//! Lists of modifiers: a signed figure at the same end of each line.

use super::{Context, Pieces, Taken, cell, extend, joined, titles};
use crate::amount::{self, Amount};
use crate::band;
use crate::model::{Cell, Content, GuessKind, Modifier};
use crate::num::Num;
use crate::source::{Row, RowCell};
use crate::token::tokens;

/// Where the figure of a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    First,
    Last,
}

pub(crate) fn read(rows: &[Row], context: &Context, found: &mut Pieces) -> Option<Taken> {
    let skipped = heads(rows);
    // In a spreadsheet, +1 became 1. The minus is kept.
    let announced = context.listed && rows[skipped].table.is_some();
    let bare = announced && unsigned_shape(&rows[skipped], End::First);
    let end = match first_end(&rows[skipped..]) {
        Some(end) => end,
        None if bare && rows[skipped..].iter().take(8).any(|row| of_row(row).is_some()) => {
            End::First
        }
        None => return None,
    };
    let mut list: Vec<Modifier> = Vec::new();
    let mut guesses = Vec::new();
    let mut left_out = Vec::new();
    let mut mended = 0;
    let mut place = skipped;
    let mut last_taken = skipped;
    while let Some(row) = rows.get(place) {
        if row.head || place > skipped && row.gap && too_far(rows, place, end) {
            break;
        }
        if let Some((mut more, at)) = of_row(row)
            && at == end
        {
            if is_mixed(row, more.len()) {
                guesses.push((GuessKind::Mixed, row.line, row.at(), row.text()));
                more.iter_mut().for_each(|one| one.guessed = true);
            } else if more.len() > 1 && more.iter().all(|one| one.guessed) {
                guesses.push((GuessKind::Exclusive, row.line, row.at(), row.text()));
            }
            list.append(&mut more);
            last_taken = place + 1;
        } else if announced && unsigned_shape(row, end) {
            let (figure, words) = figure_of(row, end)?;
            let mut one = modifier(Amount::Plus(figure), words, row.line);
            one.guessed = figure != Num::whole(0);
            guesses.push((GuessKind::Sign { minus: false }, row.line, row.at(), row.text()));
            list.push(one);
            last_taken = place + 1;
        } else if let Some((modifier, minus)) = unsigned(rows, place, end, &list) {
            guesses.push((GuessKind::Sign { minus }, row.line, row.at(), row.text()));
            list.push(modifier);
            last_taken = place + 1;
        } else if let Some((more, read)) = repaired(row, end) {
            mended += more.len();
            guesses.push((GuessKind::Repaired { read }, row.line, row.at(), row.text()));
            list.extend(more);
            last_taken = place + 1;
        } else if goes_on(rows, place, last_taken, end, list.last()) {
            if !is_group(rows, place, end)
                && let Some(last) = list.last_mut()
            {
                continue_last(last, row);
            }
            last_taken = place + 1;
        } else if !list.is_empty() && row.table.is_some() && goes_on_below(rows, place, end) {
            left_out.push(place);
            last_taken = place + 1;
        } else {
            break;
        }
        place += 1;
    }
    let alone =
        |row: &Row| row.filled().len() == 2 && row.filled()[0].text.split_whitespace().count() <= 9;
    let next = rows.get(last_taken).is_none_or(|next| {
        next.gap || next.filled().len() != 2 || next.filled()[0].text.is_empty()
    });
    let cell = alone(&rows[skipped])
        && end == End::Last
        && (rows[skipped].table.is_some() || next || context.rolled)
        || (rows[skipped].table.is_some() && alone(&rows[skipped]));
    let enough = list.len() >= 2
        || (list.len() == 1 && (context.listed || context.forced || skipped > 0 || cell));
    if !enough || (mended > 0 && list.len() < mended + 2) {
        return None;
    }
    exclusive(&mut list, &mut guesses);
    found.leave_out(rows, &left_out);
    for (kind, line, at, printed) in guesses {
        found.guess(kind, line, at, &printed);
    }
    Some((Content::Modifiers(list), last_taken))
}

/// Whether the words of one modifier stand in several cells of plain text, and one before the last
/// holds a figure: they may be of two charts side by side.
fn is_mixed(row: &Row, count: usize) -> bool {
    let filled = row.filled();
    let words: Vec<&&RowCell> =
        filled.iter().filter(|cell| amount::whole(&cell.text).is_none()).collect();
    let figure = |cell: &&&RowCell| cell.text.contains(|c: char| c.is_ascii_digit());
    count == 1
        && row.table.is_none()
        && words.len() >= 2
        && words[..words.len() - 1].iter().any(figure)
}

/// Whether the next rows of a table with markup are modifiers again.
fn goes_on_below(rows: &[Row], place: usize, end: End) -> bool {
    let same = |row: &&Row| row.table == rows[place].table && !row.gap && row.filled().len() >= 2;
    rows[place].filled().len() >= 2
        && !rows[place].gap
        && rows[place + 1..]
            .iter()
            .take(3)
            .take_while(same)
            .any(|row| of_row(row).is_some_and(|(_, at)| at == end))
}

/// At which end the figures of a list stand. The first of them may be misread.
fn first_end(rows: &[Row]) -> Option<End> {
    let first = rows.first()?;
    if let Some((_, end)) = of_row(first) {
        return Some(end);
    }
    let (_, end) = rows.get(1..3.min(rows.len()))?.iter().find_map(of_row)?;
    repaired(first, end).map(|_| end)
}

/// Heading rows such as "Circumstance  Modifier".
fn heads(rows: &[Row]) -> usize {
    let row = &rows[0];
    let cells = row.filled();
    let named = cells.iter().any(|cell| {
        titles::announces_modifiers(&cell.text)
            || ["mod", "mods", "adj.", "+/-", "drm", "±"]
                .contains(&cell.text.to_lowercase().as_str())
    });
    let short = cells.iter().all(|cell| cell.text.split_whitespace().count() <= 4);
    usize::from(
        named && short && cells.len() >= 2 && !row.head && rows.len() > 1 && of_row(row).is_none(),
    )
}

/// Whether the list does not go on after a gap.
fn too_far(rows: &[Row], place: usize, end: End) -> bool {
    let row = &rows[place];
    let goes_on = of_row(row).is_some_and(|(_, at)| at == end) || unsigned_shape(row, end);
    let text = row.text();
    let wrapped = text.chars().next().is_some_and(char::is_lowercase)
        && row.filled().len() == 1
        && rows.get(place + 1).is_some_and(|next| of_row(next).is_some());
    let group = row.filled().len() == 1 && is_group(rows, place, end) && row.strip > 0;
    !goes_on && !wrapped && !group
}

/// The modifiers of a row.
fn of_row(row: &Row) -> Option<(Vec<Modifier>, End)> {
    let mut cells = row.filled();
    let first = *cells.first()?;
    // A figure that is misread must not become words.
    if cells.len() >= 2
        && cells.iter().any(|c| {
            c.text.len() <= 3
                && amount::whole(&c.text).is_none()
                && band::repaired(&c.text).is_some_and(|read| {
                    amount::whole(&read).is_some() || band::whole(&read).is_some()
                })
        })
    {
        return None;
    }
    if cells.len() >= 3
        && band::whole(&first.text).is_some_and(|b| b.is_single())
        && amount::whole(&first.text).is_none()
    {
        // "3  Pinned  +1": the lines are numbered.
        cells.remove(0);
        let signed: Vec<usize> = signed(&cells);
        if signed.is_empty() || signed[0] == 0 {
            return None;
        }
        return of_cells(&cells, row.line);
    }
    if band::whole(&first.text).is_some()
        && amount::whole(&first.text).is_none()
        && !measured(&cells)
    {
        return None;
    }
    if cells.len() == 1 {
        if begins_with_band(&first.text) {
            return None;
        }
        if let Some(several) = parts(&first.text, &first.at, row.line) {
            return Some((several, End::First));
        }
        let at_start = amount::leading(&first.text);
        let (at, end) = match at_start {
            Some(found) => (found, End::First),
            None => (amount::trailing(&first.text)?, End::Last),
        };
        if at.label.split_whitespace().count() > 25
            || (end == End::Last && (at.label.contains(". ") || says_dice(&at.label)))
        {
            return None;
        }
        return Some((
            vec![modifier(at.amount, Cell { text: at.label, at: first.at.clone() }, row.line)],
            end,
        ));
    }
    of_cells(&cells, row.line)
}

/// "Pen roll D6 + Pen" says what is rolled.
fn says_dice(label: &str) -> bool {
    let found = tokens(label);
    crate::dice::find(&found).is_some_and(|(dice, ..)| dice.named)
        && found.iter().any(|t| t.is_any(&["roll", "rolls"]))
}

/// "+1 officer within 6", +2 captain": several modifiers in one text.
fn parts(text: &str, at: &std::ops::Range<usize>, line: u32) -> Option<Vec<Modifier>> {
    let mut starts: Vec<usize> = vec![0];
    for mark in [", +", ", -", ", –", ", −", "; +", "; -", "; –", "; −"] {
        starts.extend(text.match_indices(mark).map(|(at, _)| at + 2));
    }
    starts.sort_unstable();
    if starts.len() < 2 {
        return None;
    }
    starts.push(text.len());
    let part = |pair: &[usize]| {
        let said = text[pair[0]..pair[1]].trim_end_matches([',', ';', ' ', '.']);
        let found = amount::leading(said).filter(|_| !said.contains(". "))?;
        Some(modifier(found.amount, Cell { text: found.label, at: at.clone() }, line))
    };
    starts.windows(2).map(part).collect()
}

/// "Crew quality: elite / trained / levy" and "+1 / 0 / -1": one modifier for each word, of which one
/// holds.
fn choices(label: &RowCell, figures: &RowCell, line: u32) -> Option<Vec<Modifier>> {
    let amounts: Vec<&str> = figures.text.split('/').map(str::trim).collect();
    let (name, words) = match label.text.split_once(':') {
        Some((name, words)) => (Some(name.trim()), words),
        None => (None, label.text.as_str()),
    };
    let words: Vec<&str> = words.split('/').map(str::trim).collect();
    if amounts.len() < 2 || amounts.len() != words.len() || words.iter().any(|w| w.is_empty()) {
        return None;
    }
    let one = |(word, amount): (&&str, &&str)| {
        let zero = *amount == "0";
        let found = amount::whole(amount).map(|found| found.amount);
        let found = found.or_else(|| zero.then(|| Amount::Plus(Num::whole(0))))?;
        let text = name.map_or_else(|| (*word).to_owned(), |name| format!("{name}: {word}"));
        let mut made = modifier(found, Cell { text, at: label.at.clone() }, line);
        made.guessed = true;
        Some(made)
    };
    words.iter().zip(&amounts).map(one).collect()
}

/// "8000 - 12000 yds   +1": a distance with its unit and a signed figure.
fn measured(cells: &[&RowCell]) -> bool {
    let [first, last] = cells else { return false };
    let unit = tokens(&first.text).iter().any(|t| {
        t.is_any(&[
            "yds", "yards", "m", "km", "cm", "hexes", "inches", "feet", "ft", "knots", "miles",
            "paces",
        ]) || t.sign('"')
    });
    unit && amount::whole(&last.text).is_some()
}

fn signed(cells: &[&RowCell]) -> Vec<usize> {
    (0..cells.len()).filter(|place| amount::whole(&cells[*place].text).is_some()).collect()
}

fn of_cells(cells: &[&RowCell], line: u32) -> Option<(Vec<Modifier>, End)> {
    if let [label, figures] = cells
        && let Some(list) = choices(label, figures, line)
    {
        return Some((list, End::Last));
    }
    // "Side shot: +1   Rear or top: +2   Long range: -1"
    let each = |cell: &&RowCell| {
        let found = amount::trailing(&cell.text).filter(|_| amount::whole(&cell.text).is_none())?;
        let label = Cell { text: found.label, at: cell.at.clone() };
        Some(modifier(found.amount, label, line))
    };
    if cells.len() >= 2
        && let Some(list) = cells.iter().map(each).collect::<Option<Vec<Modifier>>>()
    {
        return Some((list, End::Last));
    }
    let signed = signed(cells);
    let words = |cell: &&RowCell| cell.text.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    match signed.as_slice() {
        // "Garrison:   +1 for each gun": the name of a group before its first line.
        [] if cells.len() == 2
            && cells[0].text.ends_with(':')
            && amount::leading(&cells[1].text).is_some() =>
        {
            let found = amount::leading(&cells[1].text)?;
            let label = Cell { text: found.label, at: cells[1].at.clone() };
            Some((vec![modifier(found.amount, label, line)], End::First))
        }
        [] => {
            // The figure may stand at one end of a cell of words.
            let whole = joined(cells);
            let found =
                amount::leading(&whole.text).filter(|_| amount::leading(&cells[0].text).is_some());
            let (found, end) = match found {
                Some(found) => (found, End::First),
                None => (
                    amount::trailing(&cells.last()?.text).filter(|_| cells.len() <= 2).map(
                        |at| amount::Found {
                            label: format!(
                                "{} {}",
                                joined(&cells[..cells.len() - 1]).text,
                                at.label
                            )
                            .trim()
                            .to_owned(),
                            ..at
                        },
                    )?,
                    End::Last,
                ),
            };
            Some((
                vec![modifier(found.amount, Cell { text: found.label, at: whole.at }, line)],
                end,
            ))
        }
        [0] => {
            let found = amount::whole(&cells[0].text)?;
            let mut label = joined(&cells[1..]);
            label.text = amount::without_if(&label.text).to_owned();
            label
                .text
                .chars()
                .any(char::is_alphabetic)
                .then(|| (vec![modifier(found.amount, label, line)], End::First))
        }
        [at] => {
            let found = amount::whole(&cells[*at].text)?;
            let rest: Vec<&RowCell> = cells
                .iter()
                .enumerate()
                .filter(|(place, _)| place != at)
                .map(|(_, c)| *c)
                .filter(|c| !(found.amount == Amount::Signed && c.text.len() <= 1))
                .collect();
            let mut label = joined(&rest);
            if matches!(found.amount, Amount::Each { .. }) && !found.label.is_empty() {
                label.text = format!("{}, {}", label.text, found.label);
            }
            rest.iter().any(words).then(|| (vec![modifier(found.amount, label, line)], End::Last))
        }
        several => paired(cells, several, line),
    }
}

/// "Ambush  By  -1  Vs.  +1", or two lists on one line.
fn paired(cells: &[&RowCell], signed: &[usize], line: u32) -> Option<(Vec<Modifier>, End)> {
    let word = |place: usize| {
        cells
            .get(place)
            .filter(|c| c.text.chars().any(char::is_alphabetic) && amount::whole(&c.text).is_none())
    };
    if signed[0] == 0 {
        let list: Option<Vec<Modifier>> = signed
            .iter()
            .map(|at| {
                Some(modifier(amount::whole(&cells[*at].text)?.amount, cell(word(at + 1)?), line))
            })
            .collect();
        return Some((list?, End::First));
    }
    let base = (signed[0] >= 2).then(|| cell(cells[0]));
    let list: Option<Vec<Modifier>> = signed
        .iter()
        .map(|at| {
            let own = word(at.checked_sub(1)?)?;
            let label = match &base {
                Some(base) => Cell {
                    text: format!("{}: {}", base.text, own.text),
                    at: base.at.start..cells[*at].at.end,
                },
                None => cell(own),
            };
            Some(modifier(amount::whole(&cells[*at].text)?.amount, label, line))
        })
        .collect();
    Some((list?, End::Last))
}

fn begins_with_band(text: &str) -> bool {
    let found = tokens(text);
    found.first().is_some_and(|t| t.num().is_some())
        && band::prefix(&found).is_some()
        && amount::leading(text).is_none()
}

fn modifier(amount: Amount, label: Cell, line: u32) -> Modifier {
    let guessed = amount::misread_count(&label.text).is_some();
    let amount = amount::counted(amount, &label.text);
    Modifier { label, amount, line, guessed }
}

/// A row with the shape of a modifier whose figure has no sign.
fn unsigned_shape(row: &Row, end: End) -> bool {
    let cells = row.filled();
    let number = |cell: &RowCell| {
        band::whole(&cell.text)
            .filter(band::Band::is_single)
            .and_then(|b| b.low())
            .and_then(Num::as_whole)
            .is_some_and(|n| (0..=9).contains(&n))
    };
    match (cells.as_slice(), end) {
        ([first, .., last], End::First) => {
            number(first) && last.text.chars().any(char::is_alphabetic)
        }
        ([first, .., last], End::Last) => {
            number(last) && first.text.chars().any(char::is_alphabetic)
        }
        _ => false,
    }
}

/// The bare figure of a row, and its words.
fn figure_of(row: &Row, end: End) -> Option<(Num, Cell)> {
    let cells = row.filled();
    let (figure, words) = match end {
        End::First => (*cells.first()?, joined(&cells[1..])),
        End::Last => (*cells.last()?, joined(&cells[..cells.len() - 1])),
    };
    Some((band::whole(&figure.text)?.low()?, words))
}

/// A figure without sign among signed ones. Zero needs no sign.
fn unsigned(rows: &[Row], place: usize, end: End, list: &[Modifier]) -> Option<(Modifier, bool)> {
    let row = &rows[place];
    let cells = row.filled();
    if list.len() < 2 {
        return None;
    }
    if let ([only], End::First) = (cells.as_slice(), end) {
        // One line with a bare figure; two of them are a table.
        let table = rows.get(place + 1).is_some_and(|next| begins_with_band(&next.text()));
        let found = tokens(&only.text);
        let n =
            found.first()?.num().filter(|n| n.as_whole().is_some_and(|n| (0..=9).contains(&n)))?;
        if table
            || row.gap
            || found.get(1)?.word().is_none()
            || found[1].is_any(&["or", "to", "d", "and"])
        {
            return None;
        }
        let words =
            Cell { text: crate::token::rest(&only.text, found[0].end), at: only.at.clone() };
        return Some(signed_like(n, words, row.line, list));
    }
    if !unsigned_shape(row, end) {
        return None;
    }
    let (n, words) = figure_of(row, end)?;
    if ["at most", "at least", "maximum", "minimum"].contains(&words.text.to_lowercase().as_str()) {
        return None;
    }
    Some(signed_like(n, words, row.line, list))
}

/// A modifier with the sign of its neighbours.
fn signed_like(n: Num, words: Cell, line: u32, list: &[Modifier]) -> (Modifier, bool) {
    let minus = list
        .iter()
        .rev()
        .take(3)
        .filter(|m| matches!(&m.amount, Amount::Plus(n) if *n < Num::whole(0)))
        .count()
        >= 2;
    let mut made = modifier(Amount::Plus(if minus { n.negative() } else { n }), words, line);
    made.guessed = n != Num::whole(0);
    (made, minus)
}

/// Figures whose digits OCR took for letters.
fn repaired(row: &Row, end: End) -> Option<(Vec<Modifier>, String)> {
    let mut changed = row.clone();
    let filled = row.filled().len();
    let mut read = String::new();
    if filled > 1 {
        for cell in changed.cells.iter_mut().filter(|c| c.text.len() <= 4) {
            if amount::whole(&cell.text).is_none()
                && let Some(figure) = band::repaired(&cell.text)
            {
                cell.text = figure.clone();
                read = figure;
            }
        }
    } else {
        let cell = changed.cells.iter_mut().find(|c| !c.text.is_empty())?;
        let mut words: Vec<String> = cell.text.split(' ').map(str::to_owned).collect();
        let at = if end == End::First { 0 } else { words.len() - 1 };
        words[at] = band::repaired(&words[at])?;
        read = words[at].clone();
        cell.text = words.join(" ");
    }
    if read.is_empty() {
        return None;
    }
    let (mut list, found) = of_row(&changed)?;
    for each in &mut list {
        each.guessed = true;
    }
    (found == end).then_some((list, read))
}

/// A line without a figure inside the list: the rest of a label, or the head of a group.
fn goes_on(
    rows: &[Row],
    place: usize,
    last_taken: usize,
    end: End,
    last: Option<&Modifier>,
) -> bool {
    let row = &rows[place];
    let cells = row.filled();
    let [only] = cells.as_slice() else { return false };
    // A sign alone finds its figure on the next line: "1 for every 3 lost".
    let bare = matches!(last, Some(Modifier { amount: Amount::Value { .. }, .. }));
    if bare
        && place == last_taken
        && [" for every ", " per ", " for each "].iter().any(|words| only.text.contains(words))
    {
        return true;
    }
    if place != last_taken
        || row.head
        || row.bullet
        || begins_with_band(&only.text)
        || crate::dice::roll_line(&only.text).is_some()
    {
        return false;
    }
    let lower = only.text.chars().next().is_some_and(|c| c.is_lowercase() || c == '(');
    let figure = tokens(&only.text).first().is_some_and(|t| t.num().is_some());
    if (lower || figure) && only.text.split_whitespace().count() <= 14 {
        return true;
    }
    is_group(rows, place, end)
}

/// A short line that names the modifiers below it.
fn is_group(rows: &[Row], place: usize, end: End) -> bool {
    let text = rows[place].text();
    let next = rows.get(place + 1).and_then(of_row).is_some_and(|(_, at)| at == end);
    next && titles::is_short_name(&text)
        && text != text.to_uppercase()
        && !rows[place].gap
        && text.split_whitespace().count() <= 4
}

/// Adds a line to the last modifier. A sign alone may find its figure there: "1 for every 3 lost".
fn continue_last(last: &mut Modifier, row: &Row) {
    let Some(more) = row.filled().first().map(|c| (*c).clone()) else { return };
    if let Amount::Value { minus } = last.amount {
        let found = tokens(&more.text);
        let number = found.first().and_then(crate::token::Token::num);
        if let Some(n) = number {
            let rest = crate::token::rest(&more.text, found[0].end);
            let by = if minus { n.negative() } else { n };
            if let each @ Amount::Each { .. } = amount::counted(Amount::Plus(by), &rest) {
                last.amount = each;
            }
        }
        return;
    }
    extend(&mut last.label, &more);
    last.amount = match &last.amount {
        Amount::Plus(_) | Amount::Dice(_) => amount::counted(last.amount.clone(), &last.label.text),
        other => other.clone(),
    };
}

/// "+2 fresh / -2 spent" is read as one modifier with its words: marked, since the second is lost.
fn exclusive(
    list: &mut [Modifier],
    guesses: &mut Vec<(GuessKind, u32, std::ops::Range<usize>, String)>,
) {
    for modifier in list {
        let text = &modifier.label.text;
        let second =
            [" / +", " / -", " / –", "(+", "(-", "(–", "(−", " or +", " or -"].iter().any(|mark| {
                text.find(mark).is_some_and(|at| {
                    text[at + mark.len()..].starts_with(|c: char| c.is_ascii_digit())
                })
            });
        let found = tokens(text);
        let other = found.windows(3).any(|part| {
            (part[1].sign('+') || part[1].sign('-'))
                && part[0].end < part[1].start
                && part[1].end == part[2].start
                && part[2].num().is_some()
        });
        if (second || other) && !text.to_lowercase().contains("max") {
            guesses.push((
                GuessKind::Exclusive,
                modifier.line,
                modifier.label.at.clone(),
                text.clone(),
            ));
            modifier.guessed = true;
        }
    }
}
