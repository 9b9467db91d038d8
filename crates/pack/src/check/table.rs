//! Checks tables that are read from a CSV file, and the headings of columns and pages.

use super::MOST_COLUMNS;
use super::bands::{End, after, beyond, ends_before, gap, later, start};
use super::builder::{Builder, ExpectedType, KnownKind};
use super::deck::CheckedDeck;
use super::ends::{both, selects};
use crate::chart::{Amount, Band, Column, Facet, HeadingKey, Modifier, NameSource, Read};
use crate::expr::{Formula, Range};
use crate::files::Files;
use crate::heading;
use crate::ids::{IdVec, ModifierId, Slot};
use crate::problem::{Counted, NameProblem, Problem, ReadProblem, RowProblem, Scores, TablePart};
use crate::raw::{RawBand, RawCell, RawModifier, RawRead, RawRow};
use crate::text::clip;
use crate::tree::{Diagnostics, Located, Place};
use crate::unknown_name::{Noun, UnknownName};
use crate::value::{Type, Value};
use adjutant_dice::{Accepts, Number, Text};

/// How many values are tried one by one.
const MOST_TRIED: usize = 400;

/// The table of a chart, before it is checked.
pub(super) struct RawTable<'r> {
    pub score: Option<&'r Located<String>>,
    pub column: Option<&'r Located<String>>,
    pub page: Option<&'r Located<String>>,
    pub shift: &'r [RawModifier],
    pub rows: &'r [RawRow],
    pub from_file: bool,
}

impl<'r> RawTable<'r> {
    pub fn of(raw: &'r RawRead, rows: &'r [RawRow], from_file: bool) -> RawTable<'r> {
        RawTable {
            score: raw.score.as_ref(),
            column: raw.column.as_ref(),
            page: raw.page.as_ref().filter(|_| from_file),
            shift: &raw.shift,
            rows,
            from_file,
        }
    }
}

impl Builder<'_, '_> {
    /// The rows of a CSV file: a page if there are several, a score, and a cell for each column.
    pub fn rows_of_file(&mut self, file: &Located<String>, raw: &RawRead) -> Option<Vec<RawRow>> {
        let sheet = CheckedDeck::read(file, self.ground.files, self.faults())?;
        let text = self.ground.files.text(&file.it).unwrap_or("");
        let lead = 1 + usize::from(raw.page.is_some());
        let heads = located(&file.it, text, 0, &sheet.heads);
        if heads.len() <= lead {
            sheet.fault(0, ReadProblem::TableTooNarrow { wanted: lead + 1 }, self.faults());
            return None;
        }
        let columns = heads.len() - lead;
        if columns > MOST_COLUMNS {
            let problem = ReadProblem::TableTooWide { found: columns, most: MOST_COLUMNS };
            sheet.fault(0, problem, self.faults());
            return None;
        }
        if raw.column.is_none() && columns > 1 {
            sheet.fault(0, ReadProblem::SeveralColumns { found: columns }, self.faults());
            return None;
        }
        sheet.clean(0, &sheet.heads, self.faults());
        if sheet.lines.is_empty() {
            sheet.fault(0, ReadProblem::NoRows, self.faults());
            return None;
        }
        if sheet.lines.len() > super::MOST_ROWS {
            let (most, found) = (super::MOST_ROWS, sheet.lines.len());
            let problem = Problem::TooMany { what: Counted::Rows, most, found };
            sheet.fault(0, problem, self.faults());
            return None;
        }
        let before = self.faults().count();
        let (mut rows, mut page) = (Vec::new(), None);
        for (at, line) in &sheet.lines {
            sheet.clean(*at, line, self.faults());
            if line.len() != heads.len() {
                let (found, wanted) = (line.len(), heads.len());
                sheet.fault(*at, ReadProblem::TableLine { found, wanted }, self.faults());
                continue;
            }
            let mut cells = located(&file.it, text, *at, line).into_iter();
            if raw.page.is_some() {
                // A blank page is that of the row above, as in a spreadsheet.
                page = cells.next().filter(|page| !page.it.is_empty()).or(page);
            }
            let Some(score) = cells.next() else { continue };
            let mut row = row_of_file(score, page.clone());
            for (cell, head) in cells.zip(&heads[lead..]) {
                let column = match raw.column {
                    Some(_) => head.clone(),
                    None => Located { it: "all".into(), at: head.at.clone() },
                };
                row.cells.extend(self.cell_of_file(&cell, raw).map(|cell| (column, cell)));
            }
            rows.push(row);
        }
        if self.faults().count() == before {
            self.check_codes(&rows, raw);
        }
        (self.faults().count() == before).then_some(rows)
    }

    /// A cell of a file: what `cells` says, a number, a result, or one of them and a number.
    fn cell_of_file(&self, text: &Located<String>, raw: &RawRead) -> Option<RawCell> {
        let code = |wanted: &str| {
            let (_, cell) = raw.codes.iter().find(|(code, _)| code.it == wanted)?;
            Some(RawCell { at: text.at.clone(), ..cell.clone() })
        };
        let result = |id: &str| {
            let known = self.ground.raw.results.iter().any(|known| known.id.it == id);
            known.then(|| RawCell {
                result: Some(Located { it: id.to_owned(), at: text.at.clone() }),
                ..blank(&text.at)
            })
        };
        if let Some(cell) = code(&text.it).or_else(|| result(&text.it)) {
            return Some(cell);
        }
        let value = |n: Number| Some(Located { it: n.to_string(), at: text.at.clone() });
        if let Ok(n) = text.it.parse() {
            return Some(RawCell { value: value(n), ..blank(&text.at) });
        }
        let (word, n) = with_number(&text.it).unwrap_or((&text.it, Number::ZERO));
        match code(word).or_else(|| result(word)).filter(|_| word != text.it) {
            Some(cell) if cell.value.is_some() => {
                self.faults().add(&text.at, ReadProblem::CodeHasValue { code: clip(word) });
                None
            }
            Some(cell) => Some(RawCell { value: value(n), ..cell }),
            None => {
                let results = self.vocabulary().results.iter().map(|known| known.id.as_str());
                let cell = UnknownName::brief(Noun::Result, &text.it, results);
                self.faults().add(&text.at, ReadProblem::BadTableCell { cell });
                None
            }
        }
    }

    fn check_codes(&self, rows: &[RawRow], raw: &RawRead) {
        let used = |code: &Located<String>| {
            rows.iter().flat_map(|row| &row.cells).any(|(_, cell)| {
                let text = self.ground.files.text(&cell.at.file).unwrap_or("");
                let written = text.get(cell.at.span.clone()).unwrap_or("");
                written == code.it || with_number(written).is_some_and(|(word, _)| word == code.it)
            })
        };
        for (code, _) in raw.codes.iter().filter(|(code, _)| !used(code)) {
            self.faults().add(&code.at, ReadProblem::CodeUnused { code: code.clip() });
        }
    }

    /// The columns whose headings the table itself names: all of a file, and those for numbers.
    pub fn column_by_headings(&mut self, by: Formula, raw: &RawTable<'_>) -> Option<Column> {
        let mut heads: Vec<&Located<String>> = Vec::new();
        for (head, _) in raw.rows.iter().flat_map(|row| &row.cells) {
            if head.it != "all" && !heads.iter().any(|known| known.it == head.it) {
                heads.push(head);
            }
        }
        let at = &raw.column?.at;
        if heads.is_empty() && raw.from_file {
            let taken = NameProblem::IsARowKey { name: "all".into() };
            self.faults().add(at, taken);
            return None;
        }
        if heads.is_empty() {
            self.faults().add(at, ReadProblem::ColumnByNumber);
            return None;
        }
        let keys = self.heading_keys(TablePart::Column, &heads, &by)?;
        if !self.check_headings(TablePart::Column, &keys, &heads, &by, at) {
            return None;
        }
        let ids: Vec<Text> = heads.iter().map(|head| head.text()).collect();
        let heads = match by.kind {
            Type::Number => ids.iter().map(Text::to_string).collect(),
            Type::YesNo => ids.iter().map(|id| crate::text::capital(id)).collect(),
            Type::Choice(_) => ids.iter().map(|id| self.label_of(&by, id)).collect::<Vec<_>>(),
        };
        let shift = self.shifts(raw.shift);
        Some(Column { by, ids: ids.into(), heads: heads.into(), keys: keys.into(), shift })
    }

    /// The modifiers that move the column.
    pub fn shifts(&mut self, raw: &[RawModifier]) -> IdVec<ModifierId, Modifier> {
        let place = crate::chart::StepKind::WorkOut(Formula::fixed(Number::ZERO));
        let mut made = IdVec::new();
        for modifier in raw {
            let Some(shift) = self.modifier(modifier, &place) else { continue };
            if matches!(shift.amount, Amount::Times(_)) {
                self.faults().add(&modifier.at, ReadProblem::ShiftTimes);
            }
            made.push(shift);
        }
        made
    }

    /// The page of each row.
    pub fn pages(
        &mut self,
        read: &mut Read,
        raw: &RawTable<'_>,
    ) -> Option<Vec<Option<HeadingKey>>> {
        let Some(by) = raw.page else { return Some(vec![None; raw.rows.len()]) };
        let formula = self.formula(by, ExpectedType::Any)?;
        let mut heads: Vec<&Located<String>> = Vec::new();
        for row in raw.rows {
            let Some(page) = &row.page else {
                self.faults().add(&row.at, ReadProblem::NoPage);
                return None;
            };
            if !heads.iter().any(|known| known.it == page.it) {
                heads.push(page);
            }
        }
        let keys = self.heading_keys(TablePart::Page, &heads, &formula)?;
        if !self.check_headings(TablePart::Page, &keys, &heads, &formula, &by.at) {
            return None;
        }
        let key = |row: &RawRow| {
            let page = &row.page.as_ref()?.it;
            heads.iter().position(|head| head.it == *page).and_then(|at| keys.get(at)).copied()
        };
        read.page = Some(formula);
        Some(raw.rows.iter().map(key).collect())
    }

    /// Adds to the condition of each row that its page is read.
    pub fn on_pages(&self, read: &mut Read, raw: &[RawRow], keys: &[Option<HeadingKey>]) {
        let Some(by) = &read.page else { return };
        for ((row, raw), key) in read.rows.iter_mut().zip(raw).zip(keys) {
            let (Some(key), Some(page)) = (key, &raw.page) else { continue };
            row.page = Some(self.label_of(by, &page.it).into());
            let text = format!("{} == '{}'", by.text, page.it);
            row.when = Some(both(row.when.take(), selects(by, *key), &text));
        }
    }

    /// What headings stand for, by the type of what selects them.
    fn heading_keys(
        &mut self,
        part: TablePart,
        heads: &[&Located<String>],
        by: &Formula,
    ) -> Option<Vec<HeadingKey>> {
        let read: Vec<_> = heads.iter().map(|head| heading::read(&head.it)).collect();
        let bands = heading::bands(&read);
        let mut keys = Vec::new();
        for (head, band) in heads.iter().zip(bands) {
            let key = match (&by.kind, band) {
                (Type::Number, Some(band)) => Some(HeadingKey::Band(band)),
                (Type::Number, None) => {
                    let problem = ReadProblem::NotAHeading { part, heading: head.clip() };
                    self.faults().add(&head.at, problem);
                    None
                }
                (Type::YesNo, _) if head.it == "yes" => Some(HeadingKey::YesNo(true)),
                (Type::YesNo, _) if head.it == "no" => Some(HeadingKey::YesNo(false)),
                (Type::YesNo, _) => {
                    self.faults().unknown(&head.at, noun(part), &head.it, ["yes", "no"]);
                    None
                }
                (Type::Choice(set), _) => {
                    let found = set.iter().find(|word| self.words.text(**word) == head.it);
                    if found.is_none() {
                        let known = set.iter().map(|word| self.words.text(*word));
                        self.faults().unknown(&head.at, noun(part), &head.it, known);
                    }
                    found.map(|word| HeadingKey::Word(*word))
                }
            };
            keys.extend(key);
        }
        (keys.len() == heads.len()).then_some(keys)
    }

    /// Checks that the headings are for every value, each once. They may stand in any order.
    pub fn check_headings(
        &self,
        part: TablePart,
        keys: &[HeadingKey],
        heads: &[&Located<String>],
        by: &Formula,
        at: &Place,
    ) -> bool {
        let before = self.faults().count();
        for (place, key) in keys.iter().enumerate() {
            if keys[..place].contains(key) {
                let problem = ReadProblem::HeadingTwice { part, heading: heads[place].clip() };
                self.faults().add(&heads[place].at, problem);
                return false;
            }
        }
        match &by.kind {
            Type::Number => self.check_numbers(part, keys, heads, by, at),
            Type::YesNo => {
                let words: Vec<Text> = [(true, "yes"), (false, "no")]
                    .into_iter()
                    .filter(|(yes, _)| !keys.contains(&HeadingKey::YesNo(*yes)))
                    .map(|(_, word)| word.into())
                    .collect();
                if !words.is_empty() {
                    self.faults().add(at, ReadProblem::HeadingMissing { part, words });
                }
            }
            Type::Choice(set) => {
                let words: Vec<Text> = set
                    .iter()
                    .filter(|word| !keys.contains(&HeadingKey::Word(**word)))
                    .map(|word| self.words.text(*word).into())
                    .collect();
                if !words.is_empty() {
                    self.faults().add(at, ReadProblem::HeadingMissing { part, words });
                }
            }
        }
        self.faults().count() == before
    }

    fn check_numbers(
        &self,
        part: TablePart,
        keys: &[HeadingKey],
        heads: &[&Located<String>],
        by: &Formula,
        at: &Place,
    ) {
        // Where one of the names is a number without gaps, the range says more about what is missing.
        let dense = by.slots().into_iter().any(|slot| self.is_dense(slot));
        if let Some(values) = self.few_values(by)
            && (!dense || all_once(keys, &values))
        {
            return self.check_each_number(part, keys, &values, at);
        }
        let range = self.range(by);
        let mut bands: Vec<(Band, &Located<String>)> = keys
            .iter()
            .zip(heads)
            .filter_map(|(key, head)| match key {
                HeadingKey::Band(band) => Some((*band, *head)),
                _ => None,
            })
            .collect();
        adjutant_dice::sort_by_key(&mut bands, |(band, _)| {
            band.from.map(|(n, belongs)| (n, !belongs))
        });
        let missing = |numbers: Scores| {
            self.faults().add(at, ReadProblem::HeadingGap { part, numbers });
        };
        // Where the next number without a heading is, and where the last heading ended.
        let mut next: Option<End> = range.from.map(|n| (n, true));
        let (mut ended, mut first): (Option<End>, bool) = (None, true);
        for (band, head) in bands {
            if let (Some(from), Some(to)) = (band.from, band.to)
                && ends_before(to, from)
            {
                let problem = RowProblem::BandBackwards { from: from.0, to: to.0 };
                return self.faults().add(&head.at, problem);
            }
            let from = band.from.map(|from| start(from, range.whole));
            let overlaps = match (from, ended) {
                (Some(from), Some(ended)) => later(ended, from),
                _ => !first,
            };
            if overlaps {
                let problem = ReadProblem::HeadingOverlap { part, heading: head.clip() };
                return self.faults().add(&head.at, problem);
            }
            match (from, next) {
                (Some(from), None) if first => return missing(Scores::Below(from.0)),
                (Some(from), Some(next)) if later(from, next) => {
                    let out = range.to.is_some_and(|to| ends_before((to, true), next));
                    if !out {
                        return missing(gap(next, from, range.whole));
                    }
                }
                _ => {}
            }
            let Some(to) = band.to else {
                (ended, next, first) = (None, None, false);
                continue;
            };
            let end = after(to, range.whole);
            ended = Some(end);
            next = Some(next.filter(|next| later(*next, end)).unwrap_or(end));
            first = false;
        }
        if let Some(next) = next
            && range.to.is_none_or(|to| !ends_before((to, true), next))
        {
            missing(beyond(next, range.whole, range.to));
        }
    }

    /// The headings for a formula with few values: each value has exactly one.
    fn check_each_number(
        &self,
        part: TablePart,
        keys: &[HeadingKey],
        values: &[Number],
        at: &Place,
    ) {
        for n in values {
            match headings_of(keys, *n) {
                0 => {
                    let numbers = Scores::Only(*n);
                    return self.faults().add(at, ReadProblem::HeadingGap { part, numbers });
                }
                1 => {}
                _ => {
                    let heading = clip(&n.to_string());
                    return self.faults().add(at, ReadProblem::HeadingOverlap { part, heading });
                }
            }
        }
    }

    /// All values of a formula of choices, yes-or-no questions and numbers with few values. None if
    /// there are too many.
    fn few_values(&self, formula: &Formula) -> Option<Vec<Number>> {
        let mut known: Vec<IdVec<Slot, Option<Value>>> =
            vec![IdVec::filled(None, self.names.len())];
        let mut slots = formula.slots();
        adjutant_dice::sort(&mut slots);
        slots.dedup();
        for slot in slots {
            let values = self.values_of(slot)?;
            if known.len() * values.len() > MOST_TRIED {
                return None;
            }
            let more = known.iter().flat_map(|known| {
                values.iter().map(move |value| {
                    let mut known = known.clone();
                    known[slot] = Some(*value);
                    known
                })
            });
            known = more.collect();
        }
        let found: Result<Vec<Number>, _> =
            known.iter().map(|names| formula.number(names)).collect();
        let mut found = found.ok()?;
        adjutant_dice::sort(&mut found);
        found.dedup();
        Some(found)
    }

    /// Whether a name is a number that can be any whole number of its range.
    fn is_dense(&self, slot: Slot) -> bool {
        if self.shown(slot).is_some() {
            return false;
        }
        match self.names[slot].origin {
            NameSource::Input(input) => match &self.inputs[input].field.accepts {
                Accepts::Number { step, .. } => *step <= Number::from(1_u32),
                _ => false,
            },
            _ => self.names[slot].kind == Type::Number,
        }
    }

    /// The numbers of a single die with gaps between them, if that is what a name stands for.
    fn shown(&self, slot: Slot) -> Option<Vec<Number>> {
        let NameSource::Step(step, facet) = self.names[slot].origin else { return None };
        let known = &self.steps[step];
        let KnownKind::Roll(roll) = &known.kind else { return None };
        let raw = self.raw.steps.iter().find(|raw| raw.name.it == known.name)?;
        let changed = !raw.add.is_empty() || raw.most.is_some() || raw.least.is_some();
        if facet != Facet::Natural && (facet != Facet::Total || changed) {
            return None;
        }
        let mut shows = roll.shows.clone()?;
        shows.extend(known.may_skip.then_some(Number::ZERO));
        Some(shows)
    }

    /// Whether a score in a gap between two rows is possible. The second row starts at `to`.
    pub fn is_possible(&self, score: &Formula, from: End, to: End) -> bool {
        let dense = score.slots().into_iter().any(|slot| self.is_dense(slot));
        let values = if dense { None } else { self.few_values(score) };
        let inside = |n: &Number| {
            (*n > from.0 || (*n == from.0 && from.1)) && (*n < to.0 || (*n == to.0 && !to.1))
        };
        values.is_none_or(|values| values.iter().any(inside))
    }

    /// The values that a name can have, if they are few.
    fn values_of(&self, slot: Slot) -> Option<Vec<Value>> {
        if let Some(shown) = self.shown(slot) {
            return Some(shown.into_iter().map(Value::Number).collect());
        }
        let name = &self.names[slot];
        let numbers = |from: Number, to: Number, step: Number| {
            let mut found = vec![Value::Number(from)];
            let mut n = from.plus(step).ok()?;
            while n <= to && found.len() <= MOST_TRIED {
                found.push(Value::Number(n));
                n = n.plus(step).ok()?;
            }
            Some(found)
        };
        match (&name.kind, name.origin) {
            (Type::Choice(words), _) => Some(words.iter().map(|word| Value::Word(*word)).collect()),
            (Type::YesNo, _) => Some(vec![Value::YesNo(true), Value::YesNo(false)]),
            (Type::Number, NameSource::Input(input)) => match &self.inputs[input].field.accepts {
                Accepts::Number { from, to, step } => numbers(*from, *to, *step),
                _ => None,
            },
            (Type::Number, _) => match name.range {
                Range { from: Some(from), to: Some(to), whole: true } => {
                    numbers(from, to, Number::from(1_u32))
                }
                _ => None,
            },
        }
    }

    /// Checks the rows of a file, page by page.
    pub fn check_rows_of_file(&mut self, read: &Read, raw: &[RawRow]) -> bool {
        let Some(score) = &read.score else { return false };
        let mut pages: Vec<Option<&str>> = Vec::new();
        let page = |row: &RawRow| row.page.as_ref().map(|page| page.it.clone());
        for row in raw {
            let page = row.page.as_ref().map(|page| page.it.as_str());
            if !pages.contains(&page) {
                pages.push(page);
            }
        }
        let mut sound = true;
        for wanted in pages {
            let rows = || raw.iter().filter(|row| page(row).as_deref() == wanted);
            let heads: Vec<&Located<String>> =
                rows().filter_map(|row| row.is_word.as_ref()).collect();
            let at = rows().next_back().map_or(self.here(), |row| &row.at).clone();
            let keys = self.heading_keys(TablePart::Row, &heads, score);
            sound &= keys
                .is_some_and(|keys| self.check_headings(TablePart::Row, &keys, &heads, score, &at));
        }
        sound
    }
}

/// How many headings are for a number.
fn headings_of(keys: &[HeadingKey], n: Number) -> usize {
    keys.iter().filter(|key| key.holds(Value::Number(n))).count()
}

/// Whether each number has exactly one heading.
fn all_once(keys: &[HeadingKey], values: &[Number]) -> bool {
    values.iter().all(|n| headings_of(keys, *n) == 1)
}

/// Texts of one line of a file, each with its place.
fn located(file: &str, text: &str, at: usize, line: &[String]) -> Vec<Located<String>> {
    let mut cursor = at;
    line.iter()
        .map(|cell| {
            let found = text.get(cursor..).and_then(|rest| rest.find(cell.as_str()));
            let start = found.map_or(at, |found| cursor + found).min(text.len());
            let end = (start + cell.len()).min(text.len());
            cursor = end.max(cursor);
            let span = if cell.is_empty() { at..at } else { start..end };
            Located { it: cell.clone(), at: Place { file: file.into(), span } }
        })
        .collect()
}

fn row_of_file(score: Located<String>, page: Option<Located<String>>) -> RawRow {
    RawRow {
        at: score.at.clone(),
        broken: false,
        band: RawBand::default(),
        is_word: Some(score),
        page,
        when: None,
        label: String::new(),
        text: String::new(),
        on: None,
        reading: None,
        cells: Vec::new(),
        effects: Vec::new(),
        next: Vec::new(),
    }
}

fn blank(at: &Place) -> RawCell {
    RawCell {
        at: at.clone(),
        result: None,
        value: None,
        result_of: None,
        on: None,
        label: String::new(),
        effects: Vec::new(),
        next: Vec::new(),
    }
}

/// The cells of a table in a CSV file, without its first line and its first `lead` columns. A file
/// that cannot be read has none: that is reported where the table itself is read.
pub(crate) fn table_cells(files: &Files, file: &str, lead: usize) -> Vec<String> {
    let Some(text) = files.text(file) else { return Vec::new() };
    let sheet = CheckedDeck::parse(file, text, &Diagnostics::default());
    sheet.lines.into_iter().flat_map(|(_, line)| line.into_iter().skip(lead)).collect()
}

/// The code of a cell that has a number after it.
pub(crate) fn without_number(cell: &str) -> Option<&str> {
    with_number(cell).map(|(code, _)| code)
}

/// A code and a number: `A2`, `loss 2`, `D-1`.
fn with_number(text: &str) -> Option<(&str, Number)> {
    let (at, _) =
        text.char_indices().skip(1).find(|(at, _)| text[*at..].parse::<Number>().is_ok())?;
    let word = text[..at].trim_end();
    Some((word, text[at..].parse().ok()?))
}

fn noun(part: TablePart) -> Noun {
    match part {
        TablePart::Row => Noun::ScoreWord,
        TablePart::Column => Noun::Column,
        TablePart::Page => Noun::Page,
    }
}
