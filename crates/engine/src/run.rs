//! One run of a chart, from its inputs to its resolution. A run that lacks a face or an answer
//! stops there, with the resolution so far and what is missing. A table that only the rule book has
//! is a question until the player fills it in.

use crate::coverage::CoveragePoint;
use crate::decks::{Decks, Owners};
use crate::error::{OptionOff, ResolveError};
use crate::resolution::{
    Inputs, LookUpStep, MemberLine, ModifierLine, OptionLine, ReadingLine, Resolution, ResultLine,
    RollStep, Step,
};
use crate::situation::{Given, Situation, Unit, Values, starting};
use adjutant_dice::{
    Answer, DiceRequest, InputSource, Missing, Number, Relevance, Site, SourceError, Text,
};
use adjutant_pack::{
    BindingId, Chart, ChartId, ColumnId, EvalError, Formula, Id, IdVec, LookUp, Lookup, MOST_TIMES,
    MemoryId, NameSource, OptionId, Order, Pack, ReadingId, RoleId, Series, Slot, Value,
};
use std::cell::Cell;

/// How many marks a run usually leaves; room for them is made at once.
const USUAL_MARKS: usize = 16;

/// A run that could not go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{:?} {:?}", self.refused, self.resolution.needs)]
pub struct Interrupted {
    /// What happened until then; `needs` has what is missing.
    pub resolution: Box<Resolution>,
    /// Why it cannot go on; none if something is missing.
    pub refused: Option<Box<ResolveError>>,
}

/// Why a run stops before its end: something is missing, or it cannot go on.
pub(crate) enum Halt {
    Need(Box<Missing>),
    Refused(Box<ResolveError>),
}

impl From<ResolveError> for Halt {
    fn from(error: ResolveError) -> Halt {
        Halt::Refused(Box::new(error))
    }
}

impl From<SourceError> for Halt {
    fn from(stop: SourceError) -> Halt {
        match stop {
            SourceError::Missing(need) => Halt::Need(need),
            stop => ResolveError::Source(stop).into(),
        }
    }
}

/// The values of a chart's names, noting which options are consulted.
pub(crate) struct Slots<'p> {
    pub values: Values,
    chart: &'p Chart,
    consulted: Cell<u64>,
}

impl Slots<'_> {
    /// Notes that an option was consulted.
    pub fn consult(&self, option: OptionId) {
        self.consulted.set(self.consulted.get() | 1 << (option.index() % 64));
    }
}

impl Lookup for Slots<'_> {
    fn get(&self, slot: Slot) -> Option<Value> {
        if let Some(NameSource::Option(option)) = self.chart.names.get(slot).map(|name| name.origin)
        {
            self.consult(option);
        }
        self.values.get(slot).copied().flatten()
    }
}

/// What all charts of a run share.
pub(crate) struct Shared<'p, 's> {
    pub pack: &'p Pack,
    pub options: &'s IdVec<OptionId, Value>,
    pub memory: &'s IdVec<MemoryId, Value>,
    pub decks: &'s mut Decks,
    pub owners: &'s Owners,
    pub source: &'s mut dyn InputSource,
    pub resolution: &'s mut Resolution,
    /// How many rolls and draws there were; an endless run is stopped.
    pub rolls: u32,
    /// The name of the unit, where there are several.
    pub member: Option<Text>,
    /// Whether the resolution leaves out what only a reader needs.
    pub brief: bool,
    pub skips: Skips,
}

/// What a run leaves out because the caller does not read it.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Skips {
    /// The value of the chart.
    pub value: bool,
    /// Effects and follow-ups. A deck is reshuffled all the same.
    pub changes: bool,
}

/// One chart being run.
pub(crate) struct Run<'p, 'r, 's> {
    pub chart: &'p Chart,
    pub place: ChartId,
    pub slots: Slots<'p>,
    /// The name of each role in the resolution, where it is not its own.
    roles: Option<IdVec<RoleId, Text>>,
    pub shared: &'r mut Shared<'p, 's>,
}

/// The outcome of one chart.
#[derive(Default)]
pub(crate) struct ChartOutcome {
    pub score: Option<Value>,
    pub column: Option<ColumnId>,
    pub shifts: Vec<ModifierLine>,
    pub row: Option<Text>,
    pub result: Option<ResultLine>,
    pub value: Option<Number>,
    pub says: Option<String>,
    /// The result still to be landed, with a remark.
    pub landing: Option<(BindingId, Option<Text>)>,
    /// Which tallies this unit counts for.
    pub counts: Vec<bool>,
    pub together: bool,
}

/// Runs a chart. Cards drawn are taken out of the situation's decks, also when the run stops.
pub fn resolve(
    situation: &mut Situation<'_>,
    source: &mut dyn InputSource,
) -> Result<Resolution, Interrupted> {
    let (pack, chart) = (situation.pack, situation.chart());
    let units = situation.units();
    let mut resolution = Resolution {
        pack: pack.id().clone(),
        pack_hash: pack.hash().clone(),
        chart: chart.id.clone(),
        title: chart.title.clone(),
        inputs: if situation.brief { Inputs::default() } else { inputs(situation, &units) },
        steps: Vec::with_capacity(chart.steps.len()),
        marks: Vec::with_capacity(USUAL_MARKS),
        ..Resolution::default()
    };
    if let Some(error) = closed(situation) {
        return Err(Interrupted {
            resolution: Box::new(resolution),
            refused: Some(Box::new(error)),
        });
    }
    resolution.needs = crate::needs::needs_of(situation, &units);
    if !resolution.needs.is_empty() {
        return Err(Interrupted { resolution: Box::new(resolution), refused: None });
    }
    let mut decks = std::mem::take(&mut situation.decks);
    let ended = run_ready(situation, &mut decks, source, units, &mut resolution);
    situation.decks = decks;
    match ended {
        Ok(()) => Ok(resolution),
        Err(refused) => Err(Interrupted { resolution: Box::new(resolution), refused }),
    }
}

/// The error that the chart's option is off, or that it needs the roster of a game.
pub(crate) fn closed(situation: &Situation<'_>) -> Option<ResolveError> {
    if let Some(option) = situation.closed_by() {
        return Some(ResolveError::OptionOff(OptionOff::new(&situation.chart().title, option)));
    }
    let bag = situation.missing_bag()?.title.clone();
    Some(ResolveError::BagWithoutGame { chart: situation.chart().title.clone(), bag })
}

/// Runs a chart whose needs are known to be met, and adds to the resolution. A run that stops
/// returns the error, or none if something is missing.
pub(crate) fn run_ready(
    situation: &Situation<'_>,
    decks: &mut Decks,
    source: &mut dyn InputSource,
    units: Vec<Unit>,
    resolution: &mut Resolution,
) -> Result<(), Option<Box<ResolveError>>> {
    let Situation { pack, options, memory, chart: place, brief, .. } = situation;
    let mut shared = Shared {
        pack,
        options,
        memory,
        decks,
        owners: &situation.owners,
        source,
        resolution,
        rolls: 0,
        member: None,
        brief: *brief,
        skips: Skips::default(),
    };
    run_all(&mut shared, *place, units).map_err(|halt| match halt {
        Halt::Need(need) => {
            shared.resolution.needs.push(*need);
            None
        }
        Halt::Refused(error) => Some(error),
    })
}

/// What was given or taken by default, for the resolution.
pub(crate) fn inputs(situation: &Situation<'_>, units: &[Unit]) -> Inputs {
    let chart = situation.chart();
    let value = |(_, values): &Unit, input: &adjutant_pack::Input| {
        values[input.slot].map(|value| value.to_answer(situation.pack.words()))
    };
    let [first, ..] = units else { return Inputs::default() };
    let Some(each) = chart.each.as_ref().filter(|_| !situation.members.is_empty()) else {
        let values = chart.inputs_by_name.iter().map(|place| value(first, &chart.inputs[*place]));
        return Inputs::new(chart.input_names.clone(), values.collect());
    };
    let mut list = Vec::new();
    for input in &chart.inputs {
        if input.role != Some(each.role) {
            list.extend(value(first, input).map(|value| (input.name.clone(), value)));
        } else if let Some((role, id)) = input.name.split_once('.') {
            for unit in units {
                list.extend(
                    value(unit, input)
                        .map(|value| (format!("{role}.{}.{id}", unit.0).into(), value)),
                );
            }
        }
    }
    Inputs::of(list)
}

fn run_all(shared: &mut Shared<'_, '_>, place: ChartId, units: Vec<Unit>) -> Result<(), Halt> {
    let pack = shared.pack;
    let chart = &pack.charts()[place];
    let units = pick(shared, chart, units)?;
    let alone = units.len() == 1;
    let first = chart.each.as_ref().and_then(|_| units.first()).map(|(_, values)| values.clone());
    let mut counted: Vec<u32> = vec![0; chart.each.as_ref().map_or(0, |each| each.tally.len())];
    for (name, values) in units {
        shared.member = chart.each.as_ref().map(|_| name.clone());
        let mut run = Run::new(shared, place, values);
        let found = run.all()?;
        for (count, counts) in counted.iter_mut().zip(&found.counts) {
            *count += u32::from(*counts);
        }
        let resolution = &mut shared.resolution;
        let score = found.score.map(|score| score.to_answer(pack.words()));
        if chart.each.is_some() {
            let (row, result, value) = (found.row.clone(), found.result.clone(), found.value);
            resolution.members.push(MemberLine { name, score: score.clone(), row, result, value });
        }
        if alone {
            resolution.score = score;
            resolution.column = found.column.and_then(|column| {
                chart.read.column.as_ref().map(|known| known.ids[column].clone())
            });
            resolution.shifts = found.shifts;
            (resolution.row, resolution.result, resolution.value, resolution.says) =
                (found.row, found.result, found.value, found.says);
        }
        resolution.lands_together |= found.together;
    }
    if let Some(each) = &chart.each {
        for ((line, tally), count) in each.tally.iter_enumerated().zip(counted) {
            if count >= tally.at_least {
                shared.member = None;
                shared.resolution.marks.push(CoveragePoint::Tally(place, line));
                let mut run = Run::new(shared, place, first.clone().unwrap_or_default());
                run.set_outcome(&ChartOutcome {
                    score: Some(Value::Number(Number::from(count))),
                    ..ChartOutcome::default()
                });
                let result = run.land(tally.landing, Some(tally.label.clone()))?;
                shared.resolution.also.push(result);
            }
        }
        if let Some(order) = each.order {
            shared.resolution.order = in_order(&shared.resolution.members, order);
        }
    }
    Ok(())
}

/// The unit that a chart is run for, if a roll picks one of several; else all of them.
fn pick(
    shared: &mut Shared<'_, '_>,
    chart: &Chart,
    mut units: Vec<Unit>,
) -> Result<Vec<Unit>, Halt> {
    let Some((each, title)) =
        chart.each.as_ref().and_then(|each| Some((each, each.random.as_ref()?)))
    else {
        return Ok(units);
    };
    let Ok(sides @ 2..) = u32::try_from(units.len()) else { return Ok(units) };
    let role = &chart.roles[each.role].id;
    let ask = DiceRequest {
        key: role,
        what_for: title,
        count: 1,
        sides,
        faces: &[],
        relevance: Relevance::Order,
        site: Site { step: 0, attempt: 0, unchanged: false },
    };
    let faces = shared.source.dice(&ask)?;
    let face = faces.first().copied().unwrap_or(1);
    let number = Answer::Number(Number::from(face));
    shared.resolution.steps.push(Step::Roll(RollStep {
        name: role.clone(),
        title: title.clone(),
        chart: chart.id.clone(),
        dice: format!("1d{sides}").into(),
        faces,
        natural: Some(number.clone()),
        total: Some(number),
        ..RollStep::default()
    }));
    let place = (face as usize).clamp(1, units.len()) - 1;
    Ok(vec![units.swap_remove(place)])
}

/// Who acts when: equals together, in the order they were given.
fn in_order(members: &[MemberLine], order: Order) -> Vec<Vec<Text>> {
    let score = |member: &MemberLine| match member.score {
        Some(Answer::Number(n)) => n,
        _ => Number::ZERO,
    };
    let mut sorted: Vec<&MemberLine> = members.iter().collect();
    let key = |member: &&MemberLine| match order {
        Order::Highest => -score(member),
        Order::Lowest => score(member),
    };
    adjutant_dice::sort_by_key(&mut sorted, key);
    let mut groups: Vec<(Number, Vec<Text>)> = Vec::new();
    for member in sorted {
        match groups.last_mut().filter(|(known, _)| *known == score(member)) {
            Some((_, group)) => group.push(member.name.clone()),
            None => groups.push((score(member), vec![member.name.clone()])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

pub(crate) fn note_reading(shared: &mut Shared<'_, '_>, reading: ReadingId) {
    let known = &shared.pack.readings()[reading];
    if !shared.resolution.readings.iter().any(|noted| noted.id == known.id) {
        let noted = ReadingLine {
            id: known.id.clone(),
            text: known.text.clone(),
            standing: known.standing,
        };
        shared.resolution.readings.push(noted);
    }
}

impl<'p, 'r, 's> Run<'p, 'r, 's> {
    /// A run from what the chart's names are worth when it starts.
    pub fn new(shared: &'r mut Shared<'p, 's>, place: ChartId, values: Values) -> Run<'p, 'r, 's> {
        let chart: &'p Chart = &shared.pack.charts()[place];
        let mut run = Run {
            chart,
            place,
            roles: None,
            slots: Slots { values, chart, consulted: Cell::new(0) },
            shared,
        };
        if let (Some(member), Some(each)) = (&run.shared.member, &chart.each) {
            let name = format!("{}.{member}", chart.roles[each.role].id).into();
            run.call(each.role, name);
        }
        run.count_decks();
        run
    }

    /// The name of a role in the resolution.
    pub fn role(&self, role: RoleId) -> &Text {
        self.roles.as_ref().map_or(&self.chart.roles[role].id, |names| &names[role])
    }

    /// Calls every role by the name that the caller has for it.
    pub fn call_all(&mut self, names: &IdVec<RoleId, Text>) {
        self.roles = Some(names.clone());
    }

    /// Calls a role by another name.
    fn call(&mut self, role: RoleId, name: Text) {
        let own = || self.chart.roles.iter().map(|role| role.id.clone()).collect();
        self.roles.get_or_insert_with(own)[role] = name;
    }

    /// Steps, reading, effects.
    pub fn all(&mut self) -> Result<ChartOutcome, Halt> {
        let mut ended = None;
        for step in self.chart.steps.ids() {
            if let Some(found) = self.step(step)? {
                ended = Some(found);
                break;
            }
        }
        self.finish(ended)
    }

    /// Reading and effects, after the steps.
    pub fn finish(&mut self, ended: Option<ChartOutcome>) -> Result<ChartOutcome, Halt> {
        self.count_decks();
        let mut found = match ended {
            Some(found) => found,
            None => self.read()?,
        };
        if let Some(together) = &self.chart.together {
            found.together = self.holds(together)?;
        }
        if let Some(each) = &self.chart.each {
            for tally in &each.tally {
                found.counts.push(self.holds(&tally.count)?);
            }
        }
        self.note_options();
        Ok(found)
    }

    fn note_options(&mut self) {
        let consulted = self.slots.consulted.get();
        let pack = self.shared.pack;
        for (place, option) in pack
            .options()
            .iter_enumerated()
            .filter(|(place, _)| consulted & (1 << (place.index() % 64)) != 0)
        {
            if self.shared.resolution.options.iter().any(|noted| noted.id == option.field.id) {
                continue;
            }
            self.shared.resolution.options.push(OptionLine {
                id: option.field.id.clone(),
                label: option.field.label.clone(),
                value: self.shared.options[place].to_answer(pack.words()),
                standing: option.standing,
                origin: option.origin.clone(),
            });
        }
    }

    pub fn reading(&mut self, reading: Option<ReadingId>) {
        if let Some(reading) = reading {
            note_reading(self.shared, reading);
        }
    }

    pub fn set(&mut self, slot: Slot, value: Value) {
        if let Some(place) = self.slots.values.get_mut(slot) {
            *place = Some(value);
        }
    }

    #[inline]
    pub fn number(&self, formula: &Formula) -> Result<Number, Halt> {
        formula.number(&self.slots).map_err(|stop| self.halt(formula, stop))
    }

    pub fn eval(&self, formula: &Formula) -> Result<Value, Halt> {
        formula.eval(&self.slots).map_err(|stop| self.halt(formula, stop))
    }

    #[inline]
    pub fn holds(&self, formula: &Formula) -> Result<bool, Halt> {
        formula.holds(&self.slots).map_err(|stop| self.halt(formula, stop))
    }

    pub fn holds_or(&self, formula: Option<&Formula>, otherwise: bool) -> Result<bool, Halt> {
        formula.map_or(Ok(otherwise), |formula| self.holds(formula))
    }

    /// The error for a formula that has no value.
    #[cold]
    fn halt(&self, formula: &Formula, stop: EvalError) -> Halt {
        match stop {
            EvalError::Sum(error) => ResolveError::Formula {
                chart: self.chart.title.clone(),
                formula: formula.text.clone(),
                error,
            }
            .into(),
            EvalError::Missing(slot) => {
                let name = self.chart.names.get(slot);
                if let Some(NameSource::Input(input)) = name.map(|name| name.origin)
                    && let Some(input) = self.chart.inputs.get(input)
                {
                    let wanted =
                        adjutant_dice::Wanted::Input { accepts: input.field.accepts.clone() };
                    return Halt::Need(Box::new(Missing {
                        key: input.name.to_string(),
                        what_for: input.field.label.to_string(),
                        member: None,
                        wanted,
                    }));
                }
                let name = name.map_or("?".into(), |name| name.text.clone());
                ResolveError::NoValue {
                    chart: self.chart.title.clone(),
                    formula: formula.text.clone(),
                    name,
                }
                .into()
            }
        }
    }

    /// Runs another chart as part of this one. Its rolls, changes and follow-ups join the
    /// resolution.
    pub fn look_up(&mut self, name: &Text, look_up: &LookUp) -> Result<ChartOutcome, Halt> {
        let there = &self.shared.pack.charts()[look_up.chart];
        let values = self.look_up_start(look_up)?;
        let who: Vec<(RoleId, Text)> =
            look_up.who.iter().map(|(role, here)| (*role, self.role(*here).clone())).collect();
        let mut run = Run::new(self.shared, look_up.chart, values);
        who.into_iter().for_each(|(role, name)| run.call(role, name));
        let found = run.all()?;
        self.shared.resolution.steps.push(Step::LookUp(LookUpStep {
            name: name.clone(),
            chart: there.id.clone(),
            result: found.result.as_ref().map(|result| result.id.clone()),
            title: found.result.as_ref().map(|result| result.title.clone()),
            on: found.result.as_ref().and_then(|result| result.on.clone()),
            value: found.value,
            says: found.says.clone(),
        }));
        Ok(found)
    }

    /// Runs another chart several times. Only the sum of the values is known afterwards.
    pub fn series(
        &mut self,
        step: &adjutant_pack::Step,
        look_up: &LookUp,
        series: &Series,
    ) -> Result<ChartOutcome, Halt> {
        let mut sum = Number::ZERO;
        for nth in 1..=self.times(step.title.clone(), series)? {
            self.set_nth(series, Some(nth));
            let found = self.look_up(&step.name, look_up)?;
            sum = self.sum(sum.plus(found.value.unwrap_or(Number::ZERO)))?;
        }
        self.set_nth(series, None);
        Ok(ChartOutcome { value: Some(sum), ..ChartOutcome::default() })
    }

    /// How each run of a step that looks up a chart starts.
    pub fn look_up_starts(
        &mut self,
        step: &adjutant_pack::Step,
        look_up: &LookUp,
    ) -> Result<Vec<Values>, Halt> {
        let Some(series) = &look_up.times else { return Ok(vec![self.look_up_start(look_up)?]) };
        let mut starts = Vec::new();
        for nth in 1..=self.times(step.title.clone(), series)? {
            self.set_nth(series, Some(nth));
            starts.push(self.look_up_start(look_up)?);
        }
        self.set_nth(series, None);
        Ok(starts)
    }

    /// The number of runs of a series.
    pub fn times(&self, step: Text, series: &Series) -> Result<u32, Halt> {
        let whole = self.number(&series.times)?.floor().as_whole().unwrap_or(0);
        if whole > i64::from(MOST_TIMES) {
            let chart = self.chart.title.clone();
            return Err(
                ResolveError::TooManyTimes { chart, step, times: whole, most: MOST_TIMES }.into()
            );
        }
        Ok(whole.max(0) as u32)
    }

    /// Sets or clears the name of the place in a series.
    pub fn set_nth(&mut self, series: &Series, nth: Option<u32>) {
        if let Some(place) = series.nth.and_then(|slot| self.slots.values.get_mut(slot)) {
            *place = nth.map(|nth| Value::Number(Number::from(nth)));
        }
    }

    /// What the names of a chart that is looked up are worth when it starts.
    pub fn look_up_start(&self, look_up: &LookUp) -> Result<Values, Halt> {
        let pack = self.shared.pack;
        let there = &pack.charts()[look_up.chart];
        let mut inputs: Given = there.inputs.iter().map(|input| input.field.start).collect();
        for (place, formula) in &look_up.given {
            let value = match formula.eval(&self.slots) {
                Ok(value) => value,
                // An input that is not known was not needed: that chart does without it too.
                Err(EvalError::Missing(slot))
                    if matches!(self.chart.names[slot].origin, NameSource::Input(_)) =>
                {
                    inputs[*place] = None;
                    continue;
                }
                Err(stop) => return Err(self.halt(formula, stop)),
            };
            let input = &there.inputs[*place];
            let answer = value.to_answer(pack.words());
            if !input.field.accepts.holds(&answer) {
                let (chart, name, accepts) =
                    (there.title.clone(), input.name.clone(), input.field.accepts.clone());
                return Err(
                    ResolveError::InputNotAccepted { chart, input: name, answer, accepts }.into()
                );
            }
            inputs[*place] = Some(value);
        }
        Ok(starting(there, self.shared.options, self.shared.memory, Number::ONE, |input| {
            inputs[input]
        }))
    }
}
