//! What can be typed after `adjutant print`.

use crate::complete;
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;

/// Prints cards and sheets, and takes them to other programs
#[derive(Debug, ClapArgs)]
#[command(after_help = "The ending of the file says what is written: .pdf, .svg or .png, and for sheets .html and .md.

Examples:
  adjutant print combat-leader action -o deck.pdf               sixty cards, nine to a page, with backs
  adjutant print combat-leader action -o deck.pdf --paper letter --backs gutterfold
  adjutant print combat-leader action -o card.png --cards 20 --dpi 300
  adjutant print events.csv -o events.pdf                       a deck of your own from a spreadsheet
  adjutant print panzer8 --sheet -o panzer8.pdf                 the reference sheet
  adjutant print panzer8 fire --sheet --odds -o fire.pdf        one chart, with its chances
  adjutant print combat-leader action --for tabletop-simulator -o action-deck")]
pub struct Print {
    /// The game's id, a pack's folder, or a CSV file that is a deck
    #[arg(add = ArgValueCompleter::new(complete::packs))]
    pub pack: String,
    /// The deck; with --sheet the charts, all without any; with --for decks and charts, all of a kind of which none is named
    #[arg(value_name = "DECK|CHART", add = ArgValueCompleter::new(complete::charts))]
    pub what: Vec<String>,
    /// The file to write, or the folder for a program
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub output: PathBuf,
    /// The reference sheet instead of cards
    #[arg(long)]
    pub sheet: bool,
    /// With --sheet: chance tables beside the charts
    #[arg(long, requires = "sheet")]
    pub odds: bool,
    /// For another program
    #[arg(long = "for", value_name = "PROGRAM", conflicts_with = "sheet")]
    pub program: Option<Program>,
    /// With --for tabletop-simulator or foundry: the address under which the pictures will lie
    #[arg(long, value_name = "ADDRESS", requires = "program", value_hint = ValueHint::Url)]
    pub url: Option<String>,
    /// The paper; without it A4
    #[arg(long, value_enum)]
    pub paper: Option<Paper>,
    /// The size of a card: poker (63×88), mini (44×63), tarot (70×120) or WxHmm; without it the deck's own, mostly poker
    #[arg(long, value_name = "SIZE")]
    pub size: Option<String>,
    /// Where the backs go; without it duplex in a PDF, and a picture of its own beside several pictures
    #[arg(long, value_enum)]
    pub backs: Option<Backs>,
    /// How far the ground of a card runs over its edge, in millimetres; a picture grows by that on each side
    #[arg(long, value_name = "MM", allow_negative_numbers = true)]
    pub bleed: Option<f64>,
    /// Marks in the margin to cut along; without it cut
    #[arg(long, value_enum)]
    pub marks: Option<Marks>,
    /// Little ink: outlines instead of tints
    #[arg(long)]
    pub low_ink: bool,
    /// Large print
    #[arg(long)]
    pub large: bool,
    /// Only these cards, by number: 1,5,20-24
    #[arg(long, value_name = "NUMBERS")]
    pub cards: Option<String>,
    /// Dots to the inch of a PNG; without it 300
    #[arg(long, value_name = "DOTS")]
    pub dpi: Option<u32>,
    /// Overwrite what is there
    #[arg(long)]
    pub force: bool,
}

/// Paper that printers take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Paper {
    /// 210 × 297 mm
    A4,
    /// 8½ × 11 inches
    Letter,
}

/// Where the backs of cards go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backs {
    /// On the other side of each page, mirrored
    Duplex,
    /// Beside the fronts, to fold over
    Gutterfold,
    /// On pages of their own, after all fronts
    Separate,
    /// Nowhere
    None,
}

/// What shows where to cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Marks {
    /// Short lines in the margin
    Cut,
    /// Nothing
    None,
}

/// Programs that cards and charts can be taken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Program {
    /// A picture of all cards and a saved object
    TabletopSimulator,
    /// A module with the deck and the charts
    Vassal,
    /// Cards and roll tables
    Foundry,
    /// Cards and charts as plain tables
    Csv,
    /// Cards and charts as data
    Json,
}
