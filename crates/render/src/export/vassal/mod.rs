//! A VASSAL module: a zip file with a build file, pictures and pages. Its one map has the decks,
//! face down and always shuffled, each with a discard pile beside it. A command returns the
//! discards to the deck; so does drawing the last card. The charts are pages in a window, and the
//! dice they roll are buttons. Draws and discards are reported in the chat. Written for VASSAL 3.5
//! and later.

mod piece;
mod xml;

use super::chart_page::html_page;
use super::{
    ExportRequest, ExportedFiles, card_images, card_name, count, deck_name, in_path, one_line,
    page, pictures, zip,
};
use crate::RenderError;
use crate::draw::{Anchor, Drawing, Ink, Mark, Size, Style};
use crate::paper::{Fonts, png};
use adjutant_pack::{Chart, DeckSheet, RolledDie, StepKind};
use adjutant_wording::en::NotShown;
use maud::html;
use piece::{CardPiece, definition, joined};
use xml::Element;

/// The oldest VASSAL version that has all components used here.
const VERSION: &str = "3.5.0";
/// The name of the map and of its board.
const TABLE: &str = "Table";
/// The largest picture of a card, in pixels.
const CARD: (u32, u32) = (315, 440);
/// The space between things on the board.
const GAP: u32 = 60;
/// The space above a deck, for its name.
const HEAD: u32 = 100;
/// The cards that are drawn as a stack, and how far each lies above the one below. The captions
/// must be clear of them.
const STACK: u32 = 10;
const STACK_STEP: u32 = 2;
/// The name of the board where there is no deck, in the chat.
const OPEN_TABLE: &str = "the table";
/// How many cards fit beside the discards.
const BESIDE: u32 = 4;

/// What the chat says when a card is dragged.
const MOVED: &str = "$PlayerName$: $pieceName$, from $previousLocation$ to $location$";

const TO_DRAW: &str = "Drag a card off the deck to draw it; right-click it to discard it; the discards' own menu, or Ctrl+Shift+R, shuffles them back";

/// The module, as a file with this name.
pub fn vassal(
    request: &ExportRequest<'_>,
    fonts: &Fonts,
    name: &str,
) -> Result<ExportedFiles, RenderError> {
    // A place on the board is as large as the largest card.
    let fits = request.decks.iter().map(|deck| card_images::fitting(request.size_of(deck), CARD));
    let size = fits.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))).unwrap_or(CARD);
    let mut files = Vec::new();
    for deck in &request.decks {
        let (faces, _) = pictures(request, deck, fonts, CARD)?;
        files.extend(
            (1..)
                .zip(faces.fronts()?)
                .map(|(number, bytes)| (format!("images/{}", front_name(deck, number)), bytes)),
        );
        files.push((format!("images/{}", back_name(deck)), faces.back()?));
    }
    files.push(("images/table.png".to_owned(), png(&board(request, size), 25.4, fonts)?));
    files.push(("about.html".to_owned(), about(request).into_bytes()));
    files.extend(
        request
            .charts
            .iter()
            .map(|chart| (page_name(&chart.id), page(request.pack, chart).into_bytes())),
    );
    // VASSAL reads these first.
    files.insert(0, ("moduledata".to_owned(), module_data(request).file().into_bytes()));
    files.insert(1, ("buildFile.xml".to_owned(), module(request, size).file().into_bytes()));
    let bytes = zip::zip(&files).ok_or(RenderError::ZipTooLarge)?;
    let mut exported = ExportedFiles::default();
    exported.add_summary(format!(
        "a module with {} and {}",
        request
            .decks
            .iter()
            .map(|deck| format!(
                "{} ({})",
                deck_name(deck),
                count(deck.cards.len(), "card", "cards")
            ))
            .reduce(|all, deck| format!("{all}, {deck}"))
            .unwrap_or_else(|| "no deck".to_owned()),
        count(request.charts.len(), "chart as a page", "charts as pages")
    ));
    exported.add(name, bytes);
    dice_left_out(request).into_iter().for_each(|left_out| exported.leave_out(left_out));
    exported.instructions = vec![
        "Open it in VASSAL 3.5 or later with File, Open Module".to_owned(),
        TO_DRAW.to_owned(),
    ];
    if request.decks.is_empty() {
        exported.instructions.pop();
    }
    Ok(exported)
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

/// The names of a deck and of its discard pile. VASSAL finds them by name, so they must be unique.
fn pile_names(request: &ExportRequest<'_>, place: usize) -> (String, String) {
    let title = deck_name(request.decks[place]);
    let twin = request.decks.iter().filter(|deck| deck_name(deck) == title).count() > 1;
    let name = if twin { format!("{title} ({})", request.decks[place].id) } else { title };
    let discards = format!("{name}: discards");
    (name, discards)
}

/// The key that returns the discards of a deck: Ctrl+Shift+R, and for further decks Ctrl+Shift and
/// their number.
fn reshuffle_key(place: usize) -> (String, String) {
    let (code, name) =
        if place == 0 { (82, "R".to_owned()) } else { (49 + place, (place + 1).to_string()) };
    (format!("{code},195"), format!("Ctrl+Shift+{name}"))
}

/// The upper left corner of a deck's place.
fn place_of(place: usize, size: (u32, u32)) -> (u32, u32) {
    (GAP, GAP + HEAD + place as u32 * (size.1 + HEAD + GAP))
}

/// The size of the board in pixels.
fn table_size(request: &ExportRequest<'_>, size: (u32, u32)) -> (u32, u32) {
    let rows = request.decks.len().max(2) as u32;
    ((size.0 + GAP) * (2 + BESIDE) + GAP, GAP + rows * (size.1 + HEAD + GAP) + GAP)
}

/// The board: a place for each deck and its discards, with their names. One millimetre is one
/// pixel.
fn board(request: &ExportRequest<'_>, size: (u32, u32)) -> Drawing {
    let (width, height) = table_size(request, size);
    let (width, height) = (f64::from(width), f64::from(height));
    let mut marks = vec![Mark::Box {
        at: (0.0, 0.0),
        size: (width, height),
        round: 0.0,
        fill: Some(Ink::Tint),
        edge: None,
    }];
    let words = |at: (f64, f64), size: f64, style: Style, ink: Ink, words: String| Mark::Text {
        at,
        size,
        anchor: Anchor::Start,
        style,
        ink,
        words,
    };
    for place in 0..request.decks.len() {
        let (x, y) = place_of(place, size);
        let (name, _) = pile_names(request, place);
        let piles = [
            (f64::from(x), name, "drag a card off the deck".to_owned()),
            (
                f64::from(x + size.0 + GAP),
                "Discards".to_owned(),
                format!("{} shuffles them back", reshuffle_key(place).1),
            ),
        ];
        for (x, name, hint) in piles {
            let (wide, high) = (f64::from(size.0), f64::from(size.1));
            let letters = (wide / crate::draw::text_width(&name, 1.0, true).max(0.1)).min(28.0);
            let bottom = f64::from(y) - f64::from(STACK * STACK_STEP) - 16.0;
            marks.push(words((x, bottom - 24.0), letters, Style::BOLD, Ink::Black, name));
            let letters = (wide / crate::draw::text_width(&hint, 1.0, false).max(0.1)).min(17.0);
            marks.push(words((x, bottom), letters, Style::PLAIN, Ink::Grey, hint));
            let at = (x, f64::from(y));
            marks.push(Mark::Box {
                at,
                size: (wide, high),
                round: 15.0,
                fill: Some(Ink::Paper),
                edge: Some((2.0, Ink::Grey)),
            });
        }
    }
    Drawing {
        size: Size { width, height },
        says: format!("The table of {}", request.pack.title()),
        marks,
    }
}

fn module_data(request: &ExportRequest<'_>) -> Element {
    let text = |class, text: &str| Element::new(class).text(text);
    Element::new("data")
        .attribute("version", 1)
        .child(text("version", request.pack.version()))
        .child(text("VassalVersion", VERSION))
        .child(text("dateSaved", "0"))
        .child(text("description", &one_line(request.pack.notice())))
        .child(text("name", &one_line(request.pack.title())))
}

fn module(request: &ExportRequest<'_>, size: (u32, u32)) -> Element {
    let cards: usize = request.decks.iter().map(|deck| deck.cards.len()).sum();
    let module = Element::new("VASSAL.build.GameModule")
        .attribute("name", one_line(request.pack.title()))
        .attribute("version", request.pack.version())
        .attribute("description", one_line(request.pack.notice()))
        .attribute("VassalVersion", VERSION)
        .attribute("nextPieceSlotId", cards + 1);
    let plain = [
        "VASSAL.build.module.BasicCommandEncoder",
        "VASSAL.build.module.Documentation",
        "VASSAL.build.module.PlayerRoster",
        "VASSAL.build.module.GlobalOptions",
        "VASSAL.build.module.PrototypesContainer",
        "VASSAL.build.module.Chatter",
        "VASSAL.build.module.KeyNamer",
    ];
    module
        .children(plain.map(Element::new))
        .child(map(request, size))
        .children(dice(request))
        .child(charts(request))
}

/// The map with its board, its tools and the decks.
fn map(request: &ExportRequest<'_>, size: (u32, u32)) -> Element {
    let (wide, high) = table_size(request, size);
    // VASSAL names a place by the deck there, else by the zone.
    let zone = Element::new("VASSAL.build.module.map.boardPicker.board.mapgrid.Zone")
        .attribute("name", OPEN_TABLE)
        .attribute("locationFormat", "$name$")
        .attribute("path", format!("0,0;{wide},0;{wide},{high};0,{high}"))
        .attribute("useParentGrid", false)
        .attribute("useHighlight", false);
    let grid = Element::new("VASSAL.build.module.map.boardPicker.board.ZonedGrid")
        .attribute("snapTo", false)
        .child(zone);
    let board = Element::new("VASSAL.build.module.map.boardPicker.Board")
        .attribute("name", TABLE)
        .attribute("image", "table.png")
        .attribute("reversible", false)
        .child(grid);
    // Which boards a game starts with, in the picker's own notation.
    let setup = Element::new("setup")
        .text(joined(&[&format!("{TABLE}BoardPicker"), TABLE, "0", "0"], '\t'));
    let picker = Element::new("VASSAL.build.module.map.BoardPicker").child(setup).child(board);
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
    let zoomer = Element::new("VASSAL.build.module.map.Zoomer")
        .attribute("zoomLevels", "0.25,0.5,0.75,1.0,1.5")
        .attribute("zoomStart", 3);
    let mut first = 1;
    let decks = (0..request.decks.len()).flat_map(|place| {
        let piles = piles(request, place, size, first);
        first += request.decks[place].cards.len();
        piles
    });
    let decks: Vec<Element> = decks.collect();
    Element::new("VASSAL.build.module.Map")
        .attribute("mapName", TABLE)
        .attribute("allowMultiple", false)
        .attribute("edgeWidth", 0)
        .attribute("edgeHeight", 0)
        .attribute("launch", false)
        // A draw is a move from the deck to the table.
        .attribute("moveWithinFormat", MOVED)
        .attribute("moveToFormat", MOVED)
        .attribute("createFormat", "")
        .attribute("changeFormat", "$message$")
        .child(picker)
        .children(movers.map(Element::new))
        .child(zoomer)
        .children(decks)
}

/// A deck with its cards, and its discard pile. The cards have the ids from `first` on.
fn piles(
    request: &ExportRequest<'_>,
    place: usize,
    (width, height): (u32, u32),
    first: usize,
) -> [Element; 2] {
    let deck = request.decks[place];
    let (name, discards) = pile_names(request, place);
    let (x, y) = place_of(place, (width, height));
    let (key, _) = reshuffle_key(place);
    let pile = |name: &str, left: u32| {
        Element::new("VASSAL.build.module.map.DrawPile")
            .attribute("name", name)
            .attribute("owningBoard", TABLE)
            .attribute("x", left + width / 2)
            .attribute("y", y + height / 2)
            .attribute("width", width)
            .attribute("height", height)
            .attribute("allowSelect", false)
            .attribute("reversible", false)
            .attribute("draw", false)
            .attribute("maxStack", STACK)
            .attribute("canSave", false)
    };
    let (back, cards) = (back_name(deck), (1..).zip(&deck.cards));
    let slots = cards.map(|(number, card)| {
        let (title, image) = (card_name(card, number), front_name(deck, number));
        let id = first + number as usize - 1;
        let piece = CardPiece {
            name: &title,
            image: &image,
            back: &back,
            deck: &name,
            discards: &discards,
            id,
        };
        Element::new("VASSAL.build.widget.CardSlot")
            .attribute("entryName", &title)
            .attribute("gpid", id)
            .attribute("width", width)
            .attribute("height", height)
            .text(definition(&piece))
    });
    let drawn = pile(&name, x)
        .attribute("allowMultiple", true)
        .attribute("drawMultipleMessage", "Draw several cards")
        .attribute("faceDown", "Always")
        .attribute("drawFaceUp", true)
        // A deck has no order: each draw takes a random card.
        .attribute("shuffle", "Always")
        .attribute("reshufflable", false)
        .attribute("hotkeyOnEmpty", true)
        .attribute("emptyHotkey", &key);
    let discarded = pile(&discards, x + width + GAP)
        .attribute("allowMultiple", false)
        .attribute("faceDown", "Never")
        .attribute("drawFaceUp", true)
        .attribute("shuffle", "Never")
        .attribute("reshufflable", true)
        .attribute("reshuffleCommand", "Shuffle the discards back into the deck")
        .attribute("reshuffleMessage", "$PlayerName$ shuffles the discards back into the deck")
        .attribute("reshuffleHotkey", &key)
        .attribute("reshuffleTarget", &name);
    [drawn.children(slots), discarded]
}

/// The dice that charts roll, each kind once. The faces are reported one by one, because charts ask
/// for doubles and for the highest.
fn dice(request: &ExportRequest<'_>) -> Vec<Element> {
    let mut wanted: Vec<(u32, i64)> = Vec::new();
    for step in request.charts.iter().flat_map(|chart| &chart.steps) {
        let StepKind::Roll(roll) = &step.kind else { continue };
        for kind in &roll.kinds {
            let count = kind
                .count
                .constant()
                .and_then(adjutant_pack::Value::number)
                .and_then(adjutant_dice::Number::as_whole);
            // If the situation determines the count: one at a time.
            let count = count.filter(|count| (1..=20).contains(count)).unwrap_or(1);
            let (sides, count) = match &kind.die {
                RolledDie::Plain(sides) => (*sides, count),
                RolledDie::Digits { sides, digits } => (*sides, count * i64::from(*digits)),
                RolledDie::Named(die) => (request.pack.dice()[*die].faces.len() as u32, count),
                RolledDie::Sized(_) => continue,
            };
            if !wanted.contains(&(sides, count)) {
                wanted.push((sides, count));
            }
        }
    }
    wanted.sort_unstable();
    let button = |(sides, count): (u32, i64)| {
        let name = if count == 1 { format!("d{sides}") } else { format!("{count}d{sides}") };
        Element::new("VASSAL.build.module.DiceButton")
            .attribute("name", &name)
            .attribute("text", &name)
            .attribute("tooltip", format!("Roll {name}"))
            .attribute("nDice", count)
            .attribute("nSides", sides)
            .attribute("plus", 0)
            .attribute("addToTotal", 0)
            .attribute("reportTotal", false)
            .attribute("prompt", false)
            .attribute("reportFormat", "$name$: $result$ ($PlayerName$)")
            .attribute("sortDice", false)
    };
    wanted.into_iter().map(button).collect()
}

/// The dice that no button can roll.
fn dice_left_out(request: &ExportRequest<'_>) -> Vec<NotShown> {
    let sized = |chart: &&&Chart| {
        chart.steps.iter().any(|step| match &step.kind {
            StepKind::Roll(roll) => {
                roll.kinds.iter().any(|kind| matches!(kind.die, RolledDie::Sized(_)))
            }
            _ => false,
        })
    };
    let left_out = |chart: &&Chart| {
        let what = format!("a button for the die of {}", chart.title);
        NotShown::new(what, "the situation determines its number of sides")
    };
    request.charts.iter().filter(sized).map(left_out).collect()
}

/// The window with all charts, chosen from a list.
fn charts(request: &ExportRequest<'_>) -> Element {
    let chart = |title: &str, file: String| {
        Element::new("VASSAL.build.widget.HtmlChart")
            .attribute("chartName", one_line(title))
            .attribute("fileName", file)
    };
    let list = Element::new("VASSAL.build.widget.ListWidget")
        .attribute("entryName", "Charts")
        .attribute("width", 900)
        .attribute("height", 640)
        .attribute("divider", 680)
        .child(chart("About", "about.html".to_owned()))
        .children(request.charts.iter().map(|known| chart(&known.title, page_name(&known.id))));
    Element::new("VASSAL.build.module.ChartWindow")
        .attribute("name", "Charts")
        .attribute("text", "Charts")
        .attribute("tooltip", "The charts of this game")
        .child(list)
}

/// The page "About".
fn about(request: &ExportRequest<'_>) -> String {
    let pack = request.pack;
    let turn = html! {
        @if !pack.phases().is_empty() {
            h2 { "Turn" }
            ol { @for phase in pack.phases() { li { b { (phase.title) } @if !phase.text.is_empty() { ": " (phase.text) } } } }
        }
    };
    let decks = html! {
        @for (place, deck) in request.decks.iter().enumerate() {
            h2 { (deck_name(deck)) }
            p { "Drag a card off the deck to draw it face up; the deck is always shuffled. Right-click a card to discard it (Ctrl+D), to put it back (Ctrl+R) or to turn it over (Ctrl+F)." }
            p { "When a card says to reshuffle, right-click the discards, or press " (reshuffle_key(place).1) ": they go back into the deck. When the last card is drawn that happens by itself." }
        }
    };
    html_page(
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
