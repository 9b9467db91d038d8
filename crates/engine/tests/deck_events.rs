#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! What happens when a deck runs out or is reshuffled, and a deck that stays empty.

use adjutant_dice::{EnteredInput, InputSource};
use adjutant_engine::{Follow, OddsOptions, Resolution, Situation, odds, odds_by_running, resolve};
use adjutant_pack::{Files, Pack, read_pack};
use std::collections::BTreeMap;

const DECK: &str = "card,title,luck,omen\n1,One,1,good\n2,Two,2,bad\n3,Three,3,bad\n";

fn pack(deck: &str, charts: &str) -> Pack {
    let memory = match deck.contains("time") {
        true => "[memory]\ntime = { number = \"Time\", from = 0, to = 20, default = 0 }\n",
        false => "",
    };
    let text = format!(
        "[pack]\nid = \"t\"\ntitle = \"T\"\n{memory}\
         [deck.fate]\ntitle = \"Fate\"\nfile = \"deck.csv\"\n{deck}\n[deck.fate.field]\nluck = {{ number = \"Luck\" }}\n\
         omen = {{ choice = [\"good\", \"bad\"], label = \"Omen\" }}\n{charts}"
    );
    let files = Files::of([("pack.toml", text), ("deck.csv", DECK.to_owned())]);
    read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn run(pack: &Pack, gone: &[u32], cards: &[u32]) -> Resolution {
    let mut situation = Situation::new(pack, "c").unwrap();
    situation.take_out(gone).unwrap();
    let mut source = EnteredInput::new().with_cards(cards.to_vec());
    let found = resolve(&mut situation, &mut source).unwrap();
    source.finish().unwrap();
    found
}

fn changes(found: &Resolution) -> Vec<String> {
    found.effects.iter().map(adjutant_engine::Change::says).collect()
}

const TIME: &str = "empty = { effects = [ { note = \"The deck has run out\" } ] }\n\
    reshuffled = { effects = [ { remember = \"time\", by = 1 } ], next = [ { chart = \"dusk\", why = \"Time passes\", when = \"memory.time >= 2\" } ] }";

const CHARTS: &str = "[chart.c]\ntitle = \"C\"\nstep = [ { draw = \"fate\", read = \"luck\", as = \"a\" }, { draw = \"fate\", read = \"luck\", as = \"b\" } ]\nread = { value = \"a * 10 + b\" }\n\
    [chart.dusk]\ntitle = \"Dusk\"\nstep = [ { roll = \"1d6\", as = \"die\" } ]\nread = { value = \"die\" }\n";

#[test]
fn a_deck_that_runs_out_or_is_reshuffled_has_effects() {
    let pack = pack(TIME, CHARTS);
    assert!(changes(&run(&pack, &[], &[1, 2])).is_empty());
    // The second card is the last one.
    assert_eq!(changes(&run(&pack, &[3], &[1, 2])), ["The deck has run out"]);
    // The first card is the last one; the next one comes from the reshuffled deck.
    let found = run(&pack, &[2, 3], &[1, 1]);
    assert_eq!(changes(&found), ["The deck has run out", "remember time +1"]);
    assert!(found.next.is_empty());
    let mut late = Situation::new(&pack, "c").unwrap();
    late.set_memory("time", "2").unwrap();
    late.take_out(&[2, 3]).unwrap();
    let mut source = EnteredInput::new().with_cards([1, 3]);
    let found = resolve(&mut late, &mut source).unwrap();
    assert_eq!(found.next[0].chart, "dusk");
}

#[test]
fn a_reshuffle_by_a_result_or_a_card_counts_too() {
    let charts = "[chart.c]\ntitle = \"C\"\nstep = [ { draw = \"fate\", read = \"luck\", again = [ { when = \"card.omen == 'bad'\", because = \"Bad\", reshuffle = true } ] } ]\n\
        read = { score = \"card\", rows = [ { all = \"calm\" } ] }\n[result]\ncalm = { title = \"Calm\", effects = [ { reshuffle = \"fate\" } ] }\n";
    let deck = "reshuffled = { effects = [ { remember = \"time\", by = 1 } ] }";
    let pack = pack(deck, charts);
    let found = run(&pack, &[], &[2, 3, 1]);
    assert_eq!(
        changes(&found),
        ["remember time +1", "remember time +1", "remember time +1", "reshuffle fate"]
    );
    // The deck may be reshuffled without end; the odds are solved all the same.
    let situation = Situation::new(&pack, "c").unwrap();
    let report = odds(&situation, &OddsOptions::default()).unwrap();
    assert_eq!(report.branches[0].spread.results[0].chance.exact(), "1");
}

#[test]
fn a_deck_that_stays_empty_is_not_drawn_from() {
    let charts = "[chart.c]\ntitle = \"C\"\nstep = [ { draw = \"fate\", read = \"luck\", as = \"a\" }, { draw = \"fate\", read = \"luck\", as = \"b\" }, { draw = \"fate\", count = 2, read = \"luck\", as = \"rest\" } ]\n\
        [chart.c.read]\nvalue = \"a * 100 + b * 10 + rest.cards + if(b.omen == 'none', 1000, 0)\"\n";
    let pack = pack("empty = { reshuffle = false }", charts);
    let value = |gone: &[u32], cards: &[u32]| run(&pack, gone, cards).value.unwrap().to_string();
    assert_eq!(value(&[], &[1, 2, 3]), "121");
    assert_eq!(value(&[1, 2], &[3]), "1300");
    assert_eq!(value(&[1, 2, 3], &[]), "1000");
    // Odds and play agree: two cards left are drawn, in either order.
    let mut situation = Situation::new(&pack, "c").unwrap();
    situation.take_out(&[1]).unwrap();
    let asked = OddsOptions::default();
    let found = odds(&situation, &asked).unwrap().branches[0].spread.clone();
    let slow = odds_by_running(&situation, &asked).unwrap().branches[0].spread.clone();
    assert_eq!(format!("{found:?}"), format!("{slow:?}"));
    let values: BTreeMap<String, String> =
        found.values.iter().map(|(value, chance)| (value.to_string(), chance.exact())).collect();
    let half = "1/2".to_owned();
    assert_eq!(values, BTreeMap::from([("230".into(), half.clone()), ("320".into(), half)]));
}

#[test]
fn a_chain_follows_what_a_deck_makes_due() {
    let deck = "empty = { next = [ { chart = \"dusk\", why = \"The deck has run out\" } ] }";
    let charts = "[chart.c]\ntitle = \"C\"\nstep = [ { draw = \"fate\", read = \"luck\" } ]\nread = { value = \"card\" }\n\
        [chart.dusk]\ntitle = \"Dusk\"\nstep = [ { roll = \"1d2\", as = \"die\" } ]\nread = { rows = [ { to = 1, all = \"night\" }, { all = \"day\" } ] }\n\
        [result]\nnight = { title = \"Night\" }\nday = { title = \"Day\" }\n";
    let pack = pack(deck, charts);
    let mut situation = Situation::new(&pack, "c").unwrap();
    situation.take_out(&[1, 2]).unwrap();
    let asked = OddsOptions { follow: Follow::chain(), ..OddsOptions::default() };
    let found = odds(&situation, &asked).unwrap().branches[0].spread.clone();
    let night = found.results.iter().find(|result| result.id == "night").unwrap();
    assert_eq!(night.chance.exact(), "1/2");
}
