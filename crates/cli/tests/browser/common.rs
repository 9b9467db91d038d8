//! What the tests in a browser share: the command itself as a server, with the page inside, and one
//! Chromium for all.
#![allow(dead_code, clippy::expect_used, clippy::unwrap_used, clippy::panic, missing_docs)]

pub use adjutant_browser_test::{Browser, Tab};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// `adjutant serve` as a process.
pub struct House {
    process: Option<Child>,
    /// Host and port.
    pub address: String,
    store: String,
    _folder: Option<tempfile::TempDir>,
}

impl House {
    /// On a free port, with a store of its own.
    pub fn open() -> House {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("tables.db").display().to_string();
        let mut house = House::at(&store);
        house._folder = Some(folder);
        house
    }

    /// On a free port, with this store.
    pub fn at(store: &str) -> House {
        let mut house = House {
            process: None,
            address: "127.0.0.1:0".into(),
            store: store.into(),
            _folder: None,
        };
        house.start();
        house
    }

    /// Starts it (again, where it was).
    pub fn start(&mut self) {
        let mut process = Command::new(env!("CARGO_BIN_EXE_adjutant"))
            .args([
                "serve",
                "--no-open",
                "--log",
                "off",
                "--listen",
                &self.address,
                "--store",
                &self.store,
            ])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut first).unwrap();
        self.process = Some(process);
        self.address =
            first.trim().rsplit("http://").next().unwrap().trim_end_matches('/').to_owned();
        assert!(self.address.contains(':'), "it said: {first}");
    }

    /// Stops it, as a service manager would, and waits until it is gone.
    pub fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            assert!(Command::new("kill").arg(process.id().to_string()).status().unwrap().success());
            assert!(process.wait().unwrap().success());
        }
    }

    /// The same server at another address, such as that of a network in between.
    pub fn seen_at(&self, address: String) -> House {
        House { process: None, address, store: self.store.clone(), _folder: None }
    }

    /// The address of a place in the page.
    pub fn url(&self, place: &str) -> String {
        format!("http://{}/{place}", self.address)
    }

    /// A player with a browser of his own, at this place, when the engine is there.
    pub fn visit(&self, browser: &Browser, place: &str) -> Tab {
        let page = browser.page(&self.url(place));
        ready(&page);
        page
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// One Chromium for all tests that run at the time.
pub fn browser() -> Arc<Browser> {
    static SHARED: Mutex<Weak<Browser>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    shared.upgrade().unwrap_or_else(|| {
        let started = Arc::new(Browser::start());
        *shared = Arc::downgrade(&started);
        started
    })
}

/// Waits for the engine.
pub fn ready(page: &Tab) {
    let carried = page.eval("!document.body.innerText.includes('was built without the page')");
    assert_eq!(
        carried, true,
        "the command was built without the page: run tools/page first, as ./test does"
    );
    page.wait("document.documentElement.dataset.ready === 'yes'", "the engine is there");
}

/// Goes to another place of the page.
pub fn go(page: &Tab, place: &str) {
    page.eval(&format!("location.hash = {}", serde_json::json!(place)));
    page.wait(&format!("location.hash.startsWith({})", serde_json::json!(place)), place);
}

/// Nothing went wrong in the page, and nothing was forbidden by its policy.
#[track_caller]
pub fn calm(page: &Tab) {
    let complaints = page.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// Taps faces on the pad, one after another. Each tap waits until the pad asks for that die.
pub fn faces(page: &Tab, faces: &[u32]) {
    for face in faces {
        page.press(&format!(".pad-face[aria-label='{face}']"));
    }
}

/// A folder under target, for what a test leaves to look at.
pub fn kept(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder.canonicalize().unwrap()
}

/// Runs the command and gives what it said; it must have succeeded.
#[track_caller]
pub fn adjutant(words: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_adjutant")).args(words).output().unwrap();
    let said =
        String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "adjutant {}: {said}", words.join(" "));
    said
}

/// A file as if it were dropped on the page.
pub fn drop_file(page: &Tab, target: &str, name: &str, text: &str) {
    page.eval(&format!(
        "(() => {{ const data = new DataTransfer(); data.items.add(new File([{}], {})); document.querySelector({}).dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }})); }})()",
        serde_json::json!(text), serde_json::json!(name), serde_json::json!(target)
    ));
}
