//! What a client is told when something is not done: a status, one sentence, and all sentences where there are several. Nothing
//! of it quotes a key, a token, or what belongs to another table.

use adjutant_game::{Fault, PlayStop, Refusal, Stopped};
use adjutant_store::StoreFault;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value as Json, json};

/// Why something was not done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wrong {
    pub status: StatusCode,
    pub sentences: Vec<String>,
    /// Further fields of the answer.
    pub more: Vec<(&'static str, Json)>,
}

impl Wrong {
    pub fn new(status: StatusCode, sentence: impl Into<String>) -> Wrong {
        Wrong { status, sentences: vec![sentence.into()], more: Vec::new() }
    }

    pub fn all(status: StatusCode, sentences: Vec<String>) -> Wrong {
        Wrong { status, sentences, more: Vec::new() }
    }

    pub fn with(mut self, key: &'static str, value: impl Into<Json>) -> Wrong {
        self.more.push((key, value.into()));
        self
    }

    /// The request cannot be read.
    pub fn unread(sentence: impl Into<String>) -> Wrong {
        Wrong::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// The request is read and cannot be.
    pub fn refused(sentence: impl Into<String>) -> Wrong {
        Wrong::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
    }

    /// One answer for a table that is not there and for a token that does not fit: who asks learns nothing.
    pub fn unknown() -> Wrong {
        Wrong::new(StatusCode::UNAUTHORIZED, "this table is open only to who was invited: join it with an invitation link first")
    }

    pub fn forbidden(sentence: impl Into<String>) -> Wrong {
        Wrong::new(StatusCode::FORBIDDEN, sentence)
    }

    pub fn moved_on(last: u64) -> Wrong {
        let sentence = format!("somebody else has acted meanwhile: nothing was done. The table has come to event {last}");
        Wrong::new(StatusCode::CONFLICT, sentence).with("last", last)
    }

    pub fn busy(sentence: impl Into<String>) -> Wrong {
        Wrong::new(StatusCode::TOO_MANY_REQUESTS, sentence)
    }

    /// What is not the client's fault. The log has the reason; the client is told to come again.
    pub fn ours(why: &str) -> Wrong {
        tracing::error!(why, "a request failed");
        Wrong::new(StatusCode::SERVICE_UNAVAILABLE, "the server cannot do this at the moment: nothing was done. Try again in a while")
    }
}

impl Wrong {
    /// The store failed in the middle of a write. Whether it was saved is not known, so this must not say that nothing was done, nor invite
    /// the client to send it again as it is.
    pub fn unsure(why: &str) -> Wrong {
        tracing::error!(why, "the outcome of a request is not known");
        let sentence =
            "it is not known whether this was saved: the server or its store failed in the middle. Load the table again before you go on";
        Wrong::new(StatusCode::INTERNAL_SERVER_ERROR, sentence).with("unknown", true)
    }

    /// A later step failed after an earlier one was saved: the request as a whole is neither done nor undone.
    pub fn in_part(self) -> Wrong {
        match self.status {
            StatusCode::SERVICE_UNAVAILABLE => Wrong::unsure("a request was done in part"),
            _ => self,
        }
    }

    /// The answer of `/healthz`. It is public, so it does not name the place of the store.
    pub fn unwell(fault: &StoreFault) -> Wrong {
        tracing::error!(why = %fault, "the store is unwell");
        let sentence = match fault {
            StoreFault::Full { .. } => "unwell: there is no room left where tables are kept",
            StoreFault::Away { .. } => "unwell: the database does not answer",
            _ => "unwell: tables cannot be read and saved",
        };
        Wrong::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }
}

impl From<Refusal> for Wrong {
    fn from(refusal: Refusal) -> Wrong {
        Wrong::refused(refusal.0)
    }
}

impl From<PlayStop> for Wrong {
    fn from(stop: PlayStop) -> Wrong {
        match stop {
            PlayStop::Refused(sentences) => Wrong::all(StatusCode::UNPROCESSABLE_ENTITY, sentences),
            PlayStop::Stopped(found) => {
                let one = |found: &Stopped| json!({ "unit": found.unit, "status": found.status });
                let stopped: Vec<Json> = found.iter().map(one).collect();
                Wrong::refused(PlayStop::Stopped(found).to_string()).with("stopped", stopped)
            }
            needs => Wrong::refused(needs.to_string()),
        }
    }
}

impl From<Fault> for Wrong {
    fn from(fault: Fault) -> Wrong {
        Wrong::refused(fault.to_string())
    }
}

impl From<StoreFault> for Wrong {
    fn from(fault: StoreFault) -> Wrong {
        match fault {
            StoreFault::MovedOn { last, .. } => Wrong::moved_on(last),
            StoreFault::NoTable { .. } | StoreFault::BadId { .. } => Wrong::unknown(),
            StoreFault::BadText { .. } => Wrong::refused(fault.to_string()),
            StoreFault::Unsure { .. } => Wrong::unsure(&fault.to_string()),
            other => Wrong::ours(&other.to_string()),
        }
    }
}

/// JSON as an answer.
pub(crate) fn json(status: StatusCode, value: &impl serde::Serialize) -> Response {
    written(status, serde_json::to_vec(value).unwrap_or_default().into())
}

/// JSON that is written already.
pub(crate) fn written(status: StatusCode, body: bytes::Bytes) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], body).into_response()
}

impl IntoResponse for Wrong {
    fn into_response(self) -> Response {
        let mut body = json!({ "error": self.sentences.join("; "), "sentences": self.sentences });
        if let Json::Object(map) = &mut body {
            map.extend(self.more.into_iter().map(|(key, value)| (key.to_owned(), value)));
        }
        let mut response = json(self.status, &body);
        if self.status == StatusCode::TOO_MANY_REQUESTS || self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, axum::http::HeaderValue::from_static("1"));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, axum::http::HeaderValue::from_static("Bearer"));
        }
        response
    }
}
