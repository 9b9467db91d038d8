//! Checks the section `[pack]`: its format, license, web page and language.

use crate::pack::FORMAT;
use crate::problem::HeadProblem;
use crate::raw::RawPack;
use crate::tree::Diagnostics;

pub(super) fn check(raw: &RawPack, faults: &Diagnostics) {
    if let Some(format) = &raw.format
        && format.it.as_whole() != Some(i64::from(FORMAT))
    {
        faults.add(&format.at, HeadProblem::Format { found: format.it });
    }
    if let Some(license) = raw.license.as_ref().filter(|license| !is_license(&license.it)) {
        faults.add(&license.at, HeadProblem::License { found: license.clip() });
    }
    if let Some(url) = raw.url.as_ref().filter(|url| !is_url(&url.it)) {
        faults.add(&url.at, HeadProblem::Url { found: url.clip() });
    }
    if let Some(language) = raw.language.as_ref().filter(|language| !is_language(&language.it)) {
        faults.add(&language.at, HeadProblem::Language { found: language.clip() });
    }
}

/// Whether a text has the form of an SPDX license expression: ids, joined by `AND`, `OR` and
/// `WITH`, in brackets or not. The list of ids grows, so the ids are not looked up.
fn is_license(text: &str) -> bool {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let (mut depth, mut wants_id) = (0_usize, true);
    for word in spaced.split_whitespace() {
        match word {
            "(" if wants_id => depth += 1,
            ")" if !wants_id && depth > 0 => depth -= 1,
            "AND" | "OR" | "WITH" if !wants_id => wants_id = true,
            "AND" | "OR" | "WITH" | "(" | ")" => return false,
            id if wants_id && is_license_id(id) => wants_id = false,
            _ => return false,
        }
    }
    depth == 0 && !wants_id
}

fn is_license_id(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_alphanumeric())
        && id.chars().all(|c| c.is_ascii_alphanumeric() || "-.+:".contains(c))
}

/// Whether a text is a web address with a host.
fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_alphanumeric() || c == '[')
            && !rest.contains(|c: char| c.is_whitespace() || "<>\"'`\\".contains(c))
    })
}

/// Whether a text has the form of a BCP 47 language tag, such as `en` or `pt-BR`.
fn is_language(text: &str) -> bool {
    let mut parts = text.split('-');
    let first = parts.next().unwrap_or_default();
    (2..=8).contains(&first.len())
        && first.chars().all(|c| c.is_ascii_alphabetic())
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric())
        })
}

#[cfg(test)]
mod tests {
    use super::{is_language, is_license, is_url};

    #[test]
    fn licenses_have_the_form_of_spdx() {
        for fine in [
            "MIT",
            "CC-BY-SA-4.0",
            "GPL-2.0+",
            "MIT OR Apache-2.0",
            "(MIT OR Apache-2.0) AND CC0-1.0",
            "GPL-2.0-only WITH Classpath-exception-2.0",
            "LicenseRef-my-own",
        ] {
            assert!(is_license(fine), "{fine}");
        }
        for wrong in ["", "MIT License", "MIT or Apache", "MIT OR", "OR MIT", "(MIT", "MIT)", "©"]
        {
            assert!(!is_license(wrong), "{wrong}");
        }
    }

    #[test]
    fn languages_have_the_form_of_bcp_47() {
        for fine in ["en", "de", "pt-BR", "zh-Hans-TW", "gsw"] {
            assert!(is_language(fine), "{fine}");
        }
        for wrong in ["", "e", "English language", "en_GB", "en-", "de-ß", "123"] {
            assert!(!is_language(wrong), "{wrong}");
        }
    }

    #[test]
    fn web_pages_are_addresses() {
        for fine in ["https://example.org/game", "http://[::1]:8000/", "https://ü.example/"] {
            assert!(is_url(fine), "{fine}");
        }
        for wrong in
            ["", "example.org", "javascript:alert(1)", "https://", "https://a b", "https://a\"b"]
        {
            assert!(!is_url(wrong), "{wrong}");
        }
    }
}
