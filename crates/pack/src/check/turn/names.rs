//! Name lookup in the expressions of phases, starts and endings.

use super::TurnCheck;
use crate::check::vocabulary::kind_of;
use crate::expr::{Expr, Resolved, Scope};
use crate::ids::{KindId, Slot};
use crate::problem::ExprProblem;
use crate::turn::{TurnName, TurnOrigin};
use crate::unknown_name::{Noun, UnknownName};
use crate::value::{Type, Word};

impl TurnCheck<'_, '_> {
    /// A value of the unit that is worked out: its expression takes the place of its name.
    pub(super) fn derived(&mut self, name: &str) -> Option<Resolved> {
        let (id, [kind]) = (name.strip_prefix("unit.")?, self.unit.as_slice()) else {
            return None;
        };
        let raw = &self.ground.raw.kinds[*kind];
        let derived = raw.derived.iter().find(|derived| derived.id.it == id)?;
        if self.working_out.contains(&derived.id.it) {
            let problem = ExprProblem::WorkedOutFromItself { name: name.into() };
            return Some(Err(Some(problem)));
        }
        self.working_out.push(derived.id.it.clone());
        let found = crate::expr::read(&derived.work_out.it)
            .ok()
            .and_then(|written| crate::expr::resolve(&written, self).ok());
        self.working_out.pop();
        Some(found.ok_or(None))
    }

    /// A number of the word that a value of the unit stands for: `unit.grade.morale`.
    pub(super) fn field_of_word(&mut self, name: &str) -> Option<Resolved> {
        let (base, field) = name.rsplit_once('.')?;
        let (origin, kind) = self.look(base)?;
        let slot = self.slot(base, origin);
        let found =
            self.ground.vocabulary.word_field(&Expr::Slot(slot), &kind, field, self.words)?;
        Some(Ok((found, Type::Number)))
    }

    pub(super) fn slot(&mut self, name: &str, origin: TurnOrigin) -> Slot {
        let known = self.names.position(|known| known.origin == origin);
        known.unwrap_or_else(|| self.names.push(TurnName { text: name.into(), origin }))
    }

    pub(super) fn look(&mut self, name: &str) -> Option<(TurnOrigin, Type)> {
        let vocabulary = self.ground.vocabulary;
        match name.split_once('.')? {
            ("option", id) => {
                let place = vocabulary.options.position(|option| option.field.id == id)?;
                Some((
                    TurnOrigin::Option(place),
                    kind_of(&vocabulary.options[place].field.accepts, self.words),
                ))
            }
            ("side", id) if self.side => {
                let place = vocabulary.memory.position(|memory| memory.id == id)?;
                let kind = kind_of(&vocabulary.memory[place].accepts, self.words);
                let per_side = vocabulary.side_memory.contains(&place);
                per_side.then_some((TurnOrigin::SideMemory(place), kind))
            }
            ("memory", id) => {
                let place = vocabulary.memory.position(|memory| memory.id == id)?;
                if vocabulary.side_memory.contains(&place) {
                    return None;
                }
                Some((
                    TurnOrigin::Memory(place),
                    kind_of(&vocabulary.memory[place].accepts, self.words),
                ))
            }
            ("unit", id) => {
                let kind = *self.unit.first()?;
                let status = vocabulary.statuses.iter().any(|status| {
                    status.id == id && self.unit.iter().all(|kind| status.of.contains(kind))
                });
                if status {
                    return Some((TurnOrigin::Unit(id.into()), Type::YesNo));
                }
                let all_have =
                    |kind: &KindId| vocabulary.kinds[*kind].has.iter().any(|field| field.id == id);
                let field = vocabulary.kinds[kind]
                    .has
                    .iter()
                    .find(|field| field.id == id)
                    .filter(|_| self.unit.iter().all(all_have))?;
                Some((TurnOrigin::Unit(id.into()), kind_of(&field.accepts, self.words)))
            }
            _ => None,
        }
    }

    pub(super) fn all_names(&self) -> Vec<String> {
        let vocabulary = self.ground.vocabulary;
        let mut all: Vec<String> =
            vocabulary.options.iter().map(|option| format!("option.{}", option.field.id)).collect();
        for (place, memory) in vocabulary.memory.iter_enumerated() {
            match vocabulary.side_memory.contains(&place) {
                true if self.side => all.push(format!("side.{}", memory.id)),
                true => {}
                false => all.push(format!("memory.{}", memory.id)),
            }
        }
        for kind in &self.unit {
            all.extend(
                vocabulary.kinds[*kind].has.iter().map(|field| format!("unit.{}", field.id)),
            );
            all.extend(
                vocabulary
                    .statuses
                    .iter()
                    .filter(|status| status.of.contains(kind))
                    .map(|status| format!("unit.{}", status.id)),
            );
        }
        all
    }
}

impl Scope for TurnCheck<'_, '_> {
    fn name(&mut self, name: &str) -> Resolved {
        if let Some(found) = self.derived(name) {
            return found;
        }
        let Some((origin, kind)) = self.look(name) else {
            if let Some(found) = self.field_of_word(name) {
                return found;
            }
            let known = self.all_names();
            return Err(Some(ExprProblem::UnknownName(UnknownName::brief(
                Noun::Name,
                name,
                known.iter().map(String::as_str),
            ))));
        };
        let slot = self.slot(name, origin);
        Ok((Expr::Slot(slot), kind))
    }

    fn word(&mut self, text: &str) -> Word {
        self.words.intern(text)
    }

    fn text(&self, word: Word) -> String {
        self.words.text(word).to_owned()
    }

    fn list(&mut self, name: &str) -> Result<Vec<Word>, Option<ExprProblem>> {
        self.ground.vocabulary.list(name)
    }

    fn keys(&mut self, name: &str) -> Option<Vec<(Word, String)>> {
        let id = name.strip_prefix("unit.")?;
        let kind = *self.unit.first()?;
        let keyed = self.ground.raw.kinds[kind].keyed.iter().find(|keyed| keyed.id == id)?;
        let words = keyed.words.iter();
        Some(words.map(|(word, at)| (self.words.intern(word), format!("unit.{at}"))).collect())
    }
}
