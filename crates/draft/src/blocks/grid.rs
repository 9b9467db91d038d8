//! Tables with headings down and across: movement, odds, ranges. Where scores stand across, the table
//! is turned into one by bands.

use super::columns::Columns;
use super::{Context, Pieces, Taken, bands, titles};
use crate::band::{self, Band};
use crate::model::{BandRow, BandTable, Cell, Content, Grid, GridRow, GuessKind};
use crate::source::{Row, RowCell};
use crate::token::tokens;

/// Names, each with a number: that which dice must reach ("Flak vest   6+"), or a value ("Veteran   9").
/// A row of headings may stand above them.
pub(crate) fn targets(rows: &[Row], context: &Context) -> Option<Taken> {
    let heads = named_heads(rows);
    let from = usize::from(heads.is_some());
    let list = named_numbers(rows.get(from..)?, |text| {
        crate::link::target(text).is_some() && text.contains('+')
    });
    let reached = context.rolled || context.reach || (from == 1 && list.len() >= 3);
    let (list, known) = match list.len() >= 2 && reached {
        true => (list, true),
        // Bare numbers may be modifiers whose signs are lost: only below a title of their own.
        false => {
            let digit = |c: char| c.is_ascii_digit();
            let plain = |text: &str| (1..=3).contains(&text.len()) && text.chars().all(digit);
            let list = named_numbers(rows, plain);
            let known = list.len() >= 3 && context.titled_now && !context.listed;
            (list, known)
        }
    };
    known.then(|| {
        let from = rows.iter().position(|row| row.line == list[0].line).unwrap_or(0);
        let taken = from + list.len();
        let (corner, column) = heads.filter(|_| from == 1).unwrap_or_default();
        (Content::Grid(Grid { corner, columns: vec![column], rows: list }), taken)
    })
}

/// "Target   Roll to damage" above names and numbers.
fn named_heads(rows: &[Row]) -> Option<(String, Cell)> {
    let (row, next) = (rows.first()?, rows.get(1)?);
    let filled = row.filled();
    let [corner, column] = filled.as_slice() else { return None };
    let words = |cell: &RowCell| {
        cell.text.chars().filter(|c| c.is_alphabetic()).count() >= 3
            && !cell.text.contains(|c: char| c.is_ascii_digit() || c == '+')
            && cell.text.split_whitespace().count() <= 4
    };
    (words(corner) && words(column) && !next.gap && row.table == next.table && !row.head)
        .then(|| (corner.text.clone(), super::cell(column)))
}

/// The rows of a list of names with a number each.
fn named_numbers(rows: &[Row], number_like: impl Fn(&str) -> bool) -> Vec<GridRow> {
    let of = |row: &Row| {
        let filled = row.filled();
        let [name, number] = filled.as_slice() else { return None };
        let named = name.text.chars().filter(|c| c.is_alphabetic()).count() >= 3
            && band::prefix(&tokens(&name.text)).is_none();
        (named && number_like(&number.text) && !row.head && !row.furniture).then(|| GridRow {
            head: super::cell(name),
            cells: vec![super::cell(number)],
            line: row.line,
        })
    };
    let same = |row: &&Row| row.table == rows[0].table;
    rows.iter()
        .enumerate()
        .take_while(|(place, row)| *place == 0 || !row.gap)
        .map(|(_, row)| row)
        .take_while(same)
        .map_while(of)
        .collect()
}

pub(crate) fn read(rows: &[Row], context: &Context, found: &mut Pieces) -> Option<Taken> {
    let (head, across) = head_row(rows)?;
    if let Some(joined) = joined_heads(rows, head) {
        let mut changed = rows.to_vec();
        changed[head + 1] = joined;
        let (content, taken) = read(&changed[head + 1..], context, found)?;
        return Some((content, taken + head + 1));
    }
    let body = body(rows, head);
    let least = if context.forced { 1 } else { 2 };
    if body.len() < least {
        return two_lines(rows, head);
    }
    let last = body.last().map(|line| line.end)?;
    let widest = body.iter().map(|line| rows[line.start].filled().len()).max().unwrap_or(0);
    let parted: Vec<Row> = body.iter().map(|line| parted(&rows[line.start], widest)).collect();
    let used: Vec<&Row> = parted.iter().collect();
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
    let mut lines: Vec<GridRow> = Vec::new();
    for (line, main) in body.iter().zip(&parted) {
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
    let mut corner = heads.remove(0);
    let named_axis = drop_axis(&mut heads, &mut lines);
    if let Some(axis) = &named_axis {
        corner.text = axis.clone();
    }
    // Two rows of one name cannot be told apart: the table has two columns of heads.
    let mut known = std::collections::BTreeSet::new();
    if !lines.iter().all(|row| known.insert(row.head.text.to_lowercase())) {
        let text = rows[..last].iter().map(Row::text).collect::<Vec<_>>().join(" ");
        return rows[head].table.map(|_| (Content::NotUnderstood(text), last));
    }
    if !consistent(&heads, &lines, rows[head].table.is_some(), context.forced) {
        return None;
    }
    let corner_text = corner.text.trim_end_matches([':', '.']).to_owned();
    let corner_text = match (corner_text.is_empty(), across) {
        (false, _) => corner_text,
        (true, text) => text.unwrap_or_default(),
    };
    let grid = Grid { corner: corner_text, columns: heads, rows: lines };
    if let Some(table) = turned(&grid, context) {
        blank_cells(&grid, found);
        return Some((Content::Bands(table), last));
    }
    blank_cells(&grid, found);
    if let Some(table) = by_bands(&grid, context) {
        return Some((Content::Bands(table), last));
    }
    Some((Content::Grid(grid), last))
}

/// A row whose head and first figure are one cell: "Infantry 4   4   2".
fn parted(row: &Row, widest: usize) -> Row {
    let mut own = row.clone();
    let filled = row.filled().len();
    if row.table.is_some() || filled + 1 != widest || row.cells.len() != filled {
        return own;
    }
    let first = &row.cells[0];
    let figure = |text: &str| text.chars().next().is_some_and(|c| c.is_ascii_digit());
    if let Some((head, last)) = first.text.rsplit_once(' ')
        && figure(last)
        && row.cells[1..].iter().all(|c| figure(&c.text))
    {
        let cut = first.at.end - last.len().min(first.at.end - first.at.start);
        let x = first.x.1.saturating_sub(last.chars().count());
        let second = RowCell { text: last.to_owned(), at: cut..first.at.end, x: (x, first.x.1) };
        own.cells[0] = RowCell {
            text: head.to_owned(),
            at: first.at.start..cut,
            x: (first.x.0, x.saturating_sub(1)),
        };
        own.cells.insert(1, second);
    }
    own
}

/// Two rows of headings as one: "Range | Range" above "0-10 | 10-20".
fn joined_heads(rows: &[Row], head: usize) -> Option<Row> {
    let (above, below) = (&rows[head], rows.get(head + 1)?);
    if above.table.is_none() || above.table != below.table || above.cells.len() != below.cells.len()
    {
        return None;
    }
    let word = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    let twice = above
        .cells
        .windows(2)
        .skip(1)
        .any(|pair| word(&pair[0].text) && pair[0].text == pair[1].text);
    let corner = below.cells[0].text.is_empty() || below.cells[0].text == above.cells[0].text;
    if !twice || !corner {
        return None;
    }
    let mut joined = below.clone();
    for (cell, over) in joined.cells.iter_mut().zip(&above.cells) {
        if cell.text != over.text {
            cell.text = format!("{} {}", over.text, cell.text).trim().to_owned();
        }
    }
    Some(joined)
}

/// How many rows a grid that starts here would have.
pub(crate) fn extent(rows: &[Row]) -> usize {
    head_row(rows).and_then(|(head, _)| body(rows, head).last().map(|line| line.end)).unwrap_or(0)
}

fn blank_cells(grid: &Grid, found: &mut Pieces) {
    for row in &grid.rows {
        for cell in row.cells.iter().filter(|c| c.text.is_empty()) {
            found.guess(GuessKind::Blank, row.line, cell.at.clone(), &row.head.text);
        }
    }
}

/// The row with the headings, and a heading above it for all of them.
fn head_row(rows: &[Row]) -> Option<(usize, Option<String>)> {
    let first = &rows[0];
    if first.filled().len() >= 2 {
        return head_like(first).then_some((0, None));
    }
    // One cell above the columns of a table with markup: what stands across.
    let next = rows.get(1)?;
    let above = first.table.is_some()
        && next.table == first.table
        && first.cells.iter().position(|c| !c.text.is_empty()).is_some_and(|at| at > 0);
    (above && next.filled().len() >= 2 && head_like(next)).then_some((1, None))
}

fn head_like(row: &Row) -> bool {
    let cells = row.filled();
    cells.iter().all(|c| {
        c.text.chars().count() <= 45
            && !(c.text.ends_with('.')
                && !c.text.ends_with("...")
                && c.text.split_whitespace().count() > 2)
    })
}

/// The rows of the body, each with the rows that go on with it.
fn body(rows: &[Row], head: usize) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
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
            if found.is_empty()
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
            if headless && !found.is_empty() && !axis {
                if let Some(last) = found.last_mut() {
                    last.end = place + 1;
                }
                continue;
            }
            if filled.len() < 2 {
                break;
            }
            found.push(place..place + 1);
            continue;
        }
        if row.gap && !found.is_empty() && row.strip == 0 {
            break;
        }
        let lower = first.text.chars().next().is_some_and(|c| c.is_lowercase() || c == '(');
        let start = rows[head + 1].cells[0].x.0;
        let indented = first.x.0 > start + 2;
        if (lower || indented) && !found.is_empty() {
            if let Some(last) = found.last_mut() {
                last.end = place + 1;
            }
            continue;
        }
        if filled.len() < 2
            || first.text.ends_with('.') && first.text.split_whitespace().count() > 4
        {
            break;
        }
        found.push(place..place + 1);
    }
    found
}

/// Whether the first column only names the axis: one text beside many rows.
fn axis_only(rows: &[Row], head: usize) -> bool {
    let body: Vec<&Row> =
        rows[head + 1..].iter().take_while(|row| row.table == rows[head].table).collect();
    body.iter().filter(|row| !row.cells[0].text.is_empty()).count() <= 1 && body.len() >= 4
}

/// Takes off a first column that only names the axis.
fn drop_axis(heads: &mut Vec<Cell>, rows: &mut [GridRow]) -> Option<String> {
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

fn short_values(rows: &[&Row]) -> bool {
    rows.iter().all(|row| row.filled().iter().skip(1).all(|c| c.text.chars().count() <= 12))
}

/// Whether the headings and cells make a table.
fn consistent(heads: &[Cell], rows: &[GridRow], marked_up: bool, forced: bool) -> bool {
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
    // A number among headings in words is a row, not a head.
    let sure = heads.iter().filter(|h| h.text.parse::<i32>().is_ok()).count();
    // A letter is a misread digit only among digits: S is a column of many sheets.
    let misread = |text: &str| band::repaired(text).is_some_and(|read| read.parse::<i32>().is_ok());
    let among = !marked_up || sure * 2 >= named;
    let numbers = sure + heads.iter().filter(|h| among && misread(&h.text)).count();
    if numbers > 0 && numbers < named {
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
    let keyed = |text: &str| {
        crate::amount::leading(text).is_some() || crate::dice::roll_line(text).is_some() || {
            let found = tokens(text);
            band::prefix(&found).is_some_and(|at| {
                !at.band.is_single()
                    && found.get(at.next).is_some_and(|t| t.word().is_some_and(|w| w.len() > 2))
            })
        }
    };
    let lists = rows.iter().filter(|row| keyed(&row.head.text)).count() >= 2
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
    let cells: Vec<&Cell> = rows.iter().flat_map(|row| &row.cells).collect();
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
        && titles::is_short_name(&capital(&rows[0].head.text))
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

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// A table with scores across and words down, turned.
fn turned(grid: &Grid, context: &Context) -> Option<BandTable> {
    let across: Option<Vec<Band>> = grid.columns.iter().map(|c| of_head(&c.text)).collect();
    let across = across?;
    if across.len() < 2 {
        return None;
    }
    let numeric =
        grid.rows.iter().flat_map(|row| &row.cells).all(|c| c.text.parse::<f32>().is_ok());
    let passed = grid.columns.iter().all(|c| tokens(&c.text).first().is_some_and(|t| t.is("pass")));
    let named = bands::score_head(&grid.corner) && !numeric;
    if !(passed || named || (context.rolled && !numeric))
        || grid.rows.iter().any(|row| band::whole(&row.head.text).is_some())
    {
        return None;
    }
    let up = across.windows(2).all(|pair| pair[0].is_before(&pair[1]));
    let down = across.windows(2).all(|pair| pair[1].is_before(&pair[0]));
    if !up && !down {
        return None;
    }
    let mut rows: Vec<BandRow> = across
        .iter()
        .enumerate()
        .map(|(place, band)| BandRow {
            band: *band,
            cells: grid.rows.iter().map(|row| row.cells[place].clone()).collect(),
            line: grid.rows[0].line,
            guessed: false,
            when: None,
        })
        .collect();
    if down {
        rows.reverse();
    }
    let score = if passed { "passed".to_owned() } else { grid.corner.clone() };
    Some(BandTable {
        score,
        columns: grid.rows.iter().map(|row| row.head.text.clone()).collect(),
        across: String::new(),
        rows,
    })
}

/// A table whose row heads are bands in words: "0 passed".
fn by_bands(grid: &Grid, context: &Context) -> Option<BandTable> {
    let bands: Option<Vec<Band>> =
        grid.rows.iter().map(|row| band::whole(&row.head.text)).collect();
    let bands = bands?;
    let up = bands.windows(2).all(|pair| pair[0].is_before(&pair[1]));
    let down = bands.windows(2).all(|pair| pair[1].is_before(&pair[0]));
    let figures = grid.columns.iter().all(|c| c.text.parse::<i32>().is_ok());
    if bands.len() < 2
        || !(up || down)
        || figures
        || !(context.rolled || bands::score_head(&grid.corner))
    {
        return None;
    }
    let mut rows: Vec<BandRow> = grid
        .rows
        .iter()
        .zip(bands)
        .map(|(row, band)| BandRow {
            band,
            cells: row.cells.clone(),
            line: row.line,
            guessed: false,
            when: None,
        })
        .collect();
    if down {
        rows.reverse();
    }
    Some(BandTable {
        score: grid.corner.clone(),
        columns: grid.columns.iter().map(|c| c.text.clone()).collect(),
        across: String::new(),
        rows,
    })
}

fn of_head(text: &str) -> Option<Band> {
    let found = tokens(text);
    if found.first().is_some_and(|t| t.is("pass")) {
        let n = found.get(1)?.num()?;
        return Some(Band::exactly(n));
    }
    band::whole(text)
}

/// Two lines that belong together: "Odds  1-2  1-1  2-1 / Kill number  4  5  7".
fn two_lines(rows: &[Row], head: usize) -> Option<Taken> {
    let (above, below) = (&rows[head], rows.get(head + 1)?);
    let (names, values) = (above.filled(), below.filled());
    if names.len() != values.len()
        || names.len() < 4
        || above.table != below.table
        || rows.get(head + 2).is_some_and(|row| !row.gap && row.filled().len() == names.len())
    {
        return None;
    }
    let numbers = values[1..].iter().all(|c| c.text.parse::<i32>().is_ok());
    let words = names[0].text.chars().any(char::is_alphabetic)
        && values[0].text.chars().any(char::is_alphabetic);
    let figures = names[1..].iter().all(|c| c.text.parse::<i32>().is_ok());
    if !numbers || !words || figures {
        return None;
    }
    let row = |place: usize| GridRow {
        head: super::cell(names[place]),
        cells: vec![super::cell(values[place])],
        line: below.line,
    };
    let tidy = |text: &str| text.trim_end_matches([':', '.']).to_owned();
    let column = Cell { text: tidy(&values[0].text), at: values[0].at.clone() };
    let grid = Grid {
        corner: tidy(&names[0].text),
        columns: vec![column],
        rows: (1..names.len()).map(row).collect(),
    };
    Some((Content::Grid(grid), head + 2))
}
