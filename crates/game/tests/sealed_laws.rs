//! Laws of sealed rolls, as properties over random games on the four packs and on a test pack.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::{
    Answer, CardRequest, DiceRequest, EnteredInput, InputSource, Question, RecordedInput, Replay,
    SourceError, ThrownBy, Wanted,
};
use adjutant_game::{
    Chain, Event, EventKind, LogLine, PlayError, Seat, Table, import, replay, verify,
};
use common::random::{Chooser, RandomGame, meddle, pack};
use common::sentence::log_in_words;
use common::{rechain, stranger};
use proptest::prelude::*;

const SEATS: [(&str, &str); 3] = [("Anna", "Red"), ("Bert", "Blue"), ("Cleo", "Blue")];

fn cases() -> ProptestConfig {
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() {
        ProptestConfig::default().cases
    } else {
        16
    };
    ProptestConfig { cases, ..ProptestConfig::default() }
}

fn lines(table: &Table) -> Vec<String> {
    table.lines().map(str::to_owned).collect()
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

/// A random game whose players roll sealed.
struct Sealed {
    game: RandomGame,
    fresh: u8,
    rolls: usize,
}

impl Sealed {
    fn new(which: usize, seed: u64, players: usize) -> Sealed {
        let mut sealed = Sealed { game: RandomGame::new(which, seed), fresh: 0, rolls: 0 };
        for (who, side) in SEATS {
            let role = Seat::Player { side: side.into() };
            let line = sealed
                .game
                .table
                .act(&sealed.game.stamp(who), EventKind::Join { who: who.into(), role })
                .unwrap();
            sealed.apply(&line);
        }
        for (who, _) in &SEATS[..players] {
            let chain = sealed.chain();
            let line = sealed.game.table.seal(&sealed.game.stamp(who), &chain, None).unwrap();
            sealed.apply(&line);
            sealed.game.chains.push(((*who).to_owned(), chain));
        }
        sealed
    }

    fn chain(&mut self) -> Chain {
        self.fresh += 1;
        Chain::new([self.fresh; 32], 2 + self.game.choose.below(9) as u32).unwrap()
    }

    fn apply(&mut self, line: &LogLine) {
        self.game.table.append(&line.text).unwrap_or_else(|fault| {
            panic!("what was made is not accepted: {fault}\n{}", line.text)
        });
    }

    fn reseal(&mut self, place: usize) {
        let new = self.chain();
        let line = self
            .game
            .table
            .seal(&self.game.stamp(SEATS[place].0), &new, Some(&mut self.game.chains[place].1))
            .unwrap();
        self.apply(&line);
        self.game.chains[place].1 = new;
    }

    /// All members who owe a link reveal it, in any order, with remarks in between.
    fn show(&mut self) {
        while let Some(call) = self.game.table.open_call().filter(|call| !call.is_settled()) {
            let owing: Vec<String> = call.owes().map(str::to_owned).collect();
            let who = self.game.choose.one(&owing).unwrap().clone();
            let place = SEATS.iter().position(|(name, _)| *name == who).unwrap();
            let shown = self.game.chains[place].1.show(&self.game.table, &who).unwrap();
            let line = self.game.table.reveal(&self.game.stamp(&who), &shown).unwrap();
            self.apply(&line);
            // Only remarks are accepted in between, no event that changes the game.
            let act = self.game.random_act();
            let act = self.game.signed("Anna", act);
            if let Ok(line) = self.game.table.act(&self.game.stamp("Anna"), act) {
                let harmless = matches!(
                    line.event.what,
                    EventKind::Note { .. }
                        | EventKind::Join { .. }
                        | EventKind::Consent { .. }
                        | EventKind::Ask { .. }
                );
                assert!(harmless || line.event.what.is_sealing(), "{}", line.text);
                self.apply(&line);
            }
        }
    }

    /// One roll from call to result, or none if the play is not possible.
    fn roll(&mut self) {
        for place in 0..self.game.chains.len() {
            if self.game.table.sealed_circle()[place].left() == 0 {
                self.reseal(place);
            }
        }
        let by = SEATS[self.game.choose.below(3)].0;
        let (stamp, mut play) = (self.game.stamp(by), self.game.random_play());
        let (mut called, mut recorded) = (None, Vec::new());
        for _ in 0..6 {
            let mut says = Says(&mut self.game.choose);
            match self.game.table.call(&stamp, &play, &mut Replay::new(&recorded).then(&mut says)) {
                Ok(line) => {
                    called = Some(line);
                    break;
                }
                Err(PlayError::Needs { needs, inputs }) => {
                    recorded = inputs;
                    for need in needs {
                        if let Wanted::Input { accepts } = need.wanted {
                            play.given
                                .insert(need.key, self.game.choose.value(&accepts).to_string());
                        }
                    }
                }
                Err(_) => break,
            }
        }
        let Some(line) = called else { return };
        self.apply(&line);
        for _ in 0..200 {
            self.show();
            if self.game.table.open_call().is_none() {
                return;
            }
            // A chain may run out during a roll.
            for place in 0..self.game.chains.len() {
                if self.game.table.sealed_circle()[place].left() == 0 {
                    self.reseal(place);
                }
            }
            match self.game.table.sealed_play(&stamp, &mut Says(&mut self.game.choose)) {
                Ok(line) => self.apply(&line),
                // The chart cannot compute further; both sides agree to withdraw.
                Err(_) => return self.leave(by),
            }
            if self.game.table.open_call().is_none() {
                self.rolls += 1;
                return;
            }
        }
        panic!("a call goes on without end");
    }

    fn leave(&mut self, by: &str) {
        let want = adjutant_game::ConsentFor::Withdraw;
        let ask = self.game.table.ask_event(want).unwrap();
        self.act(by, ask).unwrap();
        for (other, _) in SEATS {
            if self.game.table.may_consent(other) {
                let yes = self.game.table.consent_event(true).unwrap();
                self.act(other, yes).unwrap();
            }
        }
        let withdraw = self.game.table.withdraw_event().unwrap();
        self.act(by, withdraw).unwrap();
    }

    fn act(&mut self, by: &str, what: EventKind) -> Result<(), adjutant_game::Rejection> {
        let what = self.game.signed(by, what);
        let line = self.game.table.act(&self.game.stamp(by), what)?;
        self.apply(&line);
        Ok(())
    }

    fn run(&mut self, steps: usize) {
        for _ in 0..steps {
            if self.game.choose.below(2) == 0 {
                self.roll();
            } else if let Ok(line) = self.game.attempt() {
                // No member is released in these games.
                if !matches!(line.event.what, EventKind::Release { .. }) {
                    self.apply(&line);
                }
            }
        }
    }

    /// Each member replaces the chain, so that all marks are opened.
    fn close(&mut self) {
        (0..self.game.chains.len()).for_each(|place| self.reseal(place));
    }
}

fn decks(which: usize) -> Vec<(String, u64)> {
    pack(which).decks().iter().map(|deck| (deck.id.to_string(), deck.cards.len() as u64)).collect()
}

fn stranger_says(which: usize, text: &str) -> Result<usize, String> {
    let decks = decks(which);
    stranger::verify(text, &decks.iter().map(|(id, size)| (id.as_str(), *size)).collect::<Vec<_>>())
}

/// What `tools/verify.py` says, which was written from docs/sealed-rolls.md alone.
fn python_says(log: &str) -> Result<(), String> {
    use std::io::Write as _;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/verify.py");
    let mut python = std::process::Command::new("python3")
        .args([script, "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("python3 is there; ./test installs it");
    python.stdin.take().unwrap().write_all(log.as_bytes()).unwrap();
    let out = python.wait_with_output().unwrap();
    let said =
        String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    match out.status.code() {
        Some(0) => Ok(()),
        Some(1) => Err(said),
        code => panic!("verify.py ended with {code:?}: {said}"),
    }
}

fn text(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_sealed_game_is_proved_by_its_log_alone(which in 0_usize..5, seed: u64, players in 2_usize..4) {
        let mut sealed = Sealed::new(which, seed, players);
        sealed.run(24);
        sealed.close();
        let table = &sealed.game.table;
        let log = lines(table);
        let again = verify(pack(which), &log, Some(table.head())).unwrap();
        prop_assert!(again.state() == table.state() && again.sealed_circle() == table.sealed_circle());
        let (_, differences) = replay(pack(which), &log).unwrap();
        prop_assert!(differences.is_empty(), "{:?}", differences);
        prop_assert_eq!(stranger_says(which, &text(&log)), Ok(sealed.rolls));
        prop_assert_eq!(python_says(&text(&log)), Ok(()));
        for end in 0..=log.len() {
            prop_assert!(Table::open(pack(which), &log[..end]).is_ok());
        }
        let exported = table.to_json_lines();
        prop_assert_eq!(import(pack(which), &exported).unwrap().to_json_lines(), exported);
        prop_assert_eq!(log_in_words(table).len(), log.len());
        adjutant_game::rolls_as_csv(table).unwrap();
    }

    /// A forgery is found even if the whole hash chain is rebuilt, by the game and by the
    /// independent verifier.
    #[test]
    fn what_was_altered_is_found_also_in_a_log_chained_again(which in 0_usize..5, seed: u64, at: prop::sample::Index, how in 0_usize..4) {
        let mut sealed = Sealed::new(which, seed, 2);
        while sealed.rolls < 3 && sealed.game.table.lines().len() < 300 {
            sealed.run(4);
        }
        prop_assume!(sealed.rolls > 0);
        sealed.close();
        let log = lines(&sealed.game.table);
        let is = |line: &String, what: &str| line.contains(&format!("\"do\":{{\"{what}\":"));
        let places = |what: &str| (0..log.len()).filter(|place| is(&log[*place], what)).collect::<Vec<_>>();
        let mut forged = log.clone();
        match how {
            // A reveal is dropped.
            0 => drop(forged.remove(*at.get(&places("reveal")))),
            // A link is altered.
            1 => {
                let place = *at.get(&places("reveal"));
                let event: Event = serde_json::from_str(&log[place]).unwrap();
                let EventKind::Reveal { link, .. } = event.what else { panic!() };
                let other = if link.starts_with('0') { link.replacen('0', "1", 1) } else { format!("0{}", &link[1..]) };
                forged[place] = log[place].replace(&link, &other);
            }
            // The request is altered, in the call and in everything that follows from it.
            2 => {
                let place = *at.get(&places("call"));
                forged[place] = log[place].replace("\"at\":\"", "\"at\":\"0");
            }
            // Two lines are exchanged.
            _ => {
                let place = *at.get(&places("reveal"));
                forged.swap(place, place - 1);
            }
        }
        rechain(&mut forged);
        prop_assert!(verify(pack(which), &forged, None).is_err());
        prop_assert!(stranger_says(which, &text(&forged)).is_err());
        prop_assert!(python_says(&text(&forged)).is_err());
    }

    #[test]
    fn an_altered_face_is_found(which in 0_usize..5, seed: u64, at: prop::sample::Index) {
        let mut sealed = Sealed::new(which, seed, 3);
        while sealed.rolls < 3 && sealed.game.table.lines().len() < 300 {
            sealed.run(4);
        }
        let log = lines(&sealed.game.table);
        let rolled: Vec<usize> = (0..log.len()).filter(|place| log[*place].contains("\"play\"") && log[*place].contains("\"sealed\"")).collect();
        prop_assume!(!rolled.is_empty());
        let place = *at.get(&rolled);
        let mut event: Event = serde_json::from_str(&log[place]).unwrap();
        let EventKind::Play(played) = &mut event.what else { panic!() };
        for input in &mut played.inputs {
            match input {
                RecordedInput::Dice { faces, sides: Some(sides), .. } => faces[0] = faces[0] % *sides + 1,
                RecordedInput::Card { card, .. } => *card += 1,
                _ => continue,
            }
            break;
        }
        let mut forged = log[..=place].to_vec();
        forged[place] = serde_json::to_string(&event).unwrap();
        rechain(&mut forged);
        prop_assert!(verify(pack(which), &forged, None).is_err());
        prop_assert!(stranger_says(which, &text(&forged)).is_err());
        prop_assert!(python_says(&text(&forged)).is_err());
    }

    /// A sealed group accepts no unsealed dice or cards.
    #[test]
    fn unsealed_luck_is_refused(which in 0_usize..5, seed: u64) {
        let mut sealed = Sealed::new(which, seed, 2);
        for _ in 0..20 {
            let play = sealed.game.random_play();
            if let Ok(line) = sealed.game.roll(play, "Anna") {
                prop_assert!(!line.event.what.has_luck());
            }
            let play = sealed.game.random_play();
            if let Ok(line) = sealed.game.table.play(&sealed.game.stamp("Bert"), &play, &mut EnteredInput::new().with_dice([1; 40])) {
                prop_assert!(!line.event.what.has_luck());
            }
            sealed.roll();
        }
    }

    /// A step with one changed value is rejected or leaves a working game. It never panics. A step
    /// that a sealed group accepts is also correct.
    #[test]
    fn a_forged_step_is_refused_or_leaves_a_working_table(which in 0_usize..5, seed: u64) {
        let mut sealed = Sealed::new(which, seed, 2);
        sealed.run(12);
        let log = lines(&sealed.game.table);
        for end in 1..log.len() {
            let mut value: serde_json::Value = serde_json::from_str(&log[end]).unwrap();
            meddle(&mut value["do"], &mut sealed.game.choose);
            let mut table = Table::open(pack(which), &log[..end]).unwrap();
            let before = table.clone();
            if table.append(&value.to_string()).is_ok() {
                if before.rolls_sealed() {
                    verify(pack(which), table.lines(), None).unwrap();
                }
                prop_assert_eq!(log_in_words(&table).len(), end + 1);
            } else {
                prop_assert!(table.state() == before.state() && table.open_call() == before.open_call());
                prop_assert!(table.sealed_circle() == before.sealed_circle());
            }
        }
    }
}
