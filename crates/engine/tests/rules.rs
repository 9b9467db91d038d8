#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Small charts that pin down how the engine interprets a rule.

use adjutant_dice::EnteredInput;
use adjutant_engine::{Resolution, RuledOutLine, Situation, Step, needs, resolve};
use adjutant_pack::{Files, Pack, read_pack};
use adjutant_wording::en;

const HEAD: &str = "[pack]\nid = \"t\"\ntitle = \"T\"\n[unit.man]\ntitle = \"Man\"\nhas = { skill = { number = \"Skill\", from = 0, to = 9 } }\n\
                    [result]\nmiss = { title = \"Miss\" }\nhit = { title = \"Hit\" }\n";

fn pack(chart: &str) -> Pack {
    let text = format!("{HEAD}[chart.c]\ntitle = \"C\"\n{chart}");
    read_pack(&Files::of([("pack.toml", text)]), None)
        .unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn wanted(pack: &Pack, given: &[(&str, &str)]) -> Vec<String> {
    let mut situation = Situation::new(pack, "c").unwrap();
    given.iter().for_each(|(name, text)| situation.give(name, text).unwrap());
    needs(&situation).into_iter().map(|need| need.key).collect()
}

fn run(pack: &Pack, given: &[(&str, &str)], faces: &[u32]) -> Resolution {
    let mut situation = Situation::new(pack, "c").unwrap();
    given.iter().for_each(|(name, text)| situation.give(name, text).unwrap());
    resolve(&mut situation, &mut EnteredInput::new().with_dice(faces.iter().copied()))
        .unwrap_or_else(|stopped| panic!("{}", en::interrupted(&stopped)))
}

const ROWS: &str =
    "read = { score = \"die\", rows = [ { to = 3, all = \"miss\" }, { all = \"hit\" } ] }\n";

#[test]
fn of_modifiers_that_add_dice_only_the_best_counts_too() {
    let add = "add = [ { label = \"A\", dice = 1, best_of = \"x\" }, { label = \"B\", dice = 2, best_of = \"x\" } ]";
    let resolution = run(
        &pack(&format!("step = [ {{ roll = \"1d6\", as = \"die\", {add} }} ]\n{ROWS}")),
        &[],
        &[1, 2, 3],
    );
    let roll = resolution.rolls().next().unwrap();
    assert_eq!(roll.dice, "3d6");
    assert_eq!(roll.modifiers.iter().map(|line| line.counted).collect::<Vec<_>>(), [false, true]);
    assert_eq!(roll.modifiers[0].because.as_deref(), Some("“B” counts instead"));
}

#[test]
fn either_side_of_an_and_or_an_or_may_settle_it() {
    let ask = "ask = { near = { yes_no = \"Near\" } }\nwho = { man = \"man\" }\n";
    let step = "step = [ { roll = \"1d6\", as = \"die\", add = [ { label = \"M\", plus = 1, when = \"man.skill > 3 && near\" } ] } ]\n";
    let pack = pack(&format!("{ask}{step}{ROWS}"));
    assert_eq!(wanted(&pack, &[("near", "yes")]), ["man.skill"]);
    assert_eq!(wanted(&pack, &[("near", "no")]), [""; 0]);
    assert_eq!(run(&pack, &[("near", "no")], &[4]).result.unwrap().id, "hit");
}

#[test]
fn rows_that_the_score_rules_out_need_nothing() {
    let ask = "ask = { ammo = { choice = [\"ap\", \"he\"] } }\nwho = { man = \"man\" }\n";
    let read = "read = { score = \"ammo\", rows = [ { is = \"ap\", all = { result = \"miss\", value = \"man.skill\" } }, { is = \"he\", all = \"hit\" } ] }\n";
    let one = pack(&format!("{ask}{read}"));
    assert_eq!(wanted(&one, &[("ammo", "ap")]), ["man.skill"]);
    assert_eq!(wanted(&one, &[("ammo", "he")]), [""; 0]);
    let when = "read = { rows = [ { when = \"ammo == 'he'\", all = \"hit\" }, { when = \"man.skill > 2\", all = \"miss\" }, { all = \"hit\" } ] }\n";
    let two = pack(&format!("{ask}{when}"));
    assert_eq!(wanted(&two, &[("ammo", "he")]), [""; 0]);
    assert_eq!(wanted(&two, &[("ammo", "ap")]), ["man.skill"]);
}

#[test]
fn what_a_rule_that_ends_the_chart_needs_is_asked_for_first() {
    let step = "who = { man = \"man\" }\nstep = [ { roll = \"1d6\", as = \"die\", again = [ { when = \"die == 1\", because = \"One\", \
                stop = { when = \"man.skill > 3\", result = \"miss\" } } ] } ]\n";
    let pack = pack(&format!("{step}{ROWS}"));
    assert_eq!(wanted(&pack, &[]), ["man.skill"]);
    assert_eq!(run(&pack, &[("man.skill", "4")], &[1]).result.unwrap().id, "miss");
    assert_eq!(run(&pack, &[("man.skill", "3")], &[1, 6]).result.unwrap().id, "hit");
}

#[test]
fn a_chart_looked_up_does_without_what_it_does_not_need() {
    let there = "[chart.there]\ntitle = \"There\"\nask = { near = { yes_no = \"Near\" } }\nwho = { man = \"man\" }\n\
                 read = { value = \"if(near, man.skill, 0)\" }\n";
    let here = "who = { man = \"man\" }\nask = { near = { yes_no = \"Near\" } }\n\
                step = [ { look_up = \"there\", with = { near = \"near\" }, who = { man = \"man\" }, as = \"l\" } ]\n\
                read = { score = \"l.value\", rows = [ { to = 3, all = \"miss\" }, { all = \"hit\" } ] }\n";
    let pack = pack(&format!("{here}{there}"));
    assert_eq!(wanted(&pack, &[("near", "yes")]), ["man.skill"]);
    assert_eq!(wanted(&pack, &[]), [""; 0]);
    assert_eq!(run(&pack, &[], &[]).result.unwrap().id, "miss");
    assert_eq!(run(&pack, &[("near", "yes"), ("man.skill", "9")], &[]).result.unwrap().id, "hit");
}

#[test]
fn what_an_again_rule_looks_up_is_known_within_that_rule_only() {
    let there = "[chart.there]\ntitle = \"There\"\nread = { rows = [ { all = \"hit\" } ] }\n";
    let step = |stop: &str| {
        format!(
            "step = [ {{ roll = \"1d6\", as = \"die\", again = [ {{ when = \"die == 1\", because = \"One\", look_up = \"there\", as = \"l\"{stop} }} ] }} ]\n"
        )
    };
    let stop = ", stop = { when = \"l.result == 'hit'\", result = \"miss\" }";
    let pack = pack(&format!("{}{ROWS}{there}", step(stop)));
    assert_eq!(run(&pack, &[], &[1]).result.unwrap().id, "miss");
    assert_eq!(run(&pack, &[], &[5]).look_ups().count(), 0);
}

#[test]
fn an_input_asked_again_may_make_another_matter() {
    let step = "who = { man = \"man\" }\nask = { near = { yes_no = \"Near\" } }\nstep = [ { roll = \"1d6\", as = \"die\", \
                add = [ { label = \"M\", plus = \"man.skill\", when = \"near\" } ], \
                again = [ { when = \"die == 1\", because = \"One\", at_most = 1, ask_again = { inputs = [\"near\"] } } ] } ]\n";
    assert_eq!(wanted(&pack(&format!("{step}{ROWS}")), &[("near", "no")]), ["man.skill"]);
}

#[test]
fn a_tally_knows_how_many_were_counted() {
    let chart = "who = { man = \"man\" }\neach = \"man\"\nstep = [ { roll = \"1d6\", as = \"die\" } ]\n\
                 tally = [ { label = \"Ones\", count = \"die == 1\", at_least = 2, result = \"ones\" } ]\n\
                 read = { rows = [ { to = 3, all = \"miss\" }, { all = \"hit\" } ] }\n\
                 [memory.n]\nnumber = \"N\"\ndefault = 0\n[result.ones]\ntitle = \"Ones\"\neffects = [ { remember = \"n\", to = \"score\" } ]\n";
    let pack = pack(chart);
    let members = [("man.a.skill", "1"), ("man.b.skill", "1"), ("man.c.skill", "1")];
    assert_eq!(run(&pack, &members, &[1, 6, 1]).effects[0].says(), "remember n = 2");
}

#[test]
fn a_condition_that_changes_nothing_is_not_asked_for() {
    let step = "who = { man = \"man\" }\nstep = [ { roll = \"1d6\", as = \"die\", add = [ { label = \"M\", plus = \"if(man.skill > 3, 2, 2)\" } ] } ]\n";
    let pack = pack(&format!("{step}{ROWS}"));
    assert_eq!(wanted(&pack, &[]), [""; 0]);
    assert_eq!(run(&pack, &[], &[2]).result.unwrap().id, "hit");
}

#[test]
fn steps_are_listed_in_the_order_they_happened() {
    let there = "[chart.there]\ntitle = \"There\"\nstep = [ { roll = \"1d6\", as = \"inner\" }, { ask = { yes_no = \"Sure?\" }, as = \"sure\" } ]\n\
                 read = { rows = [ { all = \"hit\" } ] }\n";
    let step = "step = [ { roll = \"1d6\", as = \"die\", again = [ { when = \"die == 1\", because = \"One\", look_up = \"there\", as = \"l\" } ] } ]\n";
    let pack = pack(&format!("{step}{ROWS}{there}"));
    let listed = |resolution: &Resolution| -> Vec<String> {
        let name = |step: &Step| match step {
            Step::Roll(roll) => format!("roll {} {:?}", roll.name, roll.faces),
            Step::Answer(answer) => format!("answer {}", answer.key),
            Step::LookUp(look_up) => format!("look-up {}", look_up.found()),
        };
        resolution.steps.iter().map(name).collect()
    };
    let mut situation = Situation::new(&pack, "c").unwrap();
    let faces = |faces: &[u32]| EnteredInput::new().with_dice(faces.iter().copied());
    let whole = resolve(&mut situation, &mut faces(&[1, 4, 6]).with_answer("sure", "yes")).unwrap();
    // The roll stands before what it looks up, although it is finished after it.
    let expected = ["roll die [6]", "roll inner [4]", "answer sure", "look-up Hit"];
    assert_eq!(listed(&whole), expected);
    // A roll without its faces is not listed; one that waits for a look-up is.
    let stopped = |given: &[u32]| {
        let stopped = resolve(&mut situation.clone(), &mut faces(given)).unwrap_err();
        listed(&stopped.resolution)
    };
    assert_eq!(stopped(&[]), [""; 0]);
    assert_eq!(stopped(&[1]), ["roll die [1]"]);
    assert_eq!(stopped(&[1, 4]), ["roll die [1]", "roll inner [4]"]);
}

/// The units that a roll outside a game rules out, each in brief.
fn ruled_out(pack: &Pack, given: &[(&str, &str)]) -> Vec<String> {
    let mut situation = Situation::new(pack, "c").unwrap();
    given.iter().for_each(|(name, text)| situation.give(name, text).unwrap());
    let brief = |line: &RuledOutLine| {
        let of = line.of.as_ref().map_or(String::new(), |of| format!(".{of}"));
        format!("{}{of}: {}", line.role, en::ruled_out_by(&line.by))
    };
    situation.ruled_out().iter().map(brief).collect()
}

#[test]
fn what_was_given_rules_a_unit_out_and_what_was_not_does_not() {
    let status = "[status.shaken]\ntitle = \"Shaken\"\nof = \"man\"\n[status.dazed]\ntitle = \"Dazed\"\nof = \"man\"\nstops = \"c\"\n";
    let only = "only = { man = { when = \"if(how == 'calm', man.shaken, man.skill > 2)\", label = \"those men\" } }\n";
    let ask = "ask = { how = { choice = [\"calm\", \"proud\"] } }\nwho = { man = \"man\" }\n";
    let step = "step = [ { roll = \"1d6\", as = \"die\", add = [ { label = \"P\", plus = 1, when = \"how == 'proud'\" } ] } ]\n";
    let pack = pack(&format!("{only}{ask}{step}{ROWS}{status}"));
    // Nothing is asked for its sake.
    assert_eq!(wanted(&pack, &[]), ["how"]);
    assert_eq!(ruled_out(&pack, &[]), [""; 0]);
    assert_eq!(ruled_out(&pack, &[("how", "calm")]), [""; 0], "it is not known to be calm");
    let known =
        |how: &str, name: &str, value: &str| ruled_out(&pack, &[("how", how), (name, value)]);
    assert_eq!(known("calm", "man.shaken", "no"), ["man: only for those men"]);
    assert_eq!(known("calm", "man.shaken", "yes"), [""; 0]);
    assert_eq!(known("proud", "man.shaken", "no"), [""; 0]);
    assert_eq!(known("proud", "man.skill", "2"), ["man: only for those men"]);
    assert_eq!(known("proud", "man.skill", "3"), [""; 0]);
    // A status that stops the chart, though the chart does not name it.
    assert_eq!(known("calm", "man.dazed", "yes"), ["man: Dazed"]);
    assert_eq!(known("calm", "man.dazed", "no"), [""; 0]);
    // The roll is made all the same.
    let rolled = run(&pack, &[("how", "calm"), ("man.shaken", "no")], &[4]);
    assert_eq!(rolled.result.unwrap().id, "hit");
}

#[test]
fn each_of_several_units_is_ruled_out_by_itself() {
    let only = "only = { man = { when = \"man.skill > 2\", label = \"skilled men\" } }\n";
    let each = "who = { man = \"man\" }\neach = \"man\"\nlands_on = \"man\"\n";
    let step = "step = [ { roll = \"1d6\", as = \"die\" } ]\n";
    let pack = pack(&format!("{only}{each}{step}{ROWS}"));
    let given = [("man.1.skill", "2"), ("man.2.skill", "3"), ("man.3.skill", "0")];
    assert_eq!(
        ruled_out(&pack, &given),
        ["man.1: only for skilled men", "man.3: only for skilled men"]
    );
}
