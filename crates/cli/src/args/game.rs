//! What can be typed for a game in progress: tables, units, plays, the turn, taking back, paper.

use super::{DiceArgs, Paper};
use crate::complete;
use clap::{Args as ClapArgs, Subcommand, ValueEnum, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;

/// A table that is looked at.
#[derive(Debug, ClapArgs)]
pub struct Of {
    /// The table's name or id
    #[arg(add = ArgValueCompleter::new(complete::tables))]
    pub table: String,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// A table at which somebody acts.
#[derive(Debug, ClapArgs)]
pub struct At {
    #[command(flatten)]
    pub of: Of,
    #[command(flatten)]
    pub who: Who,
}

/// Who acts.
#[derive(Debug, ClapArgs)]
pub struct Who {
    /// Who acts (also ADJUTANT_NAME; else your name on this machine)
    #[arg(long = "as", value_name = "NAME")]
    pub by: Option<String>,
}

/// Tables.
#[derive(Debug, Subcommand)]
pub enum TableVerb {
    /// Begins a table
    #[command(after_help = "Examples:
  adjutant table new panzer8 --name \"Hill 112\" --side Allies --side Axis
  adjutant table new chain-reaction --option shooting=yes
  adjutant table new chain-reaction --start solo     a way to begin that the pack offers
  adjutant table new combat-leader --cards-open      everybody may see which cards are left")]
    New {
        /// The game's id
        #[arg(add = ArgValueCompleter::new(complete::packs))]
        pack: String,
        /// The table's name; without it the game's title
        #[arg(long)]
        name: Option<String>,
        /// A side (once for each); without any, Blue and Red
        #[arg(long, value_name = "NAME")]
        side: Vec<String>,
        /// Sets an option of the pack
        #[arg(long, value_name = "KEY=VALUE")]
        option: Vec<String>,
        /// Everybody may see which cards are left, not only how many
        #[arg(long)]
        cards_open: bool,
        /// A way to begin that the pack offers, with units and what is due at once
        #[arg(long, value_name = "ID", add = ArgValueCompleter::new(complete::starts))]
        start: Option<String>,
        /// Each side draws from decks of its own
        #[arg(long)]
        decks_per_side: bool,
        /// A side that nobody plays: the sheet says what it does (may be given several times)
        #[arg(long, value_name = "SIDE", conflicts_with = "start")]
        by_sheet: Vec<String>,
        #[command(flatten)]
        who: Who,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Lists the tables, those played last first
    List {
        /// Also those that are put away
        #[arg(long)]
        all: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Shows where a game stands: turn, rosters, what is due, decks, who is here
    Show(Of),
    /// Tells what happened, event by event; what was undone is marked
    Log {
        #[command(flatten)]
        of: Of,
        /// Only the last so many events
        #[arg(short = 'n', long, value_name = "N")]
        last: Option<usize>,
    },
    /// Gives a table another name
    Rename {
        /// The table's name or id
        #[arg(add = ArgValueCompleter::new(complete::tables))]
        table: String,
        /// Its new name
        name: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Puts a table away; its log stays
    Archive {
        /// The table's name or id
        #[arg(add = ArgValueCompleter::new(complete::tables))]
        table: String,
        /// Takes it out again
        #[arg(long)]
        back: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Takes a seat at a table
    #[command(
        after_help = "Who plays a side is asked for consent before the others undo a throw.\n\nExamples:\n  adjutant table join \"Hill 112\" --as Anna --side Allies\n  adjutant table join \"Hill 112\" --as Otto --umpire"
    )]
    Join {
        #[command(flatten)]
        at: At,
        /// Plays this side
        #[arg(long, value_name = "SIDE")]
        side: Option<String>,
        /// Runs the game for all
        #[arg(long, conflicts_with = "side")]
        umpire: bool,
        /// Looks on
        #[arg(long, conflicts_with_all = ["side", "umpire"])]
        spectator: bool,
    },
    /// Writes a remark into the log
    Note {
        #[command(flatten)]
        at: At,
        /// What to write
        text: String,
    },
    /// Reads the whole store and says what is not sound; changes nothing
    Check {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

/// Units.
#[derive(Debug, Subcommand)]
pub enum UnitVerb {
    /// Puts a unit on the roster
    #[command(after_help = "Attributes are written as name=value; `adjutant show PACK` lists those of each kind.

Examples:
  adjutant unit add \"Hill 112\" element Rifles hesa=6 ap=2 def=4 --side Allies --group \"1st platoon\"
  adjutant unit add \"Hill 112\" element Grenadiers hesa=5 def=4 --side Axis --count 3")]
    Add {
        #[command(flatten)]
        at: At,
        /// Its kind, or a template of the pack, which fills in what you do not say
        #[arg(value_name = "KIND|TEMPLATE", add = ArgValueCompleter::new(complete::kinds))]
        kind: String,
        /// Its name
        name: String,
        /// Its attributes
        #[arg(value_name = "ATTRIBUTE=VALUE", add = ArgValueCompleter::new(complete::attributes))]
        has: Vec<String>,
        /// Its side; without it the side you play, or the only one
        #[arg(long, add = ArgValueCompleter::new(complete::sides))]
        side: Option<String>,
        /// Its group, stack or hex
        #[arg(long)]
        group: Option<String>,
        /// A status it begins with (may be given several times)
        #[arg(long, add = ArgValueCompleter::new(complete::statuses))]
        status: Vec<String>,
        /// A remark
        #[arg(long)]
        notes: Option<String>,
        /// So many of them, numbered
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=100))]
        count: u16,
    },
    /// Changes a unit by hand
    #[command(after_help = "Examples:
  adjutant unit set \"Hill 112\" Rifles hesa=5 --put-on suppressed
  adjutant unit set \"Hill 112\" u3 ap= --group \"\"          an empty value makes one unknown; an empty group stands alone")]
    Set {
        #[command(flatten)]
        at: At,
        /// The unit's name or id
        #[arg(add = ArgValueCompleter::new(complete::units))]
        unit: String,
        /// Attributes and their new values
        #[arg(value_name = "ATTRIBUTE=VALUE", add = ArgValueCompleter::new(complete::attributes))]
        has: Vec<String>,
        /// A new name
        #[arg(long)]
        name: Option<String>,
        /// Another side
        #[arg(long, add = ArgValueCompleter::new(complete::sides))]
        side: Option<String>,
        /// Another group, stack or hex
        #[arg(long)]
        group: Option<String>,
        /// A status put on (may be given several times)
        #[arg(long, value_name = "STATUS", add = ArgValueCompleter::new(complete::statuses))]
        put_on: Vec<String>,
        /// A status lifted (may be given several times)
        #[arg(long, value_name = "STATUS", add = ArgValueCompleter::new(complete::statuses))]
        lift: Vec<String>,
        /// A new remark
        #[arg(long)]
        notes: Option<String>,
    },
    /// Puts units on the roster that are written in a CSV or TOML file
    #[command(
        after_help = "A CSV has a first line with the names of its columns: kind, name, side, group, statuses, notes, count; every other
column is an attribute. A TOML has a [[unit]] for each unit, with the same names. All units come in one event, or none does.

Examples:
  adjutant unit import \"Hill 112\" allies.csv --side Allies"
    )]
    Import {
        #[command(flatten)]
        at: At,
        /// The file (.csv or .toml)
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
        /// All units of the file are of this side
        #[arg(long, add = ArgValueCompleter::new(complete::sides))]
        side: Option<String>,
    },
    /// Lists the units with their attributes
    List {
        #[command(flatten)]
        of: Of,
        /// Also those that have left
        #[arg(long)]
        all: bool,
    },
    /// Takes a unit off by hand
    Remove {
        #[command(flatten)]
        at: At,
        /// The unit's name or id
        #[arg(add = ArgValueCompleter::new(complete::units))]
        unit: String,
        /// The word for it
        #[arg(long, default_value = "removed")]
        word: String,
    },
}

/// Throws a chart at a table.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Units take the chart's roles and fill in what they know; the situation is given as name=value. In a terminal, what is missing is asked
for. Elsewhere, a chart that may put a question on the way is not thrown with our dice until the question is answered with --answer: what is
thrown stays thrown. `role=-` leaves a role to nobody on the roster.

Examples:
  adjutant play \"Hill 112\" fire firer=Rifles target=Grenadiers ammo=hesa close=yes
  adjutant play \"Hill 112\" rally element=u2 --dice 7                 your own dice
  adjutant play Patrol in-sight figure=Smith,Jones,u7 figure.Smith.moved=yes
  adjutant play Patrol contact --side Them                           the side of units that appear"
)]
pub struct PlayVerb {
    #[command(flatten)]
    pub at: At,
    /// The chart's id
    #[arg(add = ArgValueCompleter::new(complete::charts))]
    pub chart: Option<String>,
    /// Units by role and what is to be said of the situation
    #[arg(value_name = "ROLE=UNIT|NAME=VALUE", add = ArgValueCompleter::new(complete::inputs))]
    pub words: Vec<String>,
    #[command(flatten)]
    pub luck: DiceArgs,
    /// The side of units that appear
    #[arg(long, add = ArgValueCompleter::new(complete::sides))]
    pub side: Option<String>,
    /// The side whose decks are drawn from, where each has its own
    #[arg(long, value_name = "SIDE", add = ArgValueCompleter::new(complete::sides))]
    pub deck_of: Option<String>,
    /// Plays it although a status of a unit rules it out; the log shows that
    #[arg(long)]
    pub anyway: bool,
}

/// Throws what is due.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  adjutant next Patrol                                    the first test that is due
  adjutant next Patrol --id 12.2 --dice 3,5               another one, with your own dice
  adjutant next Patrol --skip --reason \"he is behind the wall\"")]
pub struct NextVerb {
    #[command(flatten)]
    pub at: At,
    /// Units by role and what is to be said of the situation, as far as the test leaves it open
    #[arg(value_name = "ROLE=UNIT|NAME=VALUE", add = ArgValueCompleter::new(complete::inputs))]
    pub words: Vec<String>,
    #[command(flatten)]
    pub luck: DiceArgs,
    /// The side of units that appear
    #[arg(long, add = ArgValueCompleter::new(complete::sides))]
    pub side: Option<String>,
    /// The side whose decks are drawn from, where each has its own
    #[arg(long, value_name = "SIDE", add = ArgValueCompleter::new(complete::sides))]
    pub deck_of: Option<String>,
    /// Plays it although a status of a unit rules it out; the log shows that
    #[arg(long)]
    pub anyway: bool,
    /// Another test than the first: its id
    #[arg(long, add = ArgValueCompleter::new(complete::pending))]
    pub id: Option<String>,
    /// Strikes the test out instead
    #[arg(long, requires = "reason")]
    pub skip: bool,
    /// Why it is struck out
    #[arg(long, requires = "skip")]
    pub reason: Option<String>,
}

/// Taking back and bringing back.
#[derive(Debug, ClapArgs)]
pub struct BackVerb {
    #[command(flatten)]
    pub at: At,
    /// Asks the others for their consent
    #[arg(long)]
    pub ask: bool,
}

/// Joins those who throw sealed.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "For players who trust neither each other nor the server: each makes a chain of secrets and publishes its end. When two have sealed,
every throw is called first and then made of a link of each chain, so that nobody can foresee, choose or drop one; the log proves it.
The secrets stay on this device, in the folder `sealed` of your data folder. Sealing again begins a new chain.

Examples:
  adjutant seal \"Hill 112\" --as Anna
  adjutant play \"Hill 112\" fire firer=Rifles target=Grenadiers     calls the throw and shows Anna's link
  adjutant reveal \"Hill 112\" --as Bert                             shows Bert's, and the throw is made"
)]
pub struct SealVerb {
    #[command(flatten)]
    pub at: At,
    /// How many throws the chain serves
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=adjutant_game::LONGEST_CHAIN as i64))]
    pub length: u32,
    /// Go on from this log although it lacks links that this device has shown
    #[arg(long)]
    pub accept_cut: bool,
}

/// Shows a link.
#[derive(Debug, ClapArgs)]
#[command(after_help = "When all links are there, the throw is made at once. Who called answers what the chart asks on the way.

Examples:
  adjutant reveal \"Hill 112\"
  adjutant import hill.jsonl && adjutant reveal Hill && adjutant export Hill --as jsonl -o hill.jsonl --force     a game by e-mail")]
pub struct RevealVerb {
    #[command(flatten)]
    pub at: At,
    /// An answer to a question asked on the way
    #[arg(long, value_name = "KEY=VALUE")]
    pub answer: Vec<String>,
}

/// Lets somebody out of the circle.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Where fewer than two are left, throws are free again. Nobody throws unsealed without somebody else's consent.

Examples:
  adjutant release \"Hill 112\" Bert --ask")]
pub struct ReleaseVerb {
    #[command(flatten)]
    pub at: At,
    /// Who is let out
    pub name: String,
    /// Asks the others for their consent
    #[arg(long)]
    pub ask: bool,
}

/// What is done with a deck.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Cards {
    /// All cards come back
    Reshuffle,
    /// Cards are taken out
    TakeOut,
    /// Cards are put back
    PutBack,
}

/// Decks.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  adjutant deck Night                       what is left
  adjutant deck Night take-out 3,4          cards that are gone from the real deck
  adjutant deck Night put-back 3
  adjutant deck Night reshuffle")]
pub struct DeckVerb {
    #[command(flatten)]
    pub at: At,
    /// What to do; without it, what is left is shown
    pub act: Option<Cards>,
    /// Which cards
    #[arg(value_name = "3,4", value_delimiter = ',')]
    pub cards: Vec<String>,
    /// Which deck, where there are several
    #[arg(long)]
    pub deck: Option<String>,
    /// Whose, where each side has its own; without it the side you play
    #[arg(long, add = ArgValueCompleter::new(complete::sides))]
    pub side: Option<String>,
}

/// The ways a log leaves the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// The log itself, complete; can be imported again
    Jsonl,
    /// One line for each throw
    Csv,
    /// A battle report in Markdown: turn by turn, with each side's luck
    Md,
    /// The same as one HTML file
    Html,
    /// The same as a PDF
    Pdf,
    /// A record sheet of all units as they stand, as a PDF: boxes to tick, room to write
    Record,
    /// A card for each unit as it stands, nine to a page, as a PDF
    Roster,
}

/// Writes a log.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  adjutant export \"Hill 112\" --as jsonl -o hill.jsonl      the log itself: keep it, send it, import it
  adjutant export \"Hill 112\" --as csv                      every throw, for a spreadsheet
  adjutant export \"Hill 112\" --as html -o hill.html        the battle report
  adjutant export \"Hill 112\" --as pdf -o hill.pdf          the same on paper
  adjutant export \"Hill 112\" --as record -o units.pdf      a record sheet of all units")]
pub struct ExportVerb {
    /// The table's name or id
    #[arg(add = ArgValueCompleter::new(complete::tables))]
    pub table: String,
    /// The form
    #[arg(long = "as", value_name = "FORM")]
    pub form: Form,
    /// The file to write; without it standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// The paper of a PDF; without it A4
    #[arg(long, value_enum)]
    pub paper: Option<Paper>,
    /// Overwrites a file that is there
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// A log, in a file or in the store.
#[derive(Debug, ClapArgs)]
pub struct LogArg {
    /// A file written by `export --as jsonl`, or a table's name or id
    #[arg(value_name = "FILE|TABLE", value_hint = ValueHint::AnyPath, add = ArgValueCompleter::new(complete::tables))]
    pub log: String,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}
