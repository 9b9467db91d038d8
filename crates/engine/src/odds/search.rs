//! Tries every way that something can go: runs it with a list of picks, and where the picks end, goes
//! on with each of the next ones. A run that stands where it stood before adds nothing, so the rest
//! is weighted without it.

use super::explore::MAX_ROLLS;
use super::request::{OddsError, OddsOptions, TooMany};
use super::script::{End, ExploredChoice, RunState};
use crate::decks::Decks;
use crate::error::NoOdds;
use adjutant_dice::Text;
use num_bigint::BigUint;
use num_integer::Integer;
use std::collections::{BTreeMap, HashMap};

/// Weights over a total, and how much of it stands where it stood.
#[derive(Clone)]
pub(super) struct Weighed<K> {
    pub(super) outcomes: BTreeMap<K, BigUint>,
    rounds: BTreeMap<RunState, BigUint>,
    pub(super) total: BigUint,
}

/// Tries every way that something can go.
pub(super) struct Search<K> {
    /// The title of the chart, for errors.
    chart: Text,
    pub(super) rolls: usize,
    most: usize,
    stop: super::Stop,
    /// Whether any run drew a card.
    pub(super) drew: bool,
    /// What was found from a place before, by the picks before its step.
    known: HashMap<(String, RunState), Weighed<K>>,
}

/// Runs something with a list of picks.
pub(super) type Play<'a, K> = &'a dyn Fn(&[ExploredChoice]) -> Result<Tried<K>, OddsError>;

/// A run of some picks: how it came out or where it ended, and where it stood on the way.
pub(super) struct Tried<K> {
    pub(super) end: Result<K, End>,
    pub(super) stood: Vec<Option<RunState>>,
    /// The deck that was drawn from first.
    pub(super) deck: Option<String>,
    /// The decks as the run left them.
    pub(super) decks: Decks,
}

/// Where a run and the picks after it come to.
enum Reached<K> {
    Found(Weighed<K>),
    Fork(Fork<K>),
}

/// A place where the picks ended, while its ways are tried.
struct Fork<K> {
    /// Those not yet tried.
    ways: std::vec::IntoIter<(ExploredChoice, BigUint)>,
    /// The weight of the one that is being tried.
    weight: BigUint,
    parts: Vec<(BigUint, Weighed<K>)>,
    standing: Option<RunState>,
    key: Option<(String, RunState)>,
}

impl<K: Ord + Clone> Search<K> {
    pub(super) fn new(chart: &Text, asked: &OddsOptions) -> Search<K> {
        let most = asked.most.map_or(MAX_ROLLS, |most| most.min(MAX_ROLLS));
        let (chart, stop) = (chart.clone(), asked.stop.clone());
        Search { chart, rolls: 0, most, stop, drew: false, known: HashMap::new() }
    }

    /// Every way that `play` can go after some picks. The forks on the way are kept in a list: a
    /// chart may draw again hundreds of times, which is too deep for calls.
    pub(super) fn go(
        &mut self,
        play: Play<'_, K>,
        picks: &mut Vec<ExploredChoice>,
    ) -> Result<Weighed<K>, OddsError> {
        let mut forks: Vec<Fork<K>> = Vec::new();
        loop {
            let mut found = match self.run(play, picks)? {
                Reached::Found(found) => Some(found),
                Reached::Fork(fork) => {
                    forks.push(fork);
                    None
                }
            };
            // Back to the last fork with a way that was not tried.
            loop {
                let Some(fork) = forks.last_mut() else {
                    return found.ok_or_else(|| TooMany::Ways.beyond(0, 0));
                };
                if let Some(found) = found.take() {
                    picks.pop();
                    fork.parts.push((std::mem::take(&mut fork.weight), found));
                }
                if let Some((pick, weight)) = fork.ways.next() {
                    picks.push(pick);
                    fork.weight = weight;
                    break;
                }
                if let Some(fork) = forks.pop() {
                    found = Some(self.closed(fork)?);
                }
            }
        }
    }

    /// One run.
    fn run(
        &mut self,
        play: Play<'_, K>,
        picks: &[ExploredChoice],
    ) -> Result<Reached<K>, OddsError> {
        self.rolls += 1 + picks.len();
        if self.rolls > self.most {
            return Err(TooMany::Ways.beyond(self.rolls, self.most));
        }
        if self.stop.is_due() {
            return Err(OddsError::OverLimit(crate::fight::Limit::Time));
        }
        let one = || BigUint::from(1_u32);
        let tried = play(picks)?;
        self.drew |= tried.deck.is_some();
        let (ways, standing) = match tried.end {
            Ok(outcome) => {
                return Ok(Reached::Found(Weighed {
                    outcomes: adjutant_dice::one_entry(outcome, one()),
                    rounds: BTreeMap::new(),
                    total: one(),
                }));
            }
            Err(End::Stop(stop)) => return Err(stop),
            Err(End::Round(standing)) => {
                return Ok(Reached::Found(Weighed {
                    outcomes: BTreeMap::new(),
                    rounds: adjutant_dice::one_entry(standing, one()),
                    total: one(),
                }));
            }
            Err(End::Fork(ways, standing)) => (ways, standing),
        };
        let key = standing
            .clone()
            .map(|standing| (before_step(picks, &tried.stood, &standing), standing));
        let here = |place: &RunState| tried.stood.iter().flatten().any(|known| known == place);
        if let Some(found) = key
            .as_ref()
            .and_then(|key| self.known.get(key))
            .filter(|found| found.rounds.keys().all(here))
        {
            return Ok(Reached::Found(found.clone()));
        }
        let ways: Vec<_> = ways.into_iter().filter(|(_, ways)| *ways != BigUint::ZERO).collect();
        Ok(Reached::Fork(Fork {
            ways: ways.into_iter(),
            weight: BigUint::ZERO,
            parts: Vec::new(),
            standing,
            key,
        }))
    }

    /// What a fork comes to when all its ways are tried.
    fn closed(&mut self, fork: Fork<K>) -> Result<Weighed<K>, OddsError> {
        let found = together(fork.parts, fork.standing.as_ref());
        if found.total == BigUint::ZERO {
            return Err(OddsError::Refused(NoOdds::Endless { chart: self.chart.clone() }));
        }
        if let Some(key) = fork.key {
            self.known.insert(key, found.clone());
        }
        Ok(found)
    }
}

/// The picks made before a step began.
fn before_step(picks: &[ExploredChoice], stood: &[Option<RunState>], here: &RunState) -> String {
    let first = stood.iter().position(|known| {
        known.as_ref().is_some_and(|known| (known.chain, known.step) == (here.chain, here.step))
    });
    format!("{:?}", &picks[..first.unwrap_or(picks.len()).min(picks.len())])
}

/// The parts of a fork over one common total; what stands where this fork stands is left out.
fn together<K: Ord>(parts: Vec<(BigUint, Weighed<K>)>, standing: Option<&RunState>) -> Weighed<K> {
    let common = parts.iter().fold(BigUint::from(1_u32), |common, (_, part)| {
        if common == part.total { common } else { common.lcm(&part.total) }
    });
    let mut whole =
        Weighed { outcomes: BTreeMap::new(), rounds: BTreeMap::new(), total: BigUint::ZERO };
    for (ways, part) in parts {
        let scale = ways * (&common / &part.total);
        whole.total += &scale * &part.total;
        for (outcome, weight) in part.outcomes {
            *whole.outcomes.entry(outcome).or_default() += weight * &scale;
        }
        for (round, weight) in part.rounds {
            *whole.rounds.entry(round).or_default() += weight * &scale;
        }
    }
    if let Some(weight) = standing.and_then(|standing| whole.rounds.remove(standing)) {
        whole.total -= weight;
    }
    whole
}
