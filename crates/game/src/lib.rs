//! Games in progress, kept as an append-only log.
//!
//! A [`Table`] is one game. Its state is the fold of the log lines and nothing else. Each line is
//! one [`Event`] in JSON, with a number and the hash of the line before it, so the log is a hash
//! chain.
//!
//! The main types:
//!
//! - [`Table`] opens a log, applies lines, makes new lines and answers queries.
//! - [`LogLine`] is a new line. The caller stores it and then passes its text to [`Table::apply`].
//! - [`Event`] and [`EventKind`] are the content of a line; [`Stamp`] is its time and author.
//! - [`PlayRequest`] says which chart to roll and with which units. [`Table::play`] rolls it;
//!   [`PlayError`] says why it stopped, and what is missing.
//! - [`PlayRecord`] is the recorded play: the request, the inputs and the outcome.
//! - [`State`] holds units, pending tests, decks, turn and phase.
//! - [`Rejection`] says why an event or request is not accepted; [`LogError`] says what is wrong
//!   with a log.
//! - [`verify()`] and [`replay()`] check a log against the rules.
//! - [`Chains`], [`SealedGroup`] and [`OpenCall`] are for sealed rolls (commit–reveal), where
//!   players trust neither each other nor the server.
//! - [`LuckReport`] compares expected with actual luck.
//!
//! The crate has no storage, no clock and no random generator. The caller injects the time and the
//! dice and decides where lines are stored.
//!
//! ```
//! use std::sync::Arc;
//! use adjutant_game::{Begin, EventKind, PlayRequest, NewUnit, Stamp, Table};
//!
//! let pack = Arc::new(adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap());
//! let mut table = Table::empty(pack.clone());
//! let stamp = Stamp::new("2026-11-16T02:14:05Z", "Anna");
//! let begin = Begin { name: "Hill 112".into(), sides: vec!["Allies".into(), "Axis".into()], ..Begin::default() };
//! table.apply(&table.begin(&stamp, begin).unwrap().text).unwrap();
//! let unit = NewUnit { kind: "element".into(), name: "Rifles".into(), side: "Allies".into(), statuses: vec!["suppressed".into()], ..NewUnit::default() };
//! table.apply(&table.act(&stamp, EventKind::Add(vec![unit])).unwrap().text).unwrap();
//! let rally = PlayRequest::of("rally").unit("element", "u1");
//! let line = table.play(&stamp, &rally, &mut adjutant_dice::EnteredInput::new().with_dice([7])).unwrap();
//! table.apply(&line.text).unwrap();
//! assert!(adjutant_wording::en::log(&table).unwrap()[2].text.contains("Unsuppressed"));
//! ```

mod applied;
mod attempt;
mod card_place;
mod carried_pack;
mod changes;
mod event;
mod export;
mod fold;
mod guide;
mod joined;
mod journal;
mod log_line;
mod look_alike;
mod luck;
mod new_units;
mod play;
mod query;
mod read_ahead;
mod record;
mod recorded_change;
mod recording;
mod rejection;
mod roster;
mod ruled_out;
mod sealed;
mod state;
mod table;
mod turn;
mod undo;
mod unit_list;
mod verify;

pub use applied::{Applied, Before};
pub use attempt::*;
pub use card_place::LoggedPlace;
pub use carried_pack::{carried_pack, split_pack};
pub use changes::{Changes, UnitChange, UnitDiff, ValueChange};
pub use event::*;
pub use export::{import, import_until, rolls_as_csv};
pub use guide::{Guide, WhoseMove};
pub use log_line::{LogLine, NotPlain, Stamp, deceives, fingerprint, is_plain};
pub use look_alike::look_alike;
pub use luck::*;
pub use new_units::{
    UnitFileError, UnitFileFault, recruits_from_csv, recruits_from_toml, set_apart,
};
pub use play::{PlayError, PlayRequest, unit_of_member};
pub use query::{DeckLeft, HandOfCards};
pub use recorded_change::{LogTerms, RecordedChange};
pub use rejection::*;
pub use ruled_out::RuledOut;
pub use sealed::{
    Chain, ChainError, Chains, Cut, HexError, HexText, LONGEST_CHAIN, MemberRecord, NoLink,
    OpenCall, RevealedLink, SealedGroup, SealedMember,
};
pub use state::{HeldPlay, MOST_UNITS, PendingTest, State, Unit};
pub use table::{LogError, LogFault, Table};
pub use turn::ReachedEnding;
pub use undo::{ConsentRequest, Voice};
pub use unit_list::{UnitListForm, recruits_from_json, recruits_from_text, recruits_of_game};
pub use verify::{Difference, Mismatch, RecordPart, check_chain, replay, verify};
