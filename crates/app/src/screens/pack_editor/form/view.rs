//! The HTML of the form. Faults of the pack are shown at the entries they are about.

use super::{ChartForm, Edit, Entry, Item, List, ListKind, Question};
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
    /// The faults of `pack.toml`.
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
            @if !form.questions.is_empty() {
                fieldset.form-part {
                    legend { (text::QUESTIONS) }
                    @for (place, question) in form.questions.iter().enumerate() { (self.question(place, question)) }
                }
            }
            @for (place, list) in form.lists.iter().enumerate() { (self.list(place, list)) }
            p.hint { (text::FORM_HINT) }
        }
    }

    /// The faults in a part of the text, as sentences.
    fn faults_in(&self, at: &Range<usize>) -> Markup {
        let here = |fault: &&Diagnostic| {
            fault.file == "pack.toml" && fault.span.start >= at.start && fault.span.end <= at.end
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
                @if self.results.iter().any(|(known, _)| *known == entry.text) {
                    select id=(id) data-do=(set(entry)) {
                        @for (known, title) in self.results { option value=(known) selected[*known == entry.text] { (title) } }
                    }
                } @else {
                    input id=(id) type="text" autocomplete="off" value=(entry.text) data-do=(set(entry));
                }
                (self.faults_in(&entry.at))
            }
        }
    }

    fn question(&self, place: usize, question: &Question) -> Markup {
        html! {
            div.form-item {
                @for entry in &question.entries { (self.field(&format!("form-q-{place}-{}", entry.key), text::form_key(&entry.key), entry)) }
                (remove(question.pair.start, text::REMOVE_QUESTION))
            }
        }
    }

    fn list(&self, place: usize, list: &List) -> Markup {
        let rows = list.kind == ListKind::Rows;
        html! {
            fieldset.form-part {
                legend { (if rows { text::ROWS.to_owned() } else { text::modifiers_of(&list.title) }) }
                @for (nth, item) in list.items.iter().enumerate() { (self.item(&format!("form-{place}-{nth}"), list.kind, item)) }
                @if !rows { button.button.button-small type="button" data-do=(send(Edit::Add(list.at.start))) { (icon::plus()) (text::ADD_MODIFIER) } }
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

    /// Whether an entry is no more than the name of a question: the tick beside it says that.
    fn is_question(&self, entry: &Entry) -> bool {
        entry.key == "when" && self.form.questions.iter().any(|known| known.id == entry.text)
    }

    fn item(&self, id: &str, kind: ListKind, item: &Item) -> Markup {
        let asked = item.entry("when");
        html! {
            div.form-item {
                @for entry in item.entries.iter().filter(|entry| !self.is_question(entry)) { (self.field(&format!("{id}-{}", entry.key), text::form_key(&entry.key), entry)) }
                @if kind == ListKind::Modifiers && item.entry("label").is_some() {
                    label.tick {
                        input id=(format!("{id}-asked")) type="checkbox" checked[asked.is_some()] data-do=(send(Edit::Condition(item.at.start, asked.is_none())));
                        span.tick-box aria-hidden="true" { (icon::check()) }
                        span.tick-text { span.tick-label { (text::CONDITION) } }
                    }
                }
                @if kind == ListKind::Rows { button.button.button-small.button-quiet type="button" data-do=(send(Edit::Copy(item.at.start))) { (icon::plus()) (text::COPY_ROW) } }
                (remove(item.at.start, if kind == ListKind::Rows { text::REMOVE_ROW } else { text::REMOVE_MODIFIER }))
            }
        }
    }
}

fn remove(at: usize, label: &str) -> Markup {
    html! { button.drop type="button" aria-label=(label) title=(label) data-do=(send(Edit::Remove(at))) { (icon::close()) } }
}
