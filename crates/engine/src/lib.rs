//! Runs the charts of a rules pack and computes their odds.
//!
//! The main types and functions:
//!
//! - [`Situation`]: what is known before a chart runs (inputs, options, memory, decks). [`needs()`]
//!   lists the inputs that are still missing.
//! - [`resolve`]: runs the chart. Dice, cards and answers come from an input source
//!   (`adjutant_dice::InputSource`).
//! - [`Resolution`]: everything that happened in the run: each roll with its faces, each modifier
//!   and whether it counted, the score, the row, the result, what changes and what follows. The
//!   one-line answer, the JSON and the page are renderings of it.
//! - [`odds()`]: the exact probability distribution of a chart. [`odds_of_series`] does the same
//!   for several checks in a row.
//! - [`Sampler`]: samples a chart many times. It also works for charts that are too large for exact
//!   odds.
//! - [`FightChain`]: the odds of a fight, which repeats charts until it is decided. [`FightPlayer`]
//!   simulates a fight.
//! - [`try_suite`]: runs the test cases of a pack and reports their [`Coverage`].
//!
//! Every run ends: look-ups are acyclic, the rolls in a run are counted, and dice, rows, cards and
//! nesting are limited.
//!
//! ```
//! use adjutant_dice::EnteredInput;
//! use adjutant_engine::{Situation, resolve};
//!
//! let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
//! let mut situation = Situation::new(&pack, "rally").unwrap();
//! situation.give("element.quality", "1").unwrap();
//! let account = resolve(&mut situation, &mut EnteredInput::new().with_dice([5])).unwrap();
//! assert_eq!(account.result.unwrap().title, "Unsuppressed");
//! ```

mod apply;
mod case_report;
mod change;
mod coverage;
mod decks;
mod draw;
mod error;
mod fight;
mod handful;
mod modifiers;
mod needs;
mod odds;
mod others;
mod printed;
mod questions;
mod read_rows;
mod resolution;
mod ruled_out;
mod run;
mod run_steps;
mod sample;
mod situation;

pub use case_report::{
    CaseError, CaseFailure, CaseOutcome, CaseReport, Compared, Difference, Expected, Failure,
    SayError, completed_cases, try_suite,
};
pub use change::{Change, ChangeKind, ChangeTerms, NewUnits, Target};
pub use coverage::{Coverage, CoveragePoint, all_marks};
pub use decks::{CardMove, CardMoveKind, CardOwner, Decks, Owners};
pub use error::{InputError, NoOdds, OptionOff, ResolveError};
pub use fight::{
    DecisionOdds, DecisionOutlook, EndPoint, FightChain, FightLimits, FightMean, FightMemory,
    FightOdds, FightPlayer, FightSituation, FightTally, Limit, NO_SIDE_LEFT, Outlook, PlayedFights,
    Share, SideOdds, SideOutlook, TotalOdds, TotalOutlook,
};
pub use needs::{needs, relevant, roles_in_use};
pub use odds::{
    AnswerOdds, AnswerOddsError, Branch, BranchChange, CardPlan, Chance, Distribution, FirstChance,
    Follow, Joint, Mean, NotFollowed, OddsError, OddsOptions, OddsOutcome, OddsReport,
    OutcomeChance, Plan, Series, SeriesBranch, Stop, TooLarge, TooMany, UnaskedQuestions,
    Unfollowed, UnfollowedChance, ValueTable, all_results, check_answers, could_hold, differences,
    in_sheet_order, odds, odds_at_once, odds_by_running, odds_of_series, percent_in_short,
    percent_in_words, percent_to, sheet_place,
};
pub use others::concerns;
pub use printed::{PrintedCell, printed_cells};
pub use questions::{PossibleQuestion, find_question, questions};
pub use resolution::{
    AnswerStep, CardFieldLine, ChitFor, DieLine, DieTest, FollowUp, LookUpStep, MemberLine,
    ModifierKind, ModifierLine, OptionLine, Others, ReadingLine, RepeatLine, Resolution,
    ResultLine, RollKind, RollStep, Step, TallyLine,
};
pub use ruled_out::{RuledOutBy, RuledOutLine};
pub use run::{Interrupted, resolve};
pub use sample::{
    Counted, Evidence, LiveDeck, PlayedSampler, Prepared, SampleRng, Sampler, Tally, chi_square,
    wilson,
};
pub use situation::Situation;
