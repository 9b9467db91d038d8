#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Games in progress, through the command: consent, logs that travel, two processes at once, packs
//! that change, stores that are damaged, names that complete.

#[path = "../../store/tests/common/mod.rs"]
mod common;

mod bench;

use bench::{adjutant, done, fails, hill, json, run};
use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Stdio};

const FIRE: [&str; 6] = ["play", "Hill", "fire", "firer=Rifles", "target=grenadiers", "ammo=hesa"];

#[test]
fn what_a_status_rules_out_is_played_only_anyway_and_the_log_shows_it() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    hill(dir);
    done(dir, &["unit", "set", "Hill", "Grenadiers", "--put-on", "out_of_action"]);
    let fire = [&FIRE[..], &["--dice", "6,4"]].concat();
    fails(dir, &fire, 2, "Grenadiers: “Out of Action” rules out AP, HE or small-arms fire");
    fails(dir, &fire, 2, "Add --anyway to allow it");
    assert!(
        done(dir, &[&fire[..], &["--anyway"]].concat())
            .contains("Allowed anyway: Grenadiers (Out of Action)")
    );
    let log = done(dir, &["game", "log", "Hill"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(log.contains("Allowed anyway: Grenadiers (Out of Action)."), "{log}");
    assert!(done(dir, &["game", "show", "Hill"]).contains("Allowed anyway: event 7"));
    assert_eq!(json(dir, &["game", "show", "Hill"])["anyway"], serde_json::json!([7]));
    done(dir, &["verify", "Hill"]);
}

#[test]
fn a_roll_is_undone_only_with_the_others_consent_and_stays_visible() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    hill(dir);
    let played = json(dir, &[&FIRE[..], &["--dice", "6,4"]].concat());
    assert_eq!(
        (&played["event"]["n"], &played["event"]["do"]["play"]["results"][0]["id"]),
        (&6.into(), &"suppressed".into())
    );
    assert_eq!(
        (&played["changed"][0]["name"], &played["changed"][0]["statuses"][0]),
        (&"Grenadiers".into(), &"suppressed".into())
    );
    assert_eq!(played["resolution"]["steps"][0]["total"], 12);
    fails(dir, &["undo", "Hill"], 2, "needs the consent of Axis");
    fails(dir, &["undo", "Hill"], 2, "adjutant undo Hill --ask");
    done(dir, &["undo", "Hill", "--ask"]);
    assert_eq!(json(dir, &["game", "show", "Hill"])["asked"]["by"], "Anna");
    assert!(done(dir, &["consent", "Hill", "--no", "--as", "Bert"]).contains("Refused: Axis"));
    fails(dir, &["undo", "Hill"], 2, "needs the consent of Axis");
    // The consent carries the undo out.
    let consent = json(dir, &["consent", "Hill", "--as", "Bert"]);
    assert_eq!(
        (&consent["event"]["do"]["consent"]["yes"], &consent["carried_out"]["event"]["by"]),
        (&true.into(), &"Anna".into())
    );
    let shown = json(dir, &["game", "show", "Hill"]);
    assert_eq!(
        (&shown["units"][1]["statuses"], &shown["asked"]),
        (&Json::Array(Vec::new()), &Json::Null)
    );
    assert!(
        done(dir, &["game", "log", "Hill"]).contains("(undone) Anna: AP, HE or small-arms fire")
    );
    fails(dir, &["redo", "Hill"], 2, "needs the consent of Axis");
    fails(dir, &["consent", "Hill", "--as", "Bert"], 2, "no consent was asked for");
    // A request that others overtake says so.
    done(dir, &["redo", "Hill", "--ask"]);
    assert!(
        done(dir, &["phase", "Hill", "next", "--as", "Bert"])
            .contains("Anna's request to redo event 6 expired.")
    );
}

#[test]
fn an_ending_is_told_also_while_something_is_due() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    done(dir, &["game", "new", "chain-reaction", "--start", "solo", "--name", "Patrol"]);
    for unit in ["u1", "u2", "u3", "u4"] {
        done(dir, &["unit", "remove", "Patrol", unit, "--word", "killed"]);
    }
    for verb in [&["pending", "Patrol"][..], &["game", "show", "Patrol"]] {
        let shown = done(dir, verb);
        assert!(
            shown.contains("The fight is over.") && shown.contains("Setting up a possible enemy"),
            "{verb:?}: {shown}"
        );
    }
}

#[test]
fn our_dice_are_marked_as_ours_and_those_of_a_chosen_seed_are_not() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    hill(dir);
    let from = |event: &Json| event["event"]["do"]["play"]["inputs"][0]["from"].clone();
    assert_eq!(from(&json(dir, &FIRE)), "ours");
    // The random dice may have put the target out of action.
    let fire = [&FIRE[..], &["--anyway"]].concat();
    assert_eq!(from(&json(dir, &[&fire[..], &["--dice", "6,4"]].concat())), "typed");
    assert_eq!(from(&json(dir, &[&fire[..], &["--seed", "4"]].concat())), "typed");
    fails(dir, &[&fire[..], &["--cards", "4"]].concat(), 2, "draws no cards");
    assert_eq!(json(dir, &["game", "show", "Hill"])["events"], 8, "what failed threw nothing");
}

#[test]
fn a_log_goes_out_and_comes_back_and_a_fork_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    hill(dir);
    done(dir, &[&FIRE[..], &["--dice", "6,4"]].concat());
    let log = done(dir, &["export", "Hill", "--as", "jsonl"]);
    assert!(
        done(dir, &["export", "Hill", "--as", "csv"])
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("6,1,Anna,")
    );
    assert!(done(dir, &["export", "Hill", "--as", "md"]).starts_with("# Hill\n"));
    assert!(done(dir, &["export", "Hill", "--as", "html"]).contains("<h1>Hill</h1>"));
    done(dir, &["export", "Hill", "--as", "jsonl", "-o", "hill.jsonl"]);
    fails(
        dir,
        &["export", "Hill", "--as", "csv", "-o", "hill.jsonl"],
        2,
        "is there already: add --force",
    );
    assert_eq!(std::fs::read_to_string(dir.join("hill.jsonl")).unwrap(), log);
    done(dir, &["import", "hill.jsonl", "--store", "berts.db"]);
    assert_eq!(done(dir, &["export", "Hill", "--as", "jsonl", "--store", "berts.db"]), log);
    // Bert goes on, and the log comes back to Anna.
    done(
        dir,
        &[
            "play",
            "Hill",
            "rally",
            "element=Grenadiers",
            "--anyway",
            "--dice",
            "8",
            "--as",
            "Bert",
            "--store",
            "berts.db",
        ],
    );
    done(
        dir,
        &["export", "Hill", "--as", "jsonl", "-o", "hill.jsonl", "--force", "--store", "berts.db"],
    );
    assert!(done(dir, &["import", "hill.jsonl"]).contains("1 event added, 7 in all"));
    assert!(done(dir, &["import", "hill.jsonl"]).contains("nothing new"));
    assert_eq!(json(dir, &["game", "list"]).as_array().unwrap().len(), 1);
    // Both go on: the player who is later is told where the ways part.
    done(dir, &["game", "note", "Hill", "mine"]);
    done(dir, &["game", "note", "Hill", "his", "--as", "Bert", "--store", "berts.db"]);
    done(
        dir,
        &["export", "Hill", "--as", "jsonl", "-o", "hill.jsonl", "--force", "--store", "berts.db"],
    );
    fails(dir, &["import", "hill.jsonl"], 1, "forks from the game Hill at event 8");
    assert_eq!(json(dir, &["game", "show", "Hill"])["events"], 8);
    let left: Vec<String> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert!(!left.iter().any(|name| name.ends_with(".part")), "{left:?}");
}

#[test]
fn a_log_that_was_touched_is_refused_with_its_event() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    hill(dir);
    done(dir, &[&FIRE[..], &["--dice", "6,4"]].concat());
    let log = done(dir, &["export", "Hill", "--as", "jsonl"]);
    let sound = json(dir, &["verify", "Hill"]);
    let head = sound["head"].as_str().unwrap();
    done(dir, &["verify", "Hill", "--head", head]);
    std::fs::write(
        dir.join("short.jsonl"),
        log.lines().take(5).map(|line| format!("{line}\n")).collect::<String>(),
    )
    .unwrap();
    done(dir, &["verify", "short.jsonl"]);
    fails(
        dir,
        &["verify", "short.jsonl", "--head", head],
        1,
        "does not end with the line it should",
    );
    std::fs::write(dir.join("bad.jsonl"), log.replace("\"dice\":[6]", "\"dice\":[9]")).unwrap();
    fails(dir, &["verify", "bad.jsonl"], 1, "event 6: the result is recorded as Suppressed");
    fails(dir, &["import", "bad.jsonl"], 1, "Nothing was imported");
    fails(dir, &["replay", "bad.jsonl"], 1, "would not come out as recorded");
    std::fs::write(dir.join("none.jsonl"), "{}\n").unwrap();
    fails(dir, &["import", "none.jsonl"], 1, "is not the log of a game");
    fails(dir, &["verify", "nowhere.jsonl"], 2, "there is no file nowhere.jsonl");
}

#[test]
fn a_log_whose_bytes_are_not_those_that_were_hashed_is_not_called_sound() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    hill(dir);
    let log = done(dir, &["export", "Hill", "--as", "jsonl"]);
    let put = |text: &str| std::fs::write(dir.join("log.jsonl"), text).unwrap();
    put(log.trim_end());
    done(dir, &["verify", "log.jsonl"]);
    let third = log.lines().nth(2).unwrap();
    for (text, line) in [
        (log.replace('\n', "\r\n"), "line 1 ends with CR LF"),
        (log.replace(third, &format!("{third}\r")), "line 3 ends with CR LF"),
        (log.replace(third, &format!("\n{third}")), "line 3 is blank"),
        (format!("\n{log}"), "line 1 is blank"),
        (format!("{log}\n"), "line 6 is blank"),
        (format!("{log} \t"), "line 6 is blank"),
    ] {
        put(&text);
        fails(dir, &["verify", "log.jsonl"], 1, line);
        fails(dir, &["verify", "log.jsonl"], 1, "adjutant import");
        let (code, out, _) = run(dir, &["verify", "log.jsonl", "--json"]);
        let told: Json = serde_json::from_str(&out).unwrap();
        assert!(
            code == 1 && told["sound"] == false && told["fault"].as_str().unwrap().contains(line),
            "{told}"
        );
        // What a mail program did to it is no reason to lose a game: the lines themselves are
        // checked.
        done(dir, &["import", "log.jsonl"]);
    }
}

#[test]
fn an_altered_line_in_the_store_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    hill(dir);
    done(dir, &["game", "note", "Hill", "Rain in the morning"]);
    done(dir, &[&FIRE[..], &["--dice", "6,4"]].concat());
    assert!(done(dir, &["game", "check"]).contains("is sound"));
    let bytes = std::fs::read(dir.join("data/adjutant/tables.db")).unwrap();
    let altered = |name: &str, what: &str, to: &str| {
        assert_eq!(what.len(), to.len());
        let place = bytes.windows(what.len()).position(|part| part == what.as_bytes()).unwrap();
        let mut bytes = bytes.clone();
        bytes[place..place + to.len()].copy_from_slice(to.as_bytes());
        std::fs::write(dir.join(name), bytes).unwrap();
    };
    altered("remark.db", "Rain in the morning", "Snow in the morning");
    fails(dir, &["game", "check", "--store", "remark.db"], 1, "is not sound");
    let (_, out, _) = run(dir, &["game", "check", "--store", "remark.db", "--json"]);
    let told: Json = serde_json::from_str(&out).unwrap();
    let table = &told["games"][0];
    assert_eq!((&told["sound"], &table["intact"]), (&Json::Bool(false), &5.into()));
    assert!(table["fault"].as_str().unwrap().contains("altered: event 6:"), "{table}");
    // No line vouches for the last one, but the rules do.
    altered("dice.db", "\"dice\":[6]", "\"dice\":[1]");
    let (code, out, _) = run(dir, &["game", "check", "--store", "dice.db"]);
    assert!(code == 1 && out.contains("altered: event 7:"), "{out}");
    // `export` writes what is there, and says the same.
    for (store, events) in [("remark.db", ["event 6:", "event 7:"]), ("dice.db", ["event 7:"; 2])] {
        for form in ["jsonl", "csv", "md"] {
            let (code, out, err) = run(dir, &["export", "Hill", "--as", form, "--store", store]);
            // A form that is made of the game stops at the line that does not follow.
            let named = events[usize::from(form != "jsonl")];
            assert!(code == 1 && !out.is_empty() && err.contains(named), "{form} {store}: {err}");
        }
    }
}

#[test]
fn a_store_that_other_users_can_read_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path();
    hill(dir);
    let store = dir.join("data/adjutant/tables.db");
    let set = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    set(&store, 0o644);
    // No one else can enter the folders above it.
    done(dir, &["game", "list"]);
    for folder in [dir, &dir.join("data"), &dir.join("data/adjutant")] {
        set(folder, 0o755);
    }
    let (code, _, err) = run(dir, &["game", "list"]);
    assert!(code == 0 && err.contains("could be read by other users") && err.contains("chmod 600"));
    let (code, _, err) = run(dir, &["game", "note", "Hill", "Rain"]);
    assert!(code == 0 && err.contains("It is closed to them now"), "{err}");
    done(dir, &["game", "note", "Hill", "Snow"]);
}

#[test]
fn no_one_joins_under_a_name_that_looks_like_another() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    hill(dir);
    for name in ["bert", "B\u{435}rt"] {
        let join = ["game", "join", "Hill", "--as", name, "--umpire"];
        fails(dir, &join, 2, "looks like `Bert`");
    }
    let sides = ["game", "new", "panzer8", "--side", "Red", "--side", "red"];
    fails(dir, &sides, 2, "look alike");
}

#[test]
fn processes_that_write_at_once_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    hill(dir);
    let note = |n: usize| {
        adjutant(dir)
            .args(["game", "note", "Hill", &format!("note {n}")])
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..12).map(note).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(json(dir, &["verify", "Hill"])["events"], 17);
}

/// A pack of the player's own, a table played by it, and one by another pack.
fn own_game(dir: &Path) {
    std::fs::create_dir_all(dir.join("data/adjutant/packs")).unwrap();
    let made =
        adjutant(&dir.join("data/adjutant/packs")).args(["new", "my-game"]).output().unwrap();
    assert!(made.status.success());
    done(dir, &["game", "new", "my-game", "--name", "Mine"]);
    done(dir, &["play", "Mine", "fire", "firer.attack=3", "target.defence=1", "--dice", "5,3"]);
    hill(dir);
}

/// Takes away the packs that games were started with.
fn forget_packs(dir: &Path) {
    let place = dir.join("data/adjutant/tables.db");
    let place = adjutant_store::StoreLocation::parse(place.to_str().unwrap()).unwrap();
    let store = adjutant_store::open(&place).unwrap();
    for game in store.list(true).unwrap() {
        assert_eq!(store.put_text(&game.id, "pack", 1, "").unwrap(), Some(2));
    }
}

#[test]
fn a_changed_pack_is_tried_against_all_tables() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    own_game(dir);
    assert!(done(dir, &["replay", "--all"]).contains("2 events, all as recorded"));
    let place = dir.join("data/adjutant/packs/my-game/pack.toml");
    let text = std::fs::read_to_string(&place).unwrap();
    let changed = text.replace("{ to = 3,", "{ to = 9,");
    assert_ne!(text, changed, "the skeleton has a row to change");
    std::fs::write(&place, changed).unwrap();
    let (code, out, err) = run(dir, &["replay", "--all"]);
    assert!(
        code == 1
            && out.contains("1 of 2 events would differ")
            && out.contains("5 events, all as recorded"),
        "{out}{err}"
    );
    // It goes on by the rules that it was started with, which the store has kept.
    let other_rules = "has other rules than the game was started with";
    for words in [&["verify", "Mine"][..], &["game", "show", "Mine"]] {
        let (code, out, err) = run(dir, words);
        assert!(code == 0 && out.contains("Mine") && err.contains(other_rules), "{out}{err}");
    }
    // A store of an earlier version has not kept them: the game can still be looked at, and is not
    // played on by other rules.
    forget_packs(dir);
    fails(dir, &["verify", "Mine"], 1, "have changed since the game started");
    let (code, out, err) = run(dir, &["game", "show", "Mine"]);
    assert!(
        code == 1 && out.starts_with("Mine") && err.contains("shown as it was recorded"),
        "{out}{err}"
    );
    fails(dir, &["game", "note", "Mine", "x"], 2, "have changed since the game started");
    // A broken pack and a missing one are named, and the rest goes on.
    std::fs::write(&place, "[pack]\n").unwrap();
    let (_, out, err) = run(dir, &["replay", "--all"]);
    assert!(
        out.contains("cannot be tried: its pack `my-game` cannot be used")
            && err.contains("1 of 2 games would not"),
        "{out}{err}"
    );
    std::fs::remove_dir_all(dir.join("data/adjutant/packs")).unwrap();
    let (code, out, _) = run(dir, &["replay", "--all", "--json"]);
    let list: Json = serde_json::from_str(&out).unwrap();
    let fault = list.as_array().unwrap().iter().find_map(|tried| tried["fault"].as_str()).unwrap();
    assert!(
        code == 1 && fault.contains("its pack `my-game` cannot be used: there is no pack"),
        "{fault}"
    );
    assert_eq!(
        done(dir, &["export", "Mine", "--as", "jsonl"]).lines().count(),
        2,
        "the log itself needs no pack"
    );
    done(dir, &["game", "list"]);
}

#[test]
fn what_is_intact_of_a_damaged_store_is_shown_and_the_file_is_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    hill(dir);
    let rows: String =
        (0..100).map(|n| format!("element,Rifle company number {n},Allies,6,4\n")).collect();
    std::fs::write(dir.join("many.csv"), format!("kind,name,side,hesa,def\n{rows}")).unwrap();
    for _ in 0..4 {
        done(dir, &["unit", "import", "Hill", "many.csv"]);
    }
    let file = dir.join("data/adjutant/tables.db");
    let bytes = std::fs::read(&file).unwrap();
    let cut = &bytes[..bytes.len() - 2 * 4096];
    // A copy keeps the permissions: only the owner reads it.
    std::fs::copy(&file, dir.join("cut.db")).unwrap();
    std::fs::write(dir.join("cut.db"), cut).unwrap();
    assert!(done(dir, &["game", "list", "--store", "cut.db"]).contains("Hill"));
    fails(dir, &["game", "check", "--store", "cut.db"], 1, "is not sound");
    let (code, out, err) = run(dir, &["export", "Hill", "--as", "jsonl", "--store", "cut.db"]);
    assert!(code == 1 && err.contains("damaged"), "{err}");
    assert!(out.lines().count() < 9, "{}", out.lines().count());
    let (code, shown, err) = run(dir, &["game", "show", "Hill", "--store", "cut.db"]);
    assert!(
        code == 1 && err.contains("damaged") && (out.is_empty() || shown.starts_with("Hill")),
        "{shown}{err}"
    );
    fails(dir, &["game", "note", "Hill", "x", "--store", "cut.db"], 2, "cut.db");
    assert_eq!(std::fs::read(dir.join("cut.db")).unwrap(), cut);
    fails(dir, &["game", "list", "--store", "many.csv"], 2, "is not a store of games");
    fails(dir, &["game", "show", "Hill", "--store", "none.db"], 2, "There are no games at none.db");
    assert!(!dir.join("none.db").exists(), "looking makes no file");
}

/// What bash offers after these words.
fn completed(command: &mut Command, words: &[&str]) -> Vec<String> {
    command
        .env("ADJUTANT_COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
        .env("_CLAP_COMPLETE_COMP_TYPE", "9")
        .env("_CLAP_IFS", "\n");
    let output = command.args(["--", "adjutant"]).args(words).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with('-'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn names_complete_in_the_shell_and_faults_are_silent() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    hill(dir);
    done(dir, &["game", "rename", "Hill", "Hill 112"]);
    let complete =
        |store: &str, words: &[&str]| completed(adjutant(dir).env("ADJUTANT_STORE", store), words);
    assert_eq!(complete("", &["game", "show", "Hi"]), ["Hill\\ 112"]);
    assert_eq!(complete("", &["play", "Hill\\ 112", "fi"]), ["fire"]);
    assert_eq!(complete("", &["play", "\"Hill 112\"", "fire", "fi"]), ["firer=", "firer_moved="]);
    assert_eq!(
        complete("", &["play", "Hill\\ 112", "fire", "firer", "="]),
        ["Rifles", "Grenadiers"]
    );
    assert_eq!(complete("", &["play", "Hill\\ 112", "fire", "firer", "=", "Gr"]), ["Grenadiers"]);
    assert_eq!(complete("", &["play", "Hill\\ 112", "fire", "ammo", "=", "h"]), ["hesa"]);
    assert_eq!(complete("", &["unit", "set", "Hill\\ 112", "rif"]), ["Rifles"]);
    assert_eq!(complete("", &["roll", "pan"]), ["panzer8"]);
    assert_eq!(complete("", &["roll", "panzer8", "fire", "am"]), ["ammo="]);
    std::fs::write(dir.join("broken.db"), "not a store").unwrap();
    assert!(complete("broken.db", &["game", "show", "H"]).is_empty());
    let script = done(dir, &["completions", "bash"]);
    assert!(script.contains("== \"=\" ]] ||"), "behind a sign the sign is handed over:\n{script}");
}

#[test]
fn a_table_lives_in_a_database_too() {
    let dir = tempfile::tempdir().unwrap();
    let place = common::Server::shared().fresh();
    let at = |words: &[&str]| done(dir.path(), &[words, &["--store", &place]].concat());
    at(&["game", "new", "panzer8", "--name", "Club"]);
    at(&["unit", "add", "Club", "element", "Rifles", "--side", "Blue", "--status", "suppressed"]);
    at(&["play", "Club", "rally", "element=Rifles", "--dice", "8"]);
    assert!(at(&["game", "show", "Club"]).contains("event 3"));
    assert!(at(&["game", "check"]).contains("is sound"));
    assert!(at(&["verify", "Club"]).starts_with("sound Club: 3 events"));
}

/// The command in a folder that any user may run it from, by a player who is not root.
fn unprivileged(dir: &Path, words: &[&str]) -> (i32, String, String) {
    let program = dir.join("adjutant");
    if !program.exists() {
        // By another process: a file that a thread here writes may be held open by what another
        // thread starts, and then cannot be run.
        assert!(
            Command::new("cp")
                .arg(env!("CARGO_BIN_EXE_adjutant"))
                .arg(&program)
                .status()
                .unwrap()
                .success()
        );
    }
    let mut command = match common::is_root() {
        true => {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&program);
            command
        }
        false => Command::new(&program),
    };
    command
        .current_dir(dir)
        .env("XDG_DATA_HOME", dir.join("nowhere"))
        .env("XDG_STATE_HOME", dir.join("nowhere"))
        .env("HOME", dir.join("nowhere"))
        .env("ADJUTANT_NAME", "Anna");
    let output = command
        .env_remove("ADJUTANT_STORE")
        .env_remove("ADJUTANT_PACKS")
        .args(words)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn a_store_in_a_read_only_folder_is_shown_and_nothing_is_done_to_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    hill(dir);
    let shelf = dir.join("shelf");
    std::fs::create_dir(&shelf).unwrap();
    std::fs::copy(dir.join("data/adjutant/tables.db"), shelf.join("t.db")).unwrap();
    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap()
    };
    mode(dir, 0o755);
    mode(&shelf.join("t.db"), 0o444);
    mode(&shelf, 0o555);
    let before = std::fs::read(shelf.join("t.db")).unwrap();
    let at = |words: &[&str]| unprivileged(dir, &[words, &["--store", "shelf/t.db"]].concat());
    for words in [
        &["game", "show", "Hill"][..],
        &["game", "log", "Hill"],
        &["verify", "Hill"],
        &["export", "Hill", "--as", "jsonl"],
    ] {
        let (code, out, err) = at(words);
        assert!(code == 0 && !out.is_empty(), "{words:?}: {out}{err}");
        assert!(
            err.lines().count() == 1 && err.contains("could be read by other users"),
            "{words:?}: {err}"
        );
    }
    for words in [
        &["game", "note", "Hill", "x"][..],
        &["play", "Hill", "rally", "element=Rifles", "--anyway", "--dice", "7"],
        &["seal", "Hill"],
    ] {
        let (code, out, err) = at(words);
        assert!(
            code == 2 && out.is_empty() && err.contains("shelf/t.db") && err.contains("written"),
            "{words:?}: {out}{err}"
        );
    }
    assert_eq!(std::fs::read(shelf.join("t.db")).unwrap(), before);
    assert_eq!(std::fs::read_dir(&shelf).unwrap().count(), 1, "nothing was left beside it");
    mode(&shelf, 0o755);
}

#[test]
fn a_store_of_a_newer_program_is_refused_and_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    hill(dir);
    let file = dir.join("data/adjutant/tables.db");
    let mut bytes = std::fs::read(&file).unwrap();
    // The form of the file stands in the header of SQLite, the highest byte first.
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    std::fs::write(&file, &bytes).unwrap();
    for words in [
        &["game", "list"][..],
        &["game", "show", "Hill"],
        &["game", "note", "Hill", "x"],
        &["replay", "--all"],
    ] {
        fails(dir, words, 2, "newer");
    }
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

#[test]
fn two_who_roll_at_once_make_one_roll_each_or_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    hill(dir);
    let roll =
        |_| adjutant(dir).args(FIRE).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let children: Vec<_> = (0..6).map(roll).collect();
    let mut made = 0;
    for child in children {
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        let told = err.contains("another player acted first")
            || err.contains("out of action")
            || err.contains("Out of Action");
        assert!(output.status.success() || told, "{err}");
        made += usize::from(output.status.success());
    }
    assert!(made >= 1);
    assert_eq!(json(dir, &["verify", "Hill"])["events"], 5 + made);
}

/// A command of a player in a game of an example.
fn with_examples(dir: &Path, who: &str, words: &[&str]) -> String {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut command = adjutant(dir);
    let output = command.env("ADJUTANT_PACKS", examples).env("ADJUTANT_NAME", who).args(words);
    let output = output.output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{words:?}: {err}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_hand_is_listed_for_its_owner_alone() {
    let dir = tempfile::tempdir().unwrap();
    let run = |who: &str, words: &[&str]| with_examples(dir.path(), who, words);
    run(
        "Anna",
        &["game", "new", "fate-deck", "--name", "Dunes", "--side", "Red", "--side", "Blue"],
    );
    run("Anna", &["game", "join", "Dunes", "--side", "Red"]);
    run("Bert", &["game", "join", "Dunes", "--side", "Blue"]);
    run("Anna", &["unit", "add", "Dunes", "company", "Able", "fire=2", "nerve=5"]);
    run("Bert", &["unit", "add", "Dunes", "company", "Anton", "fire=2", "nerve=5"]);
    run("Anna", &["play", "Dunes", "deal", "company=Able", "--cards", "1,3,5"]);
    let deck = |who: &str| run(who, &["deck", "Dunes"]);
    let (anna, bert) = (deck("Anna"), deck("Bert"));
    assert!(anna.contains("hand of Red: 3 of 3"), "{anna}");
    assert!(anna.contains("hand of Blue: 0 of 3"), "{anna}");
    let title = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/fate-deck/fate.csv"
    ));
    let title = title.unwrap().lines().nth(3).unwrap().split(',').nth(1).unwrap().to_owned();
    assert!(anna.contains(&format!("3 {title}")), "{anna}");
    assert!(bert.contains("hand of Red: 3 of 3") && !bert.contains(&title), "{bert}");
}

#[test]
fn a_bag_is_listed_with_the_units_in_it() {
    let dir = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| with_examples(dir.path(), "Anna", words);
    run(&["game", "new", "order-bag", "--name", "Hedges", "--side", "Red", "--side", "Blue"]);
    run(&["game", "join", "Hedges", "--side", "Red"]);
    run(&["unit", "add", "Hedges", "squad", "Able"]);
    run(&["unit", "add", "Hedges", "squad", "Baker"]);
    run(&["unit", "add", "Hedges", "squad", "Wolf", "--side", "Blue", "--status", "ordered"]);
    let deck = run(&["deck", "Hedges"]);
    assert!(deck.contains("Order bag: 2 chits") && deck.contains("Able, Baker"), "{deck}");
    let drawn = run(&["play", "Hedges", "next-order", "--cards", "1"]);
    assert!(drawn.contains("Able") && drawn.contains("1 in the bag"), "{drawn}");
    let mut command = adjutant(dir.path());
    command.env("ADJUTANT_PACKS", concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples"));
    let squads = completed(&mut command, &["next", "Hedges", "squad", "="]);
    assert_eq!(squads, ["Able", "Baker"], "no squad of another side");
    run(&["next", "Hedges", "squad=Baker", "--dice", "4"]);
    let deck = run(&["deck", "Hedges"]);
    assert!(deck.contains("Order bag: 1 chit\n") && !deck.contains("Baker"), "{deck}");
}

#[test]
fn a_side_goes_by_the_id_and_the_title_of_its_start_and_by_its_own_name() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    done(dir, &["game", "new", "combat-leader", "--name", "Hex", "--start", "own-decks"]);
    for (place, side) in ["first", "FIRST PLAYER", "First player"].into_iter().enumerate() {
        let name = format!("Soldier {place}");
        let said = done(dir, &["unit", "add", "Hex", "soldier", &name, "--side", side]);
        assert!(said.contains("(First player)"), "{said}");
    }
    assert!(done(dir, &["game", "join", "Hex", "--side", "second"]).contains("Second player"));
    fails(dir, &["game", "join", "Hex", "--side", "third"], 2, "there is no side `third`");
}

#[test]
fn a_status_given_like_a_value_is_refused_with_the_flag_for_it() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    done(dir, &["game", "new", "asl-starter-kit", "--name", "Hex", "--start", "one-hex"]);
    let set = |what: &str, says: &str| fails(dir, &["unit", "set", "Hex", "u1", what], 2, says);
    set("broken=yes", "`broken` is a status: add it with --put-on broken");
    set("broken=no", "`broken` is a status: remove it with --lift broken");
    fails(
        dir,
        &["unit", "add", "Hex", "squad", "New", "broken=yes", "--side", "attacker"],
        2,
        "`broken` is a status: add it with --status broken",
    );
    set("crew_exposed=yes", "`crew_exposed`");
}

#[test]
fn a_unit_of_the_stack_is_left_out_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    done(dir, &["game", "new", "asl-starter-kit", "--name", "Hex", "--start", "one-hex"]);
    let attack = ["play", "Hex", "close-combat", "attacker=u2", "defender=u4", "--dice", "6,6"];
    let with = |more: &[&'static str]| [attack.as_slice(), more].concat();
    done(dir, &with(&["--without", "u1,u3", "--without", "Half-squad"]));
    let log = done(dir, &["game", "log", "Hex"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(log.contains("without Leader, Squad 2, Half-squad."), "{log}");
    fails(dir, &with(&["--without", "u2"]), 2, "Squad 1 would not take part anyway");
    fails(dir, &with(&["--without", "Nobody"]), 2, "--without: ");
    fails(dir, &with(&["defender.with_it=5"]), 2, "leave units out instead");
}

#[test]
fn the_printed_sheets_say_what_the_sheets_of_the_games_say() {
    let dir = tempfile::tempdir().unwrap();
    let sheet = |pack: &str| done(dir.path(), &["print", pack, "--sheet", "--as", "md", "-o", "-"]);
    let has = |sheet: &str, part: &str| assert!(sheet.contains(part), "{part}: {sheet}");
    let chain_reaction = sheet("chain-reaction");
    has(&chain_reaction, "How far a possible enemy (Rep 4) comes nearer.");
    has(&chain_reaction, "A possible enemy has Rep 4.");
    has(&sheet("combat-leader"), "An empty deck is reshuffled first.");
    // Only an eliminated leader brings others a morale check: his result is marked in its cell.
    let asl = sheet("asl-starter-kit");
    has(&asl, "| Half-squad or crew             | Eliminated                  |");
    has(&asl, "| SMC, 5 or more                 | Eliminated †                |");
    has(&asl, "- **Eliminated †** → Morale check (NMC)");
    has(&asl, "Possible DM: if the fire could have called for at least a normal check, even if");
}
