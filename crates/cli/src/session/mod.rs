//! A session at a table, full screen and by keyboard: `adjutant play T` with no chart. A plain
//! loop: a message changes the state ([`update::update`]), and [`view::view`] draws it. Neither
//! knows a terminal, so tests send keys and read screens. Three threads send messages: keys,
//! notices of the store, odds. All rules are in `game` and `engine`.
//!
//! Screens are on a stack; Esc removes the top one. Focus is a heavy line, the selection a mark, a
//! status has brackets: colour only adds.

mod edit;
mod entries;
mod form;
mod home;
mod look;
mod odds;
mod picker;
mod result_view;
mod rolling;
mod sealed;
mod state;
#[cfg(test)]
mod tests;
mod update;
mod view;

use crate::error::{CommandError, CommandResult, Said};
use crate::open_store::{self, OpenTable};
use crate::output::CommandOutput;
use adjutant_dice::RandomInput;
use adjutant_store::{Notice, Watch};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste, Event};
use ratatui::crossterm::execute;
use state::State;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use update::{Message, update};

/// How long a thread waits before it looks whether the session is over.
const LOOK: Duration = Duration::from_millis(200);

/// Runs a session at a table, under a name or that of the system's user, until the player leaves.
/// The caller has seen to it that there is a terminal.
pub fn run(kept: OpenTable, name: Option<&str>) -> CommandResult {
    let luck = RandomInput::from_system().said()?;
    let watch = kept.watch()?;
    let me = open_store::stamp(name).by;
    let state = State::new(kept, me, look::Look::wanted(), luck);
    let done = match ratatui::try_init() {
        Ok(mut terminal) => {
            let _ = execute!(std::io::stdout(), EnableBracketedPaste);
            let done = session(&mut terminal, state, watch);
            let _ = execute!(std::io::stdout(), DisableBracketedPaste);
            ratatui::restore();
            done
        }
        Err(fault) => Err(fault),
    };
    match done {
        Ok(farewell) => Ok(CommandOutput::done(farewell)),
        Err(fault) => Err(CommandError::usage([format!(
            "the terminal cannot be used: {fault}. All that was done is kept"
        )])),
    }
}

fn session(
    terminal: &mut DefaultTerminal,
    mut state: State,
    watch: Watch,
) -> std::io::Result<String> {
    let (tell, messages) = channel();
    let (jobs, wanted) = channel();
    let over = Arc::new(AtomicBool::new(false));
    state.jobs = Some(jobs);
    let keys = std::thread::spawn({
        let (tell, over) = (tell.clone(), over.clone());
        move || send_keys(&tell, &over)
    });
    let notices = std::thread::spawn({
        let (tell, over) = (tell.clone(), over.clone());
        move || send_notices(&watch, &tell, &over)
    });
    std::thread::spawn(move || odds::serve(&wanted, &tell));
    // What came between the reading of the table and the watch is not missed.
    state.catch_up();
    if state.my_seat().is_none() && state.notice.is_none() {
        state.hint(format!("{} has not joined yet: J joins. ? shows all keys.", state.me));
    }
    let done = turn(terminal, &mut state, &messages);
    over.store(true, Ordering::Relaxed);
    let _ = (keys.join(), notices.join());
    done.map(|()| farewell(&state))
}

/// The loop: draw, wait, take all that has come.
fn turn(
    terminal: &mut DefaultTerminal,
    state: &mut State,
    messages: &Receiver<Message>,
) -> std::io::Result<()> {
    while !state.over {
        terminal.draw(|frame| view::view(state, frame))?;
        let Ok(first) = messages.recv() else { return Ok(()) };
        update(state, first);
        while let Ok(more) = messages.try_recv() {
            update(state, more);
        }
    }
    Ok(())
}

fn send_keys(tell: &Sender<Message>, over: &AtomicBool) {
    while !over.load(Ordering::Relaxed) {
        let message = match event::poll(LOOK)
            .and_then(|there| if there { event::read().map(Some) } else { Ok(None) })
        {
            Ok(Some(Event::Key(key))) => Message::Key(key),
            Ok(Some(Event::Paste(text))) => Message::Paste(text),
            Ok(Some(Event::Resize(..))) => Message::Resize,
            Ok(_) => continue,
            Err(_) => Message::Hangup,
        };
        let gone = matches!(message, Message::Hangup);
        if tell.send(message).is_err() || gone {
            return;
        }
    }
}

fn send_notices(watch: &Watch, tell: &Sender<Message>, over: &AtomicBool) {
    while !over.load(Ordering::Relaxed) {
        let message = match watch.wait(LOOK) {
            Notice::Nothing => continue,
            Notice::Changed { .. } | Notice::LookAgain => Message::Changed,
            Notice::Closed => Message::Gone("the store no longer tells what others do".into()),
        };
        let gone = matches!(message, Message::Gone(_));
        if tell.send(message).is_err() || gone {
            return;
        }
    }
}

/// The last words, on the ordinary screen.
fn farewell(state: &State) -> String {
    let name = state.table().setup().map_or("", |setup| setup.name.as_str());
    format!("{name}: {} events are kept.\n", state.table().lines().len())
}
