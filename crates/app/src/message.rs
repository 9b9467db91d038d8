//! What comes in and what goes out. Messages are JSON: a button carries its message in the attribute `data-do`, and the
//! script sends it on as it is, with what was typed put in for `$value`. Commands are what only the world can do; one
//! that has an answer carries a [`ReplyTo`], which comes back with it.

use crate::pack_summary::PackSummary;
use crate::screens::{chart, deck, fight, home, lab, pack_editor, sheet, table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// When a message came, and luck that nobody could foresee: thirty-two bytes, fresh with every message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Now {
    /// The time in UTC: `2026-11-16T04:07:27Z`.
    pub now: String,
    /// Milliseconds on a clock that only goes forward; tells a double tap from two taps.
    #[serde(default)]
    pub ms: u64,
    /// Thirty-two bytes.
    pub luck: [u8; 32],
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
    Desk(pack_editor::Message),
    /// A command was carried out, or not.
    Heard {
        /// What the command carried.
        re: ReplyTo,
        /// What came of it.
        answer: Reply,
    },
    /// Something came down an event stream.
    Streamed {
        /// The table.
        table: String,
        /// What.
        what: Stream,
    },
    /// Dark, light, or as the device says.
    SetTheme(crate::Theme),
    /// The notice at the top was read.
    Dismiss,
    /// A newer page is there and waits to be taken.
    Newer,
    /// The player takes the newer page.
    TakeNewer,
    /// The network came or went.
    Online(bool),
    /// Whether a server of ours stands behind the page.
    Served(bool),
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
    pub place: String,
    /// What was remembered, by key.
    pub kept: BTreeMap<String, String>,
    /// The tables kept in the browser.
    pub tables: Vec<TableCard>,
    /// Whether the browser keeps anything at all; if not, why.
    pub cannot_keep: Option<String>,
    /// Whether there is a network.
    pub online: bool,
    /// The sheets that came with the page, in brief.
    pub briefs: Vec<PackSummary>,
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

/// Which screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Screen {
    /// The page itself.
    App,
    /// Home.
    Home,
    /// A game's sheet.
    Sheet,
    /// A chart, tried.
    Chart,
    /// A table.
    Table,
    /// The odds lab.
    Lab,
    /// The fights.
    Fight,
    /// A deck.
    Deck,
    /// The pack desk.
    Desk,
}

/// What an answer refers to: the screen that asked, and a word of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplyTo {
    /// Who asked.
    pub screen: Screen,
    /// What for, in the asker's own words.
    pub what: String,
}

impl ReplyTo {
    /// Of a screen.
    pub fn new(screen: Screen, what: impl Into<String>) -> ReplyTo {
        ReplyTo { screen, what: what.into() }
    }
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
    Other(Option<String>),
    /// The lines of a table.
    Lines(Vec<String>),
    /// The tables kept in the browser.
    Tables(Vec<TableCard>),
    /// It is time to go on; what was done last took so many milliseconds.
    Took(u32),
    /// What a server said.
    Reply {
        /// The status of HTTP.
        status: u16,
        /// The body, as it came.
        body: String,
    },
}

/// Something that came down an event stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    /// The stream is open.
    Open,
    /// The stream broke off and will be tried again.
    Lost,
    /// The server refused it: the status of HTTP.
    Refused(u16),
    /// An event: its name and its data.
    Event {
        /// `line` or `here`.
        event: String,
        /// As it came.
        data: String,
    },
}

/// A call to the server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpCall {
    /// `GET` or `POST`.
    pub method: String,
    /// Beginning with `api/`.
    pub path: String,
    /// The token, or nothing.
    pub token: String,
    /// The body, or nothing.
    pub body: String,
}

/// What the world must do.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Appends lines to a table of this browser, if it has `after` lines; answered by `done`, `moved_on` or `failed`.
    Keep {
        /// For the answer.
        re: ReplyTo,
        /// The table as its card will be.
        card: TableCard,
        /// How many lines it has.
        after: u64,
        /// The new lines.
        lines: Vec<String>,
    },
    /// Reads a table's lines; answered by `lines` or `failed`.
    Read {
        /// For the answer.
        re: ReplyTo,
        /// The table.
        table: String,
    },
    /// Keeps a card of a table that a server keeps, or changes one.
    KeepCard {
        /// For the answer.
        re: ReplyTo,
        /// The card.
        card: TableCard,
    },
    /// Takes a table out of this browser.
    Forget {
        /// For the answer.
        re: ReplyTo,
        /// The table.
        table: String,
    },
    /// Lists the tables kept in the browser; answered by `tables`.
    List {
        /// For the answer.
        re: ReplyTo,
    },
    /// Remembers a text under a key; nothing takes it away. A failure is answered to [`Screen::App`].
    Remember {
        /// The key.
        key: String,
        /// The text.
        value: Option<String>,
    },
    /// The same, answered when it is kept: what must not leave the device before. Where another window has stored another text
    /// under the key meanwhile, nothing is stored, and the answer is `other`.
    Store {
        /// For the answer.
        re: ReplyTo,
        /// The key.
        key: String,
        /// The text that is there, as far as this window knows.
        before: Option<String>,
        /// The text.
        value: String,
    },
    /// Calls the server; answered by `reply` or `failed`.
    Call {
        /// For the answer.
        re: ReplyTo,
        /// What.
        call: HttpCall,
    },
    /// Opens the event stream of a table, which comes back by itself after a break; one at a time.
    Listen {
        /// The table.
        table: String,
        /// The token.
        token: String,
        /// The number of the last line that is known.
        after: u64,
    },
    /// Closes it.
    StopListening,
    /// Copies a text; answered by `done` or `failed`.
    Copy {
        /// For the answer.
        re: ReplyTo,
        /// The text.
        text: String,
    },
    /// Offers a text to the device's own sharing, or copies it; answered by `done` or `failed`.
    Share {
        /// For the answer.
        re: ReplyTo,
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
    /// Speaks to those who listen to the page instead of looking at it.
    Say(String),
    /// Puts the focus on the element of this id.
    Focus(String),
    /// Shows the beginning of what is shown now.
    Top,
    /// Calls back after a while; answered by `took`.
    Later {
        /// For the answer.
        re: ReplyTo,
        /// How long, in milliseconds.
        ms: u32,
    },
    /// Calls back when what was shown last is on the screen and the player had his turn; answered by `took`. Long work is done in slices so.
    Soon {
        /// For the answer.
        re: ReplyTo,
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
