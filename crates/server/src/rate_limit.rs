//! Rate limits: a token bucket for each client. It fills evenly and is emptied by requests; a client
//! that finds it empty waits. An IPv6 client is a /64, and all clients of a /48 together have a
//! bucket too, so that a network with 65,536 subnets is not 65,536 clients.
//!
//! The number of buckets is bounded. To forget a bucket is to fill it, so full ones are forgotten
//! first, then those that are nearly full. A client that is limited stays limited.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The most buckets of clients, and of networks.
const MOST: usize = 50_000;
/// When there are too many, one in so many is forgotten.
const FORGOTTEN: usize = 10;
/// A network may do as much as so many clients.
pub(crate) const CLIENTS_OF_A_NETWORK: usize = 16;

/// What a bucket belongs to.
pub(crate) trait RateKey: Eq + Hash + Clone {
    /// The network that has a bucket for all its clients.
    fn network(&self) -> Option<Self>;
}

impl RateKey for IpAddr {
    fn network(&self) -> Option<IpAddr> {
        network_of(*self)
    }
}

/// The fingerprint of a token.
impl RateKey for String {
    fn network(&self) -> Option<String> {
        None
    }
}

/// Rate limits of clients and of their networks.
pub(crate) struct Rates<K> {
    buckets: Mutex<(Buckets<K>, Buckets<K>)>,
}

/// Buckets that fill alike.
struct Buckets<K> {
    per_second: f64,
    burst: f64,
    levels: HashMap<K, (f64, Instant)>,
}

impl<K: Eq + Hash + Clone> Buckets<K> {
    fn new(per_second: f64, burst: f64) -> Buckets<K> {
        Buckets { per_second, burst, levels: HashMap::new() }
    }

    fn filled(&self, (level, since): &(f64, Instant), now: Instant) -> f64 {
        (level + now.saturating_duration_since(*since).as_secs_f64() * self.per_second)
            .min(self.burst)
    }

    fn level(&self, who: &K, now: Instant) -> f64 {
        self.levels.get(who).map_or(self.burst, |bucket| self.filled(bucket, now))
    }

    fn set(&mut self, who: &K, level: f64, now: Instant) {
        if self.levels.len() >= MOST && !self.levels.contains_key(who) {
            self.forget(now);
        }
        self.levels.insert(who.clone(), (level, now));
    }

    fn forget(&mut self, now: Instant) {
        let mut levels: Vec<f64> =
            self.levels.values().map(|bucket| self.filled(bucket, now)).collect();
        let place = levels.len() - (levels.len() / FORGOTTEN).max(1);
        let (_, least, _) = levels.select_nth_unstable_by(place, f64::total_cmp);
        let least = *least;
        let known = std::mem::take(&mut self.levels);
        self.levels =
            known.into_iter().filter(|(_, bucket)| self.filled(bucket, now) < least).collect();
    }
}

impl<K: RateKey> Rates<K> {
    pub fn new(per_second: f64, burst: f64) -> Rates<K> {
        let many = CLIENTS_OF_A_NETWORK as f64;
        let networks = Buckets::new(per_second * many, burst * many);
        Rates { buckets: Mutex::new((Buckets::new(per_second, burst), networks)) }
    }

    /// Takes `cost` out of a client's bucket, if it has that much.
    pub fn take(&self, who: &K, cost: f64) -> bool {
        self.take_at(who, cost, Instant::now())
    }

    fn take_at(&self, who: &K, cost: f64, now: Instant) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let (clients, networks) = &mut *buckets;
        let level = clients.level(who, now);
        // A client that has used up its own bucket takes nothing from its neighbours.
        if level < cost {
            return false;
        }
        if let Some(network) = who.network() {
            let level = networks.level(&network, now);
            if level < cost {
                return false;
            }
            networks.set(&network, level - cost, now);
        }
        clients.set(who, level - cost, now);
        true
    }
}

/// An address as one client: the /64 of an IPv6 address, because a house has that many.
pub(crate) fn client_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(six) => prefix(six, 4),
        four => four,
    }
}

/// The /48 of an IPv6 address: what a provider gives to one customer.
pub(crate) fn network_of(address: IpAddr) -> Option<IpAddr> {
    match address.to_canonical() {
        IpAddr::V6(six) => Some(prefix(six, 3)),
        IpAddr::V4(_) => None,
    }
}

fn prefix(address: Ipv6Addr, segments: usize) -> IpAddr {
    let mut all = address.segments();
    all[segments..].fill(0);
    IpAddr::V6(all.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_empties_fills_and_is_everybodys_own() {
        let (rates, start) = (Rates::new(2.0, 3.0), Instant::now());
        let taken = |who: &str, ms: u64| {
            rates.take_at(&who.to_owned(), 1.0, start + Duration::from_millis(ms))
        };
        assert_eq!(
            [0, 0, 0, 0, 400, 600, 700].map(|ms| taken("anna", ms)),
            [true, true, true, false, false, true, false]
        );
        assert!(taken("boris", 700));
    }

    #[test]
    fn a_house_is_one_client() {
        let of = |text: &str| client_of(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:9::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
    }

    /// A subnet of one /48.
    fn subnet(n: u16) -> IpAddr {
        IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 1, n, 0, 0, 0, 0))
    }

    /// Each number is another /48.
    fn network(n: u32) -> IpAddr {
        IpAddr::V6(Ipv6Addr::new(0x2002, (n >> 16) as u16, n as u16, 0, 0, 0, 0, 0))
    }

    #[test]
    fn a_flood_from_one_network_is_limited_and_frees_no_limited_client() {
        let (rates, now) = (Rates::new(0.01, 30.0), Instant::now());
        let limited: IpAddr = "192.0.2.1".parse().unwrap();
        while rates.take_at(&limited, 1.0, now) {}
        let passed = (0..60_000).filter(|n| rates.take_at(&subnet(*n), 1.0, now)).count();
        assert_eq!(passed, 30 * CLIENTS_OF_A_NETWORK, "the network has used up its bucket");
        assert!(!rates.take_at(&limited, 1.0, now), "who was limited still is");
        assert!(rates.take_at(&"192.0.2.2".parse().unwrap(), 1.0, now));
        assert!(rates.take_at(&"2001:db9::1".parse().unwrap(), 1.0, now));
        let buckets = rates.buckets.lock().unwrap();
        assert!(buckets.0.levels.len() <= passed + 3);
    }

    #[test]
    fn a_limited_neighbour_takes_nothing_from_its_network() {
        let (rates, now) = (Rates::new(0.01, 30.0), Instant::now());
        let taken = (0..10_000).filter(|_| rates.take_at(&subnet(1), 1.0, now)).count();
        assert_eq!(taken, 30);
        assert!(rates.take_at(&subnet(2), 1.0, now));
    }

    #[test]
    fn a_flood_from_many_networks_uses_bounded_memory_and_frees_no_limited_client() {
        let (rates, now) = (Rates::new(0.01, 3.0), Instant::now());
        let limited: IpAddr = "192.0.2.1".parse().unwrap();
        while rates.take_at(&limited, 1.0, now) {}
        // One request from each of more networks than there are buckets.
        for n in 0..(MOST as u32 + 5_000) {
            rates.take_at(&network(n), 1.0, now + Duration::from_millis(u64::from(n) / 1000));
        }
        assert!(!rates.take_at(&limited, 1.0, now + Duration::from_millis(200)));
        let buckets = rates.buckets.lock().unwrap();
        assert!(buckets.0.levels.len() <= MOST && buckets.1.levels.len() <= MOST);
    }
}
