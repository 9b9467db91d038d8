//! Arguments of the commands that run charts and fights without a game: roll, odds, fight, sim, draw.

use crate::complete;
use clap::{Args as ClapArgs, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;

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
  adjutant roll panzer8 fire ammo=hesa firer.hesa=6 target.def=3 --dice 7,3   your own dice
  adjutant roll combat-leader accuracy mod_fp=3 --cards 53,23 --answer jam=no
                                                             real cards, and an answer
  adjutant roll chain-reaction in-sight figure.1.rep=5 figure.2.rep=4
                                                             one roll for several figures
  adjutant roll chain-reaction crisis --own                  ask for every die face
  adjutant roll 4d6kh3+2                                     dice without a pack
  adjutant roll '2d8!' --dice 8,3,5                          your own dice; the 8 brought one more"
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
  adjutant odds panzer8 fire ammo=hesa firer.hesa=6 target.def=4 --modifiers
                                                             what each modifier would change
  adjutant odds panzer8 fire ammo=hesa target.def=4 --vary firer.hesa=1..8   vary one input
  adjutant odds panzer8 fire ammo=hesa --vary firer.hesa=1..8 --vary target.def=1..6 --plot fire.svg
  adjutant odds panzer8 fire ammo=hesa target.def=4 --vary firer.hesa=1..8 --plot -
                                                             bars in the terminal
  adjutant odds combat-leader accuracy mod_fp=3 clear=yes --answer jam=1/6
                                                             an answer as a probability
  adjutant odds combat-leader accuracy mod_fp=3 --answer jam=no --gone 1,2,3   a partly used deck
  adjutant odds combat-leader accuracy mod_fp=3 --answer jam=1/6 --times 5
                                                             five shots from one deck
  adjutant odds chain-reaction pef-resolve group=5 --follow   follow the chain of charts
  adjutant odds '2d8!'                                       dice without a pack (see roll --help)
  adjutant odds 2d20kh1+4 --against d20+6                    an opposed roll")]
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
