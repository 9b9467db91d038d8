//! Sealed rolls in a session. A roll becomes a call with the player's own link; when the last link
//! arrives, the session that called makes the play. A link is revealed with one key, never
//! automatically: revealing is the player's decision.

use super::rolling::{Ask, wanted, went_on};
use super::state::{Screen, State, Then};
use crate::game::sealed::{self as step, SealedError};
use adjutant_dice::{
    Answer, CardRequest, DiceRequest, Entry, InputSource, MixedInput, OwnLuck, Question, Replay,
    SourceError, ThrownBy,
};
use adjutant_game::{ConsentFor, EventKind, PlayError, Progress, Voice};
use adjutant_wording::en;

/// How many rolls a chain sealed here serves.
pub const LENGTH: u32 = 1000;

/// The player's answers, one after another; no luck.
struct Answers(std::vec::IntoIter<String>);

impl InputSource for Answers {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        Err(ask.missing())
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        Err(ask.missing())
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        match self.0.next() {
            Some(text) => ask.read(&text),
            None => Err(ask.missing()),
        }
    }

    fn thrown_by(&self) -> ThrownBy {
        ThrownBy::Player
    }
}

/// Whether this player is in the circle.
fn is_in(state: &State) -> bool {
    state.table().sealed_circle().iter().any(|member| member.name == state.me)
}

/// Calls what the form says.
pub fn roll(state: &mut State, reply: Option<Entry>) {
    let Some(mut attempt) = state.form().map(|form| form.attempt.clone()) else { return };
    if attempt.own() != OwnLuck::NONE {
        return state.complain("rolls are sealed in this game and need every member's link: you cannot use your own dice");
    }
    if !is_in(state) {
        return state.complain(
            "rolls are sealed in this game, and you are not in the sealed group: press S to seal",
        );
    }
    let stamp = state.stamp();
    // The links bring the dice: only answers come from the player.
    let mut answers = MixedInput::new(&mut state.luck).with_own(OwnLuck::ALL).with_entry(reply);
    let inputs = attempt.inputs().to_vec();
    let mut source = Replay::new(&inputs).then(&mut answers);
    let called = step::call(&mut state.kept, &stamp, attempt.request(), &mut source);
    if matches!(state.screens.last(), Some(Screen::Ask(_)))
        && !matches!(
            called,
            Err(SealedError::Stop(PlayError::Rejected(_) | PlayError::RuledOut(_)))
        )
    {
        state.screens.pop();
    }
    match called {
        Ok(_) => {
            state.close_form();
            state.screens.clear();
            go_on(state);
        }
        Err(SealedError::Stop(stop @ PlayError::Needs { .. })) => {
            let progress = attempt.stopped(stop);
            went_on(state, attempt);
            if let Progress::Asks(needs) = progress {
                wanted(state, needs);
            }
        }
        Err(halt) => {
            state.refresh();
            state.complain(halt.to_string());
        }
    }
}

/// Shows the own link, makes the play where all links are there, and says what is waited for.
pub fn go_on(state: &mut State) {
    if state.table().open_call().is_none() && state.kept.said.is_empty() {
        return state.hint("no roll was called: there is nothing to reveal a link for");
    }
    let stamp = state.stamp();
    let mut answers = Answers(state.answers.clone().into_iter());
    let done = step::go_on(&mut state.kept, &stamp, &mut answers);
    let played =
        state.kept.said.iter().any(|said| matches!(said.applied.event.what, EventKind::Play(_)));
    let fresh = state
        .kept
        .said
        .iter()
        .any(|said| matches!(said.applied.event.what, EventKind::Play(_) | EventKind::Call(_)));
    if fresh {
        state.answers.clear();
    }
    state.log_up = 0;
    state.refresh();
    match done {
        Ok(()) if played => {
            state.screens.clear();
            state.screens.push(Screen::Result(0));
            state.due = 0;
            state.notice = None;
        }
        Ok(()) => {
            let text = waits(state);
            state.hint(text);
        }
        Err(SealedError::Stop(PlayError::Needs { needs, .. })) => {
            match (needs.first(), state.table().open_call()) {
                (Some(need), Some(call)) if call.by == state.me => {
                    state.screens.push(Screen::Ask(Box::new(Ask::new(need.clone()))))
                }
                (Some(need), Some(call)) => {
                    let text = format!("{} called, and answers: {}", call.by, en::what_for(need));
                    state.hint(text);
                }
                _ => {}
            }
        }
        Err(halt) => state.complain(halt.to_string()),
    }
}

/// Takes an answer to something asked after all links were there.
pub fn answered(state: &mut State, reply: Entry) {
    state.screens.pop();
    if let Entry::Answer { text, .. } = reply {
        state.answers.push(text);
    }
    go_on(state);
}

/// What others did may have brought the last link; who called makes the play.
pub fn others_acted(state: &mut State) {
    let Some(call) = state.table().open_call() else { return };
    let asking = matches!(state.screens.last(), Some(Screen::Ask(_)));
    if call.is_settled() && call.by == state.me && !asking {
        go_on(state);
    } else if step::owes(state.table(), &state.me) {
        let text = waits(state);
        state.hint(text);
    }
}

/// Who is waited for.
pub fn waits(state: &State) -> String {
    let Some(call) = state.table().open_call() else { return String::new() };
    let owed: Vec<&str> = call.owes().filter(|name| *name != state.me).collect();
    match (step::owes(state.table(), &state.me), owed.is_empty()) {
        (true, _) => format!("{} called a roll: o reveals your link", call.by),
        (false, true) => format!("all links are there; {} makes the roll", call.by),
        (false, false) => format!("called; it waits for {}", owed.join(", ")),
    }
}

/// Takes a call back, or asks for it.
pub fn withdraw(state: &mut State) {
    let table = state.table();
    if table.open_call().is_none() {
        return state.hint("no roll was called: there is nothing to withdraw");
    }
    let asked = table.asked().filter(|asked| asked.want == ConsentFor::Withdraw);
    let lacking = |voice: &Voice| asked.is_none_or(|asked| !asked.yes.contains(voice));
    let lacking: Vec<Voice> = table
        .consent_to_withdraw(&state.me, &state.stamp().at)
        .into_iter()
        .filter(lacking)
        .collect();
    if lacking.is_empty() {
        let what = table.withdraw_event();
        state.act_marked(what);
        return;
    }
    let names: Vec<&str> = lacking.iter().map(|voice| table.voice_name(voice)).collect();
    if asked.is_some() {
        let text = format!("{} has not answered yet", names.join(", "));
        return state.hint(text);
    }
    let text = vec![format!("{} must allow this.", names.join(", ")), "Ask now?".into()];
    state.screens.push(Screen::Confirm(text, Then::AskConsent(ConsentFor::Withdraw)));
}

/// Asks before a chain is sealed.
pub fn ask_seal(state: &mut State) {
    let head = match is_in(state) {
        true => format!("End your chain and seal a new one of {LENGTH} rolls?"),
        false => format!("Seal a chain of {LENGTH} rolls?"),
    };
    let text = "Once two players have sealed, every roll is made from a secret link of each. No player can foresee, choose or repeat a roll. The secrets stay on this device.";
    let rules = if is_in(state) { Vec::new() } else { en::sealed_rules(state.table(), None) };
    let text = [head, text.into()].into_iter().chain(rules).collect();
    state.screens.push(Screen::Confirm(text, Then::Seal));
}

/// Confirms a consent to leave the sealed group.
pub fn confirm_release(state: &mut State) {
    let stamp = state.stamp();
    let done = step::confirm_release(&mut state.kept, &stamp);
    state.refresh();
    if let Err(halt) = done {
        state.complain(halt.to_string());
    }
}

/// Seals.
pub fn seal(state: &mut State) {
    let stamp = state.stamp();
    let sealed = step::seal_with(&mut state.kept, &stamp, LENGTH, false, None);
    state.refresh();
    match sealed {
        Ok(()) => {
            let told = state.last_words().unwrap_or_default();
            state.say(told);
        }
        Err(halt) => state.complain(halt.to_string()),
    }
}
