//! Fitting text on a card: its width, its line breaks, and the largest size that fits. Text that
//! does not fit is made smaller, never cut off.

use crate::draw::{Anchor, Ink, Mark, Style, text_width};
use adjutant_pack::Align;

/// Line height, relative to the size of the letters.
pub(super) const LEADING: f64 = 1.28;

/// The estimated width of a text. Letters with serifs are wider.
pub(super) fn width(words: &str, size: f64, style: Style) -> f64 {
    text_width(words, size, style.bold) * if style.serif { 1.2 } else { 1.0 }
}

/// The size at which a text fits on one line.
pub(super) fn fitting(words: &str, size: f64, room: f64, style: Style) -> f64 {
    (room.max(0.1) / width(words, 1.0, style).max(0.1)).min(size)
}

/// Wraps a text. A word longer than a line is broken, because some languages write no spaces.
pub(super) fn wrapped(words: &str, size: f64, room: f64, style: Style) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in words.lines() {
        let mut fresh = true;
        for word in paragraph.split_whitespace() {
            match lines.last_mut() {
                Some(line) if !fresh && width(&format!("{line} {word}"), size, style) <= room => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => broken(word, size, room, style, &mut lines),
            }
            fresh = false;
        }
    }
    lines
}

fn broken(word: &str, size: f64, room: f64, style: Style, lines: &mut Vec<String>) {
    if width(word, size, style) <= room {
        return lines.push(word.to_owned());
    }
    lines.push(String::new());
    for letter in word.chars() {
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() && width(&format!("{line}{letter}"), size, style) > room {
                lines.push(letter.to_string());
            } else {
                line.push(letter);
            }
        }
    }
}

/// Whether no word has to be broken.
pub(super) fn unbroken(words: &str, size: f64, room: f64, style: Style) -> bool {
    words.split_whitespace().all(|word| width(word, size, style) <= room)
}

/// The largest size, and the lines, at which a text fits into a box. A smaller size is preferred to
/// a broken word.
pub(super) fn boxed(words: &str, size: f64, room: (f64, f64), style: Style) -> (f64, Vec<String>) {
    let mut letters = size;
    loop {
        let lines = wrapped(words, letters, room.0, style);
        let high =
            lines.len().saturating_sub(1) as f64 * letters * LEADING + letters <= room.1 + 1e-6;
        let whole = unbroken(words, letters, room.0, style) || letters < size * 0.45;
        if (high && whole) || letters < size * 0.2 {
            return (letters, lines);
        }
        letters *= 0.96;
    }
}

/// A text on its baseline.
pub(super) fn text(
    at: (f64, f64),
    size: f64,
    align: Align,
    style: Style,
    ink: Ink,
    words: &str,
) -> Mark {
    let anchor = match align {
        Align::Left => Anchor::Start,
        Align::Middle => Anchor::Middle,
        Align::Right => Anchor::End,
    };
    Mark::Text { at, size, anchor, style, ink, words: words.to_owned() }
}

/// With a true minus sign.
pub(super) fn minus(number: &str) -> String {
    number.replace('-', "−")
}
