#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Mistakes that authors make in their first packs: a key in the wrong section, notation from other
//! programs, a table whose columns are a few numbers.

mod common;

use adjutant_pack::{Files, read_pack};
use common::*;

#[test]
fn a_key_below_the_wrong_heading_is_told_where_it_belongs() {
    chart(
        "[chart.c.read]\nvalue = \"3\"\n▸step = [ { roll = \"1d6\" } ]\n",
        "`step` stands under `read`, but belongs to the chart itself (put it above the line [chart.….read])",
    );
    pack(
        "[unit.x]\ntitle = \"X\"\n[unit.x.has]\na = { number = \"A\" }\n▸symbol = \"infantry\"\n\
         [chart.c]\ntitle = \"C\"\nwho = { x = \"x\" }\nread = { value = \"x.a\" }\n",
        "`symbol` stands under `has`, but belongs to the unit itself (put it above the line [unit.….has])",
    );
    let text = "[deck.d]\ntitle = \"D\"\nfile = \"d.csv\"\n[deck.d.field]\n\
                pace = { number = \"Pace\", from = 0, to = 9 }\n▸reshuffled = { effects = [ { note = \"New\" } ] }\n\
                [chart.c]\ntitle = \"C\"\nstep = [ { draw = \"d\", read = \"pace\" } ]\nread = { value = \"card\" }\n";
    let (text, line, column) = unmarked(&format!("{HEAD}{text}"));
    let files = Files::of([("pack.toml", text), ("d.csv", "title,pace\nA,1\n".to_owned())]);
    only(
        &faults(&files, None),
        "pack.toml",
        (line, column),
        "`reshuffled` stands under `field`, but belongs to the deck itself (put it above the line [deck.….field])",
    );
}

#[test]
fn notation_of_other_programs_is_translated() {
    chart(
        "step = [ { roll = ▸\"4dF\" } ]\nread = { value = \"die\" }\n",
        "`4dF` cannot be rolled: dice are written as 2d6, 1d10 or d6 (define the die, [die.fudge] faces = [-1, -1, 0, 0, 1, 1], then roll = \"fudge\" with count = 4)",
    );
    chart(
        "ask = { a = { yes_no = \"A\" } }\nread = { value = \"a ▸? 1 : 0\" }\n",
        "`?` has no meaning here (write if(condition, then, otherwise))",
    );
}

#[test]
fn rows_without_a_score_name_the_steps() {
    chart(
        "step = [ { work_out = \"2\", as = \"a\" }, { roll = \"1d6\" } ]\nread = { rows = [ ▸{ to = 3, all = \"miss\" }, { all = \"hit\" } ] }\n",
        "it is not said what these rows are read by (add score = \"die\" (the steps are a, die))",
    );
}

#[test]
fn a_faulty_row_is_not_called_an_endless_chain() {
    let text = format!(
        "{HEAD}{RESULTS}[chart.c]\ntitle = \"C\"\n{DIE}read = {{ rows = [ {{ \"1-3\" = \"miss\" }}, {{ \"4+\" = \"hit\" }} ] }}\n"
    );
    let found = faults(&Files::of([("pack.toml", text)]), None);
    assert!(!found.is_empty());
    assert!(found.iter().all(|fault| !fault.contains("can never end")), "{found:#?}");
}

/// The faults of a table with a column for each number.
fn by_tubes(column: &str, heads: &str) -> Vec<String> {
    let text = format!(
        "{HEAD}[list.rack]\nlight = {{ title = \"Light\", tubes = 5 }}\nheavy = {{ title = \"Heavy\", tubes = 20 }}\n\
         [chart.c]\ntitle = \"C\"\n\
         ask = {{ rack = {{ choice = \"rack\" }}, size = {{ number = \"Size\", from = 5, to = 15, step = 5 }} }}\n\
         {DIE}read = {{ rows = \"t.csv\", score = \"die\", column = \"{column}\", value = \"cell + if(rack == 'light', size, 0)\" }}\n"
    );
    let row = "1".repeat(heads.matches(',').count()).replace('1', ",1");
    let files = Files::of([("pack.toml", text), ("t.csv", format!("die{heads}\n1-6{row}\n"))]);
    faults(&files, None)
}

#[test]
fn a_column_for_each_of_a_few_numbers_is_enough() {
    assert_eq!(by_tubes("rack.tubes", ",5,20"), Vec::<String>::new());
    assert_eq!(by_tubes("size", ",5,10,15"), Vec::<String>::new());
    let missing = by_tubes("rack.tubes", ",5,10");
    assert!(missing[0].contains("the number 20 has no column"), "{missing:#?}");
    let missing = by_tubes("size", ",5,10");
    assert!(missing[0].contains("the number 15 has no column"), "{missing:#?}");
}

fn deck(csv: &str) -> Result<adjutant_pack::Pack, Vec<String>> {
    let text = format!(
        "{HEAD}[deck.d]\ntitle = \"D\"\nfile = \"d.csv\"\nfield = {{ pace = {{ number = \"Pace\", from = 0, to = 9 }} }}\n\
         [chart.c]\ntitle = \"C\"\nstep = [ {{ draw = \"d\", read = \"pace\" }} ]\nread = {{ value = \"card\" }}\n"
    );
    let files = Files::of([("pack.toml", text), ("d.csv", csv.to_owned())]);
    read_pack(&files, None).map_err(|_| faults(&files, None))
}

#[test]
fn a_deck_has_copies_and_may_leave_out_its_numbers() {
    let cards = |csv: &str| {
        let pack = deck(csv).unwrap();
        let sheet = &pack.decks()[pack.deck_id("d").unwrap()];
        sheet.cards.iter().map(|card| card.title.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(cards("title,pace,count\nA,1,2\nB,2,\n"), ["A", "A", "B"]);
    assert_eq!(cards("title,pace\nA,1\nB,2\n"), ["A", "B"]);
    // A number beside copies is that of the first copy.
    assert_eq!(cards("card,title,pace,count\n1,A,1,2\n3,B,2,1\n"), ["A", "A", "B"]);
    let wrong = deck("card,title,pace,count\n1,A,1,2\n2,B,2,1\n").unwrap_err();
    assert!(wrong[0].contains("d.csv 3:1"), "{wrong:#?}");
    let wrong = deck("title,pace,count\nA,1,many\n").unwrap_err();
    assert!(wrong[0].contains("many"), "{wrong:#?}");
    let wrong = deck("title,pace,count\nA,1,0\n").unwrap_err();
    assert!(wrong[0].contains('0'), "{wrong:#?}");
}
