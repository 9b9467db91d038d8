//! A VASSAL module, read as VASSAL reads it: a zip file whose `moduledata` and `buildFile.xml` are
//! XML. A card is a command `+/id/type/state`, and every list in it is split by VASSAL's own rule
//! for joined texts.

use super::given::{HOSTILE, hostile, on_one_line, shipped};
use super::{all_packs, twice};
use adjutant_pack::Id as _;
use adjutant_pack::Pack;
use adjutant_render::export::{ExportRequest, ExportedFiles, page, vassal};
use adjutant_render::paper::Fonts;
use adjutant_wording::en::ChartWords;
use resvg::tiny_skia::Pixmap;
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::io::Read;

fn made(pack: &Pack) -> ExportedFiles {
    vassal(&ExportRequest::all(pack), &Fonts::bundled(), "game.vmod").unwrap()
}

fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    bytes[at..at + length].iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte))
}

/// The entries of a zip file, from its directory, each checked against its CRC.
fn unzipped(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let end = bytes.windows(4).rposition(|four| four == b"PK\x05\x06").unwrap();
    let (count, mut at) = (number(bytes, end + 10, 2), number(bytes, end + 16, 4));
    let mut files = BTreeMap::new();
    for _ in 0..count {
        assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
        let (method, sum, packed, size) = (
            number(bytes, at + 10, 2),
            number(bytes, at + 16, 4),
            number(bytes, at + 20, 4),
            number(bytes, at + 24, 4),
        );
        let (name_length, start) = (number(bytes, at + 28, 2), number(bytes, at + 42, 4));
        let name = String::from_utf8(bytes[at + 46..at + 46 + name_length].to_vec()).unwrap();
        assert_eq!(&bytes[start..start + 4], b"PK\x03\x04");
        assert_eq!(
            &bytes[start + 4..start + 26],
            &bytes[at + 6..at + 28],
            "the entry and the directory agree"
        );
        let body = start + 30 + number(bytes, start + 26, 2) + number(bytes, start + 28, 2);
        let body = &bytes[body..body + packed];
        let mut content = Vec::new();
        match method {
            0 => content.extend(body),
            8 => drop(flate2::read::DeflateDecoder::new(body).read_to_end(&mut content).unwrap()),
            other => panic!("method {other}"),
        }
        let mut crc = flate2::Crc::new();
        crc.update(&content);
        assert_eq!((content.len(), crc.sum() as usize), (size, sum), "{name}");
        assert!(files.insert(name, content).is_none());
        at += 46 + name_length + number(bytes, at + 30, 2) + number(bytes, at + 32, 2);
    }
    files
}

/// VASSAL's rule for joined texts: a separator after a backslash belongs to the text, and quotes
/// around a whole part do not.
fn split(text: &str, sign: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    for c in text.chars() {
        let last = parts.last_mut().unwrap();
        match c {
            c if c == sign && last.ends_with('\\') => {
                last.pop();
                last.push(c);
            }
            c if c == sign => parts.push(String::new()),
            c => last.push(c),
        }
    }
    let unquoted =
        |part: String| match part.strip_prefix('\'').and_then(|part| part.strip_suffix('\'')) {
            Some(inner) => inner.to_owned(),
            None => part,
        };
    parts.into_iter().map(unquoted).collect()
}

/// The traits of a piece from the outside in, each split at semicolons, with its state.
fn piece(definition: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let parts = split(definition.strip_prefix("+/").unwrap(), '/');
    assert_eq!((parts.len(), parts[0].as_str()), (3, "null"));
    let (mut types, mut states, mut traits) = (parts[1].clone(), parts[2].clone(), Vec::new());
    loop {
        let (kinds, state) = (split(&types, '\t'), split(&states, '\t'));
        assert_eq!(kinds.len(), state.len(), "a state for each trait");
        traits.push((split(&kinds[0], ';'), split(&state[0], ';')));
        match (kinds.get(1), state.get(1)) {
            (Some(inner), Some(state)) => (types, states) = (inner.clone(), state.clone()),
            _ => return traits,
        }
    }
}

struct Module {
    files: BTreeMap<String, Vec<u8>>,
    build: String,
}

impl Module {
    fn open(exported: &ExportedFiles) -> Module {
        let files = unzipped(exported.file("game.vmod").unwrap());
        let build = String::from_utf8(files["buildFile.xml"].clone()).unwrap();
        Module { files, build }
    }

    fn picture(&self, name: &str) -> Pixmap {
        Pixmap::decode_png(
            self.files
                .get(&format!("images/{name}"))
                .unwrap_or_else(|| panic!("no picture {name}")),
        )
        .unwrap()
    }
}

fn parts<'d, 'i>(document: &'d Document<'i>, class: &str) -> Vec<Node<'d, 'i>> {
    document.descendants().filter(|node| node.tag_name().name() == class).collect()
}

/// The decks of a module with the names of their cards. Checks everything about them.
fn decks(module: &Module) -> Vec<(String, Vec<String>)> {
    let document = Document::parse(&module.build).unwrap();
    let piles = parts(&document, "VASSAL.build.module.map.DrawPile");
    let names: Vec<&str> = piles.iter().map(|pile| pile.attribute("name").unwrap()).collect();
    let board = parts(&document, "VASSAL.build.module.map.boardPicker.Board")[0];
    let table = module.picture(board.attribute("image").unwrap());
    let (mut found, mut ids) = (Vec::new(), Vec::new());
    for pile in &piles {
        let whole = |name: &str| pile.attribute(name).unwrap().parse::<u32>().unwrap();
        assert_eq!(pile.attribute("owningBoard"), board.attribute("name"));
        assert!(
            whole("x") + whole("width") / 2 <= table.width()
                && whole("y") + whole("height") / 2 <= table.height()
        );
        // The deck is drawn as a stack of ten cards, two pixels apart: nothing is printed there.
        let (left, top) = (whole("x") - whole("width") / 2, whole("y") - whole("height") / 2 - 20);
        let ground = table.pixel(left, top).unwrap();
        for (x, y) in
            (left..left + whole("width")).flat_map(|x| (top..top + 18).map(move |y| (x, y)))
        {
            assert_eq!(table.pixel(x, y), Some(ground), "a caption under the deck at {x}, {y}");
        }
        let cards: Vec<Node<'_, '_>> = pile.children().filter(Node::is_element).collect();
        if cards.is_empty() {
            continue;
        }
        // The discards return to the deck with the key that the deck sends when it is empty.
        let discards = piles
            .iter()
            .find(|other| other.attribute("reshuffleTarget") == pile.attribute("name"))
            .unwrap();
        assert_eq!(
            (pile.attribute("faceDown"), pile.attribute("shuffle"), pile.attribute("drawFaceUp")),
            (Some("Always"), Some("Always"), Some("true"))
        );
        assert_eq!(
            (discards.attribute("faceDown"), discards.attribute("reshufflable")),
            (Some("Never"), Some("true"))
        );
        assert_eq!(
            (pile.attribute("hotkeyOnEmpty"), pile.attribute("emptyHotkey")),
            (Some("true"), discards.attribute("reshuffleHotkey"))
        );
        let mut titles = Vec::new();
        for card in cards {
            assert_eq!(card.tag_name().name(), "VASSAL.build.widget.CardSlot");
            let traits = piece(card.text().unwrap().trim());
            let [(report, reported), (discard, _), (put_back, _), (mask, masked), (basic, place)] =
                traits.as_slice()
            else {
                panic!("five traits")
            };
            // The outermost trait, so that it speaks after the others have acted. Each letter is a
            // key with Ctrl, and each key is that of another trait.
            assert_eq!((report[0].as_str(), reported[0].as_str()), ("report", "-1"));
            assert_eq!(
                report[1],
                [&discard[2], &put_back[2], &mask[1]].map(String::as_str).concat()
            );
            assert!(report[2].contains("$PlayerName$") && report[2].contains("$newPieceName$"));
            assert_eq!(
                (discard[0].as_str(), discard[3].as_str()),
                ("return", discards.attribute("name").unwrap())
            );
            assert_eq!(
                (put_back[0].as_str(), put_back[3].as_str()),
                ("return", pile.attribute("name").unwrap())
            );
            assert!(names.contains(&discard[3].as_str()));
            assert_eq!(
                (mask[0].as_str(), mask[4].as_str(), masked[0].as_str()),
                ("obs", "B", "null")
            );
            let (back, front) = (module.picture(&mask[2]), module.picture(&basic[3]));
            assert_eq!((back.width(), back.height()), (front.width(), front.height()));
            assert_eq!((front.width(), front.height()), (whole("width"), whole("height")));
            assert_eq!(
                (basic.len(), basic[0].as_str(), basic[1].as_str(), basic[2].as_str()),
                (5, "piece", "", "")
            );
            assert_eq!(
                place[..],
                ["null", "0", "0", card.attribute("gpid").unwrap(), "0"].map(str::to_owned)
            );
            assert_eq!(card.attribute("entryName"), Some(basic[4].as_str()));
            ids.push(card.attribute("gpid").unwrap().parse::<usize>().unwrap());
            titles.push(basic[4].clone());
        }
        found.push((pile.attribute("name").unwrap().to_owned(), titles));
    }
    let next: usize =
        document.root_element().attribute("nextPieceSlotId").unwrap().parse().unwrap();
    assert_eq!(ids, (1..next).collect::<Vec<_>>());
    found
}

/// The classes that the build file may name; each is a class of VASSAL 3.5.
const CLASSES: [&str; 27] = [
    "VASSAL.build.GameModule",
    "VASSAL.build.module.BasicCommandEncoder",
    "VASSAL.build.module.Documentation",
    "VASSAL.build.module.PlayerRoster",
    "VASSAL.build.module.GlobalOptions",
    "VASSAL.build.module.PrototypesContainer",
    "VASSAL.build.module.Chatter",
    "VASSAL.build.module.KeyNamer",
    "VASSAL.build.module.Map",
    "VASSAL.build.module.map.BoardPicker",
    "setup",
    "VASSAL.build.module.map.boardPicker.Board",
    "VASSAL.build.module.map.boardPicker.board.ZonedGrid",
    "VASSAL.build.module.map.boardPicker.board.mapgrid.Zone",
    "VASSAL.build.module.map.StackMetrics",
    "VASSAL.build.module.map.ForwardToKeyBuffer",
    "VASSAL.build.module.map.Scroller",
    "VASSAL.build.module.map.ForwardToChatter",
    "VASSAL.build.module.map.MenuDisplayer",
    "VASSAL.build.module.map.MapCenterer",
    "VASSAL.build.module.map.StackExpander",
    "VASSAL.build.module.map.PieceMover",
    "VASSAL.build.module.map.KeyBufferer",
    "VASSAL.build.module.map.Zoomer",
    "VASSAL.build.module.map.DrawPile",
    "VASSAL.build.widget.CardSlot",
    "VASSAL.build.module.DiceButton",
];
const WINDOW: [&str; 3] = [
    "VASSAL.build.module.ChartWindow",
    "VASSAL.build.widget.ListWidget",
    "VASSAL.build.widget.HtmlChart",
];

#[test]
fn the_action_deck_has_all_cards_with_their_pictures_and_goes_back_into_itself() {
    let pack = shipped("combat-leader");
    let module = Module::open(&made(&pack));
    let [(name, cards)] = decks(&module).try_into().unwrap();
    assert_eq!(name, "Action Deck");
    assert_eq!(
        cards,
        pack.decks().as_slice()[0]
            .cards
            .iter()
            .map(|card| card.title.to_string())
            .collect::<Vec<_>>()
    );
}

#[test]
fn the_module_says_what_it_is_and_names_only_parts_that_vassal_has() {
    for pack in all_packs() {
        let request = ExportRequest { decks: Vec::new(), ..ExportRequest::all(&pack) };
        let module = Module::open(&vassal(&request, &Fonts::bundled(), "game.vmod").unwrap());
        let data = String::from_utf8(module.files["moduledata"].clone()).unwrap();
        let data = Document::parse(&data).unwrap();
        let said = |name: &str| {
            data.root_element()
                .children()
                .find(|node| node.tag_name().name() == name)
                .and_then(|node| node.text())
                .unwrap()
        };
        assert_eq!(
            (data.root_element().tag_name().name(), data.root_element().attribute("version")),
            ("data", Some("1"))
        );
        assert_eq!((said("name"), said("version")), (pack.title().as_str(), pack.version()));
        // Before 3.5 the build file had another name.
        assert_eq!(said("VassalVersion").split('.').take(2).collect::<Vec<_>>(), ["3", "5"]);
        let document = Document::parse(&module.build).unwrap();
        assert_eq!(document.root_element().attribute("name"), Some(pack.title().as_str()));
        for node in document.descendants().filter(Node::is_element) {
            assert!(
                CLASSES.iter().chain(&WINDOW).any(|class| *class == node.tag_name().name()),
                "{}",
                node.tag_name().name()
            );
        }
        let setup = split(parts(&document, "setup")[0].text().unwrap(), '\t');
        let map = parts(&document, "VASSAL.build.module.Map")[0].attribute("mapName").unwrap();
        assert_eq!(setup, [format!("{map}BoardPicker"), "Table".into(), "0".into(), "0".into()]);
        // A dragged card is reported with both places: a deck by its name, the rest by the zone.
        let map = parts(&document, "VASSAL.build.module.Map")[0];
        for place in ["$pieceName$", "$previousLocation$", "$location$"] {
            assert!(map.attribute("moveWithinFormat").unwrap().contains(place), "{place}");
        }
        let zone = parts(&document, "VASSAL.build.module.map.boardPicker.board.mapgrid.Zone")[0];
        let table = module.picture("table.png");
        let corners: Vec<(u32, u32)> = zone
            .attribute("path")
            .unwrap()
            .split(';')
            .map(|corner| corner.split_once(',').unwrap())
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
            .collect();
        let (wide, high) = (table.width(), table.height());
        assert_eq!(corners, [(0, 0), (wide, 0), (wide, high), (0, high)]);
    }
}

#[test]
fn every_chart_is_a_page_of_plain_html_and_its_dice_are_buttons() {
    for pack in all_packs() {
        let request = ExportRequest { decks: Vec::new(), ..ExportRequest::all(&pack) };
        let module = Module::open(&vassal(&request, &Fonts::bundled(), "game.vmod").unwrap());
        let document = Document::parse(&module.build).unwrap();
        let pages = parts(&document, WINDOW[2]);
        assert_eq!(pages.len(), pack.charts().len() + 1);
        for (node, chart) in pages[1..].iter().zip(pack.charts()) {
            assert_eq!(node.attribute("chartName"), Some(chart.title.as_str()));
            let html =
                std::str::from_utf8(&module.files[node.attribute("fileName").unwrap()]).unwrap();
            assert_eq!(html, page(&pack, chart));
            let read = Document::parse(html)
                .unwrap_or_else(|fault| panic!("{} {}: {fault}", pack.id(), chart.id));
            for node in read.descendants().filter(Node::is_element) {
                let plain = [
                    "html", "head", "title", "style", "body", "h1", "h2", "p", "b", "i", "ul",
                    "li", "table", "tr", "th", "td",
                ];
                assert!(plain.contains(&node.tag_name().name()), "{}", node.tag_name().name());
            }
            let text: String = read
                .descendants()
                .filter_map(|node| if node.is_text() { node.text() } else { None })
                .collect::<Vec<_>>()
                .join(" ");
            for step in chart.steps.iter().filter(|step| step.on_sheet) {
                let lost = step.add.iter().find(|it| !text.contains(it.label.as_str()));
                assert!(
                    lost.is_none(),
                    "{} {}: {:?}",
                    pack.id(),
                    chart.id,
                    lost.map(|modifier| &modifier.label)
                );
            }
            for (place, row) in chart.read.rows.iter_enumerated() {
                let say = ChartWords::for_players(&pack, chart);
                // The only row is a result without a table.
                let row_in_words = say.row(row, place);
                let shown = chart.read.rows.len() < 2 || text.contains(&row_in_words);
                assert!(shown, "{} {row_in_words}: {text}", chart.id);
                let titles = row.cells.iter().flat_map(|cell| cell.landing);
                for landing in titles {
                    let result = chart.landings[landing].result;
                    assert!(text.contains(pack.results()[result].title.as_str()));
                }
                let table = say.table();
                assert!(
                    table.rows[place.index()]
                        .cells_in_force(table.in_force)
                        .iter()
                        .all(|cell| cell.marked("").split(" (").all(|part| text.contains(part)))
                );
            }
        }
        let dice: Vec<&str> = parts(&document, "VASSAL.build.module.DiceButton")
            .iter()
            .map(|die| die.attribute("name").unwrap())
            .collect();
        let wanted: &[&str] = match pack.id().as_str() {
            "combat-leader" => &[],
            "panzer8" => &["d10"],
            _ => &["d6", "2d6"],
        };
        assert_eq!(dice, wanted, "{}", pack.id());
    }
}

#[test]
fn hostile_names_come_back_and_the_bytes_are_the_same() {
    let pack = hostile();
    let module = Module::open(&twice(|| made(&pack)));
    let [(name, cards)] = decks(&module).try_into().unwrap();
    assert_eq!((name, cards), (HOSTILE[0].to_owned(), HOSTILE.map(on_one_line).to_vec()));
    let html = String::from_utf8(module.files["chart-test.html"].clone()).unwrap();
    assert!(html.is_ascii());
    let read = Document::parse(&html).unwrap();
    let texts: Vec<&str> = read
        .descendants()
        .filter_map(|node| if node.is_text() { node.text() } else { None })
        .collect();
    // The third is the label of a question, which the sheet shows in its modifiers' labels.
    for text in HOSTILE.iter().enumerate().filter(|(place, _)| *place != 2).map(|(_, text)| text) {
        // A heading begins with a capital letter.
        let heading = adjutant_pack::capital(text);
        let is_there = |known: &&str| known.contains(*text) || known.contains(&heading);
        assert!(texts.iter().any(is_there), "{text}: {texts:?}");
    }
}
