//! Applies a result: what replaces it, what changes, what follows. Changes are values; the caller
//! that has the units applies them.

use crate::change::{Change, ChangeTerms, NewUnits, Target};
use crate::coverage::CoveragePoint;
use crate::resolution::{ChitFor, FollowUp, Others, ResultLine};
use crate::run::{Halt, Run};
use adjutant_dice::{Answer, Number, Text};
use adjutant_pack::{
    BindingId, ChitRole, DeckId, EffectRule, FollowUpId, FollowUpRule, Formula, MemoryId,
    NameSource, Newcomers, Operation, ResultRule, RuleTerms, Slot, StatusId, Translate, Value,
};
use std::collections::BTreeMap;

/// The maximum number of times that a result can be replaced.
const MOST_REPLACED: usize = 8;

pub(crate) fn result_resolution(
    outcome: &ResultRule,
    on: Option<Text>,
    because: Option<Text>,
) -> ResultLine {
    ResultLine {
        id: outcome.id.clone(),
        title: outcome.title.clone(),
        means: outcome.means.clone(),
        on,
        because,
    }
}

impl Run<'_, '_, '_> {
    /// Applies a result with its effects and follow-ups.
    pub fn land(&mut self, landing: BindingId, because: Option<Text>) -> Result<ResultLine, Halt> {
        let (mut landing, mut because) = (landing, because);
        for _ in 0..MOST_REPLACED {
            let Some((other, why)) = self.instead(landing)? else { break };
            (landing, because) = (other, Some(why).filter(|why| !why.is_empty()));
        }
        let known = &self.chart.landings[landing];
        self.apply(&known.effects, &known.next)?;
        let outcome = &self.shared.pack.results()[known.result];
        Ok(result_resolution(outcome, known.on.map(|role| self.role(role).clone()), because))
    }

    /// Adds the changes and follow-ups to the resolution.
    pub fn apply(&mut self, effects: &[EffectRule], next: &[FollowUpRule]) -> Result<(), Halt> {
        if self.shared.skips.changes {
            let shuffles = |effect: &&EffectRule| effect.kind.reshuffled().is_some();
            return effects.iter().filter(shuffles).try_for_each(|effect| self.effect(effect));
        }
        self.shared.resolution.effects.reserve(effects.len());
        effects.iter().try_for_each(|effect| self.effect(effect))?;
        next.iter().try_for_each(|next| self.follow_up(next))
    }

    fn instead(&mut self, landing: BindingId) -> Result<Option<(BindingId, Text)>, Halt> {
        let known = &self.chart.landings[landing];
        for (line, instead) in known.instead.iter().enumerate() {
            if self.holds(&instead.when)? {
                self.shared.resolution.marks.push(CoveragePoint::Instead(known.result, line));
                return Ok(Some((instead.landing, instead.because.clone())));
            }
        }
        Ok(None)
    }

    fn effect(&mut self, effect: &EffectRule) -> Result<(), Halt> {
        if !self.holds_or(effect.when.as_ref(), true)? {
            return Ok(());
        }
        let on = match effect.kind.memory() {
            Some((memory, ..)) => self.whose_memory(*memory, effect),
            None if effect.kind.is_on_unit() || effect.nth.is_some() => self.target(effect)?,
            None => None,
        };
        if effect.kind.is_on_unit() && on.is_none() {
            return Ok(());
        }
        if let Some(deck) = effect.kind.reshuffled() {
            self.reshuffle(*deck, self.shared.owners.acting)?;
        }
        let kind = effect.kind.translate(self)?;
        self.shared.resolution.effects.push(Change { kind, on });
        Ok(())
    }

    /// The unit that an effect falls on; `None` if it names no role.
    fn target(&mut self, effect: &EffectRule) -> Result<Option<Target>, Halt> {
        let Some(role) = effect.on else { return Ok(None) };
        let nth = effect.nth.as_ref().map(|nth| self.answer(nth)).transpose()?;
        let nth = nth.map(|nth| match nth {
            Answer::Number(n) => n.as_whole().and_then(|n| u32::try_from(n).ok()).unwrap_or(0),
            _ => 0,
        });
        Ok(Some(Target { role: self.role(role).clone(), all: effect.all, nth }))
    }

    /// The unit whose side remembers; none for a memory of the whole game.
    fn whose_memory(&self, memory: MemoryId, effect: &EffectRule) -> Option<Target> {
        let role = effect.on.filter(|_| self.shared.pack.is_per_side(memory))?;
        Some(Target { role: self.role(role).clone(), all: false, nth: None })
    }

    fn answer(&mut self, formula: &Formula) -> Result<Answer, Halt> {
        Ok(self.eval(formula)?.to_answer(self.shared.pack.words()))
    }

    fn follow_up(&mut self, next: &FollowUpRule) -> Result<(), Halt> {
        let pack = self.shared.pack;
        // Only the caller that has the units can decide a condition on other units, unless it is
        // already false.
        let fails = |when: &Formula| {
            when.eval_partly(&self.slots, &mut Vec::new()) == Some(Value::YesNo(false))
        };
        let off = match &next.others {
            Some(_) => next.when.as_ref().is_some_and(fails),
            None => !self.holds_or(next.when.as_ref(), true)?,
        };
        if off {
            return Ok(());
        }
        let Some(series) = &next.times else { return self.one_follow_up(next) };
        let title = pack.charts()[next.chart].title.clone();
        for place in 1..=self.times(title, series)? {
            self.set_nth(series, Some(place));
            self.one_follow_up(next)?;
        }
        self.set_nth(series, None);
        Ok(())
    }

    fn one_follow_up(&mut self, next: &FollowUpRule) -> Result<(), Halt> {
        let pack = self.shared.pack;
        let mut with = BTreeMap::new();
        for (name, formula) in &next.with {
            if let Some(value) = formula.eval_partly(&self.slots, &mut Vec::new()) {
                with.insert(name.clone(), value.to_answer(pack.words()));
            }
        }
        let others = next.others.as_ref().map(|others| Others {
            relation: others.relation,
            of: self.role(others.of).clone(),
            role: others.role.clone(),
            when: next.when.as_ref().map(|when| when.text.clone()),
            knowing: next.when.as_ref().map(|when| self.knowing(when)).unwrap_or_default(),
        });
        let Some(chits) = self.chits_for(&next.chits)? else { return Ok(()) };
        let chart = &pack.charts()[next.chart];
        let mut who = BTreeMap::new();
        for (role, here) in &next.who {
            who.insert(role.clone(), self.role(*here).clone());
        }
        self.shared.resolution.next.push(FollowUp {
            rule: FollowUpId { chart: self.place, number: next.number },
            chart: chart.id.clone(),
            title: chart.title.clone(),
            why: next.why.clone(),
            now: next.now,
            with,
            who,
            chits,
            others,
        });
        Ok(())
    }

    /// The chits that fill roles of a follow-up; `None` if a bag was empty.
    fn chits_for(&mut self, roles: &[ChitRole]) -> Result<Option<Vec<ChitFor>>, Halt> {
        let mut all = Vec::new();
        for role in roles {
            let number = self.eval(&role.number)?.number().and_then(Number::as_whole).unwrap_or(0);
            let chit = u32::try_from(number).unwrap_or(0);
            let Some(name) = self.shared.decks.chit(role.deck, chit) else { return Ok(None) };
            all.push(ChitFor {
                role: role.role.clone(),
                bag: self.shared.pack.decks()[role.deck].id.clone(),
                chit,
                name: name.clone(),
                any_of_side: role.any_of_side,
            });
        }
        Ok(Some(all))
    }

    /// The known values of the names in a condition on other units.
    fn knowing(&self, when: &Formula) -> BTreeMap<Text, Answer> {
        let known = |slot: &Slot| {
            let name = &self.chart.names[*slot];
            let value = self.slots.values[*slot]?;
            (name.origin != NameSource::Other)
                .then(|| (name.text.clone(), value.to_answer(self.shared.pack.words())))
        };
        let mut all = BTreeMap::new();
        for (name, value) in when.slots().iter().filter_map(known) {
            all.insert(name, value);
        }
        all
    }
}

impl Translate<RuleTerms, ChangeTerms> for Run<'_, '_, '_> {
    type Fault = Halt;

    fn status(&mut self, status: &StatusId) -> Result<Text, Halt> {
        Ok(self.shared.pack.statuses()[*status].id.clone())
    }

    fn attribute(
        &mut self,
        attribute: &Text,
        _: Operation,
        value: &Formula,
    ) -> Result<(Text, Answer), Halt> {
        Ok((attribute.clone(), self.answer(value)?))
    }

    fn memory(
        &mut self,
        memory: &MemoryId,
        _: Operation,
        value: &Formula,
    ) -> Result<(Text, Answer), Halt> {
        Ok((self.shared.pack.memory()[*memory].id.clone(), self.answer(value)?))
    }

    fn new_units(&mut self, new: &Box<Newcomers>) -> Result<Box<NewUnits>, Halt> {
        let pack = self.shared.pack;
        let count = self.answer(&new.count)?;
        let mut has = BTreeMap::new();
        for (name, formula) in &new.has {
            has.insert(name.clone(), self.answer(formula)?);
        }
        Ok(Box::new(NewUnits {
            kind: pack.kinds()[new.kind].id.clone(),
            count,
            template: new.template.map(|template| pack.templates()[template].id.clone()),
            has,
            place: new.place.map(|role| self.role(role).clone()),
            enemy: new.enemy,
        }))
    }

    fn deck(&mut self, deck: &DeckId) -> Result<Text, Halt> {
        Ok(self.shared.pack.decks()[*deck].id.clone())
    }
}
