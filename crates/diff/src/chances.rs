//! Which chances of a chart move, and by how much. Small charts are compared in every situation. In
//! larger ones the search starts at the usual situation, varies one input, then two, tries others
//! at random, and climbs from the largest shifts that it finds.

use crate::grid::{AxisKind, Point, SituationGrid};
use crate::{Effort, Version};
use adjutant_dice::Answer;
use adjutant_engine::{Chance, Distribution, OddsOptions, odds};
use num_bigint::BigUint;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};

/// From how many of the largest shifts the search climbs.
const CLIMBS: usize = 4;
/// The rolls that exact odds may try in one situation: a chart that needs more is left out.
const MOST_ROLLS: usize = 20_000;

/// The shifts of a chart's chances, the largest first.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ChanceDiff {
    /// The largest shifts, largest first; at most one for each situation.
    pub shifts: Vec<ChanceShift>,
    /// In how many situations the chart was compared.
    pub situations: usize,
    /// In how many of them some chance moves.
    pub moved: usize,
    /// In how many it has no exact chances in one of the versions.
    pub without: usize,
    /// Set if these are all situations, so that no shift is larger.
    pub exhaustive: bool,
}

/// A chance that moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChanceShift {
    /// Each input, option or memory that has not its default.
    pub given: Vec<Given>,
    /// The answers to questions, by their names.
    pub answers: Vec<(String, String)>,
    /// The result, or the number.
    pub result: String,
    /// The title that a player reads.
    pub title: String,
    /// Its chance in the earlier version.
    pub before: Chance,
    /// Its chance in the later version.
    pub after: Chance,
    #[serde(rename = "shift")]
    size: Size,
}

/// A value in a situation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Given {
    pub kind: AxisKind,
    pub name: String,
    pub label: String,
    pub value: String,
}

impl ChanceShift {
    /// By how much the chance moves, without its direction.
    pub fn size(&self) -> &Size {
        &self.size
    }

    /// By how many percentage points it moves, up or down.
    pub fn points(&self) -> f64 {
        self.after.percent() - self.before.percent()
    }
}

/// The exact size of a shift.
#[derive(Clone, Debug)]
pub struct Size {
    ways: BigUint,
    of: BigUint,
}

impl Size {
    fn between(one: &Chance, other: &Chance) -> Size {
        let (a, b) = (one.ways() * other.of(), other.ways() * one.of());
        let ways = if a > b { a - b } else { b - a };
        Size { ways, of: one.of() * other.of() }
    }

    fn is_zero(&self) -> bool {
        self.ways == BigUint::ZERO
    }

    /// As a chance: the exact fraction.
    pub fn as_chance(&self) -> Chance {
        Chance::new(self.ways.clone(), self.of.clone())
    }
}

impl Serialize for Size {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_chance().serialize(serializer)
    }
}

impl PartialEq for Size {
    fn eq(&self, other: &Size) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Size {}

impl PartialOrd for Size {
    fn partial_cmp(&self, other: &Size) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Size {
    fn cmp(&self, other: &Size) -> Ordering {
        (&self.ways * &other.of).cmp(&(&other.ways * &self.of))
    }
}

/// Compares the chances of a chart that both versions have.
pub fn chances(
    before: &Version<'_>,
    after: &Version<'_>,
    chart: &str,
    effort: &Effort,
) -> ChanceDiff {
    let grid = SituationGrid::new(before.pack, after.pack, chart);
    let size = grid.size();
    let mut search = Search {
        before,
        after,
        chart,
        effort,
        grid,
        seen: HashSet::new(),
        best: Vec::new(),
        found: ChanceDiff::default(),
    };
    if size <= effort.situations as u128 {
        let all = (0..size).all(|number| search.compare(search.grid.point(number)).is_some());
        search.found.exhaustive = all && search.grid.is_complete();
    } else {
        search.look_around();
    }
    search.found.shifts = search.best.into_iter().map(|(shift, _)| shift).collect();
    search.found
}

struct Search<'s> {
    before: &'s Version<'s>,
    after: &'s Version<'s>,
    chart: &'s str,
    effort: &'s Effort,
    grid: SituationGrid,
    seen: HashSet<Point>,
    /// The largest shifts with their points, largest first.
    best: Vec<(ChanceShift, Point)>,
    found: ChanceDiff,
}

impl Search<'_> {
    /// Compares one situation; the size of its largest shift. None if there is no time, or if as
    /// many were compared as are allowed.
    fn compare(&mut self, point: Point) -> Option<Option<Size>> {
        if self.effort.stop.is_due() || self.seen.len() >= self.effort.situations {
            return None;
        }
        if !self.seen.insert(point.clone()) {
            let before = self.best.iter().find(|(_, at)| *at == point);
            return Some(before.map(|(shift, _)| shift.size.clone()));
        }
        self.found.situations += 1;
        let Some(shift) = self.largest_at(&point) else {
            self.found.without += 1;
            return Some(None);
        };
        let Some(shift) = shift else { return Some(None) };
        self.found.moved += 1;
        let size = shift.size.clone();
        let place = self.best.partition_point(|(before, _)| before.size >= size);
        if place < self.effort.shifts.max(CLIMBS) {
            self.best.insert(place, (shift, point));
            self.best.truncate(self.effort.shifts.max(CLIMBS));
        }
        Some(Some(size))
    }

    /// The largest shift in a situation: `Some(None)` if none moves, `None` if there are no chances.
    fn largest_at(&self, point: &Point) -> Option<Option<ChanceShift>> {
        let spread = |version: &Version<'_>| {
            let situation = self.grid.situation(version.pack, self.chart, point)?;
            let stop = self.effort.stop.clone();
            let asked = OddsOptions { most: Some(MOST_ROLLS), stop, ..OddsOptions::default() };
            odds(&situation, &asked).ok()
        };
        let (before, after) = (spread(self.before)?, spread(self.after)?);
        let mut largest: Option<ChanceShift> = None;
        for branch in &after.branches {
            let same = before.branches.iter().find(|other| other.answers == branch.answers);
            let Some(same) = same else { continue };
            for shift in shifts(&same.spread, &branch.spread) {
                if largest.as_ref().is_none_or(|known| shift.size > known.size) {
                    let in_words =
                        |(key, answer): &(String, Answer)| (key.clone(), answer.to_string());
                    let answers = branch.answers.iter().map(in_words).collect();
                    largest = Some(ChanceShift { answers, given: self.given(point), ..shift });
                }
            }
        }
        Some(largest)
    }

    /// The values of a point that are not defaults.
    fn given(&self, point: &Point) -> Vec<Given> {
        let values = self.grid.values(point);
        let set = values.filter(|(axis, value)| {
            !axis.has_default || axis.values.get(axis.usual).is_none_or(|usual| usual != value)
        });
        let given = set.map(|(axis, value)| Given {
            kind: axis.kind,
            name: axis.name.clone(),
            label: axis.label.clone(),
            value: value.to_owned(),
        });
        given.collect()
    }

    /// Looks for the largest shifts where not every situation can be compared.
    fn look_around(&mut self) {
        let usual = self.grid.usual();
        let most = self.effort.situations;
        let sweep = |search: &mut Self, point: &Point, axis: usize| {
            let values = search.grid.axes[axis].values.len();
            (0..values).try_for_each(|value| {
                let mut point = point.clone();
                point[axis] = value as u16;
                search.compare(point).map(drop)
            })
        };
        // Inputs with few values first: a modifier that is ticked says more than the hundredth
        // value of a number.
        let mut axes: Vec<usize> = (0..self.grid.axes.len()).collect();
        axes.sort_by_key(|axis| self.grid.axes[*axis].values.len());
        let one = axes.into_iter().try_for_each(|axis| sweep(self, &usual, axis));
        if one.is_none() {
            return;
        }
        self.vary_two(&usual, most / 2);
        self.at_random(most * 3 / 4);
        self.climb();
    }

    /// Every two axes together, while fewer than `most` situations were compared.
    fn vary_two(&mut self, usual: &Point, most: usize) {
        for first in 0..self.grid.axes.len() {
            for second in first + 1..self.grid.axes.len() {
                let (rows, columns) =
                    (self.grid.axes[first].values.len(), self.grid.axes[second].values.len());
                for (row, column) in
                    (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)))
                {
                    let mut point = usual.clone();
                    (point[first], point[second]) = (row as u16, column as u16);
                    if self.seen.len() >= most || self.compare(point).is_none() {
                        return;
                    }
                }
            }
        }
    }

    /// Situations all over, the same in every run, while fewer than `most` were compared.
    fn at_random(&mut self, most: usize) {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            // xorshift64: it need not be good luck, only spread and repeatable.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        // A point that was seen before counts as a try: there may be hardly any others.
        for _ in 0..most.saturating_mul(2) {
            if self.seen.len() >= most {
                return;
            }
            let place = |values: usize, luck: u64| (luck % values.max(1) as u64) as u16;
            let point =
                self.grid.axes.iter().map(|axis| place(axis.values.len(), next())).collect();
            if self.compare(point).is_none() {
                return;
            }
        }
    }

    /// From the largest shifts, one axis at a time, as long as they grow.
    fn climb(&mut self) {
        let starts: Vec<Point> =
            self.best.iter().take(CLIMBS).map(|(_, point)| point.clone()).collect();
        for mut point in starts {
            let Some(Some(mut size)) = self.known_size(&point) else { continue };
            let mut grows = true;
            while std::mem::take(&mut grows) {
                for axis in 0..self.grid.axes.len() {
                    for value in 0..self.grid.axes[axis].values.len() as u16 {
                        let mut next = point.clone();
                        next[axis] = value;
                        match self.compare(next.clone()) {
                            None => return,
                            Some(Some(found)) if found > size => {
                                (point, size, grows) = (next, found, true);
                            }
                            Some(_) => {}
                        }
                    }
                }
            }
        }
    }

    fn known_size(&self, point: &Point) -> Option<Option<Size>> {
        let place = self.best.iter().find(|(_, at)| at == point);
        Some(place.map(|(shift, _)| shift.size.clone()))
    }
}

/// A result by which two distributions are compared, and how it is shown.
fn outcomes(spread: &Distribution) -> BTreeMap<(u8, String), (String, &Chance)> {
    let mut all = BTreeMap::new();
    let of_unit = |unit: &Option<adjutant_dice::Text>| {
        unit.as_ref().map_or(String::new(), |unit| format!("{unit}: "))
    };
    for found in &spread.results {
        let on = found.on.as_ref().map_or(String::new(), |on| format!(" ({on})"));
        let key = format!("{}{}{on}", of_unit(&found.of), found.id);
        all.insert((0, key), (format!("{}{}", of_unit(&found.of), found.title), &found.chance));
    }
    for found in &spread.also {
        let label = found.label.as_ref().map_or(String::new(), |label| format!(" ({label})"));
        all.insert((1, format!("{}{label}", found.id)), (found.title.to_string(), &found.chance));
    }
    for (value, chance) in &spread.values {
        all.insert((2, value.to_string()), (value.to_string(), chance));
    }
    all
}

fn shifts(before: &Distribution, after: &Distribution) -> Vec<ChanceShift> {
    if before == after {
        return Vec::new();
    }
    let never = Chance::new(BigUint::ZERO, BigUint::from(1_u32));
    let (one, other) = (outcomes(before), outcomes(after));
    let keys: std::collections::BTreeSet<_> = one.keys().chain(other.keys()).cloned().collect();
    let shift = |key: (u8, String)| {
        let (a, b) = (one.get(&key), other.get(&key));
        let title = b.or(a).map(|(title, _)| title.clone()).unwrap_or_default();
        let chance = |found: Option<&(String, &Chance)>| {
            found.map_or_else(|| never.clone(), |(_, chance)| (*chance).clone())
        };
        let (before, after) = (chance(a), chance(b));
        let size = Size::between(&before, &after);
        let (given, answers) = (Vec::new(), Vec::new());
        ChanceShift { given, answers, result: key.1, title, before, after, size }
    };
    keys.into_iter().map(shift).filter(|shift| !shift.size.is_zero()).collect()
}
