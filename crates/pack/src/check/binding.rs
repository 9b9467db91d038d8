//! Binds results to roles. The lines of a result say `it`. For each chart that gives the result,
//! `it` becomes a role of that chart, so that the chart knows which attributes it needs.

use super::FilledTable;
use super::builder::{Builder, ExpectedType, KnownKind};
use super::vocabulary::{self, find, find_index};
use crate::binding::{
    ChitRole, EffectKind, EffectRule, FollowUpRule, Instead, Others, Relation, ResultBinding,
};
use crate::ids::{BindingId, ChartId, DeckId, KindId, ResultId, RoleId};
use crate::pack::Pack;
use crate::problem::{ChartProblem, DeckProblem, EffectProblem, ExprProblem, ValueKind};
use crate::raw::{RawEffect, RawEffectKind, RawNewcomers, RawNext, RawPack};
use crate::tree::{Located, Place};
use crate::turn::Newcomers;
use crate::unknown_name::Noun;
use crate::value::{Type, Word};
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

    /// An effect. A change of a value by a word is one for each word that it can be.
    fn effects(&mut self, raw: &RawEffect, on: Option<RoleId>) -> Vec<EffectRule> {
        let (RawEffectKind::Set { what, .. } | RawEffectKind::Add { what, .. }) = &raw.kind else {
            return self.effect(raw, on).into_iter().collect();
        };
        match what.it.split_once('[') {
            None => self.effect(raw, on).into_iter().collect(),
            Some((id, key)) => {
                let key = key.trim_end().strip_suffix(']').map(str::to_owned);
                self.keyed_effects(raw, what, (id.trim(), key), on).unwrap_or_default()
            }
        }
    }

    fn keyed_effects(
        &mut self,
        raw: &RawEffect,
        what: &Located<String>,
        (id, key): (&str, Option<String>),
        on: Option<RoleId>,
    ) -> Option<Vec<EffectRule>> {
        let Some(key) = key else {
            self.faults().add(&what.at, ExprProblem::KeyOpen);
            return None;
        };
        let named = match &raw.on {
            Some(role) => Some(self.role(role)?),
            None => on,
        };
        let role = self.lands(named, &raw.at)?;
        let kind = &self.ground.raw.kinds[self.roles[role].kind];
        let Some(keyed) = kind.keyed.iter().find(|keyed| keyed.id == id) else {
            self.faults().add(&what.at, ExprProblem::NotKeyed { name: id.into() });
            return None;
        };
        // A fault of the condition is reported once.
        if raw.when.is_some() {
            self.condition(raw.when.as_ref())?;
        }
        let by = Located { it: key.clone(), at: what.at.clone() };
        let by = self.formula(&by, ExpectedType::Any)?;
        let Type::Choice(can_be) = &by.kind else {
            let (found, wanted) = (ValueKind::from(&by.kind), ValueKind::Choice);
            self.faults().add(&what.at, ExprProblem::WrongPart { found, wanted });
            return None;
        };
        let words: Vec<&(String, String)> = keyed
            .words
            .iter()
            .filter(|(word, _)| self.words.find(word).is_some_and(|word| can_be.contains(&word)))
            .collect();
        if words.is_empty() {
            let list = |word: &Word| Text::from(self.words.text(*word));
            let known = keyed.words.iter().map(|(word, _)| word.as_str().into()).collect();
            let words = can_be.iter().map(list).collect();
            self.faults().add(&what.at, ExprProblem::NeverSame { words, known });
            return None;
        }
        let text = match raw.text.is_empty() {
            true => keyed_text(&raw.kind, &keyed.label, &key),
            false => raw.text.clone(),
        };
        let mut effects = Vec::new();
        for (word, attribute) in words {
            let is = (by.constant().is_none()).then(|| format!("({key}) == '{word}'"));
            let when = match (&raw.when, is) {
                (Some(when), Some(is)) => {
                    Some(Located { it: format!("({}) and {is}", when.it), at: when.at.clone() })
                }
                (None, Some(is)) => Some(Located { it: is, at: what.at.clone() }),
                (when, None) => when.clone(),
            };
            let mut one = RawEffect { when, text: text.clone(), ..raw.clone() };
            if let RawEffectKind::Set { what, .. } | RawEffectKind::Add { what, .. } = &mut one.kind
            {
                what.it.clone_from(attribute);
            }
            effects.extend(self.effect(&one, on));
        }
        Some(effects)
    }

    fn effect(&mut self, raw: &RawEffect, on: Option<RoleId>) -> Option<EffectRule> {
        let when = self.condition(raw.when.as_ref());
        let on = match &raw.on {
            Some(role) => Some(self.role(role)?),
            None => on,
        };
        // Without a role, the side of the first role remembers.
        let on = if self.remembers_for_side(raw) { on.or(self.roles.ids().next()) } else { on };
        let before = self.it;
        self.it = on.or(self.it);
        let kind = self.effect_kind(raw, on);
        self.it = before;
        let kind = kind?;
        let on_units = matches!(
            kind,
            EffectKind::Status(_)
                | EffectKind::Lift(_)
                | EffectKind::Set(..)
                | EffectKind::Add(..)
                | EffectKind::Leaves(_)
        );
        if raw.all && !on_units {
            self.faults().add(&raw.at, EffectProblem::AllWithoutUnits);
        }
        let nth = raw.nth.as_ref().and_then(|nth| self.formula(nth, ExpectedType::Number));
        let on_one = on_units || (on.is_some() && matches!(kind, EffectKind::Note(_)));
        if raw.nth.is_some() && (raw.all || !on_one) {
            self.faults().add(&raw.at, EffectProblem::NthWithoutUnits);
        }
        Some(EffectRule { kind, when, on, all: raw.all, nth, text: raw.text.as_str().into() })
    }

    /// Whether an effect changes a memory of which each side has its own.
    fn remembers_for_side(&self, raw: &RawEffect) -> bool {
        let RawEffectKind::Remember { what, .. } = &raw.kind else { return false };
        let vocabulary = self.vocabulary();
        let place = vocabulary.memory.position(|memory| memory.id == what.it);
        place.is_some_and(|place| vocabulary.side_memory.contains(&place))
    }

    fn effect_kind(&mut self, raw: &RawEffect, on: Option<RoleId>) -> Option<EffectKind> {
        let statuses = self.vocabulary().statuses.iter().map(|s| s.id.as_str());
        Some(match &raw.kind {
            RawEffectKind::Status(id) | RawEffectKind::Lift(id) => {
                let status = find(id, Noun::Status, statuses, self.faults())?;
                let role = self.lands(on, &raw.at)?;
                if !self.vocabulary().statuses[status].of.contains(&self.roles[role].kind) {
                    let role = self.roles[role].id.clone();
                    self.faults()
                        .add(&id.at, EffectProblem::RoleCannotHave { role, status: id.text() });
                }
                if matches!(raw.kind, RawEffectKind::Status(_)) {
                    EffectKind::Status(status)
                } else {
                    EffectKind::Lift(status)
                }
            }
            RawEffectKind::Set { what, to: amount } | RawEffectKind::Add { what, by: amount } => {
                let role = self.lands(on, &raw.at)?;
                let kind = &self.vocabulary().kinds[self.roles[role].kind];
                let field = find(
                    what,
                    Noun::Attribute,
                    kind.has.iter().map(|f| f.id.as_str()),
                    self.faults(),
                )?;
                let formula = self.formula(amount, ExpectedType::Any)?;
                let wanted = vocabulary::kind_of(&kind.has[field].accepts, self.words);
                self.fits(&formula, &wanted, &what.it, &amount.at);
                self.grows(matches!(raw.kind, RawEffectKind::Add { .. }), &wanted, what);
                if matches!(raw.kind, RawEffectKind::Set { .. }) {
                    EffectKind::Set(what.it.as_str().into(), formula)
                } else {
                    EffectKind::Add(what.it.as_str().into(), formula)
                }
            }
            RawEffectKind::Remember { what, to, by } => {
                let memory = find(
                    what,
                    Noun::Memory,
                    self.vocabulary().memory.iter().map(|m| m.id.as_str()),
                    self.faults(),
                )?;
                if self.vocabulary().side_memory.contains(&memory) {
                    self.lands(on, &raw.at)?;
                }
                let amount = to.as_ref().or(by.as_ref())?;
                let formula = self.formula(amount, ExpectedType::Any)?;
                let wanted =
                    vocabulary::kind_of(&self.vocabulary().memory[memory].accepts, self.words);
                self.fits(&formula, &wanted, &what.it, &amount.at);
                self.grows(to.is_none(), &wanted, what);
                if to.is_some() {
                    EffectKind::Remember(memory, formula)
                } else {
                    EffectKind::RememberMore(memory, formula)
                }
            }
            RawEffectKind::Leaves(text) => {
                self.lands(on, &raw.at)?;
                EffectKind::Leaves(text.as_str().into())
            }
            RawEffectKind::Appear(new) => EffectKind::Appear(Box::new(self.newcomers(new)?)),
            RawEffectKind::Reshuffle(deck) => EffectKind::Reshuffle(self.reshuffled(deck)?),
            RawEffectKind::Note(text) => EffectKind::Note(text.as_str().into()),
        })
    }

    fn reshuffled(&self, deck: &Located<String>) -> Option<DeckId> {
        let known = self.vocabulary().decks.iter().map(|d| d.id.as_str());
        let place: DeckId = find(deck, Noun::Deck, known, self.faults())?;
        if self.ground.raw.decks[place].chits.is_some() {
            self.faults().add(&deck.at, DeckProblem::BagReshuffled { deck: deck.text() });
        }
        Some(place)
    }

    /// New units: their kind, number, template and position.
    fn newcomers(&mut self, raw: &RawNewcomers) -> Option<Newcomers> {
        let kind = find(
            &raw.kind,
            Noun::UnitKind,
            self.vocabulary().kinds.iter().map(|k| k.id.as_str()),
            self.faults(),
        )?;
        let templates = self.vocabulary().templates.iter().map(|template| template.id.as_str());
        let template =
            raw.template.as_ref().and_then(|id| find(id, Noun::Template, templates, self.faults()));
        if let (Some(template), Some(id)) = (template, &raw.template)
            && self.vocabulary().templates[template].kind != kind
        {
            let kind = self.vocabulary().kinds[kind].title.clone();
            self.faults()
                .add(&id.at, EffectProblem::TemplateOfOtherKind { template: id.text(), kind });
        }
        let fields = &self.vocabulary().kinds[kind].has;
        let mut has = Vec::new();
        for (name, text) in &raw.has {
            let place = find(
                name,
                Noun::Attribute,
                fields.iter().map(|field| field.id.as_str()),
                self.faults(),
            );
            if let (Some(place), Some(formula)) = (place, self.formula(text, ExpectedType::Any)) {
                let wanted = vocabulary::kind_of(&fields[place].accepts, self.words);
                self.fits(&formula, &wanted, &name.it, &text.at);
                has.push((name.it.as_str().into(), formula));
            }
        }
        let place = match &raw.place {
            Some(role) if role.it == "it" => Some(self.lands(self.it, &role.at)?),
            Some(role) => Some(self.role(role)?),
            None => None,
        };
        let enemy = match &raw.side {
            Some(side) if side.it != "enemy" => {
                self.faults().unknown(&side.at, Noun::NewSide, &side.it, ["enemy"]);
                false
            }
            side => side.is_some(),
        };
        Some(Newcomers {
            enemy,
            kind,
            count: self.formula(&raw.count, ExpectedType::Number)?,
            template,
            has,
            place,
        })
    }

    /// Reports an addition to anything but a number.
    fn grows(&self, by: bool, kind: &Type, what: &Located<String>) {
        if by && *kind != Type::Number {
            self.faults().add(
                &what.at,
                EffectProblem::CannotGrow { name: what.text(), kind: ValueKind::from(kind) },
            );
        }
    }

    fn lands(&self, on: Option<RoleId>, at: &Place) -> Option<RoleId> {
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

/// The words for a change of a value by a word: "Armour (place) −1".
fn keyed_text(kind: &RawEffectKind, label: &str, key: &str) -> String {
    let key = key.trim().trim_matches('\'').trim_end_matches(".result").replace(['_', '.'], " ");
    match kind {
        RawEffectKind::Add { by, .. } => match by.it.trim().strip_prefix('-') {
            Some(less) => format!("{label} ({key}) −{}", less.replace('_', " ")),
            None => format!("{label} ({key}) +{}", by.it.trim().replace('_', " ")),
        },
        RawEffectKind::Set { to, .. } => format!("{label} ({key}) becomes {}", to.it.trim()),
        _ => String::new(),
    }
}
