#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Properties of every text and every expression: it is parsed or rejected and never panics, and
//! all ways to evaluate an expression agree.

use adjutant_dice::Number;
use adjutant_pack::expr::{self, Formula};
use adjutant_pack::{
    Diagnostic, Expr, Files, Func, Id, IdVec, Op, Range, Slot, Type, Value, read_cases, read_pack,
};
use adjutant_wording::en::diagnostic::expression;
use adjutant_wording::en::{Sentence, diagnostic};
use proptest::prelude::*;

const PACKS: [&str; 4] = ["panzer8", "combat-leader", "chain-reaction", "asl-starter-kit"];

fn shipped(place: usize) -> Files {
    let folder =
        format!("{}/../../packs/{}", env!("CARGO_MANIFEST_DIR"), PACKS[place % PACKS.len()]);
    Files::from_folder(folder.as_ref()).expect("the pack is shipped")
}

/// Every diagnostic lies inside its file and has a message and a remedy.
fn well_placed(faults: &[Diagnostic], files: &Files) {
    for fault in faults {
        let text = files.text(&fault.file).unwrap_or("");
        assert!(
            fault.span.start <= fault.span.end && fault.span.end <= text.len(),
            "{fault:?} of {} bytes",
            text.len()
        );
        assert!(text.is_char_boundary(fault.span.start), "{fault:?}");
        let Sentence { message, help } = diagnostic(fault);
        assert!(!message.is_empty() && !help.is_empty(), "{fault:?}");
        assert!(
            !message.chars().chain(help.chars()).any(|c| c.is_control() && c != '\n'),
            "{fault:?}"
        );
        assert!(!fault.to_string().chars().any(char::is_control), "{fault:?}");
        assert!(!fault.problem.code().is_empty(), "{fault:?}");
        let _ = fault.line_and_column(text);
    }
}

/// An edit of a text.
#[derive(Clone, Debug)]
enum Change {
    Take(usize, usize),
    Put(usize, String),
    Replace(usize, usize, String),
    Double(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let bit = prop_oneof![
        "[ -~]{0,12}",
        "\\PC{0,4}",
        prop::sample::select(vec![
            "\n",
            "\"",
            "'''",
            "[",
            "]",
            "{ ",
            " }",
            "= ",
            ",",
            "-1",
            "99999999999999",
            "1/0",
            "nan",
            "\u{0}",
            "é",
            "[chart.x]\n",
            " && ",
            "yes"
        ])
        .prop_map(str::to_owned),
    ];
    prop_oneof![
        (any::<usize>(), 0..40_usize).prop_map(|(at, n)| Change::Take(at, n)),
        (any::<usize>(), bit.clone()).prop_map(|(at, text)| Change::Put(at, text)),
        (any::<usize>(), 0..20_usize, bit).prop_map(|(at, n, text)| Change::Replace(at, n, text)),
        any::<usize>().prop_map(Change::Double),
    ]
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for change in changes {
        let place = |at: usize| at % (chars.len() + 1);
        match change {
            Change::Take(at, n) => {
                drop(chars.drain(place(*at)..(place(*at) + n).min(chars.len())).collect::<Vec<_>>())
            }
            Change::Put(at, put) => {
                drop(chars.splice(place(*at)..place(*at), put.chars()).collect::<Vec<_>>())
            }
            Change::Replace(at, n, put) => drop(
                chars
                    .splice(place(*at)..(place(*at) + n).min(chars.len()), put.chars())
                    .collect::<Vec<_>>(),
            ),
            Change::Double(at) => {
                let text: String = chars.iter().collect();
                let lines: Vec<&str> = text.split_inclusive('\n').collect();
                let twice = at % lines.len().max(1);
                chars = lines
                    .iter()
                    .enumerate()
                    .flat_map(|(n, line)| {
                        line.repeat(1 + usize::from(n == twice)).chars().collect::<Vec<_>>()
                    })
                    .collect();
            }
        }
    }
    chars.into_iter().collect()
}

/// A number expression over four numbers and two yes/no names: slots 0 to 3 and 4 to 5.
fn number_expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (-9..10_i32).prop_map(|n| Expr::Fixed(Value::Number(n.into()))),
        (0..4_usize).prop_map(|slot| Expr::Slot(Slot::from_index(slot)))
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let op = prop::sample::select(vec![Op::Plus, Op::Minus, Op::Times, Op::Over]);
        let func = prop::sample::select(vec![Func::Min, Func::Max]);
        let one = prop::sample::select(vec![Func::Floor, Func::Ceil, Func::Abs]);
        let pair = |inner: BoxedStrategy<Expr>| (inner.clone(), inner);
        prop_oneof![
            (op, pair(inner.clone().boxed())).prop_map(|(op, (a, b))| Expr::Pair(
                op,
                Box::new(a),
                Box::new(b)
            )),
            (func, prop::collection::vec(inner.clone(), 1..4))
                .prop_map(|(func, parts)| Expr::Call(func, parts)),
            (one, inner.clone()).prop_map(|(func, part)| Expr::Call(func, vec![part])),
            inner.clone().prop_map(|part| Expr::Negative(Box::new(part))),
            (condition(inner.clone().boxed()), pair(inner.boxed()))
                .prop_map(|(c, (a, b))| Expr::Call(Func::If, vec![c, a, b])),
        ]
    })
}

fn condition(numbers: BoxedStrategy<Expr>) -> BoxedStrategy<Expr> {
    let op = prop::sample::select(vec![
        Op::Same,
        Op::Differs,
        Op::Below,
        Op::AtMost,
        Op::Above,
        Op::AtLeast,
    ]);
    let compared = (op, numbers.clone(), numbers)
        .prop_map(|(op, a, b)| Expr::Pair(op, Box::new(a), Box::new(b)));
    let leaf = prop_oneof![
        any::<bool>().prop_map(|yes| Expr::Fixed(Value::YesNo(yes))),
        (4..6_usize).prop_map(|slot| Expr::Slot(Slot::from_index(slot))),
        compared
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let op = prop::sample::select(vec![Op::And, Op::Or]);
        prop_oneof![
            (op, inner.clone(), inner.clone()).prop_map(|(op, a, b)| Expr::Pair(
                op,
                Box::new(a),
                Box::new(b)
            )),
            inner.prop_map(|part| Expr::Not(Box::new(part))),
        ]
    })
    .boxed()
}

/// Four numbers, each with a range around it, and two yes/no values.
fn names() -> impl Strategy<Value = (IdVec<Slot, Option<Value>>, IdVec<Slot, Range>)> {
    let number = (-12..13_i32, 1..4_i32, prop::option::of(0..6_i32), prop::option::of(0..6_i32));
    (prop::collection::vec(number, 4), any::<bool>(), any::<bool>()).prop_map(|(numbers, a, b)| {
        let (mut values, mut ranges) = (IdVec::new(), IdVec::new());
        for (top, bottom, below, above) in numbers {
            let n = Number::from(top).over(bottom.into()).unwrap();
            let away = |far: Option<i32>| far.map(|far| n.plus(far.into()).unwrap());
            values.push(Some(Value::Number(n)));
            ranges.push(Range {
                from: away(below.map(|far| -far)),
                to: away(above),
                whole: n.is_whole() && below.is_some() && above.is_some(),
            });
        }
        values.extend([Some(Value::YesNo(a)), Some(Value::YesNo(b))]);
        (values, ranges)
    })
}

fn formula(expr: Expr, kind: Type) -> Formula {
    Formula { expr, text: String::new().into(), kind }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_as_an_expression_or_refused(text in "\\PC{0,60}|[-a-z0-9_.'()+*/<>=!&| ]{0,80}") {
        if let Err(fault) = expr::read(&text) {
            prop_assert!(fault.from <= fault.to && fault.to <= text.len(), "{fault:?}");
            prop_assert!(text.is_char_boundary(fault.from) && text.is_char_boundary(fault.to), "{fault:?}");
            let Sentence { message, help } = expression(&fault.problem);
            prop_assert!(!message.is_empty() && !help.is_empty(), "{fault:?}");
        }
    }

    #[test]
    fn a_sum_lies_in_its_range(expr in number_expr(), (values, ranges) in names()) {
        let found = formula(expr.clone(), Type::Number).eval(&values);
        if let Ok(Value::Number(n)) = found {
            let range = expr.range(&|slot| ranges.get(slot).copied().unwrap_or(Range::ANY));
            prop_assert!(range.from.is_none_or(|from| from <= n) && range.to.is_none_or(|to| n <= to), "{n} is not in {range:?}");
            prop_assert!(!range.whole || n.is_whole(), "{n} is not whole");
        }
    }

    #[test]
    fn what_is_worked_out_partly_is_what_is_worked_out(expr in condition(number_expr().boxed()), (values, _) in names(), gone in 0..64_usize) {
        let formula = formula(expr, Type::YesNo);
        let mut missing = Vec::new();
        if let Ok(value) = formula.eval(&values) {
            prop_assert_eq!(formula.eval_partly(&values, &mut missing), Some(value));
            prop_assert!(missing.is_empty());
        }
        let some: IdVec<Slot, Option<Value>> = values.iter().enumerate().map(|(slot, value)| value.filter(|_| gone & 1 << slot == 0)).collect();
        let partly = formula.eval_partly(&some, &mut missing);
        match (partly, formula.eval(&values)) {
            (Some(partly), Ok(whole)) => prop_assert_eq!(partly, whole, "what is known partly holds whatever the rest is"),
            (None, Ok(_)) => prop_assert!(!missing.is_empty()),
            _ => {}
        }
        // A run stops only for names that were reported as missing beforehand.
        if let Err(adjutant_pack::EvalError::Missing(slot)) = formula.eval(&some) {
            prop_assert!(missing.contains(&slot) || matches!(formula.eval(&values), Err(adjutant_pack::EvalError::Sum(_))), "{slot:?} was not asked for");
        }
    }

    #[test]
    fn limits_keep_a_total_between_them((values, ranges) in names()) {
        let numbers: Vec<Number> = values.iter().flatten().filter_map(|value| value.number()).collect();
        let found = numbers[0].min(numbers[1]).max(numbers[2]);
        let range = ranges[Slot::FIRST].clamped(ranges.get(Slot::from_index(2)).copied(), ranges.get(Slot::from_index(1)).copied());
        prop_assert!(range.from.is_none_or(|from| from <= found) && range.to.is_none_or(|to| found <= to), "{found} is not in {range:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_as_a_pack_or_refused(text in "\\PC{0,200}|[-a-z0-9_.'\"{}=\\[\\],\n ]{0,200}") {
        let files = Files::of([("pack.toml", text.as_str()), ("cases.toml", &text), ("deck.csv", &text)]);
        well_placed(&read_pack(&files, Some(&text)).err().unwrap_or_default(), &{ let mut all = files.clone(); all.put(adjutant_pack::TABLES_FILE, text.clone()); all });
        well_placed(&read_cases(&files).err().unwrap_or_default(), &files);
    }

    #[test]
    fn a_changed_pack_is_read_or_refused(place in 0..4_usize, changes in prop::collection::vec(change(), 1..4)) {
        let mut files = shipped(place);
        let text = changed(files.text("pack.toml").unwrap(), &changes);
        files.put("pack.toml", text);
        well_placed(&read_pack(&files, None).err().unwrap_or_default(), &files);
    }

    #[test]
    fn changed_cases_and_cards_are_read_or_refused(place in 0..4_usize, changes in prop::collection::vec(change(), 1..4)) {
        let mut files = shipped(place);
        for name in ["cases.toml", "deck.csv", "grid.csv"] {
            if let Some(text) = files.text(name).map(|text| changed(text, &changes)) {
                files.put(name, text);
            }
        }
        well_placed(&read_cases(&files).err().unwrap_or_default(), &files);
        if files.names().any(|name| name.ends_with(".csv")) {
            well_placed(&read_pack(&files, None).err().unwrap_or_default(), &files);
        }
    }
}
