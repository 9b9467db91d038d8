//! The inputs that a chart still needs before it can start. They are computed, not declared: the
//! chart is evaluated with the known values. An input is needed if a formula depends on it, unless
//! a known condition rules that formula out. So AP fire does not ask for the HE value.
//! [`roles_in_use`] does the same for roles: the unit that caused a test is needed only if a
//! follow-up can still name it.

use crate::situation::{Given, Situation, Unit, Values, starting};
use adjutant_dice::{Missing, Number, Wanted};
use adjutant_pack::{
    Again, BindingId, Chart, Formula, IdVec, InputId, LookUp, MemoryId, Modifier, NameSource,
    OptionId, Pack, RoleId, Row, Slot, Step, StepKind, Value,
};

/// The missing inputs: those that have no value and no default and may matter.
pub fn needs(situation: &Situation<'_>) -> Vec<Missing> {
    needs_of(situation, &situation.units())
}

/// The same, for units that are already known.
pub(crate) fn needs_of(situation: &Situation<'_>, units: &[Unit]) -> Vec<Missing> {
    let chart = situation.chart();
    let mut found = Vec::new();
    for (place, (_, known)) in units.iter().enumerate() {
        for input in wanting(situation, known, place) {
            let input = &chart.inputs[input];
            let own = chart.each.as_ref().is_some_and(|each| input.role == Some(each.role));
            let key = match (situation.members.get(place), input.name.split_once('.')) {
                (Some((member, _)), Some((role, id))) if own => format!("{role}.{member}.{id}"),
                _ => input.name.to_string(),
            };
            let need = Missing {
                key,
                what_for: input.field.label.to_string(),
                member: None,
                wanted: Wanted::Input { accepts: input.field.accepts.clone() },
            };
            if !found.contains(&need) {
                found.push(need);
            }
        }
    }
    found
}

/// The inputs that may matter with the values given so far, whether or not they have a default. A
/// form shows these and hides the others.
pub fn relevant(situation: &Situation<'_>) -> Vec<InputId> {
    let mut found = wanting(situation, &situation.starting(None, false), 0);
    found.extend(situation.given.ids().filter(|place| situation.given[*place].is_some()));
    adjutant_dice::sort(&mut found);
    found.dedup();
    found
}

/// The roles that matter with the values given so far, by index. A role always matters if the chart
/// is about it, asks for one of its attributes, or has a result that can apply to it. A role that
/// only effects and follow-ups name matters if one of these can still happen. While another input
/// is needed, that is not decided and the role is not asked for yet.
pub fn roles_in_use(situation: &Situation<'_>) -> Vec<RoleId> {
    let chart = situation.chart();
    let asked = |role: RoleId| {
        chart.inputs.iter().any(|input| {
            input.role == Some(role) || input.count.as_ref().is_some_and(|c| c.from == role)
        })
    };
    let landed = |role: RoleId| chart.landings.iter().any(|landing| landing.on == Some(role));
    let passed_on = |role: RoleId| {
        chart.look_ups().any(|look_up| look_up.who.iter().any(|(_, here)| *here == role))
    };
    let always =
        |role: &RoleId| *role == RoleId::FIRST || asked(*role) || landed(*role) || passed_on(*role);
    let mut found: Vec<RoleId> = chart.roles.ids().filter(always).collect();
    if found.len() == chart.roles.len() || !needs(situation).is_empty() {
        return found;
    }
    let known = situation.starting(None, true);
    let mut walk = Walk {
        pack: situation.pack,
        options: &situation.options,
        memory: &situation.memory,
        member: Number::from(1_u32),
    };
    let mut trail = Trail::new(chart, Vec::new(), known);
    chart.steps.iter().for_each(|step| walk.step(&mut trail, step));
    walk.read(&mut trail);
    found.extend(trail.roles);
    adjutant_dice::sort(&mut found);
    found.dedup();
    found
}

/// The inputs without a value that some formula depends on.
fn wanting(situation: &Situation<'_>, known: &Values, member: usize) -> Vec<InputId> {
    let member = Number::from(member as u32 + 1);
    let mut walk = Walk {
        pack: situation.pack,
        options: &situation.options,
        memory: &situation.memory,
        member,
    };
    walk.chart(situation.chart(), known)
}

struct Walk<'p, 's> {
    pack: &'p Pack,
    options: &'s IdVec<OptionId, Value>,
    memory: &'s IdVec<MemoryId, Value>,
    /// The number of the unit that the chart is evaluated for.
    member: Number,
}

/// One chart being evaluated: the known values, and the names that were missing.
struct Trail<'p> {
    chart: &'p Chart,
    /// The inputs without a value.
    lacking: Vec<InputId>,
    values: Values,
    missing: Vec<Slot>,
    landed: Vec<BindingId>,
    /// The roles that effects and follow-ups name.
    roles: Vec<RoleId>,
}

impl<'p> Trail<'p> {
    fn new(chart: &'p Chart, lacking: Vec<InputId>, values: Values) -> Trail<'p> {
        Trail { chart, lacking, values, missing: Vec::new(), landed: Vec::new(), roles: Vec::new() }
    }

    /// Whether one of these inputs has no value. Parts that name no such input can be skipped.
    fn open(&self, names: &[InputId]) -> bool {
        self.lacking.iter().any(|input| names.contains(input))
    }

    fn see(&mut self, formula: &Formula) -> Option<Value> {
        formula.eval_partly(&self.values, &mut self.missing)
    }

    /// Whether a condition holds, if that is known.
    fn holds(&mut self, when: Option<&Formula>) -> Option<bool> {
        when.map_or(Some(true), |when| self.see(when).map(Value::is_yes))
    }

    /// Whether a condition may hold.
    fn may(&mut self, when: Option<&Formula>) -> bool {
        self.holds(when) != Some(false)
    }
}

impl<'p> Walk<'p, '_> {
    fn chart(&mut self, chart: &'p Chart, values: &Values) -> Vec<InputId> {
        let lacks = |input: &InputId| values[chart.inputs[*input].slot].is_none();
        let lacking: Vec<InputId> = chart.inputs.ids().filter(lacks).collect();
        let open = |names: &[InputId]| lacking.iter().any(|input| names.contains(input));
        if !open(&chart.read.names) && !chart.steps.iter().any(|step| open(&step.names)) {
            return Vec::new();
        }
        let mut trail = Trail::new(chart, lacking, values.clone());
        for step in &chart.steps {
            if stands_alone(step) && !trail.open(&step.names) {
                continue;
            }
            self.step(&mut trail, step);
            let fresh = || {
                step.again
                    .iter()
                    .filter_map(|again| again.ask_again.as_ref())
                    .flat_map(|fresh| &fresh.inputs)
            };
            if fresh().next().is_some() {
                fresh().for_each(|input| trail.values[chart.inputs[*input].slot] = None);
                self.step(&mut trail, step);
            }
        }
        if trail.open(&chart.read.names) {
            self.read(&mut trail);
        }
        let mut found: Vec<InputId> = trail
            .missing
            .iter()
            .filter_map(|slot| match chart.names.get(*slot)?.origin {
                NameSource::Input(input) => Some(input),
                _ => None,
            })
            // An input that is asked again during the run was still given at the start.
            .filter(|input| trail.lacking.contains(input))
            .collect();
        adjutant_dice::sort(&mut found);
        found.dedup();
        found
    }

    fn step(&mut self, trail: &mut Trail<'p>, step: &Step) {
        if !trail.may(step.when.as_ref()) {
            for (slot, value) in crate::run_steps::skipped(self.pack, trail.chart, step) {
                trail.values[slot] = value;
            }
            return;
        }
        match &step.kind {
            StepKind::Roll(roll) => {
                for formula in roll.formulas() {
                    trail.see(formula);
                }
            }
            StepKind::Draw(draw) => {
                for formula in draw.formulas() {
                    trail.see(formula);
                }
            }
            StepKind::LookUp(look_up) => self.look_up(trail, look_up),
            StepKind::WorkOut(formula) => {
                let value = trail.see(formula);
                let settled = value
                    .filter(|_| step.add.is_empty() && step.most.is_none() && step.least.is_none());
                for (_, slot) in &step.facets {
                    trail.values[*slot] = settled;
                }
            }
            StepKind::Ask(_) => {}
        }
        step.add.iter().for_each(|modifier| self.modifier(trail, modifier));
        step.most.iter().chain(&step.least).for_each(|formula| {
            let _ = trail.see(formula);
        });
        step.again.iter().for_each(|again| self.again(trail, again));
    }

    fn modifier(&self, trail: &mut Trail<'p>, modifier: &Modifier) {
        if trail.open(&modifier.names) && trail.may(modifier.when.as_ref()) {
            trail.see(modifier.amount.formula());
        }
    }

    fn again(&mut self, trail: &mut Trail<'p>, again: &Again) {
        if !trail.may(Some(&again.when)) {
            return;
        }
        if let Some(assume) = again.ask.as_ref().and_then(|ask| ask.assume.as_ref()) {
            trail.see(assume);
        }
        if let Some(look_up) = &again.look_up {
            self.look_up(trail, look_up);
        }
        if let Some(stop) = &again.stop
            && trail.may(stop.when.as_ref())
        {
            self.landing(trail, stop.landing);
        }
        if let Some(fresh) = &again.ask_again {
            trail.may(fresh.when.as_ref());
        }
    }

    /// The needs of a looked-up chart become needs of this one, through the formulas for its
    /// inputs.
    fn look_up(&mut self, trail: &mut Trail<'p>, look_up: &LookUp) {
        if let Some(series) = &look_up.times {
            let times = trail.see(&series.times).and_then(Value::number);
            if times.is_some_and(|times| times < Number::ONE) {
                return;
            }
        }
        let there = &self.pack.charts()[look_up.chart];
        let mut inputs: Given = there.inputs.iter().map(|input| input.field.start).collect();
        for (place, formula) in &look_up.given {
            inputs[*place] = formula.eval_partly(&trail.values, &mut Vec::new());
        }
        let values = starting(there, self.options, self.memory, self.member, |input| inputs[input]);
        for place in self.chart(there, &values) {
            if let Some((_, formula)) = look_up.given.iter().find(|(given, _)| *given == place) {
                trail.see(formula);
            }
        }
    }

    fn read(&self, trail: &mut Trail<'p>) {
        let read = &trail.chart.read;
        let score = read.score.as_ref().and_then(|score| trail.see(score));
        let place = read.column.as_ref().and_then(|column| {
            crate::modifiers::column_known(column, |formula| trail.see(formula))
        });
        for row in &read.rows {
            let covers = covers(row, read.score.is_some(), score);
            let holds =
                if covers == Some(false) { Some(false) } else { trail.holds(row.when.as_ref()) };
            if holds == Some(false) {
                continue;
            }
            for (_, cell) in row
                .cells
                .iter_enumerated()
                .filter(|(at, _)| place.is_none_or(|place| *at == place || row.cells.len() == 1))
            {
                cell.value.iter().for_each(|value| {
                    let _ = trail.see(value);
                });
                cell.landing.iter().for_each(|landing| self.landing(trail, *landing));
                self.extras(trail, &cell.effects, &cell.next);
            }
            if covers == Some(true) && holds == Some(true) {
                break;
            }
        }
        read.value.iter().for_each(|value| {
            let _ = trail.see(value);
        });
        for part in &read.saying {
            if let adjutant_pack::Saying::Name(formula) = part {
                trail.see(formula);
            }
        }
        for also in &read.also {
            if trail.may(also.when.as_ref()) {
                self.landing(trail, also.landing);
                self.extras(trail, &also.effects, &also.next);
            }
        }
        self.extras(trail, &read.effects, &read.next);
        let chart = trail.chart;
        chart.together.iter().for_each(|together| {
            let _ = trail.see(together);
        });
        for tally in chart.each.iter().flat_map(|each| &each.tally) {
            if trail.may(Some(&tally.count)) {
                self.landing(trail, tally.landing);
            }
        }
        for event in &chart.deck_events {
            self.extras(trail, &event.effects, &event.next);
        }
        // A user table that is filled in is read by its rows.
        read.user_landings
            .iter()
            .filter(|_| read.rows.is_empty())
            .for_each(|landing| self.landing(trail, *landing));
    }

    /// A result and those that may replace it, each once.
    fn landing(&self, trail: &mut Trail<'p>, landing: BindingId) {
        let chart = trail.chart;
        let mut open = vec![landing];
        while let Some(landing) = open.pop() {
            if trail.landed.contains(&landing) {
                continue;
            }
            trail.landed.push(landing);
            let known = &chart.landings[landing];
            let mut replaced = false;
            for instead in &known.instead {
                let holds = trail.holds(Some(&instead.when));
                open.extend((holds != Some(false)).then_some(instead.landing));
                replaced = holds == Some(true);
                if replaced {
                    break;
                }
            }
            if !replaced {
                self.extras(trail, &known.effects, &known.next);
            }
        }
    }

    fn extras(
        &self,
        trail: &mut Trail<'p>,
        effects: &[adjutant_pack::EffectRule],
        next: &[adjutant_pack::FollowUpRule],
    ) {
        for effect in effects {
            if !trail.may(effect.when.as_ref()) {
                continue;
            }
            trail.roles.extend(effect.roles());
            for formula in effect.formulas() {
                trail.see(formula);
            }
        }
        for next in next {
            // Whether it applies to others depends on each of them.
            match &next.others {
                Some(others) => trail.roles.push(others.of),
                None if trail.may(next.when.as_ref()) => {
                    trail.roles.extend(next.who.iter().map(|(_, here)| *here))
                }
                None => {}
            }
        }
    }
}

/// Whether nothing later depends on how this step is evaluated, so that it can be skipped when all
/// the inputs it names are known.
fn stands_alone(step: &Step) -> bool {
    let settles = matches!(step.kind, StepKind::WorkOut(_) | StepKind::LookUp(_));
    step.when.is_none() && step.again.is_empty() && !settles
}

/// Whether a row covers the score, if that is known.
fn covers(row: &Row, scored: bool, score: Option<Value>) -> Option<bool> {
    if row.band.is_none_or(|band| band.from.is_none() && band.to.is_none()) && row.is_word.is_none()
    {
        return Some(true);
    }
    if scored && score.is_none() {
        return None;
    }
    let band =
        row.band.is_none_or(|band| score.and_then(Value::number).is_some_and(|n| band.holds(n)));
    Some(band && row.is_word.is_none_or(|word| score == Some(Value::Word(word))))
}
