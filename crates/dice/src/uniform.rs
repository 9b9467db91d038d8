//! Even chances from random words. Faces and cards are made by rejection, so that each is exactly
//! as likely as every other, and in one place, since a seed must mean the same roll in every later
//! version, whether a generator or several players made it.

use crate::{CardRequest, DiceRequest, SourceError};

/// A stream of random words of 32 bits.
pub(crate) trait RandomWords {
    /// The next 32 bits of the stream.
    fn word(&mut self) -> u32;

    /// A number from 0 to `n` − 1, each equally likely; 0 when `n` is 0.
    fn below(&mut self, n: u32) -> u32 {
        let n = u64::from(n.max(1));
        let fair = (1 << 32) / n * n;
        loop {
            let word = u64::from(self.word());
            if word < fair {
                return (word % n) as u32;
            }
        }
    }

    fn roll(&mut self, request: &DiceRequest<'_>) -> Vec<u32> {
        (0..request.count).map(|_| self.below(request.sides) + 1).collect()
    }

    /// One of the cards that are left.
    fn draw(&mut self, request: &CardRequest<'_>) -> Result<u32, SourceError> {
        let place = self.below(request.deck.left());
        request.deck.cards().nth(place as usize).ok_or_else(|| request.missing())
    }
}
