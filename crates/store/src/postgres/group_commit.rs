//! Appends of this server in shared transactions. So one server has one commit at a time, and
//! PostgreSQL's lock for notifications, which all commits with a notification take one after another,
//! is taken once for a whole batch.
//!
//! A game that another transaction holds does not hold up the batch: that append runs alone. If a
//! batch fails, each append runs alone. If the connection is lost, each finds out its own outcome.

use super::append::{Outcome, OwnedAppend, append_all};
use super::errors::PostgresError;
use super::pool::Pool;
use crate::{StoreError, group_commit};

/// The queue of a store.
pub(crate) type GroupCommit = group_commit::GroupCommit<OwnedAppend, Batched>;

/// The outcome of an append in a batch.
pub(crate) enum Batched {
    Done(Outcome),
    Failed(StoreError),
    /// Nothing was written. It has to run alone.
    Alone,
    /// The connection was lost: it may have been stored.
    Lost,
}

impl GroupCommit {
    /// Appends in the next batch.
    pub(crate) fn append(&self, pool: &Pool, append: OwnedAppend) -> Batched {
        self.submit(append, |appends| write_batch(pool, appends), |_| Batched::Lost)
    }
}

fn write_batch(pool: &Pool, appends: &[OwnedAppend]) -> Vec<Batched> {
    let mut client = match pool.take() {
        Ok(client) => client,
        Err(fault) => return appends.iter().map(|_| Batched::Failed(fault.clone())).collect(),
    };
    match client.run(|connection| append_all(connection, appends, false)) {
        Ok(outcomes) => {
            client.release();
            let batched = |outcome| match outcome {
                Outcome::Locked => Batched::Alone,
                other => Batched::Done(other),
            };
            outcomes.into_iter().map(batched).collect()
        }
        Err(PostgresError::Fault(fault)) => {
            client.release();
            match appends {
                [_] => vec![Batched::Failed(fault)],
                several => several.iter().map(|_| Batched::Alone).collect(),
            }
        }
        Err(PostgresError::Broken(_)) => appends.iter().map(|_| Batched::Lost).collect(),
    }
}
