//! The source as it is shown: cut into blocks, one for each piece, and one for each run of lines
//! that no piece holds. No character of the source is left out.

use adjutant_draft::{Draft, Format, LineUse, PieceKind, read_entities, tag_end};
use std::ops::Range;

/// A part of the source.
#[derive(Debug, PartialEq)]
pub struct Block {
    pub kind: PieceKind,
    /// The charts that use it, by id.
    pub charts: Vec<String>,
    /// Its first and last line, from 1.
    pub lines: (u32, u32),
    /// Bytes of the source.
    pub at: Vec<Range<usize>>,
    pub rows: Vec<Row>,
    /// Whether the pack lacks it.
    pub left_out: bool,
}

/// A line, or the part of a line that belongs to the block.
#[derive(Debug, PartialEq)]
pub struct Row {
    /// How many blanks stand before it, so that columns line up.
    pub indent: usize,
    pub at: Range<usize>,
}

/// A piece of text, marked with the guess that it belongs to.
#[derive(Debug, PartialEq)]
pub struct Part {
    pub text: String,
    pub guess: Option<usize>,
}

impl Block {
    /// The first byte, which names the block.
    pub fn start(&self) -> usize {
        self.at.first().map_or(0, |at| at.start)
    }

    /// Whether a place in the source is in this block.
    pub fn holds(&self, place: usize) -> bool {
        self.rows
            .iter()
            .any(|row| row.at.start <= place && place < row.at.end.max(row.at.start + 1))
    }

    /// The texts of a row, cut at the guesses.
    pub fn parts(&self, row: &Row, source: &str, draft: &Draft) -> Vec<Part> {
        let mut cuts = vec![row.at.start, row.at.end];
        for guess in &draft.guesses {
            let inside = |place: &usize| row.at.contains(place) && source.is_char_boundary(*place);
            cuts.extend([guess.at.start, guess.at.end].into_iter().filter(inside));
        }
        cuts.sort_unstable();
        cuts.dedup();
        let of = |at: Range<usize>| {
            let guess = draft.guesses.iter().position(|guess| {
                guess.at.start <= at.start && at.end <= guess.at.end && !at.is_empty()
            });
            let text = source.get(at).unwrap_or_default();
            let text = if draft.format == Format::Html { plain(text) } else { text.to_owned() };
            Part { text, guess }
        };
        let cuts = cuts.windows(2).map(|pair| of(pair[0]..pair[1]));
        cuts.filter(|part| !part.text.is_empty()).collect()
    }
}

/// The first byte of each line.
pub fn line_starts(source: &str) -> Vec<usize> {
    std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// The bytes of a line, without its end.
fn line_at(starts: &[usize], source: &str, line: usize) -> Range<usize> {
    let start = starts.get(line).copied().unwrap_or(source.len());
    let end = starts.get(line + 1).map_or(source.len(), |next| next - 1);
    start..end
}

/// The bytes of these lines, from 1, with the end of the last.
pub fn lines_at(source: &str, first: u32, last: u32) -> Range<usize> {
    let starts = line_starts(source);
    let start = starts.get(first.max(1) as usize - 1).copied().unwrap_or(source.len());
    let end = starts.get(last.max(first) as usize).copied().unwrap_or(source.len());
    start..end
}

/// A stretch of one line that a piece holds.
struct Stretch {
    piece: usize,
    at: Range<usize>,
}

/// Cuts the source into blocks, in reading order.
pub fn blocks(source: &str, draft: &Draft) -> Vec<Block> {
    let starts = line_starts(source);
    let mut by_line = stretches(source, draft, &starts);
    let mut rows: Vec<Vec<Row>> = draft.pieces.iter().map(|_| Vec::new()).collect();
    for (line, held) in by_line.iter_mut().enumerate() {
        let whole = line_at(&starts, source, line);
        share(source, &whole, held);
        let alone = held.len() == 1;
        for stretch in held {
            let before = source.get(whole.start..stretch.at.start).unwrap_or_default();
            let indent = if alone { 0 } else { before.chars().count() };
            rows[stretch.piece].push(Row { indent, at: stretch.at.clone() });
        }
    }
    let mut loose = loose(source, draft, &by_line, &starts).into_iter().peekable();
    let mut found = Vec::new();
    for (piece, mut rows) in draft.pieces.iter().zip(rows) {
        while let Some(block) = loose.next_if(|block| block.lines.0 < piece.lines.0) {
            found.push(block);
        }
        let least = rows.iter().map(|row| row.indent).min().unwrap_or(0);
        rows.iter_mut().for_each(|row| row.indent -= least);
        join(
            &mut found,
            Block {
                kind: piece.content.kind(),
                charts: piece.charts.clone(),
                lines: piece.lines,
                at: piece.at.clone(),
                rows,
                left_out: piece.became == LineUse::NotUnderstood,
            },
        );
    }
    found.extend(loose);
    found
}

/// Adds a block. One line may be two pieces, a title with its dice: they are one block.
fn join(found: &mut Vec<Block>, mut block: Block) {
    block.rows.retain(|row| !row.at.is_empty());
    let Some(same) = found.iter_mut().find(|known| known.start() == block.start()) else {
        return found.push(block);
    };
    same.left_out |= block.left_out;
    same.lines.1 = same.lines.1.max(block.lines.1);
    same.rows.extend(block.rows);
    same.charts.extend(
        block.charts.into_iter().filter(|id| !same.charts.contains(id)).collect::<Vec<_>>(),
    );
}

/// What each line holds of which pieces, from left to right.
fn stretches(source: &str, draft: &Draft, starts: &[usize]) -> Vec<Vec<Stretch>> {
    let mut by_line: Vec<Vec<Stretch>> = starts.iter().map(|_| Vec::new()).collect();
    for (piece, at) in draft
        .pieces
        .iter()
        .enumerate()
        .flat_map(|(n, piece)| piece.at.iter().map(move |at| (n, at)))
    {
        let first = starts.partition_point(|start| *start <= at.start).saturating_sub(1);
        let last = starts.partition_point(|start| *start < at.end.max(at.start + 1));
        for (line, held_here) in by_line.iter_mut().enumerate().take(last).skip(first) {
            let whole = line_at(starts, source, line);
            let start = at.start.clamp(whole.start, whole.end);
            let end = at.end.clamp(start, whole.end);
            match held_here.iter_mut().find(|held| held.piece == piece) {
                Some(held) => held.at = held.at.start.min(start)..held.at.end.max(end),
                None => held_here.push(Stretch { piece, at: start..end }),
            }
        }
    }
    by_line
}

/// Shares a whole line out: what stands between two stretches goes to the first of them, unless it
/// is blank; what stands before the first goes to it.
fn share(source: &str, whole: &Range<usize>, held: &mut [Stretch]) {
    held.sort_by_key(|stretch| stretch.at.start);
    let blank = |at: Range<usize>| source.get(at).is_some_and(|text| text.trim().is_empty());
    let mut next = whole.end;
    for (place, stretch) in held.iter_mut().enumerate().rev() {
        if place == 0 {
            stretch.at.start = whole.start;
        }
        let start = stretch.at.start.min(next);
        let end = stretch.at.end.clamp(start, next);
        stretch.at = if blank(end..next) { start..end } else { start..next };
        next = start;
    }
}

/// Blocks for the lines that no piece holds.
fn loose(source: &str, draft: &Draft, by_line: &[Vec<Stretch>], starts: &[usize]) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    for (line, held) in by_line.iter().enumerate() {
        let at = line_at(starts, source, line);
        if !held.is_empty() || source.get(at.clone()).is_none_or(|text| text.trim().is_empty()) {
            continue;
        }
        let kind = match draft.lines.get(line) {
            Some(LineUse::NotUnderstood) => PieceKind::NotUnderstood,
            _ => PieceKind::Ignored,
        };
        let number = line as u32 + 1;
        match found.last_mut() {
            Some(last) if last.kind == kind && last.lines.1 + 1 == number => {
                last.lines.1 = number;
                last.at[0].end = at.end;
                last.rows.push(Row { indent: 0, at });
            }
            _ => found.push(Block {
                kind,
                charts: Vec::new(),
                lines: (number, number),
                at: vec![at.clone()],
                rows: vec![Row { indent: 0, at }],
                left_out: kind == PieceKind::NotUnderstood,
            }),
        }
    }
    found
}

/// The text of a part of an HTML page. Cells are separated by blanks.
fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        let Some(end) = tag_end(&rest[at..]) else { break };
        let tag = rest[at + 1..at + end].to_ascii_lowercase();
        match tag.as_str() {
            "/td" | "/th" => text.push_str("   "),
            "/tr" | "br" | "br/" | "br /" | "/p" | "/li" | "/div" => text.push('\n'),
            _ => {}
        }
        rest = &rest[at + end + 1..];
    }
    if !rest.starts_with('<') {
        text.push_str(rest);
    }
    read_entities(&text).trim_matches('\n').to_owned()
}
