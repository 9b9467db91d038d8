#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! The examples of docs/api.md and docs/libraries.md, run as they stand: those for the shell against a server, that for
//! Python read by Python where there is one.

mod common;

use common::{House, file_in};
use std::process::{Command, Stdio};

fn blocks(kind: &str) -> String {
    blocks_of(include_str!("../../../docs/api.md"), kind)
}

fn blocks_of(page: &str, kind: &str) -> String {
    let found: Vec<&str> = page
        .split(&format!("```{kind}\n"))
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert!(!found.is_empty());
    found.join("\n")
}

#[test]
fn the_examples_for_the_shell_run() {
    let there =
        |tool: &str| Command::new(tool).arg("--version").stdout(Stdio::null()).status().is_ok();
    assert!(
        there("curl") && there("jq") && there("bash"),
        "the examples of docs/api.md need curl, jq and bash: run ./test"
    );
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let libraries = blocks_of(include_str!("../../../docs/libraries.md"), "sh");
    let script = format!("set -euo pipefail\n{}\n{libraries}", blocks("sh"));
    let done = Command::new("bash")
        .args(["-c", &script])
        .env("ADJUTANT", format!("http://{}", house.address))
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{out}\n{err}");
    for wanted in ["panzer8", "firer.hesa", "No effect: 9/25", "Unsuppressed", "pack.toml:"] {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
}

#[test]
fn the_bot_rolls_and_follows() {
    let python = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let house = House::open(&file_in(&folder));
    let (anna, made) = house.table();
    let id = common::text(&made["id"]);
    common::recruit(&anna, id);
    anna.post(&format!("/api/games/{id}/play"), &common::shot(3)).must(200);
    let (key, bot) = (common::text(&made["invitations"]["spectator"]), blocks("python"));
    let script = format!(
        "{bot}\nADJUTANT, GAME, KEY = 'http://{}', '{id}', '{key}'\n\
         print(roll('panzer8', 'rally', **{{'element.quality': 0}}))\nprint(roll('panzer8', 'fier'))\n\
         class Enough(Exception): pass\n\
         def say(text):\n    print(text)\n    raise Enough\n\
         try: follow(say)\nexcept Enough: pass\n",
        house.address
    );
    let done = Command::new("python3").args(["-c", &script]).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(
        done.status.success() && out.contains("Anna: ") && out.contains("did you mean `fire`"),
        "{out}\n{err}"
    );
}
