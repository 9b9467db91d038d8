//! A list of fields and its keys: yes or no is ticked, a choice is cycled, a number is typed or
//! stepped, a text is typed, a unit is chosen elsewhere. The form of a chart and the forms for
//! units, options and remarks are all such lists.

use adjutant_dice::{Accepts, ChoiceWord, Number};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What an entry takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Units in a role; several or one.
    Role { many: bool },
    /// Yes or no.
    YesNo,
    /// One of some words.
    Choice(Vec<ChoiceWord>),
    /// A number.
    Number(Accepts),
    /// A text.
    Text,
}

/// One thing to fill in.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub key: String,
    pub label: String,
    /// A remark, shown while the entry is chosen.
    pub note: String,
    pub kind: Kind,
    /// What is said; empty if nothing is.
    pub value: String,
    /// What it is when nothing is said.
    pub default: String,
    /// What is shown under it: what a unit knows.
    pub under: String,
    /// Whether it cannot be changed here.
    pub settled: bool,
    /// Whether nothing can be rolled or kept without it.
    pub missing: bool,
}

impl Entry {
    pub fn new(key: &str, label: &str, kind: Kind, value: &str) -> Entry {
        let (key, label, value) = (key.to_owned(), label.to_owned(), value.to_owned());
        let (note, default, under) = (String::new(), String::new(), String::new());
        Entry { key, label, note, kind, value, default, under, settled: false, missing: false }
    }

    /// What it comes to.
    pub fn effective(&self) -> &str {
        if self.value.is_empty() { &self.default } else { &self.value }
    }

    pub fn is_yes(&self) -> bool {
        self.effective() == "yes"
    }

    /// Why what is said is not accepted.
    pub fn fault(&self) -> Option<String> {
        match &self.kind {
            Kind::Number(accepts) if !self.value.is_empty() => {
                accepts.read(&self.value).err().map(|why| adjutant_wording::en::answer_error(&why))
            }
            _ => None,
        }
    }

    /// The word of a choice that holds.
    pub fn word(&self) -> Option<&ChoiceWord> {
        match &self.kind {
            Kind::Choice(words) => words.iter().find(|word| word.id == self.effective()),
            _ => None,
        }
    }

    fn turn(&mut self, by: i64) {
        match &self.kind {
            Kind::YesNo => self.value = if self.is_yes() { "no" } else { "yes" }.into(),
            Kind::Choice(words) if !words.is_empty() => {
                let count = words.len() as i64;
                let now = words
                    .iter()
                    .position(|word| word.id == self.effective())
                    .map(|place| place as i64);
                let next = now
                    .map_or(if by > 0 { 0 } else { count - 1 }, |now| (now + by).rem_euclid(count));
                self.value =
                    words.get(next as usize).map(|word| word.id.to_string()).unwrap_or_default();
            }
            Kind::Number(Accepts::Number { from, to, step }) => {
                let now = self.effective().parse::<Number>().ok();
                let step = if by > 0 { Some(*step) } else { Number::ZERO.minus(*step).ok() };
                let next = match (now, step) {
                    (Some(now), Some(step)) => now.plus(step).ok(),
                    _ => Some((*from).max(Number::ZERO).min(*to)),
                };
                self.value =
                    next.map(|next| next.max(*from).min(*to).to_string()).unwrap_or_default();
            }
            _ => {}
        }
    }

    /// Takes a letter; whether it was of use.
    fn letter(&mut self, c: char) -> bool {
        match &self.kind {
            Kind::Text if !c.is_control() && self.value.chars().count() < 400 => self.value.push(c),
            Kind::Number(_) if c.is_ascii_digit() || matches!(c, '-' | '/' | '.') => {
                if self.value.len() < 12 {
                    self.value.push(c);
                }
            }
            Kind::YesNo if matches!(c, ' ' | 'y' | 'n') => match c {
                ' ' => self.turn(1),
                c => self.value = if c == 'y' { "yes" } else { "no" }.into(),
            },
            Kind::Choice(_) if c == ' ' => self.turn(1),
            Kind::Choice(words) => {
                let place = c.to_digit(10).and_then(|n| (n as usize).checked_sub(1));
                match place.and_then(|place| words.get(place)) {
                    Some(word) => self.value = word.id.to_string(),
                    None => return false,
                }
            }
            _ => return false,
        }
        true
    }
}

/// What a key did to a list of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Did {
    /// It is not a key of the list.
    Nothing,
    /// Another entry is chosen.
    Moved,
    /// The chosen entry has another value.
    Changed,
    /// Units are to be chosen for the entry.
    Choose,
}

/// The list, and which entry is chosen.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    pub list: Vec<Entry>,
    pub at: usize,
}

impl Entries {
    pub fn new(list: Vec<Entry>) -> Entries {
        let at = list.iter().position(|entry| !entry.settled).unwrap_or(0);
        Entries { list, at }
    }

    /// Another list in its place, with the same entry chosen if it is still there.
    pub fn replace(&mut self, list: Vec<Entry>) {
        let key = self.chosen().map(|entry| entry.key.clone());
        let same = key.and_then(|key| list.iter().position(|entry| entry.key == key));
        self.at = same.unwrap_or(self.at).min(list.len().saturating_sub(1));
        self.list = list;
    }

    pub fn chosen(&self) -> Option<&Entry> {
        self.list.get(self.at)
    }

    pub fn value(&self, key: &str) -> &str {
        self.list.iter().find(|entry| entry.key == key).map_or("", |entry| entry.effective())
    }

    /// Goes to the first entry that is missing, else to the next that can be changed.
    pub fn go_on(&mut self) {
        let missing = self.list.iter().position(|entry| {
            entry.missing || matches!(entry.kind, Kind::Role { .. }) && entry.value.is_empty()
        });
        let after = (self.at + 1..self.list.len()).find(|place| !self.list[*place].settled);
        self.at = missing.or(after).unwrap_or(self.at);
    }

    fn step(&mut self, by: isize) {
        let mut at = self.at;
        while let Some(next) = at.checked_add_signed(by).filter(|next| *next < self.list.len()) {
            at = next;
            if !self.list[at].settled {
                self.at = at;
                return;
            }
        }
    }

    /// Takes a key.
    pub fn key(&mut self, key: KeyEvent) -> Did {
        match key.code {
            KeyCode::Up | KeyCode::BackTab => self.step(-1),
            KeyCode::Down | KeyCode::Tab => self.step(1),
            KeyCode::PageUp => (0..8).for_each(|_| self.step(-1)),
            KeyCode::PageDown => (0..8).for_each(|_| self.step(1)),
            _ => return self.change(key),
        }
        Did::Moved
    }

    fn change(&mut self, key: KeyEvent) -> Did {
        let Some(entry) = self.list.get_mut(self.at).filter(|entry| !entry.settled) else {
            return Did::Nothing;
        };
        let role = matches!(entry.kind, Kind::Role { .. });
        match key.code {
            KeyCode::Right | KeyCode::Char(' ') if role => return Did::Choose,
            KeyCode::Right => entry.turn(1),
            KeyCode::Left => entry.turn(-1),
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                entry.value.clear()
            }
            KeyCode::Backspace if matches!(entry.kind, Kind::Text | Kind::Number(_)) => {
                entry.value.pop();
            }
            KeyCode::Backspace | KeyCode::Delete => entry.value.clear(),
            KeyCode::Char(c)
                if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
                    && entry.letter(c) => {}
            _ => return Did::Nothing,
        }
        Did::Changed
    }

    /// Takes pasted text, where a text is typed.
    pub fn paste(&mut self, text: &str) {
        if let Some(entry) = self
            .list
            .get_mut(self.at)
            .filter(|entry| matches!(entry.kind, Kind::Text | Kind::Number(_)))
        {
            text.chars().filter(|c| !c.is_control()).for_each(|c| {
                let _ = entry.letter(c);
            });
        }
    }
}
