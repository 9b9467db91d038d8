//! A network between a browser and its server that a test can cut. It forwards bytes; a cut closes
//! every connection and lets no new one through, as when a phone loses its network.

use crate::common::House;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Default)]
struct State {
    cut: AtomicBool,
    /// The next response to a POST request is lost, with its connection.
    loses_response: AtomicBool,
    open: Mutex<Vec<TcpStream>>,
}

impl State {
    fn keep(&self, stream: &TcpStream) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.push(stream.try_clone().unwrap());
    }
}

/// A network that can be cut.
pub struct Wire {
    state: Arc<State>,
}

impl Wire {
    /// A network to a house, and the house as it is seen through it.
    pub fn to(house: &House) -> (Wire, House) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let seen = house.seen_at(listener.local_addr().unwrap().to_string());
        let (state, server) = (Arc::new(State::default()), house.address.clone());
        let wire = Wire { state: state.clone() };
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let Ok(client) = client else { return };
                if !state.cut.load(Ordering::SeqCst) {
                    connect(&state, client, &server);
                }
            }
        });
        (wire, seen)
    }

    pub fn cut(&self) {
        self.state.cut.store(true, Ordering::SeqCst);
        let mut open = self.state.open.lock().unwrap_or_else(PoisonError::into_inner);
        for stream in open.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    pub fn mend(&self) {
        self.state.cut.store(false, Ordering::SeqCst);
    }

    /// The server carries out the next POST request, but its response does not arrive.
    pub fn lose_response(&self) {
        self.state.loses_response.store(true, Ordering::SeqCst);
    }

    /// Whether a response was lost since.
    pub fn has_lost_response(&self) -> bool {
        !self.state.loses_response.load(Ordering::SeqCst)
    }
}

/// Forwards both directions of a connection until one side closes it.
fn connect(state: &Arc<State>, client: TcpStream, server: &str) {
    let Ok(server) = TcpStream::connect(server) else { return };
    state.keep(&client);
    state.keep(&server);
    let posts = Arc::new(AtomicBool::new(false));
    let (up, down) = (
        (client.try_clone().unwrap(), server.try_clone().unwrap(), posts.clone()),
        (server, client, posts, state.clone()),
    );
    std::thread::spawn(move || {
        let (from, to, posts) = up;
        forward(from, to, |bytes| {
            // Browsers send a request line in one piece.
            if [&b"POST "[..], b"GET "].iter().any(|word| bytes.starts_with(word)) {
                posts.store(bytes.starts_with(b"POST "), Ordering::SeqCst);
            }
            true
        });
    });
    std::thread::spawn(move || {
        let (from, to, posts, state) = down;
        forward(from, to, |_| {
            !(posts.load(Ordering::SeqCst) && state.loses_response.swap(false, Ordering::SeqCst))
        });
    });
}

/// Copies bytes until the end, or until `passes` says no; then both streams are closed.
fn forward(mut from: TcpStream, mut to: TcpStream, passes: impl Fn(&[u8]) -> bool) {
    let mut bytes = [0; 16 * 1024];
    while let Ok(n) = from.read(&mut bytes) {
        if n == 0 || !passes(&bytes[..n]) || to.write_all(&bytes[..n]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
