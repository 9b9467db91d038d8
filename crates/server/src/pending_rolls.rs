//! Rolls that wait for an answer. A die that was rolled stays rolled: if the server rolled or drew,
//! the roll is an event of the log, and it is finished from there. A player who does not like the
//! dice cannot roll others, not even by restarting the server or under another name without a trace.
//! What only the player gave is stored beside the log.

use crate::error::ApiError;
use crate::idempotency::Repeat;
use crate::live_table::LiveTable;
use adjutant_game::{Attempt, Event, EventKind, Table, UnfinishedRoll};
use adjutant_store::VersionedText;
use serde::{Deserialize, Serialize};

/// A roll that waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PendingRoll {
    pub ticket: String,
    /// The last event when it stopped.
    pub after: u64,
    #[serde(flatten)]
    pub attempt: Attempt,
}

impl PendingRoll {
    /// The roll of an event. The ticket names the event, so that it ends with the next one.
    fn of_event(n: u64, roll: &UnfinishedRoll) -> PendingRoll {
        let attempt = Attempt::continued(roll.request.clone(), roll.inputs.clone());
        PendingRoll { ticket: PendingRoll::ticket_of(n), after: n, attempt }
    }

    /// The ticket of a roll that is an event of the log.
    pub fn ticket_of(event: u64) -> String {
        format!("event-{event}")
    }

    /// Whether it stands in the log already: the server ended before it could be forgotten.
    fn is_done(&self, table: &Table, by: &str) -> bool {
        let skip = usize::try_from(self.after).unwrap_or(usize::MAX);
        let events =
            table.lines().skip(skip).filter_map(|line| serde_json::from_str::<Event>(line).ok());
        events
            .filter(|event| event.by == by)
            .any(|event| matches!(&event.what, EventKind::Play(played) if played.inputs.starts_with(self.attempt.inputs())))
    }
}

pub(crate) fn kept_as(name: &str) -> String {
    format!("throw/{name}")
}

/// The roll of a player that waits, and the version of what is kept of it. Blocks.
pub(crate) fn waiting(
    live: &LiveTable,
    table: &Table,
    name: &str,
    fresh: bool,
) -> Result<(Option<PendingRoll>, u64), ApiError> {
    if let Some((n, roll)) = table.unfinished_of(name) {
        let seen = live.seen_text(&kept_as(name))?;
        return Ok((Some(PendingRoll::of_event(n, roll)), seen.version));
    }
    let seen = if fresh { VersionedText::default() } else { live.seen_text(&kept_as(name))? };
    // An empty text that was seen before may be out of date: the store compares its version when the
    // roll is stored. Anything else is read.
    let kept = if fresh || !seen.text.is_empty() { live.fresh_text(&kept_as(name))? } else { seen };
    let waiting: Option<PendingRoll> =
        if kept.text.is_empty() { None } else { serde_json::from_str(&kept.text).ok() };
    Ok((
        waiting.filter(|waiting| !waiting.attempt.is_underway() || !waiting.is_done(table, name)),
        kept.version,
    ))
}

/// Stores, or deletes, the roll of a player, with the receipt of the request and its answer. False if
/// another writer was faster. Blocks.
pub(crate) fn keep(
    live: &LiveTable,
    name: &str,
    seen: u64,
    waiting: Option<&PendingRoll>,
    repeat: Option<(&Repeat, &str)>,
) -> Result<bool, ApiError> {
    let text = waiting
        .map(|waiting| serde_json::to_string(waiting).unwrap_or_default())
        .unwrap_or_default();
    live.put_text_with((&kept_as(name), seen), &text, repeat)
}
