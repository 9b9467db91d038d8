#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Every kind of error in templates, starts, phases and endings is reported at its position, with a
//! remedy. `▸` marks the position.

mod common;

use common::*;

const GROUND: &str = "[result]\nmiss = { title = \"Miss\" }\nhit = { title = \"Hit\", of = \"tank\", effects = [ { status = \"pinned\" } ] }\n[chart.shot]\ntitle = \"Shot\"\nwho = { by = \"tank\", at = \"tank\" }\nlands_on = \"at\"\nask = { range = { number = \"Range\", from = 0, to = 9 } }\nstep = [ { roll = \"1d6\", as = \"die\", add = [ { label = \"R\", plus = \"-range\" }, { label = \"A\", plus = \"-at.armour\" } ] } ]\nread = { rows = [ { to = 3, all = \"miss\" }, { all = \"hit\" } ] }\n";

#[track_caller]
fn whole(text: &str, fault: &str) {
    pack(&format!("{UNITS}{GROUND}{text}"), fault);
}

/// A phase with these keys.
#[track_caller]
fn phase(keys: &str, fault: &str) {
    whole(&format!("[turn]\nphase = [ {{ id = \"fire\", title = \"Fire\", {keys} }} ]\n"), fault);
}

/// A start with these keys, between two sides.
#[track_caller]
fn start(keys: &str, fault: &str) {
    let template = "[template.light]\nkind = \"tank\"\ntitle = \"Light\"\n";
    whole(
        &format!(
            "{template}[start.duel]\ntitle = \"Duel\"\n{keys}\n[start.duel.side]\nours = {{ title = \"Ours\" }}\ntheirs = {{ title = \"Theirs\" }}\n"
        ),
        fault,
    );
}

#[test]
fn what_is_sound_has_no_fault() {
    let phase = "phase = [ { id = \"fire\", title = \"Fire\", lift = [ { status = \"pinned\", sides = \"sheet\", when = \"unit.armour > 1\" } ], \
                 due = [ { chart = \"shot\", why = \"Fire\", for = \"group\", role = \"by\", lead = \"armour\", sides = \"sheet\", when = \"!unit.pinned\", with = { range = \"unit.armour\" } } ] } ]";
    let start = "[start.duel]\ntitle = \"Duel\"\ndecks = \"per_side\"\nunits = [ { template = \"light\", side = \"ours\", count = 2 } ]\n\
                 due = [ { chart = \"shot\", why = \"First\", times = 3 } ]\nside = { ours = { title = \"Ours\" }, theirs = { title = \"Theirs\", run_by_sheet = true } }\n";
    let template = "[template.light]\nkind = \"tank\"\ntitle = \"Light\"\nhas = { armour = 2 }\nstatuses = \"pinned\"\n";
    let ending = "[ending.won]\ntitle = \"Won\"\nnone = [ { of = \"tank\", sides = \"sheet\", when = \"!unit.pinned\" } ]\n";
    sound(&format!("{UNITS}{GROUND}[turn]\n{phase}\n{template}{start}{ending}"));
}

#[test]
fn a_template_is_a_unit_of_its_kind() {
    whole(
        "[template.t]\ntitle = \"T\"\nkind = ▸\"tnak\"\n",
        "there is no kind of unit `tnak` (did you mean `tank`?)",
    );
    whole("▸[template.t]\ntitle = \"T\"\n", "[template.t] has no `kind` (add kind = \"…\")");
    whole(
        "[template.t]\ntitle = \"T\"\nkind = \"tank\"\nhas = { ▸armor = 1 }\n",
        "there is no attribute `armor` (did you mean `armour`?)",
    );
    whole(
        "[template.t]\ntitle = \"T\"\nkind = \"man\"\nstatuses = ▸\"pinned\"\n",
        "a Man cannot have the status `pinned` (add its unit kind to the status's `of`)",
    );
}

#[test]
fn what_falls_due_names_its_chart_role_and_unit() {
    phase(
        "due = [ { chart = ▸\"shoot\", why = \"W\" } ]",
        "there is no chart `shoot` (did you mean `shot`?)",
    );
    phase(
        "due = [ ▸{ chart = \"shot\", why = \"W\", for = \"each\" } ]",
        "it is not said which role the unit takes (add role = \"…\")",
    );
    phase(
        "due = [ { chart = \"shot\", why = \"W\", for = ▸\"all\" } ]",
        "there is no way to fall due `all` (there are: once, each, group)",
    );
    phase(
        "due = [ { chart = \"shot\", why = \"W\", for = \"each\", role = \"by\", when = \"▸unit.pined\" } ]",
        "there is no name `unit.pined` here (did you mean `unit.pinned`?)",
    );
    phase(
        "due = [ { chart = \"shot\", why = \"W\", times = ▸0 } ]",
        "`times` is 0 (write a whole number from 1 to 100)",
    );
    phase(
        "due = [ { chart = \"shot\", why = \"W\", role = ▸\"by\" } ]",
        "`role` only goes with for = \"each\" or for = \"group\" (take it out)",
    );
    phase(
        "due = [ { chart = \"shot\", why = \"W\", with = { ▸rnge = 1 } } ]",
        "there is no input of that chart `rnge` (did you mean `range`?)",
    );
    phase(
        "lift = [ { status = ▸\"pined\" } ]",
        "there is no status `pined` (did you mean `pinned`?)",
    );
    phase(
        "lift = [ { status = \"pinned\", sides = ▸\"enemy\" } ]",
        "there is no word for sides `enemy` (there are: all, players, sheet)",
    );
}

#[test]
fn a_start_names_its_templates_sides_and_options() {
    start(
        "units = [ { template = ▸\"heavy\", side = \"ours\" } ]",
        "there is no template `heavy` (there are: light)",
    );
    start(
        "units = [ { template = \"light\", side = ▸\"our\" } ]",
        "there is no side `our` (did you mean `ours`?)",
    );
    start("options = { ▸fog = true }", "there is no option `fog` (none is defined yet)");
    start(
        "decks = ▸\"mine\"",
        "there is no way to keep decks `mine` (there are: shared, per_side)",
    );
    whole(
        "[start.▸duel]\ntitle = \"Duel\"\n",
        "the start has 0 sides (a table has 1 to 8: [start.duel.side.ours] title = \"…\")",
    );
    whole(
        "▸[ending.e]\ntitle = \"E\"\n",
        "it is not said when the game is over (add when = \"…\", or none = [ { of = \"…\" } ])",
    );
}

#[test]
fn only_a_number_is_counted_and_only_on_units() {
    let chart = |ask: &str| {
        format!(
            "[chart.c]\ntitle = \"C\"\nwho = {{ tank = \"tank\" }}\nask = {{ n = {ask} }}\nstep = [ {{ roll = \"1d6\", as = \"die\", add = [ {{ label = \"N\", plus = 1, when = \"n == n\" }} ] }} ]\nread = {{ value = \"die\" }}\n"
        )
    };
    let count = |count: &str| chart(&format!("{{ number = \"N\", count = {count} }}"));
    whole(
        &count("{ of = \"tank\", for = \"group\", from = ▸\"tnak\" }"),
        "chart `c` has no role `tnak` (did you mean `tank`?)",
    );
    whole(
        &count("{ of = \"tank\", for = ▸\"hex\", from = \"tank\" }"),
        "there is no relation `hex` (there are: group, joined, side, enemy, all)",
    );
    whole(
        &count("{ of = \"tank\", for = \"group\", from = \"tank\", when = ▸\"tank.pinned\" }"),
        "what is counted depends on the units counted alone, on options and on what the table remembers (speak of `other` only: !other.…)",
    );
    whole(
        &chart(
            "{ choice = [\"a\", \"b\"], count = ▸{ of = \"tank\", for = \"group\", from = \"tank\" } }",
        ),
        "only a number, or whether there is such a unit, can be counted on the roster (make the question a number without at_least, or a yes_no without sum, least and most)",
    );
}

#[test]
fn endings_and_memory_of_sides_are_checked() {
    let head = "[unit.man]\ntitle = \"Man\"\n[memory]\nlost = { number = \"Lost\", default = 0, per = \"side\" }\n\
        [chart.c]\ntitle = \"C\"\nwho = { man = \"man\" }\nread = { rows = [ { all = \"hit\" } ] }\n\
        [result.hit]\ntitle = \"Hit\"\neffects = [ { remember = \"lost\", by = \"side.lost + man.side.lost\" } ]\n[ending.e]\ntitle = \"E\"\n";
    sound(&format!("{head}when = \"side.lost > 3\"\nwins = \"side\"\n"));
    pack(
        &format!("{head}when = \"▸memory.lost > 3\"\n"),
        "there is no name `memory.lost` here (there are: side.lost)",
    );
    pack(
        &format!("{head}when = \"side.lost > 3\"\nwins = ▸\"enemies\"\n"),
        "there is no winner `enemies` (there are: side, enemy, none)",
    );
    pack(
        &format!("{head}when = \"yes\"\nwins = ▸\"enemy\"\n"),
        "`enemy` has won, but the condition names no side (write when = \"side.… >= 4\", or wins = { most = \"side.…\" })",
    );
    pack(
        &format!("{}when = \"side.lost > 3\"\n", head.replace("per = \"side\"", "per = ▸\"unit\"")),
        "there is no owner of a memory `unit` (there are: side)",
    );
}

#[test]
fn a_value_is_not_worked_out_from_itself() {
    let unit = |has: &str| {
        format!(
            "[unit.man]\ntitle = \"Man\"\n[unit.man.has]\n{has}[chart.c]\ntitle = \"C\"\nread = {{ value = 1 }}\n"
        )
    };
    pack(
        &unit("a = { work_out = \"▸unit.b + 1\" }\nb = { work_out = 2 }\nc = { number = \"C\" }\n")
            .replace("unit.b + 1", "unit.a + 1"),
        "`unit.a` is worked out from itself (work it out from other values)",
    );
    pack(
        &unit("a = { work_out = \"▸unit.q\" }\nc = { number = \"C\" }\n"),
        "there is no name `unit.q` here (did you mean `unit.c`?)",
    );
    sound(&unit(
        "a = { work_out = \"unit.b + unit.c\" }\nb = { work_out = 2 }\nc = { number = \"C\" }\n",
    ));
}
