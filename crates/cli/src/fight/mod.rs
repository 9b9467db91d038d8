//! `adjutant fight`: who wins when charts are thrown until something is decided. The chances are exact where all ways the
//! fight can stand can be weighed; a larger fight is played many times, and the answer says so.

mod played;
mod tell;
mod vary;

pub use played::play;
pub use umpire::FightTally;

use crate::args::{Fight as Asked, Given};
use crate::crew::cores;
use crate::odds::{answers_of, sentences};
use crate::setup;
use crate::shelf::Shelf;
use crate::sim::new_seed;
use crate::verdict::Verdict;
use sheet::Pack;
use std::time::{Duration, Instant};
use umpire::{FightChain, FightOdds, FightSituation, OddsStop};
use web::answer::Outlook;
pub use web::answer::charts_of;

/// How often a fight is played that is too large to be weighed, if there is time.
const FIGHTS: u64 = 200_000;
/// How long that may take.
const PATIENCE: Duration = Duration::from_secs(3);

pub fn fight(shelf: &Shelf, asked: &Asked) -> Verdict {
    let opened = match shelf.open(&asked.pack) {
        Ok(opened) => opened,
        Err(verdict) => return verdict,
    };
    let pack = &opened.pack;
    let Some(id) = &asked.fight else {
        return Verdict::done(if asked.json { crate::json::pretty(&crate::json::fights(pack)) } else { list(pack) });
    };
    let shown = prepare(pack, id, &asked.given, &asked.answer).and_then(|situation| match asked.vary.is_empty() {
        true => {
            let outlook = look(&situation, asked)?;
            Ok(if asked.json { tell::as_json(&situation, &outlook) } else { tell::as_text(&situation, &outlook) })
        }
        false => vary::vary(&situation, asked),
    });
    shown.map_or_else(|wrong| Verdict::wrong(&wrong), Verdict::done)
}

/// The fights of a pack.
fn list(pack: &Pack) -> String {
    if pack.fights.is_empty() {
        return format!("{} has no fights. Its charts: adjutant charts {}\n", pack.title, pack.id);
    }
    crate::show::fights_table(pack).print()
}

/// The fight as it begins, or every sentence on what is wrong.
pub fn prepare<'p>(pack: &'p Pack, id: &str, given: &Given, answers: &[String]) -> Result<FightSituation<'p>, Vec<String>> {
    if let (Some((name, _)), [first, ..]) = (id.split_once('='), pack.fights.as_slice()) {
        let name: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
        return Err(vec![format!("name the fight before `{name}`: adjutant fight {} {} {name}=…", pack.id, first.id)]);
    }
    if pack.fight(id).is_none() && pack.chart(id).is_some() {
        return Err(vec![format!("`{id}` is a chart, not a fight: adjutant odds {} {id}", pack.id)]);
    }
    let mut situation = FightSituation::new(pack, id).map_err(|refusal| vec![refusal.0])?;
    let (refused, more) = setup::tell(&mut situation, given);
    let mut wrong: Vec<String> = refused.into_iter().map(|(_, refusal)| refusal).chain(more).collect();
    match answers_of(pack, &situation.fight().title, &charts_of(pack, situation.fight()), answers) {
        Ok(taken) => situation.asked.answers = taken,
        Err(more) => wrong.extend(more),
    }
    if wrong.is_empty() { Ok(situation) } else { Err(wrong) }
}

/// The chances, and how many ways it can stand when a round begins.
pub fn weigh(situation: &FightSituation<'_>) -> Result<(FightOdds, usize), OddsStop> {
    let chain = FightChain::new(situation)?;
    Ok((chain.solve()?, chain.standings()))
}

/// The exact chances where there are any, else what playing shows.
fn look(situation: &FightSituation<'_>, asked: &Asked) -> Result<Outlook, Vec<String>> {
    let wrong = |stop: OddsStop| sentences(situation.closed_by(), &stop);
    match weigh(situation) {
        Ok((odds, standings)) => Ok(Outlook::weighed(odds, standings)),
        Err(OddsStop::TooLarge) => {
            let seed = asked.seed.map_or_else(new_seed, Ok).map_err(|why| vec![why])?;
            // Whoever says how many wants them all, and the same every time.
            let until = asked.samples.is_none().then(|| Instant::now() + PATIENCE);
            let tally = play(situation, seed, asked.samples.unwrap_or(FIGHTS), cores(), until).map_err(wrong)?;
            Ok(Outlook::played(situation, &tally, seed))
        }
        Err(stop) => Err(wrong(stop)),
    }
}
