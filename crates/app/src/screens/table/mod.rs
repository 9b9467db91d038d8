//! A table: a game in progress, alone in this browser or shared through a server. The table itself
//! is the fold of its lines (crate `game`); this is the screen above it. A line is stored first,
//! then applied, then shown. In a shared game the server rolls, and the stream brings every line; a
//! copy is stored for reading without a network.

mod action_panel;
mod board;
mod board_view;
mod chosen;
mod due;
mod game;
mod join;
pub mod log;
mod log_view;
pub mod more;
mod more_view;
pub mod new_table;
mod other_pack;
mod pack_fetch;
pub mod play;
mod play_view;
pub mod reply_to;
#[cfg(feature = "workshop")]
mod report;
mod result;
pub mod roster;
mod roster_view;
mod seals;
mod shared_table;
mod shared_table_view;
mod unfinished_roll;
mod unit_view;
#[cfg(not(feature = "workshop"))]
mod without_report;

use crate::app::{Page, Shared};
use crate::message::{
    Command, HttpCall, Message as Outer, Now, Reply, StreamEvent, TableCard, ViewRegion,
};
use crate::parts::{act, icon};
use crate::route::{GameTask, Route};
use crate::server_api::ErrorBody;
use adjutant_dice::one_entry;
use adjutant_wording::en::page::{self as words, table as text};
use game::{Game, OpenError};
use maud::{Markup, html};
pub use reply_to::ReplyTo;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
#[cfg(not(feature = "workshop"))]
use without_report as report;

/// What the player can do here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// In the form for a new table.
    NewTable(new_table::Message),
    /// Shows another tab; a phone shows one at a time.
    Tab(Tab),
    /// In play.
    Play(play::Message),
    /// In the roster.
    Roster(roster::Message),
    /// In the log.
    Log(log::Message),
    /// In the tab “More”.
    More(more::Message),
    /// Starts a sample game: a pack and one of its starts.
    Sample(String, String),
    /// Joins under this name, with an invitation.
    Join(BTreeMap<String, String>),
}

/// The tabs of a table. A phone shows one at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tab {
    /// The chart in play, and the turn.
    #[default]
    Play,
    /// The units.
    Roster,
    /// The log.
    Log,
    /// Everything else.
    More,
}

impl Tab {
    const ALL: [Tab; 4] = [Tab::Play, Tab::Roster, Tab::Log, Tab::More];

    fn word(self) -> &'static str {
        match self {
            Tab::Play => "play",
            Tab::Roster => "roster",
            Tab::Log => "log",
            Tab::More => "more",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Tab::Play => text::TAB_PLAY,
            Tab::Roster => text::TAB_ROSTER,
            Tab::Log => text::TAB_LOG,
            Tab::More => text::TAB_MORE,
        }
    }
}

/// What an address names in a game.
#[derive(Clone, Copy, Debug)]
pub enum Aim {
    /// An entry of its log.
    Entry(u64),
    /// Something to do.
    Task(GameTask),
}

/// Why no table is shown.
#[derive(Debug)]
enum Lost {
    /// It is being read; what the address names in it is with it.
    Opening(TableCard, Option<Aim>),
    /// There is no table of this id.
    Unknown,
    /// Its server does not respond, or refuses.
    NoServer(String),
    /// Its pack is missing.
    NoPack(String),
    /// Its lines do not fit.
    Broken(OpenError, Vec<String>),
}

/// The state of this screen.
#[derive(Debug, Default)]
pub struct State {
    begin: Option<new_table::State>,
    join: Option<join::Joining>,
    game: Option<Box<Game>>,
    lost: Option<Lost>,
    /// The lines of the game that is being opened, while its pack is fetched.
    waiting_lines: Vec<String>,
    /// Whether the server was asked for the pack of the game that is being opened.
    asked_pack: bool,
}

impl State {
    /// The address leads to the form for a new table.
    pub fn open_form(&mut self, shared: &Shared, pack: &str) -> Vec<Command> {
        (self.join, self.lost) = (None, None);
        self.begin = Some(new_table::State::new(shared, pack));
        Vec::new()
    }

    /// The address leads to a table, and perhaps to something in it.
    pub fn open(&mut self, shared: &mut Shared, id: &str, aim: Option<Aim>) -> Vec<Command> {
        (self.begin, self.join, self.lost) = (None, None, None);
        if let Some(game) = self.game.as_mut().filter(|game| game.card.id == id) {
            let mut todo = game.listen();
            todo.extend(game.go_to(shared, aim));
            return todo;
        }
        self.game = None;
        let Some(card) = shared.tables.iter().find(|card| card.id == id).cloned() else {
            self.lost = Some(Lost::Unknown);
            return vec![Command::ListTables { reply_to: ReplyTo::Find(id.to_owned()).into() }];
        };
        self.read(card, aim)
    }

    fn read(&mut self, card: TableCard, aim: Option<Aim>) -> Vec<Command> {
        let table = card.id.clone();
        self.lost = Some(Lost::Opening(card, aim));
        self.asked_pack = false;
        vec![Command::ReadLines { reply_to: ReplyTo::LinesRead.into(), table }]
    }

    /// The player did something.
    pub fn update(&mut self, shared: &mut Shared, now: &Now, message: Message) -> Vec<Command> {
        if let (Message::Join(fields), Some(join)) = (&message, &mut self.join) {
            return join.update(shared, fields);
        }
        if let Message::Sample(pack, start) = message {
            if self.begin.as_ref().is_some_and(new_table::State::is_storing) {
                return Vec::new();
            }
            let begin = self.begin.insert(new_table::State::sample(shared, &pack, start));
            let name = one_entry("name".to_owned(), words::home::SAMPLE_NAME.to_owned());
            return begin.update(shared, now, new_table::Message::Create(name));
        }
        match (message, &mut self.begin, &mut self.game) {
            (Message::NewTable(message), Some(begin), _) => begin.update(shared, now, message),
            (Message::NewTable(_), ..) => Vec::new(),
            (Message::Join(_), ..) => Vec::new(),
            (message, _, Some(game)) => game.update(shared, now, message),
            _ => Vec::new(),
        }
    }

    /// A command was replied to.
    pub fn reply(
        &mut self,
        shared: &mut Shared,
        now: &Now,
        to: ReplyTo,
        reply: Reply,
    ) -> Vec<Command> {
        match (to, reply) {
            (ReplyTo::Find(id), Reply::Tables(tables)) => {
                shared.tables = tables;
                match shared.tables.iter().find(|card| card.id == id).cloned() {
                    Some(card) => self.read(card, None),
                    None => Vec::new(),
                }
            }
            (ReplyTo::LinesRead, Reply::Lines(lines)) => self.opened(shared, lines),
            (ReplyTo::LinesRead, Reply::Failed(why)) => vec![shared.tell(words::cannot_keep(&why))],
            (ReplyTo::Find(_) | ReplyTo::LinesRead, _) => Vec::new(),
            (ReplyTo::LinesFetched, Reply::Http { status: 200, body }) => {
                let lines: Vec<String> = body.lines().map(str::to_owned).collect();
                let Some(Lost::Opening(card, _)) = &self.lost else { return Vec::new() };
                let reply_to = reply_to::Game::CopyStored.into();
                let keep = Command::AppendLines {
                    reply_to,
                    card: card.clone(),
                    after: 0,
                    lines: lines.clone(),
                };
                let mut todo = self.opened(shared, lines);
                todo.insert(0, keep);
                todo
            }
            (ReplyTo::LinesFetched, reply) => {
                let why = match reply {
                    Reply::Http { body, .. } => ErrorBody::read(&body).sentence(),
                    _ => None,
                };
                self.lost =
                    Some(Lost::NoServer(why.unwrap_or_else(|| text::NO_CONNECTION.to_owned())));
                Vec::new()
            }
            (ReplyTo::PackAsked, reply) => self.pack_asked(shared, &reply),
            (ReplyTo::PackFetched(sum), reply) => self.pack_fetched(shared, &sum, &reply),
            (ReplyTo::OpenJoined(id), _) => {
                self.join = None;
                self.open(shared, &id, None)
            }
            (ReplyTo::Join(to), reply) => self
                .join
                .as_mut()
                .map(|join| join.reply(shared, now, to, reply))
                .unwrap_or_default(),
            (ReplyTo::NewTable(to), reply) => {
                self.begin.as_mut().map(|begin| begin.reply(shared, to, reply)).unwrap_or_default()
            }
            (ReplyTo::Game(to), reply) => self
                .game
                .as_mut()
                .map(|game| game.reply(shared, now, to, reply))
                .unwrap_or_default(),
        }
    }

    fn opened(&mut self, shared: &mut Shared, lines: Vec<String>) -> Vec<Command> {
        if let Some(game) = &mut self.game {
            return game.caught_up(shared, &lines);
        }
        let Some(Lost::Opening(card, aim)) = self.lost.take() else { return Vec::new() };
        if lines.is_empty() && !card.token.is_empty() {
            let path = format!("api/games/{}/lines?after=0", card.id);
            let call = HttpCall { path, token: card.token.clone(), ..HttpCall::default() };
            self.lost = Some(Lost::Opening(card, aim));
            return vec![Command::Http { reply_to: ReplyTo::LinesFetched.into(), call }];
        }
        let pack = match self.pack_for(shared, &card, &lines) {
            Ok(pack) => pack,
            Err(ask) => {
                self.lost = Some(Lost::Opening(card, aim));
                self.waiting_lines = lines;
                return vec![*ask];
            }
        };
        let Some(pack) = pack else {
            self.lost = Some(Lost::NoPack(card.pack));
            return Vec::new();
        };
        match Game::open(shared, pack, card, &lines) {
            Ok(mut game) => {
                let mut todo = game.listen();
                todo.extend(game.go_to(shared, aim));
                todo.extend(game.weigh_due());
                if std::mem::take(&mut shared.invite) && game.server.is_some() {
                    game.inviting = true;
                    todo.push(game.get("/invitations", reply_to::Server::Invitations));
                }
                self.game = Some(Box::new(game));
                todo
            }
            Err(why) => {
                self.lost = Some(Lost::Broken(why, lines));
                Vec::new()
            }
        }
    }

    /// The player followed an invitation.
    pub fn join(&mut self, shared: &Shared, id: &str, key: &str) -> Vec<Command> {
        (self.begin, self.game, self.lost) = (None, None, Some(Lost::Unknown));
        let joining = join::Joining::new(shared, id, key);
        // The key must not stay in the address.
        let to = Route::Table(id.to_owned()).to_string();
        let ask = joining.ask();
        self.join = Some(joining);
        vec![Command::Go { to, replace: true }, ask]
    }

    /// The player leaves the table.
    pub fn leave(&mut self) -> Vec<Command> {
        let Some(game) = &mut self.game else { return vec![Command::CloseStream] };
        if let Some(server) = &mut game.server {
            server.connection = shared_table::Connection::Opening;
        }
        vec![game.store_card(), Command::CloseStream]
    }

    /// Something happened to the event stream.
    pub fn stream(&mut self, now: &Now, table: &str, event: StreamEvent) -> Vec<Command> {
        match self.game.as_mut().filter(|game| game.card.id == table) {
            Some(game) => {
                game.clock = now.ms;
                game.stream(event)
            }
            None => Vec::new(),
        }
    }

    /// The bar at the bottom: the tabs of the table.
    pub fn bar(&self) -> Option<Markup> {
        let game = self.game.as_ref().filter(|_| self.begin.is_none() && self.join.is_none())?;
        let entry = |tab: Tab| {
            let count = game.count(tab);
            html! {
                button.bar-entry.table-tab type="button" data-tab=(tab.word()) data-back[tab == Tab::Play && game.tab != Tab::Play] aria-current=[(game.tab == tab).then_some("true")] data-do=(act(&Outer::Table(Message::Tab(tab)))) {
                    (picture(tab))
                    span { (tab.title()) @if count > 0 { " " span.tab-count { (count) } } }
                }
            }
        };
        Some(html! { @for tab in Tab::ALL { (entry(tab)) } })
    }

    /// The HTML.
    pub fn view(&self, shared: &Shared) -> Page {
        if let Some(join) = &self.join {
            return join.view(shared);
        }
        match (&self.begin, &self.game, &self.lost) {
            (Some(begin), ..) => begin.view(shared),
            (None, Some(game), _) => view(game, shared),
            (None, None, lost) => lost_view(lost.as_ref()),
        }
    }
}

fn picture(tab: Tab) -> Markup {
    match tab {
        Tab::Play => icon::die(),
        Tab::Roster => icon::roster(),
        Tab::Log => icon::sheet(),
        Tab::More => icon::more(),
    }
}

fn view(game: &Game, shared: &Shared) -> Page {
    let main = html! {
        article.table-screen data-tab=(game.tab.word()) data-busy=[game.is_busy().then_some("")] data-watching=[game.looks_on().then_some("")] {
            header #t-head.table-head data-region {}
            section #t-board.table-board data-region aria-label=(text::BOARD) {}
            section #t-roster.table-roster data-region aria-label=(text::TAB_ROSTER) {}
            section #t-play.table-play data-region aria-label=(text::TAB_PLAY) {}
            section #t-more.table-more data-region aria-label=(text::TAB_MORE) {}
            section #t-log.table-log data-region aria-label=(text::TAB_LOG) {}
            div #t-act.table-act data-region {}
        }
    };
    let mut regions = vec![
        ViewRegion::new("t-head", game.head_view(shared)),
        ViewRegion::new("t-board", game.board_view()),
        ViewRegion::new("t-roster", game.roster_view()),
        ViewRegion::new("t-play", game.play_view(shared)),
        ViewRegion::new(
            "t-more",
            if game.tab == Tab::More {
                game.more_view(shared)
            } else {
                html! {}
            },
        ),
        ViewRegion::new("t-log", game.log_view()),
        ViewRegion::new("t-act", game.act_view()),
    ];
    regions.extend(game.card_views());
    Page { title: words::title(&game.card.name), main, regions }
}

fn lost_view(lost: Option<&Lost>) -> Page {
    let home = html! { p { a.button href="#/" { (words::BAR_HOME) } } };
    let main = match lost {
        Some(Lost::Opening(card, _)) => {
            html! { h1 tabindex="-1" { (card.name) } p.lead { (text::OPENING) } }
        }
        Some(Lost::NoServer(why)) => {
            html! { h1 tabindex="-1" { (words::TABLE) } p.wrong { (text::sentence(why)) } (home) }
        }
        Some(Lost::NoPack(pack)) => {
            html! { h1 tabindex="-1" { (words::TABLE) } p.wrong { (words::home::no_pack(pack)) } (home) }
        }
        Some(Lost::Broken(why, lines)) => html! {
            h1 tabindex="-1" { (words::TABLE) }
            p.wrong { (why.sentence()) }
            p { (text::BROKEN_LINES) }
            details { summary { (text::lines(lines.len())) } pre.raw-lines { @for line in lines { (line) "\n" } } }
            (home)
        },
        Some(Lost::Unknown) | None => {
            html! { h1 tabindex="-1" { (text::NO_TABLE) } p { (text::NO_TABLE_MEANS) } (home) }
        }
    };
    Page::plain(words::title(words::TABLE), main)
}
