//! `adjutant roll`: a chart, played; or dice in plain notation.

use crate::args::{DiceArgs, Roll};
use crate::ask;
use crate::error::{CommandResult, Said};
use crate::output::CommandOutput;
use crate::pack_registry::PackRegistry;
use crate::paint::{WARN, in_style};
use crate::request::Request;
use crate::setup::{self, ArgumentError, faces, numbers};
use crate::tell;
use adjutant_api::StoppedRoll;
use adjutant_dice::{InputSource, Missing, MixedInput, RandomInput, Wanted};
use adjutant_engine::{Interrupted, Resolution, Situation, resolve};
use adjutant_pack::{Chart, Luck, Pack};

pub fn roll(shelf: &PackRegistry, roll: &Roll) -> CommandResult {
    if let Some(formula) = crate::notation::named(shelf, &roll.setup)? {
        return crate::notation::roll(&formula, roll);
    }
    let opened = shelf.open(&roll.setup.pack)?;
    let mut situation = Request::of_chart(&opened.pack, &roll.setup, &[], false)?.situation()?;
    let asking = ask::in_terminal() && !roll.json;
    if asking && !adjutant_engine::needs(&situation).is_empty() {
        ask::fill_in(&mut situation)?;
    }
    let mut source = source(&roll.luck, &opened.pack, situation.chart())?;
    if roll.luck.dice.is_none() && roll.luck.cards.is_none() && !roll.luck.own {
        refuse_unasked(&situation, &roll.luck)?;
    }
    let outcome = if asking {
        resolve(&mut situation, &mut ask::PromptInput::new(&mut source, roll.luck.own))
    } else {
        resolve(&mut situation, &mut source)
    };
    match outcome {
        Ok(mut resolution) => {
            resolution.ruled_out = situation.ruled_out();
            source.finish().said()?;
            Ok(CommandOutput::done(rendered(&opened.pack, &resolution, roll.json)))
        }
        Err(stopped) => Ok(stopped_output(&situation, &stopped, roll)),
    }
}

fn rendered(pack: &Pack, resolution: &Resolution, json: bool) -> String {
    if json {
        return crate::json::pretty(resolution);
    }
    let mut out = tell::resolution(pack, resolution);
    for why in adjutant_wording::en::ruled_out_alone(resolution) {
        out.push_str(&format!("{}\n", in_style(WARN, why)));
    }
    out
}

/// Where faces, cards and answers come from.
pub fn source(given: &DiceArgs, pack: &Pack, chart: &Chart) -> Result<MixedInput, Vec<String>> {
    let mut wrong = Vec::new();
    let Luck { dice, cards } = pack.luck_of(chart);
    if given.seed.is_some() && (!dice || given.dice.is_some()) && (!cards || given.cards.is_some())
    {
        let what = if dice || cards { "all of the luck is yours" } else { "nothing is rolled" };
        wrong.push(format!("--seed has no effect, because {what}: leave it out"));
    }
    if given.own && !dice && !cards {
        wrong.push("--own has no effect, because nothing is rolled: leave it out".to_owned());
    }
    let luck = match given.seed {
        Some(seed) => RandomInput::seeded(seed),
        None => RandomInput::from_system()
            .map_err(|stop| vec![adjutant_wording::en::source_error(&stop)])?,
    };
    let mut source = MixedInput::new(luck).with_defaults();
    match faces("--dice", given.dice.as_deref(), !pack.dice().is_empty()) {
        Ok(dice) if given.dice.is_some() || given.own => source = source.with_faces(dice),
        Ok(_) => {}
        Err(why) => wrong.push(why.to_string()),
    }
    match numbers("--cards", given.cards.as_deref()) {
        Ok(cards) if given.cards.is_some() || given.own => source = source.with_cards(cards),
        Ok(_) => {}
        Err(why) => wrong.push(why.to_string()),
    }
    for text in &given.answer {
        match setup::question(pack, &chart.title, &[chart], text).and_then(|(question, answer)| {
            question
                .accepts
                .read(answer)
                .map_err(|why| ArgumentError::Answer { key: question.key.clone(), why })?;
            Ok((question.key, answer))
        }) {
            Ok((key, answer)) => source = source.with_answer(key, answer),
            Err(why) => wrong.push(why.to_string()),
        }
    }
    if wrong.is_empty() { Ok(source) } else { Err(wrong) }
}

/// Refuses answers to questions that cannot come up here. Only where luck decides which of them do
/// is an answer in advance of use.
pub fn refuse_unasked(situation: &Situation<'_>, luck: &DiceArgs) -> Result<(), Vec<String>> {
    let answers: Result<Vec<_>, _> = luck.answer.iter().map(|text| setup::pair(text)).collect();
    let answers = answers.map_err(|why| vec![why.to_string()])?;
    adjutant_query::refuse_answers(situation, answers, false).map_err(|why| why.sentences())
}

/// A run that stopped: the sentence on standard error, and for JSON the account so far with its
/// needs.
fn stopped_output(situation: &Situation<'_>, stopped: &Interrupted, roll: &Roll) -> CommandOutput {
    let sentences = match (&stopped.refused, situation.closed_by()) {
        (Some(why), Some(option)) => vec![format!(
            "{}: add --option {}=yes",
            adjutant_wording::en::resolve_error(why),
            option.field.id
        )],
        (Some(why), None) => vec![adjutant_wording::en::resolve_error(why)],
        (None, _) => {
            stopped.resolution.needs.iter().map(|need| need_sentence(need, &roll.luck)).collect()
        }
    };
    let output = CommandOutput::failed(&sentences);
    if roll.json {
        let error = stopped.refused.as_deref().map(adjutant_wording::en::resolve_error);
        return output.with_out(crate::json::pretty(&StoppedRoll {
            resolution: &stopped.resolution,
            error,
        }));
    }
    let started = stopped.resolution.rolls().next().is_some();
    if started {
        output.with_out(tell::resolution(situation.pack(), &stopped.resolution))
    } else {
        output
    }
}

pub fn need_sentence(need: &Missing, luck: &DiceArgs) -> String {
    let what = adjutant_wording::en::what_for(need);
    match &need.wanted {
        Wanted::Input { accepts } => {
            format!("missing: {}={}  ({what})", need.key, adjutant_wording::en::accepted(accepts))
        }
        Wanted::Answer { accepts } => {
            format!(
                "a question waits for its answer: {what}\n          add --answer {}=…  accepted: {}",
                need.key,
                adjutant_wording::en::accepted(accepts)
            )
        }
        Wanted::Dice { count, faces: names, .. } if !names.is_empty() => {
            let given = luck.dice.as_ref().map_or(0, Vec::len);
            let mut names = names.clone();
            names.dedup();
            format!(
                "the next roll is {count} dice for {} ({what}): --dice holds {given} faces, which is too few; the faces are {}",
                need.key,
                names.join(", ")
            )
        }
        Wanted::Dice { count, sides, .. } => {
            let given = luck.dice.as_ref().map_or(0, Vec::len);
            let faces = if given == 1 { "face" } else { "faces" };
            format!(
                "the next roll is {count}d{sides} for {} ({what}): --dice holds {given} {faces}, which is too few",
                need.key
            )
        }
        Wanted::Card { deck } => {
            let given = luck.cards.as_ref().map_or(0, Vec::len);
            format!(
                "the next card of {deck} is for {} ({what}): --cards holds {given} of the cards it takes",
                need.key
            )
        }
    }
}
