//! What a client is told when something is not done: a status, one sentence, and all sentences where there are several. Nothing
//! of it quotes a key, a token, or what belongs to another table.

use adjutant_game::{LogError, PlayError, Rejection, RuledOut, UnknownName};
use adjutant_store::StoreError;
use adjutant_wording::en;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value as Json, json};

/// Why something was not done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ApiError {
    pub status: StatusCode,
    pub sentences: Vec<String>,
    /// Further fields of the answer.
    pub more: Vec<(&'static str, Json)>,
}

impl ApiError {
    pub fn new(status: StatusCode, sentence: impl Into<String>) -> ApiError {
        ApiError { status, sentences: vec![sentence.into()], more: Vec::new() }
    }

    pub fn all(status: StatusCode, sentences: Vec<String>) -> ApiError {
        ApiError { status, sentences, more: Vec::new() }
    }

    pub fn with(mut self, key: &'static str, value: impl Into<Json>) -> ApiError {
        self.more.push((key, value.into()));
        self
    }

    /// The request cannot be read.
    pub fn unread(sentence: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// The request is read and cannot be.
    pub fn refused(sentence: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
    }

    /// One answer for a table that is not there and for a token that does not fit: who asks learns nothing.
    pub fn unknown() -> ApiError {
        ApiError::new(StatusCode::UNAUTHORIZED, "this table is open only to who was invited: join it with an invitation link first")
    }

    pub fn forbidden(sentence: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, sentence)
    }

    pub fn moved_on(last: u64) -> ApiError {
        let sentence = format!("somebody else has acted meanwhile: nothing was done. The table has come to event {last}");
        ApiError::new(StatusCode::CONFLICT, sentence).with("last", last)
    }

    pub fn busy(sentence: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, sentence)
    }

    /// What is not the client's fault. The log has the reason; the client is told to come again.
    pub fn ours(why: &str) -> ApiError {
        tracing::error!(why, "a request failed");
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "the server cannot do this at the moment: nothing was done. Try again in a while")
    }
}

impl ApiError {
    /// The store failed in the middle of a write. Whether it was saved is not known, so this must not say that nothing was done, nor invite
    /// the client to send it again as it is.
    pub fn unsure(why: &str) -> ApiError {
        tracing::error!(why, "the outcome of a request is not known");
        let sentence =
            "it is not known whether this was saved: the server or its store failed in the middle. Load the table again before you go on";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, sentence).with("unknown", true)
    }

    /// A later step failed after an earlier one was saved: the request as a whole is neither done nor undone.
    pub fn in_part(self) -> ApiError {
        match self.status {
            StatusCode::SERVICE_UNAVAILABLE => ApiError::unsure("a request was done in part"),
            _ => self,
        }
    }

    /// The answer of `/healthz`. It is public, so it does not name the place of the store.
    pub fn unwell(fault: &StoreError) -> ApiError {
        tracing::error!(why = %fault, "the store is unwell");
        let sentence = match fault {
            StoreError::Full { .. } => "unwell: there is no room left where tables are kept",
            StoreError::Away { .. } => "unwell: the database does not answer",
            _ => "unwell: tables cannot be read and saved",
        };
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }
}

impl From<Rejection> for ApiError {
    fn from(rejection: Rejection) -> ApiError {
        ApiError::refused(en::rejection(&rejection))
    }
}

impl From<UnknownName> for ApiError {
    fn from(unknown: UnknownName) -> ApiError {
        ApiError::refused(en::unknown_name(&unknown))
    }
}

impl From<PlayError> for ApiError {
    fn from(error: PlayError) -> ApiError {
        match &error {
            PlayError::Rejected(all) => ApiError::all(StatusCode::UNPROCESSABLE_ENTITY, all.iter().map(en::rejection).collect()),
            PlayError::RuledOut(found) => {
                let one = |found: &RuledOut| json!({ "unit": found.unit, "status": found.status });
                let stopped: Vec<Json> = found.iter().map(one).collect();
                ApiError::refused(en::play_error(&error)).with("stopped", stopped)
            }
            PlayError::Needs { .. } => ApiError::refused(en::play_error(&error)),
        }
    }
}

impl From<LogError> for ApiError {
    fn from(fault: LogError) -> ApiError {
        ApiError::refused(en::log_error(&fault))
    }
}

impl From<StoreError> for ApiError {
    fn from(fault: StoreError) -> ApiError {
        match fault {
            StoreError::MovedOn { last, .. } => ApiError::moved_on(last),
            StoreError::NoTable { .. } | StoreError::BadId { .. } => ApiError::unknown(),
            StoreError::BadText { .. } => ApiError::refused(fault.to_string()),
            StoreError::Unsure { .. } => ApiError::unsure(&fault.to_string()),
            other => ApiError::ours(&other.to_string()),
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

impl IntoResponse for ApiError {
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
