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
    let first = ("of the first version", "the rules of the second");
    out.push_str(&cases_in_words(&broken.iter().collect::<Vec<_>>(), first));
    out.push_str(&cases_in_words(&own, ("of the second version", "its own rules")));
    out.push_str(&games_in_words(&games, !asked.log.is_empty()));
    Ok(CommandOutput::done(out))
}

/// The cases of a version that fail by some rules.
fn cases_in_words(cases: &[&FailingCase], (of, by): (&str, &str)) -> String {
    let head = match cases.len() {
        0 => return String::new(),
        1 => format!("\n1 case {of} fails by {by}\n"),
        count => format!("\n{count} cases {of} fail by {by}\n"),
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

/// A pack by id, folder or bundle, or as it was in git: `HEAD~1:packs/panzer8`, or `HEAD~1` in the
/// pack's folder.
fn open(shelf: &PackRegistry, text: &str) -> Result<Opened, CommandError> {
    let in_git = in_git(text);
    let known = Path::new(text).exists() || (in_git.is_none() && shelf.find(text).is_ok());
    let bare = || !known && is_revision(text);
    let object = match in_git {
        Some(object) if !known => object,
        _ if bare() => GitObject { revision: text, path: "./" },
        _ => {
            let OpenedPack { pack, files, .. } = shelf.open(text)?;
            return Ok(Opened { files, pack });
        }
    };
    let (files, supplied) = from_git(object)?.into_parts();
    match read_pack_with(&files, &supplied.as_files()) {
        Ok(pack) => Ok(Opened { files, pack }),
        Err(faults) => {
            let (folder, own) = (Some(text.to_owned()), Vec::new());
            Err(CommandError::Pack(Box::new(FaultyPack { faults, files, folder, own })))
        }
    }
}

/// A folder or file as a commit has it.
#[derive(Clone, Copy)]
struct GitObject<'t> {
    revision: &'t str,
    path: &'t str,
}

impl GitObject<'_> {
    fn name(self) -> String {
        format!("{}:{}", self.revision, self.path)
    }
}

/// `REVISION:PATH`. A single letter before the colon is a drive.
fn in_git(text: &str) -> Option<GitObject<'_>> {
    let (revision, path) = text.split_once(':')?;
    (revision.len() > 1 && !text.starts_with('-') && !path.starts_with("//"))
        .then_some(GitObject { revision, path })
}

/// Whether git knows a commit of this name.
fn is_revision(text: &str) -> bool {
    let commit = format!("{text}^{{commit}}");
    !text.starts_with('-') && git(&["rev-parse", "--verify", "--quiet", &commit], 1 << 10).is_ok()
}

/// A folder or bundle as a commit has it. The path is read as git does, from the top of the work
/// tree; if nothing is there, from the folder where the command runs.
fn from_git(object: GitObject<'_>) -> Result<Bundle, CommandError> {
    if !is_revision(object.revision) {
        let revision = adjutant_pack::clip(object.revision);
        return Err(CommandError::usage([format!(
            "git has no revision `{revision}` here: git log lists them"
        )]));
    }
    let from_here = format!("./{}", object.path);
    let here = GitObject { path: &from_here, ..object };
    let is_there = |object: &GitObject<'_>| git(&["cat-file", "-e", &object.name()], 0).is_ok();
    let mut found = [object, here].into_iter().filter(is_there);
    let Some(first) = found.next() else {
        let GitObject { revision, path } = object;
        let (revision, path) = (adjutant_pack::clip(revision), adjutant_pack::clip(path));
        return Err(CommandError::usage([format!("git has no `{path}` in {revision}")]));
    };
    if crate::pack_registry::is_bundle(Path::new(object.path)) {
        let text = git(&["cat-file", "blob", &first.name()], LARGEST_BUNDLE as u64 + 1)?;
        return Bundle::read(&text).map_err(|why| {
            let en::Sentence { message, help } = en::diagnostic::bundle(&why);
            CommandError::faulty([format!("{}: {message}: {help}", object.name())])
        });
    }
    let files = files_of(first).or_else(|why| match found.next().map(files_of) {
        Some(Ok(files)) => Ok(files),
        _ => Err(why),
    });
    files.map(Bundle::new)
}

/// The files of a pack's folder as a commit has it.
fn files_of(object: GitObject<'_>) -> Result<Files, CommandError> {
    let folder = object.path.strip_suffix("pack.toml").unwrap_or(object.path);
    let folder = GitObject { path: folder, ..object };
    let not_a_pack = || {
        let what = match object.path {
            "./" => format!(
                "{} is a revision of git, and this folder is no pack in it: name the pack with {}:PATH",
                object.revision, object.revision
            ),
            _ => format!("{} is not a pack: it needs a pack.toml", object.name()),
        };
        CommandError::usage([what])
    };
    let names = git(&["ls-tree", "-z", "--full-tree", "--name-only", &folder.name()], LARGEST_FILE)
        .map_err(|_| not_a_pack())?;
    let belongs = |name: &&str| {
        matches!(*name, "pack.toml" | "cases.toml" | "README.md")
            || (name.ends_with(".csv") && !name.starts_with('.'))
    };
    let names: Vec<&str> = names.split('\0').filter(belongs).take(MOST_FILES + 1).collect();
    if !names.contains(&"pack.toml") || names.len() > MOST_FILES {
        return Err(not_a_pack());
    }
    let base = folder.name();
    let mut files = Files::default();
    for name in names {
        // At the top of the tree nothing stands before the name.
        let slash = if base.ends_with([':', '/']) { "" } else { "/" };
        files.put(name, git(&["cat-file", "blob", &format!("{base}{slash}{name}")], LARGEST_FILE)?);
    }
    Ok(files)
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
