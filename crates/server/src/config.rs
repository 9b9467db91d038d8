//! How a server is set up: where it listens, what it keeps, and what it lets strangers do.

use crate::game_packs::ServedPack;
use adjutant_store::Store;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// How a server is set up.
#[derive(Clone)]
pub struct Config {
    /// Where tables are kept.
    pub store: Arc<dyn Store>,
    /// The packs that tables may be played by.
    pub packs: Vec<ServedPack>,
    /// Where it listens; loopback unless said otherwise. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// The addresses it is reached by, such as `https://play.example.org`, besides those that it
    /// knows itself. With any of them, no one is the owner merely because the request comes from
    /// this machine.
    pub origins: Vec<String>,
    /// The proxies, whose `X-Forwarded-For` is believed. If none is named, and the server has an
    /// origin and listens on loopback only, it is the one on this machine.
    pub proxies: Vec<IpAddr>,
    /// Other sites whose pages may use the routes that store nothing and belong to no game, such as
    /// `https://vtt.example.org`.
    pub allowed_origins: Vec<String>,
    /// The key that makes who knows it the owner; made at the start when there is none.
    pub owner_key: Option<String>,
    /// What strangers may do.
    pub limits: Limits,
}

impl Config {
    /// On loopback, on a free port.
    pub fn new<P: Into<ServedPack>>(
        store: Arc<dyn Store>,
        packs: impl IntoIterator<Item = P>,
    ) -> Config {
        let listen = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        Config {
            store,
            packs: packs.into_iter().map(Into::into).collect(),
            listen,
            origins: Vec::new(),
            proxies: Vec::new(),
            allowed_origins: Vec::new(),
            owner_key: None,
            limits: Limits::default(),
        }
    }
}

/// What strangers may do. Everything is bounded, so that no client can use up what belongs to all.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Requests that a client, or a token, may send in a second on average.
    pub requests_a_second: f64,
    /// How many of them at once.
    pub burst: f64,
    /// Tables that a client may begin or bring in an hour.
    pub tables_an_hour: f64,
    /// Streams that a client may have open.
    pub streams_of_a_client: usize,
    /// Streams in all.
    pub streams: usize,
    /// Connections that a client may have.
    pub connections_of_a_client: usize,
    /// Connections in all.
    pub connections: usize,
    /// The longest body in bytes.
    pub body: usize,
    /// The longest log that may be brought, in bytes.
    pub import: usize,
    /// How long a request may take to arrive and be answered.
    pub patience: Duration,
    /// How long a client may read nothing while something waits for it.
    pub stall: Duration,
    /// How often a stream says that it is still there.
    pub heartbeat: Duration,
    /// How long a table that no one looks at stays in memory.
    pub idle: Duration,
    /// People at one table.
    pub people: usize,
    /// Odds, fights, checks and imports that run at the same time. One client has at most half.
    pub workers: usize,
    /// How long such work may take.
    pub work: Duration,
    /// How many bytes one fight may use, approximately.
    pub work_memory: usize,
    /// How many bytes of chances that were asked for are remembered.
    pub asked: usize,
    /// How many bytes the receipts of one player's requests in a game may take in a day.
    pub receipts: u64,
    /// How often `/healthz` writes to the store at most, to see whether that is possible.
    pub probe: Duration,
    /// Whether clients on this very machine are let off the limits of number.
    pub spare_loopback: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            requests_a_second: 20.0,
            burst: 120.0,
            tables_an_hour: 30.0,
            streams_of_a_client: 32,
            streams: 20_000,
            connections_of_a_client: 256,
            connections: 20_000,
            body: 256 << 10,
            import: 4 << 20,
            patience: Duration::from_secs(15),
            stall: Duration::from_secs(30),
            heartbeat: Duration::from_secs(15),
            idle: Duration::from_secs(600),
            people: 200,
            workers: cores.max(2),
            work: Duration::from_secs(5),
            work_memory: 64 << 20,
            asked: 32 << 20,
            receipts: 32 << 20,
            probe: Duration::from_secs(5),
            spare_loopback: true,
        }
    }
}
