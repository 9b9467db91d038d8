//! How much each client may ask. A bucket for each fills evenly and is emptied by requests; who
//! finds it empty waits. What is remembered of clients is bounded: full buckets are forgotten
//! first.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// So many buckets are kept.
const MOST: usize = 50_000;

/// Buckets by client.
pub(crate) struct Rates<K> {
    a_second: f64,
    burst: f64,
    buckets: Mutex<HashMap<K, (f64, Instant)>>,
}

impl<K: Eq + Hash + Clone> Rates<K> {
    pub fn new(a_second: f64, burst: f64) -> Rates<K> {
        Rates { a_second, burst, buckets: Mutex::default() }
    }

    /// Takes so much out of a client's bucket, if it is there.
    pub fn take(&self, who: &K, cost: f64) -> bool {
        self.take_at(who, cost, Instant::now())
    }

    fn take_at(&self, who: &K, cost: f64, now: Instant) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let filled = |(level, since): &(f64, Instant)| {
            (level + now.saturating_duration_since(*since).as_secs_f64() * self.a_second)
                .min(self.burst)
        };
        if buckets.len() >= MOST {
            buckets.retain(|_, bucket| filled(bucket) < self.burst);
            if buckets.len() >= MOST {
                // So many at once are no players: all begin again rather than use up our memory.
                buckets.clear();
            }
        }
        let level = buckets.get(who).map_or(self.burst, filled);
        let enough = level >= cost;
        buckets.insert(who.clone(), (if enough { level - cost } else { level }, now));
        enough
    }
}

/// An address as one client: a house has many addresses of the new kind.
pub(crate) fn client_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(six) => {
            let [a, b, c, d, ..] = six.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        four => four,
    }
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
}
