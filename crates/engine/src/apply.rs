//! Applies a result: what replaces it, what changes, what follows. Changes are values; the caller
//! that has the units applies them.

use crate::coverage::CoveragePoint;
use crate::resolution::{Change, FollowUp, NewUnits, Others, ResultLine};
use crate::run::{ResolveError, Run};
use adjutant_dice::{Answer, Text};
use adjutant_pack::{BindingId, EffectKind, EffectRule, FollowUpRule, NameSource, Newcomers, ResultRule, Slot, Value};
use std::collections::BTreeMap;

/// How often a result may be replaced by another.
const MOST_REPLACED: usize = 8;

pub(crate) fn result_account(outcome: &ResultRule, on: Option<Text>, because: Option<Text>) -> ResultLine {
    ResultLine { id: outcome.id.clone(), title: outcome.title.clone(), means: outcome.means.clone(), on, because }
}

impl Run<'_, '_, '_> {
    /// Lands a result and all that follows from it.
    pub fn land(&mut self, landing: BindingId, because: Option<Text>) -> Result<ResultLine, ResolveError> {
        let (mut landing, mut because) = (landing, because);
        for _ in 0..MOST_REPLACED {
            let Some((other, why)) = self.instead(landing)? else { break };
            (landing, because) = (other, Some(why).filter(|why| !why.is_empty()));
        }
        let known = &self.chart.landings[landing];
        self.apply(&known.effects, &known.next)?;
        let outcome = &self.shared.pack.results()[known.result];
        Ok(result_account(outcome, known.on.map(|role| self.role(role).clone()), because))
    }

    /// What changes and what follows.
    pub fn apply(&mut self, effects: &[EffectRule], next: &[FollowUpRule]) -> Result<(), ResolveError> {
        self.shared.account.effects.reserve(effects.len());
        effects.iter().try_for_each(|effect| self.effect(effect))?;
        next.iter().try_for_each(|next| self.follow_up(next))
    }

    fn instead(&mut self, landing: BindingId) -> Result<Option<(BindingId, Text)>, ResolveError> {
        let known = &self.chart.landings[landing];
        for (line, instead) in known.instead.iter().enumerate() {
            if self.holds(&instead.when)? {
                self.shared.account.marks.push(CoveragePoint::Instead(known.result, line));
                return Ok(Some((instead.landing, instead.because.clone())));
            }
        }
        Ok(None)
    }

    fn effect(&mut self, effect: &EffectRule) -> Result<(), ResolveError> {
        if !self.holds_or(effect.when.as_ref(), true)? {
            return Ok(());
        }
        let pack = self.shared.pack;
        let answer = |value: Value| Some(value.to_answer(pack.words()));
        let (kind, what, value) = match &effect.kind {
            EffectKind::Status(status) => ("status", pack.statuses()[*status].id.clone(), None),
            EffectKind::Lift(status) => ("lift", pack.statuses()[*status].id.clone(), None),
            EffectKind::Set(what, to) => ("set", what.clone(), answer(self.eval(to)?)),
            EffectKind::Add(what, by) => ("add", what.clone(), answer(self.eval(by)?)),
            EffectKind::Remember(memory, to) => ("remember", pack.memory()[*memory].id.clone(), answer(self.eval(to)?)),
            EffectKind::RememberMore(memory, by) => ("remember_more", pack.memory()[*memory].id.clone(), answer(self.eval(by)?)),
            EffectKind::Leaves(text) => ("leaves", text.clone(), None),
            EffectKind::Appear(new) => ("appear", pack.kinds()[new.kind].id.clone(), answer(self.eval(&new.count)?)),
            EffectKind::Reshuffle(deck) => {
                self.shared.decks[*deck].reshuffle();
                ("reshuffle", pack.decks()[*deck].id.clone(), None)
            }
            EffectKind::Note(text) => ("note", text.clone(), None),
        };
        let unit = matches!(
            effect.kind,
            EffectKind::Status(_) | EffectKind::Lift(_) | EffectKind::Set(..) | EffectKind::Add(..) | EffectKind::Leaves(_)
        );
        let on = effect.on.filter(|_| unit).map(|role| self.role(role).clone());
        let newcomers = match &effect.kind {
            EffectKind::Appear(new) => Some(Box::new(self.newcomers(new)?)),
            _ => None,
        };
        self.shared.account.effects.push(Change { on, all: effect.all, kind, what, value, newcomers });
        Ok(())
    }

    fn newcomers(&mut self, new: &Newcomers) -> Result<NewUnits, ResolveError> {
        let pack = self.shared.pack;
        let mut has = BTreeMap::new();
        for (name, formula) in &new.has {
            has.insert(name.clone(), self.eval(formula)?.to_answer(pack.words()));
        }
        let template = new.template.map(|template| pack.templates()[template].id.clone());
        Ok(NewUnits { template, has, place: new.place.map(|role| self.role(role).clone()) })
    }

    fn follow_up(&mut self, next: &FollowUpRule) -> Result<(), ResolveError> {
        let pack = self.shared.pack;
        // A condition on other units can only be settled where the units are, unless it fails already.
        let fails = |when: &adjutant_pack::Formula| when.eval_partly(&self.slots, &mut Vec::new()) == Some(Value::YesNo(false));
        let off = match &next.others {
            Some(_) => next.when.as_ref().is_some_and(fails),
            None => !self.holds_or(next.when.as_ref(), true)?,
        };
        if off {
            return Ok(());
        }
        let mut with = BTreeMap::new();
        for (name, formula) in &next.with {
            if let Some(value) = formula.eval_partly(&self.slots, &mut Vec::new()) {
                with.insert(name.clone(), value.to_answer(pack.words()));
            }
        }
        let others = next.others.as_ref().map(|others| Others {
            relation: others.relation.name(),
            of: self.role(others.of).clone(),
            role: others.role.clone(),
            when: next.when.as_ref().map(|when| when.text.clone()),
            knowing: next.when.as_ref().map(|when| self.knowing(when)).unwrap_or_default(),
        });
        let chart = &pack.charts()[next.chart];
        let mut who = BTreeMap::new();
        for (role, here) in &next.who {
            who.insert(role.clone(), self.role(*here).clone());
        }
        let account =
            FollowUp { chart: chart.id.clone(), title: chart.title.clone(), why: next.why.clone(), now: next.now, with, who, others };
        self.shared.account.next.push(account);
        Ok(())
    }

    /// What is known of the names in a condition on others.
    fn knowing(&self, when: &adjutant_pack::Formula) -> BTreeMap<Text, Answer> {
        let known = |slot: &Slot| {
            let name = &self.chart.names[*slot];
            let value = self.slots.values[*slot]?;
            (name.origin != NameSource::Other).then(|| (name.text.clone(), value.to_answer(self.shared.pack.words())))
        };
        let mut all = BTreeMap::new();
        for (name, value) in when.slots().iter().filter_map(known) {
            all.insert(name, value);
        }
        all
    }
}
