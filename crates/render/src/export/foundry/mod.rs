//! A module for Foundry VTT: card stacks of type `deck` and roll tables as JSON documents, which the
//! module's script puts into compendia. Fields are those that versions 12 to 14 read. A document's
//! id has sixteen letters and digits; it is a hash of what the document is, so that the same pack
//! gives the same file.

mod module;
mod roll_tables;

pub use module::FoundryModule;

use super::{
    ExportRequest, ExportedFiles, card_name, count, deck_name, in_path, one_line, pictures,
};
use crate::RenderError;
use crate::draw::{Size, escaped};
use crate::paper::Fonts;
use adjutant_pack::{CardCell, DeckFieldKind, DeckSheet, Pack};
use adjutant_wording::en::NotShown;
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};

/// The largest picture of a card, in pixels.
const CARD: (u32, u32) = (472, 660);

/// From, to, and the result for these numbers.
type Band = (i64, i64, String);

/// Writes `cards/DECK.json` for each deck with its pictures, `tables/….json` for each chart that can
/// be a roll table, and the module that holds them.
pub fn foundry(
    request: &ExportRequest<'_>,
    fonts: &Fonts,
    module: &FoundryModule,
) -> Result<ExportedFiles, RenderError> {
    let mut exported = ExportedFiles::default();
    for deck in &request.decks {
        let (faces, _) = pictures(request, deck, fonts, CARD)?;
        let fronts = faces.fronts()?;
        exported
            .add(format!("cards/{}.json", in_path(&deck.id)), file(&cards(request, deck, module))?);
        exported.add(back_name(deck), faces.back()?);
        for (number, bytes) in (1..).zip(fronts) {
            exported.add(front_name(deck, number), bytes);
        }
        exported.add_summary(format!(
            "{}: a deck of {}",
            deck_name(deck),
            count(deck.cards.len(), "card", "cards")
        ));
    }
    let mut made = 0;
    for chart in &request.charts {
        match roll_tables::roll_tables(request.pack, chart) {
            Ok(tables) => {
                for (name, table) in tables {
                    made += 1;
                    exported.add(format!("tables/{}.json", in_path(&name)), file(&table)?);
                }
            }
            Err(why) => {
                exported.leave_out(NotShown::new(chart.title.as_str(), why.to_string()));
            }
        }
    }
    exported.add_summary(count(made, "roll table", "roll tables"));
    module.add_to(&mut exported, request)?;
    let place = format!(
        "This folder is a module for Foundry versions 12 to 14. Copy it to Data/modules/{} in Foundry's user data folder, and start Foundry again",
        module.id()
    );
    Ok(exported.with_note(
        request.pack,
        "Foundry VTT",
        &[
            &place,
            "In your world, turn the module on under Manage Modules. At the first start it fills compendia with the decks and tables: import from there what you want to use",
            "A roll table whose description names modifiers is rolled with them in its formula: 1d10 becomes 1d10 + 2",
        ],
    ))
}

fn file(document: &Json) -> Result<Vec<u8>, RenderError> {
    Ok(serde_json::to_vec_pretty(document)?)
}

fn front_name(deck: &DeckSheet, number: u32) -> String {
    format!("pictures/{}-{number:03}.png", in_path(&deck.id))
}

fn back_name(deck: &DeckSheet) -> String {
    format!("pictures/{}-back.png", in_path(&deck.id))
}

/// A document id: sixteen letters and digits, a hash of the parts.
fn id(of: &[&str]) -> String {
    const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut digest = Sha256::new();
    for part in of {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part.as_bytes());
    }
    digest
        .finalize()
        .iter()
        .take(16)
        .map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]))
        .collect()
}

/// A text as HTML.
fn plain(text: &str) -> String {
    escaped(text)
}

/// How many grid squares a card covers: two along its short side, so a poker card has 2 × 3.
fn squares(size: Size) -> (u32, u32) {
    let short = size.width.min(size.height).max(1.0);
    let along = |side: f64| (2.0 * side / short).round() as u32;
    (along(size.width), along(size.height))
}

/// A deck with its cards, all face down and none drawn.
fn cards(request: &ExportRequest<'_>, deck: &DeckSheet, module: &FoundryModule) -> Json {
    let pack = request.pack;
    let address = |name: &str| module.address(name);
    let (width, height) = squares(request.size_of(deck));
    let back = json!({ "name": deck_name(deck), "text": "", "img": address(&back_name(deck)) });
    let card = |(number, card): (u32, &adjutant_pack::Card)| {
        let name = card_name(card, number);
        let (suit, value) = suit_and_value(pack, deck, number);
        json!({
            "_id": id(&[pack.id(), &deck.id, &number.to_string()]),
            "name": name, "type": "base", "description": described(pack, deck, number), "system": {},
            "suit": suit, "value": value,
            "back": back,
            "faces": [{ "name": name, "text": "", "img": address(&front_name(deck, number)) }],
            "face": null, "drawn": false, "origin": null,
            "width": width, "height": height, "rotation": 0, "sort": number * 100,
            "flags": { "adjutant": { "pack": pack.id(), "deck": deck.id, "card": number } },
        })
    };
    json!({
        "_id": id(&["deck", pack.id(), &deck.id]),
        "name": deck_name(deck), "type": "deck", "img": address(&back_name(deck)),
        "description": format!("<p>{}</p>", plain(pack.notice())), "system": {},
        "cards": (1..).zip(&deck.cards).map(card).collect::<Vec<_>>(),
        "width": width, "height": height, "rotation": 0, "displayCount": true,
        "folder": null, "sort": 0, "ownership": { "default": 0 },
        "flags": { "adjutant": { "pack": pack.id(), "deck": deck.id } },
    })
}

/// Foundry's suit and value of a card: the word of the field `suit`, and the first number.
fn suit_and_value(pack: &Pack, deck: &DeckSheet, number: u32) -> (String, Json) {
    let mut suit = None;
    let mut value = None;
    for (place, field) in deck.fields.iter_enumerated() {
        let Some(CardCell::Value(cell)) = deck.cell(number, place, None) else { continue };
        match field.kind {
            DeckFieldKind::Choice { .. } if field.id == "suit" => {
                suit = Some(cell.to_answer(pack.words()).to_string())
            }
            DeckFieldKind::Number { .. } if value.is_none() => {
                value = cell.number().and_then(adjutant_dice::Number::as_whole)
            }
            _ => {}
        }
    }
    (suit.unwrap_or_default(), value.map_or(Json::Null, |value| json!(value)))
}

/// Everything on the card, as HTML.
fn described(pack: &Pack, deck: &DeckSheet, number: u32) -> String {
    let shown = |field: &adjutant_pack::DeckField, cell: Option<&CardCell>| match cell {
        None => field.blank.clone(),
        Some(CardCell::Text(text)) => text.clone(),
        Some(CardCell::Value(value)) => {
            let text = value.to_answer(pack.words()).to_string();
            field
                .kind
                .words()
                .and_then(|words| words.iter().find(|word| word.id == text))
                .map_or(text, |word| word.label.to_string())
        }
    };
    let mut lines = Vec::new();
    for (place, field) in deck.fields.iter_enumerated() {
        let value = match field.kind {
            DeckFieldKind::Numbers { from, to } => (from..=to)
                .map(|by| {
                    format!(
                        "{by}: {}",
                        shown(
                            field,
                            deck.cell(number, place, Some(adjutant_dice::Number::from(by)))
                        )
                    )
                })
                .collect::<Vec<_>>()
                .join(", "),
            _ => shown(field, deck.cell(number, place, None)),
        };
        if !value.is_empty() {
            lines.push(format!(
                "<p><strong>{}</strong> {}</p>",
                plain(&field.label),
                plain(&value)
            ));
        }
    }
    lines.concat()
}

/// A roll table with its formula, description and results.
fn roll_table(
    key: &[&str],
    name: &str,
    formula: &str,
    description: String,
    results: &[Band],
) -> Json {
    let result = |(from, to, text): &Band| {
        let own = format!("{from} to {to}");
        let parts: Vec<&str> = key.iter().copied().chain([own.as_str()]).collect();
        json!({
            "_id": id(&parts), "type": "text",
            // Version 12 reads `text`, version 13 `description`.
            "text": text, "description": text,
            "img": null, "weight": to - from + 1, "range": [from, to], "drawn": false, "flags": {},
        })
    };
    let mut map = Map::new();
    let parts: Vec<&str> = ["table"].into_iter().chain(key.iter().copied()).collect();
    map.insert("_id".into(), json!(id(&parts)));
    map.insert("name".into(), json!(one_line(name)));
    map.insert("img".into(), json!("icons/svg/d20-grey.svg"));
    map.insert("description".into(), json!(description));
    map.insert("results".into(), results.iter().map(result).collect());
    map.insert("formula".into(), json!(formula));
    map.insert("replacement".into(), json!(true));
    map.insert("displayRoll".into(), json!(true));
    map.insert("folder".into(), Json::Null);
    map.insert("sort".into(), json!(0));
    map.insert("ownership".into(), json!({ "default": 0 }));
    map.insert("flags".into(), json!({ "adjutant": { "pack": key.first(), "chart": key.get(1) } }));
    Json::Object(map)
}
