//! Packs as data.

use crate::{CardData, ChartData, Entries, FightData};
use adjutant_dice::{Accepts, Answer};
use adjutant_pack::{Field, Pack, PhaseDue, Start, Template};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

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
    /// The version of the pack format.
    pub format: u32,
    /// An SPDX expression, or empty.
    pub license: &'p str,
    /// The web page of the pack, or empty.
    pub url: &'p str,
    /// The language of its texts as a BCP 47 tag, or empty.
    pub language: &'p str,
    /// The SHA-256 of its rules.
    pub hash: &'p str,
    /// The glossary.
    pub terms: Vec<TermData<'p>>,
    pub turn: Vec<PhaseData<'p>>,
    pub charts: Vec<ChartData<'p>>,
    pub fights: Vec<FightData<'p>>,
    pub results: Vec<ResultData<'p>>,
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
    /// The version of the pack format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<u32>,
    /// An SPDX expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<&'p str>,
    /// The web page of the pack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<&'p str>,
    /// The language of its texts as a BCP 47 tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<&'p str>,
    /// Where the command or the server has it from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<&'p str>,
    /// The checksum by which the server gives it: `/api/bundles/{sum}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundle: Option<&'p str>,
    /// Whether the server adds tables or decks of its owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supplied: Option<bool>,
    /// How many faults the command found in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faults: Option<usize>,
}

impl<'p> PackListing<'p> {
    /// A pack without faults.
    pub fn new(pack: &'p Pack) -> PackListing<'p> {
        let given = |text: &'p str| (!text.is_empty()).then_some(text);
        PackListing {
            id: pack.id(),
            title: Some(pack.title()),
            charts: pack.charts().len(),
            version: Some(pack.version()),
            format: Some(adjutant_pack::FORMAT),
            license: given(pack.license()),
            url: given(pack.url()),
            language: given(pack.language()),
            hash: Some(pack.hash()),
            from: None,
            bundle: None,
            supplied: None,
            faults: None,
        }
    }

    /// A pack that cannot be used.
    pub fn faulty(id: &'p str) -> PackListing<'p> {
        PackListing {
            id,
            title: None,
            charts: 0,
            version: None,
            format: None,
            license: None,
            url: None,
            language: None,
            hash: None,
            from: None,
            bundle: None,
            supplied: None,
            faults: None,
        }
    }
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

/// A term of the game that the sheet explains.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct TermData<'p> {
    pub id: &'p str,
    /// The term as it is written on the sheet.
    pub title: &'p str,
    pub text: &'p str,
}

/// Something with a name and an explanation.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Described<'p> {
    pub id: &'p str,
    pub title: &'p str,
    pub means: &'p str,
}

/// A result that charts can give.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ResultData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    pub means: &'p str,
    /// How bad it is for its unit, from 0 to 3, if the pack says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u8>"))]
    pub harm: Option<adjutant_pack::Harm>,
}

/// A kind of unit.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct UnitKindData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    /// The name of a symbol, or the data of an SVG path in a square of 24 by 24.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<&'p str>,
    /// Its attributes.
    pub has: Vec<AttributeData<'p>>,
}

/// An attribute of a kind of unit.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct AttributeData<'p> {
    #[serde(flatten)]
    pub field: FieldData<'p>,
    /// A label of a few letters.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub short: &'p str,
    /// Whether it matters enough to stand on the unit's card.
    pub on_card: bool,
    /// The unit's symbol by the word of this choice.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub symbols: BTreeMap<&'p str, &'p str>,
    /// The labels of a few letters of words of this choice.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub shorts: BTreeMap<&'p str, &'p str>,
}

impl<'p> UnitKindData<'p> {
    fn new(pack: &'p Pack, kind: &'p adjutant_pack::UnitKind) -> UnitKindData<'p> {
        let attribute =
            |(field, look): (&'p Field, &'p adjutant_pack::AttributeLook)| AttributeData {
                field: FieldData::new(field),
                short: &look.short,
                on_card: look.on_card,
                symbols: look
                    .symbols
                    .iter()
                    .map(|(word, symbol)| (pack.words().text(*word), symbol.as_str()))
                    .collect(),
                shorts: look
                    .shorts
                    .iter()
                    .map(|(word, short)| (pack.words().text(*word), short.as_str()))
                    .collect(),
            };
        UnitKindData {
            id: &kind.id,
            title: &kind.title,
            symbol: kind.symbol.as_ref().map(adjutant_pack::Symbol::as_str),
            has: kind.has.iter().zip(&kind.looks).map(attribute).collect(),
        }
    }
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
    /// How bad it is, from 0 to 3, if the pack says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u8>"))]
    pub harm: Option<adjutant_pack::Harm>,
    /// The kinds of unit that can have it.
    pub of: Vec<&'p str>,
}

/// A deck with all its cards.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct DeckData<'p> {
    pub id: &'p str,
    pub title: &'p str,
    /// Empty for a user deck that is not supplied.
    pub cards: Vec<Option<CardData<'p>>>,
    /// Whether the player supplies the cards.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub user: bool,
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
            format: adjutant_pack::FORMAT,
            license: pack.license(),
            url: pack.url(),
            language: pack.language(),
            hash: pack.hash(),
            terms: pack
                .terms()
                .iter()
                .map(|term| TermData { id: &term.id, title: &term.title, text: &term.text })
                .collect(),
            turn: pack.phases().iter().map(|phase| PhaseData::new(pack, phase)).collect(),
            charts: pack.charts().iter().map(|chart| ChartData::new(pack, chart)).collect(),
            fights: pack.fights().iter().map(|fight| FightData::new(pack, fight)).collect(),
            results: pack
                .results()
                .iter()
                .map(|r| ResultData { id: &r.id, title: &r.title, means: &r.means, harm: r.harm })
                .collect(),
            units: pack.kinds().iter().map(|kind| UnitKindData::new(pack, kind)).collect(),
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
        StatusData {
            id: &status.id,
            title: &status.title,
            means: &status.means,
            harm: status.harm,
            of,
        }
    }
}

impl<'p> DeckData<'p> {
    fn new(pack: &'p Pack, deck: &'p adjutant_pack::DeckSheet) -> DeckData<'p> {
        DeckData {
            id: &deck.id,
            title: &deck.title,
            cards: CardData::all(pack, deck),
            user: deck.user.is_some(),
        }
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
