//! Checks a log against the rules. `replay` rebuilds a table from its lines, runs every chart again
//! with the recorded inputs and lists the differences, also with another version of the pack.
//! `verify` accepts no difference and names the first. Events are compared in place, without
//! copying the table, and a second thread reads ahead.

use crate::event::{Event, EventKind, PlayRecord, ResultRecord};
use crate::play::{PlayContext, PlayError, throw};
use crate::table::{LogError, Table};
use adjutant_engine::Resolution;
use adjutant_pack::{Pack, PhaseId};
use std::sync::Arc;

/// A play that comes out otherwise than recorded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {event}: {what}")]
pub struct Mismatch {
    /// The event.
    pub event: u64,
    /// What differs, in a sentence.
    pub what: String,
}

impl Table {
    /// Throws a recorded play again: on this table, which stands as it did before the event.
    pub(crate) fn again(&self, event: &Event, played: &PlayRecord) -> Result<(Option<PlayRecord>, Resolution), PlayError> {
        let setup = self.begun()?;
        throw(&self.ground(&setup, &event.by), played.into(), None)
    }

    /// What is recorded of a play otherwise than the chart gives it, in a sentence.
    pub(crate) fn differs(&self, event: &Event) -> Option<String> {
        match &event.what {
            EventKind::Play(played) => self.play_differs(&event.by, played),
            other => self.differs_in_turn(event.n, other),
        }
    }

    pub(crate) fn play_differs(&self, by: &str, played: &PlayRecord) -> Option<String> {
        if let Some(why) = self.sealed_differs(played) {
            return Some(why);
        }
        self.begun().map_or_else(Some, |setup| differs_on(&PlayContext { brief: true, ..self.ground(&setup, by) }, played))
    }

    /// What is recorded of the turn otherwise than the sheet has it.
    fn differs_in_turn(&self, n: u64, what: &EventKind) -> Option<String> {
        let setup = self.begun().ok()?;
        match what {
            EventKind::Start { due } if *due != self.state.opening(&self.pack, &setup, n) => {
                Some("what falls due at the beginning is recorded otherwise than the sheet has it".into())
            }
            EventKind::Phase(step) => {
                let to = self.pack.phase_id(&step.to);
                let given = self.state.step(&self.pack, &setup, n, to.or(Some(PhaseId::FIRST)));
                let parts = [("which statuses are lifted", step.lifted != given.lifted), ("what falls due", step.due != given.due)];
                let (what, _) = parts.iter().find(|(_, differs)| *differs)?;
                Some(format!("{what} in this phase is recorded otherwise than the sheet has it"))
            }
            _ => None,
        }
    }

    /// The whole account of a recorded play: every modifier with whether it counted.
    pub fn account_of(&self, n: u64) -> Result<Option<Resolution>, LogError> {
        let Some(line) = n.checked_sub(1).and_then(|place| self.lines.get(place as usize)) else { return Ok(None) };
        let mut before = Table::empty(self.pack.clone());
        before.any_rules = self.any_rules;
        for line in &self.lines[..n as usize - 1] {
            before.take(line)?;
        }
        let event = before.read_next(line)?;
        let EventKind::Play(played) = &event.what else { return Ok(None) };
        let account = before.again(&event, played).map_err(|stop| LogError { event: n, why: stop.to_string() })?;
        Ok(Some(account.1))
    }
}

fn found_in_words(found: &[ResultRecord]) -> String {
    match found {
        [] => "no result".into(),
        found => found.iter().map(|found| found.title.as_str()).collect::<Vec<_>>().join(", "),
    }
}

/// What is recorded of a play otherwise than the chart gives it on this ground, in a sentence.
fn differs_on(ground: &PlayContext<'_>, played: &PlayRecord) -> Option<String> {
    match throw(ground, played.into(), None) {
        Ok((Some(given), _)) => difference(played, &given),
        Ok((None, _)) => Some("what its pending test or the roster settles is not recorded with it".into()),
        Err(stop) => Some(format!("the chart cannot be thrown so: {stop}")),
    }
}

/// What differs between a record and what the chart gives.
fn difference(recorded: &PlayRecord, given: &PlayRecord) -> Option<String> {
    if recorded.results != given.results {
        let (was, is) = (found_in_words(&recorded.results), found_in_words(&given.results));
        return Some(match was == is {
            true => format!("{was} is recorded for another unit than the one the chart gives it to"),
            false => format!("the result is recorded as {was}; the chart gives {is}"),
        });
    }
    let parts = [
        ("the value", recorded.value != given.value || recorded.says != given.says),
        ("the order", recorded.order != given.order),
        ("what changes", recorded.effects != given.effects || recorded.held != given.held),
        ("who appears", recorded.appear != given.appear),
        ("what follows", recorded.next != given.next),
        ("what became of the cards", recorded.cards != given.cards),
    ];
    let (what, _) = parts.iter().find(|(_, differs)| *differs)?;
    Some(format!("{what} is recorded otherwise than the chart gives it"))
}

/// Folds lines and tells of each event that comes out otherwise, in order, until the listener has heard enough.
fn compare<L: AsRef<str>>(
    table: &mut Table,
    lines: impl IntoIterator<Item = L>,
    mut tell: impl FnMut(Mismatch) -> bool,
) -> Result<(), LogError> {
    let lines: Vec<L> = lines.into_iter().collect();
    let texts: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
    crate::read_ahead::read_ahead(&texts, |line, (read, print)| {
        let mut event = table.follows(read)?;
        // At a table that throws sealed the fold itself compares.
        let trusts = table.throws_sealed() && !table.any_rules;
        let differs = if trusts { None } else { table.differs(&event) };
        if differs.is_some_and(|what| !tell(Mismatch { event: event.n, what })) {
            return Ok(None);
        }
        table.take_hashed(&mut event, line, |head| *head = print)?;
        Ok(Some(event))
    })
}

/// Checks the numbers and the hash chain of lines, without the rules: whether a line was altered, dropped or exchanged. The last line has none after
/// it to vouch for it.
pub fn check_chain<L: AsRef<str>>(lines: impl IntoIterator<Item = L>) -> Result<(), LogError> {
    #[derive(serde::Deserialize)]
    struct Link {
        n: u64,
        prev: String,
    }
    let mut head = String::new();
    for (event, line) in (1..).zip(lines) {
        let line = line.as_ref();
        let fault = |why: String| LogError { event, why };
        let link: Link = serde_json::from_str(line).map_err(|why| fault(format!("not a line of a log: {why}")))?;
        if link.n != event {
            return Err(fault(format!("the line has the number {}", link.n)));
        }
        if link.prev != head {
            // Either of the two may be the altered one; the earlier is no longer vouched for.
            let why = format!("it is not the line of which event {event} has the fingerprint");
            return Err(LogError { event: (event - 1).max(1), why });
        }
        crate::log_line::fingerprint_into(line, &mut head);
    }
    Ok(())
}

/// Rebuilds a table from its lines, throwing every chart again, also by other rules of the same pack than it was
/// played by. What is recorded stands; what would differ is listed.
pub fn replay<L: AsRef<str>>(pack: Arc<Pack>, lines: impl IntoIterator<Item = L>) -> Result<(Table, Vec<Mismatch>), LogError> {
    let mut table = Table::empty(pack);
    table.any_rules = true;
    let mut differences = Vec::new();
    compare(&mut table, lines, |difference| {
        differences.push(difference);
        true
    })?;
    Ok((table, differences))
}

/// Checks numbers, fingerprints, the pack, shapes, faces and results; the first divergence is named. The last line has none
/// after it to vouch for it: who kept its fingerprint gives it as `head`.
pub fn verify<L: AsRef<str>>(pack: Arc<Pack>, lines: impl IntoIterator<Item = L>, head: Option<&str>) -> Result<Table, LogError> {
    let mut table = Table::empty(pack);
    let mut first = None;
    let folded = compare(&mut table, lines, |difference| {
        first = Some(LogError { event: difference.event, why: difference.what });
        false
    });
    if let Some(fault) = first {
        return Err(fault);
    }
    folded?;
    match head {
        Some(head) if head != table.head => {
            let event = table.lines.len() as u64;
            Err(LogError {
                event,
                why: "the log does not end with the line it should: lines are missing, or the last has been altered".into(),
            })
        }
        _ => Ok(table),
    }
}
