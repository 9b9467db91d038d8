//! `adjutant new`: a small pack that is sound from the first minute, to be changed line by line.

use crate::verdict::Verdict;
use std::path::Path;

const PACK: &str = include_str!("../skeleton/pack.toml");
const CASES: &str = include_str!("../skeleton/cases.toml");
const README: &str = include_str!("../skeleton/README.md");

pub fn new(name: &str) -> Verdict {
    let fine = name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !fine {
        let shown: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
        return Verdict::wrong(&[format!(
            "`{shown}` cannot be a game's id: begin with a small letter and use small letters, digits and hyphens, as in my-game"
        )]);
    }
    let folder = Path::new(name);
    if folder.exists() {
        return Verdict::wrong(&[format!("`{name}` is there already: nothing was changed")]);
    }
    match write(folder, name) {
        Ok(()) => Verdict::done(format!(
            "made {name}/ with pack.toml, cases.toml and README.md\n\n  adjutant check {name}\n  adjutant test {name} --coverage\n  adjutant roll {name} fire\n\nThe guide is docs/pack-format.md.\n"
        )),
        Err(fault) => Verdict::wrong(&[format!("{name} cannot be written: {fault}")]),
    }
}

/// Writes into a folder beside it first, so that a failure leaves nothing half made.
fn write(folder: &Path, name: &str) -> std::io::Result<()> {
    let making = folder.with_file_name(format!(".{name}.new"));
    let title: String = name.split('-').map(capital).collect::<Vec<_>>().join(" ");
    let fill = |text: &str| text.replace("{id}", name).replace("{title}", &title);
    let made = std::fs::create_dir_all(&making)
        .and_then(|()| std::fs::write(making.join("pack.toml"), fill(PACK)))
        .and_then(|()| std::fs::write(making.join("cases.toml"), fill(CASES)))
        .and_then(|()| std::fs::write(making.join("README.md"), fill(README)))
        .and_then(|()| std::fs::rename(&making, folder));
    if made.is_err() {
        let _ = std::fs::remove_dir_all(&making);
    }
    made
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
