//! The content of a log line. An event says who did what. A play also records its outcome, so the
//! fold runs no chart. Values are stored as the player wrote them and read against the pack: a
//! choice called `12` stays a word. `docs/log-format.md` describes the format.

use crate::card_place::LoggedPlace;
use crate::play::PlayRequest;
use crate::recorded_change::RecordedChange;
use adjutant_dice::RecordedInput;
use serde::{Deserialize, Serialize};
use serde_with::rust::maps_duplicate_key_is_error::deserialize as unique_keys;
use std::collections::BTreeMap;

/// The log format that this program reads and writes.
pub const LOG_FORMAT: u32 = 3;

/// Units by their role in a chart. A role has several units only if the chart is rolled for each of
/// several. In a log, a role that appears twice is an error: readers could disagree about which of
/// the two counts.
pub type UnitsByRole = BTreeMap<String, Vec<String>>;
/// Values by name, as text.
pub type Values = BTreeMap<String, String>;

/// One event of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The event's number: from 1, without gaps.
    pub n: u64,
    /// The time, as the caller gives it.
    pub at: String,
    /// The player who acted, as the caller gives it.
    pub by: String,
    /// The hash of the line before; empty for the first line.
    pub prev: String,
    /// What happened.
    #[serde(rename = "do")]
    pub what: EventKind,
}

/// What happened in an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum EventKind {
    /// Sets up the game.
    Begin(Begin),
    /// A player joins the game or changes seats.
    Join {
        /// The player's name.
        who: String,
        /// The player's seat.
        role: Seat,
    },
    /// Adds units to the roster.
    Add(Vec<NewUnit>),
    /// Edits a unit by hand.
    Set(Box<UnitEdit>),
    /// Removes a unit by hand.
    Remove {
        /// The unit's id.
        unit: String,
        /// How it left the game, for example “destroyed”.
        word: String,
    },
    /// Sets an option.
    Option {
        /// The option's id.
        name: String,
        /// The new value.
        value: String,
    },
    /// Sets a memory (a value that the game remembers) by hand.
    Memory {
        /// The memory's id.
        name: String,
        /// The side, if each side has a value of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<String>,
        /// The new value.
        value: String,
    },
    /// A chart was rolled.
    Play(Box<PlayRecord>),
    /// Applies the effects of simultaneous attacks.
    Land {
        /// The events whose effects are applied.
        plays: Vec<u64>,
    },
    /// Skips a pending test.
    Skip {
        /// The test's id.
        pending: String,
        /// The player's reason.
        reason: String,
    },
    /// Starts the game.
    Start {
        /// The tests that the pack's start and the first phase make due.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        due: Vec<DueTest>,
    },
    /// Moves to another phase.
    Phase(PhaseStep),
    /// Moves cards of a deck by hand.
    Deck {
        /// The deck's id.
        deck: String,
        /// The owner, if each side has its own decks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<String>,
        /// What is done with the deck.
        act: DeckAct,
        /// The cards; empty for a reshuffle.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cards: Vec<u32>,
    },
    /// A roll stopped before its end, after dice or cards had come.
    Unfinished(Box<UnfinishedRoll>),
    /// A player's remark.
    Note {
        /// The remark.
        text: String,
    },
    /// Undoes the last event that counts.
    Undo {
        /// The event to undo.
        event: u64,
        /// The mark of a member of the sealed group, in hex.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<String>,
    },
    /// Redoes the event that was undone last.
    Redo {
        /// The event to redo.
        event: u64,
        /// The mark of a member of the sealed group, in hex.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<String>,
    },
    /// Asks the other sides for consent.
    Ask {
        /// What the player wants to do.
        want: ConsentFor,
        /// The event that the request is about.
        event: u64,
        /// The mark of a member of the sealed group, in hex.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<String>,
    },
    /// Gives or refuses consent.
    Consent {
        /// The event of the request.
        ask: u64,
        /// Whether the player agrees.
        yes: bool,
        /// The mark of a member of the sealed group, in hex.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<String>,
    },
    /// A player joins the sealed group, or starts a new hash chain.
    Seal(Seal),
    /// Calls a sealed roll. The call binds the whole request before any link is revealed.
    Call(Box<SealedCall>),
    /// A member reveals the link that the open call waits for.
    Reveal {
        /// The link, in hex.
        link: String,
        /// The member's mark on all earlier lines, in hex. The next link of the chain opens it.
        mark: String,
    },
    /// Withdraws the open call.
    Withdraw {
        /// The event of the call.
        call: u64,
        /// The mark of a member of the sealed group, in hex.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<String>,
    },
    /// A member leaves the sealed group.
    Release {
        /// The member's name.
        who: String,
        /// The mark of a member of the sealed group, in hex.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<String>,
    },
}

/// What a player asks consent for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsentFor {
    /// To undo an event.
    Undo,
    /// To redo an event.
    Redo,
    /// To withdraw the open call. The event of the request is the call.
    Withdraw,
    /// To let a member leave the sealed group. The event of the request is the member's seal.
    Release,
}

impl ConsentFor {
    /// The word in the log.
    pub fn id(self) -> &'static str {
        match self {
            ConsentFor::Undo => "undo",
            ConsentFor::Redo => "redo",
            ConsentFor::Withdraw => "withdraw",
            ConsentFor::Release => "release",
        }
    }
}

/// A new hash chain of secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seal {
    /// The end of the chain, in hex. It commits the player to all links.
    pub anchor: String,
    /// How many rolls the chain serves.
    pub length: u32,
    /// The next link of the chain that this one replaces, in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// What the group agreed on for a call that waits for a silent player: the same in every seal
    /// of the group. `None`: the call may be dropped at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<Forfeit>,
}

/// What a sealed group agrees on for a call that waits for a silent player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Forfeit {
    /// The roll stands: once a link is revealed, only the consent of all other members drops the
    /// call, and the game waits for the missing link.
    Stands,
    /// The roll is lost: this many minutes after the call, the members who owe no link may drop it
    /// without the silent player.
    Lost {
        /// 1 to [`LONGEST_WAIT`].
        minutes: u32,
    },
}

/// The longest time limit of [`Forfeit::Lost`], in minutes: 30 days.
pub const LONGEST_WAIT: u32 = 43_200;

/// A called roll: the request of a sealed roll.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedCall {
    /// What is to be rolled. It is complete: a pending test has added its units and inputs.
    pub request: PlayRequest,
    /// The inputs so far: answers, and for a call that continues another also what that call
    /// rolled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<RecordedInput>,
    /// The call that this one continues, after an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<u64>,
}

/// How a game is set up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Begin {
    /// The format of the log, [`LOG_FORMAT`].
    pub format: u32,
    /// The game's name.
    pub name: String,
    /// The pack's id.
    pub pack: String,
    /// The pack's version.
    pub version: String,
    /// The hash of the pack's rules.
    pub hash: String,
    /// The names of the sides.
    pub sides: Vec<String>,
    /// Options that differ from their defaults.
    #[serde(default, deserialize_with = "unique_keys")]
    pub options: Values,
    /// Whether all players see which cards are left. If not, they see only how many.
    #[serde(default)]
    pub cards_open: bool,
    /// Sides without a player: the sheet says what they do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub run_by_sheet: Vec<String>,
    /// The start of the pack that was used; empty for a setup by hand.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub start: String,
    /// Whether the sides share their decks.
    #[serde(default, skip_serializing_if = "Decks::is_shared")]
    pub decks: Decks,
    /// The user decks that were supplied when the game started, by their ids.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "unique_keys")]
    pub user_decks: BTreeMap<String, UserDeckRecord>,
}

/// A deck that a player supplied. The log does not hold its cards, only what tells them from
/// others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserDeckRecord {
    /// How many cards it has.
    pub cards: u32,
    /// The hash of the cards as they were written.
    pub hash: String,
}

/// Whether the sides share their decks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decks {
    /// All sides draw from the same decks.
    #[default]
    Shared,
    /// Each side has its own decks.
    PerSide,
}

impl Decks {
    /// Whether all sides draw from the same decks.
    pub fn is_shared(&self) -> bool {
        *self == Decks::Shared
    }
}

/// A player's seat in the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Seat {
    /// Plays a side.
    Player {
        /// The side's name.
        side: String,
    },
    /// Runs the game for all sides.
    Umpire,
    /// Watches, and may do nothing else.
    Spectator,
}

/// A unit that joins the roster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewUnit {
    /// The unit's id: `u1`, `u2` …, in the order of joining.
    pub id: String,
    /// The id of the unit's kind.
    pub kind: String,
    /// The name that players see.
    pub name: String,
    /// The name of the unit's side.
    pub side: String,
    /// The group, stack or hex; empty if the unit is alone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// The attributes that are known.
    #[serde(default, skip_serializing_if = "Values::is_empty", deserialize_with = "unique_keys")]
    pub has: Values,
    /// The ids of the unit's statuses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statuses: Vec<String>,
    /// A remark for the players.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
}

/// An edit of a unit by hand. What it does not name stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitEdit {
    /// The unit's id.
    pub unit: String,
    /// A new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A new side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// A new group; the empty text takes the unit out of its group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// New values of attributes; an empty value makes the attribute unknown.
    #[serde(default, skip_serializing_if = "Values::is_empty", deserialize_with = "unique_keys")]
    pub has: Values,
    /// Statuses to add.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub put_on: Vec<String>,
    /// Statuses to remove.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lift: Vec<String>,
    /// A new remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// What a player does with a deck by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeckAct {
    /// Puts all cards back.
    Reshuffle,
    /// Takes cards out.
    TakeOut,
    /// Puts cards back.
    PutBack,
}

/// A step from one phase to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseStep {
    /// The phase that starts; empty if the pack has no phases.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub to: String,
    /// The turn of that phase.
    pub turn: u32,
    /// The statuses that end with the old phase or that the new phase lifts, each with its unit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lifted: Vec<(String, String)>,
    /// Tests that become due.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub due: Vec<DueTest>,
}

/// A play: the request, the inputs and the outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayRecord {
    /// What was rolled. It is complete: a pending test has added its units and inputs.
    pub request: PlayRequest,
    /// The event of the call, if the roll was sealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<u64>,
    /// Dice, cards and answers, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<RecordedInput>,
    /// The results of the chart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<ResultRecord>,
    /// The number that the chart yields.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub value: String,
    /// The same number in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub says: String,
    /// The order in which units act; units with equal scores act together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Vec<String>>,
    /// What changes in the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<RecordedChange>,
    /// Units that appear.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub appear: Vec<NewUnit>,
    /// The tests that follow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<DueTest>,
    /// The cards drawn, and reshuffles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<Drawn>,
    /// Whether the effects wait for other simultaneous attacks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
    /// Why nothing changes in the game, if the outcome could not be applied. There are then no
    /// effects, new units or follow-ups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unapplied: Option<Unapplied>,
}

/// Why the outcome of a roll is not applied. What was rolled is recorded all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unapplied {
    /// The chart gives no result for these dice, cards and answers.
    NoResult,
    /// There is no room on the roster for the units that appear.
    NoRoom,
    /// The game does not accept a change.
    NotAccepted,
}

/// A roll that stopped before its end. It is recorded so that dice or cards that a player has seen
/// cannot be thrown away.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnfinishedRoll {
    /// What is rolled.
    pub request: PlayRequest,
    /// Dice, cards and answers so far, in order.
    pub inputs: Vec<RecordedInput>,
    /// Whether the roll cannot go on. If not, it waits for an answer of its player.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub broken_off: bool,
}

/// One result of a chart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultRecord {
    /// The result's id; empty if a row gives only a number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The title that players see.
    pub title: String,
    /// The unit that the result applies to.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub on: String,
    /// Why it replaced another result.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub because: String,
}

/// A test that has become due.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DueTest {
    /// The test's id: the number of the event that caused it and a count, such as `12.1`.
    pub id: String,
    /// The chart to roll.
    pub chart: String,
    /// The reason, as the sheet gives it.
    pub why: String,
    /// Whether the test comes before everything else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub now: bool,
    /// Its place in the order by score; equal scores share a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<u32>,
    /// The units that are already decided, by role.
    #[serde(
        default,
        skip_serializing_if = "UnitsByRole::is_empty",
        deserialize_with = "unique_keys"
    )]
    pub units: UnitsByRole,
    /// The open roles that a unit of a certain side takes, with the side.
    #[serde(default, skip_serializing_if = "Values::is_empty", deserialize_with = "unique_keys")]
    pub role_sides: Values,
    /// The inputs that are already known.
    #[serde(default, skip_serializing_if = "Values::is_empty", deserialize_with = "unique_keys")]
    pub with: Values,
    /// The side of the unit that caused the test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// The side whose decks the causing chart drew from, if this test follows at once. It counts
    /// while no unit of the roster has the chart's first role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deck_side: Option<String>,
}

/// Cards drawn from one deck.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// The deck's id.
    pub deck: String,
    /// The owner, if each side has its own decks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// Whether the deck was reshuffled before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reshuffled: bool,
    /// The cards drawn, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub took: Vec<u32>,
    /// Where the cards were; without it, in the deck.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<LoggedPlace>,
    /// Where the cards went; without it, to the discards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<LoggedPlace>,
    /// The unit whose chit was drawn from a bag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// How many chits are left in the bag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<u32>,
}

impl EventKind {
    /// Whether the event can be undone. Events about the game itself, such as joining, cannot.
    pub fn counts(&self) -> bool {
        !matches!(
            self,
            EventKind::Begin(_)
                | EventKind::Join { .. }
                | EventKind::Undo { .. }
                | EventKind::Redo { .. }
                | EventKind::Ask { .. }
                | EventKind::Consent { .. }
                | EventKind::Unfinished(_)
        ) && !self.is_sealing()
    }

    /// Whether the event is a step of a sealed roll. None can be undone: a link that was revealed
    /// stays known.
    pub fn is_sealing(&self) -> bool {
        matches!(
            self,
            EventKind::Seal(_)
                | EventKind::Call(_)
                | EventKind::Reveal { .. }
                | EventKind::Withdraw { .. }
                | EventKind::Release { .. }
        )
    }

    /// The mark of an event that only its player may make, and the text that the mark covers; `None`
    /// for other events. `docs/sealed-rolls.md` specifies the texts.
    pub fn marked(&self) -> Option<(String, Option<&String>)> {
        Some(match self {
            EventKind::Undo { event, mark } => (format!("undo {event}"), mark.as_ref()),
            EventKind::Redo { event, mark } => (format!("redo {event}"), mark.as_ref()),
            EventKind::Ask { want, event, mark } => {
                (format!("ask {} {event}", want.id()), mark.as_ref())
            }
            EventKind::Consent { ask, yes, mark } => {
                (format!("consent {ask} {}", if *yes { "yes" } else { "no" }), mark.as_ref())
            }
            EventKind::Withdraw { call, mark } => (format!("withdraw {call}"), mark.as_ref()),
            EventKind::Release { who, mark } => (format!("release {who}"), mark.as_ref()),
            _ => return None,
        })
    }

    /// The same event with a mark, if it is one that carries marks.
    pub fn with_mark(mut self, new: Option<String>) -> EventKind {
        match &mut self {
            EventKind::Undo { mark, .. }
            | EventKind::Redo { mark, .. }
            | EventKind::Ask { mark, .. }
            | EventKind::Consent { mark, .. }
            | EventKind::Withdraw { mark, .. }
            | EventKind::Release { mark, .. } => *mark = new,
            _ => {}
        }
        self
    }

    /// Whether the event contains dice or cards.
    pub fn has_luck(&self) -> bool {
        matches!(self, EventKind::Play(played) if played.inputs.iter().any(|input| !input.is_answer()))
    }
}
