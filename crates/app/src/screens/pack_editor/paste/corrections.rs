//! What the author says about parts of the source. Corrections follow the text when it is edited.

use adjutant_draft::{Override, PieceKind};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// This part of the source is that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    pub at: Range<usize>,
    #[serde(with = "kind")]
    pub kind: PieceKind,
}

/// A kind in messages and in what is saved: its id.
pub mod kind {
    use super::PieceKind;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(kind: &PieceKind, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(kind.id())
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<PieceKind, D::Error> {
        let id = String::deserialize(from)?;
        PieceKind::of_id(&id).ok_or_else(|| D::Error::custom("no such kind"))
    }
}

impl From<&Correction> for Override {
    fn from(correction: &Correction) -> Override {
        Override { at: correction.at.clone(), kind: correction.kind }
    }
}

/// Whether two parts of the source share a byte.
pub fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Takes what was said about this part of the source back, and leaves what was said beside it.
pub fn clear(corrections: &mut Vec<Correction>, at: &Range<usize>) {
    let rest = |known: &Correction| {
        let before = known.at.start..known.at.end.min(at.start);
        let after = known.at.start.max(at.end)..known.at.end;
        let kind = known.kind;
        let left =
            if overlap(&known.at, at) { vec![before, after] } else { vec![known.at.clone()] };
        left.into_iter().filter(|at| !at.is_empty()).map(move |at| Correction { at, kind })
    };
    *corrections = corrections.iter().flat_map(rest).collect();
}

/// Says what a part of the source is, in place of what was said before.
pub fn put(corrections: &mut Vec<Correction>, at: Range<usize>, kind: PieceKind) {
    clear(corrections, &at);
    corrections.push(Correction { at, kind });
}

/// The part that differs between two texts: its bytes in each.
fn edited(before: &str, after: &str) -> (Range<usize>, Range<usize>) {
    let same = |(a, b): &(char, char)| a == b;
    let start: usize =
        before.chars().zip(after.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (rest, other) = (&before[start..], &after[start..]);
    let ends = rest.chars().rev().zip(other.chars().rev());
    let end: usize = ends.take_while(same).map(|(c, _)| c.len_utf8()).sum();
    (start..before.len() - end, start..after.len() - end)
}

/// Moves the corrections with an edit of the source.
pub fn follow(corrections: &mut Vec<Correction>, before: &str, after: &str) {
    let (old, new) = edited(before, after);
    let later = |place: usize| place - old.end + new.end;
    for correction in corrections.iter_mut() {
        let Range { start, end } = correction.at.clone();
        let start = match start {
            _ if start >= old.end => later(start),
            _ if start <= old.start => start,
            _ => old.start,
        };
        let end = match end {
            _ if end >= old.end => later(end),
            _ if end <= old.start => end,
            _ => new.end,
        };
        correction.at = start..end;
    }
    corrections.retain(|correction| !correction.at.is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(source: &str, part: &str) -> Correction {
        let start = source.find(part).map_or(0, |at| at);
        Correction { at: start..start + part.len(), kind: PieceKind::Note }
    }

    #[test]
    fn a_correction_follows_its_text() {
        let before = "alpha\nbravo ½\ncharlie\n";
        for (after, part) in [
            ("alpha\nnew\nbravo ½\ncharlie\n", "bravo ½"),
            ("al\nbravo ½\ncharlie\n", "bravo ½"),
            ("alpha\nbravo ½\ncharlie\nmore", "bravo ½"),
            ("alpha\nbraavo ½\ncharlie\n", "braavo ½"),
            ("alpha\nbra ½\ncharlie\n", "bra ½"),
        ] {
            let mut all = vec![on(before, "bravo ½")];
            follow(&mut all, before, after);
            assert_eq!(all, [on(after, part)], "{after}");
        }
        let mut all = vec![on(before, "bravo ½")];
        follow(&mut all, before, "alpha\ncharlie\n");
        assert!(all.iter().all(|one| one.at.len() <= 1), "{all:?}");
    }

    #[test]
    fn the_last_word_about_a_line_counts() {
        let mut all = Vec::new();
        put(&mut all, 0..30, PieceKind::Modifiers);
        put(&mut all, 10..20, PieceKind::Note);
        let said = |at: usize| -> Vec<PieceKind> {
            all.iter().filter(|one| one.at.contains(&at)).map(|one| one.kind).collect()
        };
        assert_eq!(said(5), [PieceKind::Modifiers]);
        assert_eq!(said(15), [PieceKind::Note]);
        assert_eq!(said(25), [PieceKind::Modifiers]);
        clear(&mut all, &(0..12));
        assert_eq!(all.len(), 2);
    }
}
