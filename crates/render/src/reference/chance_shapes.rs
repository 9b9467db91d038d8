//! The shapes of a chance table: by the row of a table that is looked up, by the sum of all
//! modifiers, by one input or by two.

use super::chance_table::{MAX_CELLS, MAX_ROWS, Row, TypicalCase, has_luck, percent};
use super::model::Table;
use adjutant_dice::{Accepts, Answer, Number};
use adjutant_engine::{Chance, Distribution, Situation, relevant};
use adjutant_pack::{Facet, FilledFrom, InputId, NameSource, Slot, StepId, StepKind};
use adjutant_wording::en::{ChartWords, true_minus};

/// An input that shifts the sum of modifiers one to one: its name, its current value, its sign, and
/// its range.
type ShiftingInput = (String, i64, i64, (i64, i64));

impl<'p> TypicalCase<'p> {
    /// The steps whose sum is the score, each with its sign; `None` if the score is anything else.
    fn parts(&self) -> Option<Vec<(StepId, Facet, i64)>> {
        let mut parts = Vec::new();
        for (slot, minus) in self.chart.read.score.as_ref()?.expr.signed_names()? {
            match self.chart.names[slot].origin {
                NameSource::Step(step, facet @ (Facet::Total | Facet::Value)) => {
                    parts.push((step, facet, if minus { -1 } else { 1 }))
                }
                // A unit's attribute is like a modifier that always counts.
                NameSource::Input(_) => {}
                _ => return None,
            }
        }
        Some(parts)
    }

    /// By what is looked up on the way: the columns of an odds table.
    pub(super) fn by_look_up(&self) -> Option<Table> {
        let (step, ..) = self.parts()?.into_iter().find(|(step, facet, _)| {
            let kind = &self.chart.steps[*step].kind;
            *facet == Facet::Value && matches!(kind, StepKind::LookUp(there) if there.times.is_none() && !has_luck(self.pack, &self.pack.charts()[there.chart], 0))
        })?;
        let StepKind::LookUp(look_up) = &self.chart.steps[step].kind else { return None };
        let there = &self.pack.charts()[look_up.chart];
        let mut found: Vec<(usize, String, Distribution)> = Vec::new();
        let (situations, varied) = self.spread_out();
        for situation in situations {
            let Some(resolution) = self.run(&situation) else { continue };
            let Some(seen) =
                resolution.look_ups().find(|seen| seen.name == self.chart.steps[step].name)
            else {
                continue;
            };
            let (place, name) = match (&seen.result, seen.value) {
                (Some(result), _) => {
                    let of = |row: &adjutant_pack::Row| {
                        row.cells
                            .iter()
                            .filter_map(|cell| cell.landing)
                            .any(|at| self.pack.results()[there.landings[at].result].id == *result)
                    };
                    (
                        there.read.rows.iter().position(of).unwrap_or(usize::MAX),
                        seen.title.clone().unwrap_or_default().to_string(),
                    )
                }
                (None, Some(value)) => (
                    usize::try_from(value.floor().as_whole().unwrap_or(0) + 1000).unwrap_or(0),
                    true_minus(&value.to_string()),
                ),
                (None, None) => continue,
            };
            if !found.iter().any(|(known, ..)| *known == place) && found.len() < MAX_ROWS {
                found.push((place, name, self.weigh(&situation)?));
            }
        }
        found.sort_by_key(|(place, ..)| *place);
        let rows: Vec<Row> = found.into_iter().map(|(_, name, spread)| (name, spread)).collect();
        let head = self.chart.steps[step].title.to_string();
        self.table(&head, &format!("Chances in % by {head}, without modifiers"), &varied, rows)
    }

    /// Situations that differ in a few values of up to three inputs, and which inputs these are.
    fn spread_out(&self) -> (Vec<Situation<'p>>, Vec<InputId>) {
        let mut all = vec![self.base.clone()];
        let mut varied = Vec::new();
        let mut places = relevant(&self.base);
        // First required numbers, then required choices, then the rest.
        places.sort_by_key(|place| {
            let field = &self.chart.inputs[*place].field;
            (field.default.is_some(), !matches!(field.accepts, Accepts::Number { .. }))
        });
        for place in places {
            let input = &self.chart.inputs[place];
            let values: Vec<String> = match &input.field.accepts {
                Accepts::Number { .. } if input.source == FilledFrom::Situation => continue,
                Accepts::Number { .. } => {
                    ["1", "2", "3", "4", "6", "8", "10", "11", "12"].map(String::from).to_vec()
                }
                Accepts::Choice { words } if input.source != FilledFrom::Situation => {
                    words.iter().map(|word| word.id.to_string()).collect()
                }
                _ => continue,
            };
            if varied.len() == 3 || all.len() * values.len() > 900 {
                continue;
            }
            let name = &input.name;
            let longer = all.iter().flat_map(|known| {
                values.iter().filter_map(move |value| {
                    let mut here = known.clone();
                    here.give(name, value).ok().map(|()| here)
                })
            });
            let longer: Vec<Situation<'p>> = longer.collect();
            if !longer.is_empty() {
                all = longer;
                varied.push(place);
            }
        }
        (all, varied)
    }

    /// The sum of all modifiers.
    fn net(&self, situation: &Situation<'p>, parts: &[(StepId, Facet, i64)]) -> Option<i64> {
        let resolution = self.run(situation)?;
        let mut net = Number::ZERO;
        for (step, _, sign) in parts {
            let roll = resolution.rolls().rfind(|roll| {
                roll.name == self.chart.steps[*step].name && roll.chart == self.chart.id
            })?;
            let (Some(Answer::Number(total)), Some(Answer::Number(natural))) =
                (&roll.total, &roll.natural)
            else {
                return None;
            };
            let more = total.minus(*natural).ok()?;
            net = if *sign > 0 { net.plus(more).ok()? } else { net.minus(more).ok()? };
        }
        net.as_whole()
    }

    /// By the sum of all modifiers, if they only shift the score.
    pub(super) fn by_net(&self) -> Option<Table> {
        let parts = self.parts()?;
        let rolls = |(step, facet, _): &(StepId, Facet, i64)| match &self.chart.steps[*step].kind {
            StepKind::Roll(roll) => {
                *facet == Facet::Total && roll.plain().is_some_and(|roll| roll.test.is_none())
            }
            StepKind::Draw(draw) => {
                let one = draw.several.is_none() && draw.pick.is_none();
                *facet == Facet::Total && draw.read.is_some() && one
            }
            _ => false,
        };
        let named = |slot: &Slot| matches!(self.chart.names[*slot].origin, NameSource::Input(_));
        let plain = !self.chart.read.score.as_ref()?.slots().iter().any(named);
        let banded =
            self.chart.read.rows.iter().all(|row| row.when.is_none() && row.is_word.is_none());
        if parts.is_empty() || !plain || !banded || !parts.iter().all(rolls) {
            return None;
        }
        let base = self.net(&self.base, &parts)?;
        let shifting = self.shifting(base, &parts);
        let mut rows: Vec<(i64, Distribution)> = Vec::new();
        for (from, step) in [(base, -1), (base + 1, 1)] {
            let mut n = from;
            while rows.len() < MAX_CELLS
                && let Some(situation) = self.at(n, base, &shifting, &parts)
            {
                let spread = self.weigh(&situation)?;
                let settled = spread.results.iter().any(|result| result.chance.percent() == 100.0);
                rows.push((n, spread));
                if settled {
                    break;
                }
                n += step;
            }
        }
        rows.sort_by_key(|(n, _)| *n);
        // Rows at the ends, which are the most certain, are dropped first.
        let sure = |spread: &Distribution| {
            spread.results.iter().map(|result| result.chance.percent()).fold(0.0, f64::max)
        };
        while rows.len() > MAX_ROWS {
            let low = sure(&rows.first()?.1) >= sure(&rows.last()?.1);
            rows.remove(if low { 0 } else { rows.len() - 1 });
        }
        let steps: Vec<&adjutant_pack::Step> =
            parts.iter().map(|(step, ..)| &self.chart.steps[*step]).collect();
        let modifiers: Vec<&adjutant_pack::Modifier> =
            steps.iter().flat_map(|step| &step.add).collect();
        let head =
            if let [only] = modifiers.as_slice() { only.label.to_string() } else { "Net".into() };
        let score = ChartWords::for_players(self.pack, self.chart).score();
        let caption = match (modifiers.len(), score) {
            (1, _) | (_, None) => format!("Chances in % by {head}"),
            (_, Some(_)) if parts.len() == 1 => "Chances in % by all modifiers together".into(),
            (_, Some(score)) => {
                format!("Chances in % by all modifiers and values together, {score}")
            }
        };
        let sign = |n: i64| if n > 0 { format!("+{n}") } else { true_minus(&n.to_string()) };
        let place =
            |(name, ..): &ShiftingInput| self.chart.inputs.position(|input| input.name == *name);
        // Inputs that shift the sum are covered by the sum.
        let shifts = |place: &InputId| {
            self.others(&self.chart.inputs[*place])
                .iter()
                .any(|there| self.net(there, &parts) != Some(base))
        };
        let varied: Vec<InputId> = shifting
            .iter()
            .filter_map(place)
            .chain(self.chart.inputs.ids().filter(shifts))
            .collect();
        self.table(
            &head,
            &caption,
            &varied,
            rows.into_iter().map(|(n, spread)| (sign(n), spread)).collect(),
        )
    }

    /// The inputs that shift the sum of modifiers one to one.
    fn shifting(&self, base: i64, parts: &[(StepId, Facet, i64)]) -> Vec<ShiftingInput> {
        let mut shifting = Vec::new();
        for place in relevant(&self.base) {
            let input = &self.chart.inputs[place];
            let Accepts::Number { from, to, .. } = &input.field.accepts else { continue };
            let (Some(from), Some(to)) = (from.ceil().as_whole(), to.floor().as_whole()) else {
                continue;
            };
            let current = self
                .base
                .given_inputs()
                .into_iter()
                .find(|(name, _)| *name == input.name)
                .map(|(_, answer)| answer);
            let Some(Answer::Number(current)) = current.or_else(|| input.field.default.clone())
            else {
                continue;
            };
            let Some(current) = current.as_whole() else { continue };
            let tried = if current < to { current + 1 } else { current - 1 };
            let mut here = self.base.clone();
            if here.give(&input.name, &tried.to_string()).is_err() {
                continue;
            }
            match self.net(&here, parts).map(|net| (net - base) * (tried - current)) {
                Some(sign @ (1 | -1)) => {
                    shifting.push((input.name.to_string(), current, sign, (from, to)))
                }
                _ => continue,
            }
        }
        // One input with a wide range is preferred to several with narrow ones.
        shifting.sort_by_key(|(.., (from, to))| from - to);
        shifting
    }

    /// The typical situation with this sum of modifiers. The effect of an input may be limited (“at
    /// most 4”), so each input is tried, and the rest is left to the next.
    fn at(
        &self,
        wanted: i64,
        base: i64,
        shifting: &[ShiftingInput],
        parts: &[(StepId, Facet, i64)],
    ) -> Option<Situation<'p>> {
        let (mut situation, mut left) = (self.base.clone(), wanted - base);
        for (name, current, sign, (from, to)) in shifting {
            if left == 0 {
                break;
            }
            let value = (current + left * sign).clamp(*from, *to);
            situation.give(name, &value.to_string()).ok()?;
            left = wanted - self.net(&situation, parts)?;
        }
        (left == 0).then_some(situation)
    }

    /// The inputs that may be varied, with their values: required numbers with few values first,
    /// then choices.
    fn inputs(&self) -> Vec<(InputId, Vec<(String, String)>)> {
        let column =
            self.chart.read.column.as_ref().map(|column| column.by.slots()).unwrap_or_default();
        let mut found = Vec::new();
        for place in relevant(&self.base) {
            let input = &self.chart.inputs[place];
            if column.contains(&input.slot) || input.field.default.is_some() {
                continue;
            }
            let values: Vec<(String, String)> = match &input.field.accepts {
                Accepts::Number { from, to, step } if *step == Number::ONE => {
                    match (from.as_whole(), to.as_whole()) {
                        (Some(from), Some(to)) if to - from < 12 => (from..=to)
                            .map(|n| (n.to_string(), true_minus(&n.to_string())))
                            .collect(),
                        _ => continue,
                    }
                }
                Accepts::Choice { words } if words.len() <= 8 => {
                    words.iter().map(|word| (word.id.to_string(), word.label.to_string())).collect()
                }
                _ => continue,
            };
            found.push((place, values));
        }
        found.sort_by_key(|(place, _)| {
            !matches!(self.chart.inputs[*place].field.accepts, Accepts::Number { .. })
        });
        found
    }

    /// By one input.
    pub(super) fn by_input(&self) -> Option<Table> {
        for (place, values) in self.inputs() {
            let input = &self.chart.inputs[place];
            let mut rows: Vec<Row> = Vec::new();
            for (value, label) in &values {
                let mut here = self.base.clone();
                here.give(&input.name, value).ok()?;
                rows.extend(self.weigh(&here).map(|spread| (label.clone(), spread)));
            }
            let head = &input.own_label;
            if rows.len() == values.len()
                && let Some(table) =
                    self.table(head, &format!("Chances in % by {head}"), &[place], rows)
            {
                return Some(table);
            }
        }
        None
    }

    /// By the same attribute of two sides: how often the last result occurs.
    pub(super) fn by_two(&self) -> Option<Table> {
        let inputs = self.inputs();
        let [(down, values), (across, others), ..] = inputs.as_slice() else { return None };
        let varied = [*down, *across];
        let (down, across) = (&self.chart.inputs[*down], &self.chart.inputs[*across]);
        let same =
            down.own_label == across.own_label && values == others && down.role != across.role;
        let numbers = matches!(down.field.accepts, Accepts::Number { .. });
        if !same || !numbers || values.len() * others.len() > MAX_CELLS {
            return None;
        }
        let landing = self.chart.read.rows.last()?.cells.first()?.landing?;
        let result = &self.pack.results()[self.chart.landings[landing].result];
        let mut rows = Vec::new();
        for (value, label) in values {
            let mut row = vec![label.clone()];
            for (other, _) in others {
                let mut here = self.base.clone();
                here.give(&down.name, value).ok()?;
                here.give(&across.name, other).ok()?;
                let spread = self.weigh(&here)?;
                let parts = spread
                    .results
                    .iter()
                    .filter(|known| known.id == result.id)
                    .map(|known| &known.chance);
                row.push(percent(Chance::sum(parts).percent()));
            }
            rows.push(row);
        }
        if rows.iter().all(|row: &Vec<String>| row[1..] == rows[0][1..]) {
            return None;
        }
        let heads = std::iter::once(down.own_label.to_string())
            .chain(others.iter().map(|(_, label)| label.clone()))
            .collect();
        let caption = format!(
            "{}: chances in %, {} down, {} across",
            result.title,
            self.within_sentence(down),
            self.within_sentence(across)
        );
        Some(Table {
            caption: format!("{caption}{}", self.assuming(&varied)),
            heads,
            rows,
            ..Table::default()
        })
    }
}
