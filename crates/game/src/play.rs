//! Plays a chart with units. The units supply the inputs that they know; the game supplies options,
//! memory and decks; only the rest is asked. A play changes nothing: it makes the line that records
//! the outcome. A rolled die stays rolled: a play that stops for an answer returns the recorded
//! inputs, and the next attempt continues from them.
//!
//! Each side may have its own decks. Then a play draws from the deck of the side that the request
//! names; else from that of the unit in the chart's first role; else, if it follows at once from
//! another chart, from that chart's deck; else from the player's own.

use crate::event::{Begin, DueTest, PlayRecord, Unapplied, UnitsByRole, Values};
use crate::joined::Joined;
use crate::record::RecordBuilder;
use crate::recording::{Bags, DeckSides, drawn, fill_bags, set_owners};
use crate::rejection::{
    Rejection, RequestRejection, SealedRejection, SetupRejection, UnitRejection, unknown,
};
use crate::ruled_out::RuledOut;
use crate::state::{MOST_UNITS, State, Unit, no_unit};
use crate::turn::counted;
use adjutant_dice::{
    Accepts, InputSource, Missing, Number, RecordedInput, Recorder, Replay, SourceError, Text,
};
use adjutant_engine::{Resolution, ResolveError, Situation, resolve};
use adjutant_pack::{Chart, FilledFrom, InputId, KindId, Noun, Pack, RoleId, Value};
use serde::{Deserialize, Serialize};
use serde_with::rust::maps_duplicate_key_is_error::deserialize as unique_keys;
use std::borrow::Cow;

/// What a player wants to roll. The same type is sent to a server and recorded in the log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayRequest {
    /// The chart. A player may leave it empty and name a pending test.
    #[serde(default)]
    pub chart: String,
    /// Units by role. If a role has no unit, its attributes are asked for.
    #[serde(
        default,
        skip_serializing_if = "UnitsByRole::is_empty",
        deserialize_with = "unique_keys"
    )]
    pub units: UnitsByRole,
    /// Inputs by name: `ammo`, `target.in_cover`, or for one of several units `figure.u3.moved`.
    #[serde(default, skip_serializing_if = "Values::is_empty", deserialize_with = "unique_keys")]
    pub given: Values,
    /// The pending test that this play settles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<String>,
    /// The side that new units join; see [`Table::play`](crate::Table::play).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_units_side: Option<String>,
    /// The side whose decks are used; see [`Table::play`](crate::Table::play).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deck_side: Option<String>,
    /// The units that stay out of this play although they could join one in a role.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Whether to play although a unit is ruled out. Recorded only if one is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub anyway: bool,
}

impl PlayRequest {
    /// A request for a chart.
    pub fn of(chart: impl Into<String>) -> PlayRequest {
        PlayRequest { chart: chart.into(), ..PlayRequest::default() }
    }

    /// A request for a pending test.
    pub fn pending(id: impl Into<String>) -> PlayRequest {
        PlayRequest { pending: Some(id.into()), ..PlayRequest::default() }
    }

    /// Adds a unit to a role.
    pub fn unit(mut self, role: impl Into<String>, unit: impl Into<String>) -> PlayRequest {
        self.units.entry(role.into()).or_default().push(unit.into());
        self
    }

    /// Adds an input by name.
    pub fn given(mut self, name: impl Into<String>, value: impl Into<String>) -> PlayRequest {
        self.given.insert(name.into(), value.into());
        self
    }

    /// Leaves out a unit that could join one in a role.
    pub fn without(mut self, unit: impl Into<String>) -> PlayRequest {
        self.left_out.push(unit.into());
        self
    }
}

/// Why a chart was not rolled, or not to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// Something is missing. The inputs so far are passed to the next attempt
    /// ([`Table::continue_play`](crate::Table::continue_play)), so that no die is rolled twice.
    Needs {
        /// What is missing.
        needs: Vec<Missing>,
        /// The inputs so far.
        inputs: Vec<RecordedInput>,
    },
    /// A face, a card or an answer that was given cannot be used, or something is left over, and
    /// dice or cards of the program have come. The roll goes on from these inputs, as after
    /// [`PlayError::Needs`].
    Unusable {
        /// What cannot be used.
        why: Box<SourceError>,
        /// The inputs so far.
        inputs: Vec<RecordedInput>,
    },
    /// The request is not valid, and no dice or cards of the program have come. The list has every
    /// fault.
    Rejected(Vec<Rejection>),
    /// Units are ruled out, and nothing else is wrong. Nothing was rolled. [`PlayRequest::anyway`]
    /// allows it.
    RuledOut(Vec<RuledOut>),
}

crate::rejection::display_as_debug!(PlayError);

impl PlayError {
    /// The inputs of a roll that stopped; empty if nothing was rolled.
    pub fn inputs(&self) -> &[RecordedInput] {
        match self {
            PlayError::Needs { inputs, .. } | PlayError::Unusable { inputs, .. } => inputs,
            PlayError::Rejected(_) | PlayError::RuledOut(_) => &[],
        }
    }
}

impl From<Rejection> for PlayError {
    fn from(rejection: Rejection) -> PlayError {
        PlayError::Rejected(vec![rejection])
    }
}

impl From<SetupRejection> for PlayError {
    fn from(rejection: SetupRejection) -> PlayError {
        PlayError::from(Rejection::from(rejection))
    }
}

impl From<SealedRejection> for PlayError {
    fn from(rejection: SealedRejection) -> PlayError {
        PlayError::from(Rejection::from(rejection))
    }
}

/// A play that is ready to roll: the request with what a pending test settles.
pub(crate) struct PreparedPlay<'p, 'a> {
    pub situation: Situation<'p>,
    pub units: Cow<'a, UnitsByRole>,
    pub given: Cow<'a, Values>,
    /// The side of the unit that caused the test.
    pub side: Option<&'a String>,
    /// The side that new units join, if the player names one.
    pub new_units_side: Option<&'a String>,
    /// The index of the side whose decks are used.
    pub deck_side: usize,
    /// The sides whose decks the situation has.
    pub deck_sides: DeckSides,
    /// The units that have a chit in each bag.
    pub bags: Bags,
    /// The units with those that the request names.
    pub joined: Joined<'a>,
    /// Whether a unit is ruled out and the player allows it.
    pub anyway: bool,
}

impl PreparedPlay<'_, '_> {
    /// The request as it is recorded, with everything that a pending test settles.
    pub fn into_request(self, asked: &PlayRequest) -> PlayRequest {
        PlayRequest {
            chart: self.situation.chart().id.to_string(),
            units: self.units.into_owned(),
            given: self.given.into_owned(),
            pending: asked.pending.clone(),
            new_units_side: asked.new_units_side.clone(),
            deck_side: asked.deck_side.clone(),
            left_out: asked.left_out.clone(),
            anyway: self.anyway,
        }
    }
}

/// The inputs of a role that a unit supplies.
fn known_of<'a>(
    pack: &'a Pack,
    chart: &'a Chart,
    role: RoleId,
    unit: &'a Unit,
    state: &'a State,
) -> impl Iterator<Item = (InputId, Value)> + 'a {
    let of_role = chart.inputs.iter_enumerated().filter(move |(_, input)| input.role == Some(role));
    of_role
        .filter_map(move |(place, input)| Some((place, value_of(pack, state, unit, input.source)?)))
}

/// The value that a unit or its side supplies to an input.
pub(crate) fn value_of(
    pack: &Pack,
    state: &State,
    unit: &Unit,
    source: FilledFrom,
) -> Option<Value> {
    match source {
        FilledFrom::Situation => None,
        FilledFrom::Status(status) => Some(Value::YesNo(unit.statuses.contains(&status))),
        FilledFrom::Attribute(attribute) => unit.attribute(pack, attribute),
        FilledFrom::SideMemory(memory) => state.memory_of(pack, unit.side, memory),
    }
}

/// The name of one of several units. A unit that is listed twice gets two names.
pub(crate) fn member_name(units: &[String], place: usize) -> Cow<'_, str> {
    match units[..place].iter().filter(|unit| **unit == units[place]).count() {
        0 => Cow::Borrowed(&units[place]),
        before => Cow::Owned(format!("{}#{}", units[place], before + 1)),
    }
}

/// The unit id in a member name. A unit that is listed twice has two member names, such as `u3` and
/// `u3#2`.
pub fn unit_of_member(member: &str) -> &str {
    member.split_once('#').map_or(member, |(unit, _)| unit)
}

/// Checks a request and gathers what is known. It reports all faults at once.
pub(crate) fn ready<'p, 'a>(
    ground: &PlayContext<'p>,
    state: &'a State,
    request: &'a PlayRequest,
) -> Result<PreparedPlay<'p, 'a>, PlayError> {
    let pack = ground.pack;
    let (mut id, mut units, mut given, mut side) = (
        request.chart.as_str(),
        Cow::Borrowed(&request.units),
        Cow::Borrowed(&request.given),
        None,
    );
    let mut followed = None;
    let mut spared = None;
    let nothing = Values::new();
    let mut settled = &nothing;
    let mut faults = Vec::new();
    if let Some(wanted) = &request.pending {
        let Some(pending) = state.pending.iter().find(|pending| pending.due.id == *wanted) else {
            return Err(unknown(
                Noun::PendingTest,
                wanted,
                state.pending.iter().map(|pending| pending.due.id.as_str()),
            )
            .into());
        };
        spared = pending.despite.then_some(&pending.due.units);
        let due = &pending.due;
        if !id.is_empty() && id != due.chart {
            let (pending, chart, named) = (wanted.into(), due.chart.as_str().into(), id.into());
            faults.push(RequestRejection::OtherChart { pending, chart, named }.into());
        }
        settled = &due.with;
        (id, side, followed) = (due.chart.as_str(), due.side.as_ref(), due.deck_side.as_ref());
        settle(due, &mut units, &mut given, &mut faults);
        faults.extend(of_other_sides(ground.setup, state, due, &units));
    }
    let Some(place) = pack.chart_id(id) else {
        return Err(
            unknown(Noun::Chart, id, pack.charts().iter().map(|chart| chart.id.as_str())).into()
        );
    };
    let chart = &pack.charts()[place];
    faults.extend(state.may_roll(chart).err().map(Rejection::from));
    let deck_side = whose_decks(ground, chart, &units, request.deck_side.as_ref(), followed)
        .unwrap_or_else(|why| {
            faults.push(why);
            0
        });
    let Some(mut situation) =
        Situation::standing(pack, place, &state.options, &state.memory, state.decks_of(deck_side))
    else {
        return Err(SetupRejection::PackMismatch.into());
    };
    take_roles(pack, state, chart, &units, &mut situation, &mut faults);
    let (joined, in_vain) = state.joined(pack, place, (&units, &given), &request.left_out);
    faults.extend(in_vain);
    let bags = fill_bags(&mut situation, state, ground.setup);
    faults.extend(other_user_decks(ground.setup, &situation));
    let deck_sides = set_owners(&mut situation, state, ground.setup, &units, deck_side);
    faults.extend(friends_as_enemies(ground.setup, state, chart, &units));
    faults.extend(cannot_appear(ground.setup, state, chart, request.new_units_side.as_ref()));
    let members = situation.members().count();
    for (name, text) in given.as_ref() {
        match situation.give(name, text) {
            Err(error) => faults.push(error.into()),
            Ok(()) if situation.members().count() > members => {
                faults.push(RequestRejection::NotTakingPart { name: name.into() }.into());
                break;
            }
            Ok(()) => {}
        }
    }
    let mut taken: Vec<(String, String)> = Vec::new();
    for (input, count) in
        chart.inputs.iter().filter_map(|input| Some((input, input.count.as_ref()?)))
    {
        let said = given.get(input.name.as_str());
        let fixed = count.is_of_joined() && !settled.contains_key(input.name.as_str());
        if said.is_some() && !fixed {
            continue;
        }
        let found = counted(pack, ground.setup, state, chart, count, (&units, &joined));
        let Some(found) = found else { continue };
        let text = match input.field.accepts {
            Accepts::YesNo if found < Number::from(count.at_least) => "no".to_owned(),
            Accepts::YesNo => "yes".to_owned(),
            _ => found.to_string(),
        };
        match said {
            None => taken.push((input.name.to_string(), text)),
            Some(said) if said.trim() == text => {}
            Some(_) => {
                let (name, count) = (input.name.clone(), text.into());
                faults.push(RequestRejection::OtherThanJoined { name, count }.into());
            }
        }
    }
    for (name, count) in taken {
        // If the question does not accept the count (for example zero), the player is asked.
        if situation.give(&name, &count).is_ok() {
            given.to_mut().insert(name, count);
        }
    }
    if given.values().any(|text| text.trim() != text) {
        given.to_mut().values_mut().for_each(|text| *text = text.trim().to_owned());
    }
    let mut stopped = state.stopped(pack, place, &units, &given);
    if let Some(spared) = spared {
        stopped.retain(|(unit, _)| !spared.values().flatten().any(|id| *id == unit.id));
    }
    if ground.from_log && request.anyway && stopped.is_empty() {
        faults.push(RequestRejection::AnywayForNothing.into());
    }
    let anyway = request.anyway && !stopped.is_empty();
    let stopped: Vec<RuledOut> = stopped
        .into_iter()
        .filter(|_| !anyway)
        .map(|found| RuledOut::new(pack, place, found))
        .collect();
    match (faults.is_empty(), stopped.is_empty()) {
        (true, true) => {
            let new_units_side = request.new_units_side.as_ref();
            Ok(PreparedPlay {
                situation,
                units,
                given,
                side,
                new_units_side,
                deck_side,
                deck_sides,
                bags,
                joined,
                anyway,
            })
        }
        (true, false) => Err(PlayError::RuledOut(stopped)),
        (false, _) => {
            faults.extend(
                stopped.into_iter().map(|found| RequestRejection::RuledOut(Box::new(found)).into()),
            );
            Err(PlayError::Rejected(faults))
        }
    }
}

/// The user decks of a chart whose cards are not those that the game started with.
fn other_user_decks<'a>(
    setup: &'a Begin,
    situation: &'a Situation<'_>,
) -> impl Iterator<Item = Rejection> + 'a {
    situation.decks_in_use().into_iter().filter_map(move |deck| {
        let sheet = &situation.pack().decks()[deck];
        let (user, recorded) = (sheet.user.as_ref()?, setup.user_decks.get(sheet.id.as_str())?);
        let same = user.hash.as_ref().is_some_and(|hash| *hash == recorded.hash.as_str());
        let (deck, missing) = (sheet.title.clone(), user.hash.is_none());
        (!same).then(|| RequestRejection::OtherUserDeck { deck, missing }.into())
    })
}

/// The side whose decks a play draws from: the one it names; else that of the unit in the first
/// role, which takes the test; if no unit of the roster has that role, that of the chart it follows
/// at once; else the player's.
fn whose_decks(
    ground: &PlayContext<'_>,
    chart: &Chart,
    who: &UnitsByRole,
    named: Option<&String>,
    followed: Option<&String>,
) -> Result<usize, Rejection> {
    let sides = &ground.setup.sides;
    let place = |named: &String| {
        let place = sides.iter().position(|side| side == named);
        place.ok_or_else(|| unknown(Noun::Side, named, sides.iter().map(String::as_str)))
    };
    if let Some(named) = named {
        return place(named);
    }
    match (first_unit(ground.state, chart, who), followed) {
        (Some(unit), _) => Ok(unit.side),
        (None, Some(followed)) => place(followed),
        (None, None) => Ok(ground.side.unwrap_or(0)),
    }
}

/// The unit in the first role of a chart, which takes the test.
pub(crate) fn first_unit<'s>(
    state: &'s State,
    chart: &Chart,
    who: &UnitsByRole,
) -> Option<&'s Unit> {
    state.unit(who.get(chart.roles.first()?.id.as_str())?.first()?)
}

/// Adds what a pending test settles. A request that contradicts the test is a fault.
fn settle(
    due: &DueTest,
    who: &mut Cow<'_, UnitsByRole>,
    given: &mut Cow<'_, Values>,
    faults: &mut Vec<Rejection>,
) {
    let settled = |name: &String, value: Text| {
        RequestRejection::Settled { name: name.into(), pending: due.id.as_str().into(), value }
            .into()
    };
    for (role, units) in &due.units {
        match who.get(role) {
            None => drop(who.to_mut().insert(role.clone(), units.clone())),
            Some(said) if said != units => faults.push(settled(role, units.join(", ").into())),
            Some(_) => {}
        }
    }
    for (name, value) in &due.with {
        match given.get(name) {
            None => drop(given.to_mut().insert(name.clone(), value.clone())),
            Some(said) if said != value => faults.push(settled(name, value.into())),
            Some(_) => {}
        }
    }
}

/// The units that take a role of a pending test which is open to another side only.
fn of_other_sides(
    setup: &Begin,
    state: &State,
    due: &DueTest,
    who: &UnitsByRole,
) -> Vec<Rejection> {
    let mut faults = Vec::new();
    for (role, side) in &due.role_sides {
        let units = who.get(role).into_iter().flatten().filter_map(|unit| state.unit(unit));
        for unit in units.filter(|unit| setup.sides.get(unit.side) != Some(side)) {
            let (unit, role) = (unit.name.as_str().into(), role.into());
            faults.push(RequestRejection::OfOtherSide { unit, role, side: side.into() }.into());
        }
    }
    faults
}

fn take_roles(
    pack: &Pack,
    state: &State,
    chart: &Chart,
    who: &UnitsByRole,
    situation: &mut Situation<'_>,
    faults: &mut Vec<Rejection>,
) {
    let each = chart.each.as_ref().map(|each| each.role);
    let mut taken: Vec<&str> = Vec::new();
    for (name, units) in who {
        let Some(role) = chart.role(name) else {
            faults.push(unknown(
                Noun::RoleOfPlay,
                name,
                chart.roles.iter().map(|role| role.id.as_str()),
            ));
            continue;
        };
        if units.len() != 1 && (each != Some(role) || units.is_empty()) {
            faults.push(
                RequestRejection::OneUnit { role: name.into(), chart: chart.title.clone() }.into(),
            );
            continue;
        }
        for (nth, id) in units.iter().enumerate() {
            let Some(unit) = state.unit(id) else {
                faults.push(no_unit(id));
                continue;
            };
            if let Some(word) = &unit.gone {
                faults.push(
                    RequestRejection::Left { name: unit.name.as_str().into(), word: word.into() }
                        .into(),
                );
            } else if unit.kind != chart.roles[role].kind {
                let title = |kind: KindId| pack.kinds()[kind].title.clone();
                let (kind, wanted) = (title(unit.kind), title(chart.roles[role].kind));
                faults.push(
                    RequestRejection::WrongKind {
                        unit: unit.name.as_str().into(),
                        kind,
                        role: name.into(),
                        wanted,
                    }
                    .into(),
                );
            } else if taken.contains(&id.as_str()) && !units[..nth].contains(id) {
                faults.push(RequestRejection::TwoRoles { unit: unit.name.as_str().into() }.into());
            } else if each == Some(role) {
                taken.push(id);
                let member = member_name(units, nth);
                faults.extend(
                    situation
                        .give_member(&member, known_of(pack, chart, role, unit, state))
                        .err()
                        .map(Rejection::from),
                );
            } else {
                taken.push(id);
                known_of(pack, chart, role, unit, state)
                    .for_each(|(place, value)| situation.give_known(place, value));
            }
        }
    }
}

/// Rejects units of one side in roles that the chart gives to enemies. A game with one side cannot
/// tell enemies apart.
fn friends_as_enemies(
    setup: &Begin,
    state: &State,
    chart: &Chart,
    who: &UnitsByRole,
) -> Vec<Rejection> {
    let units = |role: RoleId| {
        who.get(chart.roles[role].id.as_str()).into_iter().flatten().filter_map(|id| state.unit(id))
    };
    let mut faults = Vec::new();
    for (place, role) in chart.roles.iter_enumerated().filter(|_| setup.sides.len() > 1) {
        for other in role.enemies.iter().copied().filter(|other| *other < place) {
            // A unit in both roles is refused as such.
            let friend_of = |unit: &Unit| {
                units(other).find(|known| known.side == unit.side && known.id != unit.id)
            };
            let friends = units(place).find_map(|unit| Some((unit, friend_of(unit)?)));
            if let Some((unit, friend)) = friends {
                let (unit, friend) = (unit.name.as_str().into(), friend.name.as_str().into());
                let (role, enemy_of) = (role.id.clone(), chart.roles[other].id.clone());
                faults.push(RequestRejection::SameSide { unit, friend, role, enemy_of }.into());
            }
        }
    }
    faults
}

/// Rejects a side that does not exist for the units that a chart may add, and such a chart if the
/// roster is full.
fn cannot_appear(
    setup: &Begin,
    state: &State,
    chart: &Chart,
    side: Option<&String>,
) -> Vec<Rejection> {
    let known = |side: &&String| setup.sides.contains(side);
    let unknown_side =
        |side: &String| unknown(Noun::Side, side, setup.sides.iter().map(String::as_str));
    let mut faults: Vec<Rejection> =
        side.filter(|side| !known(side)).map(unknown_side).into_iter().collect();
    if state.units.len() >= MOST_UNITS && chart.adds_units() {
        faults.push(UnitRejection::NoRoom { chart: chart.title.clone() }.into());
    }
    faults
}

/// The surroundings of a play, apart from the request.
pub(crate) struct PlayContext<'a> {
    pub pack: &'a Pack,
    pub setup: &'a Begin,
    pub state: &'a State,
    /// The number of the event that the play becomes.
    pub n: u64,
    /// The side of the player who acts.
    pub side: Option<usize>,
    /// Whether the resolution may be brief, because it is not shown.
    pub brief: bool,
    /// Whether a log line makes the request, and not a player.
    pub from_log: bool,
}

/// A chart that was rolled.
pub(crate) struct Rolled {
    /// What is recorded of it. `None` if a log line leaves out what its pending test settles.
    pub record: Option<PlayRecord>,
    pub resolution: Resolution,
    /// Why the outcome cannot be applied.
    pub unapplied: Option<Rejection>,
}

/// Rolls a chart. `inputs` are replayed before the source is asked. Without a source this replays a
/// log line: the record then has only the outcome, not the request and the inputs.
///
/// Whatever can be refused is refused before the first die: after dice or cards have come, a roll
/// waits ([`PlayError::Needs`], [`PlayError::Unusable`]) or is recorded.
pub(crate) fn roll<'a>(
    ground: &PlayContext<'a>,
    request: &'a PlayRequest,
    inputs: &'a [RecordedInput],
    source: Option<&'a mut dyn InputSource>,
) -> Result<Rolled, PlayError> {
    let live = source.is_some();
    let mut ready = ready(ground, ground.state, request)?;
    if ground.brief {
        ready.situation.be_brief();
    }
    let mut replay = Replay::new(inputs);
    if let Some(source) = source {
        replay = replay.then(source);
    }
    let (outcome, given) = if live {
        let mut recorder = Recorder::new(&mut replay);
        let outcome = resolve(&mut ready.situation, &mut recorder);
        (outcome, recorder.into_inputs())
    } else {
        (resolve(&mut ready.situation, &mut replay), Vec::new())
    };
    let has_luck = |given: &[RecordedInput]| {
        let all = if live { given } else { inputs };
        all.iter().any(|input| !input.is_answer())
    };
    let (resolution, failed) = match outcome {
        Ok(resolution) => (resolution, None),
        Err(stopped) => match stopped.refused.map(|why| *why) {
            None => {
                let needs = stopped.resolution.needs;
                return Err(PlayError::Needs { needs, inputs: given });
            }
            Some(ResolveError::Source(why)) => return Err(unusable(why, given)),
            Some(why) if has_luck(&given) => {
                (*stopped.resolution, Some(Rejection::Resolve(Box::new(why))))
            }
            Some(why) => return Err(Rejection::Resolve(Box::new(why)).into()),
        },
    };
    if let Err(why) = replay.finish() {
        return Err(unusable(why, given));
    }
    let owners = (ready.deck_sides.as_slice(), &ready.bags);
    let cards = drawn(ground.pack, ground.setup, owners, &resolution.moves);
    let chart = ready.situation.chart();
    let mut record = PlayRecord { inputs: given, cards, ..PlayRecord::default() };
    let mut unapplied = failed;
    if unapplied.is_none() {
        let builder = RecordBuilder { ground, chart, ready: &ready, resolution: &resolution };
        if let Err(why) = builder.fill(&mut record) {
            if !has_luck(&record.inputs) {
                return Err(why.into());
            }
            unapplied = Some(why);
        }
    }
    if let Some(why) = &unapplied {
        record = record.not_applied(why);
    }
    if live {
        record.request = ready.into_request(request);
        return Ok(Rolled { record: Some(record), resolution, unapplied });
    }
    let whole = matches!((&ready.units, &ready.given), (Cow::Borrowed(_), Cow::Borrowed(_)));
    Ok(Rolled { record: Some(record).filter(|_| whole), resolution, unapplied })
}

/// What was given cannot be used: the request is rejected or, if dice or cards of the program have
/// come, the roll waits.
fn unusable(why: SourceError, inputs: Vec<RecordedInput>) -> PlayError {
    match inputs.iter().any(RecordedInput::is_drawn) {
        true => PlayError::Unusable { why: Box::new(why), inputs },
        false => Rejection::Source(Box::new(why)).into(),
    }
}

impl PlayRecord {
    /// The record of a roll whose outcome the game does not accept: the result is told, and nothing
    /// changes.
    pub(crate) fn not_applied(self, why: &Rejection) -> PlayRecord {
        PlayRecord {
            effects: Vec::new(),
            appear: Vec::new(),
            next: Vec::new(),
            held: false,
            unapplied: Some(Unapplied::from(why)),
            ..self
        }
    }

    /// Whether dice or cards have come.
    pub(crate) fn has_luck(&self) -> bool {
        self.inputs.iter().any(|input| !input.is_answer())
    }
}

impl From<&Rejection> for Unapplied {
    fn from(why: &Rejection) -> Unapplied {
        match why {
            Rejection::Resolve(_) => Unapplied::NoResult,
            Rejection::Unit(UnitRejection::TooMany | UnitRejection::TooManyAppear { .. }) => {
                Unapplied::NoRoom
            }
            _ => Unapplied::NotAccepted,
        }
    }
}
