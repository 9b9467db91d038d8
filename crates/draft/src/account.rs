//! What became of each line of the source.

use crate::link::Sheet;
use crate::model::{Account, LineUse, Piece, PieceKind};

/// The use of each line. A line with parts in several pieces is not understood if one of them is
/// not: what the draft leaves out is always listed.
pub(crate) fn lines(source: &str, pieces: &[Piece]) -> Vec<LineUse> {
    let starts: Vec<usize> =
        std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut uses: Vec<LineUse> = source.split('\n').map(|_| LineUse::Blank).collect();
    for piece in pieces {
        for at in &piece.at {
            let first = starts.partition_point(|start| *start <= at.start).saturating_sub(1);
            let last =
                starts.partition_point(|start| *start < at.end.max(at.start + 1)).saturating_sub(1);
            for line in uses.iter_mut().take(last + 1).skip(first) {
                if rank(piece.became) > rank(*line) {
                    *line = piece.became;
                }
            }
        }
    }
    for (line, text) in uses.iter_mut().zip(source.split('\n')) {
        let blank = text.trim().is_empty();
        if blank {
            *line = LineUse::Blank;
        } else if *line == LineUse::Blank {
            // Rules, markup and marks that no piece holds.
            let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
            let markup = text.trim_start().starts_with('<') || letters == 0;
            *line = if markup { LineUse::Ignored } else { LineUse::NotUnderstood };
        }
    }
    uses
}

/// The use of a piece in the pack.
pub(crate) fn use_of(piece: &Piece, place: usize, sheet: &Sheet) -> LineUse {
    match piece.content.kind() {
        PieceKind::Ignored => LineUse::Ignored,
        PieceKind::Note => LineUse::Note,
        PieceKind::NotUnderstood => LineUse::NotUnderstood,
        _ if !piece.charts.is_empty() || sheet.used.contains(&place) => LineUse::Used,
        PieceKind::Title if sheet.noted.contains(&place) => LineUse::Note,
        // A title under which nothing stands is in no chart and in no note.
        _ => LineUse::NotUnderstood,
    }
}

fn rank(line: LineUse) -> u8 {
    match line {
        LineUse::Blank => 0,
        LineUse::Ignored => 1,
        LineUse::Note => 2,
        LineUse::Used => 3,
        LineUse::NotUnderstood => 4,
    }
}

pub(crate) fn count(lines: &[LineUse]) -> Account {
    let of = |wanted: LineUse| lines.iter().filter(|line| **line == wanted).count();
    Account {
        used: of(LineUse::Used),
        notes: of(LineUse::Note),
        ignored: of(LineUse::Ignored),
        not_understood: of(LineUse::NotUnderstood),
    }
}
