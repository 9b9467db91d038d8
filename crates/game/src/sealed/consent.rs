//! Who must agree in a sealed group. Each member speaks for themselves, also to players of the same
//! side, so no player alone can take a roll back. A member who still owes a link may already know
//! the outcome; the others cannot. So the others may drop a call without the members who keep it
//! waiting, as far as the group agreed on that when it was sealed. Rolling unsealed is different:
//! it needs marks that are opened, because no later link would confirm them.

use crate::event::{ConsentFor, Forfeit};
use crate::rejection::{Rejection, SealedRejection, UndoRejection};
use crate::sealed::{OpenCall, time};
use crate::table::Table;
use crate::undo::Voice;
use adjutant_dice::Text;

impl Table {
    /// Whose consent a player needs to withdraw the open call at this time.
    pub fn consent_to_withdraw(&self, by: &str, at: &str) -> Vec<Voice> {
        self.open_call().map(|call| self.withdraw_needs(by, at, call)).unwrap_or_default()
    }

    fn withdraw_needs(&self, by: &str, at: &str, call: &OpenCall) -> Vec<Voice> {
        let shown =
            |name: &str| call.links.iter().any(|(known, link)| known == name && link.is_some());
        let shown_by_others = call.links.iter().any(|(name, link)| name != by && link.is_some());
        // What was rolled before an answer is known to all players.
        let first = call.record.continues.is_none();
        let stands = self.circle.forfeit == Some(Forfeit::Stands);
        if by == call.by && first && !shown_by_others && !(stands && shown(by)) {
            return Vec::new();
        }
        let blind = shown(by) && first && !call.is_settled() && !stands && self.is_late(call, at);
        let others = self.circle.members.iter().filter(|member| member.name != by);
        others
            .filter(|member| !blind || shown(&member.name))
            .map(|member| Voice::Member(member.name.clone()))
            .collect()
    }

    /// Whether the time limit of a call has passed, by the times that the log claims.
    fn is_late(&self, call: &OpenCall, at: &str) -> bool {
        match self.circle.forfeit {
            Some(Forfeit::Lost { minutes }) => {
                let both = time::seconds(&call.at).zip(time::seconds(at));
                both.is_some_and(|(from, to)| to - from >= i64::from(minutes) * 60)
            }
            Some(Forfeit::Stands) => false,
            None => true,
        }
    }

    /// Whose consent is needed to let a member leave the sealed group: that of all members who
    /// stay. If fewer than two stay, the member who leaves must agree too, so that one
    /// player and an outsider cannot end the group.
    pub fn consent_to_release(&self, by: &str, who: &str) -> Vec<Voice> {
        let members = &self.circle.members;
        let few = members.iter().filter(|member| member.name != who).count() < 2;
        let needed = |name: &str| name != by && (few || name != who);
        let all = members.iter().filter(|member| needed(&member.name));
        all.map(|member| Voice::Member(member.name.clone())).collect()
    }

    /// Checks that all of these agreed.
    fn consented(&self, want: ConsentFor, event: u64, needed: &[Voice]) -> Result<(), Rejection> {
        let asked = self.asked.as_ref().filter(|asked| asked.want == want && asked.event == event);
        let yes = |voice: &Voice| {
            asked.is_some_and(|asked| {
                asked.yes.contains(voice) || *voice == Voice::Member(asked.by.clone())
            })
        };
        let names: Vec<Text> = needed
            .iter()
            .filter(|voice| !yes(voice))
            .map(|voice| self.voice_name(voice).into())
            .collect();
        if names.is_empty() { Ok(()) } else { Err(SealedRejection::NeedsConsent { names }.into()) }
    }

    pub(crate) fn admit_withdraw(&self, by: &str, at: &str, call: u64) -> Result<(), Rejection> {
        match self.open_call() {
            Some(open) if open.n == call => {
                self.consented(ConsentFor::Withdraw, call, &self.withdraw_needs(by, at, open))
            }
            Some(open) => Err(SealedRejection::OtherCall { open: open.n, named: call }.into()),
            None => Err(SealedRejection::NothingToWithdraw.into()),
        }
    }

    pub(crate) fn admit_release(&self, by: &str, who: &str) -> Result<(), Rejection> {
        let Some(member) = self.circle.member(who) else { return Err(self.not_in_circle(who)) };
        let needed = self.consent_to_release(by, who);
        self.consented(ConsentFor::Release, member.seal, &needed)?;
        // The mark of the request then also vouches for the release: no one else can write it.
        if let Some(asked) =
            self.asked.as_ref().filter(|asked| !needed.is_empty() && asked.by != by)
        {
            return Err(SealedRejection::AskerReleases { asker: asked.by.as_str().into() }.into());
        }
        let waits = if needed.is_empty() { Vec::new() } else { self.not_confirmed() };
        match waits.is_empty() {
            true => Ok(()),
            false => Err(SealedRejection::NotConfirmed { names: waits }.into()),
        }
    }

    /// The members whose part in the open request no link has confirmed yet.
    pub fn not_confirmed(&self) -> Vec<Text> {
        let Some(asked) = &self.asked else { return Vec::new() };
        let parts = [(&asked.by, asked.n)].into_iter();
        let parts = parts.chain(asked.given.iter().map(|(name, event)| (name, *event)));
        parts
            .filter(|(name, event)| {
                self.circle.member(name).is_some_and(|member| member.waiting().any(|n| n == *event))
            })
            .map(|(name, _)| Text::from(name))
            .collect()
    }

    /// Checks that the request is for something that needs consent.
    pub(crate) fn admit_ask_sealed(
        &self,
        by: &str,
        want: ConsentFor,
        event: u64,
    ) -> Result<(), Rejection> {
        let needed = match want {
            // The time limit may pass while the others are asked.
            ConsentFor::Withdraw => match self.open_call().filter(|call| call.n == event) {
                Some(call) => self.withdraw_needs(by, "", call),
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

    /// Whose consent a player gives: the player's own in a sealed group, else that of the side. An
    /// umpire consents for all; in a sealed group only one who is a member and was umpire when the
    /// group was formed.
    pub(crate) fn voices_of(&self, by: &str) -> Vec<Voice> {
        let circle = &self.circle;
        let sides = || (0..self.sides().len()).map(Voice::Side);
        if circle.stands() && circle.member(by).is_some() {
            return match self.is_umpire(by) && circle.umpires.iter().any(|name| name == by) {
                true => {
                    let all = circle.members.iter();
                    all.map(|member| Voice::Member(member.name.clone())).chain(sides()).collect()
                }
                false => vec![Voice::Member(by.to_owned())],
            };
        }
        self.side_of(by).map_or_else(|| sides().collect(), |side| vec![Voice::Side(side)])
    }

    /// In a sealed group, members speak for themselves. No player can bring in a friend to consent
    /// for a side that has members, or for all.
    pub(crate) fn has_voice(&self, by: &str) -> Result<(), Rejection> {
        let circle = &self.circle;
        if !circle.stands() || circle.member(by).is_some() {
            return Ok(());
        }
        match self.side_of(by) {
            None if !self.is_umpire(by) => Ok(()),
            None => Err(SealedRejection::UmpireNotSealed { name: by.into() }.into()),
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
