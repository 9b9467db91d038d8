use super::*;
use crate::{
    Answer, CardRequest, DiceRequest, EnteredInput, InputSource, NumberError, Question,
    SourceError, ThrownBy,
};
use num_bigint::BigUint;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn number(text: &str) -> Number {
    text.parse().unwrap()
}

/// Notation, lowest, highest, mean, and one value with its chance. Worked out by hand.
const CONFORMANCE: &[(&str, &str, &str, &str, &str, &str)] = &[
    ("d6", "1", "6", "7/2", "6", "1/6"),
    ("1D6", "1", "6", "7/2", "6", "1/6"),
    ("2d6", "2", "12", "7", "7", "1/6"),
    ("3d6+1", "4", "19", "23/2", "4", "1/216"),
    ("4d6kh3", "3", "18", "15869/1296", "18", "21/1296"),
    ("4d6k3", "3", "18", "15869/1296", "18", "21/1296"),
    ("4d6dl1", "3", "18", "15869/1296", "18", "21/1296"),
    ("4d6dl", "3", "18", "15869/1296", "18", "21/1296"),
    ("4d6kh3+2", "5", "20", "18461/1296", "20", "21/1296"),
    ("4d6dh1", "3", "18", "11347/1296", "3", "21/1296"),
    ("4d6kl3", "3", "18", "11347/1296", "3", "21/1296"),
    ("2d20kh1", "1", "20", "553/40", "20", "39/400"),
    ("2d20kh", "1", "20", "553/40", "20", "39/400"),
    ("2d20kl1", "1", "20", "287/40", "1", "39/400"),
    ("3d6dh1dl1", "1", "6", "7/2", "1", "16/216"),
    ("3d6kh1kl1", "2", "12", "7", "2", "1/216"),
    ("d%", "1", "100", "101/2", "100", "1/100"),
    ("d100", "1", "100", "101/2", "100", "1/100"),
    ("d66", "11", "66", "77/2", "66", "1/36"),
    ("d666", "111", "666", "777/2", "111", "1/216"),
    ("4dF", "-4", "4", "0", "0", "19/81"),
    ("4df", "-4", "4", "0", "4", "1/81"),
    ("d6r1", "1", "6", "47/12", "1", "1/36"),
    ("d6r", "1", "6", "47/12", "1", "1/36"),
    ("d6ro1", "1", "6", "47/12", "1", "1/36"),
    ("3d6r1", "3", "18", "47/4", "3", "1/46656"),
    ("d6r<=2", "1", "6", "25/6", "1", "2/36"),
    ("d6r<3", "1", "6", "25/6", "3", "8/36"),
    ("d6r≤2", "1", "6", "25/6", "3", "8/36"),
    ("d6r1r6", "1", "6", "7/2", "1", "2/36"),
    ("d6rr1", "2", "6", "4", "2", "1/5"),
    ("d6rr<=2", "3", "6", "9/2", "3", "1/4"),
    ("d8!", "1", "88", "11044201617/2147483648", "9", "1/64"),
    ("2d8!", "2", "176", "11044201617/1073741824", "2", "1/64"),
    ("d6!!", "1", "66", "507915877/120932352", "7", "1/36"),
    ("d6!!>=5", "1", "66", "620011/118098", "5", "0"),
    ("10d6cs>=5", "0", "10", "10/3", "10", "1/59049"),
    ("10d6cs>4", "0", "10", "10/3", "10", "1/59049"),
    ("10d6cf=1", "0", "10", "5/3", "0", "9765625/60466176"),
    ("2d6cs>=5cf1", "-2", "2", "1/3", "-2", "1/36"),
    ("10d6>=5", "0", "10", "10/3", "10", "1/59049"),
    ("10d6 ≥ 5", "0", "10", "10/3", "10", "1/59049"),
    ("10d6>4", "0", "10", "10/3", "10", "1/59049"),
    ("2d6>=5f1", "-2", "2", "1/3", "-2", "1/36"),
    ("2d6=6", "0", "2", "1/3", "2", "1/36"),
    ("4d6d1", "3", "18", "15869/1296", "18", "21/1296"),
    ("2d6cs6", "0", "2", "1/3", "2", "1/36"),
    ("(d6+1)*2", "4", "14", "9", "4", "1/6"),
    ("d6 × 2", "2", "12", "7", "12", "1/6"),
    ("d6/2", "1/2", "3", "7/4", "1/2", "1/6"),
    ("d6 ÷ 2", "1/2", "3", "7/4", "3", "1/6"),
    ("-d4+1", "-3", "0", "-3/2", "0", "1/4"),
    ("d6-d6", "-5", "5", "0", "0", "1/6"),
    ("2*3+4", "10", "10", "10", "10", "1"),
    ("2d6+1d8-2", "1", "18", "19/2", "1", "1/288"),
    ("200d6", "200", "1200", "700", "199", "0"),
];

#[test]
fn the_conformance_cases_hold() {
    for (text, low, high, expected, value, chance) in CONFORMANCE {
        let odds = parse(text).unwrap_or_else(|why| panic!("{text}: {why}")).odds().unwrap();
        let sum: BigUint = odds.ways.iter().map(|(_, ways)| ways).sum();
        assert_eq!(sum, odds.total, "{text}");
        assert_eq!(odds.ways[0].0, number(low), "{text}: lowest");
        assert_eq!(odds.ways[odds.ways.len() - 1].0, number(high), "{text}: highest");
        let (mean, expected) = (odds.mean(), number(expected));
        assert_eq!(mean.negative, expected < Number::ZERO, "{text}: sign of the mean");
        let bottom = expected.denominator().unsigned_abs();
        let top = mean.under * expected.numerator().unsigned_abs();
        assert_eq!(mean.over * bottom, top, "{text}: mean");
        let known = odds.ways.iter().find(|(known, _)| *known == number(value));
        let ways = known.map_or(BigUint::ZERO, |(_, ways)| ways.clone());
        let (over, under) = chance.split_once('/').unwrap_or((chance, "1"));
        let (over, under) = (over.parse::<BigUint>().unwrap(), under.parse::<BigUint>().unwrap());
        assert_eq!(ways * under, over * odds.total, "{text}: {value}");
    }
}

#[test]
fn faults_say_where_and_what() {
    use NotationErrorKind as DiceKind;
    let expected = DiceKind::Expected;
    for (text, at, kind) in [
        ("", 0, expected(Expected::Value)),
        ("fire", 0, expected(Expected::Value)),
        ("2d", 2, expected(Expected::Sides)),
        ("2dx", 2, expected(Expected::Sides)),
        ("4d6k", 4, expected(Expected::Number)),
        ("4d6kh3+", 7, expected(Expected::Value)),
        ("(2d6", 4, expected(Expected::Close)),
        ("2d6)", 3, expected(Expected::OperatorOrRule)),
        ("2d6 fire", 4, expected(Expected::OperatorOrRule)),
        ("2d6cs", 5, expected(Expected::Test)),
        ("2d6r<", 5, expected(Expected::Number)),
        ("0d6", 0, DiceKind::Count(0)),
        ("1+201d6", 2, DiceKind::Count(201)),
        ("2d1", 2, DiceKind::Sides(1)),
        ("2d1001", 2, DiceKind::Sides(1001)),
        ("9999999999999d6", 0, DiceKind::Number),
        ("(1+1)d6", 5, DiceKind::CountInParentheses),
        ("2d6!p", 3, DiceKind::Penetrating),
        ("2d6!!!", 5, DiceKind::BothExplosions),
        ("2d6kh1kh1", 6, DiceKind::Twice),
        ("2d6kh1dl1", 6, DiceKind::Twice),
        ("d6rr<7", 2, DiceKind::Endless),
        ("d6!>0", 2, DiceKind::Endless),
        ("d6r7", 2, DiceKind::Never),
        ("2d6dl2", 0, DiceKind::DropsAll),
        ("4d6d", 4, expected(Expected::Number)),
        ("2d6>=7", 3, DiceKind::TotalTested),
        ("2d6>=", 5, expected(Expected::Number)),
        ("2d6>=5>=6", 6, DiceKind::Twice),
        ("2d6cs6>=5", 6, DiceKind::Twice),
    ] {
        assert_eq!(parse(text), Err(NotationError { at, kind }), "{text}");
    }
    assert_eq!(parse(&"(".repeat(50)).unwrap_err().kind, DiceKind::TooComplex);
    assert_eq!(parse(&"d6+".repeat(20)).unwrap_err().kind, DiceKind::TooComplex);
    assert_eq!(parse(&"1+".repeat(200)).unwrap_err().kind, DiceKind::TooLong);
}

#[test]
fn what_is_too_large_is_refused_in_time() {
    for text in
        ["200d1000!!kh100", "200d6!kh100", "50d6!dl3", "200d1000", "d1000*d1000*d1000*d1000*d1000"]
    {
        assert!(parse(text).unwrap().odds().is_err(), "{text}");
    }
    assert_eq!(
        parse("1/(d6-1)").unwrap().odds(),
        Err(FormulaError::Number(NumberError::DivisionByZero))
    );
}

#[test]
fn dice_are_shown_as_they_fell() {
    let roll = |text: &str, faces: &[u32]| {
        let mut source = EnteredInput::new().with_dice(faces.iter().copied());
        parse(text).unwrap().roll(&mut source).unwrap()
    };
    let kept = roll("4d6kh3+2", &[6, 1, 5, 4]);
    assert_eq!(kept.total, Number::from(17));
    let dropped: Vec<bool> = kept.terms[0].dice.iter().map(|die| !die.kept).collect();
    assert_eq!(dropped, [false, true, false, false]);
    let again = roll("3d6r1", &[1, 3, 1, 6, 1]);
    assert_eq!(again.terms[0].dice[0].rerolled, [Number::ONE]);
    assert_eq!(again.total, Number::from(10));
    let extra = roll("2d8!", &[8, 3, 8, 1]);
    assert_eq!(extra.total, Number::from(20));
    assert_eq!(extra.terms[0].dice.iter().filter(|die| die.extra).count(), 2);
    let sum = roll("2d8!!", &[8, 3, 8, 1]);
    assert_eq!(sum.terms[0].dice[0].value, Number::from(17));
    assert_eq!(roll("d66+4dF", &[6, 3, 1, 1, 3, 2]).total, Number::from(62));
}

#[test]
fn opposed_rolls_are_compared() {
    let odds = |text: &str| parse(text).unwrap().odds().unwrap();
    let found = compare(&odds("d6"), &odds("d6"));
    assert_eq!((found.wins, found.ties, found.loses), (15_u32.into(), 6_u32.into(), 15_u32.into()));
    let found = compare(&odds("d6+5"), &odds("d6"));
    assert_eq!((found.wins, found.ties, found.loses), (35_u32.into(), 1_u32.into(), 0_u32.into()));
}

/// Every way in which dice can fall, one after the other.
#[derive(Default)]
struct Every {
    choices: Vec<(u32, u32)>,
    at: usize,
    ways: BigUint,
}

impl InputSource for Every {
    fn dice(&mut self, request: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        let mut faces = Vec::new();
        for _ in 0..request.count {
            if self.at == self.choices.len() {
                self.choices.push((1, request.sides));
            }
            faces.push(self.choices[self.at].0);
            self.at += 1;
            self.ways *= request.sides;
        }
        Ok(faces)
    }

    fn card(&mut self, request: &CardRequest<'_>) -> Result<u32, SourceError> {
        Err(request.missing())
    }

    fn answer(&mut self, request: &Question<'_>) -> Result<Answer, SourceError> {
        Err(request.missing())
    }

    fn thrown_by(&self) -> ThrownBy {
        ThrownBy::Program
    }
}

fn rolled(formula: &Formula) -> Option<BTreeMap<Number, BTreeMap<BigUint, u32>>> {
    let mut every = Every::default();
    let mut found: BTreeMap<Number, BTreeMap<BigUint, u32>> = BTreeMap::new();
    for _ in 0..1500 {
        (every.at, every.ways) = (0, 1_u32.into());
        let total = formula.roll(&mut every).unwrap().total;
        *found.entry(total).or_default().entry(every.ways.clone()).or_default() += 1;
        loop {
            match every.choices.pop() {
                None => return Some(found),
                Some((face, sides)) if face < sides => {
                    every.choices.push((face + 1, sides));
                    break;
                }
                Some(_) => {}
            }
        }
    }
    None
}

fn any_term() -> impl Strategy<Value = String> {
    let rule = prop_oneof![
        Just("kh1"),
        Just("kl2"),
        Just("dl1"),
        Just("dh1"),
        Just("r1"),
        Just("r<=2"),
        Just("!"),
        Just("!!"),
        Just("!>=2"),
        Just("cs>=2"),
        Just(">=2"),
        Just("<2"),
        Just("cf1"),
        Just("kh1kl1"),
        Just(""),
    ];
    (1_u32..4, prop_oneof![Just("2"), Just("3"), Just("F"), Just("4")], rule.clone(), rule)
        .prop_map(|(count, sides, one, two)| format!("{count}d{sides}{one}{two}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn odds_agree_with_rolling_every_way(
        one in any_term(), two in prop_oneof![any_term(), Just("2".to_owned())],
        sign in prop_oneof![Just("+"), Just("-"), Just("*")],
    ) {
        for text in [one.clone(), format!("{one}{sign}{two}")] {
            let Ok(formula) = parse(&text) else { continue };
            let Some(rolled) = rolled(&formula) else { continue };
            let odds = formula.odds().unwrap();
            prop_assert_eq!(odds.ways.len(), rolled.len(), "{}", text);
            for ((value, ways), (known, paths)) in odds.ways.iter().zip(rolled) {
                prop_assert_eq!(*value, known);
                let common: BigUint = paths.keys().product();
                let sum: BigUint = paths.iter().map(|(path, n)| &common / path * n).sum();
                prop_assert_eq!(ways * common, sum * &odds.total, "{}: {}", text, value);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[0-9dDkhlrcsf!<>=≥()+*/ %F−-]{0,24}") {
        let _ = parse(&text);
    }
}
