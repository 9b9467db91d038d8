//! Faults of a pack: what is wrong, where, and what to do about it. A check gathers all of them; the
//! command, the page and the tests render them.

use std::fmt;
use std::ops::Range;

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file's name within the pack.
    pub file: String,
    /// The faulty bytes of that file; empty and zero when the fault is the file itself.
    pub place: Range<usize>,
    /// What is wrong, as a sentence part that names the thing.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl Diagnostic {
    /// A fault of a whole file.
    pub fn of_file(file: impl Into<String>, message: impl Into<String>, remedy: impl Into<String>) -> Diagnostic {
        Diagnostic { file: file.into(), place: 0..0, message: message.into(), remedy: Some(remedy.into()) }
    }

    /// Line and column of the fault in the file's text, both from 1, counted in characters.
    pub fn line_and_column(&self, text: &str) -> (usize, usize) {
        let mut end = self.place.start.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.message)?;
        if let Some(remedy) = &self.remedy {
            write!(f, " ({remedy})")?;
        }
        Ok(())
    }
}

/// How many names are compared at most.
const MOST_COMPARED: usize = 1000;

/// A word with the article that goes before its sound: `a Figure`, `an Element`, `a Unit`.
pub fn with_article(word: &str) -> String {
    let small = word.to_lowercase();
    let as_you = ["uni", "use", "eu", "one"].iter().any(|start| small.starts_with(start));
    let vowel = small.starts_with(['a', 'e', 'i', 'o', 'u']) && !as_you;
    format!("{} {word}", if vowel { "an" } else { "a" })
}

/// A text with a capital letter first, in any script that has them: `élite` is `Élite`.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The known name that a misspelt one most likely meant.
///
/// ```
/// assert_eq!(adjutant_pack::nearest("supressed", ["suppressed", "fall-back"]), Some("suppressed"));
/// assert_eq!(adjutant_pack::nearest("banana", ["suppressed", "fall-back"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(name, &mut known.into_iter())
}

/// The same; not made anew for every kind of list, of which there are dozens.
fn nearest_of<'a>(name: &str, known: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let name: String = name.chars().take(64).collect::<String>().to_lowercase();
    let bearable = match name.chars().count() {
        0 | 1 => 0,
        letters => (letters / 3).max(1),
    };
    let bare = name.replace(['-', '_'], "");
    let close = |other: &str| {
        let other = other.to_lowercase();
        if other.replace(['-', '_'], "") == bare { 0 } else { distance(&name, &other) }
    };
    known
        .take(MOST_COMPARED)
        .filter(|other| other.len() <= 4 * (name.len() + bearable))
        .map(|other| (close(other), other))
        .filter(|(far, _)| *far <= bearable)
        .min_by_key(|(far, _)| *far)
        .map(|(_, other)| other)
}

/// How many letters must be put in, taken out, changed or swapped with a neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().take(80).collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
