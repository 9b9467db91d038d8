//! Plays a chart with units. The units fill in what they know; the table has options, memory and
//! decks; only the rest is asked. A play changes nothing: it makes the line that records the
//! outcome. A die that was rolled stays rolled: a play that stops for an answer returns the
//! recorded inputs, and the next attempt continues from them.
//!
//! Each side may have its own decks. Then a play draws from the deck that the request names; else
//! from that of the unit in the chart's first role; else, if it follows at once from another chart,
//! from that chart's deck; else from the player's own.

use crate::event::{Begin, Drawn, DueTest, PlayRecord, UnitsByRole, Values};
use crate::record::RecordBuilder;
use crate::recording::DrawRecorder;
use crate::rejection::{Noun, Rejection, RequestRejection, SealedRejection, SetupRejection, unknown};
use crate::ruled_out::RuledOut;
use crate::state::{State, no_unit};
use crate::turn::counted;
use adjutant_dice::{Deck, InputSource, Missing, RecordedInput, Recorder, Replay, Text};
use adjutant_engine::{Interrupted, Resolution, Situation, resolve};
use adjutant_pack::{Chart, DeckSheet, FilledFrom, InputId, KindId, Pack, RoleId, Value};
use std::borrow::Cow;

/// What a player wants thrown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayRequest {
    /// The chart; may be empty when a pending test is named.
    pub chart: String,
    /// Units by the roles they take. A role may stay empty: its attributes are then asked.
    pub who: UnitsByRole,
    /// What is said of the situation, under the names of the chart's inputs: `ammo`, `target.in_cover`, or for one of
    /// several units `figure.u3.moved`.
    pub given: Values,
    /// The pending test that is settled by it.
    pub pending: Option<String>,
    /// The side of units that appear; see [`Table::play`](crate::Table::play).
    pub side: Option<String>,
    /// The side whose decks are drawn from; see [`Table::play`](crate::Table::play).
    pub deck_of: Option<String>,
    /// Whether it is played although a status of a unit rules it out; recorded only where one does.
    pub anyway: bool,
    /// What had come already when an earlier try stopped for want of something.
    pub came: Vec<RecordedInput>,
}

impl PlayRequest {
    /// Of a chart.
    pub fn of(chart: impl Into<String>) -> PlayRequest {
        PlayRequest { chart: chart.into(), ..PlayRequest::default() }
    }

    /// Of a pending test.
    pub fn pending(id: impl Into<String>) -> PlayRequest {
        PlayRequest { pending: Some(id.into()), ..PlayRequest::default() }
    }

    /// With this unit in this role; named again, with several.
    pub fn who(mut self, role: impl Into<String>, unit: impl Into<String>) -> PlayRequest {
        self.who.entry(role.into()).or_default().push(unit.into());
        self
    }

    /// With this said of the situation.
    pub fn given(mut self, name: impl Into<String>, value: impl Into<String>) -> PlayRequest {
        self.given.insert(name.into(), value.into());
        self
    }
}

/// Why nothing was thrown, or not to the end. Nothing is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// Something is missing. What had come until then goes into [`PlayRequest::came`] of the next try, so that no die is
    /// thrown twice.
    Needs {
        /// What is missing.
        needs: Vec<Missing>,
        /// What has come already.
        came: Vec<RecordedInput>,
    },
    /// It cannot be; all that is wrong.
    Rejected(Vec<Rejection>),
    /// Statuses of units rule it out, and nothing else is wrong: [`PlayRequest::anyway`] allows it.
    RuledOut(Vec<RuledOut>),
}

crate::rejection::display_as_debug!(PlayError);

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

/// What is wanted thrown, by a player or by a log.
#[derive(Clone, Copy)]
pub(crate) struct RequestRef<'a> {
    pub chart: &'a str,
    pub who: &'a UnitsByRole,
    pub given: &'a Values,
    pub pending: Option<&'a String>,
    pub side: Option<&'a String>,
    pub deck_of: Option<&'a String>,
    pub anyway: bool,
    pub came: &'a [RecordedInput],
    /// Whether a line of the log says so, and not a player.
    pub recorded: bool,
}

impl<'a> From<&'a PlayRequest> for RequestRef<'a> {
    fn from(play: &'a PlayRequest) -> RequestRef<'a> {
        let (pending, side, deck_of) = (play.pending.as_ref(), play.side.as_ref(), play.deck_of.as_ref());
        let (anyway, came, recorded) = (play.anyway, &play.came, false);
        RequestRef { chart: &play.chart, who: &play.who, given: &play.given, pending, side, deck_of, anyway, came, recorded }
    }
}

impl<'a> From<&'a PlayRecord> for RequestRef<'a> {
    fn from(played: &'a PlayRecord) -> RequestRef<'a> {
        let (pending, side, deck_of) = (played.pending.as_ref(), played.side.as_ref(), played.deck_of.as_ref());
        let (anyway, came, recorded) = (played.anyway, &played.came, true);
        RequestRef { chart: &played.chart, who: &played.who, given: &played.given, pending, side, deck_of, anyway, came, recorded }
    }
}

/// A play made ready. What a pending test settles is added to what was wanted.
pub(crate) struct PreparedPlay<'p, 'a> {
    pub situation: Situation<'p>,
    pub who: Cow<'a, UnitsByRole>,
    pub given: Cow<'a, Values>,
    /// The side of the unit that brought the test about.
    pub side: Option<&'a String>,
    /// The side of units that appear, as the player says.
    pub side_named: Option<&'a String>,
    /// The side whose decks are drawn from, by its place.
    pub deck_of: usize,
    /// Whether a status rules it out, and the player allows it.
    pub anyway: bool,
}

/// What a unit gives to the inputs of a role.
fn known_of<'a>(
    pack: &'a Pack,
    chart: &'a Chart,
    role: RoleId,
    unit: &'a crate::state::Unit,
) -> impl Iterator<Item = (InputId, Value)> + 'a {
    let of_role = chart.inputs.iter_enumerated().filter(move |(_, input)| input.role == Some(role));
    of_role.filter_map(move |(place, input)| {
        let value = match input.source {
            FilledFrom::Situation => None,
            FilledFrom::Status(status) => Some(Value::YesNo(unit.statuses.contains(&status))),
            FilledFrom::Attribute(attribute) => unit.attribute(pack, attribute),
        };
        value.map(|value| (place, value))
    })
}

/// The name under which a unit is one of several; one that is named twice is two.
fn member_name(units: &[String], place: usize) -> Cow<'_, str> {
    match units[..place].iter().filter(|unit| **unit == units[place]).count() {
        0 => Cow::Borrowed(&units[place]),
        before => Cow::Owned(format!("{}#{}", units[place], before + 1)),
    }
}

/// The id of the unit behind the name of a member; a unit that is named twice has two names.
pub fn unit_of_member(member: &str) -> &str {
    member.split_once('#').map_or(member, |(unit, _)| unit)
}

/// Checks a play and gathers what is known; all that is wrong at once.
pub(crate) fn ready<'p, 'a>(ground: &PlayContext<'p>, state: &'a State, wish: RequestRef<'a>) -> Result<PreparedPlay<'p, 'a>, PlayError> {
    let pack = ground.pack;
    let (mut id, mut who, mut given, mut side) = (wish.chart, Cow::Borrowed(wish.who), Cow::Borrowed(wish.given), None);
    let mut followed = None;
    let mut spared = None;
    let mut faults = Vec::new();
    if let Some(wanted) = wish.pending {
        let Some(pending) = state.pending.iter().find(|pending| pending.due.id == *wanted) else {
            return Err(unknown(Noun::PendingTest, wanted, state.pending.iter().map(|pending| pending.due.id.as_str())).into());
        };
        spared = pending.despite.then_some(&pending.due.who);
        let due = &pending.due;
        if !id.is_empty() && id != due.chart {
            let (pending, chart, named) = (wanted.into(), due.chart.as_str().into(), id.into());
            faults.push(RequestRejection::OtherChart { pending, chart, named }.into());
        }
        (id, side, followed) = (due.chart.as_str(), due.side.as_ref(), due.deck_of.as_ref());
        settle(due, &mut who, &mut given, &mut faults);
    }
    let Some(place) = pack.chart_id(id) else {
        return Err(unknown(Noun::Chart, id, pack.charts().iter().map(|chart| chart.id.as_str())).into());
    };
    let chart = &pack.charts()[place];
    faults.extend(state.may_throw(chart).err().map(Rejection::from));
    let deck_of = whose_decks(ground, chart, &who, wish.deck_of, followed).unwrap_or_else(|why| {
        faults.push(why);
        0
    });
    let Some(mut situation) = Situation::standing(pack, place, &state.options, &state.memory, state.decks_of(deck_of)) else {
        return Err(SetupRejection::PackMismatch.into());
    };
    take_roles(pack, state, chart, &who, &mut situation, &mut faults);
    faults.extend(friends_as_enemies(ground.setup, state, chart, &who));
    let mut stopped = state.stopped(pack, place, &who);
    if let Some(spared) = spared {
        stopped.retain(|(unit, _)| !spared.values().flatten().any(|id| *id == unit.id));
    }
    if wish.recorded && wish.anyway && stopped.is_empty() {
        faults.push(RequestRejection::AnywayForNothing.into());
    }
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
    let taken: Vec<(String, usize)> = chart
        .inputs
        .iter()
        .filter_map(|input| Some((input, input.count.as_ref()?)))
        .filter(|(input, _)| !given.contains_key(input.name.as_str()))
        .filter_map(|(input, count)| Some((input.name.to_string(), counted(pack, ground.setup, state, chart, count, &who)?)))
        .collect();
    for (name, count) in taken {
        // What the question does not accept, such as nobody at all, is asked.
        if situation.give(&name, &count.to_string()).is_ok() {
            given.to_mut().insert(name, count.to_string());
        }
    }
    if given.values().any(|text| text.trim() != text) {
        given.to_mut().values_mut().for_each(|text| *text = text.trim().to_owned());
    }
    let anyway = wish.anyway && !stopped.is_empty();
    let stopped: Vec<RuledOut> = stopped.into_iter().filter(|_| !anyway).map(|found| RuledOut::new(pack, place, found)).collect();
    match (faults.is_empty(), stopped.is_empty()) {
        (true, true) => Ok(PreparedPlay { situation, who, given, side, side_named: wish.side, deck_of, anyway }),
        (true, false) => Err(PlayError::RuledOut(stopped)),
        (false, _) => {
            faults.extend(stopped.into_iter().map(|found| RequestRejection::RuledOut(Box::new(found)).into()));
            Err(PlayError::Rejected(faults))
        }
    }
}

/// The side whose decks a play draws from: the one it names, else that of the unit in the first role, which takes the test; where nobody
/// of the roster does, that of the check it follows at once, else the player's.
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
pub(crate) fn first_unit<'s>(state: &'s State, chart: &Chart, who: &UnitsByRole) -> Option<&'s crate::state::Unit> {
    state.unit(who.get(chart.roles.first()?.id.as_str())?.first()?)
}

/// Adds what a pending test settles; who says otherwise is told.
fn settle(due: &DueTest, who: &mut Cow<'_, UnitsByRole>, given: &mut Cow<'_, Values>, faults: &mut Vec<Rejection>) {
    let settled =
        |name: &String, value: Text| RequestRejection::Settled { name: name.into(), pending: due.id.as_str().into(), value }.into();
    for (role, units) in &due.who {
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

fn take_roles(pack: &Pack, state: &State, chart: &Chart, who: &UnitsByRole, situation: &mut Situation<'_>, faults: &mut Vec<Rejection>) {
    let each = chart.each.as_ref().map(|each| each.role);
    let mut taken: Vec<&str> = Vec::new();
    for (name, units) in who {
        let Some(role) = chart.role(name) else {
            faults.push(unknown(Noun::Role, name, chart.roles.iter().map(|role| role.id.as_str())));
            continue;
        };
        if units.len() != 1 && (each != Some(role) || units.is_empty()) {
            faults.push(RequestRejection::OneUnit { role: name.into(), chart: chart.title.clone() }.into());
            continue;
        }
        for (nth, id) in units.iter().enumerate() {
            let Some(unit) = state.unit(id) else {
                faults.push(no_unit(id));
                continue;
            };
            if let Some(word) = &unit.gone {
                faults.push(RequestRejection::Left { name: unit.name.as_str().into(), word: word.into() }.into());
            } else if unit.kind != chart.roles[role].kind {
                let title = |kind: KindId| pack.kinds()[kind].title.clone();
                let (kind, wanted) = (title(unit.kind), title(chart.roles[role].kind));
                faults.push(RequestRejection::WrongKind { unit: unit.name.as_str().into(), kind, role: name.into(), wanted }.into());
            } else if taken.contains(&id.as_str()) && !units[..nth].contains(id) {
                faults.push(RequestRejection::TwoRoles { unit: unit.name.as_str().into() }.into());
            } else if each == Some(role) {
                taken.push(id);
                let member = member_name(units, nth);
                faults.extend(situation.give_member(&member, known_of(pack, chart, role, unit)).err().map(Rejection::from));
            } else {
                taken.push(id);
                known_of(pack, chart, role, unit).for_each(|(place, value)| situation.give_known(place, value));
            }
        }
    }
}

/// Units of one side in roles that the chart gives to enemies. A table of one side has no enemies to tell apart.
fn friends_as_enemies(setup: &Begin, state: &State, chart: &Chart, who: &UnitsByRole) -> Vec<Rejection> {
    let units = |role: RoleId| who.get(chart.roles[role].id.as_str()).into_iter().flatten().filter_map(|id| state.unit(id));
    let mut faults = Vec::new();
    for (place, role) in chart.roles.iter_enumerated().filter(|_| setup.sides.len() > 1) {
        for other in role.enemies.iter().copied().filter(|other| *other < place) {
            let friends = units(place).find_map(|unit| Some((unit, units(other).find(|known| known.side == unit.side)?)));
            if let Some((unit, friend)) = friends {
                let (unit, friend) = (unit.name.as_str().into(), friend.name.as_str().into());
                let (role, enemy_of) = (role.id.clone(), chart.roles[other].id.clone());
                faults.push(RequestRejection::SameSide { unit, friend, role, enemy_of }.into());
            }
        }
    }
    faults
}

/// What a play is made of, besides what the player wants.
pub(crate) struct PlayContext<'a> {
    pub pack: &'a Pack,
    pub setup: &'a Begin,
    pub state: &'a State,
    /// The number of the event it will be.
    pub n: u64,
    /// The side of who acts.
    pub side: Option<usize>,
    /// Whether nobody reads the account.
    pub brief: bool,
}

/// Throws: what came of it, as it is recorded, with the whole account. For a log, what it says already – who, what was
/// said, what came – is not written again; `None` stands for a record that leaves out what its pending test settles.
pub(crate) fn throw<'a>(
    ground: &PlayContext<'a>,
    wish: RequestRef<'a>,
    seam: Option<&'a mut dyn InputSource>,
) -> Result<(Option<PlayRecord>, Resolution), PlayError> {
    let live = seam.is_some();
    let mut ready = ready(ground, ground.state, wish)?;
    let whose = (!ground.setup.decks.is_shared()).then(|| ground.setup.sides.get(ready.deck_of).cloned()).flatten();
    if ground.brief {
        ready.situation.be_brief();
    }
    let before: (&[DeckSheet], &[Deck]) = (ground.pack.decks(), ground.state.decks_of(ready.deck_of));
    let mut replay = Replay::new(wish.came);
    if let Some(seam) = seam {
        replay = replay.then(seam);
    }
    let (found, mut cards, came) = if live {
        let mut recorder = Recorder::new(&mut replay);
        let (found, cards) = run(&mut ready.situation, &mut recorder, before);
        (found, cards, recorder.into_inputs())
    } else {
        let (found, cards) = run(&mut ready.situation, &mut replay, before);
        (found, cards, Vec::new())
    };
    let account = match found {
        Ok(account) => account,
        Err(stopped) => {
            return Err(match stopped.refused {
                Some(error) => Rejection::Resolve(Box::new(error)).into(),
                None => PlayError::Needs { needs: stopped.account.needs, came },
            });
        }
    };
    cards.iter_mut().for_each(|drawn| drawn.side.clone_from(&whose));
    replay.finish().map_err(|error| Rejection::Source(Box::new(error)))?;
    let chart = ready.situation.chart();
    let mut played = PlayRecord { came, cards, ..PlayRecord::default() };
    RecordBuilder { ground, chart, ready: &ready, account: &account }.fill(&mut played)?;
    if live {
        played.chart = chart.id.to_string();
        (played.pending, played.side) = (wish.pending.cloned(), wish.side.cloned());
        (played.deck_of, played.anyway) = (wish.deck_of.cloned(), ready.anyway);
        (played.who, played.given) = (ready.who.into_owned(), ready.given.into_owned());
        return Ok((Some(played), account));
    }
    let whole = matches!((&ready.who, &ready.given), (Cow::Borrowed(_), Cow::Borrowed(_)));
    Ok((Some(played).filter(|_| whole), account))
}

/// Runs the chart, and what it drew.
fn run(
    situation: &mut Situation<'_>,
    source: &mut dyn InputSource,
    before: (&[DeckSheet], &[Deck]),
) -> (Result<Resolution, Interrupted>, Vec<Drawn>) {
    let mut draws = DrawRecorder::new(source, before);
    let found = resolve(situation, &mut draws);
    let drawn = draws.finish(&situation.decks);
    (found, drawn)
}
