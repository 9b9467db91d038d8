//! The rules of a roll in progress, for random moves on random games.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::{
    EnteredInput, Entry, MixedInput, OwnLuck, RandomInput, RecordedInput, ThrownBy, Wanted, WayBack,
};
use adjutant_game::{
    Attempt, AttemptView, EventKind, Move, MoveError, Progress, Refusal, Rejection, RoleState,
    Stage, Table, verify,
};
use adjutant_pack::Pack;
use common::random::{RandomGame, pack};
use std::sync::Arc;

/// The number of times that each rule was really put to the test.
#[derive(Debug, Default)]
struct Tally {
    recorded: usize,
    refused: usize,
    asked: usize,
    frozen: usize,
    taken_back: usize,
    candidates: usize,
    replayed: usize,
}

fn start(game: &mut RandomGame) -> Attempt {
    let due: Vec<_> = game.table.pending().map(|pending| pending.due.clone()).collect();
    match game.choose.one(&due).cloned().filter(|_| game.choose.below(2) == 0) {
        Some(due) => Attempt::of_test(&due),
        None => {
            let pack = game.table.pack().clone();
            Attempt::of(game.choose.one(pack.charts()).unwrap().id.as_str())
        }
    }
}

/// A move as a player makes it, sometimes with a role or unit that does not exist.
fn random_move(game: &mut RandomGame, attempt: &Attempt) -> Move {
    let chart = attempt.chart(&game.table).unwrap().clone();
    let mut roles: Vec<String> = chart.roles.iter().map(|role| role.id.to_string()).collect();
    roles.push("nobody".into());
    let role = game.choose.one(&roles).cloned().unwrap();
    let mut units: Vec<String> = match chart.role(&role) {
        Some(place) if game.choose.below(6) > 0 => {
            attempt.candidates(&game.table, place).iter().map(|one| one.unit.id.clone()).collect()
        }
        _ => game.table.state().here().map(|unit| unit.id.clone()).collect(),
    };
    units.push("u999".into());
    let unit = game.choose.one(&units).cloned().unwrap();
    let inputs = attempt.view(&game.table, "Anna").map(|view| {
        let inputs = view.inputs.iter();
        inputs.map(|it| (it.name.clone(), it.input.field.accepts.clone())).collect::<Vec<_>>()
    });
    match game.choose.below(12) {
        0..=2 => Move::Choose { role, unit },
        3 => Move::ChooseAgain { role, unit },
        4 => Move::ChooseAll { role },
        5 => Move::Unlisted { role },
        6 => Move::LeaveOut { unit },
        7 => Move::Allow(game.choose.below(2) == 0),
        8 => Move::Units { role, units: vec![unit] },
        _ => match game.choose.one(&inputs.unwrap_or_default()) {
            Some((name, accepts)) => {
                Move::Set { name: name.clone(), value: game.choose.value(accepts).to_string() }
            }
            None => Move::NewUnitsSide(None),
        },
    }
}

/// What must be true of an attempt at any time.
fn check(game: &RandomGame, attempt: &Attempt, tally: &mut Tally) {
    let Some(view) = attempt.view(&game.table, "Anna") else { return };
    assert_eq!(view.stage == Stage::Underway, attempt.is_underway());
    // A value of a settled role or input is that of the test.
    for role in view.roles.iter().filter(|role| role.state == RoleState::Settled) {
        assert_eq!(Some(&role.units), view.test.unwrap().units.get(role.role.id.as_str()));
    }
    // The inputs that are missing are those that the engine needs.
    if let Some(situation) = &view.situation {
        let needs = adjutant_engine::needs(situation);
        let missing = view.inputs.iter().filter(|input| input.missing).count();
        assert_eq!(missing, needs.len(), "{needs:?}\n{:?}", view.inputs);
    }
    // Who is offered is accepted in the role.
    for role in &view.roles {
        if role.state == RoleState::Settled || role.several || attempt.is_underway() {
            continue;
        }
        for candidate in attempt.candidates(&game.table, role.place).into_iter().take(2) {
            let mut tried = attempt.clone();
            let units = vec![candidate.unit.id.clone()];
            tried.make(&game.table, Move::Units { role: role.role.id.to_string(), units }).unwrap();
            let after = tried.view(&game.table, "Anna").unwrap();
            if candidate.ruled_out.is_none() {
                let before = faults(&view);
                let unit = candidate.unit.name.as_str();
                let is_new =
                    |why: &Rejection| !before.contains(why) && format!("{why:?}").contains(unit);
                assert_eq!(faults(&after).into_iter().find(is_new), None);
            }
            tally.candidates += 1;
        }
    }
}

fn faults(view: &AttemptView<'_>) -> Vec<Rejection> {
    match &view.refusal {
        Some(Refusal::Rejected(why)) => why.clone(),
        _ => Vec::new(),
    }
}

/// Moves that are refused once dice have come.
fn frozen(game: &mut RandomGame, attempt: &mut Attempt, tally: &mut Tally) {
    let before = attempt.clone();
    if attempt.chart(&game.table).is_none() {
        return;
    }
    let step = random_move(game, attempt);
    assert_eq!(attempt.make(&game.table, step), Err(MoveError::Underway));
    assert_eq!(attempt.leave(), Err(MoveError::Underway));
    assert_eq!(*attempt, before);
    tally.frozen += 1;
}

fn drawn(inputs: &[RecordedInput]) -> Vec<RecordedInput> {
    inputs.iter().filter(|input| input.is_drawn()).cloned().collect()
}

/// The reply of a player, or of one who lets the program roll.
fn reply(game: &mut RandomGame, wanted: &Wanted, key: &str) -> Entry {
    match wanted {
        Wanted::Dice { .. } | Wanted::Card { .. } if game.choose.below(3) == 0 => Entry::Program,
        Wanted::Dice { count, sides, .. } => {
            let face = |_| 1 + game.choose.below(*sides as usize) as u32;
            Entry::Dice((0..*count).map(face).collect())
        }
        Wanted::Card { .. } => Entry::Card(1 + game.choose.below(60) as u32),
        Wanted::Answer { accepts } | Wanted::Input { accepts } => {
            Entry::Answer { key: key.to_owned(), text: game.choose.value(accepts).to_string() }
        }
    }
}

/// Rolls an attempt as far as it goes; whether its line was stored.
fn roll(game: &mut RandomGame, attempt: &mut Attempt, tally: &mut Tally) -> bool {
    let own = [OwnLuck::NONE, OwnLuck::ALL][game.choose.below(2)];
    attempt.set_own(own);
    let mut entry: Option<Entry> = None;
    for turn in 0..30 {
        let (before, stamp) = (drawn(attempt.inputs()), game.stamp("Anna"));
        let luck = RandomInput::seeded(turn + game.choose.below(1000) as u64);
        let mut source = MixedInput::new(luck).with_own(own).with_entry(entry.take());
        let progress = attempt.roll(&game.table, &stamp, &mut source);
        assert!(drawn(attempt.inputs()).starts_with(&before), "luck was thrown away");
        check(game, attempt, tally);
        match progress {
            Progress::Done { line, .. } => {
                let EventKind::Play(played) = &line.event.what else { panic!("{}", line.text) };
                assert_eq!(played.inputs, attempt.inputs());
                same_line(&game.table, attempt, &line.text, &stamp, tally);
                game.table.append(&line.text).unwrap_or_else(|fault| panic!("{fault}"));
                tally.recorded += 1;
                return true;
            }
            Progress::Asks(needs) => {
                tally.asked += 1;
                let need = needs.first().unwrap().clone();
                if matches!(need.wanted, Wanted::Input { .. }) {
                    assert!(!attempt.is_underway(), "{need:?}");
                    let Entry::Answer { key, text } = reply(game, &need.wanted, &need.key) else {
                        panic!("{need:?}")
                    };
                    attempt.make(&game.table, Move::Set { name: key, value: text }).unwrap();
                    continue;
                }
                if attempt.is_underway() {
                    frozen(game, attempt, tally);
                }
                if game.choose.below(5) == 0 {
                    take_back(attempt, tally);
                    continue;
                }
                entry = Some(reply(game, &need.wanted, &need.key));
            }
            Progress::Unusable(_) => assert!(attempt.has_drawn()),
            Progress::Refused(_) => {
                assert_eq!(drawn(attempt.inputs()), before);
                tally.refused += 1;
                if before.is_empty() {
                    return false;
                }
            }
        }
    }
    false
}

fn take_back(attempt: &mut Attempt, tally: &mut Tally) {
    let (way, before) = (attempt.way_back(), attempt.inputs().to_vec());
    match (attempt.take_back(), way) {
        (Some(input), WayBack::TakeBack) => {
            assert_eq!(input.by(), ThrownBy::Player);
            tally.taken_back += 1;
        }
        (None, WayBack::Leave) => assert!(before.is_empty()),
        (None, WayBack::Closed) => assert!(before.last().unwrap().is_drawn()),
        other => panic!("{other:?}"),
    }
}

/// The same request and the same inputs give the same line, however they came about.
fn same_line(
    table: &Table,
    attempt: &Attempt,
    line: &str,
    stamp: &adjutant_game::Stamp,
    tally: &mut Tally,
) {
    let json = serde_json::to_string(attempt).unwrap();
    let mut stored: Attempt = serde_json::from_str(&json).unwrap();
    assert_eq!(stored, *attempt);
    let again = stored.roll(table, stamp, &mut EnteredInput::new());
    let Progress::Done { line: again, .. } = again else { panic!("{again:?}") };
    assert_eq!(again.text, line);
    tally.replayed += 1;
}

fn packs() -> Vec<Arc<Pack>> {
    (0..5).map(pack).collect()
}

#[test]
fn any_sequence_of_moves_keeps_the_rules() {
    let mut tally = Tally::default();
    for (place, pack) in packs().into_iter().enumerate() {
        for seed in 0..8_u64 {
            let mut game = RandomGame::of(pack.clone(), 7 + seed * 97 + place as u64);
            for _ in 0..25 {
                if game.choose.below(4) == 0 {
                    game.step();
                }
                let mut attempt = start(&mut game);
                for _ in 0..game.choose.below(8) {
                    let step = random_move(&mut game, &attempt);
                    let _ = attempt.make(&game.table, step);
                    check(&game, &attempt, &mut tally);
                }
                if !roll(&mut game, &mut attempt, &mut tally) && attempt.is_underway() {
                    // Who leaves a roll with dice of the program leaves a line.
                    let line = attempt.line_of_leaving(&game.table, &game.stamp("Anna")).unwrap();
                    let line = line.expect("dice have come");
                    game.table.append(&line.text).unwrap();
                }
            }
            let log: Vec<String> = game.table.lines().map(str::to_owned).collect();
            verify(pack.clone(), &log, None).unwrap_or_else(|fault| panic!("{fault}"));
        }
    }
    println!("{tally:?}");
    assert!(tally.recorded > 300 && tally.refused > 50 && tally.asked > 300, "{tally:?}");
    assert!(tally.frozen > 50 && tally.taken_back > 10 && tally.candidates > 500, "{tally:?}");
}

#[test]
fn other_changes_of_the_game_do_not_void_a_roll() {
    let mut game = common::Game::new(common::shipped("combat-leader"), "Jam", &["Us", "Them"], &[]);
    let mut attempt = Attempt::of("accuracy");
    for (name, value) in [("mod_fp", "3"), ("clear", "yes")] {
        let step = Move::Set { name: name.into(), value: value.into() };
        attempt.make(&game.table, step).unwrap();
    }
    attempt.set_own(OwnLuck { dice: false, cards: false });
    // A Jam card of the program asks a question.
    let stamp = game.stamp();
    let progress = (0..200).find_map(|seed| {
        let mut tried = attempt.clone();
        let mut source = MixedInput::new(RandomInput::seeded(seed));
        match tried.roll(&game.table, &stamp, &mut source) {
            Progress::Asks(_) if tried.is_underway() => Some(tried),
            _ => None,
        }
    });
    let attempt = progress.expect("a Jam card");
    game.act(EventKind::Note { text: "Rain".into() });
    assert!(attempt.replays(&game.table, &game.stamp()));
    let line = attempt.line_of_waiting(&game.table, &game.stamp()).unwrap();
    assert!(line.is_some());
    assert!(Attempt::of("accuracy").line_of_leaving(&game.table, &game.stamp()).unwrap().is_none());
}
