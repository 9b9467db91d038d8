//! The width of texts in a plot. The page has no fonts to measure with, so this knows the widths of
//! DejaVu Sans and Verdana, which plots name first, by groups of letters.

/// The estimated width of a text. It rather overestimates.
pub(super) fn wide(words: &str, size: f64) -> f64 {
    words.chars().map(em).sum::<f64>() * size
}

/// The same for bold letters.
pub(super) fn wide_bold(words: &str, size: f64) -> f64 {
    wide(words, size) * 1.13
}

pub(super) fn widest<'a>(list: impl IntoIterator<Item = &'a String>, size: f64) -> f64 {
    list.into_iter().map(|words| wide(words, size)).fold(0.0, f64::max)
}

/// The width of a letter at size 1.
fn em(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | 'I' | 'J' | '\'' | '|' => 0.3,
        ' ' | '.' | ',' | ':' | ';' | '!' | '/' | '·' => 0.35,
        'f' | 'r' | 't' | '-' | '(' | ')' | '[' | ']' | '"' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '+' | '=' | '<' | '>' | '−' => 0.96,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' | '–' => 0.6,
        letter if letter.is_ascii_uppercase() => 0.72,
        letter if letter.is_ascii() => 0.64,
        letter if letter.is_alphabetic() && (letter as u32) < 0x500 => 0.7,
        _ => 1.0,
    }
}

/// A text in lines that are no wider than this where a space allows it.
pub(super) fn lines(words: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        match lines.last_mut() {
            Some(line) if wide(line, size) + wide(" ", size) + wide(word, size) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_broken_at_spaces() {
        assert_eq!(lines("Element: Troop quality", 13.0, 100.0), ["Element:", "Troop quality"]);
        assert_eq!(lines("Lost", 13.0, 1.0), ["Lost"]);
        assert!(wide("Will", 10.0) < wide("mmmm", 10.0));
    }
}
