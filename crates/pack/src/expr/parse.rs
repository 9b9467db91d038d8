//! The parser: from tokens to a tree, by precedence climbing. From loosest to tightest: or, and,
//! comparisons, sums, products, signs.

use super::lex::{Lexeme, Token};
use super::{DEEPEST, ExprError, Func, Op, ParsedExpr, Part};
use crate::problem::{ExprProblem, ExprSlip};
use crate::unknown_name::{Noun, UnknownName};

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
            let slip = slip(lexemes, parser.next);
            Err(fault(extra.from, extra.to, ExprProblem::Extra { slip }))
        }
    }
}

/// What was most likely meant where a part is left over.
fn slip(lexemes: &[Lexeme], at: usize) -> Option<ExprSlip> {
    let token = |at: usize| lexemes.get(at).map(|lexeme| &lexeme.token);
    match (token(at.checked_sub(1)?)?, token(at)?, token(at + 1)) {
        (Token::Number(_), Token::Sign(","), Some(Token::Number(_))) => {
            Some(ExprSlip::DecimalComma)
        }
        (Token::Number(_), Token::Name(_), _) => Some(ExprSlip::TimesMissing),
        _ => {
            let bare = matches!(token(0), Some(Token::Name(name)) if name == "if");
            bare.then_some(ExprSlip::IfWithoutBrackets)
        }
    }
}

fn fault(from: usize, to: usize, problem: ExprProblem) -> ExprError {
    ExprError { from, to, problem }
}

/// The precedence and the meaning of a binary operator.
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

    fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, ExprError>,
    ) -> Result<T, ExprError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(fault(0, self.end, ExprProblem::TooDeep));
        }
        let found = inner(self);
        self.depth -= 1;
        found
    }

    fn pairs(&mut self, least: u8) -> Result<ParsedExpr, ExprError> {
        self.deeper(|p| {
            let mut left = p.single()?;
            let mut compared = false;
            loop {
                if p.word("in") && least <= 3 {
                    if compared {
                        let here = &p.lexemes[p.next];
                        return Err(fault(here.from, here.to, ExprProblem::ChainedComparison));
                    }
                    compared = true;
                    left = p.among(left)?;
                    continue;
                }
                let Some((tightness, op)) = p.peek().and_then(|l| binding(&l.token)) else { break };
                if tightness < least {
                    break;
                }
                let here = p.lexemes[p.next].clone();
                if tightness == 3 && compared {
                    return Err(fault(here.from, here.to, ExprProblem::ChainedComparison));
                }
                compared = tightness == 3;
                p.next += 1;
                let right = p.pairs(tightness + 1)?;
                let (from, to) = (left.from, right.to);
                left =
                    ParsedExpr { part: Part::Pair(op, Box::new(left), Box::new(right)), from, to };
            }
            Ok(left)
        })
    }

    fn word(&self, word: &str) -> bool {
        self.peek().is_some_and(|l| matches!(&l.token, Token::Name(here) if here == word))
    }

    /// The rest of `x in ['a', 'b']` or `x in list.name`.
    fn among(&mut self, left: ParsedExpr) -> Result<ParsedExpr, ExprError> {
        let here = &self.lexemes[self.next];
        self.next += 1;
        let from = left.from;
        match self.peek() {
            Some(Lexeme { token: Token::Name(name), to, .. }) if name.starts_with("list.") => {
                self.next += 1;
                let name = name["list.".len()..].to_owned();
                Ok(ParsedExpr { part: Part::InList(Box::new(left), name), from, to: *to })
            }
            Some(Lexeme { token: Token::Sign("["), from: open, .. }) => {
                self.next += 1;
                let mut all = vec![self.pairs(4)?];
                while self.sign(",") {
                    self.next += 1;
                    all.push(self.pairs(4)?);
                }
                match self.peek() {
                    Some(Lexeme { token: Token::Sign("]"), to, .. }) => {
                        self.next += 1;
                        Ok(ParsedExpr { part: Part::In(Box::new(left), all), from, to: *to })
                    }
                    Some(other) => Err(fault(other.from, other.to, ExprProblem::ListMissing)),
                    None => Err(fault(*open, open + 1, ExprProblem::OpenBracket)),
                }
            }
            _ => Err(fault(here.from, here.to, ExprProblem::ListMissing)),
        }
    }

    fn single(&mut self) -> Result<ParsedExpr, ExprError> {
        let Some(here) = self.peek() else {
            let start = self.lexemes.last().map_or(0, |l| l.from);
            let or_more = matches!(
                self.lexemes,
                [Lexeme { token: Token::Number(_), .. }, Lexeme { token: Token::Sign("+"), .. }]
            );
            let problem = if or_more { ExprProblem::OrMore } else { ExprProblem::Unfinished };
            return Err(fault(start, self.end, problem));
        };
        self.next += 1;
        let leaf = |part| Ok(ParsedExpr { part, from: here.from, to: here.to });
        match &here.token {
            Token::Number(n) => leaf(Part::Number(*n)),
            Token::Word(word) => leaf(Part::Word(word.clone())),
            Token::Name(name) if name == "yes" || name == "true" => leaf(Part::YesNo(true)),
            Token::Name(name) if name == "no" || name == "false" => leaf(Part::YesNo(false)),
            Token::Name(name) if name == "not" => {
                // `not` covers a whole comparison, as in English; `!` binds only to the operand
                // next to it.
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
            Token::Name(name) if self.sign("[") => self.keyed(name, here),
            Token::Name(name) => leaf(Part::Name(name.clone())),
            Token::Sign("+") if self.next == 1 => {
                Err(fault(here.from, here.to, ExprProblem::LeadingPlus))
            }
            Token::Sign(_) => Err(fault(here.from, here.to, ExprProblem::OperandMissing)),
        }
    }

    fn prefixed(
        &mut self,
        from: usize,
        make: fn(Box<ParsedExpr>) -> Part,
    ) -> Result<ParsedExpr, ExprError> {
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
            Some(other) => Err(fault(other.from, other.to, ExprProblem::BracketMissing)),
            None => Err(fault(from, from + 1, ExprProblem::OpenBracket)),
        }
    }

    /// The rest of `target.armour[place]`.
    fn keyed(&mut self, name: &str, here: &Lexeme) -> Result<ParsedExpr, ExprError> {
        let open = &self.lexemes[self.next];
        self.next += 1;
        let key = self.pairs(0)?;
        match self.peek() {
            Some(Lexeme { token: Token::Sign("]"), to, .. }) => {
                self.next += 1;
                let part = Part::Keyed(name.to_owned(), Box::new(key));
                Ok(ParsedExpr { part, from: here.from, to: *to })
            }
            _ => Err(fault(open.from, open.to, ExprProblem::KeyOpen)),
        }
    }

    fn call(&mut self, name: &str, here: &Lexeme) -> Result<ParsedExpr, ExprError> {
        let Some((_, func)) = Func::ALL.iter().find(|(known, _)| *known == name) else {
            let unknown =
                UnknownName::brief(Noun::Function, name, Func::ALL.map(|(known, _)| known));
            return Err(fault(here.from, here.to, ExprProblem::UnknownFunction(unknown)));
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
            return Err(fault(
                here.from,
                to,
                ExprProblem::PartCount { function: *func, found: parts.len() },
            ));
        }
        Ok(ParsedExpr { part: Part::Call(*func, parts), from: here.from, to })
    }
}
