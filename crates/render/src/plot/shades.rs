//! The shade of each result: how bad it is, where the pack says it.

use adjutant_pack::{Harm, Pack};

/// The colour and the hatching of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shade {
    /// The colour: 0 to 3 is how bad the result is; 4 to 7 are for results without `harm`. None of
    /// these is green or red, because nobody knows whether they are good or bad.
    pub colour: usize,
    /// Which of the results with the same colour it is, from 0 to 3.
    pub hatch: usize,
}

impl Shade {
    /// A colour without further hatching.
    pub const fn plain(colour: usize) -> Shade {
        Shade { colour, hatch: 0 }
    }
}

/// The shades of results by their ids, in the order in which they are shown. Results that are
/// equally bad have the same colour and differ in their hatching.
pub fn shades<'i>(pack: &Pack, ids: impl IntoIterator<Item = &'i str>) -> Vec<Shade> {
    let (mut taken, mut plain) = ([0; 8], 0);
    let shade = |id: &str| {
        let known = pack.results().iter().find(|result| result.id == id);
        let colour = match known.and_then(|result| result.harm).map(Harm::level) {
            Some(level) => usize::from(level),
            None => {
                plain += 1;
                4 + (plain - 1) % 4
            }
        };
        taken[colour] += 1;
        Shade { colour, hatch: (taken[colour] - 1) % 4 }
    };
    ids.into_iter().map(shade).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equally_bad_results_have_one_colour_and_differ_in_hatching() {
        let files = adjutant_bundled_packs::files("chain-reaction").unwrap();
        let pack = adjutant_pack::read_pack(&files, None).unwrap();
        let found =
            shades(&pack, ["obviously-dead", "out-of-the-fight", "knocked-down", "no-such"]);
        let worst = |hatch| Shade { colour: 3, hatch };
        assert_eq!(found[..2], [worst(0), worst(1)]);
        assert!(found[2].colour < 3 && found[3] == Shade::plain(4), "{found:?}");
    }
}
