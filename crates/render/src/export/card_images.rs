//! The cards of a deck as pictures, at an exact size in pixels. All programs get the same pictures;
//! only their size differs.

use crate::RenderError;
use crate::card::{CardStyle, back_as, front_as};
use crate::draw::{Drawing, Ink, Size};
use crate::paper::{Fonts, PngRenderer};
use adjutant_pack::{DeckSheet, Pack};
use resvg::tiny_skia::{Color, Pixmap, PixmapPaint, Transform};

/// The fronts of a deck in order, and its back.
pub(super) struct CardImages {
    fronts: Vec<Pixmap>,
    back: Pixmap,
}

/// The largest picture of a card that fits into a box and keeps the proportions.
pub(super) fn fitting(size: Size, (width, height): (u32, u32)) -> (u32, u32) {
    let by = (f64::from(width) / size.width.max(0.1)).min(f64::from(height) / size.height.max(0.1));
    let dots = |length: f64, most: u32| ((length * by).round() as u32).clamp(1, most);
    (dots(size.width, width), dots(size.height, height))
}

impl CardImages {
    /// Renders every card of a deck at this size in pixels.
    pub(super) fn render(
        pack: &Pack,
        deck: &DeckSheet,
        (size, style): (Size, CardStyle),
        fonts: &Fonts,
        dots: (u32, u32),
    ) -> Result<CardImages, RenderError> {
        let numbers = 1..=deck.cards.len() as u32;
        let mut drawings: Vec<Drawing> =
            numbers.map(|number| front_as(pack, deck, number, size, style)).collect();
        drawings.push(back_as(deck, size, style));
        let mut fronts = PngRenderer::new(fonts, &drawings).render(&drawings, dots)?;
        let back = fronts.pop().ok_or(RenderError::NoCards)?;
        Ok(CardImages { fronts, back })
    }

    /// Each front as a PNG file.
    pub(super) fn fronts(&self) -> Result<Vec<Vec<u8>>, RenderError> {
        self.fronts.iter().map(png).collect()
    }

    /// The back as a PNG file.
    pub(super) fn back(&self) -> Result<Vec<u8>, RenderError> {
        png(&self.back)
    }

    /// The back with opaque corners.
    pub(super) fn square_back(&self) -> Result<Vec<u8>, RenderError> {
        let mut picture = blank(self.back.width(), self.back.height())?;
        blit(&mut picture, &self.back, (0, 0));
        png(&picture)
    }

    /// Some cards side by side, row by row, with the back in the last place.
    pub(super) fn sheet(
        &self,
        cards: std::ops::Range<usize>,
        across: u32,
        down: u32,
    ) -> Result<Vec<u8>, RenderError> {
        let (width, height) = (self.back.width(), self.back.height());
        let mut picture = blank(width * across, height * down)?;
        for (place, front) in (0..).zip(self.fronts.get(cards).unwrap_or_default()) {
            blit(&mut picture, front, (place % across * width, place / across * height));
        }
        blit(&mut picture, &self.back, ((across - 1) * width, (down - 1) * height));
        png(&picture)
    }
}

/// A picture in the paper's colour. A program that rounds the corners itself needs opaque ones.
fn blank(width: u32, height: u32) -> Result<Pixmap, RenderError> {
    let mut picture = Pixmap::new(width, height).ok_or(RenderError::PictureTooLarge)?;
    let [red, green, blue] = Ink::Paper.colour();
    picture.fill(Color::from_rgba8(red, green, blue, 255));
    Ok(picture)
}

/// Draws a picture into another, blending transparent pixels.
fn blit(into: &mut Pixmap, picture: &Pixmap, (left, top): (u32, u32)) {
    let (paint, as_it_is) = (PixmapPaint::default(), Transform::identity());
    into.draw_pixmap(left as i32, top as i32, picture.as_ref(), &paint, as_it_is, None);
}

fn png(picture: &Pixmap) -> Result<Vec<u8>, RenderError> {
    picture.encode_png().map_err(|fault| RenderError::CardPng(fault.to_string()))
}
