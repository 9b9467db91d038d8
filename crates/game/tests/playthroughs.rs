//! Golden games that a player can check with the sheet in hand. The dice are scripted; the words
//! are those of the log. `BLESS=1 cargo test -p adjutant-game --test playthroughs` writes them
//! again: review the diff.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_game::{EventKind, Table, verify};
use adjutant_wording::en;
use common::solo::Solo;
use common::{Game, games, shipped};

fn golden(name: &str, game: &Game) {
    golden_text(name, game, &game.told());
}

/// A line described when it is applied has the same text as in the whole log.
fn told_as_they_come(game: &Game) {
    let known = en::log(&game.table).unwrap();
    let mut table = Table::empty(shipped(game.table.pack().id()));
    for (line, known) in game.table.lines().zip(known) {
        let applied = table.apply(line).unwrap();
        assert_eq!(en::log_line(&table, &applied), known.text);
        let n = applied.event.n;
        assert_eq!(en::meaning(&table, &applied), en::meaning_of(&table, n).unwrap(), "event {n}");
        assert_eq!(applied.resolution.is_some(), matches!(applied.event.what, EventKind::Play(_)));
    }
    assert_eq!(table.state(), game.table.state());
    let before = table.clone();
    let first = game.table.lines().next().unwrap();
    assert_eq!(table.apply(first).unwrap_err(), before.clone().append(first).unwrap_err());
    assert_eq!((table.head(), table.state()), (before.head(), before.state()));
}

fn golden_text(name: &str, game: &Game, told: &str) {
    told_as_they_come(game);
    verify(common::shipped(game.table.pack().id()), game.table.lines(), Some(game.table.head()))
        .unwrap();
    let path = format!("{}/tests/playthroughs/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, told).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        known == told,
        "{name} reads otherwise than it did; with BLESS=1 it is written again:\n{told}"
    );
}

#[test]
fn panzer8_fire_fight_with_rally() {
    golden("panzer8-fire-fight", &games::panzer8());
}

#[test]
fn asl_close_combat_with_ambush_and_leader_loss() {
    golden("asl-close-combat", &games::asl());
}

#[test]
fn combat_leader_shoot_out_with_jams_and_a_reshuffle() {
    golden("combat-leader-shoot-out", &games::combat_leader());
}

#[test]
fn a_complete_chain_reaction_solo_game() {
    let solo = games::chain_reaction();
    golden_text("chain-reaction-solo", &solo.game, &solo.told());
}

#[test]
fn a_solo_player_is_never_left_without_a_word_what_is_next() {
    let mut over = 0;
    for seed in 0..40 {
        let mut solo = Solo::new(seed, false);
        over += u32::from(solo.play(40));
        assert!(solo.said.iter().skip(2).all(|(_, next)| !next.is_empty()), "seed {seed}");
        verify(shipped("chain-reaction"), solo.game.table.lines(), Some(solo.game.table.head()))
            .unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
    }
    assert!(over > 35, "only {over} games of 40 came to an end");
}
