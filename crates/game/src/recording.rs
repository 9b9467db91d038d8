//! Two ways through the seam. `Recording` notes all that comes, with who stood behind it and what became of the
//! decks; `LogReplay` gives what a log holds, and then, for a play that had stopped for want of an answer, what comes
//! anew – so that a throw once made is never made again.

use crate::event::{Drawn, RecordedInput};
use adjutant_dice::{Answer, CardRequest, Deck, DiceRequest, InputSource, Question, SourceError, ThrownBy};
use adjutant_pack::DeckSheet;

/// Notes what comes through another source.
pub(crate) struct Recording<'a> {
    from: &'a mut dyn InputSource,
    /// Whether what comes is noted; a log has it already.
    noting: bool,
    pub came: Vec<RecordedInput>,
    pub cards: Vec<Drawn>,
    /// The decks as they were before, with their sheets.
    before: (&'a [DeckSheet], &'a [Deck]),
    /// Each deck as it would be without reshuffles, by its id.
    decks: Vec<(String, Deck)>,
}

impl<'a> Recording<'a> {
    pub fn new(from: &'a mut dyn InputSource, noting: bool, before: (&'a [DeckSheet], &'a [Deck])) -> Recording<'a> {
        Recording { from, noting, came: Vec::new(), cards: Vec::new(), before, decks: Vec::new() }
    }

    /// Notes a reshuffle that made a deck whole after its last draw.
    pub fn finish(&mut self, id: &str, before: &Deck, after: &Deck) {
        let known = self.decks.iter().find(|(known, _)| known == id).map_or(before, |(_, deck)| deck);
        if known != after {
            self.cards.push(Drawn { deck: id.to_owned(), reshuffled: true, ..Drawn::default() });
        }
    }

    fn drew(&mut self, ask: &CardRequest<'_>, card: u32) {
        let place = match self.decks.iter().position(|(id, _)| id == ask.deck_id) {
            Some(place) => place,
            None => {
                // As it was before the play: an empty deck is made whole before its first draw.
                let known = self.before.0.iter().zip(self.before.1).find(|(sheet, _)| sheet.id == ask.deck_id);
                self.decks.push((ask.deck_id.to_owned(), known.map_or(ask.deck, |(_, deck)| deck).clone()));
                self.decks.len() - 1
            }
        };
        let reshuffled = self.decks[place].1.left() != ask.deck.left();
        self.decks[place].1.clone_from(ask.deck);
        // The caller takes the card out; what cannot be taken he refuses.
        let _ = self.decks[place].1.take(card);
        match self.cards.last_mut().filter(|last| last.deck == ask.deck_id && !reshuffled) {
            Some(last) => last.took.push(card),
            None => self.cards.push(Drawn { deck: ask.deck_id.to_owned(), reshuffled, took: vec![card], ..Drawn::default() }),
        }
    }
}

impl InputSource for Recording<'_> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        let faces = self.from.dice(ask)?;
        if self.noting {
            let from = self.from.thrown_by();
            let of = (from == ThrownBy::Sealed).then_some(ask.sides);
            self.came.push(RecordedInput { dice: Some(faces.clone()), of, from, ..RecordedInput::default() });
        }
        Ok(faces)
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        let card = self.from.card(ask)?;
        if self.noting {
            let from = self.from.thrown_by();
            let of = (from == ThrownBy::Sealed).then(|| ask.deck.left());
            self.came.push(RecordedInput { card: Some(card), of, from, ..RecordedInput::default() });
        }
        self.drew(ask, card);
        Ok(card)
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        let answer = self.from.answer(ask)?;
        if self.noting {
            self.came.push(RecordedInput { answer: Some(answer.to_string()), from: ThrownBy::Typed, ..RecordedInput::default() });
        }
        Ok(answer)
    }

    fn thrown_by(&self) -> ThrownBy {
        self.from.thrown_by()
    }
}

/// Gives what came before, then what another source gives.
pub(crate) struct LogReplay<'a> {
    came: &'a [RecordedInput],
    next: usize,
    then: Option<&'a mut dyn InputSource>,
    source: ThrownBy,
}

impl<'a> LogReplay<'a> {
    pub fn new(came: &'a [RecordedInput], then: Option<&'a mut dyn InputSource>) -> LogReplay<'a> {
        LogReplay { came, next: 0, then, source: ThrownBy::Ours }
    }

    /// That all was used.
    pub fn finish(&self) -> Result<(), String> {
        match self.came.len() - self.next {
            0 => Ok(()),
            1 => Err("a face, card or answer is recorded that the chart does not ask for".into()),
            rest => Err(format!("{rest} faces, cards or answers are recorded that the chart does not ask for")),
        }
    }

    fn next(&mut self) -> Option<&'a RecordedInput> {
        let heard = self.came.get(self.next)?;
        self.next += 1;
        self.source = heard.from;
        Some(heard)
    }
}

impl InputSource for LogReplay<'_> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        let Some(heard) = self.next() else {
            let then = self.then.as_mut().ok_or_else(|| ask.missing())?;
            let faces = then.dice(ask)?;
            self.source = then.thrown_by();
            return Ok(faces);
        };
        match &heard.dice {
            Some(faces) if faces.len() == ask.count as usize && faces.iter().all(|face| (1..=ask.sides).contains(face)) => {
                Ok(faces.clone())
            }
            _ => Err(ask.mismatch()),
        }
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        let Some(heard) = self.next() else {
            let then = self.then.as_mut().ok_or_else(|| ask.missing())?;
            let card = then.card(ask)?;
            self.source = then.thrown_by();
            return Ok(card);
        };
        match heard.card {
            Some(card) => ask.checked(card),
            None => Err(ask.mismatch()),
        }
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        let Some(heard) = self.next() else {
            return self.then.as_mut().ok_or_else(|| ask.missing())?.answer(ask);
        };
        match &heard.answer {
            Some(text) => ask.read(text),
            None => Err(ask.mismatch()),
        }
    }

    fn thrown_by(&self) -> ThrownBy {
        self.source
    }
}
