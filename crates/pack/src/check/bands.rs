//! Checks that the rows of a table cover every score exactly once: no gap, no overlap, in order.

use super::builder::Builder;
use crate::chart::{Band, Read};
use crate::expr::Formula;
use crate::problem::{RowProblem, Scores};
use crate::raw::RawRow;
use crate::value::Type;
use adjutant_dice::{Number, Text};

/// The end of a band: a number and whether it is included.
pub(super) type End = (Number, bool);

impl Builder<'_, '_> {
    /// Checks the rows and completes their bands. Returns whether they are valid, so that
    /// reachability can be checked.
    pub fn check_rows(&self, read: &mut Read, raw: &[RawRow]) -> bool {
        let before = self.faults().count();
        if self.check_after_last(read, raw) {
            return false;
        }
        match read.score.as_ref().map(|score| score.kind.clone()) {
            Some(Type::Number) if read.rows.iter().all(|row| row.limits.is_empty()) => {
                self.check_bands(read, raw)
            }
            Some(Type::Choice(set)) => {
                let open = read.rows.iter().any(|row| row.is_word.is_none() && row.when.is_none());
                let words: Vec<Text> = set
                    .iter()
                    .filter(|w| {
                        !read.rows.iter().any(|row| row.is_word == Some(**w) && row.when.is_none())
                    })
                    .map(|w| self.words.text(*w).into())
                    .collect();
                if !open && !words.is_empty() {
                    let at = raw.last().map_or(self.here(), |row| &row.at);
                    self.faults().add(at, RowProblem::NoRowForWords { words });
                }
            }
            _ => {
                // Where an end is worked out, rows are tried from the top, and the last is open.
                let whole =
                    read.rows.last().is_some_and(|row| row.when.is_none() && row.band.is_none());
                if !whole {
                    let at = raw.last().map_or(self.here(), |row| &row.at);
                    self.faults().add(at, RowProblem::NoLastRow);
                }
            }
        }
        self.faults().count() == before
    }

    /// A row that always applies must be the last. Returns whether there are rows after such a row.
    fn check_after_last(&self, read: &Read, raw: &[RawRow]) -> bool {
        let before = self.faults().count();
        let open = read
            .rows
            .iter()
            .position(|row| row.band.is_none() && row.is_word.is_none() && row.when.is_none());
        if let Some(open) = open
            && let Some(after) = raw.get(open + 1)
        {
            self.faults().add(&after.at, RowProblem::AfterLast);
        }
        for (place, row) in read.rows.iter().enumerate() {
            let twin = row.is_word.is_some()
                && row.when.is_none()
                && read
                    .rows
                    .iter()
                    .take(place)
                    .any(|other| other.is_word == row.is_word && other.when.is_none());
            if twin {
                self.faults().add(&raw[place].at, RowProblem::SameWord);
            }
        }
        self.faults().count() > before
    }

    fn check_bands(&self, read: &mut Read, raw: &[RawRow]) {
        let Some(score) = &read.score else { return };
        let range = self.range(score);
        let mut next: Option<End> = range.from.map(|n| (n, true));
        let (mut last, mut open_end) = (None, false);
        for (place, row) in read.rows.iter_mut().enumerate() {
            if row.when.is_some() {
                continue;
            }
            let at = &raw[place].at;
            let band = row.band.unwrap_or(Band { from: None, to: None });
            if open_end {
                self.faults().add(at, RowProblem::AfterOpenEnd);
                return;
            }
            let started = last.is_some();
            if let (Some(from), Some(to)) = (band.from, band.to)
                && ends_before(to, from)
            {
                self.faults().add(at, RowProblem::BandBackwards { from: from.0, to: to.0 });
                return;
            }
            if let Some(from) = band.from {
                self.check_start(from, next, started, score, at);
            }
            let start = band.from.or(if started { next } else { None });
            if let (Some(to), Some(start)) = (band.to, start)
                && ends_before(to, start)
            {
                self.faults().add(at, RowProblem::BandOrder { to: to.0 });
                return;
            }
            row.band = Some(Band { from: start, to: band.to });
            match band.to {
                Some(to) => next = Some(after(to, range.whole)),
                None => open_end = true,
            }
            last = Some(place);
        }
        let Some(last) = last else {
            let at = raw.last().map_or(self.here(), |row| &row.at);
            self.faults().add(at, RowProblem::NoLastRow);
            return;
        };
        if let (false, Some(next)) = (open_end, next)
            && range.to.is_none_or(|to| !ends_before((to, true), next))
        {
            self.faults().add(
                &raw[last].at,
                RowProblem::NoRowBeyond { scores: beyond(next, range.whole, range.to) },
            );
        }
    }

    fn check_start(
        &self,
        from: End,
        next: Option<End>,
        started: bool,
        score: &Formula,
        at: &crate::tree::Place,
    ) {
        let range = self.range(score);
        let from = start(from, range.whole);
        let Some(next) = next else {
            if !started {
                self.faults().add(at, RowProblem::NoRowBelow { from: from.0 });
            }
            return;
        };
        // Scores above the maximum are not a gap. The reachability check reports the row later.
        let beyond_all = range.to.is_some_and(|to| ends_before((to, true), next));
        if from == next || (!started && !later(from, next)) || (beyond_all && later(from, next)) {
            return;
        }
        if later(from, next) {
            if self.is_possible(score, next, from) {
                self.faults().add(at, RowProblem::Gap { scores: gap(next, from, range.whole) });
            }
        } else {
            self.faults().add(at, RowProblem::Overlap { at: from.0 });
        }
    }
}

/// Where a band really starts, if all scores are whole.
pub(super) fn start(from: End, whole: bool) -> End {
    match from {
        (n, true) if whole => (n.ceil(), true),
        (n, false) if whole => (plus_one(n.floor()), true),
        _ => from,
    }
}

fn plus_one(n: Number) -> Number {
    n.plus(Number::ONE).unwrap_or(n)
}

/// Where the next band starts if this one ends here.
pub(super) fn after(to: End, whole: bool) -> End {
    match (whole, to) {
        (true, (n, true)) => (plus_one(n.floor()), true),
        (true, (n, false)) => (if n.is_whole() { n } else { n.ceil() }, true),
        (false, (n, belongs)) => (n, !belongs),
    }
}

/// Whether an upper end lies before a lower end, with nothing between them.
pub(super) fn ends_before(to: End, from: End) -> bool {
    to.0 < from.0 || (to.0 == from.0 && !(to.1 && from.1))
}

/// Whether one lower end lies above another.
pub(super) fn later(a: End, b: End) -> bool {
    a.0 > b.0 || (a.0 == b.0 && !a.1 && b.1)
}

/// The scores between the end of one band and the start of the next.
pub(super) fn gap(next: End, from: End, whole: bool) -> Scores {
    let last = from.0.minus(Number::ONE).unwrap_or(from.0);
    match whole {
        true if last == next.0 => Scores::Only(last),
        true => Scores::To(next.0, last),
        false => Scores::UpTo(next.0, from.0),
    }
}

pub(super) fn beyond(next: End, whole: bool, to: Option<Number>) -> Scores {
    match (whole, to) {
        (true, Some(to)) if to == next.0 => Scores::Only(to),
        (true, Some(to)) => Scores::To(next.0, to),
        (true, None) => Scores::From(next.0),
        (false, _) if next.1 => Scores::From(next.0),
        (false, _) => Scores::Above(next.0),
    }
}
