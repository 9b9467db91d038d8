//! Strips and blocks. A strip is never broken: a line, or a row of a table. A block is a head with
//! strips below.

use crate::draw::{Mark, Tag};
use std::sync::Arc;

/// Marks that stay together, relative to the upper left corner of the strip.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Strip {
    pub height: f64,
    pub marks: Vec<Mark>,
    /// Whether the next strip must be in the same column.
    pub keep: bool,
    /// What is repeated above it at the start of a column: the heads of its table.
    pub over: Option<Arc<Strip>>,
}

impl Strip {
    /// Empty space.
    pub fn room(height: f64) -> Strip {
        Strip { height, keep: true, ..Strip::default() }
    }
}

/// A head with strips below.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Block {
    pub title: String,
    /// The head, and the head of a continuation.
    pub heads: [Strip; 2],
    pub strips: Vec<Strip>,
    /// Whether it may be broken to fill a column.
    pub loose: bool,
    /// Whether it spans all columns.
    pub wide: bool,
}

impl Block {
    /// The height of some of its strips, with the head.
    pub fn height(&self, from: usize, to: usize) -> f64 {
        self.head_height(from) + self.strips[from..to].iter().map(|strip| strip.height).sum::<f64>()
    }

    /// The heads above a piece that starts at this strip.
    pub fn head(&self, from: usize) -> impl Iterator<Item = &Strip> {
        let over =
            self.strips.get(from).and_then(|strip| strip.over.as_deref()).filter(|_| from > 0);
        std::iter::once(&self.heads[usize::from(from > 0)]).chain(over)
    }

    fn head_height(&self, from: usize) -> f64 {
        self.head(from).map(|strip| strip.height).sum()
    }

    /// How many strips from this one on fit into a height, ending at an allowed break; all of them
    /// if they fit.
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

    /// The end of the shortest piece: up to the first allowed break.
    pub fn least(&self, from: usize) -> usize {
        let end = self.strips.iter().skip(from).position(|strip| !strip.keep);
        end.map_or(self.strips.len(), |place| from + place + 1)
    }
}

/// Leaves a strip out of what is read aloud: it repeats what was read before.
pub(crate) fn repeated(strip: &mut Strip) {
    strip.marks.retain(|mark| !matches!(mark, Mark::Tag(_)));
    strip.marks.insert(0, Mark::Tag(Tag::Repeated));
    strip.marks.push(Mark::Tag(Tag::Resumed));
}

/// A mark, moved.
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
        Mark::Tag(_) => {}
    }
    mark
}
