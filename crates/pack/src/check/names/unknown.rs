//! A name that an expression does not know: what was most likely meant.

use super::error;
use crate::check::builder::{Builder, KnownKind, KnownStep};
use crate::expr::Resolved;
use crate::problem::ExprProblem;
use crate::unknown_name::{Noun, UnknownName};
use crate::value::Type;
use adjutant_dice::Text;

impl Builder<'_, '_> {
    pub(super) fn unknown(&self, name: &str) -> Resolved {
        let base = name.split('.').next().unwrap_or(name);
        if self.broken.iter().any(|known| known == base || known == name) {
            return Err(None);
        }
        if base == "face" && self.face.is_none() {
            return error(ExprProblem::FaceOutside { name: name.into() });
        }
        if let Some((base, id)) = name.rsplit_once('.')
            && let Some(keyed) = self.keyed(base, id)
        {
            let words = keyed.words.iter().map(|(word, _)| word.as_str().into()).collect();
            return error(ExprProblem::KeyMissing { name: name.into(), words });
        }
        let later = self.raw.steps.iter().any(|step| step.name.it == base)
            && !self.steps.iter().any(|step| step.name == base);
        if later {
            return error(ExprProblem::LaterStep { name: name.into() });
        }
        if is_dice(name) {
            return error(ExprProblem::DiceInExpression { dice: name.into() });
        }
        // A word of any question: it may be meant for a chart that is checked later.
        let asks = self.ground.raw.charts.iter().flat_map(|chart| &chart.asks);
        let mut words = asks.filter_map(|ask| ask.field.accepts.words()).flatten();
        if words.any(|word| word.id == name) || self.words.find(name).is_some() {
            return error(ExprProblem::UnquotedWord { word: name.into() });
        }
        let known = self.all_names(name);
        let mut unknown = UnknownName::brief(Noun::Name, name, known.iter().map(String::as_str));
        // A value without its role: `skill` for `firer.skill`.
        let of_role = known.iter().find(|known| {
            known.rsplit_once('.').is_some_and(|(role, id)| {
                id == name && self.roles.iter().any(|known| known.id == role)
            })
        });
        if let Some(of_role) = of_role {
            unknown.nearest = Some(of_role.as_str().into());
        }
        let rolls = |step: &KnownStep| step.name == base && matches!(step.kind, KnownKind::Roll(_));
        if let (None, Some((_, part))) = (&unknown.nearest, name.split_once('.'))
            && self.steps.iter().any(rolls)
        {
            return error(ExprProblem::NoTally { step: base.into(), name: part.into() });
        }
        error(ExprProblem::UnknownName(unknown))
    }

    /// All names that are valid in place of `name`: the attributes of its role, or every plain
    /// name.
    fn all_names(&self, name: &str) -> Vec<String> {
        let base = name.split_once('.').map(|(base, _)| base);
        let mut all: Vec<String> = self.inputs.iter().map(|input| input.name.to_string()).collect();
        all.extend(self.steps.iter().map(|step| step.name.clone()));
        all.extend(
            self.vocabulary().options.iter().map(|option| format!("option.{}", option.field.id)),
        );
        for (place, memory) in self.vocabulary().memory.iter_enumerated() {
            let per_side = self.vocabulary().side_memory.contains(&place);
            let base = if per_side { "side" } else { "memory" };
            all.push(format!("{base}.{}", memory.id));
        }
        let decks = self.vocabulary().decks.iter();
        if let Some(deck) = self.face.as_ref().and_then(|scope| scope.cards) {
            let fields = self.vocabulary().decks[deck].fields.iter();
            all.extend(fields.map(|field| format!("face.{}", field.id)));
        }
        for deck in decks {
            let name = deck.id.replace("-", "_");
            let hand = deck.hand.is_some().then_some("hand");
            let places =
                ["left"].into_iter().chain(hand).chain(deck.piles.iter().map(Text::as_str));
            all.extend(places.map(|place| format!("deck.{name}.{place}")));
        }
        let roles = self
            .roles
            .iter()
            .map(|role| (role.id.as_str(), role.kind))
            .chain(self.other.map(|kind| ("other", kind)));
        for (id, kind) in roles {
            all.extend(
                self.vocabulary().kinds[kind].has.iter().map(|field| format!("{id}.{}", field.id)),
            );
            all.extend(
                self.vocabulary()
                    .statuses
                    .iter()
                    .filter(|s| s.of.contains(&kind))
                    .map(|s| format!("{id}.{}", s.id)),
            );
        }
        for step in &self.steps {
            let facets: &[&str] = match step.kind {
                KnownKind::Roll(_) => &crate::check::roll::FACETS,
                KnownKind::Draw { several: None, .. } => &["number", "blank"],
                KnownKind::Draw { .. } => &["cards", "highest", "lowest"],
                KnownKind::LookUp { .. } => &["value", "result"],
                KnownKind::Value(_) => &[],
            };
            all.extend(facets.iter().map(|facet| format!("{}.{facet}", step.name)));
            if let KnownKind::Roll(roll) = &step.kind {
                all.push(format!("{}.die_1", step.name));
                let words = match &roll.face {
                    Type::Choice(words) => words.iter().copied().collect(),
                    _ => Vec::new(),
                };
                let named = roll.fields.iter().map(|(field, _)| *field).chain(words);
                all.extend(named.map(|word| format!("{}.{}", step.name, self.words.text(word))));
                all.extend(roll.tally.iter().map(|(name, _)| format!("{}.{name}", step.name)));
            }
            if let KnownKind::Draw { deck, several, .. } = &step.kind {
                let tallies = several.iter().flat_map(|cards| &cards.tally);
                all.extend(tallies.map(|(name, _)| format!("{}.{name}", step.name)));
                all.extend(
                    self.vocabulary().decks[*deck]
                        .fields
                        .iter()
                        .map(|field| format!("{}.{}", step.name, field.id)),
                );
            }
        }
        adjutant_dice::sort(&mut all);
        all.dedup();
        if let Some(base) = base {
            let prefix = format!("{base}.");
            if all.iter().any(|known| known.starts_with(&prefix)) {
                all.retain(|known| known.starts_with(&prefix));
            }
        }
        all
    }
}

/// Whether a name is written as dice: `d6`, `2d6`.
fn is_dice(name: &str) -> bool {
    let sides = name.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(['d', 'D']);
    sides.is_some_and(|sides| !sides.is_empty() && sides.chars().all(|c| c.is_ascii_digit()))
}
