//! Names become slots and kinds are checked. A scope says what each name means; everything that does
//! not fit is reported, not only the first.

use super::{Expr, ExprError, Func, Op, ParsedExpr, Part, Slot};
use crate::value::{Type, Value, Word};
use adjutant_dice::Number;
use std::collections::BTreeSet;

/// What a name means, or what to say when it means nothing: a message and a remedy, or nothing where
/// the fault is reported already.
pub(crate) type Resolved = Result<(Slot, Type), Option<(String, String)>>;

/// What the names and words of an expression mean where it stands.
pub(crate) trait Scope {
    fn name(&mut self, name: &str) -> Resolved;
    fn word(&mut self, text: &str) -> Word;
    fn text(&self, word: Word) -> String;
}

struct Resolver<'a> {
    scope: &'a mut dyn Scope,
    faults: Vec<ExprError>,
}

/// Looks the names up and checks the kinds.
pub(crate) fn resolve(written: &ParsedExpr, scope: &mut dyn Scope) -> Result<(Expr, Type), Vec<ExprError>> {
    let mut resolver = Resolver { scope, faults: Vec::new() };
    let found = resolver.part(written);
    match found {
        Some(found) if resolver.faults.is_empty() => Ok(found),
        _ => Err(resolver.faults),
    }
}

impl Resolver<'_> {
    fn fault(&mut self, at: &ParsedExpr, message: String, remedy: Option<&str>) {
        self.faults.push(ExprError { from: at.from, to: at.to, message, remedy: remedy.map(Into::into) });
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
                Ok((slot, kind)) => Some((Expr::Slot(slot), kind)),
                Err(why) => {
                    if let Some((message, remedy)) = why {
                        self.fault(written, message, Some(&remedy));
                    }
                    None
                }
            },
            Part::Not(inner) => Some((Expr::Not(Box::new(self.expect(inner, &Type::YesNo)?)), Type::YesNo)),
            Part::Negative(inner) => Some((Expr::Negative(Box::new(self.expect(inner, &Type::Number)?)), Type::Number)),
            Part::Pair(op, left, right) => self.pair(*op, left, right),
            Part::Call(func, parts) => self.call(*func, parts),
        }
    }

    fn expect(&mut self, written: &ParsedExpr, wanted: &Type) -> Option<Expr> {
        let (expr, kind) = self.part(written)?;
        if std::mem::discriminant(&kind) == std::mem::discriminant(wanted) {
            return Some(expr);
        }
        let remedy = match (&kind, wanted) {
            (Type::Choice(_), Type::YesNo) => Some("compare it with one of its words: name == 'word'"),
            (Type::Number, Type::YesNo) => Some("compare it with a number: name > 0"),
            (Type::YesNo, Type::Number) => Some("turn it into a number: if(name, 1, 0)"),
            (Type::Choice(_), Type::Number) => Some("turn it into a number: if(name == 'word', 1, 0)"),
            _ => None,
        };
        self.fault(written, format!("this is {kind}, but {wanted} should stand here"), remedy);
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
            self.fault(right, "nothing can be divided by 0".into(), Some("divide by something else"));
        }
        Some((Expr::Pair(op, Box::new(a?), Box::new(b?)), kind))
    }

    fn alike(&mut self, left: &ParsedExpr, right: &ParsedExpr) -> Option<(Option<Expr>, Option<Expr>)> {
        let (a, b) = (self.part(left), self.part(right));
        let ((a, ka), (b, kb)) = (a?, b?);
        match (&ka, &kb) {
            (Type::Choice(x), Type::Choice(y)) if x.is_disjoint(y) => {
                let (word, known) = if x.len() == 1 { (x, y) } else { (y, x) };
                let list = |set: &BTreeSet<_>| set.iter().map(|w| format!("'{}'", self.scope.text(*w))).collect::<Vec<_>>().join(", ");
                let (word, known) = (list(word), list(known));
                let at = ParsedExpr { part: Part::YesNo(true), from: left.from, to: right.to };
                self.fault(
                    &at,
                    format!("these can never be the same: {word} is not one of the choice's words"),
                    Some(&format!("its words are {known}")),
                );
                None
            }
            (Type::Choice(_), Type::Choice(_)) | (Type::Number, Type::Number) | (Type::YesNo, Type::YesNo) => Some((Some(a), Some(b))),
            _ => {
                let at = ParsedExpr { part: Part::YesNo(true), from: left.from, to: right.to };
                self.fault(
                    &at,
                    format!("{ka} cannot be compared with {kb}"),
                    Some("compare two numbers, two choices or two yes/no values"),
                );
                None
            }
        }
    }

    fn call(&mut self, func: Func, parts: &[ParsedExpr]) -> Option<(Expr, Type)> {
        let (Func::If, [condition, then, otherwise]) = (func, parts) else {
            let inner: Vec<Option<Expr>> = parts.iter().map(|part| self.expect(part, &Type::Number)).collect();
            return Some((Expr::Call(func, inner.into_iter().collect::<Option<_>>()?), Type::Number));
        };
        let condition = self.expect(condition, &Type::YesNo);
        let (first, second) = (self.part(then), self.part(otherwise));
        let (condition, (a, ka), (b, kb)) = (condition?, first?, second?);
        let kind = match (ka, kb) {
            (Type::Choice(x), Type::Choice(y)) => Type::Choice(x.iter().chain(&y).copied().collect()),
            (x, y) if x == y => x,
            (x, y) => {
                self.fault(otherwise, format!("one side of this `if` is {x}, the other {y}"), Some("both sides must be of one kind"));
                return None;
            }
        };
        Some((Expr::Call(Func::If, vec![condition, a, b]), kind))
    }
}
