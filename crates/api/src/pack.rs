//! Packs as data.

use crate::view::{all, views};
use crate::{CardData, ChartData, Entries, FightData};
use adjutant_dice::{Accepts, Answer};
use adjutant_game::Decks;
use adjutant_pack::{
    AttributeLook, DeckSheet, Ending, Field, Pack, PackOption, Phase, Reading, ResultRule, Start,
    StartSide, StartUnit, Status, Symbol, Template, Term, UnitKind, UserTable, Word,
};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A pack in a list.
#[derive(Debug, Default, Serialize)]
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
            ..PackListing::default()
        }
    }

    /// A pack that cannot be used.
    pub fn faulty(id: &'p str) -> PackListing<'p> {
        PackListing { id, ..PackListing::default() }
    }
}

views! {
    /// A whole pack.
    PackData<'p>(pack: &'p Pack) {
        id: &'p str = pack.id(),
        title: &'p str = pack.title(),
        version: &'p str = pack.version(),
        /// Who made the game.
        by: &'p str = pack.by(),
        about: &'p str = pack.about(),
        /// Where the facts come from.
        source: &'p str = pack.source(),
        /// What must be said with it.
        notice: &'p str = pack.notice(),
        /// The version of the pack format.
        format: u32 = adjutant_pack::FORMAT,
        /// An SPDX expression, or empty.
        license: &'p str = pack.license(),
        /// The web page of the pack, or empty.
        url: &'p str = pack.url(),
        /// The language of its texts as a BCP 47 tag, or empty.
        language: &'p str = pack.language(),
        /// The SHA-256 of its rules.
        hash: &'p str = pack.hash(),
        /// The glossary.
        terms: Vec<TermData<'p>> = all(pack.terms(), TermData::new),
        turn: Vec<PhaseData<'p>> = all(pack.phases(), |phase| PhaseData::new(pack, phase)),
        charts: Vec<ChartData<'p>> = all(pack.charts(), |chart| ChartData::new(pack, chart)),
        fights: Vec<FightData<'p>> = all(pack.fights(), |fight| FightData::new(pack, fight)),
        results: Vec<ResultData<'p>> = all(pack.results(), ResultData::new),
        units: Vec<UnitKindData<'p>> = all(pack.kinds(), |kind| UnitKindData::new(pack, kind)),
        templates: Vec<TemplateData<'p>>
            = all(pack.templates(), |template| TemplateData::new(pack, template)),
        starts: Vec<StartData<'p>> = all(pack.starts(), |start| StartData::new(pack, start)),
        endings: Vec<Described<'p>> = all(pack.endings(), Described::new),
        statuses: Vec<StatusData<'p>>
            = all(pack.statuses(), |status| StatusData::new(pack, status)),
        decks: Vec<DeckData<'p>> = all(pack.decks(), |deck| DeckData::new(pack, deck)),
        options: Vec<OptionData<'p>> = all(pack.options(), OptionData::new),
        memory: Vec<FieldData<'p>> = all(pack.memory(), |field| FieldData::new(&field.id, field)),
        readings: Vec<ReadingData<'p>> = all(pack.readings(), ReadingData::new),
        user_tables: Vec<UserTableData<'p>>
            = all(pack.user_tables(), |table| UserTableData::new(pack, table)),
    }

    /// A term of the game that the sheet explains.
    TermData<'p>(term: &'p Term) {
        id: &'p str = &term.id,
        /// The term as it is written on the sheet.
        title: &'p str = &term.title,
        text: &'p str = &term.text,
    }

    /// A phase of the turn.
    PhaseData<'p>(pack: &'p Pack, phase: &'p Phase) {
        id: &'p str = &phase.id,
        title: &'p str = &phase.title,
        text: &'p str = &phase.text,
        /// Charts that are used in it.
        charts: Vec<&'p str> = all(&phase.charts, |chart| &*pack.charts()[*chart].id),
        /// Charts that fall due when it starts.
        due: Vec<&'p str> = all(&phase.due, |due| &*pack.charts()[due.chart].id),
    }

    /// A result that charts can give.
    ResultData<'p>(result: &'p ResultRule) {
        id: &'p str = &result.id,
        title: &'p str = &result.title,
        means: &'p str = &result.means,
        /// How bad it is for its unit, from 0 to 3, if the pack says so.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<u8>"))]
        harm: Option<adjutant_pack::Harm> = result.harm,
    }

    /// A kind of unit.
    UnitKindData<'p>(pack: &'p Pack, kind: &'p UnitKind) {
        id: &'p str = &kind.id,
        title: &'p str = &kind.title,
        /// The name of a symbol, or the data of an SVG path in a square of 24 by 24.
        #[serde(skip_serializing_if = "Option::is_none")]
        symbol: Option<&'p str> = kind.symbol.as_ref().map(Symbol::as_str),
        /// Its attributes.
        has: Vec<AttributeData<'p>> = all(kind.has.iter().zip(&kind.looks), |(field, look)| {
            AttributeData::new(pack, field, look)
        }),
    }

    /// An attribute of a kind of unit.
    AttributeData<'p>(pack: &'p Pack, field: &'p Field, look: &'p AttributeLook) {
        #[serde(flatten)]
        field: FieldData<'p> = FieldData::new(&field.id, field),
        /// A label of a few letters.
        #[serde(skip_serializing_if = "str::is_empty")]
        short: &'p str = &look.short,
        /// Whether it matters enough to stand on the unit's card.
        on_card: bool = look.on_card,
        /// The unit's symbol by the word of this choice.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        symbols: BTreeMap<&'p str, &'p str>
            = by_word(pack, look.symbols.iter().map(|(word, symbol)| (*word, symbol.as_str()))),
        /// The labels of a few letters of words of this choice.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        shorts: BTreeMap<&'p str, &'p str>
            = by_word(pack, look.shorts.iter().map(|(word, short)| (*word, short.as_str()))),
    }

    /// A unit that is ready to use.
    TemplateData<'p>(pack: &'p Pack, template: &'p Template) {
        id: &'p str = &template.id,
        title: &'p str = &template.title,
        name: &'p str = &template.name,
        note: &'p str = &template.note,
        kind: &'p str = &pack.kinds()[template.kind].id,
        #[cfg_attr(
            feature = "schema",
            schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
        )]
        has: Entries<&'p str, Answer> = template.has.iter().map(|(place, value)| {
            (&*pack.kinds()[template.kind].has[*place].id, value.to_answer(pack.words()))
        }).collect(),
        statuses: Vec<&'p str> = all(&template.statuses, |status| &*pack.statuses()[*status].id),
    }

    /// A way to start a game.
    StartData<'p>(pack: &'p Pack, start: &'p Start) {
        id: &'p str = &start.id,
        title: &'p str = &start.title,
        about: &'p str = &start.about,
        sides: Vec<StartSideData<'p>> = all(&start.sides, StartSideData::new),
        #[cfg_attr(
            feature = "schema",
            schemars(with = "std::collections::BTreeMap<String, crate::schema::Answer>")
        )]
        options: Entries<&'p str, Answer> = start.options.iter().map(|(option, value)| {
            (&*pack.options()[*option].field.id, value.to_answer(pack.words()))
        }).collect(),
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Decks"))]
        decks: Decks = if start.decks_per_side { Decks::PerSide } else { Decks::Shared },
        units: Vec<StartUnitData<'p>>
            = all(&start.units, |unit| StartUnitData::new(pack, start, unit)),
        /// Charts that fall due at once.
        due: Vec<&'p str> = all(&start.due, |due| &*pack.charts()[due.chart].id),
    }

    /// A side of a start.
    StartSideData<'p>(side: &'p StartSide) {
        id: &'p str = &side.id,
        title: &'p str = &side.title,
        /// Whether no player plays it: the sheet says what it does.
        run_by_sheet: bool = side.run_by_sheet,
    }

    /// Units of a start.
    StartUnitData<'p>(pack: &'p Pack, start: &'p Start, unit: &'p StartUnit) {
        template: &'p str = &pack.templates()[unit.template].id,
        side: &'p str = &start.sides[unit.side].id,
        name: &'p str = &unit.name,
        group: &'p str = &unit.group,
        count: u32 = unit.count,
    }

    /// Something with a name and an explanation.
    Described<'p>(ending: &'p Ending) {
        id: &'p str = &ending.id,
        title: &'p str = &ending.title,
        means: &'p str = &ending.means,
    }

    /// A status.
    StatusData<'p>(pack: &'p Pack, status: &'p Status) {
        id: &'p str = &status.id,
        title: &'p str = &status.title,
        means: &'p str = &status.means,
        /// How bad it is, from 0 to 3, if the pack says so.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<u8>"))]
        harm: Option<adjutant_pack::Harm> = status.harm,
        /// The kinds of unit that can have it.
        of: Vec<&'p str> = all(&status.of, |kind| &*pack.kinds()[*kind].id),
    }

    /// A deck with all its cards.
    DeckData<'p>(pack: &'p Pack, deck: &'p DeckSheet) {
        id: &'p str = &deck.id,
        title: &'p str = &deck.title,
        /// Empty for a user deck that is not supplied.
        cards: Vec<Option<CardData<'p>>> = CardData::all(pack, deck),
        /// Whether the player supplies the cards.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        user: bool = deck.user.is_some(),
    }

    /// A named value: an input, an attribute, an option, a memory.
    FieldData<'p>(name: &'p str, field: &'p Field) {
        name: &'p str = name,
        label: &'p str = &field.label,
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Accepts"))]
        accepts: &'p Accepts = &field.accepts,
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Answer>"))]
        default: Option<&'p Answer> = field.default.as_ref(),
        #[serde(skip_serializing_if = "str::is_empty")]
        note: &'p str = &field.note,
    }

    /// An option of a pack.
    OptionData<'p>(option: &'p PackOption) {
        #[serde(flatten)]
        field: FieldData<'p> = FieldData::new(&option.field.id, &option.field),
        /// How sure the rule is.
        standing: &'static str = option.standing.name(),
        origin: &'p str = &option.origin,
    }

    /// How the pack reads its sheet where that is ambiguous.
    ReadingData<'p>(reading: &'p Reading) {
        id: &'p str = &reading.id,
        text: &'p str = &reading.text,
        standing: &'static str = reading.standing.name(),
    }

    /// A table that players fill in from their rule book.
    UserTableData<'p>(pack: &'p Pack, table: &'p UserTable) {
        id: &'p str = &table.id,
        title: &'p str = &table.title,
        /// Where the rule book prints it.
        #[serde(rename = "where")]
        place: &'p str = &table.place,
        filled: bool = table.filled,
        results: Vec<&'p str> = all(&table.results, |result| &*pack.results()[*result].id),
    }
}

/// Texts by the words of a choice.
fn by_word<'p>(
    pack: &'p Pack,
    texts: impl Iterator<Item = (Word, &'p str)>,
) -> BTreeMap<&'p str, &'p str> {
    texts.map(|(word, text)| (pack.words().text(word), text)).collect()
}
