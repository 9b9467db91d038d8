//! An applied line with what a description of it needs: the state before it, what it changed, and
//! the resolution of a play. A screen that applies lines one by one never folds the log again to
//! describe them.

use crate::changes::Changes;
use crate::event::{Event, EventKind};
use crate::sealed::SealedGroup;
use crate::state::State;
use crate::table::{LogError, Table};
use crate::undo::{ConsentRequest, lapsed};
use adjutant_engine::Resolution;

/// The game before an event, as far as a description of the event needs it.
#[derive(Clone, Debug)]
pub struct Before {
    /// The state.
    pub state: State,
    /// The sealed group, with the call that was open.
    pub sealed: SealedGroup,
}

/// A line that was applied.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The event of the line.
    pub event: Event,
    /// The game before the event.
    pub before: Before,
    /// What the event changed.
    pub changes: Changes,
    /// The resolution of a play; `None` if these rules cannot replay it.
    pub resolution: Option<Resolution>,
    /// The request for consent that the event ended without doing what it asked for.
    pub lapsed: Option<ConsentRequest>,
}

impl Table {
    /// Applies the next line and returns what a description of it needs. On an error the game stays
    /// as it was.
    pub fn apply(&mut self, line: &str) -> Result<Applied, LogError> {
        let event = self.read_next(line)?;
        let resolution = match &event.what {
            EventKind::Play(played) => {
                self.again(&event, played).ok().map(|rolled| rolled.resolution)
            }
            _ => None,
        };
        Ok(Applied { resolution, ..self.apply_event(event, line)? })
    }

    /// Like [`Table::apply`], without the resolution of a play, which costs as much as everything
    /// else.
    pub fn apply_unresolved(&mut self, line: &str) -> Result<Applied, LogError> {
        let event = self.read_next(line)?;
        self.apply_event(event, line)
    }

    fn apply_event(&mut self, event: Event, line: &str) -> Result<Applied, LogError> {
        let before = Before { state: self.state.clone(), sealed: self.circle.clone() };
        let asked = self.asked.clone();
        self.take_read(&event, line)?;
        let lapsed = lapsed(asked.as_ref(), &event.what, self.asked.as_ref()).cloned();
        let changes = Changes::between(&before.state, &self.state);
        Ok(Applied { event, before, changes, resolution: None, lapsed })
    }

    /// An empty game with the same pack that accepts the same log, to go through the log again.
    pub fn rewound(&self) -> Table {
        Table { any_rules: self.any_rules, ..Table::empty(self.pack.clone()) }
    }

    /// The game just after an event, with the applied event; `None` if there is no such event.
    pub fn at_event(&self, n: u64) -> Result<Option<(Table, Applied)>, LogError> {
        let Some(place) =
            n.checked_sub(1).map(|place| place as usize).filter(|place| *place < self.lines.len())
        else {
            return Ok(None);
        };
        let mut table = self.rewound();
        for line in &self.lines[..place] {
            table.take(line)?;
        }
        let applied = table.apply(&self.lines[place])?;
        Ok(Some((table, applied)))
    }

    /// Whether an event counts: it can be undone and was not.
    pub fn counts(&self, n: u64) -> bool {
        self.acts.binary_search_by_key(&n, |act| act.n).is_ok()
    }
}
