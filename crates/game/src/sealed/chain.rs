//! The hash chain of one player's secrets, and the four hashes of sealed rolls.
//! `docs/sealed-rolls.md` specifies every byte. The chain stays on the player's device; the log
//! only gets its links, one by one. The chain remembers the call for which it revealed its last
//! link and reveals that link for no other call: a log that was rolled back or copied must not get
//! the same secret twice.

use crate::event::{EventKind, Seal};
use crate::sealed::SealedMember;
use crate::sealed::marks::PendingMark;
use crate::table::Table;
use adjutant_dice::Text;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// A SHA-256 hash.
pub(crate) type Hash = [u8; 32];

/// The maximum number of rolls that one chain may serve.
pub const LONGEST_CHAIN: u32 = 10_000;

const LINK: &[u8] = b"adjutant sealed link 1";
const MARK: &[u8] = b"adjutant sealed mark 1";
const SEED: &[u8] = b"adjutant sealed seed 1";

/// The prefix of the anchor of a replacement chain. The seal of the new chain reveals a link of
/// this one too.
const FOR: &str = "for ";

/// The hash of a link: the link that was known before it.
pub(crate) fn follows(link: &Hash) -> Hash {
    Sha256::new().chain_update(LINK).chain_update(link).finalize().into()
}

/// The same, applied `steps` times.
pub(crate) fn follows_by(link: &Hash, steps: u32) -> Hash {
    (0..steps).fold(*link, |link, _| follows(&link))
}

/// A player's mark on all lines up to the one with hash `head`, and on what the marked event says,
/// made with a link that is not revealed yet.
pub(crate) fn mark(link: &Hash, head: &Hash, text: &str) -> Hash {
    let hash = Sha256::new().chain_update(MARK).chain_update(link).chain_update(head);
    hash.chain_update(text).finalize().into()
}

/// The seed of a roll.
pub(crate) fn seed(begin: &Hash, call: &Hash, links: &[Hash]) -> Hash {
    let start = Sha256::new().chain_update(SEED).chain_update(begin).chain_update(call);
    let hash = start.chain_update((links.len() as u32).to_be_bytes());
    links.iter().fold(hash, |hash, link| hash.chain_update(link)).finalize().into()
}

/// Encodes as lower-case hex.
pub(crate) fn hex(hash: &Hash) -> String {
    let digits = hash.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|half| char::from(b"0123456789abcdef"[usize::from(half)])).collect()
}

/// What a hex text stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum HexText {
    ChainSecret,
    Anchor,
    Link,
    Mark,
    Fingerprint,
    /// The hash of the last line of the log.
    LastFingerprint,
}

/// A text that is not 64 lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what:?}: 64 digits of lower-case hex expected, {length} characters found")]
pub struct HexError {
    /// What the text stands for.
    pub what: HexText,
    /// The length of the text in characters.
    pub length: usize,
}

/// Why a chain cannot be made, or reveals no link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the names and the messages say it")]
pub enum ChainError {
    #[error("chain length {length} is not 1 to {LONGEST_CHAIN}")]
    Length { length: u32 },
    #[error("{who} is not in the sealed group")]
    NotAMember { who: Text },
    #[error("not the chain that {who} sealed with event {seal}")]
    OtherChain { who: Text, seal: u64 },
    #[error("no call is open")]
    NoCall,
    #[error("{who} has shown a link for this call")]
    LinkShown { who: Text },
    #[error("no link is left")]
    UsedUp,
    #[error("the link was shown for another call")]
    ShownElsewhere,
    #[error("the chain of {who} is not on this device")]
    NotHere { who: Text },
    #[error(transparent)]
    Hex(#[from] HexError),
}

/// Decodes lower-case hex.
pub(crate) fn unhex(what: HexText, text: &str) -> Result<Hash, HexError> {
    let mut hash = [0; 32];
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let halves: Option<Vec<u8>> = text.bytes().map(digit).collect();
    match halves.filter(|halves| halves.len() == 64) {
        Some(halves) => {
            hash.iter_mut()
                .zip(halves.chunks_exact(2))
                .for_each(|(byte, pair)| *byte = pair[0] << 4 | pair[1]);
            Ok(hash)
        }
        None => Err(HexError { what, length: text.chars().count() }),
    }
}

/// The secrets of one player in one game. A program that reads them can foresee this player's part
/// of every roll: keep the chain on the player's own device, and save it after each revealed link.
///
/// ```
/// let chain = adjutant_game::Chain::new([7; 32], 500).unwrap();
/// assert_eq!(chain.anchor().len(), 64);
/// assert!(!format!("{chain:?}").contains("0707"), "secrets are not printed by accident");
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "ChainFields", into = "ChainFields")]
pub struct Chain {
    secret: Hash,
    length: u32,
    /// The depth of the last revealed link, and the hash of what it was revealed for.
    shown: Option<(u32, String)>,
}

/// A chain as a device stores it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainFields {
    secret: String,
    length: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shown: Option<(u32, String)>,
}

impl TryFrom<ChainFields> for Chain {
    type Error = ChainError;

    fn try_from(kept: ChainFields) -> Result<Chain, ChainError> {
        let chain = Chain::new(unhex(HexText::ChainSecret, &kept.secret)?, kept.length)?;
        Ok(Chain { shown: kept.shown, ..chain })
    }
}

impl From<Chain> for ChainFields {
    fn from(chain: Chain) -> ChainFields {
        ChainFields { secret: hex(&chain.secret), length: chain.length, shown: chain.shown }
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain")
            .field("length", &self.length)
            .field("shown", &self.shown)
            .finish_non_exhaustive()
    }
}

/// A link with its mark, as the log records them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevealedLink {
    /// The link, in hex.
    pub link: String,
    /// The mark, in hex.
    pub mark: String,
}

impl Chain {
    /// A chain for `length` rolls. The caller's device draws the secret bytes at random for this
    /// chain alone.
    pub fn new(secret: [u8; 32], length: u32) -> Result<Chain, ChainError> {
        match length {
            1..=LONGEST_CHAIN => Ok(Chain { secret, length, shown: None }),
            _ => Err(ChainError::Length { length }),
        }
    }

    /// How many rolls the chain serves.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// The link at a depth: the anchor at 0, the link of the first roll at 1, the secret itself at
    /// `length + 1`.
    fn link(&self, depth: u32) -> Option<Hash> {
        Some(follows_by(&self.secret, (self.length + 1).checked_sub(depth)?))
    }

    /// The end of the chain, in hex. The player publishes it first.
    pub fn anchor(&self) -> String {
        hex(&follows_by(&self.secret, self.length + 1))
    }

    /// The event that makes the owner a member of the sealed group. A player who is a member
    /// already passes the chain that this one replaces: its next link proves that it belongs to the
    /// same player. What the group agreed on for silent players is filled in; the first member of a
    /// group may set it.
    pub fn seal(
        &self,
        table: &Table,
        who: &str,
        before: Option<&mut Chain>,
    ) -> Result<Seal, ChainError> {
        let last = match before {
            None => None,
            Some(before) => {
                let depth = before.member(table, who)?.used + 1;
                let link = before.give(depth, &format!("{FOR}{}", self.anchor()))?;
                Some(hex(&link))
            }
        };
        let forfeit = table.sealed_group().forfeit;
        Ok(Seal { anchor: self.anchor(), length: self.length, last, forfeit })
    }

    /// The link that this player owes to the open call, with the mark on all lines so far. A link
    /// that was revealed for one call is never given for another. Save the chain before the link
    /// leaves the device.
    pub fn show(&mut self, table: &Table, who: &str) -> Result<RevealedLink, ChainError> {
        let member = self.member(table, who)?;
        let Some(call) = table.open_call() else { return Err(ChainError::NoCall) };
        if !call.owes().any(|name| name == who) {
            return Err(ChainError::LinkShown { who: who.into() });
        }
        let (depth, print) = (member.used, table.fingerprint_of(call.n).unwrap_or_default());
        let link = self.give(depth, &print)?;
        let key = self.link(depth + 1).ok_or(ChainError::UsedUp)?;
        let head = unhex(HexText::LastFingerprint, table.head())?;
        Ok(RevealedLink { link: hex(&link), mark: hex(&mark(&key, &head, "")) })
    }

    /// An event of this player with its mark, if it is one that only its player may make.
    pub fn sign(&self, table: &Table, who: &str, what: EventKind) -> Result<EventKind, ChainError> {
        let Some((text, _)) = what.marked() else { return Ok(what) };
        let depth = self.member(table, who)?.key_depth();
        let key = self.link(depth).ok_or(ChainError::UsedUp)?;
        let head = unhex(HexText::LastFingerprint, table.head())?;
        Ok(what.with_mark(Some(hex(&mark(&key, &head, &text)))))
    }

    /// The first event in this player's name whose mark this chain did not make.
    pub(super) fn not_signed(&self, member: &SealedMember) -> Option<u64> {
        let made = |mark: &PendingMark| self.link(mark.depth).is_some_and(|key| mark.is_by(&key));
        member.marks.iter().find(|mark| !made(mark)).map(|mark| mark.event)
    }

    /// The last revealed link, with its depth.
    pub(super) fn last_shown(&self) -> Option<(u32, Hash)> {
        let (depth, _) = self.shown.as_ref()?;
        Some((*depth, self.link(*depth)?))
    }

    /// What the last link was revealed for: the hash of a call, or `for ` and the anchor of a new
    /// chain.
    pub(super) fn shown_for(&self) -> Option<&str> {
        self.shown.as_ref().map(|(_, print)| print.as_str())
    }

    /// The anchor of the chain that replaces this one.
    pub(super) fn promised(&self) -> Option<&str> {
        self.shown_for()?.strip_prefix(FOR)
    }

    /// Forgets which link was revealed last.
    pub(super) fn forget(&mut self) {
        self.shown = None;
    }

    fn member<'a>(&self, table: &'a Table, who: &str) -> Result<&'a SealedMember, ChainError> {
        let member = table.sealed_circle().iter().find(|member| member.name == who);
        let member = member.ok_or_else(|| ChainError::NotAMember { who: who.into() })?;
        match member.anchor() == self.anchor() {
            true => Ok(member),
            false => Err(ChainError::OtherChain { who: who.into(), seal: member.seal }),
        }
    }

    fn give(&mut self, depth: u32, print: &str) -> Result<Hash, ChainError> {
        if let Some((last, known)) = &self.shown
            && (*last > depth || (*last == depth && known != print))
        {
            return Err(ChainError::ShownElsewhere);
        }
        let link = self.link(depth).ok_or(ChainError::UsedUp)?;
        self.shown = Some((depth, print.to_owned()));
        Ok(link)
    }
}
