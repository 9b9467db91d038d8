//! The HTML of the roster: by side and group, each unit with its statuses and values.

use super::game::Game;
use super::{Message, roster};
use crate::message::Message as Outer;
use crate::parts::{FILE_NAME, FILE_TEXT, VALUE, act, form_fields, icon};
use adjutant_game::Unit;
use adjutant_pack::Value;
use adjutant_wording::en::page::table as text;
use maud::{Markup, html};

pub(super) fn send(message: roster::Message) -> String {
    act(&Outer::Table(Message::Roster(message)))
}

impl Game {
    /// All units.
    pub fn roster_view(&self) -> Markup {
        let gone: Vec<&Unit> = self
            .table
            .state()
            .units
            .iter()
            .map(AsRef::as_ref)
            .filter(|unit: &&Unit| unit.gone.is_some())
            .collect();
        html! {
            @for (place, side) in self.table.sides().iter().enumerate() { (self.side_view(place, side)) }
            @if !gone.is_empty() {
                details.gone {
                    summary { (text::gone(gone.len())) }
                    ul { @for unit in gone { li { (unit.name) " – " (unit.gone.as_deref().unwrap_or_default()) } } }
                }
            }
            (self.import_view())
        }
    }

    fn side_view(&self, place: usize, side: &str) -> Markup {
        let groups = self.table.roster(place);
        let count: usize = groups.iter().map(|(_, units)| units.len()).sum();
        html! {
            section.side data-side=(place % 8) aria-label=(side) {
                h2.side-head { span.side-mark aria-hidden="true" {} (side) " " span.side-count { (text::units(count)) } }
                @if self.table.is_run_by_sheet(place) { p.hint { (text::RUN_BY_SHEET) } }
                @for (group, units) in groups {
                    @if !group.is_empty() { h3.group-head { (group) } }
                    ul.units { @for unit in units { (self.unit_row(unit)) } }
                }
                (self.add_view(place, side))
            }
        }
    }

    fn unit_row(&self, unit: &Unit) -> Markup {
        let open = self.selection.unit.as_ref() == Some(&unit.id);
        html! {
            li.unit.unit-out[unit.is_out(&self.pack)] data-id=(format!("unit-{}", unit.id)) {
                button.unit-open type="button" aria-expanded=(if open { "true" } else { "false" }) data-do=(send(roster::Message::ShowUnit(unit.id.clone()))) {
                    span.unit-name { (unit.name) }
                    span.unit-has { (self.attributes(unit)) }
                    @if !unit.statuses.is_empty() {
                        span.unit-statuses { @for status in &unit.statuses {
                            @let status = &self.pack.statuses()[*status];
                            span.status data-harm=[status.harm.map(|harm| harm.level())] { (status.title) }
                        } }
                    }
                    @if !unit.notes.is_empty() { span.unit-notes { (unit.notes) } }
                }
                @if open { (self.unit_view(unit)) }
            }
        }
    }

    /// The values of a unit, in the pack's short words.
    fn attributes(&self, unit: &Unit) -> String {
        let kinds = self.pack.kinds();
        let kind = (kinds.len() > 1).then(|| kinds[unit.kind].title.to_string());
        let worked_out =
            self.table.worked_out(unit).into_iter().filter_map(|(derived, value)| match value {
                Value::YesNo(true) => Some(derived.label.to_string()),
                Value::YesNo(false) => None,
                other => {
                    let now = other.to_answer(self.pack.words());
                    Some(format!("{}\u{a0}{now}", derived.label))
                }
            });
        let values = Some(self.values(unit, false)).filter(|values| !values.is_empty());
        kind.into_iter().chain(values).chain(worked_out).collect::<Vec<_>>().join(" · ")
    }

    fn add_view(&self, place: usize, side: &str) -> Markup {
        let empty = self.table.roster(place).is_empty() && !self.table.is_run_by_sheet(place);
        html! {
            details.add-units open[empty] {
                summary { (icon::plus()) (text::ADD_UNITS) }
                div.templates {
                    @for template in self.pack.templates() {
                        button.chip type="button" title=(template.note) data-do=(send(roster::Message::AddFromTemplate(template.id.to_string(), side.to_owned()))) { (icon::plus()) (template.title) }
                    }
                }
                form.by-hand data-do=(send(roster::Message::Add(form_fields()))) autocomplete="off" {
                    input type="hidden" name="side" value=(side);
                    @if self.pack.kinds().len() > 1 {
                        label.field { span.field-label { (text::KIND) } select name="kind" { @for kind in self.pack.kinds() { option value=(kind.id) { (kind.title) } } } }
                    }
                    label.field { span.field-label { (text::UNIT_NAME) } input type="text" name="name" maxlength="60" required; }
                    label.field { span.field-label { (text::GROUP) } input type="text" name="group" maxlength="60"; }
                    label.field.field-short { span.field-label { (text::HOW_MANY) } input type="number" name="count" min="1" max="30" value="1" inputmode="numeric"; }
                    button.button type="submit" { (text::ADD_BY_HAND) }
                }
            }
        }
    }

    /// Two lines of an army list, with the pack's own units if it has some.
    fn list_example(&self) -> String {
        let mut names = self.pack.templates().iter().map(|template| template.title.as_str());
        let mut name = |other| names.next().unwrap_or(other);
        let [first, second] = [name(text::LIST_EXAMPLE[0]), name(text::LIST_EXAMPLE[1])];
        format!("3 {first}\n{second}")
    }

    fn import_view(&self) -> Markup {
        html! {
            details.import-roster {
                summary { (icon::import()) (text::IMPORT) }
                p.hint { (text::IMPORT_HINT) }
                @if self.table.sides().len() > 1 {
                    label.field {
                        span.field-label { (text::IMPORT_SIDE) }
                        select data-do=(send(roster::Message::ImportSide(VALUE.into()))) {
                            @for side in self.table.sides() { option value=(side) selected[self.import_side() == Some(side.as_str())] { (side) } }
                        }
                    }
                }
                label.button.file-button {
                    (text::CHOOSE_FILE)
                    input.visually-hidden type="file" accept=".csv,.tsv,.txt,.toml,.json" data-file data-do=(send(roster::Message::Import { name: FILE_NAME.into(), text: FILE_TEXT.into() }));
                }
                form data-do=(send(roster::Message::Paste(form_fields()))) {
                    label.field { span.field-label { (text::PASTE) } textarea name="text" rows="4" spellcheck="false" placeholder=(self.list_example()) {} }
                    button.button type="submit" { (text::TAKE_IN) }
                }
            }
        }
    }
}
