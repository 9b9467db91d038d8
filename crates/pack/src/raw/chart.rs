//! The raw form of a chart.

use super::draw::RawDraw;
use super::field::{self, RawField};
use super::read::{self, RawRead};
use super::roll::RawRoll;
use crate::format;
use crate::problem::{KeyProblem, Owner, Part, StepProblem};
use crate::text::clip;
use crate::tree::{Keys, Located, Place};

pub(crate) struct RawChart {
    pub id: Located<String>,
    pub at: Place,
    pub title: String,
    pub about: String,
    pub who: Vec<(Located<String>, Located<String>)>,
    /// Pairs of roles whose units are on different sides.
    pub enemies: Vec<(Located<String>, Located<String>)>,
    pub joined: Vec<(Located<String>, Located<String>)>,
    pub only: Vec<RawOnly>,
    pub lands_on: Option<Located<String>>,
    pub needs_option: Option<Located<String>>,
    pub readings: Vec<Located<String>>,
    pub notes: Vec<String>,
    pub each: Option<Located<String>>,
    pub random: Option<Located<String>>,
    pub order: Option<Located<String>>,
    pub tally: Vec<RawTally>,
    pub together: Option<Located<String>>,
    pub printed: Option<RawPrinted>,
    pub asks: Vec<RawAsk>,
    pub steps: Vec<RawStep>,
    /// Whether the key `read` is present, even if its value could not be read.
    pub says_read: bool,
    pub read: Option<RawRead>,
    /// Names of inputs and steps that could not be read.
    pub broken: Vec<String>,
}

/// The units that a role is for.
pub(crate) struct RawOnly {
    pub role: Located<String>,
    pub when: Located<String>,
    pub label: String,
}

pub(crate) struct RawAsk {
    pub role: Option<Located<String>>,
    pub field: RawField,
}

pub(crate) struct RawPrinted {
    pub file: Located<String>,
    pub down: Located<String>,
    pub across: Located<String>,
    pub option: Option<Located<String>>,
}

pub(crate) struct RawTally {
    pub label: String,
    pub count: Located<String>,
    pub at_least: u32,
    pub result: Located<String>,
    pub on: Option<Located<String>>,
}

pub(crate) struct RawStep {
    pub at: Place,
    pub name: Located<String>,
    pub title: String,
    pub text: String,
    /// Whether the step is on the sheet.
    pub sheet: bool,
    pub when: Option<Located<String>>,
    pub kind: RawStepKind,
    pub most: Option<Located<String>>,
    pub least: Option<Located<String>>,
    pub reading: Option<Located<String>>,
    pub add: Vec<RawModifier>,
    pub again: Vec<RawAgain>,
}

pub(crate) enum RawStepKind {
    Roll(Box<RawRoll>),
    Draw(Box<RawDraw>),
    Ask(Box<RawField>),
    LookUp(RawLookUp),
    WorkOut(Located<String>),
}

pub(crate) struct RawLookUp {
    pub chart: Located<String>,
    /// How many times the chart is run; once if not said.
    pub times: Option<Located<String>>,
    pub with: Vec<(Located<String>, Located<String>)>,
    pub who: Vec<(Located<String>, Located<String>)>,
}

pub(crate) struct RawModifier {
    pub at: Place,
    pub label: String,
    pub text: String,
    pub plus: Option<Located<String>>,
    pub times: Option<Located<String>>,
    pub dice: Option<Located<String>>,
    pub when: Option<Located<String>>,
    pub best_of: Option<String>,
    pub reading: Option<Located<String>>,
}

pub(crate) struct RawAgain {
    pub at: Place,
    pub when: Located<String>,
    pub ask: Option<String>,
    pub assume: Option<Located<String>>,
    pub because: String,
    pub text: String,
    pub reshuffle: bool,
    pub at_most: Option<u32>,
    pub look_up: Option<RawLookUp>,
    pub name: Option<Located<String>>,
    pub stop: Option<RawStop>,
    pub ask_again: Option<RawAskAgain>,
}

pub(crate) struct RawStop {
    pub when: Option<Located<String>>,
    pub result: Located<String>,
    pub on: Option<Located<String>>,
}

pub(crate) struct RawAskAgain {
    pub when: Option<Located<String>>,
    pub inputs: Vec<Located<String>>,
}

pub(super) fn read(id: Located<String>, keys: Keys<'_>) -> RawChart {
    let mut broken = Vec::new();
    let section = |key: &str| Owner::Section(format!("chart.{}.{key}", clip(&id.it)).into());
    let chart = RawChart {
        at: keys.at.clone(),
        title: keys.need_text("title").map(|t| t.it).unwrap_or_default(),
        about: keys.text_or_empty("about"),
        who: keys.exprs("who", Part::Roles),
        enemies: keys.exprs("enemies", Part::Enemies),
        joined: keys.exprs("joined", Part::Joined),
        only: keys.table("only", section("only")).map(read_only).unwrap_or_default(),
        lands_on: keys.text("lands_on"),
        needs_option: keys.text("needs_option"),
        readings: keys.texts("readings"),
        notes: keys.texts("notes").into_iter().map(|t| t.it).collect(),
        each: keys.text("each"),
        random: keys.text("random"),
        order: keys.text("order"),
        tally: keys.tables("tally", Part::Tally).into_iter().filter_map(read_tally).collect(),
        together: keys.expr("together"),
        printed: keys.table("printed", Part::PrintedTable).and_then(read_printed),
        asks: keys
            .table("ask", section("ask"))
            .map(|inner| read_asks(inner, &mut broken))
            .unwrap_or_default(),
        steps: keys
            .tables("step", Part::Step)
            .into_iter()
            .filter_map(|inner| read_step(inner, &mut broken))
            .collect(),
        says_read: keys.has("read"),
        read: keys.table("read", section("read")).map(read::read),
        broken,
        id,
    };
    keys.done(format::Chart::KEYS);
    chart
}

pub(super) fn read_asks(keys: Keys<'_>, broken: &mut Vec<String>) -> Vec<RawAsk> {
    let mut asks = Vec::new();
    for (name, value) in keys.rest() {
        if format::Chart::KEYS.contains(&name.it.as_str())
            && !matches!(value.it, toml::de::DeValue::Table(_))
        {
            keys.faults().add(&name.at, KeyProblem::AmongQuestions { key: name.text() });
            continue;
        }
        let Some(inner) = keys.keys_of(&value, &name.it, Owner::Named(name.clip())) else {
            broken.push(name.it);
            continue;
        };
        if field::is_field(&inner) || !inner.holds_tables() {
            match field::read(name.clone(), &inner, format::Question::KEYS) {
                Some(field) => asks.push(RawAsk { role: None, field }),
                None => broken.push(name.it),
            }
        } else {
            let of_role = field::read_all(inner);
            asks.extend(
                of_role.into_iter().map(|field| RawAsk { role: Some(name.clone()), field }),
            );
        }
    }
    asks
}

fn read_only(keys: Keys<'_>) -> Vec<RawOnly> {
    let read = |(role, value): (Located<String>, _)| {
        let inner = keys.keys_of(&value, &role.it, Owner::Named(role.clip()))?;
        let label = inner.need_text("label").map(|text| text.it).unwrap_or_default();
        let when = inner.expr("when").or_else(|| missing(&inner, "when"));
        inner.done(format::Only::KEYS);
        Some(RawOnly { role, when: when?, label })
    };
    keys.rest().into_iter().filter_map(read).collect()
}

fn read_tally(keys: Keys<'_>) -> Option<RawTally> {
    let tally = RawTally {
        label: keys.text_or_empty("label"),
        count: keys.expr("count").or_else(|| missing(&keys, "count"))?,
        at_least: whole(&keys, "at_least").unwrap_or(1),
        result: keys.need_text("result")?,
        on: keys.text("on"),
    };
    keys.done(format::Tally::KEYS);
    Some(tally)
}

fn read_printed(keys: Keys<'_>) -> Option<RawPrinted> {
    let printed = RawPrinted {
        file: keys.need_text("file")?,
        down: keys.need_text("down")?,
        across: keys.need_text("across")?,
        option: keys.text("option"),
    };
    keys.done(format::Printed::KEYS);
    Some(printed)
}

fn missing<T>(keys: &Keys<'_>, key: &str) -> Option<T> {
    keys.faults().add(&keys.at, KeyProblem::Missing { key: key.into() });
    None
}

pub(super) fn whole(keys: &Keys<'_>, key: &str) -> Option<u32> {
    whole_to(keys, key, 1000)
}

/// A whole number from 1 to `most`.
pub(super) fn whole_to(keys: &Keys<'_>, key: &str, most: i64) -> Option<u32> {
    let found = keys.number(key)?;
    let n = found.it.as_whole().filter(|n| (1..=most).contains(n)).map(|n| n as u32);
    if n.is_none() {
        keys.faults()
            .add(&found.at, KeyProblem::NotWhole { key: key.into(), found: found.it, most });
    }
    n
}

fn read_step(keys: Keys<'_>, broken: &mut Vec<String>) -> Option<RawStep> {
    let name = keys.text("as").or_else(|| usual_name(&keys));
    let step = read_whole_step(keys, name.clone());
    if step.is_none() {
        broken.extend(name.map(|name| name.it));
    }
    step
}

/// A roll is called `die` and a draw `card`, unless `as` gives another name.
fn usual_name(keys: &Keys<'_>) -> Option<Located<String>> {
    let name = match keys {
        _ if keys.has("as") => return None,
        _ if keys.has("roll") => "die",
        _ if keys.has("draw") || keys.has("play") => "card",
        _ => return None,
    };
    Some(Located { it: name.to_owned(), at: keys.at.clone() })
}

fn read_whole_step(keys: Keys<'_>, name: Option<Located<String>>) -> Option<RawStep> {
    let given: Vec<&'static str> = keys.given(format::Step::ONE_OF);
    if given.is_empty() && keys.strange(format::Step::KEYS) {
        return None;
    }
    if given.len() != 1 {
        let problem = if given.is_empty() {
            StepProblem::DoesNothing
        } else {
            StepProblem::DoesSeveral { keys: given }
        };
        keys.faults().add(&keys.at, problem);
        return None;
    }
    let Some(name) = name else {
        if !keys.has("as") {
            keys.faults().add(&keys.at, StepProblem::NoName);
        }
        return None;
    };
    let kind = match given[0] {
        "roll" => RawStepKind::Roll(Box::new(super::roll::read(&keys)?)),
        "draw" => RawStepKind::Draw(Box::new(super::draw::read(&keys)?)),
        "play" => RawStepKind::Draw(Box::new(super::draw::read_play(&keys)?)),
        "ask" => {
            let inner = keys.table("ask", Part::Question)?;
            RawStepKind::Ask(Box::new(field::read(name.clone(), &inner, format::Field::KEYS)?))
        }
        "look_up" => {
            let times = keys.expr("times");
            RawStepKind::LookUp(RawLookUp { times, ..read_look_up(&keys)? })
        }
        _ => RawStepKind::WorkOut(keys.expr("work_out")?),
    };
    let step = RawStep {
        at: keys.at.clone(),
        title: keys.text_or_empty("title"),
        text: keys.text_or_empty("text"),
        sheet: !keys.has("sheet") || keys.flag("sheet"),
        when: keys.expr("when"),
        kind,
        most: keys.expr("most"),
        least: keys.expr("least"),
        reading: keys.text("reading"),
        add: keys.tables("add", Part::Modifier).into_iter().map(read_modifier).collect(),
        again: keys.tables("again", Part::AgainRule).into_iter().filter_map(read_again).collect(),
        name,
    };
    keys.done(format::Step::KEYS);
    Some(step)
}

fn read_look_up(keys: &Keys<'_>) -> Option<RawLookUp> {
    Some(RawLookUp {
        chart: keys.text("look_up")?,
        times: None,
        with: keys.exprs("with", Owner::Key("with")),
        who: keys.exprs("who", Owner::Key("who")),
    })
}

pub(super) fn read_modifier(keys: Keys<'_>) -> RawModifier {
    let modifier = RawModifier {
        at: keys.at.clone(),
        label: keys.need_text("label").map(|t| t.it).unwrap_or_default(),
        text: keys.text_or_empty("text"),
        plus: keys.expr("plus"),
        times: keys.expr("times"),
        dice: keys.expr("dice"),
        when: keys.expr("when"),
        best_of: keys.text("best_of").map(|t| t.it),
        reading: keys.text("reading"),
    };
    keys.done(format::Modifier::KEYS);
    modifier
}

fn read_again(keys: Keys<'_>) -> Option<RawAgain> {
    let look_up = if keys.has("look_up") { read_look_up(&keys) } else { None };
    let ask = keys.text("ask").map(|text| text.it);
    // A player who may roll again at will needs no condition and no reason.
    let always = || ask.is_some().then(|| Located { it: "yes".into(), at: keys.at.clone() });
    let because = match &ask {
        Some(ask) => keys.text("because").map_or(ask.clone(), |text| text.it),
        None => keys.need_text("because").map(|t| t.it).unwrap_or_default(),
    };
    let when = keys.expr("when").or_else(always);
    let again = RawAgain {
        at: keys.at.clone(),
        when: when.or_else(|| missing(&keys, "when"))?,
        because,
        text: keys.text_or_empty("text"),
        assume: keys.expr("assume"),
        ask,
        reshuffle: keys.flag("reshuffle"),
        at_most: whole(&keys, "at_most"),
        look_up,
        name: keys.text("as"),
        stop: keys.table("stop", Owner::Key("stop")).and_then(|inner| {
            let stop = RawStop {
                when: inner.expr("when"),
                result: inner.need_text("result")?,
                on: inner.text("on"),
            };
            inner.done(format::Stop::KEYS);
            Some(stop)
        }),
        ask_again: keys.table("ask_again", Owner::Key("ask_again")).map(|inner| {
            let ask = RawAskAgain { when: inner.expr("when"), inputs: inner.texts("inputs") };
            inner.done(format::AskAgain::KEYS);
            ask
        }),
    };
    keys.done(format::Again::KEYS);
    Some(again)
}
