//! Draws cards: one that is read, or several at once that are counted like dice.

use crate::coverage::CoveragePoint;
use crate::decks::{CardMove, CardMoveKind, CardOwner};
use crate::error::ResolveError;
use crate::resolution::{CardFieldLine, DieLine, RepeatLine, RollStep, TallyLine};
use crate::run::{Halt, Run};
use crate::run_steps::Rolled;
use adjutant_dice::{Accepts, Answer, CardPlace, CardRequest, ChoiceWord, Number, Site, Text};
use adjutant_pack::{
    CardCell, CardGoal, DeckCount, DeckField, DeckFieldKind, DeckId, DeckMoment, DeckSheet, Draw,
    FacePart, Facet, FieldId, Formula, NameSource, PickCard, RoleId, SeveralCards, Slot, Step,
    Type, Value,
};

/// Several cards that were drawn at once.
pub(crate) struct DrawnCards {
    pub cards: Vec<u32>,
    /// Whether each of them counts.
    kept: Vec<bool>,
    /// The number that each shows; 0 if it is blank.
    faces: Vec<Number>,
    tallies: Vec<Number>,
    pub natural: Option<Number>,
}

impl<'p> Run<'p, '_, '_> {
    /// Whose decks a role uses.
    pub fn card_owner(&self, role: Option<RoleId>) -> CardOwner {
        match role {
            Some(role) => self.shared.owners.of(self.role(role)),
            None => self.shared.owners.acting,
        }
    }

    /// Puts the cards that were put down back into a deck.
    pub fn reshuffle(&mut self, deck: DeckId, owner: CardOwner) -> Result<(), Halt> {
        if self.shared.decks.of_mut(owner, deck).reshuffle() {
            let moved = CardMove { deck, owner, kind: CardMoveKind::Reshuffled };
            self.shared.resolution.moves.push(moved);
            self.count_decks();
            self.deck_event(deck, DeckMoment::Reshuffled)?;
        }
        Ok(())
    }

    /// What the pack says happens to the deck now.
    fn deck_event(&mut self, deck: DeckId, moment: DeckMoment) -> Result<(), Halt> {
        let chart = self.chart;
        let event =
            chart.deck_events.iter().find(|event| event.deck == deck && event.when == moment);
        match event {
            Some(event) => self.apply(&event.effects, &event.next),
            None => Ok(()),
        }
    }

    /// Sets the names that count cards.
    pub fn count_decks(&mut self) {
        for (origin, slot) in &self.chart.other_names {
            let NameSource::Deck(deck, count) = *origin else { continue };
            let acting = self.shared.owners.acting;
            let known = self.shared.decks.of(acting, deck);
            let cards = match count {
                DeckCount::Left => known.left(),
                DeckCount::Hand => self.cards_in(deck, acting, CardGoal::Hand),
                DeckCount::Pile(pile) => self.cards_in(deck, acting, CardGoal::Pile(pile)),
            };
            self.slots.values[*slot] = Some(Value::Number(Number::from(cards)));
        }
    }

    /// How many cards are in a hand or on a pile.
    fn cards_in(&self, deck: DeckId, owner: CardOwner, goal: CardGoal) -> u32 {
        let place = owner.place(&self.shared.pack.decks()[deck], goal);
        self.shared.decks.of(owner, deck).cards_at(place).count() as u32
    }

    /// Lets a player pick a card. `None` if there is none to pick.
    fn pick(
        &mut self,
        step: &Step,
        draw: &Draw,
        pick: &PickCard,
        by: Option<Number>,
        entry: &mut RollStep,
    ) -> Result<Option<u32>, Halt> {
        let owner = self.card_owner(draw.of);
        let sheet = &self.shared.pack.decks()[draw.deck];
        let from = owner.place(sheet, pick.from);
        let held: Vec<u32> = self.shared.decks.of(owner, draw.deck).cards_at(from).collect();
        let mut fits = Vec::new();
        for card in held {
            self.set_card_face(draw, &pick.face, sheet, card, by);
            if self.holds_or(pick.which.as_ref(), true)? {
                fits.push(card);
            }
        }
        let title = |card: u32| sheet.card(card).map(|card| card.title.clone()).unwrap_or_default();
        let card = match fits.as_slice() {
            [] => return Ok(None),
            [only] => *only,
            several => {
                let label = |card: u32| match several
                    .iter()
                    .any(|other| *other != card && title(*other) == title(card))
                {
                    true => format!("{} ({card})", title(card)).into(),
                    false => title(card),
                };
                let words = several
                    .iter()
                    .map(|card| ChoiceWord { id: card.to_string().into(), label: label(*card) });
                let accepts = Accepts::Choice { words: words.collect() };
                let prompt = Text::from(format!("{}: which card?", step.title));
                let answer = self.question(&step.name, &prompt, &accepts, None)?;
                let picked =
                    several.iter().find(|card| answer == Answer::Choice(card.to_string().into()));
                picked.copied().unwrap_or(several[0])
            }
        };
        let to = owner.place(sheet, draw.to);
        self.move_card(draw.deck, owner, card, from, to)?;
        entry.cards.push(card);
        entry.card_titles.push(title(card));
        self.count_decks();
        Ok(Some(card))
    }

    /// Moves a card, and notes it.
    fn move_card(
        &mut self,
        deck: DeckId,
        owner: CardOwner,
        card: u32,
        from: CardPlace,
        to: CardPlace,
    ) -> Result<(), Halt> {
        let known = self.shared.decks.of_mut(owner, deck);
        if from == CardPlace::Deck {
            known.can_take(card).map_err(ResolveError::Card)?;
        }
        known.put(card, to).map_err(ResolveError::Card)?;
        let kind = CardMoveKind::Moved { card, from, to };
        self.shared.resolution.moves.push(CardMove { deck, owner, kind });
        Ok(())
    }

    /// Sets what `face` is.
    fn set_card_face(
        &mut self,
        draw: &Draw,
        face: &[(FacePart, Slot)],
        sheet: &DeckSheet,
        card: u32,
        by: Option<Number>,
    ) {
        for (part, slot) in face {
            let value = match (part, &draw.read) {
                (FacePart::Card(field), _) => self.cell_or_nothing(sheet, card, *field, None),
                (_, Some((field, _))) => self.cell_or_nothing(sheet, card, *field, by),
                _ => Value::Number(Number::ZERO),
            };
            self.set(*slot, value);
        }
    }

    /// Draws one card. `None` if there is none to draw.
    pub fn draw(
        &mut self,
        step: &Step,
        draw: &Draw,
        site: Site,
        entry: &mut RollStep,
    ) -> Result<Option<Rolled<'p>>, Halt> {
        self.count_roll()?;
        let sheet = &self.shared.pack.decks()[draw.deck];
        let by = match &draw.read {
            Some((field, Some(by))) => Some(self.checked_by(sheet, *field, by)?),
            _ => None,
        };
        if let Some(several) = &draw.several {
            return self.draw_several(step, draw, several, by, site, entry).map(Some);
        }
        let card = match &draw.pick {
            Some(pick) => self.pick(step, draw, pick, by, entry)?,
            None => {
                let owner = self.card_owner(draw.of);
                match self.refill(draw.deck, owner, entry)? {
                    true => self.take(step, draw, owner, 1, site, entry)?.first().copied(),
                    false => None,
                }
            }
        };
        let Some(card) = card else { return Ok(None) };
        let read = draw.read.as_ref().map(|(field, _)| (*field, sheet.cell(card, *field, by)));
        let natural = read.as_ref().and_then(|(_, cell)| match cell {
            Some(CardCell::Value(Value::Number(n))) => Some(*n),
            // A player may pick a card without a number; it counts as nothing.
            _ => draw.pick.as_ref().map(|_| Number::ZERO),
        });
        if let (Some((field, _)), Some(_)) = (&read, natural) {
            self.mark_cell(draw.deck, card, *field, by);
        }
        for (facet, _) in &step.facets {
            if let Facet::Field(field) = facet {
                self.mark_cell(draw.deck, card, *field, None);
            }
        }
        let reads = |(facet, _): &(Facet, Slot)| matches!(facet, Facet::Field(_));
        let is_looked_at = draw.read.is_none() && !step.facets.iter().any(reads);
        if is_looked_at && draw.to != CardGoal::Hand && !self.shared.brief {
            entry.card_fields = self.card_fields(sheet, card);
        }
        let blank = read.is_some() && natural.is_none();
        Ok(Some(Rolled { card: Some(card), natural, blank, count: 0, handful: None, cards: None }))
    }

    /// Everything that a card shows.
    fn card_fields(&self, sheet: &DeckSheet, card: u32) -> Vec<CardFieldLine> {
        let Some(card) = sheet.card(card) else { return Vec::new() };
        let shown = |field: &DeckField, place: usize| {
            let text = match card.cells.get(field.first_cell + place)?.as_ref()? {
                CardCell::Text(text) => return Some(text.as_str().into()),
                CardCell::Value(value) => value.to_answer(self.shared.pack.words()).to_string(),
            };
            Some(match &field.kind {
                DeckFieldKind::Choice { words } => words
                    .iter()
                    .find(|word| word.id == text)
                    .map_or_else(|| text.as_str().into(), |word| word.label.clone()),
                _ => text.into(),
            })
        };
        let line = |field: &DeckField| {
            let by: Vec<u32> = match field.kind {
                DeckFieldKind::Numbers { from, to } => (from..=to).collect(),
                _ => Vec::new(),
            };
            let values = (0..by.len().max(1)).map(|place| shown(field, place)).collect();
            let (label, blank) = (field.label.clone(), field.blank.as_str().into());
            CardFieldLine { label, by, values, blank }
        };
        sheet.fields.iter().map(line).collect()
    }

    /// Makes sure that there is a card to draw. An empty deck is reshuffled, unless the pack says
    /// that it stays empty.
    fn refill(
        &mut self,
        deck: DeckId,
        owner: CardOwner,
        entry: &mut RollStep,
    ) -> Result<bool, Halt> {
        // The cards of a user deck that the player did not supply.
        if self.shared.decks.of(owner, deck).size() == 0 {
            return Ok(false);
        }
        if self.shared.decks.of(owner, deck).is_empty() {
            if self.shared.pack.decks()[deck].reshuffles {
                self.reshuffle(deck, owner)?;
            }
            let full = !self.shared.decks.of(owner, deck).is_empty();
            entry.again.push(RepeatLine {
                because: "The deck was empty".into(),
                faces: Vec::new(),
                card: None,
                reshuffled: full,
            });
        }
        Ok(!self.shared.decks.of(owner, deck).is_empty())
    }

    /// Takes cards of a deck that has so many.
    fn take(
        &mut self,
        step: &Step,
        draw: &Draw,
        owner: CardOwner,
        count: u32,
        site: Site,
        entry: &mut RollStep,
    ) -> Result<Vec<u32>, Halt> {
        let deck = draw.deck;
        let sheet = &self.shared.pack.decks()[deck];
        let known = self.shared.decks.of(owner, deck);
        let ask = CardRequest {
            key: &step.name,
            what_for: &step.what_for,
            deck_id: &sheet.id,
            deck: known,
            site,
        };
        let drawn = match count {
            1 => self.shared.source.card(&ask).map(|card| vec![card]),
            _ => self.shared.source.cards(&ask, count),
        };
        let cards = drawn?;
        let to = owner.place(sheet, draw.to);
        for card in &cards {
            self.move_card(deck, owner, *card, CardPlace::Deck, to)?;
            entry.cards.push(*card);
            let chit = || self.shared.decks.chit(deck, *card).cloned();
            let title = sheet.card(*card).map(|card| card.title.clone()).or_else(chit);
            entry.card_titles.push(title.unwrap_or_default());
        }
        let empty = self.shared.decks.of(owner, deck).is_empty() && !cards.is_empty();
        self.count_decks();
        if empty {
            self.deck_event(deck, DeckMoment::Empty)?;
        }
        Ok(cards)
    }

    /// Draws several cards, and works out what they come to.
    fn draw_several(
        &mut self,
        step: &Step,
        draw: &Draw,
        several: &SeveralCards,
        by: Option<Number>,
        site: Site,
        entry: &mut RollStep,
    ) -> Result<Rolled<'p>, Halt> {
        let owner = self.card_owner(draw.of);
        // A second helping after a reshuffle is not the same draw again.
        let site = Site { unchanged: false, ..site };
        let lacking = || {
            let size = self.shared.pack.decks()[draw.deck].hand.map_or(0, |hand| hand.size);
            size.saturating_sub(self.cards_in(draw.deck, owner, CardGoal::Hand))
        };
        let wanted = several.count.as_ref().map_or_else(|| Ok(lacking()), |n| self.how_many(n))?;
        let mut wanted = wanted.min(adjutant_dice::MOST_DICE);
        let mut cards = Vec::new();
        while wanted > 0 && self.refill(draw.deck, owner, entry)? {
            let now = wanted.min(self.shared.decks.of(owner, draw.deck).left());
            let drawn = self.take(step, draw, owner, now, site, entry)?;
            if drawn.is_empty() {
                break;
            }
            wanted -= drawn.len() as u32;
            cards.extend(drawn);
        }
        let drawn = self.worth_of_cards(step, draw, several, by, cards)?;
        for card in &drawn.cards {
            let named = several.face.iter().filter_map(|(part, _)| match part {
                FacePart::Card(field) => Some((*field, None)),
                _ => None,
            });
            let summed = step.facets.iter().filter_map(|(facet, _)| match facet {
                Facet::Field(field) => Some((*field, None)),
                _ => None,
            });
            let read = draw.read.iter().map(|(field, _)| (*field, by));
            let fields: Vec<_> = read.chain(named).chain(summed).collect();
            for (field, by) in fields {
                self.mark_cell(draw.deck, *card, field, by);
            }
        }
        if draw.to == CardGoal::Hand {
            // The others see how many cards a hand gets, not which.
            entry.card_titles.clear();
            entry.dice = match drawn.cards.len() {
                1 => "1 card to the hand".into(),
                count => format!("{count} cards to the hand").into(),
            };
        } else if !self.shared.brief {
            self.show_cards(several, &drawn, entry);
        }
        let (natural, count) = (drawn.natural, drawn.cards.len() as u32);
        Ok(Rolled { card: None, natural, blank: false, count, handful: None, cards: Some(drawn) })
    }

    fn worth_of_cards(
        &mut self,
        step: &Step,
        draw: &Draw,
        several: &SeveralCards,
        by: Option<Number>,
        cards: Vec<u32>,
    ) -> Result<DrawnCards, Halt> {
        let sheet = &self.shared.pack.decks()[draw.deck];
        let read = draw.read.as_ref().map(|(field, _)| *field);
        let mut scores = Vec::new();
        for card in &cards {
            let face = read.map(|field| self.cell_or_nothing(sheet, *card, field, by));
            self.set_card_face(draw, &several.face, sheet, *card, by);
            let number = face.and_then(Value::number).unwrap_or(Number::ZERO);
            let each = several.each.as_ref().map(|each| &each.formula);
            let worth = each.map_or(Ok(number), |each| self.worth(each))?;
            let rank = match each {
                Some(Formula { kind: Type::Number, .. }) => worth,
                _ => number,
            };
            let tallies = several.tally.iter().map(|tally| self.worth(&tally.formula));
            let tallies: Vec<Number> = tallies.collect::<Result<_, _>>()?;
            let summed = step.facets.iter().filter_map(|(facet, _)| match facet {
                Facet::Field(field) => self.cell_or_nothing(sheet, *card, *field, None).number(),
                _ => None,
            });
            scores.push((rank, number, worth, tallies, summed.collect::<Vec<Number>>()));
        }
        let mut kept = vec![true; cards.len()];
        if let Some(keep) = &several.keep {
            let high = keep.highest().map_or(Ok(0), |many| self.how_many(many))? as usize;
            let low = keep.lowest().map_or(Ok(0), |many| self.how_many(many))? as usize;
            let mut sorted: Vec<usize> = (0..cards.len()).collect();
            // Equal cards are kept by everything that is read of them, so that odds can take one
            // for another.
            adjutant_dice::sort_by(&mut sorted, |a, b| scores[*a].cmp(&scores[*b]));
            for (place, at) in sorted.into_iter().enumerate() {
                kept[at] = place < low || place + high >= cards.len();
            }
        }
        let (mut sum, mut tallies) = (Number::ZERO, vec![Number::ZERO; several.tally.len()]);
        for ((_, _, worth, tallied, _), _) in scores.iter().zip(&kept).filter(|(_, kept)| **kept) {
            sum = self.sum(sum.plus(*worth))?;
            for (tally, more) in tallies.iter_mut().zip(tallied) {
                *tally = self.sum(tally.plus(*more))?;
            }
        }
        let faces = scores.iter().map(|(_, face, ..)| *face).collect();
        let natural = several.adds_up.then_some(sum);
        Ok(DrawnCards { cards, kept, faces, tallies, natural })
    }

    /// A cell of a card; a blank one is 0 or `none`.
    fn cell_or_nothing(
        &self,
        sheet: &DeckSheet,
        card: u32,
        field: FieldId,
        by: Option<Number>,
    ) -> Value {
        let none = || self.shared.pack.words().find("none").map(Value::Word);
        match sheet.cell(card, field, by) {
            Some(CardCell::Value(value)) => *value,
            _ if sheet.fields[field].kind.words().is_some() => {
                none().unwrap_or(Value::YesNo(false))
            }
            _ => Value::Number(Number::ZERO),
        }
    }

    /// The titles of the cards and the tallies, for the resolution.
    fn show_cards(&self, several: &SeveralCards, drawn: &DrawnCards, entry: &mut RollStep) {
        let titles = entry.card_titles.iter().zip(&drawn.kept);
        entry.handful = titles
            .map(|(title, kept)| DieLine {
                die: Text::default(),
                face: title.clone(),
                rerolled: Vec::new(),
                exploded: Vec::new(),
                extra: false,
                dropped: !kept,
                worth: None,
            })
            .collect();
        let tallies = several.tally.iter().zip(&drawn.tallies);
        entry.tallies = tallies
            .map(|(tally, count)| TallyLine { name: tally.name.clone(), value: *count })
            .collect();
    }

    /// Stores several cards where expressions can refer to them.
    pub fn set_cards(&mut self, step: &Step, draw: &Draw, drawn: &DrawnCards) -> Result<(), Halt> {
        let sheet = &self.shared.pack.decks()[draw.deck];
        for (facet, slot) in &step.facets {
            let faces = drawn.faces.iter().copied();
            let value = match facet {
                Facet::Total | Facet::Natural => drawn.natural,
                Facet::Dice => Some(Number::from(drawn.cards.len() as u32)),
                Facet::Highest => Some(faces.max().unwrap_or(Number::ZERO)),
                Facet::Lowest => Some(faces.min().unwrap_or(Number::ZERO)),
                Facet::Tally(place) => drawn.tallies.get(*place as usize).copied(),
                Facet::Field(field) => {
                    let mut sum = Number::ZERO;
                    for (card, _) in drawn.cards.iter().zip(&drawn.kept).filter(|(_, kept)| **kept)
                    {
                        let value = self.cell_or_nothing(sheet, *card, *field, None);
                        sum = self.sum(sum.plus(value.number().unwrap_or(Number::ZERO)))?;
                    }
                    Some(sum)
                }
                _ => None,
            };
            if let Some(place) = self.slots.values.get_mut(*slot) {
                *place = value.map(Value::Number);
            }
        }
        Ok(())
    }

    /// Notes that a cell of a card was read, if it is not blank.
    fn mark_cell(&mut self, deck: DeckId, card: u32, field: FieldId, by: Option<Number>) {
        let sheet = &self.shared.pack.decks()[deck];
        if sheet.cell(card, field, by).is_none() {
            return;
        }
        let known = &sheet.fields[field];
        let offset = match (&known.kind, by.and_then(Number::as_whole)) {
            (DeckFieldKind::Numbers { from, .. }, Some(by)) => {
                (by - i64::from(*from)).max(0) as usize
            }
            _ => 0,
        };
        let mark = CoveragePoint::Card(deck, card, known.first_cell + offset);
        self.shared.resolution.marks.push(mark);
    }

    fn checked_by(&self, sheet: &DeckSheet, field: FieldId, by: &Formula) -> Result<Number, Halt> {
        let n = self.number(by)?;
        let known = &sheet.fields[field];
        let DeckFieldKind::Numbers { from, to } = known.kind else { return Ok(n) };
        let inside = n.is_whole() && Number::from(from) <= n && n <= Number::from(to);
        if inside {
            Ok(n)
        } else {
            let (chart, field) = (self.chart.title.clone(), known.label.as_str().into());
            Err(ResolveError::NoCardRow { chart, field, row: n, from, to }.into())
        }
    }
}
