#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Texts that are as bad as a stranger can make them: time and memory of a draft stay bounded.
//!
//! The time is compared with a plain pass over the same text in the same run, so that a slow or busy
//! machine slows down both. `cargo test --release -p adjutant-draft --test worst -- --nocapture --ignored`
//! drafts 1 MB of each and holds a second.

use adjutant_draft::{LARGEST_SOURCE, Options, draft};
use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Lines made of their number, up to a size.
fn lines(size: usize, line: impl Fn(usize) -> String) -> String {
    let mut all = String::with_capacity(size + 200);
    for n in 0.. {
        let next = line(n);
        if all.len() + next.len() > size {
            break;
        }
        all.push_str(&next);
    }
    all
}

fn repeated(size: usize, part: &str) -> String {
    part.repeat(size / part.len())
}

fn row(cells: usize, cell: impl Fn(usize) -> String, mark: &str) -> String {
    (0..cells).map(cell).collect::<Vec<_>>().join(mark) + "\n"
}

/// Tables, spans and nesting.
fn tables(size: usize) -> Vec<(&'static str, String)> {
    let wide = |mark: &'static str| {
        lines(size, move |n| {
            row(60, |c| if c == 0 { format!("Row {n}") } else { c.to_string() }, mark)
        })
    };
    let pipes = format!("| {}|{}", row(60, |c| format!("C{c}"), " | ").trim(), "\n|---|---|\n");
    vec![
        ("huge table, tabs", wide("\t")),
        ("huge table, commas", wide(",")),
        ("huge table, blanks", wide("   ")),
        (
            "huge table, pipes",
            pipes + &lines(size - 1000, |n| format!("| {n} | a | b | c | +1 |\n")),
        ),
        ("only pipes", lines(size, |_| "|".repeat(80) + "\n")),
        ("only tabs", lines(size, |_| "\t".repeat(80) + "\n")),
        ("deep boxes", repeated(size, "<div><ul><li>")),
        ("deep tables", repeated(size, "<table><tr><td>")),
        ("spans", repeated(size, "<tr><td colspan=100 rowspan=100>x</td></tr>")),
        ("raised marks", repeated(size, "<td>1<sup>a")),
        ("one HTML line", format!("<table>{}", repeated(size, "<tr><td>1<td>Rout<td>+1</tr>"))),
        ("open comments", repeated(size, "<!-- <td>")),
        ("entities", format!("<p>{}", repeated(size, "&eacute;&amp;&#x41;&nonsense"))),
    ]
}

/// Lists and tables of one kind without an end.
fn lists(size: usize) -> Vec<(&'static str, String)> {
    let titled = |text: String| format!("LIST\nRoll 2d6.\n{text}");
    let mut all = vec![
        ("modifiers", titled(lines(size, |n| format!("+{}  Target is number {n}\n", n % 9)))),
        ("unsigned", titled(lines(size, |n| format!("{}  Target number {n}\n", n % 9)))),
        ("choices", titled(lines(size, |n| format!("Crew {n}: a / b / c   +1 / 0 / -1\n")))),
        ("in one line", titled(lines(size, |n| format!("+1 a{n}, +2 b{n}, -1 c{n}, +3 d{n}\n")))),
        ("bands", titled(lines(size, |n| format!("{}-{}  Result {n}\n", 3 * n, 3 * n + 2)))),
        ("conditions", titled(lines(size, |n| format!("{n}, enemy is near   Result {n}\n")))),
        ("footnotes", lines(size, |n| format!("({}) A note about {n}\n", n % 10))),
        (
            "marked cells",
            format!("(1) A note.\n{}", lines(size, |n| format!("R{n}   a(1)   b(1)   c(1)\n"))),
        ),
        ("glued bands", lines(size, |n| format!("{n}Result of it\n"))),
        ("bold titles", lines(size, |n| format!("[b]Title {n}[/b]\n"))),
        ("titles", lines(size, |n| format!("TITLE {n}\n\n"))),
        ("rolls", lines(size, |n| format!("Firer {n} rolls 2d6 and adds Skill\n"))),
        ("terms", lines(size, |n| format!("WORD{n} - what the word means here\n"))),
        ("phases", format!("TURN SEQUENCE\n{}", lines(size, |n| format!("{n}. Phase of it\n")))),
        ("names", format!("VALUES\n{}", lines(size, |n| format!("Name {n}   {}\n", n % 9)))),
        ("side by side", lines(size, |n| format!("{n}-{n}  Rout    +1 Near    Foot  8  6\n"))),
    ];
    let mut pairs = String::new();
    while pairs.len() + 40 < size {
        let _ = write!(pairs, "TITLE\nRoll 1d6.\n\n1  a\n2  b\n\n");
    }
    all.push(("many charts", pairs));
    all
}

fn texts(size: usize) -> Vec<(&'static str, String)> {
    let long = (size / 2).min(19_000);
    let wrapped = |part: &str| {
        let line = part.repeat(190 / part.len() + 1) + "\n";
        repeated(size, &line)
    };
    vec![
        ("long lines", repeated(size, &("word +1 or 2d6, ".repeat(long / 16) + "\n"))),
        ("long words", repeated(size, &("x".repeat(long) + "\n"))),
        ("digits", repeated(size, &("7".repeat(long) + "\n"))),
        ("sentences", wrapped("On a 1-2 it runs; on a 3 add 1 if it moved. ")),
        ("rolls in a row", wrapped("roll 2d6 ")),
        ("brackets", wrapped("(((")),
        ("signs", wrapped("+ - ± × ")),
        ("leaders", wrapped("a.... ")),
        ("quotes", wrapped("\",\"\"")),
        ("blanks", wrapped("a          ")),
        ("letters and digits", wrapped("1½²–＋Ⅷ🎲ß İ ")),
        ("marks", wrapped("**_`<b>")),
        ("links", format!("# a\n{}", repeated(size, &("[a](b)[^1]".repeat(long / 10) + "\n")))),
        ("terms", format!("# a\n{}", lines(size, |n| format!("Guard {n}\n:   {n}+\n\n")))),
        ("nested items", repeated(size, "<ul><li><p>a +1</p>")),
        ("places", repeated(size, "<div><p style=\"top:1px;left:2px\">a +1")),
        (
            "placed lines",
            lines(size, |n| format!("<div><p style=\"top:{n}px;left:9px\">{n} a</p>\n")),
        ),
        ("commands", format!("\\begin{{a}}\n\\a\n\\a\n{}", wrapped("\\begin{tabular}&\\\\"))),
        ("cells of LaTeX", format!("\\begin{{tabular}}\n\\a\n\\a\n{}", wrapped("a & b "))),
        ("bars", format!("|===\n{}|===\n", wrapped("|a"))),
        ("cells of a forum", repeated(size, "[tr][td]a\n")),
        ("messages", lines(size, |n| format!("[12/03/24, 19:02] A: {n} *a* b\n"))),
        ("ties", wrapped("If the totals are equal, it stays by 1. ")),
        ("rising blanks", lines(size, |n| format!("{}a  b\n", " ".repeat(n % 150)))),
    ]
}

/// Texts that once took minutes, gigabytes or the whole stack.
fn once_slow(size: usize) -> Vec<(&'static str, String)> {
    let long = (size / 2).min(19_000);
    let half = |part: &str| part.repeat(size / 2 / part.len());
    let wrapped = |width: usize, part: &str| {
        let line = part.repeat(width / part.len()) + "x\n";
        repeated(size, &line)
    };
    vec![
        ("spans of a long text", format!("<td colspan=99 rowspan=99>{}<tr><td>a", half("b c "))),
        (
            "spans of a text",
            repeated(size, &format!("<tr><td colspan=99 rowspan=99>{}", half("b "))),
        ),
        ("wide spans", repeated(size, "<td colspan=1000>a")),
        ("open brackets", format!("<p>{}", repeated(size, "["))),
        ("open brackets in lines", repeated(size, &("(".repeat(long) + "1\n"))),
        ("run-in titles", repeated(size, &("ABCD. ".repeat(long / 6) + "\n"))),
        ("run-in titles, HTML", format!("<p>{}", repeated(size, "ABCD. "))),
        ("long leaders", repeated(size, &(".".repeat(long) + "x\n"))),
        ("forum tags", repeated(size, &("[b]".repeat(long / 3) + "[/b]\n"))),
        ("lone raised marks", wrapped(long, "a ² ")),
        ("two blanks after sentences", wrapped(900, "It fires.  On it. ")),
        ("signs with blanks", wrapped(900, " = ")),
        ("cells of one letter", wrapped(120, "a   ")),
        ("cells of markup", wrapped(120, "<b>   ")),
        ("combining marks", wrapped(190, "e\u{301}   ")),
        ("form feeds", lines(size, |n| format!("\u{c}Head of the page {}\n", n % 7))),
        (
            "quotes after blanks",
            repeated(size, &format!("{}{},\n", " ".repeat(long / 2), "\"".repeat(long / 2))),
        ),
        ("wide sheet", lines(size, |_| row(200, |_| "&amp".into(), ";"))),
        (
            "wide table",
            lines(size, |n| {
                row(150, |c| if c < 2 { format!("Ab {n}") } else { "Range".into() }, "\t")
            }),
        ),
        ("terms after a text", format!("<p>a = {}{}", half("b c "), half("<dt>"))),
        ("bold after blanks", format!("<p>{}x{}", half("    "), half("<b>"))),
        ("misread figures", lines(size, |_| "I l I l I l I l I l\n".into())),
        ("misread paragraphs", lines(size, |_| "<p>l l l l l l l l\n".into())),
        ("numbered capitals", lines(size, |n| format!("{n} AAAAAAAAAAAAAA\n"))),
        ("names and dice", lines(size, |n| format!("Name {n:<22}of some words   d6\n\n"))),
        (
            "names and numbers",
            lines(size, |n| format!("Name {n:<22}of some words   {}+\n\n", n % 6)),
        ),
        ("paragraphs", lines(size, |_| "<p>to be or not to\n".into())),
        ("paragraphs in a line", repeated(size, "<p>hit on 5+ hit on 5")),
        ("notes before a chart", {
            let notes = lines(size - 100, |n| {
                format!("A note {n:<9} of a few words.\n\nAnother note without a number here.\n\n")
            });
            format!("FIRE\n\n{notes}1  Miss\n2  Hit\n")
        }),
        ("amounts alone", lines(size, |n| format!("{:>18}\n", format!("+{}", n % 7)))),
        ("bands in lines", wrapped(190, "1-2 ")),
        ("dice in lines", wrapped(190, "d6 ")),
        ("nested bars", lines(size, |_| "|".to_owned() + &"<b>a</b>|".repeat(30) + "\n")),
        ("titles of a line", lines(size, |n| format!("TITLE {n:<9}OF THE NUMBER BEFORE IT\n\n"))),
        ("entity soup", format!("<p>{}", repeated(size, "&&#1;&#x1F600;&;&lt;b&gt;&#;"))),
    ]
}

fn all(size: usize) -> Vec<(&'static str, String)> {
    let all: Vec<_> = [tables(size), lists(size), texts(size), once_slow(size)].concat();
    assert!(all.iter().all(|(_, text)| text.len() <= LARGEST_SOURCE));
    all
}

/// The time that this thread has had on a processor, so that a busy machine does not count.
fn processor_time() -> Duration {
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = counted.split(' ').next().and_then(|nanos| nanos.parse().ok());
    nanos.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);

/// A plain pass: every line in lower case, its words counted, twenty times.
fn plain_pass(text: &str) -> Duration {
    let start = processor_time();
    for _ in 0..20 {
        let words: usize = text
            .lines()
            .map(|line| black_box(line.to_lowercase()).split_whitespace().count())
            .sum();
        black_box(words);
    }
    processor_time() - start
}

fn time(text: &str) -> Duration {
    let start = processor_time();
    let _ = black_box(draft(text, &Options::default()));
    processor_time() - start
}

/// The most bytes that a draft of this text holds at once.
fn memory(text: &str) -> u64 {
    allocation_counter::measure(|| {
        let _ = black_box(draft(text, &Options::default()));
    })
    .bytes_max
}

#[test]
fn bad_texts_take_bounded_time_and_memory() {
    let size = 16 << 10;
    for (name, text) in all(size) {
        let (taken, pass) = (0..2)
            .map(|_| (time(&text), plain_pass(&text)))
            .reduce(|best, next| (best.0.min(next.0), best.1.min(next.1)))
            .unwrap();
        // The clock of a thread may go on in steps of some milliseconds.
        let ratio = taken.as_secs_f64() / pass.as_secs_f64().max(0.004);
        let bytes = memory(&text);
        println!(
            "{name}: {taken:?}, {ratio:.1} passes, {} bytes for each",
            bytes / text.len() as u64
        );
        assert!(ratio < MOST_PASSES, "{name}: {ratio:.1} passes");
        assert!(bytes < MOST_BYTES * text.len() as u64 + SPANS, "{name}: {bytes} bytes");
    }
}

/// The most plain passes that a draft may take, and the most bytes that it may hold for each byte
/// of text.
const MOST_PASSES: f64 = 40.0;
const MOST_BYTES: u64 = 450;
/// Spans of HTML may fill a fixed number of cells, whatever the size of the text.
const SPANS: u64 = 8 << 20;

#[test]
#[ignore = "for an optimised build"]
fn a_megabyte_of_bad_text_takes_a_second() {
    let mut slow = Vec::new();
    for (name, text) in all(1 << 20) {
        let taken = (0..3).map(|_| time(&text)).min().unwrap();
        let ratio = taken.as_secs_f64() / plain_pass(&text).as_secs_f64().max(0.004);
        let bytes = memory(&text);
        println!("{name}: {taken:?}, {ratio:.1} passes, {} MB", bytes >> 20);
        if taken > Duration::from_secs(1) || bytes > 128 << 20 {
            slow.push(format!("{name}: {taken:?}, {} MB", bytes >> 20));
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}
