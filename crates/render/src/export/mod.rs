//! Cards and charts for other programs: Tabletop Simulator, VASSAL, Foundry VTT, spreadsheets. Each program has a room here
//! that writes what that program reads, from the same drawings and the same words as paper. What comes out is a exported of
//! files, as values: whoever has a disk puts them on it.

mod card_images;
mod chart_page;
mod csv;
mod foundry;
mod tabletop;
mod text_tables;
mod vassal;
mod zip;

pub use chart_page::page;
pub use csv::csv;
pub use foundry::foundry;
pub use tabletop::tabletop_simulator;
pub use vassal::vassal;

use crate::RenderError;
use crate::card::CardStyle;
use crate::draw::Size;
use crate::paper::Fonts;
use adjutant_pack::{Card, Chart, DeckSheet, Pack};

/// What is taken to another program.
pub struct ExportRequest<'p> {
    /// The pack.
    pub pack: &'p Pack,
    /// Its decks that go out.
    pub decks: Vec<&'p DeckSheet>,
    /// Its charts that go out.
    pub charts: Vec<&'p Chart>,
    /// The size of a card, if not its deck's own: pictures have its proportions.
    pub size: Option<Size>,
    /// How cards style.
    pub style: CardStyle,
}

impl<'p> ExportRequest<'p> {
    /// Everything a pack has.
    pub fn all(pack: &'p Pack) -> ExportRequest<'p> {
        ExportRequest {
            pack,
            decks: pack.decks().iter().collect(),
            charts: pack.charts().iter().collect(),
            size: None,
            style: CardStyle::default(),
        }
    }

    /// The size of a deck's cards.
    fn size_of(&self, deck: &DeckSheet) -> Size {
        self.size.unwrap_or(Size { width: deck.layout.card.0, height: deck.layout.card.1 })
    }
}

/// Files for another program, and what to say about them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ExportedFiles {
    /// Each file: its path with slashes, its bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// What was made, and what had to be left out, a sentence each.
    pub summary: Vec<String>,
    /// What to do with it in that program, a sentence each.
    pub instructions: Vec<String>,
}

/// How the note in a folder of ours begins: by it a folder is known that may be written anew.
pub const NOTE: &str = "Written by adjutant";
/// The name of that note.
pub const NOTE_NAME: &str = "README.txt";

impl ExportedFiles {
    /// With one more file.
    pub fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.push((path.into(), bytes.into()));
    }

    /// With one more sentence of what was made.
    pub fn add_summary(&mut self, sentence: impl Into<String>) {
        self.summary.push(sentence.into());
    }

    /// With what to do with it, and a note in the folder that says all of it.
    pub fn with_note(mut self, pack: &Pack, program: &str, instructions: &[&str]) -> ExportedFiles {
        self.instructions = instructions.iter().map(|&line| line.to_owned()).collect();
        let mut note = format!("{NOTE}: {}, for {program}.\n", one_line(pack.title()));
        for lines in [&self.summary, &self.instructions] {
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

/// Where a program will find the pictures, by their names.
pub type Address<'a> = &'a dyn Fn(&str) -> String;

/// A text on one line and without characters that no file of another program may hold: names are shown on one line everywhere.
fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The name of a card, even where the pack gives it none.
fn card_name(card: &Card, number: u32) -> String {
    let name = one_line(&card.title);
    if name.is_empty() { format!("Card {number}") } else { name }
}

/// The name of a deck, even where the pack gives it none.
fn deck_name(deck: &DeckSheet) -> String {
    let name = one_line(&deck.title);
    if name.is_empty() { deck.id.to_string() } else { name }
}

/// An id as part of a file's name on any system.
fn in_path(id: &str) -> String {
    let plain: String = id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    if plain.is_empty() { "deck".to_owned() } else { plain }
}

/// So many of something.
fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A picture of each card of a deck, as large as fits into a box of so many dots; and how large that is.
fn pictures(
    request: &ExportRequest<'_>,
    deck: &DeckSheet,
    fonts: &Fonts,
    most: (u32, u32),
) -> Result<(card_images::CardImages, (u32, u32)), RenderError> {
    let size = request.size_of(deck);
    let dots = card_images::fitting(size, most);
    Ok((card_images::CardImages::render(request.pack, deck, (size, request.style), fonts, dots)?, dots))
}
