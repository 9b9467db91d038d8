#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]
//! Packs from elsewhere, on the page: a guest's browser fetches the pack of a game, bundles are
//! installed, the packs of the server are there, and none takes the place of another.

mod common;

use adjutant_app::{Command, Message, Reply, TableCard};
use adjutant_game::{Begin, Stamp, Table};
use adjutant_pack::{Bundle, Files, Pack, Supplied, UserDeckFile, sum_of};
use common::{HOSTILE, Store, World};
use serde_json::{Value, json};
use std::sync::Arc;

/// A small pack that does not come with the page.
fn files() -> Files {
    adjutant_bundled_packs::skeleton("my-game")
}

fn bundle() -> String {
    Bundle::new(files()).write().unwrap()
}

fn changed() -> Files {
    let mut other = files();
    other.put("pack.toml", files().text("pack.toml").unwrap().replace("{ to = 3,", "{ to = 9,"));
    other
}

/// The log of a game with that pack.
fn log() -> String {
    let pack = Arc::new(Bundle::new(files()).read_pack().unwrap());
    let mut table = Table::empty(pack);
    let begin =
        Begin { name: "Mine".into(), sides: vec!["Blue".into(), "Red".into()], ..Begin::default() };
    let line = table.begin(&Stamp::new("2026-11-16T04:00:00Z", "Anna"), begin).unwrap();
    table.apply(&line.text).unwrap();
    table.to_json_lines()
}

/// Answers the oldest open call, which must be for this path.
#[track_caller]
fn answer(world: &mut World, path: &str, status: u16, body: &str) {
    assert!(!world.calls.is_empty(), "{}", world.html());
    let (to, call) = world.calls.remove(0);
    assert_eq!(call.path, path);
    let reply = Reply::Http { status, body: body.to_owned() };
    world.send(Message::Reply { to, reply });
}

/// A guest whose browser has joined the game, and has the answer to everything but its pack.
fn guest() -> World {
    let card = TableCard {
        id: "t".into(),
        name: "Mine".into(),
        pack: "my-game".into(),
        token: "token".into(),
        ..TableCard::default()
    };
    let mut world = World { holds_calls: true, ..World::default() };
    world.cards.insert("t".into(), card);
    world.start("#/game/t");
    answer(&mut world, "api/games/t/lines?after=0", 200, &log());
    world
}

fn import(world: &mut World, name: &str, text: &str) {
    let message = json!({ "home": { "import": { "name": name, "text": text } } });
    world.send(serde_json::from_value(message).unwrap());
}

#[test]
fn a_guest_fetches_the_pack_of_the_game_and_uses_it_without_asking() {
    let (mut world, text) = (guest(), bundle());
    let sum = sum_of(&text).unwrap().to_owned();
    answer(&mut world, "api/games/t", 200, &json!({ "bundle": sum, "you": "Bert" }).to_string());
    answer(&mut world, &format!("api/bundles/{sum}"), 200, &text);
    assert!(world.html().contains("Mine") && world.html().contains("table-screen"));
    assert_eq!(world.kept[&format!("pack:{}", files().hash())], text);
    // It is no pack of the player's: it is for games with these rules only.
    assert!(world.app.shared().packs.pack("my-game").is_none());
    // The next time it is here.
    let mut again = World { holds_calls: true, ..World::default() };
    (again.kept, again.cards, again.lines) =
        (world.kept.clone(), world.cards.clone(), world.lines.clone());
    again.start("#/game/t");
    assert!(again.html().contains("table-screen"));
}

#[test]
fn a_pack_that_is_not_the_games_is_refused() {
    let text = bundle();
    let sum = sum_of(&text).unwrap().to_owned();
    let other = Bundle::new(changed()).write().unwrap();
    // A changed byte; another pack with a right checksum; the wrong rules under their own checksum.
    let wrong = [
        (sum.clone(), text.replacen("1d6", "1d8", 1)),
        (sum.clone(), other.clone()),
        (sum_of(&other).unwrap().to_owned(), other.clone()),
    ];
    for (sum, body) in wrong {
        let mut world = guest();
        answer(&mut world, "api/games/t", 200, &json!({ "bundle": sum }).to_string());
        answer(&mut world, &format!("api/bundles/{sum}"), 200, &body);
        assert!(!world.html().contains("table-screen"));
        assert!(world.html().contains("my-game"), "{}", world.html());
    }
    let mut world = guest();
    answer(&mut world, "api/games/t", 200, "{}");
    assert!(!world.html().contains("table-screen") && world.calls.is_empty());
}

#[test]
fn a_bundle_is_installed_and_takes_no_others_place() {
    let mut world = World::at("#/");
    import(&mut world, "my-game.adjutant", &format!("{}\n", bundle()));
    assert!(world.html().contains("My Game is installed"), "{}", world.html());
    assert!(world.kept.contains_key("own:my-game"));
    assert!(world.app.shared().packs.pack("my-game").is_some());
    // Once more is fine; another pack of this name is not.
    import(&mut world, "my-game.adjutant", &bundle());
    import(&mut world, "other.adjutant", &Bundle::new(changed()).write().unwrap());
    assert!(world.html().contains("another pack"), "{}", world.html());
    assert_eq!(world.app.shared().packs.files("my-game"), Some(files()));
    let shipped = Bundle::new(adjutant_bundled_packs::files("panzer8").unwrap());
    import(&mut world, "panzer8.adjutant", &shipped.write().unwrap());
    assert!(world.html().contains("no other takes its place"), "{}", world.html());
    import(&mut world, "bad.adjutant", &bundle().replacen("1d6", "1d8", 1));
    assert!(world.html().contains("cannot be installed"), "{}", world.html());
}

#[test]
fn a_file_that_is_no_game_and_no_pack_says_what_to_do_with_it() {
    let mut world = World::at("#/");
    for (name, text, help) in [
        ("hill.zip", "PK\u{3}\u{4}x", "pack bundle"),
        ("sheet.txt", "FIRE\nroll 1d6\n", "Paste a sheet"),
        ("pack.toml", "[pack]\n", "pack editor"),
        ("photo.png", "\u{fffd}PNG", "neither an exported game"),
        ("folder", "", "neither an exported game"),
        ("changed.adjutant", &bundle().replacen("1d6", "1d8", 1), "Get the file again"),
    ] {
        import(&mut world, name, text);
        assert!(world.html().contains(help), "{name}: {}", world.html());
        assert!(world.kept.keys().all(|key| !key.starts_with("own:")));
    }
    import(&mut world, "huge.jsonl", &"x".repeat(33 << 20));
    assert!(world.html().contains("too large"), "{}", world.html());
}

/// What went well need not be closed: it is gone with the next thing that the player does.
#[test]
fn a_notice_that_all_went_well_passes() {
    let mut world = World::at("#/");
    import(&mut world, "my-game.adjutant", &bundle());
    assert!(world.region("notice").contains("is installed"));
    world.go("#/sheet/my-game");
    assert!(world.region("notice").contains("is installed"), "it may be told while a sheet opens");
    world.go("#/");
    assert!(!world.region("notice").contains("is installed"));
}

#[test]
fn tables_that_come_with_a_bundle_are_used_and_saved() {
    let pack = Bundle::new(adjutant_bundled_packs::files("combat-leader").unwrap());
    let text = pack.files().text("pack.toml").unwrap().replacen("combat-leader", "my-leader", 1);
    let mut files = pack.files().clone();
    files.put("pack.toml", text);
    let tables = "# mine\n".to_owned();
    let own = Supplied { tables: Some(tables.clone()), decks: Vec::new() };
    let mut world = World::at("#/");
    import(&mut world, "my-leader.adjutant", &Bundle::new(files).with(own).write().unwrap());
    assert!(world.html().contains("is installed"), "{}", world.html());
    assert_eq!(world.kept["tables:my-leader"], tables);
}

/// A pack with a deck that players supply, which does not come with the page.
fn with_user_deck() -> Files {
    let mut files = adjutant_bundled_packs::files("panzer8").unwrap();
    let text = files.text("pack.toml").unwrap().replacen("panzer8", "my-panzers", 1);
    files.put("pack.toml", text);
    files
}

fn deck(text: &str) -> UserDeckFile {
    UserDeckFile { deck: "events".into(), file: "events.csv".into(), text: text.into() }
}

#[test]
fn decks_that_come_with_a_bundle_are_used_and_saved() {
    for cards in [
        "title,text\nRain,It rains.\nMist,No one sees far.\n",
        "title,text\r\nRain,\"It '''rains''', \"\"again\"\".\"\r\nMist,No one sees far.",
    ] {
        let own = Supplied { tables: None, decks: vec![deck(cards)] };
        let bundle = Bundle::new(with_user_deck()).with(own);
        let mut world = World::at("#/");
        import(&mut world, "my-panzers.adjutant", &bundle.write().unwrap());
        let there = bundle.read_pack().unwrap();
        let check = |world: &World| {
            let here = world.app.shared().packs.pack("my-panzers").unwrap();
            let of = |pack: &Pack| pack.user_decks().map(|deck| deck.user.clone()).next();
            assert!(here.user_decks().all(|deck| !deck.is_missing()));
            assert_eq!(of(&here), of(&there), "a game of either is verified with the other");
        };
        check(&world);
        // They are still there the next time, with the tables of the sheet, where they can be changed.
        let mut again = World { kept: world.kept.clone(), ..World::default() };
        again.start("#/sheet/my-panzers");
        check(&again);
        assert!(again.html().contains("[deck.events]"), "{}", again.html());
        // The player's own stay when the bundle is installed once more.
        import(&mut world, "my-panzers.adjutant", &bundle.write().unwrap());
        assert_eq!(world.kept["tables:my-panzers"], again.kept["tables:my-panzers"]);
    }
}

#[test]
fn the_servers_decks_stay_when_the_player_fills_in_tables() {
    let own = Supplied { tables: None, decks: vec![deck("title,text\nRain,It rains.\n")] };
    let text = Bundle::new(with_user_deck()).with(own).write().unwrap();
    let mut world = World { holds_calls: true, ..World::default() };
    world.start("#/sheet/my-panzers");
    world.send(Message::HasServer(true));
    let sum = sum_of(&text).unwrap();
    let listed = json!([{ "id": "my-panzers", "hash": with_user_deck().hash(), "from": "--packs", "bundle": sum, "supplied": true }]);
    answer(&mut world, "api/packs", 200, &listed.to_string());
    answer(&mut world, &format!("api/bundles/{sum}"), 200, &text);
    let fill_in = json!({ "sheet": { "tables": { "tables": "# mine" } } });
    world.send(serde_json::from_value(fill_in).unwrap());
    let pack = world.app.shared().packs.pack("my-panzers").unwrap();
    assert!(pack.user_decks().all(|deck| !deck.is_missing()));
}

/// A pack that is too large for a link is handed on as a file, and the player sees so at once.
#[test]
fn a_large_pack_is_handed_on_as_a_file() {
    let mut files = files();
    let noise: String = (0..40_000_u64)
        .map(|n| char::from(b'!' + (n.wrapping_mul(6_364_136_223_846_793_005) >> 57) as u8 % 90))
        .filter(|c| c.is_alphanumeric())
        .collect();
    files.put("README.md", noise.repeat(2) + &format!("{:?}", (0..9_000).collect::<Vec<_>>()));
    let mut world = World::at("#/");
    import(&mut world, "my-game.adjutant", &Bundle::new(files).write().unwrap());
    world.go("#/share/my-game");
    let html = world.html();
    assert!(
        html.contains("too large for a link")
            && !html.contains("{&quot;pack_link&quot;:&quot;share"),
        "{html}"
    );
    world.press("{\"pack_link\":\"download\"}");
    assert!(matches!(world.told.last(), Some(Command::Download { .. })));
}

#[test]
fn the_packs_of_the_server_are_on_its_page_with_source_and_fingerprint() {
    let own = Supplied { tables: Some("# none".into()), decks: Vec::new() };
    let panzer8 = adjutant_bundled_packs::files("panzer8").unwrap();
    let with_tables = Bundle::new(panzer8.clone()).with(own).write().unwrap();
    let impostor = Bundle::new(adjutant_bundled_packs::skeleton("panzer8")).write().unwrap();
    let listed = |id: &str, hash: String, text: &str| json!({ "id": id, "hash": hash, "from": "--packs", "bundle": sum_of(text), "supplied": true });
    let mut world = World { holds_calls: true, ..World::default() };
    world.start("#/");
    world.send(Message::HasServer(true));
    let texts = [bundle(), with_tables, impostor];
    let list: Vec<Value> = vec![
        listed("my-game", files().hash(), &texts[0]),
        listed("panzer8", panzer8.hash(), &texts[1]),
        listed("panzer8", "other".into(), &texts[2]),
    ];
    answer(&mut world, "api/packs", 200, &json!(list).to_string());
    for text in &texts {
        answer(&mut world, &format!("api/bundles/{}", sum_of(text).unwrap()), 200, text);
    }
    let hash = files().hash();
    assert!(world.html().contains(&format!("(--packs), fingerprint {}", &hash[..12])));
    assert_eq!(*world.app.shared().packs.pack("panzer8").unwrap().hash(), panzer8.hash());
    // A new game on the server needs no bundle only if the pack comes with every Adjutant.
    assert!(world.app.shared().packs.bundle("my-game", &hash).is_some());
    assert!(world.app.shared().packs.bundle("chain-reaction", "x").is_none());
}

#[test]
fn a_shared_game_with_a_pack_of_ones_own_sends_it_along() {
    let mut world = World { holds_calls: true, ..World::default() };
    world.start("#/");
    import(&mut world, "my-game.adjutant", &bundle());
    world.go("#/game/new.my-game");
    for message in
        [json!({ "shared": true }), json!({ "create": { "name": "Mine", "who": "Anna" } })]
    {
        let message = json!({ "table": { "new_table": message } });
        world.send(serde_json::from_value(message).unwrap());
    }
    let (_, call) = world.calls.last().unwrap();
    let body: Value = serde_json::from_str(&call.body).unwrap();
    assert_eq!(
        (call.path.as_str(), body["bundle"].as_str()),
        ("api/games", Some(bundle().as_str()))
    );
}

#[test]
fn a_log_with_its_pack_is_imported_and_exported_again() {
    let mut world = World::at("#/");
    import(&mut world, "mine.jsonl", &format!("{}\n{}", bundle(), log()));
    assert!(world.html().contains("table-screen"), "{}", world.html());
    world.send(
        serde_json::from_value(json!({ "table": { "more": { "export": "jsonl" } } })).unwrap(),
    );
    let written = world.told.iter().rev().find_map(|command| match command {
        Command::Download { text, .. } => Some(text.clone()),
        _ => None,
    });
    assert_eq!(written.unwrap(), format!("{}\n{}", bundle(), log()));
    let mut other = World::at("#/");
    import(&mut other, "mine.jsonl", &log());
    assert!(!other.html().contains("table-screen"));
    for part in ["my-game", &files().hash()[..12], "import it first", "--with-pack"] {
        assert!(other.html().contains(part), "{part}: {}", other.html());
    }
    import(
        &mut other,
        "mine.jsonl",
        &format!("{}\n{}", Bundle::new(changed()).write().unwrap(), log()),
    );
    assert!(!other.html().contains("table-screen"));
}

#[test]
fn a_small_pack_is_handed_on_in_a_link_and_installed_when_the_player_says_so() {
    let mut world = World::at("#/");
    import(&mut world, "my-game.adjutant", &bundle());
    assert!(world.html().contains("#/share/my-game"));
    world.go("#/share/my-game");
    world.press("{\"pack_link\":\"share\"}");
    let link = world.told.iter().rev().find_map(|command| match command {
        Command::Share { text, .. } => text.split_once('#').map(|(_, link)| format!("#{link}")),
        _ => None,
    });
    let link = link.unwrap();
    let mut other = World::at(&link);
    assert!(other.html().contains("My Game") && other.app.shared().packs.pack("my-game").is_none());
    other.press("install");
    assert_eq!(other.app.shared().packs.files("my-game"), Some(files()));
    assert_eq!(other.route().to_string(), "#/sheet/my-game");
    world.press("{\"pack_link\":\"download\"}");
    let file = world.told.iter().rev().find_map(|command| match command {
        Command::Download { name, text, .. } => Some((name.clone(), text.clone())),
        _ => None,
    });
    assert_eq!(file.unwrap(), ("my-game.adjutant".into(), bundle() + "\n"));
}

#[test]
fn a_link_that_was_changed_or_unfolds_without_end_is_refused() {
    let good = adjutant_app::pack_link::write(&bundle()).unwrap();
    let bomb = adjutant_app::pack_link::write(&"x".repeat(10 << 20)).unwrap();
    assert!(adjutant_app::pack_link::read(&bomb).is_none(), "{} letters", bomb.len());
    for wrong in
        [bomb, good[1..].to_owned(), good.replace('a', "b"), "%00".into(), "x".repeat(30_000)]
    {
        let mut world = World::at(&format!("#/pack/{wrong}"));
        assert!(world.html().contains("cannot be read"), "{wrong}");
        world.send(serde_json::from_value(json!({ "pack_link": "install" })).unwrap());
        assert!(!world.kept.keys().any(|key| key.starts_with("own:")));
    }
}

/// A newer version of a pack is opened in the editor, compared, and taken into use from there.
#[test]
fn a_newer_version_is_compared_in_the_editor_before_it_is_used() {
    let mut world = World::at("#/");
    import(&mut world, "my-game.adjutant", &bundle());
    let newer = Bundle::new(changed()).write().unwrap();
    import(&mut world, "my-game.adjutant", &newer);
    assert!(world.html().contains("open the file in the pack editor"), "{}", world.html());
    world.go("#/editor");
    let open = |world: &mut World, text: &str| {
        let message = json!({ "pack_editor": { "import": ["my-game.adjutant", text] } });
        world.send(serde_json::from_value(message).unwrap());
    };
    open(&mut world, &newer.replacen("1d6", "1d8", 1));
    assert!(world.html().contains("cannot be installed"), "{}", world.html());
    open(&mut world, &newer);
    assert_eq!(world.app.shared().packs.files("my-game"), Some(files()), "not yet");
    if world.html().contains("confirm_replace") {
        world.press("{\"pack_editor\":{\"confirm_replace\":true}}");
    }
    world.press("{\"pack_editor\":\"install\"}");
    assert_eq!(world.app.shared().packs.files("my-game"), Some(changed()));
}

/// A pack with the title of another one is told apart from it.
#[test]
fn a_pack_does_not_pass_for_another_by_its_title() {
    let mut files = files();
    let text = files.text("pack.toml").unwrap().replace("\"My Game\"", "\"Panzer8\"");
    files.put("pack.toml", text);
    let hash: String = files.hash().chars().take(12).collect();
    let text = Bundle::new(files).write().unwrap();
    let link = adjutant_app::pack_link::write(&text).unwrap();
    let mut world = World::at(&format!("#/pack/{link}"));
    assert!(
        world.html().contains("Another pack here is called “Panzer8”, too"),
        "{}",
        world.html()
    );
    world.press("install");
    world.go("#/");
    let own = format!("Your own pack, fingerprint {hash}");
    assert_eq!(world.html().matches(&own).count(), 1, "{}", world.html());
    let mut other =
        World::at(&format!("#/pack/{}", adjutant_app::pack_link::write(&bundle()).unwrap()));
    assert!(!other.html().contains("Another pack here"));
    other.press("install");
}

/// Every text that a stranger can write stays text: in the pack, in the list of the server, in the
/// name of a file and in an invitation.
#[test]
fn no_text_of_a_pack_from_elsewhere_becomes_markup() {
    let quoted = serde_json::to_string(HOSTILE).unwrap();
    let mut files = files();
    let text = files.text("pack.toml").unwrap();
    let text: Vec<String> = text
        .lines()
        .map(|line| match line.split_once(" = ").map(|(key, _)| key.trim()) {
            Some(key @ ("title" | "notice" | "means")) => format!("{key} = {quoted}"),
            _ => line.replace("\"Close\"", &quoted).replace("\"Target is close\"", &quoted),
        })
        .collect();
    files.put("pack.toml", text.join("\n"));
    let bundle = Bundle::new(files.clone());
    assert_eq!(bundle.read_pack().unwrap().title(), HOSTILE);
    let bundle = bundle.write().unwrap();
    let calm = |world: &World| {
        let html = world.html();
        assert!(html.contains("&lt;script"), "it is shown: {html}");
        assert!(!html.contains("<script") && !html.contains("<img"), "{html}");
    };
    // From a link, installed, then on every screen that names it.
    let link = adjutant_app::pack_link::write(&bundle).unwrap();
    let mut world = World::at(&format!("#/pack/{link}"));
    calm(&world);
    world.press("install");
    for place in
        ["#/", "#/sheet/my-game", "#/chart/my-game/fire", "#/share/my-game", "#/game/new.my-game"]
    {
        world.go(place);
        calm(&world);
    }
    // From a server, which names its source as it likes.
    let mut world = World { holds_calls: true, ..World::default() };
    world.start("#/");
    world.send(Message::HasServer(true));
    let listed = json!([{ "id": "my-game", "hash": files.hash(), "from": HOSTILE, "bundle": sum_of(&bundle) }]);
    answer(&mut world, "api/packs", 200, &listed.to_string());
    answer(&mut world, &format!("api/bundles/{}", sum_of(&bundle).unwrap()), 200, &bundle);
    calm(&world);
    // A file that is no bundle, by its name.
    let mut world = World::at("#/");
    import(&mut world, HOSTILE, "{\"adjutant\":\"pack\"}");
    calm(&world);
    // An invitation.
    let mut world = World { holds_calls: true, ..World::default() };
    world.start("#/join/t/key");
    let told = json!({ "name": HOSTILE, "pack": HOSTILE, "pack_title": HOSTILE, "pack_version": HOSTILE, "pack_hash": HOSTILE, "host": HOSTILE, "sides": [HOSTILE], "people": [{ "name": HOSTILE, "role": { "player": { "side": HOSTILE } } }], "role": { "player": { "side": HOSTILE } } });
    answer(&mut world, "api/games/t/invitation", 200, &told.to_string());
    calm(&world);
}

/// Ends the save that waits.
fn end_save(world: &mut World, reply: Reply) {
    let to = world.saves.remove(0);
    world.send(Message::Reply { to, reply });
}

#[test]
fn a_pack_is_called_installed_when_it_is_saved_and_not_before() {
    let mut world = World { holds_saves: true, ..World::at("#/") };
    import(&mut world, "my-game.adjutant", &bundle());
    assert!(!world.html().contains("is installed"));
    end_save(&mut world, Reply::Done);
    assert!(world.html().contains("My Game is installed"), "{}", world.html());

    let mut world = World { store: Store::Full, ..World::at("#/") };
    import(&mut world, "my-game.adjutant", &bundle());
    let html = world.html();
    assert!(html.contains("My Game is not saved") && html.contains("storage is full"), "{html}");
    assert!(html.contains("Download the pack") && !html.contains("is installed"), "{html}");
    // It can be used, and handed on, until the page is closed.
    assert!(world.app.shared().packs.pack("my-game").is_some());
    world.go("#/share/my-game");
    assert!(world.html().contains("Download the pack"), "{}", world.html());
}

#[test]
fn an_imported_game_is_stored_after_the_pack_that_it_needs() {
    let log = format!("{}\n{}", bundle(), log());
    let mut world = World { holds_saves: true, ..World::at("#/") };
    import(&mut world, "game.jsonl", &log);
    assert!(world.lines.is_empty(), "the pack comes first");
    end_save(&mut world, Reply::Failed("QuotaExceededError".into()));
    assert!(world.lines.is_empty(), "a game without its pack could not be opened again");
    assert!(world.html().contains("storage is full"), "{}", world.html());
    import(&mut world, "game.jsonl", &log);
    end_save(&mut world, Reply::Done);
    assert_eq!(world.lines.len(), 1);
}
