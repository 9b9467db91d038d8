//! Sentences with names in them: `says = "A shot at {card.hex}"`.

use super::builder::{Builder, ExpectedType, KnownKind};
use crate::chart::Saying;
use crate::pack::DeckFieldKind;
use crate::problem::ReadProblem;
use crate::tree::{Located, Place};

impl Builder<'_, '_> {
    /// The parts of a sentence. A name in braces is any name that is known after the steps.
    pub fn sentence(&mut self, text: &str, at: &Place) -> Vec<Saying> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else { break };
            if !before.is_empty() {
                parts.push(Saying::Words(before.into()));
            }
            parts.extend(self.named(name, at));
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(Saying::Words(rest.into()));
        }
        let says = |part: &Saying| !matches!(part, Saying::Words(_));
        if !text.is_empty() && !text.contains('{') && !parts.iter().any(says) {
            self.faults().add(at, ReadProblem::SaysWithoutValue);
        }
        parts
    }

    /// The name between the braces.
    fn named(&mut self, name: &str, at: &Place) -> Option<Saying> {
        if name == "value" {
            return Some(Saying::Value);
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        if name.is_empty() || !name.chars().all(plain) {
            self.faults().add(at, ReadProblem::SumInSentence { name: crate::text::clip(name) });
            return None;
        }
        let (base, field) = name.split_once('.').map_or((name, None), |(a, b)| (a, Some(b)));
        if let Some(step) = self.steps.rposition(|step| step.name == base)
            && let KnownKind::Draw { deck, read, several: None } = &self.steps[step].kind
        {
            let sheet = &self.vocabulary().decks[*deck];
            match field {
                None if read.is_none() => return Some(Saying::Card(step, None)),
                Some("title") => return Some(Saying::Card(step, None)),
                Some(field) => {
                    let known = sheet.fields.position(|known| known.id == field);
                    let text = |place: &crate::ids::FieldId| {
                        sheet.fields[*place].kind == DeckFieldKind::Text
                    };
                    if let Some(place) = known.filter(text) {
                        return Some(Saying::Card(step, Some(place)));
                    }
                }
                None => {}
            }
        }
        let written = Located { it: name.to_owned(), at: at.clone() };
        self.formula(&written, ExpectedType::Any).map(Saying::Name)
    }
}
