//! Random dice and cards: ChaCha with twelve rounds, seeded by the operating system for play, or by
//! a number for a run that must repeat.

use crate::uniform::RandomWords;
use crate::{Answer, CardRequest, DiceRequest, InputSource, Question, SourceError, ThrownBy};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A generator as a source of faces and cards. It answers no questions: those are for players.
///
/// ```
/// use adjutant_dice::{DiceRequest, RandomInput, InputSource};
/// let ask = DiceRequest::new("dr", "a morale check", 2, 6);
/// let once = RandomInput::seeded(7).dice(&ask).unwrap();
/// assert_eq!(once, RandomInput::seeded(7).dice(&ask).unwrap());
/// ```
pub struct RandomInput {
    words: ChaCha12Rng,
}

impl RandomInput {
    /// The same dice and cards every time for the same number.
    pub fn seeded(seed: u64) -> RandomInput {
        RandomInput { words: ChaCha12Rng::seed_from_u64(seed) }
    }

    /// Seeded with bytes that the caller drew at random.
    pub fn from_bytes(seed: [u8; 32]) -> RandomInput {
        RandomInput { words: ChaCha12Rng::from_seed(seed) }
    }

    /// Unpredictable, seeded by the operating system.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn from_system() -> Result<RandomInput, SourceError> {
        let mut seed = [0; 32];
        match getrandom::fill(&mut seed) {
            Ok(()) => Ok(RandomInput::from_bytes(seed)),
            Err(error) => Err(SourceError::NoEntropy { why: error.to_string().into() }),
        }
    }
}

impl RandomWords for RandomInput {
    fn word(&mut self) -> u32 {
        self.words.next_u32()
    }
}

impl InputSource for RandomInput {
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
        ThrownBy::Program
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Deck;

    #[test]
    fn faces_are_even_by_chi_square() {
        let mut luck = RandomInput::seeded(1);
        let mut seen = [0_f64; 6];
        for face in luck.dice(&DiceRequest::new("d", "", 60_000, 6)).unwrap() {
            seen[face as usize - 1] += 1.0;
        }
        let chi: f64 = seen.iter().map(|n| (n - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 20.5, "chi-square {chi} is beyond the 0.1 % point of five degrees");
    }

    fn dice(luck: &mut RandomInput, count: u32, sides: u32) -> Vec<u32> {
        luck.dice(&DiceRequest::new("d", "", count, sides)).unwrap()
    }

    fn card(luck: &mut RandomInput, deck: &Deck) -> u32 {
        luck.card(&CardRequest::new("c", "", "d", deck)).unwrap()
    }

    // A seed gives the same dice and cards in every version. These faces were also worked out by a
    // second program (ChaCha12 and PCG32 written from their definitions). If one of them changes,
    // every seed in use changes its meaning.

    #[test]
    fn a_seed_gives_these_faces() {
        let pinned: [(u64, u32, [u32; 8]); 28] = [
            (0, 4, [4, 3, 4, 1, 3, 3, 1, 2]),
            (1, 4, [2, 1, 3, 2, 3, 3, 4, 4]),
            (2026, 4, [1, 3, 1, 2, 4, 4, 1, 1]),
            (u64::MAX, 4, [1, 1, 3, 1, 1, 4, 4, 2]),
            (0, 6, [2, 3, 2, 1, 1, 5, 3, 4]),
            (1, 6, [6, 3, 1, 4, 5, 5, 2, 4]),
            (2026, 6, [5, 1, 5, 6, 2, 6, 1, 1]),
            (u64::MAX, 6, [3, 5, 3, 3, 5, 4, 2, 6]),
            (0, 8, [8, 3, 4, 5, 7, 3, 1, 6]),
            (1, 8, [2, 5, 3, 6, 3, 3, 4, 8]),
            (2026, 8, [5, 3, 1, 2, 8, 4, 1, 1]),
            (u64::MAX, 8, [1, 1, 7, 5, 1, 8, 4, 2]),
            (0, 10, [8, 1, 10, 7, 9, 9, 5, 6]),
            (1, 10, [6, 5, 7, 2, 7, 1, 4, 4]),
            (2026, 10, [7, 7, 7, 8, 8, 2, 3, 9]),
            (u64::MAX, 10, [7, 7, 7, 9, 5, 10, 6, 4]),
            (0, 12, [8, 3, 8, 1, 7, 11, 9, 10]),
            (1, 12, [6, 9, 7, 10, 11, 11, 8, 4]),
            (2026, 12, [5, 7, 5, 6, 8, 12, 1, 1]),
            (u64::MAX, 12, [9, 5, 3, 9, 5, 4, 8, 6]),
            (0, 20, [8, 11, 20, 17, 19, 19, 5, 6]),
            (1, 20, [6, 5, 7, 2, 7, 11, 4, 4]),
            (2026, 20, [17, 7, 17, 18, 8, 12, 13, 9]),
            (u64::MAX, 20, [17, 17, 7, 9, 5, 20, 16, 14]),
            (0, 100, [8, 11, 80, 97, 59, 59, 65, 26]),
            (1, 100, [46, 85, 87, 42, 67, 91, 64, 44]),
            (2026, 100, [97, 67, 37, 78, 68, 92, 73, 29]),
            (u64::MAX, 100, [37, 37, 67, 49, 65, 20, 16, 54]),
        ];
        for (seed, sides, faces) in pinned {
            assert_eq!(
                dice(&mut RandomInput::seeded(seed), 8, sides),
                faces,
                "seed {seed}, 8d{sides}"
            );
        }
    }

    #[test]
    fn a_seed_gives_these_cards() {
        let pinned: [(u64, [u32; 8]); 3] = [
            (0, [8, 13, 32, 36, 7, 37, 41, 35]),
            (1, [6, 22, 39, 50, 12, 30, 45, 21]),
            (2026, [1, 29, 39, 43, 34, 30, 40, 5]),
        ];
        for (seed, cards) in pinned {
            let (mut luck, mut deck) = (RandomInput::seeded(seed), Deck::full(52));
            let drawn = cards.map(|_| {
                let card = card(&mut luck, &deck);
                deck.take(card).unwrap();
                card
            });
            assert_eq!(drawn, cards, "seed {seed}");
        }
    }

    #[test]
    fn words_that_would_favour_low_faces_are_rejected() {
        // Of three billion faces, words of 3,000,000,000 and more are rolled away: two of the ten
        // that this takes.
        let faces = [
            145996397, 1694341867, 1291446737, 443928378, 2953898892, 1513255273, 2751205729,
            2740642388,
        ];
        assert_eq!(dice(&mut RandomInput::seeded(2026), 8, 3_000_000_000), faces);
    }

    #[test]
    fn dice_and_cards_come_from_one_stream() {
        let (mut luck, deck) = (
            RandomInput::seeded(7),
            Deck::without(60, (1..=59).filter(|n| ![1, 3, 5].contains(n))).unwrap(),
        );
        assert_eq!(dice(&mut luck, 3, 6), [5, 2, 5]);
        assert_eq!(card(&mut luck, &deck), 1);
        assert_eq!(dice(&mut luck, 2, 10), [8, 9]);
    }

    #[test]
    fn bytes_give_these_faces() {
        let bytes: [u8; 32] = std::array::from_fn(|n| n as u8);
        let faces = [1, 6, 3, 2, 4, 1, 4, 6, 2, 5, 2, 6, 4, 5, 2, 1, 1, 4, 4, 4];
        assert_eq!(dice(&mut RandomInput::from_bytes(bytes), 20, 6), faces);
    }

    #[test]
    fn every_card_left_is_drawn_and_no_other() {
        let deck = Deck::without(5, [2, 4]).unwrap();
        let mut luck = RandomInput::seeded(3);
        let mut seen = [0; 6];
        for _ in 0..300 {
            seen[luck.card(&CardRequest::new("c", "", "d", &deck)).unwrap() as usize] += 1;
        }
        assert_eq!((seen[2], seen[4]), (0, 0));
        assert!([1, 3, 5].iter().all(|c| seen[*c] > 60));
    }
}
