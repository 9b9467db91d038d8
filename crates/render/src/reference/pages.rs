//! A sheet on paper. The letters are as large as possible so that everything fits on few pages, and
//! never below eight points. Columns and the direction of the paper are chosen by what fits.

use super::model::{Accent, Part, Sheet};
use crate::draw::{Anchor, Drawing, Ink, Mark, Size, Style, Tag};
use crate::paper::Fonts;
use crate::typeset::{
    Block, Frame, HAIR, Line, Piece, PlacedBlock, SMALLEST, Spacing, Strip, Typesetter, flow,
    moved, plain_piece, repeated,
};

/// The page margin, in millimetres.
const MARGIN: f64 = 8.0;
/// The page margin where lines are close to save a page: a little more than the quarter of an inch
/// that printers cannot print on.
const TIGHT_MARGIN: f64 = 6.5;
/// The space between columns.
const GUTTER: f64 = 3.0;
/// The largest letters of an ordinary sheet: ten points.
const USUAL: f64 = 3.53;
/// The letters of large print: twelve points.
const LARGE: f64 = 4.24;
/// The largest share of a sheet that readings take on paper.
const READINGS: f64 = 1.0 / 6.0;
/// From which size to which the letters are tried, in millimetres.
const STEP: f64 = 0.07;
/// The page counts that are tried before the sheet is set on as many pages as it takes.
const FEW_PAGES: usize = 6;
const MAX_PAGES: usize = 400;
/// The narrowest and the widest column, in letters of its size.
const COLUMN: std::ops::Range<f64> = 19.0..44.0;

/// How a sheet is put on paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageOptions {
    pub paper: Size,
    pub large: bool,
    /// Outlines instead of tints, in black alone.
    pub low_ink: bool,
    /// This many columns, instead of as many as suit the sheet.
    pub columns: Option<usize>,
    /// On so many pages at most, with letters as large as fit. By default on as few pages as hold
    /// it.
    pub pages: Option<usize>,
    /// Whether the paper lies on its side. By default whatever suits the sheet.
    pub landscape: Option<bool>,
    /// Text for reading, on as many pages as needed, instead of a compact sheet.
    pub reading: bool,
}

impl PageOptions {
    /// The defaults on this paper.
    pub fn on(paper: Size) -> PageOptions {
        PageOptions {
            paper,
            large: false,
            low_ink: false,
            columns: None,
            pages: None,
            landscape: None,
            reading: false,
        }
    }
}

/// One way to lay out a sheet.
struct PageLayout<'s, 'f> {
    typesetter: Typesetter<'f>,
    sheet: &'s Sheet,
    options: PageOptions,
    columns: usize,
    heads: [Strip; 2],
    blocks: Vec<Block>,
    placed: Vec<PlacedBlock>,
    pages: usize,
    /// Whether no table is in pieces.
    in_one_piece: bool,
}

/// The pages of a sheet.
///
/// ```
/// use adjutant_render::paper::Fonts;
/// use adjutant_render::draw::A4;
/// use adjutant_render::reference::{PageOptions, SheetOptions, pages, sheet};
/// let pack = adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap();
/// let made = pages(&sheet(&pack, &SheetOptions::default()), &PageOptions::on(A4), &Fonts::bundled());
/// assert!(made.len() <= 2);
/// assert_eq!(made[0].size, A4);
/// ```
pub fn pages(sheet: &Sheet, options: &PageOptions, fonts: &Fonts) -> Vec<Drawing> {
    let drawn = |layout: Option<PageLayout<'_, '_>>| layout.map_or(Vec::new(), |it| it.drawings());
    let whole = best_layout(sheet, options, fonts);
    if options.large || options.reading {
        return drawn(whole);
    }
    let pages = whole.as_ref().map(|layout| layout.pages);
    let long = whole.as_ref().is_none_or(|layout| layout.share_of_readings() > READINGS);
    let split = whole.as_ref().is_some_and(|layout| !layout.in_one_piece);
    let numbered = if long || split { sheet.with_numbered_readings() } else { None };
    let shorter = numbered.as_ref().and_then(|sheet| best_layout(sheet, options, fonts));
    let made = shorter.filter(|shorter| long || shorter.in_one_piece).or(whole);
    if made.as_ref().is_some_and(|layout| layout.pages == 1) {
        return drawn(made);
    }
    // Without the readings it may fit on fewer pages, or on those that are wanted.
    let bare = sheet.without_readings().filter(|_| made.is_none() || options.pages.is_none());
    let fewer = options.pages.or(pages.map(|pages| pages - 1));
    let bare = bare.map(|bare| {
        let options = PageOptions { pages: fewer, ..*options };
        drawn(best_layout(&bare, &options, fonts))
    });
    bare.filter(|pages| !pages.is_empty()).unwrap_or_else(|| drawn(made))
}

fn best_layout<'s, 'f>(
    sheet: &'s Sheet,
    options: &PageOptions,
    fonts: &'f Fonts,
) -> Option<PageLayout<'s, 'f>> {
    match (options.large, options.reading) {
        (true, _) => large_print(sheet, options, fonts),
        (false, true) => {
            let columns = options.columns.unwrap_or(2);
            layout(sheet, options, fonts, Letters::of(3.0), columns, MAX_PAGES)
        }
        (false, false) => best_fit(sheet, options, fonts),
    }
}

impl PageOptions {
    /// The paper upright and on its side, or the one that is wanted.
    fn papers(&self) -> Vec<Size> {
        let Size { width, height } = self.paper;
        let (short, long) = (width.min(height), width.max(height));
        let (upright, lying) =
            (Size { width: short, height: long }, Size { width: long, height: short });
        match self.landscape {
            Some(true) => vec![lying],
            Some(false) => vec![upright],
            None => vec![upright, lying],
        }
    }

    /// The numbers of columns to try for letters of this size.
    fn column_counts(&self, paper: Size, size: f64) -> Vec<usize> {
        let wide = |columns: &usize| (paper.width - 2.0 * MARGIN) / *columns as f64 / size;
        match self.columns {
            Some(columns) => vec![columns],
            None => (1..=5).filter(|columns| COLUMN.contains(&wide(columns))).collect(),
        }
    }
}

/// Letters of twelve points, on as few pages as hold them.
fn large_print<'s, 'f>(
    sheet: &'s Sheet,
    options: &PageOptions,
    fonts: &'f Fonts,
) -> Option<PageLayout<'s, 'f>> {
    let most = options.pages.unwrap_or(MAX_PAGES);
    let mut best: Option<PageLayout<'s, 'f>> = None;
    for paper in options.papers() {
        for columns in options.column_counts(paper, LARGE) {
            let options = PageOptions { paper, ..*options };
            let letters = Letters { least: LARGE, ..Letters::of(LARGE) };
            let found = layout(sheet, &options, fonts, letters, columns, most);
            best = match (best, found) {
                (Some(best), Some(found)) if found.pages < best.pages => Some(found),
                (best @ Some(_), _) => best,
                (None, found) => found,
            };
        }
    }
    best
}

/// As large as fits on one page, else on two and so on, but never below the smallest letters.
fn best_fit<'s, 'f>(
    sheet: &'s Sheet,
    options: &PageOptions,
    fonts: &'f Fonts,
) -> Option<PageLayout<'s, 'f>> {
    if let Some(pages) = options.pages {
        return largest(sheet, options, fonts, LARGE, pages);
    }
    for pages in 1..=FEW_PAGES {
        if let Some(found) = largest(sheet, options, fonts, USUAL, pages) {
            return Some(found);
        }
    }
    let columns = options.columns.unwrap_or(2);
    let paper = *options.papers().first()?;
    let options = PageOptions { paper, ..*options };
    layout(sheet, &options, fonts, Letters::of(2.9), columns, MAX_PAGES)
}

/// The letters of a layout: their size, the smallest size, and how close the lines are.
#[derive(Clone, Copy)]
struct Letters {
    size: f64,
    least: f64,
    spacing: Spacing,
}

impl Letters {
    fn margin(self) -> f64 {
        margin(self.spacing)
    }

    fn of(size: f64) -> Letters {
        Letters { size, least: SMALLEST, spacing: Spacing::Usual }
    }
}

fn margin(spacing: Spacing) -> f64 {
    match spacing {
        Spacing::Usual => MARGIN,
        Spacing::Tight => TIGHT_MARGIN,
    }
}

/// The largest letters with which the sheet fits on so many pages; with closer lines if it does not
/// fit otherwise.
fn largest<'s, 'f>(
    sheet: &'s Sheet,
    options: &PageOptions,
    fonts: &'f Fonts,
    most: f64,
    pages: usize,
) -> Option<PageLayout<'s, 'f>> {
    let with = |spacing| largest_spaced(sheet, options, fonts, (most, spacing), pages);
    with(Spacing::Usual).or_else(|| with(Spacing::Tight))
}

/// The same with this spacing. The paper lies on its side only if that makes the letters clearly
/// larger, or if a table would else be in pieces.
fn largest_spaced<'s, 'f>(
    sheet: &'s Sheet,
    options: &PageOptions,
    fonts: &'f Fonts,
    (most, spacing): (f64, Spacing),
    pages: usize,
) -> Option<PageLayout<'s, 'f>> {
    let mut best: Option<PageLayout<'s, 'f>> = None;
    for paper in options.papers() {
        let options = PageOptions { paper, ..*options };
        let whole =
            |size| in_one_piece(sheet, fonts, paper, Letters { spacing, ..Letters::of(size) });
        // Lying paper may save a table from being in pieces.
        let saves = best.as_ref().is_some_and(|best| !best.in_one_piece) && whole(SMALLEST);
        let least = match &best {
            Some(best) if !saves => best.typesetter.size * 1.08,
            _ => SMALLEST,
        };
        // Where the smallest letters do not fit, no others are tried.
        let fits = |size: f64| {
            let counts = options.column_counts(paper, size);
            counts.into_iter().filter(|_| !saves || whole(size)).find_map(|columns| {
                let letters = Letters { spacing, ..Letters::of(size) };
                layout(sheet, &options, fonts, letters, columns, pages)
            })
        };
        if least > most || fits(least).is_none() {
            continue;
        }
        let mut size = most;
        while size >= least - 1e-9 {
            if let Some(found) = fits(size) {
                best = Some(found);
                break;
            }
            size = if size > least && size - STEP < least { least } else { size - STEP };
        }
    }
    best
}

/// Whether every table of the sheet fits across this paper in one piece.
fn in_one_piece(sheet: &Sheet, fonts: &Fonts, paper: Size, letters: Letters) -> bool {
    let Letters { size, least, spacing } = letters;
    let typesetter = Typesetter { fonts, size, least, spacing, low_ink: false };
    let width = paper.width - 2.0 * letters.margin();
    let parts = sheet.sections.iter().flat_map(|section| &section.parts);
    parts.into_iter().all(|part| match part {
        Part::Table(table) => typesetter.in_one_piece(table, width),
        _ => true,
    })
}

fn layout<'s, 'f>(
    sheet: &'s Sheet,
    options: &PageOptions,
    fonts: &'f Fonts,
    letters: Letters,
    columns: usize,
    most: usize,
) -> Option<PageLayout<'s, 'f>> {
    let in_one_piece = in_one_piece(sheet, fonts, options.paper, letters);
    let Letters { size, least, spacing } = letters;
    let typesetter = Typesetter { fonts, size, least, spacing, low_ink: options.low_ink };
    let margin = letters.margin();
    let width = options.paper.width - 2.0 * margin;
    let one = (width - GUTTER * (columns as f64 - 1.0)) / columns as f64;
    let heads = [first_head(&typesetter, sheet, width), running_head(&typesetter, sheet, width)];
    let foot = foot_height(&typesetter, sheet, width);
    let room = |head: &Strip| options.paper.height - 2.0 * margin - head.height - foot;
    let frame =
        Frame { heights: [room(&heads[0]), room(&heads[1])], columns, gap: typesetter.gap(0.75) };
    let mut blocks = Vec::new();
    for section in &sheet.sections {
        match typesetter.block(section, one) {
            Some(block) => blocks.push(block),
            None => blocks.extend(split(
                typesetter.wide_block(section, width, columns, GUTTER),
                frame.heights[0],
            )),
        }
    }
    let placed = flow(&blocks, &frame, most)?;
    let pages = placed.iter().map(|one| one.page + 1).max().unwrap_or(1);
    let options = *options;
    Some(PageLayout {
        typesetter,
        sheet,
        options,
        columns,
        heads,
        blocks,
        placed,
        pages,
        in_one_piece,
    })
}

/// Splits a full-width block into pieces that fit on a page.
fn split(block: Block, most: f64) -> Vec<Block> {
    let (mut pieces, mut from) = (Vec::new(), 0);
    while from < block.strips.len() {
        let to = block.fitting(from, most).max(block.least(from));
        let heads = if from == 0 {
            block.heads.clone()
        } else {
            [block.heads[1].clone(), block.heads[1].clone()]
        };
        let over = block.strips[from].over.as_deref().filter(|_| from > 0).cloned();
        let strips = over.into_iter().chain(block.strips[from..to].iter().cloned()).collect();
        pieces.push(Block { title: block.title.clone(), heads, strips, ..block.clone() });
        from = to;
    }
    pieces
}

/// The head of the first page: the game's name, what the sheet is, and its source.
fn first_head(typesetter: &Typesetter<'_>, sheet: &Sheet, width: f64) -> Strip {
    let serif = Style { bold: true, italic: false, serif: true };
    let mut letters = (typesetter.size * 2.5).clamp(6.2, 11.0);
    let kind = if sheet.by.is_empty() {
        sheet.kind.clone()
    } else {
        format!("{} · {}", sheet.kind, sheet.by)
    };
    let small = typesetter.letters(1.0);
    let aside = typesetter.wide(&kind, small, Style::PLAIN);
    while letters > 4.2 && typesetter.wide(&sheet.title, letters, serif) + aside + 4.0 > width {
        letters -= 0.2;
    }
    let title = typesetter.lines(&[plain_piece(&sheet.title, serif)], letters, width);
    let beside = title.len() == 1 && title[0].wide + aside + 4.0 <= width;
    let mut marks = vec![Mark::Tag(Tag::Title)];
    marks.extend(typesetter.marks_of(&title, letters, (0.0, -letters * 0.2)));
    marks.push(Mark::Tag(Tag::Paragraph));
    let mut y = typesetter.leading(letters) * title.len() as f64 - letters * 0.28;
    let piece = plain_piece(&kind, Style::PLAIN);
    if beside {
        let at = (width, letters * 0.78);
        marks.push(Mark::Text {
            at,
            size: small,
            anchor: Anchor::End,
            style: piece.style,
            ink: piece.ink,
            words: kind,
        });
    } else {
        let lines = typesetter.lines(&[piece], small, width);
        marks.extend(typesetter.marks_of(&lines, small, (0.0, y)));
        y += typesetter.leading(small) * lines.len() as f64;
    }
    y += 0.6;
    marks.push(Mark::Line { from: (0.0, y), to: (width, y), wide: 0.7, ink: Ink::Black });
    y += 0.9;
    let about =
        [plain_piece(&sheet.about, Style::PLAIN), plain_piece(&sheet.source, Style::ITALIC)];
    let lines = typesetter.lines(&about, typesetter.letters(0.96), width);
    marks.extend(typesetter.marks_of(&lines, typesetter.letters(0.96), (0.0, y)));
    y += typesetter.leading(typesetter.letters(0.96)) * lines.len() as f64;
    if has_harm(sheet) {
        let letters = typesetter.letters(0.9);
        let (legend, wide) = typesetter.harm_legend(letters);
        marks.push(Mark::Tag(Tag::Paragraph));
        // At the end of the last line, if there is room.
        let beside = lines.last().is_some_and(|line| line.wide + 4.0 + wide <= width);
        let at = if beside { (width - wide, y - typesetter.leading(letters)) } else { (0.0, y) };
        marks.extend(legend.iter().map(|mark| moved(mark, at)));
        y += if beside { 0.0 } else { typesetter.leading(letters) };
    }
    Strip { height: y + 1.6, marks, ..Strip::default() }
}

/// Whether bars show how bad results are.
fn has_harm(sheet: &Sheet) -> bool {
    let parts = sheet.sections.iter().flat_map(|section| &section.parts);
    parts.into_iter().any(|part| match part {
        Part::Table(table) => table.harm.iter().flatten().any(|level| *level > 0),
        Part::Items(items) => items.iter().any(|item| matches!(item.accent, Accent::Harm(1..))),
        _ => false,
    })
}

/// The head of every other page.
fn running_head(typesetter: &Typesetter<'_>, sheet: &Sheet, width: f64) -> Strip {
    let letters = typesetter.letters(1.25);
    let name = format!("{} – {}", sheet.title, sheet.kind.to_lowercase());
    let lines = typesetter.lines(
        &[plain_piece(&name, Style { bold: true, italic: false, serif: true })],
        letters,
        width,
    );
    let mut marks = typesetter.marks_of(&lines, letters, (0.0, 0.0));
    let y = typesetter.leading(letters) * lines.len() as f64 + 0.5;
    marks.push(Mark::Line { from: (0.0, y), to: (width, y), wide: 0.5, ink: Ink::Black });
    let mut strip = Strip { height: y + 1.8, marks, ..Strip::default() };
    repeated(&mut strip);
    strip
}

/// The letters of the footer are small on every sheet.
fn foot_letters(typesetter: &Typesetter<'_>) -> f64 {
    typesetter.letters(0.9).clamp(SMALLEST, 3.0)
}

/// The lines at the bottom of a page: at most two.
fn foot_lines(typesetter: &Typesetter<'_>, sheet: &Sheet, width: f64) -> Vec<Line> {
    let letters = foot_letters(typesetter);
    let parts = [&sheet.pack, &sheet.notice, &sheet.facts];
    let given: Vec<&str> =
        parts.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    let words = format!("Adjutant · {}", given.join(" · "));
    let piece = Piece { words, style: Style::PLAIN, ink: Ink::Grey };
    let aside = typesetter.wide("Page 000 of 000", letters, Style::BOLD);
    let mut lines = typesetter.lines(&[piece], letters, width - aside - 4.0);
    lines.truncate(2);
    lines
}

fn foot_height(typesetter: &Typesetter<'_>, sheet: &Sheet, width: f64) -> f64 {
    let lines = foot_lines(typesetter, sheet, width).len().max(1) as f64;
    typesetter.leading(foot_letters(typesetter)) * lines + 2.0
}

impl PageLayout<'_, '_> {
    fn drawings(&self) -> Vec<Drawing> {
        let page = |page| {
            let drawing = self.draw(page);
            if self.options.low_ink { drawing.in_grey() } else { drawing }
        };
        (0..self.pages).map(page).collect()
    }

    /// The share of the paper that the readings take.
    fn share_of_readings(&self) -> f64 {
        let Size { width, height } = self.options.paper;
        let one = (width - 2.0 * self.margin()) / self.columns as f64;
        let titles: Vec<&str> = self
            .sheet
            .sections
            .iter()
            .filter(|section| section.small)
            .map(|section| section.title.as_str())
            .collect();
        let area = |placed: &PlacedBlock| {
            let block = &self.blocks[placed.block];
            let wide = if placed.column.is_some() { one } else { width };
            let ours = titles.contains(&block.title.as_str());
            if ours { wide * block.height(placed.from, placed.to) } else { 0.0 }
        };
        self.placed.iter().map(area).sum::<f64>() / (width * height * self.pages as f64)
    }

    fn margin(&self) -> f64 {
        margin(self.typesetter.spacing)
    }

    fn draw(&self, page: usize) -> Drawing {
        let (options, margin) = (&self.options, self.margin());
        let width = options.paper.width - 2.0 * margin;
        let head = &self.heads[usize::from(page > 0)];
        let one = (width - GUTTER * (self.columns as f64 - 1.0)) / self.columns as f64;
        let mut marks: Vec<Mark> =
            head.marks.iter().map(|mark| moved(mark, (margin, margin))).collect();
        let top = margin + head.height;
        for placed in self.placed.iter().filter(|placed| placed.page == page) {
            let x = margin + placed.column.map_or(0.0, |column| column as f64 * (one + GUTTER));
            let wide = if placed.column.is_some() { one } else { width };
            let block = &self.blocks[placed.block];
            let mut y = top + placed.y;
            for strip in block.head(placed.from).chain(&block.strips[placed.from..placed.to]) {
                marks.extend(strip.marks.iter().map(|mark| moved(mark, (x, y))));
                y += strip.height;
            }
            let (at, size) = ((x, top + placed.y), (wide, y - top - placed.y));
            marks.push(Mark::Box {
                at,
                size,
                round: 0.0,
                fill: None,
                edge: Some((HAIR, Ink::Grey)),
            });
        }
        marks.extend(self.foot(page, width));
        let sections = self
            .placed
            .iter()
            .filter(|placed| placed.page == page)
            .map(|placed| self.blocks[placed.block].title.as_str());
        let says = format!(
            "{}, page {} of {}: {}",
            self.sheet.title,
            page + 1,
            self.pages,
            sections.collect::<Vec<_>>().join(", ")
        );
        Drawing { size: options.paper, says, marks }
    }

    fn foot(&self, page: usize, width: f64) -> Vec<Mark> {
        let (typesetter, margin) = (&self.typesetter, self.margin());
        let letters = foot_letters(typesetter);
        let leading = typesetter.leading(letters);
        let bottom = self.options.paper.height - margin;
        let lines = foot_lines(typesetter, self.sheet, width);
        let y = bottom - lines.len().max(1) as f64 * leading;
        let number = format!("Page {} of {}", page + 1, self.pages);
        let (from, to) = ((margin, y - 0.6), (margin + width, y - 0.6));
        let mut marks =
            vec![Mark::Tag(Tag::Repeated), Mark::Line { from, to, wide: HAIR, ink: Ink::Grey }];
        marks.extend(typesetter.marks_of(&lines, letters, (margin, y)));
        let at = (margin + width, y + letters * 0.98);
        marks.push(Mark::Text {
            at,
            size: letters,
            anchor: Anchor::End,
            style: Style::BOLD,
            ink: Ink::Black,
            words: number,
        });
        marks.push(Mark::Tag(Tag::Resumed));
        marks
    }
}
