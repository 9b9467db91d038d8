//! Checks a log against the rules. `replay` rebuilds a game from its lines, runs every chart again
//! with the recorded inputs and lists the differences, also with another version of the pack.
//! `verify` accepts no difference and names the first. Events are compared in place, without
//! copying the game, and a second thread reads ahead.

use crate::event::{Event, EventKind, PlayRecord, ResultRecord, UnfinishedRoll};
use crate::play::{PlayContext, PlayError, Rolled, roll};
use crate::rejection::Rejection;
use crate::table::{LogError, LogFault, Table};
use adjutant_dice::{RecordedInput, Text};
use adjutant_engine::{Resolution, Stop};
use adjutant_pack::{Pack, PhaseId};
use std::sync::Arc;

/// An event whose record differs from what the rules give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The number of the event.
    pub event: u64,
    /// What differs.
    pub difference: Difference,
}

/// How a record differs from what the rules give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The results differ. Both lists have titles.
    Results {
        /// As recorded.
        recorded: Vec<Text>,
        /// As the chart gives them.
        given: Vec<Text>,
    },
    /// The results are the same, but for other units.
    ResultUnits {
        /// The titles of the results.
        results: Vec<Text>,
    },
    /// Another part of the record differs.
    Part(RecordPart),
    /// The tests that are due at the start of the game.
    DueAtStart,
    /// The statuses that a phase lifts.
    PhaseLifts,
    /// The tests that a phase makes due.
    PhaseDue,
    /// The record leaves out what its pending test or the roster settles.
    Incomplete,
    /// The chart cannot be run with the recorded inputs.
    NotPlayable(Box<PlayError>),
    /// The game does not accept any play.
    Rejected(Box<Rejection>),
    /// The open call cannot be run with the recorded inputs.
    CallFails {
        /// The event of the call.
        call: u64,
        /// Why the call cannot be run.
        error: Box<PlayError>,
    },
    /// The dice or cards do not follow from the revealed links.
    SealedInputs {
        /// As recorded.
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
    /// The order in which units act.
    Order,
    /// The changes in the game.
    Changes,
    /// The units that appear.
    NewUnits,
    /// The tests that follow.
    FollowUps,
    /// The cards drawn.
    Cards,
    /// Whether the outcome can be applied.
    Unapplied,
}

impl Table {
    /// Replays a recorded play. `self` must be the game just before the event.
    pub(crate) fn again(&self, event: &Event, played: &PlayRecord) -> Result<Rolled, PlayError> {
        let setup = self.started()?;
        let ground = PlayContext { from_log: true, ..self.ground(&setup, &event.by) };
        roll(&ground, &played.request, &played.inputs, None)
    }

    /// How an event's record differs from what the rules give, if it does.
    pub(crate) fn differs(&self, event: &Event) -> Option<Difference> {
        match &event.what {
            EventKind::Play(played) => self.play_differs(&event.by, played),
            EventKind::Unfinished(roll) => self.unfinished_differs(&event.by, roll),
            other => self.differs_in_turn(event.n, other),
        }
    }

    pub(crate) fn play_differs(&self, by: &str, played: &PlayRecord) -> Option<Difference> {
        if let Some(difference) = self.sealed_differs(played) {
            return Some(difference);
        }
        match self.started() {
            Ok(setup) => differs_on(
                &PlayContext { brief: true, from_log: true, ..self.ground(&setup, by) },
                played,
            ),
            Err(rejection) => Some(Difference::Rejected(Box::new(rejection))),
        }
    }

    /// The same for a roll that stopped. One that waits needs something after its inputs.
    fn unfinished_differs(&self, by: &str, stopped: &UnfinishedRoll) -> Option<Difference> {
        let setup = self.started().ok()?;
        let ground = PlayContext { brief: true, from_log: true, ..self.ground(&setup, by) };
        match roll(&ground, &stopped.request, &stopped.inputs, None) {
            _ if stopped.broken_off => None,
            Ok(_) | Err(PlayError::Needs { .. }) => None,
            Err(stop) => Some(Difference::NotPlayable(Box::new(stop))),
        }
    }

    /// The same for events of the turn.
    fn differs_in_turn(&self, n: u64, what: &EventKind) -> Option<Difference> {
        let setup = self.started().ok()?;
        match what {
            EventKind::Start { due } if *due != self.state.opening(&self.pack, &setup, n) => {
                Some(Difference::DueAtStart)
            }
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

    /// The whole resolution of a recorded play: every modifier, and whether it counted.
    pub fn resolution_of(&self, n: u64) -> Result<Option<Resolution>, LogError> {
        let Some(line) = n.checked_sub(1).and_then(|place| self.lines.get(place as usize)) else {
            return Ok(None);
        };
        let mut before = Table::empty(self.pack.clone());
        before.any_rules = self.any_rules;
        for line in &self.lines[..n as usize - 1] {
            before.take(line)?;
        }
        let event = before.read_next(line)?;
        let EventKind::Play(played) = &event.what else { return Ok(None) };
        let resolution = before
            .again(&event, played)
            .map_err(|stop| LogError { event: n, fault: LogFault::NotReplayable(stop) })?;
        Ok(Some(resolution.resolution))
    }
}

fn titles(found: &[ResultRecord]) -> Vec<Text> {
    found.iter().map(|found| Text::from(&found.title)).collect()
}

/// How a play's record differs from what the chart gives in this context, if it does.
fn differs_on(ground: &PlayContext<'_>, played: &PlayRecord) -> Option<Difference> {
    match roll(ground, &played.request, &played.inputs, None) {
        Ok(Rolled { record: None, .. }) => Some(Difference::Incomplete),
        Ok(Rolled { unapplied: Some(why), .. }) if played.unapplied.is_none() => {
            Some(Difference::NotPlayable(Box::new(why.into())))
        }
        Ok(Rolled { record: Some(given), .. }) => {
            difference(played, &as_accepted(ground, played, given))
        }
        Err(stop) => Some(Difference::NotPlayable(Box::new(stop))),
    }
}

/// What the rules give for a play that was recorded without its outcome: the same if the game
/// accepts the outcome, else also without it.
fn as_accepted(ground: &PlayContext<'_>, recorded: &PlayRecord, given: PlayRecord) -> PlayRecord {
    if recorded.unapplied.is_none() || given.unapplied.is_some() {
        return given;
    }
    let whole = PlayRecord { request: recorded.request.clone(), ..given.clone() };
    let mut what = EventKind::Play(Box::new(whole));
    match ground.state.clone().apply(ground.pack, ground.setup, ground.n, &mut what) {
        Ok(_) => given,
        Err(why) => given.not_applied(&why),
    }
}

/// The first difference between a record and the chart's outcome.
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
        (RecordPart::Unapplied, recorded.unapplied != given.unapplied),
    ];
    parts.into_iter().find(|(_, differs)| *differs).map(|(part, _)| Difference::Part(part))
}

/// Folds lines and reports each event that differs, in order, until the callback or `stop` ends it.
fn compare<L: AsRef<str>>(
    table: &mut Table,
    lines: impl IntoIterator<Item = L>,
    stop: &Stop,
    mut tell: impl FnMut(Mismatch) -> bool,
) -> Result<(), LogError> {
    let lines: Vec<L> = lines.into_iter().collect();
    let texts: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
    crate::read_ahead::read_ahead(&texts, |line, (read, print)| {
        if stop.is_due() {
            return Ok(None);
        }
        let mut event = table.follows(read)?;
        // In a sealed group the fold itself compares.
        let trusts = table.rolls_sealed() && !table.any_rules;
        let differs = if trusts { None } else { table.differs(&event) };
        if differs.is_some_and(|difference| !tell(Mismatch { event: event.n, difference })) {
            return Ok(None);
        }
        table.take_hashed(&mut event, line, |head| *head = print)?;
        Ok(Some(event))
    })
}

/// Checks the numbers and the hash chain of a log, without the rules: whether a line was altered,
/// dropped or exchanged. The last line has no successor that would confirm it.
pub fn check_chain<L: AsRef<str>>(lines: impl IntoIterator<Item = L>) -> Result<(), LogError> {
    #[derive(serde::Deserialize)]
    struct Link {
        n: u64,
        prev: String,
    }
    let mut head = String::new();
    for (event, line) in (1..).zip(lines) {
        let line = line.as_ref();
        let link: Link = serde_json::from_str(line)
            .map_err(|why| LogError::rejected(event, Rejection::NotALine(why.to_string())))?;
        if link.n != event {
            return Err(LogError { event, fault: LogFault::WrongNumber { found: link.n } });
        }
        if link.prev != head {
            // Either of the two lines may be the altered one. The error names the earlier line,
            // which is no longer confirmed.
            return Err(LogError {
                event: (event - 1).max(1),
                fault: LogFault::NotVouchedFor { by: event },
            });
        }
        crate::log_line::fingerprint_into(line, &mut head);
    }
    Ok(())
}

/// Rebuilds a game from its lines and replays every chart, also by another version of the pack's
/// rules. The recorded outcome stays; differences are listed.
pub fn replay<L: AsRef<str>>(
    pack: Arc<Pack>,
    lines: impl IntoIterator<Item = L>,
) -> Result<(Table, Vec<Mismatch>), LogError> {
    let mut table = Table::empty(pack);
    table.any_rules = true;
    let mut differences = Vec::new();
    compare(&mut table, lines, &Stop::default(), |difference| {
        differences.push(difference);
        true
    })?;
    Ok((table, differences))
}

/// Checks the numbers, the hash chain, the pack, the format of each event, the faces and the
/// results, and names the first mismatch. The last line has no successor that would confirm it: a
/// caller who kept its hash passes it as `head`.
pub fn verify<L: AsRef<str>>(
    pack: Arc<Pack>,
    lines: impl IntoIterator<Item = L>,
    head: Option<&str>,
) -> Result<Table, LogError> {
    let table = checked(pack, lines, &Stop::default())?;
    match head {
        Some(head) if head != table.head => {
            let event = table.lines.len() as u64;
            Err(LogError { event, fault: LogFault::OtherEnd })
        }
        _ => Ok(table),
    }
}

/// The game of a log in which nothing differs, as far as it was read when `stop` ended it.
pub(crate) fn checked<L: AsRef<str>>(
    pack: Arc<Pack>,
    lines: impl IntoIterator<Item = L>,
    stop: &Stop,
) -> Result<Table, LogError> {
    let mut table = Table::empty(pack);
    let mut first = None;
    let folded = compare(&mut table, lines, stop, |difference| {
        first = Some(LogError {
            event: difference.event,
            fault: LogFault::Differs(difference.difference),
        });
        false
    });
    if let Some(fault) = first {
        return Err(fault);
    }
    folded?;
    Ok(table)
}
