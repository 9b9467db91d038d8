//! The HTML of the form. Faults of the pack are shown at the entries they are about.

use super::edit::{OWN_QUESTION, QuestionKind, ResultKey};
use super::sheet::{self, Cell, MOST_CELLS};
use super::{ChartForm, Edit, Entry, Item, List, ListKind, Question, ResultForm};
use crate::message::Message as Outer;
use crate::parts::{VALUE, act, icon};
use adjutant_pack::Diagnostic;
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
    send(Edit::Set(entry.at.start, VALUE.into()))
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
        html! {
            label.field {
                span.field-label { (label) }
                @if let Some(known) = self.known(entry) {
                    (chooser(id, &set(entry), &entry.text, known))
                } @else {
                    input id=(id) type="text" autocomplete="off" value=(entry.text) data-do=(set(entry));
                }
                (self.faults_in(&entry.at))
            }
        }
    }

    /// The names that an entry is chosen from, if it is one of them.
    fn known(&self, entry: &Entry) -> Option<&[(String, String)]> {
        let names = match entry.key.as_str() {
            "status" | "lift" => self.statuses,
            "title" | "label" | "means" | "note" | "text" | "when" | "leaves" | "set" | "add"
            | "remember" | "on" => return None,
            _ => self.results,
        };
        names.iter().any(|(known, _)| *known == entry.text).then_some(names)
    }

    fn question(&self, place: usize, question: &Question) -> Markup {
        html! {
            div.form-item {
                @for entry in &question.entries {
                    @let id = format!("form-q-{place}-{}", entry.key);
                    @if entry.key == "default" && !question.choices.is_empty() {
                        label.field {
                            span.field-label { (text::form_key("default")) }
                            (chooser(&id, &set(entry), &entry.text, &answers(question)))
                            (self.faults_in(&entry.at))
                        }
                    } @else { (self.field(&id, text::form_key(&entry.key), entry)) }
                }
                (remove(Edit::Remove(question.pair.start), text::REMOVE_QUESTION))
                @if !question.choices.is_empty() {
                    div.form-inner {
                        @for (nth, choice) in question.choices.iter().enumerate() {
                            div.form-cell {
                                (self.field(&format!("form-q-{place}-choice-{nth}"), &text::choice_label(nth + 1), choice))
                                @if question.choices.len() > 2 { (remove(Edit::Remove(choice.pair.start), text::REMOVE_CHOICE)) }
                            }
                        }
                        (add(Edit::AddChoice(question.pair.start), text::ADD_CHOICE))
                    }
                }
            }
        }
    }

    fn result(&self, place: usize, result: &ResultForm) -> Markup {
        let at = result.place.at.start;
        let written = |key: ResultKey| result.entry(key.name()).map_or("", |entry| &entry.text);
        let put = |key| send(Edit::Result(at, key, VALUE.into()));
        let harms = text::HARMS.map(|(harm, title)| (harm.to_owned(), title.to_owned()));
        html! {
            div.form-item {
                @for (key, label) in [(ResultKey::Title, text::RESULT_TITLE), (ResultKey::Means, text::RESULT_MEANS)] {
                    label.field.field-wide {
                        span.field-label { (label) }
                        input id=(format!("form-r-{place}-{}", key.name())) type="text" autocomplete="off" value=(written(key)) data-do=(put(key));
                        @if let Some(entry) = result.entry(key.name()) { (self.faults_in(&entry.at)) }
                    }
                }
                label.field {
                    span.field-label { (text::RESULT_HARM) }
                    (chooser(&format!("form-r-{place}-harm"), &put(ResultKey::Harm), written(ResultKey::Harm), &harms))
                }
                div.form-inner {
                    @if let Some(effects) = &result.effects {
                        @for (nth, effect) in effects.items.iter().enumerate() {
                            div.form-cell {
                                @for entry in &effect.entries { (self.field(&format!("form-r-{place}-{nth}-{}", entry.key), text::form_key(&entry.key), entry)) }
                                (remove(Edit::Remove(effect.at.start), text::REMOVE_EFFECT))
                            }
                        }
                    }
                    @if let Some((status, _)) = self.statuses.first() { (add(Edit::AddEffect(at, status.clone()), text::ADD_STATUS)) }
                    (add(Edit::AddEffect(at, String::new()), text::ADD_NOTE))
                    (self.faults_in(&result.place.at))
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
                @if !rows { (add(Edit::Add(list.at.start), text::ADD_MODIFIER)) }
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
    fn conditions(&self, item: &Item) -> Vec<(String, String)> {
        let mut found = vec![(String::new(), text::ALWAYS.to_owned())];
        for question in &self.form.questions {
            let label = question
                .entries
                .iter()
                .find(|entry| matches!(entry.key.as_str(), "yes_no" | "label"));
            let label = label.map_or(question.id.as_str(), |entry| &entry.text);
            if question.entries.iter().any(|entry| entry.key == "yes_no") {
                found.push((question.id.clone(), text::if_ticked(label)));
            }
            for (word, title) in answers(question) {
                let chosen = text::if_chosen(label, &title);
                found.push((format!("{} == '{word}'", question.id), chosen));
            }
        }
        if item.entry("when").is_none() {
            found.push((OWN_QUESTION.to_owned(), text::NEW_TICK.to_owned()));
        }
        found
    }

    fn item(&self, id: &str, kind: ListKind, item: &Item) -> Markup {
        let when = item.entry("when").map_or("", |entry| &entry.text);
        let conditions =
            if kind == ListKind::Modifiers { self.conditions(item) } else { Vec::new() };
        let chosen = conditions.iter().any(|(known, _)| known == when);
        html! {
            div.form-item {
                @for entry in item.entries.iter().filter(|entry| !(chosen && entry.key == "when")) { (self.field(&format!("{id}-{}", entry.key), text::form_key(&entry.key), entry)) }
                @if chosen {
                    label.field {
                        span.field-label { (text::CONDITION) }
                        (chooser(&format!("{id}-counts"), &send(Edit::Condition(item.at.start, VALUE.into())), when, &conditions))
                    }
                }
                @if kind == ListKind::Rows { (add(Edit::Copy(item.at.start), text::COPY_ROW)) }
                (remove(Edit::Remove(item.at.start), if kind == ListKind::Rows { text::REMOVE_ROW } else { text::REMOVE_MODIFIER }))
            }
        }
    }
}

/// The answers to a question: word and title.
fn answers(question: &Question) -> Vec<(String, String)> {
    let answer = |choice: &Entry| {
        let word = if choice.key.is_empty() { &choice.text } else { &choice.key };
        (word.clone(), choice.text.clone())
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
