//! The elements of a plot as SVG.

use super::Shade;
use crate::draw::escaped;
use std::fmt::Write;

/// The first four are how bad a result is, from not at all to out: each is darker than the one
/// before. The others are for results of which the pack does not say it, after Okabe and Ito, for
/// colour-blind readers.
pub(super) const COLOURS: [&str; 8] =
    ["#dfe5da", "#e3b53c", "#d06a1b", "#9c2415", "#56b4e9", "#f0e442", "#b8937a", "#cc79a7"];
/// The shade that needs white numbers.
const DARK: usize = 3;
/// What a heat map fades to, for the first four shades and for all others.
const HEATS: [[f64; 3]; 5] = [
    [8.0, 64.0, 129.0],
    [125.0, 88.0, 0.0],
    [150.0, 62.0, 0.0],
    [122.0, 18.0, 8.0],
    [8.0, 64.0, 129.0],
];
/// Which colours are hatched, and the SVG path of the pattern.
const HATCHES: [(usize, &str); 4] =
    [(1, "M0 6 6 0"), (3, "M0 0 6 6"), (5, "M3 0V6"), (7, "M0 3H6")];
/// The patterns of the second, third and fourth result of the same colour.
const REPEATS: [&str; 3] = ["M0 0 6 6M0 6 6 0", "M0 3H6M3 0V6", "M2 3h2v2h-2z"];
pub(super) const FONT: &str = "font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\"";

/// Writes SVG. `own` says whether the colours are the plot's own.
pub(super) struct SvgWriter {
    pub svg: String,
    pub own: bool,
    /// Keeps pattern ids unique on a page with several plots.
    mark: u32,
}

impl SvgWriter {
    pub fn article(width: f64, height: f64, title: &str, below: &str) -> SvgWriter {
        // Whole pixels, so that a picture has exactly this size.
        let (width, height) = (width.ceil(), height.ceil());
        let mut svg_writer = SvgWriter { svg: String::new(), own: true, mark: 0 };
        let _ = write!(
            svg_writer.svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n<title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"24\" y=\"34\" {FONT} font-size=\"20\" font-weight=\"bold\" fill=\"#111111\">{0}</text>\n<text x=\"24\" y=\"56\" {FONT} font-size=\"13\" fill=\"#444444\">{1}</text>\n",
            escaped(title),
            escaped(below)
        );
        svg_writer.hatches();
        svg_writer
    }

    pub fn page(width: f64, height: f64) -> SvgWriter {
        let mut svg_writer = SvgWriter { svg: String::new(), own: false, mark: width as u32 };
        let _ = write!(
            svg_writer.svg,
            "<svg class=\"plot\" viewBox=\"0 0 {width} {height:.0}\" width=\"{width}\" height=\"{height:.0}\" aria-hidden=\"true\">"
        );
        svg_writer.hatches();
        svg_writer
    }

    fn hatches(&mut self) {
        self.svg.push_str("<defs>");
        let repeats = REPEATS.iter().zip(COLOURS.len()..);
        let black = repeats.clone().map(|(lines, id)| (id, *lines, "#000000", "0.4"));
        // On the darkest colour of an article black lines would not be seen.
        let white = repeats.map(|(lines, id)| (id + REPEATS.len(), *lines, "#ffffff", "0.6"));
        let hatches = HATCHES.iter().map(|(colour, lines)| (*colour, *lines, "#000000", "0.28"));
        let own = if self.own { REPEATS.len() } else { 0 };
        for (id, lines, ink, opacity) in hatches.chain(black).chain(white.take(own)) {
            let _ = write!(
                self.svg,
                "<pattern id=\"hatch-{}-{id}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><path d=\"{lines}\" stroke=\"{ink}\" stroke-opacity=\"{opacity}\" stroke-width=\"1\" fill=\"none\"/></pattern>",
                self.mark
            );
        }
        self.svg.push_str("</defs>\n");
    }

    pub fn done(self) -> String {
        self.svg + "</svg>\n"
    }

    /// A piece of a bar, or of the legend.
    pub fn part(&mut self, shade: Shade, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let colour = shade.colour % COLOURS.len();
        let place =
            format!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.2}\"");
        let _ = match self.own {
            true => writeln!(
                self.svg,
                "<rect {place} fill=\"{}\" stroke=\"#111111\" stroke-width=\"0.6\"/>",
                COLOURS[colour]
            ),
            false => {
                writeln!(self.svg, "<rect class=\"plot-part\" data-fill=\"{colour}\" {place}/>")
            }
        };
        let pattern = match shade.hatch.checked_sub(1) {
            None => Some(colour).filter(|it| HATCHES.iter().any(|(hatched, _)| hatched == it)),
            Some(repeat) => {
                let white = if self.own && colour == DARK { REPEATS.len() } else { 0 };
                Some(COLOURS.len() + white + repeat % REPEATS.len())
            }
        };
        if let Some(id) = pattern {
            let _ = writeln!(self.svg, "<rect {place} fill=\"url(#hatch-{}-{id})\"/>", self.mark);
        }
    }

    pub fn line(&mut self, y: f64, from: f64, to: f64) {
        let ink = if self.own { "stroke=\"#cccccc\"" } else { "class=\"plot-line\"" };
        let _ = writeln!(
            self.svg,
            "<line x1=\"{from:.1}\" x2=\"{to:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" {ink}/>"
        );
    }

    /// A line of the grid from top to bottom, in an article.
    pub fn upright_line(&mut self, x: f64, from: f64, to: f64) {
        let _ = writeln!(
            self.svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{from:.1}\" y2=\"{to:.1}\" stroke=\"#cccccc\"/>"
        );
    }

    /// A text of an article with a white edge, so that no line crosses it.
    pub fn text_over(&mut self, (x, y): (f64, f64), (size, anchor): (u32, &str), words: &str) {
        let _ = writeln!(
            self.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" {FONT} fill=\"#111111\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\" font-size=\"{size}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(words)
        );
    }

    pub fn text(&mut self, (x, y): (f64, f64), size: u32, anchor: &str, words: &str) {
        let ink = if self.own {
            format!("{FONT} fill=\"#111111\"")
        } else {
            "class=\"plot-text\"".to_owned()
        };
        let _ = writeln!(
            self.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" {ink} font-size=\"{size}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(words)
        );
    }

    /// A number on a piece of this shade.
    pub fn on_part(&mut self, shade: Shade, (x, y): (f64, f64), size: u32, words: &str) {
        let colour = shade.colour % COLOURS.len();
        let ink = match self.own {
            true => {
                let fill = if colour == DARK { "#ffffff" } else { "#111111" };
                // An edge in the colour of the piece, so that no line of the hatching crosses it.
                let edge = COLOURS[colour];
                format!(
                    "{FONT} fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"3\" paint-order=\"stroke\""
                )
            }
            false => format!("class=\"plot-number\" data-ink=\"{colour}\""),
        };
        let _ = writeln!(
            self.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" {ink} font-size=\"{size}\" text-anchor=\"middle\">{words}</text>"
        );
    }

    /// The name of an axis, written upwards.
    pub fn upright(&mut self, (x, y): (f64, f64), words: &str) {
        let _ = writeln!(
            self.svg,
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" {FONT} fill=\"#111111\" font-size=\"13\" text-anchor=\"middle\">{}</text>",
            escaped(words)
        );
    }

    /// One cell of a heat map: the more likely, the darker.
    pub fn cell(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        (shade, percent): (Shade, f64),
        words: &str,
    ) {
        let p = (percent / 100.0).clamp(0.0, 1.0);
        let place =
            format!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"");
        let (middle, base) = (x + width / 2.0, y + height / 2.0 + 4.0);
        if self.own {
            // One hue from white to dark. It prints as grey in the same order.
            let [red, green, blue] = HEATS[shade.colour.min(HEATS.len() - 1)]
                .map(|to| (255.0 + (to - 255.0) * p).round() as u8);
            let ink = if p > 0.6 { "#ffffff" } else { "#111111" };
            let fill = format!("#{red:02x}{green:02x}{blue:02x}");
            let _ = writeln!(self.svg, "<rect {place} fill=\"{fill}\" stroke=\"#ffffff\"/>");
            let _ = writeln!(
                self.svg,
                "<text x=\"{middle:.1}\" y=\"{base:.1}\" {FONT} font-size=\"11\" text-anchor=\"middle\" fill=\"{ink}\">{words}</text>"
            );
        } else {
            // Ten steps, so that each has its own text colour.
            let step = (p * 9.0).round() as u32;
            let _ = writeln!(self.svg, "<rect class=\"plot-cell\" data-heat=\"{step}\" {place}/>");
            let _ = writeln!(
                self.svg,
                "<text class=\"plot-number\" data-heat=\"{step}\" x=\"{middle:.1}\" y=\"{base:.1}\" font-size=\"12\" text-anchor=\"middle\">{words}</text>"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::COLOURS;

    /// A colour without `harm` must not look good or bad.
    #[test]
    fn results_without_harm_are_neither_green_nor_red() {
        for colour in &COLOURS[4..] {
            let part = |from: usize| i32::from_str_radix(&colour[from..from + 2], 16).unwrap();
            let (red, green, blue) = (part(1), part(3), part(5));
            assert!(green <= red.max(blue) + 20, "{colour} is green");
            assert!(red <= green.max(blue) + 60, "{colour} is red");
        }
    }
}
