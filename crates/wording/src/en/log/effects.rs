//! What a result does to units and sides.

use super::Words;
use adjutant_game::{PlayRecord, RecordedChange, RecordedChangeKind};
use adjutant_pack::Value;

impl Words<'_> {
    pub fn effects(&self, effects: &[RecordedChange], played: Option<&PlayRecord>) -> String {
        let mut told = String::new();
        for effect in effects {
            // If a result has the same name as the status it adds, it is said only once.
            let said = |played: &PlayRecord| {
                played
                    .results
                    .iter()
                    .any(|found| found.on == effect.on && found.title == self.status(&effect.what))
            };
            let on = match effect.on.as_str() {
                "" => String::new(),
                on => format!("{}: ", self.name(on)),
            };
            if let Some(now) = self.side_memory(effect) {
                told += &now;
                continue;
            }
            told += &match effect.kind {
                RecordedChangeKind::Status
                    if played.is_some_and(said) || self.had(&effect.on, &effect.what) =>
                {
                    continue;
                }
                RecordedChangeKind::Status => format!(" {on}{}.", self.status(&effect.what)),
                RecordedChangeKind::Lift if !self.had(&effect.on, &effect.what) => continue,
                RecordedChangeKind::Lift => {
                    format!(" {on}no longer {}.", self.status(&effect.what))
                }
                RecordedChangeKind::Set | RecordedChangeKind::Add => {
                    let now = self
                        .state
                        .unit(&effect.on)
                        .and_then(|unit| unit.facet(self.pack, &effect.what));
                    let label = self.attribute(&effect.on, &effect.what);
                    match now {
                        Some(Value::YesNo(yes)) => {
                            format!(" {on}{}{label}.", if yes { "" } else { "not: " })
                        }
                        Some(value) => format!(
                            " {on}{label} is now {}.",
                            self.value(&effect.on, &effect.what, value)
                        ),
                        None => format!(" {on}{label} {}.", effect.value),
                    }
                }
                RecordedChangeKind::Leaves => {
                    format!(" {} removed ({}).", self.name(&effect.on), effect.what)
                }
                RecordedChangeKind::Remember => match effect.value.as_str() {
                    "yes" => format!(" {}.", self.memory(&effect.what)),
                    "no" => format!(" No longer: {}.", self.memory(&effect.what)),
                    value => format!(" {}: {value}.", self.memory(&effect.what)),
                },
                RecordedChangeKind::RememberMore => {
                    format!(" {}: {} more.", self.memory(&effect.what), effect.value)
                }
                RecordedChangeKind::Note => format!(" {}", effect.what),
            };
        }
        told
    }

    /// What a side now remembers: `Side of Fox: Losses is now 3.`
    pub(super) fn side_memory(&self, effect: &RecordedChange) -> Option<String> {
        let memory = self.pack.memory_id(&effect.what).filter(|memory| {
            matches!(effect.kind, RecordedChangeKind::Remember | RecordedChangeKind::RememberMore)
                && self.pack.is_per_side(*memory)
        })?;
        let side = self.state.unit(&effect.on)?.side;
        let now = self.state.memory_of(self.pack, side, memory)?;
        let label = &self.pack.memory()[memory].label;
        let unit = self.name(&effect.on);
        Some(format!(" Side of {unit}: {label} is now {}.", crate::en::value(self.pack, now)))
    }

    /// The value of an attribute. A choice is shown by its label.
    pub fn value(&self, unit: &str, id: &str, value: Value) -> String {
        let written = crate::en::value(self.pack, value);
        let kind = self.state.unit(unit).map(|unit| &self.pack.kinds()[unit.kind]);
        let field = kind.and_then(|kind| kind.has.iter().find(|field| field.id == id));
        let words = field.and_then(|field| field.accepts.words()).unwrap_or(&[]);
        words
            .iter()
            .find(|word| word.id == written)
            .map_or(written.clone(), |word| word.label.to_string())
    }

    pub(super) fn had(&self, unit: &str, status: &str) -> bool {
        self.before
            .unit(unit)
            .is_some_and(|unit| unit.facet(self.pack, status).is_some_and(Value::is_yes))
    }

    pub(super) fn land(&self, by: &str, plays: &[u64]) -> String {
        let list = plays.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let what = if plays.len() == 1 { "event" } else { "events" };
        let mut told = format!("{by} applies the results of {what} {list}.");
        for held in &self.before.held {
            told += &self.effects(&held.effects, None);
            told += &self.falls_due(&held.next);
        }
        told + &self.lapsed(None)
    }
}
