//! What a result does to units and sides.

use super::Words;
use crate::en::effect::LoggedChange;
use adjutant_game::{PlayRecord, RecordedChange};
use adjutant_pack::Value;

impl Words<'_> {
    pub fn effects(&self, effects: &[RecordedChange], played: Option<&PlayRecord>) -> String {
        let mut told = String::new();
        // The unit that the last sentence is about: its next change joins that sentence.
        let mut last: Option<&str> = None;
        for effect in effects {
            match self.logged(effect, played) {
                LoggedChange::OfUnit(change) if change.is_empty() => {}
                LoggedChange::OfUnit(change) => {
                    match effect.on.as_str() {
                        "" => told += &format!(" {change}."),
                        on if last == Some(on) && told.ends_with('.') => {
                            told.pop();
                            told += &format!(", {change}.");
                        }
                        on => told += &format!(" {}: {change}.", self.name(on)),
                    }
                    last = Some(effect.on.as_str()).filter(|on| !on.is_empty());
                }
                LoggedChange::Sentence(sentence) => {
                    told += &sentence;
                    last = None;
                }
            }
        }
        told
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

    pub fn had(&self, unit: &str, status: &str) -> bool {
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
