//! What a game needs besides charts: templates, starts, tests that fall due in a phase, counts on
//! the roster, and endings. This crate checks these rules; the crate `game` carries them out.

use crate::binding::Relation;
use crate::expr::Formula;
use crate::ids::{
    AttributeId, ChartId, IdVec, KindId, MemoryId, OptionId, ReadingId, RoleId, StartSideId,
    StatusId, TemplateId,
};
use crate::value::Value;
use adjutant_dice::Text;

/// A template: a predefined unit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Template {
    /// The id in the pack.
    pub id: Text,
    /// The title in lists.
    pub title: Text,
    /// The name of a unit made from it, without its number.
    pub name: Text,
    /// A remark for the player.
    pub note: Text,
    /// The kind of the unit.
    pub kind: KindId,
    /// Attributes and their values.
    pub has: Vec<(AttributeId, Value)>,
    /// The statuses that the unit starts with.
    pub statuses: Vec<StatusId>,
    /// The reading it relies on.
    pub reading: Option<ReadingId>,
}

/// A predefined setup for a new game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Start {
    /// The id in the pack.
    pub id: Text,
    /// The name that the player sees.
    pub title: Text,
    /// A sentence about the setup.
    pub about: Text,
    /// The sides of the game.
    pub sides: IdVec<StartSideId, StartSide>,
    /// Options with the values they are set to.
    pub options: Vec<(OptionId, Value)>,
    /// Whether each side has its own decks.
    pub decks_per_side: bool,
    /// Units that are in the game from the start.
    pub units: Vec<StartUnit>,
    /// Tests that are due at the start.
    pub due: Vec<PhaseDue>,
    /// The reading it relies on.
    pub reading: Option<ReadingId>,
}

/// A side of a start.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StartSide {
    /// The id in the pack.
    pub id: Text,
    /// The default name; players can change it.
    pub title: Text,
    /// Whether the rules of the sheet control the side, and no player does.
    pub run_by_sheet: bool,
}

/// Units that are in a game from the start.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StartUnit {
    /// The template they are made from.
    pub template: TemplateId,
    /// The side they belong to.
    pub side: StartSideId,
    /// Their name, numbered if there are several. If empty, the name of the template.
    pub name: Text,
    /// Their group; empty if they have none.
    pub group: Text,
    /// The number of units.
    pub count: u32,
}

/// A selection of sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sides {
    /// All sides.
    #[default]
    All,
    /// The sides that players control.
    Players,
    /// The sides that the rules of the sheet control.
    Sheet,
}

impl Sides {
    /// All selections with their names in a pack.
    pub const ALL: [(&'static str, Sides); 3] =
        [("all", Sides::All), ("players", Sides::Players), ("sheet", Sides::Sheet)];

    /// Whether a side is included, given whether the sheet controls it.
    pub fn means(self, run_by_sheet: bool) -> bool {
        match self {
            Sides::All => true,
            Sides::Players => !run_by_sheet,
            Sides::Sheet => run_by_sheet,
        }
    }
}

/// How often a test falls due, and for which units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DueFor {
    /// This many times, for no unit in particular.
    Times(u32),
    /// Once for each unit, which takes this role.
    Each(Text),
    /// Once for each group. Its leader takes this role: the unit with the highest value of the
    /// attribute, or else the first.
    Group(Text, Option<Text>),
}

/// Tests that fall due when a phase or a game starts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PhaseDue {
    /// The chart to roll on.
    pub chart: ChartId,
    /// The reason, for the player.
    pub why: Text,
    /// How often, and for which units.
    pub due_for: DueFor,
    /// The sides it applies to.
    pub sides: Sides,
    /// The condition; `unit` names the unit that is tested.
    pub when: Option<Formula>,
    /// Inputs that are already known, by name.
    pub with: Vec<(Text, Formula)>,
}

/// Statuses that are lifted when a phase starts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PhaseLift {
    /// The statuses to lift.
    pub statuses: Vec<StatusId>,
    /// The sides it applies to.
    pub sides: Sides,
    /// The condition on each unit; `None` means all units.
    pub when: Option<Formula>,
}

/// A condition under which a game is over: none of some units is left.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ending {
    /// The id in the pack.
    pub id: Text,
    /// The name that the player sees.
    pub title: Text,
    /// What the ending means, for the player.
    pub means: Text,
    /// The game is over if no unit matches any of these.
    pub none: Vec<Left>,
    /// The condition; if it names `side`, it is tried for each side.
    pub when: Option<Formula>,
    /// Whether it is tried for each side: the condition names a side, or `none` counts each side's
    /// own units.
    pub per_side: bool,
    /// Who has won, if that is said.
    pub wins: Option<Wins>,
}

/// Who has won when a game is over.
#[derive(Clone, Debug)]
pub enum Wins {
    /// The side for which the condition holds.
    Side,
    /// All other sides for which the ending does not hold too.
    Enemy,
    /// No side.
    None,
    /// The side for which this is highest; several if it is equal.
    Most(Formula),
}

/// Selects units that are still in play.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Left {
    /// The kind of the units.
    pub kind: KindId,
    /// The sides they are on.
    pub sides: Sides,
    /// Whether only the units of the side in question count (`sides = "each"`).
    pub own: bool,
    /// The condition on each unit; `None` means all units.
    pub when: Option<Formula>,
}

/// A name in the expressions of phases, starts and endings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TurnName {
    /// The name as written.
    pub text: Text,
    /// Where the value comes from.
    pub origin: TurnOrigin,
}

/// Where the value of a [`TurnName`] comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnOrigin {
    /// An attribute or status of the unit in question, by its id.
    Unit(Text),
    /// An option of the pack.
    Option(OptionId),
    /// A value that the game remembers.
    Memory(MemoryId),
    /// A value that the game remembers for the side in question.
    SideMemory(MemoryId),
}

/// What a question counts on the roster.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Count {
    /// The kind of units to count.
    pub kind: KindId,
    /// How they relate to the unit in the role `from`. Its group and its side include the unit
    /// itself.
    pub relation: Relation,
    /// The role they are seen from.
    pub from: RoleId,
    /// The condition on each unit, which is named `other`; `None` means all units.
    pub when: Option<Formula>,
    /// How they are counted.
    pub by: CountBy,
    /// How many there must be for a yes.
    pub at_least: u32,
    /// Whether the unit in the role `from` itself is left out.
    pub others: bool,
    /// Whether to count units that are out of play, instead of those in play.
    pub lost: bool,
}

impl Count {
    /// Whether it is the number of units that join the one in a role. The player leaves units out
    /// instead of giving another number.
    pub fn is_of_joined(&self) -> bool {
        self.relation == Relation::Joined
            && self.when.is_none()
            && matches!(self.by, CountBy::Number)
    }
}

/// How a question counts units.
#[derive(Clone, Debug)]
pub enum CountBy {
    /// Their number.
    Number,
    /// The sum of this over all of them.
    Sum(Formula),
    /// The least of this; nothing if there are no units.
    Least(Formula),
    /// The greatest of this; nothing if there are no units.
    Most(Formula),
}

impl CountBy {
    /// The formula for each unit.
    pub fn formula(&self) -> Option<&Formula> {
        match self {
            CountBy::Number => None,
            CountBy::Sum(formula) | CountBy::Least(formula) | CountBy::Most(formula) => {
                Some(formula)
            }
        }
    }
}

/// New units that an effect adds to the game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Newcomers {
    /// The kind of the units.
    pub kind: KindId,
    /// The number of units.
    pub count: Formula,
    /// The template they are made from.
    pub template: Option<TemplateId>,
    /// Attributes and their values.
    pub has: Vec<(Text, Formula)>,
    /// The role of the unit at whose position they appear.
    pub place: Option<RoleId>,
    /// Whether they join an enemy of the unit that the chart is about.
    pub enemy: bool,
}
