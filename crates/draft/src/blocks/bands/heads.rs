//! The headings above a table.

use super::super::{LONG, titles};
use super::line::{is_mended, of_row};
use crate::dice;
use crate::source::SheetRow;
use crate::token::tokens;

/// The number of rows of headings before the first band.
pub(crate) fn count(rows: &[SheetRow]) -> Option<usize> {
    let limit = rows.len().min(4);
    let genuine = |place: usize| of_row(&rows[place]).is_some();
    let spoilt = |place: usize| {
        let end = (place..rows.len().min(place + LONG))
            .find(|at| !is_mended(&rows[*at]) || genuine(*at))
            .unwrap_or(rows.len());
        end > place && end < rows.len() && genuine(end)
    };
    let first = (0..limit).find(|place| genuine(*place) || spoilt(*place))?;
    for (place, row) in rows[..first].iter().enumerate() {
        let cells = row.filled();
        let named = score_head(&cells.first().map(|c| c.text.clone()).unwrap_or_default());
        let short = cells.iter().all(|c| {
            let words = c.text.split_whitespace().count();
            words <= 8 && (!c.text.ends_with('.') || words == 1) || c.text.ends_with("...")
        });
        let several = cells.len() >= 2 || row.table.is_some();
        // What is rolled and what is added stands before a table, but is not its head.
        // "-3   -2   -1   0   +1": differences across.
        let signed = cells.iter().filter(|c| crate::amount::whole(&c.text).is_some()).count();
        let listed = crate::amount::leading(&row.text()).is_some() || (1..3).contains(&signed);
        let announced = cells.iter().any(|c| titles::announces_modifiers(&c.text));
        // "At most   2" limits the roll.
        if let [label, figure] = cells.as_slice()
            && figure.text.parse::<i32>().is_ok()
            && !score_head(&label.text)
            && row.table.is_none()
        {
            return None;
        }
        // "COMBAT RESULTS TABLE" right above the headings.
        if place == 0 && cells.len() == 1 && first > 1 && titles::names_table(&row.text()) {
            return None;
        }
        // "FIRE (2d6)" is a title with its dice.
        let (name, rolled) = dice::of_title(&row.text());
        let bracket = row.gap && row.text().ends_with(')') && titles::is_short_name(&name);
        let titled = rolled.is_some() && name != row.text() && (titles::shouts(&name) || bracket);
        if listed
            || (titled && cells.len() == 1)
            || (announced && cells.len() == 1)
            || (dice::roll_line(&row.text()).is_some() && cells.len() == 1)
        {
            return None;
        }
        // A title above the first row of a spreadsheet.
        if row.table.is_some()
            && cells.len() == 1
            && place + 1 < first
            && rows[place + 1].filled().len() >= 2
            && !rows[place + 1].cells[0].text.is_empty()
            && !named
        {
            return None;
        }
        // A title stands apart from the table.
        if !several && rows[place + 1].gap && !rows[place + 1].beside {
            return None;
        }
        // "By how much" above "the loser lost   Attacker   Defender"
        let two_lines = !several
            && place + 1 < first
            && rows[place + 1].filled().len() >= 2
            && cells.first().is_some_and(|cell| {
                cell.text.split_whitespace().count() <= 6
                    && !heads_itself(&cell.text, &rows[place + 1])
            });
        if row.head
            || !short
            || (!several && !named && !two_lines)
            || (place > 0 && row.gap && !row.beside)
            || (several && row.table.is_some() && row.table != rows[first].table)
        {
            return None;
        }
        // A row with the same cells as the rows below it is one of them, with a label that was not
        // understood.
        let below = rows[first..].iter().take(8).flat_map(SheetRow::filled);
        let below: Vec<&str> = below.map(|cell| cell.text.as_str()).collect();
        let same = cells.iter().skip(1).filter(|cell| below.contains(&cell.text.as_str())).count();
        if place > 0 && same >= 2 {
            return None;
        }
        // A title in the table's own row is not a head.
        if row.table.is_some() && cells.len() == 1 && !named && first - place > 1 {
            return None;
        }
    }
    Some(first)
}

/// A title in capitals above a row that has a heading for its scores already.
fn heads_itself(text: &str, next: &SheetRow) -> bool {
    let counts = ["hits", "hit"];
    let scored = |text: &str| score_head(text) || counts.contains(&text.to_lowercase().as_str());
    titles::shouts(text) && next.filled().first().is_some_and(|cell| scored(&cell.text))
}

/// Words that head a column of scores.
const WORDS: [&str; 22] = [
    "roll",
    "die",
    "dice",
    "score",
    "total",
    "result",
    "difference",
    "diff",
    "passed",
    "successes",
    "#",
    "d6",
    "margin",
    "number",
    "dr",
    "points",
    "wurf",
    "würfel",
    "ergebnis",
    "résultat",
    "jet",
    "dé",
];

/// Tells if a heading says that the column holds scores.
pub(crate) fn score_head(text: &str) -> bool {
    let tokens = tokens(text);
    if tokens.len() > 8 {
        return false;
    }
    if dice::find(&tokens).is_some_and(|(dice, _, _)| dice.named) {
        return true;
    }
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric() && c != '#').any(|part| WORDS.contains(&part))
        || ["by how much", "lose by", "win by", "beaten by"]
            .iter()
            .any(|words| lower.contains(words))
}
