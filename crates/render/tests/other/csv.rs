//! CSV files, read back by the standard reader, have what the pack says.

use super::given::{hostile, shipped};
use super::{all_packs, twice};
use adjutant_pack::{DeckFieldKind, Files, Id, Pack, read_pack};
use adjutant_render::export::{CsvReader, ExportRequest, ExportedFiles, csv};
use adjutant_wording::en::ChartWords;

fn made(pack: &Pack) -> ExportedFiles {
    csv(&ExportRequest::all(pack), CsvReader::Any).unwrap()
}

/// The cells as a spreadsheet holds them: one apostrophe before a text is not part of it.
fn read(exported: &ExportedFiles, name: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(exported.file(name).unwrap_or_else(|| panic!("no {name}")));
    let cell = |cell: &str| {
        let formula = cell.starts_with(['=', '+', '-', '@'])
            && cell.trim_start_matches(['+', '-']).parse::<f64>().is_err();
        assert!(!formula, "a spreadsheet would take {cell:?} for a formula");
        cell.strip_prefix('\'').unwrap_or(cell).to_owned()
    };
    reader.records().map(|record| record.unwrap().iter().map(cell).collect()).collect()
}

/// The files of a pack with its deck replaced by the exported one.
fn with_deck(mut files: Files, name: &str, rows: &[Vec<String>]) -> Pack {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().for_each(|row| writer.write_record(row).unwrap());
    files.put(name, String::from_utf8(writer.into_inner().unwrap()).unwrap());
    read_pack(&files, None).unwrap()
}

fn same_cards(one: &Pack, two: &Pack) {
    for (a, b) in one.decks().iter().zip(two.decks()) {
        assert_eq!(a.cards.len(), b.cards.len());
        for (number, (left, right)) in a.cards.iter().zip(&b.cards).enumerate() {
            assert_eq!(
                (&left.title, &left.cells),
                (&right.title, &right.cells),
                "card {}",
                number + 1
            );
        }
    }
}

#[test]
fn a_deck_that_went_out_can_come_back_as_the_deck_of_a_pack() {
    let pack = shipped("combat-leader");
    let rows = read(&made(&pack), "cards/action.csv");
    assert_eq!(rows.len(), 61);
    same_cards(
        &pack,
        &with_deck(adjutant_bundled_packs::files("combat-leader").unwrap(), "deck.csv", &rows),
    );
}

#[test]
fn hostile_cells_come_back_as_they_were() {
    let pack = hostile();
    let exported = twice(|| made(&pack));
    let rows = read(&exported, "cards/cards.csv");
    let deck = &pack.decks().as_slice()[0];
    for (row, card) in rows[1..].iter().zip(&deck.cards) {
        assert_eq!(row[1], card.title.as_str());
        assert_eq!(
            row.len(),
            2 + deck
                .fields
                .iter()
                .map(|field| if matches!(field.kind, DeckFieldKind::Numbers { .. }) {
                    3
                } else {
                    1
                })
                .sum::<usize>()
        );
        let Some(adjutant_pack::CardCell::Text(text)) = &card.cells[0] else { panic!("a text") };
        assert_eq!(
            (row[2].as_str(), row[4].as_str(), row[5].as_str(), row[6].as_str()),
            (text.as_str(), "1", "=R", "-1")
        );
    }
    let rolls = read(&exported, "charts/test.rolls.csv");
    assert!(
        rolls.iter().any(|row| row[1] == "'quoted'" && row[2] == "-1")
            && rolls.iter().any(|row| row[2] == "+3")
    );
}

#[test]
fn every_cell_of_every_chart_is_there_in_the_printed_order() {
    for pack in all_packs() {
        let exported = made(&pack);
        for chart in pack.charts() {
            let name = format!("charts/{}.csv", chart.id);
            if chart.read.rows.is_empty() {
                assert!(exported.file(&name).is_none());
                continue;
            }
            let rows = read(&exported, &name);
            assert_eq!(rows.len(), chart.read.rows.len() + 1);
            let say = ChartWords::for_players(&pack, chart);
            let table = say.table();
            // A number has a plain minus sign, because a spreadsheet knows no other.
            let same = |written: &str, text: &str| {
                let number = written.strip_prefix('-').filter(|n| n.parse::<f64>().is_ok());
                let shown = number.map_or(written.to_owned(), |number| format!("−{number}"));
                assert_eq!(shown, text, "{} {}", pack.id(), chart.id);
            };
            for (place, row) in chart.read.rows.iter_enumerated() {
                let written = &rows[place.index() + 1];
                same(&written[0], &say.row(row, place));
                let (when, cells) = written.split_last().unwrap();
                let own = row.own_when.as_ref().map_or(String::new(), |own| say.formula(own));
                assert_eq!(*when, own, "{} {}, row {place:?}", pack.id(), chart.id);
                for (column, written) in cells.iter().enumerate().skip(1) {
                    let cell =
                        row.cells.as_slice().get(column - 1).unwrap_or(&row.cells.as_slice()[0]);
                    let head = table.heads.get(column - 1).filter(|_| row.cells.len() > 1);
                    same(written, &say.cell(cell, head).text());
                }
            }
            if let Some(printed) = &chart.printed {
                let rows = read(&exported, &format!("charts/{}.printed.csv", chart.id));
                for ((down, cells), row) in printed.rows.iter().zip(&rows[1..]) {
                    assert_eq!((row[0].clone(), &row[1..]), (down.to_string(), cells.as_slice()));
                }
            }
        }
    }
}

#[test]
fn every_chart_says_when_its_rows_and_modifiers_count() {
    for pack in all_packs() {
        let exported = made(&pack);
        let charts = exported.files.iter().map(|(name, _)| name.as_str());
        // The notes of a chart and the table as printed have no rows that count at times.
        let counts = |name: &&str| !name.contains(".printed.") && !name.contains(".notes.");
        for name in charts.filter(|name| name.starts_with("charts/")).filter(counts) {
            let heads = &read(&exported, name)[0];
            assert_eq!(heads.last().map(String::as_str), Some("When"), "{} {name}", pack.id());
            assert_eq!(heads.iter().filter(|head| *head == "When").count(), 1);
        }
    }
    let rolls = read(&made(&shipped("panzer8")), "charts/fire.rolls.csv");
    let moved = rolls.iter().find(|row| row[1] == "The firer moved").unwrap();
    assert!(moved[2] == "+1" && !moved[3].is_empty(), "{moved:?}");
}

#[test]
fn excel_gets_a_mark_and_texts_that_it_does_not_turn_into_dates() {
    let pack = shipped("asl-starter-kit");
    let printed = "charts/odds.printed.csv";
    let plain = made(&pack);
    let excel = twice(|| csv(&ExportRequest::all(&pack), CsvReader::Excel).unwrap());
    for (name, bytes) in excel.files.iter().filter(|(name, _)| name.ends_with(".csv")) {
        assert!(bytes.starts_with("\u{feff}".as_bytes()), "{name} starts with the mark");
        let text = std::str::from_utf8(bytes).unwrap();
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{name}");
    }
    let cells = |bytes: &[u8]| -> Vec<String> {
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
        reader
            .records()
            .flat_map(|row| row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>())
            .collect()
    };
    // The same cells, but for the mark that a reader needs.
    let (ours, theirs) = (cells(plain.file(printed).unwrap()), cells(excel.file(printed).unwrap()));
    assert!(ours.contains(&"'1-2".to_owned()) && theirs.contains(&"=\"1-2\"".to_owned()));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        let text = ours.strip_prefix('\'').map(|text| format!("=\"{text}\""));
        assert_eq!(*theirs, text.unwrap_or_else(|| ours.clone()));
    }
}
