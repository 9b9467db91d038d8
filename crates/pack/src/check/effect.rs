//! Effects: looks up what they name and types their values.

use super::builder::{Builder, ExpectedType};
use super::vocabulary::{self, find};
use crate::effect::{EffectKind, EffectRule, Operation, RuleTerms, Translate};
use crate::expr::Formula;
use crate::ids::{DeckId, MemoryId, RoleId, StatusId};
use crate::problem::{DeckProblem, EffectProblem, ExprProblem, ValueKind};
use crate::raw::{RawEffect, RawNewcomers, RawTerms};
use crate::tree::{Located, Place};
use crate::turn::Newcomers;
use crate::unknown_name::Noun;
use crate::value::{Type, Word};
use adjutant_dice::{Accepts, Text};

impl Builder<'_, '_> {
    /// An effect. A change of a value by a word is one for each word that it can be.
    pub(super) fn effects(&mut self, raw: &RawEffect, on: Option<RoleId>) -> Vec<EffectRule> {
        let keyed = raw.kind.attribute().and_then(|(attribute, ..)| {
            let (id, key) = attribute.it.split_once('[')?;
            Some((attribute, id.trim(), key.trim_end().strip_suffix(']').map(str::to_owned)))
        });
        match keyed {
            None => self.effect(raw, on).into_iter().collect(),
            Some((attribute, id, key)) => {
                self.keyed_effects(raw, attribute, (id, key), on).unwrap_or_default()
            }
        }
    }

    fn keyed_effects(
        &mut self,
        raw: &RawEffect,
        what: &Located<String>,
        (id, key): (&str, Option<String>),
        on: Option<RoleId>,
    ) -> Option<Vec<EffectRule>> {
        let Some(key) = key else {
            self.faults().add(&what.at, ExprProblem::KeyOpen);
            return None;
        };
        let named = match &raw.on {
            Some(role) => Some(self.role(role)?),
            None => on,
        };
        let role = self.lands(named, &raw.at)?;
        let kind = &self.ground.raw.kinds[self.roles[role].kind];
        let Some(keyed) = kind.keyed.iter().find(|keyed| keyed.id == id) else {
            self.faults().add(&what.at, ExprProblem::NotKeyed { name: id.into() });
            return None;
        };
        // A fault of the condition is reported once.
        if raw.when.is_some() {
            self.condition(raw.when.as_ref())?;
        }
        let by = Located { it: key.clone(), at: what.at.clone() };
        let by = self.formula(&by, ExpectedType::Any)?;
        let Type::Choice(can_be) = &by.kind else {
            let (found, wanted) = (ValueKind::from(&by.kind), ValueKind::Choice);
            self.faults().add(&what.at, ExprProblem::WrongPart { found, wanted });
            return None;
        };
        let words: Vec<&(String, String)> = keyed
            .words
            .iter()
            .filter(|(word, _)| self.words.find(word).is_some_and(|word| can_be.contains(&word)))
            .collect();
        if words.is_empty() {
            let list = |word: &Word| Text::from(self.words.text(*word));
            let known = keyed.words.iter().map(|(word, _)| word.as_str().into()).collect();
            let words = can_be.iter().map(list).collect();
            self.faults().add(&what.at, ExprProblem::NeverSame { words, known });
            return None;
        }
        let text = match raw.text.is_empty() {
            true => keyed_text(&raw.kind, &keyed.label, &key),
            false => raw.text.clone(),
        };
        let mut effects = Vec::new();
        for (word, attribute) in words {
            let is = (by.constant().is_none()).then(|| format!("({key}) == '{word}'"));
            let when = match (&raw.when, is) {
                (Some(when), Some(is)) => {
                    Some(Located { it: format!("({}) and {is}", when.it), at: when.at.clone() })
                }
                (None, Some(is)) => Some(Located { it: is, at: what.at.clone() }),
                (when, None) => when.clone(),
            };
            let mut one = RawEffect { when, text: text.clone(), ..raw.clone() };
            if let Some(what) = one.kind.attribute_mut() {
                what.it.clone_from(attribute);
            }
            effects.extend(self.effect(&one, on));
        }
        Some(effects)
    }

    fn effect(&mut self, raw: &RawEffect, on: Option<RoleId>) -> Option<EffectRule> {
        let when = self.condition(raw.when.as_ref());
        let on = match &raw.on {
            Some(role) => Some(self.role(role)?),
            None => on,
        };
        // Without a role, the side of the first role remembers.
        let on = if self.remembers_for_side(raw) { on.or(self.roles.ids().next()) } else { on };
        let before = self.it;
        self.it = on.or(self.it);
        let kind = raw.kind.translate(&mut EffectCheck { builder: &mut *self, on, at: &raw.at });
        self.it = before;
        let kind = kind.ok()?;
        let on_units = kind.is_on_unit();
        if on_units {
            self.lands(on, &raw.at)?;
        }
        if raw.all && !on_units {
            self.faults().add(&raw.at, EffectProblem::AllWithoutUnits);
        }
        let nth = raw.nth.as_ref().and_then(|nth| self.formula(nth, ExpectedType::Number));
        let on_one = on_units || (on.is_some() && kind.note().is_some());
        if raw.nth.is_some() && (raw.all || !on_one) {
            self.faults().add(&raw.at, EffectProblem::NthWithoutUnits);
        }
        Some(EffectRule { kind, when, on, all: raw.all, nth, text: raw.text.as_str().into() })
    }

    /// Whether an effect changes a memory of which each side has its own.
    fn remembers_for_side(&self, raw: &RawEffect) -> bool {
        let Some((what, ..)) = raw.kind.memory() else { return false };
        let vocabulary = self.vocabulary();
        let place = vocabulary.memory.position(|memory| memory.id == what.it);
        place.is_some_and(|place| vocabulary.side_memory.contains(&place))
    }

    /// New units: their kind, number, template and position.
    fn new_units(&mut self, raw: &RawNewcomers) -> Option<Newcomers> {
        let kind = find(
            &raw.kind,
            Noun::UnitKind,
            self.vocabulary().kinds.iter().map(|k| k.id.as_str()),
            self.faults(),
        )?;
        let templates = self.vocabulary().templates.iter().map(|template| template.id.as_str());
        let template =
            raw.template.as_ref().and_then(|id| find(id, Noun::Template, templates, self.faults()));
        if let (Some(template), Some(id)) = (template, &raw.template)
            && self.vocabulary().templates[template].kind != kind
        {
            let kind = self.vocabulary().kinds[kind].title.clone();
            self.faults()
                .add(&id.at, EffectProblem::TemplateOfOtherKind { template: id.text(), kind });
        }
        let fields = &self.vocabulary().kinds[kind].has;
        let mut has = Vec::new();
        for (name, text) in &raw.has {
            let place = find(
                name,
                Noun::Attribute,
                fields.iter().map(|field| field.id.as_str()),
                self.faults(),
            );
            if let (Some(place), Some(formula)) = (place, self.formula(text, ExpectedType::Any)) {
                let wanted = vocabulary::kind_of(&fields[place].accepts, self.words);
                self.fits(&formula, &wanted, &name.it, &text.at);
                has.push((name.it.as_str().into(), formula));
            }
        }
        let place = match &raw.place {
            Some(role) if role.it == "it" => Some(self.lands(self.it, &role.at)?),
            Some(role) => Some(self.role(role)?),
            None => None,
        };
        let enemy = match &raw.side {
            Some(side) if side.it != "enemy" => {
                self.faults().unknown(&side.at, Noun::NewSide, &side.it, ["enemy"]);
                false
            }
            side => side.is_some(),
        };
        Some(Newcomers {
            enemy,
            kind,
            count: self.formula(&raw.count, ExpectedType::Number)?,
            template,
            has,
            place,
        })
    }

    /// The value of an attribute or a memory, or the number to add to it.
    fn amount(
        &mut self,
        what: &Located<String>,
        accepts: &Accepts,
        operation: Operation,
        value: &Located<String>,
    ) -> Option<Formula> {
        let formula = self.formula(value, ExpectedType::Any)?;
        let wanted = vocabulary::kind_of(accepts, self.words);
        self.fits(&formula, &wanted, &what.it, &value.at);
        if !operation.replaces() && wanted != Type::Number {
            let kind = ValueKind::from(&wanted);
            self.faults().add(&what.at, EffectProblem::CannotGrow { name: what.text(), kind });
        }
        Some(formula)
    }
}

/// An effect in a pack and the role that it falls on. A fault that was reported ends it.
struct EffectCheck<'b, 'p, 'g> {
    builder: &'b mut Builder<'p, 'g>,
    on: Option<RoleId>,
    at: &'b Place,
}

impl Translate<RawTerms, RuleTerms> for EffectCheck<'_, '_, '_> {
    type Fault = ();

    fn status(&mut self, id: &Located<String>) -> Result<StatusId, ()> {
        let builder = &self.builder;
        let statuses = builder.vocabulary().statuses.iter().map(|status| status.id.as_str());
        let status: StatusId = find(id, Noun::Status, statuses, builder.faults()).ok_or(())?;
        let role = &builder.roles[builder.lands(self.on, self.at).ok_or(())?];
        if !builder.vocabulary().statuses[status].of.contains(&role.kind) {
            let problem =
                EffectProblem::RoleCannotHave { role: role.id.clone(), status: id.text() };
            builder.faults().add(&id.at, problem);
        }
        Ok(status)
    }

    fn attribute(
        &mut self,
        what: &Located<String>,
        operation: Operation,
        value: &Located<String>,
    ) -> Result<(Text, Formula), ()> {
        let role = self.builder.lands(self.on, self.at).ok_or(())?;
        let fields = &self.builder.vocabulary().kinds[self.builder.roles[role].kind].has;
        let names = fields.iter().map(|field| field.id.as_str());
        let field = find(what, Noun::Attribute, names, self.builder.faults()).ok_or(())?;
        let accepts = &fields[field].accepts;
        let formula = self.builder.amount(what, accepts, operation, value).ok_or(())?;
        Ok((what.text(), formula))
    }

    fn memory(
        &mut self,
        what: &Located<String>,
        operation: Operation,
        value: &Located<String>,
    ) -> Result<(MemoryId, Formula), ()> {
        let vocabulary = self.builder.vocabulary();
        let names = vocabulary.memory.iter().map(|memory| memory.id.as_str());
        let memory: MemoryId = find(what, Noun::Memory, names, self.builder.faults()).ok_or(())?;
        if vocabulary.side_memory.contains(&memory) {
            self.builder.lands(self.on, self.at).ok_or(())?;
        }
        let accepts = &vocabulary.memory[memory].accepts;
        let formula = self.builder.amount(what, accepts, operation, value).ok_or(())?;
        Ok((memory, formula))
    }

    fn new_units(&mut self, raw: &RawNewcomers) -> Result<Box<Newcomers>, ()> {
        self.builder.new_units(raw).map(Box::new).ok_or(())
    }

    fn deck(&mut self, deck: &Located<String>) -> Result<DeckId, ()> {
        let builder = &self.builder;
        let names = builder.vocabulary().decks.iter().map(|deck| deck.id.as_str());
        let place: DeckId = find(deck, Noun::Deck, names, builder.faults()).ok_or(())?;
        if builder.ground.raw.decks[place].chits.is_some() {
            builder.faults().add(&deck.at, DeckProblem::BagReshuffled { deck: deck.text() });
        }
        Ok(place)
    }
}

/// The words for a change of a value by a word: "Armour (place) −1".
fn keyed_text(kind: &EffectKind<RawTerms>, label: &str, key: &str) -> String {
    let key = key.trim().trim_matches('\'').trim_end_matches(".result").replace(['_', '.'], " ");
    let Some((_, operation, value)) = kind.attribute() else { return String::new() };
    let value = value.it.trim();
    match (operation, value.strip_prefix('-')) {
        (Operation::Set, _) => format!("{label} ({key}) becomes {value}"),
        (Operation::Add, Some(less)) => format!("{label} ({key}) −{}", less.replace('_', " ")),
        (Operation::Add, None) => format!("{label} ({key}) +{}", value.replace('_', " ")),
    }
}
