//! Tabletop Simulator reads a deck as a saved object: a JSON file that names one picture with all
//! cards, ten in a row and at most seven rows, and one picture of the back. A card's id is the
//! sheet's number times 100 plus its place on the sheet. The last place of a sheet is the face that
//! others see of a hidden card, so a sheet holds 69 cards.

use super::{
    Address, ExportRequest, ExportedFiles, card_name, count, deck_name, in_path, pictures,
};
use crate::RenderError;
use crate::paper::Fonts;
use adjutant_pack::DeckSheet;
use serde_json::{Map, Value as Json, json};

/// Cards in a row.
const ACROSS: u32 = 10;
/// The most rows.
const MAX_DOWN: u32 = 7;
/// The most cards on a sheet.
const MAX_CARDS: usize = (ACROSS * MAX_DOWN - 1) as usize;
/// The longest side of a picture, in pixels.
const SIDE: u32 = 4096;

/// Each deck as a saved object with its pictures. `address` says where the game will find a
/// picture.
pub fn tabletop_simulator(
    request: &ExportRequest<'_>,
    fonts: &Fonts,
    address: Address<'_>,
) -> Result<ExportedFiles, RenderError> {
    let mut exported = ExportedFiles::default();
    for deck in &request.decks {
        let (faces, size) = pictures(request, deck, fonts, (SIDE / ACROSS, SIDE / MAX_DOWN))?;
        let name = in_path(&deck.id);
        let sheets: Vec<std::ops::Range<usize>> = (0..deck.cards.len())
            .step_by(MAX_CARDS)
            .map(|first| first..(first + MAX_CARDS).min(deck.cards.len()))
            .collect();
        let back = format!("{name}-back.png");
        exported.add(back.clone(), faces.square_back()?);
        let mut described = Map::new();
        for (place, cards) in sheets.iter().enumerate() {
            let file = format!("{name}-cards-{}.png", place + 1);
            // One more place for the hidden face. The game requires at least two rows.
            let down = (cards.len() as u32 + 1).div_ceil(ACROSS).max(2);
            exported.add(file.clone(), faces.sheet(cards.clone(), ACROSS, down)?);
            described.insert(
                (place + 1).to_string(),
                custom_deck(&address(&file), &address(&back), down),
            );
        }
        let saved = saved_object(deck, &described);
        exported.add(format!("{name}.json"), serde_json::to_vec_pretty(&saved)?);
        exported.add_summary(format!(
            "{}: {} on {} of {} × {} dots a card",
            deck_name(deck),
            count(deck.cards.len(), "card", "cards"),
            count(sheets.len(), "sheet", "sheets"),
            size.0,
            size.1
        ));
    }
    Ok(exported.with_note(
        request.pack,
        "Tabletop Simulator",
        &[
            "Copy the .json into Tabletop Simulator's folder Saves/Saved Objects (it lies in Documents/My Games, on Linux in .local/share), then choose Objects, Saved Objects in the game",
            "The .json names the addresses of the pictures. A file:/// address works on this machine alone, and only while the folder stays where it is",
            "To play with others, put the .png files on the web and write the .json with --url ADDRESS; or open the deck once and let Modding, Cloud Manager, Upload All Loaded Files do it",
        ],
    ))
}

fn custom_deck(face: &str, back: &str, down: u32) -> Json {
    json!({
        "FaceURL": face, "BackURL": back, "NumWidth": ACROSS, "NumHeight": down,
        "BackIsHidden": true, "UniqueBack": false, "Type": 0,
    })
}

/// The id of a card by its place in the deck, and the number of its sheet.
fn card_id(place: usize) -> (usize, usize) {
    let sheet = place / MAX_CARDS + 1;
    (sheet * 100 + place % MAX_CARDS, sheet)
}

/// A saved object with one deck, face down.
fn saved_object(deck: &DeckSheet, sheets: &Map<String, Json>) -> Json {
    let cards = deck.cards.iter().enumerate().map(|(place, card)| {
        let (id, sheet) = card_id(place);
        let mut object =
            object("Card", &format!("{:06x}", place + 1), &card_name(card, place as u32 + 1));
        object.insert("CardID".into(), json!(id));
        let own = sheets
            .get_key_value(&sheet.to_string())
            .map(|(key, value)| (key.clone(), value.clone()));
        object.insert("CustomDeck".into(), Json::Object(own.into_iter().collect()));
        Json::Object(object)
    });
    let cards: Vec<Json> = cards.collect();
    let whole = match cards.as_slice() {
        // A deck of one card is a card.
        [only] => only.clone(),
        _ => {
            let mut whole = object("DeckCustom", "adeca0", &deck_name(deck));
            whole.insert(
                "DeckIDs".into(),
                (0..deck.cards.len()).map(|place| json!(card_id(place).0)).collect(),
            );
            whole.insert("CustomDeck".into(), Json::Object(sheets.clone()));
            whole.insert("ContainedObjects".into(), Json::Array(cards));
            Json::Object(whole)
        }
    };
    json!({
        "SaveName": "", "GameMode": "", "Gravity": 0.5, "PlayArea": 0.5, "Date": "", "Table": "", "Sky": "", "Note": "", "Rules": "",
        "XmlUI": "", "LuaScript": "", "LuaScriptState": "",
        "ObjectStates": [whole],
        "TabStates": {}, "VersionNumber": "",
    })
}

/// The common properties of an object, face down.
fn object(name: &str, guid: &str, nickname: &str) -> Map<String, Json> {
    let object = json!({
        "GUID": guid, "Name": name,
        "Transform": {
            "posX": 0.0, "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0, "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0,
        },
        "Nickname": nickname, "Description": "", "GMNotes": "",
        "ColorDiffuse": { "r": 0.713235259, "g": 0.713235259, "b": 0.713235259 },
        "Locked": false, "Grid": true, "Snap": true, "IgnoreFoW": false, "Autoraise": true, "Sticky": true, "Tooltip": true,
        "GridProjection": false, "HideWhenFaceDown": true, "Hands": name == "Card", "SidewaysCard": false,
        "XmlUI": "", "LuaScript": "", "LuaScriptState": "",
    });
    if let Json::Object(map) = object { map } else { Map::new() }
}
