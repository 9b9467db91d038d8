//! From a call to its faces. The dice and cards that a chart asks for come from the seed of the
//! call, until the chart asks a player a question. The player who answers knows the faces so far,
//! so any roll after an answer needs fresh links: the call continues with another call.

use crate::event::{EventKind, PlayRecord, SealedCall};
use crate::log_line::{LogLine, Stamp};
use crate::play::{self, PlayContext, PlayError, PlayRequest};
use crate::rejection::{Rejection, SealedRejection};
use crate::sealed::OpenCall;
use crate::sealed::chain::{self, Hash, HexText};
use crate::table::Table;
use crate::verify::Difference;
use adjutant_dice::{
    Answer, CardRequest, DiceRequest, InputSource, Missing, Question, RecordedInput, Replay,
    SealedInput, SourceError, ThrownBy, Wanted,
};

/// Faces from a seed, until a question is answered. Without a seed there are no faces.
struct Links<'a> {
    luck: Option<SealedInput>,
    then: &'a mut dyn InputSource,
}

impl InputSource for Links<'_> {
    fn dice(&mut self, ask: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        self.luck.as_mut().ok_or_else(|| ask.missing())?.dice(ask)
    }

    fn card(&mut self, ask: &CardRequest<'_>) -> Result<u32, SourceError> {
        self.luck.as_mut().ok_or_else(|| ask.missing())?.card(ask)
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        let answer = self.then.answer(ask)?;
        self.luck = None;
        Ok(answer)
    }

    fn thrown_by(&self) -> ThrownBy {
        ThrownBy::Sealed
    }
}

/// A source of answers only, for a play while rolls must be sealed.
pub(crate) struct OnlyAnswers<'a> {
    from: &'a mut dyn InputSource,
    /// Whether the chart asked for dice or a card.
    pub asked_for_luck: bool,
}

impl<'a> OnlyAnswers<'a> {
    pub fn new(from: &'a mut dyn InputSource) -> OnlyAnswers<'a> {
        OnlyAnswers { from, asked_for_luck: false }
    }
}

impl InputSource for OnlyAnswers<'_> {
    fn dice(&mut self, _: &DiceRequest<'_>) -> Result<Vec<u32>, SourceError> {
        self.asked_for_luck = true;
        Err(SourceError::SealedOnly)
    }

    fn card(&mut self, _: &CardRequest<'_>) -> Result<u32, SourceError> {
        self.asked_for_luck = true;
        Err(SourceError::SealedOnly)
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, SourceError> {
        self.from.answer(ask)
    }

    fn thrown_by(&self) -> ThrownBy {
        self.from.thrown_by()
    }
}

/// Whether only dice or cards are missing.
fn wants_luck(needs: &[Missing]) -> bool {
    !needs.is_empty()
        && needs.iter().all(|need| matches!(need.wanted, Wanted::Dice { .. } | Wanted::Card { .. }))
}

fn answers(inputs: &[RecordedInput]) -> Vec<RecordedInput> {
    inputs.iter().filter(|input| input.is_answer()).cloned().collect()
}

impl Table {
    /// Calls a chart for a sealed roll. The call binds the whole request before any link is
    /// revealed. The source is asked only for answers that the chart needs before its first roll;
    /// to continue from recorded answers, pass a [`Replay`] of them. If the chart needs no dice or
    /// cards there is nothing to call, and the line is the play.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use adjutant_game::{Begin, Chain, EventKind, PlayRequest, NewUnit, Seat, Stamp, Table};
    /// # let pack = Arc::new(adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap());
    /// # let mut table = Table::empty(pack);
    /// # let by = |who: &str| Stamp::new("2026-11-16T02:14:05Z", who);
    /// # let begin = Begin { name: "Hill 112".into(), sides: vec!["Allies".into(), "Axis".into()], ..Begin::default() };
    /// # table.apply(&table.begin(&by("Anna"), begin).unwrap().text).unwrap();
    /// # for (who, side) in [("Anna", "Allies"), ("Bert", "Axis")] {
    /// #     let role = Seat::Player { side: side.into() };
    /// #     table.apply(&table.act(&by(who), EventKind::Join { who: who.into(), role }).unwrap().text).unwrap();
    /// # }
    /// # let unit = NewUnit { kind: "element".into(), name: "Rifles".into(), side: "Allies".into(), ..NewUnit::default() };
    /// # table.apply(&table.act(&by("Anna"), EventKind::Add(vec![unit])).unwrap().text).unwrap();
    /// // Each chain is on its player's device, made from random bytes of that device.
    /// let (mut annas, mut berts) = (Chain::new([1; 32], 500).unwrap(), Chain::new([2; 32], 500).unwrap());
    /// table.apply(&table.seal(&by("Anna"), &annas, None).unwrap().text).unwrap();
    /// table.apply(&table.seal(&by("Bert"), &berts, None).unwrap().text).unwrap();
    /// let mut answers = adjutant_dice::EnteredInput::new();
    /// table.apply(&table.call(&by("Anna"), &PlayRequest { anyway: true, ..PlayRequest::of("rally").unit("element", "u1") }, &mut answers).unwrap().text).unwrap();
    /// for (who, chain) in [("Anna", &mut annas), ("Bert", &mut berts)] {
    ///     let shown = chain.show(&table, who).unwrap();
    ///     table.apply(&table.reveal(&by(who), &shown).unwrap().text).unwrap();
    /// }
    /// table.apply(&table.sealed_play(&by("Bert"), &mut answers).unwrap().text).unwrap();
    /// assert!(adjutant_wording::en::log(&table).unwrap().last().unwrap().text.contains("Sealed dice"));
    /// ```
    pub fn call(
        &self,
        stamp: &Stamp,
        play: &PlayRequest,
        answers: &mut dyn InputSource,
    ) -> Result<LogLine, PlayError> {
        let setup = self.started()?;
        let mut source = Links { luck: None, then: answers };
        let ground = self.ground(&setup, &stamp.by);
        let inputs = match play::roll(&ground, play, &[], Some(&mut source)) {
            Err(PlayError::Needs { needs, inputs }) if wants_luck(&needs) => inputs,
            Err(stop) => return Err(stop),
            Ok(rolled) => {
                let what = EventKind::Play(Box::new(rolled.record.unwrap_or_default()));
                return Ok(self.line(stamp, what)?);
            }
        };
        let request = play::ready(&ground, &self.state, play)?.into_request(play);
        let called = SealedCall { request, inputs, continues: None };
        Ok(self.act(stamp, EventKind::Call(Box::new(called)))?)
    }

    /// The line that follows when all links are revealed: the play; or, if the chart rolls after an
    /// answer, the call that continues with fresh links. Any player may make the play; only the
    /// player who called answers.
    pub fn sealed_play(
        &self,
        stamp: &Stamp,
        answers: &mut dyn InputSource,
    ) -> Result<LogLine, PlayError> {
        let made = match self.rolled(answers) {
            Ok(played) => self.line_of_play(stamp, played),
            Err(PlayError::Needs { needs, inputs }) if wants_luck(&needs) => {
                let Some(call) = self.open_call() else {
                    return Err(PlayError::Rejected(Vec::new()));
                };
                self.act(
                    stamp,
                    EventKind::Call(Box::new(SealedCall {
                        request: call.record.request.clone(),
                        inputs,
                        continues: Some(call.n),
                    })),
                )
            }
            Err(stop) => return Err(stop),
        };
        Ok(made?)
    }

    /// The seed of the open call, once all links are revealed.
    fn seed_of(&self, call: &OpenCall) -> Result<Hash, Rejection> {
        if let Some(name) = call.owes().next() {
            return Err(SealedRejection::LinkMissing { name: name.into() }.into());
        }
        let links: Vec<Hash> = call.links.iter().filter_map(|(_, link)| *link).collect();
        let print =
            |n| chain::unhex(HexText::Fingerprint, &self.fingerprint_of(n).unwrap_or_default());
        Ok(chain::seed(&print(1)?, &print(call.n)?, &links))
    }

    /// Rolls the open call.
    fn rolled(&self, answers: &mut dyn InputSource) -> Result<PlayRecord, PlayError> {
        let setup = self.started()?;
        let call = self.open_call().ok_or(SealedRejection::NoCallToRoll)?;
        let mut source = Links { luck: Some(SealedInput::new(self.seed_of(call)?)), then: answers };
        let ground = PlayContext { from_log: true, ..self.ground(&setup, &call.by) };
        let rolled =
            play::roll(&ground, &call.record.request, &call.record.inputs, Some(&mut source))?;
        Ok(PlayRecord { call: Some(call.n), ..rolled.record.unwrap_or_default() })
    }

    /// How a play differs from the open call and its links, if it does.
    pub(crate) fn sealed_differs(&self, played: &PlayRecord) -> Option<Difference> {
        let call = self.open_call()?;
        let said = answers(played.inputs.get(call.record.inputs.len()..).unwrap_or_default());
        match self.rolled(&mut Replay::new(&said)) {
            Ok(given) if given.inputs == played.inputs => None,
            Ok(given) => Some(not_from_links(&played.inputs, &given.inputs)),
            Err(stop) => Some(Difference::CallFails { call: call.n, error: Box::new(stop) }),
        }
    }

    /// Checks that a call stops where dice or cards are needed, and that its recorded inputs are
    /// all that come before.
    pub(crate) fn check_called(&self, by: &str, called: &SealedCall) -> Result<(), Rejection> {
        let stop = match self.open_call() {
            None => {
                let setup = self.started()?;
                let mut none = Replay::new(&[]);
                let mut source = Links { luck: None, then: &mut none };
                let ground = PlayContext { from_log: true, ..self.ground(&setup, by) };
                play::roll(&ground, &called.request, &called.inputs, Some(&mut source))
                    .map(|rolled| rolled.record.unwrap_or_default())
            }
            Some(call) => {
                let said =
                    answers(called.inputs.get(call.record.inputs.len()..).unwrap_or_default());
                self.rolled(&mut Replay::new(&said))
            }
        };
        match stop {
            Err(PlayError::Needs { needs, inputs }) if wants_luck(&needs) => match inputs
                == called.inputs
            {
                true => Ok(()),
                false => {
                    Err(SealedRejection::Differs(Box::new(not_from_links(&called.inputs, &inputs)))
                        .into())
                }
            },
            Err(stop) => Err(SealedRejection::CallFails(Box::new(stop)).into()),
            Ok(_) => Err(SealedRejection::NoFurtherLuck.into()),
        }
    }
}

fn not_from_links(recorded: &[RecordedInput], given: &[RecordedInput]) -> Difference {
    Difference::SealedInputs { recorded: recorded.to_vec(), given: given.to_vec() }
}
