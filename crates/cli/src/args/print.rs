//! Arguments of `adjutant print`.

use crate::complete;
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;

/// Print cards and sheets, or export them to other programs
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "The file name extension selects the format: .pdf, .svg or .png, and for sheets .html and .md.

Examples:
  adjutant print combat-leader action -o deck.pdf           sixty cards, nine to a page, with backs
  adjutant print combat-leader action -o deck.pdf --paper letter --backs gutterfold
  adjutant print combat-leader action -o card.png --cards 20 --dpi 300
  adjutant print events.csv -o events.pdf                   a deck of your own from a spreadsheet
  adjutant print panzer8 --sheet -o panzer8.pdf             the reference sheet
  adjutant print panzer8 fire --sheet --odds -o fire.pdf    one chart, with its chances
  adjutant print panzer8 --sheet --pages 4 -o panzer8.pdf   larger letters, on four pages
  adjutant print panzer8 --sheet -o - | lp                  to a printer, as a PDF
  adjutant print combat-leader action --for tabletop-simulator -o action-deck
  adjutant print combat-leader action --for print-service -o to-print"
)]
pub struct Print {
    /// The pack's id, folder or bundle, or a CSV file with a deck
    #[arg(add = ArgValueCompleter::new(complete::packs))]
    pub pack: String,
    /// The deck; with --sheet, the charts; with --for, decks and charts [default: all]
    #[arg(value_name = "DECK|CHART", add = ArgValueCompleter::new(complete::charts))]
    pub what: Vec<String>,
    /// The file to write, or - for standard output; with --for, the folder
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub output: PathBuf,
    /// The format [default: by the end of the file's name; pdf on standard output]
    #[arg(long = "as", value_name = "FORMAT", conflicts_with = "program")]
    pub form: Option<PrintForm>,
    /// Print the reference sheet instead of cards
    #[arg(long)]
    pub sheet: bool,
    /// With --sheet: add odds tables to the charts
    #[arg(long, requires = "sheet")]
    pub odds: bool,
    /// With --odds: time limit for the odds, in seconds [default: 60]
    #[arg(long, value_name = "SECONDS", requires = "odds", value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    pub max_time: Option<u64>,
    /// Export for another program
    #[arg(long = "for", value_name = "PROGRAM", conflicts_with = "sheet")]
    pub program: Option<Program>,
    /// With --for tabletop-simulator or foundry: the URL where the pictures will be
    #[arg(long, value_name = "URL", requires = "program", conflicts_with = "sheet", value_hint = ValueHint::Url)]
    pub url: Option<String>,
    /// The paper size [default: A4]
    #[arg(long, value_enum)]
    pub paper: Option<Paper>,
    /// The card size: poker (63×88), mini (44×63), tarot (70×120) or WxHmm [default: the deck's,
    /// usually poker]
    #[arg(long, value_name = "SIZE")]
    pub size: Option<String>,
    /// Where to print the backs [default: duplex in a PDF, a separate picture otherwise]
    #[arg(long, value_enum)]
    pub backs: Option<Backs>,
    /// Bleed in millimetres; a picture grows by this on each side
    #[arg(long, value_name = "MM", allow_negative_numbers = true)]
    pub bleed: Option<f64>,
    /// Crop marks [default: cut]
    #[arg(long, value_enum)]
    pub marks: Option<Marks>,
    /// Save ink: outlines instead of tints, in black only
    #[arg(long)]
    pub low_ink: bool,
    /// Large print: letters of 12 points, and cards of 1.4 times their size unless --size says
    /// otherwise
    #[arg(long)]
    pub large: bool,
    /// With cards as a PDF: a page at the end that explains what is on them
    #[arg(long)]
    pub key: bool,
    /// With --sheet: on at most this many pages, with letters as large as fit (8 points or more)
    /// [default: as few pages as hold the sheet]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=99))]
    pub pages: Option<u8>,
    /// With --sheet: this many columns [default: what suits the sheet]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=6))]
    pub columns: Option<u8>,
    /// With --sheet: the direction of the paper [default: what suits the sheet]
    #[arg(long, value_enum)]
    pub orientation: Option<Orientation>,
    /// Only these cards, by number: 1,5,20-24
    #[arg(long, value_name = "NUMBERS")]
    pub cards: Option<String>,
    /// Resolution of a PNG in dots per inch [default: 300]
    #[arg(long, value_name = "DOTS")]
    pub dpi: Option<u32>,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
}

/// What cards and sheets are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PrintForm {
    Pdf,
    Svg,
    Png,
    /// Sheets only
    Html,
    /// Sheets only
    Md,
}

/// Paper sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Paper {
    /// 210 × 297 mm
    A4,
    /// 8½ × 11 inches
    Letter,
}

/// The direction of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Orientation {
    /// Upright
    Portrait,
    /// On its side
    Landscape,
}

/// Where the backs of the cards are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backs {
    /// On the back of each page, mirrored
    Duplex,
    /// Beside the fronts, to fold
    Gutterfold,
    /// On separate pages after all fronts
    Separate,
    /// Not printed
    None,
}

/// Crop marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Marks {
    /// Short lines in the margin
    Cut,
    /// Nothing
    None,
}

/// Programs to export to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Program {
    /// Pictures of the cards and a saved object
    TabletopSimulator,
    /// A module with the deck and the charts
    Vassal,
    /// A module with decks and roll tables
    Foundry,
    /// Cards and charts as plain tables
    Csv,
    /// The same for Excel: no text becomes a date
    Excel,
    /// Cards and charts as data
    Json,
    /// A picture of each card with bleed, 300 dots per inch, and a contact sheet
    PrintService,
}
