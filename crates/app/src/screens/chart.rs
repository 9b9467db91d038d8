//! A chart outside a game: the form, the odds for exactly these inputs, the roll, and its
//! calculation. The inputs are in the address, so that a link reproduces them and a reload loses
//! nothing.

use crate::app::{Page, Shared};
use crate::message::{Command, Message as Outer, Moment, Now, ViewRegion};
use crate::parts::ask::{self, Ask};
use crate::parts::form::{self, Form};
use crate::parts::{act, icon, odds, resolution};
use crate::route::{Query, Route};
use adjutant_dice::{
    Accepts, Entry, Number, OwnLuck, RecordedInput, Recorder, Replay, RollSoFar, Wanted, WayBack,
};
use adjutant_engine::{OddsError, OddsOptions, OddsReport, Resolution, Situation, resolve};
use adjutant_pack::Pack;
use adjutant_wording::en;
use adjutant_wording::en::page::{self as words, chart as text};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What the player can do here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// In the form.
    Form(form::Message),
    /// Sets what a table would remember.
    Memory(String, String),
    /// Sets an option of the pack, which is saved.
    Option(String, String),
    /// Rolls.
    Roll,
    /// Rolls with the player's own dice and cards.
    OwnDice,
    /// Answers a question on the way.
    Answer(ask::Message),
    /// Closes the result.
    CloseResult,
}

/// A roll, unfinished or finished.
#[derive(Debug, Default)]
struct Run {
    own: OwnLuck,
    inputs: RollSoFar,
    ask: Option<Ask>,
    resolution: Option<Resolution>,
    refused: Option<String>,
}

/// The state of this screen.
#[derive(Debug)]
pub struct State {
    /// Wraps the messages: the pack editor has a chart of its own.
    wrap: fn(Message) -> Outer,
    form: Option<Form>,
    /// The pack and chart of an address that leads to no chart.
    lost: Option<(String, String)>,
    memory: Vec<(String, String)>,
    odds: Option<Result<OddsReport, OddsError>>,
    run: Option<Run>,
    /// How many rolls the calculation of the odds may try.
    most: Option<usize>,
    /// Whether the inputs are examples that the player has not changed.
    examples: bool,
}

impl Default for State {
    fn default() -> State {
        State::within(Outer::Chart)
    }
}

impl State {
    /// A chart inside another screen, which wraps its messages.
    pub fn within(wrap: fn(Message) -> Outer) -> State {
        State {
            wrap,
            form: None,
            lost: None,
            memory: Vec::new(),
            odds: None,
            run: None,
            most: None,
            examples: false,
        }
    }

    /// Shows a chart of any pack. Inputs stay as far as they fit; the result does not.
    pub fn show(&mut self, shared: &Shared, pack: Arc<Pack>, chart: &str, most: usize) {
        let before = self.form.take();
        (self.lost, self.run, self.most) = (None, None, Some(most));
        self.form = Form::new(pack, chart);
        if let (Some(form), Some(before)) = (&mut self.form, before) {
            for (name, value) in &before.given {
                form.give(name, value);
            }
            form.wrong.clear();
        }
        if let Some(form) = &mut self.form {
            begin_with_something(form, shared, &self.memory);
        }
        self.weigh(shared);
    }

    /// The chart that is shown.
    pub fn shown(&self) -> Option<&str> {
        self.form.as_ref().map(|form| form.chart().id.as_str())
    }

    /// Its parts, for the screen around it: result, odds, form, buttons.
    pub fn parts(&self, shared: &Shared) -> Option<[Markup; 4]> {
        let form = self.form.as_ref()?;
        Some([
            self.out(form),
            self.odds_view(form),
            self.form_view(form, shared),
            self.actions(form, shared),
        ])
    }

    /// The address leads here. A form with the same inputs stays, with its result.
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
        if same && (query.is_empty() || self.query() == *query) {
            // An option may have changed.
            self.weigh(shared);
            return Vec::new();
        }
        *self = State::within(self.wrap);
        self.form = shared.packs.pack(pack).and_then(|pack| Form::new(pack, chart));
        match &mut self.form {
            None => self.lost = Some((pack.to_owned(), chart.to_owned())),
            Some(form) => {
                for (name, value) in query {
                    match name.strip_prefix("memory:") {
                        Some(id) => self.memory.push((id.to_owned(), value.clone())),
                        None => form.give(name, value),
                    }
                }
                take_members(form, query);
                if query.is_empty() {
                    begin_with_something(form, shared, &self.memory);
                    self.examples = !form.given.is_empty();
                }
            }
        }
        self.weigh(shared);
        Vec::new()
    }

    /// The chart in short, for the home screen: the modifiers to try, the odds, the button, and
    /// the explained result below it.
    pub fn demo(&self, shared: &Shared) -> Option<Markup> {
        let form = self.form.as_ref()?;
        let situation = situation(form, shared, &self.memory)?;
        let wrap = |message| (self.wrap)(Message::Form(message));
        Some(html! {
            @if let Some(odds) = &self.odds { (odds::view(&form.pack, form.chart(), odds, &form.names)) }
            (form.few_ticks(&situation, &wrap, 3))
            (self.actions(form, shared))
            (self.out(form))
        })
    }

    /// The inputs, as the address has them.
    fn query(&self) -> Query {
        let given = self.form.iter().flat_map(|form| form.given.clone());
        given
            .chain(self.memory.iter().map(|(id, value)| (format!("memory:{id}"), value.clone())))
            .collect()
    }

    /// The address of the current inputs.
    fn route(&self) -> Option<Route> {
        let form = self.form.as_ref()?;
        Some(Route::Chart(form.pack.id().to_string(), form.chart().id.to_string(), self.query()))
    }

    fn weigh(&mut self, shared: &Shared) {
        self.odds = self.form.as_ref().and_then(|form| {
            let situation = situation(form, shared, &self.memory)?;
            Some(adjutant_engine::odds(
                &situation,
                &OddsOptions { most: self.most, ..OddsOptions::default() },
            ))
        });
    }

    /// The player did something.
    pub fn update(&mut self, shared: &mut Shared, now: &Now, message: Message) -> Vec<Command> {
        let Some(form) = &mut self.form else { return Vec::new() };
        match message {
            Message::Form(message) => form.update(message),
            Message::Memory(id, value) => {
                self.memory.retain(|(known, _)| *known != id);
                self.memory.push((id, value));
            }
            Message::Option(name, value) => {
                let pack = form.pack.id().to_string();
                let todo = shared.settings.set_option(&pack, &name, Some(&value));
                self.weigh(shared);
                return vec![todo];
            }
            Message::Roll => return self.roll(shared, now, Run::default(), None),
            Message::OwnDice => {
                return self.roll(shared, now, Run { own: OwnLuck::ALL, ..Run::default() }, None);
            }
            Message::Answer(message) => return self.answer(shared, now, message),
            Message::CloseResult => {
                self.run = None;
                return Vec::new();
            }
        }
        // The result belongs to the inputs before.
        (self.run, self.examples) = (None, false);
        self.weigh(shared);
        self.route()
            .map(|route| Command::Go { to: route.to_string(), replace: true })
            .into_iter()
            .collect()
    }

    fn answer(&mut self, shared: &Shared, now: &Now, message: ask::Message) -> Vec<Command> {
        let Some(mut run) = self.run.take() else { return Vec::new() };
        if run.ask.as_ref().is_some_and(|ask| ask.is_left_by(&message)) {
            match run.inputs.way_back() {
                WayBack::Leave => return Vec::new(),
                WayBack::TakeBack => return self.step_back(shared, now, run),
                WayBack::Closed => {}
            }
        }
        match run.ask.as_mut().and_then(|ask| ask.update(message)) {
            Some(entered) => self.roll(shared, now, run, Some(entered)),
            None => {
                let todo = run.ask.as_ref().map(Ask::rejection).unwrap_or_default();
                self.run = Some(run);
                todo
            }
        }
    }

    /// Takes back what the player entered last, and asks for it again.
    fn step_back(&mut self, shared: &Shared, now: &Now, mut run: Run) -> Vec<Command> {
        let taken = run.inputs.take_back();
        run.ask = None;
        let todo = self.roll(shared, now, run, None);
        if let (Some(RecordedInput::Dice { faces, .. }), Some(ask)) =
            (taken, self.run.as_mut().and_then(|run| run.ask.as_mut()))
        {
            ask.put_back(&faces);
        }
        todo
    }

    /// Continues a roll as far as possible.
    fn roll(
        &mut self,
        shared: &Shared,
        now: &Now,
        mut run: Run,
        entered: Option<Entry>,
    ) -> Vec<Command> {
        let Some(form) = &self.form else { return Vec::new() };
        let Some(mut there) = situation(form, shared, &self.memory) else { return Vec::new() };
        let mut source = ask::source(now.random, run.own, entered);
        let mut recorder = Recorder::new(Replay::new(run.inputs.inputs()).then(&mut source));
        let found = resolve(&mut there, &mut recorder);
        let inputs = recorder.into_inputs();
        // The options changed while the roll waited for an answer.
        let stale = inputs.len() < run.inputs.inputs().len();
        if !stale {
            run.inputs = inputs.into();
        }
        (run.resolution, run.refused) = (None, None);
        let mut todo = Vec::new();
        match found {
            Ok(mut resolution) => {
                resolution.ruled_out = there.ruled_out();
                todo.push(Command::Announce(resolution::headline(&resolution)));
                todo.push(Command::Focus("result".into()));
                if run.own == OwnLuck::NONE {
                    todo.push(Command::Moment(Moment::of(&resolution)));
                }
                (run.ask, run.resolution) = (None, Some(resolution));
            }
            Err(stopped) => {
                // The question stays, with the reason beside it.
                if let Some(why) = stopped.refused {
                    let why = match stale {
                        true => text::STALE.to_owned(),
                        false => adjutant_wording::en::resolve_error(&why),
                    };
                    match &mut run.ask {
                        Some(ask) => ask.wrong = Some(why.clone()),
                        None => run.refused = Some(why.clone()),
                    }
                    todo.push(Command::Reject { sentence: why, focus: None });
                } else {
                    run.ask = stopped
                        .resolution
                        .needs
                        .first()
                        .cloned()
                        .map(|need| Ask::new(need, form).after(Some(&stopped.resolution)));
                    todo.push(Command::Focus("ask".into()));
                }
                if stopped.resolution.rolls().next().is_some() {
                    run.resolution = Some(*stopped.resolution);
                }
            }
        }
        self.run = Some(run);
        todo
    }

    /// The HTML.
    pub fn view(&self, shared: &Shared) -> Page {
        let Some(form) = &self.form else {
            let (pack, chart) = self.lost.clone().unwrap_or_default();
            return Page::plain(
                words::title(text::LOST),
                html! { h1 tabindex="-1" { (text::LOST) } p { (text::lost(&pack, &chart)) } },
            );
        };
        let (pack, chart) = (&form.pack, form.chart());
        let main = html! {
            article.chart {
                header.chart-head {
                    h1 tabindex="-1" { (chart.title) }
                    @if !chart.about.is_empty() { p.lead { (chart.about) } }
                    p.chart-links {
                        a href=(Route::Sheet(pack.id().to_string())) { (icon::sheet()) (text::ON_THE_SHEET) }
                        a href=(Route::Lab(pack.id().to_string(), chart.id.to_string(), Query::new())) { (icon::odds()) (text::IN_THE_LAB) }
                    }
                }
                section #out.chart-out data-region aria-label=(text::RESULT) {}
                section #odds.chart-odds data-region aria-label=(text::ODDS) {}
                section #form.chart-form data-region aria-label=(text::FORM) {}
                div #actions.actions data-region {}
            }
        };
        let regions = vec![
            ViewRegion::new("out", self.out(form)),
            ViewRegion::new("odds", self.odds_view(form)),
            ViewRegion::new("form", self.form_view(form, shared)),
            ViewRegion::new("actions", self.actions(form, shared)),
        ];
        Page { title: words::title(&chart.title), main, regions }
    }

    fn odds_view(&self, form: &Form) -> Markup {
        html! {
            h2 { (text::ODDS) }
            @if let Some(odds) = &self.odds { (odds::view(&form.pack, form.chart(), odds, &form.names)) }
        }
    }

    fn form_view(&self, form: &Form, shared: &Shared) -> Markup {
        let Some(situation) = situation(form, shared, &self.memory) else { return html! {} };
        let wrap = |message| (self.wrap)(Message::Form(message));
        html! {
            @if self.examples { p.hint { (text::EXAMPLES) } }
            (form.view(&situation, &wrap, &|_, _| None))
            (self.extras(form, shared))
            @if !form.given.is_empty() {
                button.button.button-quiet type="button" data-do=(act(&wrap(form::Message::Clear))) { (text::CLEAR) }
                @if let Some(route) = self.route().filter(|_| self.most.is_none()) {
                    button.button.button-quiet type="button" data-do=(act(&Outer::Copy(shared.link(&route)))) { (icon::link()) (text::COPY_LINK) }
                }
            }
        }
    }

    /// What a table would remember, and the options that this chart uses.
    fn extras(&self, form: &Form, shared: &Shared) -> Markup {
        let (pack, chart) = (&form.pack, form.chart());
        let memory = chart.other_names.iter().filter_map(|(origin, _)| match origin {
            adjutant_pack::NameSource::Memory(place) => pack.memory().get(*place),
            _ => None,
        });
        let options = chart.other_names.iter().filter_map(|(origin, _)| match origin {
            adjutant_pack::NameSource::Option(place) => pack.options().get(*place),
            _ => None,
        });
        let options: Vec<_> =
            options.chain(chart.needs_option.and_then(|place| pack.options().get(place))).collect();
        let said = |id: &str| {
            self.memory.iter().find(|(known, _)| known == id).map(|(_, value)| value.clone())
        };
        let set = |id: &str| {
            shared
                .settings
                .options_of(pack.id())
                .find(|(name, _)| *name == id)
                .map(|(_, value)| value.to_owned())
        };
        html! {
            @for field in memory {
                (form::setting(field, said(&field.id), &|value| (self.wrap)(Message::Memory(field.id.to_string(), value))))
            }
            @if !options.is_empty() {
                details.form-options {
                    summary { (text::OPTIONS) }
                    @for option in options {
                        (form::setting(&option.field, set(&option.field.id), &|value| (self.wrap)(Message::Option(option.field.id.to_string(), value))))
                        p.hint { (option.standing.name()) ". " (option.origin) }
                    }
                }
            }
        }
    }

    fn actions(&self, form: &Form, shared: &Shared) -> Markup {
        let closed = situation(form, shared, &self.memory).and_then(|situation| {
            situation
                .closed_by()
                .map(|option| (option.field.id.to_string(), option.field.label.to_string()))
        });
        let luck = form.pack.luck_of(form.chart());
        let (rolls, cards) = (luck.dice || luck.cards, luck.cards);
        let missing = matches!(&self.odds, Some(Err(OddsError::Needs(_))));
        html! {
            @if let Some((option, label)) = closed {
                p.actions-closed { (text::closed_by(&label)) }
                button.button.button-main type="button" data-do=(act(&(self.wrap)(Message::Option(option, "yes".into())))) { (text::SWITCH_ON) }
            } @else {
                @if let Some(Ok(report)) = &self.odds { (odds::strip(&form.pack, form.chart(), report)) }
                div.actions-row {
                    button.button.button-main type="button" data-key="t" disabled[missing] data-do=(act(&(self.wrap)(Message::Roll))) { (if cards { icon::card() } else { icon::die() }) (text::roll(rolls, cards, self.run.is_some())) }
                    @if rolls {
                        button.button type="button" data-key="o" disabled[missing] data-do=(act(&(self.wrap)(Message::OwnDice))) { (text::own(cards)) }
                    }
                }
            }
        }
    }

    fn out(&self, form: &Form) -> Markup {
        let Some(run) = &self.run else { return html! {} };
        html! {
            @if let Some(why) = &run.refused { p.wrong role="alert" { (why) } }
            @if let Some(ask) = &run.ask {
                (ask.view(&|message| (self.wrap)(Message::Answer(message)), run.inputs.way_back()))
                @if let Some(resolution) = &run.resolution { (resolution::arithmetic(&form.pack, resolution)) }
            } @else if let Some(resolution) = &run.resolution {
                @for why in en::ruled_out_alone(resolution) { p.hint { (why) "." } }
                (resolution::view(&form.pack, resolution))
                (self.follow(form, resolution))
            }
        }
    }

    /// Links to the charts that follow.
    fn follow(&self, form: &Form, resolution: &Resolution) -> Markup {
        html! {
            @if !resolution.next.is_empty() {
                p.chart-links {
                    @for next in &resolution.next {
                        a.button.button-small href=(Route::Chart(form.pack.id().to_string(), next.chart.to_string(), next.with.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect())) { (icon::forward()) (next.title) }
                    }
                }
            }
        }
    }
}

/// The situation.
pub(super) fn situation<'f>(
    form: &'f Form,
    shared: &Shared,
    memory: &[(String, String)],
) -> Option<Situation<'f>> {
    let mut situation = Situation::new(&form.pack, &form.chart().id).ok()?;
    for (name, value) in shared.settings.options_of(form.pack.id()) {
        // An option of an older version of the pack is ignored.
        let _ = situation.set_option(name, value);
    }
    for (name, value) in memory {
        let _ = situation.set_memory(name, value);
    }
    form.fill(&mut situation);
    Some(situation)
}

/// Fills an empty form with small values, so that there are odds to show. Choices come first,
/// because they decide which other inputs are needed.
pub(super) fn begin_with_something(form: &mut Form, shared: &Shared, memory: &[(String, String)]) {
    for _ in 0..40 {
        let Some(there) = situation(form, shared, memory) else { return };
        let mut inputs = Vec::new();
        for need in adjutant_engine::needs(&there) {
            if let Wanted::Input { accepts } = need.wanted {
                inputs.push((need.key, accepts));
            }
        }
        let choice =
            inputs.iter().position(|(_, accepts)| matches!(accepts, Accepts::Choice { .. }));
        let Some((name, accepts)) = inputs.get(choice.unwrap_or(0)) else { return };
        let before = form.given.len();
        form.give(name, &small(accepts));
        if form.given.len() == before {
            return;
        }
    }
}

/// A small value: a small number, the first word, no.
pub(super) fn small(accepts: &Accepts) -> String {
    match accepts {
        Accepts::YesNo => "no".into(),
        Accepts::Choice { words } => {
            words.first().map(|word| word.id.to_string()).unwrap_or_default()
        }
        Accepts::Number { from, to, step } => {
            let usual = step
                .times(Number::from(4))
                .and_then(|four| four.plus((*from).max(Number::ZERO)))
                .unwrap_or(*from);
            if usual <= *to { usual.to_string() } else { from.to_string() }
        }
    }
}

/// Takes the units that an address names.
pub(super) fn take_members(form: &mut Form, query: &Query) {
    let Some(role) = form.each_role().map(str::to_owned) else { return };
    let of_role = |name: &str| {
        Some(name.strip_prefix(&role)?.strip_prefix('.')?.split_once('.')?.0.to_owned())
    };
    let mut named: Vec<String> = Vec::new();
    for member in query.iter().filter_map(|(name, _)| of_role(name)).take(30) {
        if !named.contains(&member) {
            named.push(member);
        }
    }
    if !named.is_empty() {
        form.members = named;
    }
}
