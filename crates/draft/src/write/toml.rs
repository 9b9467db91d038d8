//! Texts as TOML writes them.

use adjutant_pack::{toml_key, toml_text};

/// A text without control and reordering characters, with single blanks.
pub(crate) fn clean(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .filter(|c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{61c}' | '\u{180e}' | '\u{e0000}'..='\u{e007f}'))
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    toml_text(&clean(text))
}

/// The start of a text, with a sign if it was cut.
pub(crate) fn clip(text: &str, most: usize) -> String {
    let clean = clean(text);
    if clean.chars().count() <= most {
        return clean;
    }
    let cut: String = clean.chars().take(most.saturating_sub(1)).collect();
    let cut = cut.rsplit_once(' ').map_or(cut.clone(), |(start, _)| start.to_owned());
    format!("{}…", cut.trim_end_matches([',', ';', ':', ' ']))
}

/// A list of texts, one on a line.
pub(crate) fn list(texts: &[String]) -> String {
    if texts.is_empty() {
        return "[]".into();
    }
    let lines: Vec<String> = texts.iter().map(|text| format!("  {},\n", quoted(text))).collect();
    format!("[\n{}]", lines.concat())
}

/// A name that may need quotes as a key.
pub(crate) fn key(name: &str) -> String {
    toml_key(&clean(name))
}
