//! Reads dice notation.

use super::{Compare, Formula, FormulaNode, Operator, Shape, Term, Test};
use crate::{MOST_DICE, MOST_SIDES, Number};

/// A longer text is refused.
pub const LONGEST_TEXT: usize = 200;
/// The deepest nesting of parentheses.
const DEEPEST: u32 = 20;
/// The most handfuls of dice.
const MOST_HANDFULS: u32 = 16;
/// The most re-roll rules of one handful.
const MOST_RULES: usize = 4;

/// Why a text is no dice notation, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("position {}: {kind:?}", at + 1)]
pub struct NotationError {
    /// The byte of the text at which it was found.
    pub at: usize,
    /// The fault at this byte.
    pub kind: NotationErrorKind,
}

/// A fault of a text; a caller can word it with the place from [`NotationError::at`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotationErrorKind {
    /// Something else was expected.
    Expected(Expected),
    /// Too few or too many dice.
    Count(u64),
    /// Too few or too many sides.
    Sides(u64),
    /// The number is too large.
    Number,
    /// The text is longer than [`LONGEST_TEXT`].
    TooLong,
    /// Parentheses are nested too deep, or there are too many handfuls or re-roll rules.
    TooComplex,
    /// A number of dice that is worked out, such as `(1+1)d6`.
    CountInParentheses,
    /// Penetrating dice such as `d6!p`, which Adjutant does not roll.
    Penetrating,
    /// The same rule twice, or keep and drop together.
    Twice,
    /// `!` and `!!` together.
    BothExplosions,
    /// A rule that holds for every face of the die, so that it never ends.
    Endless,
    /// A rule that holds for no face of the die.
    Never,
    /// More dice are dropped than are rolled.
    DropsAll,
    /// A condition after dice that no single die can meet, such as `2d6>=7`.
    TotalTested,
}

/// The kind of text that should stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A number, dice or an opening parenthesis.
    Value,
    /// The number of sides, `%` or `F`.
    Sides,
    /// A number without dice, as a rule such as `kh3` needs it.
    Number,
    /// `=`, `<`, `<=`, `>`, `>=` or a number.
    Test,
    /// A closing parenthesis.
    Close,
    /// An operator, a rule such as `kh3`, or the end.
    OperatorOrRule,
}

/// Reads a text such as `4d6kh3+2`.
///
/// ```
/// use adjutant_dice::notation::parse;
/// let odds = parse("2d20kl1").unwrap().odds().unwrap();
/// assert_eq!(odds.total, 400_u32.into());
/// assert_eq!(parse("4d6k").unwrap_err().at, 4);
/// ```
pub fn parse(text: &str) -> Result<Formula, NotationError> {
    if text.len() > LONGEST_TEXT {
        return Err(NotationError { at: LONGEST_TEXT, kind: NotationErrorKind::TooLong });
    }
    let mut parser = Parser { text, at: 0, depth: 0, handfuls: 0 };
    let root = parser.sum()?;
    parser.space();
    if parser.at < text.len() {
        return Err(parser.expected(Expected::OperatorOrRule));
    }
    let text = text.chars().filter(|c| !c.is_whitespace()).collect();
    Ok(Formula { root, text })
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
    handfuls: u32,
}

type Parsed<T> = Result<T, NotationError>;

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn wrong(&self, at: usize, kind: NotationErrorKind) -> NotationError {
        NotationError { at, kind }
    }

    fn expected(&self, expected: Expected) -> NotationError {
        self.wrong(self.at, NotationErrorKind::Expected(expected))
    }

    /// Takes one of these texts, if it comes next; the longer ones come first.
    fn take<T: Copy>(&mut self, known: &[(&str, T)]) -> Option<T> {
        let (text, found) = *known.iter().find(|(text, _)| {
            self.rest().get(..text.len()).is_some_and(|next| next.eq_ignore_ascii_case(text))
        })?;
        self.at += text.len();
        Some(found)
    }

    fn digits(&mut self) -> Parsed<Option<u64>> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Ok(None);
        }
        let start = self.at;
        self.at += digits;
        let read = if digits > 12 { None } else { self.text[start..self.at].parse().ok() };
        read.map(Some).ok_or_else(|| self.wrong(start, NotationErrorKind::Number))
    }

    fn sum(&mut self) -> Parsed<FormulaNode> {
        let mut left = self.product()?;
        loop {
            self.space();
            let signs = [("+", Operator::Plus), ("-", Operator::Minus), ("−", Operator::Minus)];
            let Some(operator) = self.take(&signs) else { return Ok(left) };
            left = FormulaNode::Both(operator, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Parsed<FormulaNode> {
        let mut left = self.value()?;
        loop {
            self.space();
            let signs = [
                ("*", Operator::Times),
                ("×", Operator::Times),
                ("/", Operator::Over),
                ("÷", Operator::Over),
            ];
            let Some(operator) = self.take(&signs) else { return Ok(left) };
            left = FormulaNode::Both(operator, Box::new(left), Box::new(self.value()?));
        }
    }

    fn value(&mut self) -> Parsed<FormulaNode> {
        self.space();
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong(self.at, NotationErrorKind::TooComplex));
        }
        let node = self.signed()?;
        self.depth -= 1;
        Ok(node)
    }

    fn signed(&mut self) -> Parsed<FormulaNode> {
        if self.take(&[("-", ()), ("−", ())]).is_some() {
            return Ok(FormulaNode::Minus(Box::new(self.value()?)));
        }
        if self.take(&[("(", ())]).is_some() {
            let inside = self.sum()?;
            self.space();
            self.take(&[(")", ())]).ok_or_else(|| self.expected(Expected::Close))?;
            let after = self.rest().strip_prefix(['d', 'D']);
            if after.is_some_and(|after| {
                after.starts_with(|c: char| c.is_ascii_digit() || "%fF".contains(c))
            }) {
                return Err(self.wrong(self.at, NotationErrorKind::CountInParentheses));
            }
            return Ok(inside);
        }
        let start = self.at;
        let count = self.digits()?;
        if self.take(&[("d", ())]).is_some() {
            return self
                .dice(start, count.unwrap_or(1))
                .map(|term| FormulaNode::Dice(Box::new(term)));
        }
        let Some(whole) = count else { return Err(self.expected(Expected::Value)) };
        let number = i64::try_from(whole).ok().and_then(|n| Number::whole(n).ok());
        number.map(FormulaNode::Number).ok_or_else(|| self.wrong(start, NotationErrorKind::Number))
    }

    fn dice(&mut self, start: usize, count: u64) -> Parsed<Term> {
        self.handfuls += 1;
        if self.handfuls > MOST_HANDFULS {
            return Err(self.wrong(start, NotationErrorKind::TooComplex));
        }
        let sides_at = self.at;
        let shape = match self.take(&[("%", Shape::Sides(100)), ("F", Shape::Fudge)]) {
            Some(shape) => shape,
            None => match self.digits()? {
                Some(66) => Shape::Digits(2),
                Some(666) => Shape::Digits(3),
                Some(sides) => match u32::try_from(sides) {
                    Ok(known) if (2..=MOST_SIDES).contains(&known) => Shape::Sides(known),
                    _ => return Err(self.wrong(sides_at, NotationErrorKind::Sides(sides))),
                },
                None => return Err(self.expected(Expected::Sides)),
            },
        };
        let count = match u32::try_from(count) {
            Ok(known) if (1..=MOST_DICE).contains(&known) => known,
            _ => return Err(self.wrong(start, NotationErrorKind::Count(count))),
        };
        let mut term = Term::new(count, shape);
        while self.rule(&mut term)? {}
        term.text = self.text[start..self.at].chars().filter(|c| !c.is_whitespace()).collect();
        let dropped = term.drop_highest + term.drop_lowest;
        if dropped >= count && dropped > 0 {
            return Err(self.wrong(start, NotationErrorKind::DropsAll));
        }
        Ok(term)
    }

    /// Reads one rule of a handful, if one comes next.
    fn rule(&mut self, term: &mut Term) -> Parsed<bool> {
        use Rule::*;
        const RULES: [(&str, Rule); 14] = [
            ("kh", KeepHighest),
            ("kl", KeepLowest),
            ("k", KeepHighest),
            ("dh", DropHighest),
            ("dl", DropLowest),
            ("d", DropLowest),
            ("rr", RerollUntil),
            ("ro", RerollOnce),
            ("r", RerollOnce),
            ("!!", Explode),
            ("!p", Penetrating),
            ("!", Extra),
            ("cs", Successes),
            ("cf", Failures),
        ];
        /// Only dice that are counted have failures: `>=5f1`.
        const RULES_OF_COUNTED: [(&str, Rule); 1] = [("f", Failures)];
        let at = self.at;
        self.space();
        let start = self.at;
        if self.rest().starts_with(['<', '>', '=', '≤', '≥']) {
            self.bare_condition(start, term)?;
            return Ok(true);
        }
        let counted = term.successes.is_some();
        let rule = self.take(&RULES);
        let Some(rule) = rule.or_else(|| self.take(&RULES_OF_COUNTED).filter(|_| counted)) else {
            self.at = at;
            return Ok(false);
        };
        match rule {
            KeepHighest | KeepLowest | DropHighest | DropLowest => self.keep(start, rule, term)?,
            RerollOnce | RerollUntil => {
                let test = self.test()?.unwrap_or(lowest(term));
                self.check(start, test, term, rule == RerollUntil)?;
                if term.rerolls.len() == MOST_RULES {
                    return Err(self.wrong(start, NotationErrorKind::TooComplex));
                }
                term.rerolls.push((test, rule == RerollUntil));
            }
            Explode | Extra => {
                if term.explode.is_some() || term.extra.is_some() {
                    return Err(self.wrong(start, NotationErrorKind::BothExplosions));
                }
                let test = self.test()?.unwrap_or(highest(term));
                self.check(start, test, term, true)?;
                let place = if rule == Explode { &mut term.explode } else { &mut term.extra };
                *place = Some(test);
            }
            Penetrating => return Err(self.wrong(start, NotationErrorKind::Penetrating)),
            Successes | Failures => {
                let test = self.test()?.ok_or_else(|| self.expected(Expected::Test))?;
                let place =
                    if rule == Successes { &mut term.successes } else { &mut term.failures };
                if place.replace(test).is_some() {
                    return Err(self.wrong(start, NotationErrorKind::Twice));
                }
            }
        }
        Ok(true)
    }

    /// `>=5` right after dice counts them, as `cs>=5` does.
    fn bare_condition(&mut self, start: usize, term: &mut Term) -> Parsed<()> {
        let test = self.test()?.ok_or_else(|| self.expected(Expected::Test))?;
        if !term.values().iter().any(|value| test.holds(Number::from(*value))) {
            return Err(self.wrong(start, NotationErrorKind::TotalTested));
        }
        match term.successes.replace(test) {
            None => Ok(()),
            Some(_) => Err(self.wrong(start, NotationErrorKind::Twice)),
        }
    }

    fn keep(&mut self, start: usize, rule: Rule, term: &mut Term) -> Parsed<()> {
        let taken = term.keep_highest.is_some() || term.keep_lowest.is_some();
        let dropped = term.drop_highest + term.drop_lowest > 0;
        let n_at = self.at;
        let n = self.digits()?;
        let n = match n {
            Some(n) => u32::try_from(n).ok().filter(|n| (1..=MOST_DICE).contains(n)),
            // A bare k or d reads like an unfinished text.
            None if n_at - start == 1 => {
                return Err(self.expected(Expected::Number));
            }
            None => Some(1),
        };
        let n = n.ok_or_else(|| self.wrong(n_at, NotationErrorKind::Number))?;
        let clash = match rule {
            Rule::KeepHighest => dropped || term.keep_highest.is_some(),
            Rule::KeepLowest => dropped || term.keep_lowest.is_some(),
            Rule::DropHighest => taken || term.drop_highest > 0,
            _ => taken || term.drop_lowest > 0,
        };
        if clash {
            return Err(self.wrong(start, NotationErrorKind::Twice));
        }
        match rule {
            Rule::KeepHighest => term.keep_highest = Some(n),
            Rule::KeepLowest => term.keep_lowest = Some(n),
            Rule::DropHighest => term.drop_highest = n,
            _ => term.drop_lowest = n,
        }
        Ok(())
    }

    /// `>=5`, `<3`, `=1`, `1`; nothing if none comes next.
    fn test(&mut self) -> Parsed<Option<Test>> {
        let signs = [
            (">=", Compare::AtLeast),
            ("<=", Compare::AtMost),
            ("≥", Compare::AtLeast),
            ("≤", Compare::AtMost),
            (">", Compare::More),
            ("<", Compare::Less),
            ("=", Compare::Equal),
        ];
        let sign = self.take(&signs);
        if sign.is_some() {
            self.space();
        }
        let negative = sign.is_some() && self.take(&[("-", ()), ("−", ())]).is_some();
        let at = self.at;
        let with = match (self.digits()?, sign) {
            (Some(n), _) => {
                i32::try_from(n).map_err(|_| self.wrong(at, NotationErrorKind::Number))?
            }
            (None, Some(_)) => return Err(self.expected(Expected::Number)),
            (None, None) => return Ok(None),
        };
        let with = if negative { -with } else { with };
        Ok(Some(Test { compare: sign.unwrap_or(Compare::Equal), with }))
    }

    /// A rule must hold for some faces and, if it repeats, not for all.
    fn check(&self, start: usize, test: Test, term: &Term, repeats: bool) -> Parsed<()> {
        let values = term.values();
        let holds = values.iter().filter(|value| test.holds(Number::from(**value))).count();
        if holds == 0 {
            return Err(self.wrong(start, NotationErrorKind::Never));
        }
        if repeats && holds == values.len() {
            return Err(self.wrong(start, NotationErrorKind::Endless));
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    KeepHighest,
    KeepLowest,
    DropHighest,
    DropLowest,
    RerollOnce,
    RerollUntil,
    Explode,
    Extra,
    Penetrating,
    Successes,
    Failures,
}

fn lowest(term: &Term) -> Test {
    let with = term.values().first().copied().unwrap_or(1);
    Test { compare: Compare::Equal, with }
}

fn highest(term: &Term) -> Test {
    let with = term.values().last().copied().unwrap_or(1);
    Test { compare: Compare::Equal, with }
}
