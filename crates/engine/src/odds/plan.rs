//! The fast algorithm for most charts. With the inputs fixed, an opposed roll, a pool, or a sum
//! against a table is a few independent variables, a score that is a linear combination of them,
//! and bands. Then nothing needs to be run: weights are counted with running sums, in 128-bit
//! integers.
//!
//! A more complex chart has no plan and is explored instead. In the tests every chart with a plan
//! is also explored, and the weights must be equal.

use super::distribution::OddsOutcome;
use crate::run::resolve;
use crate::run_steps::{come_to, skipped, what_matters};
use crate::situation::{Situation, Values};
use adjutant_dice::{DiceRequest, EnteredInput, Number, Relevance, Text, gcd, ways};
use adjutant_pack::{
    Amount, Band, Expr, Facet, Formula, Func, LinearSum, Lookup, NameSource, Roll, Slot, Step,
    StepKind, Type, Value,
};
use std::collections::BTreeMap;

/// A sum of variables.
type Sum = LinearSum<usize>;

/// The possible totals of one step's dice in whole units, in ascending order, with their weights.
#[derive(Clone, Debug)]
struct Variable {
    values: Vec<(Number, u128)>,
}

/// A row that can be read: a band in whole units, and its outcome.
#[derive(Clone, Debug)]
struct PlannedRow {
    from: i64,
    to: i64,
    outcome: usize,
}

/// A chart compiled with its inputs.
///
/// ```
/// use adjutant_engine::{Plan, Situation};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
/// let mut situation = Situation::new(&pack, "fire").unwrap();
/// for (name, value) in [("ammo", "hesa"), ("firer.hesa", "6"), ("target.def", "4")] {
///     situation.give(name, value).unwrap();
/// }
/// let plan = Plan::new(&situation).expect("an opposed roll has a plan");
/// let (ways, total) = plan.ways();
/// assert_eq!((ways.iter().sum::<u128>(), total), (100, 100));
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    /// The values of each variable times its coefficient, in whole units, with their weights.
    variables: Vec<Vec<(i64, u128)>>,
    fixed: i64,
    rows: Vec<PlannedRow>,
    outcomes: Vec<OddsOutcome>,
    total: u128,
}

/// State while a plan is made.
struct Folding<'a, 'p> {
    situation: &'a Situation<'p>,
    values: Values,
    sums: BTreeMap<Slot, Sum>,
    variables: Vec<Variable>,
}

/// The maximum number of values of a score.
const MOST_VALUES: i64 = 4096;

impl Plan {
    /// The plan of a chart in a situation. `None` if the chart is too complex.
    pub fn new(situation: &Situation<'_>) -> Option<Plan> {
        let chart = situation.chart();
        if chart.each.is_some()
            || chart.read.user_table.is_some()
            || situation.closed_by().is_some()
            || !crate::needs::needs(situation).is_empty()
        {
            return None;
        }
        let mut folding = Folding {
            situation,
            values: situation.all_known_names(),
            sums: BTreeMap::new(),
            variables: Vec::new(),
        };
        for step in &chart.steps {
            folding.step(step)?;
        }
        folding.plan()
    }

    /// The possible outcomes. [`Plan::ways`] uses this order.
    pub fn outcomes(&self) -> &[OddsOutcome] {
        &self.outcomes
    }

    /// The weight of each outcome, and the total.
    pub fn ways(&self) -> (Vec<u128>, u128) {
        let mut ways = vec![0; self.outcomes.len()];
        match self.variables.as_slice() {
            [] => self.count(self.fixed, 1, &mut ways),
            [one] => {
                one.iter().for_each(|(value, w)| self.count(value + self.fixed, *w, &mut ways))
            }
            [first, second] => self.opposed(first, second, &mut ways),
            [first, rest @ ..] => {
                let joined = rest.iter().skip(1).fold(rest[0].clone(), |a, b| convolved(&a, b));
                self.opposed(first, &joined, &mut ways);
            }
        }
        (ways, self.total)
    }

    fn count(&self, score: i64, weight: u128, ways: &mut [u128]) {
        if let Some(row) = self.rows.iter().find(|row| row.from <= score && score <= row.to) {
            ways[row.outcome] += weight;
        }
    }

    /// Two variables: for each value of the first, the weight of the second below the end of each
    /// row.
    fn opposed(&self, first: &[(i64, u128)], second: &[(i64, u128)], ways: &mut [u128]) {
        let (Some((least, _)), Some((most, _))) = (second.first(), second.last()) else { return };
        let mut below = vec![0_u128; (most - least + 2) as usize];
        for (value, w) in second {
            below[(value - least + 1) as usize] = *w;
        }
        for place in 1..below.len() {
            below[place] += below[place - 1];
        }
        let up_to = |score: i64| below[(score - least + 1).clamp(0, most - least + 1) as usize];
        for (value, w) in first {
            let shift = value + self.fixed;
            // Rows are adjacent: the next one starts where this one ends.
            let mut before = self.rows.first().map_or(0, |row| up_to(row.from - 1 - shift));
            for row in &self.rows {
                let here = up_to(row.to - shift);
                ways[row.outcome] += w * (here - before);
                before = here;
            }
        }
    }
}

fn convolved(a: &[(i64, u128)], b: &[(i64, u128)]) -> Vec<(i64, u128)> {
    let mut sums: BTreeMap<i64, u128> = BTreeMap::new();
    for (x, v) in a {
        for (y, w) in b {
            *sums.entry(x + y).or_default() += v * w;
        }
    }
    sums.into_iter().collect()
}

/// What the modifiers and limits of a step do to any number.
struct Counting {
    changes: Vec<Change>,
    most: Option<Number>,
    least: Option<Number>,
}

enum Change {
    Plus(Number),
    Times(Number),
}

impl Counting {
    fn applied_to(&self, natural: Number) -> Option<Number> {
        let changed = self.changes.iter().try_fold(natural, |total, change| match change {
            Change::Plus(n) => total.plus(*n).ok(),
            Change::Times(n) => total.times(*n).ok(),
        })?;
        let capped = self.most.map_or(changed, |most| changed.min(most));
        Some(self.least.map_or(capped, |least| capped.max(least)))
    }
}

impl Folding<'_, '_> {
    fn known(&self, formula: &Formula) -> Option<Value> {
        formula.eval_partly(&self.values, &mut Vec::new())
    }

    fn holds(&self, when: Option<&Formula>) -> Option<bool> {
        when.map_or(Some(true), |when| self.known(when).map(Value::is_yes))
    }

    fn number(&self, formula: &Formula) -> Option<Number> {
        self.known(formula)?.number()
    }

    fn step(&mut self, step: &Step) -> Option<()> {
        if !self.holds(step.when.as_ref())? {
            return self.skip(step);
        }
        match &step.kind {
            StepKind::Roll(roll) => self.roll(step, roll),
            StepKind::WorkOut(formula) => self.work_out(step, formula),
            StepKind::LookUp(look_up) => self.look_up(step, look_up),
            StepKind::Draw(_) | StepKind::Ask(_) => None,
        }
    }

    /// A skipped step counts as nothing.
    fn skip(&mut self, step: &Step) -> Option<()> {
        for (slot, value) in skipped(self.situation.pack(), self.situation.chart(), step) {
            self.values[slot] = Some(value?);
        }
        Some(())
    }

    fn roll(&mut self, step: &Step, roll: &Roll) -> Option<()> {
        let plain = |facet: &Facet| matches!(facet, Facet::Total | Facet::Natural | Facet::Dice);
        if !step.again.is_empty() || !step.facets.iter().all(|(facet, _)| plain(facet)) {
            return None;
        }
        let roll = &roll.plain()?;
        let mut count = self.number(roll.count)?;
        for modifier in
            step.add.iter().filter(|modifier| matches!(modifier.amount, Amount::Dice(_)))
        {
            if modifier.best_of.is_some() {
                return None;
            }
            if self.holds(modifier.when.as_ref())? {
                count = count.plus(self.number(modifier.amount.formula())?).ok()?;
            }
        }
        let count = u32::try_from(count.floor().as_whole()?.max(0))
            .ok()
            .filter(|count| *count <= adjutant_dice::MOST_DICE)?;
        let most = match roll.keep {
            Some((count, lowest)) => {
                Some((u32::try_from(self.number(count)?.floor().as_whole()?.max(0)).ok()?, lowest))
            }
            None => None,
        };
        let limit = match roll.test {
            Some(test) => Some(self.number(&test.limit)?),
            None => None,
        };
        let relevance = what_matters(step, roll, most.map(|(most, _)| most), limit);
        let Relevance::Total { .. } = relevance else { return None };
        let ask = DiceRequest { relevance, ..DiceRequest::new(&step.name, "", count, roll.sides) };
        let natural: Vec<(Number, u128)> = ways(&ask)
            .ok()?
            .into_iter()
            .map(|way| {
                Some((
                    Number::from(come_to(&way.faces, roll, most.map(|(most, _)| most), limit).0),
                    u128::try_from(way.ways).ok()?,
                ))
            })
            .collect::<Option<_>>()?;
        let counting = self.counting(step)?;
        let total: Vec<(Number, u128)> = natural
            .iter()
            .map(|(n, ways)| Some((counting.applied_to(*n)?, *ways)))
            .collect::<Option<_>>()?;
        let changed = total.iter().zip(&natural).any(|(a, b)| a.0 != b.0);
        let names_natural = step.facets.iter().any(|(facet, _)| *facet == Facet::Natural);
        let names_total = step.facets.iter().any(|(facet, _)| *facet == Facet::Total);
        if changed && names_natural && names_total {
            return None;
        }
        let variable = self.variables.len();
        self.variables.push(Variable { values: if names_total { total } else { natural } });
        for (facet, slot) in &step.facets {
            match facet {
                Facet::Dice => self.values[*slot] = Some(Value::Number(Number::from(count))),
                _ => drop(self.sums.insert(*slot, Sum::part(variable))),
            }
        }
        Some(())
    }

    /// The modifiers of a step that count. None of them may depend on what is rolled.
    fn counting(&self, step: &Step) -> Option<Counting> {
        let mut best: BTreeMap<&str, Number> = BTreeMap::new();
        for modifier in &step.add {
            let Some(group) = &modifier.best_of else { continue };
            let Amount::Plus(formula) = &modifier.amount else { return None };
            if self.holds(modifier.when.as_ref())? {
                let value = self.number(formula)?;
                let known = best.entry(group).or_insert(value);
                *known = (*known).max(value);
            }
        }
        let mut changes = Vec::new();
        for modifier in step.add.iter().filter(|modifier| modifier.best_of.is_none()) {
            if !self.holds(modifier.when.as_ref())? {
                continue;
            }
            match &modifier.amount {
                Amount::Plus(formula) => changes.push(Change::Plus(self.number(formula)?)),
                // A factor between postponed additions would change the order of evaluation.
                Amount::Times(_) if !best.is_empty() => return None,
                Amount::Times(formula) => changes.push(Change::Times(self.number(formula)?)),
                Amount::Dice(_) => {}
            }
        }
        changes.extend(best.into_values().map(Change::Plus));
        let bound = |formula: &Option<Formula>| match formula {
            Some(formula) => self.number(formula).map(Some),
            None => Some(None),
        };
        Some(Counting { changes, most: bound(&step.most)?, least: bound(&step.least)? })
    }

    fn work_out(&mut self, step: &Step, formula: &Formula) -> Option<()> {
        let (value, sum) = match self.known(formula) {
            Some(Value::Number(n)) => {
                (Some(Value::Number(self.counting(step)?.applied_to(n)?)), None)
            }
            Some(other) => (Some(other), None),
            None if step.add.is_empty() && step.most.is_none() && step.least.is_none() => {
                (None, Some(self.sum(&formula.expr)?))
            }
            None => return None,
        };
        for (_, slot) in &step.facets {
            self.values[*slot] = value;
            if let Some(sum) = &sum {
                self.sums.insert(*slot, sum.clone());
            }
        }
        Some(())
    }

    /// A chart that rolls nothing is looked up once, when the plan is made.
    fn look_up(&mut self, step: &Step, look_up: &adjutant_pack::LookUp) -> Option<()> {
        let pack = self.situation.pack();
        let there = &pack.charts()[look_up.chart];
        if look_up.times.is_some()
            || !there.steps.iter().all(|step| matches!(step.kind, StepKind::WorkOut(_)))
            || there.effects().next().is_some()
            || there.follow_ups().next().is_some()
        {
            return None;
        }
        let mut situation = Situation::new(pack, &there.id).ok()?;
        situation.take_over(self.situation);
        for (place, formula) in &look_up.given {
            let value = self.known(formula)?.to_answer(pack.words());
            situation.give_answer(&there.inputs[*place].name, &value).ok()?;
        }
        let resolution = resolve(&mut situation, &mut EnteredInput::new()).ok()?;
        for (facet, slot) in &step.facets {
            self.values[*slot] = Some(match facet {
                Facet::Value => Value::Number(resolution.value.unwrap_or(Number::ZERO)),
                _ => Value::Word(pack.words().find(
                    resolution.result.as_ref().map_or("none", |result| result.id.as_str()),
                )?),
            });
        }
        Some(())
    }

    /// An expression as a sum of the variables.
    fn sum(&self, expr: &Expr) -> Option<Sum> {
        expr.linear(&mut |leaf| match leaf {
            Expr::Slot(slot) => match Lookup::get(&self.values, *slot) {
                Some(value) => Some(Sum::number(value.number()?)),
                None => self.sums.get(slot).cloned(),
            },
            Expr::Call(Func::If, parts) => {
                let [condition, then, otherwise] = parts.as_slice() else { return None };
                let condition =
                    Formula { expr: condition.clone(), text: Text::default(), kind: Type::YesNo };
                self.sum(if self.known(&condition)?.is_yes() { then } else { otherwise })
            }
            other => {
                let formula =
                    Formula { expr: other.clone(), text: Text::default(), kind: Type::Number };
                Some(Sum::number(self.number(&formula)?))
            }
        })
    }

    fn plan(mut self) -> Option<Plan> {
        let chart = self.situation.chart();
        let read = &chart.read;
        for also in &read.also {
            if self.holds(also.when.as_ref())? {
                return None;
            }
        }
        let by_value = read.rows.is_empty();
        let score = match (&read.score, &read.value) {
            (_, Some(value)) if by_value => self.sum(&value.expr)?,
            (Some(score), _) if score.kind == Type::Number => self.sum(&score.expr)?,
            _ => Sum::number(Number::ZERO),
        };
        if let (true, Some(slot)) =
            (score.parts.is_empty(), chart.names.position(|name| name.origin == NameSource::Score))
        {
            self.values[slot] = Some(Value::Number(score.fixed));
        }
        let units = score.parts.iter().try_fold(
            score.fixed.denominator(),
            |units, (variable, times)| {
                self.variables[*variable].values.iter().try_fold(units, |units, (n, _)| {
                    Some(lcm(units, n.times(*times).ok()?.denominator()))
                })
            },
        )?;
        let scale = |n: Number| n.times(Number::whole(units).ok()?).ok()?.as_whole();
        let variables: Vec<Vec<(i64, u128)>> = score
            .parts
            .iter()
            .map(|(variable, times)| {
                let mut list: BTreeMap<i64, u128> = BTreeMap::new();
                for (n, w) in &self.variables[*variable].values {
                    *list.entry(scale(n.times(*times).ok()?)?).or_default() += w;
                }
                Some(list.into_iter().collect())
            })
            .collect::<Option<_>>()?;
        let spread = |list: &Vec<(i64, u128)>| {
            list.last().zip(list.first()).map_or(0, |((most, _), (least, _))| most - least)
        };
        if variables.iter().map(spread).sum::<i64>() > MOST_VALUES {
            return None;
        }
        let reduced: Vec<Vec<(i64, u128)>> = variables.into_iter().map(reduced).collect();
        let total = reduced
            .iter()
            .try_fold(1_u128, |total, list| total.checked_mul(list.iter().map(|(_, w)| w).sum()))?;
        let mut plan = Plan {
            variables: reduced,
            fixed: scale(score.fixed)?,
            rows: Vec::new(),
            outcomes: Vec::new(),
            total,
        };
        if by_value {
            self.by_value(&mut plan, units)?
        } else {
            self.by_rows(&mut plan, units)?
        }
        adjutant_dice::sort_by_key(&mut plan.rows, |row| row.from);
        Some(plan)
    }

    /// A chart that returns a number: every number is an outcome.
    fn by_value(&self, plan: &mut Plan, units: i64) -> Option<()> {
        let everything =
            plan.variables.iter().fold(vec![(plan.fixed, 1_u128)], |a, b| convolved(&a, b));
        for (score, _) in everything {
            let value = Number::whole(score).ok()?.over(Number::whole(units).ok()?).ok()?;
            plan.rows.push(PlannedRow { from: score, to: score, outcome: plan.outcomes.len() });
            plan.outcomes.push(OddsOutcome {
                chart: self.situation.chart().id.clone(),
                value: Some(value),
                ..OddsOutcome::default()
            });
        }
        Some(())
    }

    fn by_rows(&self, plan: &mut Plan, units: i64) -> Option<()> {
        let chart = self.situation.chart();
        let read = &chart.read;
        let word = read
            .score
            .as_ref()
            .filter(|score| score.kind != Type::Number)
            .map(|score| self.known(score));
        let column = match &read.column {
            Some(column) => {
                Some(crate::modifiers::column_known(column, |formula| self.known(formula))?)
            }
            None => None,
        };
        // Rows are tried in order, so a band loses what earlier rows cover.
        let mut open: Vec<(i64, i64)> = vec![(i64::MIN / 4, i64::MAX / 4)];
        for row in &read.rows {
            let limited = !row.limits.is_empty();
            let when = if limited { row.own_when.as_ref() } else { row.when.as_ref() };
            if !self.holds(when)?
                || row.is_word.is_some_and(|is| word.flatten() != Some(Value::Word(is)))
            {
                continue;
            }
            let (from, to) = ends(self.band(row)?, units)?;
            let (_, cell) = row.cell(column)?;
            let outcome = self.outcome(cell)?;
            let place =
                plan.outcomes.iter().position(|known| *known == outcome).unwrap_or_else(|| {
                    plan.outcomes.push(outcome);
                    plan.outcomes.len() - 1
                });
            let mut left = Vec::new();
            for (low, high) in open {
                let (a, b) = (low.max(from), high.min(to));
                if a > b {
                    left.push((low, high));
                    continue;
                }
                plan.rows.push(PlannedRow { from: a, to: b, outcome: place });
                left.extend(
                    [(low, a - 1), (b + 1, high)].into_iter().filter(|(low, high)| low <= high),
                );
            }
            open = left;
        }
        Some(())
    }

    /// The band of a row, with the ends that are worked out.
    fn band(&self, row: &adjutant_pack::Row) -> Option<Option<Band>> {
        if row.limits.is_empty() {
            return Some(row.band);
        }
        let mut band = row.band.unwrap_or(Band { from: None, to: None });
        if let Some((from, belongs)) = &row.limits.from {
            band.from = Some((self.number(from)?, *belongs));
        }
        if let Some((to, belongs)) = &row.limits.to {
            band.to = Some((self.number(to)?, *belongs));
        }
        Some(Some(band))
    }

    fn outcome(&self, cell: &adjutant_pack::Cell) -> Option<OddsOutcome> {
        let (pack, chart) = (self.situation.pack(), self.situation.chart());
        if cell.result_of.is_some() || (chart.read.value.is_some() && cell.value.is_none()) {
            return None;
        }
        let mut value = match &cell.value {
            Some(value) => Some(self.number(value)?),
            None => None,
        };
        if let (Some(formula), Some(n)) = (&chart.read.value, value) {
            let mut values = self.values.clone();
            for (slot, _) in
                chart.names.iter_enumerated().filter(|(_, name)| name.origin == NameSource::Cell)
            {
                values[slot] = Some(Value::Number(n));
            }
            value = Some(formula.eval_partly(&values, &mut Vec::new())?.number()?);
        }
        let result = match cell.landing {
            Some(mut landing) => {
                for _ in 0..8 {
                    let mut instead = None;
                    for line in &chart.landings[landing].instead {
                        if self.known(&line.when)?.is_yes() {
                            instead = Some(line.landing);
                            break;
                        }
                    }
                    let Some(other) = instead else { break };
                    landing = other;
                }
                let known = &chart.landings[landing];
                let outcome = &pack.results()[known.result];
                Some((
                    outcome.id.clone(),
                    outcome.title.clone(),
                    known.on.map(|role| chart.roles[role].id.clone()),
                ))
            }
            None => None,
        };
        Some(OddsOutcome { chart: chart.id.clone(), result, value, ..OddsOutcome::default() })
    }
}

/// A band in whole units, both ends included.
fn ends(band: Option<Band>, units: i64) -> Option<(i64, i64)> {
    let band = band.unwrap_or(Band { from: None, to: None });
    let scaled = |n: Number| n.times(Number::whole(units).ok()?).ok();
    let from = match band.from {
        None => i64::MIN / 4,
        Some((n, true)) => scaled(n)?.ceil().as_whole()?,
        Some((n, false)) => scaled(n)?.floor().as_whole()? + 1,
    };
    let to = match band.to {
        None => i64::MAX / 4,
        Some((n, true)) => scaled(n)?.floor().as_whole()?,
        Some((n, false)) => scaled(n)?.ceil().as_whole()? - 1,
    };
    Some((from, to))
}

/// Divides the weights by their greatest common divisor: 3 of 6 becomes 1 of 2.
fn reduced(list: Vec<(i64, u128)>) -> Vec<(i64, u128)> {
    let shared = list.iter().fold(0_u128, |shared, (_, w)| gcd(shared, *w)).max(1);
    list.into_iter().map(|(value, w)| (value, w / shared)).collect()
}

fn lcm(a: i64, b: i64) -> i64 {
    num_integer::lcm(a, b)
}
