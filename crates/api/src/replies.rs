//! Answers of the server about shared games, and its errors.

use crate::{Entries, GameSummary, PackData};
use adjutant_dice::{Missing, RecordedInput};
use adjutant_engine::{Resolution, RuledOutBy};
use adjutant_game::{PlayRequest, Seat, Table, WhoseMove};
use adjutant_pack::{Diagnostic, Files};
use adjutant_wording::en;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The games of a server.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct GameList {
    pub games: Vec<GameSummary>,
}

/// A new game.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CreatedGame {
    pub id: String,
    /// The token of the player who started it.
    pub token: String,
    pub invitations: Invitations,
}

/// The keys of invitations.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Invitations {
    pub umpire: String,
    pub spectator: String,
    /// One for each side.
    pub sides: Entries<String, String>,
}

/// A seat in a game.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Joined {
    pub token: Option<String>,
    pub name: String,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Seat"))]
    pub role: Seat,
}

/// A player and the seat.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Seated {
    pub name: String,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Seat"))]
    pub role: Seat,
}

impl Seated {
    /// Everybody who has joined a game.
    pub fn all(table: &Table) -> Vec<Seated> {
        table
            .people()
            .iter()
            .map(|(name, seat)| Seated { name: name.clone(), role: seat.clone() })
            .collect()
    }
}

/// What an invitation is for.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Invitation {
    /// The name of the game.
    pub name: String,
    pub pack: String,
    /// The title of the pack, which a guest may not have yet.
    pub pack_title: String,
    pub pack_version: String,
    /// The fingerprint of the rules that the game was started with.
    pub pack_hash: String,
    /// The checksum of the bundle that the game has its pack from. `GET /api/bundles/{sum}` sends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundle: Option<String>,
    /// The player who started the game, or who imported it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    pub sides: Vec<String>,
    pub people: Vec<Seated>,
    /// The seat that the invitation gives.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Seat"))]
    pub role: Seat,
}

/// What a game is, and who the caller is in it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct AboutGame {
    pub id: String,
    /// The number of the last event.
    pub last: u64,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Seat"))]
    pub role: Seat,
    pub you: String,
    /// Whether the caller may see and replace invitations.
    pub manages: bool,
    /// The players who have a stream open.
    pub here: Vec<Seated>,
    #[serde(flatten)]
    pub setup: Option<GameSetup>,
    #[serde(flatten)]
    pub progress: Option<GameProgress>,
    /// Why the game cannot be played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// How far a game is.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct GameProgress {
    pub turn: u32,
    /// Whose move it is, as the caller sees it.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::WhoseMove"))]
    pub next: WhoseMove,
    /// The time of the last event.
    pub changed: String,
}

/// How a game was set up.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct GameSetup {
    pub name: String,
    pub pack: String,
    /// The SHA-256 of the pack's rules.
    pub hash: String,
    /// The checksum by which `/api/bundles/{sum}` gives the pack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundle: Option<String>,
    pub version: String,
    pub sides: Vec<String>,
    pub people: Vec<Seated>,
}

/// A line that was stored.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct StoredLine {
    pub n: u64,
    /// The line of the log, byte for byte: docs/log-format.md.
    pub line: String,
}

/// The answer to a roll.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum Rolled {
    /// It is in the log.
    Done {
        #[serde(flatten)]
        stored: Option<StoredLine>,
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Resolution>"))]
        #[serde(skip_serializing_if = "Option::is_none")]
        resolution: Option<Box<Resolution>>,
    },
    /// Dice, a card or an answer are missing. The roll goes on with its ticket.
    Pending(Box<PendingRollData>),
    /// The caller of a sealed roll has to answer.
    SealedQuestion {
        #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::Missing>"))]
        needs: Vec<Missing>,
    },
}

/// A roll that waits for something.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PendingRollData {
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::Missing>"))]
    pub needs: Vec<Missing>,
    pub ticket: String,
    /// Dice, cards and answers so far.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::RecordedInput>"))]
    pub inputs: Vec<RecordedInput>,
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Resolution>"))]
    pub resolution: Option<Resolution>,
}

/// What a check found in a pack.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CheckedPack<'p> {
    /// Whether it has no faults.
    pub sound: bool,
    pub faults: Vec<Fault>,
    pub pack: Option<PackData<'p>>,
}

/// A fault of a pack.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Fault {
    pub file: String,
    pub line: Option<usize>,
    pub column: Option<usize>,
    /// Where it starts, in bytes.
    pub from: usize,
    pub to: usize,
    pub message: String,
    pub remedy: String,
}

impl Fault {
    pub fn new(files: &Files, fault: &Diagnostic) -> Fault {
        let place = files.text(&fault.file).map(|text| fault.line_and_column(text));
        let said = en::diagnostic(fault);
        Fault {
            file: fault.file.clone(),
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            from: fault.span.start,
            to: fault.span.end,
            message: said.message,
            remedy: said.help,
        }
    }
}

/// Every error of the server.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ErrorBody {
    /// All sentences in one line.
    pub error: String,
    /// Everything that is wrong.
    pub sentences: Vec<String>,
    #[serde(flatten)]
    pub details: Option<ErrorDetails>,
}

/// What some errors say in addition.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum ErrorDetails {
    /// Another player was faster.
    MovedOn {
        /// The number of the last event now.
        last: u64,
    },
    /// The request may have been done or not.
    OutcomeUnknown { unknown: bool },
    /// Units that are ruled out. `anyway` allows the roll.
    RuledOut { stopped: Vec<RuledOutUnit> },
    /// A roll outside a game stopped.
    Interrupted {
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Resolution"))]
        resolution: Box<Resolution>,
        #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::Missing>"))]
        needs: Vec<Missing>,
    },
    /// Inputs are missing.
    Missing {
        #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::Missing>"))]
        needs: Vec<Missing>,
    },
    /// A roll of the player is pending and comes first.
    RollPending(Box<HeldRoll>),
    /// The roll is still pending.
    StillPending { ticket: String },
}

/// A unit that is ruled out, and by what.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RuledOutUnit {
    pub unit: String,
    #[serde(flatten)]
    pub by: RulingData,
}

/// What rules a unit out.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum RulingData {
    /// A status of the unit.
    Status { status: String },
    /// The chart is for other units: these, in words.
    Only { only_for: String },
}

impl From<RuledOutBy> for RulingData {
    fn from(by: RuledOutBy) -> RulingData {
        match by {
            RuledOutBy::Status { status, .. } => RulingData::Status { status: status.to_string() },
            RuledOutBy::Only { only_for } => RulingData::Only { only_for: only_for.to_string() },
        }
    }
}

/// A pending roll that must be finished before another.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct HeldRoll {
    pub ticket: String,
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::Missing>"))]
    pub needs: Vec<Missing>,
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::RecordedInput>"))]
    pub inputs: Vec<RecordedInput>,
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Resolution>"))]
    pub resolution: Option<Resolution>,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::PlayRequest"))]
    pub play: PlayRequest,
}
