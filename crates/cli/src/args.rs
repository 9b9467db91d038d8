//! What can be typed.

mod game;
mod print;

use crate::complete;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueHint};
use clap_complete::engine::ArgValueCompleter;
pub use game::*;
pub use print::*;
use std::path::PathBuf;

/// Runs the quick-reference sheets of tabletop wargames.
#[derive(Debug, Parser)]
#[command(
    name = "adjutant",
    version,
    about = "Runs the quick-reference sheets of tabletop wargames",
    long_about = "Adjutant takes the page of charts that players keep beside the table as a data file and runs it: it shows the exact chances, throws the dice or takes yours, \
                  names every modifier that counted, reads the result and says what follows.",
    after_help = "Examples:
  adjutant                                          the page, in the browser
  adjutant packs                                    what games there are
  adjutant charts panzer8                           the charts of one
  adjutant show panzer8 fire                        a chart as a sheet
  adjutant roll panzer8 fire                        play it: what is missing is asked for
  adjutant roll combat-leader accuracy mod_fp=3 clear=yes --cards 23
  adjutant odds panzer8 fire ammo=hesa firer.hesa=6 target.def=4     the chances before the throw
  adjutant fight asl-starter-kit                    fights to the end, solved exactly
  adjutant table new panzer8 --name \"Hill 112\"     a game in progress: units, charts on units, a log
  adjutant play \"Hill 112\" fire                   a chart on its units

Exit codes: 0 done, 1 a pack, its cases, a log or a store has faults, 2 wrong use.",
    disable_help_subcommand = true,
    arg_required_else_help = true
)]
pub struct Args {
    /// A folder that holds further packs (may be given several times; also ADJUTANT_PACKS)
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub packs: Vec<PathBuf>,
    /// A file with your own tables for the pack in use
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub tables: Option<PathBuf>,
    /// Where tables are kept: a file, or postgres://… (also ADJUTANT_STORE; else in your data folder)
    #[arg(long, global = true, value_name = "PLACE", value_hint = ValueHint::FilePath)]
    pub store: Option<String>,
    /// Colour: auto, always or never (NO_COLOR is honoured)
    #[arg(long, global = true, value_name = "WHEN", value_parser = color)]
    pub color: Option<Color>,
    #[command(subcommand)]
    pub verb: Verb,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default)]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// Tells all that is printed from here on.
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

/// What is to be done.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Lists the games and where each is from
    #[command(after_help = "Examples:\n  adjutant packs\n  adjutant packs --packs my-games --json")]
    Packs {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Lists the charts and fights of a game
    #[command(after_help = "Examples:\n  adjutant charts chain-reaction")]
    Charts {
        /// The game's id, or a pack's folder
        #[arg(add = ArgValueCompleter::new(complete::packs))]
        pack: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Shows a game's sheet, or one chart or fight of it
    #[command(
        after_help = "Examples:\n  adjutant show panzer8\n  adjutant show panzer8 fire\n  adjutant show asl-starter-kit odds    the printed grid, with the cells marked that depart from the rule\n  adjutant show panzer8 fire-fight      a fight: who throws what at whom, and when it is over\n  adjutant show panzer8 fire --json     the chart as data, for programs"
    )]
    Show {
        /// The game's id, or a pack's folder
        #[arg(add = ArgValueCompleter::new(complete::packs))]
        pack: String,
        /// The chart's or fight's id; without it the whole sheet
        #[arg(add = ArgValueCompleter::new(complete::charts))]
        chart: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Plays a chart, with our dice or yours
    Roll(Roll),
    /// Shows the exact chances of a chart
    Odds(Odds),
    /// Shows who wins a fight: charts thrown until something is decided
    Fight(Fight),
    /// Samples a chart or a fight many times and sets the counts beside the exact chances
    Sim(Sim),
    /// Draws cards from a deck
    Draw(Draw),
    /// Games in progress: new, list, show, log, join …
    Table {
        #[command(subcommand)]
        verb: TableVerb,
    },
    /// The units of a table: add, set, import, list, remove
    Unit {
        #[command(subcommand)]
        verb: UnitVerb,
    },
    /// Throws a chart at a table: units fill in what they know, results are put on them
    Play(PlayVerb),
    /// Lists the tests that are due at a table, in order
    Pending(Of),
    /// Throws the test that is due first
    Next(NextVerb),
    /// Shows the turn's phases, or goes on to the next
    #[command(after_help = "Examples:\n  adjutant phase \"Hill 112\" next\n  adjutant phase \"Hill 112\" close-combat")]
    Phase {
        #[command(flatten)]
        at: At,
        /// `next`, or a phase; without it the phases are shown
        #[arg(add = ArgValueCompleter::new(complete::phases))]
        to: Option<String>,
    },
    /// Lets the effects of attacks declared together take place
    Land(At),
    /// Takes back the last event
    #[command(after_help = "Free until luck or the other side has acted; then the other side must consent:
  adjutant undo \"Hill 112\" --ask          asks for it
  adjutant consent \"Hill 112\" --as Bert   gives it; with --no it is refused
  adjutant undo \"Hill 112\"                takes back
What is undone stays in the log, marked.")]
    Undo(BackVerb),
    /// Brings back what was undone last
    Redo(BackVerb),
    /// Gives or refuses the consent that is asked for
    Consent {
        #[command(flatten)]
        at: At,
        /// Refuses it
        #[arg(long)]
        no: bool,
    },
    /// Joins those who throw sealed: nobody can foresee, choose or drop a throw
    Seal(SealVerb),
    /// Shows the link that you owe to a called throw; the last link makes the throw
    Reveal(RevealVerb),
    /// Takes back a throw that was called
    #[command(
        after_help = "Free for who called, until somebody else has shown a link, and for a side that owes none against those who keep it waiting. Else
the others must consent: adjutant withdraw \"Hill 112\" --ask. The links of the call stay used."
    )]
    Withdraw(BackVerb),
    /// Lets somebody out of those who throw sealed
    Release(ReleaseVerb),
    /// Shows the decks of a table, or moves cards by hand
    Deck(DeckVerb),
    /// Shows the options of a table, or sets one
    Option {
        #[command(flatten)]
        at: At,
        /// The option and its value
        #[arg(value_name = "KEY=VALUE", add = ArgValueCompleter::new(complete::options))]
        set: Vec<String>,
    },
    /// Shows what a table remembers, or sets it
    Memory {
        #[command(flatten)]
        at: At,
        /// What, and its value
        #[arg(value_name = "KEY=VALUE", add = ArgValueCompleter::new(complete::memory))]
        set: Vec<String>,
    },
    /// Writes a table's log
    Export(ExportVerb),
    /// Takes a log in: a new table, or more of one that is here
    #[command(
        after_help = "The log is checked to the last throw. If a table here begins with the same line and the file goes on from where it stands, what is
new is added; a file that forks off is refused, with the event where it does. So a game by e-mail goes back and forth.

Examples:
  adjutant import hill.jsonl
  adjutant import - --name \"Hill 112, a copy\" < hill.jsonl"
    )]
    Import {
        /// A file written by `export --as jsonl`; - is standard input
        #[arg(value_hint = ValueHint::FilePath)]
        file: String,
        /// The name of a new table; without it the one in the log
        #[arg(long)]
        name: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Rebuilds a table from its log, throwing every chart again with the recorded faces
    #[command(
        after_help = "Exit code 1 when something would differ. With --all every table here is tried against the packs as they are now.\n\nExamples:\n  adjutant replay hill.jsonl\n  adjutant replay --all"
    )]
    Replay {
        /// A file written by `export --as jsonl`, or a table's name or id
        #[arg(value_name = "FILE|TABLE", value_hint = ValueHint::AnyPath, required_unless_present = "all", add = ArgValueCompleter::new(complete::tables))]
        log: Option<String>,
        /// Every table of the store, also those put away
        #[arg(long, conflicts_with = "log")]
        all: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Checks a log: numbers, fingerprints, the pack, faces and results
    #[command(after_help = "The last line has none after it that vouches for it: who kept its fingerprint gives it with --head.

Examples:
  adjutant verify hill.jsonl
  adjutant verify \"Hill 112\" --head 5f0c…")]
    Verify {
        #[command(flatten)]
        log: LogArg,
        /// The fingerprint the log must end with
        #[arg(long, value_name = "FINGERPRINT")]
        head: Option<String>,
    },
    /// Checks packs and reports every fault with its place
    #[command(after_help = "Examples:\n  adjutant check my-game\n  adjutant check packs/*")]
    Check {
        /// Pack folders, pack.toml files or ids
        #[arg(required = true, value_hint = ValueHint::AnyPath)]
        paths: Vec<String>,
    },
    /// Tries the cases of packs
    #[command(after_help = "Examples:\n  adjutant test\n  adjutant test my-game --coverage")]
    Test {
        /// Pack folders or ids; all known packs without any
        #[arg(value_hint = ValueHint::AnyPath)]
        paths: Vec<String>,
        /// Also list every row, modifier and card field that no case reaches
        #[arg(long)]
        coverage: bool,
    },
    /// Makes a new pack to start from
    #[command(after_help = "Examples:\n  adjutant new my-game\n  adjutant check my-game && adjutant test my-game --coverage")]
    New {
        /// The new game's id; a folder of this name is made here
        name: String,
    },
    /// Shows which tables a game leaves to you, and a blank form for each
    #[command(after_help = "Examples:\n  adjutant tables combat-leader\n  adjutant tables combat-leader > combat-leader.tables.toml")]
    Tables {
        /// The game's id, or a pack's folder
        #[arg(add = ArgValueCompleter::new(complete::packs))]
        pack: String,
    },
    /// Prints cards and sheets, and takes them to other programs
    Print(Print),
    /// Serves the page to browsers and phones; also without any verb
    Serve(crate::serve::Serve),
    /// Writes the page as static files
    Page(crate::serve::Page),
    /// Prints completions for a shell
    #[command(after_help = "Examples:\n  adjutant completions bash > ~/.local/share/bash-completion/completions/adjutant")]
    Completions {
        /// bash, zsh, fish, elvish or powershell
        shell: clap_complete::Shell,
    },
    /// Writes the manual pages
    #[command(after_help = "Examples:\n  adjutant man | man -l -\n  adjutant man ~/.local/share/man/man1")]
    Man {
        /// A folder for one page a verb; without it the main page is printed
        #[arg(value_hint = ValueHint::DirPath)]
        dir: Option<PathBuf>,
    },
}

/// What is known of a chart or a fight.
#[derive(Clone, Debug, ClapArgs)]
pub struct InputArgs {
    /// Inputs and unit attributes: firer.hesa=6 clear=yes
    #[arg(value_name = "NAME=VALUE", add = ArgValueCompleter::new(complete::inputs))]
    pub inputs: Vec<String>,
    /// Sets an option of the pack
    #[arg(long, value_name = "KEY=VALUE")]
    pub option: Vec<String>,
    /// Sets what the table remembers
    #[arg(long, value_name = "KEY=VALUE")]
    pub memory: Vec<String>,
}

/// A chart and the situation it is run in.
#[derive(Debug, ClapArgs)]
pub struct Setup {
    /// The game's id, or a pack's folder
    #[arg(add = ArgValueCompleter::new(complete::packs))]
    pub pack: String,
    /// The chart's id
    #[arg(add = ArgValueCompleter::new(complete::charts))]
    pub chart: String,
    #[command(flatten)]
    pub given: InputArgs,
    /// Cards that are gone from the deck already
    #[arg(long, value_name = "3,17", value_delimiter = ',')]
    pub gone: Option<Vec<String>>,
}

/// Plays a chart.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Inputs and unit attributes are given as name=value; `adjutant show PACK CHART` lists them. In a terminal, what is missing is asked for.

Examples:
  adjutant roll panzer8 fire ammo=hesa firer.hesa=6 target.def=3 close=yes
  adjutant roll panzer8 fire ammo=hesa firer.hesa=6 target.def=3 --dice 7,3      your own dice
  adjutant roll combat-leader accuracy mod_fp=3 --cards 53,23 --answer jam=no    real cards, and an answer
  adjutant roll chain-reaction in-sight figure.1.rep=5 figure.2.rep=4            one throw for several
  adjutant roll chain-reaction crisis --own                                      ask me for every face"
)]
pub struct Roll {
    #[command(flatten)]
    pub setup: Setup,
    #[command(flatten)]
    pub luck: DiceArgs,
    /// The whole account as JSON
    #[arg(long)]
    pub json: bool,
}

/// Where dice, cards and answers come from.
#[derive(Debug, ClapArgs)]
pub struct DiceArgs {
    /// Faces of your own dice, in the order in which they are asked for
    #[arg(long, value_name = "7,3", value_delimiter = ',')]
    pub dice: Option<Vec<String>>,
    /// Numbers of your own cards, in the order in which they are asked for
    #[arg(long, value_name = "23,5", value_delimiter = ',')]
    pub cards: Option<Vec<String>>,
    /// An answer to a question asked on the way (given once, it stands for every time)
    #[arg(long, value_name = "KEY=VALUE")]
    pub answer: Vec<String>,
    /// The same throws every time for the same number
    #[arg(long, value_name = "N", conflicts_with = "own")]
    pub seed: Option<u64>,
    /// Asks in the terminal for every face and card that you throw and draw yourself
    #[arg(long)]
    pub own: bool,
}

/// Shows chances.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Chances are exact: whole numbers of ways over a whole number, redraws and reshuffles solved.

Examples:
  adjutant odds panzer8 fire ammo=hesa firer.hesa=6 target.def=4
  adjutant odds panzer8 fire ammo=hesa firer.hesa=6 target.def=4 --modifiers      what each circumstance would change
  adjutant odds panzer8 fire ammo=hesa target.def=4 --vary firer.hesa=1..8        a table over one input
  adjutant odds panzer8 fire ammo=hesa --vary firer.hesa=1..8 --vary target.def=1..6 --plot fire.svg
  adjutant odds combat-leader accuracy mod_fp=3 clear=yes --answer jam=1/6        a chance for an answer
  adjutant odds combat-leader accuracy mod_fp=3 --answer jam=no --gone 1,2,3      a partly used deck
  adjutant odds combat-leader accuracy mod_fp=3 --answer jam=1/6 --times 5        five shots from one deck
  adjutant odds chain-reaction pef-resolve group=5 --follow                       to the end of the chain")]
pub struct Odds {
    #[command(flatten)]
    pub setup: Setup,
    /// How a question is taken: an answer (jam=no), the chance of yes (jam=1/6), or chances (reply=a:1/3,b:2/3)
    #[arg(long, value_name = "KEY=VALUE")]
    pub answer: Vec<String>,
    /// Goes down the chain of charts to the last results
    #[arg(long)]
    pub follow: bool,
    /// A table over an input: name=1..8 or name=yes,no (at most two)
    #[arg(long, value_name = "NAME=VALUES")]
    pub vary: Vec<String>,
    /// How often each result comes in so many checks (1 to 20): from one deck, or each with dice of its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20))]
    pub times: Option<u32>,
    /// What each circumstance that does not hold would change
    #[arg(long, conflicts_with = "vary")]
    pub modifiers: bool,
    /// Writes the table of --vary as a picture (.svg or .png)
    #[arg(long, value_name = "FILE", requires = "vary", value_hint = ValueHint::FilePath)]
    pub plot: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// Shows who wins.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Chances are exact: all ways a fight can stand are found and weighed, however long it may last. A fight with too many ways to \
stand, or one that takes longer than --max-time or more than --max-memory, is played many times instead, and the answer says so.

Examples:
  adjutant fight panzer8                                    which fights there are
  adjutant show panzer8 fire-fight                          what one of them does, and what it asks
  adjutant fight combat-leader stoppage --answer jam=1/6    a chance for an answer
  adjutant fight panzer8 fire-fight ours=3 ours.hesa=6 ours.def=4 theirs.hesa=5 theirs.def=4
    … --vary theirs=1..4                                    a table over one input
    … --vary ours=1..3 --vary theirs=1..3 --of theirs       over two, for one decision"
)]
pub struct Fight {
    /// The game's id, or a pack's folder
    #[arg(add = ArgValueCompleter::new(complete::packs))]
    pub pack: String,
    /// The fight's id; without it the list of fights
    pub fight: Option<String>,
    #[command(flatten)]
    pub given: InputArgs,
    /// How a question is taken: an answer (jam=no), the chance of yes (jam=1/6), or chances (reply=a:1/3,b:2/3)
    #[arg(long, value_name = "KEY=VALUE")]
    pub answer: Vec<String>,
    /// A table over an input, also over how many fight: ours=1..6 (at most two)
    #[arg(long, value_name = "NAME=VALUES")]
    pub vary: Vec<String>,
    /// Which decision a table over two inputs shows; without it the first
    #[arg(long, value_name = "ID", requires = "vary")]
    pub of: Option<String>,
    /// How many times a fight is played that is too large to be weighed; without it 200 000, or as many as there is time for
    #[arg(short = 'n', long = "samples", value_name = "N", value_parser = samples)]
    pub samples: Option<u64>,
    /// The same luck every time for the same number, where a fight is played
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How long a fight is weighed before it is played instead; without it 60 seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub max_time: Option<u64>,
    /// How much memory a fight may take, in MB (about); without it 1000
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub max_memory: Option<u64>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// Samples a chart or a fight.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "The counts depend on the seed and the number of samples, not on the number of threads. Ctrl-C stops and shows what there is.

Examples:
  adjutant sim panzer8 fire ammo=hesa firer.hesa=6 target.def=4
  adjutant sim panzer8 fire ammo=hesa firer.hesa=6 target.def=4 -n 1e9 --seed 7
  adjutant sim combat-leader accuracy mod_fp=3 --answer jam=1/6 --threads 1 --json
  adjutant sim combat-leader stoppage --answer jam=1/6 -n 1e5        a fight, played to its end each time"
)]
pub struct Sim {
    /// The game's id, or a pack's folder
    #[arg(add = ArgValueCompleter::new(complete::packs))]
    pub pack: String,
    /// The chart's or fight's id
    #[arg(value_name = "CHART|FIGHT")]
    pub what: String,
    #[command(flatten)]
    pub given: InputArgs,
    /// Cards that are gone from the deck already
    #[arg(long, value_name = "3,17", value_delimiter = ',')]
    pub gone: Option<Vec<String>>,
    /// How many samples: 1e9, 1000000 or 1_000_000 (at most 1e12)
    #[arg(short = 'n', long = "samples", value_name = "N", default_value = "1e6", value_parser = samples)]
    pub samples: u64,
    /// How many threads; without it as many as the machine has cores for
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// The same samples every time for the same number
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How a question is taken: an answer (jam=no), the chance of yes (jam=1/6), or chances (reply=a:1/3,b:2/3)
    #[arg(long, value_name = "KEY=VALUE")]
    pub answer: Vec<String>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// A whole number from 1 to 1e12, also as `1e9`, `2.5e6` or `1_000_000`.
fn samples(text: &str) -> Result<u64, String> {
    const MOST: u64 = 1_000_000_000_000;
    let wrong = || "write a whole number from 1 to 1e12, such as 1e6 or 1_000_000".to_owned();
    let plain = text.replace('_', "").to_ascii_lowercase();
    let (number, power) = plain.split_once('e').unwrap_or((&plain, "0"));
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let zeros = power.parse::<u32>().ok().and_then(|power| power.checked_sub(part.len() as u32)).ok_or_else(wrong)?;
    let digits = format!("{whole}{part}");
    if whole.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(wrong());
    }
    let factor = 10_u64.checked_pow(zeros).ok_or_else(wrong)?;
    let count = digits.parse::<u64>().ok().and_then(|digits| digits.checked_mul(factor)).ok_or_else(wrong)?;
    if (1..=MOST).contains(&count) { Ok(count) } else { Err(wrong()) }
}

/// Draws cards.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:\n  adjutant draw combat-leader action\n  adjutant draw combat-leader action 3 --gone 3,17 --json")]
pub struct Draw {
    /// The game's id, or a pack's folder
    #[arg(add = ArgValueCompleter::new(complete::packs))]
    pub pack: String,
    /// The deck's id
    pub deck: String,
    /// How many cards
    #[arg(default_value_t = 1)]
    pub count: u32,
    /// Cards that are gone from the deck already
    #[arg(long, value_name = "3,17", value_delimiter = ',')]
    pub gone: Option<Vec<String>>,
    /// The same cards every time for the same number
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}
