//! Units by hand: added, edited and removed. A unit's values are checked against its kind, and all
//! faults are reported at once.

use crate::event::{Begin, NewUnit, UnitEdit, Values};
use crate::log_line::fine;
use crate::rejection::{Rejection, TextField, UnitRejection, unknown};
use crate::state::{MOST_UNITS, State, Unit, changed, no_unit, read_field};
use adjutant_pack::{IdVec, Noun, Operation, Pack, StatusId, clip_to, value_name};

/// Values by their ids: `armour[front]` becomes `armour_front`.
pub(crate) fn values(has: Values) -> Values {
    has.into_iter().map(|(name, value)| (value_name(&name).into_owned(), value)).collect()
}

/// Checks a unit and adds it to the roster. Its id must be the next one.
pub(crate) fn add(
    state: &mut State,
    pack: &Pack,
    setup: &Begin,
    recruit: &NewUnit,
) -> Result<(), Rejection> {
    let next = format!("u{}", state.units.len() + 1);
    if recruit.id != next {
        return Err(UnitRejection::WrongId {
            expected: next.into(),
            found: clip_to(&recruit.id, 20),
        }
        .into());
    }
    if state.units.len() >= MOST_UNITS {
        return Err(UnitRejection::TooMany.into());
    }
    let unit = checked(pack, setup, recruit).map_err(Rejection::Several)?;
    state.join(unit);
    Ok(())
}

/// Checks the length and the characters of a unit's text.
fn text(field: TextField, text: &str) -> Result<(), Rejection> {
    let (least, most) = match field {
        TextField::UnitName => (1, 60),
        TextField::UnitGroup => (0, 60),
        _ => (0, 500),
    };
    Ok(fine(field, text, least, most)?)
}

/// The checked unit, or everything that is wrong with it.
pub(crate) fn checked(
    pack: &Pack,
    setup: &Begin,
    recruit: &NewUnit,
) -> Result<Unit, Vec<Rejection>> {
    let mut faults = Vec::new();
    let mut note = |check: Result<(), Rejection>| faults.extend(check.err());
    note(text(TextField::UnitName, &recruit.name));
    note(text(TextField::UnitGroup, &recruit.group));
    note(text(TextField::UnitRemark, &recruit.notes));
    let side = setup.sides.iter().position(|side| *side == recruit.side);
    if side.is_none() {
        note(Err(unknown(Noun::Side, &recruit.side, setup.sides.iter().map(String::as_str))));
    }
    let Some(kind) = pack.kind_id(&recruit.kind) else {
        note(Err(unknown(
            Noun::UnitKind,
            &recruit.kind,
            pack.kinds().iter().map(|kind| kind.id.as_str()),
        )));
        return Err(faults);
    };
    let mut unit = Unit {
        id: recruit.id.clone(),
        kind,
        name: recruit.name.clone(),
        side: side.unwrap_or(0),
        group: recruit.group.clone(),
        attributes: IdVec::filled(None, pack.kinds()[kind].has.len()),
        statuses: Vec::new(),
        notes: recruit.notes.clone(),
        gone: None,
    };
    for (id, text) in &recruit.has {
        note(set_attribute(pack, &mut unit, id, text));
    }
    for status in &recruit.statuses {
        note(put_on(pack, &mut unit, status));
    }
    if faults.is_empty() { Ok(unit) } else { Err(faults) }
}

fn set_attribute(pack: &Pack, unit: &mut Unit, id: &str, text: &str) -> Result<(), Rejection> {
    let kind = &pack.kinds()[unit.kind];
    let Some(place) = kind.has.position(|field| field.id == id) else {
        return Err(unknown(
            Noun::AttributeOf(kind.title.clone()),
            id,
            kind.has.iter().map(|field| field.id.as_str()),
        ));
    };
    unit.attributes[place] =
        if text.is_empty() { None } else { Some(read_field(pack, &kind.has[place], text)?) };
    Ok(())
}

/// The status with this id, if this kind of unit can have it.
fn status_of(pack: &Pack, unit: &Unit, id: &str) -> Result<StatusId, Rejection> {
    let can = |place: &StatusId| pack.statuses()[*place].of.contains(&unit.kind);
    let known = pack.status_id(id).filter(can);
    known.ok_or_else(|| {
        let kind = &pack.kinds()[unit.kind].title;
        let names =
            pack.statuses().ids().filter(can).map(|place| pack.statuses()[place].id.as_str());
        unknown(Noun::StatusOf(kind.clone()), id, names)
    })
}

pub(crate) fn put_on(pack: &Pack, unit: &mut Unit, id: &str) -> Result<(), Rejection> {
    let status = status_of(pack, unit, id)?;
    if !unit.statuses.contains(&status) {
        unit.statuses.push(status);
    }
    Ok(())
}

pub(crate) fn lift(pack: &Pack, unit: &mut Unit, id: &str) -> Result<(), Rejection> {
    let status = status_of(pack, unit, id)?;
    unit.statuses.retain(|known| *known != status);
    Ok(())
}

/// Edits a unit by hand. On an error nothing changes.
pub(crate) fn change(
    state: &mut State,
    pack: &Pack,
    setup: &Begin,
    change: &UnitEdit,
) -> Result<(), Rejection> {
    let Some(known) = state.unit(&change.unit) else { return Err(no_unit(&change.unit)) };
    let mut unit = known.clone();
    let mut faults = Vec::new();
    let mut note = |check: Result<(), Rejection>| faults.extend(check.err());
    if let Some(name) = &change.name {
        note(text(TextField::UnitName, name));
        unit.name.clone_from(name);
    }
    if let Some(group) = &change.group {
        note(text(TextField::UnitGroup, group));
        unit.group.clone_from(group);
    }
    if let Some(notes) = &change.notes {
        note(text(TextField::UnitRemark, notes));
        unit.notes.clone_from(notes);
    }
    if let Some(side) = &change.side {
        match setup.sides.iter().position(|known| known == side) {
            Some(place) => unit.side = place,
            None => note(Err(unknown(Noun::Side, side, setup.sides.iter().map(String::as_str)))),
        }
    }
    for (id, text) in &change.has {
        note(set_attribute(pack, &mut unit, id, text));
    }
    for id in &change.lift {
        note(lift(pack, &mut unit, id));
    }
    for id in &change.put_on {
        note(put_on(pack, &mut unit, id));
    }
    if !faults.is_empty() {
        return Err(Rejection::Several(faults));
    }
    *state.unit_mut(&change.unit)? = unit;
    Ok(())
}

/// Sets or adds to an attribute as the effect of a result, clamped to what the attribute accepts.
pub(crate) fn change_value(
    pack: &Pack,
    unit: &mut Unit,
    id: &str,
    operation: Operation,
    text: &str,
) -> Result<(), Rejection> {
    let kind = &pack.kinds()[unit.kind];
    let Some(place) = kind.has.position(|field| field.id == id) else {
        return Err(unknown(
            Noun::AttributeOf(kind.title.clone()),
            id,
            kind.has.iter().map(|field| field.id.as_str()),
        ));
    };
    // The attribute is unknown: there is no value to add to.
    let known = unit.attribute(pack, place);
    if !operation.replaces() && known.is_none() {
        return Ok(());
    }
    if let Some(value) = changed(pack, &kind.has[place], known, operation, text)? {
        unit.attributes[place] = Some(value);
    }
    Ok(())
}
