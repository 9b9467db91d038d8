#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! `adjutant serve` as a process: it says where it is, answers, and ends when told to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

struct Served {
    process: Child,
    said: BufReader<std::process::ChildStdout>,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn serve(folder: &tempfile::TempDir, more: &[&str]) -> Served {
    let store = folder.path().join("tables.db");
    let mut process = Command::new(env!("CARGO_BIN_EXE_adjutant"))
        .args(["serve", "--store", store.to_str().unwrap()])
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(process.stdout.take().unwrap());
    let mut first = String::new();
    said.read_line(&mut first).unwrap();
    let address = first.trim().rsplit("http://").next().unwrap().trim_end_matches('/').to_owned();
    Served { process, said, address }
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn tell(process: &Child, signal: &str) {
    assert!(
        Command::new("kill").args([signal, &process.id().to_string()]).status().unwrap().success()
    );
}

#[test]
fn it_says_where_it_is_answers_and_ends_when_told() {
    let folder = tempfile::tempdir().unwrap();
    for signal in ["-TERM", "-INT"] {
        let mut served = serve(&folder, &["--listen", "127.0.0.1:0"]);
        assert!(get(&served.address, "/healthz").ends_with("well\n"));
        assert!(get(&served.address, "/api/packs").contains("panzer8"));
        assert!(get(&served.address, "/").starts_with("HTTP/1.1 200"));
        tell(&served.process, signal);
        assert!(served.process.wait().unwrap().success());
        let mut rest = String::new();
        served.said.read_to_string(&mut rest).unwrap();
        assert!(!rest.contains("key") && rest.contains("Ctrl-C"), "{rest}");
    }
}

#[test]
fn beyond_loopback_it_shows_a_code_and_the_owners_key_and_logs_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let mut served = serve(&folder, &["--listen", "0.0.0.0:0", "--log", "json"]);
    let port = served.address.rsplit(':').next().unwrap().to_owned();
    let answer =
        get(&format!("127.0.0.1:{port}"), "/api/games/0123456789abcdef/lines?after=secret");
    assert!(answer.starts_with("HTTP/1.1 400") || answer.starts_with("HTTP/1.1 401"), "{answer}");
    tell(&served.process, "-TERM");
    served.process.wait().unwrap();
    let (mut said, mut logged) = (String::new(), String::new());
    served.said.read_to_string(&mut said).unwrap();
    served.process.stderr.take().unwrap().read_to_string(&mut logged).unwrap();
    let key = said.lines().find_map(|line| line.strip_prefix("The owner's key: ")).unwrap();
    assert!(key.len() >= 20 && said.contains('▀'), "{said}");
    assert!(
        logged.contains("\"route\":\"/api/games/{id}/lines\"")
            && !logged.contains("secret")
            && !logged.contains("0123456789abcdef"),
        "{logged}"
    );
    assert!(!logged.contains(key));
}

/// Tables and decks that are named with `--tables` are for one pack. The others are served, too.
#[test]
fn a_deck_for_one_pack_leaves_the_others_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("events.csv");
    std::fs::write(&deck, "card,title,text\n1,Rain,Wet\n2,Mist,Fog\n").unwrap();
    let served = serve(&folder, &["--listen", "127.0.0.1:0", "--tables", deck.to_str().unwrap()]);
    let listed = get(&served.address, "/api/packs");
    let packs: serde_json::Value =
        serde_json::from_str(listed.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    let supplied = |id: &str| {
        let pack = packs.as_array().unwrap().iter().find(|pack| pack["id"] == id);
        pack.map(|pack| pack["supplied"] == true)
    };
    assert_eq!(supplied("panzer8"), Some(true), "{packs}");
    for id in ["combat-leader", "chain-reaction", "asl-starter-kit"] {
        assert_eq!(supplied(id), Some(false), "{id}: {packs}");
    }
}

#[test]
fn packs_that_are_named_are_served_with_source_and_bundle_and_without_their_path() {
    let folder = tempfile::tempdir().unwrap();
    let packs = folder.path().join("secret-place");
    std::fs::create_dir(&packs).unwrap();
    let made = Command::new(env!("CARGO_BIN_EXE_adjutant"))
        .args(["new", "my-game"])
        .current_dir(&packs)
        .output()
        .unwrap();
    assert!(made.status.success());
    let served = serve(&folder, &["--listen", "127.0.0.1:0", "--packs", packs.to_str().unwrap()]);
    let listed = get(&served.address, "/api/packs");
    assert!(!listed.contains("secret-place"), "{listed}");
    let listed: serde_json::Value =
        serde_json::from_str(listed.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    let all = listed.as_array().unwrap();
    let mine = all.iter().find(|pack| pack["id"] == "my-game").unwrap();
    assert_eq!(mine["from"], "--packs");
    let sum = mine["bundle"].as_str().unwrap();
    let bundle = get(&served.address, &format!("/api/bundles/{sum}"));
    let bundle = adjutant_pack::Bundle::read(bundle.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    assert_eq!(mine["hash"], bundle.files().hash().as_str());
    let shipped = all.iter().find(|pack| pack["id"] == "panzer8").unwrap();
    assert_eq!(shipped["from"], "comes with adjutant");
}

/// The soft and the hard limit of open files of a process.
#[cfg(target_os = "linux")]
fn file_limits(id: u32) -> (u64, u64) {
    let limits = std::fs::read_to_string(format!("/proc/{id}/limits")).unwrap();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    let mut numbers = line.split_whitespace().map(|word| word.parse().unwrap_or(u64::MAX));
    (numbers.next().unwrap(), numbers.next().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn the_limit_of_open_files_is_raised_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("tables.db");
    let mut process = Command::new("sh")
        .args(["-c", "ulimit -Sn 128 && exec \"$@\"", "sh", env!("CARGO_BIN_EXE_adjutant")])
        .args(["serve", "--listen", "127.0.0.1:0", "--store", store.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(process.stdout.take().unwrap());
    said.read_line(&mut String::new()).unwrap();
    let (soft, hard) = file_limits(process.id());
    let _served = Served { process, said, address: String::new() };
    assert_eq!(soft, hard.min(65_536));
}
