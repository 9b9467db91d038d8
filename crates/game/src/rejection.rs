//! Why an event or a request is not accepted.
//!
//! The variants carry data only. `Display` prints the `Debug` form, for developers; the sentences
//! for players are in `adjutant_wording::en`.
#![allow(
    missing_docs,
    reason = "a comment stands where the name of a variant or field does not say enough"
)]

use crate::event::{ConsentFor, Forfeit};
use crate::play::PlayError;
use crate::ruled_out::RuledOut;
use crate::sealed::{ChainError, HexError};
use crate::table::LogError;
use crate::verify::Difference;
use adjutant_dice::{AnswerError, DeckError, NumberError, SourceError, Text};
use adjutant_engine::{InputError, ResolveError};
use adjutant_pack::{Noun, UnknownName};

/// Prints the `Debug` form of an error for developers.
macro_rules! display_as_debug {
    ($($error:ty),+ $(,)?) => {$(
        impl std::fmt::Display for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(self, f)
            }
        }

        impl std::error::Error for $error {}
    )+};
}
pub(crate) use display_as_debug;

display_as_debug!(
    Rejection,
    TextError,
    ValueError,
    UnitRejection,
    SetupRejection,
    SeatRejection,
    RequestRejection,
    TurnRejection,
    UndoRejection,
    SealedRejection,
    DeckRejection,
);

/// Why an event or a request is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    Unknown(UnknownName),
    /// A name or remark that cannot be stored.
    Text(TextError),
    /// A value that an attribute, option or memory does not accept.
    Value(ValueError),
    Unit(UnitRejection),
    Setup(SetupRejection),
    Seat(SeatRejection),
    Request(RequestRejection),
    Turn(TurnRejection),
    Undo(UndoRejection),
    Sealed(SealedRejection),
    Deck(DeckRejection),
    /// Several things are wrong with one event.
    Several(Vec<Rejection>),
    /// The chart does not accept an input.
    Input(InputError),
    /// The chart cannot be run with these dice, cards and answers.
    Resolve(Box<ResolveError>),
    /// The record has an input that the chart does not ask for.
    Source(Box<SourceError>),
    /// The line is not JSON, or not an event. The text comes from the JSON parser.
    NotALine(String),
    /// One of several lines that were made in one step does not follow from the others.
    Log(Box<LogError>),
    /// A game event is expected here, but this event is about the game itself.
    NotAGameEvent,
}

/// The rejection for a name that does not exist.
pub(crate) fn unknown<'a>(
    noun: Noun,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Rejection {
    Rejection::Unknown(UnknownName::new(noun, name, known))
}

/// A text of an event that has a limited length and no control characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextField {
    Time,
    /// The name of the player who acts.
    Actor,
    /// The name of the player who joins.
    Joiner,
    TableName,
    SideName,
    /// How a unit left, for example “destroyed”.
    LeavingWord,
    /// The reason why a pending test is skipped.
    Reason,
    Remark,
    UnitName,
    UnitGroup,
    UnitRemark,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    pub field: TextField,
    pub fault: TextFault,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextFault {
    Missing,
    /// Lengths in characters.
    TooLong {
        length: usize,
        most: usize,
    },
    /// Control or invisible characters; `shown` is the start of the text without them.
    Hidden {
        shown: Text,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    /// The id of the attribute, option or memory.
    pub field: Text,
    pub fault: ValueFault,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueFault {
    NotAccepted(Box<AnswerError>),
    NotAWord,
    NotANumber { text: Text, error: NumberError },
    Arithmetic(NumberError),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitRejection {
    /// No unit on the roster has this id.
    Unknown {
        id: Text,
    },
    NoneNamed,
    LeftAlready {
        name: Text,
    },
    WrongId {
        expected: Text,
        found: Text,
    },
    /// The roster is full.
    TooMany,
    /// A chart may add units, and the roster is full.
    NoRoom {
        chart: Text,
    },
    /// More units appear at once than one result may add.
    TooManyAppear {
        count: i64,
        most: i64,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupRejection {
    /// Each side has a value of its own of this memory, and no side is named.
    MemoryOfSides {
        name: Text,
    },
    /// A side is named for a memory that all sides share.
    MemoryOfGame {
        name: Text,
    },
    NotStarted,
    AlreadyStarted,
    /// The log has a format that this program does not read.
    Format {
        found: u32,
    },
    OtherPack {
        recorded: Text,
        given: Text,
    },
    RulesChanged(Box<RulesChanged>),
    SideCount,
    SideTwice {
        side: Text,
    },
    SidesLookAlike {
        side: Text,
        known: Text,
    },
    /// The pack's start has another number of sides.
    StartSides {
        start: Text,
        wanted: usize,
        given: usize,
    },
    NoSides,
    /// A user deck has no cards, or too many.
    UserDeckSize {
        deck: Text,
    },
    /// Options, memory or decks of the game are not those of the pack.
    PackMismatch,
}

/// The pack's rules are not those that the game started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesChanged {
    pub pack: Text,
    pub recorded_version: Text,
    pub recorded_hash: Text,
    pub version: Text,
    pub hash: Text,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatRejection {
    Spectator {
        name: Text,
    },
    /// Only the player or an umpire may change a seat.
    Taken {
        name: Text,
    },
    /// The name of another player looks the same.
    LookAlike {
        name: Text,
        known: Text,
    },
    /// A member of the sealed group must keep the seat.
    Sealed {
        name: Text,
    },
}

/// What is wrong with a request to play a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestRejection {
    /// A chart is rolled with `Table::play`, not with `Table::act`.
    ByHand,
    /// The pending test is for another chart.
    OtherChart {
        pending: Text,
        chart: Text,
        named: Text,
    },
    /// The request contradicts the pending test.
    Settled {
        name: Text,
        pending: Text,
        value: Text,
    },
    AnywayForNothing,
    /// The role of a pending test is for a unit of another side.
    OfOtherSide {
        unit: Text,
        role: Text,
        side: Text,
    },
    /// A unit is left out that would not take part anyway.
    LeftOutInVain {
        unit: Text,
    },
    /// The number of units that take part is given otherwise than the roster has it.
    OtherThanJoined {
        name: Text,
        count: Text,
    },
    /// An input is given for a unit that does not take part.
    NotTakingPart {
        name: Text,
    },
    OneUnit {
        role: Text,
        chart: Text,
    },
    Left {
        name: Text,
        word: Text,
    },
    /// Kinds by their titles.
    WrongKind {
        unit: Text,
        kind: Text,
        role: Text,
        wanted: Text,
    },
    TwoRoles {
        unit: Text,
    },
    SameSide {
        unit: Text,
        friend: Text,
        role: Text,
        enemy_of: Text,
    },
    RuledOut(Box<RuledOut>),
    /// The game uses cards that a player supplied. Here they are missing, or others.
    OtherUserDeck {
        deck: Text,
        missing: bool,
    },
    /// The results of simultaneous attacks must be applied before this chart is played.
    AttacksHeld {
        chart: Text,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnRejection {
    /// A due test of this event has an id that does not match its event and place.
    TestId {
        event: u64,
        id: Text,
    },
    TestOfGoneUnit {
        unit: Text,
    },
    NothingHeld,
    NotWhatIsHeld,
    StartedAlready,
    /// The results of simultaneous attacks must be applied before the phase ends.
    AttacksHeld,
    PhaseClosed {
        phase: Text,
    },
    WrongTurn {
        to: Text,
        turn: u32,
        expected: u32,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UndoRejection {
    NothingToUndo,
    NothingToRedo,
    /// Another event is the next to undo or redo.
    NotNext {
        want: ConsentFor,
        next: u64,
        named: u64,
    },
    /// `luck` is true if the event has dice or cards. Otherwise another side made it.
    NeedsConsent {
        event: u64,
        /// Sides, or members of the sealed group.
        names: Vec<Text>,
        luck: bool,
    },
    NoConsentNeeded,
    NotAsked {
        event: u64,
    },
    NoSide {
        name: Text,
    },
    OwnSide {
        name: Text,
    },
    /// A player consents to a request of their own.
    OwnRequest {
        name: Text,
    },
    NoRequestOpen,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SealedRejection {
    /// There is no open call to withdraw.
    NothingToWithdraw,
    NoMemberToRelease,
    NeedsConsent {
        /// Sides, or members of the sealed group.
        names: Vec<Text>,
    },
    OtherCall {
        open: u64,
        named: u64,
    },
    NotAnOpenCall {
        event: u64,
    },
    NotASeal {
        event: u64,
    },
    /// The umpire is not in the group, so the umpire's consent has no mark.
    UmpireNotSealed {
        name: Text,
    },
    /// Another player of the side is in the group and consents for it.
    NotTheVoice {
        member: Text,
        name: Text,
    },
    /// Nothing else is accepted while a call is open.
    CallOpen {
        call: u64,
    },
    CallOpenAlready {
        call: u64,
    },
    CallNotOpen {
        call: u64,
    },
    /// A play is recorded as sealed, and no call is open.
    NoCallForPlay,
    NoCallToRoll,
    NoCallForLink,
    /// The record has dice or cards without a call.
    NotCalled,
    /// The chart asks for dice or cards, and rolls must be sealed: call the roll.
    MustCall,
    /// A link is missing.
    LinkOwed {
        call: u64,
        name: Text,
    },
    LinkMissing {
        name: Text,
    },
    LinkShown {
        name: Text,
        call: u64,
    },
    NotWhatWasCalled {
        call: u64,
    },
    ContinuesOtherwise {
        call: u64,
    },
    InputsDiffer {
        call: u64,
    },
    CallerAnswers {
        caller: Text,
    },
    NotAllSealed,
    Differs(Box<Difference>),
    /// The event is not a step of a sealed roll.
    NotASealedStep,
    Hex(HexError),
    ChainLength {
        length: u32,
    },
    NoSeat {
        name: Text,
    },
    AnchorKnown,
    WaitsForLinks,
    HasChain {
        name: Text,
    },
    HasNoChain {
        name: Text,
    },
    JoinAfterRoll,
    TooManyMembers {
        most: usize,
    },
    TooFewMembers,
    /// A first call may have only answers as inputs.
    OnlyAnswers,
    ChainUsedUp {
        name: Text,
    },
    NotNextLink {
        name: Text,
    },
    /// The link does not open the mark of this event: the log before it was altered, or the event
    /// was not made by the member.
    OtherLog {
        name: Text,
        event: u64,
    },
    /// An event in the name of a member has no mark.
    MarkMissing {
        name: Text,
    },
    /// An event of a player without a chain has a mark.
    MarkWithoutChain {
        name: Text,
    },
    /// A release is written by another player than the one who asked for it.
    AskerReleases {
        asker: Text,
    },
    /// A release rests on a request or a consent whose mark no link has opened yet.
    NotConfirmed {
        names: Vec<Text>,
    },
    /// The group agreed on something else for silent players.
    OtherForfeit {
        agreed: Option<Forfeit>,
    },
    /// A time limit for silent players that is out of bounds.
    WaitLength {
        minutes: u32,
    },
    Chain(ChainError),
    /// The chart cannot be run to the point where the call stops.
    CallFails(Box<PlayError>),
    NoFurtherLuck,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeckRejection {
    /// The event names a side, but all sides share the decks.
    Shared,
    WhichSide {
        sides: Vec<Text>,
    },
    /// A reshuffle names cards, or another deck action names none.
    CardsNamed,
    /// The record names a hand or a pile that the deck does not have.
    NoSuchPlace,
    /// A bag has no cards to take out or put back.
    Bag,
    /// The record of a chit does not fit the bag: another unit, or another number left.
    WrongChit,
    /// The card is not in the hand or on the pile that the record names.
    NotThere {
        card: u32,
    },
    Card(DeckError),
}

macro_rules! rejection_from {
    ($($variant:ident($error:ty)),+ $(,)?) => {$(
        impl From<$error> for Rejection {
            fn from(error: $error) -> Rejection {
                Rejection::$variant(error)
            }
        }
    )+};
}

rejection_from!(
    Unknown(UnknownName),
    Text(TextError),
    Value(ValueError),
    Unit(UnitRejection),
    Setup(SetupRejection),
    Seat(SeatRejection),
    Request(RequestRejection),
    Turn(TurnRejection),
    Undo(UndoRejection),
    Sealed(SealedRejection),
    Deck(DeckRejection),
    Input(InputError),
);

impl From<DeckError> for Rejection {
    fn from(error: DeckError) -> Rejection {
        Rejection::Deck(DeckRejection::Card(error))
    }
}

impl From<ChainError> for Rejection {
    fn from(error: ChainError) -> Rejection {
        Rejection::Sealed(SealedRejection::Chain(error))
    }
}

impl From<HexError> for Rejection {
    fn from(error: HexError) -> Rejection {
        Rejection::Sealed(SealedRejection::Hex(error))
    }
}
