//! Problems of files, TOML syntax and test cases.

use crate::bundle::BundleError;
use adjutant_dice::Text;

problems!(
    /// A file or folder that cannot be read.
    FileProblem {
        FolderUnreadable { error: String } = "folder-unreadable",
        NoPackToml = "no-pack-toml",
        TooManyFiles = "too-many-files",
        TooLarge { size: u64 } = "file-too-large",
        Missing { error: String } = "file-missing",
        Unreadable { error: String } = "file-unreadable",
        NotPlain = "file-not-plain",
        Utf16 = "file-utf-16",
        NotUtf8 { line: usize } = "file-not-utf-8",
        NotCsv { error: String } = "not-csv",
        Bundle(BundleError) = "bundle",
    }
);

problems!(
    /// A TOML syntax error. `detail` is the message of the parser.
    TomlProblem {
        Syntax { detail: String } = "toml-syntax",
        CurlyQuotes { detail: String } = "toml-curly-quotes",
        Slip { detail: String, slip: TomlSlip } = "toml-slip",
        TooDeep { detail: String } = "toml-too-deep",
        NameTwice { detail: String } = "toml-name-twice",
        Newer { what: NewToml } = "toml-1-1",
    }
);

/// What an author most likely had in mind where a file is not valid TOML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TomlSlip {
    /// A long dash for a minus.
    Minus,
    /// `0,5` for `0.5`.
    DecimalComma,
    /// A double quotation mark inside an expression.
    QuotesInExpression,
    /// `// …` for a comment.
    SlashComment,
    /// `key: value`.
    Colon,
    /// A letter with an accent in a name.
    Letter,
}

/// What TOML 1.1 allows and TOML 1.0 does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewToml {
    /// A line break in an inline table.
    LineBreak,
    /// A comma before the end of an inline table.
    LastComma,
    /// `\e` or `\x…` in a text.
    Escape,
}

problems!(
    /// A problem in `cases.toml`.
    CaseProblem {
        NotGivable { name: Text } = "case-input-type",
        NotWholeNumbers { key: Text } = "case-faces",
        ExpectsNothing { case: Text } = "case-expects-nothing",
        GridWidth { row: Text, cells: usize, across: usize } = "grid-width",
        GridRow { row: Text } = "grid-row-type",
    }
);
