//! What a game in progress needs besides charts: ready units, ways to begin, what a phase brings, what is counted on
//! the roster, and when it is over. Only a table can carry this out; here it is checked.

use crate::binding::Relation;
use crate::expr::Formula;
use crate::ids::{AttributeId, ChartId, IdVec, KindId, MemoryId, OptionId, ReadingId, RoleId, StartSideId, StatusId, TemplateId};
use crate::value::Value;
use adjutant_dice::Text;

/// A ready unit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Template {
    /// Its id.
    pub id: Text,
    /// What it is called in a list.
    pub title: Text,
    /// What a unit made from it is called, before its number.
    pub name: Text,
    /// A remark.
    pub note: Text,
    /// The kind of the unit.
    pub kind: KindId,
    /// Attributes, by their place in the kind, and what they are.
    pub has: Vec<(AttributeId, Value)>,
    /// Statuses.
    pub statuses: Vec<StatusId>,
    /// The reading it rests on.
    pub reading: Option<ReadingId>,
}

/// A way to begin.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Start {
    /// Its id.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// A sentence about it.
    pub about: Text,
    /// The sides.
    pub sides: IdVec<StartSideId, StartSide>,
    /// Options that are set, and to what.
    pub options: Vec<(OptionId, Value)>,
    /// Whether each side has its own decks.
    pub decks_per_side: bool,
    /// Units that are there at once.
    pub units: Vec<StartUnit>,
    /// Tests that are due at once.
    pub due: Vec<PhaseDue>,
    /// The reading it rests on.
    pub reading: Option<ReadingId>,
}

/// A side of a start.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StartSide {
    /// Its id.
    pub id: Text,
    /// What it is called until somebody says otherwise.
    pub title: Text,
    /// Whether nobody plays it: the sheet says what it does.
    pub run_by_sheet: bool,
}

/// Units that are there when a table begins.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StartUnit {
    /// From which template.
    pub template: TemplateId,
    /// On which side.
    pub side: StartSideId,
    /// What they are called; numbered if there are several. Empty: as the template has it.
    pub name: Text,
    /// Their group; empty if each stands alone.
    pub group: Text,
    /// How many.
    pub count: u32,
}

/// Whose units are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sides {
    /// Everybody's.
    #[default]
    All,
    /// Those that somebody plays.
    Players,
    /// Those that the sheet runs.
    Sheet,
}

impl Sides {
    /// All of them, as written.
    pub const ALL: [(&'static str, Sides); 3] = [("all", Sides::All), ("players", Sides::Players), ("sheet", Sides::Sheet)];

    /// Whether a side is meant, by whether the sheet runs it.
    pub fn means(self, run_by_sheet: bool) -> bool {
        match self {
            Sides::All => true,
            Sides::Players => !run_by_sheet,
            Sides::Sheet => run_by_sheet,
        }
    }
}

/// How often a test falls due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DueFor {
    /// So many times, for nobody in particular.
    Times(u32),
    /// For each unit, which takes this role.
    Each(Text),
    /// For each group: the unit that leads it takes this role. The highest in this attribute leads, else the first.
    Group(Text, Option<Text>),
}

/// Tests that fall due when a phase or a table begins.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PhaseDue {
    /// The chart.
    pub chart: ChartId,
    /// Why.
    pub why: Text,
    /// For whom.
    pub whom: DueFor,
    /// On which sides.
    pub sides: Sides,
    /// When; `unit` is the one in question.
    pub when: Option<Formula>,
    /// Inputs already known, by name.
    pub with: Vec<(Text, Formula)>,
}

/// Statuses that are lifted when a phase begins.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PhaseLift {
    /// Which.
    pub statuses: Vec<StatusId>,
    /// On which sides.
    pub sides: Sides,
    /// From which units.
    pub when: Option<Formula>,
}

/// When a game is over: none of these units is left.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ending {
    /// Its id.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// What it means.
    pub means: Text,
    /// Of which units none is left.
    pub none: Vec<Left>,
}

/// Units that are still there.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Left {
    /// Their kind.
    pub kind: KindId,
    /// On which sides.
    pub sides: Sides,
    /// Which of them.
    pub when: Option<Formula>,
}

/// A name in the expressions of phases, starts and endings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TurnName {
    /// As written.
    pub text: Text,
    /// Where its value comes from.
    pub origin: TurnOrigin,
}

/// Where the value of such a name comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnOrigin {
    /// An attribute or status of the unit in question, by its id.
    Unit(Text),
    /// An option.
    Option(OptionId),
    /// A memory.
    Memory(MemoryId),
}

/// What a question counts on the roster.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Count {
    /// Units of this kind.
    pub kind: KindId,
    /// How they stand to the unit; its group and its side include itself.
    pub relation: Relation,
    /// The role of the unit they are seen from.
    pub from: RoleId,
    /// Which of them; they are `other`.
    pub when: Option<Formula>,
    /// Whether those are counted that no longer take part, instead of those that do.
    pub lost: bool,
}

/// Units that appear.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Newcomers {
    /// Their kind.
    pub kind: KindId,
    /// How many.
    pub count: Formula,
    /// From which template.
    pub template: Option<TemplateId>,
    /// Attributes, and what they are.
    pub has: Vec<(Text, Formula)>,
    /// The role of the unit where they stand.
    pub place: Option<RoleId>,
}
