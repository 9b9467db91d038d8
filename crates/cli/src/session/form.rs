//! The form of a chart: who takes part, and what is said of the situation. What units know is
//! filled in and shown beside their names; what a pending test settles is shown and cannot be
//! changed; circumstances that are not ticked stay in view. Once a die is rolled the form is closed
//! to changes until the roll is done.

use super::entries::{Entries, Entry, Kind};
use super::picker::{Item, Picker};
use adjutant_dice::{Accepts, ChoiceWord};
use adjutant_game::{
    Attempt, AttemptView, InputView, Move, MoveError, Refusal, RoleState, RoleView, Table, Unit,
    ValueFrom,
};
use adjutant_pack::{Chart, Field, RoleId, capital};
use adjutant_wording::en;

/// The name of the entry for the side of those who appear.
const SIDE: &str = "side of those who appear";

/// The name of the entry that allows what a status rules out.
const ANYWAY: &str = "allowed anyway";
/// The start of the key of a unit that joins the one in a role.
const JOINS: &str = "joins ";

/// A chart to be rolled.
pub struct Form {
    pub attempt: Attempt,
    pub entries: Entries,
    /// What is wrong with what is said.
    pub wrong: Vec<String>,
    /// The player who fills it in.
    me: String,
}

impl Form {
    pub fn new(table: &Table, me: &str, attempt: Attempt) -> Form {
        let (entries, wrong, me) = (Entries::default(), Vec::new(), me.to_owned());
        let mut form = Form { attempt, entries, wrong, me };
        form.fill(table);
        form.entries = Entries::new(std::mem::take(&mut form.entries.list));
        form.entries.go_first();
        form
    }

    /// Makes the entries again from what is said so far.
    pub fn fill(&mut self, table: &Table) {
        self.attempt.refresh(table);
        let Some(view) = self.attempt.view(table, &self.me) else {
            self.wrong =
                vec!["this test is no longer pending: another player rolled or skipped it".into()];
            return;
        };
        self.wrong = view.refusal.as_ref().map(en::refusal).unwrap_or_default();
        let mut list: Vec<Entry> = view
            .roles
            .iter()
            .filter(|role| role.state != RoleState::Idle)
            .map(|role| role_entry(table, &view, role))
            .collect();
        list.extend(view.inputs.iter().filter(|input| is_asked(input)).map(|input| {
            let mut entry = input_entry(table, input);
            entry.missing = input.missing;
            entry
        }));
        self.joining(table, view.chart, &mut list);
        let request = self.attempt.request();
        if request.anyway || matches!(view.refusal, Some(Refusal::RuledOut(_))) {
            let said = if request.anyway { "yes" } else { "" };
            let mut anyway = Entry::new(ANYWAY, "Allow it anyway", Kind::YesNo, said);
            anyway.note = "This is ruled out; the log shows that you allowed it.".into();
            list.push(anyway);
        }
        if view.chart.adds_units() {
            let words =
                table.sides().iter().map(|side| ChoiceWord { id: side.into(), label: side.into() });
            let mut side = Entry::new(
                SIDE,
                "New units join",
                Kind::Choice(words.collect()),
                request.new_units_side.as_deref().unwrap_or(""),
            );
            side.note = "The side of new units; empty for the default side.".into();
            list.push(side);
        }
        if self.attempt.is_underway() {
            list.iter_mut().for_each(|entry| entry.settled = true);
        }
        self.entries.replace(list);
    }

    /// Adds the units that take part with the one in a role, each with a box to leave it out.
    fn joining(&self, table: &Table, chart: &Chart, list: &mut Vec<Entry>) {
        for (place, role) in chart.roles.iter_enumerated() {
            for (unit, left_out) in self.attempt.joining(table, place) {
                let label = format!("{}: with {}", capital(&role.id.replace("_", " ")), unit.name);
                let value = if left_out { "no" } else { "yes" };
                list.push(Entry::new(&format!("{JOINS}{}", unit.id), &label, Kind::YesNo, value));
            }
        }
    }

    /// Takes over what the chosen entry says now.
    pub fn take(&mut self, table: &Table) -> Result<(), MoveError> {
        let Some(entry) = self.entries.chosen().cloned() else { return Ok(()) };
        let step = match entry.kind {
            Kind::Role { .. } => Move::Units { role: entry.key, units: Vec::new() },
            _ if entry.key == SIDE => {
                Move::NewUnitsSide(Some(entry.value).filter(|side| !side.is_empty()))
            }
            _ if entry.key.starts_with(JOINS) => {
                Move::LeaveOut { unit: entry.key[JOINS.len()..].to_owned() }
            }
            _ if entry.key == ANYWAY => Move::Allow(entry.value == "yes"),
            _ => Move::Set { name: entry.key, value: entry.value },
        };
        self.attempt.make(table, step)
    }

    /// The units that can take a role. Those that are ruled out are not offered: they are below the
    /// others, with the reason.
    pub fn candidates(&self, table: &Table, role: &str) -> Option<Picker> {
        let chart = self.attempt.chart(table)?;
        let place = chart.role(role)?;
        let items = self.attempt.candidates(table, place).into_iter().map(|candidate| {
            let unit = candidate.unit;
            let mut note = table.sides().get(unit.side).cloned().unwrap_or_default();
            if !unit.group.is_empty() {
                note = format!("{note}, {}", unit.group);
            }
            if let Some(by) = &candidate.ruled_out {
                note = format!("{note}: {}", en::ruled_out_by(by));
            }
            Item {
                id: unit.id.clone(),
                text: unit.name.clone(),
                note,
                about: unit.notes.clone(),
                offered: candidate.ruled_out.is_none(),
            }
        });
        let mut picker = Picker::new(items.collect());
        picker.many = chart.is_for_each(place);
        if picker.many {
            picker.ticked = self.attempt.units(table, role).to_vec();
        }
        Some(picker)
    }
}

/// Whether the form asks for an input: what a unit knows stands beside its name.
fn is_asked(input: &InputView<'_>) -> bool {
    !matches!(input.from, ValueFrom::Unit(_) | ValueFrom::Side(_))
}

fn role_entry(table: &Table, view: &AttemptView<'_>, role: &RoleView<'_>) -> Entry {
    let units: Vec<&Unit> = role.units.iter().filter_map(|id| table.state().unit(id)).collect();
    let names: Vec<&str> = units.iter().map(|unit| unit.name.as_str()).collect();
    let kind = &table.pack().kinds()[role.role.kind].title;
    let mut entry = Entry::new(
        &role.role.id,
        &capital(&role.role.id.as_str().replace('_', " ")),
        Kind::Role { many: role.several },
        &names.join(", "),
    );
    entry.settled = role.state == RoleState::Settled;
    entry.note = format!("A unit of the roster ({kind}); without one its values are asked.");
    if let [unit] = units[..] {
        entry.under = known(table, view, role.place, unit);
    }
    entry
}

fn input_entry(table: &Table, view: &InputView<'_>) -> Entry {
    let given = matches!(view.from, ValueFrom::Player | ValueFrom::Test);
    let value = view.value.as_deref().filter(|_| given).unwrap_or("");
    let label = match &view.member {
        Some(member) => {
            let unit = table.state().unit(adjutant_game::unit_of_member(member));
            let name = unit.map_or(member.as_str(), |unit| unit.name.as_str());
            format!("{name}: {}", view.input.own_label)
        }
        None => view.input.field.label.to_string(),
    };
    let mut entry = field_entry(&view.name, &label, &view.input.field, value);
    entry.settled = matches!(view.from, ValueFrom::Test);
    entry
}

impl Entries {
    /// Moves to the first value that is missing.
    fn go_first(&mut self) {
        let open = |entry: &Entry| {
            !entry.settled
                && (entry.missing
                    || matches!(entry.kind, Kind::Role { .. }) && entry.value.is_empty())
        };
        self.at = self
            .list
            .iter()
            .position(open)
            .or_else(|| self.list.iter().position(|entry| !entry.settled))
            .unwrap_or(0);
    }
}

/// An entry for a field of the pack.
pub fn field_entry(key: &str, label: &str, field: &Field, value: &str) -> Entry {
    let kind = match &field.accepts {
        Accepts::YesNo => Kind::YesNo,
        Accepts::Choice { words } => Kind::Choice(words.clone()),
        number => Kind::Number(number.clone()),
    };
    let mut entry = Entry::new(key, label, kind, value);
    entry.default = field.default.as_ref().map(|answer| answer.to_string()).unwrap_or_default();
    entry.note = match &field.accepts {
        Accepts::Number { .. } if field.note.is_empty() => {
            capital(&adjutant_wording::en::accepted(&field.accepts))
        }
        Accepts::Number { .. } => {
            format!("{}. {}", capital(&adjutant_wording::en::accepted(&field.accepts)), field.note)
        }
        _ => field.note.clone(),
    };
    entry
}

/// What a unit brings into a chart, in a few words: `HE/SA value 5, Troop quality 1, not
/// suppressed`.
fn known(table: &Table, view: &AttemptView<'_>, role: RoleId, unit: &Unit) -> String {
    let of_role = view.chart.inputs.iter().filter(|input| input.role == Some(role));
    let parts = of_role.filter_map(|input| {
        let value = table.value_for(unit, input)?;
        let label = &input.own_label;
        match value {
            adjutant_pack::Value::YesNo(true) => Some(label.to_string()),
            adjutant_pack::Value::YesNo(false) => None,
            adjutant_pack::Value::Number(n) => Some(format!("{label} {n}")),
            adjutant_pack::Value::Word(word) => {
                let id = table.pack().words().text(word);
                let words = input.field.accepts.words().unwrap_or(&[]);
                let word = words.iter().find(|word| word.id == id);
                Some(word.map_or(id.to_owned(), |word| word.label.to_string()))
            }
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}
