//! Checks templates, starts, phases and endings. Their expressions use `unit`, options and what the
//! game remembers.

use super::builder::{CheckContext, ExpectedType};
use super::steps::fits;
use super::vocabulary::{self, Vocabulary, find, find_index, kind_of};
use crate::chart::Chart;
use crate::effect::EffectKind;
use crate::expr::Formula;
use crate::ids::{
    AttributeId, ChartId, EndingId, IdVec, InputId, KindId, OptionId, ReadingId, RoleId, Slot,
    StartId, StatusId, TemplateId,
};
use crate::pack::{DerivedValue, Field, Pack};
use crate::problem::{
    Counted, DeckProblem, EffectProblem, FieldProblem, KeyProblem, NameProblem, Problem,
    TurnProblem,
};
use crate::raw::{RawDeck, RawDue, RawEnding, RawPhaseLift, RawStart, RawTemplate, RawWins};
use crate::tree::{Diagnostics, Located};
use crate::turn::{
    DueFor, Ending, Left, PhaseDue, PhaseLift, Sides, Start, StartSide, StartUnit, Template,
    TurnName, TurnOrigin, Wins,
};
use crate::unknown_name::Noun;
use crate::value::{Value, Words};
use adjutant_dice::Text;

mod names;

/// The value of `sides` with which an ending is tried for each side.
const EACH_SIDE: &str = "each";

/// The maximum number of templates, of starts and of endings in a pack.
pub const MOST_TEMPLATES: usize = 200;
/// The maximum number of units in a start, and of tests that fall due at once for no unit in
/// particular.
const MOST_AT_ONCE: i64 = 100;

struct TurnCheck<'a, 'w> {
    ground: &'a CheckContext<'a>,
    charts: &'a IdVec<ChartId, Chart>,
    words: &'w mut Words,
    names: IdVec<Slot, TurnName>,
    /// The kinds that `unit` may currently be.
    unit: Vec<KindId>,
    /// Whether `side` is in scope.
    side: bool,
    /// The values of units that are being worked out.
    working_out: Vec<String>,
}

/// Checks templates. This comes first, because results and phases may name them.
pub(super) fn templates(
    raw: &[RawTemplate],
    vocabulary: &Vocabulary,
    words: &mut Words,
    faults: &Diagnostics,
) -> IdVec<TemplateId, Template> {
    if raw.len() > MOST_TEMPLATES {
        let problem =
            Problem::TooMany { what: Counted::Templates, most: MOST_TEMPLATES, found: raw.len() };
        faults.add(&raw[MOST_TEMPLATES].id.at, problem);
    }
    raw.iter().map(|template| one_template(template, vocabulary, words, faults)).collect()
}

fn one_template(
    raw: &RawTemplate,
    vocabulary: &Vocabulary,
    words: &mut Words,
    faults: &Diagnostics,
) -> Template {
    vocabulary::check_id(&raw.id, faults);
    let kinds = vocabulary.kinds.iter().map(|kind| kind.id.as_str());
    let kind = raw.kind.as_ref().and_then(|kind| find(kind, Noun::UnitKind, kinds, faults));
    let name = if raw.name.is_empty() { &raw.title } else { &raw.name };
    let mut template = Template {
        id: raw.id.it.as_str().into(),
        title: raw.title.as_str().into(),
        name: name.as_str().into(),
        note: raw.note.as_str().into(),
        kind: kind.unwrap_or(KindId::FIRST),
        has: Vec::new(),
        statuses: Vec::new(),
        reading: raw.reading.as_ref().and_then(|reading| {
            find(reading, Noun::Reading, vocabulary.readings.iter().map(|r| r.id.as_str()), faults)
        }),
    };
    if name.chars().count() > 50 {
        faults.add(&raw.id.at, TurnProblem::NameTooLong);
    }
    let Some(kind) = kind else { return template };
    for (id, text) in &raw.has {
        let has = &vocabulary.kinds[kind].has;
        let Some(place) = find::<AttributeId>(
            id,
            Noun::Attribute,
            has.iter().map(|field| field.id.as_str()),
            faults,
        ) else {
            continue;
        };
        template
            .has
            .extend(read_value(&has[place], text, words, faults).map(|value| (place, value)));
    }
    for status in &raw.statuses {
        let Some(place) = find::<StatusId>(
            status,
            Noun::Status,
            vocabulary.statuses.iter().map(|s| s.id.as_str()),
            faults,
        ) else {
            continue;
        };
        if !vocabulary.statuses[place].of.contains(&kind) {
            let kind = vocabulary.kinds[kind].title.clone();
            faults.add(&status.at, EffectProblem::KindCannotHave { kind, status: status.text() });
        }
        template.statuses.push(place);
    }
    template
}

/// Converts a value as written to one that a field accepts.
fn read_value(
    field: &Field,
    text: &Located<String>,
    words: &mut Words,
    faults: &Diagnostics,
) -> Option<Value> {
    match field.accepts.read(&text.it) {
        Ok(answer) => Value::from_answer(&answer, words),
        Err(error) => {
            let problem = FieldProblem::NotAccepted {
                name: field.id.clone(),
                error,
                accepts: field.accepts.clone(),
            };
            faults.add(&text.at, problem);
            None
        }
    }
}

/// What a game needs, besides templates.
#[derive(Default)]
pub(super) struct Turn {
    phases: Vec<(Vec<PhaseLift>, Vec<PhaseDue>)>,
    starts: IdVec<StartId, Start>,
    endings: IdVec<EndingId, Ending>,
    derived: Vec<Vec<DerivedValue>>,
    bags: Vec<Option<Left>>,
    readings: Vec<ReadingId>,
    names: IdVec<Slot, TurnName>,
}

impl Turn {
    pub fn put_into(self, pack: &mut Pack) {
        for (phase, (lift, due)) in pack.phases.iter_mut().zip(self.phases) {
            (phase.lift, phase.due) = (lift, due);
        }
        for (kind, derived) in pack.kinds.iter_mut().zip(self.derived) {
            kind.derived = derived;
        }
        for (deck, chits) in pack.decks.iter_mut().zip(self.bags) {
            deck.chits = chits;
        }
        (pack.starts, pack.endings, pack.turn_readings, pack.turn_names) =
            (self.starts, self.endings, self.readings, self.names);
    }
}

/// Checks everything that needs the charts.
pub(super) fn build(
    ground: &CheckContext<'_>,
    charts: &IdVec<ChartId, Chart>,
    words: &mut Words,
) -> Turn {
    let mut check = TurnCheck {
        ground,
        charts,
        words,
        names: IdVec::new(),
        unit: Vec::new(),
        side: false,
        working_out: Vec::new(),
    };
    let derived = check.derived_values();
    let raw = ground.raw;
    let mut phases = Vec::new();
    for phase in &raw.phases {
        let lift = phase.lift.iter().map(|lift| check.lift(lift)).collect();
        phases.push((lift, phase.due.iter().filter_map(|due| check.due(due)).collect()));
    }
    for (what, found, place) in [
        (
            Counted::Starts,
            raw.starts.len(),
            raw.starts.get(MOST_TEMPLATES).map(|start| &start.id.at),
        ),
        (Counted::Endings, raw.endings.len(), raw.endings.get(MOST_TEMPLATES).map(|end| &end.at)),
    ] {
        if let Some(at) = place {
            ground.faults.add(at, Problem::TooMany { what, most: MOST_TEMPLATES, found });
        }
    }
    let starts = raw.starts.iter().map(|start| check.start(start)).collect();
    let endings = raw.endings.iter().map(|ending| check.ending(ending)).collect();
    let known = ground.vocabulary.readings.iter().map(|reading| reading.id.as_str());
    let readings = raw
        .turn_readings
        .iter()
        .filter_map(|id| find(id, Noun::Reading, known.clone(), ground.faults))
        .collect();
    let bags = raw.decks.iter().map(|deck| check.bag(deck)).collect();
    Turn { phases, starts, endings, derived, bags, readings, names: check.names }
}

impl TurnCheck<'_, '_> {
    fn faults(&self) -> &Diagnostics {
        self.ground.faults
    }

    fn condition(&mut self, text: Option<&Located<String>>) -> Option<Formula> {
        self.ground.formula(text?, ExpectedType::YesNo, self)
    }

    fn sides(&self, raw: Option<&Located<String>>) -> Sides {
        let place = raw.and_then(|raw| {
            find_index(raw, Noun::Sides, Sides::ALL.iter().map(|(name, _)| *name), self.faults())
        });
        place.map_or(Sides::All, |place| Sides::ALL[place].1)
    }

    /// The sides whose units an ending counts, other than each side's own.
    fn left_on(&self, raw: Option<&Located<String>>) -> Sides {
        let names = || Sides::ALL.iter().map(|(name, _)| *name).chain([EACH_SIDE]);
        let place = raw.and_then(|raw| find_index(raw, Noun::Sides, names(), self.faults()));
        place.and_then(|place| Sides::ALL.get(place)).map_or(Sides::All, |(_, sides)| *sides)
    }

    /// The units that have a chit in a bag.
    fn bag(&mut self, raw: &RawDeck) -> Option<Left> {
        let chits = raw.chits.as_ref()?;
        let kinds = self.ground.vocabulary.kinds.iter().map(|kind| kind.id.as_str());
        let kind: KindId = find(&chits.of, Noun::UnitKind, kinds, self.faults())?;
        self.unit = vec![kind];
        let when = self.condition(chits.when.as_ref());
        self.unit.clear();
        if chits.when.is_none() || when.is_some() {
            let named = |slot: &Slot| match &self.names[*slot].origin {
                TurnOrigin::Unit(id) => Some(id.clone()),
                _ => None,
            };
            let names: Option<Vec<Text>> =
                when.as_ref().map(|when| when.slots().iter().filter_map(named).collect());
            let mut effects = self.charts.iter().flat_map(Chart::effects);
            if !effects.any(|effect| self.takes_chit(&effect.kind, names.as_deref())) {
                let problem = DeckProblem::BagNeverEmpties { deck: raw.id.text() };
                self.faults().add(&raw.id.at, problem);
            }
        }
        Some(Left { kind, sides: Sides::All, own: false, when })
    }

    /// Whether an effect changes what the condition of a bag names, or takes units out of play if
    /// the bag has no condition.
    fn takes_chit(&self, effect: &EffectKind, names: Option<&[Text]>) -> bool {
        let statuses = &self.ground.vocabulary.statuses;
        let Some(names) = names else {
            let out = effect.gives().is_some_and(|status| statuses[*status].out);
            return out || effect.leaves().is_some();
        };
        effect.status().is_some_and(|(status, _)| names.contains(&statuses[*status].id))
            || effect.attribute().is_some_and(|(attribute, ..)| names.contains(attribute))
    }

    fn lift(&mut self, raw: &RawPhaseLift) -> PhaseLift {
        let known = self.ground.vocabulary.statuses.iter().map(|status| status.id.as_str());
        let statuses: Vec<StatusId> = raw
            .statuses
            .iter()
            .filter_map(|id| find(id, Noun::Status, known.clone(), self.faults()))
            .collect();
        self.unit = statuses
            .iter()
            .flat_map(|status| self.ground.vocabulary.statuses[*status].of.clone())
            .collect();
        let when = self.condition(raw.when.as_ref());
        self.unit.clear();
        PhaseLift { statuses, sides: self.sides(raw.sides.as_ref()), when }
    }

    fn due(&mut self, raw: &RawDue) -> Option<PhaseDue> {
        let chart: ChartId = find(
            &raw.chart,
            Noun::Chart,
            self.charts.iter().map(|chart| chart.id.as_str()),
            self.faults(),
        )?;
        let due_for = self.due_for(raw, chart)?;
        if let DueFor::Each(role) | DueFor::Group(role, _) = &due_for {
            self.unit = self.charts[chart]
                .roles
                .iter()
                .filter(|known| known.id == *role)
                .map(|known| known.kind)
                .collect();
        }
        let when = self.condition(raw.when.as_ref());
        let mut with = Vec::new();
        for (name, text) in &raw.with {
            let inputs = &self.charts[chart].inputs;
            let place: Option<InputId> = find(
                name,
                Noun::InputOfChart,
                inputs.iter().map(|input| input.name.as_str()),
                self.faults(),
            );
            let Some(place) = place else { continue };
            let wanted = kind_of(&inputs[place].field.accepts, self.words);
            if let Some(formula) = self.ground.formula(text, ExpectedType::Any, self) {
                fits(&formula, &wanted, &name.it, &text.at, self.words, self.ground.faults);
                with.push((name.it.as_str().into(), formula));
            }
        }
        self.unit.clear();
        Some(PhaseDue {
            chart,
            why: raw.why.as_str().into(),
            due_for,
            sides: self.sides(raw.sides.as_ref()),
            when,
            with,
        })
    }

    /// How often a test falls due, and which role the unit takes.
    fn due_for(&self, raw: &RawDue, chart: ChartId) -> Option<DueFor> {
        let roles = &self.charts[chart].roles;
        let known = ["once", "each", "group"];
        let how = match &raw.each {
            Some(each) => known[find_index(each, Noun::Due, known.into_iter(), self.faults())?],
            None => "once",
        };
        let times = self.whole(raw.times.as_ref(), "times");
        if how == "once" {
            for (key, given) in [("role", &raw.role), ("lead", &raw.lead), ("sides", &raw.sides)] {
                self.only_for_units(key, given.as_ref(), false);
            }
            return Some(DueFor::Times(times));
        }
        if let Some(times) = &raw.times {
            self.faults().add(&times.at, TurnProblem::TimesForUnits);
        }
        let role = match &raw.role {
            Some(role) => find(
                role,
                Noun::RoleOfChart,
                roles.iter().map(|role| role.id.as_str()),
                self.faults(),
            )?,
            None if roles.len() == 1 => RoleId::FIRST,
            None => {
                self.faults().add(&raw.at, TurnProblem::DueWithoutRole);
                return None;
            }
        };
        let id = roles[role].id.clone();
        if how == "each" {
            self.only_for_units("lead", raw.lead.as_ref(), true);
            return Some(DueFor::Each(id));
        }
        let has = &self.ground.vocabulary.kinds[roles[role].kind].has;
        let numbers = has
            .iter()
            .filter(|field| matches!(field.accepts, adjutant_dice::Accepts::Number { .. }))
            .map(|field| field.id.as_str());
        let lead = match &raw.lead {
            Some(lead) => {
                find_index(lead, Noun::NumberAttribute, numbers, self.faults())?;
                Some(Text::from(lead.it.as_str()))
            }
            None => None,
        };
        Some(DueFor::Group(id, lead))
    }

    fn only_for_units(&self, key: &'static str, given: Option<&Located<String>>, group_only: bool) {
        if let Some(given) = given {
            self.faults().add(&given.at, TurnProblem::OnlyForUnits { key, group_only });
        }
    }

    /// A whole number of at least 1; 1 if none is given.
    fn whole(&self, given: Option<&Located<adjutant_dice::Number>>, key: &str) -> u32 {
        let Some(given) = given else { return 1 };
        match given.it.as_whole().filter(|n| (1..=MOST_AT_ONCE).contains(n)) {
            Some(n) => n as u32,
            None => {
                self.faults().add(
                    &given.at,
                    KeyProblem::NotWhole { key: key.into(), found: given.it, most: MOST_AT_ONCE },
                );
                1
            }
        }
    }

    fn start(&mut self, raw: &RawStart) -> Start {
        vocabulary::check_id(&raw.id, self.faults());
        if raw.sides.is_empty() || raw.sides.len() > 8 {
            self.faults().add(
                &raw.id.at,
                TurnProblem::SideCount { start: raw.id.text(), found: raw.sides.len() },
            );
        }
        for (place, side) in raw.sides.iter().enumerate() {
            vocabulary::check_name(&side.id, self.faults());
            if raw.sides[..place].iter().any(|other| other.title == side.title) {
                self.faults()
                    .add(&side.id.at, NameProblem::TwoSides { title: side.title.as_str().into() });
            }
        }
        let sides = raw.sides.iter().map(|side| StartSide {
            id: side.id.it.as_str().into(),
            title: side.title.as_str().into(),
            run_by_sheet: side.run_by_sheet,
        });
        let per_side = |decks: &Located<String>| {
            find_index(decks, Noun::DeckKeeping, ["shared", "per_side"].into_iter(), self.faults())
                == Some(1)
        };
        let readings = self.ground.vocabulary.readings.iter().map(|reading| reading.id.as_str());
        Start {
            id: raw.id.it.as_str().into(),
            title: raw.title.as_str().into(),
            about: raw.about.as_str().into(),
            sides: sides.collect(),
            decks_per_side: raw.decks.as_ref().is_some_and(per_side),
            reading: raw
                .reading
                .as_ref()
                .and_then(|id| find(id, Noun::Reading, readings, self.faults())),
            options: self.options(raw),
            units: raw.units.iter().filter_map(|unit| self.unit(unit, raw)).collect(),
            due: raw.due.iter().filter_map(|due| self.due(due)).collect(),
        }
    }

    fn options(&mut self, raw: &RawStart) -> Vec<(OptionId, Value)> {
        let known = &self.ground.vocabulary.options;
        let mut options = Vec::new();
        for (name, text) in &raw.options {
            let Some(place) = find::<OptionId>(
                name,
                Noun::Option,
                known.iter().map(|option| option.field.id.as_str()),
                self.faults(),
            ) else {
                continue;
            };
            options.extend(
                read_value(&known[place].field, text, self.words, self.ground.faults)
                    .map(|value| (place, value)),
            );
        }
        options
    }

    fn unit(&self, raw: &crate::raw::RawStartUnit, start: &RawStart) -> Option<StartUnit> {
        let templates = self.ground.raw.templates.iter().map(|template| template.id.it.as_str());
        let template = find(&raw.template, Noun::Template, templates, self.faults());
        let side = find(
            &raw.side,
            Noun::Side,
            start.sides.iter().map(|side| side.id.it.as_str()),
            self.faults(),
        );
        let count = self.whole(raw.count.as_ref(), "count");
        for (key, text) in [("name", &raw.name), ("group", &raw.group)] {
            if text.chars().count() > 50 {
                self.faults().add(&raw.template.at, TurnProblem::UnitTextTooLong { key });
            }
        }
        let (name, group) = (raw.name.as_str().into(), raw.group.as_str().into());
        Some(StartUnit { template: template?, side: side?, name, group, count })
    }

    fn ending(&mut self, raw: &RawEnding) -> Ending {
        vocabulary::check_id(&raw.id, self.faults());
        if raw.none.is_empty() && raw.when.is_none() {
            self.faults().add(&raw.at, TurnProblem::EndsWithoutUnits);
        }
        let mut none = Vec::new();
        for left in &raw.none {
            let kinds = self.ground.vocabulary.kinds.iter().map(|kind| kind.id.as_str());
            let Some(kind) = find::<KindId>(&left.kind, Noun::UnitKind, kinds, self.faults())
            else {
                continue;
            };
            self.unit = vec![kind];
            let when = self.condition(left.when.as_ref());
            self.unit.clear();
            let own = left.sides.as_ref().is_some_and(|sides| sides.it == EACH_SIDE);
            let sides = left.sides.as_ref().filter(|_| !own);
            none.push(Left { kind, sides: self.left_on(sides), own, when });
        }
        self.side = true;
        let when = self.condition(raw.when.as_ref());
        let names_side =
            |slot: &Slot| matches!(self.names[*slot].origin, TurnOrigin::SideMemory(_));
        let per_side = none.iter().any(|left| left.own)
            || when.as_ref().is_some_and(|when| when.slots().iter().any(names_side));
        let wins = raw.wins.as_ref().and_then(|wins| self.wins(wins, per_side));
        self.side = false;
        Ending {
            when,
            per_side,
            wins,
            id: raw.id.it.as_str().into(),
            title: raw.title.as_str().into(),
            means: raw.means.as_str().into(),
            none,
        }
    }

    /// The values of each kind that are worked out.
    fn derived_values(&mut self) -> Vec<Vec<DerivedValue>> {
        let mut all = Vec::new();
        for (kind, raw) in self.ground.raw.kinds.iter_enumerated() {
            let mut made = Vec::new();
            for derived in &raw.derived {
                self.unit = vec![kind];
                self.working_out = vec![derived.id.it.clone()];
                let formula = self.ground.formula(&derived.work_out, ExpectedType::Any, self);
                self.unit.clear();
                self.working_out.clear();
                made.extend(formula.map(|formula| DerivedValue {
                    id: derived.id.it.as_str().into(),
                    label: derived.label.as_str().into(),
                    formula,
                }));
            }
            all.push(made);
        }
        all
    }

    fn wins(&mut self, raw: &RawWins, per_side: bool) -> Option<Wins> {
        let word = match raw {
            RawWins::Most(text) => {
                return Some(Wins::Most(self.ground.formula(text, ExpectedType::Number, self)?));
            }
            RawWins::Word(word) => word,
        };
        if !per_side && ["side", "enemy"].contains(&word.it.as_str()) {
            self.faults().add(&word.at, TurnProblem::WinsWithoutSide { wins: word.clip() });
        }
        match word.it.as_str() {
            "side" => Some(Wins::Side),
            "enemy" => Some(Wins::Enemy),
            "none" => Some(Wins::None),
            other => {
                self.faults().unknown(&word.at, Noun::Winner, other, ["side", "enemy", "none"]);
                None
            }
        }
    }
}
