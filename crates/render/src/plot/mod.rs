//! Plots of odds: one bar for each result, stacked bars over one input, a heat map over two. Results
//! are distinguished by shade, hatching and order, and numbers are printed in the bars and cells, so that plots work in
//! print and for colour-blind readers. An article has its own colours, title and legend; in the app
//! the plot uses the page's colours by class.

mod shades;
mod spread;

pub use shades::shades;
pub use spread::{Spread, SpreadBar, spread};

use crate::draw::escaped;
use std::fmt::Write;

/// The first four are how bad a result is, from not at all to out: each is darker than the one
/// before. The others are for results of which the pack does not say it, after Okabe and Ito, for
/// colour-blind readers.
const COLOURS: [&str; 8] =
    ["#dfe5da", "#e3b53c", "#d06a1b", "#9c2415", "#56b4e9", "#f0e442", "#009e73", "#cc79a7"];
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
/// Which shades are hatched, and the SVG path of the pattern.
const HATCHES: [(usize, &str); 4] =
    [(1, "M0 6 6 0"), (3, "M0 0 6 6"), (5, "M3 0V6"), (7, "M0 3H6")];
const FONT: &str = "font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\"";

/// One axis: an input and its values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scale {
    pub label: String,
    pub values: Vec<String>,
}

/// The data of a plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    pub title: String,
    /// The subtitle: the other inputs.
    pub below: String,
    /// The first axis: one bar for each value.
    pub down: Scale,
    /// The second axis, if two inputs are varied.
    pub across: Option<Scale>,
    /// The names of the results.
    pub names: Vec<String>,
    /// The percentage of each result, by row and column.
    pub cells: Vec<Vec<Vec<f64>>>,
    /// The row and column of the current situation, to be marked.
    pub here: Option<(usize, usize)>,
    /// The shade of each result. By default the order of the results.
    pub shades: Vec<usize>,
}

impl Plot {
    /// The index of a result's shade.
    pub fn shade(&self, result: usize) -> usize {
        self.shades.get(result).copied().unwrap_or(result) % COLOURS.len()
    }
}

/// What a plot is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlotTarget {
    /// An article: as large as needed, with its own colours, title and legend.
    Article,
    /// A page: this wide, in the page's colours.
    Page(f64),
}

/// The plot as SVG.
///
/// ```
/// use adjutant_render::plot::{PlotTarget, Plot, Scale, svg};
/// let down = Scale { label: "Lost".into(), values: vec!["0".into(), "1".into()] };
/// let plot = Plot { down, names: vec!["Holds".into(), "Breaks".into()], cells: vec![vec![vec![75.0, 25.0]], vec![vec![50.0, 50.0]]], ..Plot::default() };
/// assert!(svg(&plot, PlotTarget::Page(340.0)).starts_with("<svg"));
/// ```
pub fn svg(plot: &Plot, target: PlotTarget) -> String {
    match (&plot.across, target) {
        (None, PlotTarget::Article) => stacked_article(plot),
        (Some(across), PlotTarget::Article) => field_article(plot, across),
        (None, PlotTarget::Page(wide)) => stacked_page(plot, wide),
        (Some(across), PlotTarget::Page(wide)) => field_page(plot, across, wide),
    }
}

/// The estimated width of a text. It rather overestimates.
fn wide(words: &str, size: f64) -> f64 {
    words.chars().count() as f64 * size * 0.58
}

fn widest<'a>(list: impl IntoIterator<Item = &'a String>, size: f64) -> f64 {
    list.into_iter().map(|words| wide(words, size)).fold(0.0, f64::max)
}

/// Writes SVG. `own` says whether the colours are the plot's own.
struct SvgWriter {
    svg: String,
    own: bool,
    /// Keeps pattern ids unique on a page with several plots.
    mark: u32,
}

impl SvgWriter {
    fn article(width: f64, height: f64, title: &str, below: &str) -> SvgWriter {
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

    fn page(width: f64, height: f64) -> SvgWriter {
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
        for (shade, lines) in HATCHES {
            let _ = write!(
                self.svg,
                "<pattern id=\"hatch-{}-{shade}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><path d=\"{lines}\" stroke=\"#000000\" stroke-opacity=\"0.28\" stroke-width=\"1\" fill=\"none\"/></pattern>",
                self.mark
            );
        }
        self.svg.push_str("</defs>\n");
    }

    fn done(self) -> String {
        self.svg + "</svg>\n"
    }

    /// A piece of a bar, or of the legend.
    fn part(&mut self, shade: usize, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let shade = shade % COLOURS.len();
        let place =
            format!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.2}\"");
        let _ = match self.own {
            true => writeln!(
                self.svg,
                "<rect {place} fill=\"{}\" stroke=\"#111111\" stroke-width=\"0.6\"/>",
                COLOURS[shade]
            ),
            false => {
                writeln!(self.svg, "<rect class=\"plot-part\" data-fill=\"{shade}\" {place}/>")
            }
        };
        if HATCHES.iter().any(|(hatched, _)| *hatched == shade) {
            let _ =
                writeln!(self.svg, "<rect {place} fill=\"url(#hatch-{}-{shade})\"/>", self.mark);
        }
    }

    fn line(&mut self, y: f64, from: f64, to: f64) {
        let ink = if self.own { "stroke=\"#cccccc\"" } else { "class=\"plot-line\"" };
        let _ = writeln!(
            self.svg,
            "<line x1=\"{from:.1}\" x2=\"{to:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" {ink}/>"
        );
    }

    fn text(&mut self, (x, y): (f64, f64), size: u32, anchor: &str, words: &str) {
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
    fn on_part(&mut self, shade: usize, (x, y): (f64, f64), size: u32, words: &str) {
        let ink = match self.own {
            true if shade % COLOURS.len() == DARK => format!("{FONT} fill=\"#ffffff\""),
            true => format!("{FONT} fill=\"#111111\""),
            false => format!("class=\"plot-number\" data-ink=\"{}\"", shade % COLOURS.len()),
        };
        let _ = writeln!(
            self.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" {ink} font-size=\"{size}\" text-anchor=\"middle\">{words}</text>"
        );
    }

    /// The name of an axis, written upwards.
    fn upright(&mut self, (x, y): (f64, f64), words: &str) {
        let _ = writeln!(
            self.svg,
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" {FONT} fill=\"#111111\" font-size=\"13\" text-anchor=\"middle\">{}</text>",
            escaped(words)
        );
    }

    /// One cell of a heat map: the more likely, the darker.
    fn cell(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        (shade, percent): (usize, f64),
        words: &str,
    ) {
        let p = (percent / 100.0).clamp(0.0, 1.0);
        let place =
            format!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"");
        let (middle, base) = (x + width / 2.0, y + height / 2.0 + 4.0);
        if self.own {
            // One hue from white to dark. It prints as grey in the same order.
            let [red, green, blue] = HEATS[shade.min(HEATS.len() - 1)]
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

/// Stacked bars in a frame, one for each value.
fn bars(
    svg_writer: &mut SvgWriter,
    plot: &Plot,
    (left, top): (f64, f64),
    (wide_, tall): (f64, f64),
    bar: f64,
) {
    let pitch = wide_ / plot.down.values.len().max(1) as f64;
    for fifth in 0..=5 {
        let y = top + tall - tall * f64::from(fifth) / 5.0;
        svg_writer.line(y, left, left + wide_);
        let words =
            if svg_writer.own { format!("{} %", fifth * 20) } else { (fifth * 20).to_string() };
        svg_writer.text((left - 6.0, y + 4.0), 12, "end", &words);
    }
    let labels = widest(&plot.down.values, 12.0) + 6.0;
    let every = (labels / pitch).ceil().max(1.0) as usize;
    for (place, (value, row)) in plot.down.values.iter().zip(&plot.cells).enumerate() {
        let x = left + (pitch - bar) / 2.0 + pitch * place as f64;
        let mut y = top + tall;
        for (result, percent) in row.first().into_iter().flatten().enumerate() {
            let shade = plot.shade(result);
            let high = tall * percent / 100.0;
            y -= high;
            if high > 0.0 {
                svg_writer.part(shade, (x, y), (bar, high));
            }
            if high > 15.0 && bar > 20.0 {
                svg_writer.on_part(
                    shade,
                    (x + bar / 2.0, y + high / 2.0 + 4.0),
                    11,
                    &format!("{percent:.0}"),
                );
            }
        }
        let here = plot.here.is_some_and(|(row, _)| row == place);
        if place % every == 0 || here {
            svg_writer.text((x + bar / 2.0, top + tall + 18.0), 12, "middle", value);
        }
        if here && !svg_writer.own {
            let (x, y) = (x + bar / 2.0, top - 3.0);
            let _ = writeln!(
                svg_writer.svg,
                "<path class=\"plot-here\" d=\"M{:.1} {:.1}h9l-4.5 6z\"/>",
                x - 4.5,
                y - 6.0
            );
        }
    }
    svg_writer.text((left + wide_ / 2.0, top + tall + 42.0), 13, "middle", &plot.down.label);
}

fn stacked_article(plot: &Plot) -> String {
    let words = widest(&plot.down.values, 12.0);
    let count = plot.down.values.len().max(1) as f64;
    let bar = 46.0_f64.min(720.0 / count).max(14.0).max((words + 8.0) / 1.25);
    let (left, top, tall) = (64.0, 84.0, 320.0_f64.max(22.0 * plot.names.len() as f64));
    let across = bar * 1.25 * count;
    let width = left + across + 70.0 + widest(&plot.names, 13.0);
    let mut svg_writer = SvgWriter::article(
        width.max(head_width(plot)),
        top + tall + 70.0,
        &plot.title,
        &plot.below,
    );
    bars(&mut svg_writer, plot, (left, top), (across, tall), bar);
    for (result, name) in plot.names.iter().enumerate() {
        let (x, y) = (left + across + 24.0, top + 22.0 * (plot.names.len() - 1 - result) as f64);
        svg_writer.part(plot.shade(result), (x, y), (14.0, 14.0));
        svg_writer.text((x + 22.0, y + 12.0), 13, "start", name);
    }
    svg_writer.done()
}

/// The width of the title and subtitle. The title is bold.
fn head_width(plot: &Plot) -> f64 {
    48.0 + (wide(&plot.title, 20.0) * 1.15).max(wide(&plot.below, 13.0))
}

fn stacked_page(plot: &Plot, room: f64) -> String {
    let (left, top, tall) = (30.0, 14.0, (room * 0.55).clamp(190.0, 300.0));
    let across = room - left - 2.0;
    let pitch = across / plot.down.values.len().max(1) as f64;
    let mut svg_writer = SvgWriter::page(room, top + tall + 50.0);
    bars(&mut svg_writer, plot, (left, top), (across, tall), (pitch * 0.84).min(64.0));
    svg_writer.done()
}

/// One heat map for each result, two or more side by side.
fn field_article(plot: &Plot, across: &Scale) -> String {
    let cell = 52.0_f64.max(10.0 + widest(&across.values, 12.0));
    let (high, left) = (26.0, 84.0_f64.max(58.0 + widest(&plot.down.values, 12.0)));
    // The name of the axis down the side needs its length.
    let rows = (high * plot.down.values.len() as f64).max(wide(&plot.down.label, 13.0));
    let (wide, tall) = (left + cell * across.values.len() as f64 + 24.0, 100.0 + rows);
    let width = (wide * 2.0).max(head_width(plot));
    // As many in a row as fit, and rows of similar length.
    let (most, results) = (((width / wide) as usize).max(2), plot.names.len());
    let in_line = results.div_ceil(results.div_ceil(most).max(1)).max(1);
    let lines = results.div_ceil(in_line) as f64;
    let mut svg_writer =
        SvgWriter::article(width, 76.0 + tall * lines + 12.0, &plot.title, &plot.below);
    for (number, name) in plot.names.iter().enumerate() {
        let at = (left + wide * (number % in_line) as f64, 96.0 + tall * (number / in_line) as f64);
        svg_writer.text(at, 15, "start", name);
        let (top, wide) = (at.1 + 50.0, cell * across.values.len() as f64);
        svg_writer.text((at.0 + wide / 2.0, at.1 + 24.0), 13, "middle", &across.label);
        let tall = high * plot.down.values.len() as f64;
        let aside = at.0 - 20.0 - widest(&plot.down.values, 12.0);
        svg_writer.upright((aside, top + tall / 2.0), &plot.down.label);
        panel(&mut svg_writer, plot, across, (at.0, top), (cell, high), number);
    }
    svg_writer.done()
}

/// The heat map of the first result.
fn field_page(plot: &Plot, across: &Scale, room: f64) -> String {
    let left = 14.0 + widest(&plot.down.values, 12.0).clamp(16.0, room * 0.3);
    let cell = ((room - left - 2.0) / across.values.len().max(1) as f64).min(64.0);
    let high = 30.0;
    let mut svg_writer = SvgWriter::page(room, 56.0 + high * plot.down.values.len() as f64);
    svg_writer.text((left, 16.0), 13, "start", &format!("{} →", across.label));
    svg_writer.text((0.0, 38.0), 13, "start", "↓");
    panel(&mut svg_writer, plot, across, (left, 46.0), (cell, high), 0);
    svg_writer.done()
}

fn panel(
    svg_writer: &mut SvgWriter,
    plot: &Plot,
    across: &Scale,
    (left, top): (f64, f64),
    (cell, high): (f64, f64),
    result: usize,
) {
    let every = ((widest(&across.values, 12.0) + 4.0) / cell).ceil().max(1.0) as usize;
    for (column, value) in
        across.values.iter().enumerate().filter(|(column, _)| column % every == 0)
    {
        svg_writer.text((left + cell * (column as f64 + 0.5), top - 8.0), 12, "middle", value);
    }
    for (row, (value, columns)) in plot.down.values.iter().zip(&plot.cells).enumerate() {
        let y = top + high * row as f64;
        svg_writer.text((left - 8.0, y + high / 2.0 + 4.0), 12, "end", value);
        for (column, results) in columns.iter().enumerate() {
            let percent = results.get(result).copied().unwrap_or(0.0);
            let words = adjutant_engine::percent_in_short(percent);
            let at = (left + cell * column as f64, y);
            svg_writer.cell(
                at,
                (cell, high),
                (plot.shade(result), percent),
                if svg_writer.own || cell > 18.0 { &words } else { "" },
            );
        }
    }
    if let (Some((row, column)), false) = (plot.here, svg_writer.own) {
        let (x, y) = (left + cell * column as f64, top + high * row as f64);
        let _ = writeln!(
            svg_writer.svg,
            "<rect class=\"plot-frame\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{cell:.1}\" height=\"{high:.1}\"/>"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(across: bool) -> Plot {
        let scale = |label: &str| Scale {
            label: label.into(),
            values: vec!["0".into(), "½ & <1>".into()],
        };
        let cell = vec![75.0, 25.0, 0.0];
        Plot {
            title: "Fire <now>".into(),
            below: "Panzer8; ammo = \"ap\"".into(),
            down: scale("Lost"),
            across: across.then(|| scale("Quality")),
            names: vec!["None".into(), "Hit & run".into(), "Out".into()],
            cells: vec![vec![cell.clone(), cell.clone()], vec![cell.clone(), cell]],
            here: Some((1, 0)),
            shades: Vec::new(),
        }
    }

    #[test]
    fn texts_are_escaped_and_numbers_stand_in_the_picture() {
        for (across, target) in [
            (false, PlotTarget::Article),
            (true, PlotTarget::Article),
            (false, PlotTarget::Page(340.0)),
            (true, PlotTarget::Page(720.0)),
        ] {
            let svg = svg(&plot(across), target);
            assert!(!svg.contains("<now>") && !svg.contains("<1>") && svg.contains("75"), "{svg}");
            assert_eq!(
                svg.matches("<rect").count(),
                svg.matches("/>").count()
                    - svg.matches("<path").count()
                    - svg.matches("<line").count()
            );
        }
    }

    #[test]
    fn bars_fill_their_frame_exactly() {
        let svg = svg(&plot(false), PlotTarget::Page(340.0));
        let heights = svg.split("class=\"plot-part\"").skip(1).filter_map(|rest| {
            rest.split_once(" height=\"")?.1.split_once('"')?.0.parse::<f64>().ok()
        });
        let sum: f64 = heights.sum();
        assert!((sum - 2.0 * 190.0).abs() < 0.1, "{sum}");
    }

    #[test]
    fn nothing_varied_is_no_panic() {
        let _ = svg(&Plot::default(), PlotTarget::Article);
        let _ = svg(
            &Plot { across: Some(Scale::default()), ..Plot::default() },
            PlotTarget::Page(300.0),
        );
    }
}
