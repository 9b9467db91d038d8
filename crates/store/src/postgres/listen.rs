//! Notice of what any server writes (LISTEN/NOTIFY). One connection listens; PostgreSQL delivers in the order of commits, our own included. When
//! the server goes away the thread connects again by itself, and tells the watchers to look again, for what was said meanwhile is gone.

use super::CHANNEL;
use super::pool::Connector;
use crate::watch::Hub;
use crate::{StoreError, TableId};
use postgres::Client;
use postgres::fallible_iterator::FallibleIterator;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// So often the thread sees whether the store is still there.
const ATTENTION: Duration = Duration::from_millis(250);

/// Pauses before connecting again: short at first, for a server that merely restarts.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(2)];

/// Listens before it returns: whatever is written later is heard.
pub(crate) fn start(entrance: Connector, hub: Arc<Hub>) -> Result<(), StoreError> {
    let first = attend(&entrance)?;
    let place = entrance.place.clone();
    let thread = thread::Builder::new().name("store: other servers".to_owned()).spawn(move || listen(&entrance, &hub, first));
    thread.map(drop).map_err(|error| StoreError::Other { place, detail: format!("no thread to watch it: {error}") })
}

fn attend(entrance: &Connector) -> Result<Client, StoreError> {
    let mut client = entrance.connect()?;
    let fault = |error: postgres::Error| StoreError::Away { place: entrance.place.clone(), detail: error.to_string() };
    client.batch_execute(&format!("LISTEN {CHANNEL}")).map_err(fault)?;
    Ok(client)
}

fn listen(entrance: &Connector, hub: &Hub, mut client: Client) {
    loop {
        hear(&mut client, hub);
        let mut pause = PAUSES[0];
        client = loop {
            if !hub.pause(pause) {
                return;
            }
            match attend(entrance) {
                Ok(client) => break client,
                Err(_) => pause = (pause * 2).min(PAUSES[1]),
            }
        };
        hub.look_again();
    }
}

/// Passes on what is heard until the connection ends or the store closes.
fn hear(client: &mut Client, hub: &Hub) {
    while !hub.is_closed() && !client.is_closed() {
        let mut notifications = client.notifications();
        let mut heard = notifications.timeout_iter(ATTENTION);
        loop {
            match heard.next() {
                Ok(Some(notification)) => tell(hub, notification.payload()),
                Ok(None) => break,
                Err(_) => return,
            }
        }
    }
}

/// What others shout on our channel is not ours to judge.
fn tell(hub: &Hub, payload: &str) {
    if let Some((id, last)) = payload.split_once(' ')
        && let (Ok(id), Ok(last)) = (TableId::parse(id), last.parse())
    {
        hub.changed(&id, last);
    }
}
