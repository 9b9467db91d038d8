#![allow(clippy::panic, clippy::unwrap_used, missing_docs)]
//! Fights against results computed by hand, between the different solvers, and against simulation.

use adjutant_dice::Answer;
use adjutant_engine::{
    AnswerOdds, EndPoint, FightChain, FightLimits, FightOdds, FightPlayer, FightSituation,
    FightTally, Limit, OddsError, Outlook, SampleRng,
};
use adjutant_wording::en;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

fn pack(id: &str) -> adjutant_pack::Pack {
    adjutant_pack::read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap()
}

fn fight<'p>(
    pack: &'p adjutant_pack::Pack,
    fight: &str,
    given: &[(&str, &str)],
) -> FightSituation<'p> {
    let mut found = FightSituation::new(pack, fight).unwrap();
    given.iter().for_each(|(name, value)| found.give(name, value).unwrap());
    found
}

fn melee<'p>(
    pack: &'p adjutant_pack::Pack,
    attackers: &str,
    defenders: &str,
    kind: &str,
) -> FightSituation<'p> {
    let fp = if kind == "squad" { "4" } else { "2" };
    let given = [
        ("attackers", attackers),
        ("defenders", defenders),
        ("attackers.type", kind),
        ("defenders.type", kind),
    ];
    let mut found = fight(pack, "melee", &given);
    for (name, value) in [
        ("attackers.fp", fp),
        ("defenders.fp", fp),
        ("attackers.half_fp", "2"),
        ("defenders.half_fp", "2"),
    ] {
        found.give(name, value).unwrap();
    }
    found
}

fn fire_fight<'p>(pack: &'p adjutant_pack::Pack, ours: &str, theirs: &str) -> FightSituation<'p> {
    let values = [
        ("ours.hesa", "6"),
        ("ours.def", "4"),
        ("theirs.hesa", "5"),
        ("theirs.def", "4"),
        ("theirs.cover", "soft"),
    ];
    let mut found = fight(pack, "fire-fight", &values);
    found.give("ours", ours).unwrap();
    found.give("theirs", theirs).unwrap();
    found
}

fn shooting<'p>(pack: &'p adjutant_pack::Pack, count: &str) -> FightSituation<'p> {
    let values = [
        ("ours.rep", "5"),
        ("theirs.rep", "4"),
        ("ours.impact", "3"),
        ("theirs.impact", "2"),
        ("theirs.in_cover", "yes"),
    ];
    let mut found = fight(pack, "exchange-of-fire", &values);
    found.set_option("shooting", "yes").unwrap();
    found.give("ours", count).unwrap();
    found
}

fn stoppage(pack: &adjutant_pack::Pack) -> FightSituation<'_> {
    let mut found = fight(pack, "stoppage", &[]);
    let weighed = AnswerOdds::Weighed(vec![(Answer::YesNo(true), 1), (Answer::YesNo(false), 5)]);
    found.asked.answers.push(("jam".into(), weighed));
    found
}

fn solved(situation: &FightSituation<'_>) -> FightOdds {
    FightChain::new(situation).unwrap().solve().unwrap()
}

fn of<'o>(odds: &'o FightOdds, id: &str) -> &'o adjutant_engine::Chance {
    &odds.ends.iter().find(|end| end.id == id).unwrap().chance
}

#[test]
fn one_half_squad_against_another_is_what_the_pencil_says() {
    // 2 against 2 is 1-1, kill number 5: 6 of 36 rolls are below it, 4 of 36 equal, and a reduced
    // half-squad is gone. So each is gone with 10 of 36 in a phase: both 100 of 1296, either alone
    // 260, and 676 change nothing.
    let pack = pack("asl-starter-kit");
    let odds = solved(&melee(&pack, "1", "1", "half-squad"));
    assert_eq!(of(&odds, "attackers").exact(), "13/31");
    assert_eq!(of(&odds, "defenders").exact(), "13/31");
    assert_eq!(of(&odds, "none").exact(), "5/31");
    assert_eq!(
        odds.rounds.as_ref().map(adjutant_engine::Chance::exact).as_deref(),
        Some("324/155")
    );
    assert_eq!(odds.sides[0].lost.exact(), "18/31");
}

#[test]
fn a_reduced_squad_fights_on_with_what_its_half_squad_has() {
    // Squad against squad goes through the same states as two half-squads against two. But a squad
    // is one unit, so it loses at most one unit.
    let pack = pack("asl-starter-kit");
    let squads = solved(&melee(&pack, "1", "1", "squad"));
    let halves = solved(&melee(&pack, "2", "2", "half-squad"));
    assert_eq!(squads.ends, halves.ends);
    assert_eq!(squads.rounds, halves.rounds);
    assert_eq!(squads.sides[0].left.iter().map(|(left, _)| *left).collect::<Vec<_>>(), [0, 1]);
}

const VOLLEYS: &str = r#"
[pack]
id = "volleys"
title = "Volleys"
[unit.line]
title = "Line"
has = { men = { number = "Men", from = 0, to = 9, default = 3 }, mood = { number = "Mood", from = -3, to = 3, default = 0 } }
[result]
miss = { title = "Miss" }
hit = { title = "One man", of = "line", effects = [ { add = "men", by = -1 } ] }
deadly = { title = "Two men", of = "line", effects = [ { add = "men", by = -2 } ] }
[chart.volley]
title = "Volley"
who = { by = "line", at = "line" }
lands_on = "at"
step = [ { roll = "1d6", as = "die" } ]
read = { score = "die", rows = [ { to = 3, all = "miss" }, { to = 5, all = "hit" }, { all = "deadly" } ] }
[fight.volleys]
title = "Volleys"
action = [ { chart = "volley", who = { by = "a", at = "b" } }, { chart = "volley", who = { by = "b", at = "a" }, at_once = true } ]
over = { spent = { title = "Spent", when = "a.total.men + b.total.men <= 3" } }
[fight.volleys.side.a]
unit = "line"
totals = ["men"]
[fight.volleys.side.b]
unit = "line"
totals = ["men"]
"#;

/// Adds the probability of each pair of totals in which two lines can end, by the rule alone.
fn volleys(men: [i64; 2], share: f64, ends: &mut BTreeMap<[i64; 2], f64>) {
    if men[0] + men[1] <= 3 {
        *ends.entry(men).or_default() += share;
        return;
    }
    let losses = [(0, 0.5), (1, 1.0 / 3.0), (2, 1.0 / 6.0)];
    let rolls = losses.into_iter().flat_map(|first| losses.map(|second| (first, second)));
    let after: Vec<([i64; 2], f64)> = rolls
        .map(|((first, p), (second, q))| {
            ([(men[0] - first).max(0), (men[1] - second).max(0)], p * q)
        })
        .filter(|(after, _)| *after != men)
        .collect();
    // Rounds that change nothing are repeated.
    let changes: f64 = after.iter().map(|(_, p)| p).sum();
    after.into_iter().for_each(|(after, p)| volleys(after, share * p / changes, ends));
}

#[test]
fn totals_are_distributed_as_a_count_by_hand_says() {
    let pack = adjutant_pack::read_pack(&adjutant_pack::Files::of([("pack.toml", VOLLEYS)]), None)
        .unwrap();
    let situation = fight(&pack, "volleys", &[("a.men", "4")]);
    let odds = solved(&situation);
    let mut ends = BTreeMap::new();
    volleys([4, 3], 1.0, &mut ends);
    for (side, began) in [(0, 4_u32), (1, 3)] {
        let [total] = odds.sides[side].totals.as_slice() else { panic!("{:?}", odds.sides) };
        assert_eq!((total.id.as_str(), total.title.as_str()), ("men", "Men"));
        assert_eq!(total.began, began.into());
        let mut wanted = BTreeMap::new();
        ends.iter().for_each(|(men, share)| *wanted.entry(men[side]).or_insert(0.0) += share);
        assert_eq!(total.left.len(), wanted.len());
        for (number, chance) in &total.left {
            let share = wanted[&number.as_whole().unwrap()];
            assert!((chance.value() - share).abs() < 1e-12, "{number}: {} {share}", chance.value());
        }
        let all = adjutant_engine::Chance::sum(total.left.iter().map(|(_, chance)| chance));
        assert_eq!(all.exact(), "1");
        let mean: f64 = wanted.iter().map(|(men, share)| *men as f64 * share).sum();
        assert!((total.mean_left.value() - mean).abs() < 1e-12);
    }
    assert_eq!(odds, FightChain::new(&situation).unwrap().solve_the_long_way().unwrap());
}

#[test]
fn played_totals_agree_with_the_exact_ones() {
    let pack = adjutant_pack::read_pack(&adjutant_pack::Files::of([("pack.toml", VOLLEYS)]), None)
        .unwrap();
    let situation = fight(&pack, "volleys", &[("a", "2"), ("b", "2")]);
    let exact = &solved(&situation).sides[1].totals[0];
    let mut player = FightPlayer::new(&situation).unwrap();
    let mut luck = SampleRng::of_block(5, 0);
    let mut tally = FightTally::default();
    (0..20_000).for_each(|_| tally.note(player.play(&mut luck).unwrap()));
    let outlook = Outlook::played(&situation, &tally, 5);
    let played = &outlook.sides[1].totals[0];
    assert_eq!(played.began, 6_u32.into());
    assert!((played.mean_left.value() - exact.mean_left.value()).abs() < 0.05);
    for (number, share) in &played.left {
        let (_, chance) = exact.left.iter().find(|(known, _)| known == number).unwrap();
        assert!((share.percent() - chance.percent()).abs() < 2.0, "{number}");
    }
}

/// The state of the two after a turn (`None` if decided), whether the side whose turn it was won,
/// and the probability.
type Turn = Vec<(Option<(bool, bool)>, bool, f64)>;

/// The fire fight of one element against another, from the numbers of the sheet alone: a Markov
/// chain of four states (which elements are suppressed), iterated until nothing changes.
#[test]
fn a_duel_of_elements_agrees_with_a_chain_written_by_hand() {
    let opposed = |plus: i32| {
        let mut ways = [0.0; 3];
        for (a, b) in (1..=10).flat_map(|a| (1..=10).map(move |b| (a, b))) {
            match a - b + plus {
                ..=2 => ways[0] += 0.01,
                3..=4 => ways[1] += 0.01,
                _ => ways[2] += 0.01,
            }
        }
        ways
    };
    // One side's turn: a suppressed element rolls 1d10 and is out on 1, recovers on 6 or more;
    // otherwise it fires.
    let turn = |own: bool, other: bool, plus: i32| -> Turn {
        match own {
            true => vec![
                (None, false, 0.1),
                (Some((true, other)), true, 0.4),
                (Some((false, other)), true, 0.5),
            ],
            false => {
                let [none, suppressed, out] = opposed(plus);
                vec![
                    (Some((false, other)), true, none),
                    (Some((false, true)), true, suppressed),
                    (None, true, out),
                ]
            }
        }
    };
    let mut mass = BTreeMap::from([((false, false), 1.0)]);
    let (mut ours, mut theirs, mut rounds) = (0.0, 0.0, 0.0);
    for _ in 0..3000 {
        let mut next = BTreeMap::new();
        for ((a, b), m) in mass {
            rounds += m;
            for (stands, own_wins, p) in turn(a, b, 6 - 5) {
                let Some((a, b)) = stands else {
                    if own_wins {
                        ours += m * p
                    } else {
                        theirs += m * p
                    }
                    continue;
                };
                for (stands, own_wins, q) in turn(b, a, 5 - 4) {
                    match stands {
                        Some((b, a)) => *next.entry((a, b)).or_insert(0.0) += m * p * q,
                        None if own_wins => theirs += m * p * q,
                        None => ours += m * p * q,
                    }
                }
            }
        }
        mass = next;
    }
    let pack = pack("panzer8");
    let odds = solved(&fire_fight(&pack, "1", "1"));
    assert!(
        (of(&odds, "ours").value() - ours).abs() < 1e-12,
        "{} {ours}",
        of(&odds, "ours").value()
    );
    assert!((of(&odds, "theirs").value() - theirs).abs() < 1e-12);
    assert!((odds.rounds.unwrap().value() - rounds).abs() < 1e-9);
}

/// Cards left: fixed, no change, broken, jam. The four Shuffle cards are always there.
type Cards = [u32; 4];

/// The probability that a jam is cleared with these cards left: a constant, and coefficients of the
/// probability with a full deck.
fn cleared(jammed: bool, left: Cards, known: &mut BTreeMap<(bool, Cards), [f64; 3]>) -> [f64; 3] {
    if let Some(found) = known.get(&(jammed, left)) {
        return *found;
    }
    let total = f64::from(left.iter().sum::<u32>() + 4);
    let mut sum = [0.0, 0.0, 0.0];
    // A Shuffle card restarts: the unknowns are the probabilities with a full deck, firing or
    // jammed.
    sum[if jammed { 2 } else { 1 }] += 4.0 / total;
    for kind in (0..4).filter(|kind| left[*kind] > 0) {
        let share = f64::from(left[kind]) / total;
        let mut after = left;
        after[kind] -= 1;
        let mut add = |times: f64, what: [f64; 3]| {
            (0..3).for_each(|place| sum[place] += share * times * what[place])
        };
        match (jammed, kind) {
            (true, 0) => add(1.0, [1.0, 0.0, 0.0]),
            (true, 1) => add(1.0, cleared(true, after, known)),
            (true, _) => {}
            (false, 3) => {
                add(1.0 / 6.0, cleared(true, after, known));
                add(5.0 / 6.0, cleared(false, after, known));
            }
            (false, _) => add(1.0, cleared(false, after, known)),
        }
    }
    known.insert((jammed, left), sum);
    sum
}

#[test]
fn a_jam_is_cleared_as_often_as_a_count_by_hand_says_with_cards_that_stay_out() {
    let whole = [20, 24, 8, 4];
    let mut known = BTreeMap::new();
    let jammed = cleared(true, whole, &mut known);
    let when_jammed = jammed[0] / (1.0 - jammed[2]);
    let firing = cleared(false, whole, &mut known);
    let by_hand = (firing[0] + firing[2] * when_jammed) / (1.0 - firing[1]);
    let pack = pack("combat-leader");
    let odds = solved(&stoppage(&pack));
    assert!(odds.ends.iter().map(|end| end.id.as_str()).eq(["cleared", "broken"]));
    assert!(
        (of(&odds, "cleared").value() - by_hand).abs() < 1e-11,
        "{} {by_hand}",
        of(&odds, "cleared").value()
    );
    assert!((of(&odds, "cleared").value() + of(&odds, "broken").value() - 1.0).abs() < 1e-11);
}

#[test]
fn the_quick_way_and_the_long_way_agree() {
    let pack = pack("asl-starter-kit");
    for (attackers, defenders, kind) in [
        ("1", "1", "squad"),
        ("3", "2", "squad"),
        ("4", "6", "half-squad"),
        ("7", "1", "half-squad"),
    ] {
        let chain = FightChain::new(&melee(&pack, attackers, defenders, kind)).unwrap();
        assert!(chain.ways().is_some(), "a melee never comes back to a standing it has left");
        assert_eq!(chain.solve().unwrap(), chain.solve_the_long_way().unwrap());
        let (ways, total) = chain.ways().unwrap();
        assert_eq!(ways.iter().sum::<num_bigint::BigUint>(), total);
    }
}

#[test]
fn floats_agree_with_fractions() {
    let (asl, panzer8, chain) = (pack("asl-starter-kit"), pack("panzer8"), pack("chain-reaction"));
    for situation in
        [melee(&asl, "2", "3", "squad"), fire_fight(&panzer8, "2", "3"), shooting(&chain, "1")]
    {
        let chain = FightChain::new(&situation).unwrap();
        let (exact, near) = (chain.solve_exactly().unwrap(), chain.solve_nearly().unwrap());
        assert!(exact.exact && !near.exact);
        for (a, b) in exact.ends.iter().zip(&near.ends) {
            assert_eq!(a.id, b.id);
            assert!(
                (a.chance.value() - b.chance.value()).abs() < 1e-13,
                "{} {}",
                a.chance.value(),
                b.chance.value()
            );
        }
        assert!((exact.rounds.unwrap().value() - near.rounds.unwrap().value()).abs() < 1e-11);
    }
}

#[test]
fn a_fight_with_endless_digits_is_worked_out_in_floats() {
    let pack = pack("panzer8");
    let odds = solved(&fire_fight(&pack, "6", "6"));
    assert!(!odds.exact);
    let all: f64 = odds.ends.iter().map(|end| end.chance.value()).sum();
    assert!((all - 1.0).abs() < 1e-12, "{all}");
}

/// Compares the count of each end with its exact probability. Twice the square root of the degrees
/// of freedom is far out.
fn agrees(situation: &FightSituation<'_>, fights: u32, seed: u64) {
    let odds = solved(situation);
    let mut player = FightPlayer::new(situation).unwrap();
    let mut luck = SampleRng::of_block(seed, 0);
    let (mut counts, mut rounds, mut left) = (BTreeMap::new(), 0.0, BTreeMap::new());
    for _ in 0..fights {
        let (EndPoint { decision, left: units, .. }, took) =
            player.play(&mut luck).unwrap().unwrap();
        *counts.entry(player.decisions()[decision].0.clone()).or_insert(0_u32) += 1;
        *left.entry(units.as_slice()[0]).or_insert(0_u32) += 1;
        rounds += f64::from(took);
    }
    let chi = |expected: f64, count: u32| (f64::from(count) - expected).powi(2) / expected;
    let total = f64::from(fights);
    let (possible, impossible): (Vec<_>, Vec<_>) =
        odds.ends.iter().partition(|end| end.chance.value() > 0.0);
    assert!(impossible.iter().all(|end| !counts.contains_key(&end.id)));
    let ends: f64 = possible
        .iter()
        .map(|end| chi(end.chance.value() * total, counts.get(&end.id).copied().unwrap_or(0)))
        .sum();
    assert!(ends < 20.0, "{ends}");
    let survivors: f64 = odds.sides[0]
        .left
        .iter()
        .map(|(units, chance)| chi(chance.value() * total, left.get(units).copied().unwrap_or(0)))
        .sum();
    assert!(survivors < 30.0, "{survivors}");
    let exact = odds.rounds.unwrap().value();
    assert!((rounds / total - exact).abs() < exact * 0.05, "{} {exact}", rounds / total);
}

#[test]
fn play_agrees_with_the_exact_chances() {
    let (asl, panzer8, chain, cards) =
        (pack("asl-starter-kit"), pack("panzer8"), pack("chain-reaction"), small_deck());
    agrees(&melee(&asl, "3", "2", "squad"), 20_000, 1);
    agrees(&fire_fight(&panzer8, "2", "2"), 20_000, 2);
    agrees(&shooting(&chain, "1"), 20_000, 3);
    agrees(&fight(&cards, "hunt", &[]), 20_000, 4);
}

#[test]
fn all_that_is_missing_is_asked_for_at_once() {
    let pack = pack("panzer8");
    let Err(OddsError::Needs(needs)) =
        FightChain::new(&fight(&pack, "fire-fight", &[("theirs.def", "4")]))
    else {
        panic!("values are missing")
    };
    let keys: Vec<&str> = needs.iter().map(|need| need.key.as_str()).collect();
    assert_eq!(keys, ["ours.hesa", "theirs.hesa", "ours.def"]);
}

#[test]
fn a_fight_behind_an_option_says_so() {
    let pack = pack("chain-reaction");
    let closed = FightChain::new(&fight(&pack, "exchange-of-fire", &[])).map(|_| ());
    assert!(
        matches!(closed, Err(OddsError::Refused(why)) if en::no_odds(&why).contains("`shooting` is off"))
    );
}

const SMALL: &str = r#"
[pack]
id = "small"
title = "Small"
[unit.man]
title = "Man"
has = { hits = { number = "Hits", from = 0, to = 9, default = 0 }, hard = { yes_no = "Hard to hit" } }
[status.down]
title = "Down"
of = "man"
[result.hit]
title = "Hit"
of = "man"
effects = [ { add = "hits", by = "1" } ]
[result.falls]
title = "Falls"
of = "man"
effects = [ { status = "down" } ]
[result.miss]
title = "Miss"
[chart.shot]
title = "Shot"
who = { by = "man", at = "man" }
lands_on = "at"
step = [ { roll = "1d6", as = "die" } ]
read = { score = "die", rows = [ { to = 3, all = "miss" }, { to = 5, all = "hit" }, { when = "at.hard", all = "miss" }, { all = "falls" } ] }
[fight.duel]
title = "Duel"
action = [ { chart = "shot", who = { by = "a", at = "b" }, each = "by" }, { chart = "shot", who = { by = "b", at = "a" }, each = "by", at_once = true } ]
[fight.duel.side.a]
unit = "man"
out = "unit.down || unit.hits >= 2"
[fight.duel.side.b]
unit = "man"
out = "unit.down || unit.hits >= 2"
[fight.wall]
title = "Against a wall"
action = [ { chart = "shot", who = { by = "a", at = "b" }, each = "by" } ]
[fight.wall.side.a]
unit = "man"
most = 1
[fight.wall.side.b]
unit = "man"
most = 1
out = "unit.down"
"#;

fn small() -> adjutant_pack::Pack {
    adjutant_pack::read_pack(&adjutant_pack::Files::of([("pack.toml", SMALL)]), None).unwrap()
}

const DECK: &str = r#"
[pack]
id = "deck"
title = "Deck"
[deck.small]
title = "Small"
file = "deck.csv"
field = { what = { label = "What", choice = { hit = "Hit", miss = "Miss", again = "Again", all = "All" } } }
[unit.man]
title = "Man"
has = { hits = { number = "Hits", from = 0, to = 9, default = 0 } }
[result.hit]
title = "Hit"
of = "man"
effects = [ { add = "hits", by = "1" } ]
[result.miss]
title = "Miss"
[chart.shot]
title = "Shot"
who = { by = "man", at = "man" }
lands_on = "at"
step = [ { draw = "small", as = "card", again = [ { when = "card.what == 'again'", because = "Again" }, { when = "card.what == 'all'", because = "All", reshuffle = true } ] } ]
read = { score = "card.what", rows = [ { is = "hit", all = "hit" }, { is = "miss", all = "miss" }, { is = "again", all = "miss" }, { is = "all", all = "miss" } ] }
[fight.hunt]
title = "Hunt"
action = [ { chart = "shot", who = { by = "a", at = "b" }, each = "by" }, { chart = "shot", who = { by = "b", at = "a" }, each = "by" } ]
[fight.hunt.side.a]
unit = "man"
most = 1
out = "unit.hits >= 2"
[fight.hunt.side.b]
unit = "man"
most = 1
out = "unit.hits >= 2"
"#;

fn small_deck() -> adjutant_pack::Pack {
    let cards =
        "card,title,what\n1,A,hit\n2,B,hit\n3,C,hit\n4,D,miss\n5,E,miss\n6,F,again\n7,G,all\n";
    adjutant_pack::read_pack(
        &adjutant_pack::Files::of([("pack.toml", DECK), ("deck.csv", cards)]),
        None,
    )
    .unwrap()
}

/// The probability that `a` hits twice first, card by card, until almost nothing is undecided.
fn hunt() -> f64 {
    let whole = [3_u32, 2, 1, 1];
    let mut mass = BTreeMap::from([((whole, [0_u32; 2], 0_usize), 1.0)]);
    let mut won = 0.0;
    for _ in 0..500 {
        let mut next = BTreeMap::new();
        for ((left, hits, turn), weight) in mass {
            let total: u32 = left.iter().sum();
            for kind in (0..4).filter(|kind| left[*kind] > 0) {
                let share = weight * f64::from(left[kind]) / f64::from(total);
                let (mut after, mut hit) = (left, hits);
                after[kind] -= 1;
                if after == [0; 4] || kind == 3 {
                    after = whole;
                }
                hit[turn] += u32::from(kind == 0);
                match hit[turn] == 2 {
                    true => won += share * f64::from(u8::from(turn == 0)),
                    false => {
                        *next
                            .entry((after, hit, if kind < 2 { 1 - turn } else { turn }))
                            .or_insert(0.0) += share
                    }
                }
            }
        }
        mass = next;
    }
    won
}

#[test]
fn cards_stay_out_from_check_to_check() {
    let pack = small_deck();
    let odds = solved(&fight(&pack, "hunt", &[]));
    assert!(odds.exact);
    assert_eq!(adjutant_engine::Chance::sum(odds.ends.iter().map(|end| &end.chance)).exact(), "1");
    let walked = hunt();
    assert!((of(&odds, "a").value() - walked).abs() < 1e-12, "{} {walked}", of(&odds, "a").value());
}

#[test]
fn effects_of_shots_at_once_land_together() {
    // Both shots count even if both fall: with one shot each, 1 in 36 of the first round ends with
    // no unit left.
    let pack = small();
    let odds = solved(&fight(&pack, "duel", &[]));
    assert_eq!(of(&odds, "a"), of(&odds, "b"));
    assert!(of(&odds, "none").value() > 0.1);
}

#[test]
fn a_fight_that_nothing_can_decide_is_never_decided() {
    let pack = small();
    let odds = solved(&fight(&pack, "wall", &[("b.hard", "yes")]));
    assert_eq!((odds.never.exact().as_str(), odds.rounds), ("1", None));
    let sometimes = solved(&fight(&pack, "wall", &[]));
    assert_eq!(
        (of(&sometimes, "a").exact().as_str(), sometimes.rounds.unwrap().exact().as_str()),
        ("1", "6")
    );
}

#[test]
fn a_status_that_takes_a_unit_out_takes_it_out_of_a_fight_too() {
    // The wall again, but here the status, not the fight, says which units take no further part.
    let text = SMALL
        .replace("of = \"man\"\n[result.hit]", "of = \"man\"\nout = true\n[result.hit]")
        .replace("out = \"unit.down\"", "");
    let pack =
        adjutant_pack::read_pack(&adjutant_pack::Files::of([("pack.toml", text)]), None).unwrap();
    let odds = solved(&fight(&pack, "wall", &[]));
    assert_eq!(
        (of(&odds, "a").exact().as_str(), odds.rounds.unwrap().exact().as_str()),
        ("1", "6")
    );
    let down_already = solved(&fight(&pack, "wall", &[("b.down", "yes")]));
    assert_eq!(of(&down_already, "a").exact(), "1");
    assert_eq!(down_already.rounds.unwrap().exact(), "1", "the round in which it is found out");
}

#[test]
fn a_status_that_stops_a_chart_stops_it_in_a_fight_too() {
    let text = SMALL
        .replace("of = \"man\"\n[result.hit]", "of = \"man\"\nstops = [\"shot\"]\n[result.hit]");
    let pack =
        adjutant_pack::read_pack(&adjutant_pack::Files::of([("pack.toml", text)]), None).unwrap();
    let stopped = solved(&fight(&pack, "wall", &[("a.down", "yes")]));
    assert_eq!(stopped.never.exact(), "1", "who is down does not shoot");
    let free = solved(&fight(&pack, "wall", &[]));
    assert_eq!(of(&free, "a").exact(), "1");
}

#[test]
fn a_fight_too_large_to_be_listed_is_played() {
    let pack = pack("chain-reaction");
    let mut large = shooting(&pack, "6");
    large.give("theirs", "6").unwrap();
    let mut player = FightPlayer::new(&large).unwrap();
    assert!(player.play(&mut SampleRng::of_block(5, 0)).unwrap().is_some());
}

#[test]
fn a_fight_keeps_to_its_limits_in_time_and_memory() {
    let pack = pack("panzer8");
    let fight = fire_fight(&pack, "3", "3");
    let wide = FightLimits::default();
    let whole = FightChain::limited(&fight, &wide).unwrap();
    // The memory it needs is enough; a little less is not.
    let little = FightLimits { memory: 20_000, ..wide };
    assert_eq!(
        FightChain::limited(&fight, &little).unwrap_err(),
        OddsError::OverLimit(Limit::Memory)
    );
    let much = FightLimits { memory: 100_000_000, ..wide };
    assert_eq!(
        FightChain::limited(&fight, &much).unwrap().solve_within(&much).unwrap(),
        whole.solve().unwrap()
    );
    // The time may be over at any moment: it is noticed each time, at the latest at the next check.
    for after in [0, 1, 10, 100, 500] {
        let asked = AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= after;
        let limits = FightLimits { stop: &stop, ..wide };
        let weighed =
            FightChain::limited(&fight, &limits).and_then(|chain| chain.solve_within(&limits));
        assert_eq!(weighed.unwrap_err(), OddsError::OverLimit(Limit::Time), "{after}");
        assert_eq!(asked.load(Ordering::Relaxed), after + 1, "it stops at once");
    }
    let stop = || true;
    let limits = FightLimits { stop: &stop, ..wide };
    let mut player = FightPlayer::new(&fight).unwrap();
    assert_eq!(
        player.play_within(&mut SampleRng::of_block(1, 0), &limits).unwrap_err(),
        OddsError::OverLimit(Limit::Time)
    );
    // The size of the cache does not change what is played.
    let small = FightLimits { memory: 3_000_000, ..wide };
    let played = |limits: &FightLimits<'_>| {
        let (mut player, mut luck) =
            (FightPlayer::limited(&fight, limits).unwrap(), SampleRng::of_block(5, 0));
        (0..200).map(|_| player.play_within(&mut luck, limits).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(played(&small), played(&wide));
}

#[test]
fn a_player_who_begins_afresh_plays_as_if_nothing_had_been_before() {
    let pack = pack("chain-reaction");
    let mut fight = shooting(&pack, "2");
    fight.give("theirs", "2").unwrap();
    let block = |player: &mut FightPlayer<'_>, number: u64| {
        player.afresh().unwrap();
        let mut luck = SampleRng::of_block(9, number);
        (0..40).map(|_| player.play(&mut luck).unwrap()).collect::<Vec<_>>()
    };
    let (mut one, mut other) =
        (FightPlayer::new(&fight).unwrap(), FightPlayer::new(&fight).unwrap());
    let (first, second) = (block(&mut one, 0), block(&mut one, 1));
    assert_eq!(block(&mut other, 1), second);
    assert_eq!(block(&mut other, 0), first);
}

#[test]
fn what_follow_ups_need_is_asked_for_at_once_too() {
    let pack = pack("chain-reaction");
    let mut open = fight(&pack, "exchange-of-fire", &[("ours.rep", "4")]);
    open.set_option("shooting", "yes").unwrap();
    let Err(OddsError::Needs(needs)) = FightChain::new(&open) else { panic!("values are missing") };
    let keys: Vec<&str> = needs.iter().map(|need| need.key.as_str()).collect();
    assert_eq!(keys, ["ours.impact", "theirs.rep", "theirs.impact"]);
}

/// A shot whose shell does as much harm as the fight says. The wound that follows needs that number
/// as its own input.
const SHELLS: &str = r#"
[pack]
id = "shells"
title = "Shells"
[unit.u]
title = "Unit"
has = { hp = { number = "HP", from = 0, to = 9, default = 2 } }
[chart.shot]
title = "Shot"
who = { a = "u", b = "u" }
lands_on = "b"
ask = { dmg = { number = "Damage of shell", from = 1, to = 9 } }
step = [ { roll = "1d6" } ]
read = { rows = [ { to = 3, all = "miss" }, { all = "hit", next = [ { chart = "wound", why = "hit", who = { u = "b" }, with = { harm = "dmg" }, now = true } ] } ] }
[chart.wound]
title = "Wound"
who = { u = "u" }
ask = { harm = { number = "Harm", from = 0, to = 9 } }
step = [ { roll = "1d6" } ]
read = { rows = [ { to = 3, all = "fine" }, { all = "dead", effects = [ { leaves = "dead", on = "u" } ] } ], effects = [ { add = "hp", by = "-harm", on = "u" } ] }
[result]
miss = { title = "Missed" }
hit = { title = "Hit", of = "u" }
fine = { title = "Fine" }
dead = { title = "Dead" }
[fight.f]
title = "Exchange"
ask = { harm = { number = "Harm of each shell", from = 1, to = 9, default = 1 } }
[fight.f.side.x]
unit = "u"
[fight.f.side.y]
unit = "u"
[[fight.f.action]]
chart = "shot"
who = { a = "x", b = "y" }
each = "a"
with = { dmg = "harm" }
[fight.f.follow.wound]
"#;

#[test]
fn a_question_of_the_fight_may_have_the_name_of_what_a_follow_up_passes() {
    let solved = |text: String| {
        let files = adjutant_pack::Files::of([("pack.toml", text)]);
        let pack =
            adjutant_pack::read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}"));
        let odds = FightChain::new(&fight(&pack, "f", &[])).unwrap().solve().unwrap();
        (odds.ends[0].chance.exact(), odds.rounds.map(|rounds| rounds.exact()))
    };
    let harm = solved(SHELLS.to_owned());
    let other = SHELLS
        .replace("ask = { harm = { number = \"Harm of", "ask = { hurt = { number = \"Harm of");
    let other = other.replace("dmg = \"harm\" }", "dmg = \"hurt\" }");
    assert_eq!(harm, solved(other));
}
