//! From rows to pieces: titles, rolls, modifier lists, tables, definitions, phases and notes. Each
//! reader takes as many rows as it is sure of; what no reader takes is a note.

mod bands;
mod columns;
mod definitions;
mod grid;
mod headings;
mod modifiers;
mod note_marks;
mod phases;
mod prose;
mod roll;
mod shifts;
mod titles;

use headings::{
    dice_title, is_footnote, last_rolls, mended_dice, merged_title, named_title, nested_title,
    of_named, phased_title, run_in, sheet_title, table_title, title_with_roll, wide_title,
};

use crate::dice;
use crate::model::{Content, Guess, GuessKind, LineUse, Override, Piece, PieceKind, PrintedCell};
use crate::source::{RowCell, SheetRow};
use roll::{is_plain_roll, named_roll, roll, values};
use std::ops::Range;

pub(crate) use bands::{Mended, is_distance, names_scale, score_head};
pub(crate) use titles::{
    is_subhead as titles_of, is_turn, shouts as titles_shout, speaks_of_reach,
};

/// The content that a reader makes, and the number of rows that it took.
pub(crate) type Taken = (Content, usize);

/// The text before the place where a reader starts, as far as it matters there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    /// Dice were named since the last title.
    pub rolled: bool,
    /// The last title speaks of the turn.
    pub turn: bool,
    /// There was a title.
    pub titled: bool,
    /// The author says what this is, so one row is enough.
    pub forced: bool,
    /// A list of modifiers is announced.
    pub listed: bool,
    /// The last title speaks of numbers that dice must reach.
    pub reach: bool,
    /// Nothing has come since the last title.
    pub titled_now: bool,
    /// Rows of this table with markup were read already, with so many cells: what follows is not its
    /// heading.
    pub opened: Option<(u32, usize)>,
    /// The last title stood at the start of a paragraph and holds for that paragraph only.
    pub run_in: bool,
    /// Up to this line, no grid was found in a long run of rows.
    pub no_grid: u32,
    /// Up to this line, no table by scores was found in a long run of rows.
    pub no_bands: u32,
    /// The rolls since the last title of a chart, the last one first.
    pub rolls: Vec<dice::RollLine>,
}

/// The most rows that a reader looks at from where it starts.
const FAR: usize = 1100;

/// The most titles at the start of one paragraph.
const MOST_RUN_IN: usize = 4;

/// A run of rows that is not searched twice for a grid.
const LONG: usize = 60;

#[derive(Debug, Default)]
pub(crate) struct Pieces {
    pub list: Vec<Piece>,
    pub guesses: Vec<Guess>,
}

impl Pieces {
    fn push(&mut self, content: Content, rows: &[SheetRow]) {
        let mut at: Vec<Range<usize>> = Vec::new();
        for row in rows {
            let here = row.at();
            match at.last_mut() {
                // Rows of one column that follow each other are one part of the source.
                Some(last) if last.end <= here.start && row.strip == 0 => last.end = here.end,
                _ => at.push(here),
            }
        }
        let lines = (
            rows.iter().map(|row| row.line).min().unwrap_or(1),
            rows.iter().map(|row| row.line).max().unwrap_or(1),
        );
        self.list.push(Piece { content, at, lines, charts: Vec::new(), became: LineUse::Blank });
    }

    /// Lists rows of a table that are not understood. The table is read without them.
    fn leave_out(&mut self, rows: &[SheetRow], places: &[usize]) {
        for row in places.iter().filter_map(|place| rows.get(*place)) {
            self.guess(GuessKind::LeftOut, row.line, row.at(), &row.text());
            self.push(Content::NotUnderstood(row.text()), std::slice::from_ref(row));
        }
    }

    pub fn guess(&mut self, kind: GuessKind, line: u32, at: Range<usize>, printed: &str) {
        self.guesses.push(Guess { kind, line, at, printed: printed.to_owned(), chart: None });
    }
}

/// Reads all rows, in reading order, with the author's wishes.
pub(crate) fn read(rows: &[SheetRow], overrides: &[Override]) -> Pieces {
    let unmarked = note_marks::removed(rows);
    let rows = unmarked.as_deref().unwrap_or(rows);
    let forced: Vec<Option<PieceKind>> = rows
        .iter()
        .map(|row| {
            let at = row.at();
            overrides
                .iter()
                .rev()
                .find(|o| o.at.start < at.end.max(at.start + 1) && at.start < o.at.end)
                .map(|o| o.kind)
        })
        .collect();
    let mut pieces = Pieces::default();
    let mut context = Context::default();
    let mut place = 0;
    let mut strip = 0;
    // Where rows of another kind or strip begin.
    let mut run = 0;
    while place < rows.len() {
        if rows[place].strip != strip {
            // What was said in one strip does not hold for the next.
            strip = rows[place].strip;
            context = Context { titled: context.titled, ..Context::default() };
        }
        let kind = forced[place];
        if place >= run {
            run = place + 1;
            while run < rows.len()
                && forced[run] == kind
                && rows[run].strip == rows[place].strip
                && !rows[run].furniture
            {
                run += 1;
            }
        }
        let end = run.min(place + FAR);
        place += match kind {
            _ if rows[place].furniture => {
                pieces.push(Content::Ignored, &rows[place..=place]);
                1
            }
            Some(kind) => {
                force(kind, &rows[place..end], &mut context, &mut pieces);
                end - place
            }
            None => {
                let before = pieces.list.len();
                context.rolls = last_rolls(&pieces);
                let taken = next(&rows[place..end], &mut context, &mut pieces).max(1);
                let titles =
                    |piece: &Piece| matches!(piece.content, Content::Title(_) | Content::Ignored);
                context.titled_now &= pieces.list[before..].iter().all(titles);
                let any_title = pieces.list[before..].iter().any(titles);
                let cells = rows[place..place + taken].iter().map(|row| row.filled().len()).max();
                let table = rows[place].table.filter(|_| !any_title);
                context.opened = table.map(|table| (table, cells.unwrap_or(0)));
                taken
            }
        };
    }
    pieces
}

/// Reads the next piece and returns how many rows it took.
fn next(rows: &[SheetRow], context: &mut Context, pieces: &mut Pieces) -> usize {
    // A paragraph of HTML may be as long as the source.
    if rows[0].cells.iter().map(|cell| cell.text.len()).sum::<usize>() > crate::LONGEST_LINE {
        return prose::read(&rows[..1], context, pieces);
    }
    below_titles(rows, context, pieces, MOST_RUN_IN)
}

/// Reads the next piece below so many titles at most that stand at the start of its paragraph.
fn below_titles(
    rows: &[SheetRow],
    context: &mut Context,
    pieces: &mut Pieces,
    run_ins: usize,
) -> usize {
    let first = &rows[0];
    if first.head {
        title(&first.text(), &rows[..1], context, pieces);
        return 1;
    }
    if titled_roll(rows, context, pieces) {
        return 1;
    }
    if let Some(name) = nested_title(rows) {
        title(&name, &rows[..1], context, pieces);
        return 1;
    }
    if let Some(fewer) = run_ins.checked_sub(1)
        && let Some((name, own)) = run_in(rows)
    {
        title(&name, &rows[..1], context, pieces);
        return below_titles(&own, context, pieces, fewer);
    }
    if title_or_footnote(rows, context, pieces) { 1 } else { below_title(rows, context, pieces) }
}

/// Reads a title with the roll of its chart in the same row.
fn titled_roll(rows: &[SheetRow], context: &mut Context, pieces: &mut Pieces) -> bool {
    let first = &rows[0];
    let titled = title_with_roll(first).map(|(name, said)| (name, said, None)).or_else(|| {
        let (row, read) = mended_dice(first)?;
        let (name, said) = title_with_roll(&row)
            .or_else(|| named_roll(&row).filter(|_| row.gap).map(|_| of_named(&row)))?;
        titles::shouts(&name).then_some((name, said, Some(read)))
    });
    let Some((name, said, read)) = titled else { return false };
    let Some(line) = dice::roll_line(&said) else { return false };
    if let Some(read) = read {
        pieces.guess(GuessKind::Repaired { read }, first.line, first.at(), &first.text());
    }
    title(&name, &rows[..1], context, pieces);
    context.rolled = true;
    context.listed = true;
    pieces.push(Content::Roll(line), &rows[..1]);
    if let Some(list) = values(&said, first) {
        pieces.push(list, &rows[..1]);
    }
    true
}

/// Reads a row that is a title by its look or by its place above a table, or a footnote.
fn title_or_footnote(rows: &[SheetRow], context: &mut Context, pieces: &mut Pieces) -> bool {
    let first = &rows[0];
    let alone = first.gap && first.filled().len() == 1;
    let turn = || {
        Some(first.text()).filter(|text| first.table.is_some() && alone && titles::is_turn(text))
    };
    let name = sheet_title(first, rows.get(1), pieces)
        .or_else(|| named_title(rows))
        .or_else(|| phased_title(rows, pieces))
        .or_else(|| dice_title(rows))
        .or_else(|| wide_title(rows))
        .or_else(|| merged_title(rows))
        .or_else(turn);
    if let Some(name) = name {
        title(&name, &rows[..1], context, pieces);
        return true;
    }
    if is_footnote(first, rows.get(1), pieces) {
        pieces.push(Content::Note(first.text()), &rows[..1]);
        return true;
    }
    if alone {
        // "PIP ROLL (1d6)"
        let text = first.text();
        let (name, rolled) = dice::of_title(&text);
        if rolled.is_some() && name != text && titles::shouts(&name) && text.ends_with(')') {
            title(&text, &rows[..1], context, pieces);
            return true;
        }
    }
    let Some((name, remark)) = table_title(rows) else { return false };
    title(&name, &rows[..1], context, pieces);
    pieces.push(Content::Note(remark), &rows[..1]);
    true
}

/// Reads a roll, a table, a list or prose, and titles that only their sentence tells from it.
fn below_title(rows: &[SheetRow], context: &mut Context, pieces: &mut Pieces) -> usize {
    let first = &rows[0];
    let says_roll = named_roll(first).is_some()
        || (first.filled().len() == 1
            && is_plain_roll(first)
            && (!first.bullet || first.text().contains(['<', '>', '≤', '≥'])));
    if says_roll
        && grid::dice_list(rows).is_none()
        && let Some(taken) = roll(rows, context, pieces)
    {
        return taken;
    }
    if let Some((content, taken)) = table_or_list(rows, context, pieces) {
        if matches!(content, Content::Bands(_) | Content::Grid(_)) {
            context.listed = false;
        }
        for row in rows[..taken].iter().filter(|row| row.parted) {
            pieces.guess(GuessKind::Parted, row.line, row.at(), &row.text());
        }
        if let Some(row) = rows[..taken].iter().find(|row| row.ordered) {
            pieces.guess(GuessKind::Order, row.line, row.at(), &row.text());
        }
        pieces.push(content, &rows[..taken]);
        return taken + rest_of_table(rows, taken, pieces);
    }
    if rows.len() > LONG && rows[0].line > context.no_grid {
        let far = grid::extent(rows);
        if far > LONG {
            context.no_grid = rows[far - 1].line;
        }
    }
    let unread = rows[0].line > context.no_bands && !context.rolled && rows[0].table.is_none();
    if rows.len() > LONG && unread {
        let far = bands::extent(rows);
        if far > LONG {
            context.no_bands = rows[far - 1].line;
        }
    }
    if let Some(taken) = roll(rows, context, pieces) {
        return taken;
    }
    if titles::is_title(rows) {
        // A remark beside the title is not part of it.
        let filled = first.filled();
        let text = match filled.as_slice() {
            [only, remark]
                if remark.text.split_whitespace().count() >= 4 || remark.text.starts_with('(') =>
            {
                only.text.clone()
            }
            _ => first.text(),
        };
        title(&text, &rows[..1], context, pieces);
        return 1;
    }
    if let Some(list) = shifts::read(first, pieces) {
        pieces.push(Content::Modifiers(list), &rows[..1]);
        pieces.push(Content::Note(first.text()), &rows[..1]);
        return 1;
    }
    prose::read(rows, context, pieces)
}

/// Rows of the same table with markup that the reader of the table did not take: they are no table of
/// their own. Returns how many.
fn rest_of_table(rows: &[SheetRow], taken: usize, pieces: &mut Pieces) -> usize {
    let widest = rows[..taken].iter().map(|row| row.filled().len()).max().unwrap_or(0);
    let same = |row: &&SheetRow| {
        row.filled().len() <= widest
            && row.table.is_some()
            && row.table == rows[0].table
            && !row.gap
            && !row.head
            && row.filled().len() >= 2
    };
    let rest: Vec<usize> = rows
        .iter()
        .enumerate()
        .skip(taken)
        .take_while(|(_, row)| same(row))
        .map(|(at, _)| at)
        .collect();
    // A second list or table below its own headings, or modifiers below a table of scores.
    let signed = |at: &usize| {
        let filled = rows[*at].filled();
        [filled.first(), filled.last()]
            .into_iter()
            .flatten()
            .any(|cell| crate::amount::whole(&cell.text).is_some())
    };
    let more = rest.first().is_some_and(|first| starts_again(&rows[*first..]))
        || (rest.len() >= 2 && rest.iter().all(signed));
    if more {
        return 0;
    }
    pieces.leave_out(rows, &rest);
    rest.len()
}

/// Tells if rows after a table are another one: a head of words above rows that are read.
fn starts_again(rows: &[SheetRow]) -> bool {
    let words = rows[0].filled().iter().all(|cell| {
        !cell.text.contains(|c: char| c.is_ascii_digit())
            && cell.text.split_whitespace().count() <= 4
    });
    let mut dry = Pieces::default();
    let context = Context::default();
    words
        && rows.len() >= 3
        && (bands::read(rows, &context, &mut dry).is_some()
            || modifiers::read(rows, &context, &mut dry).is_some())
}

fn table_or_list(rows: &[SheetRow], context: &Context, pieces: &mut Pieces) -> Option<Taken> {
    if context.turn
        && let Some(taken) = phases::read(rows, context)
    {
        return Some(taken);
    }
    grid::targets(rows, context, pieces)
        .or_else(|| bands::read_relations(rows, context, pieces))
        .or_else(|| bands::read_margins(rows, context))
        .or_else(|| modifiers::read(rows, context, pieces))
        .or_else(|| {
            let tried =
                rows[0].line > context.no_bands || context.rolled || rows[0].table.is_some();
            if tried { bands::read(rows, context, pieces) } else { None }
        })
        .or_else(|| {
            let opened = context.opened.is_some_and(|(table, cells)| {
                rows[0].table == Some(table) && rows[0].filled().len() <= cells
            });
            let tried = rows[0].line > context.no_grid && (!opened || rows[0].gap);
            if tried { grid::read(rows, context, pieces) } else { None }
        })
        .or_else(|| definitions::read(rows, context))
}

fn title(text: &str, rows: &[SheetRow], context: &mut Context, pieces: &mut Pieces) {
    let mut shown = titles::shown(text);
    if let Some(read) = titles::mended(&shown) {
        pieces.guess(
            GuessKind::Repaired { read: read.clone() },
            rows[0].line,
            rows[0].at(),
            &shown,
        );
        shown = read;
    }
    if titles::is_subhead(&shown) {
        context.listed |= titles::announces_modifiers(&shown);
        // A subhead belongs to what follows.
        pieces.push(Content::Title(shown), rows);
        return;
    }
    let no_bands = context.no_bands;
    *context =
        Context { turn: titles::is_turn(&shown), titled: true, no_bands, ..Context::default() };
    let (_, rolled) = dice::of_title(&shown);
    context.rolled = rolled.is_some();
    context.listed = titles::announces_modifiers(&shown);
    context.reach = titles::speaks_of_reach(&shown);
    context.titled_now = true;
    pieces.push(Content::Title(shown), rows);
}

/// Reads rows as the author says.
fn force(kind: PieceKind, rows: &[SheetRow], context: &mut Context, pieces: &mut Pieces) {
    let forced = Context { forced: true, rolled: true, listed: true, ..context.clone() };
    let all = || rows.iter().map(SheetRow::text).collect::<Vec<_>>().join(" ");
    let read = match kind {
        PieceKind::Title => {
            title(&rows[0].text(), &rows[..1], context, pieces);
            if rows.len() > 1 {
                pieces.push(
                    Content::Note(
                        rows[1..].iter().map(SheetRow::text).collect::<Vec<_>>().join(" "),
                    ),
                    &rows[1..],
                );
            }
            return;
        }
        PieceKind::Roll => dice::roll_line(&format!("Roll {}", all())).map(|line| {
            context.rolled = true;
            (Content::Roll(line), rows.len())
        }),
        PieceKind::Modifiers => modifiers::read(rows, &forced, pieces),
        PieceKind::Bands => bands::read(rows, &forced, pieces),
        PieceKind::Grid => grid::read(rows, &forced, pieces),
        PieceKind::Definitions => definitions::read(rows, &forced),
        PieceKind::Phases => phases::read(rows, &forced),
        PieceKind::Note => Some((Content::Note(all()), rows.len())),
        PieceKind::Ignored => Some((Content::Ignored, rows.len())),
        PieceKind::NotUnderstood => Some((Content::NotUnderstood(all()), rows.len())),
    };
    let taken = match read {
        Some((content, taken)) => {
            pieces.push(content, &rows[..taken]);
            taken
        }
        None => 0,
    };
    if taken < rows.len() {
        let rest = &rows[taken..];
        let text = rest.iter().map(SheetRow::text).collect::<Vec<_>>().join(" ");
        let kept = if taken == 0 && kind != PieceKind::Note {
            Content::NotUnderstood(text)
        } else {
            Content::Note(text)
        };
        pieces.push(kept, rest);
    }
}

/// A cell of the model.
fn cell(of: &RowCell) -> PrintedCell {
    PrintedCell { text: of.text.clone(), at: of.at.clone() }
}

/// Several cells as one.
fn joined(cells: &[&RowCell]) -> PrintedCell {
    let text = cells.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join(" ");
    let start = cells.iter().map(|c| c.at.start).min().unwrap_or(0);
    let end = cells.iter().map(|c| c.at.end).max().unwrap_or(start);
    PrintedCell { text, at: start..end }
}

/// Adds a text to a cell that goes on below.
fn extend(cell: &mut PrintedCell, more: &RowCell) {
    if more.text.is_empty() {
        return;
    }
    if cell.text.is_empty() {
        *cell = PrintedCell { text: more.text.clone(), at: more.at.clone() };
        return;
    }
    let broken = cell.text.ends_with('-')
        && more.text.chars().next().is_some_and(char::is_lowercase)
        && cell.text.len() > 1;
    if broken {
        cell.text.pop();
    } else {
        cell.text.push(' ');
    }
    cell.text.push_str(&more.text);
    if more.at.start >= cell.at.end {
        cell.at.end = more.at.end;
    }
}
