//! Imposition: cards on sheets of paper, to be printed and cut out. As many as fit, each placed to
//! the hundredth of a millimetre, with crop marks, a ruler to check the printed size, and backs
//! that are exactly behind their fronts. With bleed, cards are twice its width apart.

mod grid;
mod margin;
mod service;

pub use grid::{Fold, Grid, Slot};
pub use service::{SERVICE_BLEED, ServiceOptions, service_pictures, service_size};

use crate::RenderError;
use crate::draw::{Drawing, Ink, Mark, Size};
use crate::paper::Page;
use std::sync::Arc;

/// The shortest and the longest side of a card, in millimetres.
pub const SIDE_RANGE: (f64, f64) = (20.0, 300.0);
/// The widest bleed, in millimetres.
pub const MAX_BLEED: f64 = 10.0;

/// Where the backs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backs {
    /// On the other side of each page, mirrored along its long edge.
    Duplex,
    /// Beside the fronts, to fold over.
    Gutterfold,
    /// Mirrored, on pages after all fronts.
    Separate,
    None,
}

/// How cards are placed on paper.
#[derive(Clone, Debug, PartialEq)]
pub struct Imposition {
    /// The paper in portrait.
    pub paper: Size,
    /// The size of a card after cutting.
    pub card: Size,
    /// How far the background of a card extends beyond the cut, in millimetres.
    pub bleed: f64,
    pub backs: Backs,
    /// Whether there are crop marks.
    pub marks: bool,
    /// The deck's name, for the caption.
    pub name: String,
}

/// Parses the size of a card: a name, millimetres or inches (`poker`, `63x88mm`, `2.5x3.5in`).
///
/// ```
/// use adjutant_render::imposition::card_size;
/// assert_eq!(card_size("mini").unwrap().width, 44.0);
/// assert_eq!(card_size("57x87mm").unwrap().height, 87.0);
/// assert!(card_size("NaNx88mm").unwrap_err().to_string().contains("20 to 300 mm"));
/// ```
pub fn card_size(text: &str) -> Result<Size, RenderError> {
    let wrong = || RenderError::BadCardSize { text: adjutant_pack::clip_to(text, 40).to_string() };
    match text.trim().to_lowercase().as_str() {
        "poker" => return Ok(crate::card::POKER),
        "mini" => return Ok(crate::card::MINI),
        "tarot" => return Ok(crate::card::TAROT),
        _ => {}
    }
    let lower = text.trim().to_lowercase().replace(',', ".");
    let (numbers, unit) = match (lower.strip_suffix("mm"), lower.strip_suffix("in")) {
        (Some(numbers), _) => (numbers, 1.0),
        (None, Some(numbers)) => (numbers, 25.4),
        (None, None) => (lower.as_str(), 1.0),
    };
    let (width, height) = numbers.split_once(['x', '×']).ok_or_else(wrong)?;
    let side = |text: &str| {
        let long = text.trim().parse::<f64>().ok()? * unit;
        (long.is_finite() && (SIDE_RANGE.0..=SIDE_RANGE.1).contains(&long)).then_some(long)
    };
    Ok(Size { width: side(width).ok_or_else(wrong)?, height: side(height).ok_or_else(wrong)? })
}

/// The pages for these cards. All cards have the same back.
pub fn pages(
    fronts: &[Arc<Drawing>],
    back: &Arc<Drawing>,
    options: &Imposition,
) -> Result<Vec<Page>, RenderError> {
    let grid = Grid::new(options)?;
    let sheets: Vec<&[Arc<Drawing>]> = fronts.chunks(grid.slots.len().max(1)).collect();
    let of = sheets.len();
    let mut pages = Vec::new();
    let mut behind = Vec::new();
    for (n, cards) in sheets.into_iter().enumerate() {
        let slots: Vec<&Slot> = grid.slots.iter().take(cards.len()).collect();
        let mut marks = Vec::new();
        for (slot, card) in slots.iter().zip(cards) {
            place_card(&mut marks, card, slot.front, false, options.bleed);
        }
        if options.backs == Backs::Gutterfold {
            slots.iter().for_each(|slot| {
                place_card(&mut marks, back, slot.back, slot.turned, options.bleed)
            });
        }
        pages.push(grid.page(
            options,
            marks,
            margin::Caption { side: "", number: n + 1, of, ruler: true },
        ));
        if matches!(options.backs, Backs::Duplex | Backs::Separate) {
            let mut marks = Vec::new();
            slots.iter().for_each(|slot| {
                place_card(&mut marks, back, slot.back, slot.turned, options.bleed)
            });
            let page = grid.page(
                options,
                marks,
                margin::Caption { side: "backs", number: n + 1, of, ruler: false },
            );
            if options.backs == Backs::Duplex { pages.push(page) } else { behind.push(page) }
        }
    }
    pages.append(&mut behind);
    Ok(pages)
}

/// A card as a picture to be cut out: the background extends by the bleed on each side. Without
/// bleed it is the card itself.
///
/// ```
/// use adjutant_render::draw::{Drawing, Size};
/// let card = Drawing { size: Size { width: 63.0, height: 88.0 }, says: String::new(), marks: Vec::new() }.into();
/// assert_eq!(adjutant_render::imposition::with_bleed(&card, 3.0).unwrap().size, Size { width: 69.0, height: 94.0 });
/// assert!(adjutant_render::imposition::with_bleed(&card, 30.0).unwrap_err().to_string().contains("0 to 10 mm"));
/// ```
pub fn with_bleed(card: &Arc<Drawing>, bleed: f64) -> Result<Drawing, RenderError> {
    check_bleed(bleed)?;
    if bleed == 0.0 {
        return Ok(Drawing::clone(card));
    }
    let size =
        Size { width: card.size.width + 2.0 * bleed, height: card.size.height + 2.0 * bleed };
    let fill = Some(background_of(card).unwrap_or(Ink::Paper));
    // A little larger than the picture, so that its edge pixels are fully covered.
    let background = Mark::Box {
        at: (-1.0, -1.0),
        size: (size.width + 2.0, size.height + 2.0),
        round: 0.0,
        fill,
        edge: None,
    };
    let inset = Mark::Inset { at: (bleed, bleed), turned: false, drawing: card.clone() };
    Ok(Drawing { size, says: card.says.clone(), marks: vec![background, inset] })
}

fn check_bleed(bleed: f64) -> Result<(), RenderError> {
    match bleed.is_finite() && (0.0..=MAX_BLEED).contains(&bleed) {
        true => Ok(()),
        false => Err(RenderError::Bleed { bleed }),
    }
}

/// The ink of a background that fills the card.
fn background_of(card: &Drawing) -> Option<Ink> {
    let Size { width, height } = card.size;
    match card.marks.first() {
        Some(Mark::Box { at: corner, size, fill: Some(ink), .. })
            if corner.0 <= 0.01
                && corner.1 <= 0.01
                && size.0 >= width - 0.01
                && size.1 >= height - 0.01 =>
        {
            Some(*ink)
        }
        _ => None,
    }
}

/// Puts a card on the page. A background that fills the card extends into the bleed.
fn place_card(
    marks: &mut Vec<Mark>,
    card: &Arc<Drawing>,
    at: (f64, f64),
    turned: bool,
    bleed: f64,
) {
    let Size { width, height } = card.size;
    if let Some(fill) = background_of(card).filter(|ink| bleed > 0.0 && *ink != Ink::Paper) {
        let (at, size) =
            ((at.0 - bleed, at.1 - bleed), (width + 2.0 * bleed, height + 2.0 * bleed));
        marks.push(Mark::Box { at, size, round: 0.0, fill: Some(fill), edge: None });
    }
    marks.push(Mark::Inset { at, turned, drawing: card.clone() });
}
