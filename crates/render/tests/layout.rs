//! The positions on a card are data: a pack's layout is followed to the millimetre, and the default
//! layout obeys the same rules.

#![allow(clippy::unwrap_used, clippy::panic)]

use adjutant_pack::{Files, Pack, Shown, read_pack};
use adjutant_render::card::{self, CardStyle, MINI, POKER, TAROT};
use adjutant_render::draw::{Anchor, Drawing, Ink, Mark, Size};

const PACK: &str = r#"
[pack]
id = "weather"
title = "Weather"
[deck.sky]
title = "The sky"
file = "sky.csv"
card = [70, 120]
place = [
  { show = "title", at = [5, 5], size = [60, 10], letters = 8, align = "middle", bold = true },
  { show = "field.wind", at = [5, 100], size = [60, 8] },
  { show = ["field.says", "field.kind"], at = [5, 30], size = [60, 60], letters = 4 },
  { text = "Keep this card", at = [5, 110], size = [60, 5], letters = 3, align = "right", ink = "grey" },
  { draw = "line", at = [5, 20], size = [60, 0.5], ink = "red" },
  { draw = "box", at = [3, 3], size = [64, 114] },
]
[deck.sky.field]
says = { text = "What happens" }
wind = { number = "Wind", from = -9, to = 9 }
kind = { label = "Kind", choice = { bad = "Foul", good = "Fair" } }
[chart.look]
title = "Look up"
step = [ { draw = "sky", as = "card" } ]
read = { value = "card.number" }
"#;

fn weather() -> Pack {
    let csv = "card,title,says,wind,kind\n1,Rain,All roads are mud.,-3,bad\n2,Sun,,1,good\n";
    read_pack(&Files::of([("pack.toml", PACK), ("sky.csv", csv)]), None)
        .unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn texts(face: &Drawing) -> Vec<(f64, f64, f64, Anchor, Ink, String)> {
    let text = |mark: &Mark| match mark {
        Mark::Text { at, size, anchor, ink, words, .. } => {
            Some((at.0, at.1, *size, *anchor, *ink, words.clone()))
        }
        _ => None,
    };
    face.marks.iter().filter_map(text).collect()
}

#[test]
fn what_a_pack_says_is_done_to_the_millimetre() {
    let pack = weather();
    let deck = &pack.decks().as_slice()[0];
    let face = card::front(&pack, deck, 1, TAROT, None);
    let words = texts(&face);
    let one = |text: &str| {
        words
            .iter()
            .find(|found| found.5 == text)
            .unwrap_or_else(|| panic!("{text} in {words:?}"))
            .clone()
    };
    let (x, y, size, anchor, ..) = one("Rain");
    assert!(
        (x - 35.0).abs() < 0.01
            && y > 9.0
            && y < 15.0
            && (size - 8.0).abs() < 0.01
            && anchor == Anchor::Middle,
        "{x} {y} {size}"
    );
    assert!((one("−3").0 - 65.0).abs() < 0.01 && one("Wind").0 < 5.01);
    assert!(one("All roads are mud.").1 < one("Foul").1);
    let (x, _, size, anchor, ink, _) = one("Keep this card");
    assert!(
        (x - 65.0).abs() < 0.01
            && (size - 3.0).abs() < 0.01
            && anchor == Anchor::End
            && ink == Ink::Grey
    );
    let line = |mark: &Mark| matches!(mark, Mark::Line { from, to, ink: Ink::Red, .. } if (from.0 - 5.0).abs() < 0.01 && (to.0 - 65.0).abs() < 0.01 && (from.1 - 20.25).abs() < 0.01);
    assert!(face.marks.iter().any(line));
    // On another card all places stretch, and letters scale with the smaller factor.
    let small = texts(&card::front(&pack, deck, 1, POKER, None));
    let rain = small.iter().find(|found| found.5 == "Rain").unwrap();
    assert!((rain.0 - 31.5).abs() < 0.01 && (rain.2 - 8.0 * 88.0 / 120.0).abs() < 0.01, "{rain:?}");
}

#[test]
fn what_is_worked_out_is_on_the_card_and_leaves_room() {
    let packs: Vec<Pack> = ["combat-leader"]
        .iter()
        .map(|id| read_pack(&adjutant_bundled_packs::files(id).unwrap(), None).unwrap())
        .collect();
    let own = adjutant_pack::pack_of_csv(
        "own.csv",
        "name,text,a,b,c,d\nX,Long enough to be a text of its own,1,2,3,4\n",
    )
    .unwrap();
    let only = adjutant_pack::pack_of_csv("only.csv", "name\nX\n").unwrap();
    for pack in
        packs.into_iter().chain([read_pack(&own, None).unwrap(), read_pack(&only, None).unwrap()])
    {
        for deck in pack.decks() {
            for size in [
                POKER,
                MINI,
                TAROT,
                Size { width: 88.0, height: 63.0 },
                Size { width: 60.0, height: 60.0 },
            ] {
                for large in [false, true] {
                    let layout = card::layout(
                        &pack,
                        deck,
                        size,
                        CardStyle { large, ..CardStyle::default() },
                    );
                    for (n, place) in layout.places.iter().enumerate() {
                        let (x, y) = (place.at.0 + place.size.0, place.at.1 + place.size.1);
                        assert!(
                            place.at.0 >= 0.0
                                && place.at.1 >= 0.0
                                && x <= size.width + 0.01
                                && y <= size.height + 0.01,
                            "{place:?}"
                        );
                        let text = |place: &adjutant_pack::Placed| {
                            !matches!(place.what, Shown::Line | Shown::Box)
                        };
                        let over = layout.places[..n]
                            .iter()
                            .find(|other| text(other) && text(place) && other.covers(place));
                        assert!(over.is_none(), "{place:?} over {over:?} on {size:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn large_print_is_larger_and_holds_the_same() {
    let pack = read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
    let deck = &pack.decks().as_slice()[0];
    for number in [1, 13, 36, 53, 60] {
        let plain = card::front_as(&pack, deck, number, POKER, CardStyle::default());
        let large = card::front_as(
            &pack,
            deck,
            number,
            POKER,
            CardStyle { large: true, ..CardStyle::default() },
        );
        assert_eq!(plain.says, large.says);
        let sizes = |face: &Drawing| {
            let mut sizes: Vec<f64> = texts(face)
                .into_iter()
                .filter(|found| found.1 > 18.0 && !found.5.contains("row 6"))
                .map(|found| found.2)
                .collect();
            sizes.sort_by(f64::total_cmp);
            sizes[0]
        };
        assert!(
            sizes(&large) > sizes(&plain) * 1.05,
            "card {number}: {} against {}",
            sizes(&large),
            sizes(&plain)
        );
    }
}

#[test]
fn rows_of_a_table_share_one_size() {
    let pack = read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
    let deck = &pack.decks().as_slice()[0];
    for number in 1..=52 {
        for large in [false, true] {
            let face = card::front_as(
                &pack,
                deck,
                number,
                POKER,
                CardStyle { large, ..CardStyle::default() },
            );
            let bands: Vec<f64> = texts(&face)
                .into_iter()
                .filter(|text| {
                    [" or less", " to ", " or more"].iter().any(|part| text.5.contains(part))
                })
                .map(|text| text.2)
                .collect();
            assert!(
                bands.len() >= 4 && bands.iter().all(|size| (size - bands[0]).abs() < 0.001),
                "card {number}: {bands:?}"
            );
        }
    }
}

#[test]
fn low_ink_fills_nothing_and_loses_no_word() {
    let pack = read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
    let deck = &pack.decks().as_slice()[0];
    let words = |face: &Drawing| texts(face).into_iter().map(|text| text.5).collect::<Vec<_>>();
    let plain = card::front_as(&pack, deck, 20, POKER, CardStyle::default());
    let low =
        card::front_as(&pack, deck, 20, POKER, CardStyle { low_ink: true, ..CardStyle::default() });
    assert_eq!(words(&plain), words(&low));
    assert!(
        low.marks
            .iter()
            .all(|mark| !matches!(mark, Mark::Box { fill: Some(_), .. } | Mark::Shape { .. }))
    );
    assert!(low.marks.iter().any(|mark| matches!(mark, Mark::Outline { .. })));
}

#[test]
fn cards_of_a_deck_share_one_size_and_have_a_frame() {
    let pack = read_pack(&adjutant_bundled_packs::files("combat-leader").unwrap(), None).unwrap();
    let deck = &pack.decks().as_slice()[0];
    for large in [false, true] {
        let style = CardStyle { large, ..CardStyle::default() };
        let mut sizes: Vec<f64> = Vec::new();
        for number in 1..=52 {
            let face = card::front_as(&pack, deck, number, POKER, style);
            let band = |text: &str| text.ends_with(" or less") || text.ends_with(" or more");
            sizes.extend(texts(&face).into_iter().filter(|text| band(&text.5)).map(|text| text.2));
            let frame = |mark: &Mark| matches!(mark, Mark::Box { at, fill: None, edge: Some(_), .. } if at.0 > 1.0 && at.0 < 3.0);
            assert!(face.marks.iter().any(frame), "card {number} has no frame");
        }
        let (least, most) =
            (sizes.iter().copied().fold(99.0, f64::min), sizes.iter().copied().fold(0.0, f64::max));
        assert!(sizes.len() >= 104 && most - least < 0.001, "from {least} to {most} mm");
    }
}
