//! The tutorial as a reader follows it: each block of a file is added to that file, each command is
//! run in the folder, and prints what the page says. `BLESS=1` writes the output into the page.
#![allow(missing_docs, clippy::panic, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/tutorial.md")
}

/// The text of the page with the commands run again: each console block has the real output.
fn followed(text: &str, folder: &Path) -> String {
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if info == "console" {
            for command in block.iter().filter_map(|line| line.strip_prefix("$ adjutant ")) {
                out.push_str(&format!("$ adjutant {command}\n{}", printed(command, folder)));
            }
        } else {
            if let Some(file) = info.split("file=").nth(1) {
                add(&folder.join("lantern-hill").join(file), &block.join("\n"));
            }
            block.iter().for_each(|line| out.push_str(&format!("{line}\n")));
        }
        out.push_str("```\n");
    }
    out
}

fn add(file: &Path, text: &str) {
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let before = std::fs::read_to_string(file).unwrap_or_default();
    std::fs::write(file, format!("{before}{text}\n\n")).unwrap();
}

fn printed(command: &str, folder: &Path) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_adjutant"))
        .args(command.split(' '))
        .current_dir(folder)
        .env("ADJUTANT_PACKS", "")
        .env("ADJUTANT_STORE", folder.join("games.db"))
        .env("XDG_DATA_HOME", folder)
        .env("XDG_STATE_HOME", folder)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let text = [run.stdout, run.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn the_tutorial_can_be_followed_to_the_letter() {
    let folder = tempfile::tempdir().unwrap();
    let told = std::fs::read_to_string(page()).unwrap();
    let real = followed(&told, folder.path());
    assert!(real.matches("$ adjutant ").count() >= 8, "the tutorial shows too few commands");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(page(), real).unwrap();
        return;
    }
    let differs = told.lines().zip(real.lines()).enumerate().find(|(_, (told, real))| told != real);
    if let Some((line, (told, real))) = differs {
        panic!("line {}: the page says\n  {told}\nand it is\n  {real}", line + 1);
    }
    assert_eq!(told.lines().count(), real.lines().count());
}
