//! Text copied from a viewer: one cell on each line, all figures of a list before all of its words, or
//! one blank between columns. Such lines become rows of a table where the order leaves one reading.

use super::{COLUMN, RowCell, SheetRow, column_dump, one_blank};
use crate::{amount, band};

/// The longest list or table that is put together.
const LONGEST: usize = 60;

/// Puts lines together that are cells of one table. `table` is the number of the last table.
pub(crate) fn fold(rows: Vec<SheetRow>, mut table: u32) -> Vec<SheetRow> {
    let kinds: Vec<LineKind> = rows.iter().map(LineKind::of).collect();
    let mut folded: Vec<SheetRow> = Vec::with_capacity(rows.len());
    let (mut place, mut end, mut next) = (0, 0, 0);
    // Columns that stand below their table.
    let mut late = std::collections::BTreeSet::new();
    while place < rows.len() {
        if late.contains(&place) {
            place += 1;
            continue;
        }
        if place >= end {
            end = run(&rows, place).max(place + 1);
            next = if end < rows.len() { run(&rows, end) - end } else { 0 };
        }
        let (below, own) = (&rows[place..], &kinds[place..end]);
        let made = column_dump::table(below, &kinds[place..], end - place, next)
            .or_else(|| figures_first(own))
            .or_else(|| pairs(own, first_is(&rows, place)))
            .or_else(|| grid(&rows[place..end], own))
            .or_else(|| scores(&rows[place..end], own))
            .or_else(|| one_blank::table(below));
        let Some(made) = made.map(|made| with_late(made, below, &kinds[place..], place, &mut late))
        else {
            folded.push(rows[place].unread_copy());
            place += 1;
            continue;
        };
        table += 1;
        for (at, cells) in made.rows.iter().enumerate() {
            let cells: Vec<RowCell> = cells
                .iter()
                .enumerate()
                .map(|(column, part)| {
                    let cell = part.cell(&rows[place..]);
                    RowCell { x: (column * COLUMN, column * COLUMN + 1), ..cell }
                })
                .collect();
            let first = &rows[place + made.rows[at].first().map_or(0, |part| part.row)];
            folded.push(SheetRow {
                cells,
                line: first.line,
                gap: at == 0,
                strip: first.strip,
                table: Some(table),
                ordered: made.each || at == 0,
                parted: made.parted.contains(&at),
                ..SheetRow::default()
            });
        }
        let start = folded.len() - made.rows.len();
        one_blank::mend_codes(&mut folded[start..]);
        place += made.taken;
    }
    part_sections(&mut folded);
    folded
}

/// A table with the column that stands below it, if there is one.
fn with_late(
    mut made: Made,
    rows: &[SheetRow],
    kinds: &[LineKind],
    place: usize,
    late: &mut std::collections::BTreeSet<usize>,
) -> Made {
    if made.grid
        && let Some(start) = column_dump::late_column(rows, kinds, &made)
    {
        for (at, row) in made.rows.iter_mut().enumerate() {
            row.push(CellPart::line(start + at));
            late.insert(place + start + at);
        }
        made.each = true;
    }
    made
}

/// Text from a viewer has no blank lines: a short line above a table or a sentence starts a section.
fn part_sections(rows: &mut [SheetRow]) {
    let gaps = rows.iter().filter(|row| row.gap && !row.ordered).count();
    if rows.len() < 12 || gaps * 12 > rows.len() {
        return;
    }
    for place in 1..rows.len().saturating_sub(1) {
        let [only] = rows[place].cells.as_slice() else { continue };
        let name = only.text.starts_with(char::is_uppercase)
            && only.text.split_whitespace().count() <= 4
            && LineKind::of(&rows[place]) == LineKind::Words;
        let next = &rows[place + 1];
        let sentence = next.text().split_whitespace().count() >= 4
            && next.text().starts_with(char::is_uppercase)
            && next.text().ends_with(['.', ':']);
        let after = rows[place - 1].text().ends_with('.') || rows[place - 1].table.is_some();
        if name && after && (sentence || next.ordered) && rows[place].table.is_none() {
            rows[place].gap = true;
        }
    }
}

/// The number of lines of one cell that follow each other.
pub(super) fn run(rows: &[SheetRow], place: usize) -> usize {
    let single = |row: &SheetRow| {
        row.table.is_none() && !row.head && !row.furniture && !row.bullet && row.cells.len() == 1
    };
    let more = rows[place..]
        .iter()
        .take(6 * LONGEST)
        .enumerate()
        .take_while(|(at, row)| single(row) && (*at == 0 || !row.gap))
        .count();
    place + more
}

/// The roles that a line may have in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// A signed figure and nothing else.
    Signed,
    /// A band of scores and nothing else.
    Band,
    /// Another short value: a distance, a dash, `4+`.
    Value,
    /// A few words without a figure at their start.
    Words,
    Other,
}

impl LineKind {
    fn of(row: &SheetRow) -> LineKind {
        let [only] = row.cells.as_slice() else { return LineKind::Other };
        let text = only.text.as_str();
        let dash = ["-", "–", "—"].contains(&text);
        let plain = |found: &amount::Labelled| {
            found.label.is_empty() && matches!(found.amount, amount::Amount::Plus(_))
        };
        match () {
            () if dash => LineKind::Value,
            () if amount::whole(text).as_ref().is_some_and(plain) => LineKind::Signed,
            () if band::whole(text).is_some() && !text.ends_with(['"', '+']) => LineKind::Band,
            () if text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().count() <= 8 => {
                LineKind::Value
            }
            () if text.starts_with(char::is_alphabetic)
                && text.split_whitespace().count() <= 8
                && amount::beside(text).is_none()
                && !text.ends_with(['.', ':']) =>
            {
                LineKind::Words
            }
            () => LineKind::Other,
        }
    }

    /// Tells if the line may be a cell beside a name.
    pub fn is_value(self) -> bool {
        matches!(self, LineKind::Signed | LineKind::Band | LineKind::Value)
    }
}

/// A cell of a row that is made: a line, or a part of it.
pub(super) struct CellPart {
    pub row: usize,
    /// Words of the line, from and to; all if it is none.
    pub words: Option<(usize, usize)>,
}

impl CellPart {
    pub fn line(row: usize) -> CellPart {
        CellPart { row, words: None }
    }

    fn cell(&self, rows: &[SheetRow]) -> RowCell {
        let cell = rows[self.row].cells[0].clone();
        match self.words {
            None => cell,
            Some((from, to)) => {
                let words: Vec<&str> = cell.text.split(' ').collect();
                let text = words[from..to].join(" ").trim_end_matches('~').to_owned();
                RowCell { text, ..cell }
            }
        }
    }
}

/// Rows that were put together, and how many lines they took. `each` row is a guess of its own.
#[derive(Default)]
pub(super) struct Made {
    pub rows: Vec<Vec<CellPart>>,
    pub taken: usize,
    pub each: bool,
    /// The rows of which a cell was parted without being sure.
    pub parted: Vec<usize>,
    /// It has headings, names and values.
    pub grid: bool,
}

/// `+1`, `-1`, `-2`, and then as many lines of words.
fn figures_first(kinds: &[LineKind]) -> Option<Made> {
    let count = kinds.iter().take(LONGEST).take_while(|kind| **kind == LineKind::Signed).count();
    let words = kinds.get(count..2 * count).filter(|_| count >= 3)?;
    if !words.iter().all(|kind| *kind == LineKind::Words) {
        return None;
    }
    let rows = (0..count).map(|at| vec![CellPart::line(at), CellPart::line(count + at)]).collect();
    Some(Made { rows, taken: 2 * count, each: true, ..Made::default() })
}

/// The roles of the first line of a list, by its words and the line before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstLine {
    Title,
    Name,
    Unknown,
}

fn first_is(rows: &[SheetRow], place: usize) -> FirstLine {
    let text = rows[place].text();
    let announced = place.checked_sub(1).is_some_and(|at| rows[at].text().ends_with(':'));
    match () {
        () if crate::titles_of(&text) || text == text.to_uppercase() => FirstLine::Title,
        () if announced => FirstLine::Name,
        () => FirstLine::Unknown,
    }
}

/// A figure and its words, or a name and its figure, again and again.
fn pairs(kinds: &[LineKind], line: FirstLine) -> Option<Made> {
    let figure = |kind: Option<&LineKind>| matches!(kind, Some(LineKind::Signed | LineKind::Value));
    let first = figure(kinds.first());
    let count = (0..LONGEST)
        .take_while(|pair| {
            let (one, two) = (kinds.get(2 * pair), kinds.get(2 * pair + 1));
            let (figures, words) = if first { (one, two) } else { (two, one) };
            figure(figures) && words == Some(&LineKind::Words)
        })
        .count();
    // "Modifiers", "+2", "General near", "-1", "Rain": the first line is a title, not a name.
    let more = kinds.get(2 * count) == Some(&LineKind::Words);
    let signed = kinds.iter().take(2 * count).any(|kind| *kind == LineKind::Signed);
    let title = line == FirstLine::Title || (line == FirstLine::Unknown && more && signed);
    if count < 3 || (!first && title) {
        return None;
    }
    let rows =
        (0..count).map(|at| vec![CellPart::line(2 * at), CellPart::line(2 * at + 1)]).collect();
    Some(Made { rows, taken: 2 * count, each: true, ..Made::default() })
}

/// As many headings as columns, and then a name and its values again and again. Headings may share a
/// line: "Point blank Short Medium".
fn grid(rows: &[SheetRow], kinds: &[LineKind]) -> Option<Made> {
    let words = kinds.iter().take(12).take_while(|kind| **kind == LineKind::Words).count();
    let values = kinds[words..].iter().take(12).take_while(|kind| kind.is_value()).count();
    let columns = values + 1;
    if values < 2 || words < 2 {
        return None;
    }
    let heads: Vec<CellPart> = if words == columns + 1 {
        (0..columns).map(CellPart::line).collect()
    } else {
        (0..words - 1).flat_map(|line| one_blank::heads(&rows[line], line)).collect()
    };
    if heads.len() != columns {
        return None;
    }
    let mut made: Vec<Vec<CellPart>> = vec![heads];
    let mut at = words - 1;
    while kinds.get(at) == Some(&LineKind::Words)
        && kinds.get(at + 1..at + columns).is_some_and(|v| v.iter().all(|kind| kind.is_value()))
        && made.len() < LONGEST
    {
        made.push((at..at + columns).map(CellPart::line).collect());
        at += columns;
    }
    let enough = made.len() >= 3 + usize::from(words != columns + 1);
    enough.then_some(Made { rows: made, taken: at, grid: true, ..Made::default() })
}

/// A band and its results again and again, below headings or not.
fn scores(rows: &[SheetRow], kinds: &[LineKind]) -> Option<Made> {
    let heads = kinds.iter().take(6).take_while(|kind| **kind == LineKind::Words).count();
    let band = |at: usize| {
        let text = &rows.get(at)?.cells.first()?.text;
        band::whole(text).filter(|_| !text.ends_with('"'))
    };
    // "3 or less Suppressed": a score and its first text on one line.
    let joined = |at: usize| {
        let [only] = rows.get(at)?.cells.as_slice() else { return None };
        let tokens = crate::token::tokens(&only.text);
        let read = band::prefix(&tokens).filter(|_| kinds[at] == LineKind::Other)?;
        let end = tokens.get(read.next.checked_sub(1)?)?.end;
        let score: String = only.text.chars().take(end).collect();
        let (own, all) = (score.split(' ').count(), only.text.split(' ').count());
        let named = only.text.split(' ').nth(own)?.starts_with(char::is_uppercase);
        (named && all < own + 6).then_some((read.band, own, all))
    };
    let headed = (2..=5).contains(&heads) && crate::score_head(&rows[0].cells[0].text);
    if band(heads).is_none() && (!headed || joined(heads).is_none()) {
        return None;
    }
    let texts =
        kinds[heads + 1..].iter().take(6).take_while(|kind| **kind == LineKind::Words).count();
    let columns = if headed { heads } else { texts + 1 };
    if texts == 0 || !(heads == 0 || headed) {
        return None;
    }
    let mut made: Vec<Vec<CellPart>> = Vec::new();
    if headed {
        made.push((0..heads).map(CellPart::line).collect());
    }
    let mut at = heads;
    let mut last: Option<band::Band> = None;
    while made.len() < LONGEST {
        let (own, mut row) = match (band(at), joined(at)) {
            (Some(own), _) => (own, vec![CellPart::line(at)]),
            (None, Some((own, score, all))) if headed => {
                let part = |words| CellPart { row: at, words: Some(words) };
                (own, vec![part((0, score)), part((score, all))])
            }
            _ => break,
        };
        let rest = at + 1..at + 1 + columns.saturating_sub(row.len());
        if !last.is_none_or(|last| last.is_before(&own))
            || !rest.clone().all(|cell| kinds.get(cell) == Some(&LineKind::Words))
        {
            break;
        }
        at = rest.end;
        row.extend(rest.map(CellPart::line));
        made.push(row);
        last = Some(own);
    }
    (made.len() >= 3).then_some(Made { rows: made, taken: at, ..Made::default() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::plain;

    fn rows(text: &str) -> Vec<String> {
        let shown = |row: &super::SheetRow| {
            row.cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" | ")
        };
        plain::rows(text).iter().map(shown).collect()
    }

    #[test]
    fn cells_on_lines_of_their_own() {
        let grid = "Moves\nUnit\nRoad\nOpen\nFoot\n6\n4\nHorse\n12\n8\n";
        assert_eq!(rows(grid), ["Moves", "Unit | Road | Open", "Foot | 6 | 4", "Horse | 12 | 8"]);
        let scores = "Score\nResult\n1-2\nRout\n3-4\nShaken\n5+\nStands\n";
        assert_eq!(rows(scores), ["Score | Result", "1-2 | Rout", "3-4 | Shaken", "5+ | Stands"]);
    }

    #[test]
    fn figures_before_their_labels() {
        let list = "+1\n-1\n-2\nClose range\nSmoke\nNight\n";
        assert_eq!(rows(list), ["+1 | Close range", "-1 | Smoke", "-2 | Night"]);
    }

    #[test]
    fn one_blank_between_columns() {
        let text = "Spell Needs Range\nEmber bolt 7+ 18\nThorn wall 8+ 2 turns\n";
        assert_eq!(
            rows(text),
            ["Spell | Needs | Range", "Ember bolt | 7+ | 18", "Thorn wall | 8+ | 2 turns"]
        );
    }

    #[test]
    fn what_ocr_adds_between_columns_and_takes_for_figures() {
        let text =
            "Open | Wood | Charge\nForeign foot 6 4 +2\nLocal foot 8 No +4\nMule train 5 4 No\n";
        assert_eq!(rows(text)[..2], [" | Open | Wood | Charge", "Foreign foot | 6 | 4 | +2"]);
        let text = "Die 1-2 1-1 2-1\n1 A2 Al EX\n2 Al EX D1\n3 EX D1 D2\n";
        assert_eq!(rows(text)[1..3], ["1 | A2 | A1 | EX", "2 | A1 | EX | D1"]);
        let text =
            "Score Guards Levy\n2-4 Fall back 6\" = Rout\n5-8 Halt Fall back 8\"\n9+ Steady Halt\n";
        assert_eq!(rows(text)[1..3], ["2-4 | Fall back 6\" | Rout", "5-8 | Halt | Fall back 8\""]);
    }
}
