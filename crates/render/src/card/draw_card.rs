//! Draws a card: from places ([`Layout`]) to marks. One routine for every card of every deck.

use super::chart_data::cell_text;
use super::default_layout::ordinary;
use super::text_fit::{LEADING, boxed, fitting, text, width};
use super::{CardStyle, Reading, background, layout, suit};
use crate::draw::{Drawing, Ink, Mark, Size, Style};
use adjutant_pack::{
    Align, CardCell, DeckFieldKind, DeckSheet, FieldId, Layout, Pack, Placed, Shown, Thing, Tone,
};

/// A card being drawn.
pub(super) struct Card<'a> {
    pub pack: &'a Pack,
    pub deck: &'a DeckSheet,
    pub number: u32,
    pub reading: Option<Reading>,
    pub marks: Vec<Mark>,
    pub says: Vec<String>,
}

pub(super) fn front(
    pack: &Pack,
    deck: &DeckSheet,
    number: u32,
    size: Size,
    style: CardStyle,
    reading: Option<Reading>,
) -> Drawing {
    // Everything is measured on a card 63 mm wide, so that a card looks the same in all sizes.
    let own = Size { width: 63.0, height: size.height * 63.0 / size.width.max(1.0) };
    let mut card = Card { pack, deck, number, reading, marks: Vec::new(), says: Vec::new() };
    card.says.extend(deck.card(number).map(|card| card.title.to_string()));
    card.marks.extend(background((own.width, own.height), style));
    for place in &layout(pack, deck, own, style).places {
        card.place(place);
    }
    let says = format!("{} {number}: {}", deck.title, card.says.join("; "));
    Drawing { size: own, says, marks: card.marks }.scaled(size)
}

/// A layout on a card of another size. Places stretch with it; letters keep their proportions.
pub(super) fn stretched(layout: &Layout, card: (f64, f64)) -> Layout {
    let (x, y) = (card.0 / layout.card.0, card.1 / layout.card.1);
    let one = |place: &Placed| Placed {
        at: (place.at.0 * x, place.at.1 * y),
        size: (place.size.0 * x, place.size.1 * y),
        letters: place.letters.map(|letters| letters * x.min(y)),
        ..place.clone()
    };
    Layout { card, places: layout.places.iter().map(one).collect() }
}

/// The same, if the size differs.
pub(super) fn scaled(layout: Layout, card: (f64, f64)) -> Layout {
    if layout.card == card { layout } else { stretched(&layout, card) }
}

pub(super) fn ink(tone: Tone) -> Ink {
    match tone {
        Tone::Black => Ink::Black,
        Tone::Grey => Ink::Grey,
        Tone::Red => Ink::Red,
    }
}

pub(super) fn style(place: &Placed) -> Style {
    Style { bold: place.bold, serif: place.serif, italic: false }
}

impl Card<'_> {
    fn place(&mut self, place: &Placed) {
        let ((x, y), (w, h)) = (place.at, place.size);
        match &place.what {
            Shown::Line => {
                let across = w >= h;
                let (from, to) = if across {
                    ((x, y + h / 2.0), (x + w, y + h / 2.0))
                } else {
                    ((x + w / 2.0, y), (x + w / 2.0, y + h))
                };
                let wide = if across { h } else { w };
                self.marks.push(Mark::Line {
                    from,
                    to,
                    wide: wide.clamp(0.15, 2.0),
                    ink: ink(place.tone),
                });
            }
            Shown::Box => self.marks.push(Mark::Box {
                at: (x, y),
                size: (w, h),
                round: 0.8,
                fill: None,
                edge: Some((0.35, ink(place.tone))),
            }),
            Shown::Text(words) => {
                self.says.push(words.clone());
                self.words(place, words, 3.5, ink(place.tone));
            }
            Shown::Things(things) => match things.as_slice() {
                [Thing::Corner] => self.corner(place),
                [Thing::Title] if self.corner_of().is_some() || !self.has_corner() => {
                    let title = self.title();
                    self.words(place, &title, 4.0, ink(place.tone));
                }
                [Thing::Title] => {}
                [Thing::Number] => {
                    self.words(place, &format!("No. {}", self.number), 3.2, ink(place.tone))
                }
                [Thing::Deck] => self.words(place, self.deck.title.as_ref(), 3.2, ink(place.tone)),
                [Thing::Field(field)]
                    if matches!(self.deck.fields[*field].kind, DeckFieldKind::Numbers { .. }) =>
                {
                    self.numbers(place, *field)
                }
                [Thing::Field(field)] if !self.is_long(place, *field) => self.field(place, *field),
                things => self.flow(place, things),
            },
        }
    }

    /// A text in its place, vertically centred, as large as allowed and as fits.
    pub(super) fn words(&mut self, place: &Placed, words: &str, usual: f64, ink: Ink) {
        let (size, lines) = boxed(words, place.letters.unwrap_or(usual), place.size, style(place));
        let high = (lines.len().max(1) - 1) as f64 * size * LEADING;
        let x = place.at.0 + side(place.align) * place.size.0;
        let first = place.at.1 + (place.size.1 - high) / 2.0 + size * 0.36;
        for (n, line) in lines.iter().enumerate() {
            self.marks.push(text(
                (x, first + n as f64 * size * LEADING),
                size,
                place.align,
                style(place),
                ink,
                line,
            ));
        }
    }

    fn title(&self) -> String {
        self.deck.card(self.number).map(|card| card.title.to_string()).unwrap_or_default()
    }

    /// Whether the layout shows the title in the corner of cards without a rank.
    fn has_corner(&self) -> bool {
        let places = &self.deck.layout.places;
        places.is_empty() || places.iter().any(|place| matches!(&place.what, Shown::Things(things) if things.contains(&Thing::Corner)))
    }

    /// Suit and rank of this card: their fields, the shape, the ink and the text of the rank.
    fn corner_of(&self) -> Option<(FieldId, FieldId, &'static str, Ink, String)> {
        let (suit, rank) = suit::fields(self.deck)?;
        let CardCell::Value(value) = self.deck.cell(self.number, suit, None)? else { return None };
        let (path, ink) = suit::shape(&value.to_answer(self.pack.words()).to_string())?;
        let CardCell::Value(value) = self.deck.cell(self.number, rank, None)? else { return None };
        Some((suit, rank, path, ink, suit::rank(value.number()?.as_whole()?)))
    }

    fn corner(&mut self, place: &Placed) {
        let Some((suit, rank, path, with, name)) = self.corner_of() else {
            let interrupts =
                !super::chart_data::interrupts(self.pack, self.deck, self.number).is_empty();
            let title = self.title();
            // A title is no rank: letters of that height would be too loud.
            let place = Placed {
                letters: place.letters.map(|letters| letters.min(place.size.1 * 0.8)),
                ..place.clone()
            };
            return self.words(
                &place,
                &title,
                8.0,
                if interrupts { Ink::Red } else { ink(place.tone) },
            );
        };
        let ((x, y), (w, h)) = (place.at, place.size);
        let size =
            fitting(&name, place.letters.unwrap_or(13.0).min(h * 1.02), w - h * 0.75, style(place));
        let wide = width(&name, size, style(place)).max(size * 0.7);
        let side = size * 0.72;
        if self.reads(rank) || self.reads(suit) {
            let (from, long) = if self.reads(suit) {
                (x + wide, side + size * 0.13)
            } else {
                (x - 1.4, wide + 1.4)
            };
            self.highlight((from, y - 0.6), (long, size + 0.2));
        }
        self.marks.push(text((x, y + size * 0.82), size, Align::Left, style(place), with, &name));
        self.marks.push(Mark::Shape {
            path,
            at: (x + wide + size * 0.06, y + size * 0.1),
            side,
            ink: with,
        });
    }

    /// Whether a field adds nothing on this card: nearly all cards have the same value, or it
    /// equals the title.
    pub(super) fn is_redundant(&self, field: FieldId, value: &str) -> bool {
        let choice = matches!(self.deck.fields[field].kind, DeckFieldKind::Choice { .. });
        choice && (ordinary(self.deck, self.number, field) || self.title() == value)
    }

    /// Whether a field is a text in a place high enough for several lines.
    fn is_long(&self, place: &Placed, field: FieldId) -> bool {
        matches!(self.deck.fields[field].kind, DeckFieldKind::Text)
            && place.size.1 > 2.5 * place.letters.unwrap_or(3.5)
    }

    /// A field on one line: the label on the left, the value on the right.
    fn field(&mut self, place: &Placed, field: FieldId) {
        let own = &self.deck.fields[field];
        let value = cell_text(self.pack, own, self.deck.cell(self.number, field, None));
        if value.is_empty() || (place.unusual && self.is_redundant(field, &value)) {
            return;
        }
        let label = own.label.to_string();
        self.says.push(format!("{label}: {value}"));
        let ((x, y), (w, h)) = (place.at, place.size);
        if self.reads(field) {
            self.highlight((x - 1.0, y + 0.3), (w + 2.0, h - 0.6));
        }
        if place.bare {
            return self.words(place, &value, 3.5, ink(place.tone));
        }
        self.marks.push(Mark::Line { from: (x, y), to: (x + w, y), wide: 0.3, ink: Ink::Black });
        let size = place.letters.unwrap_or(h * 0.68).min(h * 0.8);
        let left = fitting(&label, size * 0.7, w * 0.42, Style::PLAIN);
        let room = w - width(&label, left, Style::PLAIN) - 2.0;
        let base = y + h / 2.0 + size * 0.36;
        self.marks.push(text((x, base), left, Align::Left, Style::PLAIN, Ink::Grey, &label));
        // A text is not a value to look up, so it is not bold.
        let is_text = matches!(own.kind, DeckFieldKind::Text);
        let (style, size) = if is_text { (Style::PLAIN, size * 0.76) } else { (Style::BOLD, size) };
        let size = fitting(&value, size, room, style);
        self.marks.push(text((x + w, base), size, Align::Right, style, ink(place.tone), &value));
    }

    pub(super) fn reads(&self, field: FieldId) -> bool {
        self.reading.is_some_and(|reading| reading.field == field)
    }

    pub(super) fn highlight(&mut self, at: (f64, f64), size: (f64, f64)) {
        self.marks.push(Mark::Box {
            at,
            size,
            round: 0.8,
            fill: Some(Ink::Highlight),
            edge: Some((0.5, Ink::Black)),
        });
    }
}

/// The horizontal anchor, from 0 (left) to 1 (right).
pub(super) fn side(align: Align) -> f64 {
    match align {
        Align::Left => 0.0,
        Align::Middle => 0.5,
        Align::Right => 1.0,
    }
}
