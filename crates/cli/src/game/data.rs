//! Tables as data, for scripts and other programs. `docs/command.md` shows an example of each; what stands there stays.

use crate::open_store::{OpenTable, utc};
use adjutant_game::{DeckLeft, Event, PendingTest, Seat, State, Table, Unit};
use adjutant_store::Summary;
use adjutant_wording::en;
use serde_json::{Map, Value as Json, json};

/// A table in a list.
pub fn summary(summary: &Summary) -> Json {
    json!({
        "id": summary.id.to_string(), "name": summary.name, "pack": summary.pack, "events": summary.last,
        "created": utc(summary.created / 1000), "changed": utc(summary.changed / 1000), "archived": summary.archived,
    })
}

/// A unit.
pub fn unit(table: &Table, unit: &Unit) -> Json {
    let pack = table.pack();
    let kind = &pack.kinds()[unit.kind];
    let has: Map<String, Json> = kind
        .has
        .iter()
        .zip(&unit.attributes)
        .filter_map(|(field, value)| Some((field.id.to_string(), json!((*value)?.to_answer(pack.words())))))
        .collect();
    json!({
        "id": unit.id, "name": unit.name, "kind": kind.id, "side": table.sides().get(unit.side), "group": unit.group, "has": has,
        "statuses": unit.statuses.iter().map(|status| &pack.statuses()[*status].id).collect::<Vec<_>>(),
        "notes": unit.notes, "gone": unit.gone,
    })
}

/// A test that is due.
pub fn pending(table: &Table, pending: &PendingTest) -> Json {
    let due = &pending.due;
    json!({
        "id": due.id, "chart": due.chart, "why": due.why, "now": due.now, "order": due.order, "who": due.units, "with": due.with,
        "open": table.open_roles(pending).collect::<Vec<_>>(), "stems": pending.stems, "says": en::pending_test(table, pending),
    })
}

/// All tests that are due.
pub fn all_pending(table: &Table) -> Vec<Json> {
    table.pending().map(|due| pending(table, due)).collect()
}

/// What an event did, with what is due now.
pub fn event(kept: &OpenTable, event: &Event) -> Json {
    let mut value = json!({
        "game": kept.id.to_string(), "name": kept.name, "event": event, "says": super::act::words(kept),
        "pending": all_pending(&kept.table),
    });
    if !kept.table.sealed_circle().is_empty() {
        value["sealed"] = sealed(&kept.table);
    }
    value
}

/// Those who throw sealed, and the call that is open.
pub fn sealed(table: &Table) -> Json {
    let circle = table.sealed_circle();
    if circle.is_empty() {
        return Json::Null;
    }
    let member = |member: &adjutant_game::SealedMember| json!({ "name": member.name, "seal": member.seal, "length": member.length, "left": member.left() });
    let call = table.open_call().map(|call| {
        json!({ "event": call.n, "by": call.by, "chart": call.wish.request.chart, "owes": call.owes().collect::<Vec<_>>(), "says": en::open_call(table) })
    });
    json!({ "circle": circle.iter().map(member).collect::<Vec<_>>(), "call": call })
}

fn seat(seat: &Seat) -> Json {
    match seat {
        Seat::Player { side } => json!({ "as": "player", "side": side }),
        Seat::Umpire => json!({ "as": "umpire" }),
        Seat::Spectator => json!({ "as": "spectator" }),
    }
}

/// Options and memory by their names.
pub fn values<'f>(table: &Table, fields: impl Iterator<Item = (&'f adjutant_pack::Field, adjutant_pack::Value)>) -> Json {
    Json::Object(fields.map(|(field, value)| (field.id.to_string(), json!(value.to_answer(table.pack().words())))).collect())
}

/// The options of a table.
pub fn options(table: &Table) -> Json {
    values(table, table.pack().options().iter().map(|option| &option.field).zip(table.state().options.iter().copied()))
}

/// What a table remembers.
pub fn memory(table: &Table) -> Json {
    values(table, table.pack().memory().iter().zip(table.state().memory.iter().copied()))
}

/// The decks of a table.
pub fn decks(table: &Table) -> Vec<Json> {
    let side = |deck: &DeckLeft<'_>| deck.side.and_then(|side| table.sides().get(side)).cloned();
    let one = |deck: DeckLeft<'_>| json!({ "id": deck.deck, "side": side(&deck), "left": deck.left, "of": deck.size, "cards": deck.cards });
    table.decks().into_iter().map(one).collect()
}

/// A whole table.
pub fn table(summary_of: &Summary, table: &Table) -> Json {
    let (phase, turn) = table.turn();
    let people = table.people().iter().map(|(name, role)| {
        let mut entry = seat(role);
        entry["name"] = json!(name);
        entry
    });
    let asked = table.asked().map(|asked| {
        let sides = |list: &[usize]| list.iter().filter_map(|side| table.sides().get(*side)).cloned().collect::<Vec<_>>();
        json!({ "event": asked.n, "want": asked.want, "of": asked.event, "by": asked.by, "yes": sides(&asked.yes), "no": sides(&asked.no) })
    });
    let mut value = summary(summary_of);
    let more = json!({
        "events": table.lines().len(), "head": table.head(), "turn": turn, "phase": phase.map(|phase| &phase.id), "sides": table.sides(),
        "by_sheet": table.setup().map(|setup| &setup.run_by_sheet), "over": table.endings().iter().map(|ending| &ending.id).collect::<Vec<_>>(),
        "people": people.collect::<Vec<_>>(), "units": table.state().units.iter().map(|known| unit(table, known)).collect::<Vec<_>>(),
        "pending": all_pending(table), "held": table.state().held.iter().map(|held| held.n).collect::<Vec<_>>(),
        "decks": decks(table), "options": options(table), "memory": memory(table), "anyway": table.state().anyway,
        "asked": asked, "sealed": sealed(table),
    });
    if let (Json::Object(value), Json::Object(more)) = (&mut value, more) {
        value.extend(more);
    }
    value
}

/// Which units are other than they were, as they are now.
pub fn changed(before: &State, table: &Table) -> Vec<Json> {
    let other = |unit: &&Unit| before.unit(&unit.id) != Some(*unit);
    table.state().units.iter().map(AsRef::as_ref).filter(other).map(|known| unit(table, known)).collect()
}
