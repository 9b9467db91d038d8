//! PostgreSQL's errors in our sentences. The one thing to tell apart with care is a broken connection: after it nobody knows whether a
//! write was kept, and the caller must find out.

use crate::StoreFault;
use postgres::Error;
use postgres::error::SqlState;
use std::error::Error as _;

/// What an error means to the one who asked.
pub(crate) enum Trouble {
    /// The connection is gone, or the server is going down or coming up.
    Broken(String),
    /// The server answered, and nothing was written.
    Fault(StoreFault),
}

impl Trouble {
    pub(crate) fn of(place: &str, error: &Error) -> Trouble {
        let place = place.to_owned();
        let Some(answer) = error.as_db_error() else { return Trouble::Broken(in_words(error)) };
        let detail = answer.message().to_owned();
        let code = answer.code();
        if code.code().starts_with("08") || code.code().starts_with("57P") {
            return Trouble::Broken(detail);
        }
        Trouble::Fault(match code.code() {
            "53100" => StoreFault::Full { place },
            "25006" => StoreFault::ReadOnly { place, why: detail },
            "55P03" => StoreFault::Busy { place },
            "XX001" | "XX002" => StoreFault::Damaged { place, detail },
            "42501" => StoreFault::Refused { place, detail },
            "53300" => StoreFault::Away { place, detail },
            class if class.starts_with("28") || *code == SqlState::INVALID_CATALOG_NAME => StoreFault::Refused { place, detail },
            _ => StoreFault::Other { place, detail },
        })
    }

    /// The fault of something that wrote nothing, or can be done again without harm.
    pub(crate) fn into_fault(self, place: &str) -> StoreFault {
        match self {
            Trouble::Broken(detail) => StoreFault::Away { place: place.to_owned(), detail },
            Trouble::Fault(fault) => fault,
        }
    }
}

/// The client says "error connecting to server" and keeps the cause behind it. Neither holds the password.
fn in_words(error: &Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

/// A value that is not of the form we wrote.
pub(crate) fn unreadable(place: &str, detail: String) -> StoreFault {
    StoreFault::Damaged { place: place.to_owned(), detail }
}

/// What the database said, without our sentence around it: that claims that nothing was written.
pub(crate) fn detail_of(fault: &StoreFault) -> String {
    match fault {
        StoreFault::Away { detail, .. }
        | StoreFault::Damaged { detail, .. }
        | StoreFault::Refused { detail, .. }
        | StoreFault::Other { detail, .. } => detail.clone(),
        StoreFault::Busy { .. } => "what was to be written is locked".to_owned(),
        StoreFault::Full { .. } => "there is no room left".to_owned(),
        StoreFault::ReadOnly { why, .. } => why.clone(),
        other => other.to_string(),
    }
}
