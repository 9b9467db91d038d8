//! A checked chart: roll, add, read, apply. This is the one form for every chart of every pack.
//! Every name in it is a slot, every result is bound to a role
//! ([`ResultBinding`](crate::ResultBinding)), so a chart knows every attribute that it needs.

use crate::binding::{EffectRule, FollowUpRule, ResultBinding};
use crate::expr::{Formula, Range, Slot};
use crate::ids::{
    AgainId, AlsoId, AttributeId, BindingId, ChartId, ColumnId, DeckId, FieldId, Id, IdVec, InputId, KindId, MemoryId, ModifierId,
    OptionId, ReadingId, ResultId, RoleId, RowId, StatusId, StepId, TallyId, UserTableId,
};
use crate::pack::Field;
use crate::value::{Type, Value, Word};
use adjutant_dice::{Number, Text};
use std::sync::Arc;

/// A chart.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Chart {
    /// Its id.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// A sentence about it.
    pub about: String,
    /// Remarks.
    pub notes: Vec<String>,
    /// Readings shown with it.
    pub readings: Vec<ReadingId>,
    /// The units that take part.
    pub roles: IdVec<RoleId, Role>,
    /// The option that opens it.
    pub needs_option: Option<OptionId>,
    /// When it is run once for each of several units.
    pub each: Option<Each>,
    /// Whether effects of attacks declared together land together.
    pub together: Option<Formula>,
    /// The table as printed.
    pub printed: Option<Printed>,
    /// What must be known before it starts.
    pub inputs: IdVec<InputId, Input>,
    /// The places of the inputs, in the order of their names.
    pub inputs_by_name: Vec<InputId>,
    /// Their names, in that order: every account of a run shares this list.
    pub input_names: Arc<[Text]>,
    /// Throws, draws, questions, look-ups and sums, in order.
    pub steps: IdVec<StepId, Step>,
    /// How the score is read.
    pub read: Read,
    /// Every name its expressions use.
    pub names: IdVec<Slot, Name>,
    /// Those of the names that are neither an input nor something about a step.
    pub other_names: Vec<(NameSource, Slot)>,
    /// Every result it can give, with all that follows.
    pub landings: IdVec<BindingId, ResultBinding>,
    /// The ids of all results it can give.
    pub results: Vec<ResultId>,
    /// Between which numbers its value lies.
    pub value_range: Range,
    /// Where in pack.toml it stands, in bytes.
    pub place: std::ops::Range<usize>,
}

impl Chart {
    /// The input of this name.
    pub fn input(&self, name: &str) -> Option<&Input> {
        self.inputs.iter().find(|input| input.name == name)
    }

    /// The readings of the chart and of every part of it, each once.
    pub fn all_readings(&self) -> Vec<ReadingId> {
        let steps =
            self.steps.iter().flat_map(|step| step.reading.into_iter().chain(step.add.iter().filter_map(|modifier| modifier.reading)));
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

    /// Every follow-up: of its results, its cells and what comes in addition.
    pub fn follow_ups(&self) -> impl Iterator<Item = &FollowUpRule> {
        let of_cells = self.read.rows.iter().flat_map(|row| &row.cells).flat_map(|cell| &cell.next);
        let of_also = self.read.also.iter().flat_map(|also| &also.next);
        self.landings.iter().flat_map(|landing| &landing.next).chain(of_cells).chain(of_also)
    }

    /// The role of this id.
    pub fn role(&self, id: &str) -> Option<RoleId> {
        self.roles.position(|role| role.id == id)
    }

    /// Whether the chart asks anything of the unit in a role, or does anything to it; the first role always acts. Without such a
    /// unit the chart cannot be run; any other role may stay empty.
    pub fn concerns(&self, role: RoleId) -> bool {
        let lands = |landing: &ResultBinding| landing.on == Some(role);
        role == RoleId::FIRST || self.inputs.iter().any(|input| input.role == Some(role)) || self.landings.iter().any(lands)
    }
}

/// A unit's part in a chart.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Role {
    /// Its name in the chart.
    pub id: Text,
    /// The kind of unit.
    pub kind: KindId,
    /// The roles whose units are on another side than this one's.
    pub enemies: Vec<RoleId>,
}

/// A name in a chart's expressions.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Name {
    /// As written.
    pub text: Text,
    /// Where its value comes from.
    pub origin: NameSource,
    /// The kind of thing it is.
    pub kind: Type,
    /// Between which numbers it lies.
    pub range: Range,
}

/// Where a name's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameSource {
    /// An input.
    Input(InputId),
    /// An option.
    Option(OptionId),
    /// A memory.
    Memory(MemoryId),
    /// Something about a step.
    Step(StepId, Facet),
    /// A look-up made by an again rule: step, rule, and whether its result is meant or its value.
    Again(StepId, AgainId, Facet),
    /// The place of the unit among several.
    Place,
    /// The number in the cell read.
    Cell,
    /// The score.
    Score,
    /// The value the chart yields.
    Value,
    /// An attribute of another unit, known only at a table.
    Other,
}

/// Something about a step that an expression can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facet {
    /// The total, or the answer.
    Total,
    /// What dice alone gave.
    Natural,
    /// How many dice were thrown.
    Dice,
    /// The highest face.
    Highest,
    /// The lowest face.
    Lowest,
    /// Whether two faces are equal.
    Doubles,
    /// A face, by its place from 1.
    Die(u32),
    /// A field of the card.
    Field(FieldId),
    /// Whether the field read is blank.
    Blank,
    /// The card's number.
    Card,
    /// The value of a looked-up chart.
    Value,
    /// The result of a looked-up chart.
    Result,
}

/// What a chart must know before it starts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Input {
    /// As given: `ammo`, `firer.hesa`.
    pub name: Text,
    /// The role it belongs to.
    pub role: Option<RoleId>,
    /// Label, what it accepts, default.
    pub field: Field,
    /// Where it usually comes from.
    pub source: FilledFrom,
    /// What it counts on the roster of a table.
    pub count: Option<crate::turn::Count>,
    /// Its place among the names.
    pub slot: Slot,
}

/// Where an input usually comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilledFrom {
    /// The situation: it is asked.
    Situation,
    /// The unit: an attribute, by its place in the unit's kind.
    Attribute(AttributeId),
    /// The unit: whether it has this status.
    Status(StatusId),
}

/// A chart run once for each of several units.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Each {
    /// The role that several units take.
    pub role: RoleId,
    /// Whether and how their scores order them.
    pub order: Option<Order>,
    /// What is counted over all of them.
    pub tally: IdVec<TallyId, Tally>,
}

/// Who comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The highest score.
    Highest,
    /// The lowest score.
    Lowest,
}

/// Something counted over several units.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tally {
    /// What is shown.
    pub label: Text,
    /// Which of the units count.
    pub count: Formula,
    /// From how many on the result holds.
    pub at_least: u32,
    /// The result.
    pub landing: BindingId,
}

/// A table as printed, beside what the chart works out.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Printed {
    /// The input that goes down.
    pub down: InputId,
    /// The input that goes across.
    pub across: InputId,
    /// The values across.
    pub heads: Vec<Number>,
    /// The values down, each with the printed titles across.
    pub rows: Vec<(Number, Vec<String>)>,
}

/// A step.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step {
    /// Its name in expressions.
    pub name: Text,
    /// What is shown.
    pub title: Text,
    /// For the player: the chart and what is shown, for a throw or a card.
    pub what_for: Text,
    /// When it happens.
    pub when: Option<Formula>,
    /// What it does.
    pub kind: StepKind,
    /// The total is never above this.
    pub most: Option<Formula>,
    /// The total is never below this.
    pub least: Option<Formula>,
    /// The reading it rests on.
    pub reading: Option<ReadingId>,
    /// Modifiers, in the sheet's order.
    pub add: IdVec<ModifierId, Modifier>,
    /// When to throw or draw again.
    pub again: IdVec<AgainId, Again>,
    /// The names that read it.
    pub facets: Vec<(Facet, Slot)>,
    /// The inputs that its own formulas name.
    pub names: Vec<InputId>,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// Throws dice.
    Throw(Throw),
    /// Draws a card.
    Draw(Draw),
    /// Asks a player.
    Ask(Field),
    /// Runs another chart and uses what it yields.
    LookUp(LookUp),
    /// Works out a number or a choice.
    WorkOut(Formula),
}

/// Dice thrown.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Throw {
    /// How many, before modifiers.
    pub count: Formula,
    /// How many sides.
    pub sides: u32,
    /// When each die counts as one if it passes.
    pub test: Option<Test>,
    /// When only some of the dice count.
    pub keep: Option<Keep>,
    /// The dice as players write them, where their number is fixed.
    pub written: Option<(u32, Text)>,
    /// The word for what is counted.
    pub counted: String,
}

/// When a die passes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Test {
    /// Whether low faces pass.
    pub low: bool,
    /// The last face that passes.
    pub limit: Formula,
}

/// Which dice count.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Keep {
    /// Whether the lowest count.
    pub lowest: bool,
    /// How many.
    pub count: Formula,
}

/// A card drawn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Draw {
    /// From which deck.
    pub deck: DeckId,
    /// The field whose number is the total, and which of its numbers.
    pub read: Option<(FieldId, Option<Formula>)>,
}

/// Another chart, run on the way.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LookUp {
    /// Which.
    pub chart: ChartId,
    /// Its inputs, by their place, and what they are.
    pub given: Vec<(InputId, Formula)>,
    /// Its roles, and which role here takes them.
    pub who: Vec<(RoleId, RoleId)>,
}

/// A modifier.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Modifier {
    /// As on the sheet.
    pub label: Text,
    /// What it does.
    pub amount: Amount,
    /// When it counts.
    pub when: Option<Formula>,
    /// Of those with the same word only the best counts.
    pub best_of: Option<String>,
    /// The reading it rests on.
    pub reading: Option<ReadingId>,
    /// The inputs that its own formulas name.
    pub names: Vec<InputId>,
}

/// What a modifier does.
#[derive(Clone, Debug)]
pub enum Amount {
    /// Added to the total.
    Plus(Formula),
    /// The total is multiplied.
    Times(Formula),
    /// Dice more or fewer.
    Dice(Formula),
}

impl Amount {
    /// Its formula.
    pub fn formula(&self) -> &Formula {
        match self {
            Amount::Plus(f) | Amount::Times(f) | Amount::Dice(f) => f,
        }
    }
}

/// When a throw or card is not read but made again.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Again {
    /// When.
    pub when: Formula,
    /// Why, for the player.
    pub because: Text,
    /// Whether the deck is made whole first.
    pub reshuffle: bool,
    /// How often at most.
    pub at_most: Option<u32>,
    /// A chart to run first.
    pub look_up: Option<LookUp>,
    /// The names that read that chart.
    pub facets: Vec<(Facet, Slot)>,
    /// When to end the chart instead.
    pub stop: Option<StopRule>,
    /// Inputs asked anew before throwing again.
    pub ask_again: Option<AskAgain>,
}

/// The chart ends here with this result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StopRule {
    /// When.
    pub when: Option<Formula>,
    /// With what.
    pub landing: BindingId,
}

/// Inputs asked anew.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AskAgain {
    /// When.
    pub when: Option<Formula>,
    /// Which, by place among the inputs.
    pub inputs: Vec<InputId>,
}

/// How a chart is read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Read {
    /// What is read on the rows.
    pub score: Option<Formula>,
    /// Which column.
    pub column: Option<Column>,
    /// The rows, tried in order.
    pub rows: IdVec<RowId, Row>,
    /// The number the chart yields.
    pub value: Option<Formula>,
    /// What the number counts.
    pub unit: String,
    /// How the number is said; `{value}` stands for it.
    pub says: String,
    /// The table the player fills in.
    pub user_table: Option<UserTableId>,
    /// The results that table can give, for answers while it is not filled in.
    pub user_landings: Vec<BindingId>,
    /// What holds in addition.
    pub also: IdVec<AlsoId, Also>,
    /// The inputs that the formulas of reading, of all results and of what follows name.
    pub names: Vec<InputId>,
}

impl Read {
    /// Whether the rows are conditions only, so that the score does not choose among them.
    pub fn by_conditions(&self) -> bool {
        let open = |band: &Band| band.from.is_none() && band.to.is_none();
        self.rows.iter().all(|row| row.band.as_ref().is_none_or(open) && row.is_word.is_none())
    }
}

/// The columns.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Column {
    /// Which one.
    pub by: Formula,
    /// Their ids, in order; `yes` and `no` for a yes/no.
    pub ids: IdVec<ColumnId, Text>,
    /// Their heads.
    pub heads: IdVec<ColumnId, String>,
    /// Their words, to be compared; none for yes and no.
    pub words: IdVec<ColumnId, Option<Word>>,
}

impl Column {
    /// The place of the column that a value chooses.
    pub fn place(&self, by: Value) -> Option<ColumnId> {
        let found = self.words.iter().zip(&self.ids).position(|(word, id)| match (by, word) {
            (Value::Word(by), Some(word)) => by == *word,
            (Value::YesNo(yes), None) => (id == "yes") == yes,
            _ => false,
        });
        found.map(ColumnId::from_index)
    }
}

/// A row.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The scores it covers.
    pub band: Option<Band>,
    /// The word it is for, where the score is a choice.
    pub is_word: Option<Word>,
    /// When it holds.
    pub when: Option<Formula>,
    /// What is shown.
    pub label: Text,
    /// Its condition as a player reads it.
    pub shown: Text,
    /// The reading it rests on.
    pub reading: Option<ReadingId>,
    /// One cell for each column, or one for all.
    pub cells: IdVec<ColumnId, Cell>,
    /// Where in its file it stands.
    pub place: std::ops::Range<usize>,
}

impl Row {
    /// The cell in a column: the column's own, or the one that all columns share.
    pub fn cell(&self, column: Option<ColumnId>) -> Option<(ColumnId, &Cell)> {
        let column = column.filter(|_| self.cells.len() > 1).unwrap_or(ColumnId::FIRST);
        Some((column, self.cells.get(column)?))
    }
}

/// A band of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// The lower end and whether it belongs; none without one.
    pub from: Option<(Number, bool)>,
    /// The upper end and whether it belongs; none without one.
    pub to: Option<(Number, bool)>,
}

impl Band {
    /// Whether a score lies in it.
    pub fn holds(&self, score: Number) -> bool {
        let low = self.from.is_none_or(|(n, belongs)| score > n || (belongs && score == n));
        let high = self.to.is_none_or(|(n, belongs)| score < n || (belongs && score == n));
        low && high
    }
}

/// What stands in a table's cell.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Cell {
    /// The result.
    pub landing: Option<BindingId>,
    /// The number.
    pub value: Option<Formula>,
    /// The step whose looked-up result is taken over.
    pub result_of: Option<StepId>,
    /// What is shown.
    pub label: Text,
    /// What this cell changes beyond its result.
    pub effects: Vec<EffectRule>,
    /// What follows from this cell beyond its result.
    pub next: Vec<FollowUpRule>,
}

/// A result that holds in addition.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Also {
    /// When.
    pub when: Option<Formula>,
    /// What is shown.
    pub label: Text,
    /// The reading it rests on.
    pub reading: Option<ReadingId>,
    /// The result.
    pub landing: BindingId,
    /// What this line changes beyond its result.
    pub effects: Vec<EffectRule>,
    /// What follows from this line beyond its result.
    pub next: Vec<FollowUpRule>,
}
