//! Four realistic games with scripted dice and cards, for the playthroughs and the reports.
#![allow(dead_code, clippy::expect_used, clippy::unwrap_used, clippy::panic)]

use super::sentence::Sentence;
use super::solo::Solo;
use super::{Game, shipped};
use adjutant_dice::EnteredInput;
use adjutant_game::{Begin, ConsentFor, EventKind, NewUnit, PlayRequest, Table};

fn dice(faces: &[u32]) -> EnteredInput {
    EnteredInput::new().with_dice(faces.iter().copied())
}

fn cards(cards: &[u32]) -> EnteredInput {
    EnteredInput::new().with_cards(cards.iter().copied())
}

pub fn panzer8() -> Game {
    let mut game = Game::new(shipped("panzer8"), "Hill 112", &["Allies", "Axis"], &[]);
    game.join("Anna", "Allies");
    game.join("Bert", "Axis");
    game.unit("element", "Rifles", "Allies", "", "type=inf hesa=5 def=5 quality=0");
    game.unit("element", "Churchill", "Allies", "", "type=mech hesa=6 ap=6 def=8 quality=1");
    game.unit("element", "Grenadiers", "Axis", "", "type=inf hesa=5 def=5 quality=1");
    game.unit("element", "Pak 40", "Axis", "", "type=csw ap=8 hesa=4 def=4 quality=1");
    game.act(EventKind::Phase(adjutant_game::PhaseStep {
        to: "action".into(),
        ..Default::default()
    }));
    let fire = |firer: &str, target: &str, ammo: &str| {
        PlayRequest::of("fire").unit("firer", firer).unit("target", target).given("ammo", ammo)
    };
    game.play(fire("u1", "u3", "hesa").given("soft", "yes"), dice(&[9, 4]));
    game.by = "Bert".into();
    game.play(fire("u4", "u2", "ap").given("over_half", "yes"), dice(&[6, 3]));
    game.play(PlayRequest::of("rally").unit("element", "u3"), dice(&[4]));
    // Bert mistyped a die: the event has dice, so Anna must consent to the undo.
    assert!(
        game.table
            .undo(&game.stamp())
            .unwrap_err()
            .sentence()
            .contains("needs the consent of Allies")
    );
    let ask = game.table.ask(&game.stamp(), ConsentFor::Undo).unwrap();
    game.apply(&ask);
    game.by = "Anna".into();
    let consent = game.table.consent(&game.stamp(), true).unwrap();
    game.apply(&consent);
    game.by = "Bert".into();
    let undo = game.table.undo(&game.stamp()).unwrap();
    game.apply(&undo);
    game.play(PlayRequest::of("rally").unit("element", "u3"), dice(&[7]));
    game.by = "Anna".into();
    game.play(fire("u2", "u4", "hesa").given("close", "yes"), dice(&[8, 2]));
    game
}

pub fn asl() -> Game {
    let mut game =
        Game::new(shipped("asl-starter-kit"), "The factory", &["Russian", "German"], &[]);
    game.unit(
        "unit",
        "Sgt. Markow",
        "Russian",
        "hex F5",
        "type=smc fp=1 morale=8 leadership=-1 elr=3",
    );
    game.unit(
        "unit",
        "4-4-7 squad",
        "Russian",
        "hex F5",
        "type=squad fp=4 half_fp=2 morale=7 elr=3",
    );
    game.unit(
        "unit",
        "Conscripts",
        "Russian",
        "hex F5",
        "type=squad fp=4 half_fp=2 morale=6 elr=2 inexperienced=yes",
    );
    game.unit(
        "unit",
        "4-6-7 squad",
        "German",
        "hex F5",
        "type=squad fp=4 half_fp=2 morale=7 elr=4",
    );
    game.unit("unit", "Half-squad", "German", "hex G5", "type=half-squad fp=2 morale=7 elr=4");
    // Fire on the stack first: the leader breaks, and those of lesser morale take a task check.
    game.play(PlayRequest::of("morale-check").unit("unit", "u1").given("mc", "1"), dice(&[5, 4]));
    game.play(game.first(), dice(&[3, 3]));
    game.play(game.first(), dice(&[6, 3]));
    // The Germans ambush; the survivors reply.
    game.play(
        PlayRequest::of("ambush").unit("attacker", "u4").unit("defender", "u2"),
        dice(&[1, 5]),
    );
    game.play(alone(&game, game.first()), dice(&[2, 4]));
    game.play(game.first(), EnteredInput::new());
    game.play(alone(&game, game.first()), dice(&[6, 5]));
    // No ambush elsewhere: both attacks are rolled before either takes effect.
    game.act(EventKind::Set(Box::new(adjutant_game::UnitEdit {
        unit: "u2".into(),
        group: Some("hex G5".into()),
        ..Default::default()
    })));
    game.play(
        PlayRequest::of("ambush").unit("attacker", "u5").unit("defender", "u2"),
        dice(&[3, 4]),
    );
    game.play(game.first(), dice(&[1, 2]));
    game.play(game.first(), dice(&[2, 2]));
    let land = game.table.land(&game.stamp()).unwrap();
    game.apply(&land);
    game
}

pub fn combat_leader() -> Game {
    // Each player has a separate deck.
    let mut game = Game { table: Table::empty(shipped("combat-leader")), by: "Anna".into() };
    let begin = Begin {
        name: "The crossroads".into(),
        sides: vec!["Red".into(), "Blue".into()],
        ..Begin::default()
    };
    for line in game.table.begin_from(&game.stamp(), "own-decks", begin).unwrap() {
        game.apply(&line);
    }
    for (name, side, group) in [("Novak", "Red", "the ditch"), ("Hale", "Blue", "the wall")] {
        let soldier = NewUnit::from_template(game.table.pack(), "soldier", name, side).unwrap();
        game.act(EventKind::Add(vec![NewUnit { group: group.into(), ..soldier }]));
    }
    let jam = |n: u32| {
        (1..)
            .zip(&game.table.pack().decks().as_slice()[0].cards)
            .filter(|(_, card)| card.title.contains("Jam"))
            .map(|(n, _)| n)
            .nth(n as usize)
            .unwrap()
    };
    let shuffle = (1..)
        .zip(&game.table.pack().decks().as_slice()[0].cards)
        .find(|(_, card)| card.title.contains("Shuffle"))
        .map(|(n, _)| n)
        .unwrap();
    let (first, second) = (jam(0), jam(1));
    let shot = |firer: &str, target: &str| {
        PlayRequest::of("accuracy").unit("firer", firer).unit("target", target).given("mod_fp", "3")
    };
    // A jam card, but the weapon holds, and the next card hits.
    game.play(shot("u1", "u2"), cards(&[first, 8]).with_answer("jam", "no"));
    game.play(
        game.first().given("terrain", "forest"),
        cards(&[5]).with_answer("casualty", "pinned"),
    );
    // A shuffle card brings all cards back, then another jam: this time the weapon fails.
    game.play(shot("u2", "u1"), cards(&[shuffle, second]).with_answer("jam", "yes"));
    game.play(PlayRequest::of("repair").unit("firer", "u2"), cards(&[7]));
    game.play(PlayRequest::of("repair").unit("firer", "u2"), cards(&[2]));
    game.play(shot("u1", "u2"), cards(&[13]));
    game.play(
        game.first().given("terrain", "forest"),
        cards(&[1]).with_answer("casualty", "killed"),
    );
    game
}

/// A whole solo game of several turns, with a bit of everything.
pub fn chain_reaction() -> Solo {
    let mut solo = Solo::new(30, true);
    assert!(solo.play(30), "the game comes to an end");
    solo
}

/// The unit named attacks and is attacked alone.
fn alone(game: &Game, play: PlayRequest) -> PlayRequest {
    let pending = game.table.pending().find(|test| Some(&test.due.id) == play.pending.as_ref());
    let chart = game.table.pack().chart(&pending.unwrap().due.chart).unwrap();
    let able = |role| game.table.able_to_join(chart, role, &play);
    let able: Vec<_> = chart.roles.ids().filter_map(able).flatten().collect();
    able.into_iter().fold(play, |play, unit| play.without(&unit.id))
}
