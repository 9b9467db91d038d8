//! The roll itself. A seam that rolls for the player, or stops and asks him: a pad for each face,
//! a card by its number, an answer in mid-course. What has come is kept with the form, so that no
//! die is rolled twice – also when another player was faster and the line must be made again.

use super::form::Form;
use super::state::{Screen, State};
use adjutant_dice::{
    Accepts, Answer, CardRequest, DiceRequest, EnteredInput, InputSource, Missing, Question,
    RandomInput, SourceError, ThrownBy, Wanted,
};
use adjutant_game::{EventKind, PlayError, PlayRequest};
use adjutant_wording::en;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

/// What the player replies to something asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    Dice(Vec<u32>),
    Card(u32),
    Answer(String),
    /// The program rolls this one.
    Ours,
}

/// Rolls, or stops for the player; his last reply is used first.
struct SessionInput<'a> {
    luck: &'a mut RandomInput,
    own: bool,
    reply: Option<Reply>,
    last: ThrownBy,
}

impl SessionInput<'_> {
    /// Whether the program rolls now.
    fn ours(&mut self) -> bool {
        let once = self.reply == Some(Reply::Ours);
        if once {
            self.reply = None;
        }
        self.last = ThrownBy::Program;
        once || !self.own
    }
}

impl InputSource for SessionInput<'_> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        if let Some(Reply::Dice(faces)) = &self.reply {
            let faces = EnteredInput::new().with_dice(faces.iter().copied()).dice(ask)?;
            (self.reply, self.last) = (None, ThrownBy::Player);
            return Ok(faces);
        }
        if self.ours() { self.luck.dice(ask) } else { Err(ask.missing()) }
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        if let Some(Reply::Card(card)) = self.reply {
            let card = EnteredInput::new().with_cards([card]).card(ask)?;
            (self.reply, self.last) = (None, ThrownBy::Player);
            return Ok(card);
        }
        if self.ours() { self.luck.card(ask) } else { Err(ask.missing()) }
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        match self.reply.take() {
            Some(Reply::Answer(text)) => ask.read(&text),
            other => {
                self.reply = other;
                Err(ask.missing())
            }
        }
    }

    fn thrown_by(&self) -> ThrownBy {
        self.last
    }
}

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
    Reply(Reply),
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
                Replied::Reply(Reply::Ours)
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
                return Replied::Reply(Reply::Dice(self.faces.clone()));
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
                    Ok(card) => Replied::Reply(Reply::Card(card)),
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
        let choices = match accepts {
            Accepts::YesNo => vec!["yes".to_owned(), "no".to_owned()],
            Accepts::Choice { words } => words.iter().map(|word| word.id.to_string()).collect(),
            Accepts::Number { .. } => Vec::new(),
        };
        let chosen = |place: usize| {
            choices
                .get(place)
                .cloned()
                .map_or(Replied::Not, |text| Replied::Reply(Reply::Answer(text)))
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
                    Ok(_) => Replied::Reply(Reply::Answer(self.typed.clone())),
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

/// Rolls the form that is open, with a reply if one was asked for.
pub fn roll(state: &mut State, reply: Option<Reply>) {
    if state.table().rolls_sealed() {
        return super::sealed::roll(state, reply);
    }
    let stamp = state.stamp();
    let Some((play, inputs, own)) =
        state.form().map(|form| (form.play.clone(), form.inputs.clone(), form.own))
    else {
        return;
    };
    let mut hand = SessionInput { luck: &mut state.luck, own, reply, last: ThrownBy::Program };
    let rolled = state.kept.table.continue_play(&stamp, &play, &inputs, &mut hand);
    if matches!(state.screens.last(), Some(Screen::Ask(_)))
        && !matches!(rolled, Err(PlayError::Rejected(_) | PlayError::RuledOut(_)))
    {
        state.screens.pop();
    }
    match rolled {
        Ok((line, _)) => {
            let EventKind::Play(played) = line.event.what.clone() else { return };
            if state.keep(Ok(line)) {
                state.close_form();
                state.screens.clear();
                state.screens.push(Screen::Result(0));
                state.due = 0;
            } else if let Some((form, table)) = state.form_mut() {
                // What was rolled stays thrown: the next try goes on from it.
                form.inputs = played.inputs;
                form.fill(table);
            }
        }
        Err(PlayError::Needs { needs, inputs }) => wanted(state, needs, inputs),
        Err(PlayError::Unusable { why, inputs }) => {
            if let Some((form, table)) = state.form_mut() {
                form.inputs = inputs;
                form.fill(table);
            }
            state.complain(en::source_error(&why));
        }
        Err(stop) => state.complain(en::play_error(&stop)),
    }
}

/// Records what the program has rolled for a roll that the player leaves.
pub fn break_off(state: &mut State) {
    let left = state.form().map(|form| (form.play.clone(), form.inputs.clone()));
    let Some((play, inputs)) = left.filter(|(_, inputs)| inputs.iter().any(|it| it.is_drawn()))
    else {
        return;
    };
    let line = state.table().unfinished(&state.stamp(), &play, &inputs, true);
    if let Some(line) = line.transpose() {
        state.keep(line);
    }
}

/// Asks for what is missing.
pub fn wanted(state: &mut State, needs: Vec<Missing>, inputs: Vec<adjutant_dice::RecordedInput>) {
    let Some((form, table)) = state.form_mut() else { return };
    form.inputs = inputs;
    form.fill(table);
    let Some(need) = needs.first().cloned() else { return };
    if let Wanted::Input { accepts } = &need.wanted {
        if let Some(place) = form.entries.list.iter().position(|entry| entry.key == need.key) {
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
pub fn open_form(state: &mut State, play: PlayRequest) {
    state.screens.clear();
    let form = Form::new(state.table(), play);
    state.screens.push(Screen::Form(Box::new(form)));
    state.refresh_form();
}
