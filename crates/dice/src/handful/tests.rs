//! The algebra against walking every roll one by one.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Where the next face comes from.
trait Rolls {
    fn roll(&mut self, die: usize, options: &[usize]) -> usize;
}

/// Every sequence of rolls, one after the other.
#[derive(Default)]
struct Every {
    choices: Vec<(usize, usize)>,
    at: usize,
    ways: u128,
}

impl Rolls for Every {
    fn roll(&mut self, _: usize, options: &[usize]) -> usize {
        if self.at == self.choices.len() {
            self.choices.push((0, options.len()));
        }
        let (chosen, of) = self.choices[self.at];
        self.at += 1;
        self.ways *= of as u128;
        options[chosen]
    }
}

impl Every {
    fn next(&mut self) -> bool {
        while let Some((chosen, of)) = self.choices.pop() {
            if chosen + 1 < of {
                self.choices.push((chosen + 1, of));
                return true;
            }
        }
        false
    }
}

/// The rolls of an example.
struct Given(Vec<std::collections::VecDeque<usize>>);

impl Rolls for Given {
    fn roll(&mut self, die: usize, options: &[usize]) -> usize {
        let place = self.0[die].pop_front().expect("the example has this roll");
        assert!(options.contains(&place));
        place
    }
}

struct Case {
    dice: Vec<(u32, Vec<DieFace>)>,
    rules: Rules,
    live: Vec<Live>,
}

struct Rolled {
    kind: usize,
    place: usize,
    rerolled: bool,
    value: Number,
}

impl Case {
    fn score(&self, kind: usize, end: Finished) -> Score {
        // Two values share a rank, and the sums differ by kind.
        let value = end.value.floor().as_whole().unwrap();
        let rank = Number::from((value / 2) as i32);
        let sums = vec![
            Number::from((value * (kind as i64 + 1) - 2) as i32),
            Number::from(i32::from(end.rerolled)),
            Number::from((value % 2) as i32).over(Number::from(2)).unwrap(),
        ];
        Score { rank, sums }
    }

    fn faces(&self, kind: usize) -> &[DieFace] {
        &self.dice[kind].1
    }

    fn applies(&self, kind: usize, place: usize, rule: usize) -> bool {
        self.rules.rerolls[rule].at_most != Some(0)
            && self.faces(kind)[place].rerolls >> rule & 1 == 1
    }

    fn reroll(&self, rolls: &mut dyn Rolls, id: usize, die: &mut Rolled, rule: usize) {
        die.rerolled = true;
        let all: Vec<usize> = (0..self.faces(die.kind).len()).collect();
        match self.rules.rerolls[rule].at_most {
            None => {
                let left: Vec<usize> =
                    all.into_iter().filter(|place| !self.applies(die.kind, *place, rule)).collect();
                die.place = rolls.roll(id, &left);
            }
            Some(most) => {
                for _ in 0..most {
                    if self.applies(die.kind, die.place, rule) {
                        die.place = rolls.roll(id, &all);
                    }
                }
            }
        }
    }

    fn explode(&self, rolls: &mut dyn Rolls, id: usize, die: &mut Rolled) {
        let faces = self.faces(die.kind);
        let all: Vec<usize> = (0..faces.len()).collect();
        die.value = faces[die.place].value;
        for _ in 0..self.rules.explode_at_most {
            if !faces[die.place].explodes {
                break;
            }
            die.place = rolls.roll(id, &all);
            die.value = die.value.plus(faces[die.place].value).unwrap();
        }
    }

    /// One roll of the handful, as players do it.
    fn play(&self, rolls: &mut dyn Rolls) -> Vec<Number> {
        let mut dice: Vec<Rolled> = Vec::new();
        for (kind, (count, faces)) in self.dice.iter().enumerate() {
            for _ in 0..*count {
                let all: Vec<usize> = (0..faces.len()).collect();
                let place = rolls.roll(dice.len(), &all);
                dice.push(Rolled { kind, place, rerolled: false, value: Number::ZERO });
            }
        }
        for (rule, reroll) in self.rules.rerolls.iter().enumerate() {
            let mut hit: Vec<usize> = (0..dice.len())
                .filter(|at| {
                    !dice[*at].rerolled && self.applies(dice[*at].kind, dice[*at].place, rule)
                })
                .collect();
            hit.sort_by_key(|at| {
                let die = &dice[*at];
                (self.faces(die.kind)[die.place].order, die.kind, die.place)
            });
            hit.truncate(reroll.dice.map_or(usize::MAX, |dice| dice as usize));
            for at in hit {
                self.reroll(rolls, at, &mut dice[at], rule);
            }
        }
        for (id, die) in dice.iter_mut().enumerate() {
            self.explode(rolls, id, die);
        }
        let mut from = 0;
        for _ in 0..self.rules.extra_at_most {
            let to = dice.len();
            for parent in from..to {
                let kind = dice[parent].kind;
                if !self.faces(kind)[dice[parent].place].brings_extra {
                    continue;
                }
                let id = dice.len();
                let all: Vec<usize> = (0..self.faces(kind).len()).collect();
                let mut die = Rolled {
                    kind,
                    place: rolls.roll(id, &all),
                    rerolled: false,
                    value: Number::ZERO,
                };
                let free = (0..self.rules.rerolls.len()).find(|rule| {
                    self.rules.rerolls[*rule].dice.is_none() && self.applies(kind, die.place, *rule)
                });
                if let Some(rule) = free {
                    self.reroll(rolls, id, &mut die, rule);
                }
                self.explode(rolls, id, &mut die);
                dice.push(die);
            }
            from = to;
        }
        self.values(&dice)
    }

    fn values(&self, dice: &[Rolled]) -> Vec<Number> {
        let mut ends: Vec<(Number, Number, usize, bool, Vec<Number>)> = dice
            .iter()
            .map(|die| {
                let rerolled = die.rerolled && self.rules.watch_rerolled;
                let score = self.score(die.kind, Finished { value: die.value, rerolled });
                (score.rank, die.value, die.kind, rerolled, score.sums)
            })
            .collect();
        ends.sort_by(|a, b| b.cmp(a));
        let n = ends.len();
        let (high, low) = (self.rules.keep_highest, self.rules.keep_lowest);
        let kept = |at: usize| {
            let dropped = (self.rules.drop_highest as usize, self.rules.drop_lowest as usize);
            ((high, low) == (None, None) && at >= dropped.0 && at + dropped.1 < n)
                || high.is_some_and(|high| at < high as usize)
                || low.is_some_and(|low| at + low as usize >= n)
        };
        let mut counts: BTreeMap<Number, u32> = BTreeMap::new();
        for end in &ends {
            *counts.entry(end.1).or_default() += 1;
        }
        let groups: Vec<(Number, u32)> = counts.into_iter().collect();
        let best = groups.iter().map(|(value, dice)| (*dice, *value)).max();
        let (mut run, mut now) = (0, 0);
        for (at, (value, _)) in groups.iter().enumerate() {
            let goes_on = at > 0 && value.minus(groups[at - 1].0) == Ok(Number::ONE);
            now = if goes_on { now + 1 } else { 1 };
            run = run.max(now);
        }
        let pairs: Vec<Number> =
            groups.iter().filter(|(_, dice)| *dice > 1).map(|(value, _)| *value).collect();
        let one = |live: &Live| match live {
            Live::Sum(place, over) => ends
                .iter()
                .enumerate()
                .filter(|(at, _)| *over == Over::All || kept(*at))
                .fold(Number::ZERO, |sum, (_, end)| sum.plus(end.4[*place]).unwrap()),
            Live::Width => Number::from(best.map_or(0, |best| best.0)),
            Live::Height => best.map_or(Number::ZERO, |best| best.1),
            Live::Pair => pairs.last().copied().unwrap_or_default(),
            Live::Pairs => Number::from(pairs.len() as u32),
            Live::Run => Number::from(run),
            Live::Highest => groups.last().map_or(Number::ZERO, |group| group.0),
            Live::Lowest => groups.first().map_or(Number::ZERO, |group| group.0),
            Live::Doubles => Number::from(u32::from(!pairs.is_empty())),
        };
        self.live.iter().map(one).collect()
    }

    /// Ways by outcome and by the ways of the path, unless there are too many paths.
    fn walked(&self) -> Option<BTreeMap<Vec<Number>, BTreeMap<u128, u128>>> {
        let mut every = Every::default();
        let mut found: BTreeMap<Vec<Number>, BTreeMap<u128, u128>> = BTreeMap::new();
        for _ in 0..3_000 {
            (every.at, every.ways) = (0, 1);
            let values = self.play(&mut every);
            *found.entry(values).or_default().entry(every.ways).or_default() += 1;
            if !every.next() {
                return Some(found);
            }
        }
        None
    }

    fn counted(&self, examples: bool) -> Result<Distribution, HandfulError> {
        let dice: Vec<Die> = self
            .dice
            .iter()
            .map(|(_, faces)| Die::new(faces, &self.rules))
            .collect::<Result<_, _>>()?;
        let scores: Vec<Vec<Score>> = dice
            .iter()
            .enumerate()
            .map(|(kind, die)| die.finished().iter().map(|end| self.score(kind, *end)).collect())
            .collect();
        let kinds: Vec<DiceKind<'_>> = (dice.iter().zip(&scores).zip(&self.dice))
            .map(|((die, scores), (count, _))| DiceKind { count: *count, die, scores })
            .collect();
        distribution(&kinds, &self.rules, &self.live, examples)
    }

    fn check(&self) {
        if matches!(self.counted(false), Err(HandfulError::Endless { .. })) {
            return;
        }
        let Some(walked) = self.walked() else { return };
        for examples in [false, true] {
            let counted = self.counted(examples).unwrap();
            let all: BigUint = counted.outcomes.iter().map(|outcome| &outcome.ways).sum();
            assert_eq!(all, counted.total);
            let values: Vec<&Vec<Number>> =
                counted.outcomes.iter().map(|outcome| &outcome.values).collect();
            assert_eq!(values, walked.keys().collect::<Vec<_>>());
            for (outcome, paths) in counted.outcomes.iter().zip(walked.values()) {
                let common: BigUint = paths.keys().map(|ways| BigUint::from(*ways)).product();
                let sum: BigUint = paths.iter().map(|(ways, n)| &common / ways * n).sum();
                assert_eq!(&outcome.ways * common, sum * &counted.total, "{:?}", outcome.values);
                if let Some(example) = &outcome.example {
                    let places = example.iter().map(|trail| trail.places.iter().copied().collect());
                    let mut given = Given(places.collect());
                    assert_eq!(self.play(&mut given), outcome.values, "{example:?}");
                    assert!(given.0.iter().all(std::collections::VecDeque::is_empty));
                }
            }
        }
    }
}

fn any_live() -> impl Strategy<Value = Live> {
    prop_oneof![
        (0_usize..3, any::<bool>())
            .prop_map(|(place, all)| Live::Sum(place, if all { Over::All } else { Over::Kept })),
        Just(Live::Width),
        Just(Live::Height),
        Just(Live::Pair),
        Just(Live::Pairs),
        Just(Live::Run),
        Just(Live::Highest),
        Just(Live::Lowest),
        Just(Live::Doubles),
    ]
}

fn any_face() -> impl Strategy<Value = DieFace> {
    (1_i32..5, 0_u32..16, 0_u8..3, 0_u8..3).prop_map(|(value, bits, explodes, extra)| DieFace {
        rerolls: if bits < 8 { 0 } else { bits & 3 },
        explodes: explodes == 0,
        brings_extra: extra == 0,
        ..DieFace::number(value)
    })
}

fn any_reroll() -> impl Strategy<Value = Reroll> {
    (prop::option::of(0_u32..3), prop::option::of(0_u32..3))
        .prop_map(|(at_most, dice)| Reroll { at_most, dice })
}

fn any_case() -> impl Strategy<Value = Case> {
    let die = || prop::collection::vec(any_face(), 1..4);
    let rules = (
        [any_reroll(), any_reroll()],
        0_u32..3,
        0_u32..3,
        any::<bool>(),
        prop::option::of(0_u32..3),
        prop::option::of(0_u32..3),
        (0_u32..3, 0_u32..3),
    );
    let dice = (0_u32..4, die(), 0_u32..3, die());
    (dice, rules, prop::collection::vec(any_live(), 1..4)).prop_map(|(dice, rules, live)| {
        let (
            rerolls,
            explode_at_most,
            extra_at_most,
            watch_rerolled,
            keep_highest,
            keep_lowest,
            (drop_highest, drop_lowest),
        ) = rules;
        let rules = Rules {
            rerolls: rerolls.to_vec(),
            explode_at_most,
            extra_at_most,
            watch_rerolled,
            keep_highest,
            keep_lowest,
            drop_highest,
            drop_lowest,
        };
        Case { dice: vec![(dice.0, dice.1), (dice.2, dice.3)], rules, live }
    })
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Case")
            .field("dice", &self.dice)
            .field("rules", &self.rules)
            .field("live", &self.live)
            .finish()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn counting_agrees_with_rolling_every_way(case in any_case()) {
        case.check();
    }
}
