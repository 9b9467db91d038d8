//! Joins the screens. Every screen has its own state, messages and view, in its own file.

use crate::frame;
use crate::message::{Command, Message, Now, Reply, ReplyTo as AnyReplyTo, Start, TableCard, View, ViewRegion};
use crate::pack_registry::PackRegistry;
use crate::route::Route;
use crate::screens::{chart, deck, fight, home, lab, pack_editor, sheet, table};
use crate::settings::Settings;
use adjutant_pack::Files;
use adjutant_wording::en::page as words;
use maud::Markup;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the page itself gives commands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyTo {
    /// A text was copied or shared.
    Copied,
    /// The tables of this browser were listed.
    TablesListed,
    /// A value was saved. The script replies only when that fails, and writes this itself.
    Saved,
}

impl From<ReplyTo> for AnyReplyTo {
    fn from(to: ReplyTo) -> AnyReplyTo {
        AnyReplyTo::App(to)
    }
}

/// What all screens know.
#[derive(Debug, Default)]
pub struct Shared {
    /// The sheets.
    pub packs: PackRegistry,
    /// What the player has chosen.
    pub settings: Settings,
    /// The tables kept in the browser, or by a server for this player.
    pub tables: Vec<TableCard>,
    /// Where the page stands: links begin with it.
    pub base_url: String,
    /// The chains of secrets for sealed throws, by table, as they are saved.
    pub chains: BTreeMap<String, String>,
    /// Throws at tables of this device that have begun and are not done, by table, as they are saved.
    pub throws: BTreeMap<String, String>,
    /// Whether there is a network.
    pub online: bool,
    /// Whether a server of ours stands behind the page.
    pub has_server: bool,
    /// A sentence at the top of the page, until it is read.
    pub notice: Option<String>,
    /// A newer page waits.
    pub update_ready: bool,
    /// Whether the page has started; before, only the first paint is there.
    pub started: bool,
}

impl Shared {
    /// Says something at the top of the page and to those who listen.
    pub fn tell(&mut self, sentence: impl Into<String>) -> Command {
        let sentence = sentence.into();
        self.notice = Some(sentence.clone());
        Command::Announce(sentence)
    }

    fn reply(&mut self, to: ReplyTo, reply: Reply) -> Vec<Command> {
        match (to, reply) {
            (ReplyTo::Copied, Reply::Done) => vec![self.tell(words::COPIED)],
            (ReplyTo::Copied, _) => vec![self.tell(words::NOT_COPIED)],
            (ReplyTo::TablesListed, Reply::Tables(tables)) => {
                self.tables = tables;
                Vec::new()
            }
            (ReplyTo::TablesListed | ReplyTo::Saved, Reply::Failed(why)) => vec![self.tell(words::cannot_keep(&why))],
            (ReplyTo::TablesListed | ReplyTo::Saved, _) => Vec::new(),
        }
    }

    /// The whole link to a place in the page.
    pub fn link(&self, route: &Route) -> String {
        format!("{}{route}", self.base_url)
    }
}

/// What a screen shows: the title of the window, what stands in the middle, and the regions in it that change by
/// themselves (elements with an id and `data-region`, empty in `main`).
pub struct Page {
    /// The title.
    pub title: String,
    /// The middle.
    pub main: Markup,
    /// Its regions.
    pub regions: Vec<ViewRegion>,
}

impl Page {
    /// Without regions of its own.
    pub fn plain(title: impl Into<String>, main: Markup) -> Page {
        Page { title: title.into(), main, regions: Vec::new() }
    }
}

/// The whole page.
#[derive(Debug, Default)]
pub struct App {
    shared: Shared,
    route: Route,
    home: home::State,
    sheet: sheet::State,
    chart: chart::State,
    table: table::State,
    lab: lab::State,
    fight: fight::State,
    deck: deck::State,
    pack_editor: pack_editor::State,
}

impl App {
    /// A page at which nothing has happened: the first paint.
    pub fn new() -> App {
        App::default()
    }

    /// Where the player is.
    pub fn route(&self) -> &Route {
        &self.route
    }

    /// What all screens know.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Takes a message in. The answer is what the world must do, in order.
    pub fn update(&mut self, now: &Now, message: Message) -> Vec<Command> {
        // That something was copied need not be put away by hand.
        let by_player = !matches!(
            message,
            Message::Reply { .. } | Message::Stream { .. } | Message::Online(_) | Message::HasServer(_) | Message::UpdateReady
        );
        if by_player && self.shared.notice.as_deref() == Some(words::COPIED) {
            self.shared.notice = None;
        }
        let todo = self.take(now, message);
        // An address that takes the place of the one before says what is shown already: nothing is opened anew.
        if let Some(to) = todo.iter().rev().find_map(Command::replaced) {
            self.route = Route::read(to);
        }
        todo
    }

    fn take(&mut self, now: &Now, message: Message) -> Vec<Command> {
        let shared = &mut self.shared;
        match message {
            Message::Start(start) => self.start(*start),
            Message::Go(fragment) => self.go(&fragment),
            Message::Home(message) => self.home.update(shared, now, message),
            Message::Sheet(message) => self.sheet.update(shared, message),
            Message::Chart(message) => self.chart.update(shared, now, message),
            Message::Table(message) => self.table.update(shared, now, message),
            Message::Lab(message) => self.lab.update(shared, message),
            Message::Fight(message) => self.fight.update(shared, message),
            Message::Deck(message) => self.deck.update(shared, now, message),
            Message::PackEditor(message) => self.pack_editor.update(shared, now, message),
            Message::Reply { to, reply } => self.reply(now, to, reply),
            Message::Stream { table, event } => self.table.stream(now, &table, event),
            Message::SetTheme(theme) => vec![shared.settings.set_theme(theme)],
            Message::DismissNotice => {
                shared.notice = None;
                Vec::new()
            }
            Message::UpdateReady => {
                shared.update_ready = true;
                Vec::new()
            }
            Message::Update => vec![Command::Reload],
            Message::Online(online) => {
                shared.online = online;
                Vec::new()
            }
            Message::HasServer(yes) => {
                shared.has_server = yes;
                Vec::new()
            }
            Message::Copy(text) => vec![Command::Copy { reply_to: ReplyTo::Copied.into(), text }],
        }
    }

    fn start(&mut self, start: Start) -> Vec<Command> {
        let shared = &mut self.shared;
        shared.settings = Settings::read(&start.saved);
        shared.packs.know(start.summaries);
        shared.packs.settle(&shared.settings, &own_packs(&start.saved));
        (shared.tables, shared.base_url, shared.online) = (start.tables, start.base_url, start.online);
        let of_tables = |prefix: &str| {
            let of = |(key, value): (&String, &String)| Some((key.strip_prefix(prefix)?.to_owned(), value.clone()));
            start.saved.iter().filter_map(of).collect()
        };
        (shared.chains, shared.throws) = (of_tables("chain:"), of_tables("throw:"));
        shared.started = true;
        if let Some(why) = start.storage_error {
            shared.notice = Some(words::cannot_keep(&why));
        }
        self.go(&start.route)
    }

    /// A new address: the screen there is opened. The one before is left as it is, for the way back.
    fn go(&mut self, fragment: &str) -> Vec<Command> {
        let shared = &mut self.shared;
        let before = std::mem::replace(&mut self.route, Route::read(fragment));
        let mut todo = Vec::new();
        if matches!(before, Route::Table(_) | Route::Entry(..)) && before != self.route {
            todo.extend(self.table.leave());
        }
        todo.extend(match &self.route {
            Route::Home | Route::Nowhere(_) => self.home.open(shared),
            Route::Sheet(pack) => self.sheet.open(pack),
            Route::Chart(pack, chart, query) => self.chart.open(shared, pack, chart, query),
            Route::NewTable(pack) => self.table.open_form(shared, pack.as_deref().unwrap_or_default()),
            Route::Table(id) => self.table.open(shared, id, None),
            Route::Entry(id, n) => self.table.open(shared, id, Some(*n)),
            Route::Join(id, key) => self.table.join(shared, id, key),
            Route::Lab(pack, chart, query) => self.lab.open(shared, pack, chart, query),
            Route::Fight(pack, fight, query) => self.fight.open(shared, pack, fight, query),
            Route::Deck(pack, deck) => self.deck.open(shared, pack, deck),
            Route::PackEditor => self.pack_editor.open(shared),
        });
        todo
    }

    /// Hands a reply to the screen that gave the command.
    fn reply(&mut self, now: &Now, to: AnyReplyTo, reply: Reply) -> Vec<Command> {
        let shared = &mut self.shared;
        match to {
            AnyReplyTo::App(to) => shared.reply(to, reply),
            AnyReplyTo::Home(to) => self.home.reply(shared, to, reply),
            AnyReplyTo::Table(to) => self.table.reply(shared, now, to, reply),
            AnyReplyTo::Lab(number) => self.lab.reply(shared, number, &reply),
            AnyReplyTo::Fight(number) => self.fight.reply(shared, number, &reply),
            AnyReplyTo::PackEditor(number) => self.pack_editor.reply(number, &reply),
        }
    }

    /// The page as it is to be shown.
    pub fn view(&self) -> View {
        let shared = &self.shared;
        let page = match &self.route {
            Route::Home => self.home.view(shared),
            Route::Nowhere(text) => home::nowhere(text),
            Route::Sheet(_) => self.sheet.view(shared),
            Route::Chart(..) => self.chart.view(shared),
            Route::NewTable(_) | Route::Table(_) | Route::Entry(..) | Route::Join(..) => self.table.view(shared),
            Route::Lab(..) => self.lab.view(shared),
            Route::Fight(..) => self.fight.view(shared),
            Route::Deck(..) => self.deck.view(),
            Route::PackEditor => self.pack_editor.view(shared),
        };
        let of_table = matches!(self.route, Route::Table(_) | Route::Entry(..)).then(|| self.table.bar()).flatten();
        let bar = of_table.unwrap_or_else(|| frame::bar(shared, &self.route));
        let mut regions = vec![
            ViewRegion::new("top", frame::top(shared, &self.route)),
            ViewRegion::new("notice", frame::notice(shared)),
            ViewRegion::new("main", page.main),
            ViewRegion::new("bar", bar),
        ];
        regions.extend(page.regions);
        View { title: page.title, theme: shared.settings.theme, regions }
    }
}

/// The player's own packs among what was saved: `own:ID` holds their files.
fn own_packs(saved: &BTreeMap<String, String>) -> Vec<(String, Files)> {
    let own = saved.iter().filter_map(|(key, value)| {
        let texts: BTreeMap<String, String> = serde_json::from_str(value).ok()?;
        Some((key.strip_prefix("own:")?.to_owned(), Files::of(texts)))
    });
    own.collect()
}
