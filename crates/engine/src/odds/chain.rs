//! Follows the chain of charts that starts with one roll. Every follow-up is run in the order in
//! which a game would run it, and a chart's changes to a unit count in all later charts.

mod key;

pub(super) use key::{SituationKey, WalkKey};

use super::explore::open_need;
use super::request::{OddsError, OddsOptions};
use crate::change::Change;
use crate::error::{InputError, NoOdds};
use crate::resolution::{FollowUp, MemberLine, Resolution};
use crate::run::resolve;
use crate::situation::Situation;
use adjutant_dice::{Accepts, Answer, InputSource, Text};
use adjutant_pack::{Chart, FilledFrom, Input, Role, RoleId, Status};
use std::collections::{BTreeMap, VecDeque};

/// The maximum depth of a chain.
const LONGEST_CHAIN: usize = 8;

/// A chart of the chain that has run.
#[derive(Clone)]
struct Link {
    resolution: Resolution,
    /// The units in its roles, named by their roles in the first chart.
    units: BTreeMap<Text, Text>,
    /// The inputs that follow-ups passed to it and to the charts before it.
    handed: BTreeMap<Text, Answer>,
    /// The number of charts before it in its branch.
    depth: usize,
    /// Whether another chart followed from it.
    goes_on: bool,
}

/// A pending chart, and the link that caused it.
#[derive(Clone)]
struct Due {
    stems: usize,
    next: FollowUp,
}

/// An effect on a unit, and the link that caused it.
#[derive(Clone)]
struct OnUnit {
    link: usize,
    unit: Text,
    effect: Change,
}

/// A chain in progress. The caller runs the chart in `situation`, reports it with [`Walk::ran`],
/// and calls [`Walk::step`] to prepare the next one.
#[derive(Clone)]
pub(super) struct Walk<'a, 'p> {
    asked: &'a OddsOptions,
    first: &'a Situation<'p>,
    /// The inputs of the first chart.
    given: Vec<(Text, Answer)>,
    /// The chart to run, with the current options, memory and decks.
    pub(super) situation: Situation<'p>,
    /// The link that caused it, and the units in its roles; `None` for the first chart.
    stems: Option<usize>,
    units: BTreeMap<Text, Text>,
    handed: BTreeMap<Text, Answer>,
    links: Vec<Link>,
    due: VecDeque<Due>,
    /// Links whose effects and follow-ups wait for attacks that take effect at the same time.
    held: Vec<usize>,
    effects: Vec<OnUnit>,
    /// The value of a unit's input when a chart last read it, and the number of effects at that
    /// time.
    seen: BTreeMap<String, (Answer, usize)>,
    /// Units that some chart makes enemies.
    enemies: Vec<(Text, Text)>,
}

impl<'a, 'p> Walk<'a, 'p> {
    pub(super) fn new(first: &'a Situation<'p>, asked: &'a OddsOptions) -> Walk<'a, 'p> {
        let mut walk = Walk {
            asked,
            first,
            given: first.given_inputs(),
            situation: first.clone(),
            stems: None,
            units: BTreeMap::new(),
            handed: BTreeMap::new(),
            links: Vec::new(),
            due: VecDeque::new(),
            held: Vec::new(),
            effects: Vec::new(),
            seen: BTreeMap::new(),
            enemies: Vec::new(),
        };
        walk.note_enemies(first.chart(), &BTreeMap::new());
        walk
    }

    fn note_enemies(&mut self, chart: &Chart, units: &BTreeMap<Text, Text>) {
        let unit = |role: &Role| units.get(&role.id).unwrap_or(&role.id).clone();
        for role in &chart.roles {
            let enemies = role.enemies.iter().map(|enemy| unit(&chart.roles[*enemy]));
            self.enemies.extend(enemies.map(|enemy| (unit(role), enemy)));
        }
    }

    /// The units that are known to be on the side of this one, itself included: of two sides, the
    /// enemies of its enemies. Outside a game nothing else is known of sides.
    fn side_of(&self, unit: &str) -> Vec<Text> {
        let mut found: Vec<(Text, bool)> = vec![(unit.into(), true)];
        let mut next = 0;
        while let Some((here, ours)) = found.get(next).cloned() {
            for (one, other) in &self.enemies {
                if *one == here && !found.iter().any(|(known, _)| known == other) {
                    found.push((other.clone(), !ours));
                }
            }
            next += 1;
        }
        found.into_iter().filter(|(_, ours)| *ours).map(|(unit, _)| unit).collect()
    }

    /// Records that the chart in `situation` has run.
    pub(super) fn ran(&mut self, resolution: Resolution) -> Result<(), InputError> {
        let (units, handed) = (std::mem::take(&mut self.units), std::mem::take(&mut self.handed));
        for (name, value) in resolution.inputs.iter() {
            if let Some((role, id)) = name.split_once('.') {
                let unit = units.get(role).map_or(role, Text::as_str);
                self.seen.insert(format!("{unit}.{id}"), (value.clone(), self.effects.len()));
            }
        }
        let mut depth = 0;
        if let Some(before) = self.stems.and_then(|stems| self.links.get_mut(stems)) {
            before.goes_on = true;
            depth = before.depth + 1;
        }
        let (link, waits) = (self.links.len(), resolution.lands_together);
        self.links.push(Link { resolution, units, handed, depth, goes_on: false });
        self.held.push(link);
        if waits { Ok(()) } else { self.land() }
    }

    /// Prepares the next chart. Returns false if the chain has ended.
    pub(super) fn step(&mut self) -> Result<bool, InputError> {
        loop {
            let pack = self.first.pack();
            let together = |due: &Due| {
                pack.chart(&due.next.chart).is_some_and(|chart| chart.together.is_some())
            };
            if !self.held.is_empty() && !self.due.front().is_some_and(together) {
                self.land()?;
                continue;
            }
            let Some(due) = self.due.pop_front() else { return Ok(false) };
            if !self.lapses(&due) {
                self.prepare(due)?;
                return Ok(true);
            }
        }
    }

    /// The resolutions of the charts that nothing followed, with units named by their roles in the
    /// first chart.
    pub(super) fn ends(&self) -> Vec<Resolution> {
        (0..self.links.len()).flat_map(|link| self.ends_of(link)).collect()
    }

    /// The ends that one chart of the chain has come to.
    fn ends_of(&self, link: usize) -> Vec<Resolution> {
        let link = &self.links[link];
        let mut resolution = link.resolution.clone();
        resolution.call_as(&link.units);
        let chart = self.first.pack().chart(&resolution.chart);
        let may_go_on = chart.is_some_and(|chart| chart.follow_ups().next().is_some());
        if resolution.members.len() > 1 && may_go_on {
            without_follow_up(&resolution)
        } else if !link.goes_on {
            vec![resolution]
        } else {
            Vec::new()
        }
    }

    /// Applies the waiting effects and queues their follow-ups. Immediate follow-ups go before all
    /// others.
    fn land(&mut self) -> Result<(), InputError> {
        let (mut at_once, mut later) = (Vec::new(), Vec::new());
        for place in std::mem::take(&mut self.held) {
            let Some(link) = self.links.get(place) else { continue };
            for effect in &link.resolution.effects {
                remember(&mut self.situation, effect)?;
                // Which unit has a number in its group is known only in a game.
                if let Some(on) = effect.on().filter(|on| on.nth.is_none()) {
                    let unit = link.units.get(on.role.as_str()).unwrap_or(&on.role).clone();
                    self.effects.push(OnUnit { link: place, unit, effect: effect.clone() });
                }
            }
            for next in link
                .resolution
                .next
                .iter()
                .filter(|next| next.others.is_none() && link.depth < LONGEST_CHAIN)
            {
                let due = Due { stems: place, next: next.clone() };
                if next.now { at_once.push(due) } else { later.push(due) }
            }
        }
        let waiting = std::mem::take(&mut self.due);
        self.due = at_once.into_iter().chain(waiting).chain(later).collect();
        Ok(())
    }

    /// Whether a pending chart is dropped, by the rule of a game: its unit has left, is out, or has
    /// a status that stops it. For an immediate follow-up, a status from the result that caused it
    /// does not count.
    fn lapses(&self, due: &Due) -> bool {
        let pack = self.first.pack();
        let (Some(place), Some(stems)) =
            (pack.chart_id(&due.next.chart), self.links.get(due.stems))
        else {
            return true;
        };
        let chart = &pack.charts()[place];
        let units = due.next.handed_on(&stems.units);
        let stopped = |role: &str, unit: &str| {
            let matters = |status: &Status| {
                status.out
                    || (chart.role(role) == Some(RoleId::FIRST) && status.stops.contains(&place))
            };
            self.has(unit, due.next.now.then_some(due.stems), matters)
        };
        units.iter().any(|(role, unit)| {
            chart.role(role).is_none_or(|place| chart.concerns(place)) && stopped(role, unit)
        })
    }

    /// Whether the chain has given a unit such a status or removed it from the game. The statuses
    /// of one link can be excluded.
    fn has(&self, unit: &str, but: Option<usize>, is_such: impl Fn(&Status) -> bool) -> bool {
        let statuses = &self.first.pack().statuses();
        let mut on: Vec<&Text> = Vec::new();
        for known in self.effects.iter().filter(|known| known.unit == unit) {
            match &known.effect {
                Change::Leave { .. } => return true,
                _ if but == Some(known.link) => {}
                Change::Status { status: id, .. }
                    if statuses.iter().any(|status| status.id == *id && is_such(status)) =>
                {
                    on.push(id)
                }
                Change::Lift { status, .. } => on.retain(|known| *known != status),
                _ => {}
            }
        }
        !on.is_empty()
    }

    /// Prepares a pending chart: the inputs that the follow-up passes on, the known values of its
    /// units, the given inputs, and the current options, memory and decks.
    fn prepare(&mut self, due: Due) -> Result<(), InputError> {
        let mut situation = Situation::new(self.first.pack(), &due.next.chart)?;
        situation.take_over(&self.situation);
        let Some(stems) = self.links.get(due.stems) else { return Ok(()) };
        let units = due.next.handed_on(&stems.units);
        self.note_enemies(situation.chart(), &units);
        let Some(stems) = self.links.get(due.stems) else { return Ok(()) };
        for input in &situation.chart().inputs {
            let known = match (due.next.with.get(&input.name), input.name.split_once('.')) {
                (Some(handed), _) => Some(handed.clone()),
                (None, Some((role, id))) => self.of_unit(input, role, units.get(role), id, stems),
                (None, None) => {
                    let before = || stems.resolution.inputs.get(&input.name);
                    stems
                        .handed
                        .get(&input.name)
                        .cloned()
                        .or_else(|| self.told(&input.name, input))
                        .or_else(|| before().cloned())
                }
            };
            if let Some(answer) = known {
                situation.give_answer(&input.name, &answer)?;
            }
        }
        let mut handed = stems.handed.clone();
        for (name, value) in due.next.with.iter() {
            handed.insert(name.clone(), value.clone());
        }
        (self.situation, self.stems, self.units, self.handed) =
            (situation, Some(due.stems), units, handed);
        Ok(())
    }

    /// The value of an input of the unit in a role: as it was given or last read, with all changes
    /// since. What is remembered for a side is shared by its units.
    fn of_unit(
        &self,
        input: &Input,
        role: &str,
        unit: Option<&Text>,
        id: &str,
        stems: &Link,
    ) -> Option<Answer> {
        let name = unit.map_or(role, Text::as_str);
        let units = match input.source {
            FilledFrom::SideMemory(_) => self.side_of(name),
            _ => vec![name.into()],
        };
        let keys = || units.iter().map(|unit| format!("{unit}.{id}"));
        // A role of the first chart means the unit that took it there, whatever roles it takes
        // later.
        let by_role =
            || self.told(&input.name, input).filter(|_| self.first.chart().role(role).is_none());
        let told = keys().find_map(|key| self.told(&key, input)).or_else(by_role);
        let seen = keys().filter_map(|key| self.seen.get(&key)).max_by_key(|(_, effects)| *effects);
        let (mut known, from) = match (told, seen) {
            (Some(told), _) => (Some(told), 0),
            (None, Some((seen, effects))) => (Some(seen.clone()), *effects),
            (None, None) => {
                match stems.resolution.inputs.get(&input.name).filter(|_| unit.is_none()) {
                    Some(before) => (Some(before.clone()), self.effects.len()),
                    None => (None, 0),
                }
            }
        };
        let since = self.effects.get(from..).unwrap_or_default().iter();
        for change in
            since.filter(|change| units.contains(&change.unit)).map(|change| &change.effect)
        {
            known = changed(input, id, change, known);
        }
        known
    }

    /// The value that the player gave under this name, for the first chart or for those that
    /// follow.
    fn told(&self, name: &str, input: &Input) -> Option<Answer> {
        let given =
            self.given.iter().find(|(known, _)| known == name).map(|(_, answer)| answer.clone());
        let later = || self.asked.later.iter().find(|(known, _)| known == name);
        given.or_else(|| later().and_then(|(_, text)| input.field.accepts.read(text).ok()))
    }

    /// The name under which the player can give a missing input of the chart in `situation`.
    pub(super) fn name_of(&self, input: &str) -> Option<String> {
        let (role, id) = input.split_once('.')?;
        let unit = self
            .units
            .get(role)
            .filter(|unit| *unit != role && self.first.chart().role(role).is_some())?;
        Some(format!("{unit}.{id}"))
    }
}

/// Plays a chart and all that follow from it. Returns the resolutions of those that nothing followed.
pub(crate) fn played_chain(
    first: &Situation<'_>,
    asked: &OddsOptions,
    source: &mut dyn InputSource,
) -> Result<Vec<Resolution>, OddsError> {
    let refused = |error: InputError| OddsError::Refused(NoOdds::Input(error));
    let mut walk = Walk::new(first, asked);
    loop {
        let resolution = resolve(&mut walk.situation, source).map_err(|mut stopped| {
            for need in &mut stopped.resolution.needs {
                need.key = walk.name_of(&need.key).unwrap_or_else(|| need.key.clone());
            }
            match stopped.refused {
                Some(error) => OddsError::Refused(NoOdds::Resolve(error)),
                None => open_need(&stopped.resolution),
            }
        })?;
        walk.ran(resolution).map_err(refused)?;
        if !walk.step().map_err(refused)? {
            return Ok(walk.ends());
        }
    }
}

/// Of several units, those without a follow-up have reached their end. Returns a resolution for
/// each of them.
fn without_follow_up(resolution: &Resolution) -> Vec<Resolution> {
    let follows = |name: &str| {
        let is_he = |unit: &Text| unit.split_once('.').is_some_and(|(_, member)| member == name);
        resolution.next.iter().any(|next| next.who.values().any(is_he))
    };
    let end = |member: &MemberLine| Resolution {
        chart: resolution.chart.clone(),
        result: member.result.clone(),
        value: member.value,
        also: resolution.also.clone(),
        ..Resolution::default()
    };
    resolution.members.iter().filter(|member| !follows(&member.name)).map(end).collect()
}

/// A status or attribute of a unit after a change, by its id.
fn changed(input: &Input, id: &str, change: &Change, known: Option<Answer>) -> Option<Answer> {
    let before = || known.clone().or_else(|| input.field.default.clone());
    let more = |before: Option<Answer>, by: &Answer| match (before, by) {
        (Some(Answer::Number(known)), Answer::Number(by)) => {
            let sum = known.plus(*by).ok()?;
            let within = if let Accepts::Number { from, to, .. } = &input.field.accepts {
                sum.max(*from).min(*to)
            } else {
                sum
            };
            Some(Answer::Number(within))
        }
        (before, _) => before,
    };
    let is_memory = |memory: &Text| {
        matches!(input.source, FilledFrom::SideMemory(_)) && input.field.id == *memory
    };
    match change {
        Change::Status { status, .. } if status == id => Some(Answer::YesNo(true)),
        Change::Lift { status, .. } if status == id => Some(Answer::YesNo(false)),
        Change::Set { attribute, value, .. } if attribute == id => Some(value.clone()),
        Change::Remember { on: Some(_), memory, value } if is_memory(memory) => Some(value.clone()),
        Change::Add { attribute, by, .. } if attribute == id => more(before(), by),
        Change::RememberMore { on: Some(_), memory, by } if is_memory(memory) => more(before(), by),
        _ => known,
    }
}

/// Applies a change to the memory.
fn remember(situation: &mut Situation<'_>, change: &Change) -> Result<(), InputError> {
    let (memory, value) = match change {
        Change::Remember { on: None, memory, value } => (memory, value.clone()),
        Change::RememberMore { on: None, memory, by } => {
            let known =
                situation.pack.memory_id(memory).and_then(|place| situation.memory[place].number());
            let value = match (known, by) {
                (Some(known), Answer::Number(by)) => {
                    Answer::Number(known.plus(*by).map_err(InputError::Memory)?)
                }
                _ => by.clone(),
            };
            (memory, value)
        }
        _ => return Ok(()),
    };
    situation.set_memory(memory, &value.to_string())
}
