//! A fight played many times, by many hands. Each block of fights has luck of its own and begins
//! with a player who remembers nothing, so the counts depend on the seed and on nothing else.

use crate::worker_pool::{self, Work};
use adjutant_engine::{
    FightLimits, FightPlayer, FightSituation, FightTally, Limit, OddsError, SampleRng,
};
use std::time::Instant;

/// How many fights have luck of their own in common.
pub const BLOCK: u64 = 1 << 10;

/// Each hand may use so many bytes however little memory is allowed: one fight must fit.
const LEAST_MEMORY: usize = 50_000_000;

/// When to stop playing: at the first moment if a fight is over, at the second in any case.
#[derive(Clone, Copy)]
pub struct Until {
    pub enough: Instant,
    pub latest: Instant,
}

/// Plays so many fights with so many threads and bytes, or as many fights as there is time for.
pub fn play(
    situation: &FightSituation<'_>,
    seed: u64,
    (fights, threads, memory): (u64, usize, usize),
    until: Option<Until>,
) -> Result<FightTally, OddsError> {
    let mut whole = FightTally::default();
    let hand =
        |work: &Work| play_blocks(situation, seed, (fights, memory / threads.max(1)), until, work);
    worker_pool::run(
        (fights.div_ceil(BLOCK), fights, threads, until.map(|until| until.enough)),
        hand,
        |part| whole.add(part),
    )?;
    Ok(whole)
}

/// One hand's part.
pub fn play_blocks(
    situation: &FightSituation<'_>,
    seed: u64,
    (fights, memory): (u64, usize),
    until: Option<Until>,
    work: &Work,
) -> Result<FightTally, OddsError> {
    let mut tally = FightTally::default();
    // One fight may be long: Ctrl-C and the end of the time are heard within it too.
    let stop = || {
        let over = |until: Until| {
            Instant::now() >= if work.has_started() { until.enough } else { until.latest }
        };
        work.halted() || until.is_some_and(over)
    };
    let limits =
        FightLimits { memory: memory.max(LEAST_MEMORY), stop: &stop, ..FightLimits::default() };
    match play_all(situation, seed, fights, work, &limits, &mut tally) {
        Err(OddsError::OverLimit(Limit::Time)) => Ok(tally),
        done => done.map(|()| tally),
    }
}

fn play_all(
    situation: &FightSituation<'_>,
    seed: u64,
    fights: u64,
    work: &Work,
    limits: &FightLimits<'_>,
    tally: &mut FightTally,
) -> Result<(), OddsError> {
    // The block is taken first: getting ready may take a while.
    let mut next = work.next();
    let mut player = FightPlayer::limited(situation, limits)?;
    while let Some(block) = next {
        let mut luck = SampleRng::of_block(seed, block);
        for _ in 0..BLOCK.min(fights - block * BLOCK) {
            tally.note(player.play_within(&mut luck, limits)?);
            work.did(1);
        }
        next = work.next();
        if next.is_some() {
            player.afresh_within(limits)?;
        }
    }
    Ok(())
}
