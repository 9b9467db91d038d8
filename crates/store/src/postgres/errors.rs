//! Maps PostgreSQL's errors. A broken connection is kept apart: after it the outcome of a write is
//! unknown, and the caller must find out.

use crate::{ReadOnlyCause, StoreError};
use postgres::Error as ClientError;
use postgres::error::SqlState;
use std::error::Error as _;
use thiserror::Error;

/// An error of the client or the server.
pub(crate) enum PostgresError {
    /// The connection is lost, or the server is stopping or starting.
    Broken(String),
    /// The server answered, and nothing was written.
    Fault(StoreError),
}

impl PostgresError {
    pub(crate) fn of(place: &str, error: &ClientError) -> PostgresError {
        let place = place.to_owned();
        let Some(answer) = error.as_db_error() else {
            return PostgresError::Broken(in_words(error));
        };
        let detail = answer.message().to_owned();
        let code = answer.code();
        if code.code().starts_with("08") || code.code().starts_with("57P") {
            return PostgresError::Broken(detail);
        }
        PostgresError::Fault(match code.code() {
            "53100" => StoreError::Full { place },
            "25006" => StoreError::ReadOnly { place, why: ReadOnlyCause::Database(detail) },
            "55P03" => StoreError::Busy { place },
            "XX001" | "XX002" => StoreError::Damaged { place, detail },
            "42501" => StoreError::Refused { place, detail },
            "53300" => StoreError::Away { place, detail },
            class if class.starts_with("28") || *code == SqlState::INVALID_CATALOG_NAME => {
                StoreError::Refused { place, detail }
            }
            _ => StoreError::Other { place, detail },
        })
    }

    /// The error of a call that wrote nothing, or that is safe to repeat.
    pub(crate) fn into_fault(self, place: &str) -> StoreError {
        match self {
            PostgresError::Broken(detail) => StoreError::Away { place: place.to_owned(), detail },
            PostgresError::Fault(fault) => fault,
        }
    }
}

/// The client says "error connecting to server" and keeps the cause in `source`. Neither contains
/// the password.
fn in_words(error: &ClientError) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

/// A value in a row that this program did not write.
#[derive(Debug, Error)]
pub(crate) enum ValueError {
    #[error(transparent)]
    Column(#[from] ClientError),
    #[error(transparent)]
    Id(#[from] StoreError),
    #[error("{0} where a number from 0 on should be")]
    Negative(i64),
}

impl ValueError {
    pub(crate) fn at(&self, place: &str) -> StoreError {
        StoreError::Damaged { place: place.to_owned(), detail: self.to_string() }
    }
}

/// The database's message without our sentence, which says that nothing was written.
pub(crate) fn detail_of(fault: &StoreError) -> String {
    match fault {
        StoreError::Away { detail, .. }
        | StoreError::Damaged { detail, .. }
        | StoreError::Refused { detail, .. }
        | StoreError::Other { detail, .. } => detail.clone(),
        StoreError::Busy { .. } => "what was to be written is locked".to_owned(),
        StoreError::Full { .. } => "there is no room left".to_owned(),
        StoreError::ReadOnly { why, .. } => why.to_string(),
        other => other.to_string(),
    }
}
