//! Sealed rolls: faces from a seed that several players made together. Every byte is settled in
//! `docs/sealed-rolls.md`, so that a stranger can derive the same faces with nothing but SHA-256:
//! blocks of the seed and a counter, words of four bytes, numbers by rejection.

use crate::uniform::RandomWords;
use crate::{Answer, CardRequest, DiceRequest, InputSource, Question, SourceError, ThrownBy};
use sha2::{Digest, Sha256};

/// The text before seed and counter in each block.
const BLOCK: &[u8] = b"adjutant sealed dice 1";

/// A sealed seed as a source of faces and cards. It answers no questions: those are for players.
///
/// ```
/// use adjutant_dice::{DiceRequest, SealedInput, InputSource};
/// let ask = DiceRequest::new("dr", "a morale check", 2, 6);
/// assert_eq!(SealedInput::new([7; 32]).dice(&ask).unwrap(), SealedInput::new([7; 32]).dice(&ask).unwrap());
/// ```
pub struct SealedInput {
    seed: [u8; 32],
    block: [u8; 32],
    /// The number of words taken from the blocks so far.
    taken: u64,
}

impl SealedInput {
    /// The dice and cards that follow from a seed.
    pub fn new(seed: [u8; 32]) -> SealedInput {
        SealedInput { seed, block: [0; 32], taken: 0 }
    }
}

impl RandomWords for SealedInput {
    fn word(&mut self) -> u32 {
        let place = (self.taken % 8) as usize * 4;
        if place == 0 {
            let hash = Sha256::new()
                .chain_update(BLOCK)
                .chain_update(self.seed)
                .chain_update((self.taken / 8).to_be_bytes());
            self.block = hash.finalize().into();
        }
        self.taken += 1;
        self.block[place..place + 4].iter().fold(0, |word, byte| word << 8 | u32::from(*byte))
    }
}

impl InputSource for SealedInput {
    fn dice(&mut self, request: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        Ok(self.roll(request))
    }

    fn card(&mut self, request: &CardRequest<'_>) -> Result<u32, SourceError> {
        self.draw(request)
    }

    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, SourceError> {
        Err(question.missing())
    }

    fn thrown_by(&self) -> ThrownBy {
        ThrownBy::Sealed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Deck;

    /// Over many seeds, not within one: that is how rolls at a table come.
    fn seeds(count: u32) -> impl Iterator<Item = SealedInput> {
        (0..count).map(|n| SealedInput::new(Sha256::digest(n.to_be_bytes()).into()))
    }

    fn chi_square(seen: &[f64], expected: f64) -> f64 {
        seen.iter().map(|n| (n - expected).powi(2) / expected).sum()
    }

    #[test]
    fn faces_are_even_by_chi_square() {
        // The 0.1 % points of 5, 9 and 99 degrees.
        for (sides, most) in [(6_u32, 20.5), (10, 27.9), (100, 148.2)] {
            let mut seen = vec![0.0; sides as usize];
            for mut luck in seeds(20_000) {
                for face in luck.dice(&DiceRequest::new("d", "", 3, sides)).unwrap() {
                    seen[face as usize - 1] += 1.0;
                }
            }
            let chi = chi_square(&seen, 60_000.0 / f64::from(sides));
            assert!(chi < most, "d{sides}: chi-square {chi} is beyond {most}");
        }
    }

    #[test]
    fn every_card_left_is_drawn_evenly_and_no_other() {
        let deck = Deck::without(7, [2, 6]).unwrap();
        let mut seen = [0.0; 8];
        for mut luck in seeds(10_000) {
            seen[luck.card(&CardRequest::new("c", "", "d", &deck)).unwrap() as usize] += 1.0;
        }
        assert_eq!((seen[2], seen[6]), (0.0, 0.0));
        let chi = chi_square(&[seen[1], seen[3], seen[4], seen[5], seen[7]], 2_000.0);
        assert!(chi < 18.5, "chi-square {chi} is beyond the 0.1 % point of four degrees");
    }

    #[test]
    fn rolls_follow_one_another_in_the_stream() {
        let ask = |count| DiceRequest::new("d", "", count, 6);
        let mut once = SealedInput::new([1; 32]);
        let mut twice = SealedInput::new([1; 32]);
        let all = once.dice(&ask(20)).unwrap();
        assert_eq!([twice.dice(&ask(9)).unwrap(), twice.dice(&ask(11)).unwrap()].concat(), all);
        assert_eq!(once.thrown_by(), ThrownBy::Sealed);
    }
}
