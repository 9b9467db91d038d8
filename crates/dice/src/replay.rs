//! Recording the inputs of a run, and running it again from the record. The same inputs give the
//! same resolution; a record that does not fit is refused at the first difference.

use crate::{
    Answer, CardRequest, DiceRequest, InputSource, Question, RecordedInput, SourceError, ThrownBy,
    Unused,
};

/// Records what another source gives.
pub struct Recorder<S> {
    from: S,
    inputs: Vec<RecordedInput>,
}

impl<S: InputSource> Recorder<S> {
    /// Records what this source gives.
    pub fn new(from: S) -> Recorder<S> {
        Recorder { from, inputs: Vec::new() }
    }

    /// The inputs that the source gave, in order.
    pub fn into_inputs(self) -> Vec<RecordedInput> {
        self.inputs
    }
}

impl<S: InputSource> InputSource for Recorder<S> {
    fn dice(&mut self, request: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        let faces = self.from.dice(request)?;
        let by = self.from.thrown_by();
        let sides = (by == ThrownBy::Sealed).then_some(request.sides);
        let names = request.names(&faces);
        self.inputs.push(RecordedInput::Dice { faces: faces.clone(), by, sides, names });
        Ok(faces)
    }

    fn card(&mut self, request: &CardRequest<'_>) -> Result<u32, SourceError> {
        let card = self.from.card(request)?;
        let by = self.from.thrown_by();
        let left = (by == ThrownBy::Sealed).then(|| request.deck.left());
        self.inputs.push(RecordedInput::Card { card, by, left });
        Ok(card)
    }

    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, SourceError> {
        let answer = self.from.answer(question)?;
        self.inputs.push(RecordedInput::Answer { answer: ecow::eco_format!("{answer}") });
        Ok(answer)
    }

    fn thrown_by(&self) -> ThrownBy {
        self.from.thrown_by()
    }

    fn finish(&self) -> Result<(), SourceError> {
        self.from.finish()
    }
}

/// Gives what was recorded, then what another source gives, if there is one. So a run that stopped
/// for an answer goes on without rolling again.
///
/// ```
/// use adjutant_dice::{DiceRequest, InputSource, RandomInput, Recorder, Replay};
/// let request = DiceRequest::new("dr", "a check", 2, 6);
/// let mut live = Recorder::new(RandomInput::seeded(1));
/// let faces = live.dice(&request).unwrap();
/// let record = live.into_inputs();
/// let mut replay = Replay::new(&record);
/// assert_eq!(replay.dice(&request).unwrap(), faces);
/// replay.finish().unwrap();
/// ```
pub struct Replay<'a> {
    recorded: std::slice::Iter<'a, RecordedInput>,
    then: Option<&'a mut dyn InputSource>,
    by: ThrownBy,
}

impl<'a> Replay<'a> {
    /// Gives what the record holds, and nothing else.
    pub fn new(recorded: &'a [RecordedInput]) -> Replay<'a> {
        Replay { recorded: recorded.iter(), then: None, by: ThrownBy::Program }
    }

    /// After the record, gives what this source gives.
    #[must_use]
    pub fn then(mut self, source: &'a mut dyn InputSource) -> Replay<'a> {
        self.then = Some(source);
        self
    }
}

impl InputSource for Replay<'_> {
    fn dice(&mut self, request: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        match self.recorded.next() {
            Some(RecordedInput::Dice { faces, by, names, .. })
                if request.fits(faces) && *names == request.names(faces) =>
            {
                self.by = *by;
                Ok(faces.clone())
            }
            Some(_) => Err(request.mismatch()),
            None => {
                let then = self.then.as_mut().ok_or_else(|| request.missing())?;
                let faces = then.dice(request)?;
                self.by = then.thrown_by();
                Ok(faces)
            }
        }
    }

    fn card(&mut self, request: &CardRequest<'_>) -> Result<u32, SourceError> {
        match self.recorded.next() {
            Some(RecordedInput::Card { card, by, .. }) => {
                self.by = *by;
                request.checked(*card)
            }
            Some(_) => Err(request.mismatch()),
            None => {
                let then = self.then.as_mut().ok_or_else(|| request.missing())?;
                let card = then.card(request)?;
                self.by = then.thrown_by();
                Ok(card)
            }
        }
    }

    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, SourceError> {
        match self.recorded.next() {
            Some(RecordedInput::Answer { answer }) => question.read(answer),
            Some(_) => Err(question.mismatch()),
            None => self.then.as_mut().ok_or_else(|| question.missing())?.answer(question),
        }
    }

    fn thrown_by(&self) -> ThrownBy {
        self.by
    }

    /// Checks that the whole record was used, and all that the other source was given.
    fn finish(&self) -> Result<(), SourceError> {
        match (self.recorded.len(), &self.then) {
            (0, Some(then)) => then.finish(),
            (0, None) => Ok(()),
            (rest, _) => Err(SourceError::Unused(Unused::Recorded(rest))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Accepts, EnteredInput};

    #[test]
    fn a_replay_goes_on_with_another_source() {
        let record = [RecordedInput::Dice {
            faces: vec![6],
            by: ThrownBy::Player,
            sides: None,
            names: vec![],
        }];
        let mut then = EnteredInput::new().with_answer("jam", "no");
        let mut replay = Recorder::new(Replay::new(&record).then(&mut then));
        assert_eq!(replay.dice(&DiceRequest::new("d", "", 1, 6)).unwrap(), [6]);
        assert_eq!(
            replay
                .answer(&Question {
                    key: "jam",
                    prompt: "?",
                    accepts: &Accepts::YesNo,
                    assume: None,
                    default: None
                })
                .unwrap(),
            Answer::YesNo(false)
        );
        let all = replay.into_inputs();
        assert_eq!(all, [record[0].clone(), RecordedInput::Answer { answer: "no".into() }]);
    }

    #[test]
    fn a_record_that_does_not_fit_is_refused() {
        let record = [RecordedInput::Dice {
            faces: vec![7],
            by: ThrownBy::Program,
            sides: None,
            names: vec![],
        }];
        let request = DiceRequest::new("d", "Fire", 1, 6);
        assert!(matches!(
            Replay::new(&record).dice(&request),
            Err(SourceError::Mismatch(asked)) if asked.what_for == "Fire"
        ));
        assert_eq!(Replay::new(&[]).dice(&request), Err(request.missing()));
        assert_eq!(Replay::new(&record).finish(), Err(SourceError::Unused(Unused::Recorded(1))));
    }
}
