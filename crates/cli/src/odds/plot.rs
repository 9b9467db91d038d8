//! Chances as a picture for an article: what `adjutant_render::plot` draws, written into a file,
//! whole or not at all.

use super::vary::Cell;
use super::vary::{Axis, Line};
use crate::atomic_file::write_whole;
use adjutant_engine::Situation;
use adjutant_pack::Pack;
use adjutant_render::paper;
use adjutant_render::plot::{Plot, PlotTarget, Scale};
use std::path::Path;

pub fn write(
    path: &Path,
    pack: &Pack,
    situation: &Situation<'_>,
    axes: &[Axis],
    grid: &[Vec<Cell>],
    lines: &[Line],
) -> anyhow::Result<()> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if !["svg", "png"].contains(&ending) {
        anyhow::bail!(
            "{}: a plot is written as SVG or PNG: name a file that ends in .svg or .png",
            path.display()
        );
    }
    let [down, more @ ..] = axes else { anyhow::bail!("a plot needs --vary") };
    let scale = |axis: &Axis| Scale { label: axis.label.clone(), values: axis.values.clone() };
    let title = match more.first() {
        None => format!("{}: chances by {}", situation.chart().title, down.label),
        Some(across) => format!(
            "{}: chances by {} (down) and {} (across)",
            situation.chart().title,
            down.label,
            across.label
        ),
    };
    let percent =
        |line: &Line, cell: &Cell| line.chance(cell).map_or(0.0, |chance| chance.percent());
    let percents = |cell: &Cell| lines.iter().map(|line| percent(line, cell)).collect();
    let plot = Plot {
        title,
        below: circumstances(pack, situation, axes),
        down: scale(down),
        across: more.first().map(scale),
        names: lines.iter().map(|line| line.name(pack)).collect(),
        cells: grid.iter().map(|row| row.iter().map(percents).collect()).collect(),
        here: None,
        shades: Vec::new(),
    };
    let svg = adjutant_render::plot::svg(&plot, PlotTarget::Article);
    // Twice the size of the SVG, so that it is sharp in print.
    let picture = if ending == "png" {
        paper::png_of_svg(&svg, 2.0, &paper::Fonts::bundled())?
    } else {
        svg.into_bytes()
    };
    write_whole(path, &picture, true)
}

/// The other inputs, so that the picture says what it shows.
fn circumstances(pack: &Pack, situation: &Situation<'_>, axes: &[Axis]) -> String {
    let given = situation
        .given_inputs()
        .into_iter()
        .filter(|(name, _)| !axes.iter().any(|axis| axis.name == *name));
    let list: Vec<String> = given.map(|(name, value)| format!("{name} = {value}")).collect();
    if list.is_empty() {
        pack.title().to_string()
    } else {
        format!("{}; {}", pack.title(), list.join(", "))
    }
}
