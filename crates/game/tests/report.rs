//! Reports of scripted games, and properties of the luck report over random games.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::{EnteredInput, RandomInput, ThrownBy};
use adjutant_game::{ENOUGH, EventKind, LuckReport, LuckVerdict, PlayRequest, Table, UnitEdit};
use adjutant_wording::report::report as battle_report;
use common::random::RandomGame;
use common::{Game, games, shipped};
use proptest::prelude::*;

/// A few cases in every run; set `PROPTEST_CASES` for more.
fn cases() -> ProptestConfig {
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() {
        ProptestConfig::default().cases
    } else {
        12
    };
    ProptestConfig { cases, ..ProptestConfig::default() }
}

/// How many plays are either weighed or listed as not weighed.
fn accounted(luck: &LuckReport) -> u32 {
    let charts = luck.sides.iter().flat_map(|side| &side.charts);
    charts
        .map(|chart| {
            chart.rolls + chart.not_weighed.iter().map(|left_out| left_out.rolls).sum::<u32>()
        })
        .sum()
}

fn lawful(luck: &LuckReport) {
    for chart in luck.sides.iter().flat_map(|side| &side.charts) {
        let alone = || chart.results.iter().filter(|result| !result.besides);
        let (least, most): (f64, f64) =
            (alone().map(|r| r.expected).sum(), alone().map(|r| r.expected_most).sum());
        let rolls = f64::from(chart.rolls);
        assert!(least <= rolls + 1e-6 && rolls <= most + 1e-6, "{chart:?}");
        assert_eq!(
            alone().map(|result| result.actual).sum::<u32>(),
            chart.rolls,
            "each throw had one result: {chart:?}"
        );
        if alone().all(|result| result.expected == result.expected_most) {
            assert!((least - rolls).abs() < 1e-6, "chances make one in every throw: {chart:?}");
        }
        for result in &chart.results {
            assert!(
                result.open <= chart.rolls.max(result.open)
                    && result.expected <= result.expected_most
            );
            assert!(
                result.open >= ENOUGH || result.judged.verdict == LuckVerdict::TooFew,
                "{result:?}"
            );
        }
    }
    let sides = luck.sides.iter().flat_map(|side| &side.dice);
    for dice in sides.clone().chain(&luck.dice) {
        assert!(dice.actual >= 1.0 && dice.actual <= f64::from(dice.sides));
        assert!(dice.dice >= ENOUGH || dice.judged.verdict == LuckVerdict::TooFew, "{dice:?}");
    }
    assert_eq!(
        sides.map(|dice| dice.dice).sum::<u32>(),
        luck.dice.iter().map(|dice| dice.dice).sum::<u32>()
    );
}

proptest! {
    #![proptest_config(cases())]
    #[test]
    fn every_roll_is_weighed_or_said_not_to_be(seed in any::<u64>(), which in 0_usize..5) {
        let mut game = RandomGame::new(which, seed);
        // Jams among many cards are slow to weigh: the first pack plays a short game.
        game.run(if which == 0 { 8 } else { 40 });
        let report = battle_report(&game.table).unwrap();
        lawful(&report.luck);
        let mut counted = (0, 0);
        for (n, line) in (1..).zip(game.table.lines()) {
            let event: adjutant_game::Event = serde_json::from_str(line).unwrap();
            let undone = report.taken_back.iter().any(|taken| taken.n == n);
            if let EventKind::Play(played) = event.what && !undone {
                counted.0 += 1;
                let dice = played.inputs.iter().filter_map(|heard| heard.faces()).map(<[u32]>::len).sum::<usize>();
                counted.1 += dice;
            }
        }
        prop_assert_eq!(report.plays, counted.0);
        prop_assert_eq!(report.luck.dice.iter().map(|dice| dice.dice as usize).sum::<usize>(), counted.1);
        let entries = report.turns.iter().flat_map(|turn| &turn.phases).flat_map(|phase| &phase.entries);
        let lucky = entries.filter(|entry| !entry.rolled_with.is_empty()).count();
        prop_assert!(accounted(&report.luck) as usize >= lucky, "none is left out silently");
        let again = Table::open(std::sync::Arc::new(game.table.pack().clone()), game.table.lines()).unwrap();
        prop_assert_eq!(battle_report(&again).unwrap(), report, "a report is made from the log alone");
    }
}

#[test]
fn units_are_told_from_first_to_last() {
    let report = battle_report(&games::asl().table).unwrap();
    let squad = report.sides[0].units.iter().find(|unit| unit.name == "4-4-7 squad").unwrap();
    assert_eq!(squad.group, "hex F5");
    assert_eq!((squad.gone.as_deref(), squad.gone_turn), (Some("eliminated"), Some(1)));
    assert_eq!(squad.changed, ["joined hex G5", "Type Half-squad", "Firepower 2"]);
    assert_eq!(report.sides[1].left, [("eliminated".to_owned(), 1)]);
    let report = battle_report(&games::chain_reaction().game.table).unwrap();
    let figure = report.sides[1].units.iter().find(|unit| unit.kind == "Figure").unwrap();
    assert!(figure.arrived.starts_with("appeared in turn "), "{}", figure.arrived);

    assert!(report.options.iter().any(|option| option.label == "Shooting" && option.changed));
}

#[test]
fn dice_belong_to_the_unit_the_step_is_named_after() {
    let report = battle_report(&games::panzer8().table).unwrap();
    assert_eq!(report.sides[0].players, ["Anna"]);
    let luck = report.luck;
    // Two shots by the Allies, one by the Axis, each against the other's die; one rally of the
    // Axis.
    assert_eq!((luck.sides[0].dice[0].dice, luck.sides[1].dice[0].dice), (3, 4));
    assert_eq!(luck.sides[0].dice[0].actual, (9.0 + 3.0 + 8.0) / 3.0);
    // A shot at one of several targets belongs to the shooter.
    let table = games::chain_reaction().game.table;
    let luck = battle_report(&table).unwrap().luck;
    let shots = |side: usize| {
        luck.sides[side].charts.iter().find(|chart| chart.chart == "shooting").unwrap().rolls
            as usize
    };
    let fired = |side: usize| {
        let plays = table.lines().filter_map(|line| {
            match serde_json::from_str::<adjutant_game::Event>(line).unwrap().what {
                EventKind::Play(played) if played.request.chart == "shooting" => Some(played),
                _ => None,
            }
        });
        plays
            .filter(|play| {
                table.state().unit(&play.request.units["shooter"][0]).unwrap().side == side
            })
            .map(|play| play.inputs.len())
            .sum::<usize>()
    };
    assert!(fired(0) > 0 && fired(1) > 0);
    assert_eq!((shots(0), shots(1)), (fired(0), fired(1)));
}

#[test]
fn chances_are_those_before_the_roll() {
    let luck = battle_report(&games::panzer8().table).unwrap().luck;
    let rally = luck.sides[1].charts.iter().find(|chart| chart.chart == "rally").unwrap();
    let expected: Vec<(&str, f64, u32)> = rally
        .results
        .iter()
        .map(|result| (result.title.as_str(), result.expected, result.actual))
        .collect();
    assert_eq!(
        expected,
        [("No effect", 0.4, 0), ("Unsuppressed", 0.3, 1), ("Unsuppressed, acts again", 0.3, 0)]
    );
}

#[test]
fn answers_along_the_way_give_bounds_or_no_weight() {
    let luck = battle_report(&games::combat_leader().table).unwrap().luck;
    let accuracy = luck.sides[0].charts.iter().find(|chart| chart.title == "Accuracy").unwrap();
    let jams = accuracy.results.iter().find(|result| result.title == "The weapon jams").unwrap();
    assert!(
        jams.expected == 0.0 && jams.expected_most > 0.0,
        "no one knows whether it would have jammed"
    );
    // The soldier who fired draws for the casualty.
    let casualty = luck.sides[0].charts.iter().find(|chart| chart.title == "Casualty").unwrap();
    assert_eq!(
        (casualty.rolls, casualty.not_weighed[0].rolls),
        (0, 2),
        "the player reads the result himself"
    );
}

#[test]
fn luck_is_told_by_source() {
    let mut game = Game::new(shipped("panzer8"), "Mixed", &["Allies", "Axis"], &[]);
    game.unit("element", "Rifles", "Allies", "", "type=inf hesa=5 def=5 quality=0");
    // A 1 puts it out of action; here it rallies anyway.
    let rally = || PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", "u1") };
    for _ in 0..12 {
        game.play(rally(), EnteredInput::new().with_dice([1]));
        let line = game.table.play(&game.stamp(), &rally(), &mut RandomInput::seeded(3)).unwrap();
        game.apply(&line);
    }
    let luck = battle_report(&game.table).unwrap().luck;
    lawful(&luck);
    let typed = luck.dice.iter().find(|dice| dice.source == ThrownBy::Player).unwrap();
    assert_eq!((typed.dice, typed.actual, typed.judged.verdict), (12, 1.0, LuckVerdict::Less));
    assert!(luck.dice.iter().any(|dice| dice.source == ThrownBy::Program && dice.dice == 12));
    assert!(luck.looks > 0);
}

#[test]
fn a_unit_counts_once_and_one_that_is_out_is_not_on_the_table() {
    let mut game = Game::new(shipped("panzer8"), "Hill 112", &["Allies", "Axis"], &[]);
    for (name, side) in
        [("Rifles", "Allies"), ("Mortar", "Allies"), ("Grenadiers", "Axis"), ("Deserters", "Axis")]
    {
        game.unit("element", name, side, "", "hesa=6 def=4");
    }
    let fire = |target: &str| {
        PlayRequest::of("fire").unit("firer", "u1").unit("target", target).given("ammo", "hesa")
    };
    game.play(fire("u3"), EnteredInput::new().with_dice([10, 1]));
    let over = UnitEdit { unit: "u4".into(), side: Some("Allies".into()), ..UnitEdit::default() };
    game.act(EventKind::Set(Box::new(over)));
    game.act(EventKind::Remove { unit: "u2".into(), word: "withdrawn".into() });
    let report = battle_report(&game.table).unwrap();
    let [allies, axis] = &report.sides[..] else { panic!("two sides") };
    let names = |side: &adjutant_wording::report::ReportSide| {
        side.units.iter().map(|unit| unit.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        (names(allies), names(axis)),
        (vec!["Rifles".into(), "Mortar".into(), "Deserters".into()], vec!["Grenadiers".to_owned()])
    );
    assert_eq!(
        (allies.here, axis.here),
        (2, 0),
        "Rifles and those who came over; the Grenadiers are out"
    );
    assert_eq!(allies.left, [("withdrawn".to_owned(), 1)]);
    assert_eq!(
        (axis.out.as_slice(), axis.went_over.as_slice()),
        (&[("Out of Action".to_owned(), 1)][..], &[("Allies".to_owned(), 1)][..])
    );
    assert_eq!(allies.units[2].changed, ["came over from Axis"]);
    // A unit that returns has not changed sides.
    let back = UnitEdit { unit: "u4".into(), side: Some("Axis".into()), ..UnitEdit::default() };
    game.act(EventKind::Set(Box::new(back)));
    let report = battle_report(&game.table).unwrap();
    assert_eq!(
        (
            report.sides[1].here,
            report.sides[1].went_over.len(),
            report.sides[1].units[1].changed.len()
        ),
        (1, 0, 0)
    );
}
