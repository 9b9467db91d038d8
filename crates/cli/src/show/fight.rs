//! A fight in words: who fights, what must be known, what is done in a round, when it is over.

use super::chart::{field_text, opening};
use crate::paint::{DIM, HEAD, NAME, Table, in_style, paragraph};
use adjutant_engine::questions;
use adjutant_pack::{Action, Fight, FightRoll, FightSideId, Formula, Pack, RoleId, Side, StatusId};
use anstyle::Style;

/// The whole fight; with `full` also what must be known.
pub fn fight(pack: &Pack, fight: &Fight, full: bool) -> String {
    let mut out = opening(pack, (&fight.title, &fight.id, &fight.about), fight.needs_option);
    if full {
        out.push_str(&inputs(pack, fight));
    }
    let mut table = Table::new(2);
    for side in &fight.sides {
        table.row([(side.title.clone(), NAME), (side_text(pack, side), Style::new())]);
    }
    out.push_str(&format!("  {}\n{}", in_style(HEAD, "Sides"), indented(&table)));
    let mut table = Table::new(2);
    for (number, action) in (1..).zip(&fight.actions) {
        let (what, more) = match action {
            Action::Roll(roll) => roll_text(pack, fight, roll),
            Action::Lift { side, statuses, when } => {
                lift_text(pack, fight, *side, statuses, when.as_ref())
            }
        };
        table.row([(number.to_string(), HEAD), (what, Style::new())]);
        for line in more {
            table.row([(String::new(), DIM), (line, DIM)]);
        }
    }
    out.push_str(&format!("  {}\n{}", in_style(HEAD, "Each round"), indented(&table)));
    if !fight.follow.is_empty() {
        let titles: Vec<&str> = fight
            .follow
            .iter()
            .map(|followed| pack.charts()[followed.chart].title.as_str())
            .collect();
        out.push_str(&paragraph(
            2,
            Style::new(),
            &format!("Carried out at once where it follows: {}.", titles.join(", ")),
        ));
    }
    out.push_str(&over(pack, fight));
    for note in &fight.notes {
        out.push_str(&paragraph(2, DIM, note));
    }
    if full {
        out.push_str(&paragraph(
            2,
            DIM,
            &format!("Who wins: adjutant fight {} {} …", pack.id(), fight.id),
        ));
    }
    out
}

/// A table two steps further in.
fn indented(table: &Table) -> String {
    table.print().lines().map(|line| format!("  {line}\n")).collect()
}

fn inputs(pack: &Pack, fight: &Fight) -> String {
    let mut table = Table::new(2);
    for input in fight.inputs.iter().filter(|input| input.matters) {
        table.row([(input.name.clone(), NAME), (field_text(&input.field, ""), Style::new())]);
    }
    let mut seen = Vec::new();
    for question in fight.charts(pack).into_iter().flat_map(|chart| questions(pack, chart)) {
        if !seen.contains(&question.key) {
            let text = format!(
                "{} ({}, or a chance such as 1/6)",
                question.prompt,
                adjutant_wording::en::accepted(&question.accepts)
            );
            table.row([(format!("--answer {}", question.key), NAME), (text, Style::new())]);
            seen.push(question.key);
        }
    }
    table.print()
}

fn side_text(pack: &Pack, side: &Side) -> String {
    let kind = &pack.kinds()[side.kind].title;
    let count = if side.most == 1 {
        format!("one: {kind}")
    } else {
        format!("1 to {} of the kind {kind}", side.most)
    };
    let out = side.out.as_ref().map_or(String::new(), |out| format!("; out of it if {}", out.text));
    format!("{count}{out}")
}

fn roll_text(pack: &Pack, fight: &Fight, roll: &FightRoll) -> (String, Vec<String>) {
    let chart = &pack.charts()[roll.chart];
    let taken = |role: RoleId, many: &str| {
        let side = &fight.sides[roll.who[role]];
        format!("{}{}", if side.most == 1 { "" } else { many }, side.title)
    };
    let others = roll.who.ids().filter(|role| Some(*role) != roll.each);
    let others = others
        .map(|role| format!("; {}: {}", chart.roles[role].id, taken(role, "one of ")))
        .collect::<String>();
    let first = roll.each.map_or("once".to_owned(), |each| {
        format!("{}: {}", chart.roles[each].id, taken(each, "each of "))
    });
    let who = format!("{first}{others}");
    let together = if roll.at_once { "at the same time: " } else { "" };
    let mut more = Vec::new();
    more.extend(roll.when.as_ref().map(|when| format!("if {}", when.text)));
    if !roll.prefer.is_empty() {
        let prefer: Vec<&str> = roll.prefer.iter().map(|prefer| prefer.text.as_str()).collect();
        more.push(format!("preferring {}", prefer.join(", then ")));
    }
    if !roll.with.is_empty() {
        let with: Vec<String> = roll
            .with
            .iter()
            .map(|(input, formula)| format!("{} = {}", chart.inputs[*input].name, formula.text))
            .collect();
        more.push(format!("with {}", with.join(", ")));
    }
    (format!("{together}{} ({}) – {who}", chart.title, chart.id), more)
}

fn lift_text(
    pack: &Pack,
    fight: &Fight,
    side: FightSideId,
    statuses: &[StatusId],
    when: Option<&Formula>,
) -> (String, Vec<String>) {
    let titles: Vec<&str> =
        statuses.iter().map(|status| pack.statuses()[*status].title.as_str()).collect();
    let text = format!("{}: no longer {}", fight.sides[side].title, titles.join(" or "));
    (text, when.map(|when| format!("if {}", when.text)).into_iter().collect())
}

fn over(pack: &Pack, fight: &Fight) -> String {
    if fight.ends.is_empty() {
        let text = if fight.sides.len() > 1 {
            "Ends when at most one side has units left."
        } else {
            "Ends when no one is left."
        };
        return paragraph(2, Style::new(), text);
    }
    let mut table = Table::new(2);
    for end in &fight.ends {
        let result =
            end.result.map(|result| format!("when a roll gives {}", pack.results()[result].title));
        let when = end.when.as_ref().map(|when| format!("when {}", when.text));
        table.row([(end.title.clone(), NAME), (result.or(when).unwrap_or_default(), Style::new())]);
    }
    format!("  {}\n{}", in_style(HEAD, "Over"), indented(&table))
}
