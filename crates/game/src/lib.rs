//! A game in progress that forgets nothing. A [`Table`] is the fold of its lines and nothing else; a line is one
//! event in JSON, with a number and the fingerprint of the line before. There is no store, no clock and no generator
//! here: the caller brings the time, the luck and the place where lines are kept.
//!
//! ```
//! use std::sync::Arc;
//! use adjutant_game::{Begin, Do, Play, Recruit, Stamp, Table};
//!
//! let pack = Arc::new(adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap());
//! let mut table = Table::empty(pack.clone());
//! let stamp = Stamp::new("2026-11-16T02:14:05Z", "Anna");
//! let begin = Begin { name: "Hill 112".into(), sides: vec!["Allies".into(), "Axis".into()], ..Begin::default() };
//! table.apply(&table.begin(&stamp, begin).unwrap().text).unwrap();
//! let unit = Recruit { kind: "element".into(), name: "Rifles".into(), side: "Allies".into(), ..Recruit::default() };
//! table.apply(&table.act(&stamp, Do::Add(vec![unit])).unwrap().text).unwrap();
//! let rally = Play::of("rally").who("element", "u1");
//! let line = table.play(&stamp, &rally, &mut adjutant_dice::Typed::new().with_dice([7])).unwrap();
//! table.apply(&line.text).unwrap();
//! assert!(table.log_in_words().unwrap()[2].contains("Unsuppressed"));
//! ```

mod ahead;
mod event;
mod export;
mod fold;
mod hearing;
pub mod json;
mod line;
mod outcome;
mod play;
mod query;
mod recruits;
mod report;
mod roster;
mod said;
mod sealed;
mod state;
mod stopped;
mod table;
mod told;
mod turn;
mod undo;
mod verify;
mod words;

pub use adjutant_engine::Refusal;
pub use event::*;
pub use export::{import, throws_as_csv};
pub use line::{Line, NotPlain, Stamp, deceives, fingerprint, is_plain};
pub use play::{Play, PlayStop};
pub use query::DeckLeft;
pub use recruits::{recruits_from_csv, recruits_from_toml};
pub use report::*;
pub use said::Said;
pub use sealed::{Call, Chain, Chains, Cut, LONGEST_CHAIN, Member, NoLink, Shown};
pub use state::{Held, MOST_UNITS, Pending, State, Unit};
pub use stopped::Stopped;
pub use table::{Fault, Table};
pub use told::{Guide, Told};
pub use undo::Asked;
pub use verify::{Difference, check_chain, replay, verify};
