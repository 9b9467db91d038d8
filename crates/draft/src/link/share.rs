//! Tables and lists of modifiers that stand apart from the charts that use them.

use super::{Chart, Linker, ScoreTable};
use crate::blocks::Pieces;
use crate::dice;
use crate::ids::{Ids, Style, slug};
use crate::model::{BandTable, GuessKind};
use crate::num::Num;
use crate::token::tokens;

impl Linker {
    /// A chart that rolls and has no table uses the next table without a roll.
    pub(super) fn share_tables(&mut self, pieces: &mut Pieces) {
        let mut without: Vec<usize> = Vec::new();
        let mut place = 0;
        while place < self.sheet.charts.len() {
            let chart = &self.sheet.charts[place];
            let rolls = !chart.rolls.is_empty();
            let table = match &chart.reading {
                ScoreTable::Bands(table)
                    if !rolls && chart.loose.is_empty() && chart.titled.is_none() =>
                {
                    Some(table.clone())
                }
                _ => None,
            };
            if rolls
                && chart.natural.is_empty()
                && matches!(chart.reading, ScoreTable::Nothing)
                && chart.rolls.iter().all(|roll| roll.line.test.is_none())
            {
                without.push(place);
            } else if let Some(table) = table
                && !without.is_empty()
                && takes_rolls(&table, &chart.title)
                && (dice::whole(&table.score).is_none()
                    || without.last().is_some_and(|last| last + 1 == place))
                && !self.has_other_dice(&table, &without)
            {
                let shared = self.sheet.charts.remove(place);
                self.ids = Ids::default();
                for user in std::mem::take(&mut without) {
                    self.share(user, &shared, &table, pieces);
                }
                continue;
            }
            place += 1;
        }
        self.number_charts();
    }

    /// A table of passes goes to the dice under the same title that are tested one by one. Something
    /// else may stand between the two: "2d6 against Rep … 2d6 | 0 passed, 1 passed, 2 passed".
    pub(super) fn join_passes(&mut self, pieces: &mut Pieces) {
        let mut place = 0;
        while place < self.sheet.charts.len() {
            let chart = &self.sheet.charts[place];
            let table = match &chart.reading {
                ScoreTable::Bands(table) if chart.rolls.is_empty() && chart.loose.is_empty() => {
                    table
                }
                _ => {
                    place += 1;
                    continue;
                }
            };
            let near = place.saturating_sub(2)..place;
            let user = passes_of(table).and_then(|dice| {
                near.rev().find(|user| self.sheet.charts[*user].counts_passes(&chart.title, dice))
            });
            match user {
                Some(user) => {
                    let table = table.clone();
                    let shared = self.sheet.charts.remove(place);
                    self.share(user, &shared, &table, pieces);
                }
                None => place += 1,
            }
        }
        self.number_charts();
    }

    /// Tells if the heading of a table names dice that the last chart without a table does not
    /// roll.
    fn has_other_dice(&self, table: &BandTable, without: &[usize]) -> bool {
        let Some((own, ..)) = dice::find(&tokens(&table.score)).filter(|(dice, ..)| dice.named)
        else {
            return false;
        };
        let rolls = |place: &usize| &self.sheet.charts[*place].rolls;
        without
            .iter()
            .flat_map(rolls)
            .filter_map(|roll| roll.line.dice)
            .all(|dice| dice.named && (dice.count, dice.sides) != (own.count, own.sides))
    }

    /// Gives each chart its id, in the order of the sheet.
    pub(super) fn number_charts(&mut self) {
        let mut ids = Ids::default();
        for chart in &mut self.sheet.charts {
            chart.id = ids.take(slug(&chart.title, Style::Hyphen, "chart"), None, Style::Hyphen);
        }
        self.ids = ids;
    }

    fn share(&mut self, user: usize, shared: &Chart, table: &BandTable, pieces: &mut Pieces) {
        let titles: Vec<String> =
            self.sheet.charts.iter().map(|chart| chart.title.clone()).collect();
        let Some(chart) = self.sheet.charts.get_mut(user) else { return };
        // A column with the title of a chart is for that chart alone.
        let owner =
            |column: &str| titles.iter().position(|title| title.eq_ignore_ascii_case(column));
        let mine: Vec<usize> = (0..table.columns.len())
            .filter(|at| owner(&table.columns[*at]) == Some(user))
            .collect();
        let free: Vec<usize> =
            (0..table.columns.len()).filter(|at| owner(&table.columns[*at]).is_none()).collect();
        let kept = if !mine.is_empty() {
            mine
        } else if !free.is_empty() {
            free
        } else {
            (0..table.columns.len()).collect()
        };
        let mut own = table.clone();
        own.columns = kept.iter().map(|at| table.columns[*at].clone()).collect();
        for row in &mut own.rows {
            row.cells = kept.iter().filter_map(|at| row.cells.get(*at).cloned()).collect();
        }
        if own.columns.len() == 1 {
            own.columns = vec![String::new()];
        }
        chart.reading = ScoreTable::Bands(own);
        chart.pieces.extend(shared.pieces.iter().copied());
        chart.notes.extend(shared.notes.iter().cloned());
        pieces.guess(
            GuessKind::Table { title: shared.title.clone() },
            shared.line,
            shared.at.clone(),
            &shared.title,
        );
        if let Some(guess) = pieces.guesses.last_mut() {
            guess.chart = Some(chart.title.clone());
        }
    }

    /// A list of modifiers under a title of its own goes to the chart that its title names.
    pub(super) fn share_modifiers(&mut self, pieces: &mut Pieces) {
        let mut place = 0;
        while place < self.sheet.charts.len() {
            let chart = &self.sheet.charts[place];
            let alone = chart.rolls.is_empty()
                && !chart.loose.is_empty()
                && matches!(chart.reading, ScoreTable::Nothing);
            let lower = chart.title.to_lowercase();
            let shifts = chart
                .loose
                .iter()
                .all(|modifier| matches!(modifier.amount, crate::amount::Amount::Shift(_)));
            let named = shifts
                || ["modifier", "drm", "bonus", "adjust"].iter().any(|word| lower.contains(word));
            if !alone || !named {
                place += 1;
                continue;
            }
            let words = telling(&lower);
            let user = self.sheet.charts.iter().position(|other| {
                other.id != chart.id
                    && (!other.rolls.is_empty() || matches!(other.reading, ScoreTable::Bands(_)))
                    && !words.is_empty()
                    && is_named(&words, &telling(&other.title.to_lowercase()))
            });
            let columns = |chart: &Chart| matches!(&chart.reading, ScoreTable::Bands(table) if table.columns.len() > 1);
            let before = self.sheet.charts[..place].iter().rposition(columns).filter(|_| shifts);
            let user =
                user.or(before).or_else(|| place.checked_sub(1).filter(|_| words.is_empty()));
            let Some(user) = user
                .filter(|user| !matches!(self.sheet.charts[*user].reading, ScoreTable::Grid(_)))
            else {
                place += 1;
                continue;
            };
            let list = self.sheet.charts.remove(place);
            let user = if user > place { user - 1 } else { user };
            let Some(chart) = self.sheet.charts.get_mut(user) else { continue };
            match chart.rolls.last_mut() {
                Some(roll) => roll.modifiers.extend(list.loose),
                None => chart.loose.extend(list.loose),
            }
            chart.pieces.extend(list.pieces);
            chart.notes.extend(list.notes);
            pieces.guess(
                GuessKind::List { title: list.title.clone() },
                list.line,
                list.at,
                &list.title,
            );
            if let Some(guess) = pieces.guesses.last_mut() {
                guess.chart = Some(chart.title.clone());
            }
        }
    }
}

/// The dice in the heading of a table whose scores only a number of passes can be: 0 to 2 of 2d6.
fn passes_of(table: &BandTable) -> Option<dice::Dice> {
    let own = dice::whole(&table.score).filter(|own| own.named && own.count > 1)?;
    let ends = table.rows.iter().flat_map(|row| [row.band.low(), row.band.high()]).flatten();
    let (mut none, mut within) = (false, true);
    for end in ends.map(Num::as_whole) {
        none |= end == Some(0);
        within &= end.is_some_and(|n| n >= 0 && n.unsigned_abs() <= own.count);
    }
    (none && within).then_some(own)
}

impl Chart {
    /// Tells if the chart tests these dice one by one and has no table.
    fn counts_passes(&self, title: &str, dice: dice::Dice) -> bool {
        let same = |own: dice::Dice| (own.count, own.sides) == (dice.count, dice.sides);
        matches!(self.reading, ScoreTable::Nothing)
            && self.title == title
            && matches!(self.rolls.as_slice(), [roll]
                if roll.line.test.is_some() && roll.line.dice.is_some_and(same))
    }
}

/// Tells if a table is read with the total of a roll.
fn takes_rolls(table: &BandTable, title: &str) -> bool {
    let lower = title.to_lowercase();
    let named = ["result", "table", "effect", "outcome", "combat", "fire", "fight"]
        .iter()
        .any(|word| lower.contains(word));
    named || table.score.is_empty() || crate::score_head(&table.score)
}

/// Tells if the title of a list names a chart. Many charts have hits, so that word alone names
/// none.
fn is_named(list: &[String], chart: &[String]) -> bool {
    let shared = |word: &&String| chart.contains(word);
    match list.iter().filter(shared).count() {
        0 => false,
        1 if list.iter().filter(shared).all(|word| word == "hit") => {
            chart.iter().all(|word| list.contains(word))
        }
        _ => true,
    }
}

/// The words of a title that tell something.
fn telling(title: &str) -> Vec<String> {
    title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| {
            w.len() >= 3
                && ![
                    "modifiers",
                    "modifier",
                    "table",
                    "the",
                    "and",
                    "for",
                    "die",
                    "roll",
                    "dice",
                    "drm",
                    "drms",
                    "results",
                    "result",
                    "test",
                    "adjustments",
                    "bonuses",
                ]
                .contains(w)
        })
        .map(|w| w.trim_end_matches('s').to_owned())
        .collect()
}
