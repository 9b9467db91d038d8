//! The pair of pipes to Chromium: requests with ids, responses with the same ids, and events.
//! Messages are JSON texts that end with a zero byte.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The longest wait for a response.
const TIMEOUT: Duration = Duration::from_secs(60);

pub struct Pipe {
    to: Mutex<(ChildStdin, u64)>,
    received: Mutex<Received>,
    wakeup: Condvar,
}

/// Responses and events that were received and not yet fetched.
#[derive(Default)]
struct Received {
    answers: HashMap<u64, Value>,
    events: Vec<Event>,
    closed: bool,
}

/// An event of a page.
#[derive(Clone, Debug)]
pub struct Event {
    pub session: String,
    pub method: String,
    pub params: Value,
}

impl Pipe {
    pub fn new(to: ChildStdin, from: ChildStdout) -> Arc<Pipe> {
        let pipe = Arc::new(Pipe {
            to: Mutex::new((to, 0)),
            received: Mutex::default(),
            wakeup: Condvar::new(),
        });
        let reader = Arc::downgrade(&pipe);
        std::thread::spawn(move || {
            let mut from = BufReader::new(from);
            let mut message = Vec::new();
            loop {
                message.clear();
                let read = from.read_until(0, &mut message).unwrap_or(0);
                let Some(pipe) = reader.upgrade() else { return };
                let mut received = pipe.received.lock().unwrap_or_else(PoisonError::into_inner);
                if read == 0 {
                    received.closed = true;
                    pipe.wakeup.notify_all();
                    return;
                }
                message.pop();
                if let Ok(mut message) = serde_json::from_slice::<Value>(&message) {
                    match message["id"].as_u64() {
                        Some(id) => drop(received.answers.insert(id, message)),
                        None => received.events.push(Event {
                            session: message["sessionId"].as_str().unwrap_or_default().to_owned(),
                            method: message["method"].as_str().unwrap_or_default().to_owned(),
                            params: message["params"].take(),
                        }),
                    }
                    pipe.wakeup.notify_all();
                }
            }
        });
        pipe
    }

    /// Sends a request and waits for the response.
    pub fn ask(&self, session: Option<&str>, method: &str, params: Value) -> Result<Value, String> {
        let id = {
            let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
            to.1 += 1;
            let mut message = json!({ "id": to.1, "method": method, "params": params });
            if let Some(session) = session {
                message["sessionId"] = session.into();
            }
            let mut bytes = message.to_string().into_bytes();
            bytes.push(0);
            to.0.write_all(&bytes)
                .and_then(|()| to.0.flush())
                .map_err(|fault| format!("it does not listen: {fault}"))?;
            to.1
        };
        let deadline = Instant::now() + TIMEOUT;
        let mut received = self.received.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(mut answer) = received.answers.remove(&id) {
                return match answer.get("error") {
                    Some(error) => Err(error["message"].as_str().unwrap_or("refused").to_owned()),
                    None => Ok(answer["result"].take()),
                };
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if received.closed || left.is_zero() {
                return Err(if received.closed {
                    "it has gone".into()
                } else {
                    format!("no answer in {} s", TIMEOUT.as_secs())
                });
            }
            received =
                self.wakeup.wait_timeout(received, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes the events of a page that `wanted` accepts.
    pub fn events(&self, session: &str, wanted: impl Fn(&Event) -> bool) -> Vec<Event> {
        let mut received = self.received.lock().unwrap_or_else(PoisonError::into_inner);
        let (taken, rest) =
            received.events.drain(..).partition(|event| event.session == session && wanted(event));
        received.events = rest;
        taken
    }
}
