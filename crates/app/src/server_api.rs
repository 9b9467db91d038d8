//! The JSON that the page exchanges with the server: request bodies, and the fields of responses that the page reads.

use adjutant_dice::{Missing, RecordedInput};
use adjutant_game::{EventKind, PlayRequest, Seat};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Not;

/// `POST api/games`
#[derive(Serialize)]
pub struct NewTableBody<'a> {
    pub name: &'a str,
    pub pack: &'a str,
    pub sides: &'a [String],
    pub options: &'a BTreeMap<String, String>,
    pub who: &'a str,
    pub seat: Seat,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub start: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decks: Option<adjutant_game::Decks>,
}

/// The response to a new or an imported table.
#[derive(Deserialize)]
pub struct NewTableReply {
    pub id: String,
    pub token: String,
}

/// `POST api/games/ID/join`
#[derive(Serialize)]
pub struct JoinBody<'a> {
    pub key: &'a str,
    pub name: &'a str,
}

#[derive(Deserialize)]
pub struct JoinReply {
    pub token: String,
}

/// `GET api/games/ID`
#[derive(Default, Deserialize)]
pub struct AboutTable {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub pack: String,
    /// The name of the player who asks.
    pub you: String,
    /// Whether that player may see and renew the invitations.
    #[serde(default)]
    pub manages: bool,
}

/// `POST api/games/ID/act`
#[derive(Serialize)]
pub struct ActBody<'a> {
    #[serde(rename = "do")]
    pub what: &'a EventKind,
    /// The number of the last line that the player saw; none where that does not matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
}

/// `POST api/games/ID/play`
#[derive(Default, Serialize)]
pub struct PlayBody {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticket: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play: Option<PlayRequest>,
    #[serde(skip_serializing_if = "Not::not")]
    pub own: bool,
    #[serde(skip_serializing_if = "Not::not")]
    pub back: bool,
    #[serde(skip_serializing_if = "Not::not")]
    pub sealed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
}

/// The response to an act or a play: the line that was stored, or what is still missing.
#[derive(Deserialize)]
pub struct PlayReply {
    pub line: Option<String>,
    pub ticket: Option<String>,
    #[serde(default)]
    pub needs: Vec<Missing>,
    #[serde(default)]
    pub came: Vec<RecordedInput>,
}

/// Why nothing was done.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ErrorBody {
    error: String,
    sentences: Vec<String>,
    /// An unfinished roll of this player that the server holds.
    pub ticket: Option<String>,
    pub needs: Vec<Missing>,
    pub came: Vec<RecordedInput>,
    pub play: Option<PlayRequest>,
    /// How many lines the log has.
    pub last: Option<u64>,
}

impl ErrorBody {
    /// Reads a body; one that is not JSON of this form says nothing.
    pub fn read(body: &str) -> ErrorBody {
        serde_json::from_str(body).unwrap_or_default()
    }

    /// What the server says, for the player.
    pub fn sentence(&self) -> Option<String> {
        let text = if self.sentences.is_empty() { self.error.clone() } else { self.sentences.join(" ") };
        Some(text).filter(|text| !text.is_empty())
    }
}

/// The keys of the invitations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Invitations {
    pub umpire: String,
    pub spectator: String,
    pub sides: BTreeMap<String, String>,
}

/// An invitation, by the seat that it gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InvitationTo {
    /// As umpire.
    Umpire,
    /// As spectator.
    Spectator,
    /// As a player of this side.
    Side(String),
}

/// `POST api/games/ID/invitations`
#[derive(Serialize)]
pub struct RotateBody<'a> {
    pub rotate: &'a InvitationTo,
}

/// A player who is connected.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Presence {
    pub name: String,
}
