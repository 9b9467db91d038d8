//! Compares the edited pack with the version that is in use, or that it was started from: what is
//! defined otherwise, which chances move, which cases of that version fail. The work is done in
//! slices between frames, each at most twice as long as one that was short.

use adjutant_diff::{ChartDiff, Effort, PackDiff, Version, chances, changes};
use adjutant_engine::{Failure, try_suite};
use adjutant_pack::{Files, Grid, Pack, Suite, read_cases, read_pack};
use adjutant_wording::en::case_error;
use std::sync::Arc;

/// A slice that took no longer than this, in milliseconds, may be followed by one twice as long;
/// one that took up to `LONG` as well, while few situations were compared.
const SHORT: u32 = 40;
const LONG: u32 = 200;
const FEW: usize = 128;
/// The largest shifts that are shown of each chart.
const SHIFTS: usize = 3;

/// The version that is compared with.
#[derive(Debug)]
pub struct Base {
    pub files: Files,
    pub pack: Arc<Pack>,
    /// Whether it comes with the page.
    pub shipped: bool,
}

/// A comparison, as far as it got.
#[derive(Debug, Default)]
pub struct Comparison {
    pub base: Option<Base>,
    after: Option<(Files, Arc<Pack>)>,
    pub found: PackDiff,
    /// The chart whose chances are compared next, and in how many situations.
    chart: usize,
    situations: usize,
    /// The cases of the version that is compared with, and how many were tried.
    suite: Suite,
    tried: usize,
    /// Both versions with the tables of these cases.
    filled: [Option<Box<Pack>>; 2],
    pub failing: Vec<Failure>,
    pub stage: Stage,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    #[default]
    Definitions,
    Chances,
    Cases,
    Done,
}

impl Comparison {
    pub fn new(base: Option<Base>, files: Files, pack: Arc<Pack>) -> Comparison {
        let stage = if base.is_some() { Stage::Definitions } else { Stage::Done };
        Comparison { base, after: Some((files, pack)), stage, ..Comparison::default() }
    }

    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done || self.after.is_none()
    }

    /// Does a little of the work. The slice before took so many milliseconds.
    pub fn work(&mut self, took: u32) {
        let (Some(base), Some((files, pack))) = (&self.base, &self.after) else { return };
        let before = Version { files: &base.files, pack: &base.pack };
        let after = Version { files, pack };
        match self.stage {
            Stage::Definitions => {
                self.found = changes(&before, &after);
                (self.stage, self.chart, self.situations) = (Stage::Chances, 0, 1);
            }
            Stage::Chances => {
                let Some(chart) = self.found.charts.get_mut(self.chart) else {
                    self.found.leave_out_unmoved();
                    self.found.charts.sort_by(largest_first);
                    self.suite = cases(&before, &after);
                    self.filled = [&before, &after].map(|version| {
                        let tables = self.suite.tables.as_ref()?;
                        read_pack(version.files, Some(tables)).ok().map(Box::new)
                    });
                    self.stage = Stage::Cases;
                    return;
                };
                let patience = if self.situations <= FEW { LONG } else { SHORT };
                let found_all = chart.chances.as_ref().is_some_and(|known| {
                    known.exhaustive || known.situations < self.situations / 2 || took > patience
                });
                let most = self.situations > Effort::default().situations;
                if !chart.is_in_both() || found_all || most {
                    (self.chart, self.situations) = (self.chart + 1, 1);
                    return;
                }
                let effort =
                    Effort { situations: self.situations, shifts: SHIFTS, ..Effort::default() };
                chart.chances = Some(chances(&before, &after, &chart.id, &effort));
                self.situations *= 2;
            }
            Stage::Cases => match one(&self.suite, self.tried) {
                Some(case) => {
                    self.tried += 1;
                    let [old, new] = &self.filled;
                    let failed = failures(&after, new.as_deref(), &case);
                    // A case that failed before the change says nothing about it.
                    if !failed.is_empty() && failures(&before, old.as_deref(), &case).is_empty() {
                        self.failing.extend(failed);
                    }
                }
                None => self.stage = Stage::Done,
            },
            Stage::Done => {}
        }
    }
}

fn largest_first(one: &ChartDiff, other: &ChartDiff) -> std::cmp::Ordering {
    let size = |chart: &ChartDiff| chart.largest().map(|shift| shift.size().clone());
    size(other).cmp(&size(one))
}

/// The cases of the earlier version. If the later one has the same, the editor tries them anyway.
fn cases(before: &Version<'_>, after: &Version<'_>) -> Suite {
    let text = |version: &Version<'_>| version.files.text("cases.toml").map(str::to_owned);
    match text(before) == text(after) {
        true => Suite::default(),
        false => read_cases(before.files).unwrap_or_default(),
    }
}

/// One case of a suite as a suite.
pub fn one(suite: &Suite, place: usize) -> Option<Suite> {
    let single = suite.cases.len();
    match suite.cases.get(place) {
        Some(case) => Some(Suite { cases: vec![case.clone()], ..Suite::default() }),
        None => {
            let grid = suite.grids.get(place - single)?;
            Some(Suite { grids: vec![Grid::clone(grid)], ..Suite::default() })
        }
    }
}

fn failures(version: &Version<'_>, filled: Option<&Pack>, case: &Suite) -> Vec<Failure> {
    try_suite(version.pack, filled, case, case_error).failures
}
