#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! The exact odds of the bundled charts: they add up to 1, and they agree with walking every face
//! and with many random runs.

#[allow(dead_code)]
mod twin;

use adjutant_dice::{
    Accepts, Answer, CardRequest, DiceRequest, InputSource, Number, Question, RandomInput,
    SourceError, ThrownBy,
};
use adjutant_engine::{
    AnswerOdds, Chance, Distribution, FightSituation, Follow, OddsError, OddsOptions, Situation,
    check_answers, odds, resolve,
};
use adjutant_wording::en;
use std::collections::BTreeMap;
use twin::*;

// ---------------------------------------------------------------------------------------- the sum
// is 1

fn makes_one(spread: &Distribution, told: &str) {
    let mut by_unit: BTreeMap<Option<&adjutant_dice::Text>, Vec<&Chance>> = BTreeMap::new();
    for result in &spread.results {
        by_unit.entry(result.of.as_ref()).or_default().push(&result.chance);
    }
    if spread.several_ends {
        // One roll may lead to several of them: each is a probability, and together they cover
        // everything.
        let all: Vec<&Chance> = spread.results.iter().map(|result| &result.chance).collect();
        assert!(all.iter().all(|chance| chance.ways() <= chance.of()), "{told}");
        let sum = Chance::sum(all);
        assert!(sum.ways() >= sum.of() && spread.values.is_empty(), "{told}: {}", sum.exact());
        return;
    }
    for (unit, chances) in &by_unit {
        assert_eq!(Chance::sum(chances.iter().copied()).exact(), "1", "{told} {unit:?}");
    }
    let values = Chance::sum(spread.values.iter().map(|(_, chance)| chance));
    if by_unit.is_empty() {
        assert_eq!(values.exact(), "1", "{told}");
    }
    // Each result falls into the numbers that come with it.
    for result in spread.results.iter().filter(|result| result.of.is_none()) {
        let (chart, on) = (result.chart.as_deref(), result.on.as_deref());
        let chance_of = |value| spread.chance_of(chart, &result.id, on, value);
        assert_eq!(chance_of(None), Some(&result.chance), "{told}");
        let parts = spread.values.iter().filter_map(|(value, _)| chance_of(Some(*value)));
        let parts = Chance::sum(parts);
        match values.exact() == "1" {
            true => assert_eq!(parts, result.chance, "{told}"),
            false => assert!(parts.percent() <= result.chance.percent(), "{told}"),
        }
    }
    for chance in spread.also.iter().map(|also| &also.chance).chain([&values]) {
        assert!(chance.ways() <= chance.of(), "{told}: {}", chance.exact());
    }
}

#[test]
fn the_chance_of_a_result_is_told_apart_by_its_number() {
    let pack =
        adjutant_pack::read_pack(&adjutant_bundled_packs::files("chain-reaction").unwrap(), None)
            .unwrap();
    let mut situation = Situation::new(&pack, "pef-move").unwrap();
    situation.give("pef.rep", "4").unwrap();
    let report = odds(&situation, &OddsOptions::default()).unwrap();
    let spread = &report.branches[0].spread;
    let chance = |value: Option<i32>| {
        let value = value.map(Number::from);
        let on = spread.results.iter().find(|one| one.id == "pef-advances").unwrap().on.clone();
        spread.chance_of(None, "pef-advances", on.as_deref(), value).map(Chance::exact)
    };
    assert_eq!(chance(Some(8)).as_deref(), Some("4/9"));
    assert_eq!(chance(Some(4)).as_deref(), Some("4/9"));
    assert_eq!(chance(None).as_deref(), Some("8/9"));
    assert_eq!(chance(Some(0)), None, "who stays does not advance");
}

fn pick(luck: &mut RandomInput, n: u32) -> u32 {
    luck.dice(&DiceRequest::new("", "", 1, n)).unwrap()[0] - 1
}

/// A random accepted text.
fn accepted(accepts: &Accepts, luck: &mut RandomInput) -> String {
    match accepts {
        Accepts::YesNo => ["no", "yes"][pick(luck, 2) as usize].to_owned(),
        Accepts::Choice { words } => words[pick(luck, words.len() as u32) as usize].id.to_string(),
        Accepts::Number { from, to, step } => {
            let steps = |n: &Number| n.over(*step).unwrap();
            let (first, last) =
                (steps(from).ceil().as_whole().unwrap(), steps(to).floor().as_whole().unwrap());
            let n = first + i64::from(pick(luck, (last - first + 1).min(30) as u32));
            Number::whole(n).unwrap().times(*step).unwrap().to_string()
        }
    }
}

/// A random situation of a chart, and whether the chain is followed.
fn any(pack: usize, chart: usize, luck: &mut RandomInput) -> (Situation<'static>, OddsOptions) {
    let pack = &shipped()[pack];
    let chart = &pack.charts().as_slice()[chart];
    let mut situation = Situation::new(pack, &chart.id).unwrap();
    for option in pack.options() {
        situation.set_option(&option.field.id, &accepted(&option.field.accepts, luck)).unwrap();
    }
    if let Some(option) = chart.needs_option {
        situation.set_option(&pack.options()[option].field.id, "yes").unwrap();
    }
    for memory in pack.memory() {
        situation.set_memory(&memory.id, &accepted(&memory.accepts, luck)).unwrap();
    }
    let members = pick(luck, 4);
    for input in &chart.inputs {
        let each = chart.each.as_ref().is_some_and(|each| Some(each.role) == input.role);
        match input.name.split_once('.').filter(|_| each && members > 0) {
            Some((role, id)) => {
                (1..=members).for_each(|n| {
                    situation
                        .give(&format!("{role}.{n}.{id}"), &accepted(&input.field.accepts, luck))
                        .unwrap()
                });
            }
            None => situation.give(&input.name, &accepted(&input.field.accepts, luck)).unwrap(),
        }
    }
    let mut later = Vec::new();
    for input in pack.charts().iter().flat_map(|chart| &chart.inputs) {
        later.push((input.name.to_string(), accepted(&input.field.accepts, luck)));
    }
    let jam = yes(u64::from(pick(luck, 4)), 3);
    (
        situation,
        OddsOptions {
            follow: Follow::when(pick(luck, 3) == 0 && pack.id() != "combat-leader"),
            later,
            ..asked([("jam", jam)])
        },
    )
}

#[test]
fn the_chances_of_every_chart_make_one() {
    let mut luck = RandomInput::seeded(20_261_107);
    for (pack, sheet) in shipped().iter().enumerate() {
        for (place, chart) in sheet.charts().iter().enumerate() {
            // Charts that are known to be too large, or slow to find out, are left to the fixed
            // list.
            let times = match (sheet.id().as_str(), chart.id.as_str()) {
                ("combat-leader", "melee" | "melee-jam") => 0,
                _ => 5,
            };
            for _ in 0..times {
                let (situation, mut asked) = any(pack, place, &mut luck);
                if matches!(chart.id.as_str(), "shooting" | "in-sight") {
                    asked.follow = Follow::default();
                }
                let told = format!("{} {} {situation:?}", sheet.id(), chart.id);
                match odds(&situation, &asked) {
                    Ok(report) => {
                        assert!(!report.branches.is_empty(), "{told}");
                        report.branches.iter().for_each(|branch| makes_one(&branch.spread, &told));
                    }
                    Err(OddsError::Open(open)) => {
                        assert!(matches!(open.accepts, Accepts::Number { .. }), "{told}: {open:?}")
                    }
                    Err(stop) => assert!(!en::odds_error(&stop).is_empty()),
                }
            }
        }
    }
}

/// Charts with inputs that must have odds.
const KNOWN: &[(&str, &str)] = &[
    ("panzer8", "fire ammo=hesa firer.hesa=6 target.def=3"),
    (
        "panzer8",
        "fire ammo=ap firer.ap=8 target.def=9 over_half=yes hard=yes soft=yes firer_moved=yes",
    ),
    (
        "panzer8",
        "fire ammo=hesa firer.hesa=3 target.def=0 close=yes flank=yes firer.suppressed=no target.quality=-2",
    ),
    ("panzer8", "tank-hunt target.def=6"),
    (
        "panzer8",
        "tank-hunt target.def=2 hunter.tank_hunt=7 hunter.engineer=yes covered=yes target.no_mg=yes",
    ),
    ("panzer8", "rally"),
    ("panzer8", "rally element.quality=2 lost=7 commander=yes"),
    ("panzer8", "rally element.quality=-3 unsupported=yes"),
    ("panzer8", "overrun defender.hesa=5"),
    (
        "panzer8",
        "overrun defender.type=csw defender.hesa=2 attacker.quality=1 defender.commander=yes",
    ),
    ("panzer8", "hand-to-hand attacker.hesa=4 defender.hesa=5 soft=yes"),
    ("chain-reaction", "pef-move"),
    ("chain-reaction", "pef-move pef.rep=6"),
    ("chain-reaction", "pef-resolve pef.rep=3"),
    ("chain-reaction", "pef-resolve memory.something=yes"),
    ("chain-reaction", "pef-resolve pef.rep=2 memory.something=yes"),
    ("chain-reaction", "how-many group=2"),
    ("chain-reaction", "charge charger.rep=4 target.rep=3"),
    ("chain-reaction", "charge charger.rep=5 target.rep=4 target.in_cover=yes side=flank"),
    ("chain-reaction", "charge charger.rep=2 target.rep=6 side=rear"),
    (
        "chain-reaction",
        "crisis reason=fired_on figure.rep=4 figure.star=no figure.hunkered_before=no",
    ),
    (
        "chain-reaction",
        "crisis reason=man_down figure.rep=3 figure.star=no figure.in_cover=yes leader_die=1",
    ),
    (
        "chain-reaction",
        "crisis reason=outgunned figure.rep=5 figure.star=no figure.hunkered_before=yes other_dice=-1",
    ),
    ("chain-reaction", "np-move force.rep=4 np=6 players=3"),
    ("chain-reaction", "np-move force.rep=5 np=5 players=3"),
    ("chain-reaction", "melee-damage impact=3"),
    ("chain-reaction", "melee-damage impact=0"),
    ("chain-reaction", "in-sight figure.a.rep=3 figure.b.rep=2 figure.b.moved=yes"),
    (
        "chain-reaction",
        "shooting option.shooting=yes shooter.rep=4 shooter.impact=2 target.a.in_cover=yes target.b.in_cover=no",
    ),
    ("asl-starter-kit", "close-combat attacker.type=squad attacker.fp=4 defender.fp=4"),
    (
        "asl-starter-kit",
        "close-combat attacker.type=smc attacker.fp=1 attacker.leadership=-1 defender.fp=3 defender.broken=yes ambush=attacker",
    ),
    ("asl-starter-kit", "ambush attacker.type=squad defender.type=squad"),
    (
        "asl-starter-kit",
        "ambush attacker.type=smc attacker.leadership=-2 defender.type=crew defender.cx=yes defender.inexperienced=yes",
    ),
    ("asl-starter-kit", "morale-check unit.type=squad unit.morale=7 unit.elr=3"),
    (
        "asl-starter-kit",
        "morale-check unit.type=smc unit.morale=8 unit.elr=2 unit.broken=yes mc=2 leadership=-1",
    ),
    ("asl-starter-kit", "casualty-reduction unit.type=smc"),
    ("asl-starter-kit", "casualty-reduction unit.type=smc unit.wounded=yes in_close_combat=yes"),
    ("asl-starter-kit", "casualty-reduction unit.type=squad"),
    ("asl-starter-kit", "ccv-attack attacker.type=squad"),
    (
        "asl-starter-kit",
        "ccv-attack attacker.type=smc attacker.pinned=yes vehicle.immobile=yes vehicle.usable_mg=no",
    ),
    (
        "asl-starter-kit",
        "ccv-attack attacker.type=half-squad halvings=3 vehicle.in_motion=yes vehicle.stunned=yes",
    ),
];

#[test]
fn dice_agree_with_walking_every_face() {
    for (id, line) in KNOWN {
        let situation = situation(pack(id), line);
        assert_eq!(
            shown(&exact(&situation, &OddsOptions::default())),
            shown(&walk(&situation)),
            "{id} {line}"
        );
        makes_one(&odds(&situation, &OddsOptions::default()).unwrap().branches[0].spread, line);
    }
}

#[test]
fn a_few_chances_worked_out_by_hand() {
    let chance = |id: &str, line: &str, name: &str| {
        exact(&situation(pack(id), line), &OddsOptions::default())[name].exact()
    };
    // 6 + d10 against 3 + d10: no effect only if the target rolls at least three more: 28 of 100.
    assert_eq!(chance("panzer8", "fire ammo=hesa firer.hesa=6 target.def=3", "no-effect"), "7/25");
    assert_eq!(
        chance("chain-reaction", "pef-resolve memory.something=yes pef.rep=4", "contact on pef"),
        "20/27"
    );
    assert_eq!(
        chance("asl-starter-kit", "ambush attacker.type=squad defender.type=squad", "no-ambush"),
        "2/3"
    );
    // 1 to 1 kills on less than five, which is 6 of 36.
    assert_eq!(
        chance(
            "asl-starter-kit",
            "close-combat attacker.type=squad attacker.fp=4 defender.fp=4",
            "all-eliminated on defender"
        ),
        "1/6"
    );
    assert_eq!(
        chance("asl-starter-kit", "ccv-attack attacker.type=squad", "+ attacker-reduced"),
        "1/36"
    );
}

// ---------------------------------------------------------------------------------------- answers

#[test]
fn an_open_question_becomes_one_branch_for_each_answer() {
    let crisis = situation(
        pack("chain-reaction"),
        "crisis reason=fired_on figure.rep=4 figure.star=yes figure.hunkered_before=no",
    );
    let report = odds(&crisis, &OddsOptions::default()).unwrap();
    let answers: Vec<String> =
        report.branches.iter().map(|branch| branch.answers[0].1.to_string()).collect();
    assert_eq!(answers, ["roll", "pass_2", "pass_1", "pass_0"]);
    let certain = |branch: usize, name: &str| {
        assert_eq!(told(&report.branches[branch].spread)[name].exact(), "1")
    };
    certain(1, "return-fire on figure");
    certain(2, "snap-fire on figure");
    certain(3, "hunker-down on figure");
    assert_eq!(told(&report.branches[0].spread)["return-fire on figure"].exact(), "4/9");
    let always =
        |word: &str| asked([("free_will", AnswerOdds::Always(Answer::Choice(word.into())))]);
    assert_eq!(exact(&crisis, &always("pass_2"))["return-fire on figure"].exact(), "1");
    assert_eq!(exact(&crisis, &always("roll")), told(&report.branches[0].spread));
    // Half the time the player rolls, else passes two: 1/2 × 4/9 + 1/2.
    let weighed = AnswerOdds::Weighed(vec![
        (Answer::Choice("roll".into()), 3),
        (Answer::Choice("pass_2".into()), 3),
    ]);
    assert_eq!(
        exact(&crisis, &asked([("free_will", weighed)]))["return-fire on figure"].exact(),
        "13/18"
    );

    let shot = situation(pack("combat-leader"), "accuracy mod_fp=2 clear=yes");
    let report = odds(&shot, &OddsOptions::default()).unwrap();
    assert_eq!(report.branches.len(), 2);
    for (branch, jams) in report.branches.iter().zip([1, 0]) {
        assert_eq!(branch.answers, [("jam".to_owned(), Answer::YesNo(jams == 1))]);
        assert_eq!(told(&branch.spread), exact(&shot, &asked([("jam", yes(jams, 1))])));
    }
    // An answer that is not accepted gives an error that names it.
    let stop = odds(&shot, &asked([("jam", AnswerOdds::Always(Answer::Choice("maybe".into())))]))
        .unwrap_err();
    assert!(en::odds_error(&stop).contains("maybe"), "{stop:?}");
}

#[test]
fn an_answer_to_a_question_that_cannot_come_up_is_found() {
    let free = |word: &str| ("free_will", AnswerOdds::Always(Answer::Choice(word.into())));
    let crisis = situation(pack("chain-reaction"), "crisis figure.rep=4 reason=fired_on");
    let idle = check_answers(&crisis, &asked([free("roll")])).unwrap_err();
    assert_eq!(idle.keys, ["free_will"]);
    let star = "crisis figure.rep=4 reason=fired_on figure.star=yes";
    let star = situation(pack("chain-reaction"), star);
    assert_eq!(check_answers(&star, &asked([free("roll")])), Ok(()));
    let shot = situation(pack("combat-leader"), "accuracy mod_fp=2 clear=yes");
    assert_eq!(check_answers(&shot, &asked([("jam", yes(1, 6))])), Ok(()));
    // Which cards are left is luck: no Jam and no Shuffle card, and none that could bring them back.
    let mut rest = shot.clone();
    rest.take_out(&(53..=60).collect::<Vec<u32>>()).unwrap();
    assert_eq!(check_answers(&rest, &asked([("jam", yes(1, 6))])), Ok(()));
    assert!(odds(&rest, &asked([("jam", yes(1, 6))])).is_ok());
    // New values are asked for only where a weapon jams.
    let melee = situation(
        pack("combat-leader"),
        "melee attacker_value=3 defender_value=2 attackers=2 defenders=2",
    );
    let value = || ("attacker_value", AnswerOdds::Always(Answer::Number(Number::ONE)));
    let other = || ("defender_value", AnswerOdds::Always(Answer::Number(Number::ONE)));
    let won = || ("melee", AnswerOdds::Always(Answer::Choice("attacker-wins".into())));
    let answers = |jams: u64| asked([("jam", yes(jams, 1)), value(), other(), won()]);
    assert_eq!(check_answers(&melee, &answers(1)), Ok(()));
    let idle = check_answers(&melee, &answers(0)).unwrap_err();
    assert_eq!(idle.keys, ["attacker_value", "defender_value"]);
    // A fight.
    let mut stoppage = FightSituation::new(pack("combat-leader"), "stoppage").unwrap();
    stoppage.asked = asked([("jam", yes(1, 6))]);
    assert_eq!(stoppage.check_answers(), Ok(()));
    stoppage.asked = asked([("jam", yes(1, 6)), won()]);
    assert_eq!(stoppage.check_answers().unwrap_err().keys, ["melee"]);
}

/// A question that odds answer by themselves can come up all the same.
#[test]
fn an_assumed_question_can_come_up_too() {
    let text = "[pack]\nid = \"t\"\ntitle = \"T\"\n[chart.c]\ntitle = \"C\"\nask = { push = { yes_no = \"May push\" } }\nstep = [ { roll = \"3d6\", each = \"face == 6\", when = \"push\", reroll = [ { when = \"face < 6\", ask = \"Push?\", assume = \"die == 0\" } ] } ]\nread = { value = \"die\" }\n";
    let pack =
        adjutant_pack::read_pack(&adjutant_pack::Files::of([("pack.toml", text)]), None).unwrap();
    let answer = asked([("die.reroll", yes(1, 1))]);
    for (push, idle) in [("yes", None), ("no", Some("die.reroll"))] {
        let mut situation = Situation::new(&pack, "c").unwrap();
        situation.give("push", push).unwrap();
        let found = check_answers(&situation, &answer).err();
        assert_eq!(found.map(|idle| idle.keys), idle.map(|key| vec![key.to_owned()]), "{push}");
    }
}

#[test]
fn a_table_that_is_not_filled_in_is_an_open_question() {
    let casualty = situation(pack("combat-leader"), "casualty clear=yes");
    let report = odds(&casualty, &OddsOptions::default()).unwrap();
    assert_eq!(report.branches.len(), 3);
    report
        .branches
        .iter()
        .for_each(|branch| assert_eq!(branch.spread.results[0].chance.exact(), "1"));
}

#[test]
fn what_is_missing_or_asks_for_a_number_is_told_in_a_sentence() {
    let melee = situation(
        pack("combat-leader"),
        "melee attacker_value=3 defender_value=2 attackers=2 defenders=2",
    );
    let won = AnswerOdds::Always(Answer::Choice("attacker-wins".into()));
    let stop = odds(&melee, &asked([("jam", yes(1, 1)), ("melee", won)])).unwrap_err();
    assert!(matches!(&stop, OddsError::Open(open) if open.key == "attacker_value"), "{stop:?}");
    assert_eq!(
        en::odds_error(&stop),
        "the odds depend on an answer: Melee value of the attackers (attacker_value)"
    );
    let stop =
        odds(&situation(pack("panzer8"), "fire ammo=ap"), &OddsOptions::default()).unwrap_err();
    assert!(matches!(&stop, OddsError::Needs(needs) if needs.len() == 2), "{stop:?}");
    assert!(en::odds_error(&stop).starts_with("needed first: "), "{stop:?}");
    let stop = odds(&situation(pack("chain-reaction"), "activation"), &OddsOptions::default())
        .unwrap_err();
    assert!(
        matches!(&stop, OddsError::Refused(why) if en::no_odds(why).contains("its option `activation` is off")),
        "{stop:?}"
    );
}

// ---------------------------------------------------------------------------------------- many
// runs

/// A generator whose weapons jam with probability 1/n.
struct Jams(RandomInput, u32);

impl InputSource for Jams {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        self.0.dice(ask)
    }
    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        self.0.card(ask)
    }
    fn answer(&mut self, _: &Question<'_>) -> Result<Answer, SourceError> {
        Ok(Answer::YesNo(pick(&mut self.0, self.1) == 0))
    }

    fn thrown_by(&self) -> ThrownBy {
        self.0.thrown_by()
    }
}

/// The 0.1 % point of chi-square, by the Wilson–Hilferty approximation.
fn once_in_a_thousand(degrees: f64) -> f64 {
    let part = 2.0 / (9.0 * degrees);
    degrees * (1.0 - part + 3.0902 * part.sqrt()).powi(3)
}

#[test]
fn many_runs_agree_with_the_exact_chances() {
    let lines = [
        ("panzer8", "fire ammo=hesa firer.hesa=6 target.def=4", ""),
        ("panzer8", "hand-to-hand attacker.hesa=4 defender.hesa=5 soft=yes", ""),
        ("panzer8", "rally element.quality=1", ""),
        ("chain-reaction", "pef-resolve memory.something=yes", ""),
        ("chain-reaction", "charge charger.rep=4 target.rep=3 target.in_cover=yes", ""),
        ("chain-reaction", "np-move force.rep=4 np=6 players=3", ""),
        (
            "chain-reaction",
            "crisis reason=fired_on figure.rep=4 figure.star=no figure.hunkered_before=no figure.in_cover=yes",
            "",
        ),
        ("asl-starter-kit", "morale-check unit.type=squad unit.morale=7 unit.elr=2", ""),
        ("asl-starter-kit", "ccv-attack attacker.type=squad halvings=4", ""),
        ("combat-leader", "accuracy mod_fp=1 clear=yes", ""),
        ("combat-leader", "accuracy mod_fp=1 clear=yes", "1 5 7 13 19 20 26 37 51 53 57"),
        ("combat-leader", "repair", "57 58 1 2 3 4 5 6"),
        ("combat-leader", "dr", ""),
        ("combat-leader", "select soldiers=11", "1 2 3 4 5 11"),
    ];
    const RUNS: u32 = 3000;
    for (seed, (id, line, gone)) in (1..).zip(lines) {
        let mut start = situation(pack(id), line);
        start
            .take_out(
                &gone.split_whitespace().map(|card| card.parse().unwrap()).collect::<Vec<_>>(),
            )
            .unwrap();
        let want = exact(&start, &asked([("jam", yes(1, 6))]));
        let only_values = want.keys().all(|name| name.starts_with('='));
        let kept = |name: &String| name.starts_with('=') == only_values && !name.starts_with('+');
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        let mut luck = Jams(RandomInput::seeded(seed), 6);
        for _ in 0..RUNS {
            let resolution = resolve(&mut start.clone(), &mut luck).unwrap();
            names(&resolution)
                .into_iter()
                .filter(|name| kept(name))
                .for_each(|name| *seen.entry(name).or_default() += 1);
        }
        assert!(seen.keys().all(|name| want.contains_key(name)), "{id} {line}: {seen:?}");
        // Outcomes with an expected count below five are merged.
        let (mut chi, mut cells, mut rare) = (0.0, 0.0, (0.0, 0.0));
        for (name, chance) in want.iter().filter(|(name, _)| kept(name)) {
            let expected = chance.percent() / 100.0 * f64::from(RUNS);
            let came = f64::from(seen.get(name).copied().unwrap_or(0));
            if expected < 5.0 {
                rare = (rare.0 + expected, rare.1 + came);
            } else {
                chi += (came - expected).powi(2) / expected;
                cells += 1.0;
            }
        }
        if rare.0 > 0.0 {
            chi += (rare.1 - rare.0).powi(2) / rare.0;
            cells += 1.0;
        }
        assert!(
            chi < once_in_a_thousand(cells - 1.0),
            "{id} {line}: {chi} with {cells} cells: {seen:?}"
        );
    }
}

#[test]
fn odds_give_up_when_the_caller_says_so() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let files = adjutant_bundled_packs::files("panzer8").unwrap();
    let pack = adjutant_pack::read_pack(&files, None).unwrap();
    let situation = Situation::new(&pack, "rally").unwrap();
    let asked = std::sync::Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let stop = adjutant_engine::Stop::when(move || count.fetch_add(1, Ordering::Relaxed) >= 1);
    let options = OddsOptions { stop, ..OddsOptions::default() };
    let stopped = adjutant_engine::odds_by_running(&situation, &options).unwrap_err();
    assert_eq!(stopped, OddsError::OverLimit(adjutant_engine::Limit::Time));
    assert_eq!(asked.load(Ordering::Relaxed), 2, "nothing is run after it");
}

#[test]
fn odds_say_who_acts_first_and_agree_with_every_roll_counted() {
    let files = adjutant_bundled_packs::files("chain-reaction").unwrap();
    let pack = adjutant_pack::read_pack(&files, None).unwrap();
    let mut situation = Situation::new(&pack, "in-sight").unwrap();
    for (name, rep) in [("anne", "3"), ("ben", "2"), ("carl", "1")] {
        situation.give(&format!("figure.{name}.rep"), rep).unwrap();
    }
    let report = odds(&situation, &OddsOptions::default()).unwrap();
    let found: Vec<(Option<String>, String)> = report.branches[0]
        .first
        .iter()
        .map(|first| (first.of.as_ref().map(ToString::to_string), first.chance.exact()))
        .collect();
    // Each die is a success in three of six faces: count the 64 ways of six coins.
    let mut alone = [0_u32; 3];
    for coins in 0..64_u32 {
        let ones = |from: u32, many: u32| (coins >> from & ((1 << many) - 1)).count_ones();
        let scores = [ones(0, 3), ones(3, 2), ones(5, 1)];
        let best = scores.iter().max().unwrap();
        if scores.iter().filter(|score| *score == best).count() == 1 {
            alone[scores.iter().position(|score| score == best).unwrap()] += 1;
        }
    }
    let exact = |ways: u32| adjutant_engine::Chance::new(ways.into(), 64_u32.into()).exact();
    let together = 64 - alone.iter().sum::<u32>();
    assert_eq!(
        found,
        [
            (Some("anne".into()), exact(alone[0])),
            (Some("ben".into()), exact(alone[1])),
            (Some("carl".into()), exact(alone[2])),
            (None, exact(together)),
        ]
    );
    // A figure alone has no one to act before.
    let mut alone = Situation::new(&pack, "in-sight").unwrap();
    alone.give("figure.rep", "4").unwrap();
    assert!(odds(&alone, &OddsOptions::default()).unwrap().branches[0].first.is_empty());
}
