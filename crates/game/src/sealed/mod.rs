//! Sealed rolls (commit–reveal): rolls that no player can foresee, choose, repeat or drop, for
//! players who trust neither each other nor the server. Each player publishes the end of a hash
//! chain of secrets; together they are a sealed group, and from then on the table accepts no other
//! randomness. A call binds the whole request; each member reveals the next link of the chain, and
//! the faces are derived from all links. `docs/sealed-rolls.md` specifies every byte and the threat
//! model.
//!
//! Nothing of this is undone: it is beside the state, like seats. No member is trusted, so in a
//! sealed group the fold itself runs each chart again.

mod chain;
mod chains;
mod consent;
mod fold;
mod throw;

pub(crate) use throw::OnlyAnswers;

pub use chain::{Chain, ChainError, HexError, HexText, LONGEST_CHAIN, RevealedLink};
pub use chains::{Chains, Cut, NoLink};

use crate::event::{EventKind, SealedCall};
use crate::log_line::{LogLine, Stamp, fingerprint};
use crate::rejection::{Noun, Rejection, SealedRejection, unknown};
use crate::table::Table;
pub(crate) use chain::Hash;

/// Somebody in the circle of those who throw sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedMember {
    /// Who.
    pub name: String,
    /// The event with which his chain began.
    pub seal: u64,
    /// How many throws his chain serves.
    pub length: u32,
    /// How many calls have used up a link of it, shown or not.
    pub used: u32,
    pub(crate) anchor: Hash,
    /// The link known last, and how many links lie between it and the anchor.
    known: Hash,
    depth: u32,
    /// His last mark, and the fingerprint of the line that it reaches to.
    mark: Option<(Hash, Hash)>,
}

impl SealedMember {
    /// The end of his chain as he published it, in hex.
    pub fn anchor(&self) -> String {
        chain::hex(&self.anchor)
    }

    /// How many throws his chain still serves.
    pub fn left(&self) -> u32 {
        self.length.saturating_sub(self.used)
    }
}

/// A call that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenCall {
    /// Its event.
    pub n: u64,
    /// Who called.
    pub by: String,
    /// What.
    pub wish: SealedCall,
    /// The side that he played then.
    pub(crate) side: Option<usize>,
    /// The links, in the order of the circle.
    pub(crate) links: Vec<(String, Option<Hash>)>,
}

impl OpenCall {
    /// Who has not shown his link yet.
    pub fn owes(&self) -> impl Iterator<Item = &str> {
        self.links.iter().filter(|(_, link)| link.is_none()).map(|(name, _)| name.as_str())
    }

    /// Whether all links are there: the faces are settled.
    pub fn is_settled(&self) -> bool {
        self.owes().next().is_none()
    }
}

/// Those who throw sealed, and the open call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SealedGroup {
    /// The members, in the order of their seals.
    pub members: Vec<SealedMember>,
    /// Who sat as umpire when the circle was made: whoever comes later cannot consent for others.
    pub umpires: Vec<String>,
    /// The call that waits for links, or for its play.
    pub call: Option<OpenCall>,
}

impl SealedGroup {
    /// Whether there are two: one alone would foresee his own throws.
    pub fn stands(&self) -> bool {
        self.members.len() > 1
    }

    /// The member of this name.
    pub fn member(&self, name: &str) -> Option<&SealedMember> {
        self.members.iter().find(|member| member.name == name)
    }
}

impl Table {
    /// Those who throw sealed, in the order of their seals.
    pub fn sealed_circle(&self) -> &[SealedMember] {
        &self.circle.members
    }

    /// Those who throw sealed, with the open call.
    pub fn sealed_group(&self) -> &SealedGroup {
        &self.circle
    }

    /// Whether throws must be sealed: two or more have joined the circle.
    pub fn throws_sealed(&self) -> bool {
        self.circle.stands()
    }

    /// The call that waits for links, or for its play.
    pub fn open_call(&self) -> Option<&OpenCall> {
        self.circle.call.as_ref()
    }

    /// The fingerprint of a line, by its number.
    pub fn fingerprint_of(&self, n: u64) -> Option<String> {
        let line = self.lines.get(usize::try_from(n.checked_sub(1)?).ok()?)?;
        Some(fingerprint(line))
    }

    /// Joins the circle of those who throw sealed; with `before`, the chain used until now, begins a new one.
    pub fn seal(&self, stamp: &Stamp, chain: &Chain, before: Option<&mut Chain>) -> Result<LogLine, Rejection> {
        self.act(stamp, EventKind::Seal(chain.seal(self, &stamp.by, before)?))
    }

    /// Shows the link that is owed to the open call.
    pub fn reveal(&self, stamp: &Stamp, shown: &RevealedLink) -> Result<LogLine, Rejection> {
        self.act(stamp, EventKind::Reveal { link: shown.link.clone(), mark: shown.mark.clone() })
    }

    /// Takes the open call back.
    pub fn withdraw(&self, stamp: &Stamp) -> Result<LogLine, Rejection> {
        let call = self.open_call().ok_or(SealedRejection::NothingToWithdraw)?;
        self.act(stamp, EventKind::Withdraw { call: call.n })
    }

    /// Lets somebody out of the circle.
    pub fn release(&self, stamp: &Stamp, who: &str) -> Result<LogLine, Rejection> {
        self.act(stamp, EventKind::Release { who: who.to_owned() })
    }

    /// Asks the others to let somebody out of the circle.
    pub fn ask_release(&self, stamp: &Stamp, who: &str) -> Result<LogLine, Rejection> {
        let member = self.circle.member(who).ok_or_else(|| self.not_in_circle(who))?;
        self.act(stamp, EventKind::Ask { want: crate::event::ConsentFor::Release, event: member.seal })
    }

    pub(crate) fn not_in_circle(&self, who: &str) -> Rejection {
        unknown(Noun::SealedMember, who, self.circle.members.iter().map(|member| member.name.as_str()))
    }
}
