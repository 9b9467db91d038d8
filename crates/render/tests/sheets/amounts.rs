//! The law of amounts: what is printed of a modifier, read by the reader below, gives what the chart
//! adds. The reader knows how names and words are printed, and no formula.

use super::every_pack::every_pack;
use adjutant_dice::Number;
use adjutant_pack::{
    Amount as Adds, Chart, Expr, Formula, IdVec, Modifier, NameSource, Op, Pack, Slot, Type, Value,
    Word,
};
use adjutant_render::reference::{Amount, Part, SheetOptions, sheet};
use adjutant_wording::en::ChartWords;
use proptest::prelude::*;

type Known = IdVec<Slot, Option<Value>>;

/// What was printed, as the reader understands it.
#[derive(Clone, Debug)]
enum Said {
    Number(Number),
    YesNo(bool),
    Name(Slot),
    Is(Slot, Word),
    Not(Box<Said>),
    Minus(Box<Said>),
    Pair(&'static str, Box<Said>, Box<Said>),
    Least(Vec<Said>),
    Most(Vec<Said>),
    Down(Box<Said>),
    Up(Box<Said>),
    Size(Box<Said>),
    If(Box<Said>, Box<Said>, Box<Said>),
    Words(Slot, Vec<(Word, Number)>, Option<Number>),
}

impl Said {
    fn number(&self, known: &Known) -> Option<Number> {
        let all = |parts: &[Said]| -> Option<Vec<Number>> {
            parts.iter().map(|part| part.number(known)).collect()
        };
        match self {
            Said::Number(n) => Some(*n),
            Said::Name(slot) => known[*slot]?.number(),
            Said::Minus(of) => Some(-of.number(known)?),
            Said::Pair(sign, a, b) => {
                let (a, b) = (a.number(known)?, b.number(known)?);
                match *sign {
                    " + " => a.plus(b).ok(),
                    " − " => a.minus(b).ok(),
                    " × " => a.times(b).ok(),
                    " ÷ " => a.over(b).ok(),
                    _ => None,
                }
            }
            Said::Least(parts) => all(parts)?.into_iter().min(),
            Said::Most(parts) => all(parts)?.into_iter().max(),
            Said::Down(of) => Some(of.number(known)?.floor()),
            Said::Up(of) => Some(of.number(known)?.ceil()),
            Said::Size(of) => Some(of.number(known)?.abs()),
            Said::If(when, then, other) => {
                if when.holds(known)? {
                    then.number(known)
                } else {
                    other.number(known)
                }
            }
            Said::Words(slot, numbers, otherwise) => {
                let Some(Value::Word(word)) = known[*slot] else { return None };
                let found = numbers.iter().find(|(known, _)| *known == word).map(|(_, n)| *n);
                found.or(*otherwise)
            }
            Said::YesNo(_) | Said::Is(..) | Said::Not(_) => None,
        }
    }

    fn holds(&self, known: &Known) -> Option<bool> {
        match self {
            Said::YesNo(yes) => Some(*yes),
            Said::Name(slot) => match known[*slot]? {
                Value::YesNo(yes) => Some(yes),
                _ => None,
            },
            Said::Is(slot, word) => Some(known[*slot]? == Value::Word(*word)),
            Said::Not(of) => Some(!of.holds(known)?),
            Said::Pair(sign @ (" and " | " or "), a, b) => {
                let (a, b) = (a.holds(known), b.holds(known));
                let settles = *sign == " or ";
                if a == Some(settles) || b == Some(settles) { Some(settles) } else { a.and(b) }
            }
            Said::Pair(sign, a, b) => {
                let numbers = a.number(known).zip(b.number(known));
                let yes = a.holds(known).zip(b.holds(known));
                match (*sign, numbers, yes) {
                    (" = ", Some((a, b)), _) => Some(a == b),
                    (" = ", _, Some((a, b))) => Some(a == b),
                    (" ≠ ", Some((a, b)), _) => Some(a != b),
                    (" ≠ ", _, Some((a, b))) => Some(a != b),
                    (" < ", Some((a, b)), _) => Some(a < b),
                    (" ≤ ", Some((a, b)), _) => Some(a <= b),
                    (" > ", Some((a, b)), _) => Some(a > b),
                    (" ≥ ", Some((a, b)), _) => Some(a >= b),
                    _ => None,
                }
            }
            Said::If(when, then, other) => {
                if when.holds(known)? {
                    then.holds(known)
                } else {
                    other.holds(known)
                }
            }
            _ => None,
        }
    }
}

/// How a chart's names and words are printed.
struct Print<'p> {
    pack: &'p Pack,
    chart: &'p Chart,
    phrases: Vec<(String, Said)>,
}

impl<'p> Print<'p> {
    fn of(pack: &'p Pack, chart: &'p Chart) -> Print<'p> {
        let say = |expr: Expr| {
            let formula = Formula { expr, text: "".into(), kind: Type::Number };
            ChartWords::for_players(pack, chart).formula(&formula)
        };
        let mut phrases = Vec::new();
        for (slot, name) in chart.names.iter_enumerated() {
            phrases.push((say(Expr::Slot(slot)), Said::Name(slot)));
            let Type::Choice(words) = &name.kind else { continue };
            for word in words {
                let is = |op| {
                    let word = Expr::Fixed(Value::Word(*word));
                    say(Expr::Pair(op, Box::new(Expr::Slot(slot)), Box::new(word)))
                };
                let said = Said::Is(slot, *word);
                phrases.push((is(Op::Differs), Said::Not(Box::new(said.clone()))));
                phrases.push((is(Op::Same), said));
            }
        }
        phrases.retain(|(text, _)| !text.is_empty());
        phrases.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        Print { pack, chart, phrases }
    }

    fn read(&self, text: &str) -> Option<Said> {
        let (said, rest) = self.whole(text)?;
        rest.is_empty().then_some(said)
    }

    fn whole<'t>(&self, text: &'t str) -> Option<(Said, &'t str)> {
        let (mut said, mut rest) = self.chain(text, 0)?;
        type Wrap = fn(Box<Said>) -> Said;
        let after: [(&str, Wrap); 3] = [
            (", rounded down", Said::Down),
            (", rounded up", Said::Up),
            (" without its sign", Said::Size),
        ];
        while let Some((words, make)) = after.iter().find(|(words, _)| rest.starts_with(words)) {
            (said, rest) = (make(Box::new(said)), &rest[words.len()..]);
        }
        let Some(when) = rest.strip_prefix(" if ") else { return Some((said, rest)) };
        let (when, rest) = self.chain(when, 0)?;
        let (other, rest) = self.whole(rest.strip_prefix(", else ")?)?;
        Some((Said::If(Box::new(when), Box::new(said), Box::new(other)), rest))
    }

    /// Operators of this precedence, from left to right.
    fn chain<'t>(&self, text: &'t str, level: usize) -> Option<(Said, &'t str)> {
        const SIGNS: [&[&str]; 5] = [
            &[" or "],
            &[" and "],
            &[" = ", " ≠ ", " < ", " ≤ ", " > ", " ≥ "],
            &[" + ", " − "],
            &[" × ", " ÷ "],
        ];
        let Some(signs) = SIGNS.get(level) else { return self.single(text) };
        let (mut said, mut rest) = self.chain(text, level + 1)?;
        while let Some(sign) = signs.iter().find(|sign| rest.starts_with(**sign)) {
            let (right, after) = self.chain(&rest[sign.len()..], level + 1)?;
            (said, rest) = (Said::Pair(sign, Box::new(said), Box::new(right)), after);
        }
        Some((said, rest))
    }

    fn single<'t>(&self, text: &'t str) -> Option<(Said, &'t str)> {
        if let Some((phrase, said)) =
            self.phrases.iter().find(|(phrase, _)| text.starts_with(phrase.as_str()))
        {
            return Some((said.clone(), &text[phrase.len()..]));
        }
        if let Some(inner) = text.strip_prefix('(') {
            let (said, rest) = self.whole(inner)?;
            return Some((said, rest.strip_prefix(')')?));
        }
        if let Some(inner) = text.strip_prefix("not ") {
            let (said, rest) = self.single(inner)?;
            return Some((Said::Not(Box::new(said)), rest));
        }
        for (words, make) in [
            ("the least of ", Said::Least as fn(Vec<Said>) -> Said),
            ("the greatest of ", Said::Most as fn(Vec<Said>) -> Said),
        ] {
            if let Some(inner) = text.strip_prefix(words) {
                let (first, mut rest) = self.chain(inner, 3)?;
                let mut all = vec![first];
                while let Some(next) = rest.strip_prefix(" and ") {
                    let (said, after) = self.chain(next, 3)?;
                    all.push(said);
                    rest = after;
                }
                return Some((make(all), rest));
            }
        }
        for (words, yes) in [("yes", true), ("no", false)] {
            if let Some(rest) = text.strip_prefix(words) {
                return Some((Said::YesNo(yes), rest));
            }
        }
        let (n, rest) = unsigned(text)
            .or_else(|| {
                let (n, rest) = unsigned(text.strip_prefix('−')?)?;
                Some((-n, rest))
            })
            .map_or_else(
                || {
                    let (said, rest) = self.single(text.strip_prefix('−')?)?;
                    Some((Said::Minus(Box::new(said)), rest))
                },
                |(n, rest)| Some((Said::Number(n), rest)),
            )?;
        Some((n, rest))
    }

    /// A number for each word: `Place: Skull −7, otherwise 0`.
    fn by_word(&self, text: &str) -> Option<Said> {
        let names = self.phrases.iter().filter_map(|(phrase, said)| match said {
            Said::Name(slot) => Some((phrase, *slot)),
            _ => None,
        });
        let (phrase, slot) =
            { names }.find(|(phrase, _)| text.starts_with(&format!("{phrase}: ")))?;
        let mut rest = &text[phrase.len() + 2..];
        let (mut numbers, mut otherwise) = (Vec::new(), None);
        loop {
            let with_word = self.phrases.iter().find_map(|(is, said)| match said {
                Said::Is(of, word) if *of == slot => {
                    let title = is.strip_prefix(&format!("{phrase}: "))?;
                    Some((*word, rest.strip_prefix(title)?.strip_prefix(' ')?))
                }
                _ => None,
            });
            let (word, after) = match with_word {
                Some((word, after)) => (Some(word), after),
                None => (None, rest.strip_prefix("otherwise ")?),
            };
            let (n, after) = signed(after)?;
            match word {
                Some(word) => numbers.push((word, n)),
                None => otherwise = Some(n),
            }
            match after.strip_prefix(", ") {
                Some(next) => rest = next,
                None if after.is_empty() => return Some(Said::Words(slot, numbers, otherwise)),
                None => return None,
            }
        }
    }

    /// The value that a line calls “value”: spelt below the label, before the condition, or named
    /// by the label. Also the rest of the condition.
    fn value<'t>(&self, line: &'t Amount) -> Option<(Vec<Said>, &'t str)> {
        if let Some(words) = line.spelt.strip_prefix("value by ") {
            return Some((vec![self.by_word(words)?], &line.when));
        }
        if let Some(words) = line.spelt.strip_prefix("value = ") {
            return Some((vec![self.read(words)?], &line.when));
        }
        if let Some(words) = line.when.strip_prefix("value = ") {
            let (said, rest) = self.single(words)?;
            let rest = rest.strip_prefix("; ").unwrap_or(rest);
            return Some((vec![said], rest));
        }
        let label = line.label.to_lowercase();
        let named = |slot: Slot| match self.chart.names[slot].origin {
            NameSource::Input(input) => {
                let own = self.chart.inputs[input].own_label.to_lowercase();
                own.split(['(', ')'])
                    .map(str::trim)
                    .any(|part| !part.is_empty() && label.contains(part))
                    || self.short(input).is_some_and(|short| label.contains(&short))
            }
            _ => self.phrases.iter().any(|(phrase, said)| {
                matches!(said, Said::Name(of) if *of == slot)
                    && label.contains(&phrase.to_lowercase())
            }),
        };
        let numbers =
            self.chart.names.iter_enumerated().filter(|(_, name)| name.kind == Type::Number);
        let found: Vec<Said> =
            numbers.map(|(slot, _)| slot).filter(|slot| named(*slot)).map(Said::Name).collect();
        (!found.is_empty()).then_some((found, &line.when))
    }

    fn short(&self, input: adjutant_pack::InputId) -> Option<String> {
        let input = &self.chart.inputs[input];
        let adjutant_pack::FilledFrom::Attribute(place) = input.source else { return None };
        let kind = self.chart.roles[input.role?].kind;
        Some(self.pack.kinds()[kind].short_label(place).to_lowercase().to_string())
    }
}

/// `3`, `1/2`, `1½` at the start of a text.
fn unsigned(text: &str) -> Option<(Number, &str)> {
    let end =
        text.find(|c: char| !c.is_ascii_digit() && c != '/' && c != '½').unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// The same with a sign.
fn signed(text: &str) -> Option<(Number, &str)> {
    match text.strip_prefix('−') {
        Some(rest) => unsigned(rest).map(|(n, rest)| (-n, rest)),
        None => unsigned(text),
    }
}

/// How many amounts were compared, and how.
#[derive(Debug, Default)]
struct Count {
    fixed: usize,
    formula: usize,
    by_label: usize,
    said: usize,
    limits: usize,
    conditions: usize,
    unread: Vec<String>,
}

/// One line for a modifier: the values it may add, and the condition that it names.
struct Line {
    values: Vec<Said>,
    minus: bool,
    when: Option<Said>,
}

fn line(print: &Print<'_>, modifier: &Modifier, line: &Amount, count: &mut Count) -> Option<Line> {
    let (minus, rest) = match line.amount.strip_prefix('−') {
        Some(rest) => (true, rest),
        None => (false, line.amount.trim_start_matches(['+', '×'])),
    };
    let rest = rest.trim_start();
    let (values, when) = match signed(rest) {
        Some((n, _)) => {
            count.fixed += 1;
            (vec![Said::Number(n)], line.when.as_str())
        }
        None if !modifier.text.is_empty() => {
            count.said += 1;
            return None;
        }
        None => {
            assert!(rest.starts_with("value"), "{}", line.amount);
            let Some((values, when)) = print.value(line) else {
                count.unread.push(format!("{}: {line:?}", print.chart.id));
                return None;
            };
            let spelt = line.spelt.is_empty() && !line.when.starts_with("value = ");
            *(if spelt { &mut count.by_label } else { &mut count.formula }) += 1;
            (values, when)
        }
    };
    let when = (!when.is_empty() && modifier.text.is_empty()).then(|| {
        let read = print.read(when);
        match &read {
            Some(_) => count.conditions += 1,
            None => count.unread.push(format!("{}, when: {when}", print.chart.id)),
        }
        read
    });
    Some(Line { values, minus, when: when.flatten() })
}

/// A random value for every name.
fn random(chart: &Chart, mut seed: u64) -> Known {
    let mut next = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let value = |name: &adjutant_pack::Name| match &name.kind {
        Type::Number => Value::Number(Number::from(next(17) as i32 - 5)),
        Type::YesNo => Value::YesNo(next(2) == 1),
        Type::Choice(words) => {
            Value::Word(*words.iter().nth(next(words.len() as u64) as usize).unwrap())
        }
    };
    chart.names.iter().map(value).map(Some).collect::<Vec<_>>().into()
}

fn compare(print: &Print<'_>, modifier: &Modifier, printed: &Amount, seed: u64, count: &mut Count) {
    let chart = print.chart;
    assert!(printed.label.starts_with(modifier.label.as_str()), "{printed:?}");
    let Some(line) = line(print, modifier, printed, count) else { return };
    for round in 0..24 {
        let known = random(chart, seed.wrapping_add(round));
        let Ok(own) = modifier.amount.formula().number(&known) else { continue };
        let holds = modifier.when.as_ref().is_none_or(|when| when.holds(&known).unwrap());
        let counts = line.when.as_ref().map_or(Some(holds), |when| when.holds(&known));
        let nothing = match modifier.amount {
            Adds::Times(_) => Number::ONE,
            Adds::Plus(_) | Adds::Dice(_) => Number::ZERO,
        };
        let effect = |yes: bool, n: Number| if yes { n } else { nothing };
        let said = line.values.iter().map(|value| {
            let n = value.number(&known)?;
            Some(effect(counts?, if line.minus { -n } else { n }))
        });
        let own = effect(holds, own);
        let said: Vec<_> = said.collect();
        assert!(
            said.contains(&Some(own)),
            "{} {}: {printed:?} gives {said:?}, the chart {own}",
            print.pack.id(),
            chart.id
        );
    }
}

/// Compares every amount that the sheet of a chart shows.
fn compare_chart(pack: &Pack, chart: &Chart, seed: u64, count: &mut Count) {
    let charts = vec![pack.chart_id(&chart.id).unwrap()];
    let made = sheet(pack, &SheetOptions { charts, ..SheetOptions::default() });
    let parts = made.sections.iter().flat_map(|section| &section.parts);
    let mut lines =
        parts.filter_map(|part| if let Part::Amounts(lines) = part { Some(lines) } else { None });
    let print = Print::of(pack, chart);
    for step in chart.steps.iter().filter(|step| step.on_sheet) {
        let limits = [("At most", &step.most), ("At least", &step.least)];
        let all = step.add.len()
            + step.again.len()
            + limits.iter().filter(|(_, limit)| limit.is_some()).count();
        if all == 0 {
            continue;
        }
        let printed = lines.next().unwrap_or_else(|| panic!("{} {}", pack.id(), chart.id));
        assert_eq!(printed.len(), all, "{} {}", pack.id(), chart.id);
        for (modifier, printed) in step.add.iter().zip(printed) {
            compare(&print, modifier, printed, seed, count);
        }
        for (label, limit) in limits {
            let Some(limit) = limit else { continue };
            let printed = printed.iter().find(|line| line.label == label).unwrap();
            let Some(said) = print.read(&printed.amount) else {
                count.unread.push(format!("{}: {}", chart.id, printed.amount));
                continue;
            };
            count.limits += 1;
            for round in 0..24 {
                let known = random(chart, seed.wrapping_add(round));
                assert_eq!(said.number(&known), limit.number(&known).ok(), "{printed:?}");
            }
        }
    }
    let shifts = chart.read.column.as_ref().map_or(&[][..], |column| column.shift.as_slice());
    if !shifts.is_empty() {
        let printed = lines.next().unwrap();
        assert_eq!(printed.len(), shifts.len());
        for (shift, printed) in shifts.iter().zip(printed) {
            compare(&print, shift, printed, seed, count);
        }
    }
    assert!(lines.next().is_none(), "{} {}", pack.id(), chart.id);
}

#[test]
fn what_is_printed_of_a_modifier_is_what_the_chart_adds() {
    let packs = every_pack();
    let charts = || packs.iter().flat_map(Pack::charts);
    let steps = charts().flat_map(|chart| &chart.steps).filter(|step| step.on_sheet);
    let columns = charts().filter_map(|chart| chart.read.column.as_ref());
    let all = steps.map(|step| step.add.len()).sum::<usize>()
        + columns.map(|column| column.shift.len()).sum::<usize>();
    for seed in 0..8 {
        let mut count = Count::default();
        for pack in &packs {
            for chart in pack.charts() {
                compare_chart(pack, chart, seed * 1_000, &mut count);
            }
        }
        assert_eq!(count.unread, Vec::<String>::new());
        let Count { fixed, formula, by_label, said, limits, conditions, .. } = count;
        assert_eq!(fixed + formula + by_label + said, all);
        let enough = fixed >= 130 && formula >= 35 && by_label >= 25 && conditions >= 130;
        assert!(enough && limits >= 12 && said <= 20, "{fixed} {formula} {by_label} {conditions}");
    }
}

/// An expression of numbers, as a pack writes it.
fn number() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("x".to_owned()),
        Just("y".to_owned()),
        Just("place.penalty".to_owned()),
        (1..9_i32).prop_map(|n| n.to_string()),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        let when = (condition(inner.clone()), inner.clone(), inner.clone());
        prop_oneof![
            inner.clone().prop_map(|a| format!("-{a}")),
            inner.clone().prop_map(|a| format!("-({a})")),
            (two.clone(), prop_oneof![Just("+"), Just("-"), Just("*")])
                .prop_map(|((a, b), sign)| format!("({a}) {sign} ({b})")),
            (two.clone(), prop_oneof![Just("+"), Just("-"), Just("*")])
                .prop_map(|((a, b), sign)| format!("{a} {sign} {b}")),
            inner.clone().prop_map(|a| format!("floor(({a}) / 2)")),
            inner.clone().prop_map(|a| format!("ceil({a} / 2)")),
            inner.clone().prop_map(|a| format!("abs({a})")),
            two.clone().prop_map(|(a, b)| format!("min({a}, {b})")),
            two.prop_map(|(a, b)| format!("max({a}, {b})")),
            when.prop_map(|(when, a, b)| format!("if({when}, {a}, {b})")),
        ]
    })
}

fn condition(number: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = String> {
    let sign = prop_oneof![Just("<"), Just("<="), Just("=="), Just("!=")];
    prop_oneof![
        Just("flag".to_owned()),
        Just("!flag".to_owned()),
        Just("place == 'arm' or flag".to_owned()),
        Just("!(place != 'leg') and (flag or x > 2)".to_owned()),
        (number.clone(), sign, number).prop_map(|(a, sign, b)| format!("{a} {sign} {b}")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, max_global_rejects: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_amount_is_printed_so_that_it_can_be_worked_out(
        all in prop::collection::vec((number(), condition(Just("y".to_owned()))), 4..8),
        seed in any::<u64>(),
    ) {
        let line = |(place, (amount, when)): (usize, &(String, String))| {
            let kind = ["plus", "dice", "times"][place % 3];
            format!("{{ label = \"L{place}\", {kind} = \"{amount}\", when = \"{when}\" }}")
        };
        let lines: Vec<String> = all.iter().enumerate().map(line).collect();
        let text = format!(
            r#"[pack]
id = "any"
title = "Any"
[list.place]
skull = {{ title = "Skull, bare", penalty = -7 }}
arm = {{ title = "Arm", penalty = 2 }}
leg = {{ title = "Leg" }}
[chart.c]
title = "C"
ask = {{ place = {{ choice = "place", label = "Place" }}, x = {{ number = "Men", from = -5, to = 11 }}, y = {{ number = "Men and guns", from = -5, to = 11 }}, flag = {{ yes_no = "Not hidden" }} }}
step = [ {{ roll = "2d6", add = [ {} ] }} ]
read = {{ value = "die" }}
"#,
            lines.join(", ")
        );
        let files = adjutant_pack::Files::of([("pack.toml", text.as_str())]);
        // Too deep or too long an expression is refused.
        let pack = adjutant_pack::read_pack(&files, None);
        prop_assume!(pack.is_ok());
        let pack = pack.unwrap();
        let mut count = Count::default();
        compare_chart(&pack, pack.chart("c").unwrap(), seed, &mut count);
        prop_assert!(count.unread.is_empty(), "{:?}", count.unread);
        prop_assert_eq!(count.fixed + count.formula + count.by_label, all.len());
    }
}

#[test]
fn signs_and_numbers_by_word_are_printed_as_the_chart_counts_them() {
    let pack = every_pack().into_iter().find(|pack| pack.id() == "signs").unwrap();
    let made = super::whole(&pack, false);
    let found: Vec<(String, String)> = made.sections[0]
        .parts
        .iter()
        .filter_map(|part| if let Part::Amounts(lines) = part { Some(lines) } else { None })
        .flatten()
        .map(|line| (line.amount.clone(), line.spelt.clone()))
        .collect();
    let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(
        found,
        [
            ("+ value", "value by Place: Skull −7, Torso 0, Arm −2, Leg −3"),
            ("+ value", "value by Place: Skull 7, Torso 0, Arm 2, Leg 3"),
            ("+ value", "value = −1 if X = 1, else 3 if X = 2, else −5"),
            ("+ value", "value = −X + 3"),
            ("− value", "value = X + 3"),
            ("− value d6", "value = X − 3"),
            ("× ½", ""),
        ]
    );
}
