//! Checks a draw of cards.

use super::builder::{Builder, ExpectedType, KnownCards, KnownKind};
use super::names::{card_range, most_cards};
use super::roll::FaceScope;
use super::vocabulary::find;
use crate::chart::{Facet, NameSource, Read, Step, StepKind};
use crate::draw::{CardGoal, DeckCount, DeckEvent, DeckMoment, Draw, PickCard, SeveralCards};
use crate::expr::{Formula, Range, Slot};
use crate::ids::{DeckId, FieldId, Id, IdVec, StepId};
use crate::pack::{CardCell, DeckFieldKind, DeckSheet};
use crate::problem::{DeckProblem, StepProblem};
use crate::raw::{RawDraw, RawPick, RawRoll, RawStep, RawStepKind};
use crate::roll::{FacePart, Worth};
use crate::tree::{Located, Place};
use crate::unknown_name::Noun;
use crate::value::{Type, Value};
use adjutant_dice::{MOST_DICE, Number};

/// More units than a roster ever has.
pub(super) const MOST_CHITS: u32 = 10_000;

impl Draw {
    /// Whether the cards have a total.
    pub(super) fn adds_up(&self) -> bool {
        self.several.as_ref().map_or(self.read.is_some(), |several| several.adds_up)
    }
}

impl Builder<'_, '_> {
    pub fn draw(&mut self, step: &RawStep, raw: &RawDraw) -> Option<Draw> {
        let known = self.vocabulary().decks.iter().map(|deck| deck.id.as_str());
        let deck: DeckId = find(&raw.deck, Noun::Deck, known, self.faults())?;
        if self.ground.raw.decks[deck].chits.is_some() {
            self.draws_chit(step, raw)?;
        }
        let of = match &raw.of {
            Some(role) => Some(self.role(role)?),
            None => None,
        };
        let read = match &raw.read {
            Some(read) => Some(self.read_field(deck, read, raw)?),
            None => None,
        };
        let to = match &raw.to {
            Some(to) => self.card_goal(deck, to)?,
            None => CardGoal::Discard,
        };
        let lasts = !matches!(to, CardGoal::Discard | CardGoal::Deck);
        if let (Some(again), true) = (step.again.first(), lasts || raw.pick.is_some()) {
            self.faults().add(&again.at, DeckProblem::AgainKept);
        }
        let mut draw = Draw { deck, of, read, to, pick: None, several: None };
        if let Some(pick) = &raw.pick {
            draw.pick = Some(Box::new(self.pick(raw, pick, &draw)?));
        }
        if let Some(several) = &raw.several {
            if let Some(again) = step.again.first() {
                self.faults().add(&again.at, StepProblem::AgainOfSeveral);
            }
            draw.several = Some(Box::new(self.several(step, several, &draw)?));
        }
        Some(draw)
    }

    /// A chit has no fields and goes nowhere: a bag has no state.
    fn draws_chit(&self, step: &RawStep, raw: &RawDraw) -> Option<()> {
        let keys = [
            ("of", raw.of.is_some()),
            ("read", raw.read.is_some()),
            ("by", raw.by.is_some()),
            ("to", raw.to.is_some()),
            ("play", raw.pick.is_some()),
            ("count", raw.several.is_some()),
            ("again", !step.again.is_empty()),
        ];
        match keys.into_iter().find(|(_, given)| *given) {
            None => Some(()),
            Some((key, _)) => {
                self.faults().add(&step.at, DeckProblem::BagDraw { key });
                None
            }
        }
    }

    /// Where a card goes: discard, hand, removed, deck or a pile.
    fn card_goal(&self, deck: DeckId, to: &Located<String>) -> Option<CardGoal> {
        let sheet = &self.vocabulary().decks[deck];
        match to.it.as_str() {
            "discard" => Some(CardGoal::Discard),
            "removed" => Some(CardGoal::Removed),
            "deck" => Some(CardGoal::Deck),
            "hand" if self.ground.raw.decks[deck].hand.is_some() => Some(CardGoal::Hand),
            "hand" => {
                self.faults().add(&to.at, DeckProblem::NoHand { deck: sheet.id.clone() });
                None
            }
            pile => {
                let place = sheet.piles.iter().position(|known| known == pile);
                if place.is_none() {
                    let (deck, piles) = (sheet.id.clone(), sheet.piles.clone());
                    let pile = to.clip();
                    self.faults().add(&to.at, DeckProblem::NoPile { deck, pile, piles });
                }
                Some(CardGoal::Pile(place? as u32))
            }
        }
    }

    /// A card that a player picks. Inside `which`, `face` is one card.
    fn pick(&mut self, raw: &RawDraw, pick: &RawPick, draw: &Draw) -> Option<PickCard> {
        let from = match &pick.from {
            Some(from) => self.card_goal(draw.deck, from)?,
            None => {
                let hand = Located { it: "hand".to_owned(), at: raw.deck.at.clone() };
                self.card_goal(draw.deck, &hand)?
            }
        };
        let Some(which) = &pick.which else {
            return Some(PickCard { from, which: None, face: Vec::new() });
        };
        self.face = Some(self.face_of_card(draw));
        let which = self.formula(which, ExpectedType::YesNo);
        let scope = self.face.take()?;
        Some(PickCard { from, which: Some(which?), face: scope.parts })
    }

    /// The scope in which `face` is a card of a draw.
    fn face_of_card(&mut self, draw: &Draw) -> FaceScope {
        let sheet = &self.vocabulary().decks[draw.deck];
        let read = draw.read.as_ref().map(|(field, _)| *field);
        let (kind, range) = match read {
            Some(field) => {
                let range = card_range(sheet, field).or(Range::just(Number::ZERO));
                (self.card_field(draw.deck, field).unwrap_or(Type::Number), range)
            }
            None => (Type::Number, Range::just(Number::ZERO)),
        };
        let place = StepId::from_index(self.steps.len());
        FaceScope::of_cards(place, draw.deck, read.is_some(), kind, range)
    }

    /// The field that is read, with the formula that picks one number of a row.
    fn read_field(
        &mut self,
        deck: DeckId,
        read: &Located<String>,
        raw: &RawDraw,
    ) -> Option<(FieldId, Option<Formula>)> {
        let sheet = &self.vocabulary().decks[deck];
        let known = sheet.fields.iter().map(|field| field.id.as_str());
        let field: FieldId = find(read, Noun::DeckField, known, self.faults())?;
        let by = raw.by.as_ref().and_then(|text| self.formula(text, ExpectedType::Number));
        match (&sheet.fields[field].kind, &by) {
            (DeckFieldKind::Number { .. }, None) | (DeckFieldKind::Numbers { .. }, Some(_)) => {}
            (DeckFieldKind::Choice { .. }, None) if raw.several.is_some() => {}
            (DeckFieldKind::Numbers { from, to }, None) => {
                self.faults().add(
                    &read.at,
                    StepProblem::ReadWithoutBy { field: read.text(), from: *from, to: *to },
                );
            }
            _ => self.faults().add(&read.at, StepProblem::ReadNotANumber { field: read.text() }),
        }
        Some((field, by))
    }

    /// A draw of several cards. Inside its expressions `face` is one card.
    fn several(&mut self, step: &RawStep, raw: &RawRoll, draw: &Draw) -> Option<SeveralCards> {
        let count = match &raw.count {
            Some(text) => Some(self.formula(text, ExpectedType::Number)?),
            None if draw.to == CardGoal::Hand => None,
            None => Some(Formula::fixed(Number::ONE)),
        };
        let range = count.as_ref().map_or(Range::just(Number::ONE), |count| self.range(count));
        let never = range.to.is_some_and(|n| n < Number::ZERO)
            || range.from.is_some_and(|n| n > Number::from(MOST_DICE));
        if let (Some(text), true) = (&raw.count, never) {
            self.faults().add(&text.at, StepProblem::NeverSoManyCards { most: MOST_DICE });
        }
        if raw.pass_at_most.is_some() && raw.pass_at_least.is_some() {
            self.faults().add(&step.at, StepProblem::PassBoth);
        }
        let read = draw.read.as_ref().map(|(field, _)| *field);
        let scope = self.face_of_card(draw);
        let words = matches!(scope.kind, Type::Choice(_));
        self.face = Some(scope);
        let each = self.worth(step, raw);
        let tally = self.tallies(raw);
        let scope = self.face.take()?;
        let keep = self.keep(raw, words, each.as_ref());
        let adds_up = each.is_some() || (read.is_some() && !words);
        Some(SeveralCards { count, keep, each, tally, face: scope.parts, adds_up })
    }

    /// The type of a field of a card; a word is `none` if it is blank. None for a text or a row.
    fn card_field(&mut self, deck: DeckId, field: FieldId) -> Option<Type> {
        let sheet = &self.vocabulary().decks[deck];
        match &sheet.fields[field].kind {
            DeckFieldKind::Number { .. } | DeckFieldKind::Numbers { .. } => Some(Type::Number),
            DeckFieldKind::Choice { words } => {
                let cell = sheet.fields[field].first_cell;
                let blank =
                    |card: &crate::pack::Card| card.cells.get(cell).is_none_or(Option::is_none);
                let none = sheet.user.is_some() || sheet.cards.iter().any(blank);
                let none = none.then(|| self.words.intern("none"));
                let words = words.iter().map(|word| self.words.intern(&word.id));
                Some(Type::Choice(words.chain(none).collect()))
            }
            DeckFieldKind::Text => None,
        }
    }

    /// A name of one card: `face`, `face.luck`.
    pub fn card_name(
        &mut self,
        deck: DeckId,
        rest: Option<&str>,
    ) -> Option<(FacePart, Type, Range)> {
        let Some(name) = rest else {
            let scope = self.face.as_ref()?;
            return scope.reads.then(|| (FacePart::Face, scope.kind.clone(), scope.range));
        };
        let sheet = &self.vocabulary().decks[deck];
        let field = sheet.fields.position(|field| field.id == name)?;
        if matches!(sheet.fields[field].kind, DeckFieldKind::Numbers { .. }) {
            return None;
        }
        let kind = self.card_field(deck, field)?;
        let range = card_range(sheet, field).or(Range::just(Number::ZERO));
        Some((FacePart::Card(field), kind, range))
    }

    /// What later expressions may use of a draw, and the range of its number.
    pub fn known_draw(&mut self, draw: &Draw) -> (KnownKind, Range) {
        let zero = Range::just(Number::ZERO);
        let sheet = &self.vocabulary().decks[draw.deck];
        let range = draw.read.as_ref().map_or(zero, |(field, _)| card_range(sheet, *field));
        let (deck, read) = (draw.deck, draw.read.as_ref().map(|(field, _)| *field));
        let Some(several) = &draw.several else {
            return (KnownKind::Draw { deck, read, several: None }, range);
        };
        let most = Range::just(Number::from(MOST_DICE));
        let full = sheet.hand.map_or(MOST_DICE, |hand| hand.size);
        let full = Range::between(Number::ZERO, Number::from(full), true);
        let drawn = several.count.as_ref().map_or(full, |count| self.range(count));
        let drawn = drawn.floor().clamped(Some(zero), Some(most)).or(zero);
        let kept = match &several.keep {
            None => drawn,
            Some(keep) => {
                let many = |formula: Option<&Formula>| {
                    let range = formula.map_or(zero, |formula| self.range(formula));
                    range.floor().clamped(Some(zero), Some(most))
                };
                drawn.clamped(None, Some(many(keep.highest()).plus(many(keep.lowest()))))
            }
        };
        let natural = match &several.each {
            Some(Worth { formula, .. }) => self.sum_of(formula, kept),
            None => kept.times(range.or(zero)),
        };
        let tally = several.tally.iter();
        let tally = tally.map(|tally| (tally.name.clone(), self.sum_of(&tally.formula, kept)));
        let cards = KnownCards {
            drawn,
            kept,
            face: range.or(zero),
            tally: tally.collect(),
            adds_up: several.adds_up,
        };
        (KnownKind::Draw { deck, read, several: Some(Box::new(cards)) }, natural)
    }

    /// A name of several cards: their number, a tally, the sum of a field.
    pub fn cards_facet(
        &self,
        deck: DeckId,
        cards: &KnownCards,
        id: &str,
    ) -> Option<(Facet, Range)> {
        if let Some(place) = cards.tally.iter().position(|(name, _)| name == id) {
            return Some((Facet::Tally(place as u32), cards.tally[place].1));
        }
        match id {
            "cards" => Some((Facet::Dice, cards.drawn)),
            "highest" if cards.adds_up => Some((Facet::Highest, cards.face)),
            "lowest" if cards.adds_up => Some((Facet::Lowest, cards.face)),
            _ => {
                let sheet = &self.vocabulary().decks[deck];
                let field = sheet.fields.position(|field| field.id == id)?;
                let number = matches!(sheet.fields[field].kind, DeckFieldKind::Number { .. });
                let range = card_range(sheet, field).or(Range::just(Number::ZERO));
                number.then(|| (Facet::Field(field), cards.kept.times(range)))
            }
        }
    }

    /// What happens to the decks that a chart draws from or reshuffles.
    pub fn deck_events(&mut self, steps: &IdVec<StepId, Step>, read: &Read) -> Vec<DeckEvent> {
        let draws = steps.iter().filter_map(|step| match &step.kind {
            StepKind::Draw(draw) => Some(draw.deck),
            _ => None,
        });
        let cells = read.rows.iter().flat_map(|row| &row.cells).flat_map(|cell| &cell.effects);
        let also = read.also.iter().flat_map(|also| &also.effects);
        let landings = self.landings.iter().flat_map(|landing| &landing.effects);
        let shuffles = landings
            .chain(cells)
            .chain(also)
            .filter_map(|effect| effect.kind.reshuffled().copied());
        let mut decks: Vec<DeckId> = draws.chain(shuffles).collect();
        let mut events = Vec::new();
        let mut at = 0;
        while let Some(deck) = decks.get(at).copied() {
            at += 1;
            if decks[..at - 1].contains(&deck) {
                continue;
            }
            let raw = &self.ground.raw.decks[deck];
            let moments =
                [(DeckMoment::Empty, &raw.empty), (DeckMoment::Reshuffled, &raw.reshuffled)];
            for (when, raw) in moments {
                let Some(raw) = raw else { continue };
                let (effects, next) = self.deck_extras(raw);
                // An event may reshuffle another deck, which has its own.
                decks.extend(effects.iter().filter_map(|effect| effect.kind.reshuffled().copied()));
                if !effects.is_empty() || !next.is_empty() {
                    events.push(DeckEvent { deck, when, effects, next });
                }
            }
        }
        events
    }

    /// Whether a draw may find no card.
    pub fn may_run_dry(&self, kind: &StepKind) -> bool {
        match kind {
            StepKind::Draw(draw) => draw.pick.is_some() || self.runs_dry(draw.deck),
            _ => false,
        }
    }

    /// Whether a deck may have no card to draw, even after a reshuffle.
    pub fn runs_dry(&self, deck: DeckId) -> bool {
        let sheet = &self.vocabulary().decks[deck];
        let steps = self.ground.raw.charts.iter().flat_map(|chart| &chart.steps);
        let mut removes = steps.filter_map(|step| match &step.kind {
            RawStepKind::Draw(draw) if draw.deck.it == sheet.id => draw.to.as_ref(),
            _ => None,
        });
        let hands = self.ground.raw.decks[deck].hand.is_some() || !sheet.piles.is_empty();
        !sheet.reshuffles || sheet.user.is_some() || hands || removes.any(|to| to.it == "removed")
    }

    /// How many cards of a deck are left: `deck.fate.left`.
    pub fn deck_count(&mut self, name: &str) -> Option<(NameSource, Range)> {
        let (deck, count) = name.split_once('.')?;
        // A hyphen would be a minus.
        let same = |known: &DeckSheet| known.id.replace("-", "_") == deck;
        let place = self.vocabulary().decks.position(same)?;
        let bag = self.ground.raw.decks[place].chits.is_some();
        let size = match bag {
            true => MOST_CHITS,
            false => most_cards(&self.vocabulary().decks[place]),
        };
        let size = Number::from(size);
        let count = match count {
            "left" => DeckCount::Left,
            "hand" if self.ground.raw.decks[place].hand.is_some() => DeckCount::Hand,
            pile => {
                let piles = &self.vocabulary().decks[place].piles;
                DeckCount::Pile(piles.iter().position(|known| known == pile)? as u32)
            }
        };
        Some((NameSource::Deck(place, count), Range::between(Number::ZERO, size, true)))
    }

    /// Every card must be readable, or an again rule must send it back.
    pub fn check_cards(&self, raw: &RawStep, step: &Step, place: StepId) {
        let StepKind::Draw(draw) = &step.kind else { return };
        // Of several cards, one without a number counts as nothing.
        let alone = draw.several.is_none() && draw.pick.is_none();
        let Some((field, by)) = draw.read.as_ref().filter(|_| alone) else {
            return;
        };
        let sheet = &self.vocabulary().decks[draw.deck];
        if self.ground.raw.decks[draw.deck]
            .file
            .as_ref()
            .is_some_and(|file| self.faults().any_in(&file.it))
        {
            return;
        }
        let columns: Vec<Option<Number>> = match (&sheet.fields[*field].kind, by) {
            (DeckFieldKind::Numbers { from, to }, Some(by)) => {
                let range = self.range(by);
                let within = |n: &Number| {
                    range.from.is_none_or(|least| *n >= least)
                        && range.to.is_none_or(|most| *n <= most)
                };
                (*from..=*to).map(Number::from).filter(within).map(Some).collect()
            }
            (DeckFieldKind::Number { .. }, _) => vec![None],
            _ => return,
        };
        let unreadable: Vec<u32> = (1..=sheet.cards.len() as u32)
            .filter(|card| {
                columns.iter().any(|by| sheet.cell(*card, *field, *by).is_none())
                    && !self.sent_back(step, place, sheet, *card)
            })
            .collect();
        if let Some(first) = unreadable.first() {
            let field = sheet.fields[*field].id.clone();
            // The player has to mend the cards, not the pack.
            let mut supplied = self.ground.supplied.iter();
            match supplied.find(|own| sheet.user.is_some() && sheet.id == own.deck.as_str()) {
                Some(own) if self.faults().any_in(&own.file) => {}
                Some(own) => {
                    let at = Place { file: own.file.as_str().into(), span: own.start..own.start };
                    let problem = DeckProblem::CardWithoutValue { card: *first, field };
                    self.faults().add(&at, problem);
                }
                None => {
                    let count = unreadable.len();
                    let problem = StepProblem::UnreadableCards { count, first: *first, field };
                    self.faults().add(&raw.at, problem);
                }
            }
        }
    }

    fn sent_back(&self, step: &Step, place: StepId, sheet: &DeckSheet, card: u32) -> bool {
        let mut values: IdVec<Slot, Option<Value>> = IdVec::filled(None, self.names.len());
        for (slot, name) in self.names.iter_enumerated() {
            values[slot] = match name.origin {
                NameSource::Step(at, Facet::Field(field)) if at == place => {
                    match sheet.cell(card, field, None) {
                        Some(CardCell::Value(value)) => Some(*value),
                        _ => None,
                    }
                }
                NameSource::Step(at, Facet::Blank) if at == place => Some(Value::YesNo(true)),
                NameSource::Step(at, Facet::Card) if at == place => {
                    Some(Value::Number(Number::from(card)))
                }
                _ => None,
            };
        }
        step.again.iter().filter(|again| again.at_most.is_none()).any(|again| {
            again.when.eval_partly(&values, &mut Vec::new()) == Some(Value::YesNo(true))
        })
    }
}
