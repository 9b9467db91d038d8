//! Fights: charts repeated until the fight is decided. A fight defines which units roll on which
//! chart, at which targets, in what order, and when it is over. It does not define effects: the
//! results of the charts do that, and their follow-ups are carried out as in a game.

use crate::chart::Chart;
use crate::expr::Formula;
use crate::ids::{
    AttributeId, ChartId, FightInputId, FightSideId, IdVec, InputId, KindId, MemoryId, OptionId,
    ResultId, RoleId, Slot, StatusId,
};
use crate::pack::{Field, Pack};
use crate::value::Type;

/// A fight between sides.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fight {
    /// The id in the pack.
    pub id: String,
    /// The name that the player sees.
    pub title: String,
    /// A sentence about the fight.
    pub about: String,
    /// Remarks for the player.
    pub notes: Vec<String>,
    /// The fight is available only while this option is on.
    pub needs_option: Option<OptionId>,
    /// The sides that fight.
    pub sides: IdVec<FightSideId, Side>,
    /// The values that must be known before the fight starts.
    pub inputs: IdVec<FightInputId, FightInput>,
    /// The actions of a round, in order.
    pub actions: Vec<Action>,
    /// Charts that are run when they follow from another one.
    pub follow: Vec<Followed>,
    /// The endings, tried in order. If there are none, a side with no unit left has lost.
    pub ends: Vec<FightEnd>,
    /// Every name that its expressions use.
    pub names: IdVec<Slot, FightName>,
    /// The byte range of the fight in `pack.toml`.
    pub place: std::ops::Range<usize>,
}

impl Fight {
    /// Every chart that is rolled in it.
    pub fn charts<'p>(&self, pack: &'p Pack) -> Vec<&'p Chart> {
        let rolled = self.actions.iter().filter_map(|action| match action {
            Action::Roll(roll) => Some(roll.chart),
            Action::Lift { .. } => None,
        });
        rolled
            .chain(self.follow.iter().map(|followed| followed.chart))
            .map(|chart| &pack.charts()[chart])
            .collect()
    }
}

/// A side of a fight: units of one kind that are all alike at the start.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Side {
    /// The id in the pack.
    pub id: String,
    /// The name that the player sees.
    pub title: String,
    /// The kind of its units.
    pub kind: KindId,
    /// The maximum number of its units.
    pub most: u32,
    /// When a unit is out of the fight. A unit that leaves the game always is.
    pub out: Option<Formula>,
    /// The attributes whose total over its units the odds report. All are numbers from 0 up.
    pub totals: Vec<AttributeId>,
}

/// A value that must be known before a fight starts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FightInput {
    /// The name as the caller gives it: `ours`, `ours.hesa`, `ammo`.
    pub name: String,
    /// Label, accepted values and default.
    pub field: Field,
    /// What the value describes.
    pub about: FightAbout,
    /// Whether the fight uses it. Other attributes of the units are accepted and ignored.
    pub matters: bool,
}

/// What an input of a fight describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FightAbout {
    /// The number of units of a side.
    Count(FightSideId),
    /// An attribute of the units of a side, by its index in their kind.
    Attribute(FightSideId, AttributeId),
    /// Whether the units of a side start with a status.
    Status(FightSideId, StatusId),
    /// The situation.
    Situation,
}

/// A name in the expressions of a fight.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FightName {
    /// The name as written.
    pub text: String,
    /// Where the value comes from.
    pub origin: FightOrigin,
    /// The type of the value.
    pub kind: Type,
}

/// Where the value of a [`FightName`] comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FightOrigin {
    /// An input of the fight.
    Input(FightInputId),
    /// An option of the pack.
    Option(OptionId),
    /// A value that the game remembers.
    Memory(MemoryId),
    /// The number of units of a side that are still in the fight.
    Count(FightSideId),
    /// The number of units of a side that are out of the fight.
    Lost(FightSideId),
    /// The sum of an attribute over the units of a side that are still in the fight.
    Total(FightSideId, AttributeId),
    /// A facet of the unit in a role of the current chart. Outside a chart, the first role is the
    /// unit in question.
    Of(RoleId, UnitFacet),
}

/// What an expression can ask of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitFacet {
    /// An attribute, by its index in the kind of the unit.
    Attribute(AttributeId),
    /// Whether it has a status.
    Status(StatusId),
}

/// An action of a round.
#[derive(Clone, Debug)]
pub enum Action {
    /// Rolls on a chart.
    Roll(FightRoll),
    /// Lifts statuses from the units of a side.
    Lift {
        /// The side.
        side: FightSideId,
        /// The statuses to lift.
        statuses: Vec<StatusId>,
        /// The condition on each unit; `None` means all units.
        when: Option<Formula>,
    },
}

/// A roll on a chart in a fight.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FightRoll {
    /// The chart to roll on.
    pub chart: ChartId,
    /// For each role of the chart, the side whose units take it.
    pub who: IdVec<RoleId, FightSideId>,
    /// The role whose units roll one after another; `None` if the chart is rolled once for all.
    pub each: Option<RoleId>,
    /// The condition on each unit that rolls; `None` means all units.
    pub when: Option<Formula>,
    /// How to choose the units of the other roles: conditions, most important first.
    pub prefer: Vec<Formula>,
    /// Inputs of the chart and their values.
    pub with: Vec<(InputId, Formula)>,
    /// Whether its effects apply together with those of the previous action.
    pub at_once: bool,
}

/// A chart that is run when it follows from another one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Followed {
    /// The chart to run.
    pub chart: ChartId,
    /// Inputs of the chart and their values, used where the follow-up does not set them.
    pub with: Vec<(InputId, Formula)>,
}

/// An ending of a fight.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FightEnd {
    /// The id in the pack.
    pub id: String,
    /// The name that the player sees.
    pub title: String,
    /// The condition that ends the fight.
    pub when: Option<Formula>,
    /// The chart result that ends the fight.
    pub result: Option<ResultId>,
}
