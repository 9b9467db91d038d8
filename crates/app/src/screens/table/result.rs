//! The result of an event, for the top of the screen: the result in one line, the calculation, what
//! it means, and what changed on which unit. Changes are found by comparing the states before and
//! after, so that none is left out.

use super::play;
use crate::parts::resolution;
use adjutant_engine::Resolution;
use adjutant_game::{Applied, EventKind, State, Table, Unit};
use adjutant_pack::{Pack, StatusId, Value};
use adjutant_wording::en;
use adjutant_wording::en::page::table as text;

/// What changed on a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    pub unit: String,
    pub name: String,
    pub what: Vec<String>,
}

/// The result of an event.
#[derive(Clone, Debug)]
pub struct ResultCard {
    /// The event's number.
    pub n: u64,
    pub title: String,
    pub headline: String,
    pub resolution: Option<Resolution>,
    pub sentences: Vec<String>,
    pub changed: Vec<Changed>,
    /// Whether it was rolled sealed. Applying the line has verified it.
    pub sealed: bool,
    /// Whether its effects wait for others.
    pub held: bool,
}

impl ResultCard {
    /// Whether several units rolled: the calculation is long then.
    pub fn several(&self) -> bool {
        self.resolution.as_ref().is_some_and(|resolution| resolution.members.len() > 1)
    }

    /// The result of a line that was just applied; none where there is nothing to show.
    pub fn new(
        table: &Table,
        applied: &mut Applied,
        sentences: Vec<String>,
        changed: Vec<Changed>,
    ) -> Option<ResultCard> {
        let (event, resolution) = (&applied.event, applied.resolution.take());
        let plain = |title: String, headline: String| ResultCard {
            n: event.n,
            title,
            headline,
            resolution: None,
            sentences,
            changed,
            sealed: false,
            held: false,
        };
        match &event.what {
            EventKind::Play(played) => {
                let mut resolution = resolution?;
                name_members(table, &mut resolution);
                let who = played
                    .request
                    .units
                    .values()
                    .flatten()
                    .map(|id| play::name(table, id))
                    .collect::<Vec<_>>();
                let of =
                    if who.is_empty() { String::new() } else { format!(" – {}", who.join(", ")) };
                let title = format!("{}{of}", resolution.title);
                let headline = resolution::headline(&resolution);
                Some(ResultCard {
                    resolution: Some(resolution),
                    sealed: played.call.is_some(),
                    held: played.held,
                    ..plain(title, headline)
                })
            }
            EventKind::Phase(step) => {
                let title = table
                    .pack()
                    .phases()
                    .iter()
                    .find(|phase| phase.id == step.to)
                    .map(|phase| phase.title.to_string());
                Some(plain(text::turn(step.turn), title.unwrap_or_else(|| text::turn(step.turn))))
            }
            EventKind::Land { .. } => {
                Some(plain(text::TOGETHER.to_owned(), text::LANDED.to_owned()))
            }
            EventKind::Undo { event } => {
                Some(plain(text::undone_title(*event), text::UNDONE.to_owned()))
            }
            EventKind::Redo { event } => {
                Some(plain(text::redone_title(*event), text::REDONE.to_owned()))
            }
            EventKind::Start { .. } => Some(plain(String::new(), text::BEGINS.to_owned())),
            _ => None,
        }
    }

    /// The result of an old event, found again from the log. What it changed is not shown again.
    pub fn of_entry(table: &Table, n: u64) -> Option<ResultCard> {
        let (then, mut applied) = table.at_event(n).ok()??;
        let sentences = en::meaning(&then, &applied);
        ResultCard::new(table, &mut applied, sentences, Vec::new())
    }
}

/// Replaces the ids of units by their names.
pub(super) fn name_members(table: &Table, resolution: &mut Resolution) {
    let name = |id: &str| play::name(table, id.split_once('#').map_or(id, |(unit, _)| unit));
    for member in &mut resolution.members {
        member.name = name(&member.name).into();
    }
    for roll in resolution.rolls_mut() {
        roll.of = roll.of.as_ref().map(|of| name(of).into());
    }
    for id in resolution.order.iter_mut().flatten() {
        *id = name(id).into();
    }
}

/// What differs from the state before, unit by unit.
pub(super) fn changed(table: &Table, before: &State) -> Vec<Changed> {
    let (pack, after) = (table.pack(), table.state());
    let mut list = Vec::new();
    for unit in &after.units {
        let what = match before.unit(&unit.id) {
            Some(was) => differs(pack, was, unit),
            None if unit.gone.is_some() => continue,
            None => vec![text::appears(table.sides().get(unit.side).map_or("", String::as_str))],
        };
        if !what.is_empty() {
            list.push(Changed { unit: unit.id.clone(), name: unit.name.clone(), what });
        }
    }
    for gone in before.units.iter().filter(|unit| after.unit(&unit.id).is_none()) {
        list.push(Changed {
            unit: gone.id.clone(),
            name: gone.name.clone(),
            what: vec![text::TAKEN_BACK.to_owned()],
        });
    }
    list
}

fn differs(pack: &Pack, was: &Unit, is: &Unit) -> Vec<String> {
    let mut what = Vec::new();
    let title = |status: &StatusId| pack.statuses()[*status].title.to_string();
    what.extend(
        is.statuses
            .iter()
            .filter(|status| !was.statuses.contains(status))
            .map(|status| text::now(&title(status))),
    );
    what.extend(
        was.statuses
            .iter()
            .filter(|status| !is.statuses.contains(status))
            .map(|status| text::no_longer(&title(status))),
    );
    for ((field, old), new) in
        pack.kinds()[is.kind].has.iter().zip(&was.attributes).zip(&is.attributes)
    {
        if old != new {
            let show = |value: &Option<Value>| play::shown(pack, field, value.or(field.start));
            what.push(text::becomes(&field.label, &show(old), &show(new)));
        }
    }
    match (&was.gone, &is.gone) {
        (None, Some(word)) => what.push(text::left(word)),
        (Some(_), None) => what.push(text::BACK_AGAIN.to_owned()),
        _ => {}
    }
    if was.group != is.group {
        what.push(text::group(&is.group));
    }
    what
}
