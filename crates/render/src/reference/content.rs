//! A pack as a sheet in words: the turn, the charts in printed order, what results and statuses
//! mean, the readings, and the options. What several charts share is written once.

use super::chance_table::{NoTable, table};
use super::chart::{Numbers, chart};
use super::model::{Accent, Item, Part, Section, Sheet, Tone};
use adjutant_dice::Answer;
use adjutant_engine::Stop;
use adjutant_pack::{
    Certainty, Chart, ChartId, DieId, Harm, OptionId, Pack, ReadingId, ResultId, RolledDie,
    RolledKind, StepKind, Value, capital,
};
use adjutant_wording::en::{ChartText, ChartWords, StepText};
use std::collections::BTreeMap;

/// What a sheet shows.
#[derive(Clone, Debug, Default)]
pub struct SheetOptions {
    /// The charts, by index; all if empty.
    pub charts: Vec<ChartId>,
    /// Whether chance tables are shown beside the charts.
    pub odds: bool,
    /// When to stop computing chances. The rest of the sheet is made without them.
    pub stop: Stop,
}

/// The parts of a chart that another program holds in its own form.
pub(crate) struct Held<'a> {
    /// Whether it has a step with its modifiers.
    pub steps: &'a dyn Fn(&StepText<'_>) -> bool,
    /// Whether it has the rows and columns.
    pub table: bool,
}

impl Held<'static> {
    /// Everything is on the sheet.
    pub const NOTHING: Held<'static> = Held { steps: &|_| false, table: false };
}

/// What the sheet says instead of chances that take too long.
const ODDS_LEFT_OUT: &str = "The chances of this chart take too long to compute.";

/// The sheet of a pack.
///
/// ```
/// use adjutant_render::reference::{SheetOptions, markdown, sheet};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
/// let made = sheet(&pack, &SheetOptions::default());
/// assert_eq!(made.sections[1].title, "AP, HE or small-arms fire");
/// assert!(markdown(&made).contains("| Hard cover, hull-down, smoke"));
/// ```
pub fn sheet(pack: &Pack, options: &SheetOptions) -> Sheet {
    sheet_beside(pack, options, &Held::NOTHING)
}

/// The sections of one chart without the parts that another program holds in its own form.
#[cfg(feature = "paper")]
pub(crate) fn beside(pack: &Pack, chart: &Chart, held: &Held<'_>) -> Vec<Section> {
    let charts = pack.chart_id(&chart.id).into_iter().collect();
    let options = SheetOptions { charts, ..SheetOptions::default() };
    let mut made = sheet_beside(pack, &options, held);
    if held.table {
        made.unnumber();
    }
    made.sections
}

fn sheet_beside(pack: &Pack, options: &SheetOptions, held: &Held<'_>) -> Sheet {
    let all = options.charts.is_empty();
    let charts: Vec<&Chart> = match all {
        true => pack.charts().iter().filter(|chart| !pack.lacks_its_deck(chart)).collect(),
        false => options.charts.iter().filter_map(|place| pack.charts().get(*place)).collect(),
    };
    let texts: Vec<ChartText<'_>> =
        charts.iter().map(|chart| ChartWords::for_players(pack, chart).text()).collect();
    let mut numbers = Numbers { daggers: daggers(&texts), ..Numbers::default() };
    let (mut sections, mut odds_left_out) = (Vec::new(), Vec::new());
    if all {
        sections.extend(turn(pack, &mut numbers));
    }
    let shared = shared_results(&texts);
    for text in &texts {
        let known = text.chart;
        sections.extend(chart(pack, text, &shared, &mut numbers, held));
        if options.odds {
            let part = match table(pack, known, &options.stop) {
                Ok(table) => Some(Part::Table(table)),
                Err(NoTable::NotSensible) => None,
                Err(NoTable::TooLong) => {
                    odds_left_out.push(known.title.to_string());
                    Some(Part::Text(Tone::Note, ODDS_LEFT_OUT.into()))
                }
            };
            if let Some(last) =
                sections.iter_mut().rfind(|section| section.title == known.title.as_str())
            {
                last.parts.extend(part);
            }
        }
    }
    sections.extend(results(pack, &shared, &numbers));
    sections.extend(dice(pack, &charts, all));
    if all {
        sections.extend(terms(pack));
        sections.extend(statuses(pack));
        sections.extend(endings(pack));
    }
    sections.extend(options_section(pack, &charts, all));
    sections.extend(readings(pack, &numbers));
    Sheet {
        title: pack.title().to_string(),
        kind: "Quick reference".into(),
        by: pack.by().to_owned(),
        about: pack.about().to_owned(),
        source: if pack.source().is_empty() {
            String::new()
        } else {
            format!("Source: {}", pack.source())
        },
        notice: pack.notice().to_owned(),
        pack: crate::edition(pack.id(), pack.version()),
        facts: adjutant_wording::en::license_and_address(pack),
        sections,
        odds_left_out,
    }
}

fn turn(pack: &Pack, numbers: &mut Numbers) -> Option<Section> {
    if pack.phases().is_empty() {
        return None;
    }
    numbers.whole("Turn", pack.turn_readings().iter().copied());
    let items = (1_u8..).zip(pack.phases()).map(|(number, phase)| {
        let there = phase.charts.iter().map(|chart| &pack.charts()[*chart]);
        let there = there.filter(|chart| !pack.lacks_its_deck(chart));
        let charts: Vec<&str> = there.map(|chart| chart.title.as_str()).collect();
        let charts =
            if charts.is_empty() { String::new() } else { format!(" → {}", charts.join("; ")) };
        let option = phase.needs_option.map_or(String::new(), |option| {
            format!(" (option: {})", pack.options()[option].field.label)
        });
        Item {
            mark: number.to_string(),
            term: phase.title.to_string(),
            text: format!("{}{option}{charts}", phase.text),
            accent: Accent::Phases(vec![number]),
            ..Item::default()
        }
    });
    Some(Section {
        title: "Turn".into(),
        parts: vec![Part::Items(items.collect())],
        ..Section::default()
    })
}

/// A result, and what it means and changes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Meaning {
    result: ResultId,
    words: String,
    harm: u8,
}

impl Meaning {
    pub fn item(&self, pack: &Pack, numbers: &Numbers) -> Item {
        Item {
            term: numbers.title(pack, self.result),
            text: self.words.clone(),
            accent: Accent::Harm(self.harm),
            ..Item::default()
        }
    }
}

/// What each result of a chart means and changes beyond its name, each once.
pub(super) fn meanings(text: &ChartText<'_>) -> Vec<Meaning> {
    let mut list: Vec<Meaning> = Vec::new();
    for result in &text.results {
        let meaning = Meaning { result: result.result, words: result.words(), harm: result.harm };
        if !meaning.words.is_empty() && !list.contains(&meaning) {
            list.push(meaning);
        }
    }
    list
}

/// Meanings that several of these charts share: they are written once.
fn shared_results(texts: &[ChartText<'_>]) -> Vec<Meaning> {
    let mut seen: Vec<(Meaning, usize)> = Vec::new();
    for meaning in texts.iter().flat_map(meanings) {
        match seen.iter_mut().find(|(other, _)| *other == meaning) {
            Some((_, times)) => *times += 1,
            None => seen.push((meaning, 1)),
        }
    }
    seen.into_iter().filter(|(_, times)| *times > 1).map(|(meaning, _)| meaning).collect()
}

/// Marks for results of the same title that do not mean the same, so that a cell of a table and the
/// text about it belong together. A result that says nothing further needs no mark.
fn daggers(texts: &[ChartText<'_>]) -> BTreeMap<ResultId, String> {
    let mut means: BTreeMap<ResultId, (&str, Vec<String>)> = BTreeMap::new();
    for result in texts.iter().flat_map(|text| &text.results) {
        let (_, words) = means.entry(result.result).or_insert((result.title, Vec::new()));
        words.push(result.words());
    }
    for (_, texts) in means.values_mut() {
        texts.retain(|text| !text.is_empty());
        texts.sort_unstable();
        texts.dedup();
    }
    let mut marks = BTreeMap::new();
    for (result, (title, texts)) in &means {
        let twins = || means.iter().filter(|(_, (other, _))| other == title);
        if texts.is_empty() || twins().all(|(_, (_, other))| other == texts) {
            continue;
        }
        let silent = twins().any(|(_, (_, other))| other.is_empty());
        let before =
            twins().filter(|(other, (_, texts))| *other < result && !texts.is_empty()).count();
        let mark = "†".repeat(before + usize::from(silent));
        // After a space, so that a narrow column can break before it.
        marks.extend((!mark.is_empty()).then(|| (*result, format!(" {mark}"))));
    }
    marks
}

fn results(pack: &Pack, shared: &[Meaning], numbers: &Numbers) -> Option<Section> {
    let items = shared.iter().map(|meaning| meaning.item(pack, numbers)).collect();
    (!shared.is_empty()).then(|| Section {
        title: "Results".into(),
        loose: true,
        parts: vec![Part::Items(items)],
        ..Section::default()
    })
}

/// The faces of the pack's own dice that these charts roll.
fn dice(pack: &Pack, charts: &[&Chart], all: bool) -> Option<Section> {
    let rolls = charts.iter().flat_map(|chart| &chart.steps).filter_map(|step| match &step.kind {
        StepKind::Roll(roll) => Some(roll),
        _ => None,
    });
    let rolled = |die: DieId| {
        let is = |kind: &RolledKind| matches!(kind.die, RolledDie::Named(named) if named == die);
        rolls.clone().any(|roll| roll.kinds.iter().any(is))
    };
    let used = pack.dice().iter_enumerated().filter(|(place, _)| all || rolled(*place));
    let item = |die: &adjutant_pack::Die| Item {
        term: die.title.to_string(),
        text: adjutant_wording::en::faces_of(die),
        ..Item::default()
    };
    let used = used.map(|(_, die)| die).filter(|die| die.has_words());
    let items: Vec<Item> = used.map(item).collect();
    (!items.is_empty()).then(|| Section {
        title: "Dice".into(),
        loose: true,
        parts: vec![Part::Items(items)],
        ..Section::default()
    })
}

/// The glossary.
fn terms(pack: &Pack) -> Option<Section> {
    let item = |term: &adjutant_pack::Term| Item {
        term: term.title.to_string(),
        text: term.text.to_string(),
        ..Item::default()
    };
    // A status says itself what it means.
    let told = |term: &&adjutant_pack::Term| {
        pack.statuses().iter().any(|status| status.title.eq_ignore_ascii_case(&term.title))
    };
    let items: Vec<Item> = pack.terms().iter().filter(|term| !told(term)).map(item).collect();
    let some = !items.is_empty();
    let parts = vec![Part::Items(items)];
    some.then(|| Section { title: "Terms".into(), loose: true, parts, ..Section::default() })
}

fn statuses(pack: &Pack) -> Option<Section> {
    let item = |status: &adjutant_pack::Status| {
        let ends = status.ends.map_or(String::new(), |phase| {
            format!(" Ends with the phase {}.", pack.phases()[phase].title)
        });
        Item {
            term: status.title.to_string(),
            text: format!("{}{ends}", status.means),
            accent: Accent::Harm(status.harm.map_or(0, Harm::level)),
            ..Item::default()
        }
    };
    let parts = vec![Part::Items(pack.statuses().iter().map(item).collect())];
    (!pack.statuses().is_empty()).then(|| Section {
        title: "Statuses".into(),
        loose: true,
        parts,
        ..Section::default()
    })
}

fn endings(pack: &Pack) -> Option<Section> {
    let item = |ending: &adjutant_pack::Ending| Item {
        term: ending.title.to_string(),
        text: ending.means.to_string(),
        ..Item::default()
    };
    let parts = vec![Part::Items(pack.endings().iter().map(item).collect())];
    (!pack.endings().is_empty()).then(|| Section {
        title: "It is over when".into(),
        parts,
        ..Section::default()
    })
}

/// The options that these charts use, ticked if they are on by default.
fn options_section(pack: &Pack, charts: &[&Chart], all: bool) -> Option<Section> {
    let used = |place: OptionId| {
        let named = |chart: &Chart| {
            chart
                .other_names
                .iter()
                .any(|(origin, _)| *origin == adjutant_pack::NameSource::Option(place))
        };
        all || charts.iter().any(|chart| chart.needs_option == Some(place) || named(chart))
    };
    let item = |(_, option): (OptionId, &adjutant_pack::PackOption)| {
        let field = &option.field;
        let chosen = match (field.start, &field.default) {
            (Some(Value::YesNo(_)), _) | (_, None) => String::new(),
            (_, Some(Answer::Choice(word))) => {
                let label =
                    field.accepts.words().unwrap_or(&[]).iter().find(|known| known.id == *word);
                format!(
                    " – {}",
                    label.map_or_else(|| word.to_string(), |label| label.label.to_string())
                )
            }
            (_, Some(other)) => format!(" – {other}"),
        };
        let mark = if field.start.is_none_or(|value| value == Value::YesNo(false)) {
            "☐"
        } else {
            "☑"
        };
        let origin =
            if option.origin.is_empty() { String::new() } else { format!(": {}", option.origin) };
        Item {
            mark: mark.into(),
            term: format!("{}{chosen}.", field.label),
            text: format!("{}{origin}", capital(option.standing.name())),
            ..Item::default()
        }
    };
    let items: Vec<Item> =
        pack.options().iter_enumerated().filter(|(place, _)| used(*place)).map(item).collect();
    if items.is_empty() {
        return None;
    }
    let note =
        Part::Text(Tone::Note, "In force where ticked; tick those that you agree on.".into());
    Some(Section {
        title: "Options".into(),
        loose: true,
        parts: vec![note, Part::Items(items)],
        ..Section::default()
    })
}

/// The readings: first by their footnote numbers, then by the charts that they are about. Each
/// says how certain it is, unless it is a plain reading.
fn readings(pack: &Pack, numbers: &Numbers) -> Option<Section> {
    let said = |reading: ReadingId| {
        let reading = &pack.readings()[reading];
        match reading.standing {
            Certainty::Reading => reading.text.to_string(),
            standing => format!("{}. {}", capital(standing.name()), reading.text),
        }
    };
    let marked = (1..).zip(&numbers.marked).map(|(number, reading): (usize, _)| Item {
        mark: number.to_string(),
        text: said(*reading),
        ..Item::default()
    });
    let mut told = numbers.marked.clone();
    let mut items: Vec<Item> = marked.collect();
    for (title, readings) in &numbers.whole {
        let new: Vec<ReadingId> =
            readings.iter().copied().filter(|reading| !told.contains(reading)).collect();
        // Each is an item of its own, so that none is broken between two columns.
        items.extend(new.iter().enumerate().map(|(place, reading)| Item {
            term: if place == 0 { format!("{title}:") } else { String::new() },
            text: said(*reading),
            ..Item::default()
        }));
        told.extend(new);
    }
    if items.is_empty() {
        return None;
    }
    let note = "How this sheet takes what the print leaves open.";
    let parts = vec![Part::Text(Tone::Note, note.into()), Part::Items(items)];
    let title = "Readings in force".into();
    Some(Section { title, loose: true, small: true, parts, ..Section::default() })
}
