//! The structure of a PDF: what a screen reader reads, in its order, and the bookmarks. Both come
//! from the tags among the marks of the pages.

use crate::draw::Tag;
use krilla::destination::XyzDestination;
use krilla::geom::Point;
use krilla::outline::{Outline, OutlineNode};
use krilla::tagging::{
    Identifier, ListNumbering, Node, TableHeaderScope, Tag as PdfTag, TagGroup, TagKind, TagTree,
};
use std::num::NonZeroU16;

const FIRST: NonZeroU16 = NonZeroU16::MIN;
const SECOND: NonZeroU16 = FIRST.saturating_add(1);
const THIRD: NonZeroU16 = FIRST.saturating_add(2);

/// Collects texts by their tags while pages are drawn.
#[derive(Default)]
pub(super) struct Structure {
    tree: Vec<Node>,
    bookmarks: Vec<OutlineNode>,
    /// The groups that are open, outermost first.
    open: Vec<TagGroup>,
    /// Whether texts are left out until the next tag.
    repeated: bool,
    /// The words of a bookmark whose place is not known yet.
    bookmark: Option<String>,
}

/// How deep a group is: a deeper one goes inside.
fn depth(kind: &TagKind) -> u8 {
    match kind {
        TagKind::Section(_) => 0,
        TagKind::Table(_) | TagKind::L(_) => 1,
        TagKind::TR(_) | TagKind::LI(_) => 2,
        TagKind::TH(_) | TagKind::TD(_) | TagKind::LBody(_) => 3,
        _ => 1,
    }
}

impl Structure {
    /// Whether texts here are decoration, such as a page number.
    pub fn is_repeated(&self) -> bool {
        self.repeated
    }

    pub fn tag(&mut self, tag: &Tag) {
        self.repeated = *tag == Tag::Repeated;
        match tag {
            Tag::Repeated | Tag::Resumed => {}
            Tag::Title => self.start(PdfTag::Hn(FIRST, None).into()),
            Tag::Section(words) => {
                self.start(PdfTag::Section.into());
                self.start(PdfTag::Hn(SECOND, Some(words.clone())).into());
                self.bookmark = Some(words.clone());
            }
            Tag::Heading => self.start(PdfTag::Hn(THIRD, None).into()),
            Tag::Paragraph => self.start(PdfTag::P.into()),
            Tag::Item => {
                self.close_to(2);
                if !matches!(self.open.last().map(|group| &group.tag), Some(TagKind::L(_))) {
                    self.start(PdfTag::L(ListNumbering::None).into());
                }
                self.start(PdfTag::LI.into());
                self.start(PdfTag::LBody.into());
            }
            Tag::Table => self.start(PdfTag::Table.into()),
            Tag::Row => self.start(PdfTag::TR.into()),
            Tag::ColumnHead => self.start(PdfTag::TH(TableHeaderScope::Column).into()),
            Tag::RowHead => self.start(PdfTag::TH(TableHeaderScope::Row).into()),
            Tag::Cell => self.start(PdfTag::TD.into()),
        }
    }

    /// A new part that belongs to no section before it: a page, a card.
    pub fn part(&mut self) {
        self.close_to(0);
        self.repeated = false;
    }

    /// A text of the last tag, on this page with its upper left corner here.
    pub fn text(&mut self, id: Identifier, page: usize, at: Point) {
        if self.open.is_empty() {
            self.start(PdfTag::P.into());
        }
        if let Some(words) = self.bookmark.take() {
            self.bookmarks.push(OutlineNode::new(words, XyzDestination::new(page, at)));
        }
        if let Some(group) = self.open.last_mut() {
            group.push(id);
        }
    }

    /// A bookmark to the top of a page.
    pub fn page_bookmark(&mut self, words: &str, page: usize) {
        let top = XyzDestination::new(page, Point::from_xy(0.0, 0.0));
        self.bookmarks.push(OutlineNode::new(words.to_owned(), top));
    }

    pub fn finish(mut self) -> (TagTree, Outline) {
        self.close_to(0);
        let (mut tree, mut outline) = (TagTree::new(), Outline::new());
        self.tree.into_iter().for_each(|node| tree.push(node));
        self.bookmarks.into_iter().for_each(|node| outline.push_child(node));
        (tree, outline)
    }

    fn start(&mut self, kind: TagKind) {
        self.close_to(depth(&kind));
        self.open.push(TagGroup::new(kind));
    }

    /// Closes the groups of this depth and deeper ones.
    fn close_to(&mut self, least: u8) {
        while self.open.last().is_some_and(|group| depth(&group.tag) >= least) {
            let Some(group) = self.open.pop() else { return };
            match self.open.last_mut() {
                Some(outer) => outer.push(group),
                None => self.tree.push(group.into()),
            }
        }
    }
}
