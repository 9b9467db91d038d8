//! Consent to withdraw a call or to leave the sealed group. A member who still owes a link may
//! already know the outcome; all others cannot. So a side that owes nothing may withdraw the call
//! without asking the sides that keep it waiting. All others must ask. Rolling unsealed is
//! different: another side must agree.

use crate::event::ConsentFor;
use crate::rejection::{Rejection, SealedRejection, UndoRejection};
use crate::sealed::OpenCall;
use crate::table::Table;
use adjutant_dice::Text;

impl Table {
    /// The sides, by index, whose consent a player needs to withdraw the open call.
    pub fn consent_to_withdraw(&self, by: &str) -> Vec<usize> {
        self.open_call().map(|call| self.withdraw_needs(by, call)).unwrap_or_default()
    }

    fn withdraw_needs(&self, by: &str, call: &OpenCall) -> Vec<usize> {
        let own = self.voice(by);
        let shown_by_others = call.links.iter().any(|(name, link)| name != by && link.is_some());
        if by == call.by && !shown_by_others && call.record.continues.is_none() {
            return Vec::new();
        }
        let owing: Vec<Option<usize>> = call.owes().map(|name| self.side_of(name)).collect();
        // All players know what was rolled before an answer.
        let blind = own.is_some()
            && !owing.is_empty()
            && !owing.contains(&own)
            && call.record.continues.is_none();
        self.others(own)
            .into_iter()
            .filter(|side| !blind || !owing.contains(&Some(*side)))
            .collect()
    }

    /// The sides, by index, whose consent is needed to let a member leave the sealed group.
    pub fn consent_to_release(&self, by: &str, who: &str) -> Vec<usize> {
        let all = self.others(self.voice(by));
        let rest: Vec<usize> =
            all.iter().copied().filter(|side| Some(*side) != self.side_of(who)).collect();
        // If there is no other side to ask, the member must agree.
        if by == who || rest.is_empty() { all } else { rest }
    }

    /// The other sides of the sealed group. A player who joins the game late gets no vote and
    /// delays nothing.
    fn others(&self, own: Option<usize>) -> Vec<usize> {
        let inside = |side: &usize| {
            self.circle.members.iter().any(|member| self.side_of(&member.name) == Some(*side))
        };
        (0..self.sides().len()).filter(|side| inside(side) && Some(*side) != own).collect()
    }

    /// Checks that all these sides agreed.
    fn consented(&self, want: ConsentFor, event: u64, needed: &[usize]) -> Result<(), Rejection> {
        let asked = self.asked.as_ref().filter(|asked| asked.want == want && asked.event == event);
        let yes = |side: &usize| {
            asked.is_some_and(|asked| {
                asked.yes.contains(side) || self.voice(&asked.by) == Some(*side)
            })
        };
        let sides: Vec<Text> = needed
            .iter()
            .filter(|side| !yes(side))
            .filter_map(|side| self.sides().get(*side))
            .map(Text::from)
            .collect();
        if sides.is_empty() { Ok(()) } else { Err(SealedRejection::NeedsConsent { sides }.into()) }
    }

    pub(crate) fn admit_withdraw(&self, by: &str, call: u64) -> Result<(), Rejection> {
        match self.open_call() {
            Some(open) if open.n == call => {
                self.consented(ConsentFor::Withdraw, call, &self.withdraw_needs(by, open))
            }
            Some(open) => Err(SealedRejection::OtherCall { open: open.n, named: call }.into()),
            None => Err(SealedRejection::NothingToWithdraw.into()),
        }
    }

    pub(crate) fn admit_release(&self, by: &str, who: &str) -> Result<(), Rejection> {
        let Some(member) = self.circle.member(who) else { return Err(self.not_in_circle(who)) };
        self.consented(ConsentFor::Release, member.seal, &self.consent_to_release(by, who))
    }

    /// Checks that the request is for something that needs consent.
    pub(crate) fn admit_ask_sealed(
        &self,
        by: &str,
        want: ConsentFor,
        event: u64,
    ) -> Result<(), Rejection> {
        let needed = match want {
            ConsentFor::Withdraw => match self.open_call().filter(|call| call.n == event) {
                Some(call) => self.withdraw_needs(by, call),
                None => return Err(SealedRejection::NotAnOpenCall { event }.into()),
            },
            _ => match self.circle.members.iter().find(|member| member.seal == event) {
                Some(member) => self.consent_to_release(by, &member.name),
                None => return Err(SealedRejection::NotASeal { event }.into()),
            },
        };
        if needed.is_empty() { Err(UndoRejection::NoConsentNeeded.into()) } else { Ok(()) }
    }

    /// The side that a player may consent for.
    pub(crate) fn voice(&self, by: &str) -> Option<usize> {
        self.side_of(by).filter(|_| self.has_voice(by).is_ok())
    }

    /// In a sealed group, a side that has members in the group consents through them, and only
    /// umpires who were there when the group was formed count. No player can bring in a friend to
    /// consent.
    pub(crate) fn has_voice(&self, by: &str) -> Result<(), Rejection> {
        let circle = &self.circle;
        if !circle.stands() || circle.member(by).is_some() {
            return Ok(());
        }
        match self.side_of(by) {
            None if !self.is_umpire(by) || circle.umpires.iter().any(|name| name == by) => Ok(()),
            None => Err(SealedRejection::LateUmpire { name: by.into() }.into()),
            side => match circle.members.iter().find(|member| self.side_of(&member.name) == side) {
                Some(member) => Err(SealedRejection::NotTheVoice {
                    member: member.name.as_str().into(),
                    name: by.into(),
                }
                .into()),
                None => Ok(()),
            },
        }
    }
}
