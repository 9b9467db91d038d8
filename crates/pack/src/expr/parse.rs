//! From words to a tree, by precedence climbing: or, and, comparisons, sums, products, signs.

use super::lex::{Lexeme, Token};
use super::{DEEPEST, ExprError, Func, Op, ParsedExpr, Part};
use crate::diagnostic::nearest;

struct Parser<'a> {
    lexemes: &'a [Lexeme],
    next: usize,
    end: usize,
    depth: usize,
}

pub(super) fn parse(lexemes: &[Lexeme], end: usize) -> Result<ParsedExpr, ExprError> {
    let mut parser = Parser { lexemes, next: 0, end, depth: 0 };
    let whole = parser.pairs(0)?;
    match parser.peek() {
        None => Ok(whole),
        Some(extra) => {
            Err(fault(extra.from, extra.to, "this does not belong here", Some("join two parts with and, or, +, - or a comparison")))
        }
    }
}

fn fault(from: usize, to: usize, message: &str, remedy: Option<&str>) -> ExprError {
    ExprError { from, to, message: message.into(), remedy: remedy.map(Into::into) }
}

/// How tightly a sign binds, and what it means.
fn binding(token: &Token) -> Option<(u8, Op)> {
    let text = match token {
        Token::Sign(sign) => *sign,
        Token::Name(name) if name == "and" => "&&",
        Token::Name(name) if name == "or" => "||",
        _ => return None,
    };
    Some(match text {
        "||" => (1, Op::Or),
        "&&" => (2, Op::And),
        "==" => (3, Op::Same),
        "!=" => (3, Op::Differs),
        "<" => (3, Op::Below),
        "<=" => (3, Op::AtMost),
        ">" => (3, Op::Above),
        ">=" => (3, Op::AtLeast),
        "+" => (4, Op::Plus),
        "-" => (4, Op::Minus),
        "*" => (5, Op::Times),
        "/" => (5, Op::Over),
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Lexeme> {
        self.lexemes.get(self.next)
    }

    fn sign(&self, sign: &str) -> bool {
        self.peek().is_some_and(|l| matches!(l.token, Token::Sign(here) if here == sign))
    }

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, ExprError>) -> Result<T, ExprError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = format!("the expression is nested more than {DEEPEST} deep");
            return Err(fault(0, self.end, &message, Some("split it with work_out steps")));
        }
        let found = inner(self);
        self.depth -= 1;
        found
    }

    fn pairs(&mut self, least: u8) -> Result<ParsedExpr, ExprError> {
        self.deeper(|p| {
            let mut left = p.single()?;
            let mut compared = false;
            while let Some((tightness, op)) = p.peek().and_then(|l| binding(&l.token)) {
                if tightness < least {
                    break;
                }
                let here = p.lexemes[p.next].clone();
                if tightness == 3 && compared {
                    return Err(fault(here.from, here.to, "comparisons cannot be chained", Some("write a < b and b < c")));
                }
                compared = tightness == 3;
                p.next += 1;
                let right = p.pairs(tightness + 1)?;
                let (from, to) = (left.from, right.to);
                left = ParsedExpr { part: Part::Pair(op, Box::new(left), Box::new(right)), from, to };
            }
            Ok(left)
        })
    }

    fn single(&mut self) -> Result<ParsedExpr, ExprError> {
        let Some(here) = self.peek() else {
            let start = self.lexemes.last().map_or(0, |l| l.from);
            return Err(fault(start, self.end, "something is missing at the end", Some("finish the expression, or leave the key out")));
        };
        self.next += 1;
        let leaf = |part| Ok(ParsedExpr { part, from: here.from, to: here.to });
        match &here.token {
            Token::Number(n) => leaf(Part::Number(*n)),
            Token::Word(word) => leaf(Part::Word(word.clone())),
            Token::Name(name) if name == "yes" || name == "true" => leaf(Part::YesNo(true)),
            Token::Name(name) if name == "no" || name == "false" => leaf(Part::YesNo(false)),
            Token::Name(name) if name == "not" => {
                // The word reaches over a comparison, as in English; the sign binds to what is next to it.
                let inner = self.pairs(3)?;
                let to = inner.to;
                Ok(ParsedExpr { part: Part::Not(Box::new(inner)), from: here.from, to })
            }
            Token::Sign("!") => self.prefixed(here.from, Part::Not),
            Token::Sign("-") => self.prefixed(here.from, Part::Negative),
            Token::Sign("(") => {
                let mut inner = self.pairs(0)?;
                inner.to = self.close(here.from)?;
                inner.from = here.from;
                Ok(inner)
            }
            Token::Name(name) if self.sign("(") => self.call(name, here),
            Token::Name(name) => leaf(Part::Name(name.clone())),
            Token::Sign(_) => Err(fault(here.from, here.to, "a name or a number should stand here", Some("put one in, or take this out"))),
        }
    }

    fn prefixed(&mut self, from: usize, make: fn(Box<ParsedExpr>) -> Part) -> Result<ParsedExpr, ExprError> {
        let inner = self.deeper(Self::single)?;
        let to = inner.to;
        Ok(ParsedExpr { part: make(Box::new(inner)), from, to })
    }

    fn close(&mut self, from: usize) -> Result<usize, ExprError> {
        match self.peek() {
            Some(Lexeme { token: Token::Sign(")"), to, .. }) => {
                self.next += 1;
                Ok(*to)
            }
            Some(other) => {
                Err(fault(other.from, other.to, "a closing bracket should stand here", Some("close the bracket, or take this out")))
            }
            None => Err(fault(from, from + 1, "this bracket is never closed", Some("add a closing bracket"))),
        }
    }

    fn call(&mut self, name: &str, here: &Lexeme) -> Result<ParsedExpr, ExprError> {
        let Some((_, func)) = Func::ALL.iter().find(|(known, _)| *known == name) else {
            let known = Func::ALL.map(|(known, _)| known);
            let remedy = match nearest(name, known) {
                Some(close) => format!("did you mean {close}(…)?"),
                None => format!("there are: {}", known.join(", ")),
            };
            return Err(fault(here.from, here.to, &format!("there is no function `{name}`"), Some(&remedy)));
        };
        let open = self.next;
        self.next += 1;
        let mut parts = Vec::new();
        if !self.sign(")") {
            parts.push(self.pairs(0)?);
            while self.sign(",") {
                self.next += 1;
                parts.push(self.pairs(0)?);
            }
        }
        let to = self.close(self.lexemes[open].from)?;
        let wanted = match func {
            Func::If => parts.len() == 3,
            Func::Min | Func::Max => !parts.is_empty(),
            Func::Floor | Func::Ceil | Func::Abs => parts.len() == 1,
        };
        if !wanted {
            let form = match func {
                Func::If => "if(condition, then, otherwise)".to_owned(),
                Func::Min | Func::Max => format!("{name}(a, b, …)"),
                Func::Floor | Func::Ceil | Func::Abs => format!("{name}(number)"),
            };
            return Err(fault(here.from, to, &format!("`{name}` is given {} parts", parts.len()), Some(&format!("write {form}"))));
        }
        Ok(ParsedExpr { part: Part::Call(*func, parts), from: here.from, to })
    }
}
