#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Sheets whose lines were deleted, doubled, moved, marked or put side by side: each draft ends in time,
//! and gives a pack that the check accepts. `DRAFT_MUTATIONS=5000` tries more of them than a build does.

use adjutant_draft::{Format, Options, draft};
use adjutant_pack::{Files, read_pack};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The number of sheets that a build tries.
const FEW: u64 = 100;

/// The longest time for one sheet. They are some kilobytes long and take a hundredth of that.
const LIMIT: Duration = Duration::from_secs(10);

/// The marks that a line may get.
const MARKS: [&str; 16] = [
    "> ",
    "| ",
    "- ",
    ": ",
    "* ",
    "# ",
    "    ",
    "\t",
    "+---+---+",
    "|---|",
    "=====",
    "\"",
    "<td>",
    "<li>",
    "1. ",
    "[!note] ",
];

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

fn sheets(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            sheets(&path, found);
        } else if path.extension().is_some_and(|e| e != "want") {
            found.push(path);
        }
    }
}

/// A part of a sheet with some of its lines changed. `other` may stand beside it.
fn changed(source: &str, other: &str, random: &mut Random) -> String {
    let all: Vec<&str> = source.lines().collect();
    let from = random.below(all.len());
    let mut lines: Vec<String> =
        all[from.min(all.len() / 2)..].iter().take(120).map(|line| (*line).to_owned()).collect();
    for _ in 0..1 + random.below(8) {
        let (at, to) = (random.below(lines.len()), random.below(lines.len()));
        let until = (at + 1 + random.below(12)).min(lines.len());
        match random.below(9) {
            0 if lines.len() > 1 => drop(lines.remove(at)),
            1 => lines.insert(to, lines[at].clone()),
            2 => lines.swap(at, to),
            3 | 4 => {
                let mark = MARKS[random.below(MARKS.len())];
                lines[at..until].iter_mut().for_each(|line| line.insert_str(0, mark));
            }
            5 => lines[at..until].iter_mut().for_each(|line| *line = format!("\"{line}\"")),
            6 => {
                let beside = other.lines().skip(random.below(40));
                let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
                for (line, more) in lines[at..].iter_mut().zip(beside) {
                    let blanks = (width + 4).saturating_sub(line.chars().count());
                    *line = format!("{line}{}{more}", " ".repeat(blanks.min(150)));
                }
            }
            7 => lines[at].clear(),
            _ => lines.insert(at, MARKS[random.below(MARKS.len())].to_owned()),
        }
        if lines.is_empty() {
            lines.push(String::new());
        }
    }
    lines.join("\n")
}

/// Checks the law of every draft.
fn check(source: &str, format: Option<Format>) {
    let Ok(made) = draft(source, &Options { format, ..Options::default() }) else { return };
    let files = Files::of([("pack.toml", made.pack_toml())]);
    assert!(read_pack(&files, None).is_ok(), "{}", made.pack_toml());
    assert_eq!(made.lines.len(), source.split('\n').count());
    let pieces = made.pieces.iter().flat_map(|piece| &piece.at);
    for at in pieces.chain(made.guesses.iter().map(|guess| &guess.at)) {
        assert!(source.get(at.clone()).is_some(), "{at:?}");
    }
}

#[test]
fn changed_sheets_end_in_time() {
    let mut paths = Vec::new();
    sheets(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets"), &mut paths);
    let texts: Vec<String> =
        paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let asked = std::env::var("DRAFT_MUTATIONS").ok().and_then(|n| n.parse().ok());
    let (send, told) = mpsc::channel();
    let (give, given) = mpsc::channel::<(String, Option<Format>)>();
    let worker = std::thread::spawn(move || {
        for (source, format) in given {
            check(&source, format);
            if send.send(()).is_err() {
                return;
            }
        }
    });
    let mut slowest = (Duration::ZERO, String::new());
    for seed in 0..asked.unwrap_or(FEW) {
        let mut random =
            Random(0x9e37_79b9_7f4a_7c15 ^ (seed + 1).wrapping_mul(0x2545_f491_4f6c_dd1d));
        (0..8).for_each(|_| _ = random.below(2));
        let (own, other) = (random.below(texts.len()), random.below(texts.len()));
        let source = changed(&texts[own], &texts[other], &mut random);
        // Some are read as what they are not.
        let formats = [Format::Text, Format::Markdown, Format::Html, Format::Sheet];
        let format = formats.get(random.below(12)).copied();
        let name = format!("{} #{seed} as {format:?}", paths[own].display());
        let start = Instant::now();
        give.send((source.clone(), format)).unwrap();
        let ended = told.recv_timeout(LIMIT);
        if ended.is_err() {
            let kept = std::env::temp_dir().join(format!("draft-mutation-{seed}.txt"));
            std::fs::write(&kept, &source).unwrap();
            panic!("{name} failed or takes longer than {LIMIT:?}: kept as {}", kept.display());
        }
        slowest = slowest.max((start.elapsed(), name));
    }
    println!("slowest: {:?} {}", slowest.0, slowest.1);
    drop(give);
    worker.join().unwrap();
}
