//! Sentences. Dice, signed figures with a condition, and runs of bands are read out of them; the whole
//! paragraph is kept as a note beside them, so that nothing is lost.

mod clauses;
mod natural;
mod runs;
mod targets;
mod values;

use super::{Context, Pieces, table_or_list, titles};
use crate::amount::{self, Amount};
use crate::band::{self, Band};
use crate::dice;
use crate::model::{Against, BandRow, BandTable, Content, GuessKind, Modifier, PrintedCell};
use crate::num::Num;
use crate::source::SheetRow;
use crate::token::tokens;
use clauses::clauses;
use runs::runs;
use values::values_in_sentences;

pub(crate) use targets::target_list;

/// The longest paragraph that is searched.
const LONGEST: usize = 4000;

/// In how many rows of a table with markup that was not read another start is looked for.
const MOST_TRIED: usize = 4;

/// Reads a paragraph and returns how many rows it took.
pub(crate) fn read(rows: &[SheetRow], context: &mut Context, pieces: &mut Pieces) -> usize {
    let taken = paragraph(rows, context);
    let text = rows[..taken].iter().map(SheetRow::text).collect::<Vec<_>>().join(" ");
    if is_garbage(&text) {
        pieces.push(Content::NotUnderstood(text), &rows[..taken]);
        return taken;
    }
    // Two sentences beside each other are two charts that were not parted.
    let long = |row: &SheetRow| {
        row.filled().iter().filter(|cell| cell.text.split_whitespace().count() >= 6).count() >= 2
    };
    let mixed = rows[0].table.is_none() && rows[..taken].iter().any(long);
    if text.len() <= LONGEST && !mixed {
        search(&text, &rows[..taken], context, pieces);
    }
    let cells = rows[..taken].iter().map(|row| row.filled().len()).max().unwrap_or(0);
    // Figures in columns that no reader took.
    let in_columns = cells >= 2 && {
        let all = tokens(&text);
        let figures = all.iter().filter(|t| t.num().is_some()).count();
        (cells >= 3 && figures * 2 >= all.len())
            || (figures >= 2 && text.len() < 80 && rows[0].table.is_some())
    };
    let kept = if in_columns { Content::NotUnderstood(text) } else { Content::Note(text) };
    pieces.push(kept, &rows[..taken]);
    taken
}

/// The rows of a paragraph: until a gap, or until another reader takes the rest.
fn paragraph(rows: &[SheetRow], context: &Context) -> usize {
    let mut taken = 1;
    while taken < rows.len().min(200) {
        let row = &rows[taken];
        let goes_on = row.strip > 0
            && wrapped(&rows[taken - 1], row)
            && !(row.text().split_whitespace().count() <= 5 && titles::is_title(&rows[taken..]));
        if (row.gap && !goes_on)
            || row.head
            || row.furniture
            || row.table != rows[0].table
            || row.bullet
            || (row.table.is_some() && titles::is_subhead(&row.text()))
        {
            break;
        }
        // No table starts in the middle of another.
        if row.table.is_some() && taken > MOST_TRIED {
            taken += 1;
            continue;
        }
        // "On a" at the end of a line: the sentence goes on.
        if row.table.is_none() && rows[taken - 1].filled().len() == 1 && is_open(&rows[taken - 1]) {
            taken += 1;
            continue;
        }
        let lower = row.text().chars().next().is_some_and(char::is_lowercase);
        let table_like = row.filled().len() >= 2 || band::prefix(&tokens(&row.text())).is_some();
        if !lower || table_like {
            let mut dry = Pieces::default();
            let limit = rows.len().min(taken + 10);
            if table_or_list(&rows[taken..limit], context, &mut dry).is_some() {
                break;
            }
            let named = row.text() == row.text().to_uppercase()
                || (!row.gap && rows[taken - 1].text().ends_with(['.', ':', ')']));
            if named && titles::is_title(&rows[taken..limit]) {
                break;
            }
            if super::named_roll(row).is_some()
                || (row.filled().len() == 1 && super::is_plain_roll(row))
            {
                break;
            }
            if dice::roll_line(&row.text()).is_some()
                && rows[taken - 1].text().trim_end().ends_with(['.', ':'])
            {
                break;
            }
        }
        taken += 1;
    }
    taken
}

/// Tells if a line ends in the middle of a sentence.
pub(crate) fn is_open(row: &SheetRow) -> bool {
    const OPEN: [&str; 16] = [
        "a", "an", "the", "of", "on", "to", "and", "or", "by", "with", "is", "natural", "than",
        "at", "for", "is",
    ];
    let text = row.text();
    let long = text.split_whitespace().count() >= 4;
    long && text.rsplit(' ').next().is_some_and(|word| OPEN.contains(&word.to_lowercase().as_str()))
}

/// Tells if a line goes on with the one before. Where columns stand side by side, a blank line may
/// be the height of another column's line.
fn wrapped(before: &SheetRow, row: &SheetRow) -> bool {
    let (last, next) = (before.text(), row.text());
    let open = !last.trim_end().ends_with(['.', ':', '!', '?']);
    let lower = next.chars().next().is_some_and(char::is_lowercase);
    row.line <= before.line + 2
        && open
        && (lower || last.chars().count() >= 40)
        && before.filled().len() == 1
        && row.filled().len() == 1
}

/// A text of symbols: a broken font or a picture.
fn is_garbage(text: &str) -> bool {
    let all = text.chars().filter(|c| !c.is_whitespace()).count();
    let strange = text
        .chars()
        .filter(|c| {
            !c.is_alphanumeric()
                && !c.is_whitespace()
                && !".,;:!?'\"()[]-–—−+/%&#*=<>≤≥½¼¾×±•“”’‘…$°→←".contains(*c)
        })
        .count();
    let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
    all >= 4 && (strange * 4 > all || (letters * 3 < all && all > 6))
}

/// Tells if a sentence holds more than its dice: bands, modifiers or numbers to reach.
pub(crate) fn has_more(text: &str) -> bool {
    !clauses(text).is_empty() || runs(text).len() >= 2 || has_targets(text)
}

/// Tells if a sentence lists numbers that dice must reach.
pub(crate) fn has_targets(text: &str) -> bool {
    targets::is_said(text).is_some()
}

fn search(text: &str, rows: &[SheetRow], context: &mut Context, pieces: &mut Pieces) {
    for part in by_roller(text) {
        search_part(&part, rows, context, pieces);
    }
}

/// A paragraph, parted where another side rolls: "The attacker rolls … The defender rolls …".
fn by_roller(text: &str) -> Vec<String> {
    if sentences(text) == [text] || runs(text).len() >= 2 {
        return vec![text.to_owned()];
    }
    let mut parts: Vec<String> = Vec::new();
    let mut last: Option<String> = None;
    for sentence in sentences(text) {
        let who = dice::roll_line(sentence)
            .filter(|line| line.dice.is_some_and(|dice| dice.named))
            .and_then(|line| line.who);
        match parts.last_mut() {
            Some(part) if who.is_none() || last.is_none() || who == last => {
                part.push(' ');
                part.push_str(sentence);
            }
            _ => parts.push(sentence.to_owned()),
        }
        last = who.or(last);
    }
    parts
}

fn search_part(text: &str, rows: &[SheetRow], context: &mut Context, pieces: &mut Pieces) {
    let at = rows[0].at().start..rows.last().map_or(0, |row| row.at().end);
    let line = rows[0].line;
    let clauses = clauses(text);
    let naturals = natural::naturals(text);
    let mut bands = runs(text);
    bands.retain(|(band, _)| !band.natural);
    if bands.len() < 2 {
        bands.clear();
    }
    let grid = targets::in_sentences(text, &at, line);
    if let Some(mut rolled) = own_roll(text, &clauses, &bands, context) {
        if grid.is_some() {
            (rolled.test, rolled.needs) = (None, Some(dice::Needs::OrMore));
        }
        let whole = text.len() == rows_text(rows);
        if (context.rolled || named_before(text).is_some())
            && whole
            && let Some(name) = named_before(text)
                .or_else(|| run_in_title(text))
                .or_else(|| context.run_in.then(|| opening(text)))
        {
            context.run_in = true;
            pieces.push(Content::Title(name), &rows[..1]);
        }
        context.rolled = true;
        pieces.push(Content::Roll(rolled), rows);
        let sentence = sentences(text).into_iter().find(|text| dice::roll_line(text).is_some());
        if let Some(list) = sentence.and_then(|sentence| super::values(sentence, &rows[0])) {
            pieces.push(list, rows);
        }
    }
    for (grid, sentence) in values_in_sentences(text, &at, line) {
        pieces.guess(GuessKind::Sentence, line, at.clone(), &sentence);
        pieces.push(Content::Grid(grid), rows);
    }
    if !context.rolled {
        if let Some(grid) = grid.filter(|_| context.titled) {
            pieces.push(Content::Grid(grid), rows);
        }
        return;
    }
    if bands.len() >= 2 && sentences(text).into_iter().all(|text| dice::roll_line(text).is_none()) {
        pieces.guess(GuessKind::Sentence, line, at.clone(), text);
    }
    if let Some(grid) = grid {
        pieces.push(Content::Grid(grid), rows);
    }
    let list: Vec<Modifier> = clauses
        .into_iter()
        .map(|(amount, label)| Modifier {
            amount: amount::counted(amount, &label),
            label: PrintedCell { text: label, at: at.clone() },
            line,
            guessed: false,
        })
        .collect();
    if !list.is_empty() {
        pieces.push(Content::Modifiers(list), rows);
    }
    if bands.len() >= 2 {
        let rows_made = bands
            .into_iter()
            .map(|(band, text)| BandRow {
                band,
                cells: vec![PrintedCell { text, at: at.clone() }],
                line,
                guessed: false,
                when: None,
            })
            .collect();
        let mut table =
            BandTable { columns: vec![String::new()], rows: rows_made, ..BandTable::default() };
        if table.rows[1].band.is_before(&table.rows[0].band) {
            table.rows.reverse();
        }
        if says_margin(text) {
            missed_by(&mut table, text, &at, line, pieces);
        }
        pieces.push(Content::Bands(table), rows);
    }
    if !naturals.is_empty() {
        for natural in &naturals {
            pieces.guess(GuessKind::Sentence, line, at.clone(), &natural.result);
        }
        let row = |natural: natural::Natural| BandRow {
            band: natural.band,
            cells: vec![PrintedCell { text: natural.result, at: at.clone() }],
            line,
            guessed: natural.besides,
            when: None,
        };
        let rows_made = naturals.into_iter().map(row).collect();
        let table =
            BandTable { columns: vec![String::new()], rows: rows_made, ..BandTable::default() };
        pieces.push(Content::Bands(table), rows);
    }
}

/// Tells if the rows of a sentence are by the margin of a failed test.
fn says_margin(text: &str) -> bool {
    tokens(text).windows(2).any(|pair| {
        pair[0].is_any(&["fail", "fails", "failed", "failing", "miss", "missed"])
            && pair[1].is("by")
    })
}

/// "Equal to or less than Courage = pass. Fail by 1-3 = fall back": the rows are for what the roll is
/// above the value.
fn missed_by(
    table: &mut BandTable,
    text: &str,
    at: &std::ops::Range<usize>,
    line: u32,
    pieces: &mut Pieces,
) {
    let value = match dice::test_in(text) {
        Some(dice::Test::AtMostValue(name)) => name,
        _ => {
            pieces.guess(GuessKind::Sentence, line, at.clone(), text);
            return;
        }
    };
    table.against = Some(Against::Value(crate::capital(&value)));
    let first = table.rows.first().and_then(|row| row.band.low());
    if first == Some(Num::whole(1)) {
        let cell = PrintedCell { text: "Pass".to_owned(), at: at.clone() };
        let band = Band { from: None, to: Some((Num::whole(0), true)), natural: false };
        let pass = BandRow { band, cells: vec![cell], line, guessed: true, when: None };
        table.rows.insert(0, pass);
    }
}

/// The roll of a paragraph. After another roll, only a paragraph with its own dice before its own rows
/// or modifiers starts a new one: dice inside a result belong to the result.
fn own_roll(
    text: &str,
    clauses: &[(Amount, String)],
    bands: &[(Band, String)],
    context: &Context,
) -> Option<dice::RollLine> {
    // What an introduction says of dice is no chart; rows or numbers to reach are.
    if !context.titled && bands.len() < 2 && targets::is_said(text).is_none() {
        return None;
    }
    let first = sentences(text)
        .into_iter()
        .enumerate()
        .find_map(|(place, text)| Some((place, dice::roll_line(text)?)));
    // "…, 1d6: 1 to 3 left, 4 to 6 right": dice before their rows, without a verb.
    let (place, mut rolled) = match first {
        Some(first) => first,
        None if bands.len() >= 2 => {
            let tokens = tokens(text);
            let named = (0..tokens.len()).rev().find_map(|at| {
                let (dice, first, next) = dice::find(&tokens[at..])?;
                (first == 0 && dice.named && tokens.get(at + next)?.sign(':')).then_some(dice)
            })?;
            let dice = Some(named);
            (0, dice::RollLine { dice, ..dice::RollLine::default() })
        }
        None => return None,
    };
    if rolled.test.is_none() && bands.len() < 2 {
        rolled.test = dice::test_in(text);
        rolled.total = rolled.test.as_ref().is_some_and(|test| dice::of_total(test, text));
    }
    if rolled.dice.is_none() && rolled.test.is_none() {
        return None;
    }
    let named = rolled.dice.is_some_and(|dice| dice.named);
    let leads = match bands.first() {
        Some((_, words)) if bands.len() >= 2 => {
            let start = text.find(words.as_str()).unwrap_or(0);
            let dice = dice::find(&tokens(text)).map(|(_, at, _)| at);
            dice.is_some_and(|at| at < tokens(&text[..start]).len())
        }
        _ => place == 0 && (!clauses.is_empty() || !dice::values(text).is_empty()),
    };
    (!context.rolled || (named && leads)).then_some(rolled)
}

/// The length of the text of some rows.
fn rows_text(rows: &[SheetRow]) -> usize {
    rows.iter().map(SheetRow::text).collect::<Vec<_>>().join(" ").len()
}

/// The first words of a paragraph, as a name for what it rolls.
fn opening(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(4).collect();
    words.join(" ").trim_end_matches([',', '.', ';', ':']).to_owned()
}

/// "Weather. Before the game …" or "rolls a d6 for injury: …": the name of what a paragraph rolls.
fn run_in_title(text: &str) -> Option<String> {
    let (first, rest) = text.split_once(". ").unwrap_or((text, ""));
    let words = first.split_whitespace().count();
    let capital = first.chars().next().is_some_and(char::is_uppercase);
    if capital && words <= 3 && !rest.is_empty() && tokens(first).iter().all(|t| t.word().is_some())
    {
        return Some(first.to_owned());
    }
    let tokens = tokens(text);
    // "In melee both players …"
    if tokens.first()?.is("in")
        && tokens.get(2)?.is_any(&["both", "each", "the", "roll", "all"])
        && let Some(word) = tokens.get(1)?.word()
    {
        return Some(crate::capital(word));
    }
    let (_, _, next) = dice::find(&tokens)?;
    let purpose = tokens.get(next)?.is("for") && tokens.get(next + 2)?.sign(':');
    tokens.get(next + 1).filter(|_| purpose)?.word().map(crate::capital)
}

/// "Weather" of "Weather, roll 1d6 at start: 1 storm; 2-6 dry" and of "Weather: roll 1d6. On a 1 …".
fn named_before(text: &str) -> Option<String> {
    let (name, rest) = [", ", ": ", " - ", " – ", " — "]
        .into_iter()
        .filter_map(|mark| text.split_once(mark))
        .min_by_key(|(name, _)| name.len())?;
    let first = rest.split('.').next().unwrap_or(rest);
    let colon = text[name.len()..].starts_with(": ");
    // "Bottle test: when a quarter of the gang is down, roll 2d6"
    let later = || colon && tokens(first).iter().any(|t| t.is_any(&["roll", "rolls"]));
    let rolls = tokens(rest).first().is_some_and(|t| t.is_any(&["roll", "throw"])) || later();
    let joint = [
        "To", "One", "Two", "Each", "Every", "Before", "After", "When", "If", "Then", "At", "On",
        "In", "For", "Once", "While",
    ];
    let named = name.split_whitespace().count() <= 3
        && name.starts_with(char::is_uppercase)
        && !joint.contains(&name.split(' ').next().unwrap_or_default())
        && name.chars().all(|c| c.is_alphabetic() || c == ' ');
    (rolls && named).then(|| name.to_owned())
}

fn sentences(text: &str) -> Vec<&str> {
    text.split_inclusive(['.', ';']).map(str::trim).filter(|s| !s.is_empty()).collect()
}
