//! Changes in the game, with the names that players see.

use adjutant_engine::Change;
use adjutant_pack::Pack;

/// One change of a resolution.
pub fn change(pack: &Pack, change: &Change) -> String {
    let title = |id: &str| {
        pack.statuses()
            .iter()
            .find(|status| status.id == id)
            .map_or(id.to_owned(), |status| status.title.to_string())
    };
    match change {
        Change::Status { on, status } => format!("{} is now: {}", on.role, title(status)),
        Change::Lift { on, status } => format!("{} is no longer: {}", on.role, title(status)),
        Change::Leave { on, how } => format!("{} leaves the game: {how}", on.role),
        Change::Set { .. }
        | Change::Add { .. }
        | Change::Remember { .. }
        | Change::RememberMore { .. }
        | Change::Appear(_)
        | Change::Reshuffle { .. }
        | Change::Note { .. } => change.says(),
    }
}
