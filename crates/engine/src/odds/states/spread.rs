//! Weights over a total, and how they are mixed.

use crate::odds::distribution::{add_weight, gcd};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Weights over a total.
#[derive(Clone, PartialEq)]
pub(in crate::odds) struct Spread<K> {
    pub parts: BTreeMap<K, BigUint>,
    pub total: BigUint,
}

impl<K: Ord> Spread<K> {
    /// Certainty.
    pub fn sure(key: K) -> Spread<K> {
        Spread { parts: adjutant_dice::one_entry(key, one()), total: one() }
    }

    /// The same spread over other keys. Equal keys merge.
    pub fn map<L: Ord>(self, mut to: impl FnMut(K) -> L) -> Spread<L> {
        let mut parts: BTreeMap<L, BigUint> = BTreeMap::new();
        for (key, weight) in self.parts {
            add_weight(&mut parts, to(key), weight);
        }
        Spread { parts, total: self.total }
    }
}

pub(super) fn one() -> BigUint {
    BigUint::from(1_u32)
}

/// The least common multiple.
pub(super) fn common<'a>(totals: impl Iterator<Item = &'a BigUint>) -> BigUint {
    totals.fold(one(), |common, total| {
        if common == *total || (&common % total) == BigUint::ZERO {
            common
        } else {
            let shared = gcd(&common, total);
            common * (total / shared)
        }
    })
}

/// What a total and all weights share.
pub(in crate::odds) fn shared<'a>(
    total: &BigUint,
    weights: impl Iterator<Item = &'a BigUint>,
) -> BigUint {
    let mut shared = total.clone();
    for weight in weights {
        shared = gcd(&shared, weight);
        if shared == one() {
            break;
        }
    }
    shared
}

/// A mixture of spreads with different totals, brought to one total at the end.
pub(in crate::odds) struct Mix<K> {
    parts: Vec<(BigUint, Spread<K>)>,
}

impl<K> Default for Mix<K> {
    fn default() -> Mix<K> {
        Mix { parts: Vec::new() }
    }
}

impl<K: Ord> Mix<K> {
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    pub fn add(&mut self, weight: &BigUint, spread: Spread<K>) {
        self.parts.push((weight.clone(), spread));
    }

    /// The mixture, where the weights are parts of `total`.
    pub fn done(self, total: &BigUint) -> Spread<K> {
        let common = common(self.parts.iter().map(|(_, spread)| &spread.total));
        let mut parts: BTreeMap<K, BigUint> = BTreeMap::new();
        for (weight, spread) in self.parts {
            let scale =
                if spread.total == common { weight } else { weight * (&common / &spread.total) };
            for (key, ways) in spread.parts {
                add_weight(&mut parts, key, ways * &scale);
            }
        }
        // A common factor of all weights only makes them longer.
        let total = total * &common;
        let shared = shared(&total, parts.values());
        if shared > one() {
            parts.values_mut().for_each(|ways| *ways /= &shared);
            return Spread { parts, total: total / shared };
        }
        Spread { parts, total }
    }
}
