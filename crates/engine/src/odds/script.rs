//! The input source of the reference algorithm: plays a list of picks, and notes what could come next
//! where the list ends.

use super::explore::{MAX_ROLLS, ended};
use super::request::{AnswerOdds, OddsError, OddsOptions, OpenQuestion, TooLarge, TooMany};
use super::search::Tried;
use crate::decks::Decks;
use crate::error::ResolveError;
use crate::resolution::Resolution;
use adjutant_dice::{
    Answer, CardRequest, DiceRequest, InputSource, Question, Site, SourceError, Text, ThrownBy,
    ways,
};
use num_bigint::BigUint;
use std::collections::HashMap;

/// One input that a run was given.
#[derive(Clone, Debug)]
pub(super) enum ExploredChoice {
    Dice(Vec<u32>),
    Card(u32),
    /// How many cards of each class were drawn at once.
    Cards(Vec<u32>),
    Answer(Answer),
}

/// Where a run stands at a roll or draw: the chart of the chain, the step with its inputs, and how
/// many cards of each class are left. From two such places with the same picks before the step, the
/// run goes on alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RunState {
    pub(super) chain: usize,
    pub(super) step: (u32, u32),
    pub(super) left: Vec<u32>,
}

/// Where a list of picks ended.
pub(super) enum End {
    /// What could come next, and in how many ways; and where the run stands, if that is all that
    /// counts.
    Fork(Vec<(ExploredChoice, BigUint)>, Option<RunState>),
    /// The run stands where it stood before.
    Round(RunState),
    Stop(OddsError),
}

/// Plays picks and notes where they end.
pub(super) struct Script<'a> {
    picks: &'a [ExploredChoice],
    next: usize,
    asked: &'a OddsOptions,
    said: &'a [(String, Answer)],
    classes: &'a HashMap<Text, Vec<u32>>,
    /// Whether going round a step leaves nothing behind but cards of its own deck.
    goes_round: bool,
    /// Which chart of the chain is being run.
    pub(super) chain: usize,
    /// Where the run stood at each pick.
    pub(super) stood: Vec<Option<RunState>>,
    /// The deck that was drawn from first.
    pub(super) deck: Option<String>,
    pub(super) end: Option<End>,
}

impl<'a> Script<'a> {
    /// For something that draws no cards and comes to no place twice.
    pub(super) fn new(
        picks: &'a [ExploredChoice],
        asked: &'a OddsOptions,
        said: &'a [(String, Answer)],
        classes: &'a HashMap<Text, Vec<u32>>,
        goes_round: bool,
    ) -> Script<'a> {
        Script {
            picks,
            next: 0,
            asked,
            said,
            classes,
            goes_round,
            chain: 0,
            stood: Vec::new(),
            deck: None,
            end: None,
        }
    }

    /// What came of a run with these picks. A run that stopped says why, unless its picks ended.
    pub(super) fn tried<K>(
        mut self,
        ran: Result<K, Option<Box<ResolveError>>>,
        resolution: &Resolution,
        decks: Decks,
    ) -> Result<Tried<K>, OddsError> {
        let end = match ran {
            Ok(kept) => Ok(kept),
            Err(refused) => Err(ended(self.end.take(), refused, resolution)?),
        };
        Ok(Tried { end, stood: self.stood, deck: self.deck, decks })
    }

    fn next_pick(&mut self) -> Option<ExploredChoice> {
        let pick = self.picks.get(self.next).cloned();
        self.next += 1;
        pick
    }

    fn standing(&self, site: Site, left: Vec<u32>) -> Option<RunState> {
        (site.unchanged && self.goes_round).then_some(RunState {
            chain: self.chain,
            step: (site.step, site.attempt),
            left,
        })
    }

    /// Notes where the picks ended.
    fn fork(
        &mut self,
        ways: Vec<(ExploredChoice, BigUint)>,
        standing: Option<RunState>,
    ) -> SourceError {
        let before = standing
            .as_ref()
            .filter(|here| self.stood.iter().flatten().any(|known| known == *here));
        self.end = Some(match before {
            Some(before) => End::Round(before.clone()),
            None => End::Fork(ways, standing),
        });
        SourceError::Paused
    }
}

impl InputSource for Script<'_> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        let standing = self.standing(ask.site, Vec::new());
        if let Some(ExploredChoice::Dice(faces)) = self.next_pick() {
            self.stood.push(standing);
            return Ok(faces);
        }
        match ways(ask) {
            Ok(ways) => Err(self.fork(
                ways.into_iter().map(|way| (ExploredChoice::Dice(way.faces), way.ways)).collect(),
                standing,
            )),
            Err(_) => {
                let size = u128::from(ask.sides).saturating_pow(ask.count);
                let large = TooLarge {
                    of: TooMany::Ways,
                    step: Some(ask.key.into()),
                    size,
                    limit: MAX_ROLLS as u128,
                };
                self.end = Some(End::Stop(OddsError::TooLarge(large)));
                Err(SourceError::Paused)
            }
        }
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        self.deck.get_or_insert_with(|| ask.deck_id.to_owned());
        let classes = self.classes.get(ask.deck_id);
        let left = left_of(classes, ask);
        let standing = self.standing(ask.site, left.clone());
        if let Some(ExploredChoice::Card(class)) = self.next_pick() {
            self.stood.push(standing);
            // A card of the class that is still there stands for all of them.
            return ask
                .deck
                .cards()
                .find(|card| class_of(classes, *card) == class)
                .ok_or(SourceError::Paused);
        }
        let ways = (0..)
            .zip(left)
            .filter(|(_, count)| *count > 0)
            .map(|(class, count)| (ExploredChoice::Card(class), BigUint::from(count)));
        Err(self.fork(ways.collect(), standing))
    }

    /// Several cards at once: how many of each class, in as many ways as they can be picked.
    fn cards(&mut self, ask: &CardRequest<'_>, count: u32) -> Result<Vec<u32>, SourceError> {
        self.deck.get_or_insert_with(|| ask.deck_id.to_owned());
        let classes = self.classes.get(ask.deck_id);
        if let Some(ExploredChoice::Cards(counts)) = self.next_pick() {
            self.stood.push(None);
            let mut open = counts;
            let mut drawn = Vec::new();
            for card in ask.deck.cards() {
                if let Some(open) = open.get_mut(class_of(classes, card) as usize)
                    && *open > 0
                {
                    *open -= 1;
                    drawn.push(card);
                }
            }
            return Ok(drawn);
        }
        let mut ways = Vec::new();
        picked(&left_of(classes, ask), count, &mut Vec::new(), BigUint::from(1_u32), &mut ways);
        if ways.len() > MAX_ROLLS {
            let large = TooMany::Ways.beyond(ways.len(), MAX_ROLLS);
            self.end = Some(End::Stop(large));
            return Err(SourceError::Paused);
        }
        Err(self.fork(ways, None))
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        let fixed = self.said.iter().find(|(key, _)| key == ask.key).map(|(_, answer)| answer);
        let taken =
            self.asked.answers.iter().find(|(key, _)| key == ask.key).map(|(_, taken)| taken);
        match (fixed, taken) {
            (Some(answer), _) | (None, Some(AnswerOdds::Always(answer))) => Ok(given(ask, answer)),
            (None, Some(AnswerOdds::Weighed(answers))) => {
                if let Some(ExploredChoice::Answer(answer)) = self.next_pick() {
                    self.stood.push(None);
                    return Ok(given(ask, &answer));
                }
                let ways = answers
                    .iter()
                    .map(|(answer, weight)| {
                        (ExploredChoice::Answer(answer.clone()), BigUint::from(*weight))
                    })
                    .collect();
                Err(self.fork(ways, None))
            }
            (None, None)
                if self.asked.may_assume(ask.key)
                    && ask.assume.is_some_and(|assume| ask.accepts.holds(assume)) =>
            {
                ask.assume.cloned().ok_or(SourceError::Paused)
            }
            (None, None) => {
                let open = OpenQuestion {
                    key: ask.key.into(),
                    prompt: ask.prompt.into(),
                    accepts: ask.accepts.clone(),
                };
                self.end = Some(End::Stop(OddsError::Open(open)));
                Err(SourceError::Paused)
            }
        }
    }

    fn thrown_by(&self) -> ThrownBy {
        ThrownBy::Program
    }
}

/// An answer given for all cases: a face is picked if it lies there, else what is assumed.
pub(super) fn given(ask: &Question<'_>, answer: &Answer) -> Answer {
    let lies = ask.accepts.holds(answer);
    let first = || ask.accepts.words()?.first().map(|word| Answer::Choice(word.id.clone()));
    let instead = || ask.assume.cloned().or_else(first);
    match lies || !matches!(answer, Answer::Choice(_)) {
        true => answer.clone(),
        false => instead().unwrap_or_else(|| answer.clone()),
    }
}

/// How many cards of each class are left.
fn left_of(classes: Option<&Vec<u32>>, ask: &CardRequest<'_>) -> Vec<u32> {
    let most = classes.and_then(|classes| classes.iter().max());
    let mut left = vec![0; most.map_or(0, |most| *most as usize + 1)];
    for card in ask.deck.cards() {
        if let Some(count) = left.get_mut(class_of(classes, card) as usize) {
            *count += 1;
        }
    }
    left
}

/// Every way to pick so many cards, by their numbers in each class. Stops where there are too many.
fn picked(
    left: &[u32],
    count: u32,
    before: &mut Vec<u32>,
    ways: BigUint,
    found: &mut Vec<(ExploredChoice, BigUint)>,
) {
    let Some((here, rest)) = left.split_first() else {
        if count == 0 {
            found.push((ExploredChoice::Cards(before.clone()), ways));
        }
        return;
    };
    let after: u32 = rest.iter().sum();
    for taken in count.saturating_sub(after)..=count.min(*here) {
        if found.len() > MAX_ROLLS {
            return;
        }
        before.push(taken);
        let of_class = num_integer::binomial(BigUint::from(*here), BigUint::from(taken));
        picked(rest, count - taken, before, &ways * of_class, found);
        before.pop();
    }
}

fn class_of(classes: Option<&Vec<u32>>, card: u32) -> u32 {
    classes.and_then(|classes| classes.get(card as usize - 1)).copied().unwrap_or(card)
}
