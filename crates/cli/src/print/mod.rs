//! `adjutant print`: cards and sheets on paper, and exports for other programs. `render` draws.
//! Everything is made in memory before the first file is written, so that the output is complete or
//! nothing.

mod cards;
mod numbers;
mod options;
mod other;
mod service;
mod sheet;

use crate::args::{Paper, Print, PrintForm, Program};
use crate::atomic_file::{is_standard_output, not_standard_output};
use crate::error::CommandResult;
use crate::pack_registry::PackRegistry;
use adjutant_render::draw::{A4, Drawing, LETTER, Mark, Size};
use adjutant_render::paper::Fonts;

/// How many dots to the inch make sense.
const DOTS: std::ops::RangeInclusive<u32> = 30..=1200;
/// As fine as most printers print.
const USUAL_DOTS: u32 = 300;

pub fn print(shelf: &PackRegistry, asked: &Print) -> CommandResult {
    let output = match asked {
        Print { sheet: true, .. } => sheet::print(shelf, asked),
        Print { program: Some(Program::PrintService), .. } => service::write(shelf, asked),
        Print { program: Some(program), .. } => other::write(shelf, asked, *program),
        _ => cards::print(shelf, asked),
    }?;
    Ok(if is_standard_output(&asked.output) { output.aside() } else { output })
}

/// The format that is asked for, or else the one that the file's name ends in. `None` if the name
/// ends in no format.
fn form(asked: &Print) -> Option<PrintForm> {
    if asked.form.is_some() {
        return asked.form;
    }
    if is_standard_output(&asked.output) {
        return Some(PrintForm::Pdf);
    }
    match asked.output.extension()?.to_string_lossy().to_lowercase().as_str() {
        "pdf" => Some(PrintForm::Pdf),
        "svg" => Some(PrintForm::Svg),
        "png" => Some(PrintForm::Png),
        "html" | "htm" => Some(PrintForm::Html),
        "md" => Some(PrintForm::Md),
        _ => None,
    }
}

/// Standard output takes one file: several need a name that they are numbered after.
fn check_several(asked: &Print, files: usize) -> anyhow::Result<()> {
    if files > 1 { not_standard_output(&asked.output, &format!("{files} files")) } else { Ok(()) }
}

/// The millimetres of a paper, A4 if none is named.
pub fn size(paper: Option<Paper>) -> Size {
    match paper {
        None | Some(Paper::A4) => A4,
        Some(Paper::Letter) => LETTER,
    }
}

/// The dots to the inch that are asked for.
fn dots(asked: &Print) -> anyhow::Result<f64> {
    let dots = asked.dpi.unwrap_or(USUAL_DOTS);
    match DOTS.contains(&dots) {
        true => Ok(f64::from(dots)),
        false => Err(anyhow::anyhow!(
            "--dpi: {dots} dots to the inch cannot be drawn: {} to {}",
            DOTS.start(),
            DOTS.end()
        )),
    }
}

/// A sentence about letters that no font has.
pub fn lacking<'d>(
    fonts: &Fonts,
    drawings: impl IntoIterator<Item = &'d Drawing>,
) -> Option<String> {
    let mut words = String::new();
    drawings.into_iter().for_each(|drawing| gather(drawing, &mut words));
    let letters = fonts.lacking(&words);
    let shown: Vec<String> = letters.iter().take(12).map(char::to_string).collect();
    let more = if letters.len() > 12 { ", …" } else { "" };
    (!letters.is_empty()).then(|| {
        format!(
            "no font here has the letters {}{more}: they are printed as empty boxes; install a font that has them (Noto has all scripts)",
            shown.join(", ")
        )
    })
}

/// All words of a drawing.
fn gather(drawing: &Drawing, words: &mut String) {
    for mark in &drawing.marks {
        match mark {
            Mark::Text { words: more, .. } => words.push_str(more),
            Mark::Inset { drawing, .. } => gather(drawing, words),
            _ => {}
        }
    }
}
