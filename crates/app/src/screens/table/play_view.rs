//! The HTML of play: the last result, what to do now, the chart with its odds, and the pending
//! tests. At the bottom, within reach of the thumb, one large button: the next thing to do.

use super::action_panel::{ActionPanel, filled_in};
use super::game::Game;
use super::log::EntryKind;
use super::more_view::send as send_more;
use super::result::ResultCard;
use super::{Message, Tab, more, play};
use crate::app::Shared;
use crate::message::Message as Outer;
use crate::parts::{act, form_fields, icon, odds, resolution};
use crate::route::GameTask;
use adjutant_dice::Accepts;
use adjutant_engine::RuledOutBy;
use adjutant_game::{Candidate, ConsentFor, DueTest, EventKind, PendingTest, Stamp, Unit};
use adjutant_pack::{Chart, Input, Pack, RoleId};
use adjutant_wording::en;
use adjutant_wording::en::page::{chart as chart_text, parts as part_text, table as text};
use maud::{Markup, html};

pub(super) fn send(message: play::Message) -> String {
    act(&Outer::Table(Message::Play(message)))
}

impl Game {
    /// The name, the turn and the phase.
    pub fn head_view(&self, shared: &Shared) -> Markup {
        let (phase, turn) = self.table.turn();
        html! {
            h1 tabindex="-1" { (self.card.name) }
            p.table-turn {
                span.turn-number { (text::turn(turn)) }
                @if let Some(phase) = phase { span.turn-phase { (phase.title) } }
                (self.seat_view())
                (self.here_view())
                @if self.can_invite(shared) && !self.inviting {
                    button.button.button-small.head-invite type="button" data-do=(send_more(more::Message::Invite)) { (icon::link()) (text::INVITE_SHORT) }
                }
            }
            // A rejection must be seen on every tab.
            (self.wrong_view())
            (self.cut_view())
        }
    }

    /// The tab “Play”.
    pub fn play_view(&self, shared: &Shared) -> Markup {
        html! {
            // Another player waits for the answer: it comes before everything else.
            (self.asked_view())
            (self.withdrawn_view())
            @if self.inviting { (self.invite_panel(shared)) }
            @if let Some(hint) = self.first_hint() { p.first-hint role="status" { (hint) } }
            @if let Some(card) = &self.result { (self.result_view(card)) }
            @for ending in self.table.endings() {
                div.ending role="status" {
                    h2 { (ending.title) }
                    p { (ending.means) }
                    @if let Some(won) = adjutant_wording::en::winner(&self.table, &ending) { p.ending-winner { b { (won) } } }
                }
            }
            @match (&self.panel, self.acting.as_ref().and_then(|id| self.table.state().unit(id))) {
                (Some(panel), _) => (self.editor_view(panel)),
                (None, Some(unit)) => (self.actions_view(unit)),
                (None, None) => (self.phase_view()),
            }
            (self.pending_view())
        }
    }

    /// What to do next in a sample game, until the player has rolled.
    fn first_hint(&self) -> Option<String> {
        let rolled = self.entries.iter().any(|entry| entry.kind == EntryKind::Roll);
        let shown = self.card.sample && !rolled && self.cannot_act().is_none();
        let unit = |side: &dyn Fn(usize) -> bool| {
            let mut here = self.table.state().here();
            here.find(|unit| side(unit.side) && !unit.is_out(&self.pack)).map(|it| it.name.as_str())
        };
        let near = self.near_side()?;
        shown.then_some(())?;
        let actor = self.panel.as_ref().and_then(|panel| panel.actor(&self.table));
        let tapped = self.acting.as_ref().and_then(|id| self.table.state().unit(id));
        let from = actor.or(tapped).map_or(near, |unit| unit.side);
        Some(match (&self.panel, &self.acting) {
            (Some(panel), _) if panel.is_ready() => text::HINT_ROLL.to_owned(),
            (Some(_), _) | (None, Some(_)) => text::hint_target(unit(&|side| side != from)?),
            (None, None) => text::hint_unit(unit(&|side| side == near)?),
        })
    }

    fn wrong_view(&self) -> Markup {
        html! { @if !self.wrong.is_empty() { div.wrong.table-wrong #wrong role="alert" tabindex="-1" { @for why in &self.wrong { p { (why) } } } } }
    }

    /// The result of the last event.
    fn result_view(&self, card: &ResultCard) -> Markup {
        html! {
            section.result-card data-harm=[card.resolution.as_ref().and_then(|it| resolution::harm(&self.pack, it))] aria-label=(chart_text::RESULT) data-id=(format!("result-{}", card.n)) {
                p.result-title {
                    @if !card.title.is_empty() { span { (card.title) } }
                    span.result-n { (text::event(card.n)) }
                    @if card.sealed { span.tag.tag-sealed { (icon::check()) (text::SEALED) } }
                }
                @if let Some(resolution) = &card.resolution { (resolution::faces(&self.pack, resolution)) }
                p.result-line.result-long[card.several()] #result tabindex="-1" data-harm=[card.resolution.as_ref().and_then(|it| resolution::harm(&self.pack, it))] { (card.headline) }
                @let numbers = card.in_numbers();
                @if !numbers.is_empty() { p.result-numbers { (numbers) } }
                (self.result_acts(card))
                @if self.rolled.len() > 1 {
                    ul.rolled-all { @for (what, result) in self.rolled.iter().take(self.rolled.len() - 1) { li { (what) ": " b { (result) } } } }
                }
                @for sentence in self.sentences(card) { p.told { (sentence) } }
                @if card.held { p.told { (text::HELD) } }
                @if !card.changed.is_empty() {
                    ul.changes {
                        @for changed in &card.changed { li { b { (changed.name) } " " (changed.what.join("; ")) } }
                    }
                }
            }
        }
    }

    /// Undo, the same again, and the arithmetic.
    fn result_acts(&self, card: &ResultCard) -> Markup {
        let last = card.n == self.card.last;
        let again = last && self.last_play.as_ref().is_some_and(|played| played.n == card.n);
        let asked = self.table.asked().filter(|asked| asked.event == card.n && asked.by == self.me);
        html! {
            @if let Some(resolution) = &card.resolution {
                div.result-acts {
                    @if last { (self.back_button(ConsentFor::Undo, None)) }
                    @if let Some(waiting) = asked.and_then(|asked| self.waiting_for(asked)) { p.hint { (text::ASKED_TO_UNDO) " " (waiting) } }
                    @if again { button.button.button-small type="button" data-key="a" data-do=(send(play::Message::Again)) { (icon::die()) (text::AGAIN) } }
                    details.sums { summary { (text::ARITHMETIC) } (resolution::arithmetic(&self.pack, resolution)) (rests_on(&self.pack, resolution)) }
                }
            }
        }
    }

    /// The sentences below the headline. What a phase is for is shown further down, unless a test
    /// is there.
    fn sentences<'c>(&self, card: &'c ResultCard) -> impl Iterator<Item = &'c str> {
        let phase = card.resolution.is_none()
            && self.panel.is_none()
            && self.table.guide().phase.is_some_and(|phase| phase.title == card.headline.as_str());
        // The units and the numbers of two sides stand above already.
        let opposed = card.is_opposed();
        let rest = move |sentence: &'c String| {
            let told = |head: &str| head.is_empty() || opposed && head.ends_with(": ");
            match sentence.split_once(card.headline.as_str()) {
                Some((head, rest)) if told(head) && rest.starts_with(['.', '!', '?']) => {
                    rest[1..].trim_start()
                }
                _ => sentence.as_str(),
            }
        };
        card.sentences
            .iter()
            .filter(move |_| !phase)
            .map(rest)
            .filter(|sentence| !sentence.is_empty())
    }

    /// What the phase is for, if nothing is pending.
    fn phase_view(&self) -> Markup {
        let guide = self.table.guide();
        let others: Vec<&Chart> = self
            .pack
            .charts()
            .iter()
            .filter(|chart| {
                self.is_open(chart) && !guide.charts.iter().any(|known| known.id == chart.id)
            })
            .collect();
        let button = |chart: &Chart| {
            html! {
                button.offer type="button" data-do=(send(play::Message::OpenChart { chart: chart.id.to_string(), role: String::new(), unit: String::new() })) {
                    b { (chart.title) } @if !chart.about.is_empty() { span { (chart.about) } }
                }
            }
        };
        html! {
            section.now aria-label=(text::NOW) {
                @if let Some(phase) = guide.phase {
                    h2 { (phase.title) }
                    p.now-text { (phase.text) }
                } @else { h2 { (if guide.held { text::TOGETHER } else { text::NOTHING_DUE }) } }
                @if guide.held { p.told { (text::HELD_NOW) } (self.held_view()) }
                @if !self.table.state().units.is_empty() && !self.looks_on() { p.hint { (text::TAP_UNIT) } }
                @if !guide.charts.is_empty() { div.offers { @for chart in &guide.charts { (button(chart)) } } }
                @if !others.is_empty() {
                    details.other-charts open[guide.charts.is_empty()] {
                        summary { (text::other_charts(guide.charts.is_empty())) }
                        div.offers.offers-small { @for chart in others { (button(chart)) } }
                    }
                }
            }
        }
    }

    /// The attacks that wait for others.
    fn held_view(&self) -> Markup {
        let held = self.table.state().held.iter();
        let entries = held.filter_map(|held| self.entries.get(held.n.checked_sub(1)? as usize));
        html! { ul.held { @for entry in entries { li { (entry.words) } } } }
    }

    fn is_open(&self, chart: &Chart) -> bool {
        chart.needs_option.is_none_or(|option| {
            self.table
                .state()
                .options
                .get(option)
                .copied()
                .is_some_and(adjutant_pack::Value::is_yes)
        })
    }

    /// The chart in play.
    fn editor_view(&self, panel: &ActionPanel) -> Markup {
        let due = panel.attempt.test(&self.table);
        let chart = panel.chart();
        html! {
            section.action-panel aria-labelledby="action" {
                header.action-head {
                    h2 #action tabindex="-1" { @if let Some(due) = due { (text::must(&self.who_rolls(due).0, &chart.title)) } @else { (chart.title) } }
                    @if !panel.is_underway() && !panel.by_itself {
                        button.drop type="button" data-key="Escape" data-back data-do=(send(play::Message::Close)) aria-label=(text::CLOSE) { (icon::close()) }
                    }
                    @if due.is_none() && panel.form.waiting.is_empty() { p.action-who.action-brief { (panel.who_takes_part(&self.table)) } }
                    @if due.is_some_and(|due| !self.who_rolls(due).1.is_empty()) { p.action-who { (panel.who_takes_part(&self.table)) } }
                    @if let Some(due) = due { @if !due.why.is_empty() { p.action-why { (icon::forward()) (due.why) @if let Some(chance) = self.chance_of(due) { " · " (chance) } } } }
                    @else if !chart.about.is_empty() && !panel.is_ready() { p.action-why { (chart.about) } }
                }
                @if let Some(ask) = &panel.ask { (ask.view(&|message| Outer::Table(Message::Play(play::Message::Answer(message))), panel.attempt.way_back())) }
                @if let (Some(_), Some(resolution)) = (&panel.ask, panel.so_far(&self.table, &self.me)) { (resolution::faces(&self.pack, &resolution)) (resolution::arithmetic(&self.pack, &resolution)) }
                @for why in &panel.refused { p.wrong { (text::sentence(why)) } }
                @if panel.ruled_out { button.button.button-quiet type="button" data-do=(send(play::Message::Allow)) { (text::ALLOW) } }
                @if panel.attempt.request().anyway { p.hint { (text::ALLOWED) } }
                @if panel.is_underway() { p.hint { (text::underway(panel.attempt.inputs().iter().any(|input| input.faces().is_some()), panel.attempt.inputs().iter().any(|input| input.card().is_some()))) } }
                fieldset.action-form disabled[panel.is_underway()] {
                    div.roles { (self.roles_view(panel)) }
                    (self.form_view(panel))
                }
                @if let (Some(result), false) = (&panel.odds, panel.is_underway()) {
                    div.action-odds { h3 { (chart_text::ODDS) } (odds::view(&self.pack, chart, result, &panel.form.names)) }
                }
            }
        }
    }

    fn form_view(&self, panel: &ActionPanel) -> Markup {
        let Some(view) = panel.attempt.view(&self.table, &self.me) else { return html! {} };
        let Some(situation) = &view.situation else { return html! {} };
        let chosen = panel.attempt.request().new_units_side.as_ref();
        let wrap = |message| Outer::Table(Message::Play(play::Message::Form(message)));
        let sides = self.table.sides();
        html! {
            (panel.form.view(situation, &wrap, &|input, member| filled_in(&view, input, member)))
            @if panel.chart().adds_units() && sides.len() > 1 {
                details.appear open[chosen.is_some()] {
                    summary { (text::APPEAR_ON) ": " (chosen.map_or(text::AS_THE_SHEET, String::as_str)) }
                    select #appear-on aria-label=(text::APPEAR_ON) data-do=(send(play::Message::Side(crate::parts::VALUE.into()))) {
                        option value="" selected[chosen.is_none()] { (text::AS_THE_SHEET) }
                        @for side in sides { option value=(side) selected[chosen == Some(side)] { (side) } }
                    }
                }
            }
        }
    }

    /// The roles.
    fn roles_view(&self, panel: &ActionPanel) -> Markup {
        let chart = panel.chart();
        html! {
            @for (place, role) in chart.roles.iter_enumerated() {
                @if !panel.idle.contains(&place) && !panel.attempt.is_settled(&self.table, &role.id) { (self.role_view(panel, place, &role.id)) }
                (self.joined_view(panel, place, &role.id))
            }
        }
    }

    /// The units that take part with the one in a role. A tap leaves one out.
    fn joined_view(&self, panel: &ActionPanel, place: RoleId, role: &str) -> Markup {
        let able = panel.attempt.joining(&self.table, place);
        let taken = panel.attempt.units(&self.table, role).first().filter(|_| !able.is_empty());
        let joined = able.iter().filter(|(_, left_out)| !left_out);
        let all: Vec<String> = joined.map(|(unit, _)| unit.id.clone()).collect();
        html! {
            @if let Some(unit) = taken {
                fieldset.role-pick.role-each {
                    legend { (text::with_unit(&play::name(&self.table, unit))) }
                    div.picks { @for (unit, _) in able { (self.pick_view(unit, &all, None, &play::Message::LeaveOut(unit.id.clone()))) } }
                }
            }
        }
    }

    /// A unit to tap, with what rules it out.
    fn pick_view(
        &self,
        unit: &Unit,
        taken: &[String],
        out: Option<&RuledOutBy>,
        message: &play::Message,
    ) -> Markup {
        let times = taken.iter().filter(|id| **id == unit.id).count();
        html! {
            button.pick type="button" aria-pressed=(if times > 0 { "true" } else { "false" }) data-side=(unit.side % 8) data-do=(send(message.clone())) {
                span.pick-name { (unit.name) @if times > 1 { " ×" (times) } }
                span.pick-about {
                    @if self.table.sides().len() > 1 { (self.table.sides()[unit.side]) }
                    @for status in &unit.statuses { " · " (self.pack.statuses()[*status].title) }
                    @if let Some(by @ RuledOutBy::Only { .. }) = out { " · " (en::ruled_out_by(by)) }
                }
            }
        }
    }

    fn role_view(&self, panel: &ActionPanel, place: RoleId, role: &str) -> Markup {
        let each = panel.chart().is_for_each(place);
        let taken = panel.attempt.units(&self.table, role);
        let mut candidates = panel.attempt.candidates(&self.table, place);
        // A role for one unit shows only that unit once it is taken; a second tap frees it.
        if !each && !taken.is_empty() {
            candidates.retain(|candidate| taken.contains(&candidate.unit.id));
        }
        let (able, ruled_out): (Vec<Candidate<'_>>, Vec<Candidate<'_>>) =
            candidates.into_iter().partition(|candidate| {
                taken.contains(&candidate.unit.id) || candidate.ruled_out.is_none()
            });
        let waits = panel.form.waiting.contains(&place);
        let left = able.iter().filter(|one| !taken.contains(&one.unit.id)).count();
        let first = panel.form.waiting.first() == Some(&place);
        html! {
            @if !able.is_empty() || !ruled_out.is_empty() {
                fieldset.role-pick.role-waits[waits].role-each[each] {
                    legend id=[first.then_some("waits")] tabindex=[first.then_some("-1")] { (part_text::role(&self.pack, role)) " " @if waits { span.missing { (text::choose(each)) } } }
                    div.picks {
                        @if each && left > 1 { button.pick.pick-all type="button" data-do=(send(play::Message::PickAll(role.to_owned()))) { span.pick-name { (text::EVERYONE) } } }
                        @for one in able { (self.candidate_view(one.unit, role, each, taken, None)) }
                    }
                    @if !ruled_out.is_empty() {
                        details.picks-out {
                            summary { (text::RULED_OUT) }
                            div.picks { @for one in ruled_out { (self.candidate_view(one.unit, role, each, taken, one.ruled_out)) } }
                        }
                    }
                    @if taken.is_empty() {
                        button.button.button-quiet type="button" aria-pressed=(if waits { "false" } else { "true" }) data-do=(send(play::Message::Unlisted(role.to_owned()))) { (text::stranger(waits)) }
                    }
                }
            }
        }
    }

    fn candidate_view(
        &self,
        unit: &Unit,
        role: &str,
        each: bool,
        taken: &[String],
        out: Option<RuledOutBy>,
    ) -> Markup {
        let times = taken.iter().filter(|id| **id == unit.id).count();
        html! {
            div.pick-pair {
                (self.pick_view(unit, taken, out.as_ref(), &play::Message::Pick(role.to_owned(), unit.id.clone())))
                @if each && times > 0 {
                    button.pick.pick-more type="button" data-do=(send(play::Message::PickAgain(role.to_owned(), unit.id.clone()))) aria-label=(text::once_more(&unit.name)) { (icon::plus()) }
                }
            }
        }
    }

    /// The pending tests after the chart on the panel.
    fn pending_view(&self) -> Markup {
        let in_editor = self.panel.as_ref().and_then(|panel| panel.pending());
        let list: Vec<&PendingTest> = self.table.pending().collect();
        html! {
            @if !list.is_empty() {
                section.pending aria-labelledby="pending" {
                    h2 #pending { (text::DUE) " " span.tab-count { (list.len()) } }
                    ol {
                        @for pending in list { (self.due_view(pending, in_editor == Some(&pending.due.id))) }
                    }
                }
            }
        }
    }

    /// The chance of a pending test, or what it needs first.
    fn chance_of(&self, due: &DueTest) -> Option<&String> {
        self.due_chances.get(&due.id).filter(|chance| !chance.is_empty())
    }

    fn due_view(&self, pending: &PendingTest, here: bool) -> Markup {
        let due = &pending.due;
        let chart = self.pack.chart(&due.chart);
        let title = chart.map_or(due.chart.as_str(), |chart| chart.title.as_str());
        let (rolls, draws) = chart.map_or((true, false), |chart| rolls_or_draws(&self.pack, chart));
        let (who, others) = self.who_rolls(due);
        html! {
            li.due.due-here[here] data-id=(format!("due-{}", due.id)) {
                button.due-open type="button" aria-current=[here.then_some("true")] data-do=(send(play::Message::OpenPending(due.id.clone()))) {
                    b { (text::must(&who, title)) }
                    span { (due.why) @if let Some(chance) = self.chance_of(due) { " · " b.due-chance { (chance) } } @if !others.is_empty() { " · " (others) } @if let Some(side) = &due.side { " · " (side) } @if due.now { " · " (text::AT_ONCE) } }
                }
                @if self.striking.as_ref() == Some(&due.id) {
                    form.strike data-do=(send(play::Message::Skip(due.id.clone(), form_fields()))) {
                        label.field { span.field-label { (text::WHY_STRIKE) } input type="text" name="reason" maxlength="200" placeholder=(text::NO_REASON); }
                        button.button.button-danger type="submit" { (text::STRIKE) }
                        button.button.button-quiet type="button" data-do=(send(play::Message::ConfirmSkip(None))) { (text::NOT) }
                    }
                } @else {
                    @if !here && self.cannot_act().is_none() { button.button.button-small.due-roll type="button" data-do=(send(play::Message::RollPending(due.id.clone()))) aria-label=(text::roll_due(&who, title)) { (chart_text::roll(rolls, draws, false)) } }
                    button.drop type="button" data-do=(send(play::Message::ConfirmSkip(Some(due.id.clone())))) aria-label=(text::strike(title)) title=(text::STRIKE) { (icon::close()) }
                }
            }
        }
    }

    /// The units that roll a pending test, and the others that take part.
    fn who_rolls(&self, due: &DueTest) -> (String, String) {
        let roles = self.pack.chart(&due.chart).map_or(&[][..], |chart| &chart.roles);
        let names = |ids: &Vec<String>| {
            ids.iter().map(|id| play::name(&self.table, id)).collect::<Vec<_>>().join(", ")
        };
        let mut found = roles.iter().filter_map(|role| due.units.get(role.id.as_str())).map(names);
        let first = found.next().unwrap_or_default();
        (first, found.collect::<Vec<_>>().join(", "))
    }

    /// The large button.
    pub fn act_view(&self) -> Markup {
        if let Some(refused) = self.cannot_act() {
            return html! { p.act-hint { (refused) } };
        }
        if self.table.open_call().is_some()
            && self.panel.as_ref().is_none_or(|panel| panel.ask.is_none())
        {
            return self.open_call_view();
        }
        let guide = self.table.guide();
        match &self.panel {
            Some(panel) if panel.ask.is_some() => hint(text::ANSWER_ABOVE),
            None if self.acting.is_some() => html! { p.act-place { (text::TAP_TARGET) } },
            Some(panel) if !(guide.held && panel.by_itself) => html! {
                (self.roll_button(panel))
                @if !guide.endings.is_empty() { div.actions-row { button.button type="button" data-do=(report()) { (icon::sheet()) (text::REPORT) } } }
            },
            _ if guide.held => html! {
                p.act-hint { (text::HELD_NOW) }
                div.actions-row { (main_button(&send(play::Message::Land), icon::check(), text::LAND, "")) }
            },
            _ if !guide.endings.is_empty() => html! {
                div.actions-row {
                    (main_button(&report(), icon::sheet(), text::REPORT, ""))
                    button.button type="button" data-do=(send(play::Message::Phase(String::new()))) { (text::PLAY_ON) }
                }
            },
            _ if self.wants_units() => html! {
                div.actions-row { (main_button(&act(&Outer::Table(Message::Tab(Tab::Roster))), icon::plus(), text::ADD_UNITS, "")) }
            },
            _ if !self.table.state().started && self.table.state().turn == 1 && self.is_fresh() => {
                html! {
                    div.actions-row { (main_button(&send(play::Message::Start), icon::forward(), text::START, &self.units_here())) }
                }
            }
            _ => self.phase_button(),
        }
    }

    /// How many units there are, if there are any.
    fn units_here(&self) -> String {
        match self.table.state().here().count() {
            0 => String::new(),
            count => text::units(count),
        }
    }

    /// Whether nothing was played yet.
    fn is_fresh(&self) -> bool {
        !self.entries.iter().any(|entry| matches!(entry.kind, EntryKind::Roll | EntryKind::Turn))
    }

    fn roll_button(&self, panel: &ActionPanel) -> Markup {
        let chart = panel.chart();
        let (rolls, draws) = rolls_or_draws(&self.pack, chart);
        if let Some(role) = panel.waits_for() {
            return hint(&text::choose_role(&role));
        }
        if let (Some(_), Some(side)) = (panel.asks_other, self.other_side(panel)) {
            return self.other_side_view(side);
        }
        let ready = panel.is_ready();
        html! {
            @if let Some(Ok(report)) = &panel.odds { @if !panel.is_underway() { (odds::strip(&self.pack, chart, report)) } }
            @if !panel.missing.is_empty() { (hint(&missing_hint(chart, &panel.missing))) }
            div.actions-row {
                button.button.button-main type="button" data-key="t" disabled[!ready] aria-busy=[self.waiting.is_some().then_some("true")] data-do=(send(play::Message::Roll)) {
                    (if draws { icon::card() } else { icon::die() })
                    span.act-label { b { (chart_text::roll(rolls, draws, false)) } span { (panel.title(&self.table)) } }
                }
                @if let Some(count) = self.can_roll_all(panel) { button.button type="button" data-key="l" data-do=(send(play::Message::RollAll)) { (text::roll_all(count)) } }
                @if rolls && !self.goes_sealed() { button.button type="button" data-key="o" disabled[!ready] data-do=(send(play::Message::OwnDice)) { (chart_text::own(draws)) } }
            }
        }
    }

    /// Asks before the player rolls for another player's side.
    fn other_side_view(&self, other: &str) -> Markup {
        let mine = self.table.side_of(&self.me).and_then(|side| self.table.sides().get(side));
        html! {
            p.act-hint #for-other tabindex="-1" role="alert" { (text::for_other(mine.map_or("", String::as_str), other)) }
            div.actions-row {
                button.button type="button" data-back data-key="Escape" data-do=(send(play::Message::ForOther(false))) { (text::NOT) }
                button.button type="button" data-do=(send(play::Message::ForOther(true))) { (icon::die()) (text::roll_for(other)) }
            }
        }
    }

    /// How many pending tests can be rolled one after another, if there are several.
    fn can_roll_all(&self, panel: &ActionPanel) -> Option<usize> {
        let count = self.table.pending().count();
        let may = panel.pending().is_some() && panel.is_ready() && !panel.is_underway();
        (may && count > 1 && !self.goes_sealed()).then_some(count)
    }

    fn phase_button(&self) -> Markup {
        let line = self.table.next_phase(&Stamp::new("-", &self.me));
        let step = match line.map(|line| line.event.what) {
            Ok(EventKind::Phase(step)) => step,
            Ok(_) => return html! {},
            Err(rejection) => {
                return html! { p.act-hint { (text::sentence(&en::rejection(&rejection))) } };
            }
        };
        let title = self
            .pack
            .phases()
            .iter()
            .find(|phase| phase.id == step.to)
            .map(|phase| phase.title.to_string());
        let new_turn = step.turn > self.table.state().turn;
        let lifted = step.lifted.iter().map(|(unit, status)| {
            let status = self
                .pack
                .statuses()
                .iter()
                .find(|known| known.id == *status)
                .map_or(status.as_str(), |known| &known.title);
            format!("{}: {}", play::name(&self.table, unit), text::no_longer(status))
        });
        let label = text::next_phase(new_turn.then_some(step.turn), title.as_deref());
        // Not at the place of the roll button: a double tap must not skip a phase.
        html! {
            div.actions-row.act-next { (main_button(&send(play::Message::Phase(String::new())), icon::forward(), &label, &text::brings(&lifted.collect::<Vec<_>>(), step.due.len()))) }
            p.act-place { (text::OR_GO_ON) }
        }
    }
}

/// Whether a chart needs dice or cards, and whether cards are among them.
fn rolls_or_draws(pack: &Pack, chart: &Chart) -> (bool, bool) {
    let luck = pack.luck_of(chart);
    (luck.dice || luck.cards, luck.cards)
}

/// What is missing; a tap leads there.
fn hint(sentence: &str) -> Markup {
    html! { button.act-hint type="button" data-do=(send(play::Message::ShowMissing)) { (sentence) } }
}

fn main_button(what: &str, picture: Markup, label: &str, under: &str) -> Markup {
    html! {
        button.button.button-main type="button" data-key="t" data-do=(what) {
            (picture)
            span.act-label { b { (label) } @if !under.is_empty() { span { (under) } } }
        }
    }
}

/// The message that exports the battle report.
fn report() -> String {
    act(&Outer::Table(Message::More(more::Message::Task(GameTask::Report))))
}

/// Asks for the inputs that are missing, by their labels.
pub(super) fn missing_hint(chart: &Chart, missing: &[String]) -> String {
    let input = |key: &String| match key.split('.').collect::<Vec<_>>()[..] {
        [role, _, id] => chart.input(&format!("{role}.{id}")),
        _ => chart.input(key),
    };
    let label = |key: &String| input(key).map_or(key.clone(), |one| one.field.label.to_string());
    let mut list: Vec<String> = missing.iter().map(label).collect();
    list.dedup();
    let typed = |input: &Input| matches!(input.field.accepts, Accepts::Number { .. });
    text::say_first(&list.join(", "), missing.iter().filter_map(input).any(typed))
}

/// Options and rule readings behind a result.
fn rests_on(_pack: &adjutant_pack::Pack, resolution: &adjutant_engine::Resolution) -> Markup {
    html! {
        @for option in &resolution.options { p.hint { (part_text::OPTION) " " (option.label) ": " (option.value) } }
        @for reading in &resolution.readings { p.hint { i { (reading.standing.name()) ": " } (reading.text) } }
    }
}
