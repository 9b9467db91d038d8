#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Sentences that once sent authors the wrong way.

mod common;

use adjutant_pack::Files;
use common::{HEAD, RESULTS, faults, pack};

fn said(text: &str) -> Vec<String> {
    let deck = "card,title,rank\n1,A,1\n2,B,5\n".to_owned();
    let files = Files::of([("pack.toml", format!("{HEAD}{text}")), ("deck.csv", deck)]);
    faults(&files, None)
}

#[track_caller]
fn says(text: &str, wanted: &[&str]) {
    let found = said(text);
    for wanted in wanted {
        assert!(found.iter().any(|line| line.contains(wanted)), "{wanted}: {found:#?}");
    }
}

fn step(step: &str, read: &str) -> String {
    format!(
        "{RESULTS}[chart.c]\ntitle = \"C\"\nask = {{ n = {{ number = \"N\", from = 1, to = 4 }} }}\nstep = [{step}]\nread = {read}\n[chart.d]\ntitle = \"D\"\nstep = [{{ roll = \"1d6\" }}]\nread = {{ rows = [{{ to = 3, all = \"miss\" }}, {{ all = \"hit\" }}] }}\n"
    )
}

#[test]
fn a_name_with_a_dot_as_a_key_must_be_quoted() {
    let text = "[unit.man]\ntitle = \"Man\"\nhas = { bad = { number = \"Bad\", from = 0, to = 3 } }\n\
        [chart.c]\ntitle = \"C\"\nstep = [{ look_up = \"d\", as = \"x\", with = { loser.bad = \"1\" } }]\nread = { value = \"x.value\" }\n\
        [chart.d]\ntitle = \"D\"\nwho = { loser = \"man\" }\nstep = [{ roll = \"1d6\" }]\nread = { value = \"die + loser.bad\" }\n";
    says(
        text,
        &[
            "a name with a dot stands in quotes: \"loser.…\" = \"…\"",
            "add with = { \"loser.bad\" = \"…\" } or map its role with who",
        ],
    );
}

#[test]
fn a_number_of_dice_that_varies_is_a_count() {
    for dice in ["(n)d6", "nd6"] {
        let text = step(&format!("{{ roll = \"{dice}\" }}"), "{ value = \"n\" }");
        says(&text, &["write roll = \"d6\", and the number of dice as count = \"guns\""]);
    }
}

#[test]
fn an_unknown_count_of_a_roll_is_a_tally() {
    let text = step("{ roll = \"5d6\" }", "{ value = \"die.sixes + n\" }");
    says(
        &text,
        &[
            "the roll `die` has nothing called `sixes` (count it in the roll: tally = { sixes = \"face == 6\" }",
        ],
    );
    let text = step("{ roll = \"5d6\" }", "{ value = \"die.hihgest + n\" }");
    says(&text, &["did you mean `die.highest`?"]);
}

#[test]
fn an_unknown_key_names_the_most_likely_one() {
    for (key, likely) in [
        ("succeed_at_least = 4", "pass_at_least"),
        ("keep = 3", "keep_highest"),
        ("explodes = 6", "explode"),
    ] {
        let text = step(&format!("{{ roll = \"5d6\", {key} }}"), "{ value = \"die + n\" }");
        says(&text, &[&format!("did you mean `{likely}`?")]);
    }
}

#[test]
fn rows_for_a_card_need_a_score() {
    let text = format!(
        "{RESULTS}[deck.fate]\ntitle = \"Fate\"\nfile = \"deck.csv\"\nfield = {{ rank = {{ number = \"Rank\", from = 1, to = 9 }} }}\n\
        [chart.c]\ntitle = \"C\"\nstep = [{{ draw = \"fate\" }}]\nread = {{ rows = [{{ to = 3, all = \"miss\" }}, {{ all = \"hit\" }}] }}\n"
    );
    says(&text, &["`card` is a card, and the number to read is not named", "score = \"card.…\""]);
}

#[test]
fn a_value_that_is_not_taken_is_shown() {
    let text = format!(
        "{}[result.x]\ntitle = \"X\"\nnext = [{{ chart = \"e\", why = \"x\", with = {{ size = \"'huge'\" }} }}]\n\
        [chart.f]\ntitle = \"F\"\nread = {{ rows = [{{ all = \"x\" }}] }}\n\
        [chart.e]\ntitle = \"E\"\nask = {{ size = {{ choice = {{ small = \"S\", big = \"B\" }}, label = \"Size\" }} }}\nread = {{ value = \"if(size == 'big', 1, 2)\" }}\n",
        step("{ roll = \"1d6\" }", "{ value = \"die + n\" }")
    );
    says(&text, &["`size` does not take 'huge' (it takes 'small', 'big')"]);
}

#[test]
fn only_a_choice_that_may_be_skipped_needs_a_default() {
    let ask = |field: &str| {
        format!("{{ roll = \"1d6\" }}, {{ ask = {{ {field} }}, as = \"w\", when = \"die > 3\" }}")
    };
    let text = step(
        &ask("choice = { a = \"A\", b = \"B\" }, label = \"W\""),
        "{ value = \"if(w == 'a', n, die)\" }",
    );
    says(&text, &["a choice that may be skipped needs a default"]);
    let text = step(&ask("yes_no = \"W\""), "{ value = \"if(w, n, die)\" }");
    assert_eq!(said(&text), Vec::<String>::new());
}

#[test]
fn a_word_without_quotes_is_known_from_a_chart_further_down() {
    pack(
        "[unit.man]\ntitle = \"Man\"\n[chart.a]\ntitle = \"A\"\nwho = { man = \"man\" }\nread = { value = 1, next = [ { chart = \"b\", why = \"W\", who = { man = \"man\" }, with = { angle = \"▸full\" } } ] }\n[chart.b]\ntitle = \"B\"\nwho = { man = \"man\" }\nask = { angle = { choice = { full = \"Full\", half = \"Half\" }, label = \"Angle\" } }\nread = { value = \"if(angle == 'full', 1, 2)\" }\n",
        "there is no name `full` (a choice's word stands in single quotes: 'full')",
    );
}

#[test]
fn words_with_numbers_of_their_own_belong_in_a_list() {
    pack(
        "[unit.man]\ntitle = \"Man\"\nhas = { grade = { label = \"Grade\", choice = { green = ▸{ title = \"Green\", morale = 3 }, old = \"Old\" } } }\n[chart.c]\ntitle = \"C\"\nread = { value = 1 }\n",
        "the word `green` has a table, but its label is expected here (words with numbers of their own go into a list: [list.x] green = { title = \"…\", worth = 1 }, then choice = \"x\")",
    );
}

#[test]
fn a_value_is_worked_out_or_entered() {
    pack(
        "[unit.man]\ntitle = \"Man\"\n[unit.man.has]\nmen = { number = \"Men\" }\nhalf = ▸{ number = \"Half\", work_out = \"unit.men / 2\" }\n[chart.c]\ntitle = \"C\"\nread = { value = 1 }\n",
        "`half` is of two kinds at once: number and work_out (a value that is worked out has only label = \"…\" and work_out = \"…\")",
    );
}

/// Slips in a formula: each is told with the way to write it.
#[test]
fn a_formula_as_on_paper_is_told_how_to_be_written() {
    let plus = [
        ("+1", "write 1 instead of +1"),
        ("2n", "put a * between them: 2 * x"),
        ("n * 0,5", "write decimals with a point: 0.5, or as 1/2"),
        ("if n > 2 then 1 else 0", "write if(condition, then, otherwise)"),
        ("2 × n", "write * for times"),
        ("n ÷ 2", "write / for divided by"),
        ("n^2", "write x * x"),
        ("65%", "for 65 % write 65"),
        ("n − 1", "write a plain hyphen for minus"),
        ("round(n / 2)", "floor(x + 1/2) rounds to the nearest"),
        ("n + d6", "roll in a step before: { roll = \"d6\", as = \"die\" }"),
    ];
    for (formula, wanted) in plus {
        let add = format!("add = [{{ label = \"M\", plus = \"{formula}\" }}]");
        says(&step(&format!("{{ roll = \"1d6\", {add} }}"), "{ value = \"die + n\" }"), &[wanted]);
    }
    for (sign, wanted) in [("≥", "write >= "), ("≤", "write <= "), ("≠", "write != ")] {
        let add = format!("add = [{{ label = \"M\", plus = 1, when = \"n {sign} 2\" }}]");
        says(&step(&format!("{{ roll = \"1d6\", {add} }}"), "{ value = \"die + n\" }"), &[wanted]);
    }
    let pool = "{ roll = \"d6\", count = \"n\", pass_at_least = \"4+\" }";
    says(&step(pool, "{ value = \"die\" }"), &["a number needs no plus after it"]);
}

/// A value of a unit is named with its role.
#[test]
fn a_value_without_its_role_is_told_with_it() {
    let text = "[unit.man]\ntitle = \"Man\"\nhas = { skill = { number = \"Skill\" } }\n\
        [chart.c]\ntitle = \"C\"\nwho = { firer = \"man\" }\nstep = [{ roll = \"1d6\" }]\nread = { value = \"die + skill\" }\n";
    says(text, &["there is no name `skill` here (did you mean `firer.skill`?)"]);
}

/// Slips in the file itself.
#[test]
fn a_file_that_is_no_toml_is_told_what_to_write() {
    let slips = [
        ("plus = −1", "write a plain hyphen for minus: -1"),
        ("plus = 0,5", "write decimals with a point"),
        ("plus = 1, when = \"n == \"2\"\"", "write its words in single ones"),
    ];
    for (slip, wanted) in slips {
        let add = format!("add = [{{ label = \"M\", {slip} }}]");
        says(&step(&format!("{{ roll = \"1d6\", {add} }}"), "{ value = \"die + n\" }"), &[wanted]);
    }
    says("// a comment\n", &["a comment starts with #"]);
    says("[chart.c]\ntitle: \"C\"\n", &["write = after a key"]);
    says("[chart.läuft]\ntitle = \"C\"\n", &["a name has the letters a to z"]);
}

/// Words of the hobby for keys, and what stands in a list.
#[test]
fn a_key_by_another_name_is_told_its_name() {
    says(
        &step(
            "{ roll = \"1d6\", modifiers = [{ label = \"M\", plus = 1 }] }",
            "{ value = \"die + n\" }",
        ),
        &["a step has no key `modifiers` (did you mean `add`?)"],
    );
    says(
        &step(
            "{ roll = \"1d6\", add = [{ label = \"M\", bonus = 1 }] }",
            "{ value = \"die + n\" }",
        ),
        &["a modifier has no key `bonus` (did you mean `plus`?)"],
    );
    says(
        &step("{ roll = \"3d6\", reroll = 1 }", "{ value = \"die + n\" }"),
        &["write reroll = [ { when = \"face == 1\", because = \"…\" } ]"],
    );
}
