//! Checks a fight: sides, inputs, actions of a round, and endings.

use super::builder::{CheckContext, ExpectedType};
use super::names::{status_field, titled};
use super::steps::fits;
use super::vocabulary::{self, Vocabulary, find, kind_of};
use crate::chart::{Chart, FilledFrom, Input, Step, StepKind};
use crate::expr::Formula;
use crate::fight::{
    Action, Fight, FightAbout, FightEnd, FightInput, FightName, FightOrigin, FightRoll, Followed,
    Side, UnitFacet,
};
use crate::ids::{
    AttributeId, ChartId, FightInputId, FightSideId, IdVec, InputId, KindId, RoleId, Slot, StatusId,
};
use crate::pack::Field;
use crate::problem::{FightProblem, NameProblem};
use crate::raw::{RawAction, RawFight};
use crate::tree::{Diagnostics, Located, Place};
use crate::unknown_name::Noun;
use crate::value::{Value, Words};
use adjutant_dice::{Accepts, Answer, Number, Text};

mod names;

/// The maximum number of fights in a pack.
pub const MOST_FIGHTS: usize = 50;
/// The maximum number of actions in a round.
const MOST_ACTIONS: usize = 40;
/// The default maximum number of units on a side.
const USUAL_MOST: i64 = 20;
/// The highest maximum that a pack may set for the units on a side.
const MOST_UNITS: i64 = 100;

/// The state of the check of one fight.
struct FightCheck<'a, 'w> {
    ground: &'a CheckContext<'a>,
    charts: &'a IdVec<ChartId, Chart>,
    words: &'w mut Words,
    sides: IdVec<FightSideId, Side>,
    inputs: IdVec<FightInputId, FightInput>,
    names: IdVec<Slot, FightName>,
    /// The units that are currently in scope: the name and kind of each.
    units: IdVec<RoleId, (Text, KindId)>,
}

pub(super) fn build(
    ground: &CheckContext<'_>,
    raw: &RawFight,
    charts: &IdVec<ChartId, Chart>,
    words: &mut Words,
) -> Fight {
    let mut check = FightCheck {
        ground,
        charts,
        words,
        sides: IdVec::new(),
        inputs: IdVec::new(),
        names: IdVec::new(),
        units: IdVec::new(),
    };
    vocabulary::check_id(&raw.id, ground.faults);
    if charts.iter().any(|chart| chart.id == raw.id.it) {
        ground.faults.add(&raw.id.at, NameProblem::IsAChart { name: raw.id.text() });
    }
    check.sides(raw);
    check.inputs(raw);
    check.out(raw);
    if (raw.actions.is_empty() && !raw.some_unread) || raw.actions.len() > MOST_ACTIONS {
        let problem = FightProblem::ActionCount {
            fight: raw.id.text(),
            found: raw.actions.len(),
            most: MOST_ACTIONS,
        };
        ground.faults.add(&raw.id.at, problem);
    }
    let actions: Vec<Action> =
        raw.actions.iter().filter_map(|action| check.action(action)).collect();
    let follow: Vec<Followed> = raw
        .follow
        .iter()
        .filter_map(|followed| {
            let chart = check.chart(&followed.chart)?;
            check.refuse_what_needs_a_game(chart, &followed.chart.at);
            check.refuse_together(chart, raw, &followed.chart.at);
            check.units =
                charts[chart].roles.iter().map(|role| (role.id.clone(), role.kind)).collect();
            let with = check.with(chart, &followed.with);
            check.units = IdVec::new();
            Some(Followed { chart, with })
        })
        .collect();
    let options = ground.vocabulary.options.iter().map(|option| option.field.id.as_str());
    let needs_option = raw
        .needs_option
        .as_ref()
        .and_then(|option| find(option, Noun::Option, options, ground.faults));
    let mut ends = Vec::new();
    for end in &raw.ends {
        vocabulary::check_id(&end.id, ground.faults);
        let when = end.when.as_ref().and_then(|when| check.formula(when, ExpectedType::YesNo));
        let results = ground.vocabulary.results.iter().map(|result| result.id.as_str());
        let result = end
            .result
            .as_ref()
            .and_then(|result| find(result, Noun::Result, results, ground.faults));
        ends.push(FightEnd { id: end.id.it.clone(), title: end.title.clone(), when, result });
    }
    check.note_what_matters(&actions, &follow);
    Fight {
        id: raw.id.it.clone(),
        title: raw.title.clone(),
        about: raw.about.clone(),
        notes: raw.notes.clone(),
        needs_option,
        sides: check.sides,
        inputs: check.inputs,
        actions,
        follow,
        ends,
        names: check.names,
        place: raw.at.span.clone(),
    }
}

impl FightCheck<'_, '_> {
    fn faults(&self) -> &Diagnostics {
        self.ground.faults
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.ground.vocabulary
    }

    fn formula(&mut self, text: &Located<String>, want: ExpectedType) -> Option<Formula> {
        self.ground.formula(text, want, self)
    }

    fn sides(&mut self, raw: &RawFight) {
        if raw.sides.is_empty() || raw.sides.len() > 4 {
            self.faults().add(
                &raw.id.at,
                FightProblem::SideCount { fight: raw.id.text(), found: raw.sides.len() },
            );
        }
        for side in &raw.sides {
            vocabulary::check_name(&side.id, self.faults());
            let kinds = self.vocabulary().kinds.iter().map(|kind| kind.id.as_str());
            let Some(kind) = find::<KindId>(&side.unit, Noun::UnitKind, kinds, self.faults())
            else {
                continue;
            };
            let most = side.most.as_ref().map_or(Some(USUAL_MOST), |most| most.it.as_whole());
            let most = most.filter(|most| (1..=MOST_UNITS).contains(most)).unwrap_or_else(|| {
                self.faults().add(&side.id.at, FightProblem::UnitCount { most: MOST_UNITS });
                USUAL_MOST
            });
            let title =
                if side.title.is_empty() { titled(&side.id.it) } else { side.title.clone() };
            self.sides.push(Side {
                id: side.id.it.clone(),
                title,
                kind,
                most: most as u32,
                out: None,
                totals: side.totals.iter().filter_map(|total| self.total(kind, total)).collect(),
            });
        }
    }

    /// An attribute that can be added up over units: a number that is never below 0.
    fn total(&self, kind: KindId, id: &Located<String>) -> Option<AttributeId> {
        let has = &self.vocabulary().kinds[kind].has;
        let known = has.iter().map(|field| field.id.as_str());
        let place: AttributeId = find(id, Noun::Attribute, known, self.faults())?;
        let adds_up =
            matches!(has[place].accepts, Accepts::Number { from, .. } if from >= Number::ZERO);
        if !adds_up {
            self.faults().add(&id.at, FightProblem::NoTotal { attribute: id.text() });
        }
        adds_up.then_some(place)
    }

    fn inputs(&mut self, raw: &RawFight) {
        for place in self.sides.ids() {
            let (id, title, kind, most) = (
                self.sides[place].id.clone(),
                self.sides[place].title.clone(),
                self.sides[place].kind,
                self.sides[place].most,
            );
            if most > 1 {
                let accepts = Accepts::Number {
                    from: Number::ONE,
                    to: Number::from(most),
                    step: Number::ONE,
                };
                let note = String::new();
                let field = Field {
                    id: id.as_str().into(),
                    label: format!("{title}: how many").into(),
                    note,
                    accepts,
                    default: Some(Answer::Number(Number::ONE)),
                    start: Some(Value::Number(Number::ONE)),
                };
                self.inputs.push(FightInput {
                    name: id.clone(),
                    field,
                    about: FightAbout::Count(place),
                    matters: true,
                });
            }
            for (attribute, field) in self.ground.vocabulary.kinds[kind].has.iter_enumerated() {
                let about = FightAbout::Attribute(place, attribute);
                let field =
                    Field { label: format!("{title}: {}", field.label).into(), ..field.clone() };
                self.inputs.push(FightInput {
                    name: format!("{id}.{}", field.id),
                    field,
                    about,
                    matters: true,
                });
            }
            for (status, known) in self
                .ground
                .vocabulary
                .statuses
                .iter_enumerated()
                .filter(|(_, known)| known.of.contains(&kind))
            {
                let field = Field {
                    label: format!("{title}: {}", known.title).into(),
                    ..status_field(known)
                };
                self.inputs.push(FightInput {
                    name: format!("{id}.{}", known.id),
                    field,
                    about: FightAbout::Status(place, status),
                    matters: true,
                });
            }
        }
        for ask in &raw.asks {
            if let Some(count) = &ask.field.count {
                self.faults().add(&count.at, FightProblem::NoRoster);
            }
            let mut field = vocabulary::field(&ask.field, self.words, self.ground.faults);
            let mut name = field.id.to_string();
            if let Some(role) = &ask.role {
                let sides = self.sides.iter().map(|side| side.id.as_str());
                let Some(side) = find::<FightSideId>(role, Noun::Side, sides, self.faults()) else {
                    continue;
                };
                name = format!("{}.{}", role.it, field.id);
                field.label = format!("{}: {}", self.sides[side].title, field.label).into();
            }
            if self.inputs.iter().any(|known| known.name == name) {
                self.faults()
                    .add(&ask.field.id.at, NameProblem::AskedTwice { name: name.as_str().into() });
            }
            self.inputs.push(FightInput {
                name,
                field,
                about: FightAbout::Situation,
                matters: true,
            });
        }
    }

    fn out(&mut self, raw: &RawFight) {
        for side in &raw.sides {
            let place = self.sides.position(|known| known.id == side.id.it);
            if let (Some(out), Some(place)) = (&side.out, place) {
                self.units = vec![("unit".into(), self.sides[place].kind)].into();
                self.sides[place].out = self.formula(out, ExpectedType::YesNo);
                self.units = IdVec::new();
            }
        }
    }

    /// Marks the attributes and statuses of units that the fight uses.
    fn note_what_matters(&mut self, actions: &[Action], follow: &[Followed]) {
        let rolled = actions.iter().filter_map(|action| {
            if let Action::Roll(roll) = action { Some(roll.chart) } else { None }
        });
        let charts: Vec<&Chart> = rolled
            .chain(follow.iter().map(|followed| followed.chart))
            .map(|chart| &self.charts[chart])
            .collect();
        let named = |side: FightSideId, facet: UnitFacet| {
            let of_unit = |name: &FightName| matches!(name.origin, FightOrigin::Of(_, known) if known == facet);
            let in_all = |name: &FightName| matches!((name.origin, facet), (FightOrigin::Total(of, known), UnitFacet::Attribute(wanted)) if (of, known) == (side, wanted));
            self.names.iter().any(|name| of_unit(name) || in_all(name))
        };
        let kind_of = |side: FightSideId| self.sides[side].kind;
        let read = |side: FightSideId, id: &str| {
            let of_kind = |chart: &Chart, role: RoleId| chart.roles[role].kind == kind_of(side);
            let reads = |chart: &&Chart| {
                chart.inputs.iter().any(|input| {
                    input.role.is_some_and(|role| of_kind(chart, role))
                        && input.name.split_once('.').is_some_and(|(_, known)| known == id)
                })
            };
            charts.iter().any(reads)
        };
        let matters: Vec<bool> = self
            .inputs
            .iter_enumerated()
            .map(|(place, input)| match input.about {
                FightAbout::Attribute(side, attribute) => {
                    read(side, &input.field.id)
                        || named(side, UnitFacet::Attribute(attribute))
                        || self.sides[side].totals.contains(&attribute)
                        || self.names_input(place)
                }
                FightAbout::Status(side, status) => {
                    let known = &self.vocabulary().statuses[status];
                    let keeps_from = known.out
                        || charts.iter().any(|chart| {
                            known.stops.iter().any(|stopped| self.charts[*stopped].id == chart.id)
                        });
                    keeps_from
                        || read(side, &input.field.id)
                        || named(side, UnitFacet::Status(status))
                        || self.names_input(place)
                }
                FightAbout::Count(_) | FightAbout::Situation => true,
            })
            .collect();
        self.inputs.iter_mut().zip(matters).for_each(|(input, matters)| input.matters = matters);
    }

    fn names_input(&self, place: FightInputId) -> bool {
        self.names.iter().any(|name| name.origin == FightOrigin::Input(place))
    }

    fn side(&self, id: &Located<String>) -> Option<FightSideId> {
        find(id, Noun::Side, self.sides.iter().map(|side| side.id.as_str()), self.faults())
    }

    fn chart(&self, id: &Located<String>) -> Option<ChartId> {
        find(id, Noun::Chart, self.charts.iter().map(|chart| chart.id.as_str()), self.faults())
    }

    /// Reports a chart that reads or changes the memory of a side, or changes a unit by its number,
    /// itself or in a chart that it looks up. A fight has neither.
    fn refuse_what_needs_a_game(&self, chart: ChartId, at: &Place) {
        let memory = &self.vocabulary().side_memory;
        let mut seen = vec![chart];
        let mut next = 0;
        while let Some(known) = seen.get(next).map(|place| &self.charts[*place]) {
            let changes = known.effects().any(|effect| {
                effect.kind.memory().is_some_and(|(place, ..)| memory.contains(place))
            });
            let reads = |input: &Input| matches!(input.source, FilledFrom::SideMemory(_));
            if changes || known.inputs.iter().any(reads) {
                self.faults().add(at, FightProblem::SideMemory { chart: known.id.clone() });
                return;
            }
            if known.effects().any(|effect| effect.nth.is_some()) {
                self.faults().add(at, FightProblem::NumberedUnit { chart: known.id.clone() });
                return;
            }
            let own = |step: &Step| match &step.kind {
                StepKind::Draw(draw) => self.vocabulary().decks[draw.deck].per_side,
                _ => false,
            };
            if known.steps.iter().any(own) {
                self.faults().add(at, FightProblem::DeckPerSide { chart: known.id.clone() });
                return;
            }
            for below in known.look_ups().map(|look_up| look_up.chart) {
                if !seen.contains(&below) {
                    seen.push(below);
                }
            }
            next += 1;
        }
    }

    fn action(&mut self, raw: &RawAction) -> Option<Action> {
        let Some(chart) = &raw.chart else { return self.lift(raw) };
        let chart = self.chart(chart)?;
        let there = &self.charts[chart];
        let roles = there.roles.iter().map(|role| role.id.as_str());
        let mut who: IdVec<RoleId, Option<FightSideId>> = IdVec::filled(None, there.roles.len());
        let mut known_sides = true;
        for (role, side) in &raw.who {
            let role_place = find(role, Noun::RoleOfChart, roles.clone(), self.faults());
            known_sides &= self.side(side).is_some();
            let (Some(role_place), Some(side_place)) =
                (role_place, self.sides.position(|known| known.id == side.it))
            else {
                continue;
            };
            if there.roles[role_place].kind != self.sides[side_place].kind {
                self.faults().add(
                    &role.at,
                    FightProblem::SideOfOtherKind { role: role.text(), side: side.text() },
                );
            }
            who[role_place] = Some(side_place);
        }
        if !known_sides {
            return None;
        }
        if let Some(open) = who.position(Option::is_none) {
            self.faults()
                .add(&raw.at, FightProblem::RoleNotTaken { role: there.roles[open].id.clone() });
            return None;
        }
        let each =
            raw.each.as_ref().and_then(|each| find(each, Noun::RoleOfChart, roles, self.faults()));
        self.units = there.roles.iter().map(|role| (role.id.clone(), role.kind)).collect();
        let when = raw.when.as_ref().and_then(|when| self.formula(when, ExpectedType::YesNo));
        let prefer = raw
            .prefer
            .iter()
            .filter_map(|prefer| self.formula(prefer, ExpectedType::YesNo))
            .collect();
        let with = self.with(chart, &raw.with);
        self.units = IdVec::new();
        self.refuse_what_needs_a_game(chart, &raw.at);
        for input in there
            .inputs
            .iter()
            .filter(|input| input.source == FilledFrom::Situation && input.field.start.is_none())
        {
            let side = input.role.and_then(|role| who[role]).map(|side| &self.sides[side].id);
            let id = input.name.split_once('.').map_or("", |(_, id)| id);
            let asked = side.is_some_and(|side| {
                self.inputs.iter().any(|known| known.name == format!("{side}.{id}"))
            });
            if !asked && !raw.with.iter().any(|(name, _)| name.it == input.name) {
                self.faults().add(
                    &raw.at,
                    FightProblem::InputNotGiven {
                        input: input.name.clone(),
                        chart: there.id.clone(),
                    },
                );
            }
        }
        let who = who.into_iter().flatten().collect();
        Some(Action::Roll(FightRoll { chart, who, each, when, prefer, with, at_once: raw.at_once }))
    }

    fn lift(&mut self, raw: &RawAction) -> Option<Action> {
        let Some(of) = &raw.of else {
            self.faults().add(&raw.at, FightProblem::LiftsFromNoUnit);
            return None;
        };
        let side = self.side(of)?;
        let kind = self.sides[side].kind;
        let known = || self.vocabulary().statuses.iter().map(|status| status.id.as_str());
        let mut statuses = Vec::new();
        for status in &raw.lift {
            let Some(place) = find::<StatusId>(status, Noun::Status, known(), self.faults()) else {
                continue;
            };
            if !self.vocabulary().statuses[place].of.contains(&kind) {
                self.faults().add(
                    &status.at,
                    FightProblem::StatusOfOtherKind { status: status.text(), side: of.text() },
                );
            }
            statuses.push(place);
        }
        self.units = vec![("unit".into(), self.sides[side].kind)].into();
        let when = raw.when.as_ref().and_then(|when| self.formula(when, ExpectedType::YesNo));
        self.units = IdVec::new();
        Some(Action::Lift { side, statuses, when })
    }

    fn with(
        &mut self,
        chart: ChartId,
        raw: &[(Located<String>, Located<String>)],
    ) -> Vec<(InputId, Formula)> {
        let there = &self.charts[chart];
        let mut found = Vec::new();
        for (name, text) in raw {
            let place: Option<InputId> = find(
                name,
                Noun::InputOfChart,
                there.inputs.iter().map(|input| input.name.as_str()),
                self.faults(),
            );
            if let (Some(place), Some(formula)) = (place, self.formula(text, ExpectedType::Any)) {
                let wanted = kind_of(&there.inputs[place].field.accepts, self.words);
                fits(&formula, &wanted, &name.it, &text.at, self.words, self.ground.faults);
                found.push((place, formula));
            }
        }
        found
    }
}

impl FightCheck<'_, '_> {
    /// A fight takes its tests unit by unit. One for a whole group at once is refused.
    fn refuse_together(&self, chart: ChartId, raw: &RawFight, at: &Place) {
        let rolled = raw.actions.iter().filter_map(|action| action.chart.as_ref());
        let followed = raw.follow.iter().map(|followed| &followed.chart);
        let named: Vec<&str> = rolled.chain(followed).map(|chart| chart.it.as_str()).collect();
        let together = |from: &&Chart| {
            let mut all = from.follow_ups().filter(|next| next.chart == chart);
            let used = named.contains(&from.id.as_str());
            used && all.any(|next| next.others.as_ref().is_some_and(|others| others.all))
        };
        if let Some(from) = self.charts.iter().find(together) {
            let (chart, from) = (self.charts[chart].id.clone(), from.id.clone());
            self.faults().add(at, FightProblem::FollowedTogether { chart, from });
        }
    }
}
