#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! TLS to a PostgreSQL server that accepts encrypted connections only. Its certificate is for
//! `localhost` and was issued by the authority in `tests/tls/ca.pem`.

mod common;

use adjutant_store::{LocationProblem, NewTable, Notice, StoreError, StoreLocation, TableId, open};
use common::Server;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn certificates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls")
}

#[test]
fn the_address_says_how_a_connection_is_protected() {
    let server = Server::new();
    let port = server.restart_with_tls(&certificates());
    let at = |host: &str, how: &str| {
        StoreLocation::parse(&format!("postgres://adjutant@{host}:{port}/postgres{how}")).unwrap()
    };
    let verified = |file: &str| {
        let file = certificates().join(file).display().to_string().replace('/', "%2F");
        format!("?sslmode=verify-full&sslrootcert={file}")
    };

    let plain = open(&at("127.0.0.1", "")).err().unwrap();
    assert!(matches!(plain, StoreError::Refused { .. }), "{plain}");
    for (host, how) in [("localhost", verified("ca.pem")), ("127.0.0.1", "?sslmode=require".into())]
    {
        let store = open(&at(host, &how)).unwrap();
        let (id, watch) = (TableId::new().unwrap(), store.watch(None).unwrap());
        let table = NewTable { id, name: "Friday", pack: "panzer8", lines: &["one"] };
        store.create(&table).unwrap();
        let created = Notice::Changed { id, last: 1, texts: false };
        assert_eq!(watch.wait(Duration::from_secs(30)), created);
        assert_eq!(store.append(&id, 1, &["two"]), Ok(2));
        assert_eq!(store.read(&id, 0).unwrap().len(), 2);
    }

    // Another authority, another name, and no authority at all that the system knows.
    for (host, how) in [
        ("localhost", verified("other-ca.pem")),
        ("127.0.0.1", verified("ca.pem")),
        ("localhost", "?sslmode=verify-full".to_owned()),
    ] {
        let fault = open(&at(host, &how)).err().unwrap();
        assert!(matches!(fault, StoreError::Away { .. }), "{fault}");
        assert!(fault.to_string().contains("certificate"), "{fault}");
    }
    for file in ["missing.pem", "server.key"] {
        let fault = open(&at("localhost", &verified(file))).err().unwrap();
        let why = matches!(
            &fault,
            StoreError::BadLocation { why: LocationProblem::Certificates { .. }, .. }
        );
        assert!(why, "{fault}");
    }
}
