//! What a handful comes to, for expressions and for the resolution.

use super::{FinishedDie, HandKind, HandfulOutcome, order};
use crate::resolution::{DieLine, RollStep, TallyLine};
use crate::run::Run;
use adjutant_dice::{Number, Text};
use adjutant_pack::{Facet, Roll, Step, Value, Yields};

impl Run<'_, '_, '_> {
    /// Stores what the dice come to where expressions can refer to it.
    pub fn set_handful(
        &mut self,
        step: &Step,
        roll: &Roll,
        kinds: &[HandKind<'_>],
        found: &HandfulOutcome,
    ) {
        for (facet, slot) in &step.facets {
            let value = self.handful_facet(*facet, roll, kinds, found);
            if let (Some(value), Some(place)) = (value, self.slots.values.get_mut(*slot)) {
                *place = Some(value);
            }
        }
    }

    fn handful_facet(
        &self,
        facet: Facet,
        roll: &Roll,
        kinds: &[HandKind<'_>],
        found: &HandfulOutcome,
    ) -> Option<Value> {
        let number = |n: Number| Some(Value::Number(n));
        let count = |n: usize| number(Number::from(n as u32));
        let dice = &found.dice;
        let none = || self.shared.pack.words().find("none").map(Value::Word);
        let nothing = || match kinds.first().map(|kind| kind.value(0)) {
            Some(Value::Word(_)) => none(),
            _ => number(Number::ZERO),
        };
        let kept = || dice.iter().filter(|die| die.kept);
        let sum = |of: &dyn Fn(&FinishedDie) -> Number| {
            kept().fold(Number::ZERO, |sum, die| sum.plus(of(die)).unwrap_or(sum))
        };
        let groups = || groups(dice, kinds);
        match facet {
            Facet::Total | Facet::Natural => match roll.yields {
                Yields::Number => found.natural.map(Value::Number),
                Yields::Face => found.face.or_else(none),
                Yields::Nothing => None,
            },
            Facet::Dice => count(dice.len()),
            Facet::Highest => {
                number(dice.iter().filter_map(|die| die.value.number()).max().unwrap_or_default())
            }
            Facet::Lowest => {
                number(dice.iter().filter_map(|die| die.value.number()).min().unwrap_or_default())
            }
            Facet::Doubles => Some(Value::YesNo(groups().iter().any(|(_, many)| *many > 1))),
            Facet::Die(place) => match dice.get(place as usize - 1) {
                Some(die) => Some(die.value),
                None => nothing(),
            },
            Facet::High(place) => {
                let mut faces: Vec<Number> =
                    dice.iter().filter_map(|die| die.value.number()).collect();
                adjutant_dice::sort_by(&mut faces, |a, b| b.cmp(a));
                number(faces.get(place as usize - 1).copied().unwrap_or_default())
            }
            Facet::Tally(tally) => number(sum(&|die| die.score.tallies[tally as usize])),
            Facet::FaceField(name) => {
                number(sum(&|die| kinds[die.lying.kind].field(die.value, name)))
            }
            Facet::FaceCount(word) => {
                count(kept().filter(|die| die.value == Value::Word(word)).count())
            }
            Facet::Width => count(groups().iter().map(|(_, many)| *many).max().unwrap_or(0)),
            Facet::Height => {
                groups().iter().max_by_key(|(_, many)| *many).map(|(v, _)| *v).or_else(nothing)
            }
            Facet::Pair => {
                let pairs = groups();
                let highest = pairs.iter().rev().find(|(_, many)| *many > 1);
                highest.map(|(value, _)| *value).or_else(nothing)
            }
            Facet::Pairs => count(groups().iter().filter(|(_, many)| *many > 1).count()),
            Facet::Run => count(longest_run(&groups())),
            Facet::Rerolled => count(dice.iter().filter(|die| die.lying.rerolls > 0).count()),
            Facet::Again => count(found.again as usize),
            Facet::Filled => count(found.filled as usize),
            Facet::Partly => number(found.partly),
            Facet::Field(_) | Facet::Blank | Facet::Card | Facet::Value | Facet::Result => None,
        }
    }

    /// Shows the dice in the resolution.
    pub fn show_handful(
        &self,
        roll: &Roll,
        kinds: &[HandKind<'_>],
        found: &HandfulOutcome,
        entry: &mut RollStep,
    ) {
        let written: Vec<Text> = kinds
            .iter()
            .filter(|kind| kind.count > 0 || kinds.len() == 1)
            .map(|kind| kind.written(kind.count))
            .collect();
        entry.dice = written.join(" + ").into();
        let face = |kind: &HandKind<'_>, value: Value| {
            kind.title(value).unwrap_or_else(|| self.face_name(value))
        };
        entry.handful = found
            .dice
            .iter()
            .map(|die| {
                let kind = &kinds[die.lying.kind];
                let shown = |place: &usize| face(kind, kind.value(*place));
                let rolls: Vec<Text> = die.lying.places.iter().map(shown).collect();
                let (before, stayed) = rolls.split_at(die.lying.rerolls);
                DieLine {
                    die: kind.written(1),
                    face: face(kind, die.value),
                    rerolled: before.to_vec(),
                    exploded: if stayed.len() > 1 { stayed.to_vec() } else { Vec::new() },
                    extra: die.lying.extra > 0,
                    dropped: !die.kept,
                    worth: die.score.worth.filter(|_| roll.each.is_some()),
                }
            })
            .collect();
        let whole = |value: Value| {
            value.number().and_then(Number::as_whole).and_then(|n| u32::try_from(n).ok())
        };
        entry.faces = found
            .dice
            .iter()
            .map(|die| whole(die.value).unwrap_or(die.lying.last() as u32 + 1))
            .collect();
        let dropped = found.dice.iter().any(|die| !die.kept);
        entry.kept = dropped.then(|| {
            let kept = found.dice.iter().zip(&entry.faces).filter(|(die, _)| die.kept);
            kept.map(|(_, face)| *face).collect()
        });
        let sum = |tally: usize| {
            let kept = found.dice.iter().filter(|die| die.kept);
            kept.fold(Number::ZERO, |sum, die| sum.plus(die.score.tallies[tally]).unwrap_or(sum))
        };
        entry.tallies = roll
            .tally
            .iter()
            .enumerate()
            .map(|(at, tally)| TallyLine { name: tally.name.clone(), value: sum(at) })
            .collect();
    }
}

/// Equal values with their number, from the lowest to the highest.
fn groups(dice: &[FinishedDie], kinds: &[HandKind<'_>]) -> Vec<(Value, usize)> {
    let mut values: Vec<Value> = dice.iter().map(|die| die.value).collect();
    adjutant_dice::sort_by_key(&mut values, |value| order(*value, kinds));
    let mut found: Vec<(Value, usize)> = Vec::new();
    for value in values {
        match found.last_mut().filter(|(known, _)| *known == value) {
            Some((_, many)) => *many += 1,
            None => found.push((value, 1)),
        }
    }
    found
}

/// The length of the longest run of whole numbers.
fn longest_run(groups: &[(Value, usize)]) -> usize {
    let (mut longest, mut here, mut last) = (0, 0, None);
    for (value, _) in groups {
        let Some(n) = value.number().and_then(Number::as_whole) else { continue };
        here = if last == Some(n - 1) { here + 1 } else { 1 };
        last = Some(n);
        longest = longest.max(here);
    }
    longest
}
