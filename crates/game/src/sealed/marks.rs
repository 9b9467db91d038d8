//! Marks. A member of the sealed group marks each link, and each event that only this member may
//! make (undo, redo, ask, consent, withdraw, release). The key of a mark is the first link of the
//! member's chain that no call has asked for yet, so no other player can make the mark. The next
//! link opens it: it shows that the member had the same log, and made this event.

use crate::event::EventKind;
use crate::rejection::{Rejection, SealedRejection};
use crate::sealed::SealedMember;
use crate::sealed::chain::{self, Hash, HexText};
use crate::table::Table;

/// A mark that no link has opened yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PendingMark {
    /// The event that carries the mark.
    pub event: u64,
    /// The depth of the link that is its key.
    pub depth: u32,
    pub mark: Hash,
    /// The hash of the line before the event.
    pub prev: Hash,
    /// What the event says; empty for a link.
    pub text: String,
}

impl PendingMark {
    /// Whether a link made this mark.
    pub fn is_by(&self, key: &Hash) -> bool {
        chain::mark(key, &self.prev, &self.text) == self.mark
    }
}

impl SealedMember {
    /// The depth of the link that is the key of the member's next mark. A call may have brought the
    /// links before it out of the member's device, even if the log has none of them.
    pub(crate) fn key_depth(&self) -> u32 {
        self.used + 1
    }

    /// The events, other than links, whose marks no link has opened yet.
    pub fn waiting(&self) -> impl Iterator<Item = u64> {
        self.marks.iter().filter(|mark| !mark.text.is_empty()).map(|mark| mark.event)
    }

    /// Accepts the link at a depth, if it hashes to the latest known link and opens the marks that
    /// were made with it or with a link before it.
    pub(super) fn show(&mut self, depth: u32, link: &str) -> Result<(), Rejection> {
        let link = chain::unhex(HexText::Link, link)?;
        let (mut key, mut wrong) = (link, None);
        for at in (self.depth + 1..=depth).rev() {
            let made = self.marks.iter().filter(|mark| mark.depth == at);
            wrong = made.filter(|mark| !mark.is_by(&key)).map(|mark| mark.event).min().or(wrong);
            key = chain::follows(&key);
        }
        if depth <= self.depth || key != self.known {
            return Err(SealedRejection::NotNextLink { name: self.name.as_str().into() }.into());
        }
        if let Some(event) = wrong {
            let name = self.name.as_str().into();
            return Err(SealedRejection::OtherLog { name, event }.into());
        }
        let opened = self.marks.iter().filter(|mark| mark.depth <= depth);
        // A mark covers the lines before its event.
        self.opened = opened.map(|mark| mark.event - 1).max().unwrap_or(0).max(self.opened);
        self.marks.retain(|mark| mark.depth > depth);
        (self.known, self.depth) = (link, depth);
        Ok(())
    }
}

impl Table {
    /// Checks that an event that only its player may make has a mark if the player is in the sealed
    /// group, and none otherwise.
    pub(crate) fn admit_mark(&self, by: &str, what: &EventKind) -> Result<(), Rejection> {
        let Some((_, mark)) = what.marked() else { return Ok(()) };
        match (self.circle.member(by), mark) {
            (Some(_), Some(mark)) => Ok(chain::unhex(HexText::Mark, mark).map(drop)?),
            (None, None) => Ok(()),
            (Some(_), None) => Err(SealedRejection::MarkMissing { name: by.into() }.into()),
            (None, Some(_)) => Err(SealedRejection::MarkWithoutChain { name: by.into() }.into()),
        }
    }

    /// The mark of an event, to be kept until a link opens it. `self` is the game before the event.
    pub(crate) fn pending_mark(
        &self,
        by: &str,
        what: &EventKind,
    ) -> Result<Option<PendingMark>, Rejection> {
        let (Some((text, Some(mark))), Some(member)) = (what.marked(), self.circle.member(by))
        else {
            return Ok(None);
        };
        Ok(Some(PendingMark {
            event: self.next_number(),
            depth: member.key_depth(),
            mark: chain::unhex(HexText::Mark, mark)?,
            prev: chain::unhex(HexText::LastFingerprint, &self.head)?,
            text,
        }))
    }
}
