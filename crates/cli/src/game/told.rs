//! A play at a table in words: the account as `roll` prints it, with the units' names in place of
//! the roles, then what changed on the units and what is due now.

use super::view;
use crate::open_store::OpenTable;
use crate::paint::{DIM, HEAD, NAME, Table as Grid, WARN, in_style};
use adjutant_dice::Text;
use adjutant_engine::{Resolution, ResultLine};
use adjutant_game::{Applied, Changes, EventKind, PlayRecord, Table, UnitChange, UnitDiff};
use adjutant_pack::{MemoryId, StatusId, Value};
use anstyle::Style;

/// The whole of it.
pub fn play(kept: &OpenTable, applied: &Applied) -> String {
    let table = &kept.table;
    let (EventKind::Play(played), Some(resolution)) = (&applied.event.what, &applied.resolution)
    else {
        return String::new();
    };
    let mut out = crate::tell::resolution(table.pack(), &named(resolution, played, table));
    if played.request.anyway {
        let (state, play) = (&applied.before.state, &played.request);
        let allowed = adjutant_wording::en::allowed_anyway(table.pack(), state, play);
        out.push_str(&format!("\n{}\n", in_style(WARN, allowed)));
    }
    let changed = changes(&applied.changes, table);
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
            // Of several units of a role: `target.u3`.
            None => {
                let id = text.split_once('#').map_or(text.as_str(), |(id, _)| id);
                id.rsplit_once('.').map_or(id, |(_, id)| id)
            }
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
            change.kind.note().is_some() || change.on.as_ref().is_some_and(|on| !landed(&on.role))
        });
        resolution.next.clear();
    }
    for change in &mut resolution.effects {
        let Some(on) = &mut change.on else { continue };
        on.role = name(&on.role);
        // A note about one of a group names it.
        if let Some(text) = change.kind.note()
            && let Some(noted) =
                played.effects.iter().find(|effect| effect.kind.note() == Some(text))
            && let Some(unit) = table.state().unit(&noted.on)
        {
            (on.role, on.nth) = (unit.name.as_str().into(), None);
        }
    }
    for next in &mut resolution.next {
        next.who.values_mut().for_each(|who| *who = name(who));
    }
    resolution
}

/// The units, remembered values and decks that changed.
fn changes(changes: &Changes, table: &Table) -> String {
    let mut grid = Grid::new(2);
    for diff in &changes.units {
        let what = match diff {
            UnitDiff::Appeared(unit) => {
                format!("appears ({})", table.sides().get(unit.side).map_or("", String::as_str))
            }
            UnitDiff::Changed(change) => of_unit(change, table),
            UnitDiff::Removed(_) => String::new(),
        };
        if !what.is_empty() {
            let unit = diff.unit();
            grid.row([(unit.name.clone(), NAME), (unit.id.clone(), DIM), (what, Style::new())]);
        }
    }
    let (pack, state) = (table.pack(), table.state());
    for (side, memory) in &changes.memory {
        let label = &pack.memory()[*memory].label;
        let of = side.and_then(|side| table.sides().get(side));
        let label = of.map_or(label.to_string(), |side| format!("{side}, {label}"));
        let value = match side {
            Some(side) => state.memory_of(pack, *side, *memory),
            None => Some(state.memory[*memory]),
        };
        let value = value.map_or(String::new(), |value| value.to_answer(pack.words()).to_string());
        grid.row([(label, NAME), (String::new(), DIM), (value, Style::new())]);
    }
    for (side, place) in &changes.decks {
        let whose = table
            .sides()
            .get(*side)
            .filter(|_| state.decks.len() > 1)
            .map_or(String::new(), |side| format!(" of {side}"));
        let deck = &state.decks_of(*side)[*place];
        grid.row([
            (format!("{}{whose}", pack.decks()[*place].title), NAME),
            (String::new(), DIM),
            (format!("{} of {} cards left", deck.left(), deck.size()), DIM),
        ]);
    }
    grid.print()
}

/// The value of a memory, or that of each side.
pub fn remembered(table: &Table, memory: MemoryId) -> Vec<(Option<&str>, Value)> {
    match table.memory_of_sides(memory) {
        Some(values) => values.map(|(side, value)| (Some(side), value)).collect(),
        None => vec![(None, table.state().memory[memory])],
    }
}

/// What changed on a unit.
fn of_unit(change: &UnitChange, table: &Table) -> String {
    let pack = table.pack();
    let title = |status: StatusId| pack.statuses()[status].title.as_str();
    let added = change.statuses_added().map(|status| format!("now {}", title(status)));
    let lifted = change.statuses_lifted().map(|status| format!("no longer {}", title(status)));
    let values = change.values().map(|value| {
        let field = &pack.kinds()[change.after.kind].has[value.attribute];
        let shown =
            |value: Option<Value>| Some(value.or(field.start)?.to_answer(pack.words()).to_string());
        let was = shown(value.before).map_or(String::new(), |was| format!(" (was {was})"));
        format!("{} {}{was}", field.label, shown(value.after).unwrap_or_else(|| "unknown".into()))
    });
    let mut parts: Vec<String> = added.chain(lifted).chain(values).collect();
    parts.extend(change.left().map(|word| format!("removed ({word})")));
    parts.extend(change.group().map(|group| match group {
        "" => "stands alone".into(),
        group => format!("joins {group}"),
    }));
    parts.join("; ")
}
