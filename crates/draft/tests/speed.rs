#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! The time of a draft grows with its source and not with its square: for each style, a source of twice
//! the size is timed beside one of half of it, in the same run.
//! `cargo test --release -p adjutant-draft --test speed -- --nocapture --ignored` times 1 MB.

use adjutant_draft::{Options, draft};
use std::path::Path;
use std::time::{Duration, Instant};

/// Sources of a size: the sheets of the tests one after the other, and lists without an end.
fn sources(size: usize) -> Vec<(&'static str, String)> {
    let folder = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets").join(name);
        let mut files: Vec<_> = std::fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending != "want"))
            .collect();
        files.sort();
        files.iter().map(|path| std::fs::read_to_string(path).unwrap() + "\n\n").collect::<String>()
    };
    let repeated = |text: &str| {
        let mut all = String::with_capacity(size + text.len());
        while all.len() < size {
            all.push_str(text);
        }
        while !all.is_char_boundary(size) || all.len() > size {
            all.pop();
        }
        all
    };
    let numbered = |line: &dyn Fn(usize) -> String| {
        let mut all = String::with_capacity(size + 100);
        for n in 0.. {
            if all.len() >= size {
                return all;
            }
            all.push_str(&line(n));
        }
        all
    };
    let text = folder("side") + &folder("ocr") + &folder("scan") + &folder("printed");
    vec![
        ("text", repeated(&text)),
        ("markdown", repeated(&folder("markdown"))),
        ("html", repeated(&folder("html"))),
        ("csv", repeated(&folder("spreadsheet"))),
        ("modifiers", format!("LIST\nRoll 2d6.\n{}", repeated("+1  Target in cover, far away\n"))),
        ("rows", format!("TABLE\nRoll 2d6.\n{}", numbered(&|n| format!("{n}  Result {n}\n")))),
        ("grid", repeated("Infantry   8    6    4    2    0\n")),
        ("terms", repeated("WORD - what the word means in this game\n")),
        ("titles", repeated("MORALE\n\n")),
        (
            "prose",
            repeated("Add 1 if the target is in cover, and subtract 2 if it is far away. ")
                .replace("away. ", "away.\n"),
        ),
        ("paragraph", repeated("on a 1 it runs; on a 2 it stands, and a further 1 if it moved\n")),
        ("quotes", repeated("\"a,\"b\n")),
        ("tags", repeated("<td><tr><p>")),
        ("bars", repeated("| a | 1 | +1 |\n")),
        ("columns", repeated("1-2   Rout        +1  Close      Foot   8   6\n")),
        ("blanks", repeated("a                                        b\n")),
    ]
}

fn time(source: &str) -> Duration {
    let start = Instant::now();
    let _ = draft(source, &Options::default());
    start.elapsed()
}

/// The shortest of three runs of each, in turns, so that another process disturbs both.
fn pair(small: &str, large: &str) -> (Duration, Duration) {
    (0..3)
        .map(|_| (time(small), time(large)))
        .reduce(|best, next| (best.0.min(next.0), best.1.min(next.1)))
        .unwrap()
}

#[test]
fn twice_the_text_takes_about_twice_the_time() {
    let size = 12_000;
    for ((name, small), (_, large)) in sources(size).iter().zip(sources(2 * size)) {
        let (once, twice) = pair(small, &large);
        let ratio = twice.as_secs_f64() / once.as_secs_f64().max(0.000_5);
        println!("{name}: {once:?}, {twice:?}, {ratio:.1} times");
        // A square gives four times. Short runs are not told apart.
        assert!(ratio < 3.4 || twice < Duration::from_millis(25), "{name}: {ratio:.1} times");
    }
}

#[test]
#[ignore = "for an optimised build"]
fn a_megabyte_takes_a_second() {
    for (name, source) in sources(1 << 20) {
        let taken = (0..3).map(|_| time(&source)).min().unwrap();
        println!("{name}: {taken:?}");
        assert!(taken <= Duration::from_secs(1), "{name}: {taken:?}");
    }
}
