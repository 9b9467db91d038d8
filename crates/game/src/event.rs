//! The content of a log line. An event says who did what; a play also records its outcome, so that
//! folding runs no chart. Values are texts as players write them, read against the pack: a choice
//! called `12` stays a word. `docs/log-format.md` describes the format.

use crate::play::PlayRequest;
use adjutant_dice::RecordedInput;
use serde::{Deserialize, Serialize};
use serde_with::rust::maps_duplicate_key_is_error::deserialize as unique_keys;
use std::collections::BTreeMap;

/// The log format that this program reads and writes.
pub const LOG_FORMAT: u32 = 2;

/// Units by the role they take in a chart; several only where the chart is thrown for each of several.
/// In a log a role that is written twice is an error: readers could disagree about which of the two counts.
pub type UnitsByRole = BTreeMap<String, Vec<String>>;
/// Values by name, as texts.
pub type Values = BTreeMap<String, String>;

/// One event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Its number, from 1 without gaps.
    pub n: u64,
    /// When, as the caller says.
    pub at: String,
    /// Who, as the caller says.
    pub by: String,
    /// The fingerprint of the line before; empty for the first.
    pub prev: String,
    /// What.
    #[serde(rename = "do")]
    pub what: EventKind,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum EventKind {
    /// The table is set up.
    Begin(Begin),
    /// Somebody comes to the table, or changes his part.
    Join {
        /// Who.
        who: String,
        /// As what.
        role: Seat,
    },
    /// Units come to the roster.
    Add(Vec<NewUnit>),
    /// A unit is changed by hand.
    Set(Box<UnitEdit>),
    /// A unit is taken off by hand.
    Remove {
        /// Which.
        unit: String,
        /// With what word.
        word: String,
    },
    /// An option is set.
    Option {
        /// Which.
        name: String,
        /// To what.
        value: String,
    },
    /// What the table remembers is set by hand.
    Memory {
        /// Which.
        name: String,
        /// To what.
        value: String,
    },
    /// A chart is thrown.
    Play(Box<PlayRecord>),
    /// What attacks declared together do is put on the units.
    Land {
        /// The events whose effects land.
        plays: Vec<u64>,
    },
    /// A pending test is struck out.
    Skip {
        /// Which.
        pending: String,
        /// Why.
        reason: String,
    },
    /// The game begins: what its start and its first phase let fall due.
    Start {
        /// The tests.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        due: Vec<DueTest>,
    },
    /// The turn goes on.
    Phase(PhaseStep),
    /// Cards are moved by hand.
    Deck {
        /// Which deck.
        deck: String,
        /// Whose, where each side has its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<String>,
        /// What is done with it.
        act: DeckAct,
        /// Which cards; none for a reshuffle.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cards: Vec<u32>,
    },
    /// A remark.
    Note {
        /// What it says.
        text: String,
    },
    /// The last event that counts no longer does.
    Undo {
        /// Which.
        event: u64,
    },
    /// The event undone last counts again.
    Redo {
        /// Which.
        event: u64,
    },
    /// The others are asked for their consent.
    Ask {
        /// To what.
        want: ConsentFor,
        /// Of which event.
        event: u64,
    },
    /// Consent is given or refused.
    Consent {
        /// The event that asked for it.
        ask: u64,
        /// Whether it is given.
        yes: bool,
    },
    /// A player joins the circle of those who throw sealed, or begins a new chain.
    Seal(Seal),
    /// A chart is called, to be thrown sealed: all that is wanted, before any link is shown.
    Call(Box<SealedCall>),
    /// A player shows the link that he owes to the open call.
    Reveal {
        /// The link, in hex.
        link: String,
        /// His mark on all lines before this one, in hex; his next link opens it.
        mark: String,
    },
    /// The open call is taken back.
    Withdraw {
        /// Which.
        call: u64,
    },
    /// Somebody leaves the circle.
    Release {
        /// Who.
        who: String,
    },
}

/// What consent is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsentFor {
    /// To undo.
    Undo,
    /// To redo.
    Redo,
    /// To take the open call back; the event is the call.
    Withdraw,
    /// To let somebody out of the circle; the event is his seal.
    Release,
}

/// A chain of secrets that begins to count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seal {
    /// The last hash of the chain, in hex.
    pub anchor: String,
    /// How many throws it serves.
    pub length: u32,
    /// The next link of the chain that it takes the place of, in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
}

/// A call for a sealed roll.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedCall {
    /// What is to be rolled. It is complete: a pending test has added its units and inputs.
    pub request: PlayRequest,
    /// The inputs so far: answers, and for a call that continues another also what that call rolled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<RecordedInput>,
    /// The call that this one continues, after an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<u64>,
}

/// How a table is set up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Begin {
    /// The format of the log, [`LOG_FORMAT`].
    pub format: u32,
    /// The table's name.
    pub name: String,
    /// The pack's id.
    pub pack: String,
    /// The pack's version.
    pub version: String,
    /// The fingerprint of the pack's rules.
    pub hash: String,
    /// The sides.
    pub sides: Vec<String>,
    /// Options other than their defaults.
    #[serde(default, deserialize_with = "unique_keys")]
    pub options: Values,
    /// Whether everybody may see which cards are left, not only how many.
    #[serde(default)]
    pub cards_open: bool,
    /// Sides that nobody plays: the sheet says what they do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub run_by_sheet: Vec<String>,
    /// The way to begin that the pack offers; empty if by hand.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub start: String,
    /// Whose the decks are.
    #[serde(default, skip_serializing_if = "Decks::is_shared")]
    pub decks: Decks,
}

/// Whose the decks of a table are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decks {
    /// All draw from the same.
    #[default]
    Shared,
    /// Each side has its own.
    PerSide,
}

impl Decks {
    /// Whether all draw from the same.
    pub fn is_shared(&self) -> bool {
        *self == Decks::Shared
    }
}

/// Somebody's part at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Seat {
    /// Plays a side.
    Player {
        /// Which.
        side: String,
    },
    /// Runs the game for all.
    Umpire,
    /// Looks on; may do nothing.
    Spectator,
}

/// A unit that comes to the roster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewUnit {
    /// Its id: u1, u2 … in the order of coming.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its side.
    pub side: String,
    /// Its group, stack or hex; empty if it stands alone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// Its attributes, as far as they are known.
    #[serde(default, skip_serializing_if = "Values::is_empty", deserialize_with = "unique_keys")]
    pub has: Values,
    /// Its statuses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statuses: Vec<String>,
    /// A remark.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
}

/// What is changed on a unit by hand; what is not named stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitEdit {
    /// Which unit.
    pub unit: String,
    /// A new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Another side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// Another group; empty to stand alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Attributes and their new values; an empty value makes one unknown.
    #[serde(default, skip_serializing_if = "Values::is_empty", deserialize_with = "unique_keys")]
    pub has: Values,
    /// Statuses put on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub put_on: Vec<String>,
    /// Statuses lifted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lift: Vec<String>,
    /// A new remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// What is done with a deck by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeckAct {
    /// All cards come back.
    Reshuffle,
    /// Cards are taken out.
    TakeOut,
    /// Cards are put back.
    PutBack,
}

/// A step in the turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseStep {
    /// The phase that begins; empty where the pack has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub to: String,
    /// The turn it is in.
    pub turn: u32,
    /// Statuses that end with the phase that is over, or are lifted when the next begins, by unit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lifted: Vec<(String, String)>,
    /// Tests that fall due.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub due: Vec<DueTest>,
}

/// A play: the request, the inputs and the outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayRecord {
    /// What was rolled. It is complete: a pending test has added its units and inputs.
    pub request: PlayRequest,
    /// The call, if the roll was sealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<u64>,
    /// Dice, cards and answers, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<RecordedInput>,
    /// The results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<ResultRecord>,
    /// The number the chart yields.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub value: String,
    /// That number in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub says: String,
    /// Who acts when, equals together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Vec<String>>,
    /// What changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<RecordedChange>,
    /// Who appears.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub appear: Vec<NewUnit>,
    /// What is to be thrown next.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<DueTest>,
    /// What became of the decks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<Drawn>,
    /// Whether its effects wait for those of attacks declared together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
}

/// A result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultRecord {
    /// Its id; empty where a row gives only a number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// Its name.
    pub title: String,
    /// The unit it lands on.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub on: String,
    /// Why it took the place of another.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub because: String,
}

/// The ways things change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordedChangeKind {
    /// A status is put on.
    Status,
    /// A status is lifted.
    Lift,
    /// An attribute becomes.
    Set,
    /// An attribute grows, within what it accepts.
    Add,
    /// The unit leaves the game.
    Leaves,
    /// The table remembers.
    Remember,
    /// What the table remembers grows.
    RememberMore,
    /// Something for the player to do.
    Note,
}

/// Something that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedChange {
    /// How.
    pub kind: RecordedChangeKind,
    /// On which unit; empty where no unit of the roster took the role, and where none is meant.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub on: String,
    /// The status, attribute, memory, word or text.
    pub what: String,
    /// The amount or new value.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub value: String,
}

/// A test that has fallen due.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DueTest {
    /// Its id: the event it stems from and its place there.
    pub id: String,
    /// The chart.
    pub chart: String,
    /// Why.
    pub why: String,
    /// Whether before anything else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub now: bool,
    /// Its place in the order that scores gave, equals together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<u32>,
    /// Who takes part, as far as that is settled.
    #[serde(default, skip_serializing_if = "UnitsByRole::is_empty", deserialize_with = "unique_keys")]
    pub units: UnitsByRole,
    /// What is known of the situation.
    #[serde(default, skip_serializing_if = "Values::is_empty", deserialize_with = "unique_keys")]
    pub with: Values,
    /// The side of the unit that brought it about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// The side whose decks were drawn from in the check that it follows at once; counts while nobody of the roster takes the
    /// chart's first role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deck_side: Option<String>,
}

/// Cards that left a deck.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// Which deck.
    pub deck: String,
    /// Whose, where each side has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// Whether all cards came back before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reshuffled: bool,
    /// The cards drawn, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub took: Vec<u32>,
}

impl EventKind {
    /// Whether it is something that can be undone, rather than a matter of the table itself.
    pub fn counts(&self) -> bool {
        !matches!(
            self,
            EventKind::Begin(_)
                | EventKind::Join { .. }
                | EventKind::Undo { .. }
                | EventKind::Redo { .. }
                | EventKind::Ask { .. }
                | EventKind::Consent { .. }
        ) && !self.is_sealing()
    }

    /// Whether it is a step of a sealed throw. What is shown stays shown: none of them can be undone.
    pub fn is_sealing(&self) -> bool {
        matches!(
            self,
            EventKind::Seal(_) | EventKind::Call(_) | EventKind::Reveal { .. } | EventKind::Withdraw { .. } | EventKind::Release { .. }
        )
    }

    /// Whether luck entered with it.
    pub fn has_luck(&self) -> bool {
        matches!(self, EventKind::Play(played) if played.inputs.iter().any(|input| !input.is_answer()))
    }
}
