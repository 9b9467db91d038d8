#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! The exact odds of cards against formulas and against a Markov chain solved in the test.

#[allow(dead_code)]
mod twin;

use adjutant_engine::{Chance, Follow, OddsOptions, Situation, odds};
use adjutant_pack::read_pack;
use std::collections::BTreeMap;
use twin::*;

// ---------------------------------------------------------------------------------------- the
// Action Deck

/// One line of the printed deck, read without the pack crate.
struct Card {
    face: String,
    rank: Option<i64>,
    repair: String,
    rows: Vec<Option<u32>>,
}

fn printed() -> Vec<Card> {
    let files = adjutant_bundled_packs::files("combat-leader").unwrap();
    let line = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        Card {
            face: cells[2].to_owned(),
            rank: cells[3].parse().ok(),
            repair: cells[5].to_owned(),
            rows: cells[6..].iter().map(|cell| cell.trim().parse().ok()).collect(),
        }
    };
    files.text("deck.csv").unwrap().lines().skip(1).map(line).collect()
}

/// Decks with cards removed: none, few, most, all but a few of each kind, all.
fn gone() -> Vec<Vec<u32>> {
    let but = |left: &[u32]| (1..=60).filter(|card| !left.contains(card)).collect::<Vec<u32>>();
    vec![
        vec![],
        vec![1],
        vec![53, 54, 57],
        (1..=13).collect(),
        (20..=56).collect(),
        (57..=60).collect(),
        but(&[7]),
        but(&[57]),
        but(&[53, 54]),
        but(&[53, 60]),
        but(&[5, 55, 58]),
        but(&[3, 9, 40, 53, 56, 57, 60]),
        but(&[55, 56, 57, 58, 59, 60]),
        but(&[]),
    ]
}

fn with_gone(line: &str, gone: &[u32]) -> Situation<'static> {
    let mut situation = situation(pack("combat-leader"), line);
    situation.take_out(gone).unwrap();
    situation
}

/// The cards left. A deck with none left is full again.
fn left(gone: &[u32]) -> Vec<usize> {
    let left: Vec<usize> = (0..60).filter(|card| !gone.contains(&(*card as u32 + 1))).collect();
    if left.is_empty() { (0..60).collect() } else { left }
}

#[test]
fn a_d6_and_two_of_them_without_putting_back() {
    let (deck, asked) = (printed(), OddsOptions::default());
    for gone in gone() {
        let left = left(&gone);
        let (mut one, mut two) = (Told::new(), Told::new());
        for first in &left {
            let die = deck[*first].rows[4].unwrap();
            let part = frac(1, left.len() as u64);
            add(&mut one, format!("= {die}"), &part);
            let mut rest: Vec<usize> = left.iter().copied().filter(|card| card != first).collect();
            if rest.is_empty() {
                rest = (0..60).collect();
            }
            let part = times(&part, &frac(1, rest.len() as u64));
            for second in &rest {
                add(&mut two, format!("= {}", die + deck[*second].rows[4].unwrap()), &part);
            }
        }
        assert_eq!(shown(&exact(&with_gone("d6", &gone), &asked)), shown(&one), "{gone:?}");
        assert_eq!(shown(&exact(&with_gone("dr", &gone), &asked)), shown(&two), "{gone:?}");
    }
    let whole = exact(&with_gone("d6", &[]), &asked);
    assert!((1..=6).all(|die| whole[&format!("= {die}")].exact() == "1/6"));
    // 60 cards, ten of each face: 10 × 9 of 60 × 59 for a double six.
    assert_eq!(exact(&with_gone("dr", &[]), &asked)["= 12"].exact(), "3/118");
}

#[test]
fn every_soldier_is_hit_as_likely_as_any_other() {
    let deck = printed();
    for soldiers in 1..=12_u32 {
        let line = format!("select soldiers={soldiers}");
        for gone in gone() {
            let spread = exact(&with_gone(&line, &gone), &OddsOptions::default());
            let row = |card: &usize| {
                if soldiers == 1 { Some(1) } else { deck[*card].rows[soldiers as usize - 2] }
            };
            // The first card that is not R: each of those left is equally likely. If none is left:
            // the full deck.
            let mut read: Vec<u32> = left(&gone).iter().filter_map(row).collect();
            if read.is_empty() {
                read = (0..60).collect::<Vec<_>>().iter().filter_map(row).collect();
            }
            let mut want = Told::new();
            read.iter().for_each(|soldier| {
                add(&mut want, format!("= {soldier}"), &frac(1, read.len() as u64))
            });
            assert_eq!(shown(&spread), shown(&want), "{line} {gone:?}");
            if gone.is_empty() {
                assert_eq!(spread.len(), soldiers as usize);
                assert!(
                    spread.values().all(|chance| *chance == frac(1, soldiers.into())),
                    "{line}"
                );
            }
        }
    }
}

#[test]
fn repairs_by_the_first_card_that_is_no_shuffle() {
    let deck = printed();
    let name = |card: &Card| match card.repair.as_str() {
        "fixed" => "weapon-fixed on firer",
        "none" => "still-jammed on firer",
        _ => "weapon-broken on firer",
    };
    let mut whole = Told::new();
    deck.iter()
        .filter(|card| card.face != "shuffle")
        .for_each(|card| add(&mut whole, name(card), &frac(1, 56)));
    assert_eq!(shown(&exact(&with_gone("repair", &[]), &OddsOptions::default())), shown(&whole));
    for gone in gone() {
        let (left, mut want) = (left(&gone), Told::new());
        for card in &left {
            let part = frac(1, left.len() as u64);
            match deck[*card].face.as_str() {
                "shuffle" => whole
                    .iter()
                    .for_each(|(name, chance)| add(&mut want, name, &times(&part, chance))),
                _ => add(&mut want, name(&deck[*card]), &part),
            }
        }
        assert_eq!(
            shown(&exact(&with_gone("repair", &gone), &OddsOptions::default())),
            shown(&want),
            "{gone:?}"
        );
    }
}

/// The possible outcomes of a shot from here: by rank, `jammed`, or a restart with the full deck.
fn shot(ranks: &[u64; 14], jams: u64, shuffles: u64, jam: &Chance, hold: &Chance) -> Told {
    let all = ranks.iter().sum::<u64>() + jams + shuffles;
    let mut found = Told::new();
    if all == 0 {
        add(&mut found, "again", &frac(1, 1));
        return found;
    }
    for (rank, count) in ranks.iter().enumerate().filter(|(_, count)| **count > 0) {
        add(&mut found, rank.to_string(), &frac(*count, all));
    }
    add(&mut found, "again", &frac(shuffles, all));
    if jams > 0 {
        let part = frac(jams, all);
        add(&mut found, "jammed", &times(&part, jam));
        for (name, chance) in shot(ranks, jams - 1, shuffles, jam, hold) {
            add(&mut found, name, &times(&times(&part, hold), &chance));
        }
    }
    found
}

fn accuracy(mod_fp: i64, clear: bool, gone: &[u32], jams: (u64, u64)) -> Told {
    let (jam, hold) = (frac(jams.0, jams.1), frac(jams.1 - jams.0, jams.1));
    let deck = printed();
    let from = |cards: &[usize]| {
        let (mut ranks, mut jams, mut shuffles) = ([0; 14], 0, 0);
        for card in cards {
            match deck[*card].face.as_str() {
                "jam" => jams += 1,
                "shuffle" => shuffles += 1,
                _ => ranks[deck[*card].rank.unwrap() as usize] += 1,
            }
        }
        shot(&ranks, jams, shuffles, &jam, &hold)
    };
    // From the full deck, restarts are left out; then the restarts of the first deck get its
    // distribution.
    let mut whole = from(&(0..60).collect::<Vec<_>>());
    whole.remove("again");
    let ends = Chance::sum(whole.values());
    let mut first = from(&left(gone));
    let fresh = first.remove("again").unwrap();
    for (name, chance) in &whole {
        add(&mut first, name, &times(&fresh, &over(chance, &ends)));
    }
    let mut want = Told::new();
    for (name, chance) in first {
        let result = match name.parse::<i64>().map(|rank| rank + mod_fp) {
            Err(_) => "jammed on firer",
            Ok(..=6) => "miss",
            Ok(7..=8) if clear => "accurate-in-clear on target",
            Ok(7..=8) => "miss",
            Ok(9..=11) => "accurate-minus on target",
            Ok(_) => "accurate on target",
        };
        add(&mut want, result, &chance);
    }
    want
}

#[test]
fn accuracy_is_exact_whatever_is_gone_and_however_often_weapons_jam() {
    for jams in [(0, 1), (1, 6), (1, 1)] {
        for (mod_fp, clear) in [(-5, false), (0, true), (2, false), (5, true), (30, true)] {
            let line =
                format!("accuracy mod_fp={mod_fp} clear={}", if clear { "yes" } else { "no" });
            for gone in gone() {
                let found = exact(&with_gone(&line, &gone), &asked([("jam", yes(jams.0, jams.1))]));
                assert_eq!(
                    shown(&found),
                    shown(&accuracy(mod_fp, clear, &gone, jams)),
                    "{line} {jams:?} {gone:?}"
                );
            }
        }
    }
    // By hand: without jams each rank is equally likely; if every Jam card jams, four of fifty-six
    // do.
    let never = exact(&with_gone("accuracy mod_fp=0 clear=no", &[]), &asked([("jam", yes(0, 1))]));
    assert_eq!(never["miss"].exact(), "8/13");
    let always = exact(&with_gone("accuracy mod_fp=0 clear=no", &[]), &asked([("jam", yes(1, 1))]));
    assert_eq!(
        (always["jammed on firer"].exact(), always["miss"].exact()),
        ("1/14".into(), "4/7".into())
    );
}

// ---------------------------------------------------------------------------------------- the
// chain

#[test]
fn a_shot_followed_to_its_casualty() {
    let tables = "[table.casualty]\nrows = [ { to = 2, all = \"no-effect\" }, { to = 4, clear = \"pinned\", forest = \"pinned\", building = \"no-effect\" }, \
                  { to = 5, clear = \"killed\", forest = \"pinned\", building = \"pinned\" }, { all = \"killed\" } ]\n";
    let files = adjutant_bundled_packs::files("combat-leader").unwrap();
    let filled = read_pack(&files, Some(tables)).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let deck = printed();
    // The full deck once; for the rest a part of it, because there is a run for every pair of
    // cards.
    let some: Vec<u32> =
        (1..=60).filter(|card| ![1, 4, 5, 8, 11, 12, 13, 26, 37, 53, 56].contains(card)).collect();
    let cases = [
        (0, true, "clear"),
        (3, false, "building"),
        (-4, false, "forest"),
        (12, false, "forest"),
        (1, true, "clear"),
    ];
    for (case, (mod_fp, clear, terrain)) in cases.into_iter().enumerate() {
        let mut situation = situation(
            &filled,
            &format!("accuracy mod_fp={mod_fp} clear={}", if clear { "yes" } else { "no" }),
        );
        let gone = if case == 0 { &[][..] } else { &some[..] };
        situation.take_out(gone).unwrap();
        let asked = OddsOptions {
            follow: Follow::chain(),
            later: (!clear).then(|| ("terrain".into(), terrain.into())).into_iter().collect(),
            ..asked([("jam", yes(0, 1))])
        };
        // A number of Jam cards comes before the card that is read; those left are in the deck for
        // the d6. A Shuffle card restarts, so only the ranks share the probability (the second deck
        // does not have it).
        let left = left(gone);
        let count =
            |face: &str| left.iter().filter(|card| deck[**card].face == face).count() as u64;
        let (all, jams, ranks) = (left.len() as u64, count("jam"), count("rank"));
        let (mut want, mut before) = (Told::new(), frac(1, 1));
        for drawn in 0..=jams {
            for card in left.iter().filter(|card| deck[**card].face == "rank") {
                let part = times(&times(&before, &frac(all - jams, all - drawn)), &frac(1, ranks));
                let (less, on) = match deck[*card].rank.unwrap() + mod_fp {
                    7..=8 if clear => (1, "clear"),
                    ..=8 => (0, ""),
                    9..=11 => (1, terrain),
                    _ => (0, terrain),
                };
                if on.is_empty() {
                    add(&mut want, "miss", &part);
                    continue;
                }
                for die in left.iter().filter(|second| *second != card).map(|second| &deck[*second])
                {
                    let here =
                        if die.face == "jam" { frac(jams - drawn, jams) } else { frac(1, 1) };
                    let part = times(&times(&part, &frac(1, all - 1 - drawn)), &here);
                    let result = match (die.rows[4].unwrap() - less, on) {
                        (..=2, _) | (3..=4, "building") => "no-effect",
                        (3..=4, _) | (5, "forest" | "building") => "pinned",
                        _ => "killed",
                    };
                    add(&mut want, format!("{result} on target"), &part);
                }
            }
            before = times(&before, &frac(jams - drawn, all - drawn));
        }
        assert_eq!(shown(&exact(&situation, &asked)), shown(&want), "{mod_fp} {clear} {terrain}");
    }
}

#[test]
fn a_contact_followed_to_the_number_of_enemies() {
    let pack = pack("chain-reaction");
    let asked = OddsOptions {
        follow: Follow::chain(),
        later: vec![("group".into(), "3".into())],
        ..OddsOptions::default()
    };
    // Two dice of 1 to 4 each; then half a die less or more than three, at least one.
    let two = exact(&situation(pack, "pef-resolve pef.rep=4"), &asked);
    let want = BTreeMap::from([
        ("false-alarm on pef", "1/9"),
        ("something-out-there on pef", "4/9"),
        ("enemies on pef", "4/9"),
        ("= 1", "4/27"),
        ("= 2", "2/27"),
        ("= 4", "2/27"),
        ("= 5", "2/27"),
        ("= 6", "2/27"),
    ]);
    let text: BTreeMap<&str, String> =
        want.iter().map(|(name, chance)| (*name, (*chance).to_owned())).collect();
    assert_eq!(shown(&two), text);
    // Three dice, the two lowest: contact if two of three pass, a false alarm if none does.
    let three = exact(&situation(pack, "pef-resolve pef.rep=4 memory.something=yes"), &asked);
    let chances =
        ["false-alarm on pef", "something-out-there on pef", "enemies on pef", "= 1", "= 6"]
            .map(|name| three[name].exact());
    assert_eq!(chances, ["1/27", "2/9", "20/27", "20/81", "10/81"]);
    let report = odds(&situation(pack, "pef-resolve pef.rep=4"), &asked).unwrap();
    let enemies =
        report.branches[0].spread.results.iter().find(|result| result.id == "enemies").unwrap();
    assert_eq!(enemies.chart.as_deref(), Some("how-many"));
}
