//! The shade of each result: how bad it is, where the pack says it.

use adjutant_pack::{Harm, Pack};

/// The shades of results by their ids, for [`Plot::shades`](super::Plot::shades). Results of the
/// same harm, and those without, get the shades that are left.
pub fn shades<'i>(pack: &Pack, ids: impl IntoIterator<Item = &'i str>) -> Vec<usize> {
    let mut used: Vec<usize> = Vec::new();
    for id in ids {
        let known = pack.results().iter().find(|result| result.id == id);
        let harm = known.and_then(|result| result.harm).map(|harm: Harm| usize::from(harm.level()));
        let free = |shade: &usize| !used.contains(shade);
        let other = || (4..8).find(free).unwrap_or(4 + used.len() % 4);
        used.push(harm.filter(free).unwrap_or_else(other));
    }
    used
}
