//! The longer work of the lab, in slices: the plot, and what each circumstance would change. A
//! quick chart is done at once; for a slow one the page is asked to call back after each slice.

use crate::message::{Command, ReplyTo};
use crate::parts::axis::Axis;
use adjutant_engine::{OddsOptions, OddsReport, Plan, Situation};
use adjutant_pack::{Chart, Field, InputId};

/// The most values down, and across.
const MOST: (usize, usize) = (31, 21);
/// How long a slice should take, in milliseconds.
const SLICE: u32 = 25;

/// The work, and how much is done.
#[derive(Debug, Default)]
pub struct Work {
    /// The number of this work; replies for others are ignored.
    number: u64,
    pieces: usize,
    axes: Vec<(Axis, Vec<String>)>,
    /// The odds of each cell, row by row; none where there are no odds.
    pub cells: Vec<Option<OddsReport>>,
    open: Vec<InputId>,
    /// What each circumstance would change.
    pub changes: Vec<(InputId, Option<OddsReport>)>,
}

impl Work {
    /// New work. Replies for the old one are ignored.
    pub fn after(before: &Work) -> Work {
        Work { number: before.number + 1, ..Work::default() }
    }

    /// Whether a reply is for this work.
    pub fn is(&self, number: u64) -> bool {
        number == self.number
    }

    /// The vertical axis.
    pub fn down(&self) -> &Axis {
        const NONE: &Axis = &Axis { name: String::new(), from: None, to: None };
        self.axes.first().map_or(NONE, |(axis, _)| axis)
    }

    /// The axes, with their values.
    pub fn axes(&self) -> &[(Axis, Vec<String>)] {
        &self.axes
    }

    /// How many cells and circumstances there are in all.
    pub fn size(&self) -> usize {
        self.wanted() + self.changes.len() + self.open.len()
    }

    /// How many of them are done.
    pub fn done(&self) -> usize {
        self.cells.len() + self.changes.len()
    }

    /// Whether everything is done.
    pub fn is_done(&self) -> bool {
        self.done() >= self.size()
    }

    fn wanted(&self) -> usize {
        if self.axes.is_empty() {
            0
        } else {
            self.axes.iter().map(|(_, values)| values.len()).product()
        }
    }

    /// Starts again for this situation.
    pub fn begin(&mut self, here: &Situation<'_>, asked: &OddsOptions, down: Axis, across: &Axis) {
        let quick = !asked.follow.is_on() && Plan::new(here).is_some();
        let number = self.number + 1;
        let pieces = if quick { usize::MAX } else { 2 };
        let mut axes = Vec::new();
        let chart = here.chart();
        let two = field_of(chart, &across.name).is_some() && across.name != down.name;
        if let Some((field, now)) =
            field_of(chart, &down.name).map(|field| (field, said(here, &down.name)))
        {
            let values = down.values(field, now.as_deref(), if two { MOST.1 } else { MOST.0 });
            axes.push((down, values));
            if let Some(field) = field_of(chart, &across.name).filter(|_| two) {
                axes.push((
                    across.clone(),
                    across.values(field, said(here, &across.name).as_deref(), MOST.1),
                ));
            }
        }
        let mut open = adjutant_engine::could_hold(here);
        open.reverse();
        *self = Work { number, pieces, axes, cells: Vec::new(), open, changes: Vec::new() };
    }

    /// Does the next slice.
    pub fn go_on(&mut self, here: &Situation<'_>, asked: &OddsOptions) -> Vec<Command> {
        for _ in 0..self.pieces.max(1) {
            if self.is_done() {
                return Vec::new();
            }
            self.piece(here, asked);
        }
        if self.is_done() {
            Vec::new()
        } else {
            vec![Command::NextFrame { reply_to: ReplyTo::Lab(self.number) }]
        }
    }

    /// Adjusts the size of the next slice.
    pub fn pace(&mut self, took: u32) {
        self.pieces = match took {
            0..SLICE => self.pieces.saturating_mul(2).min(4096),
            t if t > 2 * SLICE => (self.pieces / 2).max(1),
            _ => self.pieces,
        };
    }

    fn piece(&mut self, here: &Situation<'_>, asked: &OddsOptions) {
        let mut there = here.clone();
        if self.cells.len() < self.wanted() {
            let across = self.axes.get(1).map_or(1, |(_, values)| values.len().max(1));
            let (row, column) = (self.cells.len() / across, self.cells.len() % across);
            let given = self.axes.iter().zip([row, column]).all(|((axis, values), place)| {
                values.get(place).is_some_and(|value| there.give(&axis.name, value).is_ok())
            });
            self.cells.push(if given { adjutant_engine::odds(&there, asked).ok() } else { None });
        } else if let Some(place) = self.open.pop() {
            let name = here.chart().inputs[place].name.clone();
            let found = there
                .give(&name, "yes")
                .ok()
                .and_then(|()| adjutant_engine::odds(&there, asked).ok());
            self.changes.push((place, found));
        }
    }
}

/// The field of an input that all units share.
pub fn field_of<'c>(chart: &'c Chart, name: &str) -> Option<&'c Field> {
    let each = chart.each.as_ref().map(|each| each.role);
    chart
        .inputs
        .iter()
        .find(|input| input.name == name && (each.is_none() || input.role != each))
        .map(|input| &input.field)
}

/// The value of an input, given or by default.
pub fn said(here: &Situation<'_>, name: &str) -> Option<String> {
    let given = here
        .given_inputs()
        .into_iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value.to_string());
    given.or_else(|| field_of(here.chart(), name)?.default.as_ref().map(ToString::to_string))
}
