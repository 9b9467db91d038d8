//! Games as data: the state of a game, and what an event did.

use crate::view::{all, views};
use crate::{Entries, Seated};
use adjutant_dice::Answer;
use adjutant_engine::Resolution;
use adjutant_game::{
    Changes, ConsentFor, ConsentRequest, DeckLeft, Event, MemberRecord, OpenCall, PendingTest,
    SealedMember, Table, Unit, UnitDiff, UnitsByRole, Values,
};
use adjutant_pack::{Field, MemoryId, Value};
use adjutant_wording::en;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// A game in a list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct GameSummary {
    pub id: String,
    pub name: String,
    pub pack: String,
    /// How many events its log has.
    pub events: u64,
    pub created: String,
    pub changed: String,
    pub archived: bool,
}

views! {
    /// A whole game.
    GameData(listed: GameSummary, table: &Table) {
        #[serde(flatten)]
        summary: GameSummary = GameSummary { events: table.lines().len() as u64, ..listed },
        /// The SHA-256 of the last line of its log.
        head: String = table.head().to_owned(),
        turn: u32 = table.turn().1,
        phase: Option<String> = table.turn().0.map(|phase| phase.id.to_string()),
        sides: Vec<String> = table.sides().to_vec(),
        /// Sides that no player plays: the sheet says what they do.
        by_sheet: Option<Vec<String>> = table.setup().map(|setup| setup.run_by_sheet.clone()),
        /// The endings that hold.
        over: Vec<String> = all(table.endings(), |ending| ending.id.to_string()),
        /// The sides that have won; left out if no ending says who has.
        #[serde(skip_serializing_if = "Option::is_none")]
        won: Option<Vec<String>> = won(table),
        people: Vec<Seated> = Seated::all(table),
        units: Vec<UnitData> = all(&table.state().units, |unit| UnitData::new(table, unit)),
        pending: Vec<PendingData> = PendingData::all(table),
        /// Plays whose effects wait for other simultaneous attacks, by their events.
        held: Vec<u64> = all(&table.state().held, |held| held.n),
        decks: Vec<DeckLeftData> = DeckLeftData::all(table),
        #[cfg_attr(
            feature = "schema",
            schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
        )]
        options: Entries<String, Answer> = options(table),
        #[cfg_attr(
            feature = "schema",
            schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
        )]
        memory: Entries<String, Answer> = memory(table),
        /// What the game remembers for each side, where that is not as at the start.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        side_memory: Vec<SideMemoryData> = side_memory(table),
        /// Plays that a status ruled out and that were allowed all the same, by their events.
        anyway: Vec<u64> = table.state().anyway.clone(),
        asked: Option<ConsentData> = table.asked().map(|asked| ConsentData::new(table, asked)),
        sealed: Option<SealedData> = SealedData::of(table),
    }

    /// What the game remembers for one side.
    SideMemoryData(table: &Table, owner: &str, field: &Field, now: Value) {
        side: String = owner.to_owned(),
        memory: String = field.id.to_string(),
        value: String = now.to_answer(table.pack().words()).to_string(),
    }

    /// A unit.
    UnitData(table: &Table, unit: &Unit) {
        id: String = unit.id.clone(),
        name: String = unit.name.clone(),
        kind: String = table.pack().kinds()[unit.kind].id.to_string(),
        side: Option<String> = table.sides().get(unit.side).cloned(),
        group: String = unit.group.clone(),
        /// The attributes that are known.
        #[cfg_attr(
            feature = "schema",
            schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
        )]
        has: Entries<String, Answer> = values(
            table,
            (table.pack().kinds()[unit.kind].has.iter().zip(&unit.attributes))
                .filter_map(|(field, value)| Some((field, (*value)?))),
        ),
        /// Values that are worked out from others.
        #[serde(skip_serializing_if = "Entries::is_empty")]
        #[cfg_attr(
            feature = "schema",
            schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
        )]
        worked_out: Entries<String, Answer> = (table.worked_out(unit).into_iter())
            .map(|(derived, value)| {
                (derived.id.to_string(), value.to_answer(table.pack().words()))
            })
            .collect(),
        statuses: Vec<String>
            = all(&unit.statuses, |status| table.pack().statuses()[*status].id.to_string()),
        notes: String = unit.notes.clone(),
        /// The word with which it left the game.
        gone: Option<String> = unit.gone.clone(),
    }

    /// A pending test.
    PendingData(table: &Table, pending: &PendingTest) {
        id: String = pending.due.id.clone(),
        chart: String = pending.due.chart.clone(),
        why: String = pending.due.why.clone(),
        /// Whether it comes before everything else.
        now: bool = pending.due.now,
        order: Option<u32> = pending.due.order,
        /// The units that take part, by role.
        who: UnitsByRole = pending.due.units.clone(),
        with: Values = pending.due.with.clone(),
        /// The roles that no unit takes yet.
        open: Vec<String> = all(table.open_roles(pending), str::to_owned),
        /// The event that it follows from.
        stems: u64 = pending.stems,
        says: String = en::pending_test(table, pending),
    }

    /// What is left of a deck.
    DeckLeftData(table: &Table, deck: DeckLeft<'_>) {
        id: String = deck.deck.to_owned(),
        /// The side that draws from it; null if all do.
        side: Option<String> = deck.side.and_then(|side| table.sides().get(side)).cloned(),
        left: u32 = deck.left,
        of: u32 = deck.size,
        /// The cards that are left, if the game shows them.
        cards: Option<Vec<u32>> = deck.cards,
    }

    /// Consent that a player asks for.
    ConsentData(table: &Table, asked: &ConsentRequest) {
        event: u64 = asked.n,
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::ConsentFor"))]
        want: ConsentFor = asked.want,
        /// The event that would be undone, redone or withdrawn.
        of: u64 = asked.event,
        by: String = asked.by.clone(),
        /// The sides that have said yes.
        yes: Vec<String> = all(&asked.yes, |voice| table.voice_name(voice).to_owned()),
        /// The sides that have said no.
        no: Vec<String> = all(&asked.no, |voice| table.voice_name(voice).to_owned()),
    }

    /// The players who roll sealed, and the open call.
    SealedData(table: &Table) {
        circle: Vec<SealedMemberData> = all(table.sealed_circle(), SealedMemberData::new),
        call: Option<CallData> = table.open_call().map(|call| CallData::new(table, call)),
    }

    /// A player who rolls sealed.
    SealedMemberData(member: &SealedMember) {
        name: String = member.name.clone(),
        /// The event that started the chain.
        seal: u64 = member.seal,
        length: u32 = member.length,
        /// How many links are left.
        left: u32 = member.left(),
    }

    /// A call that waits for links.
    CallData(table: &Table, call: &OpenCall) {
        event: u64 = call.n,
        by: String = call.by.clone(),
        chart: String = call.record.request.chart.clone(),
        /// The players whose link is missing.
        owes: Vec<String> = all(call.owes(), str::to_owned),
        says: Option<String> = en::open_call(table),
    }

    /// What a player did with sealed rolls.
    MemberRecordData(record: MemberRecord) {
        name: String = record.name,
        called: u32 = record.called,
        /// Calls that were dropped while this player owed a link.
        owed: u32 = record.owed,
        withdrew: u32 = record.withdrew,
        /// Calls withdrawn without needing the consent of another player.
        withdrew_alone: u32 = record.withdrew_alone,
        /// Sealed rolls undone, by consent.
        undid: u32 = record.undid,
        /// Events in this player's name that no link has confirmed.
        unconfirmed: Vec<u64> = record.waiting,
    }
}

impl UnitData {
    /// The units that changed, as they are after the event.
    pub fn changed(changes: &Changes, table: &Table) -> Vec<UnitData> {
        let there = |diff: &&UnitDiff| !matches!(diff, UnitDiff::Removed(_));
        all(changes.units.iter().filter(there), |diff| UnitData::new(table, diff.unit()))
    }
}

impl PendingData {
    /// Every pending test.
    pub fn all(table: &Table) -> Vec<PendingData> {
        all(table.pending(), |pending| PendingData::new(table, pending))
    }
}

impl DeckLeftData {
    /// Every deck of a game.
    pub fn all(table: &Table) -> Vec<DeckLeftData> {
        all(table.decks(), |deck| DeckLeftData::new(table, deck))
    }
}

impl SealedData {
    /// None if no player rolls sealed.
    pub fn of(table: &Table) -> Option<SealedData> {
        (!table.sealed_circle().is_empty()).then(|| SealedData::new(table))
    }
}

impl MemberRecordData {
    /// Every player who has sealed.
    pub fn all(table: &Table) -> Vec<MemberRecordData> {
        all(table.sealed_records(), MemberRecordData::new)
    }
}

/// What an event did.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct EventData {
    /// The game's id.
    pub game: String,
    pub name: String,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Event"))]
    pub event: Event,
    pub says: String,
    /// The tests that are pending now.
    pub pending: Vec<PendingData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sealed: Option<SealedData>,
    /// All events of this step, where a sealed roll took several.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<crate::schema::Event>>"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<Event>>,
    #[serde(flatten)]
    pub played: Option<PlayedData>,
    /// The undo or redo that this consent carried out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carried_out: Option<Box<EventData>>,
}

/// What a play did.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PlayedData {
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Resolution"))]
    pub resolution: Resolution,
    /// The units that changed, as they are now.
    pub changed: Vec<UnitData>,
}

/// A line of a log.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct LogEntry {
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Event"))]
    pub event: Event,
    pub says: String,
}

/// The phases of the turn, and the one that it is now.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct TurnData<'p> {
    pub turn: u32,
    pub phase: Option<&'p str>,
    pub phases: Vec<PhaseText<'p>>,
}

/// A phase of the turn.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PhaseText<'p> {
    pub id: &'p str,
    pub title: &'p str,
    pub text: &'p str,
}

/// A log that was imported.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Imported<'g> {
    pub game: GameSummary,
    /// How many events are new.
    pub added: usize,
    pub head: &'g str,
}

/// A log that was replayed by the rules as they are now.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Replayed<'g> {
    pub game: &'g str,
    pub events: usize,
    /// Whether everything came out as recorded.
    pub same: bool,
    pub differences: Vec<Difference<'g>>,
    pub fault: Option<&'g str>,
}

/// An event that would come out otherwise.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Difference<'g> {
    pub event: u64,
    pub what: &'g str,
}

/// A log that was verified.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Verified<'g> {
    pub log: &'g str,
    pub events: usize,
    /// How many rolls were sealed.
    pub sealed: usize,
    pub sound: bool,
    pub head: Option<&'g str>,
    /// The last event that every member of the sealed group has confirmed by a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<u64>,
    /// What each player did with sealed rolls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberRecordData>,
    pub fault: Option<&'g str>,
}

/// A store that was checked.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct StoreReport<'g> {
    pub place: &'g str,
    pub sound: bool,
    pub damage: &'g [String],
    pub games: Vec<GameCheck<'g>>,
}

/// A game of a store that was checked.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct GameCheck<'g> {
    pub id: String,
    pub name: &'g str,
    pub events: u64,
    /// Up to which event the log can be trusted.
    pub intact: u64,
    pub fault: Option<String>,
}

impl EventData {
    /// An event of the game with this id and name, and the sentence about it.
    pub fn new(id: String, name: &str, table: &Table, event: &Event, says: &str) -> EventData {
        EventData {
            game: id,
            name: name.to_owned(),
            event: event.clone(),
            says: says.to_owned(),
            pending: PendingData::all(table),
            sealed: SealedData::of(table),
            events: None,
            played: None,
            carried_out: None,
        }
    }
}

fn values<'f>(
    table: &Table,
    fields: impl Iterator<Item = (&'f Field, Value)>,
) -> Entries<String, Answer> {
    fields
        .map(|(field, value)| (field.id.to_string(), value.to_answer(table.pack().words())))
        .collect()
}

/// The options of a game, with their values.
pub fn options(table: &Table) -> Entries<String, Answer> {
    values(
        table,
        table
            .pack()
            .options()
            .iter()
            .map(|option| &option.field)
            .zip(table.state().options.iter().copied()),
    )
}

/// The sides that have won, if the endings that hold say so.
fn won(table: &Table) -> Option<Vec<String>> {
    let endings = table.endings();
    let winners = endings.iter().find_map(|ending| ending.winners.as_ref())?;
    Some(winners.iter().map(|side| table.sides()[*side].clone()).collect())
}

fn side_memory(table: &Table) -> Vec<SideMemoryData> {
    let pack = table.pack();
    let line = |((side, memory), value): (&(usize, MemoryId), &Value)| {
        Some(SideMemoryData::new(table, table.sides().get(*side)?, &pack.memory()[*memory], *value))
    };
    table.state().side_memory.iter().filter_map(line).collect()
}

/// What the game remembers for all sides together.
fn memory(table: &Table) -> Entries<String, Answer> {
    let fields = table.pack().memory().iter_enumerated().zip(&table.state().memory);
    let shared = fields.filter(|((place, _), _)| !table.pack().is_per_side(*place));
    values(table, shared.map(|((_, field), value)| (field, *value)))
}

/// What a game remembers: one value, or one for each side.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum MemoryData {
    /// The same for all sides.
    OfGame(Answer),
    /// By the names of the sides.
    OfSides(Entries<String, Answer>),
}

/// Everything that a game remembers, by its ids.
pub fn whole_memory(table: &Table) -> Entries<String, MemoryData> {
    let pack = table.pack();
    let one = |memory: MemoryId| match table.memory_of_sides(memory) {
        Some(values) => MemoryData::OfSides(
            values.map(|(side, value)| (side.to_owned(), value.to_answer(pack.words()))).collect(),
        ),
        None => MemoryData::OfGame(table.state().memory[memory].to_answer(pack.words())),
    };
    (pack.memory().iter_enumerated())
        .map(|(memory, field)| (field.id.to_string(), one(memory)))
        .collect()
}
