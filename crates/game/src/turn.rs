//! The turn: what a phase lifts and makes due, how a game starts in one step, what is counted on
//! the roster instead of asked, and when the game is over. The pack defines all of it. A phase can
//! make tests due once, for each unit or for each group; on all sides, on those that players run,
//! or on those that the sheet runs. The `phase` line records it as a play records its outcome: the
//! fold applies it, `verify` and `replay` compute it again. A start of the pack makes the lines
//! `begin`, `add` and `start`.

use crate::event::{Begin, Decks, DueTest, EventKind, NewUnit, PhaseStep, UnitsByRole};
use crate::joined::Joined;
use crate::log_line::{LogLine, Stamp};
use crate::rejection::{Rejection, SetupRejection, unknown};
use crate::roster;
use crate::state::{State, Unit, written};
use crate::table::Table;
use adjutant_dice::{Number, map_of};
use adjutant_pack::{
    Chart, Count, CountBy, DeckId, DeckSheet, DueFor, Ending, Formula, Id, IdVec, KindId, Left,
    NameSource, Noun, OptionId, Pack, Phase, PhaseDue, PhaseId, Relation, Sides, Slot, StatusId,
    Template, TurnOrigin, UnknownName, Value, Wins,
};
use std::sync::Arc;

impl Begin {
    /// Whether each side has a deck of its own: by the game's setup, or because the pack says so.
    pub fn is_own(&self, deck: &DeckSheet) -> bool {
        deck.chits.is_none() && (!self.decks.is_shared() || deck.per_side)
    }

    /// Whether each side has its own of any deck.
    pub fn has_own_decks(&self, pack: &Pack) -> bool {
        pack.decks().iter().any(|deck| self.is_own(deck))
    }

    /// Whether the sheet runs this side (by index) because it has no player.
    pub fn is_run_by_sheet(&self, side: usize) -> bool {
        self.sides.get(side).is_some_and(|side| self.run_by_sheet.contains(side))
    }
}

impl Unit {
    /// Whether a status takes the unit out of play while it stays on the roster.
    pub fn is_out(&self, pack: &Pack) -> bool {
        self.statuses.iter().any(|status| pack.statuses()[*status].out)
    }
}

/// Whether a condition of the turn holds. `unit` is the unit it is about.
fn holds(pack: &Pack, state: &State, when: Option<&Formula>, unit: Option<&Unit>) -> bool {
    when.is_none_or(|when| worth(pack, state, when, unit, None).is_some_and(Value::is_yes))
}

/// The value of an expression of the turn.
fn worth(
    pack: &Pack,
    state: &State,
    formula: &Formula,
    unit: Option<&Unit>,
    side: Option<usize>,
) -> Option<Value> {
    let value = |origin: &TurnOrigin| match origin {
        TurnOrigin::Unit(id) => unit?.facet(pack, id),
        TurnOrigin::Option(place) => state.options.get(*place).copied(),
        TurnOrigin::Memory(place) => state.memory.get(*place).copied(),
        TurnOrigin::SideMemory(place) => state.memory_of(pack, side?, *place),
    };
    let values: IdVec<Slot, Option<Value>> =
        pack.turn_names().iter().map(|name| value(&name.origin)).collect();
    formula.eval_partly(&values, &mut Vec::new())
}

/// The units of a kind that still take part, on the given sides.
fn taking_part<'a>(
    pack: &'a Pack,
    setup: &'a Begin,
    state: &'a State,
    kind: KindId,
    sides: Sides,
) -> impl Iterator<Item = &'a Unit> {
    let meant = move |unit: &&Unit| {
        unit.kind == kind && sides.means(setup.is_run_by_sheet(unit.side)) && !unit.is_out(pack)
    };
    state.here().filter(meant)
}

/// The units that have a chit in a bag now.
pub(crate) fn in_bag<'a>(
    pack: &'a Pack,
    setup: &'a Begin,
    state: &'a State,
    chits: &'a Left,
) -> impl Iterator<Item = &'a Unit> {
    taking_part(pack, setup, state, chits.kind, chits.sides)
        .filter(|unit| holds(pack, state, chits.when.as_ref(), Some(unit)))
}

/// The leading unit of each group.
fn leaders<'a>(
    pack: &Pack,
    units: impl Iterator<Item = &'a Unit>,
    lead: Option<&str>,
) -> Vec<&'a Unit> {
    let mut found: Vec<&Unit> = Vec::new();
    let rank = |unit: &Unit| lead.and_then(|id| unit.facet(pack, id)).and_then(Value::number);
    for unit in units {
        match found.iter_mut().find(|known| known.is_with(unit)) {
            Some(known) if rank(unit) > rank(known) => *known = unit,
            Some(_) => {}
            None => found.push(unit),
        }
    }
    found
}

/// The tests that become due, one for each unit, group or time. Ids are assigned later.
fn falls_due(pack: &Pack, setup: &Begin, state: &State, lines: &[PhaseDue]) -> Vec<DueTest> {
    let mut list = Vec::new();
    for line in lines {
        let chart = &pack.charts()[line.chart];
        if chart
            .needs_option
            .is_some_and(|option| !state.options.get(option).copied().is_some_and(Value::is_yes))
            || pack.only_draws_from(chart, |deck| !state.has(deck))
        {
            continue;
        }
        let due = |unit: Option<&Unit>, role: &str| {
            let with = line.with.iter().filter_map(|(name, formula)| {
                Some((name.to_string(), written(pack, worth(pack, state, formula, unit, None)?)))
            });
            DueTest {
                chart: chart.id.to_string(),
                why: line.why.to_string(),
                units: map_of(unit.map(|unit| (role.to_owned(), vec![unit.id.clone()]))),
                with: map_of(with),
                side: unit.map(|unit| setup.sides[unit.side].clone()),
                ..DueTest::default()
            }
        };
        let units = |role: &str| {
            let kind = chart.role(role).map(|role| chart.roles[role].kind);
            let there =
                kind.into_iter().flat_map(|kind| taking_part(pack, setup, state, kind, line.sides));
            there.filter(|unit| holds(pack, state, line.when.as_ref(), Some(unit)))
        };
        match &line.due_for {
            DueFor::Times(_) if !holds(pack, state, line.when.as_ref(), None) => {}
            DueFor::Times(times) => list.extend((0..*times).map(|_| due(None, ""))),
            DueFor::Each(role) => list.extend(units(role).map(|unit| due(Some(unit), role))),
            DueFor::Group(role, lead) => {
                let lead = lead.as_ref().map(|id| id.as_str());
                list.extend(
                    leaders(pack, units(role), lead).into_iter().map(|unit| due(Some(unit), role)),
                );
            }
        }
    }
    list
}

fn number(list: &mut [DueTest], n: u64) {
    for (place, due) in list.iter_mut().enumerate() {
        due.id = format!("{n}.{}", place + 1);
    }
}

impl State {
    /// Whether a phase is open: no option closes it, and its cards were supplied.
    pub(crate) fn is_open(&self, pack: &Pack, phase: PhaseId) -> bool {
        let on = |option: OptionId| self.options.get(option).copied().is_some_and(Value::is_yes);
        let open = |phase: &Phase| {
            phase.needs_option.is_none_or(on) && phase.needs_deck.is_none_or(|deck| self.has(deck))
        };
        pack.phases().get(phase).is_some_and(open)
    }

    /// Whether the cards of a deck are in the game.
    pub(crate) fn has(&self, deck: DeckId) -> bool {
        self.decks.first().and_then(|decks| decks.get(deck)).is_some_and(|deck| deck.size() > 0)
    }

    /// The turn in which a phase comes next.
    pub(crate) fn turn_of(&self, to: PhaseId) -> u32 {
        if to <= self.phase { self.turn + 1 } else { self.turn }
    }

    /// The step to the next phase, or to the given one: what ends, what is lifted and what becomes
    /// due.
    pub(crate) fn step(
        &self,
        pack: &Pack,
        setup: &Begin,
        n: u64,
        to: Option<PhaseId>,
    ) -> PhaseStep {
        let all = || pack.phases().ids();
        let next = || {
            all()
                .filter(|phase| *phase > self.phase)
                .chain(all())
                .find(|phase| self.is_open(pack, *phase))
        };
        let to = to.or_else(next).unwrap_or(PhaseId::FIRST);
        let mut step = PhaseStep { turn: self.turn_of(to), ..PhaseStep::default() };
        let Some(phase) = pack.phases().get(to) else { return step };
        step.to = phase.id.to_string();
        let mut after = self.clone();
        for unit in self.here() {
            let ends = |status: &StatusId| pack.statuses()[*status].ends == Some(self.phase);
            let lifted = |status: &StatusId| {
                !unit.is_out(pack)
                    && phase.lift.iter().any(|lift| {
                        let meant = lift.statuses.contains(status)
                            && lift.sides.means(setup.is_run_by_sheet(unit.side));
                        meant && holds(pack, self, lift.when.as_ref(), Some(unit))
                    })
            };
            for status in unit.statuses.iter().filter(|status| ends(status) || lifted(status)) {
                step.lifted.push((unit.id.clone(), pack.statuses()[*status].id.to_string()));
                if let Ok(unit) = after.unit_mut(&unit.id) {
                    unit.statuses.retain(|known| known != status);
                }
            }
        }
        step.due = falls_due(pack, setup, &after, &phase.due);
        number(&mut step.due, n);
        step
    }

    /// The tests that are due when the game starts: first those of the pack's start, then those of
    /// the first phase.
    pub(crate) fn opening(&self, pack: &Pack, setup: &Begin, n: u64) -> Vec<DueTest> {
        let start = pack.start(&setup.start).map_or(&[][..], |start| &start.due);
        let mut list = falls_due(pack, setup, self, start);
        list.extend(falls_due(
            pack,
            setup,
            self,
            pack.phases().get(self.phase).map_or(&[][..], |phase| &phase.due),
        ));
        number(&mut list, n);
        list
    }
}

/// The value of an expression on a unit of the roster, which a chart names `other`.
pub(crate) fn of_unit(
    pack: &Pack,
    state: &State,
    chart: &Chart,
    unit: &Unit,
    formula: &Formula,
) -> Option<Value> {
    let value = |name: &adjutant_pack::Name| match name.origin {
        NameSource::Other => unit.facet(pack, name.text.strip_prefix("other.")?),
        NameSource::Option(place) => state.options.get(place).copied(),
        NameSource::Memory(place) => state.memory.get(place).copied(),
        _ => None,
    };
    let values: IdVec<Slot, Option<Value>> = chart.names.iter().map(value).collect();
    formula.eval_partly(&values, &mut Vec::new())
}

/// Counts on the roster what a question asks for. If its role has no unit, the count is made only
/// if it is unambiguous: players have exactly one group, and the sheet runs all other sides.
pub(crate) fn counted(
    pack: &Pack,
    setup: &Begin,
    state: &State,
    chart: &Chart,
    count: &Count,
    (who, joined): (&UnitsByRole, &Joined<'_>),
) -> Option<Number> {
    let worked_out = |unit: &Unit, formula: &Formula| of_unit(pack, state, chart, unit, formula);
    let concerned = |unit: &&Unit| {
        count.when.as_ref().is_none_or(|when| worked_out(unit, when).is_some_and(Value::is_yes))
    };
    let number = |unit: &Unit| match count.by.formula() {
        Some(formula) => worked_out(unit, formula)?.number(),
        None => Some(Number::ONE),
    };
    let tally = |units: &mut dyn Iterator<Item = &Unit>| {
        let numbers: Vec<Number> = units.map(number).collect::<Option<_>>()?;
        match count.by {
            CountBy::Number | CountBy::Sum(_) => {
                numbers.into_iter().try_fold(Number::ZERO, |sum, more| sum.plus(more).ok())
            }
            CountBy::Least(_) => numbers.into_iter().min(),
            CountBy::Most(_) => numbers.into_iter().max(),
        }
    };
    let all = |sides| taking_part(pack, setup, state, count.kind, sides).filter(concerned);
    let role = &chart.roles[count.from].id;
    let Some(of) = who.get(role.as_str()).and_then(|units| state.unit(units.first()?)) else {
        let doubtless =
            count.relation == Relation::Group && !setup.run_by_sheet.is_empty() && !count.lost;
        let groups = leaders(pack, all(Sides::Players), None).len();
        let known = doubtless && groups == 1;
        return tally(&mut all(Sides::Players)).filter(|_| known && !count.others);
    };
    let related = |unit: &&Unit| {
        let meant = match count.relation {
            Relation::Group => unit.is_with(of),
            Relation::Joined => unit.id == of.id || joined.has(count.from, unit),
            Relation::Side => unit.side == of.side,
            Relation::Enemy => unit.side != of.side,
            Relation::All => true,
        };
        meant && !(count.others && unit.id == of.id)
    };
    if count.lost {
        let lost =
            |unit: &&Unit| unit.kind == count.kind && (unit.gone.is_some() || unit.is_out(pack));
        let units = state.units.iter().map(AsRef::as_ref).filter(lost).filter(concerned);
        return tally(&mut units.filter(related));
    }
    tally(&mut all(Sides::All).filter(related))
}

impl NewUnit {
    /// Makes a unit from a template of the pack. With an empty name it gets the template's own.
    pub fn from_template(
        pack: &Pack,
        template: &str,
        name: &str,
        side: &str,
    ) -> Result<NewUnit, UnknownName> {
        let known = || pack.templates().iter().map(|template| template.id.as_str());
        let found = pack
            .template(template)
            .ok_or_else(|| UnknownName::new(Noun::Template, template, known()))?;
        let mut recruit =
            NewUnit { name: name.to_owned(), side: side.to_owned(), ..NewUnit::default() };
        recruit.take_from(pack, found);
        Ok(recruit)
    }

    /// Fills in what the template defines and the unit does not.
    pub(crate) fn take_from(&mut self, pack: &Pack, template: &Template) {
        let kind = &pack.kinds()[template.kind];
        if self.kind.is_empty() {
            self.kind = kind.id.to_string();
        }
        if self.name.is_empty() {
            self.name = template.name.to_string();
        }
        for (place, value) in &template.has {
            self.has.entry(kind.has[*place].id.to_string()).or_insert(written(pack, *value));
        }
        if self.statuses.is_empty() {
            self.statuses = template
                .statuses
                .iter()
                .map(|status| pack.statuses()[*status].id.to_string())
                .collect();
        }
    }
}

impl Table {
    /// The lines that set up a game from one of the pack's starts: `begin`, the units, and the
    /// tests that are due. The caller stores and applies them in order. The values in `begin`
    /// (name, other side names, options) override those of the start.
    pub fn begin_from(
        &self,
        stamp: &Stamp,
        start: &str,
        begin: Begin,
    ) -> Result<Vec<LogLine>, Rejection> {
        let known = || self.pack.starts().iter().map(|start| start.id.as_str());
        let pack = self.pack.clone();
        let found = pack.start(start).ok_or_else(|| unknown(Noun::Start, start, known()))?;
        let mut begin = Begin { start: start.to_owned(), ..begin };
        if begin.sides.is_empty() {
            begin.sides = found.sides.iter().map(|side| side.title.to_string()).collect();
        } else if begin.sides.len() != found.sides.len() {
            let (wanted, given) = (found.sides.len(), begin.sides.len());
            return Err(
                SetupRejection::StartSides { start: found.title.clone(), wanted, given }.into()
            );
        }
        let named = found.sides.iter().zip(&begin.sides).filter(|(side, _)| side.run_by_sheet);
        begin.run_by_sheet = named.map(|(_, name)| name.clone()).collect();
        if found.decks_per_side {
            begin.decks = Decks::PerSide;
        }
        for (place, value) in &found.options {
            begin
                .options
                .entry(pack.options()[*place].field.id.to_string())
                .or_insert(written(&pack, *value));
        }
        let mut units = Vec::new();
        for unit in &found.units {
            let template = &pack.templates()[unit.template];
            let name = if unit.name.is_empty() { &template.name } else { &unit.name };
            for nth in 1..=unit.count {
                let name = if unit.count > 1 { format!("{name} {nth}") } else { name.to_string() };
                let mut recruit = NewUnit {
                    name,
                    side: begin.sides[unit.side.index()].clone(),
                    group: unit.group.to_string(),
                    ..NewUnit::default()
                };
                recruit.take_from(&pack, template);
                units.push(recruit);
            }
        }
        let mut table = self.clone();
        let mut lines = vec![table.begin(stamp, begin)?];
        table.follow(&lines[0])?;
        if !units.is_empty() {
            lines.push(table.act(stamp, EventKind::Add(units))?);
            table.follow(&lines[1])?;
        }
        lines.push(table.act(stamp, EventKind::Start { due: Vec::new() })?);
        Ok(lines)
    }

    fn follow(&mut self, line: &LogLine) -> Result<(), Rejection> {
        self.append(&line.text).map_err(|fault| Rejection::Log(Box::new(fault)))
    }

    /// Whether the sheet runs this side (by index) because it has no player.
    pub fn is_run_by_sheet(&self, side: usize) -> bool {
        self.setup.as_ref().is_some_and(|setup| setup.is_run_by_sheet(side))
    }

    /// The endings of the pack that have been reached. If the game never had such units, their
    /// absence ends nothing.
    pub fn endings(&self) -> Vec<ReachedEnding<'_>> {
        let Some(setup) = &self.setup else { return Vec::new() };
        let (pack, state) = (&self.pack, &self.state);
        let counts = |left: &Left, unit: &Unit, side: Option<usize>| {
            !left.own || side.is_none_or(|side| unit.side == side)
        };
        let none = |left: &Left, side: Option<usize>| {
            let there = |unit: &Unit| {
                counts(left, unit, side) && holds(pack, state, left.when.as_ref(), Some(unit))
            };
            !taking_part(pack, setup, state, left.kind, left.sides).any(there)
        };
        let ever = |left: &Left, side: Option<usize>| {
            let meant = |unit: &Arc<Unit>| {
                unit.kind == left.kind
                    && counts(left, unit, side)
                    && left.sides.means(setup.is_run_by_sheet(unit.side))
            };
            state.units.iter().any(meant)
        };
        let gone = |ending: &Ending, side: Option<usize>| {
            let mut all = ending.none.iter();
            ending.none.is_empty()
                || (all.all(|left| none(left, side))
                    && ending.none.iter().any(|left| ever(left, side)))
        };
        let holds = |when: Option<&Formula>, side: Option<usize>| {
            when.is_none_or(|when| worth(pack, state, when, None, side).is_some_and(Value::is_yes))
        };
        let mut reached = Vec::new();
        for ending in pack.endings() {
            let mut sides: Vec<Option<usize>> = match ending.per_side {
                true => (0..setup.sides.len()).map(Some).collect(),
                false => vec![None],
            };
            sides.retain(|side| gone(ending, *side) && holds(ending.when.as_ref(), *side));
            for side in &sides {
                let winners = ending.wins.as_ref().map(|wins| self.winners(wins, *side, &sides));
                reached.push(ReachedEnding { ending, side: *side, winners });
            }
        }
        reached
    }

    /// The values of a unit that are worked out from others, each with its label.
    pub fn worked_out(&self, unit: &Unit) -> Vec<(&adjutant_pack::DerivedValue, Value)> {
        let value = |derived: &adjutant_pack::DerivedValue| {
            worth(&self.pack, &self.state, &derived.formula, Some(unit), Some(unit.side))
        };
        let all = self.pack.kinds()[unit.kind].derived.iter();
        all.filter_map(|derived| Some((derived, value(derived)?))).collect()
    }

    /// The sides that have won, by index. `all` are the sides for which the ending holds.
    fn winners(&self, wins: &Wins, side: Option<usize>, all: &[Option<usize>]) -> Vec<usize> {
        let sides = 0..self.sides().len();
        match wins {
            Wins::None => Vec::new(),
            Wins::Side => side.into_iter().collect(),
            Wins::Enemy => sides.filter(|other| !all.contains(&Some(*other))).collect(),
            Wins::Most(formula) => {
                let score = |side: usize| {
                    worth(&self.pack, &self.state, formula, None, Some(side))
                        .and_then(Value::number)
                };
                let best = sides.clone().filter_map(score).max();
                let first: Vec<usize> = sides.filter(|side| score(*side) == best).collect();
                // Equal sides share nothing: no side has won.
                if first.len() == 1 { first } else { Vec::new() }
            }
        }
    }
}

/// An ending that has been reached.
#[derive(Clone, Debug)]
pub struct ReachedEnding<'a> {
    /// The ending.
    pub ending: &'a Ending,
    /// The side for which its condition holds, by index.
    pub side: Option<usize>,
    /// The sides that have won, by index: none if the ending does not say, empty if no side has.
    pub winners: Option<Vec<usize>>,
}

impl std::ops::Deref for ReachedEnding<'_> {
    type Target = Ending;

    fn deref(&self) -> &Ending {
        self.ending
    }
}

/// Lifts the statuses that a step records. `verify` checks whether the sheet agrees.
pub(crate) fn lift_all(state: &mut State, pack: &Pack, step: &PhaseStep) -> Result<(), Rejection> {
    step.lifted
        .iter()
        .try_for_each(|(unit, status)| roster::lift(pack, state.unit_mut(unit)?, status))
}
