//! Messages and commands. Messages are JSON: a button carries its message in the attribute
//! `data-do`, and the script sends it with the typed text in place of `$value`. Commands are what
//! only a browser can do; one with a reply carries a [`ReplyTo`], which comes back with it.

use crate::app;
use crate::pack_summary::PackSummary;
use crate::screens::{chart, deck, fight, home, lab, pack_editor, pack_link, sheet, table};
use crate::settings::{Settings, Switch};
use adjutant_engine::Resolution;
use adjutant_game::WhoseMove;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The time of a message, and 32 fresh random bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Now {
    /// The time in UTC: `2026-11-16T04:07:27Z`.
    pub time: String,
    /// Milliseconds on a monotonic clock, to recognise a double tap.
    #[serde(default)]
    pub ms: u64,
    /// 32 random bytes, fresh with every message.
    pub random: [u8; 32],
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// The page was opened. Carries what the browser has stored.
    Start(Box<Start>),
    /// The address changed.
    Go(String),
    /// The player did something at home.
    Home(home::Message),
    /// The player did something on a sheet.
    Sheet(sheet::Message),
    /// The player did something on a chart.
    Chart(chart::Message),
    /// The player did something at a table.
    Table(table::Message),
    /// The player did something in the odds lab.
    Lab(lab::Message),
    /// The player did something in a fight.
    Fight(fight::Message),
    /// The player did something with a deck.
    Deck(deck::Message),
    /// The player did something in the pack editor.
    PackEditor(pack_editor::Message),
    /// The player did something with a pack that came in a link.
    PackLink(pack_link::Message),
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
    /// The player chose a theme.
    SetTheme(crate::Theme),
    /// Turns on or off what goes with a roll.
    SetSwitch(crate::Switch, bool),
    /// The player closed the notice at the top.
    DismissNotice,
    /// A newer version of the page is ready.
    UpdateReady,
    /// The player wants the newer version.
    Update,
    /// The full edition of the engine could not be fetched.
    NoWorkshop,
    /// The network is there, or gone.
    Online(bool),
    /// Whether the page was served by an Adjutant server.
    HasServer(bool),
    /// The player wants to copy this text.
    Copy(String),
}

/// What the page knows when it is opened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Start {
    /// The fragment of the address.
    pub route: String,
    /// The address without the fragment. Links begin with it.
    pub base_url: String,
    /// Saved values, by key.
    pub saved: BTreeMap<String, String>,
    /// The tables stored in this browser.
    pub tables: Vec<TableCard>,
    /// Why the browser stores nothing, if so.
    pub storage_error: Option<String>,
    /// Whether there is a network.
    pub online: bool,
    /// Summaries of the packs that came with the page.
    pub summaries: Vec<PackSummary>,
}

/// A table in the list of tables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TableCard {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The id of its pack.
    pub pack: String,
    /// The time of its last event.
    pub at: String,
    /// How many lines this browser has stored.
    pub last: u64,
    /// The token for the server that keeps the table; empty for a table of this browser.
    pub token: String,
    /// The turn, when this browser saw it last.
    pub turn: u32,
    /// Whose move it is, when this browser saw it last.
    pub next: WhoseMove,
    /// Whether it is a sample game, with hints until the first roll.
    pub sample: bool,
}

/// Where a reply goes: the screen that gave the command, and what the command was for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyTo {
    /// The page itself.
    App(app::ReplyTo),
    /// Packs from elsewhere.
    Packs(crate::server_packs::ReplyTo),
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
    /// The pack editor: the number of the save that has ended.
    EditorSaved(u64),
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// It succeeded.
    Done,
    /// It failed, with the browser's name for the reason (`QuotaExceededError`, `offline`).
    Failed(String),
    /// The lines were not appended: another window was faster, and the table has this many lines
    /// now.
    MovedOn(u64),
    /// The value was not replaced: another window has stored this one.
    ValueChanged(Option<String>),
    /// The lines of a table.
    Lines(Vec<String>),
    /// The tables stored in this browser.
    Tables(Vec<TableCard>),
    /// The time has come. What was done last took this many milliseconds.
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
    /// An event of a newer server.
    #[serde(other)]
    Unknown,
}

/// An HTTP method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// `GET`
    #[default]
    Get,
    /// `POST`
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
    /// After how many milliseconds it fails; none waits as long as the browser does.
    pub limit: Option<u32>,
}

impl HttpCall {
    /// Posts this as JSON.
    pub(crate) fn post(path: String, token: &str, body: &impl Serialize) -> HttpCall {
        // A body consists of texts and numbers, which always serialize.
        let body = serde_json::to_string(body).unwrap_or_default();
        HttpCall { method: Method::Post, path, token: token.to_owned(), body, limit: None }
    }
}

/// What the browser must do.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Appends lines to a table of this browser if it has `after` lines. Replies `done`, `moved_on`
    /// or `failed`.
    AppendLines {
        /// Where the reply goes.
        reply_to: ReplyTo,
        /// The card of the table, as it will be.
        card: TableCard,
        /// How many lines the table has.
        after: u64,
        /// The new lines.
        lines: Vec<String>,
    },
    /// Reads a table's lines. Replies `lines` or `failed`.
    ReadLines {
        /// Where the reply goes.
        reply_to: ReplyTo,
        /// The table's id.
        table: String,
    },
    /// Stores the card of a table.
    SaveCard {
        /// Where the reply goes.
        reply_to: ReplyTo,
        /// The card.
        card: TableCard,
    },
    /// Deletes a table from this browser.
    DeleteTable {
        /// Where the reply goes.
        reply_to: ReplyTo,
        /// The table's id.
        table: String,
    },
    /// Lists the tables of this browser. Replies `tables`.
    ListTables {
        /// Where the reply goes.
        reply_to: ReplyTo,
    },
    /// Saves a text under a key, or deletes it. Replies to [`ReplyTo::App`], and only on failure:
    /// for values that the page does not call saved.
    SaveValue {
        /// The key.
        key: String,
        /// The text; none deletes it.
        value: Option<String>,
    },
    /// Saves texts under keys, or deletes them, all or none. Replies `done` when they are durable, or
    /// `failed`.
    SaveValues {
        /// Where the reply goes.
        reply_to: ReplyTo,
        /// The keys, each with its text; none deletes it.
        values: Vec<(String, Option<String>)>,
    },
    /// Saves a text if the one that is known is still stored, and replies when it is durable. If
    /// another window has stored another text, nothing is saved and the reply is `value_changed`.
    ReplaceValue {
        /// Where the reply goes.
        reply_to: ReplyTo,
        /// The key.
        key: String,
        /// The text that is stored, as far as this window knows.
        before: Option<String>,
        /// The new text.
        value: String,
    },
    /// Calls the server. Replies `http` or `failed`.
    Http {
        /// Where the reply goes.
        reply_to: ReplyTo,
        /// The call.
        call: HttpCall,
    },
    /// Opens the event stream of a table. The script opens it again after a break. There is one
    /// stream at a time.
    OpenStream {
        /// The table's id.
        table: String,
        /// The token.
        token: String,
        /// The number of the last known line.
        after: u64,
    },
    /// Closes the event stream.
    CloseStream,
    /// Copies a text. Replies `done` or `failed`.
    Copy {
        /// Where the reply goes.
        reply_to: ReplyTo,
        /// The text.
        text: String,
    },
    /// Shares a link by the device's own means, or copies it. Replies `done` or `failed`.
    Share {
        /// Where the reply goes.
        reply_to: ReplyTo,
        /// A title for it.
        title: String,
        /// The link.
        text: String,
    },
    /// Downloads a file.
    Download {
        /// Its name.
        name: String,
        /// Its media type: `text/csv`.
        kind: String,
        /// Its text.
        text: String,
    },
    /// Changes the address.
    Go {
        /// The fragment: `#/sheet/panzer8`.
        to: String,
        /// Whether it replaces the current entry of the history.
        replace: bool,
    },
    /// The message was not accepted. Announces why, and moves the focus to the element that says
    /// so. What the player typed stays in its form, to be corrected.
    Reject {
        /// Why.
        sentence: String,
        /// The id of the element; none where the focus is in the right place.
        focus: Option<&'static str>,
    },
    /// Announces a sentence to screen readers.
    Announce(String),
    /// A roll of this player came in: dice roll or a card turns for a moment.
    Moment(Moment),
    /// Moves the focus to the element of this id.
    Focus(String),
    /// Scrolls to the top.
    ScrollToTop,
    /// Scrolls so that the element of this id is at the top, and focuses it.
    Jump(String),
    /// Prints the page.
    Print,
    /// Calls back after a time. Replies `elapsed`.
    After {
        /// Where the reply goes.
        reply_to: ReplyTo,
        /// The time in milliseconds.
        ms: u32,
    },
    /// Calls back after the next frame, so that the page stays responsive during long work. Replies
    /// `elapsed`.
    NextFrame {
        /// Where the reply goes.
        reply_to: ReplyTo,
    },
    /// Moves the focus into a text area and selects a part of it, in UTF-16 units as browsers
    /// count.
    Select {
        /// The text area's id.
        id: String,
        /// The start.
        from: usize,
        /// The end.
        to: usize,
    },
    /// Reloads the page with its newest files.
    Reload,
    /// Fetches the full edition of the engine and starts it at this address.
    FetchWorkshop,
}

/// What goes with a roll of this player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// Whether a card was drawn; else dice were rolled.
    pub card: bool,
    /// Whether it is shown.
    pub motion: bool,
    /// Whether it is heard.
    pub sound: bool,
    /// Whether the device vibrates.
    pub vibration: bool,
}

impl Moment {
    /// A roll that came in. The player's settings are put in later.
    pub(crate) fn of(resolution: &Resolution) -> Moment {
        let card = resolution.rolls().any(|roll| !roll.cards.is_empty());
        Moment { card, ..Moment::default() }
    }

    /// With what the player wants; none where that is nothing.
    pub(crate) fn wanted(mut self, settings: &Settings) -> Option<Moment> {
        self.motion = settings.is_on(Switch::Motion);
        self.sound = settings.is_on(Switch::Sound);
        self.vibration = settings.is_on(Switch::Vibration);
        (self.motion || self.sound || self.vibration).then_some(self)
    }
}

impl Command {
    /// These commands, with all that they save saved in one step, which is acknowledged.
    pub(crate) fn save_together(commands: Vec<Command>, reply_to: ReplyTo) -> Vec<Command> {
        let (mut values, mut rest) = (Vec::new(), Vec::new());
        for command in commands {
            match command {
                Command::SaveValue { key, value } => values.push((key, value)),
                other => rest.push(other),
            }
        }
        rest.push(Command::SaveValues { reply_to, values });
        rest
    }

    /// The address that replaces the current one, if this command does so.
    pub(crate) fn replaced(&self) -> Option<&str> {
        match self {
            Command::Go { to, replace: true } => Some(to),
            _ => None,
        }
    }
}

/// What is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The title of the window.
    pub title: String,
    /// The theme.
    pub theme: crate::Theme,
    /// The regions. A region comes before those inside it.
    pub regions: Vec<ViewRegion>,
}

/// A part of the page that is updated on its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ViewRegion {
    /// The id of its element.
    pub id: Cow<'static, str>,
    /// The HTML inside the element.
    pub html: String,
}

impl ViewRegion {
    /// A region with this content.
    pub fn new(id: impl Into<Cow<'static, str>>, html: maud::Markup) -> ViewRegion {
        ViewRegion { id: id.into(), html: html.into_string() }
    }
}
