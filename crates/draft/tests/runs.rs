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
