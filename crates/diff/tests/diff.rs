#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Laws of a comparison: layout does not count, a change names the charts it touches and no others,
//! and the largest shift is that of brute force.

use adjutant_diff::{ChartChange, Definition, Effort, PackDiff, Version, diff, failing_cases};
use adjutant_pack::{Files, Pack, read_pack};
use proptest::prelude::*;

fn read(files: &Files) -> Pack {
    read_pack(files, None).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn compared(before: &Files, after: &Files) -> PackDiff {
    let (one, other) = (read(before), read(after));
    let (one, other) =
        (Version { files: before, pack: &one }, Version { files: after, pack: &other });
    diff(&one, &other, &Effort::default())
}

/// The files with one text of pack.toml replaced, which must be there.
fn with(files: &Files, from: &str, to: &str) -> Files {
    let text = files.text("pack.toml").unwrap();
    assert!(text.contains(from), "{from}");
    let mut files = files.clone();
    files.put("pack.toml", text.replacen(from, to, 1));
    files
}

fn skeleton() -> Files {
    adjutant_bundled_packs::skeleton("my-game")
}

/// A chart with two dice, one that looks it up, and one that does neither.
fn three_charts(plus: &str) -> Files {
    let text = format!(
        r#"
[pack]
id = "three"
title = "Three"
[result]
miss = {{ title = "Miss" }}
hit = {{ title = "Hit" }}
[chart.hit]
title = "To hit"
ask = {{ near = {{ yes_no = "Near" }} }}
step = [ {{ roll = "1d6", as = "die", add = [ {{ label = "Near", plus = "{plus}", when = "near" }} ] }} ]
read = {{ rows = [ {{ to = 3, all = "miss" }}, {{ all = "hit" }} ] }}
[chart.volley]
title = "Volley"
ask = {{ near = {{ yes_no = "Near" }} }}
step = [ {{ look_up = "hit", as = "shot", with = {{ near = "near" }} }} ]
read = {{ rows = [ {{ when = "shot.result == 'hit'", all = "hit" }}, {{ all = "miss" }} ] }}
[chart.morale]
title = "Morale"
step = [ {{ roll = "1d6", as = "die" }} ]
read = {{ rows = [ {{ to = 2, all = "miss" }}, {{ all = "hit" }} ] }}
"#
    );
    Files::of([("pack.toml", text)])
}

#[test]
fn a_pack_does_not_differ_from_itself_however_it_is_laid_out() {
    for id in adjutant_bundled_packs::IDS {
        let files = adjutant_bundled_packs::files(id).unwrap();
        let mut other = files.clone();
        let text = files.text("pack.toml").unwrap();
        let lines = text.lines().map(|line| {
            if line.starts_with('[') {
                format!("\n# Here it goes on.\n  {line}  # and so on\n\n")
            } else {
                format!("{line}\n")
            }
        });
        other.put("pack.toml", lines.collect::<String>());
        other.put("README.md", "Something else");
        assert_ne!(files.hash(), other.hash(), "{id}");
        let found = compared(&files, &other);
        assert!(found.is_empty(), "{id}: {found:?}");
    }
}

#[test]
fn formulas_are_compared_by_what_they_mean() {
    let files = skeleton();
    let other = with(&files, "\"firer - target\"", "\"firer-target\"");
    assert!(compared(&files, &other).is_empty());
    let other = with(&files, "\"firer - target\"", "\"target - firer\"");
    assert!(!compared(&files, &other).is_empty());
}

#[test]
fn a_change_of_one_modifier_names_the_charts_it_touches_and_no_others() {
    let found = compared(&three_charts("1"), &three_charts("2"));
    let named: Vec<(&str, ChartChange)> =
        found.charts.iter().map(|chart| (chart.id.as_str(), chart.change)).collect();
    assert_eq!(named, [("hit", ChartChange::Changed), ("volley", ChartChange::Affected)]);
    assert!(found.parts.is_empty());
    let [part] = found.charts[0].parts.as_slice() else { panic!("{:?}", found.charts[0].parts) };
    assert_eq!((part.definition.clone(), part.name.as_str()), (Definition::Chart, "hit"));
    assert_eq!(part.path, ["step die", "add Near", "plus"]);
    assert_eq!((part.before.as_deref(), part.after.as_deref()), (Some("1"), Some("2")));
    assert!(part.modifier);
    for chart in &found.charts {
        let chances = chart.chances.as_ref().unwrap();
        assert!(chances.exhaustive && chances.moved == 1 && chances.situations == 2);
        let shift = &chances.shifts[0];
        assert_eq!(shift.size().as_chance().exact(), "1/6");
        assert_eq!((shift.given[0].name.as_str(), shift.given[0].value.as_str()), ("near", "yes"));
    }
}

#[test]
fn charts_and_results_that_come_and_go_are_named() {
    let files = skeleton();
    let more = "\n[result.gone]\ntitle = \"Gone\"\n[chart.second]\ntitle = \"Second\"\nstep = [ { roll = \"1d6\", as = \"die\" } ]\nread = { rows = [ { all = \"gone\" } ] }\n";
    let mut other = files.clone();
    other.put("pack.toml", format!("{}{more}", files.text("pack.toml").unwrap()));
    let found = compared(&files, &other);
    assert_eq!(found.charts.len(), 1);
    assert_eq!(
        (found.charts[0].id.as_str(), found.charts[0].change),
        ("second", ChartChange::Added)
    );
    assert_eq!(found.parts[0].definition, Definition::Result);
    let found = compared(&other, &files);
    assert_eq!(
        (found.charts[0].id.as_str(), found.charts[0].change),
        ("second", ChartChange::Removed)
    );
    assert_eq!((found.parts[0].name.as_str(), found.parts[0].after.as_deref()), ("gone", None));
}

#[test]
fn a_data_file_counts_for_the_charts_whose_chances_it_moves() {
    let files = adjutant_bundled_packs::files("combat-leader").unwrap();
    let text = files.text("deck.csv").unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut other = files.clone();
    // The same cards, laid out otherwise.
    other.put("deck.csv", lines.join("\r\n"));
    assert!(compared(&files, &other).is_empty());
}

/// The chances of the skeleton's chart by brute force, in 36ths.
fn by_hand(close: i64, shaken_to: i64, at: (i64, i64, bool, bool)) -> [i64; 3] {
    let (attack, defence, is_close, is_cover) = at;
    let mut counts = [0; 3];
    for (one, other) in (1..=6).flat_map(|one| (1..=6).map(move |other| (one, other))) {
        let firer = one + attack + if is_close { close } else { 0 };
        let target = other + defence + if is_cover { 2 } else { 0 };
        let row = match firer - target {
            score if score <= 0 => 0,
            score if score <= shaken_to => 1,
            _ => 2,
        };
        counts[row] += 1;
    }
    counts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn the_largest_shift_is_that_of_brute_force(close in -2_i64..5, shaken_to in 1_i64..7) {
        let files = skeleton();
        let other = with(&files, "plus = 1, when = \"close\"", &format!("plus = {close}, when = \"close\""));
        let other = with(&other, "{ to = 3,", &format!("{{ to = {shaken_to},"));
        let found = compared(&files, &other);
        let all = (0..13 * 13 * 4).map(|n: i64| (n / 52, n / 4 % 13, n & 1 == 1, n & 2 == 2));
        let shift = |at: (i64, i64, bool, bool)| {
            let (one, other) = (by_hand(1, 3, at), by_hand(close, shaken_to, at));
            (0..3).map(|row| (one[row] - other[row]).abs()).max().unwrap()
        };
        let (mut largest, mut moved) = (0, 0);
        for at in all {
            largest = largest.max(shift(at));
            moved += usize::from(shift(at) > 0);
        }
        let exact = found.largest().map(|(_, shift)| shift.size().as_chance().value() * 36.0);
        prop_assert_eq!(exact.map(|value| value.round() as i64).unwrap_or(0), largest);
        if let Some(chart) = found.charts.first() {
            let chances = chart.chances.as_ref().unwrap();
            prop_assert!(chances.exhaustive);
            prop_assert_eq!((chances.situations, chances.moved), (676, moved));
            prop_assert!(chances.shifts.windows(2).all(|two| two[0].size() >= two[1].size()));
        }
    }
}

#[test]
fn a_shift_in_a_far_corner_of_many_situations_is_found() {
    let pack = |plus: i64| {
        let questions: String =
            (0..16).map(|n| format!("q{n} = {{ yes_no = \"Question {n}\" }}\n")).collect();
        let uses: String = (0..16)
            .map(|n| format!("{{ label = \"Q{n}\", plus = 0, when = \"q{n}\" }},\n"))
            .collect();
        Files::of([(
            "pack.toml",
            format!(
                "[pack]\nid = \"many\"\ntitle = \"Many\"\n[result]\nmiss = {{ title = \"Miss\" }}\nhit = {{ title = \"Hit\" }}\n[chart.c]\ntitle = \"C\"\n[chart.c.ask]\n{questions}[[chart.c.step]]\nroll = \"1d6\"\nas = \"die\"\nadd = [\n{uses}{{ label = \"All three\", plus = {plus}, when = \"q1 and q7 and q13\" }} ]\n[chart.c.read]\nrows = [ {{ to = 3, all = \"miss\" }}, {{ all = \"hit\" }} ]\n"
            ),
        )])
    };
    let found = compared(&pack(1), &pack(3));
    let chances = found.charts[0].chances.as_ref().unwrap();
    assert!(!chances.exhaustive && chances.situations <= Effort::default().situations);
    assert_eq!(chances.shifts[0].size().as_chance().exact(), "1/3");
}

#[test]
fn work_that_is_stopped_tells_what_it_has() {
    let (before, after) = (three_charts("1"), three_charts("2"));
    let (one, other) = (read(&before), read(&after));
    let stop = adjutant_engine::Stop::when(|| true);
    let found = diff(
        &Version { files: &before, pack: &one },
        &Version { files: &after, pack: &other },
        &Effort { stop, ..Effort::default() },
    );
    let chances = found.charts[0].chances.as_ref().unwrap();
    assert_eq!((found.charts.len(), chances.situations, chances.exhaustive), (1, 0, false));
}

#[test]
fn cases_that_pass_no_more_are_named() {
    let files = skeleton();
    let other = with(&files, "{ to = 3,", "{ to = 9,");
    let (one, other_pack) = (read(&files), read(&other));
    let (before, after) =
        (Version { files: &files, pack: &one }, Version { files: &other, pack: &other_pack });
    let say = adjutant_wording::en::case_error;
    let (broken, own) = failing_cases(&before, &after, say);
    assert!(!broken.is_empty() && broken.len() == own.len());
    assert!(failing_cases(&before, &before, say).0.is_empty());
}
