//! The odds lab: a chart with sliders and live odds; a plot over one or two inputs; two set-ups
//! compared; what each circumstance would change; a series of rolls; follow-ups to the end. All of
//! it is in the address, so that a link reproduces it.

mod view;
mod work;

use crate::app::{Page, Shared};
use crate::message::{Command, Reply};
use crate::parts::axis::{self, Axis};
use crate::parts::form::{self, Form};
use crate::route::{Query, Route};
use adjutant_dice::Accepts;
use adjutant_engine::{AnswerOdds, Follow, OddsError, OddsOptions, OddsReport, Series, Situation};
use adjutant_pack::InputId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use work::Work;

/// How many rolls a calculation of odds may try, so that the page stays responsive.
pub const MAX_ROLLS: usize = 40_000;
/// The longest series.
const MOST_TIMES: u32 = 12;

/// What the player can do here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// In the form.
    Form(form::Message),
    /// Sets what a table would remember.
    Memory(String, String),
    /// Changes the vertical axis.
    Down(axis::Message),
    /// Changes the horizontal axis.
    Across(axis::Message),
    /// Chooses the result that is plotted over two inputs.
    ShowResult(String),
    /// Sets the length of the series.
    Times(String),
    /// Whether follow-ups are included.
    Follow(bool),
    /// Sets how a question on the way is answered.
    Question(String, String),
    /// Sets an input of a chart that follows.
    Later(String, String),
    /// Stores this set-up as A.
    Pin,
    /// Swaps A and B.
    Swap,
    /// Ends the comparison.
    Unpin,
    /// Saves the plot as a picture.
    SaveImage,
}

/// A set-up to compare with.
#[derive(Clone, Debug, Default, PartialEq)]
struct Setup {
    given: BTreeMap<String, String>,
    members: Vec<String>,
}

/// The state of this screen.
#[derive(Debug, Default)]
pub struct State {
    form: Option<Form>,
    lost: Option<(String, String)>,
    memory: Vec<(String, String)>,
    other: Option<Setup>,
    /// The vertical axis; none for the first number.
    down: Option<Axis>,
    across: Axis,
    of: String,
    times: u32,
    follow: bool,
    questions: BTreeMap<String, String>,
    later: BTreeMap<String, String>,
    odds: Option<Result<OddsReport, OddsError>>,
    other_odds: Option<OddsReport>,
    series: Option<Result<Series, OddsError>>,
    work: Work,
}

impl State {
    /// The address leads here.
    pub fn open(
        &mut self,
        shared: &mut Shared,
        pack: &str,
        chart: &str,
        query: &Query,
    ) -> Vec<Command> {
        let same = self
            .form
            .as_ref()
            .is_some_and(|form| form.pack.id() == pack && form.chart().id == chart);
        if !same || (!query.is_empty() && self.query() != *query) {
            *self = State { times: 1, work: Work::after(&self.work), ..State::default() };
            self.form = shared.packs.pack(pack).and_then(|pack| Form::new(pack, chart));
            if self.form.is_none() {
                self.lost = Some((pack.to_owned(), chart.to_owned()));
            }
            self.take(query);
            if let (true, Some(form)) = (query.is_empty(), &mut self.form) {
                super::chart::begin_with_something(form, shared, &self.memory);
            }
        }
        self.weigh(shared)
    }

    /// Takes the values of an address.
    fn take(&mut self, query: &Query) {
        let Some(form) = &mut self.form else { return };
        form.sliders = true;
        for (name, value) in query {
            match name.as_str() {
                "~vary" => self.down = Some(Axis::read(value)),
                "~across" => self.across = Axis::read(value),
                "~of" => self.of.clone_from(value),
                "~times" => self.times = times(value),
                "~follow" => self.follow = value == "yes",
                name => {
                    if let Some(name) = name.strip_prefix("~a.") {
                        self.other
                            .get_or_insert_default()
                            .given
                            .insert(name.to_owned(), value.clone());
                    } else if let Some(key) = name.strip_prefix("~q.") {
                        self.questions.insert(key.to_owned(), value.clone());
                    } else if let Some(name) = name.strip_prefix("~later.") {
                        self.later.insert(name.to_owned(), value.clone());
                    } else if let Some(id) = name.strip_prefix("memory:") {
                        self.memory.push((id.to_owned(), value.clone()));
                    } else {
                        form.give(name, value);
                    }
                }
            }
        }
        super::chart::take_members(form, query);
        if let Some(other) = &mut self.other {
            let empty = other.given.remove("").is_some() && other.given.is_empty();
            let mut there = Form { given: BTreeMap::new(), ..form.clone() };
            other.given.iter().filter(|_| !empty).for_each(|(name, value)| there.give(name, value));
            let named: Query =
                other.given.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
            super::chart::take_members(&mut there, &named);
            *other = Setup { given: there.given, members: there.members };
        }
    }

    /// The set-up, as the address has it.
    fn query(&self) -> Query {
        let Some(form) = &self.form else { return Query::new() };
        let mut query: Query = form.given.clone().into_iter().collect();
        query.extend(self.memory.iter().map(|(id, value)| (format!("memory:{id}"), value.clone())));
        if let Some(other) = &self.other {
            query.extend(
                other.given.iter().map(|(name, value)| (format!("~a.{name}"), value.clone())),
            );
            if other.given.is_empty() {
                query.push(("~a.".into(), String::new()));
            }
        }
        query
            .extend(self.questions.iter().map(|(key, value)| (format!("~q.{key}"), value.clone())));
        query.extend(
            self.later.iter().map(|(name, value)| (format!("~later.{name}"), value.clone())),
        );
        let mut put = |name: &str, value: String, holds: bool| {
            query.extend(holds.then(|| (name.to_owned(), value)))
        };
        put("~vary", self.down.as_ref().map(Axis::write).unwrap_or_default(), self.down.is_some());
        put("~across", self.across.write(), !self.across.name.is_empty());
        put("~of", self.of.clone(), !self.of.is_empty());
        put("~times", self.times.to_string(), self.times > 1);
        put("~follow", "yes".into(), self.follow);
        query
    }

    /// The address of the current set-up.
    fn route(&self) -> Option<Route> {
        let form = self.form.as_ref()?;
        Some(Route::Lab(form.pack.id().to_string(), form.chart().id.to_string(), self.query()))
    }

    /// The options of the calculation: answers to questions, and follow-ups.
    fn asked(&self) -> OddsOptions {
        let Some(form) = &self.form else { return OddsOptions::default() };
        let charts =
            form.pack.charts().iter().filter(|chart| self.follow || chart.id == form.chart().id);
        let known: Vec<adjutant_engine::PossibleQuestion> =
            charts.flat_map(|chart| adjutant_engine::questions(&form.pack, chart)).collect();
        let taken = self.questions.iter().filter_map(|(key, text)| {
            let question = known.iter().find(|question| question.key == *key)?;
            Some((key.clone(), AnswerOdds::read(&question.accepts, text).ok()?))
        });
        let mut later: Vec<(String, String)> = Vec::new();
        if self.follow {
            later.extend(form.given.clone());
            later.extend(self.later.clone());
        }
        OddsOptions {
            answers: taken.collect(),
            follow: Follow::when(self.follow),
            later,
            most: Some(MAX_ROLLS),
            ..OddsOptions::default()
        }
    }

    /// Calculates the odds, and starts the longer work.
    fn weigh(&mut self, shared: &Shared) -> Vec<Command> {
        let Some(form) = &self.form else { return Vec::new() };
        let asked = self.asked();
        let Some(here) = situation(form, shared, &self.memory) else { return Vec::new() };
        self.odds = Some(adjutant_engine::odds(&here, &asked));
        let there = self.other.as_ref().map(|other| Form {
            given: other.given.clone(),
            members: other.members.clone(),
            ..form.clone()
        });
        self.other_odds = there.and_then(|there| {
            adjutant_engine::odds(&situation(&there, shared, &self.memory)?, &asked).ok()
        });
        self.series = (self.times > 1 && !self.follow)
            .then(|| adjutant_engine::odds_of_series(&here, &asked, self.times));
        let inputs: Vec<InputId> = adjutant_engine::relevant(&here);
        let first = || {
            let chart = here.chart();
            let number = |place: &&InputId| {
                matches!(chart.inputs[**place].field.accepts, Accepts::Number { .. })
            };
            let must =
                |place: &&InputId| number(place) && chart.inputs[**place].field.default.is_none();
            inputs
                .iter()
                .find(must)
                .or(inputs.iter().find(number))
                .or(inputs.first())
                .map(|place| chart.inputs[*place].name.to_string())
        };
        let down = match &self.down {
            Some(axis) => axis.clone(),
            None => Axis { name: first().unwrap_or_default(), ..Axis::default() },
        };
        self.work.begin(&here, &asked, down, &self.across);
        self.work.go_on(&here, &asked)
    }

    /// The player did something.
    pub fn update(&mut self, shared: &mut Shared, message: Message) -> Vec<Command> {
        let Some(form) = &mut self.form else { return Vec::new() };
        match message {
            Message::Form(message) => form.update(message),
            Message::Memory(id, value) => {
                self.memory.retain(|(known, _)| *known != id);
                self.memory.push((id, value));
            }
            Message::Down(message) => {
                let mut axis = self.work.down().clone();
                axis.update(message);
                self.down = Some(axis);
            }
            Message::Across(message) => self.across.update(message),
            Message::ShowResult(id) => self.of = id,
            Message::Times(text) => self.times = times(&text),
            Message::Follow(on) => self.follow = on,
            Message::Question(key, text) => set(&mut self.questions, key, text),
            Message::Later(name, text) => set(&mut self.later, name, text),
            Message::Pin => {
                self.other =
                    Some(Setup { given: form.given.clone(), members: form.members.clone() })
            }
            Message::Swap => {
                if let Some(other) = &mut self.other {
                    std::mem::swap(&mut form.given, &mut other.given);
                    std::mem::swap(&mut form.members, &mut other.members);
                    form.wrong.clear();
                }
            }
            Message::Unpin => self.other = None,
            Message::SaveImage => {
                let name = format!("{}-odds.svg", form.chart().id);
                let here =
                    self.form.as_ref().and_then(|form| situation(form, shared, &self.memory));
                let text = here.and_then(|here| view::image(self, &here));
                let file =
                    text.map(|text| Command::Download { name, kind: "image/svg+xml".into(), text });
                return file.into_iter().collect();
            }
        }
        let mut todo = self.weigh(shared);
        todo.extend(self.route().map(|route| Command::Go { to: route.to_string(), replace: true }));
        todo
    }

    /// Continues the work.
    pub fn reply(&mut self, shared: &Shared, number: u64, reply: &Reply) -> Vec<Command> {
        let (Some(form), &Reply::Elapsed(took)) = (&self.form, reply) else { return Vec::new() };
        if !self.work.is(number) {
            return Vec::new();
        }
        let asked = self.asked();
        let Some(here) = situation(form, shared, &self.memory) else { return Vec::new() };
        self.work.pace(took);
        self.work.go_on(&here, &asked)
    }

    /// The HTML.
    pub fn view(&self, shared: &Shared) -> Page {
        view::page(self, shared)
    }
}

/// The situation.
fn situation<'f>(
    form: &'f Form,
    shared: &Shared,
    memory: &[(String, String)],
) -> Option<Situation<'f>> {
    super::chart::situation(form, shared, memory)
}

fn times(text: &str) -> u32 {
    text.trim().parse().unwrap_or(1).clamp(1, MOST_TIMES)
}

fn set(map: &mut BTreeMap<String, String>, key: String, text: String) {
    let text: String = text.trim().chars().take(60).collect();
    match text.is_empty() {
        true => drop(map.remove(&key)),
        false => drop(map.insert(key, text)),
    }
}
