//! Where a store is: a file, or `postgres://…`. A location can be shown and logged. It never shows
//! a password.

use crate::postgres::{Postgres, TlsMode};
use crate::sqlite::{Sqlite, is_readable_by_others};
use crate::{LocationProblem, Store, StoreError};
use ::postgres::config::Host;
use std::fmt;
use std::path::{Path, PathBuf};

/// The location of a store: an SQLite file or a PostgreSQL database.
///
/// ```
/// use adjutant_store::StoreLocation;
///
/// assert_eq!(StoreLocation::parse("games/friday.db").unwrap().to_string(), "games/friday.db");
/// let place = StoreLocation::parse("postgres://anna:secret@db.example/club").unwrap();
/// assert_eq!(place.to_string(), "postgres://anna@db.example:5432/club");
/// assert!(StoreLocation::parse("mysql://db.example/club").is_err());
/// ```
#[derive(Clone)]
pub struct StoreLocation(StoreKind);

#[derive(Clone)]
enum StoreKind {
    File { path: PathBuf, make_folder: bool },
    Database(Box<::postgres::Config>, TlsMode),
}

impl StoreLocation {
    /// Parses a location as a user writes it.
    pub fn parse(text: &str) -> Result<StoreLocation, StoreError> {
        let refused =
            |shown: &str, why| Err(StoreError::BadLocation { text: shown.to_owned(), why });
        if text.is_empty() || text.contains('\0') {
            return refused(text, LocationProblem::NotALocation);
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            // The client's own message may quote the password if the address is malformed.
            let (address, tls) = match TlsMode::take_from(text) {
                Ok(both) => both,
                Err(why) => return refused("postgres://…", why),
            };
            return match address.parse::<::postgres::Config>() {
                Ok(config) if config.get_hosts().is_empty() => {
                    refused("postgres://…", LocationProblem::NoHost)
                }
                Ok(config) => Ok(StoreLocation(StoreKind::Database(Box::new(config), tls))),
                Err(_) => refused("postgres://…", LocationProblem::BadAddress),
            };
        }
        match text.split_once("://") {
            Some((kind, _)) => refused(&format!("{kind}://…"), LocationProblem::NotALocation),
            None => {
                Ok(StoreLocation(StoreKind::File { path: PathBuf::from(text), make_folder: false }))
            }
        }
    }

    /// The file `tables.db` in the user's data folder, which is created if it does not exist.
    #[must_use]
    pub fn default_in(data_folder: &Path) -> StoreLocation {
        StoreLocation(StoreKind::File { path: data_folder.join("tables.db"), make_folder: true })
    }

    /// The file, if other users of this machine can read it. They can then read all games and make
    /// invitations. Opening it for writing closes it to them.
    #[must_use]
    pub fn readable_by_others(&self) -> Option<&Path> {
        match &self.0 {
            StoreKind::File { path, .. } if is_readable_by_others(path) => Some(path),
            _ => None,
        }
    }
}

impl fmt::Display for StoreLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let config = match &self.0 {
            StoreKind::File { path, .. } => return write!(f, "{}", path.display()),
            StoreKind::Database(config, _) => config,
        };
        write!(f, "postgres://")?;
        if let Some(user) = config.get_user() {
            write!(f, "{user}@")?;
        }
        for (place, host) in config.get_hosts().iter().enumerate() {
            let port = config
                .get_ports()
                .get(place)
                .or(config.get_ports().first())
                .copied()
                .unwrap_or(5432);
            let comma = if place > 0 { "," } else { "" };
            match host {
                Host::Tcp(name) => write!(f, "{comma}{name}:{port}")?,
                #[cfg(unix)]
                Host::Unix(folder) => write!(f, "{comma}{}:{port}", folder.display())?,
            }
        }
        write!(f, "/{}", config.get_dbname().or(config.get_user()).unwrap_or_default())
    }
}

impl fmt::Debug for StoreLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Place({self})")
    }
}

/// Opens a store. Creates it if there is none, and migrates an older schema. A store that is
/// foreign, newer or damaged is an error and is not changed.
pub fn open(place: &StoreLocation) -> Result<Box<dyn Store>, StoreError> {
    Ok(match &place.0 {
        StoreKind::File { path, make_folder } => Box::new(Sqlite::open(path, *make_folder)?),
        StoreKind::Database(config, tls) => {
            Box::new(Postgres::open(config, tls, place.to_string(), false)?)
        }
    })
}

/// Opens a store for reading only. Nothing is created, migrated or written, so the folder need not
/// be writable and the file stays exactly as it is.
pub fn open_to_read(place: &StoreLocation) -> Result<Box<dyn Store>, StoreError> {
    Ok(match &place.0 {
        StoreKind::File { path, .. } => Box::new(Sqlite::open_to_read(path)?),
        StoreKind::Database(config, tls) => {
            Box::new(Postgres::open(config, tls, place.to_string(), true)?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_way_of_showing_a_place_shows_the_password() {
        for text in [
            "postgres://anna:s3cret@db/club",
            "postgresql://anna:s3cret@db:5433,other/club?connect_timeout=3",
            "postgres://anna@db/club?password=s3cret",
            "postgres://anna:s3cret@/s3cret@db/club",
            "postgres://anna:s3cret@db:s3cret/club",
            "postgres://anna@db/club?s3cret=1",
            "postgres://anna:s3cret@db/club?sslmode=s3cret",
            "http://anna:s3cret@db/club",
        ] {
            let shown = match StoreLocation::parse(text) {
                Ok(place) => format!("{place} {place:?}"),
                Err(fault) => format!("{fault} {fault:?}"),
            };
            assert!(!shown.contains("s3cret") || shown.contains("/s3cret@db"), "{text} → {shown}");
        }
    }
}
