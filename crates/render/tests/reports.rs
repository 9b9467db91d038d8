//! Battle reports as players share them. `BLESS=1 cargo test -p adjutant-render --test reports`
//! overwrites the goldens: read the diff. The goldens name the style of the HTML, `report.css`,
//! instead of repeating it: look at a report in a browser after a change of it (`adjutant export`).
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

#[path = "../../game/tests/common/mod.rs"]
mod common;

use adjutant_dice::{EnteredInput, RandomInput, ThrownBy};
use adjutant_game::{EventKind, LuckVerdict, NewUnit, PlayRequest, Table};
use adjutant_render::report::{STYLE, html, markdown};
use adjutant_wording::report::report as battle_report;
use common::random::RandomGame;
use common::sentence::Sentence;
use common::{Game, games, shipped};
use proptest::prelude::*;

fn golden(name: &str, game: &Game) {
    let report = battle_report(&game.table).unwrap();
    for (kind, text) in [("md", markdown(&report)), ("html", html(&report))] {
        sound(&text, kind);
        let styled = usize::from(kind == "html");
        assert_eq!(text.matches(STYLE).count(), styled, "the style is there once");
        let text = text.replace(STYLE, "/* report.css */");
        let path = format!("{}/tests/reports/{name}.{kind}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            known == text,
            "{name}.{kind} reads otherwise than it did; with BLESS=1 it is written again"
        );
    }
}

/// Every element is closed, in order, and nothing is fetched or run.
fn sound(text: &str, kind: &str) {
    assert!(text.ends_with('\n') && !text.chars().any(|c| c.is_control() && c != '\n'));
    if kind != "html" {
        return;
    }
    let mut open: Vec<&str> = vec!["html", "head"];
    let body = text.split_once("</style>").map_or(text, |(_, body)| body);
    for tag in body.split('<').skip(1).map(|rest| rest.split_once('>').expect("a tag ends").0) {
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        match tag.starts_with('/') {
            true => assert_eq!(open.pop(), Some(name), "in order"),
            false => open.push(name),
        }
        assert!(!["script", "iframe", "img", "link", "object", "form"].contains(&name), "<{name}>");
        assert!(
            !tag.contains("http") && !tag.contains("javascript:") && !tag.contains(" on"),
            "<{tag}>"
        );
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn panzer8_fire_fight() {
    golden("panzer8-fire-fight", &games::panzer8());
}

#[test]
fn asl_close_combat() {
    golden("asl-close-combat", &games::asl());
}

#[test]
fn combat_leader_shoot_out() {
    golden("combat-leader-shoot-out", &games::combat_leader());
}

#[test]
fn chain_reaction_solo() {
    golden("chain-reaction-solo", &games::chain_reaction().game);
}

/// A rally, of an element that is not suppressed, too.
fn rally(unit: &str) -> PlayRequest {
    PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", unit) }
}

/// Two dozen rallies for each side. Bert's own die always shows a 9 or 10; Anna lets the program
/// roll.
fn loaded() -> Game {
    let mut game = Game::new(shipped("panzer8"), "The long evening", &["Allies", "Axis"], &[]);
    game.join("Anna", "Allies");
    game.join("Bert", "Axis");
    game.unit("element", "Rifles", "Allies", "", "type=inf hesa=5 def=5 quality=0");
    game.unit("element", "Grenadiers", "Axis", "", "type=inf hesa=5 def=5 quality=0");
    game.act(EventKind::Note { text: "Bert has brought his own die.".into() });
    let mut ours = RandomInput::seeded(12);
    for n in 0..24 {
        game.by = "Anna".into();
        // A low face puts the Rifles out of action; they rally anyway.
        let line = game.table.play(&game.stamp(), &rally("u1"), &mut ours).unwrap();
        game.apply(&line);
        game.by = "Bert".into();
        game.play(rally("u2"), EnteredInput::new().with_dice([9 + n % 2]));
    }
    game
}

#[test]
fn a_die_that_always_shows_nines_and_tens() {
    let game = loaded();
    golden("the-long-evening", &game);
    let luck = battle_report(&game.table).unwrap().luck;
    let side =
        |name: &str| luck.sides.iter().find(|side| side.side.as_deref() == Some(name)).unwrap();
    assert_eq!(side("Axis").dice[0].judged.verdict, LuckVerdict::More);
    assert!(
        side("Allies").dice.iter().all(|dice| !dice.judged.verdict.is_said()),
        "fair dice are left alone"
    );
    assert_eq!(luck.dice.len(), 2, "real dice and ours are told apart");
    assert!(
        luck.dice
            .iter()
            .all(|dice| dice.judged.verdict.is_said() == (dice.source == ThrownBy::Player))
    );
}

#[test]
fn a_table_at_which_nothing_happened() {
    let game = Game::new(shipped("chain-reaction"), "Nothing yet", &["Patrol"], &[]);
    let report = battle_report(&game.table).unwrap();
    let (text, page) = (markdown(&report), html(&report));
    sound(&text, "md");
    sound(&page, "html");
    assert!(
        text.contains("Nothing has happened yet.") && text.contains("Nothing was rolled."),
        "{text}"
    );
    assert!(page.contains("Nothing has happened yet."));
    assert!(
        battle_report(&Table::empty(shipped("panzer8")))
            .unwrap_err()
            .sentence()
            .contains("has not started")
    );
}

const HOSTILE: [&str; 7] = [
    "<script>alert(1)</script>",
    "*bold* _it_ `code` | cell",
    "[link](http://evil.example) ![pic](x)",
    "\" onload=\"x() ' &amp; &lt;",
    "# heading - [ ] task ~~gone~~",
    "www.evil.example @someone \\| \\",
    "</style></table><b>",
];

fn hostile(name: &str) -> Game {
    let side = format!("{}2", name.chars().take(30).collect::<String>());
    let name: String = name.chars().take(60).collect();
    let mut game = Game::new(
        shipped("panzer8"),
        &name,
        &[&name.chars().take(38).collect::<String>(), &side],
        &[],
    );
    game.join(&name, &side);
    let unit = NewUnit {
        kind: "element".into(),
        name: name.clone(),
        side,
        group: name.clone(),
        notes: name.clone(),
        ..NewUnit::default()
    };
    game.act(EventKind::Add(vec![unit]));
    game.by = name.clone();
    game.play(rally("u1"), EnteredInput::new().with_dice([3]));
    game.act(EventKind::Note { text: name.clone() });
    game.play(rally("u1"), EnteredInput::new().with_dice([9]));
    let undo = game.table.undo(&game.stamp()).unwrap();
    game.apply(&undo);
    game.act(EventKind::Remove { unit: "u1".into(), word: name });
    game
}

/// Whether a character is where Markdown would read it as markup.
fn bare(text: &str, wanted: char) -> bool {
    let mut before = ' ';
    text.chars().any(|c| {
        let found = c == wanted && before != '\\';
        before = if before == '\\' && c == '\\' { ' ' } else { c };
        found
    })
}

#[test]
fn hostile_names_show_as_they_are_written() {
    for name in HOSTILE {
        let report = battle_report(&hostile(name).table).unwrap();
        let (text, page) = (markdown(&report), html(&report));
        sound(&text, "md");
        sound(&page, "html");
        assert!(
            !page.contains("<script") && !page.contains("<b>") && !page.contains('\u{202e}'),
            "{name}"
        );
        for wanted in ['<', '[', '~', '@'] {
            assert!(!bare(&text, wanted), "{wanted} in {text}");
        }
        assert!(!text.contains("http://") && !text.contains("www."), "no link is made: {text}");
        // Every row of a table has as many cells as its head.
        let cells = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
        for table in text.split("\n\n").filter(|part| part.starts_with('|')) {
            let widths: Vec<usize> = table.lines().map(cells).collect();
            assert!(widths.iter().all(|n| *n == widths[0]), "{table}");
        }
    }
    let told = markdown(&battle_report(&hostile(HOSTILE[0]).table).unwrap());
    assert!(told.starts_with("# \\<script\\>alert(1)\\</script\\>\n"), "{told}");
}

#[test]
fn what_was_undone_is_mentioned_and_counts_for_nothing() {
    let report = battle_report(&games::panzer8().table).unwrap();
    assert_eq!((report.taken_back.len(), report.plays), (1, 4));
    let text = markdown(&report);
    assert!(text.contains("1 event was undone and counts for nothing"), "{text}");
    assert!(text.contains("Taken back by Bert with the consent of Allies (11)."), "{text}");
    assert_eq!(
        report.luck.dice.iter().map(|dice| dice.dice).sum::<u32>(),
        7,
        "the die taken back is not counted"
    );
}

#[test]
fn what_each_player_did_with_sealed_rolls_is_in_the_report() {
    let sides = [("Anna", "Allies"), ("Bert", "Axis")];
    let mut players = common::players::Players::new("panzer8", &sides, 5);
    players.game.unit("element", "Rifles", "Allies", "", "type=inf hesa=5 def=5 quality=0");
    players.call("Anna", &rally("u1"));
    players.show("Anna");
    let line = players.withdraw("Anna").unwrap();
    players.game.apply(&line);
    let report = battle_report(players.table()).unwrap();
    for (kind, text) in [("md", markdown(&report)), ("html", html(&report))] {
        sound(&text, kind);
        assert!(text.contains("Anna: 1 call, withdrew 1 call alone."), "{text}");
        assert!(text.contains("owed a link to 1 call when it was dropped"), "{text}");
    }
}

fn cases() -> ProptestConfig {
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() {
        ProptestConfig::default().cases
    } else {
        16
    };
    ProptestConfig { cases, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]
    #[test]
    fn random_games_are_printed_soundly(seed in any::<u64>(), which in 0_usize..5) {
        let mut game = RandomGame::new(which, seed);
        game.run(if which == 0 { 8 } else { 60 });
        let report = battle_report(&game.table).unwrap();
        sound(&markdown(&report), "md");
        sound(&html(&report), "html");
    }
}

#[test]
fn the_standing_of_a_side_tells_who_is_out_and_who_went_over() {
    let mut game = Game::new(shipped("panzer8"), "Hill 112", &["Allies", "Axis"], &[]);
    for (name, side) in [("Rifles", "Allies"), ("Grenadiers", "Axis"), ("Deserters", "Axis")] {
        game.unit("element", name, side, "", "hesa=6 def=4");
    }
    let fire =
        PlayRequest::of("fire").unit("firer", "u1").unit("target", "u2").given("ammo", "hesa");
    game.play(fire, EnteredInput::new().with_dice([10, 1]));
    let over = adjutant_game::UnitEdit {
        unit: "u3".into(),
        side: Some("Allies".into()),
        ..adjutant_game::UnitEdit::default()
    };
    game.act(EventKind::Set(Box::new(over)));
    let report = battle_report(&game.table).unwrap();
    for text in [markdown(&report), html(&report)] {
        assert!(text.contains("2 of 2 units in the game at the end"), "{text}");
        assert!(
            text.contains(
                "0 of 1 unit in the game at the end; out: 1 Out of Action; 1 went over to Allies"
            ),
            "{text}"
        );
    }
}

/// The paragraph of a side at the top of the Markdown.
fn standing<'t>(text: &'t str, side: &str) -> &'t str {
    let start = format!("- **{side}**: ");
    text.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("{text}"))
}

/// A unit that changed sides is listed once, with its last side, also when it is out there.
#[test]
fn a_side_changer_that_is_lost_counts_for_its_last_side_only() {
    let mut game = Game::new(shipped("panzer8"), "Hill 112", &["Allies", "Axis"], &[]);
    for (name, side) in [("Rifles", "Allies"), ("Deserters", "Axis"), ("Gun", "Axis")] {
        game.unit("element", name, side, "", "hesa=6 def=4");
    }
    let over = adjutant_game::UnitEdit {
        unit: "u2".into(),
        side: Some("Allies".into()),
        ..adjutant_game::UnitEdit::default()
    };
    let fire = |by: &str, at: &str| {
        PlayRequest::of("fire").unit("firer", by).unit("target", at).given("ammo", "hesa")
    };
    // It changes sides during play, then its old side shoots it.
    game.play(fire("u1", "u3"), EnteredInput::new().with_dice([1, 9]));
    game.act(EventKind::Set(Box::new(over)));
    game.play(fire("u3", "u2"), EnteredInput::new().with_dice([10, 1]));
    let report = battle_report(&game.table).unwrap();
    let text = markdown(&report);
    assert_eq!(
        standing(&text, "Allies"),
        "1 of 2 units in the game at the end; out: 1 Out of Action"
    );
    assert_eq!(
        standing(&text, "Axis"),
        "1 of 1 unit in the game at the end; 1 went over to Allies"
    );
    let listed: usize = report.sides.iter().map(|side| side.units.len()).sum();
    assert_eq!(listed, 3);
    for (side, name) in [(0, "Deserters"), (1, "Gun")] {
        assert!(report.sides[side].units.iter().any(|unit| unit.name == name), "{report:#?}");
    }
}

#[test]
fn every_ending_is_named_with_and_without_a_winner() {
    let pack = r#"
[pack]
id = "dusk"
title = "Dusk"
[unit.squad]
title = "Squad"
[memory]
time = { number = "Time", from = 0, to = 12, default = 0 }
[chart.clock]
title = "Clock"
step = [ { roll = "1d6", as = "die" } ]
read = { rows = [ { all = "later" } ] }
[result]
later = { title = "Later", effects = [ { remember = "time", by = 6 } ] }
[ending.dusk]
title = "Night falls"
means = "Both sides draw off"
when = "memory.time >= 6"
[ending.dawn]
title = "Dawn"
when = "memory.time >= 12"
wins = "none"
"#;
    let files = adjutant_pack::Files::of([("pack.toml", pack)]);
    let pack = std::sync::Arc::new(adjutant_pack::read_pack(&files, None).unwrap());
    let mut game = Game::new(pack, "Ford", &["Red", "Blue"], &[]);
    game.unit("squad", "Fox", "Red", "", "");
    let tick = || PlayRequest::of("clock");
    game.play(tick(), EnteredInput::new().with_dice([1]));
    let report = battle_report(&game.table).unwrap();
    assert_eq!(report.endings, ["Night falls: Both sides draw off."]);
    game.play(tick(), EnteredInput::new().with_dice([1]));
    let report = battle_report(&game.table).unwrap();
    let wanted = ["Night falls: Both sides draw off.", "Dawn: No side won."];
    let mut named = report.endings.clone();
    named.sort();
    assert_eq!(named, [wanted[1], wanted[0]]);
    for (kind, text) in [("md", markdown(&report)), ("html", html(&report))] {
        sound(&text, kind);
        assert!(text.contains("How it ended"), "{text}");
        assert!(wanted.iter().all(|ending| text.contains(ending)), "{text}");
    }
}
