#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Every kind of error is reported at its position, with a remedy. `▸` marks the position in the
//! text of a pack.

mod common;

use adjutant_pack::Files;
use common::*;

#[test]
fn only_sides_have_a_deck_of_their_own() {
    let text = format!(
        "{HEAD}[deck.d]\ntitle = \"D\"\nfile = \"d.csv\"\nper = ▸\"unit\"\n[chart.c]\ntitle = \"C\"\nstep = [ {{ draw = \"d\" }} ]\nread = {{ value = \"card.number\" }}\n"
    );
    let (clean, line, column) = unmarked(&text);
    let files = Files::of([("pack.toml", clean.as_str()), ("d.csv", "card,title\n1,One\n")]);
    let found = faults(&files, None);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with(&format!("pack.toml {line}:{column} ")), "{found:?}");
}

#[test]
fn values_by_a_word_are_checked() {
    let units = "[list.part]\nhead = \"Head\"\nlegs = \"Legs\"\n[unit.man]\ntitle = \"Man\"\n\
        [unit.man.has]\nnerve = { number = \"Nerve\" }\n";
    let chart = |by: &str, value: &str, effect: &str| {
        format!(
            "{HEAD}{units}plate = {{ number = \"Plate\", default = 0, by = {by} }}\n\
             [chart.c]\ntitle = \"C\"\nwho = {{ man = \"man\" }}\nask = {{ where = {{ choice = \"part\" }}, sky = {{ choice = [\"blue\", \"red\"] }}, n = {{ number = \"N\" }} }}\n\
             read = {{ value = \"{value}\", text = \"T\", effects = [ {{ add = {effect}, by = 1, on = \"man\" }} ] }}\n"
        )
    };
    let fault = |text: String, fault: &str| {
        let (clean, line, column) = unmarked(&text);
        let found = faults(&Files::of([("pack.toml", clean)]), None);
        only(&found, "pack.toml", (line, column), fault);
    };
    let fine = chart("\"part\"", "man.plate[where] + man.plate['head'] + n", "\"plate[where]\"");
    let sky = " + if(sky == 'blue', 1, 0)";
    assert_eq!(
        faults(&Files::of([("pack.toml", fine.replace(" + n", &format!(" + n{sky}")))]), None),
        [""; 0]
    );
    let one = |value: &str, said: &str| {
        fault(
            chart(
                "\"part\"",
                &format!("{value} + n{sky} + if(where == 'head', 1, 0)"),
                "\"plate[where]\"",
            ),
            said,
        );
    };
    one(
        "▸man.plate",
        "`man.plate` has a value for each of: head, legs (say which: man.plate['head'], or man.plate[…] with a name whose word it is)",
    );
    one(
        "▸man.nerve[where]",
        "`man.nerve` is not a value by a word (leave the brackets out, or add by = \"…\" to the value of the unit)",
    );
    one("man.plate▸[where", "the bracket `[` is not closed (add `]` after the word)");
    fault(chart("▸\"parts\"", "n", "\"nerve\""), "there is no list `parts` (did you mean `part`?)");
    fault(
        chart("▸7", "n", "\"nerve\""),
        "`by` names what each has a value of its own (write by = \"part\" for a list or a chart called part, or by = [\"head\", \"body\"])",
    );
    let effect = |effect: &str, said: &str| {
        fault(chart("\"part\"", &format!("n{sky} + if(where == 'head', 1, 0)"), effect), said);
    };
    effect(
        "▸\"nerve[where]\"",
        "`nerve` is not a value by a word (leave the brackets out, or add by = \"…\" to the value of the unit)",
    );
    effect("▸\"plate[where\"", "the bracket `[` is not closed (add `]` after the word)");
    effect(
        "▸\"plate['arm']\"",
        "these can never be the same: 'arm' is not one of the choice's words (its words are 'head', 'legs')",
    );
}

#[test]
fn unknown_keys_are_found_with_the_nearest_known_one() {
    let known = "did you mean `title`?";
    pack(
        &format!("{RESULTS}[chart.c]\ntitle = \"C\"\n▸titel = \"C\"\n{DIE}{ROWS}"),
        &format!("[chart.c] has no key `titel` ({known})"),
    );
    chart(
        &format!("step = [ {{ roll = \"1d6\", as = \"die\", ▸cuont = 2 }} ]\n{ROWS}"),
        "a step has no key `cuont` (did you mean `count`?)",
    );
    chart(
        &format!(
            "step = [ {{ roll = \"1d6\", as = \"die\", add = [ {{ label = \"M\", plus = 1, ▸wen = \"yes\" }} ] }} ]\n{ROWS}"
        ),
        "a modifier has no key `wen` (did you mean `when`?)",
    );
    pack(
        "[▸rsult]\n[chart.c]\ntitle = \"C\"\nread = { value = 1 }\n",
        "pack.toml has no key `rsult` (did you mean `result`?)",
    );
}

#[test]
fn a_field_that_is_of_no_kind_names_the_key_it_most_likely_meant() {
    let (text, ..) = unmarked(&format!(
        "{HEAD}{RESULTS}[chart.c]\ntitle = \"C\"\nask = {{ near = {{ ▸yes_on = \"Near\" }} }}\n{DIE}{ROWS}"
    ));
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
    when(
        "close && ▸tank.pined",
        "there is no name `tank.pined` here (did you mean `tank.pinned`?)",
    );
    when("▸die.naturl == 1", "there is no name `die.naturl` here (did you mean `die.natural`?)");
    when("ammo == ▸he", "there is no name `he` (a choice's word stands in single quotes: 'he')");
    when(
        "▸option.night",
        "there is no name `option.night` here (there are 21: ammo, close, die, die.again, die.dice, die.die_1, die.doubles, die.filled, die.height, die.highest, …)",
    );
    when("▸mni(1, 2) == 1", "there is no function `mni` (did you mean min(…)?)");
}

#[test]
fn a_name_from_a_later_step_is_not_known_yet() {
    chart(
        &format!(
            "step = [ {{ roll = \"1d6\", as = \"die\", when = \"▸late > 1\" }}, {{ roll = \"1d6\", as = \"late\" }} ]\nread = {{ score = \"die + late\", {}\n",
            &ROWS[9..]
        ),
        "`late` is not known yet at this point (it comes from a later step: put that step first)",
    );
}

#[test]
fn wrong_kinds_in_expressions_are_found() {
    when(
        "▸range",
        "this is a number, but yes or no is wanted here (compare it with a number: name > 0)",
    );
    when(
        "close && ▸range",
        "this is a number, but yes or no is expected here (compare it with a number: name > 0)",
    );
    when(
        "range + ▸close > 2",
        "this is yes or no, but a number is expected here (turn it into a number: if(name, 1, 0))",
    );
    when(
        "▸ammo || close",
        "this is a choice, but yes or no is expected here (compare it with one of its words: name == 'word')",
    );
    when(
        "▸ammo == 'hex'",
        "these can never be the same: 'hex' is not one of the choice's words (its words are 'ap', 'he')",
    );
    when(
        "▸ammo == 3",
        "a choice cannot be compared with a number (compare two numbers, two choices or two yes/no values)",
    );
    when(
        "if(close, 1, ▸no) == 1",
        "one side of this `if` is a number, the other yes or no (both sides must be of one kind)",
    );
}

#[test]
fn expressions_that_cannot_be_read_are_found() {
    when(
        "close ▸&&",
        "something is missing at the end (finish the expression, or leave the key out)",
    );
    when("▸(close", "this bracket is never closed (add a closing bracket)");
    when("range ▸= 3", "a single = does not compare (write == for `is the same as`)");
    when(
        "close ▸range > 2",
        "this does not belong here (join two parts with and, or, +, - or a comparison)",
    );
    when("1 < range ▸< 3", "comparisons cannot be chained (write a < b and b < c)");
    when("ammo == ▸'he", "this quotation mark is never closed (close the choice with a second ')");
    when(
        "range > 3 ▸)",
        "this does not belong here (join two parts with and, or, +, - or a comparison)",
    );
    when("range > ▸)", "a name or a number is expected here (put one in, or take this out)");
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
        &format!("there is a gap: scores of 3 have no row ({mend})"),
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
    rows(
        "{ to = 2, all = \"miss\" }, ▸{ to = 4, all = \"hit\" }",
        "scores from 5 to 6 have no row (add a last row without `to`)",
    );
    rows(
        "{ to = 2, all = \"miss\" }, ▸{ to = 5, all = \"hit\" }",
        "scores of 6 have no row (add a last row without `to`)",
    );
    rows(
        "▸{ from = 2, all = \"miss\" }",
        &format!("there is a gap: scores of 1 have no row ({mend})"),
    );
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
    sound_chart(&format!(
        "{half} {{ below = 2, all = \"miss\" }}, {{ from = 2, all = \"hit\" }} ] }}\n"
    ));
    sound_chart(&format!(
        "{half} {{ to = 2, all = \"miss\" }}, {{ above = 2, all = \"hit\" }} ] }}\n"
    ));
}

#[test]
fn things_that_do_not_exist_are_found() {
    rows(
        "{ to = 3, all = ▸\"mis\" }, { all = \"hit\" }",
        "there is no result `mis` (did you mean `miss`?)",
    );
    rows(
        "{ to = 3, ▸he = \"miss\", all = \"miss\" }, { all = \"hit\" }",
        "there is no column `he` (there are 13: from, to, below, above, is, when, label, text, on, reading, …)",
    );
    chart(
        &format!("step = [ {{ roll = \"1d6\", as = \"die\", reading = ▸\"r\" }} ]\n{ROWS}"),
        "there is no reading `r` (none is defined yet)",
    );
    chart(
        &format!("readings = [▸\"r\"]\n{DIE}{ROWS}"),
        "there is no reading `r` (none is defined yet)",
    );
    chart(
        &format!("needs_option = ▸\"night\"\n{DIE}{ROWS}"),
        "there is no option `night` (none is defined yet)",
    );
    chart(
        &format!("who = {{ tank = ▸\"tnak\" }}\nlands_on = \"tank\"\n{DIE}{ROWS}"),
        "there is no kind of unit `tnak` (did you mean `tank`?)",
    );
    chart(
        &format!("who = {{ tank = \"tank\" }}\nlands_on = ▸\"tanks\"\n{DIE}{ROWS}"),
        "chart `c` has no role `tanks` (did you mean `tank`?)",
    );
    chart(
        &format!("step = [ {{ draw = ▸\"deck\", as = \"die\" }} ]\n{ROWS}"),
        "there is no deck `deck` (none is defined yet)",
    );
    chart(
        &format!("step = [ {{ look_up = ▸\"d\", as = \"die\" }} ]\n{ROWS}")
            .replace("rows", "score = \"die.value\", rows"),
        "there is no chart `d` (there are: c)",
    );
    chart(
        &format!("{DIE}read = {{ user_table = ▸\"t\" }}\n"),
        "there is no user table `t` (none is defined yet)",
    );
    rows(
        "{ to = 3, all = \"miss\", next = [ { chart = ▸\"see\" } ] }, { all = \"hit\" }",
        "there is no chart `see` (there are: c)",
    );
}

#[test]
fn effects_on_nothing_are_found() {
    let on = |effect: &str| {
        format!(
            "who = {{ tank = \"tank\" }}\n{DIE}read = {{ rows = [ {{ to = 3, all = \"miss\" }}, {{ all = \"hit\", effects = [ {effect} ] }} ] }}\n"
        )
    };
    chart(&on("{ status = ▸\"pined\" }"), "there is no status `pined` (did you mean `pinned`?)");
    chart(
        &on("{ status = \"pinned\", on = ▸\"man\" }"),
        "chart `c` has no role `man` (there are: tank)",
    );
    chart(
        &on("{ set = ▸\"armor\", to = 1 }"),
        "there is no attribute `armor` (did you mean `armour`?)",
    );
    chart(
        &on("{ remember = ▸\"alarm\", to = 1 }"),
        "there is no memory `alarm` (none is defined yet)",
    );
    chart(&on("{ reshuffle = ▸\"deck\" }"), "there is no deck `deck` (none is defined yet)");
    chart(&on("{ ▸stats = \"pinned\" }"), "an effect has no key `stats` (did you mean `status`?)");
    chart(
        &on("▸{ when = \"die == 6\" }"),
        "this effect does nothing (give it exactly one of status, lift, set, add, remember, leaves, appear, reshuffle, note)",
    );
    chart(
        &on("▸{ status = \"pinned\" }").replace("who = { tank = \"tank\" }\n", ""),
        "in chart `c` this effect applies to no role (add on = \"role\" to the row, or lands_on = \"role\" to the chart)",
    );
}

#[test]
fn phases_that_do_not_exist_are_found() {
    let rest = format!("{RESULTS}[chart.c]\ntitle = \"C\"\n{DIE}{ROWS}");
    let unit =
        "[unit.tank]\ntitle = \"Tank\"\n[status.pinned]\ntitle = \"Pinned\"\nof = \"tank\"\n";
    pack(
        &format!(
            "{unit}ends = ▸\"ralley\"\n[turn]\nphase = [ {{ id = \"rally\", title = \"Rally\" }} ]\n{rest}"
        ),
        "there is no phase `ralley` (did you mean `rally`?)",
    );
    pack(
        &format!(
            "[turn]\nphase = [ {{ id = \"rally\", title = \"Rally\", charts = [▸\"d\"] }} ]\n{rest}"
        ),
        "there is no chart `d` (there are: c)",
    );
}

#[test]
fn a_choice_without_a_column_and_a_column_without_a_cell_are_found() {
    let asked = format!("ask = {{ ammo = {{ choice = [\"ap\", \"he\"] }} }}\n{DIE}");
    chart(
        &format!(
            "{asked}read = {{ column = \"ammo\", rows = [ ▸{{ to = 3, ap = \"miss\" }}, {{ all = \"hit\" }} ] }}\n"
        ),
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
        "a number chooses the column, but no row names a column (write headings for numbers in the rows, \"0-2\" = … and \"3+\" = …, or make words of the number: if(n > 3, 'far', 'near'))",
    );
    chart(
        &format!("{DIE}ask = {{ ammo = {{ choice = ▸[\"ap\"] }} }}\n{ROWS}"),
        "a choice has 1 words (a choice has 2 to 100: choice = { ap = \"AP\", he = \"HE\" })",
    );
    chart(
        &format!(
            "{asked}read = {{ score = \"ammo\", rows = [ ▸{{ is = \"ap\", all = \"miss\" }} ] }}\n"
        ),
        "there is no row for he (add a row is = \"…\" for each, or a last row without one)",
    );
    chart(
        &format!(
            "{asked}read = {{ score = \"ammo\", rows = [ {{ is = ▸\"hee\", all = \"miss\" }}, {{ all = \"hit\" }} ] }}\n"
        ),
        "there is no word of the score `hee` (did you mean `he`?)",
    );
}

#[test]
fn a_step_whose_one_word_is_misspelt_is_told_the_word() {
    chart(
        &format!("step = [ {{ ▸rlol = \"1d6\", as = \"die\" }} ]\n{ROWS}"),
        "a step has no key `rlol` (did you mean `roll`?)",
    );
    chart(
        &format!("step = [ ▸{{ as = \"die\" }} ]\n{ROWS}"),
        "this step does nothing (give a step exactly one of roll, draw, ask, look_up or work_out)",
    );
    chart(
        &format!("{DIE}read = ▸\"die\"\n"),
        "`read` is a text, but a table is expected here (write read = { … })",
    );
}

#[test]
fn what_players_read_is_not_empty() {
    pack(
        &format!("{RESULTS}[chart.c]\ntitle = ▸\"\"\n{DIE}{ROWS}"),
        "`title` is empty (write title = \"…\")",
    );
    let step =
        "step = [ { roll = \"1d6\", as = \"die\", add = [ { label = ▸\" \", plus = 1 } ] } ]\n";
    chart(&format!("{step}{ROWS}"), "`label` is empty (write label = \"…\")");
}

#[test]
fn a_division_by_nothing_is_found() {
    when("range / ▸0 > 1", "nothing can be divided by 0 (divide by something else)");
}

#[test]
fn what_is_added_to_dice_is_a_modifier() {
    chart(
        &format!("step = [ {{ roll = ▸\"1d6+2\", as = \"die\" }} ]\n{ROWS}"),
        "`1d6+2` cannot be rolled: dice are written as 2d6, 1d10 or d6 \
         (write roll = \"2d6\", and what is added as add = [ { label = \"…\", plus = 1 } ])",
    );
}

#[test]
fn dice_that_cannot_be_rolled_are_found() {
    let dice = |text: &str, why: &str| {
        let fault = format!("`{text}` cannot be rolled: {why} (write roll = \"2d6\")");
        chart(&format!("step = [ {{ roll = ▸\"{text}\", as = \"die\" }} ]\n{ROWS}"), &fault);
    };
    dice("0d6", "0 dice cannot be rolled: 1 to 200 can");
    dice("500d6", "500 dice cannot be rolled: 1 to 200 can");
    dice("2d1", "there is no die with 1 sides here: 2 to 1000 sides can be rolled");
    dice("2x6", "dice are written as 2d6, 1d10 or d6");
    chart(
        "step = [ { roll = ▸\"d6\", count = \"0 - 3\", as = \"die\" } ]\nread = { rows = [ { all = \"hit\" } ] }\n",
        "so many dice can never be rolled (the number of dice must lie between 0 and 200)",
    );
}

#[test]
fn a_d66_is_two_digits() {
    let rows =
        "read = { score = \"die\", rows = [ { to = 36, all = \"miss\" }, { all = \"hit\" } ] }\n";
    for text in ["d66", "1d66", "D66"] {
        sound(&format!(
            "{RESULTS}[chart.c]\ntitle = \"C\"\nstep = [ {{ roll = \"{text}\" }} ]\n{rows}"
        ));
    }
    let rows =
        "read = { score = \"die\", rows = [ { to = 10, all = \"miss\" }, { all = \"hit\" } ] }\n";
    chart(
        &format!("step = [ {{ roll = \"d66\" }} ]\n{}", rows.replace("{ to", "▸{ to")),
        "no input can reach this row (the score lies between 11 and 66, and earlier rows come first)",
    );
}

#[test]
fn on_beside_result_of_is_refused() {
    let why = "`on` does nothing beside `result_of`: the chart that is looked up says which role its result applies to (take `on` out)";
    let there = "[chart.there]\ntitle = \"There\"\nread = { rows = [ { all = \"hit\" } ] }\n";
    let with = |rows: &str| {
        format!(
            "who = {{ man = \"man\" }}\nask = {{ far = {{ yes_no = \"Far\" }} }}\nstep = [ {{ look_up = \"there\", as = \"l\" }} ]\nread = {{ rows = [ {rows} ] }}\n{there}"
        )
    };
    let other = "{ when = \"far\", all = \"miss\" }, ";
    chart(&with(&format!("{other}{{ all = {{ result_of = \"l\", on = ▸\"man\" }} }}")), why);
    chart(&with(&format!("{other}{{ on = ▸\"man\", all = {{ result_of = \"l\" }} }}")), why);
}

#[test]
fn a_fault_in_the_tables_of_the_cases_has_its_true_place() {
    let pack = format!(
        "{HEAD}{RESULTS}[user_table.t]\ntitle = \"T\"\nask = \"What does it say?\"\nresults = [\"miss\", \"hit\"]\nscore = \"die\"\n\
         [chart.c]\ntitle = \"C\"\n{DIE}read = {{ user_table = \"t\" }}\n"
    );
    // Characters of two, three and four bytes come before the table.
    let (cases, line, column) = unmarked(
        "# é – 🎲\n[[case]]\nname = \"Größe – ½\"\nchart = \"c\"\ndice = [1]\ntables = true\nexpect = { result = \"miss\" }\n\
         [table.t]\nrows = [ { to = 3, all = \"miss\" }, { all = ▸\"hti\" } ]\n",
    );
    let files = Files::of([("pack.toml", pack), ("cases.toml", cases.clone())]);
    let tables = adjutant_pack::read_cases(&files).unwrap().tables.unwrap();
    assert_eq!(tables.len(), cases.len());
    let found = adjutant_pack::read_pack(&files, Some(&tables)).unwrap_err();
    let places: Vec<(usize, usize)> =
        found.iter().map(|fault| fault.line_and_column(&cases)).collect();
    assert_eq!(places, [(line, column)], "{found:?}");
}

#[test]
fn chains_that_never_end_are_found() {
    let look = |id: &str, other: &str| {
        format!(
            "[chart.{id}]\ntitle = \"C\"\nstep = [ {{ look_up = {other}, as = \"l\" }} ]\nread = {{ value = \"l.value\" }}\n"
        )
    };
    pack(
        &format!("{}{}", look("a", "\"b\""), look("b", "▸\"a\"")),
        "this can never end: a looks up b looks up a (break the circle)",
    );
    pack(&look("a", "▸\"a\""), "this can never end: a looks up a (break the circle)");
    let now = |id: &str, next: &str| {
        format!(
            "[chart.{id}]\ntitle = \"C\"\nread = {{ rows = [ {{ all = \"go\", next = [ {next} ] }} ] }}\n"
        )
    };
    let go = "[result.go]\ntitle = \"Go\"\n";
    let endless = "can never end (let one of its results be without a follow-up)";
    pack(
        &now("▸a", "{ chart = \"a\", now = true }").replacen("[chart", &format!("{go}[chart"), 1),
        &format!("the chain of charts from `a` {endless}"),
    );
    pack(
        &now("▸a", "{ chart = \"a\", now = true, when = \"yes\" }").replacen(
            "[chart",
            &format!("{go}[chart"),
            1,
        ),
        &format!("the chain of charts from `a` {endless}"),
    );
    sound(&format!("{go}{}", now("a", "{ chart = \"a\" }")));
    sound(&format!(
        "{go}[memory.m]\nyes_no = \"M\"\n{}",
        now("a", "{ chart = \"a\", now = true, when = \"memory.m\" }")
    ));
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
fn a_follow_up_for_a_unit_that_its_result_takes_away_is_found() {
    let ground = "[status.wreck]\ntitle = \"Wreck\"\nof = \"tank\"\nout = true\n[status.stuck]\ntitle = \"Stuck\"\nof = \"tank\"\nstops = [\"burn\"]\n\
                  [chart.burn]\ntitle = \"Burn\"\nwho = { tank = \"tank\", by = \"tank\" }\nlands_on = \"tank\"\nstep = [ { roll = \"1d6\", as = \"die\" } ]\nread = { rows = [ { all = \"hit\" } ] }\n\
                  [chart.shot]\ntitle = \"Shot\"\nwho = { tank = \"tank\" }\nstep = [ { roll = \"1d6\", as = \"die\" } ]\nread = { rows = [ { to = 3, all = \"miss\" }, { all = \"hit\" } ] }\n\
                  [result.miss]\ntitle = \"Miss\"\nof = \"tank\"\n";
    let hit = |effects: &str, next: &str| {
        format!(
            "{UNITS}{ground}[result.hit]\ntitle = \"Hit\"\nof = \"tank\"\neffects = [ {effects} ]\nnext = [ {next} ]\n"
        )
    };
    let burn = |more: &str| {
        format!(
            "▸{{ chart = \"burn\", why = \"W\", who = {{ tank = \"it\" }}, when = \"score < 9\"{more} }}"
        )
    };
    let add_now = "add now = true to the follow-up";
    pack(
        &hit("{ status = \"wreck\" }", &burn("")),
        &format!(
            "`hit` puts on `wreck`, which rules its unit out, so `burn` would never be rolled ({add_now})"
        ),
    );
    pack(
        &hit("{ status = \"stuck\" }", &burn("")),
        &format!(
            "`hit` puts on `stuck`, which rules its unit out, so `burn` would never be rolled ({add_now})"
        ),
    );
    let instead = "put on a status with out = true instead of `leaves`, and add now = true to the follow-up; or, if only one of the two can happen, give each a row of its own";
    pack(
        &hit("{ leaves = \"gone\" }", &burn(", now = true")),
        &format!("`hit` takes its unit off the table, so `burn` would never be rolled ({instead})"),
    );
    // Valid: at once, on a condition, lifted again, for other units, or in a role that the chart
    // does not use.
    let bare = |more: &str| burn(more).replace('▸', "");
    sound(&hit("{ status = \"wreck\" }", &bare(", now = true")));
    sound(&hit("{ status = \"wreck\", when = \"score > 5\" }", &bare("")));
    sound(&hit("{ status = \"wreck\" }, { lift = \"wreck\" }", &bare("")));
    sound(&hit(
        "{ leaves = \"gone\" }",
        "{ chart = \"burn\", why = \"W\", for = \"group\", of = \"it\", role = \"tank\" }",
    ));
    sound(&hit(
        "{ leaves = \"gone\" }",
        "{ chart = \"burn\", why = \"W\", who = { by = \"it\" } }",
    ));
    // The same in a row.
    let row = "[chart.▸ram]\ntitle = \"Ram\"\nwho = { tank = \"tank\" }\nread = { rows = [ { all = \"miss\", effects = [ { status = \"wreck\" } ], next = [ { chart = \"burn\", why = \"W\", who = { tank = \"tank\" } } ] } ] }\n";
    pack(
        &format!("{}{row}", hit("{ status = \"pinned\" }", "")),
        &format!(
            "a row puts on `wreck`, which rules its unit out, so its follow-up `burn` would never be rolled ({add_now})"
        ),
    );
}

#[test]
fn too_many_look_ups_are_found() {
    let step = |at: usize| {
        (0..8)
            .map(|n| format!("{{ look_up = \"c{}\", as = \"l{n}\" }}", at + 1))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut text = String::new();
    for at in 0..4 {
        text += &format!(
            "[chart.{}c{at}]\ntitle = \"C\"\nstep = [ {} ]\nread = {{ value = 1 }}\n",
            if at == 1 { "▸" } else { "" },
            step(at)
        );
    }
    text += "[chart.c4]\ntitle = \"C\"\nread = { value = 1 }\n";
    pack(
        &text,
        "the chart sets off more than 500 look-ups (look up fewer charts, or join some of them)",
    );
}

#[test]
fn again_rules_that_always_or_never_hold_are_found() {
    let again = |rules: &str| {
        format!("step = [ {{ roll = \"1d6\", as = \"die\", again = [ {rules} ] }} ]\n{ROWS}")
    };
    let mend = "(say when it is made again, or add at_most = 1)";
    chart(
        &again("{ when = ▸\"yes\", because = \"B\" }"),
        &format!("this would never end: the rule always holds {mend}"),
    );
    chart(
        &again("{ when = ▸\"die.natural >= 1\", because = \"B\" }"),
        &format!("this would never end: the rule always holds {mend}"),
    );
    chart(
        &again(
            "{ when = \"die < 4\", because = \"B\" }, { when = ▸\"die >= 4\", because = \"B\" }",
        ),
        "this would never end: one of the rules always holds (let some roll be read, or add at_most = 1)",
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
        "step = [ {{ roll = \"1d6\", as = \"die\", add = [ {{ label = \"M\", plus = 1, when = ▸\"die.natural > 6\" }} ] }} ]\n{ROWS}"
    );
    chart(&add, &format!("the modifier `M` can never count {mend}"));
    let step = "step = [ { roll = \"1d6\", as = \"die\" }, { roll = \"1d6\", as = \"more\", when = ▸\"die == 7\" } ]\nread = { value = \"die + more\" }\n";
    chart(step, &format!("this step can never happen {mend}"));
    let also = format!(
        "{DIE}read = {{ rows = [ {{ all = \"hit\" }} ], also = [ {{ when = ▸\"die < 1\", result = \"miss\" }} ] }}\n"
    );
    chart(&also, &format!("this line can never hold {mend}"));
}

#[test]
fn a_band_of_an_also_line_is_found() {
    let also = format!(
        "{DIE}read = {{ rows = [ {{ all = \"hit\" }} ], also = [ {{ ▸from = 3, result = \"miss\" }} ] }}\n"
    );
    chart(
        &also,
        "an also line has no key `from` (there are: when, result, on, label, text, reading, effects, next)",
    );
}

#[test]
fn charts_without_rows_and_packs_without_charts_are_found() {
    chart(
        &format!("{DIE}read = ▸{{ rows = [] }}\n"),
        "the chart has no rows (add rows = [ { to = 4, all = \"…\" }, { all = \"…\" } ])",
    );
    chart(
        &format!("{DIE}read = ▸{{ unit = \"cm\" }}\n"),
        "the chart yields nothing (add rows, a value or a user_table)",
    );
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
fn one_fault_is_not_reported_again_where_its_name_is_used() {
    chart(
        "step = [ { roll = ▸\"0d6\", as = \"die\", add = [ { label = \"M\", plus = \"die\" } ] } ]\nread = { value = \"die\" }\n",
        "`0d6` cannot be rolled: 0 dice cannot be rolled: 1 to 200 can (write roll = \"2d6\")",
    );
    chart(
        "ask = { n = { ▸nubmer = \"N\", number = \"N\" } }\nread = { value = \"n\" }\n",
        "`n` has no key `nubmer` (did you mean `number`?)",
    );
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
            "step = [ {{ roll = \"1d6\", as = \"die\", again = [ {{ when = \"die == 1\", because = \"B\", look_up = \"there\", as = ▸\"die\" }} ] }} ]\n{ROWS}{there}"
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
fn what_nothing_uses_is_told() {
    let chart = format!("[chart.c]\ntitle = \"C\"\n{DIE}{ROWS}");
    let unused = |lines: &str, fault: &str| pack(&format!("{RESULTS}{chart}{lines}"), fault);
    unused(
        "[result.▸spare]\ntitle = \"Spare\"\n",
        "no chart ever gives the result `spare` (use it in a row, or take it out)",
    );
    unused(
        "[option.▸fog]\nyes_no = \"Fog\"\nstanding = \"house\"\norigin = \"Ours\"\n",
        "nothing asks for the option `fog` (name it as option.… in a condition, or take it out)",
    );
    unused(
        "[memory.▸wind]\nyes_no = \"Wind\"\n",
        "nothing reads or sets the memory `wind` (use it as memory.…, or take it out)",
    );
    unused(
        "[reading.▸loose]\ntext = \"Loose\"\n",
        "nothing rests on the reading `loose` (name it in a chart's readings, a step, a modifier or a row)",
    );
}

#[test]
fn enemies_are_two_roles_of_the_chart() {
    let who = "who = { a = \"man\", b = \"man\" }\nlands_on = \"a\"\n";
    chart(
        &format!("{who}enemies = {{ b = ▸\"b\" }}\n{DIE}{ROWS}"),
        "`b` cannot be an enemy of itself (name another role of the chart)",
    );
    chart(
        &format!("{who}enemies = {{ b = ▸\"c\" }}\n{DIE}{ROWS}"),
        "chart `c` has no role `c` (there are: a, b)",
    );
}

#[test]
fn whom_a_chart_is_for_depends_on_the_unit() {
    let asks = "ask = { near = { yes_no = \"Near\" }, a.hid = { yes_no = \"Hid\" } }\n";
    let who = "who = { a = \"tank\", b = \"tank\" }\nlands_on = \"a\"\n";
    let read = "read = { score = \"if(near or a.hid, die, 1)\", rows = [ { to = 3, all = \"miss\" }, { all = \"hit\" } ] }\n";
    let only = |role: &str, rest: &str| {
        format!("{who}{asks}only = {{ {role} = {{ {rest} }} }}\n{DIE}{read}")
    };
    let alone = "whom a chart is for depends on the unit's own values and statuses, on questions without a role, on options and on memory (speak of `a` only: a.…)";
    for when in ["die > 3", "b.armour > 3", "a.hid"] {
        chart(&only("a", &format!("when = ▸\"{when}\", label = \"tanks\"")), alone);
    }
    chart(
        &only("▸c", "when = \"near\", label = \"tanks\""),
        "chart `c` has no role `c` (there are: a, b)",
    );
    chart(
        &only("a", "when = \"▸a.armor > 3\", label = \"tanks\""),
        "there is no name `a.armor` here (did you mean `a.armour`?)",
    );
}

#[test]
fn a_suggestion_shows_no_control_characters_of_other_names() {
    use adjutant_pack::{Noun, UnknownName};
    use adjutant_wording::en::unknown_name::suggestion;
    assert_eq!(
        suggestion(&UnknownName::new(Noun::Chart, "hunter", ["\0", "\0.dice"])),
        "there are: , .dice"
    );
    assert_eq!(
        suggestion(&UnknownName::new(Noun::Chart, "flanks", ["flank\0"])),
        "did you mean `flank`?"
    );
}

#[test]
fn a_role_that_is_called_it_is_refused() {
    let rows = "read = { rows = [ { all = \"hit\", effects = [ { set = \"armour\", to = \"it.armour - 1\" } ] } ] }\n";
    chart(
        &format!("who = {{ ▸it = \"tank\" }}\n{DIE}{rows}"),
        "`it` has a meaning of its own in expressions (choose another name)",
    );
}

#[test]
fn format_license_web_page_and_language_of_a_pack_are_looked_at() {
    let text = "[pack]\nid = \"p\"\ntitle = \"P\"\nformat = 1\nlicense = \"MIT License\"\nurl = \"example.org\"\nlanguage = \"en_GB\"\n[chart.c]\ntitle = \"C\"\nread = { value = 1 }\n";
    assert_eq!(
        faults(&Files::of([("pack.toml", text)]), None),
        [
            "pack.toml 4:10 this pack has the format 1, and this program reads format 2 (write format = 2, or use the version of Adjutant that the pack was made for)",
            "pack.toml 5:11 `MIT License` does not have the form of an SPDX license (write an id of https://spdx.org/licenses, such as \"CC-BY-4.0\" or \"MIT OR Apache-2.0\")",
            "pack.toml 6:7 `example.org` is not the address of a web page (write the whole address, such as \"https://example.org/my-game\")",
            "pack.toml 7:12 `en_GB` does not have the form of a language tag (write a tag such as \"en\", \"de\" or \"pt-BR\")",
        ]
    );
    let sound = text
        .replace("format = 1", "format = 2")
        .replace("MIT License", "CC-BY-4.0")
        .replace("example.org", "https://example.org")
        .replace("en_GB", "en-GB");
    let pack = adjutant_pack::read_pack(&Files::of([("pack.toml", sound)]), None).unwrap();
    assert_eq!(
        (pack.license(), pack.url(), pack.language()),
        ("CC-BY-4.0", "https://example.org", "en-GB")
    );
}

#[test]
fn terms_are_short_and_each_is_explained_once() {
    let long = "x".repeat(401);
    pack(
        "[term]\na = { title = \"A\", text = \"One\" }\nb = { title = ▸\"A\", text = \"Two\" }\n[chart.c]\ntitle = \"A\"\nread = { value = 1 }\n",
        "the term `A` is explained twice (explain it once: join the two texts)",
    );
    pack(
        &format!(
            "[term]\na = {{ title = \"A\", text = ▸\"{long}\" }}\n[chart.c]\ntitle = \"A\"\nread = {{ value = 1 }}\n"
        ),
        "the text of a term has 401 characters: at most 400 are allowed (a sentence or two are enough: the rest belongs in `about` or `notes` of a chart)",
    );
    pack(
        "[term]\n▸dr-2 = { text = \"Two\" }\n[chart.c]\ntitle = \"A\"\nread = { value = 1 }\n"
            .replace("▸dr-2 = {", "dr-2 = ▸{")
            .as_str(),
        "[term.dr-2] has no `title` (add title = \"…\")",
    );
}

#[test]
fn a_term_that_no_text_uses_is_a_warning() {
    let text = format!(
        "{HEAD}[term]\na = {{ title = \"DR\", text = \"Two dice\" }}\nb = {{ title = \"Rep\", text = \"Reputation\" }}\n[chart.c]\ntitle = \"A DR, and a report\"\nread = {{ value = 1 }}\n"
    );
    let files = Files::of([("pack.toml", text)]);
    let pack = adjutant_pack::read_pack(&files, None).unwrap();
    assert_eq!(pack.terms()[1].title, "Rep");
    let codes: Vec<&str> =
        adjutant_pack::warnings(&files).iter().map(|warning| warning.problem.code()).collect();
    assert_eq!(codes, ["unused-term"], "`Rep` is not a word of `report`");
}

#[test]
fn a_formula_that_is_hard_to_read_wants_words() {
    let codes = |step: &str, value: &str| {
        let text = format!(
            "{HEAD}[chart.c]\ntitle = \"C\"\nask = {{ a = {{ number = \"A\" }}, b = {{ number = \"B\" }} }}\nstep = [ {{ work_out = \"max(a, b)\", as = \"s\"{step} }} ]\nread = {{ value = \"{value}\" }}\n"
        );
        let files = Files::of([("pack.toml", text)]);
        let warned = adjutant_pack::warnings(&files);
        warned.iter().map(|warning| warning.problem.code()).collect::<Vec<_>>()
    };
    assert_eq!(codes("", "s"), ["formula-without-text"]);
    assert_eq!(codes(", text = \"The greater of A and B\"", "s"), [""; 0]);
    assert_eq!(codes(", sheet = false", "s"), [""; 0]);
    assert_eq!(codes(", sheet = false", "s - a"), [""; 0], "one sign between two names");
    assert_eq!(codes(", sheet = false", "s - a * b"), ["formula-without-text"]);
}

#[test]
fn ends_of_rows_and_rules_for_single_dice_want_words_too() {
    let codes = |roll: &str, row: &str| {
        let text = format!(
            "{HEAD}{RESULTS}[chart.c]\ntitle = \"C\"\nask = {{ a = {{ number = \"A\" }}, b = {{ number = \"B\" }} }}\nstep = [ {{ roll = \"2d6\", as = \"die\"{roll} }} ]\nread = {{ rows = [ {{ {row}, all = \"miss\" }}, {{ all = \"hit\" }} ] }}\n"
        );
        let files = Files::of([("pack.toml", text)]);
        let warned = adjutant_pack::warnings(&files);
        warned.iter().map(|warning| warning.problem.code()).collect::<Vec<_>>()
    };
    let hard = ["formula-without-text"];
    assert_eq!(codes("", "to = \"floor(a / 2)\""), [""; 0]);
    assert_eq!(codes("", "to = \"floor((a + b) / 2)\""), hard);
    assert_eq!(codes("", "to = \"floor((a + b) / 2)\", text = \"Half of both\""), [""; 0]);
    assert_eq!(codes(", each = \"if(face == 6, 2, 1)\"", "to = 3"), [""; 0]);
    let each = ", each = \"if(face == 6, 2, if(face >= a, 1, 0))\"";
    assert_eq!(codes(each, "to = 3"), hard);
    assert_eq!(codes(&format!("{each}, text = \"Sixes count twice\""), "to = 3"), [""; 0]);
    assert_eq!(codes(", keep_highest = \"max(a, b)\"", "to = 3"), hard);
    let again = ", again = [{ when = \"die < a or die > b\", at_most = 1";
    assert_eq!(codes(&format!("{again} }}]"), "to = 3"), hard);
    assert_eq!(codes(&format!("{again}, because = \"Too far\" }}]"), "to = 3"), [""; 0]);
}

#[test]
fn harm_symbols_and_short_labels_are_looked_at() {
    let text = format!(
        "{HEAD}[unit.tank]\ntitle = \"Tank\"\nsymbol = \"armor\"\n[unit.tank.has]\na = {{ number = \"A\", short = \"A\" }}\nb = {{ number = \"B\", short = \"A\" }}\nc = {{ number = \"C\", short = \"Far too long\" }}\nd = {{ label = \"D\", choice = {{ big = \"Big\", wee = \"Wee\" }}, symbols = {{ big = \"armoured\", bog = \"armour\" }}, shorts = {{ wee = \"Not short enough\", wae = \"W\" }} }}\n[unit.ship]\ntitle = \"Ship\"\nsymbol = \"M0 0<\"\n[status.hit]\ntitle = \"Hit\"\nof = \"tank\"\nharm = 4\n[chart.c]\ntitle = \"C\"\nread = {{ value = 1 }}\n"
    );
    let found = faults(&Files::of([("pack.toml", text)]), None);
    let parts = [
        "`armor` (did you mean `armour`?)",
        "two attributes of this unit have the short label `A`",
        "a short label has 1 to 8 characters, and this one has 12",
        "`armoured` (did you mean `armour`?)",
        "there is no word of `d` `bog`",
        "a short label has 1 to 8 characters, and this one has 16",
        "there is no word of `d` `wae`",
        "`M0 0<` cannot be drawn as a path",
        "`harm` is 4: it goes from 0 to 3",
    ];
    assert_eq!(found.len(), parts.len(), "{found:#?}");
    for (fault, part) in found.iter().zip(parts) {
        assert!(fault.contains(part), "{fault}");
    }
}

#[test]
fn only_attributes_have_short_labels() {
    chart(
        &format!("ask = {{ near = {{ yes_no = \"Near\", ▸short = \"N\" }} }}\n{DIE}{ROWS}"),
        "`near` has no key `short` (there are: yes_no, choice, number, label, from, to, step, default, note, count)",
    );
}
