//! Packs in links. A pack that came in one is shown, and installed when the player says so. A pack
//! of the player's own is handed on as a link, if it is small, or as a file.

use crate::app::{self, Page, Shared};
use crate::message::{Command, Message as Outer};
use crate::pack_link;
use crate::parts::{act, icon};
use crate::route::Route;
use crate::server_packs;
use adjutant_pack::{BUNDLE_ENDING, Bundle, Pack};
use adjutant_wording::en::page::{self as words, home, packs as text};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

/// How many charts of the pack are named.
const MOST_CHARTS: usize = 12;

/// What the player can do here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Installs the pack that came in the link.
    Install,
    /// Downloads the pack as a bundle.
    Download,
    /// Shares the pack as a link.
    Share,
}

/// The state of this screen.
#[derive(Debug, Default)]
pub struct State {
    /// The pack, and its bundle as text.
    found: Option<(Box<Pack>, String)>,
    /// Whether it is handed on; else it came in the link.
    handed_on: bool,
    /// The text for a link to the pack, if it is small enough for one.
    link: Option<String>,
    wrong: Option<String>,
}

impl State {
    /// The address leads here.
    pub fn open(&mut self, link: &str) -> Vec<Command> {
        let bundle = pack_link::read(link).filter(|text| Bundle::read(text).is_ok());
        let pack = |text: String| {
            let pack = Bundle::read(&text).ok()?.read_pack().ok()?;
            Some((Box::new(pack), text))
        };
        self.found = bundle.and_then(pack);
        (self.handed_on, self.link) = (false, None);
        self.wrong = self.found.is_none().then(|| text::BAD_LINK.to_owned());
        Vec::new()
    }

    /// The address leads to a pack that is handed on. The player's own tables are left out: they may
    /// be from a book.
    pub fn hand_on(&mut self, shared: &Shared, id: &str) -> Vec<Command> {
        let bundle = shared.packs.files(id).map(Bundle::new);
        let found =
            |bundle: Bundle| Some((Box::new(bundle.read_pack().ok()?), bundle.write().ok()?));
        self.found = bundle.and_then(found);
        self.link = self.found.as_ref().and_then(|(_, bundle)| pack_link::write(bundle));
        self.handed_on = true;
        self.wrong = self.found.is_none().then(|| home::no_pack(id));
        Vec::new()
    }

    /// The player did something.
    pub fn update(&mut self, shared: &mut Shared, message: Message) -> Vec<Command> {
        let Some((pack, bundle)) = &self.found else { return Vec::new() };
        match message {
            Message::Install => {}
            Message::Download => {
                let name = format!("{}.{BUNDLE_ENDING}", pack.id());
                let kind = "application/json".to_owned();
                return vec![Command::Download { name, kind, text: format!("{bundle}\n") }];
            }
            Message::Share => {
                let Some(link) = self.link.clone() else { return Vec::new() };
                let (title, text) = (pack.title().to_string(), shared.link(&Route::PackLink(link)));
                return vec![Command::Share { reply_to: app::ReplyTo::Copied.into(), title, text }];
            }
        }
        match server_packs::install(shared, bundle) {
            Ok(mut todo) => {
                let to = Route::Sheet(pack.id().to_string()).to_string();
                todo.push(Command::Go { to, replace: false });
                todo
            }
            Err(why) => {
                let sentence = why.sentence(pack.title());
                self.wrong = Some(sentence.clone());
                vec![Command::Reject { sentence, focus: Some("wrong") }]
            }
        }
    }

    /// The HTML.
    pub fn view(&self, shared: &Shared) -> Page {
        let title = self.found.as_ref().map_or(text::LINK, |(pack, _)| pack.title());
        let main = html! {
            div.begin-screen.pack-link {
                h1 tabindex="-1" { (title) }
                @if let Some(why) = &self.wrong { p.wrong #wrong role="alert" tabindex="-1" { (why) } }
                @if let Some((pack, _)) = &self.found {
                    p.lead { (if self.handed_on { text::HAND_ON_LEAD } else { text::LINK_LEAD }) }
                    (about(pack))
                    @if !self.handed_on && has_title(shared, pack) { p.hint { b { (text::same_title(pack.title())) } } }
                    @if self.handed_on { (self.ways(shared)) } @else {
                        div.actions-row { (button(Message::Install, true, html! { (icon::import()) (text::INSTALL) })) }
                    }
                }
                p { a.button href="#/" { (words::BAR_HOME) } }
            }
        };
        Page::plain(words::title(title), main)
    }

    /// The ways to hand the pack on.
    fn ways(&self, shared: &Shared) -> Markup {
        let small = self.link.is_some();
        html! {
            div.actions-row {
                @if small { (button(Message::Share, true, html! { (icon::link()) (text::SHARE) })) }
                (button(Message::Download, !small, html! { (icon::import()) (text::DOWNLOAD) }))
            }
            @if !small { p.hint { (text::TOO_LARGE) } }
            @if small && shared.only_here() { p.hint { (text::ONLY_HERE) } }
        }
    }
}

/// Whether another pack here has the title of this one.
fn has_title(shared: &Shared, pack: &Pack) -> bool {
    let other = |id: &&str| *pack.id() != **id;
    let title = |id: &str| shared.packs.summary(id).map(|summary| summary.title.to_lowercase());
    shared
        .packs
        .ids()
        .filter(other)
        .filter_map(title)
        .any(|known| known == pack.title().to_lowercase())
}

/// What a pack holds, so that the player knows what is installed or handed on.
fn about(pack: &Pack) -> Markup {
    html! {
        @if !pack.about().is_empty() { p { (pack.about()) } }
        p { (home::offers(pack)) @if !pack.license().is_empty() { " · " (pack.license()) } }
        ul.pack-charts { @for chart in pack.charts().iter().take(MOST_CHARTS) { li { (chart.title) } } @if pack.charts().len() > MOST_CHARTS { li { "…" } } }
        p.hint.fingerprint { (text::fingerprint(pack.hash())) }
    }
}

fn button(message: Message, strong: bool, label: Markup) -> Markup {
    html! { button.button.button-strong[strong] type="button" data-do=(act(&Outer::PackLink(message))) { (label) } }
}
