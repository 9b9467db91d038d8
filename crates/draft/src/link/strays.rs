//! Rolls that stand in another column of the page than the title above them in reading order.

use super::Linker;
use crate::blocks::Pieces;
use crate::model::{Content, Piece};

/// How many pieces before a roll are searched for its title.
const FAR: usize = 200;

impl Linker {
    /// A title with nothing below it in its own column goes to a roll on the next line of another column.
    /// Returns whether there is one.
    pub(super) fn adopt_title(&mut self, place: usize, found: &Pieces) -> bool {
        let pieces = &found.pieces;
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

    /// Whether a part of the chart stands further down the page than a roll on this line.
    pub(super) fn is_elsewhere(&self, line: u32, found: &Pieces) -> bool {
        let below = |place: &usize| found.pieces[*place].lines.1 > line;
        self.current.as_ref().is_some_and(|chart| chart.pieces.iter().rev().take(FAR).any(below))
    }
}
