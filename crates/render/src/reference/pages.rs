//! A sheet on paper. The letters are as large as they can be for everything to stand on one page, or on two; never smaller than
//! can be read. In large print there are as many pages as it takes.

use super::model::Sheet;
use crate::draw::{Anchor, Drawing, Ink, Mark, Size, Style};
use crate::paper::Fonts;
use crate::typeset::{Block, Frame, HAIR, Piece, Placed, Setter, Strip, flow, moved, plain_piece};

/// Around everything, in millimetres.
const MARGIN: f64 = 9.0;
/// Between columns.
const GUTTER: f64 = 3.2;
/// The smallest letters that can be read at arm's length: six points.
const SMALLEST: f64 = 2.12;
/// The letters of large print.
const LARGE: f64 = 4.2;
/// More than one would print.
const MOST_PAGES: usize = 400;

/// How a sheet shall look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The paper.
    pub paper: Size,
    /// Large print.
    pub large: bool,
    /// Outlines instead of tints.
    pub low_ink: bool,
    /// So many columns of letters for reading, over as many pages as it takes, instead of a sheet.
    pub columns: Option<usize>,
}

impl Look {
    /// As most want it.
    pub fn on(paper: Size) -> Look {
        Look { paper, large: false, low_ink: false, columns: None }
    }
}

/// One way to set a sheet.
struct Trial<'s, 'f> {
    setter: Setter<'f>,
    sheet: &'s Sheet,
    look: Look,
    columns: usize,
    heads: [Strip; 2],
    blocks: Vec<Block>,
    placed: Vec<Placed>,
    pages: usize,
}

/// The pages of a sheet.
///
/// ```
/// use adjutant_render::paper::Fonts;
/// use adjutant_render::draw::A4;
/// use adjutant_render::reference::{Look, Wanted, pages, sheet};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
/// let made = pages(&sheet(&pack, &Wanted::default()), &Look::on(A4), &Fonts::own());
/// assert!(made.len() <= 2);
/// assert_eq!(made[0].size, A4);
/// ```
pub fn pages(sheet: &Sheet, look: &Look, fonts: &Fonts) -> Vec<Drawing> {
    let best = match (look.large, look.columns) {
        (true, columns) => trial(sheet, look, fonts, (LARGE, LARGE), columns.unwrap_or(2), MOST_PAGES),
        (false, Some(columns)) => trial(sheet, look, fonts, (2.8, SMALLEST), columns, MOST_PAGES),
        (false, None) => fitted(sheet, look, fonts),
    };
    best.map_or(Vec::new(), |trial| (0..trial.pages).map(|page| trial.drawn(page)).collect())
}

/// As large as fits on one page, else on two, else legible on as many as it takes.
fn fitted<'s, 'f>(sheet: &'s Sheet, look: &Look, fonts: &'f Fonts) -> Option<Trial<'s, 'f>> {
    for most in [1, 2] {
        let mut size = 3.3;
        while size >= SMALLEST - 1e-9 {
            for columns in [2, 3] {
                let em = (look.paper.width - 2.0 * MARGIN) / columns as f64 / size;
                if (20.0..44.0).contains(&em)
                    && let Some(found) = trial(sheet, look, fonts, (size, SMALLEST), columns, most)
                {
                    return Some(found);
                }
            }
            // Most sheets are far from fitting at the larger sizes, so the steps are wide at first.
            size = if size > SMALLEST && size - 0.06 < SMALLEST { SMALLEST } else { size - 0.06 };
        }
    }
    trial(sheet, look, fonts, (2.5, SMALLEST), 3, MOST_PAGES)
}

fn trial<'s, 'f>(
    sheet: &'s Sheet,
    look: &Look,
    fonts: &'f Fonts,
    (size, least): (f64, f64),
    columns: usize,
    most: usize,
) -> Option<Trial<'s, 'f>> {
    let setter = Setter { fonts, size, least, low_ink: look.low_ink };
    let width = look.paper.width - 2.0 * MARGIN;
    let one = (width - GUTTER * (columns as f64 - 1.0)) / columns as f64;
    let heads = [first_head(&setter, sheet, width), running_head(&setter, sheet, width)];
    let foot = foot_height(&setter);
    let room = |head: &Strip| look.paper.height - 2.0 * MARGIN - head.height - foot;
    let frame = Frame { heights: [room(&heads[0]), room(&heads[1])], columns, gap: size * 0.75 };
    let mut blocks = Vec::new();
    for section in &sheet.sections {
        match setter.block(section, one) {
            Some(block) => blocks.push(block),
            None => blocks.extend(split(setter.wide_block(section, width, columns, GUTTER), frame.heights[0])),
        }
    }
    let placed = flow(&blocks, &frame, most)?;
    let pages = placed.iter().map(|one| one.page + 1).max().unwrap_or(1);
    Some(Trial { setter, sheet, look: *look, columns, heads, blocks, placed, pages })
}

/// A block across all columns in pieces that are no higher than a page.
fn split(block: Block, most: f64) -> Vec<Block> {
    let (mut pieces, mut from) = (Vec::new(), 0);
    while from < block.strips.len() {
        let to = block.fitting(from, most).max(block.least(from));
        let heads = if from == 0 { block.heads.clone() } else { [block.heads[1].clone(), block.heads[1].clone()] };
        let over = block.strips[from].over.as_deref().filter(|_| from > 0).cloned();
        let strips = over.into_iter().chain(block.strips[from..to].iter().cloned()).collect();
        pieces.push(Block { title: block.title.clone(), heads, strips, ..block.clone() });
        from = to;
    }
    pieces
}

/// The game's name over the first page, with what the sheet is and where its facts come from.
fn first_head(setter: &Setter<'_>, sheet: &Sheet, width: f64) -> Strip {
    let serif = Style { bold: true, italic: false, serif: true };
    let mut letters = (setter.size * 2.5).clamp(6.2, 11.0);
    let kind = if sheet.by.is_empty() { sheet.kind.clone() } else { format!("{} · {}", sheet.kind, sheet.by) };
    let small = setter.letters(1.0);
    let aside = setter.wide(&kind, small, Style::PLAIN);
    while letters > 4.2 && setter.wide(&sheet.title, letters, serif) + aside + 4.0 > width {
        letters -= 0.2;
    }
    let title = setter.lines(&[plain_piece(&sheet.title, serif)], letters, width);
    let beside = title.len() == 1 && title[0].wide + aside + 4.0 <= width;
    let mut marks = setter.marks_of(&title, letters, (0.0, -letters * 0.2));
    let mut y = setter.leading(letters) * title.len() as f64 - letters * 0.28;
    let piece = plain_piece(&kind, Style::PLAIN);
    if beside {
        let at = (width, letters * 0.78);
        marks.push(Mark::Text { at, size: small, anchor: Anchor::End, style: piece.style, ink: piece.ink, words: kind });
    } else {
        let lines = setter.lines(&[piece], small, width);
        marks.extend(setter.marks_of(&lines, small, (0.0, y)));
        y += setter.leading(small) * lines.len() as f64;
    }
    y += 0.6;
    marks.push(Mark::Line { from: (0.0, y), to: (width, y), wide: 0.7, ink: Ink::Black });
    y += 0.9;
    let about = [plain_piece(&sheet.about, Style::PLAIN), plain_piece(&sheet.source, Style::ITALIC)];
    let lines = setter.lines(&about, setter.letters(0.96), width);
    marks.extend(setter.marks_of(&lines, setter.letters(0.96), (0.0, y)));
    y += setter.leading(setter.letters(0.96)) * lines.len() as f64;
    Strip { height: y + 1.6, marks, ..Strip::default() }
}

/// The game's name over every other page.
fn running_head(setter: &Setter<'_>, sheet: &Sheet, width: f64) -> Strip {
    let letters = setter.letters(1.25);
    let name = format!("{} – {}", sheet.title, sheet.kind.to_lowercase());
    let lines = setter.lines(&[plain_piece(&name, Style { bold: true, italic: false, serif: true })], letters, width);
    let mut marks = setter.marks_of(&lines, letters, (0.0, 0.0));
    let y = setter.leading(letters) * lines.len() as f64 + 0.5;
    marks.push(Mark::Line { from: (0.0, y), to: (width, y), wide: 0.5, ink: Ink::Black });
    Strip { height: y + 1.8, marks, ..Strip::default() }
}

/// The letters at the foot are small on every sheet.
fn foot_letters(setter: &Setter<'_>) -> f64 {
    setter.letters(0.9).clamp(SMALLEST, 3.0)
}

fn foot_height(setter: &Setter<'_>) -> f64 {
    setter.leading(foot_letters(setter)) * 2.0 + 2.0
}

impl Trial<'_, '_> {
    fn drawn(&self, page: usize) -> Drawing {
        let look = &self.look;
        let width = look.paper.width - 2.0 * MARGIN;
        let head = &self.heads[usize::from(page > 0)];
        let one = (width - GUTTER * (self.columns as f64 - 1.0)) / self.columns as f64;
        let mut marks: Vec<Mark> = head.marks.iter().map(|mark| moved(mark, (MARGIN, MARGIN))).collect();
        let top = MARGIN + head.height;
        for placed in self.placed.iter().filter(|placed| placed.page == page) {
            let x = MARGIN + placed.column.map_or(0.0, |column| column as f64 * (one + GUTTER));
            let wide = if placed.column.is_some() { one } else { width };
            let block = &self.blocks[placed.block];
            let mut y = top + placed.y;
            for strip in block.head(placed.from).chain(&block.strips[placed.from..placed.to]) {
                marks.extend(strip.marks.iter().map(|mark| moved(mark, (x, y))));
                y += strip.height;
            }
            let (at, size) = ((x, top + placed.y), (wide, y - top - placed.y));
            marks.push(Mark::Box { at, size, round: 0.0, fill: None, edge: Some((HAIR, Ink::Grey)) });
        }
        marks.extend(self.foot(page, width));
        let sections = self.placed.iter().filter(|placed| placed.page == page).map(|placed| self.blocks[placed.block].title.as_str());
        let says = format!("{}, page {} of {}: {}", self.sheet.title, page + 1, self.pages, sections.collect::<Vec<_>>().join(", "));
        Drawing { size: look.paper, says, marks }
    }

    fn foot(&self, page: usize, width: f64) -> Vec<Mark> {
        let setter = &self.setter;
        let letters = foot_letters(setter);
        let leading = setter.leading(letters);
        let bottom = self.look.paper.height - MARGIN;
        let y = bottom - 2.0 * leading;
        let number = format!("Page {} of {}", page + 1, self.pages);
        let aside = setter.wide(&number, letters, Style::BOLD);
        let mut marks = vec![Mark::Line { from: (MARGIN, y - 0.6), to: (MARGIN + width, y - 0.6), wide: HAIR, ink: Ink::Grey }];
        let grey = |words: String| Piece { words, style: Style::PLAIN, ink: Ink::Grey };
        let pieces = [grey(format!("Adjutant · {} · {}", self.sheet.pack, self.sheet.notice))];
        let lines = setter.lines(&pieces, letters, width - aside - 4.0);
        let some = &lines[..lines.len().min(2)];
        marks.extend(setter.marks_of(some, letters, (MARGIN, y)));
        let at = (MARGIN + width, y + letters * 0.98);
        marks.push(Mark::Text { at, size: letters, anchor: Anchor::End, style: Style::BOLD, ink: Ink::Black, words: number });
        marks
    }
}
