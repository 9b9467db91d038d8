//! Drawings as PNG, for programs and forums that take neither SVG nor PDF. They use the fonts of
//! paper, so a picture is the same on every system.

use super::Fonts;
use crate::RenderError;
use crate::draw::{Drawing, Mark};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::sync::Arc;

/// The most pixels of a picture: 160 MB while it is drawn.
const MAX_PIXELS: u64 = 40_000_000;

/// Renders many drawings with the same fonts, each at an exact size in pixels, as a sheet of cards
/// for another program needs it.
pub(crate) struct PngRenderer {
    options: Options<'static>,
}

impl PngRenderer {
    /// Loads all fonts that these drawings need.
    pub(crate) fn new(fonts: &Fonts, drawings: &[Drawing]) -> PngRenderer {
        drawings.iter().for_each(|drawing| load_fonts(drawing, fonts));
        let options = Options {
            font_family: super::font::FAMILIES[0].into(),
            fontdb: Arc::new(fonts.database()),
            ..Options::default()
        };
        PngRenderer { options }
    }

    /// Renders drawings at this size in pixels, in order, on all cores.
    pub(crate) fn render(
        &self,
        drawings: &[Drawing],
        size: (u32, u32),
    ) -> Result<Vec<Pixmap>, RenderError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from).min(8);
        let share = drawings.len().div_ceil(cores).max(1);
        std::thread::scope(|scope| {
            let workers: Vec<_> = drawings
                .chunks(share)
                .map(|chunk| {
                    scope.spawn(move || {
                        chunk
                            .iter()
                            .map(|drawing| self.render_one(drawing, size))
                            .collect::<Result<Vec<_>, _>>()
                    })
                })
                .collect();
            let mut pictures = Vec::with_capacity(drawings.len());
            for worker in workers {
                pictures.extend(worker.join().map_err(|_| RenderError::PictureThread)??);
            }
            Ok(pictures)
        })
    }

    fn render_one(
        &self,
        drawing: &Drawing,
        (width, height): (u32, u32),
    ) -> Result<Pixmap, RenderError> {
        let plain = drawing.svg_file().replacen("mm\"", "\"", 2);
        let tree = Tree::from_str(&plain, &self.options)?;
        let mut picture = Pixmap::new(width, height).ok_or(RenderError::PictureTooLarge)?;
        let scale = Transform::from_scale(
            width as f32 / tree.size().width(),
            height as f32 / tree.size().height(),
        );
        resvg::render(&tree, scale, &mut picture.as_mut());
        Ok(picture)
    }
}

/// Measuring loads the system fonts that a drawing needs.
fn load_fonts(drawing: &Drawing, fonts: &Fonts) {
    for mark in &drawing.marks {
        match mark {
            Mark::Text { words, style, .. } => drop(fonts.runs(words, *style)),
            Mark::Inset { drawing, .. } => load_fonts(drawing, fonts),
            _ => {}
        }
    }
}

/// A drawing at this many dots per inch.
pub fn png(drawing: &Drawing, dots: f64, fonts: &Fonts) -> Result<Vec<u8>, RenderError> {
    load_fonts(drawing, fonts);
    // Without a unit, one millimetre is one pixel.
    let plain = drawing.svg_file().replacen("mm\"", "\"", 2);
    Ok(with_density(png_of_svg(&plain, dots / 25.4, fonts)?, dots))
}

/// The same picture with its resolution (pHYs), so that a program knows its true size.
pub(crate) fn with_density(mut png: Vec<u8>, dots: f64) -> Vec<u8> {
    // The signature and the header come first and are always this long.
    const HEAD: usize = 8 + 25;
    if png.len() < HEAD {
        return png;
    }
    let density = ((dots / 0.0254).round() as u32).to_be_bytes();
    // Its name, the dots per metre across and down, and that the unit is the metre.
    let body: Vec<u8> =
        b"pHYs".iter().chain(&density).chain(&density).chain(&[1]).copied().collect();
    let mut sum = flate2::Crc::new();
    sum.update(&body);
    let length = ((body.len() - 4) as u32).to_be_bytes();
    let chunk: Vec<u8> = length.into_iter().chain(body).chain(sum.sum().to_be_bytes()).collect();
    png.splice(HEAD..HEAD, chunk);
    png
}

/// An SVG as PNG, scaled.
pub fn png_of_svg(svg: &str, scale: f64, fonts: &Fonts) -> Result<Vec<u8>, RenderError> {
    let options = Options {
        font_family: super::font::FAMILIES[0].into(),
        fontdb: Arc::new(fonts.database()),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options)?;
    let dots = |length: f32| (f64::from(length) * scale).round() as u32;
    let mut picture = Some((dots(tree.size().width()), dots(tree.size().height())))
        .filter(|(width, height)| u64::from(*width) * u64::from(*height) <= MAX_PIXELS)
        .and_then(|(width, height)| Pixmap::new(width, height))
        .ok_or(RenderError::TooManyPixels)?;
    resvg::render(&tree, Transform::from_scale(scale as f32, scale as f32), &mut picture.as_mut());
    picture.encode_png().map_err(|fault| RenderError::Png(fault.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"120\" height=\"40\"><rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/><text x=\"10\" y=\"25\" font-family=\"DejaVu Sans\" font-size=\"16\">½ Fall-back</text></svg>";

    #[test]
    fn a_picture_has_its_size_and_its_text_is_drawn() {
        let made = png_of_svg(SVG, 2.0, &Fonts::bundled()).unwrap();
        let picture = Pixmap::decode_png(&made).unwrap();
        assert_eq!((picture.width(), picture.height()), (240, 80));
        let dark = picture.pixels().iter().filter(|dot| dot.red() < 100).count();
        assert!((300..5000).contains(&dark), "{dark} dark dots");
        assert_eq!(made, png_of_svg(SVG, 2.0, &Fonts::bundled()).unwrap());
    }

    #[test]
    fn a_picture_beyond_all_measure_is_refused() {
        assert!(png_of_svg(&SVG.replace("120", "99999999"), 2.0, &Fonts::bundled()).is_err());
    }
}
