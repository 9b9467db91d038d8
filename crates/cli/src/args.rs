//! The command line: global options and subcommands.

mod game;
mod pack;
mod print;

use crate::complete;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueHint};
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
        after_help = "Examples:\n  adjutant memory Patrol              show what the game remembers\n  adjutant memory Patrol pef_moves=2"
    )]
    Memory {
        #[command(flatten)]
        at: At,
        /// A name and its new value
        #[arg(value_name = "KEY=VALUE", add = ArgValueCompleter::new(complete::memory))]
        set: Vec<String>,
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
    /// Hand packs on, and take packs from others: bundle, search, add, update …
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

/// The inputs of a chart or a fight.
#[derive(Clone, Debug, ClapArgs)]
pub struct InputArgs {
    /// Inputs and unit values: firer.hesa=6 clear=yes
    #[arg(value_name = "NAME=VALUE", add = ArgValueCompleter::new(complete::inputs))]
    pub inputs: Vec<String>,
    /// Set an option of the pack
    #[arg(long, value_name = "KEY=VALUE")]
    pub option: Vec<String>,
    /// Set what the game remembers
    #[arg(long, value_name = "KEY=VALUE")]
    pub memory: Vec<String>,
}

/// A chart and its situation.
#[derive(Debug, ClapArgs)]
pub struct Setup {
    /// The pack's id, folder or bundle; or dice, such as 4d6kh3+2
    #[arg(value_name = "PACK|DICE", add = ArgValueCompleter::new(complete::packs))]
    pub pack: String,
    /// The chart's id
    #[arg(add = ArgValueCompleter::new(complete::charts))]
    pub chart: Option<String>,
    #[command(flatten)]
    pub given: InputArgs,
    /// Cards that have already left the deck
    #[arg(long, value_name = "3,17", value_delimiter = ',')]
    pub gone: Option<Vec<String>>,
    /// Cards in the hand of the side or unit that takes the test
    #[arg(long, value_name = "3,17", value_delimiter = ',')]
    pub hand: Option<Vec<String>>,
}

/// `adjutant roll`
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Write inputs and unit values as name=value; `adjutant show PACK CHART` lists them. In a terminal, missing inputs are asked for.
Dice without a pack: NdS (d6, 2d20, d%, d66, 4dF), then kh kl dh dl (keep, drop), r rr (re-roll once, until), ! (extra dice), !! (added up),
cs cf (count) with =1 <3 <=2 >4 >=5, joined by + - * / and parentheses. Quote ! and * in a shell.

Examples:
  adjutant roll panzer8 fire ammo=hesa firer.hesa=6 target.def=3 close=yes
  adjutant roll panzer8 fire ammo=hesa firer.hesa=6 target.def=3 --dice 7,3      your own dice
  adjutant roll combat-leader accuracy mod_fp=3 --cards 53,23 --answer jam=no    real cards, and an answer
  adjutant roll chain-reaction in-sight figure.1.rep=5 figure.2.rep=4            one roll for several figures
  adjutant roll chain-reaction crisis --own                                      ask for every die face
  adjutant roll 4d6kh3+2                                                         dice without a pack
  adjutant roll '2d8!' --dice 8,3,5                                              your own dice; the 8 brought one more"
)]
pub struct Roll {
    #[command(flatten)]
    pub setup: Setup,
    #[command(flatten)]
    pub luck: DiceArgs,
    /// Print the whole resolution as JSON
    #[arg(long)]
    pub json: bool,
}

/// Where dice, cards and answers come from.
#[derive(Debug, ClapArgs)]
pub struct DiceArgs {
    /// Faces of your own dice, in the order of the rolls
    #[arg(long, value_name = "7,3", value_delimiter = ',')]
    pub dice: Option<Vec<String>>,
    /// Numbers of your own cards, in the order of the draws
    #[arg(long, value_name = "23,5", value_delimiter = ',')]
    pub cards: Option<Vec<String>>,
    /// The answer to a question during the roll (used every time it is asked)
    #[arg(long, value_name = "KEY=VALUE")]
    pub answer: Vec<String>,
    /// Seed: the same number gives the same rolls
    #[arg(long, value_name = "N", conflicts_with = "own")]
    pub seed: Option<u64>,
    /// Ask for every die and card: you roll and draw yourself
    #[arg(long)]
    pub own: bool,
}

/// `adjutant odds`
#[derive(Debug, ClapArgs)]
#[command(after_help = "Odds are exact fractions. Redraws and reshuffles are solved exactly, too.

Examples:
  adjutant odds panzer8 fire ammo=hesa firer.hesa=6 target.def=4
  adjutant odds panzer8 fire ammo=hesa firer.hesa=6 target.def=4 --modifiers      what each modifier would change
  adjutant odds panzer8 fire ammo=hesa target.def=4 --vary firer.hesa=1..8        vary one input
  adjutant odds panzer8 fire ammo=hesa --vary firer.hesa=1..8 --vary target.def=1..6 --plot fire.svg
  adjutant odds panzer8 fire ammo=hesa target.def=4 --vary firer.hesa=1..8 --plot -  bars in the terminal
  adjutant odds combat-leader accuracy mod_fp=3 clear=yes --answer jam=1/6        an answer as a probability
  adjutant odds combat-leader accuracy mod_fp=3 --answer jam=no --gone 1,2,3      a partly used deck
  adjutant odds combat-leader accuracy mod_fp=3 --answer jam=1/6 --times 5        five shots from one deck
  adjutant odds chain-reaction pef-resolve group=5 --follow                       follow the chain of charts
  adjutant odds '2d8!'                                                            dice without a pack (see roll --help)
  adjutant odds 2d20kh1+4 --against d20+6                                         an opposed roll")]
pub struct Odds {
    #[command(flatten)]
    pub setup: Setup,
    /// How to answer a question: an answer (jam=no), the probability of yes (jam=1/6) or of each
    /// answer (reply=a:1/3,b:2/3)
    #[arg(long, value_name = "KEY=VALUE")]
    pub answer: Vec<String>,
    /// Follow the chain of charts to the final results
    #[arg(long)]
    pub follow: bool,
    /// Vary an input: name=1..8 or name=yes,no (at most two)
    #[arg(long, value_name = "NAME=VALUES")]
    pub vary: Vec<String>,
    /// How often each result comes up in N rolls (1 to 20); cards are drawn from one deck
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20))]
    pub times: Option<u32>,
    /// Show what each modifier that does not apply would change
    #[arg(long, conflicts_with = "vary")]
    pub modifiers: bool,
    /// Draw the odds as a picture (.svg or .png), or in the terminal (-)
    #[arg(long, value_name = "FILE", conflicts_with = "modifiers", value_hint = ValueHint::FilePath)]
    pub plot: Option<PathBuf>,
    /// Other dice: who rolls higher? (dice notation only)
    #[arg(long, value_name = "DICE")]
    pub against: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `adjutant fight`
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Odds are exact, however long a fight may last. A fight with too many states, or one that exceeds --max-time or --max-memory, \
is simulated instead, and the answer says so.

Examples:
  adjutant fight panzer8                                    list the fights
  adjutant show panzer8 fire-fight                          how it works and which inputs it takes
  adjutant fight combat-leader stoppage --answer jam=1/6    an answer as a probability
  adjutant fight panzer8 fire-fight ours=3 ours.hesa=6 ours.def=4 theirs.hesa=5 theirs.def=4
    … --vary theirs=1..4                                    vary one input
    … --vary ours=1..3 --vary theirs=1..3 --of theirs       vary two inputs, for one outcome"
)]
pub struct Fight {
    /// The pack's id, folder or bundle
    #[arg(add = ArgValueCompleter::new(complete::packs))]
    pub pack: String,
    /// The fight's id [default: list the fights]
    pub fight: Option<String>,
    #[command(flatten)]
    pub given: InputArgs,
    /// How to answer a question: an answer (jam=no), the probability of yes (jam=1/6) or of each
    /// answer (reply=a:1/3,b:2/3)
    #[arg(long, value_name = "KEY=VALUE")]
    pub answer: Vec<String>,
    /// Vary an input or a number of units: ours=1..6 (at most two)
    #[arg(long, value_name = "NAME=VALUES")]
    pub vary: Vec<String>,
    /// Which outcome to show when two inputs vary [default: the first]
    #[arg(long, value_name = "ID", requires = "vary")]
    pub of: Option<String>,
    /// How often to simulate a fight that is too large for exact odds [default: 200 000, or as many
    /// as time allows]
    #[arg(short = 'n', long = "samples", value_name = "N", value_parser = samples)]
    pub samples: Option<u64>,
    /// Seed of a simulation: the same number gives the same result
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Time limit for exact odds, in seconds [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub max_time: Option<u64>,
    /// Approximate memory limit, in MB [default: 1000]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub max_memory: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `adjutant sim`
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "The counts depend on the seed and the number of samples, not on the number of threads. Ctrl-C stops and shows the results so far.

Examples:
  adjutant sim panzer8 fire ammo=hesa firer.hesa=6 target.def=4
  adjutant sim panzer8 fire ammo=hesa firer.hesa=6 target.def=4 -n 1e9 --seed 7
  adjutant sim combat-leader accuracy mod_fp=3 --answer jam=1/6 --threads 1 --json
  adjutant sim combat-leader stoppage --answer jam=1/6 -n 1e5        simulate whole fights"
)]
pub struct Sim {
    /// The pack's id, folder or bundle
    #[arg(add = ArgValueCompleter::new(complete::packs))]
    pub pack: String,
    /// The chart's or fight's id
    #[arg(value_name = "CHART|FIGHT")]
    pub what: String,
    #[command(flatten)]
    pub given: InputArgs,
    /// Cards that have already left the deck
    #[arg(long, value_name = "3,17", value_delimiter = ',')]
    pub gone: Option<Vec<String>>,
    /// Cards in the hand of the side or unit that takes the test
    #[arg(long, value_name = "3,17", value_delimiter = ',')]
    pub hand: Option<Vec<String>>,
    /// How many samples: 1e9, 1000000 or 1_000_000 (at most 1e12)
    #[arg(short = 'n', long = "samples", value_name = "N", default_value = "1e6", value_parser = samples)]
    pub samples: u64,
    /// How many threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Seed: the same number gives the same samples
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How to answer a question: an answer (jam=no), the probability of yes (jam=1/6) or of each
    /// answer (reply=a:1/3,b:2/3)
    #[arg(long, value_name = "KEY=VALUE")]
    pub answer: Vec<String>,
    /// Follow the chain of charts to the final results
    #[arg(long)]
    pub follow: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Parses a whole number from 1 to 1e12, also as `1e9`, `2.5e6` or `1_000_000`.
fn samples(text: &str) -> Result<u64, String> {
    const MOST: u64 = 1_000_000_000_000;
    let wrong = || "write a whole number from 1 to 1e12, such as 1e6 or 1_000_000".to_owned();
    let plain = text.replace('_', "").to_ascii_lowercase();
    let (number, power) = plain.split_once('e').unwrap_or((&plain, "0"));
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let zeros = power
        .parse::<u32>()
        .ok()
        .and_then(|power| power.checked_sub(part.len() as u32))
        .ok_or_else(wrong)?;
    let digits = format!("{whole}{part}");
    if whole.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(wrong());
    }
    let factor = 10_u64.checked_pow(zeros).ok_or_else(wrong)?;
    let count = digits
        .parse::<u64>()
        .ok()
        .and_then(|digits| digits.checked_mul(factor))
        .ok_or_else(wrong)?;
    if (1..=MOST).contains(&count) { Ok(count) } else { Err(wrong()) }
}

/// `adjutant draw`
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Examples:\n  adjutant draw combat-leader action\n  adjutant draw combat-leader action 3 --gone 3,17 --json"
)]
pub struct Draw {
    /// The pack's id, folder or bundle
    #[arg(add = ArgValueCompleter::new(complete::packs))]
    pub pack: String,
    /// The deck's id
    pub deck: String,
    /// How many cards
    #[arg(default_value_t = 1)]
    pub count: u32,
    /// Cards that have already left the deck
    #[arg(long, value_name = "3,17", value_delimiter = ',')]
    pub gone: Option<Vec<String>>,
    /// Seed: the same number gives the same cards
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
