//! A deck from a plain spreadsheet: a player's own event cards, without a pack. The columns of the
//! file become the fields of a deck, and the deck becomes a pack with one chart that draws from it.
//! So everything that works for a pack works for the deck.

use super::MOST_CARDS;
use super::deck::CheckedDeck;
use crate::diagnostic::Diagnostic;
use crate::files::Files;
use crate::problem::{Counted, CsvProblem, Problem};
use crate::text::{capital, clip};
use crate::toml_text::toml_text;
use crate::tree::Diagnostics;
use adjutant_dice::Number;

/// The maximum number of columns in such a file.
const MOST_COLUMNS: usize = 60;
/// Names that have a meaning on a card and so cannot be fields.
const TAKEN: [&str; 5] = ["card", "title", "count", "blank", "number"];
const SUITS: [&str; 4] = ["spades", "hearts", "diamonds", "clubs"];

/// Makes a pack from a plain CSV file. Its first line names the columns. The column `title`, or
/// else the first, is the title of a card. `count` is the number of copies, `text` is a longer
/// text, and all other columns are fields.
///
/// ```
/// let files = adjutant_pack::pack_of_csv("weather.csv", "title,text,wind\nRain,All roads are mud.,3\nSun,,1\n").unwrap();
/// let pack = adjutant_pack::read_pack(&files, None).unwrap();
/// assert_eq!(pack.decks().as_slice()[0].title, "Weather");
/// assert_eq!(pack.decks().as_slice()[0].cards[1].title, "Sun");
/// ```
pub fn pack_of_csv(name: &str, text: &str) -> Result<Files, Vec<Diagnostic>> {
    if let Some(fault) = crate::files::too_large(name, text.len() as u64) {
        return Err(vec![fault]);
    }
    let faults = Diagnostics::default();
    let sheet = CheckedDeck::parse(name, text, &faults);
    let plain = Plain::of(&sheet, &faults);
    match plain {
        Some(plain) if faults.count() == 0 => Ok(plain.files(name, &sheet)),
        _ => Err(faults.into_sorted()),
    }
}

/// The meaning of the columns of the file.
struct Plain {
    title: usize,
    /// The fields: column index and name.
    fields: Vec<(usize, String)>,
    /// The number of copies of each card.
    copies: Vec<u32>,
}

impl Plain {
    fn of(sheet: &CheckedDeck, faults: &Diagnostics) -> Option<Plain> {
        if sheet.heads.iter().all(String::is_empty) {
            sheet.fault(0, CsvProblem::EmptyFile, faults);
            return None;
        }
        if sheet.heads.len() > MOST_COLUMNS {
            let problem = Problem::TooMany {
                what: Counted::CardColumns,
                most: MOST_COLUMNS,
                found: sheet.heads.len(),
            };
            sheet.fault(0, problem, faults);
            return None;
        }
        sheet.clean(0, &sheet.heads, faults);
        for (place, head) in sheet.heads.iter().enumerate() {
            let again = sheet.heads[..place]
                .iter()
                .any(|other| other.to_lowercase() == head.to_lowercase());
            let problem = match head {
                head if head.is_empty() => CsvProblem::ColumnWithoutName { column: place + 1 },
                head if head.parse::<Number>().is_ok() => {
                    CsvProblem::ColumnIsNumber { column: place + 1, name: clip(head) }
                }
                head if again => CsvProblem::ColumnTwice { name: clip(head) },
                _ => continue,
            };
            sheet.fault(0, problem, faults);
        }
        let named = |name: &str| sheet.heads.iter().position(|head| head.to_lowercase() == name);
        let (title, count) = (named("title").unwrap_or(0), named("count"));
        let number = named("card").filter(|place| *place != title);
        let free = (0..sheet.heads.len())
            .filter(|place| *place != title && Some(*place) != count && Some(*place) != number);
        let mut fields: Vec<(usize, String)> = Vec::new();
        for place in free {
            let name = field_name(&sheet.heads[place], place, &fields);
            fields.push((place, name));
        }
        let copies = cards(sheet, title, count, faults);
        Some(Plain { title, fields, copies })
    }

    fn files(&self, name: &str, sheet: &CheckedDeck) -> Files {
        let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        let title = title_of(stem);
        let mut toml = format!(
            "[pack]\nid = \"deck\"\ntitle = {0}\n[deck.cards]\ntitle = {0}\nfile = \"deck.csv\"\n[deck.cards.field]\n",
            toml_text(&title)
        );
        for (place, field) in &self.fields {
            let label = toml_text(&sheet.heads[*place]);
            let cells = || {
                sheet
                    .lines
                    .iter()
                    .filter_map(|(_, line)| line.get(*place))
                    .filter(|cell| !cell.is_empty())
            };
            let whole = |cell: &String| cell.parse::<Number>().ok().and_then(Number::as_whole);
            let kind = if cells().count() > 0 && cells().all(|cell| SUITS.contains(&cell.as_str()))
            {
                let words =
                    SUITS.map(|suit| format!("{suit} = {}", toml_text(&title_of(suit)))).join(", ");
                format!("label = {label}, choice = {{ {words} }}")
            } else if field == "rank"
                && cells().all(|cell| whole(cell).is_some_and(|n| (1..=13).contains(&n)))
            {
                format!("number = {label}, from = 1, to = 13")
            } else if field != "text" && cells().all(|cell| cell.parse::<Number>().is_ok()) {
                format!("number = {label}")
            } else {
                format!("text = {label}")
            };
            toml.push_str(&format!("{field} = {{ {kind} }}\n"));
        }
        toml.push_str(
            "[chart.draw]\ntitle = \"Draw a card\"\nstep = [ { draw = \"cards\", as = \"card\" } ]\nread = { value = \"card.number\" }\n",
        );
        Files::of([("pack.toml", toml), ("deck.csv", self.csv(sheet))])
    }

    /// The file with numbered cards, as the deck of a pack needs it.
    fn csv(&self, sheet: &CheckedDeck) -> String {
        let mut out = csv::Writer::from_writer(Vec::new());
        let heads =
            ["card", "title"].into_iter().chain(self.fields.iter().map(|(_, name)| name.as_str()));
        // Writing to memory does not fail.
        let _ = out.write_record(heads);
        let mut number = 0_u32;
        for ((_, line), copies) in sheet.lines.iter().zip(&self.copies) {
            for _ in 0..*copies {
                number += 1;
                let cell = |place: usize| line.get(place).map_or("", String::as_str);
                let own = self.fields.iter().map(|(place, _)| cell(*place));
                let _ = out.write_record(
                    [number.to_string().as_str(), cell(self.title)].into_iter().chain(own),
                );
            }
        }
        out.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

/// Checks the lines. Returns the number of copies of each card.
fn cards(
    sheet: &CheckedDeck,
    title: usize,
    count: Option<usize>,
    faults: &Diagnostics,
) -> Vec<u32> {
    let mut copies = Vec::new();
    if sheet.lines.is_empty() {
        sheet.fault(0, CsvProblem::NoCards, faults);
    }
    for (number, (at, line)) in (1_usize..).zip(sheet.lines.iter().take(MOST_CARDS + 1)) {
        if line.len() != sheet.heads.len() {
            sheet.fault(
                *at,
                CsvProblem::CellCount {
                    card: number,
                    found: line.len(),
                    wanted: sheet.heads.len(),
                },
                faults,
            );
        }
        sheet.clean(*at, line, faults);
        if line.get(title).is_none_or(String::is_empty) {
            sheet.fault(*at, CsvProblem::NoTitle { card: number }, faults);
        }
        let said = count.and_then(|place| line.get(place)).map_or("", String::as_str);
        match said {
            "" => copies.push(1),
            said => match said.parse::<u32>().ok().filter(|n| *n as usize <= MOST_CARDS) {
                Some(n) => copies.push(n),
                None => sheet.fault(
                    *at,
                    CsvProblem::BadCount { card: number, count: clip(said) },
                    faults,
                ),
            },
        }
    }
    let all: usize = copies.iter().map(|n| *n as usize).sum();
    if faults.count() == 0 && !(1..=MOST_CARDS).contains(&all) {
        sheet.fault(0, CsvProblem::CardCount { found: all }, faults);
    }
    copies
}

/// A unique name for a field, in lower case with underscores.
fn field_name(head: &str, place: usize, others: &[(usize, String)]) -> String {
    let plain: String = head
        .to_lowercase()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .take(40)
        .collect();
    let name = plain.trim_matches('_').to_owned();
    let good = name.starts_with(|c: char| c.is_ascii_lowercase())
        && !TAKEN.contains(&name.as_str())
        && !super::vocabulary::TAKEN.contains(&name.as_str());
    if good && !others.iter().any(|(_, other)| *other == name) {
        name
    } else {
        format!("column_{}", place + 1)
    }
}

/// Turns a file name into a title: `night-events` becomes `Night events`.
fn title_of(stem: &str) -> String {
    let words: String = stem
        .chars()
        .map(|c| if c == '_' || c == '-' || c.is_control() { ' ' } else { c })
        .take(100)
        .collect();
    if words.trim().is_empty() { "Deck".into() } else { capital(words.trim()) }
}
