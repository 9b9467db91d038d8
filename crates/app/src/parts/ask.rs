//! What a roll asks of the player on the way: the faces of real dice, the number of a real card, an
//! answer. Faces are tapped one by one; the roll continues when all are there.

use super::form::Form;
use super::{VALUE, Wrap, act, dice, form_fields};
use crate::message::Command;
use adjutant_dice::{
    Accepts, Entry, Missing, MixedInput, OwnLuck, RandomInput, Text, Wanted, WayBack,
};
use adjutant_engine::Resolution;
use adjutant_wording::en::page::parts as words;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the player does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// A face of a die.
    Face(u32),
    /// How often each face came, by face: for many dice.
    Counts(BTreeMap<String, String>),
    /// Takes back what was entered last.
    Back,
    /// A card's number, as typed.
    Card(String),
    /// An answer.
    Text(String),
}

/// The source of a roll on the page: the player's entry, or random numbers unless the luck is the
/// player's own.
pub fn source(random: [u8; 32], own: OwnLuck, entry: Option<Entry>) -> MixedInput {
    MixedInput::new(RandomInput::from_bytes(random)).with_own(own).with_entry(entry)
}

/// A question, and what was entered so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// What is missing.
    pub need: Missing,
    /// The faces so far.
    pub faces: Vec<u32>,
    /// What is wrong with the last entry.
    pub wrong: Option<String>,
    /// Why it is asked again: a card that is not read, a roll that does not count.
    pub again: Option<String>,
}

impl Ask {
    /// A question. One for a unit among several begins with the name of the unit.
    pub fn new(mut need: Missing, form: &Form) -> Ask {
        if let Some(member) = need.member.take() {
            let name = form.member_name(&member).unwrap_or_else(|| member.to_string());
            need.what_for = words::for_unit(&name, &need.what_for);
        }
        Ask { need, faces: Vec::new(), wrong: None, again: None }
    }

    /// With the reason why it is asked again, from the roll so far.
    #[must_use]
    pub fn after(mut self, so_far: Option<&Resolution>) -> Ask {
        let cards = matches!(self.need.wanted, Wanted::Card { .. });
        if cards || matches!(self.need.wanted, Wanted::Dice { .. }) {
            let roll = so_far.and_then(|resolution| {
                resolution.rolls().rfind(|roll| roll.name == self.need.key.as_str())
            });
            let last = roll.filter(|roll| roll.total.is_none()).and_then(|roll| roll.again.last());
            self.again = last.map(|again| words::again(&again.because, again.reshuffled, cards));
        }
        self
    }

    /// With faces that were taken back together: only the last must be tapped again.
    pub fn put_back(&mut self, faces: &[u32]) {
        if let (Wanted::Dice { count, .. }, Some((_, rest))) =
            (&self.need.wanted, faces.split_last())
            && faces.len() == *count as usize
        {
            self.faces = rest.to_vec();
        }
    }

    /// Handles a message. Returns the entry when it is complete.
    pub fn update(&mut self, message: Message) -> Option<Entry> {
        self.wrong = None;
        // A die with too many faces for the pad has its face typed.
        let message = match (&self.need.wanted, message) {
            (Wanted::Dice { .. }, Message::Text(text)) => {
                Message::Face(text.trim().parse().unwrap_or(0))
            }
            (_, message) => message,
        };
        match (&self.need.wanted, message) {
            (Wanted::Dice { count, sides, .. }, Message::Face(face)) => {
                if (1..=*sides).contains(&face) && self.faces.len() < *count as usize {
                    self.faces.push(face);
                }
                (self.faces.len() == *count as usize)
                    .then(|| Entry::Dice(std::mem::take(&mut self.faces)))
            }
            (Wanted::Dice { count, sides, .. }, Message::Counts(fields)) => {
                let faces = counted(&fields, *sides);
                if faces.len() == *count as usize {
                    return Some(Entry::Dice(faces));
                }
                self.wrong = Some(words::count_wrong(faces.len(), *count));
                None
            }
            (Wanted::Dice { .. }, Message::Back) => {
                self.faces.pop();
                None
            }
            (Wanted::Card { .. }, Message::Card(text)) => match text.trim().parse() {
                Ok(card) => Some(Entry::Card(card)),
                Err(_) => {
                    self.wrong = Some(words::NOT_A_CARD.to_owned());
                    None
                }
            },
            (Wanted::Answer { accepts } | Wanted::Input { accepts }, Message::Text(text)) => {
                match accepts.read(&text) {
                    Ok(_) => Some(Entry::Answer { key: self.need.key.clone(), text }),
                    Err(why) => {
                        self.wrong = Some(adjutant_wording::en::answer_error(&why));
                        None
                    }
                }
            }
            _ => None,
        }
    }

    /// The rejection of the last entry; empty if it was accepted.
    pub fn rejection(&self) -> Vec<Command> {
        self.wrong
            .iter()
            .map(|why| Command::Reject { sentence: why.clone(), focus: None })
            .collect()
    }

    /// Whether this leaves the question: no face was tapped that could be taken back.
    pub fn is_left_by(&self, message: &Message) -> bool {
        *message == Message::Back && self.faces.is_empty()
    }

    /// The HTML.
    pub fn view(&self, wrap: Wrap<'_, Message>, way_back: WayBack) -> Markup {
        let taps = matches!(self.need.wanted, Wanted::Dice { .. });
        let (label, works) = match way_back {
            _ if !self.faces.is_empty() => (words::TAKE_BACK, true),
            WayBack::Leave => (words::NOT_NOW, true),
            WayBack::TakeBack => (words::STEP_BACK, true),
            WayBack::Closed => (words::TAKE_BACK, false),
        };
        html! {
            div.ask {
                @if let Some(again) = &self.again { p.ask-again role="status" { (again) } }
                @match &self.need.wanted {
                    Wanted::Dice { count, sides, faces } => (pad(self, *count, *sides, faces, wrap)),
                    Wanted::Card { .. } => (card(self, wrap)),
                    Wanted::Answer { accepts } | Wanted::Input { accepts } => (question(self, accepts, wrap)),
                }
                @if let Some(wrong) = &self.wrong { p.wrong role="alert" { (wrong) } }
                @if works || taps {
                    button.button.button-quiet type="button" disabled[!works] data-do=(act(&wrap(Message::Back))) data-key="Backspace" { (label) }
                }
            }
        }
    }
}

/// With more dice than this, each face is counted instead of tapped.
const MANY_DICE: u32 = 8;

/// The faces that were counted, lowest first.
fn counted(fields: &BTreeMap<String, String>, sides: u32) -> Vec<u32> {
    let times = |face: u32| {
        let typed = fields.get(&face.to_string()).and_then(|text| text.trim().parse().ok());
        // More than any roll has: a wrong count is told, not carried out.
        typed.unwrap_or(0_usize).min(1000)
    };
    (1..=sides).flat_map(|face| std::iter::repeat_n(face, times(face))).collect()
}

/// Fields for how often each face came.
fn counts(sides: u32, faces: &[Text], wrap: Wrap<'_, Message>) -> Markup {
    let places: Vec<u32> = if faces.is_empty() { (1..=sides).collect() } else { different(faces) };
    html! {
        form.ask-counts data-do=(act(&wrap(Message::Counts(form_fields())))) autocomplete="off" novalidate {
            div.counts {
                @for face in places {
                    label.count-face {
                        @if !faces.is_empty() { span { (name(faces, face)) } } @else if sides == 6 { (dice::die(face, sides, true)) } @else { b { (face) } }
                        input type="number" inputmode="numeric" name=(face) min="0" placeholder="0" aria-label=(words::how_often(&if faces.is_empty() { face.to_string() } else { name(faces, face).to_owned() }));
                    }
                }
            }
            button.button type="submit" { (words::USE_COUNTS) }
        }
    }
}

/// A typed number. It counts when it is sent, not when the field loses the focus: a tap on another
/// button must not play it.
fn typed(what: &str, label: &str, button: &str, field: Markup) -> Markup {
    html! {
        form.ask-card data-do=(what) autocomplete="off" novalidate {
            label { span { (label) } (field) }
            button.button type="submit" { (button) }
        }
    }
}

/// The pad of faces. The focus stays on it.
fn pad(ask: &Ask, count: u32, sides: u32, faces: &[Text], wrap: Wrap<'_, Message>) -> Markup {
    let next = ask.faces.len() + 1;
    html! {
        h3.ask-title #ask tabindex="-1" { (words::roll_yourself(count, sides, !faces.is_empty())) }
        p.ask-for { (ask.need.what_for) }
        @if count > MANY_DICE && sides <= 20 { p.hint { (words::COUNT_FACES) } (counts(sides, faces, wrap)) } @else {
        div.pad-so-far aria-live="polite" {
            @if faces.is_empty() { (dice::row(&ask.faces, sides, None)) }
            @else { @for face in &ask.faces { span.die-named { (name(faces, *face)) } } }
            @for _ in ask.faces.len()..(count as usize).min(24) { span.die-blank {} }
            span.pad-count { (words::face_of(next.min(count as usize), count)) }
        }
        @if !faces.is_empty() {
            div.pad.pad-named role="group" aria-label=(words::FACES) data-sides=(sides) {
                @for place in different(faces) {
                    button.pad-face type="button" data-do=(act(&wrap(Message::Face(place)))) data-key=[key(place, sides)] { (name(faces, place)) }
                }
            }
        } @else if sides <= 20 {
            div.pad role="group" aria-label=(words::FACES) data-sides=(sides) {
                @for face in 1..=sides {
                    button.pad-face type="button" data-do=(act(&wrap(Message::Face(face)))) data-key=[key(face, sides)] aria-label=(words::face(face)) {
                        @if sides == 6 { (dice::die(face, sides, true)) } @else { (face) }
                    }
                }
            }
        } @else {
            (typed(&act(&wrap(Message::Text(VALUE.into()))), words::FACES, words::USE_NUMBER, html! {
                input.field-number #pad-number type="number" inputmode="numeric" name="typed" min="1" max=(sides);
            }))
        }
        }
    }
}

/// The name of a face, by its place on the die.
fn name(faces: &[Text], place: u32) -> &str {
    faces.get(place as usize - 1).map_or("", Text::as_str)
}

/// The places of different faces: a name that several faces have is one button.
fn different(faces: &[Text]) -> Vec<u32> {
    let first = |(place, face): &(usize, &Text)| !faces[..*place].contains(face);
    faces.iter().enumerate().filter(first).map(|(place, _)| place as u32 + 1).collect()
}

/// The key for a face: the ten of a d10 is marked 0.
fn key(face: u32, sides: u32) -> Option<String> {
    match face {
        1..=9 => Some(face.to_string()),
        10 if sides == 10 => Some("0".to_owned()),
        _ => None,
    }
}

fn card(ask: &Ask, wrap: Wrap<'_, Message>) -> Markup {
    html! {
        h3.ask-title #ask tabindex="-1" { (words::DRAW_YOURSELF) }
        p.ask-for { (ask.need.what_for) }
        (typed(&act(&wrap(Message::Card(VALUE.into()))), words::CARD_NUMBER, words::USE_CARD, html! {
            input.field-number #card-number type="number" inputmode="numeric" name="typed" min="1";
        }))
    }
}

fn question(ask: &Ask, accepts: &Accepts, wrap: Wrap<'_, Message>) -> Markup {
    let say = |text: &str| act(&wrap(Message::Text(text.to_owned())));
    html! {
        h3.ask-title #ask tabindex="-1" { (ask.need.what_for) }
        div.ask-answers {
            @match accepts {
                Accepts::YesNo => {
                    button.button.button-large type="button" data-key="y" data-do=(say("yes")) { (words::YES) }
                    button.button.button-large type="button" data-key="n" data-do=(say("no")) { (words::NO) }
                },
                Accepts::Choice { words } => {
                    @for word in words { button.button.button-large type="button" data-do=(say(&word.id)) { (word.label) } }
                },
                Accepts::Number { from, to, step } => {
                    (typed(&say(VALUE), &adjutant_wording::en::accepted(accepts), words::USE_NUMBER, html! {
                        input.field-number #answer-number type="number" inputmode="decimal" name="typed" min=(from) max=(to) step=[step.is_whole().then_some(step)];
                    }))
                },
            }
        }
    }
}
