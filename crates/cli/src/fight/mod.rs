//! `adjutant fight`: who wins when charts are rolled until something is decided. The chances are
//! exact where all ways the fight can stand can be weighed; a larger fight is played many times,
//! and the answer says so.

mod played;
mod tell;
mod vary;

pub use adjutant_engine::FightTally;
pub use played::{Until, play};

use crate::args::{Fight as Asked, InputArgs};
use crate::error::CommandResult;
use crate::odds::{answers_of, sentences};
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use crate::setup;
use crate::sim::new_seed;
use crate::uses::without_effect;
use crate::worker_pool::cores;
use adjutant_api::ListedChart;
use adjutant_engine::{FightChain, FightLimits, FightOdds, FightSituation, OddsError, Outlook};
use adjutant_pack::Pack;
use std::time::{Duration, Instant};

/// How often a fight is played that is too large to be weighed, if there is time.
const FIGHTS: u64 = 200_000;
/// How long that may take.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long it may take until one fight is over.
const LATEST: Duration = Duration::from_secs(30);
/// How long a fight is weighed, unless `--max-time` says otherwise.
const TIME: Duration = Duration::from_secs(60);
/// How much memory it may take, in MB, unless `--max-memory` says otherwise.
const MEMORY: u64 = 1000;

/// What a fight may cost.
#[derive(Clone, Copy)]
struct Budget {
    time: Duration,
    /// In bytes.
    memory: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::new(None, None)
    }
}

impl Budget {
    fn new(seconds: Option<u64>, megabytes: Option<u64>) -> Budget {
        let bytes = megabytes.unwrap_or(MEMORY).saturating_mul(1_000_000);
        Budget {
            time: seconds.map_or(TIME, Duration::from_secs),
            memory: usize::try_from(bytes).unwrap_or(usize::MAX),
        }
    }

    fn of(asked: &Asked) -> Budget {
        Budget::new(asked.max_time, asked.max_memory)
    }
}

pub fn fight(shelf: &PackRegistry, asked: &Asked) -> CommandResult {
    let opened = shelf.open(&asked.pack)?;
    let pack = &opened.pack;
    let Some(id) = &asked.fight else {
        without_effect(
            "on the list of fights: name a fight",
            &[
                ("--option", !asked.given.option.is_empty()),
                ("--memory", !asked.given.memory.is_empty()),
                ("--answer", !asked.answer.is_empty()),
                ("--vary", !asked.vary.is_empty()),
                ("--samples", asked.samples.is_some()),
                ("--seed", asked.seed.is_some()),
                ("--max-time", asked.max_time.is_some()),
                ("--max-memory", asked.max_memory.is_some()),
            ],
        )?;
        return Ok(CommandOutput::done(if asked.json {
            crate::json::pretty(&ListedChart::fights(pack).collect::<Vec<_>>())
        } else {
            list(pack)
        }));
    };
    let shown = prepare(pack, id, &asked.given, &asked.answer).and_then(|situation| {
        match asked.vary.is_empty() {
            true => {
                setup::refuse_unasked([situation.check_answers()])
                    .map_err(|why| vec![why.to_string()])?;
                let outlook = look(&situation, asked)?;
                Ok(if asked.json {
                    tell::as_json(&situation, &outlook)
                } else {
                    tell::as_text(&situation, &outlook)
                })
            }
            false => vary::vary(&situation, asked),
        }
    });
    Ok(CommandOutput::done(shown?))
}

/// The fights of a pack.
fn list(pack: &Pack) -> String {
    if pack.fights().is_empty() {
        return format!(
            "{} has no fights. Its charts: adjutant charts {}\n",
            pack.title(),
            pack.id()
        );
    }
    crate::show::fights_table(pack).print()
}

/// The fight as it begins, or every sentence on what is wrong.
pub fn prepare<'p>(
    pack: &'p Pack,
    id: &str,
    given: &InputArgs,
    answers: &[String],
) -> Result<FightSituation<'p>, Vec<String>> {
    if let (Some((name, _)), [first, ..]) = (id.split_once('='), pack.fights().as_slice()) {
        let name = adjutant_pack::clip_to(name, 40);
        return Err(vec![format!(
            "name the fight before `{name}`: adjutant fight {} {} {name}=…",
            pack.id(),
            first.id
        )]);
    }
    if pack.fight(id).is_none() && pack.chart(id).is_some() {
        return Err(vec![format!(
            "`{id}` is a chart, not a fight: adjutant odds {} {id}",
            pack.id()
        )]);
    }
    let mut situation = FightSituation::new(pack, id)
        .map_err(|error| vec![adjutant_wording::en::input_error(&error)])?;
    let (refused, more) = setup::tell(&mut situation, given);
    let mut wrong: Vec<String> =
        refused.into_iter().map(|(_, refusal)| refusal).chain(more).collect();
    match answers_of(pack, &situation.fight().title, &situation.fight().charts(pack), answers) {
        Ok(taken) => situation.asked.answers = taken,
        Err(more) => wrong.extend(more),
    }
    if wrong.is_empty() { Ok(situation) } else { Err(wrong) }
}

/// The chances, and how many ways it can stand when a round begins.
pub fn weigh(
    situation: &FightSituation<'_>,
    memory: usize,
    until: Instant,
) -> Result<(FightOdds, usize), OddsError> {
    let stop = || Instant::now() >= until;
    let limits = FightLimits { memory, stop: &stop, ..FightLimits::default() };
    let chain = FightChain::limited(situation, &limits)?;
    Ok((chain.solve_within(&limits)?, chain.standings()))
}

/// The same with the default limits; none if it would cost more.
pub fn weigh_if_small(situation: &FightSituation<'_>) -> Result<Option<FightOdds>, OddsError> {
    let budget = Budget::default();
    match weigh(situation, budget.memory, Instant::now() + budget.time) {
        Ok((odds, _)) => Ok(Some(odds)),
        Err(OddsError::TooLarge(_) | OddsError::OverLimit(_)) => Ok(None),
        Err(stop) => Err(stop),
    }
}

/// The default memory limit of a fight, in bytes.
pub fn memory() -> usize {
    Budget::default().memory
}

/// Until when a fight is played: `-n` asks for so many however long they take, unless `--max-time`
/// is given too.
fn play_until(asked: &Asked) -> Option<Until> {
    let (enough, latest) = match (asked.samples, asked.max_time.map(Duration::from_secs)) {
        (Some(_), None) => return None,
        (_, Some(time)) => (time, time),
        (None, None) => (PATIENCE, LATEST),
    };
    Some(Until { enough: Instant::now() + enough, latest: Instant::now() + latest })
}

/// That not one fight came to its end.
fn none_played() -> Vec<String> {
    vec!["not one fight was over in time: allow more with --max-time SECONDS, or let fewer units fight".into()]
}

/// The exact chances where there are any, else what playing shows.
fn look(situation: &FightSituation<'_>, asked: &Asked) -> Result<Outlook, Vec<String>> {
    let wrong = |stop: OddsError| sentences(situation.closed_by(), &stop);
    let budget = Budget::of(asked);
    let over = match weigh(situation, budget.memory, Instant::now() + budget.time) {
        Ok((odds, standings)) => return Ok(Outlook::weighed(odds, standings)),
        Err(OddsError::TooLarge(_)) => None,
        Err(OddsError::OverLimit(limit)) => Some(limit),
        Err(stop) => return Err(wrong(stop)),
    };
    let seed = asked.seed.map_or_else(new_seed, Ok).map_err(|why| vec![format!("{why:#}")])?;
    let fights = asked.samples.unwrap_or(FIGHTS);
    let tally = play(situation, seed, (fights, cores(), budget.memory), play_until(asked))
        .map_err(wrong)?;
    if tally.fights == 0 {
        return Err(none_played());
    }
    Ok(Outlook { over, ..Outlook::played(situation, &tally, seed) })
}
