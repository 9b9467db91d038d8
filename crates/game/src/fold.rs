//! The fold: applies one event to the state. A play applies what is recorded; `verify` checks
//! whether the chart agrees. Nothing here panics on a forged log.
//!
//! The effects and follow-ups of simultaneous attacks (a chart with `together`) wait for a `land`
//! event. Until then only such attacks can be rolled.

use crate::card_place::LoggedPlace;
use crate::event::{Begin, DeckAct, Drawn, DueTest, EventKind, PhaseStep, PlayRecord};
use crate::journal::{Delta, Swap};
use crate::log_line::fine;
use crate::recorded_change::{LogTerms, RecordedChange};
use crate::rejection::{
    DeckRejection, Rejection, RequestRejection, SetupRejection, TextField, TurnRejection,
    UnitRejection, unknown,
};
use crate::roster;
use crate::state::{HeldPlay, PendingTest, State, Unit, no_unit};
use crate::turn::in_bag;
use adjutant_dice::{CardPlace, Deck, Text};
use adjutant_pack::{Chart, DeckId, EffectKind, Noun, Pack, PhaseId, RoleId};
use std::sync::Arc;

impl State {
    /// Applies an event that counts, and returns what it changed. An event that is not accepted
    /// changes nothing. Due tests are moved out of the event: copying them would double the cost.
    pub(crate) fn apply(
        &mut self,
        pack: &Pack,
        setup: &Begin,
        n: u64,
        what: &mut EventKind,
    ) -> Result<Delta, Rejection> {
        let done = self.apply_in_part(pack, setup, n, what);
        let mut delta = self.take_noted();
        done.inspect_err(|_| delta.undo(self))?;
        Ok(delta)
    }

    /// The same. An event that is not accepted may have changed something.
    fn apply_in_part(
        &mut self,
        pack: &Pack,
        setup: &Begin,
        n: u64,
        what: &mut EventKind,
    ) -> Result<(), Rejection> {
        #[cfg(test)]
        crate::journal::WORK.set(crate::journal::WORK.get() + 1);
        match what {
            EventKind::Add(recruits) if recruits.is_empty() => Err(UnitRejection::NoneNamed.into()),
            EventKind::Add(recruits) => {
                recruits.iter().try_for_each(|recruit| roster::add(self, pack, setup, recruit))
            }
            EventKind::Set(change) => {
                roster::change(self, pack, setup, change)?;
                self.lapse(pack);
                Ok(())
            }
            EventKind::Remove { unit, word } => {
                fine(TextField::LeavingWord, word, 1, 60)?;
                let known = self.unit_mut(unit)?;
                if known.gone.is_some() {
                    return Err(
                        UnitRejection::LeftAlready { name: known.name.as_str().into() }.into()
                    );
                }
                known.gone = Some(word.clone());
                self.note_left();
                self.lapse(pack);
                Ok(())
            }
            EventKind::Option { name, value } => self.set_option(pack, name, value),
            EventKind::Memory { name, side: None, value } => self.set_memory(pack, name, value),
            EventKind::Memory { name, side: Some(side), value } => {
                self.set_memory_of(pack, setup, (name, side), value)
            }
            EventKind::Play(played) => self.play(pack, setup, n, played),
            EventKind::Land { plays } => self.land(pack, plays),
            EventKind::Skip { pending, reason } => {
                fine(TextField::Reason, reason, 1, 200)?;
                self.use_up(pending)
            }
            EventKind::Start { due } => self.open(pack, n, due),
            EventKind::Phase(step) => self.phase(pack, n, step),
            EventKind::Deck { deck, side, act, cards } => {
                self.deck(pack, setup, (deck, side.as_ref()), *act, cards)
            }
            EventKind::Note { text } => Ok(fine(TextField::Remark, text, 1, 500)?),
            _ => Err(Rejection::NotAGameEvent),
        }
    }

    fn play(
        &mut self,
        pack: &Pack,
        setup: &Begin,
        n: u64,
        played: &mut PlayRecord,
    ) -> Result<(), Rejection> {
        let Some(chart) = pack.chart(&played.request.chart) else {
            return Err(unknown(
                Noun::Chart,
                &played.request.chart,
                pack.charts().iter().map(|chart| chart.id.as_str()),
            ));
        };
        self.may_roll(chart)?;
        if let Some(unit) =
            played.request.units.values().flatten().find(|unit| self.place(unit).is_none())
        {
            return Err(no_unit(unit));
        }
        if let Some(pending) = &played.request.pending {
            self.use_up(pending)?;
        }
        self.check_chits(pack, setup, &played.cards)?;
        played.cards.iter().try_for_each(|drawn| self.drawn(pack, setup, drawn))?;
        played.appear.iter().try_for_each(|recruit| roster::add(self, pack, setup, recruit))?;
        for (place, due) in played.next.iter().enumerate() {
            self.check_due(pack, n, place, due)?;
            if let Some(side) = due.role_sides.values().find(|side| !setup.sides.contains(side)) {
                return Err(unknown(Noun::Side, side, setup.sides.iter().map(String::as_str)));
            }
        }
        if played.request.anyway {
            self.anyway.push(n);
            self.note(Swap::Anyway(None));
        }
        let (next, anyway) = (std::mem::take(&mut played.next), played.request.anyway);
        if played.held {
            self.held.push(Arc::new(HeldPlay { n, effects: played.effects.clone(), next, anyway }));
            self.note(Swap::Held(None));
            return Ok(());
        }
        // If nothing changes, pending tests stay as they are.
        let changes = !played.effects.is_empty() || !next.is_empty();
        let next = self.spared(pack, next, anyway);
        self.put_on(pack, &played.effects)?;
        self.fall_due(pack, n, next);
        if changes {
            self.lapse(pack);
        }
        Ok(())
    }

    /// While simultaneous attacks wait for their results, only such attacks can be rolled.
    pub(crate) fn may_roll(&self, chart: &Chart) -> Result<(), RequestRejection> {
        match self.held.is_empty() || chart.together.is_some() {
            true => Ok(()),
            false => Err(RequestRejection::AttacksHeld { chart: chart.title.clone() }),
        }
    }

    fn check_due(&self, pack: &Pack, n: u64, place: usize, due: &DueTest) -> Result<(), Rejection> {
        let own = |id: &str| {
            id.split_once('.')
                .is_some_and(|(event, nth)| event.parse() == Ok(n) && nth.parse() == Ok(place + 1))
        };
        if !own(&due.id) {
            return Err(TurnRejection::TestId { event: n, id: due.id.as_str().into() }.into());
        }
        if pack.chart(&due.chart).is_none() {
            return Err(unknown(
                Noun::Chart,
                &due.chart,
                pack.charts().iter().map(|chart| chart.id.as_str()),
            ));
        }
        match due
            .units
            .values()
            .flatten()
            .find(|id| self.unit(id).is_none_or(|unit| unit.gone.is_some()))
        {
            Some(unit) if self.place(unit).is_some() => {
                Err(TurnRejection::TestOfGoneUnit { unit: unit.into() }.into())
            }
            Some(unit) => Err(no_unit(unit)),
            None => Ok(()),
        }
    }

    fn put_on(&mut self, pack: &Pack, effects: &[RecordedChange]) -> Result<(), Rejection> {
        for effect in effects {
            match effect.kind.memory() {
                Some((memory, operation, value)) => {
                    self.change_memory(pack, (memory, &effect.on), operation, value)?;
                }
                None if effect.on.is_empty() || !effect.kind.is_on_unit() => {}
                None => affect(pack, self.unit_mut(&effect.on)?, &effect.kind)?,
            }
        }
        if effects.iter().any(|effect| effect.kind.leaves().is_some()) {
            self.note_left();
        }
        Ok(())
    }

    /// Marks each test that only its own result rules out. These are tests that are due at once and
    /// could be rolled before the result, or that belong to a play that was allowed anyway.
    fn spared(&self, pack: &Pack, next: Vec<DueTest>, anyway: bool) -> Vec<(DueTest, bool)> {
        let spared = |due: &DueTest| due.now && (anyway || !self.is_ruled_out(pack, due));
        let marked = |due: DueTest| {
            let spared = spared(&due);
            (due, spared)
        };
        next.into_iter().map(marked).collect()
    }

    /// Whether a unit of a test is ruled out.
    fn is_ruled_out(&self, pack: &Pack, due: &DueTest) -> bool {
        let place = pack.chart_id(&due.chart);
        place.is_some_and(|place| !self.stopped(pack, place, &due.units, &due.with).is_empty())
    }

    /// Queues the tests that follow: those due at once before all others, the rest after them.
    fn fall_due(&mut self, pack: &Pack, n: u64, next: Vec<(DueTest, bool)>) {
        if next.is_empty() {
            return;
        }
        self.note_pending();
        let mut first = 0;
        for (due, spared) in next {
            let place = if due.now { first } else { self.pending.len() };
            first += usize::from(due.now);
            let despite = spared && self.is_ruled_out(pack, &due);
            self.pending.insert(place, Arc::new(PendingTest { due, stems: n, despite }));
        }
    }

    /// Takes units that cannot take part any more out of a test for several units, unless none is
    /// left.
    fn thin_out(&self, pack: &Pack, pending: &mut Arc<PendingTest>) {
        let Some(chart) = pack.chart_id(&pending.due.chart) else { return };
        let Some(each) = pack.charts()[chart].each.as_ref().map(|each| each.role) else { return };
        let role = pack.charts()[chart].roles[each].id.as_str();
        let Some(units) = pending.due.units.get(role) else { return };
        let stays = |id: &&String| {
            self.unit(id).is_some_and(|unit| {
                let given = &pending.due.with;
                let stopped = || self.ruling(pack, (chart, each), unit, given).is_some();
                unit.gone.is_none() && (pending.despite || !stopped())
            })
        };
        let left: Vec<String> = units.iter().filter(stays).cloned().collect();
        if !left.is_empty() && left.len() < units.len() {
            Arc::make_mut(pending).due.units.insert(role.to_owned(), left);
        }
    }

    /// Drops tests whose unit has left, is out, or is ruled out. If the chart asks
    /// nothing of a unit, that unit may leave: the test goes on without it. A test that its own
    /// result spared is dropped only if its unit leaves.
    fn lapse(&mut self, pack: &Pack) {
        if self.pending.is_empty() {
            return;
        }
        self.note_pending();
        let mut pending = std::mem::take(&mut self.pending);
        let away =
            |id: &String| self.unit(id).is_none_or(|unit| unit.gone.is_some() || unit.is_out(pack));
        for known in &mut pending {
            self.thin_out(pack, known);
            self.hand_over(pack, known);
            if !known.due.units.values().flatten().any(away) {
                continue;
            }
            let concerns = |chart: &Chart, role: &String| {
                chart.role(role).is_none_or(|role| chart.concerns(role))
            };
            let matters = |role: &String| {
                pack.chart(&known.due.chart).is_none_or(|chart| concerns(chart, role))
            };
            let idle: Vec<String> = known
                .due
                .units
                .iter()
                .filter(|(role, units)| units.iter().any(away) && !matters(role))
                .map(|(role, _)| role.clone())
                .collect();
            if !idle.is_empty() {
                let due = &mut Arc::make_mut(known).due;
                idle.iter().for_each(|role| drop(due.units.remove(role)));
            }
        }
        let left = |id: &String| self.unit(id).is_none_or(|unit| unit.gone.is_some());
        let lapses = |pending: &PendingTest| {
            let due = &pending.due;
            due.units.values().flatten().any(left)
                || self.lacks_enemy(pack, due)
                || (!pending.despite && self.is_ruled_out(pack, due))
        };
        pending.retain(|pending| !lapses(pending));
        self.pending = pending;
    }

    /// Whether a test needs an enemy of one of its units and all enemies on the roster are gone. If
    /// the roster never had enemies this is false: they may be on the real table without being on
    /// the roster.
    fn lacks_enemy(&self, pack: &Pack, due: &DueTest) -> bool {
        let Some(chart) = pack.chart(&due.chart) else { return false };
        let open = |(place, role): &(RoleId, &adjutant_pack::Role)| {
            !due.units.contains_key(role.id.as_str()) && chart.concerns(*place)
        };
        chart.roles.iter_enumerated().filter(open).any(|(_, role)| {
            let taken = |enemy: &RoleId| {
                self.unit(due.units.get(chart.roles[*enemy].id.as_str())?.first()?)
            };
            role.enemies.iter().filter_map(taken).any(|unit| {
                let enemy = |other: &Unit| other.kind == role.kind && other.side != unit.side;
                // Most units of a long game have left, so those that are here come first.
                !self.here().any(|other| enemy(other) && !other.is_out(pack))
                    && self.units.iter().any(|other| enemy(other))
            })
        })
    }

    fn use_up(&mut self, id: &str) -> Result<(), Rejection> {
        match self.pending.iter().position(|pending| pending.due.id == id) {
            Some(place) => {
                self.note_pending();
                self.pending.remove(place);
                Ok(())
            }
            None => Err(unknown(
                Noun::PendingTest,
                id,
                self.pending.iter().map(|pending| pending.due.id.as_str()),
            )),
        }
    }

    fn land(&mut self, pack: &Pack, plays: &[u64]) -> Result<(), Rejection> {
        if self.held.is_empty() {
            return Err(TurnRejection::NothingHeld.into());
        }
        if !self.held.iter().map(|held| &held.n).eq(plays) {
            return Err(TurnRejection::NotWhatIsHeld.into());
        }
        let held = std::mem::take(&mut self.held);
        self.note(Swap::Landed(held.clone()));
        let next: Vec<(u64, Vec<(DueTest, bool)>)> = held
            .iter()
            .map(|held| (held.n, self.spared(pack, held.next.clone(), held.anyway)))
            .collect();
        held.iter().try_for_each(|held| self.put_on(pack, &held.effects))?;
        // In the order of the plays, each with its follow-ups.
        for ((n, next), now) in
            next.iter().rev().map(|next| (next, true)).chain(next.iter().map(|next| (next, false)))
        {
            let next = next.iter().filter(|(due, _)| due.now == now).cloned().collect();
            self.fall_due(pack, *n, next);
        }
        self.lapse(pack);
        Ok(())
    }

    fn open(&mut self, pack: &Pack, n: u64, due: &mut Vec<DueTest>) -> Result<(), Rejection> {
        if self.started {
            return Err(TurnRejection::StartedAlready.into());
        }
        self.note_turn();
        self.started = true;
        self.all_due(pack, n, due)
    }

    /// Checks due tests and queues them.
    fn all_due(&mut self, pack: &Pack, n: u64, due: &mut Vec<DueTest>) -> Result<(), Rejection> {
        due.iter().enumerate().try_for_each(|(place, due)| self.check_due(pack, n, place, due))?;
        let due = std::mem::take(due).into_iter().map(|due| (due, false)).collect();
        self.fall_due(pack, n, due);
        self.lapse(pack);
        Ok(())
    }

    fn phase(&mut self, pack: &Pack, n: u64, step: &mut PhaseStep) -> Result<(), Rejection> {
        if !self.held.is_empty() {
            return Err(TurnRejection::AttacksHeld.into());
        }
        let to = match pack.phase_id(&step.to) {
            Some(place) => place,
            None if pack.phases().is_empty() && step.to.is_empty() => PhaseId::FIRST,
            None => {
                return Err(unknown(
                    Noun::Phase,
                    &step.to,
                    pack.phases().iter().map(|phase| phase.id.as_str()),
                ));
            }
        };
        if !pack.phases().is_empty() && !self.is_open(pack, to) {
            return Err(
                TurnRejection::PhaseClosed { phase: pack.phases()[to].title.clone() }.into()
            );
        }
        let expected = self.turn_of(to);
        if step.turn != expected {
            return Err(TurnRejection::WrongTurn {
                to: step.to.as_str().into(),
                turn: step.turn,
                expected,
            }
            .into());
        }
        crate::turn::lift_all(self, pack, step)?;
        self.note_turn();
        (self.phase, self.turn, self.started) = (to, step.turn, true);
        self.all_due(pack, n, &mut step.due)
    }

    /// The place of a deck by its id, and by its side if each side has its own.
    fn deck_place(
        &self,
        pack: &Pack,
        setup: &Begin,
        (id, side): (&str, Option<&String>),
    ) -> Result<(usize, DeckId), Rejection> {
        let place = pack.deck_id(id);
        let place = place.ok_or_else(|| {
            unknown(Noun::Deck, id, pack.decks().iter().map(|deck| deck.id.as_str()))
        })?;
        let of = match (setup.is_own(&pack.decks()[place]), side) {
            (false, None) => 0,
            (false, Some(_)) => return Err(DeckRejection::Shared.into()),
            (true, None) => {
                return Err(DeckRejection::WhichSide {
                    sides: setup.sides.iter().map(Text::from).collect(),
                }
                .into());
            }
            (true, Some(side)) => {
                let known = setup.sides.iter().position(|known| known == side);
                known.ok_or_else(|| {
                    unknown(Noun::Side, side, setup.sides.iter().map(String::as_str))
                })?
            }
        };
        Ok((of, place))
    }

    /// Moves cards of a deck. A deck that the sides share is the same for each of them, also if they
    /// have others of their own.
    fn move_cards(
        &mut self,
        pack: &Pack,
        setup: &Begin,
        which: (&str, Option<&String>),
        work: impl FnOnce(&mut Deck) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        let (of, place) = self.deck_place(pack, setup, which)?;
        let deck = self.decks.get_mut(of).and_then(|decks| decks.get_mut(place));
        let deck = deck.ok_or(SetupRejection::PackMismatch)?;
        let before = deck.clone();
        let done = work(deck);
        self.note_cards(of, place, &before);
        let [first, others @ ..] = self.decks.as_mut_slice() else { return done };
        if !setup.is_own(&pack.decks()[place]) {
            let others = others.iter_mut().filter_map(|decks| decks.get_mut(place));
            others.for_each(|deck| deck.clone_from(&first[place]));
            (1..self.decks.len()).for_each(|side| self.note_cards(side, place, &before));
        }
        done
    }

    fn deck(
        &mut self,
        pack: &Pack,
        setup: &Begin,
        which: (&str, Option<&String>),
        act: DeckAct,
        cards: &[u32],
    ) -> Result<(), Rejection> {
        if pack.deck(which.0).is_some_and(|deck| deck.chits.is_some()) {
            return Err(DeckRejection::Bag.into());
        }
        self.move_cards(pack, setup, which, |deck| {
            if (act == DeckAct::Reshuffle) != cards.is_empty() {
                return Err(DeckRejection::CardsNamed.into());
            }
            match act {
                DeckAct::Reshuffle => {
                    deck.reshuffle();
                }
                DeckAct::TakeOut => cards.iter().try_for_each(|card| deck.take(*card))?,
                DeckAct::PutBack => cards.iter().try_for_each(|card| deck.put_back(*card))?,
            }
            Ok(())
        })
    }

    /// Whether the chits of a play fit the bags as they are before it.
    fn check_chits(&self, pack: &Pack, setup: &Begin, cards: &[Drawn]) -> Result<(), Rejection> {
        let mut gone: Vec<(&str, u32)> = Vec::new();
        for drawn in cards {
            let chits = pack.deck(&drawn.deck).and_then(|deck| deck.chits.as_ref());
            let Some(chits) = chits else {
                match (&drawn.unit, drawn.left) {
                    (None, None) => continue,
                    _ => return Err(DeckRejection::WrongChit.into()),
                }
            };
            let [chit] = drawn.took.as_slice() else { return Err(DeckRejection::WrongChit.into()) };
            let units: Vec<&Unit> = in_bag(pack, setup, self, chits).collect();
            let place = chit.checked_sub(1).and_then(|at| units.get(at as usize));
            let before = gone.iter().filter(|(deck, _)| *deck == drawn.deck).count();
            let fits = Drawn {
                deck: drawn.deck.clone(),
                took: vec![*chit],
                unit: place.map(|unit| unit.id.clone()),
                left: units.len().checked_sub(before + 1).map(|left| left as u32),
                ..Drawn::default()
            };
            if place.is_none() || fits != *drawn || gone.contains(&(&drawn.deck, *chit)) {
                return Err(DeckRejection::WrongChit.into());
            }
            gone.push((&drawn.deck, *chit));
        }
        Ok(())
    }

    fn drawn(&mut self, pack: &Pack, setup: &Begin, drawn: &Drawn) -> Result<(), Rejection> {
        if pack.deck(&drawn.deck).is_some_and(|deck| deck.chits.is_some()) {
            // A bag has no state.
            return Ok(());
        }
        let which = (drawn.deck.as_str(), drawn.side.as_ref());
        self.deck_place(pack, setup, which)?;
        let sheet = pack.deck(&drawn.deck).ok_or(SetupRejection::PackMismatch)?;
        let place = |named: &Option<LoggedPlace>, usual: CardPlace| {
            let place = named.as_ref().map_or(Some(usual), |named| named.find(sheet, setup));
            place.ok_or(Rejection::from(DeckRejection::NoSuchPlace))
        };
        let from = place(&drawn.from, CardPlace::Deck)?;
        let to = place(&drawn.to, CardPlace::Discard)?;
        self.move_cards(pack, setup, which, |deck| {
            if drawn.reshuffled {
                deck.reshuffle();
            }
            for card in &drawn.took {
                if from == CardPlace::Deck {
                    deck.can_take(*card)?;
                } else if deck.place(*card) != Some(from) {
                    return Err(DeckRejection::NotThere { card: *card }.into());
                }
                deck.put(*card, to)?;
            }
            Ok(())
        })
    }
}

/// Applies a change to its unit.
pub(crate) fn affect(
    pack: &Pack,
    unit: &mut Unit,
    effect: &EffectKind<LogTerms>,
) -> Result<(), Rejection> {
    match effect.status() {
        Some((status, true)) if is_kept_off(pack, unit, status) => {}
        Some((status, true)) => roster::put_on(pack, unit, status)?,
        Some((status, false)) => roster::lift(pack, unit, status)?,
        None => {}
    }
    if let Some((attribute, operation, value)) = effect.attribute() {
        roster::change_value(pack, unit, attribute, operation, value)?;
    }
    if let Some(how) = effect.leaves() {
        unit.gone.get_or_insert_with(|| how.to_string());
    }
    Ok(())
}

/// Whether a status of the unit keeps off another.
fn is_kept_off(pack: &Pack, unit: &Unit, id: &str) -> bool {
    pack.status_id(id).is_some_and(|id| {
        unit.statuses.iter().any(|known| pack.statuses()[*known].keeps_off.contains(&id))
    })
}
