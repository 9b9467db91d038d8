//! Runs the test cases of a pack: literal faces in, resolution out, compared with what the case
//! expects.

use crate::change::Change;
use crate::coverage::Coverage;
use crate::error::{InputError, ResolveError};
use crate::resolution::{Resolution, ResultLine};
use crate::run::{Interrupted, resolve};
use crate::situation::Situation;
use adjutant_dice::{Answer, EnteredInput, Missing, Number, SourceError, Text, Wanted};
use adjutant_pack::{Case, CaseInputs, Expect, Grid, GridCell, Pack, Suite};
use std::ops::Range;

/// A case whose outcome was not as expected.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The case's sentence.
    pub name: String,
    /// Its byte range in cases.toml.
    pub place: Range<usize>,
    /// The differences from what was expected.
    pub message: String,
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

/// Puts the error of a case into words. A case may expect a part of that text.
pub type SayError = fn(&CaseError) -> String;

/// The outcome of one run of a case.
enum CaseRun {
    Done(Box<Resolution>),
    /// Stopped for want of an input; the text says which.
    Stopped(Box<Resolution>, String),
    Refused(String),
}

/// Runs all cases. `filled` is the same pack, read with the suite's made-up tables.
pub fn try_suite(pack: &Pack, filled: Option<&Pack>, suite: &Suite, say: SayError) -> CaseReport {
    let mut trial = CaseReport::default();
    let chosen = |given: &CaseInputs| if given.tables { filled.unwrap_or(pack) } else { pack };
    for case in &suite.cases {
        let ran = run(chosen(&case.given), &case.given, say);
        trial.mark(&ran);
        let wrong = unknown_result(pack, &case.expect).or_else(|| compare(case, &ran));
        trial.note(&case.name, &case.place, wrong);
    }
    for grid in &suite.grids {
        try_grid(chosen(&grid.given), grid, say, &mut trial);
    }
    trial
}

impl CaseReport {
    fn note(&mut self, name: &str, place: &Range<usize>, wrong: Option<String>) {
        match wrong {
            None => self.passed += 1,
            Some(message) => {
                self.failures.push(Failure { name: name.to_owned(), place: place.clone(), message })
            }
        }
    }

    fn mark(&mut self, ran: &CaseRun) {
        match ran {
            CaseRun::Done(resolution) => self.coverage.add(&resolution.marks),
            CaseRun::Stopped(resolution, _) => self.coverage.add(&resolution.marks),
            CaseRun::Refused(_) => {}
        }
    }
}

fn run(pack: &Pack, given: &CaseInputs, say: SayError) -> CaseRun {
    let mut situation = match situation(pack, given) {
        Ok(situation) => situation,
        Err(error) => return CaseRun::Refused(say(&CaseError::Input(error))),
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
            Err(rest) => CaseRun::Refused(say(&CaseError::Source(rest))),
        },
        Err(Interrupted { resolution, refused }) => match refused {
            Some(error) => CaseRun::Refused(say(&CaseError::Resolve(error))),
            None => {
                let why = say(&CaseError::Needs(resolution.needs.clone()));
                CaseRun::Stopped(resolution, why)
            }
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
    Ok(situation)
}

/// The error for an expected result that the pack does not have.
fn unknown_result(pack: &Pack, expect: &Expect) -> Option<String> {
    let wanted = expect
        .result
        .as_ref()
        .into_iter()
        .chain(expect.also.iter().flatten())
        .chain(expect.results.iter().map(|(_, id)| id));
    let known = || pack.results().iter().map(|outcome| outcome.id.as_str());
    let unknown =
        wanted.filter(|id| *id != "none").find(|id| !known().any(|known| known == id.as_str()))?;
    let remedy = adjutant_pack::nearest(unknown, known())
        .map_or(String::new(), |close| format!(": did you mean `{close}`?"));
    Some(format!("the pack has no result `{unknown}`{remedy}"))
}

fn compare(case: &Case, ran: &CaseRun) -> Option<String> {
    match (ran, &case.expect.refused, &case.expect.needs) {
        (CaseRun::Refused(why), Some(part), _) if why.contains(part.as_str()) => None,
        (CaseRun::Refused(why), Some(part), _) => {
            Some(format!("refused with “{why}”, which does not say “{part}”"))
        }
        (CaseRun::Stopped(_, why), Some(part), _) if why.contains(part.as_str()) => None,
        (_, Some(part), _) => Some(format!("not refused with “{part}”: {}", outcome(ran))),
        (CaseRun::Stopped(resolution, _), None, Some(key))
            if resolution.needs.iter().any(|need| need.key == *key) =>
        {
            differences(&case.expect, resolution)
        }
        (_, None, Some(key)) => Some(format!("did not stop for want of `{key}`: {}", outcome(ran))),
        (CaseRun::Done(resolution), None, None) => differences(&case.expect, resolution),
        _ => Some(outcome(ran)),
    }
}

fn outcome(ran: &CaseRun) -> String {
    match ran {
        CaseRun::Done(resolution) => format!("came out as {}", came_out(resolution)),
        CaseRun::Stopped(_, why) => why.clone(),
        CaseRun::Refused(why) => format!("refused: {why}"),
    }
}

fn came_out(resolution: &Resolution) -> String {
    match (&resolution.result, resolution.value) {
        (Some(result), Some(value)) => format!("{} ({value})", result.id),
        (Some(result), None) => result.id.to_string(),
        (None, Some(value)) => value.to_string(),
        (None, None) => "nothing".into(),
    }
}

/// All differences in one sentence; `None` if everything is as expected.
fn differences(expect: &Expect, resolution: &Resolution) -> Option<String> {
    let mut wrong = Vec::new();
    let mut same = |what: &str, wanted: Option<String>, found: String| {
        if let Some(wanted) = wanted.filter(|wanted| *wanted != found) {
            wrong.push(format!("{what} {found}, not {wanted}"));
        }
    };
    let none = || "none".to_owned();
    let result = |r: &Option<ResultLine>| r.as_ref().map_or_else(none, |r| r.id.to_string());
    same("the result is", expect.result.clone(), result(&resolution.result));
    same(
        "it lands on",
        expect.on.clone(),
        resolution.result.as_ref().and_then(|r| r.on.as_ref()).map_or_else(none, Text::to_string),
    );
    same(
        "the column is",
        expect.column.clone(),
        resolution.column.as_ref().map_or_else(none, ToString::to_string),
    );
    same(
        "the score is",
        expect.score.clone(),
        resolution.score.as_ref().map_or_else(none, Answer::to_string),
    );
    same(
        "the value is",
        expect.value.map(|n| n.to_string()),
        resolution.value.map_or_else(none, |n| n.to_string()),
    );
    for (step, total) in &expect.totals {
        let found = resolution
            .rolls()
            .rfind(|roll| roll.name == *step)
            .and_then(|roll| roll.total.as_ref());
        same(
            &format!("the total of {step} is"),
            Some(total.clone()),
            found.map_or_else(none, Answer::to_string),
        );
    }
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    let effects = resolution
        .effects
        .iter()
        .filter(|change| !matches!(change, Change::Note(_)))
        .map(Change::says)
        .collect();
    same("the effects are", expect.effects.clone().map(list), list(effects));
    let next = resolution
        .next
        .iter()
        .filter(|next| next.others.is_none())
        .map(|next| next.chart.to_string())
        .collect();
    same("what follows is", expect.next.clone().map(list), list(next));
    same(
        "what holds in addition is",
        expect.also.clone().map(list),
        list(resolution.also.iter().map(|r| r.id.to_string()).collect()),
    );
    let groups =
        |order: &Vec<Vec<String>>| list(order.iter().map(|group| list(group.clone())).collect());
    let order =
        resolution.order.iter().map(|group| group.iter().map(Text::to_string).collect()).collect();
    same("the order is", expect.order.as_ref().map(groups), groups(&order));
    for (member, wanted) in &expect.results {
        let found = resolution
            .members
            .iter()
            .find(|known| known.name == *member)
            .map(|known| result(&known.result));
        same(
            &format!("the result of {member} is"),
            Some(wanted.clone()),
            found.unwrap_or_else(none),
        );
    }
    (!wrong.is_empty()).then(|| wrong.join("; "))
}

fn try_grid(pack: &Pack, grid: &Grid, say: SayError, trial: &mut CaseReport) {
    let single = (String::new(), vec![String::new()]);
    let (across, values) = grid.across.as_ref().unwrap_or(&single);
    for (key, cells) in &grid.rows {
        for (value, cell) in values.iter().zip(cells) {
            let mut given = grid.given.clone();
            put(&mut given, across, value);
            put(&mut given, &grid.down, key);
            let ran = run(pack, &given, say);
            trial.mark(&ran);
            let at = if across.is_empty() {
                format!("{} {key}", grid.down)
            } else {
                format!("{} {key}, {across} {value}", grid.down)
            };
            trial.note(
                &grid.name,
                &grid.place,
                compare_cell(cell, &ran).map(|why| format!("{at}: {why}")),
            );
        }
    }
}

/// Sets one value of an axis in the inputs of a case. Faces and cards go before those given for
/// all.
fn put(given: &mut CaseInputs, axis: &str, value: &str) {
    let faces = || value.split('+').map(|face| face.trim().to_owned()).collect::<Vec<String>>();
    let cards =
        || value.split('+').filter_map(|card| card.trim().parse().ok()).collect::<Vec<u32>>();
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

fn compare_cell(cell: &GridCell, ran: &CaseRun) -> Option<String> {
    let more = |resolution: &Resolution| {
        resolution
            .needs
            .iter()
            .any(|need| matches!(need.wanted, Wanted::Dice { .. } | Wanted::Card { .. }))
    };
    match (cell, ran) {
        (GridCell::Again, CaseRun::Stopped(resolution, _)) if more(resolution) => None,
        (GridCell::Value(wanted), CaseRun::Done(resolution))
            if resolution.value == Some(*wanted) =>
        {
            None
        }
        (GridCell::Result(wanted), CaseRun::Done(resolution))
            if resolution.result.as_ref().is_some_and(|r| r.id == *wanted) =>
        {
            None
        }
        (wanted, ran) => Some(format!("expected {}: {}", cell_in_words(wanted), outcome(ran))),
    }
}

fn cell_in_words(cell: &GridCell) -> String {
    match cell {
        GridCell::Again => "another card or die to be wanted".into(),
        GridCell::Value(n) => Number::to_string(n),
        GridCell::Result(id) => id.clone(),
    }
}
