#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Sealed rolls through the command: two players with a data folder and a store each who exchange
//! nothing but the log.

mod bench;

use bench::{adjutant, done, fails, hill, json, run};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Two players in two houses.
struct Houses {
    _folder: tempfile::TempDir,
    anna: PathBuf,
    bert: PathBuf,
}

impl Houses {
    /// Both have sealed, and both have the whole log.
    fn sealed() -> Houses {
        let folder = tempfile::tempdir().unwrap();
        let [anna, bert] = ["anna", "bert"].map(|name| folder.path().join(name));
        [&anna, &bert].into_iter().for_each(|house| std::fs::create_dir(house).unwrap());
        let houses = Houses { anna, bert, _folder: folder };
        hill(&houses.anna);
        done(&houses.anna, &["unit", "add", "Hill", "element", "Mortar", "hesa=7", "def=3"]);
        assert!(done(&houses.anna, &["seal", "Hill"]).contains("Anna seals a chain of 1000 rolls"));
        houses.to_bert();
        assert!(
            done(&houses.bert, &["seal", "Hill", "--as", "Bert", "--length", "40"])
                .contains("Rolls are sealed now")
        );
        houses.to_anna();
        houses
    }

    fn to_bert(&self) -> String {
        letter(&self.anna, &self.bert)
    }

    fn to_anna(&self) -> String {
        letter(&self.bert, &self.anna)
    }
}

/// The log goes from one to the other.
fn letter(from: &Path, to: &Path) -> String {
    let file = to.join("letter.jsonl");
    done(from, &["export", "Hill", "--as", "jsonl", "-o", file.to_str().unwrap(), "--force"]);
    done(to, &["import", "letter.jsonl"])
}

/// A shot may have put the target out of action already.
const FIRE: [&str; 7] =
    ["play", "Hill", "fire", "firer=Rifles", "target=Grenadiers", "ammo=hesa", "--anyway"];

/// The first player calls, the second shows his link.
fn shot(houses: &Houses, words: &[&str]) -> String {
    let out = done(&houses.anna, words);
    assert!(
        out.contains("Anna confirms the roll.") && out.contains("Bert still owes a link"),
        "{out}"
    );
    houses.to_bert();
    let out = done(&houses.bert, &["reveal", "Hill", "--as", "Bert"]);
    assert!(out.starts_with("Bert confirms the roll."), "{out}");
    houses.to_anna();
    out
}

#[test]
fn a_fire_fight_by_letters_is_rolled_sealed_and_the_log_proves_it() {
    let houses = Houses::sealed();
    let (anna, bert) = (&houses.anna, &houses.bert);
    assert!(shot(&houses, &FIRE).contains("Target  1d10 →"));
    for _ in 0..4 {
        // A shot may have put the target out of action.
        shot(
            &houses,
            &[
                "play",
                "Hill",
                "fire",
                "firer=Mortar",
                "target=Grenadiers",
                "ammo=hesa",
                "soft=yes",
                "--anyway",
            ],
        );
    }
    // Bert calls too.
    done(bert, &["play", "Hill", "rally", "element=Rifles", "--anyway", "--as", "Bert"]);
    let told = houses.to_anna();
    assert!(
        told.contains("Bert calls Recover or rally")
            && told.contains("Anna owes a link: adjutant reveal Hill --as Anna"),
        "{told}"
    );
    assert!(done(anna, &["pending", "Hill"]).contains("Anna owes a link"));
    let shown = json(anna, &["game", "show", "Hill"]);
    assert_eq!(
        (&shown["sealed"]["call"]["by"], &shown["sealed"]["call"]["owes"][0]),
        (&"Bert".into(), &"Anna".into())
    );
    assert_eq!(
        (&shown["sealed"]["circle"][1]["length"], &shown["sealed"]["circle"][1]["left"]),
        (&40.into(), &34.into())
    );
    let made = json(anna, &["reveal", "Hill"]);
    assert_eq!(
        (made["events"].as_array().unwrap().len(), &made["resolution"]["chart"]),
        (2, &"rally".into())
    );
    assert_eq!(made["event"]["do"]["play"]["inputs"][0]["from"], "sealed");
    houses.to_bert();
    fails(bert, &["reveal", "Hill", "--as", "Bert"], 2, "no roll was called");
    let log = done(anna, &["export", "Hill", "--as", "jsonl"]);
    assert_eq!(done(bert, &["export", "Hill", "--as", "jsonl"]), log);
    assert!(done(anna, &["verify", "Hill"]).starts_with("sound Hill"));
    assert!(done(anna, &["replay", "--all"]).contains("all as recorded"));
    tampered(&houses, &log);
}

/// Every way to touch a sealed log is found at its event.
fn tampered(houses: &Houses, log: &str) {
    let lines: Vec<&str> = log.lines().collect();
    let play = lines.iter().position(|line| line.contains("\"do\":{\"play\"")).unwrap();
    let reveal = lines.iter().position(|line| line.contains("\"reveal\"")).unwrap();
    let write =
        |lines: &[String]| std::fs::write(houses.anna.join("bad.jsonl"), lines.join("\n")).unwrap();
    let other = |line: &str, key: &str| {
        let at = line.find(key).unwrap() + key.len();
        let was = line.as_bytes()[at];
        let is = if was == b'1' { '2' } else { '1' };
        format!("{}{is}{}", &line[..at], &line[at + 1..])
    };
    for (place, key) in [(play, "\"dice\":["), (reveal, "\"link\":\""), (reveal, "\"mark\":\"")] {
        let mut bad: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        bad[place] = other(&bad[place], key);
        write(&bad);
        // A mark is opened by the next link, and by the line after it at the latest.
        let (code, out, err) = run(&houses.anna, &["verify", "bad.jsonl"]);
        let near =
            [place + 1, place + 2].iter().any(|event| err.contains(&format!("event {event}: ")));
        assert!(code == 1 && near, "{key}: {out}{err}");
        fails(&houses.anna, &["import", "bad.jsonl"], 1, "Nothing was imported");
    }
    let mut bad: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    bad.remove(reveal);
    write(&bad);
    fails(&houses.anna, &["verify", "bad.jsonl"], 1, &format!("event {}: ", reveal + 1));
}

#[test]
fn secrets_are_the_players_own_and_without_them_no_link_is_shown() {
    let houses = Houses::sealed();
    let (anna, bert) = (&houses.anna, &houses.bert);
    let folder = anna.join("state/adjutant/sealed");
    let file = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().unwrap() == "json");
    let file = file.unwrap();
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(
        std::fs::metadata(anna.join("data/adjutant/tables.db")).unwrap().permissions().mode()
            & 0o777,
        0o600
    );
    let secrets = std::fs::read(&file).unwrap();
    // Who cannot show his own link does not leave a call open.
    let before = done(anna, &["game", "log", "Hill"]);
    std::fs::write(&file, "{").unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    fails(
        anna,
        &["play", "Hill", "rally", "element=Rifles", "--anyway"],
        2,
        "is not a file of secrets, or is damaged",
    );
    assert_eq!(
        std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777,
        0o700,
        "a folder that was open to others is closed"
    );
    std::fs::remove_file(&file).unwrap();
    fails(
        anna,
        &["play", "Hill", "rally", "element=Rifles", "--anyway"],
        2,
        "are not on this device",
    );
    assert_eq!(done(anna, &["game", "log", "Hill"]), before);
    std::fs::write(&file, &secrets).unwrap();
    done(bert, &["play", "Hill", "rally", "element=Rifles", "--anyway", "--as", "Bert"]);
    houses.to_anna();
    std::fs::remove_file(&file).unwrap();
    fails(anna, &["reveal", "Hill"], 2, "are not on this device");
    std::fs::write(&file, "{").unwrap();
    fails(anna, &["reveal", "Hill"], 2, "is not a file of secrets, or is damaged");
    let at_bert = std::fs::read_dir(bert.join("state/adjutant/sealed"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let berts = at_bert.into_iter().find(|path| path.extension().unwrap() == "json").unwrap();
    std::fs::copy(berts, &file).unwrap();
    fails(anna, &["reveal", "Hill"], 2, "holds the secrets of another game or player");
    std::fs::write(&file, secrets).unwrap();
    done(anna, &["reveal", "Hill"]);
    // A new chain takes the place of the old one, and goes on.
    assert!(
        done(anna, &["seal", "Hill", "--length", "3"])
            .contains("ends one chain and seals another of 3 rolls")
    );
    shot(&houses, &FIRE);
    assert!(done(anna, &["verify", "Hill"]).starts_with("sound"));
}

#[test]
fn no_one_sends_a_player_what_he_is_to_have_said_himself() {
    let houses = Houses::sealed();
    shot(&houses, &FIRE);
    houses.to_bert();
    let log = done(&houses.bert, &["export", "Hill", "--as", "jsonl"]);
    let n = log.lines().count() + 1;
    let forged = |by: &str| {
        let prev = adjutant_game::fingerprint(log.lines().last().unwrap());
        let line = format!(
            r#"{{"n":{n},"at":"t","by":"{by}","prev":"{prev}","do":{{"note":{{"text":"I give up"}}}}}}"#
        );
        std::fs::write(houses.anna.join("letter.jsonl"), format!("{log}{line}\n")).unwrap();
    };
    let before = done(&houses.anna, &["game", "log", "Hill"]);
    forged("Anna");
    let says = format!(
        "event {n} is in the name of Anna, whose sealed rolls are made on this device, but it was not made here. Nothing was imported"
    );
    fails(&houses.anna, &["import", "letter.jsonl"], 1, &says);
    assert_eq!(done(&houses.anna, &["game", "log", "Hill"]), before);
    forged("Bert");
    assert!(done(&houses.anna, &["import", "letter.jsonl"]).contains("Bert remarks: I give up"));
}

#[test]
fn a_log_that_was_rolled_back_gets_no_link() {
    let houses = Houses::sealed();
    let (anna, bert) = (&houses.anna, &houses.bert);
    let before = std::fs::read(bert.join("data/adjutant/tables.db")).unwrap();
    shot(&houses, &FIRE);
    // Bert's store is put back to where it stood, and another roll is called in it.
    std::fs::write(bert.join("data/adjutant/tables.db"), before).unwrap();
    let again = adjutant(bert)
        .args(["play", "Hill", "rally", "element=Rifles", "--anyway", "--as", "Bert"])
        .output()
        .unwrap();
    let err = String::from_utf8(again.stderr).unwrap();
    assert!(!again.status.success() && err.contains("the log has been rolled back"), "{err}");
    assert!(done(anna, &["verify", "Hill"]).starts_with("sound"));
}

#[test]
fn a_roll_is_not_repeated_in_a_log_cut_just_before_the_link() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    hill(dir);
    done(dir, &["seal", "Hill"]);
    done(dir, &["seal", "Hill", "--as", "Bert"]);
    done(dir, &FIRE);
    let store = dir.join("data/adjutant/tables.db");
    let before = std::fs::read(&store).unwrap();
    done(dir, &["reveal", "Hill", "--as", "Bert"]);
    // Anna does not like the dice: Bert's link and the play are deleted, and she takes back a call
    // that no one has answered.
    std::fs::write(&store, before).unwrap();
    done(dir, &["withdraw", "Hill"]);
    done(dir, &FIRE);
    assert!(done(dir, &["verify", "Hill"]).starts_with("sound"));
    fails(dir, &["reveal", "Hill", "--as", "Bert"], 2, "cut or forked");
    fails(dir, &["reveal", "Hill", "--as", "Bert"], 2, "adjutant seal Hill --as Bert --accept-cut");
    fails(dir, &["seal", "Hill", "--as", "Bert"], 2, "cut or forked");
    // Bert may accept the log as it is; that stands in it.
    done(dir, &["withdraw", "Hill"]);
    assert!(
        done(dir, &["seal", "Hill", "--as", "Bert", "--accept-cut"])
            .contains("Bert ends one chain and seals another")
    );
    done(dir, &FIRE);
    assert!(done(dir, &["reveal", "Hill", "--as", "Bert"]).contains("Firer  1d10 →"));
    assert!(done(dir, &["verify", "Hill"]).starts_with("sound"));
}

#[test]
fn a_letter_that_forks_off_before_the_link_gets_no_second_link() {
    let houses = Houses::sealed();
    let (anna, bert) = (&houses.anna, &houses.bert);
    done(anna, &FIRE);
    houses.to_bert();
    done(bert, &["reveal", "Hill", "--as", "Bert"]);
    // Bert's answer has arrived. Anna says that it has not, takes the call back and calls again.
    done(anna, &["withdraw", "Hill"]);
    done(anna, &FIRE);
    let file = bert.join("letter.jsonl");
    done(anna, &["export", "Hill", "--as", "jsonl", "-o", file.to_str().unwrap(), "--force"]);
    fails(bert, &["import", "letter.jsonl"], 1, "forks from");
    done(bert, &["import", "letter.jsonl", "--store", "other.db"]);
    fails(bert, &["reveal", "Hill", "--as", "Bert", "--store", "other.db"], 2, "cut or forked");
    fails(
        bert,
        &[
            "play",
            "Hill",
            "rally",
            "element=Rifles",
            "--anyway",
            "--as",
            "Bert",
            "--store",
            "other.db",
        ],
        2,
        "is open",
    );
}

#[test]
fn the_seat_of_a_player_who_rolls_sealed_is_taken_only_where_the_chain_is() {
    let houses = Houses::sealed();
    fails(
        &houses.bert,
        &["game", "join", "Hill", "--side", "Allies"],
        2,
        "Anna has sealed in this game",
    );
    done(&houses.anna, &["game", "join", "Hill", "--side", "Allies"]);
    done(&houses.bert, &["game", "join", "Hill", "--as", "Bert", "--side", "Axis"]);
    done(&houses.bert, &["game", "join", "Hill", "--as", "Carl", "--side", "Axis"]);
}

#[test]
fn a_call_is_taken_back_and_the_circle_left_by_consent() {
    let houses = Houses::sealed();
    let anna = &houses.anna;
    fails(anna, &[&FIRE[..], &["--dice", "6,4"]].concat(), 2, "--dice cannot be used");
    fails(anna, &[&FIRE[..], &["--as", "Carl"]].concat(), 2, "Carl is not in the sealed group");
    fails(anna, &["withdraw", "Hill"], 2, "no roll was called");
    done(anna, &FIRE);
    fails(anna, &FIRE, 2, "event 9 is open");
    assert!(done(anna, &["withdraw", "Hill"]).contains("No link came from Bert"));
    fails(anna, &["release", "Hill", "Brt"], 2, "did you mean `Bert`?");
    fails(anna, &["release", "Hill", "Bert"], 2, "adjutant release Hill Bert --ask");
    assert!(done(anna, &["release", "Hill", "Bert", "--ask"]).contains("To be asked: Bert"));
    houses.to_bert();
    let out = done(&houses.bert, &["consent", "Hill", "--as", "Bert"]);
    assert!(out.contains("Now Anna may: adjutant release Hill Bert"), "{out}");
    houses.to_anna();
    assert!(done(anna, &["release", "Hill", "Bert"]).contains("Rolls are no longer sealed"));
    assert!(done(anna, &[&FIRE[..], &["--dice", "6,4"]].concat()).contains("Suppressed"));
    assert!(done(anna, &["verify", "Hill"]).starts_with("sound"));
}

/// A line in the words of the log, written into the store by a person who may.
fn written(dir: &Path, by: &str, what: &str) {
    let log = done(dir, &["export", "Hill", "--as", "jsonl"]);
    let last = log.lines().last().unwrap();
    let (n, prev) = (log.lines().count(), adjutant_game::fingerprint(last));
    let line = format!(
        r#"{{"n":{},"at":"2026-11-16T03:00:00Z","by":"{by}","prev":"{prev}","do":{what}}}"#,
        n + 1
    );
    let place = adjutant_store::StoreLocation::default_in(&dir.join("data/adjutant"));
    let store = adjutant_store::open(&place).unwrap();
    let id = store.list(true).unwrap()[0].id;
    store.append(&id, n as u64, &[&line]).unwrap();
}

/// The reproduction of issue 14: Anna writes Bert's consent into the store, and undoes a roll.
#[test]
fn a_consent_in_the_name_of_another_is_refused_or_not_confirmed() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    hill(dir);
    done(dir, &["seal", "Hill"]);
    let out = done(dir, &["seal", "Hill", "--as", "Bert"]);
    assert!(out.contains("Who may take back what:"), "{out}");
    done(dir, &FIRE);
    done(dir, &["reveal", "Hill", "--as", "Bert"]);
    fails(dir, &["undo", "Hill"], 2, "needs the consent of Bert");
    done(dir, &["undo", "Hill", "--ask"]);
    let store = dir.join("data/adjutant/tables.db");
    let before = std::fs::read(&store).unwrap();
    let ask = done(dir, &["export", "Hill", "--as", "jsonl"]).lines().count();
    written(dir, "Bert", &format!(r#"{{"consent":{{"ask":{ask},"yes":true}}}}"#));
    fails(dir, &["verify", "Hill"], 1, "this has no mark of Bert");
    std::fs::write(&store, before).unwrap();
    let mark = "ab".repeat(32);
    written(dir, "Bert", &format!(r#"{{"consent":{{"ask":{ask},"yes":true,"mark":"{mark}"}}}}"#));
    done(dir, &["undo", "Hill"]);
    let out = done(dir, &["verify", "Hill"]);
    let forged = format!("No link of Bert has confirmed that Bert made event {}", ask + 1);
    assert!(out.contains(&forged), "{out}");
    done(dir, &FIRE);
    fails(dir, &["reveal", "Hill", "--as", "Bert"], 2, "this device did not make it");
}

#[test]
fn verify_counts_what_was_taken_back_and_says_how_far_the_log_is_confirmed() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    hill(dir);
    let rules = done(dir, &["seal", "Hill", "--rules", "--silent", "stands"]);
    assert!(rules.contains("a call stands once a link is shown"), "{rules}");
    done(dir, &["seal", "Hill", "--silent", "30"]);
    fails(dir, &["seal", "Hill", "--as", "Bert", "--silent", "stands"], 2, "agreed otherwise");
    done(dir, &["seal", "Hill", "--as", "Bert"]);
    done(dir, &FIRE);
    done(dir, &["reveal", "Hill", "--as", "Bert"]);
    let out = done(dir, &["verify", "Hill"]);
    assert!(out.contains("no player could foresee or choose it"), "{out}");
    assert!(out.contains("Not every member has confirmed the log"), "{out}");
    done(dir, &FIRE);
    done(dir, &["withdraw", "Hill"]);
    let out = done(dir, &["verify", "Hill"]);
    assert!(out.contains("Anna: 2 calls, withdrew 1 call alone"), "{out}");
    assert!(out.contains("Bert: 0 calls, owed a link to 1 call when it was dropped"), "{out}");
    assert!(out.contains("does not show that no player could choose"), "{out}");
    // The closing seals.
    done(dir, &["seal", "Hill"]);
    done(dir, &["seal", "Hill", "--as", "Bert"]);
    let out = done(dir, &["verify", "Hill"]);
    assert!(out.contains("Every member has confirmed the log up to event"), "{out}");
    let data = json(dir, &["verify", "Hill"]);
    assert_eq!(data["members"][0]["withdrew_alone"], 1);
    assert!(data["confirmed"].as_u64().unwrap() > 0);
}

#[test]
fn both_may_sit_at_one_store() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    hill(dir);
    done(dir, &["seal", "Hill"]);
    done(dir, &["seal", "Hill", "--as", "Bert"]);
    done(dir, &FIRE);
    assert!(
        done(dir, &["reveal", "Hill"]).contains("Bert still owes a link"),
        "nothing is shown twice"
    );
    assert!(done(dir, &["reveal", "Hill", "--as", "Bert"]).contains("Firer  1d10 →"));
    // What rolls nothing needs no call.
    let moved = json(dir, &["game", "show", "Hill"])["events"].as_u64().unwrap();
    done(dir, &["phase", "Hill", "next"]);
    assert_eq!(json(dir, &["verify", "Hill"])["events"], moved + 1);
}

#[test]
fn a_question_in_mid_course_is_answered_by_who_called() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    done(dir, &["game", "new", "combat-leader", "--name", "Night"]);
    for (who, side) in [("Anna", "Blue"), ("Bert", "Red")] {
        done(dir, &["game", "join", "Night", "--as", who, "--side", side]);
        done(dir, &["seal", "Night", "--as", who]);
    }
    // A jam comes up sooner or later: three cards of sixty bring it on, and the deck gets smaller.
    for _ in 0..70 {
        done(dir, &["play", "Night", "accuracy", "mod_fp=1"]);
        let out = done(dir, &["reveal", "Night", "--as", "Bert"]);
        if out.contains("All links are there: adjutant reveal Night --as Anna") {
            fails(dir, &["reveal", "Night", "--as", "Bert"], 2, "Anna called, and answers");
            fails(dir, &["reveal", "Night"], 2, "--answer jam=");
            let out = done(dir, &["reveal", "Night", "--answer", "jam=yes"]);
            assert!(
                out.contains("jam") || out.contains("Jam") || out.contains("goes on with the call"),
                "{out}"
            );
            assert!(done(dir, &["verify", "Night"]).starts_with("sound"));
            return;
        }
        let due: Vec<serde_json::Value> =
            serde_json::from_str(&done(dir, &["pending", "Night", "--json"])).unwrap();
        for test in due {
            done(
                dir,
                &[
                    "next",
                    "Night",
                    "--id",
                    test["id"].as_str().unwrap(),
                    "--skip",
                    "--reason",
                    "no one is there",
                ],
            );
        }
    }
    panic!("no question in seventy shots");
}

/// The file of secrets in a folder.
fn file_of_secrets(folder: &Path) -> std::path::PathBuf {
    let mut files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.extension().unwrap() == "json").unwrap()
}

#[test]
fn secrets_in_the_former_folder_are_moved_when_they_are_used() {
    let houses = Houses::sealed();
    let anna = &houses.anna;
    let (new, former) = (anna.join("state/adjutant/sealed"), anna.join("data/adjutant/sealed"));
    std::fs::rename(&new, &former).unwrap();
    let old = file_of_secrets(&former);
    let place = new.join(old.file_name().unwrap());
    let secrets = std::fs::read(&old).unwrap();
    done(anna, &["play", "Hill", "rally", "element=Rifles", "--anyway"]);
    assert!(place.exists() && !former.exists(), "nothing is left behind");
    assert_eq!(std::fs::metadata(&place).unwrap().permissions().mode() & 0o777, 0o600);
    // A crash between writing and removing leaves two equal files.
    let now = std::fs::read(&place).unwrap();
    std::fs::create_dir(&former).unwrap();
    std::fs::write(&old, &now).unwrap();
    let (_, _, err) = run(anna, &["game", "join", "Hill", "--side", "Allies"]);
    assert!(!err.contains("two files of secrets"), "{err}");
    assert!(place.exists() && !old.exists());
    // Two that differ are refused: one of them has forgotten a link.
    std::fs::create_dir_all(&former).unwrap();
    std::fs::write(&old, &secrets).unwrap();
    fails(anna, &["seal", "Hill"], 2, "two files of secrets");
    assert!(place.exists() && old.exists());
}
