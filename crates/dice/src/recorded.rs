//! One recorded input: what a source gave, as it stands in a log.

use crate::{Text, ThrownBy};
use serde::{Deserialize, Serialize, Serializer};

/// Dice, a card or an answer that a run was given.
///
/// In JSON it is `{"dice":[3,5],"from":"ours"}`, `{"card":12,"from":"typed"}` or
/// `{"answer":"yes","from":"typed"}`; sealed dice and cards also have `sides` or `left`.
///
/// ```
/// use adjutant_dice::{RecordedInput, ThrownBy};
/// let sealed = RecordedInput::Dice { faces: vec![5], by: ThrownBy::Sealed, sides: Some(10), names: vec![] };
/// assert_eq!(serde_json::to_string(&sealed).unwrap(), r#"{"dice":[5],"sides":10,"from":"sealed"}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Fields")]
pub enum RecordedInput {
    /// Dice of one roll.
    Dice {
        /// One face for each die, by its place on the die, in the order in which they were rolled.
        faces: Vec<u32>,
        /// The one who rolled: the program, a player or several together.
        by: ThrownBy,
        /// Of sealed dice, how many sides they have.
        sides: Option<u32>,
        /// The names of the faces, if the die has names. They tell a reader without the pack what
        /// was rolled.
        names: Vec<Text>,
    },
    /// A card drawn from a deck.
    Card {
        /// The card's number, as the deck counts its cards.
        card: u32,
        /// The one who drew: the program, a player or several together.
        by: ThrownBy,
        /// Of a sealed card, how many cards were left before it was drawn.
        left: Option<u32>,
    },
    /// An answer, always a player's own.
    Answer {
        /// The answer as text, which the question reads again in a replay.
        answer: Text,
    },
}

impl RecordedInput {
    /// The faces, if these are dice.
    pub fn faces(&self) -> Option<&[u32]> {
        if let RecordedInput::Dice { faces, .. } = self { Some(faces) } else { None }
    }

    /// The card's number, if this is one.
    pub fn card(&self) -> Option<u32> {
        if let RecordedInput::Card { card, .. } = self { Some(*card) } else { None }
    }

    /// The answer, if this is one.
    pub fn answer(&self) -> Option<&str> {
        if let RecordedInput::Answer { answer } = self { Some(answer) } else { None }
    }

    /// Tells an answer from dice and cards.
    pub fn is_answer(&self) -> bool {
        matches!(self, RecordedInput::Answer { .. })
    }

    /// Tells if these are dice or a card that are not a player's own.
    pub fn is_drawn(&self) -> bool {
        !self.is_answer() && self.by() != ThrownBy::Player
    }

    /// Who rolled, drew or answered. Answers are always a player's.
    pub fn by(&self) -> ThrownBy {
        match self {
            RecordedInput::Dice { by, .. } | RecordedInput::Card { by, .. } => *by,
            RecordedInput::Answer { .. } => ThrownBy::Player,
        }
    }

    /// The sides or the number of cards left, which only sealed dice and cards record.
    pub fn of(&self) -> Option<u32> {
        match self {
            RecordedInput::Dice { sides: of, .. } | RecordedInput::Card { left: of, .. } => *of,
            RecordedInput::Answer { .. } => None,
        }
    }
}

/// The JSON form, to be read. A log may be forged, so it is checked: dice that pass for an answer
/// would be dice that were not sealed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    #[serde(default)]
    dice: Option<Vec<u32>>,
    #[serde(default)]
    card: Option<u32>,
    #[serde(default)]
    answer: Option<Text>,
    #[serde(default)]
    sides: Option<u32>,
    #[serde(default)]
    names: Vec<Text>,
    #[serde(default)]
    left: Option<u32>,
    from: ThrownBy,
}

impl TryFrom<Fields> for RecordedInput {
    type Error = &'static str;

    fn try_from(
        Fields { dice, card, answer, sides, names, left, from }: Fields,
    ) -> Result<RecordedInput, &'static str> {
        let named = !names.is_empty();
        match (dice, card, answer, sides, left) {
            (Some(faces), None, None, _, None) if named && names.len() != faces.len() => {
                Err("each of the `dice` has one of the `names`, or none has")
            }
            (Some(faces), None, None, sides, None) => {
                Ok(RecordedInput::Dice { faces, by: from, sides, names })
            }
            _ if named => Err("only `dice` may have `names`"),
            (None, Some(card), None, None, left) => {
                Ok(RecordedInput::Card { card, by: from, left })
            }
            (None, None, Some(answer), None, None) if from == ThrownBy::Player => {
                Ok(RecordedInput::Answer { answer })
            }
            (None, None, Some(_), None, None) => Err("an answer is `typed`"),
            _ => Err(
                "an input is exactly one of `dice`, `card` and `answer`; only `dice` may have `sides`, only a `card` `left`",
            ),
        }
    }
}

impl Serialize for RecordedInput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            dice: Option<&'a [u32]>,
            #[serde(skip_serializing_if = "Option::is_none")]
            card: Option<u32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            answer: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            sides: Option<u32>,
            #[serde(skip_serializing_if = "<[Text]>::is_empty")]
            names: &'a [Text],
            #[serde(skip_serializing_if = "Option::is_none")]
            left: Option<u32>,
            from: ThrownBy,
        }
        let (sides, left) = match self {
            RecordedInput::Dice { sides, .. } => (*sides, None),
            RecordedInput::Card { left, .. } => (None, *left),
            RecordedInput::Answer { .. } => (None, None),
        };
        let (dice, card, answer) = (self.faces(), self.card(), self.answer());
        let names =
            if let RecordedInput::Dice { names, .. } = self { names.as_slice() } else { &[] };
        Fields { dice, card, answer, sides, names, left, from: self.by() }.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> serde_json::Result<RecordedInput> {
        serde_json::from_str(json)
    }

    #[test]
    fn the_form_of_the_log_is_kept() {
        for json in [
            r#"{"dice":[3,5],"from":"ours"}"#,
            r#"{"dice":[5],"sides":10,"from":"sealed"}"#,
            r#"{"dice":[3,5],"names":["shell","rout"],"from":"ours"}"#,
            r#"{"card":12,"from":"typed"}"#,
            r#"{"card":12,"left":7,"from":"sealed"}"#,
            r#"{"answer":"yes","from":"typed"}"#,
        ] {
            assert_eq!(serde_json::to_string(&read(json).unwrap()).unwrap(), json);
        }
    }

    #[test]
    fn forged_inputs_are_refused() {
        let both = read(r#"{"dice":[3],"answer":"yes","from":"ours"}"#).unwrap_err().to_string();
        assert!(both.contains("exactly one of `dice`, `card` and `answer`"), "{both}");
        for json in [
            r#"{"from":"ours"}"#,
            r#"{"dice":[3],"card":1,"from":"ours"}"#,
            r#"{"dice":[3]}"#,
            r#"{"dice":[3],"from":"ours","more":1}"#,
            r#"{"dice":[3],"names":["shell","rout"],"from":"ours"}"#,
            r#"{"card":3,"names":["shell"],"from":"ours"}"#,
            r#"{"answer":"yes","from":"ours"}"#,
            r#"{"answer":"yes","sides":6,"from":"typed"}"#,
            r#"{"dice":[3],"left":6,"from":"sealed"}"#,
            r#"{"card":3,"sides":6,"from":"sealed"}"#,
            r#"{"dice":[3],"of":6,"from":"sealed"}"#,
        ] {
            assert!(read(json).is_err(), "{json}");
        }
    }
}
