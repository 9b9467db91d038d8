//! Packs in links. A pack that came in one is shown, and installed when the player says so. A pack
//! of the player's own is handed on as a link, if it is small, or as a file.

use crate::app::{self, Page, Shared};
use crate::message::{Command, Message as Outer};
use crate::pack_link;
use crate::parts::act;
use crate::route::Route;
use crate::server_packs;
use adjutant_pack::{BUNDLE_ENDING, Bundle, Pack};
use adjutant_wording::en::page::{self as words, home, packs as text};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

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
        self.handed_on = false;
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
                let Some(link) = pack_link::write(bundle) else {
                    return vec![shared.tell(text::TOO_LARGE)];
                };
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
    pub fn view(&self) -> Page {
        let title = self.found.as_ref().map_or(text::LINK, |(pack, _)| pack.title());
        let main = html! {
            div.begin-screen {
                h1 tabindex="-1" { (title) }
                @if let Some(why) = &self.wrong { p.wrong #wrong role="alert" tabindex="-1" { (why) } }
                @if let Some((pack, _)) = &self.found {
                    p.lead { (if self.handed_on { text::HAND_ON_LEAD } else { text::LINK_LEAD }) }
                    p { (pack.about()) }
                    p { (home::offers(pack)) }
                    p.hint { (text::fingerprint(pack.hash())) }
                    div.actions-row {
                        @if self.handed_on {
                            (button(Message::Share, text::SHARE)) (button(Message::Download, text::DOWNLOAD))
                        } @else {
                            (button(Message::Install, text::INSTALL))
                        }
                    }
                }
                p { a.button href="#/" { (words::BAR_HOME) } }
            }
        };
        Page::plain(words::title(title), main)
    }
}

fn button(message: Message, label: &str) -> Markup {
    html! { button.button.button-strong type="button" data-do=(act(&Outer::PackLink(message))) { (label) } }
}
