//! What is written while a chart is made: its questions, its steps, its guesses.

use super::results::Results;
use super::toml::{clip, quoted};
use crate::ids::{Ids, Style, slug};
use crate::model::{Guess, GuessKind};
use std::fmt::Write;
use std::ops::Range;

/// The most words of a choice, by the limits of a pack.
pub(crate) const MOST_WORDS: usize = 100;

/// The question for the column: what the sheet says about it, if that is short.
pub(crate) fn across(printed: &str) -> &str {
    let fits = !printed.is_empty() && printed.chars().count() <= 60;
    if fits { printed } else { "Column" }
}

/// The parts of a chart while they are written.
pub(crate) struct Pen<'w> {
    pub results: &'w mut Results,
    pub guesses: &'w mut Vec<Guess>,
    pub chart: String,
    pub ids: Ids,
    pub ask: String,
    pub steps: String,
    pub shift: String,
    /// A chart that this one looks up.
    pub before: String,
}

impl Pen<'_> {
    pub fn guess(&mut self, kind: GuessKind, line: u32, at: Range<usize>, printed: &str) {
        self.guesses.push(Guess {
            kind,
            line,
            at,
            printed: printed.to_owned(),
            chart: Some(self.chart.clone()),
        });
    }

    pub fn question(
        &mut self,
        label: &str,
        prefix: Option<&str>,
        field: impl FnOnce(&str) -> String,
    ) -> String {
        let label = clip(label, 150);
        let id =
            self.ids.take(slug(&label, Style::Underscore, "question"), prefix, Style::Underscore);
        let field = field(&quoted(&label));
        let _ = writeln!(self.ask, "{id} = {{ {field} }}");
        id
    }

    pub fn choice(&mut self, label: &str, words: &[String]) -> (String, Vec<String>) {
        let mut ids = Ids::default();
        let ids: Vec<String> = words
            .iter()
            .map(|word| ids.take(slug(word, Style::Hyphen, "nothing"), None, Style::Hyphen))
            .collect();
        let pairs: Vec<String> = ids
            .iter()
            .zip(words)
            .map(|(id, word)| {
                format!("{id} = {}", quoted(&clip(if word.is_empty() { "–" } else { word }, 100)))
            })
            .collect();
        let question = self.question(label, None, |label| {
            format!("choice = {{ {} }}, label = {label}", pairs.join(", "))
        });
        (question, ids)
    }
}
