//! Playing: pending tests, the chart that is rolled, the turn. The first pending test opens by
//! itself, so that after every event the large button is the next thing to do.

use super::Tab;
use super::action_panel::ActionPanel;
use super::game::Game;
use crate::message::{Command, Now};
use crate::parts::ask;
use crate::parts::form::{self, shown_value};
use adjutant_dice::{Accepts, Entry, OwnLuck, Replay, Wanted, WayBack, set_of};
use adjutant_game::{
    Attempt, EventKind, Move, PhaseStep, PlayRequest, Progress, Seat, Table, Unit,
};
use adjutant_pack::{Field, Pack, Value};
use adjutant_wording::en;
use adjutant_wording::en::page::table as text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the player can do in play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Opens a chart, with a unit in a role.
    OpenChart {
        /// The chart.
        chart: String,
        /// The role.
        #[serde(default)]
        role: String,
        /// The unit.
        #[serde(default)]
        unit: String,
    },
    /// Taps a unit on the board.
    Touch(String),
    /// A unit was dragged to another: it acts on it.
    Drag(String, String),
    /// Only units with this text are on the board.
    Find(String),
    /// Shows a unit on the roster.
    Details(String),
    /// Rolls the same again.
    Again,
    /// Opens a pending test.
    OpenPending(String),
    /// Rolls a pending test, or opens it if something must be entered first.
    RollPending(String),
    /// A unit takes a role, or gives it up.
    Pick(String, String),
    /// A unit joins the one in a role, or is left out.
    LeaveOut(String),
    /// A unit takes a role once more, where several roll.
    PickAgain(String, String),
    /// Someone takes a role who is not on the roster.
    Unlisted(String),
    /// In the form.
    Form(form::Message),
    /// The side of new units; empty for the default.
    Side(String),
    /// Allows what a status rules out.
    Allow,
    /// All units that can take a role take it.
    PickAll(String),
    /// Rolls.
    Roll,
    /// Rolls all pending tests that need no answer, one after another.
    RollAll,
    /// Rolls with the player's own dice and cards.
    OwnDice,
    /// Rolls for another player's side, or does not.
    ForOther(bool),
    /// Answers a question on the way.
    Answer(ask::Message),
    /// Moves to what is missing.
    ShowMissing,
    /// Closes the chart.
    Close,
    /// Applies the results of simultaneous attacks.
    Land,
    /// The game begins.
    Start,
    /// The next phase, or a named one.
    Phase(String),
    /// Asks before a pending test is skipped; none closes the question.
    ConfirmSkip(Option<String>),
    /// Skips a pending test, with a reason.
    Skip(String, BTreeMap<String, String>),
}

/// A unit's name.
pub fn name(table: &Table, id: &str) -> String {
    table.state().unit(id).map_or_else(|| id.to_owned(), |unit| unit.name.clone())
}

/// A value as it is displayed.
pub fn shown(pack: &Pack, field: &Field, value: Option<Value>) -> String {
    match value {
        None => text::UNKNOWN.to_owned(),
        Some(value) => {
            let text = match value {
                Value::YesNo(yes) => if yes { "yes" } else { "no" }.to_owned(),
                other => other.to_answer(pack.words()).to_string(),
            };
            shown_value(&field.accepts, &text)
        }
    }
}

/// The charts that a unit can roll in the first role, then those in which it takes another; one for
/// each role.
pub fn offered<'t>(
    table: &'t Table,
    unit: &Unit,
) -> Vec<(&'t adjutant_pack::Chart, &'t str, bool)> {
    let pack = table.pack();
    let mut list = Vec::new();
    for (place, role, chart) in pack.charts().iter().flat_map(|chart| {
        chart.roles.iter().enumerate().map(move |(place, role)| (place, role, chart))
    }) {
        let open = chart.needs_option.is_none_or(|option| {
            table.state().options.get(option).copied().is_some_and(Value::is_yes)
        });
        if role.kind == unit.kind && open {
            list.push((chart, role.id.as_str(), place == 0));
        }
    }
    list
}

impl Game {
    /// The player did something in play.
    pub fn play(&mut self, now: &Now, message: Message) -> Vec<Command> {
        match message {
            Message::OpenChart { chart, role, unit } => self.open_chart(&chart, &role, &unit),
            Message::Touch(unit) => self.touch(&unit),
            Message::Drag(unit, target) => self.drag(&unit, &target),
            Message::Find(text) => {
                self.find = text;
                Vec::new()
            }
            Message::Details(unit) => self.show_details(unit),
            Message::Again => self.again(now),
            Message::OpenPending(id) => self.open_due(&id, false),
            Message::RollPending(id) => self.roll_pending(now, &id),
            Message::Roll => self.roll_or_ask(now, false),
            Message::ForOther(yes) => {
                let Some(panel) = &mut self.panel else { return Vec::new() };
                match panel.asks_other.take().filter(|_| yes) {
                    Some(own) => {
                        panel.for_other = true;
                        self.roll(now, own, None)
                    }
                    None => Vec::new(),
                }
            }
            Message::RollAll => {
                self.rolled.clear();
                self.roll_all = set_of(self.table.pending().map(|pending| pending.due.id.clone()));
                self.roll_next(now)
            }
            Message::OwnDice => self.roll_or_ask(now, true),
            Message::Answer(message) => self.answer(now, message),
            Message::ShowMissing => {
                let panel = self.panel.as_ref();
                let asks = panel.is_some_and(|panel| panel.ask.is_some());
                let waits = panel.is_some_and(|panel| panel.waits_for().is_some());
                vec![Command::Focus(
                    if asks {
                        "ask"
                    } else if waits {
                        "waits"
                    } else {
                        "action"
                    }
                    .into(),
                )]
            }
            Message::Land => {
                let line = self.table.land(&self.stamp(now));
                self.keep(line)
            }
            Message::Start => self.act(now, EventKind::Start { due: Vec::new() }),
            Message::Phase(to) => {
                self.act(now, EventKind::Phase(PhaseStep { to, ..PhaseStep::default() }))
            }
            Message::ConfirmSkip(pending) => {
                self.striking = pending;
                Vec::new()
            }
            Message::Skip(pending, fields) => {
                let reason = fields
                    .get("reason")
                    .map(|reason| reason.trim())
                    .filter(|reason| !reason.is_empty());
                let reason = reason.unwrap_or(text::NO_REASON).to_owned();
                self.striking = None;
                self.act(now, EventKind::Skip { pending, reason })
            }
            Message::Close => {
                if self.panel.as_ref().is_some_and(|panel| !panel.is_underway()) {
                    self.panel = None;
                    self.let_go();
                    self.settle_panel();
                }
                Vec::new()
            }
            change => self.change(change),
        }
    }

    /// The player changed the situation.
    pub(super) fn change(&mut self, message: Message) -> Vec<Command> {
        let Some(panel) = self.panel.as_mut().filter(|panel| !panel.is_underway()) else {
            return Vec::new();
        };
        let units = matches!(
            message,
            Message::Pick(..) | Message::PickAgain(..) | Message::PickAll(_) | Message::Unlisted(_)
        );
        (panel.for_other, panel.asks_other) = (panel.for_other && !units, None);
        let step = match message {
            Message::Pick(role, unit) => Move::Choose { role, unit },
            Message::PickAgain(role, unit) => Move::ChooseAgain { role, unit },
            Message::LeaveOut(unit) => Move::LeaveOut { unit },
            Message::PickAll(role) => Move::ChooseAll { role },
            Message::Unlisted(role) => Move::Unlisted { role },
            Message::Side(side) => Move::NewUnitsSide(Some(side).filter(|side| !side.is_empty())),
            Message::Form(message) => {
                panel.fill_in(&self.table, message);
                return self.changed(false);
            }
            _ => Move::Allow(true),
        };
        panel.make(&self.table, step);
        if units {
            panel.unchoose(&self.table);
        }
        self.changed(units)
    }

    /// Shows what follows from a change of the situation.
    fn changed(&mut self, units: bool) -> Vec<Command> {
        let Some(panel) = &mut self.panel else { return Vec::new() };
        panel.settle(&self.table, &self.me);
        if units {
            self.choose();
        }
        self.let_go();
        Vec::new()
    }

    /// Drops the ticket of an unfinished roll at the server. The server offers a roll with dice
    /// again.
    pub(super) fn let_go(&mut self) {
        if let Some(server) = &mut self.server {
            server.ticket = None;
        }
    }

    /// Opens the first pending test, unless the player has opened something else.
    pub fn settle_panel(&mut self) {
        let gone = |panel: &ActionPanel| {
            panel.pending().is_some() && panel.attempt.test(&self.table).is_none()
        };
        if self.panel.as_ref().is_some_and(gone) {
            self.panel = None;
        }
        let next = self.table.guide().next.map(|pending| pending.due.id.clone());
        match (&mut self.panel, next) {
            (Some(panel), Some(next))
                if panel.by_itself && panel.pending() != Some(&next) && !panel.is_underway() =>
            {
                self.open_due(&next, true);
            }
            (Some(panel), _) => panel.settle(&self.table, &self.me),
            (None, Some(next)) if self.acting.is_none() => {
                self.open_due(&next, true);
            }
            (None, _) => {}
        }
    }

    pub(super) fn open_chart(&mut self, chart: &str, role: &str, unit: &str) -> Vec<Command> {
        if self.panel.as_ref().is_some_and(ActionPanel::is_underway) {
            return self.refuse([text::ROLL_FIRST.to_owned()]);
        }
        let mut request = PlayRequest::of(chart);
        if !unit.is_empty() {
            request = request.unit(role, unit);
        }
        let Some(mut panel) = ActionPanel::new(self.pack.clone(), chart, request.into()) else {
            return Vec::new();
        };
        panel.settle(&self.table, &self.me);
        (self.panel, self.tab, self.selection.unit) = (Some(panel), Tab::Play, None);
        self.acting = None;
        self.choose();
        self.let_go();
        vec![Command::Focus("action".into())]
    }

    pub(super) fn open_due(&mut self, id: &str, by_itself: bool) -> Vec<Command> {
        if self.panel.as_ref().is_some_and(ActionPanel::is_underway) {
            return self.refuse([text::ROLL_FIRST.to_owned()]);
        }
        let Some(due) = self.table.pending().map(|pending| &pending.due).find(|due| due.id == id)
        else {
            return Vec::new();
        };
        let attempt = Attempt::of_test(due);
        let Some(mut panel) = ActionPanel::new(self.pack.clone(), &due.chart, attempt) else {
            return Vec::new();
        };
        panel.by_itself = by_itself;
        panel.settle(&self.table, &self.me);
        (self.panel, self.acting) = (Some(panel), None);
        self.let_go();
        if by_itself {
            return Vec::new();
        }
        self.tab = Tab::Play;
        vec![Command::Focus("action".into())]
    }

    /// Rolls the next of the pending tests that are rolled one after another. A test that needs
    /// something first, and one that came up on the way, is left to the player.
    pub(super) fn roll_next(&mut self, now: &Now) -> Vec<Command> {
        if self.roll_all.is_empty() || self.waiting.is_some() {
            return Vec::new();
        }
        let ready = self.panel.as_ref().filter(|panel| panel.is_ready() && panel.ask.is_none());
        match ready.and_then(|panel| panel.pending().cloned()) {
            Some(id) if self.roll_all.remove(&id) => self.roll_or_ask(now, false),
            _ => {
                self.roll_all.clear();
                Vec::new()
            }
        }
    }

    fn answer(&mut self, now: &Now, message: ask::Message) -> Vec<Command> {
        let Some(panel) = &mut self.panel else { return Vec::new() };
        let own = panel.is_own();
        if panel.ask.as_ref().is_some_and(|ask| ask.is_left_by(&message)) {
            match panel.attempt.way_back() {
                WayBack::Leave => {
                    panel.ask = None;
                    panel.set_own(false);
                    self.let_go();
                    return vec![Command::Focus("action".into())];
                }
                WayBack::TakeBack => return self.step_back(now),
                WayBack::Closed => {}
            }
        }
        let Some(ask) = &mut panel.ask else { return Vec::new() };
        match ask.update(message) {
            Some(entered) => self.roll(now, own, Some(entered)),
            None => ask.rejection(),
        }
    }

    /// Takes back what the player entered last, and asks for it again.
    fn step_back(&mut self, now: &Now) -> Vec<Command> {
        let Some(panel) = &mut self.panel else { return Vec::new() };
        let own = panel.is_own();
        let last = panel.attempt.inputs().last();
        panel.taken_back = last.and_then(|input| input.faces()).unwrap_or_default().to_vec();
        if self.server.is_some() {
            return self.send_back();
        }
        panel.attempt.take_back();
        panel.ask = None;
        self.roll(now, own, None)
    }

    /// The side that the panel's roll is for, if another player has it. An umpire rolls for all.
    pub(super) fn other_side(&self, panel: &ActionPanel) -> Option<&str> {
        let mine = self.table.side_of(&self.me)?;
        let due = || {
            let side = panel.attempt.test(&self.table)?.side.as_ref()?;
            self.table.sides().iter().position(|known| known == side)
        };
        let acts = panel.actor(&self.table).map(|unit| unit.side).or_else(due)?;
        let side = self.table.sides().get(acts).filter(|_| acts != mine)?;
        let has = |(name, seat): &(String, Seat)| {
            *name != self.me && matches!(seat, Seat::Player { side: known } if known == side)
        };
        self.table.people().iter().any(has).then_some(side.as_str())
    }

    /// Rolls; for the side of another player only when this one has confirmed it.
    pub(super) fn roll_or_ask(&mut self, now: &Now, own: bool) -> Vec<Command> {
        let asks = self.panel.as_ref().is_some_and(|panel| {
            !panel.for_other && !panel.is_underway() && self.other_side(panel).is_some()
        });
        match &mut self.panel {
            Some(panel) if asks => {
                panel.asks_other = Some(own);
                self.roll_all.clear();
                self.pressed = None;
                vec![Command::Focus("for-other".into())]
            }
            _ => self.roll(now, own, None),
        }
    }

    /// Continues the roll as far as possible.
    pub(super) fn roll(&mut self, now: &Now, own: bool, entered: Option<Entry>) -> Vec<Command> {
        if self.looks_on() {
            return self.refuse([text::LOOKING_ON.to_owned()]);
        }
        let stamp = self.stamp(now);
        if self.server.is_some() && (!self.goes_sealed() || self.table.open_call().is_some()) {
            return if self.table.open_call().is_some() {
                self.send_sealed(entered)
            } else {
                self.send_roll(own, entered)
            };
        }
        if self.goes_sealed() {
            return self.call_sealed(now, entered);
        }
        let Some(panel) = &mut self.panel else { return Vec::new() };
        panel.set_own(own);
        let mut source = ask::source(now.random, panel.attempt.own(), entered);
        match panel.attempt.roll(&self.table, &stamp, &mut source) {
            Progress::Done { line, .. } => {
                panel.ask = None;
                self.keep(Ok(*line))
            }
            stop => self.stopped(stop),
        }
    }

    /// A roll stopped: something is missing or wrong.
    pub fn stopped(&mut self, stop: Progress) -> Vec<Command> {
        let Some(panel) = &mut self.panel else { return Vec::new() };
        panel.settle(&self.table, &self.me);
        match stop {
            Progress::Done { .. } => Vec::new(),
            Progress::Asks(needs) => match needs.into_iter().next() {
                Some(need) if matches!(need.wanted, Wanted::Input { .. }) => {
                    let field = format!("in-{}", need.key);
                    let number =
                        matches!(need.wanted, Wanted::Input { accepts: Accepts::Number { .. } });
                    let mut todo = self.refuse([text::say_first(&need.what_for, number)]);
                    todo.push(Command::Focus(field));
                    todo
                }
                Some(need) => {
                    panel.ask_for(&self.table, &self.me, need);
                    vec![Command::Focus("ask".into())]
                }
                None => Vec::new(),
            },
            Progress::Unusable(why) => self.refused(vec![en::source_error(&why)]),
            Progress::Refused(refusal) => self.refused(en::refusal(&refusal)),
        }
    }

    /// Rejects a roll, where the player looks.
    fn refused(&mut self, why: Vec<String>) -> Vec<Command> {
        match self.panel.as_mut().and_then(|panel| panel.ask.as_mut()) {
            Some(ask) => {
                ask.wrong = Some(why.join("; "));
                vec![Command::Reject { sentence: why.join("; "), focus: None }]
            }
            None => self.refuse(why),
        }
    }

    /// Calls the chart on the panel, to be rolled sealed. A play without dice or cards is done at
    /// once.
    fn call_sealed(&mut self, now: &Now, entered: Option<Entry>) -> Vec<Command> {
        let stamp = self.stamp(now);
        let Some(panel) = &mut self.panel else { return Vec::new() };
        let mut tried = panel.attempt.clone();
        let mut answers = ask::source(now.random, OwnLuck::ALL, entered.clone());
        if let Progress::Done { .. } = tried.roll(&self.table, &stamp, &mut answers) {
            return self.send_roll(false, entered);
        }
        let mut answers = ask::source(now.random, OwnLuck::ALL, entered);
        let mut source = Replay::new(panel.attempt.inputs()).then(&mut answers);
        match self.table.call(&stamp, panel.attempt.request(), &mut source) {
            Ok(line) => {
                panel.ask = None;
                // Without a link of this player the call would stay open.
                match self.check_log() {
                    Ok(()) => self.keep(Ok(line)),
                    Err(todo) => todo,
                }
            }
            Err(stop) => {
                let stop = panel.attempt.stopped(stop);
                self.stopped(stop)
            }
        }
    }
}
