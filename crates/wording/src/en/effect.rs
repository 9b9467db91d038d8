//! What a result does: to be done, done, and in a log. What a rule does is said by
//! [`ChartWords`](super::ChartWords).

use super::log::Words;
use adjutant_engine::Change;
use adjutant_game::{PlayRecord, RecordedChange, Table};
use adjutant_pack::{EffectKind, Pack, Value};

/// One change of a resolution, with the names that players see.
pub fn change(pack: &Pack, change: &Change) -> String {
    let title = |id: &str| {
        let status = pack.status_id(id).map(|status| &pack.statuses()[status]);
        status.map_or(id.to_owned(), |status| status.title.to_string())
    };
    let Some(on) = &change.on else { return change.says() };
    match &change.kind {
        EffectKind::Status(status) => format!("{} is now: {}", on.role, title(status)),
        EffectKind::Lift(status) => format!("{} is no longer: {}", on.role, title(status)),
        EffectKind::Leaves(how) => format!("{} leaves the game: {how}", on.role),
        _ => change.says(),
    }
}

/// One change of a game on a line of its own: `Rifles: now Suppressed`.
pub fn recorded_change(table: &Table, change: &RecordedChange) -> String {
    let words = Words::now(table);
    let attribute = |id: &str| words.attribute(&change.on, id);
    let signed = |by: &str| if by.starts_with('-') { by.to_owned() } else { format!("+{by}") };
    let text = match &change.kind {
        EffectKind::Status(status) => format!("now {}", words.status(status)),
        EffectKind::Lift(status) => format!("no longer {}", words.status(status)),
        EffectKind::Set(id, to) => format!("{} is {to}", attribute(id)),
        EffectKind::Add(id, by) => format!("{} {}", attribute(id), signed(by)),
        EffectKind::Leaves(how) => format!("removed ({how})"),
        EffectKind::Remember(id, to) => format!("{}: {to}", words.memory(id)),
        EffectKind::RememberMore(id, by) => format!("{} {}", words.memory(id), signed(by)),
        EffectKind::Note(text) => text.to_string(),
        EffectKind::Appear(never) | EffectKind::Reshuffle(never) => match *never {},
    };
    if change.on.is_empty() { text } else { format!("{}: {text}", words.name(&change.on)) }
}

/// What a log says of a change.
pub(super) enum LoggedChange {
    /// A part of a sentence about the unit; empty if nothing changes or the result says it.
    OfUnit(String),
    /// A sentence.
    Sentence(String),
}

impl Words<'_> {
    /// A change in the log.
    pub(super) fn logged(
        &self,
        change: &RecordedChange,
        played: Option<&PlayRecord>,
    ) -> LoggedChange {
        let on = change.on.as_str();
        match &change.kind {
            EffectKind::Status(status) => {
                let title = self.status(status);
                // If a result has the same name as the status it adds, it is said only once.
                let said = |played: &PlayRecord| {
                    played.results.iter().any(|result| result.on == on && result.title == title)
                };
                let known = self.had(on, status) || played.is_some_and(said);
                LoggedChange::OfUnit(if known { String::new() } else { title })
            }
            EffectKind::Lift(status) if self.had(on, status) => {
                LoggedChange::OfUnit(format!("no longer {}", self.status(status)))
            }
            EffectKind::Lift(_) => LoggedChange::OfUnit(String::new()),
            EffectKind::Set(id, value) | EffectKind::Add(id, value) => {
                let label = self.attribute(on, id);
                let unit = self.state.unit(on);
                LoggedChange::OfUnit(match unit.and_then(|unit| unit.facet(self.pack, id)) {
                    Some(Value::YesNo(yes)) => format!("{}{label}", if yes { "" } else { "not: " }),
                    Some(now) => format!("{label} is now {}", self.value(on, id, now)),
                    None => format!("{label} {value}"),
                })
            }
            EffectKind::Leaves(how) => {
                LoggedChange::Sentence(format!(" {} removed ({how}).", self.name(on)))
            }
            EffectKind::Remember(id, value) | EffectKind::RememberMore(id, value) => {
                LoggedChange::Sentence(self.side_memory(on, id).unwrap_or_else(|| {
                    let label = self.memory(id);
                    match (&change.kind, value.as_str()) {
                        (EffectKind::RememberMore(..), by) => format!(" {label}: {by} more."),
                        (_, "yes") => format!(" {label}."),
                        (_, "no") => format!(" No longer: {label}."),
                        (_, value) => format!(" {label}: {value}."),
                    }
                }))
            }
            EffectKind::Note(text) if on.is_empty() => LoggedChange::Sentence(format!(" {text}")),
            EffectKind::Note(text) => LoggedChange::Sentence(format!(" {}: {text}", self.name(on))),
            EffectKind::Appear(never) | EffectKind::Reshuffle(never) => match *never {},
        }
    }

    /// What a side now remembers: `Side of Fox: Losses is now 3.`
    fn side_memory(&self, unit: &str, id: &str) -> Option<String> {
        let memory = self.pack.memory_id(id).filter(|memory| self.pack.is_per_side(*memory))?;
        let side = self.state.unit(unit)?.side;
        let now = self.state.memory_of(self.pack, side, memory)?;
        let label = &self.pack.memory()[memory].label;
        let name = self.name(unit);
        Some(format!(" Side of {name}: {label} is now {}.", super::value(self.pack, now)))
    }
}
