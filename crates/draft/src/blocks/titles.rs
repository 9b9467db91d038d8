//! Titles and subheads.

use crate::source::{RowCell, SheetRow};
use crate::token::tokens;
use crate::{amount, band, dice};

/// Subheads that name a part of a chart, not a chart.
const SUBHEADS: [&str; 30] = [
    "modifiers",
    "modifier",
    "drm",
    "drms",
    "die roll modifiers",
    "dice modifiers",
    "roll modifiers",
    "die modifiers",
    "result",
    "results",
    "effects",
    "effect",
    "notes",
    "note",
    "outcome",
    "outcomes",
    "table",
    "die roll",
    "bonuses",
    "penalties",
    "mods",
    "mod",
    "modifikatoren",
    "ergebnis",
    "ergebnisse",
    "wirkung",
    "modificateurs",
    "modificateur",
    "résultat",
    "résultats",
];

/// A title as it is shown: without colon, leaders and a leading number of its section.
pub(crate) fn shown(text: &str) -> String {
    let text = crate::token::tidy(text);
    let text = if shouts(&text) { text.replace('l', "I") } else { text };
    let text = text
        .trim_end_matches([':', '.', '-', '–', ' '])
        .trim_start_matches(['~', '=', '_', ' ', '*', '-', '–', '—'])
        .trim_end_matches(['~', '=', '_', ' ', '-', '–', '—']);
    let tokens = tokens(text);
    // "3.2 Morale", "IV. Morale"
    if let (Some(first), Some(second)) = (tokens.first(), tokens.get(1))
        && first.num().is_some()
        && (second.sign('.')
            || second.sign(')')
            || first.num().is_some_and(|n| n.as_whole().is_none()))
    {
        let from = if second.word().is_some() { second.start } else { second.end };
        let rest: String = text.chars().skip(from).collect();
        let rest = rest.trim_start_matches(['.', ' ']).trim();
        if rest.chars().any(char::is_alphabetic) {
            return rest.to_owned();
        }
    }
    text.to_owned()
}

/// A name in capitals, also where OCR took an I for an l.
pub(crate) fn shouts(name: &str) -> bool {
    let read = name.replace('l', "I");
    read == read.to_uppercase() && name.chars().filter(|c| c.is_uppercase()).count() >= 3
}

/// A title without the number of its section: "2. GUNNERY" is "GUNNERY".
pub(crate) fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let marked = rest.len() < text.len() && text.starts_with(|c: char| c.is_ascii_digit());
    let rest = rest.strip_prefix(')').unwrap_or(rest);
    let dotted = text[..text.len() - rest.len()].contains(['.', ')']);
    match rest.strip_prefix(' ') {
        Some(name) if marked && dotted && !name.trim().is_empty() => name.trim(),
        _ => text,
    }
}

/// A title in capitals without the letter of its section: "B. GUNNERY" is "GUNNERY".
fn without_letter(text: &str) -> &str {
    let mut chars = text.chars();
    let lettered = chars.next().is_some_and(char::is_uppercase) && chars.as_str().starts_with(". ");
    match text.split_once(". ") {
        Some((_, name)) if lettered && shouts(without_bracket(name)) => name,
        _ => text,
    }
}

/// A title without a remark in brackets: "ARMOUR (mm)" is "ARMOUR".
pub(crate) fn without_bracket(text: &str) -> &str {
    text.split(" (").next().unwrap_or(text)
}

pub(crate) fn is_subhead(text: &str) -> bool {
    let lower = text.to_lowercase();
    // "DRM (cumulative)"
    let name = lower.split_once(" (").map_or(lower.as_str(), |(name, _)| name);
    SUBHEADS.contains(&name.trim_matches(|c: char| !c.is_alphanumeric())) || tells_to_add(text)
}

/// "Add or deduct", "Modify the Courage value", "Apply these": a list of modifiers follows.
fn tells_to_add(text: &str) -> bool {
    let tokens = tokens(text);
    let verb = tokens.first().is_some_and(|t| {
        t.is_any(&["add", "adds", "deduct", "subtract", "modify", "adjust", "apply"])
    });
    verb && tokens.len() <= 8
        && tokens.iter().all(|t| t.word().is_some() || t.sign('/') || t.sign(':'))
}

pub(crate) fn announces_modifiers(text: &str) -> bool {
    let lower = text.to_lowercase();
    tells_to_add(text)
        || ["modifier", "drm", "bonus", "penalt", "modifikator", "modificateur"]
            .iter()
            .any(|word| lower.contains(word))
}

/// "To hit", "Saves", "Hits on": numbers that dice must reach follow.
pub(crate) fn speaks_of_reach(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["hit", "save", "wound", "damage", "needed"].iter().any(|word| lower.contains(word))
}

pub(crate) fn is_turn(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()).collect();
    let named = |word: &&str| ["turn", "round", "spielzug", "ablauf"].contains(word);
    // "2D6 on the turn asked for" says what is rolled.
    if words.len() > 6 || dice::find(&tokens(text)).is_some() {
        return false;
    }
    (words.len() <= 2 && words.iter().any(named))
        || [
            "turn sequence",
            "sequence of play",
            "turn order",
            "order of play",
            "phases",
            "game turn",
            "turn summary",
            "order of events",
            "the turn",
            "sequence",
        ]
        .iter()
        .any(|words| lower.contains(words))
}

/// Tells if the first row is a title.
pub(crate) fn is_title(rows: &[SheetRow]) -> bool {
    let row = &rows[0];
    let mut cells = row.filled();
    // "2  PEF MOVEMENT": a number before the title.
    if let [first, second] = cells.as_slice()
        && first.text.len() == 1
        && first.text.chars().all(|c| c.is_ascii_digit())
        && second.text == second.text.to_uppercase()
        && second.text.chars().filter(|c| c.is_alphabetic()).count() >= 4
        && row.gap
    {
        cells.remove(0);
    }
    if let [first, second] = cells.as_slice()
        && row.gap
        && row.table.is_none()
        && has_remark(first, second, rows.get(1))
    {
        return true;
    }
    if is_widened(rows, &cells) {
        return true;
    }
    let [only] = cells.as_slice() else { return false };
    // "--- SHOOTING ---"
    let text = only.text.trim_matches(['-', '=', '~', '–', '—', ' ']);
    let text = if shouts(text) { text } else { only.text.as_str() };
    // "1. GUNNERY": the number of a section, not of an item in a list.
    let name = without_number(text);
    let text = if name != text && row.gap && shouts(without_bracket(name)) { name } else { text };
    // "2. Movement (cm)" above something else than "3. …".
    let counted = name != text && row.gap && row.table.is_none() && is_section(text, rows.get(1));
    if counted && is_short_name(without_bracket(name)) && name.split_whitespace().count() <= 6 {
        return true;
    }
    if row.table.is_some() && !row.gap {
        // A title of its own above the headings of a table in a spreadsheet.
        return is_subhead(text)
            || is_short_name(text)
                && rows.get(1).is_some_and(|next| {
                    next.table == row.table && !next.gap && next.filled().len() >= 3
                });
    }
    let alone = row.gap && rows.get(1).is_none_or(|next| next.gap);
    // "Regular 4+, Veteran 3+" is a table in a line.
    if text.contains('=') || super::prose::target_list(text).is_some() {
        return false;
    }
    if row.bullet || !(is_short_name(text) || (alone && is_longer_name(text))) {
        return false;
    }
    let (shouted, _) = dice::of_title(text);
    let shouted = without_bracket(&shouted);
    let upper = text.chars().any(char::is_alphabetic)
        && shouts(shouted)
        && shouted.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    let Some(next) = rows.get(1) else { return upper || row.gap };
    // "Combat Results Table" below the name of the sheet.
    if names_table(text) {
        return true;
    }
    if upper || row.table.is_some() {
        return true;
    }
    if text.ends_with(':') {
        return dice::roll_line(text).is_none();
    }
    stands_over(rows, next, text)
}

/// Tells a title with a remark beside it.
fn has_remark(first: &RowCell, second: &RowCell, next: Option<&SheetRow>) -> bool {
    // "Melee      Option: off unless ticked"
    let sentence_below = || {
        next.is_some_and(|next| {
            next.filled().len() == 1
                && next.text().split_whitespace().count() >= 5
                && next.text().chars().next().is_some_and(char::is_uppercase)
        })
    };
    let words = |cell: &RowCell| cell.text.split_whitespace().count();
    if is_short_name(&first.text) && words(first) <= 5 && words(second) >= 4 && sentence_below() {
        return true;
    }
    // "COMBAT RESULTS   (attacker minus defender)"
    shouts(&first.text)
        && is_short_name(&first.text)
        && second.text.starts_with('(')
        && second.text.ends_with(')')
}

/// Tells a title whose blanks OCR widened: "MOVE  RATES   (in centimetres)".
fn is_widened(rows: &[SheetRow], cells: &[&RowCell]) -> bool {
    let row = &rows[0];
    let fits = row.table.is_none()
        && row.gap
        && (2..=4).contains(&cells.len())
        && rows.get(1).is_some_and(|next| next.gap)
        && cells.windows(2).all(|pair| pair[1].x.0 <= pair[0].x.1 + 4);
    let text = if fits { row.text() } else { return false };
    let name = text.split(" (").next().unwrap_or_default();
    shouts(name) && is_short_name(name)
}

/// Tells if a line stands between blank lines, or heads something.
fn stands_over(rows: &[SheetRow], next: &SheetRow, text: &str) -> bool {
    let row = &rows[0];
    // "Hedges" above "5 cm" is the heading of a column that was copied by itself.
    let value = next.filled().len() == 1 && band::whole(&next.text()).is_some();
    // "Armour save" above "Leather 6+".
    let reach = |row: &SheetRow| {
        let text = row.text();
        text.rsplit_once(' ').is_some_and(|(name, number)| {
            number.ends_with('+') && crate::link::target(number).is_some() && is_short_name(name)
        })
    };
    let heads = next.filled().len() >= 2
        || rows.iter().skip(1).take(2).any(reach)
        || amount::beside(&next.text()).is_some()
        || dice::roll_line(&next.text()).is_some()
        || (begins_with_band(&next.text()) && !value);
    let capitals = text
        .split_whitespace()
        .filter(|w| w.len() > 3)
        .all(|w| w.chars().next().is_some_and(|c| !c.is_lowercase()));
    let closed = next.text().chars().next().is_some_and(|c| !c.is_lowercase());
    let words = text.split_whitespace().count();
    // OCR drops blank lines: a name above the sentence that says what is rolled.
    let rolls = next.filled().len() == 1
        && next.text().split_whitespace().count() >= 4
        && dice::roll_line(&next.text()).is_some_and(|line| line.dice.is_some());
    let plain = row.table.is_none() && !text.contains([',', '.', ':']);
    if !row.gap && rolls && plain && words <= 5 && (capitals || row.strip > 0 || next.gap) {
        return true;
    }
    let named = words <= 3 || is_named(text);
    let below = next.text();
    let ended = words <= 4 && below.ends_with(['?', '.']);
    let sentence = closed && below.split_whitespace().count() >= if ended { 3 } else { 5 };
    // A line of its own above a paragraph.
    let paragraph = next.gap && closed && words <= 8 && next.text().split_whitespace().count() >= 8;
    row.gap
        && ((next.gap && closed && named)
            || (paragraph && row.table.is_none() && !text.contains([',', ':', '.']))
            || (heads && (named || words <= 5))
            || (sentence && (capitals || words <= 6)))
}

/// Tells if the next line does not count on: the number is that of a section, not of an item.
pub(crate) fn is_section(text: &str, next: Option<&SheetRow>) -> bool {
    let number = |text: &str| {
        let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().ok()
    };
    let own = number(text);
    next.is_some_and(|next| {
        let counts = number(&next.text());
        (counts.is_none() || counts != own.map(|n| n + 1)) && !next.text().starts_with("1.")
    })
}

/// A name in capital letters that ends with "table" or "chart".
pub(crate) fn names_table(text: &str) -> bool {
    let last = text.rsplit(' ').next().unwrap_or_default().to_lowercase();
    ["table", "chart", "tabelle"].contains(&last.as_str())
        && text.split_whitespace().count() >= 2
        && text.split_whitespace().all(|w| w.chars().next().is_some_and(char::is_uppercase))
}

fn begins_with_band(text: &str) -> bool {
    band::prefix(&tokens(text)).is_some()
}

/// At least half of the longer words have a capital.
fn is_named(text: &str) -> bool {
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|w| w.chars().filter(|c| c.is_alphabetic()).count() > 3)
        .collect();
    let capital = words
        .iter()
        .filter(|w| w.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase))
        .count();
    capital * 2 >= words.len()
}

fn is_longer_name(text: &str) -> bool {
    text.chars().count() <= 90
        && text.split_whitespace().count() <= 12
        && is_named(text)
        && !text.ends_with(['.', ',', ';', '!', '?'])
        && !text.contains(". ")
        && text.chars().next().is_some_and(char::is_uppercase)
}

pub(crate) fn is_short_name(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 2
        && !text.contains('=')
        && !(text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().nth(1) == Some(','))
        && text.chars().count() <= 70
        && text.split_whitespace().count() <= 9
        && !text.ends_with(['.', ',', ';'])
        && (shouts(text) || !text.ends_with(['!', '?']))
        && !without_letter(text).contains(". ")
        && text.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase)
        && letters * 2 >= text.chars().filter(|c| !c.is_whitespace()).count()
}
/// A title with a capital in the middle of a word, as OCR reads small capitals: "WounpDs". The capital
/// shows that letters near it may be misread, too.
pub(crate) fn mended(title: &str) -> Option<String> {
    let inner = |word: &str| {
        let letters: Vec<char> = word.chars().collect();
        let at = letters.windows(2).position(|w| w[0].is_lowercase() && w[1].is_uppercase())?;
        let rest = letters[at + 2..].iter().take_while(|c| c.is_lowercase()).count();
        // "DropZone" and "MacLeod" are names.
        let odd = at >= 2 && rest < 3 && letters[0].is_uppercase() && letters.len() >= 5;
        (odd && letters.iter().all(|c| c.is_alphabetic())).then_some(())
    };
    let mend = |word: &str| match inner(word) {
        Some(()) => crate::capital(&word.to_lowercase()),
        None => word.to_owned(),
    };
    let read = title.split(' ').map(mend).collect::<Vec<_>>().join(" ");
    (read != title).then_some(read)
}
