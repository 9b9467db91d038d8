//! Home: a chart that can be rolled at once, a sample game, the games with their charts, the tables
//! of the player, and the ways to start a table: the form, or the import of a log.

use crate::app::{self, Page, Shared};
use crate::message::{
    Command, HttpCall, Message as Outer, Now, Reply, ReplyTo as AnyReplyTo, TableCard,
};
use crate::pack_summary::PackSummary;
use crate::parts::{FILE_NAME, FILE_TEXT, act, icon};
use crate::route::{Query, Route};
use crate::screens::{chart, table};
use crate::server_api::AboutTable;
use crate::server_packs;
use crate::settings::Switch;
use adjutant_game::WhoseMove;
use adjutant_wording::en::diagnostic;
use adjutant_wording::en::page::{self as words, home as text};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

/// How many rolls the calculation of the odds may try.
const DEMO_ROLLS: usize = 10_000;
/// How many shared games the server is asked about, the last played first, and how long it may take.
const MOST_ASKED: usize = 12;
const ASK_LIMIT_MS: u32 = 4_000;
/// The largest file that is imported, in bytes.
const LARGEST_FILE: usize = 32 << 20;

/// What the player can do here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// In the chart that can be rolled here.
    Demo(chart::Message),
    /// Imports a log.
    Import {
        /// The file's name.
        name: String,
        /// Its text.
        text: String,
    },
    /// Asks before a table is deleted; none closes the question.
    ConfirmForget(Option<String>),
    /// Deletes a table from this browser.
    Forget(String),
}

/// What this screen sends commands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyTo {
    /// The server said how far the shared game of this id is.
    Asked(String),
    /// The first frame is there: the chart may be read now.
    Demo,
    /// The pack that came with an imported log was saved: its lines can be stored.
    ImportPackSaved,
    /// The lines of an imported log were stored.
    ImportStored,
    /// A table was deleted.
    Forgotten,
}

impl From<ReplyTo> for AnyReplyTo {
    fn from(to: ReplyTo) -> AnyReplyTo {
        AnyReplyTo::Home(to)
    }
}

/// The first line of a log: it names the pack that the other lines need.
#[derive(Deserialize)]
struct FirstLine {
    #[serde(rename = "do")]
    what: FirstEvent,
}

#[derive(Deserialize)]
struct FirstEvent {
    begin: LogHead,
}

#[derive(Deserialize)]
struct LogHead {
    name: String,
    pack: String,
    #[serde(default)]
    hash: String,
}

/// The state of this screen.
#[derive(Debug, Default)]
pub struct State {
    /// What is wrong with a log that was imported.
    wrong: Vec<String>,
    /// The table that the player may delete.
    doubted: Option<String>,
    /// A table that is being stored, with its lines. It opens afterwards.
    coming: Option<(TableCard, Vec<String>)>,
    /// The chart that can be rolled here. It comes after the first frame, because reading a pack
    /// takes a while on a phone.
    demo: Option<chart::State>,
    /// What the server said about shared games since the screen was opened, by their ids.
    asked: Vec<(String, AboutTable)>,
}

impl State {
    /// Asks the server how far the shared games are. One that does not answer in time is shown as
    /// this browser saw it last.
    pub fn ask(&mut self, shared: &Shared) -> Vec<Command> {
        if !(shared.has_server && shared.online) {
            return Vec::new();
        }
        let games = shown(shared).into_iter().filter(|card| !card.token.is_empty());
        let ask = |card: &TableCard| Command::Http {
            reply_to: ReplyTo::Asked(card.id.clone()).into(),
            call: HttpCall {
                path: format!("api/games/{}", crate::route::escape(&card.id)),
                token: card.token.clone(),
                limit: Some(ASK_LIMIT_MS),
                ..HttpCall::default()
            },
        };
        games.take(MOST_ASKED).map(ask).collect()
    }

    /// What the server said about a game.
    fn about(&self, id: &str) -> Option<&AboutTable> {
        self.asked.iter().find(|(known, _)| known == id).map(|(_, about)| about)
    }

    /// The address leads here.
    pub fn open(&mut self, shared: &mut Shared) -> Vec<Command> {
        (self.wrong, self.doubted) = (Vec::new(), None);
        if !shared.started {
            return Vec::new();
        }
        let list = Command::ListTables { reply_to: app::ReplyTo::TablesListed.into() };
        let demo = self.demo.is_none();
        let demo = demo.then(|| Command::NextFrame { reply_to: ReplyTo::Demo.into() });
        [list].into_iter().chain(demo).collect()
    }

    fn open_demo(&mut self, shared: &Shared) {
        let Some(summary) = sample(shared) else { return };
        let (Some(pack), Some(first)) = (shared.packs.pack(&summary.id), summary.first) else {
            return;
        };
        let mut demo = chart::State::within(|message| Outer::Home(Message::Demo(message)));
        demo.show(shared, pack, &first, DEMO_ROLLS);
        self.demo = Some(demo);
    }

    /// The player did something.
    pub fn update(&mut self, shared: &mut Shared, now: &Now, message: Message) -> Vec<Command> {
        self.wrong = Vec::new();
        match message {
            Message::Demo(message) => {
                let demo = self.demo.as_mut();
                let todo = demo.map(|demo| demo.update(shared, now, message)).unwrap_or_default();
                // The address stays the one of this screen.
                todo.into_iter().filter(|command| command.replaced().is_none()).collect()
            }
            Message::Import { name, text } => self.import(shared, now, &name, &text),
            Message::ConfirmForget(table) => {
                self.doubted = table;
                Vec::new()
            }
            Message::Forget(table) => {
                self.doubted = None;
                vec![Command::DeleteTable { reply_to: ReplyTo::Forgotten.into(), table }]
            }
        }
    }

    fn refuse(&mut self, sentences: impl IntoIterator<Item = String>) -> Vec<Command> {
        self.wrong = sentences.into_iter().collect();
        vec![Command::Reject { sentence: self.wrong.join(" "), focus: Some("wrong") }]
    }

    /// Installs a bundle, or imports a log with or without its pack.
    fn import(&mut self, shared: &mut Shared, now: &Now, file: &str, whole: &str) -> Vec<Command> {
        if whole.len() > LARGEST_FILE {
            return self.refuse([text::too_large(file)]);
        }
        let (line, log) = adjutant_game::split_pack(whole);
        if line.is_some() && log.trim().is_empty() {
            return match server_packs::install(shared, whole) {
                Ok(todo) => todo,
                Err(why) => self.refuse([why.sentence(file)]),
            };
        }
        let brought = match adjutant_game::carried_pack(whole) {
            Ok((brought, _)) => brought,
            Err(why) => {
                let diagnostic::Sentence { message, help } = diagnostic::bundle(&why);
                return self.refuse([words::packs::refused(file, &message, &help)]);
            }
        };
        let first =
            log.lines().next().and_then(|line| serde_json::from_str::<FirstLine>(line).ok());
        let Some(FirstLine { what: FirstEvent { begin: LogHead { name, pack, hash } } }) = first
        else {
            return self.refuse([text::not_a_log(file, text::OtherFile::of(file, whole))]);
        };
        let brought = brought.filter(|bundle| bundle.files().hash() == hash);
        let known = shared.packs.hash(&pack).is_some_and(|known| known == hash);
        // One that came with another game is saved again: that save may have failed.
        let brought = brought.filter(|_| !known);
        let keep = brought.map(|bundle| server_packs::keep(shared, bundle)).unwrap_or_default();
        let found = shared.packs.with_rules(&pack, &hash).or_else(|| shared.packs.pack(&pack));
        let Some(pack) = found else {
            return self.refuse([words::packs::missing(&pack, &hash)]);
        };
        match adjutant_game::import(pack.clone(), log) {
            Err(fault) => {
                self.refuse([text::bad_log(file, &adjutant_wording::en::log_error(&fault))])
            }
            Ok(table) => {
                let card = TableCard {
                    id: new_id(now),
                    name,
                    pack: pack.id().to_string(),
                    at: now.time.clone(),
                    ..TableCard::default()
                };
                self.coming = Some((card, table.lines().map(str::to_owned).collect()));
                // A game whose pack is not saved could not be opened again.
                match keep.is_empty() {
                    true => self.store_import(),
                    false => Command::save_together(keep, ReplyTo::ImportPackSaved.into()),
                }
            }
        }
    }

    /// Stores the lines of the imported log.
    fn store_import(&self) -> Vec<Command> {
        let store = |(card, lines): &(TableCard, Vec<String>)| Command::AppendLines {
            reply_to: ReplyTo::ImportStored.into(),
            card: card.clone(),
            after: 0,
            lines: lines.clone(),
        };
        self.coming.iter().map(store).collect()
    }

    /// A command was replied to.
    pub fn reply(&mut self, shared: &mut Shared, to: ReplyTo, reply: Reply) -> Vec<Command> {
        let list = Command::ListTables { reply_to: app::ReplyTo::TablesListed.into() };
        match (to, reply) {
            (ReplyTo::Asked(id), reply) => {
                self.asked.retain(|(known, _)| *known != id);
                if let Reply::Http { status: 200, body } = reply
                    && let Ok(about) = serde_json::from_str(&body)
                {
                    self.asked.push((id, about));
                }
                Vec::new()
            }
            (ReplyTo::Demo, _) => {
                self.open_demo(shared);
                Vec::new()
            }
            (ReplyTo::ImportStored, Reply::Done) => {
                let Some((card, _)) = self.coming.take() else { return vec![list] };
                vec![list, Command::Go { to: Route::Table(card.id).to_string(), replace: false }]
            }
            (ReplyTo::Forgotten, Reply::Done) => vec![list, shared.tell(text::FORGOTTEN)],
            (ReplyTo::ImportPackSaved, Reply::Done) => self.store_import(),
            (_, Reply::Failed(why)) => self.refuse([words::cannot_keep(&why)]),
            _ => Vec::new(),
        }
    }

    /// The HTML.
    pub fn view(&self, shared: &Shared) -> Page {
        let main = html! {
            div.home {
                header.home-head {
                    h1 tabindex="-1" { (text::HEAD) }
                    p.lead { (words::ABOUT) }
                }
                @if !self.wrong.is_empty() { div.wrong #wrong role="alert" tabindex="-1" { @for sentence in &self.wrong { p { (sentence) } } } }
                (self.first_steps(shared))
                section.games aria-labelledby="games" {
                    h2 #games { (text::GAMES) }
                    @for id in shared.packs.ids() {
                        @if let Some(summary) = shared.packs.summary(id) { (game(&summary, shared)) } @else { p.wrong { (text::unsound(id)) " " a href="#/editor" { (words::BAR_PACK_EDITOR) } } }
                    }
                }
                div.home-side {
                    (self.tables(shared))
                    (begin_link(shared))
                    (paste_link())
                    (import_form())
                }
            }
        };
        Page::plain(words::title(""), main)
    }

    /// A chart that can be rolled at once, and a sample game.
    fn first_steps(&self, shared: &Shared) -> Markup {
        let Some(summary) = sample(shared) else { return html! {} };
        let chart = summary.charts.iter().find(|chart| Some(&chart.id) == summary.first.as_ref());
        let start = summary.sample.unwrap_or_default();
        let play = Outer::Table(table::Message::Sample(summary.id.clone(), start));
        html! {
            section.first-steps aria-labelledby="try" {
                div.demo {
                    h2 #try { (text::TRY) @if let Some(chart) = chart { ": " (chart.title) } }
                    @if let Some(demo) = self.demo.as_ref().and_then(|demo| demo.demo(shared)) { (demo) }
                }
                div.actions-row {
                    button.button.button-strong type="button" data-do=(act(&play)) { (icon::table()) (text::SAMPLE) }
                    a.button href=(Route::NewTable(None)) { (text::BEGIN) }
                }
            }
        }
    }

    fn tables(&self, shared: &Shared) -> Markup {
        let cards = shown(shared);
        html! {
            @if cards.is_empty() {
                div.empty { (icon::table()) p { (text::NO_TABLES_YET) } }
            }
            @if !cards.is_empty() {
                section.my-tables aria-labelledby="my-tables" {
                    h2 #my-tables { (text::MY_TABLES) }
                    ul.table-list {
                        @for card in cards { (self.table(shared, card)) }
                    }
                }
            }
        }
    }

    fn table(&self, shared: &Shared, card: &TableCard) -> Markup {
        let pack =
            shared.packs.summary(&card.pack).map_or(card.pack.clone(), |summary| summary.title);
        let doubt = |table: Option<String>| act(&Outer::Home(Message::ConfirmForget(table)));
        let about = self.about(&card.id).filter(|_| shared.online);
        let (turn, next, at) = about.map_or((card.turn, &card.next, &card.at), |about| {
            (about.turn, &about.next, &about.changed)
        });
        // Others may have played on since.
        let old = about.is_none() && !card.token.is_empty();
        html! {
            li.table-card data-id=(card.id) {
                a.table-open href=(Route::Table(card.id.clone())) {
                    b.table-name { (card.name) }
                    span.table-about { (pack) @if turn > 0 { " · " (words::table::turn(turn)) } " · " (text::where_kept(!card.token.is_empty())) }
                    span.table-about {
                        @if let Some(whose) = whose_move(next) {
                            @if old { (text::last_seen(&whose)) } @else { b.table-move data-yours[matches!(next, WhoseMove::Yours | WhoseMove::Asked)] { (whose) } }
                            " · "
                        }
                        time datetime=(at) { (text::last_played(at, &shared.time)) }
                    }
                }
                @if self.doubted.as_ref() == Some(&card.id) {
                    div.table-doubt role="group" aria-label=(text::FORGET) {
                        p { (text::forget_doubt(!card.token.is_empty())) }
                        button.button.button-danger type="button" data-do=(act(&Outer::Home(Message::Forget(card.id.clone())))) { (text::FORGET) }
                        button.button type="button" data-do=(doubt(None)) { (text::KEEP) }
                    }
                } @else {
                    button.drop type="button" data-do=(doubt(Some(card.id.clone()))) aria-label=(text::forget(&card.name)) { (icon::close()) }
                }
            }
        }
    }
}

/// The games, the last played first.
fn shown(shared: &Shared) -> Vec<&TableCard> {
    let mut cards: Vec<&TableCard> = shared.tables.iter().collect();
    adjutant_dice::sort_by(&mut cards, |a, b| b.at.cmp(&a.at));
    cards
}

/// Whose move it is, in words.
fn whose_move(next: &WhoseMove) -> Option<String> {
    match next {
        WhoseMove::Unknown => None,
        WhoseMove::Yours => Some(text::YOUR_MOVE.to_owned()),
        WhoseMove::Asked => Some(text::ANSWER.to_owned()),
        WhoseMove::Side(side) => Some(text::to_roll(side)),
        WhoseMove::Any => Some(text::ANY_MOVE.to_owned()),
        WhoseMove::Over => Some(text::OVER.to_owned()),
    }
}

/// The pack of the sample game: the one that is easiest to try, or the first that has one.
fn sample(shared: &Shared) -> Option<PackSummary> {
    let known = shared.packs.ids().filter_map(|id| shared.packs.summary(id));
    let known: Vec<PackSummary> = known.filter(|summary| summary.sample.is_some()).collect();
    let easiest = |summary: &&PackSummary| summary.id == adjutant_bundled_packs::SAMPLE;
    known.iter().find(easiest).or(known.first()).cloned()
}

/// A game and its charts.
fn game(summary: &PackSummary, shared: &Shared) -> Markup {
    let id = &summary.id;
    let (source, own) = (shared.packs.source(id), shared.packs.files(id).is_some());
    html! {
        article.game {
            h3 { a href=(Route::Sheet(id.clone())) { (summary.title) } }
            @if !summary.by.is_empty() { p.game-by { (summary.by) } }
            p.game-about { (summary.about) }
            p.game-has { (summary.offers) }
            // A pack that does not come with the page says so: its title may be that of another.
            @if let Some((from, hash)) = source { p.game-has { (words::packs::source(from, &hash)) } }
            @else if own { p.game-has { (words::packs::own(&shared.packs.hash(id).unwrap_or_default())) } }
            ul.game-charts {
                @for chart in &summary.charts {
                    li { a.chip href=(Route::Chart(id.clone(), chart.id.clone(), Query::new())) { (chart.title) } }
                }
                @for deck in &summary.decks { li { a.chip href=(Route::Deck(id.clone(), deck.id.clone())) { (icon::card()) (deck.title) } } }
                li { a.chip.chip-more href=(Route::Sheet(id.clone())) { (text::WHOLE_SHEET) (icon::forward()) } }
                li { a.chip.chip-more href=(Route::NewTable(Some(id.clone()))) { (icon::table()) (text::BEGIN) } }
                @if own { li { a.chip.chip-more href=(Route::SharePack(id.clone())) { (icon::link()) (words::packs::HAND_ON) } } }
            }
        }
    }
}

fn import_form() -> Markup {
    html! {
        section.import aria-labelledby="import" {
            h2 #import { (text::IMPORT) }
            p.hint { (text::IMPORT_HINT) }
            label.button.file-button {
                (icon::import()) (text::CHOOSE_FILE)
                input.visually-hidden type="file" accept=".jsonl,.json,.txt,.adjutant" data-file data-do=(act(&Outer::Home(Message::Import { name: FILE_NAME.into(), text: FILE_TEXT.into() })));
            }
        }
    }
}

/// The link to the screen that turns a sheet into a pack.
fn paste_link() -> Markup {
    html! {
        section.begin aria-labelledby="paste" {
            h2 #paste { (text::PASTE) }
            p.hint { (text::PASTE_HINT) }
            a.button href=(Route::PasteSheet) { (icon::pack_editor()) (text::PASTE) }
        }
    }
}

/// The link to the form for a new table.
fn begin_link(shared: &Shared) -> Markup {
    html! {
        section.begin aria-labelledby="begin" {
            h2 #begin { (text::BEGIN) }
            p.hint { (text::BEGIN_HINT) @if shared.started && !shared.has_server { " " (text::NO_SERVER_HERE) } }
            a.button href=(Route::NewTable(None)) { (icon::table()) (text::BEGIN) }
        }
    }
}

/// A random id, of letters and digits that are not mistaken for each other.
pub fn new_id(now: &Now) -> String {
    const SIGNS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    now.random.iter().take(16).map(|byte| char::from(SIGNS[usize::from(byte & 31)])).collect()
}

/// What the page does, in short, and the keys.
pub fn help(shared: &Shared) -> Page {
    let main = html! {
        h1 tabindex="-1" { (text::HELP) }
        ol.help-steps { @for step in text::HELP_STEPS { li { (step) } } }
        h2 { (text::SETTINGS) }
        div.help-switches {
            @for switch in Switch::ALL {
                @let on = shared.settings.is_on(switch);
                label.tick {
                    input type="checkbox" checked[on] data-do=(act(&Outer::SetSwitch(switch, !on)));
                    span.tick-box aria-hidden="true" { (icon::check()) }
                    span.tick-text { span.tick-label { (switch_label(switch)) } }
                }
            }
        }
        h2 { (text::KEYS) }
        dl.help-keys { @for (keys, what) in text::KEY_LIST { div { dt { @for key in keys.split(' ') { kbd { (key) } " " } } dd { (what) } } } }
    };
    Page::plain(words::title(text::HELP), main)
}

fn switch_label(switch: Switch) -> &'static str {
    match switch {
        Switch::Motion => text::MOTION,
        Switch::Sound => text::SOUND,
        Switch::Vibration => text::VIBRATION,
    }
}

/// The screen for an unknown address.
pub fn nowhere(address: &str) -> Page {
    let main = html! { h1 tabindex="-1" { (text::NOWHERE) } p { (text::nowhere(address)) } p { a.button href="#/" { (words::BAR_HOME) } } };
    Page::plain(words::title(text::NOWHERE), main)
}
