//! The model of a chart in words. Whatever shows a chart to read (sheets, pages, tables of other
//! programs, the command) draws this and adds no words of its own. It has no markup and no width;
//! it keeps the checked rules that its parts are about, so that a program can ask them for more.

#![allow(
    missing_docs,
    reason = "types are documented; fields and methods only where the name does not say it"
)]

use super::change::{ChangeText, paragraph};
use super::{AmountText, ChartWords, Spelling, table::TableText};
use adjutant_pack::{
    Also, Chart, Harm, Modifier, NameSource, OptionId, ReadingId, ResultBinding, ResultId, Slot,
    Step, StepKind, UserTableId, capital,
};
use std::borrow::Cow;

/// What a chart says.
#[derive(Clone, Debug)]
pub struct ChartText<'p> {
    pub chart: &'p Chart,
    /// The option without which the chart is not used.
    pub option: Option<OptionId>,
    /// That it is rolled for each of several units.
    pub each: Option<String>,
    pub steps: Vec<StepText<'p>>,
    /// The table of the player that it is read on.
    pub user_table: Option<UserTableId>,
    /// The rows and columns, if there are any.
    pub table: Option<TableText<'p>>,
    /// What moves the column.
    pub shifts: Vec<LineText<'p>>,
    /// The number that the chart yields.
    pub value: Option<String>,
    /// What changes whatever row is read.
    pub always: Vec<ChangeText>,
    pub also: Vec<AlsoText<'p>>,
    /// What so many results of the units together give.
    pub tallies: Vec<String>,
    /// Each result of the chart with what it means, in the order of the chart.
    pub results: Vec<ResultText<'p>>,
    /// What follows from rows and additional results beyond the results themselves.
    pub then: Vec<ThenText>,
    /// What happens when a deck runs out or is reshuffled.
    pub deck_events: Vec<String>,
    /// That attacks count at the same time, and when.
    pub together: Option<String>,
    pub notes: Vec<Cow<'p, str>>,
    pub readings: Vec<ReadingId>,
    /// What is left out here.
    pub not_shown: Vec<NotShown>,
}

/// A part of a chart that is left out, and the reason, for the user to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotShown {
    pub what: String,
    pub why: String,
}

impl NotShown {
    pub fn new(what: impl Into<String>, why: impl Into<String>) -> NotShown {
        NotShown { what: what.into(), why: why.into() }
    }
}

/// `A (why); B (why)`.
pub fn not_shown(list: &[NotShown]) -> String {
    let one = |left_out: &NotShown| match left_out.why.as_str() {
        "" => left_out.what.clone(),
        why => format!("{} ({why})", left_out.what),
    };
    list.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// A roll, a draw, a question, a look-up or a sum, with what is added to it.
#[derive(Clone, Debug)]
pub struct StepText<'p> {
    pub step: &'p Step,
    pub title: String,
    /// All that is done.
    pub does: String,
    /// What is done, as far as the title does not say it.
    pub beside_title: String,
    /// When it is done, if not always and if it was not just asked.
    pub when: Option<String>,
    pub lines: Vec<LineText<'p>>,
    pub again: Vec<AgainText>,
    /// The limits of the total.
    pub most: Option<String>,
    pub least: Option<String>,
}

impl StepText<'_> {
    /// Whether something stands below the title.
    pub fn has_lines(&self) -> bool {
        !self.lines.is_empty()
            || !self.again.is_empty()
            || self.most.is_some()
            || self.least.is_some()
    }

    /// What is done and when, beside the title.
    pub fn beside_title(&self) -> String {
        let when = self.when.as_ref().map(|when| format!("if {when}"));
        let does = Some(self.beside_title.clone()).filter(|does| !does.is_empty());
        [does, when].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// A modifier: its label, its amount and when it counts.
#[derive(Clone, Debug)]
pub struct LineText<'p> {
    pub modifier: &'p Modifier,
    /// What the label does not say: the choice that it is for, that only the best counts, the
    /// condition where two have the same label.
    pub aside: String,
    pub amount: AmountText,
    /// The whole amount on one line.
    pub in_line: String,
    /// What the value is, as far as the label does not say it.
    pub spelt: Option<String>,
    /// When it counts. Sheets leave it out where the label says it.
    pub when: Option<String>,
}

impl LineText<'_> {
    pub fn label(&self) -> String {
        format!("{}{}", self.modifier.label, self.aside)
    }
}

/// A rule for rolling or drawing again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgainText {
    pub text: String,
    pub when: String,
}

/// An additional result: `If the die shows 6: Shaken.`
#[derive(Clone, Debug)]
pub struct AlsoText<'p> {
    pub also: &'p Also,
    pub result: ResultId,
    before: String,
    title: &'p str,
    after: String,
}

impl AlsoText<'_> {
    /// The sentence, with a mark beside the title of the result.
    pub fn text(&self, mark: &str) -> String {
        format!("{}{}{mark}{}", self.before, self.title, self.after)
    }
}

/// A result with what it means and changes. A result that says nothing beyond its title has no
/// words.
#[derive(Clone, Debug)]
pub struct ResultText<'p> {
    pub landing: &'p ResultBinding,
    pub result: ResultId,
    pub title: &'p str,
    pub means: &'p str,
    pub changes: Vec<ChangeText>,
    /// How bad it is; 0 if the pack does not say.
    pub harm: u8,
}

impl ResultText<'_> {
    /// What it means and changes, in sentences.
    pub fn words(&self) -> String {
        let changes = paragraph(&self.changes);
        let both = [self.means, changes.as_str()];
        both.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// What follows from a row, from all rows, or from an additional result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThenText {
    /// The row or the result.
    pub of: String,
    pub changes: Vec<ChangeText>,
}

impl ThenText {
    /// In sentences.
    pub fn words(&self) -> String {
        paragraph(&self.changes)
    }
}

impl<'p> ChartWords<'p> {
    /// All that the chart says.
    pub fn text(self) -> ChartText<'p> {
        let (pack, chart) = (self.pack, self.chart);
        let read = &chart.read;
        let (mut steps, mut not_shown) = (Vec::new(), Vec::new());
        for step in &chart.steps {
            let text = self.step_text(step);
            match self.left_out(step, &text) {
                Some(why) => not_shown.push(NotShown::new(text.title, why)),
                None => steps.push(text),
            }
        }
        let table = (!read.rows.is_empty()).then(|| self.table());
        let mut then = table.as_ref().map(TableText::then).unwrap_or_default();
        then.extend(read.also.iter().map(|also| {
            let title = &pack.results()[chart.landings[also.landing].result].title;
            let of = if also.label.is_empty() { title } else { &also.label };
            let changes = self.changes(&also.effects, &also.next, None, "");
            ThenText { of: of.to_string(), changes }
        }));
        then.retain(|then| !then.words().is_empty());
        let shifts = read.column.as_ref().map_or(&[][..], |column| column.shift.as_slice());
        ChartText {
            chart,
            option: chart.needs_option,
            each: chart.each.as_ref().map(|each| {
                let role = crate::en::page::parts::role_within(pack, &chart.roles[each.role].id);
                crate::en::page::sheet::for_each(&role, each.random.is_some())
            }),
            steps,
            user_table: read.user_table,
            table,
            shifts: shifts.iter().map(|shift| self.line(shifts, shift, "")).collect(),
            value: self.value(),
            always: self.changes(&read.effects, &read.next, None, ""),
            also: read.also.iter().map(|also| self.also(also)).collect(),
            tallies: self.tallies(),
            results: chart.landings.iter().map(|landing| self.result(landing)).collect(),
            then,
            deck_events: self.deck_events(),
            together: chart.together.as_ref().map(|when| {
                let when = self.formula(when);
                format!("These attacks count at the same time, after all have rolled, if {when}.")
            }),
            notes: self.notes().collect(),
            readings: chart.all_readings(),
            not_shown,
        }
    }

    /// The remarks on the chart: whom it is for, then those of its author.
    fn notes(self) -> impl Iterator<Item = Cow<'p, str>> {
        let only = self.chart.roles.iter().filter_map(|role| role.only.as_ref());
        let only = only.map(|only| Cow::from(format!("Only for {}.", only.label)));
        only.chain(self.chart.notes.iter().map(|note| Cow::from(note.as_str())))
    }

    fn step_text(self, step: &'p Step) -> StepText<'p> {
        let as_written = self.spelling == Spelling::AsWritten;
        let die = super::die_of(step);
        let asked = |slot: &Slot| match self.chart.names[*slot].origin {
            NameSource::Step(place, _) => {
                matches!(self.chart.steps[place].kind, StepKind::Ask(_))
            }
            _ => false,
        };
        let just_asked =
            !as_written && step.when.as_ref().is_some_and(|when| when.slots().iter().all(asked));
        let title = match &step.kind {
            _ if as_written => step.title.to_string(),
            StepKind::Ask(field) => field.label.to_string(),
            _ => capital(if step.title.is_empty() { &step.name } else { &step.title }),
        };
        let lines = step.add.as_slice();
        StepText {
            step,
            title,
            does: self.step(step),
            beside_title: self.beside_title(step),
            when: self.when_of_step(step).filter(|_| !just_asked),
            lines: lines.iter().map(|modifier| self.line(lines, modifier, &die)).collect(),
            again: step
                .again
                .iter()
                .map(|again| AgainText { text: self.again(again), when: self.formula(&again.when) })
                .collect(),
            most: step.most.as_ref().map(|most| self.formula(most)),
            least: step.least.as_ref().map(|least| self.formula(least)),
        }
    }

    /// Why a step is not shown, if it is not.
    fn left_out(self, step: &Step, text: &StepText<'_>) -> Option<&'static str> {
        if !step.on_sheet {
            return Some("the pack keeps it off the sheet");
        }
        let sum = matches!(step.kind, StepKind::WorkOut(_))
            && self.spelling == Spelling::ForPlayers
            && step.text.is_empty();
        if !sum || !step.add.is_empty() {
            return None;
        }
        let of_step = |slot: &Slot| match self.chart.names.get(*slot).map(|name| name.origin) {
            Some(NameSource::Step(place, _)) => self.chart.steps[place].name == step.name,
            _ => false,
        };
        let column = self.chart.read.column.as_ref();
        if column.is_some_and(|column| column.by.slots().iter().any(of_step)) {
            return Some("it finds the column, which the table shows");
        }
        let empty = text.beside_title().is_empty() && !text.has_lines();
        empty.then_some("a number that never changes")
    }

    /// A modifier of a step with this die, among all its modifiers.
    pub(super) fn line(
        self,
        among: &[Modifier],
        modifier: &'p Modifier,
        die: &str,
    ) -> LineText<'p> {
        let amount = self.amount(modifier, die);
        let in_line = self.amount_in_line(modifier, die);
        let best = if modifier.best_of.is_some() { " (only the best)" } else { "" };
        let said = amount.said.is_some();
        if self.spelling == Spelling::AsWritten {
            let when = modifier.when.as_ref().filter(|_| !said);
            let when = when.map(|when| when.text.to_string());
            let spelt = amount.spelt();
            return LineText { modifier, aside: best.to_owned(), amount, in_line, spelt, when };
        }
        let mut when = self.when_of_amount(modifier).filter(|_| !said);
        // Two modifiers with the same label are distinguished by their conditions.
        let twin = among.iter().filter(|other| other.label == modifier.label).count() > 1
            || modifier.label.is_empty();
        let choice = self.choice(modifier).filter(|_| !twin && !said);
        when =
            when.filter(|when| *when != modifier.label.as_str() && choice.as_ref() != Some(when));
        let choice = choice.map_or(String::new(), |choice| format!(" ({choice})"));
        let twin = when.as_ref().filter(|_| twin).map_or(String::new(), |when| format!(": {when}"));
        // Paper has room for the label alone, which stands for the name.
        if let super::AmountValue::Named { name, in_label: false } = &amount.value
            && !said
        {
            let parts = [Some(format!("value = {name}")), when];
            when = Some(parts.into_iter().flatten().collect::<Vec<_>>().join("; "));
        }
        // Words that the label already has are not repeated.
        let label = modifier.label.to_lowercase();
        let spelt = amount.spelt().filter(|words| !said || !label.contains(&words.to_lowercase()));
        LineText { modifier, aside: format!("{choice}{best}{twin}"), amount, in_line, spelt, when }
    }

    fn also(self, also: &'p Also) -> AlsoText<'p> {
        let result = self.chart.landings[also.landing].result;
        let title = self.pack.results()[result].title.as_str();
        let when = also.when.as_ref().map(|when| match also.text.as_str() {
            "" => self.formula(when),
            text => text.to_owned(),
        });
        let (before, after) = match (self.spelling, when, also.label.is_empty()) {
            (Spelling::AsWritten, when, _) => {
                let when = when.map_or(String::new(), |when| format!(" if {when}"));
                ("Also ".to_owned(), when)
            }
            (Spelling::ForPlayers, _, false) => (format!("{}: ", also.label), ".".into()),
            (Spelling::ForPlayers, Some(when), true) => (format!("If {when}: "), ".".into()),
            (Spelling::ForPlayers, None, true) => ("Also: ".to_owned(), ".".into()),
        };
        AlsoText { also, result, before, title, after }
    }

    fn tallies(self) -> Vec<String> {
        let (pack, chart) = (self.pack, self.chart);
        let tallies = chart.each.iter().flat_map(|each| &each.tally);
        let text = tallies.map(|tally| {
            let result = &pack.results()[chart.landings[tally.landing].result].title;
            match self.spelling {
                Spelling::AsWritten => format!(
                    "{}: {result} if {} or more: {}",
                    tally.label,
                    tally.at_least,
                    self.formula(&tally.count)
                ),
                // The label says how many it takes.
                Spelling::ForPlayers => format!("{}: {result}.", tally.label),
            }
        });
        text.collect()
    }

    fn result(self, landing: &'p ResultBinding) -> ResultText<'p> {
        let result = &self.pack.results()[landing.result];
        ResultText {
            landing,
            result: landing.result,
            title: &result.title,
            means: &result.means,
            changes: self.changes_of_result(landing),
            harm: result.harm.map_or(0, Harm::level),
        }
    }
}
