//! The chances of one situation: a bar for each result; for numbers also the chance of at least so
//! many, as a curve.

use super::{FONT, SvgWriter, wide, widest};
use std::fmt::Write;

/// One bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpreadBar {
    pub name: String,
    pub percent: f64,
    /// The chance of this number or more, for numbers.
    pub at_least: Option<f64>,
    /// The index of its shade.
    pub shade: usize,
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
const LONG: f64 = 420.0;

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
    48.0 + (wide(&plot.title, 20.0) * 1.15).max(wide(&plot.below, 13.0))
}

/// Results one below the other: their names may be long.
fn lying(plot: &Spread) -> String {
    let left = 36.0 + widest(plot.bars.iter().map(|bar| &bar.name), 14.0);
    let (top, tall) = (84.0, ROW * plot.bars.len() as f64);
    let width = (left + LONG + 70.0).max(head(plot));
    let mut svg = SvgWriter::article(width, top + tall + 40.0, &plot.title, &plot.below);
    for (place, bar) in plot.bars.iter().enumerate() {
        let y = top + ROW * place as f64;
        svg.text((left - 10.0, y + 19.0), 14, "end", &bar.name);
        let long = LONG * bar.percent.clamp(0.0, 100.0) / 100.0;
        if long > 0.0 {
            svg.part(bar.shade, (left, y + 4.0), (long, ROW - 8.0));
        }
        let words = format!("{} %", adjutant_engine::percent_in_short(bar.percent));
        svg.text((left + long + 8.0, y + 19.0), 14, "start", &words);
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
    svg.part(4, (left, 76.0), (14.0, 14.0));
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
            svg.part(4, (middle - pitch * 0.38, top + tall - high), (pitch * 0.76, high));
        }
        if pitch >= 26.0 {
            let words = adjutant_engine::percent_in_short(bar.percent);
            numbers.push(((middle, top + tall - high - 5.0), words));
        }
        svg.text((middle, top + tall + 18.0), 12, "middle", &bar.name);
        let least = bar.at_least.unwrap_or(0.0);
        points.push((middle, top + tall - tall * least.clamp(0.0, 100.0) / 100.0));
    }
    curve(&mut svg, &points);
    // After the curve, with a white edge, so that the curve does not cross them.
    for ((x, y), words) in numbers {
        let _ = writeln!(
            svg.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" {FONT} fill=\"#111111\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\" font-size=\"11\" text-anchor=\"middle\">{words}</text>"
        );
    }
    svg.done()
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
        SpreadBar { name: name.into(), percent, at_least, shade: 0 }
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
    fn results_say_whole_percentages() {
        let svg = spread(&Spread { bars: vec![bar("Out", 33.333, None)], ..Spread::default() });
        assert!(svg.contains(">33 %<") && !svg.contains("33.3"), "{svg}");
    }
}
