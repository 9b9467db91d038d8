//! `adjutant diff`: two versions of a pack, compared by their consequences.

use crate::args::Diff;
use crate::error::{CommandError, CommandResult, FaultyPack};
use crate::game::{Game, OtherRules, Tried};
use crate::json::pretty;
use crate::output::CommandOutput;
use crate::pack_registry::{OpenedPack, PackRegistry};
use adjutant_api::{CaseDiff, PackDiffData};
use adjutant_diff::{Effort, FailingCase, Version, diff, failing_cases};
use adjutant_engine::Stop;
use adjutant_pack::{
    Bundle, Files, LARGEST_BUNDLE, LARGEST_FILE, MOST_FILES, Pack, read_pack_with,
};
use adjutant_wording::en;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an update looks for shifts.
pub const UPDATE_TIME: Duration = Duration::from_secs(20);
/// How long `diff` looks for shifts, unless it is told.
const USUAL_TIME: u64 = 60;

/// Stops after a time.
pub fn stop_after(time: Duration) -> Stop {
    let end = Instant::now() + time;
    Stop::when(move || Instant::now() >= end)
}

/// A version of a pack that was read.
struct Opened {
    files: Files,
    pack: Pack,
}

pub fn run(game: &Game<'_>, asked: &Diff) -> CommandResult {
    let (before, after) = (open(game.shelf, &asked.before)?, open(game.shelf, &asked.after)?);
    let time = Duration::from_secs(asked.max_time.unwrap_or(USUAL_TIME));
    let effort = Effort { stop: stop_after(time), ..Effort::default() };
    let one = Version { files: &before.files, pack: &before.pack };
    let other = Version { files: &after.files, pack: &after.pack };
    let found = diff(&one, &other, &effort);
    let (broken, own) = failing_cases(&one, &other, en::case_error);
    let rules = OtherRules {
        pack: Arc::new(after.pack.clone()),
        ids: [before.pack.id().as_str(), after.pack.id().as_str()],
    };
    let games = match asked.log.as_slice() {
        [] => rules.try_store(game)?,
        files => rules.try_files(files)?,
    };
    if asked.json {
        let case = |case: &FailingCase| CaseDiff {
            name: case.name.clone(),
            why: en::case_failure(&case.why),
        };
        return Ok(CommandOutput::done(pretty(&PackDiffData {
            diff: &found,
            failing_cases: broken.iter().map(case).collect(),
            own_failing_cases: own.iter().map(case).collect(),
            games: games.iter().map(|game| game.data()).collect(),
        })));
    }
    let mut out: String = en::pack_diff(&found).iter().map(|line| format!("{line}\n")).collect();
    // A case that both versions have is told once.
    let told = |case: &FailingCase| {
        broken.iter().any(|known| known.name == case.name && known.why == case.why)
    };
    let own: Vec<&FailingCase> = own.iter().filter(|case| !told(case)).collect();
    out.push_str(&cases_in_words(&broken.iter().collect::<Vec<_>>(), "the first"));
    out.push_str(&cases_in_words(&own, "the second itself"));
    out.push_str(&games_in_words(&games, !asked.log.is_empty()));
    Ok(CommandOutput::done(out))
}

/// The cases of a version that fail by the rules of the second.
fn cases_in_words(cases: &[&FailingCase], of: &str) -> String {
    let head = match cases.len() {
        0 => return String::new(),
        1 => format!("\n1 case of {of} fails by the rules of the second\n"),
        count => format!("\n{count} cases of {of} fail by the rules of the second\n"),
    };
    let line = |case: &&FailingCase| format!("  {}: {}\n", case.name, en::case_failure(&case.why));
    head + &cases.iter().map(line).collect::<String>()
}

/// The games that come out otherwise, and how many do not. A game that was named has its own line.
fn games_in_words(games: &[Tried], named: bool) -> String {
    if games.is_empty() {
        return String::new();
    }
    let shown: String =
        games.iter().filter(|game| named || !game.sound()).map(Tried::in_words).collect();
    let same = games.iter().filter(|game| game.sound()).count();
    let rest = match same {
        _ if named => String::new(),
        0 => String::new(),
        1 => "1 game comes out the same\n".to_owned(),
        same => format!("{same} games come out the same\n"),
    };
    format!("\nrecorded games by the rules of the second\n{shown}{rest}")
}

/// A pack by id, folder or bundle, or as it was in git: `HEAD~1:packs/panzer8`.
fn open(shelf: &PackRegistry, text: &str) -> Result<Opened, CommandError> {
    if let Some((revision, path)) = text.split_once(':')
        && revision.len() > 1
        && !Path::new(text).exists()
        && !text.starts_with('-')
    {
        let (files, supplied) = from_git(text, path)?.into_parts();
        let read = read_pack_with(&files, &supplied.as_files());
        return match read {
            Ok(pack) => Ok(Opened { files, pack }),
            Err(faults) => {
                let folder = Some(text.to_owned());
                let own = Vec::new();
                Err(CommandError::Pack(Box::new(FaultyPack { faults, files, folder, own })))
            }
        };
    }
    let OpenedPack { pack, files, .. } = shelf.open(text)?;
    Ok(Opened { files, pack })
}

/// A folder or bundle as a commit has it.
fn from_git(object: &str, path: &str) -> Result<Bundle, CommandError> {
    if crate::pack_registry::is_bundle(Path::new(path)) {
        let text = git(&["cat-file", "blob", object], LARGEST_BUNDLE as u64 + 1)?;
        return Bundle::read(&text).map_err(|why| {
            CommandError::faulty([format!("{object}: {}", en::diagnostic::bundle(&why).message)])
        });
    }
    let names = git(&["ls-tree", "-z", "--name-only", object], LARGEST_FILE)?;
    let belongs = |name: &&str| {
        matches!(*name, "pack.toml" | "cases.toml" | "README.md")
            || (name.ends_with(".csv") && !name.starts_with('.'))
    };
    let names: Vec<&str> = names.split('\0').filter(belongs).take(MOST_FILES + 1).collect();
    if !names.contains(&"pack.toml") || names.len() > MOST_FILES {
        return Err(CommandError::usage([format!("{object} is not a pack: it needs a pack.toml")]));
    }
    let base = object.trim_end_matches('/');
    let mut files = Files::default();
    for name in names {
        // At the top of the tree nothing stands before the name.
        let of =
            if base.ends_with(':') { format!("{base}{name}") } else { format!("{base}/{name}") };
        files.put(name, git(&["cat-file", "blob", &of], LARGEST_FILE)?);
    }
    Ok(Bundle::new(files))
}

/// What git says, if it has at most so many bytes.
fn git(words: &[&str], most: u64) -> Result<String, CommandError> {
    let wrong = |why: String| CommandError::usage([format!("git {}: {why}", words.join(" "))]);
    let mut child = Command::new("git")
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|fault| wrong(fault.to_string()))?;
    let mut bytes = Vec::new();
    let read = match child.stdout.take() {
        Some(out) => out.take(most + 1).read_to_end(&mut bytes),
        None => Ok(0),
    };
    // A longer text is not read to its end, so git would wait.
    if bytes.len() as u64 > most {
        let _ = child.kill();
    }
    let ended = child.wait();
    read.map_err(|fault| wrong(fault.to_string()))?;
    if bytes.len() as u64 > most {
        return Err(wrong(format!("it has more than {most} bytes")));
    }
    match ended {
        Ok(status) if status.success() => {
            String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8 text".into()))
        }
        _ => Err(wrong("git has nothing of this name".into())),
    }
}
