//! The state of the check of one chart: its names so far, its inputs and its results.

use super::FilledTable;
use super::deck::SuppliedDeck;
use super::roll::FaceScope;
use super::vocabulary::{self, Vocabulary};
use crate::binding::ResultBinding;
use crate::chart::{Chart, Facet, FilledFrom, Input, Name, NameSource, Role};
use crate::diagnostic::Diagnostic;
use crate::expr::{self, Formula, Range, Slot};
use crate::files::Files;
use crate::ids::{
    AgainId, BindingId, ChartId, DeckId, FieldId, Id, IdVec, InputId, KindId, ReadingId, ResultId,
    RoleId, StepId,
};
use crate::pack::Field;
use crate::problem::{ExprProblem, ValueKind};
use crate::raw::{RawChart, RawPack};
use crate::roll::Yields;
use crate::tree::{Diagnostics, Located, Place};
use crate::unknown_name::Noun;
use crate::value::{Type, Word, Words};
use adjutant_dice::{Accepts, Number, Text};
use std::cell::Cell;
use std::collections::HashMap;

/// What all charts of a pack share during the check.
pub(super) struct CheckContext<'a> {
    pub raw: &'a RawPack,
    pub filled: &'a [FilledTable],
    pub supplied: &'a [SuppliedDeck<'a>],
    pub files: &'a Files,
    pub tables: &'a str,
    pub faults: &'a Diagnostics,
    pub vocabulary: &'a Vocabulary,
    /// Charts that are already checked, by id. Charts that are looked up come first.
    pub done: &'a IdVec<ChartId, Option<Chart>>,
    /// The remaining budget for finding unreachable rows.
    pub work: &'a Cell<usize>,
}

impl CheckContext<'_> {
    /// Parses and checks an expression. The scope says what its names mean.
    pub fn formula(
        &self,
        text: &Located<String>,
        want: ExpectedType,
        scope: &mut dyn expr::Scope,
    ) -> Option<Formula> {
        let written = match expr::read(&text.it) {
            Ok(written) => written,
            Err(fault) => {
                self.inside(text, fault.from, fault.to, fault.problem);
                return None;
            }
        };
        let (expr, kind) = match expr::resolve(&written, scope) {
            Ok(found) => found,
            Err(faults) => {
                for fault in faults {
                    self.inside(text, fault.from, fault.to, fault.problem);
                }
                return None;
            }
        };
        let found = ValueKind::from(&kind);
        let wanted = match want {
            ExpectedType::Number => ValueKind::Number,
            ExpectedType::YesNo => ValueKind::YesNo,
            ExpectedType::Any => found,
        };
        if found != wanted {
            self.inside(text, 0, text.it.len(), ExprProblem::WrongKind { found, wanted });
            return None;
        }
        Some(Formula { expr, text: text.it.as_str().into(), kind })
    }

    /// Reports a problem in a part of the text of an expression.
    fn inside(&self, text: &Located<String>, from: usize, to: usize, problem: ExprProblem) {
        let source = match text.at.file.as_str() {
            super::TABLES_FILE => self.tables,
            name => self.files.text(name).unwrap_or(""),
        };
        let whole = text.at.span.clone();
        let quotes = source.get(whole.clone()).map_or(0, |s| {
            if s.starts_with("\"\"\"") || s.starts_with("'''") {
                3
            } else {
                usize::from(s.starts_with(['"', '\'']))
            }
        });
        let start = whole.start + quotes;
        let exact = source.get(start..start + text.it.len()) == Some(text.it.as_str());
        // An empty part is shown as one character, unless the file ends there.
        let end = (start + to.max(from + 1)).min(source.len());
        let span = if exact { start + from..end } else { whole };
        self.faults.push(Diagnostic {
            problem: problem.into(),
            file: text.at.file.to_string(),
            span,
        });
    }
}

/// What later steps and rows may use of an earlier step.
pub(super) struct KnownStep {
    pub name: String,
    pub kind: KnownKind,
    pub facets: Vec<(Facet, Slot)>,
    pub total: Range,
    pub natural: Range,
    /// Whether the step may be skipped.
    pub may_skip: bool,
}

/// What expressions may use of a roll.
pub(super) struct KnownRoll {
    /// The number of dice.
    pub dice: Range,
    /// The number of dice that count.
    pub kept: Range,
    /// The type of a finished die, and its range.
    pub face: Type,
    pub range: Range,
    pub fields: Vec<(Word, Range)>,
    pub tally: Vec<(Text, Range)>,
    pub yields: Yields,
    /// The size of the boxes that are filled.
    pub fill: Option<Range>,
    /// The numbers that a single die shows, where they have gaps: those of d66, or of a die of the
    /// pack.
    pub shows: Option<Vec<Number>>,
}

/// What expressions may use of several cards.
pub(super) struct KnownCards {
    /// The number of cards drawn, and of those that count.
    pub drawn: Range,
    pub kept: Range,
    /// The range of the field that is read.
    pub face: Range,
    pub tally: Vec<(Text, Range)>,
    pub adds_up: bool,
}

pub(super) enum KnownKind {
    Roll(Box<KnownRoll>),
    Draw {
        deck: DeckId,
        read: Option<FieldId>,
        several: Option<Box<KnownCards>>,
    },
    Value(Type),
    /// A chart, and how many times it is run if it is a series.
    LookUp {
        chart: ChartId,
        times: Option<Range>,
    },
}

/// What expressions may use of a chart that an again rule looks up.
pub(super) struct KnownAgain {
    pub name: String,
    pub step: StepId,
    pub rule: AgainId,
    pub chart: ChartId,
    pub facets: Vec<(Facet, Slot)>,
    /// Whether the rule is being checked. The names are known only within the rule.
    pub open: bool,
}

/// The type that an expression must have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpectedType {
    Number,
    YesNo,
    Any,
}

pub(super) struct Builder<'a, 'w> {
    pub ground: &'a CheckContext<'a>,
    pub raw: &'a RawChart,
    pub words: &'w mut Words,
    pub roles: IdVec<RoleId, Role>,
    pub names: IdVec<Slot, Name>,
    pub used: IdVec<Slot, bool>,
    pub inputs: IdVec<InputId, Input>,
    pub steps: IdVec<StepId, KnownStep>,
    pub agains: Vec<KnownAgain>,
    pub landings: IdVec<BindingId, ResultBinding>,
    pub landed: HashMap<(ResultId, Option<RoleId>), BindingId>,
    /// Bindings whose lines are not read yet. A work list avoids deep recursion, because chains of
    /// them may be long.
    pub pending: Vec<BindingId>,
    pub filling: bool,
    /// The number of follow-up rules so far.
    pub follow_ups: u32,
    /// The role that `it` currently refers to.
    pub it: Option<RoleId>,
    /// The dice that `face` currently refers to.
    pub face: Option<FaceScope>,
    /// The name that `unit` refers to while a value of a unit is worked out, and which values are
    /// being worked out.
    pub unit: Option<String>,
    pub working_out: Vec<(KindId, String)>,
    /// The kind of unit that `other` currently refers to.
    pub other: Option<KindId>,
    /// Whether a value of a role is one that rules units out, and is not asked for.
    pub ruled: bool,
    /// Whether `cell`, `score` and `value` are currently in scope.
    pub cell: bool,
    pub outcome: bool,
    /// What `nth` is, while it is in scope.
    pub nth: Option<Nth>,
    /// Whether `score` alone is currently in scope.
    pub scored: bool,
    /// The role that several units take.
    pub each: Option<RoleId>,
    /// The type and range of the score, once known.
    pub score: (Type, Range),
    /// Names whose own definition has an error. Uses of them are not reported again.
    pub broken: Vec<String>,
}

/// What `nth` is in a series.
#[derive(Clone)]
pub(super) enum Nth {
    /// The place in the series.
    Place(Range),
    /// The word of a list.
    Word(Vec<Word>),
}

impl<'a, 'w> Builder<'a, 'w> {
    pub fn new(
        ground: &'a CheckContext<'a>,
        raw: &'a RawChart,
        words: &'w mut Words,
    ) -> Builder<'a, 'w> {
        Builder {
            ground,
            raw,
            words,
            roles: IdVec::new(),
            names: IdVec::new(),
            used: IdVec::new(),
            inputs: IdVec::new(),
            steps: IdVec::new(),
            agains: Vec::new(),
            landings: IdVec::new(),
            landed: HashMap::new(),
            pending: Vec::new(),
            filling: false,
            follow_ups: 0,
            it: None,
            face: None,
            unit: None,
            working_out: Vec::new(),
            other: None,
            ruled: false,
            cell: false,
            outcome: false,
            nth: None,
            scored: false,
            each: None,
            score: (Type::Number, Range::ANY),
            broken: raw.broken.clone(),
        }
    }

    /// A value by a word of the unit that a name stands for.
    pub fn keyed(&self, base: &str, id: &str) -> Option<&'a crate::raw::RawKeyed> {
        let own = self.unit.as_deref();
        let kind = match base {
            "other" => self.other?,
            "it" => self.roles[self.it?].kind,
            "unit" if own == Some("other") => self.other?,
            "unit" if own.is_some() => return self.keyed(own.filter(|own| *own != "unit")?, id),
            _ => self.roles.iter().find(|role| role.id == base)?.kind,
        };
        self.ground.raw.kinds[kind].keyed.iter().find(|keyed| keyed.id == id)
    }

    pub fn faults(&self) -> &'a Diagnostics {
        self.ground.faults
    }

    pub fn vocabulary(&self) -> &'a Vocabulary {
        self.ground.vocabulary
    }

    /// Adds a name.
    pub fn new_name(&mut self, text: String, origin: NameSource, kind: Type, range: Range) -> Slot {
        self.used.push(false);
        self.names.push(Name { text: text.into(), origin, kind, range })
    }

    /// Adds an input and its name.
    pub fn input(
        &mut self,
        name: String,
        role: Option<RoleId>,
        field: Field,
        source: FilledFrom,
    ) -> Slot {
        let own_label = field.label.clone();
        self.labelled_input(name, role, field, own_label, source)
    }

    /// The same, with a label that names the role and one that does not.
    pub fn labelled_input(
        &mut self,
        name: String,
        role: Option<RoleId>,
        field: Field,
        own_label: Text,
        source: FilledFrom,
    ) -> Slot {
        let kind = vocabulary::kind_of(&field.accepts, self.words);
        let range = range_of(&field.accepts);
        let slot = self.new_name(
            name.clone(),
            NameSource::Input(InputId::from_index(self.inputs.len())),
            kind,
            range,
        );
        let name = name.into();
        self.inputs.push(Input { name, role, field, own_label, source, count: None, slot });
        slot
    }

    /// Looks up a role; reports an unknown one.
    pub fn role(&self, id: &Located<String>) -> Option<RoleId> {
        if self.broken.contains(&id.it) && !self.roles.iter().any(|role| role.id == id.it) {
            return None;
        }
        let found = self.roles.position(|role| role.id == id.it);
        if found.is_none() {
            // A result may apply to units of several charts. Only the chart's id says where the
            // role is missing.
            let known = self.roles.iter().map(|role| role.id.as_str());
            self.faults().unknown(&id.at, Noun::Role(self.raw.id.text()), &id.it, known);
        }
        found
    }

    pub fn reading(&self, id: Option<&Located<String>>) -> Option<ReadingId> {
        vocabulary::find(
            id?,
            Noun::Reading,
            self.vocabulary().readings.iter().map(|r| r.id.as_str()),
            self.faults(),
        )
    }

    /// Parses and checks an expression in the scope of this chart.
    pub fn formula(&mut self, text: &Located<String>, want: ExpectedType) -> Option<Formula> {
        self.ground.formula(text, want, self)
    }

    pub fn condition(&mut self, text: Option<&Located<String>>) -> Option<Formula> {
        text.and_then(|text| self.formula(text, ExpectedType::YesNo))
    }

    /// The range of a formula.
    pub fn range(&self, formula: &Formula) -> Range {
        formula.expr.range(&|slot| self.names.get(slot).map_or(Range::ANY, |name| name.range))
    }

    /// The position of the chart, for problems without a more exact one.
    pub fn here(&self) -> &'a Place {
        &self.raw.id.at
    }
}

/// The range of a field.
pub(super) fn range_of(accepts: &Accepts) -> Range {
    match accepts {
        Accepts::Number { from, to, step } if step.is_whole() => {
            Range::between(from.ceil(), to.floor(), true)
        }
        Accepts::Number { from, to, .. } => Range::between(*from, *to, false),
        _ => Range::ANY,
    }
}

impl expr::Scope for Builder<'_, '_> {
    fn name(&mut self, name: &str) -> expr::Resolved {
        self.find(name)
    }

    fn word(&mut self, text: &str) -> crate::value::Word {
        self.words.intern(text)
    }

    fn text(&self, word: crate::value::Word) -> String {
        self.words.text(word).to_owned()
    }

    fn list(&mut self, name: &str) -> Result<Vec<Word>, Option<ExprProblem>> {
        self.vocabulary().list(name)
    }

    fn keys(&mut self, name: &str) -> Option<Vec<(Word, String)>> {
        let (base, id) = name.rsplit_once('.')?;
        let keyed = self.keyed(base, id)?;
        let words = keyed.words.iter();
        Some(
            words
                .map(|(word, value)| (self.words.intern(word), format!("{base}.{value}")))
                .collect(),
        )
    }
}
