//! A fight: charts thrown again and again until something is decided. It says who throws which chart at
//! whom, in what order, and when it is over. What a throw does to a unit is not said here: the results
//! of the charts say it already, and their follow-ups are carried out as at a table.

use crate::chart::Chart;
use crate::expr::Formula;
use crate::ids::{
    AttributeId, ChartId, FightInputId, FightSideId, IdVec, InputId, KindId, MemoryId, OptionId, ResultId, RoleId, Slot, StatusId,
};
use crate::pack::{Field, Pack};
use crate::value::Type;

/// A fight.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fight {
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// A sentence about it.
    pub about: String,
    /// Remarks.
    pub notes: Vec<String>,
    /// The option that opens it.
    pub needs_option: Option<OptionId>,
    /// Who fights.
    pub sides: IdVec<FightSideId, Side>,
    /// What must be known before it begins.
    pub inputs: IdVec<FightInputId, FightInput>,
    /// What is done in a round, in order.
    pub actions: Vec<Action>,
    /// Charts that are run where they follow from another.
    pub follow: Vec<Followed>,
    /// What decides it, tried in order; without any, a side with no unit left has lost.
    pub ends: Vec<FightEnd>,
    /// Every name its expressions use.
    pub names: IdVec<Slot, FightName>,
    /// Where in pack.toml it stands, in bytes.
    pub place: std::ops::Range<usize>,
}

impl Fight {
    /// Every chart that is rolled in it.
    pub fn charts<'p>(&self, pack: &'p Pack) -> Vec<&'p Chart> {
        let rolled = self.actions.iter().filter_map(|action| match action {
            Action::Throw(throw) => Some(throw.chart),
            Action::Lift { .. } => None,
        });
        rolled.chain(self.follow.iter().map(|followed| followed.chart)).map(|chart| &pack.charts()[chart]).collect()
    }
}

/// One side: units of one kind that are alike when the fight begins.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Side {
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// The kind of its units.
    pub kind: KindId,
    /// How many units it may have at most.
    pub most: u32,
    /// When a unit takes no further part; a unit that leaves never does.
    pub out: Option<Formula>,
}

/// What must be known before a fight begins.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FightInput {
    /// As given: `ours`, `ours.hesa`, `ammo`.
    pub name: String,
    /// Label, what it accepts, default.
    pub field: Field,
    /// What it is about.
    pub about: FightAbout,
    /// Whether anything in the fight asks for it; the rest of what units have is let pass.
    pub matters: bool,
}

/// What an input of a fight is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FightAbout {
    /// How many units a side has.
    Count(FightSideId),
    /// An attribute of a side's units, by its place in their kind.
    Attribute(FightSideId, AttributeId),
    /// Whether a side's units begin with a status.
    Status(FightSideId, StatusId),
    /// The situation.
    Situation,
}

/// A name in a fight's expressions.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FightName {
    /// As written.
    pub text: String,
    /// Where its value comes from.
    pub origin: FightOrigin,
    /// The kind of thing it is.
    pub kind: Type,
}

/// Where a name's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FightOrigin {
    /// An input.
    Input(FightInputId),
    /// An option.
    Option(OptionId),
    /// A memory.
    Memory(MemoryId),
    /// How many units of a side still take part.
    Count(FightSideId),
    /// How many units of a side no longer take part.
    Lost(FightSideId),
    /// An attribute summed over the units of a side that still take part.
    Total(FightSideId, AttributeId),
    /// Something about the unit that takes a role of the chart just now. Where there is no chart, the first role is the unit in question.
    Of(RoleId, UnitFacet),
}

/// Something about a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitFacet {
    /// An attribute, by its place in the unit's kind.
    Attribute(AttributeId),
    /// Whether it has a status.
    Status(StatusId),
}

/// Something done in a round.
#[derive(Clone, Debug)]
pub enum Action {
    /// A chart is thrown.
    Throw(FightThrow),
    /// Statuses are lifted from the units of a side.
    Lift {
        /// Which side.
        side: FightSideId,
        /// Which statuses.
        statuses: Vec<StatusId>,
        /// From which units.
        when: Option<Formula>,
    },
}

/// A chart thrown in a fight.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FightThrow {
    /// Which.
    pub chart: ChartId,
    /// Which side's units take each role of the chart, in the order of its roles.
    pub who: IdVec<RoleId, FightSideId>,
    /// The role whose units throw one after another; none if the chart is thrown once for all.
    pub each: Option<RoleId>,
    /// Which units throw.
    pub when: Option<Formula>,
    /// Which units are taken for the other roles, the first that can be met counting most.
    pub prefer: Vec<Formula>,
    /// Inputs of the chart, by their place, and what they are.
    pub with: Vec<(InputId, Formula)>,
    /// Whether its effects land together with those of the action before it.
    pub at_once: bool,
}

/// A chart that is run where it follows from another.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Followed {
    /// Which.
    pub chart: ChartId,
    /// Inputs of the chart, by their place, and what they are where the follow-up does not say.
    pub with: Vec<(InputId, Formula)>,
}

/// What decides a fight.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FightEnd {
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// When.
    pub when: Option<Formula>,
    /// The result of a chart that decides it.
    pub result: Option<ResultId>,
}
