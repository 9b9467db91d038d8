//! One chart as a section: what is rolled, each modifier with its amount, the table, and what
//! follows. Labels say when a modifier counts, as on a printed sheet. Formulas are in players'
//! words, and are shown only where there is nothing else.

use super::chart_table::{form, printed, shifts, table};
use super::consequences::{also_items, meanings, row_items};
use super::content::{Held, Meaning};
use super::model::{Accent, Amount, Item, Part, Section, Tone};
use adjutant_pack::{
    Chart, Harm, Modifier, NameSource, Pack, ReadingId, ResultId, Slot, Step, StepKind, Value,
    capital,
};
use adjutant_wording::en::{self, AmountValue, ChartWords};
use std::collections::BTreeMap;

/// The readings on the sheet: those with a footnote number, in order of appearance, and those of
/// whole charts, by the title of the chart.
#[derive(Default)]
pub(super) struct Numbers {
    pub marked: Vec<ReadingId>,
    pub whole: Vec<(String, Vec<ReadingId>)>,
    /// The marks that distinguish results with the same title and other consequences.
    pub daggers: BTreeMap<ResultId, String>,
}

impl Numbers {
    /// The footnote mark of a reading, after the row that it is about. A new one gets the next
    /// number.
    pub fn mark(&mut self, reading: Option<ReadingId>) -> String {
        let Some(reading) = reading else { return String::new() };
        if !self.marked.contains(&reading) {
            self.marked.push(reading);
        }
        let place = self.marked.iter().position(|known| *known == reading).unwrap_or(0);
        // A no-break space keeps the mark with its word.
        format!("\u{a0}{}", raised(place + 1))
    }

    /// The title of a result, with its mark if another result has the same title.
    pub fn title(&self, pack: &Pack, result: ResultId) -> String {
        let dagger = self.daggers.get(&result).map_or("", String::as_str);
        format!("{}{dagger}", pack.results()[result].title)
    }

    /// Readings of a whole chart, or of the turn.
    pub fn whole(&mut self, title: &str, readings: impl Iterator<Item = ReadingId>) {
        let readings: Vec<ReadingId> = readings.collect();
        if !readings.is_empty() {
            self.whole.push((title.to_owned(), readings));
        }
    }
}

fn raised(number: usize) -> String {
    number
        .to_string()
        .chars()
        .filter_map(|c| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(c.to_digit(10)? as usize))
        .collect()
}

/// A number with a true minus sign.
pub(super) fn signed(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    let mut before = ' ';
    for (place, c) in text.char_indices() {
        let number = text[place + c.len_utf8()..].starts_with(|next: char| next.is_ascii_digit());
        out.push(if c == '-' && number && !before.is_alphanumeric() { '−' } else { c });
        before = c;
    }
    out
}

/// The chart. Its table as printed is a section of its own.
pub(super) fn chart(
    pack: &Pack,
    chart: &Chart,
    shared: &[Meaning],
    numbers: &mut Numbers,
    held: &Held<'_>,
) -> Vec<Section> {
    let attached: Vec<ReadingId> = if held.table {
        Vec::new()
    } else {
        let modifiers =
            chart.steps.iter().flat_map(|step| &step.add).filter_map(|modifier| modifier.reading);
        modifiers.chain(chart.read.rows.iter().filter_map(|row| row.reading)).collect()
    };
    let loose = chart.all_readings().into_iter().filter(|reading| !attached.contains(reading));
    numbers.whole(&chart.title, loose);
    let mut parts = Vec::new();
    if !chart.about.is_empty() {
        parts.push(Part::Text(Tone::About, chart.about.to_string()));
    }
    if let Some(each) = &chart.each {
        let words = en::page::sheet::for_each(&chart.roles[each.role].id, each.random.is_some());
        parts.push(Part::Text(Tone::Plain, words));
    }
    for step in chart.steps.iter().filter(|step| step.on_sheet && !(held.steps)(step)) {
        step_parts(pack, chart, step, numbers, &mut parts);
    }
    reading_parts(pack, chart, numbers, held, &mut parts);
    let own: Vec<Meaning> =
        meanings(pack, chart).into_iter().filter(|meaning| !shared.contains(meaning)).collect();
    let items = own.into_iter().map(|(result, text)| Item {
        term: numbers.title(pack, result),
        text,
        accent: Accent::Harm(harm_of(pack, result)),
        ..Item::default()
    });
    let items: Vec<Item> =
        items.chain(row_items(pack, chart)).chain(also_items(pack, chart)).collect();
    if !items.is_empty() {
        parts.push(Part::Items(items));
    }
    let say = ChartWords::for_players(pack, chart);
    parts.extend(say.deck_events().into_iter().map(|text| Part::Text(Tone::Note, text + ".")));
    // An author who explains it in notes says it better than the condition in words.
    if let Some(together) = chart.together.as_ref().filter(|_| chart.notes.is_empty()) {
        let when = ChartWords::for_players(pack, chart).formula(together);
        parts.push(Part::Text(
            Tone::Note,
            format!("These attacks count at the same time, after all have rolled, if {when}."),
        ));
    }
    parts.extend(en::chart_notes(chart).map(|note| Part::Text(Tone::Note, note.into_owned())));
    let tag = chart.needs_option.map_or(String::new(), |option| {
        let option = &pack.options()[option];
        let off =
            if option.field.start.is_some_and(Value::is_yes) { "" } else { ", off unless ticked" };
        format!("Option: {}{off}", option.standing.name())
    });
    let accent = phases_of(pack, chart);
    let title = chart.title.to_string();
    let mut sections = vec![Section { title, tag, accent, parts, ..Section::default() }];
    sections.extend(printed(pack, chart).filter(|_| !held.table));
    sections
}

/// The phases of the turn in which a chart is rolled, from 1.
fn phases_of(pack: &Pack, chart: &Chart) -> Accent {
    let here = |charts: &[adjutant_pack::ChartId]| {
        charts.iter().any(|place| pack.charts()[*place].id == chart.id)
    };
    let phases: Vec<u8> =
        (1..).zip(pack.phases()).filter(|(_, phase)| here(&phase.charts)).map(|(n, _)| n).collect();
    if phases.is_empty() { Accent::None } else { Accent::Phases(phases) }
}

/// How bad a result is; 0 if the pack does not say.
pub(super) fn harm_of(pack: &Pack, result: ResultId) -> u8 {
    pack.results()[result].harm.map_or(0, Harm::level)
}

/// What a step does; `None` if it only finds the column, which the table shows.
fn step_words(pack: &Pack, chart: &Chart, step: &Step) -> Option<String> {
    let say = ChartWords::for_players(pack, chart);
    if !step.text.is_empty() {
        return Some(step.text.to_string());
    }
    Some(match &step.kind {
        StepKind::Roll(_) => say.rolled(step).unwrap_or_default(),
        StepKind::Draw(draw) => say.draw(draw, ""),
        StepKind::Ask(field) => match field.accepts.words() {
            Some(words) => {
                words.iter().map(|word| word.label.as_str()).collect::<Vec<_>>().join(", ")
            }
            None => adjutant_wording::en::accepted(&field.accepts),
        },
        StepKind::LookUp(look_up) => {
            let title = &pack.charts()[look_up.chart].title;
            match &look_up.times {
                Some(series) => format!("see {title}{}", say.series(series)),
                None => format!("see {title}"),
            }
        }
        StepKind::WorkOut(formula) => {
            let words = signed(&say.formula(formula));
            let column = chart.read.column.as_ref().is_some_and(|column| {
                let name = |slot: &Slot| chart.names.get(*slot).map(|name| name.origin);
                column
                    .by
                    .slots()
                    .iter()
                    .filter_map(name)
                    .any(|origin| matches!(origin, NameSource::Step(place, _) if chart.steps[place].name == step.name))
            });
            if column && step.add.is_empty() {
                return None;
            }
            if formula.constant().is_some() { String::new() } else { format!("= {words}") }
        }
    })
}

fn step_parts(
    pack: &Pack,
    chart: &Chart,
    step: &Step,
    numbers: &mut Numbers,
    parts: &mut Vec<Part>,
) {
    let say = ChartWords::for_players(pack, chart);
    let die = en::die_of(step);
    let Some(roll) = step_words(pack, chart, step) else { return };
    // Whether the player wants to choose instead of roll is asked just before.
    let chosen = |slot: &Slot| matches!(chart.names[*slot].origin, NameSource::Step(place, _) if matches!(chart.steps[place].kind, StepKind::Ask(_)));
    let told_before = step.when.as_ref().is_some_and(|when| when.slots().iter().all(chosen));
    let when = say.when_of_step(step).filter(|_| !told_before).map(|when| format!("if {when}"));
    let title = match &step.kind {
        StepKind::Ask(field) => field.label.to_string(),
        _ => capital_or(&step.title, &step.name),
    };
    let roll = [Some(roll).filter(|roll| !roll.is_empty()), when]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ");
    let mut amounts: Vec<Amount> = step
        .add
        .iter()
        .map(|modifier| amount(pack, chart, step.add.as_slice(), modifier, &die, numbers))
        .collect();
    for again in &step.again {
        let label = say.again(again);
        let when = say.formula(&again.when);
        amounts.push(Amount { label, amount: "again".into(), when, ..Amount::default() });
    }
    for (word, limit) in [("At most", &step.most), ("At least", &step.least)] {
        if let Some(limit) = limit {
            let amount = signed(&say.formula(limit));
            amounts.push(Amount { label: word.into(), amount, ..Amount::default() });
        }
    }
    // A sum that says nothing about itself would be an empty heading.
    if matches!(step.kind, StepKind::WorkOut(_)) && roll.is_empty() && amounts.is_empty() {
        return;
    }
    parts.push(Part::Step { title, roll });
    if !amounts.is_empty() {
        parts.push(Part::Amounts(amounts));
    }
}

fn capital_or(title: &str, name: &str) -> String {
    capital(if title.is_empty() { name } else { title })
}

pub(super) fn amount(
    pack: &Pack,
    chart: &Chart,
    among: &[Modifier],
    modifier: &Modifier,
    die: &str,
    numbers: &mut Numbers,
) -> Amount {
    let say = ChartWords::for_players(pack, chart);
    let text = say.amount(modifier, die);
    let said = text.said.is_some();
    let mut when = say.when_of_amount(modifier).filter(|_| !said).unwrap_or_default();
    // Two modifiers with the same label are distinguished by their conditions.
    let twin = among.iter().filter(|other| other.label == modifier.label).count() > 1
        || modifier.label.is_empty();
    let choice = say.choice(modifier).filter(|_| !twin && !said);
    if when == modifier.label.as_str() || choice.as_ref() == Some(&when) {
        when.clear();
    }
    let choice = choice.map_or(String::new(), |choice| format!(" ({choice})"));
    let best = if modifier.best_of.is_some() { " (only the best)" } else { "" };
    let twin = if twin && !when.is_empty() { format!(": {when}") } else { String::new() };
    // Paper has room for the label alone, which stands for the name.
    if let AmountValue::Named { name, in_label: false } = &text.value
        && !said
    {
        let rest = Some(when).filter(|when| !when.is_empty());
        when = [Some(format!("value = {name}")), rest]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("; ");
    }
    // Words that the label already has are not repeated.
    let label = modifier.label.to_lowercase();
    let spelt = text.spelt().filter(|words| !said || !label.contains(&words.to_lowercase()));
    Amount {
        label: format!("{}{choice}{best}{twin}{}", modifier.label, numbers.mark(modifier.reading)),
        amount: text.figure("value"),
        spelt: spelt.unwrap_or_default(),
        when,
    }
}

/// The table that the score is read on, and additional results.
fn reading_parts(
    pack: &Pack,
    chart: &Chart,
    numbers: &mut Numbers,
    held: &Held<'_>,
    parts: &mut Vec<Part>,
) {
    let say = ChartWords::for_players(pack, chart);
    let read = &chart.read;
    if let Some(user) = read.user_table.map(|table| &pack.user_tables()[table]) {
        if user.filled {
            parts.push(Part::Text(Tone::Note, format!("{}: your own table.", user.title)));
        } else {
            parts.extend(form(pack, user));
        }
    }
    if !read.rows.is_empty() && !held.table {
        table(pack, chart, numbers, parts);
    }
    parts.extend(shifts(pack, chart, numbers));
    if let Some(value) = say.value() {
        let unit = if read.unit.is_empty() { String::new() } else { format!(" ({})", read.unit) };
        parts.push(Part::Text(Tone::Strong, format!("= {}{unit}", capital(&value))));
    }
    for change in say.changes_of_reading() {
        parts.push(Part::Text(Tone::Plain, format!("{}.", capital(&change))));
    }
    for also in &read.also {
        let title = numbers.title(pack, chart.landings[also.landing].result);
        let label = if also.label.is_empty() {
            say.when_of_also(also).map_or("Also".into(), |when| format!("If {when}"))
        } else {
            also.label.to_string()
        };
        parts.push(Part::Text(
            Tone::Plain,
            format!("{label}: {title}.{}", numbers.mark(also.reading)),
        ));
    }
    for tally in chart.each.iter().flat_map(|each| &each.tally) {
        let result = &pack.results()[chart.landings[tally.landing].result].title;
        parts.push(Part::Text(Tone::Plain, format!("{}: {result}.", tally.label)));
    }
}
