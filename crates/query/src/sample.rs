//! A chart or a fight, sampled many times, and the counts beside the exact chances. The work is cut
//! into blocks with luck of their own, so a seed means the same counts for any number of threads.

use crate::Work;
use crate::error::QueryError;
use crate::fight::{Playing, exactly, fight_situation, play};
use crate::idle::{Asked, refuse_idle};
use crate::odds::question;
use crate::parallel::{self, Blocks};
use crate::vary::refuse_unasked;
use adjutant_api::{
    ChartQuery, Known, NotFollowedData, SampleData, SampledMean, SampledMeans, SampledOutcome,
    Topic,
};
use adjutant_engine::{
    Chance, Counted, FightLimits, FightOdds, FightSituation, FightTally, OddsError, OutcomeChance,
    Sampler, Tally, Unfollowed, chi_square,
};
use adjutant_pack::{Id, Pack};
use std::time::Duration;

/// The id of a fight that goes on without end, among its ends.
const NEVER: &str = "never";
/// The limits within which the exact odds of a fight are looked for beside the counts.
const EXACT_TIME: Duration = Duration::from_secs(60);
const EXACT_MEMORY: usize = 1_000_000_000;

/// The chart or fight that is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject<'p> {
    /// A chart, by id and title.
    Chart(&'p str, &'p str),
    /// A fight, by id and title.
    Fight(&'p str, &'p str),
}

/// The counts of a sample, with the exact chances where they are known.
#[derive(Debug)]
pub struct Sampled<'p> {
    /// The pack of the chart or fight.
    pub pack: &'p Pack,
    /// The chart or fight.
    pub what: Subject<'p>,
    /// The outcomes with their counts and chances.
    pub lines: Vec<Counted>,
    /// Of a fight: rounds, and what each side lost.
    pub means: Vec<MeanLine>,
    /// The charts that would follow and were not run.
    pub unfollowed: Vec<Unfollowed>,
    /// The exactness of the chances that stand beside the counts.
    pub known: Known,
    /// The number of samples asked for.
    pub asked: u64,
    /// The number of samples made before the time was over.
    pub done: u64,
    /// The seed that gives the same counts again.
    pub seed: u64,
    /// The number of threads that worked.
    pub threads: usize,
    /// The time that the samples took.
    pub took: Duration,
}

/// Something counted on average.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanLine {
    /// `rounds`, or the id of a side.
    pub id: String,
    /// The words for it in a table.
    pub title: String,
    /// The mean of all samples.
    pub mean: f64,
    /// Half the width of its 95 % interval.
    pub off: f64,
    /// The expected number, where it is known.
    pub exact: Option<Chance>,
}

/// Samples the chart or fight of a request.
pub fn sample<'p>(
    pack: &'p Pack,
    query: &ChartQuery,
    samples: u64,
    work: &Work,
) -> Result<Sampled<'p>, QueryError> {
    let seed = work.seed(query.seed).map_err(QueryError::NoLuck)?;
    match query.topic {
        Topic::Chart(_) => sample_chart(pack, query, (seed, samples), work),
        Topic::Fight(_) => sample_fight(pack, query, (seed, samples), work),
    }
}

fn sample_chart<'p>(
    pack: &'p Pack,
    query: &ChartQuery,
    (seed, samples): (u64, u64),
    work: &Work,
) -> Result<Sampled<'p>, QueryError> {
    refuse_idle(query, Asked::Sample)?;
    let asked = question(pack, query, work.stop.clone())?;
    asked.check()?;
    let sampler = Sampler::new(&asked.situation, &asked.options)?;
    let started = work.clock.now();
    let part = |blocks: &Blocks| -> Result<Tally, OddsError> {
        let mut own = Tally::default();
        while let Some(block) = blocks.next() {
            let before = own.samples();
            sampler.sample_block(seed, block, samples, &mut own)?;
            blocks.did(own.samples() - before);
        }
        Ok(own)
    };
    let mut tally = Tally::default();
    parallel::run(work, (sampler.blocks(samples), samples), part, |part| tally.add(part))?;
    let chart = asked.situation.chart();
    let mut lines = sampler.counted(&tally);
    lines.sort_by_cached_key(|line| adjutant_engine::sheet_place(pack, chart, &line.what));
    Ok(Sampled {
        pack,
        what: Subject::Chart(&chart.id, &chart.title),
        lines,
        means: Vec::new(),
        unfollowed: sampler.unfollowed(&tally),
        known: if sampler.is_exact() { Known::Exact } else { Known::No },
        asked: samples,
        done: tally.samples(),
        seed,
        threads: work.threads,
        took: work.clock.now().saturating_sub(started),
    })
}

fn sample_fight<'p>(
    pack: &'p Pack,
    query: &ChartQuery,
    (seed, samples): (u64, u64),
    work: &Work,
) -> Result<Sampled<'p>, QueryError> {
    let situation = fight_situation(pack, query)?;
    refuse_unasked([situation.check_answers()])?;
    let end = work.until(work.clock.now() + EXACT_TIME);
    let late = || end.is_due();
    let limits = FightLimits { memory: EXACT_MEMORY, stop: &late, ..FightLimits::default() };
    let odds = match exactly(&situation, &limits) {
        Ok((odds, _)) => Some(odds),
        Err(OddsError::TooLarge(_) | OddsError::OverLimit(_)) => None,
        Err(stop) => return Err(stop.into()),
    };
    let started = work.clock.now();
    let (enough, latest) = (work.stop.clone(), work.stop.clone());
    let playing = Playing { seed, fights: samples, memory: EXACT_MEMORY, enough, latest };
    let tally = play(&situation, &playing, work)?;
    let fight = situation.fight();
    Ok(Sampled {
        pack,
        what: Subject::Fight(&fight.id, &fight.title),
        lines: fight_lines(&situation, odds.as_ref(), &tally),
        means: fight_means(&situation, odds.as_ref(), &tally),
        unfollowed: Vec::new(),
        known: known(odds.as_ref()),
        asked: samples,
        done: tally.fights,
        seed,
        threads: work.threads,
        took: work.clock.now().saturating_sub(started),
    })
}

/// The exactness of the chances that stand beside the counts of a fight.
fn known(odds: Option<&FightOdds>) -> Known {
    match odds {
        None => Known::No,
        Some(odds) if odds.exact => Known::Exact,
        Some(_) => Known::Near,
    }
}

/// The count of each decision, beside its chance.
fn fight_lines(
    situation: &FightSituation<'_>,
    odds: Option<&FightOdds>,
    tally: &FightTally,
) -> Vec<Counted> {
    let none = Chance::sum([]);
    let line = |id: String, title: String, chance: Chance, count: u64| Counted {
        what: OutcomeChance {
            chart: None,
            of: None,
            id: id.into(),
            title: title.into(),
            on: None,
            label: None,
            chance,
        },
        count,
    };
    let chance = |id: &str| {
        odds.and_then(|odds| odds.ends.iter().find(|end| end.id == id))
            .map_or(none.clone(), |end| end.chance.clone())
    };
    let ends = situation.decisions().into_iter().enumerate().map(|(place, (id, title))| {
        let (chance, count) = (chance(&id), tally.count(|end| end.decision == place));
        line(id, title, chance, count)
    });
    let never = odds.map_or(none.clone(), |odds| odds.never.clone());
    ends.chain([line(NEVER.into(), "Never decided".into(), never, tally.undecided)]).collect()
}

/// Rounds and losses on average, beside what is expected.
fn fight_means(
    situation: &FightSituation<'_>,
    odds: Option<&FightOdds>,
    tally: &FightTally,
) -> Vec<MeanLine> {
    let rounds = tally.rounds().map(|(mean, off)| MeanLine {
        id: "rounds".into(),
        title: "Rounds".into(),
        mean,
        off,
        exact: odds.and_then(|odds| odds.rounds.clone()),
    });
    let lost = situation.fight().sides.iter_enumerated().map(|(place, side)| {
        let (mean, off) = tally.lost(place, situation.count(place));
        MeanLine {
            id: side.id.clone(),
            title: format!("{}: lost of {}", side.title, situation.count(place)),
            mean,
            off,
            exact: odds.map(|odds| odds.sides[place.index()].lost.clone()),
        }
    });
    rounds.into_iter().chain(lost).collect()
}

impl Sampled<'_> {
    /// The answer as the JSON API has it.
    pub fn data(&self) -> SampleData<'_> {
        let near = self.known == Known::Near;
        let mean = |line: &MeanLine| {
            let mean = SampledMean::new(line.mean, line.off, line.exact.as_ref(), near);
            (line.id.clone(), mean)
        };
        let (rounds, lost): (Vec<_>, Vec<_>) =
            self.means.iter().map(mean).partition(|(id, _)| id == "rounds");
        let (chart, fight) = match self.what {
            Subject::Chart(id, _) => (Some(id), None),
            Subject::Fight(id, _) => (None, Some(id)),
        };
        SampleData {
            pack: self.pack.id(),
            chart,
            fight,
            asked: self.asked,
            samples: self.done,
            seed: self.seed,
            threads: self.threads,
            seconds: self.took.as_secs_f64(),
            exact: self.known == Known::Exact,
            outcomes: self
                .lines
                .iter()
                .map(|line| SampledOutcome::new(line, self.done, self.known))
                .collect(),
            not_followed: self
                .unfollowed
                .iter()
                .map(|what| NotFollowedData::new(what, None))
                .collect(),
            chi_square: chi_square(&self.lines).filter(|_| self.known != Known::No).map(Into::into),
            means: fight.map(|_| SampledMeans {
                rounds: rounds.into_iter().next().map(|(_, mean)| mean),
                lost: lost.into_iter().collect(),
            }),
        }
    }
}
