//! Turns the raw form of a pack into a [`Pack`](crate::Pack) that can be run. The check looks up
//! every name, infers the type of every expression, completes every band, and computes the range of
//! every number, so that it can report rows that no input reaches. Charts that a chart looks up are
//! checked before it. Each module checks one thing (`names`, `steps`, `binding`, `read`, `bands`,
//! `reach`, `chain`, `deck` …) and continues after an error, so that the author sees all errors at
//! once.

mod bands;
mod binding;
mod builder;
mod chain;
mod chart;
mod deck;
mod die;
mod draw;
mod effect;
mod ends;
mod fight;
mod head;
mod layout;
mod look;
mod names;
mod plain;
mod reach;
mod read;
mod roll;
mod sentence;
mod steps;
mod table;
mod terms;
mod turn;
mod unused;
mod uses;
mod vocabulary;
mod wordy;

use crate::chart::Chart;
use crate::diagnostic::Diagnostic;
use crate::files::Files;
use crate::format;
use crate::ids::{ChartId, Id, IdVec, OptionId};
use crate::pack::Pack;
use crate::problem::{Counted, Owner, Problem, ReadProblem, TomlProblem};
use crate::raw::{self, RawPack, RawRow};
use crate::tree::{self, Diagnostics, Keys, Located, Place};
use crate::unknown_name::Noun;
use builder::CheckContext;
use deck::SuppliedDeck;
pub use fight::MOST_FIGHTS;
pub use plain::pack_of_csv;
use std::borrow::Cow;
pub(crate) use table::{table_cells, without_number};
pub use terms::{LONGEST_TERM_TEXT, LONGEST_TERM_TITLE, MOST_TERMS};
pub use turn::MOST_TEMPLATES;

/// The maximum number of charts in a pack.
pub const MOST_CHARTS: usize = 200;
/// The maximum number of steps in a chart.
pub const MOST_STEPS: usize = 60;
/// The maximum number of rows in a table.
pub const MOST_ROWS: usize = 1000;
/// The maximum number of columns in a table.
pub const MOST_COLUMNS: usize = 100;
/// The maximum number of inputs of a chart.
pub const MOST_INPUTS: usize = 200;
/// The maximum number of modifiers of a step.
pub const MOST_MODIFIERS: usize = 100;
/// The maximum number of cards in a deck.
pub const MOST_CARDS: usize = 1000;
/// The maximum number of options in a pack.
pub const MOST_OPTIONS: usize = 64;
/// The maximum number of warnings that are reported for a file.
const MOST_WARNINGS: usize = 50;
/// The file name in diagnostics about the player's own tables.
pub const TABLES_FILE: &str = "tables.toml";

/// A table that the player filled in.
pub(crate) struct FilledTable {
    pub id: Located<String>,
    pub score: Option<Located<String>>,
    pub column: Option<Located<String>>,
    pub rows: Vec<RawRow>,
}

/// Parses and checks a pack, with the player's own tables if there are any.
///
/// On failure it returns the errors of all files, not only the first.
pub fn read_pack(files: &Files, tables: Option<&str>) -> Result<Pack, Vec<Diagnostic>> {
    read_pack_with(files, &UserFiles { tables, decks: &[] })
}

/// What a player supplies for a pack.
#[derive(Clone, Copy, Debug, Default)]
pub struct UserFiles<'a> {
    /// The text of the tables file. It may hold decks, too.
    pub tables: Option<&'a str>,
    /// Decks in files of their own.
    pub decks: &'a [UserDeckFile],
}

/// A deck that a player supplies, in a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserDeckFile {
    /// The id of the user deck in the pack.
    pub deck: String,
    /// The name of the file, for diagnostics.
    pub file: String,
    /// The cards as CSV.
    pub text: String,
}

impl UserDeckFile {
    /// The deck as a part of a tables file.
    pub fn in_tables(&self) -> String {
        let is_plain = |c: char| !c.is_control() || ['\n', '\t'].contains(&c);
        let literal = self.text.chars().all(is_plain)
            && !self.text.contains("'''")
            && !self.text.ends_with('\'');
        let cards = match literal {
            true => format!("'''\n{}'''", self.text),
            // A string of JSON is one of TOML, too.
            false => serde_json::Value::from(self.text.as_str()).to_string(),
        };
        format!("\n[deck.{}]\ncards = {cards}\n", self.deck)
    }
}

/// Parses and checks a pack, with everything that the player supplies.
pub fn read_pack_with(files: &Files, own: &UserFiles<'_>) -> Result<Pack, Vec<Diagnostic>> {
    let tables = own.tables;
    let faults = Diagnostics::default();
    let text = files.text("pack.toml").unwrap_or("");
    let sizes = files
        .names()
        .map(|name| (name, files.text(name).map_or(0, str::len)))
        .chain(tables.map(|text| (TABLES_FILE, text.len())))
        .chain(own.decks.iter().map(|deck| (deck.file.as_str(), deck.text.len())));
    let large: Vec<Diagnostic> =
        sizes.filter_map(|(name, size)| crate::files::too_large(name, size as u64)).collect();
    if !large.is_empty() {
        return Err(large);
    }
    let document = tree::parse("pack.toml", text, &faults);
    let raw = raw::read_pack(document.get_ref(), files, &faults);
    let document = tables.map(|text| tree::parse(TABLES_FILE, text, &faults));
    let (filled, mut supplied) = document
        .as_ref()
        .map(|document| read_tables(document.get_ref(), tables.unwrap_or(""), &faults))
        .unwrap_or_default();
    // A deck in the tables file comes before one in a file of its own.
    supplied.extend(own.decks.iter().map(|deck| SuppliedDeck {
        deck: deck.deck.clone(),
        file: deck.file.clone(),
        text: Cow::Borrowed(&deck.text),
        start: 0,
        exact: true,
    }));
    let pack = build(&raw, &filled, &supplied, files, tables.unwrap_or(""), &faults);
    match faults.count() {
        0 => Ok(pack),
        _ => Err(faults.into_sorted()),
    }
}

/// What a pack should avoid although it can be used. A pack with warnings is still a good pack.
///
/// ```
/// use adjutant_pack::{Files, warnings};
/// let files = Files::of([("pack.toml", "[unit]\nman = { title = \"Man\", }")]);
/// assert_eq!(warnings(&files)[0].problem.code(), "toml-1-1");
/// ```
pub fn warnings(files: &Files) -> Vec<Diagnostic> {
    let texts: Vec<(&str, &str)> = files
        .names()
        .filter(|name| name.ends_with(".toml"))
        .filter_map(|name| Some((name, files.text(name)?)))
        .filter(|(_, text)| text.len() as u64 <= crate::files::LARGEST_FILE)
        .collect();
    let newer = texts.iter().flat_map(|(name, text)| {
        let parts = crate::toml_1_0::newer_parts(text).into_iter().take(MOST_WARNINGS);
        parts.map(|(what, span)| Diagnostic {
            problem: TomlProblem::Newer { what }.into(),
            file: (*name).into(),
            span,
        })
    });
    let main = texts.iter().filter(|(name, _)| *name == "pack.toml");
    let of_main = main.flat_map(|(_, text)| {
        let formulas = wordy::formulas(text).into_iter().take(MOST_WARNINGS);
        terms::unused(text).into_iter().chain(formulas)
    });
    newer.chain(of_main).collect()
}

pub(crate) fn read_tables<'t>(
    table: &'t toml::de::DeTable<'t>,
    text: &str,
    faults: &'t Diagnostics,
) -> (Vec<FilledTable>, Vec<SuppliedDeck<'t>>) {
    let top = Keys::new(table, Place::start_of(TABLES_FILE), Owner::TablesFile, faults);
    let filled = raw::each(&top, "table")
        .map(|(id, keys)| {
            let filled = FilledTable {
                id,
                score: keys.expr("score"),
                column: keys.expr("column"),
                rows: raw::read_rows(&keys),
            };
            if filled.rows.is_empty() {
                keys.faults().add(&keys.at, ReadProblem::TableWithoutRows);
            }
            keys.done(format::PlayersTable::KEYS);
            filled
        })
        .collect();
    let decks = raw::each(&top, "deck")
        .filter_map(|(id, keys)| {
            let cards = keys.need_data("cards");
            keys.done(format::PlayersDeck::KEYS);
            let cards = cards?;
            // The text of a literal string starts after its quotes and the line break.
            let written = text.get(cards.at.span.clone()).unwrap_or("");
            let inside = written.trim_start_matches(['\'', '"']).trim_start_matches(['\r', '\n']);
            Some(SuppliedDeck {
                deck: id.it,
                file: TABLES_FILE.to_owned(),
                start: cards.at.span.start + written.len() - inside.len(),
                text: Cow::Owned(cards.it),
                exact: written.starts_with('\''),
            })
        })
        .collect();
    top.done(format::TablesFile::KEYS);
    (filled, decks)
}

fn build(
    raw: &RawPack,
    filled: &[FilledTable],
    supplied: &[SuppliedDeck<'_>],
    files: &Files,
    tables: &str,
    faults: &Diagnostics,
) -> Pack {
    let mut words = crate::value::Words::default();
    head::check(raw, faults);
    terms::check(&raw.terms, faults);
    deck::check_supplied(raw, supplied, faults);
    let vocabulary = vocabulary::build(raw, files, supplied, &mut words, faults);
    let within = limits(raw, faults);
    let work = std::cell::Cell::new(reach::MOST_WORK);
    for table in filled {
        if !raw.user_tables.iter().any(|known| known.id.it == table.id.it) {
            faults.unknown(
                &table.id.at,
                Noun::UserTable,
                &table.id.it,
                raw.user_tables.iter().map(|t| t.id.it.as_str()),
            );
        }
    }
    let mut done: IdVec<ChartId, Option<Chart>> = raw.charts.iter().map(|_| None).collect();
    let order = if within { chain::order(raw, faults) } else { Vec::new() };
    for place in order {
        let ground = CheckContext {
            raw,
            filled,
            supplied,
            files,
            tables,
            faults,
            vocabulary: &vocabulary,
            done: &done,
            work: &work,
        };
        let chart = chart::build(&ground, place, &mut words);
        if let Some(slot) = done.get_mut(place) {
            *slot = Some(chart);
        }
    }
    let charts: IdVec<ChartId, Chart> = done.into_iter().flatten().collect();
    let mut fights = IdVec::new();
    if charts.len() == raw.charts.len() {
        // A chart whose rows have faults has lost them, so nothing is known of its end.
        if faults.count() == 0 {
            chain::check_ends(&charts, raw, faults);
        }
        chain::check_lapses(&charts, &vocabulary.statuses, raw, faults);
        let ground = CheckContext {
            raw,
            filled,
            supplied,
            files,
            tables,
            faults,
            vocabulary: &vocabulary,
            done: &IdVec::new(),
            work: &work,
        };
        fights = raw
            .fights
            .iter()
            .map(|fight| fight::build(&ground, fight, &charts, &mut words))
            .collect();
    }
    let mut turn = turn::Turn::default();
    if charts.len() == raw.charts.len() {
        let ground = CheckContext {
            raw,
            filled,
            supplied,
            files,
            tables,
            faults,
            vocabulary: &vocabulary,
            done: &IdVec::new(),
            work: &work,
        };
        turn = turn::build(&ground, &charts, &mut words);
    }
    let mut pack = vocabulary.into_pack(raw, files, words);
    turn.put_into(&mut pack);
    (pack.charts, pack.fights) = (charts, fights);
    if faults.count() == 0 {
        unused::check(&pack, raw, faults);
    }
    binding::finish_user_tables(&mut pack, raw, filled);
    pack
}

/// Reports every limit that the pack exceeds. Returns whether the pack is within all of them.
fn limits(raw: &RawPack, faults: &Diagnostics) -> bool {
    let before = faults.count();
    let too_many = |at: &Place, what: Counted, most: usize, found: usize| {
        faults.add(at, Problem::TooMany { what, most, found })
    };
    if raw.charts.is_empty() {
        faults.add(&Place::start_of("pack.toml"), Problem::NoChart);
    }
    if let Some(chart) = raw.charts.get(ChartId::from_index(MOST_CHARTS)) {
        too_many(&chart.id.at, Counted::Charts, MOST_CHARTS, raw.charts.len());
    }
    if let Some(option) = raw.options.get(OptionId::from_index(MOST_OPTIONS)) {
        too_many(&option.field.id.at, Counted::Options, MOST_OPTIONS, raw.options.len());
    }
    if let Some(fight) = raw.fights.get(MOST_FIGHTS) {
        too_many(&fight.id.at, Counted::Fights, MOST_FIGHTS, raw.fights.len());
    }
    for chart in &raw.charts {
        if let Some(step) = chart.steps.get(MOST_STEPS) {
            too_many(&step.at, Counted::Steps, MOST_STEPS, chart.steps.len());
        }
        if chart.asks.len() > MOST_INPUTS {
            too_many(&chart.id.at, Counted::Inputs, MOST_INPUTS, chart.asks.len());
        }
        if let Some(step) = chart.steps.iter().find(|step| step.add.len() > MOST_MODIFIERS) {
            too_many(&step.at, Counted::Modifiers, MOST_MODIFIERS, step.add.len());
        }
        let rows = chart.read.as_ref().map_or(0, |read| read.inline_rows().len());
        if rows > MOST_ROWS {
            too_many(&chart.id.at, Counted::Rows, MOST_ROWS, rows);
        }
    }
    faults.count() == before
}
