//! Reads an index or a bundle: from an `https://` address, a `file://` address, a file or a folder.
//! Nothing is read beyond its limit, and no server is waited for without end. `http://` is read from
//! this machine only, so that an index can be tried before it is put on a host.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};

/// The longest that a server may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// The longest that a whole download may take.
const WHOLE: Duration = Duration::from_secs(60);
const MOST_REDIRECTS: u32 = 3;
/// The name of an index in a folder.
pub const INDEX_FILE: &str = "index.json";

/// Why something was not fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    #[error("{place}: only https:// addresses, file:// addresses, files and folders are read")]
    Scheme { place: String },
    #[error("{place}: it cannot be read: {error}")]
    File { place: String, error: std::io::Error },
    #[error("{place}: it has more than the {most} bytes that are read")]
    TooLarge { place: String, most: usize },
    #[error("{place}: the server cannot be reached: {detail}")]
    Server { place: String, detail: String },
    #[error("{place}: the server has nothing there: its answer is {status}")]
    Status { place: String, status: u16 },
    #[error("{place}: it is not UTF-8 text")]
    NotUtf8 { place: String },
    /// An address in an index that leads out of the index's folder, or from the web to this machine.
    #[error(
        "{index}: the address `{address}` in it is not used: it must be a name below the index, or https://"
    )]
    Address { index: String, address: String },
}

/// Where an index or a bundle is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Web(String),
    File(PathBuf),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Web(address) => f.write_str(address),
            Place::File(path) => path.display().fmt(f),
        }
    }
}

impl Place {
    /// An address, file or folder as it is typed.
    pub fn read(text: &str) -> Result<Place, FetchError> {
        let text = text.trim();
        if text.starts_with("https://") || is_of_this_machine(text) {
            return Ok(Place::Web(text.to_owned()));
        }
        let refused = || FetchError::Scheme { place: adjutant_pack::clip(text).to_string() };
        if let Some(path) = text.strip_prefix("file://") {
            let path = path.strip_prefix("localhost").unwrap_or(path);
            let path = Some(path).filter(|path| path.starts_with('/')).and_then(unescaped);
            return path.map(|path| Place::File(PathBuf::from(path))).ok_or_else(refused);
        }
        if text.contains("://") {
            return Err(refused());
        }
        // The place is remembered, and read again from another folder.
        let path = PathBuf::from(text);
        Ok(Place::File(std::path::absolute(&path).unwrap_or(path)))
    }

    /// The index that is meant: a folder holds it under its usual name, and so does an address that
    /// ends with a slash or with a name that is no file's.
    pub fn index(self) -> Place {
        let is_folder = |address: &str| {
            let path = address.split_once("://").map_or(address, |(_, rest)| rest);
            path.split_once('/').is_none_or(|(_, path)| {
                !path.rsplit('/').next().unwrap_or_default().contains(['.', '?'])
            })
        };
        match self {
            Place::Web(address) if is_folder(&address) => {
                Place::Web(format!("{}/{INDEX_FILE}", address.trim_end_matches('/')))
            }
            Place::File(path) if path.is_dir() => Place::File(path.join(INDEX_FILE)),
            other => other,
        }
    }

    /// An address in the index that is here: a name below it, or another place on the web.
    pub fn beside(&self, address: &str) -> Result<Place, FetchError> {
        let refused = || FetchError::Address {
            index: self.to_string(),
            address: adjutant_pack::clip(address).to_string(),
        };
        if address.starts_with("https://") {
            return Ok(Place::Web(address.to_owned()));
        }
        let fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let part =
            |part: &str| !part.starts_with('.') && !part.is_empty() && part.chars().all(fine);
        if !address.split('/').all(part) {
            return Err(refused());
        }
        match self {
            Place::Web(index) => {
                let base = index.rsplit_once('/').map_or(index.as_str(), |(base, _)| base);
                Ok(Place::Web(format!("{base}/{address}")))
            }
            Place::File(index) => {
                let folder = index.parent().unwrap_or(Path::new("."));
                Ok(Place::File(
                    address.split('/').fold(folder.to_owned(), |at, part| at.join(part)),
                ))
            }
        }
    }
}

/// Tells if an address without TLS leads to a server on this machine.
fn is_of_this_machine(address: &str) -> bool {
    let Some(rest) = address.strip_prefix("http://") else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let host = match host.rsplit_once(':') {
        Some((host, port)) if is_port(port) => host,
        _ => host,
    };
    ["localhost", "127.0.0.1", "[::1]"].contains(&host)
}

/// The path of a `file://` address: `%20` is a blank.
fn unescaped(path: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        bytes.push(match first {
            b'%' => {
                let (digits, after) = rest.split_at_checked(2)?;
                rest = after;
                u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
            }
            byte => *byte,
        });
    }
    String::from_utf8(bytes).ok().filter(|path| !path.contains('\0'))
}

/// The text at a place, if it has at most so many bytes.
pub fn fetch(place: &Place, most: usize) -> Result<String, FetchError> {
    fetch_within(place, most, WHOLE)
}

fn fetch_within(place: &Place, most: usize, time: Duration) -> Result<String, FetchError> {
    let shown = place.to_string();
    let bytes = match place {
        Place::Web(address) => download(address, most, time)?,
        Place::File(path) => read_file(path, most)?,
    };
    if bytes.len() > most {
        return Err(FetchError::TooLarge { place: shown, most });
    }
    String::from_utf8(bytes).map_err(|_| FetchError::NotUtf8 { place: shown })
}

fn read_file(path: &Path, most: usize) -> Result<Vec<u8>, FetchError> {
    let fault = |error| FetchError::File { place: path.display().to_string(), error };
    let about = std::fs::metadata(path).map_err(fault)?;
    if !about.is_file() {
        return Err(fault(std::io::Error::other("it is not a file")));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(fault)?;
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(fault)?;
    Ok(bytes)
}

fn download(address: &str, most: usize, time: Duration) -> Result<Vec<u8>, FetchError> {
    let fault = |detail: String| FetchError::Server { place: address.to_owned(), detail };
    let of_this_machine = is_of_this_machine(address);
    let config = ureq::Agent::config_builder()
        .https_only(!of_this_machine)
        // Without TLS a redirect could lead anywhere.
        .max_redirects(if of_this_machine { 0 } else { MOST_REDIRECTS })
        .timeout_connect(Some(CONNECT.min(time)))
        .timeout_global(Some(time))
        .user_agent(concat!("adjutant/", env!("CARGO_PKG_VERSION")))
        .tls_config(tls())
        .build();
    let response = config.new_agent().get(address).call();
    let response = response.map_err(|error| match error {
        ureq::Error::StatusCode(status) => FetchError::Status { place: address.to_owned(), status },
        other => fault(other.to_string()),
    })?;
    if response.status().is_redirection() {
        return Err(fault("it leads elsewhere".to_owned()));
    }
    let body = response.into_body();
    let limited = body.into_with_config().limit(most as u64 + 1).read_to_vec();
    match limited {
        Ok(bytes) => Ok(bytes),
        Err(ureq::Error::BodyExceedsLimit(_)) => {
            Err(FetchError::TooLarge { place: address.to_owned(), most })
        }
        Err(error) => Err(fault(error.to_string())),
    }
}

/// TLS with the authorities that the system trusts.
fn tls() -> TlsConfig {
    let authorities = rustls_native_certs::load_native_certs().certs;
    let certs: Vec<Certificate<'static>> =
        authorities.iter().map(|cert| Certificate::from_der(cert.as_ref()).to_owned()).collect();
    TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .root_certs(RootCerts::new_with_certs(&certs))
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::time::Instant;

    #[test]
    fn places_are_read_as_they_are_typed() {
        let read = |text: &str| Place::read(text).map(Place::index).unwrap().to_string();
        assert_eq!(read("https://example.org/packs/"), "https://example.org/packs/index.json");
        assert_eq!(read("https://example.org/packs"), "https://example.org/packs/index.json");
        assert_eq!(read("https://example.org"), "https://example.org/index.json");
        assert_eq!(read("https://example.org/a.json"), "https://example.org/a.json");
        assert_eq!(read("file:///a/b.json"), "/a/b.json");
        assert_eq!(read("file://localhost/a/my%20packs/b.json"), "/a/my packs/b.json");
        let here = std::env::current_dir().unwrap().join("packs.json");
        assert_eq!(
            read("packs.json"),
            here.display().to_string(),
            "it is read again from anywhere"
        );
        for own in ["http://localhost:8000/", "http://127.0.0.1/", "http://[::1]:8000/"] {
            assert_eq!(read(own), format!("{own}index.json"));
        }
        for wrong in [
            "http://example.org/",
            "http://localhost.example.org/",
            "http://localhost@example.org/",
            "http://localhost:80@example.org/",
            "http://127.0.0.1.example.org/",
            "ftp://x/y",
            "data://x",
            "file://host/a.json",
            "file:///a%2",
            "file:///a%zz",
            "file:///a%00b",
        ] {
            assert!(matches!(Place::read(wrong), Err(FetchError::Scheme { .. })), "{wrong}");
        }
    }

    #[test]
    fn an_address_in_an_index_stays_below_it_or_on_the_web() {
        let (web, file) = (
            Place::Web("https://example.org/packs/index.json".into()),
            Place::File("/srv/packs/index.json".into()),
        );
        let beside = |place: &Place, address: &str| place.beside(address).unwrap().to_string();
        assert_eq!(beside(&web, "a.adjutant"), "https://example.org/packs/a.adjutant");
        assert_eq!(beside(&file, "v1/a.adjutant"), "/srv/packs/v1/a.adjutant");
        assert_eq!(
            beside(&file, "https://example.org/a.adjutant"),
            "https://example.org/a.adjutant"
        );
        for wrong in [
            "../a",
            "/etc/passwd",
            "a/../b",
            "file:///etc/passwd",
            "http://x/a",
            "a//b",
            "",
            "a b",
            ".a",
        ] {
            assert!(web.beside(wrong).is_err() && file.beside(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        std::fs::write(&path, "12345").unwrap();
        let place = Place::File(path);
        assert_eq!(fetch(&place, 5).unwrap(), "12345");
        assert!(matches!(fetch(&place, 4), Err(FetchError::TooLarge { most: 4, .. })));
        let folder = Place::File(dir.path().to_owned());
        assert!(matches!(fetch(&folder, 4), Err(FetchError::File { .. })));
    }

    #[test]
    fn a_server_that_never_answers_is_given_up() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("https://{}/index.json", listener.local_addr().unwrap());
        let started = Instant::now();
        let fault = fetch_within(&Place::Web(address), 10, Duration::from_millis(300)).unwrap_err();
        assert!(matches!(fault, FetchError::Server { .. }), "{fault}");
        assert!(started.elapsed() < Duration::from_secs(10));
    }
}
