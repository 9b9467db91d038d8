#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Errors in tables: bounds that are worked out, headings, CSV files, pages, shifts.

mod common;

use adjutant_pack::{Files, read_pack};
use common::*;

const ASKS: &str = "ask = { skill = { number = \"Skill\", from = 1, to = 9 }, range = { number = \"Range\", from = 0, to = 9 }, gun = { choice = [\"light\", \"heavy\"] } }\n";

/// The errors of a chart that reads this CSV file, with these lines in `read`.
fn table(csv: &str, read: &str) -> Vec<String> {
    let text = format!(
        "{HEAD}{RESULTS}{UNITS}[chart.c]\ntitle = \"C\"\n{ASKS}{DIE}[chart.c.read]\nrows = \"t.csv\"\nscore = \"die\"\nvalue = \"range + skill + if(gun == 'light', 1, 0)\"\n{read}"
    );
    faults(&Files::of([("pack.toml", text), ("t.csv", csv.to_owned())]), None)
}

#[track_caller]
fn fault(csv: &str, read: &str, place: &str, fault: &str) {
    assert_eq!(table(csv, read), [format!("{place} {fault}")]);
}

#[test]
fn a_row_with_a_worked_out_end_needs_an_open_row_at_the_end() {
    chart(
        &format!(
            "{ASKS}{DIE}read = {{ value = \"range + if(gun == 'light', 1, 0)\", rows = [ {{ to = \"skill\", all = \"hit\" }}, ▸{{ to = 9, all = \"miss\" }} ] }}\n"
        ),
        "it is not said what holds when none of these conditions does (add a last row without `when`)",
    );
    chart(
        &format!(
            "{ASKS}{DIE}read = {{ rows = [ {{ to = \"▸skil\", all = \"hit\" }}, {{ all = \"miss\" }} ] }}\n"
        ),
        "there is no name `skil` here (did you mean `skill`?)",
    );
    chart(
        &format!(
            "{ASKS}{DIE}read = {{ rows = [ {{ to = \"▸skill > 3\", all = \"hit\" }}, {{ all = \"miss\" }} ] }}\n"
        ),
        "this is yes or no, but a number is wanted here (turn it into a number: if(name, 1, 0))",
    );
    chart(
        &format!(
            "{ASKS}{DIE}read = {{ rows = [ {{ to = ▸\"skill\", below = 3, all = \"hit\" }}, {{ all = \"miss\" }} ] }}\n"
        ),
        "the band has the same end twice (keep one of from and above, one of to and below, or `is` alone)",
    );
}

#[test]
fn headings_stand_in_rows_and_columns_of_the_pack() {
    sound(&format!(
        "{RESULTS}[chart.c]\ntitle = \"C\"\nask = {{ range = {{ number = \"Range\", from = 0, to = 9 }} }}\n{DIE}\
         read = {{ column = \"range\", rows = [ {{ is = \"<=2\", all = \"miss\" }}, {{ is = \"3-4\", 0-2 = \"hit\", \"3+\" = \"miss\" }}, {{ is = \"5+\", all = \"hit\" }} ] }}\n"
    ));
    rows(
        "{ is = \"1-2\", all = \"miss\" }, ▸{ is = \"4+\", all = \"hit\" }",
        "there is a gap: scores of 3 have no row (move the end of one of the rows)",
    );
    chart(
        "ask = { range = { number = \"Range\", from = 0, to = 9 } }\nstep = [ { roll = \"1d6\", as = \"die\" } ]\n\
         read = { column = \"range\", rows = [ { ▸near = \"hit\", all = \"miss\" } ] }\n",
        "a number chooses the column, but the heading `near` is a word (write headings such as 4, 6-8, 12+, <=3 or 3:1, or make words of the number: if(n > 3, 'far', 'near'))",
    );
}

#[test]
fn every_number_has_a_row_a_column_and_a_page() {
    fault(
        "die,0-4,5-8\n1-6,hit,miss\n",
        "column = \"range\"\n",
        "pack.toml 23:10",
        "the number 9 has no column (add a heading, give one an open end (<=3, 12+), or keep the number within the table: max(1/2, …))",
    );
    fault(
        "die,x\n1-3,hit\n5+,miss\n",
        "",
        "t.csv 3:1",
        "the number 4 has no row (add a row, or give a heading an open end: <=3, 12+)",
    );
    fault(
        "die,x\n1-3,hit\n3+,miss\n",
        "",
        "t.csv 3:1",
        "the row `3+` is for numbers of another row as well (change one of the two headings)",
    );
    fault(
        "gun,die,x\nlight,1+,hit\n",
        "page = \"gun\"\n",
        "pack.toml 23:8",
        "the table has no page for heavy (add a page with this heading for each)",
    );
    fault(
        "gun,die,x\nlight,1+,hit\nhaevy,1+,hit\n",
        "page = \"gun\"\n",
        "t.csv 3:1",
        "there is no page `haevy` (did you mean `heavy`?)",
    );
    fault(
        "gun,die,x\nlight,1-5,hit\n,6,hit\nheavy,1-5,hit\n",
        "page = \"gun\"\n",
        "t.csv 4:7",
        "the number 6 has no row (add a row, or give a heading an open end: <=3, 12+)",
    );
    fault(
        "die,1:1,2:1\n1-6,hit,miss\n",
        "column = \"(range + 1) / skill\"\n",
        "pack.toml 23:10",
        "numbers from 1/9 up to 1 have no column (add a heading, give one an open end (<=3, 12+), or keep the number within the table: max(1/2, …))",
    );
}

#[test]
fn rows_of_a_file_stand_in_any_order() {
    assert_eq!(table("die,x\n5+,hit\n<=2,miss\n3-4,miss\n", ""), [""; 0]);
    assert_eq!(
        table("gun,die,x\nlight,5+,hit\n,<5,miss\nheavy,1+,miss\n", "page = \"gun\"\n"),
        [""; 0]
    );
}

#[test]
fn a_cell_is_a_number_a_result_or_a_code() {
    fault(
        "die,x\n1-3,hit\n4+,A2\n",
        "",
        "t.csv 3:4",
        "the cell `A2` is not a number, a result or a code (explain the code beside rows: cells = { A = { result = \"…\", on = \"…\" } })",
    );
    fault(
        "die,x\n1-3,hit\n4+,\n",
        "",
        "t.csv 3:1",
        "the cell is empty (write a number, a result or a code, such as - with cells = { \"-\" = \"…\" })",
    );
    fault(
        "die,x\n1-3,hit\n4+,A2\n",
        "cells = { A = \"hit\", B = \"miss\" }\n",
        "pack.toml 23:22",
        "no cell of the table has the code `B` (take it out of cells)",
    );
    fault(
        "die,x\n1-3,hit\n4+,A2\n",
        "cells = { A = { result = \"hit\", value = 3 } }\n",
        "t.csv 3:4",
        "the cell gives a number, and so does the code `A` (take the value out of cells)",
    );
    fault(
        "die,x\n1-3,hit\n4+,A2\n",
        "cells = { A = \"hti\" }\n",
        "pack.toml 23:15",
        "there is no result `hti` (did you mean `hit`?)",
    );
}

#[test]
fn the_shape_of_the_file_is_checked() {
    fault(
        "die,0-4,5+\n1-6,hit\n",
        "column = \"range\"\n",
        "t.csv 2:1",
        "the line has 2 cells, but the first line has 3 (give every line as many cells)",
    );
    fault(
        "die,0-4,5+\n1-6,hit,miss\n",
        "",
        "t.csv 1:1",
        "the table has 2 columns, but it is not said which one is read (add column = \"…\" beside rows)",
    );
    fault(
        "die\n1-6\n",
        "",
        "t.csv 1:1",
        "a table like this has at least 2 columns (the first line has the headings: the page if there are pages, the score, then the columns)",
    );
    fault(
        "gun,die,x\n,1+,hit\nheavy,1+,hit\n",
        "page = \"gun\"\n",
        "t.csv 2:2",
        "the first row of the table names no page (write the page in the first column; rows below it may leave it blank)",
    );
}

#[test]
fn shift_and_page_and_cells_need_their_table() {
    let lines = |read: &str| {
        format!(
            "{ASKS}{DIE}read = {{ value = \"skill + range + if(gun == 'light', 1, 0)\", {read}, rows = [ {{ all = \"hit\" }} ] }}\n"
        )
    };
    chart(
        &lines("page = ▸\"gun\""),
        "`page` is for tables from a CSV file (write rows = \"….csv\", or take it out)",
    );
    chart(
        &lines("cells = { ▸A = \"hit\" }"),
        "`cells` is for tables from a CSV file (write rows = \"….csv\", or take it out)",
    );
    chart(
        &lines("shift = [ ▸{ label = \"S\", plus = 1 } ]"),
        "`shift` moves the column, but the table has none (add column = \"…\")",
    );
    chart(
        &lines("column = \"gun\", shift = [ ▸{ label = \"S\", times = 2 } ]"),
        "a shift moves the column by a number of places (write plus = …)",
    );
}

#[test]
fn a_file_that_the_pack_does_not_have_is_found() {
    let text =
        format!("{HEAD}{RESULTS}[chart.c]\ntitle = \"C\"\n{DIE}read = {{ rows = \"tt.csv\" }}\n");
    let files = Files::of([("pack.toml", text), ("t.csv", "die,x\n1+,hit\n".to_owned())]);
    assert_eq!(read_pack(&files, None).unwrap_err()[0].problem.code(), "unknown-name");
}

#[test]
fn a_series_has_a_possible_length_a_place_and_no_single_result() {
    let there = "[chart.there]\ntitle = \"There\"\nask = { n = { number = \"N\", from = 0, to = 99, default = 0 } }\nstep = [ { roll = \"1d6\" } ]\nread = { value = \"die + n\" }\n";
    let series = |step: &str, read: &str, says: &str| {
        let text = format!(
            "{there}[chart.c]\ntitle = \"C\"\nstep = [ {{ look_up = \"there\", as = \"runs\", {step} }} ]\nread = {{ {read} }}\n"
        );
        pack(&text, says);
    };
    let value = "value = \"runs.value\"";
    series(
        "times = ▸101, with = { n = \"nth\" }",
        value,
        "a chart is never run so many times; a series has 0 to 100 runs (correct times)",
    );
    series(
        "times = \"▸yes\", with = { n = \"nth\" }",
        value,
        "this is yes or no, but a number is wanted here (turn it into a number: if(name, 1, 0))",
    );
    series("with = { n = \"▸nth\" }", value, "there is no name `nth` here (none is defined yet)");
    series(
        "times = 3, with = { n = \"nth\" }",
        "value = \"if(▸runs.result == 'none', 1, 0)\"",
        "`runs` runs its chart several times and has no single result (write runs.value, the sum of the values)",
    );
    series(
        "times = 3, with = { n = \"nth\" }",
        "rows = [ { all = { result_of = ▸\"runs\" } } ]",
        "`runs` runs its chart several times and has no single result (take `times` out, or read its value)",
    );
}

#[test]
fn all_goes_with_others_in_a_role_of_several_units() {
    let test = |each: &str, next: &str, says: &str| {
        let text = format!(
            "{UNITS}[result]\nfalls = {{ title = \"Falls\", of = \"man\", next = [ {next} ] }}\n[chart.shot]\ntitle = \"Shot\"\nwho = {{ it_is = \"man\" }}\nlands_on = \"it_is\"\nread = {{ rows = [ {{ all = \"falls\" }} ] }}\n[chart.morale]\ntitle = \"Morale\"\nwho = {{ man = \"man\" }}\n{each}step = [ {{ roll = \"2d6\" }} ]\nread = {{ value = \"die\" }}\n"
        );
        pack(&text, says);
    };
    test(
        "",
        "▸{ chart = \"morale\", why = \"Fell\", for = \"group\", all = true }",
        "`morale` is not run for each of several units in this role (take `all` out, or give that chart each = \"…\" with the role)",
    );
    test(
        "each = \"man\"\n",
        "▸{ chart = \"morale\", why = \"Fell\", all = true }",
        "`all` only goes with a follow-up for others (add for = \"group\", or take it out)",
    );
}

/// A table that a d66 is read on needs no rows for numbers that it cannot show.
#[test]
fn two_dice_read_as_digits_leave_no_gap_between_their_tens() {
    let read = |roll: &str, csv: &str| {
        let text = format!(
            "{HEAD}{RESULTS}[chart.c]\ntitle = \"C\"\nstep = [ {{ {roll} }} ]\nread = {{ rows = \"t.csv\", score = \"die\" }}\n"
        );
        faults(&Files::of([("pack.toml", text), ("t.csv", csv.to_owned())]), None)
    };
    let whole = "die,x\n11-36,hit\n41-46,miss\n51-66,hit\n";
    assert_eq!(read("roll = \"d66\"", whole), [""; 0]);
    assert_eq!(
        read("roll = \"d66\"", "die,x\n11-35,hit\n41-66,miss\n"),
        ["t.csv 3:1 the number 36 has no row (add a row, or give a heading an open end: <=3, 12+)"]
    );
    // With a modifier a 36 becomes 37.
    let changed = read("roll = \"d66\", add = [ { label = \"M\", plus = 1 } ]", whole);
    assert!(changed[0].contains("have no row"), "{changed:?}");
    // The same for rows in the pack.
    let rows = |from: u32| {
        format!(
            "step = [ {{ roll = \"d66\" }} ]\nread = {{ rows = [ {{ to = 36, all = \"miss\" }}, ▸{{ from = {from}, all = \"hit\" }} ] }}\n"
        )
    };
    let (text, ..) = unmarked(&format!("{RESULTS}[chart.c]\ntitle = \"C\"\n{}", rows(41)));
    sound(&text);
    chart(
        &rows(42),
        "there is a gap: scores from 37 to 41 have no row (move the end of one of the rows)",
    );
}

/// `times` takes a list; `nth` is then a word.
#[test]
fn a_series_goes_through_the_words_of_a_list() {
    let text = |times: &str, with: &str| {
        format!(
            "[list.part]\nmast = {{ title = \"Mast\", holds = 4 }}\nhull = {{ title = \"Hull\", holds = 5 }}\n[chart.one]\ntitle = \"One\"\nask = {{ part = {{ choice = \"part\" }} }}\nstep = [ {{ roll = \"1d6\" }} ]\nread = {{ value = \"if(die > part.holds, 1, 0)\", text = \"T\" }}\n[chart.all]\ntitle = \"All\"\nstep = [ {{ look_up = \"one\", times = {times}, as = \"all\", with = {{ part = {with} }} }} ]\nread = {{ value = \"all.value\" }}\n"
        )
    };
    sound(&text("\"list.part\"", "\"nth\""));
    pack(&text("▸\"list.parts\"", "\"'mast'\""), "there is no list `parts` (did you mean `part`?)");
    pack(&text("2", "▸\"nth\""), "`part` does not take nth (it takes 'mast', 'hull')");
    pack(
        &text("\"list.part\"", "\"▸nth.hold\""),
        "there is no name `nth.hold` here (none is defined yet)",
    );
}

/// Cells and headings as a spreadsheet leaves them.
#[test]
fn a_cell_that_is_nearly_a_result_and_a_heading_that_became_a_date() {
    let cell = table("die,x\n1-3,Miss\n4-6,hit\n", "");
    assert!(
        cell[0].ends_with("is not a number, a result or a code (did you mean `miss`?)"),
        "{cell:?}"
    );
    let date = table("die,x\n01.Mar,miss\n4-6,hit\n", "");
    assert!(date[0].contains("a spreadsheet may have made a date of it"), "{date:?}");
}
