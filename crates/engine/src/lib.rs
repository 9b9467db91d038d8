//! The umpire runs a chart. Given a situation and a seam for luck and answers, [`resolve`] returns the
//! whole [`Account`]: each throw with its faces, each modifier with whether it counted, the score, the
//! row, the result, what changes and what follows. The one-line answer, the JSON and the page are
//! renderings of it.
//!
//! ```
//! use adjutant_dice::Typed;
//! use adjutant_engine::{Situation, resolve};
//!
//! let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
//! let mut situation = Situation::new(&pack, "rally").unwrap();
//! situation.give("element.quality", "1").unwrap();
//! let account = resolve(&mut situation, &mut Typed::new().with_dice([5])).unwrap();
//! assert_eq!(account.result.unwrap().title, "Unsuppressed");
//! ```

mod account;
mod coverage;
mod fight;
mod land;
mod modify;
mod needs;
mod odds;
mod others;
mod printed;
mod questions;
mod read;
mod run;
mod sample;
mod situation;
mod steps;
mod trial;

pub use account::{
    Account, AgainAccount, AnswerAccount, EffectAccount, LookUpAccount, MemberAccount, ModifierAccount, NewcomersAccount, NextAccount,
    OptionAccount, OthersAccount, ReadingAccount, ResultAccount, ThrowAccount, ThrowKind,
};
pub use coverage::{Coverage, Mark, all_marks, describe_mark};
pub use fight::{
    DecisionOdds, EndPoint, FightChain, FightLimits, FightMemory, FightOdds, FightPlayer, FightSituation, FightTally, Limit, SideOdds,
};
pub use needs::{needs, relevant, roles_in_use};
pub use odds::{
    AnswerOdds, Asked, Branch, CardPlan, Chance, Chanced, Joint, Mean, OddsStop, Outcome, Plan, Report, Series, SeriesBranch, Spread,
    all_results, could_hold, in_sheet_order, odds, odds_at_once, odds_by_running, odds_of_series, percent_in_short, percent_in_words,
    percent_to, sheet_place,
};
pub use others::concerns;
pub use printed::{PrintedCell, printed_cells};
pub use questions::{PossibleQuestion, questions};
pub use run::{Stopped, resolve};
pub use sample::{Counted, Evidence, LiveDeck, Luck, Played, Prepared, Sampler, Tally, chi_square, wilson};
pub use situation::{Refusal, Situation};
pub use trial::{Failure, Trial, try_suite};
