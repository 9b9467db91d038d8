//! How a chart reads its score: rows, columns, cells and additional results.

use super::Modifier;
use crate::binding::FollowUpRule;
use crate::effect::EffectRule;
use crate::expr::Formula;
use crate::ids::{
    AlsoId, BindingId, ColumnId, FieldId, Id, IdVec, InputId, ModifierId, ReadingId, RowId, StepId,
    UserTableId,
};
use crate::value::{Value, Word};
use adjutant_dice::{Number, Text};

/// How a chart turns its score into a result or a value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Read {
    /// The score that selects a row.
    pub score: Option<Formula>,
    /// What selects the column; `None` for a table of one column.
    pub column: Option<Column>,
    /// What selects the page of a table with several.
    pub page: Option<Formula>,
    /// Whether the rows come from a CSV file.
    pub from_file: bool,
    /// The rows, tried in order.
    pub rows: IdVec<RowId, Row>,
    /// The number that the chart yields.
    pub value: Option<Formula>,
    /// The unit of that number.
    pub unit: String,
    /// The sentence for that number, as written; `{value}` is replaced by it.
    pub says: String,
    /// The author's words for the value, or for the score if there is no value. Empty if there are
    /// none.
    pub text: Text,
    /// The same in parts, with the names that stand in it.
    pub saying: Vec<Saying>,
    /// The user table that the rows come from.
    pub user_table: Option<UserTableId>,
    /// The results that the user table can give, for answers while it is empty.
    pub user_landings: Vec<BindingId>,
    /// Results that apply in addition.
    pub also: IdVec<AlsoId, Also>,
    /// Effects of the whole reading, whatever row is read.
    pub effects: Vec<EffectRule>,
    /// Follow-ups of the whole reading, whatever row is read.
    pub next: Vec<FollowUpRule>,
    /// The inputs that the formulas of the rows, the results and the follow-ups use.
    pub names: Vec<InputId>,
}

impl Read {
    /// Whether the rows have conditions only, so that the score does not select a row.
    pub fn by_conditions(&self) -> bool {
        let open = |band: &Band| band.from.is_none() && band.to.is_none();
        self.rows.iter().all(|row| {
            row.band.as_ref().is_none_or(open) && row.is_word.is_none() && row.limits.is_empty()
        })
    }
}

/// A part of a sentence.
#[derive(Clone, Debug)]
pub enum Saying {
    /// These words.
    Words(Text),
    /// The number that the chart yields.
    Value,
    /// A name: `{die.height}`.
    Name(Formula),
    /// The title of the card of a step, or a field of it: `{card.title}`, `{card.hex}`.
    Card(StepId, Option<FieldId>),
}

/// The columns of a table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Column {
    /// The expression that selects the column.
    pub by: Formula,
    /// The ids in order; `yes` and `no` for a yes/no expression.
    pub ids: IdVec<ColumnId, Text>,
    /// The headings.
    pub heads: IdVec<ColumnId, String>,
    /// What selects each column.
    pub keys: IdVec<ColumnId, HeadingKey>,
    /// Modifiers that move the column to the right or to the left, within the table.
    pub shift: IdVec<ModifierId, Modifier>,
}

/// What a heading of a table stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadingKey {
    /// Yes or no.
    YesNo(bool),
    /// A word of a choice.
    Word(Word),
    /// Some numbers: `6-8`, `12+`, `3:1`.
    Band(Band),
}

impl HeadingKey {
    /// Whether the heading is for this value.
    pub fn holds(self, value: Value) -> bool {
        match (self, value) {
            (HeadingKey::Word(word), Value::Word(by)) => by == word,
            (HeadingKey::YesNo(yes), Value::YesNo(by)) => by == yes,
            (HeadingKey::Band(band), Value::Number(by)) => band.holds(by),
            _ => false,
        }
    }
}

impl Column {
    /// The column that a value selects, before it is shifted.
    pub fn place(&self, by: Value) -> Option<ColumnId> {
        self.keys.position(|key| key.holds(by))
    }

    /// The column so many places to the right. A shift stops at the edge of the table.
    pub fn shifted(&self, from: ColumnId, by: Number) -> ColumnId {
        let last = self.ids.len().saturating_sub(1) as i64;
        let by = by.floor().as_whole().unwrap_or(0).clamp(-last, last);
        ColumnId::from_index((from.index() as i64 + by).clamp(0, last) as usize)
    }
}

/// A row of a table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The scores that it covers.
    pub band: Option<Band>,
    /// The word it applies to, if the score is a choice.
    pub is_word: Option<Word>,
    /// The ends of its band that depend on the situation.
    pub limits: Limits,
    /// The page of the table that it belongs to, as the file names it.
    pub page: Option<Text>,
    /// The condition under which it applies: its own, that the score lies within the limits, and
    /// that its page is read.
    pub when: Option<Formula>,
    /// The condition that the row itself names.
    pub own_when: Option<Formula>,
    /// The label that the player sees.
    pub label: Text,
    /// The author's words for the condition. Empty if there are none.
    pub text: Text,
    /// The condition as the player reads it.
    pub shown: Text,
    /// The reading it relies on.
    pub reading: Option<ReadingId>,
    /// One cell for each column, or one for all columns.
    pub cells: IdVec<ColumnId, Cell>,
    /// The byte range of the row in its file.
    pub place: std::ops::Range<usize>,
}

impl Row {
    /// The cell in a column: its own, or the one that all columns share.
    pub fn cell(&self, column: Option<ColumnId>) -> Option<(ColumnId, &Cell)> {
        let column = column.filter(|_| self.cells.len() > 1).unwrap_or(ColumnId::FIRST);
        Some((column, self.cells.get(column)?))
    }
}

/// Ends of a band that are worked out, each with whether it is included.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Limits {
    /// The lower end.
    pub from: Option<(Formula, bool)>,
    /// The upper end.
    pub to: Option<(Formula, bool)>,
}

impl Limits {
    /// Whether neither end is worked out.
    pub fn is_empty(&self) -> bool {
        self.from.is_none() && self.to.is_none()
    }
}

/// A range of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// The lower end and whether it is included; `None` means unbounded.
    pub from: Option<(Number, bool)>,
    /// The upper end and whether it is included; `None` means unbounded.
    pub to: Option<(Number, bool)>,
}

impl Band {
    /// Whether the band contains a score.
    pub fn holds(&self, score: Number) -> bool {
        let low = self.from.is_none_or(|(n, belongs)| score > n || (belongs && score == n));
        let high = self.to.is_none_or(|(n, belongs)| score < n || (belongs && score == n));
        low && high
    }
}

/// A cell of a table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Cell {
    /// The result it gives.
    pub landing: Option<BindingId>,
    /// The number it gives.
    pub value: Option<Formula>,
    /// The lookup step whose result is passed on.
    pub result_of: Option<StepId>,
    /// The text that the player sees.
    pub label: Text,
    /// Effects of this cell in addition to those of its result.
    pub effects: Vec<EffectRule>,
    /// Follow-ups of this cell in addition to those of its result.
    pub next: Vec<FollowUpRule>,
}

/// A result that applies in addition to the one in the table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Also {
    /// The condition; `None` means always.
    pub when: Option<Formula>,
    /// The label that the player sees.
    pub label: Text,
    /// The author's words for the condition. Empty if there are none.
    pub text: Text,
    /// The reading it relies on.
    pub reading: Option<ReadingId>,
    /// The result that applies.
    pub landing: BindingId,
    /// Effects of this line in addition to those of its result.
    pub effects: Vec<EffectRule>,
    /// Follow-ups of this line in addition to those of its result.
    pub next: Vec<FollowUpRule>,
}
