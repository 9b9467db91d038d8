//! Where the replies to the commands of this screen go: one variant for each thing that is asked of
//! the browser or the server.

use crate::message::ReplyTo as AnyReplyTo;
use crate::route::GameTask;
use serde::{Deserialize, Serialize};

/// What this screen sends commands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyTo {
    /// The tables were listed, to look for the one of this id.
    Find(String),
    /// The lines of a table were read from this browser.
    LinesRead,
    /// The server sent the lines of a table, of which this browser has no copy.
    LinesFetched,
    /// The server was asked which pack the game has.
    PackAsked,
    /// The server sent the pack with this checksum.
    PackFetched(String),
    /// The player has joined the table of this id; it opens now.
    OpenJoined(String),
    /// An invitation is being followed.
    Join(Join),
    /// A table is being set up.
    NewTable(NewTable),
    /// An open table.
    Game(Game),
}

impl From<ReplyTo> for AnyReplyTo {
    fn from(to: ReplyTo) -> AnyReplyTo {
        AnyReplyTo::Table(to)
    }
}

/// An invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Join {
    /// Asks what the invitation is for.
    Asked,
    /// Asks to join; the response has a token.
    Admitted,
    /// Asks for the table's name and pack.
    About,
    /// Asks for the pack, to compare it with the one that comes with the page.
    Pack,
}

impl From<Join> for AnyReplyTo {
    fn from(to: Join) -> AnyReplyTo {
        ReplyTo::Join(to).into()
    }
}

/// A new table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NewTable {
    /// The new table was stored in this browser, or its card where a server keeps it.
    Stored,
    /// The server created the table.
    Created,
}

impl From<NewTable> for AnyReplyTo {
    fn from(to: NewTable) -> AnyReplyTo {
        ReplyTo::NewTable(to).into()
    }
}

/// An open table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Game {
    /// New lines were stored in this browser: they count.
    LinesStored,
    /// A copy of what a server keeps was stored in this browser.
    CopyStored,
    /// The table was deleted from this browser.
    Forgotten,
    /// The card with the table's new name was stored.
    Renamed,
    /// The next slice of what is done with the game, after the page has said so.
    Task(GameTask),
    /// The next chances of pending tests.
    WeighDue,
    /// The lines were uploaded: a server keeps the table now.
    Uploaded,
    /// The server that keeps the table, and the secrets for it.
    Server(Server),
}

impl From<Game> for AnyReplyTo {
    fn from(to: Game) -> AnyReplyTo {
        ReplyTo::Game(to).into()
    }
}

/// The server of a table, or a waiting time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Server {
    /// The name of this player at the table.
    About,
    /// The invitations.
    Invitations,
    /// An event other than a roll was sent.
    Acted,
    /// A roll was sent.
    Played,
    /// The chains of secrets were stored in this browser.
    ChainsStored,
    /// It is time to send a step of a sealed roll again.
    Retry,
    /// The waiting time for lines that another window has seen is over.
    LinesAwaited,
}

impl From<Server> for AnyReplyTo {
    fn from(to: Server) -> AnyReplyTo {
        Game::Server(to).into()
    }
}
