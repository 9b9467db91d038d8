//! Grids that are tables by scores: scores stand across, or down the side in words.

use super::super::{Context, Taken, bands};
use crate::band::{self, Band};
use crate::model::{BandRow, BandTable, Content, GridRow, PrintedCell, WordTable};
use crate::source::{RowCell, SheetRow};
use crate::token::tokens;

/// A table with scores across and words down, turned.
pub(super) fn turned(grid: &WordTable, context: &Context) -> Option<BandTable> {
    let across: Option<Vec<Band>> = grid.columns.iter().map(|c| of_head(&c.text)).collect();
    let across = across?;
    if across.len() < 2 {
        return None;
    }
    let figure =
        |c: &PrintedCell| c.text.parse::<f32>().is_ok() || crate::link::is_nothing(&c.text);
    let numeric = grid.rows.iter().flat_map(|row| &row.cells).all(figure);
    // Columns by distance are not scores of dice.
    if grid.columns.iter().all(|c| bands::is_distance(&c.text)) {
        return None;
    }
    // Numbers to reach, by range.
    let cells = || grid.rows.iter().flat_map(|row| &row.cells);
    let reach = cells().filter(|c| c.text.ends_with('+') && crate::link::target(&c.text).is_some());
    if reach.count() * 2 > cells().count() {
        return None;
    }
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
        rows,
        ..BandTable::default()
    })
}

/// A table whose row heads are bands in words: "0 passed".
pub(super) fn by_bands(grid: &WordTable, context: &Context) -> Option<BandTable> {
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
        rows,
        ..BandTable::default()
    })
}

pub(super) fn of_head(text: &str) -> Option<Band> {
    let tokens = tokens(text);
    if tokens.first().is_some_and(|t| t.is("pass")) {
        let n = tokens.get(1)?.num()?;
        return Some(Band::exactly(n));
    }
    band::whole(text)
}

/// Two lines that belong together: "Odds  1-2  1-1  2-1 / Kill number  4  5  7".
pub(super) fn two_lines(rows: &[SheetRow], head: usize) -> Option<Taken> {
    let (above, below) = (&rows[head], rows.get(head + 1)?);
    let (names, values) = (above.filled(), below.filled());
    if names.len() != values.len()
        || names.len() < 4
        || above.table != below.table
        || rows.get(head + 2).is_some_and(|row| !row.gap && row.filled().len() == names.len())
    {
        return None;
    }
    // "Roll   1 or less   2-3   4+" above "Result   Lost   Near miss   Hit"
    let scores: Option<Vec<Band>> = names[1..].iter().map(|c| band::whole(&c.text)).collect();
    if let Some(scores) = scores
        && bands::score_head(&names[0].text)
        && scores.windows(2).all(|pair| pair[0].is_before(&pair[1]))
        && values[1..].iter().any(|c| c.text.chars().any(char::is_alphabetic))
    {
        let row = |(band, cell): (&Band, &&RowCell)| BandRow {
            band: *band,
            cells: vec![super::super::cell(cell)],
            line: below.line,
            guessed: false,
            when: None,
        };
        let table = BandTable {
            score: names[0].text.clone(),
            columns: vec![String::new()],
            rows: scores.iter().zip(&values[1..]).map(row).collect(),
            ..BandTable::default()
        };
        return Some((Content::Bands(table), head + 2));
    }
    // "Aim   1   2   3" above "Needed   6+   5+   4+"
    let reach = |c: &&RowCell| c.text.ends_with('+') && crate::link::target(&c.text).is_some();
    if (above.table.is_some() || !below.gap) && values[1..].iter().all(reach) {
        let row = GridRow {
            head: super::super::cell(values[0]),
            cells: values[1..].iter().map(|c| super::super::cell(c)).collect(),
            line: below.line,
        };
        let columns = names[1..].iter().map(|c| super::super::cell(c)).collect();
        let grid = WordTable { corner: names[0].text.clone(), columns, rows: vec![row] };
        return Some((Content::Grid(grid), head + 2));
    }
    let numbers = values[1..].iter().all(|c| c.text.parse::<i32>().is_ok());
    let words = names[0].text.chars().any(char::is_alphabetic)
        && values[0].text.chars().any(char::is_alphabetic);
    let figures = names[1..].iter().all(|c| c.text.parse::<i32>().is_ok());
    if !numbers || !words || figures {
        return None;
    }
    let row = |place: usize| GridRow {
        head: super::super::cell(names[place]),
        cells: vec![super::super::cell(values[place])],
        line: below.line,
    };
    let tidy = |text: &str| text.trim_end_matches([':', '.']).to_owned();
    let column = PrintedCell { text: tidy(&values[0].text), at: values[0].at.clone() };
    let grid = WordTable {
        corner: tidy(&names[0].text),
        columns: vec![column],
        rows: (1..names.len()).map(row).collect(),
    };
    Some((Content::Grid(grid), head + 2))
}
