//! What the caller brings: time, luck, threads, and when to stop.

use adjutant_dice::{DiceRequest, InputSource, RandomInput, SourceError};
use adjutant_engine::Stop;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Tells the time since some moment that does not change.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Clock {
    /// A clock of the caller.
    pub fn new(time: impl Fn() -> Duration + Send + Sync + 'static) -> Clock {
        Clock(Arc::new(time))
    }

    /// The time since a moment that the caller chose.
    pub fn now(&self) -> Duration {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

/// Brings unpredictable dice and cards.
#[derive(Clone)]
pub struct Luck(Arc<dyn Fn() -> Result<RandomInput, SourceError> + Send + Sync>);

impl Luck {
    /// Luck of the caller.
    pub fn new(
        luck: impl Fn() -> Result<RandomInput, SourceError> + Send + Sync + 'static,
    ) -> Luck {
        Luck(Arc::new(luck))
    }
}

impl fmt::Debug for Luck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Luck")
    }
}

/// Is told how many samples of how many are done, now and then.
#[derive(Clone)]
pub struct Progress(Arc<dyn Fn(u64, u64) + Send + Sync>);

impl Progress {
    /// Calls the function with the samples done and the samples asked for.
    pub fn new(tell: impl Fn(u64, u64) + Send + Sync + 'static) -> Progress {
        Progress(Arc::new(tell))
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}

/// The parts of long work that come from outside: when to give up, the time, luck, and threads.
#[derive(Clone, Debug)]
pub struct Work {
    /// The caller wants the work to end. It is asked by the calling thread and by the others.
    pub stop: Stop,
    /// The clock by which limits of time are kept.
    pub clock: Clock,
    /// Luck for a request without a seed.
    pub luck: Luck,
    /// The most threads at once. A seed gives the same counts for any number.
    pub threads: usize,
    /// Is told how far a simulation is.
    pub progress: Option<Progress>,
}

impl Work {
    /// Work on the calling thread.
    pub fn new(stop: Stop, clock: Clock, luck: Luck) -> Work {
        Work { stop, clock, luck, threads: 1, progress: None }
    }

    /// The same work on so many threads.
    pub fn on_threads(self, threads: usize) -> Work {
        Work { threads, ..self }
    }

    /// The same work on the calling thread, for one part of several.
    pub(crate) fn alone(&self) -> Work {
        Work { threads: 1, progress: None, ..self.clone() }
    }

    pub(crate) fn tell(&self, done: u64, of: u64) {
        if let Some(Progress(tell)) = &self.progress {
            tell(done, of);
        }
    }

    /// Dice and cards: of this seed, else of no one's choice.
    pub(crate) fn luck(&self, seed: Option<u64>) -> Result<RandomInput, SourceError> {
        match seed {
            Some(seed) => Ok(RandomInput::seeded(seed)),
            None => (self.luck.0)(),
        }
    }

    /// A seed of nine digits, so that a person can type it in again.
    pub fn seed(&self, given: Option<u64>) -> Result<u64, SourceError> {
        if let Some(seed) = given {
            return Ok(seed);
        }
        let digits = self.luck(None)?.dice(&DiceRequest::new("seed", "a seed", 9, 10))?;
        Ok(digits.into_iter().fold(0, |seed, digit| seed * 10 + u64::from(digit % 10)))
    }

    /// The same work, which also ends at this time.
    pub(crate) fn until(&self, latest: Duration) -> Stop {
        let Work { stop, clock, .. } = self.clone();
        Stop::when(move || stop.is_due() || clock.now() >= latest)
    }
}
