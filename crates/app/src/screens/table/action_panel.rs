//! The chart in play: who takes part, the inputs, the odds for exactly these, and the roll so far.
//! What units and a pending test know is filled in and shown. After the first die nothing can be
//! changed until the roll is finished.

use super::chosen::Chosen;
use super::{play, result};
use crate::parts::ask::Ask;
use crate::parts::form::{self, Form, Known};
use adjutant_dice::{Accepts, Missing, OwnLuck};
use adjutant_engine::{OddsError, OddsOptions, OddsReport, Resolution};
use adjutant_game::{
    Attempt, AttemptView, InputView, Move, Refusal, RoleState, Table, Unit, ValueFrom,
};
use adjutant_pack::{Chart, Input, Pack, RoleId, Value};
use adjutant_wording::en;
use adjutant_wording::en::page::{parts, table as text};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The chart in play.
#[derive(Debug)]
pub struct ActionPanel {
    pub form: Form,
    /// What is chosen, given and rolled so far.
    pub attempt: Attempt,
    /// The roles that do not matter in this situation.
    pub idle: Vec<RoleId>,
    /// Whether units are ruled out and nothing else is wrong: the player may allow it.
    pub ruled_out: bool,
    /// Whether the player confirmed the roll for another player's side.
    pub for_other: bool,
    /// Asks whether to roll for another player's side, with the player's own dice or not.
    pub asks_other: Option<bool>,
    /// Whether the page opened it because it is due.
    pub by_itself: bool,
    /// The answers so far, where a server rolls.
    pub said: BTreeMap<String, String>,
    pub ask: Option<Ask>,
    /// The faces that the player takes back, until they are asked for again.
    pub taken_back: Vec<u32>,
    pub refused: Vec<String>,
    pub odds: Option<Result<OddsReport, OddsError>>,
    /// The inputs that are missing before the roll, by name.
    pub missing: Vec<String>,
    /// The choices that the page made, by name.
    pub by_page: BTreeSet<String>,
}

impl ActionPanel {
    /// An attempt at a chart of the pack; none where it has no such chart.
    pub fn new(pack: Arc<Pack>, chart: &str, attempt: Attempt) -> Option<ActionPanel> {
        let mut form = Form::new(pack, chart)?;
        form.members = Vec::new();
        Some(ActionPanel {
            form,
            attempt,
            idle: Vec::new(),
            ruled_out: false,
            for_other: false,
            asks_other: None,
            by_itself: false,
            said: BTreeMap::new(),
            ask: None,
            taken_back: Vec::new(),
            refused: Vec::new(),
            odds: None,
            missing: Vec::new(),
            by_page: BTreeSet::new(),
        })
    }

    pub fn chart(&self) -> &Chart {
        self.form.chart()
    }

    /// The id of the pending test that it settles.
    pub fn pending(&self) -> Option<&String> {
        self.attempt.request().pending.as_ref()
    }

    /// Whether dice were rolled or cards drawn: then nothing can be changed any more.
    pub fn is_underway(&self) -> bool {
        self.attempt.is_underway()
    }

    /// Whether the player rolls and draws for real.
    pub fn is_own(&self) -> bool {
        self.attempt.own() == OwnLuck::ALL
    }

    pub fn set_own(&mut self, own: bool) {
        self.attempt.set_own(if own { OwnLuck::ALL } else { OwnLuck::NONE });
    }

    /// Asks for something, and shows the roll so far.
    pub fn ask_for(&mut self, table: &Table, me: &str, need: Missing) {
        let so_far = self.attempt.so_far(table, me);
        let mut ask = Ask::new(need, &self.form).after(so_far.as_ref());
        ask.put_back(&std::mem::take(&mut self.taken_back));
        self.ask = Some(ask);
    }

    /// The calculation so far; none before the first die.
    pub fn so_far(&self, table: &Table, me: &str) -> Option<Resolution> {
        let mut resolution = self.attempt.so_far(table, me)?;
        result::name_members(table, &mut resolution);
        Some(resolution)
    }

    /// Prepares the form, and calculates the odds.
    pub fn settle(&mut self, table: &Table, me: &str) {
        self.attempt.refresh(table);
        let Some(view) = self.attempt.view(table, me) else { return };
        let (mut names, mut members) = (BTreeMap::new(), Vec::new());
        for role in &view.roles {
            for (nth, name) in role.members.iter().enumerate() {
                if let Some(unit) = role.units.get(nth) {
                    let before = role.units[..nth].iter().filter(|known| *known == unit).count();
                    names.insert(name.clone(), text::nth_time(&play::name(table, unit), before));
                }
            }
            if role.several {
                members.clone_from(&role.members);
            } else if let Some(unit) = role.units.first() {
                names.insert(role.role.id.to_string(), play::name(table, unit));
            }
        }
        let idle = view.roles.iter().filter(|role| role.state == RoleState::Idle);
        self.idle = idle.map(|role| role.place).collect();
        (self.form.names, self.form.members) = (names, members);
        self.form.waiting = view.waiting().map(|role| role.place).collect();
        self.form.given.clone_from(&self.attempt.request().given);
        self.missing = view.missing().map(str::to_owned).collect();
        self.ruled_out = matches!(view.refusal, Some(Refusal::RuledOut(_)));
        self.refused = view.refusal.as_ref().map(en::refusal).unwrap_or_default();
        let odds = |situation| adjutant_engine::odds(situation, &OddsOptions::default());
        self.odds = view.situation.as_ref().map(odds);
    }

    /// Makes a move. One that is not accepted changes nothing.
    pub fn make(&mut self, table: &Table, step: Move) {
        if self.attempt.make(table, step).is_ok() {
            self.ask = None;
        }
    }

    /// Gives an input a value; an empty one removes it.
    fn set(&mut self, table: &Table, name: &str, value: String) {
        self.make(table, Move::Set { name: name.to_owned(), value });
    }

    /// The player changed the form.
    pub fn fill_in(&mut self, table: &Table, message: form::Message) {
        let changed = match &message {
            form::Message::Give(name, _) | form::Message::Unsay(name) => Some(name.clone()),
            form::Message::Add | form::Message::Drop(_) | form::Message::Clear => None,
        };
        self.form.update(message);
        if let Some(name) = changed {
            self.by_page.remove(&name);
            let value = self.form.given.get(&name).cloned().unwrap_or_default();
            self.set(table, &name, value);
        }
    }

    /// Makes the choices that are missing, such as ammunition, once all roles are filled: as chosen
    /// last for the same unit; else the first for which nothing more must be entered. Of words that
    /// name values of the unit that acts, such as AP, the one with the largest value is first.
    pub fn choose(&mut self, table: &Table, me: &str, chosen: &Chosen) {
        while self.form.waiting.is_empty() && self.pending().is_none() {
            let choice = |key: &String| match &self.chart().input(key)?.field.accepts {
                Accepts::Choice { words } => Some((
                    key.clone(),
                    words.iter().map(|word| word.id.to_string()).collect::<Vec<_>>(),
                )),
                _ => None,
            };
            let Some((key, words)) = self.missing.iter().find_map(choice) else { return };
            let chart = self.chart();
            let units = &self.attempt.request().units;
            let before = chart.input(&key).and_then(|input| chosen.last(chart, input, units));
            let before = before.cloned();
            let missing = |word: &String| {
                let mut tried = self.attempt.clone();
                let step = Move::Set { name: key.clone(), value: word.clone() };
                let there = tried.make(table, step).ok();
                let there = there.and_then(|()| table.situation_for(me, tried.request()).ok());
                let missing =
                    there.map_or(usize::MAX, |there| adjutant_engine::needs(&there).len());
                let value = self.actor(table).and_then(|unit| unit.facet(table.pack(), word));
                (missing, Reverse(value.and_then(Value::number)))
            };
            let Some(word) = before.or(words.into_iter().min_by_key(missing)) else { return };
            self.set(table, &key, word);
            self.by_page.insert(key);
            let open = self.missing.len();
            self.settle(table, me);
            if self.missing.len() >= open {
                return;
            }
        }
    }

    /// Drops the choices that the page made for other units.
    pub fn unchoose(&mut self, table: &Table) {
        for key in std::mem::take(&mut self.by_page) {
            self.set(table, &key, String::new());
        }
    }

    /// Whether it can be rolled.
    pub fn is_ready(&self) -> bool {
        self.form.waiting.is_empty() && self.missing.is_empty() && self.refused.is_empty()
    }

    /// The unit that acts: the first of the first role that has one.
    pub fn actor<'t>(&self, table: &'t Table) -> Option<&'t Unit> {
        let id = self
            .chart()
            .roles
            .iter()
            .find_map(|role| self.attempt.units(table, &role.id).first())?;
        table.state().unit(id)
    }

    /// Who takes part, in the order of the roles.
    pub fn who_takes_part(&self, table: &Table) -> String {
        let roles = self.chart().roles.iter().map(|role| self.attempt.units(table, &role.id));
        let named = roles.filter(|units| !units.is_empty()).map(|units| {
            units.iter().map(|id| play::name(table, id)).collect::<Vec<_>>().join(", ")
        });
        named.collect::<Vec<_>>().join(" → ")
    }

    /// The text of the button: the chart and the unit that acts.
    pub fn title(&self, table: &Table) -> String {
        let chart = self.chart();
        let acts = chart.roles.iter().find_map(|role| self.attempt.units(table, &role.id).first());
        match acts {
            Some(unit) => format!("{} – {}", chart.title, play::name(table, unit)),
            None => chart.title.to_string(),
        }
    }

    /// The role that needs a unit.
    pub fn waits_for(&self) -> Option<String> {
        self.form
            .waiting
            .first()
            .map(|role| parts::role(&self.form.pack, &self.chart().roles[*role].id))
    }
}

/// What the form shows of an input that the player has not filled in.
pub fn filled_in(view: &AttemptView<'_>, input: &Input, member: Option<&str>) -> Option<Known> {
    let is_it = |shown: &&InputView<'_>| {
        shown.input.name == input.name && shown.member.as_deref() == member
    };
    let shown = view.inputs.iter().find(is_it)?;
    let from = match shown.from {
        ValueFrom::Test => text::FROM_TEST.to_owned(),
        ValueFrom::Roster => text::FROM_ROSTER.to_owned(),
        ValueFrom::Unit(unit) => unit.name.clone(),
        ValueFrom::Player | ValueFrom::Side(_) | ValueFrom::Default | ValueFrom::Nothing => {
            return None;
        }
    };
    Some(Known { value: shown.value.clone()?, from, settled: shown.settled })
}
