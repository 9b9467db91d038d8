//! `adjutant print PACK --sheet`: the game's reference sheet as a PDF, a picture, a page or a text, by the ending of the file.

use crate::args::{Paper, Print};
use crate::shelf::{Opened, Shelf};
use crate::show;
use crate::verdict::Verdict;
use crate::written::write_whole;
use press::draw::{Drawing, Ink, Mark, Size};
use press::paper::{Document, Fonts, Page, pdf, png};
use press::reference::{self, A4, LETTER, Look, Sheet, Wanted};
use std::path::{Path, PathBuf};

pub fn print(shelf: &Shelf, asked: &Print) -> Result<Verdict, Verdict> {
    let ending = ending(&asked.output).map_err(|why| Verdict::wrong(&[why]))?;
    let Opened { pack, .. } = shelf.open(&asked.pack)?;
    let (mut charts, mut faults) = (Vec::new(), Vec::new());
    for id in &asked.what {
        match pack.charts.iter().position(|chart| chart.id == id.as_str()) {
            Some(place) if !charts.contains(&place) => charts.push(place),
            Some(_) => {}
            None if pack.fight(id).is_some() => {
                faults.push(format!("{id} is a fight, and a sheet shows charts: adjutant show {} {id}", pack.id))
            }
            None => faults.push(show::unknown(&pack, id)),
        }
    }
    if !faults.is_empty() {
        return Err(Verdict::wrong(&faults));
    }
    let sheet = reference::sheet(&pack, &Wanted { charts, odds: asked.odds });
    let look = Look { paper: size(asked.paper), large: asked.large, low_ink: asked.low_ink, columns: None };
    let files = made(&sheet, ending, &look, asked).map_err(|why| Verdict::wrong(&[why]))?;
    write_all(&files, asked.force)
}

/// The millimetres of a paper.
pub fn size(paper: Paper) -> Size {
    match paper {
        Paper::A4 => A4,
        Paper::Letter => LETTER,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Pdf,
    Svg,
    Png,
    Html,
    Md,
}

fn ending(path: &Path) -> Result<Ending, String> {
    let known = [
        ("pdf", Ending::Pdf),
        ("svg", Ending::Svg),
        ("png", Ending::Png),
        ("html", Ending::Html),
        ("htm", Ending::Html),
        ("md", Ending::Md),
    ];
    let given = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    known
        .iter()
        .find(|(name, _)| *name == given)
        .map(|(_, ending)| *ending)
        .ok_or_else(|| format!("{}: a sheet is written as .pdf, .html, .md, .svg or .png, by the ending of the file", path.display()))
}

/// The files of a sheet: one, or one for each page where the form holds one page only.
fn made(sheet: &Sheet, ending: Ending, look: &Look, asked: &Print) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let whole = |bytes: Vec<u8>| vec![(asked.output.clone(), bytes)];
    match ending {
        Ending::Md => return Ok(whole(reference::markdown(sheet).into_bytes())),
        Ending::Html => return Ok(whole(reference::html(sheet).into_bytes())),
        _ => {}
    }
    let fonts = Fonts::new();
    let pages = reference::pages(sheet, look, &fonts);
    if pages.is_empty() {
        return Err("this sheet cannot be set on this paper: leave --large out, or name fewer charts".into());
    }
    if ending == Ending::Pdf {
        return Ok(whole(document(&sheet.title, &sheet.about, pages, &fonts)?));
    }
    let several = pages.len() > 1;
    let mut files = Vec::new();
    for (number, page) in (1..).zip(pages) {
        let page = on_paper(page);
        let bytes = if ending == Ending::Svg { page.svg_file().into_bytes() } else { png(&page, f64::from(asked.dpi), &fonts)? };
        files.push((if several { numbered(&asked.output, number) } else { asked.output.clone() }, bytes));
    }
    Ok(files)
}

/// Pages as one PDF.
pub fn document(title: &str, about: &str, pages: Vec<Drawing>, fonts: &Fonts) -> Result<Vec<u8>, String> {
    let pages = pages.into_iter().map(Page::whole).collect();
    pdf(&Document { title: title.to_owned(), about: about.to_owned(), pages }, fonts)
}

/// A screen has no paper of its own: it is drawn behind the page.
fn on_paper(mut page: Drawing) -> Drawing {
    let size = (page.size.width, page.size.height);
    page.marks.insert(0, Mark::Box { at: (0.0, 0.0), size, round: 0.0, fill: Some(Ink::Paper), edge: None });
    page
}

/// `sheet.png` becomes `sheet-2.png`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let (name, ending) = (path.file_stem().unwrap_or_default().to_string_lossy(), path.extension().unwrap_or_default().to_string_lossy());
    path.with_file_name(format!("{name}-{number}.{ending}"))
}

fn write_all(files: &[(PathBuf, Vec<u8>)], force: bool) -> Result<Verdict, Verdict> {
    // Of several pages none is written if one is there already.
    if let Some((there, _)) = files.iter().find(|(path, _)| !force && path.exists()) {
        return Err(Verdict::wrong(&[format!("{} is there already: add --force to overwrite it", there.display())]));
    }
    let mut out = String::new();
    for (path, bytes) in files {
        write_whole(path, bytes, force).map_err(|why| Verdict::wrong(&[why]))?;
        out.push_str(&format!("{} is written\n", path.display()));
    }
    Ok(Verdict::done(out))
}
