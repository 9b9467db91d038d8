//! A chart before it is written: its rolls, its modifiers and how its score is read.

use crate::amount::Amount;
use crate::dice::{Dice, Needs, RollLine, Test};
use crate::model::{BandRow, BandTable, Modifier, WordTable};
use crate::num::{self, Num};
use crate::token::tokens;
use crate::{band, score_head};
use std::collections::BTreeSet;
use std::ops::Range;

/// One roll of a chart.
#[derive(Clone, Debug)]
pub(crate) struct ChartRoll {
    pub line: RollLine,
    pub modifiers: Vec<Modifier>,
    /// So many of them stand before the roll: if others follow it, they may be of something else.
    pub early: usize,
    /// The highest total that counts.
    pub most: Option<i32>,
    pub source: u32,
    pub at: Range<usize>,
}

impl ChartRoll {
    /// A roll with the modifiers that stand before it.
    pub fn new(
        line: RollLine,
        modifiers: Vec<Modifier>,
        source: u32,
        at: Range<usize>,
    ) -> ChartRoll {
        ChartRoll { early: modifiers.len(), line, modifiers, most: None, source, at }
    }

    /// Tells if a line names the same dice once more: above the table ("2d6 against Rep | Result"),
    /// or as the first line of the modifiers, by a word of the title ("Rally | 1d10").
    pub(super) fn is_said_again(&self, line: &RollLine, title: &str) -> bool {
        let sides = |line: &RollLine| line.dice.map(|dice| (dice.count, dice.sides));
        if self.line.both || line.both || line.dice.is_none() || sides(&self.line) != sides(line) {
            return false;
        }
        let value = |test: &Test| match test {
            Test::AtMostValue(name) | Test::AtLeastValue(name) => Some(name.clone()),
            Test::AtLeast(_) | Test::AtMost(_) => None,
        };
        // The heading of the results may be read as a part of the value's name.
        let same_test = match (&self.line.test, &line.test) {
            (Some(known), Some(test)) if known == test => true,
            (Some(known), Some(test)) => value(known)
                .zip(value(test))
                .is_some_and(|(known, name)| name.starts_with(&format!("{known} "))),
            _ => false,
        };
        let named = || {
            let title = title.to_lowercase();
            let words: Vec<&str> = title.split(|c: char| !c.is_alphanumeric()).collect();
            let of_title = |who: &String| {
                who.to_lowercase().split_whitespace().all(|word| words.contains(&word))
            };
            self.modifiers.is_empty()
                && self.line.who.is_none()
                && (line.test.is_none() || line.test == self.line.test)
                && line.who.as_ref().is_some_and(of_title)
        };
        (line.who.is_none() && same_test) || named()
    }
}

/// The table by which the score of a chart is read.
#[derive(Clone, Debug)]
pub(crate) enum ScoreTable {
    Nothing,
    Bands(BandTable),
    Grid(WordTable),
}

impl ScoreTable {
    /// Tells if the table holds numbers that dice must reach, such as `4+`. In a table by something
    /// else than scores, bare figures are such numbers too if dice are named.
    pub fn is_targets(&self, dice: bool) -> bool {
        self.has_targets(dice && matches!(self, ScoreTable::Bands(_)))
    }

    pub(super) fn has_targets(&self, bare: bool) -> bool {
        let scored = matches!(self, ScoreTable::Bands(table)
            if score_head(&table.score) || table.score.is_empty());
        !scored && self.has_numbers(bare)
    }

    /// Tells if every cell is a number for dice. `bare` figures count if a sentence announces them.
    pub(super) fn has_numbers(&self, bare: bool) -> bool {
        let cells: Vec<&str> = match self {
            ScoreTable::Nothing => return false,
            ScoreTable::Bands(table) => {
                table.rows.iter().flat_map(|row| &row.cells).map(|c| c.text.as_str()).collect()
            }
            ScoreTable::Grid(grid) => {
                grid.rows.iter().flat_map(|row| &row.cells).map(|c| c.text.as_str()).collect()
            }
        };
        let numbers = cells.iter().filter(|text| target(text).is_some()).count();
        let more = [" or more", " or better", " or higher"];
        let is_open = |text: &&&str| text.contains('+') || more.iter().any(|m| text.contains(m));
        let open = cells.iter().filter(is_open).count();
        // Bare figures may be anything: most cells must say "or more".
        (bare || open * 2 >= numbers)
            && numbers * 2 > cells.len()
            && cells.iter().all(|text| target(text).is_some() || is_nothing(text))
    }
}

/// The number of a cell that says what dice must reach: `4+`, `6`, `5 or more`, `4+ (never modified)`.
pub(crate) fn target(text: &str) -> Option<i32> {
    let tokens = tokens(text);
    let at = band::prefix(&tokens)?;
    let rest = tokens.get(at.next).is_none_or(|t| t.sign('('));
    let single = at.band.high().is_none() || at.band.is_single();
    at.band.low().filter(|_| rest && single && !text.starts_with('+'))?.as_whole()
}

pub(crate) fn is_nothing(text: &str) -> bool {
    let text = text.trim();
    text.is_empty()
        || ["-", "–", "—", "na", "n/a", "x", "no", "none", "•"]
            .contains(&text.to_lowercase().as_str())
}

/// A chart to be written.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub id: String,
    pub title: String,
    pub rolls: Vec<ChartRoll>,
    /// Modifiers without a roll.
    pub loose: Vec<Modifier>,
    /// Rows for faces before modifiers, said beside the table.
    pub natural: Vec<BandRow>,
    pub reading: ScoreTable,
    pub notes: Vec<String>,
    /// The pieces it is made of.
    pub pieces: BTreeSet<usize>,
    /// Dice of the title.
    pub titled: Option<Dice>,
    /// The number of dice before the title.
    pub count: Option<u32>,
    pub line: u32,
    pub at: Range<usize>,
    pub refused: bool,
    /// A chart with the same title rolls, too, or its roll stands in another column of the page.
    pub again: bool,
}

impl Chart {
    /// The purpose of the numbers of the table, if the roll announces it.
    pub fn needs(&self) -> Option<Needs> {
        self.rolls.first().and_then(|roll| roll.line.needs)
    }

    /// Tells if the table holds numbers for the dice.
    pub fn has_targets(&self, dice: bool) -> bool {
        self.reading.is_targets(dice) || self.announces(&self.reading)
    }

    /// Tells if the modifiers of the chart change the numbers of a table: "In woods ×½".
    pub fn changes(&self, reading: &ScoreTable) -> bool {
        let ScoreTable::Grid(grid) = reading else { return false };
        let factor = |modifier: &Modifier| matches!(modifier.amount, Amount::Times(_));
        let alike = |modifier: &Modifier| {
            matches!(
                modifier.amount,
                Amount::Times(_) | Amount::Plus(_) | Amount::Each { dice: false, .. }
            )
        };
        self.rolls.is_empty()
            && self.loose.iter().any(factor)
            && self.loose.iter().all(alike)
            && num::of_cells(grid.rows.iter().flat_map(|row| &row.cells)).is_some()
    }

    /// A grid as a table by scores, if its row heads are all that the dice of the chart can show.
    pub(super) fn by_faces(&self, grid: &WordTable) -> Option<BandTable> {
        let [roll] = self.rolls.as_slice() else { return None };
        let free = matches!(self.reading, ScoreTable::Nothing) && roll.line.test.is_none();
        let dice = roll.line.dice.or(self.titled).filter(|dice| free && dice.named)?;
        let bands: Vec<band::Band> =
            grid.rows.iter().map(|row| band::whole(&row.head.text)).collect::<Option<_>>()?;
        let whole = |n: Option<Num>| n.and_then(Num::as_whole).and_then(|n| u32::try_from(n).ok());
        let first = bands.first().and_then(|band| whole(band.low()));
        let last = bands.last().map(|band| whole(band.high()))?;
        let most = dice.count * dice.sides;
        let all = first.is_none_or(|low| low == dice.count) && last.is_none_or(|high| high == most);
        let follow = bands.windows(2).all(|pair| pair[0].is_before(&pair[1]));
        let rows = grid.rows.iter().zip(bands).map(|(row, band)| BandRow {
            band,
            cells: row.cells.clone(),
            line: row.line,
            guessed: false,
            when: None,
        });
        (all && follow && grid.rows.len() >= 2).then(|| BandTable {
            score: grid.corner.clone(),
            columns: grid.columns.iter().map(|column| column.text.clone()).collect(),
            rows: rows.collect(),
            ..BandTable::default()
        })
    }

    /// Tells if the roll announces the numbers of a table, and its dice can show them.
    pub(super) fn announces(&self, reading: &ScoreTable) -> bool {
        let [roll] = self.rolls.as_slice() else { return false };
        let Some(dice) = roll.line.dice.or(self.titled) else { return false };
        let most = (dice.count * dice.sides) as i32;
        let shown = |text: &str| target(text).is_none_or(|n| n <= most && n >= 1);
        let fits = match reading {
            ScoreTable::Grid(grid) => {
                grid.rows.iter().flat_map(|row| &row.cells).all(|c| shown(&c.text))
            }
            // Distances, which the dice cannot show, with a number for each.
            ScoreTable::Bands(table) => {
                let ends = table.rows.iter().filter_map(|row| row.band.high().or(row.band.low()));
                ends.filter_map(Num::as_whole).any(|end| end > most)
                    && table.rows.iter().flat_map(|row| &row.cells).all(|c| shown(&c.text))
            }
            ScoreTable::Nothing => false,
        };
        roll.line.needs.is_some() && fits && reading.has_numbers(true)
    }
}
