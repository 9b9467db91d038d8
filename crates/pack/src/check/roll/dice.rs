//! The dice of a roll and their faces.

use super::FaceScope;
use crate::chart::NameSource;
use crate::check::builder::{Builder, ExpectedType};
use crate::check::vocabulary::{self, find_index};
use crate::die::Die;
use crate::expr::{Formula, Range, Slot};
use crate::ids::{Id, StepId};
use crate::problem::{RollProblem, StepProblem};
use crate::raw::{RawDice, RawRoll, RawStep};
use crate::roll::{FacePart, Roll, RolledDie, RolledKind};
use crate::tree::Located;
use crate::unknown_name::Noun;
use crate::value::{Type, Value, Word};
use adjutant_dice::{Dice, DiceError, MOST_SIDES, Number, Text};
use std::collections::BTreeSet;

impl Builder<'_, '_> {
    /// The kinds of dice and their numbers.
    pub(super) fn rolled_kinds(&mut self, raw: &RawRoll) -> Option<Vec<RolledKind>> {
        match &raw.dice {
            RawDice::Written(text) => {
                let (written, die) = self.rolled_die(text, raw.sides.as_ref())?;
                let count = match &raw.count {
                    Some(text) => self.formula(text, ExpectedType::Number)?,
                    None => Formula::fixed(Number::from(written)),
                };
                Some(vec![self.rolled_kind(die, count)])
            }
            RawDice::Kinds(at, list) => {
                for given in [&raw.count, &raw.sides].into_iter().flatten() {
                    self.faults().add(&given.at, RollProblem::CountOfKinds);
                }
                let mut kinds = Vec::new();
                let mut whole = true;
                for (name, count) in list {
                    let die = self.rolled_die(name, None).map(|(_, die)| die);
                    let count = self.formula(count, ExpectedType::Number);
                    match (die, count) {
                        (Some(die), Some(count)) => kinds.push(self.rolled_kind(die, count)),
                        _ => whole = false,
                    }
                }
                if list.is_empty() {
                    self.faults().add(at, StepProblem::NeverSoManyDice);
                }
                (whole && !kinds.is_empty()).then_some(kinds)
            }
        }
    }

    pub(super) fn rolled_kind(&mut self, die: RolledDie, count: Formula) -> RolledKind {
        let name: Text = match &die {
            RolledDie::Plain(sides) => format!("d{sides}").into(),
            RolledDie::Sized(_) => "d".into(),
            RolledDie::Digits { sides, digits } => {
                format!("d{}", sides.to_string().repeat(*digits as usize)).into()
            }
            RolledDie::Named(die) => self.vocabulary().dice[*die].id.clone(),
        };
        RolledKind { die, count, word: self.words.intern(&name) }
    }

    /// The die that a text names, and the number of dice before it.
    pub(super) fn rolled_die(
        &mut self,
        text: &Located<String>,
        sides: Option<&Located<String>>,
    ) -> Option<(u32, RolledDie)> {
        let written = text.it.trim();
        let all = &self.vocabulary().dice;
        if let Some(die) = all.position(|die| die.id == written) {
            self.no_sides(text, sides);
            return Some((1, RolledDie::Named(die)));
        }
        let open = written.strip_suffix(['d', 'D']);
        if let Some(count) =
            open.and_then(|count| if count.is_empty() { Some(1) } else { count.parse().ok() })
        {
            let Some(sides) = sides else {
                self.faults().add(&text.at, RollProblem::SidesMissing { dice: text.clip() });
                return None;
            };
            let formula = self.formula(sides, ExpectedType::Number)?;
            let range = self.range(&formula);
            if range.to.is_some_and(|n| n < Number::from(2))
                || range.from.is_some_and(|n| n > Number::from(MOST_SIDES))
            {
                let problem = RollProblem::BadSides { least: 2, most: MOST_SIDES };
                self.faults().add(&sides.at, problem);
            }
            return Some((count, RolledDie::Sized(formula)));
        }
        self.no_sides(text, sides);
        let hundred = written.strip_suffix('%').map(|dice| format!("{dice}100"));
        match hundred.as_deref().unwrap_or(written).parse::<Dice>() {
            Ok(dice) => Some((dice.count, rolled(dice))),
            Err(error) => {
                self.bad_dice(text, error);
                None
            }
        }
    }

    pub(super) fn no_sides(&self, text: &Located<String>, sides: Option<&Located<String>>) {
        if let Some(sides) = sides {
            self.faults().add(&sides.at, RollProblem::SidesTwice { dice: text.clip() });
        }
    }

    pub(super) fn bad_dice(&self, text: &Located<String>, error: DiceError) {
        let all = &self.vocabulary().dice;
        let name = text.it.trim().trim_start_matches(|c: char| c.is_ascii_digit());
        if name != text.it.trim() && all.iter().any(|die| die.id == name) {
            let problem = RollProblem::CountBeforeDie { die: name.into() };
            return self.faults().add(&text.at, problem);
        }
        if error == DiceError::Form && vocabulary::is_name(&text.it) && !all.is_empty() {
            let known = all.iter().map(|die| die.id.as_str());
            find_index(text, Noun::Die, known, self.faults());
            return;
        }
        let sum = text.it.contains(['+', '-']);
        self.faults().add(&text.at, StepProblem::BadDice { dice: text.clip(), error, sum });
    }

    /// What `face` is in this roll.
    pub(super) fn face_scope(&mut self, kinds: &[RolledKind], step: &RawStep) -> Option<FaceScope> {
        let mut words: BTreeSet<Word> = BTreeSet::new();
        let mut range: Option<Range> = None;
        let mut sides: Option<Range> = None;
        let mut fields: Vec<(Word, Range)> = Vec::new();
        let join = |known: &mut Option<Range>, more: Range| {
            *known = Some(known.map_or(more, |known| known.or(more)));
        };
        for kind in kinds {
            let of = self.faces_of(&kind.die);
            join(&mut sides, of.sides);
            match of.words {
                Some(list) => words.extend(list),
                None => join(&mut range, of.range),
            }
            for (name, found) in of.fields {
                match fields.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, known)) => *known = known.or(found),
                    None => fields.push((name, found)),
                }
            }
        }
        if kinds.len() > 1 {
            fields.iter_mut().for_each(|(_, range)| *range = range.or(Range::just(Number::ZERO)));
        }
        if !words.is_empty() && range.is_some() {
            self.faults().add(&step.at, RollProblem::MixedDice);
            return None;
        }
        let kind = if words.is_empty() { Type::Number } else { Type::Choice(words) };
        Some(FaceScope {
            parts: Vec::new(),
            step: StepId::from_index(self.steps.len()),
            kind,
            range: range.unwrap_or(Range::ANY),
            fields,
            dice: kinds.iter().map(|kind| kind.word).collect(),
            sides: sides.unwrap_or(Range::ANY),
            cards: None,
            reads: true,
        })
    }

    fn faces_of(&self, die: &RolledDie) -> Faces {
        let upto = |n: u32| Range::between(Number::ONE, Number::from(n), true);
        let plain = |range: Range| Faces {
            words: None,
            range,
            sides: Range { from: Some(Number::from(2)), ..range },
            fields: Vec::new(),
        };
        match die {
            RolledDie::Plain(sides) => {
                Faces { sides: Range::just(Number::from(*sides)), ..plain(upto(*sides)) }
            }
            RolledDie::Sized(formula) => {
                let most = self.range(formula).floor().to.and_then(Number::as_whole);
                let most = most.unwrap_or(MOST_SIDES.into()).clamp(2, MOST_SIDES.into());
                plain(upto(most as u32))
            }
            RolledDie::Digits { sides, digits } => {
                let all = |n: u32| n.to_string().repeat(*digits as usize).parse().unwrap_or(0_u32);
                plain(Range::between(Number::from(all(1)), Number::from(all(*sides)), true))
            }
            RolledDie::Named(die) => faces_of_die(&self.vocabulary().dice[*die]),
        }
    }

    /// The type, the range and the fields of a finished die.
    pub fn finished_face(&mut self, roll: &Roll) -> (Type, Range, Vec<(Word, Range)>) {
        let single = roll.kinds.iter().map(|kind| self.faces_of(&kind.die));
        let mut words: BTreeSet<Word> = BTreeSet::new();
        let mut range: Option<Range> = None;
        let mut fields: Vec<(Word, Range)> = Vec::new();
        for faces in single {
            match faces.words {
                Some(list) => words.extend(list),
                None => range = Some(range.map_or(faces.range, |known| known.or(faces.range))),
            }
            for (name, found) in faces.fields {
                match fields.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, known)) => *known = known.or(found),
                    None => fields.push((name, found)),
                }
            }
        }
        if roll.kinds.len() > 1 {
            fields.iter_mut().for_each(|(_, range)| *range = range.or(Range::just(Number::ZERO)));
        }
        let mut range = range.unwrap_or(Range::ANY);
        if let Some(explode) = &roll.explode {
            let times = Range::between(Number::ZERO, Number::from(explode.at_most), true);
            range = range.plus(range.times(times).or(Range::just(Number::ZERO)));
        }
        let kind = if words.is_empty() { Type::Number } else { Type::Choice(words) };
        (kind, range, fields)
    }

    /// A name of one die: `face`, `face.die`, `face.hits`.
    pub fn face_name(&mut self, rest: Option<&str>) -> Option<(Slot, Type)> {
        let word = rest.map(|name| self.words.intern(name));
        let cards = self.face.as_ref()?.cards;
        let of_card = match cards {
            Some(deck) => Some(self.card_name(deck, rest)?),
            None => None,
        };
        let scope = self.face.as_ref()?;
        let (part, kind, range) = match (rest, word) {
            _ if of_card.is_some() => of_card?,
            (None, _) => (FacePart::Face, scope.kind.clone(), scope.range),
            (Some("die"), _) => (FacePart::Die, Type::Choice(scope.dice.clone()), Range::ANY),
            (Some("sides"), _) => (FacePart::Sides, Type::Number, scope.sides),
            (_, word) => {
                let (name, range) = scope.fields.iter().find(|(known, _)| Some(*known) == word)?;
                (FacePart::Field(*name), Type::Number, *range)
            }
        };
        if let Some((_, slot)) = scope.parts.iter().find(|(known, _)| *known == part) {
            return Some((*slot, kind));
        }
        let text = rest.map_or("face".to_owned(), |rest| format!("face.{rest}"));
        let origin = NameSource::Face(scope.step, part);
        let slot = self.new_name(text, origin, kind.clone(), range);
        if let Some(scope) = self.face.as_mut() {
            scope.parts.push((part, slot));
        }
        Some((slot, kind))
    }
}

/// The faces of one kind of die.
struct Faces {
    words: Option<BTreeSet<Word>>,
    range: Range,
    sides: Range,
    fields: Vec<(Word, Range)>,
}

fn faces_of_die(die: &Die) -> Faces {
    let mut names: Vec<Word> =
        die.faces.iter().flat_map(|face| face.fields.iter().map(|(name, _)| *name)).collect();
    adjutant_dice::sort(&mut names);
    names.dedup();
    let over = |numbers: &mut dyn Iterator<Item = Number>| {
        numbers.map(Range::just).reduce(Range::or).unwrap_or(Range::ANY)
    };
    let fields =
        names.into_iter().map(|name| (name, over(&mut die.faces.iter().map(|f| f.field(name)))));
    let words = die.faces.iter().filter_map(|face| match face.value {
        Value::Word(word) => Some(word),
        _ => None,
    });
    let words: BTreeSet<Word> = adjutant_dice::set_of(words);
    let range = over(&mut die.faces.iter().filter_map(|face| face.value.number()));
    let highest = die.faces.iter().filter_map(|face| face.value.number()).max();
    let sides = highest.unwrap_or(Number::from(die.faces.len() as u32));
    Faces {
        words: (!words.is_empty()).then_some(words),
        range,
        sides: Range::just(sides),
        fields: fields.collect(),
    }
}

/// A plain die, or dice whose notation means digits to players: d66, d88, d666.
fn rolled(dice: Dice) -> RolledDie {
    match dice.sides {
        66 => RolledDie::Digits { sides: 6, digits: 2 },
        666 => RolledDie::Digits { sides: 6, digits: 3 },
        88 => RolledDie::Digits { sides: 8, digits: 2 },
        888 => RolledDie::Digits { sides: 8, digits: 3 },
        sides => RolledDie::Plain(sides),
    }
}
