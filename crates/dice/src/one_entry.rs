use std::collections::BTreeMap;

/// A map with one entry. `BTreeMap::from` sorts: for each type of key it would add a sort to the
/// page.
pub fn one_entry<K: Ord, V>(key: K, value: V) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.insert(key, value);
    map
}
