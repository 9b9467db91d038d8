//! Units that join, appear or are edited.

use super::Words;
use adjutant_game::{NewUnit, UnitEdit};

impl Words<'_> {
    pub fn recruits(&self, recruits: &[NewUnit]) -> String {
        let one = |recruit: &NewUnit| match recruit.group.as_str() {
            "" => format!("{} ({})", recruit.name, recruit.side),
            group => format!("{} ({}, {group})", recruit.name, recruit.side),
        };
        recruits.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// The units that appear: `Enemy 1, Enemy 2 appear (The enemy, PEF 1).`
    pub fn appear(&self, recruits: &[NewUnit]) -> String {
        let verb = if recruits.len() == 1 { "appears" } else { "appear" };
        let place = |unit: &NewUnit| (unit.side.clone(), unit.group.clone());
        match recruits.first().map(place) {
            Some((side, group))
                if recruits.iter().map(place).all(|it| it.0 == side && it.1 == group) =>
            {
                let names: Vec<&str> = recruits.iter().map(|unit| unit.name.as_str()).collect();
                let group = if group.is_empty() { group } else { format!(", {group}") };
                format!(" {} {verb} ({side}{group}).", names.join(", "))
            }
            _ => format!(" {} {verb}.", self.recruits(recruits)),
        }
    }

    pub(super) fn change(&self, by: &str, change: &UnitEdit) -> String {
        let mut parts = Vec::new();
        parts.extend(change.name.as_ref().map(|name| format!("is now called {name}")));
        parts.extend(change.side.as_ref().map(|side| format!("goes over to {side}")));
        parts.extend(change.group.as_ref().map(|group| {
            if group.is_empty() { "stands alone".into() } else { format!("joins {group}") }
        }));
        parts.extend(
            change
                .has
                .iter()
                .map(|(id, value)| format!("{} {value}", self.attribute(&change.unit, id))),
        );
        parts.extend(change.put_on.iter().map(|id| self.status(id)));
        parts.extend(change.lift.iter().map(|id| format!("no longer {}", self.status(id))));
        parts.extend(change.notes.as_ref().map(|notes| format!("remark “{notes}”")));
        let name = self.before.unit(&change.unit).map_or(change.unit.as_str(), |unit| &unit.name);
        format!("{by} changes {name}: {}.", parts.join("; "))
    }
}
