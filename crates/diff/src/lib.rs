//! Compares two versions of a pack by their consequences: what is defined otherwise, which chances
//! move and by how much, and which test cases fail. Pure: the caller brings the packs and decides
//! how much work is done.
//!
//! - [`definitions`] compares the files as trees. Layout, comments and the order of keys do not
//!   count.
//! - [`chances`] runs the charts that may give other results in both versions, in every situation
//!   or in as many as the caller allows, and keeps the largest shifts.
//! - [`failing_cases`] runs the cases of the earlier version against the later one.
//!
//! ```
//! use adjutant_diff::{Effort, Version, diff};
//! let files = adjutant_bundled_packs::files("panzer8").unwrap();
//! let pack = adjutant_pack::read_pack(&files, None).unwrap();
//! let same = Version { files: &files, pack: &pack };
//! assert!(diff(&same, &same, &Effort::default()).is_empty());
//! ```

mod cases;
mod chances;
mod definitions;
mod grid;
mod tree;

pub use cases::{FailingCase, failing_cases};
pub use chances::{ChanceDiff, ChanceShift, Given, Size, chances};
pub use definitions::{Definition, PartChange, definitions};
pub use grid::{Axis, AxisKind};

use adjutant_engine::Stop;
use adjutant_pack::{Files, Pack};
use serde::Serialize;
use std::collections::BTreeSet;

/// One version of a pack.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// The texts from which the pack was read.
    pub files: &'a Files,
    /// The same, checked; with the player's own tables if they are to count.
    pub pack: &'a Pack,
}

/// The limits of a comparison.
#[derive(Clone, Debug)]
pub struct Effort {
    /// In how many situations a chart is compared at most. A chart that has no more is compared in
    /// all of them.
    pub situations: usize,
    /// The number of largest shifts that are kept for each chart.
    pub shifts: usize,
    /// When to stop: what was found so far is told.
    pub stop: Stop,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { situations: 5_000, shifts: 5, stop: Stop::default() }
    }
}

/// The way in which a chart differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChartChange {
    /// Only the later version has it.
    Added,
    /// Only the earlier version has it.
    Removed,
    /// Its own definition differs.
    Changed,
    /// It is defined as before, but relies on something that differs.
    Affected,
}

/// A chart that differs.
#[derive(Clone, Debug, Serialize)]
pub struct ChartDiff {
    /// The chart's id in the pack.
    pub id: String,
    /// Its title, in the later version if that has it.
    pub title: String,
    /// The reason why the chart is listed.
    pub change: ChartChange,
    /// The changes in its definition.
    pub parts: Vec<PartChange>,
    /// The shifts of its chances. None for a chart that only one version has.
    pub chances: Option<ChanceDiff>,
}

/// The differences between two versions of a pack.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PackDiff {
    /// The charts that differ, in the order of the sheet; those that were removed come last.
    pub charts: Vec<ChartDiff>,
    /// The changes outside the charts.
    pub parts: Vec<PartChange>,
}

impl ChartDiff {
    /// Tells if both versions have the chart, so that its chances can be compared.
    pub fn is_in_both(&self) -> bool {
        matches!(self.change, ChartChange::Changed | ChartChange::Affected)
    }

    /// The largest shift of its chances.
    pub fn largest(&self) -> Option<&ChanceShift> {
        self.chances.as_ref()?.shifts.first()
    }
}

impl PackDiff {
    /// Leaves out the charts that are defined as before and whose chances do not move.
    pub fn leave_out_unmoved(&mut self) {
        self.charts
            .retain(|chart| chart.change != ChartChange::Affected || chart.largest().is_some());
    }

    /// Tells if nothing differs.
    pub fn is_empty(&self) -> bool {
        self.charts.is_empty() && self.parts.is_empty()
    }

    /// The largest shift of all charts, with the chart's place in the list.
    pub fn largest(&self) -> Option<(&ChartDiff, &ChanceShift)> {
        let shifts = self
            .charts
            .iter()
            .filter_map(|chart| Some((chart, chart.chances.as_ref()?.shifts.first()?)));
        shifts.reduce(|best, next| if next.1.size() > best.1.size() { next } else { best })
    }
}

/// Compares two versions of a pack.
pub fn diff(before: &Version<'_>, after: &Version<'_>, effort: &Effort) -> PackDiff {
    let mut changes = changes(before, after);
    for chart in changes.charts.iter_mut().filter(|chart| chart.is_in_both()) {
        chart.chances = Some(chances(before, after, &chart.id, effort));
    }
    changes.leave_out_unmoved();
    changes
}

/// The changes, and the charts that they may concern, without their chances: a caller that works in
/// slices adds them chart by chart with [`chances`], and ends with [`PackDiff::leave_out_unmoved`].
pub fn changes(before: &Version<'_>, after: &Version<'_>) -> PackDiff {
    let mut parts = definitions(before.files, after.files);
    let mut charts = Vec::new();
    let shared = parts.iter().any(|part| part.definition.concerns_all_charts());
    let of_charts = parts.iter().filter(|part| part.definition == Definition::Chart);
    let changed: BTreeSet<String> = of_charts.map(|part| part.name.clone()).collect();
    for chart in after.pack.charts() {
        let own = take(&mut parts, &chart.id);
        let is_old = before.pack.chart(&chart.id).is_some();
        let relies = shared
            || looks_up(before.pack, &chart.id, &changed)
            || looks_up(after.pack, &chart.id, &changed);
        let change = match (is_old, own.is_empty(), relies) {
            (false, ..) => ChartChange::Added,
            (true, false, _) => ChartChange::Changed,
            (true, true, true) => ChartChange::Affected,
            (true, true, false) => continue,
        };
        let (id, title) = (chart.id.to_string(), chart.title.to_string());
        charts.push(ChartDiff { id, title, change, parts: own, chances: None });
    }
    for chart in before.pack.charts() {
        if after.pack.chart(&chart.id).is_none() {
            let (id, title) = (chart.id.to_string(), chart.title.to_string());
            let own = take(&mut parts, &chart.id);
            let change = ChartChange::Removed;
            charts.push(ChartDiff { id, title, change, parts: own, chances: None });
        }
    }
    PackDiff { charts, parts }
}

/// Takes the changes of one chart out of the list.
fn take(parts: &mut Vec<PartChange>, chart: &str) -> Vec<PartChange> {
    let of = |part: &PartChange| part.definition == Definition::Chart && part.name == chart;
    let (own, rest) = std::mem::take(parts).into_iter().partition(of);
    *parts = rest;
    own
}

/// Tells if a chart looks up one of these, itself or through others.
fn looks_up(pack: &Pack, chart: &str, changed: &BTreeSet<String>) -> bool {
    let mut reached = vec![chart.to_owned()];
    let mut next = 0;
    while let Some(id) = reached.get(next).cloned() {
        next += 1;
        let Some(chart) = pack.chart(&id) else { continue };
        for look_up in chart.look_ups() {
            let id = pack.charts()[look_up.chart].id.to_string();
            if !reached.contains(&id) {
                reached.push(id);
            }
        }
    }
    reached.iter().any(|id| changed.contains(id))
}
