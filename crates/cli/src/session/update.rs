//! What a key, or word from outside, does to a session. No terminal is known here: tests press keys
//! by sending messages.

use super::edit::Edit;
use super::entries::{Did, Kind};
use super::form::Form;
use super::home;
use super::odds::Chances;
use super::picker::Picked;
use super::rolling::{Replied, open_form, roll};
use super::sealed;
use super::state::{Focus, Screen, State, Then};
use adjutant_dice::OwnLuck;
use adjutant_game::{ConsentFor, Move, MoveError, PlayRequest, Table};
use adjutant_wording::en;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// Something that happens to a session.
#[derive(Debug)]
pub enum Message {
    Key(KeyEvent),
    Paste(String),
    /// The window has another size.
    Resize,
    /// The store says that the table may have moved on.
    Changed,
    /// Odds that were asked for.
    Chances(u64, Chances),
    /// The store says no more.
    Gone(String),
    /// The terminal is gone.
    Hangup,
}

/// The session after it.
pub fn update(state: &mut State, message: Message) {
    match message {
        Message::Key(key) if key.kind == KeyEventKind::Release => {}
        Message::Key(key)
            if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) =>
        {
            state.over = true
        }
        Message::Key(key) => pressed(state, key),
        Message::Paste(text) => match state.screens.last_mut() {
            Some(Screen::Edit(edit)) => edit.entries.paste(&text),
            Some(Screen::Charts(picker, _) | Screen::Units(picker, _)) => {
                picker.filter.extend(text.chars().filter(|c| !c.is_control()).take(60));
                picker.at = 0;
            }
            _ => {}
        },
        Message::Resize => {}
        Message::Changed => state.catch_up(),
        Message::Chances(serial, known) if serial == state.serial => {
            state.chances = known;
            state.weighing = false;
        }
        Message::Chances(..) => {}
        Message::Gone(why) => state.complain(why),
        Message::Hangup => state.over = true,
    }
}

fn pressed(state: &mut State, key: KeyEvent) {
    state.notice = None;
    match state.screens.last() {
        None => home::key(state, key),
        Some(Screen::Charts(..) | Screen::Units(..)) => picking(state, key),
        Some(Screen::Form(_)) => form(state, key),
        Some(Screen::Ask(_)) => asked(state, key),
        Some(Screen::Result(_)) => result(state, key),
        Some(Screen::Edit(_)) => edit(state, key),
        Some(Screen::Confirm(..)) => confirm(state, key),
        Some(Screen::Help(_)) => {
            let Some(Screen::Help(up)) = state.screens.last_mut() else { return };
            if !scrolled(up, key.code) {
                state.screens.pop();
            }
        }
    }
}

/// Scrolls; whether the key was one for it.
fn scrolled(down: &mut usize, code: KeyCode) -> bool {
    match code {
        KeyCode::Up => *down = down.saturating_sub(1),
        KeyCode::Down => *down = (*down + 1).min(500),
        KeyCode::PageUp => *down = down.saturating_sub(10),
        KeyCode::PageDown => *down = (*down + 10).min(500),
        _ => return false,
    }
    true
}

fn picking(state: &mut State, key: KeyEvent) {
    let picked = match state.screens.last_mut() {
        Some(Screen::Charts(picker, _) | Screen::Units(picker, _)) => picker.key(key),
        _ => return,
    };
    let ids = match picked {
        Picked::Not => return,
        Picked::Back => return drop(state.screens.pop()),
        Picked::These(ids) => ids,
    };
    match state.screens.pop() {
        Some(Screen::Charts(_, unit)) => {
            let id = ids.first().cloned().unwrap_or_default();
            let chart = state.table().pack().chart(&id);
            let kind = unit
                .as_ref()
                .and_then(|unit| state.table().state().unit(unit))
                .map(|unit| unit.kind);
            let role =
                chart.and_then(|chart| chart.roles.iter().find(|role| Some(role.kind) == kind));
            let mut play = PlayRequest::of(id.as_str());
            if let (Some(role), Some(unit)) = (role, unit) {
                play = play.unit(role.id.to_string(), unit);
            }
            open_form(state, play.into());
        }
        Some(Screen::Units(_, role)) => {
            change(state, |form, table| form.attempt.make(table, Move::Units { role, units: ids }));
            if let Some((form, _)) = state.form_mut() {
                form.entries.go_on();
            }
        }
        _ => {}
    }
}

fn form(state: &mut State, key: KeyEvent) {
    let Some((form, _)) = state.form_mut() else { return };
    let did = form.entries.key(key);
    let role = form
        .entries
        .chosen()
        .filter(|entry| matches!(entry.kind, Kind::Role { .. }) && !entry.settled);
    let empty = role.is_some_and(|entry| entry.value.is_empty());
    let value =
        form.entries.chosen().is_some_and(|entry| {
            matches!(entry.kind, Kind::Number(_) | Kind::Text) && !entry.settled
        }) && !form.attempt.is_underway();
    let role = role.map(|entry| entry.key.clone()).unwrap_or_default();
    match (did, key.code) {
        (Did::Moved, _) => {}
        (Did::Changed, _) => change(state, Form::take),
        (Did::Choose, _) => choose(state, role),
        (_, KeyCode::Enter) if empty => choose(state, role),
        // A field that wants a value takes it; it does not roll.
        (_, KeyCode::Enter) if value => {
            let at = form.entries.at;
            form.entries.go_on();
            if form.entries.at == at {
                state.hint("t rolls");
            }
        }
        (_, KeyCode::Enter | KeyCode::Char('t')) => {
            form.attempt.set_own(OwnLuck::NONE);
            roll(state, None);
        }
        (_, KeyCode::Char('o')) => {
            form.attempt.set_own(OwnLuck::ALL);
            roll(state, None);
        }
        (_, KeyCode::Esc) if form.attempt.is_underway() => {
            let text = vec![
                "Dice have been rolled and the roll is not finished.".into(),
                "Leave anyway? What the program rolled stays in the log.".into(),
            ];
            state.screens.push(Screen::Confirm(text, Then::LeaveForm));
        }
        (_, KeyCode::Esc) => state.close_form(),
        (_, KeyCode::Char('?')) => state.screens.push(Screen::Help(0)),
        (_, KeyCode::Char('q')) => home::leave(state),
        _ => {}
    }
}

/// Changes the form that is open, and shows what follows from it.
fn change(state: &mut State, make: impl FnOnce(&mut Form, &Table) -> Result<(), MoveError>) {
    let Some((form, table)) = state.form_mut() else { return };
    let made = make(form, table);
    state.refresh_form();
    if let Err(why) = made {
        state.complain(en::move_error(&why));
    }
}

/// Opens the list of those who can take a role.
fn choose(state: &mut State, role: String) {
    let Some((form, table)) = state.form_mut() else { return };
    match form.candidates(table, &role) {
        Some(picker) if picker.items.is_empty() => {
            form.entries.at = (form.entries.at + 1).min(form.entries.list.len().saturating_sub(1));
            state.hint("no unit on the roster can take this role: enter its values here, or add a unit first");
        }
        Some(picker) => state.screens.push(Screen::Units(picker, role)),
        None => {}
    }
}

fn asked(state: &mut State, key: KeyEvent) {
    let Some(Screen::Ask(ask)) = state.screens.last_mut() else { return };
    match ask.key(key) {
        Replied::Not => {}
        Replied::Back => drop(state.screens.pop()),
        Replied::Fault(why) => state.complain(why),
        Replied::Reply(reply) if state.form().is_none() => sealed::answered(state, reply),
        Replied::Reply(reply) => roll(state, Some(reply)),
    }
}

fn result(state: &mut State, key: KeyEvent) {
    let Some(Screen::Result(down)) = state.screens.last_mut() else { return };
    if scrolled(down, key.code) {
        return;
    }
    state.screens.pop();
    match key.code {
        KeyCode::Enter | KeyCode::Char(' ') => {
            state.due = 0;
            home::play_due(state);
        }
        KeyCode::Esc => {}
        _ => home::key(state, key),
    }
    if state.screens.is_empty() && !state.table().state().pending.is_empty() {
        state.focus = Focus::Pending;
    }
}

fn edit(state: &mut State, key: KeyEvent) {
    let table = &state.kept.table;
    let Some(Screen::Edit(edit)) = state.screens.last_mut() else { return };
    match key.code {
        KeyCode::Esc => return drop(state.screens.pop()),
        KeyCode::Enter => return save(state),
        _ => {}
    }
    if edit.entries.key(key) == Did::Changed {
        match edit.entries.chosen().map(|entry| entry.key.as_str()) {
            Some("kind") => edit.attributes(table),
            Some("deck") => edit.cards_left(table),
            _ => {}
        }
    }
}

fn save(state: &mut State) {
    let Some(Screen::Edit(edit)) = state.screens.last() else { return };
    let adding = edit.purpose == super::edit::Purpose::Add;
    let mut events = match edit.events(&state.me) {
        Ok(events) => events,
        Err(why) => return state.complain(why.to_string()),
    };
    if adding && let [adjutant_game::EventKind::Add(recruits)] = &mut events[..] {
        let first = state
            .table()
            .pack()
            .kinds()
            .first()
            .map(|kind| kind.id.to_string())
            .unwrap_or_default();
        recruits
            .iter_mut()
            .filter(|recruit| recruit.kind.is_empty())
            .for_each(|recruit| recruit.kind.clone_from(&first));
    }
    if events.is_empty() {
        state.screens.pop();
        return state.hint("nothing was changed");
    }
    if matches!(events[..], [adjutant_game::EventKind::Join { .. }])
        && let Err(why) = crate::secrets::Secrets::may_sit(&state.kept, &state.me)
    {
        return state.complain(format!("{why:#}"));
    }
    for what in events {
        if !state.act(what) {
            return;
        }
    }
    state.screens.pop();
    if adding {
        let newest = state.table().state().units.last().map(|unit| unit.id.clone());
        state.unit = state
            .units()
            .iter()
            .position(|unit| Some(&unit.id) == newest.as_ref())
            .unwrap_or(state.unit);
    }
}

fn confirm(state: &mut State, key: KeyEvent) {
    let Some(Screen::Confirm(_, then)) = state.screens.last() else { return };
    let then = *then;
    match key.code {
        KeyCode::Enter | KeyCode::Char('y') => {}
        KeyCode::Esc | KeyCode::Char('n') => return drop(state.screens.pop()),
        _ => return,
    }
    state.screens.pop();
    match then {
        Then::Phase => {
            let line = state.table().next_phase(&state.stamp());
            state.keep(line);
        }
        Then::Land => {
            let line = state.table().land(&state.stamp());
            state.keep(line);
        }
        Then::AskConsent(want) => {
            let what = state.table().ask_event(want);
            if state.act_marked(what) {
                let sealed =
                    state.table().sealed_circle().iter().any(|member| member.name == state.me);
                let then = match want {
                    ConsentFor::Undo | ConsentFor::Redo if !sealed => {
                        "It is done when they allow it."
                    }
                    ConsentFor::Undo => "When they allow it, press u.",
                    ConsentFor::Redo => "When they allow it, press U.",
                    ConsentFor::Withdraw | ConsentFor::Release => "When they allow it, press w.",
                };
                state.say(format!("The other side is asked. {then}"));
            }
        }
        Then::Seal => sealed::seal(state),
        Then::LeaveForm => {
            super::rolling::break_off(state);
            state.close_form();
        }
        Then::Quit => {
            super::rolling::break_off(state);
            state.over = true;
        }
    }
}

/// Opens a form for something done by hand.
pub fn open_edit(state: &mut State, edit: Edit) {
    state.screens.push(Screen::Edit(Box::new(edit)));
}
