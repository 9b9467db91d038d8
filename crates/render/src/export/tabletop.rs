//! Tabletop Simulator reads a deck as a saved object: a JSON file that names pictures with many
//! cards each, at most ten in a row and seven rows, and one picture of the back. A card's id is the
//! sheet's number times 100 plus its place on the sheet. The last place of a sheet is the face that
//! others see of a hidden card.
//!
//! A picture of more than 4096 pixels is scaled down on many graphics cards. So a sheet holds as
//! many cards as have 300 dots to the inch within that, and a deck gets several sheets.

use super::{
    Address, ExportRequest, ExportedFiles, card_name, count, deck_name, in_path, pictures,
};
use crate::RenderError;
use crate::draw::Size;
use crate::paper::Fonts;
use adjutant_pack::DeckSheet;
use serde_json::{Map, Value as Json, json};

/// The most cards in a row, and the most rows. The game requires at least two of each.
const MOST: (u32, u32) = (10, 7);
const LEAST: u32 = 2;
/// The longest side of a picture, in pixels.
const SIDE: u32 = 4096;
/// The dots of a millimetre of a card, at least where the longest side allows it: 300 to the inch.
const DOTS: f64 = 300.0 / 25.4;

/// The places of a sheet: how many in a row, and how many rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Grid {
    across: u32,
    down: u32,
}

impl Grid {
    /// The largest sheet of sharp cards.
    fn of(card: Size) -> Grid {
        let fits = |length: f64, most: u32| {
            ((f64::from(SIDE) / (length * DOTS).max(1.0)) as u32).clamp(LEAST, most)
        };
        Grid { across: fits(card.width, MOST.0), down: fits(card.height, MOST.1) }
    }

    /// The most cards on a sheet: one place is for the hidden face.
    fn cards(self) -> usize {
        (self.across * self.down - 1) as usize
    }

    /// The rows that so many cards need, with the place for the hidden face.
    fn rows(self, cards: usize) -> u32 {
        (cards as u32 + 1).div_ceil(self.across).max(LEAST)
    }

    /// The id of a card by its place in the deck, and the number of its sheet.
    fn card_id(self, place: usize) -> (usize, usize) {
        let sheet = place / self.cards() + 1;
        (sheet * 100 + place % self.cards(), sheet)
    }
}

/// Each deck as a saved object with its pictures. `address` says where the game will find a
/// picture.
pub fn tabletop_simulator(
    request: &ExportRequest<'_>,
    fonts: &Fonts,
    address: Address<'_>,
) -> Result<ExportedFiles, RenderError> {
    let mut exported = ExportedFiles::default();
    for deck in &request.decks {
        let grid = Grid::of(request.size_of(deck));
        let most = (SIDE / grid.across, SIDE / grid.down);
        let (faces, size) = pictures(request, deck, fonts, most)?;
        let name = in_path(&deck.id);
        let sheets: Vec<std::ops::Range<usize>> = (0..deck.cards.len())
            .step_by(grid.cards())
            .map(|first| first..(first + grid.cards()).min(deck.cards.len()))
            .collect();
        let back = format!("{name}-back.png");
        exported.add(back.clone(), faces.square_back()?);
        let mut described = Map::new();
        for (place, cards) in sheets.iter().enumerate() {
            let file = format!("{name}-cards-{}.png", place + 1);
            let sheet = Grid { down: grid.rows(cards.len()), ..grid };
            exported.add(file.clone(), faces.sheet(cards.clone(), sheet.across, sheet.down)?);
            described.insert(
                (place + 1).to_string(),
                custom_deck(&address(&file), &address(&back), sheet),
            );
        }
        let saved = saved_object(deck, grid, &described);
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
            "Copy the .json into Tabletop Simulator's folder of saved objects. Windows: Documents\\My Games\\Tabletop Simulator\\Saves\\Saved Objects. macOS: ~/Library/Tabletop Simulator/Saves/Saved Objects. Linux: ~/.local/share/Tabletop Simulator/Saves/Saved Objects",
            "In the game choose Objects, Saved Objects, and drag the deck onto the table",
            "The .json names the addresses of the pictures. A file:/// address works on this machine alone, and only while the folder stays where it is",
            "To play with others, put the .png files on the web and write the .json with --url ADDRESS; or open the deck once and let Modding, Cloud Manager, Upload All Loaded Files do it",
        ],
    ))
}

fn custom_deck(face: &str, back: &str, sheet: Grid) -> Json {
    json!({
        "FaceURL": face, "BackURL": back, "NumWidth": sheet.across, "NumHeight": sheet.down,
        "BackIsHidden": true, "UniqueBack": false, "Type": 0,
    })
}

/// A saved object with one deck, face down.
fn saved_object(deck: &DeckSheet, grid: Grid, sheets: &Map<String, Json>) -> Json {
    let cards = deck.cards.iter().enumerate().map(|(place, card)| {
        let (id, sheet) = grid.card_id(place);
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
                (0..deck.cards.len()).map(|place| json!(grid.card_id(place).0)).collect(),
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
        "Nickname": nickname, "Description": "", "GMNotes": "", "Tags": ["adjutant"],
        "AltLookAngle": { "x": 0.0, "y": 0.0, "z": 0.0 },
        "ColorDiffuse": { "r": 0.713235259, "g": 0.713235259, "b": 0.713235259 },
        "Locked": false, "Grid": true, "Snap": true, "IgnoreFoW": false,
        "LayoutGroupSortIndex": 0, "Value": 0, "MeasureMovement": false, "DragSelectable": true, "Autoraise": true, "Sticky": true, "Tooltip": true,
        "GridProjection": false, "HideWhenFaceDown": true, "Hands": name == "Card", "SidewaysCard": false,
        "XmlUI": "", "LuaScript": "", "LuaScriptState": "",
    });
    if let Json::Object(map) = object { map } else { Map::new() }
}
