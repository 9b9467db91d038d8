//! Games as data: the state of a game, and what an event did.

use crate::{Entries, Seated};
use adjutant_dice::Answer;
use adjutant_engine::Resolution;
use adjutant_game::{
    Changes, ConsentFor, Event, PendingTest, Table, Unit, UnitDiff, UnitsByRole, Values, Voice,
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

/// A whole game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct GameData {
    #[serde(flatten)]
    pub summary: GameSummary,
    /// The SHA-256 of the last line of its log.
    pub head: String,
    pub turn: u32,
    pub phase: Option<String>,
    pub sides: Vec<String>,
    /// Sides that no player plays: the sheet says what they do.
    pub by_sheet: Option<Vec<String>>,
    /// The endings that hold.
    pub over: Vec<String>,
    /// The sides that have won; left out if no ending says who has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub won: Option<Vec<String>>,
    pub people: Vec<Seated>,
    pub units: Vec<UnitData>,
    pub pending: Vec<PendingData>,
    /// Plays whose effects wait for other simultaneous attacks, by their events.
    pub held: Vec<u64>,
    pub decks: Vec<DeckLeftData>,
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
    )]
    pub options: Entries<String, Answer>,
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
    )]
    pub memory: Entries<String, Answer>,
    /// What the game remembers for each side, where that is not as at the start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub side_memory: Vec<SideMemoryData>,
    /// Plays that a status ruled out and that were allowed all the same, by their events.
    pub anyway: Vec<u64>,
    pub asked: Option<ConsentData>,
    pub sealed: Option<SealedData>,
}

/// What the game remembers for one side.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SideMemoryData {
    pub side: String,
    pub memory: String,
    pub value: String,
}

/// A unit.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct UnitData {
    pub id: String,
    pub name: String,
    pub kind: String,
    pub side: Option<String>,
    pub group: String,
    /// The attributes that are known.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
    )]
    pub has: Entries<String, Answer>,
    /// Values that are worked out from others.
    #[serde(skip_serializing_if = "Entries::is_empty")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
    )]
    pub worked_out: Entries<String, Answer>,
    pub statuses: Vec<String>,
    pub notes: String,
    /// The word with which it left the game.
    pub gone: Option<String>,
}

/// A pending test.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PendingData {
    pub id: String,
    pub chart: String,
    pub why: String,
    /// Whether it comes before everything else.
    pub now: bool,
    pub order: Option<u32>,
    /// The units that take part, by role.
    pub who: UnitsByRole,
    pub with: Values,
    /// The roles that no unit takes yet.
    pub open: Vec<String>,
    /// The event that it follows from.
    pub stems: u64,
    pub says: String,
}

/// What is left of a deck.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct DeckLeftData {
    pub id: String,
    /// The side that draws from it; null if all do.
    pub side: Option<String>,
    pub left: u32,
    pub of: u32,
    /// The cards that are left, if the game shows them.
    pub cards: Option<Vec<u32>>,
}

/// Consent that a player asks for.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ConsentData {
    pub event: u64,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::ConsentFor"))]
    pub want: ConsentFor,
    /// The event that would be undone, redone or withdrawn.
    pub of: u64,
    pub by: String,
    /// The sides that have said yes.
    pub yes: Vec<String>,
    /// The sides that have said no.
    pub no: Vec<String>,
}

/// The players who roll sealed, and the open call.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SealedData {
    pub circle: Vec<SealedMemberData>,
    pub call: Option<CallData>,
}

/// A player who rolls sealed.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SealedMemberData {
    pub name: String,
    /// The event that started the chain.
    pub seal: u64,
    pub length: u32,
    /// How many links are left.
    pub left: u32,
}

/// A call that waits for links.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CallData {
    pub event: u64,
    pub by: String,
    pub chart: String,
    /// The players whose link is missing.
    pub owes: Vec<String>,
    pub says: Option<String>,
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

/// What a player did with sealed rolls.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct MemberRecordData {
    pub name: String,
    pub called: u32,
    /// Calls that were dropped while this player owed a link.
    pub owed: u32,
    pub withdrew: u32,
    /// Calls withdrawn without needing the consent of another player.
    pub withdrew_alone: u32,
    /// Sealed rolls undone, by consent.
    pub undid: u32,
    /// Events in this player's name that no link has confirmed.
    pub unconfirmed: Vec<u64>,
}

impl MemberRecordData {
    /// Every player who has sealed.
    pub fn all(table: &Table) -> Vec<MemberRecordData> {
        let records = table.sealed_records().into_iter().map(|record| MemberRecordData {
            name: record.name,
            called: record.called,
            owed: record.owed,
            withdrew: record.withdrew,
            withdrew_alone: record.withdrew_alone,
            undid: record.undid,
            unconfirmed: record.waiting,
        });
        records.collect()
    }
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

impl GameData {
    pub fn new(summary: GameSummary, table: &Table) -> GameData {
        let (phase, turn) = table.turn();
        GameData {
            summary: GameSummary { events: table.lines().len() as u64, ..summary },
            head: table.head().to_owned(),
            turn,
            phase: phase.map(|phase| phase.id.to_string()),
            sides: table.sides().to_vec(),
            by_sheet: table.setup().map(|setup| setup.run_by_sheet.clone()),
            over: table.endings().iter().map(|ending| ending.id.to_string()).collect(),
            won: won(table),
            people: Seated::all(table),
            units: table.state().units.iter().map(|unit| UnitData::new(table, unit)).collect(),
            pending: PendingData::all(table),
            held: table.state().held.iter().map(|held| held.n).collect(),
            decks: DeckLeftData::all(table),
            options: options(table),
            memory: memory(table),
            side_memory: side_memory(table),
            anyway: table.state().anyway.clone(),
            asked: ConsentData::of(table),
            sealed: SealedData::of(table),
        }
    }
}

impl UnitData {
    pub fn new(table: &Table, unit: &Unit) -> UnitData {
        let pack = table.pack();
        let kind = &pack.kinds()[unit.kind];
        let known = kind.has.iter().zip(&unit.attributes);
        UnitData {
            id: unit.id.clone(),
            name: unit.name.clone(),
            kind: kind.id.to_string(),
            side: table.sides().get(unit.side).cloned(),
            group: unit.group.clone(),
            has: known
                .filter_map(|(field, value)| {
                    Some((field.id.to_string(), (*value)?.to_answer(pack.words())))
                })
                .collect(),
            worked_out: table
                .worked_out(unit)
                .into_iter()
                .map(|(derived, value)| (derived.id.to_string(), value.to_answer(pack.words())))
                .collect(),
            statuses: unit
                .statuses
                .iter()
                .map(|status| pack.statuses()[*status].id.to_string())
                .collect(),
            notes: unit.notes.clone(),
            gone: unit.gone.clone(),
        }
    }

    /// The units that changed, as they are after the event.
    pub fn changed(changes: &Changes, table: &Table) -> Vec<UnitData> {
        let there = |diff: &&UnitDiff| !matches!(diff, UnitDiff::Removed(_));
        let units = changes.units.iter().filter(there);
        units.map(|diff| UnitData::new(table, diff.unit())).collect()
    }
}

impl PendingData {
    pub fn new(table: &Table, pending: &PendingTest) -> PendingData {
        let due = &pending.due;
        PendingData {
            id: due.id.clone(),
            chart: due.chart.clone(),
            why: due.why.clone(),
            now: due.now,
            order: due.order,
            who: due.units.clone(),
            with: due.with.clone(),
            open: table.open_roles(pending).map(str::to_owned).collect(),
            stems: pending.stems,
            says: en::pending_test(table, pending),
        }
    }

    /// Every pending test.
    pub fn all(table: &Table) -> Vec<PendingData> {
        table.pending().map(|pending| PendingData::new(table, pending)).collect()
    }
}

impl DeckLeftData {
    /// Every deck of a game.
    pub fn all(table: &Table) -> Vec<DeckLeftData> {
        let decks = table.decks().into_iter().map(|deck| DeckLeftData {
            id: deck.deck.to_owned(),
            side: deck.side.and_then(|side| table.sides().get(side)).cloned(),
            left: deck.left,
            of: deck.size,
            cards: deck.cards,
        });
        decks.collect()
    }
}

impl ConsentData {
    fn of(table: &Table) -> Option<ConsentData> {
        let asked = table.asked()?;
        let names =
            |list: &[Voice]| list.iter().map(|voice| table.voice_name(voice).to_owned()).collect();
        Some(ConsentData {
            event: asked.n,
            want: asked.want,
            of: asked.event,
            by: asked.by.clone(),
            yes: names(&asked.yes),
            no: names(&asked.no),
        })
    }
}

impl SealedData {
    /// None if no player rolls sealed.
    pub fn of(table: &Table) -> Option<SealedData> {
        let circle = table.sealed_circle();
        if circle.is_empty() {
            return None;
        }
        let member = |member: &adjutant_game::SealedMember| SealedMemberData {
            name: member.name.clone(),
            seal: member.seal,
            length: member.length,
            left: member.left(),
        };
        let call = table.open_call().map(|call| CallData {
            event: call.n,
            by: call.by.clone(),
            chart: call.record.request.chart.clone(),
            owes: call.owes().map(str::to_owned).collect(),
            says: en::open_call(table),
        });
        Some(SealedData { circle: circle.iter().map(member).collect(), call })
    }
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

/// What a game remembers between charts.
fn won(table: &Table) -> Option<Vec<String>> {
    let endings = table.endings();
    let winners = endings.iter().find_map(|ending| ending.winners.as_ref())?;
    Some(winners.iter().map(|side| table.sides()[*side].clone()).collect())
}

fn side_memory(table: &Table) -> Vec<SideMemoryData> {
    let pack = table.pack();
    let line = |((side, memory), value): (&(usize, MemoryId), &Value)| {
        Some(SideMemoryData {
            side: table.sides().get(*side)?.clone(),
            memory: pack.memory()[*memory].id.to_string(),
            value: value.to_answer(pack.words()).to_string(),
        })
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
