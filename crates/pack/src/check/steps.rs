//! Checks the steps of a chart: dice, cards, questions, lookups, calculations.

use super::builder::{Builder, ExpectedType, KnownAgain, KnownKind, KnownRoll, KnownStep, Nth};
use super::names::titled;
use super::vocabulary::{self, check_name, field, find};
use crate::chart::{
    Again, Amount, AskAgain, Facet, LookUp, MOST_TIMES, Modifier, NameSource, Series, Step,
    StepKind, StopRule,
};
use crate::expr::{Expr, Formula, Range};
use crate::ids::{AgainId, ChartId, Id, IdVec, ModifierId, RoleId, StepId};
use crate::problem::{
    CanNeverHold, ChartProblem, ExprProblem, NameProblem, RollProblem, StepProblem, ValueKind,
};
use crate::raw::{RawAgain, RawLookUp, RawModifier, RawStep, RawStepKind};
use crate::roll::{Decision, MOST_ROLLED, Roll, RolledDie, Yields};
use crate::tree::Located;
use crate::unknown_name::{Noun, UnknownName};
use crate::value::{Type, Value};
use adjutant_dice::{MOST_DICE, Number};

impl Builder<'_, '_> {
    pub fn make_steps(&mut self, lands_on: Option<RoleId>) -> IdVec<StepId, Step> {
        let raw = self.raw;
        let mut made = IdVec::new();
        for step in &raw.steps {
            match self.make_step(step, lands_on) {
                Some(step) => _ = made.push(step),
                None => self.broken.push(step.name.it.clone()),
            }
        }
        made
    }

    fn make_step(&mut self, raw: &RawStep, lands_on: Option<RoleId>) -> Option<Step> {
        check_name(&raw.name, self.faults());
        let name = raw.name.it.clone();
        if self.steps.iter().any(|step| step.name == name)
            || self.inputs.iter().any(|input| input.name == name)
        {
            self.faults().add(&raw.name.at, NameProblem::StepTaken { name: raw.name.text() });
        }
        let when = self.condition(raw.when.as_ref());
        if let (Some(when), Some(text)) = (&when, &raw.when) {
            self.check_can_hold(when, &text.at, CanNeverHold::Step);
        }
        let mut kind = self.step_kind(raw)?;
        self.check_limits(raw, &kind);
        let mut add: Vec<Option<Modifier>> = Vec::new();
        for modifier in &raw.add {
            let of_dice = modifier.dice.is_some();
            add.push(if of_dice { self.modifier(modifier, &kind) } else { None });
        }
        let known = self.known(&name, &kind, &add);
        let may_skip = when.is_some() || self.may_run_dry(&kind);
        let place = self.steps.push(KnownStep { may_skip, ..known });
        if let (StepKind::Roll(roll), RawStepKind::Roll(raw)) = (&mut kind, &raw.kind) {
            self.assumptions(roll, raw);
        }
        let most = raw.most.as_ref().and_then(|text| self.formula(text, ExpectedType::Number));
        let least = raw.least.as_ref().and_then(|text| self.formula(text, ExpectedType::Number));
        for (slot, modifier) in add.iter_mut().zip(&raw.add) {
            if modifier.dice.is_none() {
                *slot = self.modifier(modifier, &kind);
            }
        }
        let add: IdVec<ModifierId, Modifier> = add.into_iter().flatten().collect();
        let again: IdVec<AgainId, Again> = raw
            .again
            .iter()
            .enumerate()
            .filter_map(|(rule, again)| {
                self.again(again, place, AgainId::from_index(rule), &kind, lands_on)
            })
            .collect();
        self.check_endless(&again, &raw.again);
        self.settle_total(place, &add, most.as_ref(), least.as_ref(), may_skip);
        let title = if raw.title.is_empty() { titled(&name) } else { raw.title.clone() };
        let what_for = format!("{}: {title}", self.raw.title).into();
        let step = Step {
            name: name.into(),
            title: title.into(),
            what_for,
            text: raw.text.as_str().into(),
            on_sheet: raw.sheet,
            when,
            kind,
            most,
            least,
            reading: self.reading(raw.reading.as_ref()),
            add,
            again,
            facets: Vec::new(),
            names: Vec::new(),
        };
        self.check_cards(raw, &step, place);
        Some(step)
    }

    /// Reports limits on a step that is not a number, and conditions on a step that has no value
    /// when it is skipped.
    fn check_limits(&self, raw: &RawStep, kind: &StepKind) {
        let number = match kind {
            StepKind::Roll(roll) => roll.yields == Yields::Number,
            StepKind::Draw(draw) => draw.adds_up(),
            StepKind::WorkOut(formula) => formula.kind == Type::Number,
            _ => false,
        };
        for limit in [&raw.most, &raw.least].into_iter().flatten().filter(|_| !number) {
            self.faults().add(&limit.at, StepProblem::NoLimit);
        }
        if let (StepKind::Ask(field), Some(when)) = (kind, &raw.when)
            && field.start.is_none()
        {
            self.faults().add(&when.at, StepProblem::SkippedQuestion);
        }
        if let (StepKind::WorkOut(Formula { kind: Type::Choice(_), .. }), Some(when)) =
            (kind, &raw.when)
        {
            self.faults().add(&when.at, StepProblem::SkippedWord);
        }
    }

    fn step_kind(&mut self, raw: &RawStep) -> Option<StepKind> {
        Some(match &raw.kind {
            RawStepKind::Roll(roll) => StepKind::Roll(Box::new(self.roll(raw, roll)?)),
            RawStepKind::Draw(draw) => StepKind::Draw(Box::new(self.draw(raw, draw)?)),
            RawStepKind::Ask(question) => {
                StepKind::Ask(field(question, self.words, self.ground.faults))
            }
            RawStepKind::LookUp(look_up) => StepKind::LookUp(self.look_up(look_up)?),
            RawStepKind::WorkOut(text) => StepKind::WorkOut(self.formula(text, ExpectedType::Any)?),
        })
    }

    /// A lookup of another chart, with its inputs and roles.
    pub fn look_up(&mut self, raw: &RawLookUp) -> Option<LookUp> {
        let chart: ChartId = find(
            &raw.chart,
            Noun::Chart,
            self.ground.raw.charts.iter().map(|c| c.id.it.as_str()),
            self.faults(),
        )?;
        let there = self.ground.done.get(chart)?.as_ref()?;
        if there.each.is_some() {
            self.faults()
                .add(&raw.chart.at, StepProblem::LookUpOfSeveral { chart: there.id.clone() });
        }
        let mut who = Vec::new();
        for (role, here) in &raw.who {
            let role_there = find(
                role,
                Noun::RoleOfChart,
                there.roles.iter().map(|r| r.id.as_str()),
                self.faults(),
            );
            if let (Some(there_place), Some(here)) = (role_there, self.role(here)) {
                let wanted = there.roles[there_place].kind;
                if self.roles[here].kind != wanted {
                    let kind = self.vocabulary().kinds[wanted].id.clone();
                    self.faults().add(&role.at, ChartProblem::RoleKind { role: role.text(), kind });
                }
                who.push((there_place, here));
            }
        }
        let times = raw.times.as_ref().and_then(|text| self.series(text));
        let before = self.nth.take();
        self.nth = raw.times.as_ref().map(|_| self.nth_of(times.as_ref()));
        let mut given = Vec::new();
        for (name, text) in &raw.with {
            let place = find(
                name,
                Noun::InputOfChart,
                there.inputs.iter().map(|i| i.name.as_str()),
                self.faults(),
            );
            if let (Some(place), Some(formula)) = (place, self.formula(text, ExpectedType::Any)) {
                let wanted = vocabulary::kind_of(&there.inputs[place].field.accepts, self.words);
                self.fits(&formula, &wanted, &name.it, &text.at);
                given.push((place, formula));
            }
        }
        self.nth = before;
        for (place, input) in there.inputs.iter_enumerated() {
            // An answer with a fault is reported as such, not as missing too.
            let written = raw.with.iter().any(|(name, _)| name.it == input.name);
            if written || given.iter().any(|(known, _)| *known == place) {
                continue;
            }
            let mapped = who.iter().find(|(role, _)| Some(*role) == input.role);
            match (mapped, input.name.split_once('.')) {
                (Some((_, here)), Some((_, id))) => {
                    let slot = self.borrow_input(*here, &input.field, id, input.source);
                    let kind = self.names[slot].kind.clone();
                    given.push((
                        place,
                        Formula {
                            expr: Expr::Slot(slot),
                            text: self.names[slot].text.clone(),
                            kind,
                        },
                    ));
                }
                _ if input.field.default.is_none() => {
                    let problem = StepProblem::LookUpNeeds {
                        chart: there.id.clone(),
                        input: input.name.clone(),
                    };
                    self.faults().add(&raw.chart.at, problem);
                }
                _ => {}
            }
        }
        let times = self.with_nth(times);
        Some(LookUp { chart, times, given, who })
    }

    /// How many times a chart is run: a number, or once for each word of a list. A number that no
    /// series has is reported.
    pub fn series(&mut self, text: &Located<String>) -> Option<Series> {
        if let Some(list) = text.it.trim().strip_prefix("list.") {
            let Some(words) = self.vocabulary().lists.position(|known| known.id == list) else {
                let known = self.vocabulary().lists.iter().map(|list| list.id.as_str());
                let unknown = UnknownName::brief(Noun::List, list, known);
                self.faults().add(&text.at, ExprProblem::UnknownName(unknown));
                return None;
            };
            let count = Number::from(self.vocabulary().lists[words].words.len() as u32);
            let (expr, kind) = (Expr::Fixed(Value::Number(count)), Type::Number);
            let times = Formula { expr, text: text.it.trim().into(), kind };
            return Some(Series { times, nth: None, words: Some(words) });
        }
        let times = self.formula(text, ExpectedType::Number)?;
        let range = self.range(&times);
        if range.to.is_some_and(|n| n < Number::ZERO)
            || range.from.is_some_and(|n| n > Number::from(MOST_TIMES))
        {
            self.faults().add(&text.at, StepProblem::NeverSoManyTimes { most: MOST_TIMES });
        }
        Some(Series { times, nth: None, words: None })
    }

    /// What `nth` is in a series: a word of its list, or a place.
    pub fn nth_of(&self, series: Option<&Series>) -> Nth {
        if let Some(list) = series.and_then(|series| series.words) {
            let words = self.vocabulary().lists[list].words.iter();
            return Nth::Word(words.map(|known| known.word).collect());
        }
        let most = series.and_then(|series| self.series_range(series).to);
        Nth::Place(Range::between(Number::ONE, most.unwrap_or(Number::from(MOST_TIMES)), true))
    }

    /// A series with the name of its places, once its inputs are read.
    pub fn with_nth(&self, series: Option<Series>) -> Option<Series> {
        let nth = self.names.position(|name| name.origin == NameSource::Nth);
        series.map(|series| Series { nth, ..series })
    }

    /// The range of the number of runs. A part of a run does not count.
    fn series_range(&self, series: &Series) -> Range {
        let most = Range::just(Number::from(MOST_TIMES));
        self.range(&series.times).floor().clamped(Some(Range::just(Number::ZERO)), Some(most))
    }

    /// Reports a formula whose type does not fit an input.
    pub fn fits(&self, formula: &Formula, wanted: &Type, name: &str, at: &crate::tree::Place) {
        fits(formula, wanted, name, at, self.words, self.faults());
    }

    pub fn modifier(&mut self, raw: &RawModifier, kind: &StepKind) -> Option<Modifier> {
        let make = match (&raw.plus, &raw.times, &raw.dice) {
            (Some(text), None, None) => Some((text, Amount::Plus as fn(Formula) -> Amount)),
            (None, Some(text), None) => Some((text, Amount::Times as _)),
            (None, None, Some(text)) => Some((text, Amount::Dice as _)),
            _ => None,
        };
        let Some((text, make)) = make else {
            self.faults().add(
                &raw.at,
                StepProblem::ModifierWithoutAmount { label: raw.label.as_str().into() },
            );
            return None;
        };
        let amount = make(self.formula(text, ExpectedType::Number)?);
        if matches!(amount, Amount::Dice(_)) && !matches!(kind, StepKind::Roll(_)) {
            self.faults().add(&text.at, StepProblem::DiceOnOther);
        }
        let modifiable = match kind {
            // Dice that show words have no total, but their number can change.
            StepKind::Roll(roll) => {
                roll.yields == Yields::Number || matches!(amount, Amount::Dice(_))
            }
            StepKind::Draw(draw) => draw.adds_up(),
            StepKind::WorkOut(formula) => formula.kind == Type::Number,
            _ => false,
        };
        if !modifiable {
            self.faults().add(&raw.at, StepProblem::NothingToModify);
        }
        let when = self.condition(raw.when.as_ref());
        if let Some(when) = &when {
            let at = raw.when.as_ref().map_or(&raw.at, |text| &text.at);
            self.check_can_hold(when, at, CanNeverHold::Modifier(raw.label.as_str().into()));
        }
        Some(Modifier {
            label: raw.label.as_str().into(),
            text: raw.text.as_str().into(),
            amount,
            when,
            best_of: raw.best_of.clone(),
            reading: self.reading(raw.reading.as_ref()),
            names: Vec::new(),
        })
    }

    /// What later expressions may use of a step, before its modifiers are known.
    fn known(&mut self, name: &str, kind: &StepKind, add: &[Option<Modifier>]) -> KnownStep {
        let zero = Range::just(Number::ZERO);
        let (kind, natural) = match kind {
            StepKind::Roll(roll) => {
                let mut count = zero;
                for kind in &roll.kinds {
                    count = count.plus(self.range(&kind.count).floor().clamped(Some(zero), None));
                }
                if let [kind] = roll.kinds.as_slice() {
                    count = self.range(&kind.count);
                }
                for modifier in add.iter().flatten() {
                    let more = count.plus(self.range(modifier.amount.formula()));
                    count = if modifier.when.is_some() || modifier.best_of.is_some() {
                        count.or(more)
                    } else {
                        more
                    };
                }
                let known = self.known_roll(roll, count);
                let natural = match &roll.each {
                    Some(worth) => self.sum_of(&worth.formula, known.kept),
                    None => known.kept.times(known.range),
                };
                (KnownKind::Roll(Box::new(known)), natural)
            }
            StepKind::Draw(draw) => self.known_draw(draw),
            StepKind::Ask(question) => (
                KnownKind::Value(vocabulary::kind_of(&question.accepts, self.words)),
                super::builder::range_of(&question.accepts),
            ),
            StepKind::WorkOut(formula) => {
                (KnownKind::Value(formula.kind.clone()), self.range(formula))
            }
            StepKind::LookUp(look_up) => {
                let times = look_up.times.as_ref().map(|times| self.series_range(times));
                (KnownKind::LookUp { chart: look_up.chart, times }, zero)
            }
        };
        // Until the modifiers are checked, the total is the natural roll.
        KnownStep {
            name: name.to_owned(),
            kind,
            facets: Vec::new(),
            total: natural,
            natural,
            may_skip: false,
        }
    }

    fn known_roll(&mut self, roll: &Roll, count: Range) -> KnownRoll {
        let zero = Range::just(Number::ZERO);
        // A fraction of a die does not count, and the number of dice is between 0 and the maximum.
        let limit = Range::just(Number::from(MOST_DICE));
        let mut dice = count.floor().clamped(Some(zero), Some(limit));
        if let Some(extra) = &roll.extra {
            let times = Range::between(Number::ONE, Number::from(extra.at_most + 1), true);
            dice = dice.times(times).clamped(None, Some(Range::just(Number::from(MOST_ROLLED))));
        }
        let kept = match (&roll.choose, &roll.keep) {
            (Some(_), _) => dice.clamped(None, Some(Range::just(Number::ONE))),
            (None, None) => dice,
            (None, Some(keep)) => {
                let many = |formula: Option<&Formula>| {
                    let range = formula.map_or(zero, |formula| self.range(formula));
                    range.floor().clamped(Some(zero), Some(limit))
                };
                dice.clamped(None, Some(many(keep.highest()).plus(many(keep.lowest()))))
            }
        };
        let sum = |formula: &Formula| self.sum_of(formula, kept);
        let tally = roll.tally.iter().map(|tally| (tally.name.clone(), sum(&tally.formula)));
        let tally = tally.collect();
        let (face, range, fields) = self.finished_face(roll);
        KnownRoll {
            dice,
            kept,
            face,
            range,
            fields,
            tally,
            yields: roll.yields,
            fill: roll.fill.as_ref().map(|fill| self.range(&fill.size)),
            shows: self.shows(roll),
        }
    }

    /// The numbers that a roll of one die can show, if they have gaps and the roll is read as it
    /// lies.
    fn shows(&self, roll: &Roll) -> Option<Vec<Number>> {
        let [kind] = roll.kinds.as_slice() else { return None };
        let one = kind.count.constant().and_then(Value::number) == Some(Number::ONE);
        let bare = roll.explode.is_none()
            && roll.extra.is_none()
            && roll.keep.is_none()
            && roll.each.is_none()
            && roll.fill.is_none();
        if !one || !bare {
            return None;
        }
        match &kind.die {
            RolledDie::Digits { sides, digits } => {
                let mut found = vec![0_u32];
                for _ in 0..*digits {
                    found = found
                        .iter()
                        .flat_map(|before| (1..=*sides).map(move |face| before * 10 + face))
                        .collect();
                }
                Some(found.into_iter().map(Number::from).collect())
            }
            RolledDie::Named(die) => {
                let faces = self.vocabulary().dice[*die].faces.iter();
                faces.map(|face| face.value.number()).collect()
            }
            RolledDie::Plain(_) | RolledDie::Sized(_) => None,
        }
    }

    /// The range of a sum of so many dice.
    pub(super) fn sum_of(&self, each: &Formula, dice: Range) -> Range {
        match each.kind {
            Type::Number => dice.times(self.range(each)),
            _ => Range { from: Some(Number::ZERO), ..dice },
        }
    }

    fn settle_total(
        &mut self,
        place: StepId,
        add: &[Modifier],
        most: Option<&Formula>,
        least: Option<&Formula>,
        may_skip: bool,
    ) {
        let mut total = self.steps[place].natural;
        for modifier in add {
            let amount = self.range(modifier.amount.formula());
            let changed = match modifier.amount {
                Amount::Plus(_) => total.plus(amount),
                Amount::Times(_) => total.times(amount),
                Amount::Dice(_) => total,
            };
            let always = modifier.when.is_none() && modifier.best_of.is_none();
            total = if always { changed } else { total.or(changed) };
        }
        total = total.clamped(least.map(|f| self.range(f)), most.map(|f| self.range(f)));
        if may_skip {
            total = total.or(Range::just(Number::ZERO));
        }
        self.steps[place].total = total;
        let total_slot = self.steps[place]
            .facets
            .iter()
            .find(|(facet, _)| *facet == Facet::Total)
            .map(|(_, slot)| *slot);
        if let Some(slot) = total_slot {
            self.names[slot].range = total;
        }
    }

    fn again(
        &mut self,
        raw: &RawAgain,
        step: StepId,
        rule: AgainId,
        kind: &StepKind,
        lands_on: Option<RoleId>,
    ) -> Option<Again> {
        if !matches!(kind, StepKind::Roll(_) | StepKind::Draw(_)) {
            self.faults().add(&raw.at, StepProblem::AgainOnOther);
        }
        if raw.reshuffle && !matches!(kind, StepKind::Draw(_)) {
            self.faults().add(&raw.at, StepProblem::ReshuffledDice);
        }
        let when = self.formula(&raw.when, ExpectedType::YesNo)?;
        self.check_can_hold(&when, &raw.when.at, CanNeverHold::AgainRule);
        let assume = self.condition(raw.assume.as_ref());
        if let (Some(text), None) = (&raw.assume, &raw.ask) {
            self.faults().add(&text.at, RollProblem::AssumeWithoutAsk);
        }
        let look_up = raw.look_up.as_ref().and_then(|look_up| self.look_up(look_up));
        if let (Some(look_up), Some(name)) = (&look_up, &raw.name) {
            check_name(name, self.faults());
            let taken = self.agains.iter().any(|known| known.name == name.it)
                || self.raw.steps.iter().any(|step| step.name.it == name.it)
                || self.inputs.iter().any(|input| input.name == name.it);
            if taken {
                self.faults().add(&name.at, NameProblem::LookUpTaken { name: name.text() });
            }
            self.agains.push(KnownAgain {
                name: name.it.clone(),
                step,
                rule,
                chart: look_up.chart,
                facets: Vec::new(),
                open: true,
            });
        }
        let stop = raw.stop.as_ref().and_then(|stop| {
            let when = self.condition(stop.when.as_ref());
            let on = stop.on.as_ref().and_then(|on| self.role(on)).or(lands_on);
            Some(StopRule { when, landing: self.landing(&stop.result, on)? })
        });
        let ask_again = raw.ask_again.as_ref().map(|ask| {
            let when = self.condition(ask.when.as_ref());
            let inputs = ask
                .inputs
                .iter()
                .filter_map(|name| {
                    find(
                        name,
                        Noun::Input,
                        self.inputs.iter().map(|i| i.name.as_str()),
                        self.faults(),
                    )
                })
                .collect();
            AskAgain { when, inputs }
        });
        self.agains.iter_mut().for_each(|known| known.open = false);
        Some(Again {
            when,
            because: raw.because.as_str().into(),
            text: raw.text.as_str().into(),
            reshuffle: raw.reshuffle,
            at_most: raw.at_most,
            look_up,
            facets: Vec::new(),
            stop,
            ask_again,
            ask: raw.ask.as_ref().map(|ask| Decision { prompt: ask.as_str().into(), assume }),
        })
    }
}

/// Reports a formula whose type does not fit an input or attribute.
pub(super) fn fits(
    formula: &Formula,
    wanted: &Type,
    name: &str,
    at: &crate::tree::Place,
    words: &crate::value::Words,
    faults: &crate::tree::Diagnostics,
) {
    let fine = match (&formula.kind, wanted) {
        (Type::Choice(given), Type::Choice(known)) => given.is_subset(known),
        (given, wanted) => given == wanted,
    };
    if !fine {
        let words = match wanted {
            Type::Choice(known) => known.iter().map(|w| words.text(*w).into()).collect(),
            _ => Vec::new(),
        };
        faults.add(
            at,
            ExprProblem::NotTaken {
                name: name.into(),
                given: formula.text.clone(),
                kind: ValueKind::from(wanted),
                words,
            },
        );
    }
}
