//! What became of each line of the source.

use crate::model::{Account, Content, LineUse, Piece, PieceKind};
use std::collections::BTreeSet;

/// The use of each line. A line with parts in several pieces is used if one of them is.
pub(crate) fn lines(source: &str, pieces: &[Piece], outside: &BTreeSet<usize>) -> Vec<LineUse> {
    let starts: Vec<usize> =
        std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut found: Vec<LineUse> = source.split('\n').map(|_| LineUse::Blank).collect();
    for (place, piece) in pieces.iter().enumerate() {
        let use_of = use_of(piece, outside.contains(&place));
        for at in &piece.at {
            let first = starts.partition_point(|start| *start <= at.start).saturating_sub(1);
            let last =
                starts.partition_point(|start| *start < at.end.max(at.start + 1)).saturating_sub(1);
            for line in found.iter_mut().take(last + 1).skip(first) {
                if rank(use_of) > rank(*line) {
                    *line = use_of;
                }
            }
        }
    }
    for (line, text) in found.iter_mut().zip(source.split('\n')) {
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
    found
}

fn use_of(piece: &Piece, outside: bool) -> LineUse {
    let used = !piece.charts.is_empty() || outside;
    match (&piece.content, piece.content.kind()) {
        (_, PieceKind::Ignored) => LineUse::Ignored,
        (_, PieceKind::NotUnderstood) => LineUse::NotUnderstood,
        (_, PieceKind::Note) => LineUse::Note,
        (Content::Title(_), _) => {
            if used {
                LineUse::Used
            } else {
                LineUse::Note
            }
        }
        _ if used => LineUse::Used,
        _ => LineUse::NotUnderstood,
    }
}

fn rank(line: LineUse) -> u8 {
    match line {
        LineUse::Blank => 0,
        LineUse::Ignored => 1,
        LineUse::Note => 2,
        LineUse::NotUnderstood => 3,
        LineUse::Used => 4,
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
