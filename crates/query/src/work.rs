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

    /// The time now.
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

/// What long work needs from outside: when to give up, the time, and luck.
#[derive(Clone, Debug)]
pub struct Work {
    /// The caller wants the work to end.
    pub stop: Stop,
    /// The time.
    pub clock: Clock,
    /// Luck for a request without a seed.
    pub luck: Luck,
}

impl Work {
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
