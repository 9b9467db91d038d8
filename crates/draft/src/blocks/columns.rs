//! Which column of a table a cell belongs to.

use super::extend;
use crate::model::PrintedCell;
use crate::source::{COLUMN, RowCell, SheetRow};

/// The columns of a table, by their place across the page.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    spans: Vec<(usize, usize)>,
    marked_up: bool,
}

impl Columns {
    /// The columns of these rows. In plain text, the rows with most cells show where they are.
    pub fn of(rows: &[&SheetRow]) -> Columns {
        if rows.first().is_some_and(|row| row.table.is_some()) {
            let count = rows
                .iter()
                .flat_map(|row| row.filled().last().map(|c| c.x.0 / COLUMN + 1))
                .max()
                .unwrap_or(0);
            return Columns {
                spans: (0..count).map(|n| (n * COLUMN, n * COLUMN + 1)).collect(),
                marked_up: true,
            };
        }
        let count = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for row in rows.iter().filter(|row| row.cells.len() == count) {
            for (place, cell) in row.cells.iter().enumerate() {
                match spans.get_mut(place) {
                    Some(span) => *span = (span.0.min(cell.x.0), span.1.max(cell.x.1)),
                    None => spans.push(cell.x),
                }
            }
        }
        Columns { spans, marked_up: false }
    }

    pub fn count(&self) -> usize {
        self.spans.len()
    }

    pub fn start(&self, column: usize) -> usize {
        self.spans.get(column).map_or(usize::MAX, |span| span.0)
    }

    pub fn span(&self, column: usize) -> (usize, usize) {
        self.spans.get(column).copied().unwrap_or_default()
    }

    /// The columns above which a cell stands, in plain text.
    pub fn under(&self, cell: &RowCell) -> Vec<usize> {
        let over = |span: &(usize, usize)| cell.x.0 < span.1 + 1 && span.0 < cell.x.1 + 1;
        (0..self.spans.len()).filter(|at| over(&self.spans[*at])).collect()
    }

    /// The column of a cell.
    pub fn of_cell(&self, cell: &RowCell) -> usize {
        if self.marked_up {
            return (cell.x.0 / COLUMN).min(self.spans.len().saturating_sub(1));
        }
        let distance = |span: &(usize, usize)| {
            let overlap = cell.x.1.min(span.1).saturating_sub(cell.x.0.max(span.0));
            let middle = (cell.x.0 + cell.x.1).abs_diff(span.0 + span.1);
            (std::cmp::Reverse(overlap), middle)
        };
        (0..self.spans.len()).min_by_key(|place| distance(&self.spans[*place])).unwrap_or(0)
    }

    /// The cells of a row, one for each column. In a row with all cells they stay in order.
    pub fn place(&self, row: &SheetRow) -> Vec<PrintedCell> {
        let mut cells = vec![PrintedCell::default(); self.spans.len()];
        let whole = !self.marked_up && row.cells.len() == self.spans.len();
        for (place, each) in row.cells.iter().enumerate() {
            let column = if whole { place } else { self.of_cell(each) };
            if let Some(slot) = cells.get_mut(column) {
                extend(slot, each);
            }
        }
        cells
    }

    /// The headings of a row above the table. One blank may part two headings.
    pub fn heads(&self, row: &SheetRow) -> Vec<PrintedCell> {
        if self.marked_up || row.filled().len() >= self.spans.len() {
            return self.place(row);
        }
        self.heads_by_words(row).unwrap_or_else(|| self.place(row))
    }

    /// The words of headings, each given to a column so that they stand as near to it as possible. Cells
    /// with a gap between them are never joined. Every column but the first gets a word.
    fn heads_by_words(&self, row: &SheetRow) -> Option<Vec<PrintedCell>> {
        let filled = row.filled();
        let words: Vec<(usize, RowCell)> = filled
            .iter()
            .enumerate()
            .flat_map(|(cell, of)| words_of(of).into_iter().map(move |word| (cell, word)))
            .collect();
        let columns = self.spans.len();
        if words.is_empty() || words.len() > MOST_HEAD_WORDS || words.len() + 1 < columns {
            return None;
        }
        let gap = |word: &RowCell, column: usize| {
            let span = self.spans[column];
            span.0.saturating_sub(word.x.1).max(word.x.0.saturating_sub(span.1))
        };
        let apart = |word: &RowCell, column: usize| {
            let span = self.spans[column];
            let gap = gap(word, column);
            let middle = (word.x.0 + word.x.1).abs_diff(span.0 + span.1);
            gap * 4 + middle
        };
        // For each word and column: the least cost, and the column of the word before.
        let mut costs: Vec<Vec<Option<(usize, usize)>>> = vec![vec![None; columns]; words.len()];
        for (column, cost) in costs[0].iter_mut().enumerate().take(2) {
            *cost = Some((apart(&words[0].1, column), column));
        }
        for at in 1..words.len() {
            let same_cell = words[at].0 == words[at - 1].0;
            for column in 0..columns {
                let stay =
                    costs[at - 1][column].filter(|_| same_cell).map(|(cost, _)| (cost, column));
                let split = if same_cell { SPLIT } else { 0 };
                let next = column.checked_sub(1).and_then(|before| {
                    costs[at - 1][before].map(|(cost, _)| (cost + split, before))
                });
                let best = stay.into_iter().chain(next).min();
                costs[at][column] =
                    best.map(|(cost, before)| (cost + apart(&words[at].1, column), before));
            }
        }
        let mut column = columns - 1;
        costs[words.len() - 1][column]?;
        let mut heads = vec![Vec::new(); columns];
        let mut columns_of = vec![0; words.len()];
        for at in (0..words.len()).rev() {
            heads[column].insert(0, &words[at].1);
            columns_of[at] = column;
            column = costs[at][column]?.1;
        }
        // Words of one cell are parted only where they stand above their columns.
        let far = (1..words.len()).any(|at| {
            words[at].0 == words[at - 1].0
                && columns_of[at] != columns_of[at - 1]
                && (gap(&words[at].1, columns_of[at]) > NEAR
                    || gap(&words[at - 1].1, columns_of[at - 1]) > NEAR)
        });
        if far {
            return word_by_word(&words, columns);
        }
        Some(heads.iter().map(|words| super::joined(words)).collect())
    }
}

/// As many words with a capital as columns: one each, wherever they stand. OCR lets columns drift.
fn word_by_word(words: &[(usize, RowCell)], columns: usize) -> Option<Vec<PrintedCell>> {
    let named = |(_, word): &(usize, RowCell)| {
        word.text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
    };
    (words.len() == columns && words.iter().all(named))
        .then(|| words.iter().map(|(_, word)| super::joined(&[word])).collect())
}

/// The longest row of headings that is given to columns word by word.
const MOST_HEAD_WORDS: usize = 40;
/// The farthest that a heading that is parted may stand from its column.
const NEAR: usize = 3;
/// The cost of parting words that stand one blank apart.
const SPLIT: usize = 6;

pub(crate) fn words_of(of: &RowCell) -> Vec<RowCell> {
    let mut parts = Vec::new();
    let mut from = 0;
    for word in of.text.split(' ') {
        let x = of.x.0 + of.text[..from].chars().count();
        parts.push(RowCell {
            text: word.to_owned(),
            at: of.at.clone(),
            x: (x, x + word.chars().count()),
        });
        from += word.len() + 1;
    }
    parts
}
