#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
//! Card layouts and decks from plain CSV: every error is reported at its position, with a remedy.

mod common;

use adjutant_pack::{Files, pack_of_csv, read_pack};
use common::{faults, only, unmarked};

const DECK: &str = "[pack]\nid = \"t\"\ntitle = \"T\"\n[deck.d]\ntitle = \"D\"\nfile = \"d.csv\"\n";
const REST: &str = "[deck.d.field]\nwind = { number = \"Wind\" }\n[chart.c]\ntitle = \"C\"\nstep = [ { draw = \"d\", as = \"card\" } ]\nread = { value = \"card.number\" }\n";

/// Checks that these lines of a deck have exactly this error at the mark.
#[track_caller]
fn deck(lines: &str, fault: &str) {
    let (text, line, column) = unmarked(&format!("{DECK}{lines}\n{REST}"));
    let files = Files::of([("pack.toml", text.as_str()), ("d.csv", "card,title,wind\n1,Rain,3\n")]);
    only(&faults(&files, None), "pack.toml", (line, column), fault);
}

#[test]
fn a_place_says_what_stands_where() {
    deck(
        "place = [ ▸{ at = [1, 1], size = [9, 9] } ]",
        "the place does not say what stands there (give it exactly one of show = \"title\", text = \"…\" or draw = \"line\")",
    );
    deck(
        "place = [ ▸{ show = \"title\", text = \"X\", at = [1, 1], size = [9, 9] } ]",
        "the place holds two kinds of things (give it exactly one of show = \"title\", text = \"…\" or draw = \"line\")",
    );
    deck(
        "place = [ { show = ▸\"titel\", at = [1, 1], size = [9, 9] } ]",
        "a card has nothing called `titel` (did you mean `title`?)",
    );
    deck(
        "place = [ { show = [\"title\", ▸\"field.wnd\"], at = [1, 1], size = [9, 9] } ]",
        "a card has nothing called `field.wnd` (did you mean `field.wind`?)",
    );
    deck(
        "place = [ { draw = ▸\"lne\", at = [1, 1], size = [9, 9] } ]",
        "there is no drawing `lne` (did you mean `line`?)",
    );
    deck(
        "place = [ { show = \"title\", at = [1, 1], size = [9, 9], ▸lettres = 3 } ]",
        "a place has no key `lettres` (did you mean `letters`?)",
    );
    deck(
        "place = [ ▸{ show = \"title\", size = [9, 9] } ]",
        "the place has no `at` (add at = [4, 20], in millimetres)",
    );
    deck(
        "place = [ ▸{ show = \"title\", at = [9, 9] } ]",
        "the place has no `size` (add size = [4, 20], in millimetres)",
    );
}

#[test]
fn a_place_is_on_the_card_and_large_enough() {
    deck(
        "place = [ ▸{ show = \"title\", at = [50, 1], size = [14, 9] } ]",
        "the place reaches from 50, 1 to 64, 10: off the card (the card is 63 × 88 mm)",
    );
    deck(
        "place = [ ▸{ show = \"title\", at = [-1, 1], size = [14, 9] } ]",
        "the place reaches from -1, 1 to 13, 10: off the card (the card is 63 × 88 mm)",
    );
    deck(
        "place = [ { show = \"title\", at = [1, 1], size = ▸[14, 0] } ]",
        "a place of 14 × 0 mm holds nothing (make it at least 1 mm wide and high)",
    );
    deck(
        "place = [ { show = \"title\", at = [1, 1], size = ▸[14] } ]\n",
        "`size` should be two numbers, in millimetres (write size = [4, 20])",
    );
}

#[test]
fn words_letters_and_sizes_are_checked() {
    deck(
        "place = [ { show = \"title\", at = [1, 1], size = [9, 9], align = ▸\"centre\" } ]",
        "there is no way to align `centre` (there are: left, middle, right)",
    );
    deck(
        "place = [ { show = \"title\", at = [1, 1], size = [9, 9], ink = ▸\"gray\" } ]",
        "there is no ink `gray` (did you mean `grey`?)",
    );
    deck(
        "place = [ { show = \"title\", at = [1, 1], size = [9, 9], letters = ▸0.2 } ]",
        "letters of 0.2 mm cannot be set (letters have 1 to 60 mm: 3.5 is 10 points)",
    );
    deck(
        "card = ▸[5, 88]",
        "a card of 5 × 88 mm cannot be printed (each side has 20 to 300 mm: card = [63, 88])",
    );
    let many = "{ draw = \"box\", at = [1, 1], size = [9, 9] }, ".repeat(60);
    deck(
        &format!("place = [ {many} ▸{{ draw = \"box\", at = [1, 1], size = [9, 9] }} ]"),
        "the card has 61 places: at most 60 are allowed (join some of them)",
    );
}

#[test]
fn text_does_not_lie_over_text() {
    deck(
        "place = [ { show = \"title\", at = [1, 1], size = [20, 9] }, { draw = \"box\", at = [0, 0], size = [63, 88] }, ▸{ text = \"X\", at = [20, 9], size = [9, 9] } ]",
        "this place lies over place 1, and both hold text (move one of them, or make it smaller)",
    );
    // Adjacent places do not overlap.
    let files = Files::of([
        (
            "pack.toml",
            format!(
                "{DECK}place = [ {{ show = \"title\", at = [1, 1], size = [20, 9] }}, {{ text = \"X\", at = [21, 1], size = [9, 9] }} ]\n{REST}"
            ),
        ),
        ("d.csv", "card,title,wind\n1,Rain,3\n".to_owned()),
    ]);
    assert_eq!(faults(&files, None), [""; 0]);
}

/// The errors of a CSV file: line, message and remedy.
fn csv(text: &str) -> Vec<String> {
    let found = pack_of_csv("own.csv", text).err().unwrap_or_default();
    found
        .iter()
        .map(|fault| {
            let said = adjutant_wording::en::diagnostic(fault);
            format!("{} {} ({})", fault.line_and_column(text).0, said.message, said.help)
        })
        .collect()
}

#[test]
fn a_deck_from_plain_csv_takes_any_header() {
    let text = "Name;Text;Count;Wind speed;card number\nRain;All roads are mud;3;4;7\nSun;;;1;\n";
    let pack = read_pack(&pack_of_csv("night-events.csv", text).unwrap(), None).unwrap();
    let deck = &pack.decks().as_slice()[0];
    assert_eq!((deck.title.as_str(), deck.cards.len()), ("Night events", 4));
    assert_eq!(
        deck.cards.iter().map(|card| card.title.as_str()).collect::<Vec<_>>(),
        ["Rain", "Rain", "Rain", "Sun"]
    );
    assert_eq!(
        deck.fields
            .iter()
            .map(|field| (field.id.as_str(), field.label.as_str()))
            .collect::<Vec<_>>(),
        [("text", "Text"), ("wind_speed", "Wind speed"), ("card_number", "card number")]
    );
    // The title comes from its column; reserved names; quotation marks and backslashes.
    let pack = read_pack(
        &pack_of_csv("x.csv", "card,title,min,\"say \"\"so\"\" \\\",Ναι\n9,A,1,x,y\n").unwrap(),
        None,
    )
    .unwrap();
    assert_eq!(pack.decks().as_slice()[0].cards[0].title, "A");
    assert_eq!(pack.decks().as_slice()[0].fields.as_slice()[1].label, "say \"so\" \\");
    // Suit and rank make a corner.
    let pack = read_pack(
        &pack_of_csv("x.csv", "title,suit,rank\nAce,spades,1\nKing,hearts,13\n").unwrap(),
        None,
    )
    .unwrap();
    assert!(pack.decks().as_slice()[0].fields.as_slice()[0].kind.words().is_some());
}

#[test]
fn faults_of_a_plain_csv_are_said_all_at_once() {
    assert_eq!(
        csv(""),
        [
            "1 the file is empty (the first line names the columns, each further line is a card: title,text)"
        ]
    );
    assert_eq!(
        csv("title,text\n"),
        ["1 the file has no cards (each line after the first is a card)"]
    );
    let names = "(the first line names the columns, each with a name of its own: title,text,count)";
    assert_eq!(
        csv("1,Rain,3\n2,Sun,4\n"),
        [
            format!("1 column 1 is called `1`, which is a number {names}"),
            format!("1 column 3 is called `3`, which is a number {names}")
        ]
    );
    assert_eq!(
        csv("title,,Text,text\nA,b,c,d\n"),
        [
            format!("1 column 2 has no name {names}"),
            format!("1 two columns are called `text` {names}")
        ]
    );
    assert_eq!(
        csv("title,text,count\nRain,All roads, and fields, are mud,1\nSun\n,x,lots\n"),
        [
            "2 card 1 has 5 cells, but the first line has 3 cells (give each line one cell for each column; a text with a comma stands in quotation marks)",
            "2 card 1: the count `and fields` is not a whole number from 0 to 1000 (say how many there are of the card)",
            "3 card 2 has 1 cell, but the first line has 3 cells (give each line one cell for each column; a text with a comma stands in quotation marks)",
            "4 card 3 has no title (fill in its title)",
            "4 card 3: the count `lots` is not a whole number from 0 to 1000 (say how many there are of the card)",
        ]
    );
    assert_eq!(
        csv("title,count\nA,1000\nB,1\n"),
        ["1 the deck has 1001 cards (a deck has 1 to 1000 cards)"]
    );
    assert_eq!(
        csv(&format!("title,text\nA,{}\n", "x".repeat(3000))),
        ["2 the text is 3000 bytes long: at most 2000 are shown (shorten it)"]
    );
    assert!(csv(&format!("title\n{}", "A\n".repeat(600_000)))[0].contains("bytes long"));
    assert!(csv(&format!("title{}\nA\n", ",x".repeat(70)))[0].contains("71 columns"));
}

/// Checks that a step of a chart has exactly this error at the mark.
#[track_caller]
fn step(step: &str, value: &str, fault: &str) {
    let text = format!(
        "{DECK}[deck.d.field]\nwind = {{ number = \"Wind\" }}\nsky = {{ choice = [\"clear\", \"grey\"], label = \"Sky\" }}\n\
         [unit.man]\ntitle = \"Man\"\n[chart.c]\ntitle = \"C\"\nwho = {{ man = \"man\" }}\nstep = [ {step} ]\nread = {{ value = \"{value}\" }}\n"
    );
    let (text, line, column) = unmarked(&text);
    let cards = "card,title,wind,sky\n1,Rain,3,grey\n2,Sun,1,clear\n";
    let files = Files::of([("pack.toml", text.as_str()), ("d.csv", cards)]);
    only(&faults(&files, None), "pack.toml", (line, column), fault);
}

#[test]
fn a_draw_names_a_role_and_counts_cards() {
    step(
        "{ draw = \"d\", of = ▸\"mann\" }",
        "card.number",
        "chart `c` has no role `mann` (did you mean `man`?)",
    );
    step(
        "{ draw = \"d\", count = 2, read = \"wind\", again = [ ▸{ when = \"card == 1\", because = \"x\" } ] }",
        "card",
        "several cards cannot be drawn again as one (draw a single card, or let each and tally count only the cards that matter)",
    );
    step(
        "{ draw = \"d\", count = ▸-1, read = \"wind\" }",
        "card",
        "so many cards are never drawn; a draw takes 0 to 200 (correct count)",
    );
    step(
        "{ draw = \"d\", count = 2 }",
        "▸card",
        "`card` is a card, and the number to read is not named (add read = \"…\" to the draw, or name a field of the card: card.…, for rows as score = \"card.…\")",
    );
    step(
        "{ draw = \"d\", count = 2, tally = { grey = \"▸face.sk == 'grey'\" } }",
        "card.cards",
        "there is no name `face.sk` here (did you mean `face.sky`?)",
    );
    step(
        "{ draw = \"d\" }",
        "card.number + ▸deck.d.lft",
        "there is no name `deck.d.lft` here (did you mean `deck.d.left`?)",
    );
}

#[test]
fn hands_and_piles_are_declared() {
    step(
        "{ draw = \"d\", to = ▸\"hand\" }",
        "card.cards",
        "no one has a hand of `d` (add hand = { of = \"side\", size = 4 } to the deck)",
    );
    step(
        "{ draw = \"d\", to = ▸\"spent\" }",
        "card.number",
        "`d` has no place called `spent` (take discard, hand, removed or deck, or add piles = [\"…\"] to the deck)",
    );
    step(
        "{ play = ▸\"d\" }",
        "card.number",
        "no one has a hand of `d` (add hand = { of = \"side\", size = 4 } to the deck)",
    );
    step(
        "{ draw = \"d\", to = \"removed\", again = [ ▸{ when = \"card.wind == 1\", because = \"x\" } ] }",
        "card.number",
        "a card that is drawn again goes to the discards or back into the deck (leave `to` out, or draw without again)",
    );
    deck(
        "hand = { of = ▸\"player\", size = 3 }",
        "`player` has no hand of cards (write of = \"side\" or of = \"unit\")",
    );
    deck(
        "hand = { of = ▸\"side\" }",
        "the hand has no size (add size: how many cards a full hand has)",
    );
    deck(
        "piles = [▸\"left\"]",
        "`left` cannot be the name of a pile here (take a name that is not left, hand, discard, removed or deck, and no other pile's)",
    );
}

#[test]
fn a_sentence_holds_names() {
    let chart = |says: &str, fault: &str| {
        let text = format!(
            "{DECK}field = {{ wind = {{ number = \"Wind\" }} }}\n[chart.c]\ntitle = \"C\"\nstep = [ {{ draw = \"d\" }} ]\nread = ▸{{ value = \"card.number\", says = \"{says}\" }}\n"
        );
        let (text, line, column) = unmarked(&text);
        let files =
            Files::of([("pack.toml", text.as_str()), ("d.csv", "card,title,wind\n1,Rain,3\n")]);
        only(&faults(&files, None), "pack.toml", (line, column), fault);
    };
    chart(
        "A storm",
        "`says` does not say the number (put {value} where the number belongs: says = \"Soldier {value}\")",
    );
    chart(
        "{value + 1}",
        "`{value + 1}` is not a name (write a name such as {value} or {card.title}; work a sum out in a step before)",
    );
    chart("{card.wnd}", "there is no name `card.wnd` here (did you mean `card.wind`?)");
}

const BAG: &str = "[pack]\nid = \"t\"\ntitle = \"T\"\n[unit.man]\ntitle = \"Man\"\n[unit.dog]\ntitle = \"Dog\"\n\
    [status.done]\ntitle = \"Done\"\nof = \"man\"\n[status.lost]\ntitle = \"Lost\"\nof = \"man\"\n\
    [chart.order]\ntitle = \"Order\"\nwho = { man = \"man\" }\nstep = [ { roll = \"1d6\" } ]\nread = { rows = [ { all = \"acts\" } ] }\n\
    [result.acts]\ntitle = \"Acts\"\nof = \"man\"\neffects = [ { status = \"done\" } ]\n";
const CHITS: &str =
    "[deck.bag]\ntitle = \"Bag\"\nchits = { of = \"man\", when = \"not unit.done\" }\n";
const DRAW: &str = "[chart.c]\ntitle = \"C\"\nstep = [ { draw = \"bag\", as = \"chit\" } ]\nread = { value = \"deck.bag.left\" }\n";

#[track_caller]
fn bag(lines: &str, fault: &str) {
    let (text, line, column) = unmarked(&format!("{BAG}{lines}"));
    let files = Files::of([("pack.toml", text.as_str())]);
    only(&faults(&files, None), "pack.toml", (line, column), fault);
}

#[test]
fn a_bag_has_chits_and_no_cards() {
    let whole = format!("{BAG}{CHITS}{DRAW}");
    read_pack(&Files::of([("pack.toml", whole.as_str())]), None).expect("the bag is good");
    bag(
        &format!(
            "▸[deck.bag]\ntitle = \"Bag\"\nback = \"B\"\nchits = {{ of = \"man\", when = \"not unit.done\" }}\n{DRAW}"
        ),
        "a bag holds chits, so it has no `back` (leave it out: chits says which units have one)",
    );
    bag(
        &format!(
            "{CHITS}[chart.c]\ntitle = \"C\"\nstep = [ ▸{{ draw = \"bag\", as = \"chit\", count = 2 }} ]\nread = {{ value = \"deck.bag.left\" }}\n"
        ),
        "a chit is drawn without `count` (a bag has no state and its chits no fields: leave it out)",
    );
    bag(
        &format!(
            "{CHITS}[chart.c]\ntitle = \"C\"\nstep = [ {{ draw = \"bag\", as = \"chit\" }} ]\nread = {{ value = \"1\", effects = [ {{ reshuffle = ▸\"bag\" }} ] }}\n"
        ),
        "`bag` is a bag and cannot be reshuffled (change what its units have, for example lift a status)",
    );
}

#[test]
fn an_effect_must_empty_a_bag() {
    let never = "no effect takes a chit out of `bag` (let when name a status or an attribute that an effect of a chart changes)";
    bag(
        &format!(
            "[deck.▸bag]\ntitle = \"Bag\"\nchits = {{ of = \"man\", when = \"not unit.lost\" }}\n{DRAW}"
        ),
        never,
    );
    bag(&format!("[deck.▸bag]\ntitle = \"Bag\"\nchits = {{ of = \"man\" }}\n{DRAW}"), never);
}

#[test]
fn a_chit_takes_a_role_of_its_kind() {
    bag(
        &format!(
            "{CHITS}[chart.c]\ntitle = \"C\"\nstep = [ {{ draw = \"bag\", as = \"chit\" }} ]\nread = {{ value = \"1\", next = [ {{ chart = \"bark\", why = \"x\", who = {{ ▸dog = \"chit\" }} }} ] }}\n\
            [chart.bark]\ntitle = \"Bark\"\nwho = {{ dog = \"dog\" }}\nstep = [ {{ roll = \"1d6\" }} ]\nread = {{ value = \"die\" }}\n"
        ),
        "`dog` takes a unit of kind `dog` (name a role of that kind)",
    );
}
