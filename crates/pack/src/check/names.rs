//! Name lookup in the expressions of a chart.

use super::builder::{Builder, KnownKind, Nth};
use super::draw::MOST_CHITS;
use super::vocabulary::kind_of;
use crate::chart::{Chart, Facet, FilledFrom, NameSource};
use crate::expr::{Expr, Func, Op, Range, Resolved, Slot};
use crate::ids::{ChartId, DeckId, FieldId, KindId, StepId};
use crate::pack::{CardCell, DeckFieldKind, Field, Status};
use crate::problem::ExprProblem;
use crate::roll::Yields;
use crate::text::capital;
use crate::value::{Type, Value, Word};
use adjutant_dice::{Accepts, Answer, MOST_DICE, Number};

mod unknown;

type FoundName = Option<Resolved>;

fn error(problem: ExprProblem) -> Resolved {
    Err(Some(problem))
}

impl Builder<'_, '_> {
    /// Looks up a name. Attributes and facets become names of the chart on first use.
    pub fn find(&mut self, name: &str) -> Resolved {
        let found = match name.split_once('.') {
            Some(("unit", rest)) if self.renamed_unit().is_some() => {
                let base = self.renamed_unit().unwrap_or_default();
                return self.find(&format!("{base}.{rest}"));
            }
            Some(("option", rest)) => self.option(rest),
            Some(("memory", rest)) => self.memory(rest),
            // A role may not be called `it`. Until that is reported, the name refers to the role.
            Some(("it", rest)) if !self.roles.iter().any(|role| role.id == "it") => match self.it {
                Some(role) => return self.find(&format!("{}.{rest}", self.roles[role].id)),
                None => Some(error(ExprProblem::LandsOnNoUnit { name: name.into() })),
            },
            Some(("other", rest)) => self.other_attribute(rest),
            Some(("face", rest)) if self.face.is_some() => self.one_die(Some(rest)),
            Some(("deck", rest)) if rest.contains('.') => self.deck_name(rest),
            Some((base, rest)) => {
                let found = self.step_facet(base, rest).or_else(|| self.attribute(base, rest));
                found.or_else(|| self.own_side(base, rest))
            }
            None if name == "face" && self.face.is_some() => self.one_die(None),
            None => self.plain(name),
        };
        let found = found.or_else(|| self.field_of_word(name));
        let found = found.unwrap_or_else(|| self.unknown(name));
        if let Ok((Expr::Slot(slot), _)) = &found {
            self.used[*slot] = true;
        }
        found
    }

    /// What `unit` stands for in a value that is worked out, unless a role has that very name.
    fn renamed_unit(&self) -> Option<String> {
        self.unit.clone().filter(|base| base != "unit")
    }

    /// A name of one die, inside a roll.
    fn one_die(&mut self, rest: Option<&str>) -> FoundName {
        let (slot, kind) = self.face_name(rest)?;
        Some(Ok((Expr::Slot(slot), kind)))
    }

    /// A number field of the word that a name stands for: `range.plus`.
    fn field_of_word(&mut self, name: &str) -> FoundName {
        let (base, field) = name.rsplit_once('.')?;
        self.words.find(field)?;
        if self.vocabulary().lists.is_empty()
            || matches!(base, "option" | "memory" | "it" | "other")
        {
            return None;
        }
        let known = match base.split_once('.') {
            Some(("unit", rest)) if self.renamed_unit().is_some() => {
                let base = self.renamed_unit().unwrap_or_default();
                return self.field_of_word(&format!("{base}.{rest}.{field}"));
            }
            Some(("other", rest)) => self.other_attribute(rest),
            Some(("option", rest)) => self.option(rest),
            Some(("memory", rest)) => self.memory(rest),
            Some((of, rest)) => self.step_facet(of, rest).or_else(|| self.attribute(of, rest)),
            None => self.plain(base),
        };
        let (expr, kind) = known?.ok()?;
        let found = self.vocabulary().word_field(&expr, &kind, field, self.words)?;
        if let Expr::Slot(slot) = expr {
            self.used[slot] = true;
        }
        Some(Ok((found, Type::Number)))
    }

    /// How many cards of a deck are somewhere: `deck.fate.left`.
    fn deck_name(&mut self, rest: &str) -> FoundName {
        let text = format!("deck.{rest}");
        let (origin, range) = self.deck_count(rest)?;
        self.existing(&text).or_else(|| {
            let slot = self.new_name(text, origin, Type::Number, range);
            self.made(slot)
        })
    }

    fn existing(&self, name: &str) -> FoundName {
        let slot = self.names.position(|known| known.text == name)?;
        Some(Ok((Expr::Slot(slot), self.names[slot].kind.clone())))
    }

    fn made(&self, slot: Slot) -> FoundName {
        Some(Ok((Expr::Slot(slot), self.names[slot].kind.clone())))
    }

    fn option(&mut self, id: &str) -> FoundName {
        let text = format!("option.{id}");
        let place = self.vocabulary().options.position(|option| option.field.id == id)?;
        self.existing(&text).or_else(|| {
            let accepts = &self.vocabulary().options[place].field.accepts;
            let (kind, range) = (kind_of(accepts, self.words), super::builder::range_of(accepts));
            let slot = self.new_name(text, NameSource::Option(place), kind, range);
            self.made(slot)
        })
    }

    fn memory(&mut self, id: &str) -> FoundName {
        let text = format!("memory.{id}");
        let place = self.vocabulary().memory.position(|memory| memory.id == id)?;
        if self.vocabulary().side_memory.contains(&place) {
            return None;
        }
        self.existing(&text).or_else(|| {
            let accepts = &self.vocabulary().memory[place].accepts;
            let (kind, range) = (kind_of(accepts, self.words), super::builder::range_of(accepts));
            let slot = self.new_name(text, NameSource::Memory(place), kind, range);
            self.made(slot)
        })
    }

    /// `side.lost`: what the game remembers for the side of the first role.
    fn own_side(&mut self, base: &str, id: &str) -> FoundName {
        let role = self.roles.first().filter(|_| base == "side")?.id.clone();
        self.attribute(&role, &format!("side.{id}"))
    }

    fn other_attribute(&mut self, id: &str) -> FoundName {
        let Some(kind) = self.other else {
            return Some(error(ExprProblem::OtherOutside));
        };
        if let Some(found) = self.derived("other", kind, id) {
            return Some(found);
        }
        let field = self
            .field_of(kind, id)
            .filter(|(_, from)| !matches!(from, FilledFrom::SideMemory(_)))?;
        let text = format!("other.{id}");
        self.existing(&text).or_else(|| {
            let kind = kind_of(&field.0.accepts, self.words);
            let slot = self.new_name(
                text,
                NameSource::Other,
                kind,
                super::builder::range_of(&field.0.accepts),
            );
            self.made(slot)
        })
    }

    /// An attribute or a status of a kind of unit.
    fn field_of(&self, kind: KindId, id: &str) -> Option<(Field, FilledFrom)> {
        let (kinds, statuses) = (&self.vocabulary().kinds, &self.vocabulary().statuses);
        if let Some(id) = id.strip_prefix("side.") {
            let memory = &self.vocabulary().memory;
            let place = memory.position(|field| field.id == id)?;
            let per_side = self.vocabulary().side_memory.contains(&place);
            return per_side.then(|| (memory[place].clone(), FilledFrom::SideMemory(place)));
        }
        if let Some(place) = kinds[kind].has.position(|field| field.id == id) {
            return Some((kinds[kind].has[place].clone(), FilledFrom::Attribute(place)));
        }
        let place = statuses.position(|status| status.id == id && status.of.contains(&kind))?;
        Some((status_field(&statuses[place]), FilledFrom::Status(place)))
    }

    /// An attribute of a role. It becomes an input of the chart.
    pub fn attribute(&mut self, base: &str, id: &str) -> FoundName {
        let role = self.roles.position(|role| role.id == base)?;
        let text = format!("{base}.{id}");
        if let Some(found) = self.existing(&text) {
            return Some(found);
        }
        if id == "place" && self.each == Some(role) {
            let slot = self.new_name(
                text,
                NameSource::Place,
                Type::Number,
                Range::between(Number::ONE, Number::from(100), true),
            );
            return self.made(slot);
        }
        if let Some(found) = self.derived(base, self.roles[role].kind, id) {
            return Some(found);
        }
        let (field, source) = self.field_of(self.roles[role].kind, id)?;
        if self.ruled && !matches!(source, FilledFrom::SideMemory(_)) {
            let kind = kind_of(&field.accepts, self.words);
            let range = super::builder::range_of(&field.accepts);
            let slot = self.new_name(text, NameSource::Other, kind, range);
            return self.made(slot);
        }
        let own = field.label.clone();
        let field = Field { label: format!("{}: {own}", titled(base)).into(), ..field };
        let slot = self.labelled_input(text, Some(role), field, own, source);
        self.made(slot)
    }

    /// A value that is worked out from others: its expression takes the place of its name.
    fn derived(&mut self, base: &str, kind: KindId, id: &str) -> FoundName {
        let raw = &self.ground.raw.kinds[kind];
        let work_out = &raw.derived.iter().find(|derived| derived.id.it == id)?.work_out;
        let key = (kind, id.to_owned());
        let cannot = ExprProblem::CannotWorkOut { name: format!("{base}.{id}").into() };
        if self.working_out.contains(&key) {
            return Some(error(cannot));
        }
        self.working_out.push(key);
        let before = self.unit.replace(base.to_owned());
        let found = crate::expr::read(&work_out.it)
            .ok()
            .and_then(|written| crate::expr::resolve(&written, self).ok());
        self.unit = before;
        self.working_out.pop();
        Some(found.ok_or(Some(cannot)))
    }

    fn plain(&mut self, name: &str) -> FoundName {
        if name == "nth"
            && let Some(nth) = self.nth.clone()
        {
            return self.nth_in_series(nth);
        }
        let fixed = match name {
            "cell" if self.cell => Some(NameSource::Cell),
            "score" if self.outcome || self.scored => Some(NameSource::Score),
            "value" if self.outcome => Some(NameSource::Value),
            _ => None,
        };
        if let Some(origin) = fixed {
            let slot = self.names.position(|known| known.origin == origin).unwrap_or_else(|| {
                let (kind, range) = if origin == NameSource::Score {
                    self.score.clone()
                } else {
                    (Type::Number, Range::ANY)
                };
                self.new_name(name.to_owned(), origin, kind, range)
            });
            return self.made(slot);
        }
        self.step_total(name).or_else(|| {
            self.existing(name).filter(|_| self.inputs.iter().any(|input| input.name == name))
        })
    }

    /// The place in a series. Where it goes through a list, the word at that place.
    fn nth_in_series(&mut self, nth: Nth) -> FoundName {
        let range = match &nth {
            Nth::Place(range) => *range,
            Nth::Word(words) => Range::between(Number::ONE, Number::from(words.len() as u32), true),
        };
        let known = self.names.position(|known| known.origin == NameSource::Nth);
        let slot = known.unwrap_or_else(|| {
            self.new_name("nth".to_owned(), NameSource::Nth, Type::Number, range)
        });
        self.names[slot].range = self.names[slot].range.or(range);
        let Nth::Word(words) = nth else { return self.made(slot) };
        self.used[slot] = true;
        let word = |word: &Word| Expr::Fixed(Value::Word(*word));
        let (last, before) = words.split_last()?;
        let mut found = word(last);
        for (place, here) in before.iter().enumerate().rev() {
            let place = Expr::Fixed(Value::Number(Number::from(place as u32 + 1)));
            let same = Expr::Pair(Op::Same, Box::new(Expr::Slot(slot)), Box::new(place));
            found = Expr::Call(Func::If, vec![same, word(here), found]);
        }
        Some(Ok((found, Type::Choice(words.into_iter().collect()))))
    }

    fn step_total(&mut self, name: &str) -> FoundName {
        let step = self.steps.rposition(|step| step.name == name)?;
        let known = &self.steps[step];
        let kind = match &known.kind {
            KnownKind::Roll(roll) => match roll.yields {
                Yields::Number => Type::Number,
                Yields::Face => self.face_or_none(step),
                Yields::Nothing => {
                    return Some(error(ExprProblem::WordsSummed { name: name.into() }));
                }
            },
            KnownKind::Value(kind) => kind.clone(),
            KnownKind::Draw { several: None, read: Some(_), .. } => Type::Number,
            KnownKind::Draw { several: Some(cards), .. } if cards.adds_up => Type::Number,
            KnownKind::Draw { .. } => {
                return Some(error(ExprProblem::CardNotANumber { name: name.into() }));
            }
            KnownKind::LookUp { .. } => {
                return Some(error(ExprProblem::WholeChart { name: name.into() }));
            }
        };
        let range = self.steps[step].total;
        self.facet(step, Facet::Total, name.to_owned(), kind, range)
    }

    fn step_facet(&mut self, base: &str, id: &str) -> FoundName {
        if let Some(again) = self.agains.iter().rposition(|again| again.open && again.name == base)
        {
            return self.again_facet(again, id);
        }
        let step = self.steps.rposition(|step| step.name == base)?;
        let text = format!("{base}.{id}");
        let known = &self.steps[step];
        match &known.kind {
            KnownKind::Roll(_) => {
                let (facet, kind, range) = self.roll_facet(step, id)?;
                let range = if self.steps[step].may_skip {
                    range.or(Range::just(Number::ZERO))
                } else {
                    range
                };
                self.facet(step, facet, text, kind, range)
            }
            KnownKind::Draw { deck, several: Some(cards), .. } => {
                let (facet, range) = self.cards_facet(*deck, cards, id)?;
                let zero = Range::just(Number::ZERO);
                let range = if known.may_skip { range.or(zero) } else { range };
                self.facet(step, facet, text, Type::Number, range)
            }
            KnownKind::Draw { deck, .. } => self.card_facet(step, *deck, id, text),
            KnownKind::LookUp { chart, times } => {
                let (chart, times, may_skip) = (*chart, *times, known.may_skip);
                if times.is_some() && id == "result" {
                    return Some(error(ExprProblem::ResultOfSeries { name: base.into() }));
                }
                let (facet, kind, mut range) = self.looked_up(chart, id, may_skip)?;
                if let Some(times) = times {
                    range = times.times(range);
                }
                self.facet(step, facet, text, kind, range)
            }
            KnownKind::Value(_) => None,
        }
    }

    /// The words of a roll's faces, and `none` where no die may count.
    fn face_or_none(&mut self, step: StepId) -> Type {
        let none = self.words.intern("none");
        let known = &self.steps[step];
        let KnownKind::Roll(roll) = &known.kind else { return Type::Number };
        let mut kind = roll.face.clone();
        let empty = roll.kept.from.is_none_or(|n| n < Number::ONE);
        if let (Type::Choice(words), true) = (&mut kind, known.may_skip || empty) {
            words.insert(none);
        }
        kind
    }

    fn roll_facet(&mut self, step: StepId, id: &str) -> Option<(Facet, Type, Range)> {
        let none = self.words.intern("none");
        let word = self.words.find(id);
        let known = &self.steps[step];
        let KnownKind::Roll(roll) = &known.kind else { return None };
        let (dice, kept) = (roll.dice, roll.kept);
        let from_zero = |range: Range| Range { from: Some(Number::ZERO), ..range };
        let words = match &roll.face {
            Type::Choice(words) => Some(words),
            _ => None,
        };
        // A die that is not rolled counts as 0.
        let face = |place: u32| match dice.from.is_some_and(|n| n >= Number::from(place)) {
            true => roll.range,
            false => roll.range.or(Range::just(Number::ZERO)),
        };
        let number = |facet: Facet, range: Range| Some((facet, Type::Number, range));
        let shown = |facet: Facet, range: Range| match words {
            Some(words) => {
                let mut words = words.clone();
                words.insert(none);
                Some((facet, Type::Choice(words), Range::ANY))
            }
            None => number(facet, range),
        };
        if let Some(place) = roll.tally.iter().position(|(name, _)| name == id) {
            return number(Facet::Tally(place as u32), roll.tally[place].1);
        }
        match id {
            "natural" if roll.yields == Yields::Number => number(Facet::Natural, known.natural),
            "dice" => number(Facet::Dice, dice),
            "highest" if words.is_none() => number(Facet::Highest, face(1)),
            "lowest" if words.is_none() => number(Facet::Lowest, face(1)),
            "doubles" => Some((Facet::Doubles, Type::YesNo, Range::ANY)),
            "width" => number(Facet::Width, from_zero(kept)),
            "height" => shown(Facet::Height, face(1)),
            "pair" => shown(Facet::Pair, face(MOST_DICE)),
            "pairs" => number(Facet::Pairs, from_zero(kept)),
            "run" if words.is_none() => number(Facet::Run, from_zero(kept)),
            "rerolled" => number(Facet::Rerolled, from_zero(dice)),
            "again" => number(Facet::Again, Range::between(Number::ZERO, Number::from(1000), true)),
            "filled" if roll.fill.is_some() => number(Facet::Filled, from_zero(kept)),
            "partly" => number(Facet::Partly, from_zero(roll.fill?)),
            _ => {
                if let Some(place) = id.strip_prefix("die_") {
                    let place = place.parse().ok().filter(|n| (1..=9).contains(n))?;
                    return shown(Facet::Die(place), face(place));
                }
                if let Some(place) = id.strip_prefix("high_").filter(|_| words.is_none()) {
                    let place = place.parse().ok().filter(|n| (1..=9).contains(n))?;
                    return number(Facet::High(place), face(place));
                }
                let word = word?;
                if let Some((_, range)) = roll.fields.iter().find(|(name, _)| *name == word) {
                    return number(Facet::FaceField(word), kept.times(*range));
                }
                let counted = words.is_some_and(|words| words.contains(&word));
                if counted { number(Facet::FaceCount(word), from_zero(kept)) } else { None }
            }
        }
    }

    fn card_facet(&mut self, step: StepId, deck: DeckId, id: &str, text: String) -> FoundName {
        let sheet = &self.vocabulary().decks[deck];
        let bag = self.ground.raw.decks[deck].chits.is_some();
        let most = match bag {
            true => MOST_CHITS,
            false => most_cards(sheet),
        };
        match id {
            "number" => self.facet(
                step,
                Facet::Card,
                text,
                Type::Number,
                Range::between(Number::ZERO, Number::from(most), true),
            ),
            "blank" => self.facet(step, Facet::Blank, text, Type::YesNo, Range::ANY),
            _ => {
                let field = sheet.fields.position(|field| field.id == id)?;
                let kind = match &sheet.fields[field].kind {
                    DeckFieldKind::Number { .. } => Type::Number,
                    DeckFieldKind::Choice { words } => {
                        // No card is drawn from a deck that is empty for good.
                        let dry = self.steps[step].may_skip && self.runs_dry(deck);
                        let none = dry.then(|| self.words.intern("none"));
                        let words = words.iter().map(|word| self.words.intern(&word.id));
                        Type::Choice(words.chain(none).collect())
                    }
                    DeckFieldKind::Numbers { .. } => {
                        return Some(error(ExprProblem::RowOfNumbers { name: text.into() }));
                    }
                    DeckFieldKind::Text => {
                        return Some(error(ExprProblem::TextField { name: text.into() }));
                    }
                };
                let range = card_range(sheet, field);
                let range = if self.steps[step].may_skip {
                    range.or(Range::just(Number::ZERO))
                } else {
                    range
                };
                self.facet(step, Facet::Field(field), text, kind, range)
            }
        }
    }

    fn again_facet(&mut self, again: usize, id: &str) -> FoundName {
        let (chart, step, rule) =
            (self.agains[again].chart, self.agains[again].step, self.agains[again].rule);
        let text = format!("{}.{id}", self.agains[again].name);
        let (facet, kind, range) = self.looked_up(chart, id, true)?;
        if let Some((_, slot)) = self.agains[again].facets.iter().find(|(known, _)| *known == facet)
        {
            return self.made(*slot);
        }
        let slot = self.new_name(text, NameSource::Again(step, rule, facet), kind, range);
        self.agains[again].facets.push((facet, slot));
        self.made(slot)
    }

    /// What a chart that is looked up yields.
    fn looked_up(
        &mut self,
        chart: ChartId,
        id: &str,
        may_skip: bool,
    ) -> Option<(Facet, Type, Range)> {
        let there = self.ground.done.get(chart)?.as_ref()?;
        match id {
            "value" => Some((
                Facet::Value,
                Type::Number,
                if may_skip {
                    there.value_range.or(Range::just(Number::ZERO))
                } else {
                    there.value_range
                },
            )),
            "result" => {
                let mut words: std::collections::BTreeSet<_> = there
                    .results
                    .iter()
                    .map(|result| self.words.intern(&self.ground.vocabulary.results[*result].id))
                    .collect();
                if may_skip || words.is_empty() || may_give_no_result(there) {
                    words.insert(self.words.intern("none"));
                }
                Some((Facet::Result, Type::Choice(words), Range::ANY))
            }
            _ => None,
        }
    }

    fn facet(
        &mut self,
        step: StepId,
        facet: Facet,
        text: String,
        kind: Type,
        range: Range,
    ) -> FoundName {
        if let Some((_, slot)) = self.steps[step].facets.iter().find(|(known, _)| *known == facet) {
            return self.made(*slot);
        }
        let slot = self.new_name(text, NameSource::Step(step, facet), kind, range);
        self.steps[step].facets.push((facet, slot));
        self.made(slot)
    }
}

/// A status as a yes/no field.
pub(super) fn status_field(status: &Status) -> Field {
    Field {
        id: status.id.clone(),
        label: status.title.clone(),
        note: String::new(),
        accepts: Accepts::YesNo,
        default: Some(Answer::YesNo(false)),
        start: Some(Value::YesNo(false)),
    }
}

/// Whether a chart may end without a result of its own.
fn may_give_no_result(chart: &Chart) -> bool {
    let no_rows = chart.read.rows.is_empty() && chart.read.user_table.is_none();
    no_rows || chart.read.cells().any(|cell| cell.landing.is_none())
}

/// The range of a field over all cards.
pub(super) fn card_range(sheet: &crate::pack::DeckSheet, field: FieldId) -> Range {
    let Some(known) = sheet.fields.get(field) else { return Range::ANY };
    if sheet.user.is_some() {
        // The pack has to work with any cards, and without them.
        return match known.kind {
            DeckFieldKind::Number { from: Some(from), to: Some(to) } => {
                Range::between(from, to, false).or(Range::just(Number::ZERO))
            }
            _ => Range::ANY,
        };
    }
    let width = match known.kind {
        DeckFieldKind::Numbers { from, to } => (to - from + 1) as usize,
        _ => 1,
    };
    let cells = sheet
        .cards
        .iter()
        .flat_map(|card| card.cells.iter().skip(known.first_cell).take(width))
        .flatten();
    let numbers: Vec<Number> = cells
        .filter_map(
            |cell| if let CardCell::Value(Value::Number(n)) = cell { Some(*n) } else { None },
        )
        .collect();
    match (numbers.iter().min(), numbers.iter().max()) {
        (Some(from), Some(to)) => Range::between(*from, *to, numbers.iter().all(|n| n.is_whole())),
        _ => Range::ANY,
    }
}

/// How many cards a deck can have: of one that the player supplies, as many as there may be.
pub(super) fn most_cards(sheet: &crate::pack::DeckSheet) -> u32 {
    match sheet.user {
        Some(_) => super::MOST_CARDS as u32,
        None => sheet.cards.len() as u32,
    }
}

/// Turns a name into a title.
pub(super) fn titled(name: &str) -> String {
    capital(&name.replace('_', " "))
}
