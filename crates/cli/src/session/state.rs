//! The state of a session: the table, the screens above it, and the last message. Every line goes
//! through [`State::keep`]: first into the store, then onto the table, then onto the screen. If
//! another player was faster, the table shows their events, and the rolled dice stay with the form,
//! so that the next attempt rolls no die twice.

use super::edit::Edit;
use super::form::Form;
use super::look::Look;
use super::odds::{Chances, Job, work_out};
use super::picker::Picker;
use super::result_view::ResultView;
use super::rolling::Ask;
use crate::game::sealed::NotMade;
use crate::open_store::{self, AppendError, OpenTable};
use adjutant_dice::RandomInput;
use adjutant_game::{
    ConsentFor, EventKind, LogLine, PendingTest, Rejection, Seat, Stamp, Table, Unit,
};
use adjutant_wording::en::{self, LoggedLine};
use std::sync::Arc;
use std::sync::mpsc::Sender;

/// Which part of the first screen takes the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    Roster,
    Pending,
    Log,
}

/// What lies over the table.
pub enum Screen {
    /// Choosing a chart; a unit may be meant for it.
    Charts(Picker, Option<String>),
    /// Choosing units for a role of the form below.
    Units(Picker, String),
    /// The form of a chart.
    Form(Box<Form>),
    /// Something a roll stopped for, asked of the player.
    Ask(Box<Ask>),
    /// What came of a roll, and how far it is scrolled.
    Result(usize),
    /// A form for units, options, remarks.
    Edit(Box<Edit>),
    /// A question before something is done.
    Confirm(Vec<String>, Then),
    /// All the keys, and how far it is scrolled.
    Help(usize),
}

/// What is done once it is confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    Phase,
    Land,
    AskConsent(ConsentFor),
    Seal,
    LeaveForm,
    Quit,
}

/// How something said is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Done,
    Fault,
    Hint,
}

/// Where a session stands.
pub struct State {
    pub kept: OpenTable,
    /// Under which name this player acts.
    pub me: String,
    pub look: Look,
    pub luck: RandomInput,
    pub focus: Focus,
    /// The unit chosen, by its place on the roster as it is shown.
    pub unit: usize,
    /// The pending test chosen.
    pub due: usize,
    /// How many rows the log is scrolled back.
    pub log_up: usize,
    pub screens: Vec<Screen>,
    pub notice: Option<(Tone, String)>,
    pub last: Option<ResultView>,
    /// Answers to what a sealed roll asks after its links.
    pub answers: Vec<String>,
    /// The log in English.
    pub log: Vec<LoggedLine>,
    pub chances: Chances,
    /// The number of the form whose odds are wanted, and whether they are still to come.
    pub serial: u64,
    pub weighing: bool,
    /// Where odds are worked out; at once and here if nowhere.
    pub jobs: Option<Sender<Job>>,
    shadow: Option<Arc<Table>>,
    pub over: bool,
}

impl State {
    pub fn new(kept: OpenTable, me: String, look: Look, luck: RandomInput) -> State {
        let mut state = State {
            kept,
            me,
            look,
            luck,
            focus: Focus::Roster,
            unit: 0,
            due: 0,
            log_up: 0,
            screens: Vec::new(),
            notice: None,
            last: None,
            answers: Vec::new(),
            log: Vec::new(),
            chances: Chances::Waiting,
            serial: 0,
            weighing: false,
            jobs: None,
            shadow: None,
            over: false,
        };
        state.log = en::log(state.table()).unwrap_or_else(|fault| {
            vec![LoggedLine { text: en::log_error(&fault), undone: false }]
        });
        state.refresh();
        if !state.kept.table.state().pending.is_empty() {
            state.focus = Focus::Pending;
        }
        state
    }

    pub fn table(&self) -> &Table {
        &self.kept.table
    }

    /// The units in the order in which the roster shows them.
    pub fn units(&self) -> Vec<&Unit> {
        let table = self.table();
        (0..table.sides().len())
            .flat_map(|side| table.roster(side))
            .flat_map(|(_, units)| units)
            .collect()
    }

    pub fn chosen_unit(&self) -> Option<&Unit> {
        self.units().get(self.unit).copied()
    }

    pub fn chosen_due(&self) -> Option<&PendingTest> {
        self.table().pending().nth(self.due)
    }

    /// The side this player is on.
    pub fn my_side(&self) -> Option<&str> {
        let table = self.table();
        table.side_of(&self.me).and_then(|side| table.sides().get(side)).map(String::as_str)
    }

    pub fn my_seat(&self) -> Option<&Seat> {
        self.table().people().iter().find(|(name, _)| *name == self.me).map(|(_, seat)| seat)
    }

    pub fn stamp(&self) -> Stamp {
        open_store::stamp(Some(&self.me))
    }

    pub fn say(&mut self, text: impl Into<String>) {
        self.notice = Some((Tone::Done, text.into()));
    }

    pub fn complain(&mut self, text: impl Into<String>) {
        self.notice = Some((Tone::Fault, text.into()));
    }

    pub fn hint(&mut self, text: impl Into<String>) {
        self.notice = Some((Tone::Hint, text.into()));
    }

    /// Puts on the log what has come, and marks what was undone.
    fn tell(&mut self) {
        for said in std::mem::take(&mut self.kept.said) {
            let place = |event: u64| (event as usize).saturating_sub(1);
            match &said.applied.event.what {
                EventKind::Undo { event, .. } => {
                    self.log.get_mut(place(*event)).into_iter().for_each(|line| line.undone = true);
                    self.last.take_if(|last| last.n == *event);
                }
                EventKind::Redo { event, .. } => {
                    self.log.get_mut(place(*event)).into_iter().for_each(|line| line.undone = false)
                }
                _ => {}
            }
            if let (EventKind::Play(played), Some(resolution)) =
                (&said.applied.event.what, &said.applied.resolution)
            {
                self.last = Some(ResultView::new(
                    &self.kept.table,
                    said.applied.event.n,
                    played,
                    resolution,
                    &said.means,
                ));
            }
            self.log.push(LoggedLine { text: said.words, undone: false });
        }
    }

    /// What the log says last.
    pub fn last_words(&self) -> Option<String> {
        self.log.last().map(|line| line.text.clone())
    }

    /// Tells what has come and keeps what is chosen within what is there.
    pub fn refresh(&mut self) {
        self.shadow = None;
        self.tell();
        self.unit = self.unit.min(self.units().len().saturating_sub(1));
        self.due = self.due.min(self.table().state().pending.len().saturating_sub(1));
        self.refresh_form();
    }

    /// Does something that only this player may do, with the player's mark in a sealed group.
    pub fn act_marked(&mut self, what: Result<EventKind, Rejection>) -> bool {
        match crate::game::sealed::made(&self.kept, &self.stamp(), what) {
            Ok(line) => self.keep(Ok(line)),
            Err(NotMade::Rejected(rejection)) => self.keep(Err(rejection)),
            Err(why) => {
                self.complain(why.to_string());
                false
            }
        }
    }

    /// Keeps a line that was made, and says what it did.
    pub fn keep(&mut self, line: Result<LogLine, Rejection>) -> bool {
        let kept = match line {
            Ok(line) => self.kept.keep(&line).map(|()| {
                matches!(line.event.what, EventKind::Play(_))
                    .then(|| format!("Saved as event {}.", line.n))
            }),
            Err(rejection) => {
                self.complain(en::rejection(&rejection));
                return false;
            }
        };
        self.log_up = 0;
        self.refresh();
        match kept {
            Ok(short) => {
                let told = short.or_else(|| self.last_words()).unwrap_or_default();
                self.say(told);
                true
            }
            Err(fault) => {
                self.complain(fault.to_string());
                false
            }
        }
    }

    /// Does something other than a roll.
    pub fn act(&mut self, what: EventKind) -> bool {
        let line = self.table().act(&self.stamp(), what);
        self.keep(line)
    }

    /// Puts on what others did, and tells it.
    pub fn catch_up(&mut self) {
        match self.kept.catch_up() {
            Ok(0) => {}
            Ok(count) => {
                self.refresh();
                let told = self.last_words().unwrap_or_default();
                self.hint(if count == 1 { told } else { format!("{count} new events. {told}") });
                super::sealed::others_acted(self);
            }
            Err(AppendError::Fault(fault)) => self.complain(fault),
            Err(fault) => self.complain(fault.to_string()),
        }
    }

    /// The form that is open, wherever it lies.
    pub fn form(&self) -> Option<&Form> {
        self.screens.iter().rev().find_map(|screen| match screen {
            Screen::Form(form) => Some(form.as_ref()),
            _ => None,
        })
    }

    /// The same, and the table beside it.
    pub fn form_mut(&mut self) -> Option<(&mut Form, &Table)> {
        let table = &self.kept.table;
        self.screens.iter_mut().rev().find_map(|screen| match screen {
            Screen::Form(form) => Some((form.as_mut(), table)),
            _ => None,
        })
    }

    /// Fills in the form again and requests its odds.
    pub fn refresh_form(&mut self) {
        let Some((form, table)) = self.form_mut() else { return };
        form.fill(table);
        let play = form.attempt.request().clone();
        self.serial += 1;
        let shadow = match &self.shadow {
            Some(shadow) => shadow.clone(),
            None => {
                let shadow = Arc::new(self.kept.table.clone());
                self.shadow = Some(shadow.clone());
                shadow
            }
        };
        let job = Job { serial: self.serial, table: shadow, play };
        match &self.jobs {
            Some(jobs) => self.weighing = jobs.send(job).is_ok(),
            None => self.chances = work_out(&job),
        }
    }

    /// Leaves all screens down to and with the form.
    pub fn close_form(&mut self) {
        while let Some(screen) = self.screens.pop() {
            if matches!(screen, Screen::Form(_)) {
                break;
            }
        }
        (self.chances, self.weighing) = (Chances::Waiting, false);
        self.serial += 1;
    }
}
