#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Forms of real sheets, each as a player pastes it, with answers and faces in and the result out.

use adjutant_dice::EnteredInput;
use adjutant_draft::{Options, draft};
use adjutant_engine::{Situation, resolve};
use adjutant_pack::{Files, Pack, read_pack};

fn pack(sheet: &str) -> Pack {
    let made = draft(sheet, &Options::default()).unwrap();
    read_pack(&Files::of([("pack.toml", made.pack_toml())]), None)
        .unwrap_or_else(|faults| panic!("{faults:?}\n{}", made.pack_toml()))
}

/// The result of a chart with these answers and faces.
fn rolled(sheet: &str, chart: &str, answers: &[(&str, &str)], faces: &[u32]) -> String {
    let pack = pack(sheet);
    let mut situation = Situation::new(&pack, chart).unwrap();
    for (name, answer) in answers {
        situation.give(name, answer).unwrap_or_else(|why| panic!("{name}: {why:?}"));
    }
    let mut input = EnteredInput::new().with_dice(faces.to_vec());
    let found =
        resolve(&mut situation, &mut input).unwrap_or_else(|why| panic!("{:?}", why.refused));
    match found.result {
        Some(line) => line.title.to_string(),
        None => found.value.map(|value| value.to_string()).unwrap_or_default(),
    }
}

#[test]
fn rows_compare_the_roll_with_a_value() {
    let sheet = "NERVE\nRoll 2d6.\n\nScore            Result\nBelow Nerve      Runs\nEqual to Nerve   Halts\nAbove Nerve      Stands\n";
    let with = |faces: &[u32]| rolled(sheet, "nerve", &[("nerve", "7")], faces);
    assert_eq!(with(&[3, 3]), "Runs");
    assert_eq!(with(&[3, 4]), "Halts");
    assert_eq!(with(&[4, 4]), "Stands");
}

#[test]
fn rows_name_the_side_that_has_more() {
    let sheet = "MELEE\nBoth sides roll 1d6.\n\nAttacker higher   Defender retreats\nEqual             Both stand\nDefender higher   Attacker retreats\n";
    assert_eq!(rolled(sheet, "melee", &[], &[5, 2]), "Defender retreats");
    assert_eq!(rolled(sheet, "melee", &[], &[3, 3]), "Both stand");
    assert_eq!(rolled(sheet, "melee", &[], &[1, 6]), "Attacker retreats");
}

#[test]
fn bare_numbers_are_reached_or_not_exceeded() {
    let above = "SPOTTING\nRoll 2d6. Score needed:\n\nTarget      Open   Wood\nFoot        5      8\nHorse       3      6\n\n+1   Binoculars\n";
    let spot = |faces: &[u32], seen: &str| {
        rolled(
            above,
            "spotting",
            &[("target", "foot"), ("column", "wood"), ("binoculars", seen)],
            faces,
        )
    };
    assert_eq!(spot(&[4, 3], "no"), "Failure");
    assert_eq!(spot(&[4, 3], "yes"), "Success");
    let under = "CALL FOR FIRE\nRoll 1d10, equal or under the number:\n\nObserver    Call\nOfficer     5\nSergeant    3\nPrivate     1\n\n+2   Sees the target\n";
    let call = |face: u32, sees: &str| {
        rolled(under, "call-for-fire", &[("observer", "sergeant"), ("sees_target", sees)], &[face])
    };
    assert_eq!(call(3, "no"), "Success");
    assert_eq!(call(5, "no"), "Failure");
    assert_eq!(call(5, "yes"), "Success");
}

#[test]
fn a_natural_face_has_a_row_of_its_own() {
    let sheet = "GUNNERY\nRoll 1d20. Number needed:\n\nGun         Near   Far\nHeavy       6      12\nLight       8      15\n\n+2   Aimed\n\nOn a natural 1 the gun jams.\n";
    let fired = |face: u32| {
        rolled(sheet, "gunnery", &[("gun", "heavy"), ("column", "near"), ("aimed", "yes")], &[face])
    };
    assert_eq!(fired(1), "the gun jams");
    assert_eq!(fired(4), "Success");
    assert_eq!(fired(3), "Failure");
}

#[test]
fn each_die_must_reach_a_value() {
    let sheet = "# Activation\n\nRoll **3d6**. Every die that matches or beats the model's *Wits* gives one action.\n\n| Successes | The model |\n|---|---|\n| 0 | Dithers |\n| 1 | Takes one action |\n| 2 | Takes two actions |\n| 3 | Takes three actions |\n";
    assert_eq!(
        rolled(sheet, "activation", &[("models_wits", "4")], &[4, 3, 6]),
        "Takes two actions"
    );
}

#[test]
fn headings_of_three_lines_are_one() {
    let sheet = "MACHINES\n\n               Full    Speed    Speed\n  Ship\n               speed   gained   lost\n  Ram          7       1        2\n  Frigate      12      2        2\n  Gunboat      9       3        3\n";
    let pack = pack(sheet);
    let chart = pack.chart("machines").unwrap();
    let words: Vec<String> = chart
        .inputs
        .iter()
        .filter_map(|input| match &input.field.accepts {
            adjutant_dice::Accepts::Choice { words } => Some(words),
            _ => None,
        })
        .flatten()
        .map(|word| word.label.to_string())
        .collect();
    assert_eq!(words, ["Ram", "Frigate", "Gunboat", "Full speed", "Speed gained", "Speed lost"]);
}

#[test]
fn columns_one_blank_apart_are_a_table() {
    let sheet = "SAILING SPEED\n\nShip Close hauled Beam reach Running\nTwo decker 4 7 8\nFrigate 7 11 11\nSloop 8 12 10\n";
    let answers = [("ship", "two-decker"), ("column", "beam-reach")];
    assert_eq!(rolled(sheet, "sailing-speed", &answers, &[]), "7");
}

#[test]
fn columns_of_a_page_are_read_one_after_the_other() {
    let left = [
        "MORALE",
        "Roll 2d6 when a friend runs.",
        "2-5    Rout",
        "6-8    Shaken",
        "9+     Stands",
        "+1 Leader near",
        "-1 Outflanked",
        "",
        "RALLY",
        "Roll 1d6 for each unit.",
        "1-3    Runs on",
        "4+     Rallies",
        "",
        "A unit that ran twice is gone.",
    ];
    let right = [
        "SHOOTING",
        "Roll 1d6 per figure, 5+ hits.",
        "Target in the open      +1",
        "Long range              -1",
        "",
        "WEATHER",
        "Roll 1d6 at dawn.",
        "1      Storm",
        "2-3    Rain",
        "4+     Fair",
        "",
        "MOVES",
        "       Road   Open",
        "Foot   6      4",
        "Horse  12     8",
    ];
    let line = |at: usize| {
        let (left, right) = (left.get(at).unwrap_or(&""), right.get(at).unwrap_or(&""));
        format!("{left:40}{right}").trim_end().to_owned()
    };
    let page: Vec<String> = (0..15).map(line).collect();
    let pack = pack(&page.join("\n"));
    let titles: Vec<&str> = pack.charts().iter().map(|chart| chart.title.as_str()).collect();
    assert_eq!(titles, ["Morale", "Rally", "Shooting", "Weather", "Moves"]);
}

#[test]
fn columns_that_name_the_loser_are_chosen_by_the_dice() {
    let sheet = "ASSAULT\nAttacker rolls 1d6.\n+1   Uphill\nDefender rolls 1d6.\n+2   Behind a wall\n\nBy how much     Attacker     Defender\nthe loser lost  lost         lost\n0               Stalemate    Stalemate\n1-2             Falls back   Shaken\n3 or more       Routs        Captured\n";
    let fought = |faces: &[u32]| rolled(sheet, "assault", &[], faces);
    assert_eq!(fought(&[4, 4]), "Stalemate");
    assert_eq!(fought(&[2, 4]), "Falls back");
    assert_eq!(fought(&[4, 2]), "Shaken");
    assert_eq!(fought(&[6, 1]), "Captured");
}

#[test]
fn a_ratio_is_worked_out_from_two_numbers() {
    let sheet = "ODDS\n\nAttacker to defender      Column\nless than 1/2             Poor\n1/2 to less than 1        Fair\n1 to less than 3          Good\n3 or more                 Great\n";
    let odds = |a: &str, b: &str| rolled(sheet, "odds", &[("attacker", a), ("defender", b)], &[]);
    assert_eq!(odds("5", "12"), "Poor");
    assert_eq!(odds("5", "9"), "Fair");
    assert_eq!(odds("9", "5"), "Good");
    assert_eq!(odds("15", "5"), "Great");
}

#[test]
fn a_factor_above_a_grid_changes_its_numbers() {
    let sheet = "MOVE\nRiver or hedge crossed   x1/2\n\nTroops      Road   Field   Wood\nFoot        6      4       2\nHorse       12     8       4\nGuns        8      4       2\n";
    let move_of = |crossed: &str| {
        let row = [("troops", "horse"), ("column", "field"), ("river_or_hedge_crossed", crossed)];
        rolled(sheet, "move", &row, &[])
    };
    assert_eq!(move_of("no"), "8");
    assert_eq!(move_of("yes"), "4");
}

#[test]
fn dice_named_again_are_the_same_dice() {
    let sheet = "RALLY OR RUN\nOne d10 for each shaken unit.\n\nRally                  1d10\nLeader near            +1\nUnder fire             -2\n\nRally         Result\n4 or less     Runs\n5 or more     Rallies\n";
    let tested = |face: u32| rolled(sheet, "rally-or-run", &[("leader_near", "yes")], &[face]);
    assert_eq!(tested(3), "Runs");
    assert_eq!(tested(4), "Rallies");
    let passes = "NERVE TEST\n2d6 against Grit\n\nIn cover         +1d6\nAt most          2\n\n2d6 against Grit    Result\n0 passed            Runs\n1 passed            Ducks\n2 passed            Stands\n";
    let nerve =
        |faces: &[u32]| rolled(passes, "nerve-test", &[("grit", "3"), ("in_cover", "yes")], faces);
    assert_eq!(nerve(&[5, 5, 2]), "Ducks");
    assert_eq!(nerve(&[1, 2, 3]), "Stands");
}

#[test]
fn a_value_is_compared_with_the_total_unless_each_die_is_tested() {
    for said in [
        "Roll 2d6 equal to or under Leadership.",
        "Roll 2D6. If the result is equal to or less than Leadership the test is passed.",
        "The unit rolls 2D6 and must score its Leadership or less.",
        "Leader: 2d6 <= Leadership",
    ] {
        let sheet = format!("MORALE TEST\n{said}\n\n-1 under fire\n+1 leader near\n");
        let test = |fire: &str, faces: &[u32]| {
            let answers = [("leadership", "8"), ("under_fire", fire)];
            rolled(&sheet, "morale-test", &answers, faces)
        };
        assert_eq!(test("no", &[4, 4]), "Success", "{said}");
        assert_eq!(test("yes", &[4, 4]), "Failure", "{said}");
    }
    let need = "RALLY\nRoll 2d6, need 6+ to rally.\n";
    assert_eq!(rolled(need, "rally", &[], &[2, 4]), "Success");
    assert_eq!(rolled(need, "rally", &[], &[2, 3]), "Failure");
    let each = "MORALE TEST\nRoll 2d6. Each die of Rep or less passes.\n";
    assert_eq!(rolled(each, "morale-test", &[("rep", "4")], &[4, 5]), "1");
}

#[test]
fn rows_in_one_sentence() {
    let sheet = "Morale test - roll 2D6 and add Morale value. 10+ pass, 7 to 9 fall back, 6 or less rout.\n";
    let test = |faces: &[u32]| rolled(sheet, "morale-test", &[("morale_value", "1")], faces);
    assert_eq!(test(&[5, 4]), "pass");
    assert_eq!(test(&[4, 2]), "fall back");
    assert_eq!(test(&[3, 2]), "rout");
    let margin = "MORALE\n\nRoll 2D6. Equal to or less than Courage = pass. Fail by 1-3 = fall back. Fail by 4+ = rout.\n";
    let test = |faces: &[u32]| rolled(margin, "morale", &[("courage", "6")], faces);
    assert_eq!(test(&[3, 3]), "Pass");
    assert_eq!(test(&[4, 5]), "fall back");
    assert_eq!(test(&[6, 4]), "rout");
}

#[test]
fn numbers_to_reach_in_one_sentence() {
    let sheet = "SHOOTING\n\nTo hit: roll a D6 per model. Regulars hit on 4+, veterans on 3+ and militia on 6+.\nModifiers: -1 long range, -1 target in cover, +1 close range\n";
    let shot = |who: &str, far: &str, face: u32| {
        rolled(sheet, "shooting", &[("row", who), ("long_range", far)], &[face])
    };
    assert_eq!(shot("regulars", "no", 4), "Success");
    assert_eq!(shot("regulars", "yes", 4), "Failure");
    assert_eq!(shot("veterans", "yes", 4), "Success");
}

#[test]
fn numbers_across_and_faces_down() {
    let sheet = "FIREPOWER TABLE\n\nRoll 1d6 and cross-index with firepower.\n\n             1     2     4     8\n1            -     -     -     P\n2            -     -     P     P\n3            -     P     P     1\n4            P     P     1     1\n5            P     1     1     2\n6            1     1     2     3\n";
    assert_eq!(rolled(sheet, "firepower-table", &[("column", "d8")], &[5]), "2");
    assert_eq!(rolled(sheet, "firepower-table", &[("column", "d2")], &[4]), "P");
}

#[test]
fn a_roll_below_the_table_whose_numbers_it_names() {
    let sheet = "ARMOUR PENETRATION\n\nGun      1    2    3\n37mm     4    5    6\n75mm     2    3    4\n88mm     2    2    3\n\nRoll 1d6, equal or beat the number to penetrate.\n+1 side shot\n";
    let shot = |side: &str, face: u32| {
        let answers = [("gun", "d75mm"), ("column", "d3"), ("side_shot", side)];
        rolled(sheet, "armour-penetration", &answers, &[face])
    };
    assert_eq!(shot("no", 3), "Failure");
    assert_eq!(shot("yes", 3), "Success");
}

#[test]
fn a_line_that_goes_nowhere_is_listed() {
    for (sheet, left_out) in [
        (
            "MORALE TEST\nRoll 2d6. Pass if equal to or under Morale.\n\n+1  Leader near\n-1  Under fire\n\nFail by 1-3: Shaken\n",
            "Fail by 1-3: Shaken",
        ),
        ("GAME\n\nRALLY\nRoll 1d6.\n1-2 Lost\n3-6 Rallied\n\nOLD HEADING\n", "OLD HEADING"),
    ] {
        let made = draft(sheet, &Options::default()).unwrap();
        let listed: Vec<&str> = made.not_understood(sheet).map(|(_, text)| text).collect();
        assert_eq!(listed, [left_out]);
        assert_eq!(made.account().notes, 0);
    }
}

#[test]
fn a_title_with_a_unit_in_brackets_is_the_title_of_the_grid_below_it() {
    let sheet = "ROUGH RIDERS\n\nMORALE\nRoll 1d6.\n1-2 Lost\n3-6 Rallied\n\nMOVEMENT (inches)\nUnit        Road  Open  Wood\nInfantry    6     6     4\nTank        12    8     2\n";
    let made = draft(sheet, &Options::default()).unwrap();
    let titles: Vec<&str> = made.charts.iter().map(|chart| chart.title.as_str()).collect();
    assert_eq!(titles, ["MORALE", "MOVEMENT (inches)"]);
    assert_eq!(rolled(sheet, "movement-inches", &[("unit", "tank"), ("column", "open")], &[]), "8");
}

#[test]
fn a_sign_in_an_attribute_and_signs_by_name_do_not_break_html() {
    let sheet = "<h1>Hill</h1><h2 title='1 > 0 \"x\"'>Rally</h2><p>Roll 1d6.</p><ul><li title=\"a > b\">&plus;1 Leader near</li><li>&hyphen;1 Under fire</li></ul>\n<table><tr><td title=\"low > high\">1&hyphen;2</td><td>Lost</td></tr><tr><td>3&dash;6</td><td>Rallied</td></tr></table>";
    let made = draft(sheet, &Options::default()).unwrap();
    for wrong in ["> b", "> high", "0 \\\"x", "title=", "&"] {
        assert!(!made.pack_toml().contains(wrong), "{wrong}\n{}", made.pack_toml());
    }
    assert_eq!(rolled(sheet, "rally", &[("leader_near", "no")], &[2]), "Lost");
    assert_eq!(rolled(sheet, "rally", &[("leader_near", "yes")], &[2]), "Rallied");
}

#[test]
fn a_title_with_the_numbers_of_its_phases_is_a_title() {
    let rest = "  2 Move Each unit moves.\n  3 Rally Each shaken unit tests. → Nerve\n\nNerve                               1 3\nHow a unit stands when it is fired on.\n\n2d6                               Result\n7 or less                         Stands\n8 or more                         Runs\n";
    // In a column, the blank line may be one of the column beside it.
    for arrow in ["→ Nerve\n", "→\n\n    Nerve\n"] {
        let sheet = format!("Iron Ridge\n\nTurn\n  1 Fire Each unit fires. {arrow}{rest}");
        assert_eq!(pack(&sheet).phases().len(), 3, "{sheet}");
        assert_eq!(rolled(&sheet, "nerve", &[], &[3, 4]), "Stands");
        assert_eq!(rolled(&sheet, "nerve", &[], &[4, 4]), "Runs");
    }
}
