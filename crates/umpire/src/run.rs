//! One run of a chart, from its inputs to its account.

use crate::account::{Account, Inputs, LookUpAccount, MemberAccount, OptionAccount, ReadingAccount, ResultAccount};
use crate::coverage::Mark;
use crate::situation::Situation;
use chance::{Answer, Deck, Need, Number, Seam, Stop, Text};
use sheet::{Chart, EvalStop, Formula, LookUp, Lookup, Order, Origin, Pack, Slot, Value};
use std::cell::Cell;

/// How many marks a run usually leaves; room for them is made at once.
const USUAL_MARKS: usize = 16;

/// A run that could not go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct Stopped {
    /// All that happened until then; `needs` says what is missing.
    pub account: Box<Account>,
    /// Why it was refused; none if something is merely missing.
    pub refused: Option<String>,
}

impl Stopped {
    /// Why, in a sentence.
    pub fn sentence(&self) -> String {
        match &self.refused {
            Some(why) => why.clone(),
            None => format!("needed: {}", self.account.needs.iter().map(Need::to_string).collect::<Vec<_>>().join("; ")),
        }
    }
}

/// Why a run stops, inside.
pub(crate) enum Halt {
    Need(Need),
    Refused(String),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        match stop {
            Stop::Need(need) => Halt::Need(need),
            Stop::Refused(why) => Halt::Refused(why),
        }
    }
}

/// The values of a chart's names, noting which options are consulted.
pub(crate) struct Slots<'p> {
    pub values: Vec<Option<Value>>,
    chart: &'p Chart,
    consulted: Cell<u64>,
}

impl Lookup for Slots<'_> {
    fn get(&self, slot: Slot) -> Option<Value> {
        if let Some(Origin::Option(option)) = self.chart.names.get(slot).map(|name| name.origin) {
            self.consulted.set(self.consulted.get() | 1 << (option % 64));
        }
        self.values.get(slot).copied().flatten()
    }
}

/// What all charts of a run share.
pub(crate) struct Shared<'p, 's> {
    pub pack: &'p Pack,
    pub options: &'s [Value],
    pub memory: &'s [Value],
    pub decks: &'s mut [Deck],
    pub seam: &'s mut dyn Seam,
    pub account: Account,
    /// How often something was thrown or drawn; a run that goes on for ever is stopped.
    pub throws: u32,
    /// How many throws, answers and look-ups have a place in the account.
    pub places: u32,
    /// The name of the unit, where there are several.
    pub member: Option<Text>,
}

impl Shared<'_, '_> {
    /// The place in the account of what comes about now.
    pub fn next_place(&mut self) -> u32 {
        self.places += 1;
        self.places
    }
}

/// One chart being run.
pub(crate) struct Run<'p, 'r, 's> {
    pub chart: &'p Chart,
    pub place: usize,
    pub slots: Slots<'p>,
    /// What each role is called in the account.
    pub roles: Vec<Text>,
    pub shared: &'r mut Shared<'p, 's>,
}

/// What a chart found.
#[derive(Default)]
pub(crate) struct Finding {
    pub score: Option<Value>,
    pub column: Option<usize>,
    pub row: Option<Text>,
    pub result: Option<ResultAccount>,
    pub value: Option<Number>,
    pub says: Option<String>,
    /// The result still to be landed, with a remark.
    pub landing: Option<(usize, Option<Text>)>,
    /// Which tallies this unit counts for.
    pub counts: Vec<bool>,
    pub together: bool,
}

/// Runs a chart. Cards drawn are taken out of the situation's decks, also when the run stops.
pub fn resolve(situation: &mut Situation<'_>, seam: &mut dyn Seam) -> Result<Account, Stopped> {
    let (pack, chart) = (situation.pack, situation.chart());
    let mut account = Account { pack: pack.id.clone(), pack_hash: pack.hash.clone(), title: chart.title.clone(), ..Account::default() };
    account.chart.clone_from(&chart.id);
    account.throws.reserve(chart.steps.len());
    account.marks.reserve(USUAL_MARKS);
    record_inputs(situation, &mut account);
    if let Some(why) = closed(situation) {
        return Err(Stopped { account: Box::new(account), refused: Some(why) });
    }
    account.needs = crate::needs::needs(situation);
    if !account.needs.is_empty() {
        return Err(Stopped { account: Box::new(account), refused: None });
    }
    run_ready(situation, seam, account)
}

/// The sentence that a chart's option is off, if it is.
pub(crate) fn closed(situation: &Situation<'_>) -> Option<String> {
    let option = situation.closed_by()?;
    let (standing, id, origin) = (option.standing.name(), &option.field.id, option.origin.trim_end_matches('.'));
    Some(format!("{} is a {standing}, and its option `{id}` is off (origin: {origin})", situation.chart().title))
}

/// Runs a chart whose needs are known to be met; the account goes on from what it holds already.
pub(crate) fn run_ready(situation: &mut Situation<'_>, seam: &mut dyn Seam, account: Account) -> Result<Account, Stopped> {
    let (pack, chart) = (situation.pack, situation.chart());
    let units: Vec<Unit> = match (&chart.each, situation.members.len()) {
        (None, _) => vec![(Text::default(), situation.known(None, true))],
        (Some(_), 0) => vec![("1".into(), situation.known(None, true))],
        (Some(_), n) => (0..n).map(|member| (situation.members[member].0.clone(), situation.known(Some(member), true))).collect(),
    };
    let Situation { options, memory, decks, chart: place, .. } = situation;
    let places = account.places();
    let mut shared = Shared { pack, options, memory, decks, seam, account, throws: 0, places, member: None };
    match run_all(&mut shared, *place, units) {
        Ok(()) => Ok(shared.account),
        Err(Halt::Need(need)) => {
            shared.account.needs.push(need);
            Err(Stopped { account: Box::new(shared.account), refused: None })
        }
        Err(Halt::Refused(why)) => Err(Stopped { account: Box::new(shared.account), refused: Some(why) }),
    }
}

fn record_inputs(situation: &Situation<'_>, account: &mut Account) {
    let words = &situation.pack.words;
    let chart = situation.chart();
    let each = chart.each.as_ref().map(|each| each.role).filter(|_| !situation.members.is_empty());
    let mut list = Vec::with_capacity(chart.inputs.len());
    for place in &chart.inputs_by_name {
        let input = &chart.inputs[*place];
        if let Some(value) = situation.value(None, *place, true).filter(|_| input.role != each || each.is_none()) {
            list.push((input.name.clone(), value.to_answer(words)));
        }
    }
    for (member, (name, _)) in situation.members.iter().enumerate() {
        for (place, input) in chart.inputs.iter().enumerate().filter(|(_, input)| each.is_some() && input.role == each) {
            if let (Some(value), Some((role, id))) = (situation.value(Some(member), place, true), input.name.split_once('.')) {
                list.push((format!("{role}.{name}.{id}").into(), value.to_answer(words)));
            }
        }
    }
    account.inputs = Inputs::new(list);
}

/// A unit that a chart is run for: its name, if there are several, and what is known of each input.
type Unit = (Text, Vec<Option<Value>>);

fn run_all(shared: &mut Shared<'_, '_>, place: usize, units: Vec<Unit>) -> Result<(), Halt> {
    let pack = shared.pack;
    let chart = &pack.charts[place];
    let alone = units.len() == 1;
    let first = chart.each.as_ref().and_then(|_| units.first()).map(|(_, inputs)| inputs.clone());
    let mut counted: Vec<u32> = vec![0; chart.each.as_ref().map_or(0, |each| each.tally.len())];
    for (member, (name, inputs)) in units.into_iter().enumerate() {
        shared.member = chart.each.as_ref().map(|_| name.clone());
        let mut run = Run::new(shared, place, inputs, member);
        let found = run.all()?;
        for (count, counts) in counted.iter_mut().zip(&found.counts) {
            *count += u32::from(*counts);
        }
        let account = &mut shared.account;
        let score = found.score.map(|score| score.to_answer(&pack.words));
        if chart.each.is_some() {
            let (row, result, value) = (found.row.clone(), found.result.clone(), found.value);
            account.members.push(MemberAccount { name, score: score.clone(), row, result, value });
        }
        if alone {
            account.score = score;
            account.column = found.column.and_then(|column| chart.read.column.as_ref().map(|known| known.ids[column].clone()));
            (account.row, account.result, account.value, account.says) = (found.row, found.result, found.value, found.says);
        }
        account.lands_together |= found.together;
    }
    if let Some(each) = &chart.each {
        for (line, (tally, count)) in each.tally.iter().zip(counted).enumerate() {
            if count >= tally.at_least {
                shared.member = None;
                shared.account.marks.push(Mark::Tally(place, line));
                let mut run = Run::new(shared, place, first.clone().unwrap_or_default(), 0);
                run.set_outcome(&Finding { score: Some(Value::Number(Number::from(count))), ..Finding::default() });
                let result = run.land(tally.landing, Some(tally.label.clone()))?;
                shared.account.also.push(result);
            }
        }
        if let Some(order) = each.order {
            shared.account.order = in_order(&shared.account.members, order);
        }
    }
    Ok(())
}

/// Who acts when: equals together, in the order they were given.
fn in_order(members: &[MemberAccount], order: Order) -> Vec<Vec<Text>> {
    let score = |member: &MemberAccount| match member.score {
        Some(Answer::Number(n)) => n,
        _ => Number::ZERO,
    };
    let mut sorted: Vec<&MemberAccount> = members.iter().collect();
    sorted.sort_by_key(|member| if order == Order::Highest { -score(member) } else { score(member) });
    let mut groups: Vec<(Number, Vec<Text>)> = Vec::new();
    for member in sorted {
        match groups.last_mut().filter(|(known, _)| *known == score(member)) {
            Some((_, group)) => group.push(member.name.clone()),
            None => groups.push((score(member), vec![member.name.clone()])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

pub(crate) fn note_reading(shared: &mut Shared<'_, '_>, reading: usize) {
    let known = &shared.pack.readings[reading];
    if !shared.account.readings.iter().any(|noted| noted.id == known.id) {
        let noted = ReadingAccount { id: known.id.clone(), text: known.text.clone(), standing: known.standing.name() };
        shared.account.readings.push(noted);
    }
}

impl<'p, 'r, 's> Run<'p, 'r, 's> {
    pub fn new(shared: &'r mut Shared<'p, 's>, place: usize, inputs: Vec<Option<Value>>, member: usize) -> Run<'p, 'r, 's> {
        let chart: &'p Chart = &shared.pack.charts[place];
        let mut values = vec![None; chart.names.len()];
        for (slot, name) in chart.names.iter().enumerate() {
            values[slot] = match name.origin {
                Origin::Input(input) => inputs.get(input).copied().flatten(),
                Origin::Option(option) => shared.options.get(option).copied(),
                Origin::Memory(memory) => shared.memory.get(memory).copied(),
                Origin::Place => Some(Value::Number(Number::from(member as u32 + 1))),
                _ => None,
            };
        }
        let each = chart.each.as_ref().map(|each| each.role);
        let roles = chart.roles.iter().enumerate().map(|(role, known)| match &shared.member {
            Some(member) if each == Some(role) => format!("{}.{member}", known.id).into(),
            _ => known.id.clone(),
        });
        Run { chart, place, roles: roles.collect(), slots: Slots { values, chart, consulted: Cell::new(0) }, shared }
    }

    /// Steps, reading, effects.
    pub fn all(&mut self) -> Result<Finding, Halt> {
        let mut ended = None;
        for step in 0..self.chart.steps.len() {
            if let Some(found) = self.step(step)? {
                ended = Some(found);
                break;
            }
        }
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
        for (place, option) in pack.options.iter().enumerate().filter(|(place, _)| consulted & (1 << (place % 64)) != 0) {
            if self.shared.account.options.iter().any(|noted| noted.id == option.field.id) {
                continue;
            }
            self.shared.account.options.push(OptionAccount {
                id: option.field.id.clone(),
                label: option.field.label.clone(),
                value: self.shared.options[place].to_answer(&pack.words),
                standing: option.standing.name(),
                origin: option.origin.clone(),
            });
        }
    }

    pub fn reading(&mut self, reading: Option<usize>) {
        if let Some(reading) = reading {
            note_reading(self.shared, reading);
        }
    }

    pub fn set(&mut self, slot: Slot, value: Value) {
        if let Some(place) = self.slots.values.get_mut(slot) {
            *place = Some(value);
        }
    }

    pub fn number(&self, formula: &Formula) -> Result<Number, Halt> {
        formula.number(&self.slots).map_err(|stop| self.halt(formula, stop))
    }

    pub fn eval(&self, formula: &Formula) -> Result<Value, Halt> {
        formula.eval(&self.slots).map_err(|stop| self.halt(formula, stop))
    }

    pub fn holds(&self, formula: &Formula) -> Result<bool, Halt> {
        formula.holds(&self.slots).map_err(|stop| self.halt(formula, stop))
    }

    pub fn holds_or(&self, formula: Option<&Formula>, otherwise: bool) -> Result<bool, Halt> {
        formula.map_or(Ok(otherwise), |formula| self.holds(formula))
    }

    /// A sum that cannot be done, or a value that is missing, in words.
    fn halt(&self, formula: &Formula, stop: EvalStop) -> Halt {
        match stop {
            EvalStop::Sum(fault) => Halt::Refused(format!("{}: `{}`: {fault}", self.chart.title, formula.text)),
            EvalStop::Missing(slot) => {
                let name = self.chart.names.get(slot);
                if let Some(Origin::Input(input)) = name.map(|name| name.origin)
                    && let Some(input) = self.chart.inputs.get(input)
                {
                    let wanted = chance::Wanted::Input { accepts: input.field.accepts.clone() };
                    return Halt::Need(Need { key: input.name.to_string(), what_for: input.field.label.to_string(), wanted });
                }
                let text = name.map_or("?", |name| name.text.as_str());
                Halt::Refused(format!("{}: `{}`: `{text}` has no value here", self.chart.title, formula.text))
            }
        }
    }

    /// Runs another chart on the way. Its throws, effects and follow-ups join the account.
    pub fn look_up(&mut self, name: &Text, look_up: &LookUp) -> Result<Finding, Halt> {
        let pack = self.shared.pack;
        let there = &pack.charts[look_up.chart];
        let mut inputs: Vec<Option<Value>> = there.inputs.iter().map(|input| input.field.start).collect();
        for (place, formula) in &look_up.given {
            let value = match formula.eval(&self.slots) {
                Ok(value) => value,
                // An input that is not known was not needed: that chart does without it too.
                Err(EvalStop::Missing(slot)) if matches!(self.chart.names[slot].origin, Origin::Input(_)) => {
                    inputs[*place] = None;
                    continue;
                }
                Err(stop) => return Err(self.halt(formula, stop)),
            };
            let input = &there.inputs[*place];
            let answer = value.to_answer(&pack.words);
            if !input.field.accepts.holds(&answer) {
                return Err(Halt::Refused(format!("{}: {}: `{answer}` is not accepted: {}", there.title, input.name, input.field.accepts)));
            }
            inputs[*place] = Some(value);
        }
        let mut run = Run::new(self.shared, look_up.chart, inputs, 0);
        for (role, here) in &look_up.who {
            run.roles[*role].clone_from(&self.roles[*here]);
        }
        let found = run.all()?;
        let at = self.shared.next_place();
        self.shared.account.look_ups.push(LookUpAccount {
            at,
            name: name.clone(),
            chart: there.id.clone(),
            result: found.result.as_ref().map(|result| result.id.clone()),
            title: found.result.as_ref().map(|result| result.title.clone()),
            value: found.value,
        });
        Ok(found)
    }
}
