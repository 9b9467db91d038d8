//! Arguments of the commands that work on a game: games, units, plays, turns, undo, export.

use super::{DiceArgs, Paper};
use crate::complete;
use adjutant_game::{Forfeit, LONGEST_WAIT};
use clap::{Args as ClapArgs, Subcommand, ValueEnum, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;

/// The game to show.
#[derive(Debug, ClapArgs)]
pub struct Of {
    /// The game's name or id
    #[arg(value_name = "GAME", add = ArgValueCompleter::new(complete::tables))]
    pub table: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The game to act in, and the acting player.
#[derive(Debug, ClapArgs)]
pub struct At {
    #[command(flatten)]
    pub of: Of,
    #[command(flatten)]
    pub who: Who,
}

/// The acting player.
#[derive(Debug, ClapArgs)]
pub struct Who {
    /// Your name (also ADJUTANT_NAME; default: your user name)
    #[arg(long = "as", value_name = "NAME")]
    pub by: Option<String>,
}

/// `adjutant game`
#[derive(Debug, Subcommand)]
pub enum GameVerb {
    /// Start a new game
    #[command(after_help = "Examples:
  adjutant game new panzer8 --name \"Hill 112\" --side Allies --side Axis
  adjutant game new chain-reaction --option shooting=yes
  adjutant game new chain-reaction --start solo      a scenario of the pack
  adjutant game new combat-leader --cards-open       show which cards are left")]
    New {
        /// The pack's id, folder or bundle
        #[arg(add = ArgValueCompleter::new(complete::packs))]
        pack: String,
        /// The game's name [default: the pack's title]
        #[arg(long)]
        name: Option<String>,
        /// A side (repeatable) [default: Blue and Red]
        #[arg(long, value_name = "NAME")]
        side: Vec<String>,
        /// Set an option of the pack
        #[arg(long, value_name = "KEY=VALUE")]
        option: Vec<String>,
        /// Show which cards are left, not only how many
        #[arg(long)]
        cards_open: bool,
        /// A scenario of the pack, with units and first tests
        #[arg(long, value_name = "ID", add = ArgValueCompleter::new(complete::starts))]
        start: Option<String>,
        /// Each side has its own decks
        #[arg(long)]
        decks_per_side: bool,
        /// A side without a player: the sheet decides what it does (repeatable)
        #[arg(long, value_name = "SIDE", conflicts_with = "start")]
        by_sheet: Vec<String>,
        #[command(flatten)]
        who: Who,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List the games, last played first
    #[command(after_help = "Examples:\n  adjutant game list\n  adjutant game list --all --json")]
    List {
        /// Include archived games
        #[arg(long)]
        all: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the state of a game: turn, rosters, pending tests, decks, players
    #[command(
        after_help = "Examples:\n  adjutant game show \"Hill 112\"\n  adjutant game show \"Hill 112\" --json"
    )]
    Show(Of),
    /// Show the log, event by event; undone events are marked
    #[command(after_help = "Examples:\n  adjutant game log \"Hill 112\" -n 10")]
    Log {
        #[command(flatten)]
        of: Of,
        /// Only the last N events
        #[arg(short = 'n', long, value_name = "N")]
        last: Option<usize>,
    },
    /// Rename a game
    #[command(
        after_help = "Examples:\n  adjutant game rename \"Hill 112\" \"Hill 112, first evening\""
    )]
    Rename {
        /// The game's name or id
        #[arg(value_name = "GAME", add = ArgValueCompleter::new(complete::tables))]
        table: String,
        /// Its new name
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Archive a game; its log stays
    #[command(
        after_help = "Examples:\n  adjutant game archive \"Hill 112\"\n  adjutant game archive \"Hill 112\" --back    restore it"
    )]
    Archive {
        /// The game's name or id
        #[arg(value_name = "GAME", add = ArgValueCompleter::new(complete::tables))]
        table: String,
        /// Restore it from the archive
        #[arg(long)]
        back: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Join a game
    #[command(
        after_help = "A player of a side is asked for consent before others undo a roll.\n\nExamples:\n  adjutant game join \"Hill 112\" --as Anna --side Allies\n  adjutant game join \"Hill 112\" --as Otto --umpire"
    )]
    Join {
        #[command(flatten)]
        at: At,
        /// Play this side
        #[arg(long, value_name = "SIDE")]
        side: Option<String>,
        /// Run the game for all sides
        #[arg(long, conflicts_with = "side")]
        umpire: bool,
        /// Watch only
        #[arg(long, conflicts_with_all = ["side", "umpire"])]
        spectator: bool,
    },
    /// Add a note to the log
    #[command(
        after_help = "Examples:\n  adjutant game note \"Hill 112\" \"Anna has the initiative\""
    )]
    Note {
        #[command(flatten)]
        at: At,
        /// The text
        text: String,
    },
    /// Check the whole store for damage; changes nothing
    #[command(
        after_help = "Examples:\n  adjutant game check\n  adjutant game check --store copy.db"
    )]
    Check {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// `adjutant unit`
#[derive(Debug, Subcommand)]
pub enum UnitVerb {
    /// Add a unit to the roster
    #[command(
        after_help = "Write values as name=value; `adjutant show PACK` lists the values of each kind of unit.

Examples:
  adjutant unit add \"Hill 112\" element Rifles hesa=6 ap=2 def=4 --side Allies --group \"1st platoon\"
  adjutant unit add \"Hill 112\" element Grenadiers hesa=5 def=4 --side Axis --count 3"
    )]
    Add {
        #[command(flatten)]
        at: At,
        /// Its kind, or a template of the pack that fills in its values
        #[arg(value_name = "KIND|TEMPLATE", add = ArgValueCompleter::new(complete::kinds))]
        kind: String,
        /// Its name
        name: String,
        /// Its values
        #[arg(value_name = "ATTRIBUTE=VALUE", add = ArgValueCompleter::new(complete::attributes))]
        has: Vec<String>,
        /// Its side [default: your side, or the only one]
        #[arg(long, add = ArgValueCompleter::new(complete::sides))]
        side: Option<String>,
        /// Its group, stack or hex
        #[arg(long)]
        group: Option<String>,
        /// A status it starts with (repeatable)
        #[arg(long, add = ArgValueCompleter::new(complete::statuses))]
        status: Vec<String>,
        /// A note
        #[arg(long)]
        notes: Option<String>,
        /// Add N units, numbered
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=100))]
        count: u16,
    },
    /// Change a unit by hand
    #[command(after_help = "Examples:
  adjutant unit set \"Hill 112\" Rifles hesa=5 --put-on suppressed
  adjutant unit set \"Hill 112\" u3 ap= --group \"\"          an empty value clears it")]
    Set {
        #[command(flatten)]
        at: At,
        /// The unit's name or id
        #[arg(add = ArgValueCompleter::new(complete::units))]
        unit: String,
        /// Values and their new amounts
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
        /// Add a status (repeatable)
        #[arg(long, value_name = "STATUS", add = ArgValueCompleter::new(complete::statuses))]
        put_on: Vec<String>,
        /// Remove a status (repeatable)
        #[arg(long, value_name = "STATUS", add = ArgValueCompleter::new(complete::statuses))]
        lift: Vec<String>,
        /// A new note
        #[arg(long)]
        notes: Option<String>,
    },
    /// Import units from a file: CSV, TOML, JSON, plain text, or the log of another game
    #[command(
        after_help = "The first line of a CSV file names the columns: kind, name, side, group, statuses, notes, count; every other column
is a value of the unit. A TOML file has a [[unit]] for each unit, with the same names. JSON is what `unit list --json` writes; a log
(.jsonl) is what `export --as jsonl` writes, and its units come as they stand at its end. Text has a unit on each line: how many, the
name, and after commas values and statuses by their labels. Either all units are added or none.

Examples:
  adjutant unit import \"Hill 112\" allies.csv --side Allies
  adjutant unit list \"Hill 112\" --json > army.json; adjutant unit import \"Hill 113\" army.json
  echo '3 Rifles, HE 4, Def 3' | adjutant unit import \"Hill 112\" - --side Allies"
    )]
    Import {
        #[command(flatten)]
        at: At,
        /// The file (.csv, .toml, .json, .jsonl or .txt); - is standard input, as text
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
        /// The side of all units in the file
        #[arg(long, add = ArgValueCompleter::new(complete::sides))]
        side: Option<String>,
    },
    /// List the units with their values
    #[command(
        after_help = "Examples:\n  adjutant unit list \"Hill 112\"\n  adjutant unit list \"Hill 112\" --all --json"
    )]
    List {
        #[command(flatten)]
        of: Of,
        /// Include units that have left
        #[arg(long)]
        all: bool,
    },
    /// Remove a unit by hand
    #[command(
        after_help = "Examples:\n  adjutant unit remove \"Hill 112\" Rifles --word \"left the table\""
    )]
    Remove {
        #[command(flatten)]
        at: At,
        /// The unit's name or id
        #[arg(add = ArgValueCompleter::new(complete::units))]
        unit: String,
        /// The reason
        #[arg(long, default_value = "removed")]
        word: String,
    },
}

/// `adjutant play`
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Assign units to the chart's roles; they fill in their values. Write the rest as name=value. In a terminal, missing inputs are asked for.
In scripts, a chart that may ask a question is only rolled if --answer is given, because a roll cannot be repeated. `role=-` leaves a
role without a unit.

Examples:
  adjutant play \"Hill 112\" fire firer=Rifles target=Grenadiers ammo=hesa close=yes
  adjutant play \"Hill 112\" rally element=u2 --dice 7                 your own dice
  adjutant play Patrol in-sight figure=Smith,Jones,u7 figure.Smith.moved=yes
  adjutant play Patrol contact --side Them                           the side of new units"
)]
pub struct PlayVerb {
    #[command(flatten)]
    pub at: At,
    /// The chart's id
    #[arg(add = ArgValueCompleter::new(complete::charts))]
    pub chart: Option<String>,
    /// Units by role, and inputs
    #[arg(value_name = "ROLE=UNIT|NAME=VALUE", add = ArgValueCompleter::new(complete::inputs))]
    pub words: Vec<String>,
    #[command(flatten)]
    pub luck: DiceArgs,
    /// The side of new units
    #[arg(long, add = ArgValueCompleter::new(complete::sides))]
    pub side: Option<String>,
    /// The side whose deck is used, if each side has its own
    #[arg(long, value_name = "SIDE", add = ArgValueCompleter::new(complete::sides))]
    pub deck_of: Option<String>,
    /// Leave out a unit that would take part with one in a role; may be repeated
    #[arg(long, value_name = "UNIT")]
    pub without: Vec<String>,
    /// Allow it if a unit is ruled out; the log shows where it was needed
    #[arg(long)]
    pub anyway: bool,
}

/// `adjutant next`
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  adjutant next Patrol                                    the first pending test
  adjutant next Patrol --id 12.2 --dice 3,5               another one, with your own dice
  adjutant next Patrol --skip --reason \"he is behind the wall\"")]
pub struct NextVerb {
    #[command(flatten)]
    pub at: At,
    /// Units by role and inputs that the test leaves open
    #[arg(value_name = "ROLE=UNIT|NAME=VALUE", add = ArgValueCompleter::new(complete::inputs))]
    pub words: Vec<String>,
    #[command(flatten)]
    pub luck: DiceArgs,
    /// The side of new units
    #[arg(long, add = ArgValueCompleter::new(complete::sides))]
    pub side: Option<String>,
    /// The side whose deck is used, if each side has its own
    #[arg(long, value_name = "SIDE", add = ArgValueCompleter::new(complete::sides))]
    pub deck_of: Option<String>,
    /// Allow it if a unit is ruled out; the log shows where it was needed
    #[arg(long)]
    pub anyway: bool,
    /// Leave out a unit that would take part with one in a role; may be repeated
    #[arg(long, value_name = "UNIT")]
    pub without: Vec<String>,
    /// The id of another pending test
    #[arg(long, add = ArgValueCompleter::new(complete::pending))]
    pub id: Option<String>,
    /// Skip the test
    #[arg(long, requires = "reason", conflicts_with_all = ["words", "dice", "cards", "answer", "seed", "own", "side", "deck_of", "anyway", "without"])]
    pub skip: bool,
    /// Why it is skipped
    #[arg(long, requires = "skip")]
    pub reason: Option<String>,
}

/// Undo, redo and withdraw.
#[derive(Debug, ClapArgs)]
pub struct BackVerb {
    #[command(flatten)]
    pub at: At,
    /// Ask the other players for consent
    #[arg(long)]
    pub ask: bool,
}

/// `adjutant seal`
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "For players who trust neither each other nor the server. Each player makes a chain of secrets and publishes its end. Once two
players have sealed, every roll is called first and then made from a link of each chain. No player can foresee, choose or repeat a
roll, and the log proves it. The secrets stay on this device, in `sealed` in your state folder. Sealing again starts a new chain: do so
at the end of an evening, since only the next link confirms what you did last. `--rules` shows who may take back what.

Examples:
  adjutant seal \"Hill 112\" --as Anna
  adjutant play \"Hill 112\" fire firer=Rifles target=Grenadiers
                                          calls the roll and reveals Anna's link
  adjutant reveal \"Hill 112\" --as Bert   reveals Bert's link and makes the roll"
)]
pub struct SealVerb {
    #[command(flatten)]
    pub at: At,
    /// How many rolls the chain lasts
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=adjutant_game::LONGEST_CHAIN as i64))]
    pub length: u32,
    /// Continue from this log although it lacks links that this device has revealed
    #[arg(long)]
    pub accept_cut: bool,
    /// What happens to a roll while a player stays silent: `stands` (the game waits), or a number of
    /// minutes after which it can be dropped. The first player to seal chooses
    #[arg(long, value_name = "stands|MINUTES", value_parser = silent, default_value = "", hide_default_value = true)]
    pub silent: Silent,
    /// Only show who may take back what
    #[arg(long, conflicts_with_all = ["length", "accept_cut"])]
    pub rules: bool,
}

/// What a sealed group agrees on for silent players, if anything.
#[derive(Clone, Copy, Debug)]
pub struct Silent(pub Option<Forfeit>);

fn silent(text: &str) -> Result<Silent, String> {
    match text {
        "" => Ok(Silent(None)),
        "stands" => Ok(Silent(Some(Forfeit::Stands))),
        _ => match text.parse() {
            Ok(minutes @ 1..=LONGEST_WAIT) => Ok(Silent(Some(Forfeit::Lost { minutes }))),
            _ => Err(format!("`stands`, or 1 to {LONGEST_WAIT} minutes")),
        },
    }
}

/// `adjutant reveal`
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "The last link makes the roll at once. The caller answers the chart's questions.

Examples:
  adjutant reveal \"Hill 112\"
  adjutant import hill.jsonl && adjutant reveal Hill
                               in a game by e-mail; then export it and send it back"
)]
pub struct RevealVerb {
    #[command(flatten)]
    pub at: At,
    /// The answer to a question during the roll
    #[arg(long, value_name = "KEY=VALUE")]
    pub answer: Vec<String>,
}

/// `adjutant release`
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "If fewer than two members are left, rolls are no longer sealed. A member who leaves needs another member's consent.

Examples:
  adjutant release \"Hill 112\" Bert --ask"
)]
pub struct ReleaseVerb {
    #[command(flatten)]
    pub at: At,
    /// The player to remove
    pub name: String,
    /// Ask the other players for consent
    #[arg(long)]
    pub ask: bool,
}

/// An action on a deck.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Cards {
    /// Return all cards
    Reshuffle,
    /// Take cards out
    TakeOut,
    /// Put cards back
    PutBack,
}

/// `adjutant deck`
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  adjutant deck Night                       show the cards left
  adjutant deck Night take-out 3,4          cards that have left the real deck
  adjutant deck Night put-back 3
  adjutant deck Night reshuffle")]
pub struct DeckVerb {
    #[command(flatten)]
    pub at: At,
    /// What to do [default: show the cards left]
    pub act: Option<Cards>,
    /// Which cards
    #[arg(value_name = "3,4", value_delimiter = ',')]
    pub cards: Vec<String>,
    /// The deck, if there are several
    #[arg(long)]
    pub deck: Option<String>,
    /// The side, if each has its own deck [default: your side]
    #[arg(long, add = ArgValueCompleter::new(complete::sides))]
    pub side: Option<String>,
}

/// Export formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// The complete log; can be imported again
    Jsonl,
    /// One line per roll
    Csv,
    /// A battle report in Markdown: turn by turn, with each side's luck
    Md,
    /// The battle report as one HTML file
    Html,
    /// The battle report as a PDF
    Pdf,
    /// A record sheet of all units as a PDF: boxes to tick, room to write
    Record,
    /// A card for each unit, nine to a page, as a PDF
    Roster,
}

/// `adjutant export`
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  adjutant export \"Hill 112\" --as jsonl -o hill.jsonl      the log: keep it, send it, import it
  adjutant export \"Hill 112\" --as jsonl --with-pack -o hill.jsonl
                                                         the log and the pack it is played by
  adjutant export \"Hill 112\" --as csv                      every roll, for a spreadsheet
  adjutant export \"Hill 112\" --as html -o hill.html        the battle report
  adjutant export \"Hill 112\" --as pdf -o hill.pdf          the report on paper
  adjutant export \"Hill 112\" --as record -o units.pdf      a record sheet of all units")]
pub struct ExportVerb {
    /// The game's name or id
    #[arg(value_name = "GAME", add = ArgValueCompleter::new(complete::tables))]
    pub table: String,
    /// The format
    #[arg(long = "as", value_name = "FORMAT")]
    pub form: Form,
    /// The file to write; - is standard output [default: -]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// With --as jsonl: put the pack into the first line, with your own tables and decks for it, so
    /// that the log can be verified and imported where the pack is not
    #[arg(long)]
    pub with_pack: bool,
    /// The paper size of a PDF [default: A4]
    #[arg(long, value_enum)]
    pub paper: Option<Paper>,
    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// A log, in a file or in the store.
#[derive(Debug, ClapArgs)]
pub struct LogArg {
    /// A file written by `export --as jsonl`, or a game's name or id
    #[arg(value_name = "FILE|GAME", value_hint = ValueHint::AnyPath, add = ArgValueCompleter::new(complete::tables))]
    pub log: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
