//! Rolls that stand in another column of the page than the title above them in reading order, and lists
//! under the name of a side.

use super::{ChartRoll, Linker, ScoreTable};
use crate::blocks::Pieces;
use crate::model::{Content, GuessKind, Piece};

/// The most pieces before a roll that are searched for its title.
const FAR: usize = 200;

impl Linker {
    /// A title with nothing below it in its own column goes to a roll on the next line of another column.
    /// Returns whether there is one.
    pub(super) fn adopt_title(&mut self, place: usize, pieces: &Pieces) -> bool {
        let pieces = &pieces.list;
        let line = pieces[place].lines.0;
        let Some(own) = self.section_piece.map(|own| pieces[own].lines.0) else { return false };
        let from = place.saturating_sub(FAR);
        let stray = (from..place).rev().find(|at| {
            let is_above = pieces[*at].lines.1 + 1 == line;
            matches!(pieces[*at].content, Content::Title(_)) && is_above && own < line - 1
        });
        let Some(stray) = stray.filter(|at| Some(*at) != self.section_piece) else { return false };
        // What comes next in reading order starts higher on the page.
        let next = |piece: &Piece| piece.lines.0 < pieces[stray].lines.0;
        let Content::Title(title) = &pieces[stray].content else { return false };
        if !next(&pieces[stray + 1]) {
            return false;
        }
        self.title(stray, title);
        true
    }

    /// "Firer:" above modifiers, where the firer and another side have just rolled: the list is of that
    /// side. The list of the other side follows it, under whatever name.
    pub(super) fn is_side(&mut self, place: usize, title: &str, pieces: &mut Pieces) -> bool {
        let Some(chart) = &self.current else { return false };
        let list = pieces.list.get(place + 1).map(|next| &next.content);
        let waits = chart.rolls.len() == 2 && matches!(chart.reading, ScoreTable::Nothing);
        if !waits || !matches!(list, Some(Content::Modifiers(_))) || title.contains(' ') {
            return false;
        }
        let rolls = |roll: &ChartRoll| {
            let who = roll.line.who.as_deref().unwrap_or_default().to_lowercase();
            who.split(' ').any(|word| word == title.to_lowercase())
        };
        let named = chart.rolls.iter().position(rolls).filter(|_| !chart.rolls[0].line.both);
        let other = self.side.map(|side| 1 - side.min(1));
        let Some(side) = named.or(other) else { return false };
        if named.is_none() {
            let (line, at) = (pieces.list[place].lines.0, pieces.list[place].at.first().cloned());
            pieces.guess(GuessKind::Nearness, line, at.unwrap_or_default(), title);
            if let Some(guess) = pieces.guesses.last_mut() {
                guess.chart = Some(chart.title.clone());
            }
        }
        self.side = Some(side);
        if let Some(chart) = &mut self.current {
            chart.pieces.insert(place);
        }
        true
    }

    /// Tells if a part of the chart stands further down the page than a roll on this line.
    pub(super) fn is_elsewhere(&self, line: u32, pieces: &Pieces) -> bool {
        let below = |place: &usize| pieces.list[*place].lines.1 > line;
        self.current.as_ref().is_some_and(|chart| chart.pieces.iter().rev().take(FAR).any(below))
    }
}
