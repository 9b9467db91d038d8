//! Maps and sets without a sort. `collect` and `from` sort what they are given, and each type of
//! key adds a sort of several kilobytes to the page. Entries that are inserted one by one need none.

use std::collections::{BTreeMap, BTreeSet};

/// A map with one entry.
pub fn one_entry<K: Ord, V>(key: K, value: V) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.insert(key, value);
    map
}

/// A map of these entries. Of equal keys the last counts.
pub fn map_of<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    for (key, value) in entries {
        map.insert(key, value);
    }
    map
}

/// A set of these items.
pub fn set_of<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    for item in items {
        set.insert(item);
    }
    set
}
