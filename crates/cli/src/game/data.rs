//! Games as data, for scripts and other programs: what a store knows joined with what
//! `adjutant_api` shapes.

use crate::open_store::{OpenTable, SaidLine, utc};
use adjutant_api::{EventData, GameData, GameSummary, PlayedData, UnitData};
use adjutant_game::{Applied, Event, Table};
use adjutant_store::Summary;

/// A game in a list.
pub fn summary(summary: &Summary) -> GameSummary {
    GameSummary {
        id: summary.id.to_string(),
        name: summary.name.clone(),
        pack: summary.pack.clone(),
        events: summary.last,
        created: utc(summary.created / 1000),
        changed: utc(summary.changed / 1000),
        archived: summary.archived,
    }
}

/// A whole game.
pub fn game(of: &Summary, table: &Table) -> GameData {
    GameData::new(summary(of), table)
}

/// What the line that was kept last did; for a play with its resolution.
pub fn last_event(kept: &OpenTable, said: &SaidLine) -> EventData {
    let Applied { event: kept_event, changes, resolution, .. } = &said.applied;
    let played = resolution.clone().map(|resolution| PlayedData {
        resolution,
        changed: UnitData::changed(changes, &kept.table),
    });
    EventData { played, ..event(kept, kept_event) }
}

/// What an event did.
pub fn event(kept: &OpenTable, event: &Event) -> EventData {
    EventData::new(kept.id.to_string(), &kept.name, &kept.table, event, super::act::words(kept))
}
