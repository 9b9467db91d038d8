#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Errors in dice, lists and rolls are reported at their position, with a remedy.

mod common;

use common::*;

const BATTLE: &str =
    "[die.battle]\nfaces = [\"foot\", \"shell\", \"rout\"]\nface = { shell = { harm = 2 } }\n";

/// One step of a chart that rolls the battle die or others; the value is 1.
#[track_caller]
fn step(keys: &str, fault: &str) {
    pack(
        &format!(
            "{BATTLE}[chart.c]\ntitle = \"C\"\nstep = [ {{ {keys} }} ]\nread = {{ value = 1 }}\n"
        ),
        fault,
    );
}

/// The value that is read after a roll of three battle dice.
#[track_caller]
fn value(value: &str, fault: &str) {
    pack(
        &format!(
            "{BATTLE}[chart.c]\ntitle = \"C\"\nstep = [ {{ roll = \"battle\", count = 3 }} ]\nread = {{ value = \"{value}\" }}\n"
        ),
        fault,
    );
}

#[test]
fn dice_that_cannot_be_rolled_are_found() {
    step(
        "roll = ▸\"3battle\"",
        "the number of dice does not belong here (write roll = \"battle\" and count = …)",
    );
    step("roll = ▸\"batle\"", "there is no die `batle` (did you mean `battle`?)");
    step(
        "roll = ▸\"1d\"",
        "`1d` does not say how many sides the die has (add sides = \"unit.skill\", or write roll = \"1d6\")",
    );
    step(
        "roll = \"1d6\", sides = ▸8",
        "`1d6` says already how many sides the die has (take sides out, or write roll = \"1d\")",
    );
    step(
        "roll = ▸\"(n)d6\"",
        "`(n)d6` cannot be rolled: dice are written as 2d6, 1d10 or d6 (write roll = \"d6\", and the number of dice as count = \"guns\")",
    );
}

#[test]
fn rules_that_make_no_sense_for_one_die_are_found() {
    step(
        "roll = \"battle\", explode = ▸\"face == 'rout'\"",
        "a die with words cannot be rolled again and added (use extra: each such face brings another die)",
    );
    step(
        "roll = \"d6\", reroll = [ { when = ▸\"face >= 1\" } ]",
        "this `reroll` rule holds for every face (name some faces: \"face == 1\")",
    );
    step(
        "roll = \"d6\", extra = ▸7",
        "this `extra` rule holds for no face (compare with a face of the die, or take it out)",
    );
    step(
        "roll = \"battle\", count = 3, keep_highest = ▸1",
        "words have no order, so none is the highest or lowest (say what a die is worth: each = \"face.good\")",
    );
    step(
        "roll = \"battle\", tally = { ▸rout = \"face == 'foot'\" }",
        "`rout` is a face, a field or a value of the roll already (choose another name for the tally)",
    );
    step(
        "roll = \"d6\", tally = { ▸width = \"face == 1\" }",
        "`width` is a face, a field or a value of the roll already (choose another name for the tally)",
    );
    step(
        "roll = \"d6\", choose = ▸{ }",
        "this does not say which die counts (add by = \"role\" for the player who picks, or best = \"face\" for the best die)",
    );
}

#[test]
fn words_are_not_added_and_one_die_stays_in_its_roll() {
    value(
        "▸die",
        "`die` shows words, and words cannot be added (count a face with die.face, add a tally, or say what a die is worth with each)",
    );
    value(
        "▸face",
        "`face` is one die, which only a roll has (use it in each, tally, reroll, explode, extra or choose; elsewhere name the roll: die.dice)",
    );
}

#[test]
fn what_can_be_asked_of_dice_with_words_is_accepted() {
    sound(&format!(
        "{BATTLE}[list]\nrough = [\"foot\", \"rout\"]\n[chart.c]\ntitle = \"C\"\n\
         step = [ {{ roll = \"battle\", count = 3, tally = {{ soft = \"face in list.rough\" }} }} ]\n\
         read = {{ value = \"die.rout + die.harm + die.soft + die.width\" }}\n"
    ));
}
