//! The results of all charts: the same text is the same result.

use super::toml::{clip, quoted};
use crate::ids::{Ids, Style, slug};
use crate::model::Definition;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Words of a result that are shown; longer ones become its meaning.
const LONGEST_TITLE: usize = 60;

pub(crate) struct Results {
    ids: Ids,
    /// By text, in small letters.
    known: BTreeMap<String, String>,
    order: Vec<(String, String, String)>,
    meanings: BTreeMap<String, String>,
    explained: BTreeSet<String>,
}

impl Results {
    pub fn new(terms: &[Definition]) -> Results {
        let meanings =
            terms.iter().map(|term| (term.term.text.to_lowercase(), term.text.clone())).collect();
        Results {
            ids: Ids::with(&["none"]),
            known: BTreeMap::new(),
            order: Vec::new(),
            meanings,
            explained: BTreeSet::new(),
        }
    }

    /// The id of the result with this text.
    pub fn id(&mut self, text: &str) -> String {
        let text = super::toml::clean(text);
        let text = if text.is_empty() { "–".to_owned() } else { text };
        let key = text.trim_end_matches('.').to_lowercase();
        if let Some(id) = self.known.get(&key) {
            return id.clone();
        }
        let id = self.ids.take(slug(&text, Style::Hyphen, "nothing"), None, Style::Hyphen);
        let mut title = text.clone();
        let mut means = String::new();
        if text.chars().count() > LONGEST_TITLE {
            let first = text
                .split_inclusive(['.', ':', '!', ';'])
                .next()
                .unwrap_or("")
                .trim_end_matches(['.', ':', ';'])
                .trim();
            title = if (3..=LONGEST_TITLE).contains(&first.chars().count()) {
                first.to_owned()
            } else {
                clip(&text, LONGEST_TITLE)
            };
            means = clip(&text, 1500);
        } else if let Some(meaning) = self.meanings.get(&key) {
            means = clip(meaning, 1500);
            self.explained.insert(key.clone());
        }
        self.order.push((id.clone(), title, means));
        self.known.insert(key, id.clone());
        id
    }

    /// Tells if a term is the meaning of a result.
    pub fn explains(&self, term: &str) -> bool {
        self.explained.contains(&term.to_lowercase())
    }

    pub fn write(&self) -> String {
        let mut text = String::new();
        for (id, title, means) in &self.order {
            let _ = write!(text, "\n[result.{id}]\ntitle = {}\n", quoted(title));
            if !means.is_empty() {
                let _ = writeln!(text, "means = {}", quoted(means));
            }
        }
        text
    }
}
