//! Listening, and stopping. Connections are taken by our own loop, for the limits that keep slow
//! clients from holding anything up: headers must come in time, what is written must be read in
//! time, and there are only so many connections. A stop takes no more, ends the streams, and lets
//! every request that was started be answered.

use crate::auth::Peer;
use crate::config::Config;
use crate::keys::{fingerprint, fresh};
use crate::metrics::Metrics;
use crate::odds_cache::OddsCache;
use crate::rate_limit::{Rates, client_of};
use crate::routes::router;
use crate::state::{App, Proxies, Shared};
use crate::store_handle::StoreHandle;
use crate::table_cache::TableCache;
use crate::timed_stream::TimedStream;
use crate::workers::Workers;
use adjutant_store::StoreError;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

/// How long a stop waits for what was started.
const LAST_CALL: Duration = Duration::from_secs(20);
/// So often tables that no one looks at are put away.
const SWEEP: Duration = Duration::from_secs(30);

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("{0} cannot be listened on: {1}. Choose another with --listen")]
    Listen(SocketAddr, std::io::Error),
    /// The store cannot be watched.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The system gives no random numbers, or no threads.
    #[error("the operating system gives no {0}")]
    Lacks(&'static str),
}

/// A server that runs.
pub struct Server {
    address: SocketAddr,
    owner_key: String,
    local: bool,
    stop: watch::Sender<bool>,
    accepting: JoinHandle<()>,
    sweeping: JoinHandle<()>,
    hall: Arc<TableCache>,
}

impl Server {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The key that makes who knows it the owner.
    pub fn owner_key(&self) -> &str {
        &self.owner_key
    }

    /// Whether only this machine reaches it, so that the owner needs no key.
    pub fn is_local(&self) -> bool {
        self.local
    }

    /// Takes no more, finishes what was started, and ends.
    pub async fn stop(self) {
        let _ = self.stop.send(true);
        // The loop ends by itself; a panic in it has been told already.
        let _ = self.accepting.await;
        self.sweeping.abort();
        let hall = self.hall;
        let _ = tokio::task::spawn_blocking(move || hall.close()).await;
    }
}

/// Starts a server. It listens when this returns.
pub async fn serve(config: Config) -> Result<Server, ServeError> {
    let listener = bind(config.listen).map_err(|fault| ServeError::Listen(config.listen, fault))?;
    let address =
        listener.local_addr().map_err(|fault| ServeError::Listen(config.listen, fault))?;
    let owner_key = match config.owner_key {
        Some(key) => key,
        None => fresh().map_err(|_| ServeError::Lacks("random numbers"))?,
    };
    let (loopback, named) = (address.ip().is_loopback(), !config.proxies.is_empty());
    let local = loopback && config.origins.is_empty() && !named;
    let proxies = Proxies {
        here: loopback && !config.origins.is_empty() && !named,
        named: config.proxies,
        ..Proxies::default()
    };
    // A file is one server's; a database may have several.
    let shared = config.store.place().starts_with("postgres://");
    let server =
        if shared { Some(fresh().map_err(|_| ServeError::Lacks("random numbers"))?) } else { None };
    let (stop, stopping) = watch::channel(false);
    let hall = TableCache::new(StoreHandle::of(config.store), config.packs, server);
    let (watched, runtime) = (Arc::clone(&hall), Handle::current());
    tokio::task::spawn_blocking(move || watched.watch(runtime))
        .await
        .map_err(|_| ServeError::Lacks("thread"))??;
    let limits = config.limits;
    let app = Arc::new(App {
        hall: Arc::clone(&hall),
        metrics: Metrics::default(),
        owner: fingerprint(&owner_key),
        local,
        hosts: names_of_this_machine(),
        origins: config.origins,
        proxies,
        allowed_origins: config.allowed_origins,
        rates: Rates::new(limits.requests_a_second, limits.burst),
        token_rates: Rates::new(limits.requests_a_second, limits.burst),
        table_rates: Rates::new(limits.tables_an_hour / 3600.0, limits.tables_an_hour),
        asked: OddsCache::new(limits.asked),
        workers: Workers::new(limits.workers),
        streams: Arc::new(Semaphore::new(limits.streams)),
        streams_of: Arc::default(),
        connections_of: Arc::default(),
        stopping,
        limits,
    });
    let idle = app.limits.idle;
    let swept = Arc::clone(&hall);
    let sweeping = tokio::spawn(async move {
        loop {
            tokio::time::sleep(SWEEP.min(idle)).await;
            swept.sweep(idle);
            swept.spread_present();
        }
    });
    let accepting = tokio::spawn(accept(listener, app));
    Ok(Server { address, owner_key, local, stop, accepting, sweeping, hall })
}

/// How many connections may wait to be accepted. After a restart all clients connect at once, and a
/// connection that finds no place here waits a second before its system tries again. The system
/// may allow fewer (`net.core.somaxconn`).
const BACKLOG: u32 = 4096;

fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // The server starts again at once on the same port. On Windows this flag means something else.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Takes connections until the server stops, then waits for those that are busy.
async fn accept(listener: TcpListener, app: Shared) {
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(app.limits.connections));
    let router = router(Arc::clone(&app));
    let mut stopping = app.stopping.clone();
    let mut builder = Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(app.limits.patience)
        .max_buf_size(32 << 10);
    loop {
        let next = async {
            let permit = Arc::clone(&room).acquire_owned().await.map_err(std::io::Error::other)?;
            listener.accept().await.map(|accepted| (accepted, permit))
        };
        let accepted = tokio::select! {
            accepted = next => accepted,
            _ = stopping.wait_for(|stop| *stop) => break,
        };
        let ((stream, peer), permit) = match accepted {
            Ok(accepted) => accepted,
            Err(fault) => {
                // Too many open files, or a client that went away while it came: neither ends the
                // server.
                tracing::warn!(%fault, "a connection could not be taken");
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        let most = if app.spared(Peer(peer)) || app.is_proxy(Peer(peer)) {
            usize::MAX
        } else {
            app.limits.connections_of_a_client
        };
        let Some(counted) = app.connections_of.take(client_of(peer.ip()), most) else { continue };
        // Small events go out at once. A socket that refuses is still good.
        let _ = stream.set_nodelay(true);
        let inner = TowerToHyperService::new(router.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            inner.call(request)
        });
        let io = TokioIo::new(TimedStream::new(stream, app.limits.stall));
        let connection = graceful.watch(builder.serve_connection(io, service));
        let app = Arc::clone(&app);
        tokio::spawn(async move {
            app.metrics.connections.fetch_add(1, Relaxed);
            // What a client does to its connection is its own affair.
            let _ = connection.await;
            app.metrics.connections.fetch_sub(1, Relaxed);
            drop((permit, counted));
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(LAST_CALL, graceful.shutdown()).await;
}

/// What this machine is called in its own network.
fn names_of_this_machine() -> Vec<String> {
    let named = std::fs::read_to_string("/etc/hostname")
        .ok()
        .or_else(|| std::env::var("COMPUTERNAME").ok())
        .unwrap_or_default();
    let named = named.trim().to_owned();
    let mut names = vec!["localhost".to_owned()];
    if !named.is_empty() {
        names.extend([format!("{named}.local"), named]);
    }
    names
}

#[cfg(all(test, target_os = "linux"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::net::TcpStream;

    /// Nothing accepts here, so all of them wait. With the usual 128 places the rest would not
    /// connect in time.
    #[tokio::test]
    async fn four_hundred_clients_may_connect_at_once() {
        let listener = bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr().unwrap();
        let waiting: Vec<TcpStream> = (0..400)
            .map(|_| TcpStream::connect_timeout(&address, Duration::from_millis(900)).unwrap())
            .collect();
        assert_eq!(waiting.len(), 400);
    }
}
