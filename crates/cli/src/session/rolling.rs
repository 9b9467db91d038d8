//! The roll itself: a pad for each face, a card by its number, an answer to a question. The
//! attempt of the form keeps what has come, also when another player was faster and the line must be
//! made again.

use super::form::Form;
use super::state::{Screen, State};
use adjutant_dice::{Accepts, Entry, Missing, MixedInput, Wanted};
use adjutant_game::{Attempt, Progress};
use adjutant_wording::en;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

/// Something asked in mid-course.
#[derive(Clone, Debug)]
pub struct Ask {
    pub need: Missing,
    pub faces: Vec<u32>,
    pub typed: String,
    pub at: usize,
}

/// What came of a key.
pub enum Replied {
    Not,
    Back,
    Reply(Entry),
    Fault(String),
}

impl Ask {
    pub fn new(need: Missing) -> Ask {
        Ask { need, faces: Vec::new(), typed: String::new(), at: 0 }
    }

    pub fn key(&mut self, key: KeyEvent) -> Replied {
        match (&self.need.wanted, key.code) {
            (_, KeyCode::Esc) => Replied::Back,
            (Wanted::Dice { .. } | Wanted::Card { .. }, KeyCode::Char('t')) => {
                Replied::Reply(Entry::Program)
            }
            (Wanted::Dice { count, sides, .. }, _) => self.dice(*count as usize, *sides, key.code),
            (Wanted::Card { .. }, _) => self.card(key.code),
            (Wanted::Answer { accepts } | Wanted::Input { accepts }, _) => {
                let accepts = accepts.clone();
                self.answer(&accepts, key.code)
            }
        }
    }

    fn dice(&mut self, count: usize, sides: u32, code: KeyCode) -> Replied {
        match code {
            KeyCode::Char(c) if c.is_ascii_digit() && self.faces.len() < count => {
                let digit = c.to_digit(10).unwrap_or(0);
                match sides {
                    0..=9 => return self.face(digit, sides),
                    10 => return self.face(if digit == 0 { 10 } else { digit }, sides),
                    _ if self.typed.len() < 6 => self.typed.push(c),
                    _ => {}
                }
            }
            KeyCode::Backspace if self.typed.is_empty() => drop(self.faces.pop()),
            KeyCode::Backspace => drop(self.typed.pop()),
            KeyCode::Enter | KeyCode::Char(' ') if !self.typed.is_empty() => {
                let face = std::mem::take(&mut self.typed).parse().unwrap_or(0);
                return self.face(face, sides);
            }
            KeyCode::Enter if self.faces.len() == count => {
                return Replied::Reply(Entry::Dice(self.faces.clone()));
            }
            KeyCode::Enter => {
                return Replied::Fault(format!(
                    "{} of {count} dice entered; t lets the program roll",
                    self.faces.len()
                ));
            }
            _ => {}
        }
        Replied::Not
    }

    fn face(&mut self, face: u32, sides: u32) -> Replied {
        if !(1..=sides).contains(&face) {
            return Replied::Fault(format!(
                "{face} is not a face of a d{sides}, which has 1 to {sides}"
            ));
        }
        self.faces.push(face);
        Replied::Not
    }

    fn card(&mut self, code: KeyCode) -> Replied {
        match code {
            KeyCode::Char(c) if c.is_ascii_digit() && self.typed.len() < 6 => self.typed.push(c),
            KeyCode::Backspace => drop(self.typed.pop()),
            KeyCode::Enter => {
                return match self.typed.parse() {
                    Ok(card) => Replied::Reply(Entry::Card(card)),
                    Err(_) => Replied::Fault(
                        "type the number of your card; t lets the program draw".into(),
                    ),
                };
            }
            _ => {}
        }
        Replied::Not
    }

    fn answer(&mut self, accepts: &Accepts, code: KeyCode) -> Replied {
        let key = self.need.key.clone();
        let choices = match accepts {
            Accepts::YesNo => vec!["yes".to_owned(), "no".to_owned()],
            Accepts::Choice { words } => words.iter().map(|word| word.id.to_string()).collect(),
            Accepts::Number { .. } => Vec::new(),
        };
        let chosen = |place: usize| {
            choices.get(place).cloned().map_or(Replied::Not, |text| {
                Replied::Reply(Entry::Answer { key: key.clone(), text })
            })
        };
        match code {
            KeyCode::Char('y') if *accepts == Accepts::YesNo => return chosen(0),
            KeyCode::Char('n') if *accepts == Accepts::YesNo => return chosen(1),
            KeyCode::Up | KeyCode::Left => self.at = self.at.saturating_sub(1),
            KeyCode::Down | KeyCode::Right => {
                self.at = (self.at + 1).min(choices.len().saturating_sub(1))
            }
            KeyCode::Enter if !choices.is_empty() => return chosen(self.at),
            KeyCode::Enter => {
                return match accepts.read(&self.typed) {
                    Ok(_) => Replied::Reply(Entry::Answer { key, text: self.typed.clone() }),
                    Err(why) => Replied::Fault(adjutant_wording::en::answer_error(&why)),
                };
            }
            KeyCode::Backspace => drop(self.typed.pop()),
            KeyCode::Char(c) if choices.is_empty() && self.typed.len() < 12 && !c.is_control() => {
                self.typed.push(c)
            }
            KeyCode::Char(c) => {
                let place = c.to_digit(10).and_then(|n| (n as usize).checked_sub(1));
                self.at = place.filter(|place| *place < choices.len()).unwrap_or(self.at);
            }
            _ => {}
        }
        Replied::Not
    }
}

/// Rolls the form that is open, with the reply to what was asked.
pub fn roll(state: &mut State, reply: Option<Entry>) {
    if state.table().rolls_sealed() {
        return super::sealed::roll(state, reply);
    }
    let stamp = state.stamp();
    let Some(mut attempt) = state.form().map(|form| form.attempt.clone()) else { return };
    let mut source = MixedInput::new(&mut state.luck).with_own(attempt.own()).with_entry(reply);
    let progress = attempt.roll(&state.kept.table, &stamp, &mut source);
    if matches!(state.screens.last(), Some(Screen::Ask(_)))
        && !matches!(progress, Progress::Refused(_))
    {
        state.screens.pop();
    }
    went_on(state, attempt);
    match progress {
        Progress::Done { line, .. } => {
            if state.keep(Ok(*line)) {
                state.close_form();
                state.screens.clear();
                state.screens.push(Screen::Result(0));
                state.due = 0;
            }
        }
        Progress::Asks(needs) => wanted(state, needs),
        Progress::Unusable(why) => state.complain(en::source_error(&why)),
        Progress::Refused(refusal) => state.complain(en::refusal(&refusal).join("; ")),
    }
}

/// The attempt of the form after a try.
pub fn went_on(state: &mut State, attempt: Attempt) {
    if let Some((form, table)) = state.form_mut() {
        form.attempt = attempt;
        form.fill(table);
    }
}

/// Records what was rolled for a roll that the player leaves.
pub fn break_off(state: &mut State) {
    let line = state
        .form()
        .and_then(|form| form.attempt.line_of_leaving(state.table(), &state.stamp()).transpose());
    if let Some(line) = line {
        state.keep(line);
    }
}

/// Asks for what is missing.
pub fn wanted(state: &mut State, needs: Vec<Missing>) {
    let Some(need) = needs.into_iter().next() else { return };
    if let Wanted::Input { accepts } = &need.wanted {
        if let Some((form, _)) = state.form_mut()
            && let Some(place) = form.entries.list.iter().position(|entry| entry.key == need.key)
        {
            form.entries.at = place;
        }
        let text =
            format!("Enter first: {} ({})", en::what_for(&need), en::accepted_labels(accepts));
        return state.hint(text);
    }
    state.notice = None;
    state.screens.push(Screen::Ask(Box::new(Ask::new(need))));
}

/// Opens the form of a chart.
pub fn open_form(state: &mut State, attempt: Attempt) {
    state.screens.clear();
    let form = Form::new(state.table(), &state.me, attempt);
    state.screens.push(Screen::Form(Box::new(form)));
    state.refresh_form();
}
