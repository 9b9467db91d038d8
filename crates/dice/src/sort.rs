//! Sorting for lists that are short or sorted seldom. Each type and order that the standard library
//! sorts adds several kilobytes to the page. So on the page places are sorted instead, by one sort
//! for all types. All other programs sort in the usual way.

use std::cmp::Ordering;

/// Sorts by an order. Equal items stay in their order.
pub fn sort_by<T>(list: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    if cfg!(target_family = "wasm") {
        sort_places(list, order);
    } else {
        list.sort_by(order);
    }
}

/// Sorts by a key. Items with equal keys stay in their order.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |one, other| key(one).cmp(&key(other)));
}

/// Sorts in ascending order.
pub fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}

fn sort_places<T>(list: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    let mut places = sorted_places(list.len(), &|one, other| order(&list[one], &list[other]));
    arrange(&mut places, &mut |one, other| list.swap(one, other));
}

/// For each place of the sorted list, where its item is now.
fn sorted_places(length: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    places.sort_by(|one, other| order(*one, *other));
    places
}

/// Brings each item to its place. The items of a circle of places are exchanged one after another.
fn arrange(places: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..places.len() {
        let mut place = start;
        loop {
            let from = std::mem::replace(&mut places[place], place);
            if from == start {
                break;
            }
            swap(place, from);
            place = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_are_sorted_as_the_items_are(keys in prop::collection::vec(0..20_u32, 0..60)) {
            let mut list: Vec<(u32, usize)> = keys.into_iter().zip(0..).collect();
            let mut usual = list.clone();
            usual.sort_by_key(|(key, _)| *key);
            sort_places(&mut list, |one, other| one.0.cmp(&other.0));
            prop_assert_eq!(list, usual);
        }
    }
}
