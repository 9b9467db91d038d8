//! The command line: global options and subcommands.

mod chart;
mod game;
mod pack;
mod print;

use crate::complete;
pub use chart::*;
use clap::{Parser, Subcommand, ValueHint};
use clap_complete::engine::ArgValueCompleter;
pub use game::*;
pub use pack::*;
pub use print::*;
use std::path::PathBuf;

/// The heading of the options that every verb accepts.
const GLOBAL: &str = "Global options";

/// Runs the quick-reference sheets of tabletop wargames.
#[derive(Debug, Parser)]
#[command(
    name = "adjutant",
    version,
    about = "Run the quick-reference sheets of tabletop wargames",
    long_about = "Adjutant runs the quick-reference sheet of a tabletop wargame. The sheet is a data file (a pack). Adjutant shows the exact odds, rolls the dice or takes yours, \
                  names every modifier that applied, reads the result and says what follows.",
    after_help = "Examples:
  adjutant                                          open the page in the browser
  adjutant packs                                    list the games
  adjutant charts panzer8                           list the charts of a game
  adjutant show panzer8 fire                        show a chart
  adjutant roll panzer8 fire                        roll it; asks for missing inputs
  adjutant roll combat-leader accuracy mod_fp=3 clear=yes --cards 23
  adjutant odds panzer8 fire ammo=hesa firer.hesa=6 target.def=4     the odds before the roll
  adjutant roll 4d6kh3+2                            roll dice without a pack
  adjutant fight asl-starter-kit                    list fights, solved exactly
  adjutant game new panzer8 --name \"Hill 112\"     start a game with units and a log
  adjutant play \"Hill 112\" fire                   play a chart with its units

Exit codes: 0 success, 1 a pack, its cases, a log or a store has errors, 2 invalid arguments.",
    disable_help_subcommand = true,
    arg_required_else_help = true
)]
pub struct Args {
    /// A folder with more packs, or a bundle (repeatable; also ADJUTANT_PACKS)
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub packs: Vec<PathBuf>,
    /// A file with your own look-up tables for the pack, or with your own deck (CSV)
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub tables: Vec<PathBuf>,
    /// Where games are stored: a file, or postgres://… (also ADJUTANT_STORE; default: your data
    /// folder)
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "PLACE", value_hint = ValueHint::FilePath)]
    pub store: Option<String>,
    /// When to use colour: auto, always or never (respects NO_COLOR)
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "WHEN", value_parser = color)]
    pub color: Option<Color>,
    #[command(subcommand)]
    pub verb: Verb,
}

#[derive(Clone, Copy, Debug, Default)]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// Sets the choice for all further output.
    pub fn write_global(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

fn color(text: &str) -> Result<Color, String> {
    match text {
        "auto" => Ok(Color::Auto),
        "always" => Ok(Color::Always),
        "never" => Ok(Color::Never),
        _ => Err("write auto, always or never".into()),
    }
}

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List the games and where each comes from
    #[command(after_help = "Examples:\n  adjutant packs\n  adjutant packs --packs my-games --json")]
    Packs {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List the charts and fights of a game
    #[command(after_help = "Examples:\n  adjutant charts chain-reaction")]
    Charts {
        /// The pack's id, folder or bundle
        #[arg(add = ArgValueCompleter::new(complete::packs))]
        pack: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a sheet, or one chart or fight of it
    #[command(
        after_help = "Examples:\n  adjutant show panzer8\n  adjutant show panzer8 fire\n  adjutant show asl-starter-kit odds    the printed grid; marks cells that differ from the rule\n  adjutant show panzer8 fire-fight      a fight: who attacks with which chart, and when it ends\n  adjutant show panzer8 fire --json     the chart as data"
    )]
    Show {
        /// The pack's id, folder or bundle
        #[arg(add = ArgValueCompleter::new(complete::packs))]
        pack: String,
        /// The id of a chart or fight [default: the whole sheet]
        #[arg(add = ArgValueCompleter::new(complete::charts))]
        chart: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Roll on a chart, with random dice or your own
    Roll(Roll),
    /// Show the exact odds of a chart
    Odds(Odds),
    /// Show who wins a fight: charts rolled until it is decided
    Fight(Fight),
    /// Simulate a chart or a fight many times and compare with the exact odds
    Sim(Sim),
    /// Draw cards from a deck
    Draw(Draw),
    /// Manage games: new, list, show, log, join …
    #[command(after_help = "Examples:
  adjutant game new panzer8 --name \"Hill 112\" --side Allies --side Axis
  adjutant game list
  adjutant game show \"Hill 112\"")]
    Game {
        #[command(subcommand)]
        verb: GameVerb,
    },
    /// Manage the units of a game: add, set, import, list, remove
    #[command(after_help = "Examples:
  adjutant unit add \"Hill 112\" element Rifles hesa=6 ap=2 def=4 --side Allies
  adjutant unit list \"Hill 112\"")]
    Unit {
        #[command(subcommand)]
        verb: UnitVerb,
    },
    /// Play a chart in a game: units fill in their values, results apply to them
    Play(PlayVerb),
    /// List the pending tests of a game, in order
    #[command(
        after_help = "Examples:\n  adjutant pending Patrol\n  adjutant pending Patrol --json"
    )]
    Pending(Of),
    /// Roll the next pending test
    Next(NextVerb),
    /// Show the phases of the turn, or go to the next one
    #[command(
        after_help = "Examples:\n  adjutant phase \"Hill 112\" next\n  adjutant phase \"Hill 112\" close-combat"
    )]
    Phase {
        #[command(flatten)]
        at: At,
        /// `next` or the id of a phase [default: show the phases]
        #[arg(add = ArgValueCompleter::new(complete::phases))]
        to: Option<String>,
    },
    /// Apply the results of simultaneous attacks
    #[command(
        after_help = "Attacks that are simultaneous are rolled one by one, and their results wait. This applies them all.\n\nExamples:\n  adjutant land \"Hill 112\""
    )]
    Land(At),
    /// Undo the last event
    #[command(
        after_help = "You can undo freely until dice were rolled or the other side has acted. Then the other side must consent. Undone events stay in the
log and are marked.

Examples:
  adjutant undo \"Hill 112\" --ask           ask for consent
  adjutant consent \"Hill 112\" --as Bert    give consent; with --no, refuse it
  adjutant undo \"Hill 112\"                 undo"
    )]
    Undo(BackVerb),
    /// Redo what was undone last
    #[command(after_help = "Examples:\n  adjutant redo \"Hill 112\"")]
    Redo(BackVerb),
    /// Give or refuse the consent that another player asks for
    #[command(
        after_help = "Examples:\n  adjutant consent \"Hill 112\" --as Bert\n  adjutant consent \"Hill 112\" --as Bert --no    refuse it"
    )]
    Consent {
        #[command(flatten)]
        at: At,
        /// Refuse
        #[arg(long)]
        no: bool,
    },
    /// Join the sealed group: no player can foresee, choose or repeat a roll
    Seal(SealVerb),
    /// Reveal your link for a called roll; the last link makes the roll
    Reveal(RevealVerb),
    /// Withdraw a called roll
    #[command(
        after_help = "The caller can withdraw until another player has revealed a link. A side that owes no link can withdraw while others keep it
waiting. Otherwise the others must consent. The links of the call stay used.

Examples:
  adjutant withdraw \"Hill 112\"
  adjutant withdraw \"Hill 112\" --ask    ask the others for consent"
    )]
    Withdraw(BackVerb),
    /// Remove a player from the sealed group
    Release(ReleaseVerb),
    /// Show the decks of a game, or move cards by hand
    Deck(DeckVerb),
    /// Show the options of a game, or set one
    #[command(
        after_help = "Examples:\n  adjutant option Patrol                 show the options\n  adjutant option Patrol shooting=yes"
    )]
    Option {
        #[command(flatten)]
        at: At,
        /// The option and its value
        #[arg(value_name = "KEY=VALUE", add = ArgValueCompleter::new(complete::options))]
        set: Vec<String>,
    },
    /// Show what a game remembers, or set it
    #[command(
        after_help = "Examples:\n  adjutant memory Patrol              show what the game remembers\n  adjutant memory Patrol pef_moves=2\n  adjutant memory Ford lost=2 --side Red"
    )]
    Memory {
        #[command(flatten)]
        at: At,
        /// A name and its new value
        #[arg(value_name = "KEY=VALUE", add = ArgValueCompleter::new(complete::memory))]
        set: Vec<String>,
        /// The side, if each side has a value of its own
        #[arg(long, add = ArgValueCompleter::new(complete::sides))]
        side: Option<String>,
    },
    /// Export a game
    Export(ExportVerb),
    /// Import a game, or new events of a game that is already here
    #[command(
        after_help = "Every event of the log is verified. If a game here starts with the same line and the file continues it, the new events are added.
A log that forked is refused, and the event where it forked is named. This is how to play by e-mail.

Examples:
  adjutant import hill.jsonl
  adjutant import - --name \"Hill 112, a copy\" < hill.jsonl"
    )]
    Import {
        /// A file written by `export --as jsonl`; - is standard input
        #[arg(value_hint = ValueHint::FilePath)]
        file: String,
        /// The name of the new game [default: the name in the log]
        #[arg(long)]
        name: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Replay a log: run every chart again with the recorded dice
    #[command(
        after_help = "Exit code 1 if a result differs. With --all, every game in the store is replayed with the current packs.\n\nExamples:\n  adjutant replay hill.jsonl\n  adjutant replay --all"
    )]
    Replay {
        /// A file written by `export --as jsonl`, or a game's name or id
        #[arg(value_name = "FILE|GAME", value_hint = ValueHint::AnyPath, required_unless_present = "all", add = ArgValueCompleter::new(complete::tables))]
        log: Option<String>,
        /// Every game in the store, including archived ones
        #[arg(long, conflicts_with = "log")]
        all: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Verify a log: event numbers, hash chain, pack, dice and results
    #[command(
        after_help = "No later line protects the last one. If you kept its fingerprint, pass it with --head.

Examples:
  adjutant verify hill.jsonl
  adjutant verify \"Hill 112\" --head 5f0c…"
    )]
    Verify {
        #[command(flatten)]
        log: LogArg,
        /// The fingerprint of the last line
        #[arg(long, value_name = "FINGERPRINT")]
        head: Option<String>,
    },
    /// Check packs and report every error with its position
    #[command(after_help = "Examples:\n  adjutant check my-game\n  adjutant check packs/*")]
    Check {
        /// Pack folders, pack.toml files, bundles or ids
        #[arg(required = true, value_hint = ValueHint::AnyPath)]
        paths: Vec<String>,
    },
    /// Run the test cases of packs
    #[command(after_help = "Examples:\n  adjutant test\n  adjutant test my-game --coverage")]
    Test {
        /// Pack folders, bundles or ids [default: all known packs]
        #[arg(value_hint = ValueHint::AnyPath)]
        paths: Vec<String>,
        /// List every row, modifier and card field that no case reaches
        #[arg(long)]
        coverage: bool,
    },
    /// Share packs, and install packs from others: bundle, search, add, update …
    #[command(after_help = "Examples:
  adjutant pack bundle my-game -o my-game.adjutant
  adjutant pack add my-game.adjutant
  adjutant pack list")]
    Pack {
        #[command(subcommand)]
        verb: PackVerb,
    },
    /// Compare two versions of a pack: what changes at the table
    Diff(Diff),
    /// Create a new pack to start from
    #[command(
        after_help = "Examples:\n  adjutant new my-game\n  adjutant check my-game && adjutant test my-game --coverage"
    )]
    New {
        /// The id of the new pack; creates a folder of this name
        name: String,
    },
    /// Draft a pack from a sheet: text, Markdown, HTML, a spreadsheet or a PDF
    Draft(crate::draft::DraftArgs),
    /// Print the JSON Schema of pack.toml, for editors that complete and check
    #[command(
        after_help = "Examples:\n  adjutant schema > pack.schema.json\n  adjutant schema cases > cases.schema.json\n\nThe first line of a pack.toml refers to it: #:schema ./pack.schema.json"
    )]
    Schema {
        /// The file that it describes
        #[arg(default_value = "pack")]
        file: crate::schema::SchemaFile,
    },
    /// Show the look-up tables and decks that a pack leaves to you, as a blank form
    #[command(
        after_help = "Examples:\n  adjutant tables combat-leader\n  adjutant tables combat-leader > combat-leader.tables.toml"
    )]
    Tables {
        /// The pack's id, folder or bundle
        #[arg(add = ArgValueCompleter::new(complete::packs))]
        pack: String,
    },
    /// Print cards and sheets, or export them to other programs
    Print(Print),
    /// Serve the page to browsers and phones (the default command)
    Serve(crate::serve::Serve),
    /// Write the page as static files
    Page(crate::serve::Page),
    /// Print shell completions
    #[command(
        after_help = "Examples:\n  adjutant completions bash > ~/.local/share/bash-completion/completions/adjutant"
    )]
    Completions {
        /// bash, zsh, fish, elvish or powershell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages
    #[command(
        after_help = "Examples:\n  adjutant man | man -l -\n  adjutant man ~/.local/share/man/man1"
    )]
    Man {
        /// A folder for one page per command [default: print the main page]
        #[arg(value_hint = ValueHint::DirPath)]
        dir: Option<PathBuf>,
    },
    /// Show the help of a command
    #[command(
        after_help = "The same as `adjutant VERB --help`.\n\nExamples:\n  adjutant help\n  adjutant help roll\n  adjutant help game new"
    )]
    Help {
        /// The command [default: list the commands]
        #[arg(value_name = "VERB", add = ArgValueCompleter::new(complete::verbs))]
        verbs: Vec<String>,
    },
}
