//! Packs as data.

use crate::{CardData, ChartData, Entries, FightData};
use adjutant_dice::{Accepts, Answer};
use adjutant_pack::{Field, Pack, PhaseDue, Start, Template};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// A whole pack.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PackData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    pub version: &'p str,
    /// Who made the game.
    pub by: &'p str,
    pub about: &'p str,
    /// Where the facts come from.
    pub source: &'p str,
    /// What must be said with it.
    pub notice: &'p str,
    /// The SHA-256 of its rules.
    pub hash: &'p str,
    pub turn: Vec<PhaseData<'p>>,
    pub charts: Vec<ChartData<'p>>,
    pub fights: Vec<FightData<'p>>,
    pub results: Vec<Described<'p>>,
    pub units: Vec<UnitKindData<'p>>,
    pub templates: Vec<TemplateData<'p>>,
    pub starts: Vec<StartData<'p>>,
    pub endings: Vec<Described<'p>>,
    pub statuses: Vec<StatusData<'p>>,
    pub decks: Vec<DeckData<'p>>,
    pub options: Vec<OptionData<'p>>,
    pub memory: Vec<FieldData<'p>>,
    pub readings: Vec<ReadingData<'p>>,
    pub user_tables: Vec<UserTableData<'p>>,
}

/// A pack in a list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PackListing<'p> {
    pub id: &'p str,
    /// Null if the pack has faults.
    pub title: Option<&'p str>,
    /// How many charts it has.
    pub charts: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<&'p str>,
    /// Where the command found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<&'p str>,
    /// How many faults the command found in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faults: Option<usize>,
}

/// A phase of the turn.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PhaseData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    pub text: &'p str,
    /// Charts that are used in it.
    pub charts: Vec<&'p str>,
    /// Charts that fall due when it starts.
    pub due: Vec<&'p str>,
}

/// Something with a name and an explanation.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Described<'p> {
    pub id: &'p str,
    pub title: &'p str,
    pub means: &'p str,
}

/// A kind of unit.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct UnitKindData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    /// Its attributes.
    pub has: Vec<FieldData<'p>>,
}

/// A unit that is ready to use.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct TemplateData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    pub name: &'p str,
    pub note: &'p str,
    pub kind: &'p str,
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
    )]
    pub has: Entries<&'p str, Answer>,
    pub statuses: Vec<&'p str>,
}

/// A way to start a game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct StartData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    pub about: &'p str,
    pub sides: Vec<StartSideData<'p>>,
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
    )]
    pub options: Entries<&'p str, Answer>,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Decks"))]
    pub decks: adjutant_game::Decks,
    pub units: Vec<StartUnitData<'p>>,
    /// Charts that fall due at once.
    pub due: Vec<&'p str>,
}

/// A side of a start.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct StartSideData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    /// Whether no player plays it: the sheet says what it does.
    pub run_by_sheet: bool,
}

/// Units of a start.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct StartUnitData<'p> {
    pub template: &'p str,
    pub side: &'p str,
    pub name: &'p str,
    pub group: &'p str,
    pub count: u32,
}

/// A status.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct StatusData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    pub means: &'p str,
    /// The kinds of unit that can have it.
    pub of: Vec<&'p str>,
}

/// A deck with all its cards.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct DeckData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    pub cards: Vec<Option<CardData<'p>>>,
}

/// A named value: an input, an attribute, an option, a memory.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct FieldData<'p> {
    pub name: &'p str,
    pub label: &'p str,
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Accepts"))]
    pub accepts: &'p Accepts,
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Answer>"))]
    pub default: Option<&'p Answer>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub note: &'p str,
}

impl<'p> FieldData<'p> {
    /// A field under the name it has here.
    pub(crate) fn named(name: &'p str, field: &'p Field) -> FieldData<'p> {
        FieldData {
            name,
            label: &field.label,
            accepts: &field.accepts,
            default: field.default.as_ref(),
            note: &field.note,
        }
    }

    fn new(field: &'p Field) -> FieldData<'p> {
        FieldData::named(&field.id, field)
    }
}

/// An option of a pack.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct OptionData<'p> {
    #[serde(flatten)]
    pub field: FieldData<'p>,
    /// How sure the rule is.
    pub standing: &'static str,
    pub origin: &'p str,
}

/// How the pack reads its sheet where that is ambiguous.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ReadingData<'p> {
    pub id: &'p str,
    pub text: &'p str,
    pub standing: &'static str,
}

/// A table that players fill in from their rule book.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct UserTableData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    /// Where the rule book prints it.
    #[serde(rename = "where")]
    pub place: &'p str,
    pub filled: bool,
    pub results: Vec<&'p str>,
}

impl<'p> PackData<'p> {
    pub fn new(pack: &'p Pack) -> PackData<'p> {
        let fields = |list: &'p [Field]| list.iter().map(FieldData::new).collect::<Vec<_>>();
        PackData {
            id: pack.id(),
            title: pack.title(),
            version: pack.version(),
            by: pack.by(),
            about: pack.about(),
            source: pack.source(),
            notice: pack.notice(),
            hash: pack.hash(),
            turn: pack.phases().iter().map(|phase| PhaseData::new(pack, phase)).collect(),
            charts: pack.charts().iter().map(|chart| ChartData::new(pack, chart)).collect(),
            fights: pack.fights().iter().map(|fight| FightData::new(pack, fight)).collect(),
            results: pack
                .results()
                .iter()
                .map(|r| Described { id: &r.id, title: &r.title, means: &r.means })
                .collect(),
            units: pack
                .kinds()
                .iter()
                .map(|kind| UnitKindData {
                    id: &kind.id,
                    title: &kind.title,
                    has: fields(&kind.has),
                })
                .collect(),
            templates: pack
                .templates()
                .iter()
                .map(|template| TemplateData::new(pack, template))
                .collect(),
            starts: pack.starts().iter().map(|start| StartData::new(pack, start)).collect(),
            endings: pack
                .endings()
                .iter()
                .map(|e| Described { id: &e.id, title: &e.title, means: &e.means })
                .collect(),
            statuses: pack.statuses().iter().map(|status| StatusData::new(pack, status)).collect(),
            decks: pack.decks().iter().map(|deck| DeckData::new(pack, deck)).collect(),
            options: pack.options().iter().map(OptionData::new).collect(),
            memory: fields(pack.memory()),
            readings: pack
                .readings()
                .iter()
                .map(|r| ReadingData { id: &r.id, text: &r.text, standing: r.standing.name() })
                .collect(),
            user_tables: pack
                .user_tables()
                .iter()
                .map(|table| UserTableData::new(pack, table))
                .collect(),
        }
    }
}

fn due<'p>(pack: &'p Pack, due: &[PhaseDue]) -> Vec<&'p str> {
    due.iter().map(|due| pack.charts()[due.chart].id.as_str()).collect()
}

impl<'p> PhaseData<'p> {
    fn new(pack: &'p Pack, phase: &'p adjutant_pack::Phase) -> PhaseData<'p> {
        PhaseData {
            id: &phase.id,
            title: &phase.title,
            text: &phase.text,
            charts: phase.charts.iter().map(|chart| pack.charts()[*chart].id.as_str()).collect(),
            due: due(pack, &phase.due),
        }
    }
}

impl<'p> TemplateData<'p> {
    fn new(pack: &'p Pack, template: &'p Template) -> TemplateData<'p> {
        let kind = &pack.kinds()[template.kind];
        TemplateData {
            id: &template.id,
            title: &template.title,
            name: &template.name,
            note: &template.note,
            kind: &kind.id,
            has: template
                .has
                .iter()
                .map(|(place, value)| (kind.has[*place].id.as_str(), value.to_answer(pack.words())))
                .collect(),
            statuses: template
                .statuses
                .iter()
                .map(|status| pack.statuses()[*status].id.as_str())
                .collect(),
        }
    }
}

impl<'p> StartData<'p> {
    fn new(pack: &'p Pack, start: &'p Start) -> StartData<'p> {
        let options = start.options.iter().map(|(option, value)| {
            (pack.options()[*option].field.id.as_str(), value.to_answer(pack.words()))
        });
        StartData {
            id: &start.id,
            title: &start.title,
            about: &start.about,
            sides: start
                .sides
                .iter()
                .map(|s| StartSideData { id: &s.id, title: &s.title, run_by_sheet: s.run_by_sheet })
                .collect(),
            options: options.collect(),
            decks: if start.decks_per_side {
                adjutant_game::Decks::PerSide
            } else {
                adjutant_game::Decks::Shared
            },
            units: start
                .units
                .iter()
                .map(|unit| StartUnitData {
                    template: &pack.templates()[unit.template].id,
                    side: &start.sides[unit.side].id,
                    name: &unit.name,
                    group: &unit.group,
                    count: unit.count,
                })
                .collect(),
            due: start.due.iter().map(|due| pack.charts()[due.chart].id.as_str()).collect(),
        }
    }
}

impl<'p> StatusData<'p> {
    fn new(pack: &'p Pack, status: &'p adjutant_pack::Status) -> StatusData<'p> {
        let of = status.of.iter().map(|kind| pack.kinds()[*kind].id.as_str()).collect();
        StatusData { id: &status.id, title: &status.title, means: &status.means, of }
    }
}

impl<'p> DeckData<'p> {
    fn new(pack: &'p Pack, deck: &'p adjutant_pack::DeckSheet) -> DeckData<'p> {
        DeckData { id: &deck.id, title: &deck.title, cards: CardData::all(pack, deck) }
    }
}

impl<'p> OptionData<'p> {
    fn new(option: &'p adjutant_pack::PackOption) -> OptionData<'p> {
        OptionData {
            field: FieldData::new(&option.field),
            standing: option.standing.name(),
            origin: &option.origin,
        }
    }
}

impl<'p> UserTableData<'p> {
    fn new(pack: &'p Pack, table: &'p adjutant_pack::UserTable) -> UserTableData<'p> {
        UserTableData {
            id: &table.id,
            title: &table.title,
            place: &table.place,
            filled: table.filled,
            results: table
                .results
                .iter()
                .map(|result| pack.results()[*result].id.as_str())
                .collect(),
        }
    }
}
