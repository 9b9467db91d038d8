//! Checks `docs/sealed-rolls.md` against the program. Every test vector is computed by the
//! independent verifier and by the game crate, and both check the log at the end of the document.
//! `BLESS=1 cargo test -p adjutant-game --test sealed_document` writes that log again.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod common;

use adjutant_dice::{CardRequest, Deck, DiceRequest, EnteredInput, InputSource, SealedInput};
use adjutant_game::{Chain, ConsentFor, EventKind, Forfeit, PlayRequest, Stamp, replay};
use common::players::Players;
use common::stranger::{Stream, follows, hex, mark, seed, unhex, verify};
use common::{Game, question_pack, shipped};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sealed-rolls.md");

fn document() -> String {
    std::fs::read_to_string(PATH).unwrap()
}

/// The `key: value` lines of a test vector.
fn vector(name: &str) -> Vec<(String, String)> {
    let text = document();
    let start = format!("```text\n# vector: {name}\n");
    let rest =
        text.split_once(&start).unwrap_or_else(|| panic!("the document has no vector {name}")).1;
    let pair = |line: &str| {
        line.split_once(": ").map(|(key, value)| (key.to_owned(), value.to_owned())).unwrap()
    };
    rest.split_once("```").unwrap().0.lines().map(pair).collect()
}

fn one<'a>(vector: &'a [(String, String)], key: &str) -> &'a str {
    &vector.iter().find(|(known, _)| known == key).unwrap().1
}

/// A log of the document: 0 or 1.
fn log(place: usize) -> String {
    let text = document();
    let block = text.split("```jsonl\n").nth(place + 1).unwrap();
    block.split_once("```").unwrap().0.to_owned()
}

fn secret(text: &str) -> [u8; 32] {
    unhex(text).try_into().unwrap()
}

#[test]
fn the_chain() {
    let known = vector("chain");
    let length: u32 = one(&known, "length").parse().unwrap();
    let chain = Chain::new(secret(one(&known, "secret")), length).unwrap();
    assert_eq!(chain.anchor(), one(&known, "anchor"));
    let mut link = unhex(one(&known, "secret"));
    for depth in (1..=length + 1).rev() {
        assert_eq!(hex(&link), one(&known, &format!("depth {depth}")));
        link = follows(&link);
    }
    assert_eq!(hex(&link), chain.anchor());
}

#[test]
fn mark_and_seed() {
    let known = vector("mark");
    assert_eq!(
        hex(&mark(&unhex(one(&known, "key")), &unhex(one(&known, "prev")), "")),
        one(&known, "mark")
    );
    let texts = known.iter().filter_map(|(key, made)| Some((key.strip_prefix("mark of ")?, made)));
    for (text, made) in texts.clone() {
        let key = unhex(one(&known, "key"));
        assert_eq!(hex(&mark(&key, &unhex(one(&known, "prev")), text)), *made, "{text}");
    }
    assert_eq!(texts.count(), 3);
    let known = vector("skipped");
    let hashed: Vec<String> =
        std::iter::successors(Some(unhex(&known[0].1)), |link| Some(follows(link)))
            .map(|link| hex(&link))
            .take(known.len())
            .collect();
    assert_eq!(hashed, known.iter().map(|(_, link)| link.clone()).collect::<Vec<_>>());
    assert_eq!(hashed[3], one(&vector("chain"), "anchor"));
    let known = vector("seed");
    let links: Vec<_> =
        known.iter().filter(|(key, _)| key == "link").map(|(_, link)| unhex(link)).collect();
    assert_eq!(
        hex(&seed(&unhex(one(&known, "line 1")), &unhex(one(&known, "call")), &links)),
        one(&known, "seed")
    );
}

/// Checks each roll of a vector with the independent verifier and with the game crate.
fn rolls(known: &[(String, String)]) {
    let bytes = unhex(one(known, "seed"));
    let (mut stranger, mut ours) =
        (Stream::new(bytes.clone()), SealedInput::new(bytes.try_into().unwrap()));
    let list = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    for (key, value) in known {
        if let Some(cards) = key.strip_prefix("card of ") {
            let left: Vec<u32> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
            let size = *left.last().unwrap();
            let deck = Deck::without(size, (1..=size).filter(|card| !left.contains(card))).unwrap();
            assert_eq!(left[stranger.below(left.len() as u64) as usize].to_string(), *value);
            assert_eq!(
                ours.card(&CardRequest::new("", "", "", &deck)).unwrap().to_string(),
                *value
            );
        } else if let Some((count, sides)) =
            key.split_once('d').and_then(|(a, b)| Some((a.parse().ok()?, b.parse::<u32>().ok()?)))
        {
            let faces: Vec<u32> =
                (0..count).map(|_| stranger.below(u64::from(sides)) as u32 + 1).collect();
            assert_eq!(list(&faces), *value);
            assert_eq!(list(&ours.dice(&DiceRequest::new("", "", count, sides)).unwrap()), *value);
        }
    }
}

#[test]
fn the_stream() {
    let known = vector("stream");
    assert_eq!(known.len(), 9);
    let mut words = Stream::new(unhex(one(&known, "seed")));
    for (_, word) in known.iter().filter(|(key, _)| key == "word") {
        assert_eq!(words.below(1 << 32).to_string(), *word);
    }
    rolls(&known);
    let known = vector("rejection");
    rolls(&known);
    // Without rejection sampling the faces would be different.
    let mut words = Stream::new(unhex(one(&known, "seed")));
    let careless: Vec<String> =
        (0..8).map(|_| (words.below(1 << 32) % 1000 + 1).to_string()).collect();
    assert_ne!(careless.join(" "), one(&known, "8d1000"));
}

/// Makes the log of the document.
fn made() -> String {
    let mut game = Game::new(shipped("panzer8"), "Hill 112", &["Allies", "Axis"], &[]);
    game.join("Anna", "Allies");
    game.join("Bert", "Axis");
    let chain =
        |first: u8| Chain::new(std::array::from_fn(|place| first + place as u8), 3).unwrap();
    let mut chains = [("Anna", chain(0)), ("Bert", chain(32))];
    for (name, chain) in &chains {
        let line =
            game.table.seal(&Stamp { by: (*name).into(), ..game.stamp() }, chain, None).unwrap();
        game.apply(&line);
    }
    game.unit("element", "Rifles", "Allies", "", "type=inf hesa=5 def=5 quality=0");
    game.unit("element", "Grenadiers", "Axis", "", "type=inf hesa=5 def=5 quality=1");
    let fire =
        PlayRequest::of("fire").unit("firer", "u1").unit("target", "u2").given("ammo", "hesa");
    let line = game.table.call(&game.stamp(), &fire, &mut EnteredInput::new()).unwrap();
    game.apply(&line);
    for (name, chain) in &mut chains {
        let shown = chain.show(&game.table, name).unwrap();
        let line =
            game.table.reveal(&Stamp { by: (*name).into(), ..game.stamp() }, &shown).unwrap();
        game.apply(&line);
    }
    let line = game
        .table
        .sealed_play(&Stamp { by: "Bert".into(), ..game.stamp() }, &mut EnteredInput::new())
        .unwrap();
    game.apply(&line);
    for ((name, chain), fresh) in chains.iter_mut().zip([64, 96]) {
        let new = Chain::new([fresh; 32], 3).unwrap();
        let line = game
            .table
            .seal(&Stamp { by: (*name).into(), ..game.stamp() }, &new, Some(chain))
            .unwrap();
        game.apply(&line);
    }
    game.table.to_json_lines()
}

fn bytes(first: u8) -> [u8; 32] {
    std::array::from_fn(|place| first + place as u8)
}

/// Makes the second log of the document: a skipped depth, a call that continues, a new chain in an
/// open call, an undo and a release by consent.
fn made_with_question() -> String {
    let game = Game::new(question_pack(), "Press", &["Red", "Blue"], &[]);
    let chains = vec![
        ("Anna".into(), Chain::new(bytes(0), 6).unwrap()),
        ("Bert".into(), Chain::new(bytes(32), 2).unwrap()),
    ];
    let mut players = Players { game, chains };
    players.game.join("Anna", "Red");
    players.game.join("Bert", "Blue");
    for name in ["Anna", "Bert"] {
        let chain = players.chain(name).clone();
        let mut seal = chain.seal(players.table(), name, None).unwrap();
        seal.forfeit = Some(Forfeit::Lost { minutes: 30 });
        let line = players.table().act(&players.stamp(name), EventKind::Seal(seal)).unwrap();
        players.game.apply(&line);
    }
    let press = PlayRequest::of("press");
    players.call("Anna", &press);
    players.show("Anna");
    let line = players.withdraw("Anna").unwrap();
    players.game.apply(&line);
    players.call("Anna", &press);
    players.all_show();
    players.reseal("Bert", 0x60, 5);
    let mut answers = EnteredInput::new().with_answer("more", "yes").with_answer("content", "yes");
    for _ in 0..2 {
        let line =
            players.table().sealed_play(&players.stamp("Anna"), &mut answers.clone()).unwrap();
        players.game.apply(&line);
        if players.table().open_call().is_some() {
            players.all_show();
            answers = EnteredInput::new().with_answer("content", "yes");
        }
    }
    let ask = players.ask("Bert", ConsentFor::Undo);
    players.agree("Bert", ask, "Anna");
    let line = players.undo("Bert").unwrap();
    players.game.apply(&line);
    let ask = players.ask_release("Anna", "Bert");
    players.agree("Anna", ask, "Bert");
    players.reseal("Bert", 0x61, 3);
    players.reseal("Anna", 0x62, 3);
    let line = players.release("Anna", "Bert").unwrap();
    players.game.apply(&line);
    players.table().to_json_lines()
}

#[test]
fn the_log_with_a_question() {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(PATH, document().replace(&log(1), &made_with_question())).unwrap();
    }
    let log = log(1);
    assert_eq!(verify(&log, &[]), Ok(1));
    let (table, differences) = replay(question_pack(), log.lines()).unwrap();
    assert!(differences.is_empty(), "{differences:?}");
    assert!(!table.rolls_sealed());
    for part in ["\"continues\"", "\"withdraw\"", "\"forfeit\"", "\"mark\"", "\"release\""] {
        assert!(log.contains(part), "{part}");
    }
    // Every mark of a line is bound to its text.
    let flipped = log.replacen("\"yes\":true", "\"yes\":false", 1);
    let mut flipped: Vec<String> = flipped.lines().map(str::to_owned).collect();
    common::rechain(&mut flipped);
    assert!(verify(&flipped.join("\n"), &[]).is_err());
    assert!(replay(question_pack(), &flipped).is_err());
}

#[test]
fn the_log() {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(PATH, document().replace(&log(0), &made())).unwrap();
    }
    let log = log(0);
    // Checked by the independent verifier and by the game crate, also if the pack's rules have
    // changed since.
    assert_eq!(verify(&log, &[]), Ok(1));
    let (table, differences) = replay(shipped("panzer8"), log.lines()).unwrap();
    assert!(differences.is_empty(), "{differences:?}");
    assert_eq!(table.sealed_circle().len(), 2);
    let anchor = format!("\"anchor\":\"{}\"", one(&vector("chain"), "anchor"));
    assert!(log.contains(&anchor), "Anna's chain is that of the vector");
    // Everything is bound: no byte before the last link can be changed, even if the hash chain is
    // rebuilt.
    let lines: Vec<String> = log.lines().map(str::to_owned).collect();
    for place in 0..lines.iter().rposition(|line| line.contains("\"reveal\"")).unwrap() {
        let mut changed = lines.clone();
        changed[place] = changed[place].replace("2026-11", "2026-12");
        common::rechain(&mut changed);
        assert!(verify(&changed.join("\n"), &[]).is_err(), "line {}", place + 1);
        assert!(
            replay(shipped("panzer8"), &changed)
                .map_or(true, |(_, differences)| !differences.is_empty()),
            "line {}",
            place + 1
        );
    }
}
