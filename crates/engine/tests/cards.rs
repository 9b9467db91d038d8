#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! The fast algorithm for cards against reference implementations: single checks against running
//! the chart, several checks against a walk that draws card by card and has the rule only from this
//! file, samples against both.

#[allow(dead_code)]
mod twin;

use adjutant_engine::{
    CardPlan, Chance, Joint, NoOdds, OddsError, OddsOptions, SampleRng, Situation, odds,
    odds_by_running, odds_of_series, resolve,
};
use adjutant_pack::{Files, Pack, read_pack};
use num_bigint::BigUint;
use proptest::prelude::*;
use std::collections::BTreeMap;
use twin::*;

const HEAD: &str = "[pack]\nid = \"t\"\ntitle = \"T\"\n[deck.fate]\ntitle = \"Fate\"\nfile = \"deck.csv\"\n[deck.fate.field]\n\
    face = { label = \"Face\", choice = [\"plain\", \"again\", \"shuffle\", \"jam\", \"late\", \"last\"] }\nrank = { number = \"Rank\", from = 1, to = 9 }\n\
    [result]\nmiss = { title = \"Miss\" }\nhit = { title = \"Hit\" }\nstuck = { title = \"Stuck\" }\n\
    over = { title = \"Over\", effects = [ { reshuffle = \"fate\" } ] }\n\
    [chart.jam]\ntitle = \"Jam\"\nstep = [ { ask = { yes_no = \"Jam?\" }, as = \"jam\" } ]\n\
    read = { rows = [ { when = \"jam\", all = \"stuck\" }, { all = \"miss\" } ] }\n\
    [chart.c]\ntitle = \"C\"\nask = { plus = { number = \"Plus\", from = -9, to = 9, default = 0 } }\n[[chart.c.step]]\ndraw = \"fate\"\nas = \"card\"\nread = \"rank\"\nagain = [\n\
    { when = \"card.face == 'again'\", because = \"Again\" },\n\
    { when = \"card.face == 'shuffle'\", because = \"Shuffle\", reshuffle = true },\n\
    { when = \"card.face == 'jam'\", because = \"Jam\", look_up = \"jam\", as = \"jam\", stop = { when = \"jam.result == 'stuck'\", result = \"stuck\" } },\n\
    { when = \"card.face == 'late'\", because = \"Late\", look_up = \"jam\", as = \"late\", reshuffle = true, stop = { when = \"late.result == 'stuck'\", result = \"stuck\" } },\n\
    { when = \"card.face == 'last'\", because = \"Last\", look_up = \"jam\", as = \"last\", stop = { when = \"last.result == 'stuck'\", result = \"over\" } },\n\
    ]\n[chart.c.read]\nscore = \"card + plus\"\nrows = [ { to = 3, all = \"miss\" }, { to = 6, all = \"hit\" }, { all = \"over\" } ]\n";

fn read(deck: &str) -> Pack {
    let mut lines = vec!["card,title,face,rank".to_owned()];
    lines.extend(
        deck.split_whitespace().enumerate().map(|(n, line)| format!("{},Card,{line}", n + 1)),
    );
    let files = Files::of([("pack.toml", HEAD.to_owned()), ("deck.csv", lines.join("\n") + "\n")]);
    read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

// -------------------------------------------------------------------------------------------
// single checks

fn by_running(situation: &Situation<'_>, asked: &OddsOptions) -> Told {
    told(&odds_by_running(situation, asked).unwrap().branches[0].spread)
}

fn same_both_ways(situation: &Situation<'_>, asked: &OddsOptions) {
    let plan = CardPlan::new(situation, asked).expect("one card has a plan");
    let (ways, total) = plan.big_ways(&situation.decks[plan.deck()]);
    assert_eq!(ways.iter().sum::<BigUint>(), total);
    assert_eq!(shown(&exact(situation, asked)), shown(&by_running(situation, asked)));
    let once = plan.joint(&situation.decks[plan.deck()], 1).unwrap();
    for (place, ways) in ways.iter().enumerate() {
        assert_eq!(once.expected(place), Chance::new(ways.clone(), total.clone()));
    }
}

fn without<'p>(pack: &'p Pack, line: &str, gone: &[bool]) -> Situation<'p> {
    let mut situation = situation(pack, line);
    let gone: Vec<u32> = (1..).zip(gone).filter(|(_, gone)| **gone).map(|(card, _)| card).collect();
    situation.take_out(&gone).unwrap();
    situation
}

fn settings() -> ProptestConfig {
    ProptestConfig { cases: 48, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn the_action_deck_in_any_state_is_as_by_running(
        share in 0.0..1.0_f64,
        dice in prop::collection::vec(0.0..1.0_f64, 60),
        mod_fp in -8..12_i32,
        clear in any::<bool>(),
        jam in 0..=6_u64,
        soldiers in 2..=12_u32,
    ) {
        let gone: Vec<bool> = dice.iter().map(|die| *die < share).collect();
        let leader = pack("combat-leader");
        let shot = format!("accuracy mod_fp={mod_fp} clear={}", if clear { "yes" } else { "no" });
        same_both_ways(&without(leader, &shot, &gone), &asked([("jam", yes(jam, 6))]));
        for line in ["repair", "d6", &format!("select soldiers={soldiers}")] {
            same_both_ways(&without(leader, line, &gone), &OddsOptions::default());
        }
    }

    #[test]
    fn invented_decks_are_as_by_running(cards in prop::collection::vec(0..9_u32, 1..9), gone in prop::collection::vec(any::<bool>(), 9), jam in 0..=3_u64) {
        let mut deck: Vec<String> = cards.iter().map(|card| line(*card)).collect();
        deck.push(line(0));
        let pack = read(&deck.join(" "));
        same_both_ways(&without(&pack, "c", &gone[..deck.len()]), &asked([("jam", yes(jam, 3))]));
    }

    #[test]
    fn several_checks_are_as_drawn_card_by_card(
        cards in prop::collection::vec(0..9_u32, 1..7),
        gone in prop::collection::vec(prop::bool::weighted(0.3), 7),
        jam in 0..=3_u64,
        times in 1..=3_u32,
    ) {
        let mut cards = cards;
        cards.push(0);
        let pack = read(&cards.iter().map(|card| line(*card)).collect::<Vec<_>>().join(" "));
        let situation = without(&pack, "c", &gone[..cards.len()]);
        let plan = CardPlan::new(&situation, &asked([("jam", yes(jam, 3))])).unwrap();
        let joint = plan.joint(&situation.decks[plan.deck()], times).unwrap();
        let fates = (0..9).map(|card| fate(card, &frac(jam, 3))).collect();
        let count = |here: &dyn Fn(usize) -> bool| (0..9).map(|kind| cards.iter().enumerate().filter(|(place, card)| **card == kind && here(*place)).count() as u32).collect();
        let mut walk = Walk { fates, whole: count(&|_| true), known: BTreeMap::new() };
        let left: Vec<u32> = count(&|place| !gone[place]);
        prop_assert_eq!(by_name(&joint), walk.from(&left, times));
    }
}

#[test]
fn numbers_that_outgrow_their_width_are_done_again_without_a_bound() {
    let deck = ["jam,"; 70]
        .into_iter()
        .chain(["plain,1"; 3])
        .chain(["shuffle,"; 2])
        .collect::<Vec<_>>()
        .join(" ");
    let pack = read(&deck);
    let (situation, asked) = (situation(&pack, "c"), asked([("jam", yes(1, 1_000_003))]));
    let plan = CardPlan::new(&situation, &asked).unwrap();
    assert_eq!(plan.ways(&situation.decks.as_slice()[0]), None);
    same_both_ways(&situation, &asked);
    let joint = plan.joint(&situation.decks.as_slice()[0], 3).unwrap();
    assert_eq!(joint.ways().iter().map(|(_, ways)| ways).sum::<BigUint>(), *joint.total());
}

#[test]
fn a_chart_that_is_more_than_one_card_has_no_plan() {
    let leader = pack("combat-leader");
    for line in
        ["dr", "melee-jam attackers=3 defenders=2", "select soldiers=1", "casualty clear=yes"]
    {
        assert!(
            CardPlan::new(&situation(leader, line), &OddsOptions::default()).is_none(),
            "{line}"
        );
    }
    let shot = situation(leader, "accuracy mod_fp=3");
    assert!(CardPlan::new(&shot, &OddsOptions::default()).is_none(), "an open question");
    let report = odds(&shot, &OddsOptions::default()).unwrap();
    for (branch, jam) in report.branches.iter().zip([1, 0]) {
        assert_eq!(told(&branch.spread), by_running(&shot, &asked([("jam", yes(jam, 1))])));
    }
    for rule in [
        "{ when = \"card.face == 'again'\", because = \"Again\", at_most = 1 },",
        "{ when = \"card.face == 'again'\", because = \"Again\", look_up = \"luck\", as = \"luck\" },",
    ] {
        let text = HEAD.replace("{ when = \"card.face == 'again'\", because = \"Again\" },", rule)
            + "[chart.luck]\ntitle = \"Luck\"\nstep = [ { draw = \"fate\", as = \"card\" } ]\nread = { value = \"card.number\" }\n";
        let deck = "card,title,face,rank\n1,A,plain,1\n2,B,plain,5\n3,C,again,9\n".to_owned();
        let pack = read_pack(&Files::of([("pack.toml", text), ("deck.csv", deck)]), None)
            .unwrap_or_else(|faults| panic!("{faults:#?}"));
        assert!(
            CardPlan::new(&situation(&pack, "c"), &asked([("jam", yes(1, 3))])).is_none(),
            "{rule}"
        );
    }
}

// ------------------------------------------------------------------------------------------
// several checks

/// The line of the deck for each kind of card.
fn line(card: u32) -> String {
    ["plain,1", "plain,2", "plain,5", "plain,8", "again,", "shuffle,", "jam,", "late,", "last,"]
        [card as usize]
        .to_owned()
}

/// A probability, the result if it ends the check, and whether the deck is shuffled.
type Fate = Vec<(Chance, Option<&'static str>, bool)>;

/// The rule of the invented chart, implemented a second time.
fn fate(card: u32, jam: &Chance) -> Fate {
    let (one, free) = (frac(1, 1), Chance::new(jam.of() - jam.ways(), jam.of().clone()));
    match card {
        0 | 1 => vec![(one, Some("miss"), false)],
        2 => vec![(one, Some("hit"), false)],
        3 => vec![(one, Some("over"), true)],
        4 => vec![(one, None, false)],
        5 => vec![(one, None, true)],
        6 => vec![(jam.clone(), Some("stuck"), false), (free, None, false)],
        7 => vec![(jam.clone(), Some("stuck"), true), (free, None, true)],
        _ => vec![(jam.clone(), Some("over"), true), (free, None, false)],
    }
}

/// Each combination of result counts, with its probability.
type Often = BTreeMap<BTreeMap<String, u32>, Chance>;

/// Draws card by card. Every kind of card is counted separately.
struct Walk {
    fates: Vec<Fate>,
    whole: Vec<u32>,
    known: BTreeMap<(Vec<u32>, u32), Often>,
}

fn put(often: &mut Often, list: &BTreeMap<String, u32>, chance: &Chance) {
    let entry = often.entry(list.clone()).or_insert_with(|| frac(0, 1));
    *entry = plus(entry, chance);
}

impl Walk {
    fn from(&mut self, left: &[u32], times: u32) -> Often {
        if let Some(found) = self.known.get(&(left.to_vec(), times)) {
            return found.clone();
        }
        let mut found = Often::new();
        if times == 0 {
            return Often::from([(BTreeMap::new(), frac(1, 1))]);
        }
        let back = self.draw(left, times, &frac(1, 1), &mut found);
        if left == self.whole {
            let ends = Chance::sum(found.values());
            assert_eq!(plus(&ends, &back).exact(), "1");
            found.values_mut().for_each(|chance| *chance = over(chance, &ends));
        } else if back.exact() != "0" {
            let whole = self.whole.clone();
            self.from(&whole, times)
                .iter()
                .for_each(|(list, chance)| put(&mut found, list, &times_(chance, &back)));
        }
        self.known.insert((left.to_vec(), times), found.clone());
        found
    }

    /// One check continues with these cards: adds all outcomes, and returns the probability that
    /// all cards are back before it ends.
    fn draw(&mut self, left: &[u32], times: u32, weight: &Chance, found: &mut Often) -> Chance {
        let cards: u32 = left.iter().sum();
        let mut back = if cards == 0 { weight.clone() } else { frac(0, 1) };
        for kind in (0..left.len()).filter(|kind| left[*kind] > 0) {
            let mut rest = left.to_vec();
            rest[kind] -= 1;
            for (part, end, shuffles) in self.fates[kind].clone() {
                let here = times_(&times_(weight, &part), &frac(left[kind].into(), cards.into()));
                if here.exact() == "0" {
                    continue;
                }
                let rest = if shuffles { self.whole.clone() } else { rest.clone() };
                match end {
                    Some(end) => {
                        for (list, chance) in self.from(&rest, times - 1) {
                            let mut list = list;
                            *list.entry(end.to_owned()).or_default() += 1;
                            put(found, &list, &times_(&chance, &here));
                        }
                    }
                    None if shuffles => back = plus(&back, &here),
                    None => back = plus(&back, &self.draw(&rest, times, &here, found)),
                }
            }
        }
        back
    }
}

fn times_(a: &Chance, b: &Chance) -> Chance {
    twin::times(a, b)
}

fn by_name(joint: &Joint) -> Often {
    assert_eq!(joint.ways().iter().map(|(_, ways)| ways).sum::<BigUint>(), *joint.total());
    let mut often = Often::new();
    for (list, ways) in joint.ways() {
        let names =
            joint.outcomes().iter().map(|outcome| outcome.result.as_ref().unwrap().0.to_string());
        let mut named = BTreeMap::new();
        names
            .zip(list)
            .filter(|(_, n)| **n > 0)
            .for_each(|(name, n)| *named.entry(name).or_default() += n);
        put(&mut often, &named, &joint.chance(ways));
    }
    often
}

#[test]
fn shots_from_the_action_deck_are_as_drawn_card_by_card() {
    let shot = situation(pack("combat-leader"), "accuracy mod_fp=3 clear=yes");
    let plan = CardPlan::new(&shot, &asked([("jam", yes(1, 6))])).unwrap();
    let ends = |id: &'static str| vec![(frac(1, 1), Some(id), false)];
    // With three added: ranks 1 to 3, 4 and 5, 6 to 8, 9 to 13; then Jam and Shuffle.
    let fates = vec![
        ends("miss"),
        ends("accurate-in-clear"),
        ends("accurate-minus"),
        ends("accurate"),
        vec![(frac(1, 6), Some("jammed"), false), (frac(5, 6), None, false)],
        vec![(frac(1, 1), None, true)],
    ];
    let mut walk = Walk { fates, whole: vec![12, 8, 12, 20, 4, 4], known: BTreeMap::new() };
    for times in 1..=3 {
        let joint = plan.joint(&shot.decks.as_slice()[0], times).unwrap();
        let whole = walk.whole.clone();
        assert_eq!(by_name(&joint), walk.from(&whole, times), "{times}");
    }
    // All aces, twos and threes are gone, and one Jam card.
    let mut used = shot.clone();
    used.take_out(&[1, 2, 3, 14, 15, 16, 27, 28, 29, 40, 41, 42, 53]).unwrap();
    let joint = plan.joint(&used.decks.as_slice()[0], 2).unwrap();
    assert_eq!(by_name(&joint), walk.from(&[0, 8, 12, 20, 3, 4], 2));
    let (few, many) = (joint.at_least(0, 1), joint.at_least(0, 2));
    assert_eq!(joint.expected(0), plus(&few, &many), "the mean is the sum of all at-leasts");
}

/// Runs the chart itself again and again with the current deck, for every card and answer.
fn play(
    situation: &Situation<'_>,
    times: u32,
    weight: &Chance,
    got: &BTreeMap<String, u32>,
    found: &mut Often,
) {
    if times == 0 {
        return put(found, got, weight);
    }
    let mut open = vec![(Vec::new(), Vec::new(), weight.clone())];
    while let Some((cards, answers, weight)) = open.pop() {
        let mut now = situation.clone();
        let mut typed = adjutant_dice::EnteredInput::new().with_cards(cards.iter().copied());
        for answer in &answers {
            typed = typed.with_answer("jam", if *answer { "yes" } else { "no" });
        }
        match resolve(&mut now, &mut typed) {
            Ok(resolution) => {
                let mut got = got.clone();
                *got.entry(resolution.result.unwrap().id.to_string()).or_default() += 1;
                play(&now, times - 1, &weight, &got, found);
            }
            Err(stopped)
                if matches!(
                    stopped.resolution.needs[0].wanted,
                    adjutant_dice::Wanted::Card { .. }
                ) =>
            {
                let left: Vec<u32> = now.decks.as_slice()[0].cards().collect();
                for card in &left {
                    let cards = cards.iter().copied().chain([*card]).collect();
                    open.push((
                        cards,
                        answers.clone(),
                        twin::times(&weight, &frac(1, left.len() as u64)),
                    ));
                }
            }
            Err(_) => {
                for (answer, part) in [(true, frac(1, 6)), (false, frac(5, 6))] {
                    let answers = answers.iter().copied().chain([answer]).collect();
                    open.push((cards.clone(), answers, twin::times(&weight, &part)));
                }
            }
        }
    }
}

#[test]
fn several_checks_are_as_the_chart_played_again_and_again() {
    let pack = read("plain,1 plain,2 plain,5 plain,5 jam, again, plain,8");
    let situation = situation(&pack, "c");
    let plan = CardPlan::new(&situation, &asked([("jam", yes(1, 6))])).unwrap();
    for times in 1..=3 {
        let mut found = Often::new();
        play(&situation, times, &frac(1, 1), &BTreeMap::new(), &mut found);
        assert_eq!(
            by_name(&plan.joint(&situation.decks.as_slice()[0], times).unwrap()),
            found,
            "{times}"
        );
    }
}

#[test]
fn dice_are_rolled_again_each_time_and_too_many_checks_are_refused() {
    let rally = situation(pack("panzer8"), "rally");
    let series = odds_of_series(&rally, &OddsOptions::default(), 3).unwrap();
    let [branch] = series.branches.as_slice() else { panic!("{series:?}") };
    let place = branch.outcomes().iter().position(|outcome| outcome.id == "unsuppressed").unwrap();
    assert!(!branch.one_deck);
    assert_eq!(branch.joint.at_least(place, 3).exact(), "27/1000");
    assert_eq!(branch.joint.at_least(place, 1).exact(), "657/1000");
    assert_eq!(branch.joint.expected(place).exact(), "9/10");
    assert_eq!(Chance::sum(branch.likeliest().iter().map(|(_, chance)| chance)).exact(), "1");
    let leader = pack("combat-leader");
    let card = odds_of_series(&situation(leader, "card"), &OddsOptions::default(), 20);
    assert!(matches!(card, Err(OddsError::TooLarge(_))));
    let jams = read(&["jam,"; 900].into_iter().chain(["plain,1"]).collect::<Vec<_>>().join(" "));
    let many = odds_of_series(&situation(&jams, "c"), &asked([("jam", yes(1, 6))]), 20);
    assert!(matches!(many, Err(OddsError::TooLarge(_))));
    let dr = odds_of_series(&situation(leader, "dr"), &OddsOptions::default(), 2);
    assert!(matches!(&dr, Err(OddsError::Refused(NoOdds::SeriesOfCards { .. }))), "{dr:?}");
    let alone = odds_of_series(&situation(leader, "select soldiers=1"), &OddsOptions::default(), 2)
        .unwrap();
    assert_eq!(alone.branches[0].joint.at_least(0, 2).exact(), "1");
    let shots =
        odds_of_series(&situation(leader, "accuracy mod_fp=3"), &asked([("jam", yes(1, 6))]), 12)
            .unwrap();
    let joint = &shots.branches[0].joint;
    assert_eq!(joint.ways().iter().map(|(_, ways)| ways).sum::<BigUint>(), *joint.total());
    let open = odds_of_series(&situation(leader, "accuracy mod_fp=3"), &OddsOptions::default(), 2)
        .unwrap();
    assert_eq!(open.branches.len(), 2);
}

// -----------------------------------------------------------------------------------------------
// sampling

#[test]
fn a_live_deck_gives_series_as_often_as_their_odds_say() {
    let gone: Vec<u32> = (1..=45).collect();
    for (line, jam, gone) in [
        ("accuracy mod_fp=3", 1, &[][..]),
        ("accuracy mod_fp=-2 clear=yes", 3, &gone),
        ("repair", 1, &gone),
    ] {
        let mut situation = situation(pack("combat-leader"), line);
        situation.take_out(gone).unwrap();
        let plan = CardPlan::new(&situation, &asked([("jam", yes(jam, 6))])).unwrap();
        let deck = &situation.decks.as_slice()[0];
        let joint = plan.joint(deck, 3).unwrap();
        let (mut luck, samples) = (SampleRng::of_block(7, 0), 200_000);
        let mut seen: BTreeMap<Vec<u32>, f64> = BTreeMap::new();
        let fresh = plan.live(deck);
        for _ in 0..samples {
            let (mut live, mut list) = (fresh.clone(), vec![0; plan.outcomes().len()]);
            (0..3).for_each(|_| list[live.sample(&mut luck)] += 1);
            *seen.entry(list).or_default() += 1.0;
        }
        let (mut chi, mut groups) = (0.0, 0.0);
        for (list, ways) in joint.ways() {
            let expected = f64::from(samples) * joint.chance(ways).percent() / 100.0;
            let got = seen.remove(list).unwrap_or(0.0);
            if expected >= 5.0 {
                chi += (got - expected).powi(2) / expected;
                groups += 1.0;
            }
        }
        assert!(seen.is_empty(), "what cannot be was seen: {seen:?}");
        let freedom: f64 = groups - 1.0;
        assert!(
            chi < freedom + 4.0 * (2.0 * freedom).sqrt(),
            "{line}: chi-square {chi} with {freedom} degrees"
        );
    }
}

#[test]
fn a_live_deck_goes_on_from_check_to_check_and_allocates_nothing() {
    let d6 = situation(pack("combat-leader"), "d6");
    let plan = CardPlan::new(&d6, &OddsOptions::default()).unwrap();
    let (mut live, mut luck) = (plan.live(&d6.decks.as_slice()[0]), SampleRng::of_block(1, 0));
    // Each deck holds ten of each face, and runs out before any card repeats.
    for _ in 0..3 {
        let mut seen = [0; 6];
        (0..60).for_each(|_| seen[live.sample(&mut luck)] += 1);
        assert_eq!((seen, live.left()), ([10; 6], 0));
    }
    let shot = situation(pack("combat-leader"), "accuracy mod_fp=3");
    let plan = CardPlan::new(&shot, &asked([("jam", yes(1, 6))])).unwrap();
    let mut live = plan.live(&shot.decks.as_slice()[0]);
    let used = allocation_counter::measure(|| {
        std::hint::black_box((0..10_000).map(|_| live.sample(&mut luck)).sum::<usize>());
    });
    assert_eq!(used.count_total, 0);
}
