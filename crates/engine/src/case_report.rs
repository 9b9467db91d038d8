//! Runs the test cases of a pack: literal faces in, resolution out, compared with what the case
//! expects.

use crate::change::Change;
use crate::coverage::Coverage;
use crate::error::{InputError, ResolveError};
use crate::resolution::{Resolution, ResultLine};
use crate::run::{Interrupted, resolve};
use crate::situation::Situation;
use adjutant_dice::{
    Answer, EnteredInput, InputSource, Missing, Number, SourceError, Text, Wanted,
};
use adjutant_pack::{Case, CaseInputs, Expect, Grid, GridCell, Noun, Pack, Suite, UnknownName};
use std::ops::Range;

/// A case whose outcome was not as expected.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The case's sentence.
    pub name: String,
    /// Its byte range in cases.toml.
    pub place: Range<usize>,
    /// What was not as expected.
    pub why: CaseFailure,
}

/// What was not as a case expects.
#[derive(Clone, Debug, PartialEq)]
pub enum CaseFailure {
    /// The case expects a result that the pack does not have.
    UnknownResult(UnknownName),
    /// The run was refused, and the reason does not contain this text.
    OtherReason {
        /// The text that the case expects.
        part: String,
        /// The reason.
        reason: CaseError,
    },
    /// The run should have been refused with a reason that contains this text.
    NotRefused {
        /// The text that the case expects.
        part: String,
        /// What happened.
        outcome: CaseOutcome,
    },
    /// The run should have stopped for want of this input.
    DidNotStop {
        /// The name of the input.
        key: String,
        /// What happened.
        outcome: CaseOutcome,
    },
    /// The run should have come to its end.
    DidNotEnd(CaseOutcome),
    /// The run came to its end and differs.
    Differs(Vec<Difference>),
    /// A cell of a grid of cases.
    Cell {
        /// The values of the axes, by name.
        at: Vec<(String, String)>,
        /// What the cell expects.
        wanted: GridCell,
        /// What happened.
        outcome: CaseOutcome,
    },
}

/// What happened in the run of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum CaseOutcome {
    /// It came to its end with this result and this value.
    Done(Option<Text>, Option<Number>),
    /// It stopped for want of an input.
    Stopped(CaseError),
    /// It was refused.
    Refused(CaseError),
}

/// One difference between a case and its run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs.
    pub what: Compared,
    /// What the case expects.
    pub wanted: Expected,
    /// What came out.
    pub found: Expected,
}

/// A part of a resolution that a case can name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// The result.
    Result,
    /// The role that the result is for.
    On,
    /// The column.
    Column,
    /// The score.
    Score,
    /// The value.
    Value,
    /// The total of this step.
    Total(String),
    /// The effects.
    Effects,
    /// The charts that follow.
    Next,
    /// The further results.
    Also,
    /// The order of the units.
    Order,
    /// The result of this unit of several.
    ResultOf(String),
}

/// One thing, or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// An id or a number; nothing if there is none.
    One(Option<String>),
    /// A list.
    List(Vec<String>),
    /// A list of groups.
    Groups(Vec<Vec<String>>),
}

/// The outcome of a suite of cases.
#[derive(Clone, Debug, Default)]
pub struct CaseReport {
    /// The number of cases that passed.
    pub passed: usize,
    /// The cases that failed.
    pub failures: Vec<Failure>,
    /// The parts of the pack that the cases reached.
    pub coverage: Coverage,
}

/// Why a case did not run to its end.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{:?}", self)]
pub enum CaseError {
    /// An input is not accepted.
    Input(InputError),
    /// More was given than the chart asked for.
    Source(SourceError),
    /// The chart cannot be run.
    Resolve(Box<ResolveError>),
    /// These inputs are missing.
    Needs(Vec<Missing>),
}

/// Puts the error of a case into words: a case may expect a part of that text.
pub type SayError = fn(&CaseError) -> String;

/// The outcome of one run of a case.
enum CaseRun {
    Done(Box<Resolution>),
    /// Stopped for want of an input.
    Stopped(Box<Resolution>),
    Refused(CaseError),
}

impl CaseRun {
    fn outcome(&self) -> CaseOutcome {
        match self {
            CaseRun::Done(resolution) => {
                let result = resolution.result.as_ref().map(|result| result.id.clone());
                CaseOutcome::Done(result, resolution.value)
            }
            CaseRun::Stopped(resolution) => {
                CaseOutcome::Stopped(CaseError::Needs(resolution.needs.clone()))
            }
            CaseRun::Refused(error) => CaseOutcome::Refused(error.clone()),
        }
    }
}

/// Runs all cases. `filled` is the same pack, read with the suite's made-up tables.
pub fn try_suite(pack: &Pack, filled: Option<&Pack>, suite: &Suite, say: SayError) -> CaseReport {
    let mut trial = CaseReport::default();
    let chosen = |given: &CaseInputs| if given.tables { filled.unwrap_or(pack) } else { pack };
    for case in &suite.cases {
        let ran = run(chosen(&case.given), &case.given);
        trial.mark(&ran);
        let wrong = unknown_result(pack, &case.expect).or_else(|| compare(case, &ran, say));
        trial.note(&case.name, &case.place, wrong);
    }
    for grid in &suite.grids {
        try_grid(chosen(&grid.given), grid, &mut trial);
    }
    trial
}

impl CaseReport {
    fn note(&mut self, name: &str, place: &Range<usize>, wrong: Option<CaseFailure>) {
        match wrong {
            None => self.passed += 1,
            Some(why) => {
                self.failures.push(Failure { name: name.to_owned(), place: place.clone(), why })
            }
        }
    }

    fn mark(&mut self, ran: &CaseRun) {
        match ran {
            CaseRun::Done(resolution) | CaseRun::Stopped(resolution) => {
                self.coverage.add(&resolution.marks);
            }
            CaseRun::Refused(_) => {}
        }
    }
}

fn run(pack: &Pack, given: &CaseInputs) -> CaseRun {
    let mut situation = match situation(pack, given) {
        Ok(situation) => situation,
        Err(error) => return CaseRun::Refused(CaseError::Input(error)),
    };
    let mut source = EnteredInput::new()
        .with_faces(given.dice.iter().map(String::as_str))
        .with_cards(given.cards.iter().copied());
    for (key, answer) in &given.answers {
        source = source.with_answer(key, answer);
    }
    match resolve(&mut situation, &mut source) {
        Ok(resolution) => match source.finish() {
            Ok(()) => CaseRun::Done(Box::new(resolution)),
            Err(rest) => CaseRun::Refused(CaseError::Source(rest)),
        },
        Err(Interrupted { resolution, refused }) => match refused {
            Some(error) => CaseRun::Refused(CaseError::Resolve(error)),
            None => CaseRun::Stopped(resolution),
        },
    }
}

fn situation<'p>(pack: &'p Pack, given: &CaseInputs) -> Result<Situation<'p>, InputError> {
    let mut situation = Situation::new(pack, &given.chart)?;
    for (name, text) in &given.inputs {
        situation.give(name, text)?;
    }
    for (name, text) in &given.options {
        situation.set_option(name, text)?;
    }
    for (name, text) in &given.memory {
        situation.set_memory(name, text)?;
    }
    situation.take_out(&given.gone)?;
    situation.put_in_hand(&given.hand)?;
    Ok(situation)
}

/// The error for an expected result that the pack does not have.
fn unknown_result(pack: &Pack, expect: &Expect) -> Option<CaseFailure> {
    let wanted = expect
        .result
        .as_ref()
        .into_iter()
        .chain(expect.also.iter().flatten())
        .chain(expect.results.iter().map(|(_, id)| id));
    let known = || pack.results().iter().map(|outcome| outcome.id.as_str());
    let unknown =
        wanted.filter(|id| *id != "none").find(|id| !known().any(|known| known == id.as_str()))?;
    Some(CaseFailure::UnknownResult(UnknownName::new(Noun::Result, unknown, known())))
}

fn compare(case: &Case, ran: &CaseRun, say: SayError) -> Option<CaseFailure> {
    let Expect { refused, needs, .. } = &case.expect;
    let reason = match ran {
        CaseRun::Done(_) => None,
        CaseRun::Stopped(resolution) => Some(CaseError::Needs(resolution.needs.clone())),
        CaseRun::Refused(error) => Some(error.clone()),
    };
    if let Some(part) = refused {
        let part = part.clone();
        return match (ran, reason) {
            (_, Some(reason)) if say(&reason).contains(&part) => None,
            (CaseRun::Refused(_), Some(reason)) => Some(CaseFailure::OtherReason { part, reason }),
            _ => Some(CaseFailure::NotRefused { part, outcome: ran.outcome() }),
        };
    }
    match (ran, needs) {
        (CaseRun::Stopped(resolution), Some(key))
            if resolution.needs.iter().any(|need| need.key == *key) =>
        {
            differences(&case.expect, resolution)
        }
        (_, Some(key)) => {
            Some(CaseFailure::DidNotStop { key: key.clone(), outcome: ran.outcome() })
        }
        (CaseRun::Done(resolution), None) => differences(&case.expect, resolution),
        _ => Some(CaseFailure::DidNotEnd(ran.outcome())),
    }
}

/// All differences; `None` if everything is as expected.
fn differences(expect: &Expect, resolution: &Resolution) -> Option<CaseFailure> {
    let mut wrong = Vec::new();
    let mut same = |what: Compared, wanted: Option<Expected>, found: Expected| {
        if let Some(wanted) = wanted.filter(|wanted| *wanted != found) {
            wrong.push(Difference { what, wanted, found });
        }
    };
    // A case writes `none` where nothing is expected.
    let one = |text: &String| Expected::One((text != "none").then(|| text.clone()));
    let id = |result: &ResultLine| result.id.to_string();
    let line = resolution.result.as_ref();
    let on = line.and_then(|line| line.on.as_ref());
    let score = resolution.score.as_ref();
    same(Compared::Result, expect.result.as_ref().map(one), Expected::One(line.map(id)));
    same(Compared::On, expect.on.as_ref().map(one), Expected::One(on.map(Text::to_string)));
    same(
        Compared::Column,
        expect.column.as_ref().map(one),
        Expected::One(resolution.column.as_ref().map(Text::to_string)),
    );
    same(
        Compared::Score,
        expect.score.as_ref().map(one),
        Expected::One(score.map(Answer::to_string)),
    );
    let number = |n: Option<Number>| Expected::One(n.map(|n| n.to_string()));
    same(Compared::Value, expect.value.map(|n| number(Some(n))), number(resolution.value));
    for (step, total) in &expect.totals {
        let roll = resolution.rolls().rfind(|roll| roll.name == *step);
        let found = roll.and_then(|roll| roll.total.as_ref()).map(Answer::to_string);
        same(Compared::Total(step.clone()), Some(one(total)), Expected::One(found));
    }
    let effects = resolution.effects.iter().filter(|change| change.kind.note().is_none());
    let effects = effects.map(Change::says).collect();
    same(Compared::Effects, expect.effects.clone().map(Expected::List), Expected::List(effects));
    let next = resolution.next.iter().filter(|next| next.others.is_none());
    let next = next.map(|next| next.chart.to_string()).collect();
    same(Compared::Next, expect.next.clone().map(Expected::List), Expected::List(next));
    let also = resolution.also.iter().map(id).collect();
    same(Compared::Also, expect.also.clone().map(Expected::List), Expected::List(also));
    let order =
        resolution.order.iter().map(|group| group.iter().map(Text::to_string).collect()).collect();
    same(Compared::Order, expect.order.clone().map(Expected::Groups), Expected::Groups(order));
    for (member, wanted) in &expect.results {
        let known = resolution.members.iter().find(|known| known.name == *member);
        let found = known.and_then(|known| known.result.as_ref()).map(id);
        same(Compared::ResultOf(member.clone()), Some(one(wanted)), Expected::One(found));
    }
    (!wrong.is_empty()).then_some(CaseFailure::Differs(wrong))
}

fn try_grid(pack: &Pack, grid: &Grid, trial: &mut CaseReport) {
    for (given, wanted, at) in cells(grid) {
        let ran = run(pack, &given);
        trial.mark(&ran);
        let wrong = (!fits(wanted, &ran)).then(|| CaseFailure::Cell {
            at,
            wanted: wanted.clone(),
            outcome: ran.outcome(),
        });
        trial.note(&grid.name, &grid.place, wrong);
    }
}

/// The cells of a grid as cases: the inputs, what is expected, and the values of the axes by name.
fn cells(grid: &Grid) -> impl Iterator<Item = (CaseInputs, &GridCell, Vec<(String, String)>)> {
    grid.rows.iter().flat_map(move |(key, cells)| {
        cells.iter().enumerate().map(move |(column, cell)| {
            let mut given = grid.given.clone();
            let mut at = vec![(grid.down.clone(), key.clone())];
            if let Some((across, values)) = &grid.across {
                let value = values.get(column).map(String::as_str).unwrap_or_default();
                put(&mut given, across, value);
                at.push((across.clone(), value.to_owned()));
            }
            put(&mut given, &grid.down, key);
            (given, cell, at)
        })
    })
}

/// The runs of all cases that come to their end, in order, each with the name of its case. The cells
/// of a grid are cases of their own.
pub fn completed_cases(
    pack: &Pack,
    filled: Option<&Pack>,
    suite: &Suite,
) -> Vec<(String, Resolution)> {
    let single = suite.cases.iter().map(|case| (case.name.clone(), case.given.clone()));
    let in_grids = suite
        .grids
        .iter()
        .flat_map(|grid| cells(grid).map(|(given, ..)| (grid.name.clone(), given)));
    let completed = |(name, given): (String, CaseInputs)| {
        let pack = if given.tables { filled.unwrap_or(pack) } else { pack };
        match run(pack, &given) {
            CaseRun::Done(resolution) => Some((name, *resolution)),
            CaseRun::Stopped(_) | CaseRun::Refused(_) => None,
        }
    };
    single.chain(in_grids).filter_map(completed).collect()
}

/// Sets one value of an axis in the inputs of a case. Faces and cards go before those given for
/// all.
fn put(given: &mut CaseInputs, axis: &str, value: &str) {
    let each = || value.split(['+', ',']).map(str::trim);
    let faces = || each().map(str::to_owned).collect::<Vec<String>>();
    let cards = || each().filter_map(|card| card.parse().ok()).collect::<Vec<u32>>();
    match axis.split_once('.') {
        _ if axis.is_empty() => {}
        _ if axis == "dice" => drop(given.dice.splice(0..0, faces())),
        _ if axis == "cards" => drop(given.cards.splice(0..0, cards())),
        Some(("answer", key)) => given.answers.push((key.to_owned(), value.to_owned())),
        Some(("option", key)) => given.options.push((key.to_owned(), value.to_owned())),
        Some(("memory", key)) => given.memory.push((key.to_owned(), value.to_owned())),
        _ => given.inputs.push((axis.to_owned(), value.to_owned())),
    }
}

fn fits(cell: &GridCell, ran: &CaseRun) -> bool {
    match (cell, ran) {
        (GridCell::Again, CaseRun::Stopped(resolution)) => resolution
            .needs
            .iter()
            .any(|need| matches!(need.wanted, Wanted::Dice { .. } | Wanted::Card { .. })),
        (GridCell::Value(wanted), CaseRun::Done(resolution)) => resolution.value == Some(*wanted),
        (GridCell::Result(wanted), CaseRun::Done(resolution)) => {
            resolution.result.as_ref().is_some_and(|result| result.id == *wanted)
        }
        _ => false,
    }
}
