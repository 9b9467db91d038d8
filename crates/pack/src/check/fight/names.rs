//! Name lookup in the expressions of a fight.

use super::FightCheck;
use crate::check::vocabulary::kind_of;
use crate::expr::{Expr, Resolved, Scope};
use crate::fight::{FightName, FightOrigin, UnitFacet};
use crate::problem::ExprProblem;
use crate::unknown_name::{Noun, UnknownName};
use crate::value::{Type, Word};

impl FightCheck<'_, '_> {
    pub(super) fn made(&mut self, text: &str, origin: FightOrigin, kind: Type) -> Resolved {
        let known = self.names.position(|name| name.origin == origin && name.text == text);
        let slot = known.unwrap_or_else(|| {
            self.names.push(FightName { text: text.to_owned(), origin, kind: kind.clone() })
        });
        Ok((Expr::Slot(slot), kind))
    }

    pub(super) fn look(&mut self, name: &str) -> Option<(FightOrigin, Type)> {
        let vocabulary = self.ground.vocabulary;
        if let Some(id) = name.strip_prefix("option.") {
            let place = vocabulary.options.position(|option| option.field.id == id)?;
            return Some((
                FightOrigin::Option(place),
                kind_of(&vocabulary.options[place].field.accepts, self.words),
            ));
        }
        if let Some(id) = name.strip_prefix("memory.") {
            let place = vocabulary.memory.position(|memory| memory.id == id)?;
            return Some((
                FightOrigin::Memory(place),
                kind_of(&vocabulary.memory[place].accepts, self.words),
            ));
        }
        if let Some((base, id)) = name.split_once('.') {
            if let Some(unit) = self.units.position(|(word, _)| word == base) {
                let kind = self.units[unit].1;
                if let Some(place) = vocabulary.kinds[kind].has.position(|field| field.id == id) {
                    let what = kind_of(&vocabulary.kinds[kind].has[place].accepts, self.words);
                    return Some((FightOrigin::Of(unit, UnitFacet::Attribute(place)), what));
                }
                let place = vocabulary
                    .statuses
                    .position(|status| status.id == id && status.of.contains(&kind))?;
                return Some((FightOrigin::Of(unit, UnitFacet::Status(place)), Type::YesNo));
            }
            if let Some(side) = self.sides.position(|side| side.id == base) {
                let total = |id: &str| {
                    vocabulary.kinds[self.sides[side].kind].has.position(|field| field.id == id)
                };
                match id {
                    "count" => return Some((FightOrigin::Count(side), Type::Number)),
                    "lost" => return Some((FightOrigin::Lost(side), Type::Number)),
                    _ => {
                        if let Some(attribute) = id.strip_prefix("total.").and_then(total) {
                            return Some((FightOrigin::Total(side, attribute), Type::Number));
                        }
                    }
                }
            }
        }
        let place = self.inputs.position(|input| input.name == name)?;
        Some((FightOrigin::Input(place), kind_of(&self.inputs[place].field.accepts, self.words)))
    }

    pub(super) fn all_names(&self) -> Vec<String> {
        let mut all: Vec<String> = self.inputs.iter().map(|input| input.name.clone()).collect();
        for side in &self.sides {
            all.extend([format!("{}.count", side.id), format!("{}.lost", side.id)]);
            all.extend(
                self.vocabulary().kinds[side.kind]
                    .has
                    .iter()
                    .map(|field| format!("{}.total.{}", side.id, field.id)),
            );
        }
        for (word, kind) in &self.units {
            all.extend(
                self.vocabulary().kinds[*kind]
                    .has
                    .iter()
                    .map(|field| format!("{word}.{}", field.id)),
            );
            all.extend(
                self.vocabulary()
                    .statuses
                    .iter()
                    .filter(|s| s.of.contains(kind))
                    .map(|s| format!("{word}.{}", s.id)),
            );
        }
        all.extend(
            self.vocabulary().options.iter().map(|option| format!("option.{}", option.field.id)),
        );
        all
    }
}

impl Scope for FightCheck<'_, '_> {
    fn name(&mut self, name: &str) -> Resolved {
        match self.look(name) {
            Some((origin, kind)) => self.made(name, origin, kind),
            None => {
                let known = self.all_names();
                Err(Some(ExprProblem::UnknownName(UnknownName::brief(
                    Noun::Name,
                    name,
                    known.iter().map(String::as_str),
                ))))
            }
        }
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
}
