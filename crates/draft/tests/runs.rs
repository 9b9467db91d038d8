#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! The pack that a draft writes gives what the sheet says: each row of a table by scores is rolled, and
//! the result is the text of the row.

use adjutant_dice::{Accepts, EnteredInput};
use adjutant_draft::{BandTable, Content, GuessKind, Options, draft};
use adjutant_engine::{Situation, resolve};
use adjutant_pack::{Files, Input, Pack, read_pack};
use std::path::Path;

/// Faces that give a total, if there are such.
fn faces(count: u32, sides: u32, total: i32) -> Option<Vec<u32>> {
    let total =
        u32::try_from(total).ok().filter(|total| (count..=count * sides).contains(total))?;
    let mut left = total;
    let faces = (0..count).map(|place| {
        let after = count - place - 1;
        let face = (left - after).min(sides);
        left -= face;
        face
    });
    Some(faces.collect())
}

/// Rolls every score of a table, by its only roll and its first column. A total that is read before
/// modifiers has a row of its own. Returns how many were compared.
fn rolled(
    name: &str,
    pack: &Pack,
    chart: &str,
    dice: (u32, u32),
    table: &BandTable,
    natural: &[i32],
) -> usize {
    let mut compared = 0;
    for row in table.rows.iter().filter(|row| !row.band.natural) {
        let low = row
            .band
            .from
            .and_then(|(n, with)| n.as_whole().map(|n| n + i32::from(!with)))
            .unwrap_or(-1000);
        let high = row
            .band
            .to
            .and_then(|(n, with)| n.as_whole().map(|n| n - i32::from(!with)))
            .unwrap_or(1000);
        for total in low.max(1)..=high.min(120) {
            let Some(faces) = faces(dice.0, dice.1, total).filter(|_| !natural.contains(&total))
            else {
                continue;
            };
            let mut situation = Situation::new(pack, chart).unwrap();
            if table.columns.len() > 1 {
                let choices = |input: &Input| match &input.field.accepts {
                    Accepts::Choice { words } if words.len() == table.columns.len() => {
                        Some((input.field.id.to_string(), words[0].id.to_string()))
                    }
                    _ => None,
                };
                let (id, first) =
                    pack.chart(chart).unwrap().inputs.iter().find_map(choices).unwrap();
                situation.give(&id, &first).unwrap();
            }
            let mut input = EnteredInput::new().with_dice(faces);
            let Ok(found) = resolve(&mut situation, &mut input) else { continue };
            // A key such as "A2 = attacker loses two steps" explains the code of a cell.
            let said: Vec<String> = match found.result {
                Some(line) => vec![line.title.to_string(), line.means.to_string()],
                None => found.value.iter().map(ToString::to_string).collect(),
            };
            let wanted = row.cells[0].text.trim_end_matches('.');
            let same =
                said.iter().any(|said| said.trim_end_matches('.').eq_ignore_ascii_case(wanted));
            assert!(same, "{name}, {chart}: {total} gives {said:?}, the sheet says {wanted:?}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn every_row_of_a_sheet_is_what_the_pack_rolls() {
    let sheets = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets");
    let mut compared = 0;
    for folder in std::fs::read_dir(sheets).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "want") {
                continue;
            }
            let name = path.display().to_string();
            let made =
                draft(&std::fs::read_to_string(&path).unwrap(), &Options::default()).unwrap();
            let pack = read_pack(&Files::of([("pack.toml", made.pack_toml())]), None).unwrap();
            for piece in &made.pieces {
                let (Content::Bands(table), [chart]) = (&piece.content, piece.charts.as_slice())
                else {
                    continue;
                };
                let rolls: Vec<_> = made
                    .pieces
                    .iter()
                    .filter(|other| other.charts.contains(chart))
                    .filter_map(|other| match &other.content {
                        Content::Roll(line) => Some(line),
                        _ => None,
                    })
                    .collect();
                let [line] = rolls.as_slice() else { continue };
                let Some(dice) =
                    line.dice.filter(|_| line.test.is_none() && line.per.is_none() && !line.both)
                else {
                    continue;
                };
                // "Natural 2: guns jam" may stand in a sentence below the table.
                let natural: Vec<i32> = made
                    .pieces
                    .iter()
                    .filter(|other| other.charts.contains(chart) && other.lines != piece.lines)
                    .filter_map(|other| match &other.content {
                        Content::Bands(table) => Some(&table.rows),
                        _ => None,
                    })
                    .flatten()
                    .filter(|row| row.band.natural && row.band.from == row.band.to)
                    .filter_map(|row| row.band.from?.0.as_whole())
                    .collect();
                let dice = (dice.count, dice.sides);
                compared += rolled(&name, &pack, chart, dice, table, &natural);
            }
        }
    }
    println!("{compared} totals rolled and compared");
    assert!(compared >= 100, "{compared}");
}

/// The result of a chart for these answers and one face.
fn result(pack: &Pack, chart: &str, given: &[(&str, &str)], face: u32) -> String {
    let mut situation = Situation::new(pack, chart).unwrap();
    for (name, value) in given {
        situation.give(name, value).unwrap();
    }
    let found = resolve(&mut situation, &mut EnteredInput::new().with_dice([face])).unwrap();
    found.result.unwrap().title.to_string()
}

fn pack_of(text: &str) -> Pack {
    let drafted = draft(text, &Options::default()).unwrap();
    read_pack(&Files::of(drafted.files), None).unwrap()
}

/// "Roll 1d6 per hit" beside a table of faces: each die is read by itself, whether the heading or a
/// sentence says it.
#[test]
fn dice_for_each_hit_are_not_added_up() {
    let rows = "1-2  Splinters\n3-5  Lose a gun\n6    Sinks\n";
    let sheet = format!("SHIPS\n\nDAMAGE (roll 1d6 per hit)\n{rows}");
    let guesses = draft(&sheet, &Options::default()).unwrap().guesses;
    let once = GuessKind::OneByOne { per: "hit".into() };
    assert!(guesses.iter().any(|guess| guess.kind == once), "{guesses:?}");
    let titled = pack_of(&sheet);
    let told = pack_of(&format!("SHIPS\n\nDAMAGE\nRoll 1d6 per hit.\n{rows}"));
    for pack in [&titled, &told] {
        assert_eq!(pack.chart("damage").unwrap().title, "Damage");
        assert_eq!(result(pack, "damage", &[], 6), "Sinks");
        assert_eq!(result(pack, "damage", &[], 4), "Lose a gun");
    }
}

/// Words above several columns name them all, and are not part of one of their headings.
#[test]
fn the_heading_over_the_columns_is_their_question() {
    let sheet = "CRT\n\nDie       Odds (attacker : defender)\nRoll    1:2    1:1    2:1    3:1\n 1      AE     AR     NE     DR\n 2      AR     NE     DR     DE\n 3      NE     DR     DE     DE\n";
    let pack = pack_of(sheet);
    assert_eq!(result(&pack, "crt", &[("odds_attacker_defender", "d2-1")], 3), "DE");
}

/// Modifiers of a test with one die change the die.
#[test]
fn modifiers_of_a_tested_die_change_the_die() {
    let pack = pack_of(
        "GUNS\n\nGUNNERY\nEach gun rolls 1d10. Hit on 8 or more.\n+1 Close range\n-2 Smoke\n",
    );
    assert_eq!(result(&pack, "gunnery", &[("close_range", "yes")], 7), "Success");
    assert_eq!(result(&pack, "gunnery", &[("smoke", "yes")], 9), "Failure");
    assert_eq!(result(&pack, "gunnery", &[], 8), "Success");
}

/// Several dice for each of something are rolled together, once.
#[test]
fn two_dice_for_each_hit_are_one_roll() {
    let pack = pack_of("SHIPS\n\nDAMAGE (roll 2d6 per hit)\n2-6  Splinters\n7-12  Lose a gun\n");
    let mut situation = Situation::new(&pack, "damage").unwrap();
    let found = resolve(&mut situation, &mut EnteredInput::new().with_dice([4, 5])).unwrap();
    assert_eq!(found.result.unwrap().title.to_string(), "Lose a gun");
}

/// The number of passes of a pool for these answers and faces.
fn passes(pack: &Pack, chart: &str, given: &[(&str, &str)], faces: &[u32]) -> String {
    let mut situation = Situation::new(pack, chart).unwrap();
    for (name, value) in given {
        situation.give(name, value).unwrap();
    }
    let mut input = EnteredInput::new().with_dice(faces.iter().copied());
    resolve(&mut situation, &mut input).unwrap().value.unwrap().to_string()
}

/// Modifiers of a pool change each die; dice are added to it.
#[test]
fn modifiers_of_a_pool_change_each_die() {
    let pack = pack_of(
        "GUNS\n\nGUNNERY\nRoll 1d10 per gun, 8 or more hits.\n+1 Close range\n-2 for each hit on the firer\n+1d10 Radar\n",
    );
    let ids: Vec<String> =
        pack.chart("gunnery").unwrap().inputs.iter().map(|i| i.field.id.to_string()).collect();
    assert_eq!(ids, ["guns", "close_range", "hits_on_firer", "radar"]);
    let three = ("guns", "3");
    assert_eq!(passes(&pack, "gunnery", &[three], &[7, 8, 9]), "2");
    assert_eq!(passes(&pack, "gunnery", &[three, ("close_range", "yes")], &[7, 8, 6]), "2");
    assert_eq!(passes(&pack, "gunnery", &[three, ("hits_on_firer", "1")], &[9, 10, 8]), "1");
    assert_eq!(passes(&pack, "gunnery", &[three, ("radar", "yes")], &[9, 10, 8, 1]), "3");
}

/// A number that one die cannot reach is a test of the total.
#[test]
fn two_dice_against_nine_are_added_up() {
    let pack = pack_of("GUNS\n\nGUNNERY\nRoll 2d6, hits on 9 or more.\n");
    let mut situation = Situation::new(&pack, "gunnery").unwrap();
    let found = resolve(&mut situation, &mut EnteredInput::new().with_dice([5, 4])).unwrap();
    assert_eq!(found.result.unwrap().title.to_string(), "Success");
}

/// A value of the roller and the modifiers of that value.
#[test]
fn a_die_under_a_value() {
    let pack = pack_of(
        "MEN\n\nNERVE\nRoll 1d6 equal to or under Nerve to pass. Modifiers to Nerve:\n-1 alone\n+1 boss in sight\n",
    );
    let nerve = ("nerve_value", "3");
    let nerve =
        if pack.chart("nerve").unwrap().input("nerve").is_some() { ("nerve", "3") } else { nerve };
    assert_eq!(result(&pack, "nerve", &[nerve], 3), "Success");
    assert_eq!(result(&pack, "nerve", &[nerve, ("alone", "yes")], 3), "Failure");
    assert_eq!(result(&pack, "nerve", &[nerve, ("boss_in_sight", "yes")], 4), "Success");
}

/// A table of numbers to reach is looked up, and the dice are compared with it.
#[test]
fn a_table_of_numbers_to_reach_is_rolled_against() {
    let grid = "CARD\n\nTO HIT\nRoll 1d6 per shot.\nSkill      Short  Long\nConscript  4+     6\nRegular    3+     -\n\n+1  aimed\n-1  smoke\n";
    let pack = pack_of(grid);
    let short = [("skill", "conscript"), ("column", "short")];
    assert_eq!(result(&pack, "to-hit", &short, 4), "Success");
    assert_eq!(result(&pack, "to-hit", &short, 3), "Failure");
    assert_eq!(result(&pack, "to-hit", &[short[0], short[1], ("aimed", "yes")], 3), "Success");
    let never = [("skill", "regular"), ("column", "long")];
    assert_eq!(result(&pack, "to-hit", &never, 6), "Not possible");
    let ranges = pack_of(
        "GUNS\n\nFIRE (2d6)\nRange   Light   Heavy\n0-3     6       5\n4-9     8       7\n",
    );
    let mut situation = Situation::new(&ranges, "fire").unwrap();
    situation.give("range", "5").unwrap();
    situation.give("column", "heavy").unwrap();
    let found = resolve(&mut situation, &mut EnteredInput::new().with_dice([3, 4])).unwrap();
    assert_eq!(found.result.unwrap().title.to_string(), "Success");
}

/// "Win by": the margin of the higher total, with a row for a draw.
#[test]
fn a_margin_of_the_winner() {
    let pack = pack_of(
        "MEN\n\nBRAWL\nBoth fighters roll 1d6 and add their Grit.\n+1 armed\nWin by 1-2: pushed back\nWin by 3+: hurt\nDraw: both stay\n",
    );
    let fight = |faces: [u32; 2]| {
        let mut situation = Situation::new(&pack, "brawl").unwrap();
        let names: Vec<String> =
            pack.chart("brawl").unwrap().inputs.iter().map(|i| i.field.id.to_string()).collect();
        for name in names.iter().filter(|name| name.contains("grit")) {
            situation.give(name, "2").unwrap();
        }
        let found = resolve(&mut situation, &mut EnteredInput::new().with_dice(faces)).unwrap();
        found.result.unwrap().title.to_string()
    };
    assert_eq!(fight([5, 4]), "pushed back");
    assert_eq!(fight([1, 6]), "hurt");
    assert_eq!(fight([3, 3]), "both stay");
}

/// The first row of a table says what its column is; it is not a second heading.
#[test]
fn a_row_that_names_the_die_is_a_row() {
    let pack = pack_of(
        "RESULTS\n\nODDS      1-2   1-1   2-1\nDIE 1     AE    AR    NE\n    2     AR    NE    DR\n    3     NE    DR    DE\n\nAE = Attacker eliminated\nAR = Attacker retreats\nNE = No effect\nDR = Defender retreats\nDE = Defender eliminated\n",
    );
    assert_eq!(result(&pack, "results", &[("column", "d1-2")], 1), "AE");
    assert_eq!(result(&pack, "results", &[("column", "d2-1")], 2), "DR");
}

/// A row on a condition stands above the row for when it does not hold.
#[test]
fn a_row_on_a_condition_is_asked_for() {
    let pack = pack_of(
        "SCOUTS\n\nSPOTTING\nRoll 1d6.\nScore                  Result\n1-2                    Nothing\n3-4, enemy has fired   Seen\n3-4, otherwise         Noise\n5-6                    Seen\n",
    );
    assert_eq!(result(&pack, "spotting", &[], 2), "Nothing");
    assert_eq!(result(&pack, "spotting", &[], 3), "Noise");
    assert_eq!(result(&pack, "spotting", &[("enemy_has_fired", "yes")], 4), "Seen");
    assert_eq!(result(&pack, "spotting", &[("enemy_has_fired", "yes")], 1), "Nothing");
}

/// German and French sheets name dice and bands with their own words.
#[test]
fn other_languages_run() {
    let pack = pack_of(
        "LANDSER\n\nMORAL\nW\u{fc}rfle 1W10.\n+1  Offizier in Sicht\n-1  je Verlust\n\n3 oder weniger   Flucht\n4 bis 6          Halt\n7 oder mehr      Angriff\n",
    );
    assert_eq!(result(&pack, "moral", &[], 3), "Flucht");
    assert_eq!(result(&pack, "moral", &[("offizier_in_sicht", "yes")], 6), "Angriff");
    let pack = pack_of(
        "TERCIOS\n\nMORAL\nLancez 1D10.\n\n3 ou moins   Fuite\n4 \u{e0} 6      Recul\n7 ou plus    Tient bon\n",
    );
    assert_eq!(result(&pack, "moral", &[], 5), "Recul");
    assert_eq!(result(&pack, "moral", &[], 7), "Tient bon");
}

/// The parts of a draft in words: kinds, items and marks.
fn said(source: &str) -> String {
    let draft = adjutant_draft::draft(source, &adjutant_draft::Options::default()).unwrap();
    format!("{:?} {:?}\n{}", draft.pieces, draft.guesses, draft.pack_toml())
}

/// A table with markup is one thing: a row that is not understood is left out and said, and the rows
/// after it are still its rows.
#[test]
fn a_row_that_is_not_understood_does_not_end_its_table() {
    let list = "# Ships\n\n## Ramming\nRoll 1d6.\n\n| Factor | Mod |\n|---|---|\n| Stern | +2 |\n| Captain | see below |\n| Beam | +1 |\n| Oars lost | -1 |\n";
    let found = said(list);
    assert!(found.contains("LeftOut") && found.contains("Captain see below"), "{found}");
    assert!(found.contains("label = \"Oars lost\", plus = -1"), "{found}");
    assert!(!found.contains("Grid("), "{found}");
    let table = "# Ships\n\n## Sinking\nRoll 1d6.\n\n| Roll | Result |\n|---|---|\n| 1 | Sinks |\n| two, perhaps | Burns |\n| 3-6 | Floats |\n";
    let found = said(table);
    assert!(found.contains("LeftOut") && found.contains("Gap"), "{found}");
    assert!(found.contains("title = \"Floats\""), "{found}");
}

/// Signed differences are bands, and a choice of modifiers stands in one row.
#[test]
fn differences_with_signs_are_bands() {
    let pack = pack_of(
        "# Ships\n\n## Ramming\nEach player rolls 1d6 and adds:\n\n| Factor | Mod |\n|---|---|\n| Crew: elite / levy | +1 / −1 |\n| Stern | +2 |\n\n| Diff | Result |\n|---|---|\n| −1 or worse | Back |\n| 0 | Locked |\n| +1, +2 | Hit |\n| +3 or better | Holed |\n",
    );
    let chart = pack.charts().first().unwrap().id.to_string();
    let fight = |given: &[(&str, &str)], faces: [u32; 2]| {
        let mut situation = Situation::new(&pack, &chart).unwrap();
        for (name, value) in given {
            situation.give(name, value).unwrap();
        }
        let found = resolve(&mut situation, &mut EnteredInput::new().with_dice(faces)).unwrap();
        found.result.unwrap().title.to_string()
    };
    assert_eq!(fight(&[], [4, 2]), "Hit");
    assert_eq!(fight(&[], [5, 2]), "Holed");
    assert_eq!(fight(&[], [1, 2]), "Back");
    let names: Vec<String> =
        pack.chart(&chart).unwrap().inputs.iter().map(|i| i.field.id.to_string()).collect();
    let elite = names.iter().find(|name| name.contains("elite")).unwrap();
    assert_eq!(fight(&[(elite, "yes")], [3, 3]), "Hit");
}

/// "Double 1" is a roll of equal dice, never a factor; failures are not passes.
#[test]
fn doubles_and_failures_are_notes() {
    let found = said(
        "CATS\n\nNERVE\nRoll 2d6.\n-1 for each pin\n+1 leader near\nDouble 1 always passes.\n\n2-6  Runs\n7+   Stays\n",
    );
    assert!(!found.contains("Times") && !found.contains("times ="), "{found}");
    let found = said(
        "CATS\n\nMORALE\nRoll 3 dice vs Quality.\n1 failure  flees\n2 failures flees far\n3 failures removed\n",
    );
    assert!(!found.contains("rows   = ["), "{found}");
}

/// The dice of a line with a value are rolled; three modifiers may stand in one line.
#[test]
fn a_roll_with_a_value_and_three_modifiers_in_a_line() {
    let found = said(
        "TANKS\n\nPENETRATION\nPen roll D6 + Pen\nMedium gun +4\nHeavy gun +5\nSide shot: +1   Rear or top: +2   Long range: -1\n",
    );
    assert!(found.contains("roll  = \"1d6\""), "{found}");
    assert!(!found.contains("Sides"), "{found}");
    for modifier in
        ["\"Side shot\", plus = 1", "\"Rear or top\", plus = 2", "\"Long range\", plus = -1"]
    {
        assert!(found.contains(modifier), "{modifier}: {found}");
    }
}

/// Terms of an HTML list keep their own meanings.
#[test]
fn terms_of_an_html_list() {
    let found = said(
        "<h1>Codes</h1><dl><dt>AE</dt><dd>Attacker eliminated</dd><dt>DR</dt><dd>Defender retreats</dd></dl>",
    );
    assert!(found.contains("text: \"Attacker eliminated\""), "{found}");
    assert!(found.contains("text: \"Defender retreats\""), "{found}");
}

/// A d66 is two dice read as tens and ones, not a die with 66 sides.
#[test]
fn a_d66_is_two_dice() {
    let found = said(
        "# Injuries\n\n| d66 | Injury |\n|---|---|\n| 11-26 | Dead |\n| 31-56 | Hurt |\n| 61-66 | Fine |\n",
    );
    assert!(found.contains("roll  = \"d66\""), "{found}");
    assert!(!found.contains("Gap") && !found.contains("Open"), "{found}");
}

/// Words of a chart that stands at the left may be in the label of a modifier: that is marked.
#[test]
fn words_of_two_charts_in_one_label_are_marked() {
    let found = said(
        "CLASH\n\nMissiles                      Melee\nD6 per 2 bases                D6 per base\nBow      5,6 to 20cm          First round, hoplites      +2\nSling    5,6 to 15cm          Deeper formation           +1\nJavelin  4,5,6 to 8cm         Uphill                     +1\n                              Disordered                 -1\n\nOther rules follow here.\nThey are a note.\n",
    );
    assert_eq!(found.matches("kind: Mixed").count(), 3, "{found}");
}
