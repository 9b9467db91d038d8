//! Cuts a page with charts side by side into strips. A gutter is a column of blanks over several
//! lines. It parts two charts only if both sides make sense alone; otherwise it parts the columns of
//! one table.

use super::side::Side;

/// A character with its byte in the source.
pub(crate) type Char = (usize, char);

/// A line of a page.
#[derive(Clone, Debug)]
pub(crate) struct PageLine {
    pub number: u32,
    pub chars: Vec<Char>,
}

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub line: usize,
    pub from: usize,
    pub to: usize,
}

/// How deep a page is cut.
const DEEPEST: usize = 8;
/// How many places are tried for one cut.
const MOST_TRIED: usize = 7;
/// How many lines show whether a gutter parts two charts.
const LONGEST_LOOK: usize = 150;
/// Longer runs of lines are cut into pages of this length.
pub(crate) const LONGEST_PAGE: usize = 400;

/// The strips of a page in reading order, each as parts of lines.
pub(crate) fn strips(lines: &[PageLine]) -> Vec<Vec<Part>> {
    let mut found = Vec::new();
    let widest = lines.iter().map(|line| line.chars.len()).max().unwrap_or(0);
    cut(lines, 0, lines.len(), 0, widest.min(1000), DEEPEST, &mut found);
    found
}

fn cut(
    lines: &[PageLine],
    top: usize,
    end: usize,
    from: usize,
    to: usize,
    depth: usize,
    found: &mut Vec<Vec<Part>>,
) {
    let region = Region { lines, top, end, from, to };
    if depth > 0
        && let Some((first, last, at)) = region.gutter()
    {
        if first > top {
            cut(lines, top, first, from, to, depth - 1, found);
        }
        cut(lines, first, last, from, at, depth - 1, found);
        cut(lines, first, last, at, to, depth - 1, found);
        if last < end {
            cut(lines, last, end, from, to, depth - 1, found);
        }
        return;
    }
    found.push((top..end).map(|line| Part { line, from, to }).collect());
}

struct Region<'p> {
    lines: &'p [PageLine],
    top: usize,
    end: usize,
    from: usize,
    to: usize,
}

impl Region<'_> {
    fn blank(&self, line: usize, x: usize) -> bool {
        self.lines[line].chars.get(x).is_none_or(|(_, c)| c.is_whitespace())
    }

    fn has_text(&self, line: usize, from: usize, to: usize) -> bool {
        let chars = &self.lines[line].chars;
        let to = to.min(chars.len());
        from < to && chars[from..to].iter().any(|(_, c)| !c.is_whitespace())
    }

    /// The lines and the place of the best cut.
    fn gutter(&self) -> Option<(usize, usize, usize)> {
        let mut starts: std::collections::BTreeMap<usize, usize> = Default::default();
        for line in self.top..self.end {
            let chars = &self.lines[line].chars;
            let to = self.to.min(chars.len());
            let mut blanks = 0;
            let mut seen = false;
            for (x, (_, c)) in chars.iter().enumerate().take(to).skip(self.from) {
                if c.is_whitespace() {
                    blanks += 1;
                    continue;
                }
                if blanks >= 2 && (seen || blanks >= 6) {
                    *starts.entry(x).or_default() += 1;
                }
                (blanks, seen) = (0, true);
            }
        }
        // What starts a little further right leaves the same gutter free.
        let near = |x: usize| (x..=x + 2).filter_map(|x| starts.get(&x)).sum::<usize>();
        let mut tried: Vec<(usize, usize)> =
            starts.iter().filter(|(_, n)| **n >= 3).map(|(x, _)| (*x, near(*x))).collect();
        tried.sort_by_key(|(x, n)| (std::cmp::Reverse(*n), *x));
        tried.truncate(MOST_TRIED);
        let mut best: Option<(usize, usize, usize, usize)> = None;
        for (x, _) in tried {
            for (first, last) in
                self.runs(x).into_iter().filter_map(|(first, last)| self.trimmed(first, last, x))
            {
                // Lines with text on both sides tell more than blank lines and lines of one side.
                let both = |line: &usize| {
                    self.has_text(*line, self.from, x) && self.has_text(*line, x, self.to)
                };
                let size = (first..last).filter(both).count();
                if best.is_some_and(|(_, _, _, known)| known >= size)
                    || !self.parts_charts(first, last, x)
                {
                    continue;
                }
                best = Some((first, last, x, size));
            }
        }
        best.map(|(first, last, x, _)| (first, last, x))
    }

    /// The runs of lines that leave the two columns before `x` blank.
    fn runs(&self, x: usize) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let mut first = None;
        for line in self.top..=self.end {
            let free =
                line < self.end && self.blank(line, x - 1) && self.blank(line, x.saturating_sub(2));
            match (free, first) {
                (true, None) => first = Some(line),
                (false, Some(start)) => {
                    found.push((start, line));
                    first = None;
                }
                _ => {}
            }
        }
        found.retain(|(first, last)| {
            let left = (*first..*last).filter(|line| self.has_text(*line, self.from, x)).count();
            let right = (*first..*last).filter(|line| self.has_text(*line, x, self.to)).count();
            left >= 3 && right >= 3
        });
        found
    }

    /// A run without blocks at its ends that leave the gutter free by chance: in them, hardly a line
    /// starts at the gutter.
    fn trimmed(&self, mut first: usize, mut last: usize, x: usize) -> Option<(usize, usize)> {
        let blank = |line: usize| !self.has_text(line, self.from, self.to);
        let own = |from: usize, to: usize| {
            let right: Vec<usize> =
                (from..to).filter(|line| self.has_text(*line, x, self.to)).collect();
            let at = right.iter().filter(|line| (x..x + 2).any(|x| !self.blank(**line, x))).count();
            right.is_empty() || at * 3 >= right.len()
        };
        loop {
            while first < last && blank(first) {
                first += 1;
            }
            while last > first && blank(last - 1) {
                last -= 1;
            }
            let end = (first..last).find(|line| blank(*line)).unwrap_or(last);
            let start =
                (first..last).rev().find(|line| blank(*line)).map_or(first, |line| line + 1);
            // A block that goes on with a line over the gutter stands above or below both columns.
            let right =
                |from: usize, to: usize| (from..to).any(|line| self.has_text(line, x, self.to));
            let outside = |line: usize, way: isize| {
                let mut count = 0;
                let mut line = line as isize;
                while (self.top as isize..self.end as isize).contains(&line)
                    && !blank(line as usize)
                {
                    count += 1;
                    line += way;
                }
                count
            };
            let above = first > self.top
                && !blank(first - 1)
                && (!right(first, end) || outside(first - 1, -1) >= 2 * (end - first));
            let below = last < self.end
                && !blank(last)
                && (!right(start, last) || outside(last, 1) >= 2 * (last - start));
            if end < last && (above || !own(first, end)) {
                first = end;
            } else if start > first && (below || !own(start, last)) {
                last = start;
            } else {
                break;
            }
        }
        (last >= first + 3).then_some((first, last))
    }

    /// Whether both sides of a gutter are charts of their own.
    fn parts_charts(&self, first: usize, last: usize, x: usize) -> bool {
        let side = |from: usize, to: usize| {
            let texts = (first..last.min(first + LONGEST_LOOK)).map(|line| {
                let chars = &self.lines[line].chars;
                let to = to.min(chars.len());
                if from < to {
                    chars[from..to].iter().map(|(_, c)| *c).collect()
                } else {
                    String::new()
                }
            });
            Side::of(texts.collect())
        };
        let (left, right) = (side(self.from, x), side(x, self.to));
        let only_left = left
            .lines
            .iter()
            .zip(&right.lines)
            .filter(|(l, r)| !l.trim().is_empty() && r.trim().is_empty())
            .count();
        let only_right = left
            .lines
            .iter()
            .zip(&right.lines)
            .filter(|(l, r)| l.trim().is_empty() && !r.trim().is_empty())
            .count();
        let loose = only_left >= 2 && only_right >= 1;
        // A last column of short cells, some of them signed, belongs to the table at its left.
        let column = only_right == 0 && left.grid >= 2 && right.is_column();
        // The blocks between blank lines: one table in one of them holds both sides together.
        let joined = || {
            let mut blocks = left.blocks(&right);
            let few = blocks.len() <= 3;
            few && blocks.any(|(left, right)| {
                let single = |line: &String| super::plain::split_cells(line).len() <= 1;
                right.lines.iter().all(single) && right.is_last_column(&left)
            })
        };
        if column
            || right.is_last_column(&left)
            || joined()
            || right.goes_on_from(&left)
            || right.takes_labels(&left)
            || (only_right <= 1 && right.is_bare() && !right.has_own_title(&left))
        {
            return false;
        }
        if left.keyed >= 2 && right.keyed >= 2 {
            // One table whose last column holds signed figures.
            let one_table =
                left.bands >= left.signs && right.signs > right.bands && !right.titled && !loose;
            return !one_table;
        }
        if left.keyed >= 2 || right.keyed >= 2 {
            let other = if left.keyed >= 2 { &right } else { &left };
            return (other.sentences >= 2 && loose)
                || (other.titled && left.titled && other.keyed + other.grid >= 1)
                || (other.titled && other.grid >= 2 && (loose || left.titled));
        }
        let whole = |side: &Side| side.sentences >= 2 || (side.titled && side.grid >= 2);
        whole(&left)
            && whole(&right)
            && (loose
                || (left.sentences >= 3 && right.sentences >= 3 && left.wraps && right.wraps)
                || (left.titled && right.titled && left.grid >= 2))
    }
}
