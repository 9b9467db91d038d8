#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Small packs of one idea each, through the command: values by a word, charts that give a number,
//! the memory of a side, a random pick.

#[allow(dead_code)]
mod bench;

use bench::{done, fails, json};
use std::path::Path;

/// Writes a pack into a folder of its own and gives the folder's name.
fn pack(dir: &Path, name: &str, text: &str) -> String {
    std::fs::create_dir(dir.join(name)).unwrap();
    std::fs::write(dir.join(name).join("pack.toml"), text).unwrap();
    format!("./{name}")
}

const ARMOUR: &str = r#"
[pack]
id = "armour"
title = "Armour"
[unit.tank]
title = "Tank"
[unit.tank.has]
armour = { number = "Armour", from = 0, to = 20, default = 0, by = ["front", "left-side"] }
[chart.fire]
title = "Fire"
who = { firer = "tank", target = "tank" }
lands_on = "target"
step = [ { roll = "1d6", as = "die", add = [ { label = "Armour", plus = "-target.armour['front']" } ] } ]
read = { rows = [ { to = 3, all = "miss" }, { all = "hit" } ] }
[result]
miss = { title = "Miss" }
hit = { title = "Hit", of = "tank", effects = [ { leaves = "lost" } ] }
[fight.duel]
title = "Duel"
[fight.duel.side]
ours = { title = "Ours", unit = "tank", most = 2 }
theirs = { title = "Theirs", unit = "tank", most = 2 }
[[fight.duel.action]]
chart = "fire"
who = { firer = "ours", target = "theirs" }
each = "firer"
[[fight.duel.action]]
chart = "fire"
who = { firer = "theirs", target = "ours" }
each = "firer"
[fight.duel.over]
won = { title = "Won", when = "theirs.count == 0" }
lost = { title = "Lost", when = "ours.count == 0" }
"#;

#[test]
fn a_value_by_a_word_is_named_with_brackets_wherever_a_value_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let armour = &pack(dir, "armour", ARMOUR);
    // The same command with both names says the same.
    for verb in [
        &["roll", armour, "fire", "target.armour[front]=2", "--dice", "5"][..],
        &["odds", armour, "fire", "target.armour['front']=2"],
        &["odds", armour, "fire", "--vary", "target.armour[front]=0..3"],
        &["odds", armour, "fire", "--vary", "target.armour[front]=0..3", "--json"],
        &["sim", armour, "fire", "target.armour[front]=2", "-n", "100", "--seed", "1", "--json"],
        &["fight", armour, "duel", "ours.armour[front]=2"],
        &["fight", armour, "duel", "theirs.armour.front=1", "--vary", "ours.armour[front]=0..2"],
    ] {
        let plain: Vec<String> = (verb.iter())
            .map(|word| word.replace("[front]", "_front").replace("['front']", "_front"))
            .collect();
        let plain: Vec<&str> = plain.iter().map(String::as_str).collect();
        let timed = |text: String| -> String {
            // How long a simulation took is not the same twice.
            text.lines().filter(|line| !line.contains("seconds")).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(timed(done(dir, verb)), timed(done(dir, &plain)), "{verb:?}");
    }
    fails(
        dir,
        &["odds", armour, "fire", "target.armour[front]=2", "target.armour_front=3"],
        2,
        "`target.armour_front` is given twice",
    );
    done(dir, &["game", "new", armour, "--name", "Ford", "--side", "Red"]);
    done(dir, &["unit", "add", "Ford", "tank", "Fox", "armour[front]=4", "armour[left-side]=2"]);
    std::fs::write(dir.join("more.csv"), "name,armour[front]\nOwl,5\n").unwrap();
    done(dir, &["unit", "import", "Ford", "more.csv"]);
    let values = |place: usize| json(dir, &["unit", "list", "Ford"])[place]["has"].clone();
    let both = |front: u8, side: u8| serde_json::json!({ "armour_front": front, "armour_left_side": side });
    assert_eq!(values(0), both(4, 2));
    assert_eq!(values(1)["armour_front"], 5);
    assert!(done(dir, &["unit", "set", "Ford", "Fox", "armour[front]=3"]).contains("Armour"));
    assert_eq!(values(0), both(3, 2));
    // The log has the value's id, and replays.
    let log = done(dir, &["export", "Ford", "--as", "jsonl"]);
    assert!(log.contains("armour_front") && !log.contains("armour["), "{log}");
    done(dir, &["verify", "Ford"]);
    let played = json(
        dir,
        &["play", "Ford", "fire", "firer=Owl", "target=-", "target.armour[front]=6", "--dice", "6"],
    );
    assert_eq!(played["event"]["do"]["play"]["request"]["given"]["target.armour_front"], "6");
}

const LOSSES: &str = r#"
[pack]
id = "losses"
title = "Losses"
[unit.squad]
title = "Squad"
[memory]
lost = { number = "Squads lost", from = 0, to = 20, default = 0, per = "side" }
time = { number = "Time", from = 0, to = 12, default = 0 }
[chart.fire]
title = "Fire"
who = { firer = "squad", target = "squad" }
lands_on = "target"
step = [ { roll = "1d6", as = "die", add = [ { label = "Shaken", plus = 1, when = "target.side.lost >= 2" } ] } ]
read = { rows = [ { to = 3, all = "miss" }, { all = "hit" } ] }
[result]
miss = { title = "Miss" }
hit = { title = "Hit", of = "squad", effects = [ { remember = "lost", by = 1 }, { remember = "time", by = 1 } ] }
"#;

#[test]
fn what_a_side_remembers_is_shown_as_it_is_and_can_be_set_by_hand() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let losses = &pack(dir, "losses", LOSSES);
    let sides = ["--side", "Red", "--side", "The Blues"];
    done(dir, &[&["game", "new", losses, "--name", "Ford"], &sides[..]].concat());
    done(dir, &["unit", "add", "Ford", "squad", "Fox", "--side", "Red"]);
    done(dir, &["unit", "add", "Ford", "squad", "Owl", "--side", "The Blues"]);
    let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fire = ["play", "Ford", "fire", "firer=Fox", "target=Owl", "--dice"];
    let hit = words(done(dir, &[&fire[..], &["5"]].concat()));
    assert!(
        hit.contains("The Blues, Squads lost 1 Time 1")
            || hit.contains("Time 1 The Blues, Squads lost 1"),
        "{hit}"
    );
    assert_eq!(
        words(done(dir, &["memory", "Ford"])),
        "lost=0 --side Red Squads lost a whole number from 0 to 20 \
         lost=1 --side \"The Blues\" Squads lost a whole number from 0 to 20 \
         time=1 Time a whole number from 0 to 12"
    );
    assert_eq!(
        json(dir, &["memory", "Ford"]),
        serde_json::json!({ "lost": { "Red": 0, "The Blues": 1 }, "time": 1 })
    );
    // A side may be named in any case, and what is set counts.
    let set = done(dir, &["memory", "Ford", "lost=2", "--side", "the blues"]);
    assert_eq!(set, "Anna notes: The Blues, Squads lost – 2.\n");
    assert!(words(done(dir, &["game", "show", "Ford"])).contains("The Blues, Squads lost: 2"));
    let shown = json(dir, &["game", "show", "Ford"]);
    assert_eq!(
        shown["side_memory"],
        serde_json::json!([{ "side": "The Blues", "memory": "lost", "value": "2" }])
    );
    assert_eq!(shown["memory"], serde_json::json!({ "time": 1 }));
    assert!(done(dir, &[&fire[..], &["3"]].concat()).contains("Hit"));
    done(dir, &["verify", "Ford"]);
    fails(
        dir,
        &["memory", "Ford", "lost=2"],
        2,
        "each side has a `lost` of its own: name the side",
    );
    fails(
        dir,
        &["memory", "Ford", "time=2", "--side", "Red"],
        2,
        "`time` is the same for all sides: name no side",
    );
    fails(dir, &["memory", "Ford", "lost=2", "--side", "Green"], 2, "there is no side `Green`");
    fails(dir, &["memory", "Ford", "--side", "Red"], 2, "--side has no effect");
}

const MARCH: &str = r#"
[pack]
id = "march"
title = "March"
[chart.pace]
title = "Pace"
ask = { wall = { yes_no = "Wall" } }
read = { value = "if(wall, 1, 4)", unit = "inches" }
[chart.volley]
title = "Volley"
ask = { wall = { yes_no = "Wall" }, wet = { yes_no = "Wet powder" }, band = { yes_no = "Music" } }
step = [ { roll = "2d6", as = "volley", add = [ { label = "Wall", plus = -3, when = "wall" } ] } ]
read = { value = "if(wet, 7, volley)", also = [ { when = "band and volley == 12", label = "Cheers", result = "cheer" } ] }
[result]
cheer = { title = "Cheer" }
"#;

#[test]
fn what_a_modifier_changes_of_a_number_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let march = &pack(dir, "march", MARCH);
    let told = |chart: &str, more: &[&str]| {
        let out = done(dir, &[&["odds", march, chart, "--modifiers"], more].concat());
        let (_, changes) = out.split_once("What would change\n").unwrap();
        changes
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    assert_eq!(told("pace", &[]), ["Wall mean 4 → 1"]);
    // A mean of 7 both times, but no longer from 2 to 12; and what else a chart gives.
    assert_eq!(
        told("volley", &[]),
        [
            "Wall mean 7 → 4",
            "Wet powder mean 7 → 7",
            "numbers 2 to 12 → 7",
            "Music Cheer 0 % → 2.8 %"
        ]
    );
    let found = json(dir, &["odds", march, "pace", "--modifiers"]);
    let mean = |odds: &serde_json::Value| odds["branches"][0]["mean"]["exact"].clone();
    assert_eq!(mean(&found["now"]), "4");
    let means: Vec<_> =
        found["changes"].as_array().unwrap().iter().map(|change| mean(&change["odds"])).collect();
    assert_eq!(means, ["1"]);
}

const PICK: &str = r#"
[pack]
id = "pick"
title = "Pick"
[unit.man]
title = "Man"
has = { nerve = { number = "Nerve", from = 1, to = 6 } }
[chart.volley]
title = "Volley"
who = { target = "man" }
lands_on = "target"
step = [ { roll = "1d6", as = "die" } ]
read = { rows = [ { all = "one-is-hit", next = [ { chart = "who-is-hit", why = "One of them is hit", who = { man = "target" }, for = "group", of = "target", role = "man", all = true } ] } ] }
[chart.who-is-hit]
title = "Who is hit"
who = { man = "man" }
each = "man"
random = "Which of them"
read = { score = "man.nerve", rows = [ { to = 3, all = "falls" }, { all = "hit" } ] }
[result]
one-is-hit = { title = "One is hit" }
hit = { title = "Hit", of = "man" }
falls = { title = "Falls", of = "man" }
"#;

#[test]
fn a_random_pick_takes_the_players_own_dice_everywhere() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let pick = &pack(dir, "pick", PICK);
    let men = ["man.anne.nerve=3", "man.ben.nerve=5"];
    let roll = |more: &[&str]| done(dir, &[&["roll", pick, "who-is-hit"], &men[..], more].concat());
    assert!(roll(&["--dice", "1"]).contains("Falls") && roll(&["--dice", "2"]).contains("Hit"));
    assert_eq!(roll(&["--seed", "4"]), roll(&["--seed", "4"]));
    fails(dir, &[&["roll", pick, "who-is-hit"], &men[..], &["--own"]].concat(), 2, "too few");
    done(dir, &["game", "new", pick, "--name", "Ford", "--side", "Red"]);
    done(dir, &["unit", "add", "Ford", "man", "Anne", "nerve=3", "--group", "Hill"]);
    done(dir, &["unit", "add", "Ford", "man", "Ben", "nerve=5", "--group", "Hill"]);
    let play = ["play", "Ford", "who-is-hit", "man=Anne,Ben"];
    let result = |words: &[&str]| {
        let played = json(dir, words)["event"]["do"]["play"].clone();
        (played["results"][0]["id"].clone(), played["inputs"][0]["from"].clone())
    };
    assert_eq!(result(&[&play[..], &["--dice", "2"]].concat()), ("hit".into(), "typed".into()));
    assert_eq!(result(&[&play[..], &["--seed", "4"]].concat()).1, "typed");
    done(dir, &["play", "Ford", "volley", "target=Anne", "--dice", "6"]);
    assert_eq!(result(&["next", "Ford", "--dice", "1"]), ("falls".into(), "typed".into()));
    fails(dir, &[&play[..], &["--cards", "2"]].concat(), 2, "draws no cards");
    done(dir, &["verify", "Ford"]);
}

const GUNS: &str = r#"
[pack]
id = "guns"
title = "Guns"
[unit.gun]
title = "Gun"
has = { skill = { number = "Skill", from = 0, to = 3 } }
[chart.shot]
title = "Shot"
who = { gun = "gun", target = "gun" }
lands_on = "target"
ask = { wall = { yes_no = "Wall" } }
step = [ { roll = "1d6", as = "die", add = [ { label = "Skill", plus = "gun.skill" }, { label = "Wall", plus = -1, when = "wall" } ] } ]
read = { rows = [ { to = 4, all = "miss" }, { all = "hit" } ] }
[result]
miss = { title = "Miss" }
hit = { title = "Hit", of = "gun", effects = [ { leaves = "lost" } ] }
[fight.duel]
title = "Duel"
[fight.duel.side]
ours = { title = "Our guns", unit = "gun", most = 2 }
theirs = { title = "Their guns", unit = "gun", most = 2 }
[[fight.duel.action]]
chart = "shot"
who = { gun = "ours", target = "theirs" }
each = "gun"
[[fight.duel.action]]
chart = "shot"
who = { gun = "theirs", target = "ours" }
each = "gun"
[fight.duel.over]
won = { title = "Our guns win", when = "theirs.count == 0" }
lost = { title = "Their guns win", when = "ours.count == 0" }
"#;

/// Runs the command in a terminal of its own. Each pair is a question and the keys that answer it.
/// Gives all that the terminal showed.
fn in_terminal(dir: &Path, words: &[&str], answers: &[(&str, &str)]) -> String {
    const TERMINAL: &str = r#"
import json, os, pty, select, sys
answers = json.loads(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[2], sys.argv[2:])
shown, since = b"", b""
while select.select([terminal], [], [], 60)[0]:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    shown, since = shown + piece, since + piece
    if answers and answers[0][0].encode() in since:
        os.write(terminal, answers.pop(0)[1].encode())
        since = b""
sys.stdout.buffer.write(shown)
sys.exit(f"not asked: {answers}" if answers else 0)
"#;
    let program = env!("CARGO_BIN_EXE_adjutant");
    let output = std::process::Command::new("python3")
        .args(["-c", TERMINAL, &serde_json::to_string(answers).unwrap(), program])
        .args(words)
        .current_dir(dir)
        .env_remove("ADJUTANT_PACKS")
        .env("TERM", "xterm")
        .env("HOME", dir)
        .output()
        .expect("python3 is there; ./test installs it");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}\n{shown}", String::from_utf8_lossy(&output.stderr));
    shown
}

#[test]
fn a_terminal_asks_for_what_odds_sim_and_fight_lack_and_a_script_gets_the_list() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let guns = &pack(dir, "guns", GUNS);
    let asked = [("Skill", "2\r"), ("Which of these hold?", "\r")];
    let shot = [guns.as_str(), "shot"];
    for (verb, more) in [("odds", &[][..]), ("sim", &["-n", "1000"][..])] {
        let words = [&[verb][..], &shot[..], more].concat();
        fails(dir, &words, 2, "missing: gun.skill=a whole number from 0 to 3  (Gun: Skill)");
        let shown = in_terminal(dir, &words, &asked);
        assert!(shown.contains("Hit") && shown.contains("66."), "{shown}");
        // What is read by a program is not asked for.
        let shown = in_terminal(dir, &[&words[..], &["--json"]].concat(), &[]);
        assert!(shown.contains("missing: gun.skill"), "{shown}");
    }
    // What varies is not asked for, and what is given is not asked again.
    for given in [&["--vary", "gun.skill=1..2"][..], &["gun.skill=2"]] {
        let shown = in_terminal(dir, &[&["odds"], &shot[..], given].concat(), &[]);
        assert!(shown.contains("66.7 %"), "{shown}");
    }
    let fight = ["fight", guns.as_str(), "duel", "ours.skill=2"];
    let shown = in_terminal(dir, &fight, &[("Skill", "3\r")]);
    assert!(shown.contains("Our guns win") && shown.contains("on average"), "{shown}");
    fails(dir, &fight, 2, "missing: theirs.skill");
}
