//! Stacks that attack together, one unit of several chosen by a roll, endings of each side, and the
//! named scenarios of the bundled packs.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{Begin, EventKind, PlayRequest, Table, UnitEdit, verify};
use adjutant_pack::{Files, Pack, read_pack};
use adjutant_wording::en;
use common::sentence::log_in_words;
use common::{Game, shipped};
use std::sync::Arc;

fn dice(faces: &[u32]) -> EnteredInput {
    EnteredInput::new().with_dice(faces.iter().copied())
}

fn due(game: &Game) -> Vec<String> {
    game.table.pending().map(|pending| en::pending_test(&game.table, pending)).collect()
}

fn put_on(game: &mut Game, unit: &str, status: &str) {
    game.act(EventKind::Set(Box::new(UnitEdit {
        unit: unit.into(),
        put_on: vec![status.into()],
        ..UnitEdit::default()
    })));
}

fn hex() -> Game {
    let mut game = Game::new(shipped("asl-starter-kit"), "Hex", &["Guards", "Pioneers"], &[]);
    game.unit("unit", "Orlov", "Guards", "F5", "type=smc fp=1 morale=8 leadership=-1 elr=3");
    game.unit("unit", "First", "Guards", "F5", "type=squad fp=4 morale=7 elr=3");
    game.unit("unit", "Second", "Guards", "F5", "type=squad fp=4 morale=7 elr=3");
    game.unit("unit", "Kern", "Pioneers", "F5", "type=squad fp=4 half_fp=2 morale=7 elr=3");
    game.unit("unit", "Crew", "Pioneers", "F5", "type=crew fp=2 morale=8 elr=3");
    game.unit("unit", "Far", "Guards", "G5", "type=squad fp=4 morale=7 elr=3");
    game
}

fn attack(attacker: &str, defender: &str) -> PlayRequest {
    PlayRequest::of("close-combat")
        .unit("attacker", attacker)
        .unit("defender", defender)
        .given("ambush", "attacker")
}

#[test]
fn a_stack_attacks_together_line_by_line() {
    let mut game = hex();
    put_on(&mut game, "u3", "pinned");
    put_on(&mut game, "u5", "cx");
    let situation = game.table.situation(&attack("u2", "u4")).unwrap();
    let mut run = situation.clone();
    let found = adjutant_engine::resolve(&mut run, &mut dice(&[3, 5])).unwrap();
    let lines: Vec<String> = found
        .rolls()
        .flat_map(|roll| &roll.modifiers)
        .filter(|line| line.counted)
        .map(|line| format!("{}: {}", line.label, line.value.unwrap()))
        .collect();
    assert_eq!(
        lines,
        [
            "Others in the group: 1",
            "Pinned others in the group, halved: 2",
            "Others attacked with it: 2",
            "Ambush, by the ambusher: -1",
            "CX, against: -1",
            "Leadership in the attacking group: -1",
        ]
    );
    // 4 + 1 + 4/2 against 4 + 2: 7 to 6 is 1-1, kill number 5.
    assert_eq!(found.result.unwrap().id, "one-reduced");
}

#[test]
fn a_broken_unit_adds_nothing_and_one_s_own_number_goes_first() {
    let mut game = hex();
    put_on(&mut game, "u3", "broken");
    put_on(&mut game, "u1", "broken");
    game.play(attack("u2", "u4").given("defender.joined_fp", "0"), dice(&[6, 5]));
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(words.contains("Firepower of others in the attacking group: 0"), "{words}");
    assert!(words.contains("Firepower of others attacked with it: 0"), "{words}");
    // No leader is left to lead: the question takes its default, and nothing is recorded.
    assert!(!words.contains("Leadership"), "{words}");
}

#[test]
fn a_casualty_reduction_falls_on_one_of_the_stack_by_a_roll() {
    let mut game = hex();
    game.play(attack("u2", "u4"), dice(&[4, 4]));
    // 9 against 6 is 3-2, kill number 6; 8 less ambush and leadership.
    assert_eq!(
        due(&game),
        ["Random selection – Kern, Crew (DR equal to the kill number, at once)"]
    );
    game.play(game.first(), dice(&[2]));
    assert_eq!(due(&game), ["Casualty Reduction – Crew (DR equal to the kill number, at once)"]);
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(words.contains("Dice [2]") && words.contains("Crew: Chosen"), "{words}");
    game.play(game.first(), dice(&[]));
    assert!(game.table.state().unit("u5").unwrap().gone.is_some());
    // Alone, no roll is needed.
    game.play(attack("u2", "u4"), dice(&[6, 3]));
    assert_eq!(due(&game), ["Casualty Reduction – Kern (DR equal to the kill number, at once)"]);
    verify(shipped("asl-starter-kit"), game.table.lines(), None).unwrap();
}

#[test]
fn below_the_kill_number_the_whole_stack_is_gone_and_the_other_side_has_won() {
    let mut game = hex();
    game.play(attack("u2", "u4"), dice(&[1, 1]));
    let gone = |id: &str| game.table.state().unit(id).unwrap().gone.is_some();
    assert!(gone("u4") && gone("u5") && !gone("u6"));
    let says = en::guide(&game.table, &game.table.guide());
    assert_eq!(
        says[0],
        "The fight is over. A side has no unit in Good Order and no vehicle left. Guards won."
    );
}

#[test]
fn breaking_switches_to_the_broken_side_s_morale_and_a_rally_back() {
    let mut game = Game::new(shipped("asl-starter-kit"), "Hex", &["Guards", "Pioneers"], &[]);
    game.unit("unit", "First", "Guards", "F5", "type=squad fp=4 morale=7 broken_morale=8 elr=3");
    let morale = |game: &Game| {
        let unit = game.table.state().unit("u1").unwrap();
        game.table.worked_out(unit).first().unwrap().1.number().unwrap().to_string()
    };
    assert_eq!(morale(&game), "7");
    game.play(PlayRequest::of("morale-check").unit("unit", "u1"), dice(&[4, 5]));
    assert_eq!(morale(&game), "8");
    // An 8 is above 7, but not above the 8 of the broken side.
    game.play(PlayRequest::of("morale-check").unit("unit", "u1"), dice(&[4, 4]));
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(words.contains("Stays broken"), "{words}");
    game.act(EventKind::Set(Box::new(UnitEdit {
        unit: "u1".into(),
        lift: vec!["broken".into()],
        ..UnitEdit::default()
    })));
    assert_eq!(morale(&game), "7");
}

/// The named scenarios: what is fun at once.
const SCENARIOS: [(&str, &str); 4] = [
    ("panzer8", "first-game"),
    ("combat-leader", "the-orchard"),
    ("chain-reaction", "the-mill"),
    ("asl-starter-kit", "tractor-works"),
];

fn scenario(pack: &str, start: &str) -> Game {
    let mut game = Game { table: Table::empty(shipped(pack)), by: "Anna".into() };
    let begin = Begin { name: "Evening".into(), ..Begin::default() };
    for line in game.table.begin_from(&game.stamp(), start, begin).unwrap() {
        game.apply(&line);
    }
    while game.table.pending().next().is_some() {
        game.play(game.first(), dice(&[3]));
    }
    game
}

#[test]
fn each_game_has_a_named_scenario_with_a_briefing_and_an_ending() {
    for (pack, start) in SCENARIOS {
        let mut game = scenario(pack, start);
        let about = game.table.pack().starts().iter().find(|known| known.id == start).unwrap();
        assert!(about.about.len() > 150, "{pack}: a briefing");
        assert!((6..=10).contains(&game.table.state().units.len()), "{pack}");
        assert!(game.table.endings().is_empty(), "{pack}");
        let lost: Vec<String> = game
            .table
            .state()
            .here()
            .filter(|unit| unit.side == 1)
            .map(|unit| unit.id.clone())
            .collect();
        for unit in lost {
            game.act(EventKind::Remove { unit, word: "gone".into() });
        }
        let won = format!("{} won.", game.table.sides()[0]);
        let says = en::guide(&game.table, &game.table.guide());
        assert!(says[0].ends_with(&won), "{pack}: {says:?}");
        assert_eq!(game.table.endings().len(), 1, "{pack}");
    }
}

#[test]
fn when_no_side_has_a_unit_left_no_side_has_won() {
    let mut game = scenario("panzer8", "first-game");
    let all: Vec<String> = game.table.state().here().map(|unit| unit.id.clone()).collect();
    for unit in all {
        game.act(EventKind::Remove { unit, word: "gone".into() });
    }
    let endings = game.table.endings();
    assert!(endings.iter().all(|ending| ending.winners == Some(Vec::new())), "{endings:?}");
}

#[test]
fn what_a_figure_does_at_once_is_an_instruction() {
    let mut game = scenario("chain-reaction", "the-mill");
    let crisis =
        |reason: &str| PlayRequest::of("crisis").unit("figure", "u5").given("reason", reason);
    game.play(crisis("outgunned"), dice(&[1, 1]));
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(words.contains("Move it to the nearest cover within 6 inches"), "{words}");
    game.play(crisis("outgunned"), dice(&[6, 6]));
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(words.contains("drops prone where it is"), "{words}");
    let means = en::meaning_of(&game.table, game.table.lines().len() as u64).unwrap().join(" ");
    assert!(means.contains("Surrenders to an enemy within 4 inches"), "{means}");
    game.play(crisis("outgunned"), dice(&[6, 6]));
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(words.contains("towards the nearest edge of the table"), "{words}");
}

#[test]
fn what_the_sheets_define_is_in_the_glossary() {
    let wanted: [(&str, &[&str]); 2] = [
        (
            "asl-starter-kit",
            &[
                "full-squad",
                "half-squad",
                "crew",
                "smc",
                "natural-12",
                "elr",
                "morale",
                "mc",
                "mdr",
                "dr",
            ],
        ),
        (
            "chain-reaction",
            &[
                "rep",
                "carry-on",
                "duck-back",
                "hunker-down",
                "leave",
                "outgunned",
                "return-fire",
                "snap-fire",
                "out",
            ],
        ),
    ];
    for (id, terms) in wanted {
        let pack = shipped(id);
        for term in terms {
            let known = pack.terms().iter().find(|known| known.id == *term);
            assert!(known.is_some_and(|known| known.text.len() > 10), "{id}: {term}");
        }
    }
}

#[test]
fn a_split_and_a_capture_are_told_when_they_apply() {
    let mut game = scenario("chain-reaction", "the-mill");
    let last = |game: &Game| {
        let means = en::meaning_of(&game.table, game.table.lines().len() as u64).unwrap();
        log_in_words(&game.table).pop().unwrap() + &means.join(" ")
    };
    let group = PlayRequest::of("np-move").unit("force", "u5").given("np", "12");
    game.play(group.given("players", "1"), dice(&[1, 1, 2]));
    let words = last(&game);
    assert!(words.contains("Two equal groups"), "{words}");
    assert!(words.contains("Give half of the figures another group"), "{words}");
    let blow = PlayRequest::of("melee-damage").unit("figure", "u5").given("impact", "3");
    game.play(blow, dice(&[2]));
    let words = last(&game);
    assert!(words.contains("An enemy who reaches him captures or dispatches him"), "{words}");
}

const PICK: &str = r#"
[pack]
id = "pick"
title = "Pick"
[unit.man]
title = "Man"
has = { nerve = { number = "Nerve", from = 1, to = 6 } }
[chart.watch]
title = "Night watch"
who = { man = "man" }
each = "man"
random = "Who has the watch"
step = [ { roll = "1d6" } ]
read = { rows = [ { when = "die <= man.nerve", all = "awake" }, { all = "asleep" } ] }
[chart.leader]
title = "Leader"
who = { man = "man" }
ask = { best = { number = "Best nerve of the others", from = 0, to = 6, default = 0, count = { of = "man", for = "side", from = "man", others = true, most = "other.nerve" } }, alone = { yes_no = "A braver friend", count = { of = "man", for = "side", from = "man", others = true, when = "other.nerve >= 5" } } }
read = { value = "best + if(alone, 10, 0)" }
[result]
awake = { title = "Awake" }
asleep = { title = "Asleep" }
"#;

fn pick() -> Arc<Pack> {
    let files = Files::of([("pack.toml", PICK)]);
    Arc::new(read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}")))
}

#[test]
fn a_roll_picks_one_of_several_and_the_chart_is_run_for_that_one_only() {
    let mut game = Game::new(pick(), "Camp", &["Red", "Blue"], &[]);
    for nerve in [2, 4, 6] {
        game.unit("man", &format!("Nerve {nerve}"), "Red", "", &format!("nerve={nerve}"));
    }
    let all = ["u1", "u2", "u3"];
    let watch = all.iter().fold(PlayRequest::of("watch"), |play, unit| play.unit("man", *unit));
    game.play(watch.clone(), dice(&[1, 3]));
    let words = log_in_words(&game.table).pop().unwrap();
    assert!(words.contains("Dice [1] [3]") && words.contains("Asleep"), "{words}");
    game.play(watch.clone(), dice(&[2, 3]));
    assert!(log_in_words(&game.table).pop().unwrap().contains("Awake"));
    verify(pick(), game.table.lines(), None).unwrap();
    // Each of the three is as likely: 2/6, 4/6 and 6/6 awake.
    let situation = game.table.situation(&watch).unwrap();
    let odds = adjutant_engine::odds(&situation, &adjutant_engine::OddsOptions::default()).unwrap();
    let awake = odds.branches[0].spread.results.iter().filter(|result| result.id == "awake");
    assert_eq!(adjutant_engine::Chance::sum(awake.map(|result| &result.chance)).exact(), "2/3");
}

#[test]
fn the_best_of_the_others_is_counted_and_whether_there_is_one() {
    let mut game = Game::new(pick(), "Camp", &["Red", "Blue"], &[]);
    for nerve in [6, 4, 5] {
        game.unit("man", &format!("Nerve {nerve}"), "Red", "", &format!("nerve={nerve}"));
    }
    game.unit("man", "Blue", "Blue", "", "nerve=6");
    let value = |game: &Game, unit: &str| {
        let mut situation =
            game.table.situation(&PlayRequest::of("leader").unit("man", unit)).unwrap();
        adjutant_engine::resolve(&mut situation, &mut dice(&[])).unwrap().value.unwrap().to_string()
    };
    assert_eq!(value(&game, "u1"), "15");
    assert_eq!(value(&game, "u2"), "16");
    assert_eq!(value(&game, "u4"), "0", "no friend: the default, and no");
}

/// Men who push together: the strong ones join, the weak stay out.
const PUSH: &str = r#"
[pack]
id = "push"
title = "Push"
[unit.man]
title = "Man"
has = { strength = { number = "Strength", from = 0, to = 6 } }
[status.tired]
title = "Tired"
of = "man"
stops = ["push"]
[chart.push]
title = "Push"
who = { man = "man" }
joined = { man = "other.strength >= 2" }
[chart.push.ask]
with = { number = "Men with him", from = 0, to = 20, default = 0, count = { of = "man", for = "joined", from = "man", others = true } }
sum = { number = "Their strength", from = 0, to = 99, default = 0, count = { of = "man", for = "joined", from = "man", sum = "other.strength" } }
pair = { yes_no = "Two or more with him", count = { of = "man", for = "joined", from = "man", others = true, at_least = 2 } }
[chart.push.read]
value = "sum + if(pair, 100, 0) + 1000 * with"
effects = [ { status = "tired", on = "man", all = true } ]
next = [ { chart = "rest", why = "Pushed", for = "joined", of = "man", role = "man" }, { chart = "push", why = "Once more", who = { man = "man" } } ]
[chart.rest]
title = "Rest"
who = { man = "man" }
read = { value = "1" }
"#;

fn push() -> Arc<Pack> {
    let files = Files::of([("pack.toml", PUSH)]);
    Arc::new(read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}")))
}

fn worth(game: &Game, play: &PlayRequest) -> String {
    let mut situation = game.table.situation(play).unwrap();
    adjutant_engine::resolve(&mut situation, &mut dice(&[])).unwrap().value.unwrap().to_string()
}

fn is_tired(game: &Game, unit: &str) -> bool {
    !game.table.state().unit(unit).unwrap().statuses.is_empty()
}

#[test]
fn any_pack_may_say_who_joins() {
    let mut game = Game::new(push(), "Cart", &["Red", "Blue"], &[]);
    for strength in [1, 2, 3, 1, 5] {
        game.unit(
            "man",
            &format!("Man {strength}"),
            "Red",
            "cart",
            &format!("strength={strength}"),
        );
    }
    game.unit("man", "Other cart", "Red", "far", "strength=6");
    game.unit("man", "Enemy", "Blue", "cart", "strength=6");
    let push_by = |unit: &str| PlayRequest::of("push").unit("man", unit);
    let value = |game: &Game, play: PlayRequest| worth(game, &play);
    // The weak man who is named pushes; another weak one does not join.
    assert_eq!(value(&game, push_by("u1")), "3111");
    assert_eq!(value(&game, push_by("u1").without("u2").without("u3")), "1006");
    game.play(push_by("u1").without("u5"), dice(&[]));
    for (unit, tired) in
        [("u1", true), ("u2", true), ("u3", true), ("u4", false), ("u5", false), ("u6", false)]
    {
        assert_eq!(is_tired(&game, unit), tired, "{unit}");
    }
    // The tired men rest; the next push passes to one who is not tired and may join.
    assert_eq!(
        due(&game),
        ["Rest – Man 2 (Pushed)", "Rest – Man 3 (Pushed)", "Push – Man 5 (Once more)"]
    );
    verify(push(), game.table.lines(), None).unwrap();
}

#[test]
fn a_pack_that_joins_no_one_says_so() {
    let wrong = |from: &str, to: &str| -> Vec<String> {
        let files = Files::of([("pack.toml", PUSH.replace(from, to))]);
        let faults = read_pack(&files, None).unwrap_err();
        faults.iter().map(|fault| en::diagnostic(fault).message).collect()
    };
    let said = wrong("joined = { man = \"other.strength >= 2\" }\n", "");
    assert!(
        said.iter().any(|text| text.contains("no units join the one in the role `man`")),
        "{said:?}"
    );
    let said = wrong("joined = ", "each = \"man\"\njoined = ");
    assert!(said.iter().any(|text| text.contains("is run for each unit")), "{said:?}");
    let said = wrong("other.strength >= 2\" }", "man.strength >= 2\" }");
    assert!(said.iter().any(|text| text.contains("the units counted alone")), "{said:?}");
}
