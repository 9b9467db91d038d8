//! Chances as a picture for an article: stacked bars over one input, a field of shaded cells over two.
//! Shades and patterns of one hue each tell results apart in print and for the colour-blind, and every
//! number stands in its cell.

use super::vary::Axis;
use super::{chance_in, percent};
use sheet::Pack;
use std::fmt::Write;
use std::path::Path;
use umpire::{Chanced, Report, Situation};

/// A palette that the colour-blind can tell apart (after Okabe and Ito), darkest text contrast first.
const COLOURS: [&str; 8] = ["#d9d9d9", "#f0e442", "#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#0072b2", "#d55e00"];
/// The font that pictures are drawn with; a browser takes it too, or the next that it has.
pub const FAMILY: &str = "DejaVu Sans";
const FONT: &str = "font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\"";

pub fn write(
    path: &Path,
    pack: &Pack,
    situation: &Situation<'_>,
    axes: &[Axis],
    grid: &[Vec<Report>],
    results: &[Chanced],
) -> Result<(), String> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if !["svg", "png"].contains(&ending) {
        return Err(format!("{}: a plot is written as SVG or PNG: name a file that ends in .svg or .png", path.display()));
    }
    let svg = match axes {
        [down] => stacked(pack, situation, down, grid, results),
        [down, across, ..] => field(pack, situation, (down, across), grid, results),
        [] => return Err("a plot needs --vary".into()),
    };
    let picture = if ending == "png" { super::png::from_svg(&svg)? } else { svg.into_bytes() };
    let beside = path.with_extension(format!("{ending}.part"));
    std::fs::write(&beside, picture).and_then(|()| std::fs::rename(&beside, path)).map_err(|fault| {
        let _ = std::fs::remove_file(&beside);
        format!("{} cannot be written: {fault}", path.display())
    })
}

/// About how wide a text is drawn; rather too wide than cut off.
fn wide(words: &str, size: f64) -> f64 {
    words.chars().count() as f64 * size * 0.58
}

fn widest<'a>(list: impl IntoIterator<Item = &'a str>, size: f64) -> f64 {
    list.into_iter().map(|words| wide(words, size)).fold(0.0, f64::max)
}

/// How wide the two lines at the head are; the first is bold.
fn head_width(title: &str, below: &str) -> f64 {
    48.0 + (wide(title, 20.0) * 1.15).max(wide(below, 13.0))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn begin(width: f64, height: f64, title: &str, below: &str) -> String {
    let mut svg = String::new();
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n<title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"24\" y=\"34\" {FONT} font-size=\"20\" font-weight=\"bold\" fill=\"#111111\">{0}</text>\n<text x=\"24\" y=\"56\" {FONT} font-size=\"13\" fill=\"#444444\">{1}</text>\n",
        escaped(title),
        escaped(below)
    );
    svg
}

fn text(svg: &mut String, x: f64, y: f64, size: u32, anchor: &str, words: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" {FONT} font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"#111111\">{}</text>",
        escaped(words)
    );
}

/// The other inputs, so that the picture says what it shows.
fn circumstances(pack: &Pack, situation: &Situation<'_>, axes: &[&Axis]) -> String {
    let given = situation.given_inputs().into_iter().filter(|(name, _)| !axes.iter().any(|axis| axis.name == *name));
    let list: Vec<String> = given.map(|(name, value)| format!("{name} = {value}")).collect();
    if list.is_empty() { pack.title.to_string() } else { format!("{}; {}", pack.title, list.join(", ")) }
}

/// Stacked bars, one for each value.
fn stacked(pack: &Pack, situation: &Situation<'_>, down: &Axis, grid: &[Vec<Report>], results: &[Chanced]) -> String {
    let words = widest(down.values.iter().map(String::as_str), 12.0);
    let bar = 46.0_f64.min(720.0 / down.values.len() as f64).max(14.0).max((words + 8.0) / 1.25);
    let (left, top, tall) = (64.0, 84.0, 320.0_f64.max(22.0 * results.len() as f64));
    let wide = bar * 1.25 * down.values.len() as f64;
    let names: Vec<String> = results.iter().map(|chanced| super::name_of(pack, chanced)).collect();
    let width = left + wide + 70.0 + widest(names.iter().map(String::as_str), 13.0);
    let title = format!("{}: chances by {}", situation.chart().title, down.label);
    let below = circumstances(pack, situation, &[down]);
    let mut svg = begin(width.max(head_width(&title, &below)), top + tall + 70.0, &title, &below);
    for tenth in 0..=5 {
        let y = top + tall - tall * f64::from(tenth) / 5.0;
        let _ = writeln!(svg, "<line x1=\"{left}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#cccccc\"/>", left + wide);
        text(&mut svg, left - 8.0, y + 4.0, 12, "end", &format!("{} %", tenth * 20));
    }
    for (place, (value, row)) in down.values.iter().zip(grid).enumerate() {
        let x = left + bar * 0.125 + bar * 1.25 * place as f64;
        let mut y = top + tall;
        for (colour, chanced) in results.iter().enumerate() {
            let chance = row.first().map_or(0.0, |report| chance_in(report, chanced).percent());
            let high = tall * chance / 100.0;
            y -= high;
            let fill = COLOURS[colour % COLOURS.len()];
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{bar:.1}\" height=\"{high:.2}\" fill=\"{fill}\" stroke=\"#111111\" stroke-width=\"0.6\"/>"
            );
            if high > 15.0 && bar > 24.0 {
                text(&mut svg, x + bar / 2.0, y + high / 2.0 + 4.0, 11, "middle", &format!("{chance:.0}"));
            }
        }
        text(&mut svg, x + bar / 2.0, top + tall + 18.0, 12, "middle", value);
    }
    text(&mut svg, left + wide / 2.0, top + tall + 44.0, 13, "middle", &down.label);
    for (colour, name) in names.iter().enumerate() {
        let y = top + 22.0 * (results.len() - 1 - colour) as f64;
        let x = left + wide + 24.0;
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"14\" height=\"14\" fill=\"{}\" stroke=\"#111111\" stroke-width=\"0.6\"/>",
            COLOURS[colour % COLOURS.len()]
        );
        text(&mut svg, x + 22.0, y + 12.0, 13, "start", name);
    }
    svg + "</svg>\n"
}

/// One shaded field for each result, with its numbers in it, two or more side by side.
fn field(pack: &Pack, situation: &Situation<'_>, axes: (&Axis, &Axis), grid: &[Vec<Report>], results: &[Chanced]) -> String {
    let (down, across) = axes;
    let cell = 52.0_f64.max(10.0 + widest(across.values.iter().map(String::as_str), 12.0));
    let (high, left) = (26.0, 84.0_f64.max(34.0 + widest(down.values.iter().map(String::as_str), 12.0)));
    let (wide, tall) = (left + cell * across.values.len() as f64 + 24.0, 76.0 + high * down.values.len() as f64);
    let title = format!("{}: chances by {} (down) and {} (across)", situation.chart().title, down.label, across.label);
    let below = circumstances(pack, situation, &[down, across]);
    let width = (wide * 2.0).max(head_width(&title, &below));
    // As many in a line as the width bears, and no line much shorter than the others.
    let most = ((width / wide) as usize).max(2);
    let in_line = results.len().div_ceil(results.len().div_ceil(most).max(1)).max(1);
    let lines = results.len().div_ceil(in_line) as f64;
    let mut svg = begin(width, 76.0 + tall * lines + 12.0, &title, &below);
    for (number, chanced) in results.iter().enumerate() {
        let (x, y) = (left + wide * (number % in_line) as f64, 96.0 + tall * (number / in_line) as f64);
        text(&mut svg, x, y, 15, "start", &super::name_of(pack, chanced));
        panel(&mut svg, (x, y), (cell, high), axes, grid, chanced);
    }
    svg + "</svg>\n"
}

fn panel(svg: &mut String, at: (f64, f64), size: (f64, f64), axes: (&Axis, &Axis), grid: &[Vec<Report>], chanced: &Chanced) {
    let ((left, top), (cell, high)) = (at, size);
    for (column, value) in axes.1.values.iter().enumerate() {
        text(svg, left + cell * (column as f64 + 0.5), top + 20.0, 12, "middle", value);
    }
    for (row, (value, reports)) in axes.0.values.iter().zip(grid).enumerate() {
        let y = top + 28.0 + high * row as f64;
        text(svg, left - 10.0, y + high / 2.0 + 4.0, 12, "end", value);
        for (column, report) in reports.iter().enumerate() {
            let chance = chance_in(report, chanced);
            let (x, p) = (left + cell * column as f64, chance.percent() / 100.0);
            // One hue from white to dark blue: it prints as grey in the same order.
            let shade = |to: f64| (255.0 + (to - 255.0) * p).round() as u8;
            let ink = if p > 0.7 { "#ffffff" } else { "#111111" };
            let fill = format!("#{:02x}{:02x}{:02x}", shade(8.0), shade(64.0), shade(129.0));
            let _ =
                writeln!(svg, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{cell}\" height=\"{high}\" fill=\"{fill}\" stroke=\"#ffffff\"/>");
            let (middle, base) = (x + cell / 2.0, y + high / 2.0 + 4.0);
            let _ = writeln!(
                svg,
                "<text x=\"{middle:.1}\" y=\"{base:.1}\" {FONT} font-size=\"11\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
                percent(&chance)
            );
        }
    }
}
