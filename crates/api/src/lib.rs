//! The JSON of the HTTP API and of the command's `--json`. Server, command and page use these
//! types; no other crate names a JSON key.
//!
//! Types that end in `Data` are answers. They borrow from the pack or the game they describe and
//! can only be written. With the feature `schema` every type has a JSON schema, from which the
//! server makes its OpenAPI document.

#![allow(
    missing_docs,
    reason = "a field is a JSON key; it is documented where its name does not say what it is"
)]

mod card;
mod chart;
mod entries;
mod faults;
mod fight;
mod game;
mod notation;
mod odds;
#[cfg(feature = "schema")]
mod openapi;
mod pack;
mod pack_diff;
mod queries;
mod replies;
mod requests;
mod roll;
mod sample;
#[cfg(feature = "schema")]
mod schema;
mod view;

pub use card::{CardData, CardValue, DeckFile, DrawnCards, is_blank};
pub use chart::{ChartData, ListedChart, OnlyData};
pub use entries::Entries;
pub use faults::{FaultKind, InputFault, QueryFault};
pub use fight::{FightCell, FightData, FightOutlook, FightTable, MeanData, OutlookData, ShareData};
pub use game::{
    CallData, ConsentData, DeckLeftData, Difference, EventData, GameCheck, GameData, GameSummary,
    Imported, LogEntry, MemberRecordData, MemoryData, PendingData, PhaseText, PlayedData, Replayed,
    SealedData, SealedMemberData, StoreReport, TurnData, UnitData, Verified, options, whole_memory,
};
pub use notation::{
    NotationAgainst, NotationChances, NotationDie, NotationHandful, NotationOdds, NotationRoll,
};
pub use odds::{
    BranchData, CellNumbers, CellResult, CellValue, ChainValue, ChangedOdds, DistributionData,
    ModifierOdds, NotFollowedData, NumbersData, OddsCell, OddsData, OddsTable, SeriesBranchData,
    SeriesData, series_results,
};
#[cfg(feature = "schema")]
pub use openapi::openapi;
pub use pack::{FieldData, PackData, PackListing};
pub use pack_diff::{CaseDiff, PackDiffData};
pub use queries::{
    AxisQuery, DrawQuery, FightLimitsQuery, FightQuery, PackRequest, ShowQuery, SimQuery,
    TimesQuery, VaryQuery,
};
pub use replies::{
    AboutGame, CheckedPack, CreatedGame, ErrorBody, ErrorDetails, Fault, GameList, GameProgress,
    GameSetup, HeldRoll, Invitation, Invitations, Joined, PendingRollData, Rolled, RuledOutUnit,
    RulingData, Seated, StoredLine,
};
pub use requests::{
    Act, Answers, ChartQuery, EnterGame, JoinGame, NewGame, PackTexts, ReadInvitation, Roll,
    Rotate, RotateInvitations, Topic, TopicError, read_request, texts,
};
pub use roll::StoppedRoll;
pub use sample::{Known, SampleData, SampledMean, SampledMeans, SampledOutcome};
