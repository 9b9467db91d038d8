//! The words of an expression.

use super::ExprError;
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

const SIGNS: [&str; 17] = ["==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "!", "(", ")", ",", "="];

pub(super) fn lex(text: &str) -> Result<Vec<Lexeme>, ExprError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (token, length) = one(&text[at..], first).map_err(|(message, length, remedy)| ExprError {
            from: at,
            to: at + length,
            message,
            remedy: Some(remedy),
        })?;
        found.push(Lexeme { token, from: at, to: at + length });
        at += length;
    }
    Ok(found)
}

type Unread = (String, usize, String);

fn one(rest: &str, first: char) -> Result<(Token, usize), Unread> {
    if first.is_ascii_digit() {
        let length = span(rest, |c| c.is_ascii_digit() || c == '.');
        let text = &rest[..length];
        return match text.parse() {
            Ok(n) => Ok((Token::Number(n), length)),
            Err(fault) => Err((format!("`{text}`: {fault}"), length, "numbers are written as 3, 2.5 or 1/2".into())),
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
            false => Err(("this quotation mark is never closed".into(), rest.len(), "close the choice with a second '".into())),
        };
    }
    if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        if *sign == "=" {
            return Err(("a single = does not compare".into(), 1, "write == for `is the same as`".into()));
        }
        return Ok((Token::Sign(sign), sign.len()));
    }
    let remedy = match first {
        '"' => "write choices in single quotes: 'ap'".into(),
        '−' | '–' => "write a plain hyphen for minus".into(),
        '½' => "write 1/2".into(),
        _ => "an expression holds names, numbers, 'choices', + - * / and comparisons".to_owned(),
    };
    Err((format!("`{}` has no meaning here", first.escape_debug()), first.len_utf8(), remedy))
}

fn span(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}
