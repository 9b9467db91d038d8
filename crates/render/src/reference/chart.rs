//! One chart as a section: what is rolled, each modifier with its amount, the table, and what
//! follows. Labels say when a modifier counts, as on a printed sheet. Formulas are in players'
//! words, and are shown only where there is nothing else.

use super::chart_table::{form, printed, table};
use super::consequences::{meanings, row_items};
use super::content::Meaning;
use super::model::{Accent, Amount, Item, Part, Section, Tone};
use adjutant_pack::{
    Amount as Much, Chart, Harm, Modifier, NameSource, Pack, ReadingId, ResultId, Slot, Step,
    StepKind, Value, capital,
};
use adjutant_wording::en::{self, ChartWords};

/// The longest formula in words shown with a modifier.
const LONGEST_SPELT: usize = 64;

/// The readings on the sheet: those with a footnote number, in order of appearance, and those of
/// whole charts, by the title of the chart.
#[derive(Default)]
pub(super) struct Numbers {
    pub marked: Vec<ReadingId>,
    pub whole: Vec<(String, Vec<ReadingId>)>,
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
) -> Vec<Section> {
    let attached: Vec<ReadingId> = {
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
    for step in chart.steps.iter().filter(|step| step.on_sheet) {
        step_parts(pack, chart, step, numbers, &mut parts);
    }
    reading_parts(pack, chart, numbers, &mut parts);
    let own: Vec<Meaning> =
        meanings(pack, chart).into_iter().filter(|meaning| !shared.contains(meaning)).collect();
    let items = own.into_iter().map(|(result, text)| Item {
        term: pack.results()[result].title.to_string(),
        text,
        accent: Accent::Harm(harm_of(pack, result)),
        ..Item::default()
    });
    let items: Vec<Item> = items.chain(row_items(pack, chart)).collect();
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
    parts.extend(chart.notes.iter().map(|note| Part::Text(Tone::Note, note.clone())));
    let tag = chart.needs_option.map_or(String::new(), |option| {
        let option = &pack.options()[option];
        let off =
            if option.field.start.is_some_and(Value::is_yes) { "" } else { ", off unless ticked" };
        format!("Option: {}{off}", option.standing.name())
    });
    let accent = phases_of(pack, chart);
    let title = chart.title.to_string();
    let mut sections = vec![Section { title, tag, accent, parts, ..Section::default() }];
    sections.extend(printed(pack, chart));
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
        StepKind::Roll(roll) => say.roll(roll),
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
            if words.chars().count() > LONGEST_SPELT || formula.constant().is_some() {
                String::new()
            } else {
                format!("= {words}")
            }
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
    // A title such as “2d6 against Rep” already says what is rolled.
    let told = step.text.is_empty()
        && !die.is_empty()
        && step.title.contains(&die)
        && !step.title.eq_ignore_ascii_case(&die);
    let roll = [Some(roll).filter(|roll| !roll.is_empty() && !told), when]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ");
    let mut amounts: Vec<Amount> = step
        .add
        .iter()
        .map(|modifier| amount(pack, chart, step, modifier, &die, numbers))
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

fn amount(
    pack: &Pack,
    chart: &Chart,
    step: &Step,
    modifier: &Modifier,
    die: &str,
    numbers: &mut Numbers,
) -> Amount {
    let say = ChartWords::for_players(pack, chart);
    if !modifier.text.is_empty() {
        return said_amount(modifier, die, numbers);
    }
    let formula = modifier.amount.formula();
    let fixed = formula.slots().is_empty();
    let words = say.formula(formula);
    let bare = words.strip_prefix('−').unwrap_or(&words);
    let bare = bare
        .strip_prefix('(')
        .and_then(|inner| inner.strip_suffix(')'))
        .filter(|inner| !inner.contains(['(', ')']))
        .unwrap_or(bare);
    let plain = formula
        .text
        .trim_start_matches('-')
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'));
    let minus = words.starts_with('−');
    let amount = match &modifier.amount {
        _ if fixed => signed(&en::amount_of(modifier, die).0).replace("1/2", "½"),
        Much::Times(_) => "× value".into(),
        Much::Plus(_) => format!("{} value", if minus { '−' } else { '+' }),
        Much::Dice(_) => format!("{} value {die}", if minus { '−' } else { '+' }),
    };
    let short = bare.chars().count() <= LONGEST_SPELT;
    let spelt = if fixed || plain || !short { String::new() } else { format!("value = {bare}") };
    let mut when = modifier.when.as_ref().map_or(String::new(), |when| say.formula(when));
    // Two modifiers with the same label are distinguished by their conditions.
    let twin = step.add.iter().filter(|other| other.label == modifier.label).count() > 1
        || modifier.label.is_empty();
    let choice = say.choice(modifier).filter(|_| !twin);
    if when == modifier.label.as_str() || choice.as_ref() == Some(&when) {
        when.clear();
    }
    let choice = choice.map_or(String::new(), |choice| format!(" ({choice})"));
    if !short {
        when = [when, format!("value = {bare}")]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("; ");
    }
    let best = if modifier.best_of.is_some() { " (only the best)" } else { "" };
    let twin = if twin && !when.is_empty() { format!(": {when}") } else { String::new() };
    Amount {
        label: format!("{}{choice}{best}{twin}{}", modifier.label, numbers.mark(modifier.reading)),
        amount,
        spelt,
        when,
    }
}

/// A modifier in the author's words.
fn said_amount(modifier: &Modifier, die: &str, numbers: &mut Numbers) -> Amount {
    let best = if modifier.best_of.is_some() { " (only the best)" } else { "" };
    let mark = numbers.mark(modifier.reading);
    let amount = signed(&en::amount_of(modifier, die).0).replace("1/2", "½");
    // The author's words below say what the value is.
    let amount = match amount.as_str() {
        "+" | "−" | "×" => format!("{amount} value"),
        _ => amount,
    };
    // Words that the label already has are not repeated.
    let told = modifier.label.to_lowercase().contains(modifier.text.to_lowercase().as_str());
    Amount {
        label: format!("{}{best}{mark}", modifier.label),
        amount,
        spelt: if told { String::new() } else { modifier.text.to_string() },
        when: String::new(),
    }
}

/// The table that the score is read on, and additional results.
fn reading_parts(pack: &Pack, chart: &Chart, numbers: &mut Numbers, parts: &mut Vec<Part>) {
    let say = ChartWords::for_players(pack, chart);
    let read = &chart.read;
    if let Some(user) = read.user_table.map(|table| &pack.user_tables()[table]) {
        if user.filled {
            parts.push(Part::Text(Tone::Note, format!("{}: your own table.", user.title)));
        } else {
            parts.extend(form(pack, user));
        }
    }
    if !read.rows.is_empty() {
        table(pack, chart, numbers, parts);
    }
    if let Some(value) = say.value() {
        let unit = if read.unit.is_empty() { String::new() } else { format!(" ({})", read.unit) };
        parts.push(Part::Text(Tone::Strong, format!("= {}{unit}", capital(&value))));
    }
    for change in say.changes_of_reading() {
        parts.push(Part::Text(Tone::Plain, format!("{}.", capital(&change))));
    }
    for also in &read.also {
        let title = &pack.results()[chart.landings[also.landing].result].title;
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
