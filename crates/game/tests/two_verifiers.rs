//! A law: `adjutant verify` and `tools/verify.py`, which was written from docs/sealed-rolls.md
//! alone, agree on every log whose hash chain is valid. Random sealed games are played; at each
//! step several next lines are tried, many of them forged: written in another name, with a changed
//! value, a foreign mark or at the wrong time. Python reads all of them in one run.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::{
    Answer, CardRequest, DiceRequest, InputSource, Question, Replay, SourceError, ThrownBy, Wanted,
};
use adjutant_game::{
    Chain, ConsentFor, Event, EventKind, Forfeit, LogError, LogFault, PlayError, Rejection,
    SealedRejection, Seat, SeatRejection, Stamp, Table, TextField, verify,
};
use adjutant_pack::Noun;
use common::random::{Chooser, RandomGame, meddle, pack};
use common::rechain;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const SEATS: [(&str, &str); 3] = [("Anna", "Red"), ("Bert", "Blue"), ("Cleo", "Blue")];
/// Dora watches; Nobody has not joined.
const NAMES: [&str; 8] = ["Anna", "Anna", "Bert", "Bert", "Cleo", "Cleo", "Dora", "Nobody"];

/// Reads the logs and answers with the faults of each. A try is one more line after a log.
const DRIVER: &str = r#"
import copy, json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import verify

def faults(verifier, lines):
    verifier.read(line.encode() + b"\n" for line in lines)
    return [why for _, why in verifier.faults]

said = []
for log in json.load(sys.stdin):
    base = verify.Verifier()
    said.append(faults(base, log["lines"]))
    said += [faults(copy.deepcopy(base), [line]) for line in log["tries"]]
json.dump(said, sys.stdout)
"#;

/// What `adjutant verify` says of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    Sound,
    /// It breaks a rule of docs/sealed-rolls.md.
    Unsound(String),
    /// It breaks a rule of the pack or of the roster, which only a verifier with the pack knows.
    NeedsPack(String),
}

/// Whether a fault can be found without the pack.
fn verdict(error: &LogError, line: &str) -> Verdict {
    let kind = serde_json::from_str::<Value>(line)
        .ok()
        .and_then(|line| line["do"].as_object().and_then(|what| what.keys().next().cloned()));
    let kind = kind.unwrap_or_default();
    let by_pack = match &error.fault {
        LogFault::Rejected(rejection) => match rejection {
            Rejection::Unknown(unknown) => match unknown.noun {
                Noun::SealedMember => false,
                Noun::Side => kind != "join",
                _ => true,
            },
            Rejection::Text(text) => {
                !matches!(text.field, TextField::Time | TextField::Actor | TextField::Joiner)
            }
            Rejection::Seat(SeatRejection::LookAlike { .. }) => true,
            Rejection::Seat(_) | Rejection::Undo(_) => false,
            Rejection::Sealed(
                SealedRejection::Differs(_)
                | SealedRejection::CallFails(_)
                | SealedRejection::NoFurtherLuck,
            ) => true,
            Rejection::Sealed(_) => false,
            Rejection::NotALine(_) => !matches!(
                kind.as_str(),
                "join"
                    | "undo"
                    | "redo"
                    | "ask"
                    | "consent"
                    | "seal"
                    | "reveal"
                    | "withdraw"
                    | "release"
            ),
            _ => true,
        },
        LogFault::Differs(_) | LogFault::NotReplayable(_) => true,
        _ => false,
    };
    let why = format!("{error:?}");
    if by_pack { Verdict::NeedsPack(why) } else { Verdict::Unsound(why) }
}

fn verified(which: usize, lines: &[String]) -> Verdict {
    match verify(pack(which), lines, None) {
        Ok(_) => Verdict::Sound,
        Err(error) => {
            let place = usize::try_from(error.event).unwrap().saturating_sub(1);
            verdict(&error, lines.get(place).map_or("", String::as_str))
        }
    }
}

/// Random answers, without dice or cards.
struct Says<'a>(&'a mut Chooser);

impl InputSource for Says<'_> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        Err(ask.missing())
    }
    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        Err(ask.missing())
    }
    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        Ok(self.0.value(ask.accepts))
    }
    fn thrown_by(&self) -> ThrownBy {
        ThrownBy::Player
    }
}

/// A log, and lines that were tried after it.
struct Log {
    which: usize,
    lines: Vec<String>,
    ours: Verdict,
    tries: Vec<(String, Verdict)>,
}

/// A random game in which players seal, call, reveal, withdraw and release.
struct Walk {
    which: usize,
    game: RandomGame,
    forfeit: Option<Forfeit>,
    fresh: u8,
    minutes: usize,
}

/// An event, who makes it, and the chain that the player has after it.
type Candidate = (String, EventKind, Option<(String, Chain)>);

impl Walk {
    fn new(which: usize, seed: u64) -> Walk {
        let forfeit = [None, Some(Forfeit::Stands), Some(Forfeit::Lost { minutes: 2 })];
        let mut walk = Walk {
            which,
            game: RandomGame::new(which, seed),
            forfeit: forfeit[seed as usize % 3],
            fresh: 0,
            minutes: 0,
        };
        let seats = SEATS.map(|(who, side)| (who, Seat::Player { side: side.into() }));
        for (who, role) in seats.into_iter().chain([("Dora", Seat::Spectator)]) {
            let join = EventKind::Join { who: who.into(), role };
            walk.go_on((who.to_owned(), join, None));
        }
        for (who, _) in &SEATS[..2 + seed as usize / 3 % 2] {
            let candidate = walk.seal(who).unwrap();
            walk.go_on(candidate);
        }
        assert!(walk.table().rolls_sealed());
        walk
    }

    fn table(&self) -> &Table {
        &self.game.table
    }

    fn stamp(&self, by: &str) -> Stamp {
        Stamp::new(format!("2026-11-16T02:{:02}:30Z", self.minutes % 60), by)
    }

    /// The line of an event, whether it is accepted or not.
    fn line(&self, by: &str, what: &EventKind) -> Value {
        json!({
            "n": self.table().lines().len() + 1,
            "at": self.stamp(by).at,
            "by": by,
            "prev": self.table().head(),
            "do": what,
        })
    }

    fn go_on(&mut self, (by, what, chain): Candidate) {
        let line = self.line(&by, &what).to_string();
        self.game.table.append(&line).unwrap_or_else(|fault| panic!("{fault}\n{line}"));
        if let Some((who, chain)) = chain {
            self.game.chains.retain(|(name, _)| *name != who);
            self.game.chains.push((who, chain));
        }
    }

    fn is_member(&self, who: &str) -> bool {
        self.table().sealed_circle().iter().any(|member| member.name == who)
    }

    fn chain(&self, who: &str) -> Option<Chain> {
        self.game.chains.iter().find(|(name, _)| name == who).map(|(_, chain)| chain.clone())
    }

    fn seal(&mut self, who: &str) -> Option<Candidate> {
        self.fresh = self.fresh.wrapping_add(1);
        let length = 1 + self.game.choose.below(9) as u32;
        let fresh = Chain::new([self.fresh; 32], length).unwrap();
        let mut before = if self.is_member(who) { Some(self.chain(who)?) } else { None };
        let mut seal = fresh.seal(self.table(), who, before.as_mut()).ok()?;
        if self.table().sealed_circle().is_empty() {
            seal.forfeit = self.forfeit;
        }
        Some((who.to_owned(), EventKind::Seal(seal), Some((who.to_owned(), fresh))))
    }

    fn call(&mut self, by: &str) -> Option<Candidate> {
        let (stamp, mut play) = (self.stamp("Anna"), self.game.random_play());
        let mut recorded = Vec::new();
        for _ in 0..6 {
            let mut says = Says(&mut self.game.choose);
            let mut source = Replay::new(&recorded).then(&mut says);
            match self.game.table.call(&stamp, &play, &mut source) {
                Ok(line) => return Some((by.to_owned(), line.event.what, None)),
                Err(PlayError::Needs { needs, inputs }) => {
                    recorded = inputs;
                    for need in needs {
                        if let Wanted::Input { accepts } = need.wanted {
                            let value = self.game.choose.value(&accepts).to_string();
                            play.given.insert(need.key, value);
                        }
                    }
                }
                Err(_) => return None,
            }
        }
        None
    }

    fn reveal(&mut self, who: &str) -> Option<Candidate> {
        let mut chain = self.chain(who)?;
        let shown = chain.show(self.table(), who).ok()?;
        let what = EventKind::Reveal { link: shown.link, mark: shown.mark };
        Some((who.to_owned(), what, Some((who.to_owned(), chain))))
    }

    fn sealed_play(&mut self, by: &str) -> Option<Candidate> {
        let stamp = self.stamp(&self.table().open_call()?.by.clone());
        let line = self.game.table.sealed_play(&stamp, &mut Says(&mut self.game.choose)).ok()?;
        Some((by.to_owned(), line.event.what, None))
    }

    /// Any step that a player or a stranger might try.
    fn candidate(&mut self) -> Option<Candidate> {
        let who = NAMES[self.game.choose.below(NAMES.len())].to_owned();
        let member = SEATS[self.game.choose.below(3)].0;
        let open = self.table().open_call().is_some();
        let owing = self.table().open_call().and_then(|call| call.owes().next()).map(str::to_owned);
        // The step that leads on is tried most often.
        let kind = match (open, &owing, self.table().rolls_sealed()) {
            (_, _, false) if self.game.choose.below(3) == 0 => 3,
            (true, Some(_), _) if self.game.choose.below(3) == 0 => 1,
            (true, None, _) if self.game.choose.below(3) == 0 => 2,
            _ => self.game.choose.below(12),
        };
        let unsigned = match kind {
            0 => return self.call(&who),
            1 => return self.reveal(owing.as_deref().unwrap_or(member)),
            2 => return self.sealed_play(&who),
            3 => return self.seal(&who),
            4 => self.table().withdraw_event().ok()?,
            5 => self.table().ask_event(ConsentFor::Withdraw).ok()?,
            6 => self.table().ask_release_event(member).ok()?,
            7 => EventKind::Release { who: member.to_owned(), mark: None },
            8 => {
                let yes = self.game.choose.below(4) > 0;
                self.table().consent_event(yes).ok()?
            }
            9 => {
                let role = match self.game.choose.below(5) {
                    0 => Seat::Umpire,
                    1 => Seat::Spectator,
                    2 => Seat::Player { side: "Green".into() },
                    _ => Seat::Player { side: "Red".into() },
                };
                EventKind::Join { who: NAMES[self.game.choose.below(NAMES.len())].into(), role }
            }
            10 if !self.table().rolls_sealed() => {
                let play = self.game.random_play();
                self.game.roll(play, "Anna").ok()?.event.what
            }
            _ => self.game.random_act(),
        };
        let filled = self.table().act(&self.stamp("Anna"), unsigned.clone());
        let unsigned = filled.map_or(unsigned, |line| line.event.what);
        let what = self.game.signed(&who, unsigned);
        Some((who, what, None))
    }

    /// One of several forgeries of a line.
    fn forged(&mut self, line: &mut Value) {
        let names = ["Nobody", "Dora", "Bert", "Anna", " ", "An\u{200b}na", ""];
        match self.game.choose.below(6) {
            0..3 => line["by"] = names[self.game.choose.below(names.len())].into(),
            3 => {
                let what = line["do"].as_object_mut().unwrap().values_mut().next();
                if let Some(mark) = what.and_then(|what| what.get_mut("mark")) {
                    *mark = json!("ab".repeat(32));
                }
            }
            _ => meddle(&mut line["do"], &mut self.game.choose),
        }
    }

    /// Tries several lines, and goes on with one that is accepted.
    fn step(&mut self, most: usize) -> Vec<(String, Verdict)> {
        self.minutes += self.game.choose.below(2);
        let (mut tries, mut next) = (Vec::new(), None);
        for _ in 0..most {
            let Some(candidate) = self.candidate() else { continue };
            let mut line = self.line(&candidate.0, &candidate.1);
            let forged = self.game.choose.below(2) == 0;
            if forged {
                self.forged(&mut line);
            }
            let line = line.to_string();
            let mut after = self.table().clone();
            let ours = match after.append(&line) {
                Ok(()) => {
                    let lines: Vec<String> = after.lines().map(str::to_owned).collect();
                    verified(self.which, &lines)
                }
                Err(error) => verdict(&error, &line),
            };
            if ours == Verdict::Sound && !forged && next.is_none() {
                next = Some(candidate);
            }
            tries.push((line, ours));
        }
        if let Some(candidate) = next {
            self.go_on(candidate);
        }
        tries
    }

    /// The whole log with one line dropped, doubled, exchanged, changed or in another name, and
    /// hashed again.
    fn altered(&mut self) -> Vec<String> {
        let mut lines: Vec<String> = self.table().lines().map(str::to_owned).collect();
        let place = 1 + self.game.choose.below(lines.len() - 1);
        match self.game.choose.below(5) {
            0 => drop(lines.remove(place)),
            1 => lines.insert(place, lines[place].clone()),
            2 => lines.swap(place, (place - 1).max(1)),
            _ => {
                let mut line: Value = serde_json::from_str(&lines[place]).unwrap();
                self.forged(&mut line);
                lines[place] = line.to_string();
            }
        }
        // What follows a changed line is mostly unsound for that reason alone.
        if self.game.choose.below(3) > 0 {
            lines.truncate(place + 1);
        }
        rechain(&mut lines);
        lines
    }
}

fn python(logs: &[Log]) -> Vec<Vec<String>> {
    use std::io::Write as _;
    let tools = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools");
    let mut python = std::process::Command::new("python3")
        .args(["-c", DRIVER, tools])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("python3 is there; ./test installs it");
    let of = |log: &Log| {
        let tries: Vec<&String> = log.tries.iter().map(|(line, _)| line).collect();
        json!({ "lines": log.lines, "tries": tries })
    };
    let asked = Value::Array(logs.iter().map(of).collect()).to_string();
    let mut input = python.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(asked.as_bytes()).unwrap());
    let out = python.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(out.status.success(), "verify.py failed");
    serde_json::from_slice(&out.stdout).unwrap()
}

fn lines(table: &Table) -> Vec<String> {
    table.lines().map(str::to_owned).collect()
}

#[test]
fn both_verifiers_agree_on_every_log_with_a_valid_chain() {
    let games: u64 =
        std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(10);
    let mut logs = Vec::new();
    for seed in 0..games {
        let which = seed as usize % 5;
        let mut walk = Walk::new(which, seed);
        for _ in 0..40 {
            let before = lines(walk.table());
            let tries = walk.step(6);
            logs.push(Log { which, lines: before, ours: Verdict::Sound, tries });
        }
        for _ in 0..20 {
            let altered = walk.altered();
            let ours = verified(which, &altered);
            logs.push(Log { which, lines: altered, ours, tries: Vec::new() });
        }
    }
    let mut said = python(&logs).into_iter();
    let (mut sound, mut unsound) = (BTreeMap::new(), BTreeMap::new());
    let (mut only_pack, mut disagree) = (0, Vec::new());
    for log in &logs {
        let whole = log.lines.last().unwrap();
        let of_log = std::iter::once((whole, &log.ours));
        for (line, ours) in of_log.chain(log.tries.iter().map(|(line, ours)| (line, ours))) {
            let faults = said.next().unwrap();
            let line_value: Value = serde_json::from_str(line).unwrap();
            let kind = line_value["do"].as_object().and_then(|what| what.keys().next().cloned());
            let kind = kind.unwrap_or_default();
            match (ours, faults.is_empty()) {
                (Verdict::Sound, true) => *sound.entry(kind).or_insert(0_u32) += 1,
                (Verdict::Unsound(_), false) => *unsound.entry(kind).or_insert(0_u32) += 1,
                (Verdict::NeedsPack(_), _) => only_pack += 1,
                _ => disagree.push(format!(
                    "pack {}, line {line}\n  here: {ours:?}\n  verify.py: {faults:?}",
                    log.which
                )),
            }
        }
    }
    println!("sound {sound:?}\nunsound {unsound:?}\nonly with the pack: {only_pack}");
    assert!(disagree.is_empty(), "{} disagree:\n{}", disagree.len(), disagree.join("\n"));
    // Both kinds were compared, for each step of a sealed roll.
    for kind in ["seal", "call", "reveal", "withdraw", "ask", "consent", "undo", "join", "play"] {
        assert!(sound.get(kind).is_some_and(|n| *n > 2), "{kind} {sound:?}");
        assert!(unsound.get(kind).is_some_and(|n| *n > 2), "{kind} {unsound:?}");
    }
    assert!(sound.values().sum::<u32>() > 300 && unsound.values().sum::<u32>() > 300);
}

/// The case that was found first.
#[test]
fn a_call_by_who_has_not_joined_as_a_player_is_refused() {
    let mut walk = Walk::new(0, 1);
    let (_, what, _) = loop {
        if let Some(candidate) = walk.call("Anna")
            && matches!(candidate.1, EventKind::Call(_))
        {
            break candidate;
        }
    };
    for (by, may) in [("Anna", true), ("Cleo", true), ("Dora", false), ("Nobody", false)] {
        let line = walk.line(by, &what).to_string();
        let refused = walk.table().clone().append(&line).err();
        assert_eq!(refused.is_none(), may, "{by}: {refused:?}");
        let event: Event = serde_json::from_str(&line).unwrap();
        let made = walk.table().act(&walk.stamp(by), event.what);
        assert_eq!(made.is_ok(), may, "{by}: {made:?}");
    }
}
