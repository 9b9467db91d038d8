//! Rolls the dice: the first roll, re-rolls, explosions, extra dice.

use super::{HandDie, HandKind, Lying, order};
use crate::error::ResolveError;
use crate::resolution::RollStep;
use crate::run::{Halt, Run};
use adjutant_dice::{DiceRequest, MOST_DICE, MOST_SIDES, Relevance, Site, Text};
use adjutant_pack::{Formula, MOST_ROLLED, Pack, Roll, RolledDie, Step, StepId};

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
                adjutant_dice::sort_by_key(&mut taken, |at| {
                    order(kinds[dice[*at].kind].value(dice[*at].last()), kinds)
                });
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
}
