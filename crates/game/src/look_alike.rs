//! Names that a reader takes for the same: they differ in case, blanks, invisible joiners, or in
//! letters of other scripts that look alike (Unicode Technical Standard 39). The page compares case
//! and blanks only; the server that it plays on compares everything.

/// Whether two names look alike. A name looks like itself.
pub fn look_alike(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (upper_a, lower_a) = skeletons(a);
    let (upper_b, lower_b) = skeletons(b);
    upper_a == upper_b || lower_a == lower_b
}

/// The shape of a name as written (a large i is an l) and in lower case (a large I is an i), both
/// without case.
fn skeletons(name: &str) -> (String, String) {
    let seen = |letter: &char| !letter.is_whitespace() && !is_invisible(*letter);
    let plain: String = name.chars().filter(seen).collect();
    (shape(&plain), shape(&plain.to_lowercase()))
}

#[cfg(not(target_arch = "wasm32"))]
fn shape(text: &str) -> String {
    unicode_security::confusable_detection::skeleton(text).collect::<String>().to_lowercase()
}

#[cfg(target_arch = "wasm32")]
fn shape(text: &str) -> String {
    text.to_lowercase()
}

/// Joiners and variation selectors, which the rules for names allow.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}' | '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::look_alike;

    #[test]
    fn names_that_differ_in_case_blanks_or_confusable_letters_look_alike() {
        for (a, b) in [
            ("Anna", "anna"),
            ("Anna", "ANNA"),
            ("Anna", "\u{410}nna"),
            ("Boris", "B\u{43e}ris"),
            ("boris", "B\u{41e}RIS"),
            ("Ivan", "lvan"),
            ("Ivan", "ivan"),
            ("Team 1", "Team l"),
            ("Bob", "B0b"),
            ("Anna", "An\u{200d}na"),
            ("Anna B", "Anna  B"),
            ("Anna", "An na"),
            ("Anna", "An\u{a0}na"),
            ("Side 1", "Side1"),
            ("Zoë", "Zoe\u{308}"),
            ("Anna", "Ａｎｎａ"),
        ] {
            assert!(look_alike(a, b) && look_alike(b, a), "{a} {b}");
        }
    }

    #[test]
    fn other_names_do_not() {
        for (a, b) in
            [("Anna", "Ana"), ("Boris", "Doris"), ("P1", "P2"), ("Zoë", "Zoe"), ("Юра", "Yura")]
        {
            assert!(!look_alike(a, b), "{a} {b}");
        }
    }
}
