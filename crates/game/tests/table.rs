//! The behaviour of a game, rule by rule.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{
    Begin, DeckAct, DeckLeft, Decks, EventKind, PlayError, PlayRequest, Seat, Stamp, Table,
    UnitEdit,
};
use adjutant_game::{
    LogFault, Rejection, SetupRejection, recruits_from_csv, recruits_from_toml, replay, verify,
};
use adjutant_wording::en;
use common::random::pack;
use common::sentence::{Sentence, log_in_words, sentences};
use common::{Game, shipped};
use std::sync::Arc;

fn dice(faces: &[u32]) -> EnteredInput {
    EnteredInput::new().with_dice(faces.iter().copied())
}

fn skirmish() -> Game {
    let mut game = Game::new(pack(4), "Skirmish", &["Red", "Blue"], &[]);
    game.unit("man", "Ada", "Red", "hill", "nerve=3 rank=sergeant");
    game.unit("man", "Ben", "Red", "hill", "nerve=2");
    game.unit("man", "Cy", "Blue", "wood", "nerve=4 rank=sergeant");
    game.unit("dog", "Rex", "Blue", "wood", "");
    game
}

fn shot(shooter: &str, target: &str) -> PlayRequest {
    PlayRequest::of("shot").unit("shooter", shooter).unit("target", target).given("range", "1")
}

fn status(game: &Game, unit: &str) -> Vec<String> {
    let unit = game.table.state().unit(unit).unwrap();
    unit.statuses
        .iter()
        .map(|status| game.table.pack().statuses()[*status].id.to_string())
        .collect()
}

fn due(game: &Game) -> Vec<String> {
    game.table
        .pending()
        .map(|pending| {
            format!(
                "{} {:?}",
                pending.due.chart,
                pending.due.units.values().flatten().collect::<Vec<_>>()
            )
        })
        .collect()
}

#[test]
fn what_must_be_done_now_comes_before_what_waits() {
    let mut game = skirmish();
    let rush = PlayRequest::of("rush").unit("man", "u1").unit("man", "u2").unit("man", "u3");
    game.play(rush, dice(&[3, 3, 6, 6, 2, 3]));
    // Ben rolls 14, Ada and Cy 9: Ben is first, the others act together after that.
    let order: Vec<_> = game
        .table
        .pending()
        .map(|pending| (pending.due.units["shooter"][0].clone(), pending.due.order))
        .collect();
    assert_eq!(
        order,
        [("u2".to_owned(), Some(1)), ("u1".to_owned(), Some(2)), ("u3".to_owned(), Some(2))]
    );
    game.play(game.first().unit("target", "u3"), dice(&[4]));
    assert_eq!(due(&game), ["nerve [\"u3\"]", "shot [\"u1\"]", "shot [\"u3\"]"]);
}

#[test]
fn a_third_wound_kills_and_what_the_dead_man_had_due_lapses() {
    let mut game = skirmish();
    for _ in 0..2 {
        game.play(shot("u3", "u1"), dice(&[6]));
    }
    assert_eq!(due(&game), ["nerve [\"u1\"]", "nerve [\"u1\"]"]);
    game.play(shot("u3", "u1"), dice(&[6]));
    assert_eq!(game.table.state().unit("u1").unwrap().gone.as_deref(), Some("dead"));
    // The friend in the same group whose nerve is no better, and the enemy without a wound.
    assert_eq!(due(&game), ["nerve [\"u2\"]", "nerve [\"u3\"]"]);
    assert!(
        matches!(game.table.play(&game.stamp(), &shot("u1", "u3"), &mut dice(&[1])), Err(PlayError::Rejected(why)) if why[0].sentence() == "Ada has left (dead)")
    );
}

#[test]
fn attacks_declared_together_land_together() {
    let mut game = skirmish();
    let hurt = UnitEdit {
        unit: "u1".into(),
        has: [("wounds".to_owned(), "2".to_owned())].into(),
        ..UnitEdit::default()
    };
    game.act(EventKind::Set(Box::new(hurt)));
    game.play(shot("u3", "u1").given("volley", "yes"), dice(&[6]));
    assert_eq!(game.table.state().held.len(), 1);
    assert!(game.table.state().unit("u1").unwrap().gone.is_none(), "he still shoots back");
    let nerve = game.table.play(
        &game.stamp(),
        &PlayRequest::of("nerve").unit("man", "u2"),
        &mut EnteredInput::new(),
    );
    assert!(nerve.unwrap_err().sentence().contains("apply their results before you roll Nerve"));
    assert!(game.table.next_phase(&game.stamp()).is_err());
    game.play(shot("u1", "u3").given("volley", "yes"), dice(&[6]));
    let land = game.table.land(&game.stamp()).unwrap();
    game.apply(&land);
    assert_eq!(game.table.state().unit("u1").unwrap().gone.as_deref(), Some("dead"));
    assert_eq!(status(&game, "u3"), ["shaken"]);
    let undo = game.table.undo(&game.stamp()).unwrap();
    game.apply(&undo);
    assert_eq!(game.table.state().held.len(), 2);
}

#[test]
fn a_status_ends_with_its_phase_and_the_turn_goes_round() {
    let mut game = skirmish();
    game.play(shot("u3", "u1"), dice(&[6]));
    assert_eq!(status(&game, "u1"), ["shaken"]);
    for (turn, statuses) in [(1, 1), (2, 0)] {
        let next = game.table.next_phase(&game.stamp()).unwrap();
        game.apply(&next);
        assert_eq!((game.table.turn().1, status(&game, "u1").len()), (turn, statuses));
    }
}

#[test]
fn a_result_on_a_group_is_on_each_of_it_and_on_no_other() {
    let mut game = skirmish();
    let mut luck = EnteredInput::new().with_cards([1]).with_answer("prays", "no");
    let line = game
        .table
        .play(&game.stamp(), &PlayRequest::of("nerve").unit("man", "u2"), &mut luck)
        .unwrap();
    game.apply(&line);
    assert_eq!(
        (status(&game, "u1"), status(&game, "u2")),
        (vec!["shaken".to_owned()], vec!["shaken".to_owned()])
    );
    assert!(status(&game, "u3").is_empty());
    assert_eq!(
        game.table.decks(),
        [DeckLeft { deck: "fate", side: None, left: 3, size: 4, cards: None }]
    );
}

#[test]
fn each_side_draws_from_its_own_deck() {
    let pack = shipped("combat-leader");
    let mut game = Game { table: Table::empty(pack), by: "Anna".into() };
    let begin = Begin {
        name: "Two decks".into(),
        sides: vec!["Red".into(), "Blue".into()],
        decks: Decks::PerSide,
        ..Begin::default()
    };
    let line = game.table.begin(&game.stamp(), begin).unwrap();
    game.apply(&line);
    game.join("Anna", "Red");
    game.unit("soldier", "Novak", "Red", "", "");
    game.unit("soldier", "Hale", "Blue", "", "");
    let left = |game: &Game| {
        game.table.decks().iter().map(|deck| (deck.side, deck.left)).collect::<Vec<_>>()
    };
    // The unit in the first role decides the deck; what follows at once belongs to the same check.
    game.play(
        PlayRequest::of("accuracy").unit("firer", "u2").unit("target", "u1").given("mod_fp", "3"),
        EnteredInput::new().with_cards([13]),
    );
    game.play(
        game.first().given("terrain", "forest"),
        EnteredInput::new().with_cards([12]).with_answer("casualty", "pinned"),
    );
    assert_eq!(left(&game), [(Some(0), 60), (Some(1), 58)]);
    // Without a unit it is the player's own deck, unless the request names one. The other deck
    // still has card 13.
    game.play(PlayRequest::of("card"), EnteredInput::new().with_cards([13]));
    game.play(
        PlayRequest { deck_side: Some("Blue".into()), ..PlayRequest::of("card") },
        EnteredInput::new().with_cards([1]),
    );
    assert_eq!(left(&game), [(Some(0), 59), (Some(1), 57)]);
    let no_side = EventKind::Deck {
        deck: "action".into(),
        side: None,
        act: DeckAct::Reshuffle,
        cards: Vec::new(),
    };
    assert_eq!(
        game.table.act(&game.stamp(), no_side).unwrap_err().sentence(),
        "each side has its own decks: say whose, one of Red, Blue"
    );
    game.act(EventKind::Deck {
        deck: "action".into(),
        side: Some("Blue".into()),
        act: DeckAct::Reshuffle,
        cards: Vec::new(),
    });
    assert_eq!(left(&game), [(Some(0), 59), (Some(1), 60)]);
    let words = log_in_words(&game.table);
    assert!(words[4].contains("Drawn from the deck of Blue: King of"), "{}", words[4]);
    assert!(words[8].ends_with("reshuffles the Action Deck of Blue."), "{}", words[8]);
    verify(shipped("combat-leader"), game.table.lines(), None).unwrap();
}

#[test]
fn a_card_once_drawn_is_not_drawn_again_for_want_of_an_answer() {
    let mut game = Game::new(shipped("combat-leader"), "Jam", &["Red", "Blue"], &[]);
    game.unit("soldier", "Novak", "Red", "", "");
    let jam = (1..)
        .zip(&game.table.pack().decks().as_slice()[0].cards)
        .find(|(_, card)| card.title.contains("Jam"))
        .map(|(n, _)| n)
        .unwrap();
    let play = PlayRequest::of("accuracy").unit("firer", "u1").given("mod_fp", "0");
    let Err(PlayError::Needs { needs, inputs }) =
        game.table.play(&game.stamp(), &play, &mut EnteredInput::new().with_cards([jam, 5]))
    else {
        panic!("the jam check is asked")
    };
    assert_eq!((needs[0].key.as_str(), inputs[0].card()), ("jam", Some(jam)));
    let mut answer = EnteredInput::new().with_answer("jam", "yes");
    let (line, _) = game.table.continue_play(&game.stamp(), &play, &inputs, &mut answer).unwrap();
    game.apply(&line);
    assert_eq!(status(&game, "u1"), ["jammed"]);
    assert_eq!(game.table.decks()[0].left, 59);
}

#[test]
fn newcomers_stand_on_the_side_named_or_against_the_player() {
    let mut game = skirmish();
    game.join("Anna", "Blue");
    game.play(PlayRequest::of("help"), dice(&[5]));
    game.play(
        PlayRequest { new_units_side: Some("Blue".into()), ..PlayRequest::of("help") },
        dice(&[4]),
    );
    let units: Vec<_> = game.table.state().units[4..]
        .iter()
        .map(|unit| (unit.name.as_str(), unit.side, unit.group.as_str()))
        .collect();
    assert_eq!(
        units,
        [("Man 1", 0, "group of event 7"), ("Man 2", 0, "group of event 7"), ("Man 3", 1, "")]
    );
}

#[test]
fn who_looks_on_may_not_act_and_a_bad_line_changes_nothing() {
    let mut game = skirmish();
    game.act(EventKind::Join { who: "Zoe".into(), role: Seat::Spectator });
    let zoe = Stamp::new("t", "Zoe");
    assert_eq!(
        game.table.act(&zoe, EventKind::Note { text: "Hm".into() }).unwrap_err().sentence(),
        "Zoe is a spectator and cannot act"
    );
    assert!(game.table.play(&zoe, &shot("u1", "u3"), &mut dice(&[6])).is_err());
    let before = game.table.clone();
    assert!(
        game.table
            .apply("{\"n\":7}")
            .unwrap_err()
            .sentence()
            .starts_with("event 7: not a line of a log")
    );
    assert_eq!(game.table.state(), before.state());
}

#[test]
fn all_that_is_wrong_with_a_play_is_said_at_once() {
    let game = skirmish();
    let play = PlayRequest::of("shot")
        .unit("shooter", "u4")
        .unit("target", "u9")
        .given("range", "0")
        .given("windy", "yes");
    let Err(PlayError::Rejected(why)) = game.table.play(&game.stamp(), &play, &mut dice(&[1]))
    else {
        panic!("refused")
    };
    assert_eq!(why.len(), 4, "{why:?}");
    assert_eq!(why[0].sentence(), "Rex is a Dog, and shooter must be a Man");
    let Err(PlayError::Needs { needs, .. }) = game.table.play(
        &game.stamp(),
        &PlayRequest::of("shot").unit("target", "u1"),
        &mut dice(&[1]),
    ) else {
        panic!("needs")
    };
    assert_eq!(needs.iter().map(|need| need.key.as_str()).collect::<Vec<_>>(), ["range"]);
}

#[test]
fn rosters_are_read_from_csv_and_toml_or_all_faults_told() {
    let game = skirmish();
    let (pack, setup) = (game.table.pack(), game.table.setup().unwrap());
    let csv = "kind,name,side,group,nerve,statuses,count\nman,Guard,Red,gate,4,shaken,3\ndog,Fido,Blue,,,,\n";
    let read = recruits_from_csv(pack, setup, None, csv).unwrap();
    assert_eq!(
        read.iter().map(|recruit| recruit.name.as_str()).collect::<Vec<_>>(),
        ["Guard 1", "Guard 2", "Guard 3", "Fido"]
    );
    assert!(game.table.act(&game.stamp(), EventKind::Add(read)).is_ok());
    let wrong = recruits_from_csv(
        pack,
        setup,
        None,
        "kind,name,side,nerve\nman,A,Red,9\nmna,B,Red,\nman,,Green,2\n",
    )
    .unwrap_err();
    assert_eq!(
        sentences(&wrong),
        [
            "line 2: nerve: `9` is not accepted: a whole number from 0 to 6",
            "line 3: there is no kind of unit `mna`: did you mean `man`?",
            "line 4: the unit's name is missing",
            "line 4: there is no side `Green`: there are: Red, Blue",
        ]
    );
    let toml = "[[unit]]\nkind = \"man\"\nname = \"Eve\"\nside = \"Blue\"\nnerve = 5\nstatuses = [\"shaken\"]\n";
    assert_eq!(recruits_from_toml(pack, setup, None, toml).unwrap()[0].has["nerve"], "5");
    assert_eq!(
        recruits_from_toml(
            pack,
            setup,
            None,
            "[[unit]]\nkind = \"man\"\nname = \"Eve\"\nside = \"Blue\"\nnerve = 50\n"
        )
        .unwrap_err()
        .len(),
        1
    );
    assert!(
        recruits_from_toml(pack, setup, None, "[[unit]\n").unwrap_err()[0]
            .sentence()
            .starts_with("line 1: ")
    );
}

#[test]
fn a_changed_pack_is_tried_against_a_stored_game() {
    let text = |row: &str| {
        let read = format!(
            "read = {{ rows = [ {{ to = {row}, all = \"low\" }}, {{ all = \"high\" }} ] }}"
        );
        format!(
            "[pack]\nid = \"die\"\ntitle = \"Die\"\n[result.low]\ntitle = \"Low\"\n[result.high]\ntitle = \"High\"\n[chart.die]\ntitle = \"Die\"\nstep = [ {{ roll = \"1d6\", as = \"die\" }} ]\n{read}\n"
        )
    };
    let pack = |row: &str| {
        Arc::new(
            adjutant_pack::read_pack(
                &adjutant_pack::Files::of([("pack.toml", text(row).as_str())]),
                None,
            )
            .unwrap(),
        )
    };
    let mut game = Game::new(pack("3"), "Old rules", &["One"], &[]);
    for face in [3, 4, 5] {
        game.play(PlayRequest::of("die"), dice(&[face]));
    }
    let lines: Vec<String> = game.table.lines().map(str::to_owned).collect();
    let (_, differences) = replay(pack("4"), &lines).unwrap();
    assert_eq!(
        sentences(&differences),
        ["event 3: the result is recorded as High; the chart gives Low"]
    );
    assert!(
        verify(pack("4"), &lines, None)
            .unwrap_err()
            .sentence()
            .starts_with("event 1: the rules of the pack `die` have changed")
    );
    assert!(Table::open(pack("3"), &lines).is_ok());
}

#[test]
fn rolls_go_out_as_csv_and_a_recorded_play_has_its_resolution() {
    let mut game = skirmish();
    game.play(shot("u3", "u1"), dice(&[6]));
    let csv = adjutant_game::rolls_as_csv(&game.table).unwrap();
    assert_eq!(
        csv,
        "event,turn,by,chart,units,roll,dice,faces,source,total,result,counts\n6,1,Anna,Shot,\"Cy, Ada\",Die,1d6,6,typed,5,Hurt,yes\n"
    );
    let resolution = game.table.resolution_of(6).unwrap().unwrap();
    assert_eq!(resolution.rolls().next().unwrap().modifiers[0].label, "Range");
    assert!(game.table.resolution_of(5).unwrap().is_none());
    assert!(game.table.resolution_of(0).unwrap().is_none());
}

#[test]
fn no_one_gets_round_consent_by_changing_seats() {
    let mut game = skirmish();
    game.join("Anna", "Red");
    game.join("Bert", "Blue");
    game.play(shot("u1", "u3"), dice(&[6]));
    let seat = |side: &str| Seat::Player { side: side.into() };
    assert!(
        game.table
            .act(&game.stamp(), EventKind::Join { who: "Bert".into(), role: Seat::Spectator })
            .is_err()
    );
    game.join("Anna", "Blue");
    assert!(
        game.table.undo(&game.stamp()).unwrap_err().sentence().contains("needs the consent of Red")
    );
    game.join("Anna", "Red");
    game.by = "Uma".into();
    game.act(EventKind::Join { who: "Uma".into(), role: Seat::Umpire });
    // Bert has gone home; the umpire reassigns the seat, or consents in Bert's place.
    game.act(EventKind::Join { who: "Bert".into(), role: Seat::Spectator });
    game.by = "Anna".into();
    assert!(game.table.undo(&game.stamp()).is_err());
    let ask = game.table.ask(&game.stamp(), adjutant_game::ConsentFor::Undo).unwrap();
    game.apply(&ask);
    game.by = "Uma".into();
    let consent = game.table.consent(&game.stamp(), true).unwrap();
    game.apply(&consent);
    game.by = "Anna".into();
    let undo = game.table.undo(&game.stamp()).unwrap();
    game.apply(&undo);
    assert!(
        game.table
            .act(&game.stamp(), EventKind::Join { who: "Zoe".into(), role: seat("Blue") })
            .is_ok()
    );
}

/// Three sides, each with a player, and a roll that Anna wants to undo.
fn three_players() -> Game {
    let mut game = Game::new(pack(4), "Skirmish", &["Red", "Blue", "Green"], &[]);
    game.unit("man", "Ada", "Red", "hill", "nerve=3 rank=sergeant");
    game.unit("man", "Cy", "Blue", "wood", "nerve=4 rank=sergeant");
    for (who, side) in [("Anna", "Red"), ("Bert", "Blue"), ("Cleo", "Green")] {
        game.join(who, side);
    }
    game.play(shot("u1", "u2"), dice(&[6]));
    let ask = game.table.ask(&game.stamp(), adjutant_game::ConsentFor::Undo).unwrap();
    game.apply(&ask);
    game
}

#[test]
fn the_last_consent_carries_the_undo_out() {
    let mut game = three_players();
    let shot = game.table.last_that_counts().unwrap();
    assert!(game.table.agreed("-").is_none(), "no one has consented");
    for (who, yes, agreed) in [("Bert", true, false), ("Cleo", false, false), ("Cleo", true, true)]
    {
        game.by = who.into();
        let consent = game.table.consent(&game.stamp(), yes).unwrap();
        game.apply(&consent);
        assert_eq!(game.table.agreed("-").is_some(), agreed, "{who} {yes}");
    }
    let line = game.table.agreed("2026-11-16T03:00:00Z").unwrap();
    assert_eq!(
        (line.event.by.as_str(), &line.event.what),
        ("Anna", &EventKind::Undo { event: shot, mark: None }),
        "the line is that of the player who asked"
    );
    game.apply(&line);
    assert!(
        !game.table.counts(shot)
            && game.table.asked().is_none()
            && game.table.agreed("-").is_none()
    );
    assert_eq!(
        log_in_words(&game.table).last().unwrap(),
        &format!("Anna undoes event {shot}."),
        "nothing has lapsed"
    );
    verify(pack(4), game.table.lines(), None).unwrap();
}

#[test]
fn a_request_that_lapses_says_so() {
    let mut game = three_players();
    let event = game.table.asked().unwrap().event;
    game.by = "Bert".into();
    let phase = game.table.next_phase(&game.stamp()).unwrap();
    let applied = game.table.apply(&phase.text).unwrap();
    assert_eq!(
        applied.lapsed.as_ref().map(|asked| (asked.by.as_str(), asked.event)),
        Some(("Anna", event))
    );
    let lapsed = format!(" Anna's request to undo event {event} expired.");
    for words in [&en::log_line(&game.table, &applied), log_in_words(&game.table).last().unwrap()] {
        assert!(words.ends_with(&lapsed), "{words}");
    }
    let next = game.table.next_phase(&game.stamp()).unwrap();
    assert_eq!(game.table.apply(&next.text).unwrap().lapsed, None, "it lapses once");
}

#[test]
fn nothing_is_said_to_be_done_while_attacks_wait() {
    let mut game =
        Game::new(shipped("asl-starter-kit"), "The factory", &["Russian", "German"], &[]);
    for (name, side) in [("4-4-7", "Russian"), ("4-6-7", "German")] {
        game.unit("unit", name, side, "hex F5", "type=squad fp=4 half_fp=2 morale=7 elr=3");
    }
    let attack = PlayRequest::of("close-combat")
        .unit("attacker", "u1")
        .unit("defender", "u2")
        .given("ambush", "none");
    game.play(attack, dice(&[6, 6]));
    let guide = game.table.guide();
    assert!(guide.held && guide.phase.is_none());
    assert_eq!(
        en::guide(&game.table, &guide),
        ["Simultaneous attacks are waiting. Roll the others, then apply the results."]
    );
}

#[test]
fn a_deck_that_is_drawn_out_is_reshuffled_by_the_next_draw() {
    let mut game = skirmish();
    for card in [3, 1, 4, 2, 2] {
        game.play(
            PlayRequest::of("nerve").unit("man", "u1"),
            EnteredInput::new().with_cards([card]),
        );
    }
    assert_eq!(game.table.decks()[0].left, 3);
    assert!(
        log_in_words(&game.table).last().unwrap().contains("The Fate is reshuffled. Drawn: Two")
    );
    verify(pack(4), game.table.lines(), None).unwrap();
}

#[test]
fn the_format_as_documented_is_the_format() {
    let text = include_str!("../../../docs/log-format.md");
    let example =
        text.split("```json\n").nth(1).and_then(|rest| rest.split("\n```").next()).unwrap();
    let event: adjutant_game::Event = serde_json::from_str(example).unwrap();
    assert_eq!(serde_json::to_string(&event).unwrap(), example);
    let list = serde_json::from_str::<EventKind>("{\"?\":0}").unwrap_err().to_string();
    let names: Vec<&str> = list.split('`').skip(3).step_by(2).collect();
    assert!(names.len() > 10, "{list}");
    for name in names {
        assert!(text.contains(&format!("`{name}`")), "docs/log-format.md lacks {name}");
    }
}

/// A log that is long enough to be read ahead on a second thread, in several blocks.
#[test]
fn a_long_log_is_compared_as_a_short_one_is() {
    let mut game = Game::new(shipped("panzer8"), "Long", &["Allies", "Axis"], &[]);
    game.unit("element", "Rifles", "Allies", "", "type=inf hesa=5 def=5");
    for n in 0..2600_u32 {
        // A low face puts the element out of action; it rallies anyway.
        let rally = PlayRequest {
            anyway: true,
            ..PlayRequest::of("rally").unit("element", "u1").given("lost", "4")
        };
        game.play(rally, dice(&[n % 10 + 1]));
        if n % 100 == 99 {
            // Undone events stay in the log; the events after them start from the state before.
            let undo = game.table.undo(&Stamp::new("t", "Umpire"));
            undo.iter().for_each(|line| game.apply(line));
        }
    }
    let lines: Vec<String> = game.table.lines().map(str::to_owned).collect();
    assert_eq!(
        verify(shipped("panzer8"), &lines, Some(game.table.head())).unwrap().state(),
        game.table.state()
    );
    let (again, differences) = replay(shipped("panzer8"), &lines).unwrap();
    assert!(differences.is_empty() && again.state() == game.table.state());
    // Two results are forged and the hash chain rebuilt: `verify` names the first, `replay` lists
    // both.
    let mut forged = lines.clone();
    for place in [2100, 2400] {
        let wrong = if forged[place].contains("\"No effect\"") {
            ("\"No effect\"", "\"Unsuppressed\"")
        } else {
            ("Unsuppressed", "No effect")
        };
        forged[place] = forged[place].replace(wrong.0, wrong.1);
    }
    common::rechain(&mut forged);
    assert_eq!(verify(shipped("panzer8"), &forged, None).unwrap_err().event, 2101);
    let (_, differences) = replay(shipped("panzer8"), &forged).unwrap();
    assert_eq!(
        differences.iter().map(|difference| difference.event).collect::<Vec<_>>(),
        [2101, 2401]
    );
    // A dropped line is found at its place; differences before it are reported first.
    forged.remove(2300);
    assert_eq!(verify(shipped("panzer8"), &forged, None).unwrap_err().event, 2101);
    let mut short = lines;
    short.remove(2300);
    assert_eq!(verify(shipped("panzer8"), &short, None).unwrap_err().event, 2301);
}

#[test]
fn a_lift_of_what_is_not_on_is_not_recorded() {
    let mut game = Game::new(shipped("panzer8"), "Hill", &["Allies", "Axis"], &[]);
    game.unit("element", "Rifles", "Allies", "", "hesa=6 def=4");
    game.unit("element", "Mortar", "Allies", "", "hesa=6 def=4");
    let change =
        UnitEdit { unit: "u2".into(), put_on: vec!["suppressed".into()], ..UnitEdit::default() };
    game.act(EventKind::Set(Box::new(change)));
    for (unit, recorded) in
        [("u1", vec!["out_of_action"]), ("u2", vec!["out_of_action", "suppressed"])]
    {
        game.play(
            PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", unit) },
            dice(&[1]),
        );
        let event: adjutant_game::Event =
            serde_json::from_str(game.table.lines().last().unwrap()).unwrap();
        let EventKind::Play(played) = event.what else { panic!("a play") };
        assert_eq!(
            played
                .effects
                .iter()
                .map(|effect| effect.kind.written().unwrap().1.as_str())
                .collect::<Vec<_>>(),
            recorded,
            "{unit}"
        );
        assert_eq!(status(&game, unit), ["out_of_action"]);
    }
    verify(shipped("panzer8"), game.table.lines(), None).unwrap();
}

#[test]
fn close_combat_takes_those_who_were_attacked_and_not_their_whole_hex() {
    let hex = || {
        let mut game =
            Game::new(shipped("asl-starter-kit"), "One hex", &["Attacker", "Defender"], &[]);
        game.unit(
            "unit",
            "Leader",
            "Attacker",
            "hex",
            "type=smc fp=1 morale=8 leadership=-1 elr=3",
        );
        game.unit(
            "unit",
            "First squad",
            "Attacker",
            "hex",
            "type=squad fp=4 half_fp=2 morale=7 elr=3",
        );
        game.unit(
            "unit",
            "Other squad",
            "Defender",
            "hex",
            "type=squad fp=4 half_fp=2 morale=7 elr=3",
        );
        game
    };
    let attack = || PlayRequest::of("close-combat").unit("attacker", "u3").unit("defender", "u2");
    let left = |mut game: Game, attack: PlayRequest| -> Vec<String> {
        game.play(attack, dice(&[1, 1]));
        game.apply(&game.table.land(&game.stamp()).unwrap());
        game.table
            .state()
            .here()
            .filter(|unit| unit.gone.is_none())
            .map(|unit| unit.name.clone())
            .collect()
    };
    let alone = attack().without("u1");
    assert_eq!(left(hex(), alone), ["Leader", "Other squad"]);
    assert_eq!(left(hex(), attack()), ["Other squad"], "the roster knows the stack");
}

#[test]
fn a_roster_with_semicolons_is_read_and_a_column_that_stands_twice_is_not() {
    let game = skirmish();
    let (pack, setup) = (game.table.pack(), game.table.setup().unwrap());
    let read =
        recruits_from_csv(pack, setup, None, "kind;name;side;nerve\nman;Dan;Red;3\n").unwrap();
    assert_eq!((read[0].name.as_str(), read[0].has["nerve"].as_str()), ("Dan", "3"));
    assert_eq!(
        recruits_from_csv(pack, setup, None, "kind\tname\tside\nman\tDan, Ada\tRed\n").unwrap()[0]
            .name,
        "Dan, Ada"
    );
    let faults = recruits_from_csv(
        pack,
        setup,
        None,
        "kind,name,side,nerve,nerve\nman,Dan,Red,3,4\nman,Eve\n",
    )
    .unwrap_err();
    assert_eq!(
        sentences(&faults),
        [
            "line 1: the column `nerve` stands twice",
            "line 3: 2 cells are here, but the first line names 5"
        ]
    );
}

#[test]
fn a_name_that_only_looks_like_another_is_refused() {
    let game = skirmish();
    for name in [
        "An\u{200b}na",
        "\u{202e}annA",
        "Anna\u{2066}",
        "Anna\u{feff}",
        "An\u{ad}na",
        "Anna\u{2028}Bert",
    ] {
        let join = EventKind::Join { who: name.into(), role: Seat::Umpire };
        let refusal = game.table.act(&game.stamp(), join).unwrap_err().sentence();
        assert!(refusal.contains("control or hidden characters"), "{refusal}");
    }
    for name in ["Ñandú", "Анна", "\u{645}\u{6cc}\u{200c}\u{62e}", "👩\u{200d}🚒"] {
        game.table
            .act(&game.stamp(), EventKind::Join { who: name.into(), role: Seat::Umpire })
            .unwrap();
    }
}

#[test]
fn a_line_that_names_a_value_twice_is_refused() {
    let game = skirmish();
    let twice = |line: &str| line.replace(r#""nerve":"3""#, r#""nerve":"3","nerve":"4""#);
    let log: Vec<String> = game.table.lines().map(twice).collect();
    let fault = verify(pack(4), &log, None).unwrap_err().sentence();
    assert!(fault.contains("duplicate key"), "{fault}");
}

#[test]
fn a_play_with_a_repeated_or_unknown_key_is_refused() {
    let mut game = Game::new(shipped("panzer8"), "Forged", &["Allies", "Axis"], &[]);
    game.unit("element", "Rifles", "Allies", "", "");
    game.play(
        PlayRequest {
            anyway: true,
            ..PlayRequest::of("rally").unit("element", "u1").given("lost", "0")
        },
        dice(&[7]),
    );
    let lines: Vec<String> = game.table.lines().map(str::to_owned).collect();
    let forged = [
        (r#""lost":"0""#, r#""lost":"0","lost":"1""#, "duplicate key"),
        (r#""element":["u1"]"#, r#""element":["u1"],"element":["u1"]"#, "duplicate key"),
        (r#""request":{"#, r#""request":{"chart":"fire","#, "duplicate field `chart`"),
        (r#""inputs":["#, r#""inputs":[],"inputs":["#, "duplicate field `inputs`"),
        (r#""request":{"#, r#""request":{"who":{},"#, "unknown field `who`"),
        (r#""request":{"#, r#""chart":"rally","request":{"#, "unknown field `chart`"),
        (r#""dice":["#, r#""of":10,"dice":["#, "unknown field `of`"),
    ];
    for (old, new, why) in forged {
        assert!(lines[2].contains(old), "{}", lines[2]);
        let log = [lines[0].clone(), lines[1].clone(), lines[2].replacen(old, new, 1)];
        let fault = Table::open(shipped("panzer8"), &log).unwrap_err().sentence();
        assert!(fault.contains(why), "{fault}");
    }
}

#[test]
fn a_log_of_another_format_is_refused_by_name() {
    let game = Game::new(shipped("panzer8"), "Old", &["Allies", "Axis"], &[]);
    let line = game.table.lines().next().unwrap().to_owned();
    assert!(line.contains(r#""format":3"#), "{line}");
    for (other, found) in [
        (r#""form":1"#, 1),
        (r#""format":1"#, 1),
        (r#""format":2"#, 2),
        (r#""format":4,"news":[]"#, 4),
    ] {
        let fault =
            Table::open(shipped("panzer8"), [line.replace(r#""format":3"#, other)]).unwrap_err();
        let format = Rejection::Setup(SetupRejection::Format { found });
        assert_eq!((fault.event, &fault.fault), (1, &LogFault::Rejected(format)));
        assert!(
            fault.sentence().contains(&format!("format {found}, and this program reads format 3")),
            "{}",
            fault.sentence()
        );
    }
}
