//! The log in English: one or a few sentences for each event. Rolls are in [`play`] and [`effects`],
//! sealed rolls in [`sealing`], the others here with the parts that they share.

mod cards;
mod due;
mod effects;
mod play;
mod sealing;
mod units;

use adjutant_game::{
    Applied, ConsentFor, ConsentRequest, DeckAct, Event, EventKind, LogError, PendingTest,
    SealedGroup, Seat, State, Table,
};
use adjutant_pack::Pack;

/// One line of the log in English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedLine {
    /// One or a few sentences.
    pub text: String,
    /// Whether the event was undone.
    pub undone: bool,
}

impl LoggedLine {
    /// The text, with a mark in front if the event was undone.
    pub fn marked(&self) -> String {
        if self.undone { format!("(undone) {}", self.text) } else { self.text.clone() }
    }
}

/// The whole log, one entry for each line.
pub fn log(table: &Table) -> Result<Vec<LoggedLine>, LogError> {
    let mut then = table.rewound();
    let mut lines = Vec::with_capacity(table.lines().len());
    for line in table.lines() {
        let applied = then.apply_unresolved(line)?;
        let undone = applied.event.what.counts() && !table.counts(applied.event.n);
        lines.push(LoggedLine { text: log_line(&then, &applied), undone });
    }
    Ok(lines)
}

/// The sentences for a line that was just applied to this game.
pub fn log_line(table: &Table, applied: &Applied) -> String {
    let words = Words {
        pack: table.pack(),
        before: &applied.before.state,
        state: table.state(),
        circle: &applied.before.sealed,
    };
    words.event(&applied.event) + &lapse(applied.lapsed.as_ref())
}

/// The open call: `Anna calls Fire – firer Rifles, sealed.`
pub fn open_call(table: &Table) -> Option<String> {
    let call = table.open_call()?;
    Some(Words::now(table).sealing(&call.by, &EventKind::Call(Box::new(call.record.clone()))))
}

/// A pending test: `Recover test of Figure 2 – Suffered damage`.
pub fn pending_test(table: &Table, pending: &PendingTest) -> String {
    Words::now(table).due(&pending.due)
}

/// The request for consent that an event ended.
fn lapse(lapsed: Option<&ConsentRequest>) -> String {
    let Some(ConsentRequest { by, want, event, .. }) = lapsed else { return String::new() };
    let what = match want {
        ConsentFor::Undo => format!("undo event {event}"),
        ConsentFor::Redo => format!("redo event {event}"),
        ConsentFor::Withdraw => format!("take back the call of event {event}"),
        ConsentFor::Release => "remove a player from the sealed group".to_owned(),
    };
    format!(" {by}'s request to {what} expired.")
}

/// What the sentences need: the game before and after an event.
pub(crate) struct Words<'a> {
    pub pack: &'a Pack,
    pub before: &'a State,
    pub state: &'a State,
    /// The sealed group and the call that was open, before the event.
    pub circle: &'a SealedGroup,
}

impl<'a> Words<'a> {
    /// The current state, as both the state before and the state after.
    pub fn now(table: &'a Table) -> Words<'a> {
        Words {
            pack: table.pack(),
            before: table.state(),
            state: table.state(),
            circle: table.sealed_group(),
        }
    }
}

impl Words<'_> {
    pub fn event(&self, event: &Event) -> String {
        let by = &event.by;
        match &event.what {
            EventKind::Begin(begin) => {
                let sheet: Vec<String> = begin
                    .run_by_sheet
                    .iter()
                    .map(|side| format!(" {side} is run by the sheet."))
                    .collect();
                let decks =
                    if begin.decks.is_shared() { "" } else { " Each side has its own decks." };
                let sides = begin.sides.join(" against ");
                format!(
                    "{by} starts the game “{}” ({}): {sides}.{}{decks}",
                    begin.name,
                    self.pack.title(),
                    sheet.concat()
                )
            }
            EventKind::Join { who, role } => match role {
                Seat::Player { side } => format!("{who} plays {side}."),
                Seat::Umpire => format!("{who} is the umpire."),
                Seat::Spectator => format!("{who} watches."),
            },
            EventKind::Add(recruits) => format!("{by} adds {}.", self.recruits(recruits)),
            EventKind::Set(change) => self.change(by, change),
            EventKind::Remove { unit, word } => {
                format!("{by} removes {}: {word}.{}", self.name(unit), self.lapsed(None))
            }
            EventKind::Option { name, value } => {
                let label = self
                    .pack
                    .options()
                    .iter()
                    .find(|option| option.field.id == *name)
                    .map_or(name.as_str(), |option| &option.field.label);
                format!("{by} sets the option “{label}”: {value}.")
            }
            EventKind::Memory { name, side, value } => {
                let of = side.as_ref().map_or(String::new(), |side| format!("{side}, "));
                format!("{by} notes: {of}{} – {value}.", self.memory(name))
            }
            EventKind::Play(played) => self.play(by, played),
            EventKind::Unfinished(roll) => self.unfinished(by, roll),
            EventKind::Land { plays } => self.land(by, plays),
            EventKind::Skip { pending, reason } => {
                let due = self.before.pending.iter().find(|known| known.due.id == *pending);
                format!(
                    "{by} skips: {}. Reason: {reason}.",
                    due.map_or(pending.clone(), |known| self.due(&known.due))
                )
            }
            EventKind::Phase(step) => {
                let title = self
                    .pack
                    .phases()
                    .iter()
                    .find(|phase| phase.id == step.to)
                    .map(|phase| format!(", {}", phase.title));
                let lifted = step.lifted.iter().map(|(unit, status)| {
                    format!(" {}: no longer {}.", self.name(unit), self.status(status))
                });
                let due = self.falls_due(&step.due);
                format!(
                    "Turn {}{}.{}{due}",
                    step.turn,
                    title.unwrap_or_default(),
                    lifted.collect::<String>()
                )
            }
            EventKind::Start { due } => format!("The game begins.{}", self.falls_due(due)),
            EventKind::Deck { deck, side, act, cards } => {
                let title = self.deck_title(deck, side.as_ref());
                match act {
                    DeckAct::Reshuffle => format!("{by} reshuffles the {title}."),
                    DeckAct::TakeOut => {
                        format!("{by} takes out of the {title}: {}.", self.cards(deck, cards))
                    }
                    DeckAct::PutBack => {
                        format!("{by} puts back into the {title}: {}.", self.cards(deck, cards))
                    }
                }
            }
            EventKind::Note { text } => format!("{by} remarks: {text}"),
            EventKind::Undo { event, .. } => format!("{by} undoes event {event}."),
            EventKind::Redo { event, .. } => format!("{by} redoes event {event}."),
            EventKind::Ask { want: ConsentFor::Undo, event, .. } => {
                format!("{by} asks to undo event {event}.")
            }
            EventKind::Ask { want: ConsentFor::Redo, event, .. } => {
                format!("{by} asks to redo event {event}.")
            }
            EventKind::Ask { want: ConsentFor::Withdraw, event, .. } => {
                format!("{by} asks to take back the call of event {event}.")
            }
            EventKind::Ask { want: ConsentFor::Release, event, .. } => {
                let member = self.circle.members.iter().find(|member| member.seal == *event);
                format!(
                    "{by} asks to remove {} from the sealed group.",
                    member.map_or("a player", |member| member.name.as_str())
                )
            }
            EventKind::Seal(_)
            | EventKind::Call(_)
            | EventKind::Reveal { .. }
            | EventKind::Withdraw { .. }
            | EventKind::Release { .. } => self.sealing(by, &event.what),
            EventKind::Consent { ask, yes, .. } => {
                let allows = if *yes { "allows" } else { "declines" };
                format!("{by} {allows} what event {ask} asks for.")
            }
        }
    }

    pub fn name(&self, id: &str) -> String {
        self.state.unit(id).map_or_else(|| id.to_owned(), |unit| unit.name.clone())
    }

    fn names(&self, ids: &[String]) -> String {
        ids.iter().map(|id| self.name(id)).collect::<Vec<_>>().join(", ")
    }

    pub fn status(&self, id: &str) -> String {
        self.pack
            .statuses()
            .iter()
            .find(|status| status.id == id)
            .map_or_else(|| id.to_owned(), |status| status.title.to_string())
    }

    pub fn memory(&self, id: &str) -> String {
        self.pack
            .memory()
            .iter()
            .find(|memory| memory.id == id)
            .map_or_else(|| id.to_owned(), |memory| memory.label.to_string())
    }

    pub fn attribute(&self, unit: &str, id: &str) -> String {
        let kind = self.state.unit(unit).map(|unit| &self.pack.kinds()[unit.kind]);
        let field = kind.and_then(|kind| kind.has.iter().find(|field| field.id == id));
        field.map_or_else(|| id.to_owned(), |field| field.label.to_string())
    }
}
