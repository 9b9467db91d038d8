//! Errors of printing, pictures and exports. The `#[error]` lines are the user's sentences.

use crate::draw::Size;
use crate::imposition::{MAX_BLEED, SIDE_RANGE};
use thiserror::Error;

/// Why something cannot be printed, drawn or exported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The text is not the size of a card.
    #[error("`{text}` is no card size: poker (63×88), mini (44×63), tarot (70×120) or WxHmm, each side {} to {} mm", SIDE_RANGE.0, SIDE_RANGE.1)]
    BadCardSize {
        /// Shortened, without control characters.
        text: String,
    },
    #[error("a card of {} × {} mm cannot be printed: each side has {} to {} mm", card.width, card.height, SIDE_RANGE.0, SIDE_RANGE.1)]
    CardSide { card: Size },
    #[error("a bleed of {bleed} mm cannot be printed: it has 0 to {MAX_BLEED} mm")]
    Bleed { bleed: f64 },
    #[error(
        "a card of {} × {} mm{} does not fit on paper of {} × {} mm{}: choose a smaller --size",
        card.width, card.height,
        if *bleed > 0.0 { format!(" with {bleed} mm of bleed") } else { String::new() },
        paper.width, paper.height,
        if *gutterfold { " beside its back" } else { "" },
    )]
    CardDoesNotFit { card: Size, bleed: f64, paper: Size, gutterfold: bool },
    #[error("a page of {} × {} mm cannot be printed", size.width, size.height)]
    PageSize { size: Size },
    /// The message of the PDF writer.
    #[error("the PDF cannot be made: {0}")]
    Pdf(String),
    #[error("the picture cannot be drawn: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// A thread that draws pictures panicked.
    #[error("the picture cannot be drawn")]
    PictureThread,
    #[error("the picture is too large")]
    PictureTooLarge,
    /// A picture with more than the maximum number of pixels.
    #[error("the picture is too large: ask for fewer dots, or for an .svg")]
    TooManyPixels,
    /// The message of the PNG encoder.
    #[error("the picture cannot be drawn: {0}")]
    Png(String),
    /// The message of the PNG encoder, for the picture of a card in an export.
    #[error("the picture cannot be written: {0}")]
    CardPng(String),
    #[error("the deck has no cards")]
    NoCards,
    #[error("the module is too large for a zip file")]
    ZipTooLarge,
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Csv(#[from] csv::Error),
}
