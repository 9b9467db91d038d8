//! Cards for a print service: one picture for each card, with square corners, bleed on all sides and
//! exactly as many pixels as the service asks for; and a contact sheet to check them at a glance.

use super::with_bleed;
use crate::RenderError;
use crate::draw::{Anchor, Drawing, Ink, Mark, Size, Style};
use crate::paper::{Fonts, PngRenderer, with_density};
use std::sync::Arc;

/// The bleed that services ask for: 36 pixels at 300 dots per inch, in millimetres.
pub const SERVICE_BLEED: f64 = 36.0 * 25.4 / 300.0;
/// How many cards are side by side on the contact sheet.
const ACROSS: usize = 10;
/// How large a card is on the contact sheet, of its true size.
const SMALL: f64 = 0.4;
/// The resolution of the contact sheet.
const CONTACT_DOTS: f64 = 150.0;

/// How pictures for a print service are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServiceOptions {
    /// The size of a card after cutting.
    pub card: Size,
    /// In millimetres.
    pub bleed: f64,
    /// Dots per inch.
    pub dots: f64,
}

impl ServiceOptions {
    /// The pixels of a picture: the card and its bleed, each in whole pixels.
    ///
    /// ```
    /// use adjutant_render::imposition::{SERVICE_BLEED, ServiceOptions, service_size};
    /// let options = ServiceOptions { card: service_size("poker").unwrap(), bleed: SERVICE_BLEED, dots: 300.0 };
    /// assert_eq!(options.pixels(), (822, 1122));
    /// ```
    pub fn pixels(&self) -> (u32, u32) {
        let dots = |long: f64| (long / 25.4 * self.dots).round() as u32;
        let bleed = 2 * dots(self.bleed);
        (dots(self.card.width) + bleed, dots(self.card.height) + bleed)
    }
}

/// The size of a card as print services cut it: their formats are in inches (poker 2.5 × 3.5, mini
/// 1.75 × 2.5, tarot 2.75 × 4.75). Other sizes are taken as they are.
pub fn service_size(text: &str) -> Result<Size, RenderError> {
    let inches = |width: f64, height: f64| Size { width: width * 25.4, height: height * 25.4 };
    match text.trim().to_lowercase().as_str() {
        "poker" => Ok(inches(2.5, 3.5)),
        "mini" => Ok(inches(1.75, 2.5)),
        "tarot" => Ok(inches(2.75, 4.75)),
        _ => super::card_size(text),
    }
}

/// The pictures by their file names: every front, the back, and the contact sheet.
pub fn service_pictures(
    fronts: &[(u32, Arc<Drawing>)],
    back: &Arc<Drawing>,
    options: &ServiceOptions,
    fonts: &Fonts,
) -> Result<Vec<(String, Vec<u8>)>, RenderError> {
    let names = fronts.iter().map(|(number, _)| format!("front-{number:03}.png"));
    let names: Vec<String> = names.chain(["back.png".to_owned()]).collect();
    let cards = fronts.iter().map(|(_, front)| front).chain([back]);
    let drawings =
        cards.map(|card| with_bleed(card, options.bleed)).collect::<Result<Vec<_>, _>>()?;
    let renderer = PngRenderer::new(fonts, &drawings);
    let mut files = Vec::new();
    // Few at a time, so that a large deck does not fill the memory.
    for (names, drawings) in names.chunks(8).zip(drawings.chunks(8)) {
        for (name, picture) in names.iter().zip(renderer.render(drawings, options.pixels())?) {
            let bytes =
                picture.encode_png().map_err(|fault| RenderError::Png(fault.to_string()))?;
            files.push((name.clone(), with_density(bytes, options.dots)));
        }
    }
    let sheet = contact_sheet(fronts, back, options.card);
    files.push(("contact-sheet.png".to_owned(), crate::paper::png(&sheet, CONTACT_DOTS, fonts)?));
    Ok(files)
}

/// All cards side by side, with their numbers.
fn contact_sheet(fronts: &[(u32, Arc<Drawing>)], back: &Arc<Drawing>, card: Size) -> Drawing {
    let (wide, high) = (card.width * SMALL, card.height * SMALL);
    let (gap, caption) = (3.0, 4.5);
    let names = fronts.iter().map(|(number, _)| number.to_string());
    let cards = fronts.iter().map(|(_, front)| front).chain([back]);
    let cards: Vec<(&Arc<Drawing>, String)> = cards.zip(names.chain(["back".to_owned()])).collect();
    let across = cards.len().min(ACROSS);
    let rows = cards.len().div_ceil(across.max(1));
    let size = Size {
        width: gap + (wide + gap) * across as f64,
        height: gap + (high + caption + gap) * rows as f64,
    };
    let fill = Some(Ink::Shade(255));
    let (at, all) = ((-1.0, -1.0), (size.width + 2.0, size.height + 2.0));
    let mut marks = vec![Mark::Box { at, size: all, round: 0.0, fill, edge: None }];
    for (place, (card, name)) in cards.into_iter().enumerate() {
        let x = gap + (wide + gap) * (place % across) as f64;
        let y = gap + (high + caption + gap) * (place / across) as f64;
        let small = Drawing::clone(card).scaled(Size { width: wide, height: high });
        let edge = Some((0.15, Ink::Grey));
        let fill = Some(Ink::Paper);
        marks.push(Mark::Box { at: (x, y), size: (wide, high), round: 0.0, fill, edge });
        marks.push(Mark::Inset { at: (x, y), turned: false, drawing: Arc::new(small) });
        marks.push(Mark::Text {
            at: (x + wide / 2.0, y + high + 3.4),
            size: 3.0,
            anchor: Anchor::Middle,
            style: Style::PLAIN,
            ink: Ink::Black,
            words: name,
        });
    }
    Drawing { size, says: "All cards".into(), marks }
}
