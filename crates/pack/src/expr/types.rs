//! Name lookup and type inference. A scope says what each name means. All errors are reported, not
//! only the first.

use super::{Expr, ExprError, Func, Op, ParsedExpr, Part};
use crate::problem::{ExprProblem, ValueKind};
use crate::value::{Type, Value, Word};
use adjutant_dice::Number;
use std::collections::BTreeSet;

/// What a name stands for and its type, or the problem; `None` if the error is already reported.
pub(crate) type Resolved = Result<(Expr, Type), Option<ExprProblem>>;

/// What names and words mean at the place of an expression.
pub(crate) trait Scope {
    fn name(&mut self, name: &str) -> Resolved;
    fn word(&mut self, text: &str) -> Word;
    fn text(&self, word: Word) -> String;
    /// The words of a list of the pack, as in `terrain in list.rough`.
    fn list(&mut self, name: &str) -> Result<Vec<Word>, Option<ExprProblem>>;
    /// The words of a value by a word, each with the name of its own value.
    fn keys(&mut self, _name: &str) -> Option<Vec<(Word, String)>> {
        None
    }
}

struct Resolver<'a> {
    scope: &'a mut dyn Scope,
    faults: Vec<ExprError>,
}

/// Looks up the names and infers the types.
pub(crate) fn resolve(
    written: &ParsedExpr,
    scope: &mut dyn Scope,
) -> Result<(Expr, Type), Vec<ExprError>> {
    let mut resolver = Resolver { scope, faults: Vec::new() };
    let found = resolver.part(written);
    match found {
        Some(found) if resolver.faults.is_empty() => Ok(found),
        _ => Err(resolver.faults),
    }
}

impl Resolver<'_> {
    fn fault(&mut self, at: &ParsedExpr, problem: ExprProblem) {
        self.faults.push(ExprError { from: at.from, to: at.to, problem });
    }

    fn part(&mut self, written: &ParsedExpr) -> Option<(Expr, Type)> {
        match &written.part {
            Part::Number(n) => Some((Expr::Fixed(Value::Number(*n)), Type::Number)),
            Part::YesNo(yes) => Some((Expr::Fixed(Value::YesNo(*yes)), Type::YesNo)),
            Part::Word(text) => {
                let word = self.scope.word(text);
                Some((Expr::Fixed(Value::Word(word)), Type::Choice(BTreeSet::from([word]))))
            }
            Part::Name(name) => match self.scope.name(name) {
                Ok(found) => Some(found),
                Err(why) => {
                    if let Some(problem) = why {
                        self.fault(written, problem);
                    }
                    None
                }
            },
            Part::Not(inner) => {
                Some((Expr::Not(Box::new(self.expect(inner, &Type::YesNo)?)), Type::YesNo))
            }
            Part::Negative(inner) => {
                Some((Expr::Negative(Box::new(self.expect(inner, &Type::Number)?)), Type::Number))
            }
            Part::Pair(op, left, right) => self.pair(*op, left, right),
            Part::Call(func, parts) => self.call(*func, parts),
            Part::In(left, all) => self.among(left, all),
            Part::InList(left, name) => self.in_list(written, left, name),
            Part::Keyed(name, key) => self.keyed(written, name, key),
        }
    }

    /// `armour[place]` is `if(place == 'head', armour_head, …)`. A word without a value counts as
    /// 0, but one word at least must have one.
    fn keyed(
        &mut self,
        written: &ParsedExpr,
        name: &str,
        key: &ParsedExpr,
    ) -> Option<(Expr, Type)> {
        let (by, kind) = self.part(key)?;
        let Some(words) = self.scope.keys(name) else {
            self.fault(written, ExprProblem::NotKeyed { name: name.into() });
            return None;
        };
        let Type::Choice(can_be) = &kind else {
            let found = ValueKind::from(&kind);
            self.fault(key, ExprProblem::WrongPart { found, wanted: ValueKind::Choice });
            return None;
        };
        let known: BTreeSet<Word> = adjutant_dice::set_of(words.iter().map(|(word, _)| *word));
        if known.is_disjoint(can_be) {
            self.never_same(key, can_be, &known);
            return None;
        }
        let fitting: Vec<&(Word, String)> =
            words.iter().filter(|(word, _)| can_be.contains(word)).collect();
        let mut values = Vec::new();
        let mut of = None;
        for (word, name) in fitting {
            match self.scope.name(name) {
                Ok((expr, kind)) => {
                    of = Some(kind);
                    values.push((*word, expr));
                }
                Err(why) => {
                    if let Some(problem) = why {
                        self.fault(written, problem);
                    }
                    return None;
                }
            }
        }
        let of = of?;
        let complete = can_be.iter().all(|word| known.contains(word));
        let last = match (complete || of != Type::Number, values.pop()) {
            (true, Some((_, last))) => last,
            (_, last) => {
                values.extend(last);
                Expr::Fixed(Value::Number(Number::ZERO))
            }
        };
        let expr = values.into_iter().rev().fold(last, |otherwise, (word, value)| {
            let is = same(&by, Expr::Fixed(Value::Word(word)));
            Expr::Call(Func::If, vec![is, value, otherwise])
        });
        Some((expr, of))
    }

    /// `x in ['a', 'b']` is `x == 'a' or x == 'b'`. A word that `x` cannot be is an error only if
    /// all of them are.
    fn among(&mut self, left: &ParsedExpr, all: &[ParsedExpr]) -> Option<(Expr, Type)> {
        let (x, kind) = self.part(left)?;
        let mut found: Vec<Option<Expr>> = Vec::new();
        let mut apart = Vec::new();
        for one in all {
            let Some((expr, other)) = self.part(one) else {
                found.push(None);
                continue;
            };
            match (&kind, &other) {
                (Type::Choice(a), Type::Choice(b)) if a.is_disjoint(b) => {
                    apart.extend(b.iter().copied());
                    continue;
                }
                (Type::Choice(_), Type::Choice(_)) => {}
                (a, b) if a == b => {}
                (a, b) => {
                    let problem = ExprProblem::NotComparable { left: a.into(), right: b.into() };
                    self.fault(one, problem);
                    found.push(None);
                    continue;
                }
            }
            found.push(Some(same(&x, expr)));
        }
        if let (true, Type::Choice(known)) = (found.is_empty() && !apart.is_empty(), &kind) {
            self.never_same(left, &apart.into_iter().collect(), known);
            return None;
        }
        Some((any(found.into_iter().collect::<Option<Vec<_>>>()?), Type::YesNo))
    }

    fn in_list(
        &mut self,
        whole: &ParsedExpr,
        left: &ParsedExpr,
        name: &str,
    ) -> Option<(Expr, Type)> {
        let (found, list) = (self.part(left), self.scope.list(name));
        let words = match list {
            Ok(words) => words,
            Err(why) => {
                if let Some(problem) = why {
                    self.fault(whole, problem);
                }
                return None;
            }
        };
        let (x, kind) = found?;
        let Type::Choice(known) = &kind else {
            let found = ValueKind::from(&kind);
            self.fault(left, ExprProblem::WrongPart { found, wanted: ValueKind::Choice });
            return None;
        };
        let fitting = words.iter().filter(|word| known.contains(word));
        let all: Vec<Expr> =
            fitting.map(|word| same(&x, Expr::Fixed(Value::Word(*word)))).collect();
        if all.is_empty() {
            self.never_same(whole, &words.into_iter().collect(), known);
            return None;
        }
        Some((any(all), Type::YesNo))
    }

    fn never_same(&mut self, at: &ParsedExpr, words: &BTreeSet<Word>, known: &BTreeSet<Word>) {
        let list = |set: &BTreeSet<Word>| set.iter().map(|w| self.scope.text(*w).into()).collect();
        let (words, known) = (list(words), list(known));
        self.fault(at, ExprProblem::NeverSame { words, known });
    }

    fn expect(&mut self, written: &ParsedExpr, wanted: &Type) -> Option<Expr> {
        let (expr, kind) = self.part(written)?;
        if std::mem::discriminant(&kind) == std::mem::discriminant(wanted) {
            return Some(expr);
        }
        self.fault(
            written,
            ExprProblem::WrongPart { found: (&kind).into(), wanted: wanted.into() },
        );
        None
    }

    fn pair(&mut self, op: Op, left: &ParsedExpr, right: &ParsedExpr) -> Option<(Expr, Type)> {
        let kind = match op {
            Op::Plus | Op::Minus | Op::Times | Op::Over => Type::Number,
            _ => Type::YesNo,
        };
        let (a, b) = match op {
            Op::Same | Op::Differs => self.alike(left, right)?,
            Op::And | Op::Or => (self.expect(left, &Type::YesNo), self.expect(right, &Type::YesNo)),
            _ => (self.expect(left, &Type::Number), self.expect(right, &Type::Number)),
        };
        if op == Op::Over && matches!(b, Some(Expr::Fixed(Value::Number(n))) if n == Number::ZERO) {
            self.fault(right, ExprProblem::DivisionByZero);
        }
        Some((Expr::Pair(op, Box::new(a?), Box::new(b?)), kind))
    }

    fn alike(
        &mut self,
        left: &ParsedExpr,
        right: &ParsedExpr,
    ) -> Option<(Option<Expr>, Option<Expr>)> {
        let (a, b) = (self.part(left), self.part(right));
        let ((a, ka), (b, kb)) = (a?, b?);
        match (&ka, &kb) {
            (Type::Choice(x), Type::Choice(y)) if x.is_disjoint(y) => {
                let (word, known) = if x.len() == 1 { (x, y) } else { (y, x) };
                let at = ParsedExpr { part: Part::YesNo(true), from: left.from, to: right.to };
                self.never_same(&at, word, known);
                None
            }
            (Type::Choice(_), Type::Choice(_))
            | (Type::Number, Type::Number)
            | (Type::YesNo, Type::YesNo) => Some((Some(a), Some(b))),
            _ => {
                let at = ParsedExpr { part: Part::YesNo(true), from: left.from, to: right.to };
                self.fault(
                    &at,
                    ExprProblem::NotComparable {
                        left: ValueKind::from(&ka),
                        right: ValueKind::from(&kb),
                    },
                );
                None
            }
        }
    }

    fn call(&mut self, func: Func, parts: &[ParsedExpr]) -> Option<(Expr, Type)> {
        let (Func::If, [condition, then, otherwise]) = (func, parts) else {
            let inner: Vec<Option<Expr>> =
                parts.iter().map(|part| self.expect(part, &Type::Number)).collect();
            return Some((
                Expr::Call(func, inner.into_iter().collect::<Option<_>>()?),
                Type::Number,
            ));
        };
        let condition = self.expect(condition, &Type::YesNo);
        let (first, second) = (self.part(then), self.part(otherwise));
        let (condition, (a, ka), (b, kb)) = (condition?, first?, second?);
        let kind = match (ka, kb) {
            (Type::Choice(x), Type::Choice(y)) => {
                Type::Choice(x.iter().chain(&y).copied().collect())
            }
            (x, y) if x == y => x,
            (x, y) => {
                self.fault(
                    otherwise,
                    ExprProblem::IfOfTwoKinds { then: (&x).into(), otherwise: (&y).into() },
                );
                return None;
            }
        };
        Some((Expr::Call(Func::If, vec![condition, a, b]), kind))
    }
}

fn same(x: &Expr, other: Expr) -> Expr {
    Expr::Pair(Op::Same, Box::new(x.clone()), Box::new(other))
}

/// Whether one of these holds; no if there are none.
fn any(all: Vec<Expr>) -> Expr {
    all.into_iter()
        .reduce(|a, b| Expr::Pair(Op::Or, Box::new(a), Box::new(b)))
        .unwrap_or(Expr::Fixed(Value::YesNo(false)))
}
