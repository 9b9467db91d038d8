//! Things that are stacked in one place, because cards differ in which of them they have: what a
//! card interrupts, its tables, texts, fields. All have one text size, the largest that lets them
//! fit, and the same on all cards of the deck that hold the same kinds of things. The remaining space is distributed between them.

use super::chart_data::{Table, cell_text, interrupts, tables};
use super::draw_card::{Card, ink, side, style};
use super::text_fit::{LEADING, fitting, text, unbroken, width, wrapped};
use crate::draw::{Ink, Mark, Style};
use adjutant_pack::{Align, DeckFieldKind, FieldId, Placed, Thing, capital};

/// One of the stacked things.
enum Block {
    /// The charts that a rule is for, and the rule.
    Rule(String, String),
    /// The index of the field and its text.
    Text(Option<FieldId>, String),
    Table(Table),
    /// The index of the field, its label and its value.
    Field(FieldId, String, String),
}

/// A table at a text size.
struct Fitted {
    letters: f64,
    rows: Vec<(String, Vec<String>)>,
}

/// The table at this size, or smaller if its results do not fit beside its bands. If `breaks`,
/// results may be broken into lines instead.
fn fitted(table: &Table, size: f64, room: f64, breaks: bool) -> Fitted {
    let left = |band: &str, letters: f64| (room - width(band, letters, Style::BOLD) - 1.8).max(4.0);
    let all = |letters: f64, fits: &dyn Fn(&str, f64) -> bool| {
        table
            .rows
            .iter()
            .all(|(band, gives)| gives.iter().all(|one| fits(one, left(band, letters))))
    };
    let fits = |letters: f64| match breaks {
        true => all(letters, &|one, left| unbroken(one, letters, left, Style::PLAIN)),
        false => all(letters, &|one, left| width(one, letters, Style::PLAIN) <= left),
    };
    let mut letters = size;
    while letters > size * 0.3 && !fits(letters) {
        letters *= 0.985;
    }
    let lines = |band: &str, gives: &[String]| {
        gives
            .iter()
            .flat_map(|one| wrapped(one, letters, left(band, letters), Style::PLAIN))
            .collect()
    };
    Fitted {
        letters,
        rows: table.rows.iter().map(|(band, gives)| (band.clone(), lines(band, gives))).collect(),
    }
}

impl Fitted {
    fn height(&self, row: &[String]) -> f64 {
        self.letters * (row.len().max(1) as f64 * 1.2 + 0.42)
    }
}

/// The relative size of a rule's text: an interruption must be noticed.
const RULE: f64 = 1.35;

impl Block {
    fn height(&self, size: f64, room: f64, breaks: bool) -> f64 {
        match self {
            Block::Rule(charts, rule) => {
                let heads = wrapped(charts, size * 0.9, room, Style::BOLD).len() as f64;
                let lines = wrapped(rule, size * RULE, room, Style::PLAIN).len() as f64;
                size * LEADING * (heads * 0.9 + lines * RULE) + size * 1.3
            }
            Block::Text(_, words) => {
                wrapped(words, size, room, Style::PLAIN).len() as f64 * size * LEADING + size * 0.5
            }
            Block::Table(table) => {
                let table = fitted(table, size, room, breaks);
                size * 1.5
                    + table.rows.iter().map(|(_, row)| table.height(row)).sum::<f64>()
                    + size * 0.2
            }
            Block::Field(..) => size * 1.9,
        }
    }
}

/// Below this size, in millimetres, a card keeps its own size.
const SMALL: f64 = 2.2;

fn needed(blocks: &[Block], size: f64, room: f64, breaks: bool) -> f64 {
    blocks.iter().map(|block| block.height(size, room, breaks)).sum()
}

/// The smallest letters if the text has this size: a table may need smaller ones.
fn smallest(blocks: &[Block], size: f64, room: f64, breaks: bool) -> f64 {
    let letters = |block: &Block| match block {
        Block::Table(table) => fitted(table, size, room, breaks).letters,
        _ => size,
    };
    blocks.iter().map(letters).fold(size, f64::min)
}

/// The largest letters with which all blocks fit.
fn letters_of(blocks: &[Block], place: &Placed) -> f64 {
    let (room, high) = place.size;
    let most = place.letters.unwrap_or(3.5);
    let found = |breaks: bool| {
        let mut size = most;
        while needed(blocks, size, room, breaks) > high && size > most * 0.12 {
            size *= 0.98;
        }
        smallest(blocks, size, room, breaks)
    };
    let (plain, broken) = (found(false), found(true));
    // Broken lines are harder to read, so they must make the letters clearly larger.
    if broken > plain * 1.08 { broken } else { plain }
}

impl Card<'_> {
    pub(super) fn flow(&mut self, place: &Placed, things: &[Thing]) {
        let blocks = self.blocks(place, things);
        let (room, high) = place.size;
        let own = letters_of(&blocks, place);
        let size = self.letters_of_deck(place, things, &blocks).filter(|size| *size <= own);
        let size = size.unwrap_or(own);
        let breaks = needed(&blocks, size, room, false) > high
            || smallest(&blocks, size, room, false) < size - 1e-9;
        let stretch = (high / needed(&blocks, size, room, breaks).max(0.1)).clamp(1.0, 1.9);
        let mut y = place.at.1;
        for block in &blocks {
            self.block(place, block, y, (size, stretch, breaks));
            y += block.height(size, room, breaks) * stretch;
        }
    }

    /// The size of letters with which every card of the deck that holds the same kinds of things
    /// fits, so that they all look alike.
    fn letters_of_deck(&self, place: &Placed, things: &[Thing], own: &[Block]) -> Option<f64> {
        let cards = 1..=self.deck.cards.len() as u32;
        let blocks = |number| {
            let (pack, deck) = (self.pack, self.deck);
            let (marks, says) = (Vec::new(), Vec::new());
            let mut other = Card { pack, deck, number, reading: None, marks, says };
            other.blocks(place, things)
        };
        let alike = |other: &Vec<Block>| {
            let kind = std::mem::discriminant::<Block>;
            other.iter().map(kind).eq(own.iter().map(kind))
        };
        let sizes = cards.map(blocks).filter(alike).map(|blocks| letters_of(&blocks, place));
        // One card with a very long text does not make all others hard to read.
        sizes.reduce(f64::min).filter(|size| *size >= SMALL)
    }

    fn blocks(&mut self, place: &Placed, things: &[Thing]) -> Vec<Block> {
        let mut blocks = Vec::new();
        for thing in things {
            match thing {
                Thing::Interrupts => {
                    for (charts, rule) in interrupts(self.pack, self.deck, self.number) {
                        self.says.push(format!("{}: {rule}", charts.join(", ")));
                        blocks.push(Block::Rule(charts.join(", "), capital(&rule)));
                    }
                }
                Thing::Tables => {
                    for table in super::chart_data::table_of(self.pack, self.deck, self.number) {
                        let rows: Vec<String> = table
                            .rows
                            .iter()
                            .map(|(band, gives)| format!("{} {band}: {gives}", table.by))
                            .collect();
                        self.says.push(format!("{}: {}", table.chart, rows.join(", ")));
                    }
                    blocks.extend(
                        tables(self.pack, self.deck, self.number).into_iter().map(Block::Table),
                    );
                }
                Thing::Field(field) => {
                    let own = &self.deck.fields[*field];
                    let value =
                        cell_text(self.pack, own, self.deck.cell(self.number, *field, None));
                    if value.is_empty() || (place.unusual && self.is_redundant(*field, &value)) {
                        continue;
                    }
                    self.says.push(format!("{}: {value}", own.label));
                    let bare = place.bare || matches!(own.kind, DeckFieldKind::Text);
                    blocks.push(if bare {
                        Block::Text(Some(*field), value)
                    } else {
                        Block::Field(*field, own.label.to_string(), value)
                    });
                }
                Thing::Title | Thing::Corner => {
                    let title = self.deck.card(self.number).map(|card| card.title.to_string());
                    blocks.extend(title.map(|title| Block::Text(None, title)));
                }
                Thing::Number => blocks.push(Block::Text(None, format!("No. {}", self.number))),
                Thing::Deck => blocks.push(Block::Text(None, self.deck.title.to_string())),
            }
        }
        blocks
    }

    fn block(
        &mut self,
        place: &Placed,
        block: &Block,
        y: f64,
        (size, stretch, breaks): (f64, f64, bool),
    ) {
        let (left, room) = (place.at.0, place.size.0);
        match block {
            Block::Rule(charts, rule) => {
                let mut base = y + size;
                for line in wrapped(charts, size * 0.9, room, Style::BOLD) {
                    self.marks.push(text(
                        (left, base),
                        size * 0.9,
                        Align::Left,
                        Style::BOLD,
                        Ink::Grey,
                        &line,
                    ));
                    base += size * 0.9 * LEADING;
                }
                base += size * (RULE - 0.9) * 0.8 + size * 0.25;
                for line in wrapped(rule, size * RULE, room, Style::PLAIN) {
                    self.marks.push(text(
                        (left, base),
                        size * RULE,
                        Align::Left,
                        Style::PLAIN,
                        Ink::Black,
                        &line,
                    ));
                    base += size * RULE * LEADING;
                }
            }
            Block::Text(field, words) => {
                let lines = wrapped(words, size, room, style(place));
                if field.is_some_and(|field| self.reads(field)) {
                    self.highlight(
                        (left - 1.0, y),
                        (room + 2.0, lines.len() as f64 * size * LEADING + 0.4),
                    );
                }
                for (n, line) in lines.iter().enumerate() {
                    let at = (
                        left + side(place.align) * room,
                        y + size * 0.95 + n as f64 * size * LEADING,
                    );
                    self.marks.push(text(
                        at,
                        size,
                        place.align,
                        style(place),
                        ink(place.tone),
                        line,
                    ));
                }
            }
            Block::Table(table) => self.table(place, table, y, (size, stretch, breaks)),
            Block::Field(field, label, value) => {
                if self.reads(*field) {
                    self.highlight((left - 1.0, y + 0.3), (room + 2.0, size * 1.9 - 0.6));
                }
                self.marks.push(Mark::Line {
                    from: (left, y),
                    to: (left + room, y),
                    wide: 0.3,
                    ink: Ink::Black,
                });
                let base = y + size * 1.3;
                let small = fitting(label, size * 0.9, room * 0.42, Style::PLAIN);
                self.marks.push(text(
                    (left, base),
                    small,
                    Align::Left,
                    Style::PLAIN,
                    Ink::Grey,
                    label,
                ));
                let size = fitting(value, size * 1.2, room * 0.54, Style::BOLD);
                self.marks.push(text(
                    (left + room, base),
                    size,
                    Align::Right,
                    Style::BOLD,
                    Ink::Black,
                    value,
                ));
            }
        }
    }

    fn table(
        &mut self,
        place: &Placed,
        table: &Table,
        y: f64,
        (size, stretch, breaks): (f64, f64, bool),
    ) {
        let (left, room) = (place.at.0, place.size.0);
        let right = left + room;
        let of_number = |field: FieldId| {
            self.deck
                .fields
                .get(field)
                .is_some_and(|field| matches!(field.kind, DeckFieldKind::Number { .. }))
        };
        if self.reading.is_some_and(|reading| of_number(reading.field)) {
            self.highlight((left - 1.0, y - 0.2), (room + 2.0, size * 1.5 * stretch));
        }
        let set = fitted(table, size, room, breaks);
        let base = y + size * (1.5 * stretch - 0.5);
        // Each head is above its own column.
        let by = fitting(&table.by, set.letters * 0.92, room * 0.48, Style::PLAIN);
        self.marks.push(text((left, base), by, Align::Left, Style::PLAIN, Ink::Grey, &table.by));
        let head = fitting(&table.chart, set.letters, room * 0.48, Style::BOLD);
        self.marks.push(text(
            (right, base),
            head,
            Align::Right,
            Style::BOLD,
            Ink::Black,
            &table.chart,
        ));
        let mut y = y + size * 1.5 * stretch;
        for (band, lines) in &set.rows {
            let high = set.height(lines) * stretch;
            self.marks.push(Mark::Line {
                from: (left, y),
                to: (right, y),
                wide: 0.2,
                ink: Ink::Grey,
            });
            let step = set.letters * 1.2;
            let first =
                y + (high - step * (lines.len().max(1) - 1) as f64) / 2.0 + set.letters * 0.36;
            self.marks.push(text(
                (left, first),
                set.letters,
                Align::Left,
                Style::BOLD,
                Ink::Black,
                band,
            ));
            for (n, line) in lines.iter().enumerate() {
                let at = (right, first + n as f64 * step);
                self.marks.push(text(
                    at,
                    set.letters,
                    Align::Right,
                    Style::PLAIN,
                    Ink::Black,
                    line,
                ));
            }
            y += high;
        }
    }
}
