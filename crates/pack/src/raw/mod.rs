//! The raw form of a pack: the structure of the files is parsed, but names are not looked up yet.
//! Only [`check`](crate::check) turns it into a [`Pack`](crate::Pack).

mod chart;
mod die;
mod draw;
mod field;
mod fight;
mod keyed;
mod layout;
mod read;
mod roll;
mod turn;

pub(crate) use chart::{RawAgain, RawChart, RawLookUp, RawModifier, RawStep, RawStepKind};
pub(crate) use die::{RawDie, RawFaces, RawList, RawWord};
pub(crate) use draw::{RawDraw, RawPick};
pub(crate) use field::RawField;
pub(crate) use fight::{RawAction, RawFight};
pub(crate) use keyed::RawKeyed;
pub(crate) use layout::RawPlace;
pub(crate) use read::{
    RawBand, RawCell, RawEffect, RawEnd, RawInstead, RawNewcomers, RawNext, RawRead, RawRow,
    RawRows, RawTerms, read_rows,
};
pub(crate) use roll::{MOST_EXPLODED, RawDice, RawExplode, RawReroll, RawRoll};
pub(crate) use turn::{
    RawCount, RawDue, RawEnding, RawPhase, RawPhaseLift, RawStart, RawStartUnit, RawTemplate,
    RawWins,
};

use crate::files::Files;
use crate::format;
use crate::ids::{
    ChartId, DeckId, DieId, IdVec, KindId, ListId, MemoryId, OptionId, ReadingId, ResultId,
    UserTableId,
};
use crate::problem::{DeckProblem, FieldProblem, KeyProblem, Owner, Part};
use crate::text::clip;
use crate::tree::{Diagnostics, Keys, Located, Place};
use adjutant_dice::Number;
use toml::de::DeTable;

pub(crate) struct RawPack {
    pub id: Option<Located<String>>,
    pub title: String,
    pub version: String,
    pub by: String,
    pub source: String,
    pub notice: String,
    pub about: String,
    pub format: Option<Located<Number>>,
    pub license: Option<Located<String>>,
    pub url: Option<Located<String>>,
    pub language: Option<Located<String>>,
    pub terms: Vec<RawTerm>,
    pub options: IdVec<OptionId, RawOption>,
    pub memory: IdVec<MemoryId, RawField>,
    pub kinds: IdVec<KindId, RawKind>,
    pub statuses: Vec<RawStatus>,
    pub readings: IdVec<ReadingId, RawReading>,
    pub templates: Vec<RawTemplate>,
    pub starts: Vec<RawStart>,
    pub endings: Vec<RawEnding>,
    pub phases: Vec<RawPhase>,
    pub turn_readings: Vec<Located<String>>,
    pub dice: IdVec<DieId, RawDie>,
    pub lists: IdVec<ListId, RawList>,
    pub decks: IdVec<DeckId, RawDeck>,
    pub results: IdVec<ResultId, RawResult>,
    pub user_tables: IdVec<UserTableId, RawUserTable>,
    pub charts: IdVec<ChartId, RawChart>,
    pub fights: Vec<RawFight>,
}

pub(crate) struct RawOption {
    pub field: RawField,
    pub standing: Option<Located<String>>,
    pub origin: String,
}

pub(crate) struct RawKind {
    pub id: Located<String>,
    pub title: String,
    pub symbol: Option<Located<String>>,
    pub has: Vec<RawField>,
    pub derived: Vec<RawDerived>,
    /// The values by a word. Their attributes are in `has`.
    pub keyed: Vec<RawKeyed>,
}

/// A value that is worked out from others.
pub(crate) struct RawDerived {
    pub id: Located<String>,
    pub label: String,
    pub work_out: Located<String>,
}

pub(crate) struct RawStatus {
    pub id: Located<String>,
    pub title: String,
    pub means: String,
    pub harm: Option<Located<Number>>,
    pub of: Vec<Located<String>>,
    pub ends: Option<Located<String>>,
    pub out: bool,
    pub stops: Vec<Located<String>>,
    pub keeps_off: Vec<Located<String>>,
}

pub(crate) struct RawTerm {
    pub id: Located<String>,
    pub title: Located<String>,
    pub text: Located<String>,
}

pub(crate) struct RawReading {
    pub id: Located<String>,
    pub text: String,
    pub standing: Option<Located<String>>,
}

pub(crate) struct RawDeck {
    pub id: Located<String>,
    pub title: String,
    pub back: String,
    pub file: Option<Located<String>>,
    pub fields: Vec<RawDeckField>,
    pub card: Option<Located<(Number, Number)>>,
    pub places: Vec<RawPlace>,
    /// Whose hands there are, and their size.
    pub hand: Option<(Located<String>, Option<u32>)>,
    /// The names of the piles.
    pub piles: Vec<Located<String>>,
    /// What happens when the last card is drawn.
    pub empty: Option<RawDeckEvent>,
    /// What happens when cards go back.
    pub reshuffled: Option<RawDeckEvent>,
    /// Set if it is a bag: the units that have a chit in it.
    pub chits: Option<RawChits>,
    /// Set if the player supplies the cards: where they are found.
    pub user: Option<String>,
    /// What has a deck of its own.
    pub per: Option<Located<String>>,
}

/// The units that have a chit in a bag.
pub(crate) struct RawChits {
    pub of: Located<String>,
    pub when: Option<Located<String>>,
}

#[derive(Default)]
pub(crate) struct RawDeckEvent {
    pub effects: Vec<RawEffect>,
    pub next: Vec<RawNext>,
    /// Whether an empty deck is reshuffled.
    pub reshuffle: bool,
}

pub(crate) struct RawDeckField {
    pub field: Located<String>,
    pub label: String,
    pub kind: RawDeckKind,
    pub blank: Option<String>,
}

pub(crate) enum RawDeckKind {
    Number { from: Option<Number>, to: Option<Number> },
    Numbers { from: u32, to: u32 },
    Choice(Vec<adjutant_dice::ChoiceWord>),
    Text,
}

pub(crate) struct RawResult {
    pub id: Located<String>,
    pub title: String,
    pub means: String,
    pub harm: Option<Located<Number>>,
    pub of: Option<Located<String>>,
    pub effects: Vec<RawEffect>,
    pub next: Vec<RawNext>,
    pub instead: Vec<RawInstead>,
}

pub(crate) struct RawUserTable {
    pub id: Located<String>,
    pub title: String,
    pub place: String,
    pub ask: String,
    pub results: Vec<Located<String>>,
    pub score: Option<Located<String>>,
    pub column: Option<Located<String>>,
}

/// Reads the whole `pack.toml`.
pub(crate) fn read_pack(table: &DeTable<'_>, files: &Files, faults: &Diagnostics) -> RawPack {
    let start = Place::start_of("pack.toml");
    let lists = {
        let top = Keys::new(table, start.clone(), Owner::File("pack.toml"), faults);
        die::read_lists(&top)
    };
    let top = Keys::new(table, start, Owner::File("pack.toml"), faults).with_lists(&lists);
    top.take("list");
    let head = top.table("pack", Owner::Section("pack".into()));
    if head.is_none() && !top.has("pack") {
        faults.add(&top.at, KeyProblem::NoPackSection);
    }
    let text = |key| head.as_ref().map(|h| h.text_or_empty(key)).unwrap_or_default();
    let mut pack = RawPack {
        id: head.as_ref().and_then(|h| h.need_text("id")),
        title: head.as_ref().and_then(|h| h.need_text("title")).map(|t| t.it).unwrap_or_default(),
        version: text("version"),
        by: text("by"),
        source: text("source"),
        notice: text("notice"),
        about: text("about"),
        format: head.as_ref().and_then(|h| h.number("format")),
        license: head.as_ref().and_then(|h| h.text("license")),
        url: head.as_ref().and_then(|h| h.text("url")),
        language: head.as_ref().and_then(|h| h.text("language")),
        terms: read_terms(&top),
        options: each(&top, "option").filter_map(|(id, k)| read_option(id, k)).collect(),
        memory: each(&top, "memory")
            .filter_map(|(id, k)| field::read(id, &k, format::Memory::KEYS))
            .collect(),
        kinds: each(&top, "unit").map(|(id, k)| read_kind(id, k)).collect(),
        statuses: each(&top, "status").map(|(id, k)| read_status(id, k)).collect(),
        readings: each(&top, "reading").map(|(id, k)| read_reading(id, k)).collect(),
        templates: each(&top, "template").map(|(id, k)| turn::read_template(id, k)).collect(),
        starts: each(&top, "start").map(|(id, k)| turn::read_start(id, k)).collect(),
        endings: each(&top, "ending").map(|(id, k)| turn::read_ending(id, k)).collect(),
        phases: Vec::new(),
        turn_readings: Vec::new(),
        dice: die::read_dice(&top).into_iter().collect(),
        lists: IdVec::new(),
        decks: read_decks(&top),
        results: each(&top, "result").map(|(id, k)| read_result(id, k)).collect(),
        user_tables: each(&top, "user_table").map(|(id, k)| read_user_table(id, k)).collect(),
        charts: each(&top, "chart").map(|(id, k)| chart::read(id, k)).collect(),
        fights: each(&top, "fight").map(|(id, k)| fight::read(id, k)).collect(),
    };
    if let Some(head) = head {
        head.done(format::Head::KEYS);
    }
    if let Some(keys) = top.table("turn", Owner::Section("turn".into())) {
        pack.phases =
            keys.tables("phase", Part::Phase).into_iter().filter_map(turn::read_phase).collect();
        pack.turn_readings = keys.texts("readings");
        keys.done(format::Turn::KEYS);
    }
    top.done(format::PackFile::KEYS);
    pack.lists = lists.into_iter().collect();
    keyed::expand(&mut pack, files, faults);
    pack
}

/// The tables of a section, each with its id.
pub(crate) fn each<'t>(
    top: &Keys<'t>,
    section: &'static str,
) -> impl Iterator<Item = (Located<String>, Keys<'t>)> {
    let inner = top.table(section, Owner::Section(section.into()));
    let entries = inner.map(|inner| {
        let list = inner.rest();
        list.into_iter()
            .filter_map(|(id, value)| {
                let keys = inner.keys_of(
                    &value,
                    &id.it,
                    Owner::Section(format!("{section}.{}", clip(&id.it)).into()),
                )?;
                Some((id, keys))
            })
            .collect::<Vec<_>>()
    });
    entries.into_iter().flatten()
}

fn read_option(id: Located<String>, keys: Keys<'_>) -> Option<RawOption> {
    let standing = keys.text("standing");
    let origin = keys.text_or_empty("origin");
    let field = field::read(id, &keys, format::OptionField::KEYS)?;
    Some(RawOption { field, standing, origin })
}

fn read_kind(id: Located<String>, keys: Keys<'_>) -> RawKind {
    let title = keys.need_text("title").map(|t| t.it).unwrap_or_default();
    let symbol = keys.text("symbol");
    let (has, derived) =
        keys.table("has", Part::Attributes).map(field::read_attributes).unwrap_or_default();
    keys.done(format::Unit::KEYS);
    RawKind { id, title, symbol, has, derived, keyed: Vec::new() }
}

fn read_status(id: Located<String>, keys: Keys<'_>) -> RawStatus {
    let status = RawStatus {
        title: keys.need_text("title").map(|t| t.it).unwrap_or_default(),
        means: keys.text_or_empty("means"),
        harm: keys.number("harm"),
        of: keys.texts("of"),
        ends: keys.text("ends"),
        out: keys.flag("out"),
        stops: keys.texts("stops"),
        keeps_off: keys.texts("keeps_off"),
        id,
    };
    if status.of.is_empty() {
        keys.faults().add(&keys.at, FieldProblem::StatusWithoutUnits { name: status.id.clip() });
    }
    keys.done(format::Status::KEYS);
    status
}

/// The glossary.
pub(crate) fn read_terms(top: &Keys<'_>) -> Vec<RawTerm> {
    each(top, "term").filter_map(|(id, k)| read_term(id, k)).collect()
}

fn read_term(id: Located<String>, keys: Keys<'_>) -> Option<RawTerm> {
    let (title, text) = (keys.need_text("title"), keys.need_text("text"));
    keys.done(format::Term::KEYS);
    Some(RawTerm { id, title: title?, text: text? })
}

fn read_reading(id: Located<String>, keys: Keys<'_>) -> RawReading {
    let reading = RawReading {
        text: keys.need_text("text").map(|t| t.it).unwrap_or_default(),
        standing: keys.text("standing"),
        id,
    };
    keys.done(format::Reading::KEYS);
    reading
}

/// The decks of the pack, then those that the player supplies.
fn read_decks(top: &Keys<'_>) -> IdVec<DeckId, RawDeck> {
    let mut decks: Vec<RawDeck> =
        each(top, "deck").map(|(id, keys)| read_deck(id, keys, false)).collect();
    for (id, keys) in each(top, "user_deck") {
        if decks.iter().any(|deck| deck.id.it == id.it) {
            keys.faults().add(&id.at, DeckProblem::UserDeckTwice { deck: id.clip() });
        }
        decks.push(read_deck(id, keys, true));
    }
    decks.into_iter().collect()
}

fn read_deck(id: Located<String>, keys: Keys<'_>, user: bool) -> RawDeck {
    let bag = keys.has("chits") && !user;
    let of_cards = ["file"].iter().chain(format::AnyDeck::KEYS.iter().skip(1));
    if let Some(key) = of_cards.filter(|_| bag).find(|key| keys.has(key)) {
        keys.faults().add(&keys.at, DeckProblem::BagOfCards { key });
    }
    let strange = ["file", "chits"].into_iter().find(|key| user && keys.has(key));
    if let Some(key) = strange {
        keys.take(key);
        keys.faults().add(&keys.at, DeckProblem::UserDeckKey { key });
    }
    let mut deck = RawDeck {
        title: keys.need_text("title").map(|t| t.it).unwrap_or_default(),
        back: keys.text_or_empty("back"),
        file: match (user, bag) {
            (true, _) => None,
            (false, true) => keys.text("file"),
            (false, false) => keys.need_text("file"),
        },
        user: user.then(|| keys.text_or_empty("where")),
        per: keys.text("per"),
        fields: Vec::new(),
        card: layout::pair(&keys, "card"),
        places: keys.tables("place", Part::Place).into_iter().map(layout::read_place).collect(),
        hand: keys.table("hand", Owner::Key("hand")).and_then(|inner| {
            let hand = (inner.need_text("of")?, chart::whole_to(&inner, "size", 100));
            inner.done(format::Hand::KEYS);
            Some(hand)
        }),
        piles: keys.texts("piles"),
        empty: read_deck_event(&keys, "empty"),
        reshuffled: read_deck_event(&keys, "reshuffled"),
        chits: if user { None } else { read_chits(&keys) },
        id,
    };
    if let Some(fields) = keys.table("field", Part::DeckFields) {
        fields.above("field", "deck", |key, value| {
            let of_deck = ["effects", "next", "reshuffle", "size"];
            let inner = of_deck.into_iter().any(|key| value.get(key).is_some());
            format::AnyDeck::KEYS.contains(&key) && (inner || !value.is_table())
        });
        for (name, value) in fields.rest() {
            if let Some(inner) = fields.keys_of(&value, &name.it, Owner::DeckField(name.clip())) {
                deck.fields.extend(read_deck_field(name, inner));
            }
        }
    }
    keys.done(if user { format::UserDeck::KEYS } else { format::Deck::KEYS });
    deck
}

fn read_chits(keys: &Keys<'_>) -> Option<RawChits> {
    let inner = keys.table("chits", Owner::Key("chits"))?;
    let chits = RawChits { of: inner.need_text("of")?, when: inner.expr("when") };
    inner.done(format::Chits::KEYS);
    Some(chits)
}

fn read_deck_event(keys: &Keys<'_>, key: &'static str) -> Option<RawDeckEvent> {
    let inner = keys.table(key, Owner::Key(key))?;
    let (effects, next) = (read::effects(&inner), read::next(&inner));
    let reshuffle = if key == "empty" {
        let reshuffle = !inner.has("reshuffle") || inner.flag("reshuffle");
        inner.done(format::Empty::KEYS);
        reshuffle
    } else {
        inner.done(format::Reshuffled::KEYS);
        true
    };
    Some(RawDeckEvent { effects, next, reshuffle })
}

fn read_deck_field(field: Located<String>, keys: Keys<'_>) -> Option<RawDeckField> {
    let blank = keys.text("blank").map(|t| t.it);
    let (label, kind) = if let Some(label) = keys.text("number") {
        (
            label.it,
            RawDeckKind::Number {
                from: keys.number("from").map(|n| n.it),
                to: keys.number("to").map(|n| n.it),
            },
        )
    } else if let Some(label) = keys.text("text") {
        (label.it, RawDeckKind::Text)
    } else if let Some(label) = keys.text("numbers") {
        let end = |key| {
            keys.number(key).and_then(|n| n.it.as_whole()).and_then(|n| u32::try_from(n).ok())
        };
        let (Some(from), Some(to)) = (end("from"), end("to")) else {
            keys.faults().add(&keys.at, DeckProblem::NumbersWithoutRange { field: field.clip() });
            return None;
        };
        if from > to || to - from > 99 {
            keys.faults()
                .add(&keys.at, DeckProblem::NumbersRange { field: field.clip(), from, to });
            return None;
        }
        (label.it, RawDeckKind::Numbers { from, to })
    } else if keys.has("choice") {
        let label = keys.text_or_empty("label");
        (label, RawDeckKind::Choice(field::choice_words(&keys)))
    } else if keys.strange(format::DeckField::KEYS) {
        return None;
    } else {
        keys.faults().add(&keys.at, DeckProblem::FieldWithoutKind { field: field.clip() });
        return None;
    };
    keys.done(format::DeckField::KEYS);
    Some(RawDeckField { field, label, kind, blank })
}

fn read_result(id: Located<String>, keys: Keys<'_>) -> RawResult {
    let result = RawResult {
        title: keys.need_text("title").map(|t| t.it).unwrap_or_default(),
        means: keys.text_or_empty("means"),
        harm: keys.number("harm"),
        of: keys.text("of"),
        effects: read::effects(&keys),
        next: read::next(&keys),
        instead: read::instead(&keys),
        id,
    };
    keys.done(format::Outcome::KEYS);
    result
}

fn read_user_table(id: Located<String>, keys: Keys<'_>) -> RawUserTable {
    let table = RawUserTable {
        title: keys.need_text("title").map(|t| t.it).unwrap_or_default(),
        place: keys.text_or_empty("where"),
        ask: keys.text_or_empty("ask"),
        results: keys.texts("results"),
        score: keys.expr("score"),
        column: keys.expr("column"),
        id,
    };
    if table.results.is_empty() {
        keys.faults()
            .add(&keys.at, FieldProblem::UserTableWithoutResults { name: table.id.clip() });
    }
    keys.done(format::UserTable::KEYS);
    table
}
