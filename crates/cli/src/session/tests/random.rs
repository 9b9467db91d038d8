//! Keys at random: no key sequence ends the program, and what stands in the store always opens
//! again to what is on the screen.

use super::{Bench, chain_reaction, panzer8, screens, seen};
use crate::session::update::{Message, update};
use adjutant_dice::{DiceRequest, InputSource, RandomInput};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

const KEYS: &[KeyCode] = &[
    KeyCode::Enter,
    KeyCode::Enter,
    KeyCode::Enter,
    KeyCode::Esc,
    KeyCode::Up,
    KeyCode::Down,
    KeyCode::Down,
    KeyCode::Left,
    KeyCode::Right,
    KeyCode::Tab,
    KeyCode::BackTab,
    KeyCode::Backspace,
    KeyCode::Delete,
    KeyCode::PageDown,
    KeyCode::Home,
    KeyCode::End,
    KeyCode::F(1),
];

/// What players do again and again; in the midst of something else these are keys like any other.
const WAYS: &[&str] = &[
    "<esc><esc><esc>",
    "<enter>r<enter><enter><enter>1t",
    "p<enter><enter><enter><enter>1t",
    "p<enter><enter> <down> <enter>o<enter>",
    "123456<enter>",
    "n<enter>",
    "u<enter>",
    "U",
    "aCpl. Test<enter>",
    "e <down> <enter>",
    "rnoted<enter>",
    "sforgotten<enter>",
    "m <down><right><enter>",
];

struct Dice(RandomInput);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        let ask = DiceRequest::new("", "", 1, n as u32);
        self.0.dice(&ask).unwrap()[0] as usize - 1
    }

    fn key(&mut self) -> KeyCode {
        let letters: Vec<char> = "ptnlsuUyxaedmrDJv?o 0123456789/-é戦".chars().collect();
        match self.below(2) {
            0 => KEYS[self.below(KEYS.len())],
            _ => KeyCode::Char(letters[self.below(letters.len())]),
        }
    }
}

/// Presses so many keys; how many lines that came to.
fn storm(mut bench: Bench, seed: u64, count: usize) -> usize {
    let before = bench.state.table().lines().len();
    let mut dice = Dice(RandomInput::seeded(seed));
    let sizes = [(80, 24), (30, 9), (100, 30), (140, 40), (61, 13), (1, 1)];
    for n in 0..count {
        match dice.below(40) {
            0 => update(&mut bench.state, Message::Paste("a\nb\u{1b}[2J".into())),
            1 => update(&mut bench.state, Message::Changed),
            2..14 => super::press(&mut bench.state, WAYS[dice.below(WAYS.len())]),
            _ => update(
                &mut bench.state,
                Message::Key(KeyEvent::new(dice.key(), KeyModifiers::NONE)),
            ),
        }
        bench.state.over = false;
        if n % 7 == 0 {
            let (width, height) = sizes[dice.below(sizes.len())];
            seen(&bench.state, width, height);
        }
    }
    let stored = bench.stored();
    assert!(
        stored.table.lines().eq(bench.state.table().lines()),
        "what is on the screen is what is kept"
    );
    adjutant_game::verify(
        std::sync::Arc::new(stored.table.pack().clone()),
        stored.table.lines(),
        None,
    )
    .unwrap();
    for _ in 0..8 {
        super::press(&mut bench.state, "<esc>");
        if screens(&bench.state) == ["form", "confirm"] {
            super::press(&mut bench.state, "y");
        }
    }
    assert!(screens(&bench.state).is_empty(), "Esc always leads back: {:?}", screens(&bench.state));
    bench.state.table().lines().len() - before
}

#[test]
fn no_keys_break_a_panzer8_session() {
    let lines: usize = (0..6).map(|seed| storm(panzer8(), seed, 400)).sum();
    assert!(lines > 100, "only {lines} lines came of it: the keys are too tame");
}

#[test]
fn no_keys_break_a_chain_reaction_session() {
    let lines: usize = (100..106).map(|seed| storm(chain_reaction(), seed, 400)).sum();
    assert!(lines > 100, "only {lines} lines came of it: the keys are too tame");
}
