#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! What coverage asks for.

use adjutant_engine::{Coverage, CoveragePoint};
use adjutant_pack::{Files, Pack, read_pack};

fn pack(text: &str) -> Pack {
    let head = "[pack]\nid = \"t\"\ntitle = \"T\"\n[result]\nmiss = { title = \"Miss\" }\nhit = { title = \"Hit\" }\n";
    let mut cards = "card,title,rank,luck\n".to_owned();
    (1..=44).for_each(|n| cards.push_str(&format!("{n},Card,{},{}\n", n % 9 + 1, n % 3 + 1)));
    let files = Files::of([("pack.toml", format!("{head}{text}")), ("deck.csv", cards)]);
    read_pack(&files, None).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

const ROWS: &str = "read = { rows = [{ to = 3, all = \"miss\" }, { all = \"hit\" }] }\n";

#[test]
fn the_cards_of_a_deck_are_one_line() {
    let pack = pack(&format!(
        "[deck.fate]\ntitle = \"Fate\"\nfile = \"deck.csv\"\nfield = {{ rank = {{ number = \"Rank\", from = 1, to = 9 }}, luck = {{ number = \"Luck\", from = 1, to = 3 }} }}\n\
         [chart.c]\ntitle = \"C\"\nstep = [{{ draw = \"fate\", read = \"rank\", add = [{{ label = \"Luck\", plus = \"card.luck\" }}] }}]\n{ROWS}"
    ));
    let missing = Coverage::default().missing(&pack);
    let cards = missing.iter().filter(|mark| matches!(mark, CoveragePoint::Card(..))).count();
    assert_eq!(cards, 88);
    let lines = adjutant_wording::en::coverage_lines(&pack, &missing);
    let deck: Vec<&String> = lines.iter().filter(|line| line.starts_with("deck")).collect();
    assert_eq!(
        deck,
        ["deck fate: 88 values on 44 cards: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …"]
    );
    assert_eq!(lines.len(), 3, "the table, a modifier and the deck: {lines:?}");
}

#[test]
fn a_cell_that_the_condition_of_its_row_rules_out_is_not_asked_for() {
    let pack = pack(
        "[chart.c]\ntitle = \"C\"\nask = { clear = { yes_no = \"Clear\" } }\nstep = [{ roll = \"1d6\" }]\n\
         [chart.c.read]\ncolumn = \"clear\"\nrows = [{ when = \"clear\", to = 3, yes = \"hit\", no = \"miss\" }, { yes = \"hit\", no = \"miss\" }]\n",
    );
    assert_eq!(Coverage::default().missing(&pack).len(), 3);
}
