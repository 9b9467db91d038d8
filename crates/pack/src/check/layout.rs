//! Checks that the places of a card lie on it, name existing parts, and do not overlap.

use crate::ids::{FieldId, IdVec};
use crate::layout::{
    Align, CARD, CARD_SIDES, LETTER_SIZES, Layout, MOST_PLACES, Placed, Shown, Thing, Tone,
};
use crate::pack::DeckField;
use crate::problem::{Counted, LayoutProblem, Problem};
use crate::raw::{RawDeck, RawPlace};
use crate::tree::{Diagnostics, Located};
use crate::unknown_name::Noun;
use adjutant_dice::Number;

/// The parts that every card has.
const THINGS: [(&str, Thing); 6] = [
    ("corner", Thing::Corner),
    ("title", Thing::Title),
    ("number", Thing::Number),
    ("deck", Thing::Deck),
    ("tables", Thing::Tables),
    ("interrupts", Thing::Interrupts),
];

fn mm(n: Number) -> f64 {
    n.numerator() as f64 / n.denominator() as f64
}

pub(super) fn build(
    raw: &RawDeck,
    fields: &IdVec<FieldId, DeckField>,
    faults: &Diagnostics,
) -> Layout {
    let mut layout = Layout::default();
    if let Some(Located { it: (width, height), at }) = &raw.card {
        layout.card = (mm(*width), mm(*height));
        if [layout.card.0, layout.card.1]
            .iter()
            .any(|side| !(CARD_SIDES.0..=CARD_SIDES.1).contains(side))
        {
            faults.add(at, LayoutProblem::CardSize { width: *width, height: *height });
            layout.card = CARD;
        }
    }
    if let Some(place) = raw.places.get(MOST_PLACES) {
        faults.add(
            &place.at,
            Problem::TooMany {
                what: Counted::CardPlaces,
                most: MOST_PLACES,
                found: raw.places.len(),
            },
        );
        return layout;
    }
    for raw_place in &raw.places {
        let Some(place) = one(raw_place, fields, layout.card, faults) else { continue };
        let texts = |place: &Placed| !matches!(place.what, Shown::Line | Shown::Box);
        if let Some(other) = layout
            .places
            .iter()
            .position(|other| texts(other) && texts(&place) && other.covers(&place))
        {
            faults.add(&raw_place.at, LayoutProblem::Overlap { other: other + 1 });
        }
        layout.places.push(place);
    }
    layout
}

fn one(
    raw: &RawPlace,
    fields: &IdVec<FieldId, DeckField>,
    card: (f64, f64),
    faults: &Diagnostics,
) -> Option<Placed> {
    let what = what(raw, fields, faults);
    let both = |found: &Option<Located<(Number, Number)>>| {
        found.as_ref().map(|found| (mm(found.it.0), mm(found.it.1)))
    };
    let (what, at, size) = (what?, both(&raw.corner)?, both(&raw.size)?);
    let thin = matches!(what, Shown::Line);
    if size.0 < 0.0
        || size.1 < 0.0
        || (!thin && (size.0 < 1.0 || size.1 < 1.0))
        || (thin && size.0.max(size.1) < 1.0)
    {
        let at = raw.size.as_ref().map_or(&raw.at, |size| &size.at);
        faults.add(at, LayoutProblem::TooSmall { width: size.0, height: size.1 });
        return None;
    }
    if at.0 < 0.0 || at.1 < 0.0 || at.0 + size.0 > card.0 + 0.01 || at.1 + size.1 > card.1 + 0.01 {
        let to = (rounded(at.0 + size.0), rounded(at.1 + size.1));
        faults.add(&raw.at, LayoutProblem::OffCard { from: at, to, card });
        return None;
    }
    let letters = raw.letters.as_ref().map(|found| (mm(found.it), &found.at));
    if let Some((height, at)) =
        letters.filter(|(height, _)| !(LETTER_SIZES.0..=LETTER_SIZES.1).contains(height))
    {
        faults.add(at, LayoutProblem::LetterSize { height });
    }
    let align = word(
        raw.align.as_ref(),
        Noun::Align,
        &[("left", Align::Left), ("middle", Align::Middle), ("right", Align::Right)],
        faults,
    );
    let tone = word(
        raw.ink.as_ref(),
        Noun::Ink,
        &[("black", Tone::Black), ("grey", Tone::Grey), ("red", Tone::Red)],
        faults,
    );
    let (bold, serif, bare, unusual) = (raw.bold, raw.serif, raw.bare, raw.unusual);
    Some(Placed {
        what,
        at,
        size,
        letters: letters.map(|(height, _)| height),
        align,
        bold,
        serif,
        bare,
        unusual,
        tone,
    })
}

fn rounded(n: f64) -> f64 {
    (n * 100.0).round() / 100.0
}

/// Looks up a word; the default if there is none or it is unknown.
fn word<T: Copy + Default>(
    found: Option<&Located<String>>,
    noun: Noun,
    known: &[(&str, T)],
    faults: &Diagnostics,
) -> T {
    let Some(found) = found else { return T::default() };
    match known.iter().find(|(name, _)| *name == found.it) {
        Some((_, it)) => *it,
        None => {
            faults.unknown(&found.at, noun, &found.it, known.iter().map(|(name, _)| *name));
            T::default()
        }
    }
}

fn what(raw: &RawPlace, fields: &IdVec<FieldId, DeckField>, faults: &Diagnostics) -> Option<Shown> {
    let given = [!raw.show.is_empty(), raw.text.is_some(), raw.draw.is_some()];
    if given.iter().filter(|given| **given).count() != 1 {
        let several = given.contains(&true);
        faults.add(
            &raw.at,
            if several { LayoutProblem::HoldsSeveral } else { LayoutProblem::HoldsNothing },
        );
        return None;
    }
    if let Some(text) = &raw.text {
        return Some(Shown::Text(text.it.clone()));
    }
    if let Some(draw) = &raw.draw {
        return match draw.it.as_str() {
            "line" => Some(Shown::Line),
            "box" => Some(Shown::Box),
            other => {
                faults.unknown(&draw.at, Noun::Drawing, other, ["line", "box"]);
                None
            }
        };
    }
    let things: Vec<Thing> =
        raw.show.iter().filter_map(|name| thing(name, fields, faults)).collect();
    (things.len() == raw.show.len()).then_some(Shown::Things(things))
}

fn thing(
    name: &Located<String>,
    fields: &IdVec<FieldId, DeckField>,
    faults: &Diagnostics,
) -> Option<Thing> {
    let known = THINGS.iter().find(|(known, _)| *known == name.it).map(|(_, thing)| *thing);
    let field = || {
        fields
            .position(|field| name.it.strip_prefix("field.") == Some(field.id.as_str()))
            .map(Thing::Field)
    };
    let found = known.or_else(field);
    if found.is_none() {
        let own: Vec<String> = fields.iter().map(|field| format!("field.{}", field.id)).collect();
        let all = THINGS.iter().map(|(name, _)| *name).chain(own.iter().map(String::as_str));
        faults.unknown(&name.at, Noun::CardPart, &name.it, all);
    }
    found
}
