//! Cards and charts for other programs: Tabletop Simulator, VASSAL, Foundry VTT, spreadsheets. Each
//! format has a module, written from what the receiving program's own code or documentation reads.
//! All use the same drawings and words as paper.
//!
//! The output is [`ExportedFiles`], a value; the command writes all of it or nothing. Nothing is
//! dated and nothing is random, so the same pack gives the same bytes. The tests read every format
//! back with their own readers; the programs themselves are not run.

mod card_images;
mod chart_page;
mod csv;
mod foundry;
mod tabletop;
mod text_tables;
mod vassal;
mod zip;

pub use chart_page::page;
pub use csv::{CsvReader, csv};
pub use foundry::{FoundryModule, foundry};
pub use tabletop::tabletop_simulator;
pub use vassal::vassal;

use crate::RenderError;
use crate::card::CardStyle;
use crate::draw::Size;
use crate::paper::Fonts;
use adjutant_pack::{Card, Chart, DeckSheet, Pack};
use adjutant_wording::en::{NotShown, not_shown};

/// What to export.
pub struct ExportRequest<'p> {
    pub pack: &'p Pack,
    pub decks: Vec<&'p DeckSheet>,
    pub charts: Vec<&'p Chart>,
    /// The size of a card, if not the deck's own. It determines the proportions of the pictures.
    pub size: Option<Size>,
    pub style: CardStyle,
}

impl<'p> ExportRequest<'p> {
    /// Everything in a pack.
    pub fn all(pack: &'p Pack) -> ExportRequest<'p> {
        ExportRequest {
            pack,
            decks: pack.card_decks().collect(),
            charts: pack.charts().iter().collect(),
            size: None,
            style: CardStyle::default(),
        }
    }

    fn size_of(&self, deck: &DeckSheet) -> Size {
        self.size.unwrap_or(Size { width: deck.layout.card.0, height: deck.layout.card.1 })
    }
}

/// The files for another program, and notes about them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ExportedFiles {
    /// Each file: its path with slashes, and its bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// What was exported, one sentence each.
    pub summary: Vec<String>,
    /// What the other program cannot hold.
    pub not_shown: Vec<NotShown>,
    /// What to do with the files in that program, one sentence each.
    pub instructions: Vec<String>,
}

/// How the note in an exported folder starts. A folder with this note may be overwritten.
pub const NOTE: &str = "Written by adjutant";
/// The file name of that note.
pub const NOTE_NAME: &str = "README.txt";

impl ExportedFiles {
    /// Adds a file.
    pub fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.push((path.into(), bytes.into()));
    }

    /// Adds a sentence to the summary.
    pub fn add_summary(&mut self, sentence: impl Into<String>) {
        self.summary.push(sentence.into());
    }

    /// Says that the other program cannot hold something.
    pub fn leave_out(&mut self, left_out: NotShown) {
        self.not_shown
            .push(NotShown { what: one_line(&left_out.what), why: one_line(&left_out.why) });
    }

    /// What was exported and what was left out, one sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let left_out = (!self.not_shown.is_empty())
            .then(|| format!("left out: {}", not_shown(&self.not_shown)));
        self.summary.iter().cloned().chain(left_out).collect()
    }

    /// Adds the instructions, and a note file with the summary and the instructions.
    pub fn with_note(mut self, pack: &Pack, program: &str, instructions: &[&str]) -> ExportedFiles {
        self.instructions = instructions.iter().map(|&line| line.to_owned()).collect();
        let mut note = format!("{NOTE}: {}, for {program}.\n", one_line(pack.title()));
        for lines in [&self.sentences(), &self.instructions] {
            note.push('\n');
            lines.iter().for_each(|line| note.push_str(&format!("{line}.\n")));
        }
        if !pack.notice().is_empty() {
            note.push_str(&format!("\n{}\n", one_line(pack.notice())));
        }
        self.add(NOTE_NAME, note);
        self
    }

    /// The bytes of a file.
    pub fn file(&self, path: &str) -> Option<&[u8]> {
        self.files.iter().find(|(known, _)| known == path).map(|(_, bytes)| bytes.as_slice())
    }
}

/// Where a program will find a picture, by its name.
pub type Address<'a> = &'a dyn Fn(&str) -> String;

/// A text on one line, without control characters.
fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The name of a card, even if the pack gives it none.
fn card_name(card: &Card, number: u32) -> String {
    let name = one_line(&card.title);
    if name.is_empty() { format!("Card {number}") } else { name }
}

/// The name of a deck, even if the pack gives it none.
fn deck_name(deck: &DeckSheet) -> String {
    let name = one_line(&deck.title);
    if name.is_empty() { deck.id.to_string() } else { name }
}

/// An id as part of a file name on any system.
fn in_path(id: &str) -> String {
    let plain: String =
        id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    if plain.is_empty() { "deck".to_owned() } else { plain }
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Pictures of all cards of a deck, as large as fits into a box of pixels, and their size.
fn pictures(
    request: &ExportRequest<'_>,
    deck: &DeckSheet,
    fonts: &Fonts,
    most: (u32, u32),
) -> Result<(card_images::CardImages, (u32, u32)), RenderError> {
    let size = request.size_of(deck);
    let dots = card_images::fitting(size, most);
    Ok((
        card_images::CardImages::render(request.pack, deck, (size, request.style), fonts, dots)?,
        dots,
    ))
}
