//! Applies a result: what replaces it, what changes, what follows. Changes are values; the caller
//! that has the units applies them.

use crate::change::{Change, NewUnits, Target};
use crate::coverage::CoveragePoint;
use crate::resolution::{ChitFor, FollowUp, Others, ResultLine};
use crate::run::{Halt, Run};
use adjutant_dice::{Answer, Number, Text};
use adjutant_pack::{
    BindingId, ChitRole, EffectKind, EffectRule, FollowUpId, FollowUpRule, Formula, MemoryId,
    NameSource, Newcomers, ResultRule, Slot, Value,
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
            let shuffles = |effect: &&EffectRule| matches!(effect.kind, EffectKind::Reshuffle(_));
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
        let change = match &effect.kind {
            EffectKind::Remember(memory, to) => {
                let on = self.whose_memory(*memory, effect);
                Change::Remember { on, memory: self.memory(*memory), value: self.answer(to)? }
            }
            EffectKind::RememberMore(memory, by) => {
                let on = self.whose_memory(*memory, effect);
                Change::RememberMore { on, memory: self.memory(*memory), by: self.answer(by)? }
            }
            EffectKind::Appear(new) => Change::Appear(Box::new(self.new_units(new)?)),
            EffectKind::Reshuffle(deck) => {
                self.reshuffle(*deck, self.shared.owners.acting)?;
                Change::Reshuffle { deck: self.shared.pack.decks()[*deck].id.clone() }
            }
            EffectKind::Note(text) => {
                let on = match effect.nth {
                    Some(_) => self.target(effect)?,
                    None => None,
                };
                Change::Note { on, text: text.clone() }
            }
            EffectKind::Status(_)
            | EffectKind::Lift(_)
            | EffectKind::Set(..)
            | EffectKind::Add(..)
            | EffectKind::Leaves(_) => {
                // The pack check ensures that each of these has a role.
                let Some(on) = self.target(effect)? else { return Ok(()) };
                match self.change_unit(&effect.kind, on)? {
                    Some(change) => change,
                    None => return Ok(()),
                }
            }
        };
        self.shared.resolution.effects.push(change);
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

    /// The change to a unit; `None` for an effect on something else.
    fn change_unit(&mut self, effect: &EffectKind, on: Target) -> Result<Option<Change>, Halt> {
        let statuses = self.shared.pack.statuses();
        Ok(Some(match effect {
            EffectKind::Status(status) => {
                Change::Status { on, status: statuses[*status].id.clone() }
            }
            EffectKind::Lift(status) => Change::Lift { on, status: statuses[*status].id.clone() },
            EffectKind::Set(attribute, to) => {
                Change::Set { on, attribute: attribute.clone(), value: self.answer(to)? }
            }
            EffectKind::Add(attribute, by) => {
                Change::Add { on, attribute: attribute.clone(), by: self.answer(by)? }
            }
            EffectKind::Leaves(how) => Change::Leave { on, how: how.clone() },
            _ => return Ok(None),
        }))
    }

    /// The unit whose side remembers; none for a memory of the whole game.
    fn whose_memory(&self, memory: MemoryId, effect: &EffectRule) -> Option<Target> {
        let role = effect.on.filter(|_| self.shared.pack.is_per_side(memory))?;
        Some(Target { role: self.role(role).clone(), all: false, nth: None })
    }

    fn memory(&self, memory: MemoryId) -> Text {
        self.shared.pack.memory()[memory].id.clone()
    }

    fn answer(&mut self, formula: &Formula) -> Result<Answer, Halt> {
        Ok(self.eval(formula)?.to_answer(self.shared.pack.words()))
    }

    fn new_units(&mut self, new: &Newcomers) -> Result<NewUnits, Halt> {
        let pack = self.shared.pack;
        let count = self.answer(&new.count)?;
        let mut has = BTreeMap::new();
        for (name, formula) in &new.has {
            has.insert(name.clone(), self.answer(formula)?);
        }
        Ok(NewUnits {
            kind: pack.kinds()[new.kind].id.clone(),
            count,
            template: new.template.map(|template| pack.templates()[template].id.clone()),
            has,
            place: new.place.map(|role| self.role(role).clone()),
            enemy: new.enemy,
        })
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
