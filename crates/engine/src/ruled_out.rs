//! What rules the units of a roll out, as far as the roll knows them. In a game the roster decides.

use crate::situation::Situation;
use adjutant_dice::Text;
use adjutant_pack::{FilledFrom, Name, NameSource, Pack, RoleId, Ruling, StatusId, Value};
use serde::Serialize;

/// A unit of a roll that may not have its role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuledOutLine {
    /// The role.
    pub role: Text,
    /// The unit, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<Text>,
    /// What rules it out.
    #[serde(flatten)]
    pub by: RuledOutBy,
}

/// What rules a unit out of a chart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum RuledOutBy {
    /// A status of the unit.
    Status {
        /// The id of the status.
        status: Text,
        /// The title of the status.
        title: Text,
    },
    /// The chart is for other units.
    Only {
        /// The units that it is for, in words.
        only_for: Text,
    },
}

impl RuledOutBy {
    /// The same, with its own texts.
    pub fn new(pack: &Pack, ruling: Ruling<'_>) -> RuledOutBy {
        match ruling {
            Ruling::Status(status) => {
                let status = &pack.statuses()[status];
                RuledOutBy::Status { status: status.id.clone(), title: status.title.clone() }
            }
            Ruling::Only(only) => RuledOutBy::Only { only_for: only.label.clone() },
        }
    }
}

impl Situation<'_> {
    /// The units that may not have their role, by what was given. What was not given rules nothing
    /// out.
    pub fn ruled_out(&self) -> Vec<RuledOutLine> {
        let (pack, chart) = (self.pack, self.chart());
        let each = chart.each.as_ref().map(|each| each.role);
        let mut found = Vec::new();
        for (role, known) in chart.roles.iter_enumerated() {
            let several = if each == Some(role) { self.members.len() } else { 0 };
            let members: Vec<Option<usize>> = match several {
                0 => vec![None],
                several => (0..several).map(Some).collect(),
            };
            for member in members {
                let of = |member: usize| self.members[member].0.clone();
                if let Some(ruling) = self.ruling(role, member) {
                    let (role, of) = (known.id.clone(), member.map(of));
                    found.push(RuledOutLine { role, of, by: RuledOutBy::new(pack, ruling) });
                }
            }
        }
        found
    }

    fn ruling(&self, role: RoleId, member: Option<usize>) -> Option<Ruling<'_>> {
        let (pack, chart) = (self.pack, self.chart());
        let beside = |name: &str| {
            let mut given = self.beside.iter().rev();
            let (.., value) =
                given.find(|(of, known, _)| known == name && (of.is_none() || *of == member))?;
            Some(*value)
        };
        let has = |status: &StatusId| {
            let name = format!("{}.{}", chart.roles[role].id, pack.statuses()[*status].id);
            let input = chart.inputs.position(|input| {
                input.role == Some(role) && input.source == FilledFrom::Status(*status)
            });
            let value =
                input.map_or_else(|| beside(&name), |input| self.value(member, input, false));
            value == Some(Value::YesNo(true))
        };
        let statuses: Vec<StatusId> = pack.statuses().ids().filter(has).collect();
        let value = |name: &Name| match name.origin {
            NameSource::Input(input) => {
                self.value(member, input, chart.inputs[input].role.is_none())
            }
            NameSource::Option(option) => self.options.get(option).copied(),
            NameSource::Memory(memory) => self.memory.get(memory).copied(),
            NameSource::Other => beside(&name.text),
            _ => None,
        };
        pack.ruling(self.chart, role, &statuses, value)
    }
}
