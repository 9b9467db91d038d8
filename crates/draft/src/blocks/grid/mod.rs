//! Tables with headings down and across: movement, odds, ranges. Where scores stand across, the table
//! is turned into one by bands.

mod heads;
mod stacked;
mod targets;
mod turned;

use super::columns::Columns;
use super::{Context, Pieces, Taken, titles};
use crate::amount::Amount;
use crate::band;
use crate::model::{Content, GridRow, GuessKind, Modifier, PrintedCell, WordTable};
use crate::source::SheetRow;
use crate::token::tokens;
use heads::{head_row, joined_heads, one_blank_head, parted, stacked_heads};
pub(crate) use targets::{dice_list, targets};
use turned::{by_bands, turned, two_lines};

/// The most rows of headings above each other.
const MOST_HEADS: usize = 5;

pub(crate) fn read(rows: &[SheetRow], context: &Context, pieces: &mut Pieces) -> Option<Taken> {
    below_heads(rows, context, pieces, MOST_HEADS)
}

/// Reads a grid below so many rows of headings at most; each row is joined with the one below it.
fn below_heads(
    rows: &[SheetRow],
    context: &Context,
    pieces: &mut Pieces,
    heads: usize,
) -> Option<Taken> {
    let fewer = heads.checked_sub(1)?;
    if let Some(parted) = one_blank_head(rows) {
        let mut changed = rows.iter().map(SheetRow::unread_copy).collect::<Vec<_>>();
        changed[0] = parted;
        return below_heads(&changed, context, pieces, fewer);
    }
    let plain = head_row(rows).filter(|(head, _)| {
        joined_heads(rows, *head).or_else(|| stacked_heads(rows, *head)).is_some()
    });
    if plain.is_none()
        && let Some((heads, lines)) = stacked::merge(rows)
    {
        let mut changed = vec![heads];
        changed.extend(rows[lines..].iter().map(SheetRow::unread_copy));
        let (content, taken) = read(&changed, context, pieces)?;
        return Some((content, taken + lines - 1));
    }
    let (head, across) = head_row(rows)?;
    // "ATTRITION   SUPPLY COST" above a blank line: titles of charts side by side.
    let apart = rows.get(head + 1).is_some_and(|next| next.gap) && rows[head].table.is_none();
    if apart && rows[head].filled().iter().all(|cell| titles::shouts(&cell.text)) {
        return None;
    }
    if let Some(joined) = joined_heads(rows, head).or_else(|| stacked_heads(rows, head)) {
        let mut changed = rows.iter().map(SheetRow::unread_copy).collect::<Vec<_>>();
        changed[head + 1] = joined;
        let (content, taken) = below_heads(&changed[head + 1..], context, pieces, fewer)?;
        return Some((content, taken + head + 1));
    }
    below_head(rows, (head, across), context, pieces)
}

/// Reads a grid below its row of headings.
fn below_head(
    rows: &[SheetRow],
    (head, across): (usize, Option<String>),
    context: &Context,
    pieces: &mut Pieces,
) -> Option<Taken> {
    let body = body(rows, head);
    let least = if context.forced { 1 } else { 2 };
    if body.len() < least {
        return two_lines(rows, head);
    }
    let last = body.last().map(|line| line.end)?;
    let widest = body.iter().map(|line| rows[line.start].filled().len()).max().unwrap_or(0);
    // "Gun   Close Medium Long" above rows of three cells: each name is one blank from its figure.
    let named = heads::words(&rows[head]);
    let joined = |line: &std::ops::Range<usize>| heads::ends_with_figure(&rows[line.start]);
    let lost = widest >= 3 && named == Some(widest + 1) && body.iter().all(joined);
    let widest = widest + usize::from(lost);
    let parted: Vec<SheetRow> = body.iter().map(|line| parted(&rows[line.start], widest)).collect();
    let used: Vec<&SheetRow> = parted.iter().collect();
    let mut all = used.clone();
    if rows[head].table.is_some() {
        all.push(&rows[head]);
    }
    let columns = Columns::of(&all);
    if columns.count() < 3
        && !(columns.count() == 2 && rows[head].table.is_some() && short_values(&used))
    {
        return None;
    }
    let mut heads = columns.heads(&rows[head]);
    let mut lines = lines_of(rows, &body, &parted, &columns)?;
    let mut corner = heads.remove(0);
    let named_axis = drop_axis(&mut heads, &mut lines);
    if let Some(axis) = &named_axis {
        corner.text = axis.clone();
    }
    // Two rows of one name cannot be told apart: the table has two columns of heads.
    let mut names = std::collections::BTreeSet::new();
    if !lines.iter().all(|row| names.insert(row.head.text.to_lowercase())) {
        let text = rows[..last].iter().map(SheetRow::text).collect::<Vec<_>>().join(" ");
        return rows[head].table.map(|_| (Content::NotUnderstood(text), last));
    }
    if !consistent(&heads, &lines, rows[head].table.is_some(), context.forced) {
        return None;
    }
    if let Some(list) = shifts(&heads, &lines) {
        return Some((Content::Modifiers(list), last));
    }
    let corner_text = corner.text.trim_end_matches([':', '.']).to_owned();
    let corner_text = match (corner_text.is_empty(), across) {
        (false, _) => corner_text,
        (true, text) => text.unwrap_or_default(),
    };
    let mut grid = WordTable { corner: corner_text, columns: heads, rows: lines };
    if rows[head].table.is_none() || used.iter().any(|row| row.parted) {
        mend_figures(&mut grid, pieces);
    }
    if rows[head].table.is_none() || rows[head].ordered {
        mend_shifts(&mut grid, pieces);
    }
    if let Some(table) = turned(&grid, context) {
        blank_cells(&grid, pieces);
        return Some((Content::Bands(table), last));
    }
    blank_cells(&grid, pieces);
    if let Some(table) = by_bands(&grid, context) {
        return Some((Content::Bands(table), last));
    }
    Some((Content::Grid(grid), last))
}

/// The rows of a grid, each with the lines on which its cells go on. None if the figures of two rows
/// would come into one cell.
fn lines_of(
    rows: &[SheetRow],
    body: &[std::ops::Range<usize>],
    parted: &[SheetRow],
    columns: &Columns,
) -> Option<Vec<GridRow>> {
    let mut lines: Vec<GridRow> = Vec::new();
    for (line, main) in body.iter().zip(parted) {
        let mut cells = columns.place(main);
        for more in &rows[line.start + 1..line.end] {
            for each in more.filled() {
                // Pages drift: what goes on stands under the cell of its own row.
                let near = main
                    .cells
                    .iter()
                    .filter(|c| !c.text.is_empty())
                    .min_by_key(|c| c.x.0.abs_diff(each.x.0));
                let whole = main.table.is_none() && main.cells.len() == columns.count();
                let own = near
                    .and_then(|near| main.cells.iter().position(|c| c.x == near.x))
                    .filter(|_| whole);
                let column = own.unwrap_or_else(|| columns.of_cell(each)).min(cells.len() - 1);
                // Figures under figures are another row.
                if each.text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '–')
                    && cells[column]
                        .text
                        .ends_with(|c: char| c.is_ascii_digit() || "\"-–".contains(c))
                {
                    return None;
                }
                super::extend(&mut cells[column], each);
            }
        }
        let first = cells.remove(0);
        lines.push(GridRow { head: first, cells, line: rows[line.start].line });
    }
    Some(lines)
}

/// "Situation   Shift" above "Defender in a city   2L": modifiers that move the column.
fn shifts(heads: &[PrintedCell], rows: &[GridRow]) -> Option<Vec<Modifier>> {
    let [_] = heads else { return None };
    let one = |row: &GridRow| {
        let amount = crate::amount::whole(&row.cells.first()?.text)?.amount;
        let (label, line) = (row.head.clone(), row.line);
        matches!(amount, Amount::Shift(_)).then(|| Modifier { label, amount, line, guessed: false })
    };
    rows.iter().map(one).collect()
}

/// The number of rows of a grid that starts here.
pub(crate) fn extent(rows: &[SheetRow]) -> usize {
    head_row(rows).and_then(|(head, _)| body(rows, head).last().map(|line| line.end)).unwrap_or(0)
}

/// Figures whose digits OCR took for letters, in columns of figures.
fn mend_figures(grid: &mut WordTable, pieces: &mut Pieces) {
    let figure = |text: &str| text.trim_end_matches(['"', '+']).parse::<i32>().is_ok();
    // A letter that stands in many cells is a code, not a misread digit.
    let mut codes: std::collections::BTreeMap<String, usize> = Default::default();
    for cell in grid.rows.iter().flat_map(|row| &row.cells) {
        *codes.entry(cell.text.clone()).or_default() += 1;
    }
    for column in 0..grid.columns.len() {
        let sure = grid.rows.iter().filter(|row| figure(&row.cells[column].text)).count();
        for row in &mut grid.rows {
            let cell = &mut row.cells[column];
            let code = codes.get(&cell.text).is_some_and(|count| *count >= 3);
            let read = band::repaired(&cell.text).filter(|read| figure(read) && !code);
            if let Some(read) = read.filter(|read| sure >= 1 || read.len() >= 2) {
                let kind = GuessKind::Repaired { read: read.clone() };
                pieces.guess(kind, row.line, cell.at.clone(), &cell.text);
                cell.text = read;
            }
        }
    }
}

/// A letter before `L` or `R` in a column that has such shifts with figures: "BL" below "1L" and "2L".
fn mend_shifts(grid: &mut WordTable, pieces: &mut Pieces) {
    let is_shift = |text: &str| matches!(text.as_bytes(), [b'0'..=b'9', b'L' | b'R']);
    for column in 0..grid.columns.len() {
        if grid.rows.iter().filter(|row| is_shift(&row.cells[column].text)).count() < 3 {
            continue;
        }
        for row in &mut grid.rows {
            let cell = &mut row.cells[column];
            let [letter, side @ (b'L' | b'R')] = cell.text.as_bytes() else { continue };
            let digit = band::repaired(&format!("{}0", char::from(*letter)));
            let Some(digit) = digit.and_then(|read| read.chars().next()) else { continue };
            let read = format!("{digit}{}", char::from(*side));
            if is_shift(&read) && !is_shift(&cell.text) {
                let kind = GuessKind::Repaired { read: read.clone() };
                pieces.guess(kind, row.line, cell.at.clone(), &cell.text);
                cell.text = read;
            }
        }
    }
}

fn blank_cells(grid: &WordTable, pieces: &mut Pieces) {
    for row in &grid.rows {
        for cell in row.cells.iter().filter(|c| c.text.is_empty()) {
            pieces.guess(GuessKind::Blank, row.line, cell.at.clone(), &row.head.text);
        }
    }
}

/// The rows of the body, each with the rows that go on with it.
fn body(rows: &[SheetRow], head: usize) -> Vec<std::ops::Range<usize>> {
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    let marked_up = rows[head].table.is_some();
    let axis = marked_up && axis_only(rows, head);
    for place in head + 1..rows.len() {
        let row = &rows[place];
        if row.head || row.furniture || row.table != rows[head].table || (!marked_up && row.bullet)
        {
            break;
        }
        let filled = row.filled();
        let Some(first) = filled.first() else { break };
        if marked_up {
            let lower = first.text.chars().next().is_some_and(char::is_lowercase)
                && row.cells[0].text == first.text;
            let capital = rows[head + 1].text().chars().next().is_some_and(|c| !c.is_lowercase());
            if ranges.is_empty()
                && filled.len() == 1
                && place == head + 1
                && rows
                    .get(place + 1)
                    .is_some_and(|next| next.table == row.table && next.filled().len() >= 2)
            {
                // The heading of the row heads goes on.
                continue;
            }
            let headless = row.cells[0].text.is_empty() || (lower && capital);
            if headless && !ranges.is_empty() && !axis {
                if let Some(last) = ranges.last_mut() {
                    last.end = place + 1;
                }
                continue;
            }
            if filled.len() < 2 {
                break;
            }
            ranges.push(place..place + 1);
            continue;
        }
        // Beside another column, a blank line may be the height of its line.
        let other = filled.len() != rows[head + 1].filled().len();
        let rest = filled.len() == 1
            && row.strip > 0
            && row.line <= rows[place - 1].line + 2
            && first.text.starts_with(char::is_lowercase);
        if row.gap && !ranges.is_empty() && (row.strip == 0 || other) && !rest {
            break;
        }
        let lower = first.text.chars().next().is_some_and(|c| c.is_lowercase() || c == '(');
        let start = rows[head + 1].cells[0].x.0;
        let indented = first.x.0 > start + 2;
        if filled.len() == 1
            && first.text.starts_with(['+', '-', '−', '–'])
            && crate::amount::leading(&first.text).is_some()
        {
            break;
        }
        // "l2 pdr   4   6   8": a digit that OCR misread, not a small letter.
        let misread = first.text.split(' ').next().is_some_and(|w| band::repaired(w).is_some());
        if ((lower && !misread) || indented) && !ranges.is_empty() {
            if let Some(last) = ranges.last_mut() {
                last.end = place + 1;
            }
            continue;
        }
        if filled.len() < 2
            || first.text.ends_with('.') && first.text.split_whitespace().count() > 4
        {
            break;
        }
        // Modifiers below the table, without a blank line between them.
        let cells = ranges.first().map_or(0, |line| rows[line.start].filled().len());
        if filled.len() == 2
            && cells >= 3
            && filled[1].text.starts_with(['+', '-', '−', '–'])
            && crate::amount::whole(&filled[1].text).is_some()
        {
            break;
        }
        // "Generals   24 in any formation; no penalty": a remark in the place of the cells.
        let wide = rows[head].filled().len() >= 3 && ranges.len() >= 2;
        if wide && filled.len() == 2 && filled[1].text.split_whitespace().count() >= 5 {
            break;
        }
        ranges.push(place..place + 1);
    }
    ranges
}

/// Tells if the first column only names the axis: one text beside many rows.
fn axis_only(rows: &[SheetRow], head: usize) -> bool {
    let body: Vec<&SheetRow> =
        rows[head + 1..].iter().take_while(|row| row.table == rows[head].table).collect();
    body.iter().filter(|row| !row.cells[0].text.is_empty()).count() <= 1 && body.len() >= 4
}

/// Takes off a first column that only names the axis.
fn drop_axis(heads: &mut Vec<PrintedCell>, rows: &mut [GridRow]) -> Option<String> {
    let named: Vec<String> =
        rows.iter().map(|row| row.head.text.clone()).filter(|text| !text.is_empty()).collect();
    if rows.len() < 3 || named.len() > 1 || heads.len() < 2 {
        return None;
    }
    for row in rows.iter_mut() {
        row.head = row.cells.remove(0);
    }
    heads.remove(0);
    Some(named.into_iter().next().unwrap_or_default())
}

fn short_values(rows: &[&SheetRow]) -> bool {
    rows.iter().all(|row| row.filled().iter().skip(1).all(|c| c.text.chars().count() <= 12))
}

/// Tells if the headings and cells make a table.
fn consistent(heads: &[PrintedCell], rows: &[GridRow], marked_up: bool, forced: bool) -> bool {
    let named = heads.iter().filter(|h| !h.text.is_empty()).count();
    if named * 10 < heads.len() * 8 || rows.iter().any(|row| row.head.text.is_empty()) {
        return false;
    }
    if rows.iter().any(|row| row.head.text.chars().count() > 80)
        || heads.iter().any(|h| h.text.chars().count() > 80)
    {
        return false;
    }
    if forced {
        return true;
    }
    // "Radar fitted, 3" above "Moonlight, 1" is a list.
    if let [only] = heads
        && only.text.trim_start_matches(['-', '–', '+']).parse::<i32>().is_ok()
    {
        return false;
    }
    // A number among headings in words is a row, not a head.
    let sure = heads.iter().filter(|h| h.text.parse::<i32>().is_ok()).count();
    // A letter is a misread digit only among digits: S is a column of many sheets.
    let misread = |text: &str| band::repaired(text).is_some_and(|read| read.parse::<i32>().is_ok());
    let among = !marked_up || sure * 2 >= named;
    let numbers = sure + heads.iter().filter(|h| among && misread(&h.text)).count();
    if numbers > 0 && numbers < named {
        return false;
    }
    // A number to reach, or "none", is a cell: the row is one of the rows below it.
    let reach = |text: &str| text.ends_with('+') && crate::link::target(text).is_some();
    let cell = |at: usize| {
        let below = rows.iter().filter(|row| row.cells.get(at).is_some_and(|c| reach(&c.text)));
        let own = &heads[at].text;
        (reach(own) || crate::link::is_nothing(own) || own.eq_ignore_ascii_case("none"))
            && !own.is_empty()
            && below.count() * 2 >= rows.len()
    };
    if !marked_up && (0..heads.len()).any(cell) {
        return false;
    }
    // A first row that looks like the rows below it is one of them: "5,6 to 20cm" above "5,6 to 15cm".
    let alike = |at: usize| {
        let head = shape(&heads[at].text);
        let below =
            rows.iter().filter(|row| row.cells.get(at).is_some_and(|c| shape(&c.text) == head));
        head.contains('9') && head.contains('a') && below.count() * 2 > rows.len()
    };
    if !marked_up && (0..heads.len()).any(alike) {
        return false;
    }
    // Two columns of one name cannot be told apart.
    if heads.iter().enumerate().any(|(at, head)| {
        !head.text.is_empty() && heads[..at].iter().any(|known| known.text == head.text)
    }) {
        return false;
    }
    // Lists side by side are no grid.
    let listed = |text: &str| {
        crate::amount::leading(text)
            .is_some_and(|at| at.label.chars().filter(|c| c.is_alphabetic()).count() > 2)
    };
    let keyed = |text: &str| {
        listed(text) || crate::dice::roll_line(text).is_some() || {
            let tokens = tokens(text);
            band::prefix(&tokens).is_some_and(|at| {
                !at.band.is_single()
                    && tokens.get(at.next).is_some_and(|t| t.word().is_some_and(|w| w.len() > 2))
            })
        }
    };
    let figures = |row: &GridRow| row.cells.iter().all(|c| c.text.chars().count() <= 5);
    let lists = rows.iter().filter(|row| keyed(&row.head.text) && !figures(row)).count() >= 2
        || (0..heads.len()).any(|at| {
            rows.iter().filter(|row| row.cells.get(at).is_some_and(|c| keyed(&c.text))).count() >= 2
        });
    if lists {
        return false;
    }
    // A row of figures is a head only if they rise, as numbers of a scale do.
    let figures: Option<Vec<i32>> = heads.iter().map(|h| h.text.parse().ok()).collect();
    if figures.is_some_and(|figures| !figures.windows(2).all(|pair| pair[0] < pair[1])) {
        return false;
    }
    let cells: Vec<&PrintedCell> = rows.iter().flat_map(|row| &row.cells).collect();
    let filled = cells.iter().filter(|c| !c.text.is_empty()).count();
    let longest = cells.iter().map(|c| c.text.chars().count()).max().unwrap_or(0);
    if filled * 10 < cells.len() * 6 {
        return false;
    }
    if marked_up {
        return true;
    }
    // In plain text, words in columns may be prose. Cells must be short and the rows even.
    let full = rows.iter().filter(|row| row.cells.iter().all(|c| !c.text.is_empty())).count();
    let sentences = rows.iter().filter(|row| row.head.text.split_whitespace().count() > 6).count();
    longest <= 40
        && full * 10 >= rows.len() * 7
        && sentences == 0
        && titles::is_short_name(&crate::capital(&rows[0].head.text))
            | rows[0].head.text.chars().any(|c| c.is_ascii_digit())
}

/// A text with each run of letters as `a` and each run of digits as `9`.
fn shape(text: &str) -> String {
    let mut shape = String::new();
    for c in text.chars() {
        let kind = match c {
            c if c.is_ascii_digit() => '9',
            c if c.is_alphabetic() => 'a',
            c => c,
        };
        if !(shape.ends_with(kind) && matches!(kind, '9' | 'a')) {
            shape.push(kind);
        }
    }
    shape
}
