//! The keys of the first screen: roster, pending tests and log, and everything that starts from
//! there.

use super::edit::Edit;
use super::picker::{Item, Picker};
use super::result_view::ResultView;
use super::rolling::open_form;
use super::sealed;
use super::state::{Focus, Screen, State, Then};
use super::update::open_edit;
use adjutant_game::{ConsentFor, Event, EventKind, PlayRequest, Voice};
use adjutant_wording::en;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Takes a key.
pub fn key(state: &mut State, key: KeyEvent) {
    if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
        return;
    }
    match key.code {
        KeyCode::Tab => state.focus = turn(state.focus, 1),
        KeyCode::BackTab => state.focus = turn(state.focus, 2),
        KeyCode::Up | KeyCode::Char('k') => step(state, -1),
        KeyCode::Down | KeyCode::Char('j') => step(state, 1),
        KeyCode::PageUp => step(state, -10),
        KeyCode::PageDown => step(state, 10),
        KeyCode::Home => step(state, -100_000),
        KeyCode::End => step(state, 100_000),
        KeyCode::Enter => enter(state),
        KeyCode::Char(letter) => verb(state, letter),
        KeyCode::Delete => remove(state),
        _ => {}
    }
}

fn turn(focus: Focus, by: usize) -> Focus {
    let all = [Focus::Roster, Focus::Pending, Focus::Log];
    let now = all.iter().position(|known| *known == focus).unwrap_or(0);
    all[(now + by) % all.len()]
}

fn step(state: &mut State, by: isize) {
    let within =
        |at: usize, count: usize| at.saturating_add_signed(by).min(count.saturating_sub(1));
    match state.focus {
        Focus::Roster => state.unit = within(state.unit, state.units().len()),
        Focus::Pending => state.due = within(state.due, state.table().state().pending.len()),
        Focus::Log => {
            state.log_up = state.log_up.saturating_add_signed(-by).min(state.log.len() * 8)
        }
    }
}

fn enter(state: &mut State) {
    match state.focus {
        Focus::Roster => charts(state, state.chosen_unit().map(|unit| unit.id.clone())),
        Focus::Pending => play_due(state),
        Focus::Log => last(state),
    }
}

fn verb(state: &mut State, letter: char) {
    match letter {
        'p' | 'c' | '/' => charts(state, None),
        't' => {
            state.due = 0;
            play_due(state);
        }
        'T' => roll_all(state),
        'n' => phase(state),
        'l' => land(state),
        's' => match state.chosen_due() {
            Some(pending) => open_edit(state, Edit::strike(state.table(), pending)),
            None => state.hint("no test is due: there is nothing to skip"),
        },
        'u' => back(state, ConsentFor::Undo),
        'U' => back(state, ConsentFor::Redo),
        'y' => consent(state, true),
        'x' => consent(state, false),
        'a' => open_edit(state, Edit::add(state)),
        'e' => match state.chosen_unit() {
            Some(unit) => open_edit(state, Edit::change(state.table(), unit)),
            None => state.hint("the roster is empty: a adds a unit"),
        },
        'd' => remove(state),
        'm' if state.table().pack().options().is_empty()
            && state.table().pack().memory().is_empty() =>
        {
            state.hint("this game has no options and nothing to remember");
        }
        'm' => open_edit(state, Edit::settings(state.table())),
        'r' => open_edit(state, Edit::note()),
        'D' if state.table().pack().card_decks().next().is_none() => {
            state.hint("this game has no deck")
        }
        'D' => open_edit(state, Edit::deck(state.table(), &state.me)),
        'J' => open_edit(state, Edit::seat(state)),
        'o' => sealed::go_on(state),
        'w' => sealed::withdraw(state),
        'S' => sealed::ask_seal(state),
        'v' => last(state),
        '?' => state.screens.push(Screen::Help(0)),
        'q' => leave(state),
        _ => {}
    }
}

fn remove(state: &mut State) {
    match state.chosen_unit() {
        Some(unit) => open_edit(state, Edit::remove(unit)),
        None => state.hint("the roster is empty: a adds a unit"),
    }
}

/// The charts: those of the phase first, those that are closed last.
fn charts(state: &mut State, unit: Option<String>) {
    let table = state.table();
    let (phase, _) = table.turn();
    let offered: Vec<&str> = table
        .offered(&adjutant_game::UnitsByRole::new())
        .iter()
        .map(|chart| chart.id.as_str())
        .collect();
    let kind = unit.as_ref().and_then(|id| table.state().unit(id)).map(|unit| unit.kind);
    let fits = |chart: &adjutant_pack::Chart| {
        kind.is_none_or(|kind| chart.roles.iter().any(|role| role.kind == kind))
    };
    let mut items: Vec<(bool, Item)> = Vec::new();
    for (place, chart) in table.pack().charts().iter_enumerated() {
        let now = phase.is_some_and(|phase| phase.charts.contains(&place));
        let open = offered.contains(&chart.id.as_str());
        let note = match (open, chart.needs_option) {
            (false, Some(option)) => {
                format!("closed: set the option “{}”", table.pack().options()[option].field.label)
            }
            _ if now => phase.map(|phase| phase.title.to_string()).unwrap_or_default(),
            _ => String::new(),
        };
        items.push((
            now,
            Item {
                id: chart.id.to_string(),
                text: chart.title.to_string(),
                note,
                about: chart.about.clone(),
                offered: open && fits(chart),
            },
        ));
    }
    items.sort_by_key(|(now, _)| !now);
    let picker = Picker::new(items.into_iter().map(|(_, item)| item).collect());
    state.screens.push(Screen::Charts(picker, unit));
}

/// What to do instead of rolling a pending test.
fn nothing_due(state: &State) -> &'static str {
    match state.table().guide().held {
        true => "simultaneous attacks are waiting: p rolls another, l applies the results",
        false => "no test is due; p plays a chart",
    }
}

/// Opens the chosen pending test.
pub fn play_due(state: &mut State) {
    match state.chosen_due().map(|pending| pending.due.id.clone()) {
        Some(id) => open_form(state, PlayRequest::pending(id).into()),
        None => state.hint(nothing_due(state)),
    }
}

/// Rolls the pending tests one after another, until one needs something first.
fn roll_all(state: &mut State) {
    let due: Vec<String> = state.table().pending().map(|test| test.due.id.clone()).collect();
    if due.is_empty() {
        return state.hint(nothing_due(state));
    }
    let mut rolled = 0;
    for id in due {
        // A test that came up on the way, and is rolled first, is left to the player.
        if state.table().guide().next.is_none_or(|next| next.due.id != id) {
            break;
        }
        open_form(state, PlayRequest::pending(id).into());
        super::rolling::roll(state, None);
        if !matches!(state.screens.last(), Some(Screen::Result(_))) {
            break;
        }
        rolled += 1;
    }
    if rolled > 1 {
        state.say(format!("{rolled} tests rolled. The log has all results."));
    }
}

/// What came of the last roll that is on the log.
fn last(state: &mut State) {
    let table = state.table();
    let plays = table.lines().enumerate().collect::<Vec<_>>();
    let found = plays.into_iter().rev().find_map(|(place, line)| {
        match serde_json::from_str::<Event>(line).ok()?.what {
            EventKind::Play(played) => Some((place as u64 + 1, played)),
            _ => None,
        }
    });
    let Some((n, played)) = found else { return state.hint("nothing has been rolled yet") };
    if state.last.as_ref().is_none_or(|last| last.n != n) {
        match table.resolution_of(n) {
            Ok(Some(resolution)) => {
                state.last = Some(ResultView::new(
                    table,
                    n,
                    &played,
                    &resolution,
                    &en::meaning_of(table, n).unwrap_or_default(),
                ))
            }
            Ok(None) => return,
            Err(fault) => return state.complain(en::log_error(&fault)),
        }
    }
    state.screens.push(Screen::Result(0));
}

/// Asks before the next phase, and says what ends.
fn phase(state: &mut State) {
    let line = match state.table().next_phase(&state.stamp()) {
        Ok(line) => line,
        Err(rejection) => return state.complain(en::rejection(&rejection)),
    };
    let EventKind::Phase(step) = &line.event.what else { return };
    let table = state.table();
    let title = table.pack().phases().iter().find(|phase| phase.id == step.to);
    let mut text = vec![match title {
        Some(phase) => format!("On to {}, turn {}?", phase.title, step.turn),
        None => format!("On to turn {}?", step.turn),
    }];
    if let Some(phase) = title.filter(|phase| !phase.text.is_empty()) {
        text.push(phase.text.to_string());
    }
    let name = |id: &str| table.state().unit(id).map_or(id.to_owned(), |unit| unit.name.clone());
    let status = |id: &str| {
        table
            .pack()
            .statuses()
            .iter()
            .find(|status| status.id == id)
            .map_or(id.to_owned(), |s| s.title.to_string())
    };
    text.extend(
        step.lifted
            .iter()
            .map(|(unit, lifted)| format!("Ends: {} – {}", name(unit), status(lifted))),
    );
    match table.state().pending.len() {
        0 => {}
        1 => text.push("One test is still due; it stays due.".into()),
        count => text.push(format!("{count} tests are still due; they stay due.")),
    }
    state.screens.push(Screen::Confirm(text, Then::Phase));
}

fn land(state: &mut State) {
    let held = state.table().state().held.len();
    if held == 0 {
        return state.hint("no attacks are waiting");
    }
    let attacks = if held == 1 { "one attack".to_owned() } else { format!("{held} attacks") };
    state
        .screens
        .push(Screen::Confirm(vec![format!("Apply the results of {attacks}?")], Then::Land));
}

/// Undoes or redoes; asks for consent where it is needed.
fn back(state: &mut State, want: ConsentFor) {
    let table = state.table();
    let needed = match table.consent_needed(&state.me, want) {
        Ok(needed) => needed,
        Err(rejection) => return state.hint(en::rejection(&rejection)),
    };
    let asked = table.asked().filter(|asked| asked.want == want);
    let lacking: Vec<Voice> = needed
        .into_iter()
        .filter(|voice| asked.is_none_or(|asked| !asked.yes.contains(voice)))
        .collect();
    let names: Vec<&str> = lacking.iter().map(|voice| table.voice_name(voice)).collect();
    if lacking.is_empty() {
        let what = match want {
            ConsentFor::Undo => table.undo_event(),
            _ => table.redo_event(),
        };
        if state.act_marked(what) {
            let other =
                if want == ConsentFor::Undo { "U brings it back" } else { "u takes it back again" };
            let told = state.last_words().unwrap_or_default();
            state.say(format!("{told} {other}."));
        }
        return;
    }
    if let Some(asked) = asked {
        let refused = lacking.iter().any(|voice| asked.no.contains(voice));
        let word = if refused { "declined" } else { "has not answered yet" };
        let text = format!("{} {word}", names.join(", "));
        return state.hint(text);
    }
    let word = if want == ConsentFor::Undo { "undo" } else { "redo" };
    let event = table
        .last_that_counts()
        .and_then(|n| state.log.get(n as usize - 1))
        .filter(|_| want == ConsentFor::Undo)
        .map(|line| line.text.clone());
    let mut text = vec![format!(
        "{} must allow this {word}: dice were rolled, or another side acted.",
        names.join(", ")
    )];
    text.extend(event);
    text.push("Ask now?".into());
    state.screens.push(Screen::Confirm(text, Then::AskConsent(want)));
}

fn consent(state: &mut State, yes: bool) {
    if state.table().asked().is_none() {
        return;
    }
    let what = state.table().consent_event(yes);
    if !state.act_marked(what) {
        return;
    }
    if yes {
        super::sealed::confirm_release(state);
    }
    if let Some(agreed) = state.table().agreed(&state.stamp().at) {
        state.keep(Ok(agreed));
    }
}

/// Leaves; asks first if something is half done.
pub fn leave(state: &mut State) {
    let half = state.screens.iter().any(|screen| match screen {
        Screen::Edit(edit) => edit.touched(),
        Screen::Form(form) => {
            form.attempt.is_underway() || !form.attempt.request().given.is_empty()
        }
        _ => false,
    });
    match half {
        true => state.screens.push(Screen::Confirm(
            vec![
                "Something is half done.".into(),
                "Leave? Only what was rolled is kept, in the log.".into(),
            ],
            Then::Quit,
        )),
        false => state.over = true,
    }
}
