//! Chance tables for a chart: by the row of a table that is looked up, by the sum of all modifiers,
//! or by one input. The engine computes the odds; this module chooses what to vary. A chart for
//! which none of these makes sense has no table.

use super::model::Table;
use adjutant_dice::{
    Accepts, Answer, CardRequest, DiceRequest, InputSource, Number, Question, SourceError, ThrownBy,
};
use adjutant_engine::{
    AnswerOdds, Distribution, OddsError, OddsOptions, OutcomeChance, Resolution, Situation, Stop,
    in_sheet_order, needs, odds, percent_in_short, questions, relevant, resolve,
};
use adjutant_pack::{
    BindingId, Chart, ColumnId, FilledFrom, IdVec, Input, InputId, NameSource, Pack, ResultId,
    RoleId, RowId, StepKind,
};
use adjutant_wording::en::{ChartWords, true_minus};
use std::cell::Cell;

/// The most rows of a table.
pub(super) const MAX_ROWS: usize = 18;
/// The most columns of a table.
pub(super) const MAX_HEADS: usize = 9;
/// The most situations computed for one chart.
pub(super) const MAX_CELLS: usize = 70;
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

pub(super) fn has_luck(pack: &Pack, chart: &Chart, depth: usize) -> bool {
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
pub(super) struct TypicalCase<'p> {
    pub pack: &'p Pack,
    pub chart: &'p Chart,
    pub base: Situation<'p>,
    odds_options: OddsOptions,
    /// The column with the most different results, if there are columns.
    pub column: Option<ColumnId>,
    /// Whether the chances of a situation took too long.
    too_long: Cell<bool>,
}

/// A row of a chance table: its label and the odds.
pub(super) type Row = (String, Distribution);

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

    pub(super) fn run(&self, situation: &Situation<'p>) -> Option<Resolution> {
        resolve(&mut situation.clone(), &mut FixedInput).ok()
    }

    pub(super) fn weigh(&self, situation: &Situation<'p>) -> Option<Distribution> {
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

    /// An input inside a sentence: “figure's Reputation”.
    pub(super) fn within_sentence(&self, input: &Input) -> String {
        match input.role {
            Some(role) => {
                let role = &self.chart.roles[role].id;
                format!("{}'s {}", role.as_str().replace(['_', '-'], " "), input.own_label)
            }
            None => input.own_label.to_string(),
        }
    }

    /// The inputs that the odds assume and depend on, without those that are varied.
    pub(super) fn assuming(&self, varied: &[InputId]) -> String {
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
                (_, value) => format!("{label} {}", true_minus(&value.to_string())),
            });
        }
        parts.dedup();
        if parts.is_empty() { String::new() } else { format!(", assuming {}", parts.join(", ")) }
    }

    /// The typical situation with other values of an input: both ends of a number, every choice.
    pub(super) fn others(&self, input: &Input) -> Vec<Situation<'p>> {
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
    pub(super) fn matters(&self, input: &Input) -> bool {
        let Some(here) = self.weigh(&self.base) else { return true };
        let differs = |there: &Situation<'p>| {
            self.weigh(there).is_some_and(|spread| spread.results != here.results)
        };
        self.others(input).iter().any(differs)
    }

    /// The rows as a table; `None` if all rows are equal or there are too many results.
    pub(super) fn table(
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
            return ChartWords::for_players(self.pack, self.chart).row(&rows[place], place);
        }
        match outcome.on.as_ref().filter(|_| !self.chart.one_role()) {
            Some(on) => format!("{} ({on})", outcome.title),
            None => outcome.title.to_string(),
        }
    }
}

pub(super) fn same(a: &OutcomeChance, b: &OutcomeChance) -> bool {
    a.id == b.id && a.on == b.on && a.chart == b.chart
}

/// A typical value: from the first unit template of this kind that has it.
pub(super) fn typical(pack: &Pack, chart: &Chart, input: &Input) -> Option<String> {
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
pub(super) fn plain_value(accepts: &Accepts) -> String {
    match accepts {
        Accepts::YesNo => "no".into(),
        Accepts::Choice { words } => {
            words.first().map_or(String::new(), |word| word.id.to_string())
        }
        Accepts::Number { from, to, .. } => Number::ZERO.max(*from).min(*to).to_string(),
    }
}

/// A whole percentage.
pub(super) fn percent(percent: f64) -> String {
    if percent == 0.0 { "–".into() } else { percent_in_short(percent) }
}
