#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Packs that travel: bundles, games that bring their pack along, indexes.

use std::path::Path;
use std::process::{Command, Stdio};

/// What a command says: exit code, standard output, standard error.
fn run(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_adjutant"))
        .current_dir(folder)
        .args(words)
        .env_remove("ADJUTANT_PACKS")
        .env_remove("ADJUTANT_STORE")
        .env("ADJUTANT_NAME", "Anna")
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("HOME", folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

/// The same for a command that succeeds: standard output.
#[track_caller]
fn done(folder: &Path, words: &[&str]) -> String {
    let (code, out, err) = run(folder, words);
    assert_eq!(code, 0, "{words:?}: {out}{err}");
    out
}

/// The same for a command that fails with this code: standard error.
#[track_caller]
fn fails(folder: &Path, words: &[&str], code: i32) -> String {
    let (found, out, err) = run(folder, words);
    assert_eq!(found, code, "{words:?}: {out}{err}");
    err
}

const FIRE: [&str; 5] = ["fire", "firer.attack=3", "target.defence=1", "--dice", "5,3"];

/// A folder with the new pack my-game in it.
fn with_pack() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    done(dir.path(), &["new", "my-game"]);
    dir
}

fn words<'w>(first: &[&'w str], rest: &[&'w str]) -> Vec<&'w str> {
    first.iter().chain(rest).copied().collect()
}

#[test]
fn a_bundle_is_taken_wherever_a_folder_is() {
    let dir = with_pack();
    let dir = dir.path();
    let out = done(dir, &["pack", "bundle", "my-game"]);
    assert!(out.contains("fingerprint "), "{out}");
    std::fs::rename(dir.join("my-game"), dir.join("away")).unwrap();
    let file = "my-game.adjutant";
    assert_eq!(done(dir, &["check", file]), "sound my-game\n");
    assert!(done(dir, &["test", file]).contains("3 passed, 0 failed"));
    assert!(done(dir, &words(&["roll", file], &FIRE)).starts_with("Destroyed"));
    done(dir, &words(&["odds", file], &FIRE[..3]));
    done(dir, &["charts", &format!("./{file}")]);
    done(dir, &["show", file, "fire"]);
    done(dir, &["print", file, "--sheet", "-o", "sheet.md"]);
    // In a folder of packs, and named itself, it is found by its name.
    assert!(done(dir, &["packs", "--packs", "."]).contains("my-game"));
    done(dir, &words(&["roll", "my-game", "--packs", file], &FIRE));
    assert!(fails(dir, &["check", "gone.adjutant"], 1).contains("it cannot be read"));
}

#[test]
fn the_same_pack_gives_the_same_bundle_and_its_fingerprint_is_that_of_the_folder() {
    let dir = with_pack();
    let dir = dir.path();
    done(dir, &["pack", "bundle", "my-game", "-o", "a.adjutant"]);
    done(dir, &["pack", "bundle", "a.adjutant", "-o", "b.adjutant"]);
    let read = |name: &str| std::fs::read(dir.join(name)).unwrap();
    assert_eq!(read("a.adjutant"), read("b.adjutant"));
    let hash = |name: &str| {
        let listed = done(dir, &["packs", "--packs", name, "--json"]);
        let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
        listed[0]["hash"].as_str().unwrap().to_owned()
    };
    assert_eq!(hash("a.adjutant"), hash("."));
    let why = fails(dir, &["pack", "bundle", "my-game", "-o", "a.adjutant"], 2);
    assert!(why.contains("--force"), "{why}");
    done(dir, &["pack", "unpack", "b.adjutant", "-o", "back"]);
    for file in ["pack.toml", "cases.toml", "README.md"] {
        assert_eq!(read(&format!("back/{file}")), read(&format!("my-game/{file}")), "{file}");
    }
    assert!(
        fails(dir, &["pack", "unpack", "b.adjutant", "-o", "back"], 2).contains("there already")
    );
}

#[test]
fn a_changed_bundle_is_refused_and_the_reason_is_said() {
    let dir = with_pack();
    let dir = dir.path();
    done(dir, &["pack", "bundle", "my-game"]);
    let path = dir.join("my-game.adjutant");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("1d6", "1d8", 1)).unwrap();
    for verb in [&["check"][..], &["roll"], &["pack", "unpack"]] {
        let why = fails(dir, &words(verb, &["my-game.adjutant"]), 1);
        assert!(why.contains("it was changed after it was made"), "{why}");
    }
}

const PLAY: [&str; 7] =
    ["play", "Mine", "fire", "firer.attack=3", "target.defence=1", "--dice", "5,3"];

#[test]
fn a_log_with_its_pack_is_verified_replayed_and_imported_where_the_pack_never_was() {
    let dir = with_pack();
    let dir = dir.path();
    done(dir, &["game", "new", "my-game", "--name", "Mine"]);
    // The game goes on although no folder has the pack any more.
    std::fs::rename(dir.join("my-game"), dir.join("away")).unwrap();
    done(dir, &PLAY);
    done(dir, &["export", "Mine", "--as", "jsonl", "-o", "log.jsonl"]);
    done(dir, &["export", "Mine", "--as", "jsonl", "--with-pack", "-o", "both.jsonl"]);
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap();
    let (log, both) = (read("log.jsonl"), read("both.jsonl"));
    assert_eq!(both.split_once('\n').unwrap().1, log, "the log itself is the same");

    let elsewhere = tempfile::tempdir().unwrap();
    let there = elsewhere.path();
    std::fs::write(there.join("log.jsonl"), &log).unwrap();
    std::fs::write(there.join("both.jsonl"), &both).unwrap();
    let short = &log.split_once("\"hash\":\"").unwrap().1[..12];
    for verb in ["verify", "import"] {
        let why = fails(there, &[verb, "log.jsonl"], 2);
        for part in ["`my-game`", short, "pack add FILE", "--as jsonl --with-pack", "--packs"] {
            assert!(why.contains(part), "{part}: {why}");
        }
    }
    let (_, tried, _) = run(there, &["replay", "log.jsonl"]);
    assert!(tried.contains("no pack `my-game`") && tried.contains(short), "{tried}");
    assert!(done(there, &["verify", "both.jsonl"]).contains("every line, face and result"));
    assert!(done(there, &["replay", "both.jsonl"]).contains("all as recorded"));
    done(there, &["import", "both.jsonl"]);
    done(there, &PLAY);
    let again = done(there, &["export", "Mine", "--as", "jsonl", "--with-pack"]);
    assert!(again.starts_with(&both), "the pack travels on");
    // The log that comes back without its pack adds to the game here.
    let log = done(there, &["export", "Mine", "--as", "jsonl"]);
    std::fs::write(dir.join("back.jsonl"), log).unwrap();
    assert!(done(dir, &["import", "back.jsonl"]).contains("1 event added"));
}

#[test]
fn a_log_whose_pack_was_changed_is_refused() {
    let dir = with_pack();
    let dir = dir.path();
    done(dir, &["game", "new", "my-game", "--name", "Mine"]);
    done(dir, &PLAY);
    let both = done(dir, &["export", "Mine", "--as", "jsonl", "--with-pack"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let there = elsewhere.path();
    std::fs::write(there.join("changed.jsonl"), both.replacen("1d6", "1d8", 1)).unwrap();
    for verb in ["verify", "replay", "import"] {
        let why = fails(there, &[verb, "changed.jsonl"], 1);
        assert!(why.contains("it was changed after it was made"), "{why}");
    }
    // Another pack of the same name, with a right checksum, is not the one of the game.
    let path = dir.join("my-game/pack.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("{ to = 3,", "{ to = 9,")).unwrap();
    done(dir, &["pack", "bundle", "my-game", "-o", "other.adjutant"]);
    let other = std::fs::read_to_string(dir.join("other.adjutant")).unwrap();
    let log = both.split_once('\n').unwrap().1;
    std::fs::write(there.join("other.jsonl"), other + log).unwrap();
    assert!(fails(there, &["verify", "other.jsonl"], 2).contains("there is no pack `my-game`"));
    assert!(
        fails(dir, &["export", "Mine", "--as", "csv", "--with-pack"], 2).contains("--as jsonl")
    );
}

#[test]
fn the_players_own_tables_travel_with_a_game_and_with_a_bundle_only_if_asked() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    std::fs::create_dir_all(dir.join("data/adjutant/packs")).unwrap();
    let deck = "title,text\nRain,It rains.\nMist,No one sees far.\n";
    std::fs::write(dir.join("data/adjutant/packs/panzer8.events.csv"), deck).unwrap();
    let plain = done(dir, &["pack", "bundle", "panzer8", "-o", "plain.adjutant"]);
    assert!(plain.contains("are not in it"), "{plain}");
    done(dir, &["pack", "bundle", "panzer8", "-o", "own.adjutant", "--with-tables"]);
    let has_deck =
        |name: &str| std::fs::read_to_string(dir.join(name)).unwrap().contains("It rains.");
    assert!(!has_deck("plain.adjutant") && has_deck("own.adjutant"));
    std::fs::remove_dir_all(dir.join("data")).unwrap();
    assert!(
        done(dir, &["draw", "own.adjutant", "events", "--seed", "1"]).contains("Rain")
            || done(dir, &["draw", "own.adjutant", "events", "--seed", "1"]).contains("Mist")
    );
    fails(dir, &["draw", "plain.adjutant", "events"], 2);
}

/// A folder with an index of my-game, and the pack's own folder beside it.
fn with_index() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("public")).unwrap();
    done(&dir.path().join("public"), &["new", "my-game"]);
    std::fs::remove_dir_all(dir.path().join("public/data")).ok();
    done(dir.path(), &["pack", "index", "public", "--title", "Club"]);
    dir
}

#[test]
fn a_pack_is_found_in_an_index_added_updated_and_removed() {
    let dir = with_index();
    let dir = dir.path();
    let index: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(dir.join("public/index.json")).unwrap())
            .unwrap();
    assert_eq!((&index["title"], &index["packs"][0]["id"]), (&"Club".into(), &"my-game".into()));
    let place = format!("file://{}", dir.join("public/index.json").display());
    for from in ["public", "public/index.json", place.as_str()] {
        assert!(done(dir, &["pack", "search", "my", "--index", from]).contains("My Game"));
    }
    assert_eq!(done(dir, &["pack", "search", "nothing", "--index", "public"]), "no pack matches\n");
    assert!(fails(dir, &["pack", "search"], 2).contains("name an index"));
    assert!(fails(dir, &["pack", "add", "other", "--index", "public"], 2).contains("no index has"));

    done(dir, &["pack", "add", "my-game", "--index", "public"]);
    assert!(done(dir, &words(&["roll", "my-game"], &FIRE)).starts_with("Destroyed"));
    assert!(done(dir, &["pack", "list"]).contains("my-game"));
    assert!(done(dir, &["packs", "--json"]).contains("your data folder"));
    assert!(
        done(dir, &["pack", "add", "my-game", "--index", "public"]).contains("is here already")
    );
    assert!(done(dir, &["pack", "update"]).contains("is up to date"));

    // A newer version: what it changes is shown before it is taken.
    let path = dir.join("public/my-game/pack.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("plus = 1, when = \"close\"", "plus = 2, when = \"close\""))
        .unwrap();
    done(dir, &["pack", "index", "public"]);
    let text = std::fs::read_to_string(dir.join("public/index.json")).unwrap();
    assert!(text.contains("\"title\": \"Club\""), "the title stays: {text}");
    let shown = done(dir, &["pack", "update"]);
    assert!(shown.contains("version 1, with other rules"), "{shown}");
    assert!(shown.contains("add Close › plus: 1 → 2") && shown.contains("--yes"), "{shown}");
    let same = |out: String| out.contains("is up to date");
    assert!(!same(done(dir, &["pack", "update"])), "nothing was taken");
    done(dir, &["pack", "update", "my-game", "--yes"]);
    assert!(same(done(dir, &["pack", "update"])));

    done(dir, &["pack", "remove", "my-game"]);
    assert!(fails(dir, &["pack", "remove", "my-game"], 2).contains("no pack `my-game` was added"));
    assert!(!dir.join("data/adjutant/packs/my-game.adjutant").exists());
}

/// An index is remembered by its whole path, so that an update works from any folder. A file in the
/// data folder that was changed or is gone is fetched again.
#[test]
fn an_update_works_from_any_folder_and_mends_a_changed_file() {
    let dir = with_index();
    let dir = dir.path();
    let elsewhere = dir.join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    // The data folder of `run` is that of the folder.
    std::os::unix::fs::symlink(dir.join("data"), elsewhere.join("data")).unwrap();
    done(dir, &["pack", "add", "my-game", "--index", "public"]);
    assert!(done(&elsewhere, &["pack", "update"]).contains("is up to date"));
    let file = dir.join("data/adjutant/packs/my-game.adjutant");
    let whole = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, whole.replacen("1d6", "1d8", 1)).unwrap();
    fails(dir, &["check", "my-game"], 1);
    let out = done(&elsewhere, &["pack", "update", "--yes"]);
    assert!(out.contains("was changed or is gone"), "{out}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole);
    std::fs::remove_file(&file).unwrap();
    done(dir, &["pack", "update", "--yes"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole);
    // The same for a bundle that was added by itself.
    done(dir, &["pack", "remove", "my-game"]);
    done(dir, &["pack", "add", "public/my-game.adjutant"]);
    assert!(done(&elsewhere, &["pack", "update"]).contains("is up to date"));
}

/// Two packs with one id: nobody takes the place of another.
#[test]
fn two_packs_of_one_id_are_told_apart_or_refused() {
    let dir = with_index();
    let dir = dir.path();
    std::fs::create_dir(dir.join("evil")).unwrap();
    done(&dir.join("evil"), &["new", "my-game"]);
    let path = dir.join("evil/my-game/pack.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("1d6", "1d8")).unwrap();
    done(dir, &["pack", "index", "evil"]);
    let both = ["pack", "add", "my-game", "--index", "evil", "--index", "public"];
    let said = fails(dir, &both, 2);
    assert!(said.contains("several indexes have a pack `my-game`"), "{said}");
    done(dir, &["pack", "add", "my-game", "--index", "public"]);
    for words in [&["pack", "add", "my-game", "--index", "evil"][..], &both[..]] {
        fails(dir, words, 2);
    }
    let said = fails(dir, &["pack", "add", "evil/my-game.adjutant"], 2);
    assert!(said.contains("it is from elsewhere"), "{said}");
    assert!(done(dir, &["pack", "update", "--yes"]).contains("is up to date"));
    // In one index, and in one folder.
    let index = dir.join("evil/index.json");
    let text = std::fs::read_to_string(&index).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let entry = json["packs"][0].clone();
    json["packs"].as_array_mut().unwrap().push(entry);
    std::fs::write(&index, json.to_string()).unwrap();
    let said = fails(dir, &["pack", "search", "--index", "evil"], 1);
    assert!(said.contains("it lists `my-game` twice"), "{said}");
    std::fs::rename(dir.join("evil/my-game"), dir.join("evil/copy")).unwrap();
    done(&dir.join("evil"), &["new", "my-game"]);
    let said = fails(dir, &["pack", "index", "evil"], 1);
    assert!(said.contains("has the id `my-game`, too"), "{said}");
    // A folder that is a pack itself, and one without packs.
    assert!(fails(dir, &["pack", "index", "evil/copy"], 2).contains("is a pack itself"));
    assert!(fails(dir, &["pack", "index", "data"], 2).contains("holds no pack"));
    assert!(
        fails(dir, &["pack", "unpack", "public/my-game.adjutant", "-o", "evil"], 2).contains("-o")
    );
}

/// `http://` is read from this machine only, and leads nowhere else.
#[test]
fn an_index_is_tried_on_this_machine() {
    use std::io::{BufRead, BufReader, Write};
    let dir = with_index();
    let dir = dir.path();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let public = dir.join("public");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream);
            let (mut request, mut line) = (String::new(), String::new());
            reader.read_line(&mut request).unwrap();
            while reader.read_line(&mut line).unwrap_or(0) > 2 {
                line.clear();
            }
            let path = request.split(' ').nth(1).unwrap_or("/").trim_start_matches('/').to_owned();
            let (status, body) = match std::fs::read(public.join(&path)) {
                Ok(body) => ("200 OK", body),
                Err(_) if path == "away.json" => {
                    ("302 Found\r\nLocation: http://example.org/index.json", Vec::new())
                }
                Err(_) => ("404 Not Found", Vec::new()),
            };
            let stream = reader.get_mut();
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(&[head.as_bytes(), &body].concat());
        }
    });
    let index = format!("http://127.0.0.1:{port}/");
    for place in [index.as_str(), index.trim_end_matches('/')] {
        assert!(done(dir, &["pack", "search", "--index", place]).contains("My Game"), "{place}");
    }
    done(dir, &["pack", "add", "my-game", "--index", &index]);
    assert!(done(dir, &["pack", "update"]).contains("is up to date"));
    let (code, out, err) = run(dir, &["pack", "search", "--index", &format!("{index}no.json")]);
    assert!(code == 1 && out.is_empty() && err.contains("404"), "{out}{err}");
    let err = fails(dir, &["pack", "search", "--index", &format!("{index}away.json")], 1);
    assert!(err.contains("leads elsewhere"), "{err}");
}

#[test]
fn a_pack_that_is_not_the_pinned_one_or_takes_anothers_place_is_refused() {
    let dir = with_index();
    let dir = dir.path();
    let (index, bundle) = (dir.join("public/index.json"), dir.join("public/my-game.adjutant"));
    let whole = std::fs::read_to_string(&bundle).unwrap();
    // A changed byte, and another bundle with a right checksum.
    std::fs::write(&bundle, whole.replacen("1d6", "1d8", 1)).unwrap();
    assert!(fails(dir, &["pack", "add", "my-game", "--index", "public"], 1).contains("changed"));
    done(dir, &["pack", "bundle", "panzer8", "-o", "public/p.adjutant"]);
    std::fs::copy(dir.join("public/p.adjutant"), &bundle).unwrap();
    let why = fails(dir, &["pack", "add", "my-game", "--index", "public"], 1);
    assert!(why.contains("not the pack that the index names"), "{why}");
    std::fs::write(&bundle, &whole).unwrap();
    // An address that leads out of the folder.
    let text = std::fs::read_to_string(&index).unwrap();
    std::fs::write(&index, text.replace("\"my-game.adjutant\"", "\"../my-game.adjutant\""))
        .unwrap();
    assert!(
        fails(dir, &["pack", "add", "my-game", "--index", "public"], 1).contains("is not used")
    );
    // What an index says is shown without control characters and letters that reorder others.
    std::fs::write(&index, text.replace("My Game", "My \\u001b[31mGame\\u202e")).unwrap();
    let listed = done(dir, &["pack", "search", "--index", "public"]);
    assert!(!listed.contains(['\u{1b}', '\u{202e}']), "{listed:?}");
    std::fs::write(&index, "[]").unwrap();
    assert!(
        fails(dir, &["pack", "add", "my-game", "--index", "public"], 1).contains("not an index")
    );
    // More packs than an index may list, and more bytes than are read.
    let many = |entry: &str, count: usize| {
        let entries = vec![entry; count].join(",");
        format!("{{\"adjutant\":\"index\",\"format\":1,\"packs\":[{entries}]}}")
    };
    let blanks = " ".repeat(400);
    for (entry, why) in [("{}", "lists 6000 packs"), (blanks.as_str(), "bytes that are read")] {
        std::fs::write(&index, many(entry, 6000)).unwrap();
        let said = fails(dir, &["pack", "search", "--index", "public"], 1);
        assert!(said.contains(why), "{said}");
    }
    // A pack of the name of one that comes with adjutant.
    assert!(
        fails(dir, &["pack", "add", "public/p.adjutant"], 2).contains("no other takes its place")
    );
    // A pack of the player's own of that name.
    std::fs::create_dir_all(dir.join("data/adjutant/packs/my-game")).unwrap();
    let why = fails(dir, &["pack", "add", "public/my-game.adjutant"], 2);
    assert!(why.contains("a pack of your own"), "{why}");
    assert!(
        fails(dir, &["pack", "search", "--index", "http://example.org/"], 1).contains("https://")
    );
}

#[test]
fn two_versions_are_compared_by_what_they_change() {
    let dir = with_pack();
    let dir = dir.path();
    done(dir, &["pack", "bundle", "my-game", "-o", "old.adjutant"]);
    assert_eq!(done(dir, &["diff", "old.adjutant", "my-game"]), "The rules are the same.\n");
    done(dir, &["game", "new", "my-game", "--name", "Mine"]);
    done(dir, &PLAY);
    done(dir, &["export", "Mine", "--as", "jsonl", "-o", "log.jsonl"]);
    let git = |words: &[&str]| {
        let done = Command::new("git")
            .current_dir(dir)
            .args(["-c", "user.name=Anna", "-c", "user.email=anna@example.org"])
            .args(words)
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "my-game"]);
    git(&["commit", "-q", "-m", "one"]);
    let path = dir.join("my-game/pack.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("{ to = 3,", "{ to = 9,")).unwrap();
    for before in ["old.adjutant", "HEAD:my-game"] {
        let out = done(dir, &["diff", before, "my-game", "--log", "log.jsonl"]);
        assert!(out.contains("Fire (fire) changed"), "{out}");
        assert!(
            out.contains("the largest shifts") && out.contains(" of the first version fail"),
            "{out}"
        );
        assert!(out.contains("log.jsonl") && out.contains("1 of 2 events would differ"), "{out}");
    }
    let json = done(dir, &["diff", "HEAD:my-game", "my-game", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["games"][0]["game"], "Mine");
    assert_eq!(json["charts"][0]["chances"]["exhaustive"], true);
    assert!(json["charts"][0]["chances"]["shifts"][0]["shift"]["exact"].is_string());
    assert!(fails(dir, &["diff", "HEAD:nothing", "my-game"], 2).contains("git"));
}

/// Packs in git are named as git names them, from any folder of the work tree.
#[test]
fn revisions_of_git_are_compared_from_any_folder() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let packs = dir.join("packs");
    std::fs::create_dir(&packs).unwrap();
    done(&packs, &["new", "my-game"]);
    done(&packs, &["pack", "bundle", "my-game"]);
    let git = |words: &[&str]| {
        let done = Command::new("git")
            .current_dir(dir)
            .args(["-c", "user.name=Anna", "-c", "user.email=anna@example.org"])
            .args(words)
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "packs/my-game", "packs/my-game.adjutant"]);
    git(&["commit", "-q", "-m", "one"]);
    let path = packs.join("my-game/pack.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let change = |plus: &str| {
        let new = format!("plus = {plus}, when = \"close\"");
        std::fs::write(&path, text.replace("plus = 1, when = \"close\"", &new)).unwrap();
    };
    change("2");
    git(&["commit", "-q", "-a", "-m", "two"]);
    // What is not committed counts for the folder, and not for a revision.
    change("3");
    let inside = packs.join("my-game");
    for (folder, before, after, shows) in [
        (dir, "HEAD~1:packs/my-game", "HEAD:packs/my-game", "plus: 1 → 2"),
        (dir, "HEAD:packs/my-game", "packs/my-game", "plus: 2 → 3"),
        (dir, "HEAD~1:packs/my-game.adjutant", "HEAD:packs/my-game/", "plus: 1 → 2"),
        (&packs, "HEAD~1:my-game", "my-game", "plus: 1 → 3"),
        (&packs, "HEAD~1:packs/my-game", "HEAD:./my-game", "plus: 1 → 2"),
        (&inside, "HEAD~1", "HEAD", "plus: 1 → 2"),
        (&inside, "HEAD", ".", "plus: 2 → 3"),
        (&inside, "HEAD:", "pack.toml", "plus: 2 → 3"),
        (&inside, "HEAD~1:packs/my-game/pack.toml", "HEAD", "plus: 1 → 2"),
    ] {
        let out = done(folder, &["diff", before, after]);
        assert!(out.contains(shows), "{before} {after}: {out}");
    }
    for (before, why) in [
        ("nothing:packs/my-game", "git has no revision `nothing` here"),
        ("HEAD:packs/other", "git has no `packs/other` in HEAD"),
        ("HEAD:packs", "HEAD:packs is not a pack: it needs a pack.toml"),
        ("HEAD", "name the pack with HEAD:PATH"),
        ("nothing", "there is no pack `nothing`"),
        ("HEAD:../../etc", "git has no"),
        ("HEAD:--output=x", "git has no"),
    ] {
        let said = fails(dir, &["diff", before, "packs/my-game"], 2);
        assert!(said.contains(why), "{before}: {said}");
    }
    // A faulty pack is told with its place in the commit.
    std::fs::write(&path, format!("{text}\nbroken [")).unwrap();
    git(&["commit", "-q", "-a", "-m", "three"]);
    let said = fails(dir, &["diff", "HEAD:packs/my-game", "HEAD~1:packs/my-game"], 1);
    assert!(said.contains("HEAD:packs/my-game/pack.toml:"), "{said}");
}

/// The games of the store are looked at without being named: those that a change touches are told,
/// those that it does not touch are counted, and those of other packs stay out.
#[test]
fn recorded_games_that_would_come_out_otherwise_are_found_in_the_store() {
    let dir = with_pack();
    let dir = dir.path();
    let same = "my-game/pack.toml";
    let text = std::fs::read_to_string(dir.join(same)).unwrap();
    assert_eq!(done(dir, &["diff", "my-game", "my-game"]), "The rules are the same.\n");
    // The roll of this game is Destroyed by 5 + 3 against 3 + 1.
    done(dir, &["game", "new", "my-game", "--name", "Touched"]);
    done(dir, &words(&["play", "Touched"], &PLAY[2..]));
    done(dir, &["game", "new", "my-game", "--name", "Quiet"]);
    done(dir, &["game", "new", "panzer8", "--name", "Foreign"]);
    // Another version, and another one under a name of its own.
    for (folder, text) in [
        ("next", text.replace("{ to = 3,", "{ to = 9,")),
        ("fork", text.replace("{ to = 3,", "{ to = 9,").replace("\"my-game\"", "\"fork\"")),
    ] {
        std::fs::create_dir(dir.join(folder)).unwrap();
        std::fs::write(dir.join(folder).join("pack.toml"), text).unwrap();
        let out = done(dir, &["diff", "my-game", folder]);
        let games = out.split_once("recorded games by the rules of the second").unwrap().1;
        assert!(games.contains("Touched  1 of 2 events would differ"), "{out}");
        assert!(
            games.contains("event 2: ") && games.contains("1 game comes out the same"),
            "{out}"
        );
        assert!(!games.contains("Foreign") && !games.contains("Quiet"), "{out}");
        let json = done(dir, &["diff", "my-game", folder, "--json"]);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let found = |name: &str| {
            let games = json["games"].as_array().unwrap();
            games.iter().find(|game| game["game"] == name).map(|game| game["same"].clone())
        };
        assert_eq!(found("Touched"), Some(false.into()));
        assert_eq!((found("Quiet"), found("Foreign")), (Some(true.into()), None));
    }
    // What is laid out otherwise changes no game.
    std::fs::write(dir.join("next/pack.toml"), format!("# The same rules.\n\n{text}\n")).unwrap();
    let out = done(dir, &["diff", "my-game", "next"]);
    assert!(out.starts_with("The rules are the same.\n"), "{out}");
    assert!(out.ends_with("2 games come out the same\n"), "{out}");
}

#[test]
fn army_lists_are_read_from_json_text_and_the_log_of_another_game() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let game = |name: &str| {
        done(
            dir,
            &["game", "new", "panzer8", "--name", name, "--side", "Allies", "--side", "Axis"],
        );
    };
    game("One");
    let text = "Allies:\n- 3 Rifles, HE 4, Def 3\n- Sherman (AP 5, Def 6, mech)\n\nAxis:\nGrenadiers x2, HE/SA 5, Def 4, suppressed\n";
    std::fs::write(dir.join("army.txt"), text).unwrap();
    done(dir, &["unit", "import", "One", "army.txt"]);
    let units = |name: &str| -> Vec<(String, String, String)> {
        let json = done(dir, &["unit", "list", name, "--json"]);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let text = |value: &serde_json::Value| value.to_string();
        let unit = |unit: &serde_json::Value| {
            (
                text(&unit["name"]),
                text(&unit["side"]),
                text(&unit["has"]) + &text(&unit["statuses"]),
            )
        };
        json.as_array().unwrap().iter().map(unit).collect()
    };
    let first = units("One");
    assert_eq!(first.len(), 6);
    assert!(first[0].0.contains("Rifles 1") && first[0].2.contains("\"hesa\":4"), "{first:?}");
    assert!(first[3].2.contains("mech") && first[5].2.contains("suppressed"), "{first:?}");
    std::fs::write(dir.join("army.json"), done(dir, &["unit", "list", "One", "--json"])).unwrap();
    done(dir, &["export", "One", "--as", "jsonl", "-o", "one.jsonl"]);
    for (name, file) in [("Two", "army.json"), ("Three", "one.jsonl")] {
        game(name);
        done(dir, &["unit", "import", name, file]);
        assert_eq!(units(name), first, "{file}");
    }
    std::fs::write(dir.join("bad.txt"), "2 Rifles\n").unwrap();
    let why = fails(dir, &["unit", "import", "One", "bad.txt"], 2);
    assert!(why.contains("2 units have no side (Allies, Axis)") && why.contains("--side"), "{why}");
    std::fs::write(dir.join("bad.txt"), "2 Rifles, Zeal 4\n").unwrap();
    let why = fails(dir, &["unit", "import", "One", "bad.txt", "--side", "Axis"], 2);
    assert!(why.contains("line 1") && why.contains("`Zeal 4`"), "{why}");
    std::fs::write(dir.join("bad.json"), "[{\"name\":\"X\",\"has\":{\"hesa\":99}}]").unwrap();
    let why = fails(dir, &["unit", "import", "One", "bad.json", "--side", "Axis"], 2);
    assert!(why.contains("unit 1: "), "{why}");
    assert_eq!(units("One").len(), 6, "all or none");
    // A number that is too large is said to be that, and a text that is no list is not listed whole.
    std::fs::write(dir.join("bad.txt"), "Rifles, HE 99\n").unwrap();
    let why = fails(dir, &["unit", "import", "One", "bad.txt", "--side", "Axis"], 2);
    assert!(why.contains("hesa: `99` is not accepted"), "{why}");
    std::fs::write(dir.join("bad.txt"), "a, b\n".repeat(300)).unwrap();
    let why = fails(dir, &["unit", "import", "One", "bad.txt", "--side", "Axis"], 2);
    assert!(why.lines().count() == 21 && why.ends_with("and 280 more faults\n"), "{why}");
}

/// Units of the same name get numbers, in a list and beside those that are in the game.
#[test]
fn imported_units_of_the_same_name_are_numbered() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    done(dir, &["game", "new", "panzer8", "--name", "One", "--side", "Allies", "--side", "Axis"]);
    let import = |text: &str| {
        std::fs::write(dir.join("army.txt"), text).unwrap();
        done(dir, &["unit", "import", "One", "army.txt", "--side", "Axis"])
    };
    let names = |said: String| -> Vec<String> {
        let said = said.trim().trim_start_matches("Anna adds ").trim_end_matches('.');
        said.split(", ").map(|unit| unit.split(" (A").next().unwrap().to_owned()).collect()
    };
    assert_eq!(names(import("Rifles, HE 4\nrifles, HE 4\n")), ["Rifles 1", "rifles 2"]);
    assert_eq!(names(import("2 Rifles\nRifles\n")), ["Rifles 3", "Rifles 4", "Rifles 5"]);
    assert_eq!(names(import("Sherman\n")), ["Sherman"]);
    assert_eq!(names(import("Sherman\n")), ["Sherman 2"]);
    // A number in a name may be that of the type.
    assert_eq!(names(import("Panzer 4\nPanzer 3\n")), ["Panzer 4", "Panzer 3"]);
    assert_eq!(names(import("Panzer 4\nPanzer 3\n")), ["Panzer 4 (2)", "Panzer 3 (2)"]);
    // Another side may have units of the same name.
    assert_eq!(names(import("Allies:\nSherman\n")), ["Sherman"]);
    // The same list in CSV is read as CSV, whatever the file is called.
    assert_eq!(names(import("name,count\nHalftrack,2\n")), ["Halftrack 1", "Halftrack 2"]);
}
