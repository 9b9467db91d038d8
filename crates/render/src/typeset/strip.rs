//! Strips and blocks. A strip is what is never broken: a line, a row of a table. A block is a head with strips under it.

use crate::draw::Mark;
use std::sync::Arc;

/// Marks that stay together, from the upper left corner of the strip.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Strip {
    /// How high.
    pub height: f64,
    /// The marks.
    pub marks: Vec<Mark>,
    /// Whether what follows must stand under it in the same column.
    pub keep: bool,
    /// What stands over it again where a column begins with it: the heads of its table.
    pub over: Option<Arc<Strip>>,
}

impl Strip {
    /// Room with nothing in it.
    pub fn room(height: f64) -> Strip {
        Strip { height, keep: true, ..Strip::default() }
    }
}

/// A head with strips under it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Block {
    /// Its name.
    pub title: String,
    /// The head, and the one that stands over what is continued elsewhere.
    pub heads: [Strip; 2],
    /// What stands under it.
    pub strips: Vec<Strip>,
    /// Whether it may be broken to fill a column.
    pub loose: bool,
    /// Whether it stands across all columns.
    pub wide: bool,
}

impl Block {
    /// The height of some of its strips, with the head.
    pub fn height(&self, from: usize, to: usize) -> f64 {
        self.head_height(from) + self.strips[from..to].iter().map(|strip| strip.height).sum::<f64>()
    }

    /// What stands over what begins at this strip.
    pub fn head(&self, from: usize) -> impl Iterator<Item = &Strip> {
        let over = self.strips.get(from).and_then(|strip| strip.over.as_deref()).filter(|_| from > 0);
        std::iter::once(&self.heads[usize::from(from > 0)]).chain(over)
    }

    fn head_height(&self, from: usize) -> f64 {
        self.head(from).map(|strip| strip.height).sum()
    }

    /// How many strips from this one on fit into a height, broken where that may be; all of them if they fit.
    pub fn fitting(&self, from: usize, room: f64) -> usize {
        let mut height = self.head_height(from);
        let mut best = from;
        for (place, strip) in self.strips.iter().enumerate().skip(from) {
            height += strip.height;
            if height > room + 1e-6 {
                return best;
            }
            if !strip.keep {
                best = place + 1;
            }
        }
        self.strips.len()
    }

    /// How many strips must go together at least, where nothing else will do: up to the first place to break.
    pub fn least(&self, from: usize) -> usize {
        let end = self.strips.iter().skip(from).position(|strip| !strip.keep);
        end.map_or(self.strips.len(), |place| from + place + 1)
    }
}

/// A mark somewhere else.
pub(crate) fn moved(mark: &Mark, (dx, dy): (f64, f64)) -> Mark {
    let p = |(x, y): (f64, f64)| (x + dx, y + dy);
    let mut mark = mark.clone();
    match &mut mark {
        Mark::Box { at, .. }
        | Mark::Disc { at, .. }
        | Mark::Shape { at, .. }
        | Mark::Outline { at, .. }
        | Mark::Text { at, .. }
        | Mark::Inset { at, .. } => *at = p(*at),
        Mark::Line { from, to, .. } => (*from, *to) = (p(*from), p(*to)),
    }
    mark
}
