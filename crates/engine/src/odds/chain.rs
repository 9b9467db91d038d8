//! Follows the chain of charts that starts with one roll. Every follow-up is run in the order in
//! which a game would run it, and a chart's changes to a unit count in all later charts.

mod key;

pub(super) use key::{SituationKey, WalkKey};

use super::distribution::OddsOutcome;
use super::explore::{Besides, open_need, outcome};
use super::request::{OddsError, OddsOptions};
use super::unfollowed::{NotFollowed, Unfollowed};
use crate::change::Change;
use crate::error::{InputError, NoOdds};
use crate::resolution::{FollowUp, MemberLine, Resolution};
use crate::run::resolve;
use crate::situation::Situation;
use adjutant_dice::{Answer, InputSource, Text};
use adjutant_pack::{Chart, FilledFrom, Input, Role, RoleId, Status};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// The most charts that are run in one chain.
pub(super) const LONGEST_CHAIN: usize = 1000;

/// The most charts of one chain that are due at a time.
const MOST_DUE: usize = 200;

/// A chart of the chain that has run.
#[derive(Clone)]
struct Link {
    resolution: Resolution,
    /// The units in its roles, named by their roles in the first chart.
    units: BTreeMap<Text, Text>,
    /// The inputs that the follow-up passed to it, and those that it has of the charts before it.
    handed: BTreeMap<Text, Answer>,
    /// Whether another chart followed from it.
    goes_on: bool,
}

/// A pending chart, and the link that caused it.
#[derive(Clone)]
struct Due {
    stems: usize,
    next: Rc<FollowUp>,
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
    links: Vec<Rc<Link>>,
    due: VecDeque<Due>,
    /// Links whose effects and follow-ups wait for attacks that take effect at the same time.
    held: Vec<usize>,
    effects: Vec<OnUnit>,
    /// What a chart last read of a unit, by unit and input.
    seen: BTreeMap<String, Seen>,
    /// Units that some chart makes enemies.
    enemies: Vec<(Text, Text)>,
    /// What would follow and is not run.
    unfollowed: BTreeSet<Unfollowed>,
}

/// A value of a unit when a chart last read it.
#[derive(Clone)]
struct Seen {
    value: Answer,
    /// The number of effects at that time.
    effects: usize,
    /// Whether a chart after the first one read it. What the player said is in it then.
    late: bool,
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
            unfollowed: BTreeSet::new(),
        };
        walk.note_enemies(first.chart(), &BTreeMap::new());
        walk
    }

    fn note_enemies(&mut self, chart: &Chart, units: &BTreeMap<Text, Text>) {
        let unit = |role: &Role| units.get(&role.id).unwrap_or(&role.id).clone();
        for role in &chart.roles {
            let enemies = role.enemies.iter().map(|enemy| unit(&chart.roles[*enemy]));
            for pair in enemies.map(|enemy| (unit(role), enemy)) {
                if !self.enemies.contains(&pair) {
                    self.enemies.push(pair);
                }
            }
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
        let (mut units, handed) =
            (std::mem::take(&mut self.units), std::mem::take(&mut self.handed));
        self.name_the_only_one(&mut units);
        for (name, value) in resolution.inputs.iter() {
            if let Some((role, id)) = name.split_once('.') {
                let unit = units.get(role).map_or(role, Text::as_str);
                let (effects, late) = (self.effects.len(), !self.links.is_empty());
                let seen = Seen { value: value.clone(), effects, late };
                self.seen.insert(format!("{unit}.{id}"), seen);
            }
        }
        if let Some(before) = self.stems.and_then(|stems| self.links.get_mut(stems)) {
            Rc::make_mut(before).goes_on = true;
        }
        let (link, waits) = (self.links.len(), resolution.lands_together);
        self.links.push(Rc::new(Link { resolution, units, handed, goes_on: false }));
        self.held.push(link);
        if waits { Ok(()) } else { self.land() }
    }

    /// A chart for several units that runs for one calls it `ROLE.1`. In the chain it is the unit in
    /// that role.
    fn name_the_only_one(&self, units: &mut BTreeMap<Text, Text>) {
        let chart = self.situation.chart();
        let Some(each) = chart.each.as_ref().filter(|_| self.situation.members.is_empty()) else {
            return;
        };
        let role = &chart.roles[each.role].id;
        let unit = units.get(role).unwrap_or(role).clone();
        units.insert(format!("{role}.1").into(), unit);
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
            if self.lapses(&due) {
                continue;
            }
            if self.lacks_a_unit(&due) {
                self.leave_out(&due.next, NotFollowed::NoUnit);
                continue;
            }
            self.prepare(due)?;
            return Ok(true);
        }
    }

    /// The resolutions of the charts that nothing followed, with units named by their roles in the
    /// first chart: the first one, and all else.
    pub(super) fn ended(&self) -> (Resolution, Besides) {
        let mut ends = (0..self.links.len()).flat_map(|link| self.ends_of(link));
        let first = ends.next().unwrap_or_else(|| nothing(self.first.chart()));
        let unfollowed = self.unfollowed.iter().cloned().collect();
        (first, Besides { ends: ends.collect(), unfollowed })
    }

    /// A chain that is not followed to its end: it has no result.
    pub(super) fn cut(&self, why: NotFollowed) -> (Resolution, Besides) {
        let chart = self.situation.chart();
        let besides = Besides { ends: Vec::new(), unfollowed: vec![not_run(chart, why)] };
        (nothing(chart), besides)
    }

    /// The same as an outcome, for a chain that would run this chart next.
    pub(super) fn cut_at(chart: &Chart, why: NotFollowed) -> OddsOutcome {
        let besides = Besides { ends: Vec::new(), unfollowed: vec![not_run(chart, why)] };
        outcome(&nothing(chart), &besides)
    }

    /// Whether the chain is as long as a chain can be.
    pub(super) fn is_too_long(&self) -> bool {
        self.links.len() >= LONGEST_CHAIN || self.due.len() > MOST_DUE
    }

    /// Notes that a chart would be run next, and is not.
    fn leave_out(&mut self, next: &FollowUp, why: NotFollowed) {
        let (chart, title) = (next.chart.clone(), next.title.clone());
        self.unfollowed.insert(Unfollowed { chart, title, why });
    }

    /// The ends that one chart of the chain has come to.
    fn ends_of(&self, link: usize) -> Vec<Resolution> {
        let link = &self.links[link];
        let several = link.resolution.members.len() > 1;
        if link.goes_on && !several {
            return Vec::new();
        }
        let mut resolution = link.resolution.clone();
        resolution.call_as(&link.units);
        let chart = self.first.pack().chart(&resolution.chart);
        let may_go_on = chart.is_some_and(|chart| chart.follow_ups().next().is_some());
        match several && may_go_on {
            true => without_follow_up(&resolution),
            false if link.goes_on => Vec::new(),
            false => vec![resolution],
        }
    }

    /// Applies the waiting effects and queues their follow-ups. Immediate follow-ups go before all
    /// others.
    fn land(&mut self) -> Result<(), InputError> {
        let (mut at_once, mut later, mut beyond) = (Vec::new(), Vec::new(), Vec::new());
        for place in std::mem::take(&mut self.held) {
            let Some(link) = self.links.get(place).cloned() else { continue };
            for effect in &link.resolution.effects {
                remember(&mut self.situation, effect)?;
                // Which unit has a number in its group is known only in a game.
                let lasts = effect.kind.note().is_none();
                if let Some(on) = effect.on.as_ref().filter(|on| on.nth.is_none() && lasts) {
                    let unit = link.units.get(on.role.as_str()).unwrap_or(&on.role).clone();
                    self.effects.push(OnUnit { link: place, unit, effect: effect.clone() });
                }
            }
            for next in &link.resolution.next {
                if let Some(others) = &next.others {
                    beyond.push((next.clone(), NotFollowed::Others(others.relation)));
                    continue;
                }
                let due = Due { stems: place, next: Rc::new(next.clone()) };
                if next.now { at_once.push(due) } else { later.push(due) }
            }
        }
        for (next, why) in beyond {
            self.leave_out(&next, why);
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

    /// Whether a role that the follow-up leaves open was taken by a unit that is out by now. Which
    /// unit takes its place is known only in a game.
    fn lacks_a_unit(&self, due: &Due) -> bool {
        let pack = self.first.pack();
        let Some(chart) = pack.chart(&due.next.chart) else { return false };
        let open = chart.roles.iter_enumerated().filter(|(place, role)| {
            !due.next.who.contains_key(role.id.as_str()) && chart.concerns(*place)
        });
        open.map(|(_, role)| &role.id).any(|unit| self.has(unit, None, |status| status.out))
    }

    /// Whether the chain has given a unit such a status or removed it from the game. The statuses
    /// of one link can be excluded.
    fn has(&self, unit: &str, but: Option<usize>, is_such: impl Fn(&Status) -> bool) -> bool {
        let statuses = &self.first.pack().statuses();
        let mut on: Vec<&Text> = Vec::new();
        for known in self.effects.iter().filter(|known| known.unit == unit) {
            let kind = &known.effect.kind;
            if kind.leaves().is_some() {
                return true;
            }
            match kind.status().filter(|_| but != Some(known.link)) {
                Some((id, true)) => {
                    let such = statuses.iter().any(|status| status.id == *id && is_such(status));
                    on.extend(Some(id).filter(|_| such));
                }
                Some((id, false)) => on.retain(|known| *known != id),
                None => {}
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
        // What was passed on holds as long as the charts have such an input: a snap shot calls for a
        // test, and who passes that returns fire as ever.
        let mut handed = stems.handed.clone();
        handed.retain(|name, _| situation.chart().input(name).is_some());
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
        let seen = keys().filter_map(|key| self.seen.get(&key)).max_by_key(|seen| seen.effects);
        let told = told.filter(|_| !seen.is_some_and(|seen| seen.late));
        let (mut known, from) = match (told, seen) {
            (Some(told), _) => (Some(told), 0),
            (None, Some(seen)) => (Some(seen.value.clone()), seen.effects),
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

fn nothing(chart: &Chart) -> Resolution {
    Resolution { chart: chart.id.clone(), ..Resolution::default() }
}

fn not_run(chart: &Chart, why: NotFollowed) -> Unfollowed {
    Unfollowed { chart: chart.id.clone(), title: chart.title.clone(), why }
}

/// Plays a chart and all that follow from it. Returns the resolutions of those that nothing
/// followed: the first one, and all else.
pub(crate) fn played_chain(
    first: &Situation<'_>,
    asked: &OddsOptions,
    source: &mut dyn InputSource,
) -> Result<(Resolution, Besides), OddsError> {
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
            return Ok(walk.ended());
        }
        if walk.is_too_long() {
            return Ok(walk.cut(NotFollowed::TooLong));
        }
    }
}

/// Of several units, those without a follow-up have reached their end. Returns a resolution for
/// each of them.
fn without_follow_up(resolution: &Resolution) -> Vec<Resolution> {
    let follows = |name: &str| {
        let is_he = |unit: &Text| unit.split_once('.').is_some_and(|(_, member)| member == name);
        resolution.next.iter().any(|next| next.others.is_none() && next.who.values().any(is_he))
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
    if let Some((_, on)) = change.kind.status().filter(|(status, _)| *status == id) {
        return Some(Answer::YesNo(on));
    }
    let of_side = || {
        let memory = change.kind.memory().filter(|(memory, ..)| {
            matches!(input.source, FilledFrom::SideMemory(_)) && input.field.id == **memory
        });
        memory.filter(|_| change.on.is_some())
    };
    let attribute = change.kind.attribute().filter(|(attribute, ..)| *attribute == id);
    let Some((_, operation, value)) = attribute.or_else(of_side) else { return known };
    if operation.replaces() {
        return Some(value.clone());
    }
    match (known.or_else(|| input.field.default.clone()), value) {
        (Some(Answer::Number(before)), Answer::Number(by)) => {
            operation.applied(before, *by, &input.field.accepts).ok().map(Answer::Number)
        }
        (before, _) => before,
    }
}

/// Applies a change to the memory.
fn remember(situation: &mut Situation<'_>, change: &Change) -> Result<(), InputError> {
    let Some((memory, operation, value)) = change.kind.memory().filter(|_| change.on.is_none())
    else {
        return Ok(());
    };
    let place = situation.pack.memory_id(memory);
    let known = place.and_then(|place| {
        Some((situation.memory[place].number()?, &situation.pack.memory()[place].accepts))
    });
    let value = match (known, value) {
        (Some((known, accepts)), Answer::Number(by)) => {
            Answer::Number(operation.applied(known, *by, accepts).map_err(InputError::Memory)?)
        }
        _ => value.clone(),
    };
    situation.set_memory(memory, &value.to_string())
}
