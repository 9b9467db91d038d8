//! The session without a terminal: keys are sent as messages, screens are read from a buffer, the
//! store is a real one in a folder of its own.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod keys;
mod random;
mod screens;
mod sealed;

use super::look::Look;
use super::state::{Screen, State};
use super::update::{Message, update};
use super::view::view;
use crate::open_store::{OpenTable, TableStore};
use crate::pack_registry::PackRegistry;
use adjutant_dice::{EnteredInput, RandomInput};
use adjutant_game::{Begin, EventKind, NewUnit, PlayRequest, Seat, Stamp, Table};
use adjutant_store::{NewTable, StoreLocation, TableId};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::sync::Arc;

/// A table in a store, and a session at it.
pub struct Bench {
    folder: tempfile::TempDir,
    pub state: State,
}

/// A unit: kind, name, side, group, and what it has, written `rep=4 star=yes`.
fn unit(kind: &str, name: &str, side: &str, group: &str, has: &str) -> NewUnit {
    let pair =
        |text: &str| text.split_once('=').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let has = has.split_whitespace().map(pair).collect();
    NewUnit {
        kind: kind.into(),
        name: name.into(),
        side: side.into(),
        group: group.into(),
        has,
        ..NewUnit::default()
    }
}

fn stamp(by: &str) -> Stamp {
    Stamp::new("2026-11-16T02:14:05Z", by)
}

/// A table by hand, to be put into a store.
struct Game(Table);

impl Game {
    fn new(pack: &str, name: &str, sides: [&str; 2], options: &[(&str, &str)]) -> Game {
        let pack = Arc::new(
            adjutant_pack::read_pack(&adjutant_bundled_packs::files(pack).unwrap(), None).unwrap(),
        );
        let options =
            options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let begin = Begin {
            name: name.into(),
            sides: sides.map(str::to_owned).to_vec(),
            options,
            ..Begin::default()
        };
        let mut table = Table::empty(pack);
        table.apply(&table.begin(&stamp("Anna"), begin).unwrap().text).unwrap();
        Game(table)
    }

    fn act(mut self, what: EventKind) -> Game {
        let line = self.0.act(&stamp("Anna"), what).unwrap();
        self.0.apply(&line.text).unwrap();
        self
    }

    fn join(self, who: &str, side: &str) -> Game {
        self.act(EventKind::Join { who: who.into(), role: Seat::Player { side: side.into() } })
    }

    fn play(mut self, by: &str, play: PlayRequest, dice: &[u32]) -> Game {
        let line = self
            .0
            .play(&stamp(by), &play, &mut EnteredInput::new().with_dice(dice.iter().copied()))
            .unwrap();
        self.0.apply(&line.text).unwrap();
        self
    }

    fn bench(self, me: &str) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let store = adjutant_store::open(&StoreLocation::default_in(folder.path())).unwrap();
        let name = self.0.setup().unwrap().name.clone();
        let lines: Vec<&str> = self.0.lines().collect();
        store
            .create(&NewTable {
                id: TableId::new().unwrap(),
                name: &name,
                pack: self.0.pack().id(),
                lines: &lines,
            })
            .unwrap();
        let kept = open(folder.path(), &name);
        let state = State::new(kept, me.into(), Look { colours: true }, RandomInput::seeded(7));
        Bench { folder, state }
    }
}

fn open(folder: &std::path::Path, name: &str) -> OpenTable {
    let shelf = PackRegistry::new(&[], &[]);
    let store: Arc<dyn adjutant_store::Store> =
        adjutant_store::open(&StoreLocation::default_in(folder)).unwrap().into();
    let mut kept = TableStore { shelf: &shelf, store }
        .table(name)
        .unwrap_or_else(|verdict| panic!("{verdict:?}"));
    kept.sealed = Some(folder.join("sealed"));
    kept
}

impl Bench {
    /// The table as it stands in the store, opened again.
    pub fn stored(&self) -> OpenTable {
        open(self.folder.path(), &self.state.table().setup().unwrap().name)
    }

    /// A second session at the same table.
    pub fn beside(&self, me: &str) -> State {
        State::new(self.stored(), me.into(), Look { colours: true }, RandomInput::seeded(8))
    }

    pub fn press(&mut self, keys: &str) {
        press(&mut self.state, keys);
    }

    /// What is on a screen of this size.
    pub fn seen(&self, width: u16, height: u16) -> String {
        seen(&self.state, width, height)
    }
}

/// Presses keys: names in angle brackets, everything else letter by letter.
pub fn press(state: &mut State, keys: &str) {
    let mut rest = keys;
    while !rest.is_empty() {
        let (key, after) = match rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
            Some((name, after)) => (named(name), after),
            None => {
                let c = rest.chars().next().unwrap();
                (KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE), &rest[c.len_utf8()..])
            }
        };
        update(state, Message::Key(key));
        rest = after;
    }
}

fn named(name: &str) -> KeyEvent {
    let code = match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "back" => KeyCode::Backspace,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        "del" => KeyCode::Delete,
        "ctrl-c" => return KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL),
        other => panic!("no key {other}"),
    };
    KeyEvent::new(code, KeyModifiers::NONE)
}

pub fn seen(state: &State, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| view(state, frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let mut out = String::new();
    for y in 0..height {
        let mut row = String::new();
        for x in 0..width {
            row.push_str(buffer[(x, y)].symbol());
        }
        out.push_str(row.trim_end());
        out.push('\n');
    }
    out
}

/// A Panzer8 game with a shot fired.
pub fn panzer8() -> Bench {
    panzer8_game().bench("Anna")
}

/// The same with Rifles suppressed: they may rally.
pub fn panzer8_suppressed() -> Bench {
    let suppressed = adjutant_game::UnitEdit {
        unit: "u1".into(),
        put_on: vec!["suppressed".into()],
        ..Default::default()
    };
    panzer8_game().act(EventKind::Set(Box::new(suppressed))).bench("Anna")
}

fn panzer8_game() -> Game {
    let fire = PlayRequest::of("fire")
        .unit("firer", "u1")
        .unit("target", "u3")
        .given("ammo", "hesa")
        .given("soft", "yes");
    Game::new("panzer8", "Hill 112", ["Allies", "Axis"], &[])
        .join("Anna", "Allies")
        .join("Bert", "Axis")
        .act(EventKind::Add(vec![
            unit("element", "Rifles", "Allies", "1st platoon", "type=inf hesa=5 def=5"),
            unit("element", "Churchill", "Allies", "", "type=mech hesa=6 ap=6 def=8 quality=1"),
            unit("element", "Grenadiers", "Axis", "the orchard", "type=inf hesa=5 def=5 quality=1"),
            unit(
                "element",
                "Pak 40",
                "Axis",
                "the orchard",
                "type=csw ap=8 hesa=4 def=4 quality=1",
            ),
        ]))
        .act(EventKind::Phase(adjutant_game::PhaseStep {
            to: "action".into(),
            ..Default::default()
        }))
        .play("Anna", fire, &[9, 4])
}

/// A solo game of Chain Reaction in which a player has been hit.
pub fn chain_reaction() -> Bench {
    Game::new("chain-reaction", "The farm", ["Patrol", "Enemy"], &[("shooting", "yes")])
        .join("Anna", "Patrol")
        .act(EventKind::Add(vec![
            unit(
                "figure",
                "Sgt. Lee",
                "Patrol",
                "first section",
                "rep=5 star=yes leader=yes impact=3",
            ),
            unit("figure", "Pvt. Cole", "Patrol", "first section", "rep=4 impact=2"),
            unit("figure", "Pvt. Diaz", "Patrol", "first section", "rep=3 impact=2"),
            unit("figure", "Figure 1", "Enemy", "the barn", "rep=4 impact=2"),
            unit("figure", "Figure 2", "Enemy", "the barn", "rep=3 impact=2"),
            unit("pef", "PEF 2", "Enemy", "", ""),
        ]))
        .play(
            "Anna",
            PlayRequest::of("in-sight")
                .unit("figure", "u2")
                .unit("figure", "u4")
                .unit("figure", "u5"),
            &[1, 2, 5, 6, 3, 4, 6, 6, 1, 5, 6],
        )
        .bench("Anna")
}

/// The names of the screens that lie over the table.
pub fn screens(state: &State) -> Vec<&'static str> {
    let name = |screen: &Screen| match screen {
        Screen::Charts(..) => "charts",
        Screen::Units(..) => "units",
        Screen::Form(_) => "form",
        Screen::Ask(_) => "ask",
        Screen::Result(_) => "result",
        Screen::Edit(_) => "edit",
        Screen::Confirm(..) => "confirm",
        Screen::Help(_) => "help",
    };
    state.screens.iter().map(name).collect()
}
