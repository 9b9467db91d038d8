//! Idempotency keys. A client that did not get an answer sends its request again with the same key,
//! and the request is carried out once: the store keeps a receipt in the transaction that carries it
//! out, so this holds after a restart and on another server. The client's key is not stored, only
//! its hash, because the token of a repeated answer is derived from it and from the whole request.
//!
//! Receipts are kept for a day. No request pushes one out, because the request of that receipt could
//! then be carried out again. A player whose receipts are too large is refused further requests with
//! a key, before anything is rolled.

use crate::config::Limits;
use crate::error::{ApiError, Busy, Invalid, Unreadable};
use crate::keys::{fingerprint, letters_of_hash};
use adjutant_store::{Receipt, Store, StoreError, TableId};
use axum::http::HeaderMap;

const HEADER: &str = "idempotency-key";
const LONGEST: usize = 200;
/// A key that opens a new game must not be one that another client uses by chance.
const SHORTEST_FOR_NEW_GAMES: usize = 16;

/// A request that may be a repetition.
#[derive(Clone, Debug)]
pub(crate) struct Repeat {
    player: String,
    key: String,
    stored_as: String,
    fingerprint: String,
    /// The bytes that the receipts of a player may take.
    most: u64,
}

/// Who makes a request. Each has keys of their own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Requester<'a> {
    /// A player with a token, by name.
    Player(&'a str),
    /// Anyone with this invitation.
    Invited(&'a str),
    /// The owner of the server.
    Owner,
    /// Anyone who starts a game. It has no other receipts.
    Starter,
}

impl Requester<'_> {
    fn hash(self) -> String {
        fingerprint(&match self {
            Requester::Player(name) => format!("player\n{name}"),
            Requester::Invited(key) => format!("invited\n{key}"),
            Requester::Owner => "owner".to_owned(),
            Requester::Starter => "starter".to_owned(),
        })
    }
}

impl Repeat {
    /// The key of a request, if it has one.
    pub fn of(
        headers: &HeaderMap,
        limits: &Limits,
        requester: Requester<'_>,
        route: &str,
        body: &[u8],
    ) -> Result<Option<Repeat>, ApiError> {
        let mut all = headers.get_all(HEADER).iter();
        let Some(value) = all.next() else { return Ok(None) };
        let key = value.to_str().ok().map(str::trim);
        let key = key.filter(|key| (1..=LONGEST).contains(&key.len()) && all.next().is_none());
        let key = key.ok_or(Unreadable::IdempotencyKey)?.to_owned();
        let stored_as = fingerprint(&key);
        let body = fingerprint(&String::from_utf8_lossy(body));
        let fingerprint = fingerprint(&format!("{route}\n{body}"));
        let (player, most) = (requester.hash(), limits.receipts);
        Ok(Some(Repeat { player, key, stored_as, fingerprint, most }))
    }

    /// The same for a request that starts a game, whose key is the only thing that tells it apart.
    pub fn of_new_game(
        headers: &HeaderMap,
        limits: &Limits,
        route: &str,
        body: &[u8],
    ) -> Result<Option<Repeat>, ApiError> {
        match Repeat::of(headers, limits, Requester::Starter, route, body)? {
            Some(repeat) if repeat.key.len() < SHORTEST_FOR_NEW_GAMES => {
                Err(Unreadable::IdempotencyKey.into())
            }
            other => Ok(other),
        }
    }

    /// The whole request: who makes it, with which key, and what it asks for. No other request has
    /// the same.
    pub fn identity(&self) -> String {
        format!("{}\n{}\n{}", self.player, self.fingerprint, self.key)
    }

    pub fn receipt<'a>(&'a self, answer: &'a str) -> Receipt<'a> {
        let (player, key) = (&self.player, &self.stored_as);
        Receipt { player, key, fingerprint: &self.fingerprint, answer }
    }

    /// The answer of the first request with this key. Another request with the same key is an error,
    /// and so is a new one for whose receipt there is no space.
    pub fn answer(&self, store: &dyn Store, id: &TableId) -> Result<Option<String>, ApiError> {
        let known = store.receipt(id, &self.player, &self.stored_as)?;
        match known.receipt {
            None if known.used >= self.most => Err(ApiError::Busy(Busy::Receipts)),
            None => Ok(None),
            Some(found) if found.fingerprint == self.fingerprint => Ok(Some(found.answer)),
            Some(_) => Err(ApiError::Invalid(Invalid::KeyReused)),
        }
    }

    /// The id of the game that a request with this key starts.
    pub fn game(&self) -> Result<TableId, StoreError> {
        TableId::parse(&letters_of_hash(&format!("game\n{}", self.key))[..16])
    }
}
