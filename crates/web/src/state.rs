//! What all requests share.

use crate::config::Limits;
use crate::hall::Hall;
use crate::metrics::Metrics;
use crate::rate::Rates;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Semaphore, watch};

/// What all requests share.
pub(crate) struct App {
    pub hall: Arc<Hall>,
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
    /// Who works out chances takes one of these.
    pub workers: Arc<Semaphore>,
    pub streams: Arc<Semaphore>,
    pub streams_of: Mutex<HashMap<IpAddr, usize>>,
    /// Becomes true when the server stops.
    pub stopping: watch::Receiver<bool>,
}

/// Shared by all.
pub(crate) type Shared = Arc<App>;

impl App {
    /// Counts a stream of a client, if he may have another.
    pub fn stream_of(self: &Arc<App>, client: IpAddr, free: bool) -> Option<StreamOf> {
        let mut streams = self.streams_of.lock().unwrap_or_else(PoisonError::into_inner);
        let count = streams.entry(client).or_default();
        if !free && *count >= self.limits.streams_of_a_client {
            return None;
        }
        *count += 1;
        Some(StreamOf { app: Arc::clone(self), client })
    }
}

/// One stream of a client.
pub(crate) struct StreamOf {
    app: Shared,
    client: IpAddr,
}

impl Drop for StreamOf {
    fn drop(&mut self) {
        let mut streams = self.app.streams_of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = streams.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                streams.remove(&self.client);
            }
        }
    }
}
