//! Evaluates an expression, given the values of its names. Evaluation is lazy: it skips the right
//! side of a decided `and` and the branch that an `if` does not take. So a value that is not needed
//! may be unknown.

use super::{Expr, Formula, Func, Op, Slot};
use crate::ids::IdVec;
use crate::value::Value;
use adjutant_dice::{Number, NumberError};

/// The values of names.
pub trait Lookup {
    /// The value of a slot; `None` if it is unknown.
    fn get(&self, slot: Slot) -> Option<Value>;
}

impl Lookup for IdVec<Slot, Option<Value>> {
    fn get(&self, slot: Slot) -> Option<Value> {
        IdVec::get(self, slot).copied().flatten()
    }
}

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// The value of this name is unknown.
    Missing(Slot),
    /// The calculation fails, for example by overflow or division by zero.
    Sum(NumberError),
}

impl From<NumberError> for EvalError {
    fn from(fault: NumberError) -> Self {
        EvalError::Sum(fault)
    }
}

impl Formula {
    /// Evaluates the formula.
    #[inline]
    pub fn eval(&self, names: &(impl Lookup + ?Sized)) -> Result<Value, EvalError> {
        eval(&self.expr, names)
    }

    /// Evaluates the formula as a number. A formula of another type counts as zero; the check rules
    /// that out.
    pub fn number(&self, names: &(impl Lookup + ?Sized)) -> Result<Number, EvalError> {
        Ok(self.eval(names)?.number().unwrap_or(Number::ZERO))
    }

    /// Evaluates the formula as a condition.
    pub fn holds(&self, names: &(impl Lookup + ?Sized)) -> Result<bool, EvalError> {
        Ok(self.eval(names)?.is_yes())
    }

    /// Evaluates the formula if enough is known. Otherwise adds the unknown names to `missing`.
    #[inline]
    pub fn eval_partly(
        &self,
        names: &(impl Lookup + ?Sized),
        missing: &mut Vec<Slot>,
    ) -> Option<Value> {
        match &self.expr {
            Expr::Fixed(value) => Some(*value),
            expr => partly(expr, names, missing),
        }
    }
}

/// No name has a value.
struct NothingKnown;

impl Lookup for NothingKnown {
    fn get(&self, _: Slot) -> Option<Value> {
        None
    }
}

impl Expr {
    /// The number, if it is the same whatever the names stand for.
    pub fn fixed_number(&self) -> Option<Number> {
        eval(self, &NothingKnown).ok()?.number()
    }
}

/// Most formulas, and most parts of one, are a constant or a name. The fast path handles those
/// inline.
#[inline]
fn eval(expr: &Expr, names: &(impl Lookup + ?Sized)) -> Result<Value, EvalError> {
    match expr {
        Expr::Fixed(value) => Ok(*value),
        Expr::Slot(slot) => names.get(*slot).ok_or(EvalError::Missing(*slot)),
        expr => work_out(expr, names),
    }
}

fn work_out(expr: &Expr, names: &(impl Lookup + ?Sized)) -> Result<Value, EvalError> {
    Ok(match expr {
        Expr::Fixed(value) => *value,
        Expr::Slot(slot) => names.get(*slot).ok_or(EvalError::Missing(*slot))?,
        Expr::Not(inner) => Value::YesNo(!eval(inner, names)?.is_yes()),
        Expr::Negative(inner) => Value::Number(-number(inner, names)?),
        Expr::Pair(op @ (Op::And | Op::Or), a, b) => {
            let settled = *op == Op::Or;
            match eval(a, names) {
                Ok(left) if left.is_yes() == settled => Value::YesNo(settled),
                Ok(_) => Value::YesNo(eval(b, names)?.is_yes()),
                // The right side may decide it, so an unknown name on the left may not matter.
                Err(stop @ EvalError::Missing(_)) => match eval(b, names) {
                    Ok(right) if right.is_yes() == settled => Value::YesNo(settled),
                    _ => return Err(stop),
                },
                Err(stop) => return Err(stop),
            }
        }
        Expr::Pair(op, a, b) => settle(*op, eval(a, names)?, eval(b, names)?)?,
        Expr::Call(Func::If, parts) => match parts.as_slice() {
            [condition, then, otherwise] => match eval(condition, names) {
                Ok(yes) => eval(if yes.is_yes() { then } else { otherwise }, names)?,
                // An unknown condition does not matter if both branches have the same value.
                Err(stop @ EvalError::Missing(_)) => {
                    match (eval(then, names), eval(otherwise, names)) {
                        (Ok(a), Ok(b)) if a == b => a,
                        _ => return Err(stop),
                    }
                }
                Err(stop) => return Err(stop),
            },
            _ => Value::YesNo(false),
        },
        Expr::Call(func, parts) => {
            let mut all = Vec::with_capacity(parts.len());
            for part in parts {
                all.push(number(part, names)?);
            }
            apply(*func, &all)
        }
    })
}

fn number(expr: &Expr, names: &(impl Lookup + ?Sized)) -> Result<Number, EvalError> {
    Ok(eval(expr, names)?.number().unwrap_or(Number::ZERO))
}

fn settle(op: Op, a: Value, b: Value) -> Result<Value, NumberError> {
    if let (Value::Number(a), Value::Number(b)) = (a, b) {
        return Ok(match op {
            Op::Plus => Value::Number(a.plus(b)?),
            Op::Minus => Value::Number(a.minus(b)?),
            Op::Times => Value::Number(a.times(b)?),
            Op::Over => Value::Number(a.over(b)?),
            Op::Below => Value::YesNo(a < b),
            Op::AtMost => Value::YesNo(a <= b),
            Op::Above => Value::YesNo(a > b),
            Op::AtLeast => Value::YesNo(a >= b),
            Op::Differs => Value::YesNo(a != b),
            _ => Value::YesNo(a == b),
        });
    }
    Ok(Value::YesNo((a == b) == (op != Op::Differs)))
}

fn apply(func: Func, all: &[Number]) -> Value {
    let first = all.first().copied().unwrap_or(Number::ZERO);
    Value::Number(match func {
        Func::Min => all.iter().copied().min().unwrap_or(first),
        Func::Max => all.iter().copied().max().unwrap_or(first),
        Func::Floor => first.floor(),
        Func::Ceil => first.ceil(),
        Func::Abs | Func::If => first.abs(),
    })
}

fn partly(expr: &Expr, names: &(impl Lookup + ?Sized), missing: &mut Vec<Slot>) -> Option<Value> {
    match expr {
        Expr::Fixed(value) => Some(*value),
        Expr::Slot(slot) => {
            let known = names.get(*slot);
            if known.is_none() && !missing.contains(slot) {
                missing.push(*slot);
            }
            known
        }
        Expr::Not(inner) => partly(inner, names, missing).map(|v| Value::YesNo(!v.is_yes())),
        Expr::Negative(inner) => Some(Value::Number(-partly(inner, names, missing)?.number()?)),
        Expr::Pair(op @ (Op::And | Op::Or), a, b) => {
            // Either side may decide it, so an unknown side matters only if the other does not
            // decide.
            let settled = Value::YesNo(*op == Op::Or);
            let (mut left, mut right) = (Vec::new(), Vec::new());
            let found = (partly(a, names, &mut left), partly(b, names, &mut right));
            if found.0 == Some(settled) || found.1 == Some(settled) {
                return Some(settled);
            }
            missing.extend(left);
            missing.extend(right);
            match found {
                (Some(_), Some(_)) => Some(Value::YesNo(*op == Op::And)),
                _ => None,
            }
        }
        Expr::Pair(op, a, b) => {
            let (a, b) = (partly(a, names, missing), partly(b, names, missing));
            settle(*op, a?, b?).ok()
        }
        Expr::Call(Func::If, parts) => {
            let [condition, then, otherwise] = parts.as_slice() else { return None };
            let mut open = Vec::new();
            if let Some(yes) = partly(condition, names, &mut open) {
                return partly(if yes.is_yes() { then } else { otherwise }, names, missing);
            }
            let (a, b) = (partly(then, names, &mut open), partly(otherwise, names, &mut open));
            if a.is_none() || a != b {
                missing.extend(open);
                return None;
            }
            a
        }
        Expr::Call(func, parts) => {
            let all: Vec<Option<Number>> = parts
                .iter()
                .map(|part| partly(part, names, missing).and_then(Value::number))
                .collect();
            Some(apply(*func, &all.into_iter().collect::<Option<Vec<_>>>()?))
        }
    }
}
