//! For each outcome, dice that come to it.

use super::die::Trail;
use super::walk::Walk;

/// The way by which each cell of a walk was reached first.
pub(super) struct Trace {
    /// Place in `steps`, counted from 1, and the cell before.
    reached: Vec<(u32, u32)>,
    steps: Vec<(usize, Vec<u32>)>,
}

impl Trace {
    pub fn new(cells: usize) -> Trace {
        Trace { reached: vec![(0, 0); cells], steps: Vec::new() }
    }

    /// `length` cells from `first.0` lead to as many cells from `first.1` by these dice of a group.
    pub fn add(
        &mut self,
        group: usize,
        dice: &[u32],
        first: (usize, usize),
        length: usize,
        is_reached: impl Fn(usize) -> bool,
    ) {
        let step = self.steps.len() as u32 + 1;
        let mut used = false;
        for at in 0..length {
            let cell = &mut self.reached[first.1 + at];
            if cell.0 == 0 && is_reached(at) {
                *cell = (step, (first.0 + at) as u32);
                used = true;
            }
        }
        if used {
            self.steps.push((group, dice.to_vec()));
        }
    }
}

/// One die of an example, before it is known when it was rolled.
struct ExampleDie {
    trail: Trail,
    brings_extra: bool,
    first_roll: bool,
}

/// Dice that lead to a cell: those of the first roll by kind, then extra dice.
pub(super) fn example(walk: &Walk<'_>, trace: &Trace, mut cell: usize) -> Vec<Trail> {
    let mut shown: Vec<Vec<ExampleDie>> = walk.plan.kinds.iter().map(|_| Vec::new()).collect();
    while trace.reached[cell].0 > 0 {
        let (step, before) = trace.reached[cell];
        let (group, dice) = &trace.steps[step as usize - 1];
        for (slot, dice) in walk.groups[*group].iter().zip(dice) {
            let part = &walk.parts[slot.part];
            let term = &part.terms[slot.term];
            let (kind, fresh) = (part.part.kind, walk.plan.fresh(part.part.kind));
            for _ in 0..*dice {
                shown[kind].push(ExampleDie {
                    trail: Trail {
                        kind,
                        places: term.places.clone(),
                        rerolls: term.rerolls,
                        rule: term.rule,
                        extra: false,
                    },
                    brings_extra: part.brings_extra,
                    first_roll: part.part != fresh,
                });
            }
        }
        cell = before as usize;
    }
    let mut rounds: Vec<Vec<Trail>> = Vec::new();
    for (kind, shown) in walk.plan.kinds.iter().zip(shown) {
        let most = walk.plan.rules.extra_at_most as usize;
        for (round, dice) in in_rounds(shown, kind.count as usize, most).into_iter().enumerate() {
            rounds.resize(rounds.len().max(round + 1), Vec::new());
            rounds[round].extend(dice);
        }
    }
    rounds.into_iter().flatten().collect()
}

/// Sorts the dice of one kind by the round in which they are rolled. Each die that brings another
/// one is followed by exactly one, up to the limit, so chains are filled one after the other.
fn in_rounds(shown: Vec<ExampleDie>, first: usize, most: usize) -> Vec<Vec<Trail>> {
    // Chains that are full of dice that bring more must come before shorter ones.
    let mut heads: Vec<ExampleDie> = Vec::new();
    let mut rest: Vec<ExampleDie> = Vec::new();
    for die in shown {
        if die.first_roll { heads.push(die) } else { rest.push(die) }
    }
    // Of equal faces, a rule that takes some dice takes the first ones.
    crate::sort::sort_by_key(&mut heads, |die| die.trail.rule.unwrap_or(usize::MAX));
    crate::sort::sort_by_key(&mut rest, |die| !die.brings_extra);
    let ends = rest.iter().position(|die| !die.brings_extra).unwrap_or(rest.len());
    let (mut ends, mut goes_on) = (rest.split_off(ends), rest);
    let open = first - heads.len().min(first);
    let mut chains: Vec<Vec<ExampleDie>> = heads.into_iter().map(|die| vec![die]).collect();
    chains.extend((0..open).map(|_| Vec::new()));
    // A chain that takes no end is made of dice that bring more alone.
    let mut wants: Vec<usize> = (0..chains.len())
        .filter(|chain| chains[*chain].last().is_none_or(|die| die.brings_extra))
        .collect();
    while wants.len() > ends.len() {
        let Some(chain) = wants.pop() else { break };
        while chains[chain].len() <= most {
            let Some(die) = goes_on.pop() else { break };
            chains[chain].push(die);
        }
    }
    for chain in wants {
        while chains[chain].len() < most {
            let Some(die) = goes_on.pop() else { break };
            chains[chain].push(die);
        }
        chains[chain].extend(ends.pop());
    }
    let mut rounds: Vec<Vec<Trail>> = Vec::new();
    for chain in chains {
        for (round, die) in chain.into_iter().enumerate() {
            rounds.resize(rounds.len().max(round + 1), Vec::new());
            rounds[round].push(Trail { extra: round > 0, ..die.trail });
        }
    }
    rounds
}
