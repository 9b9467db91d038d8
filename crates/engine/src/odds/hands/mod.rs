//! The outcomes of one handful of dice, as far as something reads them.
//!
//! The faces are evaluated once for each state; then the algebra of `adjutant_dice::handful` counts.
//! Boxes and single dice are counted die by die. A player's decision that depends on the dice is
//! counted by multisets of faces.

mod die_by_die;
mod multisets;

use super::request::{AnswerOdds, OddsError, OpenQuestion, TooLarge, TooMany};
use super::states::{Spread, States, read_in_step};
use crate::error::{NoOdds, ResolveError};
use crate::handful::{HandKind, order};
use crate::run::{Halt, Run};
use adjutant_dice::handful::{
    self, DiceKind, Die, DieFace, HandfulError, Live, Over, Reroll, Rules, Score,
};
use adjutant_dice::{Accepts, Answer, Number};
use adjutant_pack::{
    ChartId, Decision, Facet, NameSource, Roll, Slot, Step, StepId, Value, Word, Yields,
};
use num_bigint::BigUint;

/// What one handful comes to: the values of the names that are read, and the number before
/// modifiers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hand {
    pub values: Vec<(Slot, Value)>,
    pub natural: Option<Number>,
}

pub(super) struct Hands<'s, 'a, 'p> {
    pub states: &'s States<'a, 'p>,
    pub chart: ChartId,
    pub place: StepId,
    pub step: &'p Step,
    pub roll: &'s Roll,
    pub live: &'s [bool],
}

/// The rules of a roll in one state, ready for the algebra.
struct Ready<'p> {
    kinds: Vec<HandKind<'p>>,
    rules: Rules,
    dice: Vec<Die>,
}

/// The number of dice, the ends of one of them with what each adds, and all its ways.
type OneDie = (u32, Vec<(Vec<Number>, BigUint)>, BigUint);

/// What is summed over the dice.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sum {
    Worth,
    Tally(usize),
    Field(Word),
    Count(Word),
    One,
    Rerolled,
    /// The value of the die, where only one counts.
    Shown,
}

impl<'p> Hands<'_, '_, 'p> {
    /// All outcomes. None if the handful must be explored.
    pub fn all(&self, values: &[Option<Value>]) -> Result<Option<Spread<Hand>>, OddsError> {
        let facets = self.facets();
        let decided = match self.decisions(values)? {
            Some(decided) => decided,
            None => return self.by_multisets(values, &facets),
        };
        let die_by_die = facets
            .iter()
            .any(|(facet, _)| matches!(facet, Facet::Die(_) | Facet::Filled | Facet::Partly));
        let ready = match self.ready(values, &decided, &facets)? {
            Some(ready) => ready,
            None => return Ok(None),
        };
        if die_by_die {
            return self.die_by_die(values, &facets, &ready);
        }
        self.by_algebra(values, &facets, &ready)
    }

    /// The number of dice, what each end of one die adds to some names, in how many ways, and all
    /// ways together. Only for dice that are independent of each other.
    pub fn one_die(
        &self,
        values: &[Option<Value>],
        names: &[Slot],
    ) -> Result<Option<OneDie>, OddsError> {
        let decided = vec![true; self.roll.reroll.len()];
        let Some(ready) = self.ready(values, &decided, &[])? else { return Ok(None) };
        let ([kind], [die]) = (ready.kinds.as_slice(), ready.dice.as_slice()) else {
            return Ok(None);
        };
        let Some((ways, total)) = single(die, &ready.rules)? else { return Ok(None) };
        let facet = |slot: &Slot| {
            self.step.facets.iter().find(|(_, known)| known == slot).map(|(facet, _)| *facet)
        };
        let (sums, _) = self.states.at(self.chart, values, |run| {
            let mut sums = Vec::new();
            for end in die.finished() {
                let value = face_of(end.value, &ready.kinds);
                let score = run.score(self.roll, &ready.kinds, 0, value)?;
                let of = |slot: &Slot| match facet(slot) {
                    Some(Facet::Tally(tally)) => score.tallies[tally as usize],
                    Some(Facet::FaceField(field)) => kind.field(value, field),
                    Some(Facet::FaceCount(word)) => {
                        Number::from(u32::from(value == Value::Word(word)))
                    }
                    _ => score.worth.unwrap_or(Number::ZERO),
                };
                sums.push(names.iter().map(of).collect());
            }
            Ok(sums)
        })?;
        Ok(Some((kind.count, sums.into_iter().zip(ways).collect(), total)))
    }

    /// The facets that something reads, later or in the step itself.
    fn facets(&self) -> Vec<(Facet, Slot)> {
        let facets = self.step.facets.iter().copied();
        let read = |(facet, slot): &(Facet, Slot)| {
            *facet != Facet::Again
                && (self.live[adjutant_pack::Id::index(*slot)] || read_in_step(self.step, *slot))
        };
        facets.filter(read).collect()
    }

    /// Whether the rules that ask a player are used. None if that depends on the dice.
    fn decisions(&self, values: &[Option<Value>]) -> Result<Option<Vec<bool>>, OddsError> {
        let mut found = Vec::new();
        for rule in &self.roll.reroll {
            found.push(match &rule.ask {
                None => true,
                Some(ask) => match self.decision(ask, values)? {
                    Some(yes) => yes,
                    None => return Ok(None),
                },
            });
        }
        Ok(Some(found))
    }

    fn answered(&self, what: &str) -> Result<Option<Answer>, OddsError> {
        let key = format!("{}.{what}", self.step.name);
        let said = self.states.said.iter().find(|(known, _)| *known == key);
        if let Some((_, answer)) = said {
            return Ok(Some(answer.clone()));
        }
        match self.states.asked.answers.iter().find(|(known, _)| *known == key) {
            Some((_, AnswerOdds::Always(answer))) => Ok(Some(answer.clone())),
            // Such a roll is explored.
            Some((_, AnswerOdds::Weighed(_))) => Err(TooMany::Ways.beyond(0, 0)),
            None => Ok(None),
        }
    }

    fn decision(
        &self,
        ask: &Decision,
        values: &[Option<Value>],
    ) -> Result<Option<bool>, OddsError> {
        if let Some(answer) = self.answered("reroll")? {
            return Ok(Some(answer == Answer::YesNo(true)));
        }
        let key = format!("{}.reroll", self.step.name);
        let assume = ask.assume.as_ref().filter(|_| self.states.asked.may_assume(&key));
        let Some(assume) = assume else {
            return Err(OddsError::Open(OpenQuestion {
                key,
                prompt: ask.prompt.to_string(),
                accepts: Accepts::YesNo,
            }));
        };
        let chart = &self.states.situation.pack().charts()[self.chart];
        let own = |slot: &Slot| matches!(chart.names[*slot].origin, NameSource::Step(step, _) if step == self.place);
        if assume.slots().iter().any(own) {
            return Ok(None);
        }
        let (yes, _) = self.states.at(self.chart, values, |run| run.holds(assume))?;
        Ok(Some(yes))
    }

    /// The dice and rules of this state.
    fn ready(
        &self,
        values: &[Option<Value>],
        decided: &[bool],
        facets: &[(Facet, Slot)],
    ) -> Result<Option<Ready<'p>>, OddsError> {
        let watch = facets.iter().any(|(facet, _)| *facet == Facet::Rerolled);
        let (made, _) = self.states.at(self.chart, values, |run| {
            let mut entry = run.new_roll(self.step, crate::resolution::RollKind::Dice);
            let kinds = run.hand_kinds(self.place, self.step, self.roll, &mut entry)?;
            let rules = self.rules(run, decided, watch)?;
            let mut faces = Vec::new();
            for kind in &kinds {
                faces.push(self.faces(run, &kinds, kind, decided)?);
            }
            Ok((kinds, rules, faces))
        })?;
        let (kinds, rules, faces) = made;
        let mut dice = Vec::new();
        for faces in &faces {
            match Die::new(faces, &rules) {
                Ok(die) => dice.push(die),
                Err(_) => return Ok(None),
            }
        }
        Ok(Some(Ready { kinds, rules, dice }))
    }

    fn rules(
        &self,
        run: &mut Run<'p, '_, '_>,
        decided: &[bool],
        watch: bool,
    ) -> Result<Rules, Halt> {
        let roll = self.roll;
        let mut rerolls = Vec::new();
        for (rule, used) in roll.reroll.iter().zip(decided) {
            let dice = match &rule.dice {
                Some(dice) => Some(run.how_many(dice)?),
                None => None,
            };
            rerolls.push(Reroll { at_most: Some(if *used { rule.at_most } else { 0 }), dice });
        }
        let mut rules = Rules {
            rerolls,
            explode_at_most: roll.explode.as_ref().map_or(0, |rule| rule.at_most),
            extra_at_most: roll.extra.as_ref().map_or(0, |rule| rule.at_most),
            watch_rerolled: watch,
            ..Rules::default()
        };
        if let Some(keep) = &roll.keep {
            let many = |formula: Option<&adjutant_pack::Formula>| {
                formula.map(|formula| run.how_many(formula)).transpose()
            };
            (rules.keep_highest, rules.keep_lowest) = (many(keep.highest())?, many(keep.lowest())?);
        }
        if roll.choose.is_some() {
            rules.keep_highest = Some(1);
        }
        Ok(rules)
    }

    fn faces(
        &self,
        run: &mut Run<'p, '_, '_>,
        kinds: &[HandKind<'p>],
        kind: &HandKind<'p>,
        decided: &[bool],
    ) -> Result<Vec<DieFace>, Halt> {
        let mut faces = Vec::with_capacity(kind.faces());
        for place in 0..kind.faces() {
            let face = kind.value(place);
            let value = order(face, kinds);
            let mut rerolls = 0;
            for (bit, (rule, used)) in self.roll.reroll.iter().zip(decided).enumerate() {
                let applies = *used && run.face_holds(self.roll, kind, face, &rule.when)?;
                rerolls |= u32::from(applies) << bit;
            }
            let mut holds = |rule: &Option<adjutant_pack::Explode>| match rule {
                Some(rule) => run.face_holds(self.roll, kind, face, &rule.when),
                None => Ok(false),
            };
            let (explodes, brings_extra) = (holds(&self.roll.explode)?, holds(&self.roll.extra)?);
            faces.push(DieFace { value, order: value, rerolls, explodes, brings_extra });
        }
        Ok(faces)
    }

    /// What the sums are, and what else is asked of the algebra, for each facet.
    fn by_algebra(
        &self,
        values: &[Option<Value>],
        facets: &[(Facet, Slot)],
        ready: &Ready<'p>,
    ) -> Result<Option<Spread<Hand>>, OddsError> {
        let shown = self.roll.choose.is_some() || self.roll.yields == Yields::Face;
        let mut sums: Vec<Sum> = Vec::new();
        let mut live: Vec<Live> = Vec::new();
        let mut places: Vec<usize> = Vec::new();
        let mut ask = |live: &mut Vec<Live>, wanted: Live| {
            places.push(live.iter().position(|known| *known == wanted).unwrap_or_else(|| {
                live.push(wanted);
                live.len() - 1
            }));
        };
        let mut sum = |of: Sum, over: Over| {
            let place = sums.iter().position(|known| *known == of).unwrap_or_else(|| {
                sums.push(of);
                sums.len() - 1
            });
            Live::Sum(place, over)
        };
        for (facet, _) in facets {
            let wanted = match facet {
                Facet::Total | Facet::Natural if self.roll.yields == Yields::Number => {
                    sum(Sum::Worth, Over::Kept)
                }
                Facet::Total | Facet::Natural if shown => sum(Sum::Shown, Over::Kept),
                Facet::Tally(tally) => sum(Sum::Tally(*tally as usize), Over::Kept),
                Facet::FaceField(field) => sum(Sum::Field(*field), Over::Kept),
                Facet::FaceCount(word) => sum(Sum::Count(*word), Over::Kept),
                Facet::Dice => sum(Sum::One, Over::All),
                Facet::Rerolled => sum(Sum::Rerolled, Over::All),
                Facet::Highest => Live::Highest,
                Facet::Lowest => Live::Lowest,
                Facet::Doubles => Live::Doubles,
                Facet::Width => Live::Width,
                Facet::Height => Live::Height,
                Facet::Pair => Live::Pair,
                Facet::Pairs => Live::Pairs,
                Facet::Run => Live::Run,
                _ => return Ok(None),
            };
            ask(&mut live, wanted);
        }
        let Some(scores) = self.scores(values, ready, &sums)? else { return Ok(None) };
        let kinds: Vec<DiceKind<'_>> = ready
            .kinds
            .iter()
            .zip(&ready.dice)
            .zip(&scores)
            .map(|((kind, die), scores)| DiceKind { count: kind.count, die, scores })
            .collect();
        let found = match handful::distribution(&kinds, &ready.rules, &live, false) {
            Ok(found) => found,
            Err(HandfulError::Order | HandfulError::DieTooLarge) => return Ok(None),
            Err(error) => return Err(self.refused(error)),
        };
        let none: bool = ready.kinds.iter().all(|kind| kind.count == 0);
        // Each outcome is a hand of its own: every value of the algebra is a facet that is read.
        let hand = |outcome: handful::Outcome| {
            let mut hand = Hand { values: Vec::with_capacity(facets.len()), natural: None };
            for ((facet, slot), place) in facets.iter().zip(&places) {
                let n = outcome.values[*place];
                let value = self.value(*facet, n, ready, none);
                if matches!(facet, Facet::Total | Facet::Natural) {
                    hand.natural = value.number().filter(|_| self.roll.yields == Yields::Number);
                }
                hand.values.push((*slot, value));
            }
            (hand, outcome.ways)
        };
        let parts = adjutant_dice::map_of(found.outcomes.into_iter().map(hand));
        Ok(Some(Spread { parts, total: found.total }))
    }

    /// A number of the algebra as the value of a facet.
    fn value(&self, facet: Facet, n: Number, ready: &Ready<'p>, none: bool) -> Value {
        let first = ready.kinds.first().map(|kind| kind.value(0));
        let words = matches!(first, Some(Value::Word(_)));
        let shows = matches!(facet, Facet::Height | Facet::Pair)
            || (matches!(facet, Facet::Total | Facet::Natural) && self.roll.yields == Yields::Face);
        match facet {
            Facet::Doubles => Value::YesNo(n > Number::ZERO),
            _ if shows && words => {
                let nothing = self.states.situation.pack().words().find("none");
                let all = ready.kinds.iter();
                let mut faces =
                    all.flat_map(|kind| (0..kind.faces()).map(move |place| kind.value(place)));
                let found = faces.find(|face| order(*face, &ready.kinds) == n).filter(|_| !none);
                found.or(nothing.map(Value::Word)).unwrap_or(Value::Number(n))
            }
            _ => Value::Number(n),
        }
    }

    /// What each end of each die counts for.
    fn scores(
        &self,
        values: &[Option<Value>],
        ready: &Ready<'p>,
        sums: &[Sum],
    ) -> Result<Option<Vec<Vec<Score>>>, OddsError> {
        let chosen = match &self.roll.choose {
            Some(choose) if choose.by.is_some() => self.chosen(ready)?,
            _ => None,
        };
        let (scores, _) = self.states.at(self.chart, values, |run| {
            let mut scores = Vec::new();
            for (at, die) in ready.dice.iter().enumerate() {
                let mut of_die = Vec::new();
                for end in die.finished() {
                    let value = face_of(end.value, &ready.kinds);
                    let score = run.score(self.roll, &ready.kinds, at, value)?;
                    let mut rank = score.rank;
                    if let Some(choose) = &self.roll.choose {
                        rank = match &choose.best {
                            Some(best) => run.number(best)?,
                            None => Number::ZERO,
                        };
                        if chosen.as_ref() == Some(&run.face_name(value)) {
                            rank = Number::from(1_000_000_u32);
                        }
                    }
                    let of = |sum: &Sum| match sum {
                        Sum::Worth => score.worth.unwrap_or(Number::ZERO),
                        Sum::Tally(tally) => score.tallies[*tally],
                        Sum::Field(field) => ready.kinds[at].field(value, *field),
                        Sum::Count(word) => Number::from(u32::from(value == Value::Word(*word))),
                        Sum::One => Number::ONE,
                        Sum::Rerolled => Number::from(u32::from(end.rerolled)),
                        Sum::Shown => end.value,
                    };
                    of_die.push(Score { rank, sums: sums.iter().map(of).collect() });
                }
                scores.push(of_die);
            }
            Ok(scores)
        })?;
        Ok(Some(scores))
    }

    /// The face that a player picks wherever it lies, if the request says so. A choice without an
    /// order of the dice is open.
    fn chosen(&self, ready: &Ready<'p>) -> Result<Option<adjutant_dice::Text>, OddsError> {
        if let Some(Answer::Choice(face)) = self.answered("choose")? {
            return Ok(Some(face));
        }
        let key = format!("{}.choose", self.step.name);
        let ordered = self.roll.choose.as_ref().is_some_and(|choose| choose.best.is_some());
        let dice: u32 = ready.kinds.iter().map(|kind| kind.count).sum();
        if (ordered && self.states.asked.may_assume(&key)) || dice < 2 {
            return Ok(None);
        }
        let pack = self.states.situation.pack();
        let chart = &pack.charts()[self.chart];
        let known = crate::questions::questions(pack, chart).into_iter().find(|q| q.key == key);
        match known {
            Some(known) => Err(OddsError::Open(OpenQuestion {
                key: known.key,
                prompt: known.prompt,
                accepts: known.accepts,
            })),
            None => Err(TooMany::Ways.beyond(0, 0)),
        }
    }

    /// Why a handful has no odds.
    fn refused(&self, error: HandfulError) -> OddsError {
        let chart = &self.states.situation.pack().charts()[self.chart];
        match error {
            HandfulError::TooLarge { cells } => OddsError::TooLarge(TooLarge {
                of: TooMany::Cells,
                step: Some(self.step.name.clone()),
                size: cells,
                limit: handful::MOST_CELLS,
            }),
            HandfulError::Endless { .. } => {
                OddsError::Refused(NoOdds::Endless { chart: chart.title.clone() })
            }
            HandfulError::Number(error) => {
                let (chart, formula) = (chart.title.clone(), self.step.name.clone());
                let error = ResolveError::Formula { chart, formula, error };
                OddsError::Refused(NoOdds::Resolve(Box::new(error)))
            }
            _ => TooMany::Cells.beyond(0, 0).in_step(&self.step.name),
        }
    }
}

/// The ways of each end of one die, and all of them together.
fn single(die: &Die, rules: &Rules) -> Result<Option<(Vec<BigUint>, BigUint)>, OddsError> {
    if let Some((ways, total)) = die.ways() {
        return Ok(Some((ways.into_iter().map(BigUint::from).collect(), total.into())));
    }
    let ends = die.finished().len();
    let scores: Vec<Score> = (0..ends)
        .map(|end| {
            let n = Number::from(end as u32);
            Score { rank: n, sums: vec![n] }
        })
        .collect();
    let rules = Rules { keep_highest: None, keep_lowest: None, ..rules.clone() };
    let kinds = [DiceKind { count: 1, die, scores: &scores }];
    match handful::distribution(&kinds, &rules, &[Live::Sum(0, Over::All)], false) {
        Ok(found) => {
            let mut ways = vec![BigUint::ZERO; ends];
            for outcome in found.outcomes {
                let end = outcome.values[0].as_whole().and_then(|end| usize::try_from(end).ok());
                if let Some(place) = end.and_then(|end| ways.get_mut(end)) {
                    *place = outcome.ways;
                }
            }
            Ok(Some((ways, found.total)))
        }
        Err(HandfulError::Order | HandfulError::DieTooLarge) => Ok(None),
        Err(HandfulError::TooLarge { cells }) => Err(OddsError::TooLarge(TooLarge {
            of: TooMany::Cells,
            step: None,
            size: cells,
            limit: handful::MOST_CELLS,
        })),
        Err(_) => Ok(None),
    }
}

/// The face that a number of the algebra stands for.
fn face_of(n: Number, kinds: &[HandKind<'_>]) -> Value {
    let words = kinds.iter().flat_map(|kind| (0..kind.faces()).map(|place| kind.value(place)));
    match kinds.first().map(|kind| kind.value(0)) {
        Some(Value::Word(_)) => {
            let mut words = words.into_iter();
            words.find(|face| order(*face, kinds) == n).unwrap_or(Value::Number(n))
        }
        _ => Value::Number(n),
    }
}
