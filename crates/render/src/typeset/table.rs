//! Tables as strips, one for each row. A table that is too wide is transposed. If it is still too
//! wide, it spans the page, in pieces if necessary.

use super::part::{harm_width, tag};
use super::strip::Strip;
use super::text::{Line, Piece, plain_piece, spaced};
use super::{HAIR, Typesetter};
use crate::draw::{Ink, Mark, Style, Tag};
use crate::reference::{Bar, Table};
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

/// A score of so many letters is not broken.
const SHORT_SCORE: usize = 12;

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
        for pieces in 2..=columns {
            // Pieces of the same width, rather than a narrow rest.
            let each = (columns - 1).div_ceil(pieces).max(1);
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

    /// Whether a table fits across the page in one piece.
    pub fn in_one_piece(&self, table: &Table, width: f64) -> bool {
        let fits = |table: &Table| self.columns(table, width, false).is_some();
        fits(table) || turned(table).is_some_and(|turned| fits(&turned))
    }

    fn rows(&self, table: &Table, width: f64, strict: bool) -> Option<Vec<Strip>> {
        let columns = self.columns(table, width, strict)?;
        let mut strips = Vec::new();
        if !table.caption.is_empty() {
            strips.push(Strip::room(self.gap(0.25)));
            let mut caption = self.paragraph(
                &[plain_piece(&table.caption, Style::BOLD)],
                self.letters(0.96),
                width - 2.0 * self.inner(),
                self.inner(),
            );
            caption.iter_mut().for_each(|strip| strip.keep = true);
            tag(&mut caption, Tag::Paragraph);
            strips.extend(caption);
        }
        let mut head = self.heads(table, &columns, width);
        strips.push(head.clone());
        super::repeated(&mut head);
        let head = Arc::new(head);
        for (place, row) in table.rows.iter().enumerate() {
            let strip = self.row(table, &columns, width, place, row);
            if strict && !table.grid && strip.1 > MAX_LINES {
                return None;
            }
            let keep = place == 0 || place + 2 == table.rows.len();
            strips.push(Strip { keep, over: Some(head.clone()).filter(|_| place > 0), ..strip.0 });
        }
        strips.push(Strip { height: self.gap(0.25), ..Strip::default() });
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
        // Short scores stay on one line: "0 passed".
        let scores: Vec<&String> = table.rows.iter().filter_map(|row| row.first()).collect();
        if !table.form && scores.iter().all(|score| score.chars().count() <= SHORT_SCORE) {
            let wide = scores.iter().map(|score| self.wide(score, letters, first));
            let wide = wide.fold(least[0], f64::max);
            if least.iter().skip(1).sum::<f64>() + wide <= room {
                least[0] = wide;
            }
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
        let mut marks = vec![Mark::Tag(Tag::Table)];
        let top = self.size * 0.2 + self.across(table, columns, &mut marks);
        let high = top + leading * most as f64;
        marks.push(Mark::Tag(Tag::Row));
        for (place, (lines, span)) in cells.iter().zip(&columns.spans).enumerate() {
            marks.push(Mark::Tag(Tag::ColumnHead));
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

    /// What the columns are about, above them and not above the names of the rows. Returns its
    /// height.
    fn across(&self, table: &Table, columns: &Columns, marks: &mut Vec<Mark>) -> f64 {
        let (Some(first), Some(last)) = (columns.spans.get(1), columns.spans.last()) else {
            return 0.0;
        };
        if table.across.is_empty() {
            return 0.0;
        }
        let (from, to) = (first.0, last.1);
        let lines = self.cell(columns, &table.across, Style::ITALIC, (from, to));
        let leading = self.leading(columns.letters);
        marks.extend([Mark::Tag(Tag::Row), Mark::Tag(Tag::ColumnHead)]);
        for (row, line) in lines.iter().enumerate() {
            let x = from + ((to - from - line.wide) / 2.0).max(0.0);
            let at = (x, self.size * 0.2 + leading * row as f64);
            marks.extend(self.marks_of(std::slice::from_ref(line), columns.letters, at));
        }
        let y = self.size * 0.22 + leading * lines.len() as f64;
        marks.push(Mark::Line { from: (from, y), to: (to, y), wide: HAIR, ink: Ink::Grey });
        y - self.size * 0.15
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
        marks.push(Mark::Tag(Tag::Row));
        for (cell, lines) in cells.iter().enumerate() {
            let (from, _) = span(cell);
            marks.extend(self.harm_bar(table.harm_at(place, cell), from, table, height));
            marks.push(Mark::Tag(if cell == 0 { Tag::RowHead } else { Tag::Cell }));
            let top = match (table.form, table.grid) {
                (true, _) => (height - self.leading(columns.letters) * lines.len() as f64) / 2.0,
                (_, true) => 0.0,
                _ => self.size * 0.05,
            };
            marks.extend(self.put_cell(columns, lines, cell, span(cell), top));
        }
        if let (Some(bar), Some(span)) = (table.bars.get(place), columns.spans.last()) {
            marks.extend(self.bar(*bar, *span, height));
        }
        (Strip { height, marks, ..Strip::default() }, most)
    }

    /// The bar before a result.
    fn harm_bar(&self, level: u8, from: f64, table: &Table, height: f64) -> Option<Mark> {
        let pad = self.padding(table);
        (level > 0).then(|| Mark::Box {
            at: (from - pad, 0.0),
            size: (harm_width(level, pad * 0.72), height),
            round: 0.0,
            fill: Some(Ink::Harm(level)),
            edge: None,
        })
    }

    /// What was expected as an outline, and what came as a bar inside it.
    fn bar(&self, bar: Bar, (from, to): (f64, f64), height: f64) -> Vec<Mark> {
        if bar.most <= 0.0 {
            return Vec::new();
        }
        let scale = |value: f64| (to - from) * (value / bar.most).clamp(0.0, 1.0);
        let (high, thin) = (height * 0.66, height * 0.3);
        let part = |value: f64, high: f64, fill, edge| Mark::Box {
            at: (from, (height - high) / 2.0),
            size: (scale(value).max(0.05), high),
            round: 0.0,
            fill,
            edge,
        };
        vec![
            part(
                bar.expected,
                high,
                (!self.low_ink).then_some(Ink::Paper),
                Some((0.18, Ink::Grey)),
            ),
            part(bar.actual, thin, Some(Ink::Black), None),
        ]
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
    let whole = table.rows.iter().all(|row| row.len() == count);
    if count < 3 || table.form || table.grid || !table.bars.is_empty() || !whole {
        return None;
    }
    // What was across is now down, and the other way round.
    let heads = std::iter::once(&table.across)
        .chain(table.rows.iter().map(|row| &row[0]))
        .cloned()
        .collect();
    let row = |place: usize| {
        std::iter::once(&table.heads[place])
            .chain(table.rows.iter().map(|row| &row[place]))
            .cloned()
            .collect()
    };
    let harm = |place: usize| {
        std::iter::once(0)
            .chain((0..table.rows.len()).map(|row| table.harm_at(row, place)))
            .collect()
    };
    Some(Table {
        across: table.heads[0].clone(),
        heads,
        rows: (1..count).map(row).collect(),
        harm: (1..count).map(harm).collect(),
        ..table.clone()
    })
}

/// Some columns of a table, with the first.
fn part(table: &Table, from: usize, to: usize) -> Table {
    fn cut<T: Clone>(cells: &[T], from: usize, to: usize) -> Vec<T> {
        match cells.get(from..to.min(cells.len())) {
            Some(some) if cells.len() > 2 => cells.iter().take(1).chain(some).cloned().collect(),
            _ => cells.to_vec(),
        }
    }
    Table {
        heads: cut(&table.heads, from, to),
        rows: table.rows.iter().map(|row| cut(row, from, to)).collect(),
        harm: table.harm.iter().map(|row| cut(row, from, to)).collect(),
        ..table.clone()
    }
}
