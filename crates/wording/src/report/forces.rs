//! The units of each side: each unit as it was at the start of the game, or when it joined, and as
//! it is at the end.

use super::entry::value_in_words;
use adjutant_game::{Event, EventKind, Seat, Table, Unit};
use adjutant_pack::Pack;
use std::collections::BTreeMap;

/// One side in the report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportSide {
    /// The side's name.
    pub name: String,
    /// The players of this side, including those who have changed seats since.
    pub players: Vec<String>,
    /// The units at the end: first those from the start, then those that joined. A unit that
    /// changed sides is listed once, with its last side.
    pub units: Vec<ReportUnit>,
    /// How many units left, by how they left.
    pub left: Vec<(String, u32)>,
    /// How many units are out without having left, by the status that puts them out.
    pub out: Vec<(String, u32)>,
    /// How many units changed to another side, by its name.
    pub went_over: Vec<(String, u32)>,
    /// How many units still take part.
    pub here: u32,
}

/// One unit in the report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportUnit {
    /// The unit's id.
    pub id: String,
    /// The name at the end.
    pub name: String,
    /// The title of the unit's kind.
    pub kind: String,
    /// The group it started in.
    pub group: String,
    /// Its attributes and statuses at the start, in words.
    pub had: String,
    /// When it joined, in words; empty if it was there from the start.
    pub arrived: String,
    /// How it left the game.
    pub gone: Option<String>,
    /// The turn in which it left.
    pub gone_turn: Option<u32>,
    /// The status that puts it out of play, if it has not left.
    pub out: Option<String>,
    /// The statuses at the end.
    pub statuses: Vec<String>,
    /// What has changed since it joined, in words.
    pub changed: Vec<String>,
}

struct Arrival {
    unit: Unit,
    arrived: String,
    gone: Option<u32>,
}

/// Collects the units as they join and leave.
#[derive(Default)]
pub(super) struct Forces {
    arrivals: BTreeMap<usize, Arrival>,
    players: Vec<(String, String)>,
}

impl Forces {
    /// Records the units that joined and left with an event that counts.
    pub fn event(&mut self, after: &Table, event: &Event, playing: bool) {
        let turn = after.state().turn;
        for (place, unit) in after.state().units.iter().enumerate() {
            match self.arrivals.get_mut(&place) {
                None => {
                    let arrived = match (playing, &event.what) {
                        (false, _) => String::new(),
                        (true, EventKind::Play(_)) => format!("appeared in turn {turn}"),
                        (true, _) => format!("came in turn {turn}"),
                    };
                    self.arrivals.insert(
                        place,
                        Arrival { unit: unit.as_ref().clone(), arrived, gone: None },
                    );
                }
                // Before the first roll, an edit by hand belongs to the setup.
                Some(known) if !playing => known.unit = unit.as_ref().clone(),
                Some(known) if known.gone.is_none() && unit.gone.is_some() => {
                    known.gone = Some(turn)
                }
                Some(_) => {}
            }
        }
    }

    /// Records the player of a side.
    pub fn seat(&mut self, who: &str, seat: &Seat) {
        if let Seat::Player { side } = seat
            && !self.players.iter().any(|(known, played)| known == who && played == side)
        {
            self.players.push((who.to_owned(), side.clone()));
        }
    }

    pub fn finish(self, table: &Table) -> Vec<ReportSide> {
        let side = |(place, name): (usize, &String)| {
            let units: Vec<ReportUnit> = self
                .arrivals
                .iter()
                .filter_map(|(unit, arrival)| Some((arrival, table.state().units.get(*unit)?)))
                .filter(|(_, unit)| unit.side == place)
                .map(|(arrival, unit)| told(table, arrival, unit))
                .collect();
            let left = counted(units.iter().filter_map(|unit| unit.gone.as_deref()));
            let out = counted(
                units
                    .iter()
                    .filter(|unit| unit.gone.is_none())
                    .filter_map(|unit| unit.out.as_deref()),
            );
            let sides_now = self.arrivals.iter().filter(|(_, arrival)| arrival.unit.side == place);
            let sides_now = sides_now
                .filter_map(|(unit, _)| Some(table.state().units.get(*unit)?.side))
                .filter(|side| *side != place);
            let went_over =
                counted(sides_now.filter_map(|side| table.sides().get(side)).map(String::as_str));
            let here = units.iter().filter(|unit| unit.gone.is_none() && unit.out.is_none()).count()
                as u32;
            let players = self
                .players
                .iter()
                .filter(|(_, side)| side == name)
                .map(|(who, _)| who.clone())
                .collect();
            ReportSide { name: name.clone(), players, units, left, out, went_over, here }
        };
        table.sides().iter().enumerate().map(side).collect()
    }
}

/// Counts each word, in the order of first occurrence.
fn counted<'a>(words: impl Iterator<Item = &'a str>) -> Vec<(String, u32)> {
    let mut list: Vec<(String, u32)> = Vec::new();
    for word in words {
        match list.iter_mut().find(|(known, _)| known == word) {
            Some((_, count)) => *count += 1,
            None => list.push((word.to_owned(), 1)),
        }
    }
    list
}

fn told(table: &Table, arrival: &Arrival, unit: &Unit) -> ReportUnit {
    let (pack, first) = (table.pack(), &arrival.unit);
    let mut changed = Vec::new();
    if first.name != unit.name {
        changed.push(format!("first called {}", first.name));
    }
    if first.side != unit.side {
        changed.push(format!(
            "came over from {}",
            table.sides().get(first.side).map_or("", String::as_str)
        ));
    }
    if first.group != unit.group {
        changed.push(if unit.group.is_empty() {
            "stands alone".into()
        } else {
            format!("joined {}", unit.group)
        });
    }
    for (place, field) in pack.kinds()[unit.kind].has.iter_enumerated() {
        let (was, is) = (first.attribute(pack, place), unit.attribute(pack, place));
        match (was, is) {
            (was, Some(is)) if was != Some(is) => changed.push(match is {
                adjutant_pack::Value::YesNo(true) => field.label.to_string(),
                adjutant_pack::Value::YesNo(false) => format!("not: {}", field.label),
                is => format!("{} {}", field.label, value_in_words(pack, field, is)),
            }),
            _ => {}
        }
    }
    ReportUnit {
        id: unit.id.clone(),
        name: unit.name.clone(),
        kind: pack.kinds()[unit.kind].title.to_string(),
        group: first.group.clone(),
        had: had(pack, first),
        arrived: arrival.arrived.clone(),
        gone: unit.gone.clone(),
        gone_turn: arrival.gone,
        out: unit
            .statuses
            .iter()
            .map(|status| &pack.statuses()[*status])
            .find(|status| status.out)
            .map(|status| status.title.to_string()),
        statuses: unit
            .statuses
            .iter()
            .map(|status| pack.statuses()[*status].title.to_string())
            .collect(),
        changed,
    }
}

/// The known attributes of a unit, and its statuses.
fn had(pack: &Pack, unit: &Unit) -> String {
    let fields = pack.kinds()[unit.kind].has.iter().zip(&unit.attributes);
    let said = fields.filter_map(|(field, value)| match (*value)? {
        adjutant_pack::Value::YesNo(true) => Some(field.label.to_string()),
        adjutant_pack::Value::YesNo(false) => field
            .start
            .is_some_and(adjutant_pack::Value::is_yes)
            .then(|| format!("not: {}", field.label)),
        value => Some(format!("{} {}", field.label, value_in_words(pack, field, value))),
    });
    said.chain(unit.statuses.iter().map(|status| pack.statuses()[*status].title.to_string()))
        .collect::<Vec<_>>()
        .join(", ")
}
