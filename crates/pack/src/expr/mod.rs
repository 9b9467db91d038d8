//! Small typed expressions for the conditions and amounts of a sheet: numbers, yes/no, choices,
//! arithmetic, comparisons, and/or/not, `if`, and a few rounding functions. There are no loops and
//! no user-defined functions: when a sheet seems to need them, the chart form lacks a step.

mod eval;
mod lex;
mod linear;
mod parse;
mod range;
mod types;

pub use eval::{EvalError, Lookup};
pub use linear::LinearSum;
pub use range::Range;
pub(crate) use types::{Resolved, Scope, resolve};

use crate::problem::ExprProblem;
use crate::value::{Type, Value};

/// The maximum length of an expression, in bytes.
pub const LONGEST: usize = 1000;
/// The maximum nesting depth of an expression.
pub const DEEPEST: usize = 40;

pub use crate::ids::Slot;

/// An error in the text of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct ExprError {
    /// The first byte of the part in error.
    pub from: usize,
    /// One past the last byte of that part.
    pub to: usize,
    /// What is wrong.
    pub problem: ExprProblem,
}

/// A parsed expression: names are not looked up and types are not checked yet.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedExpr {
    pub(crate) part: Part,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    Number(adjutant_dice::Number),
    YesNo(bool),
    Word(String),
    Name(String),
    Not(Box<ParsedExpr>),
    Negative(Box<ParsedExpr>),
    Pair(Op, Box<ParsedExpr>, Box<ParsedExpr>),
    Call(Func, Vec<ParsedExpr>),
    /// `x in ['a', 'b']`
    In(Box<ParsedExpr>, Vec<ParsedExpr>),
    /// `x in list.name`
    InList(Box<ParsedExpr>, String),
    /// `target.armour[place]`
    Keyed(String, Box<ParsedExpr>),
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Over,
    /// `==`
    Same,
    /// `!=`
    Differs,
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
    /// `and`
    And,
    /// `or`
    Or,
}

/// A built-in function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Func {
    /// The minimum of its arguments.
    Min,
    /// The maximum of its arguments.
    Max,
    /// Rounds down.
    Floor,
    /// Rounds up.
    Ceil,
    /// The absolute value.
    Abs,
    /// `if(condition, then, otherwise)`.
    If,
}

impl Func {
    /// All functions with their names.
    pub const ALL: [(&'static str, Func); 6] = [
        ("min", Func::Min),
        ("max", Func::Max),
        ("floor", Func::Floor),
        ("ceil", Func::Ceil),
        ("abs", Func::Abs),
        ("if", Func::If),
    ];

    /// The name as written in an expression.
    pub fn name(self) -> &'static str {
        match self {
            Func::Min => "min",
            Func::Max => "max",
            Func::Floor => "floor",
            Func::Ceil => "ceil",
            Func::Abs => "abs",
            Func::If => "if",
        }
    }
}

/// A checked expression: every name is a slot and every type fits.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A constant.
    Fixed(Value),
    /// The value of a name.
    Slot(Slot),
    /// Logical not.
    Not(Box<Expr>),
    /// Unary minus.
    Negative(Box<Expr>),
    /// A binary operator and its operands.
    Pair(Op, Box<Expr>, Box<Expr>),
    /// A function call with its arguments.
    Call(Func, Vec<Expr>),
}

/// A checked expression with its source text and its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// The checked expression.
    pub expr: Expr,
    /// The source text in the pack.
    pub text: adjutant_dice::Text,
    /// The type of its value.
    pub kind: Type,
}

impl Formula {
    /// A constant formula.
    pub(crate) fn fixed(n: adjutant_dice::Number) -> Formula {
        Formula {
            expr: Expr::Fixed(Value::Number(n)),
            text: n.to_string().into(),
            kind: Type::Number,
        }
    }

    /// The value, if the formula is a constant.
    pub fn constant(&self) -> Option<Value> {
        match self.expr {
            Expr::Fixed(value) => Some(value),
            Expr::Negative(ref inner) => match **inner {
                Expr::Fixed(Value::Number(n)) => Some(Value::Number(-n)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The slots that it uses.
    pub fn slots(&self) -> Vec<Slot> {
        let mut found = Vec::new();
        self.expr.gather(&mut found);
        found
    }

    /// The slots that it uses under a `!`.
    pub fn negated(&self) -> Vec<Slot> {
        let mut found = Vec::new();
        self.expr.gather_negated(&mut found);
        found
    }
}

impl Expr {
    fn gather(&self, found: &mut Vec<Slot>) {
        match self {
            Expr::Fixed(_) => {}
            Expr::Slot(slot) => {
                if !found.contains(slot) {
                    found.push(*slot);
                }
            }
            Expr::Not(a) | Expr::Negative(a) => a.gather(found),
            Expr::Pair(_, a, b) => {
                a.gather(found);
                b.gather(found);
            }
            Expr::Call(_, parts) => parts.iter().for_each(|part| part.gather(found)),
        }
    }

    fn gather_negated(&self, found: &mut Vec<Slot>) {
        match self {
            Expr::Fixed(_) | Expr::Slot(_) => {}
            Expr::Not(a) => a.gather(found),
            Expr::Negative(a) => a.gather_negated(found),
            Expr::Pair(_, a, b) => {
                a.gather_negated(found);
                b.gather_negated(found);
            }
            Expr::Call(_, parts) => parts.iter().for_each(|part| part.gather_negated(found)),
        }
    }
}

/// Parses the text of an expression.
///
/// ```
/// assert!(adjutant_pack::expr::read("close && !firer.suppressed").is_ok());
/// assert!(adjutant_pack::expr::read("close &&").is_err());
/// ```
pub fn read(text: &str) -> Result<ParsedExpr, ExprError> {
    if text.len() > LONGEST {
        return Err(ExprError {
            from: 0,
            to: text.len(),
            problem: ExprProblem::TooLong { length: text.len() },
        });
    }
    parse::parse(&lex::lex(text)?, text.len())
}
