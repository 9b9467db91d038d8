//! The back of a deck: a lattice of lines that any printer can draw, and the deck's name on a
//! plate. The frame has a wide margin, so that a cut or a second side that is off by a millimetre
//! does not show.

use super::text_fit::{LEADING, boxed, text};
use super::{CardStyle, background, suit};
use crate::draw::{Drawing, Ink, Mark, Size, Style};
use adjutant_pack::{Align, DeckSheet};

/// The margin of the frame.
const FRAME: f64 = 4.5;
/// The distance between lines of the lattice, along the frame.
const APART: f64 = 5.0;
const NAME: Style = Style { bold: true, serif: true, italic: false };
const BELOW: Style = Style { bold: false, serif: true, italic: false };

pub(super) fn back(deck: &DeckSheet, to: Size, style: CardStyle) -> Drawing {
    let (width, height) = (63.0, to.height * 63.0 / to.width.max(1.0));
    let words = if deck.back.is_empty() { deck.title.as_str() } else { deck.back.as_str() };
    // The background of a back that is cut out may run over the cut.
    let whole = Mark::Box {
        at: (0.0, 0.0),
        size: (width, height),
        round: 0.0,
        fill: Some(Ink::Tint),
        edge: None,
    };
    let mut marks = vec![background((width, height), style).unwrap_or(whole)];
    let frame = |inset: f64, wide: f64, fill: Option<Ink>, ink: Ink| Mark::Box {
        at: (inset, inset),
        size: (width - 2.0 * inset, height - 2.0 * inset),
        round: 1.6,
        fill,
        edge: Some((wide, ink)),
    };
    marks.push(frame(FRAME, 0.7, Some(Ink::Paper), Ink::Black));
    if !style.low_ink {
        lattice(
            &mut marks,
            (FRAME + 1.2, FRAME + 1.2),
            (width - FRAME - 1.2, height - FRAME - 1.2),
        );
    }
    marks.push(frame(FRAME + 1.2, 0.25, None, Ink::Black));
    plate(&mut marks, deck, words, (width, height));
    Drawing { size: Size { width, height }, says: words.to_owned(), marks }.scaled(to)
}

/// Diagonal lines in both directions, wide and fine in turn, clipped at the frame.
fn lattice(marks: &mut Vec<Mark>, (left, top): (f64, f64), (right, bottom): (f64, f64)) {
    let (w, h) = (right - left, bottom - top);
    // Symmetrical about the middle, so that all corners look alike.
    let half = ((w + h) / 2.0 / APART).ceil() as i32;
    for n in -half..=half {
        let off = f64::from(n) * APART;
        for (more, wide, ink) in [(0.0, 0.45, Ink::Grey), (APART / 2.0, 0.16, Ink::Grey)] {
            // The line where x − y, measured from the middle, is `d`.
            let d = off + more;
            let from = (-w / 2.0).max(d - h / 2.0);
            let to = (w / 2.0).min(d + h / 2.0);
            if to - from < 0.2 {
                continue;
            }
            let (x, y) = (left + w / 2.0, top + h / 2.0);
            marks.push(Mark::Line {
                from: (x + from, y + from - d),
                to: (x + to, y + to - d),
                wide,
                ink,
            });
            marks.push(Mark::Line {
                from: (x + from, y - (from - d)),
                to: (x + to, y - (to - d)),
                wide,
                ink,
            });
        }
    }
}

/// The name of the deck on a plate, with its suits below if it has any.
fn plate(marks: &mut Vec<Mark>, deck: &DeckSheet, words: &str, (width, height): (f64, f64)) {
    let (main, below) =
        words.split_once(" – ").or_else(|| words.split_once(": ")).unwrap_or((words, ""));
    let suits = suit::fields(deck).is_some();
    let inside = width - 2.0 * (FRAME + 9.5);
    let (size, lines) = boxed(main, 6.0, (inside, 16.0), NAME);
    let (small, lower) = boxed(below, 4.0, (inside, 11.0), BELOW);
    let name = lines.len() as f64 * size * LEADING;
    let second = if below.is_empty() { 0.0 } else { lower.len() as f64 * small * LEADING + 1.2 };
    let row = if suits { 7.0 } else { 0.0 };
    let high = name + second + row;
    let (pad, x) = (4.0, width / 2.0);
    let top = (height - high) / 2.0;
    for (more, wide, fill) in [(pad, 0.6, Some(Ink::Paper)), (pad - 1.2, 0.2, None)] {
        let at = (x - inside / 2.0 - more - 0.5, top - more);
        let size = (inside + 2.0 * more + 1.0, high + 2.0 * more);
        marks.push(Mark::Box { at, size, round: 1.6, fill, edge: Some((wide, Ink::Black)) });
    }
    for (n, line) in lines.iter().enumerate() {
        marks.push(text(
            (x, top + (n as f64 + 0.5) * size * LEADING + size * 0.36),
            size,
            Align::Middle,
            NAME,
            Ink::Black,
            line,
        ));
    }
    for (n, line) in lower.iter().enumerate() {
        let y = top + name + 1.2 + (n as f64 + 0.5) * small * LEADING + small * 0.36;
        marks.push(text((x, y), small, Align::Middle, BELOW, Ink::Black, line));
    }
    if suits {
        for (n, id) in ["spades", "hearts", "clubs", "diamonds"].into_iter().enumerate() {
            let Some((path, ink)) = suit::shape(id) else { continue };
            marks.push(Mark::Shape {
                path,
                at: (x - 11.0 + n as f64 * 6.0, top + name + second + 2.6),
                side: 4.0,
                ink,
            });
        }
    }
}
