//! What all requests share.

use crate::config::Limits;
use crate::metrics::Metrics;
use crate::odds_cache::OddsCache;
use crate::rate_limit::{CLIENTS_OF_A_NETWORK, Rates, network_of};
use crate::table_cache::TableCache;
use crate::workers::Workers;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::AtomicBool;
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
    /// The addresses it is reached by, besides those that it knows itself.
    pub origins: Vec<String>,
    /// Who is believed to say for whom a request is.
    pub proxies: Proxies,
    /// Other sites whose pages may use the routes that store nothing.
    pub allowed_origins: Vec<String>,
    pub rates: Rates<IpAddr>,
    pub token_rates: Rates<String>,
    pub table_rates: Rates<IpAddr>,
    /// Chances that were asked for before.
    pub asked: OddsCache,
    /// For work that may take long.
    pub workers: Arc<Workers>,
    pub streams: Arc<Semaphore>,
    pub streams_of: Arc<Counts>,
    pub connections_of: Arc<Counts>,
    /// Becomes true when the server stops.
    pub stopping: watch::Receiver<bool>,
}

/// Shared by all.
pub(crate) type Shared = Arc<App>;

/// The proxies before the server.
#[derive(Debug, Default)]
pub(crate) struct Proxies {
    pub named: Vec<IpAddr>,
    /// Whether only this machine reaches the server, so that the proxy runs on it.
    pub here: bool,
    /// Whether a header was ignored.
    pub ignored: AtomicBool,
}

impl Proxies {
    pub fn include(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        self.named.contains(&peer) || (self.here && peer.is_loopback())
    }
}

/// How many connections or streams each client has, and each IPv6 network.
#[derive(Default)]
pub(crate) struct Counts(Mutex<HashMap<CountKey, usize>>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum CountKey {
    Client(IpAddr),
    Network(IpAddr),
}

impl Counts {
    /// One more of a client, if it has fewer than `most` and its network fewer than
    /// [`CLIENTS_OF_A_NETWORK`] times as many.
    pub fn take(self: &Arc<Counts>, client: IpAddr, most: usize) -> Option<Counted> {
        let network = network_of(client).map(CountKey::Network);
        let of_network = network.map(|key| (key, most.saturating_mul(CLIENTS_OF_A_NETWORK)));
        let wanted = [(CountKey::Client(client), most)].into_iter().chain(of_network);
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let has = |key: &CountKey| counts.get(key).copied().unwrap_or(0);
        if wanted.clone().any(|(key, most)| has(&key) >= most) {
            return None;
        }
        let keys = wanted.map(|(key, _)| key);
        for key in keys.clone() {
            *counts.entry(key).or_default() += 1;
        }
        Some(Counted { counts: Arc::clone(self), keys: keys.collect() })
    }
}

/// One thing of a client, for as long as it is held.
pub(crate) struct Counted {
    counts: Arc<Counts>,
    keys: Vec<CountKey>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.counts.0.lock().unwrap_or_else(PoisonError::into_inner);
        for key in &self.keys {
            if let Some(count) = counts.get_mut(key) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(key);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_has_as_many_connections_as_a_few_clients() {
        let counts = Arc::<Counts>::default();
        let of = |n: usize| format!("2001:db8:1:{n:x}::").parse::<IpAddr>().unwrap();
        let mut held: Vec<Counted> = (0..100)
            .flat_map(|n| [counts.take(of(n), 2), counts.take(of(n), 2)])
            .flatten()
            .collect();
        assert_eq!(held.len(), 2 * CLIENTS_OF_A_NETWORK);
        assert!(counts.take("2001:db8:2::".parse().unwrap(), 2).is_some());
        held.pop();
        assert!(counts.take(of(200), 2).is_some());
        drop(held);
        assert!(counts.0.lock().unwrap().is_empty());
    }
}
