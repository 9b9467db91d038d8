//! Small text helpers.

use adjutant_dice::Text;

/// The maximum number of characters that [`clip`] keeps.
pub const CLIPPED: usize = 60;

/// Makes a text from a file, an argument or a request safe to quote: no control characters, at most
/// [`CLIPPED`] characters.
///
/// ```
/// assert_eq!(adjutant_pack::clip("a\u{1b}[31mred"), "a[31mred");
/// ```
pub fn clip(text: &str) -> Text {
    clip_to(text, CLIPPED)
}

/// Like [`clip`], with another limit.
pub fn clip_to(text: &str, most: usize) -> Text {
    text.chars().filter(|c| !c.is_control()).take(most).collect()
}

/// A word with its indefinite article, chosen by sound: `a Figure`, `an Element`, `a Unit`.
pub fn with_article(word: &str) -> String {
    let small = word.to_lowercase();
    let as_you = ["uni", "use", "eu", "one"].iter().any(|start| small.starts_with(start));
    let vowel = small.starts_with(['a', 'e', 'i', 'o', 'u']) && !as_you;
    format!("{} {word}", if vowel { "an" } else { "a" })
}

/// Capitalizes the first letter, in any script that has capitals: `élite` becomes `Élite`.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
