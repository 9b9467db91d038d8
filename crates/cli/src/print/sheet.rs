//! `adjutant print PACK --sheet`: the game's reference sheet as a PDF, a picture, a page or a text,
//! by the ending of the file.

use super::options::{Target, without_effect};
use super::{dots, lacking, size};
use crate::args::{Orientation, Print, PrintForm};
use crate::atomic_file::{beside, is_standard_output, write_several};
use crate::error::CommandError;
use crate::output::CommandOutput;
use crate::pack_registry::{OpenedPack, PackRegistry};
use crate::show;
use adjutant_engine::Stop;
use adjutant_render::draw::{Drawing, Ink, Mark};
use adjutant_render::paper::{Document, Fonts, Page, Sides, pdf, png};
use adjutant_render::reference::{self, PageOptions, Sheet, SheetOptions};
use anyhow::{Context, bail};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long the chances of a sheet are computed, unless `--max-time` says otherwise.
const ODDS_SECONDS: u64 = 60;

pub fn print(shelf: &PackRegistry, asked: &Print) -> Result<CommandOutput, CommandError> {
    let ending = ending(asked)?;
    let target = match ending {
        PrintForm::Pdf => Target::SheetOnPaper,
        PrintForm::Png => Target::SheetAsPng,
        PrintForm::Svg => Target::SheetAsSvg,
        PrintForm::Html | PrintForm::Md => Target::SheetAsText,
    };
    let wrong = without_effect(asked, target);
    if !wrong.is_empty() {
        return Err(CommandError::usage(wrong));
    }
    let OpenedPack { pack, .. } = shelf.open(&asked.pack)?;
    let (mut charts, mut faults) = (Vec::new(), Vec::new());
    for id in &asked.what {
        match pack.chart_id(id) {
            Some(place) if !charts.contains(&place) => charts.push(place),
            Some(_) => {}
            None if pack.fight(id).is_some() => faults.push(format!(
                "{id} is a fight, and a sheet shows charts: adjutant show {} {id}",
                pack.id()
            )),
            None => faults.push(show::unknown(&pack, id)),
        }
    }
    if !faults.is_empty() {
        return Err(CommandError::usage(faults));
    }
    let seconds = asked.max_time.unwrap_or(ODDS_SECONDS);
    let until = Instant::now() + Duration::from_secs(seconds);
    let stop = Stop::when(move || Instant::now() >= until);
    let sheet = reference::sheet(&pack, &SheetOptions { charts, odds: asked.odds, stop });
    let look = PageOptions {
        paper: size(asked.paper),
        large: asked.large,
        low_ink: asked.low_ink,
        columns: asked.columns.map(usize::from),
        pages: asked.pages.map(usize::from),
        landscape: asked.orientation.map(|direction| direction == Orientation::Landscape),
        reading: false,
    };
    let (files, warning) = made(&sheet, ending, &look, asked)?;
    write_several(&files, asked.force)?;
    let named = files.iter().filter(|(path, _)| !is_standard_output(path));
    let out = named.map(|(path, _)| format!("{} is written\n", path.display())).collect();
    let left_out = (!sheet.odds_left_out.is_empty()).then(|| {
        format!(
            "the chances of these charts take too long and are left out: {}. Name fewer charts, or allow more than {seconds} s with --max-time",
            sheet.odds_left_out.join(", ")
        )
    });
    let warnings: Vec<String> = warning.into_iter().chain(left_out).collect();
    Ok(CommandOutput::done(out).with_warnings(&warnings))
}

fn ending(asked: &Print) -> anyhow::Result<PrintForm> {
    super::form(asked).with_context(|| {
        format!(
            "{}: a sheet is written as .pdf, .html, .md, .svg or .png: let the file end in one of these, or name one with --as",
            asked.output.display()
        )
    })
}

/// Files, and what is to be said about them.
type Made = (Vec<(PathBuf, Vec<u8>)>, Option<String>);

/// The files of a sheet: one, or one for each page where the form holds one page only.
fn made(
    sheet: &Sheet,
    ending: PrintForm,
    look: &PageOptions,
    asked: &Print,
) -> anyhow::Result<Made> {
    let whole = |bytes: Vec<u8>| (vec![(asked.output.clone(), bytes)], None);
    match ending {
        PrintForm::Md => return Ok(whole(reference::markdown(sheet).into_bytes())),
        PrintForm::Html => return Ok(whole(reference::html(sheet).into_bytes())),
        _ => {}
    }
    let fonts = Fonts::new();
    let pages = reference::pages(sheet, look, &fonts);
    if pages.is_empty() {
        bail!("{}", does_not_fit(sheet, look, &fonts));
    }
    let warning = lacking(&fonts, &pages);
    if ending == PrintForm::Pdf {
        let pages = pages.into_iter().map(Page::whole).collect();
        let document = Document {
            title: format!("{} – {}", sheet.title, sheet.kind.to_lowercase()),
            about: sheet.about.clone(),
            by: sheet.by.clone(),
            sides: Sides::Both,
            pages,
        };
        return Ok((
            vec![(asked.output.clone(), pdf(&document, &fonts).map_err(anyhow::Error::msg)?)],
            warning,
        ));
    }
    let dots = dots(asked)?;
    let several = pages.len() > 1;
    super::check_several(asked, pages.len())?;
    let mut files = Vec::new();
    for (number, page) in (1_usize..).zip(pages) {
        let page = on_paper(page);
        let bytes = if ending == PrintForm::Svg {
            page.svg_file().into_bytes()
        } else {
            png(&page, dots, &fonts).map_err(anyhow::Error::msg)?
        };
        files.push((
            if several { beside(&asked.output, &number.to_string()) } else { asked.output.clone() },
            bytes,
        ));
    }
    Ok((files, warning))
}

/// Why a sheet has no pages, and what would do.
fn does_not_fit(sheet: &Sheet, look: &PageOptions, fonts: &Fonts) -> String {
    let free = PageOptions { pages: None, columns: None, landscape: None, ..*look };
    let needed = reference::pages(sheet, &free, fonts).len();
    let letters = if look.large { 12 } else { 8 };
    match (look.pages, needed) {
        (_, 0) => "this sheet cannot be set on this paper: leave --large out, or name fewer charts".into(),
        (Some(pages), needed) if needed > pages => format!(
            "with letters of {letters} points this sheet does not fit on --pages {pages}: use --pages {needed}, or name fewer charts"
        ),
        _ => "this sheet cannot be set so: leave --columns and --orientation out, or name fewer charts".into(),
    }
}

/// A screen has no paper of its own: it is drawn behind the page.
fn on_paper(mut page: Drawing) -> Drawing {
    let size = (page.size.width, page.size.height);
    page.marks.insert(
        0,
        Mark::Box { at: (0.0, 0.0), size, round: 0.0, fill: Some(Ink::Paper), edge: None },
    );
    page
}
