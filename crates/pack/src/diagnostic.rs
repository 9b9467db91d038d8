//! An error in a pack: what is wrong and where. A check collects all of them. The crate `wording`
//! turns them into English.

use crate::problem::Problem;
use std::fmt;
use std::ops::Range;

/// One error in a file of a pack.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// What is wrong.
    pub problem: Problem,
    /// The name of the file within the pack.
    pub file: String,
    /// The bytes of the file that are in error; `0..0` if the error is about the whole file.
    pub span: Range<usize>,
}

impl Diagnostic {
    /// An error about a whole file.
    pub(crate) fn of_file(file: impl Into<String>, problem: impl Into<Problem>) -> Diagnostic {
        Diagnostic { problem: problem.into(), file: file.into(), span: 0..0 }
    }

    /// The line and column of the error in the text of the file, both counted from 1, in
    /// characters.
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
