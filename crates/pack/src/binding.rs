//! A result bound to a role of a chart: its substitutes, its effects and its follow-ups.

use crate::chart::Series;
use crate::effect::EffectRule;
use crate::expr::Formula;
use crate::ids::{BindingId, ChartId, DeckId, ResultId, RoleId};
use adjutant_dice::Text;
use serde::{Serialize, Serializer};

/// A result on the unit of a role, with everything that follows from it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResultBinding {
    /// The result.
    pub result: ResultId,
    /// The role that the result applies to.
    pub on: Option<RoleId>,
    /// Rules that replace the result with another one.
    pub instead: Vec<Instead>,
    /// The changes that the result makes.
    pub effects: Vec<EffectRule>,
    /// The charts to run next.
    pub next: Vec<FollowUpRule>,
}

/// A rule that replaces a result with another one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Instead {
    /// The condition for the replacement.
    pub when: Formula,
    /// The result that applies instead.
    pub landing: BindingId,
    /// The reason, for the player.
    pub because: Text,
    /// The author's words for the whole line. Empty if there are none.
    pub text: Text,
}

/// Identifies a follow-up rule in a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FollowUpId {
    /// The chart that has the rule.
    pub chart: ChartId,
    /// See [`FollowUpRule::number`].
    pub number: u32,
}

/// A chart to run next.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FollowUpRule {
    /// Identifies the rule within its chart. Cells that share a rule have the same number.
    pub number: u32,
    /// The chart to run.
    pub chart: ChartId,
    /// The reason, for the player.
    pub why: Text,
    /// Whether it must be run before anything else.
    pub now: bool,
    /// The condition; `None` means always.
    pub when: Option<Formula>,
    /// Inputs that are already known, by name.
    pub with: Vec<(Text, Formula)>,
    /// The roles of that chart by id, each with the role of this chart whose unit takes it.
    pub who: Vec<(Text, RoleId)>,
    /// The roles of that chart that a unit drawn from a bag takes.
    pub chits: Vec<ChitRole>,
    /// Set if the follow-up is for other units.
    pub others: Option<Others>,
    /// How many tests follow. `None` means one.
    pub times: Option<Series>,
    /// The author's words for the whole line. Empty if there are none.
    pub text: Text,
}

/// A role for the unit whose chit was drawn from a bag, or for any unit of its side.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChitRole {
    /// The role in the chart that follows.
    pub role: Text,
    /// The bag.
    pub deck: DeckId,
    /// The number of the chit; 0 if the bag was empty.
    pub number: Formula,
    /// Whether any unit of the side may take the role.
    pub any_of_side: bool,
}

/// Other units that a follow-up is for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Others {
    /// Which units, as seen from the unit in the role `of`.
    pub relation: Relation,
    /// The role they are seen from.
    pub of: RoleId,
    /// Their role in the chart that follows.
    pub role: Text,
    /// Whether they all take that role together: the chart is run once, for each of them.
    pub all: bool,
}

/// How other units relate to a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// In the same group, stack or hex.
    Group,
    /// In the same group, and taking part with the unit in this run of the chart.
    Joined,
    /// On the same side.
    Side,
    /// On another side.
    Enemy,
    /// All other units.
    All,
}

impl Relation {
    /// All relations with their names in a pack.
    pub const ALL: [(&'static str, Relation); 5] = [
        ("group", Relation::Group),
        ("joined", Relation::Joined),
        ("side", Relation::Side),
        ("enemy", Relation::Enemy),
        ("all", Relation::All),
    ];

    /// The name as written in a pack.
    pub fn name(self) -> &'static str {
        Relation::ALL.iter().find(|(_, relation)| *relation == self).map_or("", |(name, _)| name)
    }
}

impl Serialize for Relation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
