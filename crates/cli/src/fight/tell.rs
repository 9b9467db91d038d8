//! A fight's outlook in words, bars and JSON.

use crate::odds::bar;
use crate::paint::{DIM, HEAD, RESULT, Table, WARN, in_style, paragraph};
use adjutant_dice::Number;
use adjutant_engine::{FightSituation, Limit, Outlook, TotalOutlook, percent_in_words};
use adjutant_wording::en::fight::{caveat, mean_detail, share_detail};
use anstyle::Style;
use std::collections::BTreeSet;

pub fn as_text(situation: &FightSituation<'_>, outlook: &Outlook) -> String {
    let mut out = format!(
        "{}  {}\n",
        in_style(HEAD, &situation.fight().title),
        in_style(DIM, situation.pack().title())
    );
    out.push_str(&ends(outlook));
    out.push('\n');
    out.push_str(&means(outlook));
    if costs(outlook) {
        out.push('\n');
        out.push_str(&left(outlook));
    }
    for (id, title) in totals(outlook) {
        out.push('\n');
        out.push_str(&total_left(outlook, &id, &title));
    }
    if let Some(limit) = outlook.over {
        out.push_str(&paragraph(
            2,
            WARN,
            &format!("{} {}", caveat(outlook).unwrap_or_default(), more(limit)),
        ));
    } else if let Some(caveat) = caveat(outlook) {
        out.push_str(&paragraph(2, if outlook.is_near() { DIM } else { WARN }, &caveat));
    } else if outlook.ends.iter().any(|end| share_detail(&end.share).is_none()) {
        out.push_str(&paragraph(2, DIM, "Exact; the fractions are long, and --json has them."));
    }
    out
}

/// How to allow more.
pub fn more(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => {
            "Allow more with --max-time SECONDS, or say with -n N how often it is played."
        }
        Limit::Memory => {
            "Allow more with --max-memory MB, or say with -n N how often it is played."
        }
    }
}

/// Whether units can be lost; if not, nothing is said of it.
fn costs(outlook: &Outlook) -> bool {
    outlook.sides.iter().any(|side| side.lost.value() > 0.0)
}

/// Each decision with its bar.
fn ends(outlook: &Outlook) -> String {
    let mut table = Table::new(2);
    let never = (!outlook.never.is_zero()).then_some(("Never decided", &outlook.never));
    for (title, share) in outlook
        .ends
        .iter()
        .filter(|end| end.is_shown())
        .map(|end| (end.title.as_str(), &end.share))
        .chain(never)
    {
        table.row([
            (title.to_owned(), Style::new()),
            (format!("{:>8}", percent_in_words(share.percent())), HEAD),
            (bar(share.percent(), 30), RESULT),
            (share_detail(share).unwrap_or_default(), DIM),
        ]);
    }
    table.print()
}

/// Rounds and losses on average.
fn means(outlook: &Outlook) -> String {
    let mut table = Table::new(2);
    match &outlook.rounds {
        Some(rounds) => table.row([
            ("Rounds".to_owned(), Style::new()),
            (format!("{:.2}", rounds.value()), HEAD),
            ("on average".to_owned(), Style::new()),
            (mean_detail(rounds).unwrap_or_default(), DIM),
        ]),
        None => {
            table.row([("Rounds", Style::new()), ("–", HEAD), ("it may never end", Style::new())])
        }
    }
    for side in outlook.sides.iter().filter(|_| costs(outlook)) {
        table.row([
            (format!("{}: lost", side.title), Style::new()),
            (format!("{:.2}", side.lost.value()), HEAD),
            (format!("of {}", side.began), Style::new()),
            (mean_detail(&side.lost).unwrap_or_default(), DIM),
        ]);
    }
    for (side, total) in
        outlook.sides.iter().flat_map(|side| side.totals.iter().map(move |total| (side, total)))
    {
        table.row([
            (format!("{}: {} left", side.title, total.title), Style::new()),
            (format!("{:.2}", total.mean_left.value()), HEAD),
            (format!("of {}", total.began), Style::new()),
            (mean_detail(&total.mean_left).unwrap_or_default(), DIM),
        ]);
    }
    table.print()
}

/// The values whose totals the fight reports for some side, each once.
fn totals(outlook: &Outlook) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for total in outlook.sides.iter().flat_map(|side| &side.totals) {
        if !found.iter().any(|(id, _)| *id == total.id) {
            found.push((total.id.clone(), total.title.clone()));
        }
    }
    found
}

/// How much of a value each side has left, side by side.
fn total_left(outlook: &Outlook, id: &str, title: &str) -> String {
    let sides: Vec<(&str, &TotalOutlook)> = (outlook.sides.iter())
        .flat_map(|side| side.totals.iter().map(|total| (side.title.as_str(), total)))
        .filter(|(_, total)| total.id == id)
        .collect();
    let mut table = Table::new(2);
    table.head(
        std::iter::once(format!("{title} left"))
            .chain(sides.iter().flat_map(|(side, _)| [(*side).to_owned(), String::new()])),
    );
    let numbers: BTreeSet<Number> =
        sides.iter().flat_map(|(_, total)| total.left.iter().map(|(number, _)| *number)).collect();
    for number in numbers.into_iter().rev() {
        let cells = sides.iter().flat_map(|(_, total)| {
            let share = total.left.iter().find(|(known, _)| *known == number);
            let percent = share.map(|(_, share)| share.percent());
            let text = percent.map_or_else(|| "–".to_owned(), percent_in_words);
            let bar = percent.map_or_else(String::new, |percent| bar(percent, 20));
            [(format!("{text:>8}"), HEAD), (bar, RESULT)]
        });
        table.row(std::iter::once((format!("{:>4}", number.to_string()), HEAD)).chain(cells));
    }
    table.print()
}

/// How many units of each side are left, side by side.
fn left(outlook: &Outlook) -> String {
    let mut table = Table::new(2);
    table.head(
        std::iter::once("left".to_owned())
            .chain(outlook.sides.iter().flat_map(|side| [side.title.clone(), String::new()])),
    );
    let most = outlook.sides.iter().map(|side| side.began).max().unwrap_or(0);
    for units in (0..=most).rev() {
        let cells = outlook.sides.iter().flat_map(|side| {
            let share = side.left.iter().find(|(known, _)| *known == units).map(|(_, share)| share);
            let none = if units <= side.began { "–" } else { "" };
            let text =
                share.map_or_else(|| none.to_owned(), |share| percent_in_words(share.percent()));
            let text = if text.is_empty() { text } else { format!("{text:>8}") };
            let bar = share.map_or_else(String::new, |share| bar(share.percent(), 20));
            [(text, HEAD), (bar, RESULT)]
        });
        table.row(std::iter::once((format!("{units:>4}"), HEAD)).chain(cells));
    }
    table.print()
}
