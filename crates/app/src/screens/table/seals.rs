//! Sealed rolls on this device. They need no tap. A link is stored as revealed before it leaves the
//! device, is sent again until the log has it, and is revealed for one call only: a log that lacks
//! what this device has revealed was cut or forked, and gets no further link.

use super::game::Game;
use super::reply_to;
use crate::message::{Command, Now, Reply};
use adjutant_api::Roll;
use adjutant_dice::Entry;
use adjutant_game::{
    Chain, Chains, Cut, Event, EventKind, Forfeit, NoLink, Rejection, RevealedLink, Seal,
};
use adjutant_wording::en;
use adjutant_wording::en::page::table as text;
use serde::Deserialize;

/// How many rolls a chain serves.
const LENGTH: u32 = 500;

/// How long this window waits for lines that another window has seen, in milliseconds.
const BEHIND: u32 = 3000;

/// What is sent after the chains are stored.
#[derive(Debug)]
enum Leaving {
    /// A link, for the call with this fingerprint.
    Link(String),
    /// The anchor of a new chain.
    Seal(Seal),
    /// Nothing: the stored text is compared with what this window knows.
    Nothing,
}

/// Why this player seals a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sealing {
    /// To join the sealed group, or because the chain is used up. The first member may choose what
    /// happens while a player is silent.
    Join(Option<Forfeit>),
    /// To confirm by the next link what this player did so far.
    Close,
    /// To go on from a log that was cut.
    AcceptCut,
}

/// Chains that are being stored.
#[derive(Debug)]
struct Storing {
    text: String,
    /// The chains before.
    before: Chains,
    then: Option<Leaving>,
}

/// The secrets of this player at a table, and what this device remembers of the links that it has
/// revealed.
#[derive(Debug, Default)]
pub struct Seals {
    pub(super) chains: Chains,
    /// The stored text, as far as this window knows.
    pub stored: Option<String>,
    storing: Option<Storing>,
    /// Why this log gets no link.
    pub cut: Option<String>,
    /// Whether lines are missing that may still come.
    behind: bool,
}

impl Seals {
    /// Reads the stored text. Older pages stored a list of chains, or one chain.
    pub fn read(stored: Option<String>) -> Seals {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum StoredChains {
            Chains(Chains),
            List(Vec<Chain>),
            One(Chain),
        }
        let chains = match stored.as_deref().and_then(|text| serde_json::from_str(text).ok()) {
            Some(StoredChains::Chains(chains)) => chains,
            Some(StoredChains::List(list)) => list.into(),
            Some(StoredChains::One(chain)) => vec![chain].into(),
            None => Chains::default(),
        };
        Seals { chains, stored, ..Seals::default() }
    }

    /// The chains with what has left this device. A link that is being stored has not left it.
    fn left(&self) -> &Chains {
        match &self.storing {
            Some(Storing { before, then: Some(Leaving::Link(_) | Leaving::Seal(_)), .. }) => before,
            _ => &self.chains,
        }
    }
}

impl Game {
    /// How many rolls this player's chain still serves, if it is on this device.
    pub fn my_chain(&self) -> Option<u32> {
        let member = self.table.sealed_circle().iter().find(|member| member.name == self.me)?;
        self.server.as_ref()?.seals.chains.in_use(&self.table, &self.me)?;
        Some(member.left())
    }

    /// Seals a chain made of random bytes that only this device knows: the first, or another when
    /// that is used up. A chain that still serves is replaced only to confirm what this player did,
    /// or if the player accepts a log that was cut.
    pub fn seal(&mut self, now: &Now, why: Sealing) -> Vec<Command> {
        let inside = self.table.sealed_circle().iter().any(|member| member.name == self.me);
        let serves = inside && self.my_chain().is_none_or(|left| left > 0);
        if matches!(why, Sealing::Join(_)) && serves || why == Sealing::Close && !inside {
            return Vec::new();
        }
        let accept = why == Sealing::AcceptCut;
        if let Some(why) = self.cannot_send() {
            return self.refuse([why.to_owned()]);
        }
        let (Ok(fresh), Some(server)) = (Chain::new(now.random, LENGTH), &self.server) else {
            return Vec::new();
        };
        if server.seals.storing.is_some() {
            return Vec::new();
        }
        let mut chains = server.seals.chains.clone();
        let mut seal = match chains.seal(&self.table, &self.me, fresh, accept) {
            Ok(seal) => seal,
            Err(why) => return self.no_link(why),
        };
        if let Sealing::Join(Some(forfeit)) = why {
            seal.forfeit = Some(forfeit);
        }
        if let Err(rejection) = self.table.act(&self.stamp(now), EventKind::Seal(seal.clone())) {
            return self.refuse([en::rejection(&rejection)]);
        }
        self.store(chains, Some(Leaving::Seal(seal)))
    }

    /// Stores the chains, then does what waits for it.
    fn store(&mut self, chains: Chains, then: Option<Leaving>) -> Vec<Command> {
        let Some(server) = &mut self.server else { return Vec::new() };
        let value = serde_json::to_string(&chains).unwrap_or_default();
        let before = std::mem::replace(&mut server.seals.chains, chains);
        server.seals.storing = Some(Storing { text: value.clone(), before, then });
        vec![Command::ReplaceValue {
            reply_to: reply_to::Server::ChainsStored.into(),
            key: format!("chain:{}", self.card.id),
            before: server.seals.stored.clone(),
            value,
        }]
    }

    /// The browser stored the chains, or did not.
    pub fn chains_stored(&mut self, reply: Reply) -> Vec<Command> {
        let Some(server) = &mut self.server else { return Vec::new() };
        let Some(Storing { text: stored, before, then }) = server.seals.storing.take() else {
            return Vec::new();
        };
        match reply {
            Reply::Done => {
                server.seals.stored = Some(stored);
                match then {
                    Some(Leaving::Seal(seal)) => self.send_act(&EventKind::Seal(seal)),
                    Some(Leaving::Link(call)) => self.link_stored(before, &call),
                    Some(Leaving::Nothing) => self.no_more_behind(),
                    None => self.tend(),
                }
            }
            Reply::ValueChanged(found) => {
                // Another window of this player has revealed a link: what it stored counts.
                server.seals = Seals::read(found);
                match then {
                    Some(Leaving::Seal(_)) => self.refuse([text::OTHER_WINDOW.to_owned()]),
                    _ => self.tend(),
                }
            }
            Reply::Failed(why) => {
                // What is not stored does not leave the device. It is tried again with the next
                // line or connection.
                server.seals.chains = before;
                self.refuse([adjutant_wording::en::page::cannot_keep(&why)])
            }
            _ => Vec::new(),
        }
    }

    /// The revealed link is stored: it is sent, if its call is still open.
    fn link_stored(&mut self, before: Chains, call: &str) -> Vec<Command> {
        let behind = self.server.as_ref().is_none_or(|server| !server.caught_up);
        if behind
            || self.cannot_send().is_some()
            || self.owed_call().is_none_or(|open| open != *call)
        {
            // The link never left the device.
            return self.store(before, None);
        }
        let Some(server) = &self.server else { return Vec::new() };
        // The mark covers all lines until now, and some may have arrived while the chain was being
        // stored.
        match server.seals.chains.clone().show(&self.table, &self.me) {
            Ok(RevealedLink { link, mark }) => self.send_act(&EventKind::Reveal { link, mark }),
            Err(why) => self.no_link(why),
        }
    }

    /// The fingerprint of the open call, if this player owes it a link.
    fn owed_call(&self) -> Option<String> {
        let call = self.table.open_call().filter(|call| call.owes().any(|name| name == self.me))?;
        self.table.fingerprint_of(call.n)
    }

    /// Reveals the link that is owed, and rolls when all links are there. The player does nothing
    /// for it.
    pub fn tend(&mut self) -> Vec<Command> {
        let Some(call) = self.table.open_call() else { return Vec::new() };
        let (settled, mine) = (call.is_settled(), call.by == self.me);
        let busy = self.waiting.is_some() || self.cannot_send().is_some();
        let Some(server) = &self.server else { return Vec::new() };
        if busy || !server.caught_up || server.seals.storing.is_some() {
            return Vec::new();
        }
        if let (Some(call), Some(_)) = (self.owed_call(), self.my_chain()) {
            let mut chains = server.seals.chains.clone();
            return match chains.show(&self.table, &self.me) {
                Ok(_) => {
                    let todo = self.store(chains, Some(Leaving::Link(call)));
                    self.server.iter_mut().for_each(|server| server.seals.cut = None);
                    todo
                }
                Err(why) => self.no_link(why),
            };
        }
        let asking = self.panel.as_ref().is_some_and(|panel| panel.ask.is_some());
        if settled && mine && !asking { self.send_sealed(None) } else { Vec::new() }
    }

    fn no_link(&mut self, why: NoLink) -> Vec<Command> {
        match why {
            NoLink::Cut(cut) => self.was_cut(&cut),
            NoLink::Chain(error) => self.refuse([en::chain_error(&error)]),
        }
    }

    /// The log lacks what this device remembers. Lines that another window has seen may be on their
    /// way.
    fn was_cut(&mut self, cut: &Cut) -> Vec<Command> {
        let last = self.table.lines().len() as u64;
        let Some(server) = &mut self.server else { return Vec::new() };
        if *cut == Cut::Forgotten {
            // Another window may have revealed the link: what is stored counts.
            let chains = server.seals.chains.clone();
            return match server.seals.storing.is_some() {
                true => Vec::new(),
                false => self.store(chains, Some(Leaving::Nothing)),
            };
        }
        if matches!(cut, Cut::Line { event } if *event > last) {
            return match std::mem::replace(&mut server.seals.behind, true) {
                true => Vec::new(),
                false => vec![Command::After {
                    reply_to: reply_to::Server::LinesAwaited.into(),
                    ms: BEHIND,
                }],
            };
        }
        self.tell_cut(cut)
    }

    fn tell_cut(&mut self, cut: &Cut) -> Vec<Command> {
        let Some(server) = &mut self.server else { return Vec::new() };
        let why = text::sentence(&en::cut(cut));
        match server.seals.cut.replace(why.clone()).as_ref() == Some(&why) {
            true => Vec::new(),
            false => vec![Command::Announce(why)],
        }
    }

    /// The waiting time for lines is over.
    pub fn no_more_behind(&mut self) -> Vec<Command> {
        let Some(server) = &mut self.server else { return Vec::new() };
        server.seals.behind = false;
        match server.seals.left().check(&self.table, &self.me) {
            Ok(()) => self.tend(),
            Err(cut) => self.tell_cut(&cut),
        }
    }

    /// Checks that the log has what this device remembers: before this player calls a roll, and
    /// after a line that may show otherwise.
    pub fn check_log(&mut self) -> Result<(), Vec<Command>> {
        let Some(server) = &mut self.server else { return Ok(()) };
        match server.seals.left().check(&self.table, &self.me) {
            Ok(()) => {
                server.seals.cut = None;
                Ok(())
            }
            Err(cut) => Err(self.was_cut(&cut)),
        }
    }

    /// A line arrived. A step of a sealed roll is remembered; a call withdrawn before the link
    /// arrived is reported at once.
    pub fn remember_log(&mut self, event: &Event) -> Vec<Command> {
        let Some(server) = &self.server else { return Vec::new() };
        let step = match &event.what {
            EventKind::Reveal { .. } | EventKind::Seal(_) => event.by == self.me,
            EventKind::Play(played) => played.call.is_some(),
            _ => false,
        };
        if server.seals.chains.is_empty()
            || !(step || matches!(event.what, EventKind::Withdraw { .. }))
        {
            return Vec::new();
        }
        if let Err(todo) = self.check_log() {
            return todo;
        }
        let Some(server) =
            self.server.as_ref().filter(|server| step && server.seals.storing.is_none())
        else {
            return Vec::new();
        };
        let mut chains = server.seals.chains.clone();
        match chains.saw(&self.table, &self.me) {
            Ok(()) => self.store(chains, None),
            Err(cut) => self.was_cut(&cut),
        }
    }

    /// An event with this player's mark, if it is one that only the player may make and the player
    /// is in the sealed group.
    pub fn marked(
        &mut self,
        what: Result<EventKind, Rejection>,
    ) -> Result<EventKind, Vec<Command>> {
        let what = what.map_err(|rejection| self.refuse([en::rejection(&rejection)]))?;
        let Some(server) = &self.server else { return Ok(what) };
        server.seals.chains.sign(&self.table, &self.me, what).map_err(|why| self.no_link(why))
    }

    /// Does something that only this player may do.
    pub fn act_marked(&mut self, now: &Now, what: Result<EventKind, Rejection>) -> Vec<Command> {
        match self.marked(what) {
            Ok(what) => {
                let line = self.table.act(&self.stamp(now), what);
                self.keep(line)
            }
            Err(todo) => todo,
        }
    }

    /// Rolls the open call, when all links are there.
    pub fn send_sealed(&mut self, entered: Option<Entry>) -> Vec<Command> {
        let mut body =
            Roll { sealed: true, after: Some(self.table.lines().len() as u64), ..Roll::default() };
        if let (Some(Entry::Answer { key, text }), Some(panel)) = (entered, &mut self.panel) {
            panel.said.insert(key, text);
            body.answers.clone_from(&panel.said);
        }
        self.post("/play", reply_to::Server::Played, &body, true)
    }

    /// Whether the roll on the panel goes by a call: two or more players roll sealed.
    pub fn goes_sealed(&self) -> bool {
        self.server.is_some() && self.table.rolls_sealed()
    }
}
