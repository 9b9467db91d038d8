//! Chances as a picture for an article: what `adjutant_render::plot` draws, written into a file,
//! whole or not at all. `--plot -` draws in the terminal.

use super::terminal_plot;
use super::vary::Cell;
use super::vary::{Axis, Line};
use crate::atomic_file::write_whole;
use adjutant_dice::{Accepts, Answer};
use adjutant_engine::{Distribution, OddsReport, Situation, in_sheet_order};
use adjutant_pack::Pack;
use adjutant_render::paper;
use adjutant_render::plot::{Plot, PlotTarget, Scale, Spread, SpreadBar, shades};
use std::path::Path;

/// Where a plot goes.
enum Target {
    Svg,
    Png,
    Terminal,
}

fn target(path: &Path) -> anyhow::Result<Target> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_lowercase().as_str() {
        _ if path.as_os_str() == "-" => Ok(Target::Terminal),
        "svg" => Ok(Target::Svg),
        "png" => Ok(Target::Png),
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
pub fn write(
    path: &Path,
    pack: &Pack,
    situation: &Situation<'_>,
    axes: &[Axis],
    grid: &[Vec<Cell>],
    lines: &[Line],
) -> anyhow::Result<String> {
    let [down, more @ ..] = axes else { anyhow::bail!("a plot of several cells needs --vary") };
    let scale = |axis: &Axis| Scale {
        label: axis.label.clone(),
        values: axis.values.iter().map(|value| shown(situation, &axis.name, value)).collect(),
    };
    let title = match more.first() {
        None => format!("{}: chances in % by {}", situation.chart().title, down.label),
        Some(across) => format!(
            "{}: chances in % by {} and {}",
            situation.chart().title,
            down.label,
            across.label
        ),
    };
    let percent =
        |line: &Line, cell: &Cell| line.chance(cell).map_or(0.0, |chance| chance.percent());
    let percents = |cell: &Cell| lines.iter().map(|line| percent(line, cell)).collect();
    let ids: Vec<&str> = lines.iter().filter_map(Line::result_id).collect();
    let plot = Plot {
        title,
        below: circumstances(pack, situation, axes),
        down: scale(down),
        across: more.first().map(scale),
        names: lines.iter().map(|line| line.name(pack)).collect(),
        cells: grid.iter().map(|row| row.iter().map(percents).collect()).collect(),
        here: None,
        shades: shades(pack, ids),
    };
    match target(path)? {
        Target::Terminal => Ok(terminal_plot::stacked(&plot)),
        target => picture(path, &target, &adjutant_render::plot::svg(&plot, PlotTarget::Article)),
    }
}

/// Writes the chances of one situation. Returns what the terminal shows.
pub fn write_one(
    path: &Path,
    pack: &Pack,
    situation: &Situation<'_>,
    report: &OddsReport,
) -> anyhow::Result<String> {
    let [branch] = report.branches.as_slice() else {
        anyhow::bail!(
            "the chances depend on an answer: give it with --answer, then there is one picture"
        )
    };
    let plot = Spread {
        title: format!("{}: chances", situation.chart().title),
        below: circumstances(pack, situation, &[]),
        bars: bars(pack, situation, &branch.spread),
    };
    match target(path)? {
        Target::Terminal => Ok(terminal_plot::spread(&plot)),
        target => picture(path, &target, &adjutant_render::plot::spread(&plot)),
    }
}

fn bars(pack: &Pack, situation: &Situation<'_>, spread: &Distribution) -> Vec<SpreadBar> {
    let results = in_sheet_order(pack, situation.chart(), &spread.results);
    if results.is_empty() {
        let number =
            |(value, chance): &(adjutant_dice::Number, adjutant_engine::Chance)| SpreadBar {
                name: value.to_string(),
                percent: chance.percent(),
                at_least: Some(spread.at_least(*value).percent()),
                shade: 4,
            };
        return spread.values.iter().map(number).collect();
    }
    let shades = shades(pack, results.iter().map(|chanced| chanced.id.as_str()));
    let bar = |(chanced, shade): (&&adjutant_engine::OutcomeChance, usize)| SpreadBar {
        name: super::name_of(pack, chanced),
        percent: chanced.chance.percent(),
        at_least: None,
        shade,
    };
    results.iter().zip(shades).map(bar).collect()
}

fn picture(path: &Path, target: &Target, svg: &str) -> anyhow::Result<String> {
    // Twice the size of the SVG, so that it is sharp in print.
    let picture = match target {
        Target::Png => paper::png_of_svg(svg, 2.0, &paper::Fonts::bundled())?,
        _ => svg.as_bytes().to_vec(),
    };
    write_whole(path, &picture, true)?;
    Ok(String::new())
}

/// A value of an input as players see it.
fn shown(situation: &Situation<'_>, name: &str, value: &str) -> String {
    let input = situation.chart().input(name);
    let words = input.and_then(|input| input.field.accepts.words()).unwrap_or(&[]);
    let known = words.iter().find(|word| word.id == value);
    known.map_or_else(|| value.to_owned(), |word| word.label.to_string())
}

/// The other inputs, so that the picture says what it shows.
fn circumstances(pack: &Pack, situation: &Situation<'_>, axes: &[Axis]) -> String {
    let given = situation
        .given_inputs()
        .into_iter()
        .filter(|(name, _)| !axes.iter().any(|axis| axis.name == *name));
    let said = |(name, value): (adjutant_dice::Text, Answer)| {
        let name: &str = &name;
        let input = situation.chart().input(name);
        let label = input.map_or(name, |input| &input.field.label);
        match (input.map(|input| &input.field.accepts), &value) {
            (Some(Accepts::YesNo), Answer::YesNo(true)) => label.to_owned(),
            (Some(Accepts::YesNo), Answer::YesNo(false)) => format!("{label}: no"),
            (Some(Accepts::Choice { .. }), value) => {
                format!("{label}: {}", shown(situation, name, &value.to_string()))
            }
            (_, value) => format!("{label} {value}"),
        }
    };
    let list: Vec<String> = given.map(said).collect();
    std::iter::once(pack.title().to_string()).chain(list).collect::<Vec<_>>().join(" · ")
}
