//! The HTML of the board: a card for each unit, by side, and what the unit that was tapped can do.

use super::board::UnitAction;
use super::game::Game;
use super::play;
use super::play_view::send;
use crate::message::ViewRegion;
use crate::parts::{DRAGGED, VALUE, icon, symbol};
use adjutant_game::Unit;
use adjutant_pack::Value;
use adjutant_wording::en::page::table as text;
use maud::{Markup, html};

/// With more units than this, a player can search the board and fold a side.
const MANY: usize = 16;

/// What the cards show besides the units themselves.
struct Marks {
    acts: Vec<String>,
    aimed: Vec<String>,
    /// The units that a tap puts into the role that waits; none where no role waits.
    may: Option<Vec<String>>,
}

/// The id of the element that holds the card of a unit.
fn place(unit: &Unit) -> String {
    format!("card-{}", unit.id)
}

impl Game {
    /// The side near the thumb: that of this player, or the first that a player can have.
    pub(super) fn near_side(&self) -> Option<usize> {
        let played = |side: &usize| !self.table.is_run_by_sheet(*side);
        let first = || (0..self.table.sides().len()).find(played);
        self.table.side_of(&self.me).or_else(first)
    }

    /// Both sides. The side of this player is last, near the thumb.
    pub fn board_view(&self) -> Markup {
        let sides = self.table.sides();
        let (mine, near) = (self.table.side_of(&self.me), self.near_side());
        let order = (0..sides.len()).filter(|side| Some(*side) != near).chain(near);
        let many = self.table.state().here().count() > MANY;
        html! {
            @if !self.table.state().units.is_empty() {
                @if many {
                    label.board-find { (icon::search()) span.visually-hidden { (text::FIND_UNIT) } input #board-find type="search" placeholder=(text::FIND_UNIT) value=(self.find) maxlength="60" data-on="input" data-do=(send(play::Message::Find(VALUE.into()))); }
                }
                @for side in order {
                    @let groups = self.table.roster(side);
                    @let all = groups.iter().flat_map(|(_, units)| units);
                    @let head = html! {
                        span.side-mark aria-hidden="true" {}
                        (sides[side]) @if mine == Some(side) { " (" (text::YOU) ")" }
                        span.side-count { (text::in_action(all.clone().filter(|unit| !unit.is_out(&self.pack)).count(), all.clone().count())) }
                    };
                    @let row = html! {
                        div.board-row {
                            @for unit in all.clone().filter(|unit| self.is_found(unit)) { div.counter-place id=(place(unit)) data-region {} }
                            @if groups.is_empty() { div.empty { (icon::roster()) p { (if self.table.is_run_by_sheet(side) { text::NO_UNITS_YET } else { text::NO_UNITS }) } } }
                        }
                    };
                    section.board-side data-side=(side % 8) aria-label=(sides[side]) {
                        @if many { details.board-fold open { summary { h2.board-head { (head) } } (row) } } @else { h2.board-head { (head) } (row) }
                    }
                }
            }
        }
    }

    /// The cards. Each is a region of its own, so that a tap on a large board changes two cards and
    /// not eighty.
    pub fn card_views(&self) -> impl Iterator<Item = ViewRegion> {
        let marks = self.marks();
        let found = self.table.state().here().filter(|unit| self.is_found(unit));
        found.map(move |unit| ViewRegion::new(place(unit), self.counter(unit, &marks)))
    }

    fn marks(&self) -> Marks {
        let mut marks =
            Marks { acts: self.acting.iter().cloned().collect(), aimed: Vec::new(), may: None };
        let Some(panel) = &self.panel else { return marks };
        for (place, role) in panel.chart().roles.iter_enumerated() {
            let units = panel.attempt.units(&self.table, &role.id).iter().cloned();
            let first = place == adjutant_pack::RoleId::FIRST;
            if first { &mut marks.acts } else { &mut marks.aimed }.extend(units);
        }
        marks.may = panel.form.waiting.first().map(|place| {
            self.may_take(panel, *place).into_iter().map(|unit| unit.id.clone()).collect()
        });
        marks
    }

    fn counter(&self, unit: &Unit, marks: &Marks) -> Markup {
        let (acts, aimed) = (marks.acts.contains(&unit.id), marks.aimed.contains(&unit.id));
        let may = marks.may.as_ref().is_some_and(|may| may.contains(&unit.id));
        let out = unit.is_out(&self.pack);
        let dim = out || (marks.may.is_some() && !may && !acts && !aimed);
        let hit = self.result.as_ref().filter(|card| card.n == self.card.last);
        let hit = hit.is_some_and(|card| card.changed.iter().any(|hit| hit.unit == unit.id));
        html! {
            button.counter.counter-acts[acts].counter-aimed[aimed].counter-may[may].counter-dim[dim].counter-hit[hit] type="button" data-id=(format!("on-board-{}", unit.id))
                aria-pressed=(if acts || aimed { "true" } else { "false" }) draggable="true" data-drag=(unit.id) data-drop=(send(play::Message::Drag(DRAGGED.into(), unit.id.clone())))
                data-do=(send(play::Message::Touch(unit.id.clone()))) {
                (symbol::view(self.pack.kinds()[unit.kind].symbol_of(|place| unit.attribute(&self.pack, place))))
                b.counter-name { (unit.name) }
                span.counter-has { (self.values(unit, true)) }
                @if !unit.group.is_empty() { span.counter-group { (unit.group) } }
                @if self.is_attacked(unit) { span.unit-statuses { span.status { (text::ATTACK_WAITS) } } }
                @if !unit.statuses.is_empty() {
                    span.unit-statuses { @for status in &unit.statuses {
                        @let status = &self.pack.statuses()[*status];
                        span.status data-harm=[status.harm.map(|harm| harm.level())] { (status.title) }
                    } }
                }
            }
        }
    }

    /// Whether a simultaneous attack on a unit waits to be applied.
    fn is_attacked(&self, unit: &Unit) -> bool {
        let mut held = self.table.state().held.iter();
        held.any(|held| held.effects.iter().any(|effect| effect.on == unit.id))
    }

    /// The values of a unit with their short labels: all that differ from their defaults, or those
    /// that stand on its card.
    pub(super) fn values(&self, unit: &Unit, on_card: bool) -> String {
        let kind = &self.pack.kinds()[unit.kind];
        let known = kind.has.iter_enumerated().filter_map(|(place, field)| {
            if on_card && !kind.looks[place].on_card {
                return None;
            }
            let label = kind.short_label(place);
            let value = unit.facet(&self.pack, &field.id)?;
            match value {
                Value::YesNo(yes) => yes.then(|| label.to_string()),
                value if Some(value) == field.start => None,
                Value::Word(word) => {
                    Some(kind.short_word(self.pack.words(), place, word).to_owned())
                }
                // A number stays on the line of its label.
                Value::Number(number) => {
                    Some(format!("{}\u{a0}{number}", label.replace(" ", "\u{a0}")))
                }
            }
        });
        known.collect::<Vec<_>>().join(" · ")
    }

    /// What the unit that was tapped can do.
    pub(super) fn actions_view(&self, unit: &Unit) -> Markup {
        let (now, later): (Vec<_>, Vec<_>) =
            self.actions(unit).into_iter().partition(|action| action.now);
        let offer = |action: &UnitAction<'_>| {
            let chart = action.chart;
            let message = play::Message::OpenChart {
                chart: chart.id.to_string(),
                role: action.role.to_owned(),
                unit: unit.id.clone(),
            };
            html! {
                button.offer.offer-barred[action.barred.is_some()] type="button" data-do=(send(message)) {
                    b { (chart.title) }
                    @if let Some(why) = &action.barred { span { (why) } }
                    @else if !chart.about.is_empty() { span { (chart.about) } }
                }
            }
        };
        html! {
            section.action-panel.unit-acts aria-labelledby="action" {
                header.action-head {
                    h2 #action tabindex="-1" { (text::what_does(&unit.name)) }
                    button.drop type="button" data-key="Escape" data-back data-do=(send(play::Message::Touch(unit.id.clone()))) aria-label=(text::CLOSE) { (icon::close()) }
                }
                @if now.is_empty() && later.is_empty() { p.hint { (text::NO_ACTION) } }
                div.offers { @for action in &now { (offer(action)) } }
                @if !later.is_empty() {
                    details.other-charts { summary { (text::NOT_NOW) } div.offers.offers-small { @for action in &later { (offer(action)) } } }
                }
                button.button.button-quiet type="button" data-do=(send(play::Message::Details(unit.id.clone()))) { (icon::roster()) (text::DETAILS) }
            }
        }
    }
}
