//! How unusual a count is. Probabilities are exact until they reach this module. The distribution
//! of a count over many rolls is then computed in floats. All terms are positive, so nothing
//! cancels. Weights below 10⁻³⁰ are dropped at the ends, which keeps thousands of rolls fast and
//! changes no probability by more than 10⁻²⁵.

/// Weights below this are dropped.
const NOTHING: f64 = 1e-30;
/// The maximum number of multiplications for one distribution.
const MOST_WORK: f64 = 4e8;

/// The distribution of a count: the weight of each value from `first` on.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    first: usize,
    weights: Vec<f64>,
}

impl Counts {
    fn certain() -> Counts {
        Counts { first: 0, weights: vec![1.0] }
    }

    /// How often an event occurs in independent rolls with these probabilities.
    pub fn of_chances(chances: impl IntoIterator<Item = f64>) -> Counts {
        chances.into_iter().fold(Counts::certain(), |counts, chance| {
            counts.with(&Counts { first: 0, weights: vec![1.0 - chance, chance] })
        })
    }

    /// The distribution of the sum of dice; `None` if that is too much work.
    pub fn of_dice(dice: u32, sides: u32) -> Option<Counts> {
        let (n, s) = (f64::from(dice), f64::from(sides));
        // About twelve standard deviations to each side hold all weights that matter.
        let width = (n * s).min(24.0 * s / 12_f64.sqrt() * n.sqrt());
        if width * width > MOST_WORK {
            return None;
        }
        let mut sum = Counts::certain();
        let mut doubled = Counts { first: 1, weights: vec![1.0 / s; sides as usize] };
        let mut left = dice;
        while left > 0 {
            if left % 2 == 1 {
                sum = sum.with(&doubled);
            }
            left /= 2;
            if left > 0 {
                doubled = doubled.with(&doubled);
            }
        }
        Some(sum)
    }

    fn with(&self, other: &Counts) -> Counts {
        let mut weights = vec![0.0; self.weights.len() + other.weights.len() - 1];
        for (place, weight) in self.weights.iter().enumerate() {
            for (here, more) in weights[place..].iter_mut().zip(&other.weights) {
                *here += weight * more;
            }
        }
        let counts = |weight: &f64| *weight > NOTHING;
        let (from, to) = (
            weights.iter().position(counts).unwrap_or(0),
            weights.iter().rposition(counts).unwrap_or(0),
        );
        Counts { first: self.first + other.first + from, weights: weights[from..=to].to_vec() }
    }

    /// The probability of this count or a greater one.
    pub fn at_least(&self, count: usize) -> f64 {
        self.weights
            .iter()
            .rev()
            .take((self.first + self.weights.len()).saturating_sub(count))
            .sum::<f64>()
            .min(1.0)
    }

    /// The probability of this count or a smaller one.
    pub fn at_most(&self, count: usize) -> f64 {
        self.weights.iter().take((count + 1).saturating_sub(self.first)).sum::<f64>().min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The reference implementation: enumerates every combination of outcomes.
    fn walked(chances: &[f64], at_least: usize) -> f64 {
        (0_u32..1 << chances.len())
            .filter(|ways| ways.count_ones() as usize >= at_least)
            .map(|ways| {
                chances
                    .iter()
                    .enumerate()
                    .map(
                        |(place, chance)| {
                            if ways >> place & 1 == 1 { *chance } else { 1.0 - chance }
                        },
                    )
                    .product::<f64>()
            })
            .sum()
    }

    proptest! {
        #[test]
        fn tails_of_counts_agree_with_walking_all_ways(parts in prop::collection::vec(0_u32..=12, 0..10), count in 0_usize..12) {
            let chances: Vec<f64> = parts.iter().map(|part| f64::from(*part) / 12.0).collect();
            let counts = Counts::of_chances(chances.iter().copied());
            prop_assert!((counts.at_least(count) - walked(&chances, count)).abs() < 1e-12);
            prop_assert!((counts.at_most(count) - (1.0 - walked(&chances, count + 1))).abs() < 1e-12);
        }

        #[test]
        fn tails_of_dice_agree_with_counting_ways(dice in 1_u32..9, sides in 2_u32..11, sum in 0_u32..100) {
            let relevance = adjutant_dice::Relevance::Total { keep: None, pass: None };
            let ask = adjutant_dice::DiceRequest { relevance, ..adjutant_dice::DiceRequest::new("", "", dice, sides) };
            let all = adjutant_dice::ways(&ask).unwrap();
            let whole = f64::from(sides).powi(dice as i32);
            let weight = |way: &adjutant_dice::Way| way.ways.to_string().parse::<f64>().unwrap() / whole;
            let ways = |wanted: &dyn Fn(u32) -> bool| all.iter().filter(|way| wanted(way.faces.iter().sum())).map(weight).sum::<f64>();
            let counts = Counts::of_dice(dice, sides).unwrap();
            prop_assert!((counts.at_least(sum as usize) - ways(&|total| total >= sum)).abs() < 1e-12);
            prop_assert!((counts.at_most(sum as usize) - ways(&|total| total <= sum)).abs() < 1e-12);
        }
    }

    #[test]
    fn many_rolls_are_quick_and_whole() {
        let counts = Counts::of_chances(std::iter::repeat_n(0.25, 20_000));
        assert!(
            (counts.at_least(0) - 1.0).abs() < 1e-9 && (counts.at_most(20_000) - 1.0).abs() < 1e-9
        );
        assert!(counts.at_least(5_000) > 0.49 && counts.at_least(5_600) < 1e-15);
        let dice = Counts::of_dice(20_000, 6).unwrap();
        assert!((dice.at_least(70_000) + dice.at_most(69_999) - 1.0).abs() < 1e-9);
        assert!(Counts::of_dice(2_000_000, 1000).is_none());
    }
}
