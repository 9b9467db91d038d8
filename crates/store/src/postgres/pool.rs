//! A small connection pool. A connection that was idle is tested before it is used again, so a lost
//! server is noticed then and not in the middle of a write.

use super::errors::PostgresError;
use crate::StoreError;
use crate::watch::lock;
use postgres::config::SslMode;
use postgres::types::ToSql;
use postgres::{Client, Config, Error, NoTls, Row, Statement};
use std::collections::HashMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Far below a server's limit (100 by default), so that several of our servers can share one
/// database.
const MAX_CONNECTIONS: usize = 8;

/// A connection that was used so recently is not tested: the test costs a round trip.
const RECENT: Duration = Duration::from_millis(50);

/// The longest that a test may take.
const TEST_TIMEOUT: Duration = Duration::from_secs(5);

/// Settings of every connection, regardless of the database's defaults: durable before
/// acknowledged, and no endless wait for a lock. An append relies on read committed: it must see
/// what others committed while it waited.
const SESSION_SETTINGS: &str = "
    SET default_transaction_isolation = 'read committed';
    SET lock_timeout = '10s';
    SET client_min_messages = 'warning';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';";

#[derive(Clone)]
pub(crate) struct Connector {
    config: Config,
    tls: Option<MakeRustlsConnect>,
    pub(crate) place: String,
    read_only: bool,
}

impl Connector {
    pub(crate) fn connect(&self) -> Result<Client, StoreError> {
        let fault = |error: Error| PostgresError::of(&self.place, &error).into_fault(&self.place);
        let connected = match &self.tls {
            Some(tls) => self.config.connect(tls.clone()),
            None => self.config.connect(NoTls),
        };
        let mut client = connected.map_err(fault)?;
        client.batch_execute(SESSION_SETTINGS).map_err(fault)?;
        if self.read_only {
            client.batch_execute("SET default_transaction_read_only = on").map_err(fault)?;
        }
        Ok(client)
    }
}

/// A connection and the statements that it has prepared, so that each is parsed once.
pub(crate) struct Connection {
    pub(crate) client: Client,
    statements: HashMap<String, Statement>,
    used: Instant,
}

impl Connection {
    pub(crate) fn query(
        &mut self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Error> {
        if let Some(known) = self.statements.get(sql) {
            return self.client.query(known, params);
        }
        let statement = self.client.prepare(sql)?;
        let rows = self.client.query(&statement, params);
        self.statements.insert(sql.to_owned(), statement);
        rows
    }
}

/// The connections of one store.
pub(crate) struct Pool {
    connector: Connector,
    state: Mutex<PoolState>,
    free: Condvar,
}

#[derive(Default)]
struct PoolState {
    idle: Vec<Connection>,
    out: usize,
}

impl Pool {
    pub(crate) fn new(
        config: &Config,
        tls: Option<MakeRustlsConnect>,
        place: &str,
        read_only: bool,
    ) -> Pool {
        let mut config = config.clone();
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(5));
        }
        if config.get_application_name().is_none() {
            config.application_name("adjutant");
        }
        // A server that disappears silently is noticed in a minute, not in hours.
        config
            .keepalives_idle(Duration::from_secs(30))
            .keepalives_interval(Duration::from_secs(10))
            .keepalives_retries(3);
        config.tcp_user_timeout(Duration::from_secs(60));
        config.ssl_mode(if tls.is_some() { SslMode::Require } else { SslMode::Disable });
        let connector = Connector { config, tls, place: place.to_owned(), read_only };
        Pool { connector, state: Mutex::default(), free: Condvar::new() }
    }

    pub(crate) fn connector(&self) -> Connector {
        self.connector.clone()
    }

    /// A tested connection. Waits while too many are in use.
    pub(crate) fn take(&self) -> Result<PooledClient<'_>, StoreError> {
        let state = lock(&self.state);
        let mut state = self
            .free
            .wait_while(state, |state| state.out >= MAX_CONNECTIONS)
            .unwrap_or_else(PoisonError::into_inner);
        state.out += 1;
        // From here on dropping the guard decrements the count.
        let mut client_guard = PooledClient { pool: self, client: state.idle.pop() };
        drop(state);
        while client_guard.client.as_mut().is_some_and(|client| !is_alive(client)) {
            client_guard.client = lock(&self.state).idle.pop();
        }
        if client_guard.client.is_none() {
            let client = self.connector.connect()?;
            client_guard.client =
                Some(Connection { client, statements: HashMap::new(), used: Instant::now() });
        }
        Ok(client_guard)
    }

    /// Runs something that is safe to repeat. It is repeated on a new connection if the first one
    /// is broken.
    pub(crate) fn with<T>(
        &self,
        mut work: impl FnMut(&mut Connection) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        let mut broken = None;
        for _ in 0..super::ATTEMPTS {
            let mut client = self.take()?;
            match client.run(&mut work) {
                Ok(done) => {
                    client.release();
                    return Ok(done);
                }
                Err(error @ PostgresError::Broken(_)) => broken = Some(error),
                Err(PostgresError::Fault(fault)) => {
                    client.release();
                    return Err(fault);
                }
            }
        }
        Err(broken
            .unwrap_or(PostgresError::Broken(String::new()))
            .into_fault(&self.connector.place))
    }
}

/// Tells if the server still answers on this connection.
fn is_alive(connection: &mut Connection) -> bool {
    connection.used.elapsed() < RECENT || connection.client.is_valid(TEST_TIMEOUT).is_ok()
}

/// A connection in use. `release` returns it to the pool; dropping it closes it.
pub(crate) struct PooledClient<'p> {
    pool: &'p Pool,
    client: Option<Connection>,
}

impl PooledClient<'_> {
    pub(crate) fn run<T>(
        &mut self,
        work: impl FnOnce(&mut Connection) -> Result<T, Error>,
    ) -> Result<T, PostgresError> {
        match &mut self.client {
            Some(client) => {
                work(client).map_err(|error| PostgresError::of(&self.pool.connector.place, &error))
            }
            None => Err(PostgresError::Broken("there is no connection".to_owned())),
        }
    }

    pub(crate) fn release(mut self) {
        if let Some(mut connection) = self.client.take()
            && !connection.client.is_closed()
        {
            connection.used = Instant::now();
            lock(&self.pool.state).idle.push(connection);
        }
    }
}

impl Drop for PooledClient<'_> {
    fn drop(&mut self) {
        lock(&self.pool.state).out -= 1;
        self.pool.free.notify_one();
    }
}
