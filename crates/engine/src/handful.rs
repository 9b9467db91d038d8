//! Rolls a handful of dice: the first roll, re-rolls, explosions, extra dice, then which dice count
//! and what they are worth. Every request goes through the input source, so each is one entry of a
//! log.

use crate::error::ResolveError;
use crate::resolution::{DieLine, RollStep, TallyLine};
use crate::run::{Halt, Run};
use adjutant_dice::{
    Accepts, Answer, ChoiceWord, DiceRequest, MOST_DICE, MOST_SIDES, Number, Question, Relevance,
    Site, Text,
};
use adjutant_pack::{
    Decision, Die, FacePart, Facet, Formula, MOST_ROLLED, Pack, Roll, RolledDie, Step, StepId,
    Type, Value, Word, Yields,
};

/// Dice of one kind, with their number and faces worked out.
pub(crate) struct HandKind<'p> {
    pub count: u32,
    pub word: Word,
    die: HandDie<'p>,
}

#[derive(Clone, Copy)]
enum HandDie<'p> {
    Plain(u32),
    Digits { sides: u32, digits: u32 },
    Named(&'p Die),
}

impl<'p> HandKind<'p> {
    /// The number of faces.
    pub fn faces(&self) -> usize {
        match self.die {
            HandDie::Plain(sides) => sides as usize,
            HandDie::Digits { sides, digits } => sides.pow(digits) as usize,
            HandDie::Named(die) => die.faces.len(),
        }
    }

    /// What the face at this place shows.
    pub fn value(&self, place: usize) -> Value {
        match self.die {
            HandDie::Plain(_) => Value::Number(Number::from(place as u32 + 1)),
            HandDie::Digits { sides, digits } => {
                let (mut rest, mut number, mut unit) = (place as u32, 0, 1);
                for _ in 0..digits {
                    number += (rest % sides + 1) * unit;
                    rest /= sides;
                    unit *= 10;
                }
                Value::Number(Number::from(number))
            }
            HandDie::Named(die) => {
                die.faces.get(place).map_or(Value::YesNo(false), |face| face.value)
            }
        }
    }

    /// The highest face, or the number of faces if they are words.
    fn highest(&self) -> Number {
        match self.die {
            HandDie::Plain(sides) => Number::from(sides),
            HandDie::Digits { sides, digits } => {
                Number::from((0..digits).fold(0, |number, _| number * 10 + sides))
            }
            HandDie::Named(die) => {
                let numbers = die.faces.iter().filter_map(|face| face.value.number());
                numbers.max().unwrap_or(Number::from(die.faces.len() as u32))
            }
        }
    }

    /// A number field of a face; 0 if it has none.
    pub fn field(&self, value: Value, name: Word) -> Number {
        match self.die {
            HandDie::Named(die) => {
                let face = die.faces.iter().find(|face| face.value == value);
                face.map_or(Number::ZERO, |face| face.field(name))
            }
            _ => Number::ZERO,
        }
    }

    /// The title of a face, if the die has names.
    fn title(&self, value: Value) -> Option<Text> {
        let HandDie::Named(die) = self.die else { return None };
        die.faces.iter().find(|face| face.value == value).map(|face| face.title.clone())
    }

    fn written(&self, count: u32) -> Text {
        match self.die {
            HandDie::Plain(sides) => format!("{count}d{sides}").into(),
            HandDie::Digits { sides, digits } => {
                format!("{count}d{}", sides.to_string().repeat(digits as usize)).into()
            }
            HandDie::Named(die) if count == 1 => die.title.clone(),
            HandDie::Named(die) => format!("{count} × {}", die.title).into(),
        }
    }
}

/// One die that lies there.
#[derive(Clone, Debug)]
pub(crate) struct Lying {
    /// Its place among the kinds.
    pub kind: usize,
    /// The places of all its faces in order: those re-rolled, the one that stayed, then those that
    /// exploding added.
    pub places: Vec<usize>,
    /// How many of them were re-rolled.
    pub rerolls: usize,
    /// How many extra dice came before it from the same first die; 0 for a die of the first roll.
    pub extra: u32,
}

impl Lying {
    pub fn new(kind: usize, place: usize, extra: u32) -> Lying {
        Lying { kind, places: vec![place], rerolls: 0, extra }
    }

    /// The face rolled last.
    fn last(&self) -> usize {
        self.places.last().copied().unwrap_or(0)
    }

    /// The face, or the sum of an exploded die.
    fn value(&self, kinds: &[HandKind<'_>]) -> Value {
        let kind = &kinds[self.kind];
        match &self.places[self.rerolls..] {
            [only] => kind.value(*only),
            all => {
                let numbers = all.iter().filter_map(|place| kind.value(*place).number());
                let sum = numbers.fold(Number::ZERO, |sum, n| sum.plus(n).unwrap_or(sum));
                Value::Number(sum)
            }
        }
    }
}

/// What a finished die counts for.
#[derive(Clone, Debug)]
pub(crate) struct DieScore {
    /// What it adds to the total; `None` if words are not added.
    pub worth: Option<Number>,
    /// By what dice are kept.
    pub rank: Number,
    pub tallies: Vec<Number>,
}

/// What a handful comes to.
#[derive(Clone, Debug, Default)]
pub(crate) struct HandfulOutcome {
    pub dice: Vec<FinishedDie>,
    pub natural: Option<Number>,
    /// The face of the one die that counts.
    pub face: Option<Value>,
    pub filled: u32,
    pub partly: Number,
    /// How often the whole roll was made again.
    pub again: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct FinishedDie {
    pub lying: Lying,
    pub value: Value,
    pub score: DieScore,
    pub kept: bool,
}

/// The number that stands for a value where values are put in order. Words that come first on
/// their die are the higher.
pub(crate) fn order(value: Value, kinds: &[HandKind<'_>]) -> Number {
    if let Value::Number(n) = value {
        return n;
    }
    let all = kinds.iter().flat_map(|kind| (0..kind.faces()).map(|place| kind.value(place)));
    let place = all.into_iter().position(|known| known == value).unwrap_or(0);
    -Number::from(place as u32 + 1)
}

impl<'p> Run<'p, '_, '_> {
    /// The kinds of dice of a roll, with their numbers.
    pub fn hand_kinds(
        &mut self,
        place: StepId,
        step: &Step,
        roll: &Roll,
        entry: &mut RollStep,
    ) -> Result<Vec<HandKind<'p>>, Halt> {
        let pack: &'p Pack = self.shared.pack;
        let mut kinds = Vec::with_capacity(roll.kinds.len());
        for (at, kind) in roll.kinds.iter().enumerate() {
            let count = match at {
                0 => self.number_of_dice(place, step, roll, entry)?,
                _ => self.checked_count(step, self.number(&kind.count)?)?,
            };
            let die = match &kind.die {
                RolledDie::Plain(sides) => HandDie::Plain(*sides),
                RolledDie::Digits { sides, digits } => {
                    HandDie::Digits { sides: *sides, digits: *digits }
                }
                RolledDie::Named(die) => HandDie::Named(&pack.dice()[*die]),
                RolledDie::Sized(_) if count == 0 => HandDie::Plain(2),
                RolledDie::Sized(sides) => HandDie::Plain(self.sides(step, sides)?),
            };
            kinds.push(HandKind { count, word: kind.word, die });
        }
        let dice: u32 = kinds.iter().map(|kind| kind.count).sum();
        if dice > MOST_DICE {
            return Err(self.too_many_dice(step, dice.into()));
        }
        Ok(kinds)
    }

    fn sides(&self, step: &Step, formula: &Formula) -> Result<u32, Halt> {
        let sides = self.number(formula)?;
        let whole = sides.as_whole().filter(|n| (2..=i64::from(MOST_SIDES)).contains(n));
        whole.map(|n| n as u32).ok_or_else(|| {
            let (chart, step) = (self.chart.title.clone(), step.title.clone());
            ResolveError::BadSides { chart, step, sides, most: MOST_SIDES }.into()
        })
    }

    /// Rolls the dice of a step. If the source stops it, the dice rolled so far lie there.
    pub fn roll_handful(
        &mut self,
        step: &Step,
        roll: &Roll,
        kinds: &[HandKind<'p>],
        site: Site,
        dice: &mut Vec<Lying>,
    ) -> Result<(), Halt> {
        let mut site = site;
        for (kind, known) in kinds.iter().enumerate() {
            let places = self.roll_kind(step, known, known.count, site)?;
            site.unchanged &= places.is_empty();
            dice.extend(places.into_iter().map(|place| Lying::new(kind, place, 0)));
        }
        let later = Site { unchanged: false, ..site };
        self.reroll_all(step, roll, kinds, dice, true, later)?;
        self.explode_all(step, roll, kinds, dice, later)?;
        let Some(extra) = &roll.extra else { return Ok(()) };
        let mut fresh: Vec<usize> = (0..dice.len()).collect();
        for depth in 1..=extra.at_most {
            let mut more: Vec<Lying> = Vec::new();
            for (kind, known) in kinds.iter().enumerate() {
                let mut wanted = 0;
                for die in fresh.iter().filter(|die| dice[**die].kind == kind) {
                    let face = known.value(dice[*die].last());
                    wanted += u32::from(self.face_holds(roll, known, face, &extra.when)?);
                }
                let places = self.roll_kind(step, known, wanted, later)?;
                more.extend(places.into_iter().map(|place| Lying::new(kind, place, depth)));
            }
            if more.is_empty() {
                break;
            }
            if dice.len() + more.len() > MOST_ROLLED as usize {
                return Err(self.too_many_dice(step, (dice.len() + more.len()) as i64));
            }
            self.reroll_all(step, roll, kinds, &mut more, false, later)?;
            self.explode_all(step, roll, kinds, &mut more, later)?;
            fresh = (dice.len()..dice.len() + more.len()).collect();
            dice.extend(more);
        }
        Ok(())
    }

    /// Rolls dice of one kind, as places on the die from 0.
    fn roll_kind(
        &mut self,
        step: &Step,
        kind: &HandKind<'_>,
        count: u32,
        site: Site,
    ) -> Result<Vec<usize>, Halt> {
        if count == 0 {
            return Ok(Vec::new());
        }
        self.count_roll()?;
        let (sides, digits, faces): (u32, u32, &[Text]) = match kind.die {
            HandDie::Plain(sides) => (sides, 1, &[]),
            HandDie::Digits { sides, digits } => (sides, digits, &[]),
            HandDie::Named(die) => (die.faces.len() as u32, 1, &die.names),
        };
        let ask = DiceRequest {
            key: &step.name,
            what_for: &step.what_for,
            count: count * digits,
            sides,
            faces,
            relevance: Relevance::Order,
            site,
        };
        let rolled = self.shared.source.dice(&ask).map_err(|stop| self.whose(stop))?;
        let places = rolled.chunks(digits as usize).map(|one| {
            one.iter().fold(0, |place, face| place * sides as usize + *face as usize - 1)
        });
        Ok(places.collect())
    }

    /// Re-rolls dice by each rule in order; a die is re-rolled by one rule only. A rule that takes a
    /// limited number of dice takes none of the extra dice.
    fn reroll_all(
        &mut self,
        step: &Step,
        roll: &Roll,
        kinds: &[HandKind<'p>],
        dice: &mut [Lying],
        first: bool,
        site: Site,
    ) -> Result<(), Halt> {
        for rule in &roll.reroll {
            let mut taken = Vec::new();
            for (at, die) in dice.iter().enumerate().filter(|(_, die)| die.rerolls == 0) {
                let face = kinds[die.kind].value(die.last());
                if self.face_holds(roll, &kinds[die.kind], face, &rule.when)? {
                    taken.push(at);
                }
            }
            if let Some(most) = &rule.dice {
                let most = if first { self.how_many(most)? as usize } else { 0 };
                taken.sort_by_key(|at| order(kinds[dice[*at].kind].value(dice[*at].last()), kinds));
                taken.truncate(most);
                taken.sort_unstable();
            }
            if taken.is_empty() {
                continue;
            }
            if let Some(ask) = &rule.ask
                && !self.decide(step, roll, kinds, dice, ask)?
            {
                continue;
            }
            for _ in 0..rule.at_most {
                self.roll_again(step, kinds, dice, &taken, site, true)?;
                let mut still = Vec::new();
                for at in taken {
                    let die = &dice[at];
                    let face = kinds[die.kind].value(die.last());
                    if self.face_holds(roll, &kinds[die.kind], face, &rule.when)? {
                        still.push(at);
                    }
                }
                taken = still;
                if taken.is_empty() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn explode_all(
        &mut self,
        step: &Step,
        roll: &Roll,
        kinds: &[HandKind<'p>],
        dice: &mut [Lying],
        site: Site,
    ) -> Result<(), Halt> {
        let Some(explode) = &roll.explode else { return Ok(()) };
        let mut open: Vec<usize> = (0..dice.len()).collect();
        for _ in 0..explode.at_most {
            let mut again = Vec::new();
            for at in open {
                let die = &dice[at];
                let face = kinds[die.kind].value(die.last());
                if self.face_holds(roll, &kinds[die.kind], face, &explode.when)? {
                    again.push(at);
                }
            }
            if again.is_empty() {
                break;
            }
            self.roll_again(step, kinds, dice, &again, site, false)?;
            open = again;
        }
        Ok(())
    }

    /// Rolls some dice once more, kind by kind.
    fn roll_again(
        &mut self,
        step: &Step,
        kinds: &[HandKind<'p>],
        dice: &mut [Lying],
        which: &[usize],
        site: Site,
        replaces: bool,
    ) -> Result<(), Halt> {
        for (kind, known) in kinds.iter().enumerate() {
            let of_kind: Vec<usize> =
                which.iter().copied().filter(|at| dice[*at].kind == kind).collect();
            let places = self.roll_kind(step, known, of_kind.len() as u32, site)?;
            for (at, place) in of_kind.into_iter().zip(places) {
                dice[at].places.push(place);
                dice[at].rerolls += usize::from(replaces);
            }
        }
        Ok(())
    }

    /// Sets what `face` is.
    pub fn set_face(&mut self, roll: &Roll, kind: &HandKind<'_>, face: Value) {
        for (part, slot) in &roll.face {
            let value = match part {
                FacePart::Face => face,
                FacePart::Field(name) => Value::Number(kind.field(face, *name)),
                FacePart::Die => Value::Word(kind.word),
                FacePart::Sides => Value::Number(kind.highest()),
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
    fn worth(&self, formula: &Formula) -> Result<Number, Halt> {
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
            let high = keep.highest.as_ref().map_or(Ok(0), |many| self.how_many(many))? as usize;
            let low = keep.lowest.as_ref().map_or(Ok(0), |many| self.how_many(many))? as usize;
            let mut sorted: Vec<usize> = (0..found.dice.len()).collect();
            sorted.sort_by_key(|at| {
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
    fn decide(
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
        let question = Question { key, prompt, accepts, assume };
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
    values.sort_by_key(|value| order(*value, kinds));
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
