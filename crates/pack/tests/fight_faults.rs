#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Every kind of error in a fight is reported at its position, with a remedy. `▸` marks the
//! position.

mod common;

use adjutant_pack::Files;
use common::*;

/// A chart between tanks, with a required input and one about the target.
const GROUND: &str = "[result]\nmiss = { title = \"Miss\" }\nhit = { title = \"Hit\", of = \"tank\", effects = [ { status = \"pinned\" } ] }\n[chart.shot]\ntitle = \"Shot\"\nwho = { by = \"tank\", at = \"tank\" }\nlands_on = \"at\"\nask = { range = { number = \"Range\", from = 0, to = 9 }, at.hidden = { yes_no = \"Hidden\" } }\nstep = [ { roll = \"1d6\", as = \"die\", add = [ { label = \"R\", plus = \"-range\" }, { label = \"H\", plus = -1, when = \"at.hidden\" }, { label = \"A\", plus = \"-at.armour\" } ] } ]\nread = { rows = [ { to = 3, all = \"miss\" }, { all = \"hit\" } ] }\n";
const SHOT: &str = "{ chart = \"shot\", who = { by = \"ours\", at = \"theirs\" }, each = \"by\", with = { range = 3 } }";
const SIDES: &str = "[fight.f.side.ours]\nunit = \"tank\"\nout = \"unit.pinned\"\n[fight.f.side.theirs]\nunit = \"tank\"\n";

/// Checks that a pack with this ending has exactly this error at the mark.
#[track_caller]
fn whole(text: &str, fault: &str) {
    pack(&format!("{UNITS}{GROUND}{text}"), fault);
}

/// The same for a fight with these lines between two sides of tanks.
#[track_caller]
fn fight(lines: &str, fault: &str) {
    whole(&format!("[fight.f]\ntitle = \"F\"\n{lines}{SIDES}"), fault);
}

/// The same for sections after a valid fight.
#[track_caller]
fn after(sections: &str, fault: &str) {
    whole(&format!("[fight.f]\ntitle = \"F\"\naction = [ {SHOT} ]\n{SIDES}{sections}"), fault);
}

#[test]
fn a_sound_fight_has_no_fault() {
    let lift = "{ lift = \"pinned\", of = \"ours\", when = \"unit.armour > 1\" }";
    let over = "[fight.f.over]\nwon = { title = \"Won\", when = \"theirs.count == 0 || ours.lost > 2 || theirs.total.armour < 3\" }\n\
                lost = { title = \"Lost\", result = \"hit\" }\n[fight.f.follow]\nshot = {}\n";
    sound(&format!(
        "{UNITS}{GROUND}[fight.f]\ntitle = \"F\"\naction = [ {SHOT}, {lift} ]\n{SIDES}{over}"
    ));
}

#[test]
fn a_total_is_over_a_number_from_0_up() {
    let side = |totals: &str| format!("[fight.f.side.men]\nunit = \"tank\"\ntotals = {totals}\n");
    sound(&format!(
        "{UNITS}{GROUND}[fight.f]\ntitle = \"F\"\naction = [ {SHOT} ]\n{SIDES}{}",
        side("[\"armour\"]")
    ));
    let moody = "[unit.ghost]\ntitle = \"Ghost\"\nhas = { mood = { number = \"Mood\", from = -3, to = 3 } }\n";
    after(
        &format!("{moody}[fight.f.side.ghosts]\nunit = \"ghost\"\ntotals = [▸\"mood\"]\n"),
        "`mood` has no total: it is not a number, or it may be below 0 (name a number of these units that starts at 0 or more)",
    );
    after(&side("[▸\"armor\"]"), "there is no attribute `armor` (did you mean `armour`?)");
}

#[test]
fn a_status_is_lifted_only_from_units_that_can_have_it() {
    let men = "[fight.f.side.men]\nunit = \"man\"\n";
    fight(
        &format!("action = [ {SHOT}, {{ lift = ▸\"pinned\", of = \"men\" }} ]\n{men}"),
        "`pinned` is not a status of the units of `men` (name a status of their kind)",
    );
}

#[test]
fn a_fight_has_an_id_of_its_own_a_name_sides_and_actions() {
    whole(
        &format!(
            "[fight.▸shot]\ntitle = \"F\"\naction = [ {SHOT} ]\n[fight.shot.side.ours]\nunit = \"tank\"\nout = \"unit.pinned\"\n[fight.shot.side.theirs]\nunit = \"tank\"\n"
        ),
        "`shot` is a chart already (give the fight another id, so that a command can tell them apart)",
    );
    whole(
        &format!(
            "[fight.▸F]\ntitle = \"F\"\naction = [ {SHOT} ]\n[fight.F.side.ours]\nunit = \"tank\"\nout = \"unit.pinned\"\n[fight.F.side.theirs]\nunit = \"tank\"\n"
        ),
        "`F` is not an id (use small letters, digits and hyphens, at most 64)",
    );
    whole(
        &format!("▸[fight.f]\naction = [ {SHOT} ]\n{SIDES}"),
        "[fight.f] has no `title` (add title = \"…\")",
    );
    whole(
        &format!("[fight.▸f]\ntitle = \"F\"\n{SIDES}"),
        "the fight has 0 actions (a round has 1 to 40: [[fight.f.action]])",
    );
    whole(
        "[fight.▸f]\ntitle = \"F\"\naction = [ { chart = \"solo\" } ]\n[chart.solo]\ntitle = \"S\"\nread = { value = 1 }\n",
        "the fight has 0 sides (it takes 1 to 4: [fight.f.side.ours] unit = \"…\")",
    );
}

#[test]
fn a_fight_does_not_follow_to_a_test_of_several_units_at_once() {
    let follow = |all: &str, mark: &str| {
        format!(
            "[chart.fall]\ntitle = \"Fall\"\nwho = {{ tank = \"tank\" }}\nlands_on = \"tank\"\n{DIE}read = {{ rows = [ {{ all = \"gone\" }} ] }}\n\
             [result.gone]\ntitle = \"Gone\"\nof = \"tank\"\neffects = [ {{ leaves = \"gone\" }} ]\n\
             next = [ {{ chart = \"nerve\", why = \"fell\", for = \"side\"{all} }} ]\n\
             [chart.nerve]\ntitle = \"Nerve\"\nwho = {{ man = \"tank\" }}\neach = \"man\"\n{DIE}read = {{ rows = [ {{ all = \"shaken\" }} ] }}\n\
             [result.shaken]\ntitle = \"Shaken\"\n\
             [fight.f]\ntitle = \"F\"\naction = [ {{ chart = \"fall\", who = {{ tank = \"ours\" }}, each = \"tank\" }} ]\n\
             follow = {{ {mark}nerve = {{}} }}\n{SIDES}"
        )
    };
    whole(
        &follow(", all = true", "▸"),
        "a fight cannot follow to `nerve`: `fall` has it rolled for several units at once \
         (leave it out of follow, or take all = true out of the follow-up so that each unit tests by itself)",
    );
}

#[test]
fn an_action_names_what_there_is_and_says_all_that_its_chart_must_know() {
    fight(
        &format!("action = [ {SHOT} ]\n▸actoin = 1\n"),
        "[fight.f] has no key `actoin` (did you mean `action`?)",
    );
    fight(
        &format!("action = [ {SHOT} ]\nneeds_option = ▸\"night\"\n"),
        "there is no option `night` (none is defined yet)",
    );
    fight(
        "action = [ { chart = ▸\"shott\", who = { by = \"ours\", at = \"theirs\" }, each = \"by\", with = { range = 3 } } ]\n",
        "there is no chart `shott` (did you mean `shot`?)",
    );
    fight(
        "action = [ { chart = \"shot\", who = { by = \"ours\", at = ▸\"thiers\" }, each = \"by\", with = { range = 3 } } ]\n",
        "there is no side `thiers` (did you mean `theirs`?)",
    );
    fight(
        "action = [ { chart = \"shot\", who = { by = \"ours\", ▸att = \"theirs\", at = \"theirs\" }, each = \"by\", with = { range = 3 } } ]\n",
        "there is no role in that chart `att` (did you mean `at`?)",
    );
    fight(
        "action = [ ▸{ chart = \"shot\", who = { by = \"ours\" }, each = \"by\", with = { range = 3 } } ]\n",
        "it is not said who takes the role `at` (add it to who = { at = \"…\" })",
    );
    fight(
        "action = [ { chart = \"shot\", who = { by = \"ours\", at = \"theirs\" }, each = ▸\"firer\", with = { range = 3 } } ]\n",
        "there is no role in that chart `firer` (there are: by, at)",
    );
    fight(
        "action = [ ▸{ chart = \"shot\", who = { by = \"ours\", at = \"theirs\" }, each = \"by\" } ]\n",
        "`range` must be known when `shot` is rolled (add it to with = { range = … })",
    );
    fight(
        "action = [ { chart = \"shot\", who = { by = \"ours\", at = \"theirs\" }, each = \"by\", with = { ▸rnage = 3, range = 3 } } ]\n",
        "there is no input of that chart `rnage` (did you mean `range`?)",
    );
    fight(
        "action = [ { chart = \"shot\", who = { by = \"ours\", at = \"theirs\" }, each = \"by\", with = { range = ▸\"by.pinned\" } } ]\n",
        "`range` does not take by.pinned (it takes a number)",
    );
    fight(
        "action = [ { chart = \"shot\", who = { by = \"ours\", at = \"theirs\" }, each = \"by\", with = { range = 3, at.hidden = ▸\"at.armour\" } } ]\n",
        "`at.hidden` does not take at.armour (it takes yes or no)",
    );
    fight(
        "action = [ { chart = \"shot\", who = { by = \"ours\", at = \"theirs\" }, each = \"by\", with = { range = 3 }, when = \"▸by.armour\" } ]\n",
        "this is a number, but yes or no is wanted here (compare it with a number: name > 0)",
    );
    fight(
        "action = [ { chart = \"shot\", who = { by = \"ours\", at = \"theirs\" }, each = \"by\", with = { range = 3 }, when = \"▸by.pined\" } ]\n",
        "there is no name `by.pined` here (did you mean `by.pinned`?)",
    );
    fight(
        "action = [ { chart = \"shot\", who = { by = \"ours\", at = \"theirs\" }, each = \"by\", with = { range = 3 }, prefer = [ \"▸at.armour\" ] } ]\n",
        "this is a number, but yes or no is wanted here (compare it with a number: name > 0)",
    );
    fight(
        "action = [ { chart = \"shot\", who = { by = \"ours\", at = \"theirs\" }, each = \"by\", with = { range = 3 }, prefer = ▸{ } } ]\n",
        "`prefer` is not a condition (write prefer = \"!target.suppressed\")",
    );
    fight(
        &format!("action = [ {SHOT}, ▸{{ when = \"yes\" }} ]\n"),
        "an action either rolls a chart or lifts statuses (give it chart = \"…\" or lift = \"…\")",
    );
    fight(
        &format!("action = [ {SHOT}, ▸{{ chart = \"shot\", lift = \"pinned\" }} ]\n"),
        "an action either rolls a chart or lifts statuses (give it chart = \"…\" or lift = \"…\")",
    );
    fight(
        &format!("action = [ {SHOT}, ▸{{ lift = \"pinned\" }} ]\n"),
        "it does not say which side loses the status (add of = \"…\" with a side)",
    );
    fight(
        &format!("action = [ {SHOT}, {{ lift = ▸\"pined\", of = \"ours\" }} ]\n"),
        "there is no status `pined` (did you mean `pinned`?)",
    );
    fight(
        &format!("action = [ {SHOT}, {{ lift = \"pinned\", of = ▸\"our\" }} ]\n"),
        "there is no side `our` (did you mean `ours`?)",
    );
    fight(
        &format!("action = [ {SHOT}, {{ lift = \"pinned\", of = \"ours\", ▸each = \"unit\" }} ]\n"),
        "an action has no key `each` (there are: lift, of, when)",
    );
    fight(
        "action = [ { chart = \"shot\", who = { by = \"ours\", ▸at = \"men\" }, each = \"by\", with = { range = 3 } } ]\n[fight.f.side.men]\nunit = \"man\"\n",
        "`at` is not taken by units of the kind that `men` has (name a side of that kind)",
    );
    fight(
        &format!("action = [ {SHOT}, {{ lift = \"pinned\", of = \"ours\", ▸at_once = true }} ]\n"),
        "an action has no key `at_once` (there are: lift, of, when)",
    );
    fight(
        "action = [ { chart = \"shot\", who = { by = \"ours\", at = \"theirs\" }, each = \"by\", with = { range = 3 }, ▸of = \"ours\" } ]\n",
        "an action has no key `of` (there are: chart, who, each, when, prefer, with, at_once)",
    );
}

#[test]
fn sides_questions_follow_ups_and_ends_are_looked_at() {
    after(
        "[fight.f.side.crew]\nunit = ▸\"crew\"\n",
        "there is no kind of unit `crew` (there are: tank, man)",
    );
    after(
        "▸[fight.f.side.crew]\ntitle = \"Crew\"\n",
        "[side.crew] has no `unit` (add unit = \"…\")",
    );
    after(
        "[fight.f.side.▸crew]\nunit = \"man\"\nmost = 0\n",
        "a side has 1 to 100 units at most (write most = 20)",
    );
    after(
        "[fight.f.side.crew]\nunit = \"man\"\nout = \"▸unit.pinned\"\n",
        "there is no name `unit.pinned` here (there are 15: ours, ours.armour, ours.pinned, theirs, theirs.armour, theirs.pinned, crew, ours.count, ours.lost, ours.total.armour, …)",
    );
    after(
        "[fight.f.side.crew]\nunit = \"man\"\n[[fight.f.▸action]]\n",
        "the file cannot be read here: duplicate key (this name stands twice: write each [section.name] and each key once)",
    );
    after(
        "[fight.f.ask]\n▸our.far = { yes_no = \"Far\" }\n",
        "there is no side `our` (did you mean `ours`?)",
    );
    after(
        "[fight.f.ask]\nours.▸armour = { yes_no = \"Far\" }\n",
        "`ours.armour` is asked for twice (choose another name)",
    );
    after(
        "[fight.f.over]\nwon = ▸{ title = \"Won\" }\n",
        "it is not said when the fight is over (add either when = \"ours.count == 0\" or result = \"…\" with a result that decides it)",
    );
    after(
        "[fight.f.over]\nwon = ▸{ when = \"ours.count == 0\" }\n",
        "[over.won] has no `title` (add title = \"…\")",
    );
    after(
        "[fight.f.over]\nwon = { title = \"Won\", when = \"▸ours.count\" }\n",
        "this is a number, but yes or no is wanted here (compare it with a number: name > 0)",
    );
    after(
        "[fight.f.over]\nwon = { title = \"Won\", when = \"▸ours.cuont == 0\" }\n",
        "there is no name `ours.cuont` here (did you mean `ours.count`?)",
    );
    after(
        "[fight.f.over]\nwon = { title = \"Won\", result = ▸\"hitt\" }\n",
        "there is no result `hitt` (did you mean `hit`?)",
    );
    after(
        "[fight.f.over]\nwon = { title = \"Won\", when = \"▸ours.total.armor == 0\" }\n",
        "there is no name `ours.total.armor` here (did you mean `ours.total.armour`?)",
    );
    after("[fight.f.follow]\n▸shotl = {}\n", "there is no chart `shotl` (did you mean `shot`?)");
    after(
        "[fight.f.follow]\nshot = { with = { ▸rnage = 3 } }\n",
        "there is no input of that chart `rnage` (did you mean `range`?)",
    );
    after(
        "[fight.f.follow]\nshot = { ▸wiht = { range = 3 } }\n",
        "[follow.shot] has no key `wiht` (did you mean `with`?)",
    );
}

#[test]
fn a_fight_rolls_no_chart_that_reads_or_changes_the_memory_of_a_side() {
    let memory = "[memory]\nlost = { number = \"Lost\", from = 0, to = 9, default = 0, per = \"side\" }\n\
                  [chart.reads]\ntitle = \"Reads\"\nwho = { by = \"tank\" }\nstep = [ { roll = \"1d6\" } ]\nread = { value = \"die + side.lost\" }\n\
                  [chart.changes]\ntitle = \"Changes\"\nwho = { by = \"tank\" }\nlands_on = \"by\"\nstep = [ { roll = \"1d6\" } ]\nread = { value = \"die\", effects = [ { remember = \"lost\", by = 1 } ] }\n\
                  [chart.outer]\ntitle = \"Outer\"\nwho = { by = \"tank\" }\nstep = [ { look_up = \"changes\", as = \"inner\", who = { by = \"by\" } } ]\nread = { value = \"inner.value\" }\n";
    let says = |chart: &str| {
        format!(
            "a fight cannot roll `{chart}`: it reads or changes what the game remembers for a side (use another chart, or a memory of the whole game)"
        )
    };
    for (rolled, named) in [("reads", "reads"), ("changes", "changes"), ("outer", "changes")] {
        let action = format!("▸{{ chart = \"{rolled}\", who = {{ by = \"ours\" }} }}");
        whole(
            &format!("{memory}[fight.f]\ntitle = \"F\"\naction = [ {SHOT}, {action} ]\n{SIDES}"),
            &says(named),
        );
        let follow = format!("[fight.f.follow]\n▸{rolled} = {{}}\n");
        whole(
            &format!("{memory}[fight.f]\ntitle = \"F\"\naction = [ {SHOT} ]\n{SIDES}{follow}"),
            &says(named),
        );
    }
}

#[test]
fn a_change_by_number_falls_on_one_unit_and_not_in_a_fight() {
    let chart = |effect: &str| {
        format!(
            "[chart.jam]\ntitle = \"Jam\"\nwho = {{ by = \"tank\" }}\nstep = [ {{ roll = \"1d6\", as = \"die\" }} ]\nread = {{ rows = [ {{ all = \"miss\", effects = [ {effect} ] }} ] }}\n"
        )
    };
    whole(
        &format!(
            "{}[memory.m]\nyes_no = \"M\"\n",
            chart("▸{ remember = \"m\", to = \"not memory.m\", nth = 2 }")
        ),
        "`nth` only goes with what happens to one unit (take it out, or use status, lift, set, add, leaves or a note on a role, without all = true)",
    );
    whole(
        &chart("▸{ status = \"pinned\", on = \"by\", nth = 2, all = true }"),
        "`nth` only goes with what happens to one unit (take it out, or use status, lift, set, add, leaves or a note on a role, without all = true)",
    );
    let sound_chart = chart("{ status = \"pinned\", on = \"by\", nth = \"die\" }");
    sound(&format!("{UNITS}{GROUND}{sound_chart}"));
    let noted = chart("{ note = \"Look\", on = \"by\", nth = \"die\" }");
    sound(&format!("{UNITS}{GROUND}{noted}"));
    let roll = "▸{ chart = \"jam\", who = { by = \"ours\" }, each = \"by\" }";
    whole(
        &format!("{sound_chart}[fight.f]\ntitle = \"F\"\naction = [ {SHOT}, {roll} ]\n{SIDES}"),
        "a fight cannot roll `jam`: it changes a unit by its number in the group (use another chart: the units of a fight have no numbers)",
    );
}

#[test]
fn a_fight_draws_from_no_deck_that_each_side_has_of_its_own() {
    let text = format!(
        "{HEAD}{UNITS}{GROUND}[deck.d]\ntitle = \"D\"\nfile = \"d.csv\"\nper = \"side\"\nfield = {{ n = {{ number = \"N\" }} }}\n\
         [chart.pull]\ntitle = \"Pull\"\nwho = {{ by = \"tank\" }}\nstep = [ {{ draw = \"d\", read = \"n\" }} ]\nread = {{ rows = [ {{ to = 1, all = \"miss\" }}, {{ all = \"miss\" }} ] }}\n\
         [fight.f]\ntitle = \"F\"\naction = [ {SHOT}, ▸{{ chart = \"pull\", who = {{ by = \"ours\" }}, each = \"by\" }} ]\n{SIDES}"
    );
    let (text, line, column) = unmarked(&text);
    let files =
        Files::of([("pack.toml", text), ("d.csv", "card,title,n\n1,One,1\n2,Two,2\n".to_owned())]);
    only(
        &faults(&files, None),
        "pack.toml",
        (line, column),
        "a fight cannot roll `pull`: it draws from a deck that each side has of its own (use another chart, or take per = \"side\" out of the deck)",
    );
}
