//! Who wins when charts are rolled until something is decided. The chances are exact where all
//! states of the fight can be computed; a larger fight is simulated, and the answer says so.

use crate::Work;
use crate::error::{InvalidInput, QueryError};
use crate::given::{answer_odds, give_all};
use crate::idle::{Asked, refuse_idle};
use crate::parallel::{self, Blocks};
use crate::vary::{Axis, axes, cell_place, cells, refuse_unasked};
use adjutant_api::{
    AxisQuery, ChartQuery, FightCell, FightLimitsQuery, FightOutlook, FightTable, OutlookData,
};
use adjutant_engine::{
    FightChain, FightLimits, FightOdds, FightPlayer, FightSituation, FightTally, Limit, OddsError,
    Outlook, SampleRng, Stop,
};
use adjutant_pack::{Field, Pack};
use std::borrow::Cow;
use std::time::Duration;

/// The number of fights that share one seed of the generator.
const BLOCK: u64 = 1 << 10;
/// The number of simulated fights, when a fight is too large for exact odds and there is time.
const FIGHTS: u64 = 200_000;
const FIGHTS_OF_A_CELL: u64 = 20_000;
/// The time for them, and the time until one fight must be over.
const ENOUGH: Duration = Duration::from_secs(3);
const LATEST: Duration = Duration::from_secs(30);
/// The time for all cells of a table together, and for each of them.
const ENOUGH_OF_A_TABLE: Duration = Duration::from_secs(6);
const ENOUGH_OF_A_CELL: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(2));
/// The seconds for exact odds, unless the caller says otherwise.
const EXACT_TIME: f64 = 60.0;
/// The memory for them in MB, unless the caller says otherwise.
const MEMORY: u64 = 1000;
/// A simulation may use so many bytes, however little memory is allowed: one fight must fit.
const LEAST_MEMORY: usize = 16 << 20;

/// The fight as it begins.
pub fn fight_situation<'p>(
    pack: &'p Pack,
    query: &ChartQuery,
) -> Result<FightSituation<'p>, QueryError> {
    refuse_idle(query, Asked::Fight)?;
    let mut situation = FightSituation::new(pack, query.topic.id())?;
    let mut wrong: Vec<InvalidInput> = give_all(query, |name, value| situation.give(name, value))
        .into_iter()
        .map(|(_, error)| InvalidInput::Input(error))
        .collect();
    for (name, value) in &query.options {
        wrong.extend(situation.set_option(name, value).err().map(InvalidInput::Input));
    }
    for (name, value) in &query.memory {
        wrong.extend(situation.set_memory(name, value).err().map(InvalidInput::Input));
    }
    let fight = situation.fight();
    match answer_odds(pack, &fight.title, &fight.charts(pack), query) {
        Ok(found) => situation.asked.answers = found,
        Err(more) => wrong.extend(more),
    }
    if wrong.is_empty() { Ok(situation) } else { Err(QueryError::Invalid(wrong)) }
}

/// The limits of time, memory and size for one fight.
#[derive(Clone, Debug)]
pub struct FightBudget {
    /// When to give up exact odds.
    pub exact: Stop,
    /// The time of a simulation, where there are no exact odds.
    pub play: PlayTime,
    /// The bytes that exact odds may take.
    pub memory: usize,
    /// The number of simulated fights.
    pub fights: u64,
    /// With more units on all sides together it is simulated at once.
    pub most_units: u32,
}

/// The time that a simulation may take.
#[derive(Clone, Debug)]
pub enum PlayTime {
    /// Until the caller says stop.
    Until(Stop),
    /// So long if a fight is over by then, else until one is, but not longer than `latest`.
    #[allow(missing_docs, reason = "the fields are clear")]
    For { enough: Duration, latest: Duration },
}

impl FightBudget {
    /// The limits of a request, with defaults where it names none.
    fn new(asked: &FightLimitsQuery, fights: u64, enough: Duration, work: &Work) -> FightBudget {
        let seconds = |time: f64| Duration::try_from_secs_f64(time).unwrap_or_default();
        let exact = seconds(asked.max_time.unwrap_or(EXACT_TIME));
        let memory = asked.max_memory.unwrap_or(MEMORY).saturating_mul(1_000_000);
        FightBudget {
            exact: work.until(work.clock.now() + exact),
            play: match (asked.samples, asked.max_time) {
                // So many, however long they take.
                (Some(_), None) => PlayTime::Until(work.stop.clone()),
                (_, Some(_)) => PlayTime::For { enough: exact, latest: exact },
                (None, None) => PlayTime::For { enough, latest: LATEST },
            },
            memory: usize::try_from(memory).unwrap_or(usize::MAX),
            fights: asked.samples.unwrap_or(fights),
            most_units: u32::MAX,
        }
    }
}

/// The answer to a request for a fight.
#[derive(Debug)]
pub struct FightAnswer<'p> {
    /// The fight as it begins, with the inputs given.
    pub situation: FightSituation<'p>,
    /// The chances, or what was counted.
    pub outlook: Outlook,
}

impl FightAnswer<'_> {
    /// The answer as the JSON API has it.
    pub fn data(&self) -> FightOutlook<'_> {
        FightOutlook::new(&self.situation, &self.outlook)
    }
}

/// Works out a fight exactly, or simulates it where that takes too long.
pub fn fight<'p>(
    pack: &'p Pack,
    query: &ChartQuery,
    limits: &FightLimitsQuery,
    work: &Work,
) -> Result<FightAnswer<'p>, QueryError> {
    let mut situation = fight_situation(pack, query)?;
    refuse_unasked([situation.check_answers()])?;
    let seed = work.seed(query.seed).map_err(QueryError::NoLuck)?;
    let budget = FightBudget::new(limits, FIGHTS, ENOUGH, work);
    let outlook = outlook(&mut situation, seed, &budget, work)?;
    Ok(FightAnswer { situation, outlook })
}

/// The exact chances where there are any, else what a simulation shows.
pub fn outlook(
    situation: &mut FightSituation<'_>,
    seed: u64,
    budget: &FightBudget,
    work: &Work,
) -> Result<Outlook, QueryError> {
    let units: u32 = situation.fight().sides.ids().map(|side| situation.count(side)).sum();
    situation.asked.stop = budget.exact.clone();
    let exact = (units <= budget.most_units).then(|| {
        let stop = || budget.exact.is_due();
        exactly(
            situation,
            &FightLimits { memory: budget.memory, stop: &stop, ..Default::default() },
        )
    });
    let over = match exact {
        Some(Ok((odds, standings))) => return Ok(Outlook::weighed(odds, standings)),
        None | Some(Err(OddsError::TooLarge(_))) => None,
        Some(Err(OddsError::OverLimit(limit))) => Some(limit),
        Some(Err(stop)) => return Err(stop.into()),
    };
    let (enough, latest) = match &budget.play {
        PlayTime::Until(stop) => (stop.clone(), stop.clone()),
        PlayTime::For { enough, latest } => {
            let now = work.clock.now();
            (work.until(now + *enough), work.until(now + *latest))
        }
    };
    situation.asked.stop = latest.clone();
    let playing = Playing { seed, fights: budget.fights, memory: budget.memory, enough, latest };
    let tally = play(situation, &playing, work)?;
    match tally.fights {
        0 if work.stop.is_due() => Err(QueryError::Stopped),
        0 => Err(QueryError::NoFightEnded),
        _ => Ok(Outlook { over, ..Outlook::played(situation, &tally, seed) }),
    }
}

/// The chances, and how many states there are when a round begins.
pub(crate) fn exactly(
    situation: &FightSituation<'_>,
    limits: &FightLimits<'_>,
) -> Result<(FightOdds, usize), OddsError> {
    let chain = FightChain::limited(situation, limits)?;
    Ok((chain.solve_within(limits)?, chain.standings()))
}

/// The limits of a simulation.
pub(crate) struct Playing {
    pub(crate) seed: u64,
    pub(crate) fights: u64,
    /// In bytes, for all threads together.
    pub(crate) memory: usize,
    /// When to stop if a fight is over, and when to stop in any case.
    pub(crate) enough: Stop,
    pub(crate) latest: Stop,
}

/// Plays a fight so often, or until it is time to stop. Each block of fights has luck of its own
/// and begins with a player who remembers nothing, so the counts depend on the seed alone.
pub(crate) fn play(
    situation: &FightSituation<'_>,
    playing: &Playing,
    work: &Work,
) -> Result<FightTally, OddsError> {
    let memory = (playing.memory / work.threads.max(1)).max(LEAST_MEMORY);
    let part = |blocks: &Blocks| {
        // One fight may be long: the end of the time is noticed within it too.
        let stop = || {
            blocks.is_halted()
                || playing.latest.is_due()
                || (blocks.has_started() && playing.enough.is_due())
        };
        let limits = FightLimits { memory, stop: &stop, ..FightLimits::default() };
        let mut tally = FightTally::default();
        match play_blocks(situation, playing, blocks, &limits, &mut tally) {
            // What was played until then counts.
            Err(OddsError::OverLimit(Limit::Time)) => Ok(tally),
            Err(OddsError::OverLimit(Limit::Memory)) if tally.fights > 0 => Ok(tally),
            done => done.map(|()| tally),
        }
    };
    let mut whole = FightTally::default();
    let fights = playing.fights;
    parallel::run(work, (fights.div_ceil(BLOCK), fights), part, |part| whole.add(part))?;
    Ok(whole)
}

/// Plays blocks until none is left, in one thread.
fn play_blocks(
    situation: &FightSituation<'_>,
    playing: &Playing,
    blocks: &Blocks,
    limits: &FightLimits<'_>,
    tally: &mut FightTally,
) -> Result<(), OddsError> {
    // The block is taken first: getting ready may take a while.
    let mut next = blocks.next();
    let mut player = FightPlayer::limited(situation, limits)?;
    while let Some(block) = next {
        let mut luck = SampleRng::of_block(playing.seed, block);
        for _ in 0..BLOCK.min(playing.fights - block * BLOCK) {
            tally.note(player.play_within(&mut luck, limits)?);
            blocks.did(1);
        }
        next = blocks.next().filter(|_| !(limits.stop)());
        if next.is_some() {
            player.afresh_within(limits)?;
        }
    }
    Ok(())
}

/// A fight over one or two inputs.
#[derive(Debug)]
pub struct FightGrid<'p> {
    /// The fight as it begins, without the inputs that vary.
    pub situation: FightSituation<'p>,
    /// Down, and across if two inputs vary.
    pub axes: Vec<Axis>,
    /// The cells, row by row.
    pub grid: Vec<Vec<Outlook>>,
}

/// A fight over one or two inputs.
pub fn vary_fight<'p>(
    pack: &'p Pack,
    query: &ChartQuery,
    over: &[AxisQuery],
    limits: &FightLimitsQuery,
    work: &Work,
) -> Result<FightGrid<'p>, QueryError> {
    let situation = fight_situation(pack, query)?;
    let fight = situation.fight();
    let inputs: Vec<(Cow<'_, str>, &Field)> =
        fight.inputs.iter().map(|input| (input.name.as_str().into(), &input.field)).collect();
    let axes = axes(&fight.title, &inputs, over)?;
    let seed = work.seed(query.seed).map_err(QueryError::NoLuck)?;
    let invalid = |error| QueryError::Invalid(vec![InvalidInput::Input(error)]);
    let cells = cells(&situation, &axes).map_err(invalid)?;
    refuse_unasked(cells.iter().flatten().map(FightSituation::check_answers))?;
    let grid = weigh_all(&cells, seed, limits, work)?;
    Ok(FightGrid { situation, axes, grid })
}

/// The outlook of every cell, each worked out by the next free thread.
fn weigh_all(
    cells: &[Vec<FightSituation<'_>>],
    seed: u64,
    limits: &FightLimitsQuery,
    work: &Work,
) -> Result<Vec<Vec<Outlook>>, QueryError> {
    let all: Vec<&FightSituation<'_>> = cells.iter().flatten().collect();
    let count = u32::try_from(all.len().max(1)).unwrap_or(u32::MAX);
    let threads = u32::try_from(work.threads.clamp(1, 1024)).unwrap_or(1);
    let enough =
        (ENOUGH_OF_A_TABLE * threads / count).clamp(ENOUGH_OF_A_CELL.0, ENOUGH_OF_A_CELL.1);
    // All cells share the time for exact odds. Those that are worked out at once share the memory.
    let mut budget = FightBudget::new(limits, FIGHTS_OF_A_CELL, enough, work);
    budget.memory /= work.threads.max(1);
    if limits.samples.is_none() {
        budget.play = PlayTime::For { enough, latest: LATEST };
    }
    let part = |blocks: &Blocks| -> Result<Vec<(usize, Outlook)>, QueryError> {
        let mut outlooks_here = Vec::new();
        while let Some(place) = blocks.next().and_then(|place| usize::try_from(place).ok()) {
            let mut here = all[place].clone();
            outlooks_here.push((place, outlook(&mut here, seed, &budget, &work.alone())?));
            blocks.did(1);
        }
        Ok(outlooks_here)
    };
    let mut outlooks_here: Vec<(usize, Outlook)> = Vec::new();
    parallel::run(work, (all.len() as u64, all.len() as u64), part, |part| {
        outlooks_here.extend(part)
    })?;
    if outlooks_here.len() < all.len() {
        return Err(QueryError::Stopped);
    }
    outlooks_here.sort_by_key(|(place, _)| *place);
    let mut outlooks = outlooks_here.into_iter().map(|(_, outlook)| outlook);
    Ok(cells.iter().map(|row| outlooks.by_ref().take(row.len()).collect()).collect())
}

impl FightGrid<'_> {
    /// The answer as the JSON API has it.
    pub fn data(&self) -> FightTable<'_> {
        let down = self.axes.first().map_or(&[][..], |axis| &axis.values);
        let mut cells = Vec::new();
        for (value, row) in down.iter().zip(&self.grid) {
            for (place, outlook) in row.iter().enumerate() {
                let at = cell_place(&self.axes, value, place);
                cells.push(FightCell { outlook: OutlookData::new(outlook), at });
            }
        }
        FightTable { pack: self.situation.pack().id(), fight: &self.situation.fight().id, cells }
    }
}
