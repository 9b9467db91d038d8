//! Looks up a score in the rows of a table.

use crate::coverage::CoveragePoint;
use crate::error::ResolveError;
use crate::run::{ChartOutcome, Halt, Run};
use adjutant_dice::{Accepts, Answer, ChoiceWord, Number, Text};
use adjutant_pack::{
    CardCell, Cell, ColumnId, Facet, Field, FieldId, Formula, InputId, NameSource, Row, RowId,
    Saying, StepId, StepKind, Value,
};

/// The sentence of a chart whose card was not drawn.
const NO_CARD: &str = "No card is drawn";

impl<'p> Run<'p, '_, '_> {
    /// Looks up the score in the rows and selects the result.
    pub fn read(&mut self) -> Result<ChartOutcome, Halt> {
        let read = &self.chart.read;
        let (mut found, mut cell_read) = (ChartOutcome::default(), None);
        if let Some(score) = &read.score {
            found.score = Some(self.eval(score)?);
        }
        if let Some(score) = found.score {
            self.set_origin(NameSource::Score, score);
        }
        if let Some(column) = &read.column {
            found.column = column.place(self.eval(&column.by)?);
            self.shift(column, &mut found)?;
        }
        if !read.rows.is_empty() {
            if read.user_table.is_some() {
                self.shared.resolution.marks.push(CoveragePoint::UserTable(self.place));
            }
            let (place, row) = match self.printed_row(found.column) {
                Some(printed) => printed,
                None => self.row(found.score)?,
            };
            found.row = Some(row.shown.clone());
            self.reading(row.reading);
            if let Some((column, cell)) = row.cell(found.column) {
                self.shared.resolution.marks.push(CoveragePoint::Cell(self.place, place, column));
                self.read_cell(cell, row, &mut found)?;
                cell_read = Some(cell);
            }
        }
        if let Some(value) = read.value.as_ref().filter(|_| !self.shared.skips.value)
            && (read.rows.is_empty() || !self.names_missing_cell(value))
        {
            found.value = Some(self.number(value)?);
        }
        self.set_outcome(&found);
        if read.rows.is_empty() && read.user_table.is_some() {
            self.ask_user_table(&mut found)?;
        }
        self.say(&mut found);
        self.land_cell(&mut found)?;
        if let Some(cell) = cell_read {
            self.apply(&cell.effects, &cell.next)?;
        }
        self.also()?;
        self.apply(&read.effects, &read.next)?;
        Ok(found)
    }

    /// Whether a value refers to a cell that is blank. Then there is no value either.
    fn names_missing_cell(&self, value: &adjutant_pack::Formula) -> bool {
        value.slots().iter().any(|slot| {
            self.chart.names[*slot].origin == NameSource::Cell && self.slots.values[*slot].is_none()
        })
    }

    /// The row that the printed table names, if an option lets it count. A cell that is blank or not
    /// there leaves the rule.
    fn printed_row(&self, column: Option<ColumnId>) -> Option<(RowId, &'p Row)> {
        let printed = self.chart.printed.as_ref()?;
        let option = printed.option?;
        self.slots.consult(option);
        if self.shared.options[option] != Value::YesNo(true) {
            return None;
        }
        let value = |input: InputId| self.slots.values[self.chart.inputs[input].slot]?.number();
        let (down, across) = (value(printed.down)?, value(printed.across)?);
        let (_, line) = printed.rows.iter().find(|(head, _)| *head == down)?;
        let text = line.get(printed.heads.iter().position(|head| *head == across)?)?;
        let titled = |row: &Row| {
            let landing = row.cell(column).and_then(|(_, cell)| cell.landing)?;
            let result = self.chart.landings[landing].result;
            (self.shared.pack.results()[result].title == *text).then_some(())
        };
        self.chart.read.rows.iter_enumerated().find(|(_, row)| titled(row).is_some())
    }

    fn row(&self, score: Option<Value>) -> Result<(RowId, &'p Row), Halt> {
        for (place, row) in self.chart.read.rows.iter_enumerated() {
            let number = score.and_then(Value::number);
            let band = row.band.is_none_or(|band| number.is_some_and(|n| band.holds(n)));
            let word = row.is_word.is_none_or(|word| score == Some(Value::Word(word)));
            if band && word && self.holds_or(row.when.as_ref(), true)? {
                return Ok((place, row));
            }
        }
        let score = score.map(|score| score.to_answer(self.shared.pack.words()));
        Err(ResolveError::NoRow { chart: self.chart.title.clone(), score }.into())
    }

    fn read_cell(&mut self, cell: &Cell, row: &Row, found: &mut ChartOutcome) -> Result<(), Halt> {
        if let Some(value) = cell.value.as_ref().filter(|_| !self.shared.skips.value) {
            let value = self.number(value)?;
            found.value = Some(value);
            self.set_origin(NameSource::Cell, Value::Number(value));
        }
        let remark = [&cell.label, &row.label].into_iter().find(|label| !label.is_empty()).cloned();
        if let Some(step) = cell.result_of {
            let name = &self.chart.steps[step].name;
            let taken = self.shared.resolution.look_ups().rfind(|known| known.name == *name);
            if let Some(value) =
                taken.and_then(|known| known.value).filter(|_| cell.value.is_none())
            {
                found.value = Some(value);
                self.set_origin(NameSource::Cell, Value::Number(value));
            }
            let taken = self.shared.resolution.look_ups().rfind(|known| known.name == *name);
            found.result = taken.and_then(|known| {
                let outcome = self
                    .shared
                    .pack
                    .results()
                    .iter()
                    .find(|outcome| Some(&outcome.id) == known.result.as_ref())?;
                // The result keeps the role that it has there.
                Some(crate::apply::result_resolution(outcome, known.on.clone(), remark.clone()))
            });
        }
        if let Some(landing) = cell.landing {
            found.landing = Some((landing, remark));
        }
        Ok(())
    }

    fn land_cell(&mut self, found: &mut ChartOutcome) -> Result<(), Halt> {
        if let Some((landing, remark)) = found.landing.take() {
            found.result = Some(self.land(landing, remark)?);
        }
        Ok(())
    }

    fn set_origin(&mut self, origin: NameSource, value: Value) {
        for (_, slot) in self.chart.other_names.iter().filter(|(known, _)| *known == origin) {
            self.set(*slot, value);
        }
    }

    /// Sets the score and value that results and additional lines can refer to.
    pub fn set_outcome(&mut self, found: &ChartOutcome) {
        let score = found.score.unwrap_or(Value::Number(Number::ZERO));
        self.set_origin(NameSource::Score, score);
        self.set_origin(NameSource::Value, Value::Number(found.value.unwrap_or(Number::ZERO)));
    }

    fn say(&self, found: &mut ChartOutcome) {
        let read = &self.chart.read;
        let Some(value) = found.value else { return };
        found.says = match (read.says.is_empty(), read.unit.is_empty()) {
            (false, _) => Some(self.sentence(value)),
            (true, false) => Some(format!("{value} {}", read.unit)),
            _ => None,
        };
    }

    /// The sentence of the chart. A name that has no value is left open.
    fn sentence(&self, value: Number) -> String {
        let mut text = String::new();
        for part in &self.chart.read.saying {
            match part {
                Saying::Words(words) => text.push_str(words),
                Saying::Value => text.push_str(&value.to_string()),
                Saying::Name(formula) => {
                    let known = formula.eval_partly(&self.slots, &mut Vec::new());
                    text.push_str(&known.map_or("…".into(), |known| self.shown(formula, known)));
                }
                Saying::Card(step, field) => {
                    let Some(card) = self.card_of(*step) else { return NO_CARD.into() };
                    match self.card_text(card, *step, *field) {
                        Some(words) => text.push_str(&words),
                        // A blank text leaves no colon behind.
                        None => text.truncate(text.trim_end_matches([' ', ':', '–', ',']).len()),
                    }
                }
            }
        }
        text
    }

    /// The card that a step drew last.
    fn card_of(&self, step: StepId) -> Option<u32> {
        let known = &self.chart.steps[step];
        let rolls = self.shared.resolution.rolls().rev();
        let mut own = rolls.filter(|roll| roll.name == known.name && roll.chart == self.chart.id);
        own.next()?.cards.last().copied()
    }

    /// The title of the card of a step, or one of its texts.
    fn card_text(&self, card: u32, step: StepId, field: Option<FieldId>) -> Option<Text> {
        let StepKind::Draw(draw) = &self.chart.steps[step].kind else { return None };
        let sheet = &self.shared.pack.decks()[draw.deck];
        match field {
            None => sheet.card(card).map(|card| card.title.clone()),
            Some(field) => match sheet.cell(card, field, None)? {
                CardCell::Text(text) => Some(text.as_str().into()),
                CardCell::Value(_) => None,
            },
        }
    }

    /// A value as players read it: words by their labels.
    fn shown(&self, formula: &Formula, value: Value) -> Text {
        let pack = self.shared.pack;
        let answer = value.to_answer(pack.words());
        let Answer::Choice(word) = &answer else { return answer.to_string().into() };
        let origin = formula.slots().first().and_then(|slot| self.chart.names.get(*slot));
        let label = match origin.map(|name| name.origin) {
            Some(NameSource::Input(input)) => {
                let words = self.chart.inputs[input].field.accepts.words();
                words.and_then(|words| words.iter().find(|known| known.id == *word))
            }
            Some(NameSource::Step(step, Facet::Field(field))) => {
                match &self.chart.steps[step].kind {
                    StepKind::Draw(draw) => {
                        let words = pack.decks()[draw.deck].fields[field].kind.words();
                        words.and_then(|words| words.iter().find(|known| known.id == *word))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(label) = label {
            return label.label.clone();
        }
        let faces = pack.dice().iter().flat_map(|die| &die.faces);
        let mut titles = faces.filter(|face| face.value == value).map(|face| face.title.clone());
        titles.next().unwrap_or_else(|| word.clone())
    }

    /// A table that is not filled in becomes a question to the player, who has the rule book.
    fn ask_user_table(&mut self, found: &mut ChartOutcome) -> Result<(), Halt> {
        let Some(place) = self.chart.read.user_table else { return Ok(()) };
        let pack = self.shared.pack;
        let table = &pack.user_tables()[place];
        let results: Vec<_> = self
            .chart
            .read
            .user_landings
            .iter()
            .map(|landing| &pack.results()[self.chart.landings[*landing].result])
            .collect();
        let words = results
            .iter()
            .map(|outcome| ChoiceWord { id: outcome.id.clone(), label: outcome.title.clone() })
            .collect();
        let mut label = table.ask.to_string();
        if let Some(score) = found.score {
            label.push_str(&format!(" (score {}", score.to_answer(pack.words())));
            let column = found.column.and_then(|column| {
                self.chart.read.column.as_ref().map(|known| &known.heads[column])
            });
            label.push_str(&column.map_or(")".to_owned(), |head| format!(", {head})")));
        }
        let field = Field {
            id: table.id.clone(),
            label: label.into(),
            note: String::new(),
            accepts: Accepts::Choice { words },
            default: None,
            start: None,
        };
        // The score goes into the resolution first, so that a run that stops here shows its
        // calculations.
        self.shared.resolution.score = found.score.map(|score| score.to_answer(pack.words()));
        let answer = self.ask_word(&table.id, &field)?;
        let landing = self
            .chart
            .read
            .user_landings
            .iter()
            .find(|landing| pack.results()[self.chart.landings[**landing].result].id == answer);
        if let Some(landing) = landing {
            self.shared.resolution.marks.push(CoveragePoint::UserTable(self.place));
            found.landing =
                Some((*landing, Some(format!("{}, read by the player", table.title).into())));
        }
        Ok(())
    }

    fn ask_word(&mut self, key: &Text, field: &Field) -> Result<Text, Halt> {
        self.ask(key, field)?;
        match self.shared.resolution.answers().next_back().map(|answered| &answered.answer) {
            Some(Answer::Choice(word)) => Ok(word.clone()),
            _ => Err(ResolveError::NoResult { key: key.clone() }.into()),
        }
    }

    fn also(&mut self) -> Result<(), Halt> {
        for (line, also) in self.chart.read.also.iter_enumerated() {
            if !self.holds_or(also.when.as_ref(), true)? {
                continue;
            }
            self.shared.resolution.marks.push(CoveragePoint::Also(self.place, line));
            self.reading(also.reading);
            let label = Some(also.label.clone()).filter(|label| !label.is_empty());
            let result = self.land(also.landing, label)?;
            self.apply(&also.effects, &also.next)?;
            self.shared.resolution.also.push(result);
        }
        Ok(())
    }
}
