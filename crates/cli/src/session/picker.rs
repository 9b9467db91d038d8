//! A list to choose from by typing a part of a name: charts, and units for a role.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// One thing that can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub id: String,
    pub text: String,
    /// Shown beside it.
    pub note: String,
    /// Shown at the foot of the list while it is chosen.
    pub about: String,
    /// Whether it is offered now; the others stand below.
    pub offered: bool,
}

/// The list, what was typed, and what is chosen.
#[derive(Clone, Debug, Default)]
pub struct Picker {
    pub items: Vec<Item>,
    pub filter: String,
    pub at: usize,
    /// Whether several may be ticked.
    pub many: bool,
    pub ticked: Vec<String>,
}

/// What came of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Picked {
    /// Nothing yet.
    Not,
    /// These.
    These(Vec<String>),
    /// The player goes back.
    Back,
}

impl Picker {
    pub fn new(items: Vec<Item>) -> Picker {
        Picker { items, ..Picker::default() }
    }

    /// Those that fit what was typed: every word of it somewhere in the name or the note.
    pub fn shown(&self) -> Vec<&Item> {
        let words: Vec<String> =
            self.filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let fits = |item: &&Item| {
            let text = format!("{} {} {}", item.text, item.id, item.note).to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        // Ids are not on the screen: what only they have comes last.
        let is_seen = |item: &Item| {
            let text = format!("{} {}", item.text, item.note).to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        let mut shown: Vec<&Item> = self.items.iter().filter(fits).collect();
        shown.sort_by_key(|item| (!is_seen(item), !item.offered));
        shown
    }

    /// Takes a key.
    pub fn key(&mut self, key: KeyEvent) -> Picked {
        let count = self.shown().len();
        match key.code {
            KeyCode::Esc if self.filter.is_empty() => return Picked::Back,
            KeyCode::Esc => self.filter.clear(),
            KeyCode::Up => self.at = self.at.checked_sub(1).unwrap_or(count.saturating_sub(1)),
            KeyCode::Down => self.at = if self.at + 1 < count { self.at + 1 } else { 0 },
            KeyCode::PageUp => self.at = self.at.saturating_sub(8),
            KeyCode::PageDown => self.at += 8,
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = count,
            KeyCode::Backspace => drop(self.filter.pop()),
            KeyCode::Enter => return self.chosen(),
            KeyCode::Char(' ') if self.many => self.tick(),
            KeyCode::Char('*') if self.many => self.tick_all(),
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                self.filter.clear()
            }
            KeyCode::Char(c)
                if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
                    && self.filter.len() < 60 =>
            {
                self.filter.push(c);
                self.at = 0;
            }
            _ => {}
        }
        self.at = self.at.min(self.shown().len().saturating_sub(1));
        Picked::Not
    }

    fn tick(&mut self) {
        let Some(id) = self.shown().get(self.at).map(|item| item.id.clone()) else { return };
        match self.ticked.iter().position(|known| *known == id) {
            Some(place) => drop(self.ticked.remove(place)),
            None => self.ticked.push(id),
        }
    }

    /// Ticks all that are shown and offered, or none if all are ticked.
    fn tick_all(&mut self) {
        let shown = self.shown();
        let all: Vec<String> =
            shown.iter().filter(|item| item.offered).map(|item| item.id.clone()).collect();
        let new: Vec<String> = all.iter().filter(|id| !self.ticked.contains(id)).cloned().collect();
        match new.is_empty() {
            true => self.ticked.retain(|id| !all.contains(id)),
            false => self.ticked.extend(new),
        }
    }

    fn chosen(&self) -> Picked {
        if self.many && !self.ticked.is_empty() {
            return Picked::These(self.ticked.clone());
        }
        self.shown().get(self.at).map_or(Picked::Not, |item| Picked::These(vec![item.id.clone()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picker() -> Picker {
        let item = |id: &str, text: &str, offered| Item {
            id: id.into(),
            text: text.into(),
            note: String::new(),
            about: String::new(),
            offered,
        };
        Picker::new(vec![
            item("rally", "Recover or rally", false),
            item("fire", "Small-arms fire", true),
            item("move", "Move", true),
        ])
    }

    #[test]
    fn what_is_offered_comes_first_and_typing_narrows() {
        let mut picker = picker();
        let ids =
            |picker: &Picker| picker.shown().iter().map(|item| item.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&picker), ["fire", "move", "rally"]);
        for c in "re".chars() {
            picker.key(KeyCode::Char(c).into());
        }
        assert_eq!(ids(&picker), ["fire", "rally"]);
        picker.key(KeyCode::Down.into());
        assert_eq!(picker.key(KeyCode::Enter.into()), Picked::These(vec!["rally".into()]));
        assert_eq!(
            picker.key(KeyCode::Esc.into()),
            Picked::Not,
            "the first Esc clears what was typed"
        );
        assert_eq!(picker.key(KeyCode::Esc.into()), Picked::Back);
    }

    #[test]
    fn a_name_is_found_before_an_id_and_all_are_ticked_at_once() {
        let item = |id: &str, text: &str| Item {
            id: id.into(),
            text: text.into(),
            note: String::new(),
            about: String::new(),
            offered: true,
        };
        let mut picker = Picker::new(vec![item("u4", "Shambler 1"), item("u7", "Shambler 4")]);
        picker.many = true;
        picker.key(KeyCode::Char('4').into());
        assert_eq!(picker.shown()[0].text, "Shambler 4");
        // Also where only the other one is offered: its id is not on the screen.
        picker.items[1].offered = false;
        assert_eq!(picker.shown()[0].text, "Shambler 4");
        picker.items[1].offered = true;
        picker.key(KeyCode::Backspace.into());
        picker.key(KeyCode::Char('*').into());
        let all = Picked::These(vec!["u4".into(), "u7".into()]);
        assert_eq!(picker.key(KeyCode::Enter.into()), all);
        picker.key(KeyCode::Char('*').into());
        assert!(picker.ticked.is_empty());
    }

    #[test]
    fn nothing_that_fits_is_nothing_chosen() {
        let mut picker = picker();
        "zzz".chars().for_each(|c| drop(picker.key(KeyCode::Char(c).into())));
        assert_eq!(picker.key(KeyCode::Enter.into()), Picked::Not);
        picker.key(KeyCode::Up.into());
        picker.key(KeyCode::Down.into());
    }
}
