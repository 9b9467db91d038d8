//! `adjutant roll`: a chart, played.

use crate::args::Roll;
use crate::ask;
use crate::shelf::Shelf;
use crate::tell;
use crate::verdict::Verdict;
use chance::{Mixed, Need, Random, Stop, Wanted};
use sheet::{Pack, nearest};
use umpire::{Account, Situation, Stopped, questions, resolve};

pub fn roll(shelf: &Shelf, roll: &Roll) -> Verdict {
    let opened = match shelf.open(&roll.pack) {
        Ok(opened) => opened,
        Err(verdict) => return verdict,
    };
    let mut situation = match prepare(&opened.pack, roll) {
        Ok(situation) => situation,
        Err(wrong) => return Verdict::wrong(&wrong),
    };
    if ask::in_terminal() && !roll.json && !umpire::needs(&situation).is_empty() {
        if let Err(why) = ask::fill_in(&mut situation) {
            return Verdict::wrong(&[why]);
        }
    }
    let mut seam = match source(roll, &opened.pack, &situation) {
        Ok(seam) => seam,
        Err(wrong) => return Verdict::wrong(&wrong),
    };
    let outcome = if ask::in_terminal() && !roll.json {
        resolve(&mut situation, &mut ask::Asking::new(&mut seam, roll.own))
    } else {
        resolve(&mut situation, &mut seam)
    };
    match outcome {
        Ok(account) => match seam.finish() {
            Ok(()) => Verdict::done(rendered(&opened.pack, &account, roll.json)),
            Err(stop) => Verdict::wrong(&[stop.to_string()]),
        },
        Err(stopped) => stopped_verdict(&opened.pack, &stopped, roll),
    }
}

fn rendered(pack: &Pack, account: &Account, json: bool) -> String {
    if json { crate::json::pretty(account) } else { tell::account(pack, account) }
}

/// All that is wrong with what was given, at once.
fn prepare<'p>(pack: &'p Pack, roll: &Roll) -> Result<Situation<'p>, Vec<String>> {
    let mut situation = Situation::new(pack, &roll.chart).map_err(|refusal| vec![refusal.0])?;
    let mut wrong = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for text in &roll.inputs {
        match pair(text) {
            Ok((name, _)) if !seen.insert(name) => wrong.push(format!("`{name}` is given twice")),
            Ok((name, value)) => wrong.extend(situation.give(name, value).err().map(|refusal| refusal.0)),
            Err(why) => wrong.push(why),
        }
    }
    for text in &roll.option {
        match pair(text) {
            Ok((name, value)) => wrong.extend(situation.set_option(name, value).err().map(|refusal| refusal.0)),
            Err(why) => wrong.push(why),
        }
    }
    for text in &roll.memory {
        match pair(text) {
            Ok((name, value)) => wrong.extend(situation.set_memory(name, value).err().map(|refusal| refusal.0)),
            Err(why) => wrong.push(why),
        }
    }
    match numbers("--gone", roll.gone.as_deref()) {
        Ok(gone) => wrong.extend(situation.take_out(&gone).err().map(|refusal| refusal.0)),
        Err(why) => wrong.push(why),
    }
    if wrong.is_empty() { Ok(situation) } else { Err(wrong) }
}

/// `name=value` in two parts.
fn pair(text: &str) -> Result<(&str, &str), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim(), value)),
        _ => Err(format!("`{}` should be written as name=value", text.chars().filter(|c| !c.is_control()).take(60).collect::<String>())),
    }
}

/// A list of numbers such as 7,3; `0` may be a ten.
pub fn numbers(flag: &str, list: Option<&[String]>) -> Result<Vec<u32>, String> {
    let list = list.unwrap_or_default();
    let one = |text: &String| {
        text.trim()
            .parse::<u32>()
            .map_err(|_| format!("{flag}: `{}` is not a whole number: write {flag} 7,3", text.trim().chars().take(20).collect::<String>()))
    };
    list.iter().filter(|text| list.len() > 1 || !text.trim().is_empty()).map(one).collect()
}

/// Where faces, cards and answers come from.
fn source(roll: &Roll, pack: &Pack, situation: &Situation<'_>) -> Result<Mixed, Vec<String>> {
    let mut wrong = Vec::new();
    let luck = match roll.seed {
        Some(seed) => Random::seeded(seed),
        None => Random::from_system().map_err(|stop| vec![stop.to_string()])?,
    };
    let mut seam = Mixed::new(luck);
    let given = [("--dice", &roll.dice), ("--cards", &roll.cards)].map(|(flag, list)| numbers(flag, list.as_deref()));
    match given {
        [Ok(dice), Ok(cards)] => {
            if roll.dice.is_some() || roll.own {
                seam = seam.with_dice(dice);
            }
            if roll.cards.is_some() || roll.own {
                seam = seam.with_cards(cards);
            }
        }
        given => wrong.extend(given.into_iter().filter_map(Result::err)),
    }
    let known = questions(pack, situation.chart());
    for text in &roll.answer {
        match pair(text) {
            Err(why) => wrong.push(why),
            Ok((key, answer)) => match known.iter().find(|question| question.key == key) {
                Some(question) => {
                    wrong.extend(question.accepts.read(answer).err().map(|why| format!("{key}: {why}")));
                    seam = seam.with_answer(key, answer);
                }
                None => {
                    let keys: Vec<&str> = known.iter().map(|question| question.key.as_str()).collect();
                    let remedy = match nearest(key, keys.iter().copied()) {
                        Some(close) => format!("did you mean `{close}`?"),
                        None if keys.is_empty() => "it asks none".to_owned(),
                        None => format!("it may ask: {}", keys.join(", ")),
                    };
                    wrong.push(format!("{} asks no question `{key}`: {remedy}", situation.chart().title));
                }
            },
        }
    }
    if wrong.is_empty() { Ok(seam) } else { Err(wrong) }
}

/// A run that stopped: the sentence on standard error, and for JSON the account so far with its needs.
fn stopped_verdict(pack: &Pack, stopped: &Stopped, roll: &Roll) -> Verdict {
    let sentences = match &stopped.refused {
        Some(why) => vec![why.clone()],
        None => stopped.account.needs.iter().map(|need| need_sentence(need, roll)).collect(),
    };
    let verdict = Verdict::wrong(&sentences);
    if roll.json {
        return verdict.with_out(crate::json::stopped(&stopped.account, stopped.refused.as_deref()));
    }
    let begun = !stopped.account.throws.is_empty();
    if begun { verdict.with_out(tell::account(pack, &stopped.account)) } else { verdict }
}

fn need_sentence(need: &Need, roll: &Roll) -> String {
    let what = &need.what_for;
    match &need.wanted {
        Wanted::Input { accepts } => format!("missing: {}={accepts}  ({what})", need.key),
        Wanted::Answer { accepts } => {
            format!("a question waits for its answer: {what}\n          add --answer {}=…  accepted: {accepts}", need.key)
        }
        Wanted::Dice { count, sides } => {
            let given = roll.dice.as_ref().map_or(0, Vec::len);
            let faces = if given == 1 { "face" } else { "faces" };
            format!("the next throw is {count}d{sides} for {} ({what}): --dice holds {given} {faces}, which is too few", need.key)
        }
        Wanted::Card { deck } => {
            let given = roll.cards.as_ref().map_or(0, Vec::len);
            format!("the next card of {deck} is for {} ({what}): --cards holds {given} of the cards it takes", need.key)
        }
    }
}

impl From<Stop> for Verdict {
    fn from(stop: Stop) -> Verdict {
        Verdict::wrong(&[stop.to_string()])
    }
}
