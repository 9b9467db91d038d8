//! Lists of names with a number each: that which dice must reach, or a value.

use super::super::{Context, LONG, Pieces, Taken, titles};
use super::mend_figures;
use crate::band;
use crate::model::{Content, GridRow, PrintedCell, WordTable};
use crate::source::{RowCell, SheetRow};
use crate::token::tokens;

/// Names, each with a number: that which dice must reach ("Flak vest   6+"), or a value ("Veteran   9").
/// A row of headings may stand above them.
pub(crate) fn targets(rows: &[SheetRow], context: &Context, pieces: &mut Pieces) -> Option<Taken> {
    if let Some(list) = pairs(&rows[0]).filter(|_| context.rolled || context.reach) {
        let columns = vec![PrintedCell::default()];
        return Some((Content::Grid(WordTable { corner: String::new(), columns, rows: list }), 1));
    }
    if let Some(list) = dice_list(rows) {
        let (taken, columns) = (list.len(), vec![PrintedCell::default()]);
        return Some((
            Content::Grid(WordTable { corner: String::new(), columns, rows: list }),
            taken,
        ));
    }
    let heads = named_heads(rows);
    let from = usize::from(heads.is_some());
    let below = rows.get(from..).filter(|_| context.rolled || context.reach || from == 1);
    let list = below.map_or_else(Vec::new, |rows| {
        named_numbers(rows, |text| {
            crate::link::target(text).is_some() || crate::link::is_nothing(text)
        })
    });
    // A bare 6 below 4+ and 5+ is 6 or more.
    let open = list.iter().filter(|row| row.cells[0].text.contains('+')).count();
    let list = if open * 2 > list.len() { list } else { Vec::new() };
    let reached = context.rolled || context.reach || (from == 1 && list.len() >= 3);
    let (list, are_targets) = if list.len() >= 2 && reached {
        (list, true)
    } else {
        // Bare numbers may be modifiers whose signs are lost: only below a title of their own.
        let digit = |c: char| c.is_ascii_digit();
        let plain = |text: &str| {
            let bare = text.trim_end_matches(['"', '”']).trim_end_matches("cm");
            let read = band::repaired(bare);
            let bare = read.as_deref().unwrap_or(bare);
            (1..=3).contains(&bare.len()) && bare.chars().all(digit)
        };
        let list = named_numbers(rows, plain);
        let apart = rows[0].gap && rows.get(list.len()).is_none_or(|next| next.gap);
        let alone = context.titled_now || (apart && rows[0].table.is_none());
        // Numbers that the roll announces are no modifiers.
        let announced = context.rolls.first().is_some_and(|roll| roll.needs.is_some());
        let listed = context.listed && !announced;
        let are_targets = list.len() >= 3 && alone && !listed;
        match &heads {
            // "LEADERS   Initiative" above names and numbers.
            Some((corner, column)) if !are_targets => {
                let list = named_numbers(&rows[1..], plain);
                let signs = [corner, &column.text];
                let mods = signs.iter().any(|text| titles::announces_modifiers(text));
                let cells = |row: &SheetRow| row.filled().len() == 2;
                let wide = list.len() >= 3 && rows[..=list.len()].iter().all(cells);
                let apart = rows[0].gap || context.rolled || wide;
                let are_targets = list.len() >= 3 && !listed && !mods && apart;
                (list, are_targets)
            }
            _ => (list, are_targets),
        }
    };
    are_targets.then(|| {
        let from = rows.iter().position(|row| row.line == list[0].line).unwrap_or(0);
        let taken = from + list.len();
        let (corner, column) = heads.filter(|_| from == 1).unwrap_or_default();
        let mut grid = WordTable { corner, columns: vec![column], rows: list };
        mend_figures(&mut grid, pieces);
        (Content::Grid(grid), taken)
    })
}

/// "Greenhorn   d6", "Cowpoke   d8": the dice of each class.
pub(crate) fn dice_list(rows: &[SheetRow]) -> Option<Vec<GridRow>> {
    let dice = |text: &str| crate::dice::whole(text).is_some_and(|dice| dice.named);
    // Three kinds show it. A list of one kind is not looked through to its end at each of its rows.
    let kinds: std::collections::BTreeSet<&str> = named_rows(&rows[..rows.len().min(LONG)], dice)
        .map(|(_, _, number)| number.text.as_str())
        .collect();
    (kinds.len() >= 3).then(|| named_numbers(rows, dice))
}

/// "Track thrown   8+   Jammed breech   4+": several names with their numbers on one line.
pub(super) fn pairs(row: &SheetRow) -> Option<Vec<GridRow>> {
    let filled = row.filled();
    let (pairs, rest) = filled.as_chunks::<2>();
    if pairs.len() < 2 || !rest.is_empty() || row.head {
        return None;
    }
    let one = |[name, number]: &[&RowCell; 2]| {
        let named = name.text.chars().filter(|c| c.is_alphabetic()).count() >= 3
            && band::prefix(&tokens(&name.text)).is_none();
        let reach = number.text.ends_with('+') && crate::link::target(&number.text).is_some();
        (named && reach).then(|| GridRow {
            head: super::super::cell(name),
            cells: vec![super::super::cell(number)],
            line: row.line,
        })
    };
    pairs.iter().map(one).collect()
}

/// "Target   Roll to damage" above names and numbers.
pub(super) fn named_heads(rows: &[SheetRow]) -> Option<(String, PrintedCell)> {
    let (row, next) = (rows.first()?, rows.get(1)?);
    let filled = row.filled();
    let [corner, column] = filled.as_slice() else { return None };
    let words = |cell: &RowCell| {
        cell.text.chars().filter(|c| c.is_alphabetic()).count() >= 3
            && !cell.text.contains(|c: char| c.is_ascii_digit() || c == '+')
            && cell.text.split_whitespace().count() <= 4
    };
    let none = column.text.eq_ignore_ascii_case("none");
    (words(corner) && words(column) && !none && !next.gap && row.table == next.table && !row.head)
        .then(|| (corner.text.clone(), super::super::cell(column)))
}

/// "Crewer: 1" as a name and a number.
pub(super) fn name_and_number(cell: &RowCell) -> Option<(RowCell, RowCell)> {
    let (name, number) = match cell.text.rfind([':', '=']) {
        Some(at) => (cell.text[..at].trim(), cell.text[at + 1..].trim()),
        // "Green 8"
        None => cell.text.rsplit_once(' ')?,
    };
    let short = name.split_whitespace().count() <= 4 && number.split_whitespace().count() == 1;
    let part = |text: &str| RowCell { text: text.to_owned(), ..cell.clone() };
    (short && !name.is_empty()).then(|| (part(name), part(number)))
}

/// The name and the number or other value of a row.
fn named(row: &SheetRow) -> Option<&(RowCell, RowCell)> {
    let read = || {
        let filled = row.filled();
        let parted = match filled.as_slice() {
            [only] => name_and_number(only)?,
            [name, number] => ((*name).clone(), (*number).clone()),
            _ => return None,
        };
        let name = &parted.0;
        let short = name.text.len() >= 2 && name.text.chars().all(char::is_uppercase);
        // "1 hex" and "over 12 inches" are names of rows here.
        let measure = tokens(&name.text).iter().any(|t| {
            t.is_any(&["hex", "hexes", "inches", "inch", "cm", "yards", "paces", "metres"])
        });
        let named = (name.text.chars().filter(|c| c.is_alphabetic()).count() >= 3 || short)
            && (band::prefix(&tokens(&name.text)).is_none() || measure);
        (named && !row.head && !row.furniture).then_some(parted)
    };
    row.readings.named.get_or_init(read).as_ref()
}

/// The rows of a list of names with a number each.
fn named_rows(
    rows: &[SheetRow],
    number_like: impl Fn(&str) -> bool,
) -> impl Iterator<Item = (&SheetRow, &RowCell, &RowCell)> {
    let same = |row: &&SheetRow| row.table == rows[0].table;
    // In HTML, each line may be a paragraph of its own.
    let spaced = rows.iter().skip(1).take(2).all(|row| row.gap) && rows[0].table.is_none();
    rows.iter()
        .enumerate()
        .take_while(move |(place, row)| *place == 0 || !row.gap || spaced)
        .map(|(_, row)| row)
        .take_while(same)
        .map_while(move |row| {
            let (name, number) = named(row)?;
            number_like(&number.text).then_some((row, name, number))
        })
}

pub(super) fn named_numbers(rows: &[SheetRow], number_like: impl Fn(&str) -> bool) -> Vec<GridRow> {
    named_rows(rows, number_like)
        .map(|(row, name, number)| GridRow {
            head: super::super::cell(name),
            cells: vec![super::super::cell(number)],
            line: row.line,
        })
        .collect()
}
