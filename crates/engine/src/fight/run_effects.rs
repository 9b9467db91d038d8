//! What a chart does to a fight, taken from its resolution: effects on the units in its roles, and
//! the charts that follow. Runs with the same effects are merged.

use crate::change::{Change, ChangeTerms, NewUnits};
use crate::resolution::{FollowUp, Resolution};
use adjutant_dice::{Answer, Text};
use adjutant_pack::{
    AttributeId, Chart, ChartId, DeckId, EffectKind, Fight, FollowUpId, InputId, MemoryId,
    Operation, Pack, Relation, ResultId, RoleId, StatusId, Terms, Translate, Value,
};
use std::convert::Infallible;

/// The terms of an effect in a fight: ids and known values. New units and cards are not among its
/// effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct FightTerms;

impl Terms for FightTerms {
    type Status = StatusId;
    type Attribute = AttributeId;
    type Memory = MemoryId;
    type Deck = Infallible;
    type Value = Value;
    type NewUnits = Infallible;
}

/// An effect on the unit in a role.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct EffectOnUnit {
    pub role: RoleId,
    /// Whether it also affects its whole side.
    pub all: bool,
    pub change: EffectKind<FightTerms>,
}

/// A chart that follows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FightFollowUp {
    pub chart: ChartId,
    pub now: bool,
    /// Its roles, each with the role of this chart that takes it.
    pub who: Vec<(RoleId, RoleId)>,
    pub with: Vec<(InputId, Value)>,
    /// For a follow-up for other units: the role they take, their relation to a role of this chart,
    /// and their condition.
    pub others: Option<(RoleId, RelationTo, Option<OtherWhen>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RelationTo {
    pub enemy: bool,
    pub friend: bool,
    pub of: RoleId,
}

/// The condition on other units: its rule, and the known values of its names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OtherWhen {
    pub rule: FollowUpId,
    pub knowing: Vec<(Text, Value)>,
}

/// Everything that a run does to the fight.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RunEffects {
    pub effects: Vec<EffectOnUnit>,
    pub remember: Vec<(MemoryId, Operation, Value)>,
    pub next: Vec<FightFollowUp>,
    /// The decision that it causes.
    pub decides: Option<usize>,
    /// A deck, and the number of cards left in each class.
    pub cards: Option<(DeckId, Vec<u32>)>,
    /// Whether new units join, which a fight cannot compute.
    pub appear: bool,
}

impl RunEffects {
    pub fn of(pack: &Pack, fight: &Fight, chart: &Chart, resolution: &Resolution) -> RunEffects {
        let given = |result: ResultId| {
            resolution
                .result
                .iter()
                .chain(&resolution.also)
                .any(|known| known.id == pack.results()[result].id)
        };
        let decides = fight.ends.iter().position(|end| end.result.is_some_and(given));
        let mut change = RunEffects { decides, ..RunEffects::default() };
        for effect in &resolution.effects {
            change.effect(pack, chart, effect);
        }
        // Follow-ups that the fight does not follow make no difference.
        let followed =
            |next: &FightFollowUp| fight.follow.iter().any(|known| known.chart == next.chart);
        change.next = resolution
            .next
            .iter()
            .filter_map(|next| follow(pack, chart, next))
            .filter(followed)
            .collect();
        change
    }

    fn effect(&mut self, pack: &Pack, chart: &Chart, effect: &Change) {
        self.appear |= effect.kind.new_units().is_some();
        let role = effect.on.as_ref().and_then(|on| role_of(chart, &on.role));
        let Some(change) = effect.kind.translate(&mut InFight { pack, chart, role }).ok() else {
            return;
        };
        self.remember.extend(change.memory().map(|(memory, how, value)| (*memory, how, *value)));
        // The pack check refuses fights with changes to a unit by its number.
        let on = effect.on.as_ref().filter(|on| on.nth.is_none() && change.is_on_unit());
        if let (Some(role), Some(on)) = (role, on) {
            self.effects.push(EffectOnUnit { role, all: on.all, change });
        }
    }
}

/// Finds what a resolution names by text. What a fight does not have is left out.
struct InFight<'a> {
    pack: &'a Pack,
    chart: &'a Chart,
    role: Option<RoleId>,
}

/// An effect that does not count in a fight.
struct NotInFight;

impl InFight<'_> {
    fn value(&self, answer: &Answer) -> Result<Value, NotInFight> {
        Value::from_answer(answer, self.pack.words()).ok_or(NotInFight)
    }
}

impl Translate<ChangeTerms, FightTerms> for InFight<'_> {
    type Fault = NotInFight;

    fn status(&mut self, status: &Text) -> Result<StatusId, NotInFight> {
        self.pack.status_id(status).ok_or(NotInFight)
    }

    fn attribute(
        &mut self,
        attribute: &Text,
        _: Operation,
        value: &Answer,
    ) -> Result<(AttributeId, Value), NotInFight> {
        let role = self.role.ok_or(NotInFight)?;
        let fields = &self.pack.kinds()[self.chart.roles[role].kind].has;
        let place = fields.position(|field| field.id == *attribute).ok_or(NotInFight)?;
        Ok((place, self.value(value)?))
    }

    fn memory(
        &mut self,
        memory: &Text,
        _: Operation,
        value: &Answer,
    ) -> Result<(MemoryId, Value), NotInFight> {
        Ok((self.pack.memory_id(memory).ok_or(NotInFight)?, self.value(value)?))
    }

    fn new_units(&mut self, _: &Box<NewUnits>) -> Result<Infallible, NotInFight> {
        Err(NotInFight)
    }

    fn deck(&mut self, _: &Text) -> Result<Infallible, NotInFight> {
        Err(NotInFight)
    }
}

/// The role that a name in a resolution refers to. One of several units has its name after a dot.
fn role_of(chart: &Chart, text: &str) -> Option<RoleId> {
    chart.role(text.split_once('.').map_or(text, |(role, _)| role))
}

fn follow(pack: &Pack, chart: &Chart, next: &FollowUp) -> Option<FightFollowUp> {
    let place = pack.follow_up(next.rule)?.chart;
    let there = &pack.charts()[place];
    let input = |name: &str| there.inputs.position(|input| input.name == name);
    let value = |answer: &Answer| Value::from_answer(answer, pack.words());
    let others = next.others.as_ref().and_then(|others| {
        let (friend, enemy) = match others.relation {
            Relation::Group | Relation::Joined | Relation::Side => (true, false),
            Relation::Enemy => (false, true),
            Relation::All => (true, true),
        };
        let knowing = others
            .knowing
            .iter()
            .filter_map(|(name, answer)| Some((name.clone(), value(answer)?)))
            .collect();
        let when = others.when.is_some().then_some(OtherWhen { rule: next.rule, knowing });
        Some((
            there.role(&others.role)?,
            RelationTo { enemy, friend, of: role_of(chart, &others.of)? },
            when,
        ))
    });
    Some(FightFollowUp {
        chart: place,
        now: next.now,
        who: next
            .who
            .iter()
            .filter_map(|(role, here)| Some((there.role(role)?, role_of(chart, here)?)))
            .collect(),
        with: next
            .with
            .iter()
            .filter_map(|(name, answer)| Some((input(name)?, value(answer)?)))
            .collect(),
        others,
    })
}
