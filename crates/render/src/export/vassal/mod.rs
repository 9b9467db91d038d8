//! A VASSAL module: a zip file with a build file, pictures and pages. On its one map lie the decks, face down and always
//! shuffled, each with a pile for discards beside it; one command sends the discards back, and so does the last card drawn.
//! The charts are pages in a window, and the dice they ask for are buttons. Written for VASSAL 3.5 and later.

mod build;
mod piece;

use super::page::whole;
use super::{ExportRequest, ExportedFiles, card_name, count, deck_name, faces, in_path, one_line, page, pictures, zip};
use crate::draw::{Anchor, Drawing, Ink, Mark, Size, Style};
use crate::paper::{Fonts, png};
use adjutant_pack::{DeckSheet, StepKind};
use build::Part;
use maud::html;
use piece::{CardPiece, definition, joined};

/// The oldest VASSAL whose parts are used.
const VERSION: &str = "3.5.0";
/// The one map, and its board.
const TABLE: &str = "Table";
/// The most dots of a card.
const CARD: (u32, u32) = (315, 440);
/// The room between things on the table.
const GAP: u32 = 60;
/// The room above a deck, for its name.
const HEAD: u32 = 70;
/// How many cards can lie beside the discards.
const BESIDE: u32 = 4;

/// How a deck is used.
const TO_DRAW: &str =
    "Drag a card off the deck to draw it; right-click it to discard it; the discards' own menu, or Ctrl+Shift+R, shuffles them back";

/// The module, as a file called `NAME.vmod`.
pub fn vassal(freight: &ExportRequest<'_>, fonts: &Fonts, name: &str) -> Result<ExportedFiles, String> {
    // A place on the table is as large as the largest card.
    let fits = freight.decks.iter().map(|deck| faces::fitting(freight.size_of(deck), CARD));
    let size = fits.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))).unwrap_or(CARD);
    let mut files = Vec::new();
    for deck in &freight.decks {
        let (faces, _) = pictures(freight, deck, fonts, CARD)?;
        files.extend((1..).zip(faces.fronts()?).map(|(number, bytes)| (format!("images/{}", front_name(deck, number)), bytes)));
        files.push((format!("images/{}", back_name(deck)), faces.back()?));
    }
    files.push(("images/table.png".to_owned(), png(&board(freight, size), 25.4, fonts)?));
    files.push(("about.html".to_owned(), about(freight).into_bytes()));
    files.extend(freight.charts.iter().map(|chart| (page_name(&chart.id), page(freight.pack, chart).into_bytes())));
    // What VASSAL looks at first comes first.
    files.insert(0, ("moduledata".to_owned(), module_data(freight).file().into_bytes()));
    files.insert(1, ("buildFile.xml".to_owned(), module(freight, size).file().into_bytes()));
    let bytes = zip::zip(&files).ok_or("the module is too large for a zip file")?;
    let mut parcel = ExportedFiles::default();
    parcel.say(format!(
        "a module with {} and {}",
        freight
            .decks
            .iter()
            .map(|deck| format!("{} ({})", deck_name(deck), count(deck.cards.len(), "card", "cards")))
            .reduce(|all, deck| format!("{all}, {deck}"))
            .unwrap_or_else(|| "no deck".to_owned()),
        count(freight.charts.len(), "chart as a page", "charts as pages")
    ));
    parcel.add(name, bytes);
    parcel.to_do = vec!["Open it in VASSAL 3.5 or later with File, Open Module".to_owned(), TO_DRAW.to_owned()];
    if freight.decks.is_empty() {
        parcel.to_do.pop();
    }
    Ok(parcel)
}

fn front_name(deck: &DeckSheet, number: u32) -> String {
    format!("{}-{number:03}.png", in_path(&deck.id))
}

fn back_name(deck: &DeckSheet) -> String {
    format!("{}-back.png", in_path(&deck.id))
}

fn page_name(chart: &str) -> String {
    format!("chart-{}.html", in_path(chart))
}

/// The names of a deck and of its discards. VASSAL looks them up by name, so no two may be alike.
fn pile_names(freight: &ExportRequest<'_>, place: usize) -> (String, String) {
    let title = deck_name(freight.decks[place]);
    let twin = freight.decks.iter().filter(|deck| deck_name(deck) == title).count() > 1;
    let name = if twin { format!("{title} ({})", freight.decks[place].id) } else { title };
    let discards = format!("{name}: discards");
    (name, discards)
}

/// The key that sends the discards of a deck back: Ctrl+Shift+R, and for further decks Ctrl+Shift and their number.
fn reshuffle_key(place: usize) -> (String, String) {
    let (code, name) = if place == 0 { (82, "R".to_owned()) } else { (49 + place, (place + 1).to_string()) };
    (format!("{code},195"), format!("Ctrl+Shift+{name}"))
}

/// Where a deck lies: the upper left corner of its place.
fn place_of(place: usize, size: (u32, u32)) -> (u32, u32) {
    (GAP, GAP + HEAD + place as u32 * (size.1 + HEAD + GAP))
}

/// The size of the table in dots.
fn table_size(freight: &ExportRequest<'_>, size: (u32, u32)) -> (u32, u32) {
    let rows = freight.decks.len().max(2) as u32;
    ((size.0 + GAP) * (2 + BESIDE) + GAP, GAP + rows * (size.1 + HEAD + GAP) + GAP)
}

/// The table: a place for each deck and its discards, with their names. One millimetre is one dot.
fn board(freight: &ExportRequest<'_>, size: (u32, u32)) -> Drawing {
    let (width, height) = table_size(freight, size);
    let (width, height) = (f64::from(width), f64::from(height));
    let mut marks = vec![Mark::Box { at: (0.0, 0.0), size: (width, height), round: 0.0, fill: Some(Ink::Tint), edge: None }];
    let words = |at: (f64, f64), size: f64, style: Style, ink: Ink, words: String| Mark::Text {
        at,
        size,
        anchor: Anchor::Start,
        style,
        ink,
        words,
    };
    for place in 0..freight.decks.len() {
        let (x, y) = place_of(place, size);
        let (name, _) = pile_names(freight, place);
        let told = [
            (f64::from(x), name, "drag a card off the deck".to_owned()),
            (f64::from(x + size.0 + GAP), "Discards".to_owned(), format!("{} shuffles them back", reshuffle_key(place).1)),
        ];
        for (x, name, hint) in told {
            let (wide, high) = (f64::from(size.0), f64::from(size.1));
            let letters = (wide / crate::draw::text_width(&name, 1.0, true).max(0.1)).min(28.0);
            marks.push(words((x, f64::from(y) - 40.0), letters, Style::BOLD, Ink::Black, name));
            let letters = (wide / crate::draw::text_width(&hint, 1.0, false).max(0.1)).min(17.0);
            marks.push(words((x, f64::from(y) - 16.0), letters, Style::PLAIN, Ink::Grey, hint));
            let at = (x, f64::from(y));
            marks.push(Mark::Box { at, size: (wide, high), round: 15.0, fill: Some(Ink::Paper), edge: Some((2.0, Ink::Grey)) });
        }
    }
    Drawing { size: Size { width, height }, says: format!("The table of {}", freight.pack.title()), marks }
}

fn module_data(freight: &ExportRequest<'_>) -> Part {
    let text = |class, text: &str| Part::new(class).saying(text);
    Part::new("data")
        .with("version", 1)
        .holding(text("version", freight.pack.version()))
        .holding(text("VassalVersion", VERSION))
        .holding(text("dateSaved", "0"))
        .holding(text("description", &one_line(freight.pack.notice())))
        .holding(text("name", &one_line(freight.pack.title())))
}

/// The whole module.
fn module(freight: &ExportRequest<'_>, size: (u32, u32)) -> Part {
    let cards: usize = freight.decks.iter().map(|deck| deck.cards.len()).sum();
    let module = Part::new("VASSAL.build.GameModule")
        .with("name", one_line(freight.pack.title()))
        .with("version", freight.pack.version())
        .with("description", one_line(freight.pack.notice()))
        .with("VassalVersion", VERSION)
        .with("nextPieceSlotId", cards + 1);
    let plain = [
        "VASSAL.build.module.BasicCommandEncoder",
        "VASSAL.build.module.Documentation",
        "VASSAL.build.module.PlayerRoster",
        "VASSAL.build.module.GlobalOptions",
        "VASSAL.build.module.PrototypesContainer",
        "VASSAL.build.module.Chatter",
        "VASSAL.build.module.KeyNamer",
    ];
    module.holding_all(plain.map(Part::new)).holding(map(freight, size)).holding_all(dice(freight)).holding(charts(freight))
}

/// The map with its board, what moves pieces on it, and the decks.
fn map(freight: &ExportRequest<'_>, size: (u32, u32)) -> Part {
    let board =
        Part::new("VASSAL.build.module.map.boardPicker.Board").with("name", TABLE).with("image", "table.png").with("reversible", false);
    // Which boards a game begins with, as the picker itself would write it.
    let setup = Part::new("setup").saying(joined(&[&format!("{TABLE}BoardPicker"), TABLE, "0", "0"], '\t'));
    let picker = Part::new("VASSAL.build.module.map.BoardPicker").holding(setup).holding(board);
    let movers = [
        "VASSAL.build.module.map.StackMetrics",
        "VASSAL.build.module.map.ForwardToKeyBuffer",
        "VASSAL.build.module.map.Scroller",
        "VASSAL.build.module.map.ForwardToChatter",
        "VASSAL.build.module.map.MenuDisplayer",
        "VASSAL.build.module.map.MapCenterer",
        "VASSAL.build.module.map.StackExpander",
        "VASSAL.build.module.map.PieceMover",
        "VASSAL.build.module.map.KeyBufferer",
    ];
    let zoomer = Part::new("VASSAL.build.module.map.Zoomer").with("zoomLevels", "0.25,0.5,0.75,1.0,1.5").with("zoomStart", 3);
    let mut first = 1;
    let decks = (0..freight.decks.len()).flat_map(|place| {
        let piles = piles(freight, place, size, first);
        first += freight.decks[place].cards.len();
        piles
    });
    let decks: Vec<Part> = decks.collect();
    Part::new("VASSAL.build.module.Map")
        .with("mapName", TABLE)
        .with("allowMultiple", false)
        .with("edgeWidth", 0)
        .with("edgeHeight", 0)
        .with("launch", false)
        .holding(picker)
        .holding_all(movers.map(Part::new))
        .holding(zoomer)
        .holding_all(decks)
}

/// A deck with its cards, and the pile of its discards. The cards have the numbers from `first` on.
fn piles(freight: &ExportRequest<'_>, place: usize, (width, height): (u32, u32), first: usize) -> [Part; 2] {
    let deck = freight.decks[place];
    let (name, discards) = pile_names(freight, place);
    let (x, y) = place_of(place, (width, height));
    let (key, _) = reshuffle_key(place);
    let pile = |name: &str, left: u32| {
        Part::new("VASSAL.build.module.map.DrawPile")
            .with("name", name)
            .with("owningBoard", TABLE)
            .with("x", left + width / 2)
            .with("y", y + height / 2)
            .with("width", width)
            .with("height", height)
            .with("allowSelect", false)
            .with("reversible", false)
            .with("draw", false)
            .with("maxStack", 10)
            .with("canSave", false)
    };
    let (back, cards) = (back_name(deck), (1..).zip(&deck.cards));
    let slots = cards.map(|(number, card)| {
        let (title, image) = (card_name(card, number), front_name(deck, number));
        let id = first + number as usize - 1;
        let piece = CardPiece { name: &title, image: &image, back: &back, deck: &name, discards: &discards, id };
        Part::new("VASSAL.build.widget.CardSlot")
            .with("entryName", &title)
            .with("gpid", id)
            .with("width", width)
            .with("height", height)
            .saying(definition(&piece))
    });
    let drawn = pile(&name, x)
        .with("allowMultiple", true)
        .with("drawMultipleMessage", "Draw several cards")
        .with("faceDown", "Always")
        .with("drawFaceUp", true)
        // A deck has no order: each draw takes any of the cards left.
        .with("shuffle", "Always")
        .with("reshufflable", false)
        .with("hotkeyOnEmpty", true)
        .with("emptyHotkey", &key);
    let discarded = pile(&discards, x + width + GAP)
        .with("allowMultiple", false)
        .with("faceDown", "Never")
        .with("drawFaceUp", true)
        .with("shuffle", "Never")
        .with("reshufflable", true)
        .with("reshuffleCommand", "Shuffle the discards back into the deck")
        .with("reshuffleMessage", "$PlayerName$ shuffles the discards back into the deck")
        .with("reshuffleHotkey", &key)
        .with("reshuffleTarget", &name);
    [drawn.holding_all(slots), discarded]
}

/// The dice that charts throw, each kind once. The faces are told one by one: a sum is soon made, and charts ask for doubles
/// and for the highest.
fn dice(freight: &ExportRequest<'_>) -> Vec<Part> {
    let mut wanted: Vec<(u32, i64)> = Vec::new();
    for step in freight.charts.iter().flat_map(|chart| &chart.steps) {
        let StepKind::Throw(throw) = &step.kind else { continue };
        let count = throw.count.constant().and_then(adjutant_pack::Value::number).and_then(adjutant_dice::Number::as_whole);
        // So many as the situation says: one at a time.
        let count = count.filter(|count| (1..=20).contains(count)).unwrap_or(1);
        if !wanted.contains(&(throw.sides, count)) {
            wanted.push((throw.sides, count));
        }
    }
    wanted.sort_unstable();
    let button = |(sides, count): (u32, i64)| {
        let name = if count == 1 { format!("d{sides}") } else { format!("{count}d{sides}") };
        Part::new("VASSAL.build.module.DiceButton")
            .with("name", &name)
            .with("text", &name)
            .with("tooltip", format!("Throw {name}"))
            .with("nDice", count)
            .with("nSides", sides)
            .with("plus", 0)
            .with("addToTotal", 0)
            .with("reportTotal", false)
            .with("prompt", false)
            .with("reportFormat", "$name$: $result$ ($PlayerName$)")
            .with("sortDice", false)
    };
    wanted.into_iter().map(button).collect()
}

/// The window with all charts, chosen from a list.
fn charts(freight: &ExportRequest<'_>) -> Part {
    let chart =
        |title: &str, file: String| Part::new("VASSAL.build.widget.HtmlChart").with("chartName", one_line(title)).with("fileName", file);
    let list = Part::new("VASSAL.build.widget.ListWidget")
        .with("entryName", "Charts")
        .with("width", 900)
        .with("height", 640)
        .with("divider", 680)
        .holding(chart("About", "about.html".to_owned()))
        .holding_all(freight.charts.iter().map(|known| chart(&known.title, page_name(&known.id))));
    Part::new("VASSAL.build.module.ChartWindow")
        .with("name", "Charts")
        .with("text", "Charts")
        .with("tooltip", "The charts of this game")
        .holding(list)
}

/// The page that says what is what.
fn about(freight: &ExportRequest<'_>) -> String {
    let pack = freight.pack;
    let turn = html! {
        @if !pack.phases().is_empty() {
            h2 { "Turn" }
            ol { @for phase in pack.phases() { li { b { (phase.title) } @if !phase.text.is_empty() { ": " (phase.text) } } } }
        }
    };
    let decks = html! {
        @for (place, deck) in freight.decks.iter().enumerate() {
            h2 { (deck_name(deck)) }
            p { "Drag a card off the deck to draw it face up; the deck is always shuffled. Right-click a card to discard it (Ctrl+D), to put it back (Ctrl+R) or to turn it over (Ctrl+F)." }
            p { "When a card says to reshuffle, right-click the discards, or press " (reshuffle_key(place).1) ": they go back into the deck. When the last card is drawn that happens by itself." }
        }
    };
    whole(
        pack.title(),
        html! {
            @if !pack.by().is_empty() { p { "by " (pack.by()) } }
            p { (pack.about()) }
            (decks)
            (turn)
            @if !pack.statuses().is_empty() {
                h2 { "Statuses" }
                ul { @for status in pack.statuses() { li { b { (status.title) } @if !status.means.is_empty() { ": " (status.means) } } } }
            }
            @if !pack.notice().is_empty() { p { i { (pack.notice()) } } }
            @if !pack.source().is_empty() { p { i { (pack.source()) } } }
        },
    )
}
