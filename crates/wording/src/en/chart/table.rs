//! The table that a chart is read on, in words: columns, rows and cells.

#![allow(
    missing_docs,
    reason = "types are documented; fields and methods only where the name does not say it"
)]

use super::change::{ChangeText, paragraph};
use super::text::ThenText;
use super::{ChartWords, Spelling};
use adjutant_pack::{
    Cell, ColumnId, Harm, Id, NameSource, ResultId, RoleId, Row, RowId, capital, condition_in_words,
};

/// The rows and columns of a chart.
#[derive(Clone, Debug)]
pub struct TableText<'p> {
    /// The score that is read on the rows. `None` where rows have conditions alone, or where the
    /// score says nothing.
    pub score: Option<String>,
    /// Whether the rows have conditions alone.
    pub by_conditions: bool,
    /// What the columns are about; may be empty.
    pub across: String,
    /// The unit of the numbers in the cells, if all are numbers and it stands in none of them.
    pub unit: Option<&'p str>,
    /// The heads of the columns; none if rows have one cell each.
    pub heads: Vec<String>,
    /// The only column that is in force, by an option.
    pub in_force: Option<ColumnId>,
    pub rows: Vec<RowText<'p>>,
}

/// A row.
#[derive(Clone, Debug)]
pub struct RowText<'p> {
    pub row: &'p Row,
    /// Its label with its band, its word or its condition.
    pub text: String,
    /// The condition that the row names itself.
    pub when: Option<String>,
    /// One cell for each column, or one for all columns.
    pub cells: Vec<CellText<'p>>,
}

/// A cell.
#[derive(Clone, Debug)]
pub struct CellText<'p> {
    pub cell: &'p Cell,
    pub result: Option<ResultId>,
    /// The title of the result.
    title: String,
    /// The rest.
    more: Vec<String>,
    /// The role that the result applies to, if results apply to several roles.
    role: Option<&'p str>,
    /// Whether the head of the column names the role.
    role_in_head: bool,
    /// What belongs to the result: `1-2 (kill 4)`.
    beside: String,
    /// How bad the result is; 0 if the pack does not say.
    pub harm: u8,
    /// What it changes in addition to its result.
    pub changes: Vec<ChangeText>,
}

impl CellText<'_> {
    pub fn text(&self) -> String {
        self.marked("")
    }

    /// With a mark beside the title of the result.
    pub fn marked(&self, mark: &str) -> String {
        self.written(mark, self.role.filter(|_| !self.role_in_head))
    }

    /// The text where the head of the column is not to be seen.
    pub fn without_head(&self) -> String {
        self.written("", self.role)
    }

    fn written(&self, mark: &str, role: Option<&str>) -> String {
        let role = role.map_or(String::new(), |role| format!(" ({role})"));
        let title = match self.result {
            Some(_) => format!("{}{mark}{role}{}", self.title, self.beside),
            None => String::new(),
        };
        let parts = std::iter::once(title.as_str()).chain(self.more.iter().map(String::as_str));
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

impl<'p> RowText<'p> {
    /// The cell in a column: its own, or the one that all columns share.
    pub fn cell(&self, column: usize) -> Option<&CellText<'p>> {
        self.cells.get(column).or(self.cells.first())
    }

    /// The cells that count where an option chooses the column.
    pub fn cells_in_force(&self, column: Option<ColumnId>) -> &[CellText<'p>] {
        match column.map(ColumnId::index).filter(|place| *place < self.cells.len()) {
            Some(place) if self.cells.len() > 1 => &self.cells[place..=place],
            _ => &self.cells,
        }
    }
}

impl TableText<'_> {
    /// What follows from rows beyond their results; written once if all rows have the same.
    pub(super) fn then(&self) -> Vec<ThenText> {
        let mut list: Vec<ThenText> = Vec::new();
        for row in &self.rows {
            let same =
                |two: &[CellText<'_>]| paragraph(&two[0].changes) == paragraph(&two[1].changes);
            let alike = row.cells.windows(2).all(same);
            for (column, cell) in
                row.cells.iter().enumerate().take(if alike { 1 } else { usize::MAX })
            {
                let of = match self.heads.get(column).filter(|_| !alike) {
                    Some(head) => format!("{}, {head}", row.text),
                    None => row.text.clone(),
                };
                let then = ThenText { of, changes: cell.changes.clone() };
                if !then.words().is_empty() && !list.contains(&then) {
                    list.push(then);
                }
            }
        }
        match list.as_slice() {
            [first, _, ..]
                if list.iter().all(|then| then.words() == first.words())
                    && list.len() == self.rows.len() =>
            {
                vec![ThenText { of: "Then".into(), changes: first.changes.clone() }]
            }
            _ => list,
        }
    }
}

impl<'p> ChartWords<'p> {
    /// The table that the chart is read on.
    pub fn table(self) -> TableText<'p> {
        let read = &self.chart.read;
        let players = self.spelling == Spelling::ForPlayers;
        let styled = |text: &str| if players { capital(text) } else { text.to_owned() };
        let in_force = self.column_in_force();
        let several = read.rows.iter().any(|row| row.cells.len() > 1);
        let column = read.column.as_ref().filter(|_| several);
        let heads: Vec<String> = column
            .map(|column| column.heads.iter().map(|head| styled(head)).collect())
            .unwrap_or_default();
        let rows = read.rows.iter_enumerated().map(|(place, row)| RowText {
            row,
            text: self.row(row, place),
            when: row.own_when.as_ref().map(|when| self.formula(when)),
            cells: row
                .cells
                .iter()
                .enumerate()
                .map(|(place, cell)| {
                    self.cell(cell, heads.get(place).filter(|_| row.cells.len() > 1))
                })
                .collect(),
        });
        TableText {
            score: self.score().filter(|_| !read.by_conditions()).map(|score| styled(&score)),
            by_conditions: read.by_conditions(),
            across: column.map_or(String::new(), |column| self.column(column)),
            unit: self.numbers_alone().then_some(read.unit.as_str()),
            rows: rows.collect(),
            heads,
            in_force,
        }
    }

    /// The column chosen by an option, if an option chooses: only that one applies.
    fn column_in_force(self) -> Option<ColumnId> {
        let column = self.chart.read.column.as_ref()?;
        let [slot] = column.by.slots().try_into().ok()?;
        let NameSource::Option(option) = self.chart.names.get(slot)?.origin else { return None };
        column.place(self.pack.options()[option].field.start?)
    }

    /// Whether a table of several columns holds nothing but numbers of one unit.
    fn numbers_alone(self) -> bool {
        let read = &self.chart.read;
        let number = |cell: &Cell| cell.landing.is_none() && cell.label.is_empty();
        !read.unit.is_empty()
            && read.rows.iter().any(|row| row.cells.len() > 2)
            && read.rows.iter().flat_map(|row| &row.cells).all(number)
    }

    /// The condition of a row. As written, it has the band or formula beside the label. For
    /// players, the label replaces the formula. The author's words replace both.
    pub fn row(self, row: &Row, place: RowId) -> String {
        if !row.text.is_empty() {
            return row.text.to_string();
        }
        let band = row.ends_in_words(&|formula| self.formula(formula));
        if self.spelling == Spelling::AsWritten {
            return match (row.label.is_empty(), row.is_word) {
                (false, Some(_)) => row.label.to_string(),
                (false, None) if band.is_some() || row.own_when.is_some() => {
                    let condition = condition_in_words(self.pack.words(), row, place);
                    format!("{} ({condition})", row.label)
                }
                _ => row.shown.to_string(),
            };
        }
        let band = band.map(|ends| super::true_minus(&ends));
        if let Some(page) = &row.page {
            let heading = row.is_word.map(|word| self.word_of_row(word)).or(band);
            return format!("{}: {}", capital(page), heading.unwrap_or_default());
        }
        if !row.label.is_empty() {
            return match band {
                Some(band) if !row.label.contains(band.as_str()) => {
                    format!("{} ({band})", row.label)
                }
                _ => row.label.to_string(),
            };
        }
        if let Some(word) = row.is_word {
            return capital(&self.word_of_row(word));
        }
        let when = row.own_when.as_ref().map(|when| self.formula(when));
        match (band, when) {
            (Some(band), Some(when)) => format!("{band}, if {when}"),
            (Some(band), None) => band,
            (None, Some(when)) => capital(&when),
            (None, None) if place > RowId::FIRST => "Otherwise".into(),
            (None, None) => "Always".into(),
        }
    }

    /// The content of a cell below this head. It names the role that the result applies to, if
    /// neither the head nor the other cells do.
    pub fn cell(self, cell: &'p Cell, head: Option<&String>) -> CellText<'p> {
        let landing = cell.landing.map(|landing| &self.chart.landings[landing]);
        let result = landing.map(|landing| landing.result);
        let title =
            result.map_or(String::new(), |result| self.pack.results()[result].title.to_string());
        let on = landing.and_then(|landing| landing.on).filter(|_| !self.chart.one_role());
        let role = on.map(|role| self.chart.roles[role].id.as_str());
        let role_in_head = on.zip(head).is_some_and(|(role, head)| self.names_role(head, role));
        let mut beside = String::new();
        let mut more = Vec::new();
        let read = &self.chart.read;
        if !cell.label.is_empty() {
            more.push(cell.label.to_string());
        } else if let Some(value) = &cell.value {
            let (text, constant) = (self.formula(value), value.constant().is_some());
            if result.is_some() && constant && read.says.contains("{value}") {
                // “kill {value}” goes with the result: “1-2 (kill 4)”.
                beside = format!(" ({})", read.says.replace("{value}", &text));
            } else if result.is_none()
                || read.says.is_empty()
                || self.spelling == Spelling::AsWritten
            {
                // What a result found by a sum says is in its meaning.
                let unit = if self.numbers_alone() { "" } else { read.unit.as_str() };
                more.push(format!("{text} {unit}").trim_end().to_owned());
            }
        }
        if let Some(step) = cell.result_of {
            more.push(format!("as {}", self.chart.steps[step].title));
        }
        let harm =
            result.and_then(|result| self.pack.results()[result].harm).map_or(0, Harm::level);
        CellText {
            cell,
            result,
            title,
            more,
            role,
            role_in_head,
            beside,
            harm,
            changes: self.changes_of_cell(cell),
        }
    }

    /// Whether the heading of a column names a role: “Attacker lost”.
    fn names_role(self, head: &str, role: RoleId) -> bool {
        let id = self.chart.roles[role].id.to_lowercase();
        head.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| word == id)
    }
}
