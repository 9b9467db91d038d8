//! What all requests share.

use crate::config::Limits;
use crate::metrics::Metrics;
use crate::odds_cache::OddsCache;
use crate::rate_limit::Rates;
use crate::table_cache::TableCache;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Semaphore, watch};

/// What all requests share.
pub(crate) struct App {
    pub hall: Arc<TableCache>,
    pub limits: Limits,
    pub metrics: Metrics,
    /// The fingerprint of the owner's key.
    pub owner: String,
    /// Whether it listens on loopback only, with no proxy before it.
    pub local: bool,
    /// The names it may be called by, besides addresses.
    pub hosts: Vec<String>,
    /// The addresses it has behind a proxy.
    pub origins: Vec<String>,
    pub rates: Rates<IpAddr>,
    pub token_rates: Rates<String>,
    pub table_rates: Rates<IpAddr>,
    /// Chances that were asked for before.
    pub asked: OddsCache,
    /// Who works out chances takes one of these.
    pub workers: Arc<Semaphore>,
    pub streams: Arc<Semaphore>,
    pub streams_of: Arc<Counts>,
    pub connections_of: Arc<Counts>,
    /// Becomes true when the server stops.
    pub stopping: watch::Receiver<bool>,
}

/// Shared by all.
pub(crate) type Shared = Arc<App>;

/// So many things of each client.
#[derive(Default)]
pub(crate) struct Counts(Mutex<HashMap<IpAddr, usize>>);

impl Counts {
    /// One more of a client, if he has fewer than so many.
    pub fn take(self: &Arc<Counts>, client: IpAddr, most: usize) -> Option<Counted> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(client).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Counted { counts: Arc::clone(self), client })
    }
}

/// One thing of a client, for as long as it is held.
pub(crate) struct Counted {
    counts: Arc<Counts>,
    client: IpAddr,
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.counts.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
    }
}
