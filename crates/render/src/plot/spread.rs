//! The chances of one situation: a bar for each result; for numbers also the chance of at least so
//! many, as a curve.

use super::Shade;
use super::svg_writer::SvgWriter;
use super::text_width::{wide, wide_bold, widest};
use std::fmt::Write;

/// One bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpreadBar {
    pub name: String,
    pub percent: f64,
    /// The chance of this number or more, for numbers.
    pub at_least: Option<f64>,
    pub shade: Shade,
}

/// The chances of one situation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread {
    pub title: String,
    /// The inputs.
    pub below: String,
    pub bars: Vec<SpreadBar>,
}

const ROW: f64 = 30.0;
/// The length of a bar of 100 %.
const LONG: f64 = 420.0;
/// The shade of bars of numbers.
const NUMBERS: Shade = Shade::plain(4);
/// The height that a number needs above or inside a bar.
const NUMBER: f64 = 16.0;

/// The chances as SVG, for an article.
///
/// ```
/// use adjutant_render::plot::{Spread, SpreadBar, spread};
/// let bar = SpreadBar { name: "Holds".into(), percent: 75.0, ..SpreadBar::default() };
/// assert!(spread(&Spread { title: "Test".into(), bars: vec![bar], ..Spread::default() }).contains("75"));
/// ```
pub fn spread(plot: &Spread) -> String {
    if plot.bars.iter().any(|bar| bar.at_least.is_some()) { upright(plot) } else { lying(plot) }
}

fn head(plot: &Spread) -> f64 {
    48.0 + wide_bold(&plot.title, 20.0).max(wide(&plot.below, 13.0))
}

/// Results one below the other: their names may be long.
fn lying(plot: &Spread) -> String {
    let left = 36.0 + widest(plot.bars.iter().map(|bar| &bar.name), 14.0);
    let (top, tall) = (84.0, ROW * plot.bars.len() as f64);
    let width = (left + LONG + 70.0).max(head(plot));
    let mut svg = SvgWriter::article(width, top + tall + 40.0, &plot.title, &plot.below);
    for fifth in 0..=5 {
        let x = left + LONG * f64::from(fifth) / 5.0;
        svg.upright_line(x, top, top + tall);
        svg.text((x, top + tall + 18.0), 12, "middle", &format!("{} %", fifth * 20));
    }
    for (place, bar) in plot.bars.iter().enumerate() {
        let y = top + ROW * place as f64;
        svg.text((left - 10.0, y + 19.0), 14, "end", &bar.name);
        let long = LONG * bar.percent.clamp(0.0, 100.0) / 100.0;
        if long > 0.0 {
            svg.part(bar.shade, (left, y + 4.0), (long, ROW - 8.0));
        }
        let words = format!("{} %", adjutant_engine::percent_in_short(bar.percent));
        svg.text_over((left + long + 8.0, y + 19.0), (14, "start"), &words);
    }
    svg.done()
}

/// Numbers side by side, with the curve of at least so many above them.
fn upright(plot: &Spread) -> String {
    let (left, top, tall) = (64.0, 112.0, 300.0);
    let count = plot.bars.len().max(1) as f64;
    let names = widest(plot.bars.iter().map(|bar| &bar.name), 12.0);
    let pitch = (760.0 / count).clamp(16.0, 56.0).max(names + 8.0);
    let across = pitch * count;
    let width = (left + across + 40.0).max(head(plot)).max(left + 330.0);
    let mut svg = SvgWriter::article(width, top + tall + 48.0, &plot.title, &plot.below);
    svg.part(NUMBERS, (left, 76.0), (14.0, 14.0));
    svg.text((left + 22.0, 88.0), 13, "start", "exactly");
    curve(&mut svg, &[(left + 96.0, 83.0), (left + 124.0, 83.0)]);
    svg.text((left + 132.0, 88.0), 13, "start", "at least");
    for fifth in 0..=5 {
        let y = top + tall - tall * f64::from(fifth) / 5.0;
        svg.line(y, left, left + across);
        svg.text((left - 6.0, y + 4.0), 12, "end", &format!("{} %", fifth * 20));
    }
    let (mut points, mut numbers) = (Vec::new(), Vec::new());
    for (place, bar) in plot.bars.iter().enumerate() {
        let middle = left + pitch * (place as f64 + 0.5);
        let high = tall * bar.percent.clamp(0.0, 100.0) / 100.0;
        if high > 0.0 {
            svg.part(NUMBERS, (middle - pitch * 0.38, top + tall - high), (pitch * 0.76, high));
        }
        svg.text((middle, top + tall + 18.0), 12, "middle", &bar.name);
        let least = tall * bar.at_least.unwrap_or(0.0).clamp(0.0, 100.0) / 100.0;
        points.push((middle, top + tall - least));
        if pitch >= 26.0 {
            let words = adjutant_engine::percent_in_short(bar.percent);
            numbers.push(((middle, top + tall - number_height(high, least)), words));
        }
    }
    curve(&mut svg, &points);
    for (at, words) in numbers {
        svg.text_over(at, (11, "middle"), &words);
    }
    svg.done()
}

/// How high a bar's number is written: above the bar, clear of the curve; inside the bar if the curve
/// is too near; above the curve if the bar is too low for that.
fn number_height(bar: f64, curve: f64) -> f64 {
    match (curve - bar < NUMBER + 8.0, bar >= NUMBER) {
        (false, _) => bar + 5.0,
        (true, true) => bar - 13.0,
        (true, false) => curve + 8.0,
    }
}

fn curve(svg: &mut SvgWriter, points: &[(f64, f64)]) {
    let list: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(
        svg.svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#111111\" stroke-width=\"2\"/>",
        list.join(" ")
    );
    for (x, y) in points {
        let _ = writeln!(svg.svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"#111111\"/>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(name: &str, percent: f64, at_least: Option<f64>) -> SpreadBar {
        SpreadBar { name: name.into(), percent, at_least, ..SpreadBar::default() }
    }

    #[test]
    fn the_curve_of_at_least_goes_through_every_number() {
        let bars = vec![
            bar("2", 50.0, Some(100.0)),
            bar("3", 30.0, Some(50.0)),
            bar("4", 20.0, Some(20.0)),
        ];
        let svg = spread(&Spread { title: "<2>".into(), bars, ..Spread::default() });
        let points = svg.split("<polyline points=\"").nth(2).unwrap().split('"').next().unwrap();
        let heights: Vec<f64> = points
            .split(' ')
            .map(|point| point.split_once(',').unwrap().1.parse().unwrap())
            .collect();
        // 300 high from 112 on: 100 %, 50 % and 20 % of it.
        assert_eq!(heights, [112.0, 262.0, 352.0]);
        assert!(svg.contains("at least") && !svg.contains("<2>"));
    }

    #[test]
    fn a_number_is_clear_of_the_curve() {
        // Far above the bar, at the top of a bar, at the top of a low bar.
        for (bar, curve) in [(50.0, 200.0), (60.0, 60.0), (60.0, 75.0), (8.0, 8.0), (8.0, 20.0)] {
            let base = number_height(bar, curve);
            assert!(base >= curve + 5.0 || base + 11.0 <= curve, "{bar} {curve} {base}");
        }
    }

    #[test]
    fn results_say_whole_percentages() {
        let svg = spread(&Spread { bars: vec![bar("Out", 33.333, None)], ..Spread::default() });
        assert!(svg.contains(">33 %<") && !svg.contains("33.3"), "{svg}");
    }
}
