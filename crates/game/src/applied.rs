//! A line told as it comes. Telling needs the table as it stood before and as it stands after; whoever applies lines one by
//! one has both in hand, so a screen that keeps what it was told never folds the log again.

use crate::event::{Event, EventKind};
use crate::narrate::Narrator;
use crate::table::{LogError, Table};
use crate::undo::{ConsentRequest, lapsed};
use crate::words::{Words, lapse_in_words};
use adjutant_engine::Resolution;

/// A line that was put on the table, and what there is to tell of it.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The event.
    pub event: Event,
    /// What the log says of it.
    pub words: String,
    /// What it means, in sentences for a screen, as [`Table::told`] gives them.
    pub means: Vec<String>,
    /// The whole account of a play.
    pub account: Option<Resolution>,
    /// The request for consent that it ended without doing what was asked for.
    pub lapsed: Option<ConsentRequest>,
}

impl Table {
    /// Applies the next line, as [`Table::apply`] does, and tells it.
    ///
    /// A log in words that is kept beside the table grows by [`Applied::words`]; an event that an `undo` names is marked
    /// in it, and one that a `redo` names is not any more.
    pub fn apply_and_tell(&mut self, line: &str) -> Result<Applied, LogError> {
        let event = self.read_next(line)?;
        let account = match &event.what {
            EventKind::Play(played) => self.again(&event, played).ok().map(|(_, account)| account),
            _ => None,
        };
        let before = self.state.clone();
        let (words, lapsed) = self.take_in_words(&event, line)?;
        let means = match (&event.what, &account) {
            (EventKind::Play(played), Some(account)) => Narrator { table: self, before: &before, played, account }.sentences(),
            (EventKind::Phase(step), _) => self.phase_told(step),
            _ => Vec::new(),
        };
        Ok(Applied { event, words, means, account, lapsed })
    }

    /// Applies the next line and returns its event with what the log says of it. Opening a long log needs no more.
    pub fn apply_in_words(&mut self, line: &str) -> Result<(Event, String), LogError> {
        let event = self.read_next(line)?;
        let (words, _) = self.take_in_words(&event, line)?;
        Ok((event, words))
    }

    fn take_in_words(&mut self, event: &Event, line: &str) -> Result<(String, Option<ConsentRequest>), LogError> {
        let (before, circle, asked) = (self.state.clone(), self.circle.clone(), self.asked.clone());
        if let Err(fault) = self.take_read(event, line) {
            self.state = before;
            return Err(fault);
        }
        let mut words = Words { pack: &self.pack, before: &before, state: &self.state, circle: &circle }.event(event);
        let lapsed = lapsed(asked.as_ref(), &event.what, self.asked.as_ref()).cloned();
        words += &lapse_in_words(lapsed.as_ref());
        Ok((words, lapsed))
    }
}
