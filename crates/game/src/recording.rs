//! What a play drew. [`DrawRecorder`] records each draw and reshuffle while a chart runs, for the
//! `cards` of a play record.

use crate::event::Drawn;
use adjutant_dice::{
    Answer, CardRequest, Deck, DiceRequest, InputSource, Question, SourceError, ThrownBy,
};
use adjutant_pack::DeckSheet;

/// Wraps another source and records what happens to the decks.
pub(crate) struct DrawRecorder<'a> {
    from: &'a mut dyn InputSource,
    drawn: Vec<Drawn>,
    /// The decks as they were before, with their sheets.
    before: (&'a [DeckSheet], &'a [Deck]),
    /// Each deck as it would be without reshuffles, by its id.
    decks: Vec<(String, Deck)>,
}

impl<'a> DrawRecorder<'a> {
    pub fn new(
        from: &'a mut dyn InputSource,
        before: (&'a [DeckSheet], &'a [Deck]),
    ) -> DrawRecorder<'a> {
        DrawRecorder { from, drawn: Vec::new(), before, decks: Vec::new() }
    }

    /// What was drawn, with any reshuffle after a deck's last draw.
    pub fn finish(mut self, after: &[Deck]) -> Vec<Drawn> {
        let (sheets, before) = self.before;
        for ((sheet, before), after) in sheets.iter().zip(before).zip(after) {
            let known = self
                .decks
                .iter()
                .find(|(known, _)| *known == sheet.id)
                .map_or(before, |(_, deck)| deck);
            if known != after {
                self.drawn.push(Drawn {
                    deck: sheet.id.to_string(),
                    reshuffled: true,
                    ..Drawn::default()
                });
            }
        }
        self.drawn
    }

    fn drew(&mut self, request: &CardRequest<'_>, card: u32) {
        let place = match self.decks.iter().position(|(id, _)| id == request.deck_id) {
            Some(place) => place,
            None => {
                // As it was before the play: an empty deck is reshuffled before its first draw.
                let known = self
                    .before
                    .0
                    .iter()
                    .zip(self.before.1)
                    .find(|(sheet, _)| sheet.id == request.deck_id);
                self.decks.push((
                    request.deck_id.to_owned(),
                    known.map_or(request.deck, |(_, deck)| deck).clone(),
                ));
                self.decks.len() - 1
            }
        };
        let reshuffled = self.decks[place].1.left() != request.deck.left();
        self.decks[place].1.clone_from(request.deck);
        // The caller removes the card from its deck and rejects one that is not there.
        let _ = self.decks[place].1.take(card);
        match self.drawn.last_mut().filter(|last| last.deck == request.deck_id && !reshuffled) {
            Some(last) => last.took.push(card),
            None => self.drawn.push(Drawn {
                deck: request.deck_id.to_owned(),
                reshuffled,
                took: vec![card],
                ..Drawn::default()
            }),
        }
    }
}

impl InputSource for DrawRecorder<'_> {
    fn dice(&mut self, request: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        self.from.dice(request)
    }

    fn card(&mut self, request: &CardRequest<'_>) -> Result<u32, SourceError> {
        let card = self.from.card(request)?;
        self.drew(request, card);
        Ok(card)
    }

    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, SourceError> {
        self.from.answer(question)
    }

    fn thrown_by(&self) -> ThrownBy {
        self.from.thrown_by()
    }
}
