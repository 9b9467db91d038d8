//! Input that players type in: the faces of real dice, real cards, and answers given beforehand.
//! Every face is checked (no 7 on a d6, no card twice). What is left over is an error: the player
//! and the chart disagree on what was rolled.

use crate::{
    Answer, CardRequest, DiceRequest, InputSource, Question, SourceError, Text, ThrownBy, Unused,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Faces, cards and answers given beforehand, used in the order in which they are asked for.
///
/// An answer given once stands for every time its question is asked; given several times, they are
/// used in order and the last stands for the rest.
#[derive(Clone, Debug, Default)]
pub struct EnteredInput {
    dice: VecDeque<EnteredFace>,
    cards: VecDeque<u32>,
    answers: BTreeMap<String, VecDeque<String>>,
    /// The answer for the next time that a question is asked.
    once: Option<(String, String)>,
    asked: BTreeSet<String>,
}

/// One face or several, as they were given.
#[derive(Clone, Debug)]
enum EnteredFace {
    /// A place on the die, counted from 1.
    Place(u32),
    /// A number, the name of a face, or several faces such as `6x3`.
    Written(Text),
}

impl EnteredInput {
    /// An input without faces, cards and answers, to be filled with the `with_` methods.
    pub fn new() -> EnteredInput {
        EnteredInput::default()
    }

    /// With these faces, by their places on the die: on a d6, the faces themselves.
    pub fn with_dice(mut self, faces: impl IntoIterator<Item = u32>) -> EnteredInput {
        self.dice.extend(faces.into_iter().map(EnteredFace::Place));
        self
    }

    /// With these faces as players write them: `5`, the name of a face, or `6x3` for three sixes.
    pub fn with_faces<T: Into<Text>>(mut self, faces: impl IntoIterator<Item = T>) -> EnteredInput {
        self.dice.extend(faces.into_iter().map(|face| EnteredFace::Written(face.into())));
        self
    }

    /// With these cards, by their numbers, to be drawn in this order.
    pub fn with_cards(mut self, cards: impl IntoIterator<Item = u32>) -> EnteredInput {
        self.cards.extend(cards);
        self
    }

    /// With this answer to the question of this name.
    pub fn with_answer(
        mut self,
        key: impl Into<String>,
        answer: impl Into<String>,
    ) -> EnteredInput {
        self.answers.entry(key.into()).or_default().push_back(answer.into());
        self
    }

    /// With this answer for the next time that the question of this name is asked.
    pub fn with_answer_once(mut self, key: String, answer: String) -> EnteredInput {
        self.once = Some((key, answer));
        self
    }

    /// Checks that every question that was answered beforehand came up.
    pub fn finish_answers(&self) -> Result<(), SourceError> {
        let keys = self.answers.keys().chain(self.once.iter().map(|(key, _)| key));
        let idle = keys.filter(|key| !self.asked.contains(*key));
        let idle: Vec<Text> = idle.map(|key| key.as_str().into()).collect();
        if idle.is_empty() { Ok(()) } else { Err(SourceError::Unused(Unused::Answers(idle))) }
    }
}

impl InputSource for EnteredInput {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        let mut left = self.dice.clone();
        let mut faces = Vec::with_capacity(ask.count as usize);
        for _ in 0..ask.count {
            match next_face(&mut left, ask) {
                Some(face) => faces.push(face?),
                None => return Err(ask.missing()),
            }
        }
        self.dice = left;
        Ok(faces)
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        let card = self.cards.front().copied().ok_or_else(|| ask.missing())?;
        ask.checked(card)?;
        self.cards.pop_front();
        Ok(card)
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        if let Some((_, text)) = self.once.take_if(|(key, _)| *key == ask.key) {
            return ask.read(&text);
        }
        let given = self.answers.get_mut(ask.key).ok_or_else(|| ask.missing())?;
        let text = if given.len() > 1 { given.pop_front() } else { given.front().cloned() };
        let text = text.ok_or_else(|| ask.missing())?;
        self.asked.insert(ask.key.to_owned());
        ask.read(&text)
    }

    fn thrown_by(&self) -> ThrownBy {
        ThrownBy::Player
    }

    /// Checks that all faces and cards were used.
    fn finish(&self) -> Result<(), SourceError> {
        if !self.dice.is_empty() {
            return Err(SourceError::Unused(Unused::Faces(
                self.dice.iter().map(EnteredFace::shown).collect(),
            )));
        }
        if !self.cards.is_empty() {
            return Err(SourceError::Unused(Unused::Cards(self.cards.iter().copied().collect())));
        }
        Ok(())
    }
}

impl EnteredFace {
    fn shown(&self) -> Text {
        match self {
            EnteredFace::Place(face) => ecow::eco_format!("{face}"),
            EnteredFace::Written(text) => text.clone(),
        }
    }
}

/// The face at the front, as a place on the die. A count such as `6x3` is used up one by one.
fn next_face(
    dice: &mut VecDeque<EnteredFace>,
    ask: &DiceRequest<'_>,
) -> Option<Result<u32, SourceError>> {
    let what_for = || Text::from(ask.what_for);
    let text = match dice.pop_front()? {
        EnteredFace::Written(text) => text,
        EnteredFace::Place(face) => {
            // The face marked 0 on a ten-sided die is its ten.
            let face = if face == 0 && ask.sides == 10 { 10 } else { face };
            return Some(if (1..=ask.sides).contains(&face) {
                Ok(face)
            } else {
                Err(SourceError::BadFace { face, sides: ask.sides, what_for: what_for() })
            });
        }
    };
    if let Some(place) = place_of(&text, ask) {
        return Some(Ok(place));
    }
    let counted = text.rsplit_once(['x', 'X', '×']).and_then(|(face, count)| {
        let count = count.trim().parse::<u32>().ok().filter(|count| *count <= crate::MOST_DICE)?;
        Some((place_of(face.trim(), ask)?, face.trim(), count))
    });
    if let Some((place, face, count)) = counted {
        if count > 1 {
            let rest = ecow::eco_format!("{face}x{}", count - 1);
            dice.push_front(EnteredFace::Written(rest));
        } else if count == 0 {
            return next_face(dice, ask);
        }
        return Some(Ok(place));
    }
    Some(Err(match text.parse() {
        Ok(face) if ask.faces.is_empty() => {
            SourceError::BadFace { face, sides: ask.sides, what_for: what_for() }
        }
        _ => {
            let faces = if ask.faces.is_empty() {
                vec![ecow::eco_format!("1 to {}", ask.sides)]
            } else {
                ask.faces.to_vec()
            };
            SourceError::BadFaceName { face: text, known: faces, what_for: what_for() }
        }
    }))
}

/// The place of a face on the die. The face marked 0 on a ten-sided die is its ten.
fn place_of(text: &str, ask: &DiceRequest<'_>) -> Option<u32> {
    let number = || text.parse::<u32>().ok();
    if ask.faces.is_empty() {
        let face = number().map(|face| if face == 0 && ask.sides == 10 { 10 } else { face });
        return face.filter(|face| (1..=ask.sides).contains(face));
    }
    let named = ask.faces.iter().position(|name| name.eq_ignore_ascii_case(text));
    let words = ask.faces.iter().all(|name| name.parse::<crate::Number>().is_err());
    match named {
        Some(place) => Some(place as u32 + 1),
        None if words => number().filter(|face| (1..=ask.sides).contains(face)),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Accepts, Deck, DeckError, Wanted};

    const D6: DiceRequest<'_> = DiceRequest::new("dr", "check", 2, 6);

    #[test]
    fn faces_are_used_in_order_and_checked() {
        let mut typed = EnteredInput::new().with_dice([6, 1, 7, 2]);
        assert_eq!(typed.dice(&D6).unwrap(), [6, 1]);
        assert_eq!(
            typed.dice(&D6),
            Err(SourceError::BadFace { face: 7, sides: 6, what_for: "check".into() })
        );
    }

    #[test]
    fn nought_on_a_ten_sided_die_is_ten() {
        let ask = DiceRequest::new("d", "", 1, 10);
        assert_eq!(EnteredInput::new().with_dice([0]).dice(&ask).unwrap(), [10]);
        assert!(EnteredInput::new().with_dice([0, 1]).dice(&D6).is_err());
    }

    #[test]
    fn too_few_faces_name_the_roll_and_too_many_are_refused() {
        let mut typed = EnteredInput::new().with_dice([6]);
        let SourceError::Missing(need) = typed.dice(&D6).unwrap_err() else {
            panic!("expected a need")
        };
        assert_eq!(need.wanted, Wanted::Dice { count: 2, sides: 6, faces: vec![] });
        assert_eq!(typed.finish(), Err(SourceError::Unused(Unused::Faces(vec!["6".into()]))));
    }

    #[test]
    fn faces_are_typed_by_name_and_counted() {
        let names: Vec<Text> = ["foot", "foot", "shell", "rout"].map(Text::from).to_vec();
        let ask = DiceRequest { faces: &names, ..DiceRequest::new("die", "battle", 4, 4) };
        let mut typed = EnteredInput::new().with_faces(["rout", "Shellx2", "foot"]);
        assert_eq!(typed.dice(&ask), Ok(vec![4, 3, 3, 1]));
        assert_eq!(
            EnteredInput::new().with_faces(["4x2", "3", "1"]).dice(&ask),
            Ok(vec![4, 4, 3, 1])
        );
        let wrong = EnteredInput::new().with_faces(["tank"]).dice(&ask).unwrap_err();
        assert!(matches!(wrong, SourceError::BadFaceName { face, .. } if face == "tank"));
        let digits: Vec<Text> = (0..10).map(|n| Text::from(n.to_string())).collect();
        let ask = DiceRequest { faces: &digits, ..DiceRequest::new("die", "", 3, 10) };
        assert_eq!(EnteredInput::new().with_faces(["0", "9x2"]).dice(&ask), Ok(vec![1, 10, 10]));
        let left = EnteredInput::new().with_faces(["6x3", "1x2"]);
        assert_eq!(left.clone().dice(&DiceRequest::new("d", "", 5, 6)), Ok(vec![6, 6, 6, 1, 1]));
        let rest = vec!["6x3".into(), "1x2".into()];
        assert_eq!(left.finish(), Err(SourceError::Unused(Unused::Faces(rest))));
    }

    #[test]
    fn a_card_is_not_drawn_twice() {
        let deck = Deck::without(60, [23]).unwrap();
        let ask = CardRequest::new("card", "", "action", &deck);
        assert_eq!(
            EnteredInput::new().with_cards([23]).card(&ask),
            Err(SourceError::BadCard(DeckError::Gone { card: 23 }))
        );
        assert_eq!(
            EnteredInput::new().with_cards([61]).card(&ask),
            Err(SourceError::BadCard(DeckError::NoSuchCard { card: 61, size: 60 }))
        );
    }

    #[test]
    fn a_single_answer_stands_and_several_are_used_in_order() {
        let ask = Question {
            key: "jam",
            prompt: "?",
            accepts: &Accepts::YesNo,
            assume: None,
            default: None,
        };
        let mut typed = EnteredInput::new().with_answer("jam", "no").with_answer("jam", "yes");
        let mut answer = || typed.answer(&ask).unwrap();
        assert_eq!(
            [answer(), answer(), answer()],
            [Answer::YesNo(false), Answer::YesNo(true), Answer::YesNo(true)]
        );
    }
}
