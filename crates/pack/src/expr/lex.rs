//! The lexer: splits the text of an expression into tokens.

use super::ExprError;
use crate::problem::ExprProblem;
use adjutant_dice::Number;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(Number),
    Word(String),
    Name(String),
    Sign(&'static str),
}

#[derive(Clone, Debug)]
pub(super) struct Lexeme {
    pub token: Token,
    pub from: usize,
    pub to: usize,
}

const SIGNS: [&str; 19] = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "!", "(", ")", ",", "=", "[",
    "]",
];

pub(super) fn lex(text: &str) -> Result<Vec<Lexeme>, ExprError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (token, length) = one(&text[at..], first).map_err(|(problem, length)| ExprError {
            from: at,
            to: at + length,
            problem,
        })?;
        found.push(Lexeme { token, from: at, to: at + length });
        at += length;
    }
    Ok(found)
}

type Unread = (ExprProblem, usize);

fn one(rest: &str, first: char) -> Result<(Token, usize), Unread> {
    if first.is_ascii_digit() {
        let length = span(rest, |c| c.is_ascii_digit() || c == '.');
        let text = &rest[..length];
        return match text.parse() {
            Ok(n) => Ok((Token::Number(n), length)),
            Err(error) => Err((ExprProblem::BadNumber { text: text.into(), error }, length)),
        };
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let length = span(rest, |c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        return Ok((Token::Name(rest[..length].to_owned()), length));
    }
    if first == '\'' {
        let inner = span(&rest[1..], |c| c != '\'');
        return match rest[1 + inner..].starts_with('\'') {
            true => Ok((Token::Word(rest[1..1 + inner].to_owned()), inner + 2)),
            false => Err((ExprProblem::OpenQuote, rest.len())),
        };
    }
    if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        if *sign == "=" {
            return Err((ExprProblem::SingleEquals, 1));
        }
        return Ok((Token::Sign(sign), sign.len()));
    }
    Err((ExprProblem::UnknownSign { sign: first }, first.len_utf8()))
}

fn span(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}
