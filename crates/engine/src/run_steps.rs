//! Runs the steps of a chart: rolls dice, draws cards, asks the player, evaluates formulas.

use crate::coverage::CoveragePoint;
use crate::draw::DrawnCards;
use crate::error::ResolveError;
use crate::handful::{HandKind, HandfulOutcome};
use crate::resolution::{self, AnswerStep, DieTest, RepeatLine, RollKind, RollStep};
use crate::run::{ChartOutcome, Halt, Run};
use adjutant_dice::{
    Answer, DiceRequest, MOST_DICE, Missing, Number, Question, Relevance, Site, SourceError, Text,
};
use adjutant_pack::{
    Again, AgainId, CardCell, Chart, Facet, Field, IdVec, Pack, PlainRoll, Roll, Slot, Step,
    StepId, StepKind, Type, Value,
};

/// The maximum number of rolls and draws in one run. Only an endless rule needs more.
const MAX_ROLLS: u32 = 2000;

/// The value of a roll or card before modifiers. Its faces are in the `RollStep`.
pub(crate) struct Rolled<'p> {
    pub card: Option<u32>,
    pub natural: Option<Number>,
    pub blank: bool,
    pub count: u32,
    pub handful: Option<(Vec<HandKind<'p>>, HandfulOutcome)>,
    /// Several cards that were drawn at once.
    pub cards: Option<DrawnCards>,
}

impl<'p> Run<'p, '_, '_> {
    /// Runs one step. Returns an outcome if the step ends the chart.
    pub fn step(&mut self, place: StepId) -> Result<Option<ChartOutcome>, Halt> {
        let step = &self.chart.steps[place];
        self.count_decks();
        if !self.holds_or(step.when.as_ref(), true)? {
            self.skip(step);
            return Ok(None);
        }
        self.reading(step.reading);
        match &step.kind {
            StepKind::Roll(_) | StepKind::Draw(_) => self.roll_or_draw(place, step),
            StepKind::Ask(field) => {
                let value = self.ask_or(&step.name, field, crate::questions::free_choice(field))?;
                self.set_facet(step, Facet::Total, value);
                Ok(None)
            }
            StepKind::WorkOut(formula) => self.work_out(place, step, formula).map(|()| None),
            StepKind::LookUp(look_up) => {
                let found = match &look_up.times {
                    Some(times) => self.series(step, look_up, times)?,
                    None => self.look_up(&step.name, look_up)?,
                };
                self.set_looked_up(&step.facets, &found);
                Ok(None)
            }
        }
    }

    /// A skipped step counts as nothing.
    pub fn skip(&mut self, step: &Step) {
        for rule in &step.again {
            self.set_looked_up(&rule.facets, &ChartOutcome::default());
        }
        for (slot, value) in skipped(self.shared.pack, self.chart, step) {
            if let Some(value) = value {
                self.set(slot, value);
            }
        }
    }

    pub fn set_facet(&mut self, step: &Step, facet: Facet, value: Value) {
        if let Some((_, slot)) = step.facets.iter().find(|(known, _)| *known == facet) {
            self.set(*slot, value);
        }
    }

    pub fn set_looked_up(&mut self, facets: &[(Facet, Slot)], found: &ChartOutcome) {
        for (facet, slot) in facets {
            let value = match facet {
                Facet::Value => Some(Value::Number(found.value.unwrap_or(Number::ZERO))),
                _ => {
                    let id = found.result.as_ref().map_or("none", |result| result.id.as_str());
                    self.shared.pack.words().find(id).map(Value::Word)
                }
            };
            if let Some(value) = value {
                self.set(*slot, value);
            }
        }
    }

    /// Asks a player for the value of a field.
    pub fn ask(&mut self, key: &Text, field: &Field) -> Result<Value, Halt> {
        self.ask_or(key, field, None)
    }

    /// Asks a player, who may leave it at the default.
    fn ask_or(
        &mut self,
        key: &Text,
        field: &Field,
        default: Option<&Answer>,
    ) -> Result<Value, Halt> {
        let question =
            Question { key, prompt: &field.label, accepts: &field.accepts, assume: None, default };
        let answer = self.shared.source.answer(&question)?;
        let value = Value::from_answer(&answer, self.shared.pack.words());
        let value = value.filter(|_| field.accepts.holds(&answer)).ok_or_else(|| {
            ResolveError::NotAccepted {
                key: key.clone(),
                answer: answer.clone(),
                accepts: field.accepts.clone(),
            }
        })?;
        self.note_answer(key, &field.label, &answer);
        Ok(value)
    }

    /// Adds an answer to the resolution.
    pub fn note_answer(&mut self, key: &Text, prompt: &Text, answer: &Answer) {
        self.shared.resolution.steps.push(resolution::Step::Answer(AnswerStep {
            key: key.clone(),
            prompt: prompt.clone(),
            answer: answer.clone(),
            chart: self.chart.id.clone(),
        }));
    }

    fn work_out(
        &mut self,
        place: StepId,
        step: &Step,
        formula: &adjutant_pack::Formula,
    ) -> Result<(), Halt> {
        let value = self.eval(formula)?;
        let words = self.shared.pack.words();
        let mut entry = self.new_roll(step, RollKind::Sum);
        entry.natural = Some(value.to_answer(words));
        let total = match value {
            Value::Number(n) => {
                let total = self.modify(place, step, n, &mut entry)?;
                Value::Number(total)
            }
            other => other,
        };
        entry.total = Some(total.to_answer(self.shared.pack.words()));
        self.shared.resolution.steps.push(resolution::Step::Roll(entry));
        self.set_facet(step, Facet::Total, total);
        Ok(())
    }

    pub fn new_roll(&mut self, step: &Step, kind: RollKind) -> RollStep {
        RollStep {
            name: step.name.clone(),
            title: step.title.clone(),
            chart: self.chart.id.clone(),
            of: self.shared.member.clone(),
            kind,
            ..RollStep::default()
        }
    }

    /// Rolls or draws. The roll's place in the list is reserved first: the steps of charts that it
    /// looks up come after it. A run that stops in the middle shows its faces.
    fn roll_or_draw(&mut self, place: StepId, step: &Step) -> Result<Option<ChartOutcome>, Halt> {
        let kind =
            if matches!(step.kind, StepKind::Roll(_)) { RollKind::Dice } else { RollKind::Card };
        let at = self.shared.resolution.steps.len();
        self.shared.resolution.steps.push(resolution::Step::Roll(RollStep::default()));
        let mut entry = self.new_roll(step, kind);
        let site = Site { step: at as u32 + 1, attempt: 0, unchanged: true };
        let found = self.roll_until_read(place, step, site, &mut entry);
        if found.is_ok() || !entry.faces.is_empty() || !entry.cards.is_empty() {
            self.shared.resolution.steps[at] = resolution::Step::Roll(entry);
        } else {
            self.shared.resolution.steps.remove(at);
        }
        found
    }

    fn roll_until_read(
        &mut self,
        place: StepId,
        step: &Step,
        mut site: Site,
        entry: &mut RollStep,
    ) -> Result<Option<ChartOutcome>, Halt> {
        let mut held = IdVec::filled(0_u32, step.again.len());
        let mut met: Vec<_> =
            step.again.first().map(|_| self.asked_again(step)).into_iter().collect();
        let rolled = loop {
            // The result of a chart that an again rule looked up is visible only within that rule.
            for rule in &step.again {
                self.set_looked_up(&rule.facets, &ChartOutcome::default());
            }
            let rolled = match &step.kind {
                StepKind::Roll(roll) => match plain(step, roll) {
                    Some(plain) => self.roll(place, step, roll, &plain, site, entry)?,
                    None => {
                        let again = held.iter().sum();
                        self.handful(place, step, roll, again, site, entry)?
                    }
                },
                StepKind::Draw(draw) => match self.draw(step, draw, site, entry)? {
                    Some(drawn) => drawn,
                    None => {
                        self.skip(step);
                        return Ok(None);
                    }
                },
                _ => return Ok(None),
            };
            match (&rolled.handful, &rolled.cards, &step.kind) {
                (Some((kinds, found)), _, StepKind::Roll(roll)) => {
                    self.set_handful(step, roll, kinds, found);
                }
                (_, Some(cards), StepKind::Draw(draw)) => self.set_cards(step, draw, cards)?,
                _ => self.set_rolled(step, &rolled, &entry.faces),
            }
            let Some(rule) = self.again_rule(step, &held)? else { break rolled };
            held[rule] += 1;
            if let Some(found) = self.again(place, step, rule, &rolled, entry)? {
                return Ok(Some(found));
            }
            site.unchanged &= step.again[rule].at_most.is_none();
            let now = self.asked_again(step);
            let known = met.iter().position(|known| *known == now).unwrap_or_else(|| {
                met.push(now);
                met.len() - 1
            });
            site.attempt = known as u32;
        };
        let rolled = self.chosen(step, rolled, entry)?;
        self.settle(place, step, &rolled, entry)?;
        Ok(None)
    }

    /// The total of a roll or card that counts.
    fn settle(
        &mut self,
        place: StepId,
        step: &Step,
        rolled: &Rolled<'_>,
        entry: &mut RollStep,
    ) -> Result<(), Halt> {
        if let Some(natural) = rolled.natural {
            entry.natural = Some(Answer::Number(natural));
            let total = self.modify(place, step, natural, entry)?;
            entry.total = Some(Answer::Number(total));
            self.set_facet(step, Facet::Total, Value::Number(total));
        } else if let Some((_, HandfulOutcome { face: Some(face), .. })) = rolled.handful {
            let answer = face.to_answer(self.shared.pack.words());
            (entry.natural, entry.total) = (Some(answer.clone()), Some(answer));
        } else if let (StepKind::Draw(draw), Some(card)) = (&step.kind, rolled.card)
            && let Some((field, _)) = &draw.read
        {
            let field = self.shared.pack.decks()[draw.deck].fields[*field].label.as_str().into();
            return Err(
                ResolveError::EmptyCard { chart: self.chart.title.clone(), card, field }.into()
            );
        }
        Ok(())
    }

    /// Draws once. Returns the rule that asks for another card; without one, the card counts.
    pub fn draw_once(
        &mut self,
        place: StepId,
        step: &Step,
        draw: &adjutant_pack::Draw,
        held: &IdVec<AgainId, u32>,
    ) -> Result<Option<AgainId>, Halt> {
        for rule in &step.again {
            self.set_looked_up(&rule.facets, &ChartOutcome::default());
        }
        let mut entry = self.new_roll(step, RollKind::Card);
        let site = Site { step: 1, attempt: 0, unchanged: false };
        let Some(rolled) = self.draw(step, draw, site, &mut entry)? else {
            self.skip(step);
            return Ok(None);
        };
        self.set_rolled(step, &rolled, &[]);
        let rule = self.again_rule(step, held)?;
        if rule.is_none() {
            self.settle(place, step, &rolled, &mut entry)?;
        }
        Ok(rule)
    }

    /// The current values of the inputs that this step may ask for again.
    fn asked_again(&self, step: &Step) -> Vec<Option<Value>> {
        let inputs = step
            .again
            .iter()
            .filter_map(|again| again.ask_again.as_ref())
            .flat_map(|fresh| &fresh.inputs);
        inputs.map(|input| self.slots.values[self.chart.inputs[*input].slot]).collect()
    }

    /// Rolls dice that are re-rolled, exploded, named or counted one by one.
    fn handful(
        &mut self,
        place: StepId,
        step: &Step,
        roll: &Roll,
        again: u32,
        site: Site,
        entry: &mut RollStep,
    ) -> Result<Rolled<'p>, Halt> {
        let kinds = self.hand_kinds(place, step, roll, entry)?;
        let mut dice = Vec::new();
        let rolled = self.roll_handful(step, roll, &kinds, site, &mut dice);
        let found = self.outcome_of(roll, &kinds, &dice)?;
        let found = HandfulOutcome { again, ..found };
        if !self.shared.brief || rolled.is_err() {
            self.show_handful(roll, &kinds, &found, entry);
        }
        rolled?;
        if let (Some(test), false) = (roll.test(), self.shared.brief) {
            let limit = self.number(&test.limit)?;
            entry.test =
                Some(DieTest { limit, low: test.low, counted: roll.counted.as_str().into() });
        }
        let count = found.dice.len() as u32;
        let natural = found.natural;
        Ok(Rolled {
            card: None,
            natural,
            blank: false,
            count,
            handful: Some((kinds, found)),
            cards: None,
        })
    }

    /// Lets one die of a handful count, if the roll says so.
    fn chosen(
        &mut self,
        step: &Step,
        rolled: Rolled<'p>,
        entry: &mut RollStep,
    ) -> Result<Rolled<'p>, Halt> {
        let StepKind::Roll(roll) = &step.kind else { return Ok(rolled) };
        let Some((kinds, mut found)) = rolled.handful else { return Ok(rolled) };
        if roll.choose.is_some() {
            self.choose(step, roll, &kinds, &mut found)?;
            self.set_handful(step, roll, &kinds, &found);
            if !self.shared.brief {
                self.show_handful(roll, &kinds, &found, entry);
            }
        }
        let (natural, count) = (found.natural, found.dice.len() as u32);
        Ok(Rolled {
            card: None,
            natural,
            blank: false,
            count,
            handful: Some((kinds, found)),
            cards: None,
        })
    }

    pub fn count_roll(&mut self) -> Result<(), Halt> {
        self.shared.rolls += 1;
        match self.shared.rolls <= MAX_ROLLS {
            true => Ok(()),
            false => {
                Err(ResolveError::TooManyRolls { chart: self.chart.title.clone(), most: MAX_ROLLS }
                    .into())
            }
        }
    }

    fn roll(
        &mut self,
        place: StepId,
        step: &Step,
        roll: &Roll,
        plain: &PlainRoll<'_>,
        site: Site,
        entry: &mut RollStep,
    ) -> Result<Rolled<'p>, Halt> {
        self.count_roll()?;
        let wanted = self.number_of_dice(place, step, roll, entry)?;
        entry.dice = match &roll.written {
            Some((usual, written)) if *usual == wanted => written.clone(),
            _ => format!("{wanted}d{}", plain.sides).into(),
        };
        let most = match plain.keep {
            Some((count, _)) => {
                Some(self.number(count)?.floor().as_whole().unwrap_or(0).clamp(0, MOST_DICE.into())
                    as u32)
            }
            None => None,
        };
        let limit = match plain.test {
            Some(test) => Some(self.number(&test.limit)?),
            None => None,
        };
        let mut faces = Vec::new();
        if wanted > 0 {
            let relevance = what_matters(step, plain, most, limit);
            let ask = DiceRequest {
                key: &step.name,
                what_for: &step.what_for,
                count: wanted,
                sides: plain.sides,
                faces: &[],
                relevance,
                site,
            };
            faces = self.shared.source.dice(&ask).map_err(|stop| self.whose(stop))?;
        }
        if let (Some(test), Some(limit), false) = (plain.test, limit, self.shared.brief) {
            entry.test =
                Some(DieTest { limit, low: test.low, counted: roll.counted.as_str().into() });
        }
        let (natural, kept) = come_to(&faces, plain, most, limit);
        (entry.faces, entry.kept) = (faces, kept);
        let natural = Some(Number::from(natural));
        Ok(Rolled { card: None, natural, blank: false, count: wanted, handful: None, cards: None })
    }

    /// Adds the name of the unit to a missing roll, if there are several units.
    pub fn whose(&self, stop: SourceError) -> SourceError {
        match (stop, &self.shared.member) {
            (SourceError::Missing(need), Some(member)) => {
                SourceError::Missing(Box::new(Missing { member: Some(member.clone()), ..*need }))
            }
            (stop, _) => stop,
        }
    }

    /// Stores the roll where expressions can refer to it.
    fn set_rolled(&mut self, step: &Step, rolled: &Rolled<'_>, faces: &[u32]) {
        let number = |n: u32| Value::Number(Number::from(n));
        let deck = match &step.kind {
            StepKind::Draw(draw) => Some(&self.shared.pack.decks()[draw.deck]),
            _ => None,
        };
        for (facet, slot) in &step.facets {
            let value = match facet {
                Facet::Natural | Facet::Total => rolled.natural.map(Value::Number),
                Facet::Dice => Some(number(rolled.count)),
                Facet::Highest => Some(number(faces.iter().copied().max().unwrap_or(0))),
                Facet::Lowest => Some(number(faces.iter().copied().min().unwrap_or(0))),
                Facet::Doubles => {
                    Some(Value::YesNo((1..faces.len()).any(|i| faces[..i].contains(&faces[i]))))
                }
                Facet::Die(place) => {
                    Some(number(faces.get(*place as usize - 1).copied().unwrap_or(0)))
                }
                Facet::High(place) => {
                    let mut sorted = faces.to_vec();
                    adjutant_dice::sort_by(&mut sorted, |a, b| b.cmp(a));
                    Some(number(sorted.get(*place as usize - 1).copied().unwrap_or(0)))
                }
                Facet::Blank => Some(Value::YesNo(rolled.blank)),
                Facet::Card => rolled.card.map(number),
                Facet::Field(field) => {
                    match deck.and_then(|deck| deck.cell(rolled.card?, *field, None)) {
                        Some(CardCell::Value(value)) => Some(*value),
                        _ => None,
                    }
                }
                _ => None,
            };
            if let Some(place) = self.slots.values.get_mut(*slot) {
                *place = value;
            }
        }
    }

    /// The first again rule whose condition holds. A condition on a field that is blank on this
    /// card does not hold.
    pub fn again_rule(
        &mut self,
        step: &Step,
        held: &IdVec<AgainId, u32>,
    ) -> Result<Option<AgainId>, Halt> {
        for (place, rule) in step.again.iter_enumerated() {
            if rule.at_most.is_some_and(|most| held[place] >= most) {
                continue;
            }
            let holds = match rule.when.eval_partly(&self.slots, &mut Vec::new()) {
                Some(value) => value.is_yes(),
                None => false,
            };
            let goes_on = match &rule.ask {
                Some(ask) if holds => self.decision(step, "again", ask)?,
                _ => holds,
            };
            if goes_on {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Carries out an again rule before the next roll. Returns an outcome if the rule ends the
    /// chart.
    fn again(
        &mut self,
        place: StepId,
        step: &Step,
        rule: AgainId,
        rolled: &Rolled<'_>,
        entry: &mut RollStep,
    ) -> Result<Option<ChartOutcome>, Halt> {
        let again: &Again = &step.again[rule];
        self.shared.resolution.marks.push(CoveragePoint::Again(self.place, place, rule));
        entry.again.push(RepeatLine {
            because: again.because.clone(),
            faces: entry.faces.clone(),
            card: rolled.card,
            reshuffled: again.reshuffle,
        });
        if again.reshuffle
            && let StepKind::Draw(draw) = &step.kind
        {
            let owner = self.card_owner(draw.of);
            self.reshuffle(draw.deck, owner)?;
        }
        if let Some(look_up) = &again.look_up {
            let found = self.look_up(&again.because, look_up)?;
            self.set_looked_up(&again.facets, &found);
        }
        self.stop_or_ask(place, step, rule)
    }

    /// Ends the chart, or asks for inputs again, as an again rule says. What the rule looks up is
    /// known.
    pub fn stop_or_ask(
        &mut self,
        place: StepId,
        step: &Step,
        rule: AgainId,
    ) -> Result<Option<ChartOutcome>, Halt> {
        let again: &Again = &step.again[rule];
        if let Some(stop) = &again.stop
            && self.holds_or(stop.when.as_ref(), true)?
        {
            self.shared.resolution.marks.push(CoveragePoint::Ended(self.place, place, rule));
            self.set_outcome(&ChartOutcome::default());
            let result = self.land(stop.landing, Some(again.because.clone()))?;
            return Ok(Some(ChartOutcome { result: Some(result), ..ChartOutcome::default() }));
        }
        if let Some(fresh) = &again.ask_again
            && self.holds_or(fresh.when.as_ref(), true)?
        {
            for input in &fresh.inputs {
                let input = &self.chart.inputs[*input];
                let value = self.ask(&input.name, &input.field)?;
                self.set(input.slot, value);
            }
        }
        Ok(None)
    }
}

/// The roll, if it is a plain one and nothing more than the total, the number of dice and their
/// faces is asked of it.
pub(crate) fn plain<'r>(step: &Step, roll: &'r Roll) -> Option<PlainRoll<'r>> {
    let usual = |facet: &Facet| {
        matches!(
            facet,
            Facet::Total
                | Facet::Natural
                | Facet::Dice
                | Facet::Highest
                | Facet::Lowest
                | Facet::Doubles
                | Facet::Die(_)
                | Facet::High(_)
        )
    };
    roll.plain().filter(|_| step.facets.iter().all(|(facet, _)| usual(facet)))
}

/// Which property of the faces the chart depends on, from the names in its expressions.
pub(crate) fn what_matters(
    step: &Step,
    roll: &PlainRoll<'_>,
    most: Option<u32>,
    limit: Option<Number>,
) -> Relevance {
    let names = |wanted: fn(&Facet) -> bool| step.facets.iter().any(|(facet, _)| wanted(facet));
    if names(|facet| matches!(facet, Facet::Die(_))) {
        return Relevance::Order;
    }
    if names(|facet| {
        matches!(facet, Facet::Highest | Facet::Lowest | Facet::Doubles | Facet::High(_))
    }) {
        return Relevance::Faces;
    }
    let passing = |limit: Number, low: bool| {
        let faces = |n: i64| n.clamp(0, roll.sides.into()) as u32;
        match low {
            true => faces(limit.floor().as_whole().unwrap_or(0)),
            false => faces(i64::from(roll.sides) + 1 - limit.ceil().as_whole().unwrap_or(0)),
        }
    };
    Relevance::Total {
        keep: most.zip(roll.keep.map(|(_, lowest)| lowest)),
        pass: limit
            .zip(roll.test.map(|test| test.low))
            .map(|(limit, low)| (passing(limit, low), low)),
    }
}

/// The values of a step's names if it is skipped: a question's default, else nothing, no or 'none'.
pub(crate) fn skipped(pack: &Pack, chart: &Chart, step: &Step) -> Vec<(Slot, Option<Value>)> {
    let asked = if let StepKind::Ask(field) = &step.kind { field.start } else { None };
    let nothing = |slot: Slot| match chart.names[slot].kind {
        Type::Number => Some(Value::Number(Number::ZERO)),
        Type::YesNo => Some(Value::YesNo(false)),
        Type::Choice(_) => pack.words().find("none").map(Value::Word),
    };
    step.facets.iter().map(|(_, slot)| (*slot, asked.or_else(|| nothing(*slot)))).collect()
}

/// The value of the faces before modifiers, and the faces that count if only some do.
pub(crate) fn come_to(
    faces: &[u32],
    roll: &PlainRoll<'_>,
    most: Option<u32>,
    limit: Option<Number>,
) -> (u32, Option<Vec<u32>>) {
    let mut kept = None;
    if let (Some((_, lowest)), Some(most)) = (roll.keep, most.map(|most| most as usize))
        && most < faces.len()
    {
        let mut sorted = faces.to_vec();
        adjutant_dice::sort(&mut sorted);
        if !lowest {
            sorted.reverse();
        }
        sorted.truncate(most);
        kept = Some(sorted);
    }
    let counting = kept.as_deref().unwrap_or(faces);
    let natural = match (roll.test, limit) {
        (Some(test), Some(limit)) => {
            let passes = |face: &&u32| {
                if test.low { Number::from(**face) <= limit } else { Number::from(**face) >= limit }
            };
            counting.iter().filter(passes).count() as u32
        }
        _ => counting.iter().sum(),
    };
    (natural, kept)
}
