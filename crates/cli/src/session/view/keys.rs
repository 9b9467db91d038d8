//! The keys: those that work now in the last row, all of them in the help.

use super::over;
use crate::session::entries::Kind;
use crate::session::look::pad;
use crate::session::state::{Focus, Screen, State};
use adjutant_dice::Wanted;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

type Keys = Vec<(&'static str, &'static str)>;

/// Draws the last row.
pub fn footer(state: &State, frame: &mut Frame<'_>, area: Rect) {
    let look = state.look;
    let mut spans = vec![Span::raw(" ")];
    let mut room = (area.width as usize).saturating_sub(1);
    for (key, word) in working(state) {
        let wide = key.width() + word.width() + 3;
        if wide > room {
            break;
        }
        room -= wide;
        spans.extend([
            Span::styled(key, look.accent()),
            Span::raw(" "),
            Span::styled(word, look.dim()),
            Span::raw("  "),
        ]);
    }
    frame.buffer_mut().set_line(area.x, area.y, &Line::from(spans), area.width);
}

/// The keys that work now, the most useful first.
fn working(state: &State) -> Keys {
    match state.screens.last() {
        None => home(state),
        Some(Screen::Charts(..)) => {
            vec![("↑↓", "choose"), ("Enter", "play"), ("Esc", "back"), ("a–z", "find")]
        }
        Some(Screen::Units(picker, _)) if picker.many => {
            vec![
                ("Space", "tick"),
                ("*", "tick all"),
                ("Enter", "take those ticked"),
                ("Esc", "back"),
                ("a–z", "find"),
            ]
        }
        Some(Screen::Units(..)) => {
            vec![("↑↓", "choose"), ("Enter", "take"), ("Esc", "back"), ("a–z", "find")]
        }
        Some(Screen::Form(form)) => {
            let role = form
                .entries
                .chosen()
                .filter(|entry| matches!(entry.kind, Kind::Role { .. }) && !entry.settled);
            let value = form.entries.chosen().is_some_and(|entry| {
                matches!(entry.kind, Kind::Number(_) | Kind::Text) && !entry.settled
            });
            let here: [(&str, &str); 3] = match role {
                Some(entry) if entry.value.is_empty() => {
                    [("Enter", "choose"), ("t", "roll"), ("o", "own dice")]
                }
                Some(_) => [("Enter", "roll"), ("o", "own dice"), ("Space", "another unit")],
                None if value => [("t", "roll"), ("o", "own dice"), ("Enter", "next field")],
                None => [("Enter", "roll"), ("o", "own dice"), ("Space ←→", "change")],
            };
            here.into_iter()
                .chain([("↑↓", "move"), ("⌫", "clear"), ("Esc", "back"), ("?", "keys")])
                .collect()
        }
        Some(Screen::Ask(ask)) => match ask.need.wanted {
            Wanted::Dice { .. } => vec![
                ("1–9", "face"),
                ("⌫", "correct"),
                ("Enter", "done"),
                ("t", "roll for me"),
                ("Esc", "back"),
            ],
            Wanted::Card { .. } => vec![
                ("0–9", "card"),
                ("⌫", "correct"),
                ("Enter", "done"),
                ("t", "draw for me"),
                ("Esc", "back"),
            ],
            _ => vec![("↑↓", "choose"), ("Enter", "answer"), ("Esc", "back")],
        },
        Some(Screen::Result(_)) => {
            let next = if state.table().state().pending.is_empty() { "close" } else { "next test" };
            vec![
                ("Enter", next),
                ("p", "play"),
                ("u", "undo"),
                ("↑↓", "scroll"),
                ("Esc", "back"),
                ("?", "keys"),
            ]
        }
        Some(Screen::Edit(_)) => vec![
            ("Enter", "save"),
            ("↑↓", "move"),
            ("Space", "tick"),
            ("←→", "turn"),
            ("Esc", "back"),
        ],
        Some(Screen::Confirm(..)) => vec![("Enter", "yes"), ("Esc", "no")],
        Some(Screen::Help(_)) => vec![("↑↓", "scroll"), ("Esc", "back")],
    }
}

fn home(state: &State) -> Keys {
    let table = state.table();
    let mut keys: Keys = Vec::new();
    if table.asked().is_some_and(|asked| asked.by != state.me) {
        keys.extend([("y", "allow"), ("x", "decline")]);
    }
    if !table.state().held.is_empty() {
        keys.push(("l", "apply the results"));
    }
    if let Some(call) = table.open_call() {
        keys.extend(call.owes().any(|name| name == state.me).then_some(("o", "show my link")));
        keys.push(("w", "take back the call"));
    }
    match state.focus {
        Focus::Roster if state.chosen_unit().is_some() => {
            keys.extend([("Enter", "play with it"), ("e", "change")])
        }
        Focus::Pending if state.chosen_due().is_some() => {
            keys.extend([("Enter", "roll it"), ("s", "skip")]);
            if state.table().state().pending.len() > 1 {
                keys.push(("T", "roll all"));
            }
        }
        Focus::Log => keys.extend([("↑↓", "scroll"), ("Enter", "last roll")]),
        _ => {}
    }
    keys.extend([
        ("p", "play"),
        ("n", "next phase"),
        ("u", "undo"),
        ("?", "keys"),
        ("q", "leave"),
        ("a", "add a unit"),
        ("Tab", "next pane"),
    ]);
    keys
}

/// All keys.
const HELP: &[(&str, &str)] = &[
    ("", "Look"),
    ("Tab", "roster, tests due, log"),
    ("↑ ↓  PgUp PgDn", "choose, scroll (also j k)"),
    ("v", "the last roll, with its arithmetic"),
    ("", "Play"),
    ("Enter", "on a unit: play with it; on a test: roll it"),
    ("p", "choose a chart (also c, /)"),
    ("t  T  s", "roll the next pending test; roll all; skip the chosen one"),
    ("n", "next phase"),
    ("l", "apply simultaneous attacks"),
    ("u  U", "undo, redo"),
    ("y  x", "allow or decline a request"),
    ("S  o  w", "seal my rolls; reveal my link; withdraw a called roll"),
    ("", "The game"),
    ("a  e  d", "add, change, take off a unit"),
    ("m", "options, and what the game remembers"),
    ("D  r", "cards by hand; a remark for the log"),
    ("J", "join as a side, umpire, spectator"),
    ("", "In a form"),
    ("t  o", "roll; with my own dice or cards"),
    ("Enter", "to the next value, or roll"),
    ("*", "in a list of units: tick all"),
    ("Space  ← →  0–9", "tick; turn a choice or number; type"),
    ("Backspace  Ctrl-U", "take back; clear"),
    ("Esc  q", "back; leave: everything done is kept"),
];

/// Draws all keys over the screen.
pub fn help(state: &State, frame: &mut Frame<'_>, area: Rect, down: usize) {
    let look = state.look;
    let row = |(key, word): &(&'static str, &'static str)| match key.is_empty() {
        true => Line::styled(*word, look.strong()),
        false => Line::from(vec![
            Span::styled(format!("  {}", pad(key, 18)), look.accent()),
            Span::raw(*word),
        ]),
    };
    let rows: Vec<Line<'_>> = HELP.iter().map(row).collect();
    over(look, frame, area, "Keys", &rows, down);
}
