//! Cards and charts for spreadsheets: a deck in the form of a pack's own file, each chart's table,
//! and the modifiers of its rolls. Spreadsheets read some texts as something else: `=1+1` as a
//! formula, `1-2` as a date, `007` as a number. Such a text is marked. Numbers stay numbers.

use super::text_tables::{self, TextTable};
use super::{ExportRequest, ExportedFiles, count, in_path};
use crate::RenderError;
use adjutant_pack::{CardCell, DeckFieldKind, DeckSheet, Pack};
use adjutant_wording::en::{ChartWords, NotShown};

/// Who reads the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsvReader {
    /// Any program. A text that a spreadsheet would change gets an apostrophe in front.
    Any,
    /// Excel: the files start with a byte order mark, lines end with CR and LF, and a text that it
    /// would change is a formula that gives the text: `="1-2"`.
    Excel,
}

/// Why a chart has no file.
const NO_TABLE: &str = "it has neither a table nor a roll";

/// Writes `cards/DECK.csv` for each deck; for each chart `charts/CHART.csv`,
/// `charts/CHART.rolls.csv`, what follows from its results as `charts/CHART.notes.csv` and, if the
/// sheet prints its own table, `charts/CHART.printed.csv`.
pub fn csv(request: &ExportRequest<'_>, reader: CsvReader) -> Result<ExportedFiles, RenderError> {
    let mut exported = ExportedFiles::default();
    for deck in &request.decks {
        exported.add(
            format!("cards/{}.csv", in_path(&deck.id)),
            csv_bytes(&cards(request.pack, deck), reader)?,
        );
    }
    for chart in &request.charts {
        let name = format!("charts/{}", in_path(&chart.id));
        let text = ChartWords::for_players(request.pack, chart).text();
        let before = exported.files.len();
        for (table, ending) in [
            (text_tables::results(&text), "csv"),
            (text_tables::rolls(&text), "rolls.csv"),
            (text_tables::notes(request.pack, chart), "notes.csv"),
            (text_tables::printed(chart), "printed.csv"),
        ] {
            if let Some(table) = table {
                exported.add(format!("{name}.{ending}"), csv_bytes(&table, reader)?);
            }
        }
        if exported.files.len() == before {
            exported.leave_out(NotShown::new(chart.title.as_str(), NO_TABLE));
        }
    }
    let charts = request.charts.len() - exported.not_shown.len();
    exported.add_summary(format!(
        "{} and {} as plain tables",
        count(request.decks.len(), "deck", "decks"),
        count(charts, "chart", "charts")
    ));
    let (program, marked) = match reader {
        CsvReader::Any => (
            "spreadsheets",
            "A text that a spreadsheet would change, such as =1 or 1-2, has an apostrophe before it; numbers have none. For Excel use --for excel",
        ),
        CsvReader::Excel => (
            "Excel",
            "A text that Excel would change, such as =1 or 1-2, is written as a formula that gives it: =\"1-2\". For other programs use --for csv",
        ),
    };
    let form = "The files are UTF-8, with commas between cells and one line of heads";
    Ok(exported.with_note(request.pack, program, &[form, marked]))
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

/// A cell that a spreadsheet shows as it is. Numbers are unchanged, even with a sign. An apostrophe
/// at the start is doubled, so that removing one always gives the text.
fn safe(cell: &str, reader: CsvReader) -> String {
    match reader {
        _ if !would_change(cell) => cell.to_owned(),
        CsvReader::Any => format!("'{cell}"),
        CsvReader::Excel => format!("=\"{}\"", cell.replace('"', "\"\"")),
    }
}

/// Whether a spreadsheet takes a text for something else: a formula, a date, a time, a fraction, or
/// a number that it writes in another way.
fn would_change(cell: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = cell.trim_start_matches(['+', '-']);
    if cell.len() - number.len() <= 1 {
        let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
        if digits(whole) && digits(part) {
            // A leading zero is lost, and so are digits after the fifteenth.
            return (whole.len() > 1 && whole.starts_with('0')) || number.len() > 15;
        }
    }
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\'']);
    let parted = |sign: char| cell.contains(sign) && cell.split(sign).all(digits);
    let date =
        parted('-') || parted('/') || parted(':') || cell.matches('.').count() > 1 && parted('.');
    formula || date || exponent(cell) || names_a_month(cell)
}

/// Whether a text is a number such as `1e5`.
fn exponent(cell: &str) -> bool {
    let lower = cell.to_ascii_lowercase();
    lower.split_once('e').is_some_and(|(number, power)| {
        let plain = |text: &str| !text.is_empty() && text.parse::<f64>().is_ok();
        plain(number) && plain(power) && !number.contains('e')
    })
}

/// Whether a text is a day of a month, or a month of a year: `3 May`, `Mar-12`, `MAR1`.
fn names_a_month(cell: &str) -> bool {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let lower = cell.to_ascii_lowercase();
    let parts: Vec<&str> = lower.split([' ', '-', '/']).filter(|part| !part.is_empty()).collect();
    let number = |text: &str| text.len() <= 4 && text.parse::<u16>().is_ok();
    let month = |text: &str| text.len() >= 3 && MONTHS.iter().any(|name| name.starts_with(text));
    let glued = |text: &str| {
        let letters = text.trim_matches(|c: char| c.is_ascii_digit());
        letters.len() == 3 && letters.len() < text.len() && month(letters)
    };
    match parts.as_slice() {
        [only] => glued(only),
        [one, two] => (number(one) && month(two)) || (month(one) && number(two)),
        _ => false,
    }
}

fn csv_bytes(table: &TextTable, reader: CsvReader) -> Result<Vec<u8>, RenderError> {
    let (start, end) = match reader {
        CsvReader::Any => ("", ::csv::Terminator::Any(b'\n')),
        CsvReader::Excel => ("\u{feff}", ::csv::Terminator::CRLF),
    };
    let mut writer =
        ::csv::WriterBuilder::new().terminator(end).from_writer(start.as_bytes().to_vec());
    for row in std::iter::once(&table.heads).chain(&table.rows) {
        writer.write_record(row.iter().map(|cell| safe(cell, reader)))?;
    }
    writer.into_inner().map_err(|fault| RenderError::Csv(fault.into_error().into()))
}

#[cfg(test)]
mod tests {
    use super::{CsvReader, safe};

    #[test]
    fn what_a_spreadsheet_would_change_is_marked_and_numbers_stay() {
        for plain in [
            "-1", "+2", "3", "-0.5", "12", "0", "0.25", "1 to 2", "1–2", "<1-8", "Maybe 3", "d66",
            "2d6", "May",
        ] {
            assert_eq!(safe(plain, CsvReader::Any), plain);
            assert_eq!(safe(plain, CsvReader::Excel), plain);
        }
        let changed = [
            "=1+1",
            "+1d6",
            "-x",
            "@SUM(A1)",
            "\t=1",
            "'quoted",
            "--1",
            "+",
            "-1+cmd|' /C calc'!A0",
            "1-2",
            "10-1",
            "1/2",
            "3:1",
            "2020-01-02",
            "1.2.3",
            "007",
            "1e5",
            "12345678901234567",
            "3 May",
            "Mar-12",
            "MAR1",
        ];
        for text in changed {
            assert_eq!(safe(text, CsvReader::Any), format!("'{text}"));
            assert_eq!(safe(text, CsvReader::Excel), format!("=\"{text}\""));
        }
        assert_eq!(safe("=\"a\"", CsvReader::Excel), "=\"=\"\"a\"\"\"");
        assert_eq!(safe("Αθήνα; \"x\", y", CsvReader::Any), "Αθήνα; \"x\", y");
    }
}
