//! A proxy between the store and a PostgreSQL server, on its own socket. It forwards whole protocol
//! messages and can drop exactly one of them: the request to run a statement, or the response after
//! the commit.

use super::Server;
use std::collections::{HashMap, VecDeque};
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread;

/// The message that is dropped, together with the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// The statement never reaches the server.
    Request,
    /// The statement is committed, but the client gets no response.
    Answer,
}

/// Drops what `lost` says the next time a statement that contains `statement` is run. If `shut` is
/// set, nothing gets through afterwards.
#[derive(Debug, Clone, Copy)]
pub struct Trap {
    pub statement: &'static str,
    pub lost: Lost,
    pub shut: bool,
}

#[derive(Default)]
struct State {
    traps: Mutex<VecDeque<Trap>>,
    shut: AtomicBool,
}

pub struct Proxy {
    folder: tempfile::TempDir,
    state: Arc<State>,
}

impl Proxy {
    pub fn to(server: &Server) -> Proxy {
        let folder = tempfile::Builder::new().prefix("adjutant-proxy").tempdir_in("/tmp").unwrap();
        let listener = UnixListener::bind(folder.path().join(".s.PGSQL.5432")).unwrap();
        let (state, behind) = (Arc::<State>::default(), server.socket());
        let shared = Arc::clone(&state);
        // The thread ends with the process. A test has only a few of them.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if !shared.shut.load(SeqCst) {
                    let (state, behind) = (Arc::clone(&shared), behind.clone());
                    thread::spawn(move || forward(client, &behind, &state));
                }
            }
        });
        Proxy { folder, state }
    }

    /// The address of a database through the proxy.
    pub fn address(&self, database: &str) -> String {
        format!(
            "postgres://adjutant@{}/{database}",
            self.folder.path().display().to_string().replace('/', "%2F")
        )
    }

    pub fn set(&self, trap: Trap) {
        self.state.traps.lock().unwrap().push_back(trap);
    }

    pub fn all_sprung(&self) -> bool {
        self.state.traps.lock().unwrap().is_empty()
    }

    pub fn open_up(&self) {
        self.state.shut.store(false, SeqCst);
    }
}

impl State {
    /// The message to drop of this statement, if there is a trap for it.
    fn spring(&self, statement: &str) -> Option<Lost> {
        let mut traps = self.traps.lock().unwrap();
        let trap = traps.front().copied().filter(|trap| statement.contains(trap.statement))?;
        traps.pop_front();
        if trap.shut {
            self.shut.store(true, SeqCst);
        }
        Some(trap.lost)
    }
}

/// One message: its type (none for the first of a connection) and all its bytes.
fn message(from: &mut UnixStream, first: bool) -> io::Result<(u8, Vec<u8>)> {
    let mut bytes = vec![0; if first { 4 } else { 5 }];
    from.read_exact(&mut bytes)?;
    let length = u32::from_be_bytes(bytes[bytes.len() - 4..].try_into().unwrap()) as usize;
    let head = bytes.len();
    bytes.resize(head + length - 4, 0);
    from.read_exact(&mut bytes[head..])?;
    Ok((if first { 0 } else { bytes[0] }, bytes))
}

/// One of the texts at the start of a message, each of which ends with a zero.
fn text(message: &[u8], place: usize) -> String {
    let text = message[5..].split(|byte| *byte == 0).nth(place);
    String::from_utf8_lossy(text.unwrap_or_default()).into_owned()
}

fn forward(client: UnixStream, behind: &Path, state: &State) {
    let Ok(server) = UnixStream::connect(behind) else { return };
    let swallow = AtomicBool::new(false);
    let close = || {
        // Either may be closed already.
        let _ = (client.shutdown(Shutdown::Both), server.shutdown(Shutdown::Both));
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            let _ = answers(&server, &client, &swallow);
            close();
        });
        let _ = requests(&client, &server, &swallow, state);
        close();
    });
}

/// From the client to the server.
fn requests(
    client: &UnixStream,
    mut server: &UnixStream,
    swallow: &AtomicBool,
    state: &State,
) -> io::Result<()> {
    let mut from = client.try_clone()?;
    server.write_all(&message(&mut from, true)?.1)?;
    let (mut prepared, mut statement) = (HashMap::new(), String::new());
    loop {
        let (kind, bytes) = message(&mut from, false)?;
        if state.shut.load(SeqCst) && !swallow.load(SeqCst) {
            return Ok(());
        }
        match kind {
            // A statement is prepared once under a name and bound by it afterwards.
            b'P' => drop(prepared.insert(text(&bytes, 0), text(&bytes, 1))),
            b'B' => statement = prepared.get(&text(&bytes, 1)).cloned().unwrap_or_default(),
            b'E' => match state.spring(&statement) {
                Some(Lost::Request) => return Ok(()),
                Some(Lost::Answer) => swallow.store(true, SeqCst),
                None => {}
            },
            _ => {}
        }
        server.write_all(&bytes)?;
    }
}

/// From the server to the client. What is dropped ends with "ready for query": then the statement
/// is committed.
fn answers(server: &UnixStream, mut client: &UnixStream, swallow: &AtomicBool) -> io::Result<()> {
    let mut from = server.try_clone()?;
    loop {
        let (kind, bytes) = message(&mut from, false)?;
        match (swallow.load(SeqCst), kind) {
            (true, b'Z') => return Ok(()),
            (true, _) => {}
            (false, _) => client.write_all(&bytes)?,
        }
    }
}
