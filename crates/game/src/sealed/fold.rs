//! Applies the steps of a sealed roll. While a call is open the situation must not change: only
//! remarks are accepted. A call uses up one link of every chain, revealed or not. If a call is
//! withdrawn while a link is on its way, no later call waits for that link.

use crate::event::{
    ConsentFor, EventKind, Forfeit, LONGEST_WAIT, PlayRecord, Seal, SealedCall, Seat,
};
use crate::rejection::{Rejection, SealedRejection, SeatRejection, unknown};
use crate::sealed::chain::{self, HexText, LONGEST_CHAIN};
use crate::sealed::marks::PendingMark;
use crate::sealed::{OpenCall, SealedGroup, SealedMember};
use crate::table::Table;
use adjutant_dice::{RecordedInput, ThrownBy};
use adjutant_pack::Noun;

/// The maximum size of a sealed group.
const MOST_MEMBERS: usize = 32;

impl Table {
    /// Checks an event against the rules of sealed rolls.
    pub(crate) fn admit_sealed(&self, by: &str, what: &EventKind) -> Result<(), Rejection> {
        if let EventKind::Join { who, role } = what {
            return self.admit_seat(who, role);
        }
        let Some(call) = &self.circle.call else {
            return match what {
                EventKind::Play(played) => self.admit_unsealed(by, played),
                EventKind::Unfinished(_) if self.circle.stands() => {
                    Err(SealedRejection::NotCalled.into())
                }
                _ => Ok(()),
            };
        };
        match what {
            EventKind::Play(played) => self.admit_sealed_play(by, call, played),
            EventKind::Note { .. }
            | EventKind::Consent { .. }
            | EventKind::Ask { want: ConsentFor::Withdraw, .. } => Ok(()),
            EventKind::Reveal { .. }
            | EventKind::Withdraw { .. }
            | EventKind::Call(_)
            | EventKind::Seal(_) => Ok(()),
            _ => Err(SealedRejection::CallOpen { call: call.n }.into()),
        }
    }

    /// A member of the sealed group keeps the seat: consent goes by sides.
    fn admit_seat(&self, who: &str, role: &Seat) -> Result<(), Rejection> {
        let known = self.people.iter().find(|(known, _)| known == who).map(|(_, seat)| seat);
        match self.circle.member(who).is_some() && known != Some(role) {
            true => Err(SeatRejection::Sealed { name: who.into() }.into()),
            false => Ok(()),
        }
    }

    /// Checks a play without a call.
    fn admit_unsealed(&self, by: &str, played: &PlayRecord) -> Result<(), Rejection> {
        if played.call.is_some()
            || played
                .inputs
                .iter()
                .any(|input| input.by() == ThrownBy::Sealed || input.of().is_some())
        {
            return Err(SealedRejection::NoCallForPlay.into());
        }
        if !self.circle.stands() {
            return Ok(());
        }
        if played.inputs.iter().any(|input| !input.is_answer()) {
            return Err(SealedRejection::NotCalled.into());
        }
        self.checked_at_once(by, played)
    }

    /// Checks the play of the open call.
    fn admit_sealed_play(
        &self,
        by: &str,
        call: &OpenCall,
        played: &PlayRecord,
    ) -> Result<(), Rejection> {
        if let Some(name) = call.owes().next() {
            return Err(SealedRejection::LinkOwed { call: call.n, name: name.into() }.into());
        }
        let record = &call.record;
        let same = played.call == Some(call.n) && played.request == record.request;
        if !same {
            return Err(SealedRejection::NotWhatWasCalled { call: call.n }.into());
        }
        let Some(rest) = played.inputs.strip_prefix(record.inputs.as_slice()) else {
            return Err(SealedRejection::InputsDiffer { call: call.n }.into());
        };
        if by != call.by && rest.iter().any(RecordedInput::is_answer) {
            return Err(SealedRejection::CallerAnswers { caller: call.by.as_str().into() }.into());
        }
        if rest.iter().any(|input| !input.is_answer() && input.by() != ThrownBy::Sealed) {
            return Err(SealedRejection::NotAllSealed.into());
        }
        self.checked_at_once(by, played)
    }

    /// In a sealed group no player is trusted, so a play is checked against the chart when its line
    /// arrives.
    fn checked_at_once(&self, by: &str, played: &PlayRecord) -> Result<(), Rejection> {
        match if self.any_rules { None } else { self.play_differs(by, played) } {
            Some(difference) => Err(SealedRejection::Differs(Box::new(difference)).into()),
            None => Ok(()),
        }
    }

    /// The sealed group after a step, if the step is allowed.
    pub(crate) fn circle_after(
        &self,
        (by, at): (&str, &str),
        what: &EventKind,
    ) -> Result<SealedGroup, Rejection> {
        let mut circle = self.circle.clone();
        match what {
            EventKind::Seal(seal) => self.fold_seal(&mut circle, by, seal)?,
            EventKind::Call(called) => self.fold_call(&mut circle, (by, at), called)?,
            EventKind::Reveal { link, mark } => self.fold_reveal(&mut circle, by, link, mark)?,
            EventKind::Withdraw { call, .. } => {
                self.admit_withdraw(by, at, *call)?;
                circle.call = None;
            }
            EventKind::Release { who, .. } => {
                self.admit_release(by, who)?;
                circle.members.retain(|member| member.name != *who);
                if !circle.stands() {
                    circle = SealedGroup::default();
                }
            }
            _ => return Err(SealedRejection::NotASealedStep.into()),
        }
        Ok(circle)
    }

    /// Remembers the anchors and links that a step revealed. A link also reveals those that were
    /// skipped before it.
    pub(crate) fn note_shown(&mut self, what: &EventKind) -> Result<(), Rejection> {
        let (anchor, link) = match what {
            EventKind::Seal(seal) => (Some(&seal.anchor), seal.last.as_ref()),
            EventKind::Reveal { link, .. } => (None, Some(link)),
            _ => (None, None),
        };
        if let Some(link) = link {
            // The link was checked: hashing it leads to one that is known.
            let mut link = chain::unhex(HexText::Link, link)?;
            while self.shown.insert(link) {
                link = chain::follows(&link);
            }
        }
        if let Some(anchor) = anchor {
            self.shown.insert(chain::unhex(HexText::Anchor, anchor)?);
        }
        Ok(())
    }

    /// Only a player of a side or an umpire seals a chain or calls a roll.
    fn admit_player(&self, by: &str) -> Result<(), Rejection> {
        match self.people.iter().any(|(known, seat)| known == by && *seat != Seat::Spectator) {
            true => Ok(()),
            false => Err(SealedRejection::NoSeat { name: by.into() }.into()),
        }
    }

    fn fold_seal(&self, circle: &mut SealedGroup, by: &str, seal: &Seal) -> Result<(), Rejection> {
        let anchor = chain::unhex(HexText::Anchor, &seal.anchor)?;
        if !(1..=LONGEST_CHAIN).contains(&seal.length) {
            return Err(SealedRejection::ChainLength { length: seal.length }.into());
        }
        self.admit_player(by)?;
        // The link that ends the old chain is known with this line.
        if self.shown.contains(&anchor) || seal.last.as_ref() == Some(&seal.anchor) {
            return Err(SealedRejection::AnchorKnown.into());
        }
        match seal.forfeit {
            Some(Forfeit::Lost { minutes }) if !(1..=LONGEST_WAIT).contains(&minutes) => {
                return Err(SealedRejection::WaitLength { minutes }.into());
            }
            forfeit if !circle.members.is_empty() && forfeit != circle.forfeit => {
                return Err(SealedRejection::OtherForfeit { agreed: circle.forfeit }.into());
            }
            forfeit => circle.forfeit = forfeit,
        }
        let n = self.lines.len() as u64 + 1;
        let known = circle.members.iter_mut().find(|member| member.name == by);
        match (known, &seal.last) {
            (Some(member), Some(last)) => {
                if circle.call.as_ref().is_some_and(|call| !call.is_settled()) {
                    return Err(SealedRejection::WaitsForLinks.into());
                }
                member.show(member.used + 1, last)?;
                let opened = member.opened;
                *member = SealedMember { opened, ..SealedMember::new(by, n, seal.length, anchor) };
            }
            (Some(_), None) => return Err(SealedRejection::HasChain { name: by.into() }.into()),
            (None, Some(_)) => return Err(SealedRejection::HasNoChain { name: by.into() }.into()),
            (None, None) => {
                if circle.call.is_some() {
                    return Err(SealedRejection::JoinAfterRoll.into());
                }
                if circle.members.len() >= MOST_MEMBERS {
                    return Err(SealedRejection::TooManyMembers { most: MOST_MEMBERS }.into());
                }
                if circle.members.is_empty() {
                    let umpires = self.people.iter().filter(|(_, seat)| *seat == Seat::Umpire);
                    circle.umpires = umpires.map(|(name, _)| name.clone()).collect();
                }
                circle.members.push(SealedMember::new(by, n, seal.length, anchor));
            }
        }
        Ok(())
    }

    fn fold_call(
        &self,
        circle: &mut SealedGroup,
        (by, at): (&str, &str),
        called: &SealedCall,
    ) -> Result<(), Rejection> {
        if self.pack.chart(&called.request.chart).is_none() {
            return Err(unknown(
                Noun::Chart,
                &called.request.chart,
                self.pack.charts().iter().map(|chart| chart.id.as_str()),
            ));
        }
        if !circle.stands() {
            return Err(SealedRejection::TooFewMembers.into());
        }
        self.admit_player(by)?;
        match (&circle.call, called.continues) {
            (None, None) if !called.inputs.iter().all(RecordedInput::is_answer) => {
                return Err(SealedRejection::OnlyAnswers.into());
            }
            (None, None) => {}
            (Some(call), Some(n)) if n == call.n => continues(by, call, called)?,
            (Some(call), _) => return Err(SealedRejection::CallOpenAlready { call: call.n }.into()),
            (None, Some(n)) => return Err(SealedRejection::CallNotOpen { call: n }.into()),
        }
        if let Some(member) = circle.members.iter().find(|member| member.left() == 0) {
            return Err(SealedRejection::ChainUsedUp { name: member.name.as_str().into() }.into());
        }
        if !self.any_rules {
            self.check_called(by, called)?;
        }
        circle.members.iter_mut().for_each(|member| member.used += 1);
        let links = circle.members.iter().map(|member| (member.name.clone(), None)).collect();
        // The side comes from the first call: new units must not depend on later seats.
        let side = circle.call.as_ref().map_or_else(|| self.side_of(by), |call| call.side);
        circle.call = Some(OpenCall {
            n: self.lines.len() as u64 + 1,
            by: by.to_owned(),
            at: at.to_owned(),
            record: called.clone(),
            side,
            links,
        });
        Ok(())
    }

    fn fold_reveal(
        &self,
        circle: &mut SealedGroup,
        by: &str,
        link: &str,
        mark: &str,
    ) -> Result<(), Rejection> {
        let SealedGroup { members, call: Some(call), .. } = circle else {
            return Err(SealedRejection::NoCallForLink.into());
        };
        let Some(member) = members.iter_mut().find(|member| member.name == by) else {
            return Err(self.not_in_circle(by));
        };
        let Some((_, place)) = call.links.iter_mut().find(|(name, _)| name == by) else {
            return Err(self.not_in_circle(by));
        };
        if place.is_some() {
            return Err(SealedRejection::LinkShown { name: by.into(), call: call.n }.into());
        }
        let mark = chain::unhex(HexText::Mark, mark)?;
        member.show(member.used, link)?;
        member.marks.push(PendingMark {
            event: self.lines.len() as u64 + 1,
            depth: member.key_depth(),
            mark,
            prev: chain::unhex(HexText::LastFingerprint, &self.head)?,
            text: String::new(),
        });
        *place = Some(member.known);
        Ok(())
    }
}

/// Checks that a call continues the open one: the same request, with its inputs and at least one
/// more answer.
fn continues(by: &str, call: &OpenCall, called: &SealedCall) -> Result<(), Rejection> {
    if let Some(name) = call.owes().next() {
        return Err(SealedRejection::LinkOwed { call: call.n, name: name.into() }.into());
    }
    if by != call.by {
        return Err(SealedRejection::CallerAnswers { caller: call.by.as_str().into() }.into());
    }
    if called.request != call.record.request {
        return Err(SealedRejection::ContinuesOtherwise { call: call.n }.into());
    }
    match called.inputs.strip_prefix(call.record.inputs.as_slice()) {
        Some(rest)
            if rest.iter().all(|input| input.is_answer() || input.by() == ThrownBy::Sealed) =>
        {
            Ok(())
        }
        Some(_) => Err(SealedRejection::NotAllSealed.into()),
        None => Err(SealedRejection::InputsDiffer { call: call.n }.into()),
    }
}

impl SealedMember {
    fn new(name: &str, seal: u64, length: u32, anchor: chain::Hash) -> SealedMember {
        SealedMember {
            name: name.to_owned(),
            seal,
            length,
            used: 0,
            anchor,
            known: anchor,
            depth: 0,
            marks: Vec::new(),
            opened: 0,
        }
    }
}
