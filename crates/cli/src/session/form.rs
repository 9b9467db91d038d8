//! The form of a chart: who takes part, and what is said of the situation. What units know is
//! filled in and shown beside their names; what a pending test settles is shown and cannot be
//! changed; circumstances that are not ticked stay in view. Once a die is rolled the form is closed
//! to changes until the roll is done.

use super::entries::{Entries, Entry, Kind};
use super::picker::{Item, Picker};
use adjutant_dice::{Accepts, ChoiceWord, RecordedInput};
use adjutant_engine::{needs, relevant, roles_in_use};
use adjutant_game::{DueTest, PlayError, PlayRequest, Table, Unit};
use adjutant_pack::{Chart, EffectKind, Field, FilledFrom, InputId, RoleId, capital};
use adjutant_wording::en;

/// The name of the entry for the side of those who appear.
const SIDE: &str = "side of those who appear";

/// The name of the entry that allows what a status rules out.
const ANYWAY: &str = "allowed anyway";
/// The start of the key of a unit that joins the one in a role.
const JOINS: &str = "joins ";

/// A chart to be rolled.
pub struct Form {
    pub play: PlayRequest,
    /// The inputs of an attempt that stopped.
    pub inputs: Vec<RecordedInput>,
    pub entries: Entries,
    /// Whether the player rolls his own dice.
    pub own: bool,
    /// What is wrong with what is said.
    pub wrong: Vec<String>,
}

impl Form {
    pub fn new(table: &Table, play: PlayRequest) -> Form {
        let mut form = Form {
            play,
            inputs: Vec::new(),
            entries: Entries::default(),
            own: false,
            wrong: Vec::new(),
        };
        form.fill(table);
        form.entries = Entries::new(std::mem::take(&mut form.entries.list));
        form.entries.go_first();
        form
    }

    /// The pending test it is for.
    pub fn due<'t>(&self, table: &'t Table) -> Option<&'t DueTest> {
        let id = self.play.pending.as_ref()?;
        table.pending().map(|pending| &pending.due).find(|due| due.id == *id)
    }

    /// The chart.
    pub fn chart<'t>(&self, table: &'t Table) -> Option<&'t Chart> {
        let id = self.due(table).map_or(&self.play.chart, |due| &due.chart);
        table.pack().chart(id)
    }

    /// Whether dice have been rolled that must not be rolled again.
    pub fn started(&self) -> bool {
        !self.inputs.is_empty()
    }

    /// The units in a role, settled or chosen.
    fn units<'a>(&'a self, table: &'a Table, role: &str) -> &'a [String] {
        let settled = self.due(table).and_then(|due| due.units.get(role));
        settled.or_else(|| self.play.units.get(role)).map_or(&[], Vec::as_slice)
    }

    /// Makes the entries again from what is said so far.
    pub fn fill(&mut self, table: &Table) {
        let Some(chart) = self.chart(table) else {
            self.wrong =
                vec!["this test is no longer pending: another player rolled or skipped it".into()];
            return;
        };
        let left_out = table.left_out(chart, &self.play);
        self.play.left_out = left_out.iter().map(|unit| unit.id.clone()).collect();
        let mut list = self.roles(table, chart);
        match table.situation(&self.play) {
            Ok(situation) => {
                self.wrong.clear();
                let used = roles_in_use(&situation);
                let idle = |entry: &Entry| {
                    chart.role(&entry.key).is_some_and(|role| !used.contains(&role))
                        && entry.value.is_empty()
                };
                list.retain(|entry| !idle(entry));
                let missing: Vec<String> =
                    needs(&situation).into_iter().map(|need| need.key).collect();
                for place in relevant(&situation) {
                    self.input(table, chart, place, &mut list);
                }
                for entry in &mut list {
                    entry.missing = missing.contains(&entry.key);
                }
            }
            Err(stop) => {
                self.wrong = match stop {
                    PlayError::Rejected(all) => all.iter().map(en::rejection).collect(),
                    PlayError::RuledOut(found) => found.iter().map(en::ruled_out).collect(),
                    stop @ (PlayError::Needs { .. } | PlayError::Unusable { .. }) => {
                        vec![en::play_error(&stop)]
                    }
                };
                chart.inputs.ids().for_each(|place| self.input(table, chart, place, &mut list));
            }
        }
        self.joined(table, chart, &mut list);
        if self.play.anyway
            || table.situation(&self.play).is_err_and(|stop| matches!(stop, PlayError::RuledOut(_)))
        {
            let mut anyway = Entry::new(
                ANYWAY,
                "Allow it anyway",
                Kind::YesNo,
                if self.play.anyway { "yes" } else { "" },
            );
            anyway.note = "This is ruled out; the log shows that you allowed it.".into();
            list.push(anyway);
        }
        if appears(chart) {
            let words =
                table.sides().iter().map(|side| ChoiceWord { id: side.into(), label: side.into() });
            let mut side = Entry::new(
                SIDE,
                "New units join",
                Kind::Choice(words.collect()),
                self.play.new_units_side.as_deref().unwrap_or(""),
            );
            side.note = "The side of new units; empty for the default side.".into();
            list.push(side);
        }
        if self.started() {
            list.iter_mut().for_each(|entry| entry.settled = true);
        }
        self.entries.replace(list);
    }

    fn roles(&self, table: &Table, chart: &Chart) -> Vec<Entry> {
        let state = table.state();
        let each = chart.each.as_ref().map(|each| each.role);
        let entry = |(place, role): (RoleId, &adjutant_pack::Role)| {
            let units: Vec<&Unit> =
                self.units(table, &role.id).iter().filter_map(|id| state.unit(id)).collect();
            let names: Vec<&str> = units.iter().map(|unit| unit.name.as_str()).collect();
            let kind = &table.pack().kinds()[role.kind].title;
            let mut entry = Entry::new(
                &role.id,
                &capital(&role.id.as_str().replace('_', " ")),
                Kind::Role { many: each == Some(place) },
                &names.join(", "),
            );
            entry.settled =
                self.due(table).is_some_and(|due| due.units.contains_key(role.id.as_str()));
            entry.note =
                format!("A unit of the roster ({kind}); without one its values are asked.");
            if let [unit] = units[..] {
                entry.under = known(table, chart, place, unit);
            }
            entry
        };
        chart.roles.iter_enumerated().map(entry).collect()
    }

    /// Adds the units that take part with the one in a role, each with a box to leave it out.
    fn joined(&self, table: &Table, chart: &Chart, list: &mut Vec<Entry>) {
        for (role, known) in chart.roles.iter_enumerated() {
            for unit in table.able_to_join(chart, role, &self.play).unwrap_or_default() {
                let out = self.play.left_out.contains(&unit.id);
                let label = format!("{}: with {}", capital(&known.id.replace("_", " ")), unit.name);
                let value = if out { "no" } else { "yes" };
                list.push(Entry::new(&format!("{JOINS}{}", unit.id), &label, Kind::YesNo, value));
            }
        }
    }

    /// Adds the entries of one input: none where the unit knows it, one for each of several units.
    fn input(&self, table: &Table, chart: &Chart, place: InputId, list: &mut Vec<Entry>) {
        let input = &chart.inputs[place];
        let Some(role) = input.role else {
            return list.push(self.entry(table, &input.name, &input.field.label, &input.field));
        };
        let (name, units) = (&chart.roles[role].id, self.units(table, &chart.roles[role].id));
        let knows = |id: &String| {
            table.state().unit(id).is_some_and(|unit| of_unit(table, input.source, unit).is_some())
        };
        let several =
            chart.each.as_ref().is_some_and(|each| each.role == role) && !units.is_empty();
        if !several {
            if !units.iter().any(knows) {
                list.push(self.entry(table, &input.name, &input.field.label, &input.field));
            }
            return;
        }
        let attribute =
            input.name.split_once('.').map_or(input.name.as_str(), |(_, attribute)| attribute);
        for id in units.iter().filter(|id| !knows(id)) {
            let unit = table.state().unit(id).map_or(id.as_str(), |unit| unit.name.as_str());
            let label = &input.own_label;
            list.push(self.entry(
                table,
                &format!("{name}.{id}.{attribute}"),
                &format!("{unit}: {label}"),
                &input.field,
            ));
        }
    }

    fn entry(&self, table: &Table, key: &str, label: &str, field: &Field) -> Entry {
        let settled = self.due(table).and_then(|due| due.with.get(key));
        let value = settled.or_else(|| self.play.given.get(key)).map_or("", String::as_str);
        let mut entry = field_entry(key, label, field, value);
        entry.settled = settled.is_some();
        entry
    }

    /// Takes over what the chosen entry says now.
    pub fn take(&mut self) {
        let Some(entry) = self.entries.chosen().cloned() else { return };
        match entry.kind {
            Kind::Role { .. } => drop(self.play.units.remove(&entry.key)),
            _ if entry.key == SIDE => {
                self.play.new_units_side = Some(entry.value).filter(|side| !side.is_empty())
            }
            _ if entry.key.starts_with(JOINS) => {
                let unit = entry.key[JOINS.len()..].to_owned();
                self.play.left_out.retain(|id| *id != unit);
                if entry.value != "yes" {
                    self.play.left_out.push(unit);
                }
            }
            _ if entry.key == ANYWAY => self.play.anyway = entry.value == "yes",
            _ if entry.value.is_empty() => drop(self.play.given.remove(&entry.key)),
            _ => drop(self.play.given.insert(entry.key, entry.value)),
        }
    }

    /// The units that can take a role. Units in another role, and those that a status rules out,
    /// are not offered: they are below the others, with the status.
    pub fn candidates(&self, table: &Table, role: &str) -> Option<Picker> {
        let chart = self.chart(table)?;
        let place = chart.role(role)?;
        let elsewhere = |id: &String| {
            chart
                .roles
                .iter()
                .any(|other| other.id != *role && self.units(table, &other.id).contains(id))
        };
        let (who, given) = (table.taking_part(&self.play), table.answers(&self.play));
        let here = table.state().here().filter(|unit| table.can_take(chart, place, unit, &who));
        let pending = self.play.pending.as_ref();
        let here = here.filter(|unit| !table.is_of_other_side(pending, role, unit));
        let mut items: Vec<(usize, Item)> = here
            .map(|unit| {
                let side = table.sides().get(unit.side).map_or("", String::as_str);
                let mut note = if unit.group.is_empty() {
                    side.to_owned()
                } else {
                    format!("{side}, {}", unit.group)
                };
                let stopped = table.ruled_out_by(chart, place, unit, &given);
                if let Some(by) = &stopped {
                    note = format!("{note}: {}", en::ruled_out_by(by));
                }
                (
                    unit.side,
                    Item {
                        id: unit.id.clone(),
                        text: unit.name.clone(),
                        note,
                        about: unit.notes.clone(),
                        offered: !elsewhere(&unit.id) && stopped.is_none(),
                    },
                )
            })
            .collect();
        // Where a side shoots, the other side is most often shot at: it comes first.
        let side = |id: &String| table.state().unit(id).map(|unit| unit.side);
        let others = chart.roles.iter().filter(|other| other.id != *role);
        let taken = others.flat_map(|other| self.units(table, &other.id)).filter_map(side).next();
        items.sort_by_key(|(side, _)| (Some(*side) == taken, *side));
        let mut picker = Picker::new(items.into_iter().map(|(_, item)| item).collect());
        picker.many = chart.each.as_ref().is_some_and(|each| each.role == place);
        if picker.many {
            picker.ticked = self.units(table, role).to_vec();
        }
        Some(picker)
    }
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

/// What a unit gives to an input.
fn of_unit(table: &Table, source: FilledFrom, unit: &Unit) -> Option<adjutant_pack::Value> {
    let pack = table.pack();
    match source {
        FilledFrom::Situation => None,
        FilledFrom::SideMemory(memory) => table.state().memory_of(pack, unit.side, memory),
        FilledFrom::Status(status) => unit.facet(pack, &pack.statuses().get(status)?.id),
        FilledFrom::Attribute(place) => {
            unit.facet(pack, &pack.kinds().get(unit.kind)?.has.get(place)?.id)
        }
    }
}

/// What a unit brings into a chart, in a few words: `HE/SA value 5, Troop quality 1, not
/// suppressed`.
fn known(table: &Table, chart: &Chart, role: RoleId, unit: &Unit) -> String {
    let pack = table.pack();
    let mut parts = Vec::new();
    for input in chart.inputs.iter().filter(|input| input.role == Some(role)) {
        let Some(value) = of_unit(table, input.source, unit) else { continue };
        let label = &input.own_label;
        let field = pack.kinds()[unit.kind]
            .has
            .iter()
            .find(|field| input.name.ends_with(&format!(".{}", field.id)));
        match value {
            adjutant_pack::Value::YesNo(true) => parts.push(label.to_string()),
            adjutant_pack::Value::YesNo(false) => {}
            adjutant_pack::Value::Number(n) => parts.push(format!("{label} {n}")),
            adjutant_pack::Value::Word(word) => {
                let id = pack.words().text(word);
                let words = field.and_then(|field| field.accepts.words()).unwrap_or(&[]);
                parts.push(
                    words
                        .iter()
                        .find(|word| word.id == id)
                        .map_or(id.to_owned(), |word| word.label.to_string()),
                );
            }
        }
    }
    parts.join(", ")
}

/// Whether a chart may let units appear.
fn appears(chart: &Chart) -> bool {
    chart.effects().any(|effect| matches!(effect.kind, EffectKind::Appear(..)))
}
