//! Which dice count and what they are worth, and what a player decides on the way.

use super::{DieScore, FinishedDie, HandKind, HandfulOutcome, Lying, order};
use crate::error::ResolveError;
use crate::run::{Halt, Run};
use adjutant_dice::{Accepts, Answer, ChoiceWord, Number, Question, Text};
use adjutant_pack::{Decision, FacePart, Formula, MOST_ROLLED, Roll, Step, Type, Value, Yields};

impl<'p> Run<'p, '_, '_> {
    /// Sets what `face` is.
    pub fn set_face(&mut self, roll: &Roll, kind: &HandKind<'_>, face: Value) {
        for (part, slot) in &roll.face {
            let value = match part {
                FacePart::Face => face,
                FacePart::Field(name) => Value::Number(kind.field(face, *name)),
                FacePart::Die => Value::Word(kind.word),
                FacePart::Sides => Value::Number(kind.highest()),
                FacePart::Card(_) => continue,
            };
            self.set(*slot, value);
        }
    }

    pub fn face_holds(
        &mut self,
        roll: &Roll,
        kind: &HandKind<'_>,
        face: Value,
        when: &Formula,
    ) -> Result<bool, Halt> {
        self.set_face(roll, kind, face);
        self.holds(when)
    }

    /// A number of dice: whole, and not below 0.
    pub fn how_many(&self, formula: &Formula) -> Result<u32, Halt> {
        let whole = self.number(formula)?.floor().as_whole().unwrap_or(0);
        Ok(whole.clamp(0, MOST_ROLLED.into()) as u32)
    }

    /// What a die is worth; yes is 1.
    pub fn worth(&self, formula: &Formula) -> Result<Number, Halt> {
        Ok(match self.eval(formula)? {
            Value::Number(n) => n,
            Value::YesNo(yes) => Number::from(u32::from(yes)),
            Value::Word(_) => Number::ZERO,
        })
    }

    /// What a finished die counts for.
    pub fn score(
        &mut self,
        roll: &Roll,
        kinds: &[HandKind<'_>],
        kind: usize,
        value: Value,
    ) -> Result<DieScore, Halt> {
        self.set_face(roll, &kinds[kind], value);
        let each = roll.each.as_ref().map(|each| &each.formula);
        let worth = match each {
            Some(each) => Some(self.worth(each)?),
            None => value.number(),
        };
        let rank = match (each, worth) {
            (Some(Formula { kind: Type::Number, .. }), Some(worth)) => worth,
            _ => order(value, kinds),
        };
        let tallies = roll.tally.iter().map(|tally| self.worth(&tally.formula));
        Ok(DieScore { worth, rank, tallies: tallies.collect::<Result<_, _>>()? })
    }

    /// What the dice that lie there come to, before one of them is chosen.
    pub fn outcome_of(
        &mut self,
        roll: &Roll,
        kinds: &[HandKind<'_>],
        dice: &[Lying],
    ) -> Result<HandfulOutcome, Halt> {
        let mut found = HandfulOutcome::default();
        for die in dice {
            let value = die.value(kinds);
            let score = self.score(roll, kinds, die.kind, value)?;
            found.dice.push(FinishedDie { lying: die.clone(), value, score, kept: true });
        }
        if let Some(keep) = &roll.keep {
            let high = keep.highest().map_or(Ok(0), |many| self.how_many(many))? as usize;
            let low = keep.lowest().map_or(Ok(0), |many| self.how_many(many))? as usize;
            let mut sorted: Vec<usize> = (0..found.dice.len()).collect();
            adjutant_dice::sort_by_key(&mut sorted, |at| {
                let die = &found.dice[*at];
                (die.score.rank, order(die.value, kinds), die.lying.kind)
            });
            let all = sorted.len();
            for (place, at) in sorted.into_iter().enumerate() {
                found.dice[at].kept = place < low || place + high >= all;
            }
        }
        self.add_up(roll, &mut found)?;
        Ok(found)
    }

    /// The size of the boxes that are filled, and what is in the first.
    pub fn fill_of(&self, roll: &Roll) -> Result<Option<(Number, Number)>, Halt> {
        let Some(fill) = &roll.fill else { return Ok(None) };
        let begun = fill.begun.as_ref().map_or(Ok(Number::ZERO), |begun| self.number(begun))?;
        Ok(Some((self.number(&fill.size)?, begun)))
    }

    /// The total, the face and the boxes of the dice that count.
    fn add_up(&mut self, roll: &Roll, found: &mut HandfulOutcome) -> Result<(), Halt> {
        let mut sum = Number::ZERO;
        let fill = self.fill_of(roll)?;
        let (size, mut box_of) = (fill.map(|(size, _)| size), fill.map_or(Number::ZERO, |f| f.1));
        found.filled = 0;
        for die in found.dice.iter().filter(|die| die.kept) {
            let worth = die.score.worth.unwrap_or(Number::ZERO);
            sum = self.sum(sum.plus(worth))?;
            if let Some(size) = size.filter(|size| *size > Number::ZERO) {
                box_of = self.sum(box_of.plus(worth))?;
                if box_of >= size {
                    found.filled += 1;
                    box_of = Number::ZERO;
                }
            }
        }
        found.partly = box_of;
        found.natural = (roll.yields == Yields::Number).then_some(sum);
        let mut kept = found.dice.iter().filter(|die| die.kept);
        found.face = match (roll.yields, kept.next()) {
            (Yields::Face, Some(die)) => Some(die.value),
            _ => None,
        };
        Ok(())
    }

    /// Asks a player whether to go on. The dice as they lie can be used to assume an answer.
    pub(super) fn decide(
        &mut self,
        step: &Step,
        roll: &Roll,
        kinds: &[HandKind<'p>],
        dice: &[Lying],
        ask: &Decision,
    ) -> Result<bool, Halt> {
        let found = self.outcome_of(roll, kinds, dice)?;
        self.set_handful(step, roll, kinds, &found);
        self.decision(step, "reroll", ask)
    }

    /// Asks a player a question of a roll.
    pub fn decision(&mut self, step: &Step, what: &str, ask: &Decision) -> Result<bool, Halt> {
        let assume = match &ask.assume {
            Some(assume) => Some(Answer::YesNo(self.holds(assume)?)),
            None => None,
        };
        let key = Text::from(format!("{}.{what}", step.name));
        let answer = self.question(&key, &ask.prompt, &Accepts::YesNo, assume.as_ref())?;
        Ok(answer == Answer::YesNo(true))
    }

    /// Asks a player, and notes the answer.
    pub fn question(
        &mut self,
        key: &Text,
        prompt: &Text,
        accepts: &Accepts,
        assume: Option<&Answer>,
    ) -> Result<Answer, Halt> {
        let question = Question { key, prompt, accepts, assume, default: None };
        let answer = self.shared.source.answer(&question)?;
        if !accepts.holds(&answer) {
            let (key, accepts) = (key.clone(), accepts.clone());
            return Err(ResolveError::NotAccepted { key, answer, accepts }.into());
        }
        self.note_answer(key, prompt, &answer);
        Ok(answer)
    }

    /// Lets one die count: the one that a player picks, or the best.
    pub fn choose(
        &mut self,
        step: &Step,
        roll: &Roll,
        kinds: &[HandKind<'p>],
        found: &mut HandfulOutcome,
    ) -> Result<(), Halt> {
        let Some(choose) = &roll.choose else { return Ok(()) };
        let mut best: Option<(usize, Number)> = None;
        for at in 0..found.dice.len() {
            let FinishedDie { value, lying, .. } = &found.dice[at];
            let (value, kind) = (*value, lying.kind);
            self.set_face(roll, &kinds[kind], value);
            let good = match &choose.best {
                Some(best) => self.number(best)?,
                None => Number::ZERO,
            };
            let key = |at: usize, good: Number| {
                let die: &FinishedDie = &found.dice[at];
                (good, order(die.value, kinds), die.lying.kind)
            };
            if best.is_none_or(|(known, worth)| key(at, good) > key(known, worth)) {
                best = Some((at, good));
            }
        }
        let Some((mut picked, _)) = best else { return Ok(()) };
        if let Some(by) = &choose.by {
            let by = self.eval(by)?.to_answer(self.shared.pack.words());
            let lying = self.faces_lying(kinds, found);
            if lying.len() > 1 {
                let name = |at: usize| self.face_name(found.dice[at].value);
                let assume = choose.best.as_ref().map(|_| Answer::Choice(name(picked)));
                let accepts = Accepts::Choice { words: lying };
                let key = Text::from(format!("{}.choose", step.name));
                let prompt = Text::from(format!("{}: {by} picks a die", step.title));
                let answer = self.question(&key, &prompt, &accepts, assume.as_ref())?;
                let chosen = (0..found.dice.len())
                    .find(|at| answer == Answer::Choice(self.face_name(found.dice[*at].value)));
                picked = chosen.unwrap_or(picked);
            }
        }
        for (at, die) in found.dice.iter_mut().enumerate() {
            die.kept = at == picked;
        }
        self.add_up(roll, found)
    }

    /// The faces that lie there, each once.
    fn faces_lying(&self, kinds: &[HandKind<'_>], found: &HandfulOutcome) -> Vec<ChoiceWord> {
        let mut words: Vec<ChoiceWord> = Vec::new();
        for die in &found.dice {
            let id = self.face_name(die.value);
            if !words.iter().any(|known| known.id == id) {
                let label = kinds[die.lying.kind].title(die.value).unwrap_or_else(|| id.clone());
                words.push(ChoiceWord { id, label });
            }
        }
        words
    }

    /// A face as players type it.
    pub fn face_name(&self, value: Value) -> Text {
        match value {
            Value::Word(word) => self.shared.pack.words().text(word).into(),
            Value::Number(n) => n.to_string().into(),
            Value::YesNo(_) => Text::default(),
        }
    }
}
