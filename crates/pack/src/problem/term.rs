//! Problems of the glossary.

use adjutant_dice::Text;

problems!(
    /// An invalid term.
    TermProblem {
        TwoOfOneTitle { title: Text } = "two-terms-of-one-title",
        LongTitle { found: usize, most: usize } = "long-term-title",
        LongText { found: usize, most: usize } = "long-term-text",
        Unused { title: Text } = "unused-term",
    }
);
