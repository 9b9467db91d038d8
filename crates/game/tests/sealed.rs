//! Sealed rolls: which player may do what, rule by rule.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::{EnteredInput, RecordedInput, ThrownBy};
use adjutant_game::{
    Chain, ConsentFor, Event, EventKind, PlayError, PlayRequest, Seat, Voice, import, rolls_as_csv,
    verify,
};
use common::players::Players;
use common::random::pack;
use common::sentence::{Sentence, log_in_words, sentences};
use common::{Game, question_pack, shipped, stranger};

/// Changes the face of the first die.
fn turn_die(input: &mut RecordedInput, sides: u32) {
    let RecordedInput::Dice { faces, .. } = input else { panic!("no dice: {input:?}") };
    faces[0] = faces[0] % sides + 1;
}

fn panzer() -> Players {
    let mut players = Players::new("panzer8", &[("Anna", "Allies"), ("Bert", "Axis")], 20);
    players.game.unit("element", "Rifles", "Allies", "", "type=inf hesa=5 def=5 quality=0");
    players.game.unit("element", "Grenadiers", "Axis", "", "type=inf hesa=5 def=5 quality=1");
    players
}

fn skirmish(names: &[(&str, &str)]) -> Players {
    let mut players = Players::new("skirmish", names, 20);
    players.game.unit("man", "Ada", "Red", "hill", "nerve=3 rank=sergeant");
    players.game.unit("man", "Ben", "Blue", "wood", "nerve=2");
    players
}

fn fire() -> PlayRequest {
    PlayRequest::of("fire").unit("firer", "u1").unit("target", "u2").given("ammo", "hesa")
}

const TWO: [(&str, &str); 2] = [("Anna", "Red"), ("Bert", "Blue")];
const THREE: [(&str, &str); 3] = [("Anna", "Red"), ("Bert", "Blue"), ("Cleo", "Green")];

#[test]
fn a_sealed_roll_from_call_to_result() {
    let mut players = panzer();
    players.call("Anna", &fire());
    assert_eq!(players.table().open_call().unwrap().owes().collect::<Vec<_>>(), ["Anna", "Bert"]);
    players.show("Anna");
    assert!(
        matches!(players.table().sealed_play(&players.stamp("Anna"), &mut EnteredInput::new()),
        Err(PlayError::Rejected(why)) if sentences(&why) == ["Bert has not shown a link yet"])
    );
    players.show("Bert");
    players.rolled("Bert");
    players.checked();
    let told = log_in_words(players.table());
    assert!(told[3].starts_with("Anna seals a chain of 20 rolls."), "{}", told[3]);
    assert!(
        told[7].starts_with("Anna calls AP, HE or small-arms fire – firer Rifles, target Grenadiers, sealed. Ammunition"),
        "{}",
        told[7]
    );
    assert_eq!(told[8], "Anna confirms the roll.");
    // Bert's device made the line, but it is Anna's roll.
    assert!(
        told[10].starts_with("Anna: AP, HE") && told[10].contains(" Sealed dice ["),
        "{}",
        told[10]
    );
    assert!(rolls_as_csv(players.table()).unwrap().contains(",sealed,"));
    assert_eq!(players.table().sealed_circle()[0].left(), 19);
}

#[test]
fn where_rolls_are_sealed_no_other_luck_is_taken() {
    let mut players = panzer();
    let stop = players
        .table()
        .play(&players.stamp("Anna"), &fire(), &mut EnteredInput::new().with_dice([10, 1]))
        .unwrap_err();
    assert!(stop.sentence().starts_with("rolls are sealed in this game: call the roll"), "{stop}");
    // A forger cannot add real dice, dice that claim to be sealed, or dice from no source.
    let mut plain = Game::new(shipped("panzer8"), "Plain", &["Allies", "Axis"], &[]);
    plain.unit("element", "Rifles", "Allies", "", "type=inf hesa=5 def=5 quality=0");
    plain.unit("element", "Grenadiers", "Axis", "", "type=inf hesa=5 def=5 quality=1");
    let line = plain
        .table
        .play(&plain.stamp(), &fire(), &mut EnteredInput::new().with_dice([10, 1]))
        .unwrap();
    let EventKind::Play(played) = line.event.what else { panic!() };
    assert!(
        players
            .forge("Anna", EventKind::Play(played.clone()))
            .unwrap_err()
            .contains("was not called")
    );
    let mut claimed = played.clone();
    claimed.inputs.iter_mut().for_each(|came| {
        if let RecordedInput::Dice { by, .. } = came {
            *by = ThrownBy::Sealed
        }
    });
    assert!(
        players.forge("Anna", EventKind::Play(claimed)).unwrap_err().contains("no roll was called")
    );
    let mut none = played.clone();
    none.inputs.clear();
    assert!(
        players
            .forge("Anna", EventKind::Play(none))
            .unwrap_err()
            .contains("cannot be rolled like this")
    );
    // Dice cannot pass as an answer either, with or without a sealed group. Otherwise they would
    // make an undo free.
    for table in [players.table(), &plain.table] {
        let (n, prev) = (table.lines().len() as u64 + 1, table.head().into());
        let event = Event {
            n,
            at: "t".into(),
            by: "Anna".into(),
            prev,
            what: EventKind::Play(played.clone()),
        };
        let mut passing = serde_json::to_value(&event).unwrap();
        passing["do"]["play"]["inputs"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .for_each(|came| came["answer"] = "yes".into());
        let fault = table.clone().apply(&passing.to_string()).unwrap_err();
        assert!(
            fault.to_string().contains("exactly one of `dice`, `card` and `answer`"),
            "{fault}"
        );
    }
    // A call cannot contain faces.
    players.call("Anna", &fire());
    let EventKind::Call(mut called) =
        serde_json::from_str::<Event>(players.table().lines().last().unwrap()).unwrap().what
    else {
        panic!()
    };
    called.inputs.clone_from(&played.inputs);
    let fresh = panzer();
    assert!(
        fresh
            .forge("Anna", EventKind::Call(called))
            .unwrap_err()
            .contains("only answers can be recorded")
    );
}

#[test]
fn an_open_call_freezes_what_it_was_called_in() {
    let mut players = panzer();
    players.call("Anna", &fire());
    let last = players.table().last_that_counts().unwrap();
    for (by, what) in [
        ("Anna", EventKind::Remove { unit: "u2".into(), word: "gone".into() }),
        ("Anna", EventKind::Phase(adjutant_game::PhaseStep::default())),
        ("Anna", EventKind::Undo { event: last, mark: None }),
        ("Bert", EventKind::Ask { want: ConsentFor::Undo, event: last, mark: None }),
        ("Bert", EventKind::Release { who: "Bert".into(), mark: None }),
    ] {
        let refusal = players.table().act(&players.stamp(by), what.clone()).unwrap_err();
        assert!(
            refusal.sentence().contains("is open: finish or withdraw it first"),
            "{what:?}: {refusal}"
        );
    }
    players.game.act(EventKind::Note { text: "Waiting for Bert".into() });
    players.game.join("Cleo", "Axis");
    players.all_show();
    players.rolled("Anna");
    players.checked();
}

#[test]
fn faces_links_and_wish_cannot_be_changed() {
    let mut players = panzer();
    players.call("Anna", &fire());
    players.all_show();
    let line =
        players.table().sealed_play(&players.stamp("Anna"), &mut EnteredInput::new()).unwrap();
    let EventKind::Play(played) = line.event.what else { panic!() };
    let mut face = played.clone();
    turn_die(&mut face.inputs[0], 10);
    assert!(
        players
            .forge("Anna", EventKind::Play(face))
            .unwrap_err()
            .starts_with("the sealed roll is recorded as [")
    );
    let mut wish = played.clone();
    wish.request.given.insert("close".into(), "yes".into());
    assert!(
        players
            .forge("Anna", EventKind::Play(wish))
            .unwrap_err()
            .contains("this is not what was called")
    );
    let mut other = played;
    other.results.clear();
    assert!(
        players
            .forge("Anna", EventKind::Play(other))
            .unwrap_err()
            .contains("the result is recorded as")
    );
    assert!(
        players
            .forge("Bert", EventKind::Reveal { link: "00".repeat(32), mark: "00".repeat(32) })
            .unwrap_err()
            .contains("has shown a link")
    );
}

#[test]
fn a_wrong_link_is_no_link() {
    let mut players = panzer();
    players.call("Anna", &fire());
    let wrong =
        players.forge("Bert", EventKind::Reveal { link: "00".repeat(32), mark: "00".repeat(32) });
    assert_eq!(wrong.unwrap_err(), "this is not the next link of the chain of Bert");
    let short = players.forge("Bert", EventKind::Reveal { link: "00".into(), mark: String::new() });
    assert!(short.unwrap_err().contains("64 digits"));
    // Bert cannot reveal Anna's link.
    let shown = { players.chains[0].1.clone() }.show(players.table(), "Anna").unwrap();
    assert!(
        players.forge("Bert", EventKind::Reveal { link: shown.link, mark: shown.mark }).is_err()
    );
    let copied = Chain::new([1; 32], 20).unwrap();
    players.game.join("Cleo", "Axis");
    assert!(
        players
            .forge(
                "Cleo",
                EventKind::Seal(adjutant_game::Seal {
                    anchor: copied.anchor(),
                    length: 20,
                    last: None,
                    forfeit: None,
                })
            )
            .is_err()
    );
}

#[test]
fn the_dice_after_an_answer_need_fresh_links() {
    let mut players = skirmish(&TWO);
    // Nerve asks whether a private prays, before any card: the answer is in the call.
    let nerve = PlayRequest::of("nerve").unit("man", "u2");
    let needs =
        players.table().call(&players.stamp("Bert"), &nerve, &mut EnteredInput::new()).unwrap_err();
    assert!(matches!(needs, PlayError::Needs { .. }));
    let line = players
        .table()
        .call(&players.stamp("Bert"), &nerve, &mut EnteredInput::new().with_answer("prays", "yes"))
        .unwrap();
    players.game.apply(&line);
    players.all_show();
    players.rolled("Anna");
    players.checked();
    assert_eq!(players.table().sealed_circle()[0].used, 1);
}

fn press() -> Players {
    let mut players = panzer();
    players.game = Game::new(question_pack(), "Press", &["Red", "Blue"], &[]);
    players.chains = vec![
        ("Anna".into(), Chain::new([1; 32], 2).unwrap()),
        ("Bert".into(), Chain::new([2; 32], 2).unwrap()),
    ];
    players.game.join("Anna", "Red");
    players.game.join("Bert", "Blue");
    players.seal("Anna");
    players.seal("Bert");
    players.call("Anna", &PlayRequest::of("press"));
    players.all_show();
    players
}

#[test]
fn a_question_in_mid_course_makes_the_call_go_on() {
    let mut players = press();
    // The first die is known, but the answer is not given yet.
    let stop =
        players.table().sealed_play(&players.stamp("Anna"), &mut EnteredInput::new()).unwrap_err();
    let PlayError::Needs { needs, inputs } = stop else { panic!("{stop}") };
    assert_eq!((needs[0].key.as_str(), inputs.len()), ("more", 1));
    let more = |answer: &str| {
        EnteredInput::new().with_answer("more", answer).with_answer("content", "yes")
    };
    let by_bert =
        players.table().sealed_play(&players.stamp("Bert"), &mut more("yes")).unwrap_err();
    assert_eq!(by_bert.sentence(), "Anna called, and answers");
    let line = players.table().sealed_play(&players.stamp("Anna"), &mut more("yes")).unwrap();
    let EventKind::Call(called) = &line.event.what else {
        panic!("the answer is bound before the next dice are known")
    };
    assert_eq!(called.inputs.len(), 2);
    // The first die cannot be changed by the second call.
    let mut other = called.clone();
    turn_die(&mut other.inputs[0], 6);
    assert!(players.forge("Anna", EventKind::Call(other)).unwrap_err().contains("the links give"));
    players.game.apply(&line);
    // Now all players know the first die, so the call cannot be withdrawn without consent.
    assert!(players.withdraw("Anna").unwrap_err().sentence().contains("consent of Bert"));
    players.all_show();
    let line = players.table().sealed_play(&players.stamp("Anna"), &mut more("yes")).unwrap();
    assert!(matches!(&line.event.what, EventKind::Play(played) if played.inputs.len() == 4));
    players.game.apply(&line);
    verify(question_pack(), players.table().lines(), None).unwrap();
    assert_eq!(stranger::verify(&players.table().to_json_lines(), &[]), Ok(1));
    let told = log_in_words(players.table());
    assert!(
        told.iter()
            .any(|words| words.starts_with("Anna goes on with the call of event 6. Sealed dice [")),
        "{told:#?}"
    );
    // Without another roll no link is needed.
    let mut players = press();
    let line = players.table().sealed_play(&players.stamp("Anna"), &mut more("no")).unwrap();
    assert_eq!(
        players.forge("Bert", line.event.what.clone()).unwrap_err(),
        "Anna called, and answers"
    );
    players.game.apply(&line);
    verify(question_pack(), players.table().lines(), None).unwrap();
}

#[test]
fn a_chain_that_runs_out_is_replaced_also_in_mid_course() {
    let mut players = press();
    let stamp = players.stamp("Anna");
    let line = players
        .table()
        .sealed_play(&stamp, &mut EnteredInput::new().with_answer("more", "yes"))
        .unwrap();
    players.game.apply(&line);
    let refusal = {
        let (table, new) = (players.table().clone(), Chain::new([9; 32], 5).unwrap());
        table.seal(&stamp, &new, Some(&mut players.chain("Anna").clone())).unwrap_err()
    };
    assert!(refusal.sentence().contains("waits for links"), "{refusal}");
    players.all_show();
    players.reseal("Anna", 9, 5);
    let line = players
        .table()
        .sealed_play(&players.stamp("Anna"), &mut EnteredInput::new().with_answer("content", "no"))
        .unwrap();
    players.game.apply(&line);
    let refusal = players
        .table()
        .call(&players.stamp("Bert"), &PlayRequest::of("press"), &mut EnteredInput::new())
        .unwrap_err();
    assert!(refusal.sentence().starts_with("the chain of Bert has run out"), "{refusal}");
    players.reseal("Bert", 8, 5);
    players.call("Bert", &PlayRequest::of("press"));
    players.all_show();
    verify(question_pack(), players.table().lines(), None).unwrap();
    stranger::verify(&players.table().to_json_lines(), &[]).unwrap();
    // A player cannot replace another player's chain.
    let fake = Chain::new([66; 32], 5).unwrap();
    for last in [None, Some("00".repeat(32))] {
        assert!(
            players
                .forge(
                    "Bert",
                    EventKind::Seal(adjutant_game::Seal {
                        anchor: fake.anchor(),
                        length: 5,
                        last,
                        forfeit: None
                    })
                )
                .is_err()
        );
    }
}

#[test]
fn who_calls_cannot_take_it_back_once_another_link_is_shown() {
    let mut players = skirmish(&TWO);
    let shot =
        PlayRequest::of("shot").unit("shooter", "u1").unit("target", "u2").given("range", "1");
    players.call("Anna", &shot);
    players.show("Anna");
    assert!(players.withdraw("Anna").is_ok(), "no one knows anything yet");
    players.show("Bert");
    assert!(players.withdraw("Anna").unwrap_err().sentence().contains("consent of Bert"));
    let ask = players.ask("Anna", ConsentFor::Withdraw);
    players.agree("Anna", ask, "Bert");
    let line = players.withdraw("Anna").unwrap();
    players.game.apply(&line);
    // The links are used up: the same call again gives another outcome.
    players.call("Anna", &shot);
    assert_eq!(players.table().sealed_circle()[1].used, 2);
    players.all_show();
    players.rolled("Anna");
    players.checked();
}

#[test]
fn the_last_to_show_can_only_go_silent_and_blocks_only_sealed_rolls() {
    let mut players = skirmish(&TWO);
    let shot =
        PlayRequest::of("shot").unit("shooter", "u1").unit("target", "u2").given("range", "1");
    players.call("Bert", &shot);
    players.show("Anna");
    // Bert knows the outcome of the call and stays silent. Bert may not withdraw it; Anna, who
    // cannot know it, may.
    assert!(players.withdraw("Bert").unwrap_err().sentence().contains("consent of Anna"));
    let line = players.withdraw("Anna").unwrap();
    players.game.apply(&line);
    assert!(log_in_words(players.table()).last().unwrap().ends_with("No link came from Bert."));
    players.game.act(EventKind::Phase(adjutant_game::PhaseStep::default()));
    // The link that Bert did not reveal is never waited for again.
    players.call("Anna", &shot);
    players.all_show();
    players.rolled("Bert");
    players.checked();
    // Rolling unsealed needs Bert's consent, and no friend of Anna's can give it.
    assert!(players.release("Anna", "Bert").unwrap_err().sentence().contains("consent of Bert"));
    players.game.act(EventKind::Join { who: "Puppet".into(), role: Seat::Umpire });
    players.game.join("Blues' friend", "Blue");
    let ask = players.ask_release("Anna", "Bert").unwrap();
    players.game.apply(&ask);
    for puppet in ["Puppet", "Blues' friend"] {
        assert!(players.consent(puppet, true).is_err(), "{puppet}");
    }
    let line = players.consent("Bert", true).unwrap();
    players.game.apply(&line);
    // A release rests on marks that are opened: no later link would confirm them.
    assert!(
        players.release("Anna", "Bert").unwrap_err().sentence().contains("the part of Anna, Bert")
    );
    players.reseal("Bert", 22, 9);
    let used = players.chain("Anna").clone();
    players.reseal("Anna", 21, 9);
    let line = players.release("Anna", "Bert").unwrap();
    players.game.apply(&line);
    assert!(!players.table().rolls_sealed());
    players.game.play(shot, EnteredInput::new().with_dice([6]));
    // All players know links of Anna's chain, so it cannot be sealed again: neither from its end
    // nor from a revealed link.
    assert!(
        players
            .table()
            .seal(&players.stamp("Anna"), &used, None)
            .unwrap_err()
            .sentence()
            .contains("known already")
    );
    let Some(EventKind::Reveal { link, .. }) = players
        .table()
        .lines()
        .map(|line| serde_json::from_str::<Event>(line).unwrap().what)
        .find(|what| matches!(what, EventKind::Reveal { .. }))
    else {
        panic!()
    };
    let rest = adjutant_game::Seal { anchor: link, length: 3, last: None, forfeit: None };
    assert!(players.forge("Anna", EventKind::Seal(rest)).unwrap_err().contains("known already"));
    players.checked();
}

#[test]
fn a_friend_who_sits_down_on_the_other_side_changes_nothing() {
    let mut players = skirmish(&TWO);
    players.game.join("Red friend of Bert", "Red");
    assert!(
        players
            .ask("Bert", ConsentFor::Withdraw)
            .unwrap_err()
            .sentence()
            .contains("no roll was called")
    );
    let friend = "Red friend of Bert";
    let shot =
        PlayRequest::of("shot").unit("shooter", "u1").unit("target", "u2").given("range", "1");
    players.call("Anna", &shot);
    players.show("Anna");
    // Bert knows the outcome. Bert's friend is not in the sealed group and cannot consent for any
    // side.
    assert!(players.withdraw(friend).unwrap_err().sentence().contains("consent of Anna"));
    let ask = players.ask(friend, ConsentFor::Withdraw).unwrap();
    players.game.apply(&ask);
    let line = players.consent("Bert", true).unwrap();
    players.game.apply(&line);
    for by in [friend, "Bert"] {
        assert!(players.withdraw(by).unwrap_err().sentence().contains("consent of Anna"), "{by}");
    }
    players.show("Bert");
    players.rolled("Anna");
    let ask = players.ask(friend, ConsentFor::Undo).unwrap();
    players.game.apply(&ask);
    let line = players.consent("Bert", true).unwrap();
    players.game.apply(&line);
    assert!(players.undo(friend).unwrap_err().sentence().contains("consent of Anna"));
    players.checked();
}

#[test]
fn of_three_two_go_on_without_the_silent_one() {
    let mut players = skirmish(&THREE);
    let shot =
        PlayRequest::of("shot").unit("shooter", "u1").unit("target", "u2").given("range", "1");
    players.call("Anna", &shot);
    players.show("Anna");
    players.show("Cleo");
    assert_eq!(players.table().consent_to_withdraw("Anna", "t"), [Voice::Member("Cleo".into())]);
    let ask = players.ask("Anna", ConsentFor::Withdraw);
    players.agree("Anna", ask, "Cleo");
    let line = players.withdraw("Anna").unwrap();
    players.game.apply(&line);
    let ask = players.ask_release("Anna", "Bert");
    players.agree("Anna", ask, "Cleo");
    players.reseal("Anna", 31, 20);
    players.reseal("Cleo", 33, 20);
    let line = players.release("Anna", "Bert").unwrap();
    players.game.apply(&line);
    assert!(players.table().rolls_sealed(), "two are left");
    players.chains.remove(1);
    players.call("Anna", &shot);
    players.all_show();
    players.rolled("Cleo");
    // Bert rejoins with a new chain, last in the sealed group.
    players.chains.push(("Bert".into(), Chain::new([77; 32], 3).unwrap()));
    players.seal("Bert");
    let card = PlayRequest::of("nerve").unit("man", "u1");
    players.call("Bert", &card);
    players.all_show();
    players.rolled("Bert");
    players.checked();
}

#[test]
fn an_umpire_who_was_there_may_consent_for_all() {
    let mut players = skirmish(&TWO);
    let mut fresh = Game::new(pack(4), "Umpired", &["Red", "Blue"], &[]);
    fresh.join("Anna", "Red");
    fresh.join("Bert", "Blue");
    fresh.act(EventKind::Join { who: "Uma".into(), role: Seat::Umpire });
    players.game = fresh;
    players.seal("Anna");
    players.seal("Bert");
    let line = players.ask_release("Anna", "Bert").unwrap();
    players.game.apply(&line);
    // Without a chain, a consent in Uma's name could be written by anyone.
    let refused = players.consent("Uma", true).unwrap_err();
    assert!(refused.sentence().contains("Uma has not sealed"), "{refused}");
    players.chains.push(("Uma".into(), Chain::new([9; 32], 20).unwrap()));
    players.seal("Uma");
    let ask = players.ask_release("Anna", "Bert");
    players.agree("Anna", ask, "Uma");
    players.reseal("Anna", 31, 20);
    players.reseal("Uma", 39, 20);
    assert!(players.release("Anna", "Bert").is_ok());
    // An umpire who came later speaks only for themselves, also as a member.
    players.game.act(EventKind::Join { who: "Late".into(), role: Seat::Umpire });
    players.chains.push(("Late".into(), Chain::new([10; 32], 20).unwrap()));
    players.seal("Late");
    let ask = players.ask_release("Anna", "Bert");
    players.agree("Anna", ask, "Late");
    let refused = players.release("Anna", "Bert").unwrap_err();
    assert!(refused.sentence().contains("consent of Uma"), "{refused}");
}

#[test]
fn links_are_used_up_for_ever_and_a_redo_is_the_same_play() {
    let mut players = skirmish(&TWO);
    let shot =
        PlayRequest::of("shot").unit("shooter", "u1").unit("target", "u2").given("range", "1");
    players.call("Anna", &shot);
    players.all_show();
    players.rolled("Anna");
    let after = players.table().state().clone();
    // Puppets cannot consent to an undo either.
    let ask = players.ask("Anna", ConsentFor::Undo).unwrap();
    players.game.apply(&ask);
    players.game.act(EventKind::Join { who: "Puppet".into(), role: Seat::Umpire });
    assert!(players.consent("Puppet", true).is_err());
    let line = players.consent("Bert", true).unwrap();
    players.game.apply(&line);
    let undo = players.undo("Anna").unwrap();
    players.game.apply(&undo);
    let ask = players.ask("Anna", ConsentFor::Redo);
    players.agree("Anna", ask, "Bert");
    let redo = players.redo("Anna").unwrap();
    players.game.apply(&redo);
    assert_eq!(*players.table().state(), after);
    // The same links cannot be used for the roll again.
    let lines: Vec<String> = players.table().lines().map(str::to_owned).collect();
    let play =
        lines.iter().find_map(|line| match serde_json::from_str::<Event>(line).unwrap().what {
            what @ EventKind::Play(_) => Some(what),
            _ => None,
        });
    assert!(players.forge("Anna", play.unwrap()).unwrap_err().contains("no roll was called"));
    players.call("Anna", &PlayRequest::of("help"));
    let old = lines.iter().find_map(|line| match serde_json::from_str::<Event>(line).unwrap() {
        Event { what: what @ EventKind::Reveal { .. }, by, .. } if by == "Bert" => Some(what),
        _ => None,
    });
    assert!(players.forge("Bert", old.unwrap()).unwrap_err().contains("not the next link"));
    players.all_show();
    players.rolled("Anna");
    players.checked();
}

#[test]
fn a_device_shows_no_link_for_two_calls() {
    let mut players = panzer();
    let fork = players.table().clone();
    players.call("Anna", &fire());
    let mut bert = players.chain("Bert").clone();
    bert.show(players.table(), "Bert").unwrap();
    // A lost race is not a second call: the device sends the same link for the same call, with a
    // new mark.
    players.show("Anna");
    let text = serde_json::to_string(&bert).unwrap();
    let mut bert: Chain = serde_json::from_str(&text).unwrap();
    bert.show(players.table(), "Bert").unwrap();
    // The server “lost” the call, and Anna, who has seen the link, makes another call.
    let mut other = fork;
    let line = other
        .call(&players.stamp("Anna"), &fire().given("close", "yes"), &mut EnteredInput::new())
        .unwrap();
    other.apply(&line.text).unwrap();
    assert!(bert.show(&other, "Bert").unwrap_err().sentence().contains("rolled back or copied"));
    // Bert is not stuck: the call is withdrawn and Bert seals a new chain.
    let anna = players.chain("Anna").clone();
    let what = anna.sign(&other, "Anna", other.withdraw_event().unwrap()).unwrap();
    let line = other.act(&players.stamp("Anna"), what).unwrap();
    other.apply(&line.text).unwrap();
    let new = Chain::new([55; 32], 5).unwrap();
    let line = other.seal(&players.stamp("Bert"), &new, Some(&mut bert)).unwrap();
    other.apply(&line.text).unwrap();
    assert!(serde_json::from_str::<Chain>(r#"{"secret":"00","length":3}"#).is_err());
    assert!(Chain::new([0; 32], 0).is_err());
}

#[test]
fn a_mark_shows_that_lines_before_it_were_exchanged() {
    let mut players = panzer();
    players.call("Anna", &fire());
    players.all_show();
    players.rolled("Anna");
    players.game.act(EventKind::Note { text: "All well".into() });
    players.call(
        "Bert",
        &PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", "u2") },
    );
    players.all_show();
    players.rolled("Bert");
    let log: Vec<String> = players.table().lines().map(str::to_owned).collect();
    // A server changes the time of a reveal and rebuilds the hash chain. The faces of the first
    // roll would change too, so it keeps the old ones and is detected there; or, in lines that no
    // seed depends on, by the mark.
    let mut changed = log.clone();
    let joined = log.iter().position(|line| line.contains("\"reveal\"")).unwrap();
    changed[joined] = changed[joined].replace("\"at\":\"2026", "\"at\":\"2027");
    common::rechain(&mut changed);
    let fault = verify(shipped("panzer8"), &changed, None).unwrap_err();
    assert!(
        fault.sentence().contains("the link of Bert does not open the mark of event 10"),
        "{fault}"
    );
    assert!(stranger::verify(&(changed.join("\n") + "\n"), &[]).unwrap_err().ends_with("mark"));
}

#[test]
fn only_who_has_a_seat_seals_and_keeps_it() {
    let mut players = panzer();
    let stray = EventKind::Seal(adjutant_game::Seal {
        anchor: "ab".repeat(32),
        length: 3,
        last: None,
        forfeit: None,
    });
    assert!(players.forge("Nobody", stray).unwrap_err().contains("has not joined the game"));
    let over = EventKind::Join { who: "Anna".into(), role: Seat::Player { side: "Axis".into() } };
    assert!(
        players
            .table()
            .act(&players.stamp("Anna"), over)
            .unwrap_err()
            .sentence()
            .contains("keeps the seat")
    );
    let long = EventKind::Seal(adjutant_game::Seal {
        anchor: "ab".repeat(32),
        length: 0,
        last: None,
        forfeit: None,
    });
    players.game.join("Cleo", "Axis");
    assert!(players.forge("Cleo", long).unwrap_err().contains("1 to 10000 rolls"));
    // A single member seals nothing.
    let mut one = Game::new(shipped("panzer8"), "One", &["Allies", "Axis"], &[]);
    one.join("Anna", "Allies");
    one.unit("element", "Rifles", "Allies", "", "type=inf hesa=5 def=5 quality=0");
    let line = one.table.seal(&one.stamp(), &Chain::new([1; 32], 3).unwrap(), None).unwrap();
    one.apply(&line);
    let rally = PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", "u1") };
    assert!(
        one.table
            .call(&one.stamp(), &rally, &mut EnteredInput::new())
            .unwrap_err()
            .sentence()
            .contains("needs two players who have sealed")
    );
    one.play(rally, EnteredInput::new().with_dice([5]));
}

#[test]
fn an_exported_log_is_imported_and_goes_on() {
    let mut players = panzer();
    players.call("Anna", &fire());
    players.show("Bert");
    // By e-mail: Bert sends the file back, and Anna continues from it.
    let text = players.table().to_json_lines();
    players.game.table = import(shipped("panzer8"), &text).unwrap();
    assert_eq!(players.table().to_json_lines(), text);
    players.show("Anna");
    players.rolled("Anna");
    players.checked();
}
