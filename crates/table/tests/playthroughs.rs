//! Games that a player can read and check with the sheet in hand. The dice are scripted; the words are those of the
//! log. `BLESS=1 cargo test -p table --test playthroughs` writes them anew: read what changed.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use common::{Game, games};
use table::verify;

fn golden(name: &str, game: &Game) {
    verify(common::shipped(&game.table.pack().id), game.table.lines(), Some(game.table.head())).unwrap();
    let path = format!("{}/tests/playthroughs/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let told = game.told();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &told).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(known == told, "{name} reads otherwise than it did; with BLESS=1 it is written anew:\n{told}");
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
fn chain_reaction_solo_turn() {
    golden("chain-reaction-solo", &games::chain_reaction());
}
