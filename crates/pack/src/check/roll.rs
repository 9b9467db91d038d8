//! Checks a roll of dice: which dice, and what happens to each of them.

use super::builder::{Builder, ExpectedType};
use crate::chart::NameSource;
use crate::expr::{self, Expr, Formula, Range, Slot};
use crate::ids::{DeckId, IdVec, StepId};
use crate::problem::{RollProblem, StepProblem};
use crate::raw::{MOST_EXPLODED, RawDice, RawExplode, RawReroll, RawRoll, RawStep};
use crate::roll::{
    Choose, Decision, DieTally, Explode, FacePart, Fill, Keep, Reroll, Roll, RolledDie, RolledKind,
    Test, Worth, Yields,
};
use crate::tree::Located;
use crate::value::{Type, Value, Word};
use adjutant_dice::{MOST_DICE, Number, Text};
use std::collections::BTreeSet;

mod dice;

/// How often a die explodes if the pack does not say.
const USUAL_EXPLODED: u32 = 10;

/// The dice of the roll that is being checked, and the names of one die used so far.
pub(super) struct FaceScope {
    pub parts: Vec<(FacePart, Slot)>,
    step: StepId,
    pub kind: Type,
    pub range: Range,
    /// The number fields of the faces, each with its range.
    pub fields: Vec<(Word, Range)>,
    dice: BTreeSet<Word>,
    sides: Range,
    /// The deck, if `face` is a card.
    pub cards: Option<DeckId>,
    /// Whether `face` itself is known.
    pub reads: bool,
}

impl FaceScope {
    /// A scope where `face` is a card.
    pub fn of_cards(
        step: StepId,
        deck: DeckId,
        reads: bool,
        kind: Type,
        range: Range,
    ) -> FaceScope {
        FaceScope {
            parts: Vec::new(),
            step,
            kind,
            range,
            fields: Vec::new(),
            dice: BTreeSet::new(),
            sides: range,
            cards: Some(deck),
            reads,
        }
    }
}

impl Builder<'_, '_> {
    pub fn roll(&mut self, step: &RawStep, raw: &RawRoll) -> Option<Roll> {
        let kinds = self.rolled_kinds(raw)?;
        let mut scope = self.face_scope(&kinds, step)?;
        let words = matches!(scope.kind, Type::Choice(_));
        self.check_counts(step, raw, &kinds);
        let explode_at_most =
            raw.explode.as_ref().map(|rule| rule.at_most.unwrap_or(USUAL_EXPLODED));
        let (lowest, single) = (scope.range, scope.range);
        self.face = Some(scope);
        let reroll: Vec<Reroll> =
            raw.reroll.iter().filter_map(|rule| self.reroll(rule, &kinds)).collect();
        let explode = self.explode(raw.explode.as_ref(), "explode", &kinds);
        let extra = self.explode(raw.extra.as_ref(), "extra", &kinds);
        if let (Some(rule), true) = (&raw.explode, words) {
            self.faults().add(&rule.when.at, RollProblem::ExplodeWords);
        }
        // A finished die that exploded shows the sum of its rolls.
        if let (Some(most), Some(scope)) = (explode_at_most, self.face.as_mut()) {
            let times = Range::between(Number::ZERO, Number::from(most), true);
            scope.range = lowest.plus(single.times(times).or(Range::just(Number::ZERO)));
            let range = scope.range;
            let face = scope.parts.iter().find(|(part, _)| *part == FacePart::Face);
            if let Some((_, slot)) = face {
                self.names[*slot].range = range;
            }
        }
        let each = self.worth(step, raw);
        let tally = self.tallies(raw);
        let best = raw.choose.as_ref().and_then(|choose| choose.best.as_ref());
        let best = best.and_then(|text| self.formula(text, ExpectedType::Number));
        scope = self.face.take()?;
        let keep = self.keep(raw, words, each.as_ref());
        let fill = self.fill(raw, words && each.is_none());
        let choose = raw.choose.as_ref().and_then(|choose| {
            if choose.by.is_none() && choose.best.is_none() {
                self.faults().add(&choose.at, RollProblem::ChooseNothing);
            }
            if keep.is_some() || raw.fill.is_some() {
                self.faults().add(&choose.at, RollProblem::KeptAndChosen);
            }
            let by = match &choose.by {
                Some(by) => Some(self.picker(by)?),
                None => None,
            };
            Some(Choose { by, best })
        });
        let more = extra.is_some() || step.add.iter().any(|modifier| modifier.dice.is_some());
        let single = !more && kinds.len() == 1 && fixed(&kinds[0].count) == Some(1);
        let yields = match () {
            () if !words || each.is_some() => Yields::Number,
            () if choose.is_some() || single => Yields::Face,
            () => Yields::Nothing,
        };
        let counted =
            if raw.counted.is_empty() { "passed".to_owned() } else { raw.counted.clone() };
        let written = match kinds.as_slice() {
            [RolledKind { die: RolledDie::Plain(sides), count, .. }] => {
                fixed(count).map(|n| (n, format!("{n}d{sides}").into()))
            }
            _ => None,
        };
        Some(Roll {
            kinds,
            reroll,
            explode,
            extra,
            keep,
            each,
            tally,
            fill,
            choose,
            yields,
            face: scope.parts,
            written,
            counted,
        })
    }

    fn check_counts(&mut self, step: &RawStep, raw: &RawRoll, kinds: &[RolledKind]) {
        let at = match &raw.dice {
            RawDice::Written(text) => &text.at,
            RawDice::Kinds(at, _) => at,
        };
        for kind in kinds {
            let range = self.range(&kind.count);
            if range.to.is_some_and(|n| n < Number::ZERO)
                || range.from.is_some_and(|n| n > Number::from(MOST_DICE))
            {
                self.faults().add(at, StepProblem::NeverSoManyDice);
            }
        }
        if raw.pass_at_most.is_some() && raw.pass_at_least.is_some() {
            self.faults().add(&step.at, StepProblem::PassBoth);
        }
    }

    /// A condition on one die, checked on every face: it must hold for some and not for all.
    fn face_condition(
        &mut self,
        text: &Located<String>,
        key: &'static str,
        kinds: &[RolledKind],
    ) -> Option<Formula> {
        let words = |die: &RolledDie| match die {
            RolledDie::Named(die) => {
                self.vocabulary().dice[*die].names.contains(&text.it.as_str().into())
            }
            _ => false,
        };
        // A bare face stands for the condition that the die shows it.
        let bare = text.it.parse::<Number>().is_ok();
        let text = match kinds.iter().any(|kind| words(&kind.die)) {
            _ if bare => &Located { it: format!("face == {}", text.it), at: text.at.clone() },
            true => &Located { it: format!("face == '{}'", text.it), at: text.at.clone() },
            false => text,
        };
        let formula = self.formula(text, ExpectedType::YesNo)?;
        let verdicts: Vec<Option<bool>> =
            kinds.iter().flat_map(|kind| self.verdicts(&formula, &kind.die)).collect();
        if !verdicts.is_empty() && verdicts.iter().all(|holds| *holds == Some(true)) {
            self.faults().add(&text.at, RollProblem::AlwaysRule { key });
        }
        if !verdicts.is_empty() && verdicts.iter().all(|holds| *holds == Some(false)) {
            self.faults().add(&text.at, RollProblem::NeverRule { key });
        }
        Some(formula)
    }

    /// Whether a condition holds for each face of a die; unknown if it depends on something else.
    fn verdicts(&self, formula: &Formula, die: &RolledDie) -> Vec<Option<bool>> {
        let parts = self.face.as_ref().map(|scope| scope.parts.clone()).unwrap_or_default();
        let mut values: IdVec<Slot, Option<Value>> = IdVec::filled(None, self.names.len());
        let mut verdict = |of: &dyn Fn(FacePart) -> Option<Value>| {
            for (part, slot) in &parts {
                values[*slot] = of(*part);
            }
            formula.eval_partly(&values, &mut Vec::new()).map(Value::is_yes)
        };
        let number = |n: u32| Some(Value::Number(Number::from(n)));
        match die {
            RolledDie::Plain(sides) => (1..=*sides)
                .map(|face| {
                    verdict(&|part| match part {
                        FacePart::Face => number(face),
                        FacePart::Sides => number(*sides),
                        _ => None,
                    })
                })
                .collect(),
            RolledDie::Named(die) => {
                let die = &self.vocabulary().dice[*die];
                die.faces
                    .iter()
                    .map(|face| {
                        verdict(&|part| match part {
                            FacePart::Face => Some(face.value),
                            FacePart::Field(field) => Some(Value::Number(face.field(field))),
                            _ => None,
                        })
                    })
                    .collect()
            }
            RolledDie::Sized(_) | RolledDie::Digits { .. } => vec![None],
        }
    }

    fn reroll(&mut self, raw: &RawReroll, kinds: &[RolledKind]) -> Option<Reroll> {
        let when = self.face_condition(&raw.when, "reroll", kinds)?;
        let scope = self.face.take();
        let dice = raw.dice.as_ref().and_then(|text| self.formula(text, ExpectedType::Number));
        self.face = scope;
        if let (Some(assume), None) = (&raw.assume, &raw.ask) {
            self.faults().add(&assume.at, RollProblem::AssumeWithoutAsk);
        }
        let ask = raw.ask.as_ref();
        Some(Reroll {
            when,
            because: raw.because.as_str().into(),
            at_most: raw.at_most.unwrap_or(1),
            dice,
            ask: ask.map(|ask| Decision { prompt: ask.as_str().into(), assume: None }),
        })
    }

    /// The assumptions of the rules, which may use the dice as they lie.
    pub fn assumptions(&mut self, roll: &mut Roll, raw: &RawRoll) {
        for (rule, raw) in roll.reroll.iter_mut().zip(&raw.reroll) {
            if let Some(ask) = &mut rule.ask {
                ask.assume = self.condition(raw.assume.as_ref());
            }
        }
    }

    fn explode(
        &mut self,
        raw: Option<&RawExplode>,
        key: &'static str,
        kinds: &[RolledKind],
    ) -> Option<Explode> {
        let raw = raw?;
        let when = self.face_condition(&raw.when, key, kinds)?;
        let at_most = raw.at_most.unwrap_or(USUAL_EXPLODED).min(MOST_EXPLODED);
        Some(Explode { when, at_most })
    }

    /// What a die is worth: `each`, or one of its short forms.
    pub(super) fn worth(&mut self, step: &RawStep, raw: &RawRoll) -> Option<Worth> {
        let passes = [
            ("pass_at_most", true, &raw.pass_at_most),
            ("pass_at_least", false, &raw.pass_at_least),
        ];
        for (key, low, text) in passes {
            let Some(text) = text else { continue };
            if raw.each.is_some() {
                self.faults().add(&step.at, RollProblem::EachTwice { key });
            }
            let scope = self.face.take();
            let limit = self.formula(text, ExpectedType::Number);
            self.face = scope;
            let limit = limit?;
            let sign = if low { "<=" } else { ">=" };
            let written = Located { it: format!("face {sign} 0"), at: text.at.clone() };
            let mut formula = self.formula(&written, ExpectedType::YesNo)?;
            if let Expr::Pair(_, _, right) = &mut formula.expr {
                **right = limit.expr.clone();
            }
            formula.text = format!("face {sign} {}", limit.text).into();
            return Some(Worth { formula, test: Some(Test { low, limit }) });
        }
        let text = raw.each.as_ref()?;
        let formula = self.die_worth(text, "each")?;
        let test = self.as_test(text, &formula);
        Some(Worth { formula, test })
    }

    /// A number or a condition; a word cannot be added.
    fn die_worth(&mut self, text: &Located<String>, key: &'static str) -> Option<Formula> {
        let formula = self.formula(text, ExpectedType::Any)?;
        if matches!(formula.kind, Type::Choice(_)) {
            self.faults().add(&text.at, RollProblem::EachIsAWord { key });
            return None;
        }
        Some(formula)
    }

    /// The limit of `face >= limit` or `face <= limit`.
    fn as_test(&mut self, text: &Located<String>, formula: &Formula) -> Option<Test> {
        let Expr::Pair(op @ (expr::Op::AtLeast | expr::Op::AtMost), left, right) = &formula.expr
        else {
            return None;
        };
        let is_face = |slot: Slot| matches!(self.names[slot].origin, NameSource::Face(..));
        let Expr::Slot(face) = **left else { return None };
        let parts = &self.face.as_ref()?.parts;
        let own = parts.iter().any(|(part, slot)| *part == FacePart::Face && *slot == face);
        let parsed = expr::read(&text.it).ok()?;
        let expr::Part::Pair(_, _, written) = &parsed.part else { return None };
        let limit = Formula {
            expr: (**right).clone(),
            text: text.it.get(written.from..written.to)?.into(),
            kind: Type::Number,
        };
        let free = !limit.slots().into_iter().any(is_face);
        (own && free).then_some(Test { low: *op == expr::Op::AtMost, limit })
    }

    pub(super) fn tallies(&mut self, raw: &RawRoll) -> Vec<DieTally> {
        let mut found: Vec<DieTally> = Vec::new();
        for (name, text) in &raw.tally {
            super::vocabulary::check_name(name, self.faults());
            let word = self.words.intern(&name.it);
            let scope = self.face.as_ref();
            let field =
                scope.is_some_and(|scope| scope.fields.iter().any(|(known, _)| *known == word));
            let face = scope.is_some_and(
                |scope| matches!(&scope.kind, Type::Choice(words) if words.contains(&word)),
            );
            if field || face || is_facet(&name.it) {
                self.faults().add(&name.at, RollProblem::NameTaken { name: name.text() });
            }
            if let Some(formula) = self.die_worth(text, "tally") {
                found.push(DieTally { name: name.text(), formula });
            }
        }
        found
    }

    pub(super) fn keep(
        &mut self,
        raw: &RawRoll,
        words: bool,
        each: Option<&Worth>,
    ) -> Option<Keep> {
        // In counts, yes is 1.
        let mut how_many = |text: &Option<Located<String>>| {
            let text = text.as_ref()?;
            let formula = self.formula(text, ExpectedType::Any)?;
            match formula.kind {
                Type::Number => Some(formula),
                Type::YesNo => Some(counted(formula)),
                Type::Choice(_) => {
                    self.faults().add(&text.at, RollProblem::EachIsAWord { key: "keep" });
                    None
                }
            }
        };
        let (highest, lowest) = (how_many(&raw.keep_highest), how_many(&raw.keep_lowest));
        let ranked = each.is_some_and(|each| each.formula.kind == Type::Number);
        let given = raw.keep_highest.as_ref().or(raw.keep_lowest.as_ref());
        if let (Some(text), true, false) = (given, words, ranked) {
            self.faults().add(&text.at, RollProblem::WordsKept);
        }
        Keep::of(highest, lowest)
    }

    fn fill(&mut self, raw: &RawRoll, words: bool) -> Option<Fill> {
        let raw = raw.fill.as_ref()?;
        if words {
            self.faults().add(&raw.size.at, RollProblem::FillOfWords);
        }
        let size = self.formula(&raw.size, ExpectedType::Number)?;
        if self.range(&size).to.is_some_and(|n| n <= Number::ZERO) {
            self.faults().add(&raw.size.at, RollProblem::FillSize);
        }
        let begun = raw.begun.as_ref().and_then(|text| self.formula(text, ExpectedType::Number));
        Some(Fill { size, begun })
    }

    /// The role whose player picks: its name, or an expression that gives the name.
    fn picker(&mut self, by: &Located<String>) -> Option<Formula> {
        let text = match self.roles.iter().any(|role| role.id == by.it) {
            true => &Located { it: format!("'{}'", by.it), at: by.at.clone() },
            false => by,
        };
        let formula = self.formula(text, ExpectedType::Any)?;
        let roles: Vec<Text> = self.roles.iter().map(|role| role.id.clone()).collect();
        let fits = match &formula.kind {
            Type::Choice(words) => {
                words.iter().all(|word| roles.iter().any(|role| role == self.words.text(*word)))
            }
            _ => false,
        };
        if !fits {
            self.faults().add(&by.at, RollProblem::ChooseBy { known: roles });
            return None;
        }
        Some(formula)
    }
}

/// A yes or no as 1 or 0.
fn counted(formula: Formula) -> Formula {
    let number = |n: Number| Expr::Fixed(Value::Number(n));
    let parts = vec![formula.expr, number(Number::ONE), number(Number::ZERO)];
    Formula { expr: Expr::Call(expr::Func::If, parts), text: formula.text, kind: Type::Number }
}

/// The number, if the formula is a whole one.
pub(super) fn fixed(count: &Formula) -> Option<u32> {
    let n = count.constant().and_then(Value::number).and_then(Number::as_whole)?;
    u32::try_from(n).ok()
}

/// The facets of a roll that have a name of their own.
pub(super) const FACETS: [&str; 14] = [
    "natural", "dice", "highest", "lowest", "doubles", "width", "height", "pair", "pairs", "run",
    "rerolled", "again", "filled", "partly",
];

pub(super) fn is_facet(name: &str) -> bool {
    FACETS.contains(&name) || name.strip_prefix("die_").is_some_and(|n| n.parse::<u32>().is_ok())
}
