//! The HTML of one unit: the charts that it can roll, its statuses, its values, and its removal.

use super::game::Game;
use super::play_view::send as send_play;
use super::roster_view::send;
use super::{play, roster};
use crate::parts::{form_fields, icon};
use adjutant_dice::Accepts;
use adjutant_game::Unit;
use adjutant_pack::{Chart, Field, Value};
use adjutant_wording::en::page::{parts as part_text, table as text};
use maud::{Markup, html};

impl Game {
    /// One unit.
    pub fn unit_view(&self, unit: &Unit) -> Markup {
        html! {
            div.unit-panel {
                (self.wanted_here(unit))
                (self.charts_of(unit))
                (self.statuses_of(unit))
                details.unit-change { summary { (text::CHANGE_UNIT) } (self.change_form(unit)) }
                details.unit-off {
                    summary { (text::TAKE_OFF) }
                    form.strike data-do=(send(roster::Message::Remove(unit.id.clone(), form_fields()))) {
                        label.field { span.field-label { (text::WHY_OFF) } input type="text" name="word" maxlength="60" placeholder=(text::TAKEN_OFF); }
                        button.button.button-danger type="submit" { (text::take_off(&unit.name)) }
                    }
                }
            }
        }
    }

    /// The roles on the panel that this unit can take.
    fn wanted_here(&self, unit: &Unit) -> Markup {
        let Some(panel) = &self.panel else { return html! {} };
        let waits = panel.form.waiting.iter().filter(|place| {
            panel.attempt.candidates(&self.table, **place).iter().any(|one| one.unit.id == unit.id)
        });
        let roles: Vec<&str> = waits.map(|place| panel.chart().roles[*place].id.as_str()).collect();
        html! {
            @for role in roles {
                button.button.button-main type="button" data-do=(send_play(play::Message::Pick(role.to_owned(), unit.id.clone()))) {
                    span.act-label { b { (text::take_as(&part_text::role(&self.pack, role))) } span { (panel.chart().title) } }
                }
            }
        }
    }

    fn charts_of(&self, unit: &Unit) -> Markup {
        let offered = play::offered(&self.table, unit);
        let (first, others): (Vec<_>, Vec<_>) =
            offered.into_iter().partition(|(_, _, first)| *first);
        let chip = |chart: &Chart, role: &str, as_role: bool| {
            let message = play::Message::OpenChart {
                chart: chart.id.to_string(),
                role: role.to_owned(),
                unit: unit.id.clone(),
            };
            html! { button.chip type="button" data-do=(send_play(message)) { (chart.title) @if as_role { " " span.chip-role { (text::as_role(role)) } } } }
        };
        html! {
            @if !first.is_empty() {
                div.unit-charts role="group" aria-label=(text::roll_with(&unit.name)) {
                    @for (chart, role, _) in first { (chip(chart, role, chart.roles.len() > 1)) }
                }
            }
            @if !others.is_empty() {
                details.unit-others { summary { (text::OTHER_ROLES) } div.unit-charts { @for (chart, role, _) in others { (chip(chart, role, true)) } } }
            }
        }
    }

    fn statuses_of(&self, unit: &Unit) -> Markup {
        let can = self
            .pack
            .statuses()
            .iter_enumerated()
            .filter(|(_, status)| status.of.contains(&unit.kind));
        html! {
            div.unit-status role="group" aria-label=(text::STATUSES) {
                @for (place, status) in can {
                    @let on = unit.statuses.contains(&place);
                    button.status-tick type="button" aria-pressed=(if on { "true" } else { "false" }) title=(status.means)
                        data-do=(send(roster::Message::Status { unit: unit.id.clone(), status: status.id.to_string(), on: !on })) {
                        span.status-box aria-hidden="true" { @if on { (icon::check()) } }
                        (status.title)
                    }
                }
            }
        }
    }

    fn change_form(&self, unit: &Unit) -> Markup {
        let sides = self.table.sides();
        html! {
            form.unit-form data-do=(send(roster::Message::Change(unit.id.clone(), form_fields()))) autocomplete="off" {
                label.field { span.field-label { (text::UNIT_NAME) } input type="text" name="name" maxlength="60" value=(unit.name); }
                @if sides.len() > 1 {
                    label.field { span.field-label { (text::SIDE) } select name="side" { @for (place, side) in sides.iter().enumerate() { option value=(side) selected[place == unit.side] { (side) } } } }
                }
                label.field { span.field-label { (text::GROUP) } input type="text" name="group" maxlength="60" value=(unit.group); }
                @for (field, value) in self.pack.kinds()[unit.kind].has.iter().zip(&unit.attributes) { (self.attribute(field, *value)) }
                label.field.field-wide { span.field-label { (text::NOTES) } input type="text" name="notes" maxlength="500" value=(unit.notes); }
                button.button type="submit" { (text::SAVE) }
            }
        }
    }

    fn attribute(&self, field: &Field, value: Option<Value>) -> Markup {
        let name = format!("has.{}", field.id);
        let is = value.map(|value| roster::written(&self.pack, value)).unwrap_or_default();
        let default = field.default.as_ref().map(ToString::to_string).unwrap_or_default();
        let choices: Vec<(String, String)> = match &field.accepts {
            Accepts::YesNo => vec![
                ("yes".to_owned(), part_text::YES.to_owned()),
                ("no".to_owned(), part_text::NO.to_owned()),
            ],
            Accepts::Choice { words } => {
                words.iter().map(|word| (word.id.to_string(), word.label.to_string())).collect()
            }
            Accepts::Number { .. } => Vec::new(),
        };
        html! {
            label.field {
                span.field-label { (field.label) }
                @if choices.is_empty() {
                    input type="text" inputmode="text" name=(name) value=(is) placeholder=(default);
                } @else {
                    select name=(name) {
                        option value="" selected[is.is_empty()] { (text::unsaid(&default)) }
                        @for (id, label) in choices { option value=(id) selected[is == id] { (label) } }
                    }
                }
            }
        }
    }
}
