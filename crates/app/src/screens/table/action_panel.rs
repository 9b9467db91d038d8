//! The chart in play: who takes part, the inputs, the odds for exactly these, and the roll so far.
//! What units and a pending test know is filled in and shown. After the first die nothing can be
//! changed until the roll is finished.

use super::chosen::Chosen;
use super::{play, result};
use crate::parts::ask::{Ask, Out};
use crate::parts::form::{Form, Known};
use adjutant_dice::{Accepts, Answer, Missing, RecordedInput, Text, ThrownBy};
use adjutant_engine::{OddsError, OddsOptions, OddsReport, Resolution, RuledOutBy, Situation};
use adjutant_game::{DueTest, PlayError, PlayRequest, Table, Unit, UnitsByRole};
use adjutant_pack::{Chart, FilledFrom, Input, Pack, RoleId, Value};
use adjutant_wording::en;
use adjutant_wording::en::page::{parts, table as text};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The chart in play.
#[derive(Debug)]
pub struct ActionPanel {
    pub form: Form,
    /// The pending test it settles.
    pub pending: Option<String>,
    /// The units chosen, by role.
    pub who: UnitsByRole,
    /// The roles that do not matter in this situation.
    pub idle: Vec<RoleId>,
    /// Roles taken by someone who is not on the roster.
    pub strangers: BTreeSet<String>,
    /// The side of new units, if the player chose one.
    pub side: Option<String>,
    /// The units that stay out although they could join one in a role.
    pub left_out: Vec<String>,
    /// Whether the player allows what a status rules out.
    pub anyway: bool,
    /// Whether statuses rule it out and nothing else is wrong: the player may allow it.
    pub ruled_out: bool,
    /// Whether the player confirmed that he rolls for another player's side.
    pub for_other: bool,
    /// Asks whether to roll for another player's side, with the player's own dice or not.
    pub asks_other: Option<bool>,
    /// Whether the page opened it because it is due.
    pub by_itself: bool,
    /// Whether the player rolls and draws for real.
    pub own: bool,
    /// The recorded inputs so far.
    pub recorded: Vec<RecordedInput>,
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
    /// A chart of the pack; none where it has no such chart.
    pub fn new(pack: Arc<Pack>, chart: &str) -> Option<ActionPanel> {
        let mut form = Form::new(pack, chart)?;
        form.members = Vec::new();
        Some(ActionPanel {
            form,
            pending: None,
            who: UnitsByRole::new(),
            idle: Vec::new(),
            strangers: BTreeSet::new(),
            side: None,
            left_out: Vec::new(),
            anyway: false,
            ruled_out: false,
            for_other: false,
            asks_other: None,
            by_itself: false,
            own: false,
            recorded: Vec::new(),
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

    /// The request for this roll.
    pub fn play(&self) -> PlayRequest {
        PlayRequest {
            chart: self.chart().id.to_string(),
            units: self.who.clone(),
            given: self.form.given.clone(),
            pending: self.pending.clone(),
            new_units_side: self.side.clone(),
            deck_side: None,
            left_out: self.left_out.clone(),
            anyway: self.anyway,
        }
    }

    /// Whether dice were rolled or cards drawn: then nothing can be changed any more.
    pub fn is_underway(&self) -> bool {
        self.recorded.iter().any(|input| !input.is_answer())
    }

    /// What the back button does. Answers, and the player's own dice and cards, can be taken back;
    /// dice of the program cannot.
    pub fn out(&self) -> Out {
        match self.recorded.last() {
            _ if !self.is_underway() => Out::Leave,
            Some(last) if last.by() == ThrownBy::Player => Out::Back,
            _ => Out::None,
        }
    }

    /// Asks for something, and shows the roll so far.
    pub fn ask_for(&mut self, table: &Table, me: &str, need: Missing) {
        let so_far = if self.is_underway() {
            table.resolution_so_far(me, &self.play(), &self.recorded)
        } else {
            None
        };
        let mut ask = Ask::new(need, &self.form).after(so_far.as_ref());
        ask.put_back(&std::mem::take(&mut self.taken_back));
        self.ask = Some(ask);
    }

    /// The calculation so far; none before the first die.
    pub fn so_far(&self, table: &Table, me: &str) -> Option<Resolution> {
        let mut resolution = self
            .is_underway()
            .then(|| table.resolution_so_far(me, &self.play(), &self.recorded))
            .flatten()?;
        result::name_members(table, &mut resolution);
        Some(resolution)
    }

    /// The pending test, if it is still due.
    pub fn due<'t>(&self, table: &'t Table) -> Option<&'t DueTest> {
        let id = self.pending.as_ref()?;
        table.pending().map(|pending| &pending.due).find(|due| due.id == *id)
    }

    /// The units in a role, whether fixed by a pending test or chosen.
    pub fn units<'a>(&'a self, table: &'a Table, role: &str) -> &'a [String] {
        let settled = self.due(table).and_then(|due| due.units.get(role));
        settled.or_else(|| self.who.get(role)).map_or(&[], Vec::as_slice)
    }

    /// Whether a pending test fixes a role.
    pub fn is_settled(&self, table: &Table, role: &str) -> bool {
        self.due(table).is_some_and(|due| due.units.contains_key(role))
    }

    /// Whether several units can take a role.
    pub fn is_each(&self, role: RoleId) -> bool {
        self.chart().each.as_ref().is_some_and(|each| each.role == role)
    }

    /// The units that can take a role. Units of the other side are first once a unit acts; those
    /// that a status rules out are last.
    pub fn candidates<'t>(&self, table: &'t Table, role: RoleId) -> Vec<&'t Unit> {
        let chart = self.chart();
        let who = table.taking_part(&self.play());
        let others = || chart.roles.iter_enumerated().filter(|(place, _)| *place != role);
        let elsewhere: Vec<&String> =
            others().flat_map(|(_, other)| self.units(table, &other.id)).collect();
        let against = elsewhere.iter().find_map(|id| table.state().unit(id)).map(|unit| unit.side);
        let mut list: Vec<&Unit> = table
            .state()
            .here()
            .filter(|unit| {
                table.can_take(chart, role, unit, &who) && !elsewhere.contains(&&unit.id)
            })
            .collect();
        let id = &chart.roles[role].id;
        let pending = self.play().pending;
        list.retain(|unit| !table.is_of_other_side(pending.as_ref(), id, unit));
        let ruled_out = |unit: &Unit| self.ruled_out_by(table, role, unit).is_some();
        adjutant_dice::sort_by_key(&mut list, |unit| {
            (ruled_out(unit), against == Some(unit.side), unit.side)
        });
        list
    }

    /// The units that may join the one in a role.
    pub fn able_to_join<'t>(&self, table: &'t Table, role: RoleId) -> Vec<&'t Unit> {
        table.able_to_join(self.chart(), role, &self.play()).unwrap_or_default()
    }

    /// What rules a unit out of a role.
    pub fn ruled_out_by(&self, table: &Table, role: RoleId, unit: &Unit) -> Option<RuledOutBy> {
        table.ruled_out_by(self.chart(), role, unit, &table.answers(&self.play()))
    }

    /// Prepares the form, and calculates the odds.
    pub fn settle(&mut self, table: &Table, me: &str) {
        let chart = &self.form.pack.charts()[self.form.chart];
        self.left_out =
            table.left_out(chart, &self.play()).iter().map(|it| it.id.clone()).collect();
        let in_use =
            self.situation(table, me).map(|situation| adjutant_engine::roles_in_use(&situation));
        self.idle = chart
            .roles
            .ids()
            .filter(|role| in_use.as_ref().is_some_and(|used| !used.contains(role)))
            .collect();
        let mut names = BTreeMap::new();
        let (mut members, mut waiting) = (Vec::new(), Vec::new());
        for (place, role) in chart.roles.iter_enumerated() {
            let units = self.units(table, &role.id).to_vec();
            let stranger = self.strangers.contains(role.id.as_str());
            if units.is_empty()
                && !stranger
                && !self.idle.contains(&place)
                && !self.candidates(table, place).is_empty()
            {
                waiting.push(place);
            }
            if self.is_each(place) {
                members = (0..units.len()).map(|nth| member(&units, nth)).collect();
                for (nth, name) in members.iter().enumerate() {
                    let nth_time = units[..nth].iter().filter(|unit| **unit == units[nth]).count();
                    names.insert(
                        name.clone(),
                        text::nth_time(&play::name(table, &units[nth]), nth_time),
                    );
                }
                if members.is_empty() && stranger {
                    members = vec!["1".to_owned()];
                }
            } else if let Some(unit) = units.first() {
                names.insert(role.id.to_string(), play::name(table, unit));
            }
        }
        (self.form.names, self.form.members, self.form.waiting) = (names, members, waiting);
        self.weigh(table, me);
    }

    fn weigh(&mut self, table: &Table, me: &str) {
        let play = self.play();
        (self.odds, self.missing, self.ruled_out) = (None, Vec::new(), false);
        match table.situation_for(me, &play) {
            Ok(situation) => {
                let chart = self.form.chart();
                let waits = |key: &str| {
                    chart
                        .input(key)
                        .and_then(|input| input.role)
                        .is_some_and(|role| self.form.waiting.contains(&role))
                };
                self.missing = adjutant_engine::needs(&situation)
                    .into_iter()
                    .map(|need| need.key)
                    .filter(|key| !waits(key))
                    .collect();
                self.odds = Some(adjutant_engine::odds(&situation, &OddsOptions::default()));
                self.refused.clear();
            }
            Err(PlayError::Rejected(why)) => self.refused = why.iter().map(en::rejection).collect(),
            Err(PlayError::RuledOut(found)) => {
                (self.refused, self.ruled_out) = (found.iter().map(en::ruled_out).collect(), true);
            }
            Err(stop) => self.refused = vec![en::play_error(&stop)],
        }
    }

    /// Makes the choices that are missing, such as ammunition, once all roles are filled: as chosen
    /// last for the same unit; else the first for which nothing more must be entered. Of words that
    /// name values of the unit that acts, such as AP, the one with the largest value is first.
    pub fn choose(&mut self, table: &Table, me: &str, chosen: &Chosen) {
        while self.form.waiting.is_empty() && self.pending.is_none() {
            let choice = |key: &String| match &self.chart().input(key)?.field.accepts {
                Accepts::Choice { words } => Some((
                    key.clone(),
                    words.iter().map(|word| word.id.to_string()).collect::<Vec<_>>(),
                )),
                _ => None,
            };
            let Some((key, words)) = self.missing.iter().find_map(choice) else { return };
            let chart = self.chart();
            let before = chart.input(&key).and_then(|input| chosen.last(chart, input, &self.who));
            let before = before.cloned();
            let mut missing = |word: &String| {
                self.form.given.insert(key.clone(), word.clone());
                let there = self.situation(table, me);
                let missing =
                    there.map_or(usize::MAX, |there| adjutant_engine::needs(&there).len());
                let value = self.actor(table).and_then(|unit| unit.facet(table.pack(), word));
                (missing, Reverse(value.and_then(Value::number)))
            };
            let Some(word) = before.or(words.into_iter().min_by_key(&mut missing)) else { return };
            self.form.given.insert(key.clone(), word);
            self.by_page.insert(key);
            let open = self.missing.len();
            self.settle(table, me);
            if self.missing.len() >= open {
                return;
            }
        }
    }

    /// Drops the choices that the page made for other units.
    pub fn unchoose(&mut self) {
        for key in std::mem::take(&mut self.by_page) {
            self.form.given.remove(&key);
        }
    }

    /// The situation; none where the inputs do not allow one.
    pub fn situation<'t>(&self, table: &'t Table, me: &str) -> Option<Situation<'t>> {
        table.situation_for(me, &self.play()).ok()
    }

    /// Whether it can be rolled.
    pub fn is_ready(&self) -> bool {
        self.form.waiting.is_empty() && self.missing.is_empty() && self.refused.is_empty()
    }

    /// What is known of an input without the player.
    pub fn knows(
        &self,
        table: &Table,
        counted: &[(Text, Answer)],
        input: &Input,
        member: Option<&str>,
    ) -> Option<Known> {
        let name = match (member, input.name.split_once('.')) {
            (Some(member), Some((role, id))) => format!("{role}.{member}.{id}"),
            _ => input.name.to_string(),
        };
        if let Some(value) = self.due(table).and_then(|due| due.with.get(&name)) {
            return Some(Known {
                value: value.clone(),
                from: text::FROM_TEST.to_owned(),
                settled: true,
            });
        }
        if let Some(count) = &input.count
            && let Some((_, value)) = counted.iter().find(|(name, _)| *name == input.name)
        {
            return Some(Known {
                value: value.to_string(),
                from: text::FROM_ROSTER.to_owned(),
                settled: count.is_of_joined(),
            });
        }
        let role = &self.chart().roles[input.role?];
        let unit = match member {
            Some(member) => {
                table.state().unit(member.split_once('#').map_or(member, |(unit, _)| unit))?
            }
            None => table.state().unit(self.units(table, &role.id).first()?)?,
        };
        let value = of_unit(table.pack(), input.source, unit)?;
        let value = match value.to_answer(table.pack().words()) {
            Answer::YesNo(yes) => if yes { "yes" } else { "no" }.to_owned(),
            other => other.to_string(),
        };
        Some(Known { value, from: unit.name.clone(), settled: self.is_underway() })
    }

    /// The unit that acts: the first of the first role that has one.
    pub fn actor<'t>(&self, table: &'t Table) -> Option<&'t Unit> {
        let id = self.chart().roles.iter().find_map(|role| self.units(table, &role.id).first())?;
        table.state().unit(id)
    }

    /// Who takes part, in the order of the roles.
    pub fn who_takes_part(&self, table: &Table) -> String {
        let roles = self.chart().roles.iter().map(|role| self.units(table, &role.id));
        let named = roles.filter(|units| !units.is_empty()).map(|units| {
            units.iter().map(|id| play::name(table, id)).collect::<Vec<_>>().join(", ")
        });
        named.collect::<Vec<_>>().join(" → ")
    }

    /// The text of the button: the chart and the unit that acts.
    pub fn title(&self, table: &Table) -> String {
        let chart = self.chart();
        let acts = chart.roles.iter().find_map(|role| self.units(table, &role.id).first());
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

/// The name of a unit among several; one that is picked twice has two names.
fn member(units: &[String], nth: usize) -> String {
    match units[..nth].iter().filter(|unit| **unit == units[nth]).count() {
        0 => units[nth].clone(),
        before => format!("{}#{}", units[nth], before + 1),
    }
}

/// What a unit knows about an input.
fn of_unit(pack: &Pack, source: FilledFrom, unit: &Unit) -> Option<adjutant_pack::Value> {
    match source {
        // What a side remembers is filled in when the chart is rolled.
        FilledFrom::Situation | FilledFrom::SideMemory(_) => None,
        FilledFrom::Status(status) => unit.facet(pack, &pack.statuses().get(status)?.id),
        FilledFrom::Attribute(place) => {
            unit.facet(pack, &pack.kinds().get(unit.kind)?.has.get(place)?.id)
        }
    }
}
