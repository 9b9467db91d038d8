//! `adjutant fight`: who wins when charts are rolled until something is decided. The chances are
//! exact where all states of the fight can be computed; a larger fight is simulated, and the answer
//! says so.

mod tell;
mod vary;

use crate::args::Fight as Asked;
use crate::error::{CommandError, CommandResult};
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use crate::request::Request;
use crate::uses::without_effect;
use crate::work::{self, cores};
use adjutant_api::{FightLimitsQuery, ListedChart};
use adjutant_engine::Outlook;
use adjutant_pack::Pack;

pub fn fight(shelf: &PackRegistry, asked: &Asked) -> CommandResult {
    let opened = shelf.open(&asked.pack)?;
    let pack = &opened.pack;
    let Some(id) = &asked.fight else {
        without_effect(
            "on the list of fights: name a fight",
            &[
                ("--option", !asked.given.option.is_empty()),
                ("--memory", !asked.given.memory.is_empty()),
                ("--answer", !asked.answer.is_empty()),
                ("--vary", !asked.vary.is_empty()),
                ("--samples", asked.samples.is_some()),
                ("--seed", asked.seed.is_some()),
                ("--max-time", asked.max_time.is_some()),
                ("--max-memory", asked.max_memory.is_some()),
            ],
        )?;
        return Ok(CommandOutput::done(if asked.json {
            crate::json::pretty(&ListedChart::fights(pack).collect::<Vec<_>>())
        } else {
            list(pack)
        }));
    };
    let mut request =
        Request::of_fight(pack, id, &asked.given, &asked.answer)?.with_seed(asked.seed);
    let over = request.axes(&asked.vary);
    let mut request = request.asking(asked.json, &over)?;
    let shown = match asked.vary.is_empty() {
        true => one(&mut request, pack, asked)?,
        false => vary::vary(&mut request, pack, &over, asked)?,
    };
    Ok(CommandOutput::done(shown))
}

/// One fight, as text or JSON.
fn one(request: &mut Request<'_>, pack: &Pack, asked: &Asked) -> Result<String, CommandError> {
    let work = work::long(cores());
    let answer = request.ask(|query| adjutant_query::fight(pack, query, &limits(asked), &work))?;
    refuse_idle(asked, [&answer.outlook])?;
    Ok(match asked.json {
        true => crate::json::pretty(&answer.data()),
        false => tell::as_text(&answer.situation, &answer.outlook),
    })
}

/// What a fight may cost.
fn limits(asked: &Asked) -> FightLimitsQuery {
    FightLimitsQuery {
        samples: asked.samples,
        max_time: asked.max_time.map(|seconds| seconds as f64),
        max_memory: asked.max_memory,
    }
}

/// Refuses options of a simulation if nothing was simulated.
fn refuse_idle<'o>(
    asked: &Asked,
    outlooks: impl IntoIterator<Item = &'o Outlook>,
) -> Result<(), CommandError> {
    if outlooks.into_iter().any(|outlook| outlook.played.is_some()) {
        return Ok(());
    }
    without_effect(
        "here, because the odds are exact and nothing is simulated: use `adjutant sim` to simulate the fight",
        &[("--samples", asked.samples.is_some()), ("--seed", asked.seed.is_some())],
    )
}

/// The fights of a pack.
fn list(pack: &Pack) -> String {
    if pack.fights().is_empty() {
        return format!(
            "{} has no fights. Its charts: adjutant charts {}\n",
            pack.title(),
            pack.id()
        );
    }
    crate::show::fights_table(pack).print()
}
