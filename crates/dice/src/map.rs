//! Ordered maps and sets as sorted lists. Adjutant's maps are small – inputs, answers, options, columns – and there are many kinds
//! of them; `BTreeMap` costs the engine in the browser some kilobytes for each kind, a sorted list some hundred bytes. Putting a
//! new key before others moves them all, which is cheap up to some thousands of keys; the maps that may grow beyond (standings of a
//! walk, chances that are not sure) stay trees.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use std::borrow::Borrow;
use std::marker::PhantomData;

/// Values by key, in the order of the keys.
///
/// ```
/// let mut map = adjutant_dice::Map::new();
/// map.insert("b", 2);
/// *map.or_default("a") += 1;
/// assert_eq!(map.get("b"), Some(&2));
/// assert_eq!(map.keys().copied().collect::<Vec<_>>(), ["a", "b"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Map<K, V>(Vec<(K, V)>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Map<K, V> {
        Map(Vec::new())
    }
}

impl<K, V> Map<K, V> {
    /// Without keys.
    pub const fn new() -> Map<K, V> {
        Map(Vec::new())
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keys with their values.
    pub fn iter(&self) -> std::slice::Iter<'_, (K, V)> {
        self.0.iter()
    }

    /// The keys.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.0.iter().map(|(_, value)| value)
    }

    /// The values, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// Keeps only what fits.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }

    /// The last key with its value.
    pub fn last(&self) -> Option<&(K, V)> {
        self.0.last()
    }
}

impl<K: Ord, V> Map<K, V> {
    /// Where a key stands, or where it would.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        // Most maps are filled in order.
        match self.0.last() {
            Some((last, _)) if last.borrow() < key => Err(self.0.len()),
            _ => self.0.binary_search_by(|(other, _)| other.borrow().cmp(key)),
        }
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().and_then(|at| self.0.get(at)).map(|(_, value)| value)
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().and_then(|at| self.0.get_mut(at)).map(|(_, value)| value)
    }

    /// Whether the key is there.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Puts a value under a key and gives back the one that was there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// The value of a key, which is put there if it is missing.
    pub fn or_insert(&mut self, key: K, missing: V) -> &mut V {
        let at = self.place(&key).unwrap_or_else(|at| {
            self.0.insert(at, (key, missing));
            at
        });
        &mut self.0[at].1
    }

    /// The value of a key; an empty one if it is missing.
    pub fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.or_insert(key, V::default())
    }

    /// Takes a key and its value away.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| self.0.remove(at).1)
    }
}

/// As with the maps of the standard library, a key that is not there is a mistake of the program: whoever is not sure asks `get`.
impl<K: Borrow<Q> + Ord, Q: Ord + ?Sized, V> std::ops::Index<&Q> for Map<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        let at = self.place(key).unwrap_or(usize::MAX);
        &self.0[at].1
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = &'a (K, V);
    type IntoIter = std::slice::Iter<'a, (K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, more: I) {
        for (key, value) in more {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(all: I) -> Map<K, V> {
        let mut map = Map::new();
        map.extend(all);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(all: [(K, V); N]) -> Map<K, V> {
        all.into_iter().collect()
    }
}

impl<K: Serialize, V: Serialize> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Deserialize<'de> for Map<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Map<K, V>, D::Error> {
        struct Pairs<K, V>(PhantomData<(K, V)>);
        impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Visitor<'de> for Pairs<K, V> {
            type Value = Map<K, V>;

            fn expecting(&self, words: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                words.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Map<K, V>, A::Error> {
                let mut map = Map::new();
                while let Some((key, value)) = pairs.next_entry()? {
                    // Which of two would count is each reader's own choice, and then a text means two things.
                    if map.insert(key, value).is_some() {
                        return Err(A::Error::custom("a name stands twice"));
                    }
                }
                Ok(map)
            }
        }
        deserializer.deserialize_map(Pairs(PhantomData))
    }
}

/// Keys alone, in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set<K>(Vec<K>);

impl<K> Default for Set<K> {
    fn default() -> Set<K> {
        Set(Vec::new())
    }
}

impl<K> Set<K> {
    /// Without keys.
    pub const fn new() -> Set<K> {
        Set(Vec::new())
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The keys.
    pub fn iter(&self) -> std::slice::Iter<'_, K> {
        self.0.iter()
    }
}

impl<K: Ord> Set<K> {
    /// Puts a key in and says whether it is new.
    pub fn insert(&mut self, key: K) -> bool {
        match self.0.binary_search(&key) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, key);
                true
            }
        }
    }

    /// Whether a key is in it.
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|other| other.borrow().cmp(key)).is_ok()
    }

    /// Takes a key out and says whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|other| other.borrow().cmp(key)).map(|at| self.0.remove(at)).is_ok()
    }

    /// Whether all its keys are in another.
    pub fn is_subset(&self, other: &Set<K>) -> bool {
        self.0.iter().all(|key| other.contains(key))
    }

    /// Whether no key is in both.
    pub fn is_disjoint(&self, other: &Set<K>) -> bool {
        !self.0.iter().any(|key| other.contains(key))
    }
}

impl<K> IntoIterator for Set<K> {
    type Item = K;
    type IntoIter = std::vec::IntoIter<K>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K> IntoIterator for &'a Set<K> {
    type Item = &'a K;
    type IntoIter = std::slice::Iter<'a, K>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<K: Ord> Extend<K> for Set<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, more: I) {
        for key in more {
            self.insert(key);
        }
    }
}

impl<K: Ord> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(all: I) -> Set<K> {
        let mut set = Set::new();
        set.extend(all);
        set
    }
}

impl<K: Ord, const N: usize> From<[K; N]> for Set<K> {
    fn from(all: [K; N]) -> Set<K> {
        all.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Map, Set};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn a_name_that_stands_twice_is_refused() {
        assert!(serde_json::from_str::<Map<String, u8>>(r#"{"a":1,"b":2,"a":3}"#).unwrap_err().to_string().contains("a name stands twice"));
    }

    proptest! {
        /// The tree of the standard library is the slow twin.
        #[test]
        fn as_a_tree_does(acts in prop::collection::vec((0_u8..4, 0_u8..12, any::<u16>()), 0..60)) {
            let (mut ours, mut tree, mut set, mut branches) = (Map::new(), BTreeMap::new(), Set::new(), BTreeSet::new());
            for (act, key, value) in acts {
                match act {
                    0 => prop_assert_eq!(ours.remove(&key), tree.remove(&key)),
                    1 => prop_assert_eq!(ours.or_insert(key, value), tree.entry(key).or_insert(value)),
                    _ => prop_assert_eq!(ours.insert(key, value), tree.insert(key, value)),
                }
                let changed = if act == 0 { (set.remove(&key), branches.remove(&key)) } else { (set.insert(key), branches.insert(key)) };
                prop_assert_eq!(changed.0, changed.1);
                prop_assert_eq!(ours.get(&key), tree.get(&key));
                prop_assert_eq!(set.contains(&key), branches.contains(&key));
            }
            prop_assert!(ours.keys().eq(tree.keys()) && ours.values().eq(tree.values()) && set.iter().eq(&branches));
            prop_assert_eq!(serde_json::to_string(&ours).unwrap(), serde_json::to_string(&tree).unwrap());
            let text = serde_json::to_string(&tree).unwrap();
            prop_assert_eq!(serde_json::from_str::<Map<u8, u16>>(&text).unwrap(), ours);
        }
    }
}
