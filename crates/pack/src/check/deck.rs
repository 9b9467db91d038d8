//! The data file of a deck: one line for each card, one column for each field.

use super::MOST_CARDS;
use super::vocabulary::check_name;
use crate::diagnostic::Diagnostic;
use crate::draw::{HandOf, HandRule};
use crate::files::Files;
use crate::ids::{FieldId, Id, IdVec};
use crate::layout::Layout;
use crate::pack::{Card, CardCell, DeckField, DeckFieldKind, DeckSheet, UserDeck};
use crate::problem::{CellProblem, DeckProblem, FileProblem, NameProblem, Problem};
use crate::raw::{RawDeck, RawDeckKind, RawPack};
use crate::text::clip;
use crate::tree::{Diagnostics, Located, Place, unclean};
use crate::unknown_name::{Noun, nearest};
use crate::value::{Value, Words};
use adjutant_dice::{Number, Text};
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// The records of a data file, each with its byte offset.
pub(super) struct CheckedDeck {
    pub name: String,
    pub heads: Vec<String>,
    pub lines: Vec<(usize, Vec<String>)>,
    size: usize,
    /// Where the text starts in its file.
    start: usize,
}

impl CheckedDeck {
    /// Reads a data file that `pack.toml` names.
    pub fn read(
        file: &Located<String>,
        files: &Files,
        faults: &Diagnostics,
    ) -> Option<CheckedDeck> {
        let Some(text) = files.text(&file.it).filter(|_| file.it.ends_with(".csv")) else {
            faults.unknown(
                &file.at,
                Noun::DataFile,
                &file.it,
                files.names().filter(|name| name.ends_with(".csv")),
            );
            return None;
        };
        Some(CheckedDeck::parse(&file.it, text, faults))
    }

    /// Parses the records. The first line shows the separator: spreadsheets use semicolons where
    /// the comma is the decimal separator.
    pub fn parse(name: &str, text: &str, faults: &Diagnostics) -> CheckedDeck {
        let first = text.lines().next().unwrap_or("");
        let between = [b',', b';', b'\t']
            .into_iter()
            .find(|sign| first.contains(*sign as char))
            .unwrap_or(b',');
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .trim(csv::Trim::All)
            .delimiter(between)
            .from_reader(text.as_bytes());
        let mut sheet = CheckedDeck {
            name: name.to_owned(),
            heads: Vec::new(),
            lines: Vec::new(),
            size: text.len(),
            start: 0,
        };
        let cannot = |fault: csv::Error| {
            Diagnostic::of_file(name, FileProblem::NotCsv { error: fault.to_string() })
        };
        match reader.headers() {
            Ok(heads) => sheet.heads = heads.iter().map(str::to_owned).collect(),
            Err(fault) => faults.push(cannot(fault)),
        }
        for record in reader.records() {
            match record {
                Ok(record) => {
                    let at = record.position().map_or(0, |p| p.byte() as usize);
                    sheet.lines.push((at, record.iter().map(str::to_owned).collect()));
                }
                Err(fault) => faults.push(cannot(fault)),
            }
        }
        sheet
    }

    /// Reports a problem in one line.
    pub fn fault(&self, at: usize, problem: impl Into<Problem>, faults: &Diagnostics) {
        let at = at.min(self.size);
        let span = self.start + at..self.start + self.size.min(at + 1);
        faults.push(Diagnostic { problem: problem.into(), file: self.name.clone(), span });
    }

    /// Checks the texts of a line, which will be shown.
    pub fn clean(&self, at: usize, line: &[String], faults: &Diagnostics) {
        for problem in line.iter().flat_map(|text| unclean(text)) {
            self.fault(at, problem, faults);
        }
    }

    pub fn column(&self, name: &str) -> Option<usize> {
        self.heads.iter().position(|head| head == name)
    }
}

/// The cards that the player supplies for a deck.
pub(crate) struct SuppliedDeck<'a> {
    pub deck: String,
    /// The name of the file, for diagnostics.
    pub file: String,
    pub text: Cow<'a, str>,
    /// Where the text starts in the file.
    pub start: usize,
    /// Whether the text is in the file as it is, without escapes.
    pub exact: bool,
}

impl SuppliedDeck<'_> {
    fn sheet(&self, faults: &Diagnostics) -> CheckedDeck {
        let sheet = CheckedDeck::parse(&self.file, &self.text, faults);
        let size = if self.exact { sheet.size } else { 0 };
        CheckedDeck { start: self.start, size, ..sheet }
    }

    /// A hash of the cards, as they are written.
    fn hash(&self) -> Text {
        let digest = Sha256::digest(self.text.as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
    }
}

/// Reports cards for decks that the player does not supply.
pub(super) fn check_supplied(raw: &RawPack, supplied: &[SuppliedDeck<'_>], faults: &Diagnostics) {
    for deck in supplied {
        let at = Place { file: deck.file.as_str().into(), span: deck.start..deck.start };
        match raw.decks.iter().find(|known| known.id.it == deck.deck) {
            Some(known) if known.user.is_some() => {}
            Some(known) => {
                faults.add(&at, DeckProblem::NotAUserDeck { deck: known.id.text() });
            }
            None => {
                let own = raw.decks.iter().filter(|deck| deck.user.is_some());
                let known = own.map(|deck| deck.id.it.as_str());
                faults.unknown(&at, Noun::UserDeck, &deck.deck, known);
            }
        }
    }
}

pub(super) fn build(
    raw: &RawDeck,
    files: &Files,
    supplied: &[SuppliedDeck<'_>],
    words: &mut Words,
    faults: &Diagnostics,
) -> DeckSheet {
    let mut deck = DeckSheet {
        id: raw.id.it.as_str().into(),
        title: raw.title.as_str().into(),
        back: raw.back.clone(),
        fields: IdVec::new(),
        cards: Vec::new(),
        layout: Layout::default(),
        hand: hand(raw, faults),
        piles: raw.piles.iter().map(Located::text).collect(),
        reshuffles: raw.chits.is_none() && raw.empty.as_ref().is_none_or(|empty| empty.reshuffle),
        // Its condition is checked with those of the turn.
        chits: None,
        per_side: per_side(raw, faults),
        user: raw.user.as_ref().map(|place| UserDeck { place: place.as_str().into(), hash: None }),
    };
    let mut columns: Vec<(String, FieldId)> = Vec::new();
    for field in &raw.fields {
        check_name(&field.field, faults);
        if ["blank", "number"].contains(&field.field.it.as_str()) {
            faults.add(&field.field.at, NameProblem::ReservedOnCard { name: field.field.text() });
        }
        let (first_cell, place) = (columns.len(), FieldId::from_index(deck.fields.len()));
        let kind = match &field.kind {
            RawDeckKind::Number { from, to } => DeckFieldKind::Number { from: *from, to: *to },
            RawDeckKind::Text => DeckFieldKind::Text,
            RawDeckKind::Choice(list) => DeckFieldKind::Choice { words: list.clone() },
            RawDeckKind::Numbers { from, to } => DeckFieldKind::Numbers { from: *from, to: *to },
        };
        match kind {
            DeckFieldKind::Numbers { from, to } => {
                columns.extend((from..=to).map(|n| (format!("{}_{n}", field.field.it), place)))
            }
            _ => columns.push((field.field.it.clone(), place)),
        }
        let label =
            if field.label.is_empty() { field.field.it.clone() } else { field.label.clone() };
        deck.fields.push(DeckField {
            id: field.field.it.as_str().into(),
            label: label.into(),
            kind,
            blank: field.blank.clone().unwrap_or_default(),
            first_cell,
        });
    }
    deck.layout = super::layout::build(raw, &deck.fields, faults);
    if let Some(sheet) = raw.file.as_ref().and_then(|file| CheckedDeck::read(file, files, faults)) {
        cards(&mut deck, &columns, &sheet, Author::Pack, words, faults);
    }
    if raw.user.is_some() {
        match supplied.iter().find(|known| known.deck == raw.id.it) {
            Some(own) => {
                cards(&mut deck, &columns, &own.sheet(faults), Author::Player, words, faults);
                deck.user.iter_mut().for_each(|user| user.hash = Some(own.hash()));
            }
            // A draw from nothing is skipped.
            None => deck.reshuffles = false,
        }
    }
    deck
}

/// Who wrote the file of a deck.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Author {
    /// The pack has it: a column that no field names is a mistake.
    Pack,
    /// The player supplies it, and may have columns of their own.
    Player,
}

/// The cards of a file. `count` is the number of copies; `card`, the number of the first of them, may
/// be left out.
fn cards(
    deck: &mut DeckSheet,
    columns: &[(String, FieldId)],
    sheet: &CheckedDeck,
    author: Author,
    words: &mut Words,
    faults: &Diagnostics,
) {
    let wanted = || ["title"].into_iter().chain(columns.iter().map(|(name, _)| name.as_str()));
    let missing: Vec<&str> = wanted().filter(|name| sheet.column(name).is_none()).collect();
    for name in &missing {
        sheet.fault(0, DeckProblem::MissingColumn { column: (*name).into() }, faults);
    }
    if author == Author::Pack {
        let known = |head: &str| ["card", "count"].contains(&head) || wanted().any(|n| n == head);
        for extra in sheet.heads.iter().filter(|head| !known(head)) {
            let nearest = nearest(extra, missing.iter().copied()).map(clip);
            sheet.fault(0, DeckProblem::UnknownColumn { column: clip(extra), nearest }, faults);
        }
    }
    let places: Vec<usize> = wanted().filter_map(|name| sheet.column(name)).collect();
    if places.len() != columns.len() + 1 {
        return;
    }
    let declared = |name: &str| columns.iter().any(|(column, _)| column == name);
    let numbers = sheet.column("card").filter(|_| author == Author::Pack && !declared("card"));
    let copies = sheet.column("count").filter(|_| !declared("count"));
    for (line_number, (at, line)) in (1..).zip(&sheet.lines) {
        let number = if copies.is_some() { line_number } else { deck.cards.len() + 1 };
        if line.len() != sheet.heads.len() {
            let (found, wanted) = (line.len(), sheet.heads.len());
            sheet.fault(*at, DeckProblem::CellCount { card: number, found, wanted }, faults);
        }
        sheet.clean(*at, line, faults);
        let text = |place: usize| line.get(place).map_or("", String::as_str);
        if let Some(written) = numbers.map(text) {
            check_number(sheet, *at, written, deck.cards.len() + 1, faults);
        }
        let card = a_card(deck, columns, (number, *at), sheet, words, faults, |place| {
            text(places[place + 1])
        });
        let card = Card { title: text(places[0]).into(), ..card };
        let count = match copies.map(text) {
            None | Some("") => 1,
            Some(count) => match count.parse::<usize>().ok().filter(|n| *n <= MOST_CARDS) {
                Some(count) => count,
                None => {
                    let problem = DeckProblem::BadCopies { card: number, count: clip(count) };
                    sheet.fault(*at, problem, faults);
                    1
                }
            },
        };
        if deck.cards.len() <= MOST_CARDS {
            deck.cards.extend(std::iter::repeat_n(card, count));
        }
    }
    match (deck.cards.len(), author) {
        (0, Author::Player) => sheet.fault(0, DeckProblem::UserDeckEmpty, faults),
        (found, _) if found == 0 || found > MOST_CARDS => {
            sheet.fault(0, DeckProblem::CardCount { found }, faults)
        }
        _ => {}
    }
}

/// Checks the number that a file gives a card.
fn check_number(
    sheet: &CheckedDeck,
    at: usize,
    written: &str,
    wanted: usize,
    faults: &Diagnostics,
) {
    match written.parse::<usize>() {
        Ok(found) if found == wanted => {}
        Ok(found) if (1..wanted).contains(&found) => {
            sheet.fault(at, DeckProblem::CardTwice { card: found }, faults)
        }
        _ => sheet.fault(at, DeckProblem::CardOrder { found: clip(written), wanted }, faults),
    }
}

/// The cells of a card. `text` is the text of a column.
fn a_card<'t>(
    deck: &DeckSheet,
    columns: &[(String, FieldId)],
    (number, at): (usize, usize),
    sheet: &CheckedDeck,
    words: &mut Words,
    faults: &Diagnostics,
    text: impl Fn(usize) -> &'t str,
) -> Card {
    let mut card = Card { title: Text::default(), cells: Vec::new() };
    for (place, (name, field)) in columns.iter().enumerate() {
        let found = cell(text(place), &deck.fields[*field], words).unwrap_or_else(|problem| {
            let (column, cell) = (name.as_str().into(), clip(text(place)));
            let problem = DeckProblem::BadCell { card: number, column, cell, problem };
            sheet.fault(at, problem, faults);
            None
        });
        card.cells.push(found);
    }
    card
}

/// Whether each side has a deck of its own.
fn per_side(raw: &RawDeck, faults: &Diagnostics) -> bool {
    let Some(per) = &raw.per else { return false };
    if per.it != "side" {
        faults.unknown(&per.at, Noun::Owner, &per.it, ["side"]);
    }
    true
}

/// The hands of a deck, and the names of its piles.
fn hand(raw: &RawDeck, faults: &Diagnostics) -> Option<HandRule> {
    for (at, pile) in raw.piles.iter().enumerate() {
        check_name(pile, faults);
        let taken = ["left", "hand", "discard", "removed", "deck"].contains(&pile.it.as_str());
        if taken || raw.piles[..at].iter().any(|known| known.it == pile.it) {
            faults.add(&pile.at, DeckProblem::PileTaken { pile: pile.text() });
        }
    }
    let (of, size) = raw.hand.as_ref()?;
    let of_whom = match of.it.as_str() {
        "side" => HandOf::Side,
        "unit" => HandOf::Unit,
        _ => {
            faults.add(&of.at, DeckProblem::HandOwner { of: of.clip() });
            return None;
        }
    };
    if size.is_none() {
        faults.add(&of.at, DeckProblem::HandWithoutSize);
    }
    Some(HandRule { of: of_whom, size: (*size)? })
}

fn number(text: &str) -> Result<Number, CellProblem> {
    text.parse().map_err(CellProblem::Number)
}

fn cell(text: &str, field: &DeckField, words: &mut Words) -> Result<Option<CardCell>, CellProblem> {
    if text.is_empty() || text == field.blank {
        return Ok(None);
    }
    match &field.kind {
        DeckFieldKind::Text => Ok(Some(CardCell::Text(text.to_owned()))),
        DeckFieldKind::Number { from, to } => {
            let n = number(text)?;
            let outside = from.is_some_and(|from| n < from) || to.is_some_and(|to| n > to);
            if outside {
                Err(CellProblem::OutOfRange)
            } else {
                Ok(Some(CardCell::Value(Value::Number(n))))
            }
        }
        DeckFieldKind::Numbers { .. } => Ok(Some(CardCell::Value(Value::Number(number(text)?)))),
        DeckFieldKind::Choice { words: list } => match list.iter().find(|w| w.id == text) {
            Some(word) => Ok(Some(CardCell::Value(Value::Word(words.intern(&word.id))))),
            None => Err(CellProblem::NotAWord(list.iter().map(|w| w.id.clone()).collect())),
        },
    }
}
