//! Blocks in columns on pages. Blocks keep their order and stay whole. Only a block that is higher
//! than a column, or a list, continues in the next column. Full-width blocks are at the foot of a
//! page. The columns of the last page have about the same height.

use super::strip::Block;

/// The space on pages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// The height of columns on the first page, and on every other.
    pub heights: [f64; 2],
    pub columns: usize,
    /// The space between two blocks.
    pub gap: f64,
}

impl Frame {
    fn height(&self, page: usize) -> f64 {
        self.heights[usize::from(page > 0)]
    }
}

/// Some strips of a block in their place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlacedBlock {
    /// The index of the block.
    pub block: usize,
    /// The first strip.
    pub from: usize,
    /// The end of the strips, exclusive.
    pub to: usize,
    pub page: usize,
    /// The column; `None` for a full-width block.
    pub column: Option<usize>,
    /// The distance from the top of the columns.
    pub y: f64,
}

/// How many distributions of full-width blocks over pages are tried.
const MAX_TRIES: usize = 120;

/// Places all blocks on as few pages as possible; `None` if `most` pages are not enough.
pub(crate) fn flow(blocks: &[Block], frame: &Frame, most: usize) -> Option<Vec<PlacedBlock>> {
    let wide: Vec<usize> = (0..blocks.len()).filter(|place| blocks[*place].wide).collect();
    let total: f64 = blocks.iter().map(|block| block.height(0, block.strips.len())).sum();
    for pages in 1..=most {
        let room: f64 =
            (0..pages).map(|page| frame.height(page)).sum::<f64>() * frame.columns as f64;
        // Full-width blocks take their height in each column.
        let across: f64 =
            wide.iter().map(|place| blocks[*place].height(0, blocks[*place].strips.len())).sum();
        if total + across * (frame.columns as f64 - 1.0) > room * 1.02 {
            continue;
        }
        let mut ways = distributions(wide.len(), pages);
        // The pieces of a long table on consecutive pages come first, then distributions that keep
        // blocks near their natural place.
        let near = natural_pages(blocks, &wide, pages);
        ways.sort_by_cached_key(|spread| {
            let far = spread.iter().zip(&near).map(|(page, near)| page.abs_diff(*near));
            (gaps(blocks, &wide, spread), far.sum::<usize>())
        });
        let mut bare: Option<(usize, f64, Vec<PlacedBlock>)> = None;
        for spread in ways {
            let gaps = gaps(blocks, &wide, &spread);
            if bare.as_ref().is_some_and(|(best, _, _)| gaps > *best) {
                break;
            }
            let Some(placed) = on_pages(blocks, frame, pages, &wide, &spread) else { continue };
            let full = emptiest(blocks, frame, &placed, pages);
            if full > 0.5 {
                return Some(placed);
            }
            if bare.as_ref().is_none_or(|(_, best, _)| full > *best) {
                bare = Some((gaps, full, placed));
            }
        }
        if let Some((_, _, placed)) = bare {
            return Some(placed);
        }
    }
    None
}

/// How many pages lie between the pieces of the same block, in a distribution of full-width blocks.
fn gaps(blocks: &[Block], wide: &[usize], spread: &[usize]) -> usize {
    let places: Vec<(usize, usize)> = wide.iter().copied().zip(spread.iter().copied()).collect();
    let between = |pair: &[(usize, usize)]| match pair {
        [(one, page), (next, later)]
            if *next == one + 1 && blocks[*one].title == blocks[*next].title =>
        {
            later.abs_diff(page + 1)
        }
        _ => 0,
    };
    places.windows(2).map(between).sum()
}

/// How full the columns of the emptiest page are, apart from full-width blocks and the last page.
fn emptiest(blocks: &[Block], frame: &Frame, placed: &[PlacedBlock], pages: usize) -> f64 {
    let full = |page: usize| {
        let here = |wide: bool| {
            placed.iter().filter(move |one| one.page == page && one.column.is_none() == wide)
        };
        let height = |one: &PlacedBlock| blocks[one.block].height(one.from, one.to);
        let room =
            (frame.height(page) - here(true).map(height).sum::<f64>()) * frame.columns as f64;
        here(false).map(height).sum::<f64>() / room.max(1.0)
    };
    (0..pages - 1).map(full).fold(1.0, f64::min)
}

/// The page on which each full-width block would be, if all blocks were in order.
fn natural_pages(blocks: &[Block], wide: &[usize], pages: usize) -> Vec<usize> {
    let height = |block: &Block| block.height(0, block.strips.len());
    let total: f64 = blocks.iter().filter(|block| !block.wide).map(height).sum();
    let before = |place: &usize| {
        blocks[..*place].iter().filter(|block| !block.wide).map(height).sum::<f64>()
    };
    wide.iter()
        .map(|place| ((before(place) / total.max(1.0) * pages as f64) as usize).min(pages - 1))
        .collect()
}

/// The ways to distribute blocks, in order, over pages.
fn distributions(count: usize, pages: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |known: &Vec<usize>| {
            let from = known.last().copied().unwrap_or(0);
            (from..pages)
                .map(|page| known.iter().copied().chain([page]).collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
        // Too many to try: take a sample that includes late pages.
        if all.len() > MAX_TRIES {
            let step = all.len() / MAX_TRIES + 1;
            all = all.into_iter().step_by(step).collect();
        }
    }
    all
}

fn on_pages(
    blocks: &[Block],
    frame: &Frame,
    pages: usize,
    wide: &[usize],
    spread: &[usize],
) -> Option<Vec<PlacedBlock>> {
    let mut heights: Vec<f64> = (0..pages).map(|page| frame.height(page)).collect();
    for (place, page) in wide.iter().zip(spread) {
        heights[*page] -= blocks[*place].height(0, blocks[*place].strips.len()) + frame.gap;
    }
    let foot = |page: usize| frame.height(page) + frame.gap;
    if heights
        .iter()
        .enumerate()
        .any(|(page, height)| *height < -frame.gap - 1e-6 && foot(page) > 0.0)
    {
        return None;
    }
    let full = columns(blocks, frame, &heights)?;
    let last = pages - 1;
    // Makes the columns of the last page as short as possible, without breaking short lists for it.
    let breaks = short_breaks(blocks, frame, &full);
    let mut best = (heights[last], full);
    let (mut low, mut high) = (0.0, heights[last].max(0.0));
    for _ in 0..12 {
        let tried = (low + high) / 2.0;
        let mut shorter = heights.clone();
        shorter[last] = tried;
        match columns(blocks, frame, &shorter) {
            Some(placed) if short_breaks(blocks, frame, &placed) <= breaks => {
                (best, high) = ((tried, placed), tried);
            }
            _ => low = tried,
        }
    }
    let mut placed = best.1;
    let ends: Vec<f64> =
        (0..pages).map(|page| even_out(blocks, frame, &mut placed, page)).collect();
    let mut y = ends;
    for (block, page) in wide.iter().zip(spread) {
        let strips = blocks[*block].strips.len();
        if y[*page] > 0.0 {
            y[*page] += frame.gap;
        }
        placed.push(PlacedBlock {
            block: *block,
            from: 0,
            to: strips,
            page: *page,
            column: None,
            y: y[*page],
        });
        y[*page] += blocks[*block].height(0, strips);
    }
    Some(placed)
}

/// The pieces of blocks that are broken though they are short: less than a third of a page.
fn short_breaks(blocks: &[Block], frame: &Frame, placed: &[PlacedBlock]) -> usize {
    let short = |one: &&PlacedBlock| {
        let (block, all) = (&blocks[one.block], blocks[one.block].strips.len());
        one.to - one.from < all && block.height(0, all) < frame.heights[1] / 3.0
    };
    placed.iter().filter(short).count()
}

/// Where the next block goes.
struct Cursor<'b> {
    blocks: &'b [Block],
    frame: &'b Frame,
    heights: &'b [f64],
    placed: Vec<PlacedBlock>,
    page: usize,
    column: usize,
    y: f64,
}

/// Places the blocks of column width, one column after the other. If a block does not fit, a later
/// list that does may fill the space.
fn columns(blocks: &[Block], frame: &Frame, heights: &[f64]) -> Option<Vec<PlacedBlock>> {
    let highest = heights.iter().copied().fold(0.0, f64::max);
    let page = frame.heights[0].max(frame.heights[1]);
    let mut cursor =
        Cursor { blocks, frame, heights, placed: Vec::new(), page: 0, column: 0, y: 0.0 };
    let mut open: Vec<usize> = (0..blocks.len()).filter(|place| !blocks[*place].wide).collect();
    while !open.is_empty() {
        let block = open.remove(0);
        let (known, all) = (&blocks[block], blocks[block].strips.len());
        let breaks = known.loose || known.height(0, all) > page;
        let mut from = 0;
        while from < all {
            let room = cursor.room()?;
            let whole = known.height(from, all) <= room + 1e-6;
            let part = if whole { all } else { known.fitting(from, room) };
            // A piece with almost nothing in it is not worth its head.
            if whole || breaks && part >= from + 4 {
                cursor.put(block, from, part);
                from = part;
                continue;
            }
            let fits = |later: &usize| {
                blocks[*later].loose
                    && blocks[*later].height(0, blocks[*later].strips.len()) <= room + 1e-6
            };
            if let Some(place) = open.iter().position(fits).filter(|_| from == 0 && !known.loose) {
                let filler = open.remove(place);
                cursor.put(filler, 0, blocks[filler].strips.len());
                continue;
            }
            // A block higher than any column is broken where necessary, or the layout fails if it
            // cannot be.
            if cursor.y == 0.0 && room >= highest - 1e-6 {
                if !breaks {
                    return None;
                }
                let to = part.max(known.least(from));
                if known.height(from, to) > room + 1e-6 {
                    return None;
                }
                cursor.put(block, from, to);
                from = to;
            } else {
                cursor.next();
            }
        }
    }
    Some(cursor.placed)
}

impl Cursor<'_> {
    fn start(&self) -> f64 {
        if self.y > 0.0 { self.y + self.frame.gap } else { 0.0 }
    }

    /// The space left in this column; `None` if there are no more pages.
    fn room(&self) -> Option<f64> {
        Some(self.heights.get(self.page)? - self.start())
    }

    fn put(&mut self, block: usize, from: usize, to: usize) {
        let y = self.start();
        self.placed.push(PlacedBlock {
            block,
            from,
            to,
            page: self.page,
            column: Some(self.column),
            y,
        });
        self.y = y + self.blocks[block].height(from, to);
        // A broken block continues in the next column.
        if to < self.blocks[block].strips.len() {
            self.next();
        }
    }

    fn next(&mut self) {
        (self.column, self.y) = (self.column + 1, 0.0);
        if self.column == self.frame.columns {
            (self.page, self.column) = (self.page + 1, 0);
        }
    }
}

/// Widens the gaps of a page's columns so that they end at about the same height. Returns that
/// height.
fn even_out(blocks: &[Block], frame: &Frame, placed: &mut [PlacedBlock], page: usize) -> f64 {
    let end = |one: &PlacedBlock| one.y + blocks[one.block].height(one.from, one.to);
    let highest = placed.iter().filter(|one| one.page == page).map(end).fold(0.0, f64::max);
    for column in 0..frame.columns {
        let here = |one: &&mut PlacedBlock| one.page == page && one.column == Some(column);
        let mut ones: Vec<&mut PlacedBlock> = placed.iter_mut().filter(here).collect();
        let (count, bottom) = (ones.len(), ones.last().map_or(0.0, |last| end(last)));
        if count > 1 {
            let more = ((highest - bottom) / (count - 1) as f64).min(frame.gap * 1.5);
            ones.iter_mut().enumerate().for_each(|(place, one)| one.y += more * place as f64);
        }
    }
    highest
}
