//! What a result means, in sentences for a screen: what each unit rolled, what it got and what it
//! must do.

use super::log::Words;
use super::sentence;
use adjutant_engine::{Resolution, RollStep};
use adjutant_game::{
    Applied, EventKind, LogError, NewUnit, PhaseStep, PlayRecord, RecordedChange, ResultRecord,
    State, Table, unit_of_member,
};
use adjutant_pack::StepKind;

/// What a line means that was just applied to this game. For the tests that are due after it see
/// [`guide`](super::guide).
pub fn meaning(table: &Table, applied: &Applied) -> Vec<String> {
    match (&applied.event.what, &applied.resolution) {
        (EventKind::Play(played), Some(resolution)) => {
            Narrator { table, before: &applied.before.state, played, resolution }.sentences()
        }
        (EventKind::Phase(step), _) => phase(table, step),
        _ => Vec::new(),
    }
}

/// What an event of the log means.
pub fn meaning_of(table: &Table, n: u64) -> Result<Vec<String>, LogError> {
    Ok(table.at_event(n)?.map(|(then, applied)| meaning(&then, &applied)).unwrap_or_default())
}

/// A phase that has started: its purpose, and what ended.
fn phase(table: &Table, step: &PhaseStep) -> Vec<String> {
    let phase = table.pack().phases().iter().find(|phase| phase.id == step.to);
    let told = phase.map(|phase| sentence(&format!("{}. {}", phase.title, phase.text))).into_iter();
    told.chain(step.lifted.iter().map(|(unit, status)| no_longer(table, unit, status))).collect()
}

fn no_longer(table: &Table, unit: &str, status: &str) -> String {
    let name = table.state().unit(unit).map_or(unit, |unit| &unit.name);
    let title = table
        .pack()
        .statuses()
        .iter()
        .find(|known| known.id == status)
        .map_or(status, |known| &known.title);
    format!("{name}: no longer {title}.")
}

struct Narrator<'a> {
    table: &'a Table,
    before: &'a State,
    played: &'a PlayRecord,
    resolution: &'a Resolution,
}

impl Narrator<'_> {
    fn sentences(&self) -> Vec<String> {
        let words = Words {
            pack: self.table.pack(),
            before: self.before,
            state: self.table.state(),
            circle: self.table.sealed_group(),
        };
        let mut told: Vec<String> = self.results(&words);
        if !self.played.held {
            let effects = words.effects(&self.played.effects, Some(self.played));
            told.extend(Some(effects.trim().to_owned()).filter(|text| !text.is_empty()));
        }
        if !self.played.appear.is_empty() {
            told.push(self.newcomers());
        }
        let anyway = words.anyway(&self.played.request);
        told.extend(Some(anyway.trim().to_owned()).filter(|text| !text.is_empty()));
        told
    }

    fn name(&self, id: &str) -> String {
        self.table.state().unit(id).map_or_else(|| id.to_owned(), |unit| unit.name.clone())
    }

    /// Each result with its numbers: `PEF 2 – passes 1: Advances, 4 inches. Comes straight at the
    /// player …`.
    fn results(&self, words: &Words<'_>) -> Vec<String> {
        let several = !self.resolution.members.is_empty();
        let pack = self.table.pack();
        let unit =
            pack.chart(&self.played.request.chart).map_or("", |chart| chart.read.unit.as_str());
        let mut told = Vec::new();
        for (place, found) in self.played.results.iter().enumerate() {
            let who = self.affected(&found.on);
            let numbers = self.numbers(if several { Some(found.on.as_str()) } else { None });
            let head = match (who, numbers.is_empty()) {
                (Some(name), true) => format!("{name}: "),
                (Some(name), false) => format!("{name} – {numbers}: "),
                (None, false) => format!("{numbers}: "),
                (None, true) => String::new(),
            };
            let value = match (self.played.says.as_str(), self.played.value.as_str()) {
                _ if place > 0 || several => String::new(),
                ("", "") => String::new(),
                ("", value) => format!(", {}", format!("{value} {unit}").trim()),
                (says, _) => format!(", {says}"),
            };
            let means = self.means(found);
            let because = if found.because.is_empty() {
                String::new()
            } else {
                format!(" ({})", found.because)
            };
            let title = found.title.trim_end_matches('.');
            told.push(sentence(&format!(
                "{} {means}",
                sentence(&format!("{head}{title}{value}{because}"))
            )));
        }
        if self.played.results.is_empty() {
            let value = if self.played.says.is_empty() {
                format!("{} {unit}", self.played.value)
            } else {
                self.played.says.clone()
            };
            told.extend(Some(sentence(&value)).filter(|text| !text.is_empty()));
        }
        let order = words.order(self.played);
        told.extend(Some(order.trim().to_owned()).filter(|text| !text.is_empty()));
        told
    }

    /// What a result means. A result that only adds a status means what the status means.
    fn means(&self, found: &ResultRecord) -> &str {
        let pack = self.table.pack();
        let own = pack
            .results()
            .iter()
            .find(|known| known.id == found.id)
            .map_or("", |known| known.means.as_str());
        if !own.is_empty() {
            return own;
        }
        let put_on = |effect: &&RecordedChange| effect.on == found.on && !found.on.is_empty();
        let status = |effect: &RecordedChange| {
            let status = &pack.statuses()[pack.status_id(effect.kind.gives()?)?];
            (status.title == found.title).then_some(status)
        };
        self.played
            .effects
            .iter()
            .filter(put_on)
            .find_map(status)
            .map_or("", |status| &status.means)
    }

    /// The unit that got a result: `Enemy 1, target Star` if it is not the unit that acts.
    fn affected(&self, on: &str) -> Option<String> {
        let first = self.first();
        if on.is_empty() || first.as_deref() == Some(on) || !self.resolution.order.is_empty() {
            return if on.is_empty() { first } else { Some(on.to_owned()) }
                .map(|id| self.name(&id));
        }
        let role = self
            .played
            .request
            .units
            .iter()
            .find(|(_, units)| units.iter().any(|unit| unit == on))
            .map_or("", |(role, _)| role);
        let acts = first.filter(|first| {
            !self.played.request.units.get(role).is_some_and(|units| units.contains(first))
        });
        Some(match acts {
            Some(first) => {
                format!("{}, {} {}", self.name(&first), role.replace('_', " "), self.name(on))
            }
            None => self.name(on),
        })
    }

    /// The unit that a play is about.
    fn first(&self) -> Option<String> {
        let chart = self.table.pack().chart(&self.played.request.chart)?;
        chart
            .roles
            .iter()
            .find_map(|role| self.played.request.units.get(role.id.as_str())?.first().cloned())
    }

    /// The counts and totals, of one unit or of all: `passes 1`, `Firer 9, Target 6`.
    fn numbers(&self, of: Option<&str>) -> String {
        let meant = |roll: &&RollStep| {
            let own = roll
                .of
                .as_ref()
                .is_none_or(|member| of.is_none_or(|of| unit_of_member(member) == of));
            own && roll.chart == self.resolution.chart
        };
        let rolls: Vec<&RollStep> = self.resolution.rolls().filter(meant).collect();
        let alone = rolls.iter().filter(|roll| roll.test.is_some()).count() == 1;
        rolls.iter().filter_map(|roll| self.number(roll, alone)).collect::<Vec<_>>().join(", ")
    }

    fn number(&self, roll: &RollStep, alone: bool) -> Option<String> {
        let total = roll.total.as_ref()?;
        let chart = self.table.pack().chart(&roll.chart)?;
        let step = chart.steps.iter().find(|step| step.name == roll.name)?;
        match &step.kind {
            StepKind::Roll(rolled) if rolled.test().is_some() && alone => {
                Some(format!("{} {total}", rolled.counted))
            }
            StepKind::Roll(rolled) if rolled.test().is_some() => {
                Some(format!("{} {} {total}", roll.title, rolled.counted))
            }
            // A die that only gives the chart's number adds nothing: the number is shown anyway.
            StepKind::Roll(_) | StepKind::Draw(_) if self.played.value.is_empty() => {
                Some(format!("{} {total}", roll.title))
            }
            _ => None,
        }
    }

    fn newcomers(&self) -> String {
        let list: Vec<String> = self.played.appear.iter().map(|unit| unit.name.clone()).collect();
        let first = self.played.appear.first();
        let group = first.map(|unit| unit.group.as_str()).filter(|group| !group.is_empty());
        let place = first.map(|unit| unit.notes.as_str()).filter(|notes| !notes.is_empty());
        let group =
            group.map(|group| format!(" They are the group “{group}”.")).unwrap_or_default();
        let place = place.map(|notes| format!(" Place: {notes}.")).unwrap_or_default();
        let words = Words {
            pack: self.table.pack(),
            before: self.before,
            state: self.table.state(),
            circle: self.table.sealed_group(),
        };
        let has = |unit: &NewUnit| {
            let known = unit
                .has
                .iter()
                .map(|(id, value)| format!("{} {value}", words.attribute(&unit.id, id)));
            known.collect::<Vec<_>>().join(", ")
        };
        let has = first
            .map(has)
            .filter(|has| !has.is_empty())
            .map(|has| format!(" {has}."))
            .unwrap_or_default();
        format!("In the game now: {}.{has}{group}{place}", list.join(", "))
    }
}
