//! What a side brought to the table and what became of it: each unit as it stood when the game began, or when it came, and as it
//! stands at the end.

use super::tell::value_in_words;
use crate::event::{Do, Event, Seat};
use crate::state::Unit;
use crate::table::Table;
use chance::Map;
use serde::Serialize;
use sheet::Pack;

/// A side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReportSide {
    /// Its name.
    pub name: String,
    /// Who played it, also those who have changed seats since.
    pub players: Vec<String>,
    /// Its units: those it began with, then those that came.
    pub units: Vec<ReportUnit>,
    /// How many of them left, by the word with which they left.
    pub left: Vec<(String, u32)>,
    /// How many are still there.
    pub here: u32,
}

/// A unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReportUnit {
    /// Its id.
    pub id: String,
    /// Its name at the end.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// The group it began in.
    pub group: String,
    /// What it had, in words.
    pub had: String,
    /// When it came, in words; empty where it was there from the start.
    pub came: String,
    /// The word with which it left.
    pub gone: Option<String>,
    /// The turn in which it left.
    pub gone_turn: Option<u32>,
    /// Its statuses at the end.
    pub statuses: Vec<String>,
    /// What is otherwise than when it came, in words.
    pub changed: Vec<String>,
}

struct Arrival {
    unit: Unit,
    came: String,
    gone: Option<u32>,
}

/// The units as they come and go.
#[derive(Default)]
pub(super) struct Forces {
    arrivals: Map<usize, Arrival>,
    players: Vec<(String, String)>,
}

impl Forces {
    /// Notes who came and who left with an event that counts.
    pub fn event(&mut self, after: &Table, event: &Event, playing: bool) {
        let turn = after.state.turn;
        for (place, unit) in after.state.units.iter().enumerate() {
            match self.arrivals.get_mut(&place) {
                None => {
                    let came = match (playing, &event.what) {
                        (false, _) => String::new(),
                        (true, Do::Play(_)) => format!("appeared in turn {turn}"),
                        (true, _) => format!("came in turn {turn}"),
                    };
                    self.arrivals.insert(place, Arrival { unit: unit.as_ref().clone(), came, gone: None });
                }
                // Until the first throw a change by hand belongs to the set-up.
                Some(known) if !playing => known.unit = unit.as_ref().clone(),
                Some(known) if known.gone.is_none() && unit.gone.is_some() => known.gone = Some(turn),
                Some(_) => {}
            }
        }
    }

    /// Notes who played what.
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
                .filter(|(_, arrival)| arrival.unit.side == place)
                .filter_map(|(unit, arrival)| Some(told(table, arrival, table.state.units.get(*unit)?)))
                .collect();
            let mut left: Vec<(String, u32)> = Vec::new();
            for word in units.iter().filter_map(|unit| unit.gone.as_ref()) {
                match left.iter_mut().find(|(known, _)| known == word) {
                    Some((_, count)) => *count += 1,
                    None => left.push((word.clone(), 1)),
                }
            }
            let here = units.iter().filter(|unit| unit.gone.is_none()).count() as u32;
            let players = self.players.iter().filter(|(_, side)| side == name).map(|(who, _)| who.clone()).collect();
            ReportSide { name: name.clone(), players, units, left, here }
        };
        table.sides().iter().enumerate().map(side).collect()
    }
}

fn told(table: &Table, arrival: &Arrival, unit: &Unit) -> ReportUnit {
    let (pack, first) = (&table.pack, &arrival.unit);
    let mut changed = Vec::new();
    if first.name != unit.name {
        changed.push(format!("first called {}", first.name));
    }
    if first.side != unit.side {
        changed.push(format!("went over to {}", table.sides().get(unit.side).map_or("", String::as_str)));
    }
    if first.group != unit.group {
        changed.push(if unit.group.is_empty() { "stands alone".into() } else { format!("joined {}", unit.group) });
    }
    for (place, field) in pack.kinds[unit.kind].has.iter().enumerate() {
        let (was, is) = (first.attribute(pack, place), unit.attribute(pack, place));
        match (was, is) {
            (was, Some(is)) if was != Some(is) => changed.push(match is {
                sheet::Value::YesNo(true) => field.label.to_string(),
                sheet::Value::YesNo(false) => format!("not: {}", field.label),
                is => format!("{} {}", field.label, value_in_words(pack, field, is)),
            }),
            _ => {}
        }
    }
    ReportUnit {
        id: unit.id.clone(),
        name: unit.name.clone(),
        kind: pack.kinds[unit.kind].title.to_string(),
        group: first.group.clone(),
        had: had(pack, first),
        came: arrival.came.clone(),
        gone: unit.gone.clone(),
        gone_turn: arrival.gone,
        statuses: unit.statuses.iter().map(|status| pack.statuses[*status].title.to_string()).collect(),
        changed,
    }
}

/// What somebody has said of a unit, and its statuses.
fn had(pack: &Pack, unit: &Unit) -> String {
    let fields = pack.kinds[unit.kind].has.iter().zip(&unit.attributes);
    let said = fields.filter_map(|(field, value)| match (*value)? {
        sheet::Value::YesNo(true) => Some(field.label.to_string()),
        sheet::Value::YesNo(false) => field.start.is_some_and(sheet::Value::is_yes).then(|| format!("not: {}", field.label)),
        value => Some(format!("{} {}", field.label, value_in_words(pack, field, value))),
    });
    said.chain(unit.statuses.iter().map(|status| pack.statuses[*status].title.to_string())).collect::<Vec<_>>().join(", ")
}
