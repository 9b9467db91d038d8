//! The typesetter: sections in words become strips of marks in millimetres, strips are stacked in columns, columns stand on pages.
//! Every width is measured in the fonts that are printed, so nothing is cut off and nothing overlaps.

mod columns;
mod part;
mod strip;
mod table;
mod text;

pub(crate) use columns::{Frame, PlacedBlock, flow};
pub(crate) use strip::{Block, Strip, moved};
pub(crate) use text::{Piece, plain_piece};

use crate::paper::Fonts;

/// What everything is set with.
pub(crate) struct Typesetter<'f> {
    /// The fonts.
    pub fonts: &'f Fonts,
    /// The size of the letters, in millimetres.
    pub size: f64,
    /// No letters are smaller.
    pub least: f64,
    /// Outlines instead of tints.
    pub low_ink: bool,
}

impl Typesetter<'_> {
    /// A share of the letters' size, but never too small to read.
    pub fn letters(&self, share: f64) -> f64 {
        (self.size * share).max(self.least)
    }

    /// From line to line.
    pub fn leading(&self, letters: f64) -> f64 {
        letters * 1.3
    }
}

/// A hairline, in millimetres.
pub(crate) const HAIR: f64 = 0.12;
