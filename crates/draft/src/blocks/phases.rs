//! The phases of a turn, under a heading that says so.

use super::{Context, Taken};
use crate::model::{Content, Definition, PrintedCell};
use crate::source::SheetRow;
use crate::token::{Tok, rest, tokens};

pub(crate) fn read(rows: &[SheetRow], context: &Context) -> Option<Taken> {
    // "1. SPOTTING (D10)" after the turn is the title of the first section.
    let first = rows[0].text();
    if section(&rows[0], rows.get(1)) && super::titles::is_section(&first, rows.get(1)) {
        return None;
    }
    let mut list: Vec<Definition> = Vec::new();
    let mut taken = 0;
    let mut numbered = None;
    while let Some(row) = rows.get(taken) {
        if row.head
            || row.furniture
            || (taken > 0 && (section(row, rows.get(taken + 1)) || row.table != rows[0].table))
            || (taken > 0 && !is_item(row) && row.cells.len() == 1 && names_section(&row.text()))
            || (row.gap && taken > 0 && !is_item(row) && row.table.is_none() && !goes_on(&list))
        {
            break;
        }
        let item = is_item(row);
        if list.is_empty() && !item && row.filled().len() < 2 {
            break;
        }
        if item || (row.filled().len() >= 2 && numbered != Some(true)) {
            let wants = *numbered.get_or_insert(item);
            if wants && !item {
                break;
            }
            list.push(of_row(row));
        } else if let Some(last) = list.last_mut() {
            last.text = format!("{} {}", last.text, row.text()).trim().to_owned();
        }
        taken += 1;
    }
    list.retain(|phase| !phase.term.text.is_empty());
    (list.len() >= 2 || (context.forced && !list.is_empty()))
        .then_some((Content::Phases(list), taken))
}

/// A phase that ends with an arrow: what it points to stands on the next line, also below a blank one
/// that belongs to the column beside it.
fn goes_on(list: &[Definition]) -> bool {
    list.last().is_some_and(|phase| phase.text.ends_with('→'))
}

/// "2. INITIATIVE" after a gap is the title of the next section.
fn section(row: &SheetRow, next: Option<&SheetRow>) -> bool {
    let text = row.text();
    let name = super::titles::without_number(&text);
    let bare = super::titles::without_bracket(name);
    let counted = super::titles::is_section(&text, next) && super::titles::is_short_name(bare);
    row.gap && name != text && (super::titles::shouts(bare) || counted)
}

/// "GUNNERY: CHANCE TO HIT" below the last phase, without a blank line between them.
fn names_section(text: &str) -> bool {
    super::titles::shouts(text) && text.split_whitespace().count() >= 2
}

/// "1. Move", "A) Move", "I. Move", "• Move", "1 Move"
fn is_item(row: &SheetRow) -> bool {
    if row.bullet {
        return true;
    }
    mark(&row.text()).is_some()
}

/// Where the text starts after the number of an item.
fn mark(text: &str) -> Option<usize> {
    let tokens = tokens(text);
    let first = tokens.first()?;
    let second = tokens.get(1)?;
    let roman = |word: &str| word.chars().all(|c| "IVX".contains(c)) || word.len() == 1;
    match &first.it {
        Tok::Num { .. } if second.word().is_some() && second.start > first.end => {
            Some(second.start)
        }
        Tok::Num { .. } if second.sign('.') || second.sign(')') || second.sign(':') => {
            Some(second.end)
        }
        Tok::Word(word) if roman(word) && (second.sign('.') || second.sign(')')) => {
            Some(second.end)
        }
        Tok::Word(word) if word.eq_ignore_ascii_case("phase") && second.num().is_some() => {
            Some(second.end)
        }
        _ => None,
    }
}

fn of_row(row: &SheetRow) -> Definition {
    let cells = row.filled();
    let line = row.line;
    let text = row.text();
    let from = mark(&text);
    if let [first, second, ..] = cells.as_slice()
        && from.is_none()
    {
        let more = cells[1..].iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join(" ");
        let _ = second;
        return Definition {
            term: PrintedCell {
                text: first.text.trim_end_matches(':').to_owned(),
                at: first.at.clone(),
            },
            text: more,
            line,
        };
    }
    let shown = rest(&text, from.unwrap_or(0));
    let (term, meaning) = split(&shown);
    Definition { term: PrintedCell { text: term, at: row.at() }, text: meaning, line }
}

/// The name of a phase and what happens in it.
fn split(text: &str) -> (String, String) {
    for mark in [": ", " – ", " — ", " - ", ". "] {
        if let Some((term, meaning)) = text.split_once(mark)
            && term.split_whitespace().count() <= 6
        {
            return (term.trim().to_owned(), meaning.trim().to_owned());
        }
    }
    if text.chars().count() <= 60 {
        return (text.trim_end_matches('.').to_owned(), String::new());
    }
    let short: String = text.split_whitespace().take(5).collect::<Vec<_>>().join(" ");
    (format!("{short} …"), text.to_owned())
}
