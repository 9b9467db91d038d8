//! Tabletop Simulator's saved object: card `100 s + p` is at place `p` of the sheet that the deck
//! calls `s`.

use super::given::{HOSTILE, hostile, large, on_one_line, shipped};
use super::twice;
use adjutant_pack::Pack;
use adjutant_render::card;
use adjutant_render::draw::Size;
use adjutant_render::export::{ExportRequest, ExportedFiles, tabletop_simulator};
use adjutant_render::paper::{Fonts, png};
use resvg::tiny_skia::Pixmap;
use serde_json::Value as Json;

fn made(pack: &Pack) -> ExportedFiles {
    tabletop_simulator(&ExportRequest::all(pack), &Fonts::bundled(), &|name| {
        format!("file:////tmp/a b/{name}")
    })
    .unwrap()
}

/// A card as the game finds it: its name and its picture.
struct Found {
    name: String,
    picture: Pixmap,
}

/// The cards of a saved object in deck order, looked up as the game does.
fn opened(exported: &ExportedFiles, name: &str) -> Vec<Found> {
    let saved: Json = serde_json::from_slice(exported.file(name).unwrap()).unwrap();
    let [deck] = saved["ObjectStates"].as_array().unwrap().as_slice() else { panic!("one object") };
    let cards = deck["ContainedObjects"].as_array().cloned().unwrap_or_else(|| vec![deck.clone()]);
    if let Some(ids) = deck["DeckIDs"].as_array() {
        assert_eq!(deck["Name"], "DeckCustom");
        assert_eq!(*ids, cards.iter().map(|card| card["CardID"].clone()).collect::<Vec<_>>());
    }
    let mut guids: Vec<&str> = cards
        .iter()
        .map(|card| card["GUID"].as_str().unwrap())
        .chain([deck["GUID"].as_str().unwrap()])
        .collect();
    guids.sort_unstable();
    guids.dedup();
    assert!(
        guids.iter().all(|guid| guid.len() == 6 && guid.chars().all(|c| c.is_ascii_hexdigit()))
    );
    assert_eq!(
        guids.len(),
        cards.len() + usize::from(cards.len() > 1),
        "each object has a GUID of its own"
    );
    let sheet = |url: &str| {
        Pixmap::decode_png(exported.file(url.strip_prefix("file:////tmp/a b/").unwrap()).unwrap())
            .unwrap()
    };
    let mut sheets: Vec<(String, Pixmap)> = Vec::new();
    let mut found = Vec::new();
    for card in &cards {
        let id = card["CardID"].as_u64().unwrap();
        let (number, place) = ((id / 100).to_string(), (id % 100) as u32);
        let custom = &card["CustomDeck"][&number];
        assert_eq!(*custom, deck["CustomDeck"][&number], "the card and the deck say the same");
        assert_eq!(
            (&card["Name"], &custom["UniqueBack"]),
            (&Json::from("Card"), &Json::from(false))
        );
        sheet(custom["BackURL"].as_str().unwrap());
        let url = custom["FaceURL"].as_str().unwrap().to_owned();
        if !sheets.iter().any(|(known, _)| *known == url) {
            let picture = sheet(&url);
            assert!(picture.width() <= 4096 && picture.height() <= 4096);
            sheets.push((url.clone(), picture));
        }
        let whole = &sheets.iter().find(|(known, _)| *known == url).unwrap().1;
        let (across, down) = (
            custom["NumWidth"].as_u64().unwrap() as u32,
            custom["NumHeight"].as_u64().unwrap() as u32,
        );
        assert!((2..=10).contains(&across) && (2..=7).contains(&down));
        assert!(place < across * down - 1, "the last place is the hidden face's");
        assert_eq!((whole.width() % across, whole.height() % down), (0, 0));
        let (width, height) = (whole.width() / across, whole.height() / down);
        let at = resvg::tiny_skia::IntRect::from_xywh(
            (place % across * width) as i32,
            (place / across * height) as i32,
            width,
            height,
        );
        let picture = whole.clone_rect(at.unwrap()).unwrap();
        found.push(Found { name: card["Nickname"].as_str().unwrap().to_owned(), picture });
    }
    found
}

/// The average difference of two pictures, of 255.
fn apart(one: &Pixmap, two: &Pixmap) -> f64 {
    let sum: f64 = one.data().iter().zip(two.data()).map(|(a, b)| f64::from(a.abs_diff(*b))).sum();
    sum / one.data().len() as f64
}

#[test]
fn every_card_of_the_action_deck_lies_where_the_game_looks_for_it() {
    let pack = shipped("combat-leader");
    let deck = pack.deck("action").unwrap();
    let cards = opened(&made(&pack), "action.json");
    assert_eq!(
        cards.iter().map(|card| card.name.as_str()).collect::<Vec<_>>(),
        deck.cards.iter().map(|card| card.title.as_str()).collect::<Vec<_>>()
    );
    assert!(cards.iter().all(|card| (card.picture.width(), card.picture.height()) == (819, 1144)));
    let fonts = Fonts::bundled();
    for number in [1_usize, 10, 11, 37, 60] {
        let drawn = png(
            &card::front(&pack, deck, number as u32, card::POKER, None),
            819.0 / 63.0 * 25.4,
            &fonts,
        )
        .unwrap();
        let drawn = Pixmap::decode_png(&drawn).unwrap();
        let own = apart(&cards[number - 1].picture, &drawn);
        let least = cards
            .iter()
            .enumerate()
            .filter(|(place, _)| *place != number - 1)
            .map(|(_, card)| apart(&card.picture, &drawn));
        assert!(own < 3.0 && own < least.fold(f64::MAX, f64::min), "card {number} is {own} off");
    }
}

#[test]
fn a_deck_too_large_for_one_sheet_has_several() {
    for (count, sheets) in [(1, 1), (2, 1), (14, 1), (15, 2)] {
        let pack = large(count);
        let exported = made(&pack);
        assert_eq!(
            exported.files.iter().filter(|(name, _)| name.contains("-cards-")).count(),
            sheets
        );
        let names: Vec<String> =
            opened(&exported, "many.json").into_iter().map(|card| card.name).collect();
        assert_eq!(names, (1..=count).map(|n| format!("Card no. {n}")).collect::<Vec<_>>());
    }
}

#[test]
fn cards_are_sharp_and_pictures_within_the_limit_at_any_size() {
    let pack = large(1);
    for (width, height) in [(44.0, 63.0), (150.0, 30.0), (200.0, 100.0)] {
        let size = Some(Size { width, height });
        let request = ExportRequest { size, ..ExportRequest::all(&pack) };
        let exported = tabletop_simulator(&request, &Fonts::bundled(), &|name| {
            format!("file:////tmp/a b/{name}")
        });
        for card in opened(&exported.unwrap(), "many.json") {
            let dots = f64::from(card.picture.width()) / width * 25.4;
            // Two cards of 200 mm side by side fill a picture of 4096 pixels with fewer dots.
            let least = if width == 200.0 { 260.0 } else { 295.0 };
            assert!(dots >= least, "{width} mm: {dots} dots to the inch");
        }
    }
}

#[test]
fn hostile_names_come_back_on_one_line_and_the_bytes_are_the_same() {
    let pack = hostile();
    let cards = opened(&twice(|| made(&pack)), "cards.json");
    assert_eq!(
        cards.iter().map(|card| card.name.clone()).collect::<Vec<_>>(),
        HOSTILE.map(on_one_line)
    );
}
