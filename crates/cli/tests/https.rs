#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Packs over HTTPS: a static host with a certificate of an authority that the system trusts. The
//! certificates are in `tests/tls`; `SSL_CERT_FILE` names the authority.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

fn tls(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls").join(name)
}

/// Serves the files of a folder over TLS, one request for each connection. Returns the address.
fn serve(folder: PathBuf) -> String {
    let chain = vec![CertificateDer::from_pem_file(tls("server.pem")).unwrap()];
    let key = PrivateKeyDer::from_pem_file(tls("server.key.pem")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that does not trust the certificate breaks off.
            let _ = answer(stream, &config, &folder);
        }
    });
    format!("https://localhost:{port}")
}

fn answer(stream: TcpStream, config: &Arc<ServerConfig>, folder: &Path) -> std::io::Result<()> {
    let session = ServerConnection::new(config.clone()).map_err(std::io::Error::other)?;
    let mut reader = BufReader::new(StreamOwned::new(session, stream));
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let path = request.split(' ').nth(1).unwrap_or("/").trim_start_matches('/').to_owned();
    let (status, body) = match std::fs::read(folder.join(&path)) {
        Ok(body) => ("200 OK", body),
        Err(_) if path == "plain.json" => {
            ("302 Found\r\nLocation: http://localhost/index.json", Vec::new())
        }
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let stream = reader.get_mut();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(&body)?;
    stream.conn.send_close_notify();
    stream.flush()
}

/// What a command says, with the authorities of this file: exit code, and both outputs.
fn run(folder: &Path, authorities: &Path, words: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_adjutant"))
        .current_dir(folder)
        .args(words)
        .env_remove("ADJUTANT_PACKS")
        .env_remove("ADJUTANT_STORE")
        .env_remove("SSL_CERT_DIR")
        .env("SSL_CERT_FILE", authorities)
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("HOME", folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout) + &text(output.stderr))
}

#[test]
fn a_pack_is_added_and_updated_over_https() {
    let dir = tempfile::tempdir().unwrap();
    let (dir, public) = (dir.path(), dir.path().join("public"));
    let authority = tls("authority.pem");
    let done = |folder: &Path, words: &[&str]| {
        let (code, said) = run(folder, &authority, words);
        assert_eq!(code, 0, "{words:?}: {said}");
        said
    };
    std::fs::create_dir(&public).unwrap();
    done(&public, &["new", "my-game"]);
    done(dir, &["pack", "index", "public", "--title", "Club"]);
    let index = serve(public.clone()) + "/";
    assert!(done(dir, &["pack", "search", "my", "--index", &index]).contains("My Game"));

    // An authority that the system does not trust.
    let nothing = dir.join("nothing.pem");
    std::fs::write(&nothing, "").unwrap();
    let (code, said) = run(dir, &nothing, &["pack", "add", "my-game", "--index", &index]);
    assert!(code != 0 && said.contains("cannot be reached"), "{said}");

    done(dir, &["pack", "add", "my-game", "--index", &index]);
    let fire = ["roll", "my-game", "fire", "firer.attack=3", "target.defence=1", "--dice", "5,3"];
    assert!(done(dir, &fire).starts_with("Destroyed"));

    let path = public.join("my-game/pack.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("plus = 1, when = \"close\"", "plus = 2, when = \"close\""))
        .unwrap();
    done(dir, &["pack", "index", "public"]);
    assert!(done(dir, &["pack", "update"]).contains("add Close › plus: 1 → 2"));
    done(dir, &["pack", "update", "my-game", "--yes"]);
    assert!(done(dir, &["pack", "update"]).contains("is up to date"));

    // What the host does not have.
    let (code, said) =
        run(dir, &authority, &["pack", "search", "--index", &format!("{index}no.json")]);
    assert!(code != 0 && said.contains("404"), "{said}");
    // A server that leads to an address without TLS, and one that sends without end.
    let (code, said) =
        run(dir, &authority, &["pack", "search", "--index", &format!("{index}plain.json")]);
    assert!(code != 0 && said.contains("cannot be reached"), "{said}");
    std::fs::write(public.join("large.json"), " ".repeat(40 << 20)).unwrap();
    let (code, said) =
        run(dir, &authority, &["pack", "search", "--index", &format!("{index}large.json")]);
    assert!(code != 0 && said.contains("bytes that are read"), "{said}");
}
