//! The same drawing with little ink: no tints and backgrounds, hairlines, shapes as outlines. All
//! text stays. This is a change of the finished drawing, not another layout.

use super::{Drawing, Ink, Mark};
use std::sync::Arc;

/// The widest line.
const HAIRLINE: f64 = 0.2;
/// Letters from this size on are headings and need not be bold as well.
const LARGE: f64 = 5.0;

impl Drawing {
    /// The same drawing with little ink.
    ///
    /// ```
    /// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
    /// let card = adjutant_render::card::front(&pack, &pack.decks().as_slice()[0], 20, adjutant_render::card::POKER, None);
    /// assert!(card.svg().contains("fill=\"#eee9dc\"") && !card.low_ink().svg().contains("fill=\"#eee9dc\""));
    /// ```
    pub fn low_ink(mut self) -> Drawing {
        self.marks = self.marks.into_iter().map(spared).collect();
        self.in_grey()
    }

    /// The same drawing in shades of grey: a PDF of it needs black ink only.
    pub fn in_grey(mut self) -> Drawing {
        self.marks = self.marks.into_iter().map(grey).collect();
        self
    }
}

fn grey(mut mark: Mark) -> Mark {
    match &mut mark {
        Mark::Box { fill, edge, .. } => {
            *fill = fill.map(Ink::in_grey);
            *edge = edge.map(|(wide, ink)| (wide, ink.in_grey()));
        }
        Mark::Line { ink, .. }
        | Mark::Disc { ink, .. }
        | Mark::Shape { ink, .. }
        | Mark::Outline { ink, .. }
        | Mark::Text { ink, .. } => *ink = ink.in_grey(),
        Mark::Inset { drawing, .. } => {
            *drawing = Arc::new(Drawing::clone(drawing).in_grey());
        }
        Mark::Tag(_) => {}
    }
    mark
}

fn spared(mark: Mark) -> Mark {
    let fine = |(wide, _): (f64, Ink)| (f64::min(wide, HAIRLINE), Ink::Grey);
    match mark {
        Mark::Box { at, size, round, edge, .. } => {
            Mark::Box { at, size, round, fill: None, edge: edge.map(fine) }
        }
        Mark::Line { from, to, wide, ink } => {
            let (wide, ink) = fine((wide, ink));
            Mark::Line { from, to, wide, ink }
        }
        Mark::Shape { path, at, side, ink } => {
            Mark::Outline { path, at, side, wide: (side * 0.045).clamp(0.15, 0.35), ink }
        }
        Mark::Text { at, size, anchor, mut style, ink, words } => {
            style.bold &= size < LARGE;
            Mark::Text { at, size, anchor, style, ink, words }
        }
        Mark::Inset { at, turned, drawing } => {
            Mark::Inset { at, turned, drawing: Arc::new(Drawing::clone(&drawing).low_ink()) }
        }
        mark => mark,
    }
}
