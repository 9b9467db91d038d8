//! Cuts a page with charts side by side into strips. A gutter is a column of blanks over several
//! lines. It parts two charts only if both sides make sense alone; otherwise it parts the columns of
//! one table.

use super::side::PageSide;

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
pub(crate) struct LinePart {
    pub line: usize,
    pub from: usize,
    pub to: usize,
}

/// The depth to which a page is cut.
const DEEPEST: usize = 8;
/// The number of places that are tried for one cut.
const MOST_TRIED: usize = 20;
/// So many lines may be a column of the page.
const LONG_COLUMN: usize = 12;
/// So many lines may be a column of the page even if they start at different places.
const RAGGED_COLUMN: usize = 24;
/// The points of a line beside a gutter at which most lines start, beside one that is the widest
/// gap of most lines, and beside any other.
const ALIGNED: usize = 5;
const WIDE: usize = 4;
const FREE: usize = 3;
/// The number of gutters that are tried only because many lines leave them free.
const MOST_CORRIDORS: usize = 6;
/// Columns drift where no more lines start at the same place.
const FEW_STARTS: usize = 5;
/// So many lines must stand beside such a gutter.
const LEAST_CORRIDOR: usize = 6;
/// The number of lines that show if a gutter parts two charts.
const LONGEST_LOOK: usize = 150;
/// Longer runs of lines are cut into pages of this length.
pub(crate) const LONGEST_PAGE: usize = 400;

/// The strips of a page in reading order, each as parts of lines.
pub(crate) fn strips(lines: &[PageLine]) -> Vec<Vec<LinePart>> {
    let mut strips = Vec::new();
    let widest = lines.iter().map(|line| line.chars.len()).max().unwrap_or(0);
    cut(lines, 0, lines.len(), 0, widest.min(1000), DEEPEST, &mut strips);
    strips
}

fn cut(
    lines: &[PageLine],
    top: usize,
    end: usize,
    from: usize,
    to: usize,
    depth: usize,
    strips: &mut Vec<Vec<LinePart>>,
) {
    let region = Region { lines, top, end, from, to };
    if depth > 0
        && let Some((first, last, at)) = region.gutter()
    {
        if first > top {
            cut(lines, top, first, from, to, depth - 1, strips);
        }
        cut(lines, first, last, from, at, depth - 1, strips);
        cut(lines, first, last, at, to, depth - 1, strips);
        if last < end {
            cut(lines, last, end, from, to, depth - 1, strips);
        }
        return;
    }
    strips.push((top..end).map(|line| LinePart { line, from, to }).collect());
}

/// The things at both sides of a gutter.
enum Parts {
    /// The columns of one table.
    Nothing,
    Charts,
    /// Two columns of a page, each with several charts.
    Page,
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

    /// The texts of some lines between two places.
    fn texts(&self, first: usize, last: usize, from: usize, to: usize) -> Vec<String> {
        let text = |line: usize| {
            let chars = &self.lines[line].chars;
            let to = to.min(chars.len());
            if from < to {
                chars[from..to].iter().map(|(_, c)| *c).collect()
            } else {
                String::new()
            }
        };
        (first..last).map(text).collect()
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
        let mut tried: Vec<(usize, usize)> = starts
            .iter()
            .map(|(x, n)| (*x, *n, near(*x)))
            .filter(|(_, own, near)| *own >= 3 || (*own == 2 && *near >= 6))
            .map(|(x, _, near)| (x, near))
            .collect();
        tried.sort_by_key(|(x, n)| (std::cmp::Reverse(*n), *x));
        tried.truncate(MOST_TRIED);
        let mut tried: Vec<(usize, bool)> = tried.into_iter().map(|(x, _)| (x, false)).collect();
        // Where many lines start at one place, columns do not drift.
        let drifts = starts.values().all(|own| *own <= FEW_STARTS);
        for x in self.corridors(&starts) {
            if !tried.contains(&(x, false)) {
                tried.push((x, drifts));
            }
        }
        let mut best: Option<(usize, usize, usize, (bool, usize))> = None;
        for (x, drifts) in tried {
            let trimmed = |(first, last)| self.trimmed(first, last, x, drifts);
            for (first, last) in self.runs(x).into_iter().filter_map(trimmed) {
                // Lines with text on both sides tell more than blank lines and lines of one side.
                let both = |line: &usize| {
                    self.has_text(*line, self.from, x) && self.has_text(*line, x, self.to)
                };
                let size = (first..last).filter(both).count();
                // A gutter at which the lines beside it start goes before one that they only leave free.
                let weight = match () {
                    () if self.is_aligned(first, last, x) => ALIGNED,
                    () if self.is_widest(first, last, x) => WIDE,
                    () => FREE,
                };
                let size = size * weight;
                // A column of the page goes before a gap that is free by chance for more lines.
                if best.is_some_and(|(_, _, _, known)| known >= (true, size))
                    || !self.starts_here(first, last, x)
                    || self.cuts_off_figures(first, last, x)
                {
                    continue;
                }
                let rank = match self.parts(first, last, x) {
                    Parts::Nothing => continue,
                    Parts::Charts => (false, size),
                    Parts::Page => (true, size),
                };
                if best.is_none_or(|(_, _, _, known)| known < rank) {
                    best = Some((first, last, x, rank));
                }
            }
        }
        best.map(|(first, last, x, _)| (first, last, x))
    }

    /// Places that many lines leave free, though few lines start right there: centred charts, and text
    /// of OCR, whose columns drift.
    fn corridors(&self, starts: &std::collections::BTreeMap<usize, usize>) -> Vec<usize> {
        let filled = |chars: &[Char]| {
            let first = chars.iter().position(|(_, c)| !c.is_whitespace())?;
            let last = chars.iter().rposition(|(_, c)| !c.is_whitespace())?;
            Some((first, last))
        };
        // The first and last place with text on each line.
        let ends: Vec<Option<(usize, usize)>> = (self.top..self.end)
            .map(|line| {
                let chars = &self.lines[line].chars;
                let to = self.to.min(chars.len());
                let (first, last) = filled(chars.get(self.from..to)?)?;
                Some((self.from + first, self.from + last))
            })
            .collect();
        let both = |x: usize| {
            let (mut most, mut run) = (0, 0);
            for (line, ends) in (self.top..self.end).zip(&ends) {
                let free = self.blank(line, x - 1) && self.blank(line, x.saturating_sub(2));
                let beside = ends.is_some_and(|(first, last)| first < x && x <= last);
                run = if free { run + usize::from(beside) } else { 0 };
                most = most.max(run);
            }
            most
        };
        let mut free: Vec<(usize, usize)> = starts
            .keys()
            .map(|x| (both(*x), *x))
            .filter(|(size, _)| *size >= LEAST_CORRIDOR)
            .collect();
        free.sort_by_key(|(size, x)| (std::cmp::Reverse(*size), *x));
        free.truncate(MOST_CORRIDORS);
        free.into_iter().map(|(_, x)| x).collect()
    }

    /// The runs of lines that leave the two columns before `x` blank.
    fn runs(&self, x: usize) -> Vec<(usize, usize)> {
        let mut runs = Vec::new();
        let mut first = None;
        for line in self.top..=self.end {
            let free =
                line < self.end && self.blank(line, x - 1) && self.blank(line, x.saturating_sub(2));
            match (free, first) {
                (true, None) => first = Some(line),
                (false, Some(start)) => {
                    runs.push((start, line));
                    first = None;
                }
                _ => {}
            }
        }
        runs.retain(|(first, last)| {
            let left = (*first..*last).filter(|line| self.has_text(*line, self.from, x)).count();
            let right = (*first..*last).filter(|line| self.has_text(*line, x, self.to)).count();
            left >= 3 && right >= 3
        });
        runs
    }

    /// A run without blocks at its ends that leave the gutter free by chance: in them, hardly a line
    /// starts at the gutter. Where columns drift, a title of its own is enough.
    fn trimmed(
        &self,
        mut first: usize,
        mut last: usize,
        x: usize,
        drifts: bool,
    ) -> Option<(usize, usize)> {
        let blank = |line: usize| !self.has_text(line, self.from, self.to);
        let own = |from: usize, to: usize| {
            let right: Vec<usize> =
                (from..to).filter(|line| self.has_text(*line, x, self.to)).collect();
            let at = right.iter().filter(|line| (x..x + 2).any(|x| !self.blank(**line, x))).count();
            // A title of its own, too, shows that a column starts.
            let titled = || {
                let side = PageSide::of(self.texts(from, to, x, self.to));
                let few = at * 5 >= right.len();
                side.titled && (few || (drifts && side.has_words() && self.is_widest(from, to, x)))
            };
            right.is_empty() || at * 3 >= right.len() || titled()
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
            } else if last > first + 3 && self.heads_what_follows(last, x) {
                last -= 1;
            } else {
                break;
            }
        }
        (last >= first + 3).then_some((first, last))
    }

    /// Tells if the last line holds nothing but titles, and what follows them stands over the
    /// gutter.
    fn heads_what_follows(&self, last: usize, x: usize) -> bool {
        let below = last < self.end && self.has_text(last, self.from, self.to);
        let both = last < self.end && self.has_text(last - 1, x, self.to);
        let line = self.texts(last - 1, last, self.from, self.to).concat();
        let cells = super::plain::split_cells(&line);
        (below || both)
            && !cells.is_empty()
            && cells.iter().all(|(_, _, cell)| crate::titles_shout(cell))
    }

    /// Tells if some lines start right at the gutter, so that it is not the middle of a wide gap.
    fn starts_here(&self, first: usize, last: usize, x: usize) -> bool {
        (first..last).any(|line| (x..x + 3).any(|x| !self.blank(line, x)))
    }

    /// Tells if most lines right of a gutter start there.
    fn is_aligned(&self, first: usize, last: usize, x: usize) -> bool {
        let right = (first..last).filter(|line| self.has_text(*line, x, self.to));
        let (mut all, mut at) = (0, 0);
        for line in right {
            all += 1;
            at += usize::from((x..x + 3).any(|x| !self.blank(line, x)));
        }
        at * 10 >= all * 7
    }

    /// Tells if most lines with text on both sides have their widest gap here.
    fn is_widest(&self, first: usize, last: usize, x: usize) -> bool {
        let (mut all, mut widest) = (0, 0);
        for line in first..last {
            let chars = &self.lines[line].chars;
            let (mut end, mut most, mut own) = (None, 0, 0);
            for at in (self.from..self.to.min(chars.len())).filter(|at| !self.blank(line, *at)) {
                let gap = end.map_or(0, |end: usize| at - end - 1);
                most = most.max(gap);
                if at >= x && end.is_some_and(|end| end < x) {
                    own = gap;
                }
                end = Some(at);
            }
            all += usize::from(own > 0);
            widest += usize::from(own > 0 && own == most);
        }
        widest * 3 >= all * 2
    }

    /// Tells if only figures start here, at the end of a list, and the next column starts further
    /// right.
    fn cuts_off_figures(&self, first: usize, last: usize, x: usize) -> bool {
        let (mut figures, mut others, mut at) = (0, 0, 0);
        // Figures between the words of both sides.
        let mut between = 0;
        for line in (first..last).filter(|line| self.has_text(*line, x, self.to)) {
            let chars = &self.lines[line].chars;
            let start = (x..chars.len()).find(|x| !self.blank(line, *x)).unwrap_or(x);
            let end = (start..chars.len())
                .find(|x| self.blank(line, *x) && self.blank(line, x + 1))
                .unwrap_or(chars.len());
            let cell: String = chars[start..end].iter().map(|(_, c)| *c).collect();
            let here = start < x + 3;
            let value = cell.starts_with(['+', '-', '−', '–']) || cell.ends_with('+');
            let short = value && cell.len() <= 4 && self.has_text(line, end, self.to);
            between += usize::from(short && !here && self.has_text(line, self.from, x));
            if value && here && cell.len() <= 9 && self.has_text(line, self.from, x) {
                figures += 1;
            } else {
                others += 1;
                at += usize::from(here);
            }
        }
        (figures >= 2 && others >= 3 && at * 3 < others)
            || (between >= 3 && !self.is_aligned(first, last, x))
    }

    /// Tells charts of their own at both sides of a gutter from columns of a page.
    fn parts(&self, first: usize, last: usize, x: usize) -> Parts {
        let side = |from: usize, to: usize| {
            PageSide::of(self.texts(first, last.min(first + LONGEST_LOOK), from, to))
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
        // Columns of a page: each goes on by itself for many lines, with titles of its own.
        if loose
            && only_right >= 2
            && last - first >= LONG_COLUMN
            && (self.is_aligned(first, last, x)
                || (last - first >= RAGGED_COLUMN
                    && left.titles >= 2
                    && right.titles >= 2
                    && !right.goes_on_from(&left)))
            && left.is_page()
            && right.is_page()
        {
            return Parts::Page;
        }
        // A last column of short cells, some of them signed, belongs to the table at its left.
        let column = only_right == 0 && left.grid >= 2 && right.is_column();
        if column
            || right.is_last_column(&left)
            || right.ends_a_block(&left)
            || right.goes_on_from(&left)
            || right.takes_labels(&left)
            || (only_right <= 1 && right.is_bare() && !right.has_own_title(&left))
        {
            return Parts::Nothing;
        }
        let ragged = !self.is_aligned(first, last, x);
        if ragged && !(left.has_words() && right.has_words()) {
            return Parts::Nothing;
        }
        let charts = |parted: bool| if parted { Parts::Charts } else { Parts::Nothing };
        if left.keyed >= 2 && right.keyed >= 2 {
            // One table whose last column holds signed figures.
            let one_table =
                left.bands >= left.signs && right.signs > right.bands && !right.titled && !loose;
            return charts(!one_table);
        }
        if left.keyed >= 2 || right.keyed >= 2 {
            let other = if left.keyed >= 2 { &right } else { &left };
            return charts(
                (other.sentences >= 2 && loose)
                    || (other.titled && left.titled && other.keyed + other.grid >= 1)
                    || (other.titled && other.grid >= 2 && (loose || left.titled)),
            );
        }
        let whole = |side: &PageSide| side.sentences >= 2 || (side.titled && side.grid >= 2);
        charts(
            whole(&left)
                && whole(&right)
                && (loose
                    || (left.prose >= 3 && right.prose >= 3 && left.wraps && right.wraps)
                    || (left.titled && right.titled && left.grid >= 2)),
        )
    }
}
