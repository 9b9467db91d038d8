//! One event of a report: the outcome first, the arithmetic after it. The sentences are those of
//! the log.

use super::PlayTold;
use crate::en;
use crate::en::log::Words;
use adjutant_dice::Answer;
use adjutant_engine::{ModifierKind, ModifierLine, Resolution, RollKind, RollStep, Step};
use adjutant_game::{Event, EventKind, PlayRecord, unit_of_member};
use adjutant_pack::{Field, Pack, Value};

/// One event of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The number of the event.
    pub n: u64,
    /// The time, as recorded in the log.
    pub at: String,
    /// The player who acted.
    pub by: String,
    /// The side of the unit that a play is about; `None` for plays of no side and for other events.
    pub side: Option<String>,
    /// The kind of entry.
    pub kind: EntryKind,
    /// The outcome: the result of a play, the text of a remark, else the whole sentence.
    pub outcome: String,
    /// The chart and its units.
    pub what: String,
    /// Why the chart was rolled, if another result caused it.
    pub why: String,
    /// The units that took part although a status ruled them out, because the player allowed it.
    pub anyway: String,
    /// The inputs that the player gave.
    pub given: String,
    /// What changed, and which units appeared.
    pub changes: String,
    /// The arithmetic: one line for each roll, answer and look-up, and the row read.
    pub arithmetic: Vec<String>,
    /// The source of dice and cards: real dice, our cards.
    pub rolled_with: Vec<String>,
}

/// The kinds of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EntryKind {
    /// A chart was rolled.
    Play,
    /// A player's remark.
    Note,
    /// Any other event.
    #[default]
    Other,
}

/// The entry of an event that counts; `None` if there is nothing to say.
pub(super) fn entry(event: &Event, words: &Words<'_>, play: &PlayTold) -> Option<Entry> {
    let entry =
        Entry { n: event.n, at: event.at.clone(), by: event.by.clone(), ..Entry::default() };
    Some(match &event.what {
        EventKind::Play(played) => Entry {
            side: play.side.clone(),
            ..self::play(entry, words, played, play.resolution.as_ref())
        },
        EventKind::Note { text } => Entry { kind: EntryKind::Note, outcome: text.clone(), ..entry },
        EventKind::Unfinished(_) => {
            Entry { kind: EntryKind::Note, outcome: words.event(event), ..entry }
        }
        EventKind::Phase(step) => {
            // The heading names the phase. Only what ended or became due with it is left to say.
            let title = words
                .pack
                .phases()
                .iter()
                .find(|phase| phase.id == step.to)
                .map(|phase| format!(", {}", phase.title));
            let (told, heading) =
                (words.event(event), format!("Turn {}{}.", step.turn, title.unwrap_or_default()));
            let outcome = told.strip_prefix(&heading).unwrap_or(&told).trim().to_owned();
            if outcome.is_empty() {
                return None;
            }
            Entry { outcome, ..entry }
        }
        _ => Entry { outcome: words.event(event), ..entry },
    })
}

fn play(
    entry: Entry,
    words: &Words<'_>,
    played: &PlayRecord,
    resolution: Option<&Resolution>,
) -> Entry {
    let chart = words.pack.chart(&played.request.chart);
    let title = chart.map_or(played.request.chart.as_str(), |chart| &chart.title);
    let pending = played
        .request
        .pending
        .as_ref()
        .and_then(|id| words.before.pending.iter().find(|known| known.due.id == *id));
    let mut changes = match played.held {
        true => " The results wait for the other simultaneous attacks.".into(),
        false => words.effects(&played.effects, Some(played)),
    };
    if !played.appear.is_empty() {
        changes += &words.appear(&played.appear);
    }
    changes += &words.not_applied(played);
    let mut rolled_with: Vec<String> = Vec::new();
    for input in played.inputs.iter().filter(|input| !input.is_answer()) {
        let with = en::thrown_by(input.by(), if input.card().is_some() { "cards" } else { "dice" });
        if !rolled_with.contains(&with) {
            rolled_with.push(with);
        }
    }
    Entry {
        kind: EntryKind::Play,
        outcome: words.outcome(played).trim().to_owned(),
        what: format!("{title}{}", words.taking_part(&played.request, chart)),
        why: pending.map(|pending| pending.due.why.clone()).unwrap_or_default(),
        anyway: words.anyway(&played.request).trim().to_owned(),
        given: chart.map(|chart| words.given(chart, &played.request.given)).unwrap_or_default(),
        changes: changes.trim().to_owned(),
        arithmetic: resolution.map_or_else(
            || vec![words.inputs(played).trim().to_owned()],
            |resolution| arithmetic(words, played, resolution),
        ),
        rolled_with,
        ..entry
    }
}

/// One line for each roll, answer and look-up in order, and the row read.
fn arithmetic(words: &Words<'_>, played: &PlayRecord, resolution: &Resolution) -> Vec<String> {
    let title =
        |id: &str| words.pack.chart(id).map_or(id.to_owned(), |chart| chart.title.to_string());
    let line = |step: &Step| match step {
        Step::Roll(roll) => roll_line(words, roll),
        Step::Answer(answer) => format!("{} – {}", answer.prompt, answer.answer),
        Step::LookUp(look_up) => format!("{}: {}", title(&look_up.chart), look_up.found()),
    };
    let mut lines: Vec<String> = resolution.steps.iter().map(line).collect();
    let by_conditions =
        words.pack.chart(&resolution.chart).is_some_and(|chart| chart.read.by_conditions());
    let score = resolution
        .score
        .as_ref()
        .filter(|score| !by_conditions && matches!(score, Answer::Number(_)))
        .map(|score| format!("score {score}"));
    // A row that is the result's reason is already shown with the result, and a row that always
    // applies says nothing.
    let told = |row: &&adjutant_dice::Text| {
        row.as_str() == adjutant_pack::ALWAYS
            || played.results.iter().any(|found| found.because == row.as_str())
    };
    let row = resolution.row.as_ref().filter(|row| !told(row)).map(|row| format!("row “{row}”"));
    let read: Vec<String> = [score, row].into_iter().flatten().collect();
    if !read.is_empty() {
        lines.push(format!("Read at {}", read.join(", ")));
    }
    lines
}

fn list(faces: &[u32]) -> String {
    faces.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

/// `Firer: 1d10 shows 9, +5 HE/SA value = 14`; only the modifiers that counted.
fn roll_line(words: &Words<'_>, roll: &RollStep) -> String {
    let of = roll
        .of
        .as_ref()
        .map(|of| format!("{}: ", words.name(unit_of_member(of))))
        .unwrap_or_default();
    let mut line = format!("{of}{}:", roll.title);
    for again in &roll.again {
        let shuffled = if again.reshuffled { ", the deck is reshuffled" } else { "" };
        let faces = if again.faces.is_empty() {
            String::new()
        } else {
            format!("{} – ", list(&again.faces))
        };
        line += &format!(" {faces}{}{shuffled};", again.because);
    }
    let nothing = adjutant_dice::Number::ZERO;
    let counted = |modifier: &&ModifierLine| {
        modifier.counted && modifier.value.is_none_or(|value| value != nothing)
    };
    let (dice, counted): (Vec<_>, Vec<_>) = roll
        .modifiers
        .iter()
        .filter(counted)
        .partition(|modifier| modifier.kind == ModifierKind::Dice);
    match roll.kind {
        RollKind::Dice if roll.faces.is_empty() => line += " no dice",
        RollKind::Dice => {
            let shows = match crate::en::handful::handful(roll) {
                Some(faces) if roll.handful.len() == 1 => format!("shows {faces}"),
                Some(faces) => format!("show {faces}"),
                None => shows(&roll.faces),
            };
            line += &format!(" {}{} {shows}", roll.dice, more_dice(&dice));
            if !roll.tallies.is_empty() {
                line += &format!("; {}", crate::en::handful::tallies(roll));
            }
        }
        RollKind::Card if !roll.dice.is_empty() => line += &format!(" {}", roll.dice),
        RollKind::Card if !roll.handful.is_empty() => {
            let cards = crate::en::handful::handful(roll).unwrap_or_default();
            line += &format!(" {cards}");
            if !roll.tallies.is_empty() {
                line += &format!("; {}", crate::en::handful::tallies(roll));
            }
        }
        RollKind::Card => {
            line += &roll.card_titles.last().map(|card| format!(" {card}")).unwrap_or_default()
        }
        // A start value of zero is left out if something is added to it.
        RollKind::Sum if !counted.is_empty() && roll.natural == Some(Answer::Number(nothing)) => {}
        RollKind::Sum => {
            let natural = roll.natural.as_ref().map(|natural| worked_out(words.pack, natural));
            line += &natural.map(|natural| format!(" {natural},")).unwrap_or_default()
        }
    }
    if let Some(kept) = roll.kept.as_ref().filter(|_| roll.handful.is_empty()) {
        line += &format!(", counting {}", list(kept));
    }
    if let (Some(test), Some(natural)) = (&roll.test, &roll.natural) {
        line += &format!(": {} {natural} ({})", test.counted, crate::en::handful::passing(test));
    }
    for modifier in &counted {
        let value = match (modifier.value, modifier.kind) {
            (None, _) => String::new(),
            (Some(value), ModifierKind::Times) => format!("×{value} "),
            (Some(value), _) => format!("{} ", value.signed()),
        };
        line += &format!(
            "{} {value}{}",
            if line.ends_with([':', ',']) { "" } else { "," },
            modifier.label
        );
    }
    let telling = !counted.is_empty() || (roll.faces.len() > 1 && roll.test.is_none());
    if let Some(total) = roll.total.as_ref().filter(|_| telling) {
        line += &format!(" = {total}");
    }
    line.trim_end_matches(',').to_owned()
}

/// A value that a chart worked out. A word of a list is shown by its title.
fn worked_out(pack: &Pack, value: &Answer) -> String {
    let Answer::Choice(word) = value else { return value.to_string() };
    let mut known = pack.lists().iter().flat_map(|list| &list.words);
    let known = known.find(|known| pack.words().text(known.word) == word.as_str());
    known.map_or_else(|| word.to_string(), |known| known.title.to_string())
}

fn shows(faces: &[u32]) -> String {
    format!("{} {}", if faces.len() == 1 { "shows" } else { "show" }, list(faces))
}

/// The dice added or removed, with the reason.
fn more_dice(modifiers: &[&ModifierLine]) -> String {
    let one = |modifier: &&ModifierLine| {
        let value = modifier.value.map(adjutant_dice::Number::signed).unwrap_or_default();
        let dice = if matches!(value.as_str(), "+1" | "-1" | "−1") { "die" } else { "dice" };
        format!("{value} {dice}: {}", modifier.label)
    };
    let told: Vec<String> = modifiers.iter().map(one).collect();
    if told.is_empty() { String::new() } else { format!(" ({})", told.join("; ")) }
}

/// A value as players say it. A choice is shown by its label.
pub(super) fn value_in_words(pack: &Pack, field: &Field, value: Value) -> String {
    let word = match value.to_answer(pack.words()) {
        Answer::Choice(word) => word,
        other => return other.to_string(),
    };
    let known = field.accepts.words().unwrap_or(&[]).iter().find(|known| known.id == word);
    known.map_or_else(|| word.to_string(), |known| known.label.to_string())
}
