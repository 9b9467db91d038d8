//! Tables as strips, one for each row. A table that is too wide is transposed. If it is still too
//! wide, it spans the page, in pieces if necessary.

use super::strip::Strip;
use super::text::{Line, Piece, plain_piece, spaced};
use super::{HAIR, Typesetter};
use crate::draw::{Ink, Mark, Style};
use crate::reference::Table;
use std::sync::Arc;

/// A table with more lines than this in a cell is too narrow to read.
const MAX_LINES: usize = 5;

/// The columns of a table.
struct Columns {
    /// The horizontal range of each column's text.
    spans: Vec<(f64, f64)>,
    /// Which columns have short entries, which are centred.
    middle: Vec<bool>,
    letters: f64,
    /// The style of the first column: bold for bands and numbers, plain for sentences.
    first: Style,
}

impl Typesetter<'_> {
    /// A table of column width, upright or transposed; `None` if neither is readable.
    pub fn table(&self, table: &Table, width: f64) -> Option<Vec<Strip>> {
        if let Some(strips) = self.rows(table, width, true) {
            return Some(strips);
        }
        self.rows(&turned(table)?, width, true)
    }

    /// A table across the page, in pieces if it is too wide.
    pub fn chunked(&self, table: &Table, width: f64) -> Vec<Strip> {
        let height = |strips: &Vec<Strip>| strips.iter().map(|strip| strip.height).sum::<f64>();
        let whole = self.rows(table, width, false);
        let side = turned(table).and_then(|turned| self.rows(&turned, width, false));
        let best = match (whole, side) {
            (Some(whole), Some(side)) => {
                Some(if height(&side) < height(&whole) { side } else { whole })
            }
            (whole, side) => whole.or(side),
        };
        if let Some(strips) = best {
            return strips;
        }
        let columns = table.heads.len();
        for each in (1..columns).rev() {
            let pieces: Option<Vec<Vec<Strip>>> = (1..columns)
                .step_by(each)
                .map(|from| self.rows(&part(table, from, (from + each).min(columns)), width, false))
                .collect();
            if let Some(pieces) = pieces {
                return pieces.into_iter().flatten().collect();
            }
        }
        Vec::new()
    }

    fn rows(&self, table: &Table, width: f64, strict: bool) -> Option<Vec<Strip>> {
        let columns = self.columns(table, width, strict)?;
        let mut strips = Vec::new();
        if !table.caption.is_empty() {
            strips.push(Strip::room(self.size * 0.25));
            let mut caption = self.paragraph(
                &[plain_piece(&table.caption, Style::BOLD)],
                self.letters(0.96),
                width - 2.0 * self.inner(),
                self.inner(),
            );
            caption.iter_mut().for_each(|strip| strip.keep = true);
            strips.extend(caption);
        }
        let head = Arc::new(self.heads(table, &columns, width));
        strips.push(Strip::clone(&head));
        for (place, row) in table.rows.iter().enumerate() {
            let strip = self.row(table, &columns, width, place, row);
            if strict && !table.grid && strip.1 > MAX_LINES {
                return None;
            }
            let keep = place == 0 || place + 2 == table.rows.len();
            strips.push(Strip { keep, over: Some(head.clone()).filter(|_| place > 0), ..strip.0 });
        }
        strips.push(Strip { height: self.size * 0.25, ..Strip::default() });
        Some(strips)
    }

    fn padding(&self, table: &Table) -> f64 {
        self.size * if table.grid { 0.1 } else { 0.3 }
    }

    /// The column widths: as wide as the entries if there is space, else narrower in proportion.
    fn columns(&self, table: &Table, width: f64, strict: bool) -> Option<Columns> {
        let letters = if table.grid { self.letters(0.84) } else { self.letters(0.97) };
        let (pad, edge) = (self.padding(table), self.inner() * 0.5);
        let count = table.heads.len();
        let room = width - 2.0 * edge - 2.0 * pad * count as f64;
        let (mut wants, mut least) = (vec![0.0_f64; count], vec![0.0_f64; count]);
        let long =
            table.rows.iter().filter_map(|row| row.first()).any(|cell| cell.chars().count() > 22);
        let first = if long { Style::PLAIN } else { Style::BOLD };
        let mut see = |place: usize, words: &str, style: Style| {
            wants[place] = wants[place].max(self.wide(words, letters, style));
            least[place] = least[place].max(self.widest_word(words, letters, style));
        };
        // On a form the heads are broken rather than the writing space reduced.
        let blank = table.rows.iter().flatten().all(String::is_empty);
        let filled = table.form && !blank;
        for (place, head) in table.heads.iter().enumerate() {
            spaced(head)
                .filter(|_| filled)
                .chain([head.as_str()].into_iter().filter(|_| !filled))
                .for_each(|words| see(place, words, Style::BOLD));
        }
        for row in &table.rows {
            let spans = row.len() == 2 && count > 2;
            for (place, cell) in row.iter().enumerate().take(if spans { 1 } else { count }) {
                see(place, cell, if place == 0 { first } else { Style::PLAIN });
            }
        }
        // A name longer than a line is broken rather than left out.
        if !strict || count <= 2 {
            least
                .iter_mut()
                .for_each(|least| *least = least.min(room * if count <= 2 { 0.45 } else { 0.3 }));
        }
        if least.iter().sum::<f64>() > room {
            return None;
        }
        let short = |place: usize| {
            table.rows.iter().all(|row| row.get(place).is_none_or(|cell| cell.chars().count() <= 8))
        };
        let middle: Vec<bool> = (0..count)
            .map(|place| place > 0 && (table.grid || count > 2 && short(place)))
            .collect();
        let widths = self.widths(table, filled, room, (&wants, &least));
        let fits = widths
            .iter()
            .zip(&least)
            .all(|(wide, least)| *wide + 1e-6 >= *least || !(table.grid || table.form));
        let mut x = edge;
        let span = |wide: &f64| {
            let from = x + pad;
            x = from + wide + pad;
            (from, from + wide)
        };
        fits.then(|| Columns { spans: widths.iter().map(span).collect(), middle, letters, first })
    }

    /// The widths of columns with these preferred and minimum widths.
    fn widths(
        &self,
        table: &Table,
        filled: bool,
        room: f64,
        (wants, least): (&[f64], &[f64]),
    ) -> Vec<f64> {
        let count = wants.len();
        let (wanted, needed): (f64, f64) = (wants.iter().sum(), least.iter().sum());
        if wanted <= room {
            let (left, shared) = (room - wanted, (count - 1).max(1) as f64);
            match (table.grid || table.form, count) {
                (true, _) if !filled => vec![room / count as f64; count],
                // The remaining space goes to the last column, for notes, and a little to every
                // other.
                (true, _) => {
                    let each = (left * 0.4 / shared).min(self.size * 1.5);
                    let last = left - each * (count - 1) as f64;
                    wants
                        .iter()
                        .enumerate()
                        .map(|(place, wide)| wide + if place + 1 == count { last } else { each })
                        .collect()
                }
                // The first of two columns gets a fixed share, so that results are aligned from
                // chart to chart.
                (_, 2) => {
                    let first = wants[0].max(room * 0.4).min(room - wants[1]);
                    vec![first, room - first]
                }
                _ => wants
                    .iter()
                    .enumerate()
                    .map(|(place, wide)| if place == 0 { *wide } else { wide + left / shared })
                    .collect(),
            }
        } else {
            let share = (room - needed) / (wanted - needed).max(1e-9);
            wants
                .iter()
                .zip(least)
                .map(|(want, least)| least + (want - least).max(0.0) * share)
                .collect()
        }
    }

    fn cell(
        &self,
        columns: &Columns,
        words: &str,
        style: Style,
        (from, to): (f64, f64),
    ) -> Vec<Line> {
        let piece = Piece { words: words.to_owned(), style, ink: Ink::Black };
        self.lines(&[piece], columns.letters, to - from + 1e-6)
    }

    fn put_cell(
        &self,
        columns: &Columns,
        lines: &[Line],
        place: usize,
        (from, to): (f64, f64),
        y: f64,
    ) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (row, line) in lines.iter().enumerate() {
            let middle = columns.middle.get(place).copied().unwrap_or(false);
            let x = if middle { from + ((to - from - line.wide) / 2.0).max(0.0) } else { from };
            let y = y + self.leading(columns.letters) * row as f64;
            marks.extend(self.marks_of(std::slice::from_ref(line), columns.letters, (x, y)));
        }
        marks
    }

    fn heads(&self, table: &Table, columns: &Columns, width: f64) -> Strip {
        let cells: Vec<Vec<Line>> = table
            .heads
            .iter()
            .zip(&columns.spans)
            .map(|(head, span)| self.cell(columns, head, Style::BOLD, *span))
            .collect();
        let most = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let leading = self.leading(columns.letters);
        let top = self.size * 0.2;
        let high = top + leading * most as f64;
        let mut marks = Vec::new();
        for (place, (lines, span)) in cells.iter().zip(&columns.spans).enumerate() {
            marks.extend(self.put_cell(
                columns,
                lines,
                place,
                *span,
                top + leading * (most - lines.len()) as f64,
            ));
        }
        let x = self.inner() * 0.5;
        marks.push(Mark::Line {
            from: (x, high),
            to: (width - x, high),
            wide: 0.25,
            ink: Ink::Black,
        });
        Strip { height: high + 0.1, marks, keep: true, over: None }
    }

    /// A row, and how many lines its longest cell has.
    fn row(
        &self,
        table: &Table,
        columns: &Columns,
        width: f64,
        place: usize,
        row: &[String],
    ) -> (Strip, usize) {
        let spans = row.len() == 2 && table.heads.len() > 2;
        let span =
            |cell: usize| match (spans && cell == 1, columns.spans.first(), columns.spans.last()) {
                (true, Some(first), Some(last)) => (first.1 + 2.0 * self.padding(table), last.1),
                _ => columns.spans.get(cell).copied().unwrap_or((0.0, 0.0)),
            };
        let style = |cell: usize| if cell == 0 { columns.first } else { Style::PLAIN };
        let cells: Vec<Vec<Line>> = row
            .iter()
            .enumerate()
            .map(|(cell, words)| self.cell(columns, words, style(cell), span(cell)))
            .collect();
        let most = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let lines = self.leading(columns.letters) * most as f64
            + self.size * if table.grid { 0.0 } else { 0.1 };
        let height = if table.form { lines.max(self.size * 2.3) } else { lines };
        let mut marks: Vec<Mark> = Vec::new();
        if table.form {
            marks.extend(self.form_lines(columns, width, height));
        } else {
            marks.extend(self.guide(place, width, height));
        }
        for (cell, lines) in cells.iter().enumerate() {
            let top = match (table.form, table.grid) {
                (true, _) => (height - self.leading(columns.letters) * lines.len() as f64) / 2.0,
                (_, true) => 0.0,
                _ => self.size * 0.05,
            };
            marks.extend(self.put_cell(columns, lines, cell, span(cell), top));
        }
        (Strip { height, marks, ..Strip::default() }, most)
    }

    /// Empty boxes for writing.
    fn form_lines(&self, columns: &Columns, width: f64, height: f64) -> Vec<Mark> {
        let edge = self.inner() * 0.5;
        let line = |from, to| Mark::Line { from, to, wide: HAIR, ink: Ink::Grey };
        let mut marks = vec![
            line((edge, height), (width - edge, height)),
            line((edge, 0.0), (edge, height)),
            line((width - edge, 0.0), (width - edge, height)),
        ];
        let between = columns.spans.windows(2).map(|pair| (pair[0].1 + pair[1].0) / 2.0);
        marks.extend(between.map(|x| line((x, 0.0), (x, height))));
        marks
    }
}

/// The table transposed; `None` for a form, a grid or a table with cells that span all columns.
fn turned(table: &Table) -> Option<Table> {
    let count = table.heads.len();
    if count < 3 || table.form || table.grid || table.rows.iter().any(|row| row.len() != count) {
        return None;
    }
    let heads = std::iter::once(&table.heads[0])
        .chain(table.rows.iter().map(|row| &row[0]))
        .cloned()
        .collect();
    let row = |place: usize| {
        std::iter::once(&table.heads[place])
            .chain(table.rows.iter().map(|row| &row[place]))
            .cloned()
            .collect()
    };
    Some(Table { heads, rows: (1..count).map(row).collect(), ..table.clone() })
}

/// Some columns of a table, with the first.
fn part(table: &Table, from: usize, to: usize) -> Table {
    let cut = |cells: &Vec<String>| match cells.get(from..to.min(cells.len())) {
        Some(some) if cells.len() > 2 => cells.iter().take(1).chain(some).cloned().collect(),
        _ => cells.clone(),
    };
    Table { heads: cut(&table.heads), rows: table.rows.iter().map(cut).collect(), ..table.clone() }
}
