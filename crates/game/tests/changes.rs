//! What an applied line says that it changed: all that differs, and nothing else.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::EnteredInput;
use adjutant_game::{
    Applied, Changes, EventKind, PendingTest, PlayRequest, State, Table, UnitChange, UnitDiff,
};
use common::random::RandomGame;
use common::{Game, games, shipped};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Puts the changes on the state before and compares it with the state after.
fn complete(applied: &Applied, after: &State) {
    let (before, changes) = (&applied.before.state, &applied.changes);
    let mut units = before.units.clone();
    for diff in &changes.units {
        let place = |id: &str| before.units.iter().position(|unit| unit.id == id).unwrap();
        match diff {
            UnitDiff::Appeared(unit) => units.push(unit.clone()),
            UnitDiff::Changed(UnitChange { before, after }) => {
                assert_ne!(before, after);
                units[place(&before.id)] = after.clone();
            }
            UnitDiff::Removed(unit) => units.retain(|known| known.id != unit.id),
        }
    }
    assert_eq!(units, after.units);
    let ids = |pending: &[Arc<PendingTest>]| -> BTreeSet<String> {
        pending.iter().map(|test| test.due.id.clone()).collect()
    };
    let mut pending = ids(&before.pending);
    assert!(ids(&changes.pending_removed).iter().all(|id| pending.remove(id)));
    assert!(ids(&changes.pending_added).into_iter().all(|id| pending.insert(id)));
    assert_eq!(pending, ids(&after.pending));
    assert_eq!(changes.held, before.held != after.held);
    for memory in before.memory.ids() {
        let differs = before.memory[memory] != after.memory[memory];
        assert_eq!(changes.memory.contains(&(None, memory)), differs);
    }
    let keys: BTreeSet<_> = before.side_memory.keys().chain(after.side_memory.keys()).collect();
    for key in keys {
        let differs = before.side_memory.get(key) != after.side_memory.get(key);
        let often = changes.memory.iter().filter(|known| **known == (Some(key.0), key.1)).count();
        assert_eq!(often, usize::from(differs));
    }
    for (side, decks) in before.decks.iter().enumerate() {
        for deck in decks.ids() {
            let differs = decks[deck] != after.decks[side][deck];
            assert_eq!(changes.decks.contains(&(side, deck)), differs);
        }
    }
}

fn all_complete(table: &Table) {
    let mut then = table.rewound();
    for line in table.lines() {
        let applied = then.apply(line).unwrap();
        // The first line makes the state; all later ones change it.
        if !matches!(applied.event.what, EventKind::Begin(_)) {
            complete(&applied, then.state());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_changes_of_an_event_lead_from_the_state_before_to_the_state_after(which in 0..5_usize, seed: u64) {
        let mut game = RandomGame::new(which, seed);
        for _ in 0..40 {
            game.step();
        }
        all_complete(&game.table);
    }
}

#[test]
fn the_changes_of_a_whole_solo_game_are_complete() {
    all_complete(&games::chain_reaction().game.table);
    all_complete(&games::combat_leader().table);
}

fn last(game: &Game) -> Changes {
    let n = game.table.lines().len() as u64;
    game.table.at_event(n).unwrap().unwrap().1.changes
}

#[test]
fn a_shot_a_change_by_hand_and_their_undo() {
    let mut game = Game::new(shipped("panzer8"), "Hill 112", &["Allies", "Axis"], &[]);
    game.unit("element", "Rifles", "Allies", "", "type=inf hesa=5 def=5 quality=0");
    let [UnitDiff::Appeared(unit)] = &last(&game).units[..] else { panic!("one unit appears") };
    assert_eq!(unit.name, "Rifles");
    game.play(
        PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", "u1") },
        EnteredInput::new().with_dice([1]),
    );
    let changes = last(&game);
    let [UnitDiff::Changed(change)] = &changes.units[..] else { panic!("one unit changes") };
    let pack = game.table.pack();
    let statuses: Vec<_> =
        change.statuses_added().map(|id| pack.statuses()[id].id.clone()).collect();
    assert_eq!(statuses, ["out_of_action"]);
    assert_eq!((change.left(), change.returned()), (change.after.gone.as_deref(), false));
    let undo = game.table.undo(&game.stamp()).unwrap();
    game.apply(&undo);
    let changes = last(&game);
    let [UnitDiff::Changed(back)] = &changes.units[..] else { panic!("one unit changes") };
    assert_eq!((&back.before, &back.after), (&change.after, &change.before));
    assert_eq!(back.statuses_lifted().count(), 1);
    let undo = game.table.undo(&game.stamp()).unwrap();
    game.apply(&undo);
    assert!(matches!(&last(&game).units[..], [UnitDiff::Removed(unit)] if unit.name == "Rifles"));
}
