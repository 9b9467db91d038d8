//! Appends: one call of the function `adjutant.append` for any number of games. It runs in one
//! transaction, locks each game, compares numbers, inserts the events and sends one notification.

use super::group_commit::Batched;
use super::pool::Connection;
use super::{Postgres, ReceiptParams};
use crate::{Append, Guard, Receipt, StoreError, TableId, validate};
use postgres::{Error, Row};
use std::slice::from_ref;
use std::time::Instant;

const APPEND: &str = "SELECT outcome, number FROM adjutant.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";

/// The outcome of an append, as the function says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Stored(u64),
    MovedOn(u64),
    TextChanged,
    NoTable,
    /// Another transaction holds the game; nothing was tried.
    Locked,
}

/// An append that can wait for its batch.
pub(crate) struct OwnedAppend {
    id: String,
    after: i64,
    lines: Vec<String>,
    guard: Option<(String, i64)>,
    /// Player, key, fingerprint and answer.
    receipt: Option<[String; 4]>,
}

impl OwnedAppend {
    fn of(id: &TableId, after: i64, append: &Append<'_>) -> OwnedAppend {
        let receipt = |receipt: Receipt<'_>| {
            [receipt.player, receipt.key, receipt.fingerprint, receipt.answer].map(str::to_owned)
        };
        let guard = |Guard { name, version }: Guard<'_>| {
            (name.to_owned(), i64::try_from(version).unwrap_or(i64::MAX))
        };
        OwnedAppend {
            id: id.to_string(),
            after,
            lines: append.lines.iter().map(|line| (*line).to_owned()).collect(),
            guard: append.guard.map(guard),
            receipt: append.receipt.map(receipt),
        }
    }

    fn part_of_receipt(&self, part: usize) -> Option<&str> {
        self.receipt.as_ref().map(|receipt| receipt[part].as_str())
    }
}

/// Appends all in one transaction. If `patient`, a locked game is waited for.
pub(crate) fn append_all(
    connection: &mut Connection,
    appends: &[OwnedAppend],
    patient: bool,
) -> Result<Vec<Outcome>, Error> {
    let counts: Vec<i32> = appends
        .iter()
        .map(|append| i32::try_from(append.lines.len()).unwrap_or(i32::MAX))
        .collect();
    let lines: Vec<&str> =
        appends.iter().flat_map(|append| append.lines.iter().map(String::as_str)).collect();
    let guard = |append: &OwnedAppend| append.guard.as_ref().map_or(0, |(_, version)| *version);
    let guards: Vec<Option<&str>> =
        appends.iter().map(|append| append.guard.as_ref().map(|(name, _)| name.as_str())).collect();
    let receipts = |part: usize| {
        appends.iter().map(|append| append.part_of_receipt(part)).collect::<Vec<Option<&str>>>()
    };
    let rows = connection.query(
        APPEND,
        &[
            &appends.iter().map(|append| append.id.as_str()).collect::<Vec<_>>(),
            &appends.iter().map(|append| append.after).collect::<Vec<_>>(),
            &counts,
            &lines,
            &guards,
            &appends.iter().map(guard).collect::<Vec<_>>(),
            &receipts(0),
            &receipts(1),
            &receipts(2),
            &receipts(3),
            &ReceiptParams::OVERHEAD,
            &ReceiptParams::LIFETIME,
            &patient,
        ],
    )?;
    rows.iter().map(outcome).collect()
}

fn outcome(row: &Row) -> Result<Outcome, Error> {
    let number = u64::try_from(row.try_get::<_, i64>(1)?).unwrap_or_default();
    Ok(match row.try_get::<_, &str>(0)? {
        "stored" => Outcome::Stored(number),
        "moved on" => Outcome::MovedOn(number),
        "text changed" => Outcome::TextChanged,
        "no game" => Outcome::NoTable,
        _ => Outcome::Locked,
    })
}

impl Postgres {
    pub(crate) fn write_lines(&self, id: &TableId, append: &Append<'_>) -> Result<u64, StoreError> {
        validate::append(append)?;
        let Ok(known) = i64::try_from(append.after) else {
            return Err(StoreError::MovedOn { id: *id, last: self.last_of(id)? });
        };
        let owned = || OwnedAppend::of(id, known, append);
        match self.group_commit.append(&self.pool, owned()) {
            Batched::Done(outcome) => self.outcome(id, append, outcome, false),
            Batched::Failed(fault) => Err(fault),
            Batched::Alone => self.write_alone(id, append, &owned(), None),
            Batched::Lost => self.write_alone(id, append, &owned(), Some(Instant::now())),
        }
    }

    /// Appends in a transaction of its own. `lost` is when an attempt before it lost its
    /// connection.
    fn write_alone(
        &self,
        id: &TableId,
        append: &Append<'_>,
        owned: &OwnedAppend,
        lost: Option<Instant>,
    ) -> Result<u64, StoreError> {
        let (outcomes, retried) = self.write_with((id, append.after), lost, |connection| {
            append_all(connection, from_ref(owned), true)
        })?;
        let outcome = outcomes.first().copied().unwrap_or(Outcome::Locked);
        self.outcome(id, append, outcome, retried)
    }

    fn outcome(
        &self,
        id: &TableId,
        append: &Append<'_>,
        outcome: Outcome,
        retried: bool,
    ) -> Result<u64, StoreError> {
        let (after, lines) = (append.after, append.lines);
        match outcome {
            Outcome::Stored(last) => Ok(last),
            // The attempt before may have stored it.
            Outcome::MovedOn(_)
                if retried
                    && !lines.is_empty()
                    && self.or_unsure((id, after), self.holds_lines(id, after, lines))? =>
            {
                Ok(after.saturating_add(lines.len() as u64))
            }
            Outcome::MovedOn(last) => Err(StoreError::MovedOn { id: *id, last }),
            Outcome::TextChanged => Err(StoreError::TextChanged {
                id: *id,
                name: append.guard.map(|guard| guard.name.to_owned()).unwrap_or_default(),
            }),
            Outcome::NoTable => Err(self.no_table(id)),
            Outcome::Locked => Err(StoreError::Busy { place: self.place.clone() }),
        }
    }
}
