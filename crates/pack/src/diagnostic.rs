//! A fault of a pack: what is wrong and where. A check collects all of them. The crate `wording` says them in English.

use crate::problem::Problem;
use std::fmt;
use std::ops::Range;

/// One fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// What is wrong.
    pub problem: Problem,
    /// The file's name within the pack.
    pub file: String,
    /// The faulty bytes of that file; `0..0` when the fault is the file itself.
    pub span: Range<usize>,
}

impl Diagnostic {
    /// A fault of a whole file.
    pub(crate) fn of_file(file: impl Into<String>, problem: impl Into<Problem>) -> Diagnostic {
        Diagnostic { problem: problem.into(), file: file.into(), span: 0..0 }
    }

    /// Line and column of the fault in the file's text, both from 1, counted in characters.
    pub fn line_and_column(&self, text: &str) -> (usize, usize) {
        let mut end = self.span.start.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }
}

/// For developers: file, span, code and data.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:?}: {}", self.file, self.span, self.problem)
    }
}
