#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! The pack that a draft writes gives what the sheet says: each row of a table by scores is rolled, and
//! the result is the text of the row.

use adjutant_dice::{Accepts, EnteredInput};
use adjutant_draft::{BandTable, Content, Options, draft};
use adjutant_engine::{Situation, resolve};
use adjutant_pack::{Files, Pack, read_pack};
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

/// Rolls every score of a table, by its only roll and its first column. Returns how many were compared.
fn rolled(name: &str, pack: &Pack, chart: &str, dice: (u32, u32), table: &BandTable) -> usize {
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
            let Some(faces) = faces(dice.0, dice.1, total) else { continue };
            let mut situation = Situation::new(pack, chart).unwrap();
            if table.columns.len() > 1 {
                let column = pack.chart(chart).unwrap().input("column").unwrap();
                let Accepts::Choice { words } = &column.field.accepts else { panic!("{name}") };
                situation.give("column", &words[0].id).unwrap();
            }
            let mut input = EnteredInput::new().with_dice(faces);
            let Ok(found) = resolve(&mut situation, &mut input) else { continue };
            let said = found
                .result
                .map(|line| {
                    if line.means.is_empty() {
                        line.title.to_string()
                    } else {
                        line.means.to_string()
                    }
                })
                .or(found.value.map(|n| n.to_string()));
            let wanted = row.cells[0].text.trim_end_matches('.');
            let same = said
                .as_deref()
                .is_some_and(|said| said.trim_end_matches('.').eq_ignore_ascii_case(wanted));
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
                compared += rolled(&name, &pack, chart, (dice.count, dice.sides), table);
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
    let titled = pack_of(&format!("SHIPS\n\nDAMAGE (roll 1d6 per hit)\n{rows}"));
    let told = pack_of(&format!("SHIPS\n\nDAMAGE\nRoll 1d6 per hit.\n{rows}"));
    for pack in [&titled, &told] {
        assert_eq!(pack.chart("damage").unwrap().title, "DAMAGE");
        assert_eq!(result(pack, "damage", &[], 6), "Sinks");
        assert_eq!(result(pack, "damage", &[], 4), "Lose a gun");
    }
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

/// The first row of a table says what its column is; it is not a second heading.
#[test]
fn a_row_that_names_the_die_is_a_row() {
    let pack = pack_of(
        "RESULTS\n\nODDS      1-2   1-1   2-1\nDIE 1     AE    AR    NE\n    2     AR    NE    DR\n    3     NE    DR    DE\n\nAE = Attacker eliminated\nAR = Attacker retreats\nNE = No effect\nDR = Defender retreats\nDE = Defender eliminated\n",
    );
    assert_eq!(result(&pack, "results", &[("column", "d1-2")], 1), "AE");
    assert_eq!(result(&pack, "results", &[("column", "d2-1")], 2), "DR");
}
