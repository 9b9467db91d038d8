//! Messages and commands. Messages are JSON: a button carries its message in the attribute
//! `data-do`, and the script sends it with the typed text in place of `$value`. Commands are what
//! only a browser can do; one with a reply carries a [`ReplyTo`], which comes back with it.

use crate::app;
use crate::pack_summary::PackSummary;
use crate::screens::{chart, deck, fight, home, lab, pack_editor, sheet, table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// When a message came, and luck that nobody could foresee: thirty-two bytes, fresh with every message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Now {
    /// The time in UTC: `2026-11-16T04:07:27Z`.
    pub time: String,
    /// Milliseconds on a clock that only goes forward; tells a double tap from two taps.
    #[serde(default)]
    pub ms: u64,
    /// Thirty-two bytes.
    pub random: [u8; 32],
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// The page was opened; what was kept in the browser comes with it.
    Start(Box<Start>),
    /// The address changed.
    Go(String),
    /// Somebody did something on a screen.
    Home(home::Message),
    /// On the sheet.
    Sheet(sheet::Message),
    /// On a chart that is tried.
    Chart(chart::Message),
    /// At a table.
    Table(table::Message),
    /// In the odds lab.
    Lab(lab::Message),
    /// In the fights.
    Fight(fight::Message),
    /// At a deck.
    Deck(deck::Message),
    /// At the pack desk.
    PackEditor(pack_editor::Message),
    /// The reply to a command.
    Reply {
        /// As the command carried it.
        to: ReplyTo,
        /// The result.
        reply: Reply,
    },
    /// Something happened to the event stream of a table.
    Stream {
        /// The table's id.
        table: String,
        /// What happened.
        event: StreamEvent,
    },
    /// Dark, light, or as the device says.
    SetTheme(crate::Theme),
    /// The notice at the top was read.
    DismissNotice,
    /// A newer page is there and waits to be taken.
    UpdateReady,
    /// The player takes the newer page.
    Update,
    /// The network came or went.
    Online(bool),
    /// Whether a server of ours stands behind the page.
    HasServer(bool),
    /// An address that can be copied: the text of the link.
    Copy(String),
}

/// What the page knows when it is opened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Start {
    /// The address.
    pub route: String,
    /// Where the page stands, without the fragment: links begin with it.
    pub base_url: String,
    /// What was remembered, by key.
    pub saved: BTreeMap<String, String>,
    /// The tables kept in the browser.
    pub tables: Vec<TableCard>,
    /// Whether the browser keeps anything at all; if not, why.
    pub storage_error: Option<String>,
    /// Whether there is a network.
    pub online: bool,
    /// The sheets that came with the page, in summary.
    pub summaries: Vec<PackSummary>,
}

/// A table in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TableCard {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The pack it is played by.
    pub pack: String,
    /// When something last happened at it.
    pub at: String,
    /// How many lines it has.
    pub last: u64,
    /// The token for the server that keeps it; empty for a table of this browser.
    pub token: String,
}

/// Where a reply goes: the screen that gave the command, and what the command was for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyTo {
    /// The page itself.
    App(app::ReplyTo),
    /// Home.
    Home(home::ReplyTo),
    /// A table.
    Table(table::ReplyTo),
    /// The odds lab: the number of the calculation that goes on.
    Lab(u64),
    /// The fights: the number of the calculation that goes on.
    Fight(u64),
    /// The pack editor: the number of the case run that goes on.
    PackEditor(u64),
}

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// It was done.
    Done,
    /// It was not; the browser's own word for why (`QuotaExceededError`, `offline`).
    Failed(String),
    /// Lines were not kept: another window was faster, and the table has so many lines now.
    MovedOn(u64),
    /// A text was not stored: another window was faster, and this is what it stored.
    ValueChanged(Option<String>),
    /// The lines of a table.
    Lines(Vec<String>),
    /// The tables kept in the browser.
    Tables(Vec<TableCard>),
    /// It is time to go on; what was done last took so many milliseconds.
    Elapsed(u32),
    /// The server's response.
    Http {
        /// The HTTP status.
        status: u16,
        /// The body.
        body: String,
    },
}

/// Something that happened to an event stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StreamEvent {
    /// The stream is open.
    Open,
    /// The stream broke off; the script opens it again.
    Lost,
    /// The server refused it, with this HTTP status.
    Refused(u16),
    /// The server sent an event.
    Sent {
        /// Its name.
        name: ServerEvent,
        /// Its data.
        data: String,
    },
}

/// The names of the events that a server sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerEvent {
    /// The next line of the log.
    Line,
    /// Who is connected.
    #[serde(rename = "here")]
    Presence,
    /// An event that only newer pages know.
    #[serde(other)]
    Unknown,
}

/// An HTTP method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// Reads.
    #[default]
    Get,
    /// Changes something.
    Post,
}

/// A call to the server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpCall {
    /// The method.
    pub method: Method,
    /// Begins with `api/`.
    pub path: String,
    /// The token; may be empty.
    pub token: String,
    /// The body; may be empty.
    pub body: String,
}

impl HttpCall {
    /// A call that posts this as JSON.
    pub(crate) fn post(path: String, token: &str, body: &impl Serialize) -> HttpCall {
        // A body is made of texts and numbers, which always serialize.
        let body = serde_json::to_string(body).unwrap_or_default();
        HttpCall { method: Method::Post, path, token: token.to_owned(), body }
    }
}

/// What the world must do.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Appends lines to a table of this browser, if it has `after` lines; answered by `done`, `moved_on` or `failed`.
    AppendLines {
        /// For the answer.
        reply_to: ReplyTo,
        /// The table as its card will be.
        card: TableCard,
        /// How many lines it has.
        after: u64,
        /// The new lines.
        lines: Vec<String>,
    },
    /// Reads a table's lines; answered by `lines` or `failed`.
    ReadLines {
        /// For the answer.
        reply_to: ReplyTo,
        /// The table.
        table: String,
    },
    /// Keeps a card of a table that a server keeps, or changes one.
    SaveCard {
        /// For the answer.
        reply_to: ReplyTo,
        /// The card.
        card: TableCard,
    },
    /// Takes a table out of this browser.
    DeleteTable {
        /// For the answer.
        reply_to: ReplyTo,
        /// The table.
        table: String,
    },
    /// Lists the tables kept in the browser; answered by `tables`.
    ListTables {
        /// For the answer.
        reply_to: ReplyTo,
    },
    /// Remembers a text under a key; nothing takes it away. A failure is answered to [`ReplyTo::App`].
    SaveValue {
        /// The key.
        key: String,
        /// The text.
        value: Option<String>,
    },
    /// The same, answered when it is kept: what must not leave the device before. Where another window has stored another text
    /// under the key meanwhile, nothing is stored, and the answer is `value_changed`.
    ReplaceValue {
        /// For the answer.
        reply_to: ReplyTo,
        /// The key.
        key: String,
        /// The text that is there, as far as this window knows.
        before: Option<String>,
        /// The text.
        value: String,
    },
    /// Calls the server; answered by `reply` or `failed`.
    Http {
        /// For the answer.
        reply_to: ReplyTo,
        /// What.
        call: HttpCall,
    },
    /// Opens the event stream of a table, which comes back by itself after a break; one at a time.
    OpenStream {
        /// The table.
        table: String,
        /// The token.
        token: String,
        /// The number of the last line that is known.
        after: u64,
    },
    /// Closes it.
    CloseStream,
    /// Copies a text; answered by `done` or `failed`.
    Copy {
        /// For the answer.
        reply_to: ReplyTo,
        /// The text.
        text: String,
    },
    /// Offers a text to the device's own sharing, or copies it; answered by `done` or `failed`.
    Share {
        /// For the answer.
        reply_to: ReplyTo,
        /// A title.
        title: String,
        /// The link or text.
        text: String,
    },
    /// Hands out a file.
    Download {
        /// Its name.
        name: String,
        /// Its kind: `text/csv`.
        kind: String,
        /// Its text.
        text: String,
    },
    /// Changes the address.
    Go {
        /// The fragment: `#/sheet/panzer8`.
        to: String,
        /// Whether it takes the place of the one before.
        replace: bool,
    },
    /// The message was not accepted: announces why, and moves the focus to the element that says so. What the player typed stays in
    /// its form, to be corrected.
    Reject {
        /// Why.
        sentence: String,
        /// The element; none where the focus is at the right place already.
        focus: Option<&'static str>,
    },
    /// Speaks to those who listen to the page instead of looking at it.
    Announce(String),
    /// Puts the focus on the element of this id.
    Focus(String),
    /// Shows the beginning of what is shown now.
    ScrollToTop,
    /// Calls back after a while; answered by `elapsed`.
    After {
        /// For the answer.
        reply_to: ReplyTo,
        /// How long, in milliseconds.
        ms: u32,
    },
    /// Calls back when what was shown last is on the screen and the player had his turn; answered by `elapsed`. Long work is done in slices so.
    NextFrame {
        /// For the answer.
        reply_to: ReplyTo,
    },
    /// Puts the focus into a text and marks a part of it, counted as the browser does (UTF-16).
    Select {
        /// The element.
        id: String,
        /// From here.
        from: usize,
        /// To here.
        to: usize,
    },
    /// Loads the page anew, with its newest files.
    Reload,
}

impl Command {
    /// The address that takes the place of the one before.
    pub(crate) fn replaced(&self) -> Option<&str> {
        match self {
            Command::Go { to, replace: true } => Some(to),
            _ => None,
        }
    }
}

/// The page as it is to be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The title of the window.
    pub title: String,
    /// Dark, light, or as the device says.
    pub theme: crate::Theme,
    /// The regions; those that hold others come first.
    pub regions: Vec<ViewRegion>,
}

/// A part of the page that is changed by itself: the element of this id, and what is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ViewRegion {
    /// The element.
    pub id: &'static str,
    /// What is in it.
    pub html: String,
}

impl ViewRegion {
    /// Of a template.
    pub fn new(id: &'static str, html: maud::Markup) -> ViewRegion {
        ViewRegion { id, html: html.into_string() }
    }
}
