//! Checks the ends of a row: numbers, headings such as `6-8`, and ends that are worked out.

use super::builder::{Builder, ExpectedType};
use crate::chart::{Band, HeadingKey, Limits, Read, Row};
use crate::expr::{Expr, Formula, Op};
use crate::heading::{self, Heading};
use crate::problem::{RowProblem, ValueKind};
use crate::raw::{RawBand, RawEnd, RawRow};
use crate::tree::Located;
use crate::value::{Type, Value};
use adjutant_dice::Number;

impl Builder<'_, '_> {
    /// The numbers and the worked-out ends of a row.
    pub fn ends(&mut self, raw: &RawBand, read: &Read) -> (Option<Band>, Limits) {
        if !raw.any() {
            return (None, Limits::default());
        }
        self.check_ends(raw, read);
        if let Some(is) = &raw.is {
            let end = Some((is.it, true));
            return (Some(Band { from: end, to: end }), Limits::default());
        }
        let from =
            raw.from.as_ref().map(|end| (end, true)).or(raw.above.as_ref().map(|end| (end, false)));
        let to =
            raw.to.as_ref().map(|end| (end, true)).or(raw.below.as_ref().map(|end| (end, false)));
        let limits = Limits { from: self.limit(from), to: self.limit(to) };
        (Some(Band { from: fixed(from), to: fixed(to) }), limits)
    }

    fn check_ends(&self, raw: &RawBand, read: &Read) {
        let ends = [&raw.from, &raw.above, &raw.to, &raw.below];
        let first = raw.is.as_ref().map(|end| &end.at);
        let Some(first) = first.or(ends.into_iter().flatten().map(|end| &end.at).next()) else {
            return;
        };
        let kind = read.score.as_ref().map(|score| &score.kind);
        if let Some(kind) = kind.filter(|kind| **kind != Type::Number) {
            self.faults().add(first, RowProblem::BandOfOther { kind: ValueKind::from(kind) });
        }
        let both =
            |a: &Option<Located<RawEnd>>, b: &Option<Located<RawEnd>>| a.is_some() && b.is_some();
        let beside_is = raw.is.is_some() && ends.into_iter().flatten().next().is_some();
        if both(&raw.from, &raw.above) || both(&raw.to, &raw.below) || beside_is {
            self.faults().add(first, RowProblem::EndTwice);
        }
    }

    fn limit(&mut self, end: Option<(&Located<RawEnd>, bool)>) -> Option<(Formula, bool)> {
        let (Located { it: RawEnd::WorkedOut(text), at }, belongs) = end? else { return None };
        let text = Located { it: text.clone(), at: at.clone() };
        Some((self.formula(&text, ExpectedType::Number)?, belongs))
    }

    /// The bands of rows with a heading such as `6-8`. Odds end at the next row of the same page.
    pub fn heading_bands(&self, rows: &[RawRow], read: &Read) -> Vec<Option<Band>> {
        if read.score.as_ref().is_none_or(|score| score.kind != Type::Number) {
            return vec![None; rows.len()];
        }
        let page = |row: &RawRow| row.page.as_ref().map(|page| page.it.clone());
        let heading = |row: &RawRow| heading::read(&row.is_word.as_ref()?.it);
        let mut found = Vec::new();
        for row in rows {
            let siblings: Vec<Option<Heading>> = match heading(row) {
                Some(Heading::Ratio(n)) => std::iter::once(Some(Heading::Ratio(n)))
                    .chain(rows.iter().filter(|other| page(other) == page(row)).map(heading))
                    .collect(),
                alone => vec![alone],
            };
            found.push(heading::bands(&siblings).first().copied().flatten());
        }
        found
    }

    /// Adds to the condition of a row that the score lies within its worked-out ends.
    pub fn within_limits(&self, row: &mut Row, read: &Read) {
        let Some(score) = &read.score else { return };
        let ends = [
            (row.limits.from.clone(), Op::AtLeast, Op::Above),
            (row.limits.to.clone(), Op::AtMost, Op::Below),
        ];
        for (end, with, without) in ends {
            let Some((end, belongs)) = end else { continue };
            let op = if belongs { with } else { without };
            let text = format!("{} {} {}", score.text, sign(op), end.text);
            let expr = Expr::Pair(op, Box::new(score.expr.clone()), Box::new(end.expr));
            row.when = Some(both(row.when.take(), expr, &text));
        }
    }
}

fn fixed(end: Option<(&Located<RawEnd>, bool)>) -> Option<(Number, bool)> {
    match end? {
        (Located { it: RawEnd::Number(n), .. }, belongs) => Some((*n, belongs)),
        _ => None,
    }
}

/// A condition in addition to another.
pub(super) fn both(one: Option<Formula>, other: Expr, text: &str) -> Formula {
    match one {
        Some(one) => Formula {
            expr: Expr::Pair(Op::And, Box::new(one.expr), Box::new(other)),
            text: format!("{} and {text}", one.text).into(),
            kind: Type::YesNo,
        },
        None => Formula { expr: other, text: text.into(), kind: Type::YesNo },
    }
}

/// The condition that a formula has a value of this heading.
pub(super) fn selects(by: &Formula, key: HeadingKey) -> Expr {
    let pair = |op: Op, value: Value| {
        Expr::Pair(op, Box::new(by.expr.clone()), Box::new(Expr::Fixed(value)))
    };
    match key {
        HeadingKey::YesNo(true) => by.expr.clone(),
        HeadingKey::YesNo(false) => Expr::Not(Box::new(by.expr.clone())),
        HeadingKey::Word(word) => pair(Op::Same, Value::Word(word)),
        HeadingKey::Band(band) => {
            let end = |end: Option<(Number, bool)>, with: Op, without: Op| {
                end.map(|(n, belongs)| pair(if belongs { with } else { without }, Value::Number(n)))
            };
            let ends =
                [end(band.from, Op::AtLeast, Op::Above), end(band.to, Op::AtMost, Op::Below)];
            ends.into_iter()
                .flatten()
                .reduce(|a, b| Expr::Pair(Op::And, Box::new(a), Box::new(b)))
                .unwrap_or(Expr::Fixed(Value::YesNo(true)))
        }
    }
}

fn sign(op: Op) -> &'static str {
    match op {
        Op::AtLeast => ">=",
        Op::Above => ">",
        Op::AtMost => "<=",
        _ => "<",
    }
}

impl RawBand {
    pub fn any(&self) -> bool {
        self.ends().next().is_some() || self.is.is_some()
    }

    /// The ends that are given one by one.
    fn ends(&self) -> impl Iterator<Item = &Located<RawEnd>> {
        [&self.from, &self.to, &self.below, &self.above].into_iter().flatten()
    }

    /// How many ends are worked out.
    pub fn worked_out(&self) -> usize {
        self.ends().filter(|end| matches!(end.it, RawEnd::WorkedOut(_))).count()
    }
}
