//! Live updates (SSE). A stream remembers how far its client is and reads the rest from the table,
//! so there is no queue: a slow client is only behind. A client that reconnects names its last
//! event and misses nothing.

use crate::auth::{Caller, Peer, token};
use crate::error::{ApiError, Busy, Unreadable};
use crate::live_table::{LiveTable, Pulse};
use crate::presence::Presence;
use crate::state::{Counted, Shared};
use axum::body::Body;
use axum::extract::{Extension, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures_util::stream::unfold;
use serde::Deserialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, watch};

/// What a client saw last.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct After {
    #[serde(default)]
    pub after: Option<u64>,
    /// Reads answer only when this event is known here.
    #[serde(default)]
    pub at_least: Option<u64>,
}

/// `GET /api/games/{id}/events`
pub(crate) async fn events(
    State(app): State<Shared>,
    Extension(peer): Extension<Peer>,
    Path(id): Path<String>,
    query: Result<Query<After>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Query(query) = query.map_err(|_| Unreadable::After)?;
    let hand = Caller::at(&app, &id, &headers).await?;
    let resumed = headers
        .get("last-event-id")
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse().ok());
    let full = || ApiError::Busy(Busy::Streams);
    let most = if app.spared(peer) { usize::MAX } else { app.limits.streams_of_a_client };
    let counted = app.streams_of.take(app.client(peer, &headers), most).ok_or_else(full)?;
    let permit = Arc::clone(&app.streams).try_acquire_owned().map_err(|_| full())?;
    let pulse = hand.live.listen();
    let role = hand.seat().await;
    let presence = hand.live.arrive(&hand.holder.name, role);
    let print = token(&headers).map(crate::keys::fingerprint).unwrap_or_default();
    app.metrics.streams.fetch_add(1, Relaxed);
    let stream = Stream {
        live: hand.live,
        print,
        sent: resumed.or(query.after).unwrap_or(0),
        here: Bytes::new(),
        keys: 0,
        started: false,
        pulse,
        stopping: app.stopping.clone(),
        heartbeat: app.limits.heartbeat,
        app,
        _presence: presence,
        _held: (counted, permit),
    };
    let body = Body::from_stream(unfold(stream, |mut stream| async move {
        let chunk = stream.next().await?;
        Some((Ok::<_, Infallible>(chunk), stream))
    }));
    let head = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::OK, head, [("x-accel-buffering", "no")], body).into_response())
}

struct Stream {
    live: Arc<LiveTable>,
    print: String,
    /// The last event that was sent.
    sent: u64,
    /// Who was here when it was last said.
    here: Bytes,
    /// The version of the keys by which the token was last found good.
    keys: u64,
    started: bool,
    pulse: watch::Receiver<Pulse>,
    stopping: watch::Receiver<bool>,
    heartbeat: Duration,
    app: Shared,
    _presence: Presence,
    _held: (Counted, OwnedSemaphorePermit),
}

impl Stream {
    /// The next piece; none when the stream is over.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if *self.stopping.borrow() {
                return None;
            }
            let pulse = self.pulse.borrow_and_update().clone();
            if pulse.keys != self.keys {
                // Whose invitation became void hears no more.
                self.live.holder(&self.print)?;
                self.keys = pulse.keys;
            }
            let mut chunk = BytesMut::new();
            if !self.started {
                self.started = true;
                chunk.extend_from_slice(b"retry: 1000\n\n");
            }
            let (frames, last) = self.live.frames(self.sent).await.ok()?;
            self.sent = last.max(self.sent);
            frames.iter().for_each(|frame| chunk.extend_from_slice(frame));
            // A client takes the first list as the end of the lines that it missed.
            if self.here != pulse.here && self.sent >= pulse.last {
                chunk.extend_from_slice(&pulse.here);
                self.here = pulse.here;
            }
            if !chunk.is_empty() {
                return Some(chunk.freeze());
            }
            tokio::select! {
                changed = self.pulse.changed() => changed.ok()?,
                _ = self.stopping.changed() => return None,
                () = tokio::time::sleep(self.heartbeat) => return Some(Bytes::from_static(b":\n\n")),
            }
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.app.metrics.streams.fetch_sub(1, Relaxed);
    }
}
