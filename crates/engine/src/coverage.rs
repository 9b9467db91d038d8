//! Coverage of a pack by its cases. Every cell, modifier, again rule, additional result and tally
//! of a chart is a [`CoveragePoint`], and so is every field of a card that some chart reads. A
//! point that no run reaches is an untested rule.

use adjutant_pack::{
    AgainId, AlsoId, Chart, ChartId, ColumnId, DeckFieldKind, DeckId, Expr, Facet, FieldId,
    HeadingKey, IdVec, ModifierId, Pack, ResultId, Row, RowId, Slot, StepId, StepKind, TallyId,
    Value,
};
use std::collections::BTreeSet;

/// A part of a pack that a run can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CoveragePoint {
    /// A cell of a table: chart, row, column.
    Cell(ChartId, RowId, ColumnId),
    /// A modifier that counted: chart, step, modifier.
    Modifier(ChartId, StepId, ModifierId),
    /// A shift of the column that counted: chart, modifier.
    Shift(ChartId, ModifierId),
    /// An again rule that applied: chart, step, rule.
    Again(ChartId, StepId, AgainId),
    /// An again rule that ended the chart: chart, step, rule.
    Ended(ChartId, StepId, AgainId),
    /// An additional result that applied: chart, line.
    Also(ChartId, AlsoId),
    /// A tally that was reached: chart, line.
    Tally(ChartId, TallyId),
    /// A result that replaced another: the replaced result, line.
    Instead(ResultId, usize),
    /// A user table that was answered: chart.
    UserTable(ChartId),
    /// A field of a card that was read: deck, card, cell.
    Card(DeckId, u32, usize),
}

/// The points that runs have reached.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    reached: BTreeSet<CoveragePoint>,
}

impl Coverage {
    /// Adds the points that a run reached.
    pub fn add(&mut self, marks: &[CoveragePoint]) {
        self.reached.extend(marks.iter().cloned());
    }

    /// Adds the points of another coverage.
    pub fn join(&mut self, other: Coverage) {
        self.reached.extend(other.reached);
    }

    /// The number of points reached, and the number of points in the pack.
    pub fn count(&self, pack: &Pack) -> (usize, usize) {
        let all = all_marks(pack);
        (all.iter().filter(|mark| self.is_reached(pack, mark)).count(), all.len())
    }

    /// The points that were not reached.
    pub fn missing(&self, pack: &Pack) -> Vec<CoveragePoint> {
        all_marks(pack).into_iter().filter(|mark| !self.is_reached(pack, mark)).collect()
    }

    /// Whether a point was reached. A row that says the same in every column is one cell if the
    /// column is worked out: not each of its columns can always be met.
    fn is_reached(&self, pack: &Pack, mark: &CoveragePoint) -> bool {
        if self.reached.contains(mark) {
            return true;
        }
        let CoveragePoint::Cell(place, row, _) = mark else { return false };
        let read = &pack.charts()[*place].read;
        let worked_out =
            read.column.as_ref().is_some_and(|column| !matches!(column.by.expr, Expr::Slot(_)));
        let cells = &read.rows[*row].cells;
        let first = cells.iter().next().and_then(|cell| cell.landing);
        let same = first.is_some()
            && cells.iter().all(|cell| cell.landing == first && cell.value.is_none());
        let met = |column| self.reached.contains(&CoveragePoint::Cell(*place, *row, column));
        worked_out && same && cells.ids().any(met)
    }
}

/// All points of a pack.
pub fn all_marks(pack: &Pack) -> BTreeSet<CoveragePoint> {
    let mut marks = BTreeSet::new();
    for (place, chart) in pack.charts().iter_enumerated() {
        for (row, known) in chart.read.rows.iter_enumerated() {
            let columns = known.cells.ids().filter(|column| can_meet(chart, known, *column));
            marks.extend(columns.map(|column| CoveragePoint::Cell(place, row, column)));
        }
        let shifts = chart.read.column.iter().flat_map(|column| column.shift.ids());
        marks.extend(shifts.map(|shift| CoveragePoint::Shift(place, shift)));
        for (step, known) in chart.steps.iter_enumerated() {
            marks.extend(
                known.add.ids().map(|modifier| CoveragePoint::Modifier(place, step, modifier)),
            );
            for (rule, again) in known.again.iter_enumerated() {
                marks.insert(CoveragePoint::Again(place, step, rule));
                if again.stop.is_some() {
                    marks.insert(CoveragePoint::Ended(place, step, rule));
                }
            }
            if let StepKind::Draw(draw) = &known.kind {
                card_marks(pack, draw, known, &mut marks);
            }
        }
        marks.extend(chart.read.also.ids().map(|line| CoveragePoint::Also(place, line)));
        marks.extend(
            chart
                .each
                .iter()
                .flat_map(|each| each.tally.ids())
                .map(|line| CoveragePoint::Tally(place, line)),
        );
        for landing in &chart.landings {
            marks.extend(
                (0..landing.instead.len()).map(|line| CoveragePoint::Instead(landing.result, line)),
            );
        }
        if chart.read.user_table.is_some() {
            marks.insert(CoveragePoint::UserTable(place));
        }
    }
    marks
}

/// Whether a row and a column can meet. A column that goes by one name settles that name, and the
/// row's condition may be false then.
fn can_meet(chart: &Chart, row: &Row, column: ColumnId) -> bool {
    let (Some(when), Some(by)) = (&row.when, &chart.read.column) else { return true };
    let Expr::Slot(slot) = by.by.expr else { return true };
    if row.cells.len() < 2 || !by.shift.is_empty() {
        return true;
    }
    let value = match by.keys.get(column) {
        Some(HeadingKey::Word(word)) => Value::Word(*word),
        Some(HeadingKey::YesNo(yes)) => Value::YesNo(*yes),
        _ => return true,
    };
    let mut known: IdVec<Slot, Option<Value>> = IdVec::filled(None, chart.names.len());
    known[slot] = Some(value);
    when.eval_partly(&known, &mut Vec::new()) != Some(Value::YesNo(false))
}

/// The cells of a deck that a draw can read: those of the field it reads and of the fields it
/// names.
fn card_marks(
    pack: &Pack,
    draw: &adjutant_pack::Draw,
    step: &adjutant_pack::Step,
    marks: &mut BTreeSet<CoveragePoint>,
) {
    let deck = &pack.decks()[draw.deck];
    let mut fields: Vec<(FieldId, Option<adjutant_dice::Number>)> = step
        .facets
        .iter()
        .filter_map(|(facet, _)| match facet {
            Facet::Field(field) => Some((*field, None)),
            _ => None,
        })
        .collect();
    if let Some((field, by)) = &draw.read {
        fields.push((
            *field,
            by.as_ref()
                .and_then(adjutant_pack::Formula::constant)
                .and_then(adjutant_pack::Value::number),
        ));
    }
    for (field, by) in fields {
        let known = &deck.fields[field];
        let cells = match (&known.kind, by.and_then(adjutant_dice::Number::as_whole)) {
            (DeckFieldKind::Numbers { from, .. }, Some(by)) => {
                let cell = known.first_cell + (by - i64::from(*from)).max(0) as usize;
                cell..cell + 1
            }
            (DeckFieldKind::Numbers { from, to }, None) => {
                known.first_cell..known.first_cell + (to - from + 1) as usize
            }
            _ => known.first_cell..known.first_cell + 1,
        };
        for (card, known) in (1..).zip(&deck.cards) {
            marks.extend(
                cells
                    .clone()
                    .filter(|cell| known.cells.get(*cell).is_some_and(Option::is_some))
                    .map(|cell| CoveragePoint::Card(draw.deck, card, cell)),
            );
        }
    }
}
