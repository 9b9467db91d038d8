//! One chart as a section: what is rolled, each modifier with its amount, the table, and what
//! follows. Labels say when a modifier counts, as on a printed sheet. Formulas are in players'
//! words, and are shown only where there is nothing else.

use super::chart_table::{form, printed, table};
use super::content::{Held, Meaning, meanings};
use super::model::{Accent, Amount, Item, Part, Section, Tone};
use adjutant_pack::{Chart, Pack, ReadingId, ResultId, Value, capital};
use adjutant_wording::en::page::sheet::COLUMNS_TO_THE_RIGHT;
use adjutant_wording::en::{ChartText, LineText, StepText, sentences};
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

    /// The mark of a result, if another result has the same title.
    pub fn dagger(&self, result: ResultId) -> &str {
        self.daggers.get(&result).map_or("", String::as_str)
    }

    /// The title of a result, with its mark.
    pub fn title(&self, pack: &Pack, result: ResultId) -> String {
        format!("{}{}", pack.results()[result].title, self.dagger(result))
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

/// The chart. Its table as printed is a section of its own.
pub(super) fn chart(
    pack: &Pack,
    text: &ChartText<'_>,
    shared: &[Meaning],
    numbers: &mut Numbers,
    held: &Held<'_>,
) -> Vec<Section> {
    let chart = text.chart;
    let attached: Vec<ReadingId> = if held.table {
        Vec::new()
    } else {
        let modifiers =
            chart.steps.iter().flat_map(|step| &step.add).filter_map(|modifier| modifier.reading);
        modifiers.chain(chart.read.rows.iter().filter_map(|row| row.reading)).collect()
    };
    let loose = text.readings.iter().copied().filter(|reading| !attached.contains(reading));
    numbers.whole(&chart.title, loose);
    let mut parts = Vec::new();
    if !chart.about.is_empty() {
        parts.push(Part::Text(Tone::About, chart.about.to_string()));
    }
    parts.extend(text.each.clone().map(|each| Part::Text(Tone::Plain, each)));
    for step in text.steps.iter().filter(|step| !(held.steps)(step)) {
        step_parts(step, numbers, &mut parts);
    }
    reading_parts(pack, text, numbers, held, &mut parts);
    let own = meanings(text).into_iter().filter(|meaning| !shared.contains(meaning));
    let mut items: Vec<Item> = own.map(|meaning| meaning.item(pack, numbers)).collect();
    items.extend(text.then.iter().map(|then| Item {
        term: then.of.clone(),
        text: then.words(),
        ..Item::default()
    }));
    if !items.is_empty() {
        parts.push(Part::Items(items));
    }
    let note = |text: String| Part::Text(Tone::Note, text);
    parts.extend(text.deck_events.iter().map(|event| note(format!("{event}."))));
    // An author who explains it in notes says it better than the condition in words.
    parts.extend(text.together.clone().filter(|_| chart.notes.is_empty()).map(note));
    parts.extend(text.notes.iter().map(|text| note(text.to_string())));
    let tag = text.option.map_or(String::new(), |option| {
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

fn step_parts(step: &StepText<'_>, numbers: &mut Numbers, parts: &mut Vec<Part>) {
    let mut amounts: Vec<Amount> = step.lines.iter().map(|line| amount(line, numbers)).collect();
    amounts.extend(step.again.iter().map(|again| Amount {
        label: again.text.clone(),
        amount: "again".into(),
        when: again.when.clone(),
        ..Amount::default()
    }));
    for (word, limit) in [("At most", &step.most), ("At least", &step.least)] {
        amounts.extend(limit.iter().map(|limit| Amount {
            label: word.into(),
            amount: limit.clone(),
            ..Amount::default()
        }));
    }
    parts.push(Part::Step { title: step.title.clone(), roll: step.beside_title() });
    if !amounts.is_empty() {
        parts.push(Part::Amounts(amounts));
    }
}

fn amount(line: &LineText<'_>, numbers: &mut Numbers) -> Amount {
    Amount {
        label: format!("{}{}", line.label(), numbers.mark(line.modifier.reading)),
        amount: line.amount.figure("value"),
        spelt: line.spelt.clone().unwrap_or_default(),
        when: line.when.clone().unwrap_or_default(),
    }
}

/// The table that the score is read on, and additional results.
fn reading_parts(
    pack: &Pack,
    text: &ChartText<'_>,
    numbers: &mut Numbers,
    held: &Held<'_>,
    parts: &mut Vec<Part>,
) {
    if let Some(user) = text.user_table.map(|table| &pack.user_tables()[table]) {
        if user.filled {
            parts.push(Part::Text(Tone::Note, format!("{}: your own table.", user.title)));
        } else {
            parts.extend(form(pack, user));
        }
    }
    if let Some(rows) = text.table.as_ref().filter(|_| !held.table) {
        table(rows, numbers, parts);
    }
    if !text.shifts.is_empty() {
        parts.push(Part::Step { title: COLUMNS_TO_THE_RIGHT.into(), roll: String::new() });
        parts.push(Part::Amounts(text.shifts.iter().map(|line| amount(line, numbers)).collect()));
    }
    if let Some(value) = &text.value {
        let unit = text.chart.read.unit.as_str();
        let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
        parts.push(Part::Text(Tone::Strong, format!("= {}{unit}", capital(value))));
    }
    let plain = |text: String| Part::Text(Tone::Plain, text);
    parts.extend(sentences(&text.always).into_iter().map(plain));
    for also in &text.also {
        let mark = numbers.mark(also.also.reading);
        parts.push(plain(format!("{}{mark}", also.text(numbers.dagger(also.result)))));
    }
    parts.extend(text.tallies.iter().cloned().map(plain));
}
