//! The fields of the server's responses that the page reads. The bodies of its requests are types
//! of `adjutant_api`.

use adjutant_dice::{Missing, RecordedInput};
use adjutant_game::{PlayRequest, Seat, WhoseMove};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The response to a new or an imported table.
#[derive(Deserialize)]
pub struct NewTableReply {
    pub id: String,
    pub token: String,
}

/// The response to joining.
#[derive(Deserialize)]
pub struct JoinReply {
    pub token: String,
}

/// The response to the question what an invitation is for.
#[derive(Debug, Deserialize)]
pub struct InvitationReply {
    pub name: String,
    pub pack: String,
    #[serde(default)]
    pub pack_title: String,
    #[serde(default)]
    pub pack_version: String,
    #[serde(default)]
    pub pack_hash: String,
    /// The checksum of the pack's bundle, if the server has one.
    pub bundle: Option<String>,
    #[serde(default)]
    pub host: Option<String>,
    #[serde(default)]
    pub sides: Vec<String>,
    #[serde(default)]
    pub people: Vec<SeatedReply>,
    pub role: Seat,
}

/// A player and the seat.
#[derive(Debug, Deserialize)]
pub struct SeatedReply {
    pub name: String,
    pub role: Seat,
}

/// `GET api/games/ID`
#[derive(Debug, Default, Deserialize)]
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
    #[serde(default)]
    pub turn: u32,
    /// Whose move it is, as that player sees it.
    #[serde(default)]
    pub next: WhoseMove,
    /// The time of the last event.
    #[serde(default)]
    pub changed: String,
}

/// The response to an act or a play: the line that was stored, or what is still missing.
#[derive(Deserialize)]
pub struct PlayReply {
    pub line: Option<String>,
    pub ticket: Option<String>,
    #[serde(default)]
    pub needs: Vec<Missing>,
    #[serde(default)]
    pub inputs: Vec<RecordedInput>,
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
    pub inputs: Vec<RecordedInput>,
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
        let text =
            if self.sentences.is_empty() { self.error.clone() } else { self.sentences.join(" ") };
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

/// A player who is connected.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Presence {
    pub name: String,
}
