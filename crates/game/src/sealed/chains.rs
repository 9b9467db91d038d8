//! What a player's device stores for sealed rolls in one game: the chains, and which links were
//! revealed for which calls. If a log lacks one of these links, or a line that the device has seen,
//! it was cut or forked. The device reveals no link for such a log: the other players know the
//! outcome of the roll and could have it repeated.

use crate::event::{Event, EventKind, Seal};
use crate::sealed::SealedMember;
use crate::sealed::chain::{Chain, ChainError, RevealedLink, hex};
use crate::table::Table;
use serde::{Deserialize, Serialize};

/// How many chains are kept besides the one in use. A new chain counts only once it is in the log.
const RECENT: usize = 3;

/// The chains of one player in one game, with the memory of revealed links. Save it before anything
/// that it returns leaves the device.
///
/// ```
/// use adjutant_game::{Chain, Chains, Cut, EventKind, NoLink, PlayRequest, NewUnit, Seat, Stamp, Table};
/// # let pack = std::sync::Arc::new(adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap());
/// # let mut table = Table::empty(pack);
/// # let by = |who: &str| Stamp::new("2026-11-16T02:14:05Z", who);
/// # let sides = vec!["Allies".into(), "Axis".into()];
/// # table.apply(&table.begin(&by("Anna"), adjutant_game::Begin { name: "Hill 112".into(), sides, ..Default::default() }).unwrap().text).unwrap();
/// # for (who, side) in [("Anna", "Allies"), ("Bert", "Axis")] {
/// #     let role = Seat::Player { side: side.into() };
/// #     table.apply(&table.act(&by(who), EventKind::Join { who: who.into(), role }).unwrap().text).unwrap();
/// # }
/// # let unit = NewUnit { kind: "element".into(), name: "Rifles".into(), side: "Allies".into(), ..NewUnit::default() };
/// # table.apply(&table.act(&by("Anna"), EventKind::Add(vec![unit])).unwrap().text).unwrap();
/// # let mut devices = Vec::new();
/// # for (secret, who) in [([1; 32], "Anna"), ([2; 32], "Bert")] {
/// #     let mut device = Chains::default();
/// #     let seal = device.seal(&table, who, Chain::new(secret, 9).unwrap(), false).unwrap();
/// #     table.apply(&table.act(&by(who), EventKind::Seal(seal)).unwrap().text).unwrap();
/// #     devices.push(device);
/// # }
/// # let call = |table: &Table| table.call(&by("Anna"), &PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", "u1") }, &mut adjutant_dice::EnteredInput::new()).unwrap();
/// # table.apply(&call(&table).text).unwrap();
/// // Bert's device reveals a link for Anna's call. The line is removed from the log, and Anna withdraws the call.
/// let shown = devices[1].show(&table, "Bert").unwrap();
/// let withdraw = devices[0].sign(&table, "Anna", table.withdraw_event().unwrap()).unwrap();
/// table.apply(&table.act(&by("Anna"), withdraw).unwrap().text).unwrap();
/// // Anna calls again and gets no second link.
/// table.apply(&call(&table).text).unwrap();
/// assert!(devices[1].show(&table, "Bert").unwrap_err() == NoLink::Cut(Cut::Link { call: 7 }));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chains {
    chains: Vec<Chain>,
    /// The last line of the log when this device last took a step of a sealed roll: its number and
    /// its hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen: Option<(u64, String)>,
}

/// How a log differs from what the device remembers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cut {
    /// A line that the device has seen is missing or has changed.
    #[error("event {event}, seen before, is missing or differs")]
    Line {
        /// The line's number.
        event: u64,
    },
    /// The log has the call for which the device revealed a link, but not the link.
    #[error("the link shown for the call of event {call} is missing")]
    Link {
        /// The event of the call.
        call: u64,
    },
    /// The log has neither the call nor the link.
    #[error("a call and the link shown for it are missing")]
    Call,
    /// The log lacks the new chain that the device sealed.
    #[error("the new chain is missing")]
    Seal,
    /// The log has an event in this player's name that this device did not mark.
    #[error("event {event} in this player's name was not made by this device")]
    NotMine {
        /// The event's number.
        event: u64,
    },
    /// The log has links of this chain that the device does not remember: its memory is an older
    /// copy, or another device has the same chain.
    #[error("the log has links that this device does not remember")]
    Forgotten,
}

/// Why a device reveals no link and seals no chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLink {
    /// The log does not match what the device remembers.
    #[error(transparent)]
    Cut(#[from] Cut),
    /// No link is owed, or the chain is not on this device.
    #[error(transparent)]
    Chain(#[from] ChainError),
}

impl From<Vec<Chain>> for Chains {
    fn from(chains: Vec<Chain>) -> Chains {
        Chains { chains, seen: None }
    }
}

impl Chains {
    /// Whether the device has no chain.
    pub fn is_empty(&self) -> bool {
        self.chains.is_empty()
    }

    /// The chain that the player sealed with, if it is on this device.
    pub fn in_use(&self, table: &Table, who: &str) -> Option<&Chain> {
        self.chains.get(self.place(member(table, who)?)?)
    }

    fn place(&self, member: &SealedMember) -> Option<usize> {
        self.chains.iter().position(|chain| chain.anchor() == member.anchor())
    }

    /// Checks that the log has every line that this device has seen and every link that it
    /// revealed. A link that the call still waits for may be sent again.
    pub fn check(&self, table: &Table, who: &str) -> Result<(), Cut> {
        match &self.seen {
            Some((event, print)) if table.fingerprint_of(*event).as_ref() != Some(print) => {
                Err(Cut::Line { event: *event })
            }
            _ => {
                self.chains.iter().try_for_each(|chain| stands(chain, table, who))?;
                self.own(table, who)
            }
        }
    }

    /// Checks that this device made every link and mark that the log has of the chain in use.
    fn own(&self, table: &Table, who: &str) -> Result<(), Cut> {
        let Some((member, chain)) = member(table, who)
            .and_then(|member| Some((member, self.chains.get(self.place(member)?)?)))
        else {
            return Ok(());
        };
        let shown = chain.last_shown().map_or(0, |(depth, _)| depth);
        match chain.not_signed(member) {
            Some(event) => Err(Cut::NotMine { event }),
            None if member.depth > shown => Err(Cut::Forgotten),
            None => Ok(()),
        }
    }

    /// An event of this player with its mark: an undo, redo, request, consent, withdrawal or
    /// release. The mark is needed if the player is in the sealed group; other events and players
    /// get the event back as it is. A log that was cut gets no mark, except to withdraw its open
    /// call.
    pub fn sign(&self, table: &Table, who: &str, what: EventKind) -> Result<EventKind, NoLink> {
        let (Some(member), Some(_)) = (member(table, who), what.marked()) else { return Ok(what) };
        if table.open_call().is_none() {
            self.check(table, who)?;
        }
        let chain = self.place(member).and_then(|place| self.chains.get(place));
        Ok(chain.ok_or_else(|| not_here(who))?.sign(table, who, what)?)
    }

    /// The link that the open call waits for. Save the chains before it leaves the device.
    pub fn show(&mut self, table: &Table, who: &str) -> Result<RevealedLink, NoLink> {
        self.check(table, who)?;
        let place = member(table, who).and_then(|member| self.place(member));
        let chain =
            place.and_then(|place| self.chains.get_mut(place)).ok_or_else(|| not_here(who))?;
        let shown = chain.show(table, who)?;
        self.remember(table);
        Ok(shown)
    }

    /// The seal of a new chain: of `fresh`, or of an earlier one whose seal is not in the log yet.
    /// A new chain also helps if a call was withdrawn while the link was on its way. With `accept`
    /// the player accepts a log that was cut: the device forgets what it remembers, and the new
    /// chain continues from there. Save the chains before the seal leaves the device.
    pub fn seal(
        &mut self,
        table: &Table,
        who: &str,
        fresh: Chain,
        accept: bool,
    ) -> Result<Seal, NoLink> {
        if accept {
            self.seen = None;
            self.chains.iter_mut().for_each(Chain::forget);
        } else {
            match self.check(table, who) {
                Ok(()) | Err(Cut::Link { .. }) => {}
                Err(cut) => return Err(cut.into()),
            }
        }
        let used = match member(table, who) {
            Some(member) => Some(self.place(member).ok_or_else(|| not_here(who))?),
            None => None,
        };
        let promised = used.and_then(|used| self.chains[used].promised().map(str::to_owned));
        let waiting = promised
            .and_then(|anchor| self.chains.iter().find(|chain| chain.anchor() == anchor).cloned());
        let chain = waiting.clone().unwrap_or(fresh);
        let seal = chain.seal(table, who, used.and_then(|used| self.chains.get_mut(used)))?;
        if waiting.is_none() {
            let recent = self.chains.len().saturating_sub(RECENT);
            let mut places = 0..;
            self.chains.retain(|_| {
                places.next().is_some_and(|place| place >= recent || Some(place) == used)
            });
            self.chains.push(chain);
        }
        self.remember(table);
        Ok(seal)
    }

    /// Remembers the log as it is now, after a step of a sealed roll. Fails if the log was cut.
    pub fn saw(&mut self, table: &Table, who: &str) -> Result<(), Cut> {
        self.check(table, who)?;
        self.remember(table);
        Ok(())
    }

    fn remember(&mut self, table: &Table) {
        self.seen = Some((table.lines().len() as u64, table.head().to_owned()));
    }
}

fn member<'t>(table: &'t Table, who: &str) -> Option<&'t SealedMember> {
    table.sealed_circle().iter().find(|member| member.name == who)
}

fn not_here(who: &str) -> ChainError {
    ChainError::NotHere { who: who.into() }
}

/// Checks that the log has the last link that a chain revealed, in the right place, or still waits
/// for it.
fn stands(chain: &Chain, table: &Table, who: &str) -> Result<(), Cut> {
    let Some((depth, link)) = chain.last_shown() else { return Ok(()) };
    let link = hex(&link);
    if let Some(anchor) = chain.promised() {
        let owed = member(table, who)
            .is_some_and(|member| member.anchor() == chain.anchor() && member.used + 1 == depth);
        let sealed = |what: &EventKind| matches!(what, EventKind::Seal(seal) if seal.anchor == anchor && seal.last.as_ref() == Some(&link));
        return if owed || has(table, who, 0, anchor, sealed) { Ok(()) } else { Err(Cut::Seal) };
    }
    let Some(call) = chain.shown_for().and_then(|print| number_of(table, print)) else {
        return Err(Cut::Call);
    };
    let owed =
        table.open_call().is_some_and(|open| open.n == call && open.owes().any(|name| name == who));
    let shown =
        |what: &EventKind| matches!(what, EventKind::Reveal { link: known, .. } if *known == link);
    if owed || has(table, who, call, &link, shown) { Ok(()) } else { Err(Cut::Link { call }) }
}

/// Whether a player has a line of this kind after an event. `part` is a text in that line, so that
/// few lines are parsed.
fn has(table: &Table, who: &str, after: u64, part: &str, is: impl Fn(&EventKind) -> bool) -> bool {
    let mut lines = table
        .lines()
        .skip(usize::try_from(after).unwrap_or(usize::MAX))
        .filter(|line| line.contains(part));
    lines.any(|line| {
        serde_json::from_str::<Event>(line).is_ok_and(|event| event.by == who && is(&event.what))
    })
}

/// The number of the line with this hash. The line after it contains the hash.
fn number_of(table: &Table, print: &str) -> Option<u64> {
    if table.head() == print {
        return Some(table.lines().len() as u64);
    }
    let names = |line: &str| {
        line.contains(print)
            && serde_json::from_str::<Event>(line).is_ok_and(|event| event.prev == print)
    };
    table.lines().position(names).map(|place| place as u64)
}
