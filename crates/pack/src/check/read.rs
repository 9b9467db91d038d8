//! Checks how a chart is read: score, column, rows, user tables, and additional results.

use super::builder::{Builder, ExpectedType, KnownKind};
use super::table::RawTable;
use super::vocabulary::find;
use crate::chart::{
    Also, Band, Cell, Column, Facet, HeadingKey, NameSource, Read, Row, Step, StepKind,
};
use crate::expr::{Formula, Range};
use crate::format;
use crate::ids::{AlsoId, IdVec, RoleId, StepId, UserTableId};
use crate::problem::{CanNeverHold, NameProblem, ReadProblem, RowProblem};
use crate::raw::{RawCell, RawRead, RawRow, RawRows};
use crate::text::clip;
use crate::tree::{Located, Place};
use crate::unknown_name::Noun;
use crate::value::{Type, Value};
use adjutant_dice::{Accepts, Number, Text};

impl Builder<'_, '_> {
    pub fn make_read(&mut self, lands_on: Option<RoleId>, steps: &IdVec<StepId, Step>) -> Read {
        let mut read = Read {
            score: None,
            column: None,
            page: None,
            from_file: false,
            rows: IdVec::new(),
            value: None,
            unit: String::new(),
            says: String::new(),
            text: Text::default(),
            saying: Vec::new(),
            user_table: None,
            user_landings: Vec::new(),
            also: IdVec::new(),
            effects: Vec::new(),
            next: Vec::new(),
            names: Vec::new(),
        };
        let Some(raw) = self.raw.read.as_ref() else {
            if !self.raw.says_read {
                self.faults().add(self.here(), ReadProblem::NotSaid);
            }
            return read;
        };
        (read.unit, read.says) = (raw.unit.clone(), raw.says.clone());
        read.text = raw.text.as_str().into();
        read.saying = self.sentence(&raw.says, &raw.at);
        if matches!(&raw.rows, Some(RawRows::Inline(rows)) if rows.is_empty()) {
            self.faults().add(&raw.at, ReadProblem::NoRows);
        }
        self.check_keys_of_tables(raw);
        match (&raw.rows, &raw.user_table) {
            (Some(_), Some(table)) => self.faults().add(&table.at, ReadProblem::RowsAndTable),
            (Some(RawRows::Inline(rows)), None) => {
                let table = RawTable::of(raw, rows, false);
                self.rows(&mut read, &table, lands_on, steps)
            }
            (Some(RawRows::File(file)), None) => {
                if let Some(rows) = self.rows_of_file(file, raw) {
                    self.rows(&mut read, &RawTable::of(raw, &rows, true), lands_on, steps)
                }
            }
            (None, Some(table)) => self.user_table(&mut read, table, lands_on, steps),
            (None, None) if raw.value.is_none() => {
                self.faults().add(&raw.at, ReadProblem::YieldsNothing)
            }
            (None, None) => {
                read.score =
                    raw.score.as_ref().and_then(|text| self.formula(text, ExpectedType::Any))
            }
        }
        self.cell = read.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.value.is_some());
        self.scored = read.score.as_ref().is_some_and(|score| score.kind == Type::Number);
        read.value = raw.value.as_ref().and_then(|text| self.formula(text, ExpectedType::Number));
        (self.cell, self.scored) = (false, false);
        read.also = self.also(raw, lands_on);
        (read.effects, read.next) = self.extras(lands_on, raw.effects.iter(), raw.next.iter());
        read
    }

    fn rows(
        &mut self,
        read: &mut Read,
        raw: &RawTable<'_>,
        lands_on: Option<RoleId>,
        steps: &IdVec<StepId, Step>,
    ) {
        let rows = raw.rows;
        let banded = rows.iter().any(|row| row.band.any() || row.is_word.is_some());
        read.from_file = raw.from_file;
        read.score = match raw.score {
            Some(text) => self.formula(text, ExpectedType::Any),
            None if banded => self.default_score(rows.first().map_or(self.here(), |row| &row.at)),
            // Conditions need no score. But a score orders several units, and players like to see
            // it.
            None => self
                .only_number_step()
                .cloned()
                .and_then(|name| self.formula(&name, ExpectedType::Any))
                .filter(|score| score.kind == Type::Number),
        };
        if banded && read.score.is_none() {
            return;
        }
        if let Some(score) = &read.score {
            self.score = (score.kind.clone(), self.range(score));
        }
        read.column = raw.column.and_then(|text| self.column(text, raw));
        if raw.column.is_some() && read.column.is_none() {
            return;
        }
        let Some(pages) = self.pages(read, raw) else { return };
        for (row, band) in rows.iter().zip(self.heading_bands(rows, read)) {
            let made = self.row(row, band, read, lands_on, steps);
            read.rows.push(made);
        }
        let sound = !rows.is_empty() && rows.iter().zip(&read.rows).all(is_whole);
        let sound = sound
            && if raw.from_file {
                self.check_rows_of_file(read, rows)
            } else {
                self.check_rows(read, rows)
            };
        self.on_pages(read, rows, &pages);
        if sound {
            self.check_reach(read, rows);
        }
        for (place, row) in read.rows.iter_mut_enumerated() {
            row.shown = crate::row::row_in_words(self.words, row, place).into();
        }
    }

    /// Some keys need a table from a file, or columns.
    fn check_keys_of_tables(&self, raw: &RawRead) {
        if !matches!(raw.rows, Some(RawRows::File(_))) {
            if let Some(page) = &raw.page {
                self.faults().add(&page.at, ReadProblem::OnlyWithFile { key: "page" });
            }
            if let Some((code, _)) = raw.codes.first() {
                self.faults().add(&code.at, ReadProblem::OnlyWithFile { key: "cells" });
            }
        }
        if let (Some(shift), None) = (raw.shift.first(), &raw.column) {
            self.faults().add(&shift.at, ReadProblem::ShiftWithoutColumn);
        }
    }

    fn default_score(&mut self, at: &Place) -> Option<Formula> {
        let Some(name) = self.only_number_step().cloned() else {
            if !self.broken.is_empty() {
                return None;
            }
            let named = self.steps.iter().map(|step| step.name.as_str().into()).collect();
            self.faults().add(at, ReadProblem::NoScore { steps: named });
            return None;
        };
        self.formula(&name, ExpectedType::Number)
    }

    fn column(&mut self, text: &Located<String>, raw: &RawTable<'_>) -> Option<Column> {
        let by = self.formula(text, ExpectedType::Any)?;
        if raw.from_file || by.kind == Type::Number {
            return self.column_by_headings(by, raw);
        }
        let (ids, heads, keys): (Vec<Text>, Vec<String>, Vec<HeadingKey>) = match &by.kind {
            Type::Choice(set) => {
                let ordered = self.in_sheet_order(&by, set, raw.rows);
                let ids: Vec<Text> = ordered.iter().map(|w| self.words.text(*w).into()).collect();
                let heads = ids.iter().map(|id| self.label_of(&by, id)).collect();
                (ids, heads, ordered.into_iter().map(HeadingKey::Word).collect())
            }
            _ => (
                vec!["yes".into(), "no".into()],
                vec!["Yes".into(), "No".into()],
                vec![HeadingKey::YesNo(true), HeadingKey::YesNo(false)],
            ),
        };
        if let Some(taken) = ids.iter().find(|id| format::Row::KEYS.contains(&id.as_str())) {
            self.faults().add(&text.at, NameProblem::IsARowKey { name: taken.clone() });
            return None;
        }
        let shift = self.shifts(raw.shift);
        Some(Column { by, ids: ids.into(), heads: heads.into(), keys: keys.into(), shift })
    }

    /// The words of a choice in the order in which an input declares them.
    fn in_sheet_order(
        &self,
        by: &Formula,
        set: &std::collections::BTreeSet<crate::value::Word>,
        rows: &[RawRow],
    ) -> Vec<crate::value::Word> {
        for slot in by.slots() {
            if let Some(input) = self.inputs.iter().find(|input| input.slot == slot)
                && let Accepts::Choice { words } = &input.field.accepts
            {
                let listed: Vec<_> = words
                    .iter()
                    .filter_map(|w| self.words.find(&w.id))
                    .filter(|w| set.contains(w))
                    .collect();
                if listed.len() == set.len() {
                    return listed;
                }
            }
        }
        // Otherwise in the order of the rows, then the rest.
        let named = |word: &crate::value::Word| {
            let id = self.words.text(*word);
            rows.iter()
                .flat_map(|row| &row.cells)
                .position(|(column, _)| column.it == id)
                .unwrap_or(usize::MAX)
        };
        let mut listed: Vec<_> = set.iter().copied().collect();
        adjutant_dice::sort_by_key(&mut listed, named);
        listed
    }

    pub fn label_of(&self, by: &Formula, id: &str) -> String {
        let labelled = by.slots().into_iter().find_map(|slot| {
            let words = match self.names.get(slot)?.origin {
                NameSource::Input(input) => self.inputs.get(input)?.field.accepts.words(),
                NameSource::Step(step, Facet::Field(field)) => {
                    match (&self.steps.get(step)?.kind, field) {
                        (KnownKind::Draw { deck, .. }, field) => {
                            self.vocabulary().decks.get(*deck)?.fields.get(field)?.kind.words()
                        }
                        _ => None,
                    }
                }
                _ => None,
            };
            words?.iter().find(|w| w.id == id).map(|w| w.label.to_string())
        });
        let lists = self.vocabulary().lists.iter().flat_map(|list| &list.words);
        let mut listed = lists.filter(|known| self.words.text(known.word) == id);
        let listed = || listed.next().map(|known| known.title.to_string());
        let mut faces = self.vocabulary().dice.iter().flat_map(|die| &die.faces);
        let is = |value: Value| matches!(value, Value::Word(word) if self.words.text(word) == id);
        let face = || faces.find(|face| is(face.value)).map(|face| face.title.to_string());
        let result = || {
            let known = self.vocabulary().results.iter().find(|known| known.id == id);
            known.map(|known| known.title.to_string())
        };
        let known = labelled.or_else(listed).or_else(face).or_else(result);
        known.unwrap_or_else(|| spaced(id))
    }

    fn row(
        &mut self,
        raw: &RawRow,
        heading: Option<Band>,
        read: &Read,
        lands_on: Option<RoleId>,
        steps: &IdVec<StepId, Step>,
    ) -> Row {
        let when = self.condition(raw.when.as_ref());
        let (band, limits) = self.ends(&raw.band, read);
        let band = heading.or(band);
        let is_word =
            raw.is_word.as_ref().filter(|_| heading.is_none()).and_then(|w| self.is_word(w, read));
        let on = match &raw.on {
            Some(role) => self.role(role),
            None => lands_on,
        };
        let mut label = raw.label.clone();
        if let (true, Some(word), Some(score)) = (label.is_empty(), is_word, &read.score) {
            label = self.label_of(score, self.words.text(word));
        }
        let mut row = Row {
            band,
            is_word,
            limits,
            page: None,
            own_when: when.clone(),
            when,
            label: label.into(),
            text: raw.text.as_str().into(),
            shown: Text::default(),
            reading: self.reading(raw.reading.as_ref()),
            cells: IdVec::new(),
            place: raw.at.span.clone(),
        };
        self.within_limits(&mut row, read);
        let ids: Vec<&str> =
            read.column.iter().flat_map(|column| &column.ids).map(Text::as_str).collect();
        for (column, _) in &raw.cells {
            if column.it != "all" && !ids.contains(&column.it.as_str()) {
                match column.it.as_str() {
                    "result" => self.faults().add(&column.at, ReadProblem::ResultColumn),
                    other => self.faults().unknown(
                        &column.at,
                        Noun::Column,
                        other,
                        ids.iter().copied().chain(format::Row::KEYS.iter().copied()),
                    ),
                }
            }
        }
        if let Some(role) = raw.on.as_ref().filter(|_| {
            !raw.cells.is_empty() && raw.cells.iter().all(|(_, cell)| cell.result_of.is_some())
        }) {
            self.faults().add(&role.at, ReadProblem::OnBesideResultOf);
        }
        let named: Vec<&str> = if ids.is_empty() { vec!["all"] } else { ids.clone() };
        let everywhere = raw
            .cells
            .iter()
            .find(|(column, _)| column.it == "all")
            .map(|(_, cell)| self.cell_of(cell, raw, on, steps));
        for id in named {
            let own = raw.cells.iter().find(|(column, _)| column.it == id && id != "all");
            match own
                .map(|(_, cell)| self.cell_of(cell, raw, on, steps))
                .or_else(|| everywhere.clone())
            {
                Some(cell) => _ = row.cells.push(cell),
                None if id == "all" => self.faults().add(&raw.at, ReadProblem::RowGivesNothing),
                None => self.faults().add(&raw.at, ReadProblem::NoCell { column: clip(id) }),
            }
        }
        row
    }

    fn cell_of(
        &mut self,
        raw: &RawCell,
        row: &RawRow,
        on: Option<RoleId>,
        steps: &IdVec<StepId, Step>,
    ) -> Cell {
        let on = match &raw.on {
            Some(role) => self.role(role),
            None => on,
        };
        let (effects, next) = self.extras(
            on,
            row.effects.iter().chain(&raw.effects),
            row.next.iter().chain(&raw.next),
        );
        let landing = raw.result.as_ref().and_then(|result| self.landing(result, on));
        self.scored = true;
        let value = raw.value.as_ref().and_then(|text| self.formula(text, ExpectedType::Number));
        self.scored = false;
        let result_of = raw.result_of.as_ref().and_then(|name| {
            let place: StepId =
                find(name, Noun::Step, steps.iter().map(|step| step.name.as_str()), self.faults())?;
            let problem = match &steps[place].kind {
                StepKind::LookUp(look_up) if look_up.times.is_none() => return Some(place),
                StepKind::LookUp(_) => ReadProblem::ResultOfSeries { step: name.text() },
                _ => ReadProblem::NotALookUp { step: name.text() },
            };
            self.faults().add(&name.at, problem);
            None
        });
        if let (Some(on), Some(_)) = (&raw.on, &raw.result_of) {
            self.faults().add(&on.at, ReadProblem::OnBesideResultOf);
        }
        if raw.result.is_none() && raw.value.is_none() && raw.result_of.is_none() {
            self.faults().add(&raw.at, ReadProblem::CellGivesNothing);
        }
        Cell { landing, value, result_of, label: raw.label.as_str().into(), effects, next }
    }

    fn is_word(&mut self, word: &Located<String>, read: &Read) -> Option<crate::value::Word> {
        let Some(Type::Choice(set)) = read.score.as_ref().map(|score| &score.kind) else {
            let yes_no = read.score.as_ref().is_some_and(|score| score.kind == Type::YesNo);
            self.faults().add(
                &word.at,
                if yes_no { RowProblem::WordOfYesNo } else { RowProblem::WordOfNumber },
            );
            return None;
        };
        let known: Vec<&str> = set.iter().map(|w| self.words.text(*w)).collect();
        match set.iter().find(|w| self.words.text(**w) == word.it) {
            Some(found) => Some(*found),
            None => {
                self.faults().unknown(&word.at, Noun::ScoreWord, &word.it, known);
                None
            }
        }
    }

    fn user_table(
        &mut self,
        read: &mut Read,
        name: &Located<String>,
        lands_on: Option<RoleId>,
        steps: &IdVec<StepId, Step>,
    ) {
        let Some(place) = find::<UserTableId>(
            name,
            Noun::UserTable,
            self.vocabulary().user_tables.iter().map(|t| t.id.as_str()),
            self.faults(),
        ) else {
            return;
        };
        read.user_table = Some(place);
        let raw = &self.ground.raw.user_tables[place];
        for result in &raw.results {
            if let Some(landing) = self.landing(result, lands_on) {
                read.user_landings.push(landing);
            }
        }
        match self.ground.filled.iter().find(|filled| filled.id.it == name.it) {
            Some(filled) => {
                let score = raw.score.as_ref().or(filled.score.as_ref());
                let column = raw.column.as_ref().or(filled.column.as_ref());
                for (fixed, given, key) in
                    [(&raw.score, &filled.score, "score"), (&raw.column, &filled.column, "column")]
                {
                    if let (Some(_), Some(given)) = (fixed, given) {
                        self.faults().add(&given.at, ReadProblem::FixedByPack { key });
                    }
                }
                let rows = &filled.rows;
                let table =
                    RawTable { score, column, page: None, shift: &[], rows, from_file: false };
                self.rows(read, &table, lands_on, steps);
                self.only_listed(place, &filled.rows);
            }
            None => {
                read.score =
                    raw.score.as_ref().and_then(|text| self.formula(text, ExpectedType::Any));
                read.column = raw.column.as_ref().and_then(|text| {
                    let column = Some(text);
                    let table = RawTable {
                        score: None,
                        column,
                        page: None,
                        shift: &[],
                        rows: &[],
                        from_file: false,
                    };
                    self.column(text, &table)
                });
            }
        }
    }

    /// A filled-in table may give only results that the pack lists for it.
    fn only_listed(&self, table: UserTableId, rows: &[RawRow]) {
        let listed: Vec<&str> = self.ground.raw.user_tables[table]
            .results
            .iter()
            .map(|result| result.it.as_str())
            .collect();
        for result in
            rows.iter().flat_map(|row| &row.cells).filter_map(|(_, cell)| cell.result.as_ref())
        {
            if !listed.contains(&result.it.as_str())
                && self.ground.raw.results.iter().any(|known| known.id.it == result.it)
            {
                let listed = listed.iter().map(|known| (*known).into()).collect();
                self.faults()
                    .add(&result.at, ReadProblem::NotListed { result: result.text(), listed });
            }
        }
    }

    fn also(&mut self, raw: &RawRead, lands_on: Option<RoleId>) -> IdVec<AlsoId, Also> {
        let mut made = IdVec::new();
        for line in &raw.also {
            self.outcome = true;
            let when = self.condition(line.when.as_ref());
            self.outcome = false;
            if let (Some(when), Some(text)) = (&when, &line.when) {
                self.check_can_hold(when, &text.at, CanNeverHold::AlsoLine);
            }
            let on = match &line.on {
                Some(role) => self.role(role),
                None => lands_on,
            };
            let (effects, next) = self.extras(on, line.effects.iter(), line.next.iter());
            let result = line.cells.first().and_then(|(_, cell)| cell.result.as_ref());
            if let Some(landing) = result.and_then(|result| self.landing(result, on)) {
                made.push(Also {
                    when,
                    label: line.label.as_str().into(),
                    text: line.text.as_str().into(),
                    reading: self.reading(line.reading.as_ref()),
                    landing,
                    effects,
                    next,
                });
            }
        }
        made
    }

    /// The range of the chart's value for charts that look it up. A missing value counts as zero.
    pub fn value_range(&self, read: &Read, steps: &IdVec<StepId, Step>) -> Range {
        let zero = Range::just(Number::ZERO);
        let of_cell = |cell: &Cell| match (
            &cell.value,
            cell.result_of.and_then(|step| steps.get(step)).map(|step| &step.kind),
        ) {
            (Some(value), _) => self.range(value),
            (None, Some(StepKind::LookUp(look_up))) => self.ground.done[look_up.chart]
                .as_ref()
                .map_or(Range::ANY, |there| there.value_range.or(zero)),
            _ => zero,
        };
        let of_cells = || read.cells().map(of_cell).reduce(Range::or);
        let range = match &read.value {
            Some(value)
                if self.names_cell(value) && read.cells().any(|cell| cell.value.is_none()) =>
            {
                self.range(value).or(zero)
            }
            Some(value) => self.range(value),
            None => of_cells().unwrap_or(zero),
        };
        let ends_early =
            steps.iter().flat_map(|step| &step.again).any(|again| again.stop.is_some());
        if ends_early { range.or(zero) } else { range }
    }

    fn names_cell(&self, value: &Formula) -> bool {
        value.slots().iter().any(|slot| self.names[*slot].origin == crate::chart::NameSource::Cell)
    }
}

impl Read {
    /// All cells of all rows.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.rows.iter().flat_map(|row| &row.cells)
    }
}

/// Whether everything of a row could be read. A row with an invalid condition would look as if it
/// always applied.
fn is_whole((raw, row): (&RawRow, &Row)) -> bool {
    let limits = [&row.limits.from, &row.limits.to].into_iter().flatten().count();
    !raw.broken
        && raw.when.is_some() == row.own_when.is_some()
        && raw.band.worked_out() == limits
        && (raw.is_word.is_none() || row.is_word.is_some() || row.band.is_some())
}

/// A word as a heading: hyphens become spaces, except in odds such as `3-1`.
fn spaced(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let digit = |place: Option<usize>| {
        place.and_then(|place| letters.get(place)).is_some_and(char::is_ascii_digit)
    };
    let hyphen = |place: usize| digit(place.checked_sub(1)) && digit(place.checked_add(1));
    letters
        .iter()
        .enumerate()
        .map(|(place, letter)| if *letter == '-' && !hyphen(place) { ' ' } else { *letter })
        .collect()
}
