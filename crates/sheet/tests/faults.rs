#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Every kind of fault is found, at its place, with a remedy. `▸` marks the place in a pack's text.

use sheet::{Fault, Files, read_pack};

const HEAD: &str = "[pack]\nid = \"t\"\ntitle = \"T\"\n";
const RESULTS: &str = "[result]\nmiss = { title = \"Miss\" }\nhit = { title = \"Hit\" }\n";
const ROWS: &str = "read = { rows = [ { to = 3, all = \"miss\" }, { all = \"hit\" } ] }\n";
const DIE: &str = "step = [ { throw = \"1d6\", as = \"die\" } ]\n";
const UNITS: &str = "[unit.tank]\ntitle = \"Tank\"\nhas = { armour = { number = \"Armour\", from = 0, to = 9 } }\n\
                     [unit.man]\ntitle = \"Man\"\n[status.pinned]\ntitle = \"Pinned\"\nof = \"tank\"\n";

/// The faults of files, each as `file line:column message (remedy)`.
fn faults(files: &Files, tables: Option<&str>) -> Vec<String> {
    let show = |fault: &Fault| {
        let text = if fault.file == sheet::TABLES_FILE { tables.unwrap_or("") } else { files.text(&fault.file).unwrap_or("") };
        assert!(fault.place.start <= fault.place.end && fault.place.end <= text.len(), "{fault:?} lies outside its file");
        let (line, column) = fault.line_and_column(text);
        format!("{} {line}:{column} {} ({})", fault.file, fault.message, fault.remedy.as_deref().unwrap_or("no remedy"))
    };
    read_pack(files, tables).err().unwrap_or_default().iter().map(show).collect()
}

/// The text without its mark, and the line and column of the mark.
fn unmarked(text: &str) -> (String, usize, usize) {
    let (before, after) = text.split_once('▸').expect("a mark");
    let line = before.matches('\n').count() + 1;
    (format!("{before}{after}"), line, before.rsplit('\n').next().unwrap_or("").chars().count() + 1)
}

fn only(found: &[String], file: &str, (line, column): (usize, usize), fault: &str) {
    assert_eq!(found, [format!("{file} {line}:{column} {fault}")]);
}

/// That pack.toml, after its head, has exactly this fault at the mark.
#[track_caller]
fn pack(text: &str, fault: &str) {
    let (text, line, column) = unmarked(&format!("{HEAD}{text}"));
    only(&faults(&Files::of([("pack.toml", text)]), None), "pack.toml", (line, column), fault);
}

/// The same for the lines of one chart.
#[track_caller]
fn chart(lines: &str, fault: &str) {
    pack(&format!("{RESULTS}{UNITS}[chart.c]\ntitle = \"C\"\n{lines}"), fault);
}

/// The same for the rows of a chart that throws a d6.
#[track_caller]
fn rows(rows: &str, fault: &str) {
    chart(&format!("{DIE}read = {{ rows = [ {rows} ] }}\n"), fault);
}

/// The same for one condition of a modifier of a chart with some inputs.
#[track_caller]
fn when(expression: &str, fault: &str) {
    let asks = "who = { tank = \"tank\" }\nask = { ammo = { choice = [\"ap\", \"he\"] }, close = { yes_no = \"Close\" }, \
                range = { number = \"Range\", from = 0, to = 9 } }\n";
    let add = format!("step = [ {{ throw = \"1d6\", as = \"die\", add = [ {{ label = \"M\", plus = 1, when = \"{expression}\" }} ] }} ]\n");
    chart(&format!("{asks}{add}{ROWS}"), fault);
}

/// That a pack made of these lines has no fault.
#[track_caller]
fn sound(text: &str) {
    assert_eq!(faults(&Files::of([("pack.toml", format!("{HEAD}{text}"))]), None), [""; 0]);
}

#[track_caller]
fn sound_chart(lines: &str) {
    sound(&format!("{RESULTS}{UNITS}[chart.c]\ntitle = \"C\"\n{lines}"));
}

#[test]
fn unknown_keys_are_found_with_the_nearest_known_one() {
    let known = "did you mean `title`?";
    pack(&format!("{RESULTS}[chart.c]\ntitle = \"C\"\n▸titel = \"C\"\n{DIE}{ROWS}"), &format!("[chart.c] has no key `titel` ({known})"));
    chart(
        &format!("step = [ {{ throw = \"1d6\", as = \"die\", ▸cuont = 2 }} ]\n{ROWS}"),
        "a step has no key `cuont` (did you mean `count`?)",
    );
    chart(
        &format!("step = [ {{ throw = \"1d6\", as = \"die\", add = [ {{ label = \"M\", plus = 1, ▸wen = \"yes\" }} ] }} ]\n{ROWS}"),
        "a modifier has no key `wen` (did you mean `when`?)",
    );
    pack(&format!("[▸rsult]\n[chart.c]\ntitle = \"C\"\nread = {{ value = 1 }}\n"), "pack.toml has no key `rsult` (did you mean `result`?)");
}

#[test]
fn a_field_that_is_of_no_kind_names_the_key_it_most_likely_meant() {
    let (text, ..) =
        unmarked(&format!("{HEAD}{RESULTS}[chart.c]\ntitle = \"C\"\nask = {{ near = {{ ▸yes_on = \"Near\" }} }}\n{DIE}{ROWS}"));
    let found = faults(&Files::of([("pack.toml", text)]), None);
    assert_eq!(
        found,
        [
            "pack.toml 9:16 `near` does not say what it accepts (give it exactly one of yes_no = \"…\", choice = { … } or number = \"…\")",
            "pack.toml 9:18 `near` has no key `yes_on` (did you mean `yes_no`?)",
        ]
    );
}

#[test]
fn unknown_names_in_expressions_are_found_with_the_nearest() {
    when("▸clsoe", "there is no name `clsoe` here (did you mean `close`?)");
    when("close && ▸tank.pined", "there is no name `tank.pined` here (did you mean `tank.pinned`?)");
    when("▸die.naturl == 1", "there is no name `die.naturl` here (did you mean `die.natural`?)");
    when("ammo == ▸he", "there is no name `he` (a choice's word stands in quotes: 'he')");
    when(
        "▸option.night",
        "there is no name `option.night` here (there are: ammo, close, die, die.dice, die.die_1, die.doubles, die.highest, die.lowest, die.natural, range, tank.armour, tank.pinned)",
    );
    when("▸mni(1, 2) == 1", "there is no function `mni` (did you mean min(…)?)");
}

#[test]
fn a_name_from_a_later_step_is_not_known_yet() {
    chart(
        &format!(
            "step = [ {{ throw = \"1d6\", as = \"die\", when = \"▸late > 1\" }}, {{ throw = \"1d6\", as = \"late\" }} ]\nread = {{ score = \"die + late\", {}\n",
            &ROWS[9..]
        ),
        "`late` is not known yet at this point (it comes from a later step: put that step first)",
    );
}

#[test]
fn wrong_kinds_in_expressions_are_found() {
    when(
        "▸range",
        "this is a number, but yes or no is wanted here (write a condition such as close && !firer.suppressed, or a sum such as firer.hesa + 1)",
    );
    when("close && ▸range", "this is a number, but yes or no should stand here (compare it with a number: name > 0)");
    when("range + ▸close > 2", "this is yes or no, but a number should stand here (turn it into a number: if(name, 1, 0))");
    when("▸ammo || close", "this is a choice, but yes or no should stand here (compare it with one of its words: name == 'word')");
    when("▸ammo == 'hex'", "these can never be the same: 'hex' is not one of the choice's words (its words are 'ap', 'he')");
    when("▸ammo == 3", "a choice cannot be compared with a number (compare two numbers, two choices or two yes/no values)");
    when("if(close, 1, ▸no) == 1", "one side of this `if` is a number, the other yes or no (both sides must be of one kind)");
}

#[test]
fn expressions_that_cannot_be_read_are_found() {
    when("close ▸&&", "something is missing at the end (finish the expression, or leave the key out)");
    when("▸(close", "this bracket is never closed (add a closing bracket)");
    when("range ▸= 3", "a single = does not compare (write == for `is the same as`)");
    when("close ▸range > 2", "this does not belong here (join two parts with and, or, +, - or a comparison)");
    when("1 < range ▸< 3", "comparisons cannot be chained (write a < b and b < c)");
    when("ammo == ▸'he", "this quotation mark is never closed (close the choice with a second ')");
    when("range > 3 ▸)", "this does not belong here (join two parts with and, or, +, - or a comparison)");
    when("range > ▸)", "a name or a number should stand here (put one in, or take this out)");
    when(
        &format!("▸{}close{}", "(".repeat(60), ")".repeat(60)),
        "the expression is nested more than 40 deep (split it with work_out steps)",
    );
    when(
        &format!("▸close{}", " || close".repeat(200)),
        "the expression is 1805 characters long: at most 1000 are allowed (split it with a work_out step)",
    );
}

#[test]
fn bands_with_gaps_overlaps_and_wrong_order_are_found() {
    let mend = "move the end of one of the rows";
    rows(
        "{ to = 2, all = \"miss\" }, ▸{ from = 4, all = \"hit\" }",
        &format!("there is a gap: scores from 3 up to 4 have no row ({mend})"),
    );
    rows(
        "{ to = 2, all = \"miss\" }, ▸{ from = 2, all = \"hit\" }",
        &format!("the bands overlap: 2 belongs to the row before as well ({mend})"),
    );
    rows(
        "{ to = 4, all = \"miss\" }, ▸{ to = 2, all = \"hit\" }, { all = \"miss\" }",
        "the bands are in the wrong order: this one ends at 2, where the one before has ended already (list the bands from the lowest score to the highest)",
    );
    rows(
        "▸{ from = 5, to = 3, all = \"miss\" }, { all = \"hit\" }",
        "the band ends at 3, before it begins at 5 (put the lower number first)",
    );
    rows("{ to = 2, all = \"miss\" }, ▸{ to = 4, all = \"hit\" }", "scores from 5 to 6 have no row (add a last row without `to`)");
    rows("{ to = 2, all = \"miss\" }, ▸{ to = 5, all = \"hit\" }", "scores of 6 have no row (add a last row without `to`)");
    rows("▸{ from = 2, all = \"miss\" }", &format!("there is a gap: scores from 1 up to 2 have no row ({mend})"));
    rows(
        "▸{ all = \"miss\", to = 6, when = \"die > 7\" }, { all = \"hit\" }",
        "no input can reach this row (the score lies between 1 and 6, and earlier rows come first)",
    );
}

#[test]
fn bands_of_fractions_leave_nothing_between_them() {
    let half = "ask = { n = { number = \"N\", from = 0, to = 9, step = \"1/2\" } }\nread = { score = \"n\", rows = [";
    let mend = "move the end of one of the rows";
    chart(
        &format!("{half} {{ to = 2, all = \"miss\" }}, ▸{{ from = 3, all = \"hit\" }} ] }}\n"),
        &format!("there is a gap: scores from 2 up to 3 have no row ({mend})"),
    );
    chart(
        &format!("{half} {{ to = 2, all = \"miss\" }}, ▸{{ to = 8, all = \"hit\" }} ] }}\n"),
        "scores above 8 have no row (add a last row without `to`)",
    );
    chart(
        &format!("{half} {{ below = 2, all = \"miss\" }}, ▸{{ below = 8, all = \"hit\" }} ] }}\n"),
        "scores from 8 up have no row (add a last row without `to`)",
    );
    sound_chart(&format!("{half} {{ below = 2, all = \"miss\" }}, {{ from = 2, all = \"hit\" }} ] }}\n"));
    sound_chart(&format!("{half} {{ to = 2, all = \"miss\" }}, {{ above = 2, all = \"hit\" }} ] }}\n"));
}

#[test]
fn things_that_do_not_exist_are_found() {
    rows("{ to = 3, all = ▸\"mis\" }, { all = \"hit\" }", "there is no result `mis` (did you mean `miss`?)");
    rows(
        "{ to = 3, ▸he = \"miss\", all = \"miss\" }, { all = \"hit\" }",
        "there is no column `he` (there are: all, to, from, below, above, is, when, on, label)",
    );
    chart(
        &format!("step = [ {{ throw = \"1d6\", as = \"die\", reading = ▸\"r\" }} ]\n{ROWS}"),
        "there is no reading `r` (none is defined yet)",
    );
    chart(&format!("readings = [▸\"r\"]\n{DIE}{ROWS}"), "there is no reading `r` (none is defined yet)");
    chart(&format!("needs_option = ▸\"night\"\n{DIE}{ROWS}"), "there is no option `night` (none is defined yet)");
    chart(
        &format!("who = {{ tank = ▸\"tnak\" }}\nlands_on = \"tank\"\n{DIE}{ROWS}"),
        "there is no unit kind `tnak` (did you mean `tank`?)",
    );
    chart(
        &format!("who = {{ tank = \"tank\" }}\nlands_on = ▸\"tanks\"\n{DIE}{ROWS}"),
        "there is no role in this chart `tanks` (did you mean `tank`?)",
    );
    chart(&format!("step = [ {{ draw = ▸\"deck\", as = \"die\" }} ]\n{ROWS}"), "there is no deck `deck` (none is defined yet)");
    chart(
        &format!("step = [ {{ look_up = ▸\"d\", as = \"die\" }} ]\n{ROWS}").replace("rows", "score = \"die.value\", rows"),
        "there is no chart `d` (there are: c)",
    );
    chart(&format!("{DIE}read = {{ user_table = ▸\"t\" }}\n"), "there is no user table `t` (none is defined yet)");
    rows("{ to = 3, all = \"miss\", next = [ { chart = ▸\"see\" } ] }, { all = \"hit\" }", "there is no chart `see` (there are: c)");
}

#[test]
fn effects_on_nothing_are_found() {
    let on = |effect: &str| {
        format!(
            "who = {{ tank = \"tank\" }}\n{DIE}read = {{ rows = [ {{ to = 3, all = \"miss\" }}, {{ all = \"hit\", effects = [ {effect} ] }} ] }}\n"
        )
    };
    chart(&on("{ status = ▸\"pined\" }"), "there is no status `pined` (did you mean `pinned`?)");
    chart(&on("{ status = \"pinned\", on = ▸\"man\" }"), "there is no role in this chart `man` (there are: tank)");
    chart(&on("{ set = ▸\"armor\", to = 1 }"), "there is no attribute `armor` (did you mean `armour`?)");
    chart(&on("{ remember = ▸\"alarm\", to = 1 }"), "there is no memory `alarm` (none is defined yet)");
    chart(&on("{ reshuffle = ▸\"deck\" }"), "there is no deck `deck` (none is defined yet)");
    chart(
        &on("▸{ stats = \"pinned\" }"),
        "this effect does nothing (give it exactly one of status, lift, set, add, remember, leaves, appear, reshuffle, note)",
    );
    chart(
        &on("▸{ status = \"pinned\" }").replace("who = { tank = \"tank\" }\n", ""),
        "in chart `c` this effect lands on nobody (add on = \"role\" to the row, or lands_on = \"role\" to the chart)",
    );
}

#[test]
fn phases_that_do_not_exist_are_found() {
    let rest = format!("{RESULTS}[chart.c]\ntitle = \"C\"\n{DIE}{ROWS}");
    let unit = "[unit.tank]\ntitle = \"Tank\"\n[status.pinned]\ntitle = \"Pinned\"\nof = \"tank\"\n";
    pack(
        &format!("{unit}ends = ▸\"ralley\"\n[turn]\nphase = [ {{ id = \"rally\", title = \"Rally\" }} ]\n{rest}"),
        "there is no phase `ralley` (did you mean `rally`?)",
    );
    pack(
        &format!("[turn]\nphase = [ {{ id = \"rally\", title = \"Rally\", charts = [▸\"d\"] }} ]\n{rest}"),
        "there is no chart `d` (there are: c)",
    );
}

#[test]
fn a_choice_without_a_column_and_a_column_without_a_cell_are_found() {
    let asked = format!("ask = {{ ammo = {{ choice = [\"ap\", \"he\"] }} }}\n{DIE}");
    chart(
        &format!("{asked}read = {{ column = \"ammo\", rows = [ ▸{{ to = 3, ap = \"miss\" }}, {{ all = \"hit\" }} ] }}\n"),
        "the row has no cell for the column `he` (add he = \"…\", or all = \"…\" for every column)",
    );
    chart(
        &format!(
            "{asked}read = {{ column = \"ammo\", rows = [ {{ to = 3, ap = \"miss\", all = \"hit\" }}, {{ ▸ap1 = \"miss\", all = \"hit\" }} ] }}\n"
        ),
        "there is no column `ap1` (did you mean `ap`?)",
    );
    chart(
        &format!("{asked}read = {{ column = ▸\"die\", rows = [ {{ all = \"hit\" }} ] }}\n"),
        "a column is chosen by a choice or a yes/no, not by a number (make bands of the number: if(n > 3, 'far', 'near'))",
    );
    chart(
        &format!("{DIE}ask = {{ ammo = {{ choice = ▸[\"ap\"] }} }}\n{ROWS}"),
        "a choice has 1 words (a choice has 2 to 100: choice = { ap = \"AP\", he = \"HE\" })",
    );
    chart(
        &format!("{asked}read = {{ score = \"ammo\", rows = [ ▸{{ is = \"ap\", all = \"miss\" }} ] }}\n"),
        "there is no row for he (add a row is = \"…\" for each, or a last row without one)",
    );
    chart(
        &format!("{asked}read = {{ score = \"ammo\", rows = [ {{ is = ▸\"hee\", all = \"miss\" }}, {{ all = \"hit\" }} ] }}\n"),
        "there is no word of the score `hee` (did you mean `he`?)",
    );
}

#[test]
fn dice_that_cannot_be_thrown_are_found() {
    let dice = |text: &str, why: &str| {
        let fault = format!("`{text}` cannot be thrown: {why} (write throw = \"2d6\")");
        chart(&format!("step = [ {{ throw = ▸\"{text}\", as = \"die\" }} ]\n{ROWS}"), &fault);
    };
    dice("0d6", "0 dice cannot be thrown: 1 to 200 can");
    dice("500d6", "500 dice cannot be thrown: 1 to 200 can");
    dice("2d1", "there is no die with 1 sides here: 2 to 1000 sides can be thrown");
    dice("2x6", "dice are written as 2d6, 1d10 or d6");
    chart(
        &format!("step = [ {{ throw = ▸\"d6\", count = \"0 - 3\", as = \"die\" }} ]\nread = {{ rows = [ {{ all = \"hit\" }} ] }}\n"),
        "so many dice can never be thrown (the number of dice must lie between 0 and 200)",
    );
}

#[test]
fn chains_that_never_end_are_found() {
    let look = |id: &str, other: &str| {
        format!("[chart.{id}]\ntitle = \"C\"\nstep = [ {{ look_up = {other}, as = \"l\" }} ]\nread = {{ value = \"l.value\" }}\n")
    };
    pack(&format!("{}{}", look("a", "\"b\""), look("b", "▸\"a\"")), "this can never end: a looks up b looks up a (break the circle)");
    pack(&look("a", "▸\"a\""), "this can never end: a looks up a (break the circle)");
    let now =
        |id: &str, next: &str| format!("[chart.{id}]\ntitle = \"C\"\nread = {{ rows = [ {{ all = \"go\", next = [ {next} ] }} ] }}\n");
    let go = "[result.go]\ntitle = \"Go\"\n";
    let endless = "can never end (let one of its results be without a follow-up)";
    pack(
        &now("▸a", "{ chart = \"a\", now = true }").replacen("[chart", &format!("{go}[chart"), 1),
        &format!("the chain of charts from `a` {endless}"),
    );
    pack(
        &now("▸a", "{ chart = \"a\", now = true, when = \"yes\" }").replacen("[chart", &format!("{go}[chart"), 1),
        &format!("the chain of charts from `a` {endless}"),
    );
    sound(&format!("{go}{}", now("a", "{ chart = \"a\" }")));
    sound(&format!("{go}[memory.m]\nyes_no = \"M\"\n{}", now("a", "{ chart = \"a\", now = true, when = \"memory.m\" }")));
}

#[test]
fn a_result_that_leads_back_to_its_own_chart_never_ends() {
    let text = "[result.go]\ntitle = \"Go\"\nnext = [ { chart = \"b\", now = true } ]\n\
                [chart.▸a]\ntitle = \"A\"\nread = { rows = [ { all = \"go\" } ] }\n\
                [chart.b]\ntitle = \"B\"\nstep = [ { look_up = \"a\", as = \"l\" } ]\nread = { value = \"l.value\" }\n";
    let (text, ..) = unmarked(&format!("{HEAD}{text}"));
    let found = faults(&Files::of([("pack.toml", text)]), None);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found.iter().all(|fault| fault.contains("can never end")), "{found:#?}");
}

#[test]
fn too_many_look_ups_are_found() {
    let step = |at: usize| (0..8).map(|n| format!("{{ look_up = \"c{}\", as = \"l{n}\" }}", at + 1)).collect::<Vec<_>>().join(", ");
    let mut text = String::new();
    for at in 0..4 {
        text +=
            &format!("[chart.{}c{at}]\ntitle = \"C\"\nstep = [ {} ]\nread = {{ value = 1 }}\n", if at == 1 { "▸" } else { "" }, step(at));
    }
    text += "[chart.c4]\ntitle = \"C\"\nread = { value = 1 }\n";
    pack(&text, "the chart sets off more than 500 look-ups (look up fewer charts, or join some of them)");
}

#[test]
fn again_rules_that_always_or_never_hold_are_found() {
    let again = |rules: &str| format!("step = [ {{ throw = \"1d6\", as = \"die\", again = [ {rules} ] }} ]\n{ROWS}");
    let mend = "(say when it is made again, or add at_most = 1)";
    chart(&again("{ when = ▸\"yes\", because = \"B\" }"), &format!("this would go on for ever: the rule always holds {mend}"));
    chart(&again("{ when = ▸\"die.natural >= 1\", because = \"B\" }"), &format!("this would go on for ever: the rule always holds {mend}"));
    chart(
        &again("{ when = \"die < 4\", because = \"B\" }, { when = ▸\"die >= 4\", because = \"B\" }"),
        "this would go on for ever: one of the rules always holds (let some throw be read, or add at_most = 1)",
    );
    chart(
        &again("{ when = ▸\"die > 6\", because = \"B\" }"),
        "this again rule can never hold (the condition is false whatever is given: mend it)",
    );
    sound_chart(&again("{ when = \"yes\", because = \"B\", at_most = 1 }"));
    sound_chart(&again("{ when = \"die < 4\", because = \"B\" }"));
    sound_chart(&again("{ when = \"yes\", because = \"B\", stop = { result = \"hit\" } }"));
}

#[test]
fn rows_that_no_input_can_reach_are_found() {
    rows(
        "{ to = 2, all = \"miss\" }, { to = 6, all = \"hit\" }, ▸{ from = 7, all = \"hit\" }",
        "no input can reach this row (the score lies between 1 and 6, and earlier rows come first)",
    );
    rows(
        "▸{ to = 0, all = \"miss\" }, { all = \"hit\" }",
        "no input can reach this row (the score lies between 1 and 6, and earlier rows come first)",
    );
    rows(
        "{ all = \"miss\" }, ▸{ to = 3, all = \"hit\" }",
        "no input can reach this row: the row before it always holds (put the row without a condition last)",
    );
    rows(
        "{ from = 1, all = \"miss\" }, ▸{ to = 3, all = \"hit\" }",
        "no input can reach this row: the row before it has no upper end (give that row `to`, or put this row before it)",
    );
    rows(
        "▸{ when = \"die > 6\", all = \"miss\" }, { all = \"hit\" }",
        "no input can reach this row (its condition is never true, or earlier rows always hold)",
    );
    rows(
        "{ when = \"die > 2\", all = \"miss\" }, ▸{ when = \"die > 4\", all = \"hit\" }, { all = \"miss\" }",
        "no input can reach this row (its condition is never true, or earlier rows always hold)",
    );
    rows(
        "▸{ when = \"die > 2\", all = \"miss\" }",
        "it is not said what holds when none of these conditions does (add a last row without `when`)",
    );
}

#[test]
fn modifiers_steps_and_lines_that_can_never_hold_are_found() {
    let mend = "(the condition is false whatever is given: mend it)";
    let add = format!(
        "step = [ {{ throw = \"1d6\", as = \"die\", add = [ {{ label = \"M\", plus = 1, when = ▸\"die.natural > 6\" }} ] }} ]\n{ROWS}"
    );
    chart(&add, &format!("the modifier `M` can never count {mend}"));
    let step = "step = [ { throw = \"1d6\", as = \"die\" }, { throw = \"1d6\", as = \"more\", when = ▸\"die == 7\" } ]\nread = { value = \"die + more\" }\n";
    chart(step, &format!("this step can never happen {mend}"));
    let also = format!("{DIE}read = {{ rows = [ {{ all = \"hit\" }} ], also = [ {{ when = ▸\"die < 1\", result = \"miss\" }} ] }}\n");
    chart(&also, &format!("this line can never hold {mend}"));
}

#[test]
fn charts_without_rows_and_packs_without_charts_are_found() {
    chart(&format!("{DIE}read = ▸{{ rows = [] }}\n"), "the chart has no rows (add rows = [ { to = 4, all = \"…\" }, { all = \"…\" } ])");
    chart(&format!("{DIE}read = ▸{{ unit = \"cm\" }}\n"), "the chart yields nothing (add rows, a value or a user_table)");
    pack(
        &format!("{RESULTS}[chart.▸c]\ntitle = \"C\"\n{DIE}"),
        "the chart does not say how it is read (add [chart.….read] with rows or value)",
    );
    let empty = faults(&Files::of([("pack.toml", "")]), None);
    assert_eq!(
        empty,
        [
            "pack.toml 1:1 there is no [pack] section (begin the file with [pack], id = \"…\" and title = \"…\")",
            "pack.toml 1:1 the pack has no chart (add one: [chart.my-chart] with title, step and read)",
        ]
    );
    assert_eq!(faults(&Files::default(), None), empty);
}

#[test]
fn files_that_are_not_toml_are_refused_where_they_break() {
    let found = faults(&Files::of([("pack.toml", format!("{HEAD}[chart.c\ntitle = \"C\"\n"))]), None);
    assert!(found.iter().any(|fault| fault.starts_with("pack.toml 4:") && fault.contains("this is not valid TOML")), "{found:#?}");
    let found = faults(&Files::of([("pack.toml", "\u{0}\u{1} nothing of the sort")]), None);
    assert!(found.iter().any(|fault| fault.contains("the file cannot be read here")), "{found:#?}");
}

#[test]
fn a_file_nested_a_thousand_deep_is_refused() {
    for text in [format!("x = {}{}", "[".repeat(1000), "]".repeat(1000)), format!("x = {}1{}", "{a=".repeat(1000), "}".repeat(1000))] {
        let found = faults(&Files::of([("pack.toml", format!("{HEAD}{text}\n"))]), None);
        assert!(found.iter().any(|fault| fault.contains("a pack need not be nested more than a few tables deep")), "{found:#?}");
    }
    let dotted = format!("{HEAD}{} = 1\n", ["a"; 1000].join("."));
    assert!(!faults(&Files::of([("pack.toml", dotted)]), None).is_empty());
}

#[test]
fn files_of_two_megabytes_are_refused() {
    let large = "#".repeat(2 << 20);
    let message = "it is 2097152 bytes long: a file of a pack may have at most 1048576 (split the data, or take out what is not rules)";
    let files = Files::of([("pack.toml", large.as_str()), ("deck.csv", &large)]);
    assert_eq!(faults(&files, None), [format!("deck.csv 1:1 {message}"), format!("pack.toml 1:1 {message}")]);
    assert_eq!(faults(&Files::of([("pack.toml", HEAD)]), Some(&large)), [format!("tables.toml 1:1 {message}")]);
    assert_eq!(sheet::read_cases(&Files::of([("cases.toml", large)])).unwrap_err().len(), 1);
}

#[test]
fn control_characters_are_found_wherever_a_text_is_shown() {
    let bad = |code: &str| format!("the text holds a control character (\\u{{{code}}}) (take it out: texts are plain)");
    chart(&format!("about = ▸\"a\\u001b[31mred\"\n{DIE}{ROWS}"), &bad("1b"));
    chart(&format!("notes = [ ▸\"a\\u0007\" ]\n{DIE}{ROWS}"), &bad("7"));
    chart(&format!("ask = {{ a = {{ yes_no = ▸\"\\u202eevil\" }} }}\n{DIE}{ROWS}"), &bad("202e"));
    chart(&format!("ask = {{ a = {{ choice = {{ x = ▸\"\\u009b\", y = \"Y\" }} }} }}\n{DIE}{ROWS}"), &bad("9b"));
    rows("{ to = 3, all = \"miss\", label = ▸\"\\u0000\" }, { all = \"hit\" }", &bad("0"));
    chart(&format!("about = ▸\"{}\"\n{DIE}{ROWS}", "x".repeat(2001)), "the text is 2001 bytes long: at most 2000 are shown (shorten it)");
}

/// A pack with a deck of these lines; `▸` in the data or in the field says where the fault is.
#[track_caller]
fn deck(field: &str, data: &str, draw: &str, fault: &str) {
    let text = format!(
        "{HEAD}{RESULTS}[deck.d]\ntitle = \"D\"\nfile = \"d.csv\"\nfield = {{ {field} }}\n[chart.c]\ntitle = \"C\"\nstep = [ {draw} ]\n{ROWS}"
    );
    let (file, marked) = if data.contains('▸') { ("d.csv", data) } else { ("pack.toml", text.as_str()) };
    let (_, line, column) = unmarked(marked);
    let files = Files::of([("pack.toml", text.replace('▸', "")), ("d.csv", data.replace('▸', ""))]);
    only(&faults(&files, None), file, (line, column), fault);
}

#[test]
fn bad_decks_are_found() {
    let (rank, draw) = ("rank = { number = \"Rank\", from = 1, to = 6 }", "{ draw = \"d\", as = \"card\", read = \"rank\" }");
    let marked_draw = "▸{ draw = \"d\", as = \"card\", read = \"rank\" }";
    deck(rank, "▸card,title\n1,One\n2,Two\n", draw, "the file has no column `rank` (add the column to the first line)");
    deck(
        rank,
        "▸card,title,rank,suit\n1,One,1,x\n2,Two,6,x\n",
        draw,
        "the column `suit` is no field of the deck (add it to [deck.….field], or take it out)",
    );
    deck(
        rank,
        "card,title,rank\n1,One,1\n▸2,Two,x\n3,Three,6\n",
        draw,
        "card 2, `rank`: `x` is not a number: write it as 3, -1, 2.5 or 1/2 (mend the cell, or leave it empty)",
    );
    deck(
        rank,
        "card,title,rank\n1,One,1\n▸2,Two,9\n3,Three,6\n",
        draw,
        "card 2, `rank`: `9` is outside what the field allows (mend the cell, or leave it empty)",
    );
    deck(rank, "card,title,rank\n1,One,1\n▸1,Two,6\n", draw, "card 1 is there a second time (number the cards from 1, in order)");
    deck(rank, "card,title,rank\n1,One,1\n▸3,Two,6\n", draw, "card `3` stands where card 2 should be (number the cards from 1, in order)");
    deck(
        rank,
        "card,title,rank\n1,One,1\n▸2,Two\u{1b}[2J,6\n",
        draw,
        "the text holds a control character (\\u{1b}) (take it out: texts are plain)",
    );
    deck(
        rank,
        "card,title,rank\n1,One,1\n▸2,Two,6,7\n",
        draw,
        "card 2 has 4 cells, but the first line has 3 (give each card one cell for each column)",
    );
    deck(rank, "▸card,title,rank\n", draw, "the deck has 0 cards (a deck has 1 to 1000 cards, one line each)");
    deck(
        rank,
        "card,title,rank\n1,One,1\n2,Two,\n3,Three,6\n",
        marked_draw,
        "card 2 of the deck has no `rank` to read (add an again rule for them: again = [ { when = \"….blank\", because = \"…\" } ])",
    );
    let wanting = format!("{HEAD}[deck.d]\ntitle = \"D\"\nfile = ▸\"dek.csv\"\n[chart.c]\ntitle = \"C\"\nread = {{ value = 1 }}\n");
    let (text, line, column) = unmarked(&wanting);
    let files = Files::of([("pack.toml", text.as_str()), ("deck.csv", "card,title\n1,One\n")]);
    only(
        &faults(&files, None),
        "pack.toml",
        (line, column),
        "there is no data file `dek.csv` in the pack's folder (did you mean `deck.csv`?)",
    );
}

#[test]
fn a_card_that_an_again_rule_sends_back_need_not_be_readable() {
    let rows_of = "row = { numbers = \"Row\", from = 1, to = 2 }";
    let data = "card,title,row_1,row_2\n1,One,1,2\n2,Two,6,\n3,Three,4,4\n";
    let draw = |again: &str| format!("{{ draw = \"d\", as = \"card\", read = \"row\", by = \"1 + 1\"{again} }}");
    deck(
        rows_of,
        data,
        &format!("▸{}", draw("")),
        "card 2 of the deck has no `row` to read (add an again rule for them: again = [ { when = \"….blank\", because = \"…\" } ])",
    );
    let once = draw(", again = [ { when = \"card.blank\", because = \"B\", at_most = 1 } ]");
    deck(
        rows_of,
        data,
        &format!("▸{once}"),
        "card 2 of the deck has no `row` to read (add an again rule for them: again = [ { when = \"….blank\", because = \"…\" } ])",
    );
    let pack = format!(
        "{RESULTS}[deck.d]\ntitle = \"D\"\nfile = \"d.csv\"\nfield = {{ {rows_of} }}\n[chart.c]\ntitle = \"C\"\nstep = [ {} ]\n{ROWS}",
        draw(", again = [ { when = \"card.blank\", because = \"B\" } ]")
    );
    assert_eq!(faults(&Files::of([("pack.toml", format!("{HEAD}{pack}").as_str()), ("d.csv", data)]), None), [""; 0]);
}

#[test]
fn user_tables_are_checked_like_any_other() {
    let head = format!("{HEAD}{RESULTS}[user_table.wound]\ntitle = \"Wounds\"\n");
    let chart = format!("[chart.c]\ntitle = \"C\"\n{DIE}read = {{ user_table = \"wound\" }}\n");
    let own = |pack: &str, tables: &str, fault: &str| {
        let (file, marked) = if tables.contains('▸') { (sheet::TABLES_FILE, tables) } else { ("pack.toml", pack) };
        let (_, line, column) = unmarked(marked);
        let files = Files::of([("pack.toml", pack.replace('▸', ""))]);
        only(&faults(&files, Some(&tables.replace('▸', ""))), file, (line, column), fault);
    };
    let pack = format!("{head}results = [\"miss\", \"hit\"]\n{chart}");
    own(&pack, "[table.▸wonud]\nrows = [ { all = \"hit\" } ]\n", "there is no user table `wonud` (did you mean `wound`?)");
    own(
        &pack,
        "[table.wound]\nrows = [ { to = 3, all = ▸\"hitt\" }, { all = \"miss\" } ]\n",
        "there is no result `hitt` (did you mean `hit`?)",
    );
    own(
        &pack,
        "[table.wound]\nrows = [ { to = 3, all = \"hit\" }, ▸{ from = 5, all = \"miss\" } ]\n",
        "there is a gap: scores from 4 up to 5 have no row (move the end of one of the rows)",
    );
    own(
        &pack,
        "[table.wound]\nscore = \"▸dye\"\nrows = [ { to = 3, all = \"hit\" }, { all = \"miss\" } ]\n",
        "there is no name `dye` here (did you mean `die`?)",
    );
    own(&pack, "▸[table.wound]\nrows = []\n", "the table has no rows (add rows = [ { to = 1, all = \"…\" }, … ])");
    own(
        &format!("{head}results = [\"miss\", ▸\"hut\"]\n{chart}"),
        "[table.wound]\nrows = [ { all = \"miss\" } ]\n",
        "there is no result `hut` (did you mean `hit`?)",
    );
    let fixed = format!("{head}results = [\"miss\", \"hit\"]\nscore = \"die\"\n{chart}");
    own(
        &fixed,
        "[table.wound]\nscore = ▸\"die\"\nrows = [ { to = 3, all = \"hit\" }, { all = \"miss\" } ]\n",
        "the pack fixes the score of this table (take score out)",
    );
}

#[test]
fn one_fault_is_not_reported_again_where_its_name_is_used() {
    chart(
        &format!(
            "step = [ {{ throw = ▸\"0d6\", as = \"die\", add = [ {{ label = \"M\", plus = \"die\" }} ] }} ]\nread = {{ value = \"die\" }}\n"
        ),
        "`0d6` cannot be thrown: 0 dice cannot be thrown: 1 to 200 can (write throw = \"2d6\")",
    );
    chart(
        &format!("ask = {{ n = {{ ▸nubmer = \"N\", number = \"N\" }} }}\nread = {{ value = \"n\" }}\n"),
        "`n` has no key `nubmer` (did you mean `number`?)",
    );
}

/// What a folder gives: the names of its files, or its faults.
fn folder(make: impl Fn(&std::path::Path)) -> Result<Vec<String>, Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path());
    let shown = folder.path().display().to_string();
    match Files::from_folder(folder.path()) {
        Ok(files) => Ok(files.names().map(str::to_owned).collect()),
        Err(faults) => Err(faults.iter().map(|fault| fault.to_string().replace(&shown, "FOLDER")).collect()),
    }
}

#[test]
fn folders_are_read_with_care() {
    use std::fs::write;
    let wanted = "(give the folder that holds pack.toml)";
    assert_eq!(folder(|_| ()).unwrap_err(), [format!("FOLDER: there is no pack.toml in it {wanted}")]);
    let missing = Files::from_folder(std::path::Path::new("/nowhere/at/all")).unwrap_err();
    assert!(missing[0].message.starts_with("the folder cannot be read"), "{missing:?}");
    let latin = folder(|at| write(at.join("pack.toml"), b"# Gr\xfc\xdfe").unwrap());
    assert_eq!(latin.unwrap_err(), ["pack.toml: it is not UTF-8 text (byte 4) (save the file as UTF-8 in your editor)"]);
    let large = folder(|at| write(at.join("pack.toml"), vec![b'#'; 2 << 20]).unwrap());
    assert_eq!(
        large.unwrap_err(),
        ["pack.toml: it is 2097152 bytes long: a file of a pack may have at most 1048576 (split the data, or take out what is not rules)"]
    );
    let other = folder(|at| {
        write(at.join("pack.toml"), "\u{feff}[pack]").unwrap();
        write(at.join("a.csv"), "").unwrap();
        write(at.join(".hidden.csv"), b"\xff").unwrap();
        write(at.join("notes.txt"), b"\xff").unwrap();
    });
    assert_eq!(other.unwrap(), ["a.csv", "pack.toml"]);
    let many = folder(|at| (0..40).for_each(|n| write(at.join(format!("{n}.csv")), "").unwrap()));
    assert!(many.unwrap_err()[0].contains("a pack may hold at most 32 files"));
}

#[cfg(unix)]
#[test]
fn links_pipes_and_folders_are_not_opened() {
    let plain = "it is not a plain file (a pack holds plain files only, no links or pipes)";
    let link = folder(|at| std::os::unix::fs::symlink("/etc/passwd", at.join("pack.toml")).unwrap());
    assert_eq!(link.unwrap_err(), [format!("pack.toml: {plain}")]);
    let pipe = folder(|at| assert!(std::process::Command::new("mkfifo").arg(at.join("pack.toml")).status().unwrap().success()));
    assert_eq!(pipe.unwrap_err(), [format!("pack.toml: {plain}")]);
    let inner = folder(|at| std::fs::create_dir(at.join("pack.toml")).unwrap());
    assert_eq!(inner.unwrap_err(), [format!("pack.toml: {plain}")]);
}

#[test]
fn all_faults_are_reported_at_once() {
    let text = r#"
[pack]
id    = "Ten faults"
titel = "Ten"

[option.night]
yes_no   = "Night"
standing = "publik"
origin   = "the book"

[result]
miss = { title = "Miss" }
hit  = { title = "Hit", effects = [ { status = "pined" } ] }

[unit.tank]
title = "Tank"
has   = { armour = { number = "Armour", from = 9, to = 0 } }

[chart.fire]
title = "Fire"
who   = { tank = "tank" }
ask   = { ammo = { choice = { ap = "AP", he = "HE" } } }
step  = [ { throw = "2d6", as = "die", add = [ { label = "Explosive", plus = 1, when = "ammo = 'he'" } ] } ]
read  = { rows = [ { to = 4, all = "mis" }, { from = 6, to = 12, all = "hit" }, { from = 13, all = "hit" } ] }

[chart.rally]
title = "Rally"
step  = [ { throw = "2x6", as = "die" }, { look_up = "rally", as = "l" } ]
read  = { score = "die", rows = [ { to = 4, all = "miss" } ] }
"#;
    let found = faults(&Files::of([("pack.toml", text)]), None).join("\n");
    let wanted = [
        "pack.toml 2:1 [pack] has no `title` (add title = \"…\")",
        "pack.toml 3:9 `Ten faults` is not an id (use small letters, digits and hyphens, at most 64)",
        "pack.toml 4:1 [pack] has no key `titel` (did you mean `title`?)",
        "pack.toml 8:12 there is no standing `publik` (did you mean `public`?)",
        "pack.toml 13:48 there is no status `pined` (none is defined yet)",
        "pack.toml 17:20 `armour` goes from 9 to 0 (from must not be above to)",
        "pack.toml 23:94 a single = does not compare (write == for `is the same as`)",
        "pack.toml 24:36 there is no result `mis` (did you mean `miss`?)",
        "pack.toml 24:45 there is a gap: scores from 5 up to 6 have no row (move the end of one of the rows)",
        "pack.toml 28:21 `2x6` cannot be thrown: dice are written as 2d6, 1d10 or d6 (write throw = \"2d6\")",
        "pack.toml 28:54 this can never end: rally looks up rally (break the circle)",
    ];
    assert_eq!(found, wanted.join("\n"));
}

#[test]
fn the_check_knows_what_dice_can_give() {
    let kept = |more: &str| format!("step = [ {{ throw = \"3d6\", as = \"die\", keep_lowest = 2{more} }} ]\n");
    sound_chart(&format!("{}read = {{ rows = [ {{ is = 2, all = \"miss\" }}, {{ to = 12, all = \"hit\" }} ] }}\n", kept("")));
    sound_chart(&format!(
        "{DIE}read = {{ score = \"die.highest\", rows = [ {{ is = 1, all = \"miss\" }}, {{ from = 2, all = \"hit\" }} ] }}\n"
    ));
    sound_chart(
        "step = [ { throw = \"d6\", count = \"3 / 2\", as = \"die\" } ]\nread = { rows = [ { is = 1, all = \"miss\" }, { to = 6, all = \"hit\" } ] }\n",
    );
    sound_chart(
        "step = [ { throw = \"d6\", count = 1, as = \"die\", add = [ { label = \"A\", dice = 1, best_of = \"x\" }, { label = \"B\", dice = 2, best_of = \"x\" } ] } ]\nread = { rows = [ { is = 1, all = \"miss\" }, { to = 24, all = \"hit\" } ] }\n",
    );
}

#[test]
fn a_step_that_may_be_skipped_counts_as_nothing() {
    let skipped = "ask = { far = { yes_no = \"Far\" } }\nstep = [ { throw = \"1d6\", as = \"die\", when = \"far\" } ]\n";
    sound_chart(&format!("{skipped}read = {{ rows = [ {{ when = \"die.natural == 0\", all = \"miss\" }}, {{ all = \"hit\" }} ] }}\n"));
    sound_chart(&format!("{skipped}read = {{ rows = [ {{ when = \"die.highest == 0\", all = \"miss\" }}, {{ all = \"hit\" }} ] }}\n"));
    sound_chart(&format!("{skipped}read = {{ rows = [ {{ to = 0, all = \"miss\" }}, {{ all = \"hit\" }} ] }}\n"));
}

#[test]
fn a_limit_that_has_no_limit_does_not_bound_the_total() {
    let ratio = "ask = { a = { number = \"A\", from = 0, to = 9 }, b = { number = \"B\", from = 0, to = 9 } }\n";
    let clamp = |key: &str, to: &str| {
        format!(
            "{ratio}step = [ {{ throw = \"1d6\", as = \"die\", {key} = \"a / b\" }} ]\nread = {{ rows = [ {{ to = {to}, all = \"miss\" }}, {{ all = \"hit\" }} ] }}\n"
        )
    };
    sound_chart(&clamp("most", "0"));
    sound_chart(&clamp("least", "6"));
}

#[test]
fn an_again_rule_speaks_of_the_throw_before_its_modifiers() {
    sound_chart(&format!(
        "step = [ {{ throw = \"1d6\", as = \"die\", add = [ {{ label = \"M\", plus = 1 }} ], again = [ {{ when = \"die == 1\", because = \"B\" }} ] }} ]\n{ROWS}"
    ));
}

#[test]
fn a_chart_looked_up_may_yield_nothing() {
    let there = "[chart.there]\ntitle = \"There\"\nstep = [ { throw = \"1d6\", as = \"die\" } ]\nread = { rows = [ { to = 3, all = { value = 5 } }, { all = \"hit\" } ] }\n";
    let here = |when: &str| {
        format!(
            "step = [ {{ look_up = \"there\", as = \"l\" }} ]\nread = {{ rows = [ {{ when = \"{when}\", all = \"miss\" }}, {{ all = \"hit\" }} ] }}\n{there}"
        )
    };
    sound_chart(&here("l.value == 0"));
    sound_chart(&here("l.result == 'none'"));
}

#[test]
fn roles_of_charts_looked_up_must_be_of_their_kind() {
    let there = "[chart.there]\ntitle = \"There\"\nwho = { tank = \"tank\" }\nread = { value = \"tank.armour\" }\n";
    chart(
        &format!(
            "who = {{ man = \"man\" }}\nstep = [ {{ look_up = \"there\", who = {{ ▸tank = \"man\" }}, as = \"l\" }} ]\nread = {{ value = \"l.value\" }}\n{there}"
        ),
        "`tank` takes a unit of kind `tank` (name a role of that kind)",
    );
}

#[test]
fn a_look_up_of_an_again_rule_has_a_name_of_its_own() {
    let there = "[chart.there]\ntitle = \"There\"\nread = { value = 1 }\n";
    chart(
        &format!(
            "step = [ {{ throw = \"1d6\", as = \"die\", again = [ {{ when = \"die == 1\", because = \"B\", look_up = \"there\", as = ▸\"die\" }} ] }} ]\n{ROWS}{there}"
        ),
        "`die` is taken already in this chart (give each step, each input and each look-up a name of its own)",
    );
}

#[test]
fn the_score_that_results_speak_of_is_the_charts_own() {
    let asked = "ask = { ammo = { choice = [\"ap\", \"he\"] } }\n";
    chart(
        &format!(
            "{asked}read = {{ score = \"ammo\", rows = [ {{ all = \"hit\" }} ], also = [ {{ when = \"▸score == 1\", result = \"miss\" }} ] }}\n"
        ),
        "a choice cannot be compared with a number (compare two numbers, two choices or two yes/no values)",
    );
}

#[test]
fn numbers_that_cannot_be_held_are_named_as_such() {
    rows(
        "{ to = ▸0x3, all = \"miss\" }, { all = \"hit\" }",
        "`to` is not a number that can be held exactly (write it as 3, -1, 2.5 or \"1/2\", below a million million)",
    );
    rows(
        "{ to = ▸1e3, all = \"miss\" }, { all = \"hit\" }",
        "`to` is not a number that can be held exactly (write it as 3, -1, 2.5 or \"1/2\", below a million million)",
    );
}

#[test]
fn a_large_table_of_conditions_is_checked_in_bounded_time() {
    let asks: String = (0..7).map(|n| format!("a{n} = {{ number = \"A\", from = 0, to = 3 }}\n")).collect();
    let all = (0..7).map(|n| format!("a{n}")).collect::<Vec<_>>().join(" + ");
    let rows: String = (0..900).map(|n| format!("{{ when = \"{all} == {}\", all = \"hit\" }},", n % 20)).collect();
    let text = format!(
        "{HEAD}{RESULTS}[chart.c]\ntitle = \"C\"\nstep = [ {{ throw = \"1d100\", as = \"die\" }} ]\nread = {{ score = \"die\", rows = [ {rows} {{ all = \"miss\" }} ] }}\n[chart.c.ask]\n{asks}"
    );
    let start = std::time::Instant::now();
    let _ = read_pack(&Files::of([("pack.toml", text)]), None);
    assert!(start.elapsed().as_secs() < 10, "took {:?}", start.elapsed());
}
