#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Tables: the example pack's cases, and odds that agree with running every way.

use adjutant_dice::EnteredInput;
use adjutant_engine::{
    Coverage, Follow, OddsOptions, OddsReport, Situation, odds, odds_by_running, resolve, try_suite,
};
use adjutant_pack::{Files, Pack, read_cases, read_pack};
use proptest::prelude::*;

fn example() -> (Files, Pack) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/crt");
    let names = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let of_pack = names.filter(|path| path.extension().is_some_and(|end| end != "md"));
    let files = Files::of(of_pack.map(|path| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(path).unwrap())
    }));
    let pack = read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}"));
    (files, pack)
}

fn pack(text: &str, csv: &str) -> Pack {
    let head = "[pack]\nid = \"t\"\ntitle = \"T\"\n";
    let files = Files::of([("pack.toml", format!("{head}{text}")), ("t.csv", csv.to_owned())]);
    read_pack(&files, None).unwrap_or_else(|faults| panic!("{text}\n{faults:#?}"))
}

fn given<'p>(pack: &'p Pack, chart: &str, inputs: &[(&str, &str)]) -> Situation<'p> {
    let mut situation = Situation::new(pack, chart).unwrap();
    for (name, value) in inputs {
        situation.give(name, value).unwrap();
    }
    situation
}

/// Both ways to find the odds give the same fractions.
fn agree(situation: &Situation<'_>) -> Vec<String> {
    let asked = OddsOptions::default();
    let fast = odds(situation, &asked).unwrap();
    let slow = odds_by_running(situation, &asked).unwrap();
    assert_eq!(shown(&fast), shown(&slow), "{}", situation.chart().title);
    shown(&fast)
}

fn shown(report: &OddsReport) -> Vec<String> {
    let mut lines = Vec::new();
    for branch in &report.branches {
        let spread = &branch.spread;
        let on = |on: &Option<_>| on.as_ref().map_or(String::new(), |on| format!(" on {on}"));
        lines.extend(
            spread.results.iter().map(|r| format!("{}{} {}", r.id, on(&r.on), r.chance.exact())),
        );
        lines.extend(
            spread.values.iter().map(|(value, chance)| format!("{value}: {}", chance.exact())),
        );
        lines.extend(spread.also.iter().map(|r| format!("also {} {}", r.id, r.chance.exact())));
    }
    lines.sort();
    lines
}

#[test]
fn the_cases_of_the_example_pass_and_reach_every_cell() {
    let (files, pack) = example();
    let suite = read_cases(&files).unwrap();
    let report = try_suite(&pack, None, &suite, |error| format!("{error:?}"));
    assert!(report.failures.is_empty(), "{:#?}", report.failures);
    let missing = report.coverage.missing(&pack);
    assert_eq!(adjutant_wording::en::coverage_lines(&pack, &missing), [""; 0]);
}

#[test]
fn cells_that_no_case_reaches_are_told_row_by_row() {
    let (_, pack) = example();
    let mut coverage = Coverage::default();
    let mut situation = given(&pack, "gun", &[("gun", "light"), ("range", "4")]);
    let run = resolve(&mut situation, &mut EnteredInput::new().with_dice([4])).unwrap();
    coverage.add(&run.marks);
    let lines = adjutant_wording::en::coverage_lines(&pack, &coverage.missing(&pack));
    let told: Vec<&String> = lines.iter().filter(|line| line.starts_with("gun")).collect();
    assert_eq!(
        told,
        [
            "gun: row Light gun: 1 to 2, columns 0-2, 3-7, 8+",
            "gun: row Light gun: 3 to 5, columns 0-2, 8+",
            "gun: row Light gun: 6, columns 0-2, 3-7, 8+",
            "gun: row Heavy gun: 1 to 2, columns 0-2, 3-7, 8+",
            "gun: row Heavy gun: 3 to 5, columns 0-2, 3-7, 8+",
            "gun: row Heavy gun: 6, columns 0-2, 3-7, 8+",
        ]
    );
    assert!(lines.contains(&"assault: the whole table".to_owned()), "{lines:#?}");
    assert!(lines.contains(&"assault: shift “Wood”".to_owned()), "{lines:#?}");
}

#[test]
fn the_odds_of_the_example_agree_with_running_every_way() {
    let (_, pack) = example();
    let strength = [("attacker.strength", "12"), ("defender.strength", "6")];
    let wood = [strength[0], strength[1], ("wood", "yes")];
    let support = [strength[0], strength[1], ("wood", "no"), ("support", "2")];
    assert_eq!(
        agree(&given(&pack, "skill", &[("skill", "40")])),
        ["fails 11/20", "fumbles 1/20", "succeeds 7/20", "superb 1/20",]
    );
    assert_eq!(
        agree(&given(&pack, "gun", &[("gun", "heavy"), ("range", "3")])),
        ["1: 1/3", "2: 1/2", "4: 1/6"]
    );
    assert_eq!(
        agree(&given(&pack, "assault", &wood)),
        ["1: 1", "exchange on defender 1/3", "loss on attacker 1/2", "loss on defender 1/6"]
    );
    assert_eq!(
        agree(&given(&pack, "assault", &support)),
        ["1: 1/2", "2: 1/2", "loss on defender 1"]
    );
}

/// A chart whose column, page, shift and bounds all depend on dice.
#[test]
fn tables_that_are_read_by_dice_agree_with_running_every_way() {
    let pack = pack(
        "[result]\na = { title = \"A\" }\nb = { title = \"B\" }\nc = { title = \"C\" }\n\
         [chart.c]\ntitle = \"C\"\n\
         step = [ { roll = \"1d6\", as = \"one\" }, { roll = \"1d4\", as = \"two\" }, { roll = \"1d2\", as = \"three\" } ]\n\
         [chart.c.read]\nrows = \"t.csv\"\nscore = \"one\"\ncolumn = \"two\"\npage = \"if(three == 1, 'x', 'y')\"\n\
         shift = [ { label = \"S\", plus = \"three\", when = \"one > 3\" }, { label = \"T\", plus = \"-two\", when = \"three == 2\", best_of = \"t\" }, \
         { label = \"U\", plus = -1, when = \"one == 6\", best_of = \"t\" } ]\n\
         [chart.d]\ntitle = \"D\"\n\
         step = [ { roll = \"1d6\", as = \"one\" }, { roll = \"1d4\", as = \"two\" } ]\n\
         [chart.d.read]\nscore = \"one\"\nrows = [ { to = \"two\", all = \"a\" }, { from = \"two + 2\", below = 6, all = \"b\" }, { all = \"c\" } ]\n",
        "page,score,1,2-3,4\nx,1-2,a,b,a\nx,3+,b 2,a,c1\ny,<=4,c,b,a\ny,>4,1,b,c\n",
    );
    let found = agree(&given(&pack, "c", &[]));
    assert_eq!(found.len(), 5, "{found:?}");
    let found = agree(&given(&pack, "d", &[]));
    assert_eq!(found, ["a 5/12", "b 1/4", "c 1/3"]);
}

/// The effects and follow-ups of the whole reading happen whatever row is read, and a result that is
/// passed on keeps its role.
#[test]
fn the_whole_reading_has_effects_and_follow_ups() {
    let pack = pack(
        "[unit.man]\ntitle = \"Man\"\nhas = { harm = { number = \"Harm\", from = 0, to = 9, default = 0 } }\n\
         [result]\nhit = { title = \"Hit\", of = \"man\" }\nmiss = { title = \"Miss\" }\n\
         [chart.strive]\ntitle = \"Strive\"\nwho = { man = \"man\" }\n\
         step = [ { roll = \"d6\", count = 3, each = \"face == 6\", tally = { ones = \"face == 1\" } } ]\n\
         read = { value = \"die\", effects = [ { add = \"harm\", by = \"die.ones\", when = \"die.ones > 0\" } ], next = [ { chart = \"faint\", who = { man = \"man\" } } ] }\n\
         [chart.faint]\ntitle = \"Faint\"\nwho = { man = \"man\" }\nread = { value = \"man.harm\" }\n\
         [chart.at]\ntitle = \"At\"\nwho = { us = \"man\", them = \"man\" }\nlands_on = \"them\"\nstep = [ { roll = \"1d6\" } ]\n\
         read = { rows = [ { to = 2, all = \"miss\" }, { all = \"hit\" } ] }\n\
         [chart.outer]\ntitle = \"Outer\"\nwho = { a = \"man\", b = \"man\" }\n\
         step = [ { look_up = \"at\", as = \"at\", who = { us = \"a\", them = \"b\" } } ]\nread = { rows = [ { all = { result_of = \"at\" } } ] }\n",
        "",
    );
    let mut strive = given(&pack, "strive", &[]);
    let run = resolve(&mut strive, &mut EnteredInput::new().with_dice([6, 1, 1])).unwrap();
    let says: Vec<String> = run.effects.iter().map(|effect| effect.says()).collect();
    assert_eq!((says, run.next.len()), (vec!["man: harm +2".to_owned()], 1));
    agree(&given(&pack, "strive", &[]));
    // What the follow-up reads is what the reading added.
    let follow = OddsOptions { follow: Follow::chain(), ..OddsOptions::default() };
    let mut ends = shown(&odds(&given(&pack, "strive", &[]), &follow).unwrap());
    ends.retain(|line| line.contains(": "));
    assert_eq!(ends, ["0: 125/216", "1: 25/72", "2: 5/72", "3: 1/216"]);
    assert_eq!(agree(&given(&pack, "outer", &[])), ["hit on b 2/3", "miss 1/3"]);
}

/// A random table of numbers with random headings, and dice that select its cells.
/// A series whose chart has results, effects and results in addition, and depends on its place.
const SERIES: &str = r#"
[unit.ship]
title = "Ship"
[unit.ship.has]
hull = { number = "Hull", from = 0, to = 9, default = 9 }
[result]
miss  = { title = "Miss" }
hit   = { title = "Hit", of = "ship", effects = [ { add = "hull", by = "-value" } ] }
fire  = { title = "Fire" }
[chart.shot]
title = "Shot"
who = { target = "ship" }
lands_on = "target"
ask = { plus = { number = "Plus", from = 0, to = 9 } }
step = [ { roll = "1d6", add = [ { label = "Plus", plus = "plus" } ] } ]
read = { rows = [ { to = 4, all = { result = "miss", value = 0 } }, { to = 6, all = { result = "hit", value = 1 } }, { all = { result = "hit", value = "1 + 3/2" } } ], also = [ { result = "fire", when = "die.natural == 6" } ] }
[chart.salvo]
title = "Salvo"
who = { target = "ship" }
ask = { most = { number = "Most", from = 0, to = 9 }, aimed = { yes_no = "Aimed" } }
step = [
  { roll = "1d3", as = "guns" },
  { look_up = "shot", times = "min(most, guns)", as = "shots", when = "guns > 1", who = { target = "target" }, with = { plus = "if(aimed, nth, 0)" } },
  { roll = "1d2", as = "luck" },
]
read = { value = "shots.value + luck" }
"#;

#[test]
fn a_series_of_look_ups_agrees_with_running_every_way() {
    let pack = pack(SERIES, "");
    for (most, aimed) in [("0", "no"), ("1", "yes"), ("3", "no"), ("3", "yes")] {
        agree(&given(&pack, "salvo", &[("most", most), ("aimed", aimed)]));
    }
    let (_, crt) = example();
    for guns in ["0", "1", "3", "4"] {
        agree(&given(&crt, "broadside", &[("guns", guns), ("gun", "heavy"), ("range", "2")]));
    }
}

#[test]
fn each_run_of_a_series_draws_what_the_runs_before_left() {
    let text = r#"
[deck.luck]
title = "Luck"
file = "t.csv"
[deck.luck.field]
worth = { number = "Worth", from = 0, to = 9 }
[chart.pull]
title = "Pull"
step = [ { draw = "luck", read = "worth" } ]
read = { value = "card" }
[chart.several]
title = "Several"
step = [ { look_up = "pull", times = 3, as = "pulls" }, { draw = "luck", read = "worth", as = "last" } ]
read = { value = "10 * pulls.value + last" }
"#;
    let pack = pack(text, "card,title,worth\n1,A,1\n2,B,2\n3,C,2\n4,D,5\n5,E,9\n");
    let shown = agree(&given(&pack, "several", &[]));
    assert!(shown.iter().any(|line| line.starts_with("59: ")), "{shown:?}");
    assert!(!shown.iter().any(|line| line.starts_with("39: ")), "{shown:?}");
}

#[test]
fn each_run_of_a_series_has_its_place_its_result_and_its_effects() {
    let pack = pack(SERIES, "");
    let mut situation = given(&pack, "salvo", &[("most", "9"), ("aimed", "yes")]);
    let mut dice = EnteredInput::new().with_dice([3, 4, 1, 6, 2]);
    let run = resolve(&mut situation, &mut dice).unwrap();
    let values: Vec<String> =
        run.look_ups().map(|known| known.value.map_or(String::new(), |n| n.to_string())).collect();
    assert_eq!(values, ["1", "0", "5/2"]);
    assert_eq!(run.value.map(|n| n.to_string()), Some("11/2".into()));
    let effects: Vec<String> = run.effects.iter().map(|effect| effect.says()).collect();
    assert_eq!(effects, ["target: hull -1", "target: hull -5/2"]);
    assert_eq!(run.also.len(), 1);
}

#[test]
fn a_series_has_an_end() {
    let text = "[chart.one]\ntitle = \"One\"\nread = { value = 1 }\n[chart.many]\ntitle = \"Many\"\nask = { n = { number = \"N\", from = 0, to = 1000 } }\nstep = [ { look_up = \"one\", times = \"n\", as = \"runs\" } ]\nread = { value = \"runs.value\" }\n";
    let pack = pack(text, "");
    let run = |n: &str| {
        let run = resolve(&mut given(&pack, "many", &[("n", n)]), &mut EnteredInput::new());
        run.map(|run| run.value.map(|n| n.to_string())).map_err(|stop| stop.refused.is_some())
    };
    assert_eq!(run("100"), Ok(Some("100".into())));
    assert_eq!(run("101"), Err(true));
    assert_eq!(agree(&given(&pack, "many", &[("n", "7")])), ["7: 1"]);
}

fn table() -> impl Strategy<Value = (String, String)> {
    let cell =
        prop_oneof![(0..4_i32).prop_map(|n| n.to_string()), Just("a".into()), Just("b2".into())];
    let cells = prop::collection::vec(cell, 18);
    let by = prop_oneof![Just("one"), Just("two"), Just("7 - one"), Just("max(one, two)")];
    let shift = prop_oneof![Just("1"), Just("two - 2"), Just("-one")];
    (cells, by.clone(), by, shift, any::<bool>(), 1..6_i32, 1..6_i32).prop_map(
        |(cells, score, column, shift, pages, a, b)| {
            let mut csv = String::from(if pages { "page,score" } else { "score" });
            csv.push_str(&format!(",<={a},{}+\n", a + 1));
            let mut cells = cells.into_iter();
            for page in if pages { &["1-3", "4-6"][..] } else { &[""][..] } {
                for head in [format!("1-{b}"), format!("{}+", b + 1)] {
                    let page = if pages { format!("{page},") } else { String::new() };
                    let mut next = || cells.next().unwrap_or_default();
                    csv.push_str(&format!("{page}{head},{},{}\n", next(), next()));
                }
            }
            let page = if pages { "page = \"one\"\n" } else { "" };
            let text = format!(
                "[result]\na = {{ title = \"A\" }}\nb = {{ title = \"B\" }}\n[chart.c]\ntitle = \"C\"\n\
                 step = [ {{ roll = \"1d6\", as = \"one\" }}, {{ roll = \"1d6\", as = \"two\" }} ]\n\
                 [chart.c.read]\nrows = \"t.csv\"\nscore = \"{score}\"\ncolumn = \"{column}\"\n{page}\
                 shift = [ {{ label = \"S\", plus = \"{shift}\", when = \"two > 2\" }} ]\n"
            );
            (text, csv)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tables_agree_with_running_every_way((text, csv) in table()) {
        let head = "[pack]\nid = \"t\"\ntitle = \"T\"\n";
        let files = Files::of([("pack.toml", format!("{head}{text}")), ("t.csv", csv.clone())]);
        let Ok(pack) = read_pack(&files, None) else {
            // A row that no roll reaches, for example, is refused.
            return Err(TestCaseError::reject("refused"));
        };
        agree(&given(&pack, "c", &[]));
    }
}

/// A series over a list counts each word once, with its own numbers, in odds as in play.
#[test]
fn a_series_over_a_list_agrees_with_running_every_way() {
    let text = r#"
[list.part]
mast = { title = "Mast", holds = 2 }
hull = { title = "Hull", holds = 4 }
guns = { title = "Guns", holds = 5 }
[unit.ship]
title = "Ship"
has = { harm = { number = "Harm", by = "part", from = 0, to = 3, default = 0 } }
[chart.one]
title = "One"
who = { ship = "ship" }
ask = { part = { choice = "part" } }
step = [ { roll = "1d6" } ]
read = { value = "if(die > part.holds, 1, 0)", effects = [ { add = "harm[part]", by = "value", on = "ship" } ] }
[chart.all]
title = "All"
who = { ship = "ship" }
step = [ { look_up = "one", times = "list.part", as = "all", who = { ship = "ship" }, with = { part = "nth" } } ]
read = { value = "all.value" }
[chart.later]
title = "Later"
who = { ship = "ship" }
read = { value = "1", next = [ { chart = "one", why = "hit", who = { ship = "ship" }, times = "list.part", with = { part = "nth" } } ] }
"#;
    let pack = pack(text, "");
    // 4/6, 2/6 and 1/6, each by itself: 2 * 4 * 5, 4 * 4 * 5 + 2 * 2 * 5 + 2 * 4 * 1, … of 216.
    assert_eq!(agree(&given(&pack, "all", &[])), ["0: 5/27", "1: 1/2", "2: 5/18", "3: 1/27"]);
    let played = |dice: &[u32]| {
        let mut dice = EnteredInput::new().with_dice(dice.iter().copied());
        let run = resolve(&mut given(&pack, "all", &[]), &mut dice).unwrap();
        run.effects.iter().map(|effect| effect.says()).collect::<Vec<_>>()
    };
    assert_eq!(
        played(&[3, 4, 6]),
        ["ship: harm_mast +1", "ship: harm_hull +0", "ship: harm_guns +1"]
    );
    let later = resolve(&mut given(&pack, "later", &[]), &mut EnteredInput::new()).unwrap();
    let parts: Vec<String> = later.next.iter().map(|next| next.with["part"].to_string()).collect();
    assert_eq!(parts, ["mast", "hull", "guns"]);
}

/// What each side remembers is an input of the chart. Setting it as a memory would change nothing.
#[test]
fn a_memory_of_a_side_is_given_as_an_input() {
    let text = r#"
[memory]
supply = { number = "Supply", from = 0, to = 9, default = 6, per = "side" }
[unit.corps]
title = "Corps"
[chart.eat]
title = "Eat"
who = { corps = "corps" }
step = [ { roll = "1d6" } ]
read = { value = "if(die <= corps.side.supply, 1, 0)" }
"#;
    let pack = pack(text, "");
    let mut situation = given(&pack, "eat", &[]);
    let refused = situation.set_memory("supply", "2").unwrap_err();
    assert_eq!(
        adjutant_wording::en::input_error(&refused),
        "each side has its own `supply`: give it as `corps.side.supply`"
    );
    assert_eq!(agree(&given(&pack, "eat", &[("corps.side.supply", "2")])), ["0: 2/3", "1: 1/3"]);
}
