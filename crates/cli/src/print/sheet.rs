//! `adjutant print PACK --sheet`: the game's reference sheet as a PDF, a picture, a page or a text,
//! by the ending of the file.

use super::options::{Target, without_effect};
use super::{dots, lacking, size};
use crate::args::{Orientation, Print};
use crate::atomic_file::{beside, write_several};
use crate::error::CommandError;
use crate::output::CommandOutput;
use crate::pack_registry::{OpenedPack, PackRegistry};
use crate::show;
use adjutant_engine::Stop;
use adjutant_render::draw::{Drawing, Ink, Mark};
use adjutant_render::paper::{Document, Fonts, Page, Sides, pdf, png};
use adjutant_render::reference::{self, PageOptions, Sheet, SheetOptions};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long the chances of a sheet are computed, unless `--max-time` says otherwise.
const ODDS_SECONDS: u64 = 60;

pub fn print(shelf: &PackRegistry, asked: &Print) -> Result<CommandOutput, CommandError> {
    let ending = ending(&asked.output)?;
    let target = match ending {
        Ending::Pdf => Target::SheetOnPaper,
        Ending::Png => Target::SheetAsPng,
        Ending::Svg => Target::SheetAsSvg,
        Ending::Html | Ending::Md => Target::SheetAsText,
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
    let out = files.iter().map(|(path, _)| format!("{} is written\n", path.display())).collect();
    let left_out = (!sheet.odds_left_out.is_empty()).then(|| {
        format!(
            "the chances of these charts take too long and are left out: {}. Name fewer charts, or allow more than {seconds} s with --max-time",
            sheet.odds_left_out.join(", ")
        )
    });
    let warnings: Vec<String> = warning.into_iter().chain(left_out).collect();
    Ok(CommandOutput::done(out).with_warnings(&warnings))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Pdf,
    Svg,
    Png,
    Html,
    Md,
}

fn ending(path: &Path) -> anyhow::Result<Ending> {
    let known = [
        ("pdf", Ending::Pdf),
        ("svg", Ending::Svg),
        ("png", Ending::Png),
        ("html", Ending::Html),
        ("htm", Ending::Html),
        ("md", Ending::Md),
    ];
    let given =
        path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    known.iter().find(|(name, _)| *name == given).map(|(_, ending)| *ending).with_context(|| {
        format!(
            "{}: a sheet is written as .pdf, .html, .md, .svg or .png, by the ending of the file",
            path.display()
        )
    })
}

/// Files, and what is to be said about them.
type Made = (Vec<(PathBuf, Vec<u8>)>, Option<String>);

/// The files of a sheet: one, or one for each page where the form holds one page only.
fn made(sheet: &Sheet, ending: Ending, look: &PageOptions, asked: &Print) -> anyhow::Result<Made> {
    let whole = |bytes: Vec<u8>| (vec![(asked.output.clone(), bytes)], None);
    match ending {
        Ending::Md => return Ok(whole(reference::markdown(sheet).into_bytes())),
        Ending::Html => return Ok(whole(reference::html(sheet).into_bytes())),
        _ => {}
    }
    let fonts = Fonts::new();
    let pages = reference::pages(sheet, look, &fonts);
    if pages.is_empty() {
        bail!("{}", does_not_fit(sheet, look, &fonts));
    }
    let warning = lacking(&fonts, &pages);
    if ending == Ending::Pdf {
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
    let mut files = Vec::new();
    for (number, page) in (1_usize..).zip(pages) {
        let page = on_paper(page);
        let bytes = if ending == Ending::Svg {
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
