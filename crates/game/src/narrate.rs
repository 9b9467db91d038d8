//! What a screen prints under a result, and what it says is to be done next. The sheet runs a side by what its results
//! mean; a player who is alone must be told in words what the enemy does and why, and never wonder whose test is next.

use crate::event::{EventKind, PhaseStep, PlayRecord, RecordedChange, RecordedChangeKind, ResultRecord};
use crate::play::unit_of_member;
use crate::state::{PendingTest, State, Unit};
use crate::table::{LogError, LogFault, Table};
use crate::undo::{ConsentRequest, lapsed};
use crate::words::{Words, lapse_in_words};
use adjutant_engine::{Resolution, RollStep};
use adjutant_pack::{Chart, Ending, OptionId, Phase, RoleId, StepKind};

/// What is to be done now.
#[derive(Clone, Debug)]
pub struct Guide<'a> {
    /// The turn.
    pub turn: u32,
    /// The phase; none where the pack has none.
    pub phase: Option<&'a Phase>,
    /// The test that comes first.
    pub next: Option<&'a PendingTest>,
    /// The side it concerns, by its place.
    pub side: Option<usize>,
    /// Whether attacks declared together wait to take effect.
    pub held: bool,
    /// What may be thrown in this phase, where nothing is due.
    pub charts: Vec<&'a Chart>,
    /// The endings that have come about.
    pub endings: Vec<&'a Ending>,
    /// All of it in a few sentences.
    pub says: Vec<String>,
}

/// A line, told.
#[derive(Clone, Debug, Default)]
pub struct LineWording {
    /// As the log has it.
    pub words: String,
    /// What it means, as [`Table::told`] has it.
    pub means: Vec<String>,
    /// Of a play, the whole account.
    pub account: Option<Resolution>,
    /// The request for consent that it ended without doing what was asked for.
    pub lapsed: Option<ConsentRequest>,
}

impl Table {
    /// What is to be done now: what is due first and for whom, else what the phase is for and what may be thrown in it.
    pub fn guide(&self) -> Guide<'_> {
        let (phase, turn) = self.turn();
        let next = self.pending().next();
        let endings = self.endings();
        let charts: Vec<&Chart> = match (next, phase) {
            (None, Some(phase)) => {
                phase.charts.iter().map(|chart| &self.pack.charts()[*chart]).filter(|chart| self.can_be_thrown(chart)).collect()
            }
            _ => Vec::new(),
        };
        let side = next.and_then(|pending| self.sides().iter().position(|side| Some(side) == pending.due.side.as_ref()));
        let mut guide = Guide { turn, phase, next, side, held: !self.state.held.is_empty(), charts, endings, says: Vec::new() };
        guide.says = self.guide_in_words(&guide);
        guide
    }

    /// Whether no option closes a chart and there are units that can take its roles.
    fn can_be_thrown(&self, chart: &Chart) -> bool {
        let on = |option: OptionId| self.state.options.get(option).copied().is_some_and(adjutant_pack::Value::is_yes);
        let Some(place) = self.pack.chart_id(&chart.id) else { return false };
        let able = |unit: &Unit, at: RoleId| {
            let fit = !unit.is_out(&self.pack) && unit.stopped_by(&self.pack, place, at).is_none();
            fit && unit.kind == chart.roles[at].kind
        };
        let enemies = |unit: &Unit, role: &adjutant_pack::Role| {
            let faces = |other: &RoleId| self.state.here().any(|known| known.side != unit.side && able(known, *other));
            self.sides().len() < 2 || role.enemies.iter().all(faces)
        };
        let there = |(at, role): (RoleId, &adjutant_pack::Role)| self.state.here().any(|unit| able(unit, at) && enemies(unit, role));
        chart.needs_option.is_none_or(on) && chart.roles.iter_enumerated().all(there)
    }

    fn guide_in_words(&self, guide: &Guide<'_>) -> Vec<String> {
        let mut says: Vec<String> = guide.endings.iter().map(|ending| sentence(&format!("{}. {}", ending.title, ending.means))).collect();
        if guide.held {
            says.push("Attacks declared together wait: throw the rest of them, then let them take effect.".into());
        }
        let whose = |side: usize| {
            let run = if self.is_run_by_sheet(side) { ", run by the sheet" } else { "" };
            format!(" ({}{run})", self.sides()[side])
        };
        match (guide.next, guide.phase) {
            (Some(next), _) => {
                let whose = guide.side.map(whose).unwrap_or_default();
                let more = match self.state.pending.len() - 1 {
                    0 => String::new(),
                    1 => " One more test is due after it.".into(),
                    more => format!(" {more} more tests are due after it."),
                };
                says.push(format!("Next: {}{whose}.{more}", self.pending_in_words(next)));
            }
            (None, Some(phase)) if guide.endings.is_empty() && !guide.held => {
                says.push(sentence(&format!("{}. {}", phase.title, phase.text)));
                let titles: Vec<&str> = guide.charts.iter().map(|chart| chart.title.as_str()).collect();
                let may = if titles.is_empty() { String::new() } else { format!("You may throw: {}. ", titles.join(", ")) };
                says.push(format!("{may}When you have done, go on to the next phase."));
            }
            (None, None) if guide.endings.is_empty() && !guide.held => says.push("Nothing is due.".into()),
            _ => {}
        }
        says
    }

    /// What an event means, in sentences for a screen: what each unit threw, what it got, what that tells it to do. What is due after
    /// it is for [`Table::guide`].
    pub fn told(&self, n: u64) -> Result<Vec<String>, LogError> {
        let Some(line) = n.checked_sub(1).and_then(|place| self.lines.get(place as usize)) else { return Ok(Vec::new()) };
        let mut before = Table::empty(self.pack.clone());
        before.any_rules = self.any_rules;
        for line in &self.lines[..n as usize - 1] {
            before.take(line)?;
        }
        before.tell_next(line).map(|telling| telling.means)
    }

    /// Tells the next line before it is applied, without folding the log anew: a screen that follows a long game asks this of each
    /// line, and [`Table::counts`] of those before.
    pub fn tell_next(&self, line: &str) -> Result<LineWording, LogError> {
        let event = self.read_next(line)?;
        let mut after = self.clone();
        after.take_read(&event, line)?;
        let words = Words { pack: &self.pack, before: &self.state, state: &after.state, circle: &self.circle };
        let lapsed = lapsed(self.asked.as_ref(), &event.what, after.asked.as_ref());
        let words = words.event(&event) + &lapse_in_words(lapsed);
        let mut told = LineWording { words, lapsed: lapsed.cloned(), ..LineWording::default() };
        match &event.what {
            EventKind::Play(played) => {
                let (_, account) =
                    self.again(&event, played).map_err(|stop| LogError { event: event.n, fault: LogFault::NotReplayable(stop) })?;
                told.means = Narrator { table: &after, before: &self.state, played, account: &account }.sentences();
                told.account = Some(account);
            }
            EventKind::Phase(step) => {
                told.means = after.phase_told(step);
            }
            _ => {}
        }
        Ok(told)
    }

    /// Whether an event counts: it can be undone, and was not.
    pub fn counts(&self, n: u64) -> bool {
        self.acts.binary_search_by_key(&n, |act| act.n).is_ok()
    }
}

impl Table {
    /// A phase that has begun: what it is for, and what ended.
    pub(crate) fn phase_told(&self, step: &PhaseStep) -> Vec<String> {
        let phase = self.pack.phases().iter().find(|phase| phase.id == step.to);
        let told = phase.map(|phase| sentence(&format!("{}. {}", phase.title, phase.text))).into_iter();
        told.chain(step.lifted.iter().map(|(unit, status)| self.no_longer(unit, status))).collect()
    }

    fn no_longer(&self, unit: &str, status: &str) -> String {
        let name = self.state.unit(unit).map_or(unit, |unit| &unit.name);
        let title = self.pack.statuses().iter().find(|known| known.id == status).map_or(status, |known| &known.title);
        format!("{name}: no longer {title}.")
    }
}

/// A text that ends like a sentence.
fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

pub(crate) struct Narrator<'a> {
    pub table: &'a Table,
    pub before: &'a State,
    pub played: &'a PlayRecord,
    pub account: &'a Resolution,
}

impl Narrator<'_> {
    pub fn sentences(&self) -> Vec<String> {
        let words = Words { pack: &self.table.pack, before: self.before, state: &self.table.state, circle: &self.table.circle };
        let mut told: Vec<String> = self.results(&words);
        if !self.played.held {
            let effects = words.effects(&self.played.effects, Some(self.played));
            told.extend(Some(effects.trim().to_owned()).filter(|text| !text.is_empty()));
        }
        if !self.played.appear.is_empty() {
            told.push(self.newcomers());
        }
        let anyway = words.anyway(&self.played.chart, &self.played.who, self.played.anyway);
        told.extend(Some(anyway.trim().to_owned()).filter(|text| !text.is_empty()));
        told
    }

    fn name(&self, id: &str) -> String {
        self.table.state.unit(id).map_or_else(|| id.to_owned(), |unit| unit.name.clone())
    }

    /// Each result with its numbers: `PEF 2 – passes 1: Advances, 4 inches. Comes straight at the player …`.
    fn results(&self, words: &Words<'_>) -> Vec<String> {
        let several = !self.account.members.is_empty();
        let pack = &self.table.pack;
        let unit = pack.chart(&self.played.chart).map_or("", |chart| chart.read.unit.as_str());
        let mut told = Vec::new();
        for (place, found) in self.played.results.iter().enumerate() {
            let who = self.whom(&found.on);
            let numbers = self.numbers(if several { Some(found.on.as_str()) } else { None });
            let head = match (who, numbers.is_empty()) {
                (Some(name), true) => format!("{name}: "),
                (Some(name), false) => format!("{name} – {numbers}: "),
                (None, false) => format!("{numbers}: "),
                (None, true) => String::new(),
            };
            let value = match (self.played.says.as_str(), self.played.value.as_str()) {
                _ if place > 0 || several => String::new(),
                ("", "") => String::new(),
                ("", value) => format!(", {}", format!("{value} {unit}").trim()),
                (says, _) => format!(", {says}"),
            };
            let means = self.means(found);
            let because = if found.because.is_empty() { String::new() } else { format!(" ({})", found.because) };
            let title = found.title.trim_end_matches('.');
            told.push(sentence(&format!("{} {means}", sentence(&format!("{head}{title}{value}{because}")))));
        }
        if self.played.results.is_empty() {
            let value = if self.played.says.is_empty() { format!("{} {unit}", self.played.value) } else { self.played.says.clone() };
            told.extend(Some(sentence(&value)).filter(|text| !text.is_empty()));
        }
        let order = words.order(self.played);
        told.extend(Some(order.trim().to_owned()).filter(|text| !text.is_empty()));
        told
    }

    /// What a result means; one that only puts on a status means what that does.
    fn means(&self, found: &ResultRecord) -> &str {
        let pack = &self.table.pack;
        let own = pack.results().iter().find(|known| known.id == found.id).map_or("", |known| known.means.as_str());
        if !own.is_empty() {
            return own;
        }
        let put_on = |effect: &&RecordedChange| effect.kind == RecordedChangeKind::Status && effect.on == found.on && !found.on.is_empty();
        let status = |effect: &RecordedChange| pack.statuses().iter().find(|known| known.id == effect.what && known.title == found.title);
        self.played.effects.iter().filter(put_on).find_map(status).map_or("", |status| &status.means)
    }

    /// Who got a result: `Enemy 1, target Star` where it falls on another than the one who acts.
    fn whom(&self, on: &str) -> Option<String> {
        let first = self.first();
        if on.is_empty() || first.as_deref() == Some(on) || !self.account.order.is_empty() {
            return if on.is_empty() { first } else { Some(on.to_owned()) }.map(|id| self.name(&id));
        }
        let role = self.played.who.iter().find(|(_, units)| units.iter().any(|unit| unit == on)).map_or("", |(role, _)| role);
        let acts = first.filter(|first| !self.played.who.get(role).is_some_and(|units| units.contains(first)));
        Some(match acts {
            Some(first) => format!("{}, {} {}", self.name(&first), role.replace('_', " "), self.name(on)),
            None => self.name(on),
        })
    }

    /// The unit that a play is about.
    fn first(&self) -> Option<String> {
        let chart = self.table.pack.chart(&self.played.chart)?;
        chart.roles.iter().find_map(|role| self.played.who.get(role.id.as_str())?.first().cloned())
    }

    /// What was counted or added up, of one of several units or of all: `passes 1`, `Firer 9, Target 6`.
    fn numbers(&self, of: Option<&str>) -> String {
        let meant = |throw: &&RollStep| {
            let own = throw.of.as_ref().is_none_or(|member| of.is_none_or(|of| unit_of_member(member) == of));
            own && throw.chart == self.account.chart
        };
        let throws: Vec<&RollStep> = self.account.throws.iter().filter(meant).collect();
        let alone = throws.iter().filter(|throw| throw.test.is_some()).count() == 1;
        throws.iter().filter_map(|throw| self.number(throw, alone)).collect::<Vec<_>>().join(", ")
    }

    fn number(&self, throw: &RollStep, alone: bool) -> Option<String> {
        let total = throw.total.as_ref()?;
        let chart = self.table.pack.chart(&throw.chart)?;
        let step = chart.steps.iter().find(|step| step.name == throw.name)?;
        match &step.kind {
            StepKind::Throw(thrown) if thrown.test.is_some() && alone => Some(format!("{} {total}", thrown.counted)),
            StepKind::Throw(thrown) if thrown.test.is_some() => Some(format!("{} {} {total}", throw.title, thrown.counted)),
            // A die that only gives the number that is told anyway says nothing more.
            StepKind::Throw(_) | StepKind::Draw(_) if self.played.value.is_empty() => Some(format!("{} {total}", throw.title)),
            _ => None,
        }
    }

    fn newcomers(&self) -> String {
        let list: Vec<String> = self.played.appear.iter().map(|unit| unit.name.clone()).collect();
        let first = self.played.appear.first();
        let group = first.map(|unit| unit.group.as_str()).filter(|group| !group.is_empty());
        let place = first.map(|unit| unit.notes.as_str()).filter(|notes| !notes.is_empty());
        let group = group.map(|group| format!(" They are the group “{group}”.")).unwrap_or_default();
        let place = place.map(|notes| format!(" Place: {notes}.")).unwrap_or_default();
        let words = Words { pack: &self.table.pack, before: self.before, state: &self.table.state, circle: &self.table.circle };
        let has = |unit: &crate::event::NewUnit| {
            let known = unit.has.iter().map(|(id, value)| format!("{} {value}", words.attribute(&unit.id, id)));
            known.collect::<Vec<_>>().join(", ")
        };
        let has = first.map(has).filter(|has| !has.is_empty()).map(|has| format!(" {has}.")).unwrap_or_default();
        format!("On the table now: {}.{has}{group}{place}", list.join(", "))
    }
}
