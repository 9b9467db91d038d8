//! Presence: the players who have a stream open. If several servers share a database, each stores
//! its list beside the table, with the time, so that the list of a crashed server expires.

use crate::error::ApiError;
use crate::live_table::{LiveTable, blocking, lock};
use adjutant_api::Seated;
use adjutant_game::Seat;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

/// The name under which the lists are kept.
const KEPT_AS: &str = "here";
/// After so many seconds a server that says nothing is taken to be gone.
const STALE: u64 = 90;
/// How often a list is written again if another server was quicker.
const TRIES: usize = 8;

/// Names and roles.
type List = Vec<(String, Seat)>;

/// Who is at a table.
#[derive(Default)]
pub(crate) struct Here {
    ours: Mutex<List>,
    theirs: Mutex<List>,
    /// What this server is called among others; none if there are none.
    server: Option<String>,
}

/// What one server says.
#[derive(Serialize, Deserialize)]
struct PresenceBody {
    at: u64,
    list: List,
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

impl Here {
    pub fn new(server: Option<String>) -> Here {
        Here { server, ..Here::default() }
    }

    /// Each once, whichever server he is at.
    pub fn all(&self) -> Vec<Seated> {
        let mut seen: Vec<Seated> = Vec::new();
        for (name, role) in lock(&self.ours).iter().chain(lock(&self.theirs).iter()) {
            if !seen.iter().any(|known| known.name == *name) {
                seen.push(Seated { name: name.clone(), role: role.clone() });
            }
        }
        seen
    }

    pub fn frame(&self) -> Bytes {
        Bytes::from(format!(
            "event: here\ndata: {}\n\n",
            serde_json::to_string(&self.all()).unwrap_or_default()
        ))
    }

    /// Whether other servers should know of the players here.
    pub fn is_shared(&self) -> bool {
        self.server.is_some() && !lock(&self.ours).is_empty()
    }
}

impl LiveTable {
    /// A player is here for as long as what is returned.
    pub fn arrive(self: &Arc<LiveTable>, name: &str, role: Seat) -> Presence {
        lock(&self.here.ours).push((name.to_owned(), role));
        self.show_present();
        self.spread_present();
        Presence { live: Arc::clone(self), name: name.to_owned() }
    }

    /// Tells the other servers, some time soon.
    pub fn spread_present(self: &Arc<LiveTable>) {
        if self.here.server.is_none() {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let live = Arc::clone(self);
            runtime.spawn(async move {
                if let Err(wrong) = blocking(move || live.write_present()).await {
                    tracing::warn!(why = %wrong, "other servers could not be told who is here");
                }
            });
        }
    }

    /// Writes the list as it is now. Blocks.
    fn write_present(&self) -> Result<(), ApiError> {
        let Some(server) = &self.here.server else { return Ok(()) };
        for _ in 0..TRIES {
            let kept = self.text(KEPT_AS)?;
            let mut all: BTreeMap<String, PresenceBody> =
                serde_json::from_str(&kept.text).unwrap_or_default();
            all.retain(|_, said| said.at + STALE > now());
            let list = lock(&self.here.ours).clone();
            match list.is_empty() {
                true => drop(all.remove(server)),
                false => drop(all.insert(server.clone(), PresenceBody { at: now(), list })),
            }
            let text = if all.is_empty() {
                String::new()
            } else {
                serde_json::to_string(&all).unwrap_or_default()
            };
            if text == kept.text || self.put_text(KEPT_AS, kept.version, &text)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Reads what other servers say. Blocks.
    pub fn look_at_present(&self) -> Result<(), ApiError> {
        let Some(server) = &self.here.server else { return Ok(()) };
        let all: BTreeMap<String, PresenceBody> =
            serde_json::from_str(&self.text(KEPT_AS)?.text).unwrap_or_default();
        let theirs =
            all.into_iter().filter(|(other, said)| other != server && said.at + STALE > now());
        *lock(&self.here.theirs) = theirs.flat_map(|(_, said)| said.list).collect();
        self.show_present();
        Ok(())
    }
}

/// A player's being here.
pub(crate) struct Presence {
    live: Arc<LiveTable>,
    name: String,
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut ours = lock(&self.live.here.ours);
        if let Some(place) = ours.iter().position(|(name, _)| *name == self.name) {
            ours.remove(place);
        }
        drop(ours);
        self.live.touch();
        self.live.show_present();
        self.live.spread_present();
    }
}
