//! Groups, pairs and runs, updated value by value.

use super::Live;
use crate::Number;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The features of dice that a walk remembers besides sums. Values are places in the ascending list
/// of values, counted from 1; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Features([u32; FEATURES]);

const FEATURES: usize = 10;
const WIDTH: usize = 0;
const HEIGHT: usize = 1;
const PAIR: usize = 2;
const PAIRS: usize = 3;
const DOUBLES: usize = 4;
const RUN: usize = 5;
const CURRENT: usize = 6;
const LAST: usize = 7;
const HIGHEST: usize = 8;
const LOWEST: usize = 9;

/// Which features are followed; the others stay 0, so that equal situations are one.
#[derive(Clone, Debug)]
pub(super) struct FeatureSpace {
    followed: [bool; FEATURES],
    values: Vec<Number>,
}

impl FeatureSpace {
    pub fn new(live: &[Live], values: Vec<Number>) -> FeatureSpace {
        let mut followed = [false; FEATURES];
        for live in live {
            let features: &[usize] = match live {
                Live::Sum(..) => &[],
                Live::Width => &[WIDTH],
                Live::Height => &[WIDTH, HEIGHT],
                Live::Pair => &[PAIR],
                Live::Pairs => &[PAIRS],
                Live::Doubles => &[DOUBLES],
                Live::Run => &[RUN, CURRENT, LAST],
                Live::Highest => &[HIGHEST],
                Live::Lowest => &[LOWEST],
            };
            features.iter().for_each(|feature| followed[*feature] = true);
        }
        FeatureSpace { followed, values }
    }

    /// Tells if a live value needs all equal dice at once.
    pub fn grouped(&self) -> bool {
        self.followed[..HIGHEST].contains(&true)
    }

    pub fn follows_runs(&self) -> bool {
        self.followed[RUN]
    }

    /// The place of a value, counted from 1.
    pub fn value(&self, value: Number) -> u32 {
        self.values.binary_search(&value).map_or(0, |at| at as u32 + 1)
    }

    /// `dice` dice more show `value`.
    fn add(&self, before: &Features, value: u32, dice: u32) -> Features {
        let Features(mut now) = *before;
        if dice > now[WIDTH] || (dice == now[WIDTH] && value > now[HEIGHT]) {
            (now[WIDTH], now[HEIGHT]) = (dice, value);
        }
        if dice >= 2 {
            now[PAIR] = now[PAIR].max(value);
            now[PAIRS] += 1;
            now[DOUBLES] = 1;
        }
        if self.follows_runs() {
            let goes_on = now[LAST] > 0 && self.adjacent(now[LAST], value);
            now[CURRENT] = if goes_on { now[CURRENT] + 1 } else { 1 };
            now[RUN] = now[RUN].max(now[CURRENT]);
            now[LAST] = value;
        }
        now[HIGHEST] = now[HIGHEST].max(value);
        now[LOWEST] = if now[LOWEST] == 0 { value } else { now[LOWEST].min(value) };
        for (feature, followed) in now.iter_mut().zip(self.followed) {
            if !followed {
                *feature = 0;
            }
        }
        Features(now)
    }

    fn adjacent(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.values[a as usize - 1], self.values[b as usize - 1]);
        a.minus(b).is_ok_and(|gap| gap.abs() == Number::ONE)
    }

    /// A live value that is not a sum.
    pub fn live(&self, live: Live, features: &Features) -> Number {
        let value = |place: u32| match place {
            0 => Number::ZERO,
            place => self.values[place as usize - 1],
        };
        let Features(now) = features;
        match live {
            Live::Sum(..) => Number::ZERO,
            Live::Width => Number::from(now[WIDTH]),
            Live::Height => value(now[HEIGHT]),
            Live::Pair => value(now[PAIR]),
            Live::Pairs => Number::from(now[PAIRS]),
            Live::Run => Number::from(now[RUN]),
            Live::Highest => value(now[HIGHEST]),
            Live::Lowest => value(now[LOWEST]),
            Live::Doubles => Number::from(now[DOUBLES]),
        }
    }
}

/// A few small numbers are hashed very often. None comes from outside, so a cheap hash is enough.
#[derive(Default)]
struct FeatureHasher(u64);

impl Hasher for FeatureHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Every combination of features that a walk can meet, and how dice lead from one to the next.
pub(super) struct Situations {
    pub features: Vec<Features>,
    /// By group, situation and number of dice (from 1); a row has as many places as there are dice.
    next: Vec<Vec<u32>>,
    dice: usize,
}

impl Situations {
    /// `groups` are the values in the order of the walk, each with the most dice that can show it.
    pub fn new(space: &FeatureSpace, groups: &[(u32, u32)], dice: u32) -> Situations {
        let mut situations = Situations {
            features: vec![Features::default()],
            next: Vec::new(),
            dice: dice as usize,
        };
        if !space.followed.contains(&true) {
            return situations;
        }
        let mut places: HashMap<Features, u32, BuildHasherDefault<FeatureHasher>> =
            HashMap::default();
        places.insert(Features::default(), 0);
        // How many dice it takes at least to come to each.
        let mut least = vec![0];
        for (value, most) in groups {
            let count = situations.features.len();
            let mut from_here = vec![0; count * dice as usize];
            for place in 0..count {
                let room = dice.saturating_sub(least[place]).min(*most);
                for more in 1..=room {
                    let next = space.add(&situations.features[place], *value, more);
                    if next == situations.features[place] {
                        from_here[place * dice as usize + more as usize - 1] = place as u32;
                        continue;
                    }
                    let to = *places.entry(next).or_insert_with(|| {
                        situations.features.push(next);
                        least.push(u32::MAX);
                        situations.features.len() as u32 - 1
                    });
                    let takes = least[place] + more;
                    least[to as usize] = least[to as usize].min(takes);
                    from_here[place * dice as usize + more as usize - 1] = to;
                }
            }
            situations.next.push(from_here);
        }
        situations
    }

    /// Where one, two, three … dice of a group lead to. Empty if there is only one situation.
    pub fn next(&self, group: usize, from: usize) -> &[u32] {
        let row = from * self.dice..(from + 1) * self.dice;
        self.next.get(group).map_or(&[], |next| &next[row])
    }
}
