//! The colours. There are few, and each has a meaning. Whatever a colour says, a shape, a number or
//! a word says too, so that black and white works as well.

/// A colour by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Text and lines.
    Black,
    /// Hairlines and less important text.
    Grey,
    /// The red suits, and what interrupts.
    Red,
    /// The background of a card.
    Paper,
    /// A tint behind heads.
    Tint,
    /// What is being read.
    Highlight,
    /// A phase of the turn, by its index.
    Phase(u8),
    /// How bad a result is: 1 slight, 2 serious, 3 out or close to it.
    Harm(u8),
    /// A side of a game, by its index.
    Side(u8),
    /// A shade of grey: 0 is black, 255 white. In a PDF it needs black ink only.
    Shade(u8),
}

/// Dark enough for white letters.
const PHASES: [[u8; 3]; 6] = [
    [0x23, 0x4b, 0x75],
    [0x7a, 0x3b, 0x1e],
    [0x33, 0x5a, 0x2c],
    [0x6a, 0x2c, 0x58],
    [0x1f, 0x5c, 0x60],
    [0x5b, 0x4a, 0x12],
];
/// The worse, the darker: the order stays in grey.
const HARMS: [[u8; 3]; 3] = [[0xe3, 0xb5, 0x3c], [0xd0, 0x6a, 0x1b], [0x9c, 0x24, 0x15]];
const SIDES: [[u8; 3]; 4] =
    [[0x1f, 0x4e, 0x79], [0x9a, 0x3b, 0x12], [0x2f, 0x64, 0x2c], [0x62, 0x3b, 0x78]];

impl Ink {
    /// Red, green and blue.
    pub fn colour(self) -> [u8; 3] {
        let of = |list: &[[u8; 3]], place: u8| list[usize::from(place) % list.len()];
        match self {
            Ink::Black => [0x1d, 0x1f, 0x1a],
            Ink::Grey => [0x6d, 0x67, 0x5a],
            Ink::Red => [0x9c, 0x24, 0x15],
            Ink::Paper => [0xff, 0xfd, 0xf7],
            Ink::Tint => [0xee, 0xe9, 0xdc],
            Ink::Highlight => [0xff, 0xd7, 0x5e],
            Ink::Phase(place) => of(&PHASES, place),
            Ink::Harm(level) => HARMS[usize::from(level.clamp(1, 3)) - 1],
            Ink::Side(place) => of(&SIDES, place),
            Ink::Shade(shade) => [shade; 3],
        }
    }

    /// The same in grey. Text is pure black.
    pub fn in_grey(self) -> Ink {
        match self {
            Ink::Black => Ink::Shade(0),
            Ink::Paper => Ink::Shade(255),
            Ink::Shade(shade) => Ink::Shade(shade),
            ink => {
                let [red, green, blue] = ink.colour().map(f64::from);
                Ink::Shade((0.299 * red + 0.587 * green + 0.114 * blue).round() as u8)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shade(ink: Ink) -> u8 {
        match ink.in_grey() {
            Ink::Shade(shade) => shade,
            other => panic!("{other:?} is not grey"),
        }
    }

    #[test]
    fn worse_is_darker_in_grey() {
        assert!(shade(Ink::Harm(1)) > shade(Ink::Harm(2)) + 30);
        assert!(shade(Ink::Harm(2)) > shade(Ink::Harm(3)) + 30);
    }

    #[test]
    fn white_letters_can_be_read_on_every_phase_and_side() {
        for place in 0..8 {
            for ink in [Ink::Phase(place), Ink::Side(place)] {
                // Relative luminance, as WCAG defines it; 7 : 1 and more is its highest level.
                let part = |value: u8| {
                    let value = f64::from(value) / 255.0;
                    if value <= 0.040_45 {
                        value / 12.92
                    } else {
                        ((value + 0.055) / 1.055).powf(2.4)
                    }
                };
                let [red, green, blue] = ink.colour().map(part);
                let light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
                assert!(1.05 / (light + 0.05) > 6.5, "{ink:?}: {}", 1.05 / (light + 0.05));
            }
        }
    }
}
