//! What a device remembers of its revealed links: a log that was cut or forked gets no further
//! link.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{
    Chain, Chains, Cut, EventKind, LogLine, NoLink, PlayRequest, Stamp, Table, verify,
};
use common::sentence::{Sentence, log_in_words};
use common::{Game, shipped};

/// Two players, each with a device, on one log.
struct Pair {
    game: Game,
    anna: Chains,
    bert: Chains,
}

fn stamp(by: &str) -> Stamp {
    Stamp::new("2026-11-16T02:00:00Z", by)
}

impl Pair {
    fn sealed() -> Pair {
        let mut game = Game::new(shipped("panzer8"), "Sealed", &["Allies", "Axis"], &[]);
        game.join("Anna", "Allies");
        game.join("Bert", "Axis");
        game.unit("element", "Rifles", "Allies", "", "type=inf hesa=5 def=5 quality=0");
        let mut pair = Pair { game, anna: Chains::default(), bert: Chains::default() };
        pair.seal("Anna", 1, false).unwrap();
        pair.seal("Bert", 2, false).unwrap();
        pair
    }

    fn device(&mut self, who: &str) -> &mut Chains {
        if who == "Anna" { &mut self.anna } else { &mut self.bert }
    }

    fn table(&self) -> Table {
        self.game.table.clone()
    }

    fn apply(&mut self, line: &LogLine) {
        self.game.apply(line);
    }

    fn seal(&mut self, who: &str, secret: u8, accept: bool) -> Result<(), NoLink> {
        let table = self.table();
        let seal =
            self.device(who).seal(&table, who, Chain::new([secret; 32], 20).unwrap(), accept)?;
        self.apply(&table.act(&stamp(who), EventKind::Seal(seal)).unwrap());
        Ok(())
    }

    fn call(&mut self, by: &str) {
        let line = self
            .table()
            .call(
                &stamp(by),
                // Whatever an earlier roll did to the unit.
                &PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", "u1") },
                &mut EnteredInput::new(),
            )
            .unwrap();
        self.apply(&line);
    }

    fn show(&mut self, who: &str) -> Result<(), NoLink> {
        let table = self.table();
        let shown = self.device(who).show(&table, who)?;
        self.apply(&table.reveal(&stamp(who), &shown).unwrap());
        let table = self.table();
        Ok(self.device(who).saw(&table, who)?)
    }

    fn withdraw(&mut self, by: &str) {
        let table = self.table();
        let what = self.device(by).sign(&table, by, table.withdraw_event().unwrap()).unwrap();
        self.apply(&table.act(&stamp(by), what).unwrap());
    }

    fn play(&mut self, by: &str) {
        let line = self.table().sealed_play(&stamp(by), &mut EnteredInput::new()).unwrap();
        self.apply(&line);
    }

    /// A whole roll, called by Anna.
    fn roll(&mut self) {
        self.call("Anna");
        self.show("Anna").unwrap();
        self.show("Bert").unwrap();
        self.play("Bert");
    }

    /// Cuts the log after this many lines. The devices remember what they did.
    fn cut(&mut self, lines: usize) {
        let kept: Vec<String> = self.game.table.lines().take(lines).map(str::to_owned).collect();
        self.game.table = Table::open(shipped("panzer8"), kept).unwrap();
    }

    fn sound(&self) {
        verify(shipped("panzer8"), self.game.table.lines(), None).unwrap();
    }

    fn len(&self) -> usize {
        self.game.table.lines().len()
    }
}

#[test]
fn a_roll_is_not_repeated_in_a_log_cut_just_before_the_link() {
    let mut pair = Pair::sealed();
    pair.call("Anna");
    pair.show("Anna").unwrap();
    let before = pair.len();
    pair.show("Bert").unwrap();
    pair.play("Bert");
    // The link and the play are deleted; Anna withdraws the call alone and calls again.
    pair.cut(before);
    pair.withdraw("Anna");
    pair.call("Anna");
    pair.show("Anna").unwrap();
    pair.sound();
    let no = pair.show("Bert").unwrap_err();
    assert_eq!(no, NoLink::Cut(Cut::Line { event: before as u64 + 1 }));
    assert!(
        no.sentence().contains("cut or forked")
            && no.sentence().ends_with("No link is shown for this log"),
        "{no}"
    );
}

#[test]
fn a_link_counts_as_shown_also_if_the_device_never_saw_it_in_the_log() {
    let mut pair = Pair::sealed();
    pair.call("Anna");
    pair.show("Anna").unwrap();
    let table = pair.table();
    // The server has the link and claims that it does not.
    let first = pair.bert.show(&table, "Bert").unwrap();
    let again = pair.bert.show(&table, "Bert").unwrap();
    assert_eq!(first, again, "for the same call the same link is shown again");
    pair.withdraw("Anna");
    let call = pair.table().lines().position(|line| line.contains("\"call\"")).unwrap() as u64 + 1;
    assert_eq!(pair.bert.check(&pair.table(), "Bert"), Err(Cut::Link { call }));
    pair.call("Anna");
    assert_eq!(pair.show("Bert").unwrap_err(), NoLink::Cut(Cut::Link { call }));
    // The way out is a new chain, sealed by hand: perhaps two messages only crossed.
    pair.withdraw("Anna");
    pair.seal("Bert", 3, false).unwrap();
    pair.roll();
    pair.sound();
}

#[test]
fn the_same_depth_is_not_shown_for_another_call() {
    let mut pair = Pair::sealed();
    let before = pair.len();
    pair.roll();
    pair.cut(before);
    pair.game.act(EventKind::Note { text: "nothing happened here".into() });
    pair.call("Anna");
    assert!(matches!(pair.show("Bert"), Err(NoLink::Cut(Cut::Line { .. }))));
    // This also works if the device stored only the chains, as older versions did.
    let kept: serde_json::Value = serde_json::to_value(&pair.bert).unwrap();
    let chains: Vec<Chain> = serde_json::from_value(kept["chains"].clone()).unwrap();
    pair.bert = Chains::from(chains);
    assert_eq!(pair.show("Bert").unwrap_err(), NoLink::Cut(Cut::Call));
}

#[test]
fn a_cut_behind_a_new_chain_is_found_too() {
    let mut pair = Pair::sealed();
    pair.roll();
    let before = pair.len();
    pair.seal("Bert", 3, false).unwrap();
    pair.roll();
    // In the older log the older chain is in use, and it still has secret links.
    pair.cut(before);
    for _ in 0..2 {
        pair.call("Anna");
        pair.withdraw("Anna");
    }
    pair.call("Anna");
    assert!(matches!(pair.show("Bert"), Err(NoLink::Cut(_))));
    let kept: serde_json::Value = serde_json::to_value(&pair.bert).unwrap();
    pair.bert = Chains::from(serde_json::from_value::<Vec<Chain>>(kept["chains"].clone()).unwrap());
    assert!(matches!(pair.show("Bert"), Err(NoLink::Cut(_))), "the links alone tell it");
}

#[test]
fn memory_outlives_the_program() {
    let mut pair = Pair::sealed();
    pair.roll();
    let text = serde_json::to_string(&pair.bert).unwrap();
    assert_eq!(serde_json::from_str::<Chains>(&text).unwrap(), pair.bert);
    assert!(!format!("{:?}", pair.bert).contains("0202"), "secrets are not printed by accident");
}

#[test]
fn a_seal_that_did_not_arrive_is_made_again_the_same() {
    let mut pair = Pair::sealed();
    pair.roll();
    let table = pair.table();
    let first = pair.bert.seal(&table, "Bert", Chain::new([3; 32], 20).unwrap(), false).unwrap();
    pair.game.act(EventKind::Note { text: "another player was faster".into() });
    let table = pair.table();
    let again = pair.bert.seal(&table, "Bert", Chain::new([4; 32], 20).unwrap(), false).unwrap();
    assert_eq!(first, again, "one link is never shown for two chains");
    pair.apply(&table.act(&stamp("Bert"), EventKind::Seal(again)).unwrap());
    pair.roll();
    pair.sound();
}

#[test]
fn who_accepts_the_log_as_it_is_goes_on_with_a_new_chain() {
    let mut pair = Pair::sealed();
    pair.roll();
    let before = pair.len();
    pair.roll();
    pair.cut(before);
    pair.anna.clone_from(&Chains::default());
    pair.call("Bert");
    assert!(matches!(pair.show("Bert"), Err(NoLink::Cut(_))));
    pair.withdraw("Bert");
    assert!(matches!(pair.seal("Bert", 3, false), Err(NoLink::Cut(_))));
    pair.seal("Bert", 3, true).unwrap();
    pair.call("Bert");
    pair.show("Bert").unwrap();
    pair.sound();
    let told = log_in_words(&pair.game.table);
    assert!(
        told.iter().any(|words| words.contains("Bert ends one chain and seals another")),
        "{told:#?}"
    );
}
