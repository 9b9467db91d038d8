//! Chances as a picture for an article: what `adjutant_render::plot` draws, written into a file,
//! whole or not at all. `--plot -` draws in the terminal.

use super::terminal_plot;
use crate::atomic_file::write_whole;
use crate::paint::{DIM, in_style};
use adjutant_render::paper;
use adjutant_render::plot::{Plot, PlotTarget, Spread};
use std::path::Path;

/// Where a plot goes.
enum PlotFormat {
    Svg,
    Png,
    Terminal,
}

fn target(path: &Path) -> anyhow::Result<PlotFormat> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_lowercase().as_str() {
        _ if path.as_os_str() == "-" => Ok(PlotFormat::Terminal),
        "svg" => Ok(PlotFormat::Svg),
        "png" => Ok(PlotFormat::Png),
        _ => anyhow::bail!(
            "{}: a plot is written as SVG or PNG: name a file that ends in .svg or .png, or - for the terminal",
            path.display()
        ),
    }
}

/// Checks the file's ending before anything is computed.
pub fn check(path: &Path) -> anyhow::Result<()> {
    target(path).map(drop)
}

/// Writes the chances over one or two inputs. Returns what the terminal shows.
pub fn write(path: &Path, plot: &Plot) -> anyhow::Result<String> {
    match target(path)? {
        PlotFormat::Terminal => Ok(terminal_plot::stacked(plot)),
        target => picture(path, &target, &adjutant_render::plot::svg(plot, PlotTarget::Article)),
    }
}

/// Writes the chances of one situation. Returns what the terminal shows.
pub fn write_one(path: &Path, plot: &Spread) -> anyhow::Result<String> {
    match target(path)? {
        PlotFormat::Terminal => Ok(terminal_plot::spread(plot)),
        target => picture(path, &target, &adjutant_render::plot::spread(plot)),
    }
}

/// Where the picture is.
pub fn written(path: &Path) -> String {
    in_style(DIM, format!("\nthe picture is in {}\n", path.display()))
}

fn picture(path: &Path, target: &PlotFormat, svg: &str) -> anyhow::Result<String> {
    // Twice the size of the SVG, so that it is sharp in print.
    let picture = match target {
        PlotFormat::Png => paper::png_of_svg(svg, 2.0, &paper::Fonts::bundled())?,
        _ => svg.as_bytes().to_vec(),
    };
    write_whole(path, &picture, true)?;
    Ok(String::new())
}
