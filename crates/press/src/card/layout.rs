//! The default layout of any card. From top to bottom: the corner with rank and suit, or the name; what the card interrupts, or
//! the tables that charts read with it; its words and numbers; its rows of numbers at the foot. What nearly all cards have is
//! left out: it would tell nothing. What does not fit is set smaller, never cut off.

use super::read::{Told, cell_text, interrupts, is_die, table_of};
use super::{Reading, suit};
use crate::draw::{Anchor, Drawing, Ink, Mark, Size, Style, text_width};
use chance::Number;
use sheet::{CardCell, DeckField, DeckFieldKind, DeckSheet, Pack};

/// The margin inside the edge.
const MARGIN: f64 = 4.0;
/// The width that everything is measured for; other sizes are the same, larger or smaller.
const WIDTH: f64 = 63.0;
/// How many numbers stand side by side at most.
const ACROSS: usize = 12;

/// A card being laid out.
struct Sheet<'a> {
    pack: &'a Pack,
    deck: &'a DeckSheet,
    number: u32,
    reading: Option<Reading>,
    /// The height, where the width is 63.
    height: f64,
    marks: Vec<Mark>,
    says: Vec<String>,
}

pub(super) fn front(pack: &Pack, deck: &DeckSheet, number: u32, size: Size, reading: Option<Reading>) -> Drawing {
    let height = size.height * WIDTH / size.width.max(1.0);
    let mut sheet = Sheet { pack, deck, number, reading, height, marks: Vec::new(), says: Vec::new() };
    sheet.card();
    let shown = sheet.head();
    let foot = sheet.foot();
    sheet.middle(&shown, foot);
    let says = format!("{} {number}: {}", deck.title, sheet.says.join("; "));
    Drawing { size: Size { width: WIDTH, height }, says, marks: sheet.marks }.scaled(size)
}

pub(super) fn back(deck: &DeckSheet, to: Size) -> Drawing {
    let height = to.height * WIDTH / to.width.max(1.0);
    let words = if deck.back.is_empty() { deck.title.as_str() } else { deck.back.as_str() };
    let mut marks = vec![
        Mark::Box { at: (0.15, 0.15), size: (WIDTH - 0.3, height - 0.3), round: 3.0, fill: Some(Ink::Paper), edge: Some((0.3, Ink::Grey)) },
        Mark::Box { at: (MARGIN, MARGIN), size: (WIDTH - 8.0, height - 8.0), round: 1.5, fill: None, edge: Some((0.7, Ink::Black)) },
    ];
    // A lattice of lines that any printer can draw, kept clear of the name.
    let (low, high) = (height / 2.0 - 12.0, height / 2.0 + 12.0);
    let mut at = MARGIN + 4.0;
    while at < height - MARGIN - 2.0 {
        if at < low || at > high {
            marks.push(Mark::Line { from: (MARGIN + 2.5, at), to: (WIDTH - MARGIN - 2.5, at), wide: 0.25, ink: Ink::Grey });
        }
        at += 2.5;
    }
    let (main, below) = words.split_once(" – ").or_else(|| words.split_once(": ")).unwrap_or((words, ""));
    let size = fitting(main, 6.2, WIDTH - 20.0, true);
    marks.push(
        text((WIDTH / 2.0, height / 2.0 + if below.is_empty() { 2.0 } else { -1.0 }), size, Anchor::Middle, main).bold().serif().made(),
    );
    if !below.is_empty() {
        let size = fitting(below, 4.6, WIDTH - 20.0, false);
        marks.push(text((WIDTH / 2.0, height / 2.0 + 6.0), size, Anchor::Middle, below).serif().made());
    }
    Drawing { size: Size { width: WIDTH, height }, says: words.to_owned(), marks }.scaled(to)
}

/// A text being made.
struct Words(Mark);

fn text(at: (f64, f64), size: f64, anchor: Anchor, words: &str) -> Words {
    Words(Mark::Text { at, size, anchor, style: Style::PLAIN, ink: Ink::Black, words: words.to_owned() })
}

impl Words {
    fn bold(mut self) -> Words {
        if let Mark::Text { style, .. } = &mut self.0 {
            style.bold = true;
        }
        self
    }

    fn serif(mut self) -> Words {
        if let Mark::Text { style, .. } = &mut self.0 {
            style.serif = true;
        }
        self
    }

    fn with(mut self, with: Ink) -> Words {
        if let Mark::Text { ink, .. } = &mut self.0 {
            *ink = with;
        }
        self
    }

    fn made(self) -> Mark {
        self.0
    }
}

/// The size at which a text fits.
fn fitting(words: &str, size: f64, room: f64, bold: bool) -> f64 {
    (room / text_width(words, 1.0, bold).max(0.1)).min(size)
}

/// Lines of a text that fit.
fn wrapped(words: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size, false) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

impl Sheet<'_> {
    fn card(&mut self) {
        let size = (WIDTH - 0.3, self.height - 0.3);
        self.marks.push(Mark::Box { at: (0.15, 0.15), size, round: 3.0, fill: Some(Ink::Paper), edge: Some((0.3, Ink::Grey)) });
    }

    fn cell(&self, field: usize) -> Option<&CardCell> {
        self.deck.cell(self.number, field, None)
    }

    fn whole(&self, field: usize) -> Option<i64> {
        match self.cell(field)? {
            CardCell::Value(value) => value.number()?.as_whole(),
            CardCell::Text(_) => None,
        }
    }

    fn reads(&self, field: usize) -> bool {
        self.reading.is_some_and(|reading| reading.field == field)
    }

    fn lit(&mut self, at: (f64, f64), size: (f64, f64)) {
        self.marks.push(Mark::Box { at, size, round: 0.8, fill: Some(Ink::Lit), edge: Some((0.5, Ink::Black)) });
    }

    /// The corner and the number; which fields were told there.
    fn head(&mut self) -> Vec<usize> {
        let title = self.deck.card(self.number).map(|card| card.title.to_string()).unwrap_or_default();
        let number = format!("No. {}", self.number);
        self.says.push(title.clone());
        self.marks.push(text((WIDTH - MARGIN, 8.2), 3.4, Anchor::End, &number).bold().with(Ink::Grey).made());
        let mut shown = Vec::new();
        let corner = suit::fields(self.deck).and_then(|(suit, rank)| {
            let CardCell::Value(value) = self.cell(suit)? else { return None };
            let shape = suit::shape(&value.to_answer(&self.pack.words).to_string())?;
            Some((suit, rank, shape, suit::rank(self.whole(rank)?)))
        });
        match corner {
            Some((suit, rank, (path, ink), name)) => {
                // Letters with serifs are wider.
                let wide = (text_width(&name, 13.0, true) * 1.2).max(9.0);
                if self.reads(rank) || self.reads(suit) {
                    let (x, w) = if self.reads(suit) { (MARGIN + wide, 11.0) } else { (2.6, wide + 1.4) };
                    self.lit((x, 3.0), (w, 13.2));
                }
                self.marks.push(text((MARGIN, 14.2), 13.0, Anchor::Start, &name).bold().serif().with(ink).made());
                self.marks.push(Mark::Shape { path, at: (MARGIN + wide + 0.8, 4.8), side: 9.4, ink });
                let room = WIDTH - MARGIN * 2.0 - wide - 12.0;
                self.marks.push(text((WIDTH - MARGIN, 14.0), fitting(&title, 3.2, room, false), Anchor::End, &title).made());
                shown.extend([suit, rank]);
            }
            None => {
                let interrupts = !interrupts(self.pack, self.deck, self.number).is_empty();
                let plain = text((MARGIN, 14.2), fitting(&title, 10.5, (WIDTH - 2.0 * MARGIN - 13.0) / 1.2, true), Anchor::Start, &title)
                    .bold()
                    .serif();
                self.marks.push(if interrupts { plain.with(Ink::Red) } else { plain }.made());
            }
        }
        self.marks.push(Mark::Line { from: (MARGIN, 17.2), to: (WIDTH - MARGIN, 17.2), wide: 0.5, ink: Ink::Black });
        shown
    }

    /// The rows of numbers at the foot; where they begin.
    fn foot(&mut self) -> f64 {
        let mut top = self.height - MARGIN;
        let rows: Vec<usize> =
            (0..self.deck.fields.len()).filter(|field| matches!(self.deck.fields[*field].kind, DeckFieldKind::Numbers { .. })).collect();
        for field in rows.into_iter().rev() {
            top = self.numbers(field, top);
        }
        top
    }

    /// One field of several numbers, above this line; where it begins.
    fn numbers(&mut self, place: usize, bottom: f64) -> f64 {
        let field: &DeckField = &self.deck.fields[place];
        let DeckFieldKind::Numbers { from, to } = field.kind else { return bottom };
        let all: Vec<u32> = (from..=to).collect();
        let lines = all.len().div_ceil(ACROSS);
        let across = all.len().div_ceil(lines.max(1)).max(1);
        let cell = (WIDTH - 2.0 * MARGIN) / across as f64;
        let (head, value) = (4.6, 6.4);
        let top = bottom - lines as f64 * (head + value);
        let (label, blank) = (field.label.clone(), field.blank.clone());
        // All numbers of a card have one size, that of the longest.
        let longest = (1..=to).map(|n| n.to_string()).max_by_key(String::len).unwrap_or_default();
        let value_size = fitting(&longest, 4.6, cell - 0.2, true) * if longest.len() > 1 { 0.94 } else { 1.0 };
        let mut said = Vec::new();
        for (n, by) in all.into_iter().enumerate() {
            let (x, y) = (MARGIN + cell * (n % across) as f64, top + (head + value) * (n / across) as f64);
            let number = match self.deck.cell(self.number, place, Some(Number::from(by))) {
                Some(CardCell::Value(found)) => found.number(),
                _ => None,
            };
            let shown = number.map_or(blank.clone(), |n| n.to_string());
            self.marks.push(Mark::Box { at: (x, y), size: (cell, head), round: 0.0, fill: Some(Ink::Tint), edge: None });
            if self.reads(place) && self.reading.is_some_and(|reading| reading.by == Some(by)) {
                self.lit((x + 0.2, y + 0.2), (cell - 0.4, head + value - 0.4));
            }
            match number.and_then(Number::as_whole).filter(|_| is_die(self.pack, self.deck, place, by)) {
                Some(face) => self.die((x + cell / 2.0, y + head / 2.0), 3.9, face),
                None => self.marks.push(text((x + cell / 2.0, y + 3.4), 2.9, Anchor::Middle, &by.to_string()).with(Ink::Grey).made()),
            }
            let size = fitting(&shown, value_size, cell - 0.5, true);
            self.marks.push(text((x + cell / 2.0, y + head + 4.9), size, Anchor::Middle, &shown).bold().made());
            said.push(format!("{by}: {shown}"));
        }
        for line in 0..=lines {
            let y = top + (head + value) * line as f64;
            self.marks.push(Mark::Line { from: (MARGIN, y), to: (WIDTH - MARGIN, y), wide: 0.35, ink: Ink::Black });
        }
        let size = fitting(&label, 2.7, WIDTH - 2.0 * MARGIN, false);
        self.marks.push(text((MARGIN, top - 1.3), size, Anchor::Start, &label).with(Ink::Grey).made());
        self.says.push(format!("{label}: {}", said.join(", ")));
        top - 5.0
    }

    /// A die that shows a face.
    fn die(&mut self, (x, y): (f64, f64), side: f64, face: i64) {
        let half = side / 2.0;
        self.marks.push(Mark::Box {
            at: (x - half, y - half),
            size: (side, side),
            round: 0.7,
            fill: Some(Ink::Paper),
            edge: Some((0.35, Ink::Black)),
        });
        let pips: &[(f64, f64)] = match face {
            1 => &[(0.0, 0.0)],
            2 => &[(-1.0, -1.0), (1.0, 1.0)],
            3 => &[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)],
            4 => &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)],
            5 => &[(-1.0, -1.0), (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
            _ => &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
        };
        for (across, down) in pips {
            self.marks.push(Mark::Disc { at: (x + across * side * 0.27, y + down * side * 0.27), radius: side * 0.105, ink: Ink::Black });
        }
    }

    /// What stands between head and foot.
    fn middle(&mut self, shown: &[usize], bottom: f64) {
        let top = 18.6;
        let lines = self.lines(shown);
        let needed: f64 = lines.iter().map(Line::height).sum();
        let by = ((bottom - top) / needed.max(0.1)).min(1.5);
        let mut y = top;
        for line in lines {
            self.line(&line, y, by);
            y += line.height() * by;
        }
    }

    /// The lines of the middle, in order.
    fn lines(&mut self, shown: &[usize]) -> Vec<Line> {
        let mut lines = Vec::new();
        for (charts, what) in interrupts(self.pack, self.deck, self.number) {
            self.says.push(format!("{}: {what}", charts.join(", ")));
            let charts = charts.join(", ");
            lines.extend(wrapped(&charts, 3.1, WIDTH - 2.0 * MARGIN).into_iter().map(Line::Head));
            let mut what = what;
            if let Some(first) = what.get(..1) {
                what.replace_range(..1, &first.to_uppercase());
            }
            lines.extend(wrapped(&what, 3.6, WIDTH - 2.0 * MARGIN).into_iter().map(Line::Plain));
            lines.push(Line::Gap);
        }
        for Told { chart, by, rows } in table_of(self.pack, self.deck, self.number) {
            self.says.push(format!(
                "{chart}: {}",
                rows.iter().map(|(band, gives)| format!("{by} {band}: {gives}")).collect::<Vec<_>>().join(", ")
            ));
            lines.push(Line::Table(chart, by));
            lines.extend(rows.into_iter().map(|(band, gives)| Line::Row(band, gives)));
            lines.push(Line::Gap);
        }
        for (place, field) in self.deck.fields.iter().enumerate().filter(|(place, _)| !shown.contains(place)) {
            let cell = self.deck.cell(self.number, place, None);
            let value = cell_text(self.pack, field, cell);
            let told = match field.kind {
                DeckFieldKind::Numbers { .. } => false,
                DeckFieldKind::Choice { .. } => {
                    !self.ordinary(place) && self.deck.card(self.number).is_none_or(|card| card.title != value.as_str())
                }
                _ => true,
            };
            if !told || value.is_empty() {
                continue;
            }
            self.says.push(format!("{}: {value}", field.label));
            match field.kind {
                DeckFieldKind::Text => {
                    lines.extend(wrapped(&value, 3.6, WIDTH - 2.0 * MARGIN).into_iter().map(Line::Plain));
                    lines.push(Line::Gap);
                }
                _ => lines.push(Line::Field(place, field.label.to_string(), value)),
            }
        }
        lines
    }

    /// Whether nearly all cards hold the same word here.
    fn ordinary(&self, field: usize) -> bool {
        let own = self.cell(field);
        let same = (1..=self.deck.cards.len() as u32).filter(|card| self.deck.cell(*card, field, None) == own).count();
        same * 5 > self.deck.cards.len() * 4
    }

    fn line(&mut self, line: &Line, y: f64, by: f64) {
        let (left, right, room) = (MARGIN, WIDTH - MARGIN, WIDTH - 2.0 * MARGIN);
        match line {
            Line::Gap => {}
            Line::Head(words) => {
                self.marks.push(text((left, y + 3.4 * by), 3.1 * by.min(1.0), Anchor::Start, words).with(Ink::Grey).made())
            }
            Line::Plain(words) => self.marks.push(text((left, y + 3.6 * by), 3.6 * by.min(1.0), Anchor::Start, words).made()),
            Line::Table(chart, of) => {
                let lit = self.reading.is_some_and(|reading| {
                    matches!(self.deck.fields.get(reading.field).map(|field| &field.kind), Some(DeckFieldKind::Number { .. }))
                });
                if lit {
                    self.lit((left - 1.0, y + 0.2), (room + 2.0, 4.6 * by));
                }
                self.marks.push(text((left, y + 3.6 * by), 3.4 * by.min(1.1), Anchor::Start, chart).bold().made());
                self.marks.push(text((right, y + 3.6 * by), fitting(of, 2.8, room / 2.0, false), Anchor::End, of).with(Ink::Grey).made());
            }
            Line::Row(band, gives) => {
                let size = 3.5 * by.min(1.3);
                self.marks.push(Mark::Line { from: (left, y), to: (right, y), wide: 0.2, ink: Ink::Grey });
                let band_size = fitting(band, size, room * 0.42, true);
                let left_over = room - text_width(band, band_size, true) - 2.0;
                self.marks.push(text((left, y + 3.6 * by), band_size, Anchor::Start, band).bold().made());
                match gives.split_once(" / ") {
                    // Two results stand under each other rather than small.
                    Some((first, second)) if by > 1.3 && fitting(gives, size, left_over, false) < 3.2 => {
                        for (words, down) in [(first, 2.2), (second, 4.3)] {
                            let size = fitting(words, 3.2, left_over, false);
                            self.marks.push(text((right, y + down * by), size, Anchor::End, words).made());
                        }
                    }
                    _ => self.marks.push(text((right, y + 3.6 * by), fitting(gives, size, left_over, false), Anchor::End, gives).made()),
                }
            }
            Line::Field(place, label, value) => {
                if self.reads(*place) {
                    self.lit((left - 1.0, y + 0.3), (room + 2.0, 6.0 * by));
                }
                self.marks.push(Mark::Line { from: (left, y), to: (right, y), wide: 0.35, ink: Ink::Black });
                self.marks
                    .push(text((left, y + 4.4 * by), fitting(label, 3.2, room * 0.45, false), Anchor::Start, label).with(Ink::Grey).made());
                let size = fitting(value, 4.4 * by.min(1.1), room * 0.53, true);
                self.marks.push(text((right, y + 4.5 * by), size, Anchor::End, value).bold().made());
            }
        }
    }
}

/// A line of the middle.
enum Line {
    /// Charts that a rule holds for.
    Head(String),
    /// A sentence.
    Plain(String),
    /// The head of a table: the chart, and the number it goes by.
    Table(String, String),
    /// A row of a table.
    Row(String, String),
    /// A field: its place, label and value.
    Field(usize, String, String),
    /// Some room.
    Gap,
}

impl Line {
    fn height(&self) -> f64 {
        match self {
            Line::Head(_) => 4.2,
            Line::Plain(_) | Line::Row(..) => 4.7,
            Line::Table(..) => 5.0,
            Line::Field(..) => 6.6,
            Line::Gap => 1.6,
        }
    }
}
