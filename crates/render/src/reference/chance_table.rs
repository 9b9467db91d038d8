//! Chance tables for a chart: by the row of a table that is looked up, by the sum of all modifiers,
//! or by one input. The engine computes the odds; this module chooses what to vary. A chart for
//! which none of these makes sense has no table.

use super::chart::signed;
use super::model::Table;
use adjutant_dice::{
    Accepts, Answer, CardRequest, DiceRequest, InputSource, Number, Question, SourceError, ThrownBy,
};
use adjutant_engine::{
    AnswerOdds, Chance, Distribution, OddsError, OddsOptions, OutcomeChance, Resolution, Situation,
    Stop, in_sheet_order, needs, odds, percent_in_short, questions, relevant, resolve,
};
use adjutant_pack::{
    BindingId, Chart, ColumnId, Expr, Facet, FilledFrom, IdVec, Input, InputId, NameSource, Op,
    Pack, ResultId, RoleId, RowId, Slot, StepId, StepKind,
};
use adjutant_wording::en::ChartWords;
use std::cell::Cell;

/// The most rows of a table.
const MAX_ROWS: usize = 18;
/// The most columns of a table.
const MAX_HEADS: usize = 9;
/// The most situations computed for one chart.
const MAX_CELLS: usize = 70;
/// The most rolls made to compute one of them.
const MAX_ROLLS: usize = 20_000;

/// Why a chart has no chance table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoTable {
    NotSensible,
    /// The chances take more rolls than [`MAX_ROLLS`] or more time than the caller allows.
    TooLong,
}

/// The chance table of a chart.
pub(super) fn table(pack: &Pack, chart: &Chart, stop: &Stop) -> Result<Table, NoTable> {
    let open = chart.read.user_table.is_some_and(|table| !pack.user_tables()[table].filled);
    if open || chart.read.rows.is_empty() || !has_luck(pack, chart, 0) {
        return Err(NoTable::NotSensible);
    }
    let case = TypicalCase::new(pack, chart, stop).ok_or(NoTable::NotSensible)?;
    let found = case
        .by_look_up()
        .or_else(|| case.by_net())
        .or_else(|| case.by_two())
        .or_else(|| case.by_input());
    // A table that lacks rows would look complete.
    match found {
        Some(table) if !stop.is_due() => Ok(table),
        None if !case.too_long.get() => Err(NoTable::NotSensible),
        _ => Err(NoTable::TooLong),
    }
}

fn has_luck(pack: &Pack, chart: &Chart, depth: usize) -> bool {
    chart.steps.iter().any(|step| match &step.kind {
        StepKind::Roll(_) | StepKind::Draw(_) => true,
        StepKind::LookUp(look_up) => {
            depth < 8 && has_luck(pack, &pack.charts()[look_up.chart], depth + 1)
        }
        _ => false,
    })
}

/// Always the same faces, card and answers, so that only arithmetic varies.
struct FixedInput;

impl InputSource for FixedInput {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        Ok(vec![ask.sides.div_ceil(2); ask.count as usize])
    }
    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        ask.deck.cards().next().ok_or_else(|| ask.missing())
    }
    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        answer_to(ask.accepts).ok_or_else(|| ask.missing())
    }

    fn thrown_by(&self) -> ThrownBy {
        ThrownBy::Program
    }
}

/// The assumed answer: no, or the first choice, which is to roll.
fn answer_to(accepts: &Accepts) -> Option<Answer> {
    match accepts {
        Accepts::YesNo => Some(Answer::YesNo(false)),
        Accepts::Choice { words } => words.first().map(|word| Answer::Choice(word.id.clone())),
        Accepts::Number { .. } => None,
    }
}

/// A chart in a typical situation.
struct TypicalCase<'p> {
    pack: &'p Pack,
    chart: &'p Chart,
    base: Situation<'p>,
    odds_options: OddsOptions,
    /// The column with the most different results, if there are columns.
    column: Option<ColumnId>,
    /// Whether the chances of a situation took too long.
    too_long: Cell<bool>,
}

/// An input that shifts the sum of modifiers one to one: its name, its current value, its sign, and
/// its range.
type ShiftingInput = (String, i64, i64, (i64, i64));

/// A row of a chance table: its label and the odds.
type Row = (String, Distribution);

impl<'p> TypicalCase<'p> {
    fn new(pack: &'p Pack, chart: &'p Chart, stop: &Stop) -> Option<TypicalCase<'p>> {
        let mut base = Situation::new(pack, &chart.id).ok()?;
        if let Some(option) = chart.needs_option {
            base.set_option(&pack.options()[option].field.id, "yes").ok()?;
        }
        let answers = questions(pack, chart).into_iter();
        let answers = answers
            .filter_map(|question| {
                Some((question.key.to_string(), AnswerOdds::Always(answer_to(&question.accepts)?)))
            })
            .collect();
        let odds_options = OddsOptions {
            answers,
            most: Some(MAX_ROLLS),
            stop: stop.clone(),
            ..OddsOptions::default()
        };
        let too_long = Cell::new(false);
        let mut case = TypicalCase { pack, chart, base, odds_options, column: None, too_long };
        case.choose_column();
        // An input may make others relevant. A few rounds are enough.
        for _ in 0..12 {
            let wanting: Vec<String> = needs(&case.base).into_iter().map(|need| need.key).collect();
            // Inputs that become relevant only when others are varied are given too.
            let lacks = |place: &InputId| {
                chart.inputs[*place].field.default.is_none() && !case.base.is_given(*place)
            };
            let later = relevant(&case.base)
                .into_iter()
                .filter(lacks)
                .map(|place| chart.inputs[place].name.to_string());
            let wanting: Vec<String> = wanting.into_iter().chain(later).collect();
            if wanting.is_empty() {
                return Some(case);
            }
            for name in wanting {
                let input = chart.input(&name)?;
                let value = typical(pack, chart, input)
                    .unwrap_or_else(|| plain_value(&input.field.accepts));
                case.base.give(&name, &value).ok()?;
            }
        }
        None
    }

    /// Chooses the column with the most different results.
    fn choose_column(&mut self) {
        let Some(column) = &self.chart.read.column else { return };
        let Some(slot) =
            column.by.slots().first().copied().filter(|_| column.by.slots().len() == 1)
        else {
            return;
        };
        let NameSource::Input(input) = self.chart.names[slot].origin else { return };
        let results = |place: ColumnId| {
            let mut found: Vec<BindingId> = self.results_of(place).into_iter().flatten().collect();
            found.sort_unstable();
            found.dedup();
            found.len()
        };
        let Some(best) = column.ids.ids().rev().max_by_key(|place| results(*place)) else { return };
        if self.base.give(&self.chart.inputs[input].name, &column.ids[best]).is_ok() {
            self.column = Some(best);
        }
    }

    /// The result of each row in a column.
    fn results_of(&self, column: ColumnId) -> IdVec<RowId, Option<BindingId>> {
        self.chart.read.rows.iter().map(|row| row.cell(Some(column))?.1.landing).collect()
    }

    fn run(&self, situation: &Situation<'p>) -> Option<Resolution> {
        resolve(&mut situation.clone(), &mut FixedInput).ok()
    }

    fn weigh(&self, situation: &Situation<'p>) -> Option<Distribution> {
        if self.odds_options.stop.is_due() {
            self.too_long.set(true);
            return None;
        }
        let found = odds(situation, &self.odds_options).inspect_err(|stop| {
            if matches!(stop, OddsError::TooLarge(_) | OddsError::OverLimit(_)) {
                self.too_long.set(true);
            }
        });
        let report = found.ok()?;
        report
            .branches
            .into_iter()
            .next()
            .map(|branch| branch.spread)
            .filter(|spread| !spread.results.is_empty())
    }

    /// The steps whose sum is the score, each with its sign; `None` if the score is anything else.
    fn parts(&self) -> Option<Vec<(StepId, Facet, i64)>> {
        fn gather(
            case: &TypicalCase<'_>,
            expr: &Expr,
            sign: i64,
            parts: &mut Vec<(StepId, Facet, i64)>,
        ) -> Option<()> {
            match expr {
                Expr::Slot(slot) => match case.chart.names[*slot].origin {
                    NameSource::Step(step, facet @ (Facet::Total | Facet::Value)) => {
                        parts.push((step, facet, sign))
                    }
                    // A unit's attribute is like a modifier that always counts.
                    NameSource::Input(_) => {}
                    _ => return None,
                },
                Expr::Pair(Op::Plus, a, b) => {
                    gather(case, a, sign, parts)?;
                    gather(case, b, sign, parts)?;
                }
                Expr::Pair(Op::Minus, a, b) => {
                    gather(case, a, sign, parts)?;
                    gather(case, b, -sign, parts)?;
                }
                _ => return None,
            }
            Some(())
        }
        let mut parts = Vec::new();
        gather(self, &self.chart.read.score.as_ref()?.expr, 1, &mut parts)?;
        Some(parts)
    }

    /// By what is looked up on the way: the columns of an odds table.
    fn by_look_up(&self) -> Option<Table> {
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
                    signed(&value.to_string()),
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
    fn by_net(&self) -> Option<Table> {
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
        let sign = |n: i64| if n > 0 { format!("+{n}") } else { signed(&n.to_string()) };
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
                        (Some(from), Some(to)) if to - from < 12 => {
                            (from..=to).map(|n| (n.to_string(), signed(&n.to_string()))).collect()
                        }
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
    fn by_input(&self) -> Option<Table> {
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
    fn by_two(&self) -> Option<Table> {
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

    /// An input inside a sentence: “figure's Reputation”.
    fn within_sentence(&self, input: &Input) -> String {
        match input.role {
            Some(role) => {
                let role = &self.chart.roles[role].id;
                format!("{}'s {}", role.as_str().replace(['_', '-'], " "), input.own_label)
            }
            None => input.own_label.to_string(),
        }
    }

    /// The inputs that the odds assume and depend on, without those that are varied.
    fn assuming(&self, varied: &[InputId]) -> String {
        let by = self
            .chart
            .read
            .column
            .as_ref()
            .filter(|_| self.heads_are_rows())
            .map(|column| column.by.slots())
            .unwrap_or_default();
        let mut parts = Vec::new();
        for (name, value) in self.base.given_inputs() {
            let Some(place) = self.chart.inputs.position(|input| input.name == name) else {
                continue;
            };
            let input = &self.chart.inputs[place];
            if varied.contains(&place) || by.contains(&input.slot) || !self.matters(input) {
                continue;
            }
            let label = if self.chart.one_role() { &input.own_label } else { &input.field.label };
            parts.push(match (&input.field.accepts, &value) {
                (Accepts::Choice { words }, Answer::Choice(word)) => {
                    let shown = words
                        .iter()
                        .find(|known| known.id == *word)
                        .map_or(word, |known| &known.label);
                    format!("{label}: {shown}")
                }
                (Accepts::YesNo, value) => format!("{label}: {value}"),
                (_, value) => format!("{label} {}", signed(&value.to_string())),
            });
        }
        parts.dedup();
        if parts.is_empty() { String::new() } else { format!(", assuming {}", parts.join(", ")) }
    }

    /// The typical situation with other values of an input: both ends of a number, every choice.
    fn others(&self, input: &Input) -> Vec<Situation<'p>> {
        let values: Vec<String> = match &input.field.accepts {
            Accepts::YesNo => vec!["yes".into(), "no".into()],
            Accepts::Choice { words } => words.iter().map(|word| word.id.to_string()).collect(),
            Accepts::Number { from, to, .. } => [*from, *to].map(|end| end.to_string()).to_vec(),
        };
        let with = |value: &String| {
            let mut there = self.base.clone();
            there.give(&input.name, value).ok().map(|()| there)
        };
        values.iter().filter_map(with).collect()
    }

    /// Whether another value of an input would change the odds.
    fn matters(&self, input: &Input) -> bool {
        let Some(here) = self.weigh(&self.base) else { return true };
        let differs = |there: &Situation<'p>| {
            self.weigh(there).is_some_and(|spread| spread.results != here.results)
        };
        self.others(input).iter().any(differs)
    }

    /// The rows as a table; `None` if all rows are equal or there are too many results.
    fn table(
        &self,
        head: &str,
        caption: &str,
        varied: &[InputId],
        rows: Vec<Row>,
    ) -> Option<Table> {
        if rows.len() < 2 || rows.iter().all(|(_, spread)| spread.results == rows[0].1.results) {
            return None;
        }
        let mut all: Vec<OutcomeChance> = Vec::new();
        for outcome in rows.iter().flat_map(|(_, spread)| &spread.results) {
            if !all.iter().any(|known| same(known, outcome)) {
                all.push(outcome.clone());
            }
        }
        if all.len() > MAX_HEADS {
            return None;
        }
        let sorted: Vec<OutcomeChance> =
            in_sheet_order(self.pack, self.chart, &all).into_iter().cloned().collect();
        let heads = std::iter::once(head.to_owned())
            .chain(sorted.iter().map(|outcome| self.head(outcome)))
            .collect();
        let row = |(name, spread): &Row| {
            let chance = |wanted: &OutcomeChance| {
                spread
                    .results
                    .iter()
                    .find(|known| same(known, wanted))
                    .map_or(0.0, |known| known.chance.percent())
            };
            std::iter::once(name.clone())
                .chain(sorted.iter().map(|wanted| percent(chance(wanted))))
                .collect()
        };
        let assumed: Vec<String> = questions(self.pack, self.chart)
            .into_iter()
            .filter(|question| question.accepts == Accepts::YesNo)
            .map(|question| format!("{} No.", question.prompt))
            .collect();
        let assumed =
            if assumed.is_empty() { String::new() } else { format!(" ({})", assumed.join(" ")) };
        let caption = format!("{caption}{}{assumed}", self.assuming(varied));
        Some(Table { caption, heads, rows: rows.iter().map(row).collect(), ..Table::default() })
    }

    /// Whether the columns are headed by the chart's rows, so that they are valid for every column.
    fn heads_are_rows(&self) -> bool {
        let rows = &self.chart.read.rows;
        let landings = self.results_of(self.column.unwrap_or(ColumnId::FIRST));
        let lands = |at: &BindingId| (self.chart.landings[*at].result, self.chart.landings[*at].on);
        let mut distinct: Vec<(ResultId, Option<RoleId>)> =
            landings.iter().flatten().map(lands).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let long = landings.iter().flatten().any(|at| {
            self.pack.results()[self.chart.landings[*at].result].title.chars().count() > 16
        });
        let several = self.column.is_some() && rows.iter().any(|row| row.cells.len() > 1);
        let banded =
            rows.iter().all(|row| row.band.is_some() && row.when.is_none() && row.label.is_empty());
        distinct.len() == rows.len() && (several || banded && (long || rows.len() > 4))
    }

    /// The head of a result's column: its name, or its row if several columns share the rows or
    /// names are long.
    fn head(&self, outcome: &OutcomeChance) -> String {
        let rows = &self.chart.read.rows;
        let landings = self.results_of(self.column.unwrap_or(ColumnId::FIRST));
        let is = |landing: &Option<BindingId>| {
            landing.is_some_and(|at| {
                let landing = &self.chart.landings[at];
                let on = landing.on.map(|role| self.chart.roles[role].id.as_str());
                self.pack.results()[landing.result].id == outcome.id
                    && (outcome.on.is_none() || on == outcome.on.as_deref())
            })
        };
        if self.heads_are_rows()
            && let Some(place) = landings.position(is)
        {
            return super::chart::row_words(self.pack, self.chart, &rows[place], place);
        }
        match outcome.on.as_ref().filter(|_| !self.chart.one_role()) {
            Some(on) => format!("{} ({on})", outcome.title),
            None => outcome.title.to_string(),
        }
    }
}

fn same(a: &OutcomeChance, b: &OutcomeChance) -> bool {
    a.id == b.id && a.on == b.on && a.chart == b.chart
}

/// A typical value: from the first unit template of this kind that has it.
fn typical(pack: &Pack, chart: &Chart, input: &Input) -> Option<String> {
    let (FilledFrom::Attribute(attribute), Some(role)) = (input.source, input.role) else {
        return None;
    };
    let kind = chart.roles.get(role)?.kind;
    let of_kind = pack.templates().iter().filter(|template| template.kind == kind);
    let (_, value) =
        of_kind.flat_map(|template| &template.has).find(|(place, _)| *place == attribute)?;
    Some(value.to_answer(pack.words()).to_string())
}

/// A neutral value: zero, no, or the first choice.
fn plain_value(accepts: &Accepts) -> String {
    match accepts {
        Accepts::YesNo => "no".into(),
        Accepts::Choice { words } => {
            words.first().map_or(String::new(), |word| word.id.to_string())
        }
        Accepts::Number { from, to, .. } => Number::ZERO.max(*from).min(*to).to_string(),
    }
}

/// A whole percentage.
fn percent(percent: f64) -> String {
    if percent == 0.0 { "–".into() } else { percent_in_short(percent) }
}
