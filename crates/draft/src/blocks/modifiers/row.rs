//! The modifiers of one row.

use super::super::{cell, joined, titles};
use crate::amount::{self, Amount};
use crate::band;
use crate::model::{Modifier, PrintedCell};
use crate::num::Num;
use crate::source::{FigureAt, RowCell, SheetRow};
use crate::token::tokens;

/// The modifiers of a row.
pub(super) fn of_row(row: &SheetRow) -> Option<(Vec<Modifier>, FigureAt)> {
    row.readings.modifiers.get_or_init(|| in_row(row)).clone()
}

/// At which end the modifiers of a row have their figures; none if it has no modifiers.
pub(super) fn end_of(row: &SheetRow) -> Option<FigureAt> {
    row.readings.modifiers.get_or_init(|| in_row(row)).as_ref().map(|(_, end)| *end)
}

pub(super) fn in_row(row: &SheetRow) -> Option<(Vec<Modifier>, FigureAt)> {
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
    if cells.len() >= 2
        && cells.iter().all(|cell| {
            amount::leading(&cell.text).is_some_and(|at| !at.label.is_empty())
                && cell.text.starts_with(['+', '-', '−', '–'])
        })
    {
        // "+2 Fanatic   +1 In buildings": several on one line.
        let one = |cell: &&RowCell| {
            let leading = amount::leading(&cell.text)?;
            let label = PrintedCell { text: leading.label, at: cell.at.clone() };
            Some(modifier(leading.amount, label, row.line))
        };
        return Some((cells.iter().map(one).collect::<Option<_>>()?, FigureAt::First));
    }
    if cells.len() == 1 {
        if begins_with_band(&first.text) {
            return None;
        }
        if let Some(several) = parts(&first.text, &first.at, row.line)
            .or_else(|| parts(announced_list(&first.text)?, &first.at, row.line))
        {
            return Some((several, FigureAt::First));
        }
        // "Add 2 if …, subtract 1 if …, subtract 2 if": a sentence that goes on below.
        let verbs = [", add ", ", subtract ", ", deduct ", "; add ", "; subtract "];
        if verbs.iter().any(|verb| first.text.contains(verb)) {
            return None;
        }
        let listed = announced_list(&first.text).unwrap_or(&first.text);
        if let Some(several) = ends(listed, &first.at, row.line) {
            return Some((several, FigureAt::Last));
        }
        let at_start = amount::leading(&first.text);
        let (at, end) = match at_start {
            Some(leading) => (leading, FigureAt::First),
            None => (amount::trailing(&first.text)?, FigureAt::Last),
        };
        let next = at.label.split(". ").skip(1).any(|part| amount::prefix(&tokens(part)).is_some());
        let sentences = next || at.label.contains(". ") && matches!(at.amount, Amount::Times(_));
        if at.label.split_whitespace().count() > 25
            || sentences
            || (end == FigureAt::Last && (at.label.contains(". ") || says_dice(&at.label)))
        {
            return None;
        }
        return Some((
            vec![modifier(
                at.amount,
                PrintedCell { text: at.label, at: first.at.clone() },
                row.line,
            )],
            end,
        ));
    }
    of_cells(&cells, row.line)
}

/// "Pen roll D6 + Pen" says what is rolled.
pub(super) fn says_dice(label: &str) -> bool {
    let tokens = tokens(label);
    crate::dice::find(&tokens).is_some_and(|(dice, ..)| dice.named)
        && tokens.iter().any(|t| t.is_any(&["roll", "rolls"]))
}

/// "+1 officer within 6", +2 captain": several modifiers in one text.
pub(super) fn parts(text: &str, at: &std::ops::Range<usize>, line: u32) -> Option<Vec<Modifier>> {
    let mut starts: Vec<usize> = vec![0];
    for mark in [
        ", +",
        ", -",
        ", –",
        ", −",
        "; +",
        "; -",
        "; –",
        "; −",
        ", add ",
        ", subtract ",
        ", deduct ",
        "; add ",
        "; subtract ",
    ] {
        starts.extend(text.match_indices(mark).map(|(at, _)| at + 2));
    }
    starts.sort_unstable();
    if starts.len() < 2 {
        return None;
    }
    starts.push(text.len());
    let part = |pair: &[usize]| {
        let part = text[pair[0]..pair[1]].trim_end_matches([',', ';', ' ', '.']);
        let leading = amount::leading(part).filter(|_| !part.contains(". "))?;
        Some(modifier(leading.amount, PrintedCell { text: leading.label, at: at.clone() }, line))
    };
    starts.windows(2).map(part).collect()
}

/// "Ace +2, green -2, tank burning -3": several modifiers in one text, each figure after its words.
pub(super) fn ends(text: &str, at: &std::ops::Range<usize>, line: u32) -> Option<Vec<Modifier>> {
    let text = text.trim_end_matches(['.', ';', ',', ' ']);
    let mark = if text.contains(';') { ';' } else { ',' };
    let parts: Vec<&str> = text.split(mark).map(str::trim).collect();
    let least = if mark == ';' { 2 } else { 3 };
    if parts.len() < least || text.contains(". ") {
        return None;
    }
    let one = |part: &&str| {
        let trailing = amount::trailing(part).filter(|trailing| {
            trailing.label.split_whitespace().count() <= 8 && !trailing.label.contains(':')
        });
        let zero = || {
            let label = part.strip_suffix(" 0")?;
            let amount = Amount::Plus(Num::whole(0));
            Some(amount::Labelled { amount, label: label.to_owned() })
        };
        let trailing = trailing.or_else(zero)?;
        Some(modifier(trailing.amount, PrintedCell { text: trailing.label, at: at.clone() }, line))
    };
    let mut list: Vec<Modifier> = parts.iter().map(one).collect::<Option<_>>()?;
    // "Green -1, Line 0, Elite +1": one of them holds.
    if list.iter().any(|one| one.amount == Amount::Plus(Num::whole(0))) {
        list.iter_mut().for_each(|one| one.guessed = true);
    }
    Some(list)
}

/// The list after its name: "DRM: +1 engineer, -1 winter".
pub(super) fn announced_list(text: &str) -> Option<&str> {
    let (name, list) = text.split_once(':')?;
    let named = titles::announces_modifiers(name) && name.split_whitespace().count() <= 4;
    named.then(|| list.trim_start())
}

/// "Crew quality: elite / trained / levy" and "+1 / 0 / -1": one modifier for each word, of which one
/// holds.
pub(super) fn choices(label: &RowCell, figures: &RowCell, line: u32) -> Option<Vec<Modifier>> {
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
        let amount = amount::whole(amount).map(|amount| amount.amount);
        let amount = amount.or_else(|| zero.then(|| Amount::Plus(Num::whole(0))))?;
        let text = name.map_or_else(|| (*word).to_owned(), |name| format!("{name}: {word}"));
        let mut made = modifier(amount, PrintedCell { text, at: label.at.clone() }, line);
        made.guessed = true;
        Some(made)
    };
    words.iter().zip(&amounts).map(one).collect()
}

/// "8000 - 12000 yds   +1": a distance with its unit and a signed figure.
pub(super) fn measured(cells: &[&RowCell]) -> bool {
    let [first, last] = cells else { return false };
    let unit = tokens(&first.text).iter().any(|t| {
        t.is_any(&[
            "yds", "yards", "m", "km", "cm", "hexes", "inches", "feet", "ft", "knots", "miles",
            "paces",
        ]) || t.sign('"')
    });
    unit && amount::whole(&last.text).is_some()
}

pub(super) fn signed(cells: &[&RowCell]) -> Vec<usize> {
    // A dash alone in a row of several cells says "nothing".
    let alone = |text: &str| cells.len() >= 3 && !text.chars().any(char::is_alphanumeric);
    let one = |place: &usize| {
        let text = &cells[*place].text;
        !(alone(text) && *text != "±" && *text != "+/-") && amount::whole(text).is_some()
    };
    (0..cells.len()).filter(one).collect()
}

pub(super) fn of_cells(cells: &[&RowCell], line: u32) -> Option<(Vec<Modifier>, FigureAt)> {
    if let [label, figures] = cells
        && let Some(list) = choices(label, figures, line)
    {
        return Some((list, FigureAt::Last));
    }
    // "Side shot: +1   Rear or top: +2   Long range: -1"
    let each = |cell: &&RowCell| {
        let trailing =
            amount::trailing(&cell.text).filter(|_| amount::whole(&cell.text).is_none())?;
        let label = PrintedCell { text: trailing.label, at: cell.at.clone() };
        Some(modifier(trailing.amount, label, line))
    };
    if cells.len() >= 2
        && let Some(list) = cells.iter().map(each).collect::<Option<Vec<Modifier>>>()
    {
        return Some((list, FigureAt::Last));
    }
    // "Green gunners   -1 (-2 if rolling)"
    if let [label, figures] = cells
        && let Some((first, second)) = figures.text.split_once(" (")
        && amount::whole(first).is_some_and(|whole| matches!(whole.amount, Amount::Plus(_)))
        && amount::prefix(&tokens(second)).is_some()
        && label.text.chars().any(char::is_alphabetic)
        && amount::whole(&label.text).is_none()
    {
        let whole = amount::whole(first)?;
        let text = format!("{} ({second}", label.text);
        let label = PrintedCell { text, at: label.at.start..figures.at.end };
        return Some((vec![modifier(whole.amount, label, line)], FigureAt::Last));
    }
    let signed = signed(cells);
    let words = |cell: &&RowCell| cell.text.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    match signed.as_slice() {
        // "Garrison:   +1 for each gun": the name of a group before its first line.
        [] if cells.len() == 2
            && cells[0].text.ends_with(':')
            && amount::leading(&cells[1].text).is_some() =>
        {
            let leading = amount::leading(&cells[1].text)?;
            let label = PrintedCell { text: leading.label, at: cells[1].at.clone() };
            Some((vec![modifier(leading.amount, label, line)], FigureAt::First))
        }
        [] => {
            // The figure may stand at one end of a cell of words.
            let whole = joined(cells);
            let labelled =
                amount::leading(&whole.text).filter(|_| amount::leading(&cells[0].text).is_some());
            let (labelled, end) = match labelled {
                Some(labelled) => (labelled, FigureAt::First),
                None => (
                    amount::trailing(&cells.last()?.text).filter(|_| cells.len() <= 2).map(
                        |at| amount::Labelled {
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
                    FigureAt::Last,
                ),
            };
            Some((
                vec![modifier(
                    labelled.amount,
                    PrintedCell { text: labelled.label, at: whole.at },
                    line,
                )],
                end,
            ))
        }
        [0] => {
            let figure = amount::whole(&cells[0].text)?;
            let mut label = joined(&cells[1..]);
            label.text = amount::without_if(&label.text).to_owned();
            label
                .text
                .chars()
                .any(char::is_alphabetic)
                .then(|| (vec![modifier(figure.amount, label, line)], FigureAt::First))
        }
        [at] => {
            let figure = amount::whole(&cells[*at].text)?;
            let rest: Vec<&RowCell> = cells
                .iter()
                .enumerate()
                .filter(|(place, _)| place != at)
                .map(|(_, c)| *c)
                .filter(|c| !(figure.amount == Amount::Signed && c.text.len() <= 1))
                .collect();
            // "Class of troops:   Guard   +3": the name of a group before its first line.
            let group = usize::from(rest.len() > 1 && rest[0].text.ends_with(':'));
            let mut label = joined(&rest[group..]);
            if matches!(figure.amount, Amount::Each { .. }) && !figure.label.is_empty() {
                label.text = format!("{}, {}", label.text, figure.label);
            }
            rest.iter()
                .any(words)
                .then(|| (vec![modifier(figure.amount, label, line)], FigureAt::Last))
        }
        several => paired(cells, several, line),
    }
}

/// "Ambush  By  -1  Vs.  +1", or two lists on one line.
pub(super) fn paired(
    cells: &[&RowCell],
    signed: &[usize],
    line: u32,
) -> Option<(Vec<Modifier>, FigureAt)> {
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
        return Some((list?, FigureAt::First));
    }
    let base = (signed[0] >= 2).then(|| cell(cells[0]));
    let list: Option<Vec<Modifier>> = signed
        .iter()
        .map(|at| {
            let own = word(at.checked_sub(1)?)?;
            let label = match &base {
                Some(base) => PrintedCell {
                    text: format!("{}: {}", base.text, own.text),
                    at: base.at.start..cells[*at].at.end,
                },
                None => cell(own),
            };
            Some(modifier(amount::whole(&cells[*at].text)?.amount, label, line))
        })
        .collect();
    let mut list = list?;
    // "Training:  Guard +3  Veteran +2": one of them holds.
    if base.is_some() {
        list.iter_mut().for_each(|one| one.guessed = true);
    }
    Some((list, FigureAt::Last))
}

pub(super) fn begins_with_band(text: &str) -> bool {
    let tokens = tokens(text);
    tokens.first().is_some_and(|t| t.num().is_some())
        && band::prefix(&tokens).is_some()
        && amount::leading(text).is_none()
}

pub(super) fn modifier(amount: Amount, label: PrintedCell, line: u32) -> Modifier {
    let guessed = amount::misread_count(&label.text).is_some();
    let amount = amount::counted(amount, &label.text);
    Modifier { label, amount, line, guessed }
}
