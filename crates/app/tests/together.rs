//! Two players at a table that a server keeps: nothing is lost, and nothing is done twice.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_app::{Message, Reply, ServerEvent, StreamEvent};
use adjutant_dice::EnteredInput;
use adjutant_game::{PlayError, PlayRequest};
use common::World;
use common::server::*;
use serde_json::{Value, json};

#[test]
fn both_see_the_same_and_who_is_late_is_told() {
    let mut server = Server::new();
    let (mut anna, mut bob) =
        (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    assert!(anna.world.region("t-roster").contains("Grenadiers"), "{}", anna.world.html());
    // Both roll at once: Anna's is first.
    rally(&mut anna, "u1");
    rally(&mut bob, "u2");
    anna.calls(&mut server);
    bob.calls(&mut server);
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert!(
        bob.world.region("t-head").contains("Anna acted first"),
        "{}",
        bob.world.region("t-head")
    );
    assert!(
        bob.world.region("t-play").contains("class=\"action-panel\""),
        "the form is still there"
    );
    bob.table(json!({ "play": "roll" }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    assert_eq!(
        anna.world.region("t-log").replace("Ask to undo", "Undo"),
        bob.world.region("t-log").replace("Ask to undo", "Undo")
    );
    assert_eq!(server.table.lines().len(), 7);
    assert_eq!((anna.lines(), bob.lines()), (7, 7), "both keep a copy");
}

#[test]
fn without_a_network_all_is_readable_and_a_roll_is_refused() {
    let mut server = Server::new();
    let mut anna = Player::joins(&mut server, "Anna");
    anna.table_event(StreamEvent::Lost);
    anna.table(
        json!({ "play": { "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } } }),
    );
    anna.table(json!({ "play": "allow" }));
    assert!(anna.world.region("t-play").contains("odds-bar"), "odds go on");
    assert!(anna.world.region("t-act").contains("No connection"));
    anna.table(json!({ "play": "roll" }));
    assert!(anna.world.calls.is_empty());
    assert!(anna.world.region("t-head").contains("No connection"));
    // Loaded again without a network, it is still there.
    let mut again = World {
        cards: anna.world.cards.clone(),
        lines: anna.world.lines.clone(),
        ..World::default()
    };
    again.start("#/game/t");
    assert!(again.region("t-roster").contains("Rifles"));
    anna.table_event(StreamEvent::Open);
    anna.table(json!({ "play": "roll" }));
    settle(&mut server, &mut [&mut anna]);
    assert_eq!(server.table.lines().len(), 6);
}

#[test]
fn own_dice_are_asked_for_by_the_server() {
    let mut server = Server::new();
    let mut anna = Player::joins(&mut server, "Anna");
    anna.table(
        json!({ "play": { "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } } }),
    );
    anna.table(json!({ "play": "allow" }));
    anna.table(json!({ "play": "own_dice" }));
    anna.calls(&mut server);
    assert!(anna.world.region("t-play").contains("pad-face"), "{}", anna.world.region("t-play"));
    anna.table(json!({ "play": { "answer": { "face": 7 } } }));
    let (_, call) = anna.world.calls.last().unwrap();
    assert!(call.body.contains("ticket-1") && call.body.contains("[7]"), "{}", call.body);
}

#[test]
fn a_roll_that_was_left_is_not_taken_up_by_the_next() {
    let mut server = Server::new();
    let mut anna = Player::joins(&mut server, "Anna");
    for way_out in
        [json!({ "answer": "back" }), json!("close"), json!({ "form": { "give": ["lost", "3"] } })]
    {
        anna.table(json!({ "play": { "open_chart": { "chart": "rally", "role": "element", "unit": "u1" } } }));
        anna.table(json!({ "play": "allow" }));
        anna.table(json!({ "play": "own_dice" }));
        anna.calls(&mut server);
        assert!(anna.world.region("t-play").contains("pad-face"));
        anna.table(json!({ "play": way_out }));
        rally(&mut anna, "u2");
        let (_, call) = anna.world.calls.last().unwrap();
        assert!(
            !call.body.contains("ticket-1") && call.body.contains("u2"),
            "{way_out}: {}",
            call.body
        );
        settle(&mut server, &mut [&mut anna]);
    }
}

#[test]
fn who_is_here_is_what_the_stream_said_last() {
    let mut server = Server::new();
    let mut bob = Player {
        world: World { holds_calls: true, ..World::default() },
        seen: server.table.lines().len(),
        opened: false,
    };
    bob.world.start("#/join/t/secret-key");
    bob.table(json!({ "join": { "name": "Bob" } }));
    // The answer about the table was made before Bob's own stream was open, and comes after what
    // the stream says.
    while !bob.world.calls.is_empty() {
        let (reply_to, call) = bob.world.calls.remove(0);
        let (status, body) = server.answer(&call);
        bob.table_event(StreamEvent::Open);
        bob.table_event(StreamEvent::Sent {
            name: ServerEvent::Presence,
            data: r#"[{"name":"Anna","role":"umpire"},{"name":"Bob","role":"umpire"}]"#.into(),
        });
        let body = body.as_str().map_or_else(|| body.to_string(), str::to_owned);
        bob.world.send(Message::Reply { to: reply_to, reply: Reply::Http { status, body } });
    }
    let head = bob.world.region("t-head");
    assert!(head.contains("Anna") && head.contains("Bob"), "{head}");
}

#[test]
fn consent_carries_an_undo_out_on_both_pages() {
    let mut server = Server::new();
    let (mut anna, mut bob) =
        (Player::joins(&mut server, "Anna"), Player::joins(&mut server, "Bob"));
    rally(&mut anna, "u1");
    settle(&mut server, &mut [&mut anna, &mut bob]);
    anna.table(json!({ "log": { "ask_consent": "undo" } }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    // Anna sees that she asked, and that Axis must answer; Bob sees it above all else.
    let asks = common::table::said(&anna.world, "t-play");
    assert!(asks.starts_with("You asked to undo event"), "{asks}");
    assert_eq!(asks.matches("Waiting for Axis.").count(), 2, "there, and on the result: {asks}");
    let asked = common::table::said(&bob.world, "t-play");
    assert!(asked.starts_with("Anna asks to undo event"), "{asked}");
    assert!(!asked.contains("Waiting for"), "{asked}");
    bob.table(json!({ "log": { "consent": true } }));
    settle(&mut server, &mut [&mut anna, &mut bob]);
    for player in [&anna, &bob] {
        assert!(
            player.world.region("t-log").contains("entry-undone"),
            "{}",
            player.world.region("t-log")
        );
        assert!(
            !player.world.region("t-play").contains("asks to undo"),
            "{}",
            player.world.region("t-play")
        );
    }
}

#[test]
fn a_die_given_to_the_server_is_taken_back() {
    let mut server = Server::new();
    let mut anna = Player::joins(&mut server, "Anna");
    anna.table(
        json!({ "play": { "open_chart": { "chart": "fire", "role": "firer", "unit": "u1" } } }),
    );
    anna.table(json!({ "play": { "pick": ["target", "u2"] } }));
    anna.table(json!({ "play": { "form": { "give": ["ammo", "hesa"] } } }));
    anna.table(json!({ "play": "own_dice" }));
    // The server has the first die, and asks for the second.
    let fire =
        PlayRequest::of("fire").unit("firer", "u1").unit("target", "u2").given("ammo", "hesa");
    let stop = server.table.play(&stamp("Anna"), &fire, &mut EnteredInput::new().with_dice([4]));
    let Err(PlayError::Needs { needs, inputs }) = stop else { panic!("{stop:?}") };
    let reply = |player: &mut Player, body: Value| {
        let (reply_to, call) = player.world.calls.remove(0);
        player.world.send(Message::Reply {
            to: reply_to,
            reply: Reply::Http { status: 200, body: body.to_string() },
        });
        call
    };
    reply(
        &mut anna,
        json!({ "needs": needs, "ticket": "ticket-2", "inputs": inputs, "resolution": {} }),
    );
    let shown = anna.world.region("t-play");
    assert!(shown.contains("Dice have been rolled"), "{shown}");
    assert!(!shown.contains("Not now"), "{shown}");
    anna.world.press("\"answer\":\"back\"");
    let stop = server.table.play(&stamp("Anna"), &fire, &mut EnteredInput::new());
    let Err(PlayError::Needs { needs, inputs }) = stop else { panic!("{stop:?}") };
    let call = reply(
        &mut anna,
        json!({ "needs": needs, "ticket": "ticket-3", "inputs": inputs, "resolution": {} }),
    );
    assert!(call.body.contains("ticket-2") && call.body.contains("\"back\":true"), "{}", call.body);
    assert!(
        !anna.world.region("t-play").contains("Dice have been rolled"),
        "{}",
        anna.world.region("t-play")
    );
    // A roll that the server holds no longer leaves the form free.
    anna.world.press("\"answer\":{\"face\":4}");
    let (reply_to, _) = anna.world.calls.remove(0);
    let body = json!({ "error": "no roll is pending under this ticket: it was finished, or it starts again" }).to_string();
    anna.world.send(Message::Reply { to: reply_to, reply: Reply::Http { status: 409, body } });
    assert!(
        anna.world.region("t-head").contains("No roll is pending"),
        "{}",
        anna.world.region("t-head")
    );
    assert!(
        !anna.world.region("t-play").contains("class=\"ask\""),
        "{}",
        anna.world.region("t-play")
    );
}

#[test]
fn the_join_page_names_the_game_its_host_the_sides_and_what_the_link_allows() {
    let mut server = Server::new();
    let mut bob =
        Player { world: World { holds_calls: true, ..World::default() }, seen: 0, opened: false };
    bob.world.start("#/join/t/secret-key");
    // What comes later would move the button under the finger.
    assert!(!bob.world.region("main").contains("<button"), "{}", bob.world.region("main"));
    bob.calls(&mut server);
    let shown = common::table::said(&bob.world, "main");
    for part in [
        "You are invited to Hill 112",
        "started by Anna",
        "Axis no player yet",
        "You join as Axis.",
        "Rolls, moves and undoes as this side.",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn the_join_page_offers_its_form_without_an_answer_but_not_for_a_void_link() {
    let offered = |reply: Reply| {
        let mut world = World { holds_calls: true, ..World::default() };
        world.start("#/join/t/secret-key");
        let (to, call) = world.calls.remove(0);
        assert!(call.limit.is_some(), "the form does not wait for ever");
        world.send(Message::Reply { to, reply });
        let main = world.region("main").to_owned();
        (main.contains("Join the game"), main)
    };
    let (form, _) = offered(Reply::Failed("timeout".to_owned()));
    assert!(form, "the player can try");
    let body = json!({ "error": "the link is void" }).to_string();
    let (form, main) = offered(Reply::Http { status: 403, body });
    assert!(!form && main.contains("The link is void"), "{main}");
}

#[test]
fn the_join_page_names_a_pack_that_the_guest_does_not_have_by_its_title() {
    let mut world = World { holds_calls: true, ..World::default() };
    world.start("#/join/t/secret-key");
    let (to, _) = world.calls.remove(0);
    let told = json!({ "name": "Hill", "pack": "night-raid", "pack_title": "Night Raid", "pack_version": "1", "pack_hash": "", "host": "Anna", "sides": [], "people": [], "role": "umpire" });
    world.send(Message::Reply { to, reply: Reply::Http { status: 200, body: told.to_string() } });
    let shown = common::table::said(&world, "main");
    assert!(shown.contains("Night Raid, started by Anna"), "{shown}");
    assert!(!shown.contains("night-raid"), "{shown}");
}

/// The join page after the server said this of the invitation's pack.
fn invited(pack: &Value) -> World {
    let mut world = World { holds_calls: true, ..World::default() };
    world.start("#/join/t/secret-key");
    let (to, _) = world.calls.remove(0);
    let mut told = json!({ "name": "Hill", "pack": "panzer8", "pack_title": "Panzer8", "pack_version": "1.2", "pack_hash": "", "host": "Anna", "sides": [], "people": [], "role": "umpire" });
    told.as_object_mut().unwrap().extend(pack.as_object().unwrap().clone());
    world.send(Message::Reply { to, reply: Reply::Http { status: 200, body: told.to_string() } });
    world
}

#[test]
fn the_join_page_says_that_a_pack_is_not_the_one_that_comes_with_adjutant() {
    let mut files = adjutant_bundled_packs::files("panzer8").unwrap();
    let same = files.hash();
    // Layout and comments are no difference; a chart that is new, changed or gone is one.
    let text = files.text("pack.toml").unwrap().to_owned();
    let changed = text.replacen("roll = \"1d10\"", "roll  =  \"1d12\"", 1);
    assert_ne!(text, changed);
    let changed =
        format!("# Mine.\n{changed}\n[term.luck]\ntitle = \"<b>Luck\"\nmeans = \"Mine.\"\n");
    files.put("pack.toml", changed);
    let bundle = adjutant_pack::Bundle::new(files.clone()).write().unwrap();
    let sum = adjutant_pack::sum_of(&bundle).unwrap();
    let hash = files.hash();

    let world = invited(&json!({ "pack_hash": same, "bundle": sum }));
    assert!(world.calls.is_empty());
    let shown = common::table::said(&world, "main");
    assert!(shown.contains("Panzer8, started by Anna") && !shown.contains("not"), "{shown}");

    let mut world = invited(&json!({ "pack_hash": hash, "bundle": sum }));
    assert!(!world.region("main").contains("<button"), "the form waits for what differs");
    let (to, call) = world.calls.remove(0);
    assert!(call.path.ends_with(sum) && call.limit.is_some(), "{call:?}");
    world.send(Message::Reply { to, reply: Reply::Http { status: 200, body: bundle.clone() } });
    let shown = common::table::said(&world, "main");
    let notice = format!(
        "This is not the Panzer8 that comes with Adjutant: version 1.2, fingerprint {}.",
        &hash[..12]
    );
    assert!(shown.contains(&notice), "{shown}");
    assert!(shown.contains("Different: AP, HE or small-arms fire; <b>Luck."), "{shown}");
    assert!(world.region("main").contains("&lt;b&gt;Luck") && shown.contains("Join the game"));

    // Another bundle, or none: the notice stands.
    for told in [Some(bundle.replace("1d12", "1d20")), None] {
        let bundle = told.as_ref().map(|_| sum);
        let mut world = invited(&json!({ "pack_hash": hash, "bundle": bundle }));
        if let Some(body) = told {
            let (to, _) = world.calls.remove(0);
            world.send(Message::Reply { to, reply: Reply::Http { status: 200, body } });
        }
        let shown = common::table::said(&world, "main");
        assert!(shown.contains(&notice) && !shown.contains("Different"), "{shown}");
        assert!(shown.contains("Join the game"));
    }

    // A pack that takes only the title of another.
    let world = invited(&json!({ "pack": "panzer-8", "pack_hash": hash }));
    let shown = common::table::said(&world, "main");
    assert!(shown.contains("This pack does not come with Adjutant: version 1.2"), "{shown}");
}

#[test]
fn resetting_a_link_asks_first_and_names_who_is_removed() {
    let mut server = Server::new();
    let mut anna = Player::joins(&mut server, "Anna");
    settle(&mut server, &mut [&mut anna]);
    anna.table(json!({ "tab": "more" }));
    anna.table(json!({ "more": "show_invitations" }));
    anna.calls(&mut server);
    let asked = |anna: &mut Player, side: &str| {
        anna.world.press(&format!("{{\"confirm_reset\":{{\"side\":\"{side}\"}}}}"));
        assert!(anna.world.calls.is_empty(), "nothing is reset before the answer");
        common::table::said(&anna.world, "t-more")
    };
    let more = asked(&mut anna, "Axis");
    assert!(more.contains("This removes Bob from the game. Reset?"), "{more}");
    // Anna started the game: she came by no link.
    let more = asked(&mut anna, "Allies");
    assert!(more.contains("The old link stops working. Reset?"), "{more}");
    anna.world.press("{\"confirm_reset\":null}");
    assert!(!common::table::said(&anna.world, "t-more").contains("Reset?"));
    asked(&mut anna, "Axis");
    anna.world.press("renew_invitation");
    let (_, call) = anna.world.calls.remove(0);
    assert!(call.path.ends_with("/invitations") && call.body.contains("Axis"), "{call:?}");
    assert!(!common::table::said(&anna.world, "t-more").contains("Reset?"));
}

#[test]
fn that_the_server_did_not_answer_goes_away_when_it_does() {
    let mut server = Server::new();
    let mut anna = Player::joins(&mut server, "Anna");
    settle(&mut server, &mut [&mut anna]);
    let head = |anna: &Player| common::table::said(&anna.world, "t-head");
    for arrives in [false, true] {
        anna.table(json!({ "log": { "add_note": { "note": "Rain" } } }));
        let reply_to = anna.loses(&mut server, arrives);
        anna.fails(reply_to);
        assert!(head(&anna).contains("The server did not answer"), "{}", head(&anna));
        if !arrives {
            anna.table_event(StreamEvent::Lost);
            anna.table_event(StreamEvent::Open);
        }
        anna.streams(&server);
        assert!(!head(&anna).contains("did not answer"), "{arrives}: {}", head(&anna));
    }
}

#[test]
fn who_is_offline_is_shown() {
    let mut server = Server::new();
    let mut anna = Player::joins(&mut server, "Anna");
    let head = |anna: &Player| common::table::said(&anna.world, "t-head");
    assert!(!head(&anna).contains("offline"), "not known yet: {}", head(&anna));
    settle(&mut server, &mut [&mut anna]);
    assert!(head(&anna).contains("here: Anna, Bob") && !head(&anna).contains("offline"));
    let data = json!([{ "name": "Anna", "role": "umpire" }]).to_string();
    anna.table_event(StreamEvent::Sent { name: ServerEvent::Presence, data });
    assert!(head(&anna).contains("here: Anna · offline: Bob"), "{}", head(&anna));
}

#[test]
fn a_new_game_offline_says_why_it_cannot_be_shared() {
    let mut world = World::at("#/game/new");
    let said = |world: &World| common::table::said(world, "main");
    world.send(Message::HasServer(true));
    assert!(said(&world).contains("Shared, by invitation"));
    world.send(Message::Online(false));
    assert!(!said(&world).contains("Shared, by invitation"));
    assert!(said(&world).contains("You are offline."), "{}", said(&world));
    world.send(Message::Online(true));
    assert!(said(&world).contains("Shared, by invitation") && !said(&world).contains("offline"));
}

#[test]
fn acting_for_the_other_side_asks_first() {
    let mut server = Server::new();
    let mut anna = Player::joins(&mut server, "Anna");
    let before = server.table.lines().len();
    assert!(common::table::said(&anna.world, "t-head").contains("You are Allies"));
    anna.table(
        json!({ "play": { "open_chart": { "chart": "rally", "role": "element", "unit": "u2" } } }),
    );
    anna.table(json!({ "play": "allow" }));
    anna.table(json!({ "play": "roll" }));
    settle(&mut server, &mut [&mut anna]);
    assert_eq!(server.table.lines().len(), before);
    let asked = common::table::said(&anna.world, "t-act");
    assert!(asked.contains("You are Allies. Roll for Axis?"), "{asked}");
    anna.table(json!({ "play": { "for_other": false } }));
    anna.table(json!({ "play": { "for_other": true } }));
    settle(&mut server, &mut [&mut anna]);
    assert_eq!(server.table.lines().len(), before, "only what was asked is done");
    anna.table(json!({ "play": "roll" }));
    anna.table(json!({ "play": { "for_other": true } }));
    settle(&mut server, &mut [&mut anna]);
    assert_eq!(server.table.lines().len(), before + 1);
}

#[test]
fn invitations_are_on_the_board_with_a_code_to_scan() {
    let mut server = Server::new();
    let mut anna = Player::joins(&mut server, "Anna");
    anna.world.press("\"invite\"");
    anna.calls(&mut server);
    let shown = anna.world.region("t-play");
    assert!(shown.contains("class=\"scan\"") || shown.contains("Watches."), "{shown}");
    assert!(!anna.world.region("t-head").contains("\"invite\""));
    anna.world.press("close_invite");
    assert!(!anna.world.region("t-play").contains("Watches."));
    // A player who goes on to play sees the board, and the result at its place.
    anna.world.press("\"invite\"");
    anna.calls(&mut server);
    assert!(anna.world.region("t-play").contains("Watches."));
    anna.table(json!({ "play": { "touch": "u1" } }));
    assert!(!anna.world.region("t-play").contains("Watches."));
}
