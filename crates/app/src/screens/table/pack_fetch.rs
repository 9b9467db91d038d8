//! A shared game brings its pack along: if this browser has not the rules that the game was started
//! with, it fetches them from the server, checks them and uses them for this game.

use super::reply_to::ReplyTo;
use super::{Lost, State};
use crate::app::Shared;
use crate::message::{Command, HttpCall, Reply, TableCard};
use crate::server_api::AboutTable;
use crate::server_packs;
use adjutant_pack::Pack;
use serde::Deserialize;
use std::sync::Arc;

/// The first line of a log: the fingerprint of the rules.
#[derive(Deserialize)]
struct FirstLine {
    #[serde(rename = "do")]
    what: FirstEvent,
}

#[derive(Deserialize)]
struct FirstEvent {
    begin: Rules,
}

#[derive(Deserialize)]
struct Rules {
    hash: String,
}

/// The fingerprint of the rules that a log was started with.
pub fn hash_of(lines: &[String]) -> String {
    let first = lines.first().and_then(|line| serde_json::from_str::<FirstLine>(line).ok());
    first.map(|first| first.what.begin.hash).unwrap_or_default()
}

impl State {
    /// The pack of a game that is being opened, or what must be asked first.
    pub(super) fn pack_for(
        &mut self,
        shared: &Shared,
        card: &TableCard,
        lines: &[String],
    ) -> Result<Option<Arc<Pack>>, Box<Command>> {
        let hash = hash_of(lines);
        if let Some(pack) = shared.packs.with_rules(&card.pack, &hash) {
            return Ok(Some(pack));
        }
        if card.token.is_empty() || std::mem::replace(&mut self.asked_pack, true) {
            // The log says how the rules here differ.
            return Ok(shared.packs.pack(&card.pack));
        }
        let path = format!("api/games/{}", card.id);
        let call = HttpCall { path, token: card.token.clone(), ..HttpCall::default() };
        Err(Box::new(Command::Http { reply_to: ReplyTo::PackAsked.into(), call }))
    }

    /// The server said which pack the game has.
    pub(super) fn pack_asked(&mut self, shared: &mut Shared, reply: &Reply) -> Vec<Command> {
        let about = match reply {
            Reply::Http { status: 200, body } => serde_json::from_str::<AboutTable>(body).ok(),
            _ => None,
        };
        match about.and_then(|about| about.bundle) {
            Some(sum) => vec![server_packs::fetch(&sum.clone(), ReplyTo::PackFetched(sum))],
            None => self.go_on(shared),
        }
    }

    /// The pack came, or not. A bundle with another checksum is not used.
    pub(super) fn pack_fetched(
        &mut self,
        shared: &mut Shared,
        sum: &str,
        reply: &Reply,
    ) -> Vec<Command> {
        let bundle = match reply {
            Reply::Http { status: 200, body } => server_packs::read(sum, body),
            _ => None,
        };
        let mut todo = bundle.map(|bundle| server_packs::keep(shared, bundle)).unwrap_or_default();
        todo.extend(self.go_on(shared));
        todo
    }

    /// Opens the game with the lines that waited for its pack.
    fn go_on(&mut self, shared: &mut Shared) -> Vec<Command> {
        let lines = std::mem::take(&mut self.waiting_lines);
        match &self.lost {
            Some(Lost::Opening(..)) => self.opened(shared, lines),
            _ => Vec::new(),
        }
    }
}
