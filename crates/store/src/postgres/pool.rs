//! A small connection pool. A connection is tested before it is used again, so a lost server is
//! noticed then and not in the middle of a write.

use super::errors::PostgresError;
use crate::StoreError;
use crate::watch::lock;
use postgres::fallible_iterator::FallibleIterator;
use postgres::{Client, Config, Error, NoTls};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Far below a server's limit (100 by default), so that several of our servers can share one
/// database.
const MAX_CONNECTIONS: usize = 8;

/// Settings of every connection, regardless of the database's defaults: durable before
/// acknowledged, and no endless wait for a lock. An append relies on read committed: it must see
/// what others committed while it waited.
const SESSION_SETTINGS: &str = "
    SET default_transaction_isolation = 'read committed';
    SET lock_timeout = '10s';
    SET client_min_messages = 'warning';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';";

/// Makes connections.
#[derive(Clone)]
pub(crate) struct Connector {
    config: Config,
    pub(crate) place: String,
    read_only: bool,
}

impl Connector {
    pub(crate) fn connect(&self) -> Result<Client, StoreError> {
        let fault = |error: Error| PostgresError::of(&self.place, &error).into_fault(&self.place);
        let mut client = self.config.connect(NoTls).map_err(fault)?;
        client.batch_execute(SESSION_SETTINGS).map_err(fault)?;
        if self.read_only {
            client.batch_execute("SET default_transaction_read_only = on").map_err(fault)?;
        }
        Ok(client)
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
    idle: Vec<Client>,
    out: usize,
}

impl Pool {
    pub(crate) fn new(config: &Config, place: &str, read_only: bool) -> Pool {
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
        let connector = Connector { config, place: place.to_owned(), read_only };
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
            client_guard.client = Some(self.connector.connect()?);
        }
        Ok(client_guard)
    }

    /// Runs something that is safe to repeat. It is repeated on a new connection if the first one
    /// is broken.
    pub(crate) fn with<T>(
        &self,
        mut work: impl FnMut(&mut Client) -> Result<T, Error>,
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

/// Reads what the server has sent, without waiting, and notices if the connection has ended.
fn is_alive(client: &mut Client) -> bool {
    let readable = client.notifications().iter().next().is_ok();
    readable && !client.is_closed()
}

/// A connection in use. `release` returns it to the pool; dropping it closes it.
pub(crate) struct PooledClient<'p> {
    pool: &'p Pool,
    client: Option<Client>,
}

impl PooledClient<'_> {
    pub(crate) fn run<T>(
        &mut self,
        work: impl FnOnce(&mut Client) -> Result<T, Error>,
    ) -> Result<T, PostgresError> {
        match &mut self.client {
            Some(client) => {
                work(client).map_err(|error| PostgresError::of(&self.pool.connector.place, &error))
            }
            None => Err(PostgresError::Broken("there is no connection".to_owned())),
        }
    }

    pub(crate) fn release(mut self) {
        if let Some(client) = self.client.take()
            && !client.is_closed()
        {
            lock(&self.pool.state).idle.push(client);
        }
    }
}

impl Drop for PooledClient<'_> {
    fn drop(&mut self) {
        lock(&self.pool.state).out -= 1;
        self.pool.free.notify_one();
    }
}
