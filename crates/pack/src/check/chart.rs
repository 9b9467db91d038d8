//! Checks one chart: roles and inputs first, then steps, then how it is read.

use super::builder::{Builder, CheckContext, ExpectedType};
use super::deck::CheckedDeck;
use super::vocabulary::{check_name, field, find, find_index};
use crate::binding::Relation;
use crate::chart::{Chart, Each, FilledFrom, NameSource, Order, Printed, Role, Tally};
use crate::expr::{Expr, Formula};
use crate::ids::{ChartId, Id, IdVec, InputId, OptionId, ResultId, RoleId, Slot, StepId};
use crate::pack::Field;
use crate::problem::{ChartProblem, FieldProblem, NameProblem, Problem, Unused};
use crate::raw::{RawChart, RawCount, RawStepKind};
use crate::ruling::Only;
use crate::tree::{Located, Place};
use crate::turn::{Count, CountBy};
use crate::unknown_name::Noun;
use crate::value::Words;
use adjutant_dice::{Accepts, Number};

pub(super) fn build(ground: &CheckContext<'_>, place: ChartId, words: &mut Words) -> Chart {
    let raw = &ground.raw.charts[place];
    let mut builder = Builder::new(ground, raw, words);
    builder.make_roles();
    builder.make_asks();
    let lands_on = builder.default_role();
    let steps = builder.make_steps(lands_on);
    let read = builder.make_read(lands_on, &steps);
    let each = builder.make_each(lands_on);
    let together = builder.condition(raw.together.as_ref());
    let printed = builder.make_printed();
    let deck_events = builder.deck_events(&steps, &read);
    builder.check_used();
    // A question that only this names would be asked for no reason.
    builder.make_only();
    let value_range = builder.value_range(&read, &steps);
    let mut results: Vec<ResultId> =
        builder.landings.iter().map(|landing| landing.result).collect();
    results.extend(builder.taken_over(&read, &steps));
    adjutant_dice::sort(&mut results);
    results.dedup();
    let mut inputs_by_name: Vec<InputId> = builder.inputs.ids().collect();
    adjutant_dice::sort_by(&mut inputs_by_name, |a, b| {
        builder.inputs[*a].name.cmp(&builder.inputs[*b].name)
    });
    let input_names =
        inputs_by_name.iter().map(|place| builder.inputs[*place].name.clone()).collect();
    let of_step = |origin: &NameSource| {
        matches!(origin, NameSource::Input(_) | NameSource::Step(..) | NameSource::Again(..))
    };
    let other_names = builder
        .names
        .iter_enumerated()
        .map(|(slot, name)| (name.origin, slot))
        .filter(|(origin, _)| !of_step(origin))
        .collect();
    let mut chart = Chart {
        id: raw.id.it.as_str().into(),
        title: raw.title.as_str().into(),
        about: raw.about.clone(),
        notes: raw.notes.clone(),
        readings: raw.readings.iter().filter_map(|id| builder.reading(Some(id))).collect(),
        needs_option: raw.needs_option.as_ref().and_then(|id| builder.opening_option(id)),
        each,
        together,
        printed,
        steps,
        read,
        deck_events,
        results,
        value_range,
        place: raw.at.span.clone(),
        roles: std::mem::take(&mut builder.roles),
        landings: std::mem::take(&mut builder.landings),
        inputs: std::mem::take(&mut builder.inputs),
        inputs_by_name,
        input_names,
        other_names,
        names: std::mem::take(&mut builder.names),
    };
    for (step, known) in chart.steps.iter_mut().zip(builder.steps) {
        step.facets = known.facets;
    }
    for known in builder.agains {
        if let Some(rule) =
            chart.steps.get_mut(known.step).and_then(|step| step.again.get_mut(known.rule))
        {
            rule.facets = known.facets;
        }
    }
    super::uses::note(&mut chart);
    chart
}

impl Builder<'_, '_> {
    fn make_roles(&mut self) {
        for (id, kind) in &self.raw.who {
            check_name(id, self.faults());
            let kinds = self.vocabulary().kinds.iter().map(|k| k.id.as_str());
            match find(kind, Noun::UnitKind, kinds, self.faults()) {
                Some(kind) => {
                    _ = self.roles.push(Role {
                        id: id.it.as_str().into(),
                        kind,
                        enemies: Vec::new(),
                        joined: None,
                        only: None,
                    })
                }
                None => self.broken.push(id.it.clone()),
            }
        }
        self.make_enemies();
        self.each = self.raw.each.as_ref().and_then(|role| self.role(role));
        self.make_joined();
    }

    /// The roles that units of the same group may take together.
    fn make_joined(&mut self) {
        for (name, when) in &self.raw.joined {
            let Some(role) = self.role(name) else { continue };
            if self.each == Some(role) {
                self.faults().add(&name.at, ChartProblem::JoinedEach { role: name.text() });
                continue;
            }
            let before = self.other.replace(self.roles[role].kind);
            let formula = self.condition(Some(when));
            self.other = before;
            if let Some(formula) = &formula {
                self.only_of_table(formula, when);
            }
            self.roles[role].joined = formula;
        }
    }

    /// Reports a condition on units of the roster that needs more than the roster has.
    fn only_of_table(&self, formula: &Formula, text: &Located<String>) {
        let of_table = |slot: &Slot| {
            matches!(
                self.names[*slot].origin,
                NameSource::Other | NameSource::Option(_) | NameSource::Memory(_)
            )
        };
        if !formula.slots().iter().all(of_table) {
            self.faults().add(&text.at, ChartProblem::CountedDepends);
        }
    }

    /// Reports `joined` where no unit joins the one in the role.
    pub fn check_joined(&self, relation: Relation, role: RoleId, at: &Place) {
        if relation == Relation::Joined && self.roles[role].joined.is_none() {
            let role = self.roles[role].id.clone();
            self.faults().add(at, ChartProblem::NoneJoin { role });
        }
    }

    fn make_enemies(&mut self) {
        for (role, of) in &self.raw.enemies {
            match (self.role(role), self.role(of)) {
                (Some(one), Some(other)) if one == other => {
                    self.faults().add(&of.at, ChartProblem::OwnEnemy { role: role.text() });
                }
                (Some(one), Some(other)) => {
                    self.roles[one].enemies.push(other);
                    self.roles[other].enemies.push(one);
                }
                _ => {}
            }
        }
    }

    /// The units that roles are for.
    fn make_only(&mut self) {
        let raw: &RawChart = self.raw;
        for only in &raw.only {
            let Some(role) = self.role(&only.role) else { continue };
            self.ruled = true;
            let when = self.formula(&only.when, ExpectedType::YesNo);
            self.ruled = false;
            let Some(when) = when else { continue };
            let prefix = format!("{}.", only.role.it);
            let is_its_own = |slot: &Slot| match self.names[*slot].origin {
                NameSource::Other => self.names[*slot].text.starts_with(&prefix),
                NameSource::Option(_) | NameSource::Memory(_) => true,
                NameSource::Input(input) => {
                    let input = &self.inputs[input];
                    let asked = input.source == FilledFrom::Situation;
                    input.role.map_or(asked, |of| of == role && !asked)
                        && !matches!(input.source, FilledFrom::SideMemory(_))
                }
                _ => false,
            };
            if when.slots().iter().all(is_its_own) {
                let label = only.label.as_str().into();
                self.roles[role].only = Some(Only { when, label });
            } else {
                self.faults()
                    .add(&only.when.at, ChartProblem::OnlyDepends { role: only.role.text() });
            }
        }
    }

    /// What a question counts on the roster.
    fn counted(&mut self, raw: &RawCount, input: InputId) -> Option<Count> {
        let by_formula = [&raw.sum, &raw.least, &raw.most];
        let accepted = match self.inputs[input].field.accepts {
            Accepts::Number { .. } => raw.at_least.is_none(),
            Accepts::YesNo => by_formula.iter().all(|given| given.is_none()),
            Accepts::Choice { .. } => false,
        };
        if !accepted {
            self.faults().add(&raw.at, ChartProblem::CountedNotANumber);
        }
        let kinds = self.vocabulary().kinds.iter().map(|kind| kind.id.as_str());
        let kind = find(raw.kind.as_ref()?, Noun::UnitKind, kinds, self.faults());
        let relation = find_index(
            raw.relation.as_ref()?,
            Noun::Relation,
            Relation::ALL.iter().map(|(name, _)| *name),
            self.faults(),
        );
        let from = self.role(raw.from.as_ref()?);
        let (kind, relation, from) = (kind?, relation?, from?);
        let before = self.other.replace(kind);
        let when = self.condition(raw.when.as_ref());
        let [sum, least, most] =
            by_formula.map(|text| self.formula(text.as_ref()?, ExpectedType::Number));
        self.other = before;
        if by_formula.iter().filter(|given| given.is_some()).count() > 1 {
            self.faults().add(&raw.at, ChartProblem::CountedTwice);
        }
        let all = [(&when, &raw.when), (&sum, &raw.sum), (&least, &raw.least), (&most, &raw.most)];
        for (formula, text) in all {
            if let (Some(formula), Some(text)) = (formula, text) {
                self.only_of_table(formula, text);
            }
        }
        let by = match (sum, least, most) {
            (Some(sum), ..) => CountBy::Sum(sum),
            (None, Some(least), _) => CountBy::Least(least),
            (None, None, Some(most)) => CountBy::Most(most),
            (None, None, None) => CountBy::Number,
        };
        let (relation, others, lost) = (Relation::ALL[relation].1, raw.others, raw.lost);
        self.check_joined(relation, from, &raw.at);
        let at_least = raw.at_least.unwrap_or(1);
        Some(Count { kind, relation, from, when, by, at_least, others, lost })
    }

    fn make_asks(&mut self) {
        let raw: &RawChart = self.raw;
        for ask in &raw.asks {
            let before = self.inputs.len();
            let made = field(&ask.field, self.words, self.ground.faults);
            match &ask.role {
                None => {
                    if self.roles.iter().any(|role| role.id == made.id) {
                        self.faults()
                            .add(&ask.field.id.at, NameProblem::IsARole { name: made.id.clone() });
                    }
                    self.input(made.id.to_string(), None, made, FilledFrom::Situation);
                }
                Some(role) => {
                    let Some(place) = self.role(role) else { continue };
                    let kind = self.roles[place].kind;
                    let taken = self.vocabulary().kinds[kind].has.iter().any(|f| f.id == made.id)
                        || self
                            .vocabulary()
                            .statuses
                            .iter()
                            .any(|s| s.id == made.id && s.of.contains(&kind));
                    if taken {
                        self.faults().add(
                            &ask.field.id.at,
                            NameProblem::KnownFromUnit { role: role.text(), name: made.id },
                        );
                    } else {
                        self.input(
                            format!("{}.{}", role.it, made.id),
                            Some(place),
                            made,
                            FilledFrom::Situation,
                        );
                    }
                }
            }
            if let Some(count) = &ask.field.count
                && self.inputs.len() > before
            {
                let input = InputId::from_index(before);
                self.inputs[input].count = self.counted(count, input);
            }
        }
    }

    /// The role that results apply to by default.
    fn default_role(&self) -> Option<RoleId> {
        match &self.raw.lands_on {
            Some(role) => self.role(role),
            None => self.roles.ids().next().filter(|_| self.roles.len() == 1),
        }
    }

    fn opening_option(&self, id: &Located<String>) -> Option<OptionId> {
        let options = &self.vocabulary().options;
        let found =
            find(id, Noun::Option, options.iter().map(|o| o.field.id.as_str()), self.faults())?;
        if options[found].field.accepts != Accepts::YesNo {
            self.faults().add(&id.at, FieldProblem::ChartOptionNotYesNo { name: id.text() });
        }
        Some(found)
    }

    fn make_each(&mut self, lands_on: Option<RoleId>) -> Option<Each> {
        let raw: &RawChart = self.raw;
        let Some(role) = self.each else {
            for (given, key) in [
                (raw.random.as_ref().map(|title| &title.at), "random"),
                (raw.order.as_ref().map(|o| &o.at), "order"),
                (raw.tally.first().map(|t| &t.count.at), "tally"),
            ] {
                if let (Some(at), None) = (given, &raw.each) {
                    self.faults().add(at, ChartProblem::NeedsEach { key });
                }
            }
            return None;
        };
        let order = raw.order.as_ref().and_then(|order| match order.it.as_str() {
            "highest" => Some(Order::Highest),
            "lowest" => Some(Order::Lowest),
            other => {
                self.faults().unknown(&order.at, Noun::Order, other, ["highest", "lowest"]);
                None
            }
        });
        let mut tally = IdVec::new();
        for line in &raw.tally {
            let count = self.formula(&line.count, ExpectedType::YesNo);
            let on = line.on.as_ref().and_then(|on| self.role(on)).or(lands_on);
            if let (Some(count), Some(landing)) = (count, self.landing(&line.result, on)) {
                tally.push(Tally {
                    label: line.label.as_str().into(),
                    count,
                    at_least: line.at_least,
                    landing,
                });
            }
        }
        let random = raw.random.as_ref().map(|title| title.it.as_str().into());
        Some(Each { role, random, order, tally })
    }

    fn make_printed(&mut self) -> Option<Printed> {
        let raw = self.raw.printed.as_ref()?;
        let number_input = |builder: &Self, name: &Located<String>| {
            let inputs = builder.inputs.iter().map(|input| input.name.as_str());
            let place: InputId = find(name, Noun::Input, inputs, builder.faults())?;
            if !matches!(builder.inputs[place].field.accepts, Accepts::Number { .. }) {
                builder.faults().add(&name.at, ChartProblem::PrintedByOther { name: name.text() });
                return None;
            }
            Some(place)
        };
        let (down, across) = (number_input(self, &raw.down)?, number_input(self, &raw.across)?);
        let sheet = CheckedDeck::read(&raw.file, self.ground.files, self.faults())?;
        let heads: Vec<Number> =
            sheet.heads.iter().skip(1).filter_map(|head| head.parse().ok()).collect();
        if heads.len() + 1 != sheet.heads.len() {
            sheet.fault(0, ChartProblem::PrintedHeads, self.faults());
        }
        let mut rows = Vec::new();
        for (at, line) in &sheet.lines {
            sheet.clean(*at, line, self.faults());
            match line.first().and_then(|n| n.parse().ok()) {
                Some(n) if line.len() == sheet.heads.len() => rows.push((n, line[1..].to_vec())),
                _ => sheet.fault(*at, ChartProblem::PrintedLine, self.faults()),
            }
        }
        let option = raw.option.as_ref().and_then(|option| self.opening_option(option));
        Some(Printed { down, across, option, heads, rows })
    }

    /// Reports inputs that nothing uses: the player would be asked for no reason.
    fn check_used(&self) {
        let free = self.raw.read.as_ref().and_then(|read| read.user_table.as_ref());
        let own_score = free.is_some_and(|table| {
            self.ground.raw.user_tables.iter().any(|t| t.id.it == table.it && t.score.is_none())
        });
        if own_score || self.ground.faults.count() > 0 {
            return;
        }
        for input in self
            .inputs
            .iter()
            .filter(|input| input.source == FilledFrom::Situation && !self.used[input.slot])
        {
            let at = self
                .raw
                .asks
                .iter()
                .find(|ask| input.name.ends_with(ask.field.id.it.as_str()))
                .map_or(self.here(), |ask| &ask.field.id.at);
            self.faults()
                .add(at, Problem::Unused { what: Unused::Input, name: input.name.clone() });
        }
    }

    /// Results that come from charts that are looked up, through `result_of`.
    fn taken_over(
        &self,
        read: &crate::chart::Read,
        steps: &IdVec<StepId, crate::chart::Step>,
    ) -> Vec<ResultId> {
        let mut found = Vec::new();
        for cell in read.rows.iter().flat_map(|row| &row.cells) {
            let step = cell.result_of.and_then(|step| steps.get(step));
            if let Some(crate::chart::StepKind::LookUp(look_up)) = step.map(|step| &step.kind) {
                found.extend(
                    self.ground.done[look_up.chart]
                        .iter()
                        .flat_map(|chart| chart.results.iter().copied()),
                );
            }
        }
        found
    }

    /// The only step that rolls, draws or calculates, if there is exactly one. It is the default
    /// score.
    pub fn only_number_step(&self) -> Option<&Located<String>> {
        let numbers =
            |kind: &RawStepKind| !matches!(kind, RawStepKind::Ask(_) | RawStepKind::LookUp(_));
        let mut steps = self.raw.steps.iter().filter(|step| numbers(&step.kind));
        let only = steps.next()?;
        steps.next().is_none().then_some(&only.name)
    }

    /// The input of this chart that supplies an input which a looked-up chart needs of a role.
    /// Creates it if necessary.
    pub fn borrow_input(
        &mut self,
        role: RoleId,
        there: &Field,
        id: &str,
        source: FilledFrom,
    ) -> Slot {
        let name = format!("{}.{id}", self.roles[role].id);
        let base = self.roles[role].id.clone();
        if let Some(Ok((Expr::Slot(slot), _))) = self.attribute(&base, id) {
            self.used[slot] = true;
            return slot;
        }
        if let Some(slot) = self
            .names
            .position(|known| known.text == name && matches!(known.origin, NameSource::Input(_)))
        {
            self.used[slot] = true;
            return slot;
        }
        let slot = self.input(name, Some(role), there.clone(), source);
        self.used[slot] = true;
        slot
    }
}
