//! The raw form of what a game needs besides charts: templates, starts, tests that fall due in a
//! phase, and endings.

use crate::format;
use crate::problem::{KeyProblem, Owner, Part, TurnProblem};
use crate::tree::{Keys, Located, Place, expr_of};

pub(crate) struct RawTemplate {
    pub id: Located<String>,
    pub title: String,
    pub name: String,
    pub note: String,
    pub kind: Option<Located<String>>,
    pub has: Vec<(Located<String>, Located<String>)>,
    pub statuses: Vec<Located<String>>,
    pub reading: Option<Located<String>>,
}

pub(crate) struct RawPhase {
    pub id: Located<String>,
    pub title: String,
    pub text: String,
    pub charts: Vec<Located<String>>,
    pub needs_option: Option<Located<String>>,
    pub needs_deck: Option<Located<String>>,
    pub lift: Vec<RawPhaseLift>,
    pub due: Vec<RawDue>,
}

pub(crate) struct RawPhaseLift {
    pub statuses: Vec<Located<String>>,
    pub sides: Option<Located<String>>,
    pub when: Option<Located<String>>,
}

pub(crate) struct RawDue {
    pub at: Place,
    pub chart: Located<String>,
    pub why: String,
    pub each: Option<Located<String>>,
    pub role: Option<Located<String>>,
    pub lead: Option<Located<String>>,
    pub sides: Option<Located<String>>,
    pub times: Option<Located<adjutant_dice::Number>>,
    pub when: Option<Located<String>>,
    pub with: Vec<(Located<String>, Located<String>)>,
}

pub(crate) struct RawStart {
    pub id: Located<String>,
    pub title: String,
    pub about: String,
    pub sides: Vec<RawStartSide>,
    pub options: Vec<(Located<String>, Located<String>)>,
    pub decks: Option<Located<String>>,
    pub units: Vec<RawStartUnit>,
    pub due: Vec<RawDue>,
    pub reading: Option<Located<String>>,
}

pub(crate) struct RawStartSide {
    pub id: Located<String>,
    pub title: String,
    pub run_by_sheet: bool,
}

pub(crate) struct RawStartUnit {
    pub template: Located<String>,
    pub side: Located<String>,
    pub name: String,
    pub group: String,
    pub count: Option<Located<adjutant_dice::Number>>,
}

pub(crate) struct RawEnding {
    pub id: Located<String>,
    pub at: Place,
    pub title: String,
    pub means: String,
    pub none: Vec<RawLeft>,
    pub when: Option<Located<String>>,
    pub wins: Option<RawWins>,
}

/// Who has won.
pub(crate) enum RawWins {
    Word(Located<String>),
    Most(Located<String>),
}

pub(crate) struct RawLeft {
    pub kind: Located<String>,
    pub sides: Option<Located<String>>,
    pub when: Option<Located<String>>,
}

/// The raw form of what a question counts on the roster.
pub(crate) struct RawCount {
    pub at: Place,
    pub kind: Option<Located<String>>,
    pub relation: Option<Located<String>>,
    pub from: Option<Located<String>>,
    pub when: Option<Located<String>>,
    pub lost: bool,
    pub others: bool,
    pub sum: Option<Located<String>>,
    pub least: Option<Located<String>>,
    pub most: Option<Located<String>>,
    pub at_least: Option<u32>,
}

pub(super) fn read_template(id: Located<String>, keys: Keys<'_>) -> RawTemplate {
    let template = RawTemplate {
        title: keys.need_text("title").map(|t| t.it).unwrap_or_default(),
        name: keys.text_or_empty("name"),
        note: keys.text_or_empty("note"),
        kind: keys.need_text("kind"),
        has: values(&keys, "has"),
        statuses: keys.texts("statuses"),
        reading: keys.text("reading"),
        id,
    };
    keys.done(format::Template::KEYS);
    template
}

/// Names with their values: texts, numbers, yes or no.
fn values(keys: &Keys<'_>, key: &'static str) -> Vec<(Located<String>, Located<String>)> {
    let Some(inner) = keys.table(key, Owner::Key(key)) else { return Vec::new() };
    let mut found = Vec::new();
    for (name, value) in inner.rest() {
        // The values by a word: `armour = { head = 6 }` is `armour_head = 6`.
        if let toml::de::DeValue::Table(_) = value.it {
            let by_word = inner.keys_of(&value, &name.it, Owner::Named(name.clip()));
            for (word, value) in by_word.into_iter().flat_map(|keys| keys.rest()) {
                let it = crate::by_word(&name.it, &word.it);
                match expr_of(value.it) {
                    Some(text) => found
                        .push((Located { it, at: word.at }, Located { it: text, at: value.at })),
                    None => {
                        inner.faults().add(&value.at, KeyProblem::NotAValue { key: word.clip() })
                    }
                }
            }
            continue;
        }
        match expr_of(value.it) {
            Some(text) => found.push((name, Located { it: text, at: value.at })),
            None => inner.faults().add(&value.at, KeyProblem::NotAValue { key: name.clip() }),
        }
    }
    found
}

pub(super) fn read_phase(keys: Keys<'_>) -> Option<RawPhase> {
    let phase = RawPhase {
        id: keys.need_text("id")?,
        title: keys.need_text("title").map(|t| t.it).unwrap_or_default(),
        text: keys.text_or_empty("text"),
        charts: keys.texts("charts"),
        needs_option: keys.text("needs_option"),
        needs_deck: keys.text("needs_deck"),
        lift: keys.tables("lift", Part::PhaseLift).into_iter().map(read_lift).collect(),
        due: keys.tables("due", Part::Due).into_iter().filter_map(read_due).collect(),
    };
    keys.done(format::Phase::KEYS);
    Some(phase)
}

fn read_lift(keys: Keys<'_>) -> RawPhaseLift {
    let lift = RawPhaseLift {
        statuses: keys.texts("status"),
        sides: keys.text("sides"),
        when: keys.expr("when"),
    };
    if lift.statuses.is_empty() {
        keys.faults().add(&keys.at, TurnProblem::LiftsNothing);
    }
    keys.done(format::PhaseLift::KEYS);
    lift
}

fn read_due(keys: Keys<'_>) -> Option<RawDue> {
    let due = RawDue {
        at: keys.at.clone(),
        chart: keys.need_text("chart")?,
        why: keys.need_text("why").map(|t| t.it).unwrap_or_default(),
        each: keys.text("for"),
        role: keys.text("role"),
        lead: keys.text("lead"),
        sides: keys.text("sides"),
        times: keys.number("times"),
        when: keys.expr("when"),
        with: keys.exprs("with", Owner::Key("with")),
    };
    keys.done(format::Due::KEYS);
    Some(due)
}

pub(super) fn read_start(id: Located<String>, keys: Keys<'_>) -> RawStart {
    let start = RawStart {
        title: keys.need_text("title").map(|t| t.it).unwrap_or_default(),
        about: keys.text_or_empty("about"),
        sides: super::each(&keys, "side").map(|(id, inner)| read_side(id, inner)).collect(),
        options: values(&keys, "options"),
        decks: keys.text("decks"),
        units: keys.tables("units", Part::StartUnit).into_iter().filter_map(read_unit).collect(),
        due: keys.tables("due", Part::Due).into_iter().filter_map(read_due).collect(),
        reading: keys.text("reading"),
        id,
    };
    keys.done(format::Start::KEYS);
    start
}

fn read_side(id: Located<String>, keys: Keys<'_>) -> RawStartSide {
    let side = RawStartSide {
        title: keys.need_text("title").map(|t| t.it).unwrap_or_default(),
        run_by_sheet: keys.flag("run_by_sheet"),
        id,
    };
    keys.done(format::StartSide::KEYS);
    side
}

fn read_unit(keys: Keys<'_>) -> Option<RawStartUnit> {
    let unit = RawStartUnit {
        template: keys.need_text("template")?,
        side: keys.need_text("side")?,
        name: keys.text_or_empty("name"),
        group: keys.text_or_empty("group"),
        count: keys.number("count"),
    };
    keys.done(format::StartUnit::KEYS);
    Some(unit)
}

pub(super) fn read_ending(id: Located<String>, keys: Keys<'_>) -> RawEnding {
    let ending = RawEnding {
        at: keys.at.clone(),
        title: keys.need_text("title").map(|t| t.it).unwrap_or_default(),
        means: keys.text_or_empty("means"),
        none: keys.tables("none", Part::UnitsLeft).into_iter().filter_map(read_left).collect(),
        when: keys.expr("when"),
        wins: read_wins(&keys),
        id,
    };
    keys.done(format::Ending::KEYS);
    ending
}

fn read_wins(keys: &Keys<'_>) -> Option<RawWins> {
    if !matches!(keys.take("wins")?.it, toml::de::DeValue::Table(_)) {
        return keys.text("wins").map(RawWins::Word);
    }
    let inner = keys.table("wins", Owner::Key("wins"))?;
    let most = inner.expr("most");
    if most.is_none() {
        inner.faults().add(&inner.at, KeyProblem::Missing { key: "most".into() });
    }
    inner.done(format::Most::KEYS);
    most.map(RawWins::Most)
}

fn read_left(keys: Keys<'_>) -> Option<RawLeft> {
    let left =
        RawLeft { kind: keys.need_text("of")?, sides: keys.text("sides"), when: keys.expr("when") };
    keys.done(format::UnitsLeft::KEYS);
    Some(left)
}

pub(super) fn read_count(keys: Keys<'_>) -> RawCount {
    let count = RawCount {
        at: keys.at.clone(),
        kind: keys.need_text("of"),
        relation: keys.need_text("for"),
        from: keys.need_text("from"),
        when: keys.expr("when"),
        sum: keys.expr("sum"),
        least: keys.expr("least"),
        most: keys.expr("most"),
        at_least: super::chart::whole(&keys, "at_least"),
        others: keys.flag("others"),
        lost: keys.flag("lost"),
    };
    keys.done(format::Count::KEYS);
    count
}
