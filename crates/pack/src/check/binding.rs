//! Binds results to roles. The lines of a result say `it`. For each chart that gives the result,
//! `it` becomes a role of that chart, so that the chart knows which attributes it needs.

use super::FilledTable;
use super::builder::{Builder, ExpectedType, KnownKind};
use super::vocabulary::{self, find, find_index};
use crate::binding::{ChitRole, FollowUpRule, Instead, Others, Relation, ResultBinding};
use crate::effect::EffectRule;
use crate::ids::{BindingId, ChartId, DeckId, KindId, ResultId, RoleId};
use crate::pack::Pack;
use crate::problem::{ChartProblem, EffectProblem};
use crate::raw::{RawEffect, RawNext, RawPack};
use crate::tree::{Located, Place};
use crate::unknown_name::Noun;
use adjutant_dice::Text;

impl Builder<'_, '_> {
    /// The binding of a result to a role. Creates it on first use.
    pub fn landing(&mut self, result: &Located<String>, on: Option<RoleId>) -> Option<BindingId> {
        let results = self.vocabulary().results.iter().map(|r| r.id.as_str());
        let place: ResultId = find(result, Noun::Result, results, self.faults())?;
        let (outcome, raw) = (&self.vocabulary().results[place], &self.ground.raw.results[place]);
        if let (Some(kind), Some(role)) = (outcome.of, on)
            && self.roles[role].kind != kind
        {
            let (kind, role) =
                (self.vocabulary().kinds[kind].id.clone(), self.roles[role].id.clone());
            self.faults().add(
                &result.at,
                EffectProblem::ResultOfOtherKind { result: outcome.id.clone(), kind, role },
            );
            return None;
        }
        // A result without a kind of unit is bound to a role only if its own lines refer to one.
        let speaks = !raw.effects.is_empty() || !raw.next.is_empty() || !raw.instead.is_empty();
        let on = on.filter(|_| outcome.of.is_some() || speaks);
        if let Some(known) = self.landed.get(&(place, on)) {
            return Some(*known);
        }
        let landing = self.landings.push(ResultBinding {
            result: place,
            on,
            instead: Vec::new(),
            effects: Vec::new(),
            next: Vec::new(),
        });
        self.landed.insert((place, on), landing);
        self.pending.push(landing);
        if !self.filling {
            self.filling = true;
            while let Some(pending) = self.pending.pop() {
                self.fill_landing(pending);
            }
            self.filling = false;
        }
        Some(landing)
    }

    fn fill_landing(&mut self, landing: BindingId) {
        let (place, on) = (self.landings[landing].result, self.landings[landing].on);
        let raw = &self.ground.raw.results[place];
        let before = (self.it, self.outcome);
        (self.it, self.outcome) = (on, true);
        let mut instead = Vec::new();
        for line in &raw.instead {
            let when = self.formula(&line.when, ExpectedType::YesNo);
            if let (Some(when), Some(other)) = (when, self.landing(&line.result, on)) {
                instead.push(Instead {
                    when,
                    landing: other,
                    because: line.because.as_str().into(),
                    text: line.text.as_str().into(),
                });
            }
        }
        let effects = raw.effects.iter().flat_map(|effect| self.effects(effect, on)).collect();
        let next = raw.next.iter().filter_map(|next| self.follow_up(next)).collect();
        (self.it, self.outcome) = before;
        self.landings[landing] = ResultBinding { result: place, on, instead, effects, next };
    }

    /// The additional effects and follow-ups of a row or cell.
    pub fn extras<'r>(
        &mut self,
        on: Option<RoleId>,
        effects: impl Iterator<Item = &'r RawEffect>,
        next: impl Iterator<Item = &'r RawNext>,
    ) -> (Vec<EffectRule>, Vec<FollowUpRule>) {
        let before = (self.it, self.outcome);
        (self.it, self.outcome) = (on, true);
        let effects = effects.flat_map(|effect| self.effects(effect, on)).collect();
        let next = next.filter_map(|next| self.follow_up(next)).collect();
        (self.it, self.outcome) = before;
        (effects, next)
    }

    /// The effects and follow-ups of a deck, which happen in the middle of a chart.
    pub fn deck_extras(
        &mut self,
        raw: &crate::raw::RawDeckEvent,
    ) -> (Vec<EffectRule>, Vec<FollowUpRule>) {
        let effects = raw.effects.iter().flat_map(|effect| self.effects(effect, None)).collect();
        let next = raw.next.iter().filter_map(|next| self.follow_up(next)).collect();
        (effects, next)
    }

    pub(super) fn lands(&self, on: Option<RoleId>, at: &Place) -> Option<RoleId> {
        if on.is_none() {
            self.faults().add(at, EffectProblem::LandsOnNoUnit { chart: self.raw.id.text() });
        }
        on
    }

    fn follow_up(&mut self, raw: &RawNext) -> Option<FollowUpRule> {
        let charts = self.ground.raw.charts.iter().map(|c| c.id.it.as_str());
        let chart: ChartId = find(&raw.chart, Noun::Chart, charts, self.faults())?;
        let there = &self.ground.raw.charts[chart];
        let role_there = |builder: &Self, role: &Located<String>| {
            find_index(
                role,
                Noun::RoleOfChart,
                there.who.iter().map(|(id, _)| id.it.as_str()),
                builder.faults(),
            )
        };
        let mut who = Vec::new();
        let mut chits = Vec::new();
        for (role, here) in &raw.who {
            let place = role_there(self, role);
            if let Some((deck, any_of_side)) = self.chit_named(here) {
                chits.extend(self.chit_role(role, here, deck, any_of_side));
                let kind = &self.ground.raw.decks[deck].chits.as_ref().map(|chits| &chits.of.it);
                let wanted = place.map(|place| &there.who[place].1.it);
                if let (Some(wanted), true) = (wanted, *kind != wanted) {
                    let (role_id, kind) = (role.text(), wanted.as_str().into());
                    self.faults().add(&role.at, ChartProblem::RoleKind { role: role_id, kind });
                }
                continue;
            }
            let here = if here.it == "it" && self.it.is_some() { self.it } else { self.role(here) };
            if let (Some(place), Some(here)) = (place, here) {
                let wanted = &there.who[place].1.it;
                if self.vocabulary().kinds[self.roles[here].kind].id != *wanted {
                    self.faults().add(
                        &role.at,
                        ChartProblem::RoleKind { role: role.text(), kind: wanted.as_str().into() },
                    );
                }
                who.push((role.it.as_str().into(), here));
            }
        }
        let others = self.others(raw, chart);
        if raw.others.is_some() && others.is_none() {
            return None;
        }
        let times = raw.times.as_ref().and_then(|text| self.series(text));
        let before = self.nth.take();
        self.nth = raw.times.as_ref().map(|_| self.nth_of(times.as_ref()));
        let mut with = Vec::new();
        for (name, text) in &raw.with {
            let known = |ask: &crate::raw::RawField, role: Option<&Located<String>>| {
                role.map_or(ask.id.it.clone(), |role| format!("{}.{}", role.it, ask.id.it))
            };
            let asks: Vec<(String, &adjutant_dice::Accepts)> =
                there.asks().map(|(role, field)| (known(field, role), &field.accepts)).collect();
            let place = find_index(
                name,
                Noun::InputOfChart,
                asks.iter().map(|(id, _)| id.as_str()),
                self.faults(),
            );
            if let (Some(place), Some(formula)) = (place, self.formula(text, ExpectedType::Any)) {
                let wanted = vocabulary::kind_of(asks[place].1, self.words);
                self.fits(&formula, &wanted, &name.it, &text.at);
                with.push((name.it.as_str().into(), formula));
            }
        }
        self.nth = before;
        let times = self.with_nth(times);
        let before = self.other;
        self.other =
            others.as_ref().and_then(|others| there.kind_of_role(&others.role, self.ground.raw));
        let when = self.condition(raw.when.as_ref());
        self.other = before;
        let number = self.follow_ups;
        self.follow_ups += 1;
        Some(FollowUpRule {
            number,
            chart,
            why: raw.why.as_str().into(),
            now: raw.now,
            when,
            with,
            who,
            chits,
            others,
            times,
            text: raw.text.as_str().into(),
        })
    }

    /// The bag that a step draws from, if `here` names the step (`chit`) or the side of what it
    /// draws (`chit.side`).
    fn chit_named(&self, here: &Located<String>) -> Option<(DeckId, bool)> {
        let (name, any_of_side) = match here.it.strip_suffix(".side") {
            Some(name) => (name, true),
            None => (here.it.as_str(), false),
        };
        if self.roles.iter().any(|role| role.id == name) {
            return None;
        }
        let step = self.steps.iter().find(|step| step.name == name)?;
        match step.kind {
            KnownKind::Draw { deck, .. } => {
                self.ground.raw.decks[deck].chits.as_ref().map(|_| (deck, any_of_side))
            }
            _ => None,
        }
    }

    fn chit_role(
        &mut self,
        role: &Located<String>,
        here: &Located<String>,
        deck: DeckId,
        any_of_side: bool,
    ) -> Option<ChitRole> {
        let step = here.it.strip_suffix(".side").unwrap_or(&here.it);
        let number = Located { it: format!("{step}.number"), at: here.at.clone() };
        let number = self.formula(&number, ExpectedType::Number)?;
        Some(ChitRole { role: role.it.as_str().into(), deck, number, any_of_side })
    }

    fn others(&mut self, raw: &RawNext, chart: ChartId) -> Option<Others> {
        let Some(relation) = raw.others.as_ref() else {
            for (key, given) in [("of", &raw.of), ("role", &raw.role)] {
                if let Some(given) = given {
                    self.faults().add(&given.at, EffectProblem::OnlyForOthers { key });
                }
            }
            if raw.all {
                self.faults().add(&raw.at, EffectProblem::OnlyForOthers { key: "all" });
            }
            return None;
        };
        let place = find_index(
            relation,
            Noun::Relation,
            Relation::ALL.iter().map(|(name, _)| *name),
            self.faults(),
        )?;
        let of = match &raw.of {
            Some(of) if of.it == "it" => self.lands(self.it, &of.at)?,
            Some(of) => self.role(of)?,
            None => self.lands(self.it, &relation.at)?,
        };
        self.check_joined(Relation::ALL[place].1, of, &relation.at);
        let roles = &self.ground.raw.charts[chart].who;
        let role = match &raw.role {
            Some(role) => roles[find_index(
                role,
                Noun::RoleOfChart,
                roles.iter().map(|(id, _)| id.it.as_str()),
                self.faults(),
            )?]
            .0
            .it
            .clone(),
            None if roles.len() == 1 => roles[0].0.it.clone(),
            None => {
                self.faults().add(&raw.at, EffectProblem::OthersWithoutRole);
                return None;
            }
        };
        let each = self.ground.raw.charts[chart].each.as_ref();
        if raw.all && each.is_none_or(|each| each.it != role) {
            let chart = self.ground.raw.charts[chart].id.text();
            self.faults().add(&raw.at, EffectProblem::AllWithoutEach { chart });
        }
        Some(Others { relation: Relation::ALL[place].1, of, role: role.into(), all: raw.all })
    }
}

impl crate::raw::RawChart {
    fn asks(&self) -> impl Iterator<Item = (Option<&Located<String>>, &crate::raw::RawField)> {
        self.asks.iter().map(|ask| (ask.role.as_ref(), &ask.field))
    }

    fn kind_of_role(&self, role: &str, pack: &RawPack) -> Option<KindId> {
        let kind = &self.who.iter().find(|(id, _)| id.it == role)?.1.it;
        pack.kinds.position(|k| k.id.it == *kind)
    }
}

/// Notes which user tables are filled in, and which names and columns an empty one may use.
pub(super) fn finish_user_tables(pack: &mut Pack, raw: &RawPack, filled: &[FilledTable]) {
    for (place, table) in pack.user_tables.iter_mut_enumerated() {
        table.filled = filled.iter().any(|known| known.id.it == raw.user_tables[place].id.it);
        let Some(chart) = pack.charts.iter().find(|chart| chart.read.user_table == Some(place))
        else {
            continue;
        };
        table.names = chart
            .inputs
            .iter()
            .map(|input| input.name.to_string())
            .chain(chart.steps.iter().map(|step| step.name.to_string()))
            .collect();
        table.columns = chart
            .read
            .column
            .as_ref()
            .map(|column| column.ids.iter().map(Text::to_string).collect())
            .unwrap_or_default();
    }
}
