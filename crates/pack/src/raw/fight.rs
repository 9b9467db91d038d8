//! The raw form of a fight.

use super::chart::{RawAsk, read_asks};
use crate::format;
use crate::problem::{FightProblem, KeyProblem, Owner, Part};
use crate::text::clip;
use crate::tree::{Keys, Located, Place, expr_of};

pub(crate) struct RawFight {
    pub id: Located<String>,
    pub at: Place,
    pub title: String,
    pub about: String,
    pub notes: Vec<String>,
    pub needs_option: Option<Located<String>>,
    pub sides: Vec<RawSide>,
    pub asks: Vec<RawAsk>,
    pub actions: Vec<RawAction>,
    /// Whether there is an action that could not be read.
    pub some_unread: bool,
    pub follow: Vec<RawFollowed>,
    pub ends: Vec<RawEnd>,
}

pub(crate) struct RawSide {
    pub id: Located<String>,
    pub title: String,
    pub unit: Located<String>,
    pub most: Option<Located<adjutant_dice::Number>>,
    pub out: Option<Located<String>>,
    pub totals: Vec<Located<String>>,
}

pub(crate) struct RawAction {
    pub at: Place,
    pub chart: Option<Located<String>>,
    pub who: Vec<(Located<String>, Located<String>)>,
    pub each: Option<Located<String>>,
    pub when: Option<Located<String>>,
    pub prefer: Vec<Located<String>>,
    pub with: Vec<(Located<String>, Located<String>)>,
    pub at_once: bool,
    pub lift: Vec<Located<String>>,
    pub of: Option<Located<String>>,
}

pub(crate) struct RawFollowed {
    pub chart: Located<String>,
    pub with: Vec<(Located<String>, Located<String>)>,
}

pub(crate) struct RawEnd {
    pub id: Located<String>,
    pub title: String,
    pub when: Option<Located<String>>,
    pub result: Option<Located<String>>,
}

pub(super) fn read(id: Located<String>, keys: Keys<'_>) -> RawFight {
    let asks = Owner::Section(format!("fight.{}.ask", clip(&id.it)).into());
    let actions = keys.tables("action", Part::Action);
    let written = actions.len();
    let actions: Vec<RawAction> = actions.into_iter().filter_map(read_action).collect();
    let fight = RawFight {
        at: keys.at.clone(),
        title: keys.need_text("title").map(|t| t.it).unwrap_or_default(),
        about: keys.text_or_empty("about"),
        notes: keys.texts("notes").into_iter().map(|t| t.it).collect(),
        needs_option: keys.text("needs_option"),
        sides: super::each(&keys, "side").filter_map(|(id, inner)| read_side(id, inner)).collect(),
        asks: keys
            .table("ask", asks)
            .map(|inner| read_asks(inner, &mut Vec::new()))
            .unwrap_or_default(),
        some_unread: actions.len() < written,
        actions,
        follow: super::each(&keys, "follow")
            .map(|(chart, inner)| read_followed(chart, inner))
            .collect(),
        ends: super::each(&keys, "over").map(|(id, inner)| read_end(id, inner)).collect(),
        id,
    };
    keys.done(format::Fight::KEYS);
    fight
}

fn read_side(id: Located<String>, keys: Keys<'_>) -> Option<RawSide> {
    let side = RawSide {
        title: keys.text_or_empty("title"),
        unit: keys.need_text("unit")?,
        most: keys.number("most"),
        out: keys.expr("out"),
        totals: keys.texts("totals"),
        id,
    };
    keys.done(format::FightSide::KEYS);
    Some(side)
}

fn read_action(keys: Keys<'_>) -> Option<RawAction> {
    let mut action = RawAction {
        at: keys.at.clone(),
        chart: None,
        who: Vec::new(),
        each: None,
        when: keys.expr("when"),
        prefer: Vec::new(),
        with: Vec::new(),
        at_once: false,
        lift: Vec::new(),
        of: None,
    };
    // Each kind of action reads its own keys only, so that a key of the other kind is reported.
    match (keys.has("chart"), keys.has("lift")) {
        (true, false) => {
            action.chart = Some(keys.text("chart")?);
            (action.who, action.each, action.at_once) =
                (keys.exprs("who", Owner::Key("who")), keys.text("each"), keys.flag("at_once"));
            (action.prefer, action.with) = (prefer(&keys), with(&keys));
            keys.done(format::FightRoll::KEYS);
        }
        (false, true) => {
            action.lift = keys.texts("lift");
            action.of = keys.text("of");
            if action.lift.is_empty() {
                keys.faults().add(&keys.at, FightProblem::ActionKind);
                return None;
            }
            keys.done(format::FightLift::KEYS);
        }
        _ => {
            keys.faults().add(&keys.at, FightProblem::ActionKind);
            return None;
        }
    }
    Some(action)
}

/// The preferred units: one condition, or several in order of importance.
fn prefer(keys: &Keys<'_>) -> Vec<Located<String>> {
    let Some(found) = keys.take("prefer") else { return Vec::new() };
    match (found.it, expr_of(found.it)) {
        (_, Some(text)) => vec![Located { it: text, at: found.at }],
        (toml::de::DeValue::Array(list), _) => list
            .iter()
            .filter_map(|item| {
                Some(Located {
                    it: expr_of(item.get_ref())?,
                    at: Place { file: found.at.file.clone(), span: item.span() },
                })
            })
            .collect(),
        _ => {
            keys.faults().add(&found.at, FightProblem::PreferNotACondition);
            Vec::new()
        }
    }
}

fn read_followed(chart: Located<String>, keys: Keys<'_>) -> RawFollowed {
    let followed = RawFollowed { with: with(&keys), chart };
    keys.done(format::Followed::KEYS);
    followed
}

fn read_end(id: Located<String>, keys: Keys<'_>) -> RawEnd {
    let (when, result) = (keys.expr("when"), keys.text("result"));
    if when.is_some() == result.is_some() {
        keys.faults().add(&keys.at, FightProblem::EndNotSaid);
    }
    let end = RawEnd {
        title: keys.need_text("title").map(|t| t.it).unwrap_or_default(),
        when,
        result,
        id,
    };
    keys.done(format::Over::KEYS);
    end
}

/// Inputs of a chart. Those of a unit may be written with a dot.
fn with(keys: &Keys<'_>) -> Vec<(Located<String>, Located<String>)> {
    let Some(inner) = keys.table("with", Owner::Key("with")) else { return Vec::new() };
    let mut found = Vec::new();
    for (name, value) in inner.rest() {
        match expr_of(value.it) {
            Some(text) => found.push((name, Located { it: text, at: value.at })),
            None => {
                let Some(of_unit) = inner.keys_of(&value, &name.it, Owner::Key("with")) else {
                    continue;
                };
                for (id, value) in of_unit.rest() {
                    let whole = Located { it: format!("{}.{}", name.it, id.it), at: id.at };
                    match expr_of(value.it) {
                        Some(text) => found.push((whole, Located { it: text, at: value.at })),
                        None => inner
                            .faults()
                            .add(&value.at, KeyProblem::NotAnExpression { key: whole.clip() }),
                    }
                }
            }
        }
    }
    found
}
