//! What a result does to units and sides.

use super::Words;
use adjutant_game::{PlayRecord, RecordedChange, RecordedChangeKind};
use adjutant_pack::Value;

impl Words<'_> {
    pub fn effects(&self, effects: &[RecordedChange], played: Option<&PlayRecord>) -> String {
        let mut told = String::new();
        // The unit that the last sentence is about: its next change joins that sentence.
        let mut last: Option<&str> = None;
        for effect in effects {
            if let Some(now) = self.side_memory(effect) {
                told += &now;
                last = None;
                continue;
            }
            if let Some(change) = self.change_of_unit(effect, played) {
                match effect.on.as_str() {
                    "" => told += &format!(" {change}."),
                    on if last == Some(on) && told.ends_with('.') => {
                        told.pop();
                        told += &format!(", {change}.");
                    }
                    on => told += &format!(" {}: {change}.", self.name(on)),
                }
                last = Some(effect.on.as_str()).filter(|on| !on.is_empty());
            } else if let Some(sentence) = self.other_change(effect) {
                told += &sentence;
                last = None;
            }
        }
        told
    }

    /// A status or value of a unit, without the unit's name; none if nothing changes or the result
    /// says it.
    fn change_of_unit(
        &self,
        effect: &RecordedChange,
        played: Option<&PlayRecord>,
    ) -> Option<String> {
        // If a result has the same name as the status it adds, it is said only once.
        let said = |played: &PlayRecord| {
            let mut results = played.results.iter();
            results.any(|found| found.on == effect.on && found.title == self.status(&effect.what))
        };
        let had = self.had(&effect.on, &effect.what);
        match effect.kind {
            RecordedChangeKind::Status => {
                (!had && !played.is_some_and(said)).then(|| self.status(&effect.what))
            }
            RecordedChangeKind::Lift => {
                had.then(|| format!("no longer {}", self.status(&effect.what)))
            }
            RecordedChangeKind::Set | RecordedChangeKind::Add => {
                let unit = self.state.unit(&effect.on);
                let label = self.attribute(&effect.on, &effect.what);
                Some(match unit.and_then(|unit| unit.facet(self.pack, &effect.what)) {
                    Some(Value::YesNo(yes)) => {
                        format!("{}{label}", if yes { "" } else { "not: " })
                    }
                    Some(value) => {
                        format!("{label} is now {}", self.value(&effect.on, &effect.what, value))
                    }
                    None => format!("{label} {}", effect.value),
                })
            }
            _ => None,
        }
    }

    /// What does not change a status or value of a unit.
    fn other_change(&self, effect: &RecordedChange) -> Option<String> {
        Some(match effect.kind {
            RecordedChangeKind::Status
            | RecordedChangeKind::Lift
            | RecordedChangeKind::Set
            | RecordedChangeKind::Add => return None,
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
            RecordedChangeKind::Note if effect.on.is_empty() => format!(" {}", effect.what),
            RecordedChangeKind::Note => format!(" {}: {}", self.name(&effect.on), effect.what),
        })
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
