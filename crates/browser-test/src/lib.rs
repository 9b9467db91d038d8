//! Drives a real Chromium, for tests: what a player does with a mouse or a keyboard, and what the
//! player sees.
//!
//! It speaks the Chrome DevTools Protocol through a pair of pipes (`--remote-debugging-pipe`), so
//! it needs no port, no second program and no further dependency: existing drivers bring a driver
//! program with a port, or generated bindings that take minutes to build. Waiting is done in the
//! page itself until something is true; nothing sleeps. Each [`Tab`] has a profile of its own: two
//! pages are two players. Errors panic, because tests call this.
#![allow(clippy::panic, clippy::expect_used)]

mod page;
mod pipe;

pub use page::Tab;
use pipe::Pipe;
use serde_json::{Value, json};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

/// A running Chromium. It is stopped when this is dropped.
pub struct Browser {
    pipe: Arc<Pipe>,
    child: Child,
    /// The profile. It is deleted when this is dropped.
    _folder: tempfile::TempDir,
}

impl Browser {
    /// Starts Chromium with an empty profile.
    pub fn start() -> Browser {
        let folder = tempfile::tempdir().expect("a folder for the profile");
        let program = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".into());
        // The shell passes our two pipes on as descriptors 3 and 4, which Chromium uses.
        let mut child = Command::new("sh")
            .args([
                "-c",
                r#"exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null 2>"$CHROMIUM_STDERR""#,
                "sh",
                &program,
            ])
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
            ])
            .args([
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--mute-audio",
            ])
            .args([
                "--disable-extensions",
                "--force-color-profile=srgb",
                "--font-render-hinting=none",
                "--remote-debugging-pipe",
            ])
            .arg(format!("--user-data-dir={}", folder.path().display()))
            .env("CHROMIUM_STDERR", folder.path().join("stderr.txt"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let (to, from) =
            (child.stdin.take().expect("its input"), child.stdout.take().expect("its output"));
        let pipe = Pipe::new(to, from);
        let browser = Browser { pipe, child, _folder: folder };
        browser.ask("Browser.getVersion", json!({}));
        browser
    }

    /// Opens a page with a profile of its own.
    pub fn page(&self, address: &str) -> Tab {
        let context = self.ask("Target.createBrowserContext", json!({ "disposeOnDetach": true }));
        Tab::open(self.pipe.clone(), &context["browserContextId"], address)
    }

    fn ask(&self, method: &str, params: Value) -> Value {
        self.pipe
            .ask(None, method, params)
            .unwrap_or_else(|why| panic!("Chromium ({}): {method}: {why}", self.stderr()))
    }

    fn stderr(&self) -> String {
        std::fs::read_to_string(self._folder.path().join("stderr.txt")).unwrap_or_default()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.pipe.ask(None, "Browser.close", json!({}));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
