//! A fight played many times, by many hands. Each block of fights has luck of its own and begins with a player who
//! remembers nothing, so the counts depend on the seed and on nothing else.

use crate::crew::{self, Work};
use std::time::Instant;
use umpire::{FightPlayer, FightSituation, FightTally, Luck, OddsStop};

/// How many fights have luck of their own in common.
pub const BLOCK: u64 = 1 << 10;

/// Plays so many fights, or as many as there is time for.
pub fn play(
    situation: &FightSituation<'_>,
    seed: u64,
    fights: u64,
    threads: usize,
    until: Option<Instant>,
) -> Result<FightTally, OddsStop> {
    let mut whole = FightTally::default();
    let hand = |work: &Work| play_blocks(situation, seed, fights, work);
    crew::run((fights.div_ceil(BLOCK), fights, threads, until), hand, |part| whole.add(part))?;
    Ok(whole)
}

/// One hand's part.
pub fn play_blocks(situation: &FightSituation<'_>, seed: u64, fights: u64, work: &Work) -> Result<FightTally, OddsStop> {
    let mut player = FightPlayer::new(situation)?;
    let mut tally = FightTally::default();
    while let Some(block) = work.next() {
        player.afresh()?;
        let mut luck = Luck::of_block(seed, block);
        for _ in 0..BLOCK.min(fights - block * BLOCK) {
            // One fight may be long, so Ctrl-C is heard after each.
            if work.halted() {
                break;
            }
            tally.note(player.play(&mut luck)?);
            work.did(1);
        }
    }
    Ok(tally)
}
