//! What a server counts, for Prometheus. Counters only: no names, no ids, nothing of what is
//! played.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The bounds of the times, in milliseconds.
const BOUNDS: [u64; 9] = [1, 2, 5, 10, 25, 50, 100, 500, 2500];

/// Requests of one route.
#[derive(Default)]
struct Route {
    by_status: BTreeMap<u16, u64>,
    within: [u64; BOUNDS.len()],
    sum: f64,
}

/// All counters of a server.
#[derive(Default)]
pub(crate) struct Metrics {
    routes: Mutex<BTreeMap<&'static str, Route>>,
    pub events: AtomicU64,
    pub conflicts: AtomicU64,
    pub limited: AtomicU64,
    pub streams: AtomicU64,
    pub connections: AtomicU64,
    pub cancelled: AtomicU64,
}

impl Metrics {
    pub fn request(&self, route: &'static str, status: u16, took: Duration) {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let route = routes.entry(route).or_default();
        *route.by_status.entry(status).or_default() += 1;
        route.sum += took.as_secs_f64();
        let ms = took.as_secs_f64() * 1000.0;
        for (count, bound) in route.within.iter_mut().zip(BOUNDS) {
            *count += u64::from(ms <= bound as f64);
        }
    }

    /// In Prometheus' text form.
    pub fn text(&self, tables: usize, (working, waiting): (usize, usize)) -> String {
        let mut out = String::new();
        let single = [
            ("adjutant_events_total", "counter", "Events kept", self.events.load(Relaxed)),
            (
                "adjutant_conflicts_total",
                "counter",
                "Requests that came too late",
                self.conflicts.load(Relaxed),
            ),
            (
                "adjutant_limited_total",
                "counter",
                "Requests refused for their number",
                self.limited.load(Relaxed),
            ),
            ("adjutant_streams", "gauge", "Streams that are open", self.streams.load(Relaxed)),
            (
                "adjutant_connections",
                "gauge",
                "Connections that are open",
                self.connections.load(Relaxed),
            ),
            ("adjutant_tables", "gauge", "Games in memory", tables as u64),
            ("adjutant_workers_busy", "gauge", "Workers that are busy", working as u64),
            ("adjutant_work_waiting", "gauge", "Requests that wait for a worker", waiting as u64),
            (
                "adjutant_work_cancelled_total",
                "counter",
                "Work that ended because its client had left",
                self.cancelled.load(Relaxed),
            ),
        ];
        for (name, kind, help, value) in single {
            let _ = write!(out, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n");
        }
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = write!(
            out,
            "# HELP adjutant_requests_total Requests answered\n# TYPE adjutant_requests_total counter\n"
        );
        for (name, route) in routes.iter() {
            for (status, count) in &route.by_status {
                let _ = writeln!(
                    out,
                    "adjutant_requests_total{{route=\"{name}\",status=\"{status}\"}} {count}"
                );
            }
        }
        let _ = write!(
            out,
            "# HELP adjutant_request_seconds Time until the answer began\n# TYPE adjutant_request_seconds histogram\n"
        );
        for (name, route) in routes.iter() {
            for (count, bound) in route.within.iter().zip(BOUNDS) {
                let _ = writeln!(
                    out,
                    "adjutant_request_seconds_bucket{{route=\"{name}\",le=\"{}\"}} {count}",
                    bound as f64 / 1000.0
                );
            }
            let all: u64 = route.by_status.values().sum();
            let _ = writeln!(
                out,
                "adjutant_request_seconds_bucket{{route=\"{name}\",le=\"+Inf\"}} {all}"
            );
            let _ = writeln!(out, "adjutant_request_seconds_sum{{route=\"{name}\"}} {}", route.sum);
            let _ = writeln!(out, "adjutant_request_seconds_count{{route=\"{name}\"}} {all}");
        }
        out
    }
}
