//! The typesetter. Sections become strips of marks in millimetres; strips are stacked in columns,
//! and columns are placed on pages. Every width is measured in the printed fonts, so nothing is cut
//! off and nothing overlaps.

mod columns;
mod part;
mod sign;
mod strip;
mod table;
mod text;

pub(crate) use columns::{Frame, PlacedBlock, flow};
pub(crate) use strip::{Block, Strip, moved, repeated};
pub(crate) use text::{Line, Piece, plain_piece};

use crate::paper::Fonts;

/// The fonts and sizes of a layout.
pub(crate) struct Typesetter<'f> {
    pub fonts: &'f Fonts,
    /// The size of the letters, in millimetres.
    pub size: f64,
    /// The smallest size.
    pub least: f64,
    /// How close the lines are.
    pub spacing: Spacing,
    /// Outlines instead of tints.
    pub low_ink: bool,
}

impl Typesetter<'_> {
    /// A fraction of the letters' size, but never too small to read.
    pub fn letters(&self, share: f64) -> f64 {
        (self.size * share).max(self.least)
    }

    /// The line height.
    pub fn leading(&self, letters: f64) -> f64 {
        letters
            * match self.spacing {
                Spacing::Usual => 1.3,
                Spacing::Tight => 1.17,
            }
    }

    /// The space above, below or between parts: a share of the letters' size.
    pub fn gap(&self, share: f64) -> f64 {
        self.size
            * share
            * match self.spacing {
                Spacing::Usual => 1.0,
                Spacing::Tight => 0.6,
            }
    }
}

/// How close the lines of a layout are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spacing {
    Usual,
    /// Closer, as publishers set eight points on nine and a half: where that saves a page.
    Tight,
}

/// The smallest letters, as publishers set them: eight points, in millimetres.
pub(crate) const SMALLEST: f64 = 8.0 * 25.4 / 72.0;
/// A hairline, in millimetres.
pub(crate) const HAIR: f64 = 0.12;
