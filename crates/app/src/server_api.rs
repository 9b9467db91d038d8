//! The fields that the page reads of responses that the server writes in several forms: `AboutGame`,
//! `Rolled` and `ErrorBody` of `adjutant_api`. All other bodies are types of that crate.

use adjutant_dice::{Missing, RecordedInput};
use adjutant_game::{PlayRequest, WhoseMove};
use serde::Deserialize;

/// `GET api/games/ID`
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AboutTable {
    pub name: String,
    pub pack: String,
    /// The checksum by which the server gives the pack.
    pub bundle: Option<String>,
    /// The name of the player who asks.
    pub you: String,
    /// Whether that player may see and renew the invitations.
    pub manages: bool,
    pub turn: u32,
    /// Whose move it is, as that player sees it.
    pub next: WhoseMove,
    /// The time of the last event.
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
