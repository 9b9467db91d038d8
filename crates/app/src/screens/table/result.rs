//! The result of an event, for the top of the screen: the result in one line, the calculation, what
//! it means, and what changed on which unit.

use super::{chosen, play};
use crate::parts::resolution;
use adjutant_dice::Answer;
use adjutant_engine::Resolution;
use adjutant_game::{Applied, Changes, EventKind, Table, UnitChange, UnitDiff};
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
    /// The chance that it had, if the odds were on the screen.
    pub chance: Option<String>,
}

impl ResultCard {
    /// Whether several units rolled: the calculation is long then.
    pub fn several(&self) -> bool {
        self.resolution.as_ref().is_some_and(|resolution| resolution.members.len() > 1)
    }

    fn totals(&self) -> Vec<Answer> {
        let rolls = self.resolution.iter().filter(|_| !self.several()).flat_map(|it| it.rolls());
        rolls.filter_map(|roll| roll.total.clone()).collect()
    }

    /// Whether two sides rolled against each other.
    pub fn is_opposed(&self) -> bool {
        matches!(self.totals()[..], [Answer::Number(_), Answer::Number(_)])
    }

    /// The totals and the chance, in one line.
    pub fn in_numbers(&self) -> String {
        text::in_numbers(&self.totals(), self.chance.as_deref())
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
            chance: None,
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
                let choices = chosen::in_words(table.pack(), &played.request);
                let title = format!("{}{of}{choices}", resolution.title);
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
            EventKind::Undo { event, .. } => {
                Some(plain(text::undone_title(*event), text::UNDONE.to_owned()))
            }
            EventKind::Redo { event, .. } => {
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

/// What changed on each unit.
pub(super) fn changed(table: &Table, changes: &Changes) -> Vec<Changed> {
    let what = |diff: &UnitDiff| match diff {
        UnitDiff::Appeared(unit) if unit.gone.is_some() => Vec::new(),
        UnitDiff::Appeared(unit) => {
            vec![text::appears(table.sides().get(unit.side).map_or("", String::as_str))]
        }
        UnitDiff::Changed(change) => differs(table.pack(), change),
        UnitDiff::Removed(_) => vec![text::TAKEN_BACK.to_owned()],
    };
    let line = |diff: &UnitDiff| {
        let (unit, what) = (diff.unit(), what(diff));
        Changed { unit: unit.id.clone(), name: unit.name.clone(), what }
    };
    changes.units.iter().map(line).filter(|changed| !changed.what.is_empty()).collect()
}

fn differs(pack: &Pack, change: &UnitChange) -> Vec<String> {
    let title = |status: StatusId| pack.statuses()[status].title.as_str();
    let added = change.statuses_added().map(|status| text::now(title(status)));
    let lifted = change.statuses_lifted().map(|status| text::no_longer(title(status)));
    let values = change.values().map(|value| {
        let field = &pack.kinds()[change.after.kind].has[value.attribute];
        let show = |value: Option<Value>| play::shown(pack, field, value.or(field.start));
        text::becomes(&field.label, &show(value.before), &show(value.after))
    });
    let mut what: Vec<String> = added.chain(lifted).chain(values).collect();
    what.extend(change.left().map(text::left));
    if change.returned() {
        what.push(text::BACK_AGAIN.to_owned());
    }
    what.extend(change.group().map(text::group));
    what
}
