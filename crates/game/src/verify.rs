//! Checks a log against the rules. `replay` rebuilds a table from its lines, runs every chart again
//! with the recorded inputs and lists the differences, also with another version of the pack.
//! `verify` accepts no difference and names the first. Events are compared in place, without
//! copying the table, and a second thread reads ahead.

use crate::event::{Event, EventKind, PlayRecord, ResultRecord};
use crate::play::{PlayContext, PlayError, throw};
use crate::rejection::Rejection;
use crate::table::{LogError, LogFault, Table};
use adjutant_dice::{RecordedInput, Text};
use adjutant_engine::Resolution;
use adjutant_pack::{Pack, PhaseId};
use std::sync::Arc;

/// An event that comes out otherwise than recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The event.
    pub event: u64,
    /// What differs.
    pub difference: Difference,
}

/// What is recorded otherwise than the rules give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Other results, by their titles.
    Results {
        /// As they are recorded.
        recorded: Vec<Text>,
        /// As the chart gives them.
        given: Vec<Text>,
    },
    /// The results belong to other units.
    ResultUnits {
        /// The titles of the results.
        results: Vec<Text>,
    },
    /// Another part of the record.
    Part(RecordPart),
    /// What falls due when the game begins.
    DueAtStart,
    /// Which statuses a phase lifts.
    PhaseLifts,
    /// What falls due with a phase.
    PhaseDue,
    /// The record leaves out what its pending test or the roster settles.
    Incomplete,
    /// The chart cannot be run with what is recorded.
    NotPlayable(Box<PlayError>),
    /// The table cannot be played on at all.
    Rejected(Box<Rejection>),
    /// The open call cannot be run with what is recorded.
    CallFails {
        /// The event of the call.
        call: u64,
        /// Why not.
        error: Box<PlayError>,
    },
    /// Dice or cards are not those that the links give.
    SealedInputs {
        /// As they are recorded.
        recorded: Vec<RecordedInput>,
        /// As the links give them.
        given: Vec<RecordedInput>,
    },
}

/// A part of the record of a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordPart {
    /// The number that the chart yields.
    Value,
    /// Who acts when.
    Order,
    /// What changes.
    Changes,
    /// Which units appear.
    NewUnits,
    /// Which tests fall due.
    FollowUps,
    /// Which cards left the decks.
    Cards,
}

impl Table {
    /// Throws a recorded play again: on this table, which stands as it did before the event.
    pub(crate) fn again(&self, event: &Event, played: &PlayRecord) -> Result<(Option<PlayRecord>, Resolution), PlayError> {
        let setup = self.begun()?;
        let ground = PlayContext { from_log: true, ..self.ground(&setup, &event.by) };
        throw(&ground, &played.request, &played.inputs, None)
    }

    /// What is recorded of an event otherwise than the rules give it.
    pub(crate) fn differs(&self, event: &Event) -> Option<Difference> {
        match &event.what {
            EventKind::Play(played) => self.play_differs(&event.by, played),
            other => self.differs_in_turn(event.n, other),
        }
    }

    pub(crate) fn play_differs(&self, by: &str, played: &PlayRecord) -> Option<Difference> {
        if let Some(difference) = self.sealed_differs(played) {
            return Some(difference);
        }
        match self.begun() {
            Ok(setup) => differs_on(&PlayContext { brief: true, from_log: true, ..self.ground(&setup, by) }, played),
            Err(rejection) => Some(Difference::Rejected(Box::new(rejection))),
        }
    }

    /// What is recorded of the turn otherwise than the sheet has it.
    fn differs_in_turn(&self, n: u64, what: &EventKind) -> Option<Difference> {
        let setup = self.begun().ok()?;
        match what {
            EventKind::Start { due } if *due != self.state.opening(&self.pack, &setup, n) => Some(Difference::DueAtStart),
            EventKind::Phase(step) => {
                let to = self.pack.phase_id(&step.to);
                let given = self.state.step(&self.pack, &setup, n, to.or(Some(PhaseId::FIRST)));
                match (step.lifted == given.lifted, step.due == given.due) {
                    (true, true) => None,
                    (false, _) => Some(Difference::PhaseLifts),
                    (true, false) => Some(Difference::PhaseDue),
                }
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
        let account = before.again(&event, played).map_err(|stop| LogError { event: n, fault: LogFault::NotReplayable(stop) })?;
        Ok(Some(account.1))
    }
}

fn titles(found: &[ResultRecord]) -> Vec<Text> {
    found.iter().map(|found| Text::from(&found.title)).collect()
}

/// What is recorded of a play otherwise than the chart gives it on this ground.
fn differs_on(ground: &PlayContext<'_>, played: &PlayRecord) -> Option<Difference> {
    match throw(ground, &played.request, &played.inputs, None) {
        Ok((Some(given), _)) => difference(played, &given),
        Ok((None, _)) => Some(Difference::Incomplete),
        Err(stop) => Some(Difference::NotPlayable(Box::new(stop))),
    }
}

/// What differs between a record and what the chart gives.
fn difference(recorded: &PlayRecord, given: &PlayRecord) -> Option<Difference> {
    if recorded.results != given.results {
        let (recorded, given) = (titles(&recorded.results), titles(&given.results));
        return Some(match recorded == given {
            true => Difference::ResultUnits { results: recorded },
            false => Difference::Results { recorded, given },
        });
    }
    let parts = [
        (RecordPart::Value, recorded.value != given.value || recorded.says != given.says),
        (RecordPart::Order, recorded.order != given.order),
        (RecordPart::Changes, recorded.effects != given.effects || recorded.held != given.held),
        (RecordPart::NewUnits, recorded.appear != given.appear),
        (RecordPart::FollowUps, recorded.next != given.next),
        (RecordPart::Cards, recorded.cards != given.cards),
    ];
    parts.into_iter().find(|(_, differs)| *differs).map(|(part, _)| Difference::Part(part))
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
        if differs.is_some_and(|difference| !tell(Mismatch { event: event.n, difference })) {
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
        let link: Link = serde_json::from_str(line).map_err(|why| LogError::rejected(event, Rejection::NotALine(why.to_string())))?;
        if link.n != event {
            return Err(LogError { event, fault: LogFault::WrongNumber { found: link.n } });
        }
        if link.prev != head {
            // Either of the two may be the altered one; the earlier is no longer vouched for.
            return Err(LogError { event: (event - 1).max(1), fault: LogFault::NotVouchedFor { by: event } });
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
        first = Some(LogError { event: difference.event, fault: LogFault::Differs(difference.difference) });
        false
    });
    if let Some(fault) = first {
        return Err(fault);
    }
    folded?;
    match head {
        Some(head) if head != table.head => {
            let event = table.lines.len() as u64;
            Err(LogError { event, fault: LogFault::OtherEnd })
        }
        _ => Ok(table),
    }
}
