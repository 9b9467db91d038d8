//! Tests that become due or lapse.

use super::Words;
use adjutant_game::DueTest;

impl Words<'_> {
    /// The tests that have just become due.
    pub(super) fn falls_due(&self, next: &[DueTest]) -> String {
        let still =
            |due: &&DueTest| self.state.pending.iter().any(|pending| pending.due.id == due.id);
        let mut told: Vec<(String, u32)> = Vec::new();
        for due in next.iter().filter(still) {
            let due = self.due(due);
            match told.last_mut() {
                Some((last, times)) if *last == due => *times += 1,
                _ => told.push((due, 1)),
            }
        }
        let told: Vec<String> = told
            .into_iter()
            .map(|(due, times)| if times > 1 { format!("{times} × {due}") } else { due })
            .collect();
        if told.is_empty() { String::new() } else { format!(" Due: {}.", told.join("; ")) }
    }

    /// The tests that lapsed because a unit has left.
    pub(super) fn lapsed(&self, settled: Option<&String>) -> String {
        let over = |due: &&DueTest| {
            Some(&due.id) != settled
                && !self.state.pending.iter().any(|pending| pending.due.id == due.id)
        };
        let told: Vec<String> = self
            .before
            .pending
            .iter()
            .map(|pending| &pending.due)
            .filter(over)
            .map(|due| self.due(due))
            .collect();
        if told.is_empty() {
            String::new()
        } else {
            format!(" No longer due: {}.", told.join("; "))
        }
    }

    pub fn due(&self, due: &DueTest) -> String {
        let chart = self.pack.chart(&due.chart);
        let title = chart.map_or(due.chart.as_str(), |chart| &chart.title);
        let now = if due.now { ", at once" } else { "" };
        let open = due.role_sides.iter();
        let open = open.map(|(role, side)| format!(" – {} of {side}", role.replace('_', " ")));
        let open: String = open.collect();
        format!("{title}{}{open} ({}{now})", self.who(&due.units, chart), due.why)
    }
}
