//! What a screen needs to know about a game: the players, the pending tests, the charts that can be
//! rolled.

use crate::event::{Begin, Seat, UnitsByRole, Values};
use crate::play::PlayRequest;
use crate::state::{PendingTest, State, Unit};
use crate::table::Table;
use crate::turn::in_bag;
use crate::undo::ConsentRequest;
use adjutant_dice::CardPlace;
use adjutant_pack::{
    Chart, DeckSheet, HandOf, Input, MemoryId, Pack, Phase, PhaseId, RoleId, Value,
};

/// What is left of a deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckLeft<'a> {
    /// The deck's id.
    pub deck: &'a str,
    /// The index of the owner's side; `None` if all sides share the deck.
    pub side: Option<usize>,
    /// How many cards are left.
    pub left: u32,
    /// How many cards the full deck has.
    pub size: u32,
    /// Which cards are left, if the players may see them.
    pub cards: Option<Vec<u32>>,
}

/// A hand of cards.
#[derive(Clone, Debug)]
pub struct HandOfCards<'a> {
    /// The deck that the cards belong to.
    pub deck: &'a DeckSheet,
    /// The index of the owner's side.
    pub side: usize,
    /// The unit that holds them, if units have hands.
    pub unit: Option<&'a Unit>,
    /// How many cards it has.
    pub count: u32,
    /// How many cards a full hand has.
    pub size: u32,
    /// Which cards they are, if the player sees them.
    pub cards: Option<Vec<u32>>,
}

impl Table {
    /// The pack of this game.
    pub fn pack(&self) -> &Pack {
        &self.pack
    }

    /// The setup; `None` before the first line.
    pub fn setup(&self) -> Option<&Begin> {
        self.setup.as_deref()
    }

    /// The current state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The lines of the log, unchanged.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = &str> {
        self.lines.iter().map(AsRef::as_ref)
    }

    /// The hash of the last line; empty before the first.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// The names of the sides.
    pub fn sides(&self) -> &[String] {
        self.setup.as_ref().map_or(&[], |setup| &setup.sides)
    }

    /// What each side remembers, by its name; `None` if the sides share this memory.
    pub fn memory_of_sides(
        &self,
        memory: MemoryId,
    ) -> Option<impl Iterator<Item = (&str, Value)> + '_> {
        let sides = self.sides().iter().enumerate().filter_map(move |(place, side)| {
            Some((side.as_str(), self.state.memory_of(&self.pack, place, memory)?))
        });
        self.pack.is_per_side(memory).then_some(sides)
    }

    /// The players and their seats.
    pub fn people(&self) -> &[(String, Seat)] {
        &self.people
    }

    /// The units of a side that have not left, by group.
    pub fn roster(&self, side: usize) -> Vec<(&str, Vec<&Unit>)> {
        let mut groups: Vec<(&str, Vec<&Unit>)> = Vec::new();
        for unit in self.state.here().filter(|unit| unit.side == side) {
            match groups.iter_mut().find(|(group, _)| *group == unit.group) {
                Some((_, units)) => units.push(unit),
                None => groups.push((&unit.group, vec![unit])),
            }
        }
        groups
    }

    /// The tests that are due, in order.
    pub fn pending(&self) -> impl Iterator<Item = &PendingTest> {
        self.state.pending.iter().map(AsRef::as_ref)
    }

    /// The roles of a pending test that have no unit yet.
    pub fn open_roles<'a>(&'a self, pending: &'a PendingTest) -> impl Iterator<Item = &'a str> {
        let roles = self.pack.chart(&pending.due.chart).map_or(&[][..], |chart| &chart.roles);
        roles
            .iter()
            .map(|role| role.id.as_str())
            .filter(|role| !pending.due.units.contains_key(*role))
    }

    /// Whether a pending test keeps a role open for units of another side.
    pub fn is_of_other_side(&self, pending: Option<&String>, role: &str, unit: &Unit) -> bool {
        let pending = pending.and_then(|id| self.pending().find(|test| test.due.id == *id));
        let side = pending.and_then(|pending| pending.due.role_sides.get(role));
        side.is_some_and(|side| self.sides().get(unit.side) != Some(side))
    }

    /// Whether a unit can have a role: it has the right kind and is on another side than the units
    /// that must be its enemies. `who` has the units that are already chosen.
    pub fn can_take(&self, chart: &Chart, role: RoleId, unit: &Unit, who: &UnitsByRole) -> bool {
        let Some(role) = chart.roles.get(role) else { return false };
        let mut enemies = role
            .enemies
            .iter()
            .filter_map(|enemy| who.get(chart.roles[*enemy].id.as_str()))
            .flatten();
        let friend = |id: &String| self.state.unit(id).is_some_and(|known| known.side == unit.side);
        role.kind == unit.kind && (self.sides().len() < 2 || !enemies.any(friend))
    }

    /// The units of a request by role, including those that its pending test settles.
    pub fn taking_part(&self, play: &PlayRequest) -> UnitsByRole {
        let due = play
            .pending
            .as_ref()
            .and_then(|id| self.pending().find(|pending| pending.due.id == *id));
        let mut who = play.units.clone();
        who.extend(due.into_iter().flat_map(|pending| pending.due.units.clone()));
        who
    }

    /// The answers of a request, including those that its pending test settles.
    pub fn answers(&self, play: &PlayRequest) -> Values {
        let due = play
            .pending
            .as_ref()
            .and_then(|id| self.pending().find(|pending| pending.due.id == *id));
        let mut given = play.given.clone();
        given.extend(due.into_iter().flat_map(|pending| pending.due.with.clone()));
        given
    }

    /// The value that a unit or its side supplies to an input of its role.
    pub fn value_for(&self, unit: &Unit, input: &Input) -> Option<Value> {
        crate::play::value_of(&self.pack, &self.state, unit, input.source)
    }

    /// The phase and the turn. There is no phase if the pack has none.
    pub fn turn(&self) -> (Option<&Phase>, u32) {
        (self.pack.phases().get(self.state.phase), self.state.turn)
    }

    /// The phases that are not passed over: no option closes them, and their cards were supplied.
    pub fn open_phases(&self) -> impl Iterator<Item = (PhaseId, &Phase)> {
        let all = self.pack.phases().iter_enumerated();
        all.filter(|(place, _)| self.state.is_open(&self.pack, *place))
    }

    /// Whether each side has a deck of its own.
    pub fn is_own(&self, deck: &DeckSheet) -> bool {
        self.setup.as_ref().is_some_and(|setup| setup.is_own(deck))
    }

    /// What is left of each deck, for each side if the sides have their own.
    pub fn decks(&self) -> Vec<DeckLeft<'_>> {
        let open = self.setup.as_ref().is_some_and(|setup| setup.cards_open);
        let mut all = Vec::new();
        for (side, decks) in self.state.decks.iter().enumerate() {
            let cards = self.pack.decks().iter().zip(decks);
            // A user deck that was not supplied is not in the game.
            let cards = cards.filter(|(sheet, deck)| {
                sheet.chits.is_none() && deck.size() > 0 && (side == 0 || self.is_own(sheet))
            });
            all.extend(cards.map(|(sheet, deck)| DeckLeft {
                deck: sheet.id.as_str(),
                side: self.is_own(sheet).then_some(side),
                left: deck.left(),
                size: deck.size(),
                cards: open.then(|| deck.cards().collect()),
            }));
        }
        all
    }

    /// The bags and the units that have a chit in each now.
    pub fn bags(&self) -> Vec<(&DeckSheet, Vec<&Unit>)> {
        let Some(setup) = &self.setup else { return Vec::new() };
        let bag = |sheet: &'_ DeckSheet| sheet.chits.is_some();
        let bags = self.pack.decks().iter().filter(|sheet| bag(sheet));
        let filled = bags.filter_map(|sheet| {
            let chits = sheet.chits.as_ref()?;
            Some((sheet, in_bag(&self.pack, setup, &self.state, chits).collect()))
        });
        filled.collect()
    }

    /// The hands of cards that a player sees. A player sees the hands of one side, an umpire all
    /// of them, a spectator none; in a game without seats they are all open. This is a courtesy:
    /// the log holds every card.
    pub fn hands(&self, who: &str) -> Vec<HandOfCards<'_>> {
        let seat = self.people.iter().find(|(name, _)| name == who).map(|(_, seat)| seat);
        let sees = |side: usize| match seat {
            Some(Seat::Player { side: own }) => self.sides().get(side) == Some(own),
            Some(Seat::Umpire) => true,
            Some(Seat::Spectator) => false,
            None => self.people.is_empty(),
        };
        let mut all = Vec::new();
        for (set, decks) in self.state.decks.iter().enumerate() {
            for (sheet, deck) in self.pack.decks().iter().zip(decks) {
                let shared = !self.is_own(sheet);
                if shared && set > 0 {
                    continue;
                }
                let Some(rule) = sheet.hand else { continue };
                let owners: Vec<(usize, Option<&Unit>, u32)> = match rule.of {
                    HandOf::Side => {
                        let own = |side: &usize| shared || *side == set;
                        let sides = (0..self.sides().len()).filter(own);
                        sides.map(|side| (side, None, side as u32)).collect()
                    }
                    HandOf::Unit => {
                        let units = self.state.units.iter().zip(1..);
                        let own = |unit: &&Unit| shared || unit.side == set;
                        let units = units.map(|(unit, n)| (unit.as_ref(), n));
                        let units = units.filter(|(unit, _)| own(unit));
                        units.map(|(unit, n)| (unit.side, Some(unit), n)).collect()
                    }
                };
                for (side, unit, number) in owners {
                    let cards: Vec<u32> = deck.cards_at(CardPlace::Hand(number)).collect();
                    if unit.is_some() && cards.is_empty() {
                        continue;
                    }
                    all.push(HandOfCards {
                        deck: sheet,
                        side,
                        unit,
                        count: cards.len() as u32,
                        size: rule.size,
                        cards: sees(side).then_some(cards),
                    });
                }
            }
        }
        all
    }

    /// The piles of the decks and how many cards lie on each.
    pub fn piles(&self) -> Vec<(&DeckSheet, Option<usize>, &str, Vec<u32>)> {
        let mut all = Vec::new();
        for (set, decks) in self.state.decks.iter().enumerate() {
            for (sheet, deck) in self.pack.decks().iter().zip(decks) {
                let shared = !self.is_own(sheet);
                if shared && set > 0 {
                    continue;
                }
                for (place, pile) in (0..).zip(&sheet.piles) {
                    let cards = deck.cards_at(CardPlace::Pile(place)).collect();
                    all.push((sheet, (!shared).then_some(set), pile.as_str(), cards));
                }
            }
        }
        all
    }

    /// The open request for consent.
    pub fn asked(&self) -> Option<&ConsentRequest> {
        self.asked.as_ref()
    }

    /// The number of the event that an undo would undo.
    pub fn last_that_counts(&self) -> Option<u64> {
        self.acts.last().map(|act| act.n)
    }

    /// The charts that can be rolled with these units in these roles. Roles that are not named stay
    /// open.
    pub fn offered(&self, who: &UnitsByRole) -> Vec<&Chart> {
        let fits = |chart: &&Chart| {
            let play = crate::PlayRequest {
                chart: chart.id.to_string(),
                units: who.clone(),
                ..crate::PlayRequest::default()
            };
            self.situation(&play).is_ok_and(|situation| situation.closed_by().is_none())
        };
        self.pack.charts().iter().filter(fits).collect()
    }
}
