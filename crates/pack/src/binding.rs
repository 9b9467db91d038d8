//! A result as it lands on a unit of a chart: what takes its place, what changes, and what follows.

use crate::expr::Formula;
use crate::ids::{BindingId, ChartId, DeckId, MemoryId, ResultId, RoleId, StatusId};
use adjutant_dice::Text;
use serde::{Serialize, Serializer};

/// A result on a unit, with all that follows from it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResultBinding {
    /// The result.
    pub result: ResultId,
    /// The role it lands on.
    pub on: Option<RoleId>,
    /// Results that take its place.
    pub instead: Vec<Instead>,
    /// What changes.
    pub effects: Vec<EffectRule>,
    /// What is thrown next.
    pub next: Vec<FollowUpRule>,
}

/// A result that takes the place of another.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Instead {
    /// When.
    pub when: Formula,
    /// Which.
    pub landing: BindingId,
    /// Why.
    pub because: Text,
}

/// What changes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EffectRule {
    /// What.
    pub kind: EffectKind,
    /// When.
    pub when: Option<Formula>,
    /// On which role.
    pub on: Option<RoleId>,
    /// Whether on all units of its group that take part with it as well.
    pub all: bool,
}

/// The ways things change.
#[derive(Clone, Debug)]
pub enum EffectKind {
    /// A status is put on.
    Status(StatusId),
    /// A status is lifted.
    Lift(StatusId),
    /// An attribute becomes.
    Set(Text, Formula),
    /// An attribute grows.
    Add(Text, Formula),
    /// A memory becomes.
    Remember(MemoryId, Formula),
    /// A memory grows.
    RememberMore(MemoryId, Formula),
    /// The unit leaves the game.
    Leaves(Text),
    /// Units appear.
    Appear(Box<crate::turn::Newcomers>),
    /// A deck is made whole.
    Reshuffle(DeckId),
    /// Something for the player to do.
    Note(Text),
}

/// A follow-up rule: the chart that has it, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FollowUpId {
    /// The chart.
    pub chart: ChartId,
    /// See [`FollowUpRule::number`].
    pub number: u32,
}

/// A chart to be run next.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FollowUpRule {
    /// Distinguishes the rules of one chart. Cells that share a rule have the same number.
    pub number: u32,
    /// Which.
    pub chart: ChartId,
    /// Why.
    pub why: Text,
    /// Whether before anything else.
    pub now: bool,
    /// When.
    pub when: Option<Formula>,
    /// Inputs already known, by name.
    pub with: Vec<(Text, Formula)>,
    /// Its roles by id, and which role here takes them.
    pub who: Vec<(Text, RoleId)>,
    /// When it is for other units.
    pub others: Option<Others>,
}

/// Other units that take a follow-up.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Others {
    /// Seen from the unit: its group, its side, the enemy, or all.
    pub relation: Relation,
    /// The role they are seen from.
    pub of: RoleId,
    /// The role they take in that chart.
    pub role: Text,
}

/// How other units stand to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// In the same group, stack or hex.
    Group,
    /// On the same side.
    Side,
    /// On another side.
    Enemy,
    /// Anyone else.
    All,
}

impl Relation {
    /// All of them, as written.
    pub const ALL: [(&'static str, Relation); 4] =
        [("group", Relation::Group), ("side", Relation::Side), ("enemy", Relation::Enemy), ("all", Relation::All)];

    /// As written.
    pub fn name(self) -> &'static str {
        Relation::ALL.iter().find(|(_, relation)| *relation == self).map_or("", |(name, _)| name)
    }
}

impl Serialize for Relation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
