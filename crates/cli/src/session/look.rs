//! How the session looks: one accent, a colour for statuses, and weight for the rest. Nothing is
//! said by colour alone – focus has a heavy rule, the chosen row a mark, a status its brackets – so
//! a terminal without colour loses nothing. Widths are those of the terminal, also for wide
//! letters.

use ratatui::style::{Color, Modifier, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The styles in use.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether colours may be used.
    pub colours: bool,
}

impl Look {
    /// As the player wants it: NO_COLOR and `--color never` are honoured.
    pub fn wanted() -> Look {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let never = matches!(anstream::ColorChoice::global(), anstream::ColorChoice::Never);
        Look { colours: !refused && !never }
    }

    fn coloured(self, colour: Color) -> Style {
        if self.colours { Style::new().fg(colour) } else { Style::new() }
    }

    /// What has the focus, and what a key stands for.
    pub fn accent(self) -> Style {
        self.coloured(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    /// Bars and marks in the accent, without weight.
    pub fn bar(self) -> Style {
        self.coloured(Color::Cyan)
    }

    /// Headings and results.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What is there to be found, not to be read first.
    pub fn dim(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// Statuses, and what is missing.
    pub fn status(self) -> Style {
        self.coloured(Color::Yellow)
    }

    /// What cannot be.
    pub fn bad(self) -> Style {
        self.coloured(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// What has come about.
    pub fn good(self) -> Style {
        self.coloured(Color::Green).add_modifier(Modifier::BOLD)
    }

    /// What was undone.
    pub fn undone(self) -> Style {
        self.dim().add_modifier(Modifier::CROSSED_OUT)
    }
}

/// A text cut to a width, with an ellipsis where something is left out.
pub fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        let wide = c.width().unwrap_or(0);
        if used + wide + 1 > width {
            break;
        }
        used += wide;
        out.push(c);
    }
    if width > 0 {
        out.push('…');
    }
    out
}

/// A text cut or filled to exactly a width.
pub fn pad(text: &str, width: usize) -> String {
    let mut out = fit(text, width);
    out.push_str(&" ".repeat(width.saturating_sub(out.width())));
    out
}

/// A text broken at spaces, and within words that are too long.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    crate::paint::broken(text, width.max(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fit_their_width_also_when_letters_are_wide() {
        assert_eq!(fit("Panzer IV", 9), "Panzer IV");
        assert_eq!(fit("Panzer IV", 6), "Panze…");
        assert_eq!(fit("戦車戦車", 5), "戦車…");
        assert_eq!(pad("戦車", 6), "戦車  ");
        assert!((0..12).all(|width| fit("é戦á車x", width).width() <= width));
    }

    #[test]
    fn long_words_are_broken() {
        assert_eq!(wrap("one two abcdefghij", 6), ["one", "two", "abcdef", "ghij"]);
        assert_eq!(wrap("", 10), [""]);
    }
}
