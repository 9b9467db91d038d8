//! The steps of a sealed roll.

use super::Words;
use adjutant_game::{EventKind, PlayRecord};

impl Words<'_> {
    /// A step of a sealed roll.
    pub(super) fn sealing(&self, by: &str, what: &EventKind) -> String {
        match what {
            EventKind::Seal(seal) => match seal.last {
                None => {
                    let agreed = match seal.forfeit {
                        None => String::new(),
                        agreed => format!(" Silent players: {}.", crate::en::forfeit(agreed)),
                    };
                    format!("{by} seals a chain of {} rolls.{agreed}", seal.length)
                }
                Some(_) => {
                    format!("{by} ends one chain and seals another of {} rolls.", seal.length)
                }
            },
            EventKind::Call(called) => {
                let chart = self.pack.chart(&called.request.chart);
                let title = chart.map_or(called.request.chart.as_str(), |chart| &chart.title);
                let given = chart
                    .map(|chart| self.given(chart, &called.request.given))
                    .filter(|given| !given.is_empty());
                let given = given.map(|given| format!(" {given}.")).unwrap_or_default();
                let inputs = self
                    .inputs(&PlayRecord { inputs: called.inputs.clone(), ..PlayRecord::default() });
                match called.continues {
                    None => {
                        let anyway = self.anyway(&called.request);
                        format!(
                            "{by} calls {title}{}, sealed.{anyway}{given}{inputs}",
                            self.taking_part(&called.request, chart)
                        )
                    }
                    Some(n) => format!("{by} goes on with the call of event {n}.{inputs}"),
                }
            }
            EventKind::Withdraw { call, .. } => {
                let owed: Vec<&str> =
                    self.circle.call.iter().flat_map(|call| call.owes()).collect();
                let owed = if owed.is_empty() {
                    String::new()
                } else {
                    format!(" No link came from {}.", owed.join(", "))
                };
                format!("{by} takes back the call of event {call}.{owed}")
            }
            EventKind::Release { who, .. } if self.circle.members.len() < 3 => {
                format!("{by} removes {who} from the sealed group. Rolls are no longer sealed.")
            }
            EventKind::Release { who, .. } => format!("{by} removes {who} from the sealed group."),
            _ => format!("{by} confirms the roll."),
        }
    }
}
