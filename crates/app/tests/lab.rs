//! The lab, the fights, the deck and the pack desk: links reproduce, what is played in slices is
//! the same however it is cut, a deck gives each card once, and a text that is anything does no
//! harm.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_app::{Command, Message, Reply, Route};
use common::{HOSTILE, World, ill_formed};
use proptest::prelude::*;

fn send(world: &mut World, message: serde_json::Value) {
    world.send(serde_json::from_value(message).unwrap());
}

fn regions(world: &World, names: &[&str]) -> Vec<String> {
    names.iter().map(|name| world.region(name)).collect()
}

const LAB: &[&str] = &["lab-odds", "lab-form", "lab-surface", "lab-changes", "lab-times"];

#[test]
fn a_link_to_the_lab_reproduces_everything() {
    let mut world = World::at("#/lab/panzer8/fire?ammo=hesa&firer.hesa=6&target.def=3");
    for message in [
        serde_json::json!("pin"),
        serde_json::json!({ "form": { "give": ["close", "yes"] } }),
        serde_json::json!({ "down": { "vary": "firer.hesa" } }),
        serde_json::json!({ "down": { "from": "2" } }),
        serde_json::json!({ "down": { "to": "5" } }),
        serde_json::json!({ "across": { "vary": "target.def" } }),
        serde_json::json!({ "times": "3" }),
    ] {
        send(&mut world, serde_json::json!({ "lab": message }));
    }
    assert!(world.run_soon(50));
    let other = World::at(&world.route().to_string());
    assert_eq!(regions(&other, LAB), regions(&world, LAB));
    let surface = world.region("lab-surface");
    assert!(surface.contains("data-heat") && surface.contains("<table"), "{surface}");
    assert!(world.region("lab-odds").contains("Differences:"));
}

#[test]
fn the_numbers_of_the_picture_are_the_odds() {
    let world = World::at("#/lab/panzer8/rally?element.quality=0&~vary=lost,0..2");
    let surface = world.region("lab-surface");
    let pack =
        adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
    for lost in ["0", "1", "2"] {
        let mut situation = adjutant_engine::Situation::new(&pack, "rally").unwrap();
        situation.give("lost", lost).unwrap();
        let report =
            adjutant_engine::odds(&situation, &adjutant_engine::OddsOptions::default()).unwrap();
        for chanced in &report.branches[0].spread.results {
            assert!(
                surface.contains(&adjutant_engine::percent_in_words(chanced.chance.percent())),
                "{lost}: {}",
                chanced.title
            );
        }
    }
}

#[test]
fn results_that_can_come_together_are_listed_without_a_bar() {
    let given = "attacker.type=squad&defender.type=squad";
    let world = World::at(&format!(
        "#/lab/asl-starter-kit/ambush?{given}&~follow=yes&~later.attacker.fp=4&~later.defender.fp=8"
    ));
    let odds = world.region("lab-odds");
    let both = ["All eliminated (attacker)", "All eliminated (defender)"]
        .iter()
        .all(|name| odds.contains(name));
    assert!(both && odds.contains("One roll can give several of these"), "{odds}");
    assert!(!odds.contains("odds-bar"), "{odds}");
    assert!(
        World::at(&format!("#/lab/asl-starter-kit/ambush?{given}"))
            .region("lab-odds")
            .contains("odds-bar")
    );
}

#[test]
fn a_slow_chart_is_worked_out_in_slices() {
    let mut world = World::at("#/lab/combat-leader/accuracy");
    let started = world.region("lab-surface");
    assert!(started.contains("<progress"), "{started}");
    assert!(world.run_soon(400));
    assert!(world.region("lab-surface").contains("class=\"plot\""));
    // A call for what is no longer wanted does nothing.
    let before = world.html();
    world.send(Message::Reply { to: adjutant_app::ReplyTo::Lab(1), reply: Reply::Elapsed(1) });
    assert_eq!(world.html(), before);
}

#[test]
fn every_chart_of_every_pack_has_a_lab() {
    for id in adjutant_bundled_packs::IDS {
        let pack =
            adjutant_pack::read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap();
        for chart in pack.charts() {
            let mut world = World::at(
                &Route::Lab(id.to_string(), chart.id.to_string(), Vec::new()).to_string(),
            );
            world.run_soon(4);
            assert_eq!(ill_formed(&world.html()), None, "{id} {}", chart.id);
            let odds = world.region("lab-odds");
            assert!(!odds.contains("Odds need these inputs"), "{id} {}: {odds}", chart.id);
        }
    }
}

const FIGHT: &[&str] = &["fight-odds", "fight-form", "fight-vary"];

#[test]
fn a_small_fight_is_exact() {
    let mut world = World::at(
        "#/fight/panzer8/fire-fight?ours.hesa=6&ours.def=4&theirs.hesa=6&theirs.def=4&~vary=ours.hesa,4..7",
    );
    assert!(world.run_soon(100));
    let odds = world.region("fight-odds");
    assert!(odds.contains("Exact, from all") && odds.contains("rounds on average"), "{odds}");
    assert!(world.region("fight-vary").contains("class=\"plot\""));
    let other = {
        let mut other = World::at(&world.route().to_string());
        other.run_soon(100);
        other
    };
    assert_eq!(regions(&other, FIGHT), regions(&world, FIGHT));
}

/// Plays a large fight with slices of this pace.
fn large(took: u32) -> String {
    let mut world = World::at(
        "#/fight/panzer8/fire-fight?ours=6&theirs=6&ours.hesa=6&ours.def=4&theirs.hesa=5&theirs.def=4",
    );
    for _ in 0..3000 {
        let Some(reply_to) = world.soon.pop() else { break };
        world.send(Message::Reply { to: reply_to, reply: Reply::Elapsed(took) });
    }
    world.region("fight-odds")
}

#[test]
fn a_large_fight_is_played_and_how_it_was_cut_does_not_matter() {
    let odds = large(5);
    assert!(odds.contains("Simulated 10,000 times"), "{odds}");
    assert_eq!(odds, large(60));
}

#[test]
fn a_fight_behind_an_option_says_so_and_opens() {
    let mut world = World::at("#/fight/chain-reaction/exchange-of-fire");
    assert!(world.region("fight-odds").contains("needs an option"));
    world.press("\"option\"");
    world.run_soon(5);
    assert!(!world.region("fight-odds").contains("needs an option"));
    assert!(world.region("fight-form").contains("How many"));
}

#[test]
fn a_deck_gives_each_card_once_and_is_kept() {
    let mut world = World::at("#/deck/combat-leader/action");
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..60 {
        world.press("\"draw\"");
        let card = world
            .region("deck-card")
            .split("data-id=\"card-")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .to_owned();
        assert!(seen.insert(card));
    }
    assert!(world.region("deck-piles").contains("0 of 60 left"));
    let mut again = World { kept: world.kept.clone(), ..World::default() };
    again.start("#/deck/combat-leader/action");
    assert!(again.region("deck-piles").contains("0 of 60 left"));
    again.press("\"put_back\"");
    assert!(again.region("deck-piles").contains("1 of 60 left"));
    again.press("\"draw\"");
    again.press("\"draw\"");
    assert!(
        again.region("deck-piles").contains("59 of 60 left"),
        "an empty pile is reshuffled first"
    );
    again.press("\"reshuffle\"");
    assert!(again.region("deck-piles").contains("60 of 60 left"));
}

#[test]
fn what_is_read_is_said_and_lit() {
    let mut world = World::at("#/deck/combat-leader/action");
    world.press("\"draw\"");
    world.press("\"read_field\":4");
    let card = world.region("deck-card");
    assert!(
        card.contains("#ffd75e") && card.contains("Soldier selection (row 6 is the d6), 6: "),
        "{card}"
    );
    world.press("\"browse\"");
    assert_eq!(world.region("deck-all").matches("<svg").count(), 12 + 1);
}

/// The editor with a new pack.
fn editor() -> World {
    let mut world = World::at("#/editor");
    send(&mut world, serde_json::json!({ "pack_editor": { "start_from": "" } }));
    world.run_soon(20);
    world
}

fn typed(world: &World) -> String {
    adjutant_bundled_packs::skeleton("my-game")
        .text("pack.toml")
        .map(str::to_owned)
        .filter(|_| world.region("editor-text").contains("textarea"))
        .unwrap()
}

#[test]
fn a_new_pack_runs_and_its_cases_are_tried() {
    let world = editor();
    assert!(world.region("editor-faults").contains("No errors"));
    assert!(
        world.region("editor-cases").contains("All 3 cases pass"),
        "{}",
        world.region("editor-cases")
    );
    assert!(world.region("editor-chart").contains("Attack value"));
}

#[test]
fn a_fault_shows_its_place_and_the_last_sound_chart_goes_on() {
    let mut world = editor();
    let text = typed(&world).replace("score = \"firer - target\"", "score = \"firer - targt\"");
    send(&mut world, serde_json::json!({ "pack_editor": { "edit": text } }));
    let faults = world.region("editor-faults");
    assert!(
        faults.contains("pack.toml, line ") && faults.contains("^^^") && faults.contains("targt"),
        "{faults}"
    );
    assert!(world.region("editor-chart").contains("Attack value"));
    world.press("\"show_fault\":0");
    let Some(Command::Select { from, to, .. }) = world.told.last() else {
        panic!("{:?}", world.told.last())
    };
    let marked: String = text
        .encode_utf16()
        .skip(*from)
        .take(to - from)
        .map(|unit| char::from_u32(u32::from(unit)).unwrap())
        .collect();
    assert!("firer - targt".contains(&marked) && !marked.is_empty(), "{marked}");
    // The text area keeps what is typed: it is not sent again.
    assert!(!world.region("editor-text").contains("targt"));
}

#[test]
fn a_case_that_fails_is_told() {
    let mut world = editor();
    let text = typed(&world).replace("plus = 1, when = \"close\"", "plus = 2, when = \"close\"");
    send(&mut world, serde_json::json!({ "pack_editor": { "edit": text } }));
    world.run_soon(20);
    assert!(
        world.region("editor-cases").contains("cases fail"),
        "{} {}",
        world.region("editor-faults"),
        world.region("editor-cases")
    );
}

#[test]
fn all_faults_are_told_at_once() {
    let mut world = editor();
    let text = typed(&world).replace("score = \"firer - target\"", "score = \"firer - targt\"");
    let text = text.replace("when = \"close\"", "when = \"cloze\"");
    send(&mut world, serde_json::json!({ "pack_editor": { "edit": text } }));
    let faults = world.region("editor-faults");
    assert!(faults.contains("targt") && faults.contains("cloze"), "{faults}");
}

#[test]
fn cases_of_another_pack_are_not_tried_until_the_player_wants_it() {
    let mut world = editor();
    let other = "[pack]\nid = \"other\"\ntitle = \"Other\"\n[chart.c]\ntitle = \"C\"\nread = { value = 1 }\n";
    send(&mut world, serde_json::json!({ "pack_editor": { "edit": other } }));
    world.run_soon(20);
    let cases = world.region("editor-cases");
    assert!(cases.contains("of the pack that was here before"), "{cases}");
    world.press("\"run_cases\"");
    world.run_soon(20);
    let cases = world.region("editor-cases");
    assert!(cases.contains("cases fail"), "{cases}");
    // The same pack under another name keeps its cases.
    let mut world = editor();
    let renamed = typed(&world).replace("\"my-game\"", "\"our-game\"");
    send(&mut world, serde_json::json!({ "pack_editor": { "edit": renamed } }));
    world.run_soon(20);
    assert!(world.region("editor-cases").contains("All 3 cases pass"));
}

#[test]
fn the_editor_is_kept_and_a_pack_is_taken_into_use() {
    let mut world = editor();
    world.press("\"install\"");
    let mut again = World { kept: world.kept.clone(), ..World::default() };
    again.start("#/sheet/my-game");
    assert!(again.html().contains("Fire"), "{}", again.region("main"));
    again.go("#/editor");
    assert!(again.region("editor-text").contains("id      = &quot;my-game&quot;"));
    again.press("\"uninstall\"");
    assert!(!again.kept.contains_key("own:my-game"));
    // A sheet that came with the page is not replaced.
    let mut other = World::at("#/editor");
    send(&mut other, serde_json::json!({ "pack_editor": { "start_from": "panzer8" } }));
    other.press("\"install\"");
    assert!(other.region("editor-start").contains("comes with Adjutant"));
    assert!(!other.kept.contains_key("own:panzer8"));
}

#[test]
fn what_is_on_the_editor_is_not_lost_by_a_slip() {
    let mut world = editor();
    send(&mut world, serde_json::json!({ "pack_editor": { "start_from": "panzer8" } }));
    assert!(world.region("editor-text").contains("my-game"));
    world.press("\"confirm_replace\":true");
    assert!(world.region("editor-text").contains("Panzer8"));
}

#[test]
fn what_is_too_large_or_no_file_of_a_pack_is_refused() {
    let mut world = editor();
    let huge = "x".repeat(300 << 10);
    send(&mut world, serde_json::json!({ "pack_editor": { "edit": huge } }));
    assert!(world.region("editor-start").contains("at most 256 KB"));
    assert!(world.region("editor-faults").contains("No errors"));
    for name in ["../pack.toml", "evil.exe", "", HOSTILE, ".csv"] {
        send(&mut world, serde_json::json!({ "pack_editor": { "import": [name, "text"] } }));
        assert!(world.region("editor-start").contains("is not a valid file name"), "{name}");
    }
    for n in 0..9 {
        send(
            &mut world,
            serde_json::json!({ "pack_editor": { "import": [format!("d{n}.csv"), "a,b"] } }),
        );
    }
    assert!(world.region("editor-start").contains("at most 8 files"));
}

#[test]
fn a_text_that_would_take_too_long_is_answered_in_a_blink() {
    let mut world = editor();
    let text = typed(&world);
    let many = text.replacen("roll = \"1d6\"", "roll = \"60d100\"\nkeep = { lowest = 17 }", 1);
    assert_ne!(many, text, "the pack has such a roll");
    let nested = format!("x = {}1{}", "[".repeat(50_000), "]".repeat(50_000));
    let long = format!("{}\n[chart.x]\ntitle = \"{}\"", typed(&world), "(".repeat(100_000));
    let names = format!(
        "{}\n{}",
        typed(&world),
        (0..4000).map(|n| format!("[result.r{n}]\ntitle = \"x\"\n")).collect::<String>()
    );
    for text in [many, nested, long, names] {
        let began = std::time::Instant::now();
        send(&mut world, serde_json::json!({ "pack_editor": { "edit": text } }));
        world.run_soon(50);
        assert_eq!(ill_formed(&world.html()), None);
        let took = began.elapsed();
        println!("{} bytes: {took:?}", text.len());
        assert!(took.as_secs() < 20, "{took:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// A pack with a piece cut out, doubled or exchanged is sound or faulty, and the page stands.
    #[test]
    fn whatever_is_typed_the_editor_stands(from in 0..1500_usize, length in 0..60_usize, put in "[ -~\n\"\\[\\]{}=<>é]{0,12}", pack in 0..4_usize) {
        let mut world = World::at("#/editor");
        send(&mut world, serde_json::json!({ "pack_editor": { "start_from": adjutant_bundled_packs::IDS[pack] } }));
        let whole = adjutant_bundled_packs::files(adjutant_bundled_packs::IDS[pack]).unwrap();
        let letters: Vec<char> = whole.text("pack.toml").unwrap().chars().collect();
        let (from, to) = (from.min(letters.len()), (from + length).min(letters.len()));
        let text: String = letters[..from].iter().copied().chain(put.chars()).chain(letters[to..].iter().copied()).collect();
        send(&mut world, serde_json::json!({ "pack_editor": { "edit": text } }));
        world.run_soon(3);
        prop_assert_eq!(ill_formed(&world.html()), None);
        send(&mut world, serde_json::json!({ "pack_editor": { "show_fault": 0 } }));
    }
}

#[test]
fn odds_can_be_taken_along_as_text_and_as_a_picture() {
    let mut world = World::at("#/lab/panzer8/rally");
    world.run_soon(200);
    let links = world.region("lab-links");
    assert!(links.contains("Copy as text"), "{links}");
    assert!(links.contains(" %\\n") && links.contains("/lab/panzer8/rally"), "{links}");
    world.press("\"save_image\"");
    let Some(Command::Download { name, text, .. }) = world.told.last() else {
        panic!("{:?}", world.told.last())
    };
    assert!(name == "rally-odds.svg" && text.contains("<svg"), "{name}");
}

#[test]
fn a_large_handful_of_own_dice_is_counted_by_face() {
    let mut world = editor();
    let pack = "[pack]\nid = \"many\"\ntitle = \"Many\"\n[chart.volley]\ntitle = \"Volley\"\nstep = [ { roll = \"12d6\", as = \"sum\" } ]\nread = { value = \"sum\" }\n";
    send(&mut world, serde_json::json!({ "pack_editor": { "edit": pack } }));
    let chart = |world: &mut World, message: serde_json::Value| {
        send(world, serde_json::json!({ "pack_editor": { "chart": message } }));
    };
    chart(&mut world, serde_json::json!("own_dice"));
    assert!(world.region("editor-chart").contains("ask-counts"), "{}", world.html());
    chart(&mut world, serde_json::json!({ "answer": { "counts": { "1": "5", "6": "6" } } }));
    let shown = world.region("editor-chart");
    assert!(shown.contains("The counts add up to 11. There are 12 dice."), "{shown}");
    chart(&mut world, serde_json::json!({ "answer": { "counts": { "1": "6", "6": "6" } } }));
    assert!(world.region("editor-chart").contains("42"), "{}", world.region("editor-chart"));
}

#[test]
fn the_contents_of_a_sheet_lead_to_its_charts() {
    let mut world = World::at("#/sheet/panzer8");
    assert!(!world.region("charts").contains("data-open"), "a phone shows the heads first");
    world.press("\"jump\":\"rally\"");
    assert!(world.told.contains(&Command::Jump("chart-rally".into())));
    assert_eq!(world.region("charts").matches("data-open").count(), 1);
    world.press("\"fold\":\"rally\"");
    assert!(!world.region("charts").contains("data-open"));
    world.press("\"print\"");
    assert_eq!(world.told.last(), Some(&Command::Print));
}

#[test]
fn the_form_writes_into_the_text_and_faults_show_at_the_field() {
    let mut world = editor();
    world.press("\"show_form\"");
    let form = world.region("editor-text");
    assert!(form.contains("Amount") && form.contains("Rows"), "{form}");
    let message = |form: &str, id: &str| {
        let field = form.split(&format!("id=\"{id}\"")).nth(1).unwrap().split('>').next().unwrap();
        let path = field.split("&quot;set&quot;:[").nth(1).unwrap().split(",&quot;$value").next();
        serde_json::from_str::<serde_json::Value>(&path.unwrap().replace("&quot;", "\"")).unwrap()
    };
    let at = message(&form, "form-0-0-plus");
    send(&mut world, serde_json::json!({ "pack_editor": { "form": { "set": [at, "cloze"] } } }));
    let form = world.region("editor-text");
    let field =
        form.split("id=\"form-0-0-plus\"").nth(1).unwrap().split("</label>").next().unwrap();
    assert!(field.contains("class=\"wrong\"") && field.contains("cloze"), "{field}");
    send(&mut world, serde_json::json!({ "pack_editor": { "form": { "set": [at, "2"] } } }));
    assert!(world.region("editor-faults").contains("No errors"));
    world.press("\"open_file\":\"pack.toml\"");
    assert!(world.region("editor-text").contains("plus = 2"));
}

#[test]
fn the_editor_says_what_a_change_does() {
    let mut world = editor();
    world.press("\"install\"");
    let text = typed(&world).replace("plus = 1, when = \"close\"", "plus = 2, when = \"close\"");
    send(&mut world, serde_json::json!({ "pack_editor": { "edit": text } }));
    assert!(world.region("editor-diff").contains("Comparing"));
    assert!(world.run_soon(400));
    let found = world.region("editor-diff");
    assert!(found.contains("1 → 2") && found.contains("Chances move in"), "{found}");
    // Another layout is no change.
    let text = format!("# A comment.\n{}", typed(&world));
    send(&mut world, serde_json::json!({ "pack_editor": { "edit": text } }));
    assert!(world.run_soon(400));
    let found = world.region("editor-diff");
    assert!(found.contains("The rules are the same"), "{found}");
}

#[test]
fn keys_and_values_that_fit_are_offered_and_written() {
    let mut world = editor();
    let offered = |world: &mut World, text: &str| {
        let edit = serde_json::json!({ "pack_editor": { "edit": text.replace('|', "") } });
        send(world, edit);
        let caret = text.split('|').next().unwrap().encode_utf16().count().to_string();
        send(world, serde_json::json!({ "pack_editor": { "caret": caret } }));
        world.region("editor-keys")
    };
    let text = "[status.shaken]\ntitle = \"½ shaken\"\nkee|\n";
    let keys = offered(&mut world, text);
    assert!(keys.contains("keeps_off") && keys.contains("data-do"), "{keys}");
    world.press("\"complete\":0");
    assert!(world.region("editor-text").contains("\nkeeps_off = ["));
    let values = offered(&mut world, "[status.shaken]\ntitle = \"A\"\nkeeps_off = |\n");
    assert!(values.contains("shaken"), "{values}");
    // The form has no caret.
    world.press("\"show_form\"");
    assert!(!world.region("editor-keys").contains("data-do"));
}
