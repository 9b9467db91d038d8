//! A checked chart: roll, add, read, apply. Every chart of every pack has this form. Names are
//! slots, and every result is bound to a role ([`ResultBinding`](crate::ResultBinding)), so a chart
//! knows every attribute that it needs.

use crate::binding::{FollowUpRule, ResultBinding};
use crate::draw::{DeckCount, DeckEvent, Draw};
use crate::effect::EffectRule;
use crate::expr::{Formula, Range, Slot};
use crate::ids::{
    AgainId, AttributeId, BindingId, ChartId, DeckId, FieldId, IdVec, InputId, KindId, ListId,
    MemoryId, ModifierId, OptionId, ReadingId, ResultId, RoleId, StatusId, StepId, TallyId,
};
use crate::pack::Field;
use crate::roll::{Decision, FacePart, Roll};
use crate::ruling::Only;
use crate::value::{Type, Word};
use adjutant_dice::{Number, Text};
use std::sync::Arc;

mod read;

pub use read::*;

/// A chart of the sheet: inputs, steps, and the table that turns the score into a result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Chart {
    /// The id in the pack.
    pub id: Text,
    /// The name that the player sees.
    pub title: Text,
    /// A sentence about the chart.
    pub about: String,
    /// Remarks for the player.
    pub notes: Vec<String>,
    /// The readings shown with the chart.
    pub readings: Vec<ReadingId>,
    /// The roles: the units that take part.
    pub roles: IdVec<RoleId, Role>,
    /// The chart is available only while this option is on.
    pub needs_option: Option<OptionId>,
    /// Set if the chart is run once for each of several units.
    pub each: Option<Each>,
    /// The condition under which attacks are resolved at the same time.
    pub together: Option<Formula>,
    /// The table as the sheet prints it.
    pub printed: Option<Printed>,
    /// The values that must be known before the chart is run.
    pub inputs: IdVec<InputId, Input>,
    /// The ids of the inputs, sorted by name.
    pub inputs_by_name: Vec<InputId>,
    /// The names of the inputs, in the same order. Every resolution of this chart shares this list.
    pub input_names: Arc<[Text]>,
    /// Rolls, draws, questions, lookups and calculations, in order.
    pub steps: IdVec<StepId, Step>,
    /// How the score becomes a result.
    pub read: Read,
    /// Every name that its expressions use.
    pub names: IdVec<Slot, Name>,
    /// The names that are neither an input nor a facet of a step.
    pub other_names: Vec<(NameSource, Slot)>,
    /// What happens when a deck that the chart uses runs out or is reshuffled.
    pub deck_events: Vec<DeckEvent>,
    /// Every result that the chart can give, bound to a role.
    pub landings: IdVec<BindingId, ResultBinding>,
    /// The ids of all results that the chart can give.
    pub results: Vec<ResultId>,
    /// The range of the chart's value.
    pub value_range: Range,
    /// The byte range of the chart in `pack.toml`.
    pub place: std::ops::Range<usize>,
}

impl Chart {
    /// Whether several units can take a role, and the chart is run for each.
    pub fn is_for_each(&self, role: RoleId) -> bool {
        self.each.as_ref().is_some_and(|each| each.role == role)
    }

    /// Looks up an input by name.
    pub fn input(&self, name: &str) -> Option<&Input> {
        self.inputs.iter().find(|input| input.name == name)
    }

    /// The readings of the chart and of all its parts, without duplicates.
    pub fn all_readings(&self) -> Vec<ReadingId> {
        let steps = self.steps.iter().flat_map(|step| {
            step.reading.into_iter().chain(step.add.iter().filter_map(|modifier| modifier.reading))
        });
        let rows = self.read.rows.iter().filter_map(|row| row.reading);
        let also = self.read.also.iter().filter_map(|also| also.reading);
        let mut all = Vec::new();
        for reading in self.readings.iter().copied().chain(steps).chain(rows).chain(also) {
            if !all.contains(&reading) {
                all.push(reading);
            }
        }
        all
    }

    /// Every follow-up: of the results, the cells, the `also` lines and the whole reading.
    pub fn follow_ups(&self) -> impl Iterator<Item = &FollowUpRule> {
        let of_cells = self.read.rows.iter().flat_map(|row| &row.cells).flat_map(|cell| &cell.next);
        let of_also = self.read.also.iter().flat_map(|also| &also.next);
        let of_decks = self.deck_events.iter().flat_map(|event| &event.next);
        let landings = self.landings.iter().flat_map(|landing| &landing.next);
        landings.chain(of_cells).chain(of_also).chain(of_decks).chain(&self.read.next)
    }

    /// Every chart that a step or an again rule runs within this one.
    pub fn look_ups(&self) -> impl Iterator<Item = &LookUp> {
        let of_steps = self.steps.iter().filter_map(|step| match &step.kind {
            StepKind::LookUp(look_up) => Some(look_up),
            _ => None,
        });
        let agains = self.steps.iter().flat_map(|step| &step.again);
        of_steps.chain(agains.filter_map(|again| again.look_up.as_ref()))
    }

    /// Every effect: of the results, the cells, the `also` lines, the decks and the
    /// whole reading.
    pub fn effects(&self) -> impl Iterator<Item = &EffectRule> {
        let cells = self.read.rows.iter().flat_map(|row| &row.cells);
        let of_cells = cells.flat_map(|cell| &cell.effects);
        let of_also = self.read.also.iter().flat_map(|also| &also.effects);
        let of_decks = self.deck_events.iter().flat_map(|event| &event.effects);
        let landings = self.landings.iter().flat_map(|landing| &landing.effects);
        landings.chain(of_cells).chain(of_also).chain(of_decks).chain(&self.read.effects)
    }

    /// Whether it can add units.
    pub fn adds_units(&self) -> bool {
        self.effects().any(|effect| effect.kind.new_units().is_some())
    }

    /// Whether all results in the rows apply to the same role, so that the text need not name it.
    pub fn one_role(&self) -> bool {
        let landings =
            self.read.rows.iter().flat_map(|row| &row.cells).filter_map(|cell| cell.landing);
        let mut roles: Vec<RoleId> =
            landings.filter_map(|landing| self.landings[landing].on).collect();
        adjutant_dice::sort(&mut roles);
        roles.dedup();
        roles.len() <= 1
    }

    /// Looks up a role by its text id.
    pub fn role(&self, id: &str) -> Option<RoleId> {
        self.roles.position(|role| role.id == id)
    }

    /// Whether the chart uses or changes the unit in a role. The first role always acts. The chart
    /// cannot be run without such a unit; any other role may stay empty.
    pub fn concerns(&self, role: RoleId) -> bool {
        let lands = |landing: &ResultBinding| landing.on == Some(role);
        role == RoleId::FIRST
            || self.inputs.iter().any(|input| input.role == Some(role))
            || self.landings.iter().any(lands)
    }
}

/// The part that a unit plays in a chart, such as firer or target.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Role {
    /// The name of the role in the chart.
    pub id: Text,
    /// The kind of unit that can take the role.
    pub kind: KindId,
    /// The roles whose units are on another side than this one's.
    pub enemies: Vec<RoleId>,
    /// Set if units of its group may take part with the unit: the condition on each of them, which
    /// is named `other`.
    pub joined: Option<Formula>,
    /// The units that it is for, if not for all of the kind.
    pub only: Option<Only>,
}

/// A name in the expressions of a chart.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Name {
    /// The name as written.
    pub text: Text,
    /// Where the value comes from.
    pub origin: NameSource,
    /// The type of the value.
    pub kind: Type,
    /// The range of the value, if it is a number.
    pub range: Range,
}

/// Where the value of a name comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameSource {
    /// An input of the chart.
    Input(InputId),
    /// An option of the pack.
    Option(OptionId),
    /// A value that the game remembers.
    Memory(MemoryId),
    /// A facet of a step.
    Step(StepId, Facet),
    /// The result or the value of a lookup that an again rule makes.
    Again(StepId, AgainId, Facet),
    /// The position of the unit among several.
    Place,
    /// The place in a series of lookups, from 1.
    Nth,
    /// The number in the cell that was read.
    Cell,
    /// The score that is read on the rows.
    Score,
    /// The value that the chart yields.
    Value,
    /// An attribute of a unit that is not an input, known only in a game: that of another unit
    /// (`other.skill`), or one that only rules units out ([`Role::only`]).
    Other,
    /// One die or card, inside the roll or draw of a step.
    Face(StepId, FacePart),
    /// How many cards of a deck are at one place.
    Deck(DeckId, DeckCount),
}

/// What an expression can ask of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facet {
    /// The total, or the answer to a question.
    Total,
    /// The sum of the dice before modifiers.
    Natural,
    /// The number of dice rolled, or of cards drawn at once.
    Dice,
    /// The highest face.
    Highest,
    /// The lowest face.
    Lowest,
    /// Whether two faces are equal.
    Doubles,
    /// The face of one die, counted from 1.
    Die(u32),
    /// The face of the die that is so many places from the highest, which is 1.
    High(u32),
    /// A field of the card.
    Field(FieldId),
    /// Whether the field that was read is blank.
    Blank,
    /// The number of the card.
    Card,
    /// The value of the chart that was looked up.
    Value,
    /// The result of the chart that was looked up.
    Result,
    /// One of the roll's tallies.
    Tally(u32),
    /// The sum of a number field over the dice that count.
    FaceField(Word),
    /// How many of the dice that count show this word.
    FaceCount(Word),
    /// The size of the largest group of equal faces.
    Width,
    /// The face of that group, the highest of equal groups.
    Height,
    /// The highest face that two dice show.
    Pair,
    /// The number of pairs.
    Pairs,
    /// The length of the longest run of numbers.
    Run,
    /// The number of dice that were re-rolled.
    Rerolled,
    /// How often the whole roll was made again.
    Again,
    /// The number of boxes that were filled.
    Filled,
    /// What is in the box that is not full.
    Partly,
}

/// A value that must be known before a chart is run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Input {
    /// The name as the caller gives it: `ammo`, `firer.hesa`.
    pub name: Text,
    /// The role it belongs to.
    pub role: Option<RoleId>,
    /// Label, accepted values and default. The label of a unit's own value begins with its role.
    pub field: Field,
    /// The label without the role.
    pub own_label: Text,
    /// Where the value usually comes from.
    pub source: FilledFrom,
    /// What it counts on the roster, if the game can work it out.
    pub count: Option<crate::turn::Count>,
    /// The slot of its name.
    pub slot: Slot,
}

/// Where the value of an input usually comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilledFrom {
    /// The situation: the player is asked.
    Situation,
    /// An attribute of the unit, by its index in the kind.
    Attribute(AttributeId),
    /// Whether the unit has this status.
    Status(StatusId),
    /// What the game remembers for the side of the unit.
    SideMemory(MemoryId),
}

/// The rules of a chart that is run once for each of several units.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Each {
    /// The role that the units take.
    pub role: RoleId,
    /// The title of a roll that picks one of the units: the chart is run for that one only.
    pub random: Option<Text>,
    /// How the scores order the units, if they do.
    pub order: Option<Order>,
    /// Results that depend on a count over all units.
    pub tally: IdVec<TallyId, Tally>,
}

/// Which unit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The one with the highest score.
    Highest,
    /// The one with the lowest score.
    Lowest,
}

/// A result that depends on how many units meet a condition.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tally {
    /// The label that the player sees.
    pub label: Text,
    /// The condition under which a unit counts.
    pub count: Formula,
    /// The result applies from this count on.
    pub at_least: u32,
    /// The result that applies.
    pub landing: BindingId,
}

/// A table as the sheet prints it, to compare with what the chart works out.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Printed {
    /// The input of the rows.
    pub down: InputId,
    /// The input of the columns.
    pub across: InputId,
    /// The option with which the printed cells count instead of the rule.
    pub option: Option<OptionId>,
    /// The column values.
    pub heads: Vec<Number>,
    /// The row values, each with the printed titles of its cells.
    pub rows: Vec<(Number, Vec<String>)>,
}

/// A step of a chart.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step {
    /// The name in expressions.
    pub name: Text,
    /// The title that the player sees.
    pub title: Text,
    /// For a roll or a card: the chart and the title, for the player.
    pub what_for: Text,
    /// The author's words for it, which replace its formulas. Empty if there are none.
    pub text: Text,
    /// Whether sheets show the step.
    pub on_sheet: bool,
    /// The step is skipped unless this holds.
    pub when: Option<Formula>,
    /// What the step does.
    pub kind: StepKind,
    /// The upper limit of the total.
    pub most: Option<Formula>,
    /// The lower limit of the total.
    pub least: Option<Formula>,
    /// The reading it relies on.
    pub reading: Option<ReadingId>,
    /// Modifiers, in the order of the sheet.
    pub add: IdVec<ModifierId, Modifier>,
    /// Rules for rolling or drawing again.
    pub again: IdVec<AgainId, Again>,
    /// The facets of this step that expressions use, with their slots.
    pub facets: Vec<(Facet, Slot)>,
    /// The inputs that its formulas use.
    pub names: Vec<InputId>,
}

impl Step {
    /// Whether the step draws cards by luck. A card that a player picks is an answer.
    pub fn draws(&self) -> bool {
        matches!(&self.kind, StepKind::Draw(draw) if draw.pick.is_none())
    }
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// Rolls dice.
    Roll(Box<Roll>),
    /// Draws cards.
    Draw(Box<Draw>),
    /// Asks the player.
    Ask(Field),
    /// Runs another chart and uses its result or value.
    LookUp(LookUp),
    /// Calculates a number or a choice.
    WorkOut(Formula),
}

/// The maximum number of runs in a series of lookups.
pub const MOST_TIMES: u32 = 100;

/// Several runs of one chart, or several tests.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Series {
    /// How many there are.
    pub times: Formula,
    /// The name of the place in the series, if an input uses it.
    pub nth: Option<Slot>,
    /// The list whose words they are for, one each.
    pub words: Option<ListId>,
}

/// A run of another chart within this one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LookUp {
    /// The chart to run.
    pub chart: ChartId,
    /// How many times it is run, for a series; the value is then the sum.
    pub times: Option<Series>,
    /// Its inputs and their values.
    pub given: Vec<(InputId, Formula)>,
    /// Its roles, each with the role of this chart that takes it.
    pub who: Vec<(RoleId, RoleId)>,
}

/// A modifier (DRM) of a step.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Modifier {
    /// The label on the sheet.
    pub label: Text,
    /// The author's words for the amount and the condition. Empty if there are none.
    pub text: Text,
    /// What it changes and by how much.
    pub amount: Amount,
    /// The condition under which it applies.
    pub when: Option<Formula>,
    /// Of all modifiers with the same word here, only the best applies.
    pub best_of: Option<String>,
    /// The reading it relies on.
    pub reading: Option<ReadingId>,
    /// The inputs that its formulas use.
    pub names: Vec<InputId>,
}

/// What a modifier does.
#[derive(Clone, Debug)]
pub enum Amount {
    /// Adds to the total.
    Plus(Formula),
    /// Multiplies the total.
    Times(Formula),
    /// Adds or removes dice.
    Dice(Formula),
}

impl Amount {
    /// The formula of the amount, for every variant.
    pub fn formula(&self) -> &Formula {
        match self {
            Amount::Plus(f) | Amount::Times(f) | Amount::Dice(f) => f,
        }
    }
}

/// A rule for rolling or drawing again instead of reading the result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Again {
    /// The condition for doing it again.
    pub when: Formula,
    /// The reason, for the player.
    pub because: Text,
    /// The author's words for the whole rule; empty if there are none.
    pub text: Text,
    /// Whether to reshuffle the deck first.
    pub reshuffle: bool,
    /// The maximum number of repetitions.
    pub at_most: Option<u32>,
    /// A chart to run first.
    pub look_up: Option<LookUp>,
    /// The facets of that chart that expressions use, with their slots.
    pub facets: Vec<(Facet, Slot)>,
    /// When to end the chart instead.
    pub stop: Option<StopRule>,
    /// Inputs to ask for again before the new roll.
    pub ask_again: Option<AskAgain>,
    /// Set if a player decides.
    pub ask: Option<Decision>,
}

/// Ends the chart early with a fixed result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StopRule {
    /// The condition; `None` means always.
    pub when: Option<Formula>,
    /// The result to end with.
    pub landing: BindingId,
}

/// Inputs to ask for again.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AskAgain {
    /// The condition; `None` means always.
    pub when: Option<Formula>,
    /// The inputs to ask for.
    pub inputs: Vec<InputId>,
}
