//! From a call to its faces. The dice and cards that a chart asks for come from the seed of the call, until it asks a player
//! something: he who answers knows the faces so far, so what is thrown after an answer needs fresh links, and the call
//! goes on with another.

use crate::event::{Called, Do, Heard, Played};
use crate::hearing::Again;
use crate::line::{Line, Stamp};
use crate::play::{self, Play, PlayStop, Wish};
use crate::sealed::Call;
use crate::sealed::chain::{self, Hash};
use crate::table::Table;
use adjutant_dice::{Answer, CardAsk, DiceAsk, Need, Question, Sealed, Seam, Source, Stop, Wanted};

impl<'a> From<&'a Called> for Wish<'a> {
    fn from(called: &'a Called) -> Wish<'a> {
        let (pending, side, deck_of) = (called.pending.as_ref(), called.side.as_ref(), called.deck_of.as_ref());
        let (anyway, came, recorded) = (called.anyway, &called.came, true);
        Wish { chart: &called.chart, who: &called.who, given: &called.given, pending, side, deck_of, anyway, came, recorded }
    }
}

/// Faces from a seed until a question is answered; without a seed, none at all.
struct Links<'a> {
    luck: Option<Sealed>,
    then: &'a mut dyn Seam,
}

impl Seam for Links<'_> {
    fn throw(&mut self, ask: &DiceAsk<'_>) -> Result<Vec<u32>, Stop> {
        self.luck.as_mut().ok_or_else(|| ask.need())?.throw(ask)
    }

    fn draw(&mut self, ask: &CardAsk<'_>) -> Result<u32, Stop> {
        self.luck.as_mut().ok_or_else(|| ask.need())?.draw(ask)
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, Stop> {
        let answer = self.then.answer(ask)?;
        self.luck = None;
        Ok(answer)
    }

    fn source(&self) -> Source {
        Source::Sealed
    }
}

/// Answers, and no luck: a play at a table that throws sealed.
pub(crate) struct OnlyAnswers<'a>(pub &'a mut dyn Seam);

const UNSEALED: &str = "this table throws sealed: call the throw, or ask to let somebody out of the circle";

impl Seam for OnlyAnswers<'_> {
    fn throw(&mut self, _: &DiceAsk<'_>) -> Result<Vec<u32>, Stop> {
        Err(Stop::Refused(UNSEALED.into()))
    }

    fn draw(&mut self, _: &CardAsk<'_>) -> Result<u32, Stop> {
        Err(Stop::Refused(UNSEALED.into()))
    }

    fn answer(&mut self, ask: &Question<'_>) -> Result<Answer, Stop> {
        self.0.answer(ask)
    }
}

/// Whether dice or a card are missing, and nothing else.
fn wants_luck(needs: &[Need]) -> bool {
    !needs.is_empty() && needs.iter().all(|need| matches!(need.wanted, Wanted::Dice { .. } | Wanted::Card { .. }))
}

fn answers(came: &[Heard]) -> Vec<Heard> {
    came.iter().filter(|heard| heard.answer.is_some()).cloned().collect()
}

fn faces(came: &[Heard]) -> String {
    let one = |heard: &Heard| match (&heard.dice, heard.card, &heard.answer) {
        (Some(dice), _, _) => format!("[{}]", dice.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")),
        (_, Some(card), _) => format!("card {card}"),
        (_, _, answer) => format!("“{}”", answer.as_deref().unwrap_or_default()),
    };
    if came.is_empty() { "nothing".into() } else { came.iter().map(one).collect::<Vec<_>>().join(" ") }
}

impl Table {
    /// Calls a chart, to be thrown sealed. All that is wanted is bound before any link is shown. The seam is asked only for
    /// answers that the chart wants before its first throw. Where no luck enters there is nothing to call: the line is the play.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use adjutant_game::{Begin, Chain, Do, Play, Recruit, Seat, Stamp, Table};
    /// # let pack = Arc::new(adjutant_pack::read_pack(&adjutant_bundled_packs::files("panzer8").unwrap(), None).unwrap());
    /// # let mut table = Table::empty(pack);
    /// # let by = |who: &str| Stamp::new("2026-11-16T02:14:05Z", who);
    /// # let begin = Begin { name: "Hill 112".into(), sides: vec!["Allies".into(), "Axis".into()], ..Begin::default() };
    /// # table.apply(&table.begin(&by("Anna"), begin).unwrap().text).unwrap();
    /// # for (who, side) in [("Anna", "Allies"), ("Bert", "Axis")] {
    /// #     let role = Seat::Player { side: side.into() };
    /// #     table.apply(&table.act(&by(who), Do::Join { who: who.into(), role }).unwrap().text).unwrap();
    /// # }
    /// # let unit = Recruit { kind: "element".into(), name: "Rifles".into(), side: "Allies".into(), ..Recruit::default() };
    /// # table.apply(&table.act(&by("Anna"), Do::Add(vec![unit])).unwrap().text).unwrap();
    /// // Each on his own device, from bytes that the device drew at random.
    /// let (mut annas, mut berts) = (Chain::new([1; 32], 500).unwrap(), Chain::new([2; 32], 500).unwrap());
    /// table.apply(&table.seal(&by("Anna"), &annas, None).unwrap().text).unwrap();
    /// table.apply(&table.seal(&by("Bert"), &berts, None).unwrap().text).unwrap();
    /// let mut answers = adjutant_dice::Typed::new();
    /// table.apply(&table.call(&by("Anna"), &Play::of("rally").who("element", "u1"), &mut answers).unwrap().text).unwrap();
    /// for (who, chain) in [("Anna", &mut annas), ("Bert", &mut berts)] {
    ///     let shown = chain.show(&table, who).unwrap();
    ///     table.apply(&table.reveal(&by(who), &shown).unwrap().text).unwrap();
    /// }
    /// table.apply(&table.sealed_play(&by("Bert"), &mut answers).unwrap().text).unwrap();
    /// assert!(table.log_in_words().unwrap().last().unwrap().contains("Sealed dice"));
    /// ```
    pub fn call(&self, stamp: &Stamp, play: &Play, answers: &mut dyn Seam) -> Result<Line, PlayStop> {
        let setup = self.begun()?;
        let mut seam = Links { luck: None, then: answers };
        let came = match play::throw(&self.ground(&setup, &stamp.by), play.into(), Some(&mut seam)) {
            Err(PlayStop::Needs { needs, came }) if wants_luck(&needs) => came,
            Err(stop) => return Err(stop),
            Ok((played, _)) => {
                let what = Do::Play(Box::new(played.unwrap_or_default()));
                return self.line(stamp, what).map_err(|refusal| refusal.0.into());
            }
        };
        let ready = play::ready(&self.ground(&setup, &stamp.by), &self.state, play.into())?;
        let called = Called {
            chart: ready.situation.chart().id.to_string(),
            who: ready.who.clone().into_owned(),
            given: ready.given.clone().into_owned(),
            pending: play.pending.clone(),
            side: play.side.clone(),
            deck_of: play.deck_of.clone(),
            anyway: ready.anyway,
            came,
            goes_on: None,
        };
        self.act(stamp, Do::Call(Box::new(called))).map_err(|refusal| refusal.0.into())
    }

    /// The line that follows when all links are shown: the play, or, where luck comes after an answer, the call that
    /// goes on with fresh links. Anybody makes the play; only who called answers.
    pub fn sealed_play(&self, stamp: &Stamp, answers: &mut dyn Seam) -> Result<Line, PlayStop> {
        let made = match self.thrown(answers) {
            Ok(played) => self.line(stamp, Do::Play(Box::new(played))),
            Err(PlayStop::Needs { needs, came }) if wants_luck(&needs) => {
                let Some(call) = self.open_call() else { return Err(PlayStop::Refused(Vec::new())) };
                self.act(stamp, Do::Call(Box::new(Called { came, goes_on: Some(call.n), ..call.wish.clone() })))
            }
            Err(stop) => return Err(stop),
        };
        made.map_err(|refusal| refusal.0.into())
    }

    /// The seed of the open call, once all links are there.
    fn seed_of(&self, call: &Call) -> Result<Hash, String> {
        if let Some(name) = call.owes().next() {
            return Err(format!("{name} has not shown a link yet"));
        }
        let links: Vec<Hash> = call.links.iter().filter_map(|(_, link)| *link).collect();
        let print = |n| chain::unhex("a fingerprint", &self.fingerprint_of(n).unwrap_or_default());
        Ok(chain::seed(&print(1)?, &print(call.n)?, &links))
    }

    /// What comes of the open call.
    fn thrown(&self, answers: &mut dyn Seam) -> Result<Played, PlayStop> {
        let setup = self.begun()?;
        let call = self.open_call().ok_or_else(|| "no call is open: there is nothing to throw".to_owned())?;
        let mut seam = Links { luck: Some(Sealed::new(self.seed_of(call)?)), then: answers };
        let (played, _) = play::throw(&self.ground(&setup, &call.by), (&call.wish).into(), Some(&mut seam))?;
        Ok(Played { call: Some(call.n), ..played.unwrap_or_default() })
    }

    /// What of a play does not follow from the open call and its links, in a sentence.
    pub(crate) fn sealed_differs(&self, played: &Played) -> Option<String> {
        let call = self.open_call()?;
        let said = answers(played.came.get(call.wish.came.len()..).unwrap_or_default());
        match self.thrown(&mut Again::new(&said, None)) {
            Ok(given) if given.came == played.came => None,
            Ok(given) => Some(not_from_links(&played.came, &given.came)),
            Err(stop) => Some(format!("the call of event {} does not come to this: {stop}", call.n)),
        }
    }

    /// That a call stops where luck is wanted: what it says has come is all that could.
    pub(crate) fn check_called(&self, by: &str, called: &Called) -> Result<(), String> {
        let stop = match self.open_call() {
            None => {
                let setup = self.begun()?;
                let mut none = Again::new(&[], None);
                let mut seam = Links { luck: None, then: &mut none };
                play::throw(&self.ground(&setup, by), called.into(), Some(&mut seam)).map(|(played, _)| played.unwrap_or_default())
            }
            Some(call) => {
                let said = answers(called.came.get(call.wish.came.len()..).unwrap_or_default());
                self.thrown(&mut Again::new(&said, None))
            }
        };
        match stop {
            Err(PlayStop::Needs { needs, came }) if wants_luck(&needs) => match came == called.came {
                true => Ok(()),
                false => Err(not_from_links(&called.came, &came)),
            },
            Err(stop) => Err(format!("the call cannot be thrown so: {stop}")),
            Ok(_) => Err("no further luck enters here: it is played without a call".into()),
        }
    }
}

fn not_from_links(recorded: &[Heard], given: &[Heard]) -> String {
    match (faces(recorded), faces(given)) {
        (was, is) if was == is => "the sealed throw is recorded otherwise than the links give it".into(),
        (was, is) => format!("the sealed throw is recorded as {was}; the links give {is}"),
    }
}
