#![allow(clippy::panic, clippy::unwrap_used, clippy::print_stdout, missing_docs)]
//! Kills a writing process (SIGKILL) hundreds of times and checks: everything acknowledged is
//! there, appends are complete, the file is intact. The system stays up, so this tests our
//! transactions and not the disk: power cuts are left to SQLite's `synchronous=FULL` and are not
//! tested.

mod common;

use adjutant_store::{NewTable, Store, StoreError, StoreLocation, TableId, open, open_to_read};
use common::{OtherProcess, file_in};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

const KILLS: u64 = 300;

/// The number of concurrent writers.
const WRITERS: usize = 8;

/// Rounds with one file. The first round of each file is killed while the file is being created.
const ROUNDS_A_FILE: u64 = 15;

/// The events are known beforehand: appends of one, two and three lines of very different lengths.
fn text(number: u64) -> String {
    format!(
        "{{\"number\":{number},\"filler\":\"{}\"}}",
        "x".repeat((number * number * 37 % 3500) as usize)
    )
}

fn size(append: u64) -> u64 {
    append % 3 + 1
}

/// The numbers at which an append ends.
fn ends() -> impl Iterator<Item = u64> {
    (0..).scan(0, |last, append| {
        *last += size(append);
        Some(*last)
    })
}

/// The other process: opens the store, creates the table if there is none, and appends until it is
/// killed. It prints a number only after the store acknowledged it.
#[test]
#[ignore = "a part of the kill test, run by it"]
fn writer() {
    let place = StoreLocation::parse(&std::env::var("STORE_PLACE").unwrap()).unwrap();
    let id = TableId::parse(&std::env::var("STORE_TABLE").unwrap()).unwrap();
    let store = open(&place).unwrap();
    let acknowledge = |last: u64| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "\nkept {last}").and_then(|()| out.flush()).unwrap();
    };
    let mut last = match store.create(&NewTable { id, name: "Kill", pack: "p", lines: &[&text(1)] })
    {
        Ok(made) => made.last,
        Err(StoreError::Taken { .. }) => store.summary(&id).unwrap().last,
        Err(other) => panic!("{other}"),
    };
    acknowledge(last);
    let known = last;
    for (append, end) in (0..).zip(ends()).skip_while(|(_, end)| *end <= known) {
        let lines: Vec<String> = (end - size(append) + 1..=end).map(text).collect();
        last =
            store.append(&id, last, &lines.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        acknowledge(last);
    }
}

/// The same with many writers, each with its own table, so that commits are shared. All tables
/// exist before.
#[test]
#[ignore = "a part of the kill test, run by it"]
fn writers() {
    let place = StoreLocation::parse(&std::env::var("STORE_PLACE").unwrap()).unwrap();
    let ids: Vec<TableId> = std::env::var("STORE_TABLE")
        .unwrap()
        .split(' ')
        .map(|id| TableId::parse(id).unwrap())
        .collect();
    let store = open(&place).unwrap();
    let acknowledge = |writer_no: usize, last: u64| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "\nkept {writer_no} {last}").and_then(|()| out.flush()).unwrap();
    };
    std::thread::scope(|scope| {
        for (writer_no, id) in ids.iter().enumerate() {
            let (store, acknowledge) = (&store, &acknowledge);
            scope.spawn(move || {
                let mut last = store.summary(id).unwrap().last;
                let known = last;
                for (append, end) in (0..).zip(ends()).skip_while(|(_, end)| *end <= known) {
                    let lines: Vec<String> = (end - size(append) + 1..=end).map(text).collect();
                    last = store
                        .append(id, last, &lines.iter().map(String::as_str).collect::<Vec<_>>())
                        .unwrap();
                    acknowledge(writer_no, last);
                }
            });
        }
    });
}

/// Reads the writer's output until `enough` appends were acknowledged or it ends. Returns the last
/// number.
fn read_acknowledged(output: &mut BufReader<ChildStdout>, enough: usize) -> u64 {
    let acknowledged_lines = output
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| line.strip_prefix("kept ").and_then(|number| number.parse().ok()));
    acknowledged_lines.take(enough).last().unwrap_or(0)
}

fn spin(length: Duration) {
    let start = Instant::now();
    while start.elapsed() < length {
        std::hint::spin_loop();
    }
}

/// Numbers that only need to be spread out.
fn spread(round: u64, below: u64) -> u64 {
    round.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29) % below
}

fn kill(mut child: Child) -> u64 {
    child.kill().unwrap();
    let rest = read_acknowledged(&mut BufReader::new(child.stdout.take().unwrap()), usize::MAX);
    assert!(!child.wait().unwrap().success(), "the writer ended by itself");
    rest
}

/// Checks the store after a kill: everything acknowledged is there, only complete appends, every
/// text as written.
fn check_after_kill(store: &dyn Store, id: &TableId, acknowledged: u64) -> u64 {
    let lines = match store.read(id, 0) {
        Err(StoreError::NoTable { .. }) if acknowledged == 0 => return 0,
        lines => lines.unwrap(),
    };
    let last = lines.len() as u64;
    assert!(last >= acknowledged, "event {acknowledged} was acknowledged, and {last} are there");
    assert!(
        last == 0 || ends().take_while(|end| *end <= last).any(|end| end == last),
        "{last} is in the middle of an append"
    );
    assert!(lines.iter().all(|line| line.text == text(line.number)));
    assert_eq!(store.summary(id).unwrap().last, last);
    last
}

#[test]
fn nothing_acknowledged_is_lost_by_a_kill() {
    let other_process = OtherProcess::new();
    let (mut unacknowledged, mut written) = (0, 0);
    for file in 0..KILLS / ROUNDS_A_FILE {
        let folder = tempfile::tempdir().unwrap();
        let (place, id, mut acknowledged) = (file_in(&folder), TableId::new().unwrap(), 0);
        for round in 0..ROUNDS_A_FILE {
            let mut writer = other_process.command("writer");
            writer.env("STORE_PLACE", place.to_string()).env("STORE_TABLE", id.to_string());
            let mut child = writer.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
            let turn = file * ROUNDS_A_FILE + round;
            if round > 0 {
                let mut output = BufReader::with_capacity(1, child.stdout.take().unwrap());
                acknowledged =
                    acknowledged.max(read_acknowledged(&mut output, 1 + spread(turn, 12) as usize));
                child.stdout = Some(output.into_inner());
            }
            spin(Duration::from_micros(spread(turn * 7 + 3, 6000)));
            acknowledged = acknowledged.max(kill(child));
            // Every other time nothing is checkpointed, so that the next writer meets what the kill
            // left.
            let last = match open_to_read(&place) {
                Ok(store) if turn.is_multiple_of(2) => check_after_kill(&*store, &id, acknowledged),
                _ => {
                    let store = open(&place).unwrap();
                    assert!(store.check().unwrap().sound(), "{}", store.check().unwrap());
                    check_after_kill(&*store, &id, acknowledged)
                }
            };
            unacknowledged += u64::from(last > acknowledged);
            acknowledged = last;
        }
        written += acknowledged;
    }
    println!(
        "{KILLS} kills, {written} events; {unacknowledged} times the kill fell between keeping and saying so"
    );
}

#[test]
fn nothing_acknowledged_is_lost_by_a_kill_with_many_writers() {
    let other_process = OtherProcess::new();
    let folder = tempfile::tempdir().unwrap();
    let place = file_in(&folder);
    let ids: Vec<TableId> = (0..WRITERS).map(|_| TableId::new().unwrap()).collect();
    let store = open(&place).unwrap();
    for id in &ids {
        store.create(&NewTable { id: *id, name: "Kill", pack: "p", lines: &[] }).unwrap();
    }
    drop(store);
    let mut acknowledged = [0; WRITERS];
    let tables = ids.iter().map(TableId::to_string).collect::<Vec<_>>().join(" ");
    for round in 0..KILLS / 5 {
        let mut writers = other_process.command("writers");
        writers.env("STORE_PLACE", place.to_string()).env("STORE_TABLE", &tables);
        let mut child = writers.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut output = BufReader::with_capacity(1, child.stdout.take().unwrap());
        let mut note = |output: &mut BufReader<ChildStdout>, enough: usize| {
            let acknowledged_lines = output.lines().map_while(Result::ok).filter_map(|line| {
                let (writer_no, last) = line.strip_prefix("kept ")?.split_once(' ')?;
                Some((writer_no.parse::<usize>().ok()?, last.parse::<u64>().ok()?))
            });
            acknowledged_lines.take(enough).for_each(|(writer_no, last)| {
                acknowledged[writer_no] = last.max(acknowledged[writer_no])
            });
        };
        note(&mut output, 1 + spread(round, 40) as usize);
        spin(Duration::from_micros(spread(round * 7 + 3, 6000)));
        child.kill().unwrap();
        note(&mut output, usize::MAX);
        assert!(!child.wait().unwrap().success(), "the writers ended by themselves");
        let store = open(&place).unwrap();
        assert!(store.check().unwrap().sound(), "{}", store.check().unwrap());
        for (id, known) in ids.iter().zip(&mut acknowledged) {
            *known = check_after_kill(&*store, id, *known);
        }
    }
    println!(
        "{} kills, {} events by {WRITERS} writers",
        KILLS / 5,
        acknowledged.iter().sum::<u64>()
    );
}
