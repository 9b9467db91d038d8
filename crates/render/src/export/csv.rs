//! Cards and charts for spreadsheets: a deck in the form of a pack's own file, each chart's table,
//! and the modifiers of its rolls. A text that starts like a formula gets an apostrophe in front,
//! as spreadsheets themselves write it. Numbers stay numbers.

use super::text_tables::{self, TextTable};
use super::{ExportRequest, ExportedFiles, count, in_path};
use crate::RenderError;
use adjutant_pack::{CardCell, DeckFieldKind, DeckSheet, Pack};

/// Writes `cards/DECK.csv` for each deck; for each chart `charts/CHART.csv`,
/// `charts/CHART.rolls.csv` and, if the sheet prints its own table, `charts/CHART.printed.csv`.
pub fn csv(request: &ExportRequest<'_>) -> Result<ExportedFiles, RenderError> {
    let mut exported = ExportedFiles::default();
    for deck in &request.decks {
        exported.add(
            format!("cards/{}.csv", in_path(&deck.id)),
            csv_bytes(&cards(request.pack, deck))?,
        );
    }
    let mut left_out = Vec::new();
    for chart in &request.charts {
        let name = format!("charts/{}", in_path(&chart.id));
        let before = exported.files.len();
        for (table, ending) in [
            (text_tables::results(request.pack, chart), "csv"),
            (text_tables::rolls(request.pack, chart), "rolls.csv"),
            (text_tables::printed(chart), "printed.csv"),
        ] {
            if let Some(table) = table {
                exported.add(format!("{name}.{ending}"), csv_bytes(&table)?);
            }
        }
        if exported.files.len() == before {
            left_out.push(chart.title.to_string());
        }
    }
    exported.add_summary(format!(
        "{} and {} as plain tables",
        count(request.decks.len(), "deck", "decks"),
        count(request.charts.len() - left_out.len(), "chart", "charts")
    ));
    if !left_out.is_empty() {
        exported.add_summary(format!(
            "left out, having neither a table nor a roll: {}",
            left_out.join(", ")
        ));
    }
    Ok(exported.with_note(
        request.pack,
        "spreadsheets",
        &[
            "The files are UTF-8, with commas between cells and one line of heads",
            "A text that begins with = + - or @ has an apostrophe before it, so that no spreadsheet takes it for a formula; numbers have none",
        ],
    ))
}

/// A deck in the form of a pack's own file: `card`, `title`, then its fields.
fn cards(pack: &Pack, deck: &DeckSheet) -> TextTable {
    let mut heads = vec!["card".to_owned(), "title".to_owned()];
    for field in &deck.fields {
        match field.kind {
            DeckFieldKind::Numbers { from, to } => {
                heads.extend((from..=to).map(|n| format!("{}_{n}", field.id)))
            }
            _ => heads.push(field.id.to_string()),
        }
    }
    let row = |(number, card): (usize, &adjutant_pack::Card)| {
        let mut row = vec![number.to_string(), card.title.to_string()];
        for field in &deck.fields {
            let cells = match field.kind {
                DeckFieldKind::Numbers { from, to } => (to - from) as usize + 1,
                _ => 1,
            };
            row.extend((0..cells).map(|n| {
                match card.cells.get(field.first_cell + n).and_then(Option::as_ref) {
                    None => field.blank.clone(),
                    Some(CardCell::Text(text)) => text.clone(),
                    Some(CardCell::Value(value)) => value.to_answer(pack.words()).to_string(),
                }
            }));
        }
        row
    };
    TextTable { heads, rows: (1..).zip(&deck.cards).map(row).collect() }
}

/// A cell that no spreadsheet takes for a formula. Numbers are unchanged, even with a sign. An
/// apostrophe at the start is doubled, so that removing one always gives the text.
fn safe(cell: &str) -> String {
    let number = cell.trim_start_matches(['+', '-']);
    let plain = cell.len() - number.len() <= 1
        && !number.is_empty()
        && number.chars().all(|c| c.is_ascii_digit() || c == '.');
    match cell.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '\'') if !plain => format!("'{cell}"),
        _ => cell.to_owned(),
    }
}

fn csv_bytes(table: &TextTable) -> Result<Vec<u8>, RenderError> {
    let mut writer = ::csv::WriterBuilder::new()
        .terminator(::csv::Terminator::Any(b'\n'))
        .from_writer(Vec::new());
    for row in std::iter::once(&table.heads).chain(&table.rows) {
        writer.write_record(row.iter().map(|cell| safe(cell)))?;
    }
    writer.into_inner().map_err(|fault| RenderError::Csv(fault.into_error().into()))
}

#[cfg(test)]
mod tests {
    use super::safe;

    #[test]
    fn formulas_become_texts_and_numbers_stay() {
        for number in ["-1", "+2", "3", "-0.5", "12", "1/2"] {
            assert_eq!(safe(number), number);
        }
        for text in [
            "=1+1",
            "+1d6",
            "-x",
            "@SUM(A1)",
            "\t=1",
            "'quoted",
            "--1",
            "+",
            "-1+cmd|' /C calc'!A0",
        ] {
            assert_eq!(safe(text), format!("'{text}"));
        }
        assert_eq!(safe("Αθήνα; \"x\", y"), "Αθήνα; \"x\", y");
    }
}
