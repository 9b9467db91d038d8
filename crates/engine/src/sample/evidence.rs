//! Statistics of sample counts. Floats are fine here: a count is an estimate anyway.

use super::Counted;

/// The normal quantile that leaves 2.5 % on either side.
const DEVIATE_95: f64 = 1.959_963_984_540_054;
/// The minimum expected count of each outcome for a chi-square test, by the usual rule.
const FEWEST_EXPECTED: f64 = 5.0;

/// The 95 % confidence interval of a proportion (Wilson's score interval, which stays between 0 and
/// 1 and also works for rare outcomes).
///
/// ```
/// let (from, to) = adjutant_engine::wilson(50, 100);
/// assert!((from - 0.404).abs() < 0.001 && (to - 0.596).abs() < 0.001);
/// ```
pub fn wilson(count: u64, of: u64) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let (n, share, square) = (of as f64, count as f64 / of as f64, DEVIATE_95 * DEVIATE_95);
    let middle = share + square / (2.0 * n);
    let reach = DEVIATE_95 * (share * (1.0 - share) / n + square / (4.0 * n * n)).sqrt();
    let whole = 1.0 + square / n;
    // At the extremes the interval touches 0 or 1 exactly; the square root only comes close.
    let from = if count == 0 { 0.0 } else { (middle - reach) / whole };
    let to = if count == of { 1.0 } else { (middle + reach) / whole };
    (from, to)
}

/// How far counts deviate from the exact odds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// The sum of squared differences, each divided by the expected count.
    pub chi_square: f64,
    /// The degrees of freedom. If the odds are right, chi-square is close to this number.
    pub freedom: usize,
}

/// The chi-square of counts against their exact odds. Outcomes with an expected count below five
/// are merged. `None` if fewer than two groups remain, because a single group tells nothing.
pub fn chi_square(lines: &[Counted]) -> Option<Evidence> {
    let samples: u64 = lines.iter().map(|line| line.count).sum();
    let mut groups: Vec<(f64, f64)> = Vec::new();
    let mut rare = (0.0, 0.0);
    for line in lines {
        let (seen, expected) =
            (line.count as f64, samples as f64 * line.what.chance.percent() / 100.0);
        if expected < FEWEST_EXPECTED {
            rare = (rare.0 + seen, rare.1 + expected);
        } else {
            groups.push((seen, expected));
        }
    }
    if rare.1 >= FEWEST_EXPECTED {
        groups.push(rare);
    } else if let Some(least) = groups.iter_mut().min_by(|a, b| a.1.total_cmp(&b.1)) {
        *least = (least.0 + rare.0, least.1 + rare.1);
    }
    let freedom = groups.len().checked_sub(1).filter(|freedom| *freedom > 0)?;
    Some(Evidence {
        chi_square: groups
            .iter()
            .map(|(seen, expected)| (seen - expected).powi(2) / expected)
            .sum(),
        freedom,
    })
}
