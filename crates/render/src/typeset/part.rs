//! The parts of a section as strips: paragraphs, steps, right-aligned amounts, and items with their
//! marks.

use super::strip::{Block, Strip, moved};
use super::text::{Piece, plain_piece, text};
use super::{HAIR, Typesetter};
use crate::draw::{Anchor, Ink, Mark, Style, Tag};
use crate::reference::{Accent, Amount, Figure, Item, Part, Section, Tone};

impl Typesetter<'_> {
    /// The padding of a block.
    pub fn inner(&self) -> f64 {
        self.size * 0.55
    }

    /// What is looked up rarely is set in the smallest letters.
    fn for_section(&self, section: &Section) -> Typesetter<'_> {
        let size = if section.small { self.least } else { self.size };
        Typesetter { size, ..*self }
    }

    /// A section of column width; `None` if a table does not fit.
    pub fn block(&self, section: &Section, width: f64) -> Option<Block> {
        let mut strips = Vec::new();
        let setter = self.for_section(section);
        for part in &section.parts {
            strips.extend(setter.part(part, width)?);
        }
        Some(self.closed(section, strips, width, false))
    }

    /// A full-width section: tables across the whole width, the rest in the columns of the page.
    pub fn wide_block(&self, section: &Section, width: f64, columns: usize, gap: f64) -> Block {
        let one = (width - gap * (columns as f64 - 1.0)) / columns as f64;
        let is_wide =
            |part: &Part| matches!(part, Part::Table(table) if self.table(table, one).is_none());
        let across: Vec<usize> =
            (0..section.parts.len()).filter(|at| is_wide(&section.parts[*at])).collect();
        if let [only] = across.as_slice()
            && let Part::Table(table) = &section.parts[*only]
        {
            let (before, after) = section.parts.split_at(*only);
            let (before, after): (Vec<&Part>, Vec<&Part>) =
                (before.iter().collect(), after[1..].iter().collect());
            let stacked: Vec<Strip> = [&before, &after]
                .map(|parts| self.abreast(parts, one, columns, gap))
                .into_iter()
                .flatten()
                .collect();
            let height = |strips: &[Strip]| strips.iter().map(|strip| strip.height).sum::<f64>();
            if let Some(beside) = self.beside((&before, &after), one, columns, gap)
                && beside.height < height(&stacked)
            {
                let strips = std::iter::once(beside).chain(self.chunked(table, width)).collect();
                return self.closed(section, strips, width, true);
            }
        }
        let mut strips = Vec::new();
        let mut rest: Vec<&Part> = Vec::new();
        for part in &section.parts {
            match part {
                Part::Table(table) if is_wide(part) => {
                    strips.extend(self.abreast(&std::mem::take(&mut rest), one, columns, gap));
                    strips.extend(self.chunked(table, width));
                }
                part => rest.push(part),
            }
        }
        strips.extend(self.abreast(&rest, one, columns, gap));
        self.closed(section, strips, width, true)
    }

    /// What comes before a wide table in the first column, and beside it what comes after the table.
    /// Steps are often few, and would leave the other columns empty.
    fn beside(
        &self,
        (before, after): (&[&Part], &[&Part]),
        width: f64,
        columns: usize,
        gap: f64,
    ) -> Option<Strip> {
        let mut both = self.abreast(before, width, 1, gap)?;
        let rest =
            self.abreast(after, width, columns.checked_sub(1).filter(|more| *more > 0)?, gap)?;
        let at = (width + gap, 0.0);
        both.marks.extend(rest.marks.iter().map(|mark| moved(mark, at)));
        both.height = both.height.max(rest.height);
        Some(both)
    }

    /// Parts side by side, in columns of about the same height.
    fn abreast(&self, parts: &[&Part], width: f64, columns: usize, gap: f64) -> Option<Strip> {
        // Items may be separated; a single paragraph gets the whole width.
        let split: Vec<Part> = parts
            .iter()
            .flat_map(|part| match part {
                Part::Items(list) => {
                    list.iter().map(|item| Part::Items(vec![item.clone()])).collect()
                }
                part => vec![Part::clone(part)],
            })
            .collect();
        let parts = &split;
        let lone = parts.iter().all(|part| matches!(part, Part::Text(..)));
        let (width, columns) = if lone {
            (width * columns as f64 + gap * (columns as f64 - 1.0), 1)
        } else {
            (width, columns)
        };
        let groups: Vec<Vec<Strip>> =
            parts.iter().filter_map(|part| self.part(part, width)).collect();
        let heights: Vec<f64> =
            groups.iter().map(|group| group.iter().map(|strip| strip.height).sum()).collect();
        let total: f64 = heights.iter().sum();
        if groups.is_empty() {
            return None;
        }
        let mut out = Strip::default();
        let (mut column, mut y) = (0, 0.0);
        for (place, (group, height)) in groups.iter().zip(&heights).enumerate() {
            let stays = place > 0 && matches!(parts.get(place - 1), Some(Part::Step { .. }));
            if y > 0.0
                && !stays
                && column + 1 < columns
                && y + height / 2.0 > total / columns as f64
            {
                (column, y) = (column + 1, 0.0);
            }
            for strip in group {
                let at = (column as f64 * (width + gap), y);
                out.marks.extend(strip.marks.iter().map(|mark| moved(mark, at)));
                y += strip.height;
            }
            out.height = out.height.max(y);
        }
        Some(out)
    }

    fn closed(&self, section: &Section, mut strips: Vec<Strip>, width: f64, wide: bool) -> Block {
        // The end of a block is never alone in the next column.
        if let Some(last) = strips.last_mut() {
            last.keep = true;
        }
        strips.push(Strip { height: self.gap(0.45), ..Strip::default() });
        let again = format!("{} – continued", section.title);
        let mut heads =
            [self.head(section, &section.title, width), self.head(section, &again, width)];
        heads[0].marks.insert(0, Mark::Tag(Tag::Section(section.title.clone())));
        super::repeated(&mut heads[1]);
        Block { title: section.title.clone(), heads, strips, loose: section.loose, wide }
    }

    /// The bar above a block, in the colour of its phase or side.
    fn head(&self, section: &Section, title: &str, width: f64) -> Strip {
        let (letters, small) = (self.letters(1.12), self.letters(0.88));
        let ink = if self.low_ink { Ink::Black } else { Ink::Paper };
        let piece = Piece { words: title.into(), style: Style::BOLD, ink };
        let room = width - 2.0 * self.inner();
        let phases: &[u8] = match &section.accent {
            Accent::Phases(phases) => phases,
            _ => &[],
        };
        let side = letters * 1.05;
        let signs = phases.len().min(3) as f64 * side * 1.2;
        let lines = self.lines(&[piece], letters, room - signs);
        let continued = title != section.title;
        let words = if continued { String::new() } else { section.tag.clone() };
        let tag = Piece { words, style: Style::ITALIC, ink };
        let aside = lines.first().map_or(0.0, |line| line.wide) + self.size;
        let beside =
            lines.len() == 1 && aside + self.wide(&tag.words, small, tag.style) <= room - signs;
        let below = if tag.words.is_empty() || beside {
            Vec::new()
        } else {
            self.lines(std::slice::from_ref(&tag), small, room)
        };
        let pad = self.gap(0.2);
        let (first, second) =
            (self.leading(letters) * lines.len() as f64, self.leading(small) * below.len() as f64);
        let high = first + second + 2.0 * pad;
        let fill = (!self.low_ink).then_some(self.head_ink(section));
        let size = (width, high);
        let mut marks = vec![Mark::Box { at: (0.0, 0.0), size, round: 0.0, fill, edge: None }];
        if self.low_ink {
            let (from, to) = ((0.0, high), (width, high));
            marks.push(Mark::Line { from, to, wide: 0.35, ink: Ink::Black });
        }
        marks.extend(self.marks_of(&lines, letters, (self.inner(), pad)));
        marks.extend(self.marks_of(&below, small, (self.inner(), pad + first)));
        if beside && !tag.words.is_empty() {
            let at = (width - self.inner() - signs, pad + letters * 0.98);
            marks.push(text(at, small, &tag, Anchor::End));
        }
        let top = pad + (self.leading(letters) - side) / 2.0;
        for (place, phase) in phases.iter().take(3).rev().enumerate() {
            let x = width - self.inner() - side - place as f64 * side * 1.2;
            marks.extend(self.phase_sign(*phase, (x, top), side));
        }
        Strip { height: high + self.gap(0.3), marks, keep: true, over: None }
    }

    fn head_ink(&self, section: &Section) -> Ink {
        match &section.accent {
            Accent::Phases(phases) => {
                phases.first().map_or(Ink::Black, |phase| Ink::Phase(phase.saturating_sub(1)))
            }
            Accent::Side(side) => Ink::Side(*side),
            Accent::None | Accent::Harm(_) => Ink::Black,
        }
    }

    /// One part; `None` if it is a table that does not fit.
    pub fn part(&self, part: &Part, width: f64) -> Option<Vec<Strip>> {
        let room = width - 2.0 * self.inner();
        Some(match part {
            Part::Text(tone, words) => {
                let (letters, style) = match tone {
                    Tone::Plain => (self.letters(1.0), Style::PLAIN),
                    Tone::About => (self.letters(0.96), Style::ITALIC),
                    Tone::Note => (self.letters(0.92), Style::PLAIN),
                    Tone::Strong => (self.letters(1.0), Style::BOLD),
                };
                let mut strips =
                    self.paragraph(&[plain_piece(words, style)], letters, room, self.inner());
                tag(&mut strips, Tag::Paragraph);
                strips.push(Strip::room(self.gap(0.18)));
                if *tone != Tone::About {
                    self.open(&mut strips);
                }
                strips
            }
            Part::Step { title, roll } => vec![self.step(title, roll, width)],
            Part::Amounts(lines) => self.amounts(lines, width),
            Part::Table(table) => self.table(table, width)?,
            Part::Items(items) => self.items(items, width),
            Part::Figures(figures) => vec![self.figures(figures, width)],
        })
    }

    /// Allows a break after these strips.
    fn open(&self, strips: &mut [Strip]) {
        if let Some(last) = strips.last_mut() {
            last.keep = false;
        }
    }

    /// A step's name on the left and what is rolled on the right, above a line.
    fn step(&self, title: &str, roll: &str, width: f64) -> Strip {
        let (letters, x) = (self.letters(1.0), self.inner());
        let room = width - 2.0 * x;
        let name = plain_piece(title, Style::BOLD);
        let dice = plain_piece(roll, Style::BOLD);
        let top = self.gap(0.3);
        let mut marks = vec![Mark::Tag(Tag::Heading)];
        let aside = self.wide(roll, letters, dice.style);
        let names = self.lines(
            std::slice::from_ref(&name),
            letters,
            if roll.is_empty() { room } else { room - aside - self.size },
        );
        let mut high = top;
        if aside <= room * 0.6 && names.len() <= 2 {
            marks.extend(self.marks_of(&names, letters, (x, top)));
            if !roll.is_empty() {
                marks.push(text((width - x, top + letters * 0.98), letters, &dice, Anchor::End));
            }
            high += self.leading(letters) * names.len().max(1) as f64;
        } else {
            let more = plain_piece(roll, Style::PLAIN);
            let colon = if title.ends_with(['.', '?', '!', ':']) { "" } else { ":" };
            let named = Piece { words: format!("{title}{colon}"), ..name };
            let lines = self.lines(&[named, more], letters, room);
            marks.extend(self.marks_of(&lines, letters, (x, top)));
            high += self.leading(letters) * lines.len() as f64;
        }
        marks.push(Mark::Line {
            from: (x, high),
            to: (width - x, high),
            wide: 0.18,
            ink: Ink::Black,
        });
        Strip { height: high + self.size * 0.12, marks, keep: true, over: None }
    }

    /// The tint or line that guides the eye along a row.
    pub fn guide(&self, place: usize, width: f64, height: f64) -> Option<Mark> {
        let x = self.inner() * 0.5;
        match (self.low_ink, place % 2) {
            (false, 0) => Some(Mark::Box {
                at: (x, 0.0),
                size: (width - 2.0 * x, height),
                round: 0.0,
                fill: Some(Ink::Tint),
                edge: None,
            }),
            (false, _) => None,
            (true, _) => Some(Mark::Line {
                from: (x, height),
                to: (width - x, height),
                wide: HAIR * 0.6,
                ink: Ink::Grey,
            }),
        }
    }

    /// Labels on the left, amounts right-aligned.
    fn amounts(&self, list: &[Amount], width: f64) -> Vec<Strip> {
        let (letters, small, x) = (self.letters(1.0), self.letters(0.9), self.inner());
        let room = width - 2.0 * x;
        let hang = list
            .iter()
            .map(|line| self.wide(&line.amount, letters, Style::BOLD))
            .fold(0.0, f64::max)
            .min(room * 0.45);
        let mut strips = Vec::new();
        for (place, line) in list.iter().enumerate() {
            let labels = self.lines(
                &[plain_piece(&line.label, Style::PLAIN)],
                letters,
                room - hang - self.size * 0.7,
            );
            let spelt = self.lines(
                &[plain_piece(&line.spelt, Style::ITALIC)],
                small,
                room - hang - self.size * 0.7,
            );
            let amounts =
                self.lines(&[plain_piece(&line.amount, Style::BOLD)], letters, hang + 1e-6);
            let left = self.leading(letters) * labels.len() as f64
                + self.leading(small) * spelt.len() as f64;
            let height =
                left.max(self.leading(letters) * amounts.len().max(1) as f64) + self.size * 0.06;
            let mut marks: Vec<Mark> = self.guide(place, width, height).into_iter().collect();
            if place == 0 {
                marks.push(Mark::Tag(Tag::Table));
            }
            marks.extend([Mark::Tag(Tag::Row), Mark::Tag(Tag::RowHead)]);
            marks.extend(self.marks_of(&labels, letters, (x, 0.0)));
            marks.extend(self.marks_of(
                &spelt,
                small,
                (x, self.leading(letters) * labels.len() as f64),
            ));
            marks.push(Mark::Tag(Tag::Cell));
            for (row, line) in amounts.iter().enumerate() {
                marks.extend(self.marks_of(
                    std::slice::from_ref(line),
                    letters,
                    (width - x - line.wide, self.leading(letters) * row as f64),
                ));
            }
            strips.push(Strip {
                height,
                marks,
                keep: place == 0 || place + 2 == list.len(),
                over: None,
            });
        }
        strips.push(Strip::room(self.gap(0.15)));
        self.open(&mut strips);
        strips
    }

    /// Items with hanging marks, and terms in bold before their texts.
    fn items(&self, list: &[Item], width: f64) -> Vec<Strip> {
        let (letters, x) = (self.letters(0.98), self.inner());
        let marks =
            list.iter().map(|item| self.wide(&item.mark, letters, Style::BOLD)).fold(0.0, f64::max);
        let chips = list.iter().any(|item| matches!(item.accent, Accent::Phases(_)));
        let marks = if chips { marks.max(letters) + letters * 0.3 } else { marks };
        let hang = if marks > 0.0 { marks + self.size * 0.4 } else { 0.0 };
        let mut strips = Vec::new();
        for item in list {
            let pieces =
                [plain_piece(&item.term, Style::BOLD), plain_piece(&item.text, Style::PLAIN)];
            let room = width - 2.0 * x - hang;
            let mut lines = self.paragraph(&pieces, letters, room, x + hang);
            if let Some(first) = lines.first_mut().filter(|_| !item.mark.is_empty()) {
                // A screen reader reads the mark before its text.
                let mark = self.item_mark(item, letters, (x, marks));
                first.marks.splice(0..0, mark);
            }
            let (small, indent) = (self.letters(0.94), self.size * 0.6);
            for line in &item.lines {
                let piece = plain_piece(line, Style::PLAIN);
                lines.extend(self.paragraph(&[piece], small, room - indent, x + hang + indent));
            }
            tag(&mut lines, Tag::Item);
            for line in &mut lines {
                let bar = self.item_bar(&item.accent, line.height);
                line.marks.splice(0..0, bar);
            }
            // Only very long items may be broken.
            if lines.len() <= 12 {
                lines.iter_mut().for_each(|line| line.keep = true);
            }
            strips.extend(lines);
            strips.push(Strip::room(self.size * if item.lines.is_empty() { 0.14 } else { 0.3 }));
            self.open(&mut strips);
        }
        strips
    }

    /// Large numbers side by side, each with its label below.
    fn figures(&self, list: &[Figure], width: f64) -> Strip {
        let (letters, small, x) = (self.letters(2.4), self.letters(0.92), self.inner());
        let serif = Style { bold: true, italic: false, serif: true };
        let one = (width - 2.0 * x) / list.len().max(1) as f64;
        let (mut marks, mut high) = (Vec::new(), 0.0_f64);
        for (place, figure) in list.iter().enumerate() {
            let left = x + one * place as f64;
            let ink = match figure.accent {
                Accent::Side(side) => Ink::Side(side),
                _ => Ink::Black,
            };
            let value = Piece { words: figure.value.clone(), style: serif, ink };
            marks.push(Mark::Tag(Tag::Paragraph));
            marks.push(text((left, letters), letters, &value, Anchor::Start));
            let label = plain_piece(&figure.label, Style::PLAIN);
            let lines = self.lines(&[label], small, one - self.size * 0.6);
            marks.extend(self.marks_of(&lines, small, (left, letters * 1.2)));
            high = high.max(letters * 1.2 + self.leading(small) * lines.len() as f64);
        }
        Strip { height: high + self.size * 0.4, marks, keep: true, over: None }
    }

    /// The number or box before an item; the number of a phase is in its colour.
    fn item_mark(&self, item: &Item, letters: f64, (x, room): (f64, f64)) -> Vec<Mark> {
        let base = letters * 0.98;
        let Accent::Phases(phases) = &item.accent else {
            let piece = plain_piece(&item.mark, Style::BOLD);
            return vec![text((x + room, base), letters, &piece, Anchor::End)];
        };
        let ink = phases.first().map_or(Ink::Black, |phase| Ink::Phase(phase.saturating_sub(1)));
        let (fill, edge, words) = match self.low_ink {
            true => (None, Some((0.2, Ink::Black)), Ink::Black),
            false => (Some(ink), None, Ink::Paper),
        };
        let (at, size) = ((x, letters * 0.12), (room, letters * 1.1));
        let piece = Piece { words: item.mark.clone(), style: Style::BOLD, ink: words };
        vec![
            Mark::Box { at, size, round: letters * 0.2, fill, edge },
            text((x + room / 2.0, base), letters, &piece, Anchor::Middle),
        ]
    }

    /// The bar at the left of an item: how bad a result is, or its side.
    fn item_bar(&self, accent: &Accent, height: f64) -> Option<Mark> {
        let room = self.inner() - 0.6;
        let (ink, wide) = match accent {
            Accent::Harm(level @ 1..) => (Ink::Harm(*level), harm_width(*level, room)),
            Accent::Side(side) => (Ink::Side(*side), room * 0.6),
            _ => return None,
        };
        Some(Mark::Box {
            at: (0.12, 0.0),
            size: (wide, height + 0.02),
            round: 0.0,
            fill: Some(ink),
            edge: None,
        })
    }
}

/// The worse, the wider: harm is clear in grey, too.
pub(super) fn harm_width(level: u8, room: f64) -> f64 {
    room * [0.3, 0.6, 0.95][usize::from(level.clamp(1, 3)) - 1]
}

/// Says what strips are.
pub(super) fn tag(strips: &mut [Strip], tag: Tag) {
    if let Some(first) = strips.first_mut() {
        first.marks.insert(0, Mark::Tag(tag));
    }
}
