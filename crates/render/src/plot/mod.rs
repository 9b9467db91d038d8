//! Plots of odds: one bar for each result, stacked bars over one input, a heat map over two. Results
//! are distinguished by shade, hatching and order, and numbers are printed in the bars and cells, so that plots work in
//! print and for colour-blind readers. An article has its own colours, title and legend; in the app
//! the plot uses the page's colours by class.

mod shades;
mod spread;
mod svg_writer;
mod text_width;

pub use shades::{Shade, shades};
pub use spread::{Spread, SpreadBar, spread};

use std::fmt::Write;
use svg_writer::SvgWriter;
use text_width::{lines, wide, wide_bold, widest};

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
    pub shades: Vec<Shade>,
}

impl Plot {
    /// The shade of a result.
    pub fn shade(&self, result: usize) -> Shade {
        self.shades.get(result).copied().unwrap_or(Shade::plain(result % svg_writer::COLOURS.len()))
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
    48.0 + wide_bold(&plot.title, 20.0).max(wide(&plot.below, 13.0))
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
    const HIGH: f64 = 26.0;
    const WIDEST_CELL: f64 = 84.0;
    let cell = 52.0_f64.max(10.0 + widest(&across.values, 12.0));
    let (columns, results) = (across.values.len() as f64, plot.names.len());
    let rows = HIGH * plot.down.values.len() as f64;
    // The name of the axis down the side is written upwards, in as many lines as its length needs.
    let aside = lines(&plot.down.label, 13.0, rows.max(60.0));
    let values = widest(&plot.down.values, 12.0);
    let left = 20.0 + values + 16.0 * aside.len() as f64 + 12.0;
    let label = self::wide(&across.label, 13.0);
    let heads = widest(&plot.names, 15.0).max(cell * columns / 2.0 + label / 2.0);
    let wide = left + (cell * columns).max(heads) + 24.0;
    let tall = 84.0 + rows.max(widest(&aside, 13.0));
    // As many in a row as fit, and rows of similar length.
    let most = (((wide * 2.0).max(head_width(plot)) / wide) as usize).max(2);
    let in_line = results.div_ceil(results.div_ceil(most).max(1)).max(1);
    let width = (wide * in_line as f64).max(head_width(plot));
    // What the title needs more than the maps is shared among the cells.
    let room = (width / in_line as f64 - left - 24.0).max(cell * columns);
    let cell = (room / columns.max(1.0)).min(WIDEST_CELL).max(cell);
    let down = results.div_ceil(in_line) as f64;
    let mut svg_writer =
        SvgWriter::article(width, 76.0 + tall * down + 12.0, &plot.title, &plot.below);
    for (number, name) in plot.names.iter().enumerate() {
        let x = left + width / in_line as f64 * (number % in_line) as f64;
        let y = 96.0 + tall * (number / in_line) as f64;
        svg_writer.text((x, y), 15, "start", name);
        svg_writer.text((x + cell * columns / 2.0, y + 24.0), 13, "middle", &across.label);
        for (line, words) in aside.iter().rev().enumerate() {
            let x = x - 20.0 - values - 16.0 * line as f64;
            svg_writer.upright((x, y + 50.0 + rows / 2.0), words);
        }
        panel(&mut svg_writer, plot, across, (x, y + 50.0), (cell, HIGH), number);
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

    /// The names of heat maps and where they begin, and the width of the picture.
    fn names(svg: &str) -> (Vec<(f64, f64, String)>, f64) {
        let number = |text: &str, key: &str| {
            text.split_once(key).unwrap().1.split('"').next().unwrap().parse::<f64>().unwrap()
        };
        let named = svg.lines().filter(|line| line.contains("font-size=\"15\""));
        let of = |line: &str| {
            let words = line.split('>').nth(1).unwrap().trim_end_matches("</text");
            (number(line, "x=\""), number(line, " y=\""), words.to_owned())
        };
        (named.map(of).collect(), number(svg, "width=\""))
    }

    #[test]
    fn names_of_heat_maps_do_not_overlap() {
        let long = "Accurate in Clear (−1) (target)";
        let plot = Plot { names: vec![long.into(); 5], ..plot(true) };
        let (names, width) = names(&svg(&plot, PlotTarget::Article));
        assert_eq!(names.len(), 5);
        for (x, y, name) in &names {
            let end = x + wide(name, 15.0);
            let later = names.iter().filter(|(other, line, _)| line == y && other > x);
            let next = later.map(|(x, _, _)| *x).fold(width, f64::min);
            assert!(end < next, "{name} ends at {end}, next at {next}");
        }
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
