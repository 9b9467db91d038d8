//! Checks the vocabulary of a pack: options, memory, kinds of units, statuses, readings, decks,
//! results, phases.

use super::deck::SuppliedDeck;
use super::{deck, look};
use crate::die::{Die, WordList};
use crate::expr::{Expr, Func, Op};
use crate::files::Files;
use crate::ids::{
    DeckId, DieId, Id, IdVec, KindId, ListId, MemoryId, OptionId, PhaseId, ReadingId, ResultId,
    StatusId, TemplateId, UserTableId,
};
use crate::pack::{
    Certainty, DeckSheet, Field, KeyedValue, Pack, PackOption, Phase, Reading, ResultRule, Status,
    UnitKind, UserTable,
};
use crate::problem::{ExprProblem, FieldProblem, NameProblem};
use crate::raw::{RawField, RawPack};
use crate::tree::{Diagnostics, Located};
use crate::unknown_name::{Noun, UnknownName};
use crate::value::{Type, Value, Word, Words};
use adjutant_dice::{Accepts, Number};

pub(super) struct Vocabulary {
    pub options: IdVec<OptionId, PackOption>,
    pub memory: IdVec<MemoryId, Field>,
    /// Memory of which each side has its own.
    pub side_memory: Vec<MemoryId>,
    pub kinds: IdVec<KindId, UnitKind>,
    pub statuses: IdVec<StatusId, Status>,
    pub readings: IdVec<ReadingId, Reading>,
    pub phases: IdVec<PhaseId, Phase>,
    pub dice: IdVec<DieId, Die>,
    pub lists: IdVec<ListId, WordList>,
    pub decks: IdVec<DeckId, DeckSheet>,
    pub results: IdVec<ResultId, ResultRule>,
    pub user_tables: IdVec<UserTableId, UserTable>,
    pub templates: IdVec<TemplateId, crate::turn::Template>,
}

/// Names that are reserved in expressions.
pub(super) const TAKEN: [&str; 21] = [
    "yes", "no", "true", "false", "and", "or", "not", "if", "min", "max", "floor", "ceil", "abs",
    "option", "memory", "it", "other", "cell", "in", "list", "nth",
];

pub(super) fn is_name(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.len() <= 64
        && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn is_id(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && id.len() <= 64
        && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// Checks a name that expressions can use.
pub(super) fn check_name(id: &Located<String>, faults: &Diagnostics) {
    if !is_name(&id.it) {
        faults.add(&id.at, NameProblem::NotAName { name: id.clip() });
    } else if TAKEN.contains(&id.it.as_str()) {
        faults.add(&id.at, NameProblem::Reserved { name: id.text() });
    }
}

/// Checks the id of a chart, result, deck and so on.
pub(super) fn check_id(id: &Located<String>, faults: &Diagnostics) {
    if !is_id(&id.it) {
        faults.add(&id.at, NameProblem::NotAnId { name: id.clip() });
    }
}

/// The type of a field.
pub(super) fn kind_of(accepts: &Accepts, words: &mut Words) -> Type {
    match accepts {
        Accepts::YesNo => Type::YesNo,
        Accepts::Number { .. } => Type::Number,
        Accepts::Choice { words: list } => {
            Type::Choice(adjutant_dice::set_of(list.iter().map(|w| words.intern(&w.id))))
        }
    }
}

pub(super) fn field(raw: &RawField, words: &mut Words, faults: &Diagnostics) -> Field {
    check_name(&raw.id, faults);
    kind_of(&raw.accepts, words);
    let start = raw.default.as_ref().and_then(|answer| Value::from_answer(answer, words));
    Field {
        id: raw.id.it.as_str().into(),
        label: raw.label.as_str().into(),
        note: raw.note.clone(),
        accepts: raw.accepts.clone(),
        default: raw.default.clone(),
        start,
    }
}

fn standing(
    given: Option<&Located<String>>,
    otherwise: Certainty,
    faults: &Diagnostics,
) -> Certainty {
    let known = [
        ("reading", Certainty::Reading),
        ("derived", Certainty::Derived),
        ("public", Certainty::Public),
        ("house", Certainty::House),
    ];
    let Some(given) = given else { return otherwise };
    match known.iter().find(|(name, _)| *name == given.it) {
        Some((_, standing)) => *standing,
        None => {
            faults.unknown(
                &given.at,
                Noun::Standing,
                &given.it,
                known.iter().map(|(name, _)| *name),
            );
            otherwise
        }
    }
}

/// Looks up an id by name; reports an unknown name.
pub(super) fn find<'a, I: Id>(
    name: &Located<String>,
    noun: Noun,
    known: impl Iterator<Item = &'a str> + Clone,
    faults: &Diagnostics,
) -> Option<I> {
    find_index(name, noun, known, faults).map(I::from_index)
}

/// The index of a word among the known ones; reports an unknown word.
pub(super) fn find_index<'a>(
    name: &Located<String>,
    noun: Noun,
    known: impl Iterator<Item = &'a str> + Clone,
    faults: &Diagnostics,
) -> Option<usize> {
    let found = known.clone().position(|id| id == name.it);
    if found.is_none() {
        faults.unknown(&name.at, noun, &name.it, known);
    }
    found
}

pub(super) fn build(
    raw: &RawPack,
    files: &Files,
    supplied: &[SuppliedDeck<'_>],
    words: &mut Words,
    faults: &Diagnostics,
) -> Vocabulary {
    if let Some(id) = &raw.id {
        check_id(id, faults);
    }
    for id in raw
        .charts
        .iter()
        .map(|c| &c.id)
        .chain(raw.results.iter().map(|r| &r.id))
        .chain(raw.readings.iter().map(|r| &r.id))
    {
        check_id(id, faults);
    }
    for id in raw
        .decks
        .iter()
        .map(|d| &d.id)
        .chain(raw.user_tables.iter().map(|t| &t.id))
        .chain(raw.phases.iter().map(|p| &p.id))
    {
        check_id(id, faults);
    }
    for result in
        raw.results.iter().filter(|result| result.id.it.parse::<adjutant_dice::Number>().is_ok())
    {
        faults.add(&result.id.at, NameProblem::ResultIsNumber { name: result.id.text() });
    }
    for (place, phase) in raw.phases.iter().enumerate() {
        if raw.phases[..place].iter().any(|other| other.id.it == phase.id.it) {
            faults.add(&phase.id.at, NameProblem::TwoPhases { name: phase.id.text() });
        }
    }
    for id in raw.statuses.iter().map(|s| &s.id).chain(raw.kinds.iter().map(|k| &k.id)) {
        check_name(id, faults);
    }
    let kinds: IdVec<KindId, UnitKind> =
        raw.kinds.iter().map(|kind| unit_kind(kind, raw, words, faults)).collect();
    let mut vocabulary = Vocabulary {
        templates: IdVec::new(),
        options: raw.options.iter().map(|option| switch(option, words, faults)).collect(),
        memory: raw.memory.iter().map(|memory| remembered(memory, words, faults)).collect(),
        side_memory: raw
            .memory
            .iter_enumerated()
            .filter(|(_, memory)| is_per_side(memory, faults))
            .map(|(place, _)| place)
            .collect(),
        statuses: raw.statuses.iter().map(|status| status_of(status, raw, faults)).collect(),
        readings: raw
            .readings
            .iter()
            .map(|r| Reading {
                id: r.id.it.as_str().into(),
                text: r.text.as_str().into(),
                standing: standing(r.standing.as_ref(), Certainty::Reading, faults),
            })
            .collect(),
        phases: raw.phases.iter().map(|phase| phase_of(phase, raw, faults)).collect(),
        dice: raw.dice.iter().map(|die| super::die::die(die, words, faults)).collect(),
        lists: raw.lists.iter().map(|list| super::die::list(list, words, faults)).collect(),
        decks: raw
            .decks
            .iter()
            .map(|deck| deck::build(deck, files, supplied, words, faults))
            .collect(),
        results: raw.results.iter().map(|result| outcome(result, &kinds, words, faults)).collect(),
        user_tables: raw.user_tables.iter().map(|table| user_table(table, raw, faults)).collect(),
        kinds,
    };
    vocabulary.templates = super::turn::templates(&raw.templates, &vocabulary, words, faults);
    vocabulary
}

fn unit_kind(
    raw: &crate::raw::RawKind,
    pack: &RawPack,
    words: &mut Words,
    faults: &Diagnostics,
) -> UnitKind {
    for derived in &raw.derived {
        check_name(&derived.id, faults);
        let twice = raw.has.iter().any(|attribute| attribute.id.it == derived.id.it);
        let status = pack.statuses.iter().any(|status| status.id.it == derived.id.it);
        if twice || status || derived.id.it == "place" {
            faults.add(&derived.id.at, NameProblem::AttributeTaken { name: derived.id.text() });
        }
    }
    for attribute in &raw.has {
        let clash = pack
            .statuses
            .iter()
            .any(|s| s.id.it == attribute.id.it && s.of.iter().any(|k| k.it == raw.id.it));
        if clash || attribute.id.it == "place" {
            faults.add(&attribute.id.at, NameProblem::AttributeTaken { name: attribute.id.text() });
        }
    }
    UnitKind {
        id: raw.id.it.as_str().into(),
        title: raw.title.as_str().into(),
        symbol: look::symbol(raw.symbol.as_ref(), faults),
        has: raw.has.iter().map(|f| field(f, words, faults)).collect(),
        looks: look::attributes(&raw.has, words, faults).into_iter().collect(),
        derived: Vec::new(),
        keyed: raw.keyed.iter().map(keyed).collect(),
    }
}

fn keyed(raw: &crate::raw::RawKeyed) -> KeyedValue {
    KeyedValue {
        id: raw.id.as_str().into(),
        label: raw.label.as_str().into(),
        attributes: raw.words.iter().map(|(_, attribute)| attribute.as_str().into()).collect(),
    }
}

fn switch(raw: &crate::raw::RawOption, words: &mut Words, faults: &Diagnostics) -> PackOption {
    let mut made = field(&raw.field, words, faults);
    if made.start.is_none() {
        match &made.accepts {
            Accepts::Choice { words: list } => {
                made.default = list.first().map(|w| adjutant_dice::Answer::Choice(w.id.clone()));
                made.start = list.first().map(|w| Value::Word(words.intern(&w.id)));
            }
            _ => faults.add(
                &raw.field.id.at,
                FieldProblem::OptionWithoutDefault { name: made.id.clone() },
            ),
        }
    }
    if raw.standing.is_none() {
        faults.add(&raw.field.id.at, FieldProblem::OptionWithoutStanding { name: made.id.clone() });
    }
    if raw.origin.is_empty() {
        faults.add(&raw.field.id.at, FieldProblem::OptionWithoutOrigin { name: made.id.clone() });
    }
    PackOption {
        standing: standing(raw.standing.as_ref(), Certainty::House, faults),
        origin: raw.origin.as_str().into(),
        field: made,
    }
}

fn remembered(raw: &RawField, words: &mut Words, faults: &Diagnostics) -> Field {
    let made = field(raw, words, faults);
    if made.start.is_none() {
        faults.add(&raw.id.at, FieldProblem::MemoryWithoutDefault { name: made.id.clone() });
    }
    made
}

fn is_per_side(raw: &RawField, faults: &Diagnostics) -> bool {
    let Some(per) = &raw.per else { return false };
    if per.it != "side" {
        faults.unknown(&per.at, Noun::Owner, &per.it, ["side"]);
    }
    true
}

fn status_of(raw: &crate::raw::RawStatus, pack: &RawPack, faults: &Diagnostics) -> Status {
    let kinds = pack.kinds.iter().map(|k| k.id.it.as_str());
    Status {
        id: raw.id.it.as_str().into(),
        title: raw.title.as_str().into(),
        means: raw.means.as_str().into(),
        harm: look::harm(raw.harm.as_ref(), faults),
        of: raw
            .of
            .iter()
            .filter_map(|kind| find(kind, Noun::UnitKind, kinds.clone(), faults))
            .collect(),
        out: raw.out,
        stops: raw
            .stops
            .iter()
            .filter_map(|chart| {
                find(chart, Noun::Chart, pack.charts.iter().map(|c| c.id.it.as_str()), faults)
            })
            .collect(),
        keeps_off: raw
            .keeps_off
            .iter()
            .filter_map(|status| {
                let known = pack.statuses.iter().map(|s| s.id.it.as_str());
                find(status, Noun::Status, known, faults)
            })
            .collect(),
        ends: raw.ends.as_ref().and_then(|phase| {
            find(phase, Noun::Phase, pack.phases.iter().map(|p| p.id.it.as_str()), faults)
        }),
    }
}

fn phase_of(raw: &crate::raw::RawPhase, pack: &RawPack, faults: &Diagnostics) -> Phase {
    let charts = pack.charts.iter().map(|c| c.id.it.as_str());
    Phase {
        id: raw.id.it.as_str().into(),
        title: raw.title.as_str().into(),
        text: raw.text.as_str().into(),
        charts: raw
            .charts
            .iter()
            .filter_map(|chart| find(chart, Noun::Chart, charts.clone(), faults))
            .collect(),
        needs_option: raw.needs_option.as_ref().and_then(|id| {
            let options = pack.options.iter().map(|option| option.field.id.it.as_str());
            let place = find(id, Noun::Option, options, faults)?;
            if pack.options[place].field.accepts != Accepts::YesNo {
                faults.add(&id.at, FieldProblem::PhaseOptionNotYesNo { name: id.text() });
            }
            Some(place)
        }),
        needs_deck: raw.needs_deck.as_ref().and_then(|id| {
            let own = pack.decks.iter().filter(|deck| deck.user.is_some());
            let known = own.map(|deck| deck.id.it.as_str());
            let _: usize = find_index(id, Noun::UserDeck, known, faults)?;
            pack.decks.position(|deck| deck.id.it == id.it)
        }),
        lift: Vec::new(),
        due: Vec::new(),
    }
}

fn outcome(
    raw: &crate::raw::RawResult,
    kinds: &[UnitKind],
    words: &mut Words,
    faults: &Diagnostics,
) -> ResultRule {
    words.intern(&raw.id.it);
    let of = raw
        .of
        .as_ref()
        .and_then(|kind| find(kind, Noun::UnitKind, kinds.iter().map(|k| k.id.as_str()), faults));
    ResultRule {
        id: raw.id.it.as_str().into(),
        title: raw.title.as_str().into(),
        means: raw.means.as_str().into(),
        harm: look::harm(raw.harm.as_ref(), faults),
        of,
    }
}

fn user_table(raw: &crate::raw::RawUserTable, pack: &RawPack, faults: &Diagnostics) -> UserTable {
    let results = pack.results.iter().map(|r| r.id.it.as_str());
    UserTable {
        id: raw.id.it.as_str().into(),
        title: raw.title.as_str().into(),
        place: raw.place.clone(),
        ask: if raw.ask.is_empty() {
            format!("What does the {} say?", raw.title).into()
        } else {
            raw.ask.as_str().into()
        },
        results: raw
            .results
            .iter()
            .filter_map(|id| find(id, Noun::Result, results.clone(), faults))
            .collect(),
        filled: false,
        fixed: (
            raw.score.as_ref().map(|t| t.it.clone()),
            raw.column.as_ref().map(|t| t.it.clone()),
        ),
        columns: Vec::new(),
        names: Vec::new(),
    }
}

fn text_of(text: Option<&Located<String>>) -> String {
    text.map(|text| text.it.clone()).unwrap_or_default()
}

impl Vocabulary {
    /// The words of a list, for `in list.name`.
    pub fn list(&self, name: &str) -> Result<Vec<Word>, Option<ExprProblem>> {
        match self.lists.iter().find(|list| list.id == name) {
            Some(list) => Ok(list.words.iter().map(|word| word.word).collect()),
            None => {
                let known = self.lists.iter().map(|list| list.id.as_str());
                let unknown = UnknownName::brief(Noun::List, name, known);
                Err(Some(ExprProblem::UnknownName(unknown)))
            }
        }
    }

    /// A number field of the words that an expression can be: `range.plus` is the number of the
    /// range's word in its list.
    pub fn word_field(&self, of: &Expr, kind: &Type, field: &str, words: &Words) -> Option<Expr> {
        let Type::Choice(can_be) = kind else { return None };
        let field = words.find(field)?;
        let has = |list: &&WordList| {
            can_be.iter().all(|word| list.words.iter().any(|known| known.word == *word))
                && list.words.iter().any(|word| word.fields.iter().any(|(name, _)| *name == field))
        };
        // The shortest list is the one that was meant, if several have all the words.
        let list = self.lists.iter().filter(has).min_by_key(|list| list.words.len())?;
        let number = |n: Number| Expr::Fixed(Value::Number(n));
        let mut found = number(Number::ZERO);
        for word in list.words.iter().filter(|word| can_be.contains(&word.word)) {
            let Some((_, n)) = word.fields.iter().find(|(name, _)| *name == field) else {
                continue;
            };
            let same = Expr::Fixed(Value::Word(word.word));
            let same = Expr::Pair(Op::Same, Box::new(of.clone()), Box::new(same));
            found = Expr::Call(Func::If, vec![same, number(*n), found]);
        }
        Some(found)
    }

    pub fn into_pack(self, raw: &RawPack, files: &Files, words: Words) -> Pack {
        Pack {
            id: raw.id.as_ref().map(|id| id.it.clone()).unwrap_or_default().into(),
            title: raw.title.as_str().into(),
            version: raw.version.clone(),
            by: raw.by.clone(),
            source: raw.source.clone(),
            notice: raw.notice.clone(),
            about: raw.about.clone(),
            license: text_of(raw.license.as_ref()),
            url: text_of(raw.url.as_ref()),
            language: text_of(raw.language.as_ref()),
            hash: files.hash().into(),
            words,
            terms: super::terms::build(raw),
            options: self.options,
            memory: self.memory,
            side_memory: self.side_memory,
            kinds: self.kinds,
            statuses: self.statuses,
            readings: self.readings,
            phases: self.phases,
            turn_readings: Vec::new(),
            turn_names: IdVec::new(),
            templates: self.templates,
            starts: IdVec::new(),
            endings: IdVec::new(),
            dice: self.dice,
            lists: self.lists,
            decks: self.decks,
            results: self.results,
            user_tables: self.user_tables,
            charts: IdVec::new(),
            fights: IdVec::new(),
        }
    }
}
