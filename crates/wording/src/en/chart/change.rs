//! What a result, a row or a whole chart changes, and what follows from it. This is the one place
//! that puts an effect and a follow-up into words.

#![allow(
    missing_docs,
    reason = "types are documented; fields and methods only where the name does not say it"
)]

use super::{ChartWords, Spelling};
use adjutant_pack::{
    Cell, EffectKind, EffectRule, FollowUpRule, Formula, MemoryId, NameSource, Relation,
    ResultBinding, RoleId, Series, Value, capital,
};

/// One change or one follow-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeText {
    /// What kind of rule it is.
    pub kind: ChangeKind,
    /// Whom it is for, if that is not the unit that has the result: `target: `.
    on: String,
    /// Whom it is for, even if that is the unit that has the result.
    full_on: String,
    what: String,
    /// Inputs of a follow-up and when it is run. A sheet has no room for them.
    detail: String,
    when: String,
    /// Whether the name or the meaning of the result says it already.
    pub told: bool,
}

/// Where a change comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// An effect.
    Effect,
    /// A chart that follows.
    FollowUp,
    /// Another result that replaces this one.
    Instead,
}

impl ChangeText {
    /// All of it, as a phrase.
    pub fn text(&self) -> String {
        format!("{}{}{}{}", self.full_on, self.what, self.detail, self.when)
    }

    /// What the result does not say already, as a sentence of a sheet.
    pub fn sentence(&self) -> Option<String> {
        let stop = if self.kind == ChangeKind::FollowUp { "" } else { "." };
        (!self.told).then(|| format!("{}{}{}{stop}", self.on, self.what, self.when))
    }

    fn said(kind: ChangeKind, what: String) -> ChangeText {
        let (on, full_on) = (String::new(), String::new());
        ChangeText {
            kind,
            on,
            full_on,
            what,
            detail: String::new(),
            when: String::new(),
            told: false,
        }
    }
}

/// The phrases of some changes. A change of a value by a word is one effect for each word, with
/// the same text, which is written once.
pub fn phrases(changes: &[ChangeText]) -> Vec<String> {
    let mut phrases: Vec<String> = changes.iter().map(ChangeText::text).collect();
    phrases.dedup();
    phrases
}

/// The sentences of some changes, each once.
pub fn sentences(changes: &[ChangeText]) -> Vec<String> {
    let mut sentences: Vec<String> = changes.iter().filter_map(ChangeText::sentence).collect();
    sentences.dedup();
    sentences
}

/// The sentences of some changes, as a paragraph.
pub(super) fn paragraph(changes: &[ChangeText]) -> String {
    sentences(changes).join(" ")
}

impl ChartWords<'_> {
    /// What a result changes, what follows, and the results that may replace it.
    pub(super) fn changes_of_result(self, landing: &ResultBinding) -> Vec<ChangeText> {
        let result = &self.pack.results()[landing.result];
        let told_by = format!("{} {}", result.title, result.means).to_lowercase();
        let instead = landing.instead.iter().map(|instead| {
            if !instead.text.is_empty() {
                let what = capital(instead.text.trim_end_matches('.'));
                return ChangeText::said(ChangeKind::Instead, what);
            }
            let other = &self.pack.results()[self.chart.landings[instead.landing].result].title;
            ChangeText {
                when: format!(" if {}", self.change_formula(&instead.when)),
                ..ChangeText::said(ChangeKind::Instead, format!("{other} instead"))
            }
        });
        let mut changes = self.changes(&landing.effects, &landing.next, landing.on, &told_by);
        changes.extend(instead);
        changes
    }

    /// What a cell changes in addition to its result. That others suffer the same as the unit is
    /// already in the result's text.
    pub(super) fn changes_of_cell(self, cell: &Cell) -> Vec<ChangeText> {
        let own = cell.landing.map_or(&[][..], |landing| &self.chart.landings[landing].effects);
        let mut changes = self.changes(&cell.effects, &cell.next, None, "");
        for (change, effect) in changes.iter_mut().zip(&cell.effects) {
            change.told |= self.spelling == Spelling::ForPlayers
                && effect.all
                && own.iter().any(|own| alike(own, effect));
        }
        changes
    }

    /// Effects and follow-ups, of the unit in this role, with a text that may say them already.
    pub(super) fn changes(
        self,
        effects: &[EffectRule],
        next: &[FollowUpRule],
        bearer: Option<RoleId>,
        told_by: &str,
    ) -> Vec<ChangeText> {
        let effects = effects.iter().map(|effect| self.effect(effect, bearer, told_by));
        effects.chain(next.iter().map(|next| self.follow_up(next))).collect()
    }

    /// An effect on the unit in this role or on another.
    fn effect(self, effect: &EffectRule, bearer: Option<RoleId>, told_by: &str) -> ChangeText {
        // A pack author reads every rule.
        let players = self.spelling == Spelling::ForPlayers;
        if !effect.text.is_empty() {
            let text = effect.text.trim_end_matches('.');
            let told = players && told_by.contains(&text.to_lowercase());
            return ChangeText { told, ..ChangeText::said(ChangeKind::Effect, capital(text)) };
        }
        let (pack, roles) = (self.pack, &self.chart.roles);
        let with_it = match &effect.nth {
            Some(nth) => format!(", unit {} of its group", self.change_formula(nth)),
            None if effect.all => " and all with it".to_owned(),
            None => String::new(),
        };
        let on = |needed: bool| match effect.on.filter(|_| needed || !with_it.is_empty()) {
            Some(role) => format!("{}{with_it}: ", roles[role].id),
            None => String::new(),
        };
        let says = |words: &str| {
            players && effect.when.is_none() && told_by.contains(&words.to_lowercase())
        };
        let (what, of_unit, told) = match &effect.kind {
            EffectKind::Status(status) => {
                let title = pack.statuses()[*status].title.as_str();
                (format!("Now {title}"), true, says(title))
            }
            EffectKind::Lift(status) => {
                let title = pack.statuses()[*status].title.as_str();
                (format!("No longer {title}"), true, says(title))
            }
            EffectKind::Set(name, to) => {
                let name = self.attribute(effect, name);
                (format!("{name} becomes {}", self.change_formula(to)), true, false)
            }
            EffectKind::Add(name, by) => {
                (format!("{} {}", self.attribute(effect, name), self.change(by)), true, false)
            }
            EffectKind::Remember(memory, to) => {
                let name = self.memory_name(*memory);
                match to.constant() {
                    Some(Value::YesNo(true)) => (format!("From now on: {name}"), false, says(name)),
                    Some(Value::YesNo(false)) => (format!("No longer: {name}"), false, false),
                    _ => (format!("{name} becomes {}", self.change_formula(to)), false, false),
                }
            }
            EffectKind::RememberMore(memory, by) => {
                (format!("{} {}", self.memory_name(*memory), self.change(by)), false, false)
            }
            EffectKind::Leaves(how) => (format!("Leaves the game, {how}"), true, says(how)),
            EffectKind::Appear(new) => {
                let kind = &pack.kinds()[new.kind].title;
                let template = new.template.map(|template| &pack.templates()[template].title);
                let template = template.map_or(String::new(), |title| format!(": {title}"));
                let what = match (new.count.constant(), self.change_formula(&new.count).as_str()) {
                    (Some(_), count) => format!("{count} × {kind} appear"),
                    (None, "value") => format!("New units ({kind}): as many as the value"),
                    (None, count) => format!("New units ({kind}): as many as {count}"),
                };
                (format!("{what}{template}"), false, false)
            }
            EffectKind::Reshuffle(deck) => {
                (format!("Reshuffle {}", pack.decks()[*deck].title), false, false)
            }
            EffectKind::Note(text) => {
                (text.trim_end_matches('.').to_owned(), effect.nth.is_some(), false)
            }
        };
        // Players know that a status ends only if it was there.
        let ends = match &effect.kind {
            EffectKind::Lift(_) => true,
            EffectKind::Remember(_, to) => to.constant() == Some(Value::YesNo(false)),
            _ => false,
        };
        let when = effect.when.as_ref().filter(|_| !(ends && players));
        let several = of_unit && roles.len() > 1;
        ChangeText {
            on: on(several && effect.on != bearer),
            full_on: on(several),
            when: self.if_words(when),
            told,
            ..ChangeText::said(ChangeKind::Effect, what)
        }
    }

    /// The chart that follows, for whom and how often.
    fn follow_up(self, next: &FollowUpRule) -> ChangeText {
        if !next.text.is_empty() {
            return ChangeText::said(ChangeKind::FollowUp, format!("→ {}", next.text));
        }
        let chart = &self.pack.charts()[next.chart];
        let roles = &self.chart.roles;
        let others = next.others.as_ref().map_or("", |others| match others.relation {
            Relation::All => ", all",
            Relation::Group => ", the group",
            Relation::Joined => ", the units with it",
            Relation::Side => ", the side",
            Relation::Enemy => ", the enemy",
        });
        let times = match &next.times {
            Some(Series { words: Some(list), .. }) => {
                format!(" for each of {}", self.pack.lists()[*list].titles())
            }
            Some(series) => format!(" × {}", self.change_formula(&series.times)),
            None => String::new(),
        };
        let why = if next.why.is_empty() { String::new() } else { format!(" ({})", next.why) };
        let who = match (&next.others, next.chits.first()) {
            (Some(others), _) if others.relation == Relation::All => String::new(),
            (Some(others), _) => {
                let together = if others.all { ", all together" } else { "" };
                format!(" of {}{together}", roles[others.of].id)
            }
            (None, Some(chit)) if chit.any_of_side => " for a unit of the side drawn".to_owned(),
            (None, Some(_)) => " for the unit drawn".to_owned(),
            (None, None) => match next.who.first().filter(|_| roles.len() > 1) {
                Some((_, here)) => format!(" for {}", roles[*here].id),
                None => String::new(),
            },
        };
        let label = |name: &str| {
            chart.input(name).map_or(name.to_owned(), |input| input.field.label.to_string())
        };
        let with = next.with.iter().filter(|(_, worth)| !is_word_of_series(next, worth));
        let with: Vec<String> = with
            .map(|(name, worth)| format!("{}: {}", label(name), self.change_formula(worth)))
            .collect();
        let with =
            if with.is_empty() { String::new() } else { format!(", with {}", with.join(", ")) };
        let now = if next.now { ", at once" } else { "" };
        ChangeText {
            detail: format!("{who}{with}{now}"),
            when: self.if_words(next.when.as_ref()),
            ..ChangeText::said(
                ChangeKind::FollowUp,
                format!("→ {}{times}{others}{why}", chart.title),
            )
        }
    }

    /// An attribute that an effect changes. Players read its label.
    fn attribute(self, effect: &EffectRule, name: &str) -> String {
        let kind = effect.on.and_then(|role| self.chart.roles.get(role)).map(|role| role.kind);
        let field =
            kind.and_then(|kind| self.pack.kinds()[kind].has.iter().find(|field| field.id == name));
        match field.filter(|_| self.spelling == Spelling::ForPlayers) {
            Some(field) => field.label.to_string(),
            None => name.to_owned(),
        }
    }

    /// What a game remembers, without the explanation that its label may have.
    fn memory_name(&self, memory: MemoryId) -> &str {
        let label = self.pack.memory()[memory].label.as_str();
        label.split([':', ';', '(']).next().unwrap_or(label).trim()
    }

    fn if_words(self, when: Option<&Formula>) -> String {
        when.map_or(String::new(), |when| format!(" if {}", self.change_formula(when)))
    }

    /// A formula in an effect or a follow-up. For players, a single option is named as such: it
    /// may have the same name as the chart that it enables.
    fn change_formula(self, formula: &Formula) -> String {
        let words = self.formula(formula);
        let option = |slot| {
            let origin = self.chart.names.get(slot).map(|name| name.origin);
            matches!(origin, Some(NameSource::Option(_)))
        };
        match formula.slots()[..] {
            [only] if self.spelling == Spelling::ForPlayers && option(only) => {
                format!("the option “{words}” is on")
            }
            _ => words,
        }
    }
}

/// Whether an input of a follow-up is the word of its series, which is listed anyway.
fn is_word_of_series(next: &FollowUpRule, worth: &Formula) -> bool {
    let series = next.times.as_ref().filter(|series| series.words.is_some());
    series.and_then(|series| series.nth).is_some_and(|nth| worth.slots() == [nth])
}

/// Whether two effects give or lift the same status, or both remove a unit.
fn alike(one: &EffectRule, other: &EffectRule) -> bool {
    match (&one.kind, &other.kind) {
        (EffectKind::Status(a), EffectKind::Status(b))
        | (EffectKind::Lift(a), EffectKind::Lift(b)) => a == b,
        (EffectKind::Leaves(_), EffectKind::Leaves(_)) => true,
        _ => false,
    }
}
