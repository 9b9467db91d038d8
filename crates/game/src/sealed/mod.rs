//! Sealed rolls (commit–reveal): rolls that no player can foresee, choose or repeat, for
//! players who trust neither each other nor the server. Each player publishes the end of a hash
//! chain of secrets. Together these players are a sealed group, and from then on the game accepts
//! no other randomness. A call binds the whole request; each member reveals the next link of the
//! chain, and the faces are derived from all links. `docs/sealed-rolls.md` specifies every byte and
//! the threat model.
//!
//! No step can be undone: the sealed group is kept beside the state, like the seats. No member is
//! trusted, so in a sealed group the fold itself runs each chart again.

mod chain;
mod chains;
mod consent;
mod fold;
mod marks;
mod record;
mod roll;
mod time;

pub(crate) use roll::OnlyAnswers;

pub use chain::{Chain, ChainError, HexError, HexText, LONGEST_CHAIN, RevealedLink};
pub use chains::{Chains, Cut, NoLink};
pub use record::MemberRecord;
pub(crate) use record::Records;

use crate::event::{EventKind, Forfeit, SealedCall};
use crate::log_line::{LogLine, Stamp, fingerprint};
use crate::rejection::{Rejection, SealedRejection, unknown};
use crate::table::Table;
use adjutant_pack::Noun;
pub(crate) use chain::Hash;

/// A member of the sealed group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedMember {
    /// The player's name.
    pub name: String,
    /// The event that started the member's chain.
    pub seal: u64,
    /// How many rolls the chain serves.
    pub length: u32,
    /// How many calls have used up a link of the chain, revealed or not.
    pub used: u32,
    pub(crate) anchor: Hash,
    /// The latest known link, and how many links lie between it and the anchor.
    known: Hash,
    depth: u32,
    /// The marks that no link has opened yet.
    pub(crate) marks: Vec<marks::PendingMark>,
    /// The last line that an opened mark covers, also one of an earlier chain.
    opened: u64,
}

impl SealedMember {
    /// The published end of the chain, in hex.
    pub fn anchor(&self) -> String {
        chain::hex(&self.anchor)
    }

    /// How many rolls the chain still serves.
    pub fn left(&self) -> u32 {
        self.length.saturating_sub(self.used)
    }
}

/// A called roll that is still open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenCall {
    /// The event of the call.
    pub n: u64,
    /// The player who called.
    pub by: String,
    /// The request, with the inputs so far.
    pub record: SealedCall,
    /// The time of the call, as its writer claims.
    pub(crate) at: String,
    /// The side that the caller played at that time.
    pub(crate) side: Option<usize>,
    /// The links, in the order of the sealed group.
    pub(crate) links: Vec<(String, Option<Hash>)>,
}

impl OpenCall {
    /// The members who have not revealed their links yet.
    pub fn owes(&self) -> impl Iterator<Item = &str> {
        self.links.iter().filter(|(_, link)| link.is_none()).map(|(name, _)| name.as_str())
    }

    /// Whether all links are revealed. The faces are then fixed.
    pub fn is_settled(&self) -> bool {
        self.owes().next().is_none()
    }
}

/// The players who roll sealed, and the open call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SealedGroup {
    /// The members, in the order of their seals.
    pub members: Vec<SealedMember>,
    /// The umpires at the time the group was formed. One who is also a member may consent for all.
    pub umpires: Vec<String>,
    /// What the members agreed on for a call that waits for a silent player.
    pub forfeit: Option<Forfeit>,
    /// The call that waits for links or for its play.
    pub call: Option<OpenCall>,
}

impl SealedGroup {
    /// Whether the group has at least two members. A single member could foresee every roll.
    pub fn stands(&self) -> bool {
        self.members.len() > 1
    }

    /// The member with this name.
    pub fn member(&self, name: &str) -> Option<&SealedMember> {
        self.members.iter().find(|member| member.name == name)
    }
}

impl Table {
    /// The members of the sealed group, in the order of their seals.
    pub fn sealed_circle(&self) -> &[SealedMember] {
        &self.circle.members
    }

    /// The sealed group with the open call.
    pub fn sealed_group(&self) -> &SealedGroup {
        &self.circle
    }

    /// Whether rolls must be sealed: the group has two or more members.
    pub fn rolls_sealed(&self) -> bool {
        self.circle.stands()
    }

    /// The call that waits for links or for its play.
    pub fn open_call(&self) -> Option<&OpenCall> {
        self.circle.call.as_ref()
    }

    /// The hash of a line, by its number.
    pub fn fingerprint_of(&self, n: u64) -> Option<String> {
        let line = self.lines.get(usize::try_from(n.checked_sub(1)?).ok()?)?;
        Some(fingerprint(line))
    }

    /// The line that joins the sealed group. With `before` (the chain used so far) it starts a new
    /// chain.
    pub fn seal(
        &self,
        stamp: &Stamp,
        chain: &Chain,
        before: Option<&mut Chain>,
    ) -> Result<LogLine, Rejection> {
        self.act(stamp, EventKind::Seal(chain.seal(self, &stamp.by, before)?))
    }

    /// The line that reveals the link that the open call waits for.
    pub fn reveal(&self, stamp: &Stamp, shown: &RevealedLink) -> Result<LogLine, Rejection> {
        self.act(stamp, EventKind::Reveal { link: shown.link.clone(), mark: shown.mark.clone() })
    }

    /// The line that withdraws the open call.
    pub fn withdraw(&self, stamp: &Stamp) -> Result<LogLine, Rejection> {
        self.act(stamp, self.withdraw_event()?)
    }

    /// The event that withdraws the open call, without a mark.
    pub fn withdraw_event(&self) -> Result<EventKind, Rejection> {
        let call = self.open_call().ok_or(SealedRejection::NothingToWithdraw)?;
        Ok(EventKind::Withdraw { call: call.n, mark: None })
    }

    /// The line that lets a member leave the sealed group.
    pub fn release(&self, stamp: &Stamp, who: &str) -> Result<LogLine, Rejection> {
        self.act(stamp, EventKind::Release { who: who.to_owned(), mark: None })
    }

    /// The line that asks the others to let a member leave the sealed group.
    pub fn ask_release(&self, stamp: &Stamp, who: &str) -> Result<LogLine, Rejection> {
        self.act(stamp, self.ask_release_event(who)?)
    }

    /// The event that asks the others to let a member leave the sealed group, without a mark.
    pub fn ask_release_event(&self, who: &str) -> Result<EventKind, Rejection> {
        let member = self.circle.member(who).ok_or_else(|| self.not_in_circle(who))?;
        let want = crate::event::ConsentFor::Release;
        Ok(EventKind::Ask { want, event: member.seal, mark: None })
    }

    pub(crate) fn not_in_circle(&self, who: &str) -> Rejection {
        unknown(
            Noun::SealedMember,
            who,
            self.circle.members.iter().map(|member| member.name.as_str()),
        )
    }
}
