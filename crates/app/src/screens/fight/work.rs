//! The work of a fight, slice by slice: it is solved exactly if it has few states, else simulated.
//! Then the same, with a smaller limit, for each value of the varied input. A simulation continues
//! from slice to slice (`FightMemory`), so the cuts change no number, and a link shows everybody
//! the same.

use crate::message::{Command, ReplyTo};
use crate::parts::axis::Axis;
use adjutant_engine::{
    FightChain, FightMemory, FightOdds, FightPlayer, FightSituation, FightTally, NoOdds, OddsError,
    SampleRng,
};
use adjutant_pack::Field;

/// How many states are solved: at once, and after the first paint.
const STANDINGS: [usize; 2] = [400, 4000];
/// How often a larger fight is simulated, how often for a cell of the plot, and at most.
const FIGHTS: u64 = 10_000;
const CELL_FIGHTS: u64 = 1_000;
const MOST_FIGHTS: u64 = 1_000_000;
/// How long a slice should take, in milliseconds.
const SLICE: u32 = 40;
/// The most values of the input that is varied.
const MOST_VALUES: usize = 21;

/// The result for a fight.
#[derive(Debug)]
pub enum Known {
    /// Solved, with the number of states.
    Weighed(FightOdds, usize),
    /// Simulated.
    Played(FightTally),
    /// Neither, and why.
    Stopped(OddsError),
}

/// One fight: the whole, or a cell of the plot.
#[derive(Debug, Default)]
struct Look {
    known: Option<Known>,
    /// How many attempts to solve it were made.
    tries: usize,
    /// What the charts do.
    memory: FightMemory,
    /// How many slices were simulated.
    blocks: u64,
}

/// The whole work.
#[derive(Debug, Default)]
pub struct Work {
    number: u64,
    batch: u64,
    wanted: u64,
    main: Look,
    axis: Axis,
    /// The values of the input that is varied.
    pub values: Vec<String>,
    cells: Vec<Look>,
}

impl Work {
    /// New work. Replies for the old one are ignored.
    pub fn after(before: &Work) -> Work {
        Work { number: before.number + 1, batch: 8, wanted: FIGHTS, ..Work::default() }
    }

    /// Whether a reply is for this work.
    pub fn is(&self, number: u64) -> bool {
        number == self.number
    }

    /// Starts for this situation and axis.
    pub fn begin(&mut self, here: &FightSituation<'_>, axis: &Axis) {
        self.axis = axis.clone();
        self.values = match field_of(here, &axis.name) {
            Some(field) => axis.values(field, said(here, &axis.name).as_deref(), MOST_VALUES),
            None => Vec::new(),
        };
        self.cells = self.values.iter().map(|_| Look::default()).collect();
    }

    /// The result for the fight.
    pub fn known(&self) -> Option<&Known> {
        self.main.known.as_ref()
    }

    /// The result for each value.
    pub fn cells(&self) -> Option<Vec<&Known>> {
        self.cells
            .iter()
            .map(|look| look.known.as_ref().filter(|_| done(look, CELL_FIGHTS)))
            .collect()
    }

    /// How many fights are wanted.
    pub fn wanted(&self) -> u64 {
        self.wanted
    }

    /// Whether the fight itself is done.
    pub fn is_settled(&self) -> bool {
        done(&self.main, self.wanted)
    }

    /// Cells done, and all.
    pub fn progress(&self) -> (usize, usize) {
        (self.cells.iter().filter(|look| done(look, CELL_FIGHTS)).count(), self.cells.len())
    }

    /// Simulates more fights.
    pub fn more(&mut self) {
        self.wanted = (self.wanted * 4).min(MOST_FIGHTS);
    }

    /// Asks for a call back while there is work.
    pub fn call(&self) -> Vec<Command> {
        let (cells, all) = self.progress();
        let open = !self.is_settled() || cells < all;
        if open {
            vec![Command::NextFrame { reply_to: ReplyTo::Fight(self.number) }]
        } else {
            Vec::new()
        }
    }

    /// Adjusts the size of the next slice.
    pub fn pace(&mut self, took: u32) {
        self.batch = match took {
            0..SLICE => (self.batch * 2).min(2048),
            t if t > 2 * SLICE => (self.batch / 2).max(1),
            _ => self.batch,
        };
    }

    /// The next slice.
    pub fn go_on(&mut self, here: &FightSituation<'_>) {
        if !done(&self.main, self.wanted) {
            slice(&mut self.main, here, self.batch, self.wanted);
            return;
        }
        for (value, look) in self.values.iter().zip(&mut self.cells) {
            if !done(look, CELL_FIGHTS) {
                let mut there = here.clone();
                match there.give(&self.axis.name, value) {
                    Ok(()) => slice(look, &there, self.batch, CELL_FIGHTS),
                    Err(error) => {
                        look.known = Some(Known::Stopped(OddsError::Refused(NoOdds::Input(error))))
                    }
                }
                return;
            }
        }
    }
}

fn done(look: &Look, wanted: u64) -> bool {
    match &look.known {
        None => false,
        Some(Known::Played(tally)) => tally.fights >= wanted,
        Some(_) => true,
    }
}

/// One slice of one fight.
fn slice(look: &mut Look, here: &FightSituation<'_>, batch: u64, wanted: u64) {
    if let Some(most) = STANDINGS.get(look.tries) {
        look.tries += 1;
        let found = FightChain::within(here, *most)
            .and_then(|chain| Ok((chain.solve()?, chain.standings())));
        look.known = match found {
            Ok((odds, standings)) => Some(Known::Weighed(odds, standings)),
            Err(OddsError::TooLarge(_)) => None,
            Err(stop) => Some(Known::Stopped(stop)),
        };
        return;
    }
    let mut tally = match look.known.take() {
        Some(Known::Played(tally)) => tally,
        _ => FightTally::default(),
    };
    let left = wanted.saturating_sub(tally.fights);
    let played =
        FightPlayer::with(here, std::mem::take(&mut look.memory)).and_then(|mut player| {
            for _ in 0..batch.min(left) {
                // Every fight has its own random numbers, so that the slices do not change the
                // result.
                let mut luck = SampleRng::of_block(1, tally.fights);
                tally.note(player.play(&mut luck)?);
            }
            Ok(player.into_memory())
        });
    look.blocks += 1;
    look.known = match played {
        Ok(memory) => {
            look.memory = memory;
            Some(Known::Played(tally))
        }
        Err(stop) => Some(Known::Stopped(stop)),
    };
}

/// The field of an input of a fight.
pub fn field_of<'p>(here: &FightSituation<'p>, name: &str) -> Option<&'p Field> {
    here.fight().inputs.iter().find(|input| input.name == name).map(|input| &input.field)
}

/// The value of an input, given or by default.
pub fn said(here: &FightSituation<'_>, name: &str) -> Option<String> {
    here.known_inputs()
        .into_iter()
        .find(|(known, _)| known == name)
        .map(|(_, value)| value.to_string())
}
