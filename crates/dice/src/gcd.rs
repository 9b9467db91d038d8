//! The greatest common divisor of weights and denominators.

/// The greatest common divisor, by Euclid's algorithm; of 0 and a number, that number. The binary
/// algorithm of `num-integer` takes two to eight times as long when one of the two is small, as
/// denominators are.
pub fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
