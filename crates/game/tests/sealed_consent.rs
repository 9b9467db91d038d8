//! Sealed rolls: who may take back what, marks on what only one player may do, silent players, and
//! what a log says about it.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_game::{
    Chain, Chains, ConsentFor, Cut, Event, EventKind, Forfeit, LogLine, NoLink, PlayRequest, Seal,
    Table, verify,
};
use adjutant_wording::en;
use common::players::Players;
use common::sentence::Sentence;
use common::{rechain, shipped, stranger};

const TWO: [(&str, &str); 2] = [("Anna", "Allies"), ("Bert", "Axis")];
const THREE: [(&str, &str); 3] = [("Anna", "Allies"), ("Bert", "Axis"), ("Cleo", "Axis")];

fn table_of(names: &[(&str, &str)], forfeit: Option<Forfeit>) -> Players {
    let mut players = Players::new("panzer8", names, 20);
    if forfeit.is_some() {
        players.game = common::Game::new(shipped("panzer8"), "Agreed", &["Allies", "Axis"], &[]);
        for (name, side) in names {
            players.game.join(name, side);
        }
        for (name, _) in names {
            let mut seal = players.chain(name).clone().seal(players.table(), name, None).unwrap();
            seal.forfeit = forfeit;
            let line = players.table().act(&players.stamp(name), EventKind::Seal(seal)).unwrap();
            players.game.apply(&line);
        }
    }
    players.game.unit("element", "Rifles", "Allies", "", "type=inf hesa=5 def=5 quality=0");
    players
}

fn rally() -> PlayRequest {
    PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", "u1") }
}

fn roll(players: &mut Players) {
    players.call("Anna", &rally());
    players.all_show();
    players.rolled("Anna");
}

fn add(
    players: &mut Players,
    make: impl FnOnce(&Players) -> Result<LogLine, adjutant_game::Rejection>,
) {
    let line = make(players).unwrap();
    players.game.apply(&line);
}

fn lines(players: &Players) -> Vec<String> {
    players.table().lines().map(str::to_owned).collect()
}

/// Adds a line that a forger writes, without checking whether it is true.
fn forged(players: &Players, by: &str, what: EventKind) -> String {
    let table = players.table();
    let (n, prev) = (table.lines().len() as u64 + 1, table.head().to_owned());
    let event = Event { n, at: "2026-11-16T03:00:00Z".into(), by: by.into(), prev, what };
    serde_json::to_string(&event).unwrap()
}

#[test]
fn what_only_a_member_may_do_needs_the_members_mark() {
    let mut players = table_of(&TWO, None);
    roll(&mut players);
    let event = players.table().last_that_counts().unwrap();
    let line = players.ask("Anna", ConsentFor::Undo).unwrap();
    let ask = line.n;
    for (by, what) in [
        ("Anna", EventKind::Ask { want: ConsentFor::Undo, event, mark: None }),
        ("Anna", EventKind::Redo { event, mark: None }),
    ] {
        assert!(players.forge(by, what.clone()).is_err(), "{what:?}");
    }
    players.game.apply(&line);
    let consent = EventKind::Consent { ask, yes: true, mark: None };
    assert!(players.forge("Bert", consent).unwrap_err().contains("this has no mark of Bert"));
    add(&mut players, |players| players.consent("Bert", true));
    let undo = EventKind::Undo { event, mark: None };
    assert!(players.forge("Anna", undo).unwrap_err().contains("this has no mark of Anna"));
    add(&mut players, |players| players.undo("Anna"));
    let redo = EventKind::Redo { event, mark: None };
    assert!(players.forge("Anna", redo).is_err());
    players.call("Anna", &rally());
    let call = players.table().open_call().unwrap().n;
    let withdraw = EventKind::Withdraw { call, mark: None };
    assert!(players.forge("Anna", withdraw).unwrap_err().contains("no mark of Anna"));
    add(&mut players, |players| players.withdraw("Anna"));
    let release = EventKind::Release { who: "Anna".into(), mark: None };
    assert!(players.forge("Anna", release).unwrap_err().contains("no mark of Anna"));
    // A player without a chain has no mark to make.
    players.game.join("Dora", "Axis");
    let mark = Some("00".repeat(32));
    let marked = EventKind::Ask { want: ConsentFor::Release, event: 4, mark };
    assert!(players.forge("Dora", marked).unwrap_err().contains("no chain to make a mark with"));
    roll(&mut players);
    players.checked();
}

/// The reproduction of issue 14: a person who writes to the store consents in Bert's name.
#[test]
fn a_forged_consent_is_found() {
    let mut players = table_of(&TWO, None);
    roll(&mut players);
    add(&mut players, |players| players.ask("Anna", ConsentFor::Undo));
    let ask = players.table().lines().len() as u64;
    let mark = Some("ab".repeat(32));
    let line = forged(&players, "Bert", EventKind::Consent { ask, yes: true, mark });
    players.game.table.append(&line).unwrap();
    add(&mut players, |players| players.undo("Anna"));
    // Bert's device refuses the log at once.
    let device = Chains::from(vec![players.chain("Bert").clone()]);
    let forged_line = ask + 1;
    assert_eq!(device.check(players.table(), "Bert"), Err(Cut::NotMine { event: forged_line }));
    // Until the next link, `verify` says that nothing confirms it.
    let table = verify(shipped("panzer8"), players.table().lines(), None).unwrap();
    let record = &table.sealed_records()[1];
    assert_eq!((record.name.as_str(), &record.waiting[..]), ("Bert", &[forged_line][..]));
    let words = en::confirmed(&table).join(" ");
    assert!(
        words
            .contains(&format!("No link of Bert has confirmed that Bert made event {forged_line}")),
        "{words}"
    );
    // The next link of Bert does not open it.
    players.call("Anna", &rally());
    players.show("Anna");
    let table = players.table().clone();
    let shown = players.chain("Bert").show(&table, "Bert").unwrap();
    let refused = table.reveal(&players.stamp("Bert"), &shown).unwrap_err();
    assert!(refused.sentence().contains("does not open the mark of event"), "{refused}");
    let what = EventKind::Reveal { link: shown.link, mark: shown.mark };
    let mut log = lines(&players);
    log.push(forged(&players, "Bert", what));
    assert!(verify(shipped("panzer8"), &log, None).is_err());
    assert!(stranger::verify(&log.join("\n"), &[]).unwrap_err().ends_with("mark"));
}

#[test]
fn a_mark_binds_what_the_line_says() {
    let mut players = table_of(&TWO, None);
    roll(&mut players);
    add(&mut players, |players| players.ask("Anna", ConsentFor::Undo));
    add(&mut players, |players| players.consent("Bert", false));
    roll(&mut players);
    players.checked();
    let mut changed: Vec<String> =
        lines(&players).iter().map(|line| line.replace("\"yes\":false", "\"yes\":true")).collect();
    rechain(&mut changed);
    assert!(verify(shipped("panzer8"), &changed, None).is_err());
    assert!(stranger::verify(&changed.join("\n"), &[]).is_err());
}

#[test]
fn a_release_is_not_made_on_marks_that_no_link_has_opened() {
    let mut players = table_of(&TWO, None);
    roll(&mut players);
    add(&mut players, |players| players.ask_release("Anna", "Bert"));
    let (ask, mark) = (players.table().lines().len() as u64, Some("ab".repeat(32)));
    let line = forged(&players, "Bert", EventKind::Consent { ask, yes: true, mark });
    players.game.table.append(&line).unwrap();
    players.reseal("Anna", 40, 20);
    let refused = players.release("Anna", "Bert").unwrap_err();
    assert!(refused.sentence().contains("no link has confirmed the part of Bert"), "{refused}");
    assert!(players.table().rolls_sealed());
}

#[test]
fn members_of_one_side_are_protected_from_each_other() {
    let mut players = table_of(&THREE, None);
    roll(&mut players);
    // Bert and Cleo play the same side. Neither takes a roll back without the other, nor without Anna.
    let refused = players.undo("Bert").unwrap_err();
    assert!(refused.sentence().contains("consent of Anna, Cleo"), "{refused}");
    let refused = players.release("Bert", "Cleo").unwrap_err();
    assert!(refused.sentence().contains("consent of Anna"), "{refused}");
    players.call("Bert", &rally());
    players.all_show();
    let refused = players.withdraw("Bert").unwrap_err();
    assert!(refused.sentence().contains("consent of Anna, Cleo"), "{refused}");
    players.rolled("Bert");
    add(&mut players, |players| players.ask("Bert", ConsentFor::Undo));
    add(&mut players, |players| players.consent("Anna", true));
    assert!(players.undo("Bert").unwrap_err().sentence().contains("consent of Cleo"));
    add(&mut players, |players| players.consent("Cleo", true));
    add(&mut players, |players| players.undo("Bert"));
    let records = players.table().sealed_records();
    assert_eq!(records[1].undid, 1);
    assert_eq!(en::member_record(&records[1]), "Bert: 1 call, undid 1 roll by consent");
    roll(&mut players);
    players.checked();
    // The same if all members play one side.
    let mut players = table_of(&[("Anna", "Allies"), ("Bert", "Allies")], None);
    roll(&mut players);
    assert!(players.undo("Anna").unwrap_err().sentence().contains("consent of Bert"));
    assert!(players.release("Anna", "Bert").unwrap_err().sentence().contains("consent of Bert"));
}

#[test]
fn calls_that_are_dropped_are_counted() {
    let mut players = table_of(&TWO, None);
    roll(&mut players);
    assert!(!players.table().taken_back_alone());
    players.call("Bert", &rally());
    players.show("Anna");
    add(&mut players, |players| players.withdraw("Anna"));
    let records = players.table().sealed_records();
    assert_eq!((records[0].withdrew, records[0].withdrew_alone, records[0].owed), (1, 1, 0));
    assert_eq!((records[1].called, records[1].owed), (1, 1));
    assert_eq!(en::member_record(&records[0]), "Anna: 1 call, withdrew 1 call alone");
    assert_eq!(
        en::member_record(&records[1]),
        "Bert: 1 call, owed a link to 1 call when it was dropped"
    );
    assert!(players.table().taken_back_alone(), "the log does not show that no roll was chosen");
    // By consent it is not alone.
    players.call("Bert", &rally());
    players.all_show();
    let ask = players.ask("Bert", ConsentFor::Withdraw);
    players.agree("Bert", ask, "Anna");
    add(&mut players, |players| players.withdraw("Bert"));
    let records = players.table().sealed_records();
    assert_eq!((records[1].withdrew, records[1].withdrew_alone), (1, 0));
    let report = adjutant_wording::report::report(players.table()).unwrap();
    assert!(
        report.sealed[0].starts_with("Anna: 1 call, withdrew 1 call alone"),
        "{:?}",
        report.sealed
    );
}

#[test]
fn a_roll_stands_if_the_group_agreed_so() {
    let mut players = table_of(&TWO, Some(Forfeit::Stands));
    players.call("Anna", &rally());
    assert!(players.withdraw("Anna").is_ok(), "no link is shown");
    players.show("Anna");
    // Anna may have seen a link that the server holds back.
    assert!(players.withdraw("Anna").unwrap_err().sentence().contains("consent of Bert"));
    players.show("Bert");
    players.rolled("Anna");
    // A member who waits for another does not drop the call either.
    players.call("Bert", &rally());
    players.show("Anna");
    assert!(players.withdraw("Anna").unwrap_err().sentence().contains("consent of Bert"));
    players.show("Bert");
    players.rolled("Bert");
    players.checked();
}

#[test]
fn a_roll_is_lost_after_the_time_that_the_group_agreed_on() {
    let mut players = table_of(&TWO, Some(Forfeit::Lost { minutes: 30 }));
    players.call("Bert", &rally());
    players.show("Anna");
    let what = players.table().withdraw_event().unwrap();
    let what = players.chain("Anna").clone().sign(players.table(), "Anna", what).unwrap();
    let at = |at: &str| adjutant_game::Stamp::new(at, "Anna");
    for early in ["2026-11-16T02:30:05Z", "later", "2026-11-16T03:00:05+01:00"] {
        assert!(players.table().act(&at(early), what.clone()).is_err(), "{early}");
    }
    assert!(players.table().act(&at("2026-11-16T02:30:06Z"), what.clone()).is_ok());
    // Bert, who owes the link and may know the result, cannot drop it at any time.
    let what = players.chain("Bert").clone().sign(
        players.table(),
        "Bert",
        players.table().withdraw_event().unwrap(),
    );
    let late = adjutant_game::Stamp::new("2026-11-17T02:30:06Z", "Bert");
    assert!(players.table().act(&late, what.unwrap()).is_err());
}

#[test]
fn every_member_agrees_to_the_same_forfeit() {
    let mut players = table_of(&TWO, Some(Forfeit::Stands));
    players.game.join("Cleo", "Axis");
    let anchor = Chain::new([3; 32], 20).unwrap().anchor();
    for forfeit in [None, Some(Forfeit::Lost { minutes: 30 })] {
        let seal = Seal { anchor: anchor.clone(), length: 20, last: None, forfeit };
        let refused = players.forge("Cleo", EventKind::Seal(seal)).unwrap_err();
        assert!(refused.contains("the sealed group agreed otherwise"), "{refused}");
    }
    let rules = en::sealed_rules(players.table(), None).join(" ");
    assert!(rules.contains("a call stands once a link is shown"), "{rules}");
    let mut fresh = common::Game::new(shipped("panzer8"), "Fresh", &["Allies", "Axis"], &[]);
    fresh.join("Anna", "Allies");
    for minutes in [0, adjutant_game::LONGEST_WAIT + 1] {
        let forfeit = Some(Forfeit::Lost { minutes });
        let seal = Seal { anchor: anchor.clone(), length: 20, last: None, forfeit };
        let refused = fresh.table.act(&fresh.stamp(), EventKind::Seal(seal)).unwrap_err();
        assert!(refused.sentence().contains("1 to 43200 minutes"), "{refused}");
    }
}

/// Anna asks and gets an outsider, or Bert's forged name, to write the release.
#[test]
fn a_release_is_written_only_by_the_player_who_asked() {
    let mut players = table_of(&TWO, None);
    players.game.join("Dora", "Allies");
    roll(&mut players);
    add(&mut players, |players| players.ask_release("Anna", "Bert"));
    players.reseal("Anna", 40, 20);
    let release = |mark| EventKind::Release { who: "Bert".into(), mark };
    for (by, mark) in [("Dora", None), ("Emil", None), ("Bert", Some("ab".repeat(32)))] {
        assert!(players.forge(by, release(mark)).is_err(), "{by} ends the group without Bert");
    }
    // An outsider who asks needs both members.
    let needed = players.table().consent_to_release("Dora", "Bert").len();
    assert_eq!(needed, 2);
}

#[test]
fn an_anchor_that_was_skipped_is_known() {
    let mut players = table_of(&TWO, None);
    players.call("Anna", &rally());
    add(&mut players, |players| players.withdraw("Anna"));
    roll(&mut players);
    let skipped = Chain::new([1; 32], 19).unwrap().anchor();
    let seal = Chain::new([50; 32], 5)
        .unwrap()
        .seal(&players.table().clone(), "Anna", Some(players.chain("Anna")))
        .unwrap();
    let known = EventKind::Seal(Seal { anchor: skipped, ..seal });
    assert!(players.forge("Anna", known).unwrap_err().contains("known already"));
}

#[test]
fn an_anchor_that_is_the_last_link_of_the_same_line_is_refused() {
    let mut players = table_of(&TWO, None);
    roll(&mut players);
    let table = players.table().clone();
    let new = Chain::new([50; 32], 5).unwrap();
    let seal = new.seal(&table, "Anna", Some(players.chain("Anna"))).unwrap();
    let last = seal.last.clone().unwrap();
    let known = EventKind::Seal(Seal { anchor: last, ..seal });
    assert!(players.forge("Anna", known).unwrap_err().contains("known already"));
}

#[test]
fn verify_says_how_far_the_log_is_confirmed() {
    let mut players = table_of(&TWO, None);
    assert_eq!(players.table().confirmed(), Some(0));
    roll(&mut players);
    assert_eq!(players.table().confirmed(), Some(0), "no mark is opened yet");
    let last = players.table().lines().len() as u64;
    players.reseal("Anna", 40, 20);
    assert_eq!(players.table().confirmed(), Some(0));
    players.reseal("Bert", 41, 20);
    // The closing seals open the marks of the links: Anna's covers the call, Bert's the link of Anna.
    assert_eq!(players.table().confirmed(), Some(last - 3));
    let words = en::confirmed(players.table()).join(" ");
    assert!(words.contains(&format!("confirmed the log up to event {}", last - 3)), "{words}");
    assert!(players.table().sealed_records().iter().all(|record| record.waiting.is_empty()));
}

#[test]
fn a_device_with_an_older_memory_shows_nothing_more() {
    let mut players = table_of(&TWO, None);
    let mut device = Chains::from(vec![players.chain("Bert").clone()]);
    let backup = serde_json::to_string(&device).unwrap();
    players.call("Anna", &rally());
    players.show("Anna");
    let table = players.table().clone();
    let shown = device.show(&table, "Bert").unwrap();
    add(&mut players, |players| table.reveal(&players.stamp("Bert"), &shown));
    device.saw(players.table(), "Bert").unwrap();
    players.rolled("Anna");
    players.call("Anna", &rally());
    assert!(device.clone().show(players.table(), "Bert").is_ok());
    // The backup does not know of the first link, so it cannot know what else was shown.
    let mut restored: Chains = serde_json::from_str(&backup).unwrap();
    assert_eq!(restored.show(players.table(), "Bert"), Err(NoLink::Cut(Cut::Forgotten)));
    add(&mut players, |players| players.withdraw("Anna"));
    let fresh = Chain::new([60; 32], 20).unwrap();
    assert!(restored.seal(players.table(), "Bert", fresh.clone(), false).is_err());
    let seal = restored.seal(players.table(), "Bert", fresh, true).unwrap();
    let line = players.table().act(&players.stamp("Bert"), EventKind::Seal(seal));
    add(&mut players, |_| line);
    players.call("Anna", &rally());
    assert!(restored.show(players.table(), "Bert").is_ok());
}

#[test]
fn older_formats_are_refused() {
    let players = table_of(&TWO, None);
    let mut log = lines(&players);
    log[0] = log[0].replace("\"format\":3", "\"format\":2");
    rechain(&mut log);
    let fault = Table::open(shipped("panzer8"), &log).unwrap_err();
    assert!(fault.sentence().contains("format 2"), "{fault}");
}
