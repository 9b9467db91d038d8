//! The glossary: short titles, short texts, and no two terms of one title. A term that no text of
//! the pack uses is a warning.

use crate::diagnostic::Diagnostic;
use crate::pack::Term;
use crate::problem::{Counted, Problem, TermProblem};
use crate::raw::{RawPack, RawTerm};
use crate::tree::{self, Diagnostics, Keys, Place};
use toml::de::{DeTable, DeValue};

/// The maximum number of terms in a pack.
pub const MOST_TERMS: usize = 100;
/// The maximum number of characters in the title of a term.
pub const LONGEST_TERM_TITLE: usize = 40;
/// The maximum number of characters in the text of a term.
pub const LONGEST_TERM_TEXT: usize = 400;

pub(super) fn check(terms: &[RawTerm], faults: &Diagnostics) {
    if let Some(term) = terms.get(MOST_TERMS) {
        let problem =
            Problem::TooMany { what: Counted::Terms, most: MOST_TERMS, found: terms.len() };
        faults.add(&term.id.at, problem);
        return;
    }
    for (place, term) in terms.iter().enumerate() {
        super::vocabulary::check_id(&term.id, faults);
        let (title, text) = (term.title.it.chars().count(), term.text.it.chars().count());
        if title > LONGEST_TERM_TITLE {
            let most = LONGEST_TERM_TITLE;
            faults.add(&term.title.at, TermProblem::LongTitle { found: title, most });
        }
        if text > LONGEST_TERM_TEXT {
            let most = LONGEST_TERM_TEXT;
            faults.add(&term.text.at, TermProblem::LongText { found: text, most });
        }
        // Capitals tell terms apart: some games have a DR and a dr.
        if terms[..place].iter().any(|other| other.title.it.trim() == term.title.it.trim()) {
            let title = term.title.clip();
            faults.add(&term.title.at, TermProblem::TwoOfOneTitle { title });
        }
    }
}

pub(super) fn build(raw: &RawPack) -> Vec<Term> {
    let term = |term: &RawTerm| Term {
        id: term.id.it.as_str().into(),
        title: term.title.it.as_str().into(),
        text: term.text.it.as_str().into(),
    };
    raw.terms.iter().map(term).collect()
}

/// The terms that no other text of a `pack.toml` uses.
pub(super) fn unused(text: &str) -> Vec<Diagnostic> {
    let faults = Diagnostics::default();
    let document = tree::parse("pack.toml", text, &faults);
    let mut texts = Vec::new();
    gather(document.get_ref(), &mut texts);
    let start = Place::start_of("pack.toml");
    let top = Keys::new(document.get_ref(), start, crate::problem::Part::Case, &faults);
    let terms = crate::raw::read_terms(&top);
    let found = Diagnostics::default();
    for (place, term) in terms.iter().enumerate() {
        let others = terms.iter().enumerate().filter(|(other, _)| *other != place);
        let in_terms = others.map(|(_, other)| other.text.it.as_str());
        if !texts.iter().copied().chain(in_terms).any(|text| speaks_of(text, &term.title.it)) {
            found.add(&term.title.at, TermProblem::Unused { title: term.title.clip() });
        }
    }
    found.into_sorted()
}

/// All texts of a table and of what is in it, without the glossary.
fn gather<'t>(table: &'t DeTable<'t>, texts: &mut Vec<&'t str>) {
    for (_, value) in table.iter().filter(|(key, _)| key.get_ref().as_ref() != "term") {
        gather_value(value.get_ref(), texts);
    }
}

fn gather_value<'t>(value: &'t DeValue<'t>, texts: &mut Vec<&'t str>) {
    match value {
        DeValue::String(text) => texts.push(text),
        DeValue::Array(list) => list.iter().for_each(|item| gather_value(item.get_ref(), texts)),
        DeValue::Table(table) => gather(table, texts),
        _ => {}
    }
}

/// Whether a text uses a term as a whole word. Capitals do not matter.
fn speaks_of(text: &str, title: &str) -> bool {
    let (text, title) = (text.to_lowercase(), title.trim().to_lowercase());
    let outside = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(&title).any(|(at, found)| {
        outside(text[..at].chars().next_back()) && outside(text[at + found.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::speaks_of;

    #[test]
    fn a_term_is_a_whole_word() {
        assert!(speaks_of("Rep 4, or more", "Rep") && speaks_of("of his rep.", "Rep"));
        assert!(speaks_of("an HE/SA value", "HE/SA"));
        assert!(!speaks_of("Report it", "Rep") && !speaks_of("", "Rep"));
    }
}
