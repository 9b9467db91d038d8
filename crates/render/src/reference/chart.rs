//! One chart as a section: what is rolled, each modifier with its amount, the table, and what
//! follows. Labels say when a modifier counts, as on a printed sheet. Formulas are in players'
//! words, and are shown only where there is nothing else.

use super::content::Meaning;
use super::model::{Accent, Amount, Item, Part, Section, Table, Tone};
use adjutant_engine::printed_cells;
use adjutant_pack::{
    Amount as Much, Cell, Chart, ColumnId, EffectKind, EffectRule, FollowUpRule, Formula, Harm,
    Modifier, NameSource, Pack, ReadingId, Relation, ResultBinding, ResultId, RoleId, Row, RowId,
    Slot, Step, StepKind, UserTable, Value, capital,
};
use adjutant_wording::en::{self, ChartWords};

/// The longest formula in words shown with a modifier.
const LONGEST_SPELT: usize = 64;
/// The longest score that heads a column. A longer one is above the table.
const LONGEST_HEAD: usize = 26;
/// The number of rows of a form to fill in by hand.
const FORM_LINES: usize = 7;

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
    fn mark(&mut self, reading: Option<ReadingId>) -> String {
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
    if let Some(together) = &chart.together {
        let when = ChartWords::for_players(pack, chart).formula(together);
        parts.push(Part::Text(
            Tone::Note,
            format!("Effects of attacks declared together land together if {when}."),
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

/// The author's words as a sentence.
fn sentence(text: &str) -> String {
    format!("{}.", capital(text.trim_end_matches('.')))
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
    Amount {
        label: format!("{}{best}{mark}", modifier.label),
        amount,
        spelt: modifier.text.to_string(),
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
            say.when_of_also(also).map_or(String::new(), |when| format!(", if {when}"))
        } else {
            format!(": {}", also.label)
        };
        parts.push(Part::Text(
            Tone::Plain,
            format!("Also {title}{label}.{}", numbers.mark(also.reading)),
        ));
    }
    for tally in chart.each.iter().flat_map(|each| &each.tally) {
        let result = &pack.results()[chart.landings[tally.landing].result].title;
        parts.push(Part::Text(Tone::Plain, format!("{}: {result}.", tally.label)));
    }
}

/// The column chosen by an option, if an option chooses: only that one applies.
fn column_in_force(pack: &Pack, chart: &Chart) -> Option<ColumnId> {
    let column = chart.read.column.as_ref()?;
    let [slot] = column.by.slots().try_into().ok()?;
    let NameSource::Option(option) = chart.names.get(slot)?.origin else { return None };
    column.place(pack.options()[option].field.start?)
}

/// Whether a table of several columns holds nothing but numbers of one unit, which then stands above
/// it and not in every cell.
fn numbers_alone(chart: &Chart) -> bool {
    let cells = || chart.read.rows.iter().flat_map(|row| &row.cells);
    let number = |cell: &Cell| cell.landing.is_none() && cell.label.is_empty();
    !chart.read.unit.is_empty()
        && chart.read.rows.iter().any(|row| row.cells.len() > 2)
        && cells().all(number)
}

fn table(pack: &Pack, chart: &Chart, numbers: &mut Numbers, parts: &mut Vec<Part>) {
    let read = &chart.read;
    let forced = column_in_force(pack, chart);
    let several = forced.is_none() && read.rows.iter().any(|row| row.cells.len() > 1);
    let mut head = match ChartWords::for_players(pack, chart).score() {
        Some(score) if !read.by_conditions() => capital(&score),
        _ if read.by_conditions() => "When".to_owned(),
        _ => "Score".to_owned(),
    };
    if head.chars().count() > LONGEST_HEAD {
        if !matches!(&read.score, Some(score) if score.text.contains("if(")) {
            parts.push(Part::Text(Tone::Plain, format!("Score = {head}")));
        }
        head = "Score".into();
    }
    let mut made = Table { heads: vec![head], ..Table::default() };
    match read.column.as_ref().filter(|_| several) {
        Some(column) => {
            made.across = ChartWords::for_players(pack, chart).column(column);
            if numbers_alone(chart) {
                made.across = match made.across.as_str() {
                    "" => capital(&read.unit),
                    across => format!("{across} ({})", read.unit),
                };
            }
            made.heads.extend(column.heads.iter().map(|head| capital(head)));
        }
        None => made.heads.push("Result".into()),
    }
    let say_role = !chart.one_role();
    for (place, row) in read.rows.iter_enumerated() {
        let mut cells =
            vec![format!("{}{}", row_words(pack, chart, row, place), numbers.mark(row.reading))];
        match forced.filter(|_| row.cells.len() > 1).and_then(|forced| row.cells.get(forced)) {
            Some(cell) => cells.push(cell_words(pack, chart, cell, say_role)),
            None => {
                cells.extend(row.cells.iter().map(|cell| cell_words(pack, chart, cell, say_role)))
            }
        }
        let harm = |cell: &Cell| {
            cell.landing.map_or(0, |landing| harm_of(pack, chart.landings[landing].result))
        };
        let shown = forced.filter(|_| row.cells.len() > 1).and_then(|forced| row.cells.get(forced));
        made.harm.push(match shown {
            Some(cell) => vec![0, harm(cell)],
            None => std::iter::once(0).chain(row.cells.iter().map(harm)).collect(),
        });
        made.rows.push(cells);
    }
    // A single row that always applies is a sentence.
    if let [only] = made.rows.as_slice()
        && let ([_, cell], true) = (only.as_slice(), read.by_conditions())
    {
        parts.push(Part::Text(Tone::Strong, format!("= {cell}")));
    } else {
        parts.push(Part::Table(made));
    }
    let shifts = |column| ChartWords::for_players(pack, chart).shifts(column);
    if let Some(shifts) = read.column.as_ref().and_then(shifts) {
        parts.push(Part::Text(Tone::Plain, shifts));
    }
}

/// A row's condition: its label with its band, or the word.
pub(super) fn row_words(pack: &Pack, chart: &Chart, row: &Row, place: RowId) -> String {
    if !row.text.is_empty() {
        return row.text.to_string();
    }
    let say = ChartWords::for_players(pack, chart);
    let band = row.ends_in_words(&|formula| say.formula(formula)).map(|ends| signed(&ends));
    if let Some(page) = &row.page {
        let heading = row.is_word.map(|word| pack.words().text(word).to_owned()).or(band);
        return format!("{}: {}", capital(page), heading.unwrap_or_default());
    }
    if !row.label.is_empty() {
        return match band {
            Some(band) if !row.label.contains(band.as_str()) => format!("{} ({band})", row.label),
            _ => row.label.to_string(),
        };
    }
    if let Some(word) = row.is_word {
        let text = pack.words().text(word);
        let slots = chart.read.score.as_ref().map(Formula::slots).unwrap_or_default();
        let words = slots.first().and_then(|slot| match chart.names.get(*slot)?.origin {
            NameSource::Input(input) => chart.inputs[input].field.accepts.words(),
            NameSource::Step(step, adjutant_pack::Facet::Field(field)) => {
                match &chart.steps[step].kind {
                    StepKind::Draw(draw) => pack.decks()[draw.deck].fields[field].kind.words(),
                    _ => None,
                }
            }
            _ => None,
        });
        let label = words
            .and_then(|words| words.iter().find(|known| known.id == text))
            .map(|known| known.label.to_string());
        return label.unwrap_or_else(|| text.to_owned());
    }
    let when = row.own_when.as_ref().map(|when| say.formula(when));
    match (band, when) {
        (Some(band), Some(when)) => format!("{band}, if {when}"),
        (Some(band), None) => band,
        (None, Some(when)) => capital(&when),
        (None, None) if place > RowId::FIRST => "Otherwise".into(),
        (None, None) => "Always".into(),
    }
}

fn cell_words(pack: &Pack, chart: &Chart, cell: &Cell, say_role: bool) -> String {
    let mut parts = Vec::new();
    if let Some(landing) = cell.landing.map(|landing| &chart.landings[landing]) {
        let on = landing
            .on
            .filter(|_| say_role)
            .map_or(String::new(), |role| format!(" ({})", chart.roles[role].id));
        parts.push(format!("{}{on}", pack.results()[landing.result].title));
    }
    if !cell.label.is_empty() {
        parts.push(cell.label.to_string());
    } else if let Some(value) = &cell.value {
        let fixed = value.constant().is_some() && !parts.is_empty();
        let value = signed(&ChartWords::for_players(pack, chart).formula(value));
        // “kill {value}” goes with the result: “1-2 (kill 4)”.
        if chart.read.says.contains("{value}") && fixed {
            return format!(
                "{} ({})",
                parts.join(", "),
                chart.read.says.replace("{value}", &value)
            );
        }
        parts.push(match chart.read.unit.as_str() {
            "" => value,
            _ if numbers_alone(chart) => value,
            unit => format!("{value} {unit}"),
        });
    }
    if let Some(step) = cell.result_of {
        parts.push(format!("as {}", chart.steps[step].title));
    }
    parts.join(", ")
}

/// What each result means and changes beyond its name, each once.
pub(super) fn meanings(pack: &Pack, chart: &Chart) -> Vec<Meaning> {
    let mut told: Vec<Meaning> = Vec::new();
    for landing in &chart.landings {
        let meaning = (landing.result, landing_words(pack, chart, landing));
        if !meaning.1.is_empty() && !told.contains(&meaning) {
            told.push(meaning);
        }
    }
    told
}

fn landing_words(pack: &Pack, chart: &Chart, landing: &ResultBinding) -> String {
    let outcome = &pack.results()[landing.result];
    let mut sentences: Vec<String> =
        Some(outcome.means.to_string()).filter(|means| !means.is_empty()).into_iter().collect();
    for effect in &landing.effects {
        sentences.extend(effect_words(
            pack,
            chart,
            effect,
            landing.on,
            &format!("{} {}", outcome.title, outcome.means),
        ));
    }
    // A change of a value by a word is one effect for each word, with the same text.
    sentences.dedup();
    for next in &landing.next {
        sentences.push(next_words(pack, next));
    }
    for instead in &landing.instead {
        if !instead.text.is_empty() {
            sentences.push(sentence(&instead.text));
            continue;
        }
        let other = &pack.results()[chart.landings[instead.landing].result].title;
        sentences.push(format!(
            "{other} instead if {}.",
            ChartWords::for_players(pack, chart).formula(&instead.when)
        ));
    }
    sentences.dedup();
    sentences.join(" ")
}

/// What changes, unless the result's name already says it.
fn effect_words(
    pack: &Pack,
    chart: &Chart,
    effect: &EffectRule,
    on: Option<RoleId>,
    title: &str,
) -> Option<String> {
    if !effect.text.is_empty() {
        return Some(sentence(&effect.text));
    }
    let who = effect.on.filter(|role| {
        effect.on != on && chart.roles.len() > 1 && chart.roles.get(*role).is_some()
    });
    let with_it = match &effect.nth {
        Some(nth) => {
            let nth = ChartWords::for_players(pack, chart).formula(nth);
            format!(", unit {nth} of its group")
        }
        None if effect.all => " and all with it".to_owned(),
        None => String::new(),
    };
    let who = who.map_or(String::new(), |role| format!("{}{with_it}: ", chart.roles[role].id));
    let named = |id: &str| {
        let fields = effect
            .on
            .and_then(|role| chart.roles.get(role))
            .map(|role| &pack.kinds()[role.kind].has);
        fields
            .and_then(|has| has.iter().find(|field| field.id == id))
            .map_or_else(|| id.to_owned(), |field| field.label.to_string())
    };
    let words = ChartWords::for_players(pack, chart);
    let say = |formula: &Formula| signed(&words.formula(formula));
    let said =
        |words: &str| title.to_lowercase().contains(&words.to_lowercase()) && effect.when.is_none();
    let what = match &effect.kind {
        EffectKind::Status(status) | EffectKind::Lift(status)
            if said(&pack.statuses()[*status].title) =>
        {
            return None;
        }
        EffectKind::Status(status) => format!("Now {}", pack.statuses()[*status].title),
        EffectKind::Lift(status) => format!("No longer {}", pack.statuses()[*status].title),
        EffectKind::Set(name, to) => format!("{} becomes {}", named(name), say(to)),
        EffectKind::Add(name, by) => match say(by) {
            less if less.starts_with('−') => format!("{} {less}", named(name)),
            more => format!("{} +{more}", named(name)),
        },
        EffectKind::Remember(..) | EffectKind::RememberMore(..) => return None,
        EffectKind::Leaves(text) if said(text) => return None,
        EffectKind::Leaves(text) => format!("Leaves the game, {text}"),
        EffectKind::Appear(new) => {
            let kind = &pack.kinds()[new.kind].title;
            match (new.count.constant(), say(&new.count).as_str()) {
                (Some(_), count) => format!("{count} × {kind} appear"),
                (None, "value") => format!("New units ({kind}): as many as the value"),
                (None, count) => format!("New units ({kind}): as many as {count}"),
            }
        }
        EffectKind::Reshuffle(deck) => format!("Reshuffle {}", pack.decks()[*deck].title),
        EffectKind::Note(text) => text.trim_end_matches('.').to_owned(),
    };
    // That a status ends only if it was there goes without saying.
    let lifts = matches!(effect.kind, EffectKind::Lift(_));
    let when = effect
        .when
        .as_ref()
        .filter(|_| !lifts)
        .map_or(String::new(), |when| format!(" if {}", words.formula(when)));
    Some(format!("{who}{what}{when}."))
}

fn next_words(pack: &Pack, next: &FollowUpRule) -> String {
    if !next.text.is_empty() {
        return format!("→ {}", next.text);
    }
    let title = &pack.charts()[next.chart].title;
    let who = next.others.as_ref().map_or("", |others| match others.relation {
        Relation::All => ", all",
        Relation::Group => ", the group",
        Relation::Side => ", the side",
        Relation::Enemy => ", the enemy",
    });
    let why = if next.why.is_empty() { String::new() } else { format!(" ({})", next.why) };
    let words = next.times.as_ref().and_then(|series| series.words);
    let times = next.times.as_ref().and_then(|series| series.times.constant());
    let times = match (words, times.and_then(Value::number)) {
        (Some(list), _) => format!(" for each of {}", pack.lists()[list].titles()),
        (None, Some(times)) => format!(" × {times}"),
        (None, None) => String::new(),
    };
    format!("→ {title}{times}{who}{why}")
}

/// What follows from rows beyond their results; written once if all rows have the same.
fn row_items(pack: &Pack, chart: &Chart) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for (place, row) in chart.read.rows.iter_enumerated() {
        let Some(cell) =
            row.cells.iter().find(|cell| !cell.effects.is_empty() || !cell.next.is_empty())
        else {
            continue;
        };
        let same = |one: &EffectKind, other: &EffectKind| {
            std::mem::discriminant(one) == std::mem::discriminant(other)
        };
        let own = cell.landing.map_or(&[][..], |landing| &chart.landings[landing].effects);
        // That others suffer the same as the unit is already in the result's text.
        let more = cell
            .effects
            .iter()
            .filter(|effect| !effect.all || !own.iter().any(|own| same(&own.kind, &effect.kind)));
        let effects = more.filter_map(|effect| effect_words(pack, chart, effect, None, ""));
        let mut parts: Vec<String> =
            effects.chain(cell.next.iter().map(|next| next_words(pack, next))).collect();
        parts.dedup();
        let text = parts.join(" ");
        let words = row_words(pack, chart, row, place);
        let result = cell
            .landing
            .map(|landing| pack.results()[chart.landings[landing].result].title.to_string());
        let term = if words.chars().count() > 40 { result.unwrap_or(words) } else { words };
        if !text.is_empty() && !items.iter().any(|item| item.term == term && item.text == text) {
            items.push(Item { term, text, ..Item::default() });
        }
    }
    match items.as_slice() {
        [first, _, ..]
            if items.iter().all(|item| item.text == first.text)
                && items.len() == chart.read.rows.len() =>
        {
            vec![Item { term: "Then".into(), text: first.text.clone(), ..Item::default() }]
        }
        _ => items,
    }
}

/// A table that is only in the rule book: a form to copy it into.
fn form(pack: &Pack, user: &UserTable) -> Vec<Part> {
    let results: Vec<&str> =
        user.results.iter().map(|result| pack.results()[*result].title.as_str()).collect();
    let heads = match user.columns.as_slice() {
        [] => vec!["Score".to_owned(), "Result".to_owned()],
        columns => std::iter::once("Score".to_owned())
            .chain(columns.iter().map(|column| capital(column)))
            .collect(),
    };
    let place = if user.place.is_empty() { String::new() } else { format!(" {}", user.place) };
    let note = format!("It may say: {}.{place}", results.join(", "));
    let rows = vec![vec![String::new(); heads.len()]; FORM_LINES];
    let caption = format!("{}: yours to fill in", user.title);
    vec![
        Part::Table(Table { caption, heads, rows, form: true, ..Table::default() }),
        Part::Text(Tone::Note, note),
    ]
}

/// The table as printed, computed by the rule. A star marks where the print differs.
fn printed(pack: &Pack, chart: &Chart) -> Option<Section> {
    let sheet = chart.printed.as_ref()?;
    let cells = printed_cells(pack, chart);
    let columns = sheet.heads.len();
    let (down, across) =
        (&chart.inputs[sheet.down].field.label, &chart.inputs[sheet.across].field.label);
    let departs = cells.iter().filter(|cell| cell.departs()).count();
    let shown = |cell: &adjutant_engine::PrintedCell| {
        format!("{}{}", cell.computed, if cell.departs() { "*" } else { "" })
    };
    let rows = sheet.rows.iter().enumerate().map(|(place, (value, _))| {
        let row = cells.get(place * columns..(place + 1) * columns).unwrap_or(&[]);
        std::iter::once(value.to_string()).chain(row.iter().map(shown)).collect()
    });
    let heads =
        std::iter::once(String::new()).chain(sheet.heads.iter().map(ToString::to_string)).collect();
    let mut parts = vec![Part::Text(
        Tone::About,
        format!("{down} down, {across} across; by the rule of the chart."),
    )];
    parts.push(Part::Table(Table { heads, rows: rows.collect(), grid: true, ..Table::default() }));
    if departs > 0 {
        let note = format!(
            "* {departs} of {} cells stand otherwise in the printed table, against its own rule.",
            cells.len()
        );
        parts.push(Part::Text(Tone::Note, note));
    }
    Some(Section { title: format!("{}: the table", chart.title), parts, ..Section::default() })
}
