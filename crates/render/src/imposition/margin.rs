//! The margins: crop marks, the fold, a ruler and a caption.

use super::{Fold, Grid, Imposition};
use crate::draw::{Anchor, Drawing, Ink, Mark, Size, Style, text_width};
use crate::paper::Page;

/// The distance of a crop mark from the cards, and its length.
const MARK: (f64, f64) = (0.8, 3.4);
/// The size of text in the margin.
const SMALL: f64 = 2.5;

/// The caption of a page.
pub(super) struct Caption {
    /// Which side, if not the front.
    pub side: &'static str,
    pub number: usize,
    /// The number of pages.
    pub of: usize,
    pub ruler: bool,
}

/// Left, top, right, bottom.
type Bounds = (f64, f64, f64, f64);

impl Grid {
    pub(super) fn page(&self, options: &Imposition, cards: Vec<Mark>, caption: Caption) -> Page {
        let (left, top, right, bottom) = self.bounds(options);
        // The margins are drawn before the cards, so that nothing covers a card.
        let mut marks = Vec::new();
        if options.marks {
            self.crop_marks(options, &mut marks);
        }
        self.fold_line(options, &mut marks);
        self.caption(options, &caption, &mut marks);
        if caption.ruler {
            self.ruler(options, &mut marks);
        }
        marks.extend(cards);
        let side =
            if caption.side.is_empty() { String::new() } else { format!(", {}", caption.side) };
        let says = format!("{}{side}, page {} of {}", options.name, caption.number, caption.of);
        let trim = Some(((left, top), Size { width: right - left, height: bottom - top }));
        Page { drawing: Drawing { size: self.paper, says, marks }, trim, bleed: options.bleed }
    }

    /// The area of all cards, and of their backs if they are on the same page.
    fn bounds(&self, options: &Imposition) -> Bounds {
        let (w, h) = (options.card.width, options.card.height);
        let corners = self.slots.iter().flat_map(|slot| {
            if self.fold.is_some() { vec![slot.front, slot.back] } else { vec![slot.front] }
        });
        corners.fold((f64::MAX, f64::MAX, 0.0, 0.0), |(l, t, r, b), (x, y)| {
            (f64::min(l, x), f64::min(t, y), f64::max(r, x + w), f64::max(b, y + h))
        })
    }

    /// Short lines in the margins at every edge of a card.
    fn crop_marks(&self, options: &Imposition, marks: &mut Vec<Mark>) {
        let (left, top, right, bottom) = self.bounds(options);
        let (near, far) = (options.bleed + MARK.0, options.bleed + MARK.0 + MARK.1);
        let corners = |slot: &super::Slot| {
            if self.fold.is_some() { vec![slot.front, slot.back] } else { vec![slot.front] }
        };
        let edges = |of: fn((f64, f64)) -> f64, side: f64| {
            let mut all: Vec<f64> = self
                .slots
                .iter()
                .flat_map(corners)
                .map(of)
                .flat_map(|at| [at, at + side])
                .collect();
            all.sort_by(f64::total_cmp);
            all.dedup_by(|a, b| (*a - *b).abs() < 0.01);
            all
        };
        let mut line = |from, to| marks.push(Mark::Line { from, to, wide: 0.15, ink: Ink::Black });
        for x in edges(|at| at.0, options.card.width) {
            line((x, top - far), (x, top - near));
            line((x, bottom + near), (x, bottom + far));
        }
        for y in edges(|at| at.1, options.card.height) {
            line((left - far, y), (left - near, y));
            line((right + near, y), (right + far, y));
        }
    }

    /// The fold as a dashed line.
    fn fold_line(&self, options: &Imposition, marks: &mut Vec<Mark>) {
        let Some(fold) = self.fold else { return };
        let (left, top, right, bottom) = self.bounds(options);
        let (from, to) =
            if fold == Fold::Down { (top - 4.0, bottom + 4.0) } else { (left - 4.0, right + 4.0) };
        let mut at = from;
        while at < to {
            let end = (at + 2.0).min(to);
            let (from, to) = match fold {
                Fold::Down => ((self.paper.width / 2.0, at), (self.paper.width / 2.0, end)),
                Fold::Across => ((at, self.paper.height / 2.0), (end, self.paper.height / 2.0)),
            };
            marks.push(Mark::Line { from, to, wide: 0.2, ink: Ink::Grey });
            at += 3.5;
        }
    }

    /// The deck, how to print, and the page number above the cards; each above one column, so that
    /// no crop mark crosses it.
    fn caption(&self, options: &Imposition, caption: &Caption, marks: &mut Vec<Mark>) {
        let (left, top, right, _) = self.bounds(options);
        let page = format!("{} / {}", caption.number, caption.of);
        let name = if caption.side.is_empty() {
            options.name.clone()
        } else {
            format!("{} – {}", options.name, caption.side)
        };
        let turn = match (self.fold, options.backs) {
            (Some(_), _) => ", fold, then cut",
            (None, super::Backs::Duplex) => ", turn over the long edge",
            _ => "",
        };
        let print = format!("Print at 100 %{turn}");
        let columns = if self.fold == Some(Fold::Down) { self.across * 2 } else { self.across };
        let wide = options.card.width;
        let parts: Vec<(f64, Anchor, f64, String)> = match columns {
            1 => vec![(left, Anchor::Start, wide, format!("{name} · {page} · {print}"))],
            2 => vec![
                (left, Anchor::Start, wide, format!("{name} · {page}")),
                (right, Anchor::End, wide, print),
            ],
            _ => {
                let second = self.slots.get(1).map_or(left, |slot| slot.front.0);
                let middle = if self.across > 1 { second } else { left } + wide / 2.0;
                vec![
                    (left, Anchor::Start, wide, name),
                    (middle, Anchor::Middle, wide, print),
                    (right, Anchor::End, wide, page),
                ]
            }
        };
        let y = (top - options.bleed - 2.4).max(4.6).min(top - options.bleed - 1.2);
        for (x, anchor, wide, words) in parts {
            let size =
                (SMALL * (wide - 3.0) / text_width(&words, SMALL, false).max(0.1)).min(SMALL);
            let x = x + match anchor {
                Anchor::Start => 1.5,
                Anchor::Middle => 0.0,
                Anchor::End => -1.5,
            };
            marks.push(Mark::Text {
                at: (x, y),
                size,
                anchor,
                style: Style::PLAIN,
                ink: Ink::Grey,
                words,
            });
        }
    }

    /// 50 millimetres and 2 inches, to compare with a real ruler.
    fn ruler(&self, options: &Imposition, marks: &mut Vec<Mark>) {
        let (left, _, _, bottom) = self.bounds(options);
        let off = options.bleed + MARK.0 + MARK.1;
        let below = self.paper.height - bottom;
        let down = below < off + 8.0 && left > below;
        let (along, axis) = match down {
            true => (
                self.slots.first().map_or(20.0, |slot| slot.front.1)
                    + (options.card.height - 50.8) / 2.0,
                (left - off - 3.2).max(6.0),
            ),
            false => (
                left + (options.card.width - 50.8) / 2.0,
                (bottom + off + 3.4).min(self.paper.height - 4.4),
            ),
        };
        let at = |long: f64, aside: f64| {
            if down { (axis + aside, along + long) } else { (along + long, axis + aside) }
        };
        let mut line = |from, to, wide| marks.push(Mark::Line { from, to, wide, ink: Ink::Black });
        line(at(0.0, 0.0), at(50.8, 0.0), 0.2);
        for n in 0..=10 {
            line(
                at(f64::from(n) * 5.0, 0.0),
                at(f64::from(n) * 5.0, if n % 2 == 0 { -1.8 } else { -1.0 }),
                0.15,
            );
        }
        for n in 0..=8 {
            line(
                at(f64::from(n) * 6.35, 0.0),
                at(f64::from(n) * 6.35, if n % 4 == 0 { 1.8 } else { 1.0 }),
                0.15,
            );
        }
        let mut label = |at: (f64, f64), anchor, words: &str| {
            marks.push(Mark::Text {
                at,
                size: 2.1,
                anchor,
                style: Style::PLAIN,
                ink: Ink::Grey,
                words: words.into(),
            });
        };
        match down {
            true => {
                label((axis, along - 1.2), Anchor::Middle, "50 mm");
                label((axis, along + 53.4), Anchor::Middle, "2 in");
            }
            false => {
                label((along - 1.2, axis - 0.2), Anchor::End, "50 mm");
                label((along + 52.0, axis + 1.4), Anchor::Start, "2 in");
            }
        }
    }
}
