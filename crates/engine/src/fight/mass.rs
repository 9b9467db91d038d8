//! The numbers in which a fight is solved: exact fractions, or floats if the fractions would have
//! thousands of digits (the result says so). Both only add, multiply and divide non-negative
//! numbers, so floats lose almost no precision.

use crate::odds::Chance;
use num_bigint::BigUint;
use num_integer::Integer;

/// A non-negative number.
pub(super) trait Mass: Clone {
    /// The quotient `over / under`.
    fn share(over: &BigUint, under: &BigUint) -> Self;
    fn is_zero(&self) -> bool;
    fn add(&mut self, other: &Self);
    fn times(&self, other: &Self) -> Self;
    /// `1 / (1 - self)`; `None` if the divisor is 0.
    fn over_rest(&self) -> Option<Self>;
    fn chance(&self) -> Chance;

    fn zero() -> Self {
        Self::share(&BigUint::ZERO, &BigUint::from(1_u32))
    }

    fn one() -> Self {
        Self::share(&BigUint::from(1_u32), &BigUint::from(1_u32))
    }
}

/// A reduced fraction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fraction {
    over: BigUint,
    under: BigUint,
}

impl Mass for Fraction {
    fn share(over: &BigUint, under: &BigUint) -> Fraction {
        let shared = over.gcd(under);
        match shared > BigUint::from(1_u32) {
            true => Fraction { over: over / &shared, under: under / shared },
            false => Fraction { over: over.clone(), under: under.clone() },
        }
    }

    fn is_zero(&self) -> bool {
        self.over == BigUint::ZERO
    }

    fn add(&mut self, other: &Fraction) {
        if other.is_zero() {
            return;
        }
        *self = match (self.is_zero(), self.under == other.under) {
            (true, _) => other.clone(),
            (_, true) => Fraction::share(&(&self.over + &other.over), &self.under),
            _ => Fraction::share(
                &(&self.over * &other.under + &other.over * &self.under),
                &(&self.under * &other.under),
            ),
        };
    }

    fn times(&self, other: &Fraction) -> Fraction {
        match self.is_zero() || other.is_zero() {
            true => Fraction::zero(),
            false => Fraction::share(&(&self.over * &other.over), &(&self.under * &other.under)),
        }
    }

    fn over_rest(&self) -> Option<Fraction> {
        (self.under > self.over).then(|| Fraction::share(&self.under, &(&self.under - &self.over)))
    }

    fn chance(&self) -> Chance {
        Chance::new(self.over.clone(), self.under.clone())
    }
}

impl Mass for f64 {
    fn share(over: &BigUint, under: &BigUint) -> f64 {
        Chance::float(over, under)
    }

    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    fn add(&mut self, other: &f64) {
        *self += other;
    }

    fn times(&self, other: &f64) -> f64 {
        self * other
    }

    fn over_rest(&self) -> Option<f64> {
        (*self < 1.0).then(|| 1.0 / (1.0 - self))
    }

    fn chance(&self) -> Chance {
        // A float is an integer over a power of two.
        let bits = self.to_bits();
        let (power, digits) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
        let digits = BigUint::from(if power == 0 { digits } else { digits | 1 << 52 });
        let power = power.max(1) - 1075;
        match power < 0 {
            true => Chance::new(digits, BigUint::from(1_u32) << power.unsigned_abs()),
            false => Chance::new(digits << power.unsigned_abs(), BigUint::from(1_u32)),
        }
    }
}
