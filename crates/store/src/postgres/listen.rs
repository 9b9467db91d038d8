//! Change notifications from any server (LISTEN/NOTIFY). One connection listens. PostgreSQL
//! delivers in the order of commits, our own included. If the connection is lost, the thread
//! reconnects and tells the watchers to look at every table again, because notifications sent
//! meanwhile are lost.

use super::CHANNEL;
use super::pool::Connector;
use crate::watch::Hub;
use crate::{StoreError, TableId};
use postgres::Client;
use postgres::fallible_iterator::FallibleIterator;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// The time between two checks that the store is still open.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// The first and the longest pause before reconnecting. The first is short, for a server that only
/// restarts.
const RECONNECT_PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(2)];

/// Listens before it returns, so that every later write is reported.
pub(crate) fn start(connector: Connector, hub: Arc<Hub>) -> Result<(), StoreError> {
    let first = connect_listener(&connector)?;
    let place = connector.place.clone();
    let thread = thread::Builder::new()
        .name("store: other servers".to_owned())
        .spawn(move || listen(&connector, &hub, first));
    thread.map(drop).map_err(|error| StoreError::Other {
        place,
        detail: format!("no thread to watch it: {error}"),
    })
}

fn connect_listener(connector: &Connector) -> Result<Client, StoreError> {
    let mut client = connector.connect()?;
    let fault = |error: postgres::Error| StoreError::Away {
        place: connector.place.clone(),
        detail: error.to_string(),
    };
    client.batch_execute(&format!("LISTEN {CHANNEL}")).map_err(fault)?;
    Ok(client)
}

fn listen(connector: &Connector, hub: &Hub, mut client: Client) {
    loop {
        forward_notifications(&mut client, hub);
        let mut pause = RECONNECT_PAUSES[0];
        client = loop {
            if !hub.pause(pause) {
                return;
            }
            match connect_listener(connector) {
                Ok(client) => break client,
                Err(_) => pause = (pause * 2).min(RECONNECT_PAUSES[1]),
            }
        };
        hub.look_again();
    }
}

/// Forwards notifications until the connection ends or the store closes.
fn forward_notifications(client: &mut Client, hub: &Hub) {
    while !hub.is_closed() && !client.is_closed() {
        let mut notifications = client.notifications();
        let mut received = notifications.timeout_iter(POLL_INTERVAL);
        loop {
            match received.next() {
                Ok(Some(notification)) => forward(hub, notification.payload()),
                Ok(None) => break,
                Err(_) => return,
            }
        }
    }
}

/// Ignores payloads of other programs on the channel.
fn forward(hub: &Hub, payload: &str) {
    let changes: Vec<_> = payload.lines().filter_map(change).collect();
    hub.all_changed(&changes);
}

/// "id last", and "text" if a text beside the log was changed.
fn change(line: &str) -> Option<(TableId, u64, bool)> {
    let mut words = line.split(' ');
    let (id, last) = (TableId::parse(words.next()?).ok()?, words.next()?.parse().ok()?);
    Some((id, last, words.next().is_some()))
}
