#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! The command among files: new packs, further packs, own tables, broken folders, closed pipes.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The command in a folder of its own, with no packs of the machine's in sight.
fn adjutant(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adjutant"));
    command
        .current_dir(folder)
        .env_remove("ADJUTANT_PACKS")
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("HOME", folder)
        .stdin(Stdio::null());
    command
}

fn run(folder: &Path, words: &[&str]) -> Output {
    adjutant(folder).args(words).output().unwrap()
}

fn said(output: &Output) -> (i32, String, String) {
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout.clone()).unwrap(),
        String::from_utf8(output.stderr.clone()).unwrap(),
    )
}

#[test]
fn a_new_pack_is_sound_tested_and_can_be_played() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(said(&run(dir.path(), &["new", "my-game"])).0, 0);
    let (code, out, _) = said(&run(dir.path(), &["check", "my-game"]));
    assert_eq!((code, out.as_str()), (0, "sound my-game\n"));
    let (code, out, _) = said(&run(dir.path(), &["test", "my-game", "--coverage"]));
    assert!(
        code == 0 && out.contains("3 passed, 0 failed") && !out.contains("not reached"),
        "{out}"
    );
    let (code, out, _) = said(&run(
        dir.path(),
        &["roll", "my-game", "fire", "firer.attack=3", "target.defence=1", "--dice", "5,3"],
    ));
    assert!(code == 0 && out.starts_with("Destroyed"), "{out}");
    let (code, _, err) = said(&run(dir.path(), &["new", "my-game"]));
    assert!(code == 2 && err.contains("nothing was changed"), "{err}");
}

#[test]
fn toml_1_1_is_a_warning_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(said(&run(dir.path(), &["new", "my-game"])).0, 0);
    let path = dir.path().join("my-game/pack.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let newer = text.replacen("from = 0, to = 12 }", "from = 0,\n  to = 12 }", 1);
    std::fs::write(&path, newer).unwrap();
    let (code, out, err) = said(&run(dir.path(), &["check", "my-game"]));
    assert!(code == 0 && out.contains("sound my-game"), "a warning is no fault: {out}");
    assert!(err.contains("warning: a line break in an inline table is TOML 1.1"), "{err}");
    let line = 1 + text.lines().position(|line| line.contains("from = 0, to = 12 }")).unwrap();
    assert!(err.contains(&format!("my-game/pack.toml:{line}:")), "the attribute's line: {err}");
}

#[test]
fn further_packs_come_from_the_flag_the_variable_and_the_data_folder() {
    let dir = tempfile::tempdir().unwrap();
    for place in ["flag", "variable", "data/adjutant/packs"] {
        std::fs::create_dir_all(dir.path().join(place)).unwrap();
    }
    for (place, id) in [("flag", "one"), ("variable", "two"), ("data/adjutant/packs", "three")] {
        assert_eq!(
            said(&adjutant(&dir.path().join(place)).args(["new", id]).output().unwrap()).0,
            0
        );
    }
    let words = ["packs", "--packs", "flag", "--json"];
    let (code, out, _) = said(
        &adjutant(dir.path())
            .args(words)
            .env("ADJUTANT_PACKS", dir.path().join("variable"))
            .output()
            .unwrap(),
    );
    let list: Vec<serde_json::Value> = serde_json::from_str(&out).unwrap();
    let from = |id: &str| {
        list.iter().find(|pack| pack["id"] == id).unwrap()["from"].as_str().unwrap().to_owned()
    };
    assert_eq!(code, 0);
    assert!(
        from("one").contains("--packs")
            && from("two").contains("ADJUTANT_PACKS")
            && from("three").contains("data folder"),
        "{out}"
    );
    assert_eq!(from("panzer8"), "comes with adjutant");
}

#[test]
fn a_players_own_tables_lie_beside_the_packs_and_are_never_an_edit_of_one() {
    let dir = tempfile::tempdir().unwrap();
    let (code, form, _) = said(&run(dir.path(), &["tables", "combat-leader"]));
    assert!(code == 0 && form.contains("#[table.casualty]"), "{form}");
    let shelf = dir.path().join("data/adjutant/packs");
    std::fs::create_dir_all(&shelf).unwrap();
    std::fs::write(
        shelf.join("combat-leader.tables.toml"),
        "[table.casualty]\nrows = [ { to = 2, all = \"no-effect\" }, { to = 4, all = \"pinned\" }, { all = \"killed\" } ]\n",
    )
    .unwrap();
    let (code, out, err) =
        said(&run(dir.path(), &["roll", "combat-leader", "casualty", "clear=yes", "--cards", "5"]));
    assert!(code == 0 && out.starts_with("Killed"), "{out}{err}");
    std::fs::write(
        shelf.join("combat-leader.tables.toml"),
        "[table.casulty]\nrows = [ { all = \"killd\" } ]\n",
    )
    .unwrap();
    let (code, _, err) =
        said(&run(dir.path(), &["roll", "combat-leader", "casualty", "clear=yes", "--cards", "5"]));
    assert!(
        code == 1
            && err.contains("did you mean `casualty`?")
            && err.contains("combat-leader.tables.toml:1:8"),
        "{err}"
    );
}

#[test]
fn a_players_own_deck_lies_beside_the_packs_or_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let event = ["roll", "panzer8", "event", "--cards", "2"];
    let (code, out, err) = said(&run(dir.path(), &["roll", "panzer8", "event"]));
    assert!(code == 0 && out.starts_with("No card is drawn"), "{out}{err}");
    let (code, _, err) = said(&run(dir.path(), &["draw", "panzer8", "events"]));
    assert!(code == 2 && err.contains("yours to supply: see adjutant tables panzer8"), "{err}");
    let (_, form, _) = said(&run(dir.path(), &["tables", "panzer8"]));
    assert!(form.contains("#[deck.events]") && form.contains("panzer8.events.csv"), "{form}");
    let shelf = dir.path().join("data/adjutant/packs");
    std::fs::create_dir_all(&shelf).unwrap();
    let beside = shelf.join("panzer8.events.csv");
    std::fs::write(
        &beside,
        "title,text,count\nRain,All roads are mud.,1\nFog,No one sees far.,2\n",
    )
    .unwrap();
    let (code, out, err) = said(&run(dir.path(), &event));
    assert!(code == 0 && out.starts_with("Fog: No one sees far."), "{out}{err}");
    let named = dir.path().join("events.csv");
    std::fs::write(&named, "title,text\nRain,Mud.\nQuiet,\n").unwrap();
    let other = [&event[..], &["--tables", named.to_str().unwrap()]].concat();
    let (code, out, err) = said(&run(dir.path(), &other));
    assert!(code == 0 && out.starts_with("Quiet\n"), "{out}{err}");
    std::fs::write(&beside, "title\nRain\n").unwrap();
    let (code, _, err) = said(&run(dir.path(), &event));
    assert!(
        code == 1
            && err.contains("the file has no column `text`")
            && err.contains("panzer8.events.csv:1:1"),
        "{err}"
    );
}

#[test]
fn a_pack_with_faults_is_listed_but_not_run() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("mine/broken")).unwrap();
    std::fs::write(dir.path().join("mine/broken/pack.toml"), "[pack]\nid = \"broken\"\n").unwrap();
    let (code, out, _) = said(&run(dir.path(), &["packs", "--packs", "mine"]));
    assert!(code == 0 && out.contains("has faults: adjutant check mine/broken"), "{out}");
    let (code, _, err) = said(&run(dir.path(), &["roll", "broken", "x", "--packs", "mine"]));
    assert!(
        code == 1 && err.contains("[pack] has no `title`") && err.contains("mine/broken/pack.toml"),
        "{err}"
    );
}

#[test]
fn folders_that_are_no_packs_get_a_sentence() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("empty")).unwrap();
    let (code, _, err) = said(&run(dir.path(), &["check", "empty"]));
    assert!(code == 1 && err.contains("there is no pack.toml in it"), "{err}");
    for (text, part) in [
        (&b"\xff\xfe"[..], "not UTF-8"),
        (&b"[pack"[..], "cannot be read here"),
        (&[b'a'; 2 << 20][..], "at most 1048576"),
    ] {
        std::fs::write(dir.path().join("empty/pack.toml"), text).unwrap();
        let (code, _, err) = said(&run(dir.path(), &["check", "empty"]));
        assert!(code == 1 && err.contains(part), "{err}");
    }
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = adjutant(dir.path())
        .args(["show", "combat-leader", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

#[test]
fn the_resolution_as_json_has_what_scripts_rely_on() {
    let dir = tempfile::tempdir().unwrap();
    let words = [
        "roll",
        "panzer8",
        "fire",
        "ammo=hesa",
        "firer.hesa=6",
        "target.def=4",
        "close=yes",
        "--dice",
        "7,3",
        "--json",
    ];
    let (code, out, _) = said(&run(dir.path(), &words));
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, 0);
    for key in ["pack", "chart", "inputs", "steps", "score", "result", "effects", "next", "needs"] {
        assert!(!json[key].is_null(), "{key}");
    }
    assert_eq!(
        (&json["pack"], &json["chart"], &json["score"]),
        (&"panzer8".into(), &"fire".into(), &7.into())
    );
    assert_eq!(json["result"]["id"], "out-of-action");
    let roll = &json["steps"][0];
    assert_eq!(
        (&roll["as"], &roll["faces"][0], &roll["total"]),
        (&"firer".into(), &7.into(), &14.into())
    );
    let modifiers = roll["modifiers"].as_array().unwrap();
    assert!(
        modifiers.iter().any(|m| m["counted"] == true && m["value"] == 6)
            && modifiers.iter().any(|m| m["counted"] == false)
    );
}

#[test]
fn a_run_that_lacks_something_says_so_in_json_too() {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) = said(&run(
        dir.path(),
        &["roll", "combat-leader", "accuracy", "mod_fp=1", "--cards", "53", "--json"],
    ));
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, &json["needs"][0]["key"], &json["steps"][0]["cards"][0]),
        (2, &"jam".into(), &53.into())
    );
    assert!(err.contains("--answer jam="), "{err}");
}

#[test]
fn the_same_seed_rolls_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let once =
        said(&run(dir.path(), &["roll", "chain-reaction", "pef-move", "--seed", "7", "--json"]));
    assert_eq!(
        once,
        said(&run(dir.path(), &["roll", "chain-reaction", "pef-move", "--seed", "7", "--json"]))
    );
    assert_eq!(once.0, 0);
}

#[test]
fn completions_and_the_manual_are_made() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (code, out, _) = said(&run(dir.path(), &["completions", shell]));
        assert!(code == 0 && out.contains("adjutant"), "{shell}");
    }
    assert_eq!(said(&run(dir.path(), &["man", "pages"])).0, 0);
    assert!(dir.path().join("pages/adjutant-roll.1").is_file());
}

#[test]
fn colour_is_only_for_terminals() {
    let dir = tempfile::tempdir().unwrap();
    assert!(!said(&run(dir.path(), &["packs"])).1.contains('\x1b'));
    assert!(said(&run(dir.path(), &["packs", "--color", "always"])).1.contains('\x1b'));
}

#[test]
fn a_fight_that_is_played_has_the_same_shape_as_one_that_is_weighed() {
    let dir = tempfile::tempdir().unwrap();
    let words = [
        "fight",
        "chain-reaction",
        "exchange-of-fire",
        "--option",
        "shooting=yes",
        "ours.rep=4",
        "theirs.rep=4",
    ];
    let given = ["ours.impact=2", "theirs.impact=2", "--json"];
    let read = |more: &[&str]| -> serde_json::Value {
        let (code, out, err) = said(&run(dir.path(), &[&words[..], &given[..], more].concat()));
        assert_eq!((code, err.as_str()), (0, ""));
        serde_json::from_str(&out).unwrap()
    };
    let weighed = read(&[]);
    let played = read(&["ours=5", "theirs=5", "--seed", "7", "-n", "50"]);
    assert_eq!((&weighed["exact"], &played["exact"]), (&true.into(), &false.into()));
    assert_eq!(
        (&played["samples"], &played["seed"], &played["standings"]),
        (&50.into(), &7.into(), &serde_json::Value::Null)
    );
    for key in weighed.as_object().unwrap().keys() {
        assert!(played.as_object().unwrap().contains_key(key), "{key}");
    }
    let counts = played["ends"]
        .as_array()
        .unwrap()
        .iter()
        .map(|end| end["chance"]["count"].as_u64().unwrap());
    assert_eq!(counts.sum::<u64>(), 50);
    assert_eq!(played["ends"][0]["chance"]["interval_95"].as_array().unwrap().len(), 2);
    assert!(
        weighed["ends"][0]["chance"]["exact"].as_str().unwrap().contains('/'),
        "the whole fraction, however long"
    );
}

#[test]
fn fights_are_listed_and_shown_as_data() {
    let dir = tempfile::tempdir().unwrap();
    let read = |words: &[&str]| -> serde_json::Value {
        serde_json::from_str(&said(&run(dir.path(), words)).1).unwrap()
    };
    let list = read(&["charts", "panzer8", "--json"]);
    let kinds: Vec<(&str, &str)> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (entry["kind"].as_str().unwrap(), entry["id"].as_str().unwrap()))
        .collect();
    assert!(
        kinds.contains(&("chart", "fire")) && kinds.contains(&("fight", "fire-fight")),
        "{kinds:?}"
    );
    let fight = read(&["show", "panzer8", "fire-fight", "--json"]);
    assert_eq!(
        (&fight["sides"][0]["unit"], &fight["actions"][0]["chart"]),
        (&"element".into(), &"fire".into())
    );
    assert_eq!(read(&["show", "panzer8", "--json"])["fights"][0]["id"], "fire-fight");
    assert_eq!(read(&["fight", "chain-reaction", "--json"])[0]["needs_option"], "shooting");
}

#[test]
fn a_plot_is_a_picture_of_the_right_size_that_is_not_blank() {
    let dir = tempfile::tempdir().unwrap();
    let one = ["odds", "panzer8", "rally", "--vary", "lost=0..6", "--plot"];
    let two = [
        "odds",
        "panzer8",
        "fire",
        "ammo=ap",
        "--vary",
        "firer.ap=1..4",
        "--vary",
        "target.def=1..3",
        "--plot",
    ];
    for (words, name) in [(one.as_slice(), "one"), (two.as_slice(), "two")] {
        let [svg, png] = ["svg", "png"].map(|ending| format!("{name}.{ending}"));
        for file in [&svg, &png] {
            let (code, _, err) = said(&run(dir.path(), &[words, &[file.as_str()]].concat()));
            assert_eq!((code, err.as_str()), (0, ""));
        }
        let svg = std::fs::read_to_string(dir.path().join(svg)).unwrap();
        let picture =
            resvg::tiny_skia::Pixmap::decode_png(&std::fs::read(dir.path().join(png)).unwrap())
                .unwrap();
        let length = |name: &str| {
            svg.split_once(&format!(" {name}=\""))
                .unwrap()
                .1
                .split_once('"')
                .unwrap()
                .0
                .parse::<f64>()
                .unwrap()
        };
        assert_eq!(
            [picture.width(), picture.height()],
            ["width", "height"].map(|name| (length(name) * 2.0).ceil() as u32)
        );
        let dots =
            |which: fn(u8) -> bool| picture.pixels().iter().filter(|dot| which(dot.red())).count();
        assert!(
            dots(|red| red < 60) > 2_000 && dots(|red| red == 255) > picture.pixels().len() / 10,
            "{name} is blank"
        );
    }
}

#[test]
fn a_plot_that_cannot_be_written_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("taken.png")).unwrap();
    for (file, left) in [("taken.png", 1), ("nowhere/plot.png", 1)] {
        let (code, _, err) = said(&run(
            dir.path(),
            &["odds", "panzer8", "rally", "--vary", "lost=0..6", "--plot", file],
        ));
        assert!(
            code != 0 && err.starts_with(&format!("adjutant: {file} cannot be written: ")),
            "{err}"
        );
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), left);
    }
}

#[test]
fn chances_that_take_too_long_are_left_out_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let print = |name: &str, more: &[&str]| {
        let words = ["print", "panzer8", "fire", "rally", "--sheet", "--odds", "-o", name];
        let output = adjutant(folder.path()).args(words).args(more).output().unwrap();
        let sheet = std::fs::read_to_string(folder.path().join(name)).unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap(), sheet)
    };
    let (code, said, sheet) = print("all.md", &[]);
    assert!(code == Some(0) && said.is_empty() && sheet.contains("Chances in %"), "{said}");
    let (code, said, sheet) = print("none.md", &["--max-time", "0"]);
    assert_eq!(code, Some(0));
    assert!(said.contains("take too long and are left out: AP, HE or small-arms fire"), "{said}");
    assert!(said.contains("--max-time"), "{said}");
    assert!(
        !sheet.contains("Chances in %") && sheet.contains("take too long to compute"),
        "{sheet}"
    );
}

#[test]
fn a_cell_too_large_says_so_and_the_command_for_a_sample_names_all_that_was_given() {
    let dir = tempfile::tempdir().unwrap();
    let packs = dir.path().join("my packs");
    std::fs::create_dir_all(packs.join("pile")).unwrap();
    let pack = "[pack]\nid = \"pile\"\ntitle = \"Pile\"\n[chart.pile]\ntitle = \"Pile\"\n\
                ask = { n = { number = \"Dice\", from = 1, to = 200 } }\n\
                step = [ { roll = \"d1000\", count = \"n\", as = \"pile\" } ]\nread = { rows = [ { to = 500, all = \"small\" }, { all = \"great\" } ] }\n\
                [result]\nsmall = { title = \"Small\" }\ngreat = { title = \"Great\" }\n";
    std::fs::write(packs.join("pile/pack.toml"), pack).unwrap();
    let tables = dir.path().join("own.toml");
    std::fs::write(&tables, "").unwrap();
    let ask = |words: &[&str]| {
        let packs = ["--packs", packs.to_str().unwrap()];
        said(&run(dir.path(), &[&["odds", "pile", "pile"], words, &packs].concat()))
    };
    let (code, out, err) = ask(&["--vary", "n=1,200"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("50.0 %") && out.contains("too large"), "{out}");
    let (_, json, _) = ask(&["--vary", "n=1,200", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let large: Vec<bool> =
        json["cells"].as_array().unwrap().iter().map(|cell| cell["too_large"] == true).collect();
    assert_eq!(large, [false, true]);
    let tables = tables.to_str().unwrap();
    for asked in [&["n=200"][..], &["--vary", "n=199,200"]] {
        let (code, _, err) = ask(&[&["--tables", tables], asked].concat());
        assert_eq!(code, 2, "{err}");
        let offered = format!("--packs \"{}\" --tables {tables}", packs.display());
        assert!(err.contains("adjutant sim pile pile") && err.contains(&offered), "{err}");
    }
}

#[test]
fn a_plot_needs_no_varied_input_and_names_what_players_know() {
    let dir = tempfile::tempdir().unwrap();
    let fire = ["odds", "panzer8", "fire", "ammo=hesa", "firer.hesa=6", "target.def=4", "--plot"];
    let (code, out, err) = said(&run(dir.path(), &[&fire[..], &["fire.svg"]].concat()));
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let svg = std::fs::read_to_string(dir.path().join("fire.svg")).unwrap();
    assert!(svg.contains("HE or small arms") && !svg.contains("hesa"), "{svg}");
    assert!(svg.contains(">Out of Action (target)<"), "{svg}");
    let (code, out, _) = said(&run(dir.path(), &[&fire[..], &["-"]].concat()));
    assert!(code == 0 && out.contains("HE or small arms") && out.contains('█'), "{out}");
    let vary = ["odds", "panzer8", "rally", "--vary", "lost=0..3", "--plot", "-"];
    let (code, out, _) = said(&run(dir.path(), &vary));
    let bars = out.lines().filter(|line| line.contains('░') || line.contains('█')).count();
    assert!(code == 0 && bars >= 4, "{out}");
    // A number has the chance of at least so many.
    let number = ["odds", "combat-leader", "d6", "--plot", "d6.svg"];
    assert_eq!(said(&run(dir.path(), &number)).0, 0);
    let svg = std::fs::read_to_string(dir.path().join("d6.svg")).unwrap();
    assert!(svg.contains("at least") && svg.contains("<polyline"), "{svg}");
}

#[test]
fn help_of_a_verb_is_its_help_and_a_word_too_many_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    for verb in [&["roll"][..], &["game", "new"], &[]] {
        let asked = said(&run(dir.path(), &[&["help"], verb].concat()));
        let flag = said(&run(dir.path(), &[verb, &["--help"]].concat()));
        assert_eq!(asked, flag, "{verb:?}");
        assert!(asked.0 == 0 && asked.1.contains("Examples:"), "{}", asked.1);
    }
    let (code, out, err) = said(&run(dir.path(), &["help", "rol"]));
    assert!(code == 2 && out.is_empty() && err.contains("'roll'"), "{err}");
    let (code, _, err) = said(&run(dir.path(), &["help", "roll", "panzer8"]));
    assert!(code == 2 && err.contains("`roll` has no commands of its own"), "{err}");
}

#[test]
fn a_global_option_that_a_verb_does_not_use_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) =
        said(&run(dir.path(), &["schema", "--store", "games.db", "--packs", "more"]));
    assert!(code == 2 && out.is_empty(), "{out}");
    for flag in ["--store", "--packs"] {
        assert!(err.contains(&format!("{flag} has no effect on `schema`")), "{err}");
    }
    let (code, _, err) = said(&run(dir.path(), &["--store", "games.db", "charts", "panzer8"]));
    assert!(code == 2 && err.contains("--store has no effect on `charts`"), "{err}");
    let (code, _, err) = said(&run(dir.path(), &["game", "list", "--tables", "own.toml"]));
    assert!(code == 2 && err.contains("--tables has no effect on `game list`"), "{err}");
}

#[test]
fn a_dash_sends_a_file_to_standard_output_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    for (name, words) in [
        ("fire.pdf", &["print", "panzer8", "fire", "--sheet"][..]),
        ("fire.md", &["print", "panzer8", "fire", "--sheet", "--as", "md"]),
        ("card.png", &["print", "combat-leader", "--cards", "20", "--dpi", "72", "--as", "png"]),
        ("game.vmod", &["print", "panzer8", "rally", "--for", "vassal"]),
        ("panzer8.adjutant", &["pack", "bundle", "panzer8"]),
    ] {
        let to_file = run(dir.path(), &[words, &["-o", name]].concat());
        assert!(to_file.status.success(), "{}", said(&to_file).2);
        let piped = run(dir.path(), &[words, &["-o", "-"]].concat());
        assert!(piped.status.success(), "{name}: {}", String::from_utf8_lossy(&piped.stderr));
        let file = std::fs::read(dir.path().join(name)).unwrap();
        assert!(piped.stdout == file, "{name}: {} bytes", piped.stdout.len());
    }
    assert!(!dir.path().join("-").exists());
}

#[test]
fn standard_output_takes_no_folder_and_not_several_files() {
    let dir = tempfile::tempdir().unwrap();
    for words in [
        &["print", "combat-leader", "--as", "png"][..],
        &["print", "panzer8", "--for", "csv"],
        &["pack", "unpack", "panzer8.adjutant"],
        &["page"],
    ] {
        assert!(run(dir.path(), &["pack", "bundle", "panzer8", "--force"]).status.success());
        let (code, out, err) = said(&run(dir.path(), &[words, &["-o", "-"]].concat()));
        assert!(code == 2 && out.is_empty(), "{words:?}: {err}");
        assert!(err.contains("standard output takes one file"), "{words:?}: {err}");
    }
    let (code, _, err) =
        said(&run(dir.path(), &["print", "panzer8", "--sheet", "--force", "-o", "-"]));
    assert!(code == 2 && err.contains("--force has no effect on standard output"), "{err}");
    assert!(!dir.path().join("-").exists());
}

#[test]
fn the_manual_has_a_page_for_every_verb() {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) = said(&run(dir.path(), &["man", "pages"]));
    assert!(code == 0 && out.contains("manual pages are in pages"), "{out}{err}");
    for page in ["adjutant.1", "adjutant-roll.1", "adjutant-game-new.1", "adjutant-help.1"] {
        assert!(dir.path().join("pages").join(page).is_file(), "{page}");
    }
    let (_, main, _) = said(&run(dir.path(), &["man"]));
    assert_eq!(main, std::fs::read_to_string(dir.path().join("pages/adjutant.1")).unwrap());
}

#[test]
fn an_option_without_an_effect_is_an_error_in_every_verb() {
    let dir = tempfile::tempdir().unwrap();
    for words in [
        "game new panzer8 --name H",
        "game join H --as Anna --side Blue",
        "unit add H element Rifles hesa=6 ap=2 def=4 --side Blue",
        "export H --as jsonl -o h.jsonl",
        "pack bundle panzer8 -o p.adjutant",
    ] {
        let words: Vec<&str> = words.split_whitespace().collect();
        assert_eq!(said(&run(dir.path(), &words)).0, 0, "{words:?}");
    }
    for (words, why) in [
        ("fight panzer8 --seed 3 --vary ours=1..2", "--seed has no effect on the list of fights"),
        ("game new chain-reaction --cards-open", "--cards-open is for decks, and Chain Reaction"),
        ("game new chain-reaction --decks-per-side", "--decks-per-side is for decks"),
        ("roll 2d6 --dice 3,4 --seed 1", "--seed has no effect beside --dice"),
        (
            "roll panzer8 rally element.quality=0 --dice 3 --seed 1",
            "--seed has no effect, because all of the luck is yours",
        ),
        ("phase H --as Bert", "--as has no effect where nothing is changed"),
        ("option H --as Bert", "--as has no effect where nothing is changed"),
        ("memory H --as Bert", "--as has no effect where nothing is changed"),
        ("deck H --deck action", "--deck has no effect while the decks are only shown"),
        ("play H rally --deck-of Blue", "--deck-of has no effect in this game"),
        (
            "play H rally element=Rifles --anyway --dice 3 --side Red",
            "--side has no effect on “Recover or",
        ),
        ("play H --seed 3", "--seed has no effect without a chart"),
        ("next H --skip --reason late --dice 3", "cannot be used with"),
        ("odds panzer8 rally element.quality=0 --plot - --json", "--json has no effect beside"),
        (
            "fight panzer8 fire-fight ours.hesa=6 ours.def=4 theirs.hesa=5 theirs.def=4 --seed 3",
            "--seed has no effect here, because the odds are exact",
        ),
        (
            "fight panzer8 fire-fight ours.hesa=6 ours.def=4 theirs.hesa=5 theirs.def=4 -n 500",
            "--samples has no effect here, because the odds are exact",
        ),
        (
            "fight panzer8 fire-fight ours.hesa=6 ours.def=4 theirs.hesa=5 theirs.def=4 --vary ours=1..2 --of ours --json",
            "--of has no effect beside --json",
        ),
        ("sim combat-leader stoppage --answer jam=1/6 --hand 3", "--hand has no effect on a fight"),
        (
            "sim combat-leader stoppage --answer jam=1/6 --follow",
            "--follow has no effect on a fight",
        ),
        ("odds panzer8 rally --option cover_adds=yes --option cover_adds=no", "is given twice"),
        ("game new panzer8 --option cover_adds=yes --option cover_adds=no", "is given twice"),
        ("import h.jsonl --name Other", "--name has no effect on a game that is here already"),
        ("pack bundle panzer8 --with-tables", "--with-tables has no effect on panzer8"),
        ("pack add p.adjutant --index https://x.org/", "--index has no effect on a bundle"),
        ("seal H --rules --as Bert", "--as has no effect beside --rules"),
        ("seal H --rules --json", "--json has no effect beside --rules"),
        ("seal H --as Anna --accept-cut", "--accept-cut has no effect on this log"),
        ("seal H --rules --length 5", "cannot be used with"),
        ("print panzer8 --sheet -o a.pdf --url https://x.org", "cannot be used with"),
    ] {
        let words: Vec<&str> = words.split_whitespace().collect();
        let (code, out, err) = said(&run(dir.path(), &words));
        assert!(code == 2 && out.is_empty() && err.contains(why), "{words:?}: {out}{err}");
    }
    assert!(!dir.path().join("a.pdf").exists());
}
