//! Small typed expressions: the conditions and amounts of a sheet. Numbers, yes/no, choices, sums,
//! comparisons, and/or/not, `if`, and a handful of roundings. No loops, no functions of one's own: when
//! a sheet seems to need them, the chart form lacks a step.

mod eval;
mod lex;
mod parse;
mod range;
mod types;

pub use eval::{EvalError, Lookup};
pub use range::Range;
pub(crate) use types::{Resolved, Scope, resolve};

use crate::problem::ExprProblem;
use crate::value::{Type, Value};

/// The longest expression a pack may hold.
pub const LONGEST: usize = 1000;
/// How deep brackets may be nested.
pub const DEEPEST: usize = 40;

pub use crate::ids::Slot;

/// A fault inside an expression's text.
#[derive(Clone, Debug, PartialEq)]
pub struct ExprError {
    /// First byte of the faulty part.
    pub from: usize,
    /// One past its last byte.
    pub to: usize,
    /// What is wrong.
    pub problem: ExprProblem,
}

/// An expression as written: names not yet looked up, kinds not yet checked.
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
}

/// What stands between two parts.
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

/// The functions an expression may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Func {
    /// The least of some numbers.
    Min,
    /// The greatest of some numbers.
    Max,
    /// Rounded down.
    Floor,
    /// Rounded up.
    Ceil,
    /// Without its sign.
    Abs,
    /// The second or the third, as the first says.
    If,
}

impl Func {
    /// All of them, with the names they are written by.
    pub const ALL: [(&'static str, Func); 6] =
        [("min", Func::Min), ("max", Func::Max), ("floor", Func::Floor), ("ceil", Func::Ceil), ("abs", Func::Abs), ("if", Func::If)];

    /// The name it is written by.
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

/// A checked expression: every name is a slot, every kind fits.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A fixed value.
    Fixed(Value),
    /// The value of a name.
    Slot(Slot),
    /// Not.
    Not(Box<Expr>),
    /// With the sign turned.
    Negative(Box<Expr>),
    /// Two parts and what stands between them.
    Pair(Op, Box<Expr>, Box<Expr>),
    /// A function of some parts.
    Call(Func, Vec<Expr>),
}

/// A checked expression with its text and the kind of thing it yields.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// What is worked out.
    pub expr: Expr,
    /// As the pack writes it.
    pub text: adjutant_dice::Text,
    /// The kind of thing it yields.
    pub kind: Type,
}

impl Formula {
    /// A formula that is always this number.
    pub(crate) fn fixed(n: adjutant_dice::Number) -> Formula {
        Formula { expr: Expr::Fixed(Value::Number(n)), text: n.to_string().into(), kind: Type::Number }
    }

    /// The value it always has, if it names nothing.
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

    /// The slots it names.
    pub fn slots(&self) -> Vec<Slot> {
        let mut found = Vec::new();
        self.expr.gather(&mut found);
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
}

/// Reads an expression's text.
///
/// ```
/// assert!(adjutant_pack::expr::read("close && !firer.suppressed").is_ok());
/// assert!(adjutant_pack::expr::read("close &&").is_err());
/// ```
pub fn read(text: &str) -> Result<ParsedExpr, ExprError> {
    if text.len() > LONGEST {
        return Err(ExprError { from: 0, to: text.len(), problem: ExprProblem::TooLong { length: text.len() } });
    }
    parse::parse(&lex::lex(text)?, text.len())
}
