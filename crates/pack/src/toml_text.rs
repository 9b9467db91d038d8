//! Texts and keys as TOML writes them.

use toml_writer::{ToTomlKey, ToTomlValue, TomlKeyBuilder, TomlStringBuilder};

/// A text in double quotes, in one line. A text of a pack has no control characters: blanks stand
/// for them.
pub fn toml_text(text: &str) -> String {
    let line = text.replace(|c: char| c.is_control(), " ");
    TomlStringBuilder::new(&line).as_basic().to_toml_value()
}

/// A key, in double quotes if it needs any.
pub fn toml_key(name: &str) -> String {
    let key = TomlKeyBuilder::new(name);
    key.as_unquoted().unwrap_or_else(|| key.as_basic()).to_toml_key()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_keys_are_quoted() {
        assert_eq!(toml_text("He said \"C:\\\"\n"), r#""He said \"C:\\\" ""#);
        assert_eq!(toml_key("in-cover_2"), "in-cover_2");
        assert_eq!(toml_key("in cover"), "\"in cover\"");
        assert_eq!(toml_key(""), "\"\"");
    }
}
