//! Cards as drawn: every cell of every card is in its place, and so is what the charts say about a
//! card.

#![allow(clippy::unwrap_used, clippy::panic)]

use adjutant_dice::Number;
use adjutant_pack::{Files, Pack, read_pack};
use adjutant_render::card::{self, POKER, Reading};
use adjutant_render::draw::{Anchor, Drawing, Ink, Mark, Size};

fn action() -> Pack {
    read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap()
}

fn texts(face: &Drawing) -> Vec<(f64, f64, f64, Anchor, String)> {
    let text = |mark: &Mark| match mark {
        Mark::Text { at, size, anchor, words, .. } => {
            Some((at.0, at.1, *size, *anchor, words.clone()))
        }
        _ => None,
    };
    face.marks.iter().filter_map(text).collect()
}

#[test]
fn every_row_of_every_card_is_printed_in_order() {
    let pack = action();
    let deck = pack.deck("action").unwrap();
    let row = deck.fields.position(|field| field.id == "row").unwrap();
    for number in 1..=60 {
        let face = card::front(&pack, deck, number, POKER, None);
        let mut foot: Vec<_> =
            texts(&face).into_iter().filter(|(_, y, ..)| *y > 81.0 && *y < 84.0).collect();
        foot.sort_by(|a, b| a.0.total_cmp(&b.0));
        let shown: Vec<String> = foot.into_iter().map(|(.., words)| words).collect();
        let wanted: Vec<String> = (2..=12_u32)
            .map(|by| match deck.cell(number, row, Some(Number::from(by))) {
                Some(adjutant_pack::CardCell::Value(value)) => value.number().unwrap().to_string(),
                _ => "R".into(),
            })
            .collect();
        assert_eq!(shown, wanted, "card {number}");
        // The die in the sixth place has as many pips as the row says.
        let pips = face.marks.iter().filter(|mark| matches!(mark, Mark::Disc { .. })).count();
        assert_eq!(pips.to_string(), wanted[4], "card {number}");
    }
}

#[test]
fn the_accuracy_table_is_that_of_the_sheet() {
    // From the two scans: what is printed on an Ace, a 7 and a King.
    let pack = action();
    let deck = pack.deck("action").unwrap();
    for (number, bands) in [
        (1, ["5 or less", "6 to 7", "8 to 10", "11 or more"]),
        (7, ["-1 or less", "0 to 1", "2 to 4", "5 or more"]),
        (13, ["-7 or less", "-6 to -5", "-4 to -2", "-1 or more"]),
    ] {
        let told = card::table_of(&pack, deck, number);
        assert_eq!(told.len(), 1);
        assert_eq!(
            told[0].rows.iter().map(|(band, _)| band.replace('−', "-")).collect::<Vec<_>>(),
            bands
        );
    }
    assert!(card::table_of(&pack, deck, 53).is_empty());
}

#[test]
fn a_jam_card_says_what_it_interrupts() {
    let pack = action();
    let deck = pack.deck("action").unwrap();
    let says = card::front(&pack, deck, 53, POKER, None).says;
    assert!(
        says.contains("Jam!")
            && says.contains(
                "Accuracy: Jam check. If the weapon jams, the shot ends; if not, draw again"
            )
            && says.contains(
                "find side and soldier by cards; jam check. If it jams, work out both values again"
            )
            && says.contains("Repair: Broken"),
        "{says}"
    );
    let says = card::front(&pack, deck, 57, POKER, None).says;
    assert!(
        says.contains("shuffle all cards and draw again") && !says.contains("Repair: "),
        "{says}"
    );
}

#[test]
fn what_is_read_is_lit_and_nothing_else() {
    let pack = action();
    let deck = pack.deck("action").unwrap();
    let lit = |reading| {
        let face = card::front(&pack, deck, 20, POKER, reading);
        face.marks
            .iter()
            .filter(|mark| matches!(mark, Mark::Box { fill: Some(Ink::Highlight), .. }))
            .count()
    };
    let row = deck.fields.position(|field| field.id == "row").unwrap();
    let repair = deck.fields.position(|field| field.id == "repair").unwrap();
    assert_eq!(lit(None), 0);
    assert_eq!(lit(Some(Reading { field: row, by: Some(6) })), 1);
    assert_eq!(lit(Some(Reading { field: repair, by: None })), 1);
}

#[test]
fn nothing_leaves_the_card_in_any_size() {
    let pack = action();
    let deck = pack.deck("action").unwrap();
    for format in [POKER, Size { width: 44.0, height: 63.0 }, Size { width: 70.0, height: 120.0 }] {
        for number in [1, 20, 36, 49, 53, 60] {
            let face = card::front(&pack, deck, number, format, None);
            for (x, y, size, _, words) in texts(&face) {
                assert!(
                    x >= 0.0 && x <= format.width && y > 0.0 && y < format.height && size > 1.0,
                    "{number}: {words} at {x} {y}, {size}"
                );
            }
        }
        assert!(card::back(deck, format).svg().contains("Combat Leader"));
    }
}

#[test]
fn any_deck_gets_a_card() {
    let toml = r#"
[pack]
id = "events"
title = "Events"
[deck.events]
title = "Events of the day <now>"
file = "events.csv"
[deck.events.field]
says = { text = "What happens" }
worth = { number = "Worth", from = 0, to = 9 }
[chart.event]
title = "Draw an event"
step = [ { draw = "events", as = "card" } ]
read = { value = "card.number" }
"#;
    let csv = format!(
        "card,title,says,worth\n1,Rain & <mud>,{},3\n2,Χιόνι 雪,,\n",
        "All roads count as rough going until the end of the turn. ".repeat(9)
    );
    let pack = read_pack(&Files::of([("pack.toml", toml.to_owned()), ("events.csv", csv)]), None)
        .unwrap_or_else(|faults| panic!("{faults:?}"));
    let deck = &pack.decks().as_slice()[0];
    let svg = card::front(&pack, deck, 1, POKER, None).svg();
    assert!(svg.contains("Rain &amp; &lt;mud&gt;") && !svg.contains("<mud>"));
    let (least, most) = texts(&card::front(&pack, deck, 1, POKER, None))
        .iter()
        .fold((99.0_f64, 0.0_f64), |(least, most), text| (least.min(text.1), most.max(text.1)));
    assert!(least > 4.0 && most < 86.0);
    assert!(card::front(&pack, deck, 2, POKER, None).says.contains("雪"));
}
