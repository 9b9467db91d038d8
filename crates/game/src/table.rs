//! A game in progress: the fold of its log. `begin`, `act` and `play` change nothing; they return
//! the next line. The caller stores the line and then applies it, so a failed store leaves
//! everything as it was. Each new line is tried on a copy of the state by the same fold that
//! applies it later, so every line made here is accepted. Each event that counts keeps what it
//! changed, so an undo or redo costs no more than that change.

use crate::event::{
    Begin, ConsentFor, Event, EventKind, LOG_FORMAT, NewUnit, PhaseStep, PlayRecord, Seat,
    UnfinishedRoll,
};
use crate::log_line::{self, LogLine, Stamp, fine};
use crate::look_alike::look_alike;
use crate::play::{self, PlayContext, PlayError, PlayRequest};
use crate::rejection::{
    Rejection, RequestRejection, RulesChanged, SealedRejection, SeatRejection, SetupRejection,
    TextField, display_as_debug, unknown,
};
use crate::roster;
use crate::sealed::{Hash, OnlyAnswers, Records, SealedGroup};
use crate::state::State;
use crate::undo::{Act, ConsentRequest};
use crate::verify::Difference;
use adjutant_dice::{InputSource, RecordedInput, Replay};
use adjutant_engine::{Resolution, Situation};
use adjutant_pack::{Noun, Pack};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What is wrong with a log, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogError {
    /// The number of the line.
    pub event: u64,
    /// What is wrong with it.
    pub fault: LogFault,
}

/// What is wrong with a line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogFault {
    /// The line's number does not match its place.
    OutOfOrder {
        /// The number in the line.
        found: u64,
    },
    /// The line's `prev` is not the hash of the line before.
    BrokenChain,
    /// The line's number does not match its place. Found without folding the log.
    WrongNumber {
        /// The number in the line.
        found: u64,
    },
    /// The `prev` of the next line is not the hash of this line. Found without folding the log.
    NotVouchedFor {
        /// The number of the next line.
        by: u64,
    },
    /// The last line is not the expected one.
    OtherEnd,
    /// The event is not accepted.
    Rejected(Rejection),
    /// The record differs from what the rules give.
    Differs(Difference),
    /// The rules cannot replay the play.
    NotReplayable(PlayError),
}

display_as_debug!(LogError);

impl LogError {
    pub(crate) fn rejected(event: u64, rejection: impl Into<Rejection>) -> LogError {
        LogError { event, fault: LogFault::Rejected(rejection.into()) }
    }
}

/// A game in progress. See the [crate page](crate) for how lines are made and applied.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) pack: Arc<Pack>,
    /// Whether the log may be from another version of the same pack's rules.
    pub(crate) any_rules: bool,
    pub(crate) setup: Option<Arc<Begin>>,
    pub(crate) people: Vec<(String, Seat)>,
    pub(crate) state: State,
    /// The events that count, in order.
    pub(crate) acts: Vec<Act>,
    /// Undone events that can be redone; the last one was undone last.
    pub(crate) undone: Vec<Act>,
    pub(crate) asked: Option<ConsentRequest>,
    pub(crate) lines: Vec<Box<str>>,
    /// The hash of the last line.
    pub(crate) head: String,
    /// The sealed group.
    pub(crate) circle: SealedGroup,
    /// All anchors and links that were ever revealed in this game. A known value seals nothing, so
    /// none may be used twice.
    pub(crate) shown: BTreeSet<Hash>,
    /// What each player did with sealed rolls.
    pub(crate) records: Records,
    /// The rolls that wait for an answer, each with its player and event.
    pub(crate) unfinished: Vec<(String, u64, Arc<UnfinishedRoll>)>,
}

impl Table {
    /// An empty game. The first line must set it up.
    pub fn empty(pack: Arc<Pack>) -> Table {
        Table {
            pack,
            any_rules: false,
            setup: None,
            people: Vec::new(),
            state: State::default(),
            acts: Vec::new(),
            undone: Vec::new(),
            asked: None,
            lines: Vec::new(),
            head: String::new(),
            circle: SealedGroup::default(),
            shown: BTreeSet::new(),
            records: Records::default(),
            unfinished: Vec::new(),
        }
    }

    /// Opens a log: folds its lines and stops at the first that does not fit.
    pub fn open<L: AsRef<str>>(
        pack: Arc<Pack>,
        lines: impl IntoIterator<Item = L>,
    ) -> Result<Table, LogError> {
        let mut table = Table::empty(pack);
        for line in lines {
            table.take(line.as_ref())?;
        }
        Ok(table)
    }

    /// Applies the next line, as [`Table::apply`] does, and returns nothing to describe it with.
    pub fn append(&mut self, line: &str) -> Result<(), LogError> {
        self.take(line)
    }

    pub(crate) fn take(&mut self, line: &str) -> Result<(), LogError> {
        let mut event = self.read_next(line)?;
        self.take_out(&mut event, line)
    }

    /// Parses the next line and checks its number and its place in the hash chain.
    pub fn read_next(&self, line: &str) -> Result<Event, LogError> {
        self.follows(log_line::read(line))
    }

    /// Checks the number of a parsed line and its place in the hash chain.
    pub(crate) fn follows(&self, read: Result<Event, Rejection>) -> Result<Event, LogError> {
        let n = self.lines.len() as u64 + 1;
        let event = read.map_err(|rejection| LogError::rejected(n, rejection))?;
        if event.n != n {
            return Err(LogError { event: n, fault: LogFault::OutOfOrder { found: event.n } });
        }
        if event.prev != self.head {
            return Err(LogError { event: n, fault: LogFault::BrokenChain });
        }
        Ok(event)
    }

    /// Folds an event that the caller still needs.
    pub(crate) fn take_read(&mut self, event: &Event, line: &str) -> Result<(), LogError> {
        self.take_out(&mut event.clone(), line)
    }

    /// Folds an event. What the state keeps is moved out of it.
    pub(crate) fn take_out(&mut self, event: &mut Event, line: &str) -> Result<(), LogError> {
        self.take_hashed(event, line, |head| log_line::fingerprint_into(line, head))
    }

    /// The same for a line whose hash is already known.
    pub(crate) fn take_hashed(
        &mut self,
        event: &mut Event,
        line: &str,
        print: impl FnOnce(&mut String),
    ) -> Result<(), LogError> {
        self.fold(event).map_err(|rejection| LogError::rejected(event.n, rejection))?;
        self.lines.push(line.into());
        print(&mut self.head);
        Ok(())
    }

    /// Folds an event.
    fn fold(&mut self, event: &mut Event) -> Result<(), Rejection> {
        self.admit(&event.by, &event.what)?;
        self.admit_sealed(&event.by, &event.what)?;
        self.admit_mark(&event.by, &event.what)?;
        let mark = self.pending_mark(&event.by, &event.what)?;
        match &mut event.what {
            EventKind::Begin(begin) => {
                self.state = State::start(&self.pack, begin)?;
                self.setup = Some(Arc::new(begin.clone()));
            }
            EventKind::Join { who, role } => {
                match self.people.iter_mut().find(|(known, _)| known == who) {
                    Some((_, seat)) => seat.clone_from(role),
                    None => self.people.push((who.clone(), role.clone())),
                }
            }
            EventKind::Undo { .. } => {
                if self.fold_undo()? {
                    self.record_undo(&event.by);
                }
            }
            EventKind::Redo { .. } => self.fold_redo()?,
            EventKind::Unfinished(roll) => {
                self.unfinished.retain(|(player, ..)| *player != event.by);
                if !roll.broken_off {
                    let roll = Arc::new(std::mem::take(&mut **roll));
                    self.unfinished.push((event.by.clone(), event.n, roll));
                }
            }
            EventKind::Ask { want, event: of, .. } => {
                self.asked = Some(ConsentRequest::new(event.n, *want, *of, event.by.clone()))
            }
            EventKind::Consent { yes, .. } => {
                let voices = self.voices_of(&event.by);
                if let Some(asked) = &mut self.asked {
                    asked.say(&event.by, event.n, voices, *yes);
                }
            }
            what if what.is_sealing() => {
                let after = self.circle_after((&event.by, &event.at), what)?;
                let alone = self.consent_to_withdraw(&event.by, &event.at).is_empty();
                let before = std::mem::replace(&mut self.circle, after);
                self.note_shown(what)?;
                // Consent given before a link was revealed does not hold after it. A new chain only
                // confirms the consent to leave the group.
                let confirms = matches!(what, EventKind::Seal(seal) if seal.last.is_some());
                self.asked =
                    self.asked.take().filter(|asked| confirms && asked.want == ConsentFor::Release);
                if let (Some(asked), Some(member)) = (&mut self.asked, before.member(&event.by))
                    && asked.event == member.seal
                {
                    asked.event = event.n;
                }
                self.record(event, &before, alone);
            }
            what => {
                let setup = self.started()?;
                let delta = self.state.apply(&self.pack, &setup, event.n, what)?;
                let act = Act {
                    n: event.n,
                    luck: what.has_luck(),
                    sealed: matches!(what, EventKind::Play(played) if played.call.is_some()),
                    side: self.side_of(&event.by),
                    played: self.played(),
                    delta,
                };
                self.acts.push(act);
                if let EventKind::Play(played) = what {
                    self.circle.call = None;
                    self.unfinished.retain(|(player, _, roll)| {
                        *player != event.by || !played.inputs.starts_with(&roll.inputs)
                    });
                }
                (self.undone, self.asked) = (Vec::new(), None);
            }
        }
        let members = self.circle.members.iter_mut();
        if let (Some(mark), Some(member)) =
            (mark, members.into_iter().find(|member| member.name == event.by))
        {
            member.marks.push(mark);
        }
        Ok(())
    }

    pub(crate) fn started(&self) -> Result<Arc<Begin>, Rejection> {
        self.setup.clone().ok_or_else(|| SetupRejection::NotStarted.into())
    }

    /// Checks seats, setup, undo and consent before the fold. The state has further conditions of
    /// its own.
    fn admit(&self, by: &str, what: &EventKind) -> Result<(), Rejection> {
        if let EventKind::Begin(begin) = what {
            return self.admit_begin(begin);
        }
        let setup = self.started()?;
        let seat = self.people.iter().find(|(known, _)| known == by).map(|(_, seat)| seat);
        if seat == Some(&Seat::Spectator) && !matches!(what, EventKind::Join { .. }) {
            return Err(SeatRejection::Spectator { name: by.into() }.into());
        }
        match what {
            EventKind::Join { who, role } => {
                fine(TextField::Joiner, who, 1, 60)?;
                if who != by
                    && self.people.iter().any(|(known, _)| known == who)
                    && !self.is_umpire(by)
                {
                    return Err(SeatRejection::Taken { name: who.into() }.into());
                }
                if let Some(known) = self.look_alike_of(who) {
                    let (name, known) = (who.into(), known.into());
                    return Err(SeatRejection::LookAlike { name, known }.into());
                }
                match role {
                    Seat::Player { side } if !setup.sides.contains(side) => {
                        Err(unknown(Noun::Side, side, setup.sides.iter().map(String::as_str)))
                    }
                    _ => Ok(()),
                }
            }
            EventKind::Unfinished(roll) => self.admit_unfinished(roll),
            EventKind::Undo { event, .. } => self.admit_back(by, ConsentFor::Undo, *event),
            EventKind::Redo { event, .. } => self.admit_back(by, ConsentFor::Redo, *event),
            EventKind::Ask { want, event, .. } => self.admit_ask(by, *want, *event),
            EventKind::Consent { ask, .. } => self.admit_consent(by, *ask),
            _ => Ok(()),
        }
    }

    /// A player with another name that looks like this one.
    pub fn look_alike_of(&self, name: &str) -> Option<&str> {
        if self.people.iter().any(|(known, _)| known == name) {
            return None;
        }
        let known = self.people.iter().map(|(known, _)| known.as_str());
        known.into_iter().find(|known| look_alike(known, name))
    }

    fn admit_begin(&self, begin: &Begin) -> Result<(), Rejection> {
        if self.setup.is_some() {
            return Err(SetupRejection::AlreadyStarted.into());
        }
        if begin.format != LOG_FORMAT {
            return Err(SetupRejection::Format { found: begin.format }.into());
        }
        let pack = &self.pack;
        if *pack.id() != begin.pack && !self.any_rules {
            return Err(SetupRejection::OtherPack {
                recorded: begin.pack.as_str().into(),
                given: pack.id().into(),
            }
            .into());
        }
        if *pack.hash() != begin.hash && !self.any_rules {
            let changed = RulesChanged {
                pack: pack.id().into(),
                recorded_version: begin.version.as_str().into(),
                recorded_hash: begin.hash.as_str().into(),
                version: pack.version().into(),
                hash: pack.hash().into(),
            };
            return Err(SetupRejection::RulesChanged(Box::new(changed)).into());
        }
        fine(TextField::TableName, &begin.name, 1, 80)?;
        if begin.sides.is_empty() || begin.sides.len() > 8 {
            return Err(SetupRejection::SideCount.into());
        }
        for (place, side) in begin.sides.iter().enumerate() {
            fine(TextField::SideName, side, 1, 40)?;
            if let Some(known) = begin.sides[..place].iter().find(|known| look_alike(known, side)) {
                return Err(match known == side {
                    true => SetupRejection::SideTwice { side: side.into() },
                    false => {
                        SetupRejection::SidesLookAlike { side: side.into(), known: known.into() }
                    }
                }
                .into());
            }
        }
        if let Some(side) = begin.run_by_sheet.iter().find(|side| !begin.sides.contains(side)) {
            return Err(unknown(Noun::Side, side, begin.sides.iter().map(String::as_str)));
        }
        if !begin.start.is_empty() && self.pack.start(&begin.start).is_none() {
            return Err(unknown(
                Noun::Start,
                &begin.start,
                self.pack.starts().iter().map(|start| start.id.as_str()),
            ));
        }
        for (id, record) in &begin.user_decks {
            if !self.pack.user_decks().any(|deck| deck.id == id.as_str()) {
                let known = self.pack.user_decks().map(|deck| deck.id.as_str());
                return Err(unknown(Noun::UserDeck, id, known));
            }
            if record.cards == 0 || record.cards > adjutant_pack::MOST_CARDS as u32 {
                return Err(SetupRejection::UserDeckSize { deck: id.into() }.into());
            }
        }
        Ok(())
    }

    /// The next line with this event, if it would be accepted.
    pub(crate) fn line(&self, stamp: &Stamp, what: EventKind) -> Result<LogLine, Rejection> {
        self.admit(&stamp.by, &what)?;
        self.admit_sealed(&stamp.by, &what)?;
        let n = self.lines.len() as u64 + 1;
        match &what {
            EventKind::Begin(begin) => State::start(&self.pack, begin).map(drop)?,
            what if what.is_sealing() => {
                self.circle_after((&stamp.by, &stamp.at), what).map(drop)?
            }
            what if what.counts() => {
                let setup = self.started()?;
                self.state.clone().apply(&self.pack, &setup, n, &mut what.clone())?;
            }
            _ => {}
        }
        self.admit_mark(&stamp.by, &what)?;
        log_line::write(n, stamp, &self.head, what)
    }

    /// The line that sets up the game. Log format, pack, version, hash and user decks are filled
    /// in.
    pub fn begin(&self, stamp: &Stamp, begin: Begin) -> Result<LogLine, Rejection> {
        let (pack, version, hash) = (
            self.pack.id().to_string(),
            self.pack.version().to_owned(),
            self.pack.hash().to_string(),
        );
        self.line(
            stamp,
            EventKind::Begin(Begin {
                format: LOG_FORMAT,
                pack,
                version,
                hash,
                user_decks: user_decks(&self.pack),
                ..begin
            }),
        )
    }

    pub(crate) fn next_number(&self) -> u64 {
        self.lines.len() as u64 + 1
    }

    /// The line of any event except a play. The ids of new units, the effects of a phase and the
    /// plays that land are filled in, and values are called by their ids.
    pub fn act(&self, stamp: &Stamp, what: EventKind) -> Result<LogLine, Rejection> {
        let what = match what {
            EventKind::Play(_) | EventKind::Unfinished(_) => {
                return Err(RequestRejection::ByHand.into());
            }
            EventKind::Begin(begin) => return self.begin(stamp, begin),
            EventKind::Add(recruits) => {
                let ids = self.state.units.len() + 1..;
                EventKind::Add(
                    ids.zip(recruits)
                        .map(|(id, recruit)| NewUnit {
                            id: format!("u{id}"),
                            has: roster::values(recruit.has),
                            ..recruit
                        })
                        .collect(),
                )
            }
            EventKind::Set(mut edit) => {
                edit.has = roster::values(edit.has);
                EventKind::Set(edit)
            }
            EventKind::Phase(step) => {
                let unknown = |to: &str| {
                    unknown(
                        Noun::Phase,
                        to,
                        self.pack.phases().iter().map(|phase| phase.id.as_str()),
                    )
                };
                let to = match step.to.as_str() {
                    "" => None,
                    to => Some(self.pack.phase_id(to).ok_or_else(|| unknown(to))?),
                };
                let setup = self.started()?;
                EventKind::Phase(self.state.step(&self.pack, &setup, self.next_number(), to))
            }
            EventKind::Start { .. } => {
                let setup = self.started()?;
                EventKind::Start { due: self.state.opening(&self.pack, &setup, self.next_number()) }
            }
            EventKind::Land { .. } => {
                EventKind::Land { plays: self.state.held.iter().map(|held| held.n).collect() }
            }
            other => other,
        };
        self.line(stamp, what)
    }

    /// The line that moves to the next phase.
    pub fn next_phase(&self, stamp: &Stamp) -> Result<LogLine, Rejection> {
        self.act(stamp, EventKind::Phase(PhaseStep::default()))
    }

    /// The line that applies the effects of simultaneous attacks.
    ///
    /// If a sheet says that a chart's attacks are resolved at the same time (`together`), the
    /// effects and follow-ups of a roll on it wait: a unit that the first attack eliminates still
    /// makes its own attack. When all these attacks are rolled, the player applies the results.
    /// Until then only such attacks can be rolled, and the phase cannot end.
    pub fn land(&self, stamp: &Stamp) -> Result<LogLine, Rejection> {
        self.act(stamp, EventKind::Land { plays: Vec::new() })
    }

    /// Rolls a chart and makes the line that records the outcome. The input source is asked for
    /// dice, cards and answers. With faces entered by hand, the caller checks that none is left
    /// over.
    ///
    /// New units join the side that the request names; else the side of the unit that caused the
    /// chart; else a side that the sheet runs; else the last side that is not the player's own. If
    /// each side has its own decks, cards come from the side that the request names; else from the
    /// side of the unit in the chart's first role; else from the side of the chart that this one
    /// follows at once; else from the player's own.
    ///
    /// A unit that is out, that the chart is not for, or whose status stops the chart while it has
    /// the first role, is refused with [`PlayError::RuledOut`]. [`PlayRequest::anyway`] allows it.
    pub fn play(
        &self,
        stamp: &Stamp,
        play: &PlayRequest,
        source: &mut dyn InputSource,
    ) -> Result<LogLine, PlayError> {
        self.continue_play(stamp, play, &[], source).map(|(line, _)| line)
    }

    /// Like [`Table::play`], but continues from the inputs of an attempt that stopped
    /// ([`PlayError::Needs`]) and also returns the whole resolution.
    pub fn continue_play(
        &self,
        stamp: &Stamp,
        play: &PlayRequest,
        inputs: &[RecordedInput],
        source: &mut dyn InputSource,
    ) -> Result<(LogLine, Resolution), PlayError> {
        let setup = self.started()?;
        // A player who may not act may not roll either.
        self.admit(&stamp.by, &EventKind::Play(Box::default()))?;
        log_line::write(1, stamp, "", EventKind::Note { text: String::new() })?;
        if let Some(call) = self.open_call() {
            return Err(SealedRejection::CallOpen { call: call.n }.into());
        }
        let ground = self.ground(&setup, &stamp.by);
        let rolled = match self.rolls_sealed() {
            false => play::roll(&ground, play, inputs, Some(source))?,
            true => {
                let mut answers = OnlyAnswers::new(source);
                let rolled = play::roll(&ground, play, inputs, Some(&mut answers));
                rolled.map_err(|stop| {
                    if answers.asked_for_luck { SealedRejection::MustCall.into() } else { stop }
                })?
            }
        };
        Ok((self.line_of_play(stamp, rolled.record.unwrap_or_default())?, rolled.resolution))
    }

    /// The line of a play. If the game does not accept what follows from the dice, it is recorded
    /// without that.
    pub(crate) fn line_of_play(
        &self,
        stamp: &Stamp,
        record: PlayRecord,
    ) -> Result<LogLine, Rejection> {
        let line = |record| self.line(stamp, EventKind::Play(Box::new(record)));
        match line(record.clone()) {
            Err(why) if record.has_luck() => line(record.not_applied(&why)),
            made => made,
        }
    }

    /// The roll of a player that waits for an answer, and its event.
    pub fn unfinished_of(&self, player: &str) -> Option<(u64, &UnfinishedRoll)> {
        let found = self.unfinished.iter().find(|(known, ..)| known == player);
        found.map(|(_, n, roll)| (*n, &**roll))
    }

    /// The line that records a roll which stopped after dice or cards had come; `None` if none
    /// have, or if a roll that waits has only those of the player. `broken_off` says that it cannot
    /// go on.
    pub fn unfinished(
        &self,
        stamp: &Stamp,
        request: &PlayRequest,
        inputs: &[RecordedInput],
        broken_off: bool,
    ) -> Result<Option<LogLine>, Rejection> {
        let counts = |input: &RecordedInput| input.is_drawn() || (broken_off && !input.is_answer());
        if !inputs.iter().any(counts) {
            return Ok(None);
        }
        let request = self.whole_request(&stamp.by, request);
        let roll = UnfinishedRoll { request, inputs: inputs.to_vec(), broken_off };
        self.line(stamp, EventKind::Unfinished(Box::new(roll))).map(Some)
    }

    /// A request with what its pending test settles. One that is not accepted stays as it is.
    pub fn whole_request(&self, by: &str, request: &PlayRequest) -> PlayRequest {
        let whole = |setup: &Arc<Begin>| {
            let ready = play::ready(&self.ground(setup, by), &self.state, request).ok()?;
            Some(ready.into_request(request))
        };
        self.setup.as_ref().and_then(whole).unwrap_or_else(|| request.clone())
    }

    fn admit_unfinished(&self, roll: &UnfinishedRoll) -> Result<(), Rejection> {
        let chart = self.pack.chart(&roll.request.chart);
        let known = || self.pack.charts().iter().map(|chart| chart.id.as_str());
        chart.map(drop).ok_or_else(|| unknown(Noun::Chart, &roll.request.chart, known()))
    }

    pub(crate) fn ground<'a>(&'a self, setup: &'a Begin, by: &str) -> PlayContext<'a> {
        // A called roll belongs to the player who called it, even if another player makes the line.
        let side = self.open_call().map_or_else(|| self.side_of(by), |call| call.side);
        PlayContext {
            pack: &self.pack,
            setup,
            state: &self.state,
            n: self.lines.len() as u64 + 1,
            side,
            brief: false,
            from_log: false,
        }
    }

    /// The situation of a play before the roll. The engine computes the missing inputs and the odds
    /// from it.
    pub fn situation(&self, play: &PlayRequest) -> Result<Situation<'_>, PlayError> {
        self.situation_for("", play)
    }

    /// The same for a given player: if each side has its own decks, a chart without units draws
    /// from the player's.
    pub fn situation_for(&self, by: &str, play: &PlayRequest) -> Result<Situation<'_>, PlayError> {
        let setup = self.setup.as_deref().ok_or(SetupRejection::NotStarted)?;
        play::ready(&self.ground(setup, by), &self.state, play).map(|ready| ready.situation)
    }

    /// The resolution of an unfinished play, as far as these inputs go. Nothing is rolled.
    pub fn resolution_so_far(
        &self,
        by: &str,
        play: &PlayRequest,
        inputs: &[RecordedInput],
    ) -> Option<Resolution> {
        let mut situation = self.situation_for(by, play).ok()?;
        match adjutant_engine::resolve(&mut situation, &mut Replay::new(inputs)) {
            Ok(resolution) => Some(resolution),
            Err(stopped) => Some(*stopped.resolution),
        }
    }
}

/// The user decks that the player supplied with a pack.
fn user_decks(pack: &Pack) -> std::collections::BTreeMap<String, crate::event::UserDeckRecord> {
    let record = |deck: &adjutant_pack::DeckSheet| {
        let hash = deck.user.as_ref()?.hash.as_ref()?.to_string();
        Some((
            deck.id.to_string(),
            crate::event::UserDeckRecord { cards: deck.cards.len() as u32, hash },
        ))
    };
    adjutant_dice::map_of(pack.user_decks().filter_map(record))
}
