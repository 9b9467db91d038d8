//! What a chain still depends on. Two chains with the same key go on alike and end alike, so odds
//! count them as one.

use super::Walk;
use crate::change::Change;
use crate::decks::Decks;
use crate::odds::OddsOutcome;
use crate::odds::explore::outcome;
use crate::resolution::FollowUp;
use crate::situation::Given;
use adjutant_dice::{Answer, Text};
use adjutant_pack::{ChartId, Value};
use std::collections::BTreeMap;

/// The chart that is run next, with all that it reads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::odds) struct SituationKey {
    chart: ChartId,
    given: Vec<Option<Value>>,
    members: Vec<(Text, Vec<Option<Value>>)>,
    memory: Vec<Value>,
    decks: Decks,
}

/// What a chain still depends on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::odds) struct WalkKey {
    situation: SituationKey,
    stems: Option<usize>,
    units: BTreeMap<Text, Text>,
    handed: BTreeMap<Text, Answer>,
    links: Vec<LinkKey>,
    /// Whether an end came twice. Only one of two equal ends is in the list.
    repeated: bool,
    due: Vec<(usize, FollowUp)>,
    held: Vec<usize>,
    effects: Vec<EffectKey>,
    /// What was seen of a unit, and how many effects on the same value came before.
    seen: Vec<(String, Answer, usize)>,
    enemies: Vec<(Text, Text)>,
}

/// A chart of the chain that has run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum LinkKey {
    /// Nothing follows from it any more: how it ended.
    Ended(OddsOutcome),
    /// Something may still follow from it.
    Open(Box<OpenLink>),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct OpenLink {
    ends: Vec<OddsOutcome>,
    goes_on: bool,
    depth: usize,
    units: BTreeMap<Text, Text>,
    handed: BTreeMap<Text, Answer>,
    inputs: Vec<(Text, Answer)>,
    /// Only while they wait.
    effects: Vec<Change>,
    next: Vec<FollowUp>,
}

/// An effect on a unit: the value or status that it changes, the unit, the effect, and the link that
/// caused it while something may follow from that.
type EffectKey = (Text, Text, Change, Option<usize>);

impl Walk<'_, '_> {
    /// The chart in `situation` with all that it reads.
    pub(in crate::odds) fn situation_key(&self) -> SituationKey {
        let now = &self.situation;
        let given = |given: &Given| given.iter().copied().collect();
        let members = now.members.iter().map(|(name, known)| (name.clone(), given(known)));
        SituationKey {
            chart: now.chart,
            given: given(&now.given),
            members: members.collect(),
            memory: now.memory.iter().copied().collect(),
            decks: now.decks.clone(),
        }
    }

    /// What the chain still depends on.
    pub(in crate::odds) fn key(&self) -> WalkKey {
        let mut open: Vec<usize> = self.due.iter().map(|due| due.stems).collect();
        open.extend(self.held.iter().copied().chain(self.stems));
        let mut links: Vec<LinkKey> = Vec::new();
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        let mut repeated = false;
        for link in 0..self.links.len() {
            let ends = self.ends_of(link).iter().map(|end| outcome(end, &[])).collect();
            if open.contains(&link) {
                places.insert(link, links.len());
                links.push(LinkKey::Open(Box::new(self.open_link(link, ends))));
                continue;
            }
            for end in ends.into_iter().map(LinkKey::Ended) {
                match links.contains(&end) {
                    true => repeated = true,
                    false => links.push(end),
                }
            }
        }
        let place = |link: usize| places.get(&link).copied().unwrap_or(usize::MAX);
        WalkKey {
            situation: self.situation_key(),
            stems: self.stems.map(place),
            units: self.units.clone(),
            handed: self.handed.clone(),
            links,
            repeated,
            due: self.due.iter().map(|due| (place(due.stems), due.next.clone())).collect(),
            held: self.held.iter().copied().map(place).collect(),
            effects: self.effect_keys(&places),
            seen: self.seen_keys(),
            enemies: self.enemies.clone(),
        }
    }

    fn open_link(&self, link: usize, ends: Vec<OddsOutcome>) -> OpenLink {
        let waits = self.held.contains(&link);
        let known = &self.links[link];
        let inputs = known.resolution.inputs.iter();
        OpenLink {
            ends,
            goes_on: known.goes_on,
            depth: known.depth,
            units: known.units.clone(),
            handed: known.handed.clone(),
            inputs: inputs.map(|(name, value)| (name.into(), value.clone())).collect(),
            effects: if waits { known.resolution.effects.clone() } else { Vec::new() },
            next: if waits { known.resolution.next.clone() } else { Vec::new() },
        }
    }

    /// The effects, those on different values in one order.
    fn effect_keys(&self, places: &BTreeMap<usize, usize>) -> Vec<EffectKey> {
        let mut keys: Vec<EffectKey> = Vec::with_capacity(self.effects.len());
        for known in &self.effects {
            let link = places.get(&known.link).copied();
            keys.push((changes(&known.effect), known.unit.clone(), known.effect.clone(), link));
        }
        keys.sort_by(|(what, ..), (other, ..)| what.cmp(other));
        keys
    }

    fn seen_keys(&self) -> Vec<(String, Answer, usize)> {
        let seen = self.seen.iter().map(|(name, (value, effects))| {
            let id = name.split_once('.').map_or("", |(_, id)| id);
            let before = self.effects.iter().take(*effects);
            let same = before.filter(|known| changes(&known.effect) == *id).count();
            (name.clone(), value.clone(), same)
        });
        seen.collect()
    }
}

/// The status or value that a change is about. Empty for a unit that leaves and for anything else.
fn changes(change: &Change) -> Text {
    match change {
        Change::Status { status: id, .. }
        | Change::Lift { status: id, .. }
        | Change::Set { attribute: id, .. }
        | Change::Add { attribute: id, .. }
        | Change::Remember { memory: id, .. }
        | Change::RememberMore { memory: id, .. } => id.clone(),
        _ => Text::default(),
    }
}
