//! The form for a new table: the game, a start of its pack, names, sides, options and decks.
//! Everything has a default, so two taps are enough.

use super::reply_to;
use crate::app::{self, Page, Shared};
use crate::message::{Command, HttpCall, Message as Outer, Now, Reply, TableCard};
use crate::parts::{act, form, form_fields, icon};
use crate::route::Route;
use crate::screens::home::new_id;
use crate::server_api::ErrorBody;
use adjutant_api::{CreatedGame, NewGame};
use adjutant_game::{Begin, Decks, Rejection, Seat, Stamp, Table};
use adjutant_pack::{OptionId, Pack, Start};
use adjutant_wording::en::page::{self as words, home, table as text, together};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the player can do here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Chooses a game.
    Pack(String),
    /// Chooses a start of the pack; empty for an empty table.
    Start(String),
    /// Sets an option of the pack.
    Option(String, String),
    /// Whether each side has its own decks.
    Decks(bool),
    /// Whether a server keeps the table.
    Shared(bool),
    /// Creates the table.
    Create(BTreeMap<String, String>),
}

/// The state of this screen.
#[derive(Debug, Default)]
pub struct State {
    pack: String,
    start: String,
    options: BTreeMap<String, String>,
    per_side: bool,
    shared: bool,
    /// The fields as they were sent: if the server refuses, nothing must be typed twice.
    typed: BTreeMap<String, String>,
    wrong: Vec<String>,
    coming: Option<TableCard>,
    /// Whether it was started from home, without the form.
    sample: bool,
}

impl State {
    /// The form for a game; the first game if there is no such pack.
    pub fn new(shared: &Shared, pack: &str) -> State {
        let known = shared
            .packs
            .ids()
            .find(|id| *id == pack)
            .or_else(|| shared.packs.ids().next())
            .unwrap_or_default()
            .to_owned();
        let mut state = State { shared: false, ..State::default() };
        state.choose(shared, &known);
        state
    }

    /// A sample game: nothing must be entered.
    pub fn sample(shared: &Shared, pack: &str, start: String) -> State {
        State { start, sample: true, ..State::new(shared, pack) }
    }

    /// Whether a new game is being stored.
    pub fn is_storing(&self) -> bool {
        self.coming.is_some()
    }

    /// Chooses a game, and its first start with units, else its first start.
    fn choose(&mut self, shared: &Shared, id: &str) {
        self.pack = id.to_owned();
        self.typed.retain(|name, _| !name.starts_with("side"));
        self.options = shared.settings.changed(id).cloned().unwrap_or_default();
        let pack = shared.packs.pack(id);
        let first = pack.as_ref().and_then(|pack| {
            pack.starts().iter().find(|start| !start.units.is_empty()).or(pack.starts().first())
        });
        self.start = first.map(|start| start.id.to_string()).unwrap_or_default();
        self.per_side = first.is_some_and(|start| start.decks_per_side);
    }

    fn start_of<'p>(&self, pack: &'p Pack) -> Option<&'p Start> {
        pack.start(&self.start)
    }

    /// The player did something.
    pub fn update(&mut self, shared: &mut Shared, now: &Now, message: Message) -> Vec<Command> {
        self.wrong.clear();
        match message {
            Message::Pack(id) => self.choose(shared, &id),
            Message::Start(id) => {
                self.per_side = shared
                    .packs
                    .pack(&self.pack)
                    .and_then(|pack| pack.start(&id).map(|start| start.decks_per_side))
                    .unwrap_or(false);
                self.start = id;
            }
            Message::Option(name, value) => drop(self.options.insert(name, value)),
            Message::Decks(per_side) => self.per_side = per_side,
            Message::Shared(yes) => self.shared = yes,
            Message::Create(fields) => return self.begin(shared, now, &fields),
        }
        Vec::new()
    }

    fn refuse(&mut self, sentences: impl IntoIterator<Item = String>) -> Vec<Command> {
        self.wrong = sentences.into_iter().map(|sentence| text::sentence(&sentence)).collect();
        vec![Command::Reject { sentence: self.wrong.join(" "), focus: Some("wrong") }]
    }

    /// The names of the sides, from the fields.
    fn sides(&self, pack: &Pack, fields: &BTreeMap<String, String>) -> Vec<String> {
        let named = |place: usize| {
            fields
                .get(&format!("side{place}"))
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty())
        };
        match self.start_of(pack) {
            Some(start) => start
                .sides
                .iter()
                .enumerate()
                .map(|(place, side)| named(place).unwrap_or_else(|| side.title.to_string()))
                .collect(),
            None => {
                let typed = fields.get("sides").map_or("", String::as_str);
                let sides: Vec<String> = typed
                    .split(',')
                    .map(|side| side.trim().to_owned())
                    .filter(|side| !side.is_empty())
                    .collect();
                if sides.is_empty() { home::SIDES.map(str::to_owned).to_vec() } else { sides }
            }
        }
    }

    fn begin(
        &mut self,
        shared: &mut Shared,
        now: &Now,
        fields: &BTreeMap<String, String>,
    ) -> Vec<Command> {
        self.typed.clone_from(fields);
        let field = |name: &str| {
            fields.get(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        let Some(pack) = shared.packs.pack(&self.pack) else {
            return self.refuse([home::no_pack(&self.pack)]);
        };
        let who = field("who");
        // The others see who rolls.
        if self.shared && who.is_none() {
            self.refuse([together::SAY_YOUR_NAME.to_owned()]);
            let sentence = self.wrong.join(" ");
            return vec![Command::Reject { sentence, focus: Some("begin-who") }];
        }
        let who = who.unwrap_or_else(|| home::PLAYER.to_owned());
        let name = field("name").unwrap_or_else(|| pack.title().to_string());
        let sides = self.sides(&pack, fields);
        let mut todo =
            if who == home::PLAYER { Vec::new() } else { vec![shared.settings.set_name(&who)] };
        if self.shared {
            let bundle = shared.packs.bundle(pack.id(), pack.hash());
            todo.extend(self.begin_shared(now, &pack, bundle, name, who, sides));
            return todo;
        }
        let decks = if self.per_side { Decks::PerSide } else { Decks::Shared };
        let begin = Begin {
            name: name.clone(),
            sides,
            options: self.options.clone(),
            decks,
            ..Begin::default()
        };
        match lines(pack.clone(), &Stamp::new(&now.time, who), &self.start, begin) {
            Err(rejection) => self.refuse([adjutant_wording::en::rejection(&rejection)]),
            Ok(lines) => {
                let card = TableCard {
                    id: new_id(now),
                    name,
                    pack: pack.id().to_string(),
                    at: now.time.clone(),
                    turn: 1,
                    sample: self.sample,
                    ..TableCard::default()
                };
                self.coming = Some(card.clone());
                todo.push(Command::AppendLines {
                    reply_to: reply_to::NewTable::Stored.into(),
                    card,
                    after: 0,
                    lines,
                });
                todo
            }
        }
    }

    fn begin_shared(
        &mut self,
        now: &Now,
        pack: &Pack,
        bundle: Option<String>,
        name: String,
        who: String,
        sides: Vec<String>,
    ) -> Vec<Command> {
        let body = NewGame {
            name: name.clone(),
            pack: pack.id().to_string(),
            who,
            seat: Some(Seat::Player { side: sides.first().cloned().unwrap_or_default() }),
            sides: Some(sides),
            options: self.options.clone(),
            start: self.start.clone(),
            decks: if self.per_side { Decks::PerSide } else { Decks::Shared },
            cards_open: false,
            run_by_sheet: Vec::new(),
            bundle,
        };
        let call = HttpCall::post("api/games".to_owned(), "", &body);
        self.coming = Some(TableCard {
            name,
            pack: pack.id().to_string(),
            at: now.time.clone(),
            ..TableCard::default()
        });
        vec![Command::Http { reply_to: reply_to::NewTable::Created.into(), call }]
    }

    /// A command was replied to.
    pub fn reply(
        &mut self,
        shared: &mut Shared,
        to: reply_to::NewTable,
        reply: Reply,
    ) -> Vec<Command> {
        match (to, reply) {
            (reply_to::NewTable::Stored, Reply::Done) => {
                let Some(card) = self.coming.take() else { return Vec::new() };
                let to = Route::Table(card.id.clone()).to_string();
                shared.tables.push(card);
                vec![
                    Command::ListTables { reply_to: app::ReplyTo::TablesListed.into() },
                    Command::Go { to, replace: false },
                ]
            }
            (reply_to::NewTable::Stored, Reply::Failed(why)) if self.sample => {
                self.coming = None;
                vec![shared.tell(words::cannot_keep(&why))]
            }
            (reply_to::NewTable::Stored, Reply::Failed(why)) => {
                self.refuse([words::cannot_keep(&why)])
            }
            (reply_to::NewTable::Stored, _) => Vec::new(),
            (reply_to::NewTable::Created, Reply::Http { status: 200 | 201, body }) => {
                self.created(&body)
            }
            (reply_to::NewTable::Created, Reply::Http { body, .. }) => {
                let sentence = ErrorBody::read(&body)
                    .sentence()
                    .unwrap_or_else(|| home::SERVER_REFUSED.to_owned());
                self.refuse([sentence])
            }
            (reply_to::NewTable::Created, _) => self.refuse([home::NO_SERVER.to_owned()]),
        }
    }

    /// The server keeps the table; this browser keeps its card.
    fn created(&mut self, body: &str) -> Vec<Command> {
        match (serde_json::from_str::<CreatedGame>(body), self.coming.take()) {
            (Ok(CreatedGame { id, token, .. }), Some(card)) => {
                let card = TableCard { id, token, ..card };
                self.coming = Some(card.clone());
                vec![Command::SaveCard { reply_to: reply_to::NewTable::Stored.into(), card }]
            }
            _ => self.refuse([home::SERVER_REFUSED.to_owned()]),
        }
    }

    /// The HTML.
    pub fn view(&self, shared: &Shared) -> Page {
        let send = |message: Message| act(&Outer::Table(super::Message::NewTable(message)));
        let pack = shared.packs.pack(&self.pack);
        let main = html! {
            div.begin-screen {
                h1 tabindex="-1" { (home::BEGIN) }
                @if !self.wrong.is_empty() { div.wrong #wrong role="alert" tabindex="-1" { @for why in &self.wrong { p { (why) } } } }
                fieldset.field {
                    legend.field-label { (home::GAME) }
                    div.segments.segments-many {
                        @for id in shared.packs.ids() {
                            @if let Some(known) = shared.packs.pack(id) {
                                label.segment { input type="radio" name="pack" value=(id) checked[id == self.pack] data-do=(send(Message::Pack(id.to_owned()))); span { (known.title()) } }
                            }
                        }
                    }
                }
                @if let Some(pack) = &pack {
                    (self.starts(pack, &send))
                    form #begin-form.begin-form data-do=(send(Message::Create(form_fields()))) autocomplete="off" {
                        div.begin-fields {
                            label.field { span.field-label { (home::TABLE_NAME) } input #begin-name type="text" name="name" maxlength="80" value=[self.typed.get("name")] placeholder=(pack.title()); }
                            label.field { span.field-label { (home::YOUR_NAME) } input #begin-who type="text" name="who" maxlength="60" value=(self.typed.get("who").unwrap_or(&shared.settings.name)) placeholder=[(!self.shared).then_some(home::PLAYER)]; }
                            (self.side_fields(pack))
                        }
                        (self.rest(pack, shared, &send))
                    }
                    // Outside the form: a sticky element stays within its parent, and a form that
                    // starts low would hold it below the tab bar.
                    div.table-act.begin-act { div.actions-row { button.button.button-main type="submit" form="begin-form" { (icon::table()) (home::BEGIN_BUTTON) } } }
                }
            }
        };
        Page::plain(words::title(home::BEGIN), main)
    }

    fn starts(&self, pack: &Arc<Pack>, send: &dyn Fn(Message) -> String) -> Markup {
        let way = |id: &str, title: &str, about: &str| {
            html! {
                label.way {
                    input type="radio" name="start" value=(id) checked[self.start == id] data-do=(send(Message::Start(id.to_owned())));
                    span { b { (title) } @if !about.is_empty() { span.hint { (about) } } }
                }
            }
        };
        html! {
            fieldset.field.ways {
                legend.field-label { (text::WAY) }
                @for start in pack.starts() { (way(&start.id, &start.title, &start.about)) }
                (way("", text::BY_HAND, text::BY_HAND_MEANS))
            }
        }
    }

    fn side_fields(&self, pack: &Pack) -> Markup {
        html! {
            @match self.start_of(pack) {
                Some(start) => {
                    @for (place, side) in start.sides.iter().enumerate() {
                        label.field {
                            span.field-label { (text::side_n(place + 1)) @if side.run_by_sheet { " " span.tag { (text::SHEET_RUNS) } } }
                            input type="text" name=(format!("side{place}")) maxlength="40" value=[self.typed.get(&format!("side{place}"))] placeholder=(side.title);
                        }
                    }
                },
                None => { label.field { span.field-label { (home::SIDES_LABEL) } input type="text" name="sides" maxlength="200" value=[self.typed.get("sides")] placeholder=(home::SIDES.join(", ")); } },
            }
        }
    }

    fn rest(&self, pack: &Pack, shared: &Shared, send: &dyn Fn(Message) -> String) -> Markup {
        let of_start = |place: OptionId| {
            let start = self.start_of(pack)?;
            start
                .options
                .iter()
                .find(|(known, _)| *known == place)
                .map(|(_, value)| super::roster::written(pack, *value))
        };
        html! {
            @if pack.card_decks().next().is_some() && self.start.is_empty() {
                fieldset.field {
                    legend.field-label { (text::WHOSE_DECKS) }
                    div.segments {
                        label.segment { input type="radio" name="decks" checked[!self.per_side] data-do=(send(Message::Decks(false))); span { (text::DECKS_SHARED) } }
                        label.segment { input type="radio" name="decks" checked[self.per_side] data-do=(send(Message::Decks(true))); span { (text::DECKS_OWN) } }
                    }
                }
            }
            @if shared.has_server && (shared.online || self.shared) {
                fieldset.field {
                    legend.field-label { (home::WHERE) }
                    div.segments {
                        label.segment { input type="radio" name="where" checked[!self.shared] data-do=(send(Message::Shared(false))); span { (home::HERE) } }
                        label.segment { input type="radio" name="where" checked[self.shared] data-do=(send(Message::Shared(true))); span { (home::SHARED) } }
                    }
                }
            } @else if !shared.online { p.hint { (home::OFFLINE_HERE) } }
            @if !pack.options().is_empty() {
                details.begin-options {
                    summary { (text::OPTIONS) }
                    @for (place, option) in pack.options().iter_enumerated() {
                        (form::setting(&option.field, self.options.get(option.field.id.as_str()).cloned().or_else(|| of_start(place)), &|value| Outer::Table(super::Message::NewTable(Message::Option(option.field.id.to_string(), value)))))
                        p.hint { (option.standing.name()) ". " (option.origin) }
                    }
                }
            }
        }
    }
}

/// The lines of a new table.
fn lines(
    pack: Arc<Pack>,
    stamp: &Stamp,
    start: &str,
    begin: Begin,
) -> Result<Vec<String>, Rejection> {
    let table = Table::empty(pack);
    let lines = match start {
        "" => vec![table.begin(stamp, begin)?],
        start => table.begin_from(stamp, start, begin)?,
    };
    Ok(lines.into_iter().map(|line| line.text).collect())
}
