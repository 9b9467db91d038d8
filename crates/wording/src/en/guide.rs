//! What to do next.

use super::{pending_test, sentence};
use adjutant_game::{Guide, ReachedEnding, Table};

/// Who has won, if the ending says so.
pub fn winner(table: &Table, ending: &ReachedEnding<'_>) -> Option<String> {
    let names: Vec<&str> =
        ending.winners.as_ref()?.iter().map(|side| table.sides()[*side].as_str()).collect();
    // "won" agrees with "Red" and with "Allies".
    Some(match names.as_slice() {
        [] => "No side won.".to_owned(),
        names => format!("{} won.", names.join(" and ")),
    })
}

/// An ending in one line: its title, and who has won or what it means.
pub fn ending(table: &Table, ending: &ReachedEnding<'_>) -> String {
    match winner(table, ending) {
        Some(won) => format!("{}: {won}", ending.title),
        None if ending.means.is_empty() => format!("{}.", ending.title),
        None => sentence(&format!("{}: {}", ending.title, ending.means)),
    }
}

/// What to do now. The first sentences are the endings, one each.
pub fn guide(table: &Table, guide: &Guide<'_>) -> Vec<String> {
    let mut says: Vec<String> = guide
        .endings
        .iter()
        .map(|ending| {
            let won = winner(table, ending).map(|won| format!(" {won}")).unwrap_or_default();
            format!("{}{won}", sentence(&format!("{}. {}", ending.title, ending.means)))
        })
        .collect();
    if guide.held {
        says.push(
            "Simultaneous attacks are waiting. Roll the others, then apply the results.".into(),
        );
    }
    let whose = |side: usize| {
        let run = if table.is_run_by_sheet(side) { ", run by the sheet" } else { "" };
        format!(" ({}{run})", table.sides()[side])
    };
    match (guide.next, guide.phase) {
        (Some(next), _) => {
            let whose = guide.side.map(whose).unwrap_or_default();
            let more = match table.state().pending.len() - 1 {
                0 => String::new(),
                1 => " One more test is due after it.".into(),
                more => format!(" {more} more tests are due after it."),
            };
            says.push(format!("Next: {}{whose}.{more}", pending_test(table, next)));
        }
        (None, Some(phase)) if guide.endings.is_empty() && !guide.held => {
            says.push(sentence(&format!("{}. {}", phase.title, phase.text)));
            let titles: Vec<&str> = guide.charts.iter().map(|chart| chart.title.as_str()).collect();
            let may = if titles.is_empty() {
                String::new()
            } else {
                format!("You may roll: {}. ", titles.join(", "))
            };
            says.push(format!("{may}When you are done, go on to the next phase."));
        }
        (None, None) if guide.endings.is_empty() && !guide.held => {
            says.push("What do you want to do?".into())
        }
        _ => {}
    }
    says
}
