//! Pictures of dice. A six-sided die has pips, the others their usual shape with a number. The face
//! is also there as text.

use adjutant_wording::en::page as words;
use maud::{Markup, html};

/// The places of the pips, in thirds of the die.
fn pips(face: u32) -> &'static [(u32, u32)] {
    match face {
        1 => &[(1, 1)],
        2 => &[(0, 0), (2, 2)],
        3 => &[(0, 0), (1, 1), (2, 2)],
        4 => &[(0, 0), (2, 0), (0, 2), (2, 2)],
        5 => &[(0, 0), (2, 0), (1, 1), (0, 2), (2, 2)],
        6 => &[(0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)],
        _ => &[],
    }
}

/// The outline of a die, in a square of 48.
fn outline(sides: u32) -> &'static str {
    match sides {
        4 => "M24 4 45 42H3Z",
        8 => "M24 2 44 24 24 46 4 24Z",
        10 => "M24 2 46 21 41 31 24 46 7 31 2 21Z",
        12 => "M24 2 38 7 46 19V31L38 42 24 46 10 42 2 31V19L10 7Z",
        20 => "M24 2 44 13V35L24 46 4 35V13Z",
        _ => "M10 3H38A7 7 0 0 1 45 10V38A7 7 0 0 1 38 45H10A7 7 0 0 1 3 38V10A7 7 0 0 1 10 3Z",
    }
}

/// A die with a face.
pub fn die(face: u32, sides: u32, counts: bool) -> Markup {
    let pips = if sides == 6 { pips(face) } else { &[] };
    let class = if counts { "die" } else { "die die-out" };
    html! {
        svg class=(class) viewBox="0 0 48 48" role="img" aria-label=(words::parts::die(face, sides, counts)) {
            path.die-body d=(outline(sides)) {}
            @if sides == 10 { path.die-edge d="M24 2 9 27 24 34 39 27ZM24 34V46M9 27 2 21M39 27 46 21" {} }
            @if sides == 8 { path.die-edge d="M4 24 24 33 44 24M24 33V46" {} }
            @if sides == 20 { path.die-edge d="M24 2 10 32H38ZM4 13 10 32M44 13 38 32M10 32 24 46 38 32" {} }
            @if pips.is_empty() {
                text.die-face x="24" y=(if sides == 4 { 36 } else if sides == 10 { 28 } else { 31 }) text-anchor="middle" { (face) }
            } @else {
                @for (x, y) in pips { circle.die-pip cx=(13 + x * 11) cy=(13 + y * 11) r="4.2" {} }
            }
        }
    }
}

/// A row of dice; those that do not count are struck out.
pub fn row(faces: &[u32], sides: u32, kept: Option<&[u32]>) -> Markup {
    let mut left = kept.map(<[u32]>::to_vec);
    let mut counts = |face: &u32| match &mut left {
        None => true,
        Some(list) => {
            list.iter().position(|kept| kept == face).map(|place| list.swap_remove(place)).is_some()
        }
    };
    let drawn: Vec<(u32, bool)> = faces.iter().map(|face| (*face, counts(face))).collect();
    html! {
        span.dice { @for (face, counts) in drawn { (die(face, sides, counts)) } }
    }
}
