//! Where the cards are on a page. The paper is portrait or landscape, whichever holds more cards.

use super::{Backs, Imposition, SIDE_RANGE};
use crate::RenderError;
use crate::draw::Size;

/// The margin at the sides, and at top and bottom, where the caption is.
const MARGIN: (f64, f64) = (5.0, 7.0);
/// The space for folding, without bleed.
const GUTTER: f64 = 6.0;

/// The line along which a page is folded, so that backs are behind fronts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// A vertical fold in the middle.
    Down,
    /// A horizontal fold in the middle.
    Across,
}

/// The place of one card and of its back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slot {
    /// The upper left corner of the front.
    pub front: (f64, f64),
    /// The upper left corner of the back: on its own page or, for folding, on the same.
    pub back: (f64, f64),
    /// Whether the back is upside down.
    pub turned: bool,
}

/// The places of all cards of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The paper in its orientation.
    pub paper: Size,
    pub fold: Option<Fold>,
    /// Row by row.
    pub slots: Vec<Slot>,
    /// The number of columns.
    pub across: usize,
}

impl Grid {
    /// The grid that holds the most cards.
    pub fn new(options: &Imposition) -> Result<Grid, RenderError> {
        let Size { width, height } = options.card;
        if [width, height]
            .iter()
            .any(|side| !side.is_finite() || !(SIDE_RANGE.0..=SIDE_RANGE.1).contains(side))
        {
            return Err(RenderError::CardSide { card: options.card });
        }
        super::check_bleed(options.bleed)?;
        let across = Size { width: options.paper.height, height: options.paper.width };
        let folds: &[Option<Fold>] = if options.backs == Backs::Gutterfold {
            &[Some(Fold::Down), Some(Fold::Across)]
        } else {
            &[None]
        };
        let all = [options.paper, across]
            .into_iter()
            .flat_map(|paper| folds.iter().map(move |fold| Grid::on(options, paper, *fold)));
        // The first of those that hold most.
        let best = all
            .reduce(|best, other| if other.slots.len() > best.slots.len() { other } else { best });
        best.filter(|grid| !grid.slots.is_empty()).ok_or_else(|| RenderError::CardDoesNotFit {
            card: options.card,
            bleed: options.bleed,
            paper: options.paper,
            gutterfold: options.backs == Backs::Gutterfold,
        })
    }

    fn on(options: &Imposition, paper: Size, fold: Option<Fold>) -> Grid {
        let (w, h) = (options.card.width, options.card.height);
        let between = 2.0 * options.bleed;
        let half = (GUTTER + between) / 2.0;
        let margin = (MARGIN.0.max(options.bleed + 2.0), MARGIN.1.max(options.bleed + 2.0));
        let room = |long: f64, margin: f64, folded: bool| {
            if folded { long / 2.0 - margin - half } else { long - 2.0 * margin }
        };
        let fits = |room: f64, side: f64| {
            ((room + between + 1e-6) / (side + between)).floor().max(0.0) as usize
        };
        let across = fits(room(paper.width, margin.0, fold == Some(Fold::Down)), w);
        let down = fits(room(paper.height, margin.1, fold == Some(Fold::Across)), h);
        let long = |n: usize, side: f64| n as f64 * side + n.saturating_sub(1) as f64 * between;
        let left = if fold == Some(Fold::Down) {
            paper.width / 2.0 - half - long(across, w)
        } else {
            (paper.width - long(across, w)) / 2.0
        };
        let top = if fold == Some(Fold::Across) {
            paper.height / 2.0 - half - long(down, h)
        } else {
            (paper.height - long(down, h)) / 2.0
        };
        let upright = paper.height >= paper.width;
        let slot = |n: usize| {
            let (x, y) = (
                left + (n % across) as f64 * (w + between),
                top + (n / across) as f64 * (h + between),
            );
            // A page is turned over its long edge, or folded over its fold. Positions are mirrored
            // at that line; if it is horizontal, cards end up upside down.
            let sideways = match fold {
                Some(fold) => fold == Fold::Down,
                None => upright,
            };
            let back = if sideways { (paper.width - x - w, y) } else { (x, paper.height - y - h) };
            Slot { front: (x, y), back, turned: !sideways }
        };
        Grid { paper, fold, across, slots: (0..across * down).map(slot).collect() }
    }
}
