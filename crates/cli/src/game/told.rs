//! A play at a table in words: the account as `roll` prints it, with the units' names in place of
//! the roles, then what changed on the units and what is due now.

use super::view;
use crate::open_store::OpenTable;
use crate::paint::{DIM, HEAD, NAME, Table as Grid, WARN, in_style};
use adjutant_dice::Text;
use adjutant_engine::{Change, Resolution, ResultLine};
use adjutant_game::{Event, EventKind, PlayRecord, State, Table, Unit};
use adjutant_pack::StatusId;
use anstyle::Style;

/// The whole of it.
pub fn play(before: &State, kept: &OpenTable, event: &Event, resolution: &Resolution) -> String {
    let table = &kept.table;
    let EventKind::Play(played) = &event.what else { return String::new() };
    let mut out = crate::tell::resolution(table.pack(), &named(resolution, played, table));
    if played.request.anyway {
        let found = before.ruled_out(table.pack(), &played.request.chart, &played.request.units);
        let all: Vec<String> =
            found.iter().map(|found| format!("{} ({})", found.name, found.title)).collect();
        out.push_str(&format!(
            "\n{}\n",
            in_style(WARN, format!("Allowed anyway: {}", all.join(", ")))
        ));
    }
    let changed = changes(before, table);
    if !changed.is_empty() {
        out.push_str(&format!("\n{}\n{changed}", in_style(HEAD, "In the game")));
    }
    if let Some(settled) = &played.request.pending {
        out.push_str(&format!("\n{}\n", in_style(DIM, format!("settles {settled}"))));
    }
    let ends = played.request.pending.is_some() || !table.endings().is_empty();
    let due = view::due(table) + &if ends { view::guide(table, &kept.name) } else { String::new() };
    if !due.is_empty() {
        out.push_str(&format!("\n{due}"));
    }
    out
}

/// The account with the names of units, and without what is told of the table anyway.
fn named(resolution: &Resolution, played: &PlayRecord, table: &Table) -> Resolution {
    let name = |text: &Text| -> Text {
        let id = match played.request.units.get(text.as_str()).map(Vec::as_slice) {
            Some([only]) => only.as_str(),
            Some(_) => return text.clone(),
            None => text.split_once('#').map_or(text.as_str(), |(id, _)| id),
        };
        table.state().unit(id).map_or_else(|| text.clone(), |unit| Text::from(&unit.name))
    };
    let on = |result: &mut ResultLine| result.on = result.on.as_ref().map(&name);
    let mut resolution = resolution.clone();
    resolution.rolls_mut().for_each(|roll| roll.of = roll.of.as_ref().map(&name));
    resolution.order.iter_mut().flatten().for_each(|member| *member = name(member));
    resolution.result.iter_mut().chain(&mut resolution.also).for_each(on);
    for member in &mut resolution.members {
        member.name = name(&member.name);
        member.result.iter_mut().for_each(on);
    }
    if !played.held {
        let landed = |role: &Text| {
            played.request.units.contains_key(role.as_str()) || table.state().unit(role).is_some()
        };
        resolution.effects.retain(|change| {
            matches!(change, Change::Note(_)) || change.on().is_some_and(|on| !landed(&on.role))
        });
        resolution.next.clear();
    }
    resolution
        .effects
        .iter_mut()
        .filter_map(Change::on_mut)
        .for_each(|on| on.role = name(&on.role));
    for next in &mut resolution.next {
        next.who.values_mut().for_each(|who| *who = name(who));
    }
    resolution
}

/// What is other than before: units, what the table remembers, the decks.
fn changes(before: &State, table: &Table) -> String {
    let mut grid = Grid::new(2);
    for unit in &table.state().units {
        let what = match before.unit(&unit.id) {
            None => {
                format!("appears ({})", table.sides().get(unit.side).map_or("", String::as_str))
            }
            Some(old) => of_unit(old, unit, table),
        };
        if !what.is_empty() {
            grid.row([(unit.name.clone(), NAME), (unit.id.clone(), DIM), (what, Style::new())]);
        }
    }
    let pack = table.pack();
    let memory = pack.memory().iter().zip(before.memory.iter().zip(&table.state().memory));
    for (field, (_, now)) in memory.filter(|(_, (old, now))| old != now) {
        grid.row([
            (field.label.to_string(), NAME),
            (String::new(), DIM),
            (now.to_answer(pack.words()).to_string(), Style::new()),
        ]);
    }
    for (side, (old, now)) in before.decks.iter().zip(&table.state().decks).enumerate() {
        let whose = table
            .sides()
            .get(side)
            .filter(|_| before.decks.len() > 1)
            .map_or(String::new(), |side| format!(" of {side}"));
        for (sheet, (_, now)) in
            pack.decks().iter().zip(old.iter().zip(now)).filter(|(_, (old, now))| old != now)
        {
            let left = format!("{} of {} cards left", now.left(), now.size());
            grid.row([
                (format!("{}{whose}", sheet.title), NAME),
                (String::new(), DIM),
                (left, DIM),
            ]);
        }
    }
    grid.print()
}

/// What is other on a unit.
fn of_unit(old: &Unit, now: &Unit, table: &Table) -> String {
    let pack = table.pack();
    let mut parts = Vec::new();
    let title = |status: &StatusId| pack.statuses()[*status].title.to_string();
    parts.extend(
        now.statuses
            .iter()
            .filter(|status| !old.statuses.contains(status))
            .map(|status| format!("now {}", title(status))),
    );
    parts.extend(
        old.statuses
            .iter()
            .filter(|status| !now.statuses.contains(status))
            .map(|status| format!("no longer {}", title(status))),
    );
    for (place, field) in pack.kinds()[now.kind].has.iter_enumerated() {
        let value = |unit: &Unit| {
            unit.facet(pack, &field.id).map(|value| value.to_answer(pack.words()).to_string())
        };
        if old.attributes.get(place) != now.attributes.get(place) {
            let was = value(old).map_or(String::new(), |was| format!(" (was {was})"));
            parts.push(format!(
                "{} {}{was}",
                field.label,
                value(now).unwrap_or_else(|| "unknown".into())
            ));
        }
    }
    if let (None, Some(word)) = (&old.gone, &now.gone) {
        parts.push(format!("leaves ({word})"));
    }
    if old.group != now.group {
        parts.push(if now.group.is_empty() {
            "stands alone".into()
        } else {
            format!("joins {}", now.group)
        });
    }
    parts.join("; ")
}
