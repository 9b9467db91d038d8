//! The raw form of a roll: the keys of a step that rolls dice, in the order in which they act.

use super::chart::whole_to;
use crate::format;
use crate::problem::{KeyProblem, Owner, Part};
use crate::tree::{Keys, Located, Place, expr_of};
use toml::de::DeValue;

/// The most times that one die explodes or brings an extra die.
pub(crate) const MOST_EXPLODED: u32 = 100;

pub(crate) struct RawRoll {
    pub dice: RawDice,
    pub count: Option<Located<String>>,
    pub sides: Option<Located<String>>,
    pub reroll: Vec<RawReroll>,
    pub explode: Option<RawExplode>,
    pub extra: Option<RawExplode>,
    pub keep_highest: Option<Located<String>>,
    pub keep_lowest: Option<Located<String>>,
    pub each: Option<Located<String>>,
    pub pass_at_most: Option<Located<String>>,
    pub pass_at_least: Option<Located<String>>,
    pub tally: Vec<(Located<String>, Located<String>)>,
    pub fill: Option<RawFill>,
    pub choose: Option<RawChoose>,
    pub counted: String,
}

pub(crate) enum RawDice {
    /// `2d6`, `1d`, `d%`, or the name of a die.
    Written(Located<String>),
    /// `{ red = 2, black = "n" }`
    Kinds(Place, Vec<(Located<String>, Located<String>)>),
}

pub(crate) struct RawReroll {
    pub when: Located<String>,
    pub because: String,
    pub at_most: Option<u32>,
    pub dice: Option<Located<String>>,
    pub ask: Option<String>,
    pub assume: Option<Located<String>>,
}

pub(crate) struct RawExplode {
    pub when: Located<String>,
    pub at_most: Option<u32>,
}

pub(crate) struct RawFill {
    pub size: Located<String>,
    pub begun: Option<Located<String>>,
}

pub(crate) struct RawChoose {
    pub at: Place,
    pub by: Option<Located<String>>,
    pub best: Option<Located<String>>,
}

pub(super) fn read(keys: &Keys<'_>) -> Option<RawRoll> {
    let found = keys.take("roll")?;
    let dice = match found.it {
        DeValue::Table(_) => {
            RawDice::Kinds(found.at.clone(), keys.exprs("roll", Owner::Key("roll")))
        }
        _ => RawDice::Written(keys.text("roll")?),
    };
    let roll = of_cards(keys, &Located { it: String::new(), at: found.at.clone() });
    Some(RawRoll {
        dice,
        sides: keys.expr("sides"),
        reroll: keys
            .tables("reroll", Part::RerollRule)
            .into_iter()
            .filter_map(read_reroll)
            .collect(),
        explode: read_explode(keys, "explode"),
        extra: read_explode(keys, "extra"),
        fill: keys.table("fill", Owner::Key("fill")).and_then(|inner| {
            let fill = RawFill { size: need(&inner, "size")?, begun: inner.expr("begun") };
            inner.done(format::Fill::KEYS);
            Some(fill)
        }),
        choose: keys.table("choose", Owner::Key("choose")).map(|inner| {
            let at = inner.at.clone();
            let choose = RawChoose { at, by: inner.expr("by"), best: inner.expr("best") };
            inner.done(format::Choose::KEYS);
            choose
        }),
        ..roll
    })
}

/// The keys that dice and cards share.
pub(super) fn of_cards(keys: &Keys<'_>, deck: &Located<String>) -> RawRoll {
    RawRoll {
        dice: RawDice::Written(deck.clone()),
        count: keys.expr("count"),
        sides: None,
        reroll: Vec::new(),
        explode: None,
        extra: None,
        keep_highest: keys.expr("keep_highest"),
        keep_lowest: keys.expr("keep_lowest"),
        each: keys.expr("each"),
        pass_at_most: keys.expr("pass_at_most"),
        pass_at_least: keys.expr("pass_at_least"),
        tally: keys.exprs("tally", Owner::Key("tally")),
        fill: None,
        choose: None,
        counted: keys.text_or_empty("counted"),
    }
}

fn need(keys: &Keys<'_>, key: &'static str) -> Option<Located<String>> {
    if !keys.has(key) {
        keys.faults().add(&keys.at, KeyProblem::Missing { key: key.into() });
    }
    keys.expr(key)
}

fn read_reroll(keys: Keys<'_>) -> Option<RawReroll> {
    let rule = RawReroll {
        when: need(&keys, "when")?,
        because: keys.text_or_empty("because"),
        at_most: whole_to(&keys, "at_most", MOST_EXPLODED.into()),
        dice: keys.expr("dice"),
        ask: keys.text("ask").map(|text| text.it),
        assume: keys.expr("assume"),
    };
    keys.done(format::Reroll::KEYS);
    Some(rule)
}

/// A face, a condition, or a table with both the condition and a limit.
fn read_explode(keys: &Keys<'_>, key: &'static str) -> Option<RawExplode> {
    let found = keys.take(key)?;
    if let DeValue::Table(_) = found.it {
        let inner = keys.table(key, Owner::Key(key))?;
        let rule = RawExplode {
            when: need(&inner, "when")?,
            at_most: whole_to(&inner, "at_most", MOST_EXPLODED.into()),
        };
        inner.done(format::Explode::KEYS);
        return Some(rule);
    }
    match expr_of(found.it) {
        Some(text) => Some(RawExplode { when: Located { it: text, at: found.at }, at_most: None }),
        None => keys.expr(key).map(|when| RawExplode { when, at_most: None }),
    }
}
