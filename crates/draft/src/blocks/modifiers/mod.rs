//! Lists of modifiers: a signed figure at the same end of each line.

mod row;
mod unsigned;

use super::{Context, Pieces, Taken, cell, extend, titles};
use crate::amount::{self, Amount};
use crate::model::{Content, GuessKind, Modifier, PrintedCell};
use crate::num::Num;
use crate::source::{FigureAt, RowCell, SheetRow};
use crate::token::tokens;
use row::{begins_with_band, end_of, modifier, of_row};
use unsigned::{figure_of, repaired, unsigned, unsigned_shape};

pub(crate) fn read(rows: &[SheetRow], context: &Context, pieces: &mut Pieces) -> Option<Taken> {
    if let Some(taken) = carried(rows, pieces) {
        return Some(taken);
    }
    if let Some(taken) = wrapped(rows) {
        return Some(taken);
    }
    let skipped = heads(rows, context);
    let (end, announced) = side_of_figures(rows, skipped, context)?;
    let mut list: Vec<Modifier> = Vec::new();
    let mut guesses = Vec::new();
    let mut left_out = Vec::new();
    let mut mended = 0;
    let mut place = skipped;
    let mut last_taken = skipped;
    // The start of a label whose figure stands on the next line.
    let mut open: Option<PrintedCell> = None;
    while let Some(row) = rows.get(place) {
        if row.head || place > skipped && row.gap && too_far(rows, place, end) {
            break;
        }
        if let Some((mut more, at)) = of_row(row)
            && at == end
        {
            if is_mixed(row, more.len()) {
                guesses.push((GuessKind::Mixed, row.line, row.at(), row.text()));
                more.iter_mut().for_each(|one| one.guessed = true);
            } else if more.len() > 1 && more.iter().all(|one| one.guessed) {
                guesses.push((GuessKind::OneOf, row.line, row.at(), row.text()));
            }
            more.iter_mut().for_each(|one| one.guessed |= row.ordered);
            if let (Some(mut label), Some(one)) = (open.take(), more.first_mut()) {
                let rest =
                    RowCell { text: one.label.text.clone(), at: one.label.at.clone(), x: (0, 0) };
                extend(&mut label, &rest);
                one.amount = amount::counted(one.amount.clone(), &label.text);
                one.label = label;
            }
            list.append(&mut more);
            last_taken = place + 1;
        } else if announced && unsigned_shape(row, end) {
            let (figure, words) = figure_of(row, end)?;
            let mut one = modifier(Amount::Plus(figure), words, row.line);
            one.guessed = figure != Num::whole(0);
            guesses.push((GuessKind::Sign { minus: false }, row.line, row.at(), row.text()));
            list.push(one);
            last_taken = place + 1;
        } else if let Some(one) =
            value_line(row).or_else(|| minus_value(row, &list)).filter(|_| end == FigureAt::First)
        {
            list.push(one);
            last_taken = place + 1;
        } else if let Some((modifier, minus)) = unsigned(rows, place, end, &list) {
            guesses.push((GuessKind::Sign { minus }, row.line, row.at(), row.text()));
            list.push(modifier);
            last_taken = place + 1;
        } else if let Some((more, read)) = repaired(row, end) {
            // Where the sign is printed, a letter beside it can only be a digit.
            mended += if read.starts_with(['+', '-', '–']) { 0 } else { more.len() };
            guesses.push((GuessKind::Repaired { read }, row.line, row.at(), row.text()));
            list.extend(more);
            last_taken = place + 1;
        } else if goes_on(rows, place, last_taken, end, list.last()) {
            if end == FigureAt::Last && opens_label(rows, place) {
                open = row.filled().first().map(|only| cell(only));
            } else if (list.last().is_some_and(is_unclosed) || !is_group(rows, place, end))
                && let Some(last) = list.last_mut()
            {
                continue_last(last, row);
            }
            last_taken = place + 1;
        } else if !list.is_empty() && row.table.is_some() && goes_on_below(rows, place, end) {
            left_out.push(place);
            last_taken = place + 1;
        } else {
            break;
        }
        place += 1;
    }
    // A sentence that was wrapped holds several amounts: it is read as a sentence.
    let sentence = |one: &Modifier| {
        [", add ", ", subtract ", ", deduct "].iter().any(|verb| one.label.text.contains(verb))
    };
    let enough = list.len() >= 2
        || (list.len() == 1 && is_enough(rows, (skipped, last_taken), end, context));
    if !enough || (mended > 0 && list.len() < mended + 2) || list.iter().any(sentence) {
        return None;
    }
    let mut list = list.into_iter().flat_map(in_brackets).collect::<Vec<_>>();
    list.iter_mut().for_each(|one| without_remark(one, &mut guesses));
    exclusive(&mut list, &mut guesses);
    pieces.leave_out(rows, &left_out);
    for (kind, line, at, printed) in guesses {
        pieces.guess(kind, line, at, &printed);
    }
    Some((Content::Modifiers(list), last_taken))
}

/// The side on which the figures of a list stand, and if its heading or the signs of other rows
/// announce figures that have lost their signs.
fn side_of_figures(
    rows: &[SheetRow],
    skipped: usize,
    context: &Context,
) -> Option<(FigureAt, bool)> {
    // In a spreadsheet, +1 became 1. The minus is kept.
    let below = rows[skipped..].iter().take(8).take_while(|row| row.table == rows[skipped].table);
    let signed = || below.clone().any(|row| end_of(row) == Some(FigureAt::Last));
    let lost = (context.rolled || context.listed && skipped > 0)
        && rows[skipped].filled().len() == 2
        && unsigned_shape(&rows[skipped], FigureAt::Last)
        && signed();
    let announced = (context.listed || lost) && rows[skipped].table.is_some();
    let bare = announced && unsigned_shape(&rows[skipped], FigureAt::First);
    let end = match first_end(&rows[skipped..]) {
        Some(end) => end,
        // "+ Training" above "+2 In square"
        None if value_line(&rows[skipped]).is_some_and(|value| {
            rows.get(skipped + 1).is_some_and(|next| {
                end_of(next) == Some(FigureAt::First) || minus_value(next, &[value]).is_some()
            })
        }) =>
        {
            FigureAt::First
        }
        None if bare && rows[skipped..].iter().take(8).any(|row| end_of(row).is_some()) => {
            FigureAt::First
        }
        None if announced && lost => FigureAt::Last,
        None => return None,
    };
    Some((end, announced))
}

/// Tells if one modifier is a list: its row stands alone, or a title announces it.
fn is_enough(
    rows: &[SheetRow],
    (skipped, last_taken): (usize, usize),
    end: FigureAt,
    context: &Context,
) -> bool {
    let alone = |row: &SheetRow| {
        row.filled().len() == 2 && row.filled()[0].text.split_whitespace().count() <= 9
    };
    let next = rows.get(last_taken).is_none_or(|next| {
        next.gap || next.filled().len() != 2 || next.filled()[0].text.is_empty()
    });
    let cell = alone(&rows[skipped])
        && end == FigureAt::Last
        && (rows[skipped].table.is_some() || next || context.rolled)
        || (rows[skipped].table.is_some() && alone(&rows[skipped]));
    // "+1   Binoculars" by itself below the table of a roll.
    let first = &rows[skipped];
    let alone = context.rolled && first.gap && first.filled().len() == 2 && end == FigureAt::First;
    alone || context.listed || context.forced || skipped > 0 || cell
}

/// "Modifiers: pavise +1, hit by a" above "bombard -3.": a list in a sentence that is wrapped.
fn wrapped(rows: &[SheetRow]) -> Option<Taken> {
    let filled = rows[0].filled();
    let [only] = filled.as_slice() else { return None };
    row::announced_list(&only.text)?;
    let mut text = only.text.clone();
    let mut taken = 1;
    while !text.ends_with('.')
        && taken < 5
        && let Some(next) = rows.get(taken)
        && !next.gap
        && !next.head
        && next.filled().len() == 1
    {
        text = format!("{text} {}", next.text());
        taken += 1;
    }
    let (at, list) = (only.at.start..rows[taken - 1].at().end, row::announced_list(&text)?);
    let modifiers =
        row::parts(list, &at, rows[0].line).or_else(|| row::ends(list, &at, rows[0].line))?;
    (taken > 1 && text.ends_with('.')).then_some((Content::Modifiers(modifiers), taken))
}

/// "Deduct 1 from each die if:" above lines without figures: the figure holds for each of them.
fn carried(rows: &[SheetRow], pieces: &mut Pieces) -> Option<Taken> {
    let filled = rows[0].filled();
    let [only] = filled.as_slice() else { return None };
    let group = only.text.strip_suffix(':')?;
    let words = tokens(group);
    let open = words.last()?.is_any(&["if", "when", "for", "where", "of"]);
    let (amount, _) = amount::prefix(&words).filter(|_| open && words.len() <= 10)?;
    let item = |row: &&SheetRow| {
        row.bullet
            && !row.head
            && row.filled().len() == 1
            && end_of(row).is_none()
            && !begins_with_band(&row.text())
    };
    let items: Vec<&SheetRow> = rows[1..].iter().take_while(item).collect();
    if items.len() < 2 || !matches!(amount, Amount::Plus(_) | Amount::Dice(_)) {
        return None;
    }
    let mut list = Vec::new();
    for row in &items {
        let label = PrintedCell {
            text: row.text().trim_end_matches([',', ';', '.']).to_owned(),
            at: row.at(),
        };
        pieces.guess(GuessKind::Carried, row.line, row.at(), &row.text());
        let mut one = modifier(amount.clone(), label, row.line);
        one.guessed = true;
        list.push(one);
    }
    Some((Content::Modifiers(list), items.len() + 1))
}

/// "+ Quality" among modifiers: a value of the unit.
fn value_line(row: &SheetRow) -> Option<Modifier> {
    let filled = row.filled();
    let [only] = filled.as_slice() else { return None };
    // "+ Ferocity (beasts only)"
    let (named, remark) = match only.text.split_once(" (") {
        Some((named, _)) => (named, &only.text[named.len()..]),
        None => (only.text.as_str(), ""),
    };
    let mut value = amount::whole(named)?;
    let plus = only.text.starts_with('+') && !value.label.is_empty();
    value.label.push_str(remark);
    (plus && matches!(value.amount, Amount::Value { .. })).then(|| {
        modifier(value.amount, PrintedCell { text: value.label, at: only.at.clone() }, row.line)
    })
}

/// "- Armour" below "+ Gun rating": a value that is subtracted.
fn minus_value(row: &SheetRow, list: &[Modifier]) -> Option<Modifier> {
    let filled = row.filled();
    let [only] = filled.as_slice() else { return None };
    let name = ["- ", "– ", "− "].iter().find_map(|mark| only.text.strip_prefix(mark))?;
    let after_value = matches!(list.last()?.amount, Amount::Value { .. });
    let short = (1..=6).contains(&name.split_whitespace().count())
        && !name.contains(|c: char| c.is_ascii_digit())
        && !name.ends_with('.');
    let label = PrintedCell { text: name.trim().to_owned(), at: only.at.clone() };
    (after_value && short).then(|| modifier(Amount::Value { minus: true }, label, row.line))
}

/// Tells if the words of one modifier stand in several cells of plain text, and one before the last
/// holds a figure: they may be of two charts side by side.
fn is_mixed(row: &SheetRow, count: usize) -> bool {
    let filled = row.filled();
    let words: Vec<&&RowCell> =
        filled.iter().filter(|cell| amount::whole(&cell.text).is_none()).collect();
    let figure = |cell: &&&RowCell| cell.text.contains(|c: char| c.is_ascii_digit());
    count == 1
        && row.table.is_none()
        && words.len() >= 2
        && words[..words.len() - 1].iter().any(figure)
}

/// Tells if the next rows of a table with markup are modifiers again.
fn goes_on_below(rows: &[SheetRow], place: usize, end: FigureAt) -> bool {
    let same =
        |row: &&SheetRow| row.table == rows[place].table && !row.gap && row.filled().len() >= 2;
    rows[place].filled().len() >= 2
        && !rows[place].gap
        && rows[place + 1..].iter().take(3).take_while(same).any(|row| end_of(row) == Some(end))
}

/// At which end the figures of a list stand. The first of them may be misread.
fn first_end(rows: &[SheetRow]) -> Option<FigureAt> {
    let first = rows.first()?;
    if let Some((_, end)) = of_row(first) {
        return Some(end);
    }
    let next = rows.get(1..3.min(rows.len()))?;
    if let Some((_, end)) = next.iter().find_map(of_row) {
        return repaired(first, end).map(|_| end);
    }
    let signed = |row: &SheetRow| {
        repaired(row, FigureAt::Last).filter(|(_, read)| read.starts_with(['+', '-']))
    };
    let all =
        next.len() == 2 && signed(first).is_some() && next.iter().all(|row| signed(row).is_some());
    all.then_some(FigureAt::Last)
}

/// Heading rows such as "Circumstance  Modifier".
fn heads(rows: &[SheetRow], context: &Context) -> usize {
    let row = &rows[0];
    let cells = row.filled();
    // "Condition  Dice" above a column of nothing but signed figures and factors.
    let same = |next: &&SheetRow| next.table == row.table && !next.gap;
    let below = || rows[1..].iter().take_while(same);
    let all = cells.len() == 2
        && row.table.is_some()
        && context.rolled
        && below().count() >= 2
        && below().all(|row| row.filled().len() == 2 && end_of(row) == Some(FigureAt::Last));
    let named = all
        || cells.iter().any(|cell| {
            titles::announces_modifiers(&cell.text)
                || ["mod", "mods", "adj.", "+/-", "drm", "±"]
                    .contains(&cell.text.to_lowercase().as_str())
        });
    let short = cells.iter().all(|cell| cell.text.split_whitespace().count() <= 4);
    let headed =
        named && short && cells.len() >= 2 && !row.head && rows.len() > 1 && end_of(row).is_none();
    // "Shooter" below them names the first group of a table.
    let group = |row: &SheetRow| row.table.is_some() && !row.gap && row.filled().len() == 1;
    let named = headed
        && group(&rows[1])
        && rows[1].table == row.table
        && rows.get(2).is_some_and(|next| next.table == row.table && end_of(next).is_some());
    usize::from(headed) + usize::from(named)
}

/// Tells if the list does not go on after a gap.
fn too_far(rows: &[SheetRow], place: usize, end: FigureAt) -> bool {
    let row = &rows[place];
    let goes_on = end_of(row) == Some(end) || unsigned_shape(row, end);
    let text = row.text();
    let wrapped = text.chars().next().is_some_and(char::is_lowercase)
        && row.filled().len() == 1
        && rows.get(place + 1).is_some_and(|next| end_of(next).is_some());
    let group = row.filled().len() == 1 && is_group(rows, place, end) && row.strip > 0;
    !goes_on && !wrapped && !group
}

/// A line without a figure inside the list: the rest of a label, or the head of a group.
fn goes_on(
    rows: &[SheetRow],
    place: usize,
    last_taken: usize,
    end: FigureAt,
    last: Option<&Modifier>,
) -> bool {
    let row = &rows[place];
    let cells = row.filled();
    let [only] = cells.as_slice() else { return false };
    // A sign alone finds its figure on the next line: "1 for every 3 lost".
    let bare = matches!(last, Some(Modifier { amount: Amount::Value { .. }, .. }));
    if bare
        && place == last_taken
        && [" for every ", " per ", " for each "].iter().any(|words| only.text.contains(words))
    {
        return true;
    }
    if place != last_taken
        || row.head
        || row.bullet
        || begins_with_band(&only.text)
        || crate::dice::roll_line(&only.text).is_some()
        // "fail = run to cover", "nat 10 always hits": a rule of its own.
        || only.text.contains(" = ")
        || only.text.starts_with("nat ")
    {
        return false;
    }
    // "Big target (Ogre," goes on with "Beast)".
    if last.is_some_and(is_unclosed) && !row.gap
        || end == FigureAt::Last && opens_label(rows, place)
    {
        return true;
    }
    // "eel On fire": a figure that OCR spoilt, not the rest of a label.
    let mut words = only.text.split(' ');
    let spoilt = end == FigureAt::First
        && words.next().is_some_and(|word| word.len() <= 3)
        && words.next().is_some_and(|word| word.starts_with(char::is_uppercase));
    let lower = !spoilt && only.text.chars().next().is_some_and(|c| c.is_lowercase() || c == '(');
    let figure = tokens(&only.text).first().is_some_and(|t| t.num().is_some());
    if (lower || figure) && only.text.split_whitespace().count() <= 14 {
        return true;
    }
    is_group(rows, place, end)
}

fn is_unclosed(modifier: &Modifier) -> bool {
    let label = &modifier.label.text;
    label.matches('(').count() > label.matches(')').count()
}

/// A line without a figure whose label goes on below, beside its figure: "In sight of dead" above
/// "friends   +2".
fn opens_label(rows: &[SheetRow], place: usize) -> bool {
    let Some(next) = rows.get(place + 1) else { return false };
    let lower = next.text().chars().next().is_some_and(char::is_lowercase);
    let indented = next.cells.first().map(|c| c.x.0) > rows[place].cells.first().map(|c| c.x.0);
    rows[place].cells.len() == 1
        && !next.gap
        && next.table.is_none()
        && lower
        && indented
        && of_row(next).is_some_and(|(list, at)| at == FigureAt::Last && list.len() == 1)
}

/// A short line that names the modifiers below it.
fn is_group(rows: &[SheetRow], place: usize, end: FigureAt) -> bool {
    let text = rows[place].text();
    let next = rows.get(place + 1).and_then(end_of) == Some(end);
    next && titles::is_short_name(&text)
        && text != text.to_uppercase()
        && !rows[place].gap
        && text.split_whitespace().count() <= 4
}

/// Adds a line to the last modifier. A sign alone may find its figure there: "1 for every 3 lost".
fn continue_last(last: &mut Modifier, row: &SheetRow) {
    let Some(more) = row.filled().first().map(|c| (*c).clone()) else { return };
    if let Amount::Value { minus } = last.amount {
        let tokens = tokens(&more.text);
        let number = tokens.first().and_then(crate::token::Token::num);
        if let Some(n) = number {
            let rest = crate::token::rest(&more.text, tokens[0].end);
            let by = if minus { n.negative() } else { n };
            if let each @ Amount::Each { .. } = amount::counted(Amount::Plus(by), &rest) {
                last.amount = each;
            }
        }
        return;
    }
    extend(&mut last.label, &more);
    last.amount = match &last.amount {
        Amount::Plus(_) | Amount::Dice(_) => amount::counted(last.amount.clone(), &last.label.text),
        other => other.clone(),
    };
}

/// "-1 Firer moved (-2 if artillery)": two modifiers, of which one holds.
fn in_brackets(of: Modifier) -> Vec<Modifier> {
    let parted = || {
        let (label, rest) = of.label.text.split_once(" (")?;
        let inside = rest.strip_suffix(')')?;
        let words = tokens(inside);
        let (amount, next) = amount::prefix(&words)?;
        let joint = words.get(next)?.is_any(&["if", "when", "for", "against", "in", "at"]);
        let words_after = inside.chars().skip(words[next].start).collect::<String>();
        let signed = matches!((&of.amount, &amount), (Amount::Plus(_), Amount::Plus(_)));
        (joint && signed && !label.contains('(')).then(|| (label.to_owned(), amount, words_after))
    };
    let Some((label, amount, words_after)) = parted() else { return vec![of] };
    let second = PrintedCell { text: format!("{label} {words_after}"), at: of.label.at.clone() };
    let first = PrintedCell { text: label, at: of.label.at.clone() };
    let line = of.line;
    vec![
        Modifier { label: first, guessed: true, ..of },
        Modifier { label: second, amount, line, guessed: true },
    ]
}

/// "Drunk (we always forget this one)": what the author says to the reader is no part of the condition.
fn without_remark(
    one: &mut Modifier,
    guesses: &mut Vec<(GuessKind, u32, std::ops::Range<usize>, String)>,
) {
    let Some((label, remark)) = one.label.text.split_once(" (") else { return };
    let speaks = tokens(remark).iter().any(|t| t.is_any(&["we", "i", "my", "us", "our", "me"]));
    if speaks && remark.ends_with(')') && remark.matches(')').count() == 1 {
        let label = label.to_owned();
        let printed = std::mem::replace(&mut one.label.text, label);
        guesses.push((GuessKind::Cut, one.line, one.label.at.clone(), printed));
        one.guessed = true;
    }
}

/// "+2 fresh / -2 spent" is read as one modifier with its words: marked, since the second is lost.
fn exclusive(
    list: &mut [Modifier],
    guesses: &mut Vec<(GuessKind, u32, std::ops::Range<usize>, String)>,
) {
    for modifier in list {
        let text = &modifier.label.text;
        let second =
            [" / +", " / -", " / –", "(+", "(-", "(–", "(−", " or +", " or -"].iter().any(|mark| {
                text.find(mark).is_some_and(|at| {
                    text[at + mark.len()..].starts_with(|c: char| c.is_ascii_digit())
                })
            });
        let tokens = tokens(text);
        let other = tokens.windows(3).any(|part| {
            (part[1].sign('+') || part[1].sign('-'))
                && part[0].end < part[1].start
                && part[1].end == part[2].start
                && part[2].num().is_some()
        });
        if (second || other) && !text.to_lowercase().contains("max") {
            guesses.push((
                GuessKind::Exclusive,
                modifier.line,
                modifier.label.at.clone(),
                text.clone(),
            ));
            modifier.guessed = true;
        }
    }
}
