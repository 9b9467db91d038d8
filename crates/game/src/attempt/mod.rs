//! A chart that is being played: everything between the choice of its units and the line in the
//! log. The page, the full-screen session, the command and the server each hold an [`Attempt`],
//! change it by a [`Move`], and draw its [`AttemptView`]. The rules of a roll in progress are here
//! only:
//!
//! - After the first die or card nothing of the request can be changed.
//! - What the program rolled is never taken back; what the player gave last is.
//! - Whatever can be refused is refused before luck enters; whatever luck has entered is recorded,
//!   also if the roll waits, is left or does not fit the game any more.

mod view;

pub use view::{AttemptView, Candidate, InputView, RoleState, RoleView, Stage, ValueFrom};

use crate::event::{DueTest, EventKind};
use crate::log_line::{LogLine, Stamp};
use crate::play::{PlayError, PlayRequest, unit_of_member};
use crate::rejection::{Rejection, display_as_debug};
use crate::ruled_out::RuledOut;
use crate::table::Table;
use adjutant_dice::{
    Answer, CardRequest, DiceRequest, InputSource, Missing, OwnLuck, Question, RecordedInput,
    RollSoFar, SourceError, ThrownBy, WayBack,
};
use adjutant_engine::Resolution;
use adjutant_pack::{Chart, RoleId};
use serde::{Deserialize, Serialize};

/// A chart that is being played: the request, and the inputs of the roll so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    request: PlayRequest,
    /// The roles of someone who is not on the roster: their values are asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unlisted: Vec<String>,
    /// The dice and cards that are the player's own.
    #[serde(default)]
    own: OwnLuck,
    #[serde(default)]
    inputs: RollSoFar,
}

/// A change of the situation before the roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// A unit takes a role, or gives it up. In a role for one unit it replaces the other.
    Choose {
        /// The role.
        role: String,
        /// The unit's id.
        unit: String,
    },
    /// A unit takes a role once more, where several roll.
    ChooseAgain {
        /// The role.
        role: String,
        /// The unit's id.
        unit: String,
    },
    /// All units that can take a role take it.
    ChooseAll {
        /// The role.
        role: String,
    },
    /// These units have a role, and no others.
    Units {
        /// The role.
        role: String,
        /// The units' ids.
        units: Vec<String>,
    },
    /// Someone takes a role who is not on the roster, or gives it up.
    Unlisted {
        /// The role.
        role: String,
    },
    /// A unit that could join the one in a role stays out, or joins again.
    LeaveOut {
        /// The unit's id.
        unit: String,
    },
    /// An input gets a value. An empty value removes it.
    Set {
        /// The input's name.
        name: String,
        /// The value as it was typed.
        value: String,
    },
    /// The side that new units join. `None` is the default side.
    NewUnitsSide(Option<String>),
    /// Units that are ruled out may play all the same, or may not.
    Allow(bool),
}

/// Why a move is not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// Dice or cards have come.
    Underway,
    /// The pending test fixes the units of this role.
    Settled {
        /// The role.
        role: String,
    },
    /// The chart has no such role, or several units cannot take it.
    Role {
        /// The role.
        role: String,
    },
}

display_as_debug!(MoveError);

/// How far a roll went.
#[derive(Debug)]
pub enum Progress {
    /// To the end: the line to store, and the whole resolution.
    Done {
        /// The line.
        line: Box<LogLine>,
        /// The resolution.
        resolution: Box<Resolution>,
    },
    /// It needs the first of these now.
    Asks(Vec<Missing>),
    /// What was entered cannot be used. The roll waits, since the program has rolled.
    Unusable(Box<SourceError>),
    /// The request or the entry is not accepted, and nothing was rolled for it.
    Refused(Refusal),
}

/// Why a request is not rolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not valid. The list has every fault.
    Rejected(Vec<Rejection>),
    /// Units are ruled out, and nothing else is wrong. [`Move::Allow`] allows them.
    RuledOut(Vec<RuledOut>),
}

impl From<PlayRequest> for Attempt {
    fn from(request: PlayRequest) -> Attempt {
        Attempt { request, ..Attempt::default() }
    }
}

impl Attempt {
    /// A chart that a player chose.
    pub fn of(chart: impl Into<String>) -> Attempt {
        PlayRequest::of(chart).into()
    }

    /// A pending test.
    pub fn of_test(due: &DueTest) -> Attempt {
        PlayRequest { pending: Some(due.id.clone()), ..PlayRequest::of(due.chart.as_str()) }.into()
    }

    /// A roll that stopped after these inputs.
    pub fn continued(request: PlayRequest, inputs: Vec<RecordedInput>) -> Attempt {
        let own = |is: fn(&RecordedInput) -> bool| {
            inputs.iter().any(|input| is(input) && input.by() == ThrownBy::Player)
        };
        let own = OwnLuck {
            dice: own(|input| input.faces().is_some()),
            cards: own(|input| input.card().is_some()),
        };
        Attempt { request, own, inputs: inputs.into(), unlisted: Vec::new() }
    }

    /// Leaves roles to someone who is not on the roster.
    #[must_use]
    pub fn without_units(mut self, table: &Table, roles: &[RoleId]) -> Attempt {
        let Some(chart) = self.chart(table) else { return self };
        let roles = roles.iter().filter_map(|role| chart.roles.get(*role));
        self.unlisted.extend(roles.map(|role| role.id.to_string()));
        self
    }

    /// The request as it is sent and recorded.
    pub fn request(&self) -> &PlayRequest {
        &self.request
    }

    /// The dice and cards that are the player's own.
    pub fn own(&self) -> OwnLuck {
        self.own
    }

    /// Says which dice and cards are the player's own from now on. What has come stays.
    pub fn set_own(&mut self, own: OwnLuck) {
        self.own = own;
    }

    /// The inputs of the roll so far.
    pub fn inputs(&self) -> &[RecordedInput] {
        self.inputs.inputs()
    }

    /// Whether dice or cards have come, so that nothing can be changed any more.
    pub fn is_underway(&self) -> bool {
        self.inputs.has_luck()
    }

    /// Whether dice or cards have come that are not the player's own.
    pub fn has_drawn(&self) -> bool {
        self.inputs.has_drawn()
    }

    /// The way out of the question that the roll waits for.
    pub fn way_back(&self) -> WayBack {
        self.inputs.way_back()
    }

    /// The chart. `None` if its test is no longer pending, or the pack has no such chart.
    pub fn chart<'t>(&self, table: &'t Table) -> Option<&'t Chart> {
        let id = match &self.request.pending {
            Some(_) => &self.test(table)?.chart,
            None => &self.request.chart,
        };
        table.pack().chart(id)
    }

    /// The pending test that this attempt settles.
    pub fn test<'t>(&self, table: &'t Table) -> Option<&'t DueTest> {
        let id = self.request.pending.as_ref()?;
        table.pending().map(|pending| &pending.due).find(|due| due.id == *id)
    }

    /// The units in a role, fixed by the pending test or chosen.
    pub fn units<'a>(&'a self, table: &'a Table, role: &str) -> &'a [String] {
        let settled = self.test(table).and_then(|due| due.units.get(role));
        settled.or_else(|| self.request.units.get(role)).map_or(&[], Vec::as_slice)
    }

    /// Whether the pending test fixes a role.
    pub fn is_settled(&self, table: &Table, role: &str) -> bool {
        self.test(table).is_some_and(|due| due.units.contains_key(role))
    }

    /// Changes the situation. Answers that were given for the one before are dropped.
    pub fn make(&mut self, table: &Table, step: Move) -> Result<(), MoveError> {
        if self.is_underway() {
            return Err(MoveError::Underway);
        }
        match step {
            Move::Choose { role, unit } => self.choose(table, role, unit)?,
            Move::ChooseAgain { role, unit } => {
                let each = self.takes_several(table, &role)?;
                if !each {
                    return Err(MoveError::Role { role });
                }
                self.request.units.entry(role.clone()).or_default().push(unit);
                self.units_changed(&role);
            }
            Move::ChooseAll { role } => self.choose_all(table, role)?,
            Move::Units { role, units } => {
                self.takes_several(table, &role)?;
                self.unlisted.retain(|listed| *listed != role);
                if units.is_empty() {
                    self.request.units.remove(&role);
                } else {
                    self.request.units.insert(role.clone(), units);
                }
                self.units_changed(&role);
            }
            Move::Unlisted { role } => {
                self.takes_several(table, &role)?;
                self.request.units.remove(&role);
                self.units_changed(&role);
                match self.unlisted.iter().position(|listed| *listed == role) {
                    Some(place) => {
                        self.unlisted.remove(place);
                        let values = format!("{role}.");
                        self.request.given.retain(|name, _| !name.starts_with(&values));
                    }
                    None => self.unlisted.push(role),
                }
            }
            Move::LeaveOut { unit } => {
                let left_out = &mut self.request.left_out;
                match left_out.iter().position(|id| *id == unit) {
                    Some(place) => drop(left_out.remove(place)),
                    None => left_out.push(unit),
                }
            }
            Move::Set { name, value } => {
                if value.is_empty() {
                    self.request.given.remove(&name);
                } else {
                    self.request.given.insert(name, value);
                }
            }
            Move::NewUnitsSide(side) => self.request.new_units_side = side,
            Move::Allow(yes) => self.request.anyway = yes,
        }
        self.inputs = RollSoFar::default();
        self.refresh(table);
        Ok(())
    }

    /// Drops what does not fit any more since others changed the game: units that cannot be left
    /// out.
    pub fn refresh(&mut self, table: &Table) {
        if self.is_underway() || self.request.left_out.is_empty() {
            return;
        }
        let Some(chart) = self.chart(table) else { return };
        let left_out = table.left_out(chart, &self.request);
        self.request.left_out = left_out.iter().map(|unit| unit.id.clone()).collect();
    }

    /// Names the pending test that this play settles without naming it: that of the same chart for
    /// the same units.
    pub fn find_test(&mut self, table: &Table) {
        let request = &self.request;
        let fits = |due: &&DueTest| {
            let said = |name: &String| request.given.get(name);
            due.chart == request.chart
                && !due.units.is_empty()
                && due.units.iter().all(|(role, units)| request.units.get(role) == Some(units))
                && due.with.iter().all(|(name, value)| said(name).is_none_or(|said| said == value))
        };
        if request.pending.is_none() {
            let due = table.pending().map(|pending| &pending.due).find(fits);
            self.request.pending = due.map(|due| due.id.clone());
        }
    }

    /// Takes back what the player gave last. The next [`Attempt::roll`] asks for it again.
    pub fn take_back(&mut self) -> Option<RecordedInput> {
        self.inputs.take_back()
    }

    /// Leaves the question before any luck has entered: the answers so far are dropped.
    pub fn leave(&mut self) -> Result<(), MoveError> {
        if self.is_underway() {
            return Err(MoveError::Underway);
        }
        self.inputs = RollSoFar::default();
        Ok(())
    }

    /// Rolls as far as possible. The inputs stay with the attempt, also when the roll is done: if
    /// its line is not stored, the next try goes on from the same dice.
    pub fn roll(&mut self, table: &Table, stamp: &Stamp, source: &mut dyn InputSource) -> Progress {
        match table.continue_play(stamp, &self.request, self.inputs(), source) {
            Ok((line, resolution)) => {
                if let EventKind::Play(played) = &line.event.what {
                    self.inputs = played.inputs.clone().into();
                }
                Progress::Done { line: Box::new(line), resolution: Box::new(resolution) }
            }
            Err(stop) => self.stopped(stop),
        }
    }

    /// Takes over the inputs of a roll that another program makes.
    pub fn set_inputs(&mut self, inputs: Vec<RecordedInput>) {
        self.inputs = inputs.into();
    }

    /// Takes over a roll that stopped.
    pub fn stopped(&mut self, stop: PlayError) -> Progress {
        match stop {
            PlayError::Needs { needs, inputs } => {
                self.inputs = inputs.into();
                Progress::Asks(needs)
            }
            PlayError::Unusable { why, inputs } => {
                self.inputs = inputs.into();
                Progress::Unusable(why)
            }
            PlayError::Rejected(why) => Progress::Refused(Refusal::Rejected(why)),
            PlayError::RuledOut(units) => Progress::Refused(Refusal::RuledOut(units)),
        }
    }

    /// Whether the inputs still fit the game. A roll that does not is void; any other change of the
    /// game is not.
    pub fn replays(&self, table: &Table, stamp: &Stamp) -> bool {
        let tried = table.continue_play(stamp, &self.request, self.inputs(), &mut NoInput);
        matches!(tried, Ok(_) | Err(PlayError::Needs { .. }))
    }

    /// The line that records a roll that waits for an answer. `None` if the program has not rolled.
    pub fn line_of_waiting(
        &self,
        table: &Table,
        stamp: &Stamp,
    ) -> Result<Option<LogLine>, Rejection> {
        table.unfinished(stamp, &self.request, self.inputs(), false)
    }

    /// The line that records a roll that its player leaves, or that does not fit the game any more.
    /// `None` if nothing was rolled.
    pub fn line_of_leaving(
        &self,
        table: &Table,
        stamp: &Stamp,
    ) -> Result<Option<LogLine>, Rejection> {
        table.unfinished(stamp, &self.request, self.inputs(), true)
    }

    /// The resolution as far as the inputs go; `None` before the first die.
    pub fn so_far(&self, table: &Table, player: &str) -> Option<Resolution> {
        let luck = self.is_underway();
        luck.then(|| table.resolution_so_far(player, &self.request, self.inputs())).flatten()
    }

    /// Whether several units can take a role that the player may change.
    fn takes_several(&self, table: &Table, role: &str) -> Result<bool, MoveError> {
        if self.is_settled(table, role) {
            return Err(MoveError::Settled { role: role.to_owned() });
        }
        let place = self.role(table, role)?;
        Ok(self.chart(table).is_some_and(|chart| chart.is_for_each(place)))
    }

    fn role(&self, table: &Table, role: &str) -> Result<RoleId, MoveError> {
        let place = self.chart(table).and_then(|chart| chart.role(role));
        place.ok_or_else(|| MoveError::Role { role: role.to_owned() })
    }

    fn choose(&mut self, table: &Table, role: String, unit: String) -> Result<(), MoveError> {
        let several = self.takes_several(table, &role)?;
        self.unlisted.retain(|listed| *listed != role);
        let units = self.request.units.entry(role.clone()).or_default();
        if units.contains(&unit) {
            units.retain(|id| *id != unit);
        } else if several {
            units.push(unit);
        } else {
            *units = vec![unit];
        }
        if units.is_empty() {
            self.request.units.remove(&role);
        }
        self.units_changed(&role);
        Ok(())
    }

    fn choose_all(&mut self, table: &Table, role: String) -> Result<(), MoveError> {
        if !self.takes_several(table, &role)? {
            return Err(MoveError::Role { role });
        }
        let place = self.role(table, &role)?;
        let able = self.candidates(table, place).into_iter().filter(|candidate| {
            candidate.ruled_out.is_none() && !candidate.unit.is_out(table.pack())
        });
        let able: Vec<String> = able.map(|candidate| candidate.unit.id.clone()).collect();
        let units = self.request.units.entry(role.clone()).or_default();
        for unit in able {
            if !units.contains(&unit) {
                units.push(unit);
            }
        }
        self.units_changed(&role);
        Ok(())
    }

    /// Drops what was said for other units: values of units that do not take part any more, and
    /// what was allowed for them.
    fn units_changed(&mut self, role: &str) {
        self.request.anyway = false;
        let units = self.request.units.get(role).map_or(&[][..], Vec::as_slice);
        let stays = |name: &str| {
            let value = name.strip_prefix(role).and_then(|rest| rest.strip_prefix('.'));
            let member = value.and_then(|value| value.split_once('.'));
            member.is_none_or(|(member, _)| units.iter().any(|unit| unit_of_member(member) == unit))
        };
        self.request.given.retain(|name, _| stays(name));
    }
}

/// Gives nothing: for a look at a roll as far as its inputs go.
struct NoInput;

impl InputSource for NoInput {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        Err(ask.missing())
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        Err(ask.missing())
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        Err(ask.missing())
    }

    fn thrown_by(&self) -> ThrownBy {
        ThrownBy::Player
    }
}
