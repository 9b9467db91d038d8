//! The raw form of how a chart is read: score, column, rows, effects, follow-ups.

use super::chart::{RawModifier, read_modifier};
use crate::effect::{EffectKind, Terms};
use crate::format;
use crate::problem::{EffectProblem, Owner, Part, ReadProblem};
use crate::tree::{Keys, Located, Place, number_of, toml_type};
use crate::unknown_name::{Noun, UnknownName};
use adjutant_dice::Number;
use toml::de::DeValue;

pub(crate) struct RawRead {
    pub at: Place,
    pub score: Option<Located<String>>,
    pub column: Option<Located<String>>,
    pub page: Option<Located<String>>,
    pub shift: Vec<RawModifier>,
    /// What the codes in the cells of a CSV file stand for.
    pub codes: Vec<(Located<String>, RawCell)>,
    pub rows: Option<RawRows>,
    pub value: Option<Located<String>>,
    pub unit: String,
    pub says: String,
    pub text: String,
    pub user_table: Option<Located<String>>,
    pub also: Vec<RawRow>,
    pub effects: Vec<RawEffect>,
    pub next: Vec<RawNext>,
}

impl RawRead {
    /// The rows that the pack itself has.
    pub fn inline_rows(&self) -> &[RawRow] {
        match &self.rows {
            Some(RawRows::Inline(rows)) => rows,
            _ => &[],
        }
    }
}

/// The rows of a table: in the pack, or in a CSV file.
pub(crate) enum RawRows {
    Inline(Vec<RawRow>),
    File(Located<String>),
}

/// A row of a table. Also an `also` line; its only cell is its result.
pub(crate) struct RawRow {
    pub at: Place,
    /// Whether the row has a band that could not be read.
    pub broken: bool,
    pub band: RawBand,
    /// The word or the heading that it is for.
    pub is_word: Option<Located<String>>,
    pub page: Option<Located<String>>,
    pub when: Option<Located<String>>,
    pub label: String,
    pub text: String,
    pub on: Option<Located<String>>,
    pub reading: Option<Located<String>>,
    pub cells: Vec<(Located<String>, RawCell)>,
    pub effects: Vec<RawEffect>,
    pub next: Vec<RawNext>,
}

#[derive(Clone, Default, Debug)]
pub(crate) struct RawBand {
    pub from: Option<Located<RawEnd>>,
    pub to: Option<Located<RawEnd>>,
    pub below: Option<Located<RawEnd>>,
    pub above: Option<Located<RawEnd>>,
    pub is: Option<Located<Number>>,
}

/// The end of a band.
#[derive(Clone, Debug)]
pub(crate) enum RawEnd {
    Number(Number),
    WorkedOut(String),
}

#[derive(Clone)]
pub(crate) struct RawCell {
    pub at: Place,
    pub result: Option<Located<String>>,
    pub value: Option<Located<String>>,
    pub result_of: Option<Located<String>>,
    pub on: Option<Located<String>>,
    pub label: String,
    pub effects: Vec<RawEffect>,
    pub next: Vec<RawNext>,
}

#[derive(Clone)]
pub(crate) struct RawEffect {
    pub at: Place,
    pub kind: EffectKind<RawTerms>,
    pub when: Option<Located<String>>,
    pub on: Option<Located<String>>,
    pub all: bool,
    pub nth: Option<Located<String>>,
    pub text: String,
}

/// The terms of an effect as it is written.
#[derive(Clone)]
pub(crate) struct RawTerms;

impl Terms for RawTerms {
    type Status = Located<String>;
    type Attribute = Located<String>;
    type Memory = Located<String>;
    type Deck = Located<String>;
    type Value = Located<String>;
    type NewUnits = RawNewcomers;
}

#[derive(Clone)]
pub(crate) struct RawNewcomers {
    pub kind: Located<String>,
    pub count: Located<String>,
    pub template: Option<Located<String>>,
    pub has: Vec<(Located<String>, Located<String>)>,
    pub place: Option<Located<String>>,
    pub side: Option<Located<String>>,
}

#[derive(Clone)]
pub(crate) struct RawNext {
    pub at: Place,
    pub chart: Located<String>,
    pub why: String,
    pub with: Vec<(Located<String>, Located<String>)>,
    pub who: Vec<(Located<String>, Located<String>)>,
    pub now: bool,
    pub when: Option<Located<String>>,
    pub others: Option<Located<String>>,
    pub of: Option<Located<String>>,
    pub role: Option<Located<String>>,
    pub all: bool,
    /// How many tests follow; one if not said.
    pub times: Option<Located<String>>,
    pub text: String,
}

pub(crate) struct RawInstead {
    pub when: Located<String>,
    pub result: Located<String>,
    pub because: String,
    pub text: String,
}

pub(super) fn read(keys: Keys<'_>) -> RawRead {
    let read = RawRead {
        at: keys.at.clone(),
        score: keys.expr("score"),
        column: keys.expr("column"),
        page: keys.expr("page"),
        shift: keys.tables("shift", Part::Modifier).into_iter().map(read_modifier).collect(),
        codes: read_codes(&keys),
        rows: keys.has("rows").then(|| rows_or_file(&keys)),
        value: keys.expr("value"),
        unit: keys.text_or_empty("unit"),
        says: keys.text_or_empty("says"),
        text: keys.text_or_empty("text"),
        user_table: keys.text("user_table"),
        also: keys.tables("also", Part::AlsoLine).into_iter().map(read_also).collect(),
        effects: effects(&keys),
        next: next(&keys),
    };
    let of_chart = ["title", "about", "who", "lands_on", "ask", "step", "each"];
    keys.above("read", "chart", |key, _| of_chart.contains(&key));
    keys.done(format::Read::KEYS);
    read
}

fn rows_or_file(keys: &Keys<'_>) -> RawRows {
    match keys.take("rows") {
        Some(Located { it: DeValue::String(file), at }) => {
            RawRows::File(Located { it: file.to_string(), at })
        }
        _ => RawRows::Inline(read_rows(keys)),
    }
}

/// The codes of a CSV file, each with what a cell with this code gives.
fn read_codes(keys: &Keys<'_>) -> Vec<(Located<String>, RawCell)> {
    let Some(inner) = keys.table("cells", Owner::Key("cells")) else { return Vec::new() };
    let mut codes = Vec::new();
    for (code, value) in inner.rest() {
        codes.extend(read_cell(&code, &value, &inner).map(|cell| (code, cell)));
    }
    codes
}

pub(crate) fn read_rows(keys: &Keys<'_>) -> Vec<RawRow> {
    keys.tables("rows", Part::Row).into_iter().map(read_row).collect()
}

fn read_row(keys: Keys<'_>) -> RawRow {
    let (band, is_word, broken) = read_band(&keys);
    let mut row = RawRow { band, is_word, broken, ..row_without_band(&keys) };
    keys.asked_for(format::Row::KEYS);
    for (column, value) in keys.rest() {
        if let Some(cell) = read_cell(&column, &value, &keys) {
            row.cells.push((column, cell));
        }
    }
    row
}

/// The band of a row, the word that it is for, and whether a part of the band could not be read.
fn read_band(keys: &Keys<'_>) -> (RawBand, Option<Located<String>>, bool) {
    let end = |key: &str| {
        let Located { it, at } = keys.expr(key)?;
        let end = it.parse().map_or(RawEnd::WorkedOut(it), RawEnd::Number);
        Some(Located { it: end, at })
    };
    let mut band = RawBand {
        from: end("from"),
        to: end("to"),
        below: end("below"),
        above: end("above"),
        is: None,
    };
    let mut is_word = None;
    if let Some(found) = keys.take("is") {
        match (found.it, number_of(found.it)) {
            (DeValue::String(text), None) => {
                is_word = Some(Located { it: text.to_string(), at: found.at })
            }
            (_, Some(n)) => band.is = Some(Located { it: n, at: found.at }),
            _ => keys.faults().add(&found.at, ReadProblem::BadIs { found: toml_type(found.it) }),
        }
    }
    let read = [&band.from, &band.to, &band.below, &band.above].into_iter().flatten().count()
        + usize::from(band.is.is_some() || is_word.is_some());
    let given = keys.given(&["from", "to", "below", "above", "is"]).len();
    (band, is_word, read < given)
}

/// What a row and an `also` line have in common.
fn row_without_band(keys: &Keys<'_>) -> RawRow {
    RawRow {
        at: keys.at.clone(),
        broken: false,
        band: RawBand::default(),
        is_word: None,
        page: None,
        when: keys.expr("when"),
        label: keys.text_or_empty("label"),
        text: keys.text_or_empty("text"),
        on: keys.text("on"),
        reading: keys.text("reading"),
        cells: Vec::new(),
        effects: effects(keys),
        next: next(keys),
    }
}

fn read_also(keys: Keys<'_>) -> RawRow {
    let mut row = row_without_band(&keys);
    if let Some(result) = keys.need_text("result") {
        let at = result.at.clone();
        let cell = RawCell {
            at: at.clone(),
            result: Some(result),
            value: None,
            result_of: None,
            on: None,
            label: String::new(),
            effects: Vec::new(),
            next: Vec::new(),
        };
        row.cells.push((Located { it: "all".into(), at }, cell));
    }
    keys.done(format::Also::KEYS);
    row
}

fn read_cell<'t>(
    column: &Located<String>,
    value: &Located<&'t DeValue<'t>>,
    keys: &Keys<'t>,
) -> Option<RawCell> {
    let mut cell = RawCell {
        at: value.at.clone(),
        result: None,
        value: None,
        result_of: None,
        on: None,
        label: String::new(),
        effects: Vec::new(),
        next: Vec::new(),
    };
    match value.it {
        DeValue::String(text) => {
            cell.result = Some(Located { it: text.to_string(), at: value.at.clone() })
        }
        DeValue::Integer(_) | DeValue::Float(_) => {
            cell.value =
                number_of(value.it).map(|n| Located { it: n.to_string(), at: value.at.clone() });
        }
        DeValue::Table(_) => {
            let inner = keys.keys_of(value, &column.it, Part::Cell)?;
            cell.result = inner.text("result");
            cell.value = inner.expr("value");
            cell.result_of = inner.text("result_of");
            cell.on = inner.text("on");
            cell.label = inner.text_or_empty("label");
            cell.effects = effects(&inner);
            cell.next = next(&inner);
            inner.done(format::Cell::KEYS);
        }
        other => {
            let column =
                UnknownName::brief(Noun::Column, &column.it, format::Row::KEYS.iter().copied());
            keys.faults().add(&value.at, ReadProblem::NotACell { column, found: toml_type(other) });
            return None;
        }
    }
    Some(cell)
}

pub(super) fn effects(keys: &Keys<'_>) -> Vec<RawEffect> {
    keys.tables("effects", Part::Effect).into_iter().filter_map(read_effect).collect()
}

fn read_effect(keys: Keys<'_>) -> Option<RawEffect> {
    let given: Vec<&'static str> = keys.given(format::Effect::ONE_OF);
    if given.is_empty() && keys.strange(format::Effect::KEYS) {
        return None;
    }
    if given.len() != 1 {
        let problem = if given.is_empty() {
            EffectProblem::DoesNothing
        } else {
            EffectProblem::DoesSeveral { keys: given }
        };
        keys.faults().add(&keys.at, problem);
        return None;
    }
    let need = |key: &'static str| {
        let found = keys.expr(key);
        if found.is_none() {
            keys.faults().add(&keys.at, EffectProblem::MissingKey { key });
        }
        found
    };
    let kind = match given[0] {
        "status" => EffectKind::Status(keys.text("status")?),
        "lift" => EffectKind::Lift(keys.text("lift")?),
        "set" => EffectKind::Set(keys.text("set")?, need("to")?),
        "add" => EffectKind::Add(keys.text("add")?, need("by")?),
        "remember" => {
            let (what, to, by) = (keys.text("remember")?, keys.expr("to"), keys.expr("by"));
            if to.is_some() == by.is_some() {
                keys.faults().add(&keys.at, EffectProblem::RemembersNothing);
            }
            match (to, by) {
                (Some(to), _) => EffectKind::Remember(what, to),
                (None, by) => EffectKind::RememberMore(what, by?),
            }
        }
        "leaves" => EffectKind::Leaves(keys.text("leaves")?.text()),
        "appear" => EffectKind::Appear(RawNewcomers {
            kind: keys.text("appear")?,
            count: need("count")?,
            template: keys.text("template"),
            has: keys.exprs("has", Owner::Key("has")),
            place: keys.text("where"),
            side: keys.text("side"),
        }),
        "reshuffle" => EffectKind::Reshuffle(keys.text("reshuffle")?),
        _ => EffectKind::Note(keys.text("note")?.text()),
    };
    let effect = RawEffect {
        at: keys.at.clone(),
        kind,
        when: keys.expr("when"),
        on: keys.text("on"),
        all: keys.flag("all"),
        nth: keys.expr("nth"),
        text: keys.text_or_empty("text"),
    };
    keys.done(format::Effect::KEYS);
    Some(effect)
}

pub(super) fn next(keys: &Keys<'_>) -> Vec<RawNext> {
    keys.tables("next", Part::FollowUp)
        .into_iter()
        .filter_map(|inner| {
            let next = RawNext {
                at: inner.at.clone(),
                chart: inner.need_text("chart")?,
                why: inner.text_or_empty("why"),
                with: inner.exprs("with", Owner::Key("with")),
                who: inner.exprs("who", Owner::Key("who")),
                now: inner.flag("now"),
                when: inner.expr("when"),
                others: inner.text("for"),
                of: inner.text("of"),
                role: inner.text("role"),
                all: inner.flag("all"),
                times: inner.expr("times"),
                text: inner.text_or_empty("text"),
            };
            inner.done(format::FollowUp::KEYS);
            Some(next)
        })
        .collect()
}

pub(super) fn instead(keys: &Keys<'_>) -> Vec<RawInstead> {
    keys.tables("instead", Part::InsteadLine)
        .into_iter()
        .filter_map(|inner| {
            let when = inner.expr("when");
            if when.is_none() {
                inner.faults().add(&inner.at, EffectProblem::InsteadWithoutWhen);
            }
            let instead = RawInstead {
                when: when?,
                result: inner.need_text("result")?,
                because: inner.text_or_empty("because"),
                text: inner.text_or_empty("text"),
            };
            inner.done(format::Instead::KEYS);
            Some(instead)
        })
        .collect()
}
