//! Idempotency keys. A client that did not get an answer sends its request again with the same key,
//! and the request is carried out once: the store keeps a receipt in the transaction that carries it
//! out, so this holds after a restart and on another server. The client's key is not stored, only
//! its hash, because the token of a repeated answer is derived from it.

use crate::error::{ApiError, Invalid, Unreadable};
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
    key: String,
    stored_as: String,
    fingerprint: String,
}

impl Repeat {
    /// The key of a request, if it has one. `caller` is the fingerprint of the token, or empty.
    pub fn of(
        headers: &HeaderMap,
        caller: &str,
        route: &str,
        body: &[u8],
    ) -> Result<Option<Repeat>, ApiError> {
        let mut all = headers.get_all(HEADER).iter();
        let Some(value) = all.next() else { return Ok(None) };
        let key = value.to_str().ok().map(str::trim);
        let key = key.filter(|key| (1..=LONGEST).contains(&key.len()) && all.next().is_none());
        let key = key.ok_or(Unreadable::IdempotencyKey)?.to_owned();
        let stored_as = fingerprint(&format!("{caller}\n{key}"));
        let body = fingerprint(&String::from_utf8_lossy(body));
        let fingerprint = fingerprint(&format!("{route}\n{body}"));
        Ok(Some(Repeat { key, stored_as, fingerprint }))
    }

    /// The same for a request that starts a game, whose key is the only thing that tells it apart.
    pub fn of_new_game(
        headers: &HeaderMap,
        route: &str,
        body: &[u8],
    ) -> Result<Option<Repeat>, ApiError> {
        match Repeat::of(headers, "", route, body)? {
            Some(repeat) if repeat.key.len() < SHORTEST_FOR_NEW_GAMES => {
                Err(Unreadable::IdempotencyKey.into())
            }
            other => Ok(other),
        }
    }

    pub fn key(&self) -> &str {
        &self.key
    }

    pub fn receipt<'a>(&'a self, answer: &'a str) -> Receipt<'a> {
        Receipt { key: &self.stored_as, fingerprint: &self.fingerprint, answer }
    }

    /// The answer of the first request with this key. Another request with the same key is an error.
    pub fn answer(&self, store: &dyn Store, id: &TableId) -> Result<Option<String>, ApiError> {
        match store.receipt(id, &self.stored_as)? {
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
