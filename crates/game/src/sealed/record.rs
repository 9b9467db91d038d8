//! What each member of the sealed group did with calls and rolls: who called, who owed a link when
//! a call was dropped, who withdrew calls, and who undid rolls. A player who looks first and stays
//! silent cannot be stopped by any protocol of this kind, so it is counted.

use crate::event::{Event, EventKind};
use crate::sealed::SealedGroup;
use crate::table::Table;

/// What a player did with sealed rolls, over the whole log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberRecord {
    /// The player's name.
    pub name: String,
    /// How many calls this player made, not counting calls that continue another.
    pub called: u32,
    /// How many calls were dropped while this player owed a link.
    pub owed: u32,
    /// How many calls this player withdrew.
    pub withdrew: u32,
    /// How many of them without the consent of another player.
    pub withdrew_alone: u32,
    /// How many sealed rolls this player undid. Each undo has the consent of the others.
    pub undid: u32,
    /// The last line that an opened mark of this player covers; 0 if there is none.
    pub opened: u64,
    /// The events, other than links, whose marks no link has opened.
    pub waiting: Vec<u64>,
}

/// What is kept beside the sealed group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Records(Vec<MemberRecord>);

impl Records {
    fn of(&mut self, name: &str) -> &mut MemberRecord {
        let place = self.0.iter().position(|record| record.name == name).unwrap_or_else(|| {
            self.0.push(MemberRecord { name: name.to_owned(), ..MemberRecord::default() });
            self.0.len() - 1
        });
        &mut self.0[place]
    }

    /// Keeps the marks of members who leave the group: no link will open them.
    fn leave(&mut self, before: &SealedGroup, after: &SealedGroup) {
        for member in before.members.iter().filter(|member| after.member(&member.name).is_none()) {
            let record = self.of(&member.name);
            record.waiting.extend(member.waiting());
            record.opened = record.opened.max(member.opened);
        }
    }
}

impl Table {
    /// Counts an event. `before` is the sealed group before it; `alone` tells that a withdrawal
    /// needed no consent.
    pub(crate) fn record(&mut self, event: &Event, before: &SealedGroup, alone: bool) {
        match &event.what {
            EventKind::Seal(_) => drop(self.records.of(&event.by)),
            EventKind::Call(called) if called.continues.is_none() => {
                self.records.of(&event.by).called += 1;
            }
            EventKind::Withdraw { .. } => {
                for name in before.call.iter().flat_map(|call| call.owes()) {
                    self.records.of(name).owed += 1;
                }
                let record = self.records.of(&event.by);
                record.withdrew += 1;
                record.withdrew_alone += u32::from(alone);
            }
            EventKind::Release { .. } => {
                self.records.leave(before, &self.circle);
                let own = event.what.marked().and_then(|(_, mark)| mark).is_some();
                if own && self.circle.member(&event.by).is_none() {
                    self.records.of(&event.by).waiting.push(event.n);
                }
            }
            _ => {}
        }
    }

    /// Counts the undo of a sealed roll.
    pub(crate) fn record_undo(&mut self, by: &str) {
        self.records.of(by).undid += 1;
    }

    /// What each player did with sealed rolls, in the order of their first steps. Empty if no player
    /// has sealed.
    pub fn sealed_records(&self) -> Vec<MemberRecord> {
        let mut records = self.records.clone();
        for member in &self.circle.members {
            let record = records.of(&member.name);
            record.waiting.extend(member.waiting());
            record.opened = record.opened.max(member.opened);
        }
        records.0
    }

    /// The last line that every member of the sealed group has confirmed: an opened mark of each
    /// covers it. `None` if there is no sealed group.
    pub fn confirmed(&self) -> Option<u64> {
        self.circle.members.iter().map(|member| member.opened).min()
    }

    /// Whether the log shows that one player alone may have chosen between rolls: a call was
    /// withdrawn without the consent of another player.
    pub fn taken_back_alone(&self) -> bool {
        self.records.0.iter().any(|record| record.withdrew_alone > 0)
    }
}
