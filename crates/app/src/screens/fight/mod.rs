//! A fight of a pack: who wins, how long it takes, who is left. A small fight is solved exactly; a
//! larger one is simulated in slices, and the page says so. All inputs are in the address.

mod view;
mod work;

use super::chart::small;
use crate::app::{Page, Shared};
use crate::message::{Command, Reply};
use crate::parts::axis::{self, Axis};
use crate::route::{Query, Route};
use adjutant_dice::{Accepts, Wanted};
use adjutant_engine::{AnswerOdds, FightChain, FightSituation, OddsError, PossibleQuestion};
use adjutant_pack::{Action, Chart, Fight, FightId, Pack};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use work::Work;

/// What the player can do here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Sets an input.
    Give(String, String),
    /// Sets how a question on the way is answered.
    Question(String, String),
    /// Sets an option of the pack, which is saved.
    Option(String, String),
    /// Changes the input that is varied.
    Vary(axis::Message),
    /// Simulates more fights.
    More,
    /// Resets the form.
    Clear,
}

/// The state of this screen.
#[derive(Debug, Default)]
pub struct State {
    pack: Option<Arc<Pack>>,
    fight: Option<FightId>,
    lost: Option<(String, String)>,
    given: BTreeMap<String, String>,
    wrong: BTreeMap<String, (String, String)>,
    questions: BTreeMap<String, String>,
    axis: Axis,
    work: Work,
}

impl State {
    /// The address leads here.
    pub fn open(
        &mut self,
        shared: &mut Shared,
        pack: &str,
        fight: &str,
        query: &Query,
    ) -> Vec<Command> {
        let same =
            self.fight().is_some_and(|(known, found)| *known.id() == pack && found.id == fight);
        if same && (query.is_empty() || self.query() == *query) {
            return self.begin(shared);
        }
        *self = State { work: Work::after(&self.work), ..State::default() };
        let found = shared.packs.pack(pack).and_then(|pack| {
            let place = pack.fight_id(fight)?;
            Some((pack, place))
        });
        let Some((found, place)) = found else {
            self.lost = Some((pack.to_owned(), fight.to_owned()));
            return Vec::new();
        };
        (self.pack, self.fight) = (Some(found), Some(place));
        for (name, value) in query {
            match (name.as_str(), name.strip_prefix("~q.")) {
                ("~vary", _) => self.axis = Axis::read(value),
                (_, Some(key)) => set(&mut self.questions, key, value),
                _ => self.give(name, value),
            }
        }
        if query.is_empty() {
            self.begin_with_something(shared);
        }
        self.begin(shared)
    }

    fn fight(&self) -> Option<(&Arc<Pack>, &Fight)> {
        let pack = self.pack.as_ref()?;
        Some((pack, pack.fights().get(self.fight?)?))
    }

    /// Sets an input. A value that is not accepted is shown with the reason.
    fn give(&mut self, name: &str, text: &str) {
        let Some((pack, fight)) = self.fight() else { return };
        let text = text.trim();
        let tried = FightSituation::new(pack, &fight.id)
            .and_then(|mut situation| situation.give(name, text));
        match tried {
            _ if text.is_empty() => {
                self.given.remove(name);
                self.wrong.remove(name);
            }
            Ok(()) => {
                self.wrong.remove(name);
                self.given.insert(name.to_owned(), text.to_owned());
            }
            Err(error) => drop(self.wrong.insert(
                name.to_owned(),
                (text.chars().take(60).collect(), adjutant_wording::en::input_error(&error)),
            )),
        }
    }

    /// The fight with these inputs.
    fn situation<'s>(&'s self, shared: &Shared) -> Option<FightSituation<'s>> {
        let (pack, fight) = self.fight()?;
        let mut situation = FightSituation::new(pack, &fight.id).ok()?;
        for (name, value) in shared.settings.options_of(pack.id()) {
            // An option of an older version of the pack is ignored.
            let _ = situation.set_option(name, value);
        }
        for (name, value) in &self.given {
            let _ = situation.give(name, value);
        }
        let known = questions(pack, fight);
        let taken = self.questions.iter().filter_map(|(key, text)| {
            let question = known.iter().find(|question| question.key == *key)?;
            Some((key.clone(), AnswerOdds::read(&question.accepts, text).ok()?))
        });
        situation.asked.answers = taken.collect();
        situation.asked.most = Some(super::lab::MAX_ROLLS);
        Some(situation)
    }

    /// Fills an empty form with small values, so that there is something to show; questions get
    /// equal chances.
    fn begin_with_something(&mut self, shared: &Shared) {
        let Some((pack, fight)) = self.fight() else { return };
        let (pack, fight) = (pack.clone(), fight.clone());
        for input in
            fight.inputs.iter().filter(|input| input.matters && input.field.default.is_none())
        {
            self.give(&input.name, &small(&input.field.accepts));
        }
        for _ in 0..8 {
            let Some(situation) = self.situation(shared) else { return };
            match FightChain::within(&situation, 50).err() {
                Some(OddsError::Needs(needs)) => {
                    let wanted = needs.into_iter().filter_map(|need| match need.wanted {
                        Wanted::Input { accepts } => Some((need.key, small(&accepts))),
                        _ => None,
                    });
                    let wanted: Vec<_> = wanted.collect();
                    wanted.iter().for_each(|(name, value)| self.give(name, value));
                }
                Some(OddsError::Open(open)) => {
                    let question = questions(&pack, &fight)
                        .into_iter()
                        .find(|question| question.key == open.key);
                    match question.map(|question| question.accepts) {
                        Some(Accepts::YesNo) => set(&mut self.questions, &open.key, "1/6"),
                        Some(Accepts::Choice { words }) => {
                            let share = |word: &adjutant_dice::ChoiceWord| {
                                format!("{}:1/{}", word.id, words.len())
                            };
                            set(
                                &mut self.questions,
                                &open.key,
                                &words.iter().map(share).collect::<Vec<_>>().join(","),
                            );
                        }
                        _ => return,
                    }
                }
                _ => return,
            }
        }
    }

    fn query(&self) -> Query {
        let mut query: Query = self.given.clone().into_iter().collect();
        query
            .extend(self.questions.iter().map(|(key, value)| (format!("~q.{key}"), value.clone())));
        if !self.axis.name.is_empty() {
            query.push(("~vary".into(), self.axis.write()));
        }
        query
    }

    fn route(&self) -> Option<Route> {
        let (pack, fight) = self.fight()?;
        Some(Route::Fight(pack.id().to_string(), fight.id.clone(), self.query()))
    }

    /// Starts the work for the current inputs.
    fn begin(&mut self, shared: &Shared) -> Vec<Command> {
        let mut work = Work::after(&self.work);
        if let Some(here) = self.situation(shared) {
            work.begin(&here, &self.axis);
            work.go_on(&here);
        }
        self.work = work;
        self.work.call()
    }

    /// The player did something.
    pub fn update(&mut self, shared: &mut Shared, message: Message) -> Vec<Command> {
        let mut todo = Vec::new();
        match message {
            Message::Give(name, text) => self.give(&name, &text),
            Message::Question(key, text) => set(&mut self.questions, &key, &text),
            Message::Option(name, value) => {
                let Some(pack) = self.pack.as_ref().map(|pack| pack.id().to_string()) else {
                    return todo;
                };
                todo.push(shared.settings.set_option(&pack, &name, Some(&value)));
                self.begin_with_something(shared);
            }
            Message::Vary(message) => self.axis.update(message),
            Message::More => {
                self.work.more();
                return self.work.call();
            }
            Message::Clear => {
                (self.given, self.wrong, self.questions) = Default::default();
                self.begin_with_something(shared);
            }
        }
        todo.extend(self.begin(shared));
        todo.extend(self.route().map(|route| Command::Go { to: route.to_string(), replace: true }));
        todo
    }

    /// Continues the work.
    pub fn reply(&mut self, shared: &Shared, number: u64, reply: &Reply) -> Vec<Command> {
        let Reply::Elapsed(took) = *reply else { return Vec::new() };
        if !self.work.is(number) {
            return Vec::new();
        }
        let mut work = std::mem::take(&mut self.work);
        work.pace(took);
        if let Some(here) = self.situation(shared) {
            work.go_on(&here);
        }
        self.work = work;
        self.work.call()
    }

    /// The HTML.
    pub fn view(&self, shared: &Shared) -> Page {
        view::page(self, shared)
    }
}

fn set(map: &mut BTreeMap<String, String>, key: &str, text: &str) {
    let text: String = text.trim().chars().take(120).collect();
    match text.is_empty() {
        true => drop(map.remove(key)),
        false => drop(map.insert(key.to_owned(), text)),
    }
}

/// The charts that are rolled in a fight.
fn charts_of<'p>(pack: &'p Pack, fight: &Fight) -> Vec<&'p Chart> {
    let rolled = fight
        .actions
        .iter()
        .filter_map(|action| if let Action::Roll(roll) = action { Some(roll.chart) } else { None });
    rolled
        .chain(fight.follow.iter().map(|followed| followed.chart))
        .map(|chart| &pack.charts()[chart])
        .collect()
}

/// The questions that may come up, each once.
fn questions(pack: &Pack, fight: &Fight) -> Vec<PossibleQuestion> {
    let mut all: Vec<PossibleQuestion> = Vec::new();
    for question in
        charts_of(pack, fight).into_iter().flat_map(|chart| adjutant_engine::questions(pack, chart))
    {
        if !all.iter().any(|known| known.key == question.key) {
            all.push(question);
        }
    }
    all
}
