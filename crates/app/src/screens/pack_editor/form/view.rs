//! The HTML of the form. Faults of the pack are shown at the entries they are about.

use super::edit::{OWN_QUESTION, QuestionKind};
use super::sheet::{self, Cell, MOST_CELLS};
use super::{ChartForm, Edit, Entry, List, ListKind, Question, ResultForm, Table, below};
use crate::message::Message as Outer;
use crate::parts::{VALUE, act, icon};
use adjutant_pack::Diagnostic;
use adjutant_pack::format::{Kind, Outcome, Question as QuestionKeys, Section};
use adjutant_wording::en::page::pack_editor as text;
use maud::{Markup, html};
use std::ops::Range;

/// What the form is shown with.
pub struct Shown<'s> {
    pub form: &'s ChartForm,
    /// The results of the pack: id and title.
    pub results: &'s [(String, String)],
    /// The statuses of the pack: id and title.
    pub statuses: &'s [(String, String)],
    /// The text of the CSV file with the rows.
    pub sheet: Option<&'s str>,
    /// The faults of the files.
    pub faults: &'s [Diagnostic],
}

fn send(edit: Edit) -> String {
    act(&Outer::PackEditor(super::super::Message::Form(edit)))
}

fn set(entry: &Entry) -> String {
    send(Edit::Set(entry.path.clone(), VALUE.into()))
}

impl Shown<'_> {
    pub fn view(&self) -> Markup {
        let form = self.form;
        html! {
            @if let Some(title) = &form.title { (self.field("form-title", text::FORM_TITLE, title)) }
            @if !form.questions.is_empty() || form.takes_questions() {
                fieldset.form-part {
                    legend { (text::QUESTIONS) }
                    @for (place, question) in form.questions.iter().enumerate() { (self.question(place, question)) }
                    @if form.takes_questions() {
                        div.form-more {
                            @for (kind, label) in [(QuestionKind::YesNo, text::ADD_YES_NO), (QuestionKind::Number, text::ADD_NUMBER), (QuestionKind::Choice, text::ADD_CHOICE_QUESTION)] {
                                (add(Edit::AddQuestion(kind), label))
                            }
                        }
                    }
                }
            }
            @for (place, list) in form.lists.iter().enumerate() { (self.list(place, list)) }
            @if let (Some(name), Some(sheet)) = (&form.sheet, self.sheet) { (self.sheet(name, sheet)) }
            @if !form.results.is_empty() {
                fieldset.form-part {
                    legend { (text::RESULTS) }
                    @for (place, result) in form.results.iter().enumerate() { (self.result(place, result)) }
                }
            }
            p.hint { (text::FORM_HINT) }
        }
    }

    /// The faults in a part of the text, as sentences.
    fn faults_in(&self, at: &Range<usize>) -> Markup {
        self.faults_of("pack.toml", at)
    }

    fn faults_of(&self, file: &str, at: &Range<usize>) -> Markup {
        let here = |fault: &&Diagnostic| {
            fault.file == file && fault.span.start >= at.start && fault.span.end <= at.end
        };
        html! {
            @for fault in self.faults.iter().filter(here) {
                span.wrong { (adjutant_wording::en::diagnostic(fault).message) }
            }
        }
    }

    fn field(&self, id: &str, label: &str, entry: &Entry) -> Markup {
        let about = self.form.key(entry).map(|key| key.doc);
        html! {
            label.field title=[about] {
                span.field-label { (label) }
                @if let Some(choices) = self.choices(entry) {
                    (chooser(id, &set(entry), &entry.text, &choices))
                } @else {
                    input id=(id) type="text" autocomplete="off" value=(entry.text) data-do=(set(entry));
                }
                (self.faults_in(&entry.at))
            }
        }
    }

    /// The values that an entry is chosen from, if it is one of them.
    fn choices(&self, entry: &Entry) -> Option<Vec<(String, String)>> {
        let words = |words: &[&str]| {
            words.iter().map(|word| ((*word).to_owned(), (*word).to_owned())).collect::<Vec<_>>()
        };
        let kind = self.form.kind(entry)?;
        let choices = match (kind, kind.names()) {
            (Kind::Flag, _) => words(&["true", "false"]),
            (Kind::Word(all), _) => words(all),
            (_, Some("status")) => self.statuses.to_vec(),
            (_, Some("result")) => self.results.to_vec(),
            _ => return None,
        };
        choices.iter().any(|(value, _)| *value == entry.text).then_some(choices)
    }

    /// A field for each value of a table, but for those with these keys; and what can be added.
    fn fields(&self, id: &str, table: &Table, section: &'static Section, but: &[&str]) -> Markup {
        let shown = |entry: &&Entry| !but.contains(&entry.key());
        let open: Vec<(String, String)> = table
            .open_keys(section)
            .filter(|key| !but.contains(&key.name))
            .map(|key| (key.name.to_owned(), text::open_key(key.name, key.doc)))
            .collect();
        let more = [(String::new(), text::ADD_KEY.to_owned())].into_iter().chain(open.clone());
        html! {
            @for entry in table.entries.iter().filter(shown) { (self.field(&format!("{id}-{}", entry.key()), text::form_key(entry.key()), entry)) }
            @if !open.is_empty() {
                label.field {
                    span.field-label { (text::MORE_KEYS) }
                    (chooser(&format!("{id}-more"), &send(Edit::AddKey(table.path.clone(), VALUE.into())), "", &more.collect::<Vec<_>>()))
                }
            }
        }
    }

    fn question(&self, place: usize, question: &Question) -> Markup {
        let (id, table) = (format!("form-q-{place}"), &question.table);
        let default = table.entry("default").filter(|_| !question.choices.is_empty());
        let hidden: &[&str] = if default.is_some() { &["default"] } else { &[] };
        html! {
            div.form-item {
                (self.fields(&id, table, &QuestionKeys::SECTION, hidden))
                @if let Some(entry) = default {
                    label.field {
                        span.field-label { (text::form_key("default")) }
                        (chooser(&format!("{id}-default"), &set(entry), &entry.text, &answers(question)))
                        (self.faults_in(&entry.at))
                    }
                }
                (remove(Edit::Remove(table.path.clone()), text::REMOVE_QUESTION))
                @if !question.choices.is_empty() {
                    div.form-inner {
                        @for (nth, choice) in question.choices.iter().enumerate() {
                            div.form-cell {
                                (self.field(&format!("{id}-choice-{nth}"), &text::choice_label(nth + 1), choice))
                                @if question.choices.len() > 2 { (remove(Edit::Remove(choice.path.clone()), text::REMOVE_CHOICE)) }
                            }
                        }
                        (add(Edit::AddChoice(table.path.clone()), text::ADD_CHOICE))
                    }
                }
            }
        }
    }

    fn result(&self, place: usize, result: &ResultForm) -> Markup {
        let (id, table) = (format!("form-r-{place}"), &result.table);
        let written = |key: &str| table.entry(key).map_or("", |entry| &entry.text);
        let put = |key: &str| send(Edit::Set(below(&table.path, key), VALUE.into()));
        let harms = text::HARMS.map(|(harm, title)| (harm.to_owned(), title.to_owned()));
        html! {
            div.form-item {
                @for (key, label) in [("title", text::RESULT_TITLE), ("means", text::RESULT_MEANS)] {
                    label.field.field-wide {
                        span.field-label { (label) }
                        input id=(format!("{id}-{key}")) type="text" autocomplete="off" value=(written(key)) data-do=(put(key));
                        @if let Some(entry) = table.entry(key) { (self.faults_in(&entry.at)) }
                    }
                }
                label.field {
                    span.field-label { (text::RESULT_HARM) }
                    (chooser(&format!("{id}-harm"), &put("harm"), written("harm"), &harms))
                }
                (self.fields(&id, table, &Outcome::SECTION, &["title", "means", "harm"]))
                div.form-inner {
                    @if let Some(effects) = &result.effects {
                        @for (nth, effect) in effects.items.iter().enumerate() {
                            div.form-cell {
                                (self.fields(&format!("{id}-{nth}"), effect, effects.kind.section(), &[]))
                                (remove(Edit::Remove(effect.path.clone()), text::REMOVE_EFFECT))
                            }
                        }
                    }
                    @if let Some((status, _)) = self.statuses.first() { (add(Edit::AddEffect(table.path.clone(), status.clone()), text::ADD_STATUS)) }
                    (add(Edit::AddEffect(table.path.clone(), String::new()), text::ADD_NOTE))
                    (self.faults_in(&result.at))
                }
            }
        }
    }

    /// The rows in a CSV file.
    fn sheet(&self, name: &str, whole: &str) -> Markup {
        let lines = sheet::lines(whole);
        let cells: usize = lines.iter().map(Vec::len).sum();
        html! {
            fieldset.form-part {
                legend { (text::rows_of(name)) }
                @if cells > MOST_CELLS { p.hint { (text::large_sheet(name)) } }
                @else {
                    div.form-sheet tabindex="0" role="region" aria-label=(text::rows_of(name)) {
                        table {
                            @for (nth, line) in lines.iter().enumerate() {
                                tr {
                                    @for (column, cell) in line.iter().enumerate() { td { (self.cell(name, nth, column, cell)) } }
                                    @if let (1.., Some(first)) = (nth, line.first()) {
                                        td { (add(Edit::CopyLine(first.at.start), text::COPY_ROW)) }
                                        td { (remove(Edit::RemoveLine(first.at.start), text::REMOVE_ROW)) }
                                    }
                                }
                            }
                        }
                    }
                    (self.faults_of_sheet(name, &lines))
                }
            }
        }
    }

    fn cell(&self, file: &str, line: usize, column: usize, cell: &Cell) -> Markup {
        html! {
            input id=(format!("form-cell-{line}-{column}")) type="text" autocomplete="off" aria-label=(text::cell(line, column + 1)) value=(cell.text) data-do=(send(Edit::Cell(cell.at.start, VALUE.into())));
            (self.faults_of(file, &cell.at))
        }
    }

    /// Faults of the file that are at none of its cells.
    fn faults_of_sheet(&self, name: &str, lines: &[Vec<Cell>]) -> Markup {
        let at_cell = |fault: &Diagnostic| {
            let inside =
                |cell: &Cell| fault.span.start >= cell.at.start && fault.span.end <= cell.at.end;
            lines.iter().flatten().any(inside)
        };
        html! {
            @for fault in self.faults.iter().filter(|fault| fault.file == name && !at_cell(fault)) {
                p.wrong { (adjutant_wording::en::diagnostic(fault).message) }
            }
        }
    }

    fn list(&self, place: usize, list: &List) -> Markup {
        let rows = list.kind == ListKind::Rows;
        html! {
            fieldset.form-part {
                legend { (if rows { text::ROWS.to_owned() } else { text::modifiers_of(&list.title) }) }
                @for (nth, item) in list.items.iter().enumerate() { (self.item(&format!("form-{place}-{nth}"), list.kind, item)) }
                @if !rows { (add(Edit::Add(list.path.clone()), text::ADD_MODIFIER)) }
                (self.faults_around(list))
            }
        }
    }

    /// Faults of the list that are at none of its entries.
    fn faults_around(&self, list: &List) -> Markup {
        let inside = |fault: &Diagnostic| {
            list.items
                .iter()
                .flat_map(|item| &item.entries)
                .any(|entry| fault.span.start >= entry.at.start && fault.span.end <= entry.at.end)
        };
        let here = |fault: &&Diagnostic| {
            let of_list = fault.span.start >= list.at.start && fault.span.end <= list.at.end;
            fault.file == "pack.toml" && of_list && !inside(fault)
        };
        html! {
            @for fault in self.faults.iter().filter(here) { p.wrong { (adjutant_wording::en::diagnostic(fault).message) } }
        }
    }

    /// When a modifier can count: always, when a question is ticked, or for a choice.
    fn conditions(&self, item: &Table) -> Vec<(String, String)> {
        let mut conditions = vec![(String::new(), text::ALWAYS.to_owned())];
        for question in &self.form.questions {
            let tick = question.table.entry("yes_no");
            let label = tick.or_else(|| question.table.entry("label"));
            let label = label.map_or(question.id.as_str(), |entry| &entry.text);
            if tick.is_some() {
                conditions.push((question.id.clone(), text::if_ticked(label)));
            }
            for (word, title) in answers(question) {
                let chosen = text::if_chosen(label, &title);
                conditions.push((format!("{} == '{word}'", question.id), chosen));
            }
        }
        if item.entry("when").is_none() {
            conditions.push((OWN_QUESTION.to_owned(), text::NEW_TICK.to_owned()));
        }
        conditions
    }

    fn item(&self, id: &str, kind: ListKind, item: &Table) -> Markup {
        let when = item.entry("when").map_or("", |entry| &entry.text);
        let conditions =
            if kind == ListKind::Modifiers { self.conditions(item) } else { Vec::new() };
        let chosen = conditions.iter().any(|(known, _)| known == when);
        let hidden: &[&str] = if chosen { &["when"] } else { &[] };
        html! {
            div.form-item {
                (self.fields(id, item, kind.section(), hidden))
                @if chosen {
                    label.field {
                        span.field-label { (text::CONDITION) }
                        (chooser(&format!("{id}-counts"), &send(Edit::Condition(item.path.clone(), VALUE.into())), when, &conditions))
                    }
                }
                @if kind == ListKind::Rows { (add(Edit::Copy(item.path.clone()), text::COPY_ROW)) }
                (remove(Edit::Remove(item.path.clone()), if kind == ListKind::Rows { text::REMOVE_ROW } else { text::REMOVE_MODIFIER }))
            }
        }
    }
}

/// The answers to a question: word and title.
fn answers(question: &Question) -> Vec<(String, String)> {
    let answer = |choice: &Entry| {
        let word = if choice.key().is_empty() { &choice.text } else { choice.key() };
        (word.to_owned(), choice.text.clone())
    };
    question.choices.iter().map(answer).collect()
}

fn chooser(id: &str, message: &str, now: &str, known: &[(String, String)]) -> Markup {
    html! {
        select id=(id) data-do=(message) {
            @for (value, title) in known { option value=(value) selected[value == now] { (title) } }
        }
    }
}

fn add(edit: Edit, label: &str) -> Markup {
    html! { button.button.button-small.button-quiet type="button" data-do=(send(edit)) { (icon::plus()) (label) } }
}

fn remove(edit: Edit, label: &str) -> Markup {
    html! { button.drop type="button" aria-label=(label) title=(label) data-do=(send(edit)) { (icon::close()) } }
}
