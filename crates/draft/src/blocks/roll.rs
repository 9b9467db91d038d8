//! Rows that say what is rolled.

use super::{Context, Pieces, prose, titles};
use crate::amount::Amount;
use crate::dice;
use crate::model::{Content, Modifier, PrintedCell};
use crate::source::{RowCell, SheetRow};

/// A row that says what is rolled: a sentence, or a name and dice as on printed sheets.
pub(super) fn roll(rows: &[SheetRow], context: &mut Context, pieces: &mut Pieces) -> Option<usize> {
    let row = &rows[0];
    let cells = row.filled();
    if let Some(rolled) = named_roll(row) {
        let who = cells[0];
        context.rolled = true;
        let who = Some(who.text.trim_end_matches(':').to_owned());
        let line = dice::RollLine { who, dice: Some(rolled), ..dice::RollLine::default() };
        pieces.push(Content::Roll(line), &rows[..1]);
        return Some(1);
    }
    // Two sentences beside each other: charts side by side that were not parted.
    let long = |cell: &&&RowCell| cell.text.split_whitespace().count() >= 4;
    if row.table.is_none() && cells.iter().filter(long).count() >= 2 {
        return None;
    }
    // "2d6 against Rep   Result" is the heading of a table.
    if cells.len() > 1 && cells.last().is_some_and(|cell| titles::is_subhead(&cell.text)) {
        return None;
    }
    let mut text = row.text();
    // "Shooting" above "roll d10" is a title.
    let rolls = |next: &SheetRow| next.text().to_lowercase().starts_with("roll ");
    if row.gap && titles::is_short_name(&text) && rows.get(1).is_some_and(rolls) {
        return None;
    }
    if let Some(rolled) = dice::whole(&text).filter(|dice| dice.named && cells.len() == 1) {
        context.rolled = true;
        pieces.push(
            Content::Roll(dice::RollLine { dice: Some(rolled), ..dice::RollLine::default() }),
            &rows[..1],
        );
        return Some(1);
    }
    let mut taken = 1;
    // A sentence may be wrapped.
    while let Some(next) = rows.get(taken)
        && taken < 4
        && !next.gap
        && !next.head
        && !titles::shouts(&text)
        && !text.trim_end().ends_with(['.', ':', ')', '…'])
        && (next.text().chars().next().is_some_and(char::is_lowercase)
            || (prose::is_open(&rows[taken - 1]) && next.filled().len() == 1))
    {
        text = format!("{text} {}", next.text());
        taken += 1;
    }
    let line = dice::roll_line(&text)?;
    // A longer text is read as prose.
    let sentences = text.matches(". ").count() + text.matches("; ").count();
    if sentences > 1 || text.chars().count() > 200 || prose::has_more(&text) {
        return None;
    }
    context.rolled |= line.dice.is_some();
    context.listed = true;
    pieces.push(Content::Roll(line), &rows[..taken]);
    if let Some(list) = values(&text, row) {
        pieces.push(list, &rows[..taken]);
    }
    Some(taken)
}

/// Values of the roller that a sentence adds to its dice, as modifiers.
pub(super) fn values(text: &str, row: &SheetRow) -> Option<Content> {
    let list: Vec<Modifier> = dice::values(text)
        .into_iter()
        .map(|(minus, name)| Modifier {
            label: PrintedCell { text: crate::capital(&name), at: row.at() },
            amount: Amount::Value { minus },
            line: row.line,
            guessed: false,
        })
        .collect();
    (!list.is_empty()).then_some(Content::Modifiers(list))
}

/// A line that only says what is rolled: "2d6 against Rep".
pub(super) fn is_plain_roll(row: &SheetRow) -> bool {
    let text = row.text();
    if dice::whole(&text).is_some_and(|dice| dice.named) {
        return true;
    }
    let starts =
        crate::token::tokens(&text).first().is_some_and(|t| t.num().is_some() || t.is("d"));
    let adds = || !dice::values(&text).is_empty();
    starts
        && dice::roll_line(&text)
            .is_some_and(|line| line.dice.is_some() && (line.test.is_some() || adds()))
}

/// "Firer   1d10": a name and dice.
pub(super) fn named_roll(row: &SheetRow) -> Option<dice::Dice> {
    let cells = row.filled();
    let [who, what] = cells.as_slice() else { return None };
    let name = who.text.split_whitespace().count() <= 6
        && who.text.chars().any(char::is_alphabetic)
        && !who.text.ends_with('.');
    dice::whole(&what.text).filter(|dice| name && dice.named)
}
