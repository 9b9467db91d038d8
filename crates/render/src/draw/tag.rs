//! What a text is, for screen readers and bookmarks. Tags stand among the marks of a drawing, in
//! reading order; a PDF gets its structure from them.

/// What the texts up to the next tag are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tag {
    /// The title of the whole document.
    Title,
    /// The heading of a section, with its words: it is also a bookmark.
    Section(String),
    /// A heading within a section.
    Heading,
    Paragraph,
    /// An item of a list; items one after the other are one list.
    Item,
    /// A table starts here. Its rows and cells follow.
    Table,
    Row,
    /// A cell that names its column.
    ColumnHead,
    /// A cell that names its row.
    RowHead,
    Cell,
    /// What is repeated on every page or in every column, and is not read aloud: page numbers,
    /// repeated heads.
    Repeated,
    /// The end of what is repeated: what was before it goes on.
    Resumed,
}
