//! A plot as a PNG picture, for word processors and forums that do not take SVG. The font is carried
//! inside the program, so that the picture is the same on every machine.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// How many dots of the picture stand for one of the SVG, so that it is sharp in print.
const SCALE: f32 = 2.0;

/// The most dots a picture may have: 160 MB while it is drawn.
const MOST_DOTS: u64 = 40_000_000;

/// The picture of an SVG.
pub fn from_svg(svg: &str) -> Result<Vec<u8>, String> {
    let mut options = Options { font_family: press::plot::FAMILY.to_owned(), ..Options::default() };
    let fonts = options.fontdb_mut();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_font_data(dejavu::sans::bold().to_vec());
    let tree = Tree::from_str(svg, &options).map_err(|fault| format!("the plot cannot be drawn: {fault}"))?;
    let (width, height) = (tree.size().width() * SCALE, tree.size().height() * SCALE);
    let mut picture = Some((width.ceil() as u32, height.ceil() as u32))
        .filter(|(width, height)| u64::from(*width) * u64::from(*height) <= MOST_DOTS)
        .and_then(|(width, height)| Pixmap::new(width, height))
        .ok_or_else(|| "the plot is too large for a picture: vary fewer values, or write it as .svg".to_owned())?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut picture.as_mut());
    picture.encode_png().map_err(|fault| format!("the plot cannot be drawn: {fault}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"120\" height=\"40\"><rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/><text x=\"10\" y=\"25\" font-family=\"DejaVu Sans\" font-size=\"16\">½ Fall-back</text></svg>";

    #[test]
    fn a_picture_has_twice_the_size_and_its_text_is_drawn() {
        let picture = Pixmap::decode_png(&from_svg(SVG).unwrap()).unwrap();
        assert_eq!((picture.width(), picture.height()), (240, 80));
        let dark = picture.pixels().iter().filter(|dot| dot.red() < 100).count();
        assert!((300..5000).contains(&dark), "{dark} dark dots");
        assert_eq!(from_svg(SVG).unwrap(), from_svg(SVG).unwrap());
    }

    #[test]
    fn a_plot_beyond_all_measure_is_refused() {
        assert!(from_svg(&SVG.replace("120", "99999999")).is_err());
    }
}
