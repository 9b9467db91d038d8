//! Terms of the glossary within a text: explained on hover, and on tap, which focuses them.

use adjutant_pack::{Pack, Term};
use adjutant_wording::en::page::parts as words;
use maud::{Markup, html};

/// A text in which the first use of each term is explained.
pub fn explained(pack: &Pack, text: &str) -> Markup {
    let mut uses: Vec<(usize, &Term)> =
        pack.terms().iter().filter_map(|term| Some((place_of(text, &term.title)?, term))).collect();
    // Of two terms at one place, the longer one is meant: “HE/SA”, not “HE”.
    adjutant_dice::sort_by_key(&mut uses, |(at, term)| (*at, std::cmp::Reverse(term.title.len())));
    let mut pieces: Vec<(&str, Option<&Term>)> = Vec::new();
    let mut done = 0;
    for (at, term) in uses.into_iter() {
        if at >= done {
            let end = at + term.title.len();
            pieces.extend([(&text[done..at], None), (&text[at..end], Some(term))]);
            done = end;
        }
    }
    pieces.push((&text[done..], None));
    html! {
        @for (piece, term) in pieces {
            @match term {
                Some(term) => dfn.term tabindex="0" data-term=(term.text) aria-description=(term.text) { (piece) },
                None => (piece),
            }
        }
    }
}

/// The terms that some texts use, behind one tap: for labels, where a tap does something else.
pub fn glossary<'t>(pack: &Pack, texts: impl IntoIterator<Item = &'t str>) -> Markup {
    let texts: Vec<&str> = texts.into_iter().collect();
    let used = |term: &&Term| texts.iter().any(|text| place_of(text, &term.title).is_some());
    let terms: Vec<&Term> = pack.terms().iter().filter(used).collect();
    html! {
        @if !terms.is_empty() {
            details.terms {
                summary { (words::TERMS) }
                dl { @for term in terms { div { dt { (term.title) } dd { (term.text) } } } }
            }
        }
    }
}

/// The place of the first use of a term as a whole word. Capitals matter: a game may have a DR and
/// a dr.
fn place_of(text: &str, title: &str) -> Option<usize> {
    let outside = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(title).map(|(at, _)| at).find(|at| {
        outside(text[..*at].chars().next_back()) && outside(text[at + title.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::explained;
    use adjutant_pack::{Files, read_pack};

    #[test]
    fn the_first_use_of_a_term_is_explained_as_a_whole_word() {
        let text = r#"
[pack]
id = "terms"
title = "Terms"
[term]
he = { title = "HE", text = "High <explosive>" }
both = { title = "HE/SA", text = "Both" }
[chart.c]
title = "HE or HE/SA"
read = { value = 1 }
"#;
        let pack = read_pack(&Files::of([("pack.toml", text)]), None).expect("a good pack");
        let shown = |text: &str| explained(&pack, text).into_string();
        assert_eq!(shown("HERE, the <b>"), "HERE, the &lt;b&gt;");
        assert_eq!(
            shown("an HE, an HE"),
            "an <dfn class=\"term\" tabindex=\"0\" data-term=\"High &lt;explosive&gt;\" aria-description=\"High &lt;explosive&gt;\">HE</dfn>, an HE"
        );
        assert!(shown("HE/SA value").contains("data-term=\"Both\""));
        assert!(!shown("HE/SA value").contains("High"));
    }
}
