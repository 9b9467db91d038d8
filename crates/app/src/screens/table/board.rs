//! The board: the player touches units, not charts. A tap on a unit chooses who acts; a tap on
//! another opens the most likely chart between the two. While a chart is open, taps fill its roles.

use super::action_panel::ActionPanel;
use super::game::Game;
use super::{Tab, play};
use crate::message::{Command, Now};
use adjutant_dice::{ThrownBy, one_entry};
use adjutant_game::{Event, EventKind, PlayRequest, Unit, Values};
use adjutant_pack::{Chart, Count, RoleId};
use adjutant_wording::en::page::table as text;

/// A chart that a unit can roll.
pub(super) struct UnitAction<'t> {
    pub chart: &'t Chart,
    pub role: &'t str,
    /// The title of the status that rules it out.
    pub barred: Option<String>,
    /// Whether it belongs to the current phase.
    pub now: bool,
}

/// A roll of this player that can be repeated.
#[derive(Debug)]
pub struct LastPlay {
    /// The event's number.
    pub n: u64,
    request: PlayRequest,
    /// Whether the player rolled his own dice.
    own: bool,
}

impl LastPlay {
    /// The request of an event, if it is a roll that the player chose.
    pub fn of(event: &Event) -> Option<LastPlay> {
        let EventKind::Play(played) = &event.what else { return None };
        let own = |input: &adjutant_dice::RecordedInput| {
            !input.is_answer() && input.by() == ThrownBy::Player
        };
        played.request.pending.is_none().then(|| LastPlay {
            n: event.n,
            request: played.request.clone(),
            own: played.inputs.iter().any(own),
        })
    }
}

impl Game {
    /// The charts that a unit can roll: those of the phase first, and first of all the one that
    /// was rolled last; those that a status rules out at the end.
    pub(super) fn actions<'t>(&'t self, unit: &Unit) -> Vec<UnitAction<'t>> {
        let (phase, _) = self.table.turn();
        let now = |chart: &Chart| {
            phase.is_none_or(|phase| {
                phase.charts.is_empty()
                    || phase.charts.iter().any(|known| self.pack.charts()[*known].id == chart.id)
            })
        };
        let action = |(chart, role): (&'t Chart, &'t str)| {
            let who = one_entry(role.to_owned(), vec![unit.id.clone()]);
            let found = self.table.state().ruled_out(&self.pack, &chart.id, &who, &Values::new());
            let barred = found.first().map(|found| text::barred(&found.by));
            UnitAction { chart, role, barred, now: now(chart) }
        };
        let offered = play::offered(&self.table, unit).into_iter();
        let first = offered.filter_map(|(chart, role, first)| first.then_some((chart, role)));
        let mut list: Vec<UnitAction<'_>> = first.map(action).collect();
        let last = self.last_play.as_ref().map(|last| last.request.chart.as_str());
        adjutant_dice::sort_by_key(&mut list, |action| {
            (action.barred.is_some(), !action.now, last != Some(action.chart.id.as_str()))
        });
        list
    }

    /// The player tapped a unit on the board.
    pub(super) fn touch(&mut self, id: &str) -> Vec<Command> {
        let here = self.table.state().unit(id).filter(|unit| unit.gone.is_none());
        let Some(unit) = here.cloned() else { return Vec::new() };
        if let Some(panel) = &self.panel {
            if panel.is_underway() {
                return self.refuse([text::ROLL_FIRST.to_owned()]);
            }
            if let Some(role) = self.role_for(panel, &unit) {
                return self.change(play::Message::Pick(role, id.to_owned()));
            }
            self.panel = None;
            self.let_go();
            self.acting = None;
        }
        let opens = self.acting.as_ref().and_then(|actor| {
            let actor = self.table.state().unit(actor)?;
            self.between(actor, &unit).map(|(chart, role, other)| {
                (chart.to_owned(), role.to_owned(), other.to_owned(), actor.id.clone())
            })
        });
        match (opens, self.acting.take()) {
            (Some((chart, role, other, actor)), _) => {
                let todo = self.open_chart(&chart, &role, &actor);
                self.change(play::Message::Pick(other, id.to_owned()));
                todo
            }
            (None, Some(actor)) if actor == id => {
                self.settle_panel();
                Vec::new()
            }
            (None, _) => {
                self.acting = Some(id.to_owned());
                vec![Command::Focus("action".into())]
            }
        }
    }

    /// The player dragged a unit to another: the same as two taps.
    pub(super) fn drag(&mut self, unit: &str, target: &str) -> Vec<Command> {
        let here = |id: &str| self.table.state().unit(id).is_some_and(|unit| unit.gone.is_none());
        if unit == target || !here(unit) || !here(target) {
            return Vec::new();
        }
        if self.panel.as_ref().is_some_and(ActionPanel::is_underway) {
            return self.refuse([text::ROLL_FIRST.to_owned()]);
        }
        self.let_go();
        (self.panel, self.acting) = (None, Some(unit.to_owned()));
        self.touch(target)
    }

    /// Whether a unit has the text that the player looks for: in its name, its group or a status.
    pub(super) fn is_found(&self, unit: &Unit) -> bool {
        let text = self.find.trim().to_lowercase();
        let has = |words: &str| words.to_lowercase().contains(&text);
        let mut statuses = unit.statuses.iter().map(|status| &self.pack.statuses()[*status].title);
        text.is_empty() || has(&unit.name) || has(&unit.group) || statuses.any(|title| has(title))
    }

    /// The role on the panel that a tap on this unit is about.
    fn role_for(&self, panel: &ActionPanel, unit: &Unit) -> Option<String> {
        let chart = panel.chart();
        let free = |place: &RoleId| {
            let taken = panel.attempt.units(&self.table, &chart.roles[*place].id);
            // The unit that acts is not exchanged: another of its side acts instead.
            let open = taken.is_empty() || chart.is_for_each(*place) || *place != RoleId::FIRST;
            let has = taken.contains(&unit.id);
            open && (has || self.may_take(panel, *place).iter().any(|known| known.id == unit.id))
        };
        let open = |place: &RoleId| {
            !panel.attempt.is_settled(&self.table, &chart.roles[*place].id)
                && !panel.idle.contains(place)
        };
        let waiting = panel.form.waiting.iter().copied();
        let mut places = waiting.chain(chart.roles.ids()).filter(open);
        places.find(free).map(|place| chart.roles[place].id.to_string())
    }

    /// The units that a tap puts into a role. A role that results apply to is for the other side,
    /// if that has any unit for it.
    pub(super) fn may_take<'t>(&'t self, panel: &ActionPanel, place: RoleId) -> Vec<&'t Unit> {
        let chart = panel.chart();
        let candidates = panel.attempt.candidates(&self.table, place).into_iter();
        let mut list: Vec<&Unit> = candidates.map(|candidate| candidate.unit).collect();
        list.retain(|unit| !unit.is_out(&self.pack));
        let first = &chart.roles[RoleId::FIRST];
        let actor = panel.attempt.units(&self.table, &first.id).first();
        let actor = actor.and_then(|id| self.table.state().unit(id));
        let aimed = place != RoleId::FIRST
            && chart.landings.iter().any(|landing| landing.on == Some(place));
        if let Some(actor) = actor.filter(|_| aimed)
            && list.iter().any(|unit| unit.side != actor.side)
        {
            list.retain(|unit| unit.side != actor.side);
        }
        list
    }

    /// The most likely chart between two units of different sides, with the role of each.
    fn between(&self, actor: &Unit, target: &Unit) -> Option<(&str, &str, &str)> {
        if actor.side == target.side || target.is_out(&self.pack) {
            return None;
        }
        self.actions(actor).into_iter().filter(|action| action.barred.is_none()).find_map(
            |UnitAction { chart, role, .. }| {
                let who = one_entry(role.to_owned(), vec![actor.id.clone()]);
                let mut others = chart.roles.iter_enumerated().skip(1);
                let (_, other) =
                    others.find(|(place, _)| self.table.can_take(chart, *place, target, &who))?;
                Some((chart.id.as_str(), role, other.id.as_str()))
            },
        )
    }

    /// Makes the choices of the panel that are open, such as ammunition.
    pub(super) fn choose(&mut self) {
        let Some(panel) = &mut self.panel else { return };
        panel.choose(&self.table, &self.me, &self.chosen);
    }

    /// Rolls once more what this player rolled last, or shows why that cannot be.
    pub(super) fn again(&mut self, now: &Now) -> Vec<Command> {
        let Some(LastPlay { request, own, .. }) = &self.last_play else { return Vec::new() };
        let (mut request, own) = (request.clone(), *own);
        if self.panel.as_ref().is_some_and(ActionPanel::is_underway) {
            return self.refuse([text::ROLL_FIRST.to_owned()]);
        }
        // How many take part is counted again, and what was allowed was allowed once.
        let inputs = self.pack.chart(&request.chart).into_iter().flat_map(|chart| &chart.inputs);
        for input in inputs.filter(|input| input.count.as_ref().is_some_and(Count::is_of_joined)) {
            request.given.remove(input.name.as_str());
        }
        (request.pending, request.deck_side, request.anyway) = (None, None, false);
        let chart = request.chart.clone();
        let Some(mut panel) = ActionPanel::new(self.pack.clone(), &chart, request.into()) else {
            return Vec::new();
        };
        panel.settle(&self.table, &self.me);
        let ready = panel.is_ready();
        (self.panel, self.acting) = (Some(panel), None);
        self.let_go();
        if ready { self.roll_or_ask(now, own) } else { vec![Command::Focus("action".into())] }
    }

    /// Shows a unit on the roster.
    pub(super) fn show_details(&mut self, unit: String) -> Vec<Command> {
        (self.tab, self.selection.unit) = (Tab::Roster, Some(unit));
        vec![Command::ScrollToTop]
    }
}
