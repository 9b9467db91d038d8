//! Request authentication: the client's address, the token, the permissions at a table, and the
//! body. The owner is the client that has the key printed at the start or, on a server that only
//! its own machine can reach, a client on that machine. With `--origin` or `--proxy` the key is
//! always needed.

use crate::error::{ApiError, Forbidden, TooLong, Unreadable};
use crate::keys::{Holder, fingerprint, same};
use crate::live_table::{LiveTable, opened, seat_of};
use crate::rate_limit::client_of;
use crate::state::{App, Shared};
use adjutant_game::{Seat, Table};
use adjutant_store::TableId;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub SocketAddr);

impl App {
    /// The client: who connected, or, if that is a proxy, who it says did.
    pub fn client(&self, peer: Peer, headers: &HeaderMap) -> IpAddr {
        let mut forwarded =
            headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
        let address = if self.is_proxy(peer) {
            // The last is what our own proxy wrote; those before it may be invented.
            let last = forwarded.flat_map(|list| list.split(',')).last();
            last.and_then(|text| text.trim().parse::<IpAddr>().ok())
        } else {
            let ignored = !self.origins.is_empty() && forwarded.next().is_some();
            if ignored && !self.proxies.ignored.swap(true, Relaxed) {
                let address = peer.0.ip();
                tracing::warn!(%address, "X-Forwarded-For is ignored: --proxy does not name this address");
            }
            None
        };
        client_of(address.unwrap_or(peer.0.ip()))
    }

    /// Whether a connection comes from a proxy, with the requests of many clients.
    pub fn is_proxy(&self, peer: Peer) -> bool {
        self.proxies.include(peer.0.ip())
    }

    /// Whether a player is let off the limits of number.
    pub fn spared(&self, peer: Peer) -> bool {
        self.limits.spare_loopback
            && self.origins.is_empty()
            && self.proxies.named.is_empty()
            && peer.0.ip().to_canonical().is_loopback()
    }

    /// Whether it is the owner who asks: with his key, or from the machine itself when no one else
    /// can reach it.
    pub fn is_owner(&self, peer: Peer, headers: &HeaderMap) -> bool {
        let forwarded =
            ["x-forwarded-for", "forwarded", "via"].iter().any(|name| headers.contains_key(*name));
        let at_home = self.local && !forwarded && peer.0.ip().to_canonical().is_loopback();
        at_home || token(headers).is_some_and(|token| same(&fingerprint(token), &self.owner))
    }
}

/// The token that is shown.
pub(crate) fn token(headers: &HeaderMap) -> Option<&str> {
    let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = text.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && token.len() <= 128).then(|| token.trim())
}

/// A player at a table.
pub(crate) struct Caller {
    pub live: Arc<LiveTable>,
    pub holder: Holder,
    /// The fingerprint of his token.
    pub print: String,
}

impl Caller {
    /// Finds the table and who shows this token there.
    pub async fn at(app: &Shared, id: &str, headers: &HeaderMap) -> Result<Caller, ApiError> {
        let id = TableId::parse(id).map_err(|_| ApiError::NotInvited)?;
        let print = fingerprint(token(headers).ok_or(ApiError::NotInvited)?);
        let live = app.hall.live(id).await?;
        let holder = live.find_holder(&print).await?;
        Ok(Caller { live, holder, print })
    }

    pub async fn seat(&self) -> Seat {
        seat_of(&*self.live.game().await, &self.holder)
    }

    /// Whether he may hand out invitations and change seats.
    pub async fn must_manage(&self) -> Result<(), ApiError> {
        match self.holder.is_host() || self.seat().await == Seat::Umpire {
            true => Ok(()),
            false => Err(ApiError::Forbidden(Forbidden::NotManager)),
        }
    }

    pub async fn sides(&self) -> Result<Vec<String>, ApiError> {
        Ok(opened(&*self.live.game().await)?.sides().to_vec())
    }
}

/// That a player who only looks on does nothing.
pub(crate) fn may_act(table: &Table, holder: &Holder) -> Result<(), ApiError> {
    let seat = table
        .people()
        .iter()
        .find(|(name, _)| *name == holder.name)
        .map_or(&holder.seat, |(_, seat)| seat);
    match seat {
        Seat::Spectator => {
            Err(ApiError::Forbidden(Forbidden::Spectator { name: holder.name.clone() }))
        }
        _ => Ok(()),
    }
}

/// A body as it came, or why it did not.
pub(crate) type Body = Result<Bytes, BytesRejection>;

/// The bytes of a body.
pub(crate) fn bytes(body: Body) -> Result<Bytes, ApiError> {
    body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::TooLong(TooLong::Body),
        _ => ApiError::Unreadable(Unreadable::BrokeOff),
    })
}

/// A body of JSON.
pub(crate) fn read<T: DeserializeOwned>(body: Body) -> Result<T, ApiError> {
    parse(&bytes(body)?)
}

/// The same, of bytes that have come.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &Bytes) -> Result<T, ApiError> {
    let why = |fault: serde_json::Error| {
        if bytes.is_empty() { Unreadable::NoBody } else { Unreadable::Json(fault.to_string()) }
    };
    Ok(serde_json::from_slice(bytes).map_err(why)?)
}
