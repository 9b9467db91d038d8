//! Sorting, by one program for all lists. The standard sort is made anew for every type and every comparison, some kilobytes each
//! time, and the engine in the browser has two dozen of them; here only places are sorted, and the list is then laid out by them.
//! For lists that people read. What is sorted millions of times has the standard sort.

use std::cmp::Ordering;

/// Sorts a list; what compares equal stays in its order.
///
/// ```
/// let mut list = vec!["bb", "c", "aa"];
/// adjutant_dice::sort_by(&mut list, |a, b| a.len().cmp(&b.len()));
/// assert_eq!(list, ["c", "bb", "aa"]);
/// ```
pub fn sort_by<T>(list: &mut Vec<T>, order: impl Fn(&T, &T) -> Ordering) {
    let places = sorted(list.len(), &|a, b| order(&list[a], &list[b]));
    let mut taken: Vec<Option<T>> = list.drain(..).map(Some).collect();
    list.extend(places.into_iter().filter_map(|place| taken[place].take()));
}

/// Sorts a list by what is made of each entry.
pub fn sort_by_key<T, K: Ord>(list: &mut Vec<T>, key: impl Fn(&T) -> K) {
    let keys: Vec<K> = list.iter().map(key).collect();
    let places = sorted(list.len(), &|a, b| keys[a].cmp(&keys[b]));
    let mut taken: Vec<Option<T>> = list.drain(..).map(Some).collect();
    list.extend(places.into_iter().filter_map(|place| taken[place].take()));
}

/// The places from 0 on, sorted.
fn sorted(count: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| order(*a, *b));
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_the_standard_sort_does(list in prop::collection::vec((0_u8..6, any::<u8>()), 0..60)) {
            let (mut ours, mut keyed, mut theirs) = (list.clone(), list.clone(), list);
            super::sort_by(&mut ours, |a, b| a.0.cmp(&b.0));
            super::sort_by_key(&mut keyed, |entry| entry.0);
            theirs.sort_by_key(|entry| entry.0);
            prop_assert_eq!(&ours, &theirs);
            prop_assert_eq!(&keyed, &theirs);
        }
    }
}
