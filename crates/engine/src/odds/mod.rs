//! Exact chances of a chart. The chart itself is run, once for every outcome that matters, so the odds
//! can never disagree with the play; faces and cards that come to the same are run once and weighed. All
//! weights are whole numbers over one total; a float appears only when a per cent is printed.
//!
//! A redraw or reshuffle that may go on for ever is solved: a throw that stands where it stood before
//! adds nothing, so what remains is weighed without it.

mod answer;
mod cards;
mod chain;
mod compare;
mod explore;
mod joint;
mod order;
mod plan;
mod series;
mod spread;
mod whole;

pub use cards::CardPlan;
pub(crate) use cards::Fate;
pub(crate) use cards::Way;
pub use compare::{all_results, could_hold};

pub use explore::{AnswerOdds, Asked, OddsStop};
pub(crate) use explore::{open_need, outcome, weigh, weigh_within};
pub use joint::Joint;
pub use order::{in_sheet_order, percent_in_short, percent_in_words, percent_to, sheet_place};
pub use plan::Plan;
pub use series::{Series, SeriesBranch, odds_of_series};
pub use spread::{Branch, Chance, Chanced, Mean, Outcome, Report, Spread};

use crate::situation::Situation;
use adjutant_dice::{Accepts, Answer};

/// How many combinations of answers are shown side by side at most.
const MOST_BRANCHES: usize = 64;

/// The exact chances of a chart. A question to a player that is not answered beforehand becomes one
/// branch for each answer.
///
/// ```
/// use adjutant_engine::{Asked, Situation, odds};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
/// let situation = Situation::new(&pack, "rally").unwrap();
/// let report = odds(&situation, &Asked::default()).unwrap();
/// let unsuppressed = report.branches[0].spread.results.iter().find(|r| r.id == "unsuppressed").unwrap();
/// assert_eq!(unsuppressed.chance.exact(), "3/10");
/// ```
pub fn odds(situation: &Situation<'_>, asked: &Asked) -> Result<Report, OddsStop> {
    let found = branches(&mut |said| {
        if !asked.follow
            && let Some(plan) = Plan::new(situation)
        {
            return Ok(Spread::of_plan(&plan));
        }
        match CardPlan::with(situation, asked, said) {
            Ok(plan) => Ok(Spread::of_cards(&plan, &situation.decks[plan.deck()])),
            Err(_) => explore::explore(situation, asked, said),
        }
    })?;
    Ok(Report { branches: found.into_iter().map(|(answers, spread)| Branch { answers, spread }).collect() })
}

/// The same as [`odds`] for a chart that is a few throws, a sum and bands: found in microseconds. None for any other.
pub fn odds_at_once(situation: &Situation<'_>) -> Option<Report> {
    let spread = Spread::of_plan(&Plan::new(situation)?);
    Some(Report { branches: vec![Branch { answers: Vec::new(), spread }] })
}

/// The same as [`odds`], always by running the chart; the slow twin of the short way.
pub fn odds_by_running(situation: &Situation<'_>, asked: &Asked) -> Result<Report, OddsStop> {
    let spread = explore::explore(situation, asked, &[])?;
    Ok(Report { branches: vec![Branch { answers: Vec::new(), spread }] })
}

/// What is found for each way the open questions may be answered, with the answers.
type Branches<T> = Vec<(Vec<(String, Answer)>, T)>;
/// Finds something, given answers to the questions that were open.
type Find<'a, T> = &'a mut dyn FnMut(&[(String, Answer)]) -> Result<T, OddsStop>;

fn branches<T>(find: Find<'_, T>) -> Result<Branches<T>, OddsStop> {
    let mut found = Vec::new();
    branch(find, &mut Vec::new(), &mut found)?;
    Ok(found)
}

fn branch<T>(find: Find<'_, T>, said: &mut Vec<(String, Answer)>, found: &mut Branches<T>) -> Result<(), OddsStop> {
    match find(said) {
        Ok(here) => {
            found.push((said.clone(), here));
            Ok(())
        }
        Err(OddsStop::Open(question)) => {
            let answers = match &question.accepts {
                Accepts::YesNo => vec![Answer::YesNo(true), Answer::YesNo(false)],
                Accepts::Choice { words } => words.iter().map(|word| Answer::Choice(word.id.clone())).collect(),
                Accepts::Number { .. } => return Err(OddsStop::Open(question)),
            };
            for answer in answers {
                if found.len() >= MOST_BRANCHES {
                    return Err(OddsStop::TooLarge);
                }
                said.push((question.key.clone(), answer));
                branch(find, said, found)?;
                said.pop();
            }
            Ok(())
        }
        Err(stop) => Err(stop),
    }
}
