//! A few connections, taken and given back. Each is looked at before it is used again: a server that went away meanwhile is noticed
//! then, and not in the middle of a write.

use super::errors::PostgresError;
use crate::StoreError;
use crate::watch::lock;
use postgres::fallible_iterator::FallibleIterator;
use postgres::{Client, Config, Error, NoTls};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Far below what a server allows (100 as installed), for several of our servers at once.
const MOST: usize = 8;

/// For every connection, whatever the database's defaults: durable before acknowledged, and a lock is not waited for without end. An append
/// relies on reading what others committed while it waited.
const MANNERS: &str = "
    SET default_transaction_isolation = 'read committed';
    SET lock_timeout = '10s';
    SET client_min_messages = 'warning';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';";

/// How a connection is made.
#[derive(Clone)]
pub(crate) struct Connector {
    config: Config,
    pub(crate) place: String,
    only_read: bool,
}

impl Connector {
    pub(crate) fn connect(&self) -> Result<Client, StoreError> {
        let fault = |error: Error| PostgresError::of(&self.place, &error).into_fault(&self.place);
        let mut client = self.config.connect(NoTls).map_err(fault)?;
        client.batch_execute(MANNERS).map_err(fault)?;
        if self.only_read {
            client.batch_execute("SET default_transaction_read_only = on").map_err(fault)?;
        }
        Ok(client)
    }
}

/// The connections of one store.
pub(crate) struct Pool {
    entrance: Connector,
    held: Mutex<Held>,
    free: Condvar,
}

#[derive(Default)]
struct Held {
    idle: Vec<Client>,
    out: usize,
}

impl Pool {
    pub(crate) fn new(config: &Config, place: &str, only_read: bool) -> Pool {
        let mut config = config.clone();
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(5));
        }
        if config.get_application_name().is_none() {
            config.application_name("adjutant");
        }
        // A server that vanishes without a word is noticed in a minute, not in hours.
        config.keepalives_idle(Duration::from_secs(30)).keepalives_interval(Duration::from_secs(10)).keepalives_retries(3);
        config.tcp_user_timeout(Duration::from_secs(60));
        let entrance = Connector { config, place: place.to_owned(), only_read };
        Pool { entrance, held: Mutex::default(), free: Condvar::new() }
    }

    pub(crate) fn entrance(&self) -> Connector {
        self.entrance.clone()
    }

    /// A connection that was alive a moment ago; waits when too many are out.
    pub(crate) fn take(&self) -> Result<Taken<'_>, StoreError> {
        let held = lock(&self.held);
        let mut held = self.free.wait_while(held, |held| held.out >= MOST).unwrap_or_else(PoisonError::into_inner);
        held.out += 1;
        // From here on `taken` counts itself out again, whatever happens.
        let mut taken = Taken { pool: self, client: held.idle.pop() };
        drop(held);
        while taken.client.as_mut().is_some_and(|client| !is_alive(client)) {
            taken.client = lock(&self.held).idle.pop();
        }
        if taken.client.is_none() {
            taken.client = Some(self.entrance.connect()?);
        }
        Ok(taken)
    }

    /// Runs something that does no harm when it is done twice; on a broken connection it is.
    pub(crate) fn with<T>(&self, mut work: impl FnMut(&mut Client) -> Result<T, Error>) -> Result<T, StoreError> {
        let mut broken = None;
        for _ in 0..super::TRIES {
            let mut client = self.take()?;
            match client.ask(&mut work) {
                Ok(done) => {
                    client.give_back();
                    return Ok(done);
                }
                Err(trouble @ PostgresError::Broken(_)) => broken = Some(trouble),
                Err(PostgresError::Fault(fault)) => {
                    client.give_back();
                    return Err(fault);
                }
            }
        }
        Err(broken.unwrap_or(PostgresError::Broken(String::new())).into_fault(&self.entrance.place))
    }
}

/// Reads what the server has sent, without waiting: the end of the connection, if it ended.
fn is_alive(client: &mut Client) -> bool {
    let heard = client.notifications().iter().next().is_ok();
    heard && !client.is_closed()
}

/// A connection in use. Given back it is kept; dropped it is closed.
pub(crate) struct Taken<'p> {
    pool: &'p Pool,
    client: Option<Client>,
}

impl Taken<'_> {
    pub(crate) fn ask<T>(&mut self, work: impl FnOnce(&mut Client) -> Result<T, Error>) -> Result<T, PostgresError> {
        match &mut self.client {
            Some(client) => work(client).map_err(|error| PostgresError::of(&self.pool.entrance.place, &error)),
            None => Err(PostgresError::Broken("there is no connection".to_owned())),
        }
    }

    pub(crate) fn give_back(mut self) {
        if let Some(client) = self.client.take()
            && !client.is_closed()
        {
            lock(&self.pool.held).idle.push(client);
        }
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        lock(&self.pool.held).out -= 1;
        self.pool.free.notify_one();
    }
}
