//! The schema of the database and its migrations, in a PostgreSQL schema `adjutant` of its own,
//! because the database may be shared with other programs. Migrations are only ever added. All
//! missing ones run in one transaction under an advisory lock, so that two servers can start at
//! once.

use crate::{NoStore, NotAStore, StoreError};
use postgres::{Client, Error, GenericClient};

/// "Adjt": the key of the advisory lock for migrations.
const LOCK: i64 = 0x4164_6A74;

/// The migrations. Version 1 has tables and events; version 2 adds texts beside the logs,
/// version 3 had receipts of requests and the functions that write, which version 4 replaces.
pub(crate) const MIGRATIONS: &[&str] = &[
    "
    CREATE FUNCTION adjutant.now_ms() RETURNS bigint LANGUAGE sql VOLATILE
        AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;
    CREATE TABLE adjutant.tables (
        key      bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id       text    NOT NULL UNIQUE,
        name     text    NOT NULL,
        pack     text    NOT NULL,
        created  bigint  NOT NULL,
        changed  bigint  NOT NULL,
        last     bigint  NOT NULL CHECK (last >= 0),
        archived boolean NOT NULL
    );
    CREATE TABLE adjutant.events (
        game   bigint NOT NULL REFERENCES adjutant.tables (key),
        number bigint NOT NULL CHECK (number > 0),
        text   text   NOT NULL,
        PRIMARY KEY (game, number)
    );
",
    "
    CREATE TABLE adjutant.texts (
        game    bigint NOT NULL,
        name    text   NOT NULL,
        version bigint NOT NULL CHECK (version > 0),
        text    text   NOT NULL,
        PRIMARY KEY (game, name)
    );
",
    "-- Receipts were kept by table.",
    include_str!("write.sql"),
];

/// Why a database is rejected. The caller adds the location.
pub(crate) enum SchemaError {
    Newer { version: u64, newest: u64 },
    Older { version: u64, newest: u64 },
    Empty,
    Foreign(NotAStore),
}

impl SchemaError {
    pub(crate) fn at(self, place: &str) -> StoreError {
        let place = place.to_owned();
        match self {
            SchemaError::Newer { version, newest } => StoreError::Newer { place, version, newest },
            SchemaError::Older { version, newest } => StoreError::Older { place, version, newest },
            SchemaError::Empty => StoreError::Nothing { place, why: NoStore::NoSchema },
            SchemaError::Foreign(what) => StoreError::NotOurs { place, what },
        }
    }
}

/// Migrates the database to the newest version. For reading only, checks that it has it.
pub(crate) fn migrate(
    client: &mut Client,
    steps: &[&str],
    read_only: bool,
) -> Result<Result<(), SchemaError>, Error> {
    let newest = steps.len() as u64;
    // The usual case: nothing to do. It needs no lock and no permission to create anything.
    match schema_version(client, newest)? {
        Err(error) => return Ok(Err(error)),
        Ok(version) if version == newest => return Ok(Ok(())),
        Ok(0) if read_only => return Ok(Err(SchemaError::Empty)),
        Ok(version) if read_only => return Ok(Err(SchemaError::Older { version, newest })),
        Ok(_) => {}
    }
    let mut transaction = client.transaction()?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])?;
    let version = match schema_version(&mut transaction, newest)? {
        Err(error) => return Ok(Err(error)),
        Ok(version) => version,
    };
    if version == 0 {
        transaction.batch_execute("CREATE SCHEMA IF NOT EXISTS adjutant; CREATE TABLE adjutant.form (version bigint NOT NULL); INSERT INTO adjutant.form VALUES (0)")?;
    }
    for step in steps.iter().skip(usize::try_from(version).unwrap_or(usize::MAX)) {
        transaction.batch_execute(step)?;
    }
    transaction.execute("UPDATE adjutant.form SET version = $1", &[&(steps.len() as i64)])?;
    transaction.commit()?;
    Ok(Ok(()))
}

fn schema_version(
    client: &mut impl GenericClient,
    newest: u64,
) -> Result<Result<u64, SchemaError>, Error> {
    let encoding: String = client.query_one("SHOW server_encoding", &[])?.try_get(0)?;
    if encoding != "UTF8" {
        return Ok(Err(SchemaError::Foreign(NotAStore::Encoding(encoding))));
    }
    let about = client.query_one(
        "SELECT to_regclass('adjutant.form') IS NOT NULL, EXISTS (SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'adjutant')",
        &[],
    )?;
    match (about.try_get(0)?, about.try_get(1)?) {
        (false, false) => return Ok(Ok(0)),
        (false, true) => return Ok(Err(SchemaError::Foreign(NotAStore::OtherSchema))),
        (true, _) => {}
    }
    let rows = client.query("SELECT version FROM adjutant.form", &[])?;
    let version = match rows.as_slice() {
        [row] => u64::try_from(row.try_get::<_, i64>(0)?).ok(),
        _ => None,
    };
    Ok(match version {
        None => Err(SchemaError::Foreign(NotAStore::NoSchemaVersion)),
        Some(version) if version > newest => Err(SchemaError::Newer { version, newest }),
        Some(version) => Ok(version),
    })
}
