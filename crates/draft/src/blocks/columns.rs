//! Which column of a table a cell belongs to.

use super::{cell, extend};
use crate::model::Cell;
use crate::source::{COLUMN, Row, RowCell};

/// The columns of a table, by their place across the page.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    spans: Vec<(usize, usize)>,
    marked_up: bool,
}

impl Columns {
    /// The columns of these rows. In plain text, the rows with most cells show where they are.
    pub fn of(rows: &[&Row]) -> Columns {
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
    pub fn place(&self, row: &Row) -> Vec<Cell> {
        let mut found = vec![Cell::default(); self.spans.len()];
        let whole = !self.marked_up && row.cells.len() == self.spans.len();
        for (place, each) in row.cells.iter().enumerate() {
            let column = if whole { place } else { self.of_cell(each) };
            if let Some(slot) = found.get_mut(column) {
                extend(slot, each);
            }
        }
        found
    }

    /// The headings of a row above the table. One blank may part two headings.
    pub fn heads(&self, row: &Row) -> Vec<Cell> {
        let filled = row.filled();
        if !self.marked_up && filled.len() < self.spans.len() {
            // A heading above each column but the first.
            let above = |place: usize, cell: &RowCell| {
                let span = self.spans[place + 1];
                let apart = (cell.x.0 + cell.x.1).abs_diff(span.0 + span.1);
                (cell.x.0 < span.1 && span.0 < cell.x.1) || apart <= 8
            };
            if filled.len() + 1 == self.spans.len()
                && filled.iter().enumerate().all(|(place, cell)| above(place, cell))
            {
                let mut found = vec![Cell::default()];
                found.extend(filled.iter().map(|each| cell(each)));
                return found;
            }
            let parted: Vec<RowCell> = filled.iter().flat_map(|cell| self.parted(cell)).collect();
            if parted.len() > filled.len() {
                let parted = Row { cells: parted, ..row.clone() };
                return if parted.cells.len() == self.spans.len() {
                    parted.cells.iter().map(cell).collect()
                } else {
                    self.place(&parted)
                };
            }
            let words: Vec<RowCell> = filled.iter().flat_map(|cell| words_of(cell)).collect();
            // As many words as columns, or as many words as columns without the first.
            let near = |word: &RowCell, column: usize| {
                word.x.0.abs_diff(self.start(column)) <= 6
                    || (word.x.0 < self.spans[column].1 && self.spans[column].0 < word.x.1)
            };
            if words.len() == self.spans.len()
                && words.iter().enumerate().all(|(at, word)| near(word, at))
            {
                return words.iter().map(cell).collect();
            }
            if words.len() + 1 == self.spans.len()
                && filled.len() + 1 < self.spans.len()
                && words.iter().enumerate().all(|(at, word)| near(word, at + 1))
                && words[0].x.0 + 3 >= self.start(1)
            {
                let mut found = vec![Cell::default()];
                found.extend(words.iter().map(cell));
                return found;
            }
            if filled.len() + 1 == self.spans.len()
                && filled.first().is_some_and(|first| first.x.1 > self.start(1))
            {
                let mut found = vec![Cell::default()];
                found.extend(filled.iter().map(|each| cell(each)));
                return found;
            }
        }
        self.place(row)
    }
}

impl Columns {
    /// A heading that reaches over the start of another column, parted at the word that starts there.
    fn parted(&self, of: &RowCell) -> Vec<RowCell> {
        for (start, _) in
            self.spans.iter().skip(1).filter(|span| span.0 > of.x.0 + 2 && span.0 + 2 < of.x.1)
        {
            let at = of.text.char_indices().enumerate().find(|(count, (byte, c))| {
                *c != ' '
                    && (of.x.0 + count).abs_diff(*start) <= 1
                    && of.text[..*byte].ends_with(' ')
            });
            if let Some((count, (byte, _))) = at {
                let cut = (of.at.start + byte).min(of.at.end);
                let first = RowCell {
                    text: of.text[..byte].trim_end().to_owned(),
                    at: of.at.start..cut,
                    x: (of.x.0, of.x.0 + count - 1),
                };
                let second = RowCell {
                    text: of.text[byte..].to_owned(),
                    at: cut..of.at.end,
                    x: (of.x.0 + count, of.x.1),
                };
                return std::iter::once(first).chain(self.parted(&second)).collect();
            }
        }
        vec![of.clone()]
    }
}

pub(crate) fn words_of(of: &RowCell) -> Vec<RowCell> {
    let mut found = Vec::new();
    let mut from = 0;
    for word in of.text.split(' ') {
        let x = of.x.0 + of.text[..from].chars().count();
        found.push(RowCell {
            text: word.to_owned(),
            at: of.at.clone(),
            x: (x, x + word.chars().count()),
        });
        from += word.len() + 1;
    }
    found
}
