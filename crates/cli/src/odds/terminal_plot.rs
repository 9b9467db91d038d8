//! Plots in a terminal: stacked bars over one input, a bar for each result of one situation. Each
//! result has its own character, so that no colour is needed.

use super::bar;
use crate::paint::{DIM, HEAD, RESULT, Table, in_style};
use adjutant_engine::percent_in_short;
use adjutant_render::plot::{Plot, Shade, Spread};
use anstyle::{Ansi256Color, Style};

/// The width of a bar of 100 %.
const WIDE: usize = 50;
/// A character for each result, told apart without colours.
const CHARACTERS: [char; 8] = ['░', '▒', '▓', '█', '·', '+', '=', '#'];
/// The same in colours: how bad a result is, then others.
const COLOURS: [u8; 8] = [252, 178, 166, 124, 74, 185, 137, 175];

/// The characters of further results of the same colour, three for each.
const REPEATS: [char; 12] = ['-', '~', ':', 'v', 'x', '*', 'o', '%', 'w', 'X', '&', '@'];

fn style(shade: Shade) -> Style {
    Style::new().fg_color(Some(Ansi256Color(COLOURS[shade.colour % COLOURS.len()]).into()))
}

fn character(shade: Shade) -> char {
    match shade.hatch.checked_sub(1) {
        None => CHARACTERS[shade.colour % CHARACTERS.len()],
        Some(repeat) => REPEATS[(shade.colour * 3 + repeat) % REPEATS.len()],
    }
}

fn run(shade: Shade, count: usize) -> String {
    let text: String = std::iter::repeat_n(character(shade), count).collect();
    in_style(style(shade), text)
}

/// One stacked bar for each value; over two inputs, one for each pair of values.
pub(super) fn stacked(plot: &Plot) -> String {
    let names: Vec<String> = plot
        .names
        .iter()
        .enumerate()
        .map(|(result, name)| format!("{} {name}", run(plot.shade(result), 2)))
        .collect();
    let mut out = format!("\n{}\n{}\n", in_style(HEAD, &plot.title), names.join("   "));
    let label = |row: usize, column: usize| match &plot.across {
        None => plot.down.values[row].clone(),
        Some(across) => format!("{}, {}", plot.down.values[row], across.values[column]),
    };
    let rows: Vec<(String, &Vec<f64>)> = plot
        .cells
        .iter()
        .enumerate()
        .flat_map(|(row, cells)| {
            cells.iter().enumerate().map(move |(column, cell)| (label(row, column), cell))
        })
        .collect();
    let wide = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    for (label, percents) in rows {
        out.push_str(&format!(
            "{} {}\n",
            in_style(HEAD, format!("{label:>wide$}")),
            stack(plot, percents)
        ));
    }
    out
}

/// The parts of one bar. The places are rounded together, so that the bar is as long as its sum.
fn stack(plot: &Plot, percents: &[f64]) -> String {
    let (mut sum, mut at, mut out) = (0.0, 0, String::new());
    for (result, percent) in percents.iter().enumerate() {
        sum += percent;
        let end = (sum * WIDE as f64 / 100.0).round() as usize;
        out.push_str(&run(plot.shade(result), end.saturating_sub(at)));
        at = end.max(at);
    }
    out
}

/// One bar for each result or number, with the chance of at least so many.
pub(super) fn spread(plot: &Spread) -> String {
    let numbers = plot.bars.iter().any(|bar| bar.at_least.is_some());
    let mut table = Table::new(2);
    if numbers {
        table.head(["value", "%", "", "at least %", ""]);
    }
    for one in &plot.bars {
        let mut cells = vec![
            (one.name.clone(), HEAD),
            (format!("{:>4}", percent_in_short(one.percent)), HEAD),
            (bar(one.percent, 30), if numbers { RESULT } else { style(one.shade) }),
        ];
        if let Some(least) = one.at_least {
            cells.push((format!("{:>4}", percent_in_short(least)), Style::new()));
            cells.push((bar(least, 20), DIM));
        }
        table.row(cells);
    }
    format!("\n{}\n{}\n{}", in_style(HEAD, &plot.title), in_style(DIM, &plot.below), table.print())
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_render::plot::Scale;

    #[test]
    fn a_stacked_bar_is_as_long_as_its_sum() {
        let down = Scale { label: "Lost".into(), values: vec!["0".into(), "1".into()] };
        let cells = vec![vec![vec![33.3, 33.3, 33.4]], vec![vec![0.4, 0.4, 99.2]]];
        let names = ["A", "B", "C"].map(String::from).to_vec();
        let plot = Plot { down, names, cells, ..Plot::default() };
        let text = anstream::adapter::strip_str(&stacked(&plot)).to_string();
        let bars: Vec<usize> = text
            .lines()
            .skip(3)
            .map(|line| line.chars().filter(|c| CHARACTERS.contains(c)).count())
            .collect();
        assert_eq!(bars, [WIDE, WIDE], "{text}");
    }
}
