//! Titles that share their line with dice, a remark or a paragraph.

use super::{LONG, Pieces, named_roll, titles};
use crate::dice;
use crate::model::Content;
use crate::source::SheetRow;

/// The first line of a sheet: its name, with a remark such as the edition beside it.
pub(super) fn sheet_title(
    row: &SheetRow,
    next: Option<&SheetRow>,
    pieces: &Pieces,
) -> Option<String> {
    let first = pieces.list.iter().all(|piece| matches!(piece.content, Content::Ignored));
    let filled = row.filled();
    let [name, remark] = filled.as_slice() else { return None };
    let figure =
        |text: &str| crate::amount::whole(text).is_some() || crate::band::whole(text).is_some();
    (first
        && row.table.is_none()
        && next.is_none_or(|next| next.gap)
        && titles::is_short_name(&name.text)
        && !figure(&remark.text))
    .then(|| name.text.clone())
}

/// An item of a list above items of its own that roll: "* Tacking" above "    * Roll 2d6".
pub(super) fn nested_title(rows: &[SheetRow]) -> Option<String> {
    let (first, next) = (&rows[0], rows.get(1)?);
    let ([only], [below]) = (first.cells.as_slice(), next.cells.as_slice()) else { return None };
    let nested = first.bullet && next.bullet && below.x.0 > only.x.0 + 1;
    (nested && titles::is_short_name(&only.text) && dice::roll_line(&below.text).is_some())
        .then(|| only.text.trim_end_matches(':').to_owned())
}

/// A title at the start of a paragraph: "MISSILES. Throw one die for each base." or one in bold. The
/// title, and the paragraph without it.
pub(super) fn run_in(rows: &[SheetRow]) -> Option<(String, Vec<SheetRow>)> {
    let first = &rows[0];
    let [only] = first.cells.as_slice() else { return None };
    if first.table.is_some() || first.bullet {
        return None;
    }
    let at = match first.lead {
        Some(lead) => only.text.char_indices().nth(lead).map(|(at, _)| at)?,
        None => only.text.find([':', '.'])?,
    };
    let name = only.text[..at].trim().trim_end_matches(['.', ':']);
    let rest = only.text[at..].trim_start_matches(['.', ':', ' ', '–', '-']);
    let words = (1..=5).contains(&name.split_whitespace().count())
        && name.chars().filter(|c| c.is_alphabetic()).count() >= 4
        && !name.contains(|c: char| c.is_ascii_digit() || c == '=' || c == '+')
        && name.starts_with(char::is_uppercase);
    // "To hit: Regular 4+, Veteran 3+" is a table in a line.
    let targets = super::prose::target_list(rest).is_some();
    let rolled = dice::find(&crate::token::tokens(rest)).is_some();
    // "**Morale** roll 2d6"
    let rolls = first.lead.is_some()
        && crate::token::tokens(rest).first().is_some_and(|t| t.is_any(&["roll", "throw"]));
    let is_content = targets
        || ((rest.split_whitespace().count() >= if rolled { 2 } else { 4 } || rolls)
            && (first.lead.is_some() || rest.starts_with(char::is_uppercase)));
    // Words in bold may be a term: only what rolls is a chart.
    // "Close combat. Each side rolls a d6."
    let says_how = || {
        let end = rest.find(". ").unwrap_or(rest.len());
        // "Opposed roll. Each side rolls …" says how, not what for.
        let how = crate::token::tokens(name).iter().any(|t| t.is_any(&["roll", "rolls", "dice"]));
        let stop = only.text[at..].starts_with('.') && name.split_whitespace().count() <= 3 && !how;
        stop && dice::roll_line(&rest[..end]).is_some_and(|line| line.dice.is_some())
    };
    let fits = match first.lead {
        Some(_) => rolled || targets,
        None => first.gap && (titles::shouts(name) || targets || says_how()),
    };
    if !words || !is_content || !fits || titles::is_subhead(name) {
        return None;
    }
    let end = rows.iter().skip(1).take(LONG).take_while(|row| !row.gap && !row.head).count() + 1;
    let mut own = rows[..end].iter().map(SheetRow::unread_copy).collect::<Vec<_>>();
    own[0].lead = None;
    let cut = only.text.len() - rest.len();
    let bracketed = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let rest = bracketed.filter(|rest| !rest.contains('(')).unwrap_or(rest);
    own[0].cells[0].text = rest.to_owned();
    own[0].cells[0].at.start = (only.at.start + cut).min(only.at.end);
    own[0].cells[0].x.0 += only.text[..cut].chars().count();
    Some((name.to_owned(), own))
}

/// "COMMAND   2D6" on a page: a title and its dice. Two such lines are two sides that roll.
pub(super) fn named_title(rows: &[SheetRow]) -> Option<String> {
    let row = &rows[0];
    let rolled = named_roll(row)?;
    let name = &row.filled().first()?.text;
    let alone = rows.get(1).is_some_and(|next| named_roll(next).is_none() && !next.gap);
    // Below a blank line, it is the title of another chart.
    let others = rows.iter().skip(1).take(12).any(|row| !row.gap && named_roll(row).is_some());
    (row.table.is_none() && row.gap && alone && !others && titles::shouts(name))
        .then(|| format!("{name} ({}d{})", rolled.count, rolled.sides))
}

/// "Crisis test      2 4": a title, and at the margin the numbers of the phases in which it is rolled.
/// The sheet has listed so many phases before.
pub(super) fn phased_title(rows: &[SheetRow], pieces: &Pieces) -> Option<String> {
    let (row, next) = (&rows[0], rows.get(1)?);
    let filled = row.filled();
    let (name, numbers) = filled.split_first()?;
    let listed = pieces.list.iter().map(|piece| match &piece.content {
        Content::Phases(list) => list.len(),
        _ => 0,
    });
    let last = listed.sum();
    let numbers: Vec<usize> = numbers
        .iter()
        .flat_map(|cell| cell.text.split_whitespace())
        .map(|text| text.parse().ok())
        .collect::<Option<_>>()?;
    let phases = numbers.first().is_some_and(|first| *first >= 1)
        && numbers.last().is_some_and(|number| *number <= last)
        && numbers.is_sorted_by(|one, other| one < other);
    let lead = &next.filled().first()?.text;
    let sentence =
        lead.split_whitespace().count() >= 4 && lead.starts_with(|c: char| !c.is_lowercase());
    (row.table.is_none() && row.gap && phases && sentence && titles::is_short_name(&name.text))
        .then(|| name.text.clone())
}

/// "DAMAGE, 1d10" in a spreadsheet: a title and its dice, above a table.
pub(super) fn dice_title(rows: &[SheetRow]) -> Option<String> {
    let (row, next) = (&rows[0], rows.get(1)?);
    let rolled = named_roll(row)?;
    let name = row.filled().first()?.text.clone();
    let table = row.table.is_some() && row.gap && named_roll(next).is_none();
    let above_bands =
        next.filled().first().is_some_and(|cell| crate::band::whole(&cell.text).is_some());
    let above_grid = next.table == row.table && !next.gap && next.filled().len() >= 3;
    (table
        && (name == name.to_uppercase() || (above_bands && row.table == next.table) || above_grid))
        .then(|| format!("{name} ({}d{})", rolled.count, rolled.sides))
}

/// One cell over all columns in the first row of a table with markup.
pub(super) fn merged_title(rows: &[SheetRow]) -> Option<String> {
    let (row, next) = (&rows[0], rows.get(1)?);
    let filled = row.filled();
    let first = filled.first()?;
    (row.table.is_some()
        && row.gap
        && next.table == row.table
        && filled.len() >= 2
        && row.cells.len() == next.cells.len()
        && filled.iter().all(|cell| cell.text == first.text && cell.at == first.at)
        && first.text.chars().filter(|c| c.is_alphabetic()).count() >= 3)
        .then(|| first.text.clone())
}

/// "GUNNERY, Range in yards" in a spreadsheet, above the row with the headings: the title, and the
/// remark beside it.
pub(super) fn table_title(rows: &[SheetRow]) -> Option<(String, String)> {
    let (row, next) = (&rows[0], rows.get(1)?);
    let filled = row.filled();
    let [name, remark] = filled.as_slice() else { return None };
    let words = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    (row.table.is_some()
        && row.gap
        && next.table == row.table
        && !next.gap
        && next.filled().len() >= 4
        && titles::shouts(&name.text)
        && words(&remark.text))
    .then(|| (name.text.clone(), remark.text.clone()))
}

/// "AGILITY TABLE, , Agility rolls, (D6)" in a spreadsheet: a title with remarks beside it, one of them
/// its dice.
pub(super) fn wide_title(rows: &[SheetRow]) -> Option<String> {
    let (row, next) = (&rows[0], rows.get(1)?);
    let filled = row.filled();
    let (name, remarks) = filled.split_first().filter(|(_, remarks)| remarks.len() >= 2)?;
    let texts: Vec<&str> = remarks.iter().map(|cell| cell.text.as_str()).collect();
    let (rolled, ..) = dice::find(&crate::token::tokens(&texts.join(" ")))?;
    let bracket = texts.last()?.starts_with('(');
    (row.table.is_some()
        && row.gap
        && next.table == row.table
        && rolled.named
        && bracket
        && titles::shouts(&name.text))
    .then(|| format!("{} ({}d{})", name.text, rolled.count, rolled.sides))
}

/// A title with its dice: "DAMAGE (roll 1d6 per hit)", "FIRE (2d6 + skill)", or a sentence in the cell
/// beside it. Returns the title, and what is said of the roll.
pub(super) fn title_with_roll(row: &SheetRow) -> Option<(String, String)> {
    let mut filled = row.filled();
    filled.retain(|cell| !["-", "–", "—"].contains(&cell.text.as_str()));
    let (head, inside) = match filled.as_slice() {
        [only] => {
            let text = &only.text;
            let bracket = || text.strip_suffix(')')?.split_once('(');
            let dash = || [" - ", " – ", " — ", ": "].iter().find_map(|mark| text.split_once(mark));
            let (head, inside) = bracket().or_else(dash)?;
            (head.trim().to_owned(), inside.to_owned())
        }
        [head, second] => (head.text.clone(), second.text.clone()),
        _ => return None,
    };
    let bracketed = inside.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let (inside, apart) = match bracketed {
        Some(text) => (text.to_owned(), true),
        None => (inside, false),
    };
    let name = titles::without_number(&head);
    let bracket = filled.len() == 1 && row.text().ends_with(')');
    let short = (1..=5).contains(&name.split_whitespace().count())
        && !name.contains(['.', '='])
        && (bracket || !name.contains(':'));
    let capital = name.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase)
        && name.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    let words = crate::token::tokens(&inside);
    let both = titles::shouts(name) && words.first().is_some_and(|t| t.is_any(&["both", "each"]));
    let verbs = ["roll", "rolls", "throw", "throws"];
    let rolled = words.first().is_some_and(|t| t.is_any(&["roll", "throw"]))
        || (both && words.iter().skip(1).take(2).any(|t| t.is_any(&verbs)));
    let dice_first = dice::find(&words).is_some_and(|(dice, at, _)| dice.named && at == 0);
    let thrown = words.iter().take(4).any(|t| t.is_any(&verbs)) && dice::find(&words).is_some();
    let is_roll = match filled.len() {
        // "Wounds - roll d6" is all that the line says.
        1 if !row.text().ends_with(')') => {
            let only = dice::find(&words).is_some_and(|(_, _, next)| next >= words.len());
            rolled && row.gap && (titles::shouts(name) || (only && titles::is_short_name(name)))
        }
        1 => rolled || (dice_first && !dice::values(&inside).is_empty()),
        // "MORALE   Roll 2d6": not the roll of one of two sides.
        _ => {
            let adds = dice_first && (!dice::values(&inside).is_empty() || words.len() >= 6);
            // "Spotting   2d6 per section" in a spreadsheet.
            let tabled = row.table.is_some()
                && (dice_first || thrown)
                && words.len() <= 9
                && dice::whole(&inside).is_none();
            (rolled || apart || adds || tabled)
                && row.gap
                && (titles::shouts(name) || (tabled && titles::is_short_name(name)))
        }
    };
    let complete = both || (thrown && !rolled);
    let line = if complete {
        dice::roll_line(&inside)?
    } else {
        dice::roll_line(&format!("Roll {inside}"))?
    };
    let named = line.dice.is_some_and(|dice| dice.named || (rolled && titles::shouts(name)));
    (short && capital && is_roll && named && (complete || !line.both)).then(|| {
        (name.to_owned(), if rolled || complete { inside } else { format!("Roll {inside}") })
    })
}

/// "SPOTTING   1d10": the name, and the dice as a sentence.
pub(super) fn of_named(row: &SheetRow) -> (String, String) {
    let filled = row.filled();
    let text = |place: usize| filled.get(place).map(|c| c.text.clone()).unwrap_or_default();
    (text(0), format!("Roll {}", text(1)))
}

/// A row with dice that OCR misread, read as dice.
pub(super) fn mended_dice(row: &SheetRow) -> Option<(SheetRow, String)> {
    let mut own = row.unread_copy();
    let mut mended = None;
    for cell in &mut own.cells {
        if let Some((text, read)) = dice::mended(&cell.text) {
            cell.text = text;
            mended = Some(read);
        }
    }
    mended.map(|read| (own, read))
}

/// "* Roll 1d6: on a 1 the tank is stuck" below a table: a remark on some of its cells.
pub(super) fn is_footnote(row: &SheetRow, next: Option<&SheetRow>, pieces: &Pieces) -> bool {
    let below = pieces.list.last().is_some_and(|piece| {
        matches!(piece.content, Content::Grid(_) | Content::Bands(_))
            && piece.lines.1 + 1 == row.line
    });
    let alone = next.is_none_or(|next| !next.bullet);
    row.bullet
        && !row.gap
        && below
        && alone
        && dice::find(&crate::token::tokens(&row.text())).is_some()
}

/// The rolls since the last title of a chart, the last one first. "Firer:" above modifiers is no such
/// title if the firer has just rolled.
pub(super) fn last_rolls(pieces: &Pieces) -> Vec<dice::RollLine> {
    let mut rolls: Vec<dice::RollLine> = Vec::new();
    let mut sides: Vec<String> = Vec::new();
    let mut list = false;
    for piece in pieces.list.iter().rev().take(12) {
        match &piece.content {
            Content::Title(title) if titles::is_subhead(title) => {}
            Content::Title(title) if rolls.is_empty() && list && !title.contains(' ') => {
                sides.push(title.to_lowercase());
            }
            Content::Title(_) => break,
            Content::Roll(roll) => rolls.push(roll.clone()),
            _ => {}
        }
        list = matches!(piece.content, Content::Modifiers(_));
    }
    let named = |roll: &dice::RollLine| {
        let who = roll.who.as_deref().unwrap_or_default().to_lowercase();
        sides.iter().any(|side| who.split(' ').any(|word| word == side))
    };
    if sides.is_empty() || rolls.iter().any(named) { rolls } else { Vec::new() }
}
