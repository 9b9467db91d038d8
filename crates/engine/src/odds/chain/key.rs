//! What a chain still depends on. Two chains with the same key go on alike and end alike, so odds
//! count them as one.

use super::Walk;
use crate::change::Change;
use crate::decks::Decks;
use crate::odds::explore::alone;
use crate::odds::{OddsOutcome, Unfollowed};
use crate::resolution::FollowUp;
use crate::situation::Given;
use adjutant_dice::{Answer, Text};
use adjutant_pack::{ChartId, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

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
    due: Vec<(usize, Rc<FollowUp>)>,
    held: Vec<usize>,
    effects: Vec<EffectKey>,
    /// What was seen of a unit, how many effects on the same value came before, and whether a chart
    /// after the first one saw it.
    seen: Vec<(String, Answer, usize, bool)>,
    enemies: Vec<(Text, Text)>,
    unfollowed: Vec<Unfollowed>,
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
        let mut open = vec![false; self.links.len()];
        let due = self.due.iter().map(|due| due.stems);
        for link in due.chain(self.held.iter().copied()).chain(self.stems) {
            open[link] = true;
        }
        let counting = self.counting_effects(&open);
        let mut links: Vec<LinkKey> = Vec::new();
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        let mut repeated = false;
        for (link, is_open) in open.iter().copied().enumerate() {
            let ends = self.ends_of(link).iter().map(alone).collect();
            if is_open {
                let key = LinkKey::Open(Box::new(self.open_link(link, ends)));
                // Of links alike one is enough, unless each has to go on, or its effects are told
                // apart from those of others.
                let own = counting.iter().any(|place| self.effects[*place].link == link);
                let alike = links.iter().position(|known| *known == key);
                let same = alike.filter(|_| self.links[link].goes_on && !own);
                places.insert(link, same.unwrap_or(links.len()));
                if same.is_none() {
                    links.push(key);
                }
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
            effects: self.effect_keys(&counting, &places),
            seen: self.seen_keys(&counting),
            enemies: self.enemies.clone(),
            unfollowed: self.unfollowed.iter().cloned().collect(),
        }
    }

    fn open_link(&self, link: usize, ends: Vec<OddsOutcome>) -> OpenLink {
        let waits = self.held.contains(&link);
        let known = &self.links[link];
        let inputs = known.resolution.inputs.iter();
        OpenLink {
            ends,
            goes_on: known.goes_on,
            units: known.units.clone(),
            handed: known.handed.clone(),
            inputs: inputs.map(|(name, value)| (name.into(), value.clone())).collect(),
            effects: if waits { known.resolution.effects.clone() } else { Vec::new() },
            next: if waits { known.resolution.next.clone() } else { Vec::new() },
        }
    }

    /// The places of the effects that can still make a difference. An effect that a later one
    /// replaces makes none, nor does a change of a value that was read since: so a chain that comes
    /// back to where it was is known to be there.
    fn counting_effects(&self, open: &[bool]) -> Vec<usize> {
        let mut replaced: BTreeMap<(u8, Text, &Text), Vec<usize>> = BTreeMap::new();
        let mut found: Vec<usize> = Vec::new();
        for (place, known) in self.effects.iter().enumerate().rev() {
            let (kind, what) = (kind(&known.effect), changes(&known.effect));
            let read = || {
                let seen = self.seen.get(&format!("{}.{what}", known.unit));
                seen.is_some_and(|seen| seen.late && place < seen.effects)
            };
            let later = replaced.entry((kind, what.clone(), &known.unit)).or_default();
            // What an open link did may yet have to be told apart.
            let gone = later.iter().any(|link| *link == known.link || !open[*link]);
            if gone || (kind == VALUE && read()) {
                continue;
            }
            if known.effect.kind.change().is_none_or(|(operation, _)| operation.replaces()) {
                later.push(known.link);
            }
            found.push(place);
        }
        found.reverse();
        found
    }

    /// The effects that count, those on different values in one order.
    fn effect_keys(&self, counting: &[usize], places: &BTreeMap<usize, usize>) -> Vec<EffectKey> {
        let mut keys: Vec<EffectKey> = Vec::with_capacity(counting.len());
        for known in counting.iter().map(|place| &self.effects[*place]) {
            let link = places.get(&known.link).copied();
            keys.push((changes(&known.effect), known.unit.clone(), known.effect.clone(), link));
        }
        keys.sort_by(|(what, ..), (other, ..)| what.cmp(other));
        keys
    }

    fn seen_keys(&self, counting: &[usize]) -> Vec<(String, Answer, usize, bool)> {
        let seen = self.seen.iter().map(|(name, seen)| {
            let id = name.split_once('.').map_or("", |(_, id)| id);
            let before = counting.iter().filter(|place| **place < seen.effects);
            let same = before.filter(|place| changes(&self.effects[**place].effect) == *id).count();
            (name.clone(), seen.value.clone(), same, seen.late)
        });
        seen.collect()
    }
}

/// The kind of a change of a unit's value, which nothing but an input reads.
const VALUE: u8 = 1;

/// Changes of different kinds never replace each other.
fn kind(change: &Change) -> u8 {
    let kinds = [
        change.kind.status().is_some(),
        change.kind.attribute().is_some(),
        change.kind.memory().is_some(),
    ];
    kinds.iter().zip(0..).find(|(is, _)| **is).map_or(3, |(_, number)| number)
}

/// The status or value that a change is about. Empty for a unit that leaves and for anything else.
fn changes(change: &Change) -> Text {
    let kind = &change.kind;
    let status = kind.status().map(|(status, _)| status);
    let attribute = || kind.attribute().map(|(attribute, ..)| attribute);
    let memory = || kind.memory().map(|(memory, ..)| memory);
    status.or_else(attribute).or_else(memory).cloned().unwrap_or_default()
}
