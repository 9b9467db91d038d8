//! The command run in a folder of its own, with the data folder inside it; Anna acts.

use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Stdio};

pub fn adjutant(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adjutant"));
    command
        .current_dir(folder)
        .env_remove("ADJUTANT_PACKS")
        .env_remove("ADJUTANT_STORE")
        .env("ADJUTANT_NAME", "Anna")
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("HOME", folder)
        .stdin(Stdio::null());
    command
}

pub fn run(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let output = adjutant(folder).args(words).output().unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

/// What must work.
pub fn done(folder: &Path, words: &[&str]) -> String {
    let (code, out, err) = run(folder, words);
    assert_eq!((code, err.as_str()), (0, ""), "{words:?}\n{out}");
    out
}

/// What must not, with a part of its sentence.
pub fn fails(folder: &Path, words: &[&str], wanted: i32, part: &str) {
    let (code, out, err) = run(folder, words);
    assert!(code == wanted && err.contains(part), "{words:?} → {code}\n{out}{err}");
}

pub fn json(folder: &Path, words: &[&str]) -> Json {
    serde_json::from_str(&done(folder, &[words, &["--json"]].concat())).unwrap()
}

/// A table with two sides, two players and two units.
pub fn hill(folder: &Path) {
    done(
        folder,
        &["game", "new", "panzer8", "--name", "Hill", "--side", "Allies", "--side", "Axis"],
    );
    done(folder, &["game", "join", "Hill", "--side", "Allies"]);
    done(folder, &["game", "join", "Hill", "--as", "Bert", "--side", "Axis"]);
    done(folder, &["unit", "add", "Hill", "element", "Rifles", "hesa=6", "def=4"]);
    done(
        folder,
        &["unit", "add", "Hill", "element", "Grenadiers", "hesa=5", "def=4", "--as", "Bert"],
    );
}
