//! Undo and redo. An undo is an event that names the last event that counts. The state is then the
//! fold without that event; its line stays in the log. The side that acted may undo freely if the
//! event has no dice or cards. Otherwise every other side that has a player now, or had one then,
//! must consent, on the record. An umpire may consent for all sides. The last consent carries it
//! out: the server, the command or the page adds the line of the undo (`Table::agreed`); in a
//! sealed group the device of the player who asked adds it. In a sealed group each member must
//! consent, also those of the same side. A request lapses when another event follows.

use crate::event::{ConsentFor, EventKind, Seat};
use crate::journal::Delta;
use crate::log_line::{LogLine, Stamp};
use crate::rejection::{Rejection, SealedRejection, UndoRejection};
use crate::table::Table;
use adjutant_dice::Text;

/// An event that counts, or that counted until it was undone.
#[derive(Clone, Debug)]
pub(crate) struct Act {
    pub n: u64,
    pub luck: bool,
    /// Whether it is the play of a called roll.
    pub sealed: bool,
    pub side: Option<usize>,
    /// The sides that had a player at that time, one bit each. A player cannot avoid asking a side
    /// by changing seats.
    pub played: u8,
    pub delta: Delta,
}

/// A side, or a member of the sealed group, that may consent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Voice {
    /// A side, by index.
    Side(usize),
    /// A member of the sealed group, by name.
    Member(String),
}

/// An open request for consent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsentRequest {
    /// The event of the request.
    pub n: u64,
    /// What the player wants to do.
    pub want: ConsentFor,
    /// The event that the request is about.
    pub event: u64,
    /// The player who asks.
    pub by: String,
    /// Those who agreed.
    pub yes: Vec<Voice>,
    /// Those who refused.
    pub no: Vec<Voice>,
    /// The players who agreed, each with the event.
    pub(crate) given: Vec<(String, u64)>,
}

impl ConsentRequest {
    pub(crate) fn new(n: u64, want: ConsentFor, event: u64, by: String) -> ConsentRequest {
        ConsentRequest { n, want, event, by, yes: Vec::new(), no: Vec::new(), given: Vec::new() }
    }

    pub(crate) fn say(&mut self, by: &str, event: u64, voices: Vec<Voice>, yes: bool) {
        self.yes.retain(|known| !voices.contains(known));
        self.no.retain(|known| !voices.contains(known));
        if yes { &mut self.yes } else { &mut self.no }.extend(voices);
        self.given.retain(|(known, _)| known != by);
        if yes {
            self.given.push((by.to_owned(), event));
        }
    }

    /// Whether an event ended this request without doing what it asked for. `after` is the request
    /// that is open after the event.
    fn lapses_with(&self, what: &EventKind, after: Option<&ConsentRequest>) -> bool {
        let done = match (self.want, what) {
            (ConsentFor::Undo, EventKind::Undo { event, .. })
            | (ConsentFor::Redo, EventKind::Redo { event, .. }) => *event == self.event,
            (ConsentFor::Withdraw, EventKind::Withdraw { call, .. }) => *call == self.event,
            (ConsentFor::Release, EventKind::Release { .. }) => true,
            _ => false,
        };
        let goes_on = |now: &ConsentRequest| {
            now.n == self.n || (&now.by, now.want, now.event) == (&self.by, self.want, self.event)
        };
        !done && !after.is_some_and(goes_on)
    }
}

/// The request that an event ended without doing what it asked for.
pub(crate) fn lapsed<'a>(
    before: Option<&'a ConsentRequest>,
    what: &EventKind,
    after: Option<&ConsentRequest>,
) -> Option<&'a ConsentRequest> {
    before.filter(|asked| asked.lapses_with(what, after))
}

impl Table {
    /// The side that a player plays, by index.
    pub fn side_of(&self, by: &str) -> Option<usize> {
        let (_, seat) = self.people.iter().find(|(known, _)| known == by)?;
        match seat {
            Seat::Player { side } => {
                self.setup.as_ref()?.sides.iter().position(|known| known == side)
            }
            _ => None,
        }
    }

    /// The sides that have a player, one bit each. A game has at most eight sides.
    pub(crate) fn played(&self) -> u8 {
        let Some(setup) = &self.setup else { return 0 };
        let of = |(_, seat): &(String, Seat)| match seat {
            Seat::Player { side } => setup.sides.iter().position(|known| known == side),
            _ => None,
        };
        self.people.iter().filter_map(of).fold(0, |played, side| played | 1 << (side % 8))
    }

    /// Whether this player is an umpire.
    pub(crate) fn is_umpire(&self, by: &str) -> bool {
        self.people.iter().any(|(known, seat)| known == by && *seat == Seat::Umpire)
    }

    /// The event that an undo or redo would apply to.
    fn target(&self, want: ConsentFor) -> Result<&Act, Rejection> {
        match want {
            ConsentFor::Undo => self.acts.last().ok_or(UndoRejection::NothingToUndo.into()),
            ConsentFor::Redo => self.undone.last().ok_or(UndoRejection::NothingToRedo.into()),
            ConsentFor::Withdraw => Err(SealedRejection::NothingToWithdraw.into()),
            ConsentFor::Release => Err(SealedRejection::NoMemberToRelease.into()),
        }
    }

    /// Whose consent a player needs to undo or redo.
    pub fn consent_needed(&self, by: &str, want: ConsentFor) -> Result<Vec<Voice>, Rejection> {
        Ok(self.needed(by, self.target(want)?))
    }

    /// The name of a side, or of a member of the sealed group.
    pub fn voice_name<'a>(&'a self, voice: &'a Voice) -> &'a str {
        match voice {
            Voice::Side(side) => self.sides().get(*side).map_or("", String::as_str),
            Voice::Member(name) => name,
        }
    }

    fn needed(&self, by: &str, act: &Act) -> Vec<Voice> {
        let (played, own) = (self.played() | act.played, self.voice(by));
        let sealed = self.circle.stands();
        let members = self.circle.members.iter().filter(|_| sealed);
        let spoken_for =
            |side: &usize| members.clone().any(|member| self.side_of(&member.name) == Some(*side));
        let alone = !sealed && played.count_ones() <= 1;
        if alone || (!act.luck && own.is_some() && act.side == own) {
            return Vec::new();
        }
        let sides = (0..8)
            .filter(|side| played & 1 << side != 0 && Some(*side) != own && !spoken_for(side));
        let members = members.clone().filter(|member| member.name != by);
        members
            .map(|member| Voice::Member(member.name.clone()))
            .chain(sides.map(Voice::Side))
            .collect()
    }

    fn is_target(&self, want: ConsentFor, event: u64) -> Result<&Act, Rejection> {
        let act = self.target(want)?;
        if act.n != event {
            return Err(UndoRejection::NotNext { want, next: act.n, named: event }.into());
        }
        Ok(act)
    }

    pub(crate) fn admit_back(
        &self,
        by: &str,
        want: ConsentFor,
        event: u64,
    ) -> Result<(), Rejection> {
        let act = self.is_target(want, event)?;
        let asked = self.asked.as_ref().filter(|asked| asked.want == want && asked.event == event);
        let missing = |voice: &Voice| asked.is_none_or(|asked| !asked.yes.contains(voice));
        let missing = self.needed(by, act).into_iter().filter(missing);
        let names: Vec<Text> = missing.map(|voice| self.voice_name(&voice).into()).collect();
        match names.is_empty() {
            true => Ok(()),
            false => Err(UndoRejection::NeedsConsent { event, names, luck: act.luck }.into()),
        }
    }

    pub(crate) fn admit_ask(
        &self,
        by: &str,
        want: ConsentFor,
        event: u64,
    ) -> Result<(), Rejection> {
        if matches!(want, ConsentFor::Withdraw | ConsentFor::Release) {
            return self.admit_ask_sealed(by, want, event);
        }
        let act = self.is_target(want, event)?;
        match self.needed(by, act).is_empty() {
            true => Err(UndoRejection::NoConsentNeeded.into()),
            false => Ok(()),
        }
    }

    /// Whether a player may answer the open request.
    pub fn may_consent(&self, by: &str) -> bool {
        self.asked.as_ref().is_some_and(|asked| self.admit_consent(by, asked.n).is_ok())
    }

    pub(crate) fn admit_consent(&self, by: &str, ask: u64) -> Result<(), Rejection> {
        let Some(asked) = self.asked.as_ref().filter(|asked| asked.n == ask) else {
            return Err(UndoRejection::NotAsked { event: ask }.into());
        };
        self.has_voice(by)?;
        if self.circle.stands() && self.circle.member(by).is_some() {
            return match by == asked.by {
                true => Err(UndoRejection::OwnRequest { name: by.into() }.into()),
                false => Ok(()),
            };
        }
        match self.side_of(by) {
            None if self.is_umpire(by) && by != asked.by => Ok(()),
            None => Err(UndoRejection::NoSide { name: by.into() }.into()),
            side if side == self.voice(&asked.by) => {
                Err(UndoRejection::OwnSide { name: by.into() }.into())
            }
            Some(_) => Ok(()),
        }
    }

    /// Undoes the last event that counts, and says whether that is the play of a called roll.
    pub(crate) fn fold_undo(&mut self) -> Result<bool, Rejection> {
        let Some(mut act) = self.acts.pop() else {
            return Err(UndoRejection::NothingToUndo.into());
        };
        act.delta.undo(&mut self.state);
        let sealed = act.sealed;
        self.undone.push(act);
        self.asked = None;
        Ok(sealed)
    }

    pub(crate) fn fold_redo(&mut self) -> Result<(), Rejection> {
        let Some(mut act) = self.undone.pop() else {
            return Err(UndoRejection::NothingToRedo.into());
        };
        act.delta.redo(&mut self.state);
        self.acts.push(act);
        self.asked = None;
        Ok(())
    }

    /// The line that undoes the last event that counts.
    pub fn undo(&self, stamp: &Stamp) -> Result<LogLine, Rejection> {
        self.act(stamp, self.undo_event()?)
    }

    /// The event that undoes the last event that counts, without a mark.
    pub fn undo_event(&self) -> Result<EventKind, Rejection> {
        Ok(EventKind::Undo { event: self.target(ConsentFor::Undo)?.n, mark: None })
    }

    /// The line that redoes the event that was undone last.
    pub fn redo(&self, stamp: &Stamp) -> Result<LogLine, Rejection> {
        self.act(stamp, self.redo_event()?)
    }

    /// The event that redoes the event that was undone last, without a mark.
    pub fn redo_event(&self) -> Result<EventKind, Rejection> {
        Ok(EventKind::Redo { event: self.target(ConsentFor::Redo)?.n, mark: None })
    }

    /// The line that asks the other sides for consent.
    pub fn ask(&self, stamp: &Stamp, want: ConsentFor) -> Result<LogLine, Rejection> {
        self.act(stamp, self.ask_event(want)?)
    }

    /// The event that asks the other sides for consent, without a mark.
    pub fn ask_event(&self, want: ConsentFor) -> Result<EventKind, Rejection> {
        let event = match (want, self.open_call()) {
            (ConsentFor::Withdraw, Some(call)) => call.n,
            _ => self.target(want)?.n,
        };
        Ok(EventKind::Ask { want, event, mark: None })
    }

    /// The line that gives or refuses the consent that is asked for.
    pub fn consent(&self, stamp: &Stamp, yes: bool) -> Result<LogLine, Rejection> {
        self.act(stamp, self.consent_event(yes)?)
    }

    /// The event that gives or refuses the consent that is asked for, without a mark.
    pub fn consent_event(&self, yes: bool) -> Result<EventKind, Rejection> {
        let asked = self.asked.as_ref().ok_or(UndoRejection::NoRequestOpen)?;
        Ok(EventKind::Consent { ask: asked.n, yes, mark: None })
    }

    /// The line that carries out the requested undo or redo, once no consent is missing. It is in
    /// the name of the player who asked, who need not ask again. The caller that stores the last
    /// consent stores this line after it.
    ///
    /// Returns `None` if that player is in the sealed group: only the player's own device makes
    /// lines for a member.
    pub fn agreed(&self, at: &str) -> Option<LogLine> {
        let asked = self.asked.as_ref().filter(|asked| self.circle.member(&asked.by).is_none())?;
        let what = match asked.want {
            ConsentFor::Undo => EventKind::Undo { event: asked.event, mark: None },
            ConsentFor::Redo => EventKind::Redo { event: asked.event, mark: None },
            ConsentFor::Withdraw | ConsentFor::Release => return None,
        };
        self.act(&Stamp::new(at, &asked.by), what).ok()
    }
}
