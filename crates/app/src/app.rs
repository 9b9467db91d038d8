//! Joins the screens. Every screen has its own state, messages and view, in its own file.

use crate::frame;
use crate::message::{
    Command, Message, Now, Reply, ReplyTo as AnyReplyTo, Start, TableCard, View, ViewRegion,
};
use crate::pack_registry::PackRegistry;
use crate::route::Route;
use crate::screens::table::Aim;
use crate::screens::{chart, deck, fight, home, lab, pack_editor, pack_link, sheet, table};
use crate::server_packs;
use crate::settings::Settings;
use adjutant_dice::map_of;
use adjutant_pack::Files;
use adjutant_wording::en::page as words;
use maud::Markup;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the page itself sends commands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyTo {
    /// A text was copied or shared.
    Copied,
    /// The tables of this browser were listed.
    TablesListed,
    /// A value was saved. The script replies only when that fails, and writes this itself.
    Saved,
    /// Something was saved that the player is told about.
    Kept(Kept),
}

/// What the player is told about when it is saved, and not before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// The tables that the player filled in.
    Tables,
    /// A pack was installed; its title.
    Pack(String),
    /// A pack was removed; its id.
    NoPack(String),
}

impl From<ReplyTo> for AnyReplyTo {
    fn from(to: ReplyTo) -> AnyReplyTo {
        AnyReplyTo::App(to)
    }
}

/// What all screens share.
#[derive(Debug, Default)]
pub struct Shared {
    /// The packs.
    pub packs: PackRegistry,
    /// What the player has chosen.
    pub settings: Settings,
    /// The tables that this browser has stored or joined.
    pub tables: Vec<TableCard>,
    /// The address without the fragment. Links begin with it.
    pub base_url: String,
    /// The stored chains of secrets for sealed rolls, by table.
    pub chains: BTreeMap<String, String>,
    /// The stored unfinished rolls, by table.
    pub rolls: BTreeMap<String, String>,
    /// The time of the last message: `2026-11-16T04:07:27Z`.
    pub time: String,
    /// Whether there is a network.
    pub online: bool,
    /// Whether the page was served by an Adjutant server.
    pub has_server: bool,
    /// Whether the game that opens next shows its invitations: it was shared to invite players.
    pub invite: bool,
    /// A sentence at the top of the page, until the player closes it.
    pub notice: Option<String>,
    /// A notice that also disappears with the next thing the player does, and how many changes of
    /// the screen it survives before that.
    passing: Option<u8>,
    /// Whether a newer version of the page is ready.
    pub update_ready: bool,
    /// Whether the full edition of the engine could not be fetched for this address.
    pub no_workshop: bool,
    /// Whether the page has started. Before that, only the first paint is there.
    pub started: bool,
}

impl Shared {
    /// Shows a sentence at the top of the page and announces it.
    pub fn tell(&mut self, sentence: impl Into<String>) -> Command {
        let sentence = sentence.into();
        (self.notice, self.passing) = (Some(sentence.clone()), None);
        Command::Announce(sentence)
    }

    /// The same for something that went well: it need not be closed.
    fn tell_briefly(&mut self, sentence: impl Into<String>, changes: u8) -> Command {
        let told = self.tell(sentence);
        self.passing = Some(changes);
        told
    }

    /// The player does something.
    fn pass(&mut self, changes_screen: bool) {
        match self.passing {
            None => {}
            Some(left @ 1..) if changes_screen => self.passing = Some(left - 1),
            Some(_) => (self.notice, self.passing) = (None, None),
        }
    }

    fn reply(&mut self, to: ReplyTo, reply: Reply) -> Vec<Command> {
        match (to, reply) {
            (ReplyTo::Copied, Reply::Done) => vec![self.tell_briefly(words::COPIED, 0)],
            (ReplyTo::Copied, _) => vec![self.tell(words::NOT_COPIED)],
            (ReplyTo::TablesListed, Reply::Tables(tables)) => {
                self.tables = tables;
                Vec::new()
            }
            (ReplyTo::TablesListed | ReplyTo::Saved, Reply::Failed(why)) => {
                vec![self.tell(words::cannot_keep(&why))]
            }
            (ReplyTo::Kept(kept), Reply::Failed(why)) => vec![self.tell(match kept {
                Kept::Tables => words::sheet::tables_not_saved(&why),
                Kept::Pack(title) => words::packs::not_saved(&title, &why),
                Kept::NoPack(id) => words::packs::not_removed(&id, &why),
            })],
            (ReplyTo::Kept(kept), _) => {
                let sentence = match kept {
                    Kept::Tables => words::sheet::TABLES_KEPT.to_owned(),
                    Kept::Pack(title) => words::packs::installed(&title),
                    Kept::NoPack(id) => words::pack_editor::unused(&id),
                };
                // A pack from a link opens its sheet, perhaps after it was saved.
                vec![self.tell_briefly(sentence, 1)]
            }
            (ReplyTo::TablesListed | ReplyTo::Saved, _) => Vec::new(),
        }
    }

    /// Whether links to this page work on this computer only.
    pub fn only_here(&self) -> bool {
        ["//127.", "//localhost", "//[::1]"].iter().any(|host| self.base_url.contains(host))
    }

    /// The whole link to an address of the page.
    pub fn link(&self, route: &Route) -> String {
        format!("{}{route}", self.base_url)
    }
}

/// What a screen shows: the title of the window, the main part, and the regions inside it (elements
/// with an id and `data-region`, empty in `main`).
pub struct Page {
    /// The title.
    pub title: String,
    /// The main part.
    pub main: Markup,
    /// The regions inside it.
    pub regions: Vec<ViewRegion>,
}

impl Page {
    /// A screen without regions.
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
    pack_link: pack_link::State,
}

impl App {
    /// A page that has received no message: the first paint.
    pub fn new() -> App {
        App::default()
    }

    /// The current address.
    pub fn route(&self) -> &Route {
        &self.route
    }

    /// What all screens share.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Handles a message. Returns what the browser must do, in this order.
    pub fn update(&mut self, now: &Now, message: Message) -> Vec<Command> {
        // A notice such as "Copied" disappears with the next thing the player does.
        let by_player = !matches!(
            message,
            Message::Reply { .. }
                | Message::Stream { .. }
                | Message::Online(_)
                | Message::HasServer(_)
                | Message::UpdateReady
        );
        if by_player {
            self.shared.pass(matches!(message, Message::Go(_)));
        }
        self.shared.time.clone_from(&now.time);
        let mut todo = self.take(now, message);
        let settings = &self.shared.settings;
        todo.retain_mut(|command| match command {
            Command::Moment(moment) => {
                let wanted = moment.wanted(settings);
                *moment = wanted.unwrap_or(*moment);
                wanted.is_some()
            }
            _ => true,
        });
        // An address that replaces the current one describes what is shown already: no screen is
        // opened.
        if let Some(to) = todo.iter().rev().find_map(Command::replaced) {
            (self.route, _) = Route::read(to).without_task();
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
            Message::PackLink(message) => self.pack_link.update(shared, message),
            Message::Reply { to, reply } => self.reply(now, to, reply),
            Message::Stream { table, event } => self.table.stream(now, &table, event),
            Message::SetTheme(theme) => vec![shared.settings.set_theme(theme)],
            Message::SetSwitch(switch, on) => vec![shared.settings.set_switch(switch, on)],
            Message::DismissNotice => {
                shared.notice = None;
                Vec::new()
            }
            Message::UpdateReady => {
                shared.update_ready = true;
                Vec::new()
            }
            Message::Update => vec![Command::Reload],
            Message::NoWorkshop => {
                shared.no_workshop = true;
                // A game goes on where it is.
                let to = matches!(self.route, Route::Table(_) | Route::Entry(..));
                let to = to.then(|| Command::Go { to: self.route.to_string(), replace: true });
                to.into_iter().chain([shared.tell(words::NOT_LOADED)]).collect()
            }
            Message::Online(online) => {
                shared.online = online;
                Vec::new()
            }
            Message::HasServer(yes) => {
                let new = yes && !std::mem::replace(&mut shared.has_server, yes);
                let mut todo = if new { vec![server_packs::list()] } else { Vec::new() };
                if new && self.route == Route::Home {
                    todo.extend(self.home.ask(shared));
                }
                todo
            }
            Message::Copy(text) => vec![Command::Copy { reply_to: ReplyTo::Copied.into(), text }],
        }
    }

    fn start(&mut self, start: Start) -> Vec<Command> {
        let shared = &mut self.shared;
        shared.settings = Settings::read(&start.saved);
        shared.packs.know(start.summaries);
        shared.packs.settle(&shared.settings, &own_packs(&start.saved));
        server_packs::brought(&start.saved).for_each(|bundle| shared.packs.bring(bundle));
        (shared.tables, shared.base_url, shared.online) =
            (start.tables, start.base_url, start.online);
        let of_tables = |prefix: &str| {
            let of = |(key, value): (&String, &String)| {
                Some((key.strip_prefix(prefix)?.to_owned(), value.clone()))
            };
            map_of(start.saved.iter().filter_map(of))
        };
        (shared.chains, shared.rolls) = (of_tables("chain:"), of_tables("roll:"));
        shared.started = true;
        if let Some(why) = start.storage_error {
            shared.notice = Some(words::cannot_keep(&why));
        }
        self.go(&start.route)
    }

    /// Opens the screen of a new address. The other screens keep their state for the way back.
    fn go(&mut self, fragment: &str) -> Vec<Command> {
        let shared = &mut self.shared;
        shared.no_workshop = false;
        let (route, task) = Route::read(fragment).without_task();
        let before = std::mem::replace(&mut self.route, route);
        let mut todo = Vec::new();
        if task.is_some() {
            // A reload must not do it again.
            todo.push(Command::Go { to: self.route.to_string(), replace: true });
        }
        if matches!(before, Route::Table(_) | Route::Entry(..)) && before != self.route {
            todo.extend(self.table.leave());
        }
        todo.extend(match &self.route {
            Route::Home | Route::Nowhere(_) => self.home.open(shared),
            Route::Sheet(pack) => self.sheet.open(pack),
            Route::Chart(pack, chart, query) => self.chart.open(shared, pack, chart, query),
            Route::NewTable(pack) => {
                self.table.open_form(shared, pack.as_deref().unwrap_or_default())
            }
            Route::Table(id) => self.table.open(shared, id, task.map(Aim::Task)),
            Route::Entry(id, n) => self.table.open(shared, id, Some(Aim::Entry(*n))),
            // Read as the address of its game.
            Route::Task(..) => Vec::new(),
            Route::Join(id, key) => self.table.join(shared, id, key),
            Route::Lab(pack, chart, query) => self.lab.open(shared, pack, chart, query),
            Route::Fight(pack, fight, query) => self.fight.open(shared, pack, fight, query),
            Route::Deck(pack, deck) => self.deck.open(shared, pack, deck),
            Route::PackEditor => self.pack_editor.open(shared),
            Route::PasteSheet => self.pack_editor.open_paste(shared),
            Route::PackLink(link) => self.pack_link.open(link),
            Route::SharePack(pack) => self.pack_link.hand_on(shared, pack),
            Route::Help => Vec::new(),
        });
        todo
    }

    /// Passes a reply to the screen that sent the command.
    fn reply(&mut self, now: &Now, to: AnyReplyTo, reply: Reply) -> Vec<Command> {
        let shared = &mut self.shared;
        match to {
            AnyReplyTo::App(to) => {
                let listed = to == ReplyTo::TablesListed && self.route == Route::Home;
                let mut todo = shared.reply(to, reply);
                if listed {
                    todo.extend(self.home.ask(shared));
                }
                todo
            }
            AnyReplyTo::Packs(to) => server_packs::reply(shared, to, reply),
            AnyReplyTo::Home(to) => self.home.reply(shared, to, reply),
            AnyReplyTo::Table(to) => self.table.reply(shared, now, to, reply),
            AnyReplyTo::Lab(number) => self.lab.reply(shared, number, &reply),
            AnyReplyTo::Fight(number) => self.fight.reply(shared, number, &reply),
            AnyReplyTo::PackEditor(number) => self.pack_editor.reply(number, &reply),
            AnyReplyTo::EditorSaved(number) => self.pack_editor.saved(shared, number, reply),
        }
    }

    /// What is shown.
    pub fn view(&self) -> View {
        let shared = &self.shared;
        let page = match &self.route {
            Route::Home => self.home.view(shared),
            Route::Nowhere(text) => home::nowhere(text),
            Route::Help => home::help(shared),
            Route::Sheet(_) => self.sheet.view(shared),
            Route::Chart(..) => self.chart.view(shared),
            Route::NewTable(_)
            | Route::Table(_)
            | Route::Entry(..)
            | Route::Task(..)
            | Route::Join(..) => self.table.view(shared),
            Route::Lab(..) => self.lab.view(shared),
            Route::Fight(..) => self.fight.view(shared),
            Route::Deck(..) => self.deck.view(),
            Route::PackEditor => self.pack_editor.view(shared),
            Route::PasteSheet => self.pack_editor.view_paste(shared),
            Route::PackLink(_) | Route::SharePack(_) => self.pack_link.view(shared),
        };
        let of_table = matches!(self.route, Route::Table(_) | Route::Entry(..))
            .then(|| self.table.bar())
            .flatten();
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

/// The player's own packs among the saved values: `own:ID` holds the files.
fn own_packs(saved: &BTreeMap<String, String>) -> Vec<(String, Files)> {
    let own = saved.iter().filter_map(|(key, value)| {
        let texts: BTreeMap<String, String> = serde_json::from_str(value).ok()?;
        Some((key.strip_prefix("own:")?.to_owned(), Files::of(texts)))
    });
    own.collect()
}
