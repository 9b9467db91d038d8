//! Numbers in which a fight is weighed: exact fractions.

use num_bigint::BigUint;
use num_integer::Integer;

/// A fraction that is not negative, reduced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mass {
    pub over: BigUint,
    pub under: BigUint,
}

impl Mass {
    pub fn zero() -> Mass {
        Mass { over: BigUint::ZERO, under: BigUint::from(1_u32) }
    }

    pub fn one() -> Mass {
        Mass { over: BigUint::from(1_u32), under: BigUint::from(1_u32) }
    }

    pub fn new(over: BigUint, under: BigUint) -> Mass {
        let shared = over.gcd(&under);
        match shared > BigUint::from(1_u32) {
            true => Mass { over: over / &shared, under: under / shared },
            false => Mass { over, under },
        }
    }

    pub fn is_zero(&self) -> bool {
        self.over == BigUint::ZERO
    }

    pub fn add(&mut self, other: &Mass) {
        if other.is_zero() {
            return;
        }
        *self = match (self.is_zero(), self.under == other.under) {
            (true, _) => other.clone(),
            (_, true) => Mass::new(&self.over + &other.over, self.under.clone()),
            _ => Mass::new(&self.over * &other.under + &other.over * &self.under, &self.under * &other.under),
        };
    }

    pub fn times(&self, other: &Mass) -> Mass {
        match self.is_zero() || other.is_zero() {
            true => Mass::zero(),
            false => Mass::new(&self.over * &other.over, &self.under * &other.under),
        }
    }

    pub fn scaled(&self, over: &BigUint, under: &BigUint) -> Mass {
        match self.is_zero() {
            true => Mass::zero(),
            false => Mass::new(&self.over * over, &self.under * under),
        }
    }

    /// One less this, and none if nothing is left.
    pub fn rest(&self) -> Option<Mass> {
        (self.under > self.over).then(|| Mass::new(&self.under - &self.over, self.under.clone()))
    }

    pub fn upside_down(&self) -> Mass {
        Mass { over: self.under.clone(), under: self.over.clone() }
    }
}
