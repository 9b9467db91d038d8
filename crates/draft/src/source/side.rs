//! One side of a gutter, and what it says about the other: a chart of its own, or more columns of the
//! same table.

use super::plain::split_cells;
use crate::token::tokens;
use crate::{amount, band};
use std::ops::Range;

/// One side of a gutter.
pub(crate) struct PageSide {
    pub lines: Vec<String>,
    /// The cells of each line.
    cells: Vec<Vec<String>>,
    /// Lines with a band or a signed figure, and words.
    pub keyed: usize,
    pub bands: usize,
    pub signs: usize,
    pub sentences: usize,
    /// Those in one cell.
    pub prose: usize,
    /// Lines with a word and at least two short cells.
    pub grid: usize,
    pub titled: bool,
    /// Lines that may be titles, after a blank line or in capitals.
    pub titles: usize,
    pub wraps: bool,
}

impl PageSide {
    pub fn of(lines: Vec<String>) -> PageSide {
        let (mut bands, mut signs, mut sentences, mut titled) = (0, 0, 0, false);
        let (mut wrapped, mut titles, mut prose) = (0, 0, 0);
        let mut heads = std::collections::BTreeSet::new();
        let cells_of = |line: &String| split_cells(line).into_iter().map(|cell| cell.2).collect();
        let all: Vec<Vec<String>> = lines.iter().map(cells_of).collect();
        let mut counted = Vec::new();
        for (place, line) in lines.iter().enumerate() {
            let text = line.trim();
            if text.is_empty() {
                continue;
            }
            let cells = &all[place];
            let words =
                cells.iter().any(|cell| cell.chars().filter(|c| c.is_alphabetic()).count() >= 2);
            let first = cells.first().map(String::as_str).unwrap_or("");
            let last = cells.last().map(String::as_str).unwrap_or("");
            if words && is_band_row(first, cells.len()) {
                bands += 1;
                counted.extend((cells.len() == 1).then(|| unit(first)).flatten());
            } else if words
                && !(cells.len() == 1 && is_bare(text))
                && (amount::beside(text).is_some()
                    || amount::whole(first).is_some()
                    || (cells.len() > 1 && amount::whole(last).is_some()))
            {
                signs += 1;
            } else if cells.len() <= 3
                && text.split(' ').filter(|w| w.chars().any(char::is_alphabetic)).count() >= 5
            {
                sentences += 1;
                prose += usize::from(cells.len() == 1);
            } else if cells.len() >= 3 && first.chars().filter(|c| c.is_alphabetic()).count() >= 3 {
                heads.insert(first.to_owned());
            }
            let capitals = cells.len() > 1
                && text == text.to_uppercase()
                && cells.iter().all(|cell| is_title(cell));
            titled |= capitals;
            if cells.len() == 1
                && is_title(text)
                && (place == 0 || lines[place - 1].trim().is_empty() || text == text.to_uppercase())
            {
                titled = true;
                titles += 1;
            }
            if text.chars().next().is_some_and(char::is_lowercase) {
                wrapped += 1;
            }
        }
        // "2 hull", "3 hull": numbers with one unit are cells, not rows.
        let same = counted.len() >= 2 && counted.iter().all(|unit| *unit == counted[0]);
        if same {
            bands -= counted.len();
        }
        PageSide {
            keyed: bands + signs,
            bands,
            signs,
            sentences,
            prose,
            grid: heads.len(),
            titled,
            titles,
            wraps: wrapped >= 1,
            lines,
            cells: all,
        }
    }
}

impl PageSide {
    /// Tells if one of at most three parts between lines that are blank on both sides is a table
    /// with its last column on this side.
    pub fn ends_a_block(&self, left: &PageSide) -> bool {
        let blank = |place: &usize| {
            self.lines[*place].trim().is_empty() && left.lines[*place].trim().is_empty()
        };
        let all = self.lines.len().min(left.lines.len());
        let mut blocks: Vec<Range<usize>> = Vec::new();
        for place in (0..all).filter(|place| !blank(place)) {
            match blocks.last_mut() {
                Some(block) if block.end == place => block.end += 1,
                _ => blocks.push(place..place + 1),
            }
        }
        let few = blocks.len() <= 3;
        few && blocks.into_iter().any(|block| {
            let part = |side: &PageSide| PageSide::of(side.lines[block.clone()].to_vec());
            self.cells[block.clone()].iter().all(|cells| cells.len() <= 1)
                && if block.len() == all {
                    self.is_last_column(left)
                } else {
                    part(self).is_last_column(&part(left))
                }
        })
    }

    /// Tells if this can be a column of a page: titles of its own, and something below them.
    pub fn is_page(&self) -> bool {
        let own = self.keyed + self.sentences + self.grid;
        (self.titles >= 2 && own >= 4) || (self.titles >= 1 && self.sentences >= 2 && own >= 5)
    }

    /// Tells if each row of scores at the left goes on here with a short text: the last column of
    /// its table.
    pub fn is_last_column(&self, left: &PageSide) -> bool {
        let (mut rows, mut others) = (0, 0);
        for ((line, own), cells) in self.lines.iter().zip(&self.cells).zip(&left.cells) {
            let Some(first) = cells.first() else { continue };
            if cells.len() < 2 || !is_band_row(first, cells.len()) {
                continue;
            }
            let text = line.trim();
            let short = !text.is_empty() && text.chars().count() <= 28;
            // "2 hexes" and "none" are cells.
            let wrapped = text.starts_with(char::is_lowercase) && text.split(' ').count() > 3;
            if !short
                || (is_band_row(text, own.len()) && unit(text).is_none())
                || amount::beside(text).is_some()
                || wrapped
                || text.ends_with('.')
            {
                others += 1;
                continue;
            }
            rows += 1;
        }
        // "-2 on all later shots" may stand among short texts.
        rows >= 3 && others * 3 <= rows && !self.has_own_title(left)
    }

    /// Tells if the lines hold short cells without words of their own: columns of the table at
    /// their left.
    pub fn is_bare(&self) -> bool {
        let filled = self.lines.iter().filter(|line| !line.trim().is_empty()).count();
        let short = |(line, cells): &(&String, &Vec<String>)| {
            !line.trim().is_empty()
                && cells.iter().all(|cell| {
                    cell.chars().count() <= 7
                        && cell.chars().filter(|c| c.is_alphabetic()).count() <= 3
                })
        };
        let bare = self.lines.iter().zip(&self.cells).filter(short).count();
        bare >= 3 && bare * 10 >= filled * 7
    }

    /// Tells if most lines have words, and not only figures and units.
    pub fn has_words(&self) -> bool {
        let letters = |line: &&String| line.chars().filter(|c| c.is_alphabetic()).count() >= 6;
        let filled = self.lines.iter().filter(|line| !line.trim().is_empty());
        let (filled, words) = (filled.clone().count(), filled.filter(letters).count());
        words * 2 >= filled
    }

    /// Tells if five or more rows at the left go on here with short cells that have no scores or
    /// names of their own.
    pub fn goes_on_from(&self, left: &PageSide) -> bool {
        let short = |cells: &[String]| {
            cells.len() >= 2
                && cells.iter().all(|cell| cell.chars().count() <= 7)
                && cells[0].chars().filter(|c| c.is_alphabetic()).count() <= 3
                && !crate::score_head(&cells[0])
        };
        let mut run: Vec<&String> = Vec::new();
        let end = Vec::new();
        for (cells, beside) in self.cells.iter().zip(&left.cells).chain([(&end, &end)]) {
            if short(cells) && beside.len() >= 2 {
                run.extend(cells.first());
                continue;
            }
            let scores: Option<Vec<band::Band>> =
                run.iter().map(|text| band::whole(text)).collect();
            let own = scores
                .is_some_and(|scores| scores.windows(2).all(|pair| pair[0].is_before(&pair[1])));
            if run.len() >= 5 && !own {
                return true;
            }
            run.clear();
        }
        false
    }

    /// Tells if the words here belong to figures at the end of the left side: "+2" parted from its
    /// label.
    pub fn takes_labels(&self, left: &PageSide) -> bool {
        let bare = |text: &str| {
            amount::whole(text).is_some_and(|at| {
                at.label.is_empty() && matches!(at.amount, amount::Amount::Plus(_))
            })
        };
        let parted = |(line, beside): &(&String, &Vec<String>)| {
            let Some(last) = beside.last() else { return false };
            let own = beside.iter().rev().nth(1).is_none_or(|text| bare(text));
            bare(last) && own && line.trim().starts_with(char::is_alphabetic)
        };
        self.lines.iter().zip(&left.cells).filter(parted).count() >= 2
    }

    /// Tells if a line of one cell names what follows, and no cells of a table stand beside it:
    /// "Range" beside "Weapon   Dice" is a column.
    pub fn has_own_title(&self, other: &PageSide) -> bool {
        let heads = |place: usize| {
            let next = self.lines.iter().zip(&self.cells).skip(place + 1);
            next.into_iter().find(|(line, _)| !line.trim().is_empty()).is_some_and(
                |(line, cells)| {
                    let text = line.trim();
                    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
                    cells.len() >= 2 || (text.chars().count() <= 7 && letters <= 3)
                },
            )
        };
        self.lines.iter().zip(&other.lines).enumerate().any(|(place, (line, beside))| {
            let text = line.trim();
            is_title(text)
                && heads(place)
                && text.chars().filter(|c| c.is_alphabetic()).count() >= 4
                && self.cells[place].len() == 1
                && other.cells[place].len() <= 1
                && !beside.contains(text)
        })
    }

    /// Tells if each line is one short cell, and no line is a modifier with its words or a row of
    /// scores.
    pub fn is_column(&self) -> bool {
        let filled = self.lines.iter().zip(&self.cells).filter(|(line, _)| !line.trim().is_empty());
        filled.into_iter().all(|(line, cells)| {
            let text = line.trim();
            let labelled = amount::beside(text).is_some() && amount::whole(text).is_none();
            cells.len() == 1 && !labelled && !is_band_row(text, 1) && text.split(' ').count() <= 4
        })
    }
}

/// The words after a number: "hull" of "2 hull".
fn unit(text: &str) -> Option<String> {
    let (number, unit) = text.split_once(' ')?;
    let word = unit.split([' ', ',']).next().unwrap_or_default().to_lowercase();
    let word = word.strip_suffix('s').unwrap_or(&word);
    number.chars().all(|c| c.is_ascii_digit()).then(|| word.to_owned())
}

/// An amount without words of its own, such as "+ value" at the end of a line.
fn is_bare(text: &str) -> bool {
    amount::whole(text)
        .is_some_and(|found| found.label.is_empty() || found.label.eq_ignore_ascii_case("value"))
}

fn is_band_row(first: &str, cells: usize) -> bool {
    // "2 hexes" is a cell, not the head of a row.
    if cells > 1
        && let Some(band) = band::whole(first)
    {
        return !(band.is_single() && first.chars().any(char::is_alphabetic));
    }
    let tokens = tokens(first);
    band::prefix(&tokens).is_some_and(|f| {
        tokens.get(f.next).is_some_and(|t| {
            (t.sign(':') || t.sign('=') || t.word().is_some())
                && !t.is_any(&["d", "st", "nd", "rd", "th"])
        }) && tokens.len() > f.next
    })
}

fn is_title(text: &str) -> bool {
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
    letters.len() >= 3
        && !text.starts_with('(')
        && text.chars().count() <= 60
        && !text.ends_with(['.', ',', ';'])
        && letters.first().is_some_and(|c| c.is_uppercase())
        && text.split_whitespace().count() <= 7
}
