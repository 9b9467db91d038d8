//! Luck from a generator: ChaCha with twelve rounds, seeded by the operating system for play, or by a
//! number for a run that must repeat.

use crate::even::Words;
use crate::{Answer, CardAsk, DiceAsk, Question, Seam, Stop};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A generator as a source of faces and cards. It answers no questions: those are for players.
///
/// ```
/// use chance::{DiceAsk, Random, Seam};
/// let ask = DiceAsk { key: "dr", what_for: "a morale check", count: 2, sides: 6 };
/// let once = Random::seeded(7).throw(&ask).unwrap();
/// assert_eq!(once, Random::seeded(7).throw(&ask).unwrap());
/// ```
pub struct Random {
    words: ChaCha12Rng,
}

impl Random {
    /// The same luck every time for the same number.
    pub fn seeded(seed: u64) -> Random {
        Random { words: ChaCha12Rng::seed_from_u64(seed) }
    }

    /// Luck from thirty-two bytes that the caller vouches for.
    pub fn from_bytes(seed: [u8; 32]) -> Random {
        Random { words: ChaCha12Rng::from_seed(seed) }
    }

    /// Luck that nobody can foresee, seeded by the operating system.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn from_system() -> Result<Random, Stop> {
        let mut seed = [0; 32];
        match getrandom::fill(&mut seed) {
            Ok(()) => Ok(Random::from_bytes(seed)),
            Err(fault) => Err(Stop::Refused(format!("the operating system gives no random numbers: {fault}"))),
        }
    }
}

impl Words for Random {
    fn word(&mut self) -> u32 {
        self.words.next_u32()
    }
}

impl Seam for Random {
    fn throw(&mut self, ask: &DiceAsk<'_>) -> Result<Vec<u32>, Stop> {
        Ok(self.faces(ask))
    }

    fn draw(&mut self, ask: &CardAsk<'_>) -> Result<u32, Stop> {
        self.card(ask)
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, Stop> {
        Err(ask.need())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Deck;

    #[test]
    fn faces_are_even_by_chi_square() {
        let mut luck = Random::seeded(1);
        let mut seen = [0_f64; 6];
        for face in luck.throw(&DiceAsk { key: "d", what_for: "", count: 60_000, sides: 6 }).unwrap() {
            seen[face as usize - 1] += 1.0;
        }
        let chi: f64 = seen.iter().map(|n| (n - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 20.5, "chi-square {chi} is beyond the 0.1 % point of five degrees");
    }

    #[test]
    fn a_seed_means_the_same_throw_for_ever() {
        let ask = DiceAsk { key: "d", what_for: "", count: 8, sides: 10 };
        assert_eq!(Random::seeded(2026).throw(&ask).unwrap(), Random::seeded(2026).throw(&ask).unwrap());
        assert_ne!(Random::seeded(2026).throw(&ask).unwrap(), Random::seeded(2027).throw(&ask).unwrap());
    }

    #[test]
    fn every_card_left_is_drawn_and_no_other() {
        let deck = Deck::without(5, [2, 4]).unwrap();
        let mut luck = Random::seeded(3);
        let mut seen = [0; 6];
        for _ in 0..300 {
            seen[luck.draw(&CardAsk { key: "c", what_for: "", deck_id: "d", deck: &deck }).unwrap() as usize] += 1;
        }
        assert_eq!((seen[2], seen[4]), (0, 0));
        assert!([1, 3, 5].iter().all(|c| seen[*c] > 60));
    }
}
